//! `[split]`: how rows are divided into training and test.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use tailrank_data::Leak;

use super::{Day, NamedRows};
use crate::problem::{Problem, Problems};

/// How rows are divided. `kind` names the scheme; a key of another scheme is refused.
///
/// ```
/// use tailrank_experiment::config::SplitSettings;
/// let split: SplitSettings = toml::from_str("kind = \"kfold\"\nfolds = 10").unwrap();
/// assert!(matches!(split, SplitSettings::Kfold { folds: 10, repeats: 1, .. }));
/// assert!(!split.pooled());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum SplitSettings {
    /// Train before a day, test from it on.
    Date {
        /// First day of the test period.
        at: Day,
        /// First day that is not tested any more; the data's end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        until: Option<Day>,
        /// First day of the period that models are chosen by, before the test.
        validation_at: Option<Day>,
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
    },
    /// Train on the first share of the rows.
    Fraction {
        /// Share of rows that train, from the front.
        train: f64,
        /// Share of rows after the training rows that models are chosen by, before the test.
        validation: Option<f64>,
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
    },
    /// A training window of fixed length that moves.
    Sliding {
        /// Rows in the training window.
        window: usize,
        /// Rows tested before the models are learned again.
        step: usize,
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
    },
    /// A training window that grows.
    Growing {
        /// Rows in the first training window.
        window: usize,
        /// Rows tested before the models are learned again.
        step: usize,
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
    },
    /// Cross-validation.
    Kfold {
        /// Number of folds.
        folds: usize,
        /// How often the division is repeated.
        #[serde(default = "one")]
        repeats: usize,
        /// Shuffle rows first. Series are never shuffled unless this says so.
        shuffle: Option<bool>,
        /// Keep these proportions alike in all folds.
        stratify: Option<Stratify>,
        /// Choose models by the fold after the tested one, which then does not train; rows without dates only.
        #[serde(default, skip_serializing_if = "super::is_default")]
        validation_fold: bool,
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
    },
    /// Train on a bootstrap sample, test on the rows left out.
    Bootstrap {
        /// How many samples are drawn.
        #[serde(default = "ten")]
        repeats: usize,
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
    },
    /// Rows named one by one: a division drawn elsewhere.
    Rows {
        /// What to do with training rows whose label reaches into the test period.
        #[serde(default)]
        leak: Leak,
        /// The rows of every split.
        rows: Vec<NamedRows>,
    },
}

const fn one() -> usize {
    1
}

const fn ten() -> usize {
    10
}

/// What to keep alike in all folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stratify {
    /// The share of each class.
    Class,
    /// The share of events.
    Relevance,
}

/// Every repeat is a split with its own rows and cells; far fewer tell what there is to tell.
const MOST_REPEATS: usize = 10_000;

impl SplitSettings {
    /// Splits that make up one repeat of the division.
    pub fn folds(&self) -> usize {
        match self {
            Self::Kfold { folds, .. } => *folds,
            Self::Rows { rows, .. } if tested_once(rows) => rows.len(),
            _ => 1,
        }
    }

    /// Whether the test rows of all splits follow each other in time and are scored as one period.
    pub fn pooled(&self) -> bool {
        match self {
            Self::Date { .. } | Self::Fraction { .. } | Self::Sliding { .. } | Self::Growing { .. } => true,
            Self::Kfold { .. } | Self::Bootstrap { .. } => false,
            Self::Rows { rows, .. } => forwards(rows),
        }
    }

    /// What is done with training rows whose label reaches into the test period.
    pub fn leak(&self) -> Leak {
        match self {
            Self::Date { leak, .. }
            | Self::Fraction { leak, .. }
            | Self::Sliding { leak, .. }
            | Self::Growing { leak, .. }
            | Self::Kfold { leak, .. }
            | Self::Bootstrap { leak, .. }
            | Self::Rows { leak, .. } => *leak,
        }
    }

