//! Which pair makes the headline, and what is starred.

use super::{
    super::tests::{measure, names, scores},
    *,
};

/// Two tasks of eight variants, one ranked alike by both measures (exact p of 1/20160 each way) and one all
/// mixed up.
#[test]
fn what_differs_from_nothing_is_starred() {
    let alike: Vec<[f64; 2]> = (0..8).map(|i| [f64::from(i), f64::from(i)]).collect();
    let mixed: Vec<[f64; 2]> = (0..8).map(|i| [f64::from(i), f64::from(i * 3 % 8)]).collect();
    let tasks = [scores(&alike), scores(&mixed)];
    let found = compare_tasks(&tasks, &[(measure("mad"), measure("mse"))], &Compare::default(), 1);
    let who = names(2, &["a", "b", "c", "d", "e", "f", "g", "h"]);
    let shown = table(&who, &tasks, &found, 0.05);
    let tau = shown.columns.iter().position(|c| c.id == "tau").unwrap();
    assert_eq!(shown.rows.iter().map(|row| row[tau].significant).collect::<Vec<_>>(), [true, false]);
    // At α itself nothing is shown: p must be below it.
    let at = |p: f64| Comparison { tau_holm_p: Some(p), ..found[0].clone() };
    let shown = table(&who, &tasks, &[at(0.05), at(0.049)], 0.05);
    assert_eq!(shown.rows.iter().map(|row| row[tau].significant).collect::<Vec<_>>(), [false, true]);
}

/// A heading can name one length; lists of all variants share everything and say nothing.
#[test]
fn lists_of_other_lengths_say_so_row_by_row() {
    let eight: Vec<[f64; 2]> = (0..8).map(|i| [f64::from(i), f64::from(i * 3 % 8)]).collect();
    let tasks = [scores(&eight), scores(&eight[..4])];
    let who = names(2, &["a", "b", "c", "d", "e", "f", "g", "h"]);
    let shown = |top: usize| {
        let compare = Compare { top, ..Compare::default() };
        let found = compare_tasks(&tasks, &[(measure("mad"), measure("mse"))], &compare, 1);
        let table = table(&who, &tasks, &found, 0.05);
        let headings: Vec<String> =
            table.columns.iter().filter(|c| c.id.starts_with("top")).map(|c| c.heading.clone()).collect();
        let cells = table.place("top").map(|place| {
            table.rows.iter().map(|row| format!("{:?}", row[place].value)).collect::<Vec<_>>().join(" ")
        });
        (headings, cells)
    };
    assert_eq!(shown(3), (vec!["k".to_owned(), "top 3".to_owned()], None));
    let (headings, cells) = shown(4);
    assert_eq!(headings[2], "shared at the top");
    let cells = cells.unwrap();
    assert!(cells.contains(" of 4") && cells.matches(" of ").count() == 1, "{cells}");
}
