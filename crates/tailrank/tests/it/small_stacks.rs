//! Small stacks (`ulimit -s`, RUST_MIN_STACK): every command ends as it would with large ones.

use std::process::{Command, Output};

use crate::{Desk, desk_with, noise, outputs, text};

/// The same command in a shell whose processes and threads get small stacks.
fn small(desk: &Desk, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -s 256; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tailrank")]).args(arguments);
    command.current_dir(desk.folder.path()).env("RUST_MIN_STACK", "1").output().unwrap()
}

fn stdout(desk: &Desk, arguments: &[&str], code: i32) -> String {
    let output = small(desk, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{}", text(&output.stderr));
    text(&output.stdout)
}

const ALL: &str = "[[models]]\nfamily = \"nnet\"\n[[models]]\nfamily = \"mars\"\ngrid = { degree = 3, nk = 60 }\n\
                   [[models]]\nfamily = \"svm\"\n[[models]]\nfamily = \"forest\"\ngrid = { trees = 20 }\n\
                   [[models]]\nfamily = \"cart\"\ngrid = { cp = 0.0, minsplit = 2 }\n[[models]]\nfamily = \"linear\"\n\
                   [[models]]\nfamily = \"knn\"\n[[models]]\nfamily = \"boost\"\n\
                   [[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", \"{out}\", \"{test}\"]\n";

fn desk() -> Desk {
    let desk = desk_with(ALL);
    desk.write(
        "model.sh",
        "(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo 0; done) > \"$1\"\n",
    );
    desk
}

#[test]
fn every_family_gives_the_same_bytes_within_and_apart() {
    let desk = desk();
    desk.write("i.toml", format!("{}[limits]\nisolate = true\n", desk.read("e.toml")));
    desk.stdout(&["run", "e.toml", "--allow-commands", "--out", "usual"], 0);
    stdout(&desk, &["run", "e.toml", "--allow-commands", "--out", "small"], 0);
    assert!(outputs(&desk.path("usual")) == outputs(&desk.path("small")));
    assert!(desk.path("small/report/index.html").exists());
    stdout(&desk, &["run", "i.toml", "--allow-commands", "--no-report", "--out", "apart"], 0);
    assert!(outputs(&desk.path("usual")) == outputs(&desk.path("apart")));
}

#[test]
fn every_other_command_ends_as_usual() {
    let desk = desk();
    stdout(&desk, &["--help"], 0);
    desk.write("drafted.toml", stdout(&desk, &["init", "table.csv", "--target", "level"], 0));
    stdout(&desk, &["check", "drafted.toml"], 0);
    stdout(&desk, &["run", "e.toml", "--allow-commands", "--no-report"], 0);
    stdout(&desk, &["report", "runs/try", "--t-e", "0.6"], 0);
    desk.write("p.csv", stdout(&desk, &["export", "predictions", "runs/try"], 0));
    stdout(&desk, &["score", "p.csv", "--t-l", "0.5"], 0);
    stdout(&desk, &["rank", "runs/try/results/scores.csv"], 0);
    stdout(&desk, &["status", "runs/try"], 0);
    stdout(&desk, &["list", "schema"], 0);
}

/// A target that doubles from row to row: every cut of a tree takes one row off, so trees are as deep as they
/// can be.
#[test]
fn trees_as_deep_as_their_rows_are_grown_and_read() {
    let rows: String =
        noise(4_000).enumerate().map(|(i, x)| format!("{i},{x},{}\n", 1.1f64.powi(i as i32 / 2))).collect();
    let desk = desk_with(
        "[[models]]\nfamily = \"forest\"\ngrid = { trees = 3 }\n[[models]]\nfamily = \"forest\"\nengine = \"smartcore\"\n\
         label = \"other forest\"\ngrid = { trees = 2 }\n[[models]]\nfamily = \"boost\"\n[[models]]\nfamily = \"cart\"\n",
    );
    desk.write("table.csv", format!("a,b,level\n{rows}"));
    stdout(&desk, &["run", "e.toml", "--no-report"], 0);
}

#[test]
fn nesting_without_end_is_refused_with_a_message() {
    let desk = Desk::new();
    let deep = 100_000;
    desk.write("list.toml", format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)));
    desk.write("keys.toml", format!("a{} = 1", ".a".repeat(deep)));
    for file in ["list.toml", "keys.toml"] {
        let output = small(&desk, &["check", file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("nests too deep"), "{}", text(&output.stderr));
    }
    // A value on the command line, and the files of a run.
    let desk = desk_with(crate::BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let value = format!("relevance.points={}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(small(&desk, &["report", "runs/try", "--set", &value]).status.code(), Some(2));
    desk.write("runs/try/run.json", "[".repeat(deep));
    let output = small(&desk, &["report", "runs/try"]);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{}", text(&output.stderr));
}
