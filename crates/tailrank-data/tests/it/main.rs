//! Tests through the public door, in one binary: it is linked once.

// Also the functions that tests share report by failing and by printing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod any_bytes;
mod appended;
mod bundled;
mod dated;
mod dependence;
mod drawn;
mod embedding;
mod hourly;
mod ipc;
mod malformed;
mod parquet;
mod profiles;
mod series;
#[path = "../../../../.ci/skipped.rs"]
mod skipped;
mod splits;
mod tables;
mod written;

/// Panics inside polars become errors; printed as well they would bury the output of tests that damage files.
fn quiet_readers() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map_or("", std::panic::Location::file);
            if !["polars-", "brotli", "lz4", "planus-", "snap-", "zstd-"]
                .iter()
                .any(|name| place.contains(name))
            {
                usual(panic);
            }
        }));
    });
}
