//! What the paragraph warns of, and what it promises.

use tailrank_metrics::Score;

use super::{
    super::{
        MeasureInference, TaskInference,
        inference::AgainstReference,
        tests::{UNSURE, caught, measure, names, scores},
    },
    *,
};

fn decided(names: &Names, found: &TaskScores, sure: Sureness<'_>) -> Decision {
    let pair = [(measure("mad"), measure("mse"))];
    decisions(names, std::slice::from_ref(found), &pair, sure).remove(0)
}

#[test]
fn events_are_rare_up_to_a_fifth_and_few_below_ten() {
    let who = names(1, &["a", "b"]);
    let warned = |events: usize, counts: Option<EventCounts>| {
        let mut found = scores(&[[1.0, 1.0], [2.0, 2.0]]);
        (found.events, found.cases, found.counts) = (events, 100, vec![counts; 2]);
        decided(&who, &found, UNSURE).warnings
    };
    let some = caught(20, 0, 10);
    assert_eq!(warned(21, some), ["Events are 21 % of the test cases: not rare."]);
    assert_eq!(warned(20, some), [""; 0]);
    assert_eq!(warned(10, some), [""; 0]);
    assert_eq!(warned(9, some), ["There are only 9 events in the test: too few to say much."]);
    assert_eq!(warned(1, some), ["There is only 1 event in the test: too few to say much."]);
    assert_eq!(warned(0, some), ["There is no event in the test: too few to say much."]);
    // Without a φ there are no events to be rare.
    assert_eq!(warned(50, None), [""; 0]);
}

/// Counts a year need a year, and cases that come once; else they are counted in 1000 cases, if there are as many.
#[test]
fn rates_are_told_by_what_the_test_covers() {
    let who = names(1, &["a", "b"]);
    let said = |years: Option<f64>, repeats: usize, cases: usize| {
        let mut found = scores(&[[1.0, 1.0], [2.0, 2.0]]);
        found.counts = vec![caught(14, 6, 30), caught(0, 0, 0)];
        (found.years, found.repeats, found.cases) = (years, repeats, cases);
        let decision = decided(&who, &found, UNSURE);
        (decision.sentences()[0].clone(), decision.cases)
    };
    let take = "By MSE and MAD take a; it issues 50 signals: 14 hits, 6 near misses, 30 false alarms; 80 of 100 events are missed";
    assert_eq!(said(Some(1.0), 1, 2000).0, format!("{take} (20 events caught, 30 false alarms a year)."));
    assert_eq!(
        said(Some(0.75), 1, 2000).0,
        format!("{take} (10 events caught, 15 false alarms of 1000 cases).")
    );
    let twice = take.replace("signals:", "signals in 2 repeats:");
    assert_eq!(
        said(Some(2.0), 2, 2000),
        (format!("{twice} (5 events caught, 7.5 false alarms of 1000 cases)."), 4000)
    );
    assert_eq!(said(None, 1, 1000).0, format!("{take}."));
    // One signal has a rate, silence has none.
    let rate = |counts: Option<EventCounts>| {
        let mut found = scores(&[[1.0, 1.0], [2.0, 2.0]]);
        (found.counts, found.years) = (vec![counts; 2], Some(2.0));
        decided(&who, &found, UNSURE).sentences()[0].contains("a year)")
    };
    assert!(rate(caught(0, 0, 1)) && !rate(caught(0, 0, 0)));
}

/// The grid of a winner is that of its own family and recipe; references are not tuned.
#[test]
fn edges_are_those_of_the_winners_own_grid() {
    let mut who = names(1, &["a", "b", "c", "other family", "other recipe", "baseline"]);
    let params = ["cost=1", "cost=10", "cost=100", "cost=1000", "cost=1000", "cost=1000"];
    for (name, params) in who.variants.iter_mut().zip(params) {
        name.params = params.to_owned();
    }
    who.variants[3].group = "h".to_owned();
    who.variants[4].recipe = "smote".to_owned();
    let found = scores(&[[5.0, 5.0], [4.0, 4.0], [1.0, 1.0], [6.0, 6.0], [7.0, 7.0], [9.0, 9.0]]);
    let warnings = decided(&who, &found, UNSURE).warnings;
    assert_eq!(warnings, ["c stands at the edge of its grid: its cost of 100 is the largest tried."]);
}