    /// What is wrong with these settings before any data is seen; `key` is where they stand.
    pub(crate) fn problems(&self, key: &str) -> Vec<Problem> {
        let mut section = Problems::of(key);
        let mut check = |name: &str, fine: bool, message: &str| section.check(name, fine, message);
        let is_share = |share: f64| share > 0.0 && share < 1.0;
        match *self {
            Self::Date { at, until, validation_at, .. } => {
                if let Some(day) = until {
                    check("until", at < day, &format!("{day} must be a day after at = {at}"));
                }
                if let Some(day) = validation_at {
                    check("validation_at", day < at, &format!("{day} must be a day before at = {at}"));
                }
            }
            Self::Fraction { train, validation, .. } => {
                let between = "must lie above 0 and below 1";
                check("train", is_share(train), &format!("{train} {between}, such as 0.7"));
                if let Some(share) = validation {
                    check("validation", is_share(share), &format!("{share} {between}, such as 0.1"));
                    let both = train + share;
                    let fine = !is_share(train) || !is_share(share) || both < 1.0;
                    check(
                        "validation",
                        fine,
                        &format!("train + validation = {both} leave no row to test on"),
                    );
                }
            }
            Self::Sliding { window, step, .. } | Self::Growing { window, step, .. } => {
                let message = "0 leaves no row to learn from; give the rows of the training window";
                check("window", window > 0, message);
                let message = "0 tests no row; give the rows tested before the models are learned again";
                check("step", step > 0, message);
            }
            Self::Kfold { folds, repeats, validation_fold, .. } => {
                let enough = !validation_fold || folds >= 3;
                check("folds", enough, "must be 3 or more with validation_fold");
                check("folds", folds >= 2, &format!("{folds} must be 2 or more, such as 10"));
                check("repeats", (1..=MOST_REPEATS).contains(&repeats), &between_repeats(repeats));
            }
            Self::Bootstrap { repeats, .. } => {
                check("repeats", (1..=MOST_REPEATS).contains(&repeats), &between_repeats(repeats));
            }
            Self::Rows { ref rows, .. } => {
                check("rows", !rows.is_empty(), "names no split; give train and test rows");
            }
        }
        section.found
    }
}

/// Whether no row is tested by two splits.
fn tested_once(splits: &[NamedRows]) -> bool {
    let mut tested: Vec<usize> = splits.iter().flat_map(|split| &split.test.0).copied().collect();
    tested.sort_unstable();
    tested.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether test rows follow each other and come after what they are predicted from, as time does.
fn forwards(splits: &[NamedRows]) -> bool {
    splits.iter().flat_map(|split| &split.test.0).is_sorted_by(|a, b| a < b)
        && splits.iter().all(|split| split.train.0.iter().max() < split.test.0.first())
}

fn between_repeats(repeats: usize) -> String {
    format!("{repeats} must lie between 1 and {MOST_REPEATS}")
}

/// The keys of all schemes, as they are read: serde forgets the lines of an enum's keys, but not those of a
/// struct.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    kind: Kind,
    at: Option<Day>,
    until: Option<Day>,
    validation_at: Option<Day>,
    train: Option<f64>,
    validation: Option<f64>,
    window: Option<usize>,
    step: Option<usize>,
    folds: Option<usize>,
    repeats: Option<usize>,
    shuffle: Option<bool>,
    stratify: Option<Stratify>,
    validation_fold: Option<bool>,
    rows: Option<Vec<NamedRows>>,
    #[serde(default)]
    leak: Leak,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Date,
    Fraction,
    Sliding,
    Growing,
    Kfold,
    Bootstrap,
    Rows,
}

impl<'de> Deserialize<'de> for SplitSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Keys::deserialize(deserializer)?.settings().map_err(de::Error::custom)
    }
}

