//! UT08's two models without its data: one set of errors, laid out twice over the same cases. M1 has its large errors on the
//! relevant cases, M2 its small ones.
//!
//! Values and errors are multiples of 1/16, so that sums of errors and of squares are exact and the two models' MAD and MSE
//! are equal to the bit.

use tailrank_metrics::{Relevance, utility::Ut08};
use tailrank_report::{
    claims::Claim,
    figures::{Heading, PredictedTrue, Quantity, Variant, predicted_true},
};

use super::{P, RELEVANT, T};
use crate::studies::{
    Figure, Result, Table,
    decide::{digits, identity},
};

const CASES: usize = 100;
/// An admissible error at which the construction's errors lie on both sides.
const T_SMALL: f64 = 3.0;

/// The cases and the two models.
pub(super) struct Pair {
    truth: Vec<f64>,
    m1: Vec<f64>,
    m2: Vec<f64>,
}

fn sixteenths(v: f64) -> f64 {
    (16.0 * v).round() / 16.0
}

impl Pair {
    /// A normal-like target with heavy tails around 22, of which a few cases lie above 40; errors like those of Table 1
    /// (MAD 1.6, MSE 4.7): exponential.
    pub(super) fn new() -> Result<Self> {
        let u = |i: usize| (i as f64 + 0.5) / CASES as f64;
        // Quantiles of a logistic and of an exponential distribution.
        let truth: Vec<f64> =
            (0..CASES).map(|i| sixteenths(22.0 + 7.0 * (u(i) / (1.0 - u(i))).ln())).collect();
        let errors: Vec<f64> = (0..CASES).map(|i| sixteenths(-1.58 * (1.0 - u(i)).ln())).collect();
        // Relevance grows with the value, and so does the place of a case.
        let model = |error_of: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..CASES).map(|i| truth[i] + if i % 2 == 0 { error_of(i) } else { -error_of(i) }).collect()
        };
        let (m1, m2) = (model(&|i| errors[i]), model(&|i| errors[CASES - 1 - i]));
        Ok(Self { truth, m1, m2 })
    }

    fn mean_error(&self, model: &[f64], power: i32) -> f64 {
        self.truth.iter().zip(model).map(|(y, z)| (z - y).abs().powi(power)).sum::<f64>() / CASES as f64
    }

    fn utility(&self, model: &[f64], t: f64) -> Result<f64> {
        let phi = Relevance::sigmoid(None, Some(RELEVANT), 0.5, 1e-4)?;
        let mean = Ut08::new(1.0, t, P, None)?.mean(&self.truth, model, &phi)?;
        Ok(mean.value().unwrap_or(f64::NAN))
    }

    pub(super) fn claims(&self) -> Result<Vec<Claim>> {
        let (mad, mse) = (
            [self.mean_error(&self.m1, 1), self.mean_error(&self.m2, 1)],
            [self.mean_error(&self.m1, 2), self.mean_error(&self.m2, 2)],
        );
        let u = [self.utility(&self.m1, T_SMALL)?, self.utility(&self.m2, T_SMALL)?];
        Ok(vec![
            identity(
                "UT08 §2, Table 1",
                "Two models with the same errors on different cases have equal MAD and MSE.",
            )
            .holds(
                equal(mad) && equal(mse),
                format!("MAD {:.4} and {:.4}, MSE {:.4} and {:.4}.", mad[0], mad[1], mse[0], mse[1]),
                "the same construction with 100 cases; agree if equal to the bit, differ otherwise",
            ),
            identity("UT08 §3.3, Table 2", "Ū tells them apart: negative for M1, positive for M2.").holds(
                apart(u),
                format!("Ū {} for M1, {} for M2 (t = {T_SMALL}, p = {P}).", digits(u[0]), digits(u[1])),
                "agree if the first mean is below 0 and the second above, differ otherwise",
            ),
        ])
    }

    pub(super) fn table(&self) -> Result<Table> {
        let at_small = format!("Ū, t = {T_SMALL}");
        let at_15 = format!("Ū, t = {T}");
        let headings = ["model", "MAD", "MSE", &at_small, &at_15];
        let mut table = Table::new("construction", "UT08 Table 2, rebuilt with 100 cases", &headings);
        for (name, model) in [("M1", &self.m1), ("M2", &self.m2)] {
            table.row([
                name.to_owned(),
                format!("{:.4}", self.mean_error(model, 1)),
                format!("{:.4}", self.mean_error(model, 2)),
                format!("{:.4}", self.utility(model, T_SMALL)?),
                format!("{:.4}", self.utility(model, T)?),
            ]);
        }
        Ok(table)
    }

    /// UT08 Fig. 1: the predictions of both models.
    pub(super) fn figures(&self) -> Result<Vec<Figure>> {
        let relevance = Relevance::sigmoid(None, Some(RELEVANT), 0.5, 1e-4)?;
        let mut figures = Vec::new();
        for (name, predicted) in [("M1", &self.m1), ("M2", &self.m2)] {
            let data = PredictedTrue {
                heading: Heading { title: None, context: "UT08 Fig. 1, rebuilt" },
                variant: Variant { label: name, family: name },
                target: Quantity::new("value", ""),
                truth: &self.truth,
                predicted,
                relevance: &relevance,
                t_e: 0.5,
                accuracy: None,
            };
            figures.push(Figure {
                name: format!("fig_1_{}", name.to_lowercase()),
                svg: predicted_true(&data)?.svg,
            });
        }
        Ok(figures)
    }
}

fn equal(pair: [f64; 2]) -> bool {
    pair[0] == pair[1]
}

/// The first below 0, the second above.
fn apart(utilities: [f64; 2]) -> bool {
    utilities[0] < 0.0 && utilities[1] > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_equal_or_apart() {
        assert!(equal([1.5, 1.5]) && !equal([1.5, 1.5 + 1e-15]));
        assert!(apart([-0.1, 0.1]) && !apart([0.1, 0.2]) && !apart([-0.1, -0.2]) && !apart([f64::NAN, 0.1]));
    }
}
