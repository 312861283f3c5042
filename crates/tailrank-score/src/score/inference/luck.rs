//! What luck alone would give: the same predictions against the truth of another time, or of another case; and with other signs.
//!
//! Where a division was repeated, a row gets the truth of another row in all repeats at once: the repeats see the same truth, and so
//! do they under luck.

use rayon::prelude::*;
use tailrank_metrics::{
    Measure, Scorer,
    scoring::{Alignment, Permutation, Realigned, Statistic},
};
use tailrank_stats::{CircularShifts, Draws, NullOrders, SignFlips, Units, luck_test};

use super::{
    Direction, FEWEST_EVENTS, Luck, Question, Repeats, TaskInference, candidates, counted, in_task,
    mean_of_defined, repeats::Repeat, too_few_events, why,
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
    repeats: &Repeats<'_>,
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
    let events = question.scores.events;
    if repeats.know_events() && events < FEWEST_EVENTS {
        refuse(found, too_few_events(events));
        return Ok(());
    }
    let measures: Vec<Measure> = tested.iter().map(|&i| found.measures[i].measure).collect();
    let places = candidates(question.scores, &found.variants);
    let drawn = match repeats.single() {
        Some(single) => in_one_division(question, single, &places, &measures, found.block, going_on)?,
        None => over_repeats(question, repeats, &places, &measures, going_on)?.map(|by_luck| (by_luck, None)),
    };
    let (mut by_luck, mut by_flips) = match drawn {
        Ok(drawn) => drawn,
        Err(reason) => {
            refuse(found, reason);
            return Ok(());
        }
    };
    for (s, &i) in tested.iter().enumerate() {
        let of = &mut found.measures[i];
        let observed: Vec<f64> =
            places.iter().map(|&p| of.intervals[p].map_or(f64::NAN, |interval| interval.estimate)).collect();
        let test = |scores: &mut ByLuck| {
            let columns: Vec<Vec<f64>> = scores.iter_mut().map(|v| std::mem::take(&mut v[s])).collect();
            Draws::from_columns(&columns).and_then(|d| luck_test(&observed, &d, of.measure.better()))
        };
        let (luck, direction) = (test(&mut by_luck), by_flips.as_mut().map(test));
        match luck {
            Ok(test) => {
                // A score that is not defined counts as 0, as the best may; the one to name is the one that has a score.
                let named = question.scores.best(of.measure).map(|v| question.scores.same_as[v]);
                let named = named.and_then(|v| places.iter().position(|&p| found.variants[p] == v));
                let best = named.filter(|&n| observed[n] == observed[test.best]).unwrap_or(test.best);
                of.luck = Some(Luck {
                    variant: found.variants[places[best]],
                    score: observed[best],
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

/// Scores under every draw of luck: candidate by candidate, measure by measure.
type ByLuck = Vec<Vec<Vec<f64>>>;

/// Scores under luck and, where a sign means something, with flipped signs; or why there are none.
fn in_one_division(
    question: &Question<'_>,
    repeat: &Repeat<'_>,
    places: &[usize],
    measures: &[Measure],
    block: f64,
    going_on: &(dyn Fn() -> Result<()> + Sync),
) -> Result<std::result::Result<(ByLuck, Option<ByLuck>), String>> {
    let scorer = &repeat.scorer;
    let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
    let all_under = |orders: &Orders| -> Result<ByLuck> {
        let scored: Vec<Result<Vec<Vec<f64>>>> = places
            .par_iter()
            .map(|&place| {
                going_on()?;
                let predicted = &repeat.predicted[place];
                under_luck(scorer, predicted, &statistics, orders).map_err(|e| in_task(question, e))
            })
            .collect();
        scored.into_iter().collect()
    };
    let orders = match orders(question, scorer) {
        Ok(orders) => orders,
        Err(reason) => return Ok(Err(reason)),
    };
    let by_luck = all_under(&orders)?;
    let by_flips = flips(question, scorer, block).map(|flips| all_under(&flips)).transpose()?;
    Ok(Ok((by_luck, by_flips)))
}

/// Mean scores over the repeats with the truths of the rows in another order, the same in every repeat; or why there are none.
fn over_repeats(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    places: &[usize],
    measures: &[Measure],
    going_on: &(dyn Fn() -> Result<()> + Sync),
) -> Result<std::result::Result<ByLuck, String>> {
    let truth = repeats.truth();
    let rows: Vec<Vec<Vec<usize>>> = repeats.iter().map(Repeat::rows_of_parts).collect();
    let permutations = match NullOrders::new(
        &Units::cases(truth.len()),
        &vec![0; truth.len()],
        0,
        question.settings.shifts,
        luck_seed(question),
    ) {
        Ok(permutations) => permutations,
        Err(e) => return Ok(Err(why(&e))),
    };
    let under = |draw: usize| -> Result<Vec<Vec<f64>>> {
        going_on()?;
        let order = permutations.order(draw);
        let mut scores = vec![vec![Vec::with_capacity(rows.len()); measures.len()]; places.len()];
        for (repeat, rows) in repeats.iter().zip(&rows) {
            let of_part = |rows: &Vec<usize>| rows.iter().map(|&r| truth[order[r] as usize]).collect();
            let moved: Vec<Vec<f64>> = rows.iter().map(of_part).collect();
            let settings = repeat.scorer.parts().iter().map(|p| p.settings().clone());
            let scorer = Scorer::pooled(moved.iter().map(Vec::as_slice).zip(settings))
                .map_err(|e| in_task(question, e))?;
            for (&place, of_place) in places.iter().zip(&mut scores) {
                let found = scorer.score_parts(&repeat.predicted[place], measures);
                for (&score, of_measure) in found.map_err(|e| in_task(question, e))?.iter().zip(of_place) {
                    of_measure.push(counted(score));
                }
            }
        }
        let mean = |of_repeats: Vec<f64>| mean_of_defined(of_repeats.into_iter());
        Ok(scores.into_iter().map(|v| v.into_iter().map(mean).collect()).collect())
    };
    let draws: Vec<Result<Vec<Vec<f64>>>> = (0..permutations.draws()).into_par_iter().map(under).collect();
    let mut by_luck = vec![vec![Vec::with_capacity(draws.len()); measures.len()]; places.len()];
    for draw in draws {
        for (of_place, scores) in by_luck.iter_mut().zip(draw?) {
            of_place.iter_mut().zip(scores).for_each(|(column, score)| column.push(score));
        }
    }
    Ok(Ok(by_luck))
}

/// Names the draws of luck.
fn luck_seed(question: &Question<'_>) -> u64 {
    question.seed ^ 0x6C75_636B ^ (question.task.0 as u64) << 32
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
    let (seed, draws) = (luck_seed(question), question.settings.shifts);
    if let (Some(h), [_]) = (question.horizon, scorer.parts()) {
        let shifts =
            CircularShifts::new(&[scorer.cases()], question.lags + h, draws, seed).map_err(|e| why(&e))?;
        return Ok(Orders::Shifts((0..shifts.draws()).map(|d| shifts.shifts(d)[0]).collect()));
    }
    let parts = scorer.parts().iter().enumerate();
    let folds: Vec<usize> = parts.flat_map(|(i, part)| vec![i; part.rows().len()]).collect();
    let permutations =
        NullOrders::new(&Units::cases(folds.len()), &folds, 0, draws, seed).map_err(|e| why(&e))?;
    let order = |d: usize| {
        let rows: Vec<usize> = permutations.order(d).into_iter().map(|r| r as usize).collect();
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
