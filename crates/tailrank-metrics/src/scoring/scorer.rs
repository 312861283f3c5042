//! Scoring of predictions against one vector of true values.

use super::Settings;
use crate::classic::{ErrorSums, TruthMoments};
use crate::error::{MetricError, Result, check_finite};
use crate::lanes::lane_sums;
use crate::loss::exp_beyond_linear;
use crate::pr_curve::pr_curve;
use crate::precision_recall::PrecisionRecall;
use crate::registry::Measure;
use crate::score::{Score, Undefined};
use crate::sera::SeraIntegral;
use crate::trading::{TradingCounts, TradingRecord};
use crate::utility::{UbaCurve, UbaScores};

/// Scores vectors of predictions for one task. See the [module](super) for an example.
#[derive(Clone, Debug)]
pub struct Scorer<'a> {
    truth: &'a [f64],
    settings: Settings,
    moments: TruthMoments,
    relevance: Option<TruthRelevance>,
}

/// What φ says about the true values.
#[derive(Clone, Debug)]
struct TruthRelevance {
    phi: Vec<f64>,
    /// Weights of SERA where they differ from φ.
    sera_weight: Option<Vec<f64>>,
    events: usize,
}

/// Room for intermediate values, reused from one vector of predictions to the next.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    loss: Vec<f64>,
    alpha: Vec<f64>,
    phi: Vec<f64>,
}

impl<'a> Scorer<'a> {
    /// Prepares scoring against `truth`.
    pub fn new(truth: &'a [f64], settings: Settings) -> Result<Self> {
        if truth.is_empty() || lane_sums([truth], |[y]| [y * 0.0]) != [0.0] {
            check_finite("truth", truth)?;
        }
        settings.check()?;
        let moments = TruthMoments::new(truth, settings.reference);
        let relevance = settings.relevance.as_ref().map(|relevance| {
            let mut phi = vec![0.0; truth.len()];
            relevance.phi_into(truth, &mut phi);
            let sera_weight = match settings.sera {
                // φ lies within [0, 1], where the exact weight is φ itself.
                SeraIntegral::Exact => None,
                integral => Some(phi.iter().map(|&p| integral.weight(p)).collect()),
            };
            let events = phi.iter().filter(|&&p| p >= settings.t_e).count();
            TruthRelevance { phi, sera_weight, events }
        });
        Ok(Self { truth, settings, moments, relevance })
    }

    /// The true values.
    pub const fn truth(&self) -> &'a [f64] {
        self.truth
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// φ of the true values, if there is a relevance function.
    pub fn truth_relevance(&self) -> Option<&[f64]> {
        self.relevance.as_ref().map(|r| r.phi.as_slice())
    }

    /// Number of events among the true values; none without a relevance function.
    pub fn events(&self) -> Option<usize> {
        self.relevance.as_ref().map(|r| r.events)
    }

    /// The asked measures of `predicted`, in the order asked.
    pub fn score(&self, predicted: &[f64], measures: &[Measure]) -> Result<Vec<Score>> {
        let mut scores = Vec::with_capacity(measures.len());
        self.score_into(predicted, measures, &mut Buffers::default(), &mut scores)?;
        Ok(scores)
    }

    /// [`score`](Self::score) with room of the caller's: `scores` is cleared and filled.
    pub fn score_into(
        &self,
        predicted: &[f64],
        measures: &[Measure],
        buffers: &mut Buffers,
        scores: &mut Vec<Score>,
    ) -> Result<()> {
        scores.clear();
        let mut derived = Derived::new(self, predicted, buffers)?;
        for &measure in measures {
            scores.push(if self.settings.missing(measure).next().is_some() {
                Score::Undefined(Undefined::MissingInput)
            } else {
                derived.measure(measure)?
            });
        }
        Ok(())
    }

    /// Precision, recall and F together with the counts of events, signals and hits; none without φ or α.
    pub fn precision_recall(&self, predicted: &[f64]) -> Result<Option<PrecisionRecall>> {
        Derived::new(self, predicted, &mut Buffers::default())?.precision_recall()
    }
}

