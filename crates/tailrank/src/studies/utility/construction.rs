//! UT08's two models without its data: one set of errors, laid out twice over the same cases. M1 has its
//! large errors on the relevant cases, M2 its small ones.
//!
//! Values and errors are multiples of 1/16, so that sums of errors and of squares are exact and the two
//! models' MAD and MSE are equal to the bit.

use tailrank_metrics::utility::Ut08;

use super::{P, T, relevance};
use crate::studies::prelude::*;

const CASES: usize = 100;
/// An admissible error at which the construction's errors lie on both sides.
const T_SMALL: f64 = 3.0;

/// The cases and the two models.
pub(super) struct Pair {
    truth: Vec<f64>,
    models: [(&'static str, Vec<f64>); 2],
}

fn sixteenths(v: f64) -> f64 {
    (16.0 * v).round() / 16.0
}

impl Pair {
    /// A normal-like target with heavy tails around 22, of which a few cases lie above 40; errors like those
    /// of Table 1 (MAD 1.6, MSE 4.7): exponential.
    pub(super) fn new() -> Self {
        let u = |i: usize| (i as f64 + 0.5) / CASES as f64;
        // Quantiles of a logistic and of an exponential distribution.
        let truth: Vec<f64> =
            (0..CASES).map(|i| sixteenths(22.0 + 7.0 * (u(i) / (1.0 - u(i))).ln())).collect();
        let errors: Vec<f64> = (0..CASES).map(|i| sixteenths(-1.58 * (1.0 - u(i)).ln())).collect();
        // Relevance grows with the value, and so does the place of a case.
        let model = |error_of: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..CASES).map(|i| truth[i] + if i % 2 == 0 { error_of(i) } else { -error_of(i) }).collect()
        };
        let models = [("M1", model(&|i| errors[i])), ("M2", model(&|i| errors[CASES - 1 - i]))];
        Self { truth, models }
    }

    /// The mean of both models' absolute errors to a power.
    fn errors(&self, power: i32) -> [f64; 2] {
        self.models.each_ref().map(|(_, model)| {
            let errors = self.truth.iter().zip(model).map(|(y, z)| (z - y).abs().powi(power));
            mean(&errors.collect::<Vec<_>>())
        })
    }

    fn utilities(&self, t: f64) -> Result<[f64; 2]> {
        let (phi, utility) = (relevance()?, Ut08::new(1.0, t, P, None)?);
        let of = |m: usize| utility.mean(&self.truth, &self.models[m].1, &phi);
        Ok([of(0)?, of(1)?].map(|mean| mean.value().unwrap_or(f64::NAN)))
    }

    pub(super) fn claims(&self) -> Result<Vec<Claim>> {
        let (mad, mse, u) = (self.errors(1), self.errors(2), self.utilities(T_SMALL)?);
        Ok(vec![
            claim("utility/construction-equal")
                .holds(mad[0] == mad[1] && mse[0] == mse[1], &[&mad[0], &mad[1], &mse[0], &mse[1]]),
            claim("utility/construction-apart")
                .holds(u[0] < 0.0 && u[1] > 0.0, &[&digits(u[0]), &digits(u[1]), &T_SMALL, &P]),
        ])
    }

    pub(super) fn table(&self) -> Result<Table> {
        let columns = [self.errors(1), self.errors(2), self.utilities(T_SMALL)?, self.utilities(T)?];
        let row = |(m, (name, _)): (usize, &(&str, Vec<f64>))| {
            [(*name).to_owned()].into_iter().chain(columns.map(|column| format!("{:.4}", column[m])))
        };
        Ok(words::table("utility/construction").with_rows(self.models.iter().enumerate().map(row)))
    }

    /// UT08 Fig. 1: the predictions of both models.
    pub(super) fn figures(&self) -> Result<Vec<Figure>> {
        let relevance = relevance()?;
        let draw = |(name, predicted): &(&str, Vec<f64>)| {
            let data = PredictedTrue {
                variant: Variant { label: name, family: name },
                target: Quantity::new("value", ""),
                truth: &self.truth,
                predicted,
                relevance: &relevance,
                t_e: 0.5,
                accuracy: None,
                dates: None,
            };
            scatter("fig_1", Heading::of("UT08 Fig. 1, rebuilt"), &data)
        };
        self.models.iter().map(draw).collect()
    }
}
