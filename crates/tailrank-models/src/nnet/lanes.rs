//! Groups of numbers that fill vector registers.
//!
//! Plain arrays with a fixed width and fused multiply-add: the compiler maps them to whatever registers the machine has,
//! and the results are the same bits on every machine.

/// Numbers handled together.
pub(super) const WIDTH: usize = 8;

/// One group.
pub(super) type Lanes = [f64; WIDTH];

/// The sum of a group, halves first.
#[inline(always)]
pub(super) fn sum_lanes(v: Lanes) -> f64 {
    sum_four([v[0] + v[4], v[1] + v[5], v[2] + v[6], v[3] + v[7]])
}

/// The sum of half a group.
#[inline(always)]
pub(super) fn sum_four(v: [f64; 4]) -> f64 {
    (v[0] + v[2]) + (v[1] + v[3])
}
