//! The REC surface D(e, y) = P(ε ≤ e, Y ≤ y) on a grid (REC05 eq. 1).
//!
//! Every case falls into one cell of the grid, found by bisection; running sums over the cells then give all
//! the counts at once: O(n log g + g²) where a scan per grid point costs O(n g²).

use super::curve::{Interval, RecError, errors};
use crate::error::{MetricError, Result, check_setting};

/// D(e, y) at every pair of an error grid and a target grid.
#[derive(Clone, Debug, PartialEq)]
pub struct RecSurface {
    error_grid: Vec<f64>,
    target_grid: Vec<f64>,
    /// Cases with ε ≤ e and Y ≤ y, one row per error.
    counts: Vec<u64>,
    cases: u64,
}

impl RecSurface {
    /// The surface over two ascending grids, whose last point may be infinite.
    ///
    /// ```
    /// use tailrank_metrics::rec::{RecError, RecSurface};
    ///
    /// let (truth, predicted) = ([1.0, 2.0, 3.0, 4.0], [1.1, 2.3, 3.0, 3.0]);
    /// let surface =
    ///     RecSurface::new(&truth, &predicted, RecError::Absolute, vec![0.2, 0.5, 1.0], vec![2.0, 4.0])?;
    /// assert_eq!(surface.at(0, 0), 0.25); // one case of four: ε ≤ 0.2 and Y ≤ 2
    /// assert_eq!(surface.along_errors(1), [0.5, 0.75, 1.0]); // the REC curve
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(
        truth: &[f64],
        predicted: &[f64],
        error: RecError,
        error_grid: Vec<f64>,
        target_grid: Vec<f64>,
    ) -> Result<Self> {
        check_grid("error grid", &error_grid)?;
        check_grid("target grid", &target_grid)?;
        let errors = errors(truth, predicted, error)?;
        let width = target_grid.len();
        let mut counts = vec![0_u64; error_grid.len() * width];
        for (&e, &y) in errors.iter().zip(truth) {
            // The first grid point at or above the value.
            let [i, j] = [(&error_grid, e), (&target_grid, y)]
                .map(|(grid, value)| grid.partition_point(|&g| g < value));
            // Beyond either grid a case is counted in no cell.
            if i < error_grid.len() && j < width {
                counts[i * width + j] += 1;
            }
        }
        sum_along_both(&mut counts, width);
        Ok(Self { error_grid, target_grid, counts, cases: truth.len() as u64 })
    }

    /// D at the i-th error and the j-th target of the grids.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.share(self.count(i, j))
    }

    /// The error grid.
    pub fn error_grid(&self) -> &[f64] {
        &self.error_grid
    }

    /// The target grid.
    pub fn target_grid(&self) -> &[f64] {
        &self.target_grid
    }

    /// All heights, one row per error.
    pub fn heights(&self) -> Vec<f64> {
        self.counts.iter().map(|&c| self.share(c)).collect()
    }

    /// The iso-line Y ≤ y_j: heights over the error grid. The last one is the REC curve if y covers all
    /// targets.
    pub fn along_errors(&self, j: usize) -> Vec<f64> {
        (0..self.error_grid.len()).map(|i| self.at(i, j)).collect()
    }

    /// The iso-line ε ≤ e_i: heights over the target grid.
    pub fn along_targets(&self, i: usize) -> Vec<f64> {
        (0..self.target_grid.len()).map(|j| self.at(i, j)).collect()
    }

    /// The slice P(ε ≤ e, y_from < Y ≤ y_to) over the error grid, between two grid targets (REC05 eq. 3).
    ///
    /// `from = None` starts below every target.
    pub fn target_slice(&self, from: Option<usize>, to: usize) -> Vec<f64> {
        let below = |i| from.map_or(0, |j| self.count(i, j));
        (0..self.error_grid.len()).map(|i| self.share(self.count(i, to).saturating_sub(below(i)))).collect()
    }

    /// The slice P(e_from < ε ≤ e_to, Y ≤ y) over the target grid, between two grid errors (REC05 eq. 2).
    ///
    /// `from = None` starts below every error.
    pub fn error_slice(&self, from: Option<usize>, to: usize) -> Vec<f64> {
        let below = |j| from.map_or(0, |i| self.count(i, j));
        (0..self.target_grid.len()).map(|j| self.share(self.count(to, j).saturating_sub(below(j)))).collect()
    }

    fn count(&self, i: usize, j: usize) -> u64 {
        self.counts[i * self.target_grid.len() + j]
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.cases as f64
    }
}

