//! `tasks/<n>.js`: truth and predictions of one task, loaded when the task is opened.
//!
//! A script file, because a page opened from disk may not fetch. Numbers keep all their bits, so that what the page computes from them
//! equals what the command line computes.

use serde::Serialize;
use serde_json::{Value, json};
use tailrank_data::Date;
use tailrank_metrics::{Relevance, Score, Settings, classic::Reference, utility::Uba};
use tailrank_score::score::{TaskScores, VariantId, VariantStatus};

use super::{
    escape,
    loaded::{Loaded, Part},
    packed_numbers::{Columns, pack, script as packed_script},
    static_figures::target_name,
};
use crate::Result;

#[derive(Serialize)]
struct TaskData<'a> {
    name: &'a str,
    target: String,
    /// Whether the target is read in percent.
    percent: bool,
    parts: Vec<PartData>,
    /// Places of columns, as the following are.
    truth: usize,
    /// Days since 1970-01-01 of the rows' origins.
    #[serde(skip_serializing_if = "Option::is_none")]
    dates: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prices: Option<usize>,
    predictions: Vec<Option<usize>>,
    status: Vec<Value>,
    /// Per variant and measure a number, or the reason why there is none.
    scores: Vec<Option<Vec<Value>>>,
    /// The first variant with the same predictions.
    same_as: Vec<usize>,
    /// Which variants are references.
    references: &'a [bool],
    signals: Vec<Option<usize>>,
    hits: Vec<Option<usize>>,
    events: usize,
    /// The settings the run was scored by.
    base: Base,
    #[serde(skip_serializing_if = "Option::is_none")]
    trading: Option<TradingData>,
    /// How ranks move from measure to measure, as SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    flow: Option<&'a str>,
}

#[derive(Serialize)]
struct PartData {
    rows: usize,
    phi: PhiData,
    /// The mean of the training targets.
    reference: Option<f64>,
    /// uba's loss, where φ is a piecewise cubic.
    tloss: Option<f64>,
    /// Which repeat of the division it belongs to.
    repeat: usize,
}

/// φ as it was given: value, φ and slope of the points of a piecewise cubic.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum PhiData {
    Sigmoid { low: Option<f64>, high: Option<f64>, k: f64, delta: f64 },
    Pchip { points: Vec<[f64; 3]> },
    Table { points: Vec<[f64; 2]> },
    Indicator { ranges: Vec<[Option<f64>; 2]> },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Base {
    t_e: f64,
    t_l: Option<f64>,
    beta: f64,
    p: f64,
    /// Centres that all parts share; none where each part has its own.
    low: Option<f64>,
    high: Option<f64>,
    threshold: Option<f64>,
}

#[derive(Serialize)]
struct TradingData {
    horizon: usize,
    cost: f64,
}

/// The script of one task.
pub(super) fn script(loaded: &Loaded<'_>, flow: Option<&str>) -> Result<Vec<u8>> {
    let Loaded { subject, scores, settings, .. } = loaded;
    let (rules, trading) = (subject.rules, subject.rules.trading.as_ref());
    let part = |(part, s): (&Part, &Settings)| PartData {
        rows: part.rows,
        phi: phi(s),
        reference: match s.reference {
            Some(Reference::TrainingMean(mean)) => Some(mean),
            Some(Reference::TestMean) | None => None,
        },
        tloss: s.uba.as_ref().map(Uba::tloss),
        repeat: part.repeat,
    };
    let parts: Vec<PartData> = loaded.parts.iter().zip(settings).map(part).collect();
    let scores_of = |row: &Vec<Score>| (!row.is_empty()).then(|| row.iter().map(score).collect());
    let variants = VariantId::all(scores.scores.len());
    let mut columns = Columns::default();
    let mut column = |values: &[f64]| columns.add(values.iter().copied());
    let data = TaskData {
        name: loaded.name,
        target: target_name(loaded),
        percent: loaded.is_return,
        truth: column(&loaded.truth),
        dates: loaded.dates.as_deref().map(|dates| column(&days(dates))),
        prices: loaded.prices.as_deref().map(&mut column),
        predictions: variants.map(|v| loaded.predicted(v).map(&mut column)).collect(),
        status: scores.status.iter().map(status).collect(),
        scores: scores.scores.iter().map(scores_of).collect(),
        same_as: scores.same_as.iter().map(|v| v.0).collect(),
        references: &scores.references,
        signals: scores.counts.iter().map(|c| c.map(|c| c.signals)).collect(),
        hits: scores.counts.iter().map(|c| c.map(|c| c.hits)).collect(),
        events: scores.events,
        base: Base {
            t_e: loaded.t_e,
            t_l: settings.first().and_then(|s| s.accuracy).map(|accuracy| accuracy.t_l()),
            beta: settings.first().map_or(rules.settings.beta, |s| s.beta),
            p: rules.settings.utility.p,
            low: shared(&parts, |low, _| low),
            high: shared(&parts, |_, high| high),
            threshold: trading.and_then(|t| t.threshold.at(loaded.horizon)),
        },
        trading: trading.map(|t| TradingData { horizon: loaded.horizon.unwrap_or(1), cost: t.cost }),
        parts,
        flow,
    };
    let bytes = pack(&escape::json(&data)?, &columns)?;
    Ok(packed_script(&format!("tailrank.taskPacked({}, ", loaded.number.0 + 1), &bytes))
}

fn shared(parts: &[PartData], pick: fn(Option<f64>, Option<f64>) -> Option<f64>) -> Option<f64> {
    let centre = |p: &PartData| match p.phi {
        PhiData::Sigmoid { low, high, .. } => pick(low, high),
        _ => None,
    };
    let first = parts.first().and_then(centre);
    first.filter(|_| parts.iter().all(|p| centre(p) == first))
}

fn phi(settings: &Settings) -> PhiData {
    match &settings.relevance {
        Some(Relevance::Sigmoid(s)) => {
            let (low, high) = s.centres();
            PhiData::Sigmoid { low, high, k: s.k(), delta: s.delta() }
        }
        Some(Relevance::Pchip(p)) => {
            PhiData::Pchip { points: p.control_points().iter().map(|c| [c.y, c.phi, c.slope]).collect() }
        }
        Some(Relevance::Table(t)) => {
            PhiData::Table { points: t.points().iter().map(|&(y, f)| [y, f]).collect() }
        }
        Some(Relevance::Indicator(i)) => {
            let end = |v: f64| v.is_finite().then_some(v);
            PhiData::Indicator { ranges: i.ranges().iter().map(|r| [end(r.from), end(r.to)]).collect() }
        }
        // The engine always builds a φ; without one nothing is relevant.
        None => PhiData::Table { points: vec![[0.0, 0.0], [1.0, 0.0]] },
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
