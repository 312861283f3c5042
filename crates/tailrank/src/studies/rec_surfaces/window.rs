//! Which ten years REC05 tests: every ten-year window of IBM's returns against the axes of the printed
//! figures.
//!
//! R ends an axis 4 % beyond the data and writes its ticks within, so that a last tick T and a step S say
//! that the highest curve ends at M with T ≤ 1.04·M < T + S. For a forecast of zero the error is |Y|, and M
//! follows from the returns alone; what the models' own forecasts change is shown beside.

use super::{CART, FOREST, NNET, PERIODS, Period, SVM, Test};
use crate::studies::prelude::*;

/// An axis of probabilities as printed, and whose cases its highest curve counts.
struct Axis {
    figure: &'static str,
    what: &'static str,
    /// The last tick, and the step between ticks.
    last: f64,
    step: f64,
    /// Target's range.
    range: (f64, f64),
    /// Errors drawn.
    errors: f64,
    /// The models drawn.
    models: &'static [usize],
}

const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const AXES: [Axis; 5] = [
    axis("5", "P(−0.01 < Y < 0.01)", (0.5, 0.1), (-0.01, 0.01), 0.05, &[CART, NNET]),
    axis("6", "P(Y < −0.03, ε < 0.05)", (0.014, 0.002), (ALL.0, -0.03), 0.05, &[CART, NNET]),
    axis("7, 9", "P(ε < 0.005)", (0.25, 0.05), ALL, 0.005, &[FOREST, NNET, SVM, CART]),
    axis("8 left", "P(Y < −0.02, ε < 0.06)", (0.06, 0.01), (ALL.0, -0.02), 0.06, &[FOREST, NNET, SVM]),
    axis("8 right", "P(Y > 0.02, ε < 0.06)", (0.08, 0.02), (0.02, ALL.1), 0.06, &[FOREST, NNET, SVM]),
];

const fn axis(
    figure: &'static str,
    what: &'static str,
    (last, step): (f64, f64),
    range: (f64, f64),
    errors: f64,
    models: &'static [usize],
) -> Axis {
    Axis { figure, what, last, step, range, errors, models }
}

/// R's axes reach this far beyond the data.
const BEYOND: f64 = 1.04;
/// A paper of August 2005 tests no later day.
const PRINTED: &str = "2005-08-01";
const YEARS: i16 = 10;

impl Axis {
    /// Between which values the highest curve ends.
    fn ends(&self) -> (f64, f64) {
        (self.last / BEYOND, (self.last + self.step) / BEYOND)
    }

    /// How far a curve's end is from the printed axis, as a share of the axis; 0 where it fits.
    fn distance(&self, end: f64) -> f64 {
        let (low, high) = self.ends();
        (low - end).max(end - high).max(0.0) / self.last
    }

    fn holds(&self, y: f64, error: f64) -> bool {
        y > self.range.0 && y < self.range.1 && error <= self.errors
    }
}

/// One window of ten years.
#[derive(Clone, Debug, PartialEq)]
struct Window {
    from: String,
    until: String,
    days: usize,
    /// Where the curves of [`AXES`] end.
    ends: [f64; 5],
}

impl Window {
    fn fits(&self) -> usize {
        AXES.iter().zip(self.ends).filter(|(axis, end)| axis.distance(*end) == 0.0).count()
    }

    fn distance(&self) -> f64 {
        AXES.iter().zip(self.ends).map(|(axis, end)| axis.distance(end)).sum()
    }
}

/// All windows, the best first.
pub(super) struct Search {
    windows: Vec<Window>,
}

impl Search {
    /// Windows that begin with a month, over all returns of the experiment's series.
    pub(super) fn new(found: &Run) -> Result<Self> {
        let data = &found.plan.tasks[0].data;
        let timeline = data.timeline();
        let dates = timeline.origin_dates().ok_or_else(|| missing("the returns have no dates"))?;
        let days: Vec<(String, f64)> =
            dates.iter().map(ToString::to_string).zip(data.targets().iter().copied()).collect();
        Ok(Self { windows: search(&days) })
    }

