//! Measures of arrays.

use numpy::{IntoPyArray, PyArray1};
use pyo3::{
    Borrowed,
    prelude::*,
    types::{IntoPyDict, PyDict},
};
use tailrank::{
    experiment::{
        config::{Measures, Trading},
        rules::{ScoringRules, scoring_rules},
    },
    metrics::{
        self, Better, EpisodeCounts, EpisodeRule, Measure, Scorer, Settings, Undefined,
        classification::{RankedCounts, RatePoint},
        pr_curve as precision_recall_curve,
        rec::{RecError, rec_curve as error_curve},
        registry::{MEASURES, Need},
        relevance::Flank,
        scoring::{Reference, Statistic, TermTable},
        sera,
    },
};

use crate::{
    error::{Failure, Result},
    relevance::{Floats, Relevance, check_threshold, one_of},
};

/// An array of NumPy.
pub(crate) type Array<'py> = Bound<'py, PyArray1<f64>>;

/// True values and predictions, from a pair of anything that has numbers.
pub(crate) struct Cases<'py>(Floats<'py>, Floats<'py>);

impl<'py> FromPyObject<'_, 'py> for Cases<'py> {
    type Error = PyErr;

    fn extract(pair: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let truth = Floats::of(&pair.get_item(0)?, "the true values")?;
        Ok(Self(truth, Floats::of(&pair.get_item(1)?, "the predictions")?))
    }
}

impl Cases<'_> {
    /// Computes something of them while Python's other threads run.
    fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&[f64], &[f64]) -> Result<T> + Send,
    ) -> Result<T> {
        let (truth, predicted): (&[f64], &[f64]) = (&self.0, &self.1);
        py.detach(|| work(truth, predicted))
    }
}

/// Every measure: its id, aliases, name, symbol, whether larger is better, formula, citation, the settings it needs, and what leaves it
/// undefined.
#[pyfunction]
pub(crate) fn list_measures(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |m: &metrics::registry::MeasureInfo| {
        let row = PyDict::new(py);
        row.set_item("id", m.id)?;
        row.set_item("aliases", m.aliases.to_vec())?;
        row.set_item("name", m.name)?;
        row.set_item("symbol", m.symbol)?;
        row.set_item("greater_is_better", m.better == Better::Higher)?;
        row.set_item("formula", m.formula)?;
        row.set_item("citation", m.citation)?;
        row.set_item("takes_weights", takes_weights(m.measure))?;
        row.set_item("needs", m.needs.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>())?;
        row.set_item("undefined", m.undefined.iter().map(|u| u.reason()).collect::<Vec<_>>())?;
        Ok(row)
    };
    MEASURES.iter().map(entry).collect()
}

/// Measures with their settings, read once for all calls that are alike.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Rules(pub(crate) ScoringRules);

#[pymethods]
impl Rules {
    /// Measures by their ids, with settings as an experiment file has them, in JSON.
    #[new]
    pub(crate) fn new(ids: Vec<String>, settings: &str, trading: Option<&str>) -> Result<Self> {
        let measures = Measures { ids, ..serde_json::from_str(settings)? };
        let trading: Option<Trading> = trading.map(serde_json::from_str).transpose()?;
        scoring_rules(&measures, trading.as_ref()).map(Self).map_err(|problems| {
            let list: Vec<String> = problems.into_iter().map(|p| p.message).collect();
            Failure::new(list.join("\n"))
        })
    }
}

/// The measures' settings; only what they need is made.
fn prepare(
    rules: &ScoringRules,
    horizon: Option<usize>,
    phi: Option<&metrics::Relevance>,
    t_e: f64,
    reference: &[f64],
) -> Result<Settings> {
    let needed = |need: Need| rules.measures.iter().find(|m| m.info().needs.contains(&need));
    if let (Some(measure), None) = (needed(Need::Relevance).or(needed(Need::Uba)), phi) {
        return Err(Failure::new(format!(
            "{} needs {}: give relevance, such as Relevance.sigmoid(low=…, high=…) or \"boxplot\"",
            measure.id(),
            Need::Relevance.describe()
        )));
    }
    check_threshold(t_e)?;
    let cubic = matches!(phi, Some(metrics::Relevance::Pchip(_)));
    let from = if needed(Need::Reference).is_some() || cubic { reference } else { &[] };
    Ok(rules.with_relevance(phi.cloned(), t_e, from, horizon)?)
}

/// Precision, recall and F in one pass that makes no vector as long as the data; none if another measure is asked for. The bits are those
/// of a [`Scorer`].
fn in_blocks(
    truth: &[f64],
    predicted: &[f64],
    settings: &Settings,
    measures: &[Measure],
) -> Result<Option<Vec<metrics::Score>>> {
    let (Some(phi), Some(alpha)) = (&settings.relevance, &settings.accuracy) else { return Ok(None) };
    if !measures.iter().all(|m| matches!(m, Measure::Precision | Measure::Recall | Measure::F)) {
        return Ok(None);
    }
    let found = metrics::precision_recall(truth, predicted, phi, alpha, settings.t_e, settings.beta)?;
    let of = |measure: &Measure| match measure {
        Measure::Precision => found.precision,
        Measure::Recall => found.recall,
        _ => found.f,
    };
    Ok(Some(measures.iter().map(of).collect()))
}

