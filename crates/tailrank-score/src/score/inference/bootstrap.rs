//! The bootstrap of a task: intervals, P(best), ranks, confidence sets, and the best reference, from one set of resamples.

use tailrank_metrics::{
    Better, Measure,
    registry::Need,
    scoring::{Part, Statistic},
};
use tailrank_stats::{
    COSINES, Dependence, Draws, Interval, Recentring, Resamples, Rescaling, SetStatistic, StatsError,
    Studentise, SuperiorityTest, Units, Waves, automatic_block_length, best_shares, confidence_set_in_series,
    confidence_set_of_scores, error_of_waves, group_best_shares, long_run_waves, percentile_interval,
    rank_intervals,
};

use super::{
    Caution, FEW_CASES, FEW_HITS, FEWEST_EVENTS, MeasureInference, Question, Repeats, TaskInference,
    Untestable, candidates, design::label_span, in_task, spread,
};
use crate::{
    Result,
    score::{TaskScores, VariantId},
    text::median,
};

/// Variants whose terms are held at once.
const TOGETHER: usize = 64;

/// Fills in everything that resampled scores tell.
pub(super) fn intervals(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &mut TaskInference,
) -> Result<()> {
    let units = repeats.units();
    found.block = match question.settings.block {
        _ if !repeats.in_time() => 1.0,
        Some(block) => block,
        None => block_length(question, repeats, found.variants.len()),
    };
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
        let group_waves = if repeats.in_time() {
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
            MeasureInference::unknown(measure, variants, Untestable::FewEvents(events))
        } else if let Ok(draws) = Draws::from_columns(&columns) {
            of_measure(question, repeats.units(), &found.variants, measure, (&scores, &waves), &draws)
        } else {
            MeasureInference::unknown(measure, variants, Untestable::NoScore)
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
            let errors = repeats.unit_means(|_, repeat| {
                let truth = repeat.scorer.parts().iter().flat_map(Part::truth);
                let predicted = repeat.predicted[v].iter().copied().flatten();
                truth.zip(predicted).map(|(y, z)| (z - y).abs()).collect()
            });
            Some(automatic_block_length(&errors).ok()?.stationary)
        })
        .collect();
    let least = label_span(question) as f64;
    // A block beyond a third of the period leaves too few to draw from.
    median(&lengths).unwrap_or(least).max(least).min((repeats.units().count() as f64 / 3.0).max(1.0))
}

fn of_measure(
    question: &Question<'_>,
    units: &Units,
    variants: &[VariantId],
    measure: Measure,
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
) -> MeasureInference {
    let (settings, better) = (question.settings, measure.better());
    let places = candidates(question.scores, variants);
    let rescaling = Rescaling::new(settings.level).ok();
    let intervals = (0..variants.len())
        .map(|v| {
            if rests_on_no_hit(question.scores, variants[v], measure) {
                return None;
            }
            let drawn = percentile_interval(scores[v], draws.column(v), settings.level).ok()?;
            let wide = rescaling.map_or(drawn, |r| r.interval(drawn, error_of_waves(&waves[v])));
            Some(within_bounds(drawn, wide, measure.bounds()))
        })
        .collect();
    let mut found = MeasureInference {
        measure,
        scores: scores.to_vec(),
        intervals,
        best_shares: vec![0.0; variants.len()],
        ranks: vec![None; variants.len()],
        families: Vec::new(),
        set_p: vec![None; variants.len()],
        set_reason: None,
        chance: None,
        chance_reason: None,
        direction: None,
        cautions: cautions(question, units, variants, measure),
        p_baselines: vec![None; variants.len()],
    };
    // One variant is the best of one on every resample, which says nothing.
    if variants.len() > 1 {
        found.best_shares = best_shares(draws, better);
        found.families = families(question, variants, &found.best_shares);
    }
    let own: Vec<Vec<f64>> = places.iter().map(|&p| draws.column(p).to_vec()).collect();
    if let (true, Ok(own)) = (places.len() > 1, Draws::from_columns(&own)) {
        let ranks = rank_intervals(&own, better, settings.level).unwrap_or_default();
        found.ranks = spread(variants.len(), &places, ranks);
    }
    // Who has no score is tied with nobody.
    let scored: Vec<usize> = (0..variants.len()).filter(|&p| scores[p].is_finite()).collect();
    let in_time = units.dependence() == Dependence::Time;
    let of_set = (rescaling.filter(|_| in_time), better);
    match confidence_set(&scored, (scores, waves), draws, of_set) {
        Ok(p_values) => found.set_p = spread(variants.len(), &scored, p_values),
        Err(reason) => found.set_reason = Some(reason),
    }
    let scored: Vec<usize> = places.into_iter().filter(|&p| scores[p].is_finite()).collect();
    // Cosines behind a standard error in time; elsewhere as many values as there are units.
    let df = if in_time { COSINES } else { units.count() - 1 } as f64;
    found.p_baselines = p_baselines(question, variants, &scored, (scores, waves), draws, (better, df));
    found
}