impl Keys {
    /// The scheme; keys of another one are told when a file is read, against the schema.
    fn settings(self) -> Result<SplitSettings, String> {
        fn needed<T>(value: Option<T>, kind: &str, what: &str) -> Result<T, String> {
            value.ok_or_else(|| format!("kind = \"{kind}\" needs {what}"))
        }
        let leak = self.leak;
        let window = |kind| needed(self.window, kind, "window, the rows of the first training window");
        let step =
            |kind| needed(self.step, kind, "step, the rows tested before the models are learned again");
        Ok(match self.kind {
            Kind::Date => SplitSettings::Date {
                at: needed(self.at, "date", "at = \"YYYY-MM-DD\"")?,
                until: self.until,
                validation_at: self.validation_at,
                leak,
            },
            Kind::Fraction => {
                let train = needed(self.train, "fraction", "train, such as train = 0.7")?;
                SplitSettings::Fraction { train, validation: self.validation, leak }
            }
            Kind::Sliding => {
                SplitSettings::Sliding { window: window("sliding")?, step: step("sliding")?, leak }
            }
            Kind::Growing => {
                SplitSettings::Growing { window: window("growing")?, step: step("growing")?, leak }
            }
            Kind::Kfold => SplitSettings::Kfold {
                folds: needed(self.folds, "kfold", "folds, such as folds = 10")?,
                repeats: self.repeats.unwrap_or_else(one),
                shuffle: self.shuffle,
                stratify: self.stratify,
                validation_fold: self.validation_fold.unwrap_or(false),
                leak,
            },
            Kind::Bootstrap => SplitSettings::Bootstrap { repeats: self.repeats.unwrap_or_else(ten), leak },
            Kind::Rows => {
                let rows = needed(self.rows, "rows", "rows, the train and test rows of each split")?;
                SplitSettings::Rows { rows, leak }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: [&str; 7] = [
        "kind = \"date\"\nat = \"1990-01-01\"\nuntil = \"1991-01-01\"\nvalidation_at = \"1989-01-01\"",
        "kind = \"fraction\"\ntrain = 0.6\nvalidation = 0.2",
        "kind = \"sliding\"\nwindow = 10\nstep = 2",
        "kind = \"growing\"\nwindow = 10\nstep = 2\nleak = \"paper\"",
        "kind = \"kfold\"\nfolds = 3\nrepeats = 2\nshuffle = true\nstratify = \"class\"",
        "kind = \"bootstrap\"\nrepeats = 2",
        "kind = \"rows\"\nrows = [{ train = \"1-3\", test = \"4, 6\" }, { train = \"1-2, 4\", test = \"3, 5\" }]",
    ];

    fn read(text: &str) -> Result<SplitSettings, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn every_scheme_is_written_as_it_is_read() {
        for text in GOOD {
            let settings = read(text).unwrap();
            assert_eq!(settings.problems("split"), [], "{text}");
            let written = toml::to_string(&settings).unwrap();
            assert_eq!(read(&written).unwrap(), settings, "{written}");
        }
        assert_eq!(read(GOOD[3]).unwrap().leak(), Leak::Paper);
        for once in ["kind = \"bootstrap\"\nrepeats = 1", "kind = \"kfold\"\nfolds = 2\nrepeats = 10000"] {
            assert_eq!(read(once).unwrap().problems("split"), [], "{once}");
        }
        // Folds make up a repeat; all other splits are one.
        let folds: Vec<usize> = GOOD.iter().map(|text| read(text).unwrap().folds()).collect();
        assert_eq!(folds, [1, 1, 1, 1, 3, 1, 2]);
    }

    #[test]
    fn named_rows_are_one_period_where_they_run_with_time() {
        let of = |rows: &str| read(&format!("kind = \"rows\"\nrows = [{rows}]")).unwrap();
        let onwards = of("{ train = \"1-3\", test = \"4-5\" }, { train = \"1-5\", test = \"6, 8\" }");
        assert!(onwards.pooled() && onwards.folds() == 2);
        // A later row trains, a row is tested twice, the second period comes before the first.
        for rows in [
            "{ train = \"1-3, 6\", test = \"4-5\" }",
            "{ train = \"1-3\", test = \"4-5\" }, { train = \"1-3\", test = \"5-6\" }",
            "{ train = \"1-5\", test = \"6\" }, { train = \"1-3\", test = \"4-5\" }",
        ] {
            assert!(!of(rows).pooled(), "{rows}");
        }
        assert_eq!(of("{ train = \"1\", test = \"3\" }, { train = \"2\", test = \"3\" }").folds(), 1);
        assert_eq!(of("").problems("split").len(), 1);
    }

    #[test]
    fn missing_keys_are_refused() {
        for (text, said) in [
            ("kind = \"date\"", "needs at = "),
            ("kind = \"fraction\"", "needs train"),
            ("kind = \"sliding\"\nstep = 3", "needs window"),
            ("kind = \"growing\"\nwindow = 3", "needs step"),
            ("kind = \"kfold\"", "needs folds"),
            ("kind = \"rows\"", "needs rows"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.message().contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn the_schema_knows_the_keys_that_are_read() {
        let schema = schemars::schema_for!(SplitSettings).to_value();
        let mut keys: Vec<&str> = schema["oneOf"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|form| form["properties"].as_object().unwrap().keys().map(String::as_str))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for key in &keys {
            let text = format!("kind = \"date\"\nat = \"1990-01-01\"\n{key} = {{}}");
            let error = read(&text).unwrap_err();
            assert!(!error.message().contains("unknown field"), "{key}: {error}");
        }
        assert_eq!(keys.len(), 15);
    }

    #[test]
    fn numbers_that_divide_nothing_are_named() {
        for (text, key) in [
            ("kind = \"date\"\nat = \"1990-01-01\"\nvalidation_at = \"1990-01-01\"", "split.validation_at"),
            ("kind = \"fraction\"\ntrain = 1.0", "split.train"),
            ("kind = \"fraction\"\ntrain = nan", "split.train"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.0", "split.validation"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.4", "split.validation"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.3", "split.validation"),
            // One mistake is told once.
            ("kind = \"fraction\"\ntrain = 1.5\nvalidation = 0.3", "split.train"),
            ("kind = \"fraction\"\ntrain = 0.5\nvalidation = 1.5", "split.validation"),
            ("kind = \"date\"\nat = \"1990-01-01\"\nuntil = \"1990-01-01\"", "split.until"),
            ("kind = \"sliding\"\nwindow = 0\nstep = 1", "split.window"),
            ("kind = \"growing\"\nwindow = 1\nstep = 0", "split.step"),
            ("kind = \"kfold\"\nfolds = 1", "split.folds"),
            ("kind = \"kfold\"\nfolds = 2\nrepeats = 0", "split.repeats"),
            ("kind = \"bootstrap\"\nrepeats = 10001", "split.repeats"),
        ] {
            let found = read(text).unwrap().problems("split");
            assert_eq!(found.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(), [key], "{text}");
        }
    }
}
