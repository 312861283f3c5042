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
        crate::skipped::for_want_of("python3");
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
    assert!(shown.contains("2 models"), "{shown}");
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
    assert!(shown.contains("1 fit failed"), "{shown}");
    let explained = crate::words(&desk.stdout(&["explain", "runs/try"], 0));
    assert!(explained.contains("time limit"), "{explained}");
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
    assert!(shown.contains("3 models"), "{shown}");
}

#[test]
fn a_child_left_behind_does_not_hide_how_the_program_ended() {
    let desk = desk_with(
        "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"command\"\n\
         command = [\"sh\", \"-c\", \"echo broken >&2; sleep 50 & exit 7\", \"{out}\"]\n[limits]\ncell_seconds = 20.0\n",
    );
    for isolate in [false, true] {
        desk.write(
            "i.toml",
            desk.read("e.toml").replace("[limits]", &format!("[limits]\nisolate = {isolate}")),
        );
        let started = Instant::now();
        let run = ["run", "i.toml", "--allow-commands", "--no-report", "--json", "--retry-failed"];
        let output = ends_with(3, &mut desk.tailrank(&run));
        assert!(started.elapsed() < Duration::from_secs(15), "nobody waits for what was left behind");
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let reason = summary["failures"][0]["reason"].as_str().unwrap();
        assert!(reason.contains("exit status: 7") && reason.contains("broken"), "{reason}");
    }
}

#[test]
fn programs_are_relative_to_the_experiment_and_their_faults_are_found_by_check() {
    let desk =
        desk_with("[[models]]\nfamily = \"command\"\ncommand = [\"./model.sh\", \"{out}\", \"{test}\"]\n");
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("models.1.command: program './model.sh' was not found"), "{said}");
    desk.write(
        "model.sh",
        "#!/bin/sh\n(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo 1; done) > \"$1\"\n",
    );
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("'./model.sh' is not executable") && said.contains("chmod +x"), "{said}");
    let through = desk.read("e.toml").replace("\"./model.sh\"", "\"sh\", \"model.sh\"");
    desk.write("through.toml", &through);
    desk.write("missing.toml", through.replace("model.sh", "modle.sh"));
    assert!(desk.stderr(&["check", "missing.toml"], 2).contains("script 'modle.sh' was not found"));
    desk.write(
        "seed.toml",
        format!("{}grid = {{ seed = [1, 2] }}\n", through.replace("\"{test}\"", "\"{test}\", \"{seed}\"")),
    );
    let said = desk.stderr(&["check", "seed.toml"], 2);
    assert!(said.contains("give the parameter another name"), "{said}");
    // From another folder, and with the script gone when the report is written again.
    std::fs::create_dir(desk.path("elsewhere")).unwrap();
    let run = ["run", "../through.toml", "--allow-commands", "--out", "../there", "--no-report"];
    ends_with(0, desk.tailrank(&run).current_dir(desk.path("elsewhere")));
    std::fs::remove_file(desk.path("model.sh")).unwrap();
    desk.stdout(&["report", "there"], 0);
}

#[test]
fn an_edited_program_is_run_again() {
    let desk = desk_with(
        "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", \"{out}\", \"{test}\"]\n",
    );
    let write = |value: &str| {
        desk.write(
            "model.sh",
            format!(
                "(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo {value}; done) > \"$1\"\n"
            ),
        );
    };
    let run = ["run", "e.toml", "--allow-commands", "--no-report"];
    write("1");
    assert_eq!(desk.fits(&run, 0), (1, 0));
    assert_eq!(desk.fits(&run, 0), (0, 1));
    let scores = desk.read("runs/try/results/scores.csv");
    write("2");
    assert_eq!(desk.fits(&run, 0), (1, 0));
    assert_ne!(desk.read("runs/try/results/scores.csv"), scores);
}

