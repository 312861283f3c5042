//! The bundled files are what they say: sessions, returns, rows, events.

use std::path::PathBuf;

use tailrank_data::{
    BundledContent, Dataset, Date, Embedding, Kind, Leak, Library, PriceSeries, SeriesOptions, SplitPlan,
    bundled, read_wide, returns,
};

const STOCKS: [&str; 4] = ["IBM", "KO", "BA", "GM"];

fn stock(name: &str) -> PriceSeries {
    let loaded = Library::default().series(name, &SeriesOptions::default()).unwrap();
    assert!(loaded.warnings.is_empty(), "{name}: {:?}", loaded.warnings);
    loaded.value
}

#[test]
fn the_index_is_sorted_and_true() {
    let names: Vec<&str> = bundled().iter().map(|b| b.name).collect();
    assert!(names.is_sorted());
    for set in bundled() {
        let rows = match set.content {
            BundledContent::Series => stock(set.name).len(),
            _ => Library::default().table(set.name, None).unwrap().rows(),
        };
        assert_eq!(rows, set.rows, "{}", set.name);
        assert!(!set.origin.is_empty() && !set.licence.is_empty() && !set.about.is_empty());
    }
}

#[test]
fn three_stocks_cover_the_papers_window_and_boeing_its_later_half() {
    for name in ["IBM", "KO", "GM"] {
        let series = stock(name);
        assert_eq!(series.len(), 9725, "{name}");
        assert_eq!(series.dates()[0], Date::constant(1970, 1, 2));
        assert_eq!(series.dates()[9724], Date::constant(2008, 7, 11));
        assert_eq!(series.dates(), stock("IBM").dates());
    }
    let boeing = stock("BA");
    assert_eq!(boeing.dates()[0], Date::constant(1987, 3, 16));
    assert_eq!(boeing.dates().last(), Some(&Date::constant(2008, 7, 11)));
    let ibm = stock("IBM").between(Date::constant(1987, 3, 16), Date::constant(2008, 7, 11));
    assert_eq!(boeing.dates(), ibm.dates());
}

/// Rows and events (|R| ≥ 2 %, where PR09's relevance reaches 0.5) of the 12 tasks; `--nocapture` shows the table.
///
/// The counts stand here so that a change of data or of code that moves them is seen.
#[test]
fn rows_and_events_of_the_twelve_tasks() {
    // Stock, horizon, training rows and events, test rows and events.
    const TASKS: [(&str, usize, usize, usize, usize, usize); 12] = [
        ("IBM", 1, 5030, 636, 4670, 941),
        ("IBM", 3, 5026, 1766, 4668, 1940),
        ("IBM", 5, 5022, 2327, 4666, 2507),
        ("KO", 1, 5030, 740, 4670, 690),
        ("KO", 3, 5026, 1984, 4668, 1652),
        ("KO", 5, 5022, 2600, 4666, 2140),
        ("BA", 1, 2708, 478, 2646, 655),
        ("BA", 3, 2704, 1164, 2644, 1292),
        ("BA", 5, 2700, 1426, 2642, 1558),
        ("GM", 1, 5030, 746, 4670, 1352),
        ("GM", 3, 5026, 1975, 4668, 2470),
        ("GM", 5, 5022, 2548, 4666, 2932),
    ];
    println!("stock  h  train  events  purged   test  events   share");
    for (name, horizon, train_rows, train_events, test_rows, test_events) in TASKS {
        let series = stock(name);
        // Boeing's bundled years begin in 1987: its own cut leaves ten years to learn from.
        let first_test = if name == "BA" { Date::constant(1998, 1, 1) } else { Date::constant(1990, 1, 1) };
        let task = Dataset::from(Embedding::new(&series, horizon, 24).unwrap());
        assert_eq!(task.rows(), series.len() - 2 * horizon - 23);
        let split = SplitPlan::Date { first_test }.splits(&task.timeline(), Leak::Purged).unwrap().remove(0);
        assert_eq!(split.purged, horizon - 1);
        assert_eq!(split.train.len() + split.purged + split.test.len(), task.rows());
        let prepared = task.prepare(&split).unwrap();
        let events = |targets: &[f64]| targets.iter().filter(|r| r.abs() >= 0.02).count();
        let (train, test) = (events(&prepared.train.targets), events(&prepared.test.targets));
        println!(
            "{name:5} {horizon:>2} {:>6} {train:>7} {:>7} {:>6} {test:>7} {:>6.1}%",
            split.train.len(),
            split.purged,
            split.test.len(),
            100.0 * test as f64 / split.test.len() as f64
        );
        let found = (split.train.len(), train, split.test.len(), test);
        assert_eq!(found, (train_rows, train_events, test_rows, test_events), "{name}, h = {horizon}");
    }
}

