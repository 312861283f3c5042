//! Parameters as users write them, and the tables they are checked against.

use std::{collections::BTreeMap, fmt};

use crate::{ModelError, Result};

/// A parameter value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(untagged, expecting = "a parameter is a number, a text, true or false"))]
pub enum ParamValue {
    /// true or false.
    Flag(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Real(f64),
    /// A word.
    Text(String),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(v) => write!(f, "{v}"),
            Self::Real(v) => write!(f, "{v}"),
            Self::Flag(v) => write!(f, "{v}"),
            Self::Text(v) => f.write_str(v),
        }
    }
}

impl ParamValue {
    /// The number it is; none of words and flags.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(v) => Some(*v as f64),
            Self::Real(v) => Some(*v),
            Self::Flag(_) | Self::Text(_) => None,
        }
    }
}

/// One parameter: name = default, what it accepts, what it is.
macro_rules! parameter {
    ($name:literal = $default:literal, $kind:expr, $doc:literal) => {
        $crate::ParamSpec { name: $name, kind: $kind, default: $default, doc: $doc }
    };
}

/// A table of parameters, one after the other as in [`parameter`].
macro_rules! parameters {
    ($($name:literal = $default:literal, $kind:expr, $doc:literal;)*) => {
        &[$($crate::parameter!($name = $default, $kind, $doc)),*]
    };
}

pub(crate) use {parameter, parameters};

/// What a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// Whole numbers in a closed range.
    Int {
        /// Smallest allowed.
        min: i64,
        /// Largest allowed.
        max: i64,
    },
    /// Finite real numbers in a range.
    Real {
        /// Lower end.
        min: f64,
        /// Whether `min` itself is excluded.
        above: bool,
        /// Upper end, included.
        max: f64,
    },
    /// true or false.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or a finite real number in a range.
    ChoiceOrReal {
        /// The words.
        words: &'static [&'static str],
        /// Lower end, excluded.
        above: f64,
        /// Upper end, included.
        max: f64,
    },
}

impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Int { min, max: i64::MAX } => write!(f, "a whole number, at least {min}"),
            Self::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Real { min, above, max } => {
                let from = if above { "above" } else { "at least" };
                match (min == f64::NEG_INFINITY, max == f64::INFINITY) {
                    (true, true) => write!(f, "a number"),
                    (true, false) => write!(f, "a number, at most {max}"),
                    (false, true) => write!(f, "a number {from} {min}"),
                    (false, false) => write!(f, "a number {from} {min} and at most {max}"),
                }
            }
            Self::Flag => f.write_str("true or false"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::ChoiceOrReal { words, above, max } => {
                let number = Self::Real { min: above, above: true, max };
                write!(f, "one of {}, or {number}", words.join(", "))
            }
        }
    }
}

/// One row of a family's parameter table.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// Name in configurations.
    pub name: &'static str,
    /// What is accepted.
    pub kind: ParamKind,
    /// The default as a user would write it; `"auto"` where it depends on the data.
    pub default: &'static str,
    /// One line for `tailrank list models`.
    pub doc: &'static str,
}

impl ParamSpec {
    /// The default as a value; none where it depends on the data.
    pub(crate) fn default_value(&self) -> Option<ParamValue> {
        match self.default {
            "auto" => None,
            "true" | "false" => Some(ParamValue::Flag(self.default == "true")),
            text => Some(text.parse().map_or_else(|_| ParamValue::from(text), ParamValue::Real)),
        }
    }
}

/// The parameters of one variant, ordered by name.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Params(BTreeMap<String, ParamValue>);

impl Params {
    /// No parameters: every default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets one parameter; for building variants in code.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<ParamValue>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Sets one parameter.
    pub fn insert(&mut self, name: &str, value: ParamValue) {
        self.0.insert(name.to_owned(), value);
    }

    /// The value as written, if the variant sets it.
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        self.0.get(name)
    }

    /// Names and values in order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ParamValue)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v))
    }

    /// The same parameters without `names`: what variants that share work have in common.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut kept = self.clone();
        kept.0.retain(|name, _| !names.contains(&name.as_str()));
        kept
    }

    /// A whole-number parameter that passed [`check_variant`](crate::check_variant()), or `default`.
    pub fn int(&self, name: &str, default: i64) -> i64 {
        match self.0.get(name) {
            Some(ParamValue::Int(v)) => *v,
            Some(ParamValue::Real(v)) => *v as i64,
            _ => default,
        }
    }

    /// A real parameter that passed [`check_variant`](crate::check_variant()), or `default`.
    pub fn real(&self, name: &str, default: f64) -> f64 {
        self.0.get(name).and_then(ParamValue::number).unwrap_or(default)
    }

    /// A flag that passed [`check_variant`](crate::check_variant()), or `default`.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        match self.0.get(name) {
            Some(ParamValue::Flag(v)) => *v,
            _ => default,
        }
    }

    /// A word that passed [`check_variant`](crate::check_variant()), or `default`.
    pub fn text<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        match self.0.get(name) {
            Some(ParamValue::Text(v)) => v,
            _ => default,
        }
    }
}

