//! Utility of predictions: what being right is worth and being wrong costs, where it matters.
//!
//! Two definitions are in use: [`Ut08`] (the paper's) and [`Uba`] (the later definition of the same authors'
//! R package).

mod bumps;
mod uba;
mod ut08;

pub use bumps::{Bump, bumps};
pub use uba::{Uba, tloss};
pub use ut08::Ut08;
