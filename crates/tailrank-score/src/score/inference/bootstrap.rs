//! The bootstrap of a task: intervals, P(best), ranks, confidence sets, and the best reference, from one set
//! of resamples.

use tailrank_metrics::{
    Measure,
    registry::Need,
    scoring::{Part, Statistic},
};
use tailrank_stats::{
    COSINES, Draws, Interval, Resamples, Waves, automatic_block_length, corrected_interval, long_run_waves,
};

use super::{
    FEWEST_EVENTS, IntervalScope, MeasureInference, Question, Repeats, TaskInference, Untestable,
    design::label_span,
    in_task,
    sample::{Basis, Sample, within_bounds},
};
use crate::{Result, score::TaskTruth, text::median};

/// Variants whose terms are held at once.
const TOGETHER: usize = 64;

/// Fills in everything that resampled scores tell.
pub(super) fn intervals(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &mut TaskInference,
) -> Result<()> {
    let units = &repeats.units;
    found.block = match question.settings.block {
        _ if !repeats.in_time() => 1.0,
        Some(block) => block,
        None => block_length(question, repeats, found.variants.len()),
    };
    found.blocks = repeats.in_time().then(|| (units.count() as f64 / found.block) as usize);
    let (seed, draws) = (question.seed ^ (question.task.0 as u64) << 32, question.settings.resamples);
    let drawn = match repeats.single() {
        // Single cases keep the sizes of their folds.
        Some(single) if !repeats.in_time() && units.count() == units.case_count() => {
            let parts = single.scorer.parts().iter().enumerate();
            let folds = parts.flat_map(|(i, part)| vec![i; part.rows().len()]);
            Resamples::grouped(&folds.collect::<Vec<usize>>(), draws, seed)
        }
        _ => units.resamples(found.block, draws, seed),
    };
    let resamples = match drawn {
        Ok(resamples) => resamples,
        Err(e) => {
            found.reason = Some((&e).into());
            return Ok(());
        }
    };
    let measures: Vec<Measure> =
        question.scores.measures.iter().copied().filter(|&m| Statistic::from(m).has_terms()).collect();
    let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
    let variants = found.variants.len();
    let mut all: Vec<Resampled> = measures.iter().map(|_| Resampled::default()).collect();
    let together = (TOGETHER / repeats.all.len()).max(1);
    for first in (0..variants).step_by(together) {
        let group = first..(first + together).min(variants);
        let terms = repeats.terms(group.clone(), &statistics).map_err(|e| in_task(question, e))?;
        let columns = terms.columns();
        let Ok(sums) = resamples.sums(&columns) else { continue };
        let whole: Vec<f64> = columns.iter().map(|c| c.iter().sum()).collect();
        let drawn: Vec<&[f64]> = sums.iter().collect();
        let fold_sums = if has_random_folds(question, repeats) { terms.fold_sums() } else { None };
        // In series the blocks are too short for slow waves of volatility; cosines see them.
        let waves = if repeats.in_time() {
            let places = measures.len() * group.len();
            long_run_waves(&columns, places, |sums, out| {
                for (place, score) in out.iter_mut().enumerate() {
                    *score = terms.score(place % group.len(), place / group.len(), sums);
                }
            })
            .ok()
        } else {
            None
        };
        for v in 0..group.len() {
            for (m, column) in terms.resampled(v, &drawn).into_iter().enumerate() {
                all[m].draws.push(column);
                all[m].scores.push(terms.score(v, m, &whole));
                let values = fold_sums.as_ref().and_then(|sums| terms.fold_values(v, m, sums));
                all[m].of_folds.push(values.and_then(|values| fold_interval(question, &values)));
                let of_variant = waves.as_ref().map(|waves| waves[m * group.len() + v]);
                all[m].waves.push(of_variant.unwrap_or([f64::NAN; COSINES]));
            }
        }
    }
    let basis = Basis::new(repeats, found.blocks);
    let few_events =
        Some(question.scores.events).filter(|&events| repeats.know_events() && events < FEWEST_EVENTS);
    for (measure, mut resampled) in measures.into_iter().zip(all) {
        leave_out_empty_draws(&mut resampled.draws);
        let of_measure = if let Some(events) =
            few_events.filter(|_| measure.info().needs.contains(&Need::EventThreshold))
        {
            MeasureInference::unknown(measure, variants, Untestable::FewEvents(events))
        } else if let Ok(draws) = Draws::from_columns(&resampled.draws) {
            let Resampled { scores, waves, of_folds, .. } = &resampled;
            let (draws, variants) = (&draws, &found.variants[..]);
            let mut of =
                Sample { question, repeats, basis, variants, measure, scores, waves, draws }.inference();
            for_the_method(&mut of, of_folds);
            of
        } else {
            MeasureInference::unknown(measure, variants, Untestable::NoScore)
        };
        found.measures.push(of_measure);
    }
    Ok(())
}

