//! A recommendation stands on every test that was made.

use proptest::prelude::*;
use tailrank_experiment::config::{Compare, Inference};
use tailrank_metrics::{Accuracy, Measure, Relevance, Settings};
use tailrank_models::Cancel;
use tailrank_score::{
    external::{PredictionTable, score_predictions},
    score::{
        Results,
        answer::{Changes, Verdict},
    },
};

const ALPHA: f64 = 0.05;
const MEASURES: [Measure; 5] =
    [Measure::Mad, Measure::F, Measure::Recall, Measure::Rwse, Measure::MedianAbsolute];

fn settings() -> Settings {
    Settings {
        relevance: Some(Relevance::sigmoid(Some(-1.5), Some(1.5), 0.5, 1e-4).unwrap()),
        accuracy: Some(Accuracy::smooth(0.8, 8.0).unwrap()),
        ..Settings::default()
    }
}

fn results(tables: &[PredictionTable], horizon: Option<usize>) -> Results {
    let inference = Inference { resamples: 200, shifts: 200, ..Inference::default() };
    let compare = Compare { permutations: 100, alpha: ALPHA, ..Compare::default() };
    let settings = vec![settings(); tables.len()];
    score_predictions(&Cancel::default(), tables, &settings, &MEASURES, horizon, &compare, &inference, 3)
        .unwrap()
}

/// Whether every recommendation has all tests on its side, and every "yes" a recommendation. Gives the number
/// of both.
fn stands(found: &Results) -> (usize, usize) {
    let (mut used, mut yes) = (0, 0);
    for decision in &found.answer.decisions {
        let scores = &found.scores[decision.task];
        let is_recommended = decision.verdict == Verdict::Use;
        assert_eq!(decision.recommended().is_some(), is_recommended);
        if !is_recommended {
            continue;
        }
        used += 1;
        let (p_chance, p_verdict) = (decision.p_chance.unwrap(), decision.p_verdict.unwrap());
        assert!(p_chance <= p_verdict && p_verdict <= decision.p_adjusted.unwrap() + 1e-15);
        assert!(decision.p_adjusted.unwrap() < ALPHA, "used with p {:?}", decision.p_adjusted);
        assert_eq!(decision.baseline.is_some(), decision.p_baseline.is_some());
        assert!(decision.p_baseline.is_none_or(|p| p <= p_verdict));
        let (model, measure) = (decision.model.unwrap(), decision.measure);
        assert!(scores.best(measure) == Some(model) && !scores.references[model]);
        if let Some(baseline) = decision.baseline {
            let of = |v| scores.score(v, measure).unwrap();
            assert!(of(model).compare(of(baseline), measure.better()).is_lt(), "a baseline is as good");
        }
        if [Measure::F, Measure::Recall].contains(&measure) {
            assert!(scores.events >= 10 && decision.counts.unwrap().caught > 0, "{:?}", decision.counts);
        }
        assert!(decision.tied.iter().all(|&v| v != model && !scores.references[v]));
        for end in [decision.lower, decision.upper].into_iter().flatten() {
            let (least, most) = measure.bounds();
            assert!((least..=most).contains(&end), "{measure}: {end}");
        }
    }
    for picks in &found.answer.picks {
        for task in picks.tasks.iter().filter(|t| t.changes == Changes::Yes) {
            yes += 1;
            let decision = found.answer.decision(task.task, picks.judged_by).unwrap();
            assert_eq!(decision.verdict, Verdict::Use);
            assert!(task.chosen != task.judged && !decision.tied.contains(&task.chosen.unwrap()));
        }
        for loss in picks.tasks.iter().filter_map(|t| t.loss?.share) {
            assert!((0.0..=1.0).contains(&loss), "a share of {loss}");
        }
    }
    (used, yes)
}

/// Noise from a seed: normal, or with slow waves of volatility.
fn noise(n: usize, seed: u64, waves: bool) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut unit = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    let (mut variance, mut last) = (1.0, 0.0f64);
    let normal =
        |unit: &mut dyn FnMut() -> f64| (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos();
    (0..n)
        .map(|_| {
            if waves {
                variance = 0.05 + 0.08 * last * last + 0.87 * variance;
            }
            last = f64::sqrt(variance) * normal(&mut unit);
            last
        })
        .collect()
}

