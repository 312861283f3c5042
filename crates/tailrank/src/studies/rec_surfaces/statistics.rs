//! The quantities that REC05's findings are about, with their 95 % intervals over resampled blocks of days.
//! All models share the resamples, so that differences between them are as sure as they really are.

use tailrank_stats::{Resamples, automatic_block_length, percentile_interval};

use super::{CART, ERROR_AXIS, EXAMPLE, EXTREME, MODELS, NNET, SMALL, Test};
use crate::studies::prelude::*;

const RESAMPLES: usize = 999;
/// Errors at which two curves are compared: steps of a hundredth of the axis.
const GRID: usize = 100;

/// A test period with its resamples.
pub(super) struct Statistics<'a> {
    test: &'a Test,
    all: Vec<u32>,
    draws: Vec<Vec<u32>>,
    /// Mean length of the blocks, in days.
    pub(super) block: f64,
}

/// A quantity and its interval; NaN where nothing is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) range: (f64, f64),
}

impl<'a> Statistics<'a> {
    pub(super) fn new(test: &'a Test, seed: u64) -> Result<Self> {
        let days = test.truth.len();
        let block = block_length(test);
        let resamples = Resamples::stationary(days, block, RESAMPLES, seed)?;
        let draws = (0..resamples.draws()).map(|d| resamples.rows(d)).collect();
        Ok(Self { test, all: (0..days as u32).collect(), draws, block })
    }

    /// The quantity on all days, with its interval.
    pub(super) fn of(&self, quantity: impl Fn(Days<'_>) -> f64) -> Estimate {
        let on = |rows: &Vec<u32>| quantity(Days { test: self.test, rows });
        let value = on(&self.all);
        let values: Vec<f64> = self.draws.iter().map(on).collect();
        let interval = percentile_interval(value, &values, 0.95);
        Estimate { value, range: interval.map_or((f64::NAN, f64::NAN), |i| (i.lower, i.upper)) }
    }
}

impl Estimate {
    /// Resampling pushes a maximum up, by about as much as the sample's own is above the truth: its interval
    /// is turned round.
    pub(super) fn of_maximum(self) -> Self {
        let (low, high) = self.range;
        Self { range: ((2.0 * self.value - high).max(0.0), (2.0 * self.value - low).max(0.0)), ..self }
    }

    /// `0.00034 (−0.00010 to 0.00081)`.
    pub(super) fn shown(self) -> String {
        format!("{} ({} to {})", digits(self.value), digits(self.range.0), digits(self.range.1))
    }

    /// `1.2 % (0.3 to 2.0 %)`.
    pub(super) fn share(self) -> String {
        format!("{} ({:.1} to {})", percent(self.value), 100.0 * self.range.0, percent(self.range.1))
    }
}

/// The median over the models of the length that their absolute errors ask for.
fn block_length(test: &Test) -> f64 {
    let mut lengths: Vec<f64> = (0..MODELS.len())
        .filter_map(|m| {
            let errors: Vec<f64> = (0..test.truth.len()).map(|row| test.error(m, row as u32)).collect();
            automatic_block_length(&errors).ok()
        })
        .collect();
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(1.0).max(1.0)
}

/// Some days of a test period, with repetitions.
#[derive(Clone, Copy)]
pub(super) struct Days<'a> {
    test: &'a Test,
    rows: &'a [u32],
}

