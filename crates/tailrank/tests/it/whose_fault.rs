//! Only a model's own end is a row: what a signal to all processes, a full disk or a missing process did is
//! tried again.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::CommandExt,
    },
    process::{Child, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill, killpg},
    unistd::Pid,
};

use crate::{Desk, desk_with, ends_with, experiment, files, outputs, text};

/// Answers with its parameter after a moment; told to stop, it cleans up and fails in its own way.
const MODEL: &str = "trap 'exit 7' TERM INT HUP\nsleep 0.04\n\
                     (echo prediction; tail -n +2 \"$2\" | while read -r l; do echo \"$3\"; done) > \"$1\"\n";

fn signals() -> usize {
    crate::skipped::times(100, 5)
}

fn list(n: usize) -> String {
    (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// Programs that trap signals, programs that do not, and fits in processes of their own.
fn desk_of_programs(cells: usize) -> Desk {
    let ids = list(cells);
    let desk = desk_with(&format!(
        "[[models]]\nfamily = \"command\"\nlabel = \"traps\"\ncommand = [\"sh\", \"model.sh\", \"{{out}}\", \"{{test}}\", \"{{id}}\"]\n\
         grid = {{ id = [{ids}] }}\n\
         [[models]]\nfamily = \"command\"\nlabel = \"dies\"\ncommand = [\"sh\", \"plain.sh\", \"{{out}}\", \"{{test}}\", \"{{id}}\"]\n\
         grid = {{ id = [{ids}] }}\n\
         [[models]]\nfamily = \"debug\"\ngrid = {{ sleep_ms = 40, id = [{ids}] }}\n"
    ));
    desk.write("model.sh", MODEL);
    desk.write("plain.sh", MODEL.split_once('\n').unwrap().1);
    desk
}

/// A process and everything below it.
fn tree(root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            Some((pid, stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?))
        })
        .collect();
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found
}

/// As a machine that shuts down: every process of the run gets the signal, the run itself last.
fn signal_all(run: &Child, signal: Signal) {
    for pid in tree(run.id()).into_iter().rev() {
        let _ = kill(Pid::from_raw(i32::try_from(pid).unwrap()), signal);
    }
}

#[test]
fn signals_to_all_processes_leave_no_trace() {
    let rounds = signals();
    for isolate in [false, true] {
        let desk = desk_of_programs((2 * rounds).max(12));
        desk.write("e.toml", format!("{}[limits]\nisolate = {isolate}\n", desk.read("e.toml")));
        let run = |out: &str, jobs: &str| {
            let arguments =
                ["run", "e.toml", "--allow-commands", "--no-report", "--out", out, "--jobs", jobs];
            let mut command = desk.tailrank(&arguments);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        ends_with(0, &mut run("clean", "4"));
        let stored = || {
            let log = fs::read_to_string(desk.path("stopped/log/events.jsonl")).unwrap_or_default();
            log.matches("\"stored\"").count()
        };
        for round in 0..rounds {
            let before = stored();
            let mut child = run("stopped", "3").spawn().unwrap();
            let began = Instant::now();
            while stored() <= before && child.try_wait().unwrap().is_none() {
                assert!(began.elapsed() < Duration::from_secs(120), "no cell was stored");
                sleep(Duration::from_millis(1));
            }
            // At another moment of a fit each time.
            sleep(Duration::from_millis(7 * (round as u64 % 9)));
            let signal = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP][round % 3];
            signal_all(&child, signal);
            let code = child.wait().unwrap().code();
            assert!(code == Some(130) || code == Some(0), "{isolate} {signal}: {code:?}");
        }
        ends_with(0, &mut run("stopped", "4"));
        assert!(
            outputs(&desk.path("stopped")) == outputs(&desk.path("clean")),
            "isolate = {isolate}: a signal left a trace"
        );
    }
}

