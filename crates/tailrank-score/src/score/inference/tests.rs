//! Questions that the data cannot answer get a reason, never a number that means nothing.

use tailrank_metrics::{Accuracy, Measure, Relevance, Settings};
use tailrank_models::{Cancel, Params};

use super::*;
use crate::score::{TaskScorer, VariantName, VariantStatus};

fn wave(n: usize, speed: f64) -> Vec<f64> {
    (0..n).map(|i| 3.0 * (i as f64 * speed).sin()).collect()
}

/// A series with the given truth, horizon 1 and two lags; the last `references` variants are references.
struct Case {
    truth: Vec<f64>,
    predictions: Vec<Vec<f64>>,
    references: usize,
    lags: usize,
    limits: (f64, f64),
    settings: Inference,
}

impl Case {
    fn new(truth: Vec<f64>, predictions: Vec<Vec<f64>>) -> Self {
        // Waves resemble themselves over the whole period, which automatic blocks would find.
        let settings = Inference { resamples: 200, shifts: 200, block: Some(4.0), ..Inference::default() };
        Self { truth, predictions, references: 0, lags: 2, limits: (-2.0, 2.0), settings }
    }

    fn infer(&self) -> TaskInference {
        let settings = Settings {
            relevance: Some(Relevance::sigmoid(Some(self.limits.0), Some(self.limits.1), 0.5, 1e-4).unwrap()),
            accuracy: Some(Accuracy::smooth(0.5, 8.0).unwrap()),
            ..Settings::default()
        };
        let parts = [TaskTruth::new(self.truth.clone(), settings)];
        let k = self.predictions.len();
        let references: Vec<bool> = (0..k).map(|v| v >= k - self.references).collect();
        let mut scorer =
            TaskScorer::new(&parts, &[Measure::Mad, Measure::F, Measure::Correlation], &references).unwrap();
        let predictions: Vec<Predictions> = self
            .predictions
            .iter()
            .map(|p| Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] })
            .collect();
        for (v, p) in predictions.iter().enumerate() {
            scorer.add(VariantId(v), p).unwrap();
        }
        let scores = scorer.finish();
        let question = Question {
            task: TaskId(0),
            names: &names(&references),
            parts: &parts,
            horizon: Some(1),
            lags: self.lags,
            scores: &scores,
            judged: &[Measure::F],
            design: &RowDesign::default(),
            tests: 1,
            alpha: 0.05,
            settings: &self.settings,
            seed: 1,
        };
        let load = |of: &[VariantId]| Ok(of.iter().map(|v| predictions[v.0].clone()).collect());
        infer(&question, &load, &Cancel::default()).unwrap()
    }
}

pub(super) fn names(references: &[bool]) -> Names {
    let variants = references.iter().enumerate().map(|(v, &reference)| VariantName {
        label: format!("v{v}"),
        group: "g".to_owned(),
        params: Params::new(),
        recipe: "plain".to_owned(),
        reference,
    });
    Names { tasks: vec!["task".to_owned()], variants: variants.collect() }
}

pub(super) fn by(found: &TaskInference, measure: Measure) -> &MeasureInference {
    found.measure(measure).unwrap()
}

#[test]
fn a_question_with_an_answer_has_one() {
    let found = Case::new(wave(200, 0.7), vec![wave(200, 0.71), wave(200, 0.3), wave(200, 1.9)]).infer();
    assert_eq!(found.reason, None);
    for measure in [Measure::Mad, Measure::F] {
        let of = by(&found, measure);
        assert!(
            of.intervals.iter().all(|i| i.is_some_and(|i| i.lower <= i.estimate && i.estimate <= i.upper))
        );
        assert!(
            of.set_reason.is_none() && of.set_p.iter().all(|p| p.is_some_and(|p| (0.0..=1.0).contains(&p)))
        );
    }
    assert!(by(&found, Measure::F).chance.is_some());
}

