//! A "yes" stands on every test that was made: no verdict and no sentence says what the tables deny.

use proptest::prelude::*;
use tailrank_experiment::config::{Compare, Inference};
use tailrank_metrics::{Accuracy, Measure, Relevance, Settings};
use tailrank_score::{
    external::{PredictionTable, score_predictions},
    score::{Answer, Results},
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
    score_predictions(tables, &settings, &MEASURES, horizon, &compare, &inference, 3).unwrap()
}

/// Whether every "yes" has all tests on its side, and every sentence its numbers. Gives the number of yeses.
fn stands(found: &Results) -> usize {
    let mut yes = 0;
    for verdict in &found.verdicts {
        let says_yes = verdict.sentences()[0].starts_with("Yes");
        assert_eq!(says_yes, verdict.answer() == Answer::Yes, "{:?}", verdict.sentences());
        for of_task in verdict.tasks.iter().filter(|t| t.answer == Answer::Yes) {
            yes += 1;
            let scores = &found.scores[of_task.task];
            let inferred = found.inference.iter().find(|i| i.task == of_task.task).unwrap();
            let known = inferred.measure(verdict.judged_by).expect("a yes by a measure without tests");
            let place = inferred.place(of_task.chosen.as_ref().unwrap().variant, scores).unwrap();
            assert!(known.set_p[place].unwrap() < 0.1, "level with the best, and yes");
            assert!(known.luck.as_ref().unwrap().p_holm < ALPHA, "no better than luck, and yes");
            assert!(known.against_reference.as_ref().is_none_or(|r| r.p < ALPHA));
            assert!(scores.events >= 10, "{} events, and yes", scores.events);
        }
    }
    for decision in &found.decisions {
        for camp in &decision.camps {
            let unbeaten = camp.beside.as_ref().is_some_and(tailrank_score::score::Beside::is_unbeaten);
            let verb = if unbeaten { "the best model is" } else { "take" };
            let of_camp = |s: &&String| s.contains(&format!("{verb} {}", camp.label));
            let Some(text) = decision.sentences().iter().find(of_camp).cloned() else {
                panic!("no sentence for {}", camp.label)
            };
            let better = camp.luck.as_ref().is_some_and(|l| l.p_holm < ALPHA);
            assert_eq!(text.contains(" is better than luck"), better, "{text}");
            let tells = camp.direction.as_ref().is_some_and(|d| d.p_holm < ALPHA);
            let signals = camp.counts.is_some_and(|c| c.signals > 0);
            assert_eq!(text.contains("It tells the side"), tells && signals, "{text}");
        }
    }
    yes
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
    fn no_yes_is_denied(
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
    assert!(stands(&found) > 0);
    let pair = found.verdicts.iter().find(|v| (v.chosen_by, v.judged_by) == (Measure::Mad, Measure::F));
    assert_eq!(pair.unwrap().answer(), Answer::Yes, "{:?}", pair.unwrap().sentences());
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
        assert!(f.luck.as_ref().unwrap().p < ALPHA);
        assert_eq!(f.direction.as_ref().unwrap().p < ALPHA, tells, "{:?}", f.direction);
    }
}