#[test]
fn tables_have_the_shape_of_their_sources() {
    let table = |name: &str| Library::default().table(name, None).unwrap();
    for (name, rows, columns, missing, classes) in [
        ("breast_wisconsin", 699, 9, 16, Some(["benign", "malignant"])),
        ("pima", 768, 8, 0, Some(["neg", "pos"])),
        ("heart_statlog", 270, 13, 0, Some(["absent", "present"])),
        ("hepatitis", 155, 19, 167, Some(["die", "live"])),
        ("bupa", 345, 6, 0, Some(["1", "2"])),
        ("abalone", 4177, 8, 0, None),
        ("compactiv", 8192, 21, 0, None),
        ("boston", 506, 13, 0, None),
    ] {
        let table = table(name);
        assert_eq!(
            (table.rows(), table.column_names().len(), table.missing()),
            (rows, columns, missing),
            "{name}"
        );
        match (table.kind(), classes) {
            (Kind::Classification { classes: found }, Some(expected)) => {
                assert_eq!(found, &expected, "{name}");
            }
            (Kind::Regression, None) => {}
            (kind, _) => panic!("{name} is {kind:?}"),
        }
    }
    // Class counts as UCI documents them.
    let count = |name: &str, class: f64| table(name).targets().iter().filter(|t| **t == class).count();
    assert_eq!(count("breast_wisconsin", 1.0), 241);
    assert_eq!(count("pima", 1.0), 268);
    assert_eq!(count("heart_statlog", 1.0), 120);
    assert_eq!(count("hepatitis", 0.0), 32);
    assert_eq!(count("bupa", 0.0), 145);
    // Abalone's sex is a category of three.
    let abalone = Dataset::from(table("abalone"));
    let split =
        SplitPlan::Fraction { train: 0.7 }.splits(&abalone.timeline(), Leak::Purged).unwrap().remove(0);
    assert_eq!(abalone.prepare(&split).unwrap().input_names[..3], ["sex=F", "sex=I", "sex=M"]);
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let dot = |x: &[f64], mx: f64, y: &[f64], my: f64| {
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
    };
    dot(a, ma, b, mb) / (dot(a, ma, a, ma) * dot(b, mb, b, mb)).sqrt()
}

/// Compares with quotes that are not part of this repository, if someone has them: TAILRANK_CHECK_DATA names a folder
/// with `quotes/quotes_1970_2008.csv` (date, IBM, KO, BA, GM).
#[test]
fn returns_agree_with_other_quotes() {
    let Some(folder) = std::env::var_os("TAILRANK_CHECK_DATA") else {
        println!("skipped: TAILRANK_CHECK_DATA is not set");
        return;
    };
    let path = PathBuf::from(folder).join("quotes/quotes_1970_2008.csv");
    let quotes = read_wide(&path, &STOCKS, &SeriesOptions::default()).unwrap().value;
    for theirs in quotes {
        let ours = stock(theirs.name());
        let theirs = theirs.between(ours.dates()[0], Date::constant(2008, 7, 11));
        assert_eq!(ours.dates(), theirs.dates(), "{}: sessions differ", ours.name());
        let agreement = correlation(&returns(ours.prices(), 1), &returns(theirs.prices(), 1));
        println!("{}: {} sessions, correlation of daily returns {agreement:.5}", ours.name(), ours.len());
        assert!(agreement >= 0.99, "{}: {agreement}", ours.name());
    }
}

#[test]
fn a_folder_of_ones_own_goes_first_and_names_are_not_paths() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("BA.csv"), "Date,Close\n1970-01-02,1\n1970-01-05,2\n").unwrap();
    std::fs::write(folder.path().join("secret.csv"), "Date,Close\n1970-01-02,1\n").unwrap();
    let library = Library::with_folder(folder.path());
    assert_eq!(library.series("BA", &SeriesOptions::default()).unwrap().value.len(), 2);
    assert_eq!(library.series("KO", &SeriesOptions::default()).unwrap().value.len(), 9725);
    let inner = Library::with_folder(folder.path().join("inner"));
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    for name in ["../secret", "..", "", "/etc/passwd", "..\\secret", "a\0b"] {
        let message = inner.series(name, &SeriesOptions::default()).unwrap_err().to_string();
        assert!(message.starts_with("no bundled data set"), "{message}");
    }
}
