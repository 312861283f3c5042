//! `[target]`: what is predicted of a series, and from what.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_data::{Calendar, Transform};

use super::{Data, Problem, Trading, is_default};

/// What is predicted from what, for series.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Target {
    /// What is predicted, and what the series' own lags are: `return` of prices (the default), `log-return`,
    /// `difference` of rates or temperatures, `level` of rain, load or what are returns already. The last two
    /// may have zeros and negative values.
    #[serde(skip_serializing_if = "is_default")]
    pub kind: Transform,
    /// Sessions ahead h, days in a daily series: the target is the h-day return R_h(t+h), or what else `kind`
    /// says.
    pub horizons: Vec<u32>,
    /// How many past values R_h(t), R_h(t−1), … are inputs.
    pub lags: u32,
    /// Further inputs, each with its own look-back.
    pub inputs: Vec<InputSettings>,
}

fn level() -> Transform {
    Transform::Level
}

/// An input beside the series' own past.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum InputSettings {
    /// Returns of another series, matched by date.
    Returns {
        /// A series of this experiment, a bundled one, or a file.
        series: String,
        /// Days a return spans; the task's own horizon if absent.
        horizon: Option<u32>,
        /// How many past returns; as many as the task's own if absent.
        lags: Option<u32>,
    },
    /// Past values of another column of the series' own file, such as the temperature beside the load.
    Column {
        /// The column.
        column: String,
        /// What is taken of it: `level` if absent.
        #[serde(default = "level")]
        take: Transform,
        /// Sessions that a return or difference spans; the task's own horizon if absent.
        horizon: Option<u32>,
        /// How many past values, today's included.
        lags: u32,
    },
    /// What the calendar says of the day on which a prediction is made.
    Calendar {
        /// `month`, `quarter`, `weekday`, `hour`: an input for each; `season`: sine and cosine of the place
        /// in the year.
        unit: Calendar,
    },
    /// Relative change of the volume from one day to the next.
    Volume {
        /// How many past changes.
        lags: u32,
    },
    /// Distance of the price from its mean over the last days.
    Average {
        /// Days averaged, today included.
        window: u32,
    },
}

impl Default for Target {
    fn default() -> Self {
        Self { kind: Transform::Return, horizons: vec![1], lags: 24, inputs: Vec::new() }
    }
}

impl Target {
    /// What is wrong with these settings; they matter where there are series.
    pub(crate) fn problems(&self, data: &Data, trading: Option<&Trading>) -> Vec<Problem> {
        let mut found = Vec::new();
        if data.series.is_empty() {
            return found;
        }
        if self.horizons.is_empty() {
            found.push(Problem::new("target.horizons", "names no horizon; give at least one, such as [1]"));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.horizons.iter().find(|h| !seen.insert(**h)) {
            let message = format!("names the horizon {twice} twice; leave one out");
            found.push(Problem::new("target.horizons", message));
        }
        if trading.is_some() && !self.kind.is_tradable() {
            let kind = self.kind;
            let message = format!(
                "trades need returns, and target.kind = \"{kind}\" predicts none; leave this section out"
            );
            found.push(Problem::new("trading", message));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Experiment, *};

    const REST: &str = "name = \"t\"\ndata = { series = [\"KO\"] }\nsplit = { kind = \"fraction\", train = \
                        0.5 }\n\
                        models = [{ family = \"linear\" }]\nmeasures = { list = [\"mad\"] }\n";

    fn problems(text: &str) -> Vec<String> {
        match Experiment::read(&format!("{REST}{text}")) {
            (Some(experiment), found) => {
                found.iter().chain(&experiment.problems()).map(ToString::to_string).collect()
            }
            (None, found) => found.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn every_kind_is_read_as_the_data_crate_names_it() {
        for transform in Transform::ALL {
            let target: Target = toml::from_str(&format!("kind = \"{transform}\"")).unwrap();
            assert_eq!(target.kind, transform);
        }
        for calendar in Calendar::ALL {
            let text = format!("inputs = [{{ kind = \"calendar\", unit = \"{}\" }}]", calendar.id());
            let target: Target = toml::from_str(&text).unwrap();
            let [InputSettings::Calendar { unit }] = target.inputs[..] else { panic!("{text}") };
            assert_eq!(unit, calendar);
        }
    }

    /// The digest of a run's settings is that of its experiment as it is written.
    #[test]
    fn what_says_nothing_new_is_not_written() {
        let text = toml::to_string(&Target::default()).unwrap();
        assert_eq!(text, "horizons = [1]\nlags = 24\ninputs = []\n");
        let level: Target = toml::from_str("kind = \"level\"").unwrap();
        assert!(toml::to_string(&level).unwrap().starts_with("kind = \"level\"\n"));
    }

    #[test]
    fn a_horizon_is_named_once() {
        let said = problems("[target]\nhorizons = [1, 3, 1]\n");
        assert_eq!(said, ["target.horizons: names the horizon 1 twice; leave one out"]);
    }

    #[test]
    fn trades_need_returns() {
        let trading = "trading = { threshold = 0.02 }\n";
        for kind in ["return", "log-return"] {
            assert_eq!(problems(&format!("{trading}[target]\nkind = \"{kind}\"\n")), Vec::<String>::new());
        }
        let said = problems(&format!("{trading}[target]\nkind = \"difference\"\n"));
        assert_eq!(
            said,
            ["trading: trades need returns, and target.kind = \"difference\" predicts none; leave this \
                 section out"]
        );
    }

    #[test]
    fn keys_of_inputs_and_files_are_known() {
        let text = "[target]\ninputs = [{ kind = \"column\", column = \"t\", lags = 3, window = 5 }]\n";
        assert_eq!(
            problems(text),
            ["line 7: target.inputs.1.window: belongs to kind = \"average\", not to \"column\""]
        );
        let files = "{ long = \"p.csv\", symbol = \"s\", decimal = \"comma\", missing = \"drop\" }";
        let text = REST.replace("[\"KO\"]", &format!("[{files}]"));
        assert!(Experiment::read(&text).1.is_empty(), "{:?}", Experiment::read(&text).1);
        let text = REST.replace("[\"KO\"]", "[{ long = \"p.csv\", symbols = [] }]");
        let said = Experiment::read(&text).0.unwrap().problems();
        assert_eq!(
            said[0].to_string(),
            "data.series.1: symbols = [] names no series; leave it out to take all"
        );
    }
}
