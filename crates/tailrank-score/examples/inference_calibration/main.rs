//! Does inference keep its promises? Simulated worlds whose truth is known, through the same function that a run calls.
//!
//!     cargo run -p tailrank-score --example inference_calibration [worlds, 1000 if not given] [part]
//!
//! Parts are luck, power, intervals, sets, references, repeats, dependence and tasks; all of them if none is named. What `scripts/calibration.sh` makes of it
//! is kept in `results/calibration/inference.txt`. The number of cosines behind the intervals was chosen on autoregressions and
//! GARCH (`tailrank-stats`); moving averages, regimes and stochastic volatility had no part in it.
#![allow(clippy::print_stdout)]

mod dependence;
mod repeats;
mod worlds;

use std::error::Error;

use tailrank_experiment::config::Inference;
use tailrank_metrics::{Accuracy, Better, Measure, Relevance, Scorer, Settings, utility::Ut08};
use tailrank_models::{Cancel, Params};
use tailrank_score::score::{
    Names, Predictions, Question, RowDesign, TaskId, TaskInference, TaskScorer, TaskTruth, VariantId,
    VariantName, VariantStatus, infer,
};

use worlds::{Process, Random};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const VARIANTS: usize = 57;
/// Values beyond this on either side are events.
const LIMIT: f64 = 1.5;
/// Cases of a world whose best F is held against luck.
const CASES: usize = 500;
/// Shifts of a world: a Monte Carlo test has its size with any number B for which .05·(B + 1) is whole; more would only add power.
const SHIFTS: usize = 99;
/// As many as a run draws if not told otherwise.
const RESAMPLES: usize = 1000;

/// Worlds of the parts beside luck and the promised intervals, whose bands are narrow; rows beside the promises have half or a third.
const FEWER: usize = 300;

type Part = (&'static str, fn(usize) -> Outcome);
const PARTS: [Part; 8] = [
    ("luck", luck),
    ("power", power),
    ("intervals", coverage),
    ("sets", sets),
    ("references", references),
    ("repeats", repeats::repeats),
    ("dependence", dependence::dependence),
    ("tasks", dependence::many_tasks),
];

fn main() -> Outcome {
    let worlds = std::env::args().nth(1).map_or(Ok(1000), |a| a.parse())?;
    let part = std::env::args().nth(2);
    let asked: Vec<Part> =
        PARTS.into_iter().filter(|(name, _)| part.as_ref().is_none_or(|p| p == name)).collect();
    if asked.is_empty() {
        return Err(format!("choose one of {}", PARTS.map(|p| p.0).join(", ")).into());
    }
    asked.into_iter().try_for_each(|(_, print)| print(worlds))
}

/// A share of worlds in per cent with its error.
fn share(count: f64, worlds: usize) -> String {
    let p = count / worlds as f64;
    format!("{:5.1} % (±{:.1})", 100.0 * p, 200.0 * (p * (1.0 - p) / worlds as f64).sqrt())
}

fn settings() -> Outcome<Settings> {
    Ok(Settings {
        relevance: Some(Relevance::sigmoid(Some(-LIMIT), Some(LIMIT), 0.5, 1e-4)?),
        accuracy: Some(Accuracy::smooth(1.0, 8.0)?),
        utility: Some(Ut08::new(1.0, 1.0, 0.5, None)?),
        beta: 0.5,
        ..Settings::default()
    })
}

/// What a run would find on a series one step ahead; the last `references` models are baselines.
fn inferred(
    truth: Vec<f64>,
    models: Vec<Vec<f64>>,
    references: usize,
    measures: &[Measure],
    draws: (usize, usize),
    seed: u64,
) -> Outcome<TaskInference> {
    let parts = [TaskTruth::new(truth, settings()?)];
    let predictions: Vec<Predictions> =
        models.into_iter().map(|p| Predictions { status: VariantStatus::Fine, parts: vec![p] }).collect();
    inferred_on(&parts, &predictions, references, Some(1), measures, draws, seed)
}

/// The same on the parts of any division; a table has no horizon.
fn inferred_on(
    parts: &[TaskTruth],
    predictions: &[Predictions],
    references: usize,
    horizon: Option<usize>,
    measures: &[Measure],
    draws: (usize, usize),
    seed: u64,
) -> Outcome<TaskInference> {
    let design = &RowDesign::default();
    let asked = Asked { references, horizon, lags: 24, design, tests: 1, measures, judged: &[], draws, seed };
    inferred_by(parts, predictions, &asked)
}

/// What is asked of a world.
struct Asked<'a> {
    /// Baselines among the predictions; they come last.
    references: usize,
    horizon: Option<usize>,
    lags: usize,
    design: &'a RowDesign,
    /// Tasks that the world is one of.
    tests: usize,
    measures: &'a [Measure],
    judged: &'a [Measure],
    /// Resamples and shifts.
    draws: (usize, usize),
    seed: u64,
}

