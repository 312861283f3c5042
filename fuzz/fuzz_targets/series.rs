//! Any bytes at all: the loader answers with a sound series that has lost no row, or with an error.
//!
//! `scripts/check/fuzz.sh 300 series` gathers a first corpus and runs it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_data::{
    Embedding, Missing, OpenFile, PriceSeries, SeriesOptions, TableOptions, Warning, read_series_bytes,
    read_table_bytes,
};

fuzz_target!(
    // The loader turns a panic of a decompressor into an error; the fuzzer's own hook would end the process
    // before that.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        // The targets `parquet` and `ipc` have these.
        if bytes.starts_with(b"PAR1") || bytes.starts_with(b"ARROW1") {
            return;
        }
        // Settings come from a hash, so that a file of the corpus is a file, not a file behind a byte of
        // flags.
        let flags = bytes.iter().fold(5381u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(*byte)) as usize;
        let missing = if flags & 1 == 0 { Missing::Refuse } else { Missing::Drop };
        let options = SeriesOptions { missing, max_bytes: Some(1 << 20), ..Default::default() };
        if let Ok(loaded) = read_series_bytes("S.csv", bytes, &options) {
            sound(&loaded.value);
            let kept = loaded.value.len() + dropped(&loaded.warnings);
            assert!(kept >= sessions_alone(bytes, &options), "rows are lost");
            let (horizon, lags) = ((flags >> 1 & 7) + 1, (flags >> 4 & 7) + 1);
            if let Ok(embedding) = Embedding::new(&loaded.value, horizon, lags) {
                assert_eq!(embedding.materialise(0..embedding.rows()).len(), embedding.rows() * embedding.cols());
            }
        }
        if let Ok(loaded) = OpenFile::of_bytes("W.csv", bytes, None).and_then(|file| file.wide(&[], &options)) {
            loaded.value.iter().for_each(sound);
        }
        if let Ok(loaded) = OpenFile::of_bytes("L.csv", bytes, None).and_then(|file| file.long(&[], &options)) {
            loaded.value.iter().for_each(sound);
        }
        let table = TableOptions { missing, max_bytes: Some(1 << 20), ..TableOptions::new("Close") };
        if let Ok(loaded) = read_table_bytes("T.csv", bytes, &table) {
            assert!(loaded.value.times().is_none_or(|times| times.is_sorted()));
        }
        let _ = OpenFile::of_bytes("P.csv", bytes, 1 << 20).and_then(|file| file.profile(Default::default(), &Default::default()));
    }
);

fn sound(series: &PriceSeries) {
    match series.times() {
        None => assert!(series.dates().windows(2).all(|w| w[0] < w[1])),
        Some(times) => assert!(times.windows(2).all(|w| w[0] < w[1])),
    }
    assert!(series.prices().iter().all(|p| p.is_finite() && *p > 0.0));
}

fn dropped(warnings: &[Warning]) -> usize {
    let rows = |w: &Warning| match w {
        Warning::DuplicateDropped { rows, .. } | Warning::MissingDropped { rows, .. } => *rows,
        _ => 0,
    };
    warnings.iter().map(rows).sum()
}

/// Lines that are a session when they stand alone, up to a few dozen: each costs a read.
fn sessions_alone(bytes: &[u8], options: &SeriesOptions) -> usize {
    let mut lines = bytes.split(|b| *b == b'\n');
    let Some(header) = lines.next().filter(|h| !h.contains(&b'"') && !h.contains(&b'\r')) else { return 0 };
    let count = |line: &[u8], sign: u8| line.iter().filter(|b| **b == sign).count();
    let signs = *b"|\t;,";
    let separator = signs.into_iter().max_by_key(|sign| count(header, *sign)).unwrap_or(b',');
    let cells = count(header, separator) + 1;
    lines
        .filter(|line| cells > 2 && !line.contains(&b'"') && count(line, separator) + 1 == cells)
        .take(40)
        .filter(|line| {
            let alone = [header, b"\n", line].concat();
            read_series_bytes("S.csv", &alone, options).is_ok_and(|loaded| loaded.value.len() == 1)
        })
        .count()
}
