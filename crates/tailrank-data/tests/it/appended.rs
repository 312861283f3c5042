//! What comes after the data of a run: later sessions behind a series, new rows behind a table.

use std::path::PathBuf;

use tailrank_data::{
    DataError, Date, DateTime, Loaded, Missing, PriceSeries, RowDates, Table, TableOptions, Values,
    read_table_bytes,
};

fn day(d: i8) -> Date {
    Date::constant(2008, 7, d)
}

/// Sessions on these days of July 2008, each with its price.
fn series(sessions: &[(i8, f64)]) -> PriceSeries {
    let (days, prices): (Vec<i8>, Vec<f64>) = sessions.iter().copied().unzip();
    PriceSeries::new("KO", days.into_iter().map(day).collect(), prices, None).unwrap()
}

#[test]
fn later_sessions_follow_and_common_ones_come_once() {
    let old = series(&[(7, 50.0), (8, 51.0), (10, 52.0)]);
    let both = |new: &[(i8, f64)]| {
        let joined = old.followed_by(&series(new)).unwrap();
        joined.dates().iter().map(|d| d.day()).zip(joined.prices().to_vec()).collect::<Vec<_>>()
    };
    let known = [(7, 50.0), (8, 51.0), (10, 52.0)];
    let with = |more: &[(i8, f64)]| [&known[..], more].concat();
    // The last session in common, all in common, none in common, nothing new.
    assert_eq!(both(&[(10, 52.0), (11, 53.0), (14, 54.0)]), with(&[(11, 53.0), (14, 54.0)]));
    assert_eq!(both(&with(&[(11, 53.0), (14, 54.0)])), with(&[(11, 53.0), (14, 54.0)]));
    assert_eq!(both(&[(11, 53.0), (14, 54.0)]), with(&[(11, 53.0), (14, 54.0)]));
    assert_eq!(both(&known), known);
    // A session that only the newer file knows cannot be put in: the run's rows would change their places.
    assert_eq!(both(&[(9, 70.0), (10, 52.0), (11, 53.0)]), with(&[(11, 53.0)]));
    assert_eq!(both(&[(1, 70.0)]), known);
    let none = PriceSeries::new("KO", Vec::new(), Vec::new(), None).unwrap();
    assert_eq!(none.followed_by(&old).unwrap(), old);
    assert_eq!(old.followed_by(&none).unwrap(), old);
}

/// 26 instead of 52 is a split of shares; either may be the larger. A digit beyond the sixth is how files are
/// written.
#[test]
fn prices_that_were_adjusted_since_are_refused() {
    let old = series(&[(7, 50.0), (8, 51.0), (9, 52.0)]);
    for (new, at, was) in [
        (vec![(7, 25.0), (8, 51.0), (9, 52.0), (10, 53.0)], "2008-07-07 is 25", "50"),
        (vec![(7, 50.0), (8, 25.5), (9, 52.0), (10, 53.0)], "2008-07-08 is 25.5", "51"),
        (vec![(7, 50.0), (8, 51.0), (9, 104.0), (10, 53.0)], "2008-07-09 is 104", "52"),
        (vec![(9, 52.001), (10, 53.0)], "2008-07-09 is 52.001", "52"),
        (vec![(9, 51.999), (10, 53.0)], "2008-07-09 is 51.999", "52"),
    ] {
        let message = old.followed_by(&series(&new)).unwrap_err().to_string();
        let expected =
            format!("KO: its price of {at}, in the run's own data {was}; prices were adjusted since");
        assert!(message.starts_with(&expected), "{message}");
    }
    let rounded = series(&[(9, 52.000_01), (10, 53.0)]);
    assert_eq!(old.followed_by(&rounded).unwrap().prices(), [50.0, 51.0, 52.0, 53.0]);
}

