//! Reading a table of 500,000 rows and 21 columns of numbers from CSV and Parquet, beside pandas and polars.
//!
//! `TAILRANK_PYTHON=… cargo bench -p tailrank-data --bench table [-- ROWS COLUMNS]`, where the variable names
//! a Python that has pandas, pyarrow and polars (without it, they are left out); rounds alternate, figures
//! are medians.

#![allow(clippy::print_stdout)] // A benchmark's output is its result.

use std::{fs, hint::black_box};

mod timing;

use tailrank_data::{
    OpenFile, TableOptions,
    frame::{self, Column, Frame},
};
use timing::{Time, median, peer, timed};

const ROUNDS: usize = 5;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (rows, columns) =
        (numbers.first().copied().unwrap_or(500_000), numbers.get(1).copied().unwrap_or(21));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let frame = table(rows, columns);
    for (form, bytes) in [("csv", frame::to_csv(&frame)), ("parquet", frame::to_parquet(&frame, &[]))] {
        let bytes = bytes.expect("a file");
        let path = folder.path().join(format!("t.{form}"));
        println!("{rows} × {columns} as {form}: {:.0} MB", bytes.len() as f64 / 1e6);
        fs::write(&path, bytes).expect("a file");
        let peers: &[&str] =
            if form == "csv" { &["pandas-csv", "polars-csv"] } else { &["pandas-parquet", "polars-parquet"] };
        let (mut ours, mut theirs) = (Vec::new(), vec![Vec::new(); peers.len()]);
        for _ in 0..ROUNDS {
            ours.push(timed(|| {
                let table = OpenFile::once(&path, None)
                    .and_then(|file| file.table(&TableOptions::new("c0")))
                    .expect("reads")
                    .value;
                assert_eq!(black_box(table).rows(), rows);
            }));
            peers
                .iter()
                .zip(&mut theirs)
                .for_each(|(how, times)| times.extend(peer(folder.path(), rows, how)));
        }
        let told = |name: &str, times: &[Time]| {
            if let Some(time) = median(times) {
                println!("  {name}: {:.2} CPU s, {:.2} s by the clock", time.cpu, time.clock);
            }
        };
        told("tailrank", &ours);
        peers.iter().zip(&theirs).for_each(|(how, times)| told(how, times));
    }
}

/// Numbers with as many digits as computed ones have, by a rule that needs no generator.
fn table(rows: usize, columns: usize) -> Frame {
    let column = |c: usize| {
        let values = (0..rows).map(|r| (((r + 1) * (c + 3)) as f64).sin() * 100.0).collect();
        (format!("c{c}"), Column::Real(values))
    };
    Frame::new((0..columns).map(column).collect()).expect("a frame")
}
