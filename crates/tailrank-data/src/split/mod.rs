//! Splits of rows into training and test, none of which lets training see the test period.
//!
//! A [`Scheme`] holds the settings of a kind of split and draws its rows. [`draw_splits`] purges the rows that leak from every split, however
//! drawn, and checks it by [`check_leak`].

mod bootstrap;
mod cut;
mod kfold;
mod leak;
mod leak_report;
mod leak_signs;
mod named;
mod rows;
mod scheme;
mod settings;
mod shuffle;
mod windows;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use bootstrap::Bootstrap;
pub use cut::{ByDate, ByFraction, Day};
pub use kfold::{KFold, Stratify, strata_by_class, strata_by_relevance};
pub use leak::check_leak;
pub use leak_report::{LeakCheck, LeakFinding, LeakLine, LeakReport};
pub use named::{ByRows, NamedRows, RowList};
pub use rows::Rows;
pub use scheme::{Scheme, SplitRows, draw_splits};
pub use settings::{SplitSettings, SplitSpec};
pub use windows::{Growing, Sliding};

/// Every built-in kind of split, in the order of messages. To add one: its module, and its row here.
const SPLITS: &[SplitSpec] = &[
    SplitSpec::new::<ByDate>("date", &[("at", "at = \"YYYY-MM-DD\"")]),
    SplitSpec::new::<ByFraction>("fraction", &[("train", "train, such as train = 0.7")]),
    SplitSpec::new::<Sliding>("sliding", windows::NEEDS),
    SplitSpec::new::<Growing>("growing", windows::NEEDS),
    SplitSpec::new::<KFold>("kfold", &[("folds", "folds, such as folds = 10")]),
    SplitSpec::new::<Bootstrap>("bootstrap", &[]),
    SplitSpec::new::<ByRows>("rows", &[("rows", "rows, the train and test rows of each split")]),
];

/// What is done about training rows that have seen the held-out period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Leak {
    /// They are left out.
    #[default]
    #[serde(rename = "purge")]
    Purged,
    /// They stay, as in PR09, and the split says so.
    Paper,
}

/// Rows to train on and rows to be judged by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Split {
    /// What the split is, for people.
    pub description: String,
    /// Rows to train on.
    pub train: Rows,
    /// Rows to choose a model by, if asked for.
    pub validation: Option<Rows>,
    /// Rows to judge by.
    pub test: Rows,
    /// Rows left out because they had seen what is held out.
    pub purged: usize,
    /// Rows that have seen what is held out and stay, which only [`Leak::Paper`] allows.
    pub leaking: usize,
    /// What was done about such rows.
    pub leak: Leak,
}

impl Split {
    /// A split as drawn, of which nothing is purged yet.
    pub fn new(description: impl Into<String>, train: impl Into<Rows>, test: impl Into<Rows>) -> Self {
        Self {
            description: description.into(),
            train: train.into(),
            validation: None,
            test: test.into(),
            purged: 0,
            leaking: 0,
            leak: Leak::Purged,
        }
    }

    /// Everything that is known trains, to predict what is new.
    pub fn known_and_new(train: impl Into<Rows>, new: impl Into<Rows>) -> Self {
        Self::new("everything known", train, new)
    }

    /// The parts that training must not have seen.
    pub(crate) fn held_out(&self) -> impl Iterator<Item = &Rows> + Clone {
        self.validation.iter().chain([&self.test])
    }
}
