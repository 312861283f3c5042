//! What an external program is made of, what its failures say, and what it may answer.

use std::{fs, process::Stdio, thread::sleep, time::Duration};

use serde_json::Value;

use crate::{Desk, desk_with, ends_with, outputs, text};

/// Predicts what the file in its third argument says.
const MODEL: &str = "v=$(cat \"$3\")\n(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo \"$v\"; done) > \"$1\"\n";

fn desk(command: &str, rest: &str) -> Desk {
    let desk = desk_with(&format!(
        "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", {command}]\n{rest}"
    ));
    desk.write("model.sh", MODEL);
    desk
}

const RUN: [&str; 4] = ["run", "e.toml", "--allow-commands", "--no-report"];

/// Cells fitted by a run.
fn fitted(desk: &Desk) -> u64 {
    let output = ends_with(0, desk.tailrank(&RUN).arg("--json"));
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["fitted"].as_u64().unwrap()
}

/// What a script imports and the keys do not know is said, ready to paste.
#[test]
fn files_that_a_program_reads_are_ready_to_paste() {
    let desk =
        desk_with("[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"m.sh\", \"{out}\", \"{test}\"]\n");
    desk.write("m.sh", ". ./helper.sh\n");
    desk.write(
        "helper.sh",
        "(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo 1; done) > \"$1\"\n",
    );
    let run = ["run", "e.toml", "--allow-commands", "--no-report"];
    let line = "files = [\"helper.sh\"]";
    let said = desk.stderr(&run, 0);
    assert_eq!(said.matches(line).count(), 1, "{said}");
    desk.write("e.toml", format!("{}{line}\n", desk.read("e.toml")));
    assert!(!desk.stderr(&run, 0).contains("files = ["));
}

#[test]
fn a_file_as_a_value_of_the_grid_is_tracked() {
    let desk = desk("\"{out}\", \"{test}\", \"{file}\"", "grid = { file = [\"one\", \"two\"] }\n");
    desk.write("one", "1");
    desk.write("two", "2");
    assert_eq!(fitted(&desk), 2);
    assert_eq!(fitted(&desk), 0);
    desk.write("two", "3");
    assert_eq!(fitted(&desk), 1, "only the variant whose file was edited");
}

#[test]
fn a_file_behind_an_option_is_tracked() {
    let desk = desk("\"{out}\", \"{test}\", \"one\", \"--config=settings\"", "");
    desk.write("one", "1");
    desk.write("settings", "a");
    assert_eq!(fitted(&desk), 1);
    desk.write("settings", "b");
    assert_eq!(fitted(&desk), 1);
    assert_eq!(fitted(&desk), 0);
}

#[test]
fn files_and_variables_that_are_named_are_tracked() {
    let desk = desk("\"{out}\", \"{test}\", \"one\"", "files = [\"lib\"]\nenv = [\"TAILRANK_TEST_X\"]\n");
    desk.write("one", "1");
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("models.1.files: 'lib' was not found"), "{said}");
    fs::create_dir(desk.path("lib")).unwrap();
    desk.write("lib/a.sh", "1");
    let fitted_with = |x: &str| {
        let output = ends_with(0, desk.tailrank(&RUN).arg("--json").env("TAILRANK_TEST_X", x));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["fitted"].as_u64().unwrap()
    };
    assert_eq!([fitted_with("1"), fitted_with("1"), fitted_with("2")], [1, 0, 1]);
    desk.write("lib/a.sh", "2");
    assert_eq!(fitted_with("2"), 1);
    // The report of a run needs neither.
    fs::remove_dir_all(desk.path("lib")).unwrap();
    desk.stdout(&["report", "runs/try"], 0);
}

#[test]
fn what_is_not_tracked_is_said_by_check() {
    let desk = desk("\"{out}\", \"{test}\", \"one\"", "");
    desk.write("one", "1");
    let shown = desk.stdout(&["check", "e.toml"], 0);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("changes of these are not noticed: the program 'sh'"), "{shown}");
    let json: Value = serde_json::from_str(&desk.stdout(&["check", "e.toml", "--json"], 0)).unwrap();
    assert!(json["untracked"].as_array().unwrap().len() >= 3);
    // The page says it too; one of native models has nothing to say.
    let page = |desk: &Desk, options: &[&str]| {
        ends_with(0, desk.tailrank(&["run", "e.toml"]).args(options));
        desk.read("runs/try/report/index.html")
    };
    let shown = page(&desk, &["--allow-commands"]);
    assert!(shown.contains("<h3>Not tracked</h3>"), "{shown}");
    for line in json["untracked"].as_array().unwrap() {
        let line = line.as_str().unwrap();
        assert!(shown.contains(&format!("<li>{line}</li>")), "{line}");
    }
    assert!(!page(&desk_with(crate::BASELINES), &[]).contains("Not tracked"));
}

