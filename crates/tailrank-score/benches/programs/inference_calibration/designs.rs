//! Worlds by how their cases depend on each other. A world draws as many columns of one law as asked for,
//! independent of each other.

use tailrank_score::score::{Predictions, RowDesign, TaskInference, TaskTruth, VariantStatus};

use super::{
    ask::{Asked, Events, MEASURES, Outcome, inferred, settings},
    worlds::{Process, Random},
};

/// A law of truth and predictions, and what a run is told of it.
pub(crate) struct Design {
    pub(crate) name: &'static str,
    /// One column of values, a row each.
    pub(crate) column: fn(&mut Random) -> Vec<f64>,
    pub(crate) rows: fn(usize) -> RowDesign,
    pub(crate) events: Events,
    /// Steps ahead and lags, for series.
    pub(crate) series: Option<(usize, usize)>,
    /// Test periods.
    pub(crate) windows: usize,
    /// Models without skill of this truth.
    pub(crate) models: fn(&Design, &mut Random, &[f64]) -> Vec<Vec<f64>>,
}

/// Models of a world.
pub(crate) const MODELS: usize = 5;

/// Predictions that depend on each other as the truth does, and not on it.
fn unrelated(design: &Design, random: &mut Random, _: &[f64]) -> Vec<Vec<f64>> {
    (0..MODELS).map(|_| (design.column)(random)).collect()
}

/// The mean of the last one to five values, at the size of one.
fn momentum(_: &Design, _: &mut Random, truth: &[f64]) -> Vec<Vec<f64>> {
    let of = |k: usize| {
        let past = |t: usize| truth[t.saturating_sub(k)..t].iter().sum::<f64>() / (k as f64).sqrt();
        (0..truth.len()).map(past).collect()
    };
    (1..=MODELS).map(of).collect()
}

impl Design {
    const fn table(
        name: &'static str,
        column: fn(&mut Random) -> Vec<f64>,
        rows: fn(usize) -> RowDesign,
    ) -> Self {
        Self { name, column, rows, events: Events::Beyond(1.2), series: None, windows: 1, models: unrelated }
    }

    const fn series(name: &'static str, column: fn(&mut Random) -> Vec<f64>) -> Self {
        Self { series: Some((1, 5)), ..Self::table(name, column, alone) }
    }
}

fn alone(_: usize) -> RowDesign {
    RowDesign::default()
}

fn dates(n: usize) -> RowDesign {
    RowDesign { steps: Some((0..n).collect()), ..RowDesign::default() }
}

const SYMBOLS: usize = 12;

fn panel(n: usize) -> RowDesign {
    let steps = Some((0..n).map(|i| i / SYMBOLS).collect());
    let entities = Some((0..n).map(|i| i % SYMBOLS).collect());
    RowDesign { steps, entities, ..RowDesign::default() }
}

/// A quarter of the variance is common to all symbols of a date; the rest has heavy tails.
fn common_dates(random: &mut Random) -> Vec<f64> {
    let date = |r: &mut Random| {
        let common = 0.5 * r.normal();
        (0..SYMBOLS).map(|_| common + 0.866 * r.heavy()).collect::<Vec<f64>>()
    };
    (0..100).flat_map(|_| date(random)).collect()
}

/// The same with half of the variance in common, as a moving average over four dates.
fn waves_of_dates(random: &mut Random) -> Vec<f64> {
    let noise = random.normals(150 + 3);
    let common = noise.windows(4).map(|w| 0.5 * w.iter().sum::<f64>());
    common.flat_map(|c| (0..SYMBOLS).map(|_| 0.707 * (c + random.normal())).collect::<Vec<_>>()).collect()
}

fn grouped(random: &mut Random, sizes: impl Iterator<Item = usize>) -> Vec<f64> {
    let group = |r: &mut Random, size: usize| {
        let common = 0.6 * r.heavy();
        (0..size).map(|_| common + 0.8 * r.normal()).collect::<Vec<f64>>()
    };
    sizes.flat_map(|size| group(random, size)).collect()
}

const GROUP: usize = 8;

fn equal_groups(n: usize) -> RowDesign {
    RowDesign { groups: Some((0..n).map(|i| i / GROUP).collect()), ..RowDesign::default() }
}

