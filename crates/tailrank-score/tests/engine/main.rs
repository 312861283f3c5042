//! The engine's promises, tested from outside: one binary, so that it links once.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod beside;
mod bits;
#[cfg(unix)]
mod crafted;
mod damage;
mod denied;
mod duplicates;
mod faults;
mod inputs;
mod jobs;
mod kill;
mod lab;
mod leaks;
mod learn;
mod lines;
mod losses;
mod machine;
mod many_tasks;
mod matrix;
mod names;
mod numbers;
mod oracle;
mod own_family;
mod pairwise;
mod power_loss;
mod predict;
mod released;
mod rescore;
mod selection;
mod shares;
#[path = "../../../../.ci/skipped.rs"]
mod skipped;
mod sources;
mod status;
mod stock_tasks;
mod stop;
mod test_values;
mod touched;
mod workers;