#[test]
fn a_camp_says_how_sure_it_is() {
    let who = names(1, &["a", "b", "c", "baseline"]);
    let mut found = scores(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [9.0, 9.0]]);
    let alone = decided(&who, &found, UNSURE);
    assert_eq!((alone.camps.len(), alone.camps[0].level.len(), alone.camps[0].family_share), (1, 0, None));
    assert_eq!(alone.sentences(), ["By MSE and MAD take a."]);
    found.counts = vec![caught(20, 0, 10); 4];
    found.events = 15;
    found.cases = 100;
    let by = |id: &str, set_p: [Option<f64>; 4], share: f64| MeasureInference {
        measure: measure(id),
        intervals: vec![None; 4],
        best_shares: vec![0.0; 4],
        ranks: vec![None; 4],
        families: vec![("g".to_owned(), share)],
        set_p: set_p.to_vec(),
        set_reason: None,
        luck: Some(Luck {
            variant: VariantId(0),
            score: 1.0,
            by_luck: 2.0,
            p: 0.01,
            p_holm: 0.04,
            draws: 99,
        }),
        luck_reason: None,
        direction: Some(Direction { by_chance: 2.0, p: 0.2, p_holm: 0.4 }),
        cautions: vec![Some(Caution::FewHits(7)), None, None, None],
        against_reference: None,
    };
    let said = |set_p: [Option<f64>; 4], slope: f64| {
        let inference = TaskInference {
            task: TaskId(0),
            variants: (0..4).map(VariantId).collect(),
            slopes: vec![Some(slope), None, None, None],
            measures: vec![by("mse", set_p, 0.75), by("mad", set_p, 0.75)],
            pairwise: Vec::new(),
            block: 1.0,
            luck_by: "shift",
            reason: None,
        };
        let sure = Sureness { tasks: &[inference], set_level: 0.9, alpha: 0.05, asked: true };
        decided(&who, &found, sure).sentences()
    };
    let luck = "Its MSE of 1.00 is better than luck, which gives 2.00 (p 0.010). It does not clearly tell the side of a move (p 0.200)";
    let start = |level: &str| {
        format!(
            "By MSE and MAD take a (g wins in 75 % of the resamples{level}); it issues 30 signals: 20 hits, 0 near misses, \
             10 false alarms; 80 of 100 events are missed. {luck}"
        )
    };
    let few = "The interval of MSE for a rests on 7 hits: it may hold the truth less often than it says.";
    let first = |said: Vec<String>| said[0].clone();
    assert_eq!(first(said([Some(1.0), Some(0.01), None, None], 0.9)), format!("{}.", start("")));
    let one = said([Some(1.0), Some(0.1), Some(0.09), None], 0.5);
    assert_eq!(
        one[0],
        format!("{}. What comes is 50 % of what it signals.", start("; 1 other of its settings is level"))
    );
    assert!(one.contains(&few.to_owned()), "{one:?}");
    assert_eq!(
        first(said([Some(1.0), Some(0.5), Some(0.5), None], 0.04)),
        format!(
            "{}. The size of its signals says nothing of what comes.",
            start("; 2 others of its settings are level")
        )
    );
    // 0.05 and 0.8 end what is said of the slope.
    assert!(
        first(said([Some(1.0), None, None, None], 0.05)).ends_with(". What comes is 5 % of what it signals.")
    );
    assert_eq!(first(said([Some(1.0), None, None, None], 0.8)), format!("{}.", start("")));
}

