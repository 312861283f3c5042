//! Which model to take on a task, by which measure, what to expect of it, and how sure that is: a paragraph made from numbers.

use std::cmp::Ordering;

use tailrank_metrics::{EventCounts, Measure};

use super::{
    Names, TaskId, TaskScores, VariantId, VariantStatus,
    alarms::frontier,
    inference::{Caution, Direction, FEWEST_EVENTS, Luck, Sureness},
    verdict::of_counts,
};
use crate::{
    table::{Format, Table, column},
    text::{about, count, digits, list, p_value, percent},
};

/// More events than this share of the cases are not rare.
pub(crate) const RARE: f64 = 0.2;

/// Grids with fewer values of a parameter have no middle.
const FEWEST_VALUES: usize = 3;

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
    /// The slope of y on its signals: 1 is honest, 0.3 cries three times too loud.
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
    let is_unbeaten = |beside: Option<&Beside>| beside.is_some_and(Beside::is_unbeaten);
    let beside = Beside::of(names, task, scores, (measure, winner), sure);
    if is_unbeaten(beside.as_ref()) != is_unbeaten(camp.beside.as_ref()) {
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

/// Whether the measures tell events from other cases.
fn has_events(scores: &TaskScores) -> bool {
    scores.counts.iter().any(Option::is_some)
}

fn warnings(
    names: &Names,
    scores: &TaskScores,
    camps: &[Camp],
    sure: Sureness<'_>,
    task: TaskId,
) -> Vec<String> {
    let mut all = Vec::new();
    let share = scores.events as f64 / scores.cases.max(1) as f64;
    let has_events = has_events(scores);
    if has_events && share > RARE {
        all.push(format!("Events are {} of the test cases: not rare.", percent(share)));
    } else if has_events && scores.events < FEWEST_EVENTS {
        let (verb, events) = match scores.events {
            0 => ("is", "no event".to_owned()),
            1 => ("is", "only 1 event".to_owned()),
            n => ("are", format!("only {}", count(n, "event"))),
        };
        all.push(format!("There {verb} {events} in the test: too few to say much."));
    }
    if scores.training_events == Some(0) {
        all.push("No training case is an event: no model could learn what one looks like.".to_owned());
    }
    let mut named: Vec<VariantId> = Vec::new();
    for camp in camps {
        if named.contains(&camp.variant) {
            continue;
        }
        named.push(camp.variant);
        if scores.status[camp.variant] == VariantStatus::NotConverged {
            all.push(format!("The fit of {} ended at its iteration limit.", camp.label));
        }
        all.extend(edge(names, scores, camp.variant));
    }
    let few_hits = camps.iter().filter_map(|c| match c.caution {
        Some(Caution::FewHits(n)) => Some((c, n)),
        _ => None,
    });
    for (camp, hits) in few_hits {
        all.push(format!(
            "The interval of {} for {} rests on {}: it may hold the truth less often than it says.",
            camp.measures[0].info().symbol,
            camp.label,
            count(hits, "hit")
        ));
    }
    if let Some(Caution::FewCases(n)) = camps.iter().find_map(|c| match c.caution {
        Some(c @ Caution::FewCases(_)) => Some(c),
        _ => None,
    }) {
        all.push(format!(
            "The test has {}: where volatility comes in long waves, intervals hold the truth less often than they say.",
            count(n, "case")
        ));
    }
    let candidates = scores.distinct().len();
    for camp in camps {
        let known = sure.of(task, camp.measures[0]).map(|(_, known)| known.level(sure.set_level).len());
        if candidates > 1 && known == Some(candidates) {
            let copies = scores.candidates().len() > candidates;
            let all_of_them = if candidates == 2 { "both".to_owned() } else { format!("all {candidates}") };
            let different = if copies { " of different predictions" } else { "" };
            let symbol = camp.measures[0].info().symbol;
            all.push(format!("By {symbol} {all_of_them} variants{different} are level."));
        }
    }
    let reason = sure.tasks.iter().find(|t| t.task == task).and_then(|t| t.reason.clone());
    all.extend(reason.map(|r| format!("How sure this is cannot be said: {r}.")));
    all
}

/// A winner at the end of its grid: better ones may lie beyond. Only where moving that parameter moves predictions.
fn edge(names: &Names, scores: &TaskScores, winner: VariantId) -> Option<String> {
    let of = |v: VariantId| -> Vec<(&str, f64)> {
        let pairs = names.variants[v].params.split(',').filter_map(|pair| pair.split_once('='));
        pairs.filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect()
    };
    let same_grid = |v: &VariantId| {
        let (a, b) = (&names.variants[*v], &names.variants[winner]);
        a.group == b.group && a.recipe == b.recipe && !a.reference
    };
    let grid: Vec<VariantId> = scores.scored().into_iter().filter(same_grid).collect();
    let others = |v: VariantId, name: &str| -> Vec<(String, String)> {
        let pairs = names.variants[v].params.split(',').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(n, _)| *n != name).map(|(n, value)| (n.to_owned(), value.to_owned())).collect()
    };
    // Another value of this parameter alone gives the same predictions.
    let moves_nothing = |name: &str| {
        let is_copy = |v: &VariantId| *v != winner && scores.same_as[*v] == scores.same_as[winner];
        grid.iter().any(|v| is_copy(v) && others(*v, name) == others(winner, name))
    };
    let at_edge = |&(name, value): &(&str, f64)| {
        if moves_nothing(name) {
            return None;
        }
        let mut values: Vec<f64> = grid
            .iter()
            .filter(|v| scores.same_as[**v] != scores.same_as[winner] || **v == winner)
            .filter_map(|v| of(*v).into_iter().find(|(n, _)| *n == name))
            .map(|(_, value)| value)
            .collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let place = values.iter().position(|v| *v == value)?;
        let word = match place {
            _ if values.len() < FEWEST_VALUES => return None,
            0 => "smallest",
            last if last + 1 == values.len() => "largest",
            _ => return None,
        };
        Some(format!("its {name} of {value} is the {word} tried"))
    };
    let edges: Vec<String> = of(winner).iter().filter_map(at_edge).collect();
    (!edges.is_empty())
        .then(|| format!("{} stands at the edge of its grid: {}.", names.label(winner), list(&edges)))
}

