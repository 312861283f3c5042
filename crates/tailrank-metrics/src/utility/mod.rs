//! Utility of predictions: what being right is worth and being wrong costs, where it matters.
//!
//! Three definitions are in use and each has its own module: [`Ut08`] (the paper's), [`Uba`] (the later
//! definition of the same authors' R package) and [`ubl`] (surfaces interpolated by UBL, for comparison
//! only).

mod bumps;
mod uba;
mod uba_curve;
pub mod ubl;
mod ut08;

pub use bumps::{Bump, bumps};
pub use uba::{Uba, UbaScores, tloss};
pub use uba_curve::UbaCurve;
pub use ut08::Ut08;
