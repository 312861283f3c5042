//! Hostile surroundings: few processes, no folder for temporary files, folders that cannot be written, a
//! clock that jumps. Every command ends with an answer or an error, never with a panic, and what a run then
//! stores is the same.

use std::{
    fs::{self, File, Permissions},
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{Command, Output},
    time::{Duration, SystemTime},
};

use crate::{Desk, desk_with, files, outputs, program, skipped, text};

const MODELS: &str = "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"forest\"\ngrid = { trees = 20 }\n\
                      [[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", \"{out}\", \"{test}\"]\n";

const RUN: [&str; 4] = ["run", "e.toml", "--allow-commands", "--out"];

/// A desk with programs, and the same with fits in processes of their own; anyone may write to it.
fn desk() -> Desk {
    let desk = desk_with(MODELS);
    desk.write(
        "model.sh",
        "(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo 0; done) > \"$1\"\n",
    );
    desk.write("i.toml", format!("{}[limits]\nisolate = true\n", desk.read("e.toml")));
    fs::set_permissions(desk.folder.path(), Permissions::from_mode(0o777)).unwrap();
    desk
}

/// Whether no limit and no right of a file holds us.
fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// A command in a shell that first does what `before` says, by somebody who is not the system's
/// administrator, whom no limit holds.
fn elsewhere(desk: &Desk, before: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before}; exec \"$@\"",), "sh"]).arg(program()).args(arguments);
    if is_root() {
        // The system counts the processes of a user: this one has no others.
        command.uid(60_000 + std::process::id() % 5_000).gid(60_000);
    }
    command.current_dir(desk.folder.path()).env("COLUMNS", "5000").output().unwrap()
}

/// Whether a command came to an end of its own.
fn assert_calm(output: &Output, what: &str) {
    let said = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0..=3)), "{what}: {:?} {said}", output.status.signal());
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{what}: {said}");
    assert!(output.status.success() || said.contains("error"), "{what} says nothing: {said}");
}

#[test]
fn few_processes_end_no_command_in_a_panic() {
    let desk = desk();
    if !is_root() {
        return skipped::for_good_reason("the processes of this user are not only those of a test");
    }
    if !elsewhere(&desk, "true", &["--version"]).status.success() {
        return skipped::for_good_reason("other users cannot start the program");
    }
    desk.stdout(&[&RUN[..], &["usual"]].concat(), 0);
    desk.write("p.csv", desk.stdout(&["export", "predictions", "usual"], 0));
    let mut answers = 0;
    for processes in 1..=8 {
        let limit = format!("ulimit -u {processes} 2>/dev/null || ulimit -p {processes}");
        for arguments in [
            &["init", "table.csv", "--target", "level"][..],
            &["check", "e.toml"],
            &[&RUN[..], &["few", "--no-report"]].concat(),
            &["run", "i.toml", "--allow-commands", "--no-report", "--out", "apart"],
            &["score", "p.csv", "--t-l", "0.5"],
            &["status", "usual"],
            &["explain", "usual"],
            &["list", "data"],
        ] {
            let output = elsewhere(&desk, &limit, arguments);
            assert_calm(&output, &format!("{processes} processes, {arguments:?}"));
            answers += usize::from(output.status.success());
        }
    }
    println!("{answers} of 64 commands gave an answer");
    for run in ["few", "apart"] {
        desk.stdout(&[&RUN[..], &[run]].concat(), 0);
        assert!(outputs(&desk.path(run)) == outputs(&desk.path("usual")), "{run}");
    }
}

#[test]
fn no_folder_for_temporary_files_is_needed() {
    let desk = desk();
    desk.stdout(&[&RUN[..], &["usual"]].concat(), 0);
    let nowhere = |arguments: &[&str]| {
        let mut command = desk.tailrank(arguments);
        crate::ends_with(0, command.env("TMPDIR", "/nowhere/at/all"))
    };
    nowhere(&[&RUN[..], &["without"]].concat());
    nowhere(&["run", "i.toml", "--allow-commands", "--out", "apart"]);
    nowhere(&["report", "without", "--t-e", "0.6"]);
    for run in ["without", "apart"] {
        assert!(outputs(&desk.path(run)) == outputs(&desk.path("usual")), "{run}");
    }
}

