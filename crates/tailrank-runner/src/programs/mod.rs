//! Programs of the user's: run as families, listened to, and ended with the run.

mod command;
mod command_files;
mod host;
pub(crate) mod process;
mod supervise;

pub use command::{CommandFamily, Workplace};
pub(crate) use command_files::numbered;
pub use host::{Host, RealHost, blames_the_machine};
pub use supervise::{NOT_STARTED, NOT_STARTED_WORDS, supervise};
