//! What chance alone would give: the same predictions against the truth of another time, or of another case;
//! and with other signs.
//!
//! Where a division was repeated, a row gets the truth of another row in all repeats at once: the repeats see
//! the same truth, and so do they under chance.

use std::ops::Range;

use rayon::prelude::*;
use tailrank_metrics::{
    Better, Measure, Score, Scorer,
    scoring::{Alignment, NullScorer, Permutation, Statistic},
};
use tailrank_models::Cancel;
use tailrank_stats::{NullOrders, SequentialDraws, SignFlips};

use super::{
    ChanceTest, Direction, FEWEST_BLOCKS, Question, Repeats, TaskInference, Untestable, candidates, counted,
    design, in_task, mean_of_defined,
    repeats::{FOLDS, Repeat},
};
use crate::{Result, score::check_cancelled, text::median};

/// Measures that look at signals alone, and so cost next to nothing.
const OF_SIGNALS: [Measure; 3] = [Measure::Precision, Measure::Recall, Measure::F];

/// Draws behind the p of an exploratory measure: it is not corrected over tasks, so that it need not be
/// small.
const EXPLORATORY_DRAWS: usize = 200;

/// By how much scores in a period of few blocks vary more than those of its shifts.
const SEAM: f64 = 1.1;

/// Places of cases whose orders are held at once (64 MB).
const ORDERS_TOGETHER: usize = 1 << 23;

/// How predictions are set against a truth that they cannot know.
enum Order {
    Shift(usize),
    Permutation(Permutation),
    Flips(Vec<bool>),
}

impl Order {
    fn alignment(&self) -> Alignment<'_> {
        match self {
            Self::Shift(by) => Alignment::Shift(*by),
            Self::Permutation(order) => Alignment::Permutation(order),
            Self::Flips(signs) => Alignment::Flips(signs),
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
}

/// The best score of all candidates on each draw, measure by measure; higher is better, undefined is the
/// worst.
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

    /// Takes the larger of both on every draw, the first of the other's being draw `from`: the order of the
    /// candidates does not matter.
    fn merge(mut self, other: Self, from: usize) -> Self {
        for (measure, column) in other.0.into_iter().enumerate() {
            column.into_iter().enumerate().for_each(|(draw, score)| self.add(measure, from + draw, score));
        }
        self
    }

    /// How many draws reach a score, and how many there are. Sums in another order differ in their last
    /// digits, and a score that no order can change must not look better than its copies.
    fn reached(&self, measure: usize, observed: f64) -> (usize, usize) {
        let column = &self.0[measure];
        let least = observed - ROUNDING * observed.abs();
        (column.iter().filter(|&&m| m >= least).count(), column.len())
    }

    /// The middle of the best scores that are defined.
    fn median(&self, measure: usize) -> f64 {
        let defined: Vec<f64> = self.0[measure].iter().copied().filter(|m| m.is_finite()).collect();
        median(&defined).unwrap_or(f64::NAN)
    }
}