#[test]
fn times_of_day_and_volumes_follow_too() {
    let at = |d: i8, h: i8| day(d).at(h, 0, 0, 0);
    let hourly = |times: Vec<DateTime>, from: f64| {
        let count = times.len();
        let numbered = |scale: f64| (0..count).map(|i| scale * (from + i as f64)).collect::<Vec<_>>();
        PriceSeries::at_times("H", times, None, numbered(1.0), Some(numbered(100.0))).unwrap()
    };
    let old = hourly(vec![at(10, 9), at(10, 17), at(11, 9)], 1.0);
    let new = hourly(vec![at(10, 17), at(11, 9), at(11, 17), at(14, 9)], 2.0);
    let both = old.followed_by(&new).unwrap();
    assert_eq!(both.times().unwrap(), [at(10, 9), at(10, 17), at(11, 9), at(11, 17), at(14, 9)]);
    assert_eq!(both.dates(), [day(10), day(10), day(11), day(11), day(14)]);
    assert_eq!(both.prices(), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(both.volumes().unwrap(), [100.0, 200.0, 300.0, 400.0, 500.0]);
    // Days stand for their midnights beside times, and volumes that a file lacks are missing.
    let daily = PriceSeries::of_values("D", vec![day(14), day(15)], vec![6.0, 7.0]).unwrap();
    let both = old.followed_by(&daily).unwrap();
    assert_eq!(both.times().unwrap(), [at(10, 9), at(10, 17), at(11, 9), at(14, 0), at(15, 0)]);
    assert_eq!(both.volumes().unwrap()[..3], [100.0, 200.0, 300.0]);
    assert!(both.volumes().unwrap()[3..].iter().all(|v| v.is_nan()) && both.volumes().unwrap().len() == 5);
}

#[test]
fn sessions_to_come_have_a_day_each_and_nothing_known() {
    let now = series(&[(30, 50.0), (31, 51.0)]);
    let then = now.with_future(3);
    let august = |d| Date::constant(2008, 8, d);
    assert_eq!(then.dates(), [day(30), day(31), august(1), august(2), august(3)]);
    assert_eq!((then.prices().len(), then.times(), then.volumes()), (5, None, None));
    assert_eq!(then.prices()[..2], [50.0, 51.0]);
    assert_eq!(now.with_future(0), now);

    let times = vec![day(31).at(9, 0, 0, 0), day(31).at(17, 0, 0, 0)];
    let hourly =
        PriceSeries::at_times("H", times.clone(), None, vec![1.0, 2.0], Some(vec![5.0, 6.0])).unwrap();
    let then = hourly.with_future(2);
    let later = [august(1).at(17, 0, 0, 0), august(2).at(17, 0, 0, 0)];
    assert_eq!(then.times().unwrap(), [&times[..], &later].concat());
    assert_eq!(then.dates(), [day(31), day(31), august(1), august(2)]);
    assert_eq!((then.prices().len(), then.volumes().unwrap().len()), (4, 4));
    let none = PriceSeries::new("KO", Vec::new(), Vec::new(), None).unwrap();
    assert_eq!(none.with_future(2), none);
}

/// A folder with the file that a table was read from and one with new rows.
struct Files {
    folder: tempfile::TempDir,
    options: TableOptions,
    table: Table,
}

const TRAINED_ON: &str = "day,size,colour,note,cost\n2008-07-11,3,red,u,30\n2008-07-09,1,blue,v,10\n\
                          2008-07-10,2,red,w,\n2008-07-08,?,?,x,5\n";

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("old.csv"), TRAINED_ON).unwrap();
        let options = TableOptions {
            inputs: vec!["size".into(), "colour".into()],
            date: RowDates::Column("day".into()),
            missing: Missing::Drop,
            ..TableOptions::new("cost")
        };
        let table = read_table_bytes("old.csv", TRAINED_ON.as_bytes(), &options).unwrap().value;
        Self { folder, options, table }
    }

    fn with(&self, new: &str, options: &TableOptions, known: bool) -> Result<Loaded<Table>, DataError> {
        let path = |name: &str| -> PathBuf { self.folder.path().join(name) };
        std::fs::write(path("new.csv"), new).unwrap();
        self.table.followed_by(&path("new.csv"), options, known.then(|| path("old.csv")).as_deref())
    }

    fn joined(&self, new: &str) -> Table {
        self.with(new, &self.options, false).unwrap().value
    }

    fn refused(&self, new: &str) -> String {
        self.with(new, &self.options, false).unwrap_err().to_string()
    }
}