/// p of each of `places` in the confidence set, or why there is none.
fn confidence_set(
    places: &[usize],
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
    (rescaling, better): (Option<Rescaling>, Better),
) -> std::result::Result<Vec<f64>, Untestable> {
    if places.is_empty() {
        return Err(Untestable::NoScore);
    }
    if places.len() < 2 {
        return Err(Untestable::NothingToCompare);
    }
    let own_scores: Vec<f64> = places.iter().map(|&p| scores[p]).collect();
    let Some(own) = defined_together(draws, places) else {
        return Err(Untestable::MostlyUndefined);
    };
    let set = match rescaling {
        // Blocks too short for slow waves would drop good models: of twenty equal ones by MAD one or more in 6 worlds of 10.
        Some(rescaling) => {
            let waves: Vec<Waves> = places.iter().map(|&p| waves[p]).collect();
            confidence_set_in_series(&own_scores, &own, &waves, &rescaling, better)
        }
        None => confidence_set_of_scores(&own_scores, &own, better, SetStatistic::Max),
    };
    set.map(|set| set.p_values).map_err(|e| Untestable::from(&e))
}

/// What makes the interval of each variant less sure than its level says.
fn cautions(
    question: &Question<'_>,
    units: &Units,
    variants: &[VariantId],
    measure: Measure,
) -> Vec<Option<Caution>> {
    let cases = units.count();
    let counts_hits = measure.info().needs.contains(&Need::EventThreshold);
    let short = units.dependence() == Dependence::Time && cases < FEW_CASES;
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
fn families(question: &Question<'_>, variants: &[VariantId], shares: &[f64]) -> Vec<(String, f64)> {
    let mut names: Vec<&str> = Vec::new();
    let groups: Vec<usize> = variants
        .iter()
        .map(|&v| {
            let group = question.names.variants[v].group.as_str();
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

/// Whether a score that rewards hits rests on none: what is left of it are near misses, and resamples of these say nothing.
fn rests_on_no_hit(scores: &TaskScores, variant: VariantId, measure: Measure) -> bool {
    let rewards_hits =
        measure.info().needs.contains(&Need::EventThreshold) && measure.better() == Better::Higher;
    rewards_hits && scores.counts[variant].is_some_and(|c| c.hits == 0)
}

/// An interval that was widened about its estimate, widened by the same factors on a scale on which the bounds are infinitely far:
/// the logit between two bounds, the logarithm above one.
fn within_bounds(drawn: Interval, wide: Interval, (least, most): (f64, f64)) -> Interval {
    let to_scale = |x: f64| {
        let below = if least.is_finite() { (x - least).ln() } else { 0.0 };
        let above = if most.is_finite() { (most - x).ln() } else { 0.0 };
        below - above
    };
    let from_scale = |s: f64| match (least.is_finite(), most.is_finite()) {
        (true, true) => least + (most - least) / (1.0 + (-s).exp()),
        (true, false) => least + s.exp(),
        (false, true) => most - (-s).exp(),
        (false, false) => s,
    };
    let estimate = drawn.estimate;
    let end = |drawn: f64, wide: f64| {
        let factor = (wide - estimate) / (drawn - estimate);
        let centre = to_scale(estimate);
        let moved = from_scale(centre + factor * (to_scale(drawn) - centre));
        let is_bounded = least.is_finite() || most.is_finite();
        // At a bound the scale has no value; there the ends of the draws stand.
        if wide == drawn || !is_bounded || !moved.is_finite() { wide.clamp(least, most) } else { moved }
    };
    Interval { lower: end(drawn.lower, wide.lower), upper: end(drawn.upper, wide.upper), ..wide }
}

/// Of each of `places` its own step-down adjusted p (Romano & Wolf) that it is no better than a baseline, the largest over the
/// baselines; all models are one family of tests for each baseline.
fn p_baselines(
    question: &Question<'_>,
    variants: &[VariantId],
    places: &[usize],
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
    (better, df): (Better, f64),
) -> Vec<Option<f64>> {
    let baselines: Vec<usize> = (0..variants.len())
        .filter(|&i| question.scores.references[variants[i]] && scores[i].is_finite())
        .collect();
    // A model without a score on many draws would take these draws from all.
    let is_defined = |p: &&usize| {
        let undefined = draws.column(**p).iter().filter(|v| !v.is_finite()).count();
        10 * undefined <= draws.draws()
    };
    let tested: Vec<usize> = places.iter().filter(is_defined).copied().collect();
    let mut largest = vec![None; variants.len()];
    if baselines.is_empty() {
        return largest;
    }
    tested.iter().for_each(|&p| largest[p] = Some(0.0));
    for &baseline in &baselines {
        let gains = gains(question, &tested, baseline, (scores, waves), draws, better);
        let p_values = gains.and_then(|(gains, drawn)| step_down(&gains, &drawn, question.scores.cases, df));
        for (i, &p) in tested.iter().enumerate() {
            let own = p_values.as_ref().map(|p_values| p_values[i]);
            largest[p] = largest[p].zip(own).map(|(a, b): (f64, f64)| a.max(b));
        }
    }
    largest
}

/// Adjusted p of each gain; none where they cannot be tested.
fn step_down(gains: &[f64], drawn: &Draws, cases: usize, df: f64) -> Option<Vec<f64>> {
    match SuperiorityTest::from_gains(gains, drawn, cases, Studentise::Yes) {
        Ok(test) => test.adjusted_p_values_with_tail(Recentring::Upper, df).ok(),
        // Gains that are the same on every draw are certain.
        Err(StatsError::Constant { .. }) => {
            let least = 1.0 / (drawn.draws() + 1) as f64;
            Some(gains.iter().map(|&g| if g > 0.0 { least } else { 1.0 }).collect())
        }
        Err(_) => None,
    }
}

/// Gains of some models over a baseline, and their values on the draws on which all have one.
fn gains(
    question: &Question<'_>,
    places: &[usize],
    baseline: usize,
    (scores, waves): (&[f64], &[Waves]),
    draws: &Draws,
    better: Better,
) -> Option<(Vec<f64>, Draws)> {
    let sign = if better == Better::Higher { 1.0 } else { -1.0 };
    let gains: Vec<f64> = places.iter().map(|&p| sign * (scores[p] - scores[baseline])).collect();
    let draws = defined_together(draws, &[places, &[baseline]].concat())?;
    let base = draws.column(places.len());
    let rescaling = Rescaling::new(question.settings.level).ok();
    let columns: Vec<Vec<f64>> = places
        .iter()
        .zip(&gains)
        .zip(draws.iter())
        .map(|((&p, &gain), own)| {
            let mut column: Vec<f64> = own.iter().zip(base).map(|(a, b)| sign * (a - b)).collect();
            // Blocks too short for slow waves make the test too bold: the gain errs as its waves do.
            let difference: Waves = std::array::from_fn(|j| waves[p][j] - waves[baseline][j]);
            if let Some(rescaling) = rescaling {
                rescaling.stretch(gain, &mut column, error_of_waves(&difference));
            }
            column
        })
        .collect();
    Some((gains, Draws::from_columns(&columns).ok()?))
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

    /// Widening keeps an interval inside its bounds, and away from them is that about the estimate.
    #[test]
    fn widened_intervals_stay_inside_their_bounds() {
        let interval = |lower: f64, estimate: f64, upper: f64, by: f64| {
            let drawn = Interval {
                estimate,
                lower,
                upper,
                standard_error: 0.1,
                level: 0.95,
                method: "percentile",
                defined: 100,
                draws: 100,
            };
            let moved = |end: f64| estimate + by * (end - estimate);
            let wide = Interval { lower: moved(lower), upper: moved(upper), ..drawn };
            move |bounds: (f64, f64)| {
                let found = within_bounds(drawn, wide, bounds);
                (found.lower, found.upper)
            }
        };
        const SHARE: (f64, f64) = (0.0, 1.0);
        const LOSS: (f64, f64) = (0.0, f64::INFINITY);
        const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        let small = interval(0.02, 0.05, 0.2, 4.0);
        assert_eq!(small(ANY), (0.05 + 4.0 * (0.02 - 0.05), 0.05 + 4.0 * (0.2 - 0.05)));
        for bounds in [SHARE, LOSS] {
            let (lower, upper) = small(bounds);
            assert!(0.0 < lower && lower < 0.02 && upper > 0.2, "{lower} {upper}");
        }
        assert!(small(SHARE).1 < 1.0);
        // On the logit: ln(0.02/0.98) is 0.947 from ln(0.05/0.95), four times as far is 0.001188.
        assert!((small(SHARE).0 - 0.001_188).abs() < 1e-6, "{}", small(SHARE).0);
        // Far from the bounds both scales agree, and nothing moves what was not widened.
        let (lower, upper) = interval(0.499, 0.5, 0.501, 2.0)(SHARE);
        assert!((lower - 0.498).abs() < 1e-7 && (upper - 0.502).abs() < 1e-7);
        assert_eq!(interval(0.02, 0.05, 0.2, 1.0)(SHARE), (0.02, 0.2));
        // An end at its bound stays there.
        assert_eq!(interval(0.0, 0.05, 0.2, 2.0)(SHARE).0, 0.0);
        assert_eq!(interval(0.8, 1.0, 1.0, 2.0)(SHARE).1, 1.0);
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
