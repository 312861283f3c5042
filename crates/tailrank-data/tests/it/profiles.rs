//! What a file's columns are taken for.

use tailrank_data::{ColumnKind, DateFormat, NumberFormat, OpenFile, Order, Profile, Suspicion};

fn of(csv: &str) -> Profile {
    OpenFile::of_bytes("t.csv", csv.as_bytes(), 1 << 20)
        .and_then(|file| file.profile(Default::default(), &Default::default()))
        .unwrap()
        .value
}

fn column(name: &str, cells: &[&str]) -> tailrank_data::ColumnProfile {
    of(&format!("{name}\n{}\n", cells.join("\n"))).columns.remove(0)
}

#[test]
fn numbers_are_measured() {
    let size = column("size", &["1", "2", "4", "9", "NA"]);
    assert_eq!((size.missing, size.distinct, size.order), (1, 4, Order::Rising));
    let ColumnKind::Number { whole, min, max, skewness, discrete } = size.kind else { panic!("numbers") };
    assert_eq!((whole, min, max, discrete), (true, 1.0, 9.0, false));
    // About the mean 4: m₂ = (9 + 4 + 0 + 25)/4, m₃ = (−27 − 8 + 0 + 125)/4.
    assert!((skewness - 22.5 / 9.5f64.powf(1.5)).abs() < 1e-14, "{skewness}");
    assert_eq!(size.examples, ["1", "2", "4"]);
    assert_eq!(size.suspicion, None);
    let grade = column("grade", &["1", "2", "1", "3", "2", "1"]);
    assert!(matches!(grade.kind, ColumnKind::Number { discrete: true, whole: true, .. }));
    assert_eq!((grade.order, grade.distinct), (Order::None, 3));
}

#[test]
fn what_is_no_input_is_suspected() {
    let suspicion = |name: &str, cells: &[&str]| column(name, cells).suspicion;
    assert_eq!(suspicion("n", &["1", "2", "3"]), Some(Suspicion::RowNumber));
    assert_eq!(suspicion("n", &["0", "1", "2"]), Some(Suspicion::RowNumber));
    assert_eq!(suspicion("n", &["1", "2", "4"]), None);
    assert_eq!(suspicion("n", &["3", "2", "1"]), None);
    assert_eq!(suspicion("patient_id", &["17", "4", "99"]), Some(Suspicion::Identifier));
    assert_eq!(suspicion("width", &["17", "4", "99"]), None);
    assert_eq!(suspicion("c", &["5", "5", "5"]), Some(Suspicion::Constant));
    assert_eq!(suspicion("e", &["NA", "?", "."]), Some(Suspicion::Empty));
    let names: Vec<String> = (0..30).map(|i| format!("name {i}")).collect();
    assert_eq!(
        suspicion("who", &names.iter().map(String::as_str).collect::<Vec<_>>()),
        Some(Suspicion::Identifier)
    );
    assert_eq!(suspicion("colour", &["red", "blue", "red"]), None);
}

#[test]
fn dates_are_recognised_with_their_form_and_order() {
    let of = |cells: &[&str]| {
        let column = column("when", cells);
        match column.kind {
            ColumnKind::Date { format, ambiguous } => Some((format, ambiguous, column.order)),
            _ => None,
        }
    };
    assert_eq!(of(&["2008-07-10", "2008-07-11"]), Some((DateFormat::YearFirst, false, Order::Rising)));
    assert_eq!(of(&["13.07.2008", "11.07.2008"]), Some((DateFormat::DayFirst, false, Order::Falling)));
    // Either would do: the one in which rows are in order is taken, and the doubt is told.
    assert_eq!(
        of(&["01/02/2008", "01/03/2008", "02/01/2008"]),
        Some((DateFormat::MonthFirst, true, Order::Rising))
    );
    assert_eq!(of(&["Jan 2008", "Feb 2008"]), Some((DateFormat::Month, false, Order::Rising)));
    assert_eq!(of(&["10000000", "20000000"]), None);
    assert_eq!(of(&["2007", "2008"]), None);
    let eight = column("date", &["20080711", "20080710"]);
    assert!(eight.is_date() && eight.order == Order::Falling);
}

#[test]
fn a_profile_names_the_date_and_what_could_be_predicted() {
    let csv = "rownames,Ozone,Wind,Month,Day,Place,Date\n1,41,7.4,5,1,a,1973-05-01\n2,,8,5,2,b,1973-05-02\n3,12,12.6,5,3,a,1973-05-03\n";
    let profile = of(csv);
    assert_eq!(profile.rows, 3);
    assert_eq!(profile.date().map(|c| c.name.as_str()), Some("Date"));
    let targets: Vec<&str> = profile.targets().map(|c| c.name.as_str()).collect();
    assert_eq!(targets, ["Ozone", "Wind"]); // Day counts the rows, Month is constant
    assert_eq!(profile.column("Ozone").unwrap().missing, 1);
    assert!(profile.column("ozone").is_none());
    let german = OpenFile::of_bytes("t.csv", b"a;b\n1,5;x\n2,5;y\n\n\n", None)
        .and_then(|file| file.profile(Default::default(), &Default::default()))
        .unwrap();
    assert_eq!((german.value.rows, german.warnings.len()), (2, 1));
    assert!(german.value.columns[0].is_number());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, csv).unwrap();
    assert_eq!(
        profile.columns,
        OpenFile::once(&path, None)
            .and_then(|file| file.profile(NumberFormat::Auto, &DateFormat::Auto))
            .unwrap()
            .value
            .columns
    );
}

#[test]
fn numbers_with_the_sign_of_one_unit_are_numbers() {
    for cells in [&["3.0%", "4 %", "NA"], &["€0.12", "-€1.5", "€7"], &["5 $", "−$6", "$1.5"]] {
        assert!(column("rate", cells).is_number(), "{cells:?}");
    }
    let words: [&[&str]; 4] =
        [&["3.0%", "low", "4%"], &["red", "blue", "%"], &["$A", "$B", "$C"], &["5 $", "6 €", "£1.5"]];
    for cells in words {
        assert!(!column("rate", cells).is_number(), "{cells:?}");
    }
}
