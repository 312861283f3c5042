//! Scoring of predictions against the true values of one part or several.

use std::sync::OnceLock;

use super::{
    formula::{Formula, Statistic},
    groups,
    part::Part,
    settings::Settings,
};
use crate::{
    error::{MetricError, Result, check_finite, check_lengths, check_setting},
    lanes::lane_sums,
    pr_curve::{TruthOrder, area_below},
    precision_recall::EventCounts,
    registry::{Measure, OwnMeasure},
    score::{Score, Undefined},
    term::{Group, Sums, Term},
    trading::TradingRecord,
};

/// Scores vectors of predictions for one task. See the [module](super) for an example.
///
/// The truth may come in several parts, such as the folds of a cross-validation, each with settings fitted
/// for it ([`Scorer::pooled`]). All cases are scored as one set, every case with the settings of its own
/// part: a fold without a signal adds nothing to precision and voids nothing.
#[derive(Clone, Debug)]
pub struct Scorer<'a> {
    pub(super) parts: Vec<Part<'a>>,
    cases: usize,
    /// The mean of all true values.
    pub(super) centre: f64,
    /// The sums that depend on the truth alone.
    pub(super) truth_sums: Sums,
    /// The cases by falling φ(y), found when first asked for.
    truth_order: OnceLock<TruthOrder>,
}

/// Room for intermediate values, reused from one vector of predictions to the next.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    pub(super) loss: Vec<f64>,
    pub(super) alpha: Vec<f64>,
    pub(super) phi: Vec<f64>,
    /// Predictions as ends of integrals: their softplus and its integral.
    pub(super) tails: [Vec<f64>; 2],
}

impl<'a> Scorer<'a> {
    /// Prepares scoring against `truth`.
    pub fn new(truth: &'a [f64], settings: Settings) -> Result<Self> {
        Self::pooled([(truth, settings)])
    }

    /// Prepares scoring against several parts, taken as one set of cases.
    ///
    /// ```
    /// use tailrank_metrics::{Accuracy, Measure, Relevance, Scorer, Settings};
    ///
    /// let fitted = |high| -> Result<Settings, tailrank_metrics::MetricError> {
    ///     Ok(Settings {
    ///         relevance: Some(Relevance::sigmoid(None, Some(high), 0.5, 1e-4)?),
    ///         accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
    ///         ..Settings::default()
    ///     })
    /// };
    /// // Two folds, each with the φ of its own training targets; nothing happens in the second.
    /// let scorer = Scorer::pooled([(&[0.3, 2.4, 2.0][..], fitted(2.0)?), (&[0.1, 0.2][..], fitted(1.9)?)])?;
    /// let scores = scorer.score_parts(&[vec![0.2, 2.5, 0.4], vec![0.0, 0.1]], &[Measure::F])?;
    /// assert!(scores[0].value() > Some(0.6));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn pooled(parts: impl IntoIterator<Item = (&'a [f64], Settings)>) -> Result<Self> {
        let mut cases = 0;
        let parts = parts
            .into_iter()
            .map(|(truth, settings)| {
                let part = Part::new(truth, settings, cases)?;
                cases = part.rows().end;
                Ok(part)
            })
            .collect::<Result<Vec<_>>>()?;
        let Some(first) = parts.first() else {
            return Err(MetricError::Empty { name: "truth", needed: 1 });
        };
        let beta = first.settings().beta;
        for part in &parts {
            let expected = "F over several parts needs the same beta in all of them";
            check_setting(part.settings().beta == beta, "beta", part.settings().beta, expected)?;
        }
        let centre = centre(parts.iter().map(Part::truth), cases);
        let mut truth_sums = Sums::new(beta);
        for part in &parts {
            groups::truth(part, centre, &mut truth_sums);
        }
        // About the mean itself, the deviations sum to rounding: taken as none, no digit of the moments is
        // lost.
        truth_sums[Term::Truth] = 0.0;
        Ok(Self { parts, cases, centre, truth_sums, truth_order: OnceLock::new() })
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// Number of cases over all parts.
    pub const fn cases(&self) -> usize {
        self.cases
    }

