//! Any bytes as `run.json`, as the record of a run's files and as the record of what is ours: a value that comes back as it went, or none.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_runner::store::{FileRecord, Manifest};

fuzz_target!(|bytes: &[u8]| {
    let _ = Manifest::read(bytes);
    if let Some(record) = FileRecord::parse(bytes) {
        assert_eq!(FileRecord::parse(&record.to_bytes().unwrap()), Some(record));
    }
});
