//! What is predicted of a series, and what its lags are: returns, differences or the values themselves.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Domain;

/// What is taken of a series, over a horizon of h sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Transform {
    /// R_h(t) = (C(t) − C(t−h)) / C(t−h), of values above zero (PR09 §5.2).
    #[default]
    Return,
    /// L_h(t) = ln C(t) − ln C(t−h), of values above zero.
    LogReturn,
    /// D_h(t) = C(t) − C(t−h), of any values.
    Difference,
    /// Y(t) = C(t), of any values.
    Level,
}

impl Transform {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Transform; 4] = [Self::Return, Self::LogReturn, Self::Difference, Self::Level];

    /// The kind as a config names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Return => "return",
            Self::LogReturn => "log-return",
            Self::Difference => "difference",
            Self::Level => "level",
        }
    }

    /// Whether a position bought at the origin earns it: a rate or a temperature cannot be bought.
    pub fn is_tradable(self) -> bool {
        matches!(self, Self::Return | Self::LogReturn)
    }

    /// Which values a series must have for it.
    pub fn domain(self) -> Domain {
        match self {
            Self::Return | Self::LogReturn => Domain::Positive,
            Self::Difference | Self::Level => Domain::Real,
        }
    }

    /// The transformed series; it starts at session `horizon`, and for levels at the first.
    ///
    /// ```
    /// use tailrank_data::Transform;
    /// let rain = [0.0, 3.0, 1.0];
    /// assert_eq!(Transform::Difference.of(&rain, 1), [3.0, -2.0]);
    /// assert_eq!(Transform::Level.of(&rain, 1), rain);
    /// assert_eq!(Transform::LogReturn.of(&[1.0, 1.0, 1.0], 2), [0.0]);
    /// ```
    pub fn of(self, values: &[f64], horizon: usize) -> Vec<f64> {
        let later = values.get(horizon..).unwrap_or_default();
        match self {
            Self::Return => returns(values, horizon),
            Self::LogReturn => later.iter().zip(values).map(|(now, then)| (now / then).ln()).collect(),
            Self::Difference => later.iter().zip(values).map(|(now, then)| now - then).collect(),
            Self::Level => values.to_vec(),
        }
    }

    /// Sessions before the first transformed value: how far a value reaches back.
    pub(crate) fn reach(self, horizon: usize) -> usize {
        if self == Self::Level { 0 } else { horizon }
    }

    /// `R3`, `L3`, `D3` or `Y`.
    pub(crate) fn symbol(self, horizon: usize) -> String {
        match self {
            Self::Return => format!("R{horizon}"),
            Self::LogReturn => format!("L{horizon}"),
            Self::Difference => format!("D{horizon}"),
            Self::Level => "Y".to_owned(),
        }
    }
}

impl fmt::Display for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// R_h(t) = (C(t) − C(t−h)) / C(t−h), PR09 §5.2; the answer starts at t = h.
///
/// ```
/// use tailrank_data::returns;
/// assert_eq!(returns(&[100.0, 110.0, 99.0], 1), [0.1, -0.1]);
/// assert_eq!(returns(&[100.0, 110.0, 99.0], 2), [-0.01]);
/// assert!(returns(&[100.0], 1).is_empty());
/// ```
pub fn returns(prices: &[f64], horizon: usize) -> Vec<f64> {
    let later = prices.get(horizon..).unwrap_or_default();
    later.iter().zip(prices).map(|(now, then)| (now - then) / then).collect()
}
