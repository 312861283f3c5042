//! What a way to divide rows provides, and the one place where rows that leak are purged.

use std::fmt;

use super::{
    Leak, Rows, Split, Stratify, check_leak,
    leak::{check_rows, purge},
};
use crate::{DataError, Result, Timeline};

/// A way to divide rows into training and test, with its settings as an experiment writes them.
///
/// It draws rows alone: those that have seen what is held out are purged from every split by [`draw_splits`].
pub trait Scheme: fmt::Debug + Send + Sync {
    /// What is wrong with its settings before any row is seen: keys, and messages that follow them.
    fn problems(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The splits, in order.
    ///
    /// # Errors
    /// When these rows cannot be divided so.
    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>>;

    /// Whether the test rows of all splits follow each other in time and are scored as one period; else each split is scored by itself.
    fn pooled(&self) -> bool {
        false
    }

    /// Splits that make up one repeat of the division.
    fn folds(&self) -> usize {
        1
    }

    /// How many of the last rows train a model that is to predict new ones; all of them if none.
    fn window(&self) -> Option<usize> {
        None
    }
}

/// The rows that are to be divided, and what a scheme may ask about them.
#[derive(Clone, Copy)]
pub struct SplitRows<'a> {
    /// Their times and groups.
    pub timeline: &'a Timeline,
    /// The experiment's seed.
    pub seed: u64,
    /// Whether neighbouring rows share most of their inputs, as those of a series do.
    pub is_series: bool,
    /// A stratum per row.
    pub strata: &'a dyn Fn(Stratify) -> Result<Vec<usize>>,
    /// The number of a row in its file, from 1.
    pub file_row: &'a dyn Fn(usize) -> usize,
}

impl<'a> SplitRows<'a> {
    /// Rows of no series, in the order of their file, without strata.
    pub fn new(timeline: &'a Timeline, seed: u64) -> Self {
        let strata = &|_| Err(DataError::Scheme("these rows have no classes and no relevance".to_owned()));
        Self { timeline, seed, is_series: false, strata, file_row: &|row| row + 1 }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.timeline.len()
    }
}

/// Draws the splits of a scheme, purges or counts the rows that leak, and checks each.
///
/// ```
/// use tailrank_data::{ByFraction, Embedding, Leak, SplitRows, draw_splits, synthetic};
/// let series = synthetic::series("S", 600, 1)?;
/// let timeline = Embedding::new(&series, 5, 24)?.timeline();
/// let half = ByFraction { train: 0.5, validation: None };
/// let split = &draw_splits(&half, &SplitRows::new(&timeline, 1), Leak::Purged)?[0];
/// assert_eq!(split.purged, 4); // h − 1
/// let paper = &draw_splits(&half, &SplitRows::new(&timeline, 1), Leak::Paper)?[0];
/// assert_eq!((paper.purged, paper.leaking), (0, 4));
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
///
/// # Errors
/// Settings that are wrong, and rows that cannot be divided so.
pub fn draw_splits(scheme: &dyn Scheme, rows: &SplitRows<'_>, leak: Leak) -> Result<Vec<Split>> {
    if let Some((key, message)) = scheme.problems().first() {
        return Err(DataError::Scheme(format!("{key}: {message}")));
    }
    scheme.draw(rows)?.into_iter().map(|split| purged(split, rows.timeline, leak)).collect()
}

const MOVE: &str = "move the start of the test part: `at`, `train` or `window`";
const LONGER: &str = "make the validation part longer: `validation` or `validation_at`";

/// Purges or counts what leaks in a split as drawn, and checks the result.
fn purged(mut split: Split, timeline: &Timeline, leak: Leak) -> Result<Split> {
    split.leak = leak;
    if split.test.is_empty() {
        return Err(DataError::split(&split.description, "no row is left to test on", MOVE));
    }
    check_rows(&split, timeline)?;
    let overlapping = purge(&mut split, timeline);
    match leak {
        Leak::Purged => split.purged = overlapping,
        Leak::Paper => split.leaking = overlapping,
    }
    if split.train.is_empty() {
        let fix = if timeline.groups().is_some() {
            "every training row belongs to a group that is tested; use kind = \"kfold\", which keeps groups whole"
        } else if split.purged > 0 {
            "labels overlap: use blocks or a wider `window` instead of scattered rows, or a shorter horizon and fewer lags"
        } else {
            MOVE
        };
        return Err(DataError::split(&split.description, "no row is left to train on", fix));
    }
    if split.validation.as_ref().is_some_and(Rows::is_empty) {
        return Err(DataError::split(&split.description, "no row is left to validate on", LONGER));
    }
    check_leak(&split, timeline)?;
    Ok(split)
}

/// Collects what is wrong with settings.
pub(super) fn problems_of<const N: usize>(
    checks: [(&'static str, bool, String); N],
) -> Vec<(&'static str, String)> {
    let wrong = checks.into_iter().filter(|(_, is_fine, _)| !is_fine);
    wrong.map(|(key, _, message)| (key, message)).collect()
}

/// Every repeat is a split with its own rows and cells; far fewer tell what there is to tell.
const MOST_REPEATS: usize = 10_000;

pub(super) fn check_of_repeats(repeats: usize) -> (&'static str, bool, String) {
    let message = format!("{repeats} must lie between 1 and {MOST_REPEATS}");
    ("repeats", (1..=MOST_REPEATS).contains(&repeats), message)
}
