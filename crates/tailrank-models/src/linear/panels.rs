//! Columns side by side, sixteen to a panel: sums over rows for many columns at once.
//!
//! Every sum runs over its rows one after another, as the plain loop over one column does, and no operation
//! is fused: the bits are those of that loop. It is fast because sixteen such sums wait for each other's
//! additions instead of for their own.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use crate::linalg::{LANES, with_four_lanes};

/// Columns of a panel.
const WIDTH: usize = 16;
const VECTORS: usize = WIDTH / LANES;

/// A matrix in panels; columns beyond the last are zero.
#[derive(Clone)]
pub(super) struct Panels {
    columns: usize,
    panels: Vec<Vec<[f64; WIDTH]>>,
}

impl Panels {
    /// `value` gives the number at a row and a column.
    pub(super) fn new(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Self {
        let panel = |k: usize| {
            let width = WIDTH.min(columns - k * WIDTH);
            let row = |i: usize| -> [f64; WIDTH] {
                std::array::from_fn(|lane| if lane < width { value(i, k * WIDTH + lane) } else { 0.0 })
            };
            (0..rows).map(row).collect()
        };
        Self { columns, panels: (0..columns.div_ceil(WIDTH)).map(panel).collect() }
    }

    /// Column `j`, copied.
    pub(super) fn column(&self, j: usize) -> Vec<f64> {
        self.panels[j / WIDTH].iter().map(|row| row[j % WIDTH]).collect()
    }

    /// Column `j` after `reflection`: the rows above `top`, those from there on, and the sum of the squares
    /// of these.
    pub(super) fn reflected(
        &self,
        j: usize,
        reflection: Option<&Reflection>,
        top: usize,
    ) -> (Vec<f64>, Vec<f64>, f64) {
        let (panel, lane) = (&self.panels[j / WIDTH], j % WIDTH);
        let Some(Reflection { h, twice, top: old_top }) = reflection else {
            let column = self.column(j);
            let squares = column[top..].iter().map(|v| v * v).sum();
            return (column[..top].to_vec(), column[top..].to_vec(), squares);
        };
        let (twice, done) = (twice[j], top - old_top);
        let turned = |(row, h): (&[f64; WIDTH], &f64)| row[lane] - twice * h;
        let mut head: Vec<f64> = panel[..*old_top].iter().map(|row| row[lane]).collect();
        head.extend(panel[*old_top..top].iter().zip(h).map(turned));
        let mut rest = vec![0.0; panel.len() - top];
        let mut squares = -0.0;
        for (cell, from) in rest.iter_mut().zip(panel[top..].iter().zip(&h[done..])) {
            *cell = turned(from);
            squares += *cell * *cell;
        }
        (head, rest, squares)
    }

    /// Σ c² of every column.
    pub(super) fn squares(&self) -> Vec<f64> {
        let panels = self.panels.iter().flat_map(|panel| {
            let mut sums = [-0.0; WIDTH];
            panel.iter().for_each(|row| sums.iter_mut().zip(row).for_each(|(s, v)| *s += v * v));
            sums
        });
        panels.take(self.columns).collect()
    }

    /// Σ v·c over the rows for every column c from `from` on; what stands before is of no use.
    pub(super) fn dots(&self, v: &[f64], from: usize) -> Vec<f64> {
        let mut sums = vec![0.0; self.panels.len() * WIDTH];
        for (k, vectors) in self.vectors_from(from) {
            let rows = &self.panels[k];
            let sums = &mut sums[k * WIDTH + vectors.start * LANES..][..vectors.len() * LANES];
            match vectors.len() {
                1 => with_four_lanes(Dots::<1> { v, rows, first: vectors.start, sums }),
                2 => with_four_lanes(Dots::<2> { v, rows, first: vectors.start, sums }),
                3 => with_four_lanes(Dots::<3> { v, rows, first: vectors.start, sums }),
                _ => with_four_lanes(Dots::<VECTORS> { v, rows, first: vectors.start, sums }),
            }
        }
        sums
    }

    /// Reflects every column from `from` on, then gives its [`dots`](Self::dots) with `h` from row `top` on,
    /// in one pass.
    pub(super) fn reflect_and_dots(
        &mut self,
        reflection: Option<&Reflection>,
        h: &[f64],
        top: usize,
        from: usize,
    ) -> Vec<f64> {
        let Some(Reflection { h: old, twice, top: old_top }) = reflection else { return self.dots(h, from) };
        let mut sums = vec![0.0; self.panels.len() * WIDTH];
        // The rows above `top` are reflected only.
        let (head, old) = old.split_at(top - old_top);
        for (k, vectors) in self.vectors_from(from) {
            let lanes = vectors.start * LANES..vectors.end * LANES;
            let twice = &twice[k * WIDTH..][lanes.clone()];
            for (h, row) in head.iter().zip(&mut self.panels[k][*old_top..top]) {
                row[lanes.clone()].iter_mut().zip(twice).for_each(|(v, t)| *v -= t * h);
            }
            let (rows, first) = (&mut self.panels[k][top..], vectors.start);
            let sums = &mut sums[k * WIDTH..][lanes];
            match vectors.len() {
                1 => with_four_lanes(ReflectAndDots::<1> { old, twice, h, rows, first, sums }),
                2 => with_four_lanes(ReflectAndDots::<2> { old, twice, h, rows, first, sums }),
                3 => with_four_lanes(ReflectAndDots::<3> { old, twice, h, rows, first, sums }),
                _ => with_four_lanes(ReflectAndDots::<VECTORS> { old, twice, h, rows, first, sums }),
            }
        }
        sums
    }

    /// The vectors of every panel that hold columns from `from` on.
    fn vectors_from(&self, from: usize) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let (columns, panels) = (self.columns, self.panels.len());
        (from / WIDTH..panels).map(move |k| {
            let first = from.saturating_sub(k * WIDTH) / LANES;
            let end = (columns - k * WIDTH).min(WIDTH).div_ceil(LANES);
            (k, first..end)
        })
    }
}

