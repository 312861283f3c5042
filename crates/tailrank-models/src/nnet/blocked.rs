//! The objective by matrix products over blocks of rows.
//!
//! Rows lie in panels of eight, input by input, so that one vector holds an input of eight rows. A forward product keeps
//! up to six hidden units' sums for one panel in registers; a backward product keeps a tile of the gradient, four units
//! by three inputs, over all panels of a block.

use pulp::{Arch, Simd, WithSimd};

use super::{
    bfgs::Objective,
    lanes::{Lanes, WIDTH, sum_four, sum_lanes},
    model::Layout,
    sigmoid::sigmoid,
};
use crate::TrainSet;

/// Panels whose inputs and hidden values stay in the near caches together.
const BLOCK: usize = 32;
/// Hidden units in one forward product: their sums fill the registers.
const FORWARD_UNITS: usize = 6;
/// Tile of one backward product.
const BACKWARD_UNITS: usize = 4;
const BACKWARD_INPUTS: usize = 3;

/// Squared error and decay over packed rows.
pub(super) struct Blocked {
    layout: Layout,
    decay: f64,
    arch: Arch,
    rows: usize,
    /// `x[panel][input]`, rows beyond the last are zero.
    x: Vec<Lanes>,
    y: Vec<Lanes>,
    /// `hidden[panel][unit]` at the weights last valued.
    hidden: Vec<Lanes>,
    /// Output minus target at the weights last valued.
    errors: Vec<Lanes>,
    /// Hidden errors of one block.
    deltas: Vec<Lanes>,
}

impl Blocked {
    pub(super) fn new(layout: Layout, decay: f64, train: TrainSet<'_>) -> Self {
        let (rows, inputs) = (train.x.rows(), train.x.cols());
        let panels = rows.div_ceil(WIDTH);
        let mut x = vec![[0.0; WIDTH]; panels * inputs];
        let mut y = vec![[0.0; WIDTH]; panels];
        for (i, row) in train.x.iter_rows().enumerate() {
            let (panel, lane) = (i / WIDTH, i % WIDTH);
            y[panel][lane] = train.y[i];
            for (packed, value) in x[panel * inputs..].iter_mut().zip(row) {
                packed[lane] = *value;
            }
        }
        Self {
            layout,
            decay,
            arch: Arch::new(),
            rows,
            x,
            y,
            hidden: vec![[0.0; WIDTH]; panels * layout.hidden],
            errors: vec![[0.0; WIDTH]; panels],
            deltas: vec![[0.0; WIDTH]; BLOCK.min(panels) * layout.hidden],
        }
    }

    /// Bytes held for a training set of this shape.
    pub(super) fn bytes(layout: Layout, rows: usize) -> usize {
        rows.next_multiple_of(WIDTH) * (layout.inputs + layout.hidden + 2) * size_of::<f64>()
    }
}

impl Objective for Blocked {
    fn value(&mut self, weights: &[f64]) -> f64 {
        let arch = self.arch;
        let squares = arch.dispatch(Forward { net: self, weights });
        squares + self.decay * weights.iter().map(|w| w * w).sum::<f64>()
    }

    fn gradient(&mut self, weights: &[f64], gradient: &mut [f64]) {
        let arch = self.arch;
        gradient.fill(0.0);
        arch.dispatch(Backward { net: self, weights, gradient });
        for (g, w) in gradient.iter_mut().zip(weights) {
            *g = 2.0 * (*g + self.decay * w);
        }
    }
}

/// Fills hidden values and errors; returns the sum of squared errors.
struct Forward<'a> {
    net: &'a mut Blocked,
    weights: &'a [f64],
}

impl WithSimd for Forward<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> f64 {
        let Blocked { layout, rows, x, y, hidden, errors, .. } = self.net;
        let Layout { inputs, hidden: units, .. } = *layout;
        let (inner, outer) = layout.split(self.weights);
        let groups = units.div_ceil(FORWARD_UNITS);
        let mut squares = [0.0; WIDTH];
        for panel in 0..y.len() {
            let x = &x[panel * inputs..(panel + 1) * inputs];
            let h = &mut hidden[panel * units..(panel + 1) * units];
            for group in 0..groups {
                let (from, to) = (group * units / groups, (group + 1) * units / groups);
                let (w, h) = (&inner[from * layout.stride()..], &mut h[from..to]);
                match to - from {
                    6 => forward::<6>(w, x, h),
                    5 => forward::<5>(w, x, h),
                    4 => forward::<4>(w, x, h),
                    3 => forward::<3>(w, x, h),
                    2 => forward::<2>(w, x, h),
                    _ => forward::<1>(w, x, h),
                }
            }
            let mut out = [outer[0]; WIDTH];
            for (w, v) in outer[1..].iter().zip(h.iter().chain(x)) {
                add_scaled(&mut out, *w, v);
            }
            let error = &mut errors[panel];
            for l in 0..WIDTH {
                let inside = panel * WIDTH + l < *rows;
                error[l] = if inside { out[l] - y[panel][l] } else { 0.0 };
                squares[l] = error[l].mul_add(error[l], squares[l]);
            }
        }
        sum_lanes(squares)
    }
}

