//! Tables: kinds of columns, gaps filled and levels learned from training rows only.

use proptest::prelude::*;
use tailrank_data::{
    ByFraction, Coding, Dataset, Encoder, FillRule, Kind, Leak, TableOptions, TargetKind, Warning,
    read_table_bytes,
};

use crate::drawn::Drawn;

fn options(target: &str) -> TableOptions {
    TableOptions::new(target)
}

#[test]
fn kinds_of_columns_and_targets() {
    let csv = b"id,size,colour,grade,y\n7,1.5,red,1,2\n8,?,blue,2,3\n9,2.5,NA,1,4\n";
    let all = TableOptions { ignore: vec!["id".into()], categorical: vec!["grade".into()], ..options("y") };
    let table = read_table_bytes("t.csv", csv, &all).unwrap().value;
    assert_eq!(table.column_names(), ["size", "colour", "grade"]);
    assert_eq!(table.missing(), 2);
    let encoder = Encoder::fit(&table, 0..3).unwrap();
    assert_eq!(encoder.names(), ["size", "colour=blue", "colour=red", "grade=1", "grade=2"]);
    // Size's median is 2; red and blue are equally common, so the gap takes the first by name.
    let expected = [[1.5, 0.0, 1.0, 1.0, 0.0], [2.0, 1.0, 0.0, 0.0, 1.0], [2.5, 1.0, 0.0, 1.0, 0.0]];
    assert_eq!(encoder.encode(&table, 0..3), expected.concat());

    let classes = TableOptions { kind: TargetKind::Classification, ..options("grade") };
    let table = read_table_bytes("t.csv", csv, &classes).unwrap().value;
    assert_eq!(table.kind(), &Kind::Classification { classes: vec!["1".into(), "2".into()] });
    assert_eq!(table.targets(), [0.0, 1.0, 0.0]);
    let chosen = TableOptions { inputs: vec!["y".into()], ..classes };
    assert_eq!(read_table_bytes("t.csv", csv, &chosen).unwrap().value.column_names(), ["y"]);
}

/// size is 1, 4 and 1 in the rows that train, its median 1; blue comes twice, red once; stages are numbers.
#[test]
fn codings_name_their_inputs_and_fill_gaps() {
    let csv = b"stage,size,colour,y\n4,1,blue,1\n?,4,red,2\n4,1,blue,3\n7,?,?,4\n9,2,green,5\n";
    let all = TableOptions { categorical: vec!["stage".into()], ..options("y") };
    let table = read_table_bytes("t.csv", csv, &all).unwrap().value;
    let one_hot = Encoder::fit(&table, 0..4).unwrap();
    assert_eq!(one_hot.names(), ["stage=4", "stage=7", "size", "colour=blue", "colour=red"]);
    assert_eq!((one_hot.cols(), one_hot.categories()), (5, vec![0..2, 3..5]));
    let numbers = Encoder::fit_as(&table, 0..4, Coding::Number).unwrap();
    assert_eq!((numbers.names().len(), numbers.cols(), numbers.categories()), (3, 3, vec![0..1, 2..3]));
    // Blue is level 0 and red level 1; a gap and a level that training does not know take the commonest.
    let expected = [[4.0, 1.0, 0.0], [4.0, 4.0, 1.0], [4.0, 1.0, 0.0], [7.0, 1.0, 0.0], [9.0, 2.0, 0.0]];
    assert_eq!(numbers.encode(&table, 0..5), expected.concat());
    for encoder in [one_hot, numbers] {
        let fills = encoder.fills(&table, 0..table.rows());
        let told: Vec<(&str, usize, &FillRule)> =
            fills.iter().map(|f| (f.column.as_str(), f.missing, &f.rule)).collect();
        let (four, blue) = (FillRule::Mode("4".into()), FillRule::Mode("blue".into()));
        let expected = [("stage", 1, &four), ("size", 1, &FillRule::Median(1.0)), ("colour", 1, &blue)];
        assert_eq!(told, expected);
        assert_eq!(
            fills[2].to_string(),
            "column \"colour\": 1 missing, filled with the training rows' commonest level, \"blue\""
        );
    }
}

#[test]
fn blank_lines_at_the_end_are_no_rows() {
    let read = |csv: &[u8]| read_table_bytes("t.csv", csv, &options("y")).map(|t| t.value.rows());
    assert_eq!(read(b"x,y\n1,2\n3,4\n\n\n"), Ok(2));
    assert!(
        read(b"x,y\n1,2\n\n3,4\n")
            .unwrap_err()
            .to_string()
            .contains("row 2, column \"y\": \"\" is not a target value")
    );
}

#[test]
fn numeric_classes_are_sorted_as_numbers() {
    let csv = b"x,y\n1,10\n2,9\n3,10\n";
    let table =
        read_table_bytes("t.csv", csv, &TableOptions { kind: TargetKind::Classification, ..options("y") })
            .unwrap()
            .value;
    assert_eq!(table.kind(), &Kind::Classification { classes: vec!["9".into(), "10".into()] });
}

