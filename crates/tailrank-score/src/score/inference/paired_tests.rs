//! The tests that two variants are put to. A new one is a row of [`PAIRED_TESTS`], or
//! [registered](PairedTest::register) by a program: its columns, its correction over the other variants and
//! its place in every printer follow from it.

use std::sync::{PoisonError, RwLock};

use tailrank_stats::{
    Alternative, LongRunVariance, TestResult, WilcoxonMethod, corrected_resampled_t, diebold_mariano,
    wilcoxon_signed_rank,
};

use crate::{EngineError, Result};

/// Differences that vary by less than this share of the values are equal but for rounding.
const ROUNDING: f64 = 1e-12;

/// What a test of two variants may look at; `.0` is the winner's. The better of two values is the smaller
/// one.
#[non_exhaustive]
pub struct Pair<'a> {
    /// Losses case by case, where the measure is a mean of them.
    pub losses: Option<(&'a [f64], &'a [f64])>,
    /// Scores on each fold of every repeat, where there are several.
    pub folds: Option<(&'a [f64], &'a [f64])>,
    /// Rows learned from and rows tested on, over all folds.
    pub rows: (usize, usize),
    /// Steps that a label reaches ahead, where cases near in time resemble each other.
    pub horizon: Option<usize>,
}

/// Two samples, unless they differ by the same amount everywhere: a test would see how many values there are
/// and nothing else.
fn varying<'a>(samples: Option<(&'a [f64], &'a [f64])>) -> Option<(&'a [f64], &'a [f64])> {
    let (x, y) = samples?;
    let (mut low, mut high, mut size) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
    for (a, b) in x.iter().zip(y) {
        (low, high) = (low.min(a - b), high.max(a - b));
        size = size.max(a.abs()).max(b.abs());
    }
    (high - low > ROUNDING * size).then_some((x, y))
}

/// A test of the winner by a measure against another variant.
#[derive(Clone, Copy, Debug)]
pub struct PairedTest {
    /// Its name in files: the columns are `id` (the statistic), `id_p` and `id_p_holm`.
    pub id: &'static str,
    /// What stands above its statistic for people.
    pub symbol: &'static str,
    /// What it is called in a sentence.
    pub name: &'static str,
    /// Whether the statistic is negative where the winner is the better one; others tell people nothing.
    pub signed: bool,
    /// The two-sided test; none where it does not fit the measure or the data, or cannot answer.
    pub run: fn(&Pair<'_>) -> Option<TestResult>,
}

/// Tests registered by this program, beside the built-in ones.
static REGISTERED: RwLock<Vec<PairedTest>> = RwLock::new(Vec::new());

impl PairedTest {
    /// Puts the winners of every experiment to this test, too, until the program ends. It has a column of its
    /// own.
    ///
    /// # Errors
    /// A name that is taken or is no lower-case word.
    pub fn register(self) -> Result<()> {
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        let is_word = |id: &str| !id.is_empty() && id.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        if !is_word(self.id) || PAIRED_TESTS.iter().chain(&*registered).any(|test| test.id == self.id) {
            return Err(EngineError::PairedTest { id: self.id.to_owned() });
        }
        registered.push(self);
        Ok(())
    }
}

/// Whether this program has registered tests.
pub(in crate::score) fn has_own_tests() -> bool {
    !REGISTERED.read().unwrap_or_else(PoisonError::into_inner).is_empty()
}

/// All tests, in the order of their columns.
pub(super) fn paired_tests() -> Vec<PairedTest> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    PAIRED_TESTS.iter().chain(&*registered).copied().collect()
}

/// The built-in tests.
static PAIRED_TESTS: &[PairedTest] = &[
    PairedTest {
        id: "dm",
        symbol: "DM",
        name: "Diebold and Mariano's test (1995); in time with the variance over slow waves, elsewhere as Harvey, Leybourne and Newbold correct it",
        signed: true,
        run: |pair| {
            // The folds of a table learn from the same rows: their losses are not a series.
            if pair.horizon.is_none() && pair.folds.is_some() {
                return None;
            }
            let (x, y) = varying(pair.losses)?;
            // Losses depend on each other over more steps than labels overlap: slow waves of volatility, of
            // the target itself.
            let (horizon, variance) = match pair.horizon {
                Some(horizon) => (horizon, LongRunVariance::Cosines),
                None => (1, LongRunVariance::Rectangular),
            };
            diebold_mariano(x, y, horizon, variance, Alternative::TwoSided).ok()
        },
    },
    PairedTest {
        id: "wilcoxon",
        symbol: "W",
        name: "Wilcoxon's signed-rank test",
        signed: false,
        run: |pair| {
            // It takes its cases to be independent; rows that other folds learn from are not.
            if pair.horizon.is_some() || pair.folds.is_some() {
                return None;
            }
            let (x, y) = varying(pair.losses)?;
            wilcoxon_signed_rank(x, y, WilcoxonMethod::Auto, Alternative::TwoSided).ok()
        },
    },
    PairedTest {
        id: "resampled_t",
        symbol: "t",
        name: "Nadeau and Bengio's corrected resampled t test (2003) of the folds' scores",
        signed: true,
        run: |pair| {
            let (x, y) = varying(pair.folds)?;
            corrected_resampled_t(x, y, pair.rows.0, pair.rows.1, Alternative::TwoSided).ok()
        },
    },
];
