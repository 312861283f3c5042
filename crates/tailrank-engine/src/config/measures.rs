//! `[measures]`: which measures are computed, with their settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which measures are computed, with their settings.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Measures {
    /// Measures by id; `tailrank list metrics` names all.
    #[serde(rename = "list")]
    pub ids: Vec<String>,
    /// Shape of α, the accuracy of a prediction (PR09 eq. 8–9).
    pub alpha: AlphaShape,
    /// t_L: the largest error that still counts as a good prediction, in units of the target.
    pub t_l: Option<f64>,
    /// k of the smooth α (PR09 eq. 9).
    pub alpha_k: f64,
    /// β of F (PR09 eq. 11): below 1 favours precision.
    pub beta: f64,
    /// Settings of the utility of UT08.
    pub utility: UtilitySettings,
}

/// Shape of α.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlphaShape {
    /// 1 up to t_L, then 0 (PR09 eq. 8).
    Indicator,
    /// Falls linearly to 0 at t_L.
    Linear,
    /// Falls smoothly to 0 at t_L (PR09 eq. 9).
    #[default]
    Smooth,
}

/// Settings of the utility of UT08 eq. 1–2.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UtilitySettings {
    /// B: the largest benefit.
    pub benefit: f64,
    /// t: the largest admissible error; t_L if absent.
    pub t: Option<f64>,
    /// p: above 0.5 missed events weigh more than false alarms.
    pub p: f64,
}

impl Default for UtilitySettings {
    fn default() -> Self {
        Self { benefit: 1.0, t: None, p: 0.5 }
    }
}

impl Default for Measures {
    fn default() -> Self {
        let ids = ["mad", "mse", "rmse", "precision", "recall", "f", "utility", "sera"];
        Self {
            ids: ids.map(str::to_owned).to_vec(),
            alpha: AlphaShape::Smooth,
            t_l: None,
            alpha_k: 8.0,
            beta: 1.0,
            utility: UtilitySettings::default(),
        }
    }
}
