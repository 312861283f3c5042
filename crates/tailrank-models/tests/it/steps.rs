//! What steps do to rows: where synthetic rows lie, how often rows are drawn, and what peers get wrong.

use crate::compare;
use crate::tasks;

use compare::assert_close;
use proptest::prelude::*;
use tailrank_models::{
    FitContext, Matrix, ModelError, Params, Result, TrainSet, family, fit_grid,
    steps::{Distance, Folds, Neighbours, Prepared, Recipe, Step, StepContext},
};
use tasks::Task;

/// Relevant from 1 on.
fn relevance(y: f64) -> f64 {
    y.clamp(0.0, 1.0)
}

fn step(entry: Params) -> Recipe {
    Recipe::new(vec![Step::parse(&entry).unwrap()]).unwrap()
}

fn resample(name: &str) -> Params {
    Params::new().with("resample", name)
}

/// Rows with targets 0 but for the last `rare`, which have targets 1, 1.01, ….
fn task(rows: usize, rare: usize, inputs: usize) -> (Matrix, Vec<f64>) {
    let x = Task::synthetic(rows, inputs, 1).x;
    let y = (0..rows)
        .map(|i| if i + rare < rows { 0.0 } else { 1.0 + 0.01 * (i + rare - rows) as f64 })
        .collect();
    (x, y)
}

fn prepare(recipe: &Recipe, x: &Matrix, y: &[f64], seed: u64) -> Result<(Matrix, Vec<f64>, Vec<[usize; 2]>)> {
    let context = StepContext { relevance: Some(&relevance), ..StepContext::new(TrainSet::new(x.view(), y)) };
    let prepared = recipe.prepare(&context, &FitContext::new(seed))?;
    let set = &prepared[0];
    Ok((set.x().to_matrix(), set.y().to_vec(), set.parents.clone()))
}

#[test]
fn smote_rows_lie_between_their_parents_with_one_share() {
    let (x, y) = task(120, 25, 4);
    for entry in
        [resample("smote"), resample("smote").with("distance", "ubl").with("k", 2).with("recent", true)]
    {
        let (new_x, new_y, parents) = prepare(&step(entry), &x, &y, 3).unwrap();
        let mut made = 0;
        for (i, [a, b]) in parents.iter().copied().enumerate() {
            let (from, to) = (x.view().row(a), x.view().row(b));
            if a == b {
                assert_eq!((new_x.view().row(i), new_y[i]), (from, y[a]));
                continue;
            }
            made += 1;
            assert!(y[a] >= 1.0 && y[b] >= 1.0, "both parents are rare");
            let share = (new_y[i] - y[a]) / (y[b] - y[a]);
            assert!((-1e-9..=1.0 + 1e-9).contains(&share));
            for j in 0..4 {
                let want = from[j] + share * (to[j] - from[j]);
                assert!((new_x.view().at(i, j) - want).abs() < 1e-10, "row {i}, input {j}");
            }
        }
        // 60/25 − 2 is a hair below 0.4: nine more seeds in the last round, as in UBL.
        assert_eq!(made, 25 + 9);
    }
}

#[test]
fn a_smote_parent_is_one_of_the_k_nearest_and_each_equally_often() {
    // One input, rare rows at 0, 1, 3, 7, 15, …: neighbours are known.
    let places: Vec<f64> = (0..6).map(|i| f64::from((1 << i) - 1)).collect();
    let x = Matrix::new(406, 1, vec![-5.0; 400].into_iter().chain(places).collect()).unwrap();
    let y: Vec<f64> = (0..406).map(|i| if i < 400 { 0.0 } else { 1.0 }).collect();
    let recipe = step(resample("smote").with("k", 3).with("share", 2000.0).with("limit", 1e6));
    let (_, _, parents) = prepare(&recipe, &x, &y, 5).unwrap();
    // The row at 7 (403) has the neighbours 3, 1 and 0 (402, 401, 400); 15 lies at 8.
    let of: Vec<usize> = parents.iter().filter(|p| p[0] == 403 && p[1] != 403).map(|p| p[1]).collect();
    assert_eq!(of.len(), 2000);
    chi_square(&[400, 401, 402].map(|row| of.iter().filter(|&&o| o == row).count()), &[1.0; 3]);
}

