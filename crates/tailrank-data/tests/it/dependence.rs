//! Tables whose rows hang together: panels, groups, labels that reach ahead.

use tailrank_data::{
    Bootstrap, ByFraction, Dataset, Growing, LabelSpan, Leak, LeakLine, RowDates, Rows, Scheme, Sliding,
    Split, TableOptions, read_table_bytes,
};

use crate::drawn::{Drawn, kfold};

/// Numbers in [0, 1) (SplitMix64).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Symbols on each of some dates; every seventh date lacks the last symbol.
fn panel(symbols: usize, dates: usize) -> String {
    let mut random = Random(1);
    let mut text = String::from("day,symbol,x,y\n");
    for date in 0..dates {
        let day = jiff::civil::date(2019, 1, 1) + jiff::Span::new().days(date as i64);
        for symbol in 0..symbols {
            if date % 7 != 3 || symbol + 1 < symbols {
                text.push_str(&format!("{day},S{symbol},{},{}\n", random.unit(), random.unit()));
            }
        }
    }
    text
}

fn read(text: &str, change: impl FnOnce(&mut TableOptions)) -> Dataset {
    let mut options = TableOptions::new("y");
    change(&mut options);
    read_table_bytes("t.csv", text.as_bytes(), &options).unwrap().value.into()
}

fn drawn(data: &Dataset, plan: &dyn Scheme) -> Vec<Split> {
    plan.splits(&data.timeline(), Leak::Purged).unwrap()
}

fn line(data: &Dataset, splits: &[Split], item: &str) -> LeakLine {
    data.leak_report(splits).lines.into_iter().find(|line| line.item == item).unwrap()
}

fn units_of(rows: &Rows, units: &[usize]) -> std::collections::BTreeSet<usize> {
    rows.iter().map(|row| units[row]).collect()
}

#[test]
fn no_split_of_a_panel_cuts_a_date_in_two() {
    let data = read(&panel(3, 40), |o| o.entity = Some("symbol".to_owned()));
    let timeline = data.timeline();
    let steps = timeline.steps().unwrap();
    assert_eq!(timeline.entities().unwrap()[..4], [0, 1, 2, 0]);
    let plans: [Box<dyn Scheme>; 6] = [
        Box::new(ByFraction { train: 0.705, validation: None }),
        Box::new(ByFraction { train: 0.5, validation: Some(0.21) }),
        Box::new(Growing { window: 50, step: 10 }),
        Box::new(Sliding { window: 51, step: 10 }),
        Box::new(kfold(5, 2, true)),
        Box::new(Bootstrap { repeats: 3 }),
    ];
    for plan in plans {
        let splits = drawn(&data, &*plan);
        for split in &splits {
            let (train, test) = (units_of(&split.train, steps), units_of(&split.test, steps));
            assert!(train.is_disjoint(&test), "{plan:?}");
            if let Some(validation) = &split.validation {
                let validation = units_of(validation, steps);
                assert!(validation.is_disjoint(&test) && validation.is_disjoint(&train), "{plan:?}");
            }
        }
        assert!(!line(&data, &splits, "dates whole").leaks());
    }
    // Windows test every date from the first one on, once.
    let plan = Growing { window: 50, step: 10 };
    let tested: Vec<usize> =
        drawn(&data, &plan).iter().flat_map(|s| s.test.iter().collect::<Vec<_>>()).collect();
    assert_eq!(tested, (tested[0]..data.rows()).collect::<Vec<_>>());
    assert!(tested[0] <= 50 && steps[tested[0]] != steps[tested[0] - 1]);
    // More folds than dates are refused by what there is too little of.
    let error = kfold(41, 2, true).splits(&timeline, Leak::Purged).unwrap_err();
    assert!(error.to_string().contains("more than the task's 40 dates"), "{error}");
}

