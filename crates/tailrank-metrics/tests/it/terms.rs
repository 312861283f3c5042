//! Scores from sums of per-case terms: the same as the scorer's, and as scoring the resampled cases.

use crate::random;

use proptest::prelude::*;
use random::Random;
use tailrank_metrics::{
    Accuracy, Measure, Relevance, Score, Scorer, Settings, Undefined,
    classic::Reference,
    registry::MEASURES,
    scoring::{Statistic, TermTable},
    trading::TradingRule,
    utility::{Uba, Ut08},
};

fn settings(x: f64) -> Settings {
    let relevance =
        Relevance::range(&[(-2.0 - x, 1.0), (0.1 * x, 0.0), (2.0 - x / 2.0, 1.0)], Some(&[0.0; 3])).unwrap();
    let Relevance::Pchip(pchip) = relevance.clone() else { panic!("not piecewise cubic") };
    Settings {
        relevance: Some(relevance),
        t_e: 0.6,
        accuracy: Some(Accuracy::smooth(0.7 + x, 8.0).unwrap()),
        beta: 0.5,
        utility: Some(Ut08::new(1.0, 0.8, 0.6, None).unwrap()),
        uba: Some(Uba::new(&pchip, 0.5, 0.3).unwrap()),
        reference: Some(Reference::TrainingMean(0.1 + x)),
        over: 2.0,
        under: 3.0,
        linex_shape: -0.7,
        linex_scale: 1.5,
        trading: Some(TradingRule { cost: 0.001, ..TradingRule::new(1.0, 2) }),
        ..Settings::default()
    }
}

fn statistics() -> Vec<Statistic> {
    let numeric = MEASURES.iter().map(|m| m.measure.into());
    numeric.chain([Statistic::CalibrationSlope]).collect()
}

fn direct(scorer: &Scorer<'_>, predicted: &[&[f64]], statistic: Statistic) -> Score {
    match statistic {
        Statistic::Measure(measure) => scorer.score_parts(predicted, &[measure]).unwrap()[0],
        _ => scorer.calibration_slope(predicted).unwrap(),
    }
}

fn same(a: Score, b: Score, tolerance: f64) -> bool {
    match (a, b) {
        (Score::Value(a), Score::Value(b)) => (a - b).abs() <= tolerance * a.abs().max(1.0),
        (a, b) => a == b,
    }
}

fn pairs(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec(
        prop_oneof![
            (-4.0..4.0_f64, -4.0..4.0_f64),
            (-3..4_i32, -3..4_i32).prop_map(|(a, b)| (f64::from(a), f64::from(b))),
        ],
        n,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// finish(Σ terms) is the score, and finish(Σ counts · terms) the score of the resampled cases, for every
    /// statistic.
    #[test]
    fn sums_of_terms_give_the_score_and_its_resamples(
        first in pairs(1..700), second in pairs(1..60), seed in any::<u64>(),
    ) {
        let parts = [first, second];
        let split = |which: fn(&(f64, f64)) -> f64| -> Vec<Vec<f64>> {
            parts.iter().map(|p| p.iter().map(which).collect()).collect()
        };
        let (truth, predicted) = (split(|c| c.0), split(|c| c.1));
        let negated: Vec<Vec<f64>> = predicted.iter().map(|p| p.iter().map(|z| -z).collect()).collect();
        let pooled = |truth: &'_ [Vec<f64>]| {
            let parts: Vec<(Vec<f64>, Settings)> =
                truth.iter().zip([0.0, 0.2]).map(|(y, x)| (y.clone(), settings(x))).collect();
            parts
        };
        let whole = pooled(&truth);
        let scorer = Scorer::pooled(whole.iter().map(|(y, s)| (y.as_slice(), s.clone()))).unwrap();
        let statistics = statistics();
        let table = TermTable::new(&scorer, &[&predicted, &negated], &statistics).unwrap();
        let sums: Vec<f64> = table.iter().map(|column| column.iter().sum()).collect();

        // A resample of cases within each part.
        let mut random = Random::new(seed);
        let drawn: Vec<Vec<usize>> = truth
            .iter()
            .map(|p| p.iter().map(|_| (random.uniform() * p.len() as f64) as usize).collect())
            .collect();
        let mut counts = vec![0.0; table.cases()];
        for (rows, offset) in drawn.iter().zip([0, truth[0].len()]) {
            for &row in rows {
                counts[offset + row] += 1.0;
            }
        }
        let resampled_sums: Vec<f64> =
            table.iter().map(|column| column.iter().zip(&counts).map(|(t, c)| t * c).sum()).collect();
        let take = |from: &[Vec<f64>]| -> Vec<Vec<f64>> {
            from.iter().zip(&drawn).map(|(p, rows)| rows.iter().map(|&r| p[r]).collect()).collect()
        };
        let resampled = pooled(&take(&truth));
        let again = Scorer::pooled(resampled.iter().map(|(y, s)| (y.as_slice(), s.clone()))).unwrap();

        for (variant, predicted) in [&predicted, &negated].into_iter().enumerate() {
            let slices: Vec<&[f64]> = predicted.iter().map(Vec::as_slice).collect();
            let redrawn = take(predicted);
            let redrawn: Vec<&[f64]> = redrawn.iter().map(Vec::as_slice).collect();
            for (i, &statistic) in statistics.iter().enumerate() {
                let score = table.finish(variant, i, &sums);
                let resample = table.finish(variant, i, &resampled_sums);
                if !statistic.has_terms() {
                    prop_assert_eq!(score.undefined(), Some(Undefined::NoTerms));
                    continue;
                }
                let expected = direct(&scorer, &slices, statistic);
                prop_assert!(same(score, expected, 1e-12), "{statistic}: {score:?} against {expected:?}");
                let expected = direct(&again, &redrawn, statistic);
                // Moments about the centres of the whole sample cost a digit or two.
                prop_assert!(same(resample, expected, 1e-11), "{statistic}: {resample:?} against {expected:?}");
            }
        }
    }
}

