//! Sums of per-case terms over every draw: counts (B × n) times terms (n × m), without the counts ever
//! standing as a matrix.
//!
//! A resample of blocks needs no look at every case. Within a stretch of [`STRETCH`] cases with running sums
//! Q₁ … Q_L, Σ cᵢxᵢ = c_L·Q_L − Σᵢ (cᵢ₊₁ − cᵢ)·Qᵢ, and the counts c change only where a block starts or ends:
//! about 2n/block places instead of the 0.63n cases that a draw holds. Single cases are summed by their
//! counts. Which [`SumFormula`] is shorter is seen on draw 0.
//!
//! Lanes are columns: every column is summed in the same order whatever the vector width, the columns beside
//! it, or the draws asked for, so results have the same bits everywhere. Running sums restart with each
//! stretch, so that rounding stays near 10⁻¹⁵ of Σ|cᵢxᵢ| (tested at 10⁻¹³).

use pulp::{Arch, Simd, WithSimd};

use super::Resamples;
use crate::{
    draws::Draws,
    error::{Result, check_columns, check_setting},
};

/// Cases whose tile (32 KiB) stays in the first cache while all draws of a batch pass over it.
const STRETCH: usize = 128;

/// How a draw is written down for summing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SumFormula {
    /// The counts of the cases drawn.
    #[default]
    Counts,
    /// Where the counts change, to be multiplied with running sums.
    Steps,
}

impl SumFormula {
    /// The shorter form of a draw.
    pub(super) fn of(counts: &[u32]) -> Self {
        let length = |form: Self| {
            let mut entries = Vec::new();
            counts.chunks(STRETCH).for_each(|stretch| form.write(stretch, &mut entries));
            entries.len()
        };
        if length(Self::Steps) < length(Self::Counts) { Self::Steps } else { Self::Counts }
    }

