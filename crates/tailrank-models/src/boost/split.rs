//! The best cut of a node.

use super::{
    bins::MAX_BINS,
    tally::{Format, Sums, Tally},
};
use crate::linalg::vectorised;

/// Bins looked at together.
const LANES: usize = 8;
/// A gain below this share of the node's own score is rounding.
const LEAST_GAIN: f64 = 1e-12;

/// Rows up to bin `bin` of input `input` go left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split<T> {
    pub(super) input: usize,
    pub(super) bin: u8,
    pub(super) gain: f64,
    pub(super) left: T,
}

/// What a cut must keep, in the units of the words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) least_mass: f64,
    pub(super) l2: f64,
    pub(super) format: Format,
}

/// The cut that gains most; the first of equals in the order of inputs and bins.
pub(super) fn best<T: Tally>(
    histogram: &[[T; MAX_BINS]],
    counts: &[usize],
    all: T,
    rules: Rules,
) -> Option<Split<T>> {
    let total = all.sums(rules.format);
    // A node's score: the squared error its mean takes away, Σg²/(Σw + λ).
    let own = total.gradient * total.gradient / (total.mass + rules.l2);
    let mut found = None;
    let mut most = own + LEAST_GAIN * own;
    for (input, (sums, &bins)) in histogram.iter().zip(counts).enumerate() {
        vectorised!({
            if let Some((bin, left)) = best_of_input(sums, bins, total, rules, &mut most) {
                found = Some(Split { input, bin, gain: most - own, left });
            }
        });
    }
    found
}

/// The best cut of one input if it scores above `most`, which it then raises.
///
/// Running sums first, then all scores at once on vectors: every operation is a plain one that rounds alike
/// on every processor.
#[inline(always)]
fn best_of_input<T: Tally>(
    sums: &[T; MAX_BINS],
    bins: usize,
    total: Sums,
    rules: Rules,
    most: &mut f64,
) -> Option<(u8, T)> {
    let mut running = [T::default(); MAX_BINS];
    let mut scores = [0.0_f64; MAX_BINS];
    let mut sum = T::default();
    // Bins beyond the last are empty: cuts there leave nothing on the right and score nothing.
    let bins = bins.next_multiple_of(LANES).min(MAX_BINS);
    for (r, s) in running[..bins].iter_mut().zip(&sums[..bins]) {
        sum = sum.plus(*s);
        *r = sum;
    }
    let mut best = [0.0_f64; LANES];
    for (scores, running) in scores[..bins].chunks_exact_mut(LANES).zip(running[..bins].chunks_exact(LANES)) {
        for lane in 0..LANES {
            let left = running[lane].sums(rules.format);
            let right = Sums { gradient: total.gradient - left.gradient, mass: total.mass - left.mass };
            let (l, r) = (left.mass + rules.l2, right.mass + rules.l2);
            // Both sides' scores over one denominator.
            let score = (left.gradient * left.gradient * r + right.gradient * right.gradient * l) / (l * r);
            let allowed = (left.mass >= rules.least_mass) & (right.mass >= rules.least_mass);
            let score = if allowed { score } else { 0.0 };
            scores[lane] = score;
            best[lane] = if score > best[lane] { score } else { best[lane] };
        }
    }
    let top = best.iter().fold(0.0_f64, |m, b| if *b > m { *b } else { m });
    if top <= *most {
        return None;
    }
    *most = top;
    let bin = scores[..bins].iter().position(|s| *s == top)?;
    Some((bin as u8, running[bin]))
}
