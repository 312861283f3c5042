//! The objective by matrix products over blocks of rows.
//!
//! Rows lie in panels of eight, input by input, so that two vectors hold an input of eight rows. A forward
//! product keeps up to six hidden units' sums for one panel in registers; a backward product keeps a tile of
//! the gradient, four units by three inputs, over all panels of a block.

use pulp::{Simd, WithSimd};

use super::{Layout, bfgs::Objective, sequential::SATURATED};
use crate::{
    TrainSet,
    linalg::{LANES, sum, with_four_lanes},
};

/// Rows of a panel: two vectors.
const PANEL: usize = 2 * LANES;
/// Panels whose inputs and hidden values stay in the near caches together.
const BLOCK: usize = 32;
/// Most hidden units in one forward product: their sums fill the registers.
const FORWARD_UNITS: usize = 6;
/// Tile of one backward product.
const BACKWARD_UNITS: usize = 4;
const BACKWARD_INPUTS: usize = 3;

/// One number for each row of a panel.
type Panel = [f64; PANEL];

/// Squared error and decay over packed rows.
pub(super) struct Blocked {
    layout: Layout,
    decay: f64,
    rows: usize,
    /// `x[panel][input]`; rows beyond the last are zero.
    x: Vec<Panel>,
    y: Vec<Panel>,
    /// Case weights; empty where all count alike.
    cases: Vec<Panel>,
    /// `hidden[panel][unit]` at the weights last valued.
    hidden: Vec<Panel>,
    /// Output minus target at the weights last valued, times the case's weight.
    errors: Vec<Panel>,
    /// Hidden errors of one block.
    deltas: Vec<Panel>,
}

impl Blocked {
    pub(super) fn new(layout: Layout, decay: f64, train: TrainSet<'_>) -> Self {
        let (rows, inputs) = (train.x.rows(), train.x.cols());
        let panels = rows.div_ceil(PANEL);
        let zeros = |count: usize| vec![[0.0; PANEL]; count];
        let (mut x, mut y) = (zeros(panels * inputs), zeros(panels));
        for (i, row) in train.x.iter_rows().enumerate() {
            let (panel, lane) = (i / PANEL, i % PANEL);
            y[panel][lane] = train.y[i];
            for (packed, value) in x[panel * inputs..].iter_mut().zip(row) {
                packed[lane] = *value;
            }
        }
        let mut cases = zeros(train.weights.map_or(0, |_| panels));
        for (i, weight) in train.weights.unwrap_or_default().iter().enumerate() {
            cases[i / PANEL][i % PANEL] = *weight;
        }
        let hidden = zeros(panels * layout.hidden);
        let deltas = zeros(BLOCK.min(panels) * layout.hidden);
        Self { layout, decay, rows, x, y, cases, hidden, errors: zeros(panels), deltas }
    }

    /// Bytes held for a training set of this shape.
    pub(super) fn bytes(layout: Layout, rows: usize) -> usize {
        rows.next_multiple_of(PANEL) * (layout.inputs + layout.hidden + 2) * size_of::<f64>()
    }
}

impl Objective for Blocked {
    fn value(&mut self, weights: &[f64], limit: f64) -> f64 {
        let penalty = self.decay * weights.iter().map(|w| w * w).sum::<f64>();
        with_four_lanes(Forward { net: self, weights, penalty, limit })
    }

    fn gradient(&mut self, weights: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        with_four_lanes(Backward { net: self, weights, gradient });
        for (g, w) in gradient.iter_mut().zip(weights) {
            *g = 2.0 * (*g + self.decay * w);
        }
    }
}

/// Fills hidden values and errors; returns the sum of squared errors plus `penalty`.
///
/// Squares only add to a sum, and rounding keeps the order of numbers: once the sum so far is above `limit`
/// the whole one is, too, and the rest is left out.
struct Forward<'a> {
    net: &'a mut Blocked,
    weights: &'a [f64],
    penalty: f64,
    limit: f64,
}

