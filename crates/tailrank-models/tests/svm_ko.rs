//! The SVM rows of `r_grid_KO_h3.csv` (R's e1071) on the quotes they were made from.
//!
//! The quotes are not part of the repository: set `TAILRANK_CHECK_DATA` to a folder that holds `quotes/KO_1990_2022.csv`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::{env, fs, path::Path};

use tailrank_models::{FitContext, Matrix, Params, Svm, TrainSet, fit_grid};

const HORIZON: usize = 3;
const LAGS: usize = 24;
const TRAIN: usize = 5000;

#[test]
fn ko_grid_equals_r() {
    let Some(folder) = env::var_os("TAILRANK_CHECK_DATA") else {
        println!("skipped: TAILRANK_CHECK_DATA is not set");
        return;
    };
    let quotes = fs::read_to_string(Path::new(&folder).join("quotes/KO_1990_2022.csv")).unwrap();
    let price: Vec<f64> =
        quotes.lines().skip(1).map(|l| l.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let change = |t: usize| price[t] / price[t - HORIZON] - 1.0;
    let origins: Vec<usize> = (HORIZON + LAGS - 1..price.len() - HORIZON).collect();
    let rows: Vec<Vec<f64>> =
        origins.iter().map(|&t| (0..LAGS).map(|lag| change(t - lag)).collect()).collect();
    let y: Vec<f64> = origins.iter().map(|&t| change(t + HORIZON)).collect();
    assert_eq!(rows.len(), 8284);
    let train = Matrix::from_rows(&rows[..TRAIN]).unwrap();
    let test = Matrix::from_rows(&rows[TRAIN..]).unwrap();

    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/r_grid_KO_h3.csv");
    let reference = fs::read_to_string(fixture).unwrap();
    let expected: Vec<Vec<&str>> = reference
        .lines()
        .map(|l| l.split(',').collect::<Vec<_>>())
        .filter(|f| f[1].trim_matches('"') == "svm")
        .collect();
    assert_eq!(expected.len(), 16);
    let number = |row: &[&str], at: usize| row[at].parse::<f64>().unwrap();
    let grid: Vec<Params> = expected
        .iter()
        .map(|row| Params::new().with("cost", number(row, 2)).with("gamma", number(row, 3)))
        .collect();
    let set = TrainSet { x: train.view(), y: &y[..TRAIN], weights: None };
    let fits = fit_grid(&Svm, set, test.view(), &grid, &FitContext::new(1)).unwrap();
    println!("variant, MAD here, MAD in R, signals here, signals in R, support vectors here, in R");
    for (row, fit) in expected.iter().zip(fits) {
        let fit = fit.unwrap();
        assert!(fit.converged, "{}", row[0]);
        let truth = &y[TRAIN..];
        let errors = fit.predictions.iter().zip(truth).map(|(p, t)| (p - t).abs());
        let mad = errors.sum::<f64>() / truth.len() as f64;
        // A signal is φ(ŷ) ≥ 0.5, and φ is centred at ±0.02.
        let signals = fit.predictions.iter().filter(|p| p.abs() >= 0.02).count() as f64;
        let support = fit.details.iter().find(|d| d.0 == "support_vectors").unwrap().1;
        let (r_mad, r_signals, r_support) = (number(row, 4), number(row, 9), number(row, 14));
        println!("{}, {mad:.8}, {r_mad:.8}, {signals}, {r_signals}, {support}, {r_support}", row[0]);
        // Four digits of 0.015 are 5e-6; libsvm's own stopping tolerance is worth about 1e-6.
        assert!((mad - r_mad).abs() < 2e-6, "{}: MAD {mad} against {r_mad}", row[0]);
        assert!((signals - r_signals).abs() <= 2.0, "{}: {signals} signals against {r_signals}", row[0]);
    }
}
