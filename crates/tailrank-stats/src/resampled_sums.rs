//! Sums of per-case terms over every draw: counts (B × n) times terms (n × m), without the counts ever standing as a matrix.
//!
//! A resample of blocks needs no look at every case. Within a stretch of [`STRETCH`] cases with running sums Q₁ … Q_L,
//! Σ cᵢxᵢ = c_L·Q_L − Σᵢ (cᵢ₊₁ − cᵢ)·Qᵢ, and the counts c change only where a block starts or ends: about 2n/block places instead
//! of the 0.63n cases that a draw holds. Single cases are summed by their counts. Which [`Form`] is shorter is seen on draw 0.
//!
//! Lanes are columns: every column is summed in the same order whatever the vector width, the columns beside it, or the draws
//! asked for, so results have the same bits everywhere. Running sums restart with each stretch, so that rounding stays near
//! 10⁻¹⁵ of Σ|cᵢxᵢ| (tested at 10⁻¹³).

use pulp::Arch;

use crate::{
    draws::Draws,
    error::{Result, StatsError, check_columns},
    resamples::Resamples,
};

/// Columns summed together: eight registers of four, enough to hide the latency of an addition.
const LANES: usize = 32;
/// Cases whose tile (32 KiB) stays in the first cache while all draws of a batch pass over it.
const STRETCH: usize = 128;
/// Cases × draws whose entries are held at once (at most 8 bytes each).
const BATCH: usize = 1 << 21;

/// How a draw is written down for summing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// The counts of the cases drawn.
    #[default]
    Counts,
    /// Where the counts change, to be multiplied with running sums.
    Steps,
}

impl Form {
    /// The shorter form of a draw.
    pub(crate) fn of(counts: &[u32]) -> Self {
        let length = |form: Self| {
            let mut entries = Vec::new();
            counts.chunks(STRETCH).for_each(|stretch| form.write(stretch, &mut entries));
            entries.len()
        };
        if length(Self::Steps) < length(Self::Counts) { Self::Steps } else { Self::Counts }
    }

    /// Appends the entries of one stretch.
    fn write(self, counts: &[u32], entries: &mut Vec<Entry>) {
        let mut push = |row: usize, weight: i64| {
            if weight != 0 {
                entries.push(Entry { row: row as u32, weight: weight as i32 });
            }
        };
        match self {
            Self::Counts => counts.iter().enumerate().for_each(|(row, &c)| push(row, i64::from(c))),
            Self::Steps => {
                for (row, pair) in counts.windows(2).enumerate() {
                    push(row, i64::from(pair[0]) - i64::from(pair[1]));
                }
                push(counts.len() - 1, counts.last().map_or(0, |&c| i64::from(c)));
            }
        }
    }
}

/// A row of a stretch's tile and its factor.
struct Entry {
    row: u32,
    weight: i32,
}

impl Resamples {
    /// Σ over the cases of each draw, for each column of per-case terms.
    ///
    /// Give many columns at once: the draws are made anew at each call. Columns may be split over calls and threads in any way;
    /// each column's sums have the same bits.
    pub fn sums<C: AsRef<[f64]>>(&self, terms: &[C]) -> Result<Draws> {
        let mut values = vec![0.0; terms.len() * self.draws()];
        self.for_each_batch(terms, |first_draw, first_column, sums| {
            for lane in 0..LANES.min(terms.len() - first_column) {
                let start = (first_column + lane) * self.draws() + first_draw;
                for (value, sum) in values[start..].iter_mut().zip(sums) {
                    *value = sum[lane];
                }
            }
        })?;
        Ok(Draws::from_values(self.draws(), values))
    }

    /// Means over the cases of each draw.
    pub fn means<C: AsRef<[f64]>>(&self, terms: &[C]) -> Result<Draws> {
        let n = self.case_count() as f64;
        self.scores(terms, 1, 1, |sums, means| means[0] = sums[0] / n).map(|mut scores| scores.swap_remove(0))
    }

