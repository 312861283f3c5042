//! Tables whose rows know when they were seen: order, splits, and what is told where nothing is known.

use proptest::prelude::*;
use tailrank_data::{
    ByFraction, Dataset, Date, DateTime, Growing, Leak, LeakCheck, Loaded, Missing, RowDates, Scheme,
    Sliding, Split, Table, TableOptions, Warning, read_table_bytes,
};

use crate::drawn::{Drawn, by_date, kfold};

fn read(csv: &str, options: &TableOptions) -> Loaded<Table> {
    read_table_bytes("t.csv", csv.as_bytes(), options).unwrap()
}

fn options() -> TableOptions {
    TableOptions::new("y")
}

fn refused(csv: &str, options: &TableOptions) -> String {
    read_table_bytes("t.csv", csv.as_bytes(), options).unwrap_err().to_string()
}

const NEWEST_FIRST: &str = "date,x,y\n2008-07-11,3,30\n2008-07-10,2,20\n2008-07-09,1,10\n";

#[test]
fn whole_numbers_with_a_point_are_years_and_months() {
    use tailrank_data::{Date, DateFormat};
    assert_eq!(DateFormat::Year.parse("1700.0"), Some(Date::constant(1700, 1, 1)));
    assert_eq!(DateFormat::CompactMonth.parse("200807.0"), Some(Date::constant(2008, 7, 1)));
    assert_eq!(DateFormat::Year.parse("1700.5"), None);
}

#[test]
fn rows_are_put_in_order_of_time() {
    for date in [RowDates::Known, RowDates::Column("date".into())] {
        let loaded = read(NEWEST_FIRST, &TableOptions { date, ..options() });
        let table = loaded.value;
        assert_eq!(table.targets(), [10.0, 20.0, 30.0]);
        assert_eq!(table.column_names(), ["x"]);
        assert_eq!(table.times().unwrap()[0], Date::constant(2008, 7, 9).at(0, 0, 0, 0));
        assert_eq!((0..3).map(|row| table.file_row(row)).collect::<Vec<_>>(), [3, 2, 1]);
        let sorted = Warning::Sorted { file: "t.csv".into(), row: 2, date: Date::constant(2008, 7, 10) };
        assert_eq!(loaded.warnings, [sorted]);
    }
    // Also where the column was only to be left out of the inputs.
    let ignored = read(NEWEST_FIRST, &TableOptions { ignore: vec!["date".into()], ..options() }).value;
    assert_eq!(ignored.targets(), [10.0, 20.0, 30.0]);
    // And under any name, if it is the only column of dates.
    let named = read(&NEWEST_FIRST.replace("date", "sold"), &options()).value;
    assert_eq!((named.targets(), named.column_names()), (&[10.0, 20.0, 30.0][..], vec!["x"]));
    let untold = TableOptions { date: RowDates::Ignored, ignore: vec!["date".into()], ..options() };
    let table = read(NEWEST_FIRST, &untold).value;
    assert_eq!((table.targets(), table.times()), (&[30.0, 20.0, 10.0][..], None));
}

#[test]
fn a_name_alone_makes_no_date() {
    let durations = read("time,x,y\n5,1,1\n3,2,2\n4,3,3\n", &options()).value;
    assert_eq!((durations.times(), durations.column_names()), (None, vec!["time", "x"]));
    let days = read("day,month,y\n5,7,1\n3,8,2\n", &options()).value;
    assert_eq!((days.times(), days.column_names()), (None, vec!["day", "month"]));
    // Left out, it stays out; with a gap it is not the time of every row; in any other order it keeps its
    // place.
    let ignored =
        read("time,x,y\n5,1,1\n3,2,2\n", &TableOptions { ignore: vec!["time".into()], ..options() }).value;
    assert_eq!((ignored.times(), ignored.column_names()), (None, vec!["x"]));
    let gap = read("x,date,y\n1,20080711,1\n2,,2\n3,20080710,3\n", &options()).value;
    assert_eq!((gap.times(), gap.column_names(), gap.missing()), (None, vec!["x", "date"], 1));
    let chosen =
        read("time,x,y\n5,1,1\n3,2,2\n", &TableOptions { inputs: vec!["x".into()], ..options() }).value;
    assert_eq!((chosen.times(), chosen.column_names()), (None, vec!["x"]));
    // Eight digits are a date from 1800 to 2199, and a number otherwise.
    for (digits, date) in [("17991231", false), ("18000101", true), ("21991231", true), ("22000101", false)] {
        let table = read(&format!("x,date,y\n1,{digits},1\n2,{digits},2\n"), &options()).value;
        assert_eq!(table.times().is_some(), date, "{digits}");
    }
    let compact = read("x,date,y\n1,20080711,1\n2,20080710,2\n", &options()).value;
    assert_eq!((compact.targets(), compact.column_names()), (&[2.0, 1.0][..], vec!["x"]));
}

