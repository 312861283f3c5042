//! The study on examples small enough to know, against SciPy, and with test rows changed under its feet.

use std::fmt::Write;

use proptest::prelude::*;
use tailrank_data::{Library, TableOptions, TargetKind, read_table_bytes};
use tailrank_models::Cancel;

use super::{
    AVERAGE, TALLY,
    fold::{Fold, Sample, folds, judge, prepare, run},
    results::{ACCURACY, LETTERS, OARP, SetResults, verdict},
    settings::{Change, Reading, Set, Settings},
};

fn small() -> Settings {
    let mut settings = Settings::bundled().unwrap();
    (settings.candidates, settings.runs, settings.folds) = (40, 2, 4);
    settings
}

fn reading(changes: &[Change]) -> Reading {
    Reading { name: String::new(), changes: changes.to_vec() }
}

fn sample(csv: &str, symbolic: &[&str]) -> Sample {
    let options = TableOptions {
        kind: TargetKind::Classification,
        categorical: symbolic.iter().map(|s| (*s).to_owned()).collect(),
        ..TableOptions::new("class")
    };
    Sample::new(read_table_bytes("t.csv", csv.as_bytes(), &options).unwrap().value, "ill").unwrap()
}

/// Everything that was found, as text: the trees of other readings are not numbers.
fn with(library: &Library, settings: &Settings) -> String {
    format!("{:?}", run(settings, library, &Cancel::default()).unwrap().readings)
}

#[test]
fn the_bundled_settings_are_the_papers() {
    let settings = Settings::bundled().unwrap();
    assert_eq!((settings.candidates, settings.runs, settings.folds), (500, 10, 10));
    assert_eq!(settings.sets.len(), 5);
    // The main reading changes nothing, every other one something, and no two are alike.
    let changes: Vec<_> = settings.readings.iter().map(|r| &r.changes).collect();
    assert!(changes[0].is_empty());
    for (i, reading) in changes.iter().enumerate() {
        assert!(!changes[..i].contains(reading), "{reading:?} twice");
    }
    let verdicts = LETTERS.map(|letters| settings.sets.iter().filter(|s| s.verdict == letters).count());
    assert_eq!(verdicts, TALLY);
}

/// Rows 0 … 5 train, 6 and 7 test.
const GAPS: &str = "dose,stage,colour,class
0,4,red,well
2,?,red,well
4,4,blue,ill
?,7,?,ill
10,4,blue,well
6,7,red,ill
12,3,green,ill
?,?,?,well
";

fn gaps_split(sample: &Sample) -> tailrank_data::Split {
    let first = tailrank_data::ByFraction { train: 0.75, validation: None };
    let timeline = tailrank_data::Timeline::points(sample.table.rows());
    let rows = tailrank_data::SplitRows::new(&timeline, 1);
    tailrank_data::draw_splits(&first, &rows, tailrank_data::Leak::Purged).unwrap().remove(0)
}

#[test]
fn gaps_symbols_and_scales_come_from_training_rows() {
    let sample = sample(GAPS, &["stage"]);
    let split = gaps_split(&sample);
    let prepared = prepare(&sample, &split, &reading(&[Change::TrainingRows])).unwrap();
    // dose: median 4 of 0 2 4 6 10, scale 0 … 10. stage: mode 4, scale 4 … 7. colour: blue 0, red 1, mode
    // red.
    #[rustfmt::skip]
    assert_eq!(prepared.train.values, [
        0.0, 0.0, 1.0,
        0.2, 0.0, 1.0,
        0.4, 0.0, 0.0,
        0.4, 1.0, 1.0,
        1.0, 0.0, 0.0,
        0.6, 1.0, 1.0,
    ]);
    // Beyond the training range in dose and stage; green is unknown to training and becomes the mode.
    let stage = (3.0 - 4.0) / 3.0;
    assert_eq!(prepared.test.values, [1.2, stage, 1.0, 0.4, 0.0, 1.0]);

    let prepared = prepare(&sample, &split, &reading(&[Change::TrainingRows, Change::OneHot])).unwrap();
    // dose, stage 4, stage 7, blue, red; levels unknown to training are no level.
    assert_eq!(prepared.inputs, 5);
    assert_eq!(prepared.test.values, [1.2, 0.0, 0.0, 0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 1.0]);

    // The paper prepares "across all instances".
    let prepared = prepare(&sample, &split, &reading(&[])).unwrap();
    // dose: median 5, scale 0 … 12; stage: mode 4, scale 3 … 7; colour: blue 0, green 1, red 2 (mode).
    assert_eq!(prepared.test.values, [1.0, 0.0, 0.5, 5.0 / 12.0, 0.25, 1.0]);
}

