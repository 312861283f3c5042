//! Model families that fit whole grids.
//!
//! A [`Family`] fits a *grid* of variants on one split and returns one vector of predictions per variant, so that
//! what variants have in common (a kernel matrix, a forest, a forward pass) is computed once. It knows nothing of
//! files, configurations or terminals.

pub mod baseline;
pub mod boost;
mod cart;
pub mod classification;
mod context;
pub mod engines;
mod error;
mod family;
mod fit;
mod forest;
pub mod knn;
pub mod linear;
pub mod mars;
mod matrix;
pub mod nnet;
mod params;
mod registry;
mod standardise;
pub mod steps;
mod svm;

pub use cart::{Cart, CartModel, CartNode, CartParams, CartSplit, CpRow};
pub use context::{Cancel, FitContext};
pub use error::{ModelError, Result};
pub use family::{Cost, Family, Fit, Shape, TrainSet};
pub use fit::{check_variant, fit_grid};
pub use forest::Forest;
pub use matrix::{Matrix, MatrixView};
pub use params::{ParamKind, ParamSpec, ParamValue, Params};
pub use registry::{families, family};
pub use standardise::{STANDARDISE, accepted_parameters};
pub use svm::Svm;