#[test]
fn few_events_say_nothing_about_events() {
    // 9 of 200 cases reach the threshold.
    let mut truth: Vec<f64> = wave(200, 0.7).iter().map(|y| 0.3 * y).collect();
    truth.iter_mut().step_by(23).for_each(|y| *y = 3.0);
    let events = truth.iter().filter(|y| **y == 3.0).count();
    assert_eq!(events, 9);
    let found = Case::new(truth, vec![wave(200, 0.71), wave(200, 0.3)]).infer();
    let f = by(&found, Measure::F);
    let reason = Some(Untestable::FewEvents(9));
    assert_eq!((f.set_reason, f.chance_reason), (reason, reason));
    assert!(f.intervals.iter().all(Option::is_none) && f.set_p.iter().all(Option::is_none));
    assert!(f.chance.is_none() && f.p_baselines.iter().all(Option::is_none) && f.families.is_empty());
    assert!(f.ranks.iter().all(Option::is_none));
    // Errors are counted on all cases.
    assert!(by(&found, Measure::Mad).intervals.iter().all(Option::is_some));
}

#[test]
fn constant_losses_have_no_test() {
    // Whole 64ths, so that the losses are exact.
    let truth: Vec<f64> = wave(100, 0.7).iter().map(|y| (y * 64.0).round() / 64.0).collect();
    let shifted = |by: f64| truth.iter().map(|y| y + by).collect::<Vec<f64>>();
    // Losses of ½ and ¼ in every case.
    let found = Case::new(truth.clone(), vec![shifted(0.5), shifted(0.25)]).infer();
    let mad = by(&found, Measure::Mad);
    for (interval, loss) in mad.intervals.iter().zip([0.5, 0.25]) {
        let interval = interval.unwrap();
        assert!((interval.upper - loss).abs() < 1e-12 && (interval.lower - loss).abs() < 1e-12);
    }
    assert_eq!(mad.best_shares, [0.0, 1.0]);
    let of_mad: Vec<&Pairwise> = found.pairwise.iter().filter(|p| p.measure == Measure::Mad).collect();
    assert_eq!(of_mad.len(), 1);
    // A rank test would count the cases and call that sure.
    assert!(of_mad[0].tests.is_empty(), "{:?}", of_mad[0].tests);
    assert!(mad.set_p.iter().all(Option::is_none));
    assert_eq!(mad.set_reason, Some(Untestable::Constant));
}

