//! Families that belong to the engine: programs of the user's, and the one that fails on demand; and the registry of all.

mod command;
mod command_files;
mod debug;
mod host;
pub(crate) mod process;
mod program_files;
mod python_modules;
mod registry;
mod supervise;

pub use crate::config::FileFormat;
pub use command::{CommandFamily, Workplace};
pub use debug::DebugFamily;
pub(crate) use host::is_want_of_threads;
pub use host::{Host, RealHost, blames_the_machine};
pub use program_files::ProgramFiles;
pub(crate) use program_files::{Tracker, missing_files, untracked};
pub use registry::Families;
pub use supervise::{NOT_STARTED, NOT_STARTED_WORDS, supervise};
