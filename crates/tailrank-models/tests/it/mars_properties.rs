//! What holds for every MARS fit: independence of the grid, of threads, of memory and of the order of test
//! rows.

use proptest::prelude::*;
use tailrank_models::{
    Cancel, Fit, FitContext, Matrix, ModelError, Params, TrainSet, fit_grid,
    mars::{Mars, MarsFamily, MarsModel},
};

fn fit_one(params: Params, x: &Matrix, y: &[f64]) -> Result<MarsModel, ModelError> {
    Mars::new(&params)?.fit(TrainSet::new(x.view(), y), &FitContext::new(0))
}

/// A table with a kink, a product and ties, made by a small generator.
fn table(rows: usize, inputs: usize, seed: u64) -> (Matrix, Vec<f64>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let data: Vec<f64> = (0..rows * inputs).map(|_| (uniform() * 40.0).round() / 10.0 - 2.0).collect();
    let y = data
        .chunks_exact(inputs)
        .map(|r| (r[0] - 0.3).max(0.0) + r[0] * r[inputs - 1] * 0.5 + (r[inputs / 2] * 2.0).sin() + uniform())
        .collect();
    (Matrix::new(rows, inputs, data).unwrap(), y)
}

fn grid(degree: i64) -> Vec<Params> {
    let pairs = [-1.0, 1.0, 2.0, 40.0].into_iter().flat_map(|p| [0.05, 0.001, 0.0].map(|t| (p, t)));
    pairs
        .map(|(p, t)| Params::new().with("penalty", p).with("threshold", t).with("degree", degree))
        .chain([Params::new().with("degree", degree), Params::new().with("prune", false)])
        .collect()
}

fn fit(x: &Matrix, y: &[f64], variants: &[Params], context: &FitContext) -> Vec<Fit> {
    let train = TrainSet::new(x.view(), y);
    let fits = fit_grid(&MarsFamily, train, x.view(), variants, context).unwrap();
    fits.into_iter().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Few rows bring in the GCV brake, which alone lets penalties touch the forward pass.
    #[test]
    fn a_variant_does_not_see_its_grid(rows in 4usize..80, inputs in 1usize..5, degree in 1i64..4, seed: u64) {
        let (x, y) = table(rows, inputs, seed);
        let context = FitContext::new(1);
        let together = fit(&x, &y, &grid(degree), &context);
        for (variant, shared) in grid(degree).iter().zip(&together) {
            prop_assert_eq!(&fit(&x, &y, std::slice::from_ref(variant), &context)[0], shared, "{}", variant);
        }
    }

    #[test]
    fn memory_does_not_change_the_answer(rows in 20usize..80, seed: u64) {
        let (x, y) = table(rows, 3, seed);
        let plenty = FitContext::new(1);
        let scarce = FitContext { memory_bytes: 1000, ..plenty.clone() };
        prop_assert_eq!(fit(&x, &y, &grid(2), &plenty), fit(&x, &y, &grid(2), &scarce));
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let (x, y) = table(400, 6, 5);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&x, &y, &grid(2), &FitContext::new(1)))
    };
    let one = on(1);
    assert!([2, 7].into_iter().all(|threads| on(threads) == one));
}

#[test]
fn test_rows_in_any_order() {
    let (x, y) = table(200, 4, 9);
    let model = fit_one(Params::new().with("degree", 2), &x, &y).unwrap();
    let reversed: Vec<&[f64]> = (0..200).rev().map(|i| x.view().row(i)).collect();
    let mut predictions = model.predict_rows(Matrix::from_rows(&reversed).unwrap().view()).unwrap();
    predictions.reverse();
    assert_eq!(predictions, model.predict_rows(x.view()).unwrap());
}