impl WithSimd for Forward<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Blocked { layout, rows, x, y, cases, hidden, errors, .. } = self.net;
        let Layout { inputs, hidden: units, .. } = *layout;
        let (inner, outer) = layout.split(self.weights);
        let groups = units.div_ceil(FORWARD_UNITS);
        let zero = simd.splat_f64s(0.0);
        let mut squares = [zero; 2];
        let value = |squares: [S::f64s; 2]| sum::<S>(simd.add_f64s(squares[0], squares[1])) + self.penalty;
        for panel in 0..y.len() {
            if panel.is_multiple_of(BLOCK) && value(squares) > self.limit {
                break;
            }
            let x = vectors::<S>(&x[panel * inputs..(panel + 1) * inputs]);
            let h = &mut hidden[panel * units..(panel + 1) * units];
            for group in 0..groups {
                let (from, to) = (group * units / groups, (group + 1) * units / groups);
                let w = &inner[from * layout.stride()..to * layout.stride()];
                let h = S::as_mut_simd_f64s(h[from..to].as_flattened_mut()).0;
                match to - from {
                    6 => forward::<S, 6>(simd, w, x, h),
                    5 => forward::<S, 5>(simd, w, x, h),
                    4 => forward::<S, 4>(simd, w, x, h),
                    3 => forward::<S, 3>(simd, w, x, h),
                    2 => forward::<S, 2>(simd, w, x, h),
                    _ => forward::<S, 1>(simd, w, x, h),
                }
            }
            sigmoids(h.as_flattened_mut());
            let mut out = [simd.splat_f64s(outer[0]); 2];
            let values = vectors::<S>(h).chunks_exact(2).chain(x.chunks_exact(2));
            for (w, v) in outer[1..].iter().zip(values) {
                let w = simd.splat_f64s(*w);
                out = [simd.mul_add_f64s(w, v[0], out[0]), simd.mul_add_f64s(w, v[1], out[1])];
            }
            let target = vectors::<S>(&y[panel..=panel]);
            let error = S::as_mut_simd_f64s(&mut errors[panel]).0;
            for half in 0..2 {
                error[half] = simd.sub_f64s(out[half], target[half]);
            }
            let inside = rows.saturating_sub(panel * PANEL);
            errors[panel].iter_mut().skip(inside).for_each(|e| *e = 0.0);
            let error = S::as_mut_simd_f64s(&mut errors[panel]).0;
            for half in 0..2 {
                let plain = error[half];
                if let Some(weights) = cases.get(panel) {
                    error[half] = simd.mul_f64s(S::as_simd_f64s(weights).0[half], plain);
                }
                squares[half] = simd.mul_add_f64s(error[half], plain, squares[half]);
            }
        }
        value(squares)
    }
}

/// Panels as vectors, two for each.
#[inline(always)]
fn vectors<S: Simd>(panels: &[Panel]) -> &[S::f64s] {
    S::as_simd_f64s(panels.as_flattened()).0
}

/// What enters `U` hidden units for one panel.
#[inline(always)]
fn forward<S: Simd, const U: usize>(simd: S, weights: &[f64], x: &[S::f64s], hidden: &mut [S::f64s]) {
    let stride = x.len() / 2 + 1;
    let units: [&[f64]; U] = std::array::from_fn(|u| &weights[u * stride..(u + 1) * stride]);
    let mut sums: [[S::f64s; 2]; U] = std::array::from_fn(|u| [simd.splat_f64s(units[u][0]); 2]);
    for k in 0..stride - 1 {
        let (low, high) = (x[2 * k], x[2 * k + 1]);
        for u in 0..U {
            let w = simd.splat_f64s(units[u][k + 1]);
            sums[u][0] = simd.mul_add_f64s(w, low, sums[u][0]);
            sums[u][1] = simd.mul_add_f64s(w, high, sums[u][1]);
        }
    }
    for u in 0..U {
        hidden[2 * u] = sums[u][0];
        hidden[2 * u + 1] = sums[u][1];
    }
}

