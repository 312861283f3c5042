//! The event in the target's own units: `rings ≥ 15.5`, `a return beyond ±2%`.

use tailrank_data::Transform;
use tailrank_metrics::relevance::EventRange;
use tailrank_score::score::Target;

use super::*;

/// Which values are events; none without an event definition.
pub fn definition(scores: &TaskScores) -> Option<String> {
    definition_of(&scores.target, &scores.event_ranges)
}

/// Which values of a target are events, from the ranges of each part of the test.
pub fn definition_of(target: &Target, parts: &[Vec<EventRange>]) -> Option<String> {
    let first = parts.first()?;
    let name = &target.name;
    if first.is_empty() {
        return Some(format!("no value of {name}"));
    }
    let ends = |place: usize, end: fn(&EventRange) -> f64| -> Vec<f64> {
        parts.iter().filter_map(|ranges| ranges.get(place)).map(end).collect()
    };
    let from = |place: usize| bound(&ends(place, |r| r.from), target.kind);
    let to = |place: usize| bound(&ends(place, |r| r.to), target.kind);
    let is_change = target.kind != Transform::Level;
    let subject = match target.kind {
        Transform::Difference => format!("a change of {name}"),
        Transform::Return | Transform::LogReturn => format!("a {name}"),
        _ => name.clone(),
    };
    let one = |place: usize| match (from(place), to(place)) {
        (None, None) => format!("any {}", if is_change { "change" } else { "value" }),
        (Some(from), None) if is_change && first.len() == 1 => format!("of {from} or more"),
        (None, Some(to)) if is_change && first.len() == 1 => format!("of {to} or less"),
        (Some(from), None) => format!("≥ {from}"),
        (None, Some(to)) => format!("≤ {to}"),
        (Some(from), Some(to)) => format!("from {from} to {to}"),
    };
    if let [low, high] = first[..]
        && low.from == f64::NEG_INFINITY
        && high.to == f64::INFINITY
        && parts.iter().all(|p| matches!(p[..], [l, h] if l.to == -h.from))
        && let Some(bound) = from(1)
    {
        return Some(format!("{subject} beyond ±{bound}"));
    }
    let all: Vec<String> = (0..first.len()).map(one).collect();
    Some(format!("{subject} {}", all.join(" or ")))
}

/// An end of a range over the parts of the test, in the target's units; an infinite end is none.
fn bound(ends: &[f64], kind: Transform) -> Option<String> {
    /// Ends that differ by less than this share between parts are told as one.
    const ABOUT: f64 = 0.1;
    let least = ends.iter().copied().min_by(f64::total_cmp).filter(|v| v.is_finite())?;
    let most = ends.iter().copied().max_by(f64::total_cmp).filter(|v| v.is_finite())?;
    let print = |value: f64| match kind {
        Transform::Return => format!("{}%", short(100.0 * value)),
        _ => short(value),
    };
    let middle = (least + most) / 2.0;
    let is_near = most - least <= ABOUT * middle.abs();
    Some(match (print(least), print(most)) {
        (least, most) if least == most => least,
        _ if is_near => format!("about {}", print(middle)),
        (least, most) => format!("{least} to {most} (by fold)"),
    })
}

/// What a case of a task is called.
fn case_word(scores: &TaskScores) -> &'static str {
    let a_year = scores.years.map(|years| scores.cases as f64 / years);
    if a_year.is_some_and(|n| (200.0..=367.0).contains(&n)) { "day" } else { "case" }
}

fn share(scores: &TaskScores) -> f64 {
    scores.events as f64 / scores.cases.max(1) as f64
}

/// `rings ≥ 15.5, in 261 of 4,177 cases (6.2%)`, over all tasks; none without an event definition.
pub fn line(results: &Results) -> Option<String> {
    let tasks = TaskId::all(results.scores.len()).zip(&results.scores);
    let all: Vec<(TaskId, &TaskScores)> = tasks.filter(|(_, s)| !s.event_ranges.is_empty()).collect();
    let (first, scores) = *all.first()?;
    let meaning = definition(scores)?;
    if let [(_, only)] = all[..] {
        let (events, cases) = (thousands(only.events), thousands(only.cases));
        let word = case_word(only);
        return Some(format!("{meaning}, in {events} of {cases} test {word}s ({})", percent(share(only))));
    }
    let alike = all.iter().all(|(_, s)| definition(s).as_ref() == Some(&meaning));
    let own = || format!("set for each task ({}: {meaning})", results.names.task(first));
    let meaning = if alike { meaning.clone() } else { own() };
    let by_share = |a: &&(TaskId, &TaskScores), b: &&(TaskId, &TaskScores)| share(a.1).total_cmp(&share(b.1));
    let (rarest, commonest) = (all.iter().min_by(by_share)?, all.iter().max_by(by_share)?);
    let told = |(task, scores): &(TaskId, &TaskScores)| {
        format!("{} ({})", percent(share(scores)), results.names.task(*task))
    };
    let word = if all.iter().all(|(_, s)| case_word(s) == "day") { "day" } else { "case" };
    let [least, most] = [rarest, commonest].map(|(_, scores)| percent(share(scores)));
    let shares = if least == most { least } else { format!("{} to {}", told(rarest), told(commonest)) };
    Some(format!("{meaning}, in {shares} of test {word}s"))
}

/// The share of events of one task, for tables.
pub(super) fn share_of(scores: &TaskScores) -> String {
    if scores.event_ranges.is_empty() { DASH.to_owned() } else { percent(share(scores)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(kind: Transform, parts: &[&[(f64, f64)]]) -> String {
        let target =
            Target { name: if kind == Transform::Return { "return" } else { "rings" }.to_owned(), kind };
        let range = |&(from, to): &(f64, f64)| EventRange { from, to };
        let parts: Vec<Vec<EventRange>> = parts.iter().map(|p| p.iter().map(range).collect()).collect();
        definition_of(&target, &parts).unwrap()
    }

    const INF: f64 = f64::INFINITY;

    #[test]
    fn an_event_is_told_in_the_targets_units() {
        use Transform::{Difference, Level as Value, Return};
        assert_eq!(said(Value, &[&[(15.5, INF)]]), "rings ≥ 15.5");
        assert_eq!(said(Value, &[&[(-INF, 4.0), (15.5, INF)]]), "rings ≤ 4 or ≥ 15.5");
        assert_eq!(said(Value, &[&[(3.0, 5.0)]]), "rings from 3 to 5");
        assert_eq!(said(Return, &[&[(-INF, -0.02), (0.02, INF)]]), "a return beyond ±2%");
        assert_eq!(said(Return, &[&[(0.0243, INF)]]), "a return of 2.43% or more");
        assert_eq!(said(Return, &[&[(-INF, -0.018), (0.021, INF)]]), "a return ≤ −1.8% or ≥ 2.1%");
        assert_eq!(said(Difference, &[&[(-INF, -3.0)]]), "a change of rings of −3 or less");
        assert_eq!(said(Value, &[&[]]), "no value of rings");
    }

    #[test]
    fn folds_with_other_borders_are_told_together() {
        use Transform::Level as Value;
        assert_eq!(said(Value, &[&[(15.5, INF)], &[(15.5, INF)]]), "rings ≥ 15.5");
        assert_eq!(said(Value, &[&[(15.4, INF)], &[(15.6, INF)]]), "rings ≥ about 15.5");
        assert_eq!(said(Value, &[&[(10.0, INF)], &[(20.0, INF)]]), "rings ≥ 10 to 20 (by fold)");
    }
}