/// `points` evenly spaced values over an interval, its upper end included and its lower end left out.
///
/// ```
/// use tailrank_metrics::rec::{Interval, even_grid};
///
/// assert_eq!(even_grid(Interval::new(0.0, 1.0)?, 4)?, [0.25, 0.5, 0.75, 1.0]);
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn even_grid(range: Interval, points: usize) -> Result<Vec<f64>> {
    let (lo, hi) = (range.above(), range.up_to());
    for end in [lo, hi] {
        check_setting(end.is_finite(), "grid end", end, "a finite number")?;
    }
    let step = (hi - lo) / points as f64;
    let grid: Vec<f64> = (1..=points).map(|k| if k == points { hi } else { lo + step * k as f64 }).collect();
    check_grid("grid", &grid)?;
    Ok(grid)
}

fn check_grid(name: &'static str, grid: &[f64]) -> Result<()> {
    if grid.is_empty() {
        return Err(MetricError::Empty { name, needed: 1 });
    }
    if grid[0].is_nan() {
        return Err(MetricError::NonFinite { name, row: 1, value: grid[0] });
    }
    // A NaN later in the grid fails the comparison too.
    match grid.windows(2).position(|w| !matches!(w[0].partial_cmp(&w[1]), Some(std::cmp::Ordering::Less))) {
        Some(i) => {
            let problem = format!("{} does not follow {}", grid[i + 1], grid[i]);
            Err(MetricError::entry(name, i + 1, problem, "give the points in ascending order, each once"))
        }
        None => Ok(()),
    }
}

/// Turns cell counts into counts of all cells at or below, along rows and columns.
fn sum_along_both(counts: &mut [u64], width: usize) {
    for row in counts.chunks_exact_mut(width) {
        let mut sum = 0;
        for c in row {
            sum += *c;
            *c = sum;
        }
    }
    for i in width..counts.len() {
        counts[i] += counts[i - width];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_grids_are_named() {
        let surface = |e: Vec<f64>, y: Vec<f64>| RecSurface::new(&[1.0], &[1.0], RecError::Absolute, e, y);
        assert_eq!(
            surface(vec![0.1, 0.3, 0.2], vec![1.0]).unwrap_err().to_string(),
            "error grid entry 3: 0.2 does not follow 0.3; give the points in ascending order, each once"
        );
        assert_eq!(
            surface(vec![0.1], vec![]).unwrap_err().to_string(),
            "target grid is empty: give 1 or more rows"
        );
        assert!(surface(vec![0.1, f64::NAN], vec![1.0]).is_err());
        assert!(surface(vec![f64::NAN], vec![1.0]).is_err());
        assert_eq!(even_grid(Interval::new(1.0, 3.0).unwrap(), 4).unwrap(), [1.5, 2.0, 2.5, 3.0]);
        let err = even_grid(Interval::ALL, 3).unwrap_err();
        assert_eq!(err.to_string(), "grid end = -inf is not allowed: a finite number");
    }

    #[test]
    fn slices_are_differences_of_iso_lines() {
        let (y, z) = ([1.0, 2.0, 3.0, 4.0], [1.5, 2.0, 2.0, 4.1]);
        let s =
            RecSurface::new(&y, &z, RecError::Absolute, vec![0.0, 0.5, 1.0], vec![1.0, 3.0, 4.0]).unwrap();
        assert_eq!(s.target_slice(Some(0), 1), [0.25, 0.25, 0.5]);
        assert_eq!(s.target_slice(None, 2), s.along_errors(2));
        assert_eq!(s.error_slice(Some(0), 1), [0.25, 0.25, 0.5]);
        assert_eq!(s.error_slice(None, 2), s.along_targets(2));
    }
}
