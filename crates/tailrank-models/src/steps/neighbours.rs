//! The nearest rows of a bump.
//!
//! Distances are sums of squared differences, input by input, so that equal rows are at distance 0 and ties
//! are ties. Quantities are searched as family `knn` does. Where there are categories or the median distance
//! is asked for, all rows are measured, input after input.

use std::{collections::BTreeMap, ops::Range};

use rayon::prelude::*;

use super::context::{Field, fields};
use crate::{
    Matrix, MatrixView, ModelError, Result,
    knn::{Best, Neighbour, Search},
    linalg::vectorised,
    standardise::Scaler,
    steps::weights::range,
};

/// How far two rows are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Euclidean on inputs divided by their standard deviations over all training rows.
    Standardised,
    /// Euclidean on the inputs as they are: UBL's "Euclidean".
    Ubl,
    /// Heterogeneous Euclidean-overlap metric (Wilson & Martinez 1997): differences of quantities divided by
    /// their range in the bump, 1 between different categories.
    Heom,
}

impl Distance {
    /// The distance a step uses; without a name HEOM if there are categories, else standardised.
    pub(super) fn named(step: &'static str, name: &str, categories: &[Range<usize>]) -> Result<Self> {
        let mixed = !categories.is_empty();
        match name {
            "heom" => Ok(Self::Heom),
            "auto" if mixed => Ok(Self::Heom),
            "ubl" | "standardised" if mixed => {
                let problem = "is for numbers only, and some inputs are categories; use \"heom\"";
                Err(ModelError::step(step, format!("distance = \"{name}\" {problem}")))
            }
            "ubl" => Ok(Self::Ubl),
            _ => Ok(Self::Standardised),
        }
    }

    /// The units that all training rows give the inputs.
    pub fn units(self, all: MatrixView<'_>) -> Vec<f64> {
        match self {
            Self::Standardised => Scaler::fit(all, None).scale,
            Self::Ubl | Self::Heom => vec![1.0; all.cols()],
        }
    }

    /// What an input is divided by within a bump.
    fn unit(self, units: &[f64], bump: MatrixView<'_>, input: usize) -> f64 {
        let unit = match self {
            Self::Ubl => 1.0,
            Self::Standardised => units[input],
            Self::Heom => {
                let (low, high) = range(&bump.column(input));
                high - low
            }
        };
        if unit > 0.0 && unit.is_finite() { unit } else { 1.0 }
    }

    /// The rows of a bump in units in which plain differences count, with one column for each category; and
    /// which these are.
    fn scaled(
        self,
        units: &[f64],
        bump: MatrixView<'_>,
        categories: &[Range<usize>],
    ) -> Result<(Matrix, Vec<bool>)> {
        let mut columns: Vec<(Vec<f64>, bool)> = Vec::new();
        for field in fields(bump.cols(), categories) {
            match field {
                Field::Quantities(inputs) => columns.extend(inputs.map(|j| {
                    let unit = self.unit(units, bump, j);
                    (bump.column(j).iter().map(|v| v / unit).collect(), false)
                })),
                Field::Category(inputs) => columns.push((codes(bump, inputs), true)),
            }
        }
        let values =
            (0..bump.rows()).flat_map(|i| columns.iter().map(move |(column, _)| column[i])).collect();
        let scaled = Matrix::new(bump.rows(), columns.len(), values)?;
        Ok((scaled, columns.iter().map(|(_, categorical)| *categorical).collect()))
    }
}

/// A number for each row, equal where a category is: levels in several inputs differ as a whole, once.
fn codes(bump: MatrixView<'_>, inputs: Range<usize>) -> Vec<f64> {
    let mut seen: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
    let mut code = |row: &[f64]| {
        // 0 and −0 are one level.
        let level = row[inputs.clone()].iter().map(|v| (v + 0.0).to_bits()).collect();
        let next = seen.len() as f64;
        *seen.entry(level).or_insert(next)
    };
    bump.iter_rows().map(&mut code).collect()
}

/// Neighbours of the rows of a bump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbours {
    /// Neighbours of each row: as many as asked for, or all others in a smaller bump.
    k: usize,
    places: Vec<u32>,
    distances: Vec<f64>,
    medians: Vec<f64>,
}

/// Rows searched by one task: their candidates stay in the cache.
const QUERIES: usize = 32;
/// Larger values are measured in full: in one unit with them, small differences would vanish.
const LARGEST_SEARCHED: f64 = 1e18;