fn inferred_by(
    parts: &[TaskTruth],
    predictions: &[Predictions],
    asked: &Asked<'_>,
) -> Outcome<TaskInference> {
    let is_reference: Vec<bool> =
        (0..predictions.len()).map(|v| v >= predictions.len() - asked.references).collect();
    let mut scorer = TaskScorer::new(parts, asked.measures, &is_reference)?;
    for (v, p) in predictions.iter().enumerate() {
        scorer.add(VariantId(v), p)?;
    }
    let name = |(v, &reference): (usize, &bool)| VariantName {
        label: v.to_string(),
        group: "g".to_owned(),
        params: Params::new(),
        recipe: "plain".to_owned(),
        reference,
    };
    let names =
        Names { tasks: vec!["t".to_owned()], variants: is_reference.iter().enumerate().map(name).collect() };
    let inference = Inference { resamples: asked.draws.0, shifts: asked.draws.1, ..Inference::default() };
    let scores = scorer.finish();
    let question = Question {
        task: TaskId(0),
        names: &names,
        parts,
        horizon: asked.horizon,
        lags: asked.lags,
        scores: &scores,
        judged: asked.judged,
        design: asked.design,
        tests: asked.tests,
        alpha: 0.05,
        settings: &inference,
        seed: asked.seed,
    };
    let load = |of: &[VariantId]| Ok(of.iter().map(|v| predictions[v.0].clone()).collect());
    Ok(infer(&question, &load, &Cancel::default())?)
}

/// The best F of 57 correlated variants against luck: how often it is called skill where there is none.
fn luck(worlds: usize) -> Outcome {
    println!(
        "Luck: no skill. The best F of {VARIANTS} variants under {SHIFTS} common shifts, n = {CASES}, {worlds} worlds: share with p ≤ .05"
    );
    println!("  truth   better than luck    tells the side (flipped signs)");
    for process in [Process::Ar, Process::Garch] {
        let found = rejections(process, 0.0, worlds)?.map(|count| share(count as f64, worlds));
        println!("  {:<6}  {}     {}", process.name(), found[0], found[1]);
    }
    println!();
    Ok(())
}

/// The same where one of the variants has skill.
fn power(worlds: usize) -> Outcome {
    let worlds = worlds.min(FEWER / 2);
    println!("Power: one of the {VARIANTS} variants is correlated with a GARCH truth, {worlds} worlds");
    println!("  correlation   better than luck    tells the side (flipped signs)");
    for skill in [0.1, 0.2, 0.3, 0.4] {
        let found = rejections(Process::Garch, skill, worlds)?.map(|count| share(count as f64, worlds));
        println!("  {skill:>11}   {}     {}", found[0], found[1]);
    }
    println!();
    Ok(())
}

