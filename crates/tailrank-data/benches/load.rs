//! Loading and embedding 500 series × 10,000 days × 24 lags × 3 horizons, beside polars' own read of the same
//! files.
//!
//! `TAILRANK_PYTHON=… cargo bench -p tailrank-data --bench load [-- SERIES DAYS]`, where the variable names a
//! Python that has polars (without it, polars is left out); rounds alternate, and ratios are of medians, of
//! processor time (all threads) and of the clock. Memory is measured in a process per phase, because the
//! kernel's peak never falls.

#![allow(clippy::print_stdout)] // A benchmark's output is its result.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

mod timing;

use tailrank_data::{
    ByFraction, Embedding, Leak, OpenFile, SeriesOptions, SplitRows, draw_splits, synthetic,
};
use timing::{median, peer, timed};

const LAGS: usize = 24;
const HORIZONS: [usize; 3] = [1, 3, 5];
const ROUNDS: usize = 3;

/// Set for the process that measures one phase; its value is the folder of files.
const PHASES: [&str; 2] = ["TAILRANK_LOAD_HOLD", "TAILRANK_LOAD_BUILD"];

fn main() {
    if let Some((phase, folder)) = PHASES.iter().find_map(|p| Some((*p, std::env::var_os(p)?))) {
        return measure(phase, Path::new(&folder));
    }
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (count, days) = (numbers.first().copied().unwrap_or(500), numbers.get(1).copied().unwrap_or(10_000));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths = write_files(folder.path(), count, days);
    let megabytes =
        paths.iter().filter_map(|p| fs::metadata(p).ok()).map(|m| m.len()).sum::<u64>() as f64 / 1e6;
    let naive = (count * HORIZONS.len() * days * LAGS * 8) as f64 / 1e9;
    println!(
        "{count} series × {days} days: {megabytes:.0} MB of CSV; all embeddings at once would take {naive:.2} GB"
    );

    let [hold, build] = PHASES.map(|phase| in_process(phase, folder.path()));
    println!(
        "all {} embeddings held at once: peak {:.2} GB above the start ({:.1} % of that)",
        hold[0],
        hold[2] / 1e9,
        100.0 * hold[2] / 1e9 / naive
    );
    println!(
        "every task's training rows built in turn: {} rows, mean input {:.3e}, peak {:.2} GB above the start",
        build[0],
        build[1] / (build[0] * LAGS as f64),
        build[2] / 1e9
    );

    let (mut polars, mut alike) = (Vec::new(), Vec::new());
    let (mut load, mut embed, mut build) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        polars.extend(peer(folder.path(), days, "polars-csv"));
        alike.extend(peer(folder.path(), days, "polars-csv-typed"));
        load.push(timed(|| {
            for path in &paths {
                assert_eq!(
                    OpenFile::once(path, None)
                        .and_then(|file| file.series(&SeriesOptions::default()))
                        .expect("reads")
                        .value
                        .len(),
                    days
                );
            }
        }));
        embed.push(timed(|| assert_eq!(load_and_embed(&paths).len(), count * HORIZONS.len())));
        build.push(timed(|| assert!(build_each_task(&paths).0 > 0)));
    }
    let peers = [
        ("polars' CSV read", &polars),
        ("polars' CSV read of date, price and volume with their types given", &alike),
    ];
    let peers = peers.map(|(what, times)| (what, median(times)));
    for (what, time) in peers.iter().filter_map(|(what, time)| Some((what, time.as_ref()?))) {
        println!("{what}: {:.0} MB per processor second", megabytes / time.cpu);
    }
    for (what, times) in
        [("load", &load), ("load + embed", &embed), ("load + embed + build each task's rows", &build)]
    {
        let time = median(times).expect("rounds");
        print!("{what}: {:.0} MB per processor second", megabytes / time.cpu);
        if let [(_, Some(base)), (_, Some(alike))] = &peers {
            print!(
                "; {:.2} of polars' processor time, {:.2} by the clock; with types given {:.2} and {:.2}",
                time.cpu / base.cpu,
                time.clock / base.clock,
                time.cpu / alike.cpu,
                time.clock / alike.clock
            );
        }
        println!();
    }
}

/// One phase, alone in this process: what it made, a checksum, and by how much memory rose.
fn measure(phase: &str, folder: &Path) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    paths.sort_unstable();
    let base = peak();
    let (made, sum) = if phase == PHASES[0] {
        // Held until the peak has been read.
        let embeddings = std::hint::black_box(load_and_embed(&paths));
        (embeddings.len(), 0.0)
    } else {
        build_each_task(&paths)
    };
    println!("{made} {sum} {}", peak() - base);
}

fn in_process(phase: &str, folder: &Path) -> [f64; 3] {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).env(phase, folder).output().expect("runs again");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let figures: Vec<f64> = text.split_whitespace().filter_map(|f| f.parse().ok()).collect();
    figures.try_into().expect("three figures")
}

fn write_files(folder: &Path, count: usize, days: usize) -> Vec<PathBuf> {
    (0..count)
        .map(|i| {
            let series = synthetic::series("S", days, i as u64).expect("a series");
            let mut text = String::from("Date,Open,High,Low,Close,Adj Close,Volume\n");
            let volumes = series.volumes().unwrap_or_default();
            for ((date, close), volume) in series.dates().iter().zip(series.prices()).zip(volumes) {
                let (open, high, low) = (close * 0.995, close * 1.01, close * 0.99);
                text += &format!("{date},{open:.6},{high:.6},{low:.6},{close:.6},{close:.6},{volume}\n");
            }
            let path = folder.join(format!("S{i}.csv"));
            fs::write(&path, text).expect("a file");
            path
        })
        .collect()
}

fn load_and_embed(paths: &[PathBuf]) -> Vec<Embedding> {
    let mut embeddings = Vec::with_capacity(paths.len() * HORIZONS.len());
    for path in paths {
        let series = OpenFile::once(path, None)
            .and_then(|file| file.series(&SeriesOptions::default()))
            .expect("reads")
            .value;
        embeddings.extend(HORIZONS.map(|h| Embedding::new(&series, h, LAGS).expect("embeds")));
    }
    embeddings
}

fn build_each_task(paths: &[PathBuf]) -> (usize, f64) {
    let (mut rows, mut sum) = (0, 0.0);
    for embedding in load_and_embed(paths) {
        let half = ByFraction { train: 0.5, validation: None };
        let splits = draw_splits(&half, &SplitRows::new(&embedding.timeline(), 1), Leak::Purged);
        for split in splits.expect("splits") {
            rows += split.train.len();
            sum += embedding.materialise(split.train.iter()).iter().sum::<f64>();
        }
    }
    (rows, sum)
}

/// Peak resident bytes of this process, from the kernel; 0 where it does not tell.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}
