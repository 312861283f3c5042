//! What the draws of one measure tell of the variants of a task: intervals, P(best), ranks, the confidence
//! set and the best baseline.

use indexmap::IndexSet;
use tailrank_metrics::{Better, Measure, registry::Need};
use tailrank_stats::{
    COSINES, Draws, Interval, Rescaling, SLOWEST, SequentialDraws, StatsError, Units, Waves,
    accelerated_interval, best_shares, cautious_error, confidence_set_in_series, confidence_set_of_scores,
    group_best_shares, rank_intervals, sign_flip_bound, student_draws, student_upper, superiority_p_values,
};

use super::{
    Caution, FEW_CASES, FEW_EVENTS, FEW_HITS, FEW_UNITS, FEWEST_BLOCKS, FEWEST_HITS, MeasureInference,
    Question, Repeats, Untestable, candidates, repeats::FOLDS, spread,
};
use crate::score::{TaskScores, VariantId};

/// What errors of scores rest on.
#[derive(Clone, Copy)]
pub(super) struct Basis {
    /// Units that are drawn.
    units: usize,
    /// Cases of the test, which the units gather.
    cases: usize,
    /// Degrees of freedom of their mean.
    df: f64,
    /// Blocks in the period, where units depend on time.
    blocks: Option<usize>,
    /// Whether rows that one fold tests are learned from in others.
    folds: bool,
}

impl Basis {
    fn in_time(self) -> bool {
        self.blocks.is_some()
    }

    pub(super) fn new(repeats: &Repeats<'_>, blocks: Option<usize>) -> Self {
        let units = &repeats.units;
        let df = if blocks.is_some() { COSINES as f64 } else { units_df(units) };
        let cases = units.case_count();
        Self { units: units.count(), cases, df, blocks, folds: repeats.have_folds() }
    }

    /// A bootstrap divides by n, not by n − 1.
    fn small_sample(self) -> f64 {
        (1.0 + 1.0 / self.df).sqrt()
    }

    /// By how much a difference of scores varies more than its draws; in time that is told by slow waves.
    fn spread_factor(self) -> f64 {
        match (self.in_time(), self.folds) {
            (true, _) => 1.0,
            (false, true) => FOLDS * self.small_sample(),
            (false, false) => self.small_sample(),
        }
    }

    /// Why differences of means cannot be tested, if so.
    fn untestable(self) -> Option<Untestable> {
        self.blocks.filter(|&blocks| blocks < FEWEST_BLOCKS).map(Untestable::FewBlocks)
    }
}

/// Degrees of freedom of a mean over independent units. Of groups half the number of equal ones that tell as
/// much: a few of them weigh most, as in Bell & McCaffrey's (2002) correction.
fn units_df(units: &Units) -> f64 {
    let sizes = units.sums(&vec![1.0; units.case_count()]);
    let (sum, squares) = sizes.iter().fold((0.0, 0.0), |(sum, squares), n| (sum + n, squares + n * n));
    let equal = sum * sum / squares;
    if units.count() == units.case_count() { equal - 1.0 } else { (0.5 * equal).max(1.0) }
}

/// The scores of all variants by one measure, with their draws and what errors rest on.
pub(super) struct Sample<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) repeats: &'a Repeats<'a>,
    pub(super) basis: Basis,
    pub(super) variants: &'a [VariantId],
    pub(super) measure: Measure,
    pub(super) scores: &'a [f64],
    pub(super) waves: &'a [Waves],
    pub(super) draws: &'a Draws,
}

