//! What the engine itself costs: plan, store and score of trivial cells with 1,000 predictions each.
//!
//! `cargo bench --workspace --bench overhead` prints milliseconds per cell by the clock, the syncs apart, and
//! the peak memory once the cells are fitted and once they are scored, at three sizes, each in a process of
//! its own.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tailrank_data::Library;
use tailrank_experiment::plan::Plan;
use tailrank_models::Cancel;
use tailrank_runner::{
    run::{self, RunOptions},
    store::{
        Store,
        disk::{Disk, RealDisk},
    },
};
use tailrank_score::score;

const CELLS: &str = "TAILRANK_BENCH_CELLS";
const TABLES: usize = 10;
const ROWS: usize = 2000;

fn main() {
    if let Some(cells) = std::env::var(CELLS).ok().and_then(|n| n.parse().ok()) {
        return measure(cells);
    }
    println!(
        "         ms a cell, without syncs                 of syncs             peak MB\n\
         cells    plan     run     score   tables  sum     syncs     resume    fitted  scored"
    );
    for cells in [1000, 3000, 10_000] {
        Command::new(std::env::current_exe().unwrap()).env(CELLS, cells.to_string()).status().unwrap();
    }
}

fn measure(cells: usize) {
    let folder = tempfile::tempdir().unwrap();
    let text = experiment(folder.path(), cells / TABLES);
    let disk = TimedDisk::default();
    let mut clock = Instant::now();
    let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed();

    let plan =
        Plan::from_text(&text, Path::new("overhead.toml"), folder.path(), &Library::default()).unwrap();
    let plan = Arc::new(plan);
    assert_eq!(plan.cells.len(), cells);
    let planned = lap();
    let root = folder.path().join("run");
    let store = Store::open(&disk, &root, &plan.text, "overhead").unwrap();
    let options = RunOptions { jobs: 2, ..RunOptions::default() };
    run::run(&plan, &store, &options, &Cancel::default(), &mut ()).unwrap();
    let (ran, synced, fitted_mb) = (lap(), disk.synced(), peak_mb());
    let results = score::results(&plan, &store).unwrap();
    let scored = lap();
    score::write_results(&results, &store).unwrap();
    let written = lap();
    let all_synced = disk.synced();
    run::run(&plan, &store, &options, &Cancel::default(), &mut ()).unwrap();
    let resumed = lap();

    let each = |d: Duration| d.as_secs_f64() * 1000.0 / cells as f64;
    let sum = planned + ran + scored + written - all_synced;
    println!(
        "{cells:>6}   {:.4}  {:.4}  {:.4}  {:.4}  {:.4}  {:.4}    {:.4}    {:>5.0}   {:>5.0}",
        each(planned),
        each(ran - synced),
        each(scored),
        each(written - (all_synced - synced)),
        each(sum),
        each(all_synced),
        each(resumed),
        fitted_mb,
        peak_mb(),
    );
}

fn experiment(folder: &Path, variants: usize) -> String {
    let mut tables = Vec::new();
    for t in 0..TABLES {
        let mut csv = "x,y\n".to_owned();
        for i in 0..ROWS {
            let _ = writeln!(csv, "{},{}", i % 97, 3.0 * (i as f64 * (1.1 + t as f64 / 10.0)).sin());
        }
        fs::write(folder.join(format!("{t}.csv")), csv).unwrap();
        tables.push(format!("{{ name = \"{t}\", file = \"{t}.csv\", target = \"y\" }}"));
    }
    let ids: Vec<String> = (0..variants).map(|v| v.to_string()).collect();
    format!(
        "name = \"overhead\"\n[data]\ntables = [{}]\n[split]\nkind = \"fraction\"\ntrain = 0.5\n[relevance]\nlow = -2.0\n\
         high = 2.0\n[measures]\nt_l = 0.8\n[[models]]\nfamily = \"debug\"\ngrid = {{ id = [{}] }}\n",
        tables.join(", "),
        ids.join(", ")
    )
}

/// The real disk, with the time its syncs take.
#[derive(Default)]
struct TimedDisk {
    nanoseconds: AtomicU64,
}

impl TimedDisk {
    fn synced(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn timed(&self, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let started = Instant::now();
        let done = sync();
        self.nanoseconds.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        done
    }
}

impl Disk for TimedDisk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_dir(path)
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        RealDisk.write(path, bytes)
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.timed(|| RealDisk.sync_file(path))
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.timed(|| RealDisk.sync_dir(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        RealDisk.append(path, bytes)
    }
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        RealDisk.list(path)
    }
}

/// Peak memory of this process; 0 where the system does not tell.
fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
