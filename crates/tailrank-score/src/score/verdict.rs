//! The answer to the one question: does the measure change which model to take, and what does that cost?
//!
//! Made once, here; terminal, page, Markdown, LaTeX and JSON print its sentences.

use std::cmp::Ordering;

use tailrank_metrics::{Better, EventCounts, Measure, Score};

use super::{
    Comparison, Names, TaskId, TaskScores, VariantId,
    inference::{AgainstReference, Luck, Sureness},
    regret::Loss,
};
use crate::text::{count, digits, median, p_value, percent, thousands, two_decimals};

/// Whether the measure changes the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The two measures pick different models, and the data tell them apart.
    Yes,
    /// They pick the same model, or models with the same predictions.
    No,
    /// One of them picks none, or the data do not tell the choices apart, or the better choice from luck or a baseline.
    CannotTell,
}

impl Answer {
    /// The answer in words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// A model that a measure picks, with what is to be expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The variant.
    pub variant: VariantId,
    /// Its name.
    pub label: String,
    /// Its score by the measure that matters.
    pub score: Option<Score>,
    /// Its signals and what became of them, in all repeats.
    pub counts: Option<EventCounts>,
    /// Times that the test cases were divided and counted.
    pub repeats: usize,
}

/// The verdict on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskVerdict {
    /// Which task.
    pub task: TaskId,
    /// Whether the measure changes the choice.
    pub answer: Answer,
    /// Why, in one clause.
    pub reason: String,
    /// The best by the measure chosen by.
    pub chosen: Option<Pick>,
    /// The best by the measure that matters.
    pub judged: Option<Pick>,
    /// What taking the first instead of the second costs.
    pub loss: Option<Loss>,
    /// Spearman's correlation of the two rankings.
    pub rho: Option<f64>,
    /// The best by the measure that matters against luck.
    pub luck: Option<Luck>,
    /// And against the best reference.
    pub reference: Option<AgainstReference>,
}

impl TaskVerdict {
    /// Whether the two measures pick models with different predictions.
    fn differs(&self) -> bool {
        matches!((&self.chosen, &self.judged), (Some(a), Some(b)) if a.variant != b.variant)
    }
}

/// The verdict of one pair of measures, on every task.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The measure a user would have chosen by.
    pub chosen_by: Measure,
    /// The measure that matters.
    pub judged_by: Measure,
    /// One verdict per task, in order.
    pub tasks: Vec<TaskVerdict>,
    /// Significance level of the tests against luck and baselines.
    pub alpha: f64,
}

/// The verdicts of all pairs, in their order.
pub(super) fn verdicts(
    names: &Names,
    scores: &[TaskScores],
    comparisons: &[Comparison],
    sure: Sureness<'_>,
) -> Vec<Verdict> {
    let mut all: Vec<Verdict> = Vec::new();
    for c in comparisons {
        let on_task = task_verdict(names, &scores[c.task.0], c, sure);
        match all.iter_mut().find(|v| (v.chosen_by, v.judged_by) == (c.chosen_by, c.judged_by)) {
            Some(verdict) => verdict.tasks.push(on_task),
            None => {
                all.push(Verdict {
                    chosen_by: c.chosen_by,
                    judged_by: c.judged_by,
                    tasks: vec![on_task],
                    alpha: sure.alpha,
                });
            }
        }
    }
    all
}

fn task_verdict(names: &Names, scores: &TaskScores, c: &Comparison, sure: Sureness<'_>) -> TaskVerdict {
    // A measure by which nobody gains anything picks none, though all are equally best.
    let pick = |variant: Option<VariantId>, by: Measure| {
        variant.filter(|_| scores.no_gain(by).is_none()).map(|variant| Pick {
            variant,
            label: names.label(variant).to_owned(),
            score: scores.score(variant, c.judged_by),
            counts: scores.counts[variant],
            repeats: scores.repeats,
        })
    };
    let (a, b) = (c.chosen_by.info().symbol, c.judged_by.info().symbol);
    let no_gain = |by: Measure| Some(format!("by {} {}", by.info().symbol, scores.no_gain(by)?));
    let nothing = no_gain(c.judged_by).or_else(|| no_gain(c.chosen_by));
    let (answer, reason) = match (c.best_chosen, c.best_judged) {
        (Some(_), Some(_)) if nothing.is_some() => (Answer::CannotTell, nothing.unwrap_or_default()),
        (Some(x), Some(y)) if x == y => (Answer::No, format!("{a} and {b} both pick {}", names.label(x))),
        (Some(x), Some(y)) => {
            let picks = format!("{a} picks {}, {b} picks {}", names.label(x), names.label(y));
            match doubt(names, scores, c, x, sure) {
                Some(doubt) => (Answer::CannotTell, format!("{picks}, but {doubt}")),
                None => (Answer::Yes, picks),
            }
        }
        (_, None) => {
            (Answer::CannotTell, format!("{b} is undefined for every variant{}", why(scores, c.judged_by)))
        }
        (None, _) => {
            (Answer::CannotTell, format!("{a} is undefined for every variant{}", why(scores, c.chosen_by)))
        }
    };
    let known = sure.of(c.task, c.judged_by).map(|(_, known)| known);
    TaskVerdict {
        task: c.task,
        answer,
        reason,
        loss: c.loss.filter(|_| scores.no_gain(c.judged_by).is_none()),
        chosen: pick(c.best_chosen, c.chosen_by),
        judged: pick(c.best_judged, c.judged_by),
        rho: c.rho.as_ref().and_then(|r| r.estimate),
        luck: known.and_then(|k| k.luck.clone()),
        reference: known.and_then(|k| k.against_reference.clone()),
    }
}

