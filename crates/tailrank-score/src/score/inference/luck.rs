//! What chance alone would give: the same predictions against the truth of another time, or of another case; and with other signs.
//!
//! Where a division was repeated, a row gets the truth of another row in all repeats at once: the repeats see the same truth, and so
//! do they under chance.

use rayon::prelude::*;
use tailrank_metrics::{
    Better, Measure, Score, Scorer,
    scoring::{Alignment, Permutation, Realigned, Statistic},
};
use tailrank_stats::{CircularShifts, GroupPermutations, SignFlips, StatsError};

use super::{
    ChanceTest, Direction, Question, Repeats, TaskInference, Untestable, candidates, counted, in_task,
    mean_of_defined, repeats::Repeat,
};
use crate::{Result, text::median};

/// Measures that look at signals alone, and so cost next to nothing.
const OF_SIGNALS: [Measure; 3] = [Measure::Precision, Measure::Recall, Measure::F];

/// Draws behind the p of an exploratory measure: it is not corrected over tasks, so that it need not be small.
const EXPLORATORY_DRAWS: usize = 200;

/// How predictions are set against a truth that they cannot know.
enum Orders {
    Shifts(Vec<usize>),
    Permutations(Vec<Permutation>),
    Flips(Vec<Vec<bool>>),
}

impl Orders {
    fn len(&self) -> usize {
        match self {
            Self::Shifts(all) => all.len(),
            Self::Permutations(all) => all.len(),
            Self::Flips(all) => all.len(),
        }
    }

    fn alignment(&self, draw: usize) -> Alignment<'_> {
        match self {
            Self::Shifts(all) => Alignment::Shift(all[draw]),
            Self::Permutations(all) => Alignment::Permutation(&all[draw]),
            Self::Flips(all) => Alignment::Flips(&all[draw]),
        }
    }
}

/// The measures to test, by the draws behind each.
struct Wanted {
    /// All draws: those of signals and those that decide.
    full: Vec<Measure>,
    /// The first [`EXPLORATORY_DRAWS`]: all others.
    exploratory: Vec<Measure>,
}

impl Wanted {
    /// All measures, in the order of the columns of [`Maxima`].
    fn measures(&self) -> impl Iterator<Item = Measure> {
        self.full.iter().chain(&self.exploratory).copied()
    }

    fn without_exploratory(&self) -> Self {
        Self { full: self.full.clone(), exploratory: Vec::new() }
    }
}

/// The best score of all candidates on each draw, measure by measure; higher is better, undefined is the worst.
///
/// Only this is held, whatever the number of candidates.
struct Maxima(Vec<Vec<f64>>);

impl Maxima {
    fn new(measures: usize) -> Self {
        Self(vec![Vec::new(); measures])
    }

    fn add(&mut self, measure: usize, draw: usize, score: f64) {
        let column = &mut self.0[measure];
        if column.len() <= draw {
            column.resize(draw + 1, f64::NEG_INFINITY);
        }
        column[draw] = column[draw].max(score);
    }

    /// The larger of both on every draw: the order of the candidates does not matter.
    fn merge(mut self, other: Self) -> Self {
        for (measure, column) in other.0.into_iter().enumerate() {
            for (draw, score) in column.into_iter().enumerate() {
                self.add(measure, draw, score);
            }
        }
        self
    }

    /// The share of draws that reach a score, itself counted as one, their median, and how many there are.
    fn test(&mut self, measure: usize, observed: f64) -> (f64, f64, usize) {
        let column = &mut self.0[measure];
        let draws = column.len();
        let reached = column.iter().filter(|&&m| m >= observed).count();
        column.retain(|m| m.is_finite());
        ((1 + reached) as f64 / (1 + draws) as f64, median(column).unwrap_or(f64::NAN), draws)
    }
}

/// A score of which more is better.
fn gain(score: Score, measure: Measure) -> f64 {
    let value = counted(score);
    match measure.better() {
        _ if value.is_nan() => f64::NEG_INFINITY,
        Better::Higher => value,
        Better::Lower => -value,
    }
}