fn symbols(measures: &[Measure]) -> String {
    list(&measures.iter().map(|m| m.info().symbol).collect::<Vec<_>>())
}

impl Decision {
    /// The paragraph.
    pub fn sentences(&self) -> Vec<String> {
        let no_gain =
            self.no_gain.iter().map(|(reason, measures)| format!("By {} {reason}.", symbols(measures)));
        let is_known =
            |place: usize| self.camps[..place].iter().any(|c| c.variant == self.camps[place].variant);
        let camps = self.camps.iter().enumerate().map(|(i, camp)| self.of_camp(camp, is_known(i)));
        let mut all: Vec<String> = no_gain.chain(camps).collect();
        if let (Some(0.0), Some((label, caught))) = (self.flips_at, &self.first_to_act) {
            all.push(format!(
                "{label} catches {} without a false alarm: acting on it pays whatever a missed event costs.",
                count(*caught, "event")
            ));
        } else if let Some(ratio) = self.flips_at {
            all.push(format!(
                "If a missed event costs less than about {}, no model here is worth acting on.",
                about(ratio, "false alarm")
            ));
        } else if self.has_events {
            all.push(format!(
                "No model catches {FEWEST_EVENTS} events: what acting on one is worth cannot be said."
            ));
        }
        all.extend(self.warnings.iter().cloned());
        all
    }

