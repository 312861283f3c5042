//! Families that belong to the engine: programs of the user's, and the one that fails on demand.

mod command;
mod debug;
pub(crate) mod process;
mod program_files;
mod supervise;

pub use command::{CommandFamily, FileFormat, Workplace};
pub use debug::DebugFamily;
pub use program_files::ProgramFiles;
pub(crate) use program_files::program_files;
pub use supervise::supervise;