/// In how many worlds the best of all is better than luck, and tells the side.
fn rejections(process: Process, skill: f64, worlds: usize) -> Outcome<[usize; 2]> {
    let mut rejected = [0; 2];
    for world in 0..worlds {
        let mut random = Random::new(1, world);
        let n = CASES;
        let (truth, common) = (random.series(n, process), random.series(n, process));
        let (shared, own) = (0.7f64.sqrt(), 0.3f64.sqrt());
        let models = (0..VARIANTS)
            .map(|v| {
                let noise = random.series(n, process);
                let skill = if v == 0 { skill } else { 0.0 };
                let rest = f64::sqrt(1.0 - skill * skill);
                (0..n).map(|i| skill * truth[i] + rest * (shared * common[i] + own * noise[i])).collect()
            })
            .collect();
        let found = inferred(truth, models, 0, &[Measure::F], (100, SHIFTS), world as u64)?;
        let of_f = found.measure(Measure::F).ok_or("no inference by F")?;
        rejected[0] += usize::from(of_f.chance.as_ref().ok_or("no test against luck")?.p <= 0.05);
        rejected[1] += usize::from(of_f.direction.as_ref().ok_or("no test of the side")?.p <= 0.05);
    }
    Ok(rejected)
}

/// A forecast that knows the last value and exaggerates, so that it signals now and then.
fn forecast(random: &mut Random, n: usize, process: Process) -> (Vec<f64>, Vec<f64>) {
    let truth = random.series(n + 1, process);
    let predicted = truth[..n].iter().map(|last| 0.8 * last + 0.6 * random.normal()).collect();
    (truth[1..].to_vec(), predicted)
}

/// Coverage of the 95 % intervals that a run prints.
fn coverage(worlds: usize) -> Outcome {
    const MEASURES: [Measure; 4] = [Measure::Mad, Measure::Rwse, Measure::Utility, Measure::F];
    println!("Intervals at 95 %, {RESAMPLES} resamples: share that holds the truth; hits in the mean");
    println!(
        "  truth    n     worlds  hits  MAD            rwse           utility        F              with a warning"
    );
    let all = [Process::Ar, Process::Garch, Process::MovingAverage, Process::Regimes, Process::Volatility];
    let truths: Vec<Vec<f64>> = all.iter().map(|&p| true_scores(p, &MEASURES)).collect::<Outcome<_>>()?;
    for n in [2000, 500] {
        for (process, scores) in all.iter().zip(&truths) {
            let worlds = match (process.was_chosen_on(), n) {
                (true, 2000) => worlds,
                (true, _) => worlds.min(FEWER),
                (false, _) => worlds.min(FEWER / 3),
            };
            let (mut hits, mut held, mut warned) = (0, [0usize; 4], 0);
            for world in 0..worlds {
                let (truth, predicted) = forecast(&mut Random::new(3, world), n, *process);
                let counts = Scorer::new(&truth, settings()?)?.event_counts(&[&predicted])?;
                hits += counts.map_or(0, |c| c.hits);
                let found = inferred(truth, vec![predicted], 0, &MEASURES, (RESAMPLES, 1), world as u64)?;
                for ((held, measure), score) in held.iter_mut().zip(MEASURES).zip(scores) {
                    let interval = found.measure(measure).and_then(|m| m.intervals[0]);
                    *held += usize::from(interval.is_some_and(|i| i.lower <= *score && *score <= i.upper));
                }
                warned += usize::from(found.measure(Measure::F).is_some_and(|m| m.cautions[0].is_some()));
            }
            println!(
                "  {:<7}  {n:<4}  {worlds:>6}  {:>4.0}  {}  F in {:3.0} %",
                process.name(),
                hits as f64 / worlds as f64,
                held.map(|h| share(h as f64, worlds)).join(" "),
                100.0 * warned as f64 / worlds as f64,
            );
        }
    }
    println!();
    Ok(())
}

/// The scores of the forecast on half a million cases.
fn true_scores(process: Process, measures: &[Measure]) -> Outcome<Vec<f64>> {
    let (truth, predicted) = forecast(&mut Random::new(2, usize::MAX), 500_000, process);
    let scores = Scorer::new(&truth, settings()?)?.score(&predicted, measures)?;
    scores.iter().map(|s| s.value().ok_or_else(|| "the truth has no score".into())).collect()
}

