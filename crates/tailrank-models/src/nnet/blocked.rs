//! The objective by matrix products over blocks of rows.
//!
//! Rows lie in panels of eight, input by input, so that one or two vectors hold an input of eight rows. A
//! forward product keeps up to six hidden units' sums for a panel, or two, in registers; a backward product
//! keeps a tile of the gradient, four units by some inputs, over all panels of a block. Sums over rows run in
//! four lanes whatever the width of the vectors.

use pulp::{Scalar256b, Simd, WithSimd};

use super::{Layout, bfgs::Objective, sigmoid::sigmoids};
use crate::{
    TrainSet,
    linalg::{LANES, Wide, run_narrow, sum, with_four_lanes},
};

/// Rows of a panel: two vectors of four.
const PANEL: usize = 2 * LANES;
/// Panels whose inputs and hidden values stay in the near caches together.
const BLOCK: usize = 32;
/// Panels taken together where vectors are wide: enough sums that none waits for the one before it.
const TOGETHER: usize = 2;
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
        let panels = rows.div_ceil(PANEL).next_multiple_of(TOGETHER);
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
        rows.next_multiple_of(TOGETHER * PANEL) * (layout.inputs + layout.hidden + 2) * size_of::<f64>()
    }
}

impl Objective for Blocked {
    fn value(&mut self, weights: &[f64], limit: f64) -> f64 {
        let penalty = self.decay * weights.iter().map(|w| w * w).sum::<f64>();
        let forward = Forward { net: self, weights, penalty, limit };
        match Wide::detect() {
            Some(wide) => wide.run(
                #[inline(always)]
                || forward.run::<TOGETHER>(),
            ),
            None => run_narrow(
                #[inline(always)]
                || forward.run::<1>(),
            ),
        }
    }

