//! The quantities that REC05's findings are about, with their 95 % intervals over resampled blocks of days. All models share the
//! resamples, so that differences between them are as sure as they really are.

use tailrank_stats::{Resamples, automatic_block_length, percentile_interval};

use super::{CART, ERROR_AXIS, ERROR_AXIS_8, EXAMPLE, EXTREME, FOREST, NNET, SMALL, SVM, Test, rules::Range};
use crate::studies::Result;

const RESAMPLES: usize = 999;
const LEVEL: f64 = 0.95;
/// Errors at which two curves are compared: steps of a hundredth of the axis.
const GRID: usize = 100;

/// One quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistic {
    /// Share of the errors below 0.015 that fall beyond ±2 % (Fig. 3's model).
    FarOfBelow015,
    /// Share of the cases with 0.01 < Y < 0.02.
    SliceShare,
    /// Their median error over that of all cases.
    SliceRatio,
    /// Area over the curve on −0.01 < Y < 0.01: nnet − cart.
    CentreGain,
    /// The most that nnet is ahead of cart anywhere there, in shares of the range's cases.
    CentreBehind,
    /// Area over the curve below −0.03: cart − nnet.
    LowGain,
    /// Share of the cases with an error below 0.005: a − b.
    MoreSmall(usize, usize),
    /// Share of a model's errors below 0.005 that fall beyond ±2 %.
    Far(usize),
    /// Share of the cases with an error below 0.005 beyond ±2 %: a − b.
    MoreFar(usize, usize),
    /// Width of the middle 90 % of Y among the errors below 0.005: nnet − cart.
    Wider,
    /// Area over the curve to 0.06 below −2 %: nnet − model.
    GainLow(usize),
    /// The same above 2 %.
    GainHigh(usize),
}

/// All that the findings ask for.
const ALL: [Statistic; 19] = {
    use Statistic::{
        CentreBehind, CentreGain, Far, FarOfBelow015, GainHigh, GainLow, LowGain, MoreFar, MoreSmall,
        SliceRatio, SliceShare, Wider,
    };
    [
        FarOfBelow015,
        SliceShare,
        SliceRatio,
        CentreGain,
        CentreBehind,
        LowGain,
        MoreSmall(CART, NNET),
        Far(CART),
        Wider,
        GainLow(FOREST),
        GainLow(SVM),
        GainHigh(FOREST),
        GainHigh(SVM),
        MoreSmall(NNET, FOREST),
        MoreSmall(NNET, SVM),
        Far(NNET),
        MoreFar(FOREST, NNET),
        MoreFar(SVM, NNET),
        Far(FOREST),
    ]
};

/// Estimates and intervals of a test period.
pub(super) struct Statistics {
    found: Vec<(Statistic, f64, Range)>,
    /// Mean length of the blocks, in days.
    pub(super) block: f64,
}

impl Statistics {
    pub(super) fn new(test: &Test, seed: u64) -> Result<Self> {
        let days = test.truth.len();
        let block = block_length(test);
        let resamples = Resamples::stationary(days, block, RESAMPLES, seed)?;
        let draws: Vec<Vec<u32>> = (0..resamples.draws()).map(|d| resamples.rows(d)).collect();
        let all: Vec<u32> = (0..days as u32).collect();
        let mut found = Vec::new();
        for statistic in ALL {
            let estimate = statistic.of(test, &all);
            let values: Vec<f64> = draws.iter().map(|rows| statistic.of(test, rows)).collect();
            let range = percentile_interval(estimate, &values, LEVEL)
                .map_or((f64::NAN, f64::NAN), |i| (i.lower, i.upper));
            // Resampling pushes a maximum up, by about as much as the sample's own is above the truth: its interval is turned round.
            let range = if statistic == Statistic::CentreBehind {
                ((2.0 * estimate - range.1).max(0.0), (2.0 * estimate - range.0).max(0.0))
            } else {
                range
            };
            found.push((statistic, estimate, range));
        }
        Ok(Self { found, block })
    }

    fn get(&self, statistic: Statistic) -> Option<&(Statistic, f64, Range)> {
        self.found.iter().find(|(s, ..)| *s == statistic)
    }

    /// The estimate; NaN where nothing is known.
    pub(super) fn value(&self, statistic: Statistic) -> f64 {
        self.get(statistic).map_or(f64::NAN, |f| f.1)
    }