/// Two repeats of three folds of five cases, on each of which the losses of a variant are all the same.
#[test]
fn folds_of_a_table_have_the_corrected_resampled_t() {
    let losses = [
        [1.0, 1.2, 0.9, 1.1, 1.3, 1.0],
        [1.5, 1.3, 1.4, 1.2, 1.9, 1.4],
        [1.1, 1.2, 1.0, 1.0, 1.4, 1.1],
        // The same difference on every fold has no spread.
        [1.1, 1.3, 1.0, 1.2, 1.4, 1.1],
    ];
    let part = |fold: usize| TaskTruth {
        repeat: fold / 3,
        train: 10,
        ..TaskTruth::new(vec![0.0; 5], Settings::default())
    };
    let parts: Vec<TaskTruth> = (0..6).map(part).collect();
    let variants = losses.len();
    let mut scorer = TaskScorer::new(&parts, &[Measure::Mad], &vec![false; variants]).unwrap();
    let of = |loss: &[f64; 6]| Predictions {
        status: VariantStatus::Fine,
        parts: loss.iter().map(|l| [1.0, -1.0, 1.0, -1.0, 1.0].map(|s| s * l).to_vec()).collect(),
    };
    let predictions: Vec<Predictions> = losses.iter().map(of).collect();
    for (v, p) in predictions.iter().enumerate() {
        scorer.add(VariantId(v), p).unwrap();
    }
    let scores = scorer.finish();
    let settings = Inference { resamples: 50, shifts: 50, ..Inference::default() };
    let question = Question {
        task: TaskId(0),
        names: &names(&vec![false; variants]),
        parts: &parts,
        horizon: None,
        lags: 0,
        scores: &scores,
        judged: &[Measure::Mad],
        design: &RowDesign::default(),
        tests: 1,
        alpha: 0.05,
        settings: &settings,
        seed: 1,
    };
    let load = |of: &[VariantId]| Ok(of.iter().map(|v| predictions[v.0].clone()).collect());
    let found = infer(&question, &load, &Cancel::default()).unwrap().pairwise;
    assert_eq!(found.iter().map(|p| (p.winner.0, p.other.0)).collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3)]);
    // R: t <- mean(d) / sqrt(var(d) * (1/6 + 5/10)); p <- 2 * pt(-abs(t), 5); p.adjust(c(p, 1, 1, 1, 1),
    // "holm") of the six pairs
    let expected = [
        (-2.0788046015507495, 0.09220187654259006, 6.0 * 0.09220187654259006),
        (-0.7319250547113995, 0.49706345417382003, 1.0),
    ];
    for (pair, (t, p, holm)) in found.iter().zip(expected) {
        let test = pair.test("resampled_t").unwrap();
        for (found, expected) in [(test.statistic, t), (test.p, p), (test.p_holm, holm)] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
    assert!(found[2].tests.is_empty(), "{:?}", found[2]);
    // Folds share their training rows: their losses are neither a series nor independent.
    assert!(found.iter().all(|p| p.test("dm").is_none() && p.test("wilcoxon").is_none()));
}

#[test]
fn a_single_candidate_is_compared_with_none() {
    let found = Case::new(wave(200, 0.7), vec![wave(200, 0.71)]).infer();
    let f = by(&found, Measure::F);
    assert_eq!(f.set_p, [None]);
    assert_eq!(f.set_reason, Some(Untestable::NothingToCompare));
    assert!(found.pairwise.is_empty());
    // To be the best of one on every resample says nothing.
    assert!(f.families.is_empty() && f.ranks == [None] && f.best_shares == [0.0]);
    // Its score is as sure as it is, and chance can be asked.
    assert!(f.intervals[0].is_some() && f.chance.is_some());
}

#[test]
fn references_alone_are_candidates() {
    let mut case = Case::new(wave(200, 0.7), vec![wave(200, 0.71), wave(200, 0.3)]);
    case.references = 2;
    for of in &case.infer().measures {
        assert!(of.p_baselines.iter().all(Option::is_none) && !of.families.is_empty());
        assert!(of.set_p.iter().all(Option::is_some));
    }
}

#[test]
fn a_block_beyond_the_period_is_refused() {
    let mut case = Case::new(wave(50, 0.7), vec![wave(50, 0.71), wave(50, 0.3)]);
    case.settings.block = Some(51.0);
    let found = case.infer();
    assert!(matches!(found.reason, Some(Untestable::Setting(_))), "{:?}", found.reason);
    assert!(found.measures.is_empty());
}

#[test]
fn few_cases_are_refused() {
    let found = Case::new(wave(9, 0.7), vec![wave(9, 0.71), wave(9, 0.3)]).infer();
    assert_eq!(found.reason, Some(Untestable::FewCases(9)));
    assert!(found.measures.is_empty() && found.pairwise.is_empty());
}

#[test]
fn a_period_without_room_to_shift_has_no_chance() {
    let always = |n: usize| vec![3.0; n];
    // Shifts within lags + horizon = 3 of none are left out: 8 cases are the least, and 24 lags ask for more.
    let mut case = Case::new(always(12), vec![wave(12, 0.71)]);
    case.lags = 24;
    let found = case.infer();
    let f = by(&found, Measure::F);
    assert!(f.chance.is_none());
    assert_eq!(f.chance_reason, Some(Untestable::FewRearrangements(0)));
}

