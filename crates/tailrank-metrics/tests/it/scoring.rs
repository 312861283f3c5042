//! The scorer against the single functions, through the whole registry.

use crate::oracle::Weighted as _;

use proptest::prelude::*;
use tailrank_metrics::{
    Accuracy, Better, Measure, Relevance, Score, Scorer, Settings, Undefined,
    classic::Reference,
    f_measure,
    loss::Loss,
    pr_curve, precision_recall,
    registry::{MEASURES, OwnMeasure},
    scoring::Buffers,
    sera::{ser_curve, sera},
    trading::{TradingRecord, TradingRule},
    utility::{Uba, Ut08},
};

fn relevance() -> Relevance {
    Relevance::range(&[(-2.0, 1.0), (0.0, 0.0), (2.0, 1.0)], Some(&[0.0; 3])).unwrap()
}

fn settings() -> Settings {
    let Relevance::Pchip(pchip) = relevance() else { panic!("no pchip") };
    Settings {
        relevance: Some(relevance()),
        t_e: 0.6,
        accuracy: Some(Accuracy::smooth(0.7, 8.0).unwrap()),
        beta: 0.5,
        utility: Some(Ut08::new(1.0, 0.8, 0.6, None).unwrap()),
        uba: Some(Uba::new(&pchip, 0.5, 0.3).unwrap()),
        reference: Some(Reference::TrainingMean(0.1)),
        over: 2.0,
        under: 3.0,
        linex_shape: -0.7,
        linex_scale: 1.5,
        quantile: 0.8,
        trading: Some(TradingRule { cost: 0.001, ..TradingRule::new(1.0, 2) }),
    }
}

fn numeric() -> Vec<Measure> {
    MEASURES.iter().map(|m| m.measure).collect()
}

/// WF Table 5.8 by the book, sum by sum.
fn ordinary(measure: Measure, truth: &[f64], predicted: &[f64], reference: Reference) -> Score {
    let n = truth.len() as f64;
    let pairs = || truth.iter().zip(predicted);
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n;
    let (absolute, squared) = (
        pairs().map(|(y, z)| (z - y).abs()).sum::<f64>(),
        pairs().map(|(y, z)| (z - y).powi(2)).sum::<f64>(),
    );
    let m = match reference {
        Reference::TrainingMean(m) => m,
        Reference::TestMean => mean(truth),
    };
    let relative = |error: f64, of: fn(f64) -> f64| {
        Score::ratio(error, truth.iter().map(|y| of(y - m)).sum(), Undefined::ZeroVariance)
    };
    match measure {
        Measure::Mad => Score::Value(absolute / n),
        Measure::Mse => Score::Value(squared / n),
        Measure::Rmse => Score::Value((squared / n).sqrt()),
        Measure::Rse => relative(squared, |d| d * d),
        Measure::Rrse => relative(squared, |d| d * d).map(f64::sqrt),
        Measure::Rae => relative(absolute, f64::abs),
        Measure::Correlation => {
            let constant = |v: &[f64]| v.iter().all(|x| *x == v[0]);
            if constant(truth) {
                return Score::Undefined(Undefined::ZeroVariance);
            } else if constant(predicted) {
                return Score::Undefined(Undefined::ConstantPredictions);
            }
            let (my, mz) = (mean(truth), mean(predicted));
            let sum = |f: &dyn Fn(f64, f64) -> f64| pairs().map(|(y, z)| f(y - my, z - mz)).sum::<f64>();
            let scale = sum(&|y, _| y * y).sqrt() * sum(&|_, z| z * z).sqrt();
            Score::Value(sum(&|y, z| y * z) / scale)
        }
        other => panic!("{other} is not of the table"),
    }
}

