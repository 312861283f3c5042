//! Model families that fit whole grids.
//!
//! A [`Family`] fits a *grid* of variants on one split and returns one vector of predictions per variant, so
//! that what variants have in common (a kernel matrix, a forest, a forward pass) is computed once. It knows
//! nothing of files, configurations or terminals.
//!
//! ```
//! use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};
//!
//! // y = x₁ + x₂², three neighbourhoods of one family in one call.
//! let row = |i: usize, n: usize| vec![i as f64 / n as f64, (i * 7 % n) as f64 / n as f64];
//! let rows = |n: usize| (0..n).map(|i| row(i, n)).collect::<Vec<_>>();
//! let y: Vec<f64> = rows(60).iter().map(|x| x[0] + x[1] * x[1]).collect();
//! let (train, test) = (Matrix::from_rows(&rows(60))?, Matrix::from_rows(&rows(7))?);
//! let grid: Vec<Params> = [1, 3, 9].map(|k| Params::new().with("k", k)).to_vec();
//!
//! let knn = family("knn", None)?;
//! let fits = fit_grid(knn, TrainSet::new(train.view(), &y), test.view(), &grid, &FitContext::new(7))?;
//! assert_eq!(fits.len(), 3);
//! assert_eq!(fits[0].as_ref().map(|fit| fit.predictions.len()).ok(), Some(7));
//! # Ok::<(), tailrank_models::ModelError>(())
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | a family by name, or all of them | [`family()`](fn@family), [`families`] |
//! | a whole grid on one split | [`fit_grid`], [`Params`], [`FitContext`] |
//! | a family of your own | [`Family`], [`engines::own`] |
//! | weights, re-sampling and decisions around a family | [`steps`] |
//! | support vectors, forests, trees, networks | [`Svm`], [`Forest`], [`Cart`], [`nnet`] |
//! | splines, boosting, neighbours, linear models | [`mars`], [`boost`], [`knn`], [`linear`] |
//! | what every model is held against | [`baseline`] |

pub mod baseline;
pub mod boost;
pub mod cart;
pub mod classification;
mod context;
pub mod engines;
mod error;
mod family;
mod fit;
pub mod forest;
mod groups;
pub mod knn;
mod linalg;
pub mod linear;
pub mod mars;
mod matrix;
pub mod nnet;
mod params;
mod registry;
mod standardise;
pub mod steps;
pub mod svm;
mod tree;

pub use cart::{Cart, CartModel, CartNode, CartParams, CartSplit, CpRow};
pub use context::{Cancel, FitContext, RawColumn, RawInputs, RawValues, RowNames};
pub use error::{ModelError, Result};
pub use family::{Cost, Family, Fit, Job, Shape};
pub use fit::{check_variant, fit_grid};
pub use forest::Forest;
pub use matrix::{Matrix, MatrixView, TrainSet};
pub use params::{ParamKind, ParamSpec, ParamValue, Params, nearest};
pub use registry::{families, family, family_among};
pub use standardise::{STANDARDISE, accepted_parameters};
pub use svm::Svm;

pub(crate) use params::{parameter, parameters};