#[test]
fn too_much_to_hold_is_said() {
    let mut case = Case::new(wave(50, 0.7), (1..=200).map(|v| wave(50, 0.01 * f64::from(v))).collect());
    case.settings.resamples = 100_000;
    assert_eq!(case.infer().reason, Some(Untestable::TooLarge(200 * 3 * 100_000)));
}

#[test]
fn a_model_that_gains_nothing_does_not_beat_the_baseline() {
    let truth = wave(200, 0.7);
    let near: Vec<f64> = truth.iter().map(|y| 0.9 * y).collect();
    let p = |predictions: Vec<Vec<f64>>| {
        let mut case = Case::new(truth.clone(), predictions);
        case.references = 1;
        by(&case.infer(), Measure::Mad).p_baselines[0].unwrap()
    };
    assert!(p(vec![wave(200, 0.3), near.clone()]) > 0.9);
    // The other way round the candidate is clearly better.
    let better = p(vec![near.clone(), wave(200, 0.3)]);
    assert!(better < 0.05, "{better}");
    // Beyond all draws the tail of the gain's own t tells how small p is; never 0.
    assert!(better > 0.0, "{better}");
}

#[test]
fn no_draws_are_refused() {
    let mut case = Case::new(wave(200, 0.7), vec![wave(200, 0.71), wave(200, 0.3)]);
    case.settings.resamples = 0;
    let found = case.infer();
    assert_eq!(found.reason, Some(Untestable::Setting("draws")));
    assert!(found.measures.is_empty());
    case.settings = Inference { resamples: 200, shifts: 0, ..case.settings };
    let found = case.infer();
    let f = by(&found, Measure::F);
    assert_eq!(f.chance_reason, Some(Untestable::Setting("draws")));
    assert!(f.chance.is_none() && f.direction.is_none());
}

#[test]
fn intervals_on_few_hits_or_cases_carry_a_caution() {
    // Near enough to hit now and then, on 200 cases: few hits first, few cases for what counts none.
    let truth = wave(200, 0.7);
    let near: Vec<f64> = truth.iter().enumerate().map(|(i, y)| if i % 10 == 0 { *y } else { 0.0 }).collect();
    let found = Case::new(truth.clone(), vec![near, truth.clone()]).infer();
    let of_f = &by(&found, Measure::F).cautions;
    assert!(matches!(of_f[0], Some(Caution::FewHits(n)) if n < FEW_HITS), "{of_f:?}");
    // Many hits, but still a short series.
    assert_eq!(of_f[1], Some(Caution::FewCases(200)));
    assert_eq!(by(&found, Measure::Mad).cautions, [Some(Caution::FewCases(200)); 2]);
    let long = Case::new(wave(1500, 0.7), vec![wave(1500, 0.7), wave(1500, 0.71)]).infer();
    assert_eq!(by(&long, Measure::F).cautions[0], None);
    // 1,200 events of 1,500 cases are no rarity; 45 are few where relevance weighs them.
    let rare: Vec<f64> =
        wave(1500, 0.7).iter().enumerate().map(|(i, y)| if i % 33 == 0 { 4.0 } else { 0.3 * y }).collect();
    let few = Case::new(rare.clone(), vec![rare, wave(1500, 0.71)]).infer();
    assert_eq!(by(&few, Measure::F).cautions[0], Some(Caution::FewEvents(46)));
    assert_eq!(by(&few, Measure::Mad).cautions[0], None);
    // Cases that resemble each other over a tenth of the period.
    let mut slow = Case::new(wave(1500, 0.7), vec![wave(1500, 0.7), wave(1500, 0.71)]);
    slow.settings.block = Some(150.0);
    let slow = slow.infer();
    let mad = by(&slow, Measure::Mad);
    assert_eq!(
        (mad.cautions[0], mad.set_reason),
        (Some(Caution::FewBlocks(10)), Some(Untestable::FewBlocks(10)))
    );
    assert!(slow.pairwise.is_empty() && mad.p_baselines.iter().all(Option::is_none));
}

