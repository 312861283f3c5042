//! Standings by hand.

use super::{
    super::{
        Predictions, VariantStatus, evaluate,
        tests::{fine, measure, names, truth},
    },
    *,
};

/// A task whose true value is 0, so that MAD is the prediction; the last variant is a baseline.
fn task(predicted: &[Option<f64>]) -> TaskScores {
    let predictions: Vec<Predictions> =
        predicted.iter().map(|p| p.map_or_else(Predictions::missing, |p| fine(&[&[p]]))).collect();
    let mut scores = evaluate(&[truth(&[0.0])], &[measure("mad")], &predictions).unwrap();
    if let Some(last) = scores.references.last_mut() {
        *last = true;
    }
    scores
}

fn found(labels: &[&str], tasks: &[TaskScores], validation: &[Option<TaskScores>]) -> Standings {
    let mut who = names(tasks.len(), labels);
    for variant in &mut who.variants {
        variant.group = variant.label.split('/').next().unwrap().to_owned();
    }
    standings(&who, tasks, validation, Some(measure("mad")), 0.05, 0.95)
}

fn of<'a>(found: &'a Standings, entry: &str) -> &'a Standing {
    found.rows.iter().find(|r| r.entry == entry).unwrap()
}

/// Half the baseline's error on every task, whatever its unit, is a skill of one half: never a mean over
/// units.
#[test]
fn skill_is_free_of_units() {
    let units = [1.0, 1e6, 1e-6, 3.0, 40.0, 7.0];
    let tasks: Vec<TaskScores> =
        units.iter().map(|u| task(&[Some(u * 0.5), Some(u * 2.0), Some(*u)])).collect();
    let all = found(&["good", "bad", "baseline"], &tasks, &[]);
    assert!((of(&all, "good").skill.unwrap().value - 0.5).abs() < 1e-12);
    assert!((of(&all, "bad").skill.unwrap().value + 1.0).abs() < 1e-12);
    assert_eq!(of(&all, "good").win_rate.value, 1.0);
    assert_eq!(of(&all, "best baseline").average_rank.value, 2.0);
    assert_eq!(of(&all, "best baseline").rating.unwrap().value, 0.0);
    assert!(of(&all, "good").rating.unwrap().value > 100.0);
    let start = all.start.as_ref().unwrap();
    assert_eq!(all.rows[start.row].entry, "good");
    // Gains that are the same on all clusters leave nothing to test with.
    assert_eq!(start.verdict, Verdict::NoModel(Reason::NotTestable(Untestable::FewCases(6))));
}

/// A model that failed on one of seven tasks keeps its place: the baseline's score counts there.
#[test]
fn a_missing_result_counts_as_the_best_baselines() {
    let gains = [0.5, 0.4, 0.6, 0.45, 0.55, 0.52, 0.48];
    let tasks: Vec<TaskScores> = gains
        .iter()
        .enumerate()
        .map(|(t, g)| task(&[(t != 3).then_some(*g), Some(0.99 + 0.001 * t as f64), Some(1.0)]))
        .collect();
    assert_eq!(tasks[3].status[0], VariantStatus::Missing);
    let all = found(&["good", "same", "baseline"], &tasks, &[]);
    let good = of(&all, "good");
    assert_eq!((good.tasks, good.missing), (7, 1));
    let expected =
        gains.iter().enumerate().map(|(t, g)| if t == 3 { 0.0 } else { g.ln() }).sum::<f64>() / 7.0;
    assert!((good.skill.unwrap().value - (1.0 - expected.exp())).abs() < 1e-12);
    assert!(good.skill.unwrap().interval.is_some() && good.p_adjusted.unwrap() < 0.05);
    let start = all.start.as_ref().unwrap();
    assert_eq!((all.rows[start.row].entry.as_str(), start.verdict), ("good", Verdict::Use));
    assert!(super::table(&all).notes[0].contains("counts as the best baseline's"));
}

/// Tasks of one cluster count once: eleven copies of one task are no evidence.
#[test]
fn a_cluster_counts_once() {
    let make = |g: f64, cluster: usize| TaskScores { cluster: Some(cluster), ..task(&[Some(g), Some(1.0)]) };
    let mut tasks = vec![make(0.1, 0); 11];
    tasks.push(make(1.0, 1));
    let all = found(&["a", "baseline"], &tasks, &[]);
    assert_eq!(all.clusters, 2);
    assert!((of(&all, "a").skill.unwrap().value - (1.0 - 0.1f64.sqrt())).abs() < 1e-12);
    assert_eq!(of(&all, "a").skill.unwrap().interval, None);
}

/// A family's place is that of the setting chosen on validation rows, not of the one that happens to win the
/// test.
#[test]
fn a_family_is_judged_by_its_choice() {
    let tasks = vec![task(&[Some(0.9), Some(0.2), Some(0.5), Some(1.0)]); 2];
    let validation = vec![Some(task(&[Some(0.1), Some(0.3), Some(0.5), Some(1.0)])); 2];
    let all = found(&["f/1", "f/2", "g/1", "baseline"], &tasks, &validation);
    assert_eq!(of(&all, "f").kind, EntryKind::Family);
    assert!((of(&all, "f").skill.unwrap().value - 0.1).abs() < 1e-12, "chosen: f/1");
    assert!((of(&all, "f").grid_skill.unwrap() - 0.8).abs() < 1e-12, "the grid's best: f/2");
    assert!((of(&all, "g").skill.unwrap().value - 0.5).abs() < 1e-12);
    assert_eq!(all.rows[0].entry, "g");
}

#[test]
fn one_task_has_no_standings() {
    assert_eq!(found(&["a", "baseline"], &[task(&[Some(0.5), Some(1.0)])], &[]), Standings::default());
}

/// A thousand tasks of twenty models take no time that anybody notices.
#[test]
fn a_thousand_tasks() {
    let labels: Vec<String> = (0..20).map(|m| format!("m{m:02}")).chain(["baseline".to_owned()]).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let tasks: Vec<TaskScores> = (0..1000)
        .map(|t| {
            let score = |m: usize| Some(0.5 + 0.02 * m as f64 + 0.3 * ((t * 7 + m * 13) % 17) as f64 / 17.0);
            task(&(0..20).map(score).chain([Some(1.0)]).collect::<Vec<_>>())
        })
        .collect();
    let all = found(&labels, &tasks, &[]);
    let start = all.start.as_ref().unwrap();
    assert_eq!((all.clusters, all.rows.len(), start.verdict), (1000, 21, Verdict::Use));
    assert_eq!(all.rows[start.row].entry, "m00");
}