#[test]
fn a_winner_of_another_family_has_a_camp_of_its_own() {
    let mut who = names(1, &["a", "b"]);
    let found = scores(&[[2.0, 1.0], [1.0, 2.0]]);
    let camps = |who: &Names| -> Vec<String> {
        decided(who, &found, UNSURE).camps.into_iter().map(|c| c.label).collect()
    };
    // Of one family, and nothing tells the two apart: a is the best by MSE, and by MAD as good as b.
    assert_eq!(camps(&who), ["a"]);
    assert_eq!(
        decided(&who, &found, UNSURE).sentences(),
        ["By MSE take a; by MAD it is level with the best."]
    );
    who.variants[1].group = "h".to_owned();
    assert_eq!(camps(&who), ["a", "b"]);
}

#[test]
fn why_nothing_is_known_is_said_of_the_task_it_is_about() {
    let unknown = |task: usize| TaskInference {
        task: TaskId(task),
        variants: Vec::new(),
        slopes: Vec::new(),
        measures: Vec::new(),
        pairwise: Vec::new(),
        block: 1.0,
        luck_by: "shift",
        reason: Some(format!("reason {task}")),
    };
    let tasks = [unknown(1), unknown(0)];
    let sure = Sureness { tasks: &tasks, ..UNSURE };
    let warnings = decided(&names(1, &["a", "b"]), &scores(&[[1.0, 1.0], [2.0, 2.0]]), sure).warnings;
    assert_eq!(warnings, ["How sure this is cannot be said: reason 0."]);
}

#[test]
fn a_model_without_a_false_alarm_pays_at_any_price() {
    let mut found = scores(&[[1.0, 1.0], [2.0, 2.0]]);
    let mut said = |counts: [Option<EventCounts>; 2], repeats: usize| {
        (found.counts, found.repeats) = (counts.to_vec(), repeats);
        decided(&names(1, &["a", "b"]), &found, UNSURE).sentences()[1].clone()
    };
    let free = "b catches 20 events without a false alarm: acting on it pays whatever a missed event costs.";
    assert_eq!(said([caught(20, 0, 10), caught(14, 6, 0)], 1), free);
    // Ten events that were counted twice are ten events, nine are too few to lead.
    assert_eq!(said([caught(20, 0, 10), caught(14, 6, 0)], 2), free);
    let priced =
        "If a missed event costs less than about 0.5 false alarms, no model here is worth acting on.";
    assert_eq!(said([caught(20, 0, 10), caught(13, 6, 0)], 2), priced);
}

/// A model that does no better than a baseline is named, and not taken.
#[test]
fn no_model_is_taken_that_a_baseline_equals() {
    let who = names(1, &["a", "b", "baseline zero"]);
    let said = |baseline: [f64; 2]| {
        let mut found = scores(&[[2.0, 2.0], [3.0, 3.0], [9.0, 9.0]]);
        found.scores[2] = baseline.map(Score::Value).to_vec();
        decided(&who, &found, UNSURE).sentences()
    };
    assert_eq!(said([2.5, 2.5]), ["By MSE and MAD take a."]);
    assert_eq!(
        said([2.0, 2.0]),
        ["By MSE and MAD the best model is a, but baseline zero is as good (MSE 2.00)."]
    );
    assert_eq!(
        said([1.0, 1.5]),
        ["By MSE and MAD the best model is a, but baseline zero is better (MSE 1.50 against 2.00)."]
    );
    // Beaten by one measure alone, and described once.
    assert_eq!(
        said([1.0, 2.5]),
        [
            "By MSE take a.",
            "By MAD the best model is a, but baseline zero is better (MAD 1.00 against 2.00)."
        ]
    );
}

