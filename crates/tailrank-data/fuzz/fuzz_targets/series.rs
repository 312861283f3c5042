//! Any bytes at all: the loader answers with a sound series or an error.
//!
//! `cargo fuzz run series -- -max_total_time=300`, started in the crate's folder with the files of
//! `tests/malformed` as a first corpus: `cp ../../tests/malformed/*.csv corpus/series/`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_data::{Embedding, Missing, SeriesOptions, read_series_bytes, read_wide_bytes};

fuzz_target!(|input: &[u8]| {
    let Some((flags, bytes)) = input.split_first() else { return };
    // Parquet is polars' own ground; damaged files are covered by tests of this crate.
    if bytes.starts_with(b"PAR1") {
        return;
    }
    let missing = if flags & 1 == 0 { Missing::Refuse } else { Missing::Drop };
    let options = SeriesOptions { missing, max_bytes: 1 << 20, ..Default::default() };
    if let Ok(loaded) = read_series_bytes("S.csv", bytes, &options) {
        let series = loaded.value;
        assert!(series.dates().windows(2).all(|w| w[0] < w[1]));
        assert!(series.prices().iter().all(|p| p.is_finite() && *p > 0.0));
        let horizon = usize::from(flags >> 5) + 1;
        if let Ok(embedding) = Embedding::new(&series, horizon, usize::from(flags >> 2 & 7) + 1) {
            assert_eq!(embedding.materialise(0..embedding.rows()).len(), embedding.rows() * embedding.cols());
        }
    }
    let _ = read_wide_bytes("W.csv", bytes, &[], &options);
});
