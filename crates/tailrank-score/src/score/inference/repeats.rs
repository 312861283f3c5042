//! A division that was repeated: every repeat tests the same rows again, or others of them, with models of
//! its own.
//!
//! A score is the mean over the repeats, and so is a resampled one: a draw takes rows, and a row brings its
//! case of every repeat with it. Drawing the cases of each repeat on their own would take the repeats for new
//! data and call everything too sure.

use std::borrow::Cow;

use tailrank_metrics::{
    MetricError, Scorer,
    scoring::{Part, Statistic, TermTable},
};
use tailrank_stats::{Dependence, Units, pseudo_values};

use super::{Question, counted, design};
use crate::score::{Predictions, TaskTruth};

/// By how much scores over folds vary more than those of as many independent cases, at most: two rows that
/// are each other's nearest neighbour in different folds have the same error twice, so that a sum over such
/// pairs has twice the variance.
pub(super) const FOLDS: f64 = std::f64::consts::SQRT_2;

/// All repeats of a task's division; most divisions have one.
pub(super) struct Repeats<'a> {
    pub(super) all: Vec<Repeat<'a>>,
    /// Rows that any repeat tests, in the order of the data; of a single repeat its cases, in its own order.
    pub(super) rows: usize,
    /// Which rows hang together.
    pub(super) units: Units,
    /// Whether every row of a single repeat is a unit, in the order of the units.
    plain: bool,
}

/// The place of each case of a repeat among the rows; none where it is the place of the case itself.
type Places = Option<Vec<usize>>;

/// The parts of one repeat, scored together.
pub(super) struct Repeat<'a> {
    pub(super) scorer: Scorer<'a>,
    places: Places,
    /// The predictions of each variant, part by part.
    pub(super) predicted: Vec<Vec<&'a [f64]>>,
}

impl<'a> Repeats<'a> {
    pub(super) fn new(
        question: &Question<'a>,
        loaded: &'a [Predictions],
    ) -> std::result::Result<Self, MetricError> {
        let parts = question.parts;
        let count = parts.iter().map(|p| p.repeat + 1).max().unwrap_or(0);
        let (places, rows, rows_of_data) = places(parts, count);
        let units = design::units(question, rows_of_data.as_deref(), rows);
        let plain = count == 1 && units.unit_of().iter().enumerate().all(|(row, &unit)| row == unit as usize);
        let mut all = Vec::with_capacity(count);
        for (repeat, places) in places.into_iter().enumerate() {
            let own: Vec<usize> = (0..parts.len()).filter(|&p| parts[p].repeat == repeat).collect();
            let truths = own.iter().map(|&p| (parts[p].truth.as_slice(), parts[p].settings.clone()));
            let of_variant = |v: &'a Predictions| own.iter().map(|&p| v.parts[p].as_slice()).collect();
            let predicted = loaded.iter().map(of_variant).collect();
            all.push(Repeat { scorer: Scorer::pooled(truths)?, places, predicted });
        }
        Ok(Self { all, rows, units, plain })
    }

    /// Whether rows near in time resemble each other.
    pub(super) fn in_time(&self) -> bool {
        self.units.dependence() == Dependence::Time
    }

    /// The only repeat, if there is one.
    pub(super) fn single(&self) -> Option<&Repeat<'a>> {
        if let [one] = &self.all[..] { Some(one) } else { None }
    }

    /// Whether rows that one part tests are learned from in others: folds, but not windows in time.
    pub(super) fn have_folds(&self) -> bool {
        !self.in_time() && self.all.iter().any(|r| r.scorer.parts().len() > 1)
    }

    /// Whether cases can be events at all.
    pub(super) fn know_events(&self) -> bool {
        self.all.iter().any(|r| r.scorer.events().is_some())
    }

    /// The true value of each row.
    pub(super) fn truth(&self) -> Vec<f64> {
        let mut truth = vec![f64::NAN; self.rows];
        for repeat in &self.all {
            for (case, y) in repeat.scorer.parts().iter().flat_map(Part::truth).enumerate() {
                truth[repeat.place(case)] = *y;
            }
        }
        truth
    }

    /// The mean over the rows of each unit and over the repeats of something that every case has; `of` gives
    /// it case by case.
    pub(super) fn unit_means<'b>(&self, of: impl Fn(usize, &Repeat<'a>) -> Cow<'b, [f64]>) -> Cow<'b, [f64]> {
        if let Some(single) = self.single().filter(|_| self.plain) {
            return of(0, single);
        }
        let (mut sums, mut counts) = (vec![0.0; self.units.count()], vec![0.0; self.units.count()]);
        for (r, repeat) in self.all.iter().enumerate() {
            for (case, value) in of(r, repeat).iter().enumerate() {
                let unit = self.units.unit_of()[repeat.place(case)] as usize;
                sums[unit] += value;
                counts[unit] += 1.0;
            }
        }
        sums.iter().zip(&counts).map(|(sum, count)| sum / count).collect()
    }

    /// The terms of some variants, repeat by repeat.
    pub(super) fn terms(
        &self,
        variants: impl Iterator<Item = usize> + Clone,
        statistics: &[Statistic],
    ) -> std::result::Result<RepeatTerms<'_, 'a>, MetricError> {
        let of = |r: &Repeat<'a>| {
            let predicted: Vec<_> = variants.clone().map(|v| &r.predicted[v]).collect();
            TermTable::new(&r.scorer, &predicted, statistics)
        };
        Ok(RepeatTerms { repeats: self, tables: self.all.iter().map(of).collect::<Result<_, _>>()? })
    }
}