/// `TAILRANK_KILLS` says how many; otherwise few, or 60 with `TAILRANK_SLOW`.
fn kills() -> usize {
    let asked = std::env::var("TAILRANK_KILLS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or_else(|| crate::skipped::times(60, 6))
}

/// A kill at any moment between the start and the page, of the run alone, of its group, and of everything it
/// started: no process lives on, one unfinished folder is left at most, and the next run ends with the same
/// bytes.
#[test]
fn kills_at_any_moment_leave_one_unfinished_folder_at_most_and_no_process() {
    let desk = desk_of_programs(3);
    let run = |out: &str| {
        let mut command = desk.tailrank(&["run", "e.toml", "--allow-commands", "--jobs", "3", "--out", out]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        command
    };
    let began = Instant::now();
    ends_with(0, &mut run("clean"));
    let whole = began.elapsed();
    let folder = desk.path("killed");
    let entries = |below: &str| {
        let entries = fs::read_dir(folder.join(below)).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let unfinished = || entries("").iter().filter(|name| name.starts_with('.')).count();
    let place = desk.folder.path().to_str().unwrap().to_owned();
    let (mut hits, mut moment) = (0, 0);
    while hits < kills() {
        // The golden ratio spreads the moments over the whole road.
        moment += 1;
        let mut child = run("killed").spawn().unwrap();
        sleep(whole.mul_f64((0.618 * f64::from(moment)).fract()));
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap());
        match moment % 3 {
            0 => child.kill().unwrap(),
            1 => _ = killpg(group, Signal::SIGKILL),
            _ => signal_all(&child, Signal::SIGKILL),
        }
        let hit = child.wait().unwrap().code().is_none();
        hits += usize::from(hit);
        let killed = Instant::now();
        let lives_on = || {
            let lines = fs::read_dir("/proc").unwrap();
            let mut lines = lines.filter_map(|e| fs::read_to_string(e.ok()?.path().join("cmdline")).ok());
            lines.any(|line| line.contains(&place))
        };
        while lives_on() {
            assert!(killed.elapsed() < Duration::from_secs(20), "kill {moment}: a process lives on");
            sleep(Duration::from_millis(5));
        }
        assert!(unfinished() <= 1, "kill {moment}: {:?}", entries(""));
        assert!(entries("log/tmp").len() <= 2, "kill {moment}: {:?}", entries("log/tmp"));
        if !hit || moment % 10 == 0 || hits == kills() {
            ends_with(0, &mut run("killed"));
            assert!(outputs(&folder) == outputs(&desk.path("clean")), "kill {moment}: other bytes");
            assert!(unfinished() == 0 && entries("log/tmp").is_empty(), "kill {moment}: {:?}", entries(""));
            assert!(folder.join("report/index.html").exists());
            fs::remove_dir_all(&folder).unwrap();
        }
    }
    println!("{hits} of {moment} kills met a run at work, which takes {whole:?} when left alone");
}

/// What a run says that the machine ended; the next one goes on and stores the same bytes as one that was
/// left alone.
fn fails_once(desk: &Desk, spoil: &str, words: &str) {
    let run = ["run", "e.toml", "--allow-commands", "--no-report", "--jobs", "2", "--out"];
    let mut spoiled = std::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_tailrank");
    spoiled.current_dir(desk.folder.path()).args(["-c", &format!("{spoil} exec \"$@\""), "sh", program]);
    let said = text(&ends_with(1, spoiled.args(run).arg("spoiled")).stderr);
    assert!(said.contains(words) && said.contains("machine's fault"), "{said}");
    desk.stdout(&[&run[..], &["spoiled"]].concat(), 0);
    desk.stdout(&[&run[..], &["clean"]].concat(), 0);
    assert!(outputs(&desk.path("spoiled")) == outputs(&desk.path("clean")));
}

#[test]
fn a_process_that_cannot_be_started_is_no_row() {
    // Too few open files for the files or the pipes of a program, and enough for everything before.
    let desk = desk_of_programs(2);
    fails_once(&desk, "ulimit -n 11;", "Too many open files");
    let desk = desk_of_programs(2);
    desk.write("e.toml", format!("{}[limits]\nisolate = true\n", desk.read("e.toml")));
    fails_once(&desk, "ulimit -n 11;", "Too many open files");
}

/// A link in the place of a folder of the run is refused, and nothing is lost by it.
#[test]
fn a_scratch_folder_that_leads_elsewhere_is_refused() {
    let desk = desk_of_programs(1);
    let run = ["run", "e.toml", "--allow-commands", "--no-report", "--jobs", "1"];
    desk.stdout(&["run", "e.toml", "--allow-commands", "--no-report", "--only", "debug"], 0);
    let scratch = desk.path("runs/try/log/tmp");
    fs::remove_dir_all(&scratch).unwrap();
    symlink("/dev/full", &scratch).unwrap();
    let said = desk.stderr(&run, 1);
    assert!(said.contains("runs/try") && said.contains("log/tmp is a link"), "{said}");
    fs::remove_file(&scratch).unwrap();
    desk.stdout(&run, 0);
}

#[test]
fn a_program_that_is_missing_or_broken_is_a_row() {
    let desk = desk_with(
        "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"command\"\ncommand = [\"./model\", \"{out}\"]\n",
    );
    // Executable, and not a program: the same on every machine.
    desk.write("model", [0u8, 1, 2, 3]);
    fs::set_permissions(desk.path("model"), fs::Permissions::from_mode(0o755)).unwrap();
    let output =
        ends_with(3, &mut desk.tailrank(&["run", "e.toml", "--allow-commands", "--no-report", "--json"]));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["failed_fits"], 1);
}

/// Whatever a program does to its own folder and words is its own end, and the run goes on.
#[test]
fn a_program_that_removes_its_folder_or_closes_its_output_is_a_row() {
    let faults = [
        "rm -r \"$(dirname \"$1\")\"; exit 1",
        "rm -r \"$(dirname \"$1\")\"",
        "exec >&- 2>&-; exit 1",
        "sleep 9 & exit 1",
    ];
    let models: String = (0..faults.len())
        .map(|n| format!("[[models]]\nfamily = \"command\"\nlabel = \"m{n}\"\ncommand = [\"sh\", \"m{n}.sh\", \"{{out}}\"]\n"))
        .collect();
    let desk = desk_with(&format!("{models}[[models]]\nfamily = \"linear\"\n"));
    for (n, fault) in faults.iter().enumerate() {
        desk.write(&format!("m{n}.sh"), fault);
    }
    let run = ["run", "e.toml", "--allow-commands", "--no-report", "--json"];
    let output = ends_with(3, &mut desk.tailrank(&run));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["failed_fits"], &summary["fitted"]), (&4.into(), &5.into()));
    let said = text(&output.stderr).replace('\n', " ");
    assert!(said.contains("a change of these fits nothing again"), "{said}");
}