#[test]
fn new_rows_stand_behind_those_of_training() {
    let files = Files::new();
    // Three rows, in order of time; the one without a cost is gone.
    assert_eq!(files.table.targets(), [5.0, 10.0, 30.0]);
    let both = files.joined("size,colour\n4,green\n,red\n6,\n7,black\n8,green\n");
    assert_eq!(both.rows(), 8);
    assert_eq!(both.targets()[..3], [5.0, 10.0, 30.0]);
    assert!(both.targets()[3..].iter().all(|t| t.is_nan()));
    // Each row's place is that in its own file.
    let places: Vec<usize> = (0..8).map(|row| both.file_row(row)).collect();
    assert_eq!(places, [4, 2, 1, 1, 2, 3, 4, 5]);
    assert_eq!(both.times(), None);
    assert_eq!(
        (both.name(), both.target_name(), both.column_names()),
        ("old.csv", "cost", vec!["size", "colour"])
    );
    let columns = both.raw_columns(0..8);
    let Values::Numeric(sizes) = &columns[0].1 else { panic!("{columns:?}") };
    let known = |v: &f64| (!v.is_nan()).then_some(*v);
    assert_eq!(
        sizes.iter().map(known).collect::<Vec<_>>(),
        [None, Some(1.0), Some(3.0), Some(4.0), None, Some(6.0), Some(7.0), Some(8.0)]
    );
    // Levels of training keep their codes; new words come behind them, in the order they are met.
    let levels = ["blue", "red", "green", "black"].map(str::to_owned).to_vec();
    let codes = vec![None, Some(0), Some(1), Some(2), Some(1), None, Some(3), Some(2)];
    assert_eq!(columns[1].1, Values::Categorical { codes, levels });
}

#[test]
fn targets_that_new_rows_know_are_read() {
    let files = Files::new();
    let both = files.joined("size,cost,colour\n4,40,red\n5,,red\n6,60,blue\n");
    assert_eq!(both.targets()[3], 40.0);
    assert!(both.targets()[4].is_nan());
    assert_eq!(both.targets()[5], 60.0);
}

#[test]
fn only_columns_that_training_knew_may_come() {
    let files = Files::new();
    let unknown = "new.csv: column \"weight\" was not in training; leave it out";
    for new in ["weight,size,colour\n9,4,red\n", "size,colour,weight\n4,red,9\n"] {
        assert!(files.refused(new).ends_with(unknown), "{}", files.refused(new));
    }
    // The day of rows is known by its name, a note by the file of training or because it is to be left out.
    assert_eq!(files.joined("day,size,colour\n2008-07-14,4,red\n").rows(), 4);
    let noted = "size,note,colour\n4,y,red\n";
    assert!(files.refused(noted).ends_with("column \"note\" was not in training; leave it out"));
    assert_eq!(files.with(noted, &files.options, true).unwrap().value.rows(), 4);
    let ignoring = TableOptions { ignore: vec!["note".into()], ..files.options.clone() };
    assert_eq!(files.with(noted, &ignoring, false).unwrap().value.rows(), 4);
    let undated = TableOptions { date: RowDates::Known, ..files.options.clone() };
    let message = files.with("day,size,colour\n2008-07-14,4,red\n", &undated, false).unwrap_err().to_string();
    assert!(message.ends_with("column \"day\" was not in training; leave it out"), "{message}");
}

#[test]
fn new_rows_that_do_not_fit_are_told_where() {
    let files = Files::new();
    for (new, expected) in [
        ("size,colour\n", "new.csv: has no rows below the header; give at least one row"),
        ("size\n4\n", "new.csv: no column \"colour\"; there is \"size\""),
        (
            "colour,size\nred,4\n",
            "new.csv: column \"colour\" stands before \"size\", in training after it; give the columns in this order: \
             size, colour",
        ),
        (
            "size,colour\n4,red\n5,red\nlarge,red\n",
            "new.csv: row 3, column \"size\": \"large\" is not a finite number; correct it: the column was numbers in \
             training",
        ),
        ("size,colour\n4,red\ninf,red\n", "row 2, column \"size\": \"inf\" is not a finite number"),
        ("size,colour,cost\nx,red,1\n", "row 1, column \"size\": \"x\" is not a finite number"),
        ("size,colour,cost\n4,red,dear\n", "row 1, column \"cost\": \"dear\" is not a finite number"),
    ] {
        let message = files.refused(new);
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
}
