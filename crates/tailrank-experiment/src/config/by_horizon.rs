//! A number that may be another one for each horizon: five days of returns spread wider than one.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use toml::Value;

use super::{Data, Problem, Target};

/// A number for all tasks, one for each horizon, or one in units of the training targets' spread: `0.01`,
/// `{ 1 = 0.01, 5 = 0.022 }`, or `"0.25 sd"`.
#[derive(Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum ByHorizon {
    /// The same for all.
    All(f64),
    /// For each of the target's horizons its own.
    Each(#[schemars(with = "BTreeMap<String, f64>")] BTreeMap<u32, f64>),
    /// A multiple of the training targets' spread: `"0.25 sd"`.
    Relative(#[schemars(with = "String")] RelativeNumber),
}

impl ByHorizon {
    /// The number of a task; none where it has a horizon that none was given for, or no horizon at all.
    pub fn at(&self, horizon: Option<usize>) -> Option<f64> {
        match self {
            Self::All(value) => Some(*value),
            Self::Each(values) => values.get(&u32::try_from(horizon?).ok()?).copied(),
            Self::Relative(_) => None,
        }
    }

    /// The number of a task in units of its target; a relative one comes from the training targets. None where
    /// they have no spread.
    pub fn resolve(&self, horizon: Option<usize>, train: &[f64]) -> Option<f64> {
        match self {
            Self::Relative(relative) => relative.of(train),
            _ => self.at(horizon),
        }
    }

    /// Every number with the key below which it stands.
    pub(super) fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (String, f64)> + 'a {
        let (all, each) = match self {
            Self::All(value) => (Some(*value), None),
            Self::Each(values) => (None, Some(values)),
            Self::Relative(relative) => (Some(relative.factor), None),
        };
        let each = each.into_iter().flatten().map(move |(h, value)| (format!("{key}.{h}"), *value));
        all.map(|value| (key.to_owned(), value)).into_iter().chain(each)
    }

    /// Horizons without a number, numbers without a horizon, and tables, which have none.
    pub(super) fn problems(&self, key: &str, data: &Data, target: &Target) -> Vec<Problem> {
        let Self::Each(values) = self else { return Vec::new() };
        let mut found = Vec::new();
        if !data.tables.is_empty() {
            let message =
                "has a number for each horizon, and tables have no horizon; give one number for all";
            found.push(Problem::new(key, message));
        }
        if data.series.is_empty() {
            return found;
        }
        let without: Vec<String> =
            target.horizons.iter().filter(|h| !values.contains_key(h)).map(ToString::to_string).collect();
        if !without.is_empty() {
            let message = format!("has no number for the horizon {}; add it", without.join(" and "));
            found.push(Problem::new(key, message));
        }
        for horizon in values.keys().filter(|h| !target.horizons.contains(h)) {
            let list = target.horizons.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("is for a horizon that target.horizons = [{list}] does not have");
            found.push(Problem::new(format!("{key}.{horizon}"), message));
        }
        found
    }
}

impl From<f64> for ByHorizon {
    fn from(value: f64) -> Self {
        Self::All(value)
    }
}

/// One number is shown as it is: keys of cells are made of what settings show.
impl fmt::Debug for ByHorizon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(value) => value.fmt(f),
            Self::Each(values) => values.fmt(f),
            Self::Relative(relative) => write!(f, "{:?}", relative.to_string()),
        }
    }
}

impl Serialize for ByHorizon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All(value) => value.serialize(serializer),
            // Keys of TOML and JSON are text.
            Self::Each(values) => {
                serializer.collect_map(values.iter().map(|(h, value)| (h.to_string(), value)))
            }
            Self::Relative(relative) => serializer.collect_str(relative),
        }
    }
}

impl<'de> Deserialize<'de> for ByHorizon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected =
            "a number, \"0.25 sd\" or \"0.1 iqr\", or one for each horizon such as { 1 = 0.01, 5 = 0.02 }";
        match Value::deserialize(deserializer)? {
            Value::Float(value) => Ok(Self::All(value)),
            Value::Integer(value) => Ok(Self::All(value as f64)),
            Value::String(text) => match RelativeNumber::parse(&text) {
                Some(relative) => Ok(Self::Relative(relative)),
                None => Err(D::Error::custom(format!("'{text}' is not {expected}"))),
            },
            Value::Table(values) => {
                let each: Result<_, String> = values.into_iter().map(of_horizon).collect();
                each.map(Self::Each).map_err(D::Error::custom)
            }
            other => Err(D::Error::custom(format!("{other} is not {expected}"))),
        }
    }
}

/// A horizon, which is text in TOML and JSON, with its number.
fn of_horizon((horizon, number): (String, Value)) -> Result<(u32, f64), String> {
    let Ok(steps) = horizon.parse() else {
        return Err(format!("'{horizon}' is not a horizon, such as 1 in {{ 1 = 0.01, 5 = 0.02 }}"));
    };
    Ok((steps, number.try_into().map_err(|e| e.message().to_owned())?))
}

/// A multiple of a spread of the training targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeNumber {
    /// How many of them.
    pub factor: f64,
    /// Which spread.
    pub spread: Spread,
}

/// A spread of training targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Standard deviation, with n − 1.
    Sd,
    /// Interquartile range, with linear interpolation between order statistics.
    Iqr,
}

impl RelativeNumber {
    /// `0.25 sd` or `0.1 iqr`.
    fn parse(text: &str) -> Option<Self> {
        let (factor, unit) = text.trim().split_once(char::is_whitespace)?;
        let spread = match unit.trim() {
            "sd" => Spread::Sd,
            "iqr" => Spread::Iqr,
            _ => return None,
        };
        Some(Self { factor: factor.parse().ok()?, spread })
    }

