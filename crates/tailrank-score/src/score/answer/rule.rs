//! The one rule behind every verdict.

use tailrank_metrics::{Better, Measure, registry::Need};

use super::{
    super::{
        Comparison, Names, TaskId, TaskInference, TaskScores, VariantId, holm,
        inference::{FEWEST_EVENTS, MeasureInference},
    },
    Answer, Counts, Decision, Ladder, Reason, Untestable, Verdict,
    picks::picks,
    warning::warnings,
};

/// What the rule looks at.
#[derive(Clone, Copy)]
pub(in crate::score) struct Asked<'a> {
    pub(in crate::score) names: &'a Names,
    pub(in crate::score) scores: &'a [TaskScores],
    pub(in crate::score) comparisons: &'a [Comparison],
    /// Empty where inference is off.
    pub(in crate::score) inference: &'a [TaskInference],
    pub(in crate::score) decide_by: Option<Measure>,
    pub(in crate::score) alpha: f64,
    /// Level of the confidence sets.
    pub(in crate::score) set_level: f64,
}

impl<'a> Asked<'a> {
    /// What is known of the scores of one task by one measure, or why nothing is.
    fn evidence(
        &self,
        task: TaskId,
        measure: Measure,
    ) -> Result<(&'a TaskInference, &'a MeasureInference), Untestable> {
        let place = self.inference.binary_search_by_key(&task, |t| t.task);
        let of_task = &self.inference[place.map_err(|_| Untestable::InferenceOff)?];
        match (of_task.reason, of_task.measure(measure)) {
            (Some(reason), _) => Err(reason),
            (None, Some(known)) => Ok((of_task, known)),
            (None, None) => Err(Untestable::NotResampled),
        }
    }
}

/// The measure that decides: the one named in `[compare] decide_by`, else the second of the first pair, else
/// F, else the first.
pub fn deciding_measure(
    named: Option<Measure>,
    pairs: &[(Measure, Measure)],
    measures: &[Measure],
) -> Option<Measure> {
    let by_pair = pairs.first().map(|pair| pair.1);
    let f = || measures.iter().copied().find(|m| *m == Measure::F);
    named.or(by_pair).or_else(f).or_else(|| measures.first().copied())
}

/// Whether a measure looks at the events alone, so that it needs enough of them.
pub(super) fn is_of_events(measure: Measure) -> bool {
    measure.info().needs.contains(&Need::EventThreshold)
}

/// Whether a measure rewards signals on events, so that its best model must catch one.
fn rewards_signals(measure: Measure) -> bool {
    is_of_events(measure) && measure.better() == Better::Higher
}

/// The answer of a run.
pub(in crate::score) fn decide(asked: Asked<'_>) -> Answer {
    let ladders: Vec<Ladder> =
        TaskId::all(asked.scores.len()).zip(asked.scores).map(|(t, s)| Ladder::new(t, s)).collect();
    let mut found: Vec<(Decision, Option<Untestable>)> = Vec::new();
    for (ladder, scores) in ladders.iter().zip(asked.scores) {
        found.extend(scores.measures.iter().map(|&measure| tested(asked, ladder, scores, measure)));
    }
    correct_over_tasks(&mut found);
    let decisions: Vec<Decision> = found
        .into_iter()
        .map(|(mut decision, untestable)| {
            let scores = &asked.scores[decision.task.0];
            let reason = reason(&decision, scores, untestable, asked.alpha);
            decision.verdict = reason.map_or(Verdict::Use, Verdict::NoModel);
            decision
        })
        .collect();
    let mut answer =
        Answer { decide_by: asked.decide_by, decisions, ladders, picks: Vec::new(), warnings: Vec::new() };
    answer.picks = picks(&answer, asked);
    answer.warnings =
        TaskId::all(asked.scores.len()).map(|task| warnings(asked, task, answer.deciding(task))).collect();
    answer
}