impl Repeat<'_> {
    fn place(&self, case: usize) -> usize {
        self.places.as_ref().map_or(case, |places| places[case])
    }

    /// The row of every case, part by part.
    pub(super) fn rows_of_parts(&self) -> Vec<Vec<usize>> {
        self.scorer.parts().iter().map(|p| p.rows().map(|case| self.place(case)).collect()).collect()
    }
}

/// Sums of every column over one repeat.
pub(super) struct FoldSums {
    whole: Vec<f64>,
    /// Without the cases of each fold.
    without: Vec<Vec<f64>>,
}

/// Terms of some variants in every repeat.
pub(super) struct RepeatTerms<'r, 'a> {
    repeats: &'r Repeats<'a>,
    pub(super) tables: Vec<TermTable>,
}

impl RepeatTerms<'_, '_> {
    /// The columns of all repeats, one value a unit: 0 where a repeat tests none of its rows.
    pub(super) fn columns(&self) -> Vec<Cow<'_, [f64]>> {
        let units = &self.repeats.units;
        let mut all = Vec::new();
        for (repeat, table) in self.repeats.all.iter().zip(&self.tables) {
            for column in table.iter() {
                if self.repeats.plain {
                    all.push(Cow::Borrowed(column));
                    continue;
                }
                let mut of_units = vec![0.0; units.count()];
                for (case, value) in column.iter().enumerate() {
                    of_units[units.unit_of()[repeat.place(case)] as usize] += value;
                }
                all.push(Cow::Owned(of_units));
            }
        }
        all
    }

    /// The sums of every column in each repeat, whole and without each fold; none where a repeat has fewer
    /// than three folds.
    pub(super) fn fold_sums(&self) -> Option<Vec<FoldSums>> {
        let of_repeat = |(repeat, table): (&Repeat<'_>, &TermTable)| {
            let parts = repeat.scorer.parts();
            let sums = |rows: std::ops::Range<usize>| -> Vec<f64> {
                table.iter().map(|column| column[rows.clone()].iter().sum()).collect()
            };
            let whole = sums(0..table.cases());
            let without = |part: &Part<'_>| -> Vec<f64> {
                whole.iter().zip(sums(part.rows())).map(|(whole, own)| whole - own).collect()
            };
            let without = parts.iter().map(without).collect();
            (parts.len() >= 3).then_some(FoldSums { whole, without })
        };
        self.repeats.all.iter().zip(&self.tables).map(of_repeat).collect()
    }

    /// The pseudo-values of a score over the folds of all repeats: what each fold adds to the score pooled
    /// over its repeat. None where there is no score without one of them.
    pub(super) fn fold_values(
        &self,
        variant: usize,
        statistic: usize,
        sums: &[FoldSums],
    ) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        for (table, sums) in self.tables.iter().zip(sums) {
            let score = |sums: &Vec<f64>| counted(table.finish(variant, statistic, sums));
            let without: Vec<f64> = sums.without.iter().map(score).collect();
            all.extend(pseudo_values(score(&sums.whole), &without));
        }
        all.iter().all(|v| v.is_finite()).then_some(all)
    }

    /// A score from the sums of [`columns`](Self::columns): the mean over the repeats that have one.
    pub(super) fn score(&self, variant: usize, statistic: usize, sums: &[f64]) -> f64 {
        let mut first = 0;
        mean_of_defined(self.tables.iter().map(|table| {
            let own = &sums[first..first + table.columns()];
            first += table.columns();
            counted(table.finish(variant, statistic, own))
        }))
    }

    /// What each unit adds to the difference of two variants' scores by the only statistic, to first order
    /// about the means of their sums: where both are equally good these are what their scores would be
    /// computed from, so that neither a lucky variant's own errors nor a baseline without a hit make the
    /// difference look surer than it is. NaN where there is no score at these means.
    pub(super) fn unit_gains(&self) -> Vec<f64> {
        let columns = self.columns();
        let mut middle: Vec<f64> = columns.iter().map(|c| c.iter().sum()).collect();
        let (mut pairs, mut end) = (Vec::new(), 0);
        for table in &self.tables {
            end += table.columns();
            let own = table.columns_per_variant();
            pairs.extend((end - 2 * own..end - own).map(|column| (column, column + own)));
        }
        for &(a, b) in &pairs {
            middle[a] = 0.5 * (middle[a] + middle[b]);
        }
        let mut gains = vec![0.0; self.repeats.units.count()];
        for (a, b) in pairs {
            let both = columns[a].iter().chain(columns[b].iter());
            let step = both.map(|v| v.abs()).sum::<f64>() / 1024.0;
            if step == 0.0 {
                continue;
            }
            let mut moved_by = |by: f64| {
                middle[a] += by;
                self.score(0, 0, &middle)
            };
            let (above, below) = (moved_by(step), moved_by(-2.0 * step));
            middle[a] += step;
            let slope = (above - below) / (2.0 * step);
            let differences = columns[a].iter().zip(columns[b].iter()).map(|(a, b)| a - b);
            gains.iter_mut().zip(differences).for_each(|(gain, d)| *gain += slope * d);
        }
        gains
    }

    /// Scores of a variant on every draw, statistic by statistic; `drawn` are the sums of each column on each
    /// draw.
    pub(super) fn resampled(&self, variant: usize, drawn: &[&[f64]]) -> Vec<Vec<f64>> {
        let mut first = 0;
        let mut of_repeats = self.tables.iter().map(|table| {
            let own = &drawn[first..first + table.columns()];
            first += table.columns();
            table.finish_resampled(variant, own, counted)
        });
        if self.tables.len() == 1 {
            return of_repeats.next().unwrap_or_default();
        }
        let of_repeats: Vec<Vec<Vec<f64>>> = of_repeats.collect();
        let statistics = of_repeats.first().map_or(0, Vec::len);
        let draws = drawn.first().map_or(0, |d| d.len());
        let mean = |s: usize, draw: usize| mean_of_defined(of_repeats.iter().map(|r| r[s][draw]));
        (0..statistics).map(|s| (0..draws).map(|draw| mean(s, draw)).collect()).collect()
    }
}

