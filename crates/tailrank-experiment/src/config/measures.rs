//! `[measures]`: which measures are computed, with their settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_metrics::{Measure, registry::Need};

use super::{ByHorizon, Trading};
use crate::problem::{Problem, Problems};

/// Which measures are computed, with their settings.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Measures {
    /// Measures by id; `tailrank list metrics` names all.
    #[serde(rename = "list")]
    pub ids: Vec<String>,
    /// Shape of α, the accuracy of a prediction (PR09 eq. 8–9).
    pub alpha: AlphaShape,
    /// t_L: the largest error that still counts as a good prediction, in units of the target; for all tasks,
    /// for each horizon, or relative to the training targets (`"0.25 sd"`, `"0.1 iqr"`).
    pub t_l: Option<ByHorizon>,
    /// k of the smooth α (PR09 eq. 9).
    pub alpha_k: f64,
    /// β of F (PR09 eq. 11): below 1 favours precision.
    pub beta: f64,
    /// Settings of the utility of UT08.
    pub utility: UtilitySettings,
    /// Costs of `linlin` and `quadquad`.
    pub loss: LossCosts,
    /// Constants of `linex`.
    pub linex: LinexConstants,
}

/// What a single task sets differently in `[measures]`; the list of measures is the same for all.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TaskMeasures {
    /// Shape of α.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<AlphaShape>,
    /// t_L.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_l: Option<ByHorizon>,
    /// k of the smooth α.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_k: Option<f64>,
    /// β of F.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// Settings of the utility.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utility: Option<UtilitySettings>,
    /// Costs of `linlin` and `quadquad`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<LossCosts>,
    /// Constants of `linex`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linex: Option<LinexConstants>,
}

/// A setting that a measure cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingSetting {
    /// The measure.
    pub measure: Measure,
    /// The key in `[measures]`, or the section.
    pub key: &'static str,
    /// What it is.
    pub what: &'static str,
}

impl std::fmt::Display for MissingSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}", self.key, self.what)
    }
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

/// What an error costs in LINLIN (PR09 eq. 1) and QUAD-QUAD. With costs of 1 they are the mean absolute and
/// the mean squared error.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LossCosts {
    /// c_o: cost of predicting too much, per unit of error (LINLIN) or of its square (QUAD-QUAD).
    pub over: f64,
    /// c_u: cost of predicting too little.
    pub under: f64,
}

/// Constants of LINEX, b·(exp(a·(y − ŷ)) − a·(y − ŷ) − 1) (Christoffersen & Diebold 1996).
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LinexConstants {
    /// a: above 0 the loss of predicting too little grows exponentially, below 0 that of predicting too much.
    /// In units of 1 / target: for returns of a few percent, 100 is a strong asymmetry and 1 is almost none.
    pub shape: f64,
    /// b: factor of the whole loss.
    pub scale: f64,
}

impl Default for LossCosts {
    fn default() -> Self {
        Self { over: 1.0, under: 1.0 }
    }
}

impl Default for LinexConstants {
    fn default() -> Self {
        Self { shape: 1.0, scale: 1.0 }
    }
}

impl Measures {
    /// These settings with those of a task in their place.
    #[must_use]
    pub fn with(&self, own: &TaskMeasures) -> Self {
        let own = own.clone();
        Self {
            ids: self.ids.clone(),
            alpha: own.alpha.unwrap_or(self.alpha),
            t_l: own.t_l.or_else(|| self.t_l.clone()),
            alpha_k: own.alpha_k.unwrap_or(self.alpha_k),
            beta: own.beta.unwrap_or(self.beta),
            utility: own.utility.unwrap_or_else(|| self.utility.clone()),
            loss: own.loss.unwrap_or_else(|| self.loss.clone()),
            linex: own.linex.unwrap_or_else(|| self.linex.clone()),
        }
    }

    /// The measures asked for, each once, in order, and the problems of ids that name none.
    pub(crate) fn measures(&self) -> (Vec<Measure>, Vec<Problem>) {
        let (mut measures, mut problems) = (Vec::new(), Vec::new());
        for (i, id) in self.ids.iter().enumerate() {
            match Measure::from_id(id) {
                Ok(m) if measures.contains(&m) => {}
                Ok(m) => measures.push(m),
                Err(e) => problems.push(Problem::new(format!("measures.list.{}", i + 1), e.to_string())),
            }
        }
        if self.ids.is_empty() {
            problems
                .push(Problem::new("measures.list", "name at least one measure (`tailrank list metrics`)"));
        }
        (measures, problems)
    }

    /// These settings as a task with this horizon has them.
    #[must_use]
    pub fn at(&self, horizon: Option<usize>) -> Self {
        let t_l = self.t_l.as_ref().and_then(|t_l| match t_l {
            ByHorizon::Relative(_) => Some(t_l.clone()),
            _ => t_l.at(horizon).map(ByHorizon::All),
        });
        Self { t_l, ..self.clone() }
    }

