//! Tables whose division is repeated: five folds, drawn anew each time, and nearest neighbours learned from the other four.

use tailrank_engine::score::{Predictions, TaskTruth, VariantStatus};
use tailrank_metrics::{Measure, Scorer};

use super::{Outcome, RESAMPLES, SHIFTS, inferred_on, settings, share, worlds::Random};

const FOLDS: usize = 5;
/// Rows of a table.
const ROWS: usize = 500;
const MEASURES: [Measure; 4] = [Measure::Mad, Measure::Rwse, Measure::Utility, Measure::F];

/// Rows (input, target): a target of variance 1 that the input tells in part; none of it with `skill` 0.
fn table(random: &mut Random, rows: usize, skill: f64) -> Vec<(f64, f64)> {
    let noise = f64::sqrt(1.0 - skill * skill);
    let row = |random: &mut Random| {
        let x = random.normal();
        (x, skill * x + noise * random.normal())
    };
    (0..rows).map(|_| row(random)).collect()
}

/// The mean target of the `k` rows nearest to `x`.
fn neighbours(learned: &[(f64, f64)], k: usize, x: f64) -> f64 {
    let mut near: Vec<(f64, f64)> = learned.iter().map(|&(z, y)| ((z - x).abs(), y)).collect();
    near.select_nth_unstable_by(k - 1, |a, b| a.0.total_cmp(&b.0));
    near[..k].iter().map(|n| n.1).sum::<f64>() / k as f64
}

/// The folds of all repeats, and the predictions of each number of neighbours for them.
fn divided(
    random: &mut Random,
    rows: &[(f64, f64)],
    repeats: usize,
    ks: &[usize],
) -> Outcome<(Vec<TaskTruth>, Vec<Predictions>)> {
    let mut parts = Vec::new();
    let mut predictions = vec![Predictions { status: VariantStatus::Fine, parts: Vec::new() }; ks.len()];
    for repeat in 0..repeats {
        let mut order: Vec<(f64, usize)> = (0..rows.len()).map(|i| (random.normal(), i)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for fold in 0..FOLDS {
            let is_tested = |place: usize| place % FOLDS == fold;
            let chosen = |tested: bool| {
                let places = order.iter().enumerate().filter(move |(place, _)| is_tested(*place) == tested);
                places.map(|(_, &(_, i))| i).collect::<Vec<usize>>()
            };
            let (test, train) = (chosen(true), chosen(false));
            let learned: Vec<(f64, f64)> = train.iter().map(|&i| rows[i]).collect();
            for (of, &k) in predictions.iter_mut().zip(ks) {
                of.parts.push(test.iter().map(|&i| neighbours(&learned, k, rows[i].0)).collect());
            }
            parts.push(TaskTruth {
                truth: test.iter().map(|&i| rows[i].1).collect(),
                settings: settings()?,
                repeat,
                train: train.len(),
                rows: test,
            });
        }
    }
    Ok((parts, predictions))
}

/// Coverage of the 95 % intervals for what a model learned from as many rows scores on new ones, and the size of luck.
pub(crate) fn repeats(worlds: usize) -> Outcome {
    println!(
        "Folds of a table: {ROWS} rows in {FOLDS} folds; 95 % intervals, {RESAMPLES} resamples, {worlds} worlds: share that holds the score of"
    );
    println!("models learned from as many rows, on new ones");
    println!("  neighbours  repeats  MAD            rwse           utility        F");
    for k in [3, 10, 40] {
        let truth = true_scores(k)?;
        for repeats in [1, 2, 10] {
            let mut held = [0usize; 4];
            for world in 0..worlds {
                let mut random = Random::new(6, world);
                let rows = table(&mut random, ROWS, 0.9);
                let (parts, predictions) = divided(&mut random, &rows, repeats, &[k])?;
                let found =
                    inferred_on(&parts, &predictions, 0, None, &MEASURES, (RESAMPLES, 1), world as u64)?;
                for ((held, measure), score) in held.iter_mut().zip(MEASURES).zip(&truth) {
                    let interval = found.measure(measure).and_then(|m| m.intervals[0]);
                    *held += usize::from(interval.is_some_and(|i| i.lower <= *score && *score <= i.upper));
                }
            }
            println!("  {k:>10}  {repeats:>7}  {}", held.map(|h| share(h as f64, worlds)).join(" "));
        }
    }

    let (rows, ks) = (200, [1, 2, 3, 4, 5]);
    println!(
        "No skill: the best F of {} numbers of neighbours, {rows} rows, {SHIFTS} permutations, {worlds} worlds: share with p ≤ .05",
        ks.len()
    );
    println!("  repeats  better than luck");
    for repeats in [1, 5] {
        let mut lucky = 0;
        for world in 0..worlds {
            let mut random = Random::new(7, world);
            let rows = table(&mut random, rows, 0.0);
            let (parts, predictions) = divided(&mut random, &rows, repeats, &ks)?;
            let found =
                inferred_on(&parts, &predictions, 0, None, &[Measure::F], (100, SHIFTS), world as u64)?;
            let luck = found.measure(Measure::F).and_then(|m| m.luck.as_ref());
            lucky += usize::from(luck.ok_or("no test against luck")?.p <= 0.05);
        }
        println!("  {repeats:>7}  {}", share(lucky as f64, worlds));
    }
    println!();
    Ok(())
}

/// The scores of models learned from four fifths of as many rows, each on a thousand new ones.
fn true_scores(k: usize) -> Outcome<Vec<f64>> {
    let (mut truth, mut predicted) = (Vec::new(), Vec::new());
    for world in 0..500 {
        let mut random = Random::new(8, world);
        let learned = table(&mut random, ROWS * (FOLDS - 1) / FOLDS, 0.9);
        for (x, y) in table(&mut random, 1000, 0.9) {
            truth.push(y);
            predicted.push(neighbours(&learned, k, x));
        }
    }
    let scores = Scorer::new(&truth, settings()?)?.score(&predicted, &MEASURES)?;
    scores.iter().map(|s| s.value().ok_or_else(|| "the truth has no score".into())).collect()
}