/// Relative rounding error of a score, a sum over the cases.
const ROUNDING: f64 = 1e-10;

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
pub(super) fn test(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &mut TaskInference,
    cancel: &Cancel,
) -> Result<()> {
    let testable = found.measures.iter().filter(|m| m.chance_reason.is_none()).map(|m| m.measure);
    let is_full = |m: &Measure| OF_SIGNALS.contains(m) || question.judged.contains(m);
    let (full, exploratory): (Vec<Measure>, Vec<Measure>) = testable.partition(is_full);
    let wanted = Wanted { full, exploratory };
    if wanted.measures().next().is_none() {
        return Ok(());
    }
    let first = question.settings.shifts;
    // Twice as many draws as the smallest p that the correction over tasks may ask for.
    let most = first.max((2.0 * question.tests as f64 / question.alpha).ceil() as usize);
    let plan = SequentialDraws::new(first, most).map_err(|e| Untestable::from(&e));
    let chance =
        plan.and_then(|plan| Chance::new(question, repeats, found, most).map(|chance| (plan, chance)));
    let (plan, chance) = match chance {
        Ok(both) => both,
        Err(reason) => {
            found.measures.iter_mut().for_each(|m| m.chance_reason = m.chance_reason.or(Some(reason)));
            return Ok(());
        }
    };
    // Scores over folds vary more than rearranged ones, and so do those of a period that its own waves fill:
    // a shift has a seam.
    let spread = match found.blocks {
        _ if repeats.have_folds() => FOLDS,
        Some(blocks) if blocks < FEWEST_BLOCKS => SEAM,
        _ => 1.0,
    };
    let by_chance = chance.draw(&wanted, 0..first.min(chance.orders.draws()), cancel)?;
    let by_flips = chance.flipped(&wanted, cancel)?;
    let mut open = Vec::new();
    for (column, measure) in wanted.measures().enumerate() {
        let Some(of) = found.measures.iter_mut().find(|m| m.measure == measure) else { continue };
        let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
        let observed = |&p: &usize| of.scores[p];
        let defined = chance.places.iter().filter(|p| observed(p).is_finite());
        let Some(best) = defined.max_by(|a, b| (sign * observed(a)).total_cmp(&(sign * observed(b)))) else {
            of.chance_reason = Some(Untestable::NoScore);
            continue;
        };
        // A score that is not defined counts as 0, as the best may; the one to name is the one that has a
        // score.
        let named = question.scores.best(measure).map(|v| question.scores.same_as[v]);
        let named = named.and_then(|v| chance.places.iter().find(|&&p| found.variants[p] == v));
        let best = *named.filter(|n| observed(n) == observed(best)).unwrap_or(best);
        let score = of.scores[best];
        let by_median = by_chance.median(column);
        let observed = if by_median.is_finite() {
            by_median + (sign * score - by_median) / spread
        } else {
            sign * score
        };
        let (reached, draws) = by_chance.reached(column, observed);
        let p = SequentialDraws::p_value(reached, draws);
        let variant = found.variants[best];
        of.chance = Some(ChanceTest { variant, score, chance: sign * by_median, p, p_holm: p, draws });
        if question.judged.contains(&measure) {
            open.push(Open { measure, observed, reached });
        }
        if let Some(by_flips) = by_flips.as_ref().filter(|_| column < wanted.full.len()) {
            let (reached, draws) = by_flips.reached(column, sign * score);
            let p = SequentialDraws::p_value(reached, draws);
            of.direction = Some(Direction { by_chance: sign * by_flips.median(column), p, p_holm: p });
        }
    }
    chance.go_on(open, plan, found, cancel)
}

/// A measure whose p is near its bound.
struct Open {
    measure: Measure,
    /// The best score, higher is better; drawn together where scores vary more than under chance.
    observed: f64,
    /// Draws that reach it.
    reached: usize,
}

/// How the truth of a task is rearranged.
struct Chance<'q, 'a> {
    question: &'q Question<'a>,
    repeats: &'q Repeats<'a>,
    /// The candidates.
    places: Vec<usize>,
    block: f64,
    orders: NullOrders,
    /// Whether a truth may go to another part, where another φ is in force, or stand twice.
    moves_freely: bool,
}

impl<'q, 'a> Chance<'q, 'a> {
    fn new(
        question: &'q Question<'a>,
        repeats: &'q Repeats<'a>,
        found: &TaskInference,
        draws: usize,
    ) -> std::result::Result<Self, Untestable> {
        let windows = match repeats.single() {
            Some(_) => design::windows(&question.parts.iter().collect::<Vec<_>>()),
            None => vec![0; repeats.rows],
        };
        let draws = (draws, question.seed ^ 0x6C75_636B ^ (question.task.0 as u64) << 32);
        let (orders, crosses) = design::null_orders(question, &repeats.units, &windows, found.block, draws)?;
        Ok(Self {
            question,
            repeats,
            places: candidates(question.scores, &found.variants),
            block: found.block,
            moves_freely: crosses || !orders.is_permutation(),
            orders,
        })
    }