#[test]
fn the_side_is_asked_only_where_events_lie_on_both_sides_of_zero() {
    let case = |limits: (f64, f64), shift: f64| {
        let moved = |speed: f64| wave(300, speed).iter().map(|y| y + shift).collect::<Vec<f64>>();
        let mut case = Case::new(moved(0.7), vec![moved(0.71), moved(0.3)]);
        case.limits = limits;
        let found = case.infer();
        let f = by(&found, Measure::F);
        assert!(f.chance.is_some());
        f.direction.is_some()
    };
    assert!(case((-2.0, 2.0), 0.0));
    // The same moves about 100 have no side.
    assert!(!case((98.0, 102.0), 100.0));
}

#[test]
fn models_without_a_score_have_no_set_where_the_reference_has_one() {
    // Constants have no correlation with anything; the last variant, a reference, has.
    let truth = wave(200, 0.7);
    let mut case = Case::new(truth.clone(), vec![vec![1.0; 200], vec![2.0; 200], truth]);
    case.references = 1;
    let found = case.infer();
    let correlation = by(&found, Measure::Correlation);
    assert_eq!(correlation.set_reason, Some(Untestable::NothingToCompare));
    assert!(
        correlation.set_p.iter().all(Option::is_none) && correlation.p_baselines.iter().all(Option::is_none)
    );
    assert_eq!(correlation.intervals.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
}

/// Two baselines: a model must beat both, and its p is that against the better one; the p is its own.
#[test]
fn the_largest_p_over_all_baselines_is_each_models_own() {
    let truth = wave(300, 0.7);
    let scaled = |by: f64| truth.iter().map(|y| by * y).collect::<Vec<f64>>();
    // Models: nearly right, and as poor as zero; baselines: zero, and half the truth.
    let models = vec![scaled(0.95), scaled(0.02)];
    let p = |baselines: Vec<Vec<f64>>| {
        let count = baselines.len();
        let mut case = Case::new(truth.clone(), [models.clone(), baselines].concat());
        case.references = count;
        let found = case.infer();
        by(&found, Measure::Mad).p_baselines[..2].iter().map(|p| p.unwrap()).collect::<Vec<f64>>()
    };
    let (zero, half, both) = (p(vec![scaled(0.0)]), p(vec![scaled(0.5)]), p(vec![scaled(0.0), scaled(0.5)]));
    assert!(zero[0] < 0.01 && half[0] < 0.01);
    // The poor model beats zero by a hair on every case, and not the other baseline: Hansen's test would
    // reject for both.
    assert!(half[1] > 0.9, "{half:?}");
    for model in 0..2 {
        assert_eq!(both[model], zero[model].max(half[model]));
    }
}

/// A baseline that is the best is the best on resamples, too, and alone in the set.
#[test]
fn baselines_take_part_in_the_best_and_in_the_set() {
    let truth = wave(300, 0.7);
    let scaled = |by: f64| truth.iter().map(|y| by * y).collect::<Vec<f64>>();
    let mut case = Case::new(truth.clone(), vec![scaled(0.3), scaled(0.2), scaled(0.9)]);
    case.references = 1;
    let found = case.infer();
    let mad = by(&found, Measure::Mad);
    assert_eq!(mad.best_shares, [0.0, 0.0, 1.0]);
    assert_eq!(mad.in_set(0.9), [2]);
    // Ranks are those of the models.
    assert_eq!(
        mad.ranks.iter().map(|r| r.map(|r| r.median)).collect::<Vec<_>>(),
        [Some(1.0), Some(2.0), None]
    );
}

/// Every measure gets a test against chance: noise has none better, and what follows the truth has.
#[test]
fn every_measure_is_tested_against_chance() {
    let truth = wave(300, 0.7);
    let near: Vec<f64> = truth.iter().map(|y| 0.95 * y).collect();
    let found = Case::new(truth, vec![near, wave(300, 1.9)]).infer();
    assert_eq!(found.measures.len(), 3);
    for of in &found.measures {
        let chance = of.chance.as_ref().unwrap_or_else(|| panic!("{} is not tested", of.measure));
        assert!(chance.variant.0 == 0 && chance.p < 0.05, "{}: {chance:?}", of.measure);
    }
    // Exploratory measures make do with fewer draws.
    let draws = |m: Measure| by(&found, m).chance.as_ref().unwrap().draws;
    assert!(draws(Measure::Correlation) <= 200 && draws(Measure::F) >= draws(Measure::Correlation));
}

/// A table of noise whose rows share half of their variance with the others of their unit, two models of the
/// same kind, and its design.
struct Clustered {
    truth: Vec<f64>,
    predictions: Vec<Vec<f64>>,
    design: RowDesign,
    tests: usize,
}

impl Clustered {
    fn new(units: usize, size: usize, seed: u64) -> Self {
        let mut state = seed;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut values = || -> Vec<f64> {
            (0..units)
                .flat_map(|_| {
                    let common = 6.0 * unit();
                    (0..size).map(|_| common + 3.0 * unit()).collect::<Vec<f64>>()
                })
                .collect()
        };
        let (truth, predictions) = (values(), vec![values(), values()]);
        Self { truth, predictions, design: RowDesign::default(), tests: 1 }
    }

    fn numbers(&self, size: usize) -> Option<Vec<usize>> {
        Some((0..self.truth.len()).map(|row| row / size).collect())
    }

    fn infer(&self) -> TaskInference {
        let settings = Settings {
            relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap()),
            accuracy: Some(Accuracy::smooth(1.0, 8.0).unwrap()),
            ..Settings::default()
        };
        let rows = (0..self.truth.len()).collect();
        let parts = [TaskTruth { rows, ..TaskTruth::new(self.truth.clone(), settings) }];
        let references = vec![false; self.predictions.len()];
        let measures = [Measure::Mad, Measure::F];
        let mut scorer = TaskScorer::new(&parts, &measures, &references).unwrap();
        let of = |p: &Vec<f64>| Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] };
        let predictions: Vec<Predictions> = self.predictions.iter().map(of).collect();
        for (v, p) in predictions.iter().enumerate() {
            scorer.add(VariantId(v), p).unwrap();
        }
        let scores = scorer.finish();
        let settings = Inference { resamples: 300, shifts: 200, ..Inference::default() };
        let question = Question {
            task: TaskId(0),
            names: &names(&references),
            parts: &parts,
            horizon: None,
            lags: 0,
            scores: &scores,
            judged: &measures,
            design: &self.design,
            tests: self.tests,
            alpha: 0.05,
            settings: &settings,
            seed: 1,
        };
        let load = |of: &[VariantId]| Ok(of.iter().map(|v| predictions[v.0].clone()).collect());
        infer(&question, &load, &Cancel::default()).unwrap()
    }
}