/// What resampling one measure gives, variant by variant.
#[derive(Default)]
struct Resampled {
    draws: Vec<Vec<f64>>,
    scores: Vec<f64>,
    waves: Vec<Waves>,
    of_folds: Vec<Option<Interval>>,
}

/// Whether cases are independent and tested in folds that were drawn at random.
fn has_random_folds(question: &Question<'_>, repeats: &Repeats<'_>) -> bool {
    let units = &repeats.units;
    repeats.have_folds()
        && units.count() == units.case_count()
        && question.parts.iter().all(|part| part.train > 0)
}

/// The interval over folds for the method, which learns from other rows another time: Nadeau & Bengio's
/// correction on what each fold adds to the score.
fn fold_interval(question: &Question<'_>, values: &[f64]) -> Option<Interval> {
    let rows = |of: fn(&TaskTruth) -> usize| question.parts.iter().map(of).sum::<usize>();
    corrected_interval(values, rows(|p| p.train), rows(|p| p.truth.len()), question.settings.level).ok()
}

/// Makes the intervals of a measure those of the method, if all of them have one over folds.
fn for_the_method(of: &mut MeasureInference, of_folds: &[Option<Interval>]) {
    // Whether a fit signals at all changes a utility at once on all cases: over folds its intervals hold the
    // method in 73–85 %.
    let is_utility = |need: &Need| matches!(need, Need::Utility | Need::Uba);
    if of.measure.info().needs.iter().any(is_utility) {
        return;
    }
    let pairs = || of.intervals.iter().zip(of_folds).filter_map(|(drawn, folds)| Some(((*drawn)?, folds)));
    if pairs().next().is_none() || pairs().any(|(_, folds)| folds.is_none()) {
        return;
    }
    of.scope = IntervalScope::Method;
    let bounds = of.measure.bounds();
    for (interval, of_folds) in of.intervals.iter_mut().zip(of_folds) {
        if let (Some(interval), Some(of_folds)) = (interval.as_mut(), of_folds) {
            *interval = within_method(*interval, *of_folds, bounds);
        }
    }
}

/// The interval over folds about the score, where it is the wider; inside the bounds.
fn within_method(drawn: Interval, wide: Interval, bounds: (f64, f64)) -> Interval {
    let (below, above) = (wide.estimate - wide.lower, wide.upper - wide.estimate);
    if below + above <= drawn.upper - drawn.lower {
        return Interval { method: wide.method, ..drawn };
    }
    let moved = Interval {
        estimate: drawn.estimate,
        lower: drawn.estimate - below,
        upper: drawn.estimate + above,
        ..wide
    };
    within_bounds(drawn, moved, bounds)
}

/// Leaves out the draws on which no variant has a score, such as F on a draw without an event: they tell
/// nobody from anybody.
fn leave_out_empty_draws(columns: &mut [Vec<f64>]) {
    let draws = columns.first().map_or(0, Vec::len);
    let told: Vec<bool> = (0..draws).map(|draw| columns.iter().any(|c| !c[draw].is_nan())).collect();
    if told.contains(&false) {
        for column in columns {
            let mut told = told.iter();
            column.retain(|_| told.next() == Some(&true));
        }
    }
}

/// The expected block: Politis and White's on the absolute errors, the median over the variants, and never
/// below the horizon.
fn block_length(question: &Question<'_>, repeats: &Repeats<'_>, variants: usize) -> f64 {
    let lengths: Vec<f64> = (0..variants)
        .filter_map(|v| {
            let errors = repeats.unit_means(|_, repeat| {
                let truth = repeat.scorer.parts().iter().flat_map(Part::truth);
                let predicted = repeat.predicted[v].iter().copied().flatten();
                truth.zip(predicted).map(|(y, z)| (z - y).abs()).collect()
            });
            automatic_block_length(&errors).ok()
        })
        .collect();
    let least = label_span(question) as f64;
    // A block beyond a third of the period leaves too few to draw from.
    median(&lengths).unwrap_or(least).max(least).min((repeats.units.count() as f64 / 3.0).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: f64 = f64::NAN;

    #[test]
    fn draws_without_any_score_are_left_out_for_all() {
        // On the second draw there was no event, on the fourth the second model was silent by a measure that
        // then has no value.
        let mut columns = vec![vec![1.0, NAN, 3.0, 4.0], vec![5.0, NAN, 7.0, NAN]];
        leave_out_empty_draws(&mut columns);
        assert_eq!(columns[0], [1.0, 3.0, 4.0]);
        assert_eq!(columns[1][..2], [5.0, 7.0]);
        assert!(columns[1].len() == 3 && columns[1][2].is_nan());
    }
}
