//! The nearest training rows of one row, by brute force over tiles that stay in the cache.

use crate::{MatrixView, Params, standardise::power_of_two_near};

/// Training rows per tile: 24 inputs of one tile fill 48 KB.
const TILE: usize = 256;

/// How far two rows are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    Euclidean,
    Manhattan,
    Chebyshev,
}

impl Distance {
    pub(super) fn of(variant: &Params) -> Self {
        match variant.text("distance", "euclidean") {
            "manhattan" => Self::Manhattan,
            "chebyshev" => Self::Chebyshev,
            _ => Self::Euclidean,
        }
    }
}

/// A training row and its distance, in the unit of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Neighbour {
    pub(super) distance: f64,
    pub(super) row: usize,
}

/// Training rows laid out for the search: tile after tile, inside a tile input after input.
pub(super) struct Search {
    tiles: Vec<f64>,
    rows: usize,
    inputs: usize,
    /// A power of two that keeps squares finite; it cancels in ranks and in relative weights.
    unit: f64,
    distance: Distance,
    arch: pulp::Arch,
}

impl Search {
    pub(super) fn new(x: MatrixView<'_>, distance: Distance) -> Self {
        let (rows, inputs, unit) = (x.rows(), x.cols(), power_of_two_near(x.as_slice()));
        // The last tile is filled up with zeros, which `nearest` never looks at.
        let mut tiles = vec![0.0; rows.div_ceil(TILE) * TILE * inputs];
        for i in 0..rows {
            let start = i / TILE * TILE * inputs + i % TILE;
            for (j, v) in x.row(i).iter().enumerate() {
                tiles[start + j * TILE] = v / unit;
            }
        }
        Self { tiles, rows, inputs, unit, distance, arch: pulp::Arch::new() }
    }

    /// The `k` nearest rows, nearest first, equals in row order; `k` is at most the number of rows.
    pub(super) fn nearest(&self, point: &[f64], k: usize, nearest: &mut Vec<Neighbour>) {
        nearest.clear();
        let point: Vec<f64> = point.iter().map(|v| v / self.unit).collect();
        let mut far = [0.0; TILE];
        for (t, tile) in self.tiles.chunks_exact(TILE * self.inputs).enumerate() {
            match self.distance {
                Distance::Euclidean => {
                    self.arch.dispatch(|| accumulate(tile, &point, &mut far, |sum, d| sum + d * d));
                }
                Distance::Manhattan => {
                    self.arch.dispatch(|| accumulate(tile, &point, &mut far, |sum, d| sum + d.abs()));
                }
                Distance::Chebyshev => {
                    self.arch.dispatch(|| {
                        accumulate(
                            tile,
                            &point,
                            &mut far,
                            |most, d| if d.abs() > most { d.abs() } else { most },
                        );
                    });
                }
            }
            let first = t * TILE;
            for (i, &distance) in far.iter().enumerate().take(self.rows - first) {
                insert(nearest, k, Neighbour { distance, row: first + i });
            }
        }
        if self.distance == Distance::Euclidean {
            nearest.iter_mut().for_each(|n| n.distance = n.distance.sqrt());
        }
    }
}

/// Folds the differences of every input into one distance per row of the tile.
#[inline(always)]
fn accumulate(tile: &[f64], point: &[f64], far: &mut [f64; TILE], fold: impl Fn(f64, f64) -> f64) {
    far.fill(0.0);
    for (column, p) in tile.chunks_exact(TILE).zip(point) {
        for (f, x) in far.iter_mut().zip(column) {
            *f = fold(*f, x - p);
        }
    }
}

/// Keeps the `k` nearest in order; an equal that comes later stands behind.
fn insert(nearest: &mut Vec<Neighbour>, k: usize, candidate: Neighbour) {
    if nearest.len() == k {
        if nearest[k - 1].distance <= candidate.distance {
            return;
        }
        nearest.pop();
    }
    let place = nearest.partition_point(|n| n.distance <= candidate.distance);
    nearest.insert(place, candidate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    #[test]
    fn equals_stand_in_row_order_and_distances_are_as_named() {
        let x = Matrix::from_rows(&[[3.0, 4.0], [0.0, 5.0], [1.0, 1.0], [-3.0, -4.0]]).unwrap();
        let cases = [
            (Distance::Euclidean, vec![(2, 2f64.sqrt()), (0, 5.0), (1, 5.0), (3, 5.0)]),
            (Distance::Manhattan, vec![(2, 2.0), (1, 5.0), (0, 7.0), (3, 7.0)]),
            (Distance::Chebyshev, vec![(2, 1.0), (0, 4.0), (3, 4.0), (1, 5.0)]),
        ];
        for (distance, want) in cases {
            let search = Search::new(x.view(), distance);
            for k in 1..=4 {
                let mut got = Vec::new();
                search.nearest(&[0.0, 0.0], k, &mut got);
                let got: Vec<(usize, f64)> = got.iter().map(|n| (n.row, n.distance * search.unit)).collect();
                assert_eq!(got, want[..k], "{distance:?}");
            }
        }
    }

    #[test]
    fn every_tile_is_searched() {
        let rows: Vec<[f64; 1]> = (0..1000).map(|i| [f64::from((i * 7919) % 1000)]).collect();
        let x = Matrix::from_rows(&rows).unwrap();
        let mut got = Vec::new();
        Search::new(x.view(), Distance::Euclidean).nearest(&[500.2], 5, &mut got);
        let values: Vec<f64> = got.iter().map(|n| rows[n.row][0]).collect();
        assert_eq!(values, [500.0, 501.0, 499.0, 502.0, 498.0]);
    }
}
