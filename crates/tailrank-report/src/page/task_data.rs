//! `tasks/<n>.js`: truth and predictions of one task, loaded when the task is opened.
//!
//! A script file, because a page opened from disk may not fetch. Numbers keep all their bits, so that what
//! the page computes from them equals what the command line computes.

use serde_json::{Value, json};
use tailrank_data::Date;
use tailrank_metrics::{Relevance, Score, classic::Reference, utility::Uba};
use tailrank_score::score::TaskTruth;

use super::{
    packed_numbers::{Columns, pack, script as packed_script},
    *,
};

/// The script of one task. As SVG, `flow` shows how ranks move from measure to measure, and `episodes` what
/// was announced.
pub(super) fn script(loaded: &TaskView<'_>, flow: Option<&str>, episodes: Option<&str>) -> Result<Vec<u8>> {
    let TaskView { subject, scores, .. } = loaded;
    let (rules, trading) = (subject.rules, subject.rules.trading.as_ref());
    let mut columns = Columns::default();
    let mut column = |values: &[f64]| columns.add(values);
    let variants = VariantId::all(scores.scores.len());
    let score = |score: &Score| score.undefined().map_or(json!(score.value()), |why| json!(why.reason()));
    let first = loaded.settings();
    let data = json!({
        "name": loaded.name,
        "target": loaded.target,
        "percent": loaded.is_return,
        "parts": loaded.parts.iter().map(part).collect::<Value>(),
        // Truth, days since 1970-01-01, prices and predictions are places of columns.
        "truth": column(&loaded.truth),
        "dates": loaded.dates.as_deref().map(|dates| column(&days(dates))),
        "prices": loaded.prices.as_deref().map(&mut column),
        "predictions": variants.map(|v| loaded.predicted(v).map(&mut column)).collect::<Vec<_>>(),
        "status": scores.status.iter().map(status).collect::<Value>(),
        // A number for each measure, or the reason why there is none.
        "scores": scores.scores.iter()
            .map(|row| (!row.is_empty()).then(|| row.iter().map(score).collect::<Vec<_>>()))
            .collect::<Vec<_>>(),
        // The first variant with the same predictions.
        "same_as": scores.same_as.iter().map(|v| v.0).collect::<Vec<_>>(),
        "references": scores.references,
        // The settings the run was scored by; centres only where all parts share them.
        "base": {
            "tE": loaded.t_e,
            "tL": first.and_then(|s| s.accuracy).map(|accuracy| accuracy.t_l()),
            "beta": first.map_or(rules.settings.beta, |s| s.beta),
            "p": rules.settings.utility.p,
            "low": shared(&loaded.parts, |centres| centres.0),
            "high": shared(&loaded.parts, |centres| centres.1),
            "threshold": trading.and_then(|t| t.threshold.at(loaded.horizon)),
        },
        "trading": trading.map(|t| json!({ "horizon": loaded.horizon.unwrap_or(1), "cost": t.cost })),
        "flow": flow,
        "episodes": episodes,
    });
    let bytes = pack(&escape::json(data.to_string()), &columns)?;
    Ok(packed_script(&format!("tailrank.taskPacked({}, ", loaded.number.0 + 1), &bytes))
}

fn part(part: &TaskTruth) -> Value {
    let settings = &part.settings;
    json!({
        "rows": part.truth.len(),
        "phi": phi(settings),
        "reference": if let Some(Reference::TrainingMean(mean)) = settings.reference { Some(mean) } else { None },
        // uba's loss, where φ is a piecewise cubic.
        "tloss": settings.uba.as_ref().map(Uba::tloss),
        "repeat": part.repeat,
    })
}

/// The low and the high centre of a sigmoid.
type Centres = (Option<f64>, Option<f64>);

/// A centre of the sigmoid that all parts have.
fn shared(parts: &[TaskTruth], pick: fn(Centres) -> Option<f64>) -> Option<f64> {
    let centre = |part: &TaskTruth| match &part.settings.relevance {
        Some(Relevance::Sigmoid(sigmoid)) => pick(sigmoid.centres()),
        _ => None,
    };
    let first = parts.first().and_then(centre);
    first.filter(|_| parts.iter().all(|part| centre(part) == first))
}

/// φ as it was given: value, φ and slope of the points of a piecewise cubic.
fn phi(settings: &Settings) -> Value {
    match &settings.relevance {
        Some(Relevance::Sigmoid(s)) => {
            let (low, high) = s.centres();
            json!({ "kind": "sigmoid", "low": low, "high": high, "k": s.k(), "delta": s.delta() })
        }
        Some(Relevance::Pchip(p)) => {
            let points = p.control_points().iter().map(|c| [c.y, c.phi, c.slope]);
            json!({ "kind": "pchip", "points": points.collect::<Vec<_>>() })
        }
        Some(Relevance::Table(t)) => json!({ "kind": "table", "points": t.points() }),
        // JSON has no infinity: an open end is null.
        Some(Relevance::Indicator(i)) => {
            let ranges = i.ranges().iter().map(|r| [r.from, r.to]);
            json!({ "kind": "indicator", "ranges": ranges.collect::<Vec<_>>() })
        }
        // The engine always builds a φ; without one nothing is relevant.
        None => json!({ "kind": "table", "points": [[0.0, 0.0], [1.0, 0.0]] }),
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
