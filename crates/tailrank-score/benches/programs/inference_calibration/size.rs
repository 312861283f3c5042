//! Size and power of the tests, and coverage of the intervals, design by design.

use tailrank_metrics::{Measure, Score, Scorer};
use tailrank_score::score::TaskInference;
use tailrank_stats::{Alternative, LongRunVariance, diebold_mariano};

use super::{
    ask::{MEASURES, Outcome, p_values, settings},
    designs::{DESIGNS, Design, MODELS},
    report::{Part, Promise, Row},
    worlds::{Process, Random},
};

/// Resamples and shifts where nothing is known of a truth: a Monte Carlo test has its size with any number B
/// for which .05·(B + 1) is whole; more would only add power.
const DRAWS: (usize, usize) = (299, 199);
/// Resamples behind intervals and tests of equal models; those of chance are not looked at.
const RESAMPLES: (usize, usize) = (500, 19);

/// Counts of one share: how many answers, and how many of them count.
#[derive(Clone, Copy, Default)]
struct Tally(usize, usize);

impl Tally {
    fn add(&mut self, found: Option<bool>) {
        self.0 += usize::from(found.is_some());
        self.1 += usize::from(found == Some(true));
    }

    fn row(self, world: &str, what: &str, measure: &str, replications: usize, promise: Promise) -> Row {
        Row {
            world: world.to_owned(),
            what: what.to_owned(),
            measure: measure.to_owned(),
            replications,
            answered: self.0,
            count: self.1,
            promise,
        }
    }
}

/// Rows of one tally for each measure.
fn rows(tallies: &[Tally], world: &str, what: &str, worlds: usize, promise: Promise) -> Vec<Row> {
    let row = |(tally, measure): (&Tally, Measure)| tally.row(world, what, measure.id(), worlds, promise);
    tallies.iter().zip(MEASURES).map(row).collect()
}

/// Whether the best model by MAD beats a baseline by a plain Diebold–Mariano test, one-sided, with no thought
/// of the choice.
fn plain_test(truth: &[f64], models: &[Vec<f64>], baseline: &[f64], horizon: usize) -> Option<bool> {
    let losses = |m: &[f64]| -> Vec<f64> { truth.iter().zip(m).map(|(y, z)| (z - y).abs()).collect() };
    let all: Vec<Vec<f64>> = models.iter().map(|m| losses(m)).collect();
    let sum = |l: &Vec<f64>| l.iter().sum::<f64>();
    let best = all.iter().min_by(|a, b| sum(a).total_cmp(&sum(b)))?;
    let test =
        diebold_mariano(best, &losses(baseline), horizon, LongRunVariance::Rectangular, Alternative::Less)
            .ok()?;
    Some(test.p_value <= 0.05)
}

/// How often tests say that a model is good, world by world.
struct Rejections {
    chance: [Tally; MEASURES.len()],
    verdict: [Tally; MEASURES.len()],
    side: Tally,
    plain: Tally,
}

fn rejections(
    worlds: usize,
    mut world: impl FnMut(usize) -> Outcome<(Vec<f64>, Vec<Vec<f64>>, TaskInference)>,
    horizon: usize,
) -> Outcome<Rejections> {
    let none = [Tally::default(); MEASURES.len()];
    let mut found =
        Rejections { chance: none, verdict: none, side: Tally::default(), plain: Tally::default() };
    for w in 0..worlds {
        let (truth, models, inference) = world(w)?;
        for (m, &measure) in MEASURES.iter().enumerate() {
            let Some(of) = inference.measure(measure) else { continue };
            let [chance, _, verdict] = p_values(of, &inference.variants);
            found.chance[m].add(chance.map(|p| p <= 0.05));
            found.verdict[m].add(verdict.map(|p| p <= 0.05));
            if measure == Measure::F {
                found.side.add(of.direction.as_ref().map(|d| d.p <= 0.05));
            }
        }
        found.plain.add(plain_test(&truth, &models, &vec![0.0; truth.len()], horizon));
    }
    Ok(found)
}

impl Rejections {
    fn rows(&self, world: &str, worlds: usize, promises: [Promise; 2]) -> Vec<Row> {
        let mut all = rows(&self.chance, world, "chance", worlds, promises[0]);
        all.extend(rows(&self.verdict, world, "verdict", worlds, promises[1]));
        if self.side.0 > 0 {
            all.push(self.side.row(world, "side of the signals", Measure::F.id(), worlds, promises[1]));
        }
        all.push(self.plain.row(world, "plain Diebold–Mariano", Measure::Mad.id(), worlds, Promise::Nothing));
        all
    }
}

