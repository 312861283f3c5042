//! Families that belong to the engine: programs of the user's, and the one that fails on demand; and the registry of all.

mod command;
mod debug;
pub(crate) mod process;
mod program_files;
mod registry;
mod supervise;

pub use crate::config::FileFormat;
pub use command::{CommandFamily, Workplace};
pub use debug::DebugFamily;
pub use program_files::ProgramFiles;
pub(crate) use program_files::program_files;
pub use registry::Families;
pub use supervise::supervise;
