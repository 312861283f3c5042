use tailrank_metrics::{Accuracy, Measure, Relevance, Score, Settings};
use tailrank_models::Cancel;
use tailrank_stats::{NullOrders, Resamples, Rescaling, accelerated_interval};

use super::super::tests::{by, names};
use super::super::{RowDesign, TaskInference, infer};
use super::*;
use crate::{
    config::Inference,
    score::{TaskId, TaskScorer, TaskScores, VariantId, VariantStatus},
};

const ROWS: usize = 60;
const MEASURES: [Measure; 3] = [Measure::Mad, Measure::F, Measure::Correlation];

fn truth(row: usize) -> f64 {
    3.0 * (row as f64 * 0.7).sin()
}

/// What a variant predicts for a row in a repeat; variant 2 is a constant, which has no correlation.
fn predicted(variant: usize, repeat: usize, row: usize) -> f64 {
    let noise = ((row * (repeat + 2) + 17 * variant) as f64 * 1.3).sin();
    [truth(row) + 0.8 * noise, 1.5 * truth(row) + 1.5 * noise, 2.6][variant]
}

/// Repeats of two folds with another φ each: the first tests all rows, in an order of its own; the second
/// leaves some out.
fn parts(events_from: f64) -> Vec<TaskTruth> {
    let rows = [
        (0..ROWS).filter(|r| r % 2 == 0).collect::<Vec<usize>>(),
        (0..ROWS).filter(|r| r % 2 == 1).collect(),
        (0..ROWS).rev().filter(|r| r % 3 == 0).collect(),
        (0..ROWS).filter(|r| r % 3 == 1).collect(),
    ];
    let of = |(part, rows): (usize, Vec<usize>)| {
        let from = events_from + 0.1 * part as f64;
        let settings = Settings {
            relevance: Some(Relevance::sigmoid(None, Some(from), 0.5, 1e-4).unwrap()),
            accuracy: Some(Accuracy::smooth(0.5, 8.0).unwrap()),
            ..Settings::default()
        };
        let truth = rows.iter().map(|&r| truth(r)).collect();
        TaskTruth { repeat: part / 2, rows, ..TaskTruth::new(truth, settings) }
    };
    rows.into_iter().enumerate().map(of).collect()
}

fn predictions(parts: &[TaskTruth]) -> Vec<Predictions> {
    let of_part = |v: usize, p: &TaskTruth| p.rows.iter().map(|&r| predicted(v, p.repeat, r)).collect();
    let of = |v: usize| Predictions {
        status: VariantStatus::Fine,
        parts: parts.iter().map(|p| of_part(v, p)).collect(),
    };
    (0..3).map(of).collect()
}

fn settings() -> Inference {
    Inference { resamples: 300, shifts: 200, ..Inference::default() }
}

fn inferred(parts: &[TaskTruth]) -> (TaskScores, TaskInference) {
    let predictions = predictions(parts);
    let mut scorer = TaskScorer::new(parts, &MEASURES, &[false; 3]).unwrap();
    for (v, p) in predictions.iter().enumerate() {
        scorer.add(VariantId(v), p).unwrap();
    }
    let scores = scorer.finish();
    let load = |of: &[VariantId]| Ok(of.iter().map(|v| predictions[v.0].clone()).collect());
    let found = asked(parts, &scores, |question| infer(question, &load, &Cancel::default()).unwrap());
    (scores, found)
}

