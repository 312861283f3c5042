//! Model families that fit whole grids.
//!
//! A [`Family`] fits a *grid* of variants on one split and returns one vector of predictions per variant, so that
//! what variants have in common (a kernel matrix, a forest, a forward pass) is computed once. It knows nothing of
//! files, configurations or terminals.

mod context;
mod error;
mod family;
mod fit;
pub mod mars;
mod matrix;
pub mod nnet;
mod params;

pub use context::{Cancel, FitContext};
pub use error::{ModelError, Result};
pub use family::{Cost, Family, Fit, Shape, TrainSet};
pub use fit::fit_grid;
pub use matrix::{Matrix, MatrixView};
pub use params::{ParamKind, ParamSpec, ParamValue, Params};
