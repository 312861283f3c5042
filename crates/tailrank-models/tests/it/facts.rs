//! Facts beside predictions, where they follow from the data by hand, and what a change of unit leaves alone.

use tailrank_models::{Fit, FitContext, Matrix, Params, TrainSet, family, fit_grid};

fn fit(name: &str, x: &Matrix, y: &[f64], variant: Params) -> Fit {
    let fits = fit_grid(
        family(name, None).unwrap(),
        TrainSet::new(x.view(), y),
        x.view(),
        &[variant],
        &FitContext::new(3),
    );
    fits.unwrap().remove(0).unwrap()
}

fn fact(fit: &Fit, name: &str) -> f64 {
    fit.details.iter().find(|d| d.0 == name).unwrap().1
}

/// Four inputs at right angles, y = 8·x1 + 4·x2 + x3: a lasso takes from each slope what its penalty says, or
/// all of it.
#[test]
fn a_lasso_counts_the_inputs_it_keeps() {
    let signs = |i: usize, bits: usize| if (i & bits).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    let values = (0..16).flat_map(|i| [1, 2, 4, 8].map(|bit| signs(i, bit))).collect();
    let x = Matrix::new(16, 4, values).unwrap();
    let y: Vec<f64> = x.view().iter_rows().map(|r| 8.0 * r[0] + 4.0 * r[1] + r[2]).collect();
    let kept = |lambda: f64| {
        let variant = Params::new().with("penalty", "lasso").with("lambda", lambda);
        fact(&fit("linear", &x, &y, variant), "nonzero")
    };
    assert_eq!([kept(0.01), kept(2.0), kept(6.0), kept(1e6)], [3.0, 2.0, 1.0, 0.0]);
}

/// The first row alone has a target, far from the others. Trees that did not see it say 0 there and
/// elsewhere, the others are right about all the rest: the out-of-bag error is that of one row in 21.
#[test]
fn every_row_counts_out_of_bag() {
    let rows: Vec<[f64; 1]> = (0..21).map(|i| [if i == 0 { 1000.0 } else { f64::from(i) }]).collect();
    let x = Matrix::from_rows(&rows).unwrap();
    let y: Vec<f64> = (0..21).map(|i| if i == 0 { 42.0 } else { 0.0 }).collect();
    let fit = fit("forest", &x, &y, Params::new().with("trees", 200).with("node_size", 1));
    assert!((fact(&fit, "oob_mse") - 42.0 * 42.0 / 21.0).abs() < 1e-12, "{:?}", fit.details);
}

/// Trees, neighbours and lines do not know in which unit the target is: a power of two goes through to the
/// last bit.
#[test]
fn another_unit_of_the_target_is_another_unit_of_predictions() {
    let rows: Vec<[f64; 2]> = (0..80).map(|i| [f64::from(i * 37 % 80), f64::from(i * 11 % 23)]).collect();
    let x = Matrix::from_rows(&rows).unwrap();
    let y: Vec<f64> = rows.iter().map(|r| (r[0] / 9.0).sin() + 0.1 * r[1]).collect();
    for name in ["cart", "forest", "boost", "knn"] {
        let plain = fit(name, &x, &y, Params::new()).predictions;
        assert!(plain.iter().any(|p| *p != plain[0]), "{name}");
        for unit in [2f64.powi(60), 2f64.powi(-60)] {
            let scaled: Vec<f64> = y.iter().map(|v| v * unit).collect();
            let got = fit(name, &x, &scaled, Params::new()).predictions;
            let expected: Vec<f64> = plain.iter().map(|p| p * unit).collect();
            assert_eq!(got, expected, "{name} in units of {unit:e}");
        }
    }
}

#[test]
fn no_rows_have_no_columns() {
    let none: [[f64; 3]; 0] = [];
    let matrix = Matrix::from_rows(&none).unwrap();
    assert_eq!((matrix.view().rows(), matrix.view().cols()), (0, 0));
}
