//! REC05: where, over the range of the target, do a tree, a network, a support vector machine and a random
//! forest make their small errors? IBM's daily returns, ten years of test data, the paper's own ranges.
//!
//! The paper does not say which ten years. Its printed axes do, within limits: [`window`] finds the years
//! that fit them, and the same models are judged on two other periods beside. What the paper reads off its
//! figures by eye is decided by the intervals of the same quantities ([`statistics`]). `Interval`s are (a,
//! b], the paper writes a < Y < b; no return of the data lies on a bound.

mod claims;
mod figures;
mod statistics;
mod window;

use std::fmt::Display;

use tailrank_metrics::rec::{Interval, RecError, StepCurve, partial_rec_curve, partial_y_cdf, rec_curve};
use tailrank_report::claims::{findings, tally};
use tailrank_score::score::load_predictions;

use self::statistics::Statistics;
use super::prelude::*;

/// The study.
pub(super) const KIND: Kind = Kind::Experiment {
    text: include_str!("../../experiments/rec-surfaces.toml"),
    others: other_periods,
    conclude,
};

/// The largest error drawn: Fig. 5 and 6, and Fig. 8.
const ERROR_AXIS: f64 = 0.05;
const ERROR_AXIS_8: f64 = 0.06;
/// A small error: Fig. 7 and 9.
const SMALL: f64 = 0.005;
/// Returns a trader cares about: §5.1.
const EXTREME: f64 = 0.02;

/// A period of test days: its first day, the first day after it, and why it is looked at.
struct Period {
    at: &'static str,
    until: &'static str,
    why: &'static str,
}

/// The period of the experiment file stands first.
const PERIODS: [Period; 3] = [
    Period { at: "1986-03-01", until: "1996-03-01", why: "fits the printed axes best" },
    Period { at: "1995-01-01", until: "2005-01-01", why: "the last ten calendar years before the paper" },
    Period {
        at: "1998-07-13",
        until: "2008-07-12",
        why: "the last ten years of the bundled quotes, after the paper",
    },
];

impl Period {
    fn name(&self) -> String {
        format!("{}–{}", &self.at[..7], &self.until[..7])
    }
}

/// The experiment on the other periods.
fn other_periods(text: &str) -> Vec<String> {
    PERIODS[1..]
        .iter()
        .map(|p| {
            text.replace("name = \"rec-surfaces\"", &format!("name = \"rec-surfaces-{}\"", &p.at[..4]))
                .replace(&format!("at = \"{}\"", PERIODS[0].at), &format!("at = \"{}\"", p.at))
                .replace(&format!("until = \"{}\"", PERIODS[0].until), &format!("until = \"{}\"", p.until))
        })
        .collect()
}

/// The test period and every model's predictions for it.
struct Test {
    truth: Vec<f64>,
    predicted: Vec<Vec<f64>>,
}

const FOREST: usize = 0;
const NNET: usize = 1;
const SVM: usize = 2;
const CART: usize = 3;
/// The model of Fig. 2 to 4, which the paper does not name.
const EXAMPLE: usize = FOREST;
/// Families and names as the paper prints them.
const MODELS: [(&str, &str); 4] =
    [("forest", "randomForest"), ("nnet", "nnet"), ("svm", "svm"), ("cart", "cart")];

