//! Dense linear algebra whose results are the same bits on every processor.
//!
//! Libraries choose width, blocking and fusing by the processor at hand, and each choice rounds differently.
//! Here every sum has one order: a product adds up along its inner dimension from first to last, each step
//! one fused multiply-add, however the work is cut into tiles; a [`dot`] runs in sixteen interleaved sums.
//! Matrices are columns one after another, `stride` numbers apart.

mod product;
mod triangular;
mod vectors;

pub(crate) use product::{Right, Update, View, product};
pub(crate) use triangular::{NotPositive, back_substitute, cholesky, solve_lower, solve_upper};
pub(crate) use vectors::{
    LANES, Wide, add_scaled, dot, run_narrow, run_vectorised, sum, vectorised, with_four_lanes,
};