/// The mean of the values that are there, as
/// [`Score::mean_of_repeats`](tailrank_metrics::Score::mean_of_repeats); NaN where none is.
pub(super) fn mean_of_defined(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values.filter(|v| !v.is_nan()) {
        sum += value;
        count += 1.0;
    }
    sum / count
}

/// For every repeat the place of each case among the rows tested, how many rows these are, and which rows of
/// the data, where parts know them. Without names of rows, the cases of all repeats are the same rows in the
/// same order.
fn places(parts: &[TaskTruth], count: usize) -> (Vec<Places>, usize, Option<Vec<usize>>) {
    let of_repeat = |repeat: usize| parts.iter().filter(move |p| p.repeat == repeat);
    let cases = |repeat: usize| of_repeat(repeat).map(|p| p.truth.len()).sum::<usize>();
    let is_named = parts.iter().all(|p| p.rows.len() == p.truth.len());
    let mut rows: Vec<usize> = parts.iter().flat_map(|p| p.rows.iter().copied()).collect();
    if count <= 1 {
        return (vec![None; count], cases(0), is_named.then_some(rows));
    }
    if !is_named {
        let places = |r: usize| Some((0..cases(r)).collect());
        return ((0..count).map(places).collect(), (0..count).map(cases).max().unwrap_or(0), None);
    }
    rows.sort_unstable();
    rows.dedup();
    let place = |row: &usize| rows.partition_point(|known| known < row);
    let of = |r: usize| Some(of_repeat(r).flat_map(|p| &p.rows).map(place).collect());
    ((0..count).map(of).collect(), rows.len(), Some(rows))
}

#[cfg(test)]
mod tests;
