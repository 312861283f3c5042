//! REC05: where, over the range of the target, do a tree, a network, a support vector machine and a random forest make their
//! small errors? IBM's daily returns, ten years of test data, the paper's own ranges.
//!
//! What the paper reads off its figures by eye is decided here by counts and areas of the same curves. `Interval`s are
//! (a, b], the paper writes a < Y < b; no return of the data lies on a bound.

mod figures;

use tailrank_engine::score::{TaskId, load_predictions};
use tailrank_metrics::rec::{
    Dominance, Interval, RecError, RecSurface, StepCurve, Verdict, dominance, even_grid, partial_rec_curve,
    partial_y_cdf, rec_curve,
};
use tailrank_report::claims::Claim;

use super::{
    Conclusion, Found, Kind, Result, Study, StudyError, Table,
    decide::{digits, percent, says},
};

/// The study.
pub(super) static REC_SURFACES: Study = Study {
    id: "rec-surfaces",
    title: "Where over the target do models make their small errors? IBM, daily returns",
    paper: "Torgo 2005 (REC05), Fig. 1–9",
    size: "4 models, 1 task",
    time: "10 s",
    kind: Kind::Experiment { text: include_str!("../../experiments/rec-surfaces.toml"), conclude },
};

/// The largest error drawn: Fig. 5 and 6, and Fig. 8.
const ERROR_AXIS: f64 = 0.05;
const ERROR_AXIS_8: f64 = 0.06;
/// A small error: Fig. 7 and 9.
const SMALL: f64 = 0.005;
/// Returns a trader cares about: §5.1.
const EXTREME: f64 = 0.02;

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