#[test]
fn only_medians_curves_and_accounts_have_no_terms() {
    let without: Vec<String> =
        statistics().iter().filter(|s| !s.has_terms()).map(ToString::to_string).collect();
    assert_eq!(without, ["medae", "pr_area", "growth"]);
}

#[test]
fn shared_terms_are_held_once() {
    let truth = [1.0, 2.0, -3.0];
    let scorer = Scorer::new(&truth, settings(0.0)).unwrap();
    let variants = [vec![[1.0, 1.5, -2.0]], vec![[0.0, 0.5, -2.5]]];
    let table = |measures: &[Measure]| {
        let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
        TermTable::new(&scorer, &variants, &statistics).unwrap()
    };
    // n; |e| twice.
    assert_eq!(table(&[Measure::Mad]).columns(), 3);
    // n, Σ|y − m|; |e| twice.
    assert_eq!(table(&[Measure::Mad, Measure::Rae]).columns(), 4);
    // Events and their relevance; signals, their relevance, two sums with α, twice.
    assert_eq!(table(&[Measure::Precision, Measure::Recall, Measure::F]).columns(), 2 + 2 * 4);
    // Settings that are missing leave no column and a reason.
    let bare = Scorer::new(&truth, Settings::default()).unwrap();
    let table = TermTable::new(&bare, &variants, &[Measure::F.into(), Measure::PrArea.into()]).unwrap();
    assert_eq!(table.columns(), 0);
    assert_eq!(table.finish(1, 0, &[]).undefined(), Some(Undefined::MissingInput));
}

/// A resample may draw one value again and again: what is left of its variance is rounding, and no
/// correlation.
#[test]
fn a_resample_of_one_value_has_no_correlation() {
    let truth = [1.0, 2.0, 3.0, 4.0];
    for value in [1e6 / 3.0, 7e5 / 9.0, 1e7 / 7.0, 123_456.789] {
        let predicted = vec![vec![value, value, 0.0, 5.0]];
        let scorer = Scorer::new(&truth, Settings::default()).unwrap();
        let table = TermTable::new(&scorer, &[&predicted], &[Measure::Correlation.into()]).unwrap();
        let sums: Vec<f64> = table.iter().map(|column| 2.0 * column[0] + column[1]).collect();
        assert_eq!(table.finish(0, 0, &sums).undefined(), Some(Undefined::ConstantPredictions), "{value}");
    }
}

#[test]
fn statistics_follow_from_the_sums() {
    let truth = [1.0, 2.0, -3.0];
    let scorer = Scorer::new(&truth, settings(0.0)).unwrap();
    let statistics = [Measure::Mad, Measure::Mse].map(Statistic::from);
    let table = TermTable::new(&scorer, &[vec![[1.0, 1.5, -2.0]]], &statistics).unwrap();
    let sums: Vec<f64> = table.iter().map(|column| column.iter().sum()).collect();
    let scores = [0, 1].map(|statistic| table.finish(0, statistic, &sums));
    // Errors 0, −½ and 1.
    assert_eq!(scores, [Score::Value(0.5), Score::Value(1.25 / 3.0)]);
}
