//! The measures that are not made of sums over the cases: medians, curves, accounts.

use super::scorer::Derived;
use crate::error::Result;
use crate::pr_curve::area_below;
use crate::registry::Measure;
use crate::score::{Score, Undefined};
use crate::trading::TradingRecord;
use crate::utility::{CurveCase, UbaCurve};

impl Derived<'_> {
    /// A measure without a form of sums; all the settings it needs are there.
    pub(super) fn whole(&mut self, measure: Measure) -> Result<Score> {
        Ok(match measure {
            Measure::MedianAbsolute => self.median_absolute(),
            Measure::PrArea => self.pr_area(),
            Measure::UbaAucRoc => self.uba_curve(|c| c.auc_roc),
            Measure::UbaAucPr => self.uba_curve(|c| c.auc_pr),
            Measure::UbaMap11 => self.uba_curve(|c| c.map11),
            Measure::UbaBfm => self.uba_curve(|c| c.best_f),
            Measure::Growth => self.growth()?,
            _ => Score::Undefined(Undefined::MissingInput),
        })
    }

    fn median_absolute(&mut self) -> Score {
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

    fn pr_area(&mut self) -> Score {
        self.fill_phi();
        self.fill_alpha();
        area_below(self.scorer.truth_order(), &self.buffers.phi, &self.buffers.alpha)
    }

    fn uba_curve(&mut self, summary: impl Fn(&UbaCurve) -> f64) -> Score {
        let curve = match self.uba_curve {
            Some(curve) => curve,
            None => *self.uba_curve.insert(self.compute_uba_curve()),
        };
        match curve {
            Ok(curve) => Score::finite(summary(&curve)),
            Err(score) => score,
        }
    }

    /// The curve, or the score that stands for all four summaries where there is none.
    fn compute_uba_curve(&self) -> std::result::Result<UbaCurve, Score> {
        let cases = || {
            self.scorer.parts.iter().zip(&self.predicted).flat_map(|(part, predicted)| {
                let pairs = part.truth().iter().zip(*predicted);
                let (uba, t_e) = (part.settings().uba.as_ref(), part.settings().t_e);
                pairs.filter_map(move |(&y, &z)| Some(uba?.curve_case(y, z, t_e)))
            })
        };
        if cases().all(|case| !case.event()) {
            return Err(Score::Undefined(Undefined::NoEvents));
        }
        // Every event has utility −1: nothing is gained, and there is no curve to draw.
        if cases().filter(CurveCase::event).all(|case| case.utility() == -1.0) {
            return Err(Score::Value(0.0));
        }
        if cases().all(|case| case.event()) {
            return Err(Score::Undefined(Undefined::EmptyClass));
        }
        Ok(UbaCurve::of_cases(cases().collect(), self.sums.beta))
    }

    fn growth(&self) -> Result<Score> {
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