/// Adds half the gradient of the squared error.
struct Backward<'a> {
    net: &'a mut Blocked,
    weights: &'a [f64],
    gradient: &'a mut [f64],
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Blocked { layout, x, hidden, errors, deltas, .. } = self.net;
        let Layout { inputs, hidden: units, .. } = *layout;
        let outer = &self.weights[layout.output() + 1..];
        let (to_hidden, to_output) = self.gradient.split_at_mut(layout.output());
        let groups = units.div_ceil(BACKWARD_UNITS);
        for (block, errors) in errors.chunks(BLOCK).enumerate() {
            let panels = block * BLOCK..block * BLOCK + errors.len();
            let x = vectors::<S>(&x[panels.start * inputs..panels.end * inputs]);
            let hidden = vectors::<S>(&hidden[panels.start * units..panels.end * units]);
            let errors = vectors::<S>(errors);
            to_output[0] += total(simd, errors);
            for (u, g) in to_output[1..=units].iter_mut().enumerate() {
                *g += with_errors(simd, errors, hidden, u);
            }
            for (k, g) in to_output[units + 1..].iter_mut().enumerate() {
                *g += with_errors(simd, errors, x, k);
            }
            let deltas = &mut S::as_mut_simd_f64s(deltas.as_flattened_mut()).0[..hidden.len()];
            for (panel, error) in errors.chunks_exact(2).enumerate() {
                for u in 0..units {
                    let w = simd.splat_f64s(outer[u]);
                    for half in 0..2 {
                        let at = (panel * units + u) * 2 + half;
                        let h = hidden[at];
                        // h(1 - h) = h - h².
                        let slope = simd.mul_add_f64s(simd.neg_f64s(h), h, h);
                        deltas[at] = simd.mul_f64s(simd.mul_f64s(error[half], w), slope);
                    }
                }
            }
            for group in 0..groups {
                let (from, to) = (group * units / groups, (group + 1) * units / groups);
                let gradient = &mut to_hidden[from * layout.stride()..to * layout.stride()];
                let product = Product { simd, deltas, units, from, x, inputs };
                match to - from {
                    4 => product.all_inputs::<4>(gradient),
                    3 => product.all_inputs::<3>(gradient),
                    2 => product.all_inputs::<2>(gradient),
                    _ => product.all_inputs::<1>(gradient),
                }
            }
        }
    }
}

#[inline(always)]
fn total<S: Simd>(simd: S, values: &[S::f64s]) -> f64 {
    sum::<S>(values.iter().fold(simd.splat_f64s(0.0), |sum, v| simd.add_f64s(sum, *v)))
}

/// Inner product of the errors with column `j` of packed `values`.
#[inline(always)]
fn with_errors<S: Simd>(simd: S, errors: &[S::f64s], values: &[S::f64s], j: usize) -> f64 {
    let columns = values.len() / errors.len();
    let mut sums = [simd.splat_f64s(0.0); 2];
    for (error, panel) in errors.chunks_exact(2).zip(values.chunks_exact(2 * columns)) {
        for half in 0..2 {
            sums[half] = simd.mul_add_f64s(error[half], panel[2 * j + half], sums[half]);
        }
    }
    sum::<S>(simd.add_f64s(sums[0], sums[1]))
}

/// Hidden errors times inputs over one block.
struct Product<'a, S: Simd> {
    simd: S,
    deltas: &'a [S::f64s],
    units: usize,
    from: usize,
    x: &'a [S::f64s],
    inputs: usize,
}

