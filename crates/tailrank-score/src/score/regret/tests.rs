//! Costs of a choice by hand.

use super::{
    super::tests::{measure, names, scores},
    *,
};
use crate::table::{Cell, Value};

/// MAD takes the second, whose MSE is 4 where 1 is the best; MSE takes the first, whose MAD is 2 where 1 is.
#[test]
fn costs_stand_in_the_row_of_the_choice() {
    let one = scores(&[[2.0, 1.0], [1.0, 4.0], [1.0, 2.0]]);
    let other = scores(&[[2.0, 1.0], [1.0, 2.0], [1.5, 2.0]]);
    let both = [measure("mad"), measure("mse")];
    let costs = |tasks: &[TaskScores]| -> Vec<Vec<Value>> {
        let table = costs_table(&names(tasks.len(), &["a", "b", "c"]), &regrets(tasks), &both);
        table.rows.iter().map(|row| row[1..].iter().map(|c| c.value.clone()).collect()).collect()
    };
    let cells = |rows: [[f64; 2]; 2]| rows.map(|row| row.map(|v| Cell::from(v).value).to_vec()).to_vec();
    assert_eq!(costs(std::slice::from_ref(&one)), cells([[0.0, 3.0], [1.0, 0.0]]));
    // On the other task MAD's choice loses 1 of MSE: 2 on the median of both.
    assert_eq!(costs(&[one, other]), cells([[0.0, 2.0], [1.0, 0.0]]));
}

#[test]
fn the_caption_says_whether_tasks_are_put_together() {
    let caption = |tasks: usize| costs_table(&names(tasks, &["a"]), &[], &[measure("mad")]).caption;
    assert!(caption(1).ends_with("(columns)") && caption(2).ends_with("(columns), on the median task"));
}
