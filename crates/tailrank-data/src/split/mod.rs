//! Splits of rows into training and test, none of which lets training see the test period.
//!
//! Every split, however drawn, is made by one function that purges, and checked by [`check_leak`].

mod draw;
mod kfold;
mod leak;
mod leak_report;
mod leak_signs;
mod rows;
mod shuffle;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Result, Timeline};
use draw::{Drawing, check_repeats};

pub use kfold::{strata_by_class, strata_by_relevance};
pub use leak::check_leak;
pub use leak_report::{LeakCheck, LeakFinding, LeakLine, LeakReport};
pub use rows::Rows;

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
    /// Everything that is known trains, to predict what is new.
    pub fn known_and_new(train: impl Into<Rows>, new: impl Into<Rows>) -> Self {
        Self {
            description: "everything known".to_owned(),
            train: train.into(),
            validation: None,
            test: new.into(),
            purged: 0,
            leaking: 0,
            leak: Leak::Purged,
        }
    }

    /// The parts that training must not have seen.
    pub(crate) fn held_out(&self) -> impl Iterator<Item = &Rows> + Clone {
        self.validation.iter().chain([&self.test])
    }
}

/// A way to draw splits, as a config names it.
///
/// ```
/// use tailrank_data::{Date, Embedding, Leak, SplitPlan, synthetic};
/// let series = synthetic::series("S", 600, 1)?;
/// let timeline = Embedding::new(&series, 5, 24)?.timeline();
/// let plan = SplitPlan::Fraction { train: 0.5, validation: None };
/// let split = &plan.splits(&timeline, Leak::Purged)?[0];
/// assert_eq!(split.purged, 4); // h − 1
/// let paper = &plan.splits(&timeline, Leak::Paper)?[0];
/// assert_eq!((paper.purged, paper.leaking), (0, 4));
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SplitPlan {
    /// Train on origins before `at`, test from there on.
    Date {
        /// First day of the test period.
        at: Date,
        /// First day of a validation period before it, if models are chosen by one.
        validation_at: Option<Date>,
    },
    /// Train on the first share of rows, test on the rest.
    Fraction {
        /// Share of rows to train on, within (0, 1).
        train: f64,
        /// Share of rows after these to validate on, if models are chosen by them.
        validation: Option<f64>,
    },
    /// One split per relearning: train on what came before, test on the next `step` rows.
    Windows {
        /// First row of the first test block.
        start: WindowStart,
        /// Rows tested before the model is learned anew.
        step: usize,
        /// How much of the past is used.
        past: Past,
    },
    /// Every row is in the test part of one fold (of each repeat).
    KFold {
        /// Number of folds.
        folds: usize,
        /// How often, each time shuffled anew.
        repeats: usize,
        /// Whether rows are shuffled first; else folds are blocks.
        shuffle: bool,
        /// A stratum per row to be spread evenly, see [`strata_by_class`] and [`strata_by_relevance`].
        strata: Option<Vec<usize>>,
        /// Seed of the shuffle.
        seed: u64,
    },
    /// Train on as many draws with replacement as there are rows, test on the rows never drawn.
    Bootstrap {
        /// Number of samples.
        repeats: usize,
        /// Seed of the draws.
        seed: u64,
    },
    /// Rows named one by one.
    Rows {
        /// Rows to train on and to test on, split by split.
        splits: Vec<(Vec<usize>, Vec<usize>)>,
    },
}

/// Where the first test block of [`SplitPlan::Windows`] begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowStart {
    /// At this row, from 0.
    Row(usize),
    /// At the first origin on or after this day.
    Date(Date),
}

/// How much of the past a window trains on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// The last `window` rows before the test block: the window slides.
    Sliding {
        /// Rows of the window, those to be purged included.
        window: usize,
    },
    /// All rows before the test block: the window grows.
    Growing,
}

impl SplitPlan {
    /// Draws the splits and checks each.
    pub fn splits(&self, timeline: &Timeline, leak: Leak) -> Result<Vec<Split>> {
        let draw = Drawing { timeline, leak };
        match self {
            Self::Date { at, validation_at } => draw.by_date(*at, *validation_at).map(|s| vec![s]),
            Self::Fraction { train, validation } => draw.by_fraction(*train, *validation).map(|s| vec![s]),
            Self::Windows { start, step, past } => draw.windows(*start, *step, *past),
            Self::KFold { folds, repeats, shuffle, strata, seed } => {
                draw.kfold(*folds, *repeats, *shuffle, strata.as_deref(), *seed)
            }
            Self::Bootstrap { repeats, seed } => draw.bootstrap(*repeats, *seed),
            Self::Rows { splits } => draw.named(splits),
        }
    }
}
