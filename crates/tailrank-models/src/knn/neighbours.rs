//! The nearest training rows of many queries: a filter in single precision, then exact distances of what is
//! left.

use std::cmp::Ordering;

use super::filter::{Filter, PANEL, QUERIES, Queries, Sums};
use crate::{MatrixView, standardise::power_of_two_near};

/// Rows measured together: their sums are independent, so none waits for another.
const TOGETHER: usize = 4;

/// A training row and its Euclidean distance, in the unit of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbour {
    pub(crate) distance: f64,
    pub(crate) row: usize,
}

/// Training rows laid out for the search.
pub(crate) struct Search {
    /// Row after row, in units of `unit`.
    rows: Vec<f64>,
    count: usize,
    inputs: usize,
    /// What distances are counted in: a power of two that keeps squares finite; it cancels in ranks and in
    /// relative weights.
    pub(crate) unit: f64,
    filter: Filter,
}

/// Up to [`QUERIES`] queries on their way through the tiles.
struct Group {
    points: Vec<Vec<f64>>,
    best: Vec<Best>,
    /// None where the filter cannot hold one of them.
    queries: Option<Queries>,
    /// Rows of the tile that passed, for every query.
    passed: [Vec<usize>; QUERIES],
}

/// What the filter says of the first rows, for every query of a group.
type Looks = [Vec<(f32, u32)>; QUERIES];

impl Search {
    pub(crate) fn new(x: MatrixView<'_>) -> Self {
        let (count, inputs, unit) = (x.rows(), x.cols(), power_of_two_near(x.as_slice()));
        let rows: Vec<f64> = x.as_slice().iter().map(|v| v / unit).collect();
        let filter = Filter::new(&rows, inputs);
        Self { rows, count, inputs, unit, filter }
    }

    /// Calls `each` with the `k` nearest rows of every query in turn, nearest first, equals in row order; `k`
    /// is at most the number of rows.
    pub(crate) fn nearest<'a>(
        &self,
        points: impl Iterator<Item = &'a [f64]>,
        k: usize,
        mut each: impl FnMut(&[Neighbour]),
    ) {
        let points: Vec<Vec<f64>> = points.map(|p| p.iter().map(|v| v / self.unit).collect()).collect();
        let mut looks = Looks::default();
        let mut groups: Vec<Group> =
            points.chunks(QUERIES).map(|points| self.group(points, k, &mut looks)).collect();
        // A tile stays in the cache while all queries pass it.
        for tile in 0..self.filter.tiles() {
            for group in &mut groups {
                self.search_tile(tile, group);
            }
        }
        for best in groups.iter_mut().flat_map(|g| &mut g.best) {
            let nearest = best.sorted();
            nearest.iter_mut().for_each(|n| n.distance = n.distance.sqrt());
            each(nearest);
        }
    }

    fn group(&self, points: &[Vec<f64>], k: usize, looks: &mut Looks) -> Group {
        let queries = self.filter.queries(points);
        let mut group = Group {
            points: points.to_vec(),
            best: points.iter().map(|_| Best::new(k)).collect(),
            queries,
            passed: Default::default(),
        };
        self.bound(&mut group, k, looks);
        group
    }

    /// A first limit for every query: how far the farthest of k rows is that look near among the first tiles.
    fn bound(&self, group: &mut Group, k: usize, looks: &mut Looks) {
        let tiles = (4 * k).div_ceil(self.filter.rows_per_tile());
        let rows = (tiles * self.filter.rows_per_tile()).min(self.count);
        let Some(queries) =
            group.queries.as_ref().filter(|_| rows >= k && 2 * tiles <= 1 + self.filter.tiles())
        else {
            return;
        };
        looks.iter_mut().for_each(Vec::clear);
        for tile in 0..tiles {
            self.filter.scan(tile, queries, [0.0; QUERIES], true, |first, sums: &Sums| {
                for (looks, sums) in looks.iter_mut().zip(sums) {
                    let inside = sums.iter().take(self.count - first);
                    looks.extend(inside.zip(first as u32..).map(|(s, row)| (*s, row)));
                }
            });
        }
        for ((best, point), looks) in group.best.iter_mut().zip(&group.points).zip(looks) {
            looks.select_nth_unstable_by(k - 1, |a, b| b.0.total_cmp(&a.0));
            let rows: Vec<usize> = looks[..k].iter().map(|(_, row)| *row as usize).collect();
            let mut farthest = 0.0;
            self.measure(&rows, point, |n| {
                farthest = if n.distance > farthest { n.distance } else { farthest }
            });
            best.restart(farthest);
        }
    }

    fn search_tile(&self, tile: usize, group: &mut Group) {
        let Group { points, best, queries, passed } = group;
        passed.iter_mut().for_each(Vec::clear);
        if let Some(queries) = queries {
            // Queries that are not there reach nothing.
            let mut thresholds = [f32::INFINITY; QUERIES];
            for (q, best) in best.iter().enumerate() {
                thresholds[q] = self.filter.threshold(queries, q, best.limit);
            }
            self.filter.scan(tile, queries, thresholds, false, |first, sums| {
                for (passed, sums) in passed.iter_mut().zip(sums) {
                    let rows = first..(first + PANEL).min(self.count);
                    passed.extend(rows.zip(sums).filter(|(_, s)| **s > 0.0).map(|(row, _)| row));
                }
            });
        } else {
            let first = tile * self.filter.rows_per_tile();
            let rows = first..(first + self.filter.rows_per_tile()).min(self.count);
            passed.iter_mut().take(points.len()).for_each(|p| p.extend(rows.clone()));
        }
        for ((best, point), rows) in best.iter_mut().zip(points).zip(passed) {
            self.measure(rows, point, |n| best.offer(n));
        }
    }

    /// Exact squared distances of some rows, in their order.
    #[inline(always)]
    fn measure(&self, rows: &[usize], point: &[f64], mut each: impl FnMut(Neighbour)) {
        let row = |r: usize| &self.rows[r * self.inputs..][..self.inputs];
        let (fours, rest) = rows.as_chunks::<TOGETHER>();
        for four in fours {
            let [a, b, c, d] = four.map(row);
            let mut sums = [0.0; TOGETHER];
            for ((((p, a), b), c), d) in point.iter().zip(a).zip(b).zip(c).zip(d) {
                for (sum, v) in sums.iter_mut().zip([a, b, c, d]) {
                    *sum += (v - p) * (v - p);
                }
            }
            for (&row, distance) in four.iter().zip(sums) {
                each(Neighbour { distance, row });
            }
        }
        for &r in rest {
            let distance = row(r).iter().zip(point).fold(0.0, |sum, (v, p)| sum + (v - p) * (v - p));
            each(Neighbour { distance, row: r });
        }
    }
}