/// Why a difference between the two choices may be none: the first is level with the best by the measure that matters, or the best
/// itself is not clearly better than luck (the choice among variants and tasks counted) or than a baseline, or nobody can say.
fn doubt(
    names: &Names,
    scores: &TaskScores,
    c: &Comparison,
    chosen: VariantId,
    sure: Sureness<'_>,
) -> Option<String> {
    if !sure.asked {
        return None;
    }
    let b = c.judged_by.info().symbol;
    let unsure = |reason: String| Some(format!("how sure that is cannot be said: {reason}"));
    let Some((of_task, known)) = sure.of(c.task, c.judged_by) else {
        return unsure(sure.unknown(c.task, c.judged_by));
    };
    if let Some(reason) = &known.set_reason {
        return unsure(reason.clone());
    }
    let Some(p) = of_task.place(chosen, scores).and_then(|place| known.set_p[place]) else {
        return unsure(format!("{} has no place in the confidence set", names.label(chosen)));
    };
    if p >= 1.0 - sure.set_level - 1e-12 {
        return Some(format!("by {b} the two cannot be told apart"));
    }
    let Some(luck) = &known.luck else {
        return unsure(known.luck_reason.clone().unwrap_or_else(|| format!("{b} was not held against luck")));
    };
    if !is_below(luck.p_holm, sure.alpha) {
        return Some(format!("the best {b} is not clearly better than luck ({})", luck.p_values(sure.alpha)));
    }
    let reference = known.against_reference.as_ref().filter(|r| !is_below(r.p, sure.alpha))?;
    let name = names.label(reference.reference);
    Some(format!("the best {b} is not clearly better than {name} (p {})", p_value(reference.p)))
}

/// Whether a test rejects; a p that is not a number does not.
fn is_below(p: f64, alpha: f64) -> bool {
    p < alpha
}

impl Luck {
    /// `better than luck, which gives 0.0360 (p 0.010)`; better is what is clearly better, the choice among all counted.
    ///
    /// ```
    /// use tailrank_score::score::{Luck, VariantId};
    /// use tailrank_metrics::Better;
    /// let of = |score: f64, p_holm: f64| {
    ///     Luck { variant: VariantId(0), score, by_luck: 0.01, p: 0.039, p_holm, draws: 100 }.sentence(Better::Higher, 0.05)
    /// };
    /// assert_eq!(of(0.02, 0.039), "better than luck, which gives 0.0100 (p 0.039)");
    /// assert_eq!(of(0.02, 0.2), "not clearly better than luck, which gives 0.0100 (p 0.039, by Holm over the tasks 0.200)");
    /// assert!(of(0.005, 0.9).starts_with("no better than luck"));
    /// ```
    pub fn sentence(&self, better: Better, alpha: f64) -> String {
        let word = match Score::from(self.score).compare(self.by_luck.into(), better) {
            Ordering::Less if self.p_holm < alpha => "better than",
            Ordering::Less => "not clearly better than",
            _ => "no better than",
        };
        format!("{word} luck, which gives {} ({})", digits(self.by_luck), self.p_values(alpha))
    }

    /// The p that decides: `p 0.080`, or where the correction over the tasks changes the answer, both.
    pub(super) fn p_values(&self, alpha: f64) -> String {
        if self.p < alpha && self.p_holm >= alpha {
            return format!("p {}, by Holm over the tasks {}", p_value(self.p), p_value(self.p_holm));
        }
        format!("p {}", p_value(self.p))
    }
}

/// Why no variant has a score, if all have the same reason.
fn why(scores: &TaskScores, measure: Measure) -> String {
    let mut reasons = scores.scored().into_iter().filter_map(|v| scores.score(v, measure)?.undefined());
    match reasons.next() {
        None => " (no fit to score)".to_owned(),
        Some(first) if reasons.all(|r| r == first) => format!(" ({first})"),
        Some(_) => String::new(),
    }
}

