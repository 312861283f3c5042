//! A signal ends every phase of a run soon: reading, profiling, planning, fits, a program's fit, reading
//! predictions, scoring with inference, and the page.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{BASELINES, Desk, desk_with, table_csv};

/// Two seconds are meant, and measured on an idle machine; a loaded one gets more.
const BOUND: Duration = Duration::from_secs(5);

/// Starts a command, waits until it has `begun`, sends the signal and says how long the end took.
fn stopped(desk: &Desk, arguments: &[&str], signal: Signal, begun: impl Fn(u32) -> bool) -> Duration {
    let mut run = desk.tailrank(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while !begun(run.id()) && run.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(120), "{arguments:?} did not begin");
        sleep(Duration::from_millis(2));
    }
    assert!(run.try_wait().unwrap().is_none(), "{arguments:?} had ended before the signal");
    let sent = Instant::now();
    kill(Pid::from_raw(i32::try_from(run.id()).unwrap()), signal).unwrap();
    let status = run.wait().unwrap();
    assert!(!status.success(), "{arguments:?}");
    sent.elapsed()
}

#[allow(clippy::print_stdout)]
fn ends_soon(phase: &str, desk: &Desk, arguments: &[&str], begun: impl Fn(u32) -> bool) {
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        // What earlier sessions did is not asked.
        _ = fs::remove_file(desk.path("runs/try/log/events.jsonl"));
        let took = stopped(desk, arguments, signal, &begun);
        println!("{phase} {signal}: {took:?}");
        assert!(took < BOUND, "{phase} {signal}: {took:?}");
    }
}

fn log_says(run: &Path, word: &str) -> bool {
    fs::read_to_string(run.join("log/events.jsonl")).is_ok_and(|log| log.contains(word))
}

/// Whether a process has read so many bytes from files.
fn has_read(process: u32, bytes: u64) -> bool {
    let counts = fs::read_to_string(format!("/proc/{process}/io")).unwrap_or_default();
    let read = counts.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse::<u64>().ok());
    read.is_some_and(|read| read >= bytes)
}

/// Numbers of models: `0, 1, 2 …`
fn ids(n: usize) -> String {
    (0..n).map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_signal_ends_fits_within_seconds() {
    let deaf = "[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"ignore_cancel\" }]\n";
    let hangs = "[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"hang\" }]\n";
    let program = "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"-c\", \"trap '' TERM INT; sleep 60\", \"{out}\"]\n";
    for (name, models) in [("a fit", hangs), ("a deaf fit", deaf), ("a program's fit", program)] {
        let desk = desk_with(models);
        let run = desk.path("runs/try");
        for signal in [Signal::SIGTERM, Signal::SIGINT] {
            _ = fs::remove_dir_all(&run);
            let begun = |_| log_says(&run, "started");
            let took = stopped(&desk, &["run", "e.toml", "--allow-commands"], signal, begun);
            println!("{name} {signal}: {took:?}");
            assert!(took < BOUND, "{name} {signal}: {took:?}");
        }
    }
}

#[test]
fn a_signal_ends_what_comes_before_the_fits_within_seconds() {
    let desk = desk_with(BASELINES);
    desk.write("table.csv", table_csv(150_000));
    let bytes = fs::metadata(desk.path("table.csv")).unwrap().len();
    ends_soon("reading", &desk, &["run", "e.toml"], |process| has_read(process, bytes / 2));
    ends_soon("profiling", &desk, &["init", "table.csv", "--target", "level"], |process| {
        has_read(process, bytes)
    });
    let many = desk_with(&format!("[[models]]\nfamily = \"debug\"\ngrid = {{ id = [{}] }}\n", ids(20_000)));
    let bytes = fs::metadata(many.path("e.toml")).unwrap().len();
    ends_soon("planning", &many, &["run", "e.toml"], |process| has_read(process, bytes));
    assert!(!many.path("runs/try/run.json").exists(), "the signal came after the plan");
}

#[test]
fn a_signal_ends_what_comes_after_the_fits_within_seconds() {
    const FITS: usize = 1_500;
    let models = format!("[[models]]\nfamily = \"debug\"\ngrid = {{ id = [{}] }}\n", ids(FITS));
    let desk = desk_with(&models);
    let slow = desk.read("e.toml").replace("enabled = false", "resamples = 20_000\nshifts = 20_000");
    let slow = slow.replace("[compare]", "[compare]\npermutations = 1_000_000");
    let run = desk.path("runs/try");
    desk.write("e.toml", slow);
    ends_soon("scoring and inference", &desk, &["run", "e.toml"], |_| log_says(&run, "closed"));
    ends_soon("reading predictions", &desk, &["run", "e.toml"], |process| has_read(process, 300_000));
    assert!(!run.join("results").exists() && !run.join("report").exists());

    let desk = desk_with(&models.replace(&ids(FITS), &ids(200)));
    let run = desk.path("runs/try");
    ends_soon("page", &desk, &["run", "e.toml"], |process| {
        let is_on_its_way = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().unwrap();
            name.starts_with(".report.") && name.contains(&format!(".{process}."))
        };
        fs::read_dir(&run).is_ok_and(|entries| entries.flatten().any(is_on_its_way))
    });
    assert!(!run.join("report").exists());
}

/// A calculation stores nothing on the way, and says so.
#[test]
fn a_calculation_that_is_stopped_keeps_nothing() {
    let desk = Desk::new();
    let mut run = desk.tailrank(&["reproduce", "oarp"]);
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(run.stderr.take().unwrap());
    let mut text = String::new();
    // Its title is printed once it listens to signals.
    said.read_line(&mut text).unwrap();
    kill(Pid::from_raw(i32::try_from(run.id()).unwrap()), Signal::SIGTERM).unwrap();
    said.read_to_string(&mut text).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130), "{text}");
    assert!(text.contains("nothing is stored before the end") && !text.contains("are kept"), "{text}");
}