/// What has been derived so far from one vector of predictions: each part is computed when first needed.
struct Derived<'a> {
    scorer: &'a Scorer<'a>,
    predicted: &'a [f64],
    predicted_mean: f64,
    constant: bool,
    buffers: &'a mut Buffers,
    has_loss: bool,
    has_phi: bool,
    errors: Option<SignedSums>,
    precision_recall: Option<PrecisionRecall>,
    relevant: Option<RelevantSums>,
    uba: Option<UbaScores>,
    uba_curve: Option<UbaCurve>,
    trading: Option<TradingCounts>,
}

/// Sums of the errors of each side.
#[derive(Clone, Copy)]
struct SignedSums {
    over: f64,
    under: f64,
    over_squared: f64,
    under_squared: f64,
    classic: ErrorSums,
}

/// Sums of the errors weighted by φ(y).
#[derive(Clone, Copy)]
struct RelevantSums {
    sera: f64,
    on_events: f64,
}

impl<'a> Derived<'a> {
    fn new(scorer: &'a Scorer<'a>, predicted: &'a [f64], buffers: &'a mut Buffers) -> Result<Self> {
        let n = scorer.truth.len();
        if predicted.len() != n {
            return Err(MetricError::LengthMismatch {
                left_name: "truth",
                left: n,
                right_name: "predictions",
                right: predicted.len(),
            });
        }
        let first = predicted[0];
        let [sum, unlike, finite] =
            lane_sums([predicted], |[z]| [z, if z == first { 0.0 } else { 1.0 }, z * 0.0]);
        if finite != 0.0 {
            check_finite("predictions", predicted)?;
        }
        Ok(Self {
            scorer,
            predicted,
            predicted_mean: sum / n as f64,
            constant: unlike == 0.0,
            buffers,
            has_loss: false,
            has_phi: false,
            errors: None,
            precision_recall: None,
            relevant: None,
            uba: None,
            uba_curve: None,
            trading: None,
        })
    }