fn conclude(found: &Run, others: &[Run]) -> Result<Conclusion> {
    let tests: Vec<Test> = std::iter::once(found).chain(others).map(test).collect::<Result<_>>()?;
    let seed = found.plan.experiment.seed;
    let (mut by_period, mut blocks, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for test in &tests {
        let numbers = Statistics::new(test, seed)?;
        by_period.push(claims::findings(&numbers));
        blocks.push(numbers.block);
        ends.push(window::ends_of_models(test));
    }
    let search = window::Search::new(found)?;
    let side_by_side = side_by_side(&by_period);
    let flips = (0..by_period[0].len())
        .filter(|&c| by_period.iter().any(|p| p[c].standing != by_period[0][c].standing))
        .count();
    let (found_here, block) = (tally(findings(&by_period[0])), format!("{:.0}", blocks[0]));
    let numbers: [&dyn Display; 5] = [&PERIODS[0].name(), &found_here, &block, &flips, &search.best_fits()];
    let opening = words::opening("rec-surfaces", &numbers);
    let mut claims = by_period.swap_remove(0);
    claims.push(search.claim());
    claims.extend(claims::set_up_and_identities(found, &tests[0])?);
    let page = Page {
        name: "window".to_owned(),
        title: "Which ten years are REC05's?".to_owned(),
        body: search.page(&side_by_side, &ends),
    };
    Ok(Conclusion {
        opening,
        claims,
        tables: vec![headline(&tests[0])?, side_by_side, search.table()],
        figures: figures::figures(&tests[0])?,
        pages: vec![page],
    })
}

/// How every finding stands on every period.
fn side_by_side(by_period: &[Vec<Claim>]) -> Table {
    let row = |(c, claim): (usize, &Claim)| {
        let standings = by_period.iter().map(move |p| p[c].standing.to_string());
        [claim.source.clone(), claim.says.clone()].into_iter().chain(standings)
    };
    let table = words::table("rec-surfaces/periods").with_headings(PERIODS.iter().map(Period::name));
    table.with_rows(by_period[0].iter().enumerate().map(row))
}

fn test(found: &Run) -> Result<Test> {
    let truth = found.plan.tasks[0].test_targets(0);
    let mut predictions = load_predictions(&found.plan, TaskId(0), &found.store)?;
    let mut of_family = |(family, _): (&str, &str)| {
        let place = found.plan.variants.iter().position(|v| v.group == family);
        let predicted = place.and_then(|p| predictions[p].parts.pop());
        predicted.ok_or_else(|| missing(format!("{family} has no predictions")))
    };
    Ok(Test { truth, predicted: MODELS.into_iter().map(&mut of_family).collect::<Result<_>>()? })
}

/// Returns near zero: Fig. 5.
fn centre(y: f64) -> bool {
    y > -0.01 && y <= 0.01
}

impl Test {
    fn error(&self, model: usize, row: u32) -> f64 {
        let row = row as usize;
        (self.predicted[model][row] - self.truth[row]).abs()
    }

    fn rec(&self, model: usize) -> Result<StepCurve> {
        Ok(rec_curve(&self.truth, &self.predicted[model], RecError::Absolute)?)
    }

    fn partial_rec(&self, model: usize, range: Interval) -> Result<StepCurve> {
        Ok(partial_rec_curve(&self.truth, &self.predicted[model], RecError::Absolute, range)?)
    }

    /// P(ε ≤ 0.005, Y ≤ y).
    fn small_errors(&self, model: usize) -> Result<StepCurve> {
        let small = Interval::at_most(SMALL)?;
        Ok(partial_y_cdf(&self.truth, &self.predicted[model], RecError::Absolute, small)?)
    }

    /// How many of the small errors fall on returns beyond ±2 %.
    fn small_on_extremes(&self, model: usize) -> Result<u64> {
        let curve = self.small_errors(model)?;
        Ok(curve.count_at(-EXTREME) + curve.cases() - curve.count_at(EXTREME))
    }
}

fn headline(test: &Test) -> Result<Table> {
    let mut table = words::table("rec-surfaces/errors");
    let ranges = [
        Interval::new(-0.01, 0.01)?,
        Interval::at_most(-0.03)?,
        Interval::at_most(-EXTREME)?,
        Interval::over(EXTREME)?,
    ];
    for (m, ((_, name), predicted)) in MODELS.iter().zip(&test.predicted).enumerate() {
        let small = test.small_errors(m)?;
        let low = predicted.iter().copied().fold(f64::INFINITY, f64::min);
        let high = predicted.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut row = vec![(*name).to_owned()];
        row.extend([test.rec(m)?.area_over(), low, high].map(digits));
        row.push(percent(small.cases() as f64 / small.total() as f64));
        row.push(test.small_on_extremes(m)?.to_string());
        for range in ranges {
            let curve = test.partial_rec(m, range)?.normalised();
            let curve = curve.ok_or_else(|| missing("a range of the target holds no test case"))?;
            row.push(digits(curve.area_over()));
        }
        table.row(row);
    }
    Ok(table)
}