/// The same measure by the function that a user would call for it alone.
fn alone(measure: Measure, truth: &[f64], predicted: &[f64], s: &Settings) -> Option<Score> {
    let phi = s.relevance.as_ref().unwrap();
    let alpha = s.accuracy.as_ref().unwrap();
    let phi_truth: Vec<f64> = truth.iter().map(|&y| phi.phi(y)).collect();
    let classic = |measure| Some(ordinary(measure, truth, predicted, s.reference.unwrap()));
    let pr = precision_recall(truth, predicted, phi, alpha, s.t_e, s.beta).unwrap();
    let uba = s.uba.as_ref().unwrap();
    let utilities: Vec<f64> = truth.iter().zip(predicted).map(|(&y, &z)| uba.utility(y, z)).collect();
    let mean_utility = utilities.iter().sum::<f64>() / truth.len() as f64;
    let rate = |side: &[f64], why| {
        let Some(Relevance::Pchip(phi)) = &s.relevance else { panic!("no bumps") };
        let (mut gained, mut possible) = (0.0, 0.0);
        for (&v, utility) in side.iter().zip(&utilities).filter(|(v, _)| phi.phi_unclamped(**v) >= s.t_e) {
            gained += (1.0 + utility).abs();
            possible += (1.0 + phi.phi_unclamped(v)).abs();
        }
        Score::ratio(gained, possible, why)
    };
    let (uba_p, uba_r) = (rate(predicted, Undefined::NoSignals), rate(truth, Undefined::NoEvents));
    let trades = TradingRecord::new(truth, predicted, s.trading.unwrap()).unwrap();
    let counts = trades.counts();
    let per = |part: u64, all: [u64; 2], why| Score::ratio(part as f64, (all[0] + all[1]) as f64, why);
    let mean = |loss: Loss| loss.mean(truth, predicted).unwrap();
    Some(match measure {
        Measure::Mad
        | Measure::Mse
        | Measure::Rmse
        | Measure::Rse
        | Measure::Rrse
        | Measure::Rae
        | Measure::Correlation => return classic(measure),
        Measure::LinLin => mean(Loss::LinLin { over: s.over, under: s.under }),
        Measure::QuadQuad => mean(Loss::QuadQuad { over: s.over, under: s.under }),
        Measure::Linex => mean(Loss::Linex { shape: s.linex_shape, scale: s.linex_scale }),
        Measure::Precision => pr.precision,
        Measure::Recall => pr.recall,
        Measure::F => pr.f,
        Measure::PrArea => pr_curve(truth, predicted, phi, alpha).unwrap().area,
        Measure::EventMad => {
            let errors: Vec<f64> = truth
                .iter()
                .zip(predicted)
                .zip(&phi_truth)
                .filter(|&(_, &p)| p >= s.t_e)
                .map(|((y, z), _)| (z - y).abs())
                .collect();
            Score::ratio(errors.iter().sum(), errors.len() as f64, Undefined::NoEvents)
        }
        Measure::Utility => s.utility.unwrap().mean(truth, predicted, phi).unwrap(),
        Measure::UbaMu => Score::Value(mean_utility),
        Measure::UbaNmu => Score::Value((mean_utility + 1.0) / 2.0),
        Measure::UbaPrecision => uba_p,
        Measure::UbaRecall => uba_r,
        Measure::UbaF => f_measure(uba_p, uba_r, s.beta).unwrap(),
        Measure::Sera => Score::Value(sera(truth, predicted, &phi_truth).unwrap()),
        Measure::SeraShare => {
            let area = sera(truth, predicted, &phi_truth).unwrap();
            let whole = ser_curve(truth, predicted, &phi_truth, &[0.0]).unwrap()[0];
            Score::ratio(area, whole, Undefined::NoError)
        }
        Measure::MedianAbsolute => {
            let mut errors: Vec<f64> = truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect();
            errors.sort_by(f64::total_cmp);
            let n = errors.len();
            Score::Value((errors[(n - 1) / 2] + errors[n / 2]) / 2.0)
        }
        Measure::Rwse | Measure::Rwae | Measure::Rwqs => {
            let integral = phi.integral();
            let one = |(&y, &z): (&f64, &f64)| match measure {
                Measure::Rwse => integral.squared(y, z),
                Measure::Rwae => integral.absolute(y, z),
                _ => integral.quantile(y, z, s.quantile),
            };
            Score::Value(truth.iter().zip(predicted).map(one).sum::<f64>() / truth.len() as f64)
        }
        Measure::Sedi => {
            let [events, signals, hits, near] =
                [pr.counts.events, pr.counts.signals, pr.counts.hits, pr.counts.near_misses]
                    .map(|c| c as f64);
            let (met, n) = (hits + near, truth.len() as f64);
            let alarms = signals - met;
            let quiet = (n - met - alarms - (events - met)).max(0.0);
            let (h, f) = (met / events, alarms / (alarms + quiet));
            if events == 0.0 {
                Score::Undefined(Undefined::NoEvents)
            } else if signals == 0.0 {
                Score::Undefined(Undefined::NoSignals)
            } else if [0.0, 1.0].contains(&h) || [0.0, 1.0].contains(&f) {
                Score::Undefined(Undefined::CertainRate)
            } else {
                let (odds_f, odds_h) = ((f / (1.0 - f)).ln(), (h / (1.0 - h)).ln());
                Score::Value((odds_f - odds_h) / (f.ln() + h.ln() + (1.0 - h).ln() + (1.0 - f).ln()))
            }
        }
        Measure::BeyondRate => per(counts.beyond_threshold, counts.signals, Undefined::NoTrades),
        Measure::WrongSideRate => per(counts.wrong_side, counts.signals, Undefined::NoTrades),
        Measure::MissedRate => per(counts.missed_moves, counts.moves, Undefined::NoEvents),
        Measure::ReturnPerTrade => trades.every_signal().per_trade,
        Measure::TotalReturn => Score::Value(trades.every_signal().total),
        Measure::Growth => Score::Value(trades.one_position().total),
        _ => return None,
    })
}

