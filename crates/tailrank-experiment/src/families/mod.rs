//! The families that an experiment may name: built in, programs of the user's, and the one that fails on
//! demand.

mod debug;
mod program;
mod program_files;
mod python_modules;
mod registry;

pub use debug::DebugFamily;
pub use program::{FileFormat, ProgramSpec, fill};
pub use program_files::{ProgramFiles, Tracker, is_path};
pub(crate) use program_files::{files_to_name, missing_files, untracked};
pub use registry::Families;
