use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::desk_with;

const MODELS: &str = "[[models]]\nfamily = \"debug\"\n\
                      grid = { fault = [\"none\", \"error\"], sleep_ms = 20, id = [0, 1, 2, 3] }\n";

#[test]
fn a_half_finished_run_says_what_is_left() {
    let desk = desk_with(MODELS);
    let said = desk.stdout(&["run", "e.toml", "--share", "1/2"], 0);
    assert!(said.contains("Share 1 of 2: 4 groups fitted, 0 reused"), "{said}");
    let half = desk.stdout(&["status", "runs/try"], 0);
    assert!(half.starts_with("4 of 8 groups of fits done"), "{half}");
    assert!(half.contains("0 running · 4 left") && half.contains("nothing is running"), "{half}");
    assert!(half.lines().all(|l| l.width() <= 80), "{half}");

    desk.stdout(&["run", "e.toml", "--share", "2/2"], 0);
    let fitted = desk.stdout(&["status", "runs/try"], 0);
    assert!(fitted.contains("8 of 8 groups of fits done (4 failed)"), "{fitted}");
    assert!(fitted.contains("failed on demand") && fitted.contains("All fits are done"), "{fitted}");

    assert_eq!(desk.fits(&["run", "e.toml"], 3), (0, 8));
    let done = desk.stdout(&["status", "runs/try"], 0);
    assert!(done.contains("Tables: runs/try/results") && done.contains("Verdict by f: no model."), "{done}");
}

#[test]
fn json_holds_everything() {
    let desk = desk_with(MODELS);
    desk.stdout(&["run", "e.toml", "--share", "1/1"], 0);
    let status: Value = serde_json::from_str(&desk.stdout(&["status", "runs/try", "--json"], 0)).unwrap();
    assert_eq!((&status["cells"], &status["done"], &status["left"]), (&8.into(), &8.into(), &0.into()));
    assert_eq!(status["failed"].as_array().unwrap().len(), 4);
    assert_eq!(status["failed"][0]["task"], "t");
    assert_eq!(status["forecast"]["timed"], 8);
    assert_eq!(status["tables"], false);
}

#[test]
fn a_folder_that_is_no_run_is_named() {
    let desk = desk_with(MODELS);
    assert!(desk.stderr(&["status", "nowhere"], 2).contains("nowhere cannot be opened as a run"));
}