    /// Number of events among the true values; none without a relevance function.
    pub fn events(&self) -> Option<usize> {
        self.parts.iter().map(|part| part.relevance().map(|r| r.events)).sum()
    }

    /// The cases by falling φ(y), over all parts.
    pub(super) fn truth_order(&self) -> &TruthOrder {
        let phi = || self.parts.iter().filter_map(Part::relevance).flat_map(|r| &r.phi).copied();
        self.truth_order.get_or_init(|| TruthOrder::new(phi()))
    }

    /// The settings that `measure` needs and some part lacks.
    pub(super) fn lacks(&self, measure: Measure) -> bool {
        self.parts.iter().any(|part| part.settings().missing(measure).next().is_some())
    }

    /// The asked measures of `predicted`, in the order asked; for a truth in one part.
    pub fn score(&self, predicted: &[f64], measures: &[Measure]) -> Result<Vec<Score>> {
        self.score_parts(&[predicted], measures)
    }

    /// The asked measures of predictions that come in the parts of the truth.
    pub fn score_parts<P: AsRef<[f64]>>(&self, predicted: &[P], measures: &[Measure]) -> Result<Vec<Score>> {
        Derived::new(self, predicted, &mut Buffers::default())?.measures(measures)
    }

    /// [`score_parts`](Self::score_parts) with room of the caller's, `scores` being cleared and filled; and the counts
    /// behind precision and recall as [`event_counts`](Self::event_counts) gives them. φ and α of the
    /// predictions are computed once for both.
    pub fn score_and_count<P: AsRef<[f64]>>(
        &self,
        predicted: &[P],
        measures: &[Measure],
        buffers: &mut Buffers,
        scores: &mut Vec<Score>,
    ) -> Result<Option<EventCounts>> {
        let mut derived = Derived::new(self, predicted, buffers)?;
        *scores = derived.measures(measures)?;
        Ok(derived.event_counts())
    }

    /// The slope of y on ŷ over the signals, by least squares: what y adds per unit of ŷ. Ideal is 1.
    ///
    /// Undefined with fewer than three signals or signals that do not vary. Where precision, F or SERA leads
    /// a ranking, look at it: they reward exaggeration.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, Scorer, Settings};
    /// let relevance = Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?);
    /// let truth = [2.0, -2.5, 0.0, 3.0];
    /// let scorer = Scorer::new(&truth, Settings { relevance, ..Settings::default() })?;
    /// let loud = truth.map(|y| 2.0 * y);
    /// assert_eq!(scorer.calibration_slope(&[loud])?.value(), Some(0.5));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn calibration_slope<P: AsRef<[f64]>>(&self, predicted: &[P]) -> Result<Score> {
        let mut buffers = Buffers::default();
        Derived::new(self, predicted, &mut buffers)?.statistic(Statistic::CalibrationSlope)
    }

    /// Events, signals and how they met; none without φ or t_L.
    ///
    /// ```
    /// use tailrank_metrics::{Accuracy, Relevance, Scorer, Settings};
    /// let settings = Settings {
    ///     relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?),
    ///     accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
    ///     ..Settings::default()
    /// };
    /// let scorer = Scorer::new(&[3.0, -3.0, 0.0], settings)?;
    /// let counts = scorer.event_counts(&[[3.1, 2.5, 0.0]])?.ok_or("no φ")?;
    /// assert_eq!((counts.hits, counts.false_alarms, counts.missed), (1, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn event_counts<P: AsRef<[f64]>>(&self, predicted: &[P]) -> Result<Option<EventCounts>> {
        Ok(Derived::new(self, predicted, &mut Buffers::default())?.event_counts())
    }
}

