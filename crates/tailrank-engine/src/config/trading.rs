//! `[trading]`: the rule that turns predicted returns into trades.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Problem;

/// Long above the threshold, short below minus the threshold (PR09 §5.2).
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trading {
    /// Predicted return from which a trade is made, such as 0.02.
    pub threshold: f64,
    /// Cost of a trade as a return, such as 0.001 for a tenth of a percent; taken from the return of every trade.
    #[serde(default)]
    pub cost: f64,
}

impl Trading {
    /// What is wrong with these settings.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let returns = [
            ("threshold", self.threshold, "must be a return of 0 or more, such as 0.02"),
            ("cost", self.cost, "must be a return of 0 or more, such as 0.001"),
        ];
        let wrong = returns.into_iter().filter(|(_, value, _)| !(*value >= 0.0 && value.is_finite()));
        wrong
            .map(|(key, value, expected)| {
                Problem::new(format!("trading.{key}"), format!("{value} {expected}"))
            })
            .collect()
    }
}