impl Sample<'_> {
    pub(super) fn inference(&self) -> MeasureInference {
        let Self { question, basis, variants, measure, scores, draws, .. } = *self;
        let (level, better) = (question.settings.level, measure.better());
        let candidates = candidates(question.scores, variants);
        let mut found = MeasureInference {
            scores: scores.to_vec(),
            intervals: self.intervals(),
            set_reason: basis.untestable(),
            chance_reason: None,
            cautions: self.cautions(),
            ..MeasureInference::unknown(measure, variants.len(), Untestable::NoScore)
        };
        // One variant is the best of one on every resample, which says nothing.
        if variants.len() > 1 {
            found.best_shares = best_shares(draws, better);
            found.families = families(question, variants, &found.best_shares);
        }
        let own: Vec<Vec<f64>> = candidates.iter().map(|&p| draws.column(p).to_vec()).collect();
        if let (true, Ok(own)) = (candidates.len() > 1, Draws::from_columns(&own)) {
            let ranks = rank_intervals(&own, better, level).unwrap_or_default();
            found.ranks = spread(variants.len(), &candidates, ranks);
        }
        if found.set_reason.is_some() {
            return found;
        }
        // Who has no score is tied with nobody.
        let is_scored = |p: &usize| scores[*p].is_finite();
        let scored: Vec<usize> = (0..variants.len()).filter(is_scored).collect();
        match self.confidence_set(&scored) {
            Ok(p_values) => found.set_p = spread(variants.len(), &scored, p_values),
            Err(reason) => found.set_reason = Some(reason),
        }
        found.p_baselines = self.p_baselines(&candidates.into_iter().filter(is_scored).collect::<Vec<_>>());
        found
    }

    fn rescaling(&self, df: f64) -> Option<Rescaling> {
        Rescaling::with_df(self.question.settings.level, df).ok()
    }

    fn intervals(&self) -> Vec<Option<Interval>> {
        let Self { question, basis, variants, measure, .. } = *self;
        let (rescaling, slowest) = (self.rescaling(basis.df), self.rescaling(SLOWEST as f64));
        let of_variant = |v: usize| {
            // What is left of a score that rewards hits and has none are near misses: resamples of these say
            // nothing.
            if has_fewer_hits(question.scores, variants[v], measure, 1) {
                return None;
            }
            let drawn =
                accelerated_interval(self.scores[v], self.draws.column(v), question.settings.level).ok()?;
            let (error, df) = if basis.in_time() {
                cautious_error(&self.waves[v])
            } else {
                (drawn.standard_error * basis.small_sample(), basis.df)
            };
            let rescaling = if df < basis.df { slowest } else { rescaling };
            let wide = rescaling.map_or(drawn, |r| r.interval(drawn, error));
            Some(within_bounds(drawn, wide, measure.bounds()))
        };
        (0..variants.len()).map(of_variant).collect()
    }

    /// p of each of `places` in the confidence set, or why there is none.
    fn confidence_set(&self, places: &[usize]) -> std::result::Result<Vec<f64>, Untestable> {
        if places.is_empty() {
            return Err(Untestable::NoScore);
        }
        if places.len() < 2 {
            return Err(Untestable::NothingToCompare);
        }
        let scores: Vec<f64> = places.iter().map(|&p| self.scores[p]).collect();
        let own = defined_together(self.draws, places).ok_or(Untestable::MostlyUndefined)?;
        let better = self.measure.better();
        let set = match self.rescaling(self.basis.df).filter(|_| self.basis.in_time()) {
            // Blocks too short for slow waves would drop good models: of twenty equal ones by MAD one or more
            // in 6 worlds of 10.
            Some(rescaling) => {
                let waves: Vec<Waves> = places.iter().map(|&p| self.waves[p]).collect();
                confidence_set_in_series(&scores, &own, &waves, &rescaling, better)
            }
            None => confidence_set_of_scores(&scores, &own, better),
        };
        set.map(|set| set.p_values).map_err(|e| Untestable::from(&e))
    }

    /// What makes the interval of each variant less sure than its level says.
    fn cautions(&self) -> Vec<Option<Caution>> {
        let Self { question, basis, measure, .. } = *self;
        let (count, events) = (basis.units, question.scores.events);
        let needs = |need: Need| measure.info().needs.contains(&need);
        let few = if basis.in_time() { FEW_CASES } else { FEW_UNITS };
        let of_all = match basis.blocks {
            Some(blocks) if blocks < FEWEST_BLOCKS => Some(Caution::FewBlocks(blocks)),
            _ if count >= few => {
                (needs(Need::Relevance) && events < FEW_EVENTS).then_some(Caution::FewEvents(events))
            }
            _ if count == basis.cases => Some(Caution::FewCases(count)),
            Some(_) => Some(Caution::FewDates(count)),
            None => Some(Caution::FewGroups(count)),
        };
        let of_variant = |&v: &VariantId| {
            let counts = question.scores.counts[v].filter(|c| needs(Need::EventThreshold) && c.signals > 0);
            let hits = counts.map(|c| c.hits / question.scores.repeats.max(1));
            hits.filter(|&hits| hits < FEW_HITS).map(Caution::FewHits).or(of_all)
        };
        self.variants.iter().map(of_variant).collect()
    }

    /// Of each of `places` its own step-down adjusted p (Romano & Wolf) that it is no better than a baseline,
    /// the largest over the baselines; all models are one family of tests for each baseline.
    fn p_baselines(&self, places: &[usize]) -> Vec<Option<f64>> {
        let Self { question, variants, draws, .. } = *self;
        let is_baseline = |&p: &usize| question.scores.references[variants[p]] && self.scores[p].is_finite();
        let baselines: Vec<usize> = (0..variants.len()).filter(is_baseline).collect();
        // A model without a score on many draws would take these draws from all.
        let is_defined = |p: &&usize| {
            let undefined = draws.column(**p).iter().filter(|v| !v.is_finite()).count();
            10 * undefined <= draws.draws()
        };
        let has_few_hits = |p: &&usize| {
            let few = FEWEST_HITS * question.scores.repeats.max(1);
            has_fewer_hits(question.scores, variants[**p], self.measure, few)
        };
        let (few, tested): (Vec<usize>, Vec<usize>) =
            places.iter().filter(is_defined).partition(has_few_hits);
        let mut largest = vec![None; variants.len()];
        if baselines.is_empty() {
            return largest;
        }
        // A baseline that never signals has the same score on every draw, and one hit would be a sure gain.
        few.iter().for_each(|&p| largest[p] = Some(1.0));
        tested.iter().for_each(|&p| largest[p] = Some(0.0));
        for &baseline in &baselines {
            let gains = self.gains(&tested, baseline);
            let tail = |i: usize, t: f64| self.tail(tested[i], baseline, t);
            let p_values = gains.and_then(|(gains, drawn)| step_down(&gains, &drawn, self.few(), tail));
            for (i, &p) in tested.iter().enumerate() {
                let own = p_values.as_ref().map(|p_values| p_values[i]);
                largest[p] = largest[p].zip(own).map(|(a, b): (f64, f64)| a.max(b));
            }
        }
        largest
    }

    /// What turns a difference of scores into a gain.
    fn sign(&self) -> f64 {
        if self.measure.better() == Better::Higher { 1.0 } else { -1.0 }
    }

    /// Draws that reach a gain up to which [`tail`](Self::tail) is asked. Draws of skewed losses reach the
    /// gain of a perfect model, too.
    fn few(&self) -> usize {
        if self.basis.in_time() { 0 } else { SequentialDraws::ENOUGH - 1 }
    }

    /// How often a gain over a baseline that few draws reach would come about without skill. In time the
    /// error is that of slow waves; of independent units the signs of what each adds to the gain are flipped.
    fn tail(&self, place: usize, baseline: usize, studentised: f64) -> f64 {
        if self.basis.in_time() {
            return student_upper(studentised, self.basis.df);
        }
        let terms = self.repeats.terms([place, baseline].into_iter(), &[self.measure.into()]);
        let gains = terms.map(|terms| terms.unit_gains()).unwrap_or_default();
        sign_flip_bound(&gains, self.sign() * gains.iter().sum::<f64>() / self.basis.spread_factor())
    }

    /// Gains of some models over a baseline, and their values on the draws on which all have one.
    fn gains(&self, places: &[usize], baseline: usize) -> Option<(Vec<f64>, Draws)> {
        let Self { basis, scores, waves, .. } = *self;
        let sign = self.sign();
        let gains: Vec<f64> = places.iter().map(|&p| sign * (scores[p] - scores[baseline])).collect();
        let draws = defined_together(self.draws, &[places, &[baseline]].concat())?;
        let base = draws.column(places.len());
        let column = |((&p, &gain), own): ((&usize, &f64), &[f64])| {
            let mut column: Vec<f64> = own.iter().zip(base).map(|(a, b)| sign * (a - b)).collect();
            // Blocks too short for slow waves make the test too bold: the gain errs as its waves do.
            let difference: Waves = std::array::from_fn(|j| waves[p][j] - waves[baseline][j]);
            let (error, df) =
                if basis.in_time() { cautious_error(&difference) } else { (f64::NAN, basis.df) };
            student_draws(gain, &mut column, error, df);
            let wider = basis.spread_factor();
            column.iter_mut().for_each(|d| *d = gain + wider * (*d - gain));
            column
        };
        let columns: Vec<Vec<f64>> = places.iter().zip(&gains).zip(draws.iter()).map(column).collect();
        Some((gains, Draws::from_columns(&columns).ok()?))
    }
}

