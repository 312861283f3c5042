//! Tables whose division is repeated: five folds, drawn anew each time, and nearest neighbours learned from
//! the other four.

use tailrank_metrics::{Measure, Score, Scorer};
use tailrank_score::score::{IntervalScope, Predictions, RowDesign, TaskTruth, VariantStatus};

use super::{
    ask::{Asked, Events, MEASURES, Outcome, inferred, p_values, settings},
    report::{Part, Promise, Row},
    worlds::Random,
};

const FOLDS: usize = 5;
/// Rows of a table.
const ROWS: usize = 400;
/// Correlation of input and target.
const SKILL: f64 = 0.85;
const EVENTS: Events = Events::Beyond(1.4);

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
            settings: settings(EVENTS)?,
            repeat: *repeat,
            train: known.len(),
            rows: tested.clone(),
        });
    }
    Ok((parts, predictions))
}

fn asked(baselines: usize, draws: (usize, usize), design: &RowDesign, seed: usize) -> Asked<'_> {
    let (horizon, lags) = (None, 0);
    Asked { baselines, horizon, lags, design, tests: 1, measures: &MEASURES, draws, seed: seed as u64 }
}

fn rows(
    counts: [(usize, usize); MEASURES.len()],
    world: &str,
    what: &str,
    replications: usize,
    promise: Promise,
) -> Vec<Row> {
    let row = |(measure, (answered, count)): (&Measure, (usize, usize))| Row {
        world: world.to_owned(),
        what: what.to_owned(),
        measure: measure.id().to_owned(),
        replications,
        answered,
        count,
        promise,
    };
    MEASURES.iter().zip(counts).map(row).collect()
}

/// Coverage of the intervals that a run prints of folds: for the method, or for these fitted models where it
/// says so.
pub(crate) fn folds_of_tables(worlds: usize, _: &str) -> Outcome<Part> {
    let alone = RowDesign::default();
    let mut all = Vec::new();
    for k in [4, 12, 30] {
        let of_method = true_scores(k)?;
        for repeats in [1, 5] {
            // Intervals for the method, for these models, and what the former hold of these models.
            let mut method = [(0, 0); MEASURES.len()];
            let mut models = [(0, 0); MEASURES.len()];
            // Repeats cost their number, and change little.
            let worlds = if repeats == 1 { worlds } else { worlds / 2 };
            for world in 0..worlds {
                let mut random = Random::new(176, world);
                let data = table(&mut random, ROWS, SKILL);
                let folds = folds(&mut random, ROWS, repeats);
                let (parts, predictions) = divided(&data, &folds, &[k])?;
                let found = inferred(&parts, &predictions, &asked(0, (400, 19), &alone, world))?;
                let learned = folds.iter().map(|(_, tested)| learned(&data, tested));
                let own = scores_of(learned, 3000, k, &mut random)?;
                for (m, &measure) in MEASURES.iter().enumerate() {
                    let Some(of) = found.measure(measure) else { continue };
                    let Some(interval) = of.intervals[0] else { continue };
                    let holds = |score: f64| usize::from(interval.lower <= score && score <= interval.upper);
                    let (counts, score) = if of.scope == IntervalScope::Method {
                        (&mut method[m], of_method[m])
                    } else {
                        (&mut models[m], own[m])
                    };
                    counts.0 += 1;
                    counts.1 += holds(score);
                }
            }
            let name = format!("{k} neighbours; repeats: {repeats}");
            all.extend(rows(method, &name, "method", worlds, Promise::AtLeast(0.90)));
            all.extend(rows(models, &name, "these fitted models", worlds, Promise::AtLeast(0.90)));
        }
    }
    let ks = [1, 2, 3, 4, 5];
    for repeats in [1, 3] {
        let worlds = if repeats == 1 { worlds } else { worlds / 2 };
        let mut counts = [[(0, 0); MEASURES.len()]; 2];
        for world in 0..worlds {
            let mut random = Random::new(177, world);
            let data = table(&mut random, 150, 0.0);
            let folds = folds(&mut random, data.len(), repeats);
            let (parts, mut predictions) = divided(&data, &folds, &ks)?;
            let mean = parts.iter().map(|p| vec![0.0; p.truth.len()]).collect();
            predictions.push(Predictions { status: VariantStatus::Fine, parts: mean });
            let found = inferred(&parts, &predictions, &asked(1, (199, 99), &alone, world))?;
            for (m, &measure) in MEASURES.iter().enumerate() {
                let Some(of) = found.measure(measure) else { continue };
                let [chance, _, verdict] = p_values(of, &found.variants);
                for (counts, p) in counts.iter_mut().zip([chance, verdict]) {
                    counts[m].0 += usize::from(p.is_some());
                    counts[m].1 += usize::from(p.is_some_and(|p| p <= 0.05));
                }
            }
        }
        let name = format!("no skill, 5 models; repeats: {repeats}");
        all.extend(rows(counts[0], &name, "chance", worlds, Promise::Size));
        all.extend(rows(counts[1], &name, "verdict", worlds, Promise::Size));
    }
    all.extend(equal_inputs(worlds)?);
    all.retain(|r| r.answered > 0);
    Ok(Part {
        name: "folds",
        heading: "Folds of a table",
        says: format!(
            "Nearest neighbours on {ROWS} rows in {FOLDS} random folds. Share of the 95 % intervals that hold the score of the method on \
             new rows, whatever rows it learns from; or, where a run heads the column \"these fitted models\", that of the models fitted."
        ),
        rows: all,
    })
}

