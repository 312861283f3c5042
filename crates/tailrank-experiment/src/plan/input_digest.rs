//! What everything derived from a plan's cells is made from.

use serde::{Deserialize, Serialize};

use crate::{config::Experiment, digest::digest};

/// What tables are made from: tables of the same inputs are the same bytes, whoever writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputDigest {
    /// Names the cells of the plan.
    pub cells: String,
    /// Digest of the experiment's settings.
    #[serde(default)]
    pub settings: String,
    /// Fingerprint of the data of all tasks.
    #[serde(default)]
    pub data: String,
}

/// Names the settings of an experiment, whatever its text looks like. Limits decide whether a fit fails,
/// never what is made of the fits.
pub fn settings_digest(experiment: &Experiment) -> String {
    let mut settings = serde_json::to_value(experiment).unwrap_or_default();
    if let Some(keys) = settings.as_object_mut() {
        keys.remove("limits");
    }
    digest(settings.to_string().as_bytes())
}