/// Works, or says what is wrong; every degree, pruned and not.
#[test]
fn awkward_data() {
    let (x, y) = table(60, 3, 2);
    let rows: Vec<Vec<f64>> = x.view().iter_rows().map(<[f64]>::to_vec).collect();
    let change =
        |f: &dyn Fn(&[f64]) -> Vec<f64>| Matrix::from_rows(&rows.iter().map(|r| f(r)).collect::<Vec<_>>());
    let constant = change(&|r| vec![r[0], 5.0, 5.0]).unwrap();
    let copies = change(&|r| vec![r[0], r[0], r[0], -r[0], 2.0 * r[0]]).unwrap();
    let tiny = change(&|r| r.iter().map(|v| v * 1e-200).collect()).unwrap();
    let large = change(&|r| r.iter().map(|v| v * 1e100).collect()).unwrap();
    let offset = change(&|r| r.iter().map(|v| v + 1e9).collect()).unwrap();
    let one_row = Matrix::from_rows(&rows[..1]).unwrap();
    let (wide, wide_y) = table(6, 40, 3);
    let flat = vec![2.5; 60];
    let huge_y: Vec<f64> = y.iter().map(|v| v * 1e150).collect();
    let cases: [(&str, &Matrix, &[f64]); 9] = [
        ("constant", &constant, &y),
        ("copies", &copies, &y),
        ("tiny", &tiny, &y),
        ("large", &large, &y),
        ("offset", &offset, &y),
        ("one row", &one_row, &y[..1]),
        ("wide", &wide, &wide_y),
        ("flat target", &x, &flat),
        ("huge target", &x, &huge_y),
    ];
    for (name, x, y) in cases {
        for degree in 1..=3 {
            for prune in [true, false] {
                let model = fit_one(Params::new().with("degree", degree).with("prune", prune), x, y);
                let model = model.unwrap_or_else(|e| panic!("{name}: {e}"));
                let fitted = model.predict_rows(x.view()).unwrap();
                let scale = y.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
                // Least squares with an intercept never leaves more than the spread of the target.
                let rss: f64 = fitted.iter().zip(y).map(|(f, y)| ((f - y) / scale).powi(2)).sum();
                let mean = y.iter().sum::<f64>() / y.len() as f64;
                let spread: f64 = y.iter().map(|v| ((v - mean) / scale).powi(2)).sum();
                assert!(rss <= spread * (1.0 + 1e-9) + 1e-18, "{name}, degree {degree}: {rss} {spread}");
            }
        }
    }
}

#[test]
fn squares_that_overflow_are_named() {
    let (x, y) = table(30, 2, 4);
    let overflow = Matrix::new(30, 2, x.view().as_slice().iter().map(|v| v * 1e200).collect()).unwrap();
    let err = fit_one(Params::new(), &overflow, &y).unwrap_err();
    assert_eq!(err.to_string(), "mars: the squares of input 1 overflow; rescale it");
    let y: Vec<f64> = y.iter().map(|v| v * 1e200).collect();
    let err = fit_one(Params::new(), &x, &y).unwrap_err();
    assert_eq!(err.to_string(), "mars: the squares of the target overflow; rescale it");
}

#[test]
fn bad_settings_are_named() {
    let (x, y) = table(30, 2, 4);
    let message = |mars: Params| fit_one(mars, &x, &y).unwrap_err().to_string();
    assert_eq!(
        message(Params::new().with("degree", 0)),
        "mars: degree = 0 is not allowed: use a whole number from 1 to 100"
    );
    assert_eq!(
        message(Params::new().with("threshold", -0.1)),
        "mars: threshold = -0.1 is not allowed: use a number at least 0"
    );
    assert_eq!(
        message(Params::new().with("penalty", f64::NAN)),
        "mars: penalty = NaN is not allowed: use a number at least -1"
    );
    let model = fit_one(Params::new(), &x, &y).unwrap();
    let narrow = Matrix::new(1, 1, vec![0.0]).unwrap();
    let err = model.predict_rows(narrow.view()).unwrap_err();
    assert_eq!(err.to_string(), "data: the model was fitted on 2 inputs, got 1");
}

#[test]
fn a_cancelled_fit_stops() {
    let (x, y) = table(100, 3, 4);
    let cancel = Cancel::default();
    cancel.cancel();
    let context = FitContext { cancel, ..FitContext::new(1) };
    let train = TrainSet::new(x.view(), &y);
    let fits = fit_grid(&MarsFamily, train, x.view(), &[Params::new()], &context).unwrap();
    assert_eq!(fits[0], Err(ModelError::Cancelled));
}

/// Friedman (1991, section 3.6): a knot costs 3 where terms may be products, 2 in an additive model; here by
/// the parts of GCV.
#[test]
fn a_knot_costs_three_where_terms_may_be_products() {
    let (x, y) = table(60, 3, 5);
    let model = |params: Params| fit_one(params, &x, &y).unwrap();
    for (degree, penalty, other) in [(1, 2.0, 3.0), (2, 3.0, 2.0), (3, 3.0, 2.0)] {
        let own = model(Params::new().with("degree", degree));
        let (n, terms) = (60.0, own.terms.len() as f64 - 1.0);
        let cost = 1.0 + terms + penalty * terms / 2.0;
        let gcv = own.rss / n / (1.0 - cost / n).powi(2);
        assert!((own.gcv - gcv).abs() <= 1e-12 * gcv, "degree {degree}: {} {gcv}", own.gcv);
        assert_eq!(
            own,
            model(Params::new().with("degree", degree).with("penalty", penalty)),
            "degree {degree}"
        );
        assert_ne!(own.gcv, model(Params::new().with("degree", degree).with("penalty", other)).gcv);
    }
}
