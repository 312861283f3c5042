//! Scores under shifts, permutations and flipped signs equal the scores of predictions moved by hand.

use crate::random;

use random::Random;
use tailrank_metrics::{
    Accuracy, Relevance, Score, Scorer, Settings, Undefined,
    classic::Reference,
    registry::MEASURES,
    scoring::{Alignment, NullScorer, Permutation, Statistic},
    trading::TradingRule,
    utility::{Uba, Ut08},
};

fn settings(x: f64, accuracy: Accuracy, t_e: f64, sigmoid: bool) -> Settings {
    let cubic =
        Relevance::range(&[(-2.0 - x, 1.0), (0.1 * x, 0.0), (2.0 - x / 2.0, 1.0)], Some(&[0.0; 3])).unwrap();
    let Relevance::Pchip(pchip) = cubic.clone() else { panic!("not piecewise cubic") };
    let relevance =
        if sigmoid { Relevance::sigmoid(Some(-1.5), Some(1.5 + x), 0.5, 1e-3).unwrap() } else { cubic };
    Settings {
        relevance: Some(relevance),
        t_e,
        accuracy: Some(accuracy),
        beta: 0.5,
        utility: Some(Ut08::new(1.0, 0.8, 0.6, None).unwrap()),
        uba: Some(Uba::new(&pchip, 0.5, 0.3).unwrap()),
        reference: Some(Reference::TrainingMean(0.1 + x)),
        trading: Some(TradingRule::new(1.0, 2)),
        ..Settings::default()
    }
}

fn statistics() -> Vec<Statistic> {
    let numeric = MEASURES.iter().map(|m| m.measure.into());
    numeric.chain([Statistic::CalibrationSlope]).collect()
}

fn check(scorer: &Scorer<'_>, moved: &[Vec<f64>], scores: &[Score], statistics: &[Statistic], what: &str) {
    for (&statistic, &score) in statistics.iter().zip(scores) {
        let expected = match statistic {
            Statistic::Measure(measure) => scorer.score_parts(moved, &[measure]).unwrap()[0],
            _ => scorer.calibration_slope(moved).unwrap(),
        };
        let same = match (score, expected) {
            (Score::Value(a), Score::Value(b)) => (a - b).abs() <= 1e-12 * b.abs().max(1.0),
            (a, b) => a == b,
        };
        assert!(same, "{statistic} {what}: {score:?} against {expected:?}");
    }
}

#[test]
fn every_statistic_under_every_alignment() {
    let mut random = Random::new(11);
    for (accuracy, t_e, sigmoid) in [
        (Accuracy::smooth(0.7, 8.0).unwrap(), 0.6, false),
        (Accuracy::indicator(0.4).unwrap(), 0.9, true),
        (Accuracy::linear(1.5).unwrap(), 0.0, true),
        (Accuracy::linear(1.5).unwrap(), 1.0, false),
    ] {
        let truth: Vec<Vec<f64>> = [97, 40].map(|n| (0..n).map(|_| 1.6 * random.normal()).collect()).into();
        let mut predicted: Vec<Vec<f64>> =
            truth.iter().map(|p| p.iter().map(|y| 0.7 * y + 0.8 * random.normal()).collect()).collect();
        // Some predictions lie on the border between low and high.
        let relevance = settings(0.0, accuracy, t_e, sigmoid).relevance.unwrap();
        predicted[0][..12].fill(relevance.valley());
        let parts = truth.iter().zip([0.0, 0.3]);
        let scorer =
            Scorer::pooled(parts.map(|(y, x)| (y.as_slice(), settings(x, accuracy, t_e, sigmoid)))).unwrap();
        let all = statistics();
        let sparse: Vec<Statistic> =
            all.iter().copied().filter(|s| ["f", "slope"].contains(&s.to_string().as_str())).collect();
        let quick: Vec<Statistic> = all
            .iter()
            .copied()
            .filter(|s| ["precision", "recall", "f"].contains(&s.to_string().as_str()))
            .collect();
        assert_eq!((sparse.len(), quick.len()), (2, 3));
        for statistics in [all, sparse, quick] {
            let mut realigned = NullScorer::new(&scorer, &predicted, &statistics).unwrap();
            let mut scores = Vec::new();
            for shift in [0, 1, 39, 40, 96, 97, 500] {
                realigned.score(Alignment::Shift(shift), &mut scores).unwrap();
                let mut moved = predicted.clone();
                moved.iter_mut().for_each(|p| {
                    let n = p.len();
                    p.rotate_right(shift % n);
                });
                check(&scorer, &moved, &scores, &statistics, &format!("shifted by {shift}"));
            }
            let flips: Vec<bool> = (0..137).map(|i| (i / 10) % 2 == 1).collect();
            realigned.score(Alignment::Flips(&flips), &mut scores).unwrap();
            let mut row = 0;
            let moved: Vec<Vec<f64>> = predicted
                .iter()
                .map(|p| {
                    p.iter()
                        .map(|z| {
                            row += 1;
                            if flips[row - 1] { -z } else { *z }
                        })
                        .collect()
                })
                .collect();
            check(&scorer, &moved, &scores, &statistics, "flipped");
            // Backwards within each part.
            let order: Vec<usize> = (0..97).rev().chain((97..137).rev()).collect();
            let permutation = Permutation::new(&scorer, order).unwrap();
            realigned.score(Alignment::Permutation(&permutation), &mut scores).unwrap();
            let mut moved = predicted.clone();
            moved.iter_mut().for_each(|p| p.reverse());
            check(&scorer, &moved, &scores, &statistics, "reversed");
        }
    }
}

/// Flipping the signs of predictions that signal nothing leaves nothing to be right about.
#[test]
fn flipped_silence_has_no_precision() {
    let truth = [3.0, -3.0, 0.2];
    let scorer = Scorer::new(&truth, settings(0.0, Accuracy::linear(1.0).unwrap(), 0.6, false)).unwrap();
    let quick = statistics().into_iter().filter(|s| s.to_string() == "precision").collect::<Vec<_>>();
    let mut realigned = NullScorer::new(&scorer, &[vec![0.1, -0.1, 0.1]], &quick).unwrap();
    let mut scores = Vec::new();
    realigned.score(Alignment::Flips(&[true, false, true]), &mut scores).unwrap();
    assert_eq!(scores, [Score::Undefined(Undefined::NoSignals)]);
}

#[test]
fn bad_alignments_are_named() {
    let (a, b) = ([1.0, 2.0], [3.0]);
    let scorer = Scorer::pooled([(&a[..], Settings::default()), (&b[..], Settings::default())]).unwrap();
    let message = |order: Vec<usize>| Permutation::new(&scorer, order).unwrap_err().to_string();
    assert_eq!(message(vec![0, 1]), "truth has 3 rows but order has 2: give one value per case in both");
    let fix = "name every case of a part once, within that part";
    assert_eq!(
        message(vec![0, 2, 1]),
        format!("order entry 2: case 2 is in another part or was named before; {fix}")
    );
    assert_eq!(
        message(vec![1, 1, 2]),
        format!("order entry 2: case 1 is in another part or was named before; {fix}")
    );
    let mad = [tailrank_metrics::Measure::Mad.into()];
    let mut realigned = NullScorer::new(&scorer, &[vec![1.0, 1.0], vec![1.0]], &mad).unwrap();
    let err = realigned.score(Alignment::Flips(&[true]), &mut Vec::new()).unwrap_err();
    assert_eq!(err.to_string(), "truth has 3 rows but flips has 1: give one value per case in both");
}
