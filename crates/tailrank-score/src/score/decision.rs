//! Which model to take on a task, by which measure, what to expect of it, and how sure that is: a paragraph made from numbers.

mod sentences;
mod warnings;

use std::cmp::Ordering;

use tailrank_metrics::{EventCounts, Measure};

use self::warnings::{has_events, warnings};
use super::{
    Names, TaskId, TaskScores, VariantId,
    alarms::frontier,
    inference::{Caution, Direction, Luck, Sureness},
};
use crate::{
    rules::RARE,
    table::{Format, Table, column},
};

/// Measures that agree on a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Camp {
    /// The measures that are content with the model; the first one's winner it is.
    pub measures: Vec<Measure>,
    /// Those of them whose own winner is another setting of its family, with which it is level.
    pub level_by: Vec<Measure>,
    /// That model.
    pub variant: VariantId,
    /// Its name.
    pub label: String,
    /// Its family.
    pub family: String,
    /// Its signals and what became of them, in all repeats.
    pub counts: Option<EventCounts>,
    /// Times that the test cases were divided and counted.
    pub repeats: usize,
    /// Share of the resamples on which its family holds the best, by the first measure.
    pub family_share: Option<f64>,
    /// Other variants of its family that are level with it, by the first measure; copies are variants, too.
    pub level: Vec<VariantId>,
    /// Variants of other families that are.
    pub level_elsewhere: Vec<VariantId>,
    /// The best reference, by the first measure.
    pub beside: Option<Beside>,
    /// The best score against luck, by the first measure.
    pub luck: Option<Luck>,
    /// The same with flipped sides.
    pub direction: Option<Direction>,
    /// What makes the interval of its score less sure than it says.
    pub caution: Option<Caution>,
    /// Calibration slope: least squares of y on ŷ over its signals. 1 where signals are neither exaggerated nor understated.
    pub slope: Option<f64>,
}

/// The best reference beside the model of a camp.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Its name.
    pub label: String,
    /// Its score.
    pub score: f64,
    /// The model's score.
    pub of_model: f64,
    /// How the reference's score compares: less is better than the model's.
    pub order: Ordering,
    /// p of Hansen's test that no model is better.
    pub p: Option<f64>,
}

impl Beside {
    /// The best reference by a measure beside the best model; none where one of them has no score.
    fn of(
        names: &Names,
        task: TaskId,
        scores: &TaskScores,
        (measure, variant): (Measure, VariantId),
        sure: Sureness<'_>,
    ) -> Option<Self> {
        let reference = scores.best_reference(measure)?;
        let (own, other) = (scores.score(variant, measure)?, scores.score(reference, measure)?);
        Some(Self {
            label: names.label(reference).to_owned(),
            score: other.value()?,
            of_model: own.value()?,
            order: other.compare(own, measure.better()),
            p: sure.of(task, measure).and_then(|(_, known)| known.against_reference.as_ref()).map(|r| r.p),
        })
    }

    /// Whether the reference does without learning what the model does.
    pub fn is_unbeaten(&self) -> bool {
        self.order != Ordering::Greater
    }
}

/// What to do about one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Which task.
    pub task: TaskId,
    /// The camps of measures: those that matter first, then those chosen by.
    pub camps: Vec<Camp>,
    /// Measures by which no model is to be taken, with the reason.
    pub no_gain: Vec<(&'static str, Vec<Measure>)>,
    /// False alarms for each event caught, by the candidate that has the fewest among those that catch enough events to tell: what
    /// a missed event must cost before acting pays.
    pub flips_at: Option<f64>,
    /// That candidate's name, and the events it catches.
    pub first_to_act: Option<(String, usize)>,
    /// What is to be known before anything is believed.
    pub warnings: Vec<String>,
    /// Years that the test covers.
    pub years: Option<f64>,
    /// Cases of the test, of all repeats.
    pub cases: usize,
    alpha: f64,
    has_events: bool,
}

/// The decisions of all tasks; `pairs` are the measures chosen by and those that matter.
pub(super) fn decisions(
    names: &Names,
    tasks: &[TaskScores],
    pairs: &[(Measure, Measure)],
    sure: Sureness<'_>,
) -> Vec<Decision> {
    TaskId::all(tasks.len())
        .zip(tasks)
        .map(|(task, scores)| decision(names, task, scores, pairs, sure))
        .collect()
}

