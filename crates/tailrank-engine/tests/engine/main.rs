//! The engine's promises, tested from outside: one binary, so that it links once.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod damage;
mod faults;
mod inputs;
mod jobs;
mod kill;
mod lab;
mod matrix;
mod names;
mod oracle;
mod rescore;
mod selection;
mod status;
mod stop;
mod touched;
mod workers;
