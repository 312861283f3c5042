//! Experiment files, plans, parallel runs, a store that resumes, and scores without refitting.
//!
//! The road: [`config::Experiment`] → [`plan::Plan`] → [`run::run`] → [`store::Store`] → [`score::results`].
//! Nothing here prints; a [`run::Observer`] is told of everything.

pub mod changes;
pub mod config;
mod error;
pub mod external;
pub mod families;
pub mod plan;
pub mod run;
pub mod score;
pub mod slurm;
pub mod status;
pub mod store;
pub mod table;
pub mod text;

pub use error::{EngineError, Result};