/// c − 2h(hᵀc) for a unit vector h, from row `top` on.
pub(super) struct Reflection {
    h: Vec<f64>,
    /// 2hᵀc for every column.
    twice: Vec<f64>,
    top: usize,
}

impl Reflection {
    pub(super) fn new(h: Vec<f64>, dots: &[f64], top: usize) -> Self {
        Self { h, twice: dots.iter().map(|d| 2.0 * d).collect(), top }
    }
}

/// `N` vectors of every row, from vector `first` on.
#[inline(always)]
fn load<S: Simd, const N: usize>(row: &[f64; WIDTH], first: usize) -> [S::f64s; N] {
    let vectors: &[[f64; LANES]; VECTORS] = pulp::bytemuck::cast_ref(row);
    std::array::from_fn(|k| pulp::cast(vectors[first + k]))
}

struct Dots<'a, const N: usize> {
    v: &'a [f64],
    rows: &'a [[f64; WIDTH]],
    first: usize,
    sums: &'a mut [f64],
}

impl<const N: usize> WithSimd for Dots<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // The neutral element of addition is -0: 0 + -0 would lose a sign.
        let mut sums = [simd.splat_f64s(-0.0); N];
        for (v, row) in self.v.iter().zip(self.rows) {
            let (v, row) = (simd.splat_f64s(*v), load::<S, N>(row, self.first));
            for k in 0..N {
                sums[k] = simd.add_f64s(sums[k], simd.mul_f64s(v, row[k]));
            }
        }
        S::as_mut_simd_f64s(self.sums).0.copy_from_slice(&sums);
    }
}

struct ReflectAndDots<'a, const N: usize> {
    old: &'a [f64],
    twice: &'a [f64],
    h: &'a [f64],
    rows: &'a mut [[f64; WIDTH]],
    first: usize,
    sums: &'a mut [f64],
}

impl<const N: usize> WithSimd for ReflectAndDots<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let twice: [S::f64s; N] = std::array::from_fn(|k| S::as_simd_f64s(self.twice).0[k]);
        let mut sums = [simd.splat_f64s(-0.0); N];
        for ((old, h), row) in self.old.iter().zip(self.h).zip(self.rows) {
            let (old, h) = (simd.splat_f64s(*old), simd.splat_f64s(*h));
            let mut turned = load::<S, N>(row, self.first);
            for k in 0..N {
                turned[k] = simd.sub_f64s(turned[k], simd.mul_f64s(twice[k], old));
                sums[k] = simd.add_f64s(sums[k], simd.mul_f64s(h, turned[k]));
            }
            S::as_mut_simd_f64s(&mut row[self.first * LANES..]).0[..N].copy_from_slice(&turned);
        }
        S::as_mut_simd_f64s(self.sums).0.copy_from_slice(&sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wild(i: usize, j: usize) -> f64 {
        ((i * 31 + j * 17 + i * j * 7) % 23) as f64 / 11.0 - 1.0
    }

    #[test]
    fn sums_and_reflections_equal_the_plain_loops_to_the_bit() {
        for (rows, columns) in [(2, 1), (7, 16), (40, 17), (33, 50)] {
            let panels = Panels::new(rows, columns, wild);
            let plain: Vec<Vec<f64>> = (0..columns).map(|j| panels.column(j)).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            assert_eq!(panels.squares(), plain.iter().map(|c| dot(c, c)).collect::<Vec<_>>());
            for (top, from) in [(1, 0), (rows / 2, columns / 2), (rows - 1, columns - 1)] {
                let h: Vec<f64> = (0..rows).map(|i| wild(i, 99) / 3.0).collect();
                let dots = panels.dots(&h, from);
                let reflection = Reflection::new(h.clone(), &dots, 0);
                let mut turned = panels.clone();
                let next = turned.reflect_and_dots(Some(&reflection), &h[top..], top, from);
                for j in from..columns {
                    assert_eq!(dots[j].to_bits(), dot(&h, &plain[j]).to_bits());
                    let twice = 2.0 * dots[j];
                    let want: Vec<f64> = (0..rows).map(|i| plain[j][i] - twice * h[i]).collect();
                    assert_eq!(turned.column(j), want, "{rows} {columns} {top} {j}");
                    assert_eq!(next[j].to_bits(), dot(&h[top..], &want[top..]).to_bits());
                    let (head, rest, squares) = panels.reflected(j, Some(&reflection), top);
                    assert_eq!((&head[..], &rest[..]), want.split_at(top));
                    assert_eq!(squares, dot(&rest, &rest));
                }
            }
        }
    }
}
