//! `tasks/<n>.js`: truth and predictions of one task, loaded when the task is opened.
//!
//! A script file, because a page opened from disk may not fetch. Numbers keep all their bits, so that what the page computes from them
//! equals what the command line computes.

use serde_json::{Value, json};
use tailrank_data::Date;
use tailrank_metrics::{Relevance, Score, classic::Reference, utility::Uba};
use tailrank_score::score::TaskTruth;

use super::{
    packed_numbers::{Columns, pack, script as packed_script},
    *,
};

/// The script of one task. As SVG, `flow` shows how ranks move from measure to measure, and `episodes` what was announced.
pub(super) fn script(loaded: &TaskView<'_>, flow: Option<&str>, episodes: Option<&str>) -> Result<Vec<u8>> {
    let TaskView { subject, scores, .. } = loaded;
    let (rules, trading) = (subject.rules, subject.rules.trading.as_ref());
    let mut columns = Columns::default();
    let mut column = |values: &[f64]| columns.add(values.iter().copied());
    let truth = column(&loaded.truth);
    let dates = loaded.dates.as_deref().map(|dates| column(&days(dates)));
    let prices = loaded.prices.as_deref().map(&mut column);
    let variants = VariantId::all(scores.scores.len());
    let predictions: Vec<Option<usize>> = variants.map(|v| loaded.predicted(v).map(&mut column)).collect();
    // A number for each measure, or the reason why there is none.
    let scores_of = |row: &Vec<Score>| (!row.is_empty()).then(|| row.iter().map(score).collect::<Vec<_>>());
    let rule = trading
        .map(|t| Object::default().with("horizon", loaded.horizon.unwrap_or(1)).with("cost", t.cost).json());
    // The settings the run was scored by; centres only where all parts share them.
    let first = loaded.settings();
    let base = Object::default()
        .with("tE", loaded.t_e)
        .with("tL", first.and_then(|s| s.accuracy).map(|accuracy| accuracy.t_l()))
        .with("beta", first.map_or(rules.settings.beta, |s| s.beta))
        .with("p", rules.settings.utility.p)
        .with("low", shared(&loaded.parts, |low, _| low))
        .with("high", shared(&loaded.parts, |_, high| high))
        .with("threshold", trading.and_then(|t| t.threshold.at(loaded.horizon)));
    // Truth, days since 1970-01-01, prices and predictions are places of columns.
    let mut data = Object::default()
        .with("name", loaded.name)
        .with("target", &loaded.target)
        .with("percent", loaded.is_return)
        .with_json("parts", &Object::list(loaded.parts.iter().map(part)))
        .with("truth", truth)
        .with_some("dates", dates)
        .with_some("prices", prices)
        .with("predictions", predictions)
        .with("status", scores.status.iter().map(status).collect::<Vec<_>>())
        .with("scores", scores.scores.iter().map(scores_of).collect::<Vec<_>>())
        // The first variant with the same predictions.
        .with("same_as", scores.same_as.iter().map(|v| v.0).collect::<Vec<_>>())
        .with("references", &scores.references)
        .with_json("base", &base.json());
    if let Some(rule) = rule {
        data = data.with_json("trading", &rule);
    }
    let data = data.with_some("flow", flow).with_some("episodes", episodes);
    let bytes = pack(&escape::json(data.json()), &columns)?;
    Ok(packed_script(&format!("tailrank.taskPacked({}, ", loaded.number.0 + 1), &bytes))
}

fn part(part: &TaskTruth) -> Object {
    let settings = &part.settings;
    let training_mean = match settings.reference {
        Some(Reference::TrainingMean(mean)) => Some(mean),
        Some(Reference::TestMean) | None => None,
    };
    Object::default()
        .with("rows", part.truth.len())
        .with_json("phi", &phi(settings).json())
        .with("reference", training_mean)
        // uba's loss, where φ is a piecewise cubic.
        .with("tloss", settings.uba.as_ref().map(Uba::tloss))
        .with("repeat", part.repeat)
}

/// A centre of the sigmoid that all parts have.
fn shared(parts: &[TaskTruth], pick: fn(Option<f64>, Option<f64>) -> Option<f64>) -> Option<f64> {
    let centre = |part: &TaskTruth| match &part.settings.relevance {
        Some(Relevance::Sigmoid(sigmoid)) => {
            let (low, high) = sigmoid.centres();
            pick(low, high)
        }
        _ => None,
    };
    let first = parts.first().and_then(centre);
    first.filter(|_| parts.iter().all(|part| centre(part) == first))
}

/// φ as it was given: value, φ and slope of the points of a piecewise cubic.
fn phi(settings: &Settings) -> Object {
    let kind = |kind: &str| Object::default().with("kind", kind);
    match &settings.relevance {
        Some(Relevance::Sigmoid(s)) => {
            let (low, high) = s.centres();
            kind("sigmoid").with("low", low).with("high", high).with("k", s.k()).with("delta", s.delta())
        }
        Some(Relevance::Pchip(p)) => {
            let points = p.control_points().iter().map(|c| [c.y, c.phi, c.slope]);
            kind("pchip").with("points", points.collect::<Vec<_>>())
        }
        Some(Relevance::Table(t)) => kind("table").with("points", t.points()),
        Some(Relevance::Indicator(i)) => {
            let end = |v: f64| v.is_finite().then_some(v);
            let ranges = i.ranges().iter().map(|r| [end(r.from), end(r.to)]);
            kind("indicator").with("ranges", ranges.collect::<Vec<_>>())
        }
        // The engine always builds a φ; without one nothing is relevant.
        None => kind("table").with("points", [[0.0, 0.0], [1.0, 0.0]]),
    }
}

fn score(score: &Score) -> Value {
    match score {
        Score::Value(v) => json!(v),
        Score::Undefined(why) => json!(why.reason()),
    }
}

fn status(status: &VariantStatus) -> Value {
    match status {
        VariantStatus::Fine => json!({ "kind": "fine" }),
        VariantStatus::NotConverged => json!({ "kind": "not_converged" }),
        VariantStatus::Failed { reason } => json!({ "kind": "failed", "reason": reason }),
        VariantStatus::Missing => json!({ "kind": "missing" }),
    }
}

fn days(dates: &[Date]) -> Vec<f64> {
    let epoch = Date::constant(1970, 1, 1);
    dates.iter().map(|date| epoch.until(*date).map_or(0.0, |span| f64::from(span.get_days()))).collect()
}

/// Whether any variant of a task has scores.
pub(super) fn any_scored(scores: &TaskScores) -> bool {
    scores.scores.iter().any(|row| !row.is_empty())
}