/// What is level with the winner: copies are settings, too, and other families are named apart.
#[test]
fn all_that_is_level_is_counted() {
    let mut who = names(1, &["a", "copy of a", "b", "copy of b", "c", "baseline"]);
    who.variants[4].group = "h".to_owned();
    let mut found = scores(&[[1.0, 1.0], [1.0, 1.0], [2.0, 2.0], [2.0, 2.0], [3.0, 3.0], [9.0, 9.0]]);
    found.same_as = [0, 0, 2, 2, 4, 5].map(VariantId).to_vec();
    let said = |set_p: [Option<f64>; 4], p: f64| {
        let of = MeasureInference {
            measure: measure("mse"),
            intervals: vec![None; 4],
            best_shares: vec![0.0; 4],
            ranks: vec![None; 4],
            families: Vec::new(),
            set_p: set_p.to_vec(),
            set_reason: None,
            luck: None,
            luck_reason: None,
            direction: None,
            cautions: vec![None; 4],
            against_reference: Some(AgainstReference { reference: VariantId(5), score: 9.0, p }),
        };
        let inference = TaskInference {
            task: TaskId(0),
            variants: [0, 2, 4, 5].map(VariantId).to_vec(),
            slopes: vec![None; 4],
            measures: vec![of],
            pairwise: Vec::new(),
            block: 1.0,
            luck_by: "shift",
            reason: None,
        };
        let sure = Sureness { tasks: &[inference], set_level: 0.9, alpha: 0.05, asked: true };
        decided(&who, &found, sure).sentences().remove(0)
    };
    let beaten = "It is better than baseline, which has 9.00 (p 0.010).";
    let only = [Some(1.0), Some(0.01), Some(0.01), None];
    assert_eq!(
        said(only, 0.01),
        format!("By MSE and MAD take a (1 other of its settings is level). {beaten}")
    );
    let siblings = [Some(1.0), Some(0.5), Some(0.01), None];
    assert_eq!(
        said(siblings, 0.2),
        "By MSE and MAD take a (3 others of its settings are level). It is not clearly better than baseline, which has 9.00 (p 0.200)."
    );
    let all = [Some(1.0), Some(0.5), Some(0.5), None];
    assert_eq!(
        said(all, 0.01),
        format!(
            "By MSE and MAD take a (3 others of its settings and 1 variant of another family are level). {beaten}"
        )
    );
}

/// A parameter that moves no prediction has no edge to stand at.
#[test]
fn a_parameter_that_moves_nothing_has_no_edge() {
    let mut who = names(1, &["a", "b", "c", "d", "e", "f"]);
    let params = [
        "penalty=1,cut=1",
        "penalty=2,cut=1",
        "penalty=4,cut=1",
        "penalty=1,cut=2",
        "penalty=2,cut=2",
        "penalty=4,cut=2",
    ];
    for (name, params) in who.variants.iter_mut().zip(params) {
        name.params = params.to_owned();
    }
    let mut found = scores(&[[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]);
    assert_eq!(
        decided(&who, &found, UNSURE).warnings,
        ["a stands at the edge of its grid: its penalty of 1 is the smallest tried."]
    );
    found.same_as = [0, 0, 0, 3, 4, 5].map(VariantId).to_vec();
    assert_eq!(decided(&who, &found, UNSURE).warnings, [""; 0]);
}

/// A score on the wrong side of what luck gives is not "not clearly better".
#[test]
fn luck_that_is_better_is_said_to_be() {
    let said = |score: f64, p_holm: f64| {
        let camp = Camp {
            measures: vec![measure("mse")],
            level_by: Vec::new(),
            variant: VariantId(0),
            label: "a".to_owned(),
            family: "g".to_owned(),
            counts: None,
            repeats: 1,
            family_share: None,
            level: Vec::new(),
            level_elsewhere: Vec::new(),
            beside: None,
            luck: Some(Luck { variant: VariantId(0), score, by_luck: 4.0, p: p_holm, p_holm, draws: 99 }),
            direction: None,
            caution: None,
            slope: None,
        };
        let found = scores(&[[1.0, 1.0], [2.0, 2.0]]);
        decided(&names(1, &["a", "b"]), &found, UNSURE).of_camp(&camp, false)
    };
    assert_eq!(
        said(3.0, 0.01),
        "By MSE take a. Its MSE of 3.00 is better than luck, which gives 4.00 (p 0.010)."
    );
    assert!(said(3.0, 0.1).contains("is not clearly better than luck"));
    assert!(
        said(4.0, 0.5).contains("is no better than luck")
            && said(5.0, 0.9).contains("is no better than luck")
    );
}
