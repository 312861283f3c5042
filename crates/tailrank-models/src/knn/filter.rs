//! Which training rows may be among the nearest, found in single precision.
//!
//! Rows are centred, rounded to f32 and laid out in panels of sixteen, input by input; a panel is set against
//! six queries at a time, whose sums stay in registers. That is a matrix product:
//! with ‖a − b‖² = ‖a‖² + ‖b‖² − 2ab a row is out of reach where ab − ‖a‖²/2 is small.
//!
//! Such sums lose digits, so they only ever rule rows out, and only with a proven margin. Let R be the
//! distance that a row must fall below, e_a and e_b how far rounding moved a row and the query, d' their
//! distance after it, u = 2⁻²⁴ and p the number of inputs. Then d' ≤ d + e_a + e_b, and a sum of p + 3 terms
//! of magnitudes m_i is off by at most (p + 3)u·Σm_i (Higham 2002, §3.1). A row is ruled out where the sum
//! says d' ≥ R + e_a + e_b by more than that, with the margin doubled. What is left is measured in f64. The
//! answer is the same on every processor, whichever rows its arithmetic lets through.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use crate::linalg::with_four_lanes;

/// Numbers in a vector.
const LANES: usize = 8;
/// Rows of a panel: two vectors.
pub(super) const PANEL: usize = 2 * LANES;
/// Queries set against a panel at a time: with the panel their sums fill sixteen registers.
pub(super) const QUERIES: usize = 6;
/// Bytes of a tile of panels, which stays in the nearest cache.
const TILE_BYTES: usize = 1 << 15;
/// Queries of larger norm are measured without a filter: their squares leave the range of f32.
const LARGEST_NORM: f64 = 1e15;
/// Covers what underflows.
const TINY: f64 = 1e-30;

/// One number for each row of a panel.
type Panel = [f32; PANEL];

/// Centred training rows in single precision.
pub(super) struct Filter {
    inputs: usize,
    centre: Vec<f64>,
    /// `panels[panel · inputs + input]`.
    panels: Vec<Panel>,
    /// Added to the sums: −‖a‖²/2. Lanes beyond the last row hold −∞.
    begin: Vec<Panel>,
    /// The largest ‖a‖² and the farthest that rounding moved a row.
    norm: f64,
    moved: f64,
    panels_per_tile: usize,
}

/// Up to [`QUERIES`] queries side by side.
pub(super) struct Queries {
    /// `values[input][query]`.
    values: Vec<[f32; QUERIES]>,
    norms: [f64; QUERIES],
    moved: [f64; QUERIES],
}

/// What one panel says of the queries: a row may be near where it is positive.
pub(super) type Sums = [Panel; QUERIES];

impl Filter {
    /// Takes rows that are already divided by a unit which makes them about one.
    pub(super) fn new(x: &[f64], inputs: usize) -> Self {
        let rows = x.len() / inputs;
        let mut centre = vec![0.0; inputs];
        for row in x.chunks_exact(inputs) {
            centre.iter_mut().zip(row).for_each(|(c, v)| *c += v / rows as f64);
        }
        let count = rows.div_ceil(PANEL);
        let mut filter = Self {
            inputs,
            centre,
            panels: vec![[0.0; PANEL]; count * inputs],
            begin: vec![[f32::NEG_INFINITY; PANEL]; count],
            norm: 0.0,
            moved: 0.0,
            panels_per_tile: (TILE_BYTES / (size_of::<Panel>() * inputs)).max(1),
        };
        for (i, row) in x.chunks_exact(inputs).enumerate() {
            let (panel, lane) = (i / PANEL, i % PANEL);
            let mut rounded = Vec::with_capacity(inputs);
            let (norm, moved) = filter.round(row, |v| rounded.push(v));
            for (j, v) in rounded.into_iter().enumerate() {
                filter.panels[panel * inputs + j][lane] = v;
            }
            filter.begin[panel][lane] = (-0.5 * norm) as f32;
            filter.norm = filter.norm.max(norm);
            filter.moved = filter.moved.max(moved);
        }
        filter
    }

    pub(super) fn tiles(&self) -> usize {
        self.begin.len().div_ceil(self.panels_per_tile)
    }

    pub(super) fn rows_per_tile(&self) -> usize {
        self.panels_per_tile * PANEL
    }