/// Everything about a decision but its correction over tasks and its verdict, and why a test is missing, if
/// one is.
fn tested(
    asked: Asked<'_>,
    ladder: &Ladder,
    scores: &TaskScores,
    measure: Measure,
) -> (Decision, Option<Untestable>) {
    let (task, model) = (ladder.task, scores.best(measure));
    let value = |v: Option<VariantId>| v.and_then(|v| scores.score(v, measure)?.value());
    let baseline = scores.best_reference(measure);
    let costs = model.and_then(|m| ladder.range(scores.same_as[m]));
    let mut found = Decision {
        task,
        measure,
        deciding: asked.decide_by == Some(measure),
        verdict: Verdict::NoModel(Reason::NotTestable(Untestable::NoScore)),
        model,
        score: value(model),
        lower: None,
        upper: None,
        chance: None,
        p_chance: None,
        baseline,
        baseline_score: value(baseline),
        p_baseline: None,
        p_verdict: None,
        p_adjusted: None,
        tied: Vec::new(),
        events: scores.counts.iter().any(Option::is_some).then_some(scores.events),
        counts: model.and_then(|m| Counts::of(scores, m)),
        cost_from: costs.map(|c| c.0),
        cost_to: costs.and_then(|c| c.1),
    };
    let Some(model) = model else { return (found, Some(Untestable::NoScore)) };
    let (of_task, known) = match asked.evidence(task, measure) {
        Ok(known) => known,
        Err(reason) => return (found, Some(reason)),
    };
    let Some(place) = of_task.place(model, scores) else { return (found, Some(Untestable::NoScore)) };
    found.lower = known.intervals[place].map(|i| i.lower);
    found.upper = known.intervals[place].map(|i| i.upper);
    let others = known.in_set(asked.set_level).into_iter().filter(|&p| p != place);
    found.tied = others.map(|p| of_task.variants[p]).filter(|&v| !scores.references[v]).collect();
    let is_number = |p: &f64| !p.is_nan();
    let chance = known.chance.as_ref();
    found.chance = chance.map(|c| c.chance).filter(is_number);
    found.p_chance = chance.map(|c| c.p).filter(is_number);
    found.p_baseline = known.p_baselines[place].filter(is_number);
    let has_baseline = found.baseline_score.is_some();
    found.p_verdict = match (found.p_chance, found.p_baseline) {
        (Some(chance), Some(baseline)) => Some(chance.max(baseline)),
        (Some(chance), None) if !has_baseline => Some(chance),
        _ => None,
    };
    found.p_adjusted = found.p_verdict;
    let missing = known.chance_reason.or(known.set_reason).unwrap_or(Untestable::MostlyUndefined);
    let untestable = found.p_verdict.is_none().then_some(missing);
    (found, untestable)
}

/// Holm's correction over the tasks, for the deciding measure alone.
fn correct_over_tasks(found: &mut [(Decision, Option<Untestable>)]) {
    let p = |(d, _): &(Decision, _)| d.p_verdict.filter(|_| d.deciding);
    let adjusted = holm(&found.iter().map(p).collect::<Vec<_>>());
    for ((decision, _), p) in found.iter_mut().zip(adjusted) {
        decision.p_adjusted = p.or(decision.p_adjusted);
    }
}

/// The first reason against the model, if there is one.
fn reason(
    decision: &Decision,
    scores: &TaskScores,
    untestable: Option<Untestable>,
    alpha: f64,
) -> Option<Reason> {
    let measure = decision.measure;
    if let Some(events) = decision.events {
        // Without any event there is none to catch.
        if events > 0 && rewards_signals(measure) && !catches(decision, scores) {
            return Some(Reason::NoEventCaught);
        }
        if is_of_events(measure) && events < FEWEST_EVENTS {
            return Some(Reason::FewEvents);
        }
    }
    // Both tests are corrected by what Holm's correction makes of the larger p.
    let factor = match (decision.p_verdict, decision.p_adjusted) {
        (Some(p), Some(adjusted)) if p > 0.0 => adjusted / p,
        _ => 1.0,
    };
    let fails = |p: Option<f64>| p.is_some_and(|p| p * factor >= alpha);
    if fails(decision.p_chance) {
        Some(Reason::NotBetterThanChance)
    } else if fails(decision.p_baseline) {
        Some(Reason::NotBetterThanBaseline)
    } else if !decision.p_adjusted.is_some_and(|p| p < alpha) {
        Some(Reason::NotTestable(untestable.unwrap_or(Untestable::MostlyUndefined)))
    } else {
        None
    }
}

/// Whether the decision's model catches an event; where no model has a score, whether any does.
fn catches(decision: &Decision, scores: &TaskScores) -> bool {
    match decision.counts {
        Some(counts) => counts.caught > 0,
        None => scores
            .candidates()
            .into_iter()
            .any(|v| scores.counts[v].is_none_or(|c| c.hits + c.near_misses > 0)),
    }
}

impl Counts {
    /// What became of a model's signals in one pass over the test; none without an event definition.
    pub fn of(scores: &TaskScores, model: VariantId) -> Option<Self> {
        let all = scores.counts[model]?;
        let mean = |n: usize| (n as f64 / scores.repeats.max(1) as f64).round() as usize;
        // A model that catches anything in any repeat catches something.
        let caught = all.hits + all.near_misses;
        let caught = mean(caught).max(usize::from(caught > 0)).min(scores.events);
        let false_alarms = mean(all.false_alarms);
        Some(Self { signals: caught + false_alarms, caught, false_alarms, missed: scores.events - caught })
    }
}