impl fmt::Display for Params {
    /// The canonical form `a=1,b=0.5`: equal parameters print equally, so it also serves as a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (k, v)) in self.0.iter().enumerate() {
            write!(f, "{}{k}={v}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

macro_rules! from {
    ($($type:ty => $kind:ident),*) => {
        $(impl From<$type> for ParamValue {
            fn from(v: $type) -> Self {
                Self::$kind(v.into())
            }
        })*
    };
}

from!(i64 => Int, f64 => Real, bool => Flag, &str => Text);

/// Checks every parameter of `variant` against the family's table.
pub(crate) fn check(family: &'static str, specs: &[ParamSpec], variant: &Params) -> Result<()> {
    for (name, value) in variant.iter() {
        let Some(spec) = specs.iter().find(|s| s.name == name) else {
            return Err(unknown(family, specs, name));
        };
        if !accepts(spec.kind, value) {
            return Err(ModelError::parameter(family, name, value, format!("use {}", spec.kind)));
        }
    }
    Ok(())
}

fn accepts(kind: ParamKind, value: &ParamValue) -> bool {
    match (kind, value) {
        (ParamKind::Int { min, max }, ParamValue::Int(v)) => (min..=max).contains(v),
        (ParamKind::Int { min, max }, ParamValue::Real(v)) => {
            v.fract() == 0.0 && *v >= min as f64 && *v <= max as f64
        }
        (ParamKind::Real { .. }, ParamValue::Int(v)) => accepts(kind, &ParamValue::Real(*v as f64)),
        (ParamKind::Real { min, above, max }, ParamValue::Real(v)) => {
            v.is_finite() && *v <= max && if above { *v > min } else { *v >= min }
        }
        (ParamKind::Flag, ParamValue::Flag(_)) => true,
        (ParamKind::Choice(words) | ParamKind::ChoiceOrReal { words, .. }, ParamValue::Text(v)) => {
            words.contains(&v.as_str())
        }
        (ParamKind::ChoiceOrReal { above, max, .. }, _) => {
            accepts(ParamKind::Real { min: above, above: true, max }, value)
        }
        _ => false,
    }
}

pub(crate) fn unknown(family: &'static str, specs: &[ParamSpec], name: &str) -> ModelError {
    let names: Vec<&str> = specs.iter().map(|s| s.name).collect();
    let hint = hint(name, &names, "it has");
    ModelError::Missing { family, what: "parameter", name: name.to_owned(), hint }
}

/// The most similar known name, if one is similar at all; one letter is like every word that begins with it.
///
/// ```
/// use tailrank_models::nearest;
///
/// assert_eq!(nearest("forrest", ["cart", "forest", "svm"]), Some("forest"));
/// assert_eq!((nearest("wavelet", ["cart", "svm"]), nearest("s", ["svm"])), (None, None));
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|k| (strsim::jaro_winkler(k, name), k))
        .filter(|(likeness, _)| *likeness > 0.75 && name.chars().nth(1).is_some())
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k)
}

/// What to say of an unknown name: the nearest one, or all of them behind `list`.
pub(crate) fn hint(name: &str, known: &[&str], list: &str) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("; did you mean '{near}'?"),
        None => format!("; {list}: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[ParamSpec] = &[
        ParamSpec { name: "size", kind: ParamKind::Int { min: 1, max: i64::MAX }, default: "5", doc: "" },
        ParamSpec {
            name: "decay",
            kind: ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
            default: "0",
            doc: "",
        },
        ParamSpec { name: "kernel", kind: ParamKind::Choice(&["rbf", "linear"]), default: "rbf", doc: "" },
    ];

    #[test]
    fn messages_name_parameter_value_and_range() {
        let err = check("nnet", SPECS, &Params::new().with("size", 0)).unwrap_err();
        assert_eq!(err.to_string(), "nnet: size = 0 is not allowed: use a whole number, at least 1");
        let err = check("nnet", SPECS, &Params::new().with("decay", -0.5)).unwrap_err();
        assert_eq!(err.to_string(), "nnet: decay = -0.5 is not allowed: use a number at least 0");
        // A whole number may be written with a point; what is not whole, or too small, is refused either way.
        assert!(check("nnet", SPECS, &Params::new().with("size", 3.0)).is_ok());
        for wrong in [2.5, 0.0, -3.0, 1e300, f64::NEG_INFINITY, f64::NAN] {
            let err = check("nnet", SPECS, &Params::new().with("size", wrong)).unwrap_err().to_string();
            assert!(err.ends_with("is not allowed: use a whole number, at least 1"), "{err}");
        }
        let err = check("nnet", SPECS, &Params::new().with("dekay", 0.5)).unwrap_err();
        assert_eq!(err.to_string(), "nnet has no parameter 'dekay'; did you mean 'decay'?");
        let err = check("svm", SPECS, &Params::new().with("kernel", "cubic")).unwrap_err();
        assert_eq!(err.to_string(), "svm: kernel = cubic is not allowed: use one of rbf, linear");
    }

    #[test]
    fn canonical_form_is_ordered() {
        let a = Params::new().with("size", 5).with("decay", 0.1);
        let b = Params::new().with("decay", 0.1).with("size", 5);
        assert_eq!(a.to_string(), "decay=0.1,size=5");
        assert_eq!(a.to_string(), b.to_string());
    }
}