    /// Of a model that an earlier camp has described only how it stands by these measures.
    fn of_camp(&self, camp: &Camp, is_known: bool) -> String {
        let mut sure = Vec::new();
        if let Some(share) = camp.family_share {
            sure.push(format!("{} wins in {} of the resamples", camp.family, percent(share)));
        }
        let elsewhere = |n: usize| count(n, "variant") + " of other families";
        match (camp.level.len(), camp.level_elsewhere.len()) {
            (0, 0) => {}
            (1, 0) => sure.push("1 other of its settings is level".to_owned()),
            (n, 0) => sure.push(format!("{n} others of its settings are level")),
            (0, 1) => sure.push("1 variant of another family is level".to_owned()),
            (0, n) => sure.push(format!("{} are level", elsewhere(n))),
            (n, m) => sure.push(format!(
                "{n} {} of its settings and {} are level",
                if n == 1 { "other" } else { "others" },
                if m == 1 { "1 variant of another family".to_owned() } else { elsewhere(m) }
            )),
        }
        let sure = match sure.is_empty() || is_known {
            true => String::new(),
            false => format!(" ({})", sure.join("; ")),
        };
        let own: Vec<Measure> =
            camp.measures.iter().copied().filter(|m| !camp.level_by.contains(m)).collect();
        let first = camp.measures[0].info().symbol;
        let mut text = match camp.beside.as_ref().filter(|b| b.is_unbeaten()) {
            None => format!("By {} take {}{sure}", symbols(&own), camp.label),
            Some(b) => format!(
                "By {} the best model is {}{sure}, but {} is {}",
                symbols(&own),
                camp.label,
                b.label,
                match b.order {
                    Ordering::Less =>
                        format!("better ({first} {} against {})", digits(b.score), digits(b.of_model)),
                    _ => format!("as good ({first} {})", digits(b.score)),
                }
            ),
        };
        if !camp.level_by.is_empty() {
            text.push_str(&format!("; by {} it is level with the best", symbols(&camp.level_by)));
        }
        if is_known {
            return text + ".";
        }
        if let Some(counts) = camp.counts {
            text.push_str(&format!("; it {}{}", of_counts(counts, camp.repeats), self.at_a_rate(counts)));
        }
        if let Some(luck) = &camp.luck {
            let beside = luck.sentence(camp.measures[0].better(), self.alpha);
            text.push_str(&format!(". Its {first} of {} is {beside}", digits(luck.score)));
        }
        if let Some((b, p)) = camp.beside.as_ref().filter(|b| !b.is_unbeaten()).and_then(|b| Some((b, b.p?)))
        {
            text.push_str(&format!(
                ". It is {} {}, which has {} (p {})",
                if p < self.alpha { "better than" } else { "not clearly better than" },
                b.label,
                digits(b.score),
                p_value(p)
            ));
        }
        if let Some(side) = camp.direction.as_ref().filter(|_| camp.counts.is_some_and(|c| c.signals > 0)) {
            text.push_str(&format!(
                ". It {} the side of a move (p {})",
                if side.p_holm < self.alpha { "tells" } else { "does not clearly tell" },
                p_value(side.p)
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

    /// Counts a year, or of 1000 cases where there are no dates.
    fn at_a_rate(&self, counts: EventCounts) -> String {
        if counts.signals == 0 {
            return String::new();
        }
        let (scale, unit) = match self.years {
            Some(years) => (1.0 / years, "a year"),
            None if self.cases > 1000 => (1000.0 / self.cases as f64, "of 1000 cases"),
            None => return String::new(),
        };
        let rate = |n: usize, what: &str| about(n as f64 * scale, what);
        format!(
            " ({} caught, {} {unit})",
            rate(counts.hits + counts.near_misses, "event"),
            rate(counts.false_alarms, "false alarm")
        )
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
                "false alarms for each event caught, by the best that catches ten",
                |d: &D<'_>| d.flips_at,
            ),
        ],
    )
}

#[cfg(test)]
mod tests;