impl Verdict {
    /// The answer over all tasks: yes as soon as one task says so, cannot tell where none has an answer.
    pub fn answer(&self) -> Answer {
        let any = |answer| self.tasks.iter().any(|t| t.answer == answer);
        if any(Answer::Yes) {
            Answer::Yes
        } else if any(Answer::No) {
            Answer::No
        } else {
            Answer::CannotTell
        }
    }

    /// Tasks with this answer.
    pub fn count(&self, answer: Answer) -> usize {
        self.tasks.iter().filter(|t| t.answer == answer).count()
    }

    /// The question that the sentences answer.
    pub fn question(&self) -> String {
        let (a, b) = (self.chosen_by.info().symbol, self.judged_by.info().symbol);
        format!("Does the measure change the winner? {a} against {b}:")
    }

    /// The answer and what stands behind it. The first sentence alone answers the question.
    pub fn sentences(&self) -> Vec<String> {
        let mut all = vec![self.first_sentence()];
        all.extend(self.cost());
        all.extend(self.signals());
        all.extend(self.agreement());
        all.extend(self.luck());
        all
    }

    /// How the best scores stand against luck and against the references.
    fn luck(&self) -> Option<String> {
        let level = self.alpha;
        let b = self.judged_by.info().symbol;
        let tests: Vec<&Luck> = self.tasks.iter().filter_map(|t| t.luck.as_ref()).collect();
        let references: Vec<&AgainstReference> =
            self.tasks.iter().filter_map(|t| t.reference.as_ref()).collect();
        if let ([_], [luck]) = (&self.tasks[..], &tests[..]) {
            let beaten = match references[..] {
                [r] => format!("; the best baseline has {} (p {})", digits(r.score), p_value(r.p)),
                _ => String::new(),
            };
            return Some(format!(
                "The best {b} is {}; by luck it would be {} (p {}){beaten}.",
                digits(luck.score),
                digits(luck.by_luck),
                p_value(luck.p)
            ));
        }
        let of = tests.len();
        let below = |p: &dyn Fn(&Luck) -> f64| tests.iter().filter(|l| p(l) < level).count();
        let (plain, holm) = (below(&|l| l.p), below(&|l| l.p_holm));
        let superior = references.iter().filter(|r| r.p < level).count();
        let beaten = match references.len() {
            0 => String::new(),
            n => format!(", better than the best baseline on {superior} of {n}"),
        };
        (of > 0).then(|| {
            format!(
                "The best {b} is better than luck on {plain} of {of} tasks ({} after Holm){beaten}.",
                if holm == 0 { "none".to_owned() } else { holm.to_string() },
            )
        })
    }

    fn first_sentence(&self) -> String {
        let (yes, no) = (self.count(Answer::Yes), self.count(Answer::No));
        let open = self.count(Answer::CannotTell);
        let (a, b) = (self.chosen_by.info().symbol, self.judged_by.info().symbol);
        if let [only] = &self.tasks[..] {
            let word = match only.answer {
                Answer::Yes => "Yes",
                Answer::No => "No",
                Answer::CannotTell => "That cannot be told",
            };
            return format!("{word}: {}.", only.reason);
        }
        let unknown = match open {
            0 => String::new(),
            n => format!("; on {n} it cannot be told"),
        };
        match (yes, no) {
            (0, 0) => match self.tasks.first() {
                Some(first) => {
                    format!(
                        "That cannot be told on any of the {} tasks; on the first, {}.",
                        self.tasks.len(),
                        first.reason
                    )
                }
                None => "No task was compared.".to_owned(),
            },
            (0, n) => format!(
                "No: {a} and {b} pick the same model on {} of {} tasks{unknown}.",
                n,
                self.tasks.len()
            ),
            (y, _) => format!(
                "Yes, on {y} of {} tasks {a} and {b} pick different models{unknown}.",
                self.tasks.len()
            ),
        }
    }

