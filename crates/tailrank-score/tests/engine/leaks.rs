//! A row reaches only what it may reach: a test row changes no other prediction, and φ, events and scores
//! follow from training rows.

use std::{fmt::Write as _, ops::Range, sync::Arc};

use tailrank_experiment::plan::{Plan, Task};
use tailrank_metrics::{
    Accuracy, EventCounts, Relevance, Score, precision_recall,
    relevance::{BoxPlot, Extremes},
    sera::sera,
};
use tailrank_runner::store::Store;
use tailrank_score::score::{Predictions, Results, StoredPredictions, TaskId, VariantStatus, test_parts};

use crate::lab::{Lab, OTHER_FAMILIES, Unsynced, whole};

const ROWS: usize = 120;
const T_L: f64 = 0.7;
const T_E: f64 = 0.6;
const COEFFICIENT: f64 = 0.4;

/// Every way to divide rows.
const SPLITS: [&str; 6] = [
    "kind = \"fraction\"\ntrain = 0.5\nvalidation = 0.2",
    "kind = \"sliding\"\nwindow = 60\nstep = 12",
    "kind = \"growing\"\nwindow = 60\nstep = 20",
    "kind = \"kfold\"\nfolds = 4\nrepeats = 2\nshuffle = true",
    "kind = \"bootstrap\"\nrepeats = 3",
    "kind = \"rows\"\nrows = [{ train = \"1-60\", test = \"61-90\" }, { train = \"31-80\", test = \"91-120\" }]",
];

/// A family under every kind of step.
const MODELS: &str = r#"
[[models]]
family = "linear"
learn = ["plain", "weights", "over", "under", "smote", "smogn", "wercs", { stretch = "f" }, { calibrate = true }]
"#;

fn experiment(split: &str) -> String {
    format!(
        "name = \"leaks\"\nseed = 3\ninference = {{ enabled = false }}\n\
         [data]\ntables = [{{ name = \"t\", file = \"t.csv\", target = \"y\" }}]\n[split]\n{split}\n\
         [relevance]\nkind = \"pchip\"\ncoefficient = {COEFFICIENT}\nextremes = \"high\"\nevent_threshold = {T_E}\n\
         [measures]\nlist = [\"mad\", \"precision\", \"recall\", \"f\", \"sera\"]\nt_l = {T_L}\nalpha = \"indicator\"\n\
         [compare]\npermutations = 20\n{MODELS}{OTHER_FAMILIES}"
    )
}

/// What is done to one row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    Target(usize),
    Inputs(usize),
}

fn swing(i: usize) -> f64 {
    let t = i as f64;
    (t * 1.1).sin() + 0.3 * (t * 0.37).cos()
}

/// Numbers with gaps, a category, and a target with a long right tail.
fn table(change: Change) -> String {
    let mut csv = "x,z,c,y\n".to_owned();
    for i in 0..ROWS {
        let mut x = if i % 7 == 3 { String::new() } else { swing(i).to_string() };
        let mut class = ["a", "b", "c"][i % 3];
        let mut y = (1.3 * swing(i + 2)).exp() + 0.2 * swing(5 * i);
        if change == Change::Inputs(i) {
            (x, class) = ("90".to_owned(), "new");
        }
        if change == Change::Target(i) {
            y += 400.0;
        }
        let _ = writeln!(csv, "{x},{},{class},{y}", swing(3 * i + 1));
    }
    csv
}

struct Ran {
    plan: Arc<Plan>,
    results: Results,
    predictions: Vec<Predictions>,
}

fn run(lab: &Lab, split: &str, change: Change) -> Ran {
    lab.write("t.csv", &table(change));
    let plan = lab.plan(&experiment(split));
    let root = tempfile::tempdir().unwrap();
    let (_, results) = whole(&plan, root.path(), &Unsynced, 2).unwrap();
    let store = Store::open(&Unsynced, root.path(), &plan.text, "leaks").unwrap();
    let predictions = StoredPredictions::list(&plan, &store).unwrap().of_task(TaskId(0)).unwrap();
    for (variant, found) in plan.variants.iter().zip(&predictions) {
        let fitted = matches!(found.status, VariantStatus::Fine | VariantStatus::NotConverged);
        assert!(fitted, "{split}: {}: {:?}", variant.label, found.status);
    }
    Ran { plan, results, predictions }
}

/// Where the predictions of each split stand: its part, and its places there.
fn places(task: &Task) -> Vec<(usize, Range<usize>)> {
    let mut places = vec![(0, 0..0); task.splits.len()];
    for (part, splits) in task.parts().iter().enumerate() {
        let mut from = 0;
        for &s in splits {
            let to = from + task.splits[s].test.len();
            places[s] = (part, from..to);
            from = to;
        }
    }
    places
}

