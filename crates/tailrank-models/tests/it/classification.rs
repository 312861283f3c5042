//! Monte Carlo Sampling and the decision tree on examples small enough to know the answer.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tailrank_metrics::classification::BinaryCounts;
use tailrank_models::{
    FitContext, Matrix, ModelError,
    classification::{ClassSet, Criterion, DecisionTree, MonteCarloSampling, Prototypes, Search},
};

const CRITERIA: [Criterion; 4] = [Criterion::Accuracy, Criterion::F, Criterion::NegativeF, Criterion::Oarp];

fn search(x: &Matrix, positive: &[bool], candidates: usize, prototypes: Prototypes, seed: u64) -> Search {
    let sampling = MonteCarloSampling { candidates, prototypes };
    let train = ClassSet::new(x.view(), positive).unwrap();
    sampling.search(train, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

/// Five negatives left, two positives right, and one negative far right: only its own kind can stand for it.
fn toy() -> (Matrix, [bool; 8]) {
    let x = Matrix::from_rows(&[[0.0], [0.05], [0.1], [0.2], [0.3], [0.6], [0.7], [1.0]]).unwrap();
    (x, [false, false, false, false, false, true, true, false])
}

#[test]
fn the_right_candidate_of_the_toy_is_found() {
    let (x, positive) = toy();
    let search = search(&x, &positive, 200, Prototypes::Instances, 3);
    // 6 × 2 pairs. A negative prototype on the left gets 7 of 8 right; 1.0 as negative prototype gets all the
    // left wrong.
    for by in CRITERIA {
        let best = search.candidate(search.best(by));
        assert!(best.negative[0] <= 0.3, "{by:?} chose {best:?}");
        assert_eq!(search.counts()[search.best(by)], BinaryCounts { tp: 2, fp: 1, tn: 5, fn_: 0 }, "{by:?}");
    }
    // Every pair is met, and what a pair gets right does not depend on when it was drawn.
    let bits = |i| (search.candidate(i).negative[0].to_bits(), search.candidate(i).positive[0].to_bits());
    let pairs: BTreeSet<(u64, u64)> = (0..200).map(bits).collect();
    assert_eq!(pairs.len(), 12);
}

#[test]
fn of_equal_candidates_the_first_drawn_is_chosen() {
    let (x, positive) = toy();
    let search = search(&x, &positive, 200, Prototypes::Instances, 3);
    for by in CRITERIA {
        let best = search.best(by);
        let top = by.value(&search.counts()[best]);
        assert!(search.counts().iter().all(|c| by.value(c) <= top));
        assert!(search.counts()[..best].iter().all(|c| by.value(c) < top));
        assert!(search.counts()[best + 1..].iter().any(|c| by.value(c) == top), "{by:?} has no tie to break");
    }
}

#[test]
fn criteria_disagree_where_the_paper_says() {
    // OARP11 Table 1: equal accuracy, and OARP prefers the one that finds the small class.
    let a = BinaryCounts { tp: 95, fp: 5, tn: 0, fn_: 0 };
    let b = BinaryCounts { tp: 90, fp: 0, tn: 5, fn_: 5 };
    assert_eq!(Criterion::Accuracy.value(&a), Criterion::Accuracy.value(&b));
    assert_eq!(
        format!("{:.6} {:.6}", Criterion::Oarp.value(&a), Criterion::Oarp.value(&b)),
        "0.850000 0.934545"
    );
}

#[test]
fn a_row_between_both_prototypes_is_negative() {
    let x = Matrix::from_rows(&[[0.0, 0.0], [0.4, 0.8]]).unwrap();
    let search = search(&x, &[false, true], 1, Prototypes::Instances, 1);
    let middle = Matrix::from_rows(&[[0.2, 0.4], [0.6, 0.2], [0.2, 0.41], [0.21, 0.39]]).unwrap();
    // The first two are as far from either; then just beyond, and just before the middle.
    assert_eq!(search.candidate(0).predict(middle.view()).unwrap(), [false, false, true, false]);
}

#[test]
fn uniform_prototypes_fill_the_unit_cube() {
    let (x, positive) = toy();
    let search = search(&x, &positive, 2000, Prototypes::Uniform, 3);
    let all: Vec<f64> =
        (0..2000).flat_map(|i| [search.candidate(i).negative[0], search.candidate(i).positive[0]]).collect();
    assert!(all.iter().all(|v| (0.0..1.0).contains(v)));
    for tenth in 0..10 {
        let inside = all.iter().filter(|v| (**v * 10.0) as usize == tenth).count();
        assert!((320..480).contains(&inside), "{inside} of 4000 in tenth {tenth}");
    }
}

#[test]
fn leaves_with_as_many_rows_of_either_class_are_negative_every_time() {
    // Every leaf is even, whatever the split: without a rule of its own the tree would flip a coin for each.
    let rows: Vec<[f64; 1]> = (0..32).map(|i| [f64::from(i / 2) / 16.0]).collect();
    let x = Matrix::from_rows(&rows).unwrap();
    let positive: Vec<bool> = (0..32).map(|i| i % 2 == 1).collect();
    let train = ClassSet::new(x.view(), &positive).unwrap();
    let tree = DecisionTree { max_depth: 4, min_leaf: 2 };
    for _ in 0..20 {
        let said = tree.fit_predict(train, x.view()).unwrap();
        assert_eq!(said, [false; 32]);
    }
}

#[test]
fn the_least_leaf_counts_rows_of_both_classes() {
    let x = Matrix::from_rows(&[[0.1], [0.2], [0.3], [0.4], [0.8], [0.9]]).unwrap();
    let positive = [false, false, false, false, true, true];
    let train = ClassSet::new(x.view(), &positive).unwrap();
    let said = |min_leaf| DecisionTree { max_depth: 3, min_leaf }.fit_predict(train, x.view()).unwrap();
    assert_eq!(said(2), positive);
    // Leaves of three: the right one holds 0.4 too; its majority is still positive.
    assert_eq!(said(3), [false, false, false, true, true, true]);
}

#[test]
fn unusable_data_is_refused() {
    let tree = DecisionTree { max_depth: 2, min_leaf: 1 };
    let x = Matrix::from_rows(&[[0.0], [1.0]]).unwrap();
    let wide = Matrix::from_rows(&[[0.0, 1.0]]).unwrap();
    let nan = Matrix::from_rows(&[[f64::NAN]]).unwrap();
    let try_on = |positive: &[bool], test: &Matrix| {
        let train = ClassSet { x: x.view(), positive };
        tree.fit_predict(train, test.view()).unwrap_err().to_string()
    };
    let one_class = "data: 0 negative and 2 positive training rows × 1 inputs: each must be at least 1";
    assert_eq!(try_on(&[true, true], &x), one_class);
    assert_eq!(try_on(&[false, true], &wide), "data: test rows have 2 inputs, training rows 1");
    assert_eq!(try_on(&[false, true], &nan), "data: input row 1, column 1 is NaN");
    let train = ClassSet::new(x.view(), &[false, true]).unwrap();
    assert_eq!(tree.fit_predict(train, x.view()).unwrap(), [false, true]);
    assert!(matches!(ClassSet::new(x.view(), &[true]), Err(ModelError::Data { .. })));
    assert!(matches!(ClassSet::new(nan.view(), &[true]), Err(ModelError::Data { .. })));
    let search = |train: ClassSet<'_>, candidates: usize| {
        let sampling = MonteCarloSampling { candidates, prototypes: Prototypes::Instances };
        sampling.search(train, &mut FitContext::new(1).rng("test", "", 0))
    };
    let both = ClassSet { x: x.view(), positive: &[true, true] };
    assert_eq!(search(both, 5).unwrap_err().to_string(), one_class);
    let found = search(train, 5).unwrap();
    let best = found.candidate(found.best(Criterion::Oarp));
    assert_eq!(best.predict(x.view()).unwrap(), [false, true]);
    assert_eq!(best.predict(wide.view()).unwrap_err().to_string(), "data: rows have 2 inputs, prototypes 1");
    let err = search(train, 0).unwrap_err();
    assert_eq!(err.to_string(), "Monte Carlo Sampling: candidates = 0 is not allowed: at least 1");
    let err = DecisionTree { max_depth: 0, min_leaf: 1 }.fit_predict(train, x.view()).unwrap_err();
    assert_eq!(err.to_string(), "decision tree: max_depth = 0 is not allowed: at least 1");
}

proptest! {
    #[test]
    fn counts_equal_predictions(
        values in proptest::collection::vec(0.0..1.0f64, 3 * 12),
        classes in proptest::collection::vec(any::<bool>(), 12),
        seed in 0..1000u64,
    ) {
        prop_assume!(classes.contains(&true) && classes.contains(&false));
        let x = Matrix::new(12, 3, values).unwrap();
        let train = ClassSet::new(x.view(), &classes).unwrap();
        for prototypes in [Prototypes::Instances, Prototypes::Uniform] {
            let search = search(&x, &classes, 11, prototypes, seed);
            prop_assert_eq!(search.counts_on(train).unwrap(), search.counts());
            for (i, counts) in search.counts().iter().enumerate() {
                let said = search.candidate(i).predict(x.view()).unwrap();
                prop_assert_eq!(*counts, BinaryCounts::new(&classes, &said).unwrap());
                if prototypes == Prototypes::Instances {
                    // A prototype is a row of its class, and is its own nearest.
                    let place = |p: &[f64]| x.view().iter_rows().position(|r| r == p).map(|r| classes[r]);
                    prop_assert_eq!(place(search.candidate(i).negative), Some(false));
                    prop_assert_eq!(place(search.candidate(i).positive), Some(true));
                    prop_assert!(counts.tp >= 1 && counts.tn >= 1);
                }
            }
        }
    }
}
