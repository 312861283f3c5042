//! Families that belong to the engine: programs of the user's, and the one that fails on demand.

mod command;
mod debug;
mod host;
pub(crate) mod process;
mod program_files;
mod supervise;

pub use command::{CommandFamily, FileFormat, Workplace};
pub use debug::DebugFamily;
pub(crate) use host::is_want_of_threads;
pub use host::{Host, RealHost, blames_the_machine};
pub use program_files::ProgramFiles;
pub(crate) use program_files::{Tracker, missing_files, untracked};
pub use supervise::{NOT_STARTED, NOT_STARTED_WORDS, supervise};