fn same(a: Score, b: Score) -> bool {
    match (a, b) {
        (Score::Value(a), Score::Value(b)) => (a - b).abs() <= 1e-12 * a.abs().max(1.0),
        (a, b) => a == b,
    }
}

proptest! {
    // Long vectors, so that sums run over more than one block; fewer of them.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_measure_equals_its_own_function(
        pairs in prop::collection::vec(
            prop_oneof![
                (-4.0..4.0_f64, -4.0..4.0_f64),
                (-3..4_i32, -3..4_i32).prop_map(|(a, b)| (f64::from(a), f64::from(b))),
            ],
            1..1200,
        ),
    ) {
        let (truth, predicted): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let scorer = Scorer::new(&truth, settings()).unwrap();
        let measures = numeric();
        let scores = scorer.score(&predicted, &measures).unwrap();
        for (&measure, score) in measures.iter().zip(scores) {
            let Some(expected) = alone(measure, &truth, &predicted, &settings()) else {
                panic!("{measure} has no function of its own here");
            };
            prop_assert!(same(score, expected), "{measure}: {score:?} against {expected:?}");
        }
    }

    #[test]
    fn undefined_only_for_the_reasons_of_the_table(
        values in prop::collection::vec(prop_oneof![Just(0.0), Just(1.0), Just(-3.0), Just(3.0)], 2..5),
        constant in any::<bool>(),
    ) {
        let predicted: Vec<f64> = if constant { vec![values[0]; values.len()] } else { values.iter().rev().copied().collect() };
        let scorer = Scorer::new(&values, settings()).unwrap();
        for measure in numeric() {
            if let Some(why) = scorer.score(&predicted, &[measure]).unwrap()[0].undefined() {
                prop_assert!(measure.info().undefined.contains(&why), "{measure}: {why:?}");
            }
        }
    }
}

#[test]
fn every_numeric_measure_has_a_value_on_ordinary_data() {
    let truth: Vec<f64> = (0..200).map(|i| 3.0 * f64::from(i).sin()).collect();
    let predicted: Vec<f64> = (0..200).map(|i| 3.0 * (f64::from(i) + 0.1).sin()).collect();
    let scorer = Scorer::new(&truth, settings()).unwrap();
    for measure in numeric() {
        assert_eq!(settings().missing(measure).count(), 0);
        let score = scorer.score(&predicted, &[measure]).unwrap()[0];
        assert!(score.value().is_some_and(f64::is_finite), "{measure}: {score:?}");
    }
}

#[test]
fn a_measure_from_outside_is_scored_over_all_parts() {
    let worst =
        OwnMeasure::register("worst_case", "largest absolute error", Better::Lower, |truth, predicted| {
            Score::Value(truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).fold(0.0, f64::max))
        });
    let worst = worst.unwrap();
    assert_eq!(Measure::from_id("Worst_Case"), Ok(worst));
    assert_eq!((worst.id(), worst.better()), ("worst_case", Better::Lower));
    let settings = Settings::default;
    let scorer = Scorer::pooled([(&[1.0, 2.0][..], settings()), (&[3.0][..], settings())]).unwrap();
    let scores = scorer.score_parts(&[vec![1.5, 2.0], vec![0.0]], &[worst]).unwrap();
    assert_eq!(scores, [Score::Value(3.0)]);
    for taken in ["worst_case", "mae", "Upper", ""] {
        let twice = OwnMeasure::register(taken, "a name", Better::Higher, |_, _| Score::Value(0.0));
        assert!(twice.unwrap_err().to_string().contains(taken));
    }
}

#[test]
fn missing_settings_leave_a_measure_undefined() {
    let scorer = Scorer::new(&[1.0, 2.0], Settings::default()).unwrap();
    for measure in numeric() {
        let score = scorer.score(&[1.5, 1.0], &[measure]).unwrap()[0];
        let missing = Settings::default().missing(measure).count() > 0;
        assert_eq!(score.undefined() == Some(Undefined::MissingInput), missing, "{measure}");
    }
}

