//! The bundled files are what they say: sessions, returns, rows, events.

use tailrank_data::{
    BundledContent, ByFraction, Dataset, Date, Kind, Leak, Library, OpenFile, PriceSeries, SeriesOptions,
    bundled, returns,
};

use crate::drawn::Drawn;

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
            _ => Library::default().table(set.name, None).unwrap().value.rows(),
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
    let ibm = stock("IBM");
    let first = ibm.dates().partition_point(|d| *d < Date::constant(1987, 3, 16));
    assert_eq!(boeing.dates(), &ibm.dates()[first..]);
}

#[test]
fn tables_have_the_shape_of_their_sources() {
    let table = |name: &str| Library::default().table(name, None).unwrap().value;
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
    let split = ByFraction { train: 0.7, validation: None }
        .splits(&abalone.timeline(), Leak::Purged)
        .unwrap()
        .remove(0);
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

/// Compares with quotes that are not part of this repository (date, IBM, KO, BA, GM), if someone has them.
#[test]
fn returns_agree_with_other_quotes() {
    let Some(path) = crate::skipped::check_data("quotes/quotes_1970_2008.csv") else { return };
    let quotes = OpenFile::once(&path, None)
        .and_then(|file| file.wide(&STOCKS, &SeriesOptions::default()))
        .unwrap()
        .value;
    for theirs in quotes {
        let ours = stock(theirs.name());
        let from = theirs.dates().partition_point(|d| *d < ours.dates()[0]);
        let to = theirs.dates().partition_point(|d| *d <= Date::constant(2008, 7, 11));
        assert_eq!(ours.dates(), &theirs.dates()[from..to], "{}: sessions differ", ours.name());
        let agreement = correlation(&returns(ours.prices(), 1), &returns(&theirs.prices()[from..to], 1));
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
        assert!(message.starts_with("no data set"), "{message}");
    }
}

#[test]
fn a_typo_finds_ones_own_files_too_and_a_table_without_a_target_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("harbour.csv"), "Date,Close\n1970-01-02,1\n").unwrap();
    let library = Library::with_folder(folder.path());
    let message = library.series("harbor", &SeriesOptions::default()).unwrap_err().to_string();
    assert!(message.starts_with("no data set \"harbor\"; did you mean \"harbour\"?"), "{message}");
    let message = library.table("harbour", None).unwrap_err().to_string();
    assert!(message.contains("{ name = \"harbour\", file = \"harbour.csv\", target = "), "{message}");
    let small = Library::with_folder(folder.path()).with_max_bytes(10);
    let options = tailrank_data::TableOptions::new("Close");
    let message = small.table("harbour", Some(&options)).unwrap_err().to_string();
    assert!(message.contains("is larger than 10 bytes"), "{message}");
}

/// Whoever takes the crate gets the terms with it.
#[test]
fn every_file_states_its_terms() {
    let terms = include_str!("../../data/LICENSES.md");
    for set in bundled() {
        let line = terms.lines().find(|l| l.contains(&format!("`{}`", set.file)));
        let line = line.unwrap_or_else(|| panic!("{} is not in LICENSES.md", set.file));
        // The licence's own name, as `list data` shows it.
        let name = set.licence.split(" (").next().unwrap();
        assert!(line.contains(name), "{}: '{name}' in {line}", set.file);
    }
}
