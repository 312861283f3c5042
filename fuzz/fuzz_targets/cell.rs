//! Any bytes as the file of a cell: variants that can be written and read again, or a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_experiment::digest::CellKey;
use tailrank_runner::store::cell_file;

fuzz_target!(
    // The reader of other writers' Parquet turns a panic of a decompressor into an error; the fuzzer's own
    // hook would end the process.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        let Ok((_, variants)) = cell_file::decode(bytes) else { return };
        let rows = variants.iter().find_map(|v| v.outcome.as_ref().ok()).map_or(0, |fit| fit.predictions.len());
        let written = cell_file::encode(&CellKey::of("fuzz"), rows, &variants).unwrap();
        let (_, again) = cell_file::decode(&written).unwrap();
        // Predictions may be NaN in a file of another writer, which equals nothing: their texts are compared.
        assert_eq!(format!("{again:?}"), format!("{variants:?}"));
    }
);