/// Fails where counts are not in proportion to weights (χ², a thousandth).
#[track_caller]
fn chi_square(counts: &[usize], weights: &[f64]) {
    let (n, total) = (counts.iter().sum::<usize>() as f64, weights.iter().sum::<f64>());
    let statistic: f64 = counts
        .iter()
        .zip(weights)
        .map(|(c, w)| {
            let want = n * w / total;
            (*c as f64 - want).powi(2) / want
        })
        .sum();
    // Wilson & Hilferty's approximation of the quantile at 0.999.
    let df = (counts.len() - 1) as f64;
    let limit = df * (1.0 - 2.0 / (9.0 * df) + 3.09 * (2.0 / (9.0 * df)).sqrt()).powi(3);
    assert!(statistic < limit, "χ² = {statistic} on {df} degrees of freedom: {counts:?}");
}

fn counts(parents: &[[usize; 2]], rows: usize) -> Vec<usize> {
    let mut counts = vec![0; rows];
    parents.iter().for_each(|p| counts[p[0]] += 1);
    counts
}

#[test]
fn draws_have_the_frequencies_they_claim() {
    // Over: each of 20 rare rows is copied as often as another; under `recent` by i/r.
    let (x, y) = task(60, 20, 1);
    for (recent, weights) in [(false, vec![1.0; 20]), (true, (1..=20).map(f64::from).collect::<Vec<_>>())] {
        let recipe = step(resample("over").with("share", 500.0).with("limit", 1e6).with("recent", recent));
        let (_, _, parents) = prepare(&recipe, &x, &y, 8).unwrap();
        let copies = counts(&parents[60..], 60);
        assert_eq!(copies.iter().sum::<usize>(), 10_000);
        assert!(copies[..40].iter().all(|c| *c == 0));
        chi_square(&copies[40..], &weights);
    }
    // Under: each normal row is kept as often as another, over many seeds.
    let mut kept = vec![0; 60];
    for seed in 0..600 {
        let (_, _, parents) = prepare(&step(resample("under")), &x, &y, seed).unwrap();
        parents.iter().for_each(|p| kept[p[0]] += 1);
    }
    assert!(kept[40..].iter().all(|k| *k == 600), "every rare row stays");
    assert_eq!(kept[..40].iter().sum::<usize>(), 600 * 20);
    chi_square(&kept[..40], &[1.0; 40]);
    // Under, recent: the first of a weighted draw without replacement goes by the weights; ask for one row.
    let mut first = vec![0; 40];
    for seed in 0..4000 {
        let recipe = step(resample("under").with("share", 0.026).with("recent", true));
        let (_, _, parents) = prepare(&recipe, &x, &y, seed).unwrap();
        assert_eq!(parents.len(), 21);
        first[parents[0][0]] += 1;
    }
    chi_square(&first, &(1..=40).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn wercs_adds_by_relevance_and_takes_away_by_the_lack_of_it() {
    let n = 50;
    let x = Task::synthetic(n, 1, 1).x;
    let y: Vec<f64> = (0..n).map(|i| (i + 1) as f64 / 60.0).collect();
    let phi: Vec<f64> = y.iter().map(|y| relevance(*y)).collect();
    let recipe = step(resample("wercs").with("over", 400.0).with("under", 0.001).with("limit", 1e6));
    let (_, _, parents) = prepare(&recipe, &x, &y, 2).unwrap();
    assert_eq!(parents.len(), n + 400 * n);
    chi_square(&counts(&parents[n..], n), &phi);
    // One draw by 1 − φ takes one row away.
    let mut gone = vec![0; n];
    for seed in 0..4000 {
        let recipe = step(resample("wercs").with("over", 0.001).with("under", 0.02));
        let (_, _, parents) = prepare(&recipe, &x, &y, seed).unwrap();
        let kept = counts(&parents, n);
        gone.iter_mut().zip(kept).for_each(|(g, k)| *g += 1 - k);
    }
    assert_eq!(gone.iter().sum::<usize>(), 4000);
    chi_square(&gone, &phi.iter().map(|p| 1.0 - p).collect::<Vec<_>>());
}

#[test]
fn noise_has_the_size_pert_asks_for() {
    let (x, y) = task(400, 60, 3);
    let spread = |of: &dyn Fn(usize) -> f64, rows: std::ops::Range<usize>| {
        let n = rows.len() as f64;
        let mean = rows.clone().map(of).sum::<f64>() / n;
        (rows.map(|i| (of(i) - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
    };
    for pert in [0.1, 0.01, 2.0] {
        let entry = resample("noise").with("pert", pert).with("share", 100.0).with("limit", 1e6);
        let (new_x, new_y, parents) = prepare(&step(entry), &x, &y, 4).unwrap();
        let new = 400..parents.len();
        assert_eq!(new.len(), 6000);
        for j in 0..3 {
            let noise = spread(&|i| new_x.view().at(i, j) - x.view().at(parents[i][0], j), new.clone());
            let want = pert * spread(&|i| x.view().at(i, j), 340..400);
            assert!((noise / want - 1.0).abs() < 0.05, "{pert}: {noise} {want}");
        }
        let noise = spread(&|i| new_y[i] - y[parents[i][0]], new.clone());
        assert!((noise / (pert * spread(&|i| y[i], 340..400)) - 1.0).abs() < 0.05);
    }
}

#[test]
fn smogn_goes_between_near_neighbours_and_adds_noise_to_the_rest() {
    // Two clusters of rare rows: within one the neighbour is near, and a row alone has no near one.
    let mut places: Vec<f64> = (0..10).map(|i| 0.01 * f64::from(i)).collect();
    places.extend((0..10).map(|i| 100.0 + 0.01 * f64::from(i)));
    places.push(50.0);
    let x = Matrix::new(221, 1, vec![0.5; 200].into_iter().chain(places).collect()).unwrap();
    let y: Vec<f64> = (0..221).map(|i| if i < 200 { 0.0 } else { 1.0 + 0.001 * f64::from(i) }).collect();
    let entry = resample("smogn").with("share", 20.0).with("pert", 0.001).with("limit", 100);
    let (_, _, parents) = prepare(&step(entry.clone()), &x, &y, 6).unwrap();
    for p in &parents[221..] {
        if p[0] == 220 {
            assert_eq!(p[0], p[1], "the lonely row gets noise");
        } else {
            assert!(p[0] != p[1] && (p[0] < 210) == (p[1] < 210), "{p:?} are in one cluster");
        }
    }
    // `pert` is heeded: noise of the lonely row is small against the bump's spread of 50.
    let (new_x, _, parents) = prepare(&step(entry), &x, &y, 7).unwrap();
    let noisy: Vec<f64> =
        (221..parents.len()).filter(|&i| parents[i] == [220, 220]).map(|i| new_x.view().at(i, 0)).collect();
    assert!(!noisy.is_empty());
    assert_close("noise of the lonely row", &noisy, &vec![50.0; noisy.len()], 1.0);
}

#[test]
fn recent_smote_takes_the_latest_neighbour_whatever_the_order_of_rows() {
    let (x, y) = task(80, 12, 2);
    // Time runs against the order of the rows.
    let times: Vec<i64> = (0..80).map(|i| 1000 - i).collect();
    let context = StepContext {
        relevance: Some(&relevance),
        times: Some(&times),
        ..StepContext::new(TrainSet::new(x.view(), &y))
    };
    let recipe = step(resample("smote").with("recent", true).with("k", 11));
    let prepared = recipe.prepare(&context, &FitContext::new(1)).unwrap();
    let made: Vec<_> = prepared[0].parents.iter().filter(|p| p[0] != p[1]).collect();
    assert!(!made.is_empty());
    // With k = all others the latest is row 68, or 69 for row 68 itself.
    assert!(made.iter().all(|p| p[1] == if p[0] == 68 { 69 } else { 68 }));
}

// What peers get wrong.

#[test]
fn one_rare_row_is_not_copied_by_the_thousand() {
    // UBL makes 5001 copies of it.
    let (x, y) = task(10_000, 1, 2);
    for name in ["over", "smote", "noise", "smogn"] {
        let message = prepare(&step(resample(name)), &x, &y, 1).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{name}: the only rare row has no other")), "{message}");
    }
    // With another rare bump the single row is left alone, and that is said.
    let mut y = y;
    (0..20).for_each(|i| y[i] = -1.0 - 0.01 * i as f64);
    let both = |y: f64| y.abs().min(1.0);
    let context = StepContext { relevance: Some(&both), ..StepContext::new(TrainSet::new(x.view(), &y)) };
    for name in ["over", "smote", "noise", "smogn"] {
        let prepared = step(resample(name)).prepare(&context, &FitContext::new(1)).unwrap();
        let set: &Prepared = &prepared[0];
        assert_eq!((set.single_rows, set.parents.iter().filter(|p| p[0] == 9999).count()), (1, 1), "{name}");
    }
}

#[test]
fn bumps_of_two_and_three_rows_work() {
    for rare in [2, 3] {
        let (x, y) = task(200, rare, 2);
        for name in ["over", "smote", "noise", "smogn", "under", "wercs", "bag"] {
            let (new_x, new_y, _) = prepare(&step(resample(name)), &x, &y, 1).unwrap();
            assert!(new_x.view().as_slice().iter().chain(&new_y).all(|v| v.is_finite()), "{name}");
            assert!(new_y.iter().any(|y| *y > 0.5), "{name}");
        }
    }
}

#[test]
fn extreme_never_leaves_normal_rows_out() {
    let (x, y) = task(2000, 2, 1);
    for name in ["under", "smote", "smogn"] {
        let Err(error) = prepare(&step(resample(name).with("share", "extreme")), &x, &y, 1) else {
            panic!("{name} is not refused");
        };
        assert!(error.to_string().contains("would leave no normal row"), "{name}: {error}");
    }
}

#[test]
fn no_crossing_is_a_named_error() {
    let (x, y) = task(50, 0, 1);
    for name in ["under", "over", "smote", "noise", "smogn", "bag", "wercs"] {
        let message = prepare(&step(resample(name)), &x, &y, 1).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{name}: no rare row")), "{message}");
    }
    let none = StepContext::new(TrainSet::new(x.view(), &y));
    let message = step(resample("smote")).prepare(&none, &FitContext::new(1)).unwrap_err().to_string();
    assert!(message.starts_with("smote: needs a relevance function"), "{message}");
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    let (mut x, y) = task(50, 10, 2);
    let nan = |_: f64| f64::NAN;
    let context = StepContext { relevance: Some(&nan), ..StepContext::new(TrainSet::new(x.view(), &y)) };
    for name in ["smote", "weights", "wercs"] {
        let recipe = Recipe::named(name).unwrap();
        let message = recipe.prepare(&context, &FitContext::new(1)).unwrap_err().to_string();
        assert!(message.contains("the relevance of training row 1 is NaN"), "{message}");
    }
    x.as_mut_slice()[7] = f64::NAN;
    let message = prepare(&step(resample("smote")), &x, &y, 1).unwrap_err().to_string();
    assert_eq!(message, "data: training input row 4, column 2 is NaN");
    // Squares that overflow are said, not returned.
    let (mut x, y) = task(50, 10, 1);
    x.as_mut_slice().iter_mut().for_each(|v| *v *= 1e200);
    let message =
        prepare(&step(resample("smote").with("distance", "ubl")), &x, &y, 1).unwrap_err().to_string();
    assert!(message.contains("distances between rows overflow"), "{message}");
    assert!(prepare(&step(resample("smote")), &x, &y, 1).is_ok(), "standardised they do not");
}

#[test]
fn categories_stay_categories() {
    let n = 90;
    let codes: Vec<f64> = (0..2 * n).map(|i| f64::from(((i * 7 + i / 5) % 4) as u8)).collect();
    let x = Matrix::new(n, 2, codes).unwrap();
    let (_, y) = task(n, 15, 1);
    let categories = [0..1, 1..2];
    let context = StepContext {
        relevance: Some(&relevance),
        categories: &categories,
        ..StepContext::new(TrainSet::new(x.view(), &y))
    };
    for name in ["smote", "noise", "smogn"] {
        let prepared = step(resample(name)).prepare(&context, &FitContext::new(2)).unwrap();
        let set = &prepared[0];
        assert!(set.x().as_slice().iter().all(|v| [0.0, 1.0, 2.0, 3.0].contains(v)), "{name}");
        if name == "smote" {
            for (i, [a, b]) in set.parents.iter().enumerate() {
                for j in 0..2 {
                    assert!([x.view().at(*a, j), x.view().at(*b, j)].contains(&set.x().at(i, j)));
                }
            }
        }
    }
    let message =
        step(resample("smote").with("distance", "ubl")).prepare(&context, &FitContext::new(1)).unwrap_err();
    assert!(message.to_string().contains("use \"heom\""), "{message}");
}

/// One number, then a category of three levels and one of two, one input per level. A row of the second may
/// be none of them, as one whose level the training rows do not have.
fn one_hot(rows: usize) -> Matrix {
    let values = (0..rows).flat_map(|i| {
        let mut row = [(i as f64 * 0.7).sin(), 0.0, 0.0, 0.0, 0.0, 0.0];
        row[1 + (i * 5 + i / 4) % 3] = 1.0;
        if i % 9 > 0 {
            row[4 + (i * 3 + i / 7) % 2] = 1.0;
        }
        row
    });
    Matrix::new(rows, 6, values.collect()).unwrap()
}

/// A coin for each level on its own would give rows with two levels, or with none.
#[test]
fn one_hot_categories_stay_one_hot() {
    let x = one_hot(120);
    let (_, y) = task(120, 24, 1);
    let categories = [1..4, 4..6];
    let context = StepContext {
        relevance: Some(&relevance),
        categories: &categories,
        ..StepContext::new(TrainSet::new(x.view(), &y))
    };
    for name in ["smote", "noise", "smogn"] {
        let entry = resample(name).with("share", 30.0).with("limit", 100);
        let prepared = step(entry).prepare(&context, &FitContext::new(2)).unwrap();
        let (set, mut from_each) = (&prepared[0], [0, 0]);
        for (i, [a, b]) in set.parents.iter().copied().enumerate() {
            for category in &categories {
                let level = |m: &Matrix, row: usize| m.view().row(row)[category.clone()].to_vec();
                let found = set.x().row(i)[category.clone()].to_vec();
                assert!((0..120).any(|row| level(&x, row) == found), "{name}: {found:?} is not a level");
                assert!(found.iter().sum::<f64>() <= 1.0, "{name}: {found:?}");
                if name == "smote" && level(&x, a) != level(&x, b) {
                    let parents = [level(&x, a), level(&x, b)];
                    from_each[parents.iter().position(|p| *p == found).unwrap()] += 1;
                }
            }
        }
        if name == "smote" {
            assert!(from_each.iter().sum::<usize>() > 100);
            chi_square(&from_each, &[1.0; 2]);
        }
    }
}

/// Two levels differ by 1, whether they stand in one input or in several.
#[test]
fn heom_counts_a_category_once_however_it_is_coded() {
    let spread = one_hot(40);
    let codes: Vec<f64> = spread
        .view()
        .iter_rows()
        .flat_map(|r| [r[0], r[1] + 2.0 * r[2] + 3.0 * r[3], r[4] + 2.0 * r[5]])
        .collect();
    let coded = Matrix::new(40, 3, codes).unwrap();
    let find = |x: &Matrix, categories: &[std::ops::Range<usize>]| {
        Neighbours::find(x.view(), &[1.0; 6], categories, Distance::Heom, 6, false).unwrap()
    };
    let found = find(&spread, &[1..4, 4..6]);
    assert_eq!(found, find(&coded, &[1..2, 2..3]));
    assert_ne!(found, find(&spread, &[1..2, 2..3, 3..4, 4..5, 5..6]), "the test must be able to fail");
}

/// Categories that cannot be are refused by name.
#[test]
fn categories_beyond_the_inputs_are_refused() {
    let (x, y) = task(50, 10, 2);
    let categories = [1..3];
    let context = StepContext {
        relevance: Some(&relevance),
        categories: &categories,
        ..StepContext::new(TrainSet::new(x.view(), &y))
    };
    let message = Recipe::named("smote").unwrap().prepare(&context, &FitContext::new(1)).unwrap_err();
    assert!(message.to_string().contains("inputs 1..3 cannot be a category"), "{message}");
}

#[test]
fn the_limit_on_growth_binds_and_is_said() {
    let (x, y) = task(300, 10, 2);
    let context =
        StepContext { relevance: Some(&relevance), ..StepContext::new(TrainSet::new(x.view(), &y)) };
    for name in ["over", "smote", "noise", "smogn"] {
        let recipe = step(resample(name).with("share", 500.0).with("limit", 2.0));
        let prepared = recipe.prepare(&context, &FitContext::new(1)).unwrap();
        assert_eq!((prepared[0].y().len(), prepared[0].limited), (600, true), "{name}");
        let test = Task::synthetic(1, 2, 1).test;
        let fits = recipe
            .fit_grid(
                family("linear", None).unwrap(),
                &context,
                test.view(),
                &[Params::new()],
                &FitContext::new(1),
            )
            .unwrap();
        let details = &fits[0].as_ref().unwrap().details;
        assert!(details.contains(&("step_limited", 1.0)) && details.contains(&("step_rows", 600.0)));
    }
}

// Recipes as a whole.

#[test]
fn the_plain_recipe_is_the_family() {
    let task = Task::synthetic(80, 3, 20);
    let grid = [Params::new().with("trees", 5), Params::new().with("trees", 20)];
    let forest = family("forest", None).unwrap();
    let context = StepContext::new(task.train());
    let fit = FitContext::new(3);
    let recipe = Recipe::plain().fit_grid(forest, &context, task.test.view(), &grid, &fit).unwrap();
    assert_eq!(recipe, fit_grid(forest, task.train(), task.test.view(), &grid, &fit).unwrap());
}

#[test]
fn weights_and_resampled_rows_reach_the_family() {
    let (x, y) = task(120, 20, 3);
    let test = Task::synthetic(1, 3, 15).test;
    let context =
        StepContext { relevance: Some(&relevance), ..StepContext::new(TrainSet::new(x.view(), &y)) };
    let (linear, fit) = (family("linear", None).unwrap(), FitContext::new(9));
    for recipe in ["weights", "dense", "lds", "smote", "under"] {
        let recipe = Recipe::named(recipe).unwrap();
        let set = &recipe.prepare(&context, &fit).unwrap()[0];
        let grid = [Params::new()];
        let by_hand = fit_grid(linear, set.train_set(), test.view(), &grid, &fit).unwrap();
        let fits = recipe.fit_grid(linear, &context, test.view(), &grid, &fit).unwrap();
        assert_eq!(fits[0].as_ref().unwrap().predictions, by_hand[0].as_ref().unwrap().predictions);
        if let Some(weights) = set.weights() {
            assert_close("mean weight", &[weights.iter().sum::<f64>() / 120.0], &[1.0], 1e-12);
        }
    }
}

#[test]
fn bags_hold_rare_and_normal_rows_alike_and_are_averaged() {
    let (x, y) = task(101, 7, 2);
    let test = Task::synthetic(1, 2, 10).test;
    let context =
        StepContext { relevance: Some(&relevance), ..StepContext::new(TrainSet::new(x.view(), &y)) };
    let recipe = step(resample("bag").with("bags", 6));
    let fit = FitContext::new(4);
    let sets = recipe.prepare(&context, &fit).unwrap();
    assert_eq!(sets.len(), 6);
    let linear = family("linear", None).unwrap();
    let mut mean = vec![0.0; 10];
    for set in &sets {
        assert_eq!(set.y().len(), 101);
        assert_eq!(set.y().iter().filter(|y| **y >= 1.0).count(), 50);
        let one = fit_grid(linear, set.train_set(), test.view(), &[Params::new()], &fit).unwrap();
        mean.iter_mut().zip(&one[0].as_ref().unwrap().predictions).for_each(|(m, p)| *m += p / 6.0);
    }
    let fits = recipe.fit_grid(linear, &context, test.view(), &[Params::new()], &fit).unwrap();
    let found = fits[0].as_ref().unwrap();
    assert_close("bagged", &found.predictions, &mean, 1e-12);
    assert!(found.details.contains(&("bags", 6.0)));
}

/// Minus the mean squared error, of large targets only: rewards predictions far from the mean.
fn on_large(_: &str, truth: &[f64], predicted: &[f64]) -> Option<f64> {
    let errors: Vec<f64> =
        truth.iter().zip(predicted).filter(|(y, _)| **y > 0.8).map(|(y, p)| (y - p).powi(2)).collect();
    (!errors.is_empty()).then(|| -errors.iter().sum::<f64>() / errors.len() as f64)
}

#[test]
fn stretch_is_learned_from_training_rows_alone() {
    let task = Task::synthetic(150, 3, 30);
    let linear = family("linear", None).unwrap();
    let grid = [0.5, 2.0].map(|lambda| Params::new().with("penalty", "ridge").with("lambda", lambda));
    let context = StepContext {
        relevance: Some(&relevance),
        measure: Some(&on_large),
        ..StepContext::new(task.train())
    };
    let recipe = Recipe::named("stretch").unwrap();
    let fit = FitContext::new(2);
    let fits = recipe.fit_grid(linear, &context, task.test.view(), &grid, &fit).unwrap();
    let plain = fit_grid(linear, task.train(), task.test.view(), &grid, &fit).unwrap();
    let fact =
        |i: usize, name: &str| fits[i].as_ref().unwrap().details.iter().find(|d| d.0 == name).unwrap().1;
    let mean = task.y.iter().sum::<f64>() / 150.0;
    for i in 0..2 {
        let factor = fact(i, "stretch");
        assert!(factor > 1.0, "a ridge shrinks");
        let want: Vec<f64> =
            plain[i].as_ref().unwrap().predictions.iter().map(|p| mean + factor * (p - mean)).collect();
        assert_close("stretched", &fits[i].as_ref().unwrap().predictions, &want, 1e-12);
        assert!(fact(i, "calibration_slope") < 1.0, "exaggerated on purpose");
    }
    // Other test rows, other grids: the same maps.
    let other = Task::synthetic(150, 3, 7).test;
    let again = recipe.fit_grid(linear, &context, other.view(), &grid[1..], &fit).unwrap();
    let details = &again[0].as_ref().unwrap().details;
    assert!(details.contains(&("stretch", fact(1, "stretch"))));
    // A measure without an answer is a named reason, for each variant alone.
    let none = |_: &str, _: &[f64], _: &[f64]| None;
    let context = StepContext { measure: Some(&none), ..context };
    let fits = recipe.fit_grid(linear, &context, task.test.view(), &grid, &fit).unwrap();
    assert!(matches!(&fits[0], Err(ModelError::Step { step: "stretch", .. })));
}

#[test]
fn calibration_undoes_exaggeration() {
    let task = Task::synthetic(200, 3, 40);
    let context = StepContext {
        relevance: Some(&relevance),
        measure: Some(&on_large),
        ..StepContext::new(task.train())
    };
    let fit = FitContext::new(5);
    let cart = family("cart", None).unwrap();
    let slope = |names: &[&str]| {
        let recipe = Recipe::new(names.iter().map(|n| Step::named(n).unwrap()).collect()).unwrap();
        let fits = recipe.fit_grid(cart, &context, task.test.view(), &[Params::new()], &fit).unwrap();
        fits[0].as_ref().unwrap().details.iter().find(|d| d.0 == "calibration_slope").unwrap().1
    };
    let exaggerated = slope(&["stretch"]);
    assert!(exaggerated < 0.9, "{exaggerated}");
    // Isotonic regression on the same predictions has slope 1.
    assert_close("slope", &[slope(&["stretch", "calibrate"]), slope(&["calibrate"])], &[1.0, 1.0], 1e-9);
}

/// Of two rare bumps the one of a single row is not copied, and the fit says so; a decision after it is still
/// taken.
#[test]
fn a_lonely_rare_row_is_told_and_calibration_follows_resampling() {
    let task = Task::synthetic(120, 3, 20);
    let y: Vec<f64> = (0..120)
        .map(|i| {
            if i == 50 {
                -5.0
            } else if i % 6 == 0 {
                5.0
            } else {
                task.y[i] / 10.0
            }
        })
        .collect();
    let both_ends = |y: f64| (y.abs() / 5.0).min(1.0);
    let context =
        StepContext { relevance: Some(&both_ends), ..StepContext::new(TrainSet::new(task.x.view(), &y)) };
    let details = |steps: &[&str]| {
        let recipe = Recipe::new(steps.iter().map(|n| Step::named(n).unwrap()).collect()).unwrap();
        let linear = family("linear", None).unwrap();
        let fits = recipe
            .fit_grid(linear, &context, task.test.view(), &[Params::new()], &FitContext::new(5))
            .unwrap();
        fits[0].as_ref().unwrap().details.clone()
    };
    let fact =
        |details: &[(&'static str, f64)], name: &str| details.iter().find(|d| d.0 == name).map(|d| d.1);
    let over = details(&["over"]);
    assert_eq!((fact(&over, "single_rare_rows"), fact(&over, "calibration_slope")), (Some(1.0), None));
    // 20 rows of 5 and one of −5 beside 99 normal ones: each rare bump goes for half of those, 49 or 50
    // copies.
    assert!((169.0..=170.0).contains(&fact(&over, "step_rows").unwrap()), "{over:?}");
    let weighed = details(&["weights"]);
    assert_eq!((fact(&weighed, "single_rare_rows"), fact(&weighed, "step_rows")), (None, Some(120.0)));
    let calibrated = details(&["over", "calibrate"]);
    assert_close("slope", &[fact(&calibrated, "calibration_slope").unwrap()], &[1.0], 1e-9);
}

#[test]
fn time_ordered_folds_survive_an_early_window_without_rare_rows() {
    // All rare rows come late.
    let (x, y) = task(120, 50, 2);
    let test = Task::synthetic(1, 2, 5).test;
    let context = StepContext {
        relevance: Some(&relevance),
        measure: Some(&on_large),
        folds: Folds::TimeOrdered(5),
        ..StepContext::new(TrainSet::new(x.view(), &y))
    };
    let recipe = Recipe::new(vec![Step::named("smote").unwrap(), Step::named("stretch").unwrap()]).unwrap();
    let linear = family("linear", None).unwrap();
    let fits = recipe.fit_grid(linear, &context, test.view(), &[Params::new()], &FitContext::new(1)).unwrap();
    assert!(fits[0].is_ok(), "{fits:?}");
}

#[test]
fn rows_that_have_weights_are_not_weighed_again() {
    let (x, y) = task(40, 10, 1);
    let weights: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i % 3)).collect();
    let context = StepContext {
        relevance: Some(&relevance),
        ..StepContext::new(TrainSet::new(x.view(), &y).with_weights(&weights))
    };
    let message =
        Recipe::named("smote").unwrap().prepare(&context, &FitContext::new(1)).unwrap_err().to_string();
    assert!(message.starts_with("smote: the training rows have weights already"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The same rows for the same seed on any number of threads, other rows for another; every row from the
    /// training rows.
    #[test]
    fn resampling_is_reproducible_and_invents_nothing(
        seed in 0u64..1000,
        rows in 20usize..120,
        name in proptest::sample::select(vec!["under", "over", "smote", "noise", "smogn", "wercs", "bag"]),
    ) {
        let (x, y) = task(rows, 5 + rows / 10, 3);
        let recipe = Recipe::named(name).unwrap();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| prepare(&recipe, &x, &y, seed).unwrap())
        };
        let (one, four) = (run(1), run(4));
        prop_assert_eq!(&one, &four);
        prop_assert!(one.2.iter().flatten().all(|row| *row < rows));
        let low = y.iter().copied().fold(f64::INFINITY, f64::min);
        let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if name != "noise" && name != "smogn" {
            prop_assert!(one.1.iter().all(|v| (low..=high).contains(v)));
        }
    }
}