impl<S: Simd> Product<'_, S> {
    #[inline(always)]
    fn all_inputs<const U: usize>(&self, gradient: &mut [f64]) {
        let stride = self.inputs + 1;
        let panels = self.deltas.chunks_exact(2 * self.units);
        let mut biases = [self.simd.splat_f64s(0.0); U];
        for delta in panels {
            let delta = &delta[2 * self.from..2 * (self.from + U)];
            for u in 0..U {
                biases[u] = self.simd.add_f64s(biases[u], self.simd.add_f64s(delta[2 * u], delta[2 * u + 1]));
            }
        }
        for u in 0..U {
            gradient[u * stride] += sum::<S>(biases[u]);
        }
        let whole = self.inputs - self.inputs % BACKWARD_INPUTS;
        for k in (0..whole).step_by(BACKWARD_INPUTS) {
            self.tile::<U, BACKWARD_INPUTS>(k, gradient);
        }
        for k in whole..self.inputs {
            self.tile::<U, 1>(k, gradient);
        }
    }

    /// `U` units by `V` inputs from input `k` on.
    #[inline(always)]
    fn tile<const U: usize, const V: usize>(&self, k: usize, gradient: &mut [f64]) {
        let simd = self.simd;
        let mut sums = [[simd.splat_f64s(0.0); V]; U];
        let panels = self.deltas.chunks_exact(2 * self.units).zip(self.x.chunks_exact(2 * self.inputs));
        for (delta, x) in panels {
            let delta = &delta[2 * self.from..2 * (self.from + U)];
            let x = &x[2 * k..2 * (k + V)];
            for half in 0..2 {
                for u in 0..U {
                    for v in 0..V {
                        sums[u][v] = simd.mul_add_f64s(delta[2 * u + half], x[2 * v + half], sums[u][v]);
                    }
                }
            }
        }
        for u in 0..U {
            for v in 0..V {
                gradient[u * (self.inputs + 1) + 1 + k + v] += sum::<S>(sums[u][v]);
            }
        }
    }
}

/// 1.5 · 2⁵²: adding it rounds to a whole number and leaves that number in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Chebyshev interpolant of `(exp(r) - 1 - r)/r²` on |r| ≤ ln 2 / 2, constant first: with it `exp` errs by
/// 2e-17.
const Q: [f64; 10] = [
    0.500_000_000_000_000_1,
    0.166_666_666_666_666_69,
    0.041_666_666_666_623_99,
    0.008_333_333_333_330_051,
    0.001_388_888_891_728_179_4,
    0.000_198_412_698_631_059_68,
    2.480_152_119_021_773e-5,
    2.755_726_837_868_419_2e-6,
    2.762_013_871_973_399_4e-7,
    2.510_042_415_700_506_7e-8,
];

/// `1 / (1 + exp(-a))`, exactly 0 below -15 and exactly 1 above 15.
#[inline(always)]
fn sigmoid(a: f64) -> f64 {
    // Clamped so that the exponent below stays in range; NaN passes through.
    let low = if a < -SATURATED { -SATURATED } else { a };
    let x = -(if low > SATURATED { SATURATED } else { low });
    let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let r = whole.mul_add(-LN2_LOW, whole.mul_add(-LN2_HIGH, x));
    // Estrin's scheme: short chains let neighbouring values overlap.
    let (r2, pair) = (r * r, |k: usize| Q[k + 1].mul_add(r, Q[k]));
    let r4 = r2 * r2;
    let low = pair(2).mul_add(r2, pair(0));
    let high = pair(6).mul_add(r2, pair(4));
    let q = r4.mul_add(pair(8).mul_add(r4, high), low);
    let series = 1.0 + r2.mul_add(q, r);
    // Multiplies by 2^whole: the low bits of `shifted` go to the exponent.
    let exp = f64::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 52));
    let s = 1.0 / (1.0 + exp);
    let s = if a > SATURATED { 1.0 } else { s };
    if a < -SATURATED { 0.0 } else { s }
}

