//! Times of ours and of peers, for the benchmarks of this crate.

use std::{fs, path::Path, process::Command, time::Instant};

/// Seconds.
#[derive(Clone)]
pub(crate) struct Time {
    pub(crate) clock: f64,
    pub(crate) cpu: f64,
}

pub(crate) fn timed(work: impl FnOnce()) -> Time {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    work();
    Time { clock: start.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu }
}

/// Each figure's own median; none of none.
pub(crate) fn median(times: &[Time]) -> Option<Time> {
    let middle = |figure: fn(&Time) -> f64| {
        let mut figures: Vec<f64> = times.iter().map(figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        figures[figures.len() / 2]
    };
    (!times.is_empty()).then(|| Time { clock: middle(|t| t.clock), cpu: middle(|t| t.cpu) })
}

/// A peer's own read of the same files, in a process of its own that measures itself
/// (`scripts/bench/readers.py`); none without a Python to run it, named by the variable `TAILRANK_PYTHON`.
pub(crate) fn peer(folder: &Path, rows: usize, how: &str) -> Option<Time> {
    let python = std::env::var_os("TAILRANK_PYTHON")?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/bench/readers.py");
    let output = Command::new(python)
        .arg(script)
        .arg(folder)
        .arg(rows.to_string())
        .arg(how)
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let figures: Vec<f64> = text.split_whitespace().filter_map(|f| f.parse().ok()).collect();
    let [clock, cpu] = figures.try_into().expect("two figures");
    Some(Time { clock, cpu })
}

/// Processor time of all threads so far, from the kernel (in ticks of 10 ms); NaN where it does not tell.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = stat.split_whitespace().skip(13).take(2).filter_map(|f| f.parse().ok()).collect();
    if fields.len() == 2 { (fields[0] + fields[1]) / 100.0 } else { f64::NAN }
}
