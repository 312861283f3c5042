//! `[trading]`: the rule that turns predicted returns into trades.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_metrics::backtest::Position;

use super::{ByHorizon, Problem};
use crate::problem::Problems;

/// Long above the threshold, short below minus the threshold (PR09 §5.2).
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trading {
    /// Predicted return from which a trade is made, such as 0.02; for all tasks, or for each horizon.
    pub threshold: ByHorizon,
    /// Cost of a side as a share of what is bought or sold, such as 0.0005 for a twentieth of a percent;
    /// opening and closing a position are two sides. 0 if not given.
    #[serde(default)]
    pub cost: f64,
    /// What the account does about signals that come while a position is open. "one" if not given.
    #[serde(default)]
    pub position: Position,
}

impl Trading {
    /// What is wrong with these settings.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut section = Problems::of("trading");
        let mut check = |key: &str, value: f64, such_as: &str| {
            let message = format!("{value} must be a return of 0 or more, such as {such_as}");
            section.check(key, value >= 0.0 && value.is_finite(), message);
        };
        self.threshold.values("threshold").for_each(|(key, value)| check(&key, value, "0.02"));
        check("cost", self.cost, "0.001");
        section.found
    }

    /// This rule as a task with this horizon has it.
    #[must_use]
    pub fn at(&self, horizon: Option<usize>) -> Option<Self> {
        let threshold = ByHorizon::All(self.threshold.at(horizon)?);
        Some(Self { threshold, ..self.clone() })
    }
}