    fn best(&self) -> Option<&Window> {
        self.windows.iter().find(|w| w.until.as_str() <= PRINTED)
    }

    /// `4 of 5`.
    pub(super) fn best_fits(&self) -> String {
        format!("{} of {}", self.best().map_or(0, Window::fits), AXES.len())
    }

    /// Whether the period that is tested is the one the axes ask for.
    pub(super) fn claim(&self) -> Claim {
        let tested = PERIODS[0].at;
        let best = self.best().map_or("none", |w| w.from.as_str());
        claim("rec-surfaces/axes").holds(tested == best, &[&tested, &best, &self.best_fits()])
    }

    /// The tested periods' windows, from returns alone.
    fn of_period(&self, period: &Period) -> Option<&Window> {
        self.windows.iter().find(|w| w.from[..7] == period.at[..7])
    }

    pub(super) fn table(&self) -> Table {
        let best = || self.windows.iter().filter(|w| w.until.as_str() <= PRINTED).take(10);
        let tested = PERIODS.iter().filter_map(|p| self.of_period(p)).filter(|&w| best().all(|b| b != w));
        let row = |w: &Window| {
            let start = [format!("{} to {}", w.from, w.until), w.days.to_string()];
            let fit = [format!("{} of {}", w.fits(), AXES.len()), format!("{:.2}", w.distance())];
            start.into_iter().chain(marked(w.ends)).chain(fit)
        };
        let curves = AXES.iter().map(|a| format!("Fig. {}: {}", a.figure, a.what));
        let table = words::table("rec-surfaces/windows")
            .with_headings(curves)
            .with_headings(["axes fitted", "distance"]);
        table.with_rows(best().chain(tested).map(row))
    }

    /// The page: what the axes say, which windows fit, what hangs on it. `models` tells where the curves end
    /// with the forecasts of each period.
    pub(super) fn page(&self, side_by_side: &Table, models: &[[f64; 5]]) -> String {
        let row = |axis: &Axis| {
            let (low, high) = axis.ends();
            let numbers = [axis.last, axis.step].map(|v| v.to_string());
            let ends = [low, high].map(|end| format!("{end:.4}"));
            [axis.figure, axis.what].map(str::to_owned).into_iter().chain(numbers).chain(ends)
        };
        let axes = words::table("rec-surfaces/axes").with_rows(AXES.iter().map(row));
        let row = |(period, ends): (&Period, &[f64; 5])| {
            [format!("{} ({})", period.name(), period.why)].into_iter().chain(marked(*ends))
        };
        let figures = AXES.iter().map(|a| format!("Fig. {}", a.figure));
        let ends = words::table("rec-surfaces/ends")
            .with_headings(figures)
            .with_rows(PERIODS.iter().zip(models).map(row));
        let [from, until] = self.best().map_or(["none", "none"], |w| [&w.from, &w.until]);
        let later = self.of_period(&PERIODS[2]).map_or_else(String::new, |w| {
            format!(
                "The years {} to {}, which end after the paper, fit {} of {}: falls below −3 % are {:.1} times as frequent as the axis of \
                 Fig. 6 allows at most.",
                w.from,
                w.until,
                w.fits(),
                AXES.len(),
                w.ends[1] / AXES[1].ends().1
            )
        });
        let [axes, windows, ends, periods] = [&axes, &self.table(), &ends, side_by_side].map(Table::markdown);
        let (page, count, fits) =
            (include_str!("../words/rec-surfaces-window.md"), self.windows.len(), self.best_fits());
        let title = &side_by_side.title;
        filled(page, &[&axes, &count, &windows, &from, &until, &fits, &later, &ends, title, &periods])
    }
}

/// Where curves end, those that fit their axes in bold.
fn marked(ends: [f64; 5]) -> impl Iterator<Item = String> {
    let mark = |(axis, end): (&Axis, f64)| match axis.distance(end) {
        0.0 => format!("**{end:.4}**"),
        _ => format!("{end:.4}"),
    };
    AXES.iter().zip(ends).map(mark)
}