    /// The number in units of the target; none where the targets have no spread.
    pub fn of(&self, train: &[f64]) -> Option<f64> {
        let spread = match self.spread {
            Spread::Sd => {
                let n = train.len() as f64;
                let mean = train.iter().sum::<f64>() / n;
                (train.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
            }
            Spread::Iqr => {
                let mut sorted = train.to_vec();
                sorted.sort_unstable_by(f64::total_cmp);
                let at = |p: f64| {
                    let place = p * (sorted.len().checked_sub(1)? as f64);
                    let below = sorted.get(place.floor() as usize)?;
                    Some(below + (sorted.get(place.ceil() as usize)? - below) * place.fract())
                };
                at(0.75)? - at(0.25)?
            }
        };
        Some(self.factor * spread).filter(|number| *number > 0.0 && number.is_finite())
    }
}

impl fmt::Display for RelativeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.spread {
            Spread::Sd => "sd",
            Spread::Iqr => "iqr",
        };
        write!(f, "{} {unit}", self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Experiment, *};

    const REST: &str = "name = \"t\"\ndata = { series = [\"KO\"] }\ntarget = { horizons = [1, 5] }\n\
                        split = { kind = \"fraction\", train = 0.5 }\nmodels = [{ family = \"linear\" }]\n";

    fn problems(text: &str) -> Vec<String> {
        let (experiment, found) = Experiment::read(text);
        let later = experiment.map(|e| e.problems()).unwrap_or_default();
        found.iter().chain(&later).map(ToString::to_string).collect()
    }

    #[test]
    fn one_number_is_written_and_shown_as_it_always_was() {
        for (text, value) in [("t_l = 0.5\n", 0.5), ("t_l = 2\n", 2.0)] {
            let measures: super::super::Measures = toml::from_str(text).unwrap();
            assert_eq!(measures.t_l, Some(ByHorizon::All(value)));
            assert!(format!("{measures:?}").contains(&format!("t_l: Some({value:?}),")), "{measures:?}");
            assert!(toml::to_string(&measures).unwrap().contains(&format!("t_l = {value:?}\n")));
        }
        let own = ByHorizon::Each(BTreeMap::from([(1, 0.01), (5, 0.02)]));
        assert_eq!(
            [Some(1), Some(5), Some(2), None].map(|h| own.at(h)),
            [Some(0.01), Some(0.02), None, None]
        );
        assert_eq!(ByHorizon::All(0.5).at(None), Some(0.5));
        let json = serde_json::to_string(&own).unwrap();
        assert_eq!(json, "{\"1\":0.01,\"5\":0.02}");
        assert_eq!(serde_json::from_str::<ByHorizon>(&json).unwrap(), own);
    }

    #[test]
    fn every_horizon_has_its_number_and_every_number_its_horizon() {
        let of = |measures: &str| {
            problems(&format!("{REST}measures = {{ list = [\"mad\", \"f\"], {measures} }}\n"))
        };
        assert_eq!(of("t_l = { 1 = 0.01, 5 = 0.02 }"), Vec::<String>::new());
        assert_eq!(of("t_l = { 1 = 0.01 }"), ["measures.t_l: has no number for the horizon 5; add it"]);
        assert_eq!(
            of("t_l = { 1 = 0.01, 5 = 0.02, 7 = 0.03 }"),
            ["measures.t_l.7: is for a horizon that target.horizons = [1, 5] does not have"]
        );
        assert_eq!(
            of("t_l = { 1 = 0.01, 5 = -1.0 }"),
            ["measures.t_l.5: -1 must be above 0, in units of the target"]
        );
        assert_eq!(
            of("t_l = { one = 0.01 }")[0],
            "line 6: measures.t_l: 'one' is not a horizon, such as 1 in { 1 = 0.01, 5 = 0.02 }"
        );
        assert_eq!(
            of("t_l = true")[0],
            "line 6: measures.t_l: true is not a number, \"0.25 sd\" or \"0.1 iqr\", or one for each horizon such \
             as { 1 = 0.01, 5 = 0.02 }"
        );
        let trading = problems(&format!(
            "{REST}measures = {{ list = [\"mad\"] }}\ntrading = {{ threshold = {{ 5 = 0.02 }} }}\n"
        ));
        assert_eq!(trading, ["trading.threshold: has no number for the horizon 1; add it"]);
        let table = REST.replace("series = [\"KO\"]", "tables = [\"boston\"]");
        let said =
            problems(&format!("{table}measures = {{ list = [\"mad\", \"f\"], t_l = {{ 1 = 0.01 }} }}\n"));
        assert_eq!(
            said,
            ["measures.t_l: has a number for each horizon, and tables have no horizon; give one number \
                 for all"]
        );
    }

    #[test]
    fn spreads_by_hand() {
        let of = |text: &str, train: &[f64]| RelativeNumber::parse(text).unwrap().of(train);
        assert_eq!(of("0.5 sd", &[1.0, 2.0, 3.0, 4.0, 5.0]), Some(0.5 * 2.5_f64.sqrt()));
        // R: IQR(c(1, 2, 4, 8)) is 3.25.
        assert_eq!(of(" 2  iqr ", &[8.0, 1.0, 2.0, 4.0]), Some(6.5));
        assert_eq!([of("1 sd", &[3.0; 9]), of("1 iqr", &[]), of("1 sd", &[1.0])], [None; 3]);
        assert_eq!(RelativeNumber::parse("0.25 sd").unwrap().to_string(), "0.25 sd");
        assert_eq!(["0.25", "sd", "x sd", "1 mad"].map(RelativeNumber::parse), [None; 4]);
    }
}