    /// Centres and rounds a row; returns its squared norm and how far it moved at most.
    fn round(&self, row: &[f64], mut each: impl FnMut(f32)) -> (f64, f64) {
        let (mut norm, mut moved) = (0.0, 0.0);
        for (v, c) in row.iter().zip(&self.centre) {
            let centred = v - c;
            let rounded = centred as f32;
            each(rounded);
            norm += f64::from(rounded) * f64::from(rounded);
            // The subtraction itself is rounded too.
            let off = (centred - f64::from(rounded)).abs() + f64::EPSILON * centred.abs();
            // The sum of all is more than is needed, and little.
            moved += off;
        }
        (norm, moved)
    }

    /// Queries, at most [`QUERIES`], divided by the same unit as the rows; none if the filter cannot hold one
    /// of them.
    pub(super) fn queries(&self, rows: &[Vec<f64>]) -> Option<Queries> {
        let mut queries = Queries {
            values: vec![[0.0; QUERIES]; self.inputs],
            norms: [0.0; QUERIES],
            moved: [0.0; QUERIES],
        };
        for (q, row) in rows.iter().enumerate() {
            let mut input = 0;
            let (norm, moved) = self.round(row, |v| {
                queries.values[input][q] = v;
                input += 1;
            });
            if !(norm.sqrt() < LARGEST_NORM && self.norm.sqrt() < LARGEST_NORM) {
                return None;
            }
            (queries.norms[q], queries.moved[q]) = (norm, moved);
        }
        Some(queries)
    }

    /// What a sum must exceed for a row to be nearer than `limit`, a squared distance, to query `q`.
    pub(super) fn threshold(&self, queries: &Queries, q: usize, limit: f64) -> f32 {
        if limit == f64::INFINITY {
            return f32::NEG_INFINITY;
        }
        let terms = (self.inputs + 6) as f64;
        // The limit was itself measured with rounding in f64.
        let limit = limit * (1.0 + terms * f64::EPSILON) + TINY;
        let moved = self.moved + queries.moved[q];
        let reach = (limit.sqrt() + moved).powi(2);
        let exact = 0.5 * (queries.norms[q] - reach);
        let magnitudes = self.norm + queries.norms[q] + reach;
        // 2⁻²³ is twice the unit rounding.
        let margin = terms * f64::from(f32::EPSILON) * magnitudes + TINY;
        (exact - margin) as f32
    }

    /// Calls `each` with the first row and the sums of every panel of a tile that has a positive one, or of
    /// every panel.
    pub(super) fn scan(
        &self,
        tile: usize,
        queries: &Queries,
        thresholds: [f32; QUERIES],
        every: bool,
        each: impl FnMut(usize, &Sums),
    ) {
        let first = tile * self.panels_per_tile;
        let last = (first + self.panels_per_tile).min(self.begin.len());
        // Four numbers of f64 are eight of f32.
        with_four_lanes(Scan { filter: self, queries, thresholds, panels: first..last, every, each });
    }
}

struct Scan<'a, F> {
    filter: &'a Filter,
    queries: &'a Queries,
    thresholds: [f32; QUERIES],
    panels: Range<usize>,
    every: bool,
    each: F,
}

impl<F: FnMut(usize, &Sums)> WithSimd for Scan<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let Filter { inputs, panels, begin, .. } = self.filter;
        for panel in self.panels.clone() {
            let rows = &panels[panel * inputs..(panel + 1) * inputs];
            let mut sums = products(simd, rows, &self.queries.values);
            let begin = S::as_simd_f32s(&begin[panel]).0;
            let mut most = simd.splat_f32s(0.0);
            for (sums, threshold) in sums.iter_mut().zip(self.thresholds) {
                let threshold = simd.splat_f32s(threshold);
                for (sum, begin) in sums.iter_mut().zip(begin) {
                    *sum = simd.add_f32s(*sum, simd.sub_f32s(*begin, threshold));
                    most = simd.max_f32s(*sum, most);
                }
            }
            let most: [f32; LANES] = pulp::cast(most);
            if self.every || most.iter().fold(false, |any, v| any | (*v > 0.0)) {
                let sums: Sums = sums.map(pulp::cast);
                (self.each)(panel * PANEL, &sums);
            }
        }
    }
}

/// The products of every query with each of two vectors of rows.
#[inline(always)]
fn products<S: Simd>(simd: S, rows: &[Panel], queries: &[[f32; QUERIES]]) -> [[S::f32s; 2]; QUERIES] {
    let mut sums = [[simd.splat_f32s(0.0); 2]; QUERIES];
    for (row, values) in rows.iter().zip(queries) {
        let row = S::as_simd_f32s(row).0;
        for (sum, value) in sums.iter_mut().zip(values) {
            let value = simd.splat_f32s(*value);
            for half in 0..2 {
                sum[half] = simd.mul_add_e_f32s(row[half], value, sum[half]);
            }
        }
    }
    sums
}