/// Tasks whose models mix the truth with noise, each at its own scale; copies and silent models among them.
fn tables(n: usize, tasks: usize, models: &[(f64, f64)], seed: u64, waves: bool) -> Vec<PredictionTable> {
    (0..tasks as u64)
        .map(|t| {
            let truth = noise(n, seed ^ t << 8, waves);
            let model = |(i, &(skill, scale)): (usize, &(f64, f64))| {
                let own = noise(n, seed ^ t << 8 ^ (i as u64 + 1) << 20, waves);
                let mixed = truth.iter().zip(own).map(|(y, e)| scale * (skill * y + (1.0 - skill) * e));
                (format!("m{i}"), mixed.collect())
            };
            let models = models.iter().enumerate().map(model).collect();
            PredictionTable::new(format!("t{t}"), truth, models).unwrap()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn no_recommendation_is_denied(
        n in prop_oneof![12..60usize, 200..500usize],
        tasks in 1..4usize,
        models in prop::collection::vec((prop_oneof![Just(0.0), Just(0.4), Just(0.9)], prop_oneof![Just(0.2), Just(1.0), Just(2.0)]), 1..6),
        series in any::<bool>(),
        waves in any::<bool>(),
        seed in any::<u64>(),
    ) {
        stands(&results(&tables(n, tasks, &models, seed, waves), series.then_some(1)));
    }
}

/// The property is not empty: where one model knows and the other is quiet, the answer is yes.
#[test]
fn what_the_tests_confirm_is_a_yes() {
    // By MAD the shrunken forecast of a weak signal wins, by F the loud one.
    let truth = noise(1500, 7, false);
    let own = noise(1500, 8, false);
    let loud: Vec<f64> = truth.iter().zip(&own).map(|(y, e)| 1.1 * (0.6 * y + 0.8 * e)).collect();
    let quiet: Vec<f64> = loud.iter().map(|z| 0.4 * z).collect();
    let models = vec![("quiet".to_owned(), quiet), ("loud".to_owned(), loud)];
    let table = PredictionTable::new("t", truth, models).unwrap();
    let found = results(&[table], Some(1));
    let (used, yes) = stands(&found);
    assert!(used > 0 && yes > 0);
    let picks = found.answer.first_picks().unwrap();
    assert_eq!((picks.chosen_by, picks.judged_by), (Measure::Mad, Measure::F));
    assert_eq!(picks.tasks[0].changes, Changes::Yes);
    // The loud one tells the side, too.
    let f = found.inference[0].measure(Measure::F).unwrap();
    assert!(f.direction.as_ref().unwrap().p < ALPHA);
}

/// Moves of the right size on a random side: better than luck in time, not in direction.
#[test]
fn the_size_alone_does_not_tell_the_side() {
    let truth: Vec<f64> = noise(1200, 3, false);
    let side = noise(1200, 4, false);
    let sized: Vec<f64> = truth.iter().zip(&side).map(|(y, s)| y.abs() * s.signum()).collect();
    let known: Vec<f64> = truth.iter().map(|y| 0.95 * y).collect();
    for (predictions, tells) in [(sized, false), (known, true)] {
        let models = vec![("m".to_owned(), predictions), ("zero".to_owned(), vec![0.0; 1200])];
        let table = PredictionTable::new("t", truth.clone(), models).unwrap();
        let found = results(&[table], Some(1));
        let f = found.inference[0].measure(Measure::F).unwrap();
        assert!(f.chance.as_ref().unwrap().p < ALPHA);
        assert_eq!(f.direction.as_ref().unwrap().p < ALPHA, tells, "{:?}", f.direction);
    }
}

/// Forecasts that know nothing are not recommended more often than the level allows: of 20 series, 4 would be
/// too many.
#[test]
fn noise_is_not_recommended() {
    let known = [(0.0, 0.2), (0.0, 1.0), (0.0, 2.0)];
    let is_used = |seed: &u64| {
        let found = results(&tables(400, 1, &known, 977 * seed, false), Some(1));
        stands(&found);
        let decision = found.answer.all_deciding().next().unwrap();
        assert_eq!(decision.measure, Measure::F);
        decision.verdict == Verdict::Use
    };
    let used = (1..=20).filter(is_used).count();
    assert!(used < 4, "{used} of 20");
}
