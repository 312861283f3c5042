//! Rows that depend on each other, from file to verdict: noise in groups, in panels and with labels that
//! overlap is not called skill.

use serde_json::Value;

use crate::{Desk, noise};

const RULES: &str = "[measures]\nlist = [\"mad\", \"f\", \"sera\"]\nt_l = 0.7\n\
    [[models]]\nfamily = \"knn\"\ngrid = { k = [1, 3, 5] }\n[[models]]\nfamily = \"linear\"\n";

/// Nearly normal numbers.
fn normal(n: usize) -> impl FnMut() -> f64 {
    let mut uniform = noise(4 * n);
    move || 1.73 * (0..4).filter_map(|_| uniform.next()).sum::<f64>()
}

fn day(t: usize) -> String {
    format!("{}-{:02}-{:02}", 2001 + t / 336, (t / 28) % 12 + 1, t % 28 + 1)
}

/// What `check --json` says of the one task, after a run whose every verdict is "no model".
fn checked(desk: &Desk, name: &str, table: &str, split: &str, event: f64) -> Value {
    let file = format!("{name}.toml");
    let experiment = format!(
        "name = \"{name}\"\n[data]\ntables = [{{ name = \"{name}\", file = \"{name}.csv\", target = \"y\", {table} }}]\n\
         [split]\n{split}\n[relevance]\nlow = -{event}\nhigh = {event}\n{RULES}"
    );
    desk.write(&file, experiment);
    let screen = desk.stdout(&["run", &file], 0);
    assert!(screen.contains("\nNO MODEL."), "{screen}");
    let decisions = desk.read(&format!("runs/{name}/results/decisions.csv"));
    assert_eq!(decisions.matches(",no_model,").count(), 3, "{decisions}");
    let said: Value = serde_json::from_str(&desk.stdout(&["check", &file, "--json"], 0)).unwrap();
    said["tasks"][0].clone()
}

fn has_leak_note(task: &Value, note: &str) {
    let notes = task["leaks"].as_array().unwrap();
    assert!(notes.iter().any(|n| n == note), "{note}: {notes:?}");
}

#[test]
fn patients_stay_on_one_side_of_a_fold() {
    let desk = Desk::new();
    let mut normal = normal(40 * 35);
    let mut csv = String::from("patient,a,b,y\n");
    for patient in 0..40 {
        let (a, b, y) = (normal(), normal(), normal());
        for _ in 0..8 {
            let row = [a + 0.3 * normal(), b + 0.3 * normal(), 0.8 * y + 0.6 * normal()];
            csv.push_str(&format!("P{patient},{},{},{}\n", row[0], row[1], row[2]));
        }
    }
    desk.write("patients.csv", csv);
    let task = checked(&desk, "patients", "group = \"patient\"", "kind = \"kfold\"\nfolds = 5", 1.3);
    has_leak_note(&task, "groups whole ok");
    assert_eq!((&task["splits"], &task["test_rows"]), (&5.into(), &320.into()), "{task}");
    // 320 cases, but what counts are the patients.
    let by_mad = desk.read("patients.toml") + "[compare]\npairs = [[\"mad\", \"f\"]]\ndecide_by = \"mad\"\n";
    desk.write("patients.toml", by_mad);
    desk.stdout(&["run", "patients.toml"], 0);
    let said = crate::words(&desk.stdout(&["explain", "runs/patients"], 0));
    assert!(said.contains("The test has only 40 groups; intervals may be too narrow."), "{said}");
}

#[test]
fn a_panel_is_cut_between_dates() {
    let desk = Desk::new();
    let mut normal = normal(150 * 40);
    let mut csv = String::from("date,symbol,x,z,y\n");
    for t in 0..150 {
        let (common, seen) = (normal(), normal());
        for symbol in 0..10 {
            let row = [seen + 0.5 * normal(), normal(), 0.7 * (common + normal())];
            csv.push_str(&format!("{},S{symbol},{},{},{}\n", day(t), row[0], row[1], row[2]));
        }
    }
    desk.write("panel.csv", csv);
    // 70.3% of the rows end amid a date.
    let table = "date = \"date\", entity = \"symbol\"";
    let task = checked(&desk, "panel", table, "kind = \"fraction\"\ntrain = 0.703", 1.3);
    has_leak_note(&task, "dates whole ok");
    assert_eq!((&task["train_rows"], &task["test_rows"]), (&1050.into(), &450.into()), "{task}");
}

#[test]
fn labels_that_reach_ahead_are_purged_in_every_window() {
    let desk = Desk::new();
    let mut normal = normal(700);
    let noise: Vec<f64> = (0..700).map(|_| normal()).collect();
    let mut csv = String::from("date,x,last,y\n");
    for t in 5..670 {
        let (x, y): (f64, f64) = (noise[t - 4..=t].iter().sum(), noise[t + 1..t + 21].iter().sum());
        csv.push_str(&format!("{},{x},{},{y}\n", day(t), noise[t]));
    }
    desk.write("ahead.csv", csv);
    let windows = "kind = \"growing\"\nwindow = 300\nstep = 100";
    let task = checked(&desk, "ahead", "date = \"date\", label_span = 20", windows, 6.0);
    has_leak_note(&task, "label span ok");
    // The label of the last 19 rows before each of four windows ends inside it.
    assert_eq!((&task["splits"], &task["purged"]), (&4.into(), &76.into()), "{task}");
}

#[test]
fn targets_that_look_alike_are_told_where_no_span_is_declared() {
    let desk = Desk::new();
    let mut normal = normal(400);
    let mut level = 0.0;
    let mut csv = String::from("date,x,y\n");
    for t in 0..400 {
        level = 0.98 * level + 0.2 * normal();
        csv.push_str(&format!("{},{},{level}\n", day(t), t % 7));
    }
    desk.write("slow.csv", csv);
    let experiment = format!(
        "name = \"slow\"\n[data]\ntables = [{{ name = \"slow\", file = \"slow.csv\", target = \"y\", date = \"date\" }}]\n\
         [split]\nkind = \"fraction\"\ntrain = 0.7\n[relevance]\nlow = -1.3\nhigh = 1.3\n{RULES}"
    );
    desk.write("slow.toml", experiment);
    for command in ["check", "run"] {
        let output = desk.tailrank(&[command, "slow.toml"]).output().unwrap();
        let said = crate::words(&format!("{}{}", crate::text(&output.stdout), crate::text(&output.stderr)));
        assert!(said.contains("declare label_span"), "{command}: {said}");
    }
}
