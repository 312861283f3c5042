//! What ruins a run that nothing is wrong with: found from the plan, before anything is trained.

use tailrank_metrics::{Relevance, Settings};

use super::{Plan, Task};
use crate::{
    config::{RelevanceKind, RelevanceSettings},
    score::{FEWEST_EVENTS, RARE},
    text::{count, digits, percent},
};

/// Sentences, each with the key to change.
pub(super) fn doubts(plan: &Plan) -> Vec<String> {
    let mut found = Vec::new();
    for task in &plan.tasks {
        let train = task.train_targets(0);
        let Ok(settings) = plan.rules.for_task(&task.relevance, &train, task.horizon) else { continue };
        let of_task =
            [event_share(plan, task), wide_tolerance(&settings, &train), lonely_top(&settings, &train)];
        found.extend(of_task.into_iter().flatten().map(|doubt| format!("{}: {doubt}", task.name)));
    }
    found.extend(memory(plan));
    found
}

fn event_share(plan: &Plan, task: &Task) -> Option<String> {
    let tested = task.test_events(&plan.rules).ok()?;
    let share = tested.events as f64 / tested.cases.max(1) as f64;
    if share > RARE {
        Some(format!(
            "{} of the test cases are events, which is not rare; raise relevance.event_threshold{}",
            percent(share),
            further_out(&task.relevance)
        ))
    } else if tested.events < FEWEST_EVENTS {
        Some(format!(
            "the test has {}, too few to say much; test on more rows, or lower relevance.event_threshold",
            count(tested.events, "event")
        ))
    } else {
        None
    }
}

/// What else moves the border of the events outwards, for each kind of relevance.
fn further_out(relevance: &RelevanceSettings) -> &'static str {
    let by_hand = relevance.low.is_some() || relevance.high.is_some();
    match relevance.kind {
        RelevanceKind::Sigmoid if by_hand => ", or move low and high outwards",
        RelevanceKind::Sigmoid => ", or give low and high",
        RelevanceKind::Pchip if relevance.points.is_empty() => ", or relevance.coefficient",
        RelevanceKind::Pchip | RelevanceKind::Table => ", or move relevance.points outwards",
        RelevanceKind::Indicator => ", or narrow relevance.ranges",
    }
}

/// A tolerance that spans nearly all values makes every prediction a good one.
fn wide_tolerance(settings: &Settings, train: &[f64]) -> Option<String> {
    let t_l = settings.accuracy?.t_l();
    let mut sorted = train.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| sorted.get(((sorted.len().max(1) - 1) as f64 * share) as usize);
    let spread = at(0.95)? - at(0.05)?;
    (t_l >= spread).then(|| {
        format!(
            "measures.t_l = {} is as wide as 90 % of the targets ({}), so that nearly every prediction counts as good; give the \
             largest error that is still good",
            digits(t_l),
            digits(spread)
        )
    })
}

/// φ from a box plot without outliers reaches 1 at the outermost value and nowhere else.
fn lonely_top(settings: &Settings, train: &[f64]) -> Option<String> {
    const FULL: f64 = 1.0 - 1e-9;
    let phi = settings.relevance.as_ref().filter(|phi| matches!(phi, Relevance::Pchip(_)))?;
    let low = train.iter().copied().min_by(f64::total_cmp)?;
    let high = train.iter().copied().max_by(f64::total_cmp)?;
    let full: Vec<f64> = train.iter().copied().filter(|y| phi.phi(*y) >= FULL).collect();
    let outermost = full.iter().filter(|y| **y == low || **y == high).count();
    let top = *full.first()?;
    (outermost == full.len() && full.len() <= 2).then(|| {
        format!(
            "φ reaches 1 only at the outermost training value ({}); give relevance.points, or lower relevance.coefficient",
            digits(top)
        )
    })
}

fn memory(plan: &Plan) -> Option<String> {
    let limit = plan.experiment.limits.memory_bytes();
    let beyond = plan.cells.iter().filter(|cell| cell.cost.bytes > limit).count();
    let most = plan.cost().bytes.div_ceil(1 << 20);
    (beyond > 0).then(|| {
        let what = if plan.experiment.limits.isolate {
            "with isolate = true the system refuses that, and such a cell fails"
        } else {
            "such a cell runs alone while others wait; a support vector machine computes its kernel again and again, and splines \
             of degree 2 the candidates they cannot keep"
        };
        format!(
            "{} may need {most} MB, more than limits.memory_mb = {}: {what}; raise the limit if the machine has the memory, or give \
             fewer rows",
            count(beyond, "cell"),
            plan.experiment.limits.memory_mb
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_that_one_value_reaches_is_lonely() {
        let settings = |points: &[(f64, f64)]| Settings {
            relevance: Some(Relevance::range(points, None).unwrap()),
            ..Settings::default()
        };
        let train: Vec<f64> = (0..100).map(f64::from).collect();
        let lonely = lonely_top(&settings(&[(50.0, 0.0), (99.0, 1.0)]), &train).unwrap();
        assert!(lonely.starts_with("φ reaches 1 only at the outermost training value (99"), "{lonely}");
        assert_eq!(lonely_top(&settings(&[(50.0, 0.0), (90.0, 1.0)]), &train), None);
    }
}
