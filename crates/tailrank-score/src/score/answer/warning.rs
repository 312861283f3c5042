//! What to know before a decision is believed.

use tailrank_metrics::Measure;
use tailrank_models::ParamValue;

use super::{
    super::{
        Names, TaskId, TaskScores, VariantId, VariantStatus,
        inference::{Caution, FEWEST_EVENTS, FEWEST_HITS},
    },
    Decision,
    rule::Asked,
};
use crate::rules::RARE;

/// Grids with fewer values of a parameter have no middle.
const FEWEST_VALUES: usize = 3;

/// Slopes between these are close enough to 1.
const CALIBRATED: std::ops::RangeInclusive<f64> = 0.8..=1.25;

/// With fewer signals a slope says nothing.
const FEWEST_SIGNALS: usize = 3;

/// One warning about a task. The model is always that of the deciding measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// More than a fifth of the test cases are events.
    EventsNotRare {
        /// Events in the test.
        events: usize,
        /// All cases.
        cases: usize,
    },
    /// The test has fewer than ten events.
    FewEvents {
        /// So many.
        events: usize,
    },
    /// The training rows hold fewer than ten events, so that no model can learn what one looks like.
    FewTrainingEvents {
        /// So many, in the part with the fewest.
        events: usize,
    },
    /// The model is at the edge of its grid: better ones may lie beyond.
    GridEdge {
        /// The model.
        model: VariantId,
        /// The parameter at its first or last value.
        parameter: String,
        /// That value.
        value: f64,
        /// Which end of the grid.
        end: GridEnd,
    },
    /// A fit of the model ended at its iteration limit.
    NotConverged {
        /// The model.
        model: VariantId,
    },
    /// Labels of training rows reach into the test, and the rows are kept.
    LabelOverlap,
    /// The score, or the whole test, rests on so little that its interval is less sure than its level says.
    Unsure {
        /// The model.
        model: VariantId,
        /// The deciding measure.
        measure: Measure,
        /// On what.
        caution: Caution,
    },
    /// Every model is in the confidence set.
    AllTied {
        /// Distinct models.
        models: usize,
    },
    /// The deciding measure rewards exaggeration, and signals are not as large as what follows them: least
    /// squares of y on ŷ over the signals has this slope, below 1 where they are larger.
    CalibrationSlope {
        /// The model.
        model: VariantId,
        /// The slope; 1 where signals are neither exaggerated nor understated.
        slope: f64,
    },
}

/// An end of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GridEnd {
    /// The smallest value tried.
    Smallest,
    /// The largest value tried.
    Largest,
}

impl Warning {
    /// The warning for files and scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EventsNotRare { .. } => "events_not_rare",
            Self::FewEvents { .. } => "few_events",
            Self::FewTrainingEvents { .. } => "few_training_events",
            Self::GridEdge { .. } => "grid_edge",
            Self::NotConverged { .. } => "not_converged",
            Self::LabelOverlap => "label_overlap",
            Self::Unsure { caution: Caution::FewHits(_), .. } => "few_hits",
            Self::Unsure { caution: Caution::FewEvents(_) | Caution::FewBlocks(_), .. } => "few_units",
            Self::Unsure { .. } => "short_series",
            Self::AllTied { .. } => "all_tied",
            Self::CalibrationSlope { .. } => "calibration_slope",
        }
    }

    /// Whether it can change what to do, and so belongs on the first screen.
    pub fn changes_decision(&self) -> bool {
        matches!(
            self,
            Self::EventsNotRare { .. }
                | Self::FewEvents { .. }
                | Self::GridEdge { .. }
                | Self::NotConverged { .. }
                | Self::LabelOverlap
                | Self::Unsure { caution: Caution::FewHits(0..FEWEST_HITS), .. }
        )
    }
}

/// Everything there is to know before the decision on a task is believed.
pub(super) fn warnings(asked: Asked<'_>, task: TaskId, decision: Option<&Decision>) -> Vec<Warning> {
    let scores = &asked.scores[task.0];
    let mut all = Vec::new();
    let (events, cases) = (scores.events, scores.cases);
    if scores.counts.iter().any(Option::is_some) {
        if events as f64 > RARE * cases as f64 {
            all.push(Warning::EventsNotRare { events, cases });
        } else if events < FEWEST_EVENTS {
            all.push(Warning::FewEvents { events });
        }
    }
    if let Some(events) = scores.training_events.filter(|&n| n < FEWEST_EVENTS) {
        all.push(Warning::FewTrainingEvents { events });
    }
    let Some((decision, model)) = decision.and_then(|d| Some((d, d.model?))) else { return all };
    if scores.status[model] == VariantStatus::NotConverged {
        all.push(Warning::NotConverged { model });
    }
    all.extend(edges(asked.names, scores, model));
    let known = asked.inference.iter().find(|t| t.task == task);
    let Some((of_task, known)) = known.and_then(|t| Some((t, t.measure(decision.measure)?))) else {
        return all;
    };
    let Some(place) = of_task.place(model, scores) else { return all };
    let measure = decision.measure;
    all.extend(known.cautions[place].map(|caution| Warning::Unsure { model, measure, caution }));
    let models = scores.distinct().len();
    if models > 1 && decision.tied.len() + 1 == models {
        all.push(Warning::AllTied { models });
    }
    let has_signals = decision.counts.is_some_and(|c| c.signals >= FEWEST_SIGNALS);
    let slope = of_task.slopes[place].filter(|slope| has_signals && !CALIBRATED.contains(slope));
    if let Some(slope) = slope.filter(|_| decision.measure.noise_can_raise()) {
        all.push(Warning::CalibrationSlope { model, slope });
    }
    all
}

/// Parameters of a model that stand at an end of its grid: better models may lie beyond. Only where moving
/// that parameter moves predictions.
fn edges(names: &Names, scores: &TaskScores, model: VariantId) -> Vec<Warning> {
    let same_grid = |v: &VariantId| {
        let (a, b) = (&names.variants[*v], &names.variants[model]);
        a.group == b.group && a.recipe == b.recipe && !a.reference
    };
    let grid: Vec<VariantId> = scores.scored().into_iter().filter(same_grid).collect();
    let number = |v: VariantId, name: &str| names.variants[v].params.get(name)?.number();
    let is_copy = |v: VariantId| v != model && scores.same_as[v] == scores.same_as[model];
    let others = |v: VariantId, name: &str| names.variants[v].params.without(&[name]);
    let moves_nothing =
        |name: &str| grid.iter().any(|&v| is_copy(v) && others(v, name) == others(model, name));
    let at_edge = |(name, value): (&str, &ParamValue)| {
        let value = value.number()?;
        if moves_nothing(name) {
            return None;
        }
        let distinct = grid.iter().filter(|&&v| !is_copy(v));
        let mut values: Vec<f64> = distinct.filter_map(|&v| number(v, name)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let end = match values.iter().position(|v| *v == value)? {
            _ if values.len() < FEWEST_VALUES => return None,
            0 => GridEnd::Smallest,
            last if last + 1 == values.len() => GridEnd::Largest,
            _ => return None,
        };
        Some(Warning::GridEdge { model, parameter: name.to_owned(), value, end })
    };
    names.variants[model].params.iter().filter_map(at_edge).collect()
}