    /// The interval; NaN where nothing is known.
    pub(super) fn range(&self, statistic: Statistic) -> Range {
        self.get(statistic).map_or((f64::NAN, f64::NAN), |f| f.2)
    }
}

/// The median over the models of the length that their absolute errors ask for.
fn block_length(test: &Test) -> f64 {
    let mut lengths: Vec<f64> = (0..test.models.len())
        .filter_map(|m| {
            let errors: Vec<f64> = (0..test.truth.len()).map(|i| error(test, m, i as u32)).collect();
            Some(automatic_block_length(&errors).ok()?.stationary)
        })
        .collect();
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(1.0).max(1.0)
}

fn error(test: &Test, model: usize, row: u32) -> f64 {
    let row = row as usize;
    (test.models[model].predicted[row] - test.truth[row]).abs()
}

/// Mean of what `value` gives, over the rows in a range of the target.
fn mean_in(test: &Test, rows: &[u32], range: impl Fn(f64) -> bool, value: impl Fn(u32) -> f64) -> f64 {
    let (mut sum, mut n) = (0.0, 0usize);
    for &row in rows.iter().filter(|&&row| range(test.truth[row as usize])) {
        sum += value(row);
        n += 1;
    }
    sum / n as f64
}

fn share(rows: &[u32], is: impl Fn(u32) -> bool) -> f64 {
    rows.iter().filter(|&&row| is(row)).count() as f64 / rows.len() as f64
}

/// The value at a share of a sample, as a step curve reads it.
fn quantile(mut values: Vec<f64>, p: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (p * values.len() as f64).ceil() as usize;
    values.get(place.max(1) - 1).copied().unwrap_or(f64::NAN)
}

impl Statistic {
    /// Its value on some rows; NaN where a range holds none of them.
    pub(super) fn of(self, test: &Test, rows: &[u32]) -> f64 {
        let y = |row: u32| test.truth[row as usize];
        let far = |row: u32| y(row).abs() > EXTREME;
        let small = |m: usize, row: u32| error(test, m, row) <= SMALL;
        // ∫₀^E (1 − F) is the mean of min(ε, E).
        let area = |m: usize, axis: f64, range: &dyn Fn(f64) -> bool| {
            mean_in(test, rows, range, |row| error(test, m, row).min(axis))
        };
        let centre = |y: f64| y > -0.01 && y <= 0.01;
        match self {
            Self::FarOfBelow015 => {
                let below: Vec<u32> =
                    rows.iter().copied().filter(|&r| error(test, EXAMPLE, r) <= 0.015).collect();
                share(&below, far)
            }
            Self::SliceShare => share(rows, |r| y(r) > 0.01 && y(r) <= 0.02),
            Self::SliceRatio => {
                let errors = |keep: &dyn Fn(f64) -> bool| {
                    let kept = rows.iter().copied().filter(|&r| keep(y(r)));
                    quantile(kept.map(|r| error(test, EXAMPLE, r)).collect(), 0.5)
                };
                errors(&|y| y > 0.01 && y <= 0.02) / errors(&|_| true)
            }
            Self::CentreGain => area(NNET, ERROR_AXIS, &centre) - area(CART, ERROR_AXIS, &centre),
            Self::CentreBehind => behind(test, rows, centre),
            Self::LowGain => {
                let low = |y: f64| y <= -0.03;
                area(CART, ERROR_AXIS, &low) - area(NNET, ERROR_AXIS, &low)
            }
            Self::MoreSmall(a, b) => share(rows, |r| small(a, r)) - share(rows, |r| small(b, r)),
            Self::Far(m) => {
                let small: Vec<u32> = rows.iter().copied().filter(|&r| small(m, r)).collect();
                share(&small, far)
            }
            Self::MoreFar(a, b) => {
                share(rows, |r| small(a, r) && far(r)) - share(rows, |r| small(b, r) && far(r))
            }
            Self::Wider => {
                let width = |m: usize| {
                    let at: Vec<f64> = rows.iter().copied().filter(|&r| small(m, r)).map(y).collect();
                    quantile(at.clone(), 0.95) - quantile(at, 0.05)
                };
                width(NNET) - width(CART)
            }
            Self::GainLow(m) => {
                let low = |y: f64| y <= -EXTREME;
                area(NNET, ERROR_AXIS_8, &low) - area(m, ERROR_AXIS_8, &low)
            }
            Self::GainHigh(m) => {
                let high = |y: f64| y > EXTREME;
                area(NNET, ERROR_AXIS_8, &high) - area(m, ERROR_AXIS_8, &high)
            }
        }
    }
}