/// Forecasts of one series whose own noise grows by `step` from one to the next.
fn models(random: &mut Random, n: usize, step: f64, process: Process) -> (Vec<f64>, Vec<Vec<f64>>) {
    let truth = random.series(n, process);
    let common = random.series(n, process);
    let model = |m: usize, random: &mut Random| {
        let size = 0.5 * (1.0 + step * m as f64);
        let own = random.series(n, process);
        (0..n).map(|i| 0.7 * truth[i] + 0.4 * common[i] + size * own[i]).collect()
    };
    let models = (0..20).map(|m| model(m, random)).collect();
    (truth, models)
}

/// Whether the 90 % set holds the best model; where all are equal, all of them.
fn sets(worlds: usize) -> Outcome {
    let worlds = worlds.min(FEWER);
    println!(
        "Confidence sets at 90 % of 20 models, {RESAMPLES} resamples, {worlds} worlds: share that holds the best; mean size"
    );
    println!("  truth   n     which is the best     by MAD                 by F");
    for (n, process, name, step) in [
        (500, Process::Ar, "all: each is held", 0.0),
        (500, Process::Garch, "all: each is held", 0.0),
        (2000, Process::Garch, "all: each is held", 0.0),
        (500, Process::Garch, "one by a little", 0.03),
        (500, Process::Garch, "one by far", 0.15),
    ] {
        const MEASURES: [Measure; 2] = [Measure::Mad, Measure::F];
        let mut found = [(0usize, 0usize); 2];
        for world in 0..worlds {
            let (truth, models) = models(&mut Random::new(4, world), n, step, process);
            let inferred = inferred(truth, models, 0, &MEASURES, (RESAMPLES, 1), world as u64)?;
            for (found, measure) in found.iter_mut().zip(MEASURES) {
                let set = inferred.measure(measure).ok_or("no set")?.in_set(0.9);
                found.0 += usize::from(if step == 0.0 { set.len() == 20 } else { set.contains(&0) });
                found.1 += set.len();
            }
        }
        let cell = |(held, size): (usize, usize)| {
            format!("{}, {:4.1}", share(held as f64, worlds), size as f64 / worlds as f64)
        };
        println!("  {:<6}  {n:<4}  {name:<20}  {}   {}", process.name(), cell(found[0]), cell(found[1]));
    }
    println!();
    Ok(())
}

/// Size and power of the test against the best baseline.
fn references(worlds: usize) -> Outcome {
    let worlds = worlds.min(FEWER);
    println!(
        "Against a baseline: 19 models, {RESAMPLES} resamples, {worlds} worlds: share with p < .05 (step-down p of the best model, as a run makes it)"
    );
    println!("  truth   n     models                       by MAD           by F");
    for (n, process, name, step, baseline) in [
        (500, Process::Ar, "all equal to the baseline", 0.0, 19),
        (500, Process::Garch, "all equal to the baseline", 0.0, 19),
        (2000, Process::Garch, "all equal to the baseline", 0.0, 19),
        (500, Process::Garch, "all worse", 0.05, 0),
        (500, Process::Garch, "six better, thirteen worse", 0.05, 6),
    ] {
        const MEASURES: [Measure; 2] = [Measure::Mad, Measure::F];
        let mut found = [0usize; 2];
        for world in 0..worlds {
            let (truth, mut models) = models(&mut Random::new(5, world), n, step, process);
            models.swap(baseline, 19);
            let inferred = inferred(truth, models, 1, &MEASURES, (RESAMPLES, 1), world as u64)?;
            for (found, measure) in found.iter_mut().zip(MEASURES) {
                let known = inferred.measure(measure).ok_or("no bootstrap")?;
                let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
                // The p of the model with the best score, as the verdict takes it.
                let tested =
                    known.scores.iter().zip(&known.p_baselines).filter_map(|(s, p)| Some((sign * s, (*p)?)));
                let best = tested.max_by(|a, b| a.0.total_cmp(&b.0));
                *found += usize::from(best.ok_or("no test against the baseline")?.1 < 0.05);
            }
        }
        let cells = found.map(|f| share(f as f64, worlds)).join("  ");
        println!("  {:<6}  {n:<4}  {name:<26}  {cells}", process.name());
    }
    println!();
    Ok(())
}
