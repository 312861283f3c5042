//! Multivariate adaptive regression splines (Friedman 1991), as R's `mda::mars` computes them.
//!
//! The forward pass adds pairs of hinges `max(x - t, 0)`, `max(t - x, 0)`; backward deletion removes columns
//! again and keeps the set with the smallest generalised cross-validation error. Neither the search of the
//! forward pass nor the order of deletion depends on `penalty` or `threshold`, so one forward pass and one
//! deletion path per distinct stopping point serve a whole grid of both, with the same answers as fits made
//! one by one.
//!
//! With case weights every sum of both passes is weighted and GCV counts Σw cases (`mda` has an argument for
//! weights and ignores it).
//!
//! No crate offers MARS; this one reproduces the terms of `mda` 0.5-3, its unusual rules included (they are
//! marked).
//!
#![doc = include_str!("parameters.md")]

mod candidate;
mod deletion;
mod family;
mod forward;
mod least_squares;
mod model;
mod orthogonal;
mod settings;

pub use family::MarsFamily;
pub use model::{Hinge, MarsModel, Term};
pub use settings::Mars;
