//! Measures that are no function of sums over the cases: medians, curves, accounts.

use super::part::Part;
use super::scorer::Derived;
use crate::error::Result;
use crate::pr_curve::area_below;
use crate::registry::OwnMeasure;
use crate::score::{Score, Undefined};
use crate::trading::TradingRecord;

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
