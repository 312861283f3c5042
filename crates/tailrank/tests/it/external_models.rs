//! Programs as models, with a tiny one in Python.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{Desk, desk_with, ends_with, text};

/// Predicts the training mean plus a shift; fails in the way it is told to.
const MODEL: &str = r#"import csv, sys, time
train, test, out, shift, fault = sys.argv[1:6]
if fault == "exit":
    sys.exit("no such kernel")
if fault == "sleep":
    time.sleep(90)
y = [float(r["y"]) for r in csv.DictReader(open(train))]
rows = sum(1 for _ in csv.DictReader(open(test)))
if fault == "few":
    rows -= 1
with open(out, "w") as f:
    f.write("prediction\n")
    for _ in range(rows):
        f.write(f"{sum(y) / len(y) + float(shift)}\n")
"#;

fn python_is_missing() -> bool {
    let missing = Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err();
    if missing {
        eprintln!("skipped: python3 is not installed");
    }
    missing
}

/// An experiment with one program per fault.
fn desk(faults: &[&str]) -> Desk {
    let mut models = String::from("[[models]]\nfamily = \"linear\"\n");
    for fault in faults {
        models.push_str(&format!(
            "[[models]]\nfamily = \"command\"\nlabel = \"py {fault}\"\n\
             command = [\"python3\", \"model.py\", \"{{train}}\", \"{{test}}\", \"{{out}}\", \"0.5\", \"{fault}\"]\n"
        ));
    }
    let desk = desk_with(&models);
    desk.write("model.py", MODEL);
    desk
}

#[test]
fn programs_run_only_when_allowed() {
    if python_is_missing() {
        return;
    }
    let desk = desk(&["none"]);
    assert!(desk.stdout(&["check", "e.toml"], 0).contains("--allow-commands"));
    let said = desk.stderr(&["run", "e.toml"], 2);
    assert!(said.contains("python3") && said.contains("--allow-commands"), "{said}");
    assert!(!desk.path("runs").exists());
    let shown = desk.stdout(&["run", "e.toml", "--allow-commands"], 0);
    assert!(shown.contains("2 variants"), "{shown}");
    assert!(desk.read("runs/try/results/scores.csv").contains("py"));
}

#[test]
fn a_missing_program_is_found_by_check() {
    let desk = desk(&["none"]);
    desk.write("e.toml", desk.read("e.toml").replace("\"python3\"", "\"no-such-program-7\""));
    for command in ["check", "run"] {
        let said = desk.stderr(&[command, "e.toml"], 2);
        assert!(said.contains("program 'no-such-program-7' was not found"), "{said}");
    }
}

#[test]
fn faults_of_a_program_are_rows_with_reasons() {
    if python_is_missing() {
        return;
    }
    let desk = desk(&["none", "exit", "few"]);
    let output = ends_with(3, &mut desk.tailrank(&["run", "e.toml", "--allow-commands", "--json"]));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let reasons: Vec<&str> =
        summary["failures"].as_array().unwrap().iter().map(|f| f["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(
        reasons.iter().any(|r| r.contains("exit status: 1") && r.contains("no such kernel")),
        "{reasons:?}"
    );
    assert!(reasons.iter().any(|r| r.contains("wrote 59 predictions for 60 test rows")), "{reasons:?}");
}

#[test]
fn a_deadline_stops_a_program() {
    if python_is_missing() {
        return;
    }
    let desk = desk(&["sleep"]);
    desk.write("e.toml", format!("{}\n[limits]\ncell_seconds = 1.0\n", desk.read("e.toml")));
    let started = Instant::now();
    let out = ends_with(3, &mut desk.tailrank(&["run", "e.toml", "--allow-commands"]));
    assert!(started.elapsed() < Duration::from_secs(60), "the program sleeps longer");
    let shown = text(&out.stdout);
    assert!(shown.contains("1 fit failed") && shown.contains("time limit"), "{shown}");
}

#[test]
fn parameters_fill_the_arguments() {
    if python_is_missing() {
        return;
    }
    let desk = desk(&["none"]);
    let text = desk.read("e.toml").replace("\"0.5\"", "\"{shift}\"") + "grid = { shift = [0.0, 0.5] }\n";
    desk.write("e.toml", text);
    let shown = desk.stdout(&["run", "e.toml", "--allow-commands"], 0);
    assert!(shown.contains("3 variants"), "{shown}");
}
