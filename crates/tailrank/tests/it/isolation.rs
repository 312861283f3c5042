//! `limits.isolate = true`: whatever happens to a fit happens to its own process.

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
use serde_json::Value;

use crate::{Desk, desk_with, ends_with, experiment, outputs, text, words};

const MIXED: &str = "[[models]]\nfamily = \"svm\"\ngrid = { cost = [1, 10], gamma = [0.1, 0.7] }\n\
                     [[models]]\nfamily = \"forest\"\ngrid = { trees = [5, 10] }\n[[models]]\nfamily = \"nnet\"\n\
                     grid = { size = [2], decay = [0.1] }\n[[models]]\nfamily = \"linear\"\n";

fn isolated(desk: &Desk, limits: &str) {
    desk.write("i.toml", format!("{}[limits]\nisolate = true\n{limits}", desk.read("e.toml")));
}

#[test]
fn results_are_the_same_bytes_with_and_without() {
    let faults = "[[models]]\nfamily = \"debug\"\n\
                  grid = { fault = [\"none\", \"error\", \"panic\", \"nan\", \"short\", \"not_converged\"], id = 3 }\n";
    let desk = desk_with(&format!("{MIXED}{faults}"));
    desk.write("e.toml", desk.read("e.toml").replace("train = 0.7", "train = 0.6\nvalidation = 0.15"));
    isolated(&desk, "");
    desk.stdout(&["run", "e.toml", "--out", "within", "--no-report"], 3);
    desk.stdout(&["run", "i.toml", "--out", "apart", "--no-report"], 3);
    assert!(outputs(&desk.path("within")) == outputs(&desk.path("apart")));
}

/// The recipe, its relevance and its measure go to the other process too.
#[test]
fn recipes_are_fitted_alike_with_and_without() {
    let learn = "[[models]]\nfamily = \"linear\"\nlearn = [\"plain\", \"weights\", [{ resample = \"smote\", k = 3 }, \"stretch\"], \"calibrate\"]\n";
    let desk = desk_with(learn);
    isolated(&desk, "");
    desk.stdout(&["run", "e.toml", "--out", "within", "--no-report"], 0);
    desk.stdout(&["run", "i.toml", "--out", "apart", "--no-report"], 0);
    assert!(outputs(&desk.path("within")) == outputs(&desk.path("apart")));
}

#[test]
fn aborts_hangs_and_hoarded_memory_are_rows_with_reasons() {
    let models = "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"debug\"\n\
                  grid = { fault = [\"abort\", \"allocate\", \"hang\", \"ignore_cancel\", \"none\"] }\n";
    let desk = desk_with(models);
    isolated(&desk, "memory_mb = 256\ncell_seconds = 3.0\n");
    let output = ends_with(3, &mut desk.tailrank(&["run", "i.toml", "--json", "--no-report"]));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reason = |variant: &str| {
        let failures = summary["failures"].as_array().unwrap();
        let found = failures.iter().find(|f| f["model"] == variant).map(|f| f["reason"].as_str().unwrap());
        found.unwrap_or_else(|| panic!("{variant} did not fail: {failures:?}")).to_owned()
    };
    assert_eq!(summary["failed_fits"], 4);
    assert_eq!(reason("debug abort"), "ended by signal 6 (abort)");
    assert_eq!(reason("debug allocate"), "used more than the 256 MB limit");
    assert_eq!(reason("debug hang"), "stopped at the time limit");
    assert_eq!(reason("debug ignore_cancel"), "passed the time limit and did not stop");

    // A larger limit fits what ran out of memory again, and nothing else.
    desk.write("i.toml", desk.read("i.toml").replace("memory_mb = 256", "memory_mb = 300"));
    let again: Value =
        serde_json::from_str(&desk.stdout(&["run", "i.toml", "--json", "--no-report"], 3)).unwrap();
    assert_eq!((&again["fitted"], &again["reused"]), (&1.into(), &5.into()));
}

