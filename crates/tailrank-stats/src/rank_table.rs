//! Ranks of k models on each of N tasks, the table that Friedman's test and its post-hoc tests read.

use crate::{
    error::{Result, StatsError, check_count},
    ranking::{Better, rank_scores},
};

/// Ranks within each task (row), 1 for the best model (column), ties averaged.
#[derive(Clone, Debug, PartialEq)]
pub struct RankTable {
    tasks: usize,
    models: usize,
    ranks: Vec<f64>,
}

impl RankTable {
    /// Ranks a table of scores, one row per task, one column per model; `None` is undefined and ranks last.
    ///
    /// ```
    /// use tailrank_stats::{Better, RankTable};
    ///
    /// let scores = [[Some(0.2), Some(0.5), None], [Some(0.1), Some(0.1), Some(0.7)]];
    /// let table = RankTable::from_scores(&scores, Better::Higher)?;
    /// assert_eq!(table.average_ranks(), [2.25, 1.75, 2.0]);
    /// # Ok::<(), tailrank_stats::StatsError>(())
    /// ```
    pub fn from_scores<R: AsRef<[Option<f64>]>>(rows: &[R], better: Better) -> Result<Self> {
        let models = rows.first().map_or(0, |row| row.as_ref().len());
        let mut ranks = Vec::with_capacity(rows.len() * models);
        for (i, row) in rows.iter().enumerate() {
            let row = row.as_ref();
            if row.len() != models {
                return Err(StatsError::Ragged { row: i + 1, columns: row.len(), expected: models });
            }
            ranks.extend(rank_scores(row, better)?);
        }
        check_count("models", models, "a rank table", 2, "rank at least two models on one task")?;
        Ok(Self { tasks: rows.len(), models, ranks })
    }

    /// Ranks a table of numbers without undefined scores.
    pub fn from_values<R: AsRef<[f64]>>(rows: &[R], better: Better) -> Result<Self> {
        let rows: Vec<Vec<Option<f64>>> =
            rows.iter().map(|row| row.as_ref().iter().copied().map(Some).collect()).collect();
        Self::from_scores(&rows, better)
    }

    /// Number of tasks N.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// Number of models k.
    pub fn models(&self) -> usize {
        self.models
    }

    /// The ranks on each task.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.ranks.chunks_exact(self.models)
    }

    /// Average rank of each model over the tasks.
    pub fn average_ranks(&self) -> Vec<f64> {
        self.rank_sums().into_iter().map(|sum| sum / self.tasks as f64).collect()
    }

    pub(crate) fn rank_sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.models];
        for row in self.rows() {
            for (sum, rank) in sums.iter_mut().zip(row) {
                *sum += rank;
            }
        }
        sums
    }

    /// Σ of all squared ranks.
    pub(crate) fn sum_of_squares(&self) -> f64 {
        self.ranks.iter().map(|r| r * r).sum()
    }
}