#[test]
fn a_class_that_is_missing_or_too_many_are_refused() {
    let options = TableOptions { kind: TargetKind::Classification, ..TableOptions::new("class") };
    let table = |csv: &str| read_table_bytes("t.csv", csv.as_bytes(), &options).unwrap().value;
    let said = |csv: &str, positive: &str| match Sample::new(table(csv), positive) {
        Ok(_) => String::new(),
        Err(e) => e.to_string(),
    };
    assert!(said("a,class\n1,x\n2,y\n", "z").contains("no class 'z' among x, y"));
    assert!(said("a,class\n1,x\n2,y\n3,z\n", "z").contains("3 classes"));
    assert_eq!(said("a,class\n1,x\n2,y\n", "y"), "");
}

#[test]
fn a_set_that_falls_apart_is_classified_without_error() {
    // One attribute tells the classes apart, one is noise: every criterion finds it, and so does the tree.
    let mut csv = String::from("a,b,class\n");
    for i in 0..40 {
        let (ill, noise) = (i % 4 == 0, (i * 7) % 10);
        writeln!(
            csv,
            "{},{noise},{}",
            if ill { 90 + i % 3 } else { i % 5 },
            if ill { "ill" } else { "well" }
        )
        .unwrap();
    }
    let (sample, settings) = (sample(&csv, &[]), small());
    let main = reading(&[]);
    let splits = folds(&settings, &sample, &main).unwrap();
    assert_eq!(splits.len(), 8);
    for (number, split) in splits.iter().enumerate() {
        let prepared = prepare(&sample, split, &main).unwrap();
        let fold = judge(&settings, &main, "t", number, &prepared).unwrap();
        assert_eq!(fold.accuracy, [1.0; 5]);
        assert!(fold.tied.iter().all(|t| *t >= 1) && fold.distinct.iter().all(|d| *d >= 1));
        // Candidates tie, and the first is taken by all.
        assert_eq!(fold.chosen[0], fold.chosen[2]);
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let (library, settings) = (Library::default(), small());
    let on = |threads: usize| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| with(&library, &settings))
    };
    let one = on(1);
    assert_eq!(on(3), one);
    assert_eq!(on(7), one);
    let mut other = settings.clone();
    other.seed += 1;
    assert_ne!(with(&library, &other), one);
}

#[test]
fn a_cancelled_run_says_so() {
    let (library, cancel) = (Library::default(), Cancel::default());
    cancel.cancel();
    let ended = run(&small(), &library, &cancel).map(|_| ()).unwrap_err();
    let is_interrupted =
        matches!(ended, crate::studies::StudyError::Engine(tailrank_experiment::EngineError::Interrupted));
    assert!(is_interrupted, "{ended}");
}

fn fold_of(first: f64, second: f64) -> Fold {
    Fold {
        chosen: [usize::from(first != second), 2, 0],
        accuracy: [second, 0.0, first, f64::NAN, 1.0],
        tied: [1; 3],
        distinct: [1; 3],
    }
}

fn any_set() -> Set {
    Settings::bundled().unwrap().sets.remove(0)
}

#[test]
fn both_tests_agree_with_scipy() {
    let folds = include_str!("../../../tests/fixtures/oarp_folds.csv");
    let tests = include_str!("../../../tests/fixtures/oarp_tests.csv");
    let mut met = Vec::new();
    for line in tests.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let rows = folds.lines().map(|l| l.split(',').collect::<Vec<_>>()).filter(|l| l[0] == cells[0]);
        let folds = rows.map(|l| fold_of(l[3].parse().unwrap(), l[4].parse().unwrap())).collect();
        let set = SetResults { set: any_set(), rows: 100, fold_count: 10, folds };
        assert_eq!(set.folds.len(), 100);
        let found = set.against(ACCURACY).unwrap();
        let said = [&found.paired, &found.corrected].map(|t| t.as_ref().map(|t| (t.statistic, t.p_value)));
        let want = [[1, 2], [3, 4]].map(|[t, p]| cells[t].parse().ok().zip(cells[p].parse().ok()));
        for (said, want) in said.iter().zip::<[Option<(f64, f64)>; 2]>(want) {
            match (said, want) {
                (Some((t, p)), Some((want_t, want_p))) => {
                    assert!((t - want_t).abs() <= 1e-10 * want_t.abs(), "{}: {t} for {want_t}", cells[0]);
                    assert!((p - want_p).abs() <= 1e-10 * want_p, "{}: {p} for {want_p}", cells[0]);
                }
                (None, None) => assert_eq!(found.same_choice, 1.0),
                other => panic!("{}: {other:?}", cells[0]),
            }
        }
        met.push(LETTERS[verdict(found.paired.as_ref())]);
    }
    assert_eq!(met, ["SSW", "sns", "SSL", "sns"]);
}

