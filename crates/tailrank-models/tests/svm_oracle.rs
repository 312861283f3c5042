//! The native SVM against e1071 (libsvm): fixtures `d_predictions.csv` and `svm_e1071.csv` (made by `svm_e1071.R`).
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::{collections::BTreeMap, fs, path::Path};

use tailrank_models::{Fit, FitContext, Matrix, ParamValue, Params, Svm, TrainSet, fit_grid};

fn fixture(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

/// Inputs and target of a file whose first column is the target.
fn table(name: &str) -> (Matrix, Vec<f64>) {
    let rows: Vec<Vec<f64>> =
        fixture(name).lines().skip(1).map(|l| l.split(',').map(|v| v.parse().unwrap()).collect()).collect();
    let inputs: Vec<&[f64]> = rows.iter().map(|r| &r[1..]).collect();
    (Matrix::from_rows(&inputs).unwrap(), rows.iter().map(|r| r[0]).collect())
}

fn predictions(name: &str, separator: char) -> BTreeMap<String, Vec<f64>> {
    let mut models: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in fixture(name).lines().skip(1) {
        let mut fields = line.split(separator);
        let model = fields.next().unwrap().to_owned();
        let value = fields.nth(1).unwrap();
        models.entry(model).or_default().push(value.trim().parse().unwrap_or(f64::NAN));
    }
    models
}

fn parse(variant: &str) -> Params {
    variant.split(',').map(|p| p.split_once('=').unwrap()).fold(Params::new(), |params, (name, v)| {
        let value: ParamValue = match (v.parse::<f64>(), v.parse::<bool>()) {
            (Ok(v), _) => v.into(),
            (_, Ok(v)) => v.into(),
            _ => v.into(),
        };
        params.with(name, value)
    })
}

fn sd(v: &[f64]) -> f64 {
    let mean = v.iter().sum::<f64>() / v.len() as f64;
    (v.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (v.len() - 1) as f64).sqrt()
}

fn furthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(u, v)| (u - v).abs()).fold(0.0, f64::max)
}

fn fit_all(variants: &[Params]) -> (Vec<Fit>, f64) {
    let (x, y) = table("d_train.csv");
    let (test, _) = table("d_test.csv");
    let train = TrainSet { x: x.view(), y: &y, weights: None };
    let fits = fit_grid(&Svm, train, test.view(), variants, &FitContext::new(1)).unwrap();
    (fits.into_iter().map(Result::unwrap).collect(), sd(&y))
}

fn detail(fit: &Fit, name: &str) -> f64 {
    fit.details.iter().find(|d| d.0 == name).unwrap().1
}

/// `svm_C10_g0.2_e0.1_tol1e-8` and the like.
fn rbf_variant(model: &str) -> Option<(Params, bool)> {
    let rest = model.strip_prefix("svm_C")?;
    let (cost, rest) = rest.split_once("_g")?;
    let (gamma, rest) = rest.split_once("_e")?;
    let tight = rest.ends_with("_tol1e-8");
    let epsilon = rest.trim_end_matches("_tol1e-8");
    let tolerance = if tight { 1e-8 } else { 1e-3 };
    let number = |v: &str| v.parse::<f64>().unwrap();
    let params = Params::new()
        .with("cost", number(cost))
        .with("gamma", number(gamma))
        .with("epsilon", number(epsilon))
        .with("tolerance", tolerance);
    Some((params, tight))
}

#[test]
fn rbf_models_equal_e1071() {
    let expected = predictions("d_predictions.csv", ',');
    let models: Vec<(&String, Params, bool)> =
        expected.keys().filter_map(|m| rbf_variant(m).map(|(p, tight)| (m, p, tight))).collect();
    assert_eq!(models.len(), 16);
    let grid: Vec<Params> = models.iter().map(|m| m.1.clone()).collect();
    let (fits, sd) = fit_all(&grid);
    let info = fixture("d_model_info.csv");
    for ((model, _, tight), fit) in models.iter().zip(&fits) {
        assert!(fit.converged, "{model}");
        let far = furthest(&fit.predictions, &expected[*model]);
        // A thousandth of the target's deviation, for the twins solved to 1e-8. At 1e-3 libsvm itself is some tolerances away from the optimum.
        let bound = if *tight { 1e-3 * sd } else { 5e-3 * sd };
        assert!(far < bound, "{model}: {far:e} against {bound:e}");
        if *tight {
            let stated = |what: &str| -> f64 {
                let line = info.lines().find(|l| l.starts_with(&format!("{model},{what},"))).unwrap();
                line.rsplit(',').next().unwrap().parse().unwrap()
            };
            assert!((detail(fit, "support_vectors") - stated("nSV")).abs() <= 1.0, "{model}");
            assert!((detail(fit, "rho") - stated("rho")).abs() < 1e-3, "{model}");
            assert!(detail(fit, "gap") < 1e-8 && detail(fit, "relative_duality_gap") < 1e-7, "{model}");
        }
    }
}

#[test]
fn defaults_and_other_kernels_equal_e1071_at_its_default_tolerance() {
    let expected = predictions("d_predictions.csv", ',');
    let tight = Params::new().with("tolerance", 1e-6);
    let models = [
        ("svm_e1071_defaults", tight.clone()),
        ("svm_linear", tight.clone().with("kernel", "linear")),
        ("svm_polynomial", tight.clone().with("kernel", "polynomial")),
        ("svm_sigmoid", tight.with("kernel", "sigmoid")),
    ];
    let grid: Vec<Params> = models.iter().map(|m| m.1.clone()).collect();
    let (fits, sd) = fit_all(&grid);
    for ((model, _), fit) in models.iter().zip(&fits) {
        let far = furthest(&fit.predictions, &expected[*model]);
        println!("{model}: {:e} sd(y), converged {}", far / sd, fit.converged);
        assert!(fit.converged, "{model}: {:?}", fit.details);
        assert!(far < 5e-3 * sd, "{model}: {far:e}");
    }
}

#[test]
fn nu_and_all_kernels_equal_e1071_at_a_tight_tolerance() {
    let expected = predictions("svm_e1071.csv", ';');
    assert_eq!(expected.len(), 20);
    let grid: Vec<Params> = expected.keys().map(|m| parse(m).with("tolerance", 1e-6)).collect();
    let (fits, sd) = fit_all(&grid);
    for ((model, expected), fit) in expected.iter().zip(&fits) {
        let far = furthest(&fit.predictions, expected);
        println!("{model}: {:e} sd(y), converged {}, {:?}", far / sd, fit.converged, fit.details);
        assert!(fit.converged, "{model}: {:?}", fit.details);
        assert!(far < 1e-3 * sd, "{model}: {far:e}");
    }
}
