//! Tables whose division is repeated: five folds, drawn anew each time, and nearest neighbours learned from the other four.

use tailrank_metrics::{Measure, Scorer};
use tailrank_score::score::{Predictions, TaskInference, TaskTruth, VariantStatus};

use super::{FEWER, Outcome, RESAMPLES, SHIFTS, inferred_on, settings, share, worlds::Random};

const FOLDS: usize = 5;
/// Rows of a table.
const ROWS: usize = 500;
/// Correlation of input and target.
const SKILL: f64 = 0.9;
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

/// Tested rows of every fold of every repeat, in the order of the folds.
fn folds(random: &mut Random, rows: usize, repeats: usize) -> Vec<(usize, Vec<usize>)> {
    let mut all = Vec::new();
    for repeat in 0..repeats {
        let mut order: Vec<(f64, usize)> = (0..rows).map(|i| (random.normal(), i)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let fold = |f: usize| order.iter().skip(f).step_by(FOLDS).map(|&(_, i)| i).collect();
        all.extend((0..FOLDS).map(|f| (repeat, fold(f))));
    }
    all
}

/// The rows that are not tested.
fn learned(rows: &[(f64, f64)], tested: &[usize]) -> Vec<(f64, f64)> {
    let mut is_tested = vec![false; rows.len()];
    tested.iter().for_each(|&i| is_tested[i] = true);
    rows.iter().zip(is_tested).filter(|(_, tested)| !tested).map(|(row, _)| *row).collect()
}

/// The folds as a run knows them, and the predictions of each number of neighbours.
fn divided(
    rows: &[(f64, f64)],
    folds: &[(usize, Vec<usize>)],
    ks: &[usize],
) -> Outcome<(Vec<TaskTruth>, Vec<Predictions>)> {
    let mut parts = Vec::new();
    let mut predictions = vec![Predictions { status: VariantStatus::Fine, parts: Vec::new() }; ks.len()];
    for (repeat, tested) in folds {
        let known = learned(rows, tested);
        for (of, &k) in predictions.iter_mut().zip(ks) {
            of.parts.push(tested.iter().map(|&i| neighbours(&known, k, rows[i].0)).collect());
        }
        parts.push(TaskTruth {
            truth: tested.iter().map(|&i| rows[i].1).collect(),
            settings: settings()?,
            repeat: *repeat,
            train: known.len(),
            rows: tested.clone(),
        });
    }
    Ok((parts, predictions))
}

/// How many intervals of each measure hold these scores.
fn held(found: &TaskInference, truth: &[f64], counts: &mut [usize; 4]) {
    for ((count, measure), score) in counts.iter_mut().zip(MEASURES).zip(truth) {
        let interval = found.measure(measure).and_then(|m| m.intervals[0]);
        *count += usize::from(interval.is_some_and(|i| i.lower <= *score && *score <= i.upper));
    }
}

/// Coverage of the 95 % intervals that a run prints of folds, and the size of its test against luck.
pub(crate) fn repeats(worlds: usize) -> Outcome {
    println!(
        "Folds of a table: {ROWS} rows in {FOLDS} folds; 95 % intervals, {RESAMPLES} resamples: share that holds the score on new rows"
    );
    println!("  neighbours  repeats  of            worlds  MAD            rwse           utility        F");
    for k in [3, 10, 40] {
        let of_method = true_scores(k)?;
        for repeats in [1, 2, 10] {
            let fewer = if repeats == 1 { worlds.min(FEWER) } else { 0 };
            let mut counts = [[0usize; 4]; 2];
            for world in 0..worlds {
                let mut random = Random::new(6, world);
                let rows = table(&mut random, ROWS, SKILL);
                let folds = folds(&mut random, ROWS, repeats);
                let (parts, predictions) = divided(&rows, &folds, &[k])?;
                let found =
                    inferred_on(&parts, &predictions, 0, None, &MEASURES, (RESAMPLES, 1), world as u64)?;
                held(&found, &of_method, &mut counts[0]);
                if world < fewer {
                    let models = folds.iter().map(|(_, tested)| learned(&rows, tested));
                    held(&found, &scores_of(models, 4000, k, &mut random)?, &mut counts[1]);
                }
            }
            let line = |of: &str, counts: [usize; 4], worlds: usize| {
                let shares = counts.map(|c| share(c as f64, worlds)).join(" ");
                println!("  {k:>10}  {repeats:>7}  {of:<12}  {worlds:>6}  {shares}");
            };
            line("the method", counts[0], worlds);
            if fewer > 0 {
                line("these models", counts[1], fewer);
            }
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
            let folds = folds(&mut random, rows.len(), repeats);
            let (parts, predictions) = divided(&rows, &folds, &ks)?;
            let found =
                inferred_on(&parts, &predictions, 0, None, &[Measure::F], (100, SHIFTS), world as u64)?;
            let luck = found.measure(Measure::F).and_then(|m| m.chance.as_ref());
            lucky += usize::from(luck.ok_or("no test against luck")?.p <= 0.05);
        }
        println!("  {repeats:>7}  {}", share(lucky as f64, worlds));
    }
    println!();
    Ok(())
}

/// The scores of models learned from four fifths of as many rows, each on a thousand new ones.
fn true_scores(k: usize) -> Outcome<Vec<f64>> {
    let mut random = Random::new(8, k);
    let models: Vec<Vec<(f64, f64)>> =
        (0..500).map(|_| table(&mut random, ROWS * (FOLDS - 1) / FOLDS, SKILL)).collect();
    scores_of(models.into_iter(), 1000, k, &mut random)
}

/// The scores of some models together, each on `fresh` new rows.
fn scores_of(
    models: impl Iterator<Item = Vec<(f64, f64)>>,
    fresh: usize,
    k: usize,
    random: &mut Random,
) -> Outcome<Vec<f64>> {
    let (mut truth, mut predicted) = (Vec::new(), Vec::new());
    for known in models {
        for (x, y) in table(random, fresh, SKILL) {
            truth.push(y);
            predicted.push(neighbours(&known, k, x));
        }
    }
    let scores = Scorer::new(&truth, settings()?)?.score(&predicted, &MEASURES)?;
    // Undefined counts as 0, as in a run's inference: models that never signal are no exception.
    Ok(scores.iter().map(|s| s.value().unwrap_or(0.0)).collect())
}