    /// What the choice costs, in units of the measure and as a share of what there was to win.
    fn cost(&self) -> Option<String> {
        let (a, b) = (self.chosen_by.info().symbol, self.judged_by.info().symbol);
        let share = |share: Option<f64>| {
            share.map_or_else(String::new, |s| {
                format!(", {} of the way from the best baseline to the best", percent(s))
            })
        };
        if let [only] = &self.tasks[..] {
            if !only.differs() {
                return None;
            }
            let (loss, chosen, judged) = (only.loss?, only.chosen.as_ref()?, only.judged.as_ref()?);
            let (taken, best) = (chosen.score?, judged.score?.value()?);
            let taken = match taken.value() {
                Some(v) => format!("gives {b} {}", digits(v)),
                None => format!("leaves {b} undefined, which counts as 0,"),
            };
            return Some(format!(
                "Choosing by {a} {taken} where the best has {}: {} lost{}.",
                digits(best),
                digits(loss.absolute),
                share(loss.share)
            ));
        }
        if !self.tasks.iter().any(TaskVerdict::differs) {
            return None;
        }
        let losses: Vec<Loss> = self.tasks.iter().filter_map(|t| t.loss).collect();
        let lost = median(&losses.iter().map(|l| l.absolute).collect::<Vec<_>>())?;
        let shares: Vec<f64> = losses.iter().filter_map(|l| l.share).collect();
        // A median over fewer tasks than the number before it would not be of the same tasks.
        let of_way = if shares.len() == losses.len() { median(&shares) } else { None };
        let verb = match self.judged_by.better() {
            Better::Higher => "loses",
            Better::Lower => "adds",
        };
        let to = if self.judged_by.better() == Better::Higher { "of" } else { "to" };
        let tasks = match losses.len() {
            n if n == self.tasks.len() => "On the median task".to_owned(),
            1 => format!("On the only task where a model gains by {b},"),
            n => format!("On the median of the {n} tasks where a model gains by {b},"),
        };
        Some(format!("{tasks} choosing by {a} {verb} {} {to} {b}{}.", digits(lost), share(of_way)))
    }

    /// What the two winners signal.
    fn signals(&self) -> Vec<String> {
        let (a, b) = (self.chosen_by.info().symbol, self.judged_by.info().symbol);
        if let [only] = &self.tasks[..] {
            let said = |pick: &Option<Pick>, by: &str| {
                let pick = pick.as_ref()?;
                Some(format!("The best by {by} {}.", of_counts(pick.counts?, pick.repeats)))
            };
            let of_a = said(&only.chosen, a);
            let of_b = if only.differs() { said(&only.judged, b) } else { None };
            return of_a.into_iter().chain(of_b).collect();
        }
        let silent = |pick: fn(&TaskVerdict) -> &Option<Pick>| {
            let counts: Vec<EventCounts> =
                self.tasks.iter().filter_map(|t| pick(t).as_ref()?.counts).collect();
            (counts.iter().filter(|c| c.signals == 0).count(), counts.len())
        };
        let said = |(silent, of): (usize, usize), by: &str| {
            (silent > 0).then(|| format!("The best by {by} never signals on {silent} of {of} tasks."))
        };
        said(silent(|t| &t.chosen), a).into_iter().chain(said(silent(|t| &t.judged), b)).collect()
    }

    fn agreement(&self) -> Option<String> {
        let rhos: Vec<f64> = self.tasks.iter().filter_map(|t| t.rho).collect();
        let rho = median(&rhos)?;
        let words = match rho {
            r if r <= -0.3 => "run against each other",
            r if r < 0.3 => "have little in common",
            r if r < 0.7 => "agree in part",
            r if r < 0.995 => "agree for the most part",
            _ => "agree",
        };
        let name = if rhos.len() > 1 { "median ρ" } else { "ρ" };
        Some(format!("The two rankings {words} ({name} = {}).", two_decimals(rho)))
    }

    /// The verdict for scripts.
    pub fn json(&self, names: &Names) -> serde_json::Value {
        let label = |p: &Option<Pick>| p.as_ref().map(|p| p.label.clone());
        let tasks: Vec<serde_json::Value> = self
            .tasks
            .iter()
            .map(|t| {
                serde_json::json!({
                    "task": names.task(t.task),
                    "answer": t.answer.word(),
                    "reason": t.reason,
                    "chosen": label(&t.chosen),
                    "judged": label(&t.judged),
                })
            })
            .collect();
        serde_json::json!({
            "chosen_by": self.chosen_by.id(),
            "judged_by": self.judged_by.id(),
            "question": self.question(),
            "answer": self.answer().word(),
            "sentences": self.sentences(),
            "tasks": tasks,
        })
    }
}

/// `issues 257 signals: 24 hits, …`
pub(super) fn of_counts(c: EventCounts, repeats: usize) -> String {
    let within = if repeats > 1 { format!(" in {repeats} repeats") } else { String::new() };
    let missed = match (c.missed, c.events) {
        (_, 0) => "there is no event to miss".to_owned(),
        (1, 1) => "the only event is missed".to_owned(),
        (m, n) if c.signals == 0 && m == n => format!("all {} are missed", count(n, "event")),
        (m, n) => {
            format!("{} of {} {} missed", thousands(m), count(n, "event"), if m == 1 { "is" } else { "are" })
        }
    };
    if c.signals == 0 {
        return format!("never signals{within}: {missed}");
    }
    format!(
        "issues {}{within}: {}, {}, {}; {missed}",
        count(c.signals, "signal"),
        count(c.hits, "hit"),
        if c.near_misses == 1 {
            "1 near miss".to_owned()
        } else {
            format!("{} near misses", thousands(c.near_misses))
        },
        count(c.false_alarms, "false alarm"),
    )
}

#[cfg(test)]
mod tests;