#[test]
fn a_script_that_is_edited_while_it_runs_is_not_stored() {
    let desk = desk("\"{out}\", \"{test}\", \"one\"", "");
    desk.write("one", "1");
    desk.write("model.sh", format!("touch begun; while [ ! -e go ]; do sleep 0.02; done\n{MODEL}"));
    let run = desk.tailrank(&RUN).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !desk.path("begun").exists() {
        sleep(Duration::from_millis(5));
    }
    desk.write("one", "2");
    desk.write("go", "");
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("'one' was changed while the run was at work"), "{said}");
    assert_eq!(fitted(&desk), 1);
    assert_eq!(fitted(&desk), 0);
}

#[test]
fn reasons_name_no_temporary_files_and_are_the_same_in_every_run() {
    let desk = desk("\"{train}\", \"{out}\", \"{test}\", \"$0\"", "");
    desk.write("model.sh", "echo \"cannot open $1 and $2 of $PWD, $(dirname \"$3\")/x\" >&2; exit 4\n");
    for out in ["one", "two"] {
        ends_with(3, desk.tailrank(&RUN).args(["--out", out]));
    }
    assert!(outputs(&desk.path("one")) == outputs(&desk.path("two")));
    let scores = desk.read("one/results/scores.csv");
    assert!(scores.contains("cannot open {train} and {out} of ., {tmp}/x"), "{scores}");
}

#[test]
fn names_in_the_folder_of_a_run_are_not_filled_in() {
    let desk = desk("\"{out}\", \"{test}\", \"one\", \"{k}\"", "grid = { k = [1, 2] }\n");
    desk.write("one", "1");
    for out in ["runs {k} {seed}", "plain"] {
        ends_with(0, desk.tailrank(&RUN).args(["--out", out]));
    }
    assert!(outputs(&desk.path("runs {k} {seed}")) == outputs(&desk.path("plain")));
}

#[test]
fn an_answer_without_end_is_a_row() {
    let desk = desk("\"{out}\"", "");
    desk.write("model.sh", "head -c 3000000 /dev/zero | tr '\\0' '1' > \"$1\"\n");
    let output = ends_with(3, desk.tailrank(&RUN).arg("--json"));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reason = summary["failures"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("bytes for 60 test rows"), "{reason}");
}

/// A run that is forecast to need more than it is given fits nothing; what is stored is scored under any
/// limit.
#[test]
fn a_run_beyond_its_memory_is_refused_before_the_first_fit() {
    let models = "[[models]]\nfamily = \"linear\"\n[limits]\nmemory_mb = 50\n";
    let desk = desk_with(models);
    let said = text(&ends_with(1, &mut desk.tailrank(&RUN)).stderr);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("more than limits.memory_mb = 50, and nothing was fitted; give fewer rows"),
        "{said}"
    );
    let log = fs::read_to_string(desk.path("runs/try/log/events.jsonl")).unwrap_or_default();
    assert!(!log.contains("started"), "{log}");
    let checked = ends_with(0, &mut desk.tailrank(&["check", "e.toml"]));
    assert!((text(&checked.stdout) + &text(&checked.stderr)).contains("would be refused"));
    desk.write("e.toml", desk.read("e.toml").replace("memory_mb = 50", "memory_mb = 500"));
    assert_eq!(fitted(&desk), 1);
    desk.write("e.toml", desk.read("e.toml").replace("memory_mb = 500", "memory_mb = 50"));
    assert_eq!(fitted(&desk), 0);
}

#[test]
fn a_hundred_thousand_jobs_are_as_good_as_many() {
    let desk = desk("\"{out}\", \"{test}\", \"one\"", "");
    desk.write("one", "1");
    ends_with(0, desk.tailrank(&RUN).args(["--jobs", "100000"]));
}