/// The mean of the parts' values; of values that are all the same, that value without rounding.
pub(super) fn centre<'v>(parts: impl Iterator<Item = &'v [f64]> + Clone, cases: usize) -> f64 {
    let Some(first) = parts.clone().next().and_then(|p| p.first().copied()) else { return 0.0 };
    let (mut sum, mut unlike) = (0.0, 0.0);
    for part in parts {
        let [s, u] = lane_sums([part], |[v]| [v, if v == first { 0.0 } else { 1.0 }]);
        sum += s;
        unlike += u;
    }
    if unlike == 0.0 { first } else { sum / cases as f64 }
}

/// What has been derived so far from one vector of predictions: each part is computed when first needed.
pub(super) struct Derived<'a> {
    pub(super) scorer: &'a Scorer<'a>,
    pub(super) predicted: Vec<&'a [f64]>,
    pub(super) buffers: &'a mut Buffers,
    pub(super) sums: Sums,
    /// The mean of all predictions.
    pub(super) centre: f64,
    filled: u32,
    has_loss: bool,
    has_phi: bool,
    has_alpha: bool,
}

impl<'a> Derived<'a> {
    pub(super) fn new<P: AsRef<[f64]>>(
        scorer: &'a Scorer<'a>,
        predicted: &'a [P],
        buffers: &'a mut Buffers,
    ) -> Result<Self> {
        let predicted: Vec<&'a [f64]> = predicted.iter().map(AsRef::as_ref).collect();
        if predicted.len() != scorer.parts.len() {
            let (truth, predictions) = (scorer.parts.len(), predicted.len());
            return Err(MetricError::PartMismatch { truth, predictions });
        }
        for (part, predicted) in scorer.parts.iter().zip(&predicted) {
            check_lengths("truth", part.truth().len(), "predictions", predicted.len())?;
            check_finite("predictions", predicted)?;
        }
        let centre = centre(predicted.iter().copied(), scorer.cases);
        let nothing = [(false, Group::Signals), (false, Group::Integrals)];
        let derived = Self::realigned(scorer, predicted, buffers, scorer.truth_sums, centre, nothing);
        Ok(Self { has_phi: false, ..derived })
    }

    /// For predictions that are known to be fine, with φ(ŷ) in the buffers and the sums of some groups at
    /// hand.
    pub(super) fn realigned(
        scorer: &'a Scorer<'a>,
        predicted: Vec<&'a [f64]>,
        buffers: &'a mut Buffers,
        sums: Sums,
        centre: f64,
        filled: [(bool, Group); 2],
    ) -> Self {
        Self {
            scorer,
            predicted,
            buffers,
            sums,
            centre,
            filled: filled
                .into_iter()
                .fold(1 << Group::Truth as u32, |set, (done, group)| set | u32::from(done) << group as u32),
            has_loss: false,
            has_phi: true,
            has_alpha: false,
        }
    }

    fn measures(&mut self, measures: &[Measure]) -> Result<Vec<Score>> {
        measures.iter().map(|&measure| self.statistic(measure.into())).collect()
    }

    /// Events, signals and how they met; none where some part lacks φ or α.
    fn event_counts(&mut self) -> Option<EventCounts> {
        if self.scorer.lacks(Measure::F) {
            return None;
        }
        self.fill(&[Term::Event]);
        Some(EventCounts::of_sums(&self.sums))
    }

    pub(super) fn statistic(&mut self, statistic: Statistic) -> Result<Score> {
        if self.scorer.lacks(statistic.needs_of()) {
            return Ok(Score::Undefined(Undefined::MissingInput));
        }
        match statistic.formula() {
            Formula::Sums(formula) => {
                self.fill(formula.terms);
                Ok((formula.finish)(&self.sums))
            }
            Formula::Cases(score) => score(self),
            Formula::Own(measure) => Ok(self.own(measure)),
        }
    }

    /// Sums the groups of `terms` that have not been summed yet.
    pub(super) fn fill(&mut self, terms: &[Term]) {
        for group in terms.iter().map(|term| term.group()) {
            if self.filled & (1 << group as u32) != 0 {
                continue;
            }
            self.filled |= 1 << group as u32;
            let mut sums = self.sums;
            for part in 0..self.scorer.parts.len() {
                self.give(group, part, &mut sums);
            }
            if group == Group::Moments {
                sums[Term::Predicted] = 0.0;
            }
            self.sums = sums;
        }
    }

