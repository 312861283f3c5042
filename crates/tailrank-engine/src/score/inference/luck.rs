//! What luck alone would give: the same predictions against the truth of another time, or of another case; and with other signs.

use rayon::prelude::*;
use tailrank_metrics::{
    Measure, Scorer,
    scoring::{Alignment, Permutation, Realigned, Statistic},
};
use tailrank_stats::{CircularShifts, Draws, GroupPermutations, SignFlips, luck_test};

use super::{
    Direction, FEWEST_EVENTS, Luck, Question, TaskInference, candidates, counted, in_task, too_few_events,
    why,
};
use crate::Result;

/// Measures that look at signals alone, and so cost next to nothing.
const OF_SIGNALS: [Measure; 3] = [Measure::Precision, Measure::Recall, Measure::F];

/// How predictions are set against a truth that they cannot know.
enum Orders {
    Shifts(Vec<usize>),
    Permutations(Vec<Permutation>),
    Flips(Vec<Vec<bool>>),
}

/// Holds the best candidate by each measure against the best of the candidates under luck.
pub(super) fn luck(
    question: &Question<'_>,
    scorer: &Scorer<'_>,
    predicted: &[Vec<&[f64]>],
    found: &mut TaskInference,
    going_on: &(dyn Fn() -> Result<()> + Sync),
) -> Result<()> {
    let asked = |m: Measure| OF_SIGNALS.contains(&m) || question.judged.contains(&m);
    let tested: Vec<usize> =
        (0..found.measures.len()).filter(|&i| asked(found.measures[i].measure)).collect();
    if tested.is_empty() {
        return Ok(());
    }
    let refuse = |found: &mut TaskInference, reason: String| {
        for &i in &tested {
            found.measures[i].luck_reason = Some(reason.clone());
        }
    };
    let events = scorer.events().unwrap_or(FEWEST_EVENTS);
    if events < FEWEST_EVENTS {
        refuse(found, too_few_events(events));
        return Ok(());
    }
    let orders = match orders(question, scorer) {
        Ok(orders) => orders,
        Err(reason) => {
            refuse(found, reason);
            return Ok(());
        }
    };
    let statistics: Vec<Statistic> = tested.iter().map(|&i| found.measures[i].measure.into()).collect();
    let places = candidates(question.scores, &found.variants);
    let all_under = |orders: &Orders| -> Result<Vec<Vec<Vec<f64>>>> {
        let scored: Vec<Result<Vec<Vec<f64>>>> = places
            .par_iter()
            .map(|&place| {
                going_on()?;
                under_luck(scorer, &predicted[place], &statistics, orders).map_err(|e| in_task(question, e))
            })
            .collect();
        scored.into_iter().collect()
    };
    let mut by_luck = all_under(&orders)?;
    let flips = flips(question, scorer, found.block);
    let mut by_flips = flips.map(|flips| all_under(&flips)).transpose()?;
    for (s, &i) in tested.iter().enumerate() {
        let of = &mut found.measures[i];
        let observed: Vec<f64> =
            places.iter().map(|&p| of.intervals[p].map_or(f64::NAN, |interval| interval.estimate)).collect();
        let test = |scores: &mut Vec<Vec<Vec<f64>>>| {
            let columns: Vec<Vec<f64>> = scores.iter_mut().map(|v| std::mem::take(&mut v[s])).collect();
            Draws::from_columns(&columns).and_then(|d| luck_test(&observed, &d, of.measure.better()))
        };
        let (luck, direction) = (test(&mut by_luck), by_flips.as_mut().map(test));
        match luck {
            Ok(test) => {
                of.luck = Some(Luck {
                    variant: found.variants[places[test.best]],
                    score: observed[test.best],
                    by_luck: test.median_best,
                    p: test.p_best,
                    p_holm: test.p_best,
                    draws: test.draws,
                });
            }
            Err(e) => of.luck_reason = Some(why(&e)),
        }
        of.direction = direction.and_then(std::result::Result::ok).map(|test| Direction {
            by_chance: test.median_best,
            p: test.p_best,
            p_holm: test.p_best,
        });
    }
    Ok(())
}

/// Signs to flip by blocks; none where events do not lie on both sides of zero, and so a sign means nothing.
fn flips(question: &Question<'_>, scorer: &Scorer<'_>, block: f64) -> Option<Orders> {
    let ([part], Some(h)) = (question.parts, question.horizon) else { return None };
    let ranges = part.settings.relevance.as_ref()?.event_bounds(part.settings.t_e).ok()?;
    if !(ranges.iter().any(|r| r.to < 0.0) && ranges.iter().any(|r| r.from > 0.0)) {
        return None;
    }
    let seed = question.seed ^ 0x7369_6465 ^ (question.task.0 as u64) << 32;
    let cases = scorer.cases();
    let block = (block.ceil() as usize).max(h).min(cases / 2);
    let signs = SignFlips::new(cases, block, question.settings.shifts, seed).ok()?;
    Some(Orders::Flips((0..signs.draws()).map(|d| signs.flips(d)).collect()))
}

/// The draws of luck, the same for all variants.
fn orders(question: &Question<'_>, scorer: &Scorer<'_>) -> std::result::Result<Orders, String> {
    let seed = question.seed ^ 0x6C75_636B ^ (question.task.0 as u64) << 32;
    let draws = question.settings.shifts;
    if let (Some(h), [_]) = (question.horizon, scorer.parts()) {
        let shifts =
            CircularShifts::new(&[scorer.cases()], question.lags + h, draws, seed).map_err(|e| why(&e))?;
        return Ok(Orders::Shifts((0..shifts.draws()).map(|d| shifts.shifts(d)[0]).collect()));
    }
    let parts = scorer.parts().iter().enumerate();
    let folds: Vec<usize> = parts.flat_map(|(i, part)| vec![i; part.rows().len()]).collect();
    let permutations = GroupPermutations::new(&folds, draws, seed).map_err(|e| why(&e))?;
    let order = |d: usize| {
        let rows: Vec<usize> = permutations.rows(d).into_iter().map(|r| r as usize).collect();
        Permutation::new(scorer, rows).map_err(|e| e.to_string())
    };
    (0..permutations.draws()).map(order).collect::<std::result::Result<_, _>>().map(Orders::Permutations)
}

/// Scores of one variant under every draw, statistic by statistic.
fn under_luck(
    scorer: &Scorer<'_>,
    predicted: &[&[f64]],
    statistics: &[Statistic],
    orders: &Orders,
) -> tailrank_metrics::Result<Vec<Vec<f64>>> {
    let mut realigned = Realigned::new(scorer, predicted, statistics)?;
    let mut scores = Vec::new();
    let mut columns = vec![Vec::new(); statistics.len()];
    let mut add = |alignment: Alignment<'_>| -> tailrank_metrics::Result<()> {
        realigned.score(alignment, &mut scores)?;
        for (column, &score) in columns.iter_mut().zip(&scores) {
            column.push(counted(score));
        }
        Ok(())
    };
    match orders {
        Orders::Shifts(shifts) => shifts.iter().try_for_each(|&s| add(Alignment::Shift(s)))?,
        Orders::Permutations(all) => all.iter().try_for_each(|p| add(Alignment::Permutation(p)))?,
        Orders::Flips(all) => all.iter().try_for_each(|flips| add(Alignment::Flips(flips)))?,
    }
    Ok(columns)
}