impl Days<'_> {
    fn y(self, row: u32) -> f64 {
        self.test.truth[row as usize]
    }

    fn in_range(self, range: impl Fn(f64) -> bool) -> impl Iterator<Item = u32> {
        self.rows.iter().copied().filter(move |&row| range(self.y(row)))
    }

    fn with_error(self, model: usize, most: f64) -> impl Iterator<Item = u32> {
        self.rows.iter().copied().filter(move |&row| self.test.error(model, row) <= most)
    }

    fn is_far(self, row: u32) -> bool {
        self.y(row).abs() > EXTREME
    }

    /// Share of the cases in a range of the target.
    pub(super) fn share_in(self, range: impl Fn(f64) -> bool) -> f64 {
        self.in_range(range).count() as f64 / self.rows.len() as f64
    }

    /// Median error in a range of the target over that of all cases (Fig. 2 to 4's model).
    pub(super) fn error_ratio(self, range: impl Fn(f64) -> bool) -> f64 {
        let median = |rows: &mut dyn Iterator<Item = u32>| {
            quantile(rows.map(|row| self.test.error(EXAMPLE, row)).collect(), 0.5)
        };
        median(&mut self.in_range(range)) / median(&mut self.in_range(|_| true))
    }

    /// Area over the curve of a model on a range of the target: ∫₀^E (1 − F) is the mean of min(ε, E).
    fn area(self, model: usize, axis: f64, range: impl Fn(f64) -> bool) -> f64 {
        mean(&self.in_range(range).map(|row| self.test.error(model, row).min(axis)).collect::<Vec<_>>())
    }

    /// By how much the second model's area over the curve is smaller on a range of the target.
    pub(super) fn gain(self, models: (usize, usize), axis: f64, range: impl Fn(f64) -> bool + Copy) -> f64 {
        self.area(models.0, axis, range) - self.area(models.1, axis, range)
    }

    /// The most that nnet's curve is above cart's on a range, in shares of its cases, over the errors of a
    /// grid.
    pub(super) fn behind(self, range: impl Fn(f64) -> bool) -> f64 {
        let mut counts = vec![0i64; GRID + 1];
        let mut cases = 0usize;
        for row in self.in_range(range) {
            cases += 1;
            for (model, step) in [(NNET, 1), (CART, -1)] {
                let place = (self.test.error(model, row) / ERROR_AXIS * GRID as f64).ceil() as usize;
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

    /// Share of a model's errors up to `most` that fall beyond ±2 %.
    pub(super) fn far_of(self, model: usize, most: f64) -> f64 {
        let (far, near): (Vec<u32>, Vec<u32>) =
            self.with_error(model, most).partition(|&row| self.is_far(row));
        far.len() as f64 / (far.len() + near.len()) as f64
    }

    /// By how much more of the cases have a small error with the first model than with the second; `far`:
    /// beyond ±2 %.
    pub(super) fn more_small(self, (a, b): (usize, usize), far: bool) -> f64 {
        let share = |model: usize| {
            let small = self.with_error(model, SMALL).filter(|&row| !far || self.is_far(row));
            small.count() as f64 / self.rows.len() as f64
        };
        share(a) - share(b)
    }

    /// By how much the middle 90 % of Y among the small errors is wider with the first model than with the
    /// second.
    pub(super) fn wider(self, (a, b): (usize, usize)) -> f64 {
        let width = |model: usize| {
            let at: Vec<f64> = self.with_error(model, SMALL).map(|row| self.y(row)).collect();
            quantile(at.clone(), 0.95) - quantile(at, 0.05)
        };
        width(a) - width(b)
    }
}

/// The value at a share of a sample, as a step curve reads it.
fn quantile(mut values: Vec<f64>, p: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (p * values.len() as f64).ceil() as usize;
    values.get(place.max(1) - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use tailrank_metrics::rec::{Interval, dominance};

    use super::*;
    use crate::studies::rec_surfaces::{ERROR_AXIS_8, FOREST, SVM, centre};

    /// 400 days of a made-up walk; four models of different boldness.
    fn made_up() -> Test {
        let truth: Vec<f64> =
            (0..400).map(|i| 0.045 * f64::sin(f64::from(i) * 0.7) * f64::cos(f64::from(i) * 0.31)).collect();
        let forecast = |m: usize, (i, y): (usize, &f64)| y * 0.2 * m as f64 + 1e-3 * f64::sin(i as f64);
        let of = |m| truth.iter().enumerate().map(|day| forecast(m, day)).collect::<Vec<f64>>();
        let predicted = (0..MODELS.len()).map(of).collect();
        Test { truth, predicted }
    }

    #[test]
    fn sums_are_those_of_the_curves() {
        let test = made_up();
        let rows: Vec<u32> = (0..400).collect();
        let days = Days { test: &test, rows: &rows };
        let area = |m: usize, range: Interval, axis: f64| {
            test.partial_rec(m, range).unwrap().normalised().unwrap().area_over_to(axis)
        };
        let middle = Interval::new(-0.01, 0.01).unwrap();
        let high = Interval::over(0.02).unwrap();
        let small = |m| test.small_errors(m).unwrap().cases() as f64;
        let pairs = [
            (
                days.gain((NNET, CART), ERROR_AXIS, centre),
                area(NNET, middle, ERROR_AXIS) - area(CART, middle, ERROR_AXIS),
            ),
            (
                days.gain((NNET, SVM), ERROR_AXIS_8, |y| y > EXTREME),
                area(NNET, high, ERROR_AXIS_8) - area(SVM, high, ERROR_AXIS_8),
            ),
            (days.far_of(NNET, SMALL), test.small_on_extremes(NNET).unwrap() as f64 / small(NNET)),
            (days.more_small((CART, NNET), false), small(CART) / 400.0 - small(NNET) / 400.0),
        ];
        for (i, (got, want)) in pairs.into_iter().enumerate() {
            assert!((got - want).abs() < 1e-12, "{i}: {got} for {want}");
        }
        let curve = |m| test.partial_rec(m, middle).unwrap().normalised().unwrap();
        let exact = dominance(&curve(CART), &curve(NNET)).second_by;
        let on_grid = days.behind(centre);
        assert!(on_grid <= exact + 1e-12 && on_grid > exact - 0.05, "{on_grid} beside {exact}");
    }

    #[test]
    fn intervals_hold_their_estimates_and_shrink_on_what_is_sure() {
        let test = made_up();
        let found = Statistics::new(&test, 7).unwrap();
        let quantities: [fn(Days<'_>) -> f64; 4] = [
            |d| d.share_in(centre),
            |d| d.wider((NNET, CART)),
            |d| d.gain((NNET, CART), ERROR_AXIS, centre),
            |d| d.more_small((CART, NNET), true),
        ];
        for (i, quantity) in quantities.into_iter().enumerate() {
            let Estimate { value, range: (low, high) } = found.of(quantity);
            assert!(low <= value && value <= high, "{i}: {value} in {low} … {high}");
        }
        // Turned round, the interval of a maximum may lie below it.
        let Estimate { value, range: (low, high) } = found.of(|d| d.behind(centre)).of_maximum();
        assert!(low <= value && low >= 0.0 && low <= high, "{value} in {low} … {high}");
        assert!(found.block >= 1.0);
        // The boldness 0 of the first model leaves no small error beyond ±2 %.
        assert_eq!(found.of(|d| d.far_of(FOREST, SMALL)).range, (0.0, 0.0));
    }
}
