//! When a difference is believed, and how the sentences say it.

use super::{
    super::{
        MeasureInference, TaskInference, compare_tasks,
        tests::{answer, caught, measure, names, scores},
    },
    *,
};
use crate::config::Compare;

/// MAD takes a, MSE takes b; the third is a baseline.
fn apart() -> TaskScores {
    scores(&[[1.0, 5.0], [2.0, 1.0], [9.0, 9.0]])
}

/// By MSE the three have these p of being as good as the best, b is better than luck and than the baseline.
fn known(task: usize, set_p: [Option<f64>; 3]) -> TaskInference {
    let luck = Luck { variant: VariantId(1), score: 1.0, by_luck: 4.0, p: 0.01, p_holm: 0.02, draws: 999 };
    TaskInference {
        task: TaskId(task),
        variants: (0..3).map(VariantId).collect(),
        slopes: vec![None; 3],
        measures: vec![MeasureInference {
            measure: measure("mse"),
            intervals: vec![None; 3],
            best_shares: vec![0.0; 3],
            ranks: vec![None; 3],
            families: Vec::new(),
            set_p: set_p.to_vec(),
            set_reason: None,
            luck: Some(luck),
            luck_reason: None,
            direction: None,
            cautions: vec![None; 3],
            against_reference: Some(AgainstReference { reference: VariantId(2), score: 9.0, p: 0.001 }),
        }],
        pairwise: Vec::new(),
        block: 1.0,
        luck_by: "shift",
        reason: None,
    }
}

const TOLD_APART: [Option<f64>; 3] = [Some(0.0), Some(1.0), None];

fn judged(inferences: &[TaskInference], asked: bool) -> Verdict {
    let tasks: Vec<TaskScores> =
        inferences.iter().map(|_| apart()).chain([apart()]).take(inferences.len().max(1)).collect();
    let sure = Sureness { tasks: inferences, set_level: 0.9, alpha: 0.05, asked };
    let pair = [(measure("mad"), measure("mse"))];
    let compared = compare_tasks(&tasks, &pair, &Compare::default(), 1);
    verdicts(&names(tasks.len(), &["a", "b", "baseline"]), &tasks, &compared, sure).remove(0)
}

#[test]
fn a_difference_is_doubted_for_every_reason_there_is() {
    const PICKS: &str = "MAD picks a, MSE picks b";
    let with = |change: &dyn Fn(&mut MeasureInference)| {
        let mut of_task = known(0, TOLD_APART);
        change(&mut of_task.measures[0]);
        let verdict = judged(&[of_task], true);
        (verdict.answer(), verdict.tasks[0].reason.clone())
    };
    let doubted = |reason: &str| (Answer::CannotTell, format!("{PICKS}, but {reason}"));
    assert_eq!(with(&|_| {}), (Answer::Yes, PICKS.to_owned()));
    assert_eq!(
        with(&|m| m.set_reason = Some("9 events are too few".to_owned())),
        doubted("how sure that is cannot be said: 9 events are too few")
    );
    assert_eq!(
        with(&|m| m.set_p[0] = None),
        doubted("how sure that is cannot be said: a has no place in the confidence set")
    );
    // A set of 90 % holds whoever has a p of 0.1 or more, though 1 − 0.9 is a hair less.
    assert_eq!(with(&|m| m.set_p[0] = Some(0.1)), doubted("by MSE the two cannot be told apart"));
    assert_eq!(with(&|m| m.set_p[0] = Some(0.0999)).0, Answer::Yes);
    assert_eq!(
        with(&|m| m.luck = None),
        doubted("how sure that is cannot be said: MSE was not held against luck")
    );
    assert_eq!(
        with(&|m| (m.luck, m.luck_reason) = (None, Some("no draws".to_owned()))),
        doubted("how sure that is cannot be said: no draws")
    );
    let luck = |p: f64, p_holm: f64| with(&|m| m.luck.iter_mut().for_each(|l| (l.p, l.p_holm) = (p, p_holm)));
    assert_eq!(luck(0.2, 0.4), doubted("the best MSE is not clearly better than luck (p 0.200)"));
    assert_eq!(
        luck(0.03, 0.06),
        doubted("the best MSE is not clearly better than luck (p 0.030, by Holm over the tasks 0.060)")
    );
    assert_eq!(
        luck(0.03, 0.05),
        doubted("the best MSE is not clearly better than luck (p 0.030, by Holm over the tasks 0.050)")
    );
    assert_eq!(luck(0.05, 0.1), doubted("the best MSE is not clearly better than luck (p 0.050)"));
    assert_eq!((luck(0.05, 0.05).0, luck(0.049, 0.049).0), (Answer::CannotTell, Answer::Yes));
    assert_eq!(luck(f64::NAN, f64::NAN).0, Answer::CannotTell);
    assert_eq!(
        with(&|m| m.against_reference.iter_mut().for_each(|r| r.p = 0.2)),
        doubted("the best MSE is not clearly better than baseline (p 0.200)")
    );
    // Nothing asked, nothing doubted; asked and nothing known, it is.
    assert_eq!(judged(&[], false).answer(), Answer::Yes);
    let nothing = judged(&[], true);
    assert_eq!(
        nothing.tasks[0].reason,
        format!("{PICKS}, but how sure that is cannot be said: MSE has no bootstrap")
    );
}

