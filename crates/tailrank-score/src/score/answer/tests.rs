//! The rule on numbers small enough to check by hand: every reason has an example, and so has its absence.

use tailrank_metrics::{EventCounts, Measure, Score};
use tailrank_models::Params;

use super::{
    super::{
        Comparison, MeasureInference, Names, TaskInference, TaskScores, VariantStatus, compare_tasks,
        inference::{Caution, ChanceTest, IntervalScope},
        tests::{caught, names, scores},
    },
    rule::{Asked, decide},
    *,
};
use crate::config::Compare;

const PAIR: (Measure, Measure) = (Measure::Mad, Measure::F);

/// Two models and a baseline by MAD and F; MAD picks the first, F the second.
fn world() -> (Names, TaskScores) {
    let mut found = scores(&[[1.0, 0.2], [2.0, 0.4], [9.0, 9.0]]);
    found.measures = vec![PAIR.0, PAIR.1];
    found.scores[2] = vec![Score::Value(3.0), Score::Value(0.1)];
    found.counts = vec![caught(5, 5, 20), caught(30, 10, 20), caught(100, 0, 400)];
    (found.events, found.cases) = (100, 1000);
    (names(1, &["a", "b", "baseline"]), found)
}

/// What is known by F: the second model has these p against chance and against the baseline, and the first
/// this p in the set.
fn known(task: usize, p_chance: f64, p_baseline: f64, set_p: f64) -> TaskInference {
    let of = |measure: Measure, best: usize| MeasureInference {
        measure,
        scores: vec![0.2, 0.4, 0.1],
        intervals: vec![None; 3],
        scope: IntervalScope::FittedModels,
        best_shares: vec![0.1, 0.9, 0.0],
        ranks: vec![None; 3],
        families: Vec::new(),
        set_p: vec![Some(set_p), Some(1.0), Some(0.5)],
        set_reason: None,
        chance: Some(ChanceTest {
            variant: VariantId(best),
            score: 0.4,
            chance: 0.08,
            p: p_chance,
            p_holm: p_chance,
            draws: 999,
        }),
        chance_reason: None,
        direction: None,
        cautions: vec![None; 3],
        p_baselines: vec![Some(p_baseline), Some(p_baseline), None],
    };
    TaskInference {
        task: TaskId(task),
        variants: (0..3).map(VariantId).collect(),
        slopes: vec![Some(1.0); 3],
        measures: vec![of(PAIR.0, 0), of(PAIR.1, 1)],
        pairwise: Vec::new(),
        blocks: None,
        block: 1.0,
        chance_by: "shift",
        reason: None,
    }
}

fn answered(names: &Names, scores: &[TaskScores], inference: &[TaskInference]) -> Answer {
    let comparisons: Vec<Comparison> = compare_tasks(scores, &[PAIR], &Compare::default(), 1);
    decide(Asked {
        names,
        scores,
        comparisons: &comparisons,
        inference,
        decide_by: Some(Measure::F),
        alpha: 0.05,
        set_level: 0.9,
    })
}

/// The decision by F on the one task of [`world`], after some changes.
fn decided(inference: TaskInference, change: impl FnOnce(&mut TaskScores)) -> Decision {
    let (names, mut found) = world();
    change(&mut found);
    let answer = answered(&names, &[found], &[inference]);
    answer.deciding(TaskId(0)).unwrap().clone()
}

fn reason(decision: &Decision) -> Option<Reason> {
    decision.verdict.reason()
}

#[test]
fn a_model_that_beats_chance_and_baseline_is_used() {
    let decision = decided(known(0, 0.001, 0.01, 0.02), |_| {});
    assert_eq!((decision.verdict, decision.recommended()), (Verdict::Use, Some(VariantId(1))));
    assert_eq!((decision.p_verdict, decision.p_adjusted), (Some(0.01), Some(0.01)));
    assert_eq!((decision.score, decision.chance), (Some(0.4), Some(0.08)));
    assert_eq!((decision.baseline, decision.baseline_score), (Some(VariantId(2)), Some(0.1)));
    let counts = Counts { signals: 60, caught: 40, false_alarms: 20, missed: 60 };
    assert_eq!((decision.events, decision.counts), (Some(100), Some(counts)));
    // At p = α nothing is shown.
    assert_eq!(reason(&decided(known(0, 0.001, 0.05, 0.02), |_| {})), Some(Reason::NotBetterThanBaseline));
}