    /// Resampled scores of measures that are functions of per-case sums: one table (B × variants) per measure.
    ///
    /// `terms` holds `per_variant` columns for each variant in turn; `finish` gets the sums of a variant on a draw and writes its
    /// `measures` scores, NaN where undefined. Memory is B × variants per measure; give variants in groups if their terms are
    /// large.
    ///
    /// ```
    /// use tailrank_stats::Resamples;
    ///
    /// // Precision of two variants from signals and hits of each case.
    /// let signals: Vec<f64> = (0..60).map(|i| f64::from(i % 3 == 0)).collect();
    /// let hits: Vec<f64> = (0..60).map(|i| f64::from(i % 6 == 0)).collect();
    /// let none = vec![0.0; 60];
    /// let resamples = Resamples::cases(60, 500, 7)?;
    /// let precision = |sums: &[f64], scores: &mut [f64]| scores[0] = sums[1] / sums[0];
    /// let scores = resamples.scores(&[&signals, &hits, &none, &none], 2, 1, precision)?;
    /// assert!(scores[0].column(0).iter().all(|p| (0.0..=1.0).contains(p)));
    /// assert!(scores[0].column(1).iter().all(|p| p.is_nan()));
    /// # Ok::<(), tailrank_stats::StatsError>(())
    /// ```
    pub fn scores<C: AsRef<[f64]>>(
        &self,
        terms: &[C],
        per_variant: usize,
        measures: usize,
        mut finish: impl FnMut(&[f64], &mut [f64]),
    ) -> Result<Vec<Draws>> {
        if per_variant == 0 || !terms.len().is_multiple_of(per_variant) || measures == 0 {
            let expected =
                "every variant needs the same number of columns, one or more, and one measure or more";
            return Err(StatsError::Parameter { name: "per_variant", value: per_variant as f64, expected });
        }
        let (draws, variants) = (self.draws(), terms.len() / per_variant);
        let mut tables = vec![vec![0.0; draws * variants]; measures];
        let mut scores = vec![f64::NAN; measures];
        // Whole variants at a time, filling the lanes.
        let together = LANES.div_ceil(per_variant).max(256 / per_variant).max(1);
        for first in (0..variants).step_by(together) {
            let last = (first + together).min(variants);
            let sums = self.sums(&terms[first * per_variant..last * per_variant])?;
            let mut own = vec![0.0; per_variant];
            for variant in first..last {
                for draw in 0..draws {
                    for (term, sum) in own.iter_mut().enumerate() {
                        *sum = sums.value((variant - first) * per_variant + term, draw);
                    }
                    finish(&own, &mut scores);
                    for (table, &score) in tables.iter_mut().zip(&scores) {
                        table[variant * draws + draw] = score;
                    }
                }
            }
        }
        Ok(tables.into_iter().map(|values| Draws::from_values(draws, values)).collect())
    }

    /// Hands out the sums of a batch of draws and a tile of columns: first draw, first column, one array per draw.
    fn for_each_batch<C: AsRef<[f64]>>(
        &self,
        terms: &[C],
        mut take: impl FnMut(usize, usize, &[[f64; LANES]]),
    ) -> Result<()> {
        let n = self.case_count();
        check_columns("terms", terms, "the resamples", n)?;
        let arch = Arch::new();
        let batch = (BATCH / n).clamp(8, 1024);
        let mut tile = vec![[0.0; LANES]; n];
        let mut counts = vec![0; n];
        for first_draw in (0..self.draws()).step_by(batch) {
            let (mut entries, mut ends) = (Vec::new(), vec![0]);
            let drawn = first_draw..(first_draw + batch).min(self.draws());
            for draw in drawn.clone() {
                counts.fill(0);
                self.add_counts(draw, &mut counts);
                for stretch in counts.chunks(STRETCH) {
                    self.form.write(stretch, &mut entries);
                    ends.push(entries.len());
                }
            }
            let mut sums = vec![[0.0; LANES]; drawn.len()];
            for first_column in (0..terms.len()).step_by(LANES) {
                let columns = &terms[first_column..(first_column + LANES).min(terms.len())];
                fill_tile(&mut tile, columns, self.form);
                sums.fill([0.0; LANES]);
                let stretches = n.div_ceil(STRETCH);
                for (s, stretch) in tile.chunks(STRETCH).enumerate() {
                    arch.dispatch(|| {
                        for (i, sum) in sums.iter_mut().enumerate() {
                            let at = i * stretches + s;
                            accumulate(stretch, &entries[ends[at]..ends[at + 1]], sum);
                        }
                    });
                }
                take(first_draw, first_column, &sums);
            }
        }
        Ok(())
    }
}