/// Neighbours by one of two inputs that tell as much: two models, and the second input as the baseline.
fn equal_inputs(worlds: usize) -> Outcome<Vec<Row>> {
    let alone = RowDesign::default();
    let mut all = Vec::new();
    for k in [1, 5] {
        let mut counts = [[(0, 0); MEASURES.len()]; 3];
        for world in 0..worlds {
            let mut random = Random::new(179, world);
            let inputs: [Vec<f64>; 3] = std::array::from_fn(|_| random.normals(150));
            let noise = random.normals(150);
            let target = |i: usize| 0.55 * (inputs[0][i] + inputs[1][i] + inputs[2][i]) + 0.3 * noise[i];
            let folds = folds(&mut random, 150, 1);
            let mut predictions = Vec::new();
            let mut parts = Vec::new();
            for input in &inputs {
                let data: Vec<(f64, f64)> = (0..150).map(|i| (input[i], target(i))).collect();
                let (of_input, of) = divided(&data, &folds, &[k])?;
                parts = of_input;
                predictions.extend(of);
            }
            let found = inferred(&parts, &predictions, &asked(1, (299, 19), &alone, world))?;
            for (m, &measure) in MEASURES.iter().enumerate() {
                let Some(of) = found.measure(measure) else { continue };
                let baseline: Vec<f64> = of.p_baselines.iter().flatten().copied().collect();
                let pairs = |id: &str| -> Vec<f64> {
                    let own = found.pairwise.iter().filter(|p| p.measure == measure);
                    own.filter_map(|p| Some(p.test(id)?.p_holm)).collect()
                };
                for (counts, p) in counts.iter_mut().zip([baseline, pairs("resampled_t"), pairs("wilcoxon")])
                {
                    counts[m].0 += usize::from(!p.is_empty());
                    counts[m].1 += usize::from(p.iter().any(|&p| p < 0.05));
                }
            }
        }
        let name = format!("equal models, {k} neighbours");
        for (counts, what) in counts.into_iter().zip(["baseline", "pairs, resampled_t", "pairs, wilcoxon"]) {
            all.extend(rows(counts, &name, what, worlds, Promise::Size));
        }
    }
    Ok(all)
}

/// The scores of models learned from four fifths of as many rows, each on a thousand new ones.
fn true_scores(k: usize) -> Outcome<Vec<f64>> {
    let mut random = Random::new(178, k);
    let models: Vec<Vec<(f64, f64)>> =
        (0..200).map(|_| table(&mut random, ROWS * (FOLDS - 1) / FOLDS, SKILL)).collect();
    scores_of(models.into_iter(), 500, k, &mut random)
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
    let scores = Scorer::new(&truth, settings(EVENTS)?)?.score(&predicted, &MEASURES)?;
    // Undefined counts as 0, as in a run's inference: models that never signal are no exception.
    let value = |s: &Score| s.value().unwrap_or(0.0);
    // SERA is a sum: that of the table has its own number of cases.
    let of_table = ROWS as f64 / truth.len() as f64;
    Ok(scores
        .iter()
        .zip(MEASURES)
        .map(|(s, m)| if m == Measure::Sera { value(s) * of_table } else { value(s) })
        .collect())
}