/// Takes the right to write from a folder and everything in it, or gives it back.
fn lock(folder: &Path, is_locked: bool) {
    let mode = |path: &Path| if path.is_dir() { 0o777 } else { 0o666 };
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        fs::set_permissions(&next, Permissions::from_mode(0o777)).unwrap();
        for path in fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()) {
            let mode = if is_locked { mode(&path) & 0o555 } else { mode(&path) };
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            folders.extend(path.is_dir().then_some(path));
        }
        let mode = if is_locked { 0o555 } else { 0o777 };
        fs::set_permissions(&next, Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn folders_that_cannot_be_written_are_said_and_left_alone() {
    let desk = desk();
    if !elsewhere(&desk, "true", &["--version"]).status.success() {
        return skipped::for_good_reason("other users cannot start the program");
    }
    desk.stdout(&[&RUN[..], &["usual"]].concat(), 0);
    let before = files(&desk.path("usual"));
    lock(desk.folder.path(), true);
    let ends: Vec<(Output, &[&str], bool)> = [
        (&["check", "e.toml"][..], true),
        (&["status", "usual"], true),
        (&["explain", "usual"], true),
        (&["compare", "usual", "usual"], true),
        (&["run", "e.toml", "--allow-commands", "--out", "usual"], false),
        (&["run", "e.toml", "--allow-commands", "--out", "new"], false),
        (&["report", "usual", "--t-e", "0.6"], false),
    ]
    .into_iter()
    .map(|(arguments, answers)| (elsewhere(&desk, "true", arguments), arguments, answers))
    .collect();
    lock(desk.folder.path(), false);
    for (output, arguments, answers) in ends {
        assert_calm(&output, &format!("{arguments:?}"));
        assert_eq!(output.status.success(), answers, "{arguments:?}: {}", text(&output.stderr));
        assert!(answers || text(&output.stderr).contains("denied"), "{}", text(&output.stderr));
    }
    assert!(files(&desk.path("usual")) == before);
    desk.stdout(&[&RUN[..], &["usual"]].concat(), 0);
}

/// Sessions of other centuries: logs and files of the past and the future.
#[test]
fn a_clock_that_jumps_between_sessions_changes_nothing() {
    let desk = desk();
    desk.stdout(&[&RUN[..], &["run"]].concat(), 0);
    let expected = outputs(&desk.path("run"));
    let log = desk.read("run/log/events.jsonl");
    let now = SystemTime::now();
    let century = Duration::from_secs(100 * 365 * 86_400);
    for (at_ms, time) in [
        (0, SystemTime::UNIX_EPOCH),
        (u64::MAX, now + century),
        (1, now + century),
        (u64::MAX, SystemTime::UNIX_EPOCH),
    ] {
        // The session was never closed, its process is gone, and a cell is to be fitted again.
        let moved = log.lines().filter(|line| !line.is_empty() && !line.contains("closed")).map(|line| {
            let mut entry: serde_json::Value = serde_json::from_str(line).unwrap();
            entry["at_ms"] = at_ms.into();
            format!("{entry}\n")
        });
        desk.write("run/log/events.jsonl", moved.collect::<String>());
        let cell = files(&desk.path("run/cells")).into_keys().next().unwrap();
        fs::remove_file(desk.path("run/cells").join(cell)).unwrap();
        let left = desk.path(&format!("run/log/tmp/elsewhere.7.{at_ms:016x}"));
        fs::create_dir_all(&left).unwrap();
        for name in files(&desk.path("run")).into_keys() {
            File::options()
                .write(true)
                .open(desk.path("run").join(name))
                .unwrap()
                .set_modified(time)
                .unwrap();
        }
        File::open(&left).unwrap().set_modified(time).unwrap();
        let shown = desk.stdout(&["status", "run"], 0);
        assert!(!shown.contains("NaN") && !shown.contains("inf"), "{shown}");
        desk.stdout(&[&RUN[..], &["run"]].concat(), 0);
        assert!(outputs(&desk.path("run")) == expected, "{at_ms} {time:?}");
    }
}