/// The most that nnet's curve is above cart's on a range, over the errors of a grid.
fn behind(test: &Test, rows: &[u32], range: impl Fn(f64) -> bool) -> f64 {
    let mut counts = vec![0i64; GRID + 1];
    let mut cases = 0usize;
    for &row in rows.iter().filter(|&&row| range(test.truth[row as usize])) {
        cases += 1;
        for (model, step) in [(NNET, 1), (CART, -1)] {
            let place = (error(test, model, row) / ERROR_AXIS * GRID as f64).ceil() as usize;
            if let Some(count) = counts.get_mut(place) {
                *count += step;
            }
        }
    }
    let mut lead = 0;
    let most = counts.iter().fold(0, |most: i64, step| {
        lead += step;
        most.max(lead)
    });
    most as f64 / cases as f64
}

#[cfg(test)]
mod tests {
    use tailrank_metrics::rec::{Interval, dominance};

    use super::*;
    use crate::studies::rec_surfaces::{MODELS, Model};

    /// 400 days of a made-up walk; four models of different boldness.
    fn made_up() -> Test {
        let truth: Vec<f64> =
            (0..400).map(|i| 0.045 * f64::sin(f64::from(i) * 0.7) * f64::cos(f64::from(i) * 0.31)).collect();
        let models = MODELS
            .iter()
            .enumerate()
            .map(|(m, (_, name))| Model {
                name,
                predicted: truth
                    .iter()
                    .enumerate()
                    .map(|(i, y)| y * 0.2 * m as f64 + 1e-3 * f64::sin(i as f64))
                    .collect(),
            })
            .collect();
        Test { truth, models }
    }

    #[test]
    fn sums_are_those_of_the_curves() {
        let test = made_up();
        let all: Vec<u32> = (0..400).collect();
        let area = |m: usize, range: Interval, axis: f64| {
            test.partial_rec(m, range).unwrap().normalised().unwrap().area_over_to(axis)
        };
        let centre = Interval::new(-0.01, 0.01).unwrap();
        let low = Interval::at_most(-0.03).unwrap();
        let pairs = [
            (Statistic::CentreGain, area(NNET, centre, ERROR_AXIS) - area(CART, centre, ERROR_AXIS)),
            (Statistic::LowGain, area(CART, low, ERROR_AXIS) - area(NNET, low, ERROR_AXIS)),
            (
                Statistic::GainHigh(SVM),
                area(NNET, Interval::over(0.02).unwrap(), ERROR_AXIS_8)
                    - area(SVM, Interval::over(0.02).unwrap(), ERROR_AXIS_8),
            ),
            (Statistic::Far(NNET), {
                let curve = test.small_errors(NNET).unwrap();
                test.small_on_extremes(NNET).unwrap() as f64 / curve.cases() as f64
            }),
            (Statistic::MoreSmall(CART, NNET), {
                let cases = |m| test.small_errors(m).unwrap().cases() as f64 / 400.0;
                cases(CART) - cases(NNET)
            }),
        ];
        for (statistic, want) in pairs {
            let got = statistic.of(&test, &all);
            assert!((got - want).abs() < 1e-12, "{statistic:?}: {got} for {want}");
        }
        let curve = |m| test.partial_rec(m, centre).unwrap().normalised().unwrap();
        let exact = dominance(&curve(CART), &curve(NNET)).second_by;
        let on_grid = Statistic::CentreBehind.of(&test, &all);
        assert!(on_grid <= exact + 1e-12 && on_grid > exact - 0.05, "{on_grid} beside {exact}");
    }

    #[test]
    fn intervals_hold_their_estimates_and_shrink_on_what_is_sure() {
        let found = Statistics::new(&made_up(), 7).unwrap();
        for statistic in ALL {
            let (low, high) = found.range(statistic);
            let value = found.value(statistic);
            assert!(low <= high, "{statistic:?}");
            // Turned round, the interval of a maximum may lie below it.
            if statistic == Statistic::CentreBehind {
                assert!(low <= value && low >= 0.0, "{value} in {low} … {high}");
            } else {
                assert!(low <= value && value <= high, "{statistic:?}: {value} in {low} … {high}");
            }
        }
        assert!(found.block >= 1.0);
        // Far(FOREST): the boldness 0 of the first model leaves no small error beyond ±2 %.
        assert_eq!(found.range(Statistic::Far(FOREST)), (0.0, 0.0));
    }
}