/// Replaces every value by its logistic function; one loop, so that the compiler vectorises it.
#[inline(always)]
pub(super) fn sigmoids(values: &mut [f64]) {
    for v in values {
        *v = sigmoid(*v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    #[test]
    fn a_value_is_given_up_only_above_its_limit() {
        let (rows, inputs) = (1_003, 3);
        let wild = |k: usize| ((k * 37 + k * k * 11) % 101) as f64 / 50.0 - 1.0;
        let x = Matrix::new(rows, inputs, (0..rows * inputs).map(wild).collect()).unwrap();
        let y: Vec<f64> = (0..rows).map(|i| wild(i * 13) + 2.0).collect();
        let cases: Vec<f64> = (0..rows).map(|i| 1.5 + wild(i)).collect();
        let layout = Layout { inputs, hidden: 4, skip: true };
        for weights in [None, Some(&cases[..])] {
            let mut net = Blocked::new(layout, 0.3, TrainSet { x: x.view(), y: &y, weights });
            for scale in [0.1, 3.0, 200.0] {
                let w: Vec<f64> = (0..layout.weights()).map(|k| scale * wild(k + 5)).collect();
                let value = net.value(&w, f64::INFINITY);
                for limit in [value, value.next_up(), 2.0 * value, f64::INFINITY] {
                    assert_eq!(net.value(&w, limit), value, "{scale} {limit}");
                }
                for limit in [value.next_down(), 0.5 * value, 1e-3 * value, 0.0, -1.0, f64::NAN] {
                    let is_within = net.value(&w, limit) <= limit;
                    assert!(!is_within, "{scale} {limit}");
                }
            }
        }
    }

    /// Three blocks of rows, the last one not full: each slope against the objective on both sides.
    #[test]
    fn the_gradient_is_that_of_the_objective() {
        let rows = 2 * BLOCK * PANEL + 21;
        let value = |i: usize, j: usize| ((i * 37 + j * 101) % 97) as f64 / 97.0 - 0.4;
        let x = Matrix::new(rows, 3, (0..3 * rows).map(|i| value(i / 3, i % 3)).collect()).unwrap();
        let y: Vec<f64> = (0..rows).map(|i| value(i, 7) + if i > 300 { 1.0 } else { 0.0 }).collect();
        let cases: Vec<f64> = (0..rows).map(|i| 1.0 + (i % 3) as f64).collect();
        for (skip, weights) in [(false, None), (true, Some(&cases[..]))] {
            let layout = Layout { inputs: 3, hidden: 5, skip };
            let train = TrainSet { x: x.view(), y: &y, weights };
            let mut net = Blocked::new(layout, 0.01, train);
            let at: Vec<f64> = (0..layout.weights()).map(|k| value(k, 11)).collect();
            let mut gradient = vec![0.0; at.len()];
            let height = net.value(&at, f64::INFINITY);
            net.gradient(&at, &mut gradient);
            for k in 0..at.len() {
                let mut beside = |step: f64| {
                    let mut moved = at.clone();
                    moved[k] += step;
                    net.value(&moved, f64::INFINITY)
                };
                let slope = (beside(1e-5) - beside(-1e-5)) / 2e-5;
                // Central differences lose ε·f/h to rounding.
                assert!((gradient[k] - slope).abs() < 1e-9 * height, "{k}: {} and {slope}", gradient[k]);
            }
        }
    }
}

#[cfg(test)]
mod tests_of_sigmoid {
    use super::*;
    use crate::nnet::sequential;

    #[test]
    fn within_two_units_in_the_last_place_of_the_c_library() {
        let mut worst = 0;
        for i in -200_000i32..=200_000 {
            let a = f64::from(i) * 8e-5 + 1e-7 * f64::from(i % 13);
            let (fast, slow) = (sigmoid(a), sequential::sigmoid(a));
            worst = worst.max(fast.to_bits().abs_diff(slow.to_bits()));
        }
        assert!(worst <= 2, "{worst} ulp");
        let mut ends = [-15.000001, 15.000001, -1e300, f64::INFINITY, f64::NEG_INFINITY, 0.0];
        sigmoids(&mut ends);
        assert_eq!(ends, [0.0, 1.0, 0.0, 1.0, 0.0, 0.5]);
        assert!(sigmoid(f64::NAN).is_nan());
    }
}