    fn gradient(&mut self, weights: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        let backward = Backward { net: self, weights, gradient };
        match Wide::detect() {
            Some(wide) => wide.run(
                #[inline(always)]
                || backward.run::<_, true>(Scalar256b),
            ),
            None => with_four_lanes(backward),
        }
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

impl Forward<'_> {
    /// `P` panels at a time, which decides nothing but the speed.
    #[inline(always)]
    fn run<const P: usize>(self) -> f64 {
        let Blocked { layout, rows, x, y, cases, hidden, errors, .. } = self.net;
        let Layout { inputs, hidden: units, .. } = *layout;
        let (inner, outer) = layout.split(self.weights);
        let groups = units.div_ceil(FORWARD_UNITS);
        let mut squares = [0.0; PANEL];
        for first in (0..y.len()).step_by(P) {
            if first.is_multiple_of(BLOCK) && panel_sum(squares) + self.penalty > self.limit {
                break;
            }
            let x = &x[first * inputs..(first + P) * inputs];
            let h = &mut hidden[first * units..(first + P) * units];
            for group in 0..groups {
                let (from, to) = (group * units / groups, (group + 1) * units / groups);
                let w = &inner[from * layout.stride()..to * layout.stride()];
                match to - from {
                    6 => forward::<6, P>(w, x, h, from),
                    5 => forward::<5, P>(w, x, h, from),
                    4 => forward::<4, P>(w, x, h, from),
                    3 => forward::<3, P>(w, x, h, from),
                    2 => forward::<2, P>(w, x, h, from),
                    _ => forward::<1, P>(w, x, h, from),
                }
            }
            sigmoids(h.as_flattened_mut());
            for p in 0..P {
                let values = h[p * units..(p + 1) * units].iter().chain(&x[p * inputs..(p + 1) * inputs]);
                let mut out = [outer[0]; PANEL];
                for (w, v) in outer[1..].iter().zip(values) {
                    add_product(&mut out, [*w; PANEL], *v);
                }
                let (panel, target) = (first + p, y[first + p]);
                let mut plain: Panel = std::array::from_fn(|lane| out[lane] - target[lane]);
                let inside = rows.saturating_sub(panel * PANEL);
                plain.iter_mut().skip(inside).for_each(|e| *e = 0.0);
                errors[panel] = match cases.get(panel) {
                    Some(weights) => std::array::from_fn(|lane| weights[lane] * plain[lane]),
                    None => plain,
                };
                add_product(&mut squares, errors[panel], plain);
            }
        }
        panel_sum(squares) + self.penalty
    }
}

/// `sums += a · b`, fused.
#[inline(always)]
fn add_product(sums: &mut Panel, a: Panel, b: Panel) {
    for lane in 0..PANEL {
        sums[lane] = a[lane].mul_add(b[lane], sums[lane]);
    }
}

/// The sum over a panel: of its two halves, then over four lanes.
#[inline(always)]
fn panel_sum(v: Panel) -> f64 {
    lane_sum(std::array::from_fn(|lane| v[lane] + v[lane + LANES]))
}

/// The sum over four lanes, as [`sum`] has it.
#[inline(always)]
fn lane_sum(v: [f64; LANES]) -> f64 {
    (v[0] + v[2]) + (v[1] + v[3])
}

/// What enters `U` hidden units, the first of them `from`, for `P` panels.
#[inline(always)]
fn forward<const U: usize, const P: usize>(weights: &[f64], x: &[Panel], hidden: &mut [Panel], from: usize) {
    let (inputs, all) = (x.len() / P, hidden.len() / P);
    let units: [&[f64]; U] = std::array::from_fn(|u| &weights[u * (inputs + 1)..(u + 1) * (inputs + 1)]);
    let panels: [&[Panel]; P] = std::array::from_fn(|p| &x[p * inputs..(p + 1) * inputs]);
    let mut sums: [[Panel; U]; P] = [std::array::from_fn(|u| [units[u][0]; PANEL]); P];
    for k in 0..inputs {
        for u in 0..U {
            let w = [units[u][k + 1]; PANEL];
            for p in 0..P {
                add_product(&mut sums[p][u], w, panels[p][k]);
            }
        }
    }
    for (sums, hidden) in sums.iter().zip(hidden.chunks_exact_mut(all)) {
        hidden[from..from + U].copy_from_slice(sums);
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
        self.run::<S, false>(simd);
    }
}

impl Backward<'_> {
    #[inline(always)]
    fn run<S: Simd, const WIDE: bool>(self, simd: S) {
        let Blocked { layout, x, hidden, errors, deltas, .. } = self.net;
        let Layout { inputs, hidden: units, .. } = *layout;
        let outer = &self.weights[layout.output() + 1..];
        let (to_hidden, to_output) = self.gradient.split_at_mut(layout.output());
        let groups = units.div_ceil(BACKWARD_UNITS);
        for (block, errors) in errors.chunks(BLOCK).enumerate() {
            let panels = block * BLOCK..block * BLOCK + errors.len();
            let x = &x[panels.start * inputs..panels.end * inputs];
            let hidden = &hidden[panels.start * units..panels.end * units];
            to_output[0] += total(errors);
            for (k, g) in to_output[units + 1..].iter_mut().enumerate() {
                *g += with_errors(errors, x, k);
            }
            let deltas = &mut deltas[..hidden.len()];
            for u in 0..units {
                let (mut with_hidden, mut bias) = ([0.0; PANEL], [0.0; LANES]);
                for (panel, error) in errors.iter().enumerate() {
                    let h = hidden[panel * units + u];
                    let delta = hidden_error(*error, outer[u], h);
                    add_product(&mut with_hidden, *error, h);
                    for lane in 0..LANES {
                        bias[lane] += delta[lane] + delta[lane + LANES];
                    }
                    deltas[panel * units + u] = delta;
                }
                to_output[1 + u] += panel_sum(with_hidden);
                to_hidden[u * layout.stride()] += lane_sum(bias);
            }
            for group in 0..groups {
                let (from, to) = (group * units / groups, (group + 1) * units / groups);
                let gradient = &mut to_hidden[from * layout.stride()..to * layout.stride()];
                let product = Product { simd, deltas, units, from, x, inputs };
                match to - from {
                    4 => product.all_inputs::<4, WIDE>(gradient),
                    3 => product.all_inputs::<3, WIDE>(gradient),
                    2 => product.all_inputs::<2, WIDE>(gradient),
                    _ => product.all_inputs::<1, WIDE>(gradient),
                }
            }
        }
    }
}

