//! What changed between two runs.

use serde_json::Value;

use crate::{Desk, desk_with};

const MODELS: &str = "[[models]]\nfamily = \"knn\"\ngrid = { k = [1, 3, 9] }\n[[models]]\nfamily = \"debug\"\n\
                      label = \"one\"\ngrid = { id = 1 }\n[[models]]\nfamily = \"debug\"\nlabel = \"frail\"\n\
                      grid = { fault = \"not_converged\" }\n";

fn desk() -> Desk {
    let desk = desk_with(MODELS);
    desk.stdout(&["run", "e.toml", "--no-report", "--out", "one"], 0);
    let text =
        desk.read("e.toml").replace("\"not_converged\"", "\"error\"").replace("[1, 3, 9]", "[1, 3, 20]");
    desk.write("e.toml", text.replace("high = 1.2", "high = 0.9").replace("seed = 7", "seed = 8"));
    desk.stdout(&["run", "e.toml", "--no-report", "--out", "two"], 3);
    desk
}

#[test]
fn a_run_is_the_same_as_itself() {
    let desk = desk();
    let shown = desk.stdout(&["compare", "one", "one"], 0);
    for same in ["Same data, same settings.", "The two rankings by F: ρ 1.00.", "All 10 scores are the same."]
    {
        assert!(shown.contains(same), "{shown}");
    }
}

#[test]
fn everything_that_changed_is_told() {
    let desk = desk();
    let shown = desk.stdout(&["compare", "one", "two"], 0);
    for told in [
        "Same data; 3 settings differ: seed 7 → 8, high 1.2 → 0.9, models",
        "Models only in one: knn 9",
        "Models only in two: knn 20",
        "verdict in one",
        "The two rankings by F",
        "largest moves",
        "fails now",
    ] {
        assert!(shown.contains(told), "{told}:\n{shown}");
    }
    assert!(shown.lines().all(|l| l.chars().count() <= 80), "{shown}");
    let json: Value = serde_json::from_str(&desk.stdout(&["compare", "one", "two", "--json"], 0)).unwrap();
    let seed = json["settings"].as_array().unwrap().iter().find(|s| s["key"] == "seed").unwrap();
    assert_eq!(
        (&seed["before"], &seed["after"], &seed["needs_refit"]),
        (&"7".into(), &"8".into(), &true.into())
    );
    assert_eq!(json["failures_changed"][0]["before"], Value::Null);
    assert!(json["failures_changed"][0]["after"].as_str().unwrap().contains("failed on demand"));
    assert!(json["scores_changed"].as_array().unwrap().iter().all(|s| s["measure"] == "f"), "MAD stays");
}

#[test]
fn a_report_under_other_settings_compares_with_its_run() {
    let desk = desk();
    desk.stdout(&["report", "one", "--high", "0.6", "--out", "other"], 0);
    let shown = desk.stdout(&["compare", "one", "other"], 0);
    assert!(shown.contains("1 setting differs: high 1.2 → 0.6"), "{shown}");
    assert!(!shown.contains("seed"), "{shown}");
}

#[test]
fn a_run_without_scores_is_refused() {
    let desk = desk();
    std::fs::remove_file(desk.path("two/results/scores.parquet")).unwrap();
    let said = desk.stderr(&["compare", "one", "two"], 1);
    assert!(said.contains("two cannot be opened as a run: it has no scores yet"), "{said}");
}