/// A run that is stopped or killed leaves no fit behind.
#[test]
fn children_end_with_the_run() {
    for (signal, code) in [(Signal::SIGINT, Some(130)), (Signal::SIGKILL, None)] {
        let desk = desk_with("[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"ignore_cancel\" }]\n");
        isolated(&desk, "");
        let mut run = desk
            .tailrank(&["run", "i.toml", "--no-report"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let parent = run.id();
        let started = Instant::now();
        let child = loop {
            assert!(started.elapsed() < Duration::from_secs(60), "no child was started");
            if let Some(child) = children(parent).first() {
                break *child;
            }
            sleep(Duration::from_millis(10));
        };
        sleep(Duration::from_millis(300));
        kill(Pid::from_raw(i32::try_from(parent).unwrap()), signal).unwrap();
        assert_eq!(run.wait().unwrap().code(), code);
        let gone = || !Path::new(&format!("/proc/{child}")).exists() || state(child) == Some('Z');
        while !gone() {
            assert!(started.elapsed() < Duration::from_secs(60), "{signal}: the child lives on");
            sleep(Duration::from_millis(10));
        }
    }
}

/// A cell that ends the process ends it once: the next time it runs last and apart.
#[test]
fn a_cell_that_aborts_does_not_block_the_rest() {
    let desk = desk_with(
        "[[models]]\nfamily = \"debug\"\ngrid = { fault = [\"none\", \"abort\"], sleep_ms = 50 }\n",
    );
    let first = desk.tailrank(&["run", "e.toml", "--no-report"]).output().unwrap();
    assert_eq!(first.status.code(), None, "the abort ends the first run");
    let second = ends_with(3, &mut desk.tailrank(&["run", "e.toml", "--no-report"]));
    let said = words(&text(&second.stderr));
    assert!(said.contains("an earlier session ended during") && said.contains("limits.isolate"), "{said}");
    let scores = desk.read("runs/try/results/scores.csv");
    assert!(scores.contains("ended by signal 6 (abort)"), "{scores}");
    // What is stored is what isolation would have stored.
    isolated(&desk, "");
    desk.stdout(&["run", "i.toml", "--out", "apart", "--no-report"], 3);
    assert!(outputs(&desk.path("runs/try")) == outputs(&desk.path("apart")));
}

/// The memory that threads take is no part of a cell's own, so what fits does not depend on --jobs.
#[test]
fn a_small_memory_limit_does_not_feel_the_jobs() {
    let desk = desk_with(MIXED);
    isolated(&desk, "memory_mb = 128\n");
    let mut found = Vec::new();
    for jobs in ["1", "16"] {
        let output =
            desk.tailrank(&["run", "i.toml", "--jobs", jobs, "--out", jobs, "--no-report"]).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
        found.push(outputs(&desk.path(jobs)));
    }
    assert!(found[0] == found[1]);
}

/// Programs, and what they start, end with the run: with and without isolation, stopped or killed.
#[test]
fn programs_end_with_the_run() {
    for (isolate, signal) in
        [(false, Signal::SIGINT), (false, Signal::SIGKILL), (true, Signal::SIGINT), (true, Signal::SIGKILL)]
    {
        // The program waits for one of its own, which is told from others by its time.
        let time = format!("77.{}", std::process::id());
        let desk = desk_with(&format!(
            "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"-c\", \"sleep {time}; true\", \"{{out}}\"]\n"
        ));
        desk.write("i.toml", format!("{}[limits]\nisolate = {isolate}\n", desk.read("e.toml")));
        let mut run = desk
            .tailrank(&["run", "i.toml", "--no-report", "--allow-commands"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        let wait_for = |wanted: bool| {
            while programs(&time).is_empty() == wanted {
                assert!(
                    started.elapsed() < Duration::from_secs(60),
                    "{isolate} {signal}: {:?}",
                    programs(&time)
                );
                sleep(Duration::from_millis(10));
            }
        };
        wait_for(true);
        kill(Pid::from_raw(i32::try_from(run.id()).unwrap()), signal).unwrap();
        run.wait().unwrap();
        wait_for(false);
        // Temporary files are inside the run, and the next run removes what was left.
        desk.write("i.toml", experiment("try", "[[models]]\nfamily = \"linear\"\n"));
        desk.stdout(&["run", "i.toml", "--no-report"], 0);
        let left = fs::read_dir(desk.path("runs/try/log/tmp")).unwrap().count();
        assert_eq!(left, 0, "{isolate} {signal}");
    }
}

/// Processes with this word among their arguments.
fn programs(word: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let lines = entries.filter_map(|e| fs::read_to_string(e.ok()?.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(word)).collect()
}

/// Processes whose parent is `parent` and that fit a cell.
fn children(parent: u32) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let line = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let of = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        of == Some(parent) && line.contains("__cell")
    })
    .collect()
}

fn state(id: u32) -> Option<char> {
    fs::read_to_string(format!("/proc/{id}/stat")).ok()?.rsplit(')').next()?.trim().chars().next()
}
