//! REC05: where, over the range of the target, do a tree, a network, a support vector machine and a random forest make their
//! small errors? IBM's daily returns, ten years of test data, the paper's own ranges.
//!
//! The paper does not say which ten years. Its printed axes do, within limits: [`window`] finds the years that fit them, and the
//! same models are judged on two other periods beside. What the paper reads off its figures by eye is decided by the intervals of
//! the same quantities ([`statistics`]) under plain rules ([`rules`]). `Interval`s are (a, b], the paper writes a < Y < b; no
//! return of the data lies on a bound.

mod claims;
mod figures;
mod rules;
mod statistics;
mod window;

use tailrank_metrics::rec::{Interval, RecError, StepCurve, partial_rec_curve, partial_y_cdf, rec_curve};
use tailrank_report::claims::{Claim, findings, tally};
use tailrank_score::score::{TaskId, load_predictions};

use self::statistics::Statistics;
use super::{
    Conclusion, Found, Kind, Opening, Page, Result, Study, StudyError, Table,
    decide::{digits, percent},
};

/// The study.
pub(super) static REC_SURFACES: Study = Study {
    id: "rec-surfaces",
    title: "Where over the target do models make their small errors? IBM, daily returns",
    paper: "Torgo 2005 (REC05), Fig. 1–9",
    size: "4 models, 1 task, 3 test periods",
    kind: Kind::Experiments {
        text: include_str!("../../experiments/rec-surfaces.toml"),
        others: other_periods,
        conclude,
    },
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
    models: Vec<Model>,
}

struct Model {
    name: &'static str,
    predicted: Vec<f64>,
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

fn conclude(found: &Found<'_>, others: &[Found<'_>]) -> Result<Conclusion> {
    let main = test(found)?;
    let seed = found.plan.experiment.seed;
    let numbers = Statistics::new(&main, seed)?;
    let mut by_period = vec![claims::findings(&numbers)];
    for other in others {
        by_period.push(claims::findings(&Statistics::new(&test(other)?, seed)?));
    }
    let search = window::Search::new(found)?;
    let mut claims = by_period[0].clone();
    claims.push(search.claim(PERIODS[0].at));
    claims.extend(claims::set_up_and_identities(found, &main)?);
    let side_by_side = side_by_side(&by_period);
    let page = Page {
        name: "window".to_owned(),
        title: "Which ten years are REC05's?".to_owned(),
        body: search.page(&PERIODS, &side_by_side, &curve_ends(found, others)?),
    };
    Ok(Conclusion {
        opening: opening(&by_period, numbers.block, &search),
        claims,
        tables: vec![headline(&main)?, side_by_side, search.table(&PERIODS)],
        figures: figures::figures(&main)?,
        pages: vec![page],
    })
}

fn opening(by_period: &[Vec<Claim>], block: f64, search: &window::Search) -> Opening {
    let flips = (0..by_period[0].len())
        .filter(|&c| by_period.iter().any(|p| p[c].standing != by_period[0][c].standing))
        .count();
    Opening {
        paper: "The paper says that a tree and a network make their small errors near zero, where no trader earns anything, \
                and that a random forest and a support vector machine make some on large returns."
            .to_owned(),
        found: format!(
            "On the ten years that fit its printed axes best ({}) what it reads off its figures stands so: {}.",
            PERIODS[0].name(),
            tally(findings(&by_period[0]))
        ),
        sure: format!(
            "Each is decided by a 95 % interval over resampled blocks of {block:.0} days on average; {flips} of them come out otherwise on one of two \
             other periods, no ten years before the paper fit all five printed axes (the best fit {}), and the paper names \
             neither inputs nor settings.",
            search.best_fits()
        ),
    }
}

/// How every finding stands on every period.
fn side_by_side(by_period: &[Vec<Claim>]) -> Table {
    let names: Vec<String> = PERIODS.iter().map(Period::name).collect();
    let headings: Vec<&str> =
        ["where", "the paper says"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new("periods", "How the findings stand on three test periods", &headings);
    for (c, claim) in by_period[0].iter().enumerate() {
        let mut row = vec![claim.source.clone(), claim.says.clone()];
        row.extend(by_period.iter().map(|p| p[c].standing.to_string()));
        table.row(row);
    }
    table
}

/// Where the highest curve of each printed figure ends, with the models of each period.
fn curve_ends(found: &Found<'_>, others: &[Found<'_>]) -> Result<Vec<[f64; 5]>> {
    std::iter::once(found).chain(others).map(|f| Ok(window::ends_of_models(&test(f)?))).collect()
}

fn test(found: &Found<'_>) -> Result<Test> {
    let truth = found.plan.tasks[0].test_targets(0);
    let mut predictions = load_predictions(found.plan, TaskId(0), found.store)?;
    let mut models = Vec::new();
    for (family, name) in MODELS {
        let place = found.plan.variants.iter().position(|v| v.group == family);
        let predicted = place.and_then(|p| predictions[p].parts.pop());
        let predicted =
            predicted.ok_or_else(|| StudyError::Missing(format!("{family} has no predictions")))?;
        models.push(Model { name, predicted });
    }
    Ok(Test { truth, models })
}

impl Test {
    fn rec(&self, model: usize) -> Result<StepCurve> {
        Ok(rec_curve(&self.truth, &self.models[model].predicted, RecError::Absolute)?)
    }

    fn partial_rec(&self, model: usize, range: Interval) -> Result<StepCurve> {
        Ok(partial_rec_curve(&self.truth, &self.models[model].predicted, RecError::Absolute, range)?)
    }

    /// P(ε ≤ 0.005, Y ≤ y).
    fn small_errors(&self, model: usize) -> Result<StepCurve> {
        let small = Interval::at_most(SMALL)?;
        Ok(partial_y_cdf(&self.truth, &self.models[model].predicted, RecError::Absolute, small)?)
    }

    /// How many of the small errors fall on returns beyond ±2 %.
    fn small_on_extremes(&self, model: usize) -> Result<u64> {
        let curve = self.small_errors(model)?;
        Ok(curve.count_at(-EXTREME) + curve.cases() - curve.count_at(EXTREME))
    }
}

fn normalised(curve: &StepCurve) -> Result<StepCurve> {
    curve
        .normalised()
        .ok_or_else(|| StudyError::Missing("a range of the target holds no test case".to_owned()))
}

fn headline(test: &Test) -> Result<Table> {
    let headings = [
        "model",
        "MAD",
        "predictions from",
        "to",
        "P(ε ≤ 0.005)",
        "of these on |Y| > 0.02",
        "mean error, −0.01 < Y < 0.01",
        "Y < −0.03",
        "Y < −0.02",
        "Y > 0.02",
    ];
    let mut table = Table::new(
        "errors",
        "Errors of four models of IBM's daily returns, over the range of the return",
        &headings,
    );
    let ranges = [
        Interval::new(-0.01, 0.01)?,
        Interval::at_most(-0.03)?,
        Interval::at_most(-EXTREME)?,
        Interval::over(EXTREME)?,
    ];
    for (m, model) in test.models.iter().enumerate() {
        let small = test.small_errors(m)?;
        let (low, high) = model
            .predicted
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &p| (l.min(p), h.max(p)));
        let mut row = vec![
            model.name.to_owned(),
            digits(test.rec(m)?.area_over()),
            digits(low),
            digits(high),
            percent(small.cases() as f64 / small.total() as f64),
            test.small_on_extremes(m)?.to_string(),
        ];
        for range in ranges {
            row.push(digits(normalised(&test.partial_rec(m, range)?)?.area_over()));
        }
        table.row(row);
    }
    Ok(table)
}