/// Brings columns into rows of lanes; as running sums within each stretch where steps are summed.
fn fill_tile<C: AsRef<[f64]>>(tile: &mut [[f64; LANES]], columns: &[C], form: Form) {
    tile.fill([0.0; LANES]);
    for (lane, column) in columns.iter().enumerate() {
        for (rows, values) in tile.chunks_mut(STRETCH).zip(column.as_ref().chunks(STRETCH)) {
            let mut running = 0.0;
            for (row, value) in rows.iter_mut().zip(values) {
                running = if form == Form::Steps { running + value } else { *value };
                row[lane] = running;
            }
        }
    }
}

#[inline(always)]
fn accumulate(tile: &[[f64; LANES]], entries: &[Entry], sum: &mut [f64; LANES]) {
    let mut total = *sum;
    for entry in entries {
        let (row, weight) = (&tile[entry.row as usize], f64::from(entry.weight));
        for lane in 0..LANES {
            total[lane] += weight * row[lane];
        }
    }
    *sum = total;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::Uniform;

    fn columns(n: usize, m: usize) -> Vec<Vec<f64>> {
        let mut random = Uniform::seeded(3);
        (0..m).map(|_| (0..n).map(|_| random.unit() - 0.3).collect()).collect()
    }

    #[test]
    fn sums_are_those_of_the_rows_drawn() {
        // Around the sizes of a stretch and of a tile, in both forms.
        for (n, m) in [(10, 1), (127, 3), (128, 31), (129, 32), (300, 33), (513, 70)] {
            for block in [1.0, 3.0, 9.0] {
                let resamples = Resamples::stationary(n, block, 40, 11).unwrap();
                let terms = columns(n, m);
                let sums = resamples.sums(&terms).unwrap();
                for draw in 0..40 {
                    let rows = resamples.rows(draw);
                    for (j, term) in terms.iter().enumerate() {
                        let drawn = || rows.iter().map(|&r| term[r as usize]);
                        let size: f64 = drawn().map(f64::abs).sum();
                        let difference = (sums.column(j)[draw] - drawn().sum::<f64>()).abs();
                        assert!(difference <= 1e-13 * size, "n {n} block {block}: {difference:e} of {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_are_summed_by_steps_and_single_cases_by_counts() {
        let form = |block| Resamples::stationary(2000, block, 2, 1).unwrap().form;
        assert_eq!([form(1.0), form(3.0), form(50.0)], [Form::Counts, Form::Steps, Form::Steps]);
    }

    #[test]
    fn whole_numbers_are_exact_and_bits_do_not_depend_on_company() {
        let n = 700;
        let whole: Vec<f64> = (0..n).map(|i| ((i * 37) % 11) as f64).collect();
        let mut terms = columns(n, 65);
        terms[64] = whole.clone();
        for block in [1.0, 12.0] {
            let resamples = Resamples::stationary(n, block, 25, 2).unwrap();
            let together = resamples.sums(&terms).unwrap();
            for (j, term) in terms.iter().enumerate() {
                assert_eq!(resamples.sums(&[term]).unwrap().column(0), together.column(j));
            }
            for draw in 0..25 {
                let by_hand: f64 = resamples.rows(draw).iter().map(|&r| whole[r as usize]).sum();
                assert_eq!(together.column(64)[draw], by_hand);
            }
        }
    }

    #[test]
    fn scores_finish_the_sums_of_each_variant() {
        let (n, variants) = (150, 120);
        let terms = columns(n, 3 * variants);
        let resamples = Resamples::circular(n, 5, 20, 2).unwrap();
        let sums = resamples.sums(&terms).unwrap();
        let scores = resamples.scores(&terms, 3, 2, |s, out| (out[0], out[1]) = (s[0] / s[1], s[2])).unwrap();
        for variant in 0..variants {
            let sum = |term: usize, draw: usize| sums.column(3 * variant + term)[draw];
            for draw in 0..20 {
                assert_eq!(scores[0].column(variant)[draw], sum(0, draw) / sum(1, draw));
                assert_eq!(scores[1].column(variant)[draw], sum(2, draw));
            }
        }
    }
}