/// What a question about some scores is answered by.
fn asked<R>(parts: &[TaskTruth], scores: &TaskScores, answer: impl FnOnce(&Question<'_>) -> R) -> R {
    answer(&Question {
        task: TaskId(0),
        names: &names(&[false; 3]),
        parts,
        horizon: None,
        lags: 0,
        scores,
        judged: &[Measure::Mad],
        design: &RowDesign::default(),
        tests: 1,
        alpha: 0.05,
        settings: &settings(),
        seed: 5,
    })
}

/// A score as an evaluation gives it, of the rows that `times` counts, with the truth of row `meets(row)`.
fn direct(
    parts: &[TaskTruth],
    variant: usize,
    measure: Measure,
    times: &dyn Fn(usize) -> u32,
    meets: &dyn Fn(usize) -> usize,
) -> f64 {
    let of_repeat = |repeat: usize| {
        let own: Vec<&TaskTruth> = parts.iter().filter(|p| p.repeat == repeat).collect();
        let drawn = |p: &TaskTruth| -> Vec<usize> {
            p.rows.iter().flat_map(|&r| vec![r; times(r) as usize]).collect()
        };
        let own: Vec<(&TaskTruth, Vec<usize>)> =
            own.into_iter().map(|p| (p, drawn(p))).filter(|(_, rows)| !rows.is_empty()).collect();
        let y: Vec<Vec<f64>> =
            own.iter().map(|(_, rows)| rows.iter().map(|&r| truth(meets(r))).collect()).collect();
        let z: Vec<Vec<f64>> = own
            .iter()
            .map(|(_, rows)| rows.iter().map(|&r| predicted(variant, repeat, r)).collect())
            .collect();
        let scorer =
            Scorer::pooled(y.iter().map(Vec::as_slice).zip(own.iter().map(|(p, _)| p.settings.clone())));
        counted(scorer.unwrap().score_parts(&z, &[measure]).unwrap()[0])
    };
    let of_repeats = [of_repeat(0), of_repeat(1)];
    let defined: Vec<f64> = of_repeats.into_iter().filter(|v| !v.is_nan()).collect();
    defined.iter().sum::<f64>() / defined.len() as f64
}

#[test]
fn intervals_are_those_of_the_mean_over_repeats_on_drawn_rows() {
    let parts = parts(1.6);
    let (scores, found) = inferred(&parts);
    let resamples = Resamples::cases(ROWS, 300, 5).unwrap();
    for (measure, v) in [(Measure::Mad, 0), (Measure::Mad, 1), (Measure::F, 0), (Measure::F, 1)] {
        let draw = |d: usize| {
            let counts = resamples.counts(d);
            // Rows that no repeat tests have no place among those drawn: all 60 are tested by the first
            // repeat.
            direct(&parts, v, measure, &|row| counts[row], &|row| row)
        };
        let draws: Vec<f64> = (0..300).map(draw).collect();
        let score = scores.score(VariantId(v), measure).and_then(Score::value).unwrap();
        let expected = accelerated_interval(score, &draws, settings().level).unwrap();
        let interval = by(&found, measure).intervals[v].unwrap();
        // Widened as Student's distribution with 59 degrees of freedom asks for, on the scale of the bounds.
        let error = expected.standard_error * (60.0_f64 / 59.0).sqrt();
        let wide = Rescaling::with_df(settings().level, 59.0).unwrap().interval(expected, error);
        let by = (wide.lower - score) / (expected.lower - score);
        let scale = |x: f64| if measure == Measure::F { (x / (1.0 - x)).ln() } else { x.ln() };
        let moved = |end: f64| scale(score) + by * (scale(end) - scale(score));
        for (found, expected) in [
            (interval.estimate, score),
            (scale(interval.lower), moved(expected.lower)),
            (scale(interval.upper), moved(expected.upper)),
            (interval.standard_error, error),
        ] {
            assert!((found - expected).abs() < 1e-12, "{measure:?} of {v}: {found} {expected}");
        }
        assert!(expected.upper - expected.lower > 0.05, "{expected:?}");
    }
}

#[test]
fn chance_gives_a_row_another_truth_in_all_repeats_at_once() {
    let parts = parts(1.6);
    let (scores, found) = inferred(&parts);
    let permutations = NullOrders::new(&Units::cases(ROWS), &[0; ROWS], 0, 200, 5 ^ 0x6C75_636B).unwrap();
    let best_of = |d: usize| {
        let order = permutations.order(d);
        let of = |v| direct(&parts, v, Measure::F, &|_| 1, &|row| order[row] as usize);
        (0..3).map(of).fold(f64::NEG_INFINITY, f64::max)
    };
    let best: Vec<f64> = (0..200).map(best_of).collect();
    let test = by(&found, Measure::F).chance.clone().unwrap();
    assert_eq!(Some(test.variant), scores.best(Measure::F));
    let score = scores.score(test.variant, Measure::F).and_then(Score::value).unwrap();
    assert!((test.score - score).abs() < 1e-12, "{} {score}", test.score);
    let mut sorted = best.clone();
    sorted.sort_by(f64::total_cmp);
    let middle = 0.5 * (sorted[99] + sorted[100]);
    assert!((test.chance - middle).abs() < 1e-12, "{test:?}");
    // Scores over folds vary more than rearranged ones.
    let reached = best.iter().filter(|b| **b >= middle + (score - middle) / FOLDS).count();
    assert!((test.p - (1 + reached) as f64 / 201.0).abs() < 1e-12, "{} {reached}", test.p);
}

#[test]
fn losses_of_a_row_are_averaged_before_they_are_compared() {
    let parts = parts(1.6);
    let predictions = predictions(&parts);
    let (scores, _) = inferred(&parts);
    let loss = |v: usize, row: usize| {
        let tested = [0, 1].into_iter().filter(|r| *r == 0 || row % 3 < 2);
        let errors: Vec<f64> = tested.map(|r| (predicted(v, r, row) - truth(row)).abs()).collect();
        errors.iter().sum::<f64>() / errors.len() as f64
    };
    let of = |v: usize| (0..ROWS).map(|row| loss(v, row)).collect::<Vec<f64>>();
    asked(&parts, &scores, |question| {
        let repeats = Repeats::new(question, &predictions).unwrap();
        for v in 0..2 {
            let found = repeats.unit_means(|_, repeat| {
                let truth = repeat.scorer.parts().iter().flat_map(Part::truth);
                truth.zip(repeat.predicted[v].iter().copied().flatten()).map(|(y, z)| (z - y).abs()).collect()
            });
            assert!(found.iter().zip(of(v)).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        }
    });
}

/// Of a mean what the rows add is the whole difference of the scores; of F nearly, and the other way round
/// the same but for the sign.
#[test]
fn what_rows_add_to_a_gain_makes_up_the_difference() {
    let parts = parts(1.6);
    let predictions = predictions(&parts);
    let scores = inferred(&parts).0;
    asked(&parts, &scores, |question| {
        let repeats = Repeats::new(question, &predictions).unwrap();
        for (measure, tolerance) in [(Measure::Mad, 1e-9), (Measure::F, 1e-3)] {
            let gains = |a, b| repeats.terms([a, b].into_iter(), &[measure.into()]).unwrap().unit_gains();
            let score = |v| scores.score(VariantId(v), measure).and_then(Score::value).unwrap();
            let (there, back) = (gains(0, 1), gains(1, 0));
            assert!(there.len() == ROWS && there.iter().zip(&back).all(|(a, b)| (a + b).abs() < 1e-9));
            let (sum, difference) = (there.iter().sum::<f64>(), score(0) - score(1));
            assert!(
                (sum - difference).abs() < tolerance && difference.abs() > tolerance,
                "{sum} {difference}"
            );
        }
    });
}

#[test]
fn a_model_without_a_score_is_left_out_of_the_set_alone() {
    let (_, found) = inferred(&parts(1.6));
    let correlation = by(&found, Measure::Correlation);
    assert_eq!(correlation.set_reason, None);
    assert_eq!(correlation.set_p.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(correlation.intervals.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
}
