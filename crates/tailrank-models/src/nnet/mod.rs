//! Networks with one hidden layer (Venables & Ripley 2002), as R's `nnet` fits them.
//!
//! Logistic hidden units, a linear output, squared error plus weight decay, and R's BFGS with its stopping
//! rules. Two arithmetics compute the same thing: `fast` works on blocks of rows in vector registers;
//! `sequential` adds in R's order and, given the same start, equals R to the last bit where the C library's
//! `exp` is R's.
//!
//! A case's squared error is multiplied by its weight, where there are weights.
//!
//! No crate offers this network with this minimiser, and results far from convergence depend on both.
//!
#![doc = include_str!("parameters.md")]

mod bfgs;
mod blocked;
mod exp;
mod family;
mod inverse_hessian;
mod lbfgs;
mod mersenne;
mod model;
mod sequential;
mod settings;
mod sigmoid;

pub use family::NnetFamily;
pub use model::NnetModel;
pub use settings::Nnet;
