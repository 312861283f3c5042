//! Which ten years REC05 tests: every ten-year window of IBM's returns against the axes of the printed figures.
//!
//! R ends an axis 4 % beyond the data and writes its ticks within, so that a last tick T and a step S say that the highest curve
//! ends at M with T ≤ 1.04·M < T + S. For a forecast of zero the error is |Y|, and M follows from the returns alone; what the models'
//! own forecasts change is shown beside.

use std::fmt::Write;

use tailrank_report::claims::Claim;

use super::{CART, FOREST, NNET, Period, SVM, Test};
use crate::studies::{Found, Result, StudyError, Table, decide::set_up};

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

const AXES: [Axis; 5] = [
    Axis {
        figure: "5",
        what: "P(−0.01 < Y < 0.01)",
        last: 0.5,
        step: 0.1,
        range: (-0.01, 0.01),
        errors: 0.05,
        models: &[CART, NNET],
    },
    Axis {
        figure: "6",
        what: "P(Y < −0.03, ε < 0.05)",
        last: 0.014,
        step: 0.002,
        range: (f64::NEG_INFINITY, -0.03),
        errors: 0.05,
        models: &[CART, NNET],
    },
    Axis {
        figure: "7, 9",
        what: "P(ε < 0.005)",
        last: 0.25,
        step: 0.05,
        range: (f64::NEG_INFINITY, f64::INFINITY),
        errors: 0.005,
        models: &[FOREST, NNET, SVM, CART],
    },
    Axis {
        figure: "8 left",
        what: "P(Y < −0.02, ε < 0.06)",
        last: 0.06,
        step: 0.01,
        range: (f64::NEG_INFINITY, -0.02),
        errors: 0.06,
        models: &[FOREST, NNET, SVM],
    },
    Axis {
        figure: "8 right",
        what: "P(Y > 0.02, ε < 0.06)",
        last: 0.08,
        step: 0.02,
        range: (0.02, f64::INFINITY),
        errors: 0.06,
        models: &[FOREST, NNET, SVM],
    },
];

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
        if end < low {
            (low - end) / self.last
        } else if end < high {
            0.0
        } else {
            (end - high) / self.last
        }
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
    pub(super) fn new(found: &Found<'_>) -> Result<Self> {
        let data = &found.plan.tasks[0].data;
        let timeline = data.timeline();
        let dates = timeline.origin_dates();
        let dates = dates.ok_or_else(|| StudyError::Missing("the returns have no dates".to_owned()))?;
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
    pub(super) fn claim(&self, tested: &str) -> Claim {
        let best = self.best().map_or("none", |w| w.from.as_str());
        set_up("REC05 Fig. 5–9, axes", "The ten years are those whose curves end where the printed axes say.").holds(
            is_the_best(tested, best),
            format!("Tested from {tested}; of all ten-year windows before the paper that begin with a month, the one from {best} fits best ({} axes).", self.best_fits()),
            "window.md; agree if the tested window is the first by the number of axes fitted, then by the distance from them; differ otherwise",
        )
    }

    /// The tested periods' windows, from returns alone.
    fn of_period(&self, period: &Period) -> Option<&Window> {
        self.windows.iter().find(|w| w.from[..7] == period.at[..7])
    }

    pub(super) fn table(&self, periods: &[Period]) -> Table {
        let headings = headings();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let title = "Ten-year windows of IBM's daily returns against REC05's printed axes: the ten that fit best before the paper, and the periods tested here";
        let mut table = Table::new("windows", title, &headings);
        let best = self.windows.iter().filter(|w| w.until.as_str() <= PRINTED).take(10);
        let tested = periods.iter().filter_map(|p| self.of_period(p));
        let mut seen: Vec<&Window> = Vec::new();
        for window in best.chain(tested) {
            if seen.contains(&window) {
                continue;
            }
            seen.push(window);
            let mut row = vec![format!("{} to {}", window.from, window.until), window.days.to_string()];
            row.extend(AXES.iter().zip(window.ends).map(|(a, end)| marked(a, end)));
            row.extend([format!("{} of {}", window.fits(), AXES.len()), format!("{:.2}", window.distance())]);
            table.row(row);
        }
        table
    }

    /// The page: what the axes say, which windows fit, what hangs on it.
    pub(super) fn page(&self, periods: &[Period], side_by_side: &Table, models: &[[f64; 5]]) -> String {
        let mut text = String::from(
            "REC05 says \"daily returns of IBM stock prices over 10 years\" and not which. Its figures do, within limits: R draws an axis \
             4 % beyond the data, so the last printed tick and the step between ticks bound the height at which the highest curve ends.\n\n",
        );
        let mut axes = Table::new(
            "axes",
            "",
            &["figure", "what the curve's end is", "last tick", "step", "so the end lies from", "to below"],
        );
        for axis in &AXES {
            let (low, high) = axis.ends();
            axes.row([
                axis.figure.to_owned(),
                axis.what.to_owned(),
                axis.last.to_string(),
                axis.step.to_string(),
                format!("{low:.4}"),
                format!("{high:.4}"),
            ]);
        }
        text.push_str(&axes.markdown());
        let _ = write!(
            text,
            "\nOnly Fig. 8 and 9 are said to be IBM's; Fig. 5 to 7 are \"the same data used in previous graphs\".\n\n\
             ## Every ten-year window\n\n{} windows begin with a month between 1970 and 1998. For a forecast of zero the curves' ends follow \
             from the returns alone (numbers that fit are bold; the distance is the sum over the axes of how far an end lies outside, in \
             shares of the axis):\n\n{}\n",
            self.windows.len(),
            self.table(periods).markdown()
        );
        if let Some(best) = self.best() {
            let later = self.of_period(&periods[2]);
            let _ = write!(
                text,
                "No window before the paper fits all five axes. {} to {} fits {}. {} \n\n",
                best.from,
                best.until,
                self.best_fits(),
                later.map_or_else(String::new, |w| format!(
                    "The years {} to {}, which end after the paper, fit {} of {}: falls below −3 % are {:.1} times as frequent as the axis of Fig. 6 allows at most.",
                    w.from,
                    w.until,
                    w.fits(),
                    AXES.len(),
                    w.ends[1] / AXES[1].ends().1
                ))
            );
        }
        text.push_str("## With the models' own forecasts\n\nWhere the highest curve of each figure ends with the models fitted here:\n\n");
        let headings: Vec<String> = std::iter::once("period".to_owned())
            .chain(AXES.iter().map(|a| format!("Fig. {}", a.figure)))
            .collect();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let mut ends = Table::new("ends", "", &headings);
        for (period, of_models) in periods.iter().zip(models) {
            let mut row = vec![format!("{} ({})", period.name(), period.why)];
            row.extend(AXES.iter().zip(of_models).map(|(a, end)| marked(a, *end)));
            ends.row(row);
        }
        text.push_str(&ends.markdown());
        let _ =
            write!(text, "\n## What hangs on it\n\n{}:\n\n{}", side_by_side.title, side_by_side.markdown());
        text
    }
}

fn is_the_best(tested: &str, best: &str) -> bool {
    tested == best
}

fn headings() -> Vec<String> {
    let mut headings = vec!["window".to_owned(), "days".to_owned()];
    headings.extend(AXES.iter().map(|a| format!("Fig. {}: {}", a.figure, a.what)));
    headings.extend(["axes fitted".to_owned(), "distance".to_owned()]);
    headings
}

fn marked(axis: &Axis, end: f64) -> String {
    let text = format!("{end:.4}");
    if axis.distance(end) == 0.0 { format!("**{text}**") } else { text }
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
            let predicted = &test.models[*m].predicted;
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

    /// Days 1 to 28 of every month; from 1980 to 1990 the returns have the shares that the axes ask for, before and after there are
    /// falls only: a month of them is more than Fig. 6 allows.
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
        assert!(is_the_best("1980-01-01", &found[0].from) && !is_the_best("1998-07-13", &found[0].from));
    }
}