/// Values of `U` hidden units for one panel.
#[inline(always)]
fn forward<const U: usize>(weights: &[f64], x: &[Lanes], hidden: &mut [Lanes]) {
    let stride = x.len() + 1;
    let units: [&[f64]; U] = std::array::from_fn(|u| &weights[u * stride..(u + 1) * stride]);
    let mut sums: [Lanes; U] = std::array::from_fn(|u| [units[u][0]; WIDTH]);
    for (k, x) in x.iter().enumerate() {
        for u in 0..U {
            add_scaled(&mut sums[u], units[u][k + 1], x);
        }
    }
    for u in 0..U {
        hidden[u] = sigmoid(sums[u]);
    }
}

#[inline(always)]
fn add_scaled(sums: &mut Lanes, w: f64, x: &Lanes) {
    for l in 0..WIDTH {
        sums[l] = w.mul_add(x[l], sums[l]);
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
    fn with_simd<S: Simd>(self, _simd: S) {
        let Blocked { layout, x, hidden, errors, deltas, .. } = self.net;
        let Layout { inputs, hidden: units, .. } = *layout;
        let outer = &self.weights[layout.output() + 1..];
        let (to_hidden, to_output) = self.gradient.split_at_mut(layout.output());
        let groups = units.div_ceil(BACKWARD_UNITS);
        for (block, errors) in errors.chunks(BLOCK).enumerate() {
            let first = block * BLOCK;
            let x = &x[first * inputs..(first + errors.len()) * inputs];
            let hidden = &hidden[first * units..(first + errors.len()) * units];
            let deltas = &mut deltas[..hidden.len()];
            output_gradient(errors, hidden, units, &mut to_output[..=units]);
            if layout.skip {
                skip_gradient(errors, x, inputs, &mut to_output[units + 1..]);
            }
            if units == 0 {
                continue;
            }
            for ((delta, h), error) in
                deltas.chunks_exact_mut(units).zip(hidden.chunks_exact(units)).zip(errors)
            {
                for u in 0..units {
                    for l in 0..WIDTH {
                        delta[u][l] = error[l] * outer[u] * (h[u][l] * (1.0 - h[u][l]));
                    }
                }
            }
            for u in 0..units {
                let mut bias = [0.0; WIDTH];
                for delta in deltas.chunks_exact(units) {
                    add_scaled(&mut bias, 1.0, &delta[u]);
                }
                to_hidden[u * layout.stride()] += sum_lanes(bias);
            }
            for group in 0..groups {
                let (from, to) = (group * units / groups, (group + 1) * units / groups);
                let gradient = &mut to_hidden[from * layout.stride()..to * layout.stride()];
                let product = Product { deltas, units, from, x, inputs };
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
fn output_gradient(errors: &[Lanes], hidden: &[Lanes], units: usize, gradient: &mut [f64]) {
    let mut bias = [0.0; WIDTH];
    errors.iter().for_each(|e| add_scaled(&mut bias, 1.0, e));
    gradient[0] += sum_lanes(bias);
    for u in 0..units {
        gradient[u + 1] += with_errors(errors, hidden, units, u);
    }
}

#[inline(always)]
fn skip_gradient(errors: &[Lanes], x: &[Lanes], inputs: usize, gradient: &mut [f64]) {
    for (k, g) in gradient.iter_mut().enumerate() {
        *g += with_errors(errors, x, inputs, k);
    }
}

/// Inner product of the errors with column `j` of packed `values`.
#[inline(always)]
fn with_errors(errors: &[Lanes], values: &[Lanes], columns: usize, j: usize) -> f64 {
    let mut sums = [0.0; WIDTH];
    for (error, panel) in errors.iter().zip(values.chunks_exact(columns)) {
        for l in 0..WIDTH {
            sums[l] = error[l].mul_add(panel[j][l], sums[l]);
        }
    }
    sum_lanes(sums)
}

/// Hidden errors times inputs over one block.
struct Product<'a> {
    deltas: &'a [Lanes],
    units: usize,
    from: usize,
    x: &'a [Lanes],
    inputs: usize,
}

impl Product<'_> {
    #[inline(always)]
    fn all_inputs<const U: usize>(&self, gradient: &mut [f64]) {
        let whole = self.inputs - self.inputs % BACKWARD_INPUTS;
        for k in (0..whole).step_by(BACKWARD_INPUTS) {
            self.tile::<U, BACKWARD_INPUTS>(k, gradient);
        }
        for k in whole..self.inputs {
            self.tile::<U, 1>(k, gradient);
        }
    }

    /// `U` units by `V` inputs from input `k` on; four lanes at a time so that the tile fits the registers.
    #[inline(always)]
    fn tile<const U: usize, const V: usize>(&self, k: usize, gradient: &mut [f64]) {
        let mut sums = [[[0.0f64; 4]; V]; U];
        for (delta, x) in self.deltas.chunks_exact(self.units).zip(self.x.chunks_exact(self.inputs)) {
            let delta: &[Lanes] = &delta[self.from..self.from + U];
            let x: &[Lanes] = &x[k..k + V];
            for half in [0, 4] {
                for u in 0..U {
                    for v in 0..V {
                        for l in 0..4 {
                            sums[u][v][l] = delta[u][half + l].mul_add(x[v][half + l], sums[u][v][l]);
                        }
                    }
                }
            }
        }
        for u in 0..U {
            for v in 0..V {
                gradient[u * (self.inputs + 1) + 1 + k + v] += sum_four(sums[u][v]);
            }
        }
    }
}
