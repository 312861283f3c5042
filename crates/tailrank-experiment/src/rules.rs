//! The settings of an experiment turned into the settings of the measures, for one task.

use tailrank_metrics::{
    Accuracy, Measure, MetricError, Relevance, Settings,
    classic::Reference,
    relevance::BoxPlot,
    trading::TradingRule,
    utility::{Uba, Ut08, tloss},
};

use crate::{
    config::{AlphaShape, Measures, RelevanceKind, RelevanceSettings, Trading},
    problem::Problem,
};

/// More events than this share of the cases are not rare.
pub const RARE: f64 = 0.2;

/// Fewer events than this say nothing about what happens on events.
pub const FEWEST_EVENTS: usize = 10;

/// What a task is scored by.
#[derive(Clone, Debug)]
pub struct ScoringRules {
    /// The measures asked for, in order.
    pub measures: Vec<Measure>,
    /// Measure settings and trading rule of the experiment.
    pub settings: Measures,
    /// The trading rule, if any.
    pub trading: Option<Trading>,
}

/// The measures an experiment asks for, each known and with the settings it needs.
///
/// # Errors
/// Everything wrong with the measures and the trading rule.
pub fn scoring_rules(settings: &Measures, trading: Option<&Trading>) -> Result<ScoringRules, Vec<Problem>> {
    let mut problems = settings.problems(trading);
    problems.extend(trading.into_iter().flat_map(Trading::problems));
    if !problems.is_empty() {
        return Err(problems);
    }
    let (measures, _) = settings.measures();
    Ok(ScoringRules { measures, settings: settings.clone(), trading: trading.cloned() })
}

impl ScoringRules {
    /// These rules with other settings of the measures, as a task may have.
    #[must_use]
    pub fn with_settings(&self, settings: &Measures) -> Self {
        Self { settings: settings.clone(), ..self.clone() }
    }

    /// The measures' settings for one task; `train` are its training targets.
    pub fn for_task(
        &self,
        relevance: &RelevanceSettings,
        train: &[f64],
        horizon: Option<usize>,
    ) -> Result<Settings, MetricError> {
        self.with_relevance(Some(relevance.build(train)?), relevance.event_threshold, train, horizon)
    }

    /// The same by a relevance function that is made already, or by none.
    pub fn with_relevance(
        &self,
        phi: Option<Relevance>,
        t_e: f64,
        train: &[f64],
        horizon: Option<usize>,
    ) -> Result<Settings, MetricError> {
        let s = &self.settings;
        let t_l = s.t_l.as_ref().and_then(|t_l| t_l.resolve(horizon, train));
        let accuracy = t_l.map(|t_l| match s.alpha {
            AlphaShape::Indicator => Accuracy::indicator(t_l),
            AlphaShape::Linear => Accuracy::linear(t_l),
            AlphaShape::Smooth => Accuracy::smooth(t_l, s.alpha_k),
        });
        let utility = s.utility.t.or(t_l).map(|t| Ut08::new(s.utility.benefit, t, s.utility.p, None));
        // uba's utility is defined on the bumps of a piecewise cubic φ alone.
        let uba = match &phi {
            Some(Relevance::Pchip(pchip)) => Some(Uba::new(pchip, s.utility.p, tloss(train)?)?),
            _ => None,
        };
        let mean = train.iter().sum::<f64>() / train.len().max(1) as f64;
        let rule = self.trading.as_ref().and_then(|t| {
            let threshold = t.threshold.at(horizon)?;
            Some(TradingRule { threshold, horizon: horizon.unwrap_or(1), cost: t.cost })
        });
        Ok(Settings {
            relevance: phi,
            t_e,
            accuracy: accuracy.transpose()?,
            beta: s.beta,
            utility: utility.transpose()?,
            uba,
            over: s.loss.over,
            under: s.loss.under,
            linex_shape: s.linex.shape,
            linex_scale: s.linex.scale,
            reference: (!train.is_empty()).then_some(Reference::TrainingMean(mean)),
            trading: rule,
            ..Settings::default()
        })
    }
}

impl RelevanceSettings {
    /// The relevance function; what the settings leave open comes from the training targets alone.
    pub fn build(&self, train: &[f64]) -> Result<Relevance, MetricError> {
        // A point without its two numbers is refused as not finite; `problems` names it before.
        let at = |p: &[f64], i: usize| p.get(i).copied().unwrap_or(f64::NAN);
        let pairs = || self.points.iter().map(|p| (at(p, 0), at(p, 1))).collect::<Vec<_>>();
        match self.kind {
            RelevanceKind::Sigmoid if self.low.is_some() || self.high.is_some() => {
                Relevance::sigmoid(self.low, self.high, self.k, self.delta)
            }
            RelevanceKind::Sigmoid => self.box_plot(train),
            RelevanceKind::Pchip if self.points.is_empty() => {
                let kind = if self.adjusted { BoxPlot::Adjusted } else { BoxPlot::Plain };
                Relevance::extremes(train, self.extremes, self.coefficient, kind)
            }
            RelevanceKind::Pchip => {
                let slopes: Vec<f64> = self.points.iter().filter_map(|p| p.get(2).copied()).collect();
                Relevance::range(&pairs(), (slopes.len() == self.points.len()).then_some(slopes.as_slice()))
            }
            RelevanceKind::Table => Relevance::table(&pairs()),
            RelevanceKind::Indicator => {
                Relevance::indicator(&self.ranges.iter().map(|r| (r[0], r[1])).collect::<Vec<_>>())
            }
        }
    }

    /// φ from the training box plot; a side without a training value beyond its whisker takes the fallback.
    fn box_plot(&self, train: &[f64]) -> Result<Relevance, MetricError> {
        let found = Relevance::sigmoid_from_box_plot(train, self.extremes, self.k, self.delta);
        if self.fallback_low.is_none() && self.fallback_high.is_none() {
            return found;
        }
        let (low, high) = match &found {
            Ok(Relevance::Sigmoid(sigmoid)) => sigmoid.centres(),
            _ => (None, None),
        };
        let seen_low = low.filter(|c| train.iter().any(|y| y < c)).or(self.fallback_low).or(low);
        let seen_high = high.filter(|c| train.iter().any(|y| y > c)).or(self.fallback_high).or(high);
        let low = seen_low.filter(|_| self.extremes.low());
        let high = seen_high.filter(|_| self.extremes.high());
        if low.is_none() && high.is_none() {
            return found;
        }
        Relevance::sigmoid(low, high, self.k, self.delta)
    }
}

#[cfg(test)]
mod tests;