/// Holds the best candidate by each measure against the best of the candidates under chance.
pub(super) fn luck(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &mut TaskInference,
    going_on: &(dyn Fn() -> Result<()> + Sync),
) -> Result<()> {
    let testable = found.measures.iter().filter(|m| m.chance_reason.is_none()).map(|m| m.measure);
    let is_full = |m: &Measure| OF_SIGNALS.contains(m) || question.judged.contains(m);
    let (full, exploratory): (Vec<Measure>, Vec<Measure>) = testable.partition(is_full);
    let wanted = Wanted { full, exploratory };
    if wanted.measures().next().is_none() {
        return Ok(());
    }
    let places = candidates(question.scores, &found.variants);
    let drawn = match repeats.single() {
        Some(single) => in_one_division(question, single, &places, &wanted, found.block, going_on)?,
        None => {
            over_repeats(question, repeats, &places, &wanted, going_on)?.map(|by_chance| (by_chance, None))
        }
    };
    let (mut by_chance, mut by_flips) = match drawn {
        Ok(drawn) => drawn,
        Err(reason) => {
            found.measures.iter_mut().for_each(|m| m.chance_reason = m.chance_reason.or(Some(reason)));
            return Ok(());
        }
    };
    for (column, measure) in wanted.measures().enumerate() {
        let Some(of) = found.measures.iter_mut().find(|m| m.measure == measure) else { continue };
        let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
        let observed = |&p: &usize| of.scores[p];
        let defined = places.iter().filter(|p| observed(p).is_finite());
        let Some(best) = defined.max_by(|a, b| (sign * observed(a)).total_cmp(&(sign * observed(b)))) else {
            of.chance_reason = Some(Untestable::NoScore);
            continue;
        };
        // A score that is not defined counts as 0, as the best may; the one to name is the one that has a score.
        let named = question.scores.best(measure).map(|v| question.scores.same_as[v]);
        let named = named.and_then(|v| places.iter().find(|&&p| found.variants[p] == v));
        let best = *named.filter(|n| observed(n) == observed(best)).unwrap_or(best);
        let score = of.scores[best];
        let (p, chance, draws) = by_chance.test(column, sign * score);
        of.chance = Some(ChanceTest {
            variant: found.variants[best],
            score,
            chance: sign * chance,
            p,
            p_holm: p,
            draws,
        });
        if let Some(by_flips) = by_flips.as_mut().filter(|_| column < wanted.full.len()) {
            let (p, by_chance, _) = by_flips.test(column, sign * score);
            of.direction = Some(Direction { by_chance: sign * by_chance, p, p_holm: p });
        }
    }
    Ok(())
}

/// Best scores by chance and, where a sign means something, with flipped signs; or why there are none.
fn in_one_division(
    question: &Question<'_>,
    repeat: &Repeat<'_>,
    places: &[usize],
    wanted: &Wanted,
    block: f64,
    going_on: &(dyn Fn() -> Result<()> + Sync),
) -> Result<std::result::Result<(Maxima, Option<Maxima>), Untestable>> {
    let scorer = &repeat.scorer;
    let all_under = |orders: &Orders, wanted: &Wanted| -> Result<Maxima> {
        let empty = || Maxima::new(wanted.measures().count());
        let scored = places.par_iter().map(|&place| {
            going_on()?;
            let predicted = &repeat.predicted[place];
            under_chance(scorer, predicted, wanted, orders).map_err(|e| in_task(question, e))
        });
        scored.try_reduce(empty, |a, b| Ok(a.merge(b)))
    };
    let orders = match orders(question, scorer) {
        Ok(orders) => orders,
        Err(reason) => return Ok(Err(reason)),
    };
    let by_chance = all_under(&orders, wanted)?;
    let flips = flips(question, scorer, block).filter(|_| !wanted.full.is_empty());
    let by_flips = flips.map(|flips| all_under(&flips, &wanted.without_exploratory())).transpose()?;
    Ok(Ok((by_chance, by_flips)))
}

