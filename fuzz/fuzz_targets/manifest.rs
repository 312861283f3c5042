//! Any bytes as `run.json` and as the record of a folder of outputs: a value that comes back as it went, or
//! none.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_runner::store::{Contents, Manifest};

fuzz_target!(|bytes: &[u8]| {
    let _ = Manifest::read(bytes);
    if let Some(record) = Contents::parse(bytes) {
        assert_eq!(Contents::parse(&record.to_bytes().unwrap()), Some(record));
    }
});
