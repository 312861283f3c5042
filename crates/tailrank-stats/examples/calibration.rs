//! Do the tests and intervals of this crate keep their promises? Simulated worlds whose truth is known.
//!
//!     cargo run --release -p tailrank-stats --example calibration [worlds, 1000 if not given] [automatic | root]
//!
//! Targets follow an AR(1), some with GARCH(1,1) errors whose volatility is as persistent as that of daily returns. Variants are correlated: every one is a mix of a common and an own process.
//! The second argument leaves out the other rule for blocks. This compares the alternatives (percentile and BCa, T_R and
//! T_max, rules for blocks); what a run uses is simulated by the engine's `inference_calibration`.
#![allow(clippy::print_stdout)]

use std::error::Error;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use tailrank_stats::{
    Better, CircularShifts, Draws, Recentring, Resamples, Rescaling, SetStatistic, Studentise,
    SuperiorityTest, automatic_block_length, bca_interval, confidence_set, jackknife_scores, long_run_errors,
    luck_test, percentile_interval,
};

type Outcome = Result<(), Box<dyn Error>>;

const VARIANTS: usize = 57;

fn main() -> Outcome {
    let worlds = std::env::args().nth(1).map_or(Ok(1000), |a| a.parse())?;
    println!("{worlds} worlds each; in brackets two standard errors of the figure\n");
    luck(worlds)?;
    let rule = std::env::args().nth(2);
    let chosen = |blocks: &Blocks| rule.as_ref().is_none_or(|rule| rule == blocks.argument());
    for blocks in [Blocks::Automatic, Blocks::Root].into_iter().filter(chosen) {
        println!("--- {}\n", blocks.name());
        coverage(worlds, blocks)?;
        sets(worlds, blocks)?;
        superiority(worlds, blocks)?;
    }
    Ok(())
}

/// How long the blocks of the bootstrap are.
#[derive(Clone, Copy)]
enum Blocks {
    Automatic,
    Root,
}

impl Blocks {
    fn argument(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Root => "root",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Automatic => "Blocks by Politis & White",
            Self::Root => "Blocks by Politis & White, at least the root of n",
        }
    }

    fn length(self, series: &[f64]) -> Result<f64, Box<dyn Error>> {
        let automatic = automatic_block_length(series)?.stationary;
        let least = if matches!(self, Self::Root) { (series.len() as f64).sqrt() } else { 1.0 };
        Ok(automatic.max(least))
    }
}

/// Whether volatility comes in clusters.
#[derive(Clone, Copy)]
enum Kind {
    Ar,
    Garch,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Ar => "AR",
            Self::Garch => "GARCH",
        }
    }
}

/// Normal numbers and the processes made of them.
struct Random(ChaCha8Rng);

impl Random {
    fn new(part: u64, world: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(part);
        random.set_stream(world as u64);
        Self(random)
    }

    /// Box & Muller (1958).
    fn normal(&mut self) -> f64 {
        let mut unit = || ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos()
    }

    fn returns(&mut self, n: usize) -> Vec<f64> {
        self.series(n, Kind::Garch)
    }

    /// An AR(1) with coefficient .2 and errors of variance 1, normal or GARCH(1,1), started 200 steps earlier.
    fn series(&mut self, n: usize, kind: Kind) -> Vec<f64> {
        let (mut variance, mut error, mut value) = (1.0, 0.0, 0.0);
        let steps = (0..n + 200).map(|_| {
            if let Kind::Garch = kind {
                variance = 0.05 + 0.08 * error * error + 0.87 * variance;
            }
            error = f64::sqrt(variance) * self.normal();
            value = 0.2 * value + error;
            value
        });
        steps.skip(200).collect()
    }
}

/// A share of worlds in per cent with its error.
fn share(count: usize, worlds: usize) -> String {
    let p = count as f64 / worlds as f64;
    format!("{:5.1} % (±{:.1})", 100.0 * p, 200.0 * (p * (1.0 - p) / worlds as f64).sqrt())
}

/// F of signals beyond `limit` on both sides: twice the hits over signals and events.
struct Signals {
    at: Vec<(usize, bool)>,
}

impl Signals {
    fn of(predictions: &[f64], limit: f64) -> Self {
        let beyond = predictions.iter().enumerate().filter(|(_, p)| p.abs() > limit);
        Self { at: beyond.map(|(i, p)| (i, *p > 0.0)).collect() }
    }

    /// `events` holds 1 and −1 on events of either side.
    fn f(&self, events: &[i8], count: usize, shift: usize) -> f64 {
        let n = events.len();
        let hit = |&(i, up): &(usize, bool)| events[(i + n - shift) % n] == if up { 1 } else { -1 };
        2.0 * self.at.iter().filter(|s| hit(s)).count() as f64 / (self.at.len() + count) as f64
    }
}