/// A daemon leaves its group and session, and still ends with its program.
#[test]
fn daemons_end_with_their_program() {
    let time = format!("66.{}", std::process::id());
    let desk = desk_with("");
    desk.write(
        "model.sh",
        format!("setsid sh -c 'setsid sleep {time} & sleep {time}' > /dev/null 2>&1 &\n{MODEL}"),
    );
    let command =
        "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", \"{out}\", \"{test}\", \"1\"]\n";
    desk.write("e.toml", experiment("try", command));
    desk.stdout(&["run", "e.toml", "--allow-commands", "--no-report"], 0);
    let began = Instant::now();
    let lives = || {
        let lines = fs::read_dir("/proc").unwrap();
        lines
            .filter_map(|e| fs::read_to_string(e.ok()?.path().join("cmdline")).ok())
            .any(|l| l.contains(&time))
    };
    while lives() {
        assert!(began.elapsed() < Duration::from_secs(20), "a daemon lives on");
        sleep(Duration::from_millis(20));
    }
}

/// No lock protects a cell (docs/decisions/0002-immutable-outputs.md): three runs of one folder fit the same
/// cells, to the same bytes.
#[test]
fn runs_of_one_folder_leave_the_same_bytes() {
    let desk = desk_with(&format!(
        "[[models]]\nfamily = \"debug\"\ngrid = {{ sleep_ms = 60, id = [{}] }}\n",
        list(24)
    ));
    let start_in = |out: &str| {
        desk.tailrank(&["run", "e.toml", "--jobs", "2", "--no-report", "--out", out])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let start = || start_in("shared");
    let mut runs = [start(), start(), start()];
    assert!(runs.iter_mut().all(|run| run.wait().unwrap().success()));
    assert!(start_in("alone").wait().unwrap().success());
    assert_eq!(files(&desk.path("shared/cells")).len(), 24);
    assert!(outputs(&desk.path("shared")) == outputs(&desk.path("alone")));
}