#[test]
fn a_program_gets_a_seed_of_its_own_that_stays() {
    let desk = desk_with(
        "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", \"{out}\", \"{test}\", \"{seed}\", \"{shift}\"]\n\
         grid = { shift = [1, 2] }\n",
    );
    desk.write(
        "model.sh",
        "echo \"$4 $3\" >> seeds\n(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo $4; done) > \"$1\"\n",
    );
    let seeds = |out: &str, text: &str| {
        desk.write("seed.toml", text);
        let _ = std::fs::remove_file(desk.path("seeds"));
        desk.stdout(&["run", "seed.toml", "--allow-commands", "--out", out, "--no-report", "--jobs", "1"], 0);
        let mut lines: Vec<String> = desk.read("seeds").lines().map(ToOwned::to_owned).collect();
        lines.sort();
        lines
    };
    let text = desk.read("e.toml");
    let first = seeds("one", &text);
    assert_eq!(first.len(), 2);
    let seed = |line: &str| line.split(' ').nth(1).unwrap().parse::<u32>().unwrap();
    assert_ne!(seed(&first[0]), seed(&first[1]), "each variant has its own");
    assert_eq!(first, seeds("two", &text), "the same in every run");
    assert_ne!(first, seeds("three", &text.replace("seed = 7", "seed = 8")), "another in another experiment");
}

#[test]
fn a_program_may_be_given_parquet() {
    // It answers with the test file itself: Parquet with two columns, none of which is a prediction.
    let desk = desk_with(
        "[[models]]\nfamily = \"command\"\nformat = \"parquet\"\ncommand = [\"sh\", \"model.sh\", \"{train}\", \"{test}\", \"{out}\"]\n",
    );
    desk.write("model.sh", "head -c 4 \"$1\" > magic; tail -c 4 \"$2\" >> magic; cp \"$2\" \"$3\"\n");
    let output =
        ends_with(3, &mut desk.tailrank(&["run", "e.toml", "--allow-commands", "--no-report", "--json"]));
    assert_eq!(desk.read("magic"), "PAR1PAR1");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let reason = summary["failures"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("numeric column named 'prediction'"), "the answer was read as Parquet: {reason}");
}

/// Keeps what it gets, and predicts 1.
const KEEPER: &str = r#"mkdir -p kept
cp "$1" kept/train; cp "$2" kept/test; cp "$4" kept/info
(echo prediction; tail -n +2 "$2" | while read -r l; do echo 1; done) > "$3"
"#;

/// Numbers and words with gaps, and an input that is called as targets are.
fn kept_by(entry: &str, isolate: bool) -> (Vec<String>, Vec<String>, serde_json::Value, Desk) {
    let desk = desk_with(&format!(
        "[[models]]\nfamily = \"command\"\n\
         command = [\"sh\", \"keep.sh\", \"{{train}}\", \"{{test}}\", \"{{out}}\", \"{{info}}\", \"{{k}}\"]\ngrid = {{ k = 2.5 }}\n\
         {entry}\n[limits]\nisolate = {isolate}\n"
    ));
    let mut table = "size,colour,y,level\n".to_owned();
    for i in 0..20 {
        let size = if i == 3 { String::new() } else { format!("{}", f64::from(i) * 0.5) };
        let colour = ["red", "\"blue, dark\"", ""][i as usize % 3];
        let level = [2.0, -2.0, 0.1, 0.3, 5.0][i as usize % 5];
        table.push_str(&format!("{size},{colour},{},{level}\n", i * i));
    }
    desk.write("table.csv", table);
    desk.write("keep.sh", KEEPER);
    ends_with(0, &mut desk.tailrank(&["run", "e.toml", "--allow-commands", "--no-report", "--quiet"]));
    let lines = |name: &str| desk.read(name).lines().map(str::to_owned).collect();
    let info = serde_json::from_str(&desk.read("kept/info")).unwrap();
    (lines("kept/train"), lines("kept/test"), info, desk)
}

#[test]
fn programs_get_the_columns_of_commands_by_name_and_as_they_are() {
    for isolate in [false, true] {
        let (train, test, info, _) = kept_by("", isolate);
        assert_eq!(train.len(), 15);
        assert_eq!(train[0], "size,colour,y,target", "an input is called y already");
        assert_eq!(train[1..5], ["0,red,0,2", "0.5,\"blue, dark\",1,-2", "1,,4,0.1", ",red,9,0.3"]);
        assert_eq!(test.len(), 7);
        assert_eq!(test[..2], ["size,colour,y", "7,,196"]);
        let seed = info["seed"].as_u64().unwrap();
        let expected = serde_json::json!({
            "task": "t",
            "target": "target",
            "encoded": false,
            "features": [
                { "name": "size", "type": "number" },
                { "name": "colour", "type": "category", "levels": ["blue, dark", "red"] },
                { "name": "y", "type": "number" },
            ],
            "parameters": { "k": 2.5 },
            "seed": seed,
        });
        assert_eq!(info, expected);
    }
}