    fn measure(&mut self, measure: Measure) -> Result<Score> {
        let (moments, settings) = (&self.scorer.moments, &self.scorer.settings);
        let missing = Score::Undefined(Undefined::MissingInput);
        Ok(match measure {
            Measure::Mad => self.errors().classic.mad(moments),
            Measure::Mse => self.errors().classic.mse(moments),
            Measure::Rmse => self.errors().classic.mse(moments).map(f64::sqrt),
            Measure::Rse => self.errors().classic.rse(moments),
            Measure::Rrse => self.errors().classic.rse(moments).map(f64::sqrt),
            Measure::Rae => self.errors().classic.rae(moments),
            Measure::Correlation => self.errors().classic.correlation(moments),
            Measure::LinLin => {
                let e = self.errors();
                Score::finite((settings.over * e.over + settings.under * e.under) / moments.cases)
            }
            Measure::QuadQuad => {
                let e = self.errors();
                let sum = settings.over * e.over_squared + settings.under * e.under_squared;
                Score::finite(sum / moments.cases)
            }
            Measure::Linex => self.linex(),
            Measure::Precision => self.precision_recall()?.map_or(missing, |s| s.precision),
            Measure::Recall => self.precision_recall()?.map_or(missing, |s| s.recall),
            Measure::F => self.precision_recall()?.map_or(missing, |s| s.f),
            Measure::PrArea => match (&settings.relevance, &settings.accuracy) {
                (Some(phi), Some(alpha)) => pr_curve(self.scorer.truth, self.predicted, phi, alpha)?.area,
                _ => missing,
            },
            Measure::EventMad => match (self.relevant(), &self.scorer.relevance) {
                (Some(sums), Some(r)) => Score::ratio(sums.on_events, r.events as f64, Undefined::NoEvents),
                _ => missing,
            },
            Measure::Utility => self.utility(),
            Measure::UbaMu => self.uba()?.map_or(missing, |s| Score::finite(s.mean_utility)),
            Measure::UbaNmu => self.uba()?.map_or(missing, |s| Score::finite(s.normalised_mean_utility)),
            Measure::UbaPrecision => self.uba()?.map_or(missing, |s| s.precision),
            Measure::UbaRecall => self.uba()?.map_or(missing, |s| s.recall),
            Measure::UbaF => self.uba()?.map_or(missing, |s| s.f),
            Measure::UbaAucRoc => self.uba_curve(|c| c.auc_roc)?,
            Measure::UbaAucPr => self.uba_curve(|c| c.auc_pr)?,
            Measure::UbaMap11 => self.uba_curve(|c| c.map11)?,
            Measure::UbaBfm => self.uba_curve(|c| c.best_f)?,
            Measure::Sera => self.relevant().map_or(missing, |sums| Score::finite(sums.sera)),
            Measure::SeraShare => {
                let squared = self.errors().classic.squared;
                self.relevant().map_or(missing, |sums| Score::ratio(sums.sera, squared, Undefined::NoError))
            }
            Measure::HitRate => self.trading().map_or(missing, |t| t.hit_rate()),
            Measure::WrongSideRate => self.trading().map_or(missing, |t| t.wrong_side_rate()),
            Measure::MissedRate => self.trading().map_or(missing, |t| t.missed_rate()),
            Measure::ReturnPerTrade => self.trading().map_or(missing, |t| t.profit_per_signal()),
            Measure::TotalReturn => self.trading().map_or(missing, |t| Score::finite(t.profit)),
            Measure::Growth => match settings.trading {
                Some(rule) => {
                    let record = TradingRecord::new(self.scorer.truth, self.predicted, rule)?;
                    Score::finite(record.one_position().total)
                }
                None => missing,
            },
            Measure::ClassAccuracy
            | Measure::ClassPrecision
            | Measure::ClassRecall
            | Measure::ClassF
            | Measure::OptimisedPrecision
            | Measure::Oarp => missing,
        })
    }

    fn errors(&mut self) -> SignedSums {
        if let Some(sums) = self.errors {
            return sums;
        }
        let (y_mean, z_mean) = (self.scorer.moments.mean, self.predicted_mean);
        let [over, under, over_squared, under_squared, prediction_squares, products] =
            lane_sums([self.scorer.truth, self.predicted], |[y, z]| {
                let error = z - y;
                let (over, under) =
                    (if error > 0.0 { error } else { 0.0 }, if error < 0.0 { -error } else { 0.0 });
                let deviation = z - z_mean;
                [over, under, over * over, under * under, deviation * deviation, deviation * (y - y_mean)]
            });
        let classic = ErrorSums {
            absolute: over + under,
            squared: over_squared + under_squared,
            prediction_squares,
            products,
            constant_predictions: self.constant,
        };
        *self.errors.insert(SignedSums { over, under, over_squared, under_squared, classic })
    }

    fn linex(&self) -> Score {
        let (shape, scale) = (self.scorer.settings.linex_shape, self.scorer.settings.linex_scale);
        let [sum] =
            lane_sums([self.scorer.truth, self.predicted], |[y, z]| [exp_beyond_linear(shape * (y - z))]);
        Score::finite(scale * sum / self.scorer.moments.cases)
    }

    fn relevant(&mut self) -> Option<RelevantSums> {
        if self.relevant.is_none() {
            let TruthRelevance { phi, sera_weight, .. } = self.scorer.relevance.as_ref()?;
            let (weight, t_e) = (sera_weight.as_ref().unwrap_or(phi), self.scorer.settings.t_e);
            let [sera, on_events] =
                lane_sums([self.scorer.truth, self.predicted, weight, phi], |[y, z, w, phi]| {
                    let error = z - y;
                    [w * (error * error), if phi >= t_e { error.abs() } else { 0.0 }]
                });
            self.relevant = Some(RelevantSums { sera, on_events });
        }
        self.relevant
    }

