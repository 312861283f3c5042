//! Limited-memory BFGS (Nocedal 1980) for networks whose inverse Hessian would not fit.

use std::collections::VecDeque;

use super::bfgs::{Curvature, dot};

/// Steps remembered.
const MEMORY: usize = 20;

/// The last steps and the changes of gradient over them.
#[derive(Default)]
pub(super) struct LimitedMemory {
    pairs: VecDeque<Pair>,
}

struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

impl LimitedMemory {
    /// Bytes held for `n` weights.
    pub(super) fn bytes(n: usize) -> usize {
        2 * MEMORY * n * size_of::<f64>()
    }
}

impl Curvature for LimitedMemory {
    fn reset(&mut self) {
        self.pairs.clear();
    }

    fn direction(&mut self, gradient: &[f64], direction: &mut [f64]) {
        direction.copy_from_slice(gradient);
        let mut along = Vec::with_capacity(MEMORY);
        for pair in self.pairs.iter().rev() {
            let a = dot(&pair.step, direction) / pair.product;
            direction.iter_mut().zip(&pair.change).for_each(|(d, y)| *d -= a * y);
            along.push(a);
        }
        if let Some(last) = self.pairs.back() {
            let scale = last.product / dot(&last.change, &last.change);
            direction.iter_mut().for_each(|d| *d *= scale);
        }
        for (pair, a) in self.pairs.iter().zip(along.iter().rev()) {
            let b = dot(&pair.change, direction) / pair.product;
            direction.iter_mut().zip(&pair.step).for_each(|(d, s)| *d += (a - b) * s);
        }
        direction.iter_mut().for_each(|d| *d = -*d);
    }

    fn update(&mut self, step: &[f64], change: &[f64], product: f64, _gradient: &[f64]) {
        if self.pairs.len() == MEMORY {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Pair { step: step.to_vec(), change: change.to_vec(), product });
    }
}
