//! A signal ends every phase of a run soon.

use std::{
    fs,
    path::Path,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{Desk, desk_with};

/// Two seconds are meant, and measured on an idle machine; a loaded one gets more.
const BOUND: Duration = Duration::from_secs(5);

/// Starts a command, waits until `begun`, sends the signal and says how long the end took.
fn stopped(desk: &Desk, arguments: &[&str], signal: Signal, begun: impl Fn() -> bool) -> Duration {
    let mut run = desk.tailrank(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while !begun() && run.try_wait().unwrap().is_none() {
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

fn log_says(run: &Path, word: &str) -> bool {
    fs::read_to_string(run.join("log/events.jsonl")).is_ok_and(|log| log.contains(word))
}

#[test]
fn a_signal_ends_fits_within_seconds() {
    let deaf = "[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"ignore_cancel\" }]\n";
    let hangs = "[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"hang\" }]\n";
    let program = "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"-c\", \"trap '' TERM INT; sleep 60\", \"{out}\"]\n";
    for (name, models) in [("native", hangs), ("native and deaf", deaf), ("program", program)] {
        for signal in [Signal::SIGTERM, Signal::SIGINT] {
            let desk = desk_with(models);
            let run = desk.path("runs/try");
            let took =
                stopped(&desk, &["run", "e.toml", "--allow-commands"], signal, || log_says(&run, "started"));
            println!("{name} {signal}: {took:?}");
            assert!(took < BOUND, "{name} {signal}: {took:?}");
        }
    }
}