    /// |ŷ − y| of every case, in the buffers.
    pub(super) fn fill_loss(&mut self) {
        if self.has_loss {
            return;
        }
        self.buffers.loss.clear();
        for (part, predicted) in self.scorer.parts.iter().zip(&self.predicted) {
            let cases = part.truth().iter().zip(*predicted);
            self.buffers.loss.extend(cases.map(|(y, z)| (z - y).abs()));
        }
        self.has_loss = true;
    }

    /// φ(ŷ) of every case, in the buffers.
    pub(super) fn fill_phi(&mut self) {
        if self.has_phi {
            return;
        }
        self.buffers.phi.resize(self.scorer.cases, 0.0);
        for (part, predicted) in self.scorer.parts.iter().zip(&self.predicted) {
            let Some(relevance) = &part.settings().relevance else { continue };
            relevance.phi_into(predicted, &mut self.buffers.phi[part.rows()]);
        }
        self.has_phi = true;
    }

    /// What integrals that end at the predictions share, of every case, in the buffers.
    pub(super) fn fill_tails(&mut self) {
        let [softplus, integral] = &mut self.buffers.tails;
        for column in [&mut *softplus, &mut *integral] {
            column.resize(self.scorer.cases, 0.0);
        }
        for (part, predicted) in self.scorer.parts.iter().zip(&self.predicted) {
            let Some(truth) = part.relevance() else { continue };
            let rows = part.rows();
            truth.integral.tails_into(predicted, &mut softplus[rows.clone()], &mut integral[rows]);
        }
    }

    /// |ŷ − y| and α of every case, in the buffers; α is 0 in parts without an accuracy.
    pub(super) fn fill_alpha(&mut self) {
        self.fill_loss();
        if self.has_alpha {
            return;
        }
        let Buffers { loss, alpha, .. } = &mut *self.buffers;
        alpha.resize(self.scorer.cases, 0.0);
        for part in &self.scorer.parts {
            match &part.settings().accuracy {
                Some(accuracy) => accuracy.alpha_into(&loss[part.rows()], &mut alpha[part.rows()]),
                None => alpha[part.rows()].fill(0.0),
            }
        }
        self.has_alpha = true;
    }
}

// Measures that are no function of sums over the cases: medians, curves, accounts.

impl Derived<'_> {
    pub(super) fn median_absolute(&mut self) -> Score {
        self.fill_loss();
        let mut losses = self.buffers.loss.clone();
        let middle = losses.len() / 2;
        let (below, &mut upper, _) = losses.select_nth_unstable_by(middle, f64::total_cmp);
        if self.scorer.cases() % 2 == 1 {
            return Score::Value(upper);
        }
        // An even number of cases: the mean of the two in the middle.
        let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Score::finite(lower + (upper - lower) / 2.0)
    }

    pub(super) fn pr_area(&mut self) -> Score {
        self.fill_phi();
        self.fill_alpha();
        area_below(self.scorer.truth_order(), &self.buffers.phi, &self.buffers.alpha)
    }

    /// A measure registered from outside, over the cases of all parts.
    pub(super) fn own(&self, measure: OwnMeasure) -> Score {
        if let ([part], [predicted]) = (self.scorer.parts.as_slice(), self.predicted.as_slice()) {
            return measure.score(part.truth(), predicted);
        }
        let truth: Vec<f64> = self.scorer.parts.iter().flat_map(Part::truth).copied().collect();
        measure.score(&truth, &self.predicted.concat())
    }

    pub(super) fn growth(&self) -> Result<Score> {
        let [part] = self.scorer.parts.as_slice() else {
            return Ok(Score::Undefined(Undefined::SeveralPeriods));
        };
        let Some(rule) = part.settings().trading else {
            return Ok(Score::Undefined(Undefined::MissingInput));
        };
        let record = TradingRecord::new(part.truth(), self.predicted[0], rule)?;
        Ok(Score::finite(record.one_position().total))
    }
}
