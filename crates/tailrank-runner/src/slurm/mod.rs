//! A run spread over the nodes of a Slurm cluster: shares of the cells, one array task for each, and a gather
//! job.
//!
//! Nothing here schedules or locks. A share is a list of cells that is frozen at submission; a task fits what
//! is missing of its share into the run's folder and keeps the scores of what is complete, and the gather job
//! is the ordinary run: it fits and scores whatever is still missing and writes the tables. A task that is
//! requeued, preempted, lost or started twice costs time and changes no result.

mod quote;
mod script;
mod shares;
mod validate;

pub use quote::shell_word;
pub use script::{GatherOptions, JobOptions, Jobs, Scripts, write_scripts};
pub use shares::{Share, Shares, balance, share_of_plan};
pub use validate::megabytes;
