//! Worlds without skill whose cases hang together: panels, groups, dated tables, overlapping labels, several windows.
//!
//! None of them had a part in the choice of a rule. Each has five models whose predictions depend on each other as the truth does, but
//! not on the truth, and the mean as a baseline.

use tailrank_metrics::Measure;
use tailrank_score::score::{Predictions, RowDesign, TaskTruth, VariantStatus};

use super::{
    Asked, Outcome, inferred_by, settings, share,
    worlds::{Process, Random},
};

const MEASURES: [Measure; 5] = [Measure::F, Measure::Mad, Measure::Rwse, Measure::Sera, Measure::Utility];
const MODELS: usize = 5;
const DRAWS: (usize, usize) = (400, 199);

/// Truth and models of one world, one value a row of the data, and how rows hang together.
struct World {
    truth: Vec<f64>,
    models: Vec<Vec<f64>>,
    design: RowDesign,
    /// Rows of each part.
    parts: Vec<std::ops::Range<usize>>,
    horizon: Option<usize>,
    lags: usize,
}

/// A world: its name, and how it is made.
type Kind = (&'static str, fn(&mut Random) -> World);

const KINDS: [Kind; 8] = [
    ("cases on their own", cases),
    ("panel, 10 symbols × 150 dates", panel),
    ("groups, 40 × 8 rows", groups),
    ("groups of 3 to 13 rows", uneven_groups),
    ("dated table, AR(.9)", dated),
    ("dated table, AR(.98)", slow),
    ("labels of 20 steps", overlapping),
    ("series in 4 windows, random walk's returns", windows),
];

fn dates(n: usize) -> RowDesign {
    RowDesign { steps: Some((0..n).collect()), ..RowDesign::default() }
}

fn table(truth: Vec<f64>, models: Vec<Vec<f64>>, design: RowDesign) -> World {
    let parts = std::iter::once(0..truth.len()).collect();
    World { truth, models, design, parts, horizon: None, lags: 0 }
}

/// Truth and models drawn in the same way, one after the other.
fn alike(random: &mut Random, mut draw: impl FnMut(&mut Random) -> Vec<f64>) -> (Vec<f64>, Vec<Vec<f64>>) {
    (draw(random), (0..MODELS).map(|_| draw(random)).collect())
}

fn cases(random: &mut Random) -> World {
    let (truth, models) = alike(random, |r| (0..300).map(|_| 1.3 * r.normal()).collect());
    table(truth, models, RowDesign::default())
}

/// Half of the variance is common to all symbols of a date.
fn panel(random: &mut Random) -> World {
    let (symbols, days) = (10, 150);
    let (truth, models) = alike(random, |r| {
        let date = |r: &mut Random| {
            let common = r.normal();
            (0..symbols).map(|_| common + r.normal()).collect::<Vec<f64>>()
        };
        (0..days).flat_map(|_| date(r)).collect()
    });
    let steps = Some((0..symbols * days).map(|i| i / symbols).collect());
    let entities = Some((0..symbols * days).map(|i| i % symbols).collect());
    table(truth, models, RowDesign { steps, entities, ..RowDesign::default() })
}

fn grouped(random: &mut Random, sizes: &[usize]) -> World {
    let (truth, models) = alike(random, |r| {
        let group = |r: &mut Random, size: usize| {
            let common = 1.2 * r.normal();
            (0..size).map(|_| common + 0.6 * r.normal()).collect::<Vec<f64>>()
        };
        sizes.iter().flat_map(|&size| group(r, size)).collect()
    });
    let groups = sizes.iter().enumerate().flat_map(|(g, &size)| vec![g; size]).collect();
    table(truth, models, RowDesign { groups: Some(groups), ..RowDesign::default() })
}

fn groups(random: &mut Random) -> World {
    grouped(random, &[8; 40])
}

fn uneven_groups(random: &mut Random) -> World {
    let sizes: Vec<usize> = (0..40).map(|g| 3 + (g * 7) % 11).collect();
    grouped(random, &sizes)
}

fn autoregression(random: &mut Random, n: usize, rho: f64) -> Vec<f64> {
    let (mut value, size) = (0.0, 1.3 * f64::sqrt(1.0 - rho * rho));
    let mut next = || {
        value = rho * value + size * random.normal();
        value
    };
    (0..n + 300).map(|_| next()).skip(300).collect()
}

fn dated(random: &mut Random) -> World {
    let (truth, models) = alike(random, |r| autoregression(r, 400, 0.9));
    table(truth, models, dates(400))
}

fn slow(random: &mut Random) -> World {
    let (truth, models) = alike(random, |r| autoregression(r, 400, 0.98));
    table(truth, models, dates(400))
}

/// Sums of the next twenty values.
fn overlapping(random: &mut Random) -> World {
    let (truth, models) = alike(random, |r| {
        let noise: Vec<f64> = (0..520).map(|_| 0.3 * r.normal()).collect();
        noise.windows(20).take(500).map(|w| w.iter().sum()).collect()
    });
    table(truth, models, RowDesign { label_span: 20, ..dates(500) })
}

/// Returns with clusters of volatility, tested in four periods with a φ of their own each.
fn windows(random: &mut Random) -> World {
    let (truth, models) = alike(random, |r| r.series(400, Process::Volatility));
    let parts = (0..4).map(|i| 100 * i..100 * (i + 1)).collect();
    World { parts, horizon: Some(1), lags: 5, ..table(truth, models, dates(400)) }
}

/// What a run finds in a world; the baseline comes last.
fn found(world: &World, tests: usize, seed: u64) -> Outcome<tailrank_score::score::TaskInference> {
    let part = |rows: &std::ops::Range<usize>| -> Outcome<TaskTruth> {
        Ok(TaskTruth {
            rows: rows.clone().collect(),
            ..TaskTruth::new(world.truth[rows.clone()].to_vec(), settings()?)
        })
    };
    let parts = world.parts.iter().map(part).collect::<Outcome<Vec<_>>>()?;
    let of = |values: &[f64]| Predictions {
        status: VariantStatus::Fine,
        parts: world.parts.iter().map(|rows| values[rows.clone()].to_vec()).collect(),
    };
    let mut predictions: Vec<Predictions> = world.models.iter().map(|m| of(m)).collect();
    predictions.push(of(&vec![0.0; world.truth.len()]));
    let asked = Asked {
        references: 1,
        horizon: world.horizon,
        lags: world.lags,
        design: &world.design,
        tests,
        measures: &MEASURES,
        judged: &MEASURES,
        draws: DRAWS,
        seed,
    };
    inferred_by(&parts, &predictions, &asked)
}

/// How often the best of five models without skill is called better than chance, and better than the baseline.
pub(crate) fn dependence(worlds: usize) -> Outcome {
    println!(
        "Dependence: no skill, best of {MODELS} models, {worlds} worlds: share with p ≤ .05 against chance, and a model better than the \
         baseline (mean) at 5 % by Romano & Wolf"
    );
    println!(
        "  world                                       against    F              MAD            rwse           SERA           utility"
    );
    for (name, make) in KINDS {
        let mut counts = [[0usize; MEASURES.len()]; 2];
        let mut untested = 0;
        for w in 0..worlds {
            let world = make(&mut Random::new(11, w));
            let found = found(&world, 1, w as u64)?;
            for (m, &measure) in MEASURES.iter().enumerate() {
                let Some(of) = found.measure(measure) else { continue };
                match &of.chance {
                    Some(test) => counts[0][m] += usize::from(test.p <= 0.05),
                    None => untested += 1,
                }
                counts[1][m] += usize::from(of.p_baselines.iter().flatten().any(|&p| p <= 0.05));
            }
        }
        for (against, counts) in ["chance", "baseline"].into_iter().zip(counts) {
            let shares = counts.map(|c| share(c as f64, worlds)).join(" ");
            println!("  {name:<42}  {against:<9} {shares}");
        }
        if untested > 0 {
            println!("  {name:<42}  not testable: {untested} of {} tests", worlds * MEASURES.len());
        }
    }
    println!();
    Ok(())
}

/// Many tasks with a model that is nearly right on each: how many pass after Holm's correction over all of them.
pub(crate) fn many_tasks(worlds: usize) -> Outcome {
    println!(
        "Many tasks: one model of five is nearly right on each; tasks whose p passes Holm's first step, α / tasks"
    );
    println!("  tasks   of a table, by F    of a series, by F   baseline, both by F");
    for tests in [60, 1000] {
        let tried = worlds.min(20);
        let mut passed = [0usize; 3];
        for w in 0..tried {
            let mut random = Random::new(12, w);
            let of_table = cases(&mut random);
            let of_series = World { horizon: Some(1), lags: 5, ..dated(&mut random) };
            for (kind, mut world) in [of_table, of_series].into_iter().enumerate() {
                let noisy = world.truth.iter().map(|y| y + 0.01 * random.normal());
                world.models[0] = noisy.collect();
                let found = found(&world, tests, w as u64)?;
                let of_f = found.measure(Measure::F).ok_or("no inference by F")?;
                let limit = 0.05 / tests as f64;
                passed[kind] += usize::from(of_f.chance.as_ref().is_some_and(|c| c.p < limit));
                passed[2] += usize::from(of_f.p_baselines[0].is_some_and(|p| p < limit));
            }
        }
        let [table, series, baseline] = passed;
        println!(
            "  {tests:<6}  {table:>3} of {tried:<3}          {series:>3} of {tried:<3}          {baseline:>3} of {}",
            2 * tried
        );
    }
    println!();
    Ok(())
}