/// Best mean scores over the repeats with the truths of the rows in another order, the same in every repeat; or why there are none.
fn over_repeats(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    places: &[usize],
    wanted: &Wanted,
    going_on: &(dyn Fn() -> Result<()> + Sync),
) -> Result<std::result::Result<Maxima, Untestable>> {
    let truth = repeats.truth();
    let rows: Vec<Vec<Vec<usize>>> = repeats.iter().map(Repeat::rows_of_parts).collect();
    let permutations =
        match GroupPermutations::new(&vec![0; truth.len()], question.settings.shifts, luck_seed(question)) {
            Ok(permutations) => permutations,
            Err(e) => return Ok(Err((&e).into())),
        };
    let all: Vec<Measure> = wanted.measures().collect();
    // The best score of one draw, measure by measure.
    let under = |draw: usize| -> Result<Vec<f64>> {
        going_on()?;
        let measures = if draw < EXPLORATORY_DRAWS { &all[..] } else { &wanted.full[..] };
        let order = permutations.rows(draw);
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
        let mut best = vec![f64::NEG_INFINITY; measures.len()];
        for of_place in scores {
            for ((best, of_repeats), &measure) in best.iter_mut().zip(of_place).zip(measures) {
                *best = best.max(gain(Score::from(mean_of_defined(of_repeats.into_iter())), measure));
            }
        }
        Ok(best)
    };
    let drawn: Vec<Result<Vec<f64>>> = (0..permutations.draws()).into_par_iter().map(under).collect();
    let mut maxima = Maxima::new(all.len());
    for (draw, best) in drawn.into_iter().enumerate() {
        best?.into_iter().enumerate().for_each(|(m, score)| maxima.add(m, draw, score));
    }
    Ok(Ok(maxima))
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
fn orders(question: &Question<'_>, scorer: &Scorer<'_>) -> std::result::Result<Orders, Untestable> {
    let (seed, draws) = (luck_seed(question), question.settings.shifts);
    if let (Some(h), [_]) = (question.horizon, scorer.parts()) {
        let excluded = question.lags + h;
        let shifts = CircularShifts::new(&[scorer.cases()], excluded, draws, seed).map_err(|e| match e {
            StatsError::TooFew { .. } => {
                Untestable::FewRearrangements(scorer.cases().saturating_sub(2 * excluded))
            }
            e => Untestable::from(&e),
        })?;
        return Ok(Orders::Shifts((0..shifts.draws()).map(|d| shifts.shifts(d)[0]).collect()));
    }
    let parts = scorer.parts().iter().enumerate();
    let folds: Vec<usize> = parts.flat_map(|(i, part)| vec![i; part.rows().len()]).collect();
    let permutations = GroupPermutations::new(&folds, draws, seed).map_err(|e| Untestable::from(&e))?;
    let order = |d: usize| {
        let rows: Vec<usize> = permutations.rows(d).into_iter().map(|r| r as usize).collect();
        Permutation::new(scorer, rows).map_err(|_| Untestable::MostlyUndefined)
    };
    (0..permutations.draws()).map(order).collect::<std::result::Result<_, _>>().map(Orders::Permutations)
}

/// Scores of one candidate under the draws, higher is better.
fn under_chance(
    scorer: &Scorer<'_>,
    predicted: &[&[f64]],
    wanted: &Wanted,
    orders: &Orders,
) -> tailrank_metrics::Result<Maxima> {
    let mut best = Maxima::new(wanted.measures().count());
    let mut first = 0;
    for (measures, most) in [(&wanted.full, usize::MAX), (&wanted.exploratory, EXPLORATORY_DRAWS)] {
        if measures.is_empty() {
            continue;
        }
        let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
        let mut realigned = Realigned::new(scorer, predicted, &statistics)?;
        let mut scores = Vec::new();
        for draw in 0..orders.len().min(most) {
            realigned.score(orders.alignment(draw), &mut scores)?;
            for (m, (&score, &measure)) in scores.iter().zip(measures).enumerate() {
                best.add(first + m, draw, gain(score, measure));
            }
        }
        first += measures.len();
    }
    Ok(best)
}
