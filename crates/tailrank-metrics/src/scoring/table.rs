//! Per-case terms of many vectors of predictions, from which scores and their resampled versions are computed
//! alike.

use std::ops::Range;

use super::formula::Statistic;
use super::scorer::{Buffers, Derived, Scorer};
use crate::error::Result;
use crate::lanes::lane_columns;
use crate::score::{Score, Undefined};
use crate::term::{Sink, Sums, Term};

/// Columns of per-case terms: one set of those that depend on the truth alone, and one set per vector of
/// predictions.
///
/// A statistic is a function of the columns' sums, and its resampled version is the same function of the
/// columns summed with the counts of a resample. With B resamples all sums are one matrix product, B × cases
/// times cases × columns. Statistics that share terms (F and precision, MAD and RAE) share columns.
///
/// ```
/// use tailrank_metrics::{Accuracy, Measure, Relevance, Scorer, Settings};
/// use tailrank_metrics::scoring::{Statistic, TermTable};
///
/// let settings = Settings {
///     relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?),
///     accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
///     ..Settings::default()
/// };
/// let truth = [2.5, 0.3, -3.0, 2.2];
/// let scorer = Scorer::new(&truth, settings)?;
/// let variants = [vec![[2.4, 0.0, -2.9, 0.0]], vec![[0.0, 2.5, -3.3, 2.1]]];
/// let table = TermTable::new(&scorer, &variants, &[Measure::Mad.into(), Measure::F.into()])?;
///
/// // A resample that draws the first case twice and leaves out the second.
/// let counts = [2.0, 0.0, 1.0, 1.0];
/// let mut sums = vec![0.0; table.columns()];
/// for (sum, column) in sums.iter_mut().zip(table.iter()) {
///     *sum = column.iter().zip(counts).map(|(term, count)| count * term).sum();
/// }
/// let f = table.finish(0, 1, &sums);
/// assert!(f.value() > Some(0.6));
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TermTable {
    cases: usize,
    columns: Vec<f64>,
    statistics: Vec<Finish>,
    /// Columns of the truth alone, then the columns of each vector of predictions.
    shared: Vec<Term>,
    own: Vec<Term>,
    variants: usize,
    beta: f64,
}

/// How a statistic follows from the sums, or why it has no value.
type Finish = std::result::Result<fn(&Sums) -> Score, Undefined>;

impl TermTable {
    /// The terms of `statistics` for each vector of predictions in `variants`, given in the parts of the
    /// truth.
    ///
    /// A statistic without terms (a median, a curve, an account: [`Statistic::has_terms`]) and one whose
    /// settings are missing has no columns and is undefined in [`finish`](Self::finish).
    pub fn new<V: AsRef<[P]>, P: AsRef<[f64]>>(
        scorer: &Scorer<'_>,
        variants: &[V],
        statistics: &[Statistic],
    ) -> Result<Self> {
        let mut finishes = Vec::with_capacity(statistics.len());
        let (mut shared, mut own): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
        for &statistic in statistics {
            finishes.push(match statistic.sum_formula() {
                _ if scorer.lacks(statistic.needs_of()) => Err(Undefined::MissingInput),
                None => Err(Undefined::NoTerms),
                Some(formula) => {
                    for &term in formula.terms {
                        let list = if term.of_truth() { &mut shared } else { &mut own };
                        if !list.contains(&term) {
                            list.push(term);
                        }
                    }
                    Ok(formula.finish)
                }
            });
        }
        shared.sort_unstable();
        own.sort_unstable();
        let cases = scorer.cases();
        let mut table = Self {
            cases,
            columns: vec![0.0; cases * (shared.len() + own.len() * variants.len())],
            statistics: finishes,
            shared,
            own,
            variants: variants.len(),
            beta: scorer.truth_sums.beta,
        };
        let mut buffers = Buffers::default();
        for (variant, predicted) in variants.iter().enumerate() {
            table.fill(variant, &mut Derived::new(scorer, predicted.as_ref(), &mut buffers)?);
        }
        Ok(table)
    }

