//! Programs of the user's: run as families, listened to, and ended with the run.

mod command;
mod command_files;
mod host;
pub(crate) mod process;
mod supervise;

// What most files of this module are made from; they take it by `use super::*`.
use std::{
    ffi::OsString,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};

use tailrank_data::frame::{self, Column};
use tailrank_models::{Cancel, Params, RawInputs};

pub use command::{CommandFamily, Workplace};
pub(crate) use command_files::numbered;
use command_files::{Files, extension};
pub use host::{Host, RealHost, blames_the_machine};
use process::{
    attend, fires_soon, leave_stopping_to_the_parent, limit_memory, may_have_been_stopped, own_process_group,
    spawn, wait_until_closed,
};
use supervise::MEMORY_MB;
pub use supervise::{NOT_STARTED, NOT_STARTED_WORDS, supervise};
