//! Regression error characteristic curves and surfaces (REC05; Bi & Bennett 2003).
//!
//! A REC curve is the distribution of a model's error, P(ε ≤ e). A REC surface unfolds each of its points
//! over the target, D(e, y) = P(ε ≤ e, Y ≤ y). REC05 writes `<` in its equations and ≤ in its definition of
//! the curve: ≤ is used throughout, so the last slice of a surface is the curve itself.

mod curve;
mod dominance;
mod surface;

pub use curve::{Interval, RecError, StepCurve, partial_rec_curve, partial_y_cdf, rec_curve};
pub use dominance::{Dominance, Lead, Verdict, dominance};
pub use surface::{RecSurface, even_grid};