fn sizes() -> impl Iterator<Item = usize> {
    (0..60).map(|g| 1 + (g * 7) % 11)
}

fn uneven_groups(_: usize) -> RowDesign {
    let groups = sizes().enumerate().flat_map(|(g, size)| vec![g; size]).collect();
    RowDesign { groups: Some(groups), ..RowDesign::default() }
}

/// Steps that a label reaches ahead.
const SPAN: usize = 20;

fn overlapping(n: usize) -> RowDesign {
    RowDesign { label_span: SPAN, ..dates(n) }
}

fn sums_ahead(random: &mut Random) -> Vec<f64> {
    let noise = random.normals(900 + SPAN - 1);
    let scale = 1.0 / (SPAN as f64).sqrt();
    noise.windows(SPAN).map(|w| scale * w.iter().sum::<f64>()).collect()
}

/// Values that are rarely large, as of claims or rainfall: exponential, less its mean.
fn skewed(random: &mut Random) -> Vec<f64> {
    let exponential = |r: &mut Random| 0.5 * (r.normal().powi(2) + r.normal().powi(2)) - 1.0;
    (0..260).map(|_| exponential(random)).collect()
}

pub(crate) static DESIGNS: [Design; 15] = [
    Design::table("independent cases, heavy tails", |r| (0..220).map(|_| r.heavy()).collect(), alone),
    Design {
        events: Events::Beyond(2.2),
        ..Design::table("few events (11 of 400)", |r| r.normals(400), alone)
    },
    Design { events: Events::Above(1.4), ..Design::table("skewed target", skewed, alone) },
    Design { models: momentum, ..Design::series("random walk's returns, momentum", |r| r.normals(650)) },
    Design::series("series, AR(.65)", |r| r.series(450, Process::Ar(0.65))),
    Design::series("series, MA(3)", |r| r.series(350, Process::MovingAverage)),
    Design::series("series, GARCH", |r| r.series(1800, Process::Garch)),
    Design {
        windows: 5,
        ..Design::series("series in 5 windows, volatility", |r| r.series(600, Process::Volatility))
    },
    Design::table("panel, 12 symbols × 100 dates", common_dates, panel),
    Design::table("panel, dates MA(3)", waves_of_dates, panel),
    Design::table("groups, 40 × 8 rows", |r| grouped(r, [GROUP; 40].into_iter()), equal_groups),
    Design::table("60 groups of 1 to 11 rows", |r| grouped(r, sizes()), uneven_groups),
    Design::table("dated table, AR(.85)", |r| r.series(500, Process::Ar(0.85)), dates),
    Design::table("dated table, AR(.98)", |r| r.series(500, Process::Ar(0.98)), dates),
    Design::table("labels over 20 steps", sums_ahead, overlapping),
];

impl Design {
    pub(crate) fn random(&self, part: u64, world: usize) -> Random {
        let place = DESIGNS.iter().position(|d| d.name == self.name).unwrap_or(DESIGNS.len());
        Random::new(part, world + 100_000 * place)
    }

    /// What a run finds; the baselines come last.
    pub(crate) fn found(
        &self,
        truth: &[f64],
        models: Vec<Vec<f64>>,
        baselines: usize,
        draws: (usize, usize),
        seed: u64,
    ) -> Outcome<TaskInference> {
        let of_window = truth.len() / self.windows;
        let rows = |w: usize| w * of_window..(w + 1) * of_window;
        let part = |w: usize| -> Outcome<TaskTruth> {
            let truth = TaskTruth::new(truth[rows(w)].to_vec(), settings(self.events)?);
            Ok(TaskTruth { rows: rows(w).collect(), ..truth })
        };
        let parts = (0..self.windows).map(part).collect::<Outcome<Vec<_>>>()?;
        let of = |values: Vec<f64>| Predictions {
            status: VariantStatus::Fine,
            parts: (0..self.windows).map(|w| values[rows(w)].to_vec()).collect(),
        };
        let predictions: Vec<Predictions> = models.into_iter().map(of).collect();
        let asked = Asked {
            baselines,
            horizon: self.series.map(|s| s.0),
            lags: self.series.map_or(0, |s| s.1),
            design: &(self.rows)(truth.len()),
            tests: 1,
            measures: &MEASURES,
            draws,
            seed,
        };
        inferred(&parts, &predictions, &asked)
    }
}
