//! `[limits]`: what a run may use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits of time and memory.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds one cell may take; no limit if absent.
    pub cell_seconds: Option<f64>,
    /// Memory for all cells that run together, in MB.
    pub memory_mb: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { cell_seconds: None, memory_mb: 4096 }
    }
}