#[test]
fn a_test_row_changes_no_prediction_but_its_own() {
    let lab = Lab::new();
    for split in SPLITS {
        let before = run(&lab, split, Change::Nothing);
        let task = &before.plan.tasks[0];
        // The middle of the last test: every scheme has splits that do not train on it.
        let tested: Vec<usize> = task.splits.last().unwrap().test.iter().collect();
        let row = tested[tested.len() / 2];
        for change in [Change::Target(row), Change::Inputs(row)] {
            let after = run(&lab, split, change);
            let mut compared = 0;
            for (s, (part, place)) in places(task).into_iter().enumerate() {
                let divided = &task.splits[s];
                if divided.train.iter().any(|r| r == row) {
                    continue;
                }
                let in_validation =
                    divided.validation.iter().flat_map(tailrank_data::Rows::iter).any(|r| r == row);
                assert!(!in_validation, "the row is tested");
                for (v, (a, b)) in before.predictions.iter().zip(&after.predictions).enumerate() {
                    let rows = divided.test.iter();
                    let pairs = a.parts[part][place.clone()].iter().zip(&b.parts[part][place.clone()]);
                    for (r, (a, b)) in rows.zip(pairs) {
                        compared += 1;
                        let same = a.to_bits() == b.to_bits();
                        let may_differ = r == row && matches!(change, Change::Inputs(_));
                        let label = &before.plan.variants[v].label;
                        assert!(same || may_differ, "{split}: {label}, {change:?}, row {r}: {a} and {b}");
                    }
                }
            }
            assert!(compared > 100, "{split}: {compared} predictions compared");
        }
    }
}

/// φ and the scores of one part by hand, from training rows and predictions.
fn by_hand(task: &Task, splits: &[usize], predicted: &[f64]) -> (EventCounts, Vec<Score>) {
    let targets = task.data.targets();
    // The φ of the first training window holds for all tests of a part.
    let train: Vec<f64> = task.splits[splits[0]].train.iter().map(|r| targets[r]).collect();
    let phi = Relevance::extremes(&train, Extremes::High, COEFFICIENT, BoxPlot::Plain).unwrap();
    let rows = splits.iter().flat_map(|&s| task.splits[s].test.iter());
    let truth: Vec<f64> = rows.map(|r| targets[r]).collect();
    let relevance: Vec<f64> = truth.iter().map(|&y| phi.phi(y)).collect();
    let errors = truth.iter().zip(predicted).map(|(y, p)| (y - p).abs());
    let mad = errors.sum::<f64>() / truth.len() as f64;
    let accuracy = Accuracy::indicator(T_L).unwrap();
    let events = precision_recall(&truth, predicted, &phi, &accuracy, T_E, 1.0).unwrap();
    let sera = sera(&truth, predicted, &relevance).unwrap();
    let scores = vec![Score::Value(mad), events.precision, events.recall, events.f, Score::Value(sera)];
    (events.counts, scores)
}

