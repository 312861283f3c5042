//! Episodes of events and alarms of signals, for tasks whose test is one period in time order.

use serde::{Deserialize, Serialize};
use tailrank_metrics::{EpisodeCounts, EpisodeRule, relevance::Flank};
use tailrank_stats::share_interval;

use super::{Names, Predictions, TaskId, TaskTruth, VariantId, inference::RowDesign};
use crate::table::{Format, Table};

/// How one model's alarms met the episodes of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskEpisodes {
    /// The task.
    pub task: TaskId,
    /// The model.
    pub variant: VariantId,
    /// The counts.
    pub counts: EpisodeCounts,
    /// 95% interval of the share of episodes caught, over episodes (Wilson).
    pub share_interval: Option<(f64, f64)>,
    /// False alarms per year, where the test's length is known in years.
    pub false_alarms_a_year: Option<f64>,
    /// False alarms per 1,000 rows.
    pub false_alarms_per_1000: f64,
    /// Chance: how often the same signals at another time catch as many episodes.
    pub p_chance: Option<f64>,
}

/// Rearrangements at most.
const MOST_SHIFTS: usize = 999;

/// A task whose episodes are counted: the rows of each entity in time order.
pub struct EpisodeTask<'a> {
    task: TaskId,
    part: &'a TaskTruth,
    rule: EpisodeRule,
    years: Option<f64>,
    sequences: Vec<Vec<usize>>,
}

impl<'a> EpisodeTask<'a> {
    /// None where rows have no time order, or the test is no single period.
    pub fn new(
        task: TaskId,
        parts: &'a [TaskTruth],
        rule: EpisodeRule,
        years: Option<f64>,
        design: &RowDesign,
        is_series: bool,
    ) -> Option<Self> {
        let [part] = parts else { return None };
        part.settings.relevance.as_ref()?;
        if !is_series && design.steps.is_none() {
            return None;
        }
        let entity = |row: usize| design.entities.as_ref().and_then(|e| e.get(row)).copied().unwrap_or(0);
        let mut of_entities = std::collections::BTreeMap::<usize, Vec<usize>>::new();
        for (case, &row) in part.rows.iter().enumerate() {
            of_entities.entry(entity(row)).or_default().push(case);
        }
        Some(Self { task, part, rule, years, sequences: of_entities.into_values().collect() })
    }

    /// The counts of one model; none without predictions.
    pub fn of(&self, variant: VariantId, predictions: &Predictions) -> Option<TaskEpisodes> {
        let (phi, t_e) = (self.part.settings.relevance.as_ref()?, self.part.settings.t_e);
        let predicted = predictions.parts.first()?;
        let mut pairs: Vec<(Vec<bool>, Vec<bool>)> = Vec::new();
        for cases in &self.sequences {
            let take =
                |values: &[f64]| cases.iter().filter_map(|&c| values.get(c).copied()).collect::<Vec<f64>>();
            let (truth, predicted) = (take(&self.part.truth), take(predicted));
            for flank in [Flank::Low, Flank::High] {
                let flags = |values: &[f64]| EpisodeCounts::flags(values, phi, t_e, flank);
                pairs.push((flags(&truth), flags(&predicted)));
            }
        }
        let mut counts = EpisodeCounts::default();
        pairs.iter().for_each(|(events, signals)| counts.add(EpisodeCounts::of(events, signals, self.rule)));
        let rows = self.part.truth.len();
        Some(TaskEpisodes {
            task: self.task,
            variant,
            share_interval: wilson(counts.caught, counts.episodes),
            false_alarms_a_year: self.years.map(|years| counts.false_alarms as f64 / years),
            false_alarms_per_1000: 1000.0 * counts.false_alarms as f64 / rows.max(1) as f64,
            p_chance: chance(&pairs, self.rule),
            counts,
        })
    }
}

/// The share of circular shifts of the signals that catch as many episodes; of as many, on as many event
/// rows.
///
/// Shifted signals keep their clusters and meet events of another time. None without an episode or a signal.
fn chance(pairs: &[(Vec<bool>, Vec<bool>)], rule: EpisodeRule) -> Option<f64> {
    let longest = pairs.iter().map(|(events, _)| events.len()).max()?;
    let (has_events, has_signals) =
        (pairs.iter().any(|p| p.0.contains(&true)), pairs.iter().any(|p| p.1.contains(&true)));
    if longest < 20 || !has_events || !has_signals {
        return None;
    }
    let statistic = |shift: usize| {
        let (mut caught, mut met) = (0, 0);
        for (events, signals) in pairs.iter().filter(|(events, _)| !events.is_empty()) {
            let mut moved = signals.clone();
            moved.rotate_right(shift % events.len());
            caught += EpisodeCounts::of(events, &moved, rule).caught;
            met += events.iter().zip(&moved).filter(|(e, s)| **e && **s).count();
        }
        (caught, met)
    };
    let shifts = (longest - 1).min(MOST_SHIFTS);
    let observed = statistic(0);
    let as_good = (1..=shifts).filter(|i| statistic(i * longest / (shifts + 1)) >= observed).count();
    Some((as_good + 1) as f64 / (shifts + 1) as f64)
}

/// Wilson's 95% interval of a share, between 0 and 1.
fn wilson(hits: usize, cases: usize) -> Option<(f64, f64)> {
    let (lower, upper) = share_interval(hits as f64, cases as f64);
    (cases > 0).then(|| (lower.max(0.0), upper.min(1.0)))
}

/// One row per task and model.
pub(super) fn table(names: &Names, all: &[TaskEpisodes]) -> Table {
    use Format::{Count, Number, P, Percent};
    Table::of(all)
        .task(names, |e| e.task)
        .model(names, |e| e.variant)
        .column(Count, "episodes", ("episodes", "runs of events"), |e| e.counts.episodes)
        .column(Count, "caught", ("caught", "episodes that a signal announces or meets"), |e| e.counts.caught)
        .column(Percent, "share_lower", "from", |e| e.share_interval.map(|i| i.0))
        .means("lower end of the share caught, 95% over episodes")
        .column(Percent, "share_upper", ("to", "upper end"), |e| e.share_interval.map(|i| i.1))
        .column(Number, "median_lead", "lead", |e| e.counts.median_lead())
        .means("median rows from the first signal to the start")
        .column(Count, "alarms", ("alarms", "signals, those within the cooldown as one"), |e| e.counts.alarms)
        .column(Count, "false_alarms", "false alarms", |e| e.counts.false_alarms)
        .means("alarms that meet no episode")
        .column(Number, "false_alarms_a_year", ("a year", "false alarms a year"), |e| e.false_alarms_a_year)
        .column(Number, "false_alarms_per_1000", "per 1,000 rows", |e| e.false_alarms_per_1000)
        .means("false alarms per 1,000 rows")
        .column(P, "p_chance", "p", |e| e.p_chance)
        .means("how often the same signals at another time catch as many")
        .titled("episodes", "Episodes of events and alarms of signals")
}

#[cfg(test)]
mod tests;