/// The errors of a hidden unit with values `h`, whose weight in the output is `w`.
#[inline(always)]
fn hidden_error(error: Panel, w: f64, h: Panel) -> Panel {
    let mut delta = [0.0; PANEL];
    for lane in 0..PANEL {
        // h(1 - h) = h - h².
        delta[lane] = error[lane] * w * (-h[lane]).mul_add(h[lane], h[lane]);
    }
    delta
}

#[inline(always)]
fn total(errors: &[Panel]) -> f64 {
    let mut sums = [0.0; LANES];
    for half in errors.as_flattened().as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            sums[lane] += half[lane];
        }
    }
    lane_sum(sums)
}

/// Inner product of the errors with column `j` of packed `values`.
#[inline(always)]
fn with_errors(errors: &[Panel], values: &[Panel], j: usize) -> f64 {
    let mut sums = [0.0; PANEL];
    for (error, panel) in errors.iter().zip(values.chunks_exact(values.len() / errors.len())) {
        add_product(&mut sums, *error, panel[j]);
    }
    panel_sum(sums)
}

/// Hidden errors times inputs over one block.
struct Product<'a, S: Simd> {
    simd: S,
    deltas: &'a [Panel],
    units: usize,
    from: usize,
    x: &'a [Panel],
    inputs: usize,
}

impl<S: Simd> Product<'_, S> {
    #[inline(always)]
    fn all_inputs<const U: usize, const WIDE: bool>(&self, gradient: &mut [f64]) {
        let mut k = 0;
        while WIDE && k + 2 * BACKWARD_INPUTS <= self.inputs {
            self.wide_tile::<U>(k, gradient);
            k += 2 * BACKWARD_INPUTS;
        }
        while k + BACKWARD_INPUTS <= self.inputs {
            self.tile::<U, BACKWARD_INPUTS>(k, gradient);
            k += BACKWARD_INPUTS;
        }
        for k in k..self.inputs {
            self.tile::<U, 1>(k, gradient);
        }
    }

    /// `U` units by `V` inputs from input `k` on.
    #[inline(always)]
    fn tile<const U: usize, const V: usize>(&self, k: usize, gradient: &mut [f64]) {
        let simd = self.simd;
        let mut sums = [[simd.splat_f64s(0.0); V]; U];
        for (delta, x) in self.deltas.chunks_exact(self.units).zip(self.x.chunks_exact(self.inputs)) {
            let delta = S::as_simd_f64s(delta[self.from..self.from + U].as_flattened()).0;
            let x = S::as_simd_f64s(x[k..k + V].as_flattened()).0;
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

    /// `U` units by twice [`BACKWARD_INPUTS`] from input `k` on: a vector holds the four lanes of two inputs.
    #[inline(always)]
    fn wide_tile<const U: usize>(&self, k: usize, gradient: &mut [f64]) {
        let mut sums = [[[0.0; PANEL]; BACKWARD_INPUTS]; U];
        for (delta, x) in self.deltas.chunks_exact(self.units).zip(self.x.chunks_exact(self.inputs)) {
            let delta = &delta[self.from..self.from + U];
            let x = &x[k..k + 2 * BACKWARD_INPUTS];
            for half in 0..2 {
                let lanes = |panel: &Panel| panel.as_chunks::<LANES>().0[half];
                for v in 0..BACKWARD_INPUTS {
                    let ([a, b, c, d], [e, f, g, h]) = (lanes(&x[2 * v]), lanes(&x[2 * v + 1]));
                    for u in 0..U {
                        let [p, q, r, s] = lanes(&delta[u]);
                        add_product(&mut sums[u][v], [p, q, r, s, p, q, r, s], [a, b, c, d, e, f, g, h]);
                    }
                }
            }
        }
        for u in 0..U {
            let gradient = &mut gradient[u * (self.inputs + 1) + 1 + k..];
            for (g, lanes) in gradient.iter_mut().zip(sums[u].as_flattened().as_chunks().0) {
                *g += lane_sum(*lanes);
            }
        }
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