#[test]
fn every_reason_is_reached_and_the_first_is_given() {
    let fine = || known(0, 0.001, 0.001, 0.02);
    let nothing = |found: &mut TaskScores| found.counts[1] = caught(0, 0, 20);
    assert_eq!(reason(&decided(fine(), nothing)), Some(Reason::NoEventCaught));
    assert_eq!(reason(&decided(fine(), |found| found.events = 9)), Some(Reason::FewEvents));
    assert_eq!(reason(&decided(fine(), |found| found.events = 10)), None);
    // Both at once: the first of the list. Without any event there is none to catch.
    let both = |found: &mut TaskScores| {
        nothing(found);
        found.events = 5;
    };
    assert_eq!(reason(&decided(fine(), both)), Some(Reason::NoEventCaught));
    let none = |found: &mut TaskScores| {
        nothing(found);
        found.events = 0;
    };
    assert_eq!(reason(&decided(fine(), none)), Some(Reason::FewEvents));
    assert_eq!(reason(&decided(known(0, 0.2, 0.9, 0.02), |_| {})), Some(Reason::NotBetterThanChance));
    assert_eq!(reason(&decided(known(0, 0.01, 0.9, 0.02), |_| {})), Some(Reason::NotBetterThanBaseline));
    let untestable = |change: &dyn Fn(&mut TaskInference)| {
        let mut inference = fine();
        change(&mut inference);
        reason(&decided(inference, |_| {}))
    };
    let not = |why| Some(Reason::NotTestable(why));
    let few = Untestable::FewCases(9);
    assert_eq!(untestable(&|t| t.reason = Some(few)), not(few));
    assert_eq!(untestable(&|t| t.measures.truncate(1)), not(Untestable::NotResampled));
    let shifts = Untestable::FewRearrangements(3);
    let no_chance = |t: &mut TaskInference| {
        t.measures[1].chance = None;
        t.measures[1].chance_reason = Some(shifts);
    };
    assert_eq!(untestable(&no_chance), not(shifts));
    assert_eq!(untestable(&|t| t.measures[1].p_baselines[1] = None), not(Untestable::MostlyUndefined));
    // What is known is said before what is not.
    let mut worse = known(0, 0.001, 0.8, 0.02);
    no_chance(&mut worse);
    assert_eq!(reason(&decided(worse, |_| {})), Some(Reason::NotBetterThanBaseline));
    // Without inference nothing is tested.
    let (names, found) = world();
    let off = answered(&names, &[found], &[]);
    assert_eq!(reason(off.deciding(TaskId(0)).unwrap()), not(Untestable::InferenceOff));
}

#[test]
fn without_a_score_nothing_is_used() {
    let undefined = |found: &mut TaskScores| {
        found
            .scores
            .iter_mut()
            .for_each(|row| row[1] = Score::Undefined(tailrank_metrics::Undefined::NoSignals));
    };
    let silent = |found: &mut TaskScores| {
        undefined(found);
        found.counts = vec![caught(0, 0, 0); 3];
    };
    let decision = decided(known(0, 0.001, 0.001, 0.02), silent);
    assert_eq!((decision.model, reason(&decision)), (None, Some(Reason::NoEventCaught)));
    let decision = decided(known(0, 0.001, 0.001, 0.02), undefined);
    assert_eq!(reason(&decision), Some(Reason::NotTestable(Untestable::NoScore)));
}

/// Without a baseline only chance is to be beaten; a baseline without a score is none.
#[test]
fn without_a_baseline_chance_decides() {
    let mut inference = known(0, 0.03, 0.5, 0.02);
    inference.measures[1].p_baselines = vec![None; 3];
    let decision = decided(inference, |found| {
        found.scores[2][1] = Score::Undefined(tailrank_metrics::Undefined::NoEvents);
    });
    assert_eq!((decision.verdict, decision.p_verdict), (Verdict::Use, Some(0.03)));
    assert_eq!((decision.baseline, decision.p_baseline), (None, None));
}

