//! Choosing on validation rows: fitted on training rows alone, judged on the test.

use tailrank_metrics::Score;
use tailrank_score::score::{self, TaskId, VariantId};

use crate::lab::{FRAME, Lab, SIX, Unsynced, stored, whole};

const LINES: &str = "[data]\ntables = [{ name = \"a\", file = \"a.csv\", target = \"y\" }]\n[[models]]\nfamily = \"knn\"\n\
                     grid = { k = [1, 2, 3, 5, 8] }\n[[models]]\nfamily = \"linear\"\n";

fn with_validation(text: &str) -> String {
    text.replace("train = 0.5", "train = 0.5\nvalidation = 0.25")
}

#[test]
fn the_choice_is_made_on_validation_and_judged_on_test() {
    let lab = Lab::new();
    let plan = lab.plan(&with_validation(&format!("{FRAME}{LINES}")));
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    assert_eq!(results.selection.len(), plan.rules.measures.len());

    // The same choice by hand: the validation rows as the test of another split, whose training rows are the
    // same.
    let half = format!("{FRAME}{LINES}");
    let task = &plan.tasks[0];
    let by_hand = lab.plan(&half);
    assert!(task.splits[0].train.iter().eq(by_hand.tasks[0].splits[0].train.iter()));
    let (store, _) = tailrank_runner::store::Store::open_existing(&Unsynced, &lab.path("run")).unwrap();
    let judged = score::load_predictions(&plan, TaskId(0), &store).unwrap();
    let (whole_test, _) = whole(&by_hand, &lab.path("by-hand"), &Unsynced, 2).unwrap();
    assert_eq!(whole_test.fitted, by_hand.cells.len());
    let (store, _) = tailrank_runner::store::Store::open_existing(&Unsynced, &lab.path("by-hand")).unwrap();
    let both = score::load_predictions(&by_hand, TaskId(0), &store).unwrap();
    let validation = task.validation_targets(0).unwrap();
    let mad = |predicted: &[f64], truth: &[f64]| {
        truth.iter().zip(predicted).map(|(y, p)| (y - p).abs()).sum::<f64>() / truth.len() as f64
    };
    let scores: Vec<f64> = both.iter().map(|p| mad(&p.parts[0][..validation.len()], &validation)).collect();
    let chosen = (0..scores.len()).min_by(|&i, &j| scores[i].total_cmp(&scores[j])).unwrap();
    let by_mad = results.selection.iter().find(|s| s.measure.id() == "mad").unwrap();
    assert_eq!(by_mad.chosen, Some(VariantId(chosen)));
    // The measure may sum in another order.
    let is = |score: Option<Score>, by_hand: f64| (score.unwrap().value().unwrap() - by_hand).abs() < 1e-12;
    assert!(is(by_mad.validation_score, scores[chosen]));
    let test = mad(&judged[chosen].parts[0], &task.test_targets(0));
    assert!(is(by_mad.test_score, test));
    // The test rows of the split with validation are the last ones of the split without.
    assert_eq!(judged[chosen].parts[0], both[chosen].parts[0][validation.len()..]);
    assert!(by_mad.loss.unwrap().absolute >= 0.0);
    assert!(
        lab.path("run/results/selection.csv").exists() && !lab.path("by-hand/results/selection.csv").exists()
    );
}

#[test]
fn validation_changes_the_keys_of_its_tasks_alone() {
    let lab = Lab::new();
    let plain = lab.six();
    let own = format!("{FRAME}{SIX}[tasks.b.split]\nkind = \"fraction\"\ntrain = 0.5\nvalidation = 0.2\n");
    let chosen = lab.plan(&own);
    for (x, y) in plain.cells.iter().zip(&chosen.cells) {
        assert_eq!(x.key == y.key, x.task == 0, "task {}", x.task);
    }
    let root = lab.path("run");
    whole(&plain, &root, &Unsynced, 1).unwrap();
    let (summary, results) = whole(&chosen, &root, &Unsynced, 1).unwrap();
    assert_eq!((summary.fitted, summary.reused), (3, 3));
    assert!(results.selection.iter().all(|s| s.task == TaskId(1)) && !results.selection.is_empty());
    assert_eq!(stored(&root).len(), 9);
}

/// Neither φ nor a scaler sees validation rows: changing one leaves every test score as it is.
#[test]
fn validation_rows_teach_nothing() {
    let lab = Lab::new();
    let text = with_validation(&format!("{FRAME}{LINES}"))
        .replace("low = -1.5\nhigh = 1.5", "kind = \"pchip\"\ncoefficient = 0.1");
    let (_, before) = whole(&lab.plan(&text), &lab.path("one"), &Unsynced, 1).unwrap();
    let csv = std::fs::read_to_string(lab.path("a.csv")).unwrap();
    let mut lines: Vec<String> = csv.lines().map(str::to_owned).collect();
    // Row 35 of 60 lies between the first half and the last quarter.
    lines[36] = "5.0,5.0,77.0".to_owned();
    lab.write("a.csv", &(lines.join("\n") + "\n"));
    let (_, after) = whole(&lab.plan(&text), &lab.path("two"), &Unsynced, 1).unwrap();
    assert_eq!(before.scores[0].scores, after.scores[0].scores);
    assert_ne!(before.selection, after.selection);
}
