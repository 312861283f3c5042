//! Which model to take on a task, by which measure, what to expect of it, and how sure that is: a paragraph made from numbers.

use tailrank_metrics::{EventCounts, Measure};

use super::{
    Names, TaskId, TaskScores, VariantId, VariantStatus,
    inference::{FEWEST_EVENTS, Luck, Sureness},
    verdict::of_counts,
};
use crate::{
    table::{Format, Table, column},
    text::{count, digits, list, p_value, percent},
};

/// More events than this share of the cases are not rare.
const RARE: f64 = 0.2;

/// Measures that choose models of one family, and the model to take by them.
#[derive(Clone, Debug, PartialEq)]
pub struct Camp {
    /// The measures; the first one's winner is the model to take.
    pub measures: Vec<Measure>,
    /// That model.
    pub variant: VariantId,
    /// Its name.
    pub label: String,
    /// Its family.
    pub family: String,
    /// Its signals and what became of them.
    pub counts: Option<EventCounts>,
    /// Share of the resamples on which its family holds the best, by the first measure.
    pub family_share: Option<f64>,
    /// Other variants of its family that are level with it, by the first measure.
    pub level: usize,
    /// The best score against luck, by the first measure.
    pub luck: Option<Luck>,
    /// The slope of y on its signals: 1 is honest, 0.3 cries three times too loud.
    pub slope: Option<f64>,
}

/// What to do about one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Which task.
    pub task: TaskId,
    /// The camps of measures, in the order of the measures.
    pub camps: Vec<Camp>,
    /// False alarms for each event caught, by the candidate that has the fewest: what a missed event must cost before acting pays.
    pub flips_at: Option<f64>,
    /// What is to be known before anything is believed.
    pub warnings: Vec<String>,
    alpha: f64,
}

/// The decisions of all tasks.
pub(super) fn decisions(names: &Names, tasks: &[TaskScores], sure: Sureness<'_>) -> Vec<Decision> {
    TaskId::all(tasks.len()).zip(tasks).map(|(task, scores)| decision(names, task, scores, sure)).collect()
}

fn decision(names: &Names, task: TaskId, scores: &TaskScores, sure: Sureness<'_>) -> Decision {
    let mut camps: Vec<Camp> = Vec::new();
    for &measure in &scores.measures {
        let Some(variant) = scores.best(measure) else { continue };
        let family = &names.variants[variant].group;
        match camps.iter_mut().find(|c| c.family == *family) {
            Some(camp) => camp.measures.push(measure),
            None => camps.push(camp(names, task, scores, measure, variant, sure)),
        }
    }
    let ratios = scores.candidates().into_iter().filter_map(|v| scores.counts[v]).filter_map(|c| {
        let caught = c.hits + c.near_misses;
        (caught > 0).then(|| c.false_alarms as f64 / caught as f64)
    });
    Decision {
        task,
        flips_at: ratios.min_by(f64::total_cmp),
        warnings: warnings(scores, &camps, sure, task),
        camps,
        alpha: sure.alpha,
    }
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
        variant,
        label: names.label(variant).to_owned(),
        counts: scores.counts[variant],
        family_share: None,
        level: 0,
        luck: None,
        slope: None,
        family,
    };
    if let Some((of_task, known)) = sure.of(task, measure) {
        camp.family_share = known.families.iter().find(|(name, _)| *name == camp.family).map(|(_, p)| *p);
        let is_sibling = |&place: &usize| {
            let v = of_task.variants[place];
            v != scores.same_as[variant] && names.variants[v].group == camp.family
        };
        camp.level = known.level(sure.set_level).iter().filter(|place| is_sibling(place)).count();
        camp.luck = known.luck.clone();
        camp.slope = of_task.place(variant, scores).and_then(|p| of_task.slopes[p]);
    }
    camp
}

fn warnings(scores: &TaskScores, camps: &[Camp], sure: Sureness<'_>, task: TaskId) -> Vec<String> {
    let mut all = Vec::new();
    let share = scores.events as f64 / scores.cases.max(1) as f64;
    if scores.counts.iter().any(Option::is_some) && share > RARE {
        all.push(format!("Events are {} of the test cases: not rare.", percent(share)));
    } else if scores.counts.iter().any(Option::is_some) && scores.events < FEWEST_EVENTS {
        all.push(format!(
            "There are only {} in the test: too few to say much.",
            count(scores.events, "event")
        ));
    }
    for camp in camps.iter().filter(|c| scores.status[c.variant] == VariantStatus::NotConverged) {
        all.push(format!("The fit of {} ended at its iteration limit.", camp.label));
    }
    let candidates = scores.distinct().len();
    for camp in camps {
        let known = sure.of(task, camp.measures[0]).map(|(_, known)| known.level(sure.set_level).len());
        if candidates > 1 && known == Some(candidates) {
            all.push(format!("By {} all {candidates} variants are level.", camp.measures[0].info().symbol));
        }
    }
    let reason = sure.tasks.iter().find(|t| t.task == task).and_then(|t| t.reason.clone());
    all.extend(reason.map(|r| format!("How sure this is cannot be said: {r}.")));
    all
}

impl Decision {
    /// The paragraph.
    pub fn sentences(&self) -> Vec<String> {
        let mut all: Vec<String> = self.camps.iter().map(|camp| self.of_camp(camp)).collect();
        if let Some(ratio) = self.flips_at {
            all.push(format!(
                "If a missed event costs less than about {} false {}, no model here is worth acting on.",
                digits(ratio),
                if ratio == 1.0 { "alarm" } else { "alarms" }
            ));
        }
        all.extend(self.warnings.iter().cloned());
        all
    }

    fn of_camp(&self, camp: &Camp) -> String {
        let symbols: Vec<&str> = camp.measures.iter().map(|m| m.info().symbol).collect();
        let mut sure = Vec::new();
        if let Some(share) = camp.family_share {
            sure.push(format!("{} wins in {} of the resamples", camp.family, percent(share)));
        }
        match camp.level {
            0 => {}
            1 => sure.push("1 other of its settings is level".to_owned()),
            n => sure.push(format!("{n} others of its settings are level")),
        }
        let sure = if sure.is_empty() { String::new() } else { format!(" ({})", sure.join("; ")) };
        let mut text = format!("By {} take {}{sure}", list(&symbols), camp.label);
        if let Some(counts) = camp.counts {
            text.push_str(&format!("; it {}", of_counts(counts)));
        }
        if let Some(luck) = &camp.luck {
            let symbol = camp.measures[0].info().symbol;
            text.push_str(&format!(
                ". Its {symbol} of {} is {} luck, which gives {} (p {})",
                digits(luck.score),
                if luck.p < self.alpha { "better than" } else { "not clearly better than" },
                digits(luck.by_luck),
                p_value(luck.p)
            ));
        }
        if let Some(slope) = camp.slope.filter(|_| camp.counts.is_some_and(|c| c.signals > 2)) {
            match slope {
                s if s < 0.05 => text.push_str(". The size of its signals says nothing of what comes"),
                s if s < 0.8 => text.push_str(&format!(". What comes is {} of what it signals", percent(s))),
                _ => {}
            }
        }
        text.push('.');
        text
    }

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
                "false alarms for each event caught, at best",
                |d: &D<'_>| d.flips_at,
            ),
        ],
    )
}
