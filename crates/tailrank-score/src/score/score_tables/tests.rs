//! What the tables of scores show.

use super::{
    super::{
        evaluate,
        tests::{caught, fine, measure, names, scores, truth},
    },
    *,
};
use crate::table::Value;
use tailrank_metrics::{Score, Undefined};

#[test]
fn deviations_are_shown_where_the_division_was_repeated() {
    let ids = |repeats: usize| {
        let mut found = scores(&[[1.0, 1.0]]);
        found.repeats = repeats;
        let table = scores_table(&names(1, &["a"]), &[found]);
        table.columns.iter().any(|c| c.id == "mad_sd")
    };
    assert!(!ids(1) && ids(2));
}

#[test]
fn folds_are_numbered_from_one() {
    let parts = [truth(&[0.0, 0.0]), truth(&[0.0])];
    let found = evaluate(&parts, &[measure("mad")], &[fine(&[&[1.0, 1.0], &[3.0]])]).unwrap();
    let table = folds_table(&names(1, &["a"]), &[found]);
    let column = |id: &str| table.columns.iter().position(|c| c.id == id).unwrap();
    let numbers: Vec<Value> = table.rows.iter().map(|r| r[column("fold")].value.clone()).collect();
    assert_eq!(numbers, [1usize, 2].map(Value::from));
}

#[test]
fn each_reason_is_told_once() {
    let mut found = scores(&[[1.0, 1.0]]);
    let none = Score::Undefined(Undefined::NoSignals);
    found.scores = vec![vec![none, none, Score::Value(1.0), Score::Undefined(Undefined::NoEvents)]];
    let expected = [Undefined::NoSignals, Undefined::NoEvents].map(Undefined::reason).join("; ");
    assert_eq!(found.reason(VariantId(0)), expected);
    found.counts = vec![caught(4, 6, 5)];
    assert_eq!(found.signals(VariantId(0)), Some(15));
    found.counts = vec![None];
    assert_eq!(found.signals(VariantId(0)), None);
}

#[test]
fn an_arrow_points_to_the_good_end() {
    assert_eq!([heading(measure("mad")), heading(measure("f"))], ["MAD ↓", "F ↑"]);
}