#[test]
fn the_papers_table_3_adds_up() {
    let sets = Settings::bundled().unwrap().sets;
    for (k, printed) in AVERAGE.into_iter().enumerate() {
        let mean = sets.iter().map(|s| s.printed[k]).sum::<f64>() / 5.0;
        assert_eq!(format!("{mean:.4}"), format!("{printed:.4}"));
    }
    assert_eq!(format!("{:.4}", AVERAGE[OARP]), "0.8542", "as the words of the claims have it");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever the test rows hold, training rows, candidates and choices stay as they are.
    #[test]
    fn test_rows_change_nothing_learned(
        cells in proptest::collection::vec((0..50u32, 0..3u32, 0..9u32), 24),
        changed in proptest::collection::vec((0..5000u32, 0..6u32, 0..4u32, any::<bool>()), 24),
        uniform in any::<bool>(),
        one_hot in any::<bool>(),
    ) {
        let ill = |i: usize| i.is_multiple_of(3);
        let class = |ill: bool| if ill { "ill" } else { "well" };
        let line = |a: u32, b: u32, gap: bool, ill: bool| {
            let a = if gap { "?".to_owned() } else { a.to_string() };
            format!("{a},s{b},{}\n", class(ill))
        };
        let original: Vec<String> =
            cells.iter().enumerate().map(|(i, &(a, b, gap))| line(a, b, gap == 0, ill(i))).collect();
        let head = "a,b,class\n";
        let mut settings = small();
        settings.runs = 1;
        let mut changes = vec![Change::TrainingRows];
        changes.extend(uniform.then_some(Change::UniformPrototypes));
        changes.extend(one_hot.then_some(Change::OneHot));
        let reading = reading(&changes);
        // Folds are drawn once: whether they change with the classes of test rows is no matter of leaking.
        let before = sample(&format!("{head}{}", original.concat()), &["b"]);
        for (number, split) in folds(&settings, &before, &reading).unwrap().iter().enumerate() {
            let mut lines = original.clone();
            for row in split.test.iter() {
                let (a, b, gap, ill) = changed[row];
                lines[row] = line(a, b, gap == 0, ill);
            }
            let after = sample(&format!("{head}{}", lines.concat()), &["b"]);
            let prepared = [&before, &after].map(|s| prepare(s, split, &reading).unwrap());
            prop_assert_eq!(&prepared[0].train, &prepared[1].train);
            let [was, is] = prepared.map(|p| judge(&settings, &reading, "t", number, &p).unwrap());
            prop_assert_eq!((was.chosen, was.tied, was.distinct), (is.chosen, is.tied, is.distinct));
        }
    }
}

/// The whole study, so that results/oarp never tells an old story.
#[test]
fn the_committed_summary_is_what_the_study_writes() {
    let (library, out) = (Library::default(), tempfile::TempDir::new().unwrap());
    let options = crate::studies::Options::new(&library, out.path());
    let found = crate::studies::reproduce(
        crate::studies::find("oarp").unwrap(),
        &options,
        &Cancel::default(),
        &mut (),
    )
    .unwrap();
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/oarp");
    let mut files = 0;
    for entry in std::fs::read_dir(&committed).unwrap() {
        let name = entry.unwrap().file_name();
        let text = |folder: &std::path::Path| std::fs::read_to_string(folder.join(&name)).unwrap();
        assert_eq!(text(&committed), text(&found.folder), "{}: run scripts/summaries.sh", name.display());
        files += 1;
    }
    assert!(files >= 8, "{files} files in results/oarp");
}