fn with_mean(models: &[Vec<f64>], cases: usize) -> Vec<Vec<f64>> {
    models.iter().cloned().chain([vec![0.0; cases]]).collect()
}

/// No skill: the best of five models against chance, and the verdict.
pub(crate) fn size(worlds: usize, only: &str) -> Outcome<Part> {
    let mut all = Vec::new();
    for design in DESIGNS.iter().filter(|d| d.name.contains(only)) {
        let world = |w: usize| {
            let mut random = design.random(171, w);
            let truth = (design.column)(&mut random);
            let models = (design.models)(design, &mut random, &truth);
            let found = design.found(&truth, with_mean(&models, truth.len()), 1, DRAWS, w as u64)?;
            Ok((truth, models, found))
        };
        let found = rejections(worlds, world, 1)?;
        all.extend(found.rows(design.name, worlds, [exactness(design), Promise::Size]));
    }
    Ok(Part {
        name: "size",
        heading: "Size: no model has skill",
        says: format!(
            "How often, in per cent, the best of {MODELS} models without skill is called better than chance, and gets the verdict *use* \
             (better than chance and than the mean) at 5 %. Beside it what a plain Diebold–Mariano test of the best model against the \
             mean would say."
        ),
        rows: all,
    })
}

/// Exchanges of independent units are exact; shifts in time and groups of several sizes nearly so.
fn exactness(design: &Design) -> Promise {
    if design.name.contains("cases") || design.name.contains("×") { Promise::Exact } else { Promise::Size }
}

/// Signal, truth and models of a world with skill: the truth is .3 times the signal and noise; one model
/// knows the signal at its right size, one exaggerates it, three have no skill.
fn planted(signal: Vec<f64>, noise: Vec<f64>, others: [Vec<f64>; 3]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let rest = f64::sqrt(1.0 - SKILL * SKILL);
    let truth = signal.iter().zip(&noise).map(|(s, e)| SKILL * s + rest * e).collect();
    let right = signal.iter().map(|s| SKILL * s).collect();
    (truth, [right, signal].into_iter().chain(others).collect())
}

const SKILL: f64 = 0.3;

/// A model of five knows something: an AR(.3), a table, a panel.
pub(crate) fn power(worlds: usize, only: &str) -> Outcome<Part> {
    type Make = fn(&Design, &mut Random) -> (Vec<f64>, Vec<Vec<f64>>);
    let by_signal: Make = |design, r| {
        let mut column = || (design.column)(r);
        planted(column(), column(), [column(), column(), column()])
    };
    let by_past: Make = |_, r| {
        let series = r.series(501, Process::Ar(SKILL));
        let mut noise = || r.series(500, Process::Ar(SKILL));
        let models = [
            series[..500].iter().map(|s| SKILL * s).collect(),
            series[..500].to_vec(),
            noise(),
            noise(),
            noise(),
        ];
        (series[1..].to_vec(), models.to_vec())
    };
    let named = |name: &str| DESIGNS.iter().find(|d| d.name.contains(name)).ok_or("no such design");
    let mut all = Vec::new();
    for (name, design, make) in [
        ("planted AR(.3), 500 steps", named("AR(.65)")?, by_past),
        ("planted table, 220 rows", named("independent")?, by_signal),
        ("planted panel, 12 × 100", named("12 symbols")?, by_signal),
    ] {
        if !name.contains(only) {
            continue;
        }
        let world = |w: usize| {
            let (truth, models) = make(design, &mut Random::new(172, w));
            let found = design.found(&truth, with_mean(&models, truth.len()), 1, DRAWS, w as u64)?;
            Ok((truth, models, found))
        };
        all.extend(rejections(worlds, world, 1)?.rows(name, worlds, [Promise::Nothing; 2]));
    }
    Ok(Part {
        name: "power",
        heading: "Power: one signal in ten of the variance",
        says: "How often the same tests find two models of five that know a signal with correlation .3. The plain Diebold–Mariano \
               test finds more by MAD, because it counts neither the choice among models nor what depends on time: among equal models its own \
               size is shown below."
            .to_owned(),
        rows: all,
    })
}

/// How much of the truth each of the equal models knows.
const KNOWN: f64 = 0.6;