/// The best F of 57 variants against the best under common shifts, without and with skill.
fn luck(worlds: usize) -> Outcome {
    let (n, limit, excluded, draws) = (1000, 1.5, 27, 199);
    println!("Luck: best F of {VARIANTS} variants against its maximum under {draws} common shifts, n = {n}");
    println!(
        "  skill of one variant (its correlation with the target)   p < .05 for the best of all   for a variant alone"
    );
    for skill in [0.0f64, 0.1, 0.2, 0.3, 0.4] {
        let (mut rejected, mut alone) = (0, 0);
        for world in 0..worlds {
            let mut random = Random::new(1, world);
            let truth = random.returns(n);
            let common = random.returns(n);
            let events: Vec<i8> =
                truth.iter().map(|y| i8::from(*y > limit) - i8::from(*y < -limit)).collect();
            let count = events.iter().filter(|e| **e != 0).count();
            let signals: Vec<Signals> = (0..VARIANTS)
                .map(|v| {
                    let own = random.returns(n);
                    let (a, b) = (0.7f64.sqrt(), 0.3f64.sqrt());
                    let own_skill = if v == 0 { skill } else { 0.0 };
                    let rest = (1.0 - own_skill * own_skill).sqrt();
                    let mix = |i: usize| own_skill * truth[i] + rest * (a * common[i] + b * own[i]);
                    Signals::of(&(0..n).map(mix).collect::<Vec<_>>(), limit)
                })
                .collect();
            let shifts = CircularShifts::new(&[n], excluded, draws, world as u64)?;
            let shift: Vec<usize> = (0..draws).map(|d| shifts.shifts(d)[0]).collect();
            let observed: Vec<f64> = signals.iter().map(|s| s.f(&events, count, 0)).collect();
            let columns: Vec<Vec<f64>> =
                signals.iter().map(|s| shift.iter().map(|&by| s.f(&events, count, by)).collect()).collect();
            let test = luck_test(&observed, &Draws::from_columns(&columns)?, Better::Higher)?;
            rejected += usize::from(test.p_best <= 0.05);
            alone += usize::from(test.p_values[0] <= 0.05);
        }
        println!("  {skill:>55}   {:>27}   {:>20}", share(rejected, worlds), share(alone, worlds));
    }
    println!();
    Ok(())
}

/// The terms of one forecast: absolute error, squared error weighted towards the tails, gain of a trade, hit, signals + events.
fn forecast_terms(random: &mut Random, n: usize, limit: f64, kind: Kind) -> Vec<Vec<f64>> {
    let truth = random.series(n + 1, kind);
    let mut terms = vec![Vec::new(); 5];
    for pair in truth.windows(2) {
        let (forecast, y) = (0.8 * pair[0] + 0.6 * random.normal(), pair[1]);
        let side = |v: f64| i8::from(v > limit) - i8::from(v < -limit);
        let error = y - forecast;
        terms[0].push(error.abs());
        terms[1].push(error * error * (y.abs() / limit).min(1.0));
        terms[2].push(if side(forecast) == 0 { 0.0 } else { f64::from(side(forecast)) * y });
        terms[3].push(f64::from(side(y) != 0 && side(y) == side(forecast)));
        terms[4].push(f64::from(side(y) != 0) + f64::from(side(forecast) != 0));
    }
    terms
}

/// The scores of [`forecast_terms`]: means and F.
fn finish(sums: &[f64], n: f64) -> [f64; 4] {
    [sums[0] / n, sums[1] / n, sums[2] / n, 2.0 * sums[3] / sums[4]]
}

/// Coverage of 95 % intervals.
fn coverage(worlds: usize, blocks: Blocks) -> Outcome {
    const NAMES: [&str; 4] = ["mean absolute error", "tail-weighted squared error", "gain per case", "F"];
    println!("Intervals at 95 %, stationary bootstrap, 499 draws: share that holds the truth");
    println!(
        "  truth  n      block  mean hits   score                          percentile       BCa              rescaled"
    );
    for (kind, n, limit) in
        [(Kind::Ar, 2000, 1.5), (Kind::Garch, 2000, 1.5), (Kind::Ar, 500, 1.5), (Kind::Garch, 500, 1.5)]
    {
        let total = 1_000_000;
        let long = forecast_terms(&mut Random::new(2, usize::MAX), total, limit, kind);
        let sums: Vec<f64> = long.iter().map(|t| t.iter().sum()).collect();
        let truth = finish(&sums, total as f64);
        let (mut hits, mut length, mut inside) = (0.0, 0.0, [[0; 3]; 4]);
        let rescaling = Rescaling::new(0.95)?;
        for world in 0..worlds {
            let terms = forecast_terms(&mut Random::new(3, world), n, limit, kind);
            hits += terms[3].iter().sum::<f64>();
            let block = blocks.length(&terms[0])?;
            length += block;
            let resamples = Resamples::stationary(n, block, 499, world as u64)?;
            let score = |s: &[f64], out: &mut [f64]| out.copy_from_slice(&finish(s, n as f64));
            let scores = resamples.scores(&terms, 5, 4, score)?;
            let errors = long_run_errors(&terms, 4, score)?;
            let sums: Vec<f64> = terms.iter().map(|t| t.iter().sum()).collect();
            let estimate = finish(&sums, n as f64);
            for (m, draws) in scores.iter().enumerate() {
                // Without a block's cases the means are over fewer cases; their skewness is what counts.
                let jackknife = jackknife_scores(&terms, block.ceil() as usize, |s| finish(s, n as f64)[m])?;
                let values = draws.clone().fill_undefined(0.0);
                let percentile = percentile_interval(estimate[m], values.column(0), 0.95)?;
                let holds = |i: tailrank_stats::Interval| i.lower <= truth[m] && truth[m] <= i.upper;
                inside[m][0] += usize::from(holds(percentile));
                // Where BCa is undefined the percentile interval stands in, as a run would do.
                let bca = bca_interval(estimate[m], values.column(0), &jackknife, 0.95).unwrap_or(percentile);
                inside[m][1] += usize::from(holds(bca));
                inside[m][2] += usize::from(holds(rescaling.interval(percentile, errors[m])));
            }
        }
        for (name, [percentile, bca, rescaled]) in NAMES.iter().zip(inside) {
            let (mean_hits, mean_block) = (hits / worlds as f64, length / worlds as f64);
            println!(
                "  {:<5}  {n:<5}  {mean_block:>5.1}  {mean_hits:>9.1}   {name:<28}  {}   {}   {}",
                kind.name(),
                share(percentile, worlds),
                share(bca, worlds),
                share(rescaled, worlds)
            );
        }
    }
    println!();
    Ok(())
}