#[test]
fn a_level_only_tested_is_no_level_and_is_told() {
    let csv = b"c,y\na,1\nb,2\na,3\nz,4\nz,5\n";
    let data = Dataset::from(read_table_bytes("t.csv", csv, &options("y")).unwrap().value);
    let split =
        ByFraction { train: 0.6, validation: None }.splits(&data.timeline(), Leak::Purged).unwrap().remove(0);
    let prepared = data.prepare(&split).unwrap();
    assert_eq!(prepared.input_names, ["c=a", "c=b"]);
    assert_eq!(prepared.test.inputs, [0.0; 4]);
    assert_eq!(prepared.warnings, [Warning::UnseenLevel { column: "c".into(), level: "z".into(), row: 4 }]);
}

#[test]
fn wrong_tables_are_told_where() {
    let many: String = (0..1100).map(|i| format!("id{i},{i}\n")).collect();
    let many = format!("a,y\n{many}");
    let regression = TableOptions { kind: TargetKind::Regression, ..options("y") };
    let cases: [(&[u8], TableOptions, &str); 11] = [
        (b"a,y\n1,2\n", options("z"), "t.csv: no column \"z\"; there is \"a\", \"y\""),
        (
            b"alpha,y\n1,2\n",
            TableOptions { ignore: vec!["alhpa".into()], ..options("y") },
            "did you mean \"alpha\"?",
        ),
        (b"a,y\n1,2\n1,\n", options("y"), "t.csv: row 2, column \"y\": \"\" is not a target value"),
        (b"a,y\n1,2\n1,3\n1,x\n", options("y"), "row 3, column \"y\": \"x\" is not a finite number"),
        (b"a,y\n1,b\n", regression, "a regression target is a number in every row"),
        (
            b"a,y\n1,2\n1,3\nx,4\n",
            options("y"),
            "row 3, column \"a\": \"x\" is not a finite number, though most of the column is",
        ),
        (b"a,y\n1,2\ninf,3\n", options("y"), "row 2, column \"a\": \"inf\" is not a finite number"),
        (b"y\n1\n", options("y"), "keep at least one column beside the target and the date out of `ignore`"),
        (b"a,y\n", options("y"), "has no rows below the header"),
        (
            b"a,y\n1,b\n2,b\n",
            options("y"),
            "target \"y\" is not numbers and has 1 class; name a column of numbers as `target`",
        ),
        (
            many.as_bytes(),
            options("y"),
            "column \"a\" has more than 1000 levels; if it is an identifier, list it under `ignore`",
        ),
    ];
    for (csv, options, expected) in cases {
        let message = read_table_bytes("t.csv", csv, &options).unwrap_err().to_string();
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
    let table = read_table_bytes("t.csv", b"a,b,y\n,1,2\n3,1,4\n", &options("y")).unwrap().value;
    let message = Encoder::fit(&table, 0..1).unwrap_err().to_string();
    assert!(message.contains("column \"a\" has no value in the training rows"), "{message}");
}

proptest! {
    /// Whatever the test rows hold, training rows, fills and levels stay as they are.
    #[test]
    fn test_cells_cannot_reach_training(
        cells in prop::collection::vec((prop::option::of(-50i32..50), prop::option::of(0u8..4)), 12..40),
        other in prop::collection::vec((prop::option::of(-50i32..50), prop::option::of(0u8..4)), 12..40),
    ) {
        let rows = cells.len();
        let cut = rows / 2;
        let csv = |test: &dyn Fn(usize) -> (Option<i32>, Option<u8>)| {
            let mut text = String::from("n,c,y\n1,a,0\n2,b,0\n");
            for (i, cell) in cells.iter().enumerate() {
                let (n, c) = if i < cut { *cell } else { test(i) };
                let n = n.map_or(String::new(), |n| n.to_string());
                let c = c.map_or("?".to_owned(), |c| char::from(b'a' + c).to_string());
                text += &format!("{n},{c},{i}\n");
            }
            Dataset::from(read_table_bytes("t.csv", text.as_bytes(), &options("y")).unwrap().value)
        };
        let (before, after) = (csv(&|i| cells[i]), csv(&|i| other[i % other.len()]));
        // The two leading rows train too.
        let plan = ByFraction { train: (cut + 2) as f64 / (rows + 2) as f64 + 1e-9, validation: None };
        let split = plan.splits(&before.timeline(), Leak::Purged).unwrap().remove(0);
        prop_assert_eq!(split.train.len(), cut + 2);
        let (before, after) = (before.prepare(&split).unwrap(), after.prepare(&split).unwrap());
        prop_assert_eq!(before.train, after.train);
        prop_assert_eq!(before.input_names, after.input_names);
    }
}
