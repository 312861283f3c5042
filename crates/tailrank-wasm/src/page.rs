//! The task in front, and its scores at any settings.

use tailrank_metrics::{
    Accuracy, Measure, MetricError, Relevance, Score, Scorer, Settings, Undefined,
    classic::Reference,
    scoring::Buffers,
    trading::TradingRule,
    utility::{Uba, Ut08},
};

/// Reasons by their code, which counts from 1.
pub(crate) const REASONS: [Undefined; 14] = [
    Undefined::NoSignals,
    Undefined::NoEvents,
    Undefined::ZeroVariance,
    Undefined::ConstantPredictions,
    Undefined::ZeroRelevance,
    Undefined::EmptyClass,
    Undefined::NoTrades,
    Undefined::MissingInput,
    Undefined::NoError,
    Undefined::Overflow,
    Undefined::SeveralPeriods,
    Undefined::CertainRate,
    Undefined::NoTerms,
    Undefined::FewSignals,
];

#[derive(Default)]
pub(crate) struct Page {
    pub(crate) input: Vec<f64>,
    pub(crate) output: Vec<f64>,
    /// φ of the part to come.
    pub(crate) phi: Option<Relevance>,
    pub(crate) parts: Vec<Part>,
    pub(crate) rules: Rules,
    pub(crate) measures: Vec<Measure>,
    pub(crate) predictions: Vec<Option<Vec<f64>>>,
    pub(crate) what_if: WhatIf,
}

/// A fold or test period.
pub(crate) struct Part {
    pub(crate) truth: Vec<f64>,
    pub(crate) phi: Relevance,
    pub(crate) repeat: usize,
    pub(crate) reference: Option<f64>,
    pub(crate) tloss: Option<f64>,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Shape {
    Indicator,
    Linear,
    #[default]
    Smooth,
}

/// What no slider moves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rules {
    pub(crate) shape: Shape,
    pub(crate) alpha_k: f64,
    pub(crate) benefit: f64,
    pub(crate) t: Option<f64>,
    pub(crate) over: f64,
    pub(crate) under: f64,
    pub(crate) linex_shape: f64,
    pub(crate) linex_scale: f64,
    pub(crate) trading: Option<(usize, f64)>,
}

/// What the sliders say.
#[derive(Clone, Copy, Default)]
pub(crate) struct WhatIf {
    pub(crate) t_e: f64,
    pub(crate) t_l: Option<f64>,
    pub(crate) beta: f64,
    pub(crate) p: f64,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) threshold: Option<f64>,
}

impl Page {
    /// A part's φ with moved centres; only a sigmoid has some.
    pub(crate) fn phi_of(&self, part: &Part) -> Result<Relevance, MetricError> {
        let Relevance::Sigmoid(sigmoid) = &part.phi else { return Ok(part.phi.clone()) };
        let (low, high) = sigmoid.centres();
        let moved = |own: Option<f64>, asked: Option<f64>| own.map(|own| asked.unwrap_or(own));
        Relevance::sigmoid(
            moved(low, self.what_if.low),
            moved(high, self.what_if.high),
            sigmoid.k(),
            sigmoid.delta(),
        )
    }

    pub(crate) fn utility(&self) -> Result<Option<Ut08>, MetricError> {
        let t = self.rules.t.or(self.what_if.t_l);
        t.map(|t| Ut08::new(self.rules.benefit, t, self.what_if.p, None)).transpose()
    }

    pub(crate) fn trading(&self) -> Option<TradingRule> {
        let ((horizon, cost), threshold) = self.rules.trading.zip(self.what_if.threshold)?;
        Some(TradingRule { threshold, horizon, cost })
    }

    fn settings(&self, part: &Part) -> Result<Settings, MetricError> {
        let (rules, what_if) = (&self.rules, &self.what_if);
        let phi = self.phi_of(part)?;
        let accuracy = what_if.t_l.map(|t_l| match rules.shape {
            Shape::Indicator => Accuracy::indicator(t_l),
            Shape::Linear => Accuracy::linear(t_l),
            Shape::Smooth => Accuracy::smooth(t_l, rules.alpha_k),
        });
        let uba = match (&phi, part.tloss) {
            (Relevance::Pchip(pchip), Some(tloss)) => Some(Uba::new(pchip, what_if.p, tloss)?),
            _ => None,
        };
        Ok(Settings {
            relevance: Some(phi),
            t_e: what_if.t_e,
            accuracy: accuracy.transpose()?,
            beta: what_if.beta,
            utility: self.utility()?,
            uba,
            reference: part.reference.map(Reference::TrainingMean),
            over: rules.over,
            under: rules.under,
            linex_shape: rules.linex_shape,
            linex_scale: rules.linex_scale,
            trading: self.trading(),
            ..Settings::default()
        })
    }

    /// The scores of every variant, laid out as [`crate::evaluate`] says.
    pub(crate) fn evaluate(&self) -> Result<Vec<f64>, MetricError> {
        let asked: Vec<Measure> =
            self.input.iter().filter_map(|&m| self.measures.get(m as usize).copied()).collect();
        let repeats = self.parts.iter().map(|p| p.repeat + 1).max().unwrap_or(0);
        let mut scorers = Vec::with_capacity(repeats);
        for repeat in 0..repeats {
            let places: Vec<usize> =
                (0..self.parts.len()).filter(|&p| self.parts[p].repeat == repeat).collect();
            let mut parts = Vec::with_capacity(places.len());
            for &p in &places {
                parts.push((self.parts[p].truth.as_slice(), self.settings(&self.parts[p])?));
            }
            scorers.push((Scorer::pooled(parts)?, places));
        }
        let events: usize = scorers.iter().filter_map(|(s, _)| s.events()).sum();
        let mut buffers = Buffers::default();
        let mut out = vec![(events as f64 / repeats.max(1) as f64).round()];
        for predicted in &self.predictions {
            let Some(predicted) = predicted else {
                out.push(0.0);
                continue;
            };
            let of_parts = self.cut(predicted);
            let (mut rows, mut signals, mut hits) = (Vec::with_capacity(repeats), 0, 0);
            for (scorer, places) in &scorers {
                let predicted: Vec<&[f64]> = places.iter().map(|&p| of_parts[p]).collect();
                let mut row = Vec::with_capacity(asked.len());
                let counts = scorer.score_and_count(&predicted, &asked, &mut buffers, &mut row)?;
                rows.push(row);
                if let Some(counts) = counts {
                    signals += counts.signals;
                    hits += counts.hits;
                }
            }
            out.extend([1.0, signals as f64, hits as f64]);
            for m in 0..asked.len() {
                out.extend(laid_out(Score::mean_of_repeats(rows.iter().map(|row| row[m]))));
            }
        }
        Ok(out)
    }

    /// One variant's predictions, part by part.
    pub(crate) fn cut<'a>(&self, mut predicted: &'a [f64]) -> Vec<&'a [f64]> {
        let mut cut = |part: &Part| {
            let (head, rest) = predicted.split_at(part.truth.len());
            predicted = rest;
            head
        };
        self.parts.iter().map(&mut cut).collect()
    }
}

fn laid_out(score: Score) -> [f64; 2] {
    match score {
        Score::Value(value) => [value, 0.0],
        // A reason that the list lacks reads as a missing input.
        Score::Undefined(why) => {
            [0.0, REASONS.iter().position(|r| *r == why).map_or(8.0, |at| at as f64 + 1.0)]
        }
    }
}