/// P(best) of each family, the surest first.
fn families(question: &Question<'_>, variants: &[VariantId], shares: &[f64]) -> Vec<(String, f64)> {
    let mut names: IndexSet<&str> = IndexSet::new();
    let group = |&v: &VariantId| names.insert_full(question.names.variants[v].group.as_str()).0;
    let groups: Vec<usize> = variants.iter().map(group).collect();
    let sums = group_best_shares(shares, &groups).unwrap_or_default();
    let mut all: Vec<(String, f64)> = names.into_iter().map(str::to_owned).zip(sums).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// Whether a score that rewards hits rests on fewer than so many.
fn has_fewer_hits(scores: &TaskScores, variant: VariantId, measure: Measure, few: usize) -> bool {
    let rewards_hits =
        measure.info().needs.contains(&Need::EventThreshold) && measure.better() == Better::Higher;
    rewards_hits && scores.counts[variant].is_some_and(|c| c.hits < few)
}

/// An interval that was widened about its estimate, widened by the same factors on a scale on which the
/// bounds are infinitely far: the logit between two bounds, the logarithm above one.
pub(super) fn within_bounds(drawn: Interval, wide: Interval, (least, most): (f64, f64)) -> Interval {
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

/// Adjusted p of each gain; none where they cannot be tested.
fn step_down(
    gains: &[f64],
    drawn: &Draws,
    few: usize,
    tail: impl FnMut(usize, f64) -> f64,
) -> Option<Vec<f64>> {
    match superiority_p_values(gains, drawn, few, tail) {
        Ok(p_values) => Some(p_values),
        // Gains that are the same on every draw are certain.
        Err(StatsError::Constant { .. }) => {
            let least = 1.0 / (drawn.draws() + 1) as f64;
            Some(gains.iter().map(|&g| if g > 0.0 { least } else { 1.0 }).collect())
        }
        Err(_) => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: f64 = f64::NAN;

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
    fn models_are_compared_on_the_draws_that_both_have() {
        let columns = [vec![1.0, 3.0, 4.0], vec![5.0, 7.0, NAN]];
        let together = defined_together(&Draws::from_columns(&columns).unwrap(), &[1, 0]).unwrap();
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