#[test]
fn doubt_about_dates_is_told() {
    assert_eq!(
        refused("born,seen,x,y\n1970-01-01,2008-07-10,1,2\n1971-01-01,2008-07-11,1,2\n", &options()),
        "t.csv: several columns hold dates (\"born\", \"seen\"); name the one that tells when a row was seen in `date`, \
         and list the others under `ignore`"
    );
    let named = TableOptions { date: RowDates::Column("when".into()), ..options() };
    assert_eq!(
        refused("when,x,y\n2008-07-10,1,2\nlater,1,2\n", &named),
        "t.csv: row 2, column \"when\": \"later\" is not a date, or not written like the dates above it; write dates as \
         2008-07-11, or give the setting `date_format` (option --date-format)"
    );
    assert_eq!(
        refused("when,x,y\n2008-07-10,1,2\n,1,2\n", &named),
        "t.csv: row 2, column \"when\": \"\" is not a date; fill it in, or set missing = \"drop\" to leave such rows out"
    );
    let dropped = read("when,x,y\n2008-07-10,1,2\n,1,2\n", &TableOptions { missing: Missing::Drop, ..named });
    assert_eq!((dropped.value.rows(), dropped.warnings.len()), (1, 1));
    let target = TableOptions { date: RowDates::Column("y".into()), ..options() };
    assert_eq!(refused(NEWEST_FIRST, &target), "date = y is not allowed: a column other than the target");
}

#[test]
fn rows_without_a_target_are_refused_or_dropped_and_counted() {
    let csv = "x,y\n1,2\n3,\n5,NA\n7,8\n";
    assert_eq!(
        refused(csv, &options()),
        "t.csv: row 2, column \"y\": \"\" is not a target value; a row without a target can neither teach nor test; drop \
         it, or set missing = \"drop\""
    );
    let drop = TableOptions { missing: Missing::Drop, ..options() };
    let loaded = read(csv, &drop);
    assert_eq!(loaded.value.targets(), [2.0, 8.0]);
    assert_eq!(loaded.value.file_row(1), 4);
    let told = Warning::MissingDropped { file: "t.csv".into(), column: "y".into(), rows: 2, first: 2 };
    assert_eq!(loaded.warnings, [told]);
    assert_eq!(
        refused("x,y\n1,\n2,\n", &drop),
        "t.csv: no row has a value in \"y\"; name another column as `target`"
    );
}

#[test]
fn an_index_column_is_left_out_with_a_word() {
    for csv in [
        ",x,y\n0,5,1\n1,6,2\n2,7,3\n",
        "Unnamed: 0,x,y\n7,5,1\n3,6,2\n9,7,3\n",
        "rownames,x,y\na,5,1\nb,6,2\nc,7,3\n",
    ] {
        let loaded = read(csv, &options());
        assert_eq!(loaded.value.column_names(), ["x"], "{csv}");
        assert!(matches!(&loaded.warnings[..], [Warning::LeftOut { .. }]), "{csv}");
    }
    let loaded = read(",x,y\n0,5,1\n1,6,2\n", &options());
    assert_eq!(
        loaded.warnings[0].to_string(),
        "t.csv: column \"\" only numbers or names the rows; it was left out"
    );
    // Measurements without a name, and dates, are more than that.
    assert_eq!(read("Unnamed: 0,x,y\n0.5,5,1\n1.5,6,2\n", &options()).value.column_names().len(), 2);
    let dated = read(",x,y\n2008-07-11,5,1\n2008-07-10,6,2\n", &options());
    assert_eq!(dated.value.targets(), [2.0, 1.0]);
    let only = read("Unnamed: 0,y\n0,5\n1,6\n", &options());
    assert_eq!(only.value.column_names(), ["Unnamed: 0"]);
}