    /// |ŷ − y| of every case, in the buffers.
    fn fill_loss(&mut self) {
        if self.has_loss {
            return;
        }
        self.buffers.loss.clear();
        let cases = self.scorer.truth.iter().zip(self.predicted);
        self.buffers.loss.extend(cases.map(|(y, z)| (z - y).abs()));
        self.has_loss = true;
    }

    /// φ(ŷ) of every case, in the buffers.
    fn fill_phi(&mut self) {
        let Some(relevance) = self.scorer.settings.relevance.as_ref().filter(|_| !self.has_phi) else {
            return;
        };
        self.buffers.phi.resize(self.predicted.len(), 0.0);
        relevance.phi_into(self.predicted, &mut self.buffers.phi);
        self.has_phi = true;
    }

    fn precision_recall(&mut self) -> Result<Option<PrecisionRecall>> {
        let settings = &self.scorer.settings;
        let (Some(accuracy), Some(truth)) = (&settings.accuracy, &self.scorer.relevance) else {
            return Ok(None);
        };
        if self.precision_recall.is_none() {
            self.fill_loss();
            self.fill_phi();
            let Buffers { loss, alpha, phi } = &mut *self.buffers;
            alpha.resize(loss.len(), 0.0);
            accuracy.alpha_into(loss, alpha);
            let scores = PrecisionRecall::from_parts(&truth.phi, phi, alpha, settings.t_e, settings.beta)?;
            self.precision_recall = Some(scores);
        }
        Ok(self.precision_recall)
    }

    fn utility(&mut self) -> Score {
        let (Some(utility), Some(truth)) = (self.scorer.settings.utility, &self.scorer.relevance) else {
            return Score::Undefined(Undefined::MissingInput);
        };
        self.fill_loss();
        self.fill_phi();
        let [sum] = lane_sums([&truth.phi, &self.buffers.phi, &self.buffers.loss], |[phi_y, phi_z, loss]| {
            [utility.of_parts(phi_y, phi_z, loss)]
        });
        Score::finite(sum / self.scorer.moments.cases)
    }

    fn uba(&mut self) -> Result<Option<UbaScores>> {
        let Settings { uba: Some(uba), t_e, beta, .. } = &self.scorer.settings else { return Ok(None) };
        if self.uba.is_none() {
            self.uba = Some(uba.scores(self.scorer.truth, self.predicted, *t_e, *beta)?);
        }
        Ok(self.uba)
    }

    fn uba_curve(&mut self, part: impl Fn(&UbaCurve) -> f64) -> Result<Score> {
        let Settings { uba: Some(uba), t_e, beta, .. } = &self.scorer.settings else {
            return Ok(Score::Undefined(Undefined::MissingInput));
        };
        let (truth, predicted) = (self.scorer.truth, self.predicted);
        // uba's curves take a threshold of 0 as 0.01.
        let recall = if *t_e == 0.0 {
            Some(uba.scores(truth, predicted, 0.01, *beta)?.recall)
        } else {
            self.uba()?.map(|s| s.recall)
        };
        match recall {
            Some(undefined @ Score::Undefined(_)) => return Ok(undefined),
            // Recall is 0 only if every event has utility −1: nothing is gained, and there is no curve to draw.
            Some(Score::Value(0.0)) => return Ok(Score::Value(0.0)),
            _ => {}
        }
        let curve = match self.uba_curve {
            Some(curve) => curve,
            None => *self.uba_curve.insert(uba.curve(truth, predicted, *t_e, *beta)?),
        };
        // With utility gained on some event, uba's zeros mean that every case is an event.
        if curve == UbaCurve::default() {
            return Ok(Score::Undefined(Undefined::EmptyClass));
        }
        Ok(Score::finite(part(&curve)))
    }

    fn trading(&mut self) -> Option<TradingCounts> {
        if self.trading.is_none() {
            let rule = self.scorer.settings.trading?;
            self.trading = Some(TradingCounts::of_checked(self.scorer.truth, self.predicted, rule));
        }
        self.trading
    }
}