#[test]
fn a_group_is_on_one_side_of_every_split() {
    let mut random = Random(3);
    let mut text = String::from("patient,x,y\n");
    for row in 0..160 {
        text.push_str(&format!("p{},{},{}\n", row % 20, random.unit(), random.unit()));
    }
    let data = read(&text, |o| o.group = Some("patient".to_owned()));
    let timeline = data.timeline();
    let groups = timeline.groups().unwrap();
    let splits = drawn(&data, &kfold(5, 2, true));
    for split in &splits {
        assert_eq!((split.test.len(), split.purged), (32, 0));
        assert!(units_of(&split.train, groups).is_disjoint(&units_of(&split.test, groups)));
    }
    assert!(!line(&data, &splits, "groups whole").leaks());
    // The patients come round again and again, so that a cut by rows leaves nobody to train on.
    let cut = ByFraction { train: 0.7, validation: None };
    let error = cut.splits(&timeline, Leak::Purged).unwrap_err();
    assert!(error.to_string().contains("keeps groups whole"), "{error}");
    // Without the declaration the report says that nobody looked.
    let unknown = read(&text, |o| o.ignore = vec!["patient".to_owned()]);
    let splits = drawn(&unknown, &kfold(5, 2, true));
    assert!(line(&unknown, &splits, "groups whole").is_unchecked());
}

#[test]
fn rows_of_a_tested_group_are_purged_from_a_cut() {
    let mut text = String::from("patient,x,y\n");
    for row in 0..100 {
        text.push_str(&format!("{},{},{}\n", row / 8, row % 7, row % 11));
    }
    let data = read(&text, |o| o.group = Some("patient".to_owned()));
    let split = drawn(&data, &ByFraction { train: 0.7, validation: None }).remove(0);
    // Row 70 is of the patient that rows 64 to 69 are of.
    assert_eq!((split.train.len(), split.purged, split.test.len()), (64, 6, 30));
}

/// y is the sum of the next 20 values: rows whose sum reaches into the test period are left out, and not
/// declaring it is told.
#[test]
fn labels_that_reach_ahead_are_purged_where_they_are_declared() {
    let mut random = Random(9);
    let noise: Vec<f64> = (0..320).map(|_| random.unit() - 0.5).collect();
    let mut text = String::from("day,x,y\n");
    for row in 0..300 {
        let day = jiff::civil::date(2019, 1, 1) + jiff::Span::new().days(row as i64);
        text.push_str(&format!("{day},{},{}\n", noise[row], noise[row + 1..row + 21].iter().sum::<f64>()));
    }
    let declared = read(&text, |o| o.label_span = Some(LabelSpan::Steps(20)));
    let growing = Growing { window: 200, step: 50 };
    let splits = drawn(&declared, &growing);
    assert_eq!(splits.iter().map(|s| s.purged).collect::<Vec<_>>(), [19, 19]);
    assert!(declared.leak_report(&splits).lines.iter().all(|l| !l.leaks()));
    assert!(declared.leak_report(&splits).warnings.is_empty());
    let unknown = read(&text, |_| ());
    let splits = drawn(&unknown, &growing);
    assert_eq!(splits[0].purged, 0);
    assert!(line(&unknown, &splits, "target memory").leaks());
    assert!(line(&unknown, &splits, "label span").is_unchecked());
    let told = unknown.leak_report(&splits).warnings;
    assert!(
        told.len() == 1 && told[0].starts_with("t.csv: targets of neighbouring dates are alike; if"),
        "{told:?}"
    );
}

#[test]
fn declared_columns_are_no_inputs_and_must_be_filled() {
    let text = panel(3, 10);
    let data = |change: fn(&mut TableOptions)| match read(&text, change) {
        Dataset::Table(table) => table.column_names().into_iter().map(str::to_owned).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    assert_eq!(data(|o| o.entity = Some("symbol".to_owned())), ["x"]);
    let both = |o: &mut TableOptions| {
        o.entity = Some("symbol".to_owned());
        o.categorical = vec!["symbol".to_owned()];
    };
    assert_eq!(data(both), ["symbol", "x"]);
    let mut options = TableOptions::new("y");
    options.group = Some("g".to_owned());
    options.date = RowDates::Ignored;
    let error = read_table_bytes("t.csv", b"g,x,y\na,1,2\n,2,3\n", &options).unwrap_err().to_string();
    assert!(
        error.contains("row 2, column \"g\": \"\" does not say which group the row belongs to"),
        "{error}"
    );
    options.group = Some("h".to_owned());
    assert!(read_table_bytes("t.csv", b"g,x,y\na,1,2\n,2,3\n", &options).is_err());
}