#[test]
fn encoded_commands_get_numbers_and_so_do_steps() {
    for isolate in [false, true] {
        let (train, test, info, _) = kept_by("encoded = true", isolate);
        let inputs = info["features"].as_array().unwrap().len();
        let names: Vec<String> = (1..=inputs).map(|j| format!("x{j}")).collect();
        assert!(inputs >= 4, "a category is coded: {names:?}");
        assert_eq!(train[0], format!("{},y", names.join(",")));
        assert_eq!(test[0], names.join(","));
        let numbers = |lines: &[String]| {
            lines[1..].iter().all(|line| line.split(',').all(|field| field.parse::<f64>().is_ok()))
        };
        assert!(numbers(&train) && numbers(&test), "nothing is missing: {train:?}");
        assert_eq!(info["encoded"], true);

        let (train, _, info, _) = kept_by("learn = [\"over\"]", isolate);
        assert!(train.len() > 15 && numbers(&train), "rows were added: {train:?}");
        assert!(train[0].starts_with("size,") && !train[0].contains("x1"), "{}", train[0]);
        assert_eq!((&info["encoded"], &info["task"]), (&true.into(), &"t".into()));
    }
}

/// A program that is told the name of its task may use it.
#[test]
fn renamed_tasks_are_fitted_again_only_where_commands_are_told() {
    let (_, _, _, desk) = kept_by("", false);
    let run = ["run", "e.toml", "--allow-commands", "--no-report", "--json"];
    let fitted = |desk: &Desk| {
        let summary: serde_json::Value = serde_json::from_str(&desk.stdout(&run, 0)).unwrap();
        summary["fitted"].as_u64().unwrap()
    };
    assert_eq!(fitted(&desk), 0);
    let original = desk.read("e.toml");
    desk.write("e.toml", original.replace("name = \"t\"", "name = \"other\""));
    assert_eq!(fitted(&desk), 1);
    desk.write("e.toml", original.replace("\"{info}\"", "\"table.csv\""));
    assert_eq!(fitted(&desk), 1);
    desk.write(
        "e.toml",
        original.replace("\"{info}\"", "\"table.csv\"").replace("name = \"t\"", "name = \"other\""),
    );
    assert_eq!(fitted(&desk), 0);
}

#[test]
fn modules_that_commands_lack_are_found_by_check() {
    if python_is_missing() {
        return;
    }
    let desk = desk(&["none"]);
    desk.write("model.py", format!("from no_such_module_7 import fit\n{MODEL}"));
    for command in ["check", "run"] {
        let said = desk.stderr(&[command, "e.toml"], 2);
        let words = "models.2.command: python3 has no module 'no_such_module_7', which 'model.py' imports";
        assert!(said.replace('\n', " ").contains(words), "{said}");
    }
}

#[test]
fn where_failed_commands_are_reused_their_retry_is_named() {
    let desk = desk_with(
        "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"-c\", \"exit 7\", \"{out}\"]\n",
    );
    let run = ["run", "e.toml", "--allow-commands"];
    for (command, code) in
        [(&run[..], 3), (&run[..], 3), (&["status", "runs/try"], 0), (&["report", "runs/try"], 3)]
    {
        let shown = text(&ends_with(code, &mut desk.tailrank(command)).stdout);
        let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains("--retry-failed"), "{command:?}: {shown}");
    }
    assert!(desk.read("runs/try/report/index.html").contains("--retry-failed"));
    let json: serde_json::Value =
        serde_json::from_slice(&ends_with(3, &mut desk.tailrank(&[&run[..], &["--json"]].concat())).stdout)
            .unwrap();
    assert_eq!((&json["fitted"], &json["failed_fits"]), (&0.into(), &1.into()));
}

#[test]
fn encoded_belongs_to_commands() {
    let desk = desk_with("[[models]]\nfamily = \"linear\"\nencoded = true\n");
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("models.1.encoded: belongs to family = \"command\", not to \"linear\""), "{said}");
}