    /// Draws on until the p of each measure is known well enough, or as small as the correction over tasks
    /// can ask for.
    fn go_on(
        &self,
        mut open: Vec<Open>,
        plan: SequentialDraws,
        found: &mut TaskInference,
        cancel: &Cancel,
    ) -> Result<()> {
        let most = self.orders.draws();
        let mut draws = plan.first().min(most);
        loop {
            open.retain(|o| draws < most && plan.next(draws, o.reached).is_some());
            let Some(next) = open.first().and_then(|o| plan.next(draws, o.reached)) else { return Ok(()) };
            let next = next.min(most);
            let wanted = Wanted { full: open.iter().map(|o| o.measure).collect(), exploratory: Vec::new() };
            let more = self.draw(&wanted, draws..next, cancel)?;
            draws = next;
            for (column, open) in open.iter_mut().enumerate() {
                open.reached += more.reached(column, open.observed).0;
                let of = found.measures.iter_mut().find(|m| m.measure == open.measure);
                if let Some(test) = of.and_then(|m| m.chance.as_mut()) {
                    let p = SequentialDraws::p_value(open.reached, draws);
                    (test.p, test.p_holm, test.draws) = (p, p, draws);
                }
            }
        }
    }

    /// The best scores on some draws; exploratory measures are looked at on the first ones alone.
    fn draw(&self, wanted: &Wanted, draws: Range<usize>, cancel: &Cancel) -> Result<Maxima> {
        let Some(single) = self.repeats.single().filter(|_| !self.moves_freely) else {
            return self.over_repeats(wanted, draws, cancel);
        };
        let mut all = Maxima::new(wanted.measures().count());
        let together = (ORDERS_TOGETHER / self.repeats.rows).max(1);
        for start in draws.clone().step_by(together) {
            let some = start..(start + together).min(draws.end);
            let at_start = start - draws.start;
            let few = EXPLORATORY_DRAWS.saturating_sub(at_start).min(some.len());
            // The same orders for all variants.
            let orders = some.map(|draw| self.order(single, draw)).collect::<Result<Vec<Order>>>()?;
            all = all.merge(self.best_under(single, &orders, wanted, few, cancel)?, at_start);
        }
        Ok(all)
    }

    fn order(&self, single: &Repeat<'_>, draw: usize) -> Result<Order> {
        if let Some(shift) = self.orders.single_shift(draw) {
            return Ok(Order::Shift(shift));
        }
        let rows: Vec<usize> = self.orders.order(draw).into_iter().map(|r| r as usize).collect();
        let order = Permutation::new(&single.scorer, rows).map_err(|e| in_task(self.question, e))?;
        Ok(Order::Permutation(order))
    }

    /// The best scores under some orders; `few` of them for the exploratory measures.
    fn best_under(
        &self,
        single: &Repeat<'_>,
        orders: &[Order],
        wanted: &Wanted,
        few: usize,
        cancel: &Cancel,
    ) -> Result<Maxima> {
        let scored = self.places.par_iter().map(|&place| {
            check_cancelled(cancel)?;
            under_chance(&single.scorer, &single.predicted[place], wanted, orders, few)
                .map_err(|e| in_task(self.question, e))
        });
        scored.try_reduce(|| Maxima::new(wanted.measures().count()), |a, b| Ok(a.merge(b, 0)))
    }

    /// The best scores with flipped signs, where a sign means something.
    fn flipped(&self, wanted: &Wanted, cancel: &Cancel) -> Result<Option<Maxima>> {
        let Some(single) = self.repeats.single().filter(|_| !wanted.full.is_empty()) else { return Ok(None) };
        let Some(flips) = flips(self.question, &single.scorer, self.block) else { return Ok(None) };
        let wanted = Wanted { full: wanted.full.clone(), exploratory: Vec::new() };
        self.best_under(single, &flips, &wanted, 0, cancel).map(Some)
    }