#[test]
fn decimal_commas_reach_tables_too() {
    let loaded = read("größe;farbe;y\n1,5;rot;2,5\n;blau;3,5\n", &options());
    assert_eq!(loaded.value.targets(), [2.5, 3.5]);
    assert_eq!(loaded.value.missing(), 1);
    assert_eq!(loaded.warnings.len(), 1);
    let message = refused("a;y\n1,5;2,5\nx;3,5\n2,5;4\n", &options());
    assert!(message.contains("row 2, column \"a\": \"x\" is not a finite number, though most"), "{message}");
}

#[test]
fn what_the_leak_check_can_and_cannot_say() {
    let dated = Dataset::from(read(NEWEST_FIRST, &options()).value);
    let undated = Dataset::from(read("x,y\n1,1\n2,2\n3,3\n4,4\n", &options()).value);
    let split = |data: &Dataset, plan: &dyn Scheme| plan.splits(&data.timeline(), Leak::Purged).unwrap();
    let state = |data: &Dataset, plan: &dyn Scheme| LeakCheck::of(&split(data, plan), &data.timeline());
    let fraction = || ByFraction { train: 0.5, validation: None };
    assert_eq!(state(&dated, &fraction()), LeakCheck::Passed);
    assert_eq!(state(&dated, &by_date(Date::constant(2008, 7, 10))), LeakCheck::Passed);
    assert_eq!(state(&dated, &kfold(2, 1, true)), LeakCheck::LaterRowsTrain);
    assert_eq!(state(&undated, &fraction()), LeakCheck::NotChecked);
    assert_eq!(LeakCheck::NotChecked.to_string(), "not checked: rows have no time");
    assert!(dated.leak_report(&split(&dated, &fraction())).warnings.is_empty());
    // Without rows on one side none is later.
    for (train, new) in [(0..0, 0..2), (1..3, 0..0)] {
        let one = [Split::known_and_new(train, new)];
        assert_eq!(LeakCheck::of(&one, &dated.timeline()), LeakCheck::Passed);
    }
    let told = dated.leak_report(&split(&dated, &kfold(2, 1, true))).warnings;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("rows that train are later than rows that test: "), "{}", told[0]);
}

#[test]
fn rows_that_come_twice_are_told_where_they_are_tested() {
    let csv = "c,x,y\na,1,1\nb,1,1\na,1,1\na,?,1\na,2,1\na,1,2\n";
    let table = Dataset::from(read(csv, &options()).value);
    let splits =
        |train: f64| ByFraction { train, validation: None }.splits(&table.timeline(), Leak::Purged).unwrap();
    let told = table.leak_report(&splits(0.4)).warnings;
    let third_is_first = "t.csv: row 3, which tests, repeats row 1, which trains, in every input and the target; its error says little of new \
         rows";
    assert_eq!(told, [third_is_first]);
    // A gap is like no level, and like no number, of which the first has code 0.
    let gap = Dataset::from(read("c,x,y\na,1,1\n?,1,1\na,1,1\n?,1,1\na,?,1\n", &options()).value);
    let half = ByFraction { train: 0.2, validation: None }.splits(&gap.timeline(), Leak::Purged).unwrap();
    assert_eq!(gap.leak_report(&half).warnings, [third_is_first]);
    // Both in training, or all different: nothing to tell.
    assert!(table.leak_report(&splits(0.5)).warnings.is_empty());
    let different = Dataset::from(read("x,y\n1,1\n2,1\n3,1\n", &options()).value);
    let splits =
        ByFraction { train: 0.5, validation: None }.splits(&different.timeline(), Leak::Purged).unwrap();
    assert!(different.leak_report(&splits).warnings.is_empty());
}

