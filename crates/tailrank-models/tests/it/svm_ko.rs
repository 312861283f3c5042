//! The SVM rows of R's grid (e1071) on the bundled Coca-Cola quotes.

use crate::reference;

use reference::{coca_cola, r_grid};
use tailrank_models::{FitContext, Params, Svm, fit_grid};

#[test]
fn ko_grid_equals_r() {
    let (task, r) = (coca_cola(), r_grid("svm"));
    assert_eq!(r.rows.len(), 16);
    let variant = |i| Params::new().with("cost", r.number(i, "first")).with("gamma", r.number(i, "second"));
    let grid: Vec<Params> = (0..16).map(variant).collect();
    let fits = fit_grid(&Svm, task.train_set(), task.test.view(), &grid, &FitContext::new(1)).unwrap();
    println!("variant, MAD here, MAD in R, signals here, signals in R, support vectors here, in R");
    for (i, fit) in fits.into_iter().enumerate() {
        let fit = fit.unwrap();
        assert!(fit.converged, "{}", grid[i]);
        let [mad, _, signals] = task.scores(&fit.predictions);
        let support = fit.details.iter().find(|d| d.0 == "support_vectors").unwrap().1;
        let (r_mad, r_signals, r_support) =
            (r.number(i, "mad"), r.number(i, "signals"), r.number(i, "extra"));
        println!("{}, {mad:.8}, {r_mad:.8}, {signals}, {r_signals}, {support}, {r_support}", grid[i]);
        // libsvm's own stopping tolerance is worth about 1e-6.
        assert!((mad - r_mad).abs() < 2e-6, "{}: MAD {mad} against {r_mad}", grid[i]);
        assert!((signals - r_signals).abs() <= 2.0, "{}: {signals} signals against {r_signals}", grid[i]);
        // At its tolerance libsvm leaves a few points on either side of the tube's edge: 3 of 2722.
        assert!((support - r_support).abs() <= 10.0, "{}: {support} points against {r_support}", grid[i]);
    }
}