#[test]
fn luck_is_told_by_numbers_on_one_task_and_by_counts_on_several() {
    let said = |tasks: &[TaskInference]| {
        judged(tasks, true).sentences().into_iter().find(|s| s.starts_with("The best MSE is"))
    };
    let one = known(0, TOLD_APART);
    assert_eq!(
        said(std::slice::from_ref(&one)).unwrap(),
        "The best MSE is 1.00; by luck it would be 4.00 (p 0.010); the best baseline has 9.00 (p 0.001)."
    );
    let mut alone = one.clone();
    alone.measures[0].against_reference = None;
    assert_eq!(said(&[alone]).unwrap(), "The best MSE is 1.00; by luck it would be 4.00 (p 0.010).");
    // Three tasks: below 5 % on two before Holm and on none after it; the baseline is beaten on one of two.
    let luck = |task: usize, p: f64, reference: Option<f64>| {
        let mut of_task = known(task, TOLD_APART);
        let of = &mut of_task.measures[0];
        of.luck.iter_mut().for_each(|l| (l.p, l.p_holm) = (p, 3.0 * p));
        of.against_reference = reference.map(|p| AgainstReference { reference: VariantId(2), score: 9.0, p });
        of_task
    };
    let three = [luck(0, 0.04, Some(0.01)), luck(1, 0.03, Some(0.05)), luck(2, 0.05, None)];
    assert_eq!(
        said(&three).unwrap(),
        "The best MSE is better than luck on 2 of 3 tasks (none after Holm), better than the best baseline on 1 of 2."
    );
    let sure = [luck(0, 0.01, None), luck(1, 0.03, None)];
    assert!(said(&sure).unwrap().contains("on 2 of 2 tasks (1 after Holm)"));
    // Where luck was not imitated nothing is said of it.
    let mut none = [known(0, TOLD_APART), known(1, TOLD_APART)];
    none.iter_mut().for_each(|t| t.measures[0].luck = None);
    assert_eq!(judged(&none, false).sentences().into_iter().find(|s| s.starts_with("The best MSE is")), None);
}

#[test]
fn rankings_agree_by_the_size_of_rho() {
    let said = |rhos: &[f64]| {
        let mut verdict = judged(&[], false);
        let task = verdict.tasks[0].clone();
        verdict.tasks = rhos.iter().map(|rho| TaskVerdict { rho: Some(*rho), ..task.clone() }).collect();
        verdict.agreement().unwrap()
    };
    for (rho, words) in [
        (-0.3, "run against each other (ρ = -0.30)"),
        (-0.2, "have little in common (ρ = -0.20)"),
        (0.29, "have little in common (ρ = 0.29)"),
        (0.3, "agree in part (ρ = 0.30)"),
        (0.69, "agree in part (ρ = 0.69)"),
        (0.7, "agree for the most part (ρ = 0.70)"),
    ] {
        assert_eq!(said(&[rho]), format!("The two rankings {words}."));
    }
    // Of several tasks the middle counts.
    assert_eq!(said(&[0.9, -0.5, 0.5]), "The two rankings agree in part (median ρ = 0.50).");
}

#[test]
fn silence_is_counted_over_tasks() {
    let silent = |a: usize, b: usize| {
        let mut found = scores(&[[1.0, 5.0], [2.0, 1.0]]);
        found.counts = vec![caught(a, 0, 0), caught(b, 0, 0)];
        found
    };
    let said = |tasks: &[TaskScores]| {
        let all = answer(&["a", "b"], tasks, "mad", "mse").sentences();
        all.into_iter().filter(|s| s.contains("never signals")).collect::<Vec<_>>()
    };
    assert_eq!(
        said(&[silent(0, 3), silent(2, 0), silent(0, 0)]),
        ["The best by MAD never signals on 2 of 3 tasks.", "The best by MSE never signals on 2 of 3 tasks."]
    );
    assert_eq!(said(&[silent(1, 3), silent(2, 1)]), [""; 0]);
}

#[test]
fn costs_are_told_where_choices_differ() {
    let cost = |tasks: &[TaskScores]| {
        let all = answer(&["a", "b", "baseline"], tasks, "mad", "mse").sentences();
        all.into_iter().find(|s| s.contains("hoosing by"))
    };
    let apart = scores(&[[1.0, 5.0], [2.0, 1.0], [9.0, 9.0]]);
    let alike = scores(&[[1.0, 1.0], [2.0, 2.0], [9.0, 9.0]]);
    assert_eq!(
        cost(std::slice::from_ref(&apart)).unwrap(),
        "Choosing by MAD gives MSE 5.00 where the best has 1.00: 4.00 lost, 50 % of the way from the best baseline to the best."
    );
    assert_eq!(cost(std::slice::from_ref(&alike)), None);
    assert_eq!(cost(&[alike.clone(), alike]), None);
    // Where only one task has a baseline, no share is told of both.
    let beaten = scores(&[[1.0, 5.0], [2.0, 1.0]]);
    let said = cost(&[apart, beaten]).unwrap();
    assert_eq!(said, "On the median task choosing by MAD adds 4.00 to MSE.");
}
