//! Families that belong to the engine: programs of the user's, and the one that fails on demand.

mod command;
mod debug;
pub(crate) mod process;

pub use command::{CommandFamily, FileFormat};
pub use debug::DebugFamily;