    /// What a measure needs and these settings do not give.
    pub(super) fn missing(
        &self,
        measure: Measure,
        trading: Option<&Trading>,
    ) -> impl Iterator<Item = MissingSetting> {
        measure.info().needs.iter().filter_map(move |need| {
            let (key, what) = match need {
                Need::Accuracy if self.t_l.is_none() => {
                    ("t_l", "the largest error that still counts as good, in units of the target")
                }
                Need::Utility if self.t_l.is_none() && self.utility.t.is_none() => {
                    ("utility.t", "the largest admissible error; t_l will do")
                }
                Need::Trading if trading.is_none() => ("[trading]", "the section that holds its threshold"),
                _ => return None,
            };
            Some(MissingSetting { measure, key, what })
        })
    }

    /// What the measures that are listed need and these settings do not give.
    pub fn missing_settings(&self, trading: Option<&Trading>) -> Vec<MissingSetting> {
        self.measures().0.into_iter().flat_map(|measure| self.missing(measure, trading)).collect()
    }

    /// What is wrong with these settings: unknown measures, measures without what they need, and numbers that
    /// none can be computed with.
    pub(crate) fn problems(&self, trading: Option<&Trading>) -> Vec<Problem> {
        let mut section = Problems { section: "measures", found: self.measures().1 };
        for missing in self.missing_settings(trading) {
            section
                .found
                .push(Problem::new("measures", format!("'{}' needs {missing}", missing.measure.id())));
        }
        let above = |v: f64| v > 0.0 && v.is_finite();
        let from = |v: f64| v >= 0.0 && v.is_finite();
        let (utility, loss, linex) = (&self.utility, &self.loss, &self.linex);
        let unit = "must be above 0, in units of the target";
        let tolerances = self.t_l.iter().flat_map(|t_l| t_l.values("t_l"));
        tolerances.for_each(|(key, value)| section.number(&key, value, above(value), unit));
        section.number("alpha_k", self.alpha_k, above(self.alpha_k), "must be above 0, such as 8");
        let expected = "must be 0 or more: below 1 favours precision, above 1 recall";
        section.number("beta", self.beta, from(self.beta), expected);
        section.number("utility.benefit", utility.benefit, above(utility.benefit), "must be above 0");
        section.number("utility.t", utility.t.unwrap_or(1.0), utility.t.is_none_or(above), unit);
        let is_share = (0.0..=1.0).contains(&utility.p);
        section.number("utility.p", utility.p, is_share, "must lie between 0 and 1");
        section.number("loss.over", loss.over, from(loss.over), "must be 0 or more");
        section.number("loss.under", loss.under, from(loss.under), "must be 0 or more");
        let is_shape = linex.shape.is_finite() && linex.shape != 0.0;
        section.number("linex.shape", linex.shape, is_shape, "must be a number other than 0");
        section.number("linex.scale", linex.scale, above(linex.scale), "must be above 0");
        let message = "with over = 0 and under = 0 every error would be free; raise one";
        section.check("loss", loss.over != 0.0 || loss.under != 0.0, message);
        section.found
    }
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
            loss: LossCosts::default(),
            linex: LinexConstants::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        let measures: Measures = toml::from_str(text).unwrap();
        measures.problems(None).into_iter().map(|p| p.key).collect()
    }

    /// Those of PR09 and of the documents: F counts precision and recall alike, α is smooth with k = 8,
    /// utility has p = ½.
    #[test]
    fn nothing_said_means_the_documented_settings() {
        let measures: Measures = toml::from_str("").unwrap();
        assert_eq!((measures.alpha_k, measures.beta, measures.t_l), (8.0, 1.0, None));
        assert_eq!((measures.utility.benefit, measures.utility.t, measures.utility.p), (1.0, None, 0.5));
        assert!(matches!(measures.alpha, AlphaShape::Smooth));
        // Losses without costs of their own are the mean absolute and squared error; LINEX has its plain
        // form.
        assert_eq!((measures.loss.over, measures.loss.under), (1.0, 1.0));
        assert_eq!((measures.linex.shape, measures.linex.scale), (1.0, 1.0));
    }

    #[test]
    fn unknown_measures_missing_needs_and_wrong_numbers_are_told_together() {
        assert_eq!(
            keys("list = [\"mad\", \"madd\", \"f\"]\nbeta = -1\n[loss]\nunder = nan\n[linex]\nshape = 0"),
            ["measures.list.2", "measures", "measures.beta", "measures.loss.under", "measures.linex.shape"]
        );
        assert_eq!(keys("list = [\"mad\"]\n[loss]\nover = 0\nunder = 0"), ["measures.loss"]);
        assert_eq!(keys("list = [\"mad\"]\n[loss]\nover = 0"), [""; 0], "one side may be free");
        assert_eq!(keys("list = [\"linex\"]\n[linex]\nshape = -3.5\nscale = 0.0"), ["measures.linex.scale"]);
        assert_eq!(keys("list = []"), ["measures.list"]);
        // A utility needs a largest error, its own or that of the accuracy.
        assert_eq!(keys("list = [\"utility\"]"), ["measures"]);
        assert_eq!(keys("list = [\"utility\"]\nt_l = 0.5"), [""; 0]);
        assert_eq!(keys("list = [\"utility\"]\n[utility]\nt = 0.5"), [""; 0]);
    }
}
