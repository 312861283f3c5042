//! Plain SMO in f64, step for step as libsvm goes (without its shrinking).
//!
//! A kernel that is not positive definite has many stationary points, and which one is found is decided by
//! the road taken. Following libsvm's road from β = 0 gives libsvm's model, alone and inside any grid.

use super::{
    block::Ended,
    dual::{Dual, Tube, shifted},
    gram::Gram,
};
use crate::{FitContext, Result};

/// libsvm's stand-in for a curvature that is not positive.
const FLAT: f64 = 1e-12;

/// Moves pair after pair until the gap is below `tolerance`; `iterations` counts them.
pub(super) fn descend(
    dual: &mut Dual,
    gram: &mut Gram<'_>,
    tolerance: f64,
    limit: usize,
    iterations: &mut usize,
    context: &FitContext,
) -> Result<Ended> {
    while *iterations < limit {
        if iterations.is_multiple_of(256) {
            context.check()?;
        }
        let gap = dual.gap();
        if gap.width < tolerance {
            return Ok(Ended::Reached);
        }
        let mut best: Option<(f64, usize, usize, usize)> = None;
        for class in 0..dual.tube.classes() {
            let (highest, _) = gap.ends[class];
            // Among equals libsvm takes the last.
            let Some(i) = (0..gram.len()).rfind(|&i| dual.r[i] + dual.offsets(class, i).0 == highest) else {
                continue;
            };
            gram.prepare(&[i]);
            let row = gram.row(i);
            for j in 0..gram.len() {
                let gain = highest - (dual.r[j] + dual.offsets(class, j).1);
                if gain > 0.0 {
                    let value = gain * gain / curvature(gram, i, j, row[j]);
                    if best.is_none_or(|b| value >= b.0) {
                        best = Some((value, class, i, j));
                    }
                }
            }
        }
        let Some((_, class, i, j)) = best else { return Ok(Ended::Stalled) };
        gram.prepare(&[i, j]);
        let gain = dual.r[i] + dual.offsets(class, i).0 - (dual.r[j] + dual.offsets(class, j).1);
        let step = shift(dual, class, i, j, gain / curvature(gram, i, j, gram.row(i)[j]));
        for ((r, a), b) in dual.r.iter_mut().zip(gram.row(i)).zip(gram.row(j)) {
            *r -= step * (f64::from(*a) - f64::from(*b));
        }
        *iterations += 1;
    }
    Ok(Ended::Limit)
}

fn curvature(gram: &Gram<'_>, i: usize, j: usize, between: f32) -> f64 {
    let value = gram.diagonal(i) + gram.diagonal(j) - 2.0 * f64::from(between);
    if value > 0.0 { value } else { FLAT }
}

/// Moves β of `i` up and of `j` down by `wish`, or to the first kink or bound on the way; returns the step
/// made.
fn shift(dual: &mut Dual, class: usize, i: usize, j: usize, wish: f64) -> f64 {
    let kinked = matches!(dual.tube, Tube::Epsilon(_));
    // In class 1 the variable is α*: β rises when it falls.
    let (rising, falling) = if class == 0 { (i, j) } else { (j, i) };
    let (highest, lowest) = (dual.bound(rising), if kinked { -dual.bound(falling) } else { 0.0 });
    let values = if kinked { &mut dual.beta } else { &mut dual.alpha[class] };
    let step;
    (step, values[rising], values[falling]) = shifted(values[rising], values[falling], highest, lowest, wish);
    if !kinked {
        for k in [i, j] {
            dual.beta[k] = dual.alpha[0][k] - dual.alpha[1][k];
        }
    }
    step
}