fn width(found: &TaskInference) -> f64 {
    let interval = by(found, Measure::Mad).intervals[0].unwrap();
    interval.upper - interval.lower
}

/// Ten symbols on 120 dates: dates are drawn and shifted whole, and intervals are as wide as 120 dates allow,
/// not 1,200 rows.
#[test]
fn a_panel_is_drawn_and_shifted_by_dates() {
    let mut panel = Clustered::new(120, 10, 7);
    let alone = panel.infer();
    assert_eq!(alone.chance_by, "permutation");
    panel.design.steps = panel.numbers(10);
    panel.design.entities = Some((0..1200).map(|row| row % 10).collect());
    let whole = panel.infer();
    assert_eq!(whole.chance_by, "shift");
    // Of 120 shifts none, one and minus one are left out.
    assert_eq!(by(&whole, Measure::F).chance.as_ref().unwrap().draws, 117);
    assert!(width(&whole) > 1.5 * width(&alone), "{} {}", width(&whole), width(&alone));
    // A panel rests on its dates, not on its 1,200 cases.
    assert_eq!(by(&whole, Measure::Mad).cautions[0], Some(Caution::FewDates(120)));
    // Over ten tasks 117 shifts cannot tell anything from chance; pieces of 60 dates can. Noise stops at the
    // first look.
    panel.tests = 10;
    assert_eq!(by(&panel.infer(), Measure::F).chance.as_ref().unwrap().draws, 200);
}