fn decision(
    names: &Names,
    task: TaskId,
    scores: &TaskScores,
    pairs: &[(Measure, Measure)],
    sure: Sureness<'_>,
) -> Decision {
    let mut order: Vec<Measure> = Vec::new();
    let asked = pairs.iter().map(|p| p.1).chain(pairs.iter().map(|p| p.0));
    for measure in asked.chain(scores.measures.iter().copied()) {
        if scores.measures.contains(&measure) && !order.contains(&measure) {
            order.push(measure);
        }
    }
    let mut camps: Vec<Camp> = Vec::new();
    let mut no_gain: Vec<(&'static str, Vec<Measure>)> = Vec::new();
    for measure in order {
        let Some(variant) = scores.best(measure) else { continue };
        if let Some(reason) = scores.no_gain(measure) {
            match no_gain.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, measures)) => measures.push(measure),
                None => no_gain.push((reason, vec![measure])),
            }
            continue;
        }
        match camps.iter_mut().find(|c| agrees(names, task, scores, (measure, variant), c, sure)) {
            Some(camp) => {
                camp.measures.push(measure);
                if scores.same_as[variant] != scores.same_as[camp.variant] {
                    camp.level_by.push(measure);
                }
            }
            None => camps.push(camp(names, task, scores, measure, variant, sure)),
        }
    }
    let first = frontier(scores).into_iter().next();
    Decision {
        task,
        flips_at: first.as_ref().map(|a| a.price),
        first_to_act: first.map(|a| (names.label(a.variant).to_owned(), a.caught)),
        warnings: warnings(names, scores, &camps, sure, task),
        years: scores.years.filter(|years| *years >= 1.0 && scores.repeats == 1),
        cases: scores.cases * scores.repeats,
        camps,
        no_gain,
        alpha: sure.alpha,
        has_events: has_events(scores),
    }
}

/// Whether a measure is content with the model of a camp: its own winner is of that family, and the model is level with it. A reference
/// is beaten by both measures or by neither.
fn agrees(
    names: &Names,
    task: TaskId,
    scores: &TaskScores,
    (measure, winner): (Measure, VariantId),
    camp: &Camp,
    sure: Sureness<'_>,
) -> bool {
    let has_score = scores.score(camp.variant, measure).is_some_and(|s| s.value().is_some());
    let is_unbeaten = |measure: Measure| scores.unbeaten(measure).is_some();
    if is_unbeaten(measure) != is_unbeaten(camp.measures[0]) {
        return false;
    }
    if scores.same_as[winner] == scores.same_as[camp.variant] {
        return true;
    }
    let is_level = sure.of(task, measure).is_none_or(|(of_task, known)| {
        let place = of_task.place(camp.variant, scores);
        known.set_reason.is_some() || place.is_some_and(|p| known.level(sure.set_level).contains(&p))
    });
    names.variants[winner].group == camp.family && has_score && is_level
}

fn camp(
    names: &Names,
    task: TaskId,
    scores: &TaskScores,
    measure: Measure,
    variant: VariantId,
    sure: Sureness<'_>,
) -> Camp {
    let family = names.variants[variant].group.clone();
    let mut camp = Camp {
        measures: vec![measure],
        level_by: Vec::new(),
        variant,
        label: names.label(variant).to_owned(),
        counts: scores.counts[variant],
        repeats: scores.repeats,
        family_share: None,
        level: Vec::new(),
        level_elsewhere: Vec::new(),
        beside: Beside::of(names, task, scores, (measure, variant), sure),
        luck: None,
        direction: None,
        caution: None,
        slope: None,
        family,
    };
    if let Some((of_task, known)) = sure.of(task, measure) {
        camp.family_share = known.families.iter().find(|(name, _)| *name == camp.family).map(|(_, p)| *p);
        let level = known.level(sure.set_level);
        let is_level = |v: &VariantId| of_task.place(*v, scores).is_some_and(|p| level.contains(&p));
        let others = scores.candidates().into_iter().filter(|v| *v != variant && is_level(v));
        (camp.level, camp.level_elsewhere) = others.partition(|v| names.variants[*v].group == camp.family);
        camp.luck = known.luck.clone();
        camp.direction = known.direction.clone();
        let place = of_task.place(variant, scores);
        camp.caution = place.and_then(|p| known.cautions[p]);
        camp.slope = place.and_then(|p| of_task.slopes[p]);
    }
    camp
}

impl Decision {
    /// The decision for scripts.
    pub fn json(&self, names: &Names) -> serde_json::Value {
        serde_json::json!({
            "task": names.task(self.task),
            "sentences": self.sentences(),
            "flips_at": self.flips_at,
            "warnings": self.warnings,
        })
    }
}

/// One row per task: the paragraph.
pub(super) fn table(names: &Names, decisions: &[Decision]) -> Table {
    type D<'a> = &'a Decision;
    Table::of(
        "decisions",
        "Which model to take, by which measure, what to expect, and how sure that is",
        decisions,
        vec![
            column("task", "task", Format::Name, "the task", |d: &D<'_>| names.task(d.task).to_owned()),
            column("decision", "decision", Format::Prose, "the decision in words", |d: &D<'_>| {
                d.sentences().join(" ")
            }),
            column(
                "flips_at",
                "acting pays at",
                Format::Number,
                "false alarms for each event caught, by the best that catches ten",
                |d: &D<'_>| d.flips_at,
            ),
        ],
    )
}

#[cfg(test)]
mod tests;