/// Up to here a sorted list is kept; more are collected and cut back now and then.
const SORTED: usize = 32;

/// Keeps the `k` nearest, equals in row order.
#[derive(Debug)]
pub(crate) struct Best {
    k: usize,
    kept: Vec<Neighbour>,
    /// Rows this far off or farther cannot be among the nearest any more.
    pub(crate) limit: f64,
}

fn order(a: &Neighbour, b: &Neighbour) -> Ordering {
    a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row))
}

impl Best {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, kept: Vec::new(), limit: f64::INFINITY }
    }

    /// Forgets all rows; those farther than `limit` are known not to be needed.
    pub(super) fn restart(&mut self, limit: f64) {
        self.kept.clear();
        // Equal ones are still needed.
        self.limit = limit.next_up();
    }

    /// Takes a row; rows must come in order.
    pub(crate) fn offer(&mut self, candidate: Neighbour) {
        // Not `>=`: while nothing is known the limit is infinite, and so may a distance be.
        if self.kept.len() >= self.k && candidate.distance >= self.limit {
            return;
        }
        if self.k > SORTED {
            self.kept.push(candidate);
            if self.kept.len() >= 2 * self.k {
                self.cut();
            }
            return;
        }
        if self.kept.len() == self.k {
            self.kept.pop();
        }
        let place = self.kept.partition_point(|n| n.distance <= candidate.distance);
        self.kept.insert(place, candidate);
        if self.kept.len() == self.k {
            self.limit = self.kept[self.k - 1].distance;
        }
    }

    /// The nearest rows, nearest first.
    pub(crate) fn sorted(&mut self) -> &mut [Neighbour] {
        if self.kept.len() > self.k {
            self.cut();
        }
        self.kept.sort_unstable_by(order);
        &mut self.kept
    }

    fn cut(&mut self) {
        let (_, last, _) = self.kept.select_nth_unstable_by(self.k - 1, order);
        self.limit = last.distance;
        self.kept.truncate(self.k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    fn nearest(search: &Search, point: &[f64], k: usize) -> Vec<Neighbour> {
        let mut found = Vec::new();
        search.nearest(std::iter::once(point), k, |n| found = n.to_vec());
        found
    }

    #[test]
    fn equals_stand_in_row_order() {
        let x = Matrix::from_rows(&[[3.0, 4.0], [0.0, 5.0], [1.0, 1.0], [-3.0, -4.0]]).unwrap();
        let search = Search::new(x.view());
        for k in 1..=4 {
            let got = nearest(&search, &[0.0, 0.0], k);
            let got: Vec<(usize, f64)> = got.iter().map(|n| (n.row, n.distance * search.unit)).collect();
            assert_eq!(got, [(2, 2f64.sqrt()), (0, 5.0), (1, 5.0), (3, 5.0)][..k]);
        }
    }

    #[test]
    fn every_tile_is_searched() {
        let rows: Vec<[f64; 1]> = (0..1000).map(|i| [f64::from((i * 7919) % 1000)]).collect();
        let x = Matrix::from_rows(&rows).unwrap();
        let got = nearest(&Search::new(x.view()), &[500.2], 5);
        let values: Vec<f64> = got.iter().map(|n| rows[n.row][0]).collect();
        assert_eq!(values, [500.0, 501.0, 499.0, 502.0, 498.0]);
    }

    /// All distances, sorted: what the search must equal to the bit.
    fn plain(x: &Matrix, unit: f64, point: &[f64], k: usize) -> Vec<Neighbour> {
        let mut all: Vec<Neighbour> = (x.view().iter_rows().enumerate())
            .map(|(row, values)| {
                let differences = values.iter().zip(point).map(|(v, p)| v / unit - p / unit);
                Neighbour { distance: differences.fold(0.0, |sum, d| sum + d * d).sqrt(), row }
            })
            .collect();
        all.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        all.truncate(k);
        all
    }

    #[test]
    fn the_filter_loses_nothing() {
        let mut state = 1u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        // Plain; far from the origin, where single precision holds almost nothing; equal rows; of very
        // different size; two places each so narrow that rounding parts neighbours.
        type Shape = fn(f64, usize) -> f64;
        let shapes: [Shape; 6] = [
            |v, _| v,
            |v, _| 1e6 + v,
            |v, _| 1e9 + 1e-3 * v,
            |v, _| (4.0 * v).round(),
            |v, i| if i % 50 == 0 { 1e12 * v } else { v },
            |v, i| (i % 2) as f64 + 1e-7 * v,
        ];
        for (inputs, rows) in [(1, 40), (3, 2000), (24, 700), (700, 90)] {
            for shape in shapes {
                let mut cell = 0;
                let mut values = |count: usize| -> Vec<f64> {
                    (0..count)
                        .map(|_| {
                            cell += 1;
                            shape(uniform(), cell)
                        })
                        .collect()
                };
                let x = Matrix::new(rows, inputs, values(rows * inputs)).unwrap();
                let mut points = values(7 * inputs);
                points[..inputs].copy_from_slice(x.view().row(rows / 2));
                points[inputs..2 * inputs].fill(1e300);
                let points = Matrix::new(7, inputs, points).unwrap();
                let search = Search::new(x.view());
                for k in [1, 5, 33, rows.min(300), rows] {
                    let mut query = 0;
                    search.nearest(points.view().iter_rows(), k, |got| {
                        let want = plain(&x, search.unit, points.view().row(query), k);
                        assert_eq!(got, want, "{inputs} inputs, k {k}, query {query}");
                        query += 1;
                    });
                    assert_eq!(query, 7);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests_of_best {
    use super::*;

    #[test]
    fn any_k_keeps_what_sorting_would() {
        // Many equal distances, in an order that is neither.
        let distances: Vec<f64> = (0..700).map(|i: usize| f64::from((i * 7919 % 97) as u32)).collect();
        let rows: Vec<Neighbour> =
            distances.iter().enumerate().map(|(row, &distance)| Neighbour { distance, row }).collect();
        let mut sorted = rows.clone();
        sorted.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        for k in [1, 2, 31, 32, 33, 34, 100, 349, 350, 351, 699, 700] {
            let mut best = Best::new(k);
            // A second round with the limit known from the first, which must not lose the equals.
            for limit in [f64::INFINITY, sorted[k - 1].distance] {
                best.restart(limit);
                rows.iter().for_each(|r| best.offer(*r));
                assert_eq!(best.sorted(), &sorted[..k], "{k}");
            }
        }
    }

    #[test]
    fn infinite_distances_count() {
        let mut best = Best::new(2);
        best.restart(f64::INFINITY);
        (0..3).for_each(|row| best.offer(Neighbour { distance: f64::INFINITY, row }));
        assert_eq!(best.sorted().iter().map(|n| n.row).collect::<Vec<_>>(), [0, 1]);
    }
}
