//! Damaged Parquet: an answer or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_data::{SeriesOptions, TableOptions, frame, read_series_bytes, read_table_bytes};

fuzz_target!(
    // The loader turns a panic of a decompressor into an error; the fuzzer's own hook would end the process
    // before that.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        if !bytes.starts_with(b"PAR1") {
            return;
        }
        let options = SeriesOptions { max_bytes: Some(1 << 20), ..Default::default() };
        if let Ok(loaded) = read_series_bytes("S.parquet", bytes, &options) {
            assert!(loaded.value.dates().windows(2).all(|w| w[0] < w[1]));
        }
        let table = TableOptions { max_bytes: Some(1 << 20), ..TableOptions::new("Close") };
        let _ = read_table_bytes("T.parquet", bytes, &table);
        // Every column, whatever its type.
        let _ = frame::read("F.parquet", bytes);
    }
);