/// Equal models: intervals of scores, the test against a baseline, pairs, confidence sets.
pub(crate) fn equal(worlds: usize, only: &str) -> Outcome<Part> {
    let mut all = Vec::new();
    for design in DESIGNS.iter().filter(|d| d.name.contains(only) && !d.name.contains("momentum")) {
        all.extend(equal_in(design, worlds)?);
    }
    Ok(Part {
        name: "equal",
        heading: "Equal models: intervals and comparisons",
        says: format!(
            "{MODELS} models of equal skill, the last of which is the baseline. Intervals: share of the 95 % intervals without a mark that \
             hold the score on endless data, and the same of those that a run marks as resting on few cases or hits. Baseline and \
             pairs: how often any model is called different at 5 %; beside it a plain Diebold–Mariano test of the best model \
             against the baseline. Set: share of the 90 % confidence sets that hold all models."
        ),
        rows: all,
    })
}

fn equal_world(design: &Design, random: &mut Random) -> (Vec<f64>, Vec<Vec<f64>>) {
    let truth = (design.column)(random);
    let model = |own: Vec<f64>| truth.iter().zip(own).map(|(y, e)| KNOWN * (y + e)).collect();
    let models = (0..MODELS).map(|_| (design.column)(random)).map(model).collect();
    (truth, models)
}

fn equal_in(design: &Design, worlds: usize) -> Outcome<Vec<Row>> {
    let scores = true_scores(design)?;
    let none = [Tally::default(); MEASURES.len()];
    let [mut plain, mut marked, mut baseline, mut set, mut marked_set] = [none; 5];
    let (mut pairs, mut plain_pair) = (vec![none; 3], Tally::default());
    for w in 0..worlds {
        let (truth, models) = equal_world(design, &mut design.random(173, w));
        let (last, others) = models.split_last().ok_or("no models")?;
        plain_pair.add(plain_test(&truth, others, last, 1));
        let found = design.found(&truth, models, 1, RESAMPLES, w as u64)?;
        for (m, &measure) in MEASURES.iter().enumerate() {
            let Some(of) = found.measure(measure) else { continue };
            let held = of.intervals[0].map(|i| i.lower <= scores[m] && scores[m] <= i.upper);
            let intervals = if of.cautions[0].is_some() { &mut marked } else { &mut plain };
            intervals[m].add(held);
            let any = of.p_baselines.iter().flatten().any(|&p| p < 0.05);
            baseline[m].add(of.p_baselines.iter().any(Option::is_some).then_some(any));
            let is_marked = of.cautions.iter().any(Option::is_some);
            let set = if is_marked { &mut marked_set } else { &mut set };
            set[m].add(of.set_reason.is_none().then(|| of.in_set(0.9).len() == MODELS));
            for (pairs, id) in pairs.iter_mut().zip(PAIRS) {
                let of_measure = found.pairwise.iter().filter(|p| p.measure == measure);
                let p: Vec<f64> = of_measure.filter_map(|p| Some(p.test(id)?.p_holm)).collect();
                pairs[m].add((!p.is_empty()).then(|| p.iter().any(|&p| p < 0.05)));
            }
        }
    }
    let name = design.name;
    let mut all = rows(&plain, name, "interval", worlds, Promise::Coverage);
    all.extend(rows(&marked, name, "interval, marked", worlds, Promise::Nothing));
    all.extend(rows(&baseline, name, "baseline", worlds, Promise::Size));
    all.extend(rows(&set, name, "set", worlds, Promise::AtLeast(0.88)));
    all.extend(rows(&marked_set, name, "set, marked", worlds, Promise::Nothing));
    for (tallies, id) in pairs.iter().zip(PAIRS) {
        all.extend(rows(tallies, name, &format!("pairs, {id}"), worlds, Promise::Size));
    }
    all.push(plain_pair.row(name, "plain Diebold–Mariano", Measure::Mad.id(), worlds, Promise::Nothing));
    all.retain(|r| r.answered > 0);
    Ok(all)
}

const PAIRS: [&str; 3] = ["dm", "wilcoxon", "resampled_t"];

/// The scores of a model on 400,000 cases or more, of as many worlds.
fn true_scores(design: &Design) -> Outcome<Vec<f64>> {
    let (mut truth, mut predicted) = (Vec::new(), Vec::new());
    for w in 0.. {
        let (y, models) = equal_world(design, &mut design.random(174, w));
        truth.extend(y);
        predicted.extend(&models[0]);
        if truth.len() > 400_000 {
            break;
        }
    }
    let scores = Scorer::new(&truth, settings(design.events)?)?.score(&predicted, &MEASURES)?;
    // SERA is a sum: that of one world has its own number of cases.
    let of_one = (design.column)(&mut design.random(174, 0)).len() as f64 / truth.len() as f64;
    let score = |(s, m): (&Score, Measure)| {
        let value = s.value().ok_or("the truth has no score")?;
        Ok(if m == Measure::Sera { value * of_one } else { value })
    };
    scores.iter().zip(MEASURES).map(score).collect()
}
