//! Questions that the data cannot answer: a named reason from `run`, `score` and `rank`, never a number that
//! means nothing.

use serde_json::Value;

use crate::{BASELINES, Desk, desk_with, noise};

const BY: [&str; 8] = ["--low", "-2", "--high", "2", "--t-l", "0.5", "--measures", "mad,f"];

/// Text and JSON of `score` on a table; the text without its line breaks.
fn scored(desk: &Desk, table: &str, more: &[&str]) -> (String, Value) {
    desk.write("p.csv", table);
    let arguments = [&["score", "p.csv"][..], more].concat();
    let text = desk.stdout(&arguments, 0).replace('\n', " ");
    let json = desk.stdout(&[&arguments[..], &["--json"]].concat(), 0);
    (text, serde_json::from_str(&json).unwrap())
}

/// Rows of a table of `score --json` by one measure.
fn of<'a>(json: &'a Value, table: &str, measure: &str) -> Vec<&'a Value> {
    let rows = json[table].as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().filter(|r| r["measure"] == measure).collect()
}

fn table(rows: usize, row: impl Fn(usize, f64) -> String) -> String {
    noise(rows).enumerate().map(|(i, e)| row(i, e)).collect()
}

#[test]
fn score_with_few_events_says_how_many_there_are() {
    let desk = Desk::new();
    let five = table(80, |i, e| {
        let y = if i % 16 == 3 { 5.0 } else { e };
        format!("{y},{},{}\n", 0.95 * y, 0.5 * y)
    });
    let (text, json) = scored(&desk, &format!("y,a,b\n{five}"), &BY);
    assert!(text.contains("NO MODEL. The test has only 5 events; a verdict needs 10."), "{text}");
    assert!(!text.contains("better"), "{text}");
    let reason = "few_events";
    let chance = of(&json, "chance", "f");
    assert!(chance[0]["reason"] == reason && chance[0]["p_chance"].is_null(), "{chance:?}");
    let sets = of(&json, "confidence_sets", "f");
    assert_eq!(sets.len(), 2);
    assert!(sets.iter().all(|r| r["reason"] == reason && r["p"].is_null() && r["in_set"].is_null()));
    assert!(of(&json, "intervals", "f").iter().all(|r| r["lower"].is_null() && r["p_best"].is_null()));
}

#[test]
fn score_of_constant_losses_has_no_set_and_no_test() {
    let desk = Desk::new();
    // Whole 64ths, so that the losses are exact.
    let shifted = table(80, |_, e| {
        let y = (e * 384.0).round() / 64.0;
        format!("{y},{},{}\n", y + 0.5, y + 0.25)
    });
    let (_, json) = scored(&desk, &format!("y,a,b\n{shifted}"), &BY);
    let sets = of(&json, "confidence_sets", "mad");
    let said = |r: &&Value| r["reason"].as_str().is_some_and(|r| r == "constant");
    assert!(sets.len() == 2 && sets.iter().all(|r| said(r) && r["p"].is_null()), "{sets:?}");
    let pairs = of(&json, "pairwise", "mad");
    for test in ["dm", "wilcoxon", "resampled_t"] {
        assert!(
            ["", "_p", "_p_holm"].iter().all(|end| pairs[0][format!("{test}{end}")].is_null()),
            "{pairs:?}"
        );
    }
}

#[test]
fn score_of_a_single_model_is_not_the_best_of_one() {
    let desk = Desk::new();
    let one = table(160, |_, e| format!("{},{}\n", 6.0 * e, 5.5 * e));
    let (text, json) = scored(&desk, &format!("y,a\n{one}"), &BY);
    assert!(text.contains("USE a.") && text.contains("No baseline was run."), "{text}");
    let sets = of(&json, "confidence_sets", "f");
    assert!(sets[0]["reason"].as_str().is_some_and(|r| r == "nothing_to_compare"), "{sets:?}");
    let intervals = of(&json, "intervals", "f");
    assert!(intervals[0]["lower"].is_number() && intervals[0]["p_best"].is_null(), "{intervals:?}");
    assert!(
        json["families"].as_array().is_none_or(Vec::is_empty)
            && json["pairwise"].as_array().is_none_or(Vec::is_empty)
    );
}

/// The same settings for `run` and, as `--settings`, for `score`.
#[test]
fn no_draws_and_blocks_beyond_the_period_are_refused() {
    let desk = desk_with(BASELINES);
    let plain = desk.read("e.toml");
    let two = format!("y,a,b\n{}", table(80, |_, e| format!("{},{},{}\n", 6.0 * e, 5.5 * e, 4.0 * e)));

    desk.write("e.toml", plain.replace("enabled = false", "resamples = 0\nshifts = 0"));
    let said = desk.stderr(&["run", "e.toml"], 2);
    for key in ["inference.resamples", "inference.shifts"] {
        assert!(said.contains(&format!("{key}: 0 must lie between 100 and 100000")), "{said}");
    }
    let (text, json) = scored(&desk, &two, &["--settings", "e.toml"]);
    assert!(text.contains("F cannot be tested: inference.draws does not fit the data"), "{text}");
    assert!(json["intervals"].as_array().is_none_or(Vec::is_empty));

    desk.write("e.toml", plain.replace("enabled = false", "block = 5000"));
    let run = desk.stdout(&["run", "e.toml", "--no-report"], 0).replace('\n', " ");
    let (text, _) = scored(&desk, &two, &["--settings", "e.toml"]);
    for said in [run, text] {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("F cannot be tested: inference.block does not fit the data"), "{said}");
    }
}

#[test]
fn rank_says_where_sureness_is_to_be_had() {
    let desk = Desk::new();
    desk.write(
        "p.csv",
        format!("y,a,b\n{}", table(80, |_, e| format!("{},{},{}\n", 6.0 * e, 5.5 * e, 4.0 * e))),
    );
    desk.write("s.csv", desk.stdout(&[&["score", "p.csv", "--csv"][..], &BY].concat(), 0));
    let said = desk.stdout(&["rank", "s.csv"], 0);
    assert!(said.starts_with("s.csv · 2 models") && said.contains("NO VERDICT."), "{said}");
    assert!(said.contains("A verdict needs the predictions of each case: tailrank score"), "{said}");
    assert!(said.lines().all(|l| l.chars().count() <= 80), "{said}");
    assert!(desk.stderr(&["rank", "p.csv"], 2).contains("a table of predictions is for `tailrank score`"));
    // Beside the tables of a run it names them.
    desk.write("decisions.csv", "task\n");
    let json: Value = serde_json::from_str(&desk.stdout(&["rank", "s.csv", "--json"], 0)).unwrap();
    assert!(json["evidence"].as_str().unwrap().contains("decisions.csv"));
}