/// Whether it is made of sums over the cases. Those of uba look at the spread of the cases besides.
fn takes_weights(measure: Measure) -> bool {
    Statistic::from(measure).has_terms() && !measure.info().needs.contains(&Need::Uba)
}

/// Scores in which every case counts as often as its weight says.
fn weighted(
    truth: &[f64],
    predicted: &[f64],
    weights: &[f64],
    mut settings: Settings,
    measures: &[Measure],
    own_mean: bool,
) -> Result<Vec<metrics::Score>> {
    if weights.len() != truth.len() {
        let text =
            format!("sample_weight has {} values, the true values have {}", weights.len(), truth.len());
        return Err(Failure::new(text));
    }
    if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(Failure::new(format!(
            "sample_weight: row {} is missing, not finite or below 0",
            row + 1
        )));
    }
    let whole: f64 = weights.iter().sum();
    if whole == 0.0 {
        return Err(Failure::new("sample_weight is 0 in every row"));
    }
    if let Some(measure) = measures.iter().find(|m| !takes_weights(**m)) {
        return Err(Failure::new(format!("{} takes no sample_weight", measure.id())));
    }
    let of = |column: &[f64]| column.iter().zip(weights).filter(|(_, w)| **w > 0.0).map(|(v, w)| w * v).sum();
    if own_mean {
        let sum: f64 = of(truth);
        settings.reference = Some(Reference::TrainingMean(sum / whole));
    }
    let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
    let table = TermTable::new(&Scorer::new(truth, settings)?, &[[predicted]], &statistics)?;
    let sums: Vec<f64> = table.iter().map(of).collect();
    Ok((0..measures.len()).map(|place| table.finish(0, place, &sums)).collect())
}

/// Scores by several measures: a value for each, or the reason why there is none.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a pair for each measure")]
pub(crate) fn score(
    py: Python<'_>,
    cases: Cases<'_>,
    relevance: Option<&Relevance>,
    rules: &Rules,
    t_e: f64,
    horizon: Option<usize>,
    y_train: Option<&Bound<'_, PyAny>>,
    sample_weight: Option<&Bound<'_, PyAny>>,
) -> Result<Vec<(Option<f64>, Option<&'static str>)>> {
    let (phi, measures) = (relevance.map(|r| &r.0), &rules.0.measures);
    let train = y_train.map(|y| Floats::of(y, "the training targets")).transpose()?;
    let weights = sample_weight.map(|w| Floats::of(w, "sample_weight")).transpose()?;
    let (train, weights) = (train.as_deref(), weights.as_deref());
    cases.detached(py, |truth, predicted| {
        let settings = prepare(&rules.0, horizon, phi, t_e, train.unwrap_or(truth))?;
        // Weights of 1 give the bits of none.
        let weights = weights.filter(|w| w.len() != truth.len() || w.iter().any(|w| *w != 1.0));
        let blocks = if weights.is_none() { in_blocks(truth, predicted, &settings, measures)? } else { None };
        let scores = match (blocks, weights) {
            (Some(scores), _) => scores,
            (_, Some(w)) => weighted(truth, predicted, w, settings, measures, train.is_none())?,
            _ => Scorer::new(truth, settings)?.score(predicted, measures)?,
        };
        Ok(scores.iter().map(|s| (s.value(), s.undefined().map(Undefined::reason))).collect())
    })
}

/// Events, signals and how they met.
#[pyfunction]
pub(crate) fn event_counts<'py>(
    py: Python<'py>,
    cases: Cases<'_>,
    relevance: &Relevance,
    t_e: f64,
    rules: &Rules,
) -> Result<Bound<'py, PyDict>> {
    let counts = cases.detached(py, |truth, predicted| {
        let settings = prepare(&rules.0, None, Some(&relevance.0), t_e, truth)?;
        Ok(Scorer::new(truth, settings)?.event_counts(&[predicted])?)
    })?;
    let counts = counts.map(|c| {
        [
            ("events", c.events),
            ("signals", c.signals),
            ("hits", c.hits),
            ("near_misses", c.near_misses),
            ("false_alarms", c.false_alarms),
            ("missed", c.missed),
        ]
    });
    Ok(counts.into_iter().flatten().into_py_dict(py)?)
}

