//! Ranks over tasks by hand.

use super::{
    super::{
        Predictions, VariantStatus, evaluate,
        tests::{fine, measure, names, truth},
    },
    *,
};

/// Ranks over tasks compare models: who was not scored everywhere is left out, and a copy of another
/// everywhere too.
#[test]
fn copies_and_gaps_are_not_ranked_over_tasks() {
    let task = |last: Option<f64>| {
        let mut predictions = vec![fine(&[&[1.0]]), fine(&[&[2.0]]), fine(&[&[1.0]]), fine(&[&[3.0]])];
        match last {
            Some(value) => predictions[3] = fine(&[&[value]]),
            None => predictions[3] = Predictions { status: VariantStatus::Missing, parts: Vec::new() },
        }
        evaluate(&[truth(&[0.0])], &[measure("mad")], &predictions).unwrap()
    };
    let ranked = |tasks: &[TaskScores]| {
        let found = across_tasks(tasks, 0.05);
        found.first().map(|a| (a.variants.iter().map(|v| v.0).collect::<Vec<_>>(), a.average_ranks.clone()))
    };
    assert_eq!(ranked(&[task(Some(3.0)), task(Some(1.5))]), Some((vec![0, 1, 3], vec![1.0, 2.5, 2.5])));
    assert_eq!(ranked(&[task(Some(3.0)), task(None)]), Some((vec![0, 1], vec![1.0, 2.0])));
    assert_eq!(ranked(&[task(Some(3.0))]), None);
}

/// Over 12 tasks two models differ at 5 % by more than 1.960·√(2·3/(6·12)) = 0.566 ranks (Nemenyi).
#[test]
fn a_model_that_is_always_second_is_marked() {
    let always: Vec<TaskScores> = (0..12)
        .map(|_| evaluate(&[truth(&[0.0])], &[measure("mad")], &[fine(&[&[1.0]]), fine(&[&[2.0]])]).unwrap())
        .collect();
    let table = |tasks: &[TaskScores]| {
        let found = across_tasks(tasks, 0.05);
        (average_ranks_table(&names(tasks.len(), &["a", "b"]), &found, 0.05), found)
    };
    let (marked, found) = table(&always);
    assert!((found[0].critical_difference.unwrap() - 0.5658).abs() < 1e-4);
    let stars: Vec<bool> = marked.rows.iter().map(|row| row[2].significant).collect();
    assert_eq!(stars, [false, true]);
    assert_eq!(
        marked.notes,
        ["* significantly below the first (Nemenyi, α = 0.05).", "Critical difference: 0.566."]
    );
    // Two tasks tell nothing: 1.960·√(6/12) is above 1.
    let (plain, _) = table(&always[..2]);
    assert_eq!(plain.notes, ["Critical difference: 1.39."]);
    assert!(plain.rows.iter().flatten().all(|c| !c.significant));
}