impl Neighbours {
    /// The `k` nearest rows of `bump` to each of its rows, nearest first and earlier rows first among equals;
    /// with the median distance of each to all others where asked for.
    ///
    /// `units` are those that all training rows give the inputs; `categories` are inputs that together stand
    /// for one category each.
    ///
    /// ```
    /// use tailrank_models::{Matrix, steps::{Distance, Neighbours}};
    ///
    /// let x = Matrix::new(4, 1, vec![0.0, 1.0, 5.0, 7.0])?;
    /// let units = Distance::Ubl.units(x.view());
    /// let found = Neighbours::find(x.view(), &units, &[], Distance::Ubl, 2, false)?;
    /// assert_eq!((found.of(0), found.of(3)), ([1, 2].as_slice(), [2, 1].as_slice()));
    /// # Ok::<(), tailrank_models::ModelError>(())
    /// ```
    pub fn find(
        bump: MatrixView<'_>,
        units: &[f64],
        categories: &[Range<usize>],
        distance: Distance,
        k: usize,
        with_medians: bool,
    ) -> Result<Self> {
        let (scaled, categorical) = distance.scaled(units, bump, categories)?;
        let k = k.min(bump.rows().saturating_sub(1));
        let queries: Vec<usize> = (0..bump.rows()).collect();
        let searchable = || scaled.view().as_slice().iter().all(|v| v.abs() <= LARGEST_SEARCHED);
        let found: Vec<Self> = if !with_medians && !categorical.contains(&true) && k > 0 && searchable() {
            let search = Search::new(scaled.view());
            queries.par_chunks(QUERIES).map(|queries| searched(&search, scaled.view(), queries, k)).collect()
        } else {
            let columns = scaled.view().to_column_major();
            let all = Measured { scaled: scaled.view(), columns: &columns, categorical: &categorical };
            let search = |queries| vectorised!(all.search(queries, k, with_medians));
            queries.par_chunks(QUERIES).map(search).collect()
        };
        let mut all = Self { k, ..Self::default() };
        for part in found {
            all.places.extend(part.places);
            all.distances.extend(part.distances);
            all.medians.extend(part.medians);
        }
        Ok(all)
    }

    /// The neighbours of a row.
    pub fn of(&self, row: usize) -> &[u32] {
        &self.places[row * self.k..(row + 1) * self.k]
    }

    /// Whether distances that are not finite kept some neighbours from being found.
    pub(super) fn is_incomplete(&self) -> bool {
        self.places.contains(&u32::MAX)
    }

    /// Whether the neighbour at this place of its list is nearer than half the median distance.
    pub(super) fn is_safe(&self, row: usize, at: usize) -> bool {
        self.distances[row * self.k + at] < 0.5 * self.medians[row]
    }
}

/// The nearest other rows of each query.
fn searched(search: &Search, x: MatrixView<'_>, queries: &[usize], k: usize) -> Neighbours {
    let mut lists = Neighbours { k, ..Neighbours::default() };
    let mut next = queries.iter();
    // One more than asked for: the row itself is among them, unless enough equal rows come before it.
    search.nearest(queries.iter().map(|&query| x.row(query)), k + 1, |nearest| {
        let query = next.next();
        for neighbour in nearest.iter().filter(|n| Some(&n.row) != query).take(k) {
            lists.places.push(neighbour.row as u32);
            lists.distances.push(neighbour.distance * search.unit);
        }
    });
    lists
}

/// Rows that are measured one against all others.
struct Measured<'a> {
    scaled: MatrixView<'a>,
    /// The same, column after column.
    columns: &'a [f64],
    categorical: &'a [bool],
}

impl Measured<'_> {
    #[inline(always)]
    fn search(&self, queries: &[usize], k: usize, with_medians: bool) -> Neighbours {
        let mut found = Neighbours { k, ..Neighbours::default() };
        let mut squares = vec![0.0; self.scaled.rows()];
        for (done, &query) in queries.iter().enumerate() {
            self.measure(query, &mut squares);
            let mut best = Best::new(k);
            for (row, &distance) in squares.iter().enumerate() {
                if k > 0 && distance < best.limit {
                    best.offer(Neighbour { distance, row });
                }
            }
            let nearest = best.sorted();
            found.places.extend(nearest.iter().map(|n| n.row as u32));
            found.distances.extend(nearest.iter().map(|n| n.distance.sqrt()));
            // Distances that are not finite keep some from being found.
            found.places.resize((done + 1) * k, u32::MAX);
            found.distances.resize((done + 1) * k, f64::INFINITY);
            if with_medians {
                let finite = squares.iter().copied().filter(|s| s.is_finite()).collect();
                found.medians.push(median(finite).sqrt());
            }
        }
        found
    }

    /// Squared distances of a row to all; infinite to itself.
    #[inline(always)]
    fn measure(&self, query: usize, squares: &mut [f64]) {
        squares.fill(0.0);
        let columns = self.columns.chunks_exact(squares.len()).zip(self.scaled.row(query));
        for ((column, value), categorical) in columns.zip(self.categorical) {
            if *categorical {
                squares.iter_mut().zip(column).for_each(|(sum, other)| *sum += f64::from(other != value));
            } else {
                squares.iter_mut().zip(column).for_each(|(sum, other)| {
                    let difference = other - value;
                    *sum += difference * difference;
                });
            }
        }
        squares[query] = f64::INFINITY;
    }
}