#[test]
fn order_company_and_used_buffers_do_not_change_a_bit() {
    let truth: Vec<f64> = (0..3000).map(|i| 3.0 * f64::from(i).sin()).collect();
    let scorer = Scorer::new(&truth, settings()).unwrap();
    let measures = numeric();
    let (mut buffers, mut scores) = (Buffers::default(), Vec::new());
    for shift in [0.3, 0.01, 2.0] {
        let predicted: Vec<f64> = (0..3000).map(|i| 3.0 * (f64::from(i) + shift).sin()).collect();
        scorer.score_and_count(&[&predicted], &measures, &mut buffers, &mut scores).unwrap();
        let mut backwards: Vec<Measure> = measures.clone();
        backwards.reverse();
        let mut reversed = scorer.score(&predicted, &backwards).unwrap();
        reversed.reverse();
        assert_eq!(scores, reversed);
        for (&measure, &score) in measures.iter().zip(&scores) {
            assert_eq!(scorer.score(&predicted, &[measure]).unwrap(), [score]);
        }
    }
}

#[test]
fn bad_input_is_named() {
    let message = |truth: &[f64], predicted: &[f64]| match Scorer::new(truth, Settings::default())
        .and_then(|s| s.score(predicted, &[Measure::Mad]))
    {
        Err(err) => err.to_string(),
        Ok(scores) => panic!("{scores:?}"),
    };
    assert_eq!(message(&[], &[]), "truth is empty: give 1 or more rows");
    assert_eq!(
        message(&[1.0, f64::NAN], &[1.0, 1.0]),
        "truth row 2 is NaN: every value must be finite; drop or impute that case"
    );
    assert_eq!(
        message(&[1.0, 2.0], &[1.0, f64::NEG_INFINITY]),
        "predictions row 2 is -inf: every value must be finite; drop or impute that case"
    );
    assert_eq!(
        message(&[1.0, 2.0], &[1.0]),
        "truth has 2 rows but predictions has 1: give one value per case in both"
    );
    let bad = Settings { t_e: -0.1, ..Settings::default() };
    assert_eq!(
        Scorer::new(&[1.0], bad).unwrap_err().to_string(),
        "t_E = -0.1 is not allowed: the event threshold must lie within 0 to 1"
    );
}

#[test]
fn sums_that_overflow_are_named() {
    let scorer = Scorer::new(&[0.0, 1.0], Settings::default()).unwrap();
    let scores = scorer.score(&[1e200, -1e308], &[Measure::Mse, Measure::Linex, Measure::Mad]).unwrap();
    assert_eq!(scores[0].undefined(), Some(Undefined::Overflow));
    assert_eq!(scores[1].undefined(), Some(Undefined::Overflow));
    assert!(scores[2].value().is_some());
}

/// Relevance 1 reaches the threshold 1: exact predictions of the two extremes gain all their benefit.
#[test]
fn the_threshold_itself_is_an_event_of_ubas_rates() {
    let rates = [Measure::UbaPrecision, Measure::UbaRecall];
    let scorer = Scorer::new(&[-3.0, 0.5, 3.0], Settings { t_e: 1.0, ..settings() }).unwrap();
    for score in scorer.score(&[-3.0, 0.5, 3.0], &rates).unwrap() {
        assert!(score.value().is_some_and(|v| (v - 1.0).abs() < 1e-12), "{score:?}");
    }
}

/// Counts of hits are told where there are both a relevance and an accuracy; one without the other says
/// nothing.
#[test]
fn counts_need_relevance_and_accuracy() {
    let relevance = || Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap());
    let accuracy = Some(Accuracy::smooth(0.5, 8.0).unwrap());
    let (truth, predicted) = ([3.0, -3.0, 0.0], [2.9, 0.1, 2.5]);
    let counts = |relevance: Option<Relevance>, accuracy: Option<Accuracy>| {
        let scorer = Scorer::new(&truth, Settings { relevance, accuracy, ..Settings::default() }).unwrap();
        scorer.event_counts(&[&predicted[..]]).unwrap()
    };
    assert!(
        counts(None, accuracy).is_none()
            && counts(relevance(), None).is_none()
            && counts(None, None).is_none()
    );
    let found = counts(relevance(), accuracy).unwrap();
    assert_eq!((found.events, found.signals, found.hits, found.false_alarms), (2, 2, 1, 1));
}