fn conclude(found: &Found<'_>) -> Result<Conclusion> {
    let test = test(found)?;
    let mut claims = vec![test_years(found)?];
    claims.extend(surface(&test)?);
    claims.extend(figures_5_to_7(&test)?);
    claims.extend(figure_8(&test)?);
    claims.extend(figure_9(&test)?);
    Ok(Conclusion { claims, tables: vec![headline(&test)?], figures: figures::figures(&test)? })
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

/// The middle 90 % of the target among a model's small errors.
fn spread(curve: &StepCurve) -> Option<(f64, f64)> {
    let own = curve.normalised()?;
    Some((own.quantile(0.05)?, own.quantile(0.95)?))
}

fn test_years(found: &Found<'_>) -> Result<Claim> {
    let task = &found.plan.tasks[0];
    let days = task.splits[0].test.len();
    let years = days as f64 / 252.0;
    Ok(says("REC05 §5.1", "Daily returns of IBM, ten years of test cases.").holds(
        task.source == "IBM" && task.horizon == Some(1) && (9.5..10.5).contains(&years),
        format!("{} test days of {}, {years:.1} years of 252 sessions.", days, task.source),
        "rows of the test period; agree within half a year",
    ))
}

/// §3: the surface, its last slice, and the two ways to cut it.
fn surface(test: &Test) -> Result<Vec<Claim>> {
    let model = &test.models[EXAMPLE];
    let errors = even_grid(Interval::new(0.0, ERROR_AXIS)?, 51)?;
    let mut targets = even_grid(Interval::new(-0.04, 0.05)?, 91)?;
    targets.push(f64::INFINITY);
    let surface =
        RecSurface::new(&test.truth, &model.predicted, RecError::Absolute, errors.clone(), targets.clone())?;
    let curve = test.rec(EXAMPLE)?;
    let last = surface.along_errors(targets.len() - 1);
    let apart = last.iter().zip(curve.at_points(&errors)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);

    let (from, to) = (0.01, 0.02);
    let slice = test.partial_rec(EXAMPLE, Interval::new(from, to)?)?;
    let at = |y: f64| test.partial_rec(EXAMPLE, Interval::at_most(y)?);
    let (low, high) = (at(from)?, at(to)?);
    let difference =
        errors.iter().map(|&e| (slice.at(e) - (high.at(e) - low.at(e))).abs()).fold(0.0, f64::max);

    let share = slice.cases() as f64 / slice.total() as f64;
    let median = |c: &StepCurve| c.normalised().and_then(|c| c.quantile(0.5)).unwrap_or(f64::NAN);
    let small = Interval::at_most(0.015)?;
    let near = partial_y_cdf(&test.truth, &model.predicted, RecError::Absolute, small)?;
    let outside = near.cases() - near.count_at(0.02) + near.count_at(-0.02);
    let beyond = test.truth.iter().filter(|y| y.abs() > 0.02).count();
    let mad = curve.area_over();
    let mean = test.truth.iter().zip(&model.predicted).map(|(y, z)| (z - y).abs()).sum::<f64>()
        / test.truth.len() as f64;
    Ok(vec![
        says("REC05 §2", "The area over a REC curve is the mean error.").holds(
            (mad - mean).abs() < 1e-12,
            format!("randomForest: area {}, mean absolute error {}.", digits(mad), digits(mean)),
            "integrated to the largest error; agree to 1e-12. (The paper calls it a biased estimate of the expected error)",
        ),
        says("REC05 §3, Fig. 2", "The REC curve is the surface's last slice, D(ε, ∞).").holds(
            apart == 0.0,
            format!("Largest difference over {} errors: {apart}.", errors.len()),
            "randomForest's surface on a grid of 51 × 92 against its curve",
        ),
        says("REC05 §4.1", "A partial REC curve is the difference of two iso-lines of Y.").holds(
            difference < 1e-12,
            format!("Largest difference on 0.01 < Y < 0.02: {difference:.0e}."),
            "P(ε ≤ e, y1 < Y ≤ y2) against D(e, y2) − D(e, y1), to 1e-12",
        ),
        says("REC05 §3, Fig. 3", "Errors below 0.015 concentrate on Y around zero; the surface is flat at the extremes.").holds(
            (outside as f64) < 0.01 * near.cases() as f64 && beyond > 0,
            format!(
                "{outside} of {} such errors fall on |Y| > 0.02, where {beyond} of the {} cases lie.",
                near.cases(),
                test.truth.len()
            ),
            "randomForest; agree if fewer than 1 % of the errors below 0.015 lie beyond ±0.02",
        ),
        says("REC05 §3, Fig. 4", "Few cases have 0.01 < Y < 0.02, and they lead to large errors.").holds(
            share < 0.2 && median(&slice) > 1.5 * median(&curve),
            format!(
                "{} of the cases; their median error is {}, that of all cases {}.",
                percent(share),
                digits(median(&slice)),
                digits(median(&curve))
            ),
            "randomForest; agree if fewer than a fifth of the cases, with a median error at least half as large again",
        ),
    ])
}

/// Dominance as an eye sees it: never behind by more than half a percent of the cases in the range.
fn dominates(d: &Dominance) -> bool {
    matches!(d.verdict, Verdict::First) || (d.first_by > d.second_by && d.second_by <= 0.005)
}

fn normalised(curve: &StepCurve) -> Result<StepCurve> {
    curve
        .normalised()
        .ok_or_else(|| StudyError::Missing("a range of the target holds no test case".to_owned()))
}

fn figures_5_to_7(test: &Test) -> Result<Vec<Claim>> {
    let pair = |range: Interval| -> Result<(StepCurve, StepCurve)> {
        Ok((normalised(&test.partial_rec(CART, range)?)?, normalised(&test.partial_rec(NNET, range)?)?))
    };
    let (cart, nnet) = pair(Interval::new(-0.01, 0.01)?)?;
    let centre = dominance(&cart, &nnet);
    let areas = |a: &StepCurve, b: &StepCurve| (a.area_over_to(ERROR_AXIS), b.area_over_to(ERROR_AXIS));
    let centre_areas = areas(&cart, &nnet);
    let (cart_low, nnet_low) = pair(Interval::at_most(-0.03)?)?;
    let low = dominance(&cart_low, &nnet_low);
    let low_areas = areas(&cart_low, &nnet_low);
    let (cart_small, nnet_small) = (test.small_errors(CART)?, test.small_errors(NNET)?);
    let share = |c: &StepCurve| c.cases() as f64 / c.total() as f64;
    let (cart_far, nnet_far) = (test.small_on_extremes(CART)?, test.small_on_extremes(NNET)?);
    let range = |c: &StepCurve| {
        spread(c).map_or_else(|| "–".to_owned(), |(a, b)| format!("{:.2} to {:.2} %", 100.0 * a, 100.0 * b))
    };
    let width = |c: &StepCurve| spread(c).map_or(0.0, |(a, b)| b - a);
    Ok(vec![
        says("REC05 Fig. 5", "On −0.01 < Y < 0.01 cart clearly dominates nnet.").holds(
            dominates(&centre),
            format!(
                "cart is ahead by up to {}, behind by up to {}; mean error {} against {}.",
                percent(centre.first_by),
                percent(centre.second_by),
                digits(centre_areas.0),
                digits(centre_areas.1)
            ),
            "share of the range's cases within each error; agree if cart is ahead and never behind by more than 0.5 %",
        ),
        says("REC05 Fig. 6", "Below −0.03 cart's advantage is not clear, and nnet makes smaller errors more often.").holds(
            !dominates(&low) && low_areas.1 < low_areas.0,
            format!(
                "{} cases; nnet ahead by up to {}, behind by up to {}; area over the curve to 0.05: nnet {}, cart {}.",
                cart_low.cases(),
                percent(low.second_by),
                percent(low.first_by),
                digits(low_areas.1),
                digits(low_areas.0)
            ),
            "agree if cart does not dominate and nnet's area over the curve is smaller",
        ),
        says("REC05 Fig. 7", "cart makes errors below 0.005 more often than nnet.").holds(
            cart_small.cases() > nnet_small.cases(),
            format!("{} of the cases against {}.", percent(share(&cart_small)), percent(share(&nnet_small))),
            "final heights of the partial Y CDFs",
        ),
        says("REC05 Fig. 7", "cart's small errors lie near zero: its CDF is flat at the extremes; nnet's are more widespread.").holds(
            cart_far == 0 && width(&nnet_small) > width(&cart_small),
            format!(
                "On |Y| > 0.02: cart {cart_far}, nnet {nnet_far} small errors. Middle 90 % of Y: cart {}, nnet {}.",
                range(&cart_small),
                range(&nnet_small)
            ),
            "agree if cart has none beyond ±0.02 and nnet's middle 90 % is wider",
        ),
    ])
}

fn figure_8(test: &Test) -> Result<Vec<Claim>> {
    let sides = [("Y < −0.02", Interval::at_most(-EXTREME)?), ("Y > 0.02", Interval::over(EXTREME)?)];
    let mut claims = Vec::new();
    for (name, range) in sides {
        let area = |m: usize| -> Result<f64> {
            Ok(normalised(&test.partial_rec(m, range)?)?.area_over_to(ERROR_AXIS_8))
        };
        let (forest, nnet, svm) = (area(FOREST)?, area(NNET)?, area(SVM)?);
        let text = format!("On {name} randomForest and svm are slightly better than nnet.");
        claims.push(says("REC05 Fig. 8", &text).holds(
            forest < nnet && svm < nnet,
            format!(
                "Area over the curve to 0.06: randomForest {}, svm {}, nnet {}.",
                digits(forest),
                digits(svm),
                digits(nnet)
            ),
            "normalised partial REC curves; agree if both areas are smaller than nnet's",
        ));
    }
    Ok(claims)
}

fn figure_9(test: &Test) -> Result<Vec<Claim>> {
    let small: Vec<StepCurve> =
        [FOREST, NNET, SVM].iter().map(|&m| test.small_errors(m)).collect::<Result<_>>()?;
    let far: Vec<u64> =
        [FOREST, NNET, SVM].iter().map(|&m| test.small_on_extremes(m)).collect::<Result<_>>()?;
    let share = |c: &StepCurve| percent(c.cases() as f64 / c.total() as f64);
    Ok(vec![
        says("REC05 Fig. 9", "nnet makes errors below 0.005 more often than randomForest and svm.").holds(
            small[1].cases() > small[0].cases() && small[1].cases() > small[2].cases(),
            format!(
                "nnet {}, randomForest {}, svm {} of the cases.",
                share(&small[1]),
                share(&small[0]),
                share(&small[2])
            ),
            "final heights of the partial Y CDFs",
        ),
        says(
            "REC05 Fig. 9",
            "nnet's small errors lie near zero; outside a small band its CDF is horizontal.",
        )
        .holds(
            far[1] == 0,
            format!("{} of nnet's {} small errors fall on |Y| > 0.02.", far[1], small[1].cases()),
            "agree if none",
        ),
        says("REC05 Fig. 9", "randomForest and svm make small errors on larger returns too.").holds(
            far[0] > far[1] && far[2] > far[1],
            format!("On |Y| > 0.02: randomForest {}, svm {}, nnet {}.", far[0], far[2], far[1]),
            "agree if both have more small errors beyond ±0.02 than nnet",
        ),
    ])
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
