//! The bootstrap of a task: intervals, P(best), ranks, confidence sets, and the best reference, from one set of resamples.

use tailrank_metrics::{
    Better, Measure, Scorer,
    registry::Need,
    scoring::{Statistic, TermTable},
};
use tailrank_stats::{
    COSINES, Draws, Resamples, Rescaling, SetStatistic, Studentise, SuperiorityTest, Waves,
    automatic_block_length, best_shares, confidence_set_in_series, confidence_set_of_scores, error_of_waves,
    group_best_shares, long_run_waves, percentile_interval, rank_intervals,
};

use super::{
    AgainstReference, Caution, FEW_CASES, FEW_HITS, FEWEST_EVENTS, MeasureInference, Question, TaskInference,
    candidates, counted, in_task, spread, too_few_events, why,
};
use crate::{Result, score::VariantId, text::median};

/// Variants whose terms are held at once.
const TOGETHER: usize = 64;

/// Fills in everything that resampled scores tell.
pub(super) fn intervals(
    question: &Question<'_>,
    scorer: &Scorer<'_>,
    predicted: &[Vec<&[f64]>],
    found: &mut TaskInference,
) -> Result<()> {
    let cases = scorer.cases();
    found.block = match question.settings.block {
        Some(block) => block,
        None if question.horizon.is_some() => block_length(question, scorer, predicted),
        None => 1.0,
    };
    let seed = question.seed ^ (question.task.0 as u64) << 32;
    let drawn = if question.horizon.is_some() || question.settings.block.is_some() {
        Resamples::stationary(cases, found.block, question.settings.resamples, seed)
    } else {
        let folds = scorer.parts().iter().enumerate().flat_map(|(i, part)| vec![i; part.rows().len()]);
        Resamples::grouped(&folds.collect::<Vec<usize>>(), question.settings.resamples, seed)
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
    let mut resampled: Vec<Vec<Vec<f64>>> = vec![Vec::with_capacity(predicted.len()); measures.len()];
    let mut scores: Vec<Vec<f64>> = vec![Vec::with_capacity(predicted.len()); measures.len()];
    let mut waves: Vec<Vec<Waves>> = vec![Vec::with_capacity(predicted.len()); measures.len()];
    for group in predicted.chunks(TOGETHER) {
        let table = TermTable::new(scorer, group, &statistics).map_err(|e| in_task(question, e))?;
        let columns: Vec<&[f64]> = table.iter().collect();
        let Ok(sums) = resamples.sums(&columns) else { continue };
        let whole: Vec<f64> = columns.iter().map(|c| c.iter().sum()).collect();
        let drawn: Vec<&[f64]> = sums.iter().collect();
        for v in 0..group.len() {
            for (m, column) in table.finish_resampled(v, &drawn, counted).into_iter().enumerate() {
                resampled[m].push(column);
                scores[m].push(counted(table.finish(v, m, &whole)));
            }
        }
        // In series the blocks are too short for slow waves of volatility; cosines see them.
        let group_waves = if question.horizon.is_some() {
            let places = measures.len() * group.len();
            long_run_waves(&columns, places, |sums, out| {
                for (place, score) in out.iter_mut().enumerate() {
                    *score = counted(table.finish(place % group.len(), place / group.len(), sums));
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
    let few_events = scorer.events().filter(|&events| events < FEWEST_EVENTS);
    for (((measure, scores), waves), columns) in measures.into_iter().zip(scores).zip(waves).zip(resampled) {
        if let Some(events) = few_events.filter(|_| measure.info().needs.contains(&Need::EventThreshold)) {
            let reason = too_few_events(events);
            found.measures.push(MeasureInference::unknown(measure, found.variants.len(), reason));
        } else if let Ok(draws) = Draws::from_columns(&columns) {
            found.measures.push(of_measure(question, &found.variants, measure, (&scores, &waves), &draws));
        }
    }
    Ok(())
}

/// The expected block: Politis and White's on the absolute errors, the median over the variants, and never below the horizon.
fn block_length(question: &Question<'_>, scorer: &Scorer<'_>, predicted: &[Vec<&[f64]>]) -> f64 {
    let truth: Vec<f64> = scorer.parts().iter().flat_map(|p| p.truth().iter().copied()).collect();
    let lengths: Vec<f64> = predicted
        .iter()
        .filter_map(|parts| {
            let errors: Vec<f64> =
                truth.iter().zip(parts.iter().flat_map(|p| p.iter())).map(|(y, z)| (z - y).abs()).collect();
            Some(automatic_block_length(&errors).ok()?.stationary)
        })
        .collect();
    let least = question.horizon.unwrap_or(1) as f64;
    // A block beyond a third of the period leaves too few to draw from.
    median(&lengths).unwrap_or(least).max(least).min((truth.len() as f64 / 3.0).max(1.0))
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
    let own: Vec<Vec<f64>> = places.iter().map(|&p| draws.column(p).to_vec()).collect();
    let own_scores: Vec<f64> = places.iter().map(|&p| scores[p]).collect();
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
    let set = match rescaling.filter(|_| question.horizon.is_some()) {
        // Blocks too short for slow waves would drop good models: of twenty equal ones by MAD one or more in 6 worlds of 10.
        Some(rescaling) => {
            let waves: Vec<Waves> = places.iter().map(|&p| waves[p]).collect();
            confidence_set_in_series(&own_scores, &own, &waves, &rescaling, better)
        }
        None => confidence_set_of_scores(&own_scores, &own, better, SetStatistic::Max),
    };
    match set {
        Ok(set) => found.set_p = spread(variants.len(), &places, set.p_values),
        Err(e) => found.set_reason = Some(why(&e)),
    }
    found.against_reference = against_reference(question, variants, &places, (scores, waves), draws, better);
    found
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
        .filter(|&i| places.binary_search(&i).is_err() && scores[i].is_finite())
        .max_by(|&a, &b| (sign * scores[a]).total_cmp(&(sign * scores[b])))?;
    let gains: Vec<f64> = places.iter().map(|&p| sign * (scores[p] - scores[reference])).collect();
    let base = draws.column(reference);
    let rescaling = Rescaling::new(question.settings.level).ok();
    let columns: Vec<Vec<f64>> = places
        .iter()
        .zip(&gains)
        .map(|(&p, &gain)| {
            let mut column: Vec<f64> =
                draws.column(p).iter().zip(base).map(|(a, b)| sign * (a - b)).collect();
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
