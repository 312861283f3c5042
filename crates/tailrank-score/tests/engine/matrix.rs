//! Every fault of the debug family becomes a row with its reason; the variants beside it are unharmed.

use tailrank_score::score::VariantStatus;

use crate::lab::{FRAME, Lab, Unsynced, stored, whole};

const FAULTS: [(&str, &str); 6] = [
    ("error", "failed on demand"),
    ("panic", "panicked: panicked on demand"),
    ("hang", "stopped at the time limit"),
    ("ignore_cancel", "passed the time limit and did not stop"),
    ("nan", "is NaN"),
    ("short", "predictions"),
];

fn text(fault: &str, seconds: f64) -> String {
    format!(
        "{FRAME}
[limits]
cell_seconds = {seconds}
[data]
tables = [{{ name = \"a\", file = \"a.csv\", target = \"y\" }}]
[[models]]
family = \"debug\"
label = \"good\"
grid = {{ id = [0, 1] }}
[[models]]
family = \"debug\"
label = \"bad\"
grid = {{ fault = \"{fault}\", id = 5 }}
"
    )
}

#[test]
fn each_fault_is_a_row_with_its_reason() {
    let lab = Lab::new();
    for (fault, reason) in FAULTS {
        let plan = lab.plan(&text(fault, 0.5));
        let (summary, results) = whole(&plan, &lab.path(fault), &Unsynced, 2).unwrap();
        assert_eq!(summary.fitted, 3, "{fault}");
        let failures: Vec<_> = results.failures().collect();
        assert_eq!(failures.len(), 1, "{fault}");
        assert!(failures[0].1.0 == 2 && failures[0].2.contains(reason), "{fault}: {failures:?}");
        let scores = &results.scores[0];
        assert!(scores.status[..2].iter().all(|s| *s == VariantStatus::Fine), "{fault}");
        assert!(scores.scores[0].len() == 5 && scores.scores[2].is_empty(), "{fault}");
        // A failure is kept: it is not fitted again unless asked for.
        let (again, _) = whole(&plan, &lab.path(fault), &Unsynced, 2).unwrap();
        assert_eq!((again.fitted, again.reused), (0, 3), "{fault}");
    }
}

#[test]
fn a_fit_that_did_not_converge_counts_and_says_so() {
    let lab = Lab::new();
    let plan = lab.plan(&text("not_converged", 5.0));
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    assert_eq!(results.failures().count(), 0);
    assert_eq!(results.scores[0].status[2], VariantStatus::NotConverged);
    assert_eq!(results.scores[0].scores[2].len(), 5);
}

#[test]
fn another_time_limit_fits_what_was_stopped_again_and_nothing_else() {
    let lab = Lab::new();
    let root = lab.path("run");
    whole(&lab.plan(&text("hang", 0.2)), &root, &Unsynced, 2).unwrap();
    let (summary, _) = whole(&lab.plan(&text("hang", 0.3)), &root, &Unsynced, 2).unwrap();
    assert_eq!((summary.fitted, summary.reused, summary.damaged), (1, 2, 0));
    assert_eq!(stored(&root).values().sum::<usize>(), 4);
}

#[test]
fn isolation_needs_a_program_that_fits_cells() {
    let lab = Lab::new();
    let plan = lab.plan(&text("none", 5.0).replace("[limits]", "[limits]\nisolate = true"));
    let refused = whole(&plan, &lab.path("run"), &Unsynced, 1).err();
    assert!(matches!(refused, Some(tailrank_experiment::EngineError::NoCellProgram)), "{refused:?}");
}

#[test]
fn limits_that_make_no_sense_are_named() {
    let lab = Lab::new();
    for seconds in ["-1.0", "0.0", "nan"] {
        let wrong = text("none", 7.25).replace("7.25", seconds);
        let error = lab.try_plan(&wrong).err().unwrap().to_string();
        assert!(error.contains("limits.cell_seconds"), "{error}");
    }
    for seconds in ["1e300", "inf"] {
        let plan = lab.plan(&text("none", 7.25).replace("7.25", seconds));
        whole(&plan, &lab.path(seconds), &Unsynced, 1).unwrap();
    }
}
