//! `[trading]`: the rule that turns predicted returns into trades.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Long above the threshold, short below minus the threshold (PR09 §5.2).
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trading {
    /// Predicted return from which a trade is made, such as 0.02.
    pub threshold: f64,
}