/// Holm over three tasks, on the larger of both p, once, and for the deciding measure alone.
#[test]
fn the_larger_p_is_corrected_once_over_the_tasks() {
    let (_, found) = world();
    let names = names(3, &["a", "b", "baseline"]);
    let inference = [known(0, 0.001, 0.01, 0.02), known(1, 0.02, 0.001, 0.02), known(2, 0.001, 0.3, 0.02)];
    let answer = answered(&names, &vec![found; 3], &inference);
    let p = |measure| -> Vec<f64> {
        (0..3).map(|t| answer.decision(TaskId(t), measure).unwrap().p_adjusted.unwrap()).collect()
    };
    // p 0.01, 0.02, 0.3: times 3, 2 and 1.
    assert_eq!(p(Measure::F), [0.03, 0.04, 0.3]);
    assert_eq!(p(Measure::Mad), [0.01, 0.02, 0.3]);
    let verdicts: Vec<Option<Reason>> = answer.all_deciding().map(reason).collect();
    assert_eq!(verdicts, [None, None, Some(Reason::NotBetterThanBaseline)]);
    // Corrected, 0.04 against chance is too much.
    let (_, found) = world();
    let inference = [known(0, 0.04, 0.001, 0.02), known(1, 0.04, 0.001, 0.02), known(2, 0.001, 0.3, 0.02)];
    let answer = answered(&names, &vec![found; 3], &inference);
    let verdicts: Vec<Option<Reason>> = answer.all_deciding().map(reason).collect();
    assert_eq!(verdicts[..2], [Some(Reason::NotBetterThanChance); 2]);
    let exploratory = answer.decision(TaskId(0), Measure::Mad).unwrap();
    assert!(!exploratory.deciding && exploratory.verdict == Verdict::Use);
}

#[test]
fn tied_are_the_models_of_the_set_without_baselines() {
    assert_eq!(decided(known(0, 0.001, 0.001, 0.1), |_| {}).tied, [VariantId(0)]);
    assert_eq!(decided(known(0, 0.001, 0.001, 0.09), |_| {}).tied, []);
}

#[test]
fn the_ordinary_measure_changes_the_pick_only_where_the_other_is_worth_using() {
    let changes = |inference: TaskInference, change: &dyn Fn(&mut TaskScores)| {
        let (names, mut found) = world();
        change(&mut found);
        answered(&names, &[found], &[inference]).picks[0].tasks[0].changes
    };
    let fine = || known(0, 0.001, 0.001, 0.02);
    let undecided = Changes::Undecided;
    assert_eq!(changes(fine(), &|_| {}), Changes::Yes);
    assert_eq!(changes(known(0, 0.001, 0.001, 0.5), &|_| {}), undecided(Undecided::Tied));
    assert_eq!(
        changes(known(0, 0.3, 0.001, 0.02), &|_| {}),
        undecided(Undecided::NoModel(Reason::NotBetterThanChance))
    );
    assert_eq!(changes(fine(), &|found| found.scores[0][0] = Score::Value(8.0)), Changes::No);
    let silent = |found: &mut TaskScores| {
        found.counts = vec![caught(0, 0, 0); 3];
        found.scores.iter_mut().for_each(|row| row[1] = Score::Value(0.0));
    };
    assert_eq!(changes(fine(), &silent), undecided(Undecided::NoModel(Reason::NoEventCaught)));
    let no_mad = |found: &mut TaskScores| {
        let undefined = Score::Undefined(tailrank_metrics::Undefined::Overflow);
        found.scores.iter_mut().for_each(|row| row[0] = undefined);
    };
    assert_eq!(changes(fine(), &no_mad), undecided(Undecided::NoPick(Measure::Mad)));
}

