//! The task in front, and its scores at any settings.

use tailrank_metrics::{
    Accuracy, Measure, MetricError, Relevance, Score, Scorer, Settings, Undefined,
    classic::Reference,
    scoring::Buffers,
    trading::TradingRule,
    utility::{Uba, Ut08},
};

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
    /// Reasons by their code, which counts from 1: those that were met so far, whatever the task.
    pub(crate) reasons: Vec<Undefined>,
}

/// A fold or test period.
pub(crate) struct Part {
    pub(crate) truth: Vec<f64>,
    pub(crate) phi: Relevance,
    pub(crate) repeat: usize,
    pub(crate) reference: Option<f64>,
    pub(crate) tloss: Option<f64>,
}

/// What no slider moves.
#[derive(Default)]
pub(crate) struct Rules {
    /// Of α: 0 indicator, 1 linear, 2 smooth.
    pub(crate) shape: i32,
    pub(crate) alpha_k: f64,
    pub(crate) benefit: f64,
    pub(crate) t: Option<f64>,
    /// Settings that are as they are given.
    pub(crate) costs: Settings,
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
            0 => Accuracy::indicator(t_l),
            1 => Accuracy::linear(t_l),
            _ => Accuracy::smooth(t_l, rules.alpha_k),
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
            trading: self.trading(),
            ..rules.costs.clone()
        })
    }

    /// The scores of every variant by some measures, laid out as [`crate::evaluate`] says.
    pub(crate) fn evaluate(&mut self, asked: &[Measure]) -> Result<Vec<f64>, MetricError> {
        let repeats = self.parts.iter().map(|p| p.repeat + 1).max().unwrap_or(0);
        let mut scorers = Vec::with_capacity(repeats);
        for repeat in 0..repeats {
            let is_of = |p: &usize| self.parts[*p].repeat == repeat;
            let places: Vec<usize> = (0..self.parts.len()).filter(is_of).collect();
            let parts =
                places.iter().map(|&p| Ok((&self.parts[p].truth[..], self.settings(&self.parts[p])?)));
            scorers.push((Scorer::pooled(parts.collect::<Result<Vec<_>, MetricError>>()?)?, places));
        }
        let events: usize = scorers.iter().filter_map(|(s, _)| s.events()).sum();
        let (mut buffers, mut reasons) = (Buffers::default(), self.reasons.clone());
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
                let counts = scorer.score_and_count(&predicted, asked, &mut buffers, &mut row)?;
                rows.push(row);
                if let Some(counts) = counts {
                    signals += counts.signals;
                    hits += counts.hits;
                }
            }
            out.extend([1.0, signals as f64, hits as f64]);
            for m in 0..asked.len() {
                out.extend(laid_out(Score::mean_of_repeats(rows.iter().map(|row| row[m])), &mut reasons));
            }
        }
        self.reasons = reasons;
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

fn laid_out(score: Score, reasons: &mut Vec<Undefined>) -> [f64; 2] {
    let Some(why) = score.undefined() else { return [score.value().unwrap_or_default(), 0.0] };
    let known = reasons.iter().position(|r| *r == why);
    let place = known.unwrap_or_else(|| {
        reasons.push(why);
        reasons.len() - 1
    });
    [0.0, place as f64 + 1.0]
}