/// Squared errors of 20 models whose own noise grows by `step` from one to the next.
fn losses(random: &mut Random, n: usize, step: f64, kind: Kind) -> Vec<Vec<f64>> {
    let common = random.series(n, kind);
    let model = |m: usize, random: &mut Random| {
        let size = 0.5 * (1.0 + step * m as f64);
        let own = random.series(n, kind);
        common.iter().zip(&own).map(|(c, o)| (c + size * o).powi(2)).collect()
    };
    (0..20).map(|m| model(m, random)).collect()
}

/// Whether the 90 % set holds the best model, and all models if they are equal.
fn sets(worlds: usize, blocks: Blocks) -> Outcome {
    println!(
        "Confidence sets at 90 % of 20 models, n = 500, 499 draws: share that holds the true best; mean size"
    );
    println!("  truth  differences                  T_R                    T_max");
    for (kind, name, step) in [
        (Kind::Ar, "none (all 20 must be held)", 0.0),
        (Kind::Garch, "none (all 20 must be held)", 0.0),
        (Kind::Ar, "small", 0.03),
        (Kind::Garch, "small", 0.03),
        (Kind::Garch, "large", 0.15),
    ] {
        let mut found = [(0, 0usize); 2];
        for world in 0..worlds {
            let losses = losses(&mut Random::new(4, world), 500, step, kind);
            let block = blocks.length(&losses[0])?;
            let resamples = Resamples::stationary(500, block, 499, world as u64)?;
            for (found, statistic) in found.iter_mut().zip([SetStatistic::Range, SetStatistic::Max]) {
                let members = confidence_set(&losses, &resamples, statistic)?.members(0.9);
                let held = if step == 0.0 { members.len() == 20 } else { members.contains(&0) };
                found.0 += usize::from(held);
                found.1 += members.len();
            }
        }
        let cell = |(held, size): (usize, usize)| {
            format!("{}, {:4.1}", share(held, worlds), size as f64 / worlds as f64)
        };
        println!("  {:<5}  {name:<26} {}  {}", kind.name(), cell(found[0]), cell(found[1]));
    }
    println!();
    Ok(())
}

/// Size and power of the tests against a benchmark.
fn superiority(worlds: usize, blocks: Blocks) -> Outcome {
    println!(
        "Against a benchmark: 19 models, n = 500, 499 draws: share with p < .05; a false or true model found by steps"
    );
    println!("  truth  models                       SPA consistent    not studentised    stepwise");
    for (kind, name, step, benchmark) in [
        (Kind::Ar, "all equal to the benchmark", 0.0, 0),
        (Kind::Garch, "all equal to the benchmark", 0.0, 0),
        (Kind::Garch, "all worse", 0.05, 0),
        (Kind::Garch, "six better, thirteen worse", 0.05, 6),
    ] {
        let mut found = [0; 3];
        for world in 0..worlds {
            let mut losses = losses(&mut Random::new(5, world), 500, step, kind);
            losses.swap(0, benchmark);
            let block = blocks.length(&losses[0])?;
            let resamples = Resamples::stationary(500, block, 499, world as u64)?;
            let test = |s| SuperiorityTest::from_losses(&losses[0], &losses[1..], &resamples, s);
            let studentised = test(Studentise::Yes)?;
            found[0] += usize::from(studentised.spa().p_consistent < 0.05);
            found[1] += usize::from(test(Studentise::No)?.spa().p_consistent < 0.05);
            found[2] += usize::from(!studentised.superior_models(0.05, Recentring::Consistent)?.is_empty());
        }
        println!(
            "  {:<5}  {name:<26} {}   {}   {}",
            kind.name(),
            share(found[0], worlds),
            share(found[1], worlds),
            share(found[2], worlds)
        );
    }
    println!();
    Ok(())
}