#[test]
fn events_and_scores_follow_from_training_rows_and_predictions() {
    let lab = Lab::new();
    for split in SPLITS {
        // A huge value in a test row would move a φ that has seen it.
        for change in [Change::Nothing, Change::Target(ROWS - 3)] {
            let ran = run(&lab, split, change);
            let task = &ran.plan.tasks[0];
            let scores = &ran.results.scores[0];
            let parts = task.parts();
            for (v, predictions) in ran.predictions.iter().enumerate() {
                let label = &ran.plan.variants[v].label;
                for (part, splits) in parts.iter().enumerate() {
                    let (counts, expected) = by_hand(task, splits, &predictions.parts[part]);
                    let (found_counts, found) = match scores.folds.get(v) {
                        Some(folds) => (folds[part].counts.unwrap(), &folds[part].scores),
                        None => (scores.counts[v].unwrap(), &scores.scores[v]),
                    };
                    assert_eq!(found_counts, counts, "{split}: {label}, part {part}, {change:?}");
                    for ((found, expected), measure) in found.iter().zip(&expected).zip(&scores.measures) {
                        let near = match (found.value(), expected.value()) {
                            (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * b.abs(),
                            _ => found == expected,
                        };
                        let what = format!("{split}: {label}, part {part}, {}", measure.id());
                        assert!(near, "{what}: {found:?} and by hand {expected:?}");
                    }
                }
            }
        }
    }
}

/// φ from the training rows, on one side and on both, and a tolerance in units of their spread.
const RELEVANCES: [&str; 5] = [
    "kind = \"pchip\"\ncoefficient = 0.4\nextremes = \"both\"",
    "kind = \"pchip\"\nadjusted = true\ncoefficient = 0.1\nextremes = \"high\"",
    "kind = \"pchip\"\ncoefficient = 0.2\nextremes = \"low\"",
    "kind = \"sigmoid\"\nextremes = \"high\"",
    "kind = \"sigmoid\"\nextremes = \"low\"\nfallback_low = -3",
];

/// A table as `table` has it, with 40 days of three entities and 24 groups; `changed` rows are quite other
/// ones.
fn panel(changed: &[usize], targets: bool, inputs: bool) -> String {
    let mut csv = "day,entity,group,x,z,c,y\n".to_owned();
    for i in 0..ROWS {
        let (day, is_changed) = (i / 3, changed.contains(&i));
        let x = if i % 7 == 3 { String::new() } else { swing(i).to_string() };
        let (x, class) =
            if inputs && is_changed { ("90".to_owned(), "new") } else { (x, ["a", "b", "c"][i % 5 % 3]) };
        let y = swing(i + 2).powi(3)
            + 0.2 * swing(5 * i)
            + if targets && is_changed { 12.0 * swing(7 * i) } else { 0.0 };
        let (month, day) = (day / 20 + 1, day % 20 + 1);
        let entity = ["p", "q", "r"][i % 3];
        let _ =
            writeln!(csv, "2001-{month:02}-{day:02},{entity},{},{x},{},{class},{y}", i / 5, swing(3 * i + 1));
    }
    csv
}

#[test]
fn nothing_that_is_learned_or_judged_by_depends_on_a_row_that_is_tested() {
    let lab = Lab::new();
    let plain = "ignore = [\"day\", \"entity\", \"group\"]";
    let in_time = "time = \"day\", entity = \"entity\", ignore = [\"group\"]";
    let mut designs: Vec<(&str, &str)> = SPLITS.iter().map(|split| (plain, *split)).collect();
    designs.extend([
        ("group = \"group\", ignore = [\"day\", \"entity\"]", SPLITS[3]),
        (in_time, "kind = \"date\"\nat = \"2001-02-05\""),
        (in_time, SPLITS[2]),
        ("label_span = 2, time = \"day\", entity = \"entity\", ignore = [\"group\"]", SPLITS[1]),
    ]);
    let (mut untouched, mut touched) = (0, 0);
    for ((columns, split), relevance) in designs.iter().flat_map(|d| RELEVANCES.iter().map(move |r| (*d, *r)))
    {
        let planned = |changed: &[usize], targets, inputs| {
            lab.write("t.csv", &panel(changed, targets, inputs));
            let text = experiment(split)
                .replace("target = \"y\"", &format!("target = \"y\", {columns}"))
                .replace(
                    &format!("kind = \"pchip\"\ncoefficient = {COEFFICIENT}\nextremes = \"high\""),
                    relevance,
                )
                .replace(&format!("t_l = {T_L}"), "t_l = \"0.5 sd\"");
            assert!(text.contains(relevance) && text.contains("0.5 sd"));
            lab.plan(&text)
        };
        let before = planned(&[], false, false);
        let task = &before.tasks[0];
        let tested: Vec<usize> = task.splits.last().unwrap().test.iter().collect();
        let judged = test_parts(&before, task).unwrap();
        for changed in [&tested[tested.len() / 2..=tested.len() / 2], &tested[..]] {
            for (targets, inputs) in [(true, false), (false, true)] {
                let after = planned(changed, targets, inputs);
                let other = &after.tasks[0];
                let what = format!("{columns}, {split}, {relevance}: {} rows", changed.len());
                let moves = |rows: &tailrank_data::Rows| rows.iter().any(|row| changed.contains(&row));
                let is_apart =
                    |s: usize| !task.splits[s].validation.iter().chain([&task.splits[s].train]).any(moves);
                for (s, (one, two)) in task.splits.iter().zip(&other.splits).enumerate() {
                    assert_eq!(
                        (&one.train, &one.validation, &one.test),
                        (&two.train, &two.validation, &two.test),
                        "{what}"
                    );
                    let (a, b) = (task.data.prepare(one).unwrap(), other.data.prepare(two).unwrap());
                    let cells = || before.cells.iter().zip(&after.cells).filter(|(cell, _)| cell.split == s);
                    assert_eq!(cells().count(), 16, "families and steps");
                    if is_apart(s) {
                        untouched += 1;
                        let learned = |p: &tailrank_data::Prepared| {
                            (
                                p.input_names.clone(),
                                p.categories.clone(),
                                p.train.clone(),
                                p.validation.clone(),
                            )
                        };
                        assert_eq!(learned(&a), learned(&b), "{what}, split {s}");
                        assert!(cells().all(|(a, b)| a.seed == b.seed), "{what}, split {s}: seeds");
                        let is_tested = moves(&one.test);
                        assert!(
                            cells().all(|(a, b)| (a.key != b.key) == is_tested),
                            "{what}, split {s}: keys"
                        );
                    } else {
                        touched += 1;
                        assert!(cells().all(|(a, b)| a.key != b.key), "{what}, split {s}: keys");
                    }
                }
                let judged_then = test_parts(&after, other).unwrap();
                for (part, splits) in
                    task.parts().iter().enumerate().filter(|(_, splits)| is_apart(splits[0]))
                {
                    // φ, t_L, utilities and the mean that errors are set against.
                    let [a, b] = [&judged, &judged_then].map(|parts| format!("{:?}", parts[part].settings));
                    assert_eq!(a, b, "{what}, part {part} of splits {splits:?}");
                    let ranges = |plan: &Plan| {
                        let settings = &test_parts(plan, &plan.tasks[0]).unwrap()[part].settings;
                        settings.relevance.as_ref().unwrap().event_bounds(settings.t_e).unwrap()
                    };
                    assert_eq!(ranges(&before), ranges(&after), "{what}");
                }
            }
        }
    }
    assert!(untouched > 300 && touched > 100, "{untouched} splits apart from what changed, {touched} not");
}