/// Rows of a table in any order of time, several a day.
fn shuffled() -> impl Strategy<Value = (Vec<(u16, u8)>, bool)> {
    (prop::collection::vec((0u16..200, 0u8..24), 12..60), any::<bool>())
}

fn table_of(rows: &[(u16, u8)], hours: bool) -> Dataset {
    let mut csv = String::from("when,x,y\n");
    for (i, (day, hour)) in rows.iter().enumerate() {
        let date = Date::constant(2008, 1, 1).checked_add(jiff::Span::new().days(i32::from(*day))).unwrap();
        let time = if hours { format!(" {hour:02}:00") } else { String::new() };
        csv += &format!("{date}{time},{i},{}\n", i * 7 % 13);
    }
    let options = TableOptions { date: RowDates::Column("when".into()), ..options() };
    Dataset::from(read(&csv, &options).value)
}

fn never_later(data: &Dataset, splits: &[Split]) {
    let Dataset::Table(table) = data else { panic!("a table") };
    let times = table.times().unwrap();
    for split in splits {
        let newest = |rows: &tailrank_data::Rows| rows.iter().map(|r| times[r]).max();
        let oldest = |rows: &tailrank_data::Rows| rows.iter().map(|r| times[r]).min();
        let before =
            |a: Option<DateTime>, b: Option<DateTime>| assert!(a <= b, "{}: {a:?} {b:?}", split.description);
        before(newest(&split.train), oldest(&split.test));
        if let Some(validation) = &split.validation {
            before(newest(&split.train), oldest(validation));
            before(newest(validation), oldest(&split.test));
        }
    }
    assert_eq!(LeakCheck::of(splits, &data.timeline()), LeakCheck::Passed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_training_row_is_later_than_a_test_row(
        (rows, hours) in shuffled(), train in 0.2f64..0.6, validation in 0.1f64..0.3, step in 1usize..20, slide in any::<bool>(),
    ) {
        let data = table_of(&rows, hours);
        prop_assert_eq!(data.rows(), rows.len());
        let window: Box<dyn Scheme> =
            if slide { Box::new(Sliding { window: 5, step }) } else { Box::new(Growing { window: 5, step }) };
        let middle = data.timeline().origin_dates().unwrap()[rows.len() / 2];
        let plans: [(bool, Box<dyn Scheme>); 4] = [
            (false, Box::new(ByFraction { train, validation: None })),
            (true, Box::new(ByFraction { train, validation: Some(validation) })),
            (slide, window),
            (true, Box::new(by_date(middle))),
        ];
        for (may_be_refused, plan) in plans {
            // A date may cut all rows off on one side, rows of one date leave none to validate on, and a
            // sliding window that ends within a date is too short before it.
            match plan.splits(&data.timeline(), Leak::Purged) {
                Ok(splits) => never_later(&data, &splits),
                Err(e) => {
                    let said = e.to_string();
                    let expected = said.contains("no row is left") || said.contains("window = 5 is not allowed");
                    prop_assert!(may_be_refused && expected, "{said}");
                }
            }
        }
    }

    /// The order of the file does not matter: the same rows train.
    #[test]
    fn the_order_of_the_file_changes_nothing((rows, _) in shuffled(), seed in any::<u64>()) {
        let days: Vec<(u16, u8)> = (0..rows.len()).map(|i| (u16::try_from(i).unwrap(), 0)).collect();
        let mut mixed: Vec<usize> = (0..days.len()).collect();
        mixed.sort_by_key(|i| (*i as u64).wrapping_mul(seed | 1) >> 7);
        let csv = |order: &[usize]| {
            let row = |i: &usize| format!("{},{i},{}\n", Date::constant(2008, 1, 1).checked_add(jiff::Span::new().days(*i as i32)).unwrap(), i * i);
            format!("date,x,y\n{}", order.iter().map(row).collect::<String>())
        };
        let straight: Vec<usize> = (0..days.len()).collect();
        let (a, b) = (read(&csv(&straight), &options()).value, read(&csv(&mixed), &options()).value);
        prop_assert_eq!(a.content_hash(), b.content_hash());
        prop_assert_eq!(a.targets(), b.targets());
        prop_assert_eq!(a.times(), b.times());
    }
}
