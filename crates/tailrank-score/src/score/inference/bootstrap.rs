//! The bootstrap of a task: intervals, P(best), ranks, confidence sets, and the best reference, from one set of resamples.

use tailrank_metrics::{
    Better, Measure,
    registry::Need,
    scoring::{Part, Statistic},
};
use tailrank_stats::{
    COSINES, Draws, Resamples, Rescaling, SetStatistic, Studentise, SuperiorityTest, Waves,
    automatic_block_length, best_shares, confidence_set_in_series, confidence_set_of_scores, error_of_waves,
    group_best_shares, long_run_waves, percentile_interval, rank_intervals,
};

use super::{
    AgainstReference, Caution, FEW_CASES, FEW_HITS, FEWEST_EVENTS, MeasureInference, Question, Repeats,
    TaskInference, candidates, in_task, spread, too_few_events, why,
};
use crate::{Result, score::VariantId, text::median};

/// Variants whose terms are held at once.
const TOGETHER: usize = 64;

/// Fills in everything that resampled scores tell.
pub(super) fn intervals(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &mut TaskInference,
) -> Result<()> {
    let rows = repeats.rows();
    found.block = match question.settings.block {
        Some(block) => block,
        None if question.horizon.is_some() => block_length(question, repeats, found.variants.len()),
        None => 1.0,
    };
    let (seed, draws) = (question.seed ^ (question.task.0 as u64) << 32, question.settings.resamples);
    let drawn = if question.horizon.is_some() || question.settings.block.is_some() {
        Resamples::stationary(rows, found.block, draws, seed)
    } else if let Some(single) = repeats.single() {
        let folds = single.scorer.parts().iter().enumerate().flat_map(|(i, part)| vec![i; part.rows().len()]);
        Resamples::grouped(&folds.collect::<Vec<usize>>(), draws, seed)
    } else {
        Resamples::cases(rows, draws, seed)
    };
    let resamples = match drawn {
        Ok(resamples) => resamples,
        Err(e) => {
            found.reason = Some(why(&e));
            return Ok(());
        }
    };
    let measures: Vec<Measure> =
        question.scores.measures.iter().copied().filter(|&m| Statistic::from(m).has_terms()).collect();
    let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
    // One column per variant, for each measure.
    let variants = found.variants.len();
    let mut resampled: Vec<Vec<Vec<f64>>> = vec![Vec::with_capacity(variants); measures.len()];
    let mut scores: Vec<Vec<f64>> = vec![Vec::with_capacity(variants); measures.len()];
    let mut waves: Vec<Vec<Waves>> = vec![Vec::with_capacity(variants); measures.len()];
    let together = (TOGETHER / repeats.iter().len()).max(1);
    for first in (0..variants).step_by(together) {
        let group = first..(first + together).min(variants);
        let terms = repeats.terms(group.clone(), &statistics).map_err(|e| in_task(question, e))?;
        let columns = terms.columns();
        let Ok(sums) = resamples.sums(&columns) else { continue };
        let whole: Vec<f64> = columns.iter().map(|c| c.iter().sum()).collect();
        let drawn: Vec<&[f64]> = sums.iter().collect();
        for v in 0..group.len() {
            for (m, column) in terms.resampled(v, &drawn).into_iter().enumerate() {
                resampled[m].push(column);
                scores[m].push(terms.score(v, m, &whole));
            }
        }
        // In series the blocks are too short for slow waves of volatility; cosines see them.
        let group_waves = if question.horizon.is_some() {
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
        for (m, waves) in waves.iter_mut().enumerate() {
            let unknown = [f64::NAN; COSINES];
            let of_group = |v: usize| group_waves.as_ref().map_or(unknown, |w| w[m * group.len() + v]);
            waves.extend((0..group.len()).map(of_group));
        }
    }
    let few_events =
        Some(question.scores.events).filter(|&events| repeats.know_events() && events < FEWEST_EVENTS);
    for (((measure, scores), waves), mut columns) in
        measures.into_iter().zip(scores).zip(waves).zip(resampled)
    {
        leave_out_empty_draws(&mut columns);
        let of_measure = if let Some(events) =
            few_events.filter(|_| measure.info().needs.contains(&Need::EventThreshold))
        {
            MeasureInference::unknown(measure, variants, too_few_events(events))
        } else if let Ok(draws) = Draws::from_columns(&columns) {
            of_measure(question, &found.variants, measure, (&scores, &waves), &draws)
        } else {
            let reason = format!("{} has no value for any model here", measure.info().symbol);
            MeasureInference::unknown(measure, variants, reason)
        };
        found.measures.push(of_measure);
    }
    Ok(())
}

/// Leaves out the draws on which no variant has a score, such as F on a draw without an event: they tell nobody from anybody.
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

/// Some columns on the draws where all of them are defined; none where these are fewer than half.
fn defined_together(draws: &Draws, places: &[usize]) -> Option<Draws> {
    let columns: Vec<&[f64]> = places.iter().map(|&p| draws.column(p)).collect();
    let is_whole = |&draw: &usize| columns.iter().all(|c| c[draw].is_finite());
    let whole: Vec<usize> = (0..draws.draws()).filter(is_whole).collect();
    let own: Vec<Vec<f64>> = columns.iter().map(|c| whole.iter().map(|&draw| c[draw]).collect()).collect();
    Draws::from_columns(&own).ok().filter(|_| 2 * whole.len() >= draws.draws())
}

/// The expected block: Politis and White's on the absolute errors, the median over the variants, and never below the horizon.
fn block_length(question: &Question<'_>, repeats: &Repeats<'_>, variants: usize) -> f64 {
    let lengths: Vec<f64> = (0..variants)
        .filter_map(|v| {
            let errors = repeats.row_means(|_, repeat| {
                let truth = repeat.scorer.parts().iter().flat_map(Part::truth);
                let predicted = repeat.predicted[v].iter().copied().flatten();
                truth.zip(predicted).map(|(y, z)| (z - y).abs()).collect()
            });
            Some(automatic_block_length(&errors).ok()?.stationary)
        })
        .collect();
    let least = question.horizon.unwrap_or(1) as f64;
    // A block beyond a third of the period leaves too few to draw from.
    median(&lengths).unwrap_or(least).max(least).min((repeats.rows() as f64 / 3.0).max(1.0))
}

fn of_measure(
    question: &Question<'_>,
    variants: &[VariantId],
    measure: Measure,
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
) -> MeasureInference {
    let (settings, better) = (question.settings, measure.better());
    let places = candidates(question.scores, variants);
    let rescaling = Rescaling::new(settings.level).ok();
    let intervals = scores
        .iter()
        .zip(waves)
        .zip(draws.iter())
        .map(|((&score, waves), column)| {
            let drawn = percentile_interval(score, column, settings.level).ok()?;
            let mut wide = rescaling.map_or(drawn, |r| r.interval(drawn, error_of_waves(waves)));
            // Stretching knows no bounds: what is never negative stays so.
            if drawn.lower >= 0.0 && column.iter().all(|draw| *draw >= 0.0) {
                wide.lower = wide.lower.max(0.0);
            }
            Some(wide)
        })
        .collect();
    let mut found = MeasureInference {
        measure,
        intervals,
        best_shares: vec![0.0; variants.len()],
        ranks: vec![None; variants.len()],
        families: Vec::new(),
        set_p: vec![None; variants.len()],
        set_reason: None,
        luck: None,
        luck_reason: None,
        direction: None,
        cautions: cautions(question, variants, measure),
        against_reference: None,
    };
    let own: Vec<Vec<f64>> = places.iter().map(|&p| draws.column(p).to_vec()).collect();
    let Ok(own) = Draws::from_columns(&own) else { return found };
    // One candidate is the best of one on every resample, which says nothing.
    if places.len() > 1 {
        let shares = best_shares(&own, better);
        found.families = families(question, variants, &places, &shares);
        for (&place, share) in places.iter().zip(shares) {
            found.best_shares[place] = share;
        }
        if let Ok(ranks) = rank_intervals(&own, better, settings.level) {
            found.ranks = spread(variants.len(), &places, ranks);
        }
    }
    // Who has no score is not level with anybody.
    let scored: Vec<usize> = places.iter().copied().filter(|&p| scores[p].is_finite()).collect();
    match confidence_set(question, &scored, (scores, waves), draws, (rescaling, better)) {
        Ok(p_values) => found.set_p = spread(variants.len(), &scored, p_values),
        Err(reason) => found.set_reason = Some(reason),
    }
    found.against_reference = against_reference(question, variants, &scored, (scores, waves), draws, better);
    found
}

/// p of each of `places` in the confidence set, or why there is none.
fn confidence_set(
    question: &Question<'_>,
    places: &[usize],
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
    (rescaling, better): (Option<Rescaling>, Better),
) -> std::result::Result<Vec<f64>, String> {
    if places.is_empty() {
        return Err("no model has a score".to_owned());
    }
    let own_scores: Vec<f64> = places.iter().map(|&p| scores[p]).collect();
    let Some(own) = defined_together(draws, places) else {
        return Err("on most resamples some model has no score".to_owned());
    };
    let set = match rescaling.filter(|_| question.horizon.is_some()) {
        // Blocks too short for slow waves would drop good models: of twenty equal ones by MAD one or more in 6 worlds of 10.
        Some(rescaling) => {
            let waves: Vec<Waves> = places.iter().map(|&p| waves[p]).collect();
            confidence_set_in_series(&own_scores, &own, &waves, &rescaling, better)
        }
        None => confidence_set_of_scores(&own_scores, &own, better, SetStatistic::Max),
    };
    set.map(|set| set.p_values).map_err(|e| why(&e))
}

/// What makes the interval of each variant less sure than its level says.
fn cautions(question: &Question<'_>, variants: &[VariantId], measure: Measure) -> Vec<Option<Caution>> {
    let cases = question.scores.cases;
    let counts_hits = measure.info().needs.contains(&Need::EventThreshold);
    let short = question.horizon.is_some() && cases < FEW_CASES;
    variants
        .iter()
        .map(|&v| {
            let counts = question.scores.counts[v].filter(|c| counts_hits && c.signals > 0);
            let hits = counts.map(|c| c.hits / question.scores.repeats.max(1));
            match hits.filter(|&hits| hits < FEW_HITS) {
                Some(hits) => Some(Caution::FewHits(hits)),
                None => short.then_some(Caution::FewCases(cases)),
            }
        })
        .collect()
}

/// P(best) of each family, the surest first.
fn families(
    question: &Question<'_>,
    variants: &[VariantId],
    places: &[usize],
    shares: &[f64],
) -> Vec<(String, f64)> {
    let mut names: Vec<&str> = Vec::new();
    let groups: Vec<usize> = places
        .iter()
        .map(|&place| {
            let group = question.names.variants[variants[place]].group.as_str();
            names.iter().position(|n| *n == group).unwrap_or_else(|| {
                names.push(group);
                names.len() - 1
            })
        })
        .collect();
    let sums = group_best_shares(shares, &groups).unwrap_or_default();
    let mut all: Vec<(String, f64)> = names.into_iter().map(str::to_owned).zip(sums).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// The candidates against the best of the references.
fn against_reference(
    question: &Question<'_>,
    variants: &[VariantId],
    places: &[usize],
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
    better: Better,
) -> Option<AgainstReference> {
    let sign = if better == Better::Higher { 1.0 } else { -1.0 };
    let reference = (0..variants.len())
        .filter(|&i| question.scores.references[variants[i]] && scores[i].is_finite())
        .max_by(|&a, &b| (sign * scores[a]).total_cmp(&(sign * scores[b])))?;
    let gains: Vec<f64> = places.iter().map(|&p| sign * (scores[p] - scores[reference])).collect();
    let all = [places, &[reference]].concat();
    let draws = defined_together(draws, &all)?;
    let base = draws.column(places.len());
    let rescaling = Rescaling::new(question.settings.level).ok();
    let columns: Vec<Vec<f64>> = places
        .iter()
        .zip(&gains)
        .zip(draws.iter())
        .map(|((&p, &gain), own)| {
            let mut column: Vec<f64> = own.iter().zip(base).map(|(a, b)| sign * (a - b)).collect();
            // Blocks too short for slow waves make the test too bold: the gain errs as its waves do.
            let difference: Waves = std::array::from_fn(|j| waves[p][j] - waves[reference][j]);
            if let Some(rescaling) = rescaling {
                rescaling.stretch(gain, &mut column, error_of_waves(&difference));
            }
            column
        })
        .collect();
    let gained = Draws::from_columns(&columns).ok()?;
    let cases = question.scores.cases;
    let test = SuperiorityTest::from_gains(&gains, &gained, cases, Studentise::Yes).ok()?;
    // Hansen's statistic is never below 0, and neither are its draws: where no candidate gains anything, there is nothing to test.
    let p = if gains.iter().all(|&g| g <= 0.0) { 1.0 } else { test.spa().p_consistent };
    // As many draws tell no smaller p than this one, however far ahead a candidate is.
    let p = p.max(1.0 / (draws.draws() + 1) as f64);
    Some(AgainstReference { reference: variants[reference], score: scores[reference], p })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: f64 = f64::NAN;

    #[test]
    fn draws_without_any_score_are_left_out_for_all() {
        // On the second draw there was no event, on the fourth the second model was silent by a measure that then has no value.
        let mut columns = vec![vec![1.0, NAN, 3.0, 4.0], vec![5.0, NAN, 7.0, NAN]];
        leave_out_empty_draws(&mut columns);
        assert_eq!(columns[0], [1.0, 3.0, 4.0]);
        assert_eq!(columns[1][..2], [5.0, 7.0]);
        assert!(columns[1].len() == 3 && columns[1][2].is_nan());
        let draws = Draws::from_columns(&columns).unwrap();
        let together = defined_together(&draws, &[1, 0]).unwrap();
        assert_eq!((together.column(0), together.column(1)), (&[5.0, 7.0][..], &[1.0, 3.0][..]));
    }

    #[test]
    fn models_that_are_mostly_undefined_are_not_compared() {
        let draws = |second: [f64; 4]| Draws::from_columns(&[vec![1.0; 4], second.to_vec()]).unwrap();
        assert!(defined_together(&draws([1.0, NAN, NAN, 2.0]), &[0, 1]).is_some());
        assert_eq!(defined_together(&draws([1.0, NAN, NAN, NAN]), &[0, 1]), None);
        // Who is not asked about is not in the way.
        assert!(defined_together(&draws([NAN; 4]), &[0]).is_some());
    }
}