    /// Best mean scores over the repeats with the truths of the rows in another order, the same in every
    /// repeat.
    fn over_repeats(&self, wanted: &Wanted, draws: Range<usize>, cancel: &Cancel) -> Result<Maxima> {
        let Self { question, repeats, places, orders, .. } = self;
        let truth = repeats.truth();
        let rows: Vec<Vec<Vec<usize>>> = repeats.all.iter().map(Repeat::rows_of_parts).collect();
        let first = draws.start;
        let all: Vec<Measure> = wanted.measures().collect();
        // The best score of one draw, measure by measure.
        let under = |draw: usize| -> Result<Vec<f64>> {
            check_cancelled(cancel)?;
            let measures = if draw - first < EXPLORATORY_DRAWS { &all[..] } else { &wanted.full[..] };
            let order = orders.order(draw);
            let mut scores = vec![vec![Vec::with_capacity(rows.len()); measures.len()]; places.len()];
            for (repeat, rows) in repeats.all.iter().zip(&rows) {
                let of_part = |rows: &Vec<usize>| rows.iter().map(|&r| truth[order[r] as usize]).collect();
                let moved: Vec<Vec<f64>> = rows.iter().map(of_part).collect();
                let settings = repeat.scorer.parts().iter().map(|p| p.settings().clone());
                let scorer = Scorer::pooled(moved.iter().map(Vec::as_slice).zip(settings))
                    .map_err(|e| in_task(question, e))?;
                for (&place, of_place) in places.iter().zip(&mut scores) {
                    let found = scorer.score_parts(&repeat.predicted[place], measures);
                    for (&score, of_measure) in found.map_err(|e| in_task(question, e))?.iter().zip(of_place)
                    {
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
        let drawn: Vec<Result<Vec<f64>>> = draws.into_par_iter().map(under).collect();
        let mut maxima = Maxima::new(all.len());
        for (draw, best) in drawn.into_iter().enumerate() {
            best?.into_iter().enumerate().for_each(|(m, score)| maxima.add(m, draw, score));
        }
        Ok(maxima)
    }
}

/// Signs to flip by blocks; none where events do not lie on both sides of zero, and so a sign means nothing.
fn flips(question: &Question<'_>, scorer: &Scorer<'_>, block: f64) -> Option<Vec<Order>> {
    let ([part], Some(h)) = (question.parts, question.horizon) else { return None };
    let ranges = part.settings.relevance.as_ref()?.event_bounds(part.settings.t_e).ok()?;
    if !(ranges.iter().any(|r| r.to < 0.0) && ranges.iter().any(|r| r.from > 0.0)) {
        return None;
    }
    let seed = question.seed ^ 0x7369_6465 ^ (question.task.0 as u64) << 32;
    let cases = scorer.cases();
    let block = (block.ceil() as usize).max(h).min(cases / 2);
    let signs = SignFlips::new(cases, block, question.settings.shifts, seed).ok()?;
    Some((0..signs.draws()).map(|d| Order::Flips(signs.flips(d))).collect())
}

/// Scores of one candidate under the draws, higher is better.
fn under_chance(
    scorer: &Scorer<'_>,
    predicted: &[&[f64]],
    wanted: &Wanted,
    orders: &[Order],
    few: usize,
) -> tailrank_metrics::Result<Maxima> {
    let mut best = Maxima::new(wanted.measures().count());
    let mut first = 0;
    for (measures, most) in [(&wanted.full, usize::MAX), (&wanted.exploratory, few)] {
        if measures.is_empty() {
            continue;
        }
        let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
        let mut realigned = NullScorer::new(scorer, predicted, &statistics)?;
        let mut scores = Vec::new();
        for (draw, order) in orders.iter().enumerate().take(most) {
            realigned.score(order.alignment(), &mut scores)?;
            for (m, (&score, &measure)) in scores.iter().zip(measures).enumerate() {
                best.add(first + m, draw, gain(score, measure));
            }
        }
        first += measures.len();
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_score_reach_it_whatever_their_last_digit() {
        let observed = -0.241_466_926_707_570_6;
        let mut best = Maxima::new(1);
        for (draw, ulps) in [-3.0_f64, -1.0, 0.0, 2.0].into_iter().enumerate() {
            best.add(0, draw, observed + ulps * f64::EPSILON);
        }
        best.add(0, 4, observed - 1e-6);
        assert_eq!(best.reached(0, observed), (4, 5));
    }
}