    fn fill(&mut self, variant: usize, derived: &mut Derived<'_>) {
        // The first vector of predictions brings the truth's columns with it.
        let shared: &[Term] = if variant == 0 { &self.shared } else { &[] };
        let mut place = [None; Term::COUNT];
        for (column, &term) in shared.iter().enumerate() {
            place[term as usize] = Some(column);
        }
        for (&term, column) in self.own.iter().zip(self.own_columns(variant)) {
            place[term as usize] = Some(column);
        }
        let mut groups: Vec<_> = shared.iter().chain(&self.own).map(|term| term.group()).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            for part in 0..derived.scorer.parts.len() {
                let rows = derived.scorer.parts[part].rows();
                let mut sink = Columns { columns: &mut self.columns, cases: self.cases, rows, place: &place };
                derived.give(group, part, &mut sink);
            }
        }
    }

    fn own_columns(&self, variant: usize) -> Range<usize> {
        let first = self.shared.len() + variant * self.own.len();
        first..first + self.own.len()
    }

    /// Number of cases, the length of a column.
    pub const fn cases(&self) -> usize {
        self.cases
    }

    /// Number of columns.
    pub const fn columns(&self) -> usize {
        self.shared.len() + self.own.len() * self.variants
    }

    /// Number of columns that each vector of predictions has of its own; they stand behind those of the truth
    /// alone.
    pub const fn columns_per_variant(&self) -> usize {
        self.own.len()
    }

    /// The columns in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.columns.chunks_exact(self.cases)
    }

    /// Statistic number `statistic` of vector number `variant` from the sums of all columns, weighted as the
    /// caller likes. A number out of range, or fewer sums than columns, is a missing input.
    pub fn finish(&self, variant: usize, statistic: usize, sums: &[f64]) -> Score {
        let finish = match self.statistics.get(statistic) {
            Some(Ok(finish)) => finish,
            Some(Err(why)) => return Score::Undefined(*why),
            None => return Score::Undefined(Undefined::MissingInput),
        };
        if sums.len() < self.own_columns(variant).end {
            return Score::Undefined(Undefined::MissingInput);
        }
        let mut all = Sums::new(self.beta);
        self.gather(variant, &mut all, |column| sums[column]);
        finish(&all)
    }

    /// Sets the terms of one vector to the sums of their columns.
    fn gather(&self, variant: usize, all: &mut Sums, sum: impl Fn(usize) -> f64) {
        let columns = (0..self.shared.len()).chain(self.own_columns(variant));
        for (&term, column) in self.shared.iter().chain(&self.own).zip(columns) {
            all[term] = sum(column);
        }
    }

    /// Every statistic of one vector on many resamples: `sums` holds, for each column of the table, one sum a
    /// resample. Gives one vector a statistic; `counted` says what number a score counts as.
    pub fn finish_resampled(
        &self,
        variant: usize,
        sums: &[&[f64]],
        counted: fn(Score) -> f64,
    ) -> Vec<Vec<f64>> {
        let draws = sums.first().map_or(0, |s| s.len());
        let nothing = |why| vec![counted(Score::Undefined(why)); draws];
        if sums.len() < self.own_columns(variant).end {
            return vec![nothing(Undefined::MissingInput); self.statistics.len()];
        }
        let start = |finish: &Finish| finish.map_or_else(nothing, |_| Vec::with_capacity(draws));
        let mut found: Vec<Vec<f64>> = self.statistics.iter().map(start).collect();
        let mut all = Sums::new(self.beta);
        for draw in 0..draws {
            self.gather(variant, &mut all, |column| sums[column][draw]);
            for (finish, found) in self.statistics.iter().zip(&mut found) {
                if let Ok(finish) = finish {
                    found.push(counted(finish(&all)));
                }
            }
        }
        found
    }
}

/// Writes terms down case by case.
struct Columns<'a> {
    columns: &'a mut [f64],
    cases: usize,
    rows: Range<usize>,
    place: &'a [Option<usize>; Term::COUNT],
}

impl Sink for Columns<'_> {
    #[inline(always)]
    fn take<const I: usize, const K: usize>(
        &mut self,
        terms: [Term; K],
        inputs: [&[f64]; I],
        kernel: impl Fn([f64; I]) -> [f64; K],
    ) {
        let place = terms.map(|term| self.place[term as usize]);
        lane_columns(inputs, kernel, |k, start, values| {
            if let Some(column) = place[k] {
                let first = column * self.cases + self.rows.start + start;
                self.columns[first..first + values.len()].copy_from_slice(values);
            }
        });
    }
}