/// Episodes of events and alarms of signals, of rows in time order: their numbers, and the lead times of the caught ones.
#[pyfunction]
pub(crate) fn episodes<'py>(
    py: Python<'py>,
    cases: Cases<'_>,
    relevance: &Relevance,
    t_e: f64,
    gap: usize,
    lead: usize,
    cooldown: usize,
) -> Result<Bound<'py, PyDict>> {
    check_threshold(t_e)?;
    let rule = EpisodeRule { gap, lead, cooldown };
    let counts = cases.detached(py, |truth, predicted| {
        // What no measure takes is refused here, too.
        Scorer::new(truth, Settings::default())?.score(predicted, &[Measure::Mad])?;
        let mut counts = EpisodeCounts::default();
        for flank in [Flank::Low, Flank::High] {
            let flags = |values: &[f64]| EpisodeCounts::flags(values, &relevance.0, t_e, flank);
            counts.add(EpisodeCounts::of(&flags(truth), &flags(predicted), rule));
        }
        Ok(counts)
    })?;
    let row = PyDict::new(py);
    row.set_item("episodes", counts.episodes)?;
    row.set_item("caught", counts.caught)?;
    row.set_item("alarms", counts.alarms)?;
    row.set_item("false_alarms", counts.false_alarms)?;
    row.set_item("false_alarms_per_1000", 1000.0 * counts.false_alarms as f64 / cases.0.len() as f64)?;
    row.set_item("median_lead", counts.median_lead())?;
    row.set_item("lead_times", counts.lead_times.into_pyarray(py))?;
    Ok(row)
}

/// Corners of the REC curve: errors, and the share of cases within each.
#[pyfunction]
pub(crate) fn rec_curve<'py>(
    py: Python<'py>,
    cases: Cases<'_>,
    error: &str,
) -> Result<(Array<'py>, Array<'py>)> {
    let error = one_of("error", error, &[("absolute", RecError::Absolute), ("squared", RecError::Squared)])?;
    let curve = cases.detached(py, |truth, predicted| Ok(error_curve(truth, predicted, error)?))?;
    let (x, share): (Vec<f64>, Vec<f64>) = curve.corners().unzip();
    Ok((x.into_pyarray(py), share.into_pyarray(py)))
}

/// The precision–recall curve over t_E: t_E, precision, recall (NaN where undefined), and the area under it.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "three columns and a number")]
pub(crate) fn pr_curve<'py>(
    py: Python<'py>,
    cases: Cases<'_>,
    relevance: &Relevance,
    rules: &Rules,
) -> Result<(Array<'py>, Array<'py>, Array<'py>, f64)> {
    let curve = cases.detached(py, |truth, predicted| {
        let settings = prepare(&rules.0, None, Some(&relevance.0), 0.5, truth)?;
        let accuracy = settings.accuracy.ok_or_else(|| Failure::new("give t_l"))?;
        Ok(precision_recall_curve(truth, predicted, &relevance.0, &accuracy)?)
    })?;
    let number = |score: metrics::Score| score.value().unwrap_or(f64::NAN);
    let column = |of: &dyn Fn(&metrics::PrPoint) -> f64| -> Array<'py> {
        curve.points.iter().map(of).collect::<Vec<_>>().into_pyarray(py)
    };
    let (precision, recall) = (column(&|q| number(q.precision)), column(&|q| number(q.recall)));
    Ok((column(&|q| q.t_e), precision, recall, number(curve.area)))
}

/// ROC, lift and cost curves of alarms for the events of one side, and the area under the ROC curve.
#[pyfunction]
pub(crate) fn event_curves<'py>(
    py: Python<'py>,
    cases: Cases<'_>,
    relevance: &Relevance,
    t_e: f64,
    side: &str,
) -> Result<Bound<'py, PyDict>> {
    let flank = one_of("side", side, &[("low", Flank::Low), ("high", Flank::High)])?;
    let ranked = cases.detached(py, |truth, predicted| {
        Ok(RankedCounts::of_events(truth, predicted, &relevance.0, t_e, flank)?)
    })?;
    let (Some(roc), Some(lift)) = (ranked.roc(), ranked.lift()) else {
        return Err(Failure::new(format!("there is no {side} event, or nothing else: no curve")));
    };
    let cost = ranked.cost_curve()?;
    let weights: Vec<f64> = cost.envelope().iter().map(|piece| piece.from).chain([1.0]).collect();
    let costs: Vec<f64> = weights.iter().map(|&pc| cost.cost(pc)).collect();
    let column = |points: &[RatePoint], of: fn(&RatePoint) -> f64| -> Array<'py> {
        points.iter().map(of).collect::<Vec<_>>().into_pyarray(py)
    };
    let found = PyDict::new(py);
    found.set_item("roc", (column(&roc, |q| q.x), column(&roc, |q| q.y), column(&roc, |q| q.threshold)))?;
    found.set_item("lift", (column(&lift, |q| q.x), column(&lift, |q| q.y)))?;
    found.set_item("cost", (weights.into_pyarray(py), costs.into_pyarray(py)))?;
    found.set_item("roc_area", ranked.roc_area().value())?;
    Ok(found)
}

/// SER_t, the squared error of the cases with φ(y) ≥ t, for each of `ts`.
#[pyfunction]
pub(crate) fn ser_curve<'py>(
    py: Python<'py>,
    cases: Cases<'_>,
    relevance: &Relevance,
    ts: &Bound<'_, PyAny>,
) -> Result<Array<'py>> {
    let ts = Floats::of(ts, "the thresholds")?;
    let ts: &[f64] = &ts;
    let values = cases
        .detached(py, |truth, predicted| Ok(sera::ser_curve(truth, predicted, &relevance.of(truth), ts)?))?;
    Ok(values.into_pyarray(py))
}
