//! Running a plan.

pub mod schedule;