/// Median of squares as that of distances: for an even number the mean of the two roots in the middle,
/// squared.
fn median(mut squares: Vec<f64>) -> f64 {
    if squares.is_empty() {
        return f64::INFINITY;
    }
    let middle = squares.len() / 2;
    let even = squares.len().is_multiple_of(2);
    let (below, at, _) = squares.select_nth_unstable_by(middle, f64::total_cmp);
    if !even {
        return *at;
    }
    let lower = below.iter().copied().fold(0.0, f64::max);
    (0.5 * (lower.sqrt() + at.sqrt())).powi(2)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::FitContext;

    /// Values far from 0 and of very different size: the filter must still let every neighbour pass.
    #[test]
    fn the_filter_misses_nothing() {
        let mut rng = FitContext::new(4).rng("test", "filter", 0);
        for (offset, outlier) in [(0.0, 1.0), (1e6, 1.0), (-3e8, 1e4), (0.0, 1e30), (0.0, 1e200)] {
            let (rows, cols) = (400, 6);
            let values = (0..rows * cols)
                .map(|i| offset + rng.random::<f64>() * if i == 777 { outlier } else { 1.0 })
                .collect();
            let x = Matrix::new(rows, cols, values).unwrap();
            let search = |medians: bool| {
                Neighbours::find(x.view(), &[1.0; 6], &[], Distance::Ubl, 5, medians).unwrap()
            };
            assert_eq!(search(false).places, search(true).places, "{offset} {outlier}");
        }
    }

    /// Two clusters far apart: next to their distance the differences within them are lost in f32, so that
    /// all of a cluster must pass.
    #[test]
    fn the_filter_knows_its_rounding() {
        let mut rng = FitContext::new(5).rng("test", "clusters", 0);
        let (rows, cols) = (300, 4);
        let side = |i: usize| if (i / cols).is_multiple_of(2) { 1000.0 } else { -1000.0 };
        let values = (0..rows * cols)
            .map(|i| 1e-3 * rng.random::<f64>() + if i % cols == 0 { side(i) } else { 0.0 })
            .collect();
        let x = Matrix::new(rows, cols, values).unwrap();
        let found = Neighbours::find(x.view(), &[1.0; 4], &[], Distance::Ubl, 3, false).unwrap();
        for i in 0..rows {
            let square = |o: usize| -> f64 {
                x.view().row(i).iter().zip(x.view().row(o)).map(|(a, b)| (a - b) * (a - b)).sum()
            };
            let mut others: Vec<usize> = (0..rows).filter(|&o| o != i).collect();
            others.sort_by(|&a, &b| square(a).total_cmp(&square(b)));
            let want: Vec<u32> = others.iter().take(3).map(|&o| o as u32).collect();
            assert_eq!(found.of(i), want, "row {i}");
        }
    }

    /// All rows by plain sorting, whatever the size.
    #[test]
    fn the_search_equals_sorting_all_distances() {
        let mut rng = FitContext::new(3).rng("test", "neighbours", 0);
        for (rows, cols, k) in [(1, 2, 3), (2, 1, 3), (31, 3, 5), (32, 4, 1), (33, 2, 40), (500, 5, 7)] {
            // Few distinct values: many ties.
            let values = (0..rows * cols).map(|_| f64::from(rng.random_range(0..6))).collect();
            let x = Matrix::new(rows, cols, values).unwrap();
            let categorical: Vec<bool> = (0..cols).map(|j| j % 2 == 1).collect();
            let categories: Vec<Range<usize>> =
                (0..cols).filter(|&j| categorical[j]).map(|j| j..j + 1).collect();
            let ones = vec![1.0; cols];
            let search = |medians: bool| {
                Neighbours::find(x.view(), &ones, &categories, Distance::Heom, k, medians).unwrap()
            };
            let found = search(true);
            assert_eq!(search(false), Neighbours { medians: Vec::new(), ..found.clone() });
            let range: Vec<f64> = (0..cols)
                .map(|j| {
                    let column = x.view().column(j);
                    let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let range = high - column.iter().copied().fold(f64::INFINITY, f64::min);
                    if range > 0.0 { range } else { 1.0 }
                })
                .collect();
            for i in 0..rows {
                let square = |other: usize| -> f64 {
                    (0..cols)
                        .map(|j| {
                            let (a, b) = (x.view().at(i, j), x.view().at(other, j));
                            if categorical[j] {
                                f64::from(a != b)
                            } else {
                                (b / range[j] - a / range[j]).powi(2)
                            }
                        })
                        .sum()
                };
                let mut others: Vec<usize> = (0..rows).filter(|&o| o != i).collect();
                others.sort_by(|&a, &b| square(a).total_cmp(&square(b)).then(a.cmp(&b)));
                let want: Vec<u32> = others.iter().take(k).map(|&o| o as u32).collect();
                assert_eq!(found.of(i), want, "{rows} rows, row {i}");
                let roots: Vec<f64> = others.iter().map(|&o| square(o).sqrt()).collect();
                let middle = roots.len() / 2;
                let median = match roots.len() {
                    0 => f64::INFINITY,
                    n if n % 2 == 1 => roots[middle],
                    _ => 0.5 * (roots[middle - 1] + roots[middle]),
                };
                assert!((found.medians[i] - median).abs() < 1e-12 || found.medians[i] == median);
            }
        }
    }
}
