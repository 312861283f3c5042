//! Experiment files, plans, parallel runs, a store that resumes, and scores without refitting.

pub mod config;
mod error;
pub mod store;

pub use error::{EngineError, Result};
pub mod run;