/// All windows, those that fit most axes first, then the nearest, then the earliest.
fn search(days: &[(String, f64)]) -> Vec<Window> {
    let mut windows = Vec::new();
    let mut month = "";
    for (start, (date, _)) in days.iter().enumerate() {
        if date[..7] == *month {
            continue;
        }
        month = &date[..7];
        let Some(until) = later(month) else { continue };
        let end = days.partition_point(|(d, _)| *d < until);
        if end == days.len() && days.last().is_none_or(|(d, _)| d[..7] < until[..7]) {
            break;
        }
        let of = &days[start..end];
        let ends = AXES
            .each_ref()
            .map(|axis| of.iter().filter(|(_, y)| axis.holds(*y, y.abs())).count() as f64 / of.len() as f64);
        windows.push(Window { from: format!("{month}-01"), until, days: of.len(), ends });
    }
    // Stable: of equals the earliest.
    windows.sort_by(|a, b| b.fits().cmp(&a.fits()).then(a.distance().total_cmp(&b.distance())));
    windows
}

/// The first day of the month ten years later.
fn later(month: &str) -> Option<String> {
    let year: i16 = month.get(..4)?.parse().ok()?;
    Some(format!("{:04}{}-01", year + YEARS, &month[4..]))
}

/// Where the highest curve of each figure ends, with a period's own forecasts.
pub(super) fn ends_of_models(test: &Test) -> [f64; 5] {
    AXES.each_ref().map(|axis| {
        let end = |m: &usize| {
            let predicted = &test.predicted[*m];
            let cases = test.truth.iter().zip(predicted).filter(|(y, z)| axis.holds(**y, (*z - *y).abs()));
            cases.count() as f64 / test.truth.len() as f64
        };
        axis.models.iter().map(end).fold(0.0, |most: f64, e| if e <= most { most } else { e })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_bounds_the_curve() {
        // Fig. 6: ticks to 0.014 in steps of 0.002.
        let (low, high) = AXES[1].ends();
        assert!((low - 0.013_461_538).abs() < 1e-8 && (high - 0.015_384_615).abs() < 1e-8);
        assert_eq!(AXES[1].distance(0.014), 0.0);
        assert!((AXES[1].distance(0.016) - (0.016 - high) / 0.014).abs() < 1e-12);
        assert!((AXES[1].distance(0.010) - (low - 0.010) / 0.014).abs() < 1e-12);
        // An end at the next tick would have been given that tick.
        assert!(AXES[1].distance(high) == 0.0 && AXES[1].distance(high + 1e-9) > 0.0);
    }

    /// Days 1 to 28 of every month; from 1980 to 1990 the returns have the shares that the axes ask for,
    /// before and after there are falls only: a month of them is more than Fig. 6 allows.
    #[test]
    fn the_search_finds_the_years_that_fit() {
        let mut days = Vec::new();
        let mut n = 0u32;
        for year in 1975..=1995 {
            for month in 1..=12 {
                for day in 1..=28 {
                    let fits = (1980..1990).contains(&year);
                    n += 1;
                    let y = match n % 200 {
                        _ if !fits => -0.035,
                        0..52 => 0.001,
                        52..108 => 0.008,
                        108..111 => -0.035,
                        111..121 => -0.025,
                        121..138 => 0.03,
                        _ => 0.015,
                    };
                    days.push((format!("{year}-{month:02}-{day:02}"), y));
                }
            }
        }
        let found = search(&days);
        assert_eq!((found[0].from.as_str(), found[0].until.as_str()), ("1980-01-01", "1990-01-01"));
        assert_eq!((found[0].fits(), found[0].days), (5, 3360));
        // The last window begins ten years before the data ends.
        assert!(found.iter().all(|w| w.until.as_str() <= "1995-12-01"));
    }
}
