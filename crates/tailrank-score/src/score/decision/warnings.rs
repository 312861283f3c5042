//! What is to be known before a decision is believed.

use super::{
    super::{
        Names, TaskId, TaskScores, VariantId, VariantStatus,
        inference::{Caution, FEWEST_EVENTS, Sureness},
    },
    Camp, RARE,
};
use crate::text::{count, list, percent};

/// Grids with fewer values of a parameter have no middle.
const FEWEST_VALUES: usize = 3;

/// Whether the measures tell events from other cases.
pub(super) fn has_events(scores: &TaskScores) -> bool {
    scores.counts.iter().any(Option::is_some)
}

pub(super) fn warnings(
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