/// A model that knows what an entity always is, and errs on every date, has no skill: a shift meets the same
/// entity again, in whatever order the rows of a date are.
#[test]
fn shifts_meet_the_same_entity() {
    let mut panel = Clustered::new(120, 10, 7);
    let entities: Vec<usize> = (0..1200_usize).map(|row| (row + (row / 10).pow(2) / 7) % 10).collect();
    for (row, entity) in entities.iter().enumerate() {
        let level = 3.0 * *entity as f64;
        panel.predictions[0][row] = level - 0.5 * panel.truth[row];
        panel.truth[row] += level;
    }
    panel.design.steps = panel.numbers(10);
    let p = |found: &TaskInference| by(found, Measure::Mad).chance.as_ref().unwrap().p;
    assert!(p(&panel.infer()) < 0.05, "not declared, they are told apart by their levels");
    panel.design.entities = Some(entities);
    assert!(p(&panel.infer()) > 0.9, "{}", p(&panel.infer()));
}

#[test]
fn few_dates_are_not_testable() {
    let mut panel = Clustered::new(15, 10, 3);
    panel.design.steps = panel.numbers(10);
    let found = panel.infer();
    let of = by(&found, Measure::Mad);
    assert_eq!((of.chance_reason, of.chance.is_none()), (Some(Untestable::FewRearrangements(12)), true));
}

#[test]
fn groups_are_drawn_and_exchanged_whole() {
    let mut patients = Clustered::new(40, 8, 11);
    let alone = patients.infer();
    patients.design.groups = patients.numbers(8);
    let whole = patients.infer();
    assert_eq!((whole.chance_by, whole.block), ("permutation", 1.0));
    assert_eq!(by(&whole, Measure::Mad).cautions[0], Some(Caution::FewGroups(40)));
    assert!(width(&whole) > 1.5 * width(&alone), "{} {}", width(&whole), width(&alone));
    // A model that knows the effect of each patient is far beyond what other patients' effects give.
    patients.predictions[0] =
        patients.truth.chunks(8).flat_map(|rows| vec![rows.iter().sum::<f64>() / 8.0; 8]).collect();
    let p = |found: &TaskInference| by(found, Measure::Mad).chance.as_ref().unwrap().p;
    assert!(p(&patients.infer()) <= 1.0 / 201.0);
    // Groups of two sizes meet one another too.
    let groups = patients.design.groups.as_mut().unwrap();
    groups.iter_mut().enumerate().for_each(|(row, group)| *group = if row < 12 { 0 } else { *group });
    assert!(p(&patients.infer()) < 0.05);
}

/// One task of a thousand: draws go on until p can pass the correction, for a model that is right; noise
/// stops at the first look.
#[test]
fn draws_go_on_where_p_is_near_its_bound() {
    let mut table = Clustered::new(300, 1, 5);
    table.tests = 1000;
    let draws =
        |found: &TaskInference| by(found, Measure::F).chance.as_ref().map(|c| (c.p, c.draws)).unwrap();
    assert_eq!(draws(&table.infer()).1, 200);
    table.predictions[0] = table.truth.iter().map(|y| y + 0.01).collect();
    let (p, drawn) = draws(&table.infer());
    assert!(drawn == 40_000 && p < 0.05 / 1000.0, "{p} of {drawn}");
}