/// A share of a gain is stated from 0 to 1, and only of a gain that is significant.
#[test]
fn shares_are_of_significant_gains() {
    let share = |p_baseline: f64, f_of_a: f64| {
        let (names, mut found) = world();
        found.scores[0][1] = Score::Value(f_of_a);
        let answer = answered(&names, &[found], &[known(0, 0.001, p_baseline, 0.02)]);
        answer.picks[0].tasks[0].loss.unwrap().share
    };
    // 0.4 is 0.3 better than the baseline's 0.1; 0.2 loses two thirds of that, 0.05 more than all.
    assert!((share(0.01, 0.2).unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!((share(0.01, 0.05), share(0.2, 0.2)), (None, None));
}

#[test]
fn the_ladder_starts_with_no_model_and_bounds_the_costs() {
    let (names, found) = world();
    let answer = answered(&names, &[found], &[known(0, 0.001, 0.001, 0.02)]);
    let rungs: Vec<(f64, Option<usize>)> =
        answer.ladders[0].rungs.iter().map(|r| (r.from, r.model.map(|m| m.0))).collect();
    assert_eq!(rungs, [(0.0, None), (0.5, Some(1))]);
    let decision = answer.deciding(TaskId(0)).unwrap();
    assert_eq!((decision.cost_from, decision.cost_to), (Some(0.5), None));
    // The pick by MAD is never the one to act on.
    let by_mad = answer.decision(TaskId(0), Measure::Mad).unwrap();
    assert_eq!((by_mad.model, by_mad.cost_from), (Some(VariantId(0)), None));
}

#[test]
fn a_model_without_false_alarms_is_acted_on_at_any_cost() {
    let (names, mut found) = world();
    found.counts[1] = caught(30, 10, 0);
    let answer = answered(&names, &[found], &[]);
    assert_eq!(answer.ladders[0].rungs.len(), 1);
    assert_eq!(answer.ladders[0].range(VariantId(1)), Some((0.0, None)));
}

#[test]
fn repeats_count_one_pass_over_the_test() {
    let (_, mut found) = world();
    (found.repeats, found.events) = (3, 50);
    let counts = |hits: usize, false_alarms: usize| EventCounts {
        events: 150,
        signals: hits + false_alarms,
        hits,
        near_misses: 0,
        false_alarms,
        missed: 150 - hits,
    };
    found.counts[1] = Some(counts(31, 8));
    let of = Counts::of(&found, VariantId(1)).unwrap();
    assert_eq!(of, Counts { signals: 13, caught: 10, false_alarms: 3, missed: 40 });
    // One event caught in one of three repeats is more than none.
    found.counts[1] = Some(counts(1, 0));
    assert_eq!(Counts::of(&found, VariantId(1)).unwrap().caught, 1);
}

fn warned(change: impl FnOnce(&mut Names, &mut TaskScores, &mut TaskInference)) -> Vec<Warning> {
    let (mut names, mut found) = world();
    let mut inference = known(0, 0.001, 0.001, 0.02);
    change(&mut names, &mut found, &mut inference);
    answered(&names, &[found], &[inference]).warnings.remove(0)
}

#[test]
fn warnings_are_typed() {
    assert_eq!(warned(|_, _, _| {}), []);
    // Up to a fifth events are rare, below ten they are few.
    let events = |n: usize| warned(|_, found, _| (found.events, found.cases) = (n, 100));
    assert_eq!(events(21), [Warning::EventsNotRare { events: 21, cases: 100 }]);
    assert_eq!((events(20), events(10)), (vec![], vec![]));
    assert_eq!(events(9), [Warning::FewEvents { events: 9 }]);
    let training = |n: usize| warned(|_, found, _| found.training_events = Some(n));
    assert_eq!((training(9), training(10)), (vec![Warning::FewTrainingEvents { events: 9 }], vec![]));
    let model = VariantId(1);
    let unconverged = warned(|_, found, _| found.status[1] = VariantStatus::NotConverged);
    assert_eq!(unconverged, [Warning::NotConverged { model }]);
    for (caution, code) in [
        (Caution::FewHits(4), "few_hits"),
        (Caution::FewEvents(40), "few_units"),
        (Caution::FewBlocks(9), "few_units"),
        (Caution::FewCases(300), "short_series"),
        (Caution::FewDates(210), "short_series"),
        (Caution::FewGroups(90), "short_series"),
    ] {
        let found = warned(|_, _, known| known.measures[1].cautions[1] = Some(caution));
        assert_eq!(found, [Warning::Unsure { model, measure: Measure::F, caution }]);
        assert_eq!(found[0].code(), code);
    }
    assert_eq!(
        warned(|_, _, known| known.measures[1].set_p[0] = Some(0.5)),
        [Warning::AllTied { models: 2 }]
    );
    let slope = |slope: f64| warned(|_, _, known| known.slopes[1] = Some(slope));
    assert_eq!(slope(0.5), [Warning::CalibrationSlope { model, slope: 0.5 }]);
    assert_eq!((slope(0.8), slope(1.2)), (vec![], vec![]));
}

/// The grid of a model is that of its own family and recipe, and an edge is one only where moving the
/// parameter moves predictions.
#[test]
fn a_model_at_the_edge_of_its_own_grid_is_warned_of() {
    let edges = |best: usize, same_as: [usize; 6]| -> Vec<Warning> {
        let mut who = names(1, &["a", "b", "c", "d", "other family", "other recipe"]);
        for (name, cost) in who.variants.iter_mut().zip([1.0, 10.0, 100.0, 1000.0, 5000.0, 0.1]) {
            name.params = Params::new().with("cost", cost).with("k", 7);
        }
        who.variants[4].group = "h".to_owned();
        who.variants[5].recipe = "smote".to_owned();
        let mut rows = [[5.0, 0.1]; 6];
        rows[best] = [1.0, 0.5];
        let mut found = scores(&rows);
        found.measures = vec![PAIR.0, PAIR.1];
        found.same_as = same_as.map(VariantId).to_vec();
        answered(&who, &[found], &[]).warnings.remove(0)
    };
    let apart = [0, 1, 2, 3, 4, 5];
    let edge = |model: usize, value: f64, end: GridEnd| {
        vec![Warning::GridEdge { model: VariantId(model), parameter: "cost".to_owned(), value, end }]
    };
    assert_eq!(edges(0, apart), edge(0, 1.0, GridEnd::Smallest));
    assert_eq!(edges(1, apart), []);
    assert_eq!(edges(3, apart), edge(3, 1000.0, GridEnd::Largest));
    // The only one of its family has no grid.
    assert_eq!(edges(4, apart), []);
    // A cost that moves no prediction has no edge.
    assert_eq!(edges(0, [0, 0, 2, 3, 4, 5]), []);
}

#[test]
fn the_deciding_measure_is_the_named_one_or_that_of_the_first_pair() {
    use Measure::{F, Mad, Mse, Sera};
    let all = [Mad, Mse, F, Sera];
    assert_eq!(deciding_measure(Some(Mse), &[(Mad, Sera)], &all), Some(Mse));
    assert_eq!(deciding_measure(None, &[(Mad, Sera), (Mad, F)], &all), Some(Sera));
    assert_eq!(deciding_measure(None, &[], &all), Some(F));
    assert_eq!(deciding_measure(None, &[], &[Mse, Sera]), Some(Mse));
    assert_eq!(deciding_measure(None, &[], &[]), None);
}

#[test]
fn the_table_is_data_in_the_columns_of_the_decision() {
    let (names, found) = world();
    let answer = answered(&names, &[found], &[known(0, 0.001, 0.01, 0.5)]);
    let table = table(&names, &answer);
    let columns: Vec<&str> = table.columns.iter().map(|c| c.id.as_str()).collect();
    let expected = "task, measure, deciding, verdict, reason, model, family, score, lower, upper, chance, p_chance, baseline, \
                    baseline_score, p_baseline, p_verdict, p_adjusted, tied, events, signals, caught, false_alarms, missed, \
                    cost_from, cost_to";
    assert_eq!(columns.join(", "), expected);
    assert_eq!(table.rows.len(), 2);
}