    /// Appends the entries of one stretch.
    fn write(self, counts: &[u32], entries: &mut Vec<Entry>) {
        let mut push = |row: usize, mut weight: i64| {
            while weight != 0 {
                let part = weight.clamp(Entry::LEAST, Entry::MOST);
                entries.push(Entry::new(row, part));
                weight -= part;
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

/// A row of a stretch's tile (seven bits) and its factor (nine bits); larger factors take several entries.
#[derive(Clone, Copy)]
struct Entry(i16);

impl Entry {
    const LEAST: i64 = -256;
    const MOST: i64 = 255;

    fn new(row: usize, factor: i64) -> Self {
        Self((factor as i16) << 7 | row as i16)
    }

    #[inline(always)]
    fn row(self) -> usize {
        (self.0 & 127) as usize
    }

    #[inline(always)]
    fn factor(self) -> f64 {
        f64::from(self.0 >> 7)
    }
}

/// Columns summed together: eight registers of four, enough to hide the latency of an addition.
const LANES: usize = 32;
/// Draws written down at once: their sums (64 KiB) stay in the second cache, their entries take n/3 KiB or
/// less.
const BATCH: usize = 256;

/// Columns whose sums [`Resamples::scores`] holds at once (8 MB for 1000 draws).
const TOGETHER: usize = 1024;

impl Resamples {
    /// Σ over the cases of each draw, for each column of per-case terms.
    ///
    /// Give many columns at once: the draws are made anew at each call. Columns may be split over calls and
    /// threads in any way; each column's sums have the same bits.
    pub fn sums<C: AsRef<[f64]>>(&self, terms: &[C]) -> Result<Draws> {
        self.sums_of(&slices(terms))
    }

    /// [`sums`](Self::sums), compiled here once with this crate's optimisation, whatever the caller's columns are.
    fn sums_of(&self, terms: &[&[f64]]) -> Result<Draws> {
        check_columns("terms", terms, "the resamples", self.case_count())?;
        // Models that never signal bring columns of zeros, whose sums are known.
        let places: Vec<usize> =
            (0..terms.len()).filter(|&j| terms[j].iter().any(|&value| value != 0.0)).collect();
        let filled: Vec<&[f64]> = places.iter().map(|&j| terms[j]).collect();
        let mut values = vec![0.0; terms.len() * self.draws()];
        self.for_each_batch(&filled, |first_draw, first_column, sums| {
            for (lane, place) in places[first_column..].iter().take(LANES).enumerate() {
                let start = place * self.draws() + first_draw;
                for (value, sum) in values[start..].iter_mut().zip(sums) {
                    *value = sum[lane];
                }
            }
        });
        Ok(Draws::from_values(self.draws(), values))
    }

    /// Means over the cases of each draw.
    pub fn means<C: AsRef<[f64]>>(&self, terms: &[C]) -> Result<Draws> {
        let n = self.case_count() as f64;
        self.scores(terms, 1, 1, |sums, means| means[0] = sums[0] / n).map(|mut scores| scores.swap_remove(0))
    }

    /// Resampled scores of measures that are functions of per-case sums: one table (B × variants) per
    /// measure.
    ///
    /// `terms` holds `per_variant` columns for each variant in turn; `finish` gets the sums of a variant on a
    /// draw and writes its `measures` scores, NaN where undefined. Memory is B × variants per measure; give
    /// variants in groups if their terms are large.
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
        let is_allowed = per_variant > 0 && terms.len().is_multiple_of(per_variant) && measures > 0;
        let expected = "every variant needs the same number of columns, one or more, and one measure or more";
        check_setting(is_allowed, "per_variant", per_variant as f64, expected)?;
        let (draws, variants) = (self.draws(), terms.len() / per_variant);
        let mut tables = vec![vec![0.0; draws * variants]; measures];
        let mut scores = vec![f64::NAN; measures];
        // Many at a time, since the draws are made anew for each group of variants.
        let together = (TOGETHER / per_variant).max(1);
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

    /// Hands out the sums of a batch of draws and a tile of columns: first draw, first column, one array per
    /// draw.
    fn for_each_batch(&self, terms: &[&[f64]], mut take: impl FnMut(usize, usize, &[[f64; LANES]])) {
        let n = self.case_count();
        let (arch, stretches) = (Arch::new(), n.div_ceil(STRETCH));
        let mut tile = [[0.0; LANES]; STRETCH];
        let mut counts = vec![0; n];
        let (mut entries, mut ends) = (Vec::new(), Vec::new());
        for first_draw in (0..self.draws()).step_by(BATCH) {
            let drawn = first_draw..(first_draw + BATCH).min(self.draws());
            entries.clear();
            ends.clear();
            ends.push(0);
            for draw in drawn.clone() {
                counts.fill(0);
                self.add_counts(draw, &mut counts);
                for stretch in counts.chunks(STRETCH) {
                    self.formula.write(stretch, &mut entries);
                    ends.push(entries.len());
                }
            }
            let mut sums = vec![[0.0; LANES]; drawn.len()];
            for first_column in (0..terms.len()).step_by(LANES) {
                let columns = &terms[first_column..(first_column + LANES).min(terms.len())];
                sums.fill([0.0; LANES]);
                for s in 0..stretches {
                    fill_tile(&mut tile, columns, s * STRETCH, self.formula);
                    let ends =
                        ends[s..].iter().step_by(stretches).zip(ends[s + 1..].iter().step_by(stretches));
                    arch.dispatch(Accumulate { tile: &tile, entries: &entries, ends, sums: &mut sums });
                }
                take(first_draw, first_column, &sums);
            }
        }
    }
}

/// The columns as slices.
pub(crate) fn slices<C: AsRef<[f64]>>(columns: &[C]) -> Vec<&[f64]> {
    columns.iter().map(AsRef::as_ref).collect()
}

/// Brings the columns of a stretch into rows of lanes; as running sums where steps are summed.
fn fill_tile(tile: &mut Tile, columns: &[&[f64]], start: usize, formula: SumFormula) {
    for (lane, column) in columns.iter().enumerate() {
        let mut running = 0.0;
        for (row, value) in tile.iter_mut().zip(&column[start..]) {
            running = if formula == SumFormula::Steps { running + value } else { *value };
            row[lane] = running;
        }
    }
}

/// A stretch of cases, one array of lanes each. Lanes without a column keep whatever stood there and are
/// never read.
type Tile = [[f64; LANES]; STRETCH];

/// Adds a stretch to the sums of all draws of a batch, compiled for the widest vectors of the machine.
struct Accumulate<'a, I> {
    tile: &'a Tile,
    entries: &'a [Entry],
    /// Where the entries of each draw start and end.
    ends: I,
    sums: &'a mut [[f64; LANES]],
}

impl<'a, I: Iterator<Item = (&'a usize, &'a usize)>> WithSimd for Accumulate<'a, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (sum, (&start, &end)) in self.sums.iter_mut().zip(self.ends) {
            let mut total = *sum;
            for entry in &self.entries[start..end] {
                let (row, factor) = (&self.tile[entry.row()], entry.factor());
                for lane in 0..LANES {
                    total[lane] += factor * row[lane];
                }
            }
            *sum = total;
        }
    }
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
        let form = |block| Resamples::stationary(2000, block, 2, 1).unwrap().formula;
        assert_eq!(
            [form(1.0), form(3.0), form(50.0)],
            [SumFormula::Counts, SumFormula::Steps, SumFormula::Steps]
        );
    }

    #[test]
    fn columns_of_zeros_stay_in_their_place() {
        let mut terms = columns(200, 40);
        [0, 7, 38].into_iter().for_each(|j| terms[j].fill(0.0));
        let resamples = Resamples::stationary(200, 4.0, 20, 11).unwrap();
        let sums = resamples.sums(&terms).unwrap();
        for (j, term) in terms.iter().enumerate() {
            let alone = resamples.sums(&[term]).unwrap();
            assert_eq!(sums.column(j), alone.column(0));
            assert_eq!(sums.column(j).iter().all(|&s| s == 0.0), [0, 7, 38].contains(&j));
        }
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
    fn a_case_drawn_a_thousand_times_takes_several_entries() {
        let n = 2000;
        let mut draw = vec![5; 1000];
        draw.extend(vec![1999; 700]);
        draw.extend(0..300);
        let resamples = Resamples::from_rows(n, &[draw.clone(), (0..n as u32).collect()]).unwrap();
        let term: Vec<f64> = (0..n).map(|i| (i % 13) as f64).collect();
        let sums = resamples.sums(&[&term]).unwrap();
        assert_eq!(sums.column(0)[0], draw.iter().map(|&r| term[r as usize]).sum::<f64>());
        assert_eq!(sums.column(0)[1], term.iter().sum::<f64>());
    }

    #[test]
    fn scores_finish_the_sums_of_each_variant() {
        let (n, variants) = (150, 120);
        let terms = columns(n, 3 * variants);
        let resamples = Resamples::stationary(n, 5.0, 20, 2).unwrap();
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
