//! Scores over several parts: one set of cases, each with the settings of its own part.

use crate::oracle;
use crate::random;

use oracle::{Largest, Weighted as _};
use random::Random;
use tailrank_metrics::{
    Accuracy, EventCounts, Measure, Relevance, Score, Scorer, Settings, Undefined,
    classic::Reference,
    f_measure,
    loss::Loss,
    registry::MEASURES,
    trading::TradingRule,
    utility::{Uba, Ut08},
};

/// Settings as they would be fitted in a fold: none of them equal to another fold's.
fn fitted(fold: usize) -> Settings {
    let x = fold as f64 / 10.0;
    let relevance =
        Relevance::range(&[(-2.0 - x, 1.0), (0.1 * x, 0.0), (2.0 - x / 2.0, 1.0)], Some(&[0.0; 3])).unwrap();
    let Relevance::Pchip(pchip) = relevance.clone() else { panic!("not piecewise cubic") };
    Settings {
        relevance: Some(relevance),
        t_e: 0.7,
        accuracy: Some(Accuracy::linear(0.8 + x).unwrap()),
        beta: 0.5,
        utility: Some(Ut08::new(1.0, 0.8 + x, 0.6, None).unwrap()),
        uba: Some(Uba::new(&pchip, 0.4 + x / 5.0, 0.3).unwrap()),
        reference: Some(Reference::TrainingMean(x - 0.4)),
        quantile: 0.3 + x / 2.0,
        over: 1.0 + x,
        under: 2.0 - x,
        linex_shape: 0.5 + x,
        linex_scale: 1.0 + x,
        trading: Some(TradingRule { cost: 0.01 * x, ..TradingRule::new(1.0 + x, 2) }),
    }
}

/// Ten folds; those of even number are calm: no event, no signal.
fn folds() -> Vec<(Vec<f64>, Vec<f64>, Settings)> {
    let mut random = Random::new(7);
    (0..10)
        .map(|fold| {
            let size = if fold % 2 == 0 { 0.2 } else { 3.5 };
            let n = 40 + 13 * fold;
            let truth: Vec<f64> = (0..n).map(|_| size * (2.0 * random.uniform() - 1.0)).collect();
            let predicted: Vec<f64> =
                truth.iter().map(|y| 0.7 * y + 0.4 * size * (random.uniform() - 0.5)).collect();
            (truth, predicted, fitted(fold))
        })
        .collect()
}

fn numeric() -> Vec<Measure> {
    MEASURES.iter().map(|m| m.measure).collect()
}

fn scorer(folds: &[(Vec<f64>, Vec<f64>, Settings)]) -> Scorer<'_> {
    Scorer::pooled(folds.iter().map(|(y, _, s)| (y.as_slice(), s.clone()))).unwrap()
}

fn predictions(folds: &[(Vec<f64>, Vec<f64>, Settings)]) -> Vec<&[f64]> {
    folds.iter().map(|(_, z, _)| z.as_slice()).collect()
}

/// A case with the settings of its fold.
type Case<'a> = (f64, f64, &'a Settings);

/// The measure over all cases, straight from its definition; `None` for those that follow no simple sum.
fn by_definition(measure: Measure, cases: &[Case<'_>]) -> Option<Score> {
    let sum = |term: &dyn Fn(&Case<'_>) -> f64| cases.iter().map(term).sum::<f64>();
    let n = cases.len() as f64;
    let phi = |v: f64, s: &Settings| s.relevance.as_ref().unwrap().phi(v);
    let flag = |b: bool| f64::from(u8::from(b));
    let event = |c: &Case<'_>| flag(phi(c.0, c.2) >= c.2.t_e);
    let signal = |c: &Case<'_>| flag(phi(c.1, c.2) >= c.2.t_e);
    let alpha = |c: &Case<'_>| c.2.accuracy.unwrap().of_loss((c.1 - c.0).abs());
    let mean = |term: &dyn Fn(&Case<'_>) -> f64| Score::Value(sum(term) / n);
    let ratio = |a: f64, b: f64| Score::Value(a / b);
    let m = |s: &Settings| match s.reference {
        Some(Reference::TrainingMean(m)) => m,
        _ => panic!("no reference"),
    };
    let rse = ratio(sum(&|c| (c.0 - c.1).powi(2)), sum(&|c| (c.0 - m(c.2)).powi(2)));
    let precision =
        ratio(sum(&|c| signal(c) * alpha(c) * phi(c.1, c.2)), sum(&|c| signal(c) * phi(c.1, c.2)));
    let recall = ratio(sum(&|c| event(c) * alpha(c) * phi(c.0, c.2)), sum(&|c| event(c) * phi(c.0, c.2)));
    let uba = |c: &Case<'_>| c.2.uba.as_ref().unwrap().utility(c.0, c.1);
    let uba_precision =
        ratio(sum(&|c| signal(c) * (1.0 + uba(c))), sum(&|c| signal(c) * (1.0 + phi(c.1, c.2))));
    let uba_recall = ratio(sum(&|c| event(c) * (1.0 + uba(c))), sum(&|c| event(c) * (1.0 + phi(c.0, c.2))));
    let side = |v: f64, s: &Settings| {
        let theta = s.trading.unwrap().threshold;
        if v > theta {
            1.0
        } else if v < -theta {
            -1.0
        } else {
            0.0_f64
        }
    };
    let trade = |c: &Case<'_>| side(c.1, c.2).abs();
    let profit = |c: &Case<'_>| side(c.1, c.2) * c.0 - trade(c) * 2.0 * c.2.trading.unwrap().cost;
    let moved = |c: &Case<'_>| side(c.0, c.2).abs();
    Some(match measure {
        Measure::Mad => mean(&|c| (c.0 - c.1).abs()),
        Measure::Mse => mean(&|c| (c.0 - c.1).powi(2)),
        Measure::Rmse => mean(&|c| (c.0 - c.1).powi(2)).map(f64::sqrt),
        Measure::Rse => rse,
        Measure::Rrse => rse.map(f64::sqrt),
        Measure::Rae => ratio(sum(&|c| (c.0 - c.1).abs()), sum(&|c| (c.0 - m(c.2)).abs())),
        Measure::Correlation => {
            let (y, z) = (sum(&|c| c.0) / n, sum(&|c| c.1) / n);
            let variances = sum(&|c| (c.0 - y).powi(2)) * sum(&|c| (c.1 - z).powi(2));
            ratio(sum(&|c| (c.0 - y) * (c.1 - z)), variances.sqrt())
        }
        Measure::LinLin => mean(&|c| Loss::LinLin { over: c.2.over, under: c.2.under }.of(c.0, c.1)),
        Measure::QuadQuad => mean(&|c| Loss::QuadQuad { over: c.2.over, under: c.2.under }.of(c.0, c.1)),
        Measure::Linex => {
            mean(&|c| Loss::Linex { shape: c.2.linex_shape, scale: c.2.linex_scale }.of(c.0, c.1))
        }
        Measure::Precision => precision,
        Measure::Recall => recall,
        Measure::F => f_measure(precision, recall, 0.5).unwrap(),
        Measure::EventMad => ratio(sum(&|c| event(c) * (c.0 - c.1).abs()), sum(&event)),
        Measure::Utility => {
            mean(&|c| c.2.utility.unwrap().of_parts(phi(c.0, c.2), phi(c.1, c.2), (c.0 - c.1).abs()))
        }
        Measure::UbaMu => mean(&uba),
        Measure::UbaNmu => mean(&uba).map(|u| (u + 1.0) / 2.0),
        Measure::UbaPrecision => uba_precision,
        Measure::UbaRecall => uba_recall,
        Measure::UbaF => f_measure(uba_precision, uba_recall, 0.5).unwrap(),
        Measure::Sera => Score::Value(sum(&|c| phi(c.0, c.2) * (c.0 - c.1).powi(2))),
        Measure::SeraShare => {
            ratio(sum(&|c| phi(c.0, c.2) * (c.0 - c.1).powi(2)), sum(&|c| (c.0 - c.1).powi(2)))
        }
        Measure::BeyondRate => ratio(sum(&|c| flag(side(c.0, c.2) * side(c.1, c.2) > 0.0)), sum(&trade)),
        Measure::WrongSideRate => ratio(sum(&|c| flag(side(c.1, c.2) * c.0 < 0.0)), sum(&trade)),
        Measure::MissedRate => ratio(sum(&|c| moved(c) * (1.0 - trade(c))), sum(&moved)),
        Measure::ReturnPerTrade => ratio(sum(&profit), sum(&trade)),
        Measure::TotalReturn => Score::Value(sum(&profit)),
        Measure::Rwse => mean(&|c| c.2.relevance.as_ref().unwrap().integral().squared(c.0, c.1)),
        Measure::Rwae => mean(&|c| c.2.relevance.as_ref().unwrap().integral().absolute(c.0, c.1)),
        Measure::Rwqs => {
            mean(&|c| c.2.relevance.as_ref().unwrap().integral().quantile(c.0, c.1, c.2.quantile))
        }
        _ => return None,
    })
}

#[test]
fn a_pooled_score_is_the_score_of_all_cases_each_with_its_own_settings() {
    let folds = folds();
    let cases: Vec<Case<'_>> =
        folds.iter().flat_map(|(y, z, s)| y.iter().zip(z).map(move |(&y, &z)| (y, z, s))).collect();
    let measures = numeric();
    let scores = scorer(&folds).score_parts(&predictions(&folds), &measures).unwrap();
    let (mut largest, mut others) = (Largest::default(), Vec::new());
    for (&measure, score) in measures.iter().zip(scores) {
        match by_definition(measure, &cases) {
            Some(expected) => {
                let value = score.value().unwrap_or_else(|| panic!("{measure}: {score:?}"));
                largest.see(value, expected.value().unwrap(), || measure.to_string());
            }
            None => others.push(measure),
        }
    }
    largest.check(measures.len() - others.len(), 1e-12);
    // The rest has tests of its own below.
    let whole = [Measure::MedianAbsolute, Measure::PrArea, Measure::Sedi, Measure::Growth];
    assert_eq!(others, whole);
}

#[test]
fn a_fold_without_signals_or_events_voids_nothing() {
    let folds = folds();
    let alone: Vec<Score> = folds
        .iter()
        .map(|(y, z, s)| Scorer::new(y, s.clone()).unwrap().score(z, &[Measure::F]).unwrap()[0])
        .collect();
    assert_eq!(alone.iter().filter(|s| s.undefined() == Some(Undefined::NoSignals)).count(), 5);
    let f = scorer(&folds).score_parts(&predictions(&folds), &[Measure::F]).unwrap()[0];
    assert!(f.value().is_some_and(|f| f > 0.1), "{f:?}");
    // The whole set without a signal still has no F.
    let calm: Vec<_> = folds.into_iter().step_by(2).collect();
    let f = scorer(&calm).score_parts(&predictions(&calm), &[Measure::F, Measure::Recall]).unwrap();
    assert_eq!((f[0].undefined(), f[1].undefined()), (Some(Undefined::NoSignals), Some(Undefined::NoEvents)));
}

#[test]
fn the_same_settings_everywhere_give_the_score_of_the_concatenation() {
    let folds: Vec<_> = folds().into_iter().map(|(y, z, _)| (y, z, fitted(3))).collect();
    let truth: Vec<f64> = folds.iter().flat_map(|f| f.0.clone()).collect();
    let predicted: Vec<f64> = folds.iter().flat_map(|f| f.1.clone()).collect();
    let measures: Vec<Measure> = numeric().into_iter().filter(|m| *m != Measure::Growth).collect();
    let one = Scorer::new(&truth, fitted(3)).unwrap().score(&predicted, &measures).unwrap();
    let several = scorer(&folds).score_parts(&predictions(&folds), &measures).unwrap();
    let mut largest = Largest::default();
    for ((measure, a), b) in measures.iter().zip(&several).zip(&one) {
        largest.see(a.value().unwrap(), b.value().unwrap(), || measure.to_string());
    }
    largest.check(measures.len(), 1e-12);
}

#[test]
fn one_account_does_not_live_through_several_folds() {
    let folds = folds();
    let growth = scorer(&folds).score_parts(&predictions(&folds), &[Measure::Growth]).unwrap()[0];
    assert_eq!(growth.undefined(), Some(Undefined::SeveralPeriods));
}

#[test]
fn counts_of_the_parts_add_up() {
    let folds = folds();
    let mut sum = EventCounts::default();
    for (y, z, s) in &folds {
        sum += Scorer::new(y, s.clone()).unwrap().event_counts(&[z]).unwrap().unwrap();
    }
    let pooled = scorer(&folds);
    let counts = pooled.event_counts(&predictions(&folds)).unwrap().unwrap();
    assert_eq!(counts, sum);
    assert_eq!(pooled.events(), Some(counts.events));
    assert_eq!(counts.signals, counts.hits + counts.near_misses + counts.false_alarms);
    assert_eq!(counts.events, counts.hits + counts.near_misses + counts.missed);
    assert!(counts.hits > 0 && counts.near_misses > 0 && counts.missed > 0, "{counts:?}");
}

#[test]
fn bad_parts_are_named() {
    let folds = folds();
    let message = |predicted: &[&[f64]]| {
        scorer(&folds).score_parts(predicted, &[Measure::Mad]).unwrap_err().to_string()
    };
    assert_eq!(message(&[&[1.0]]), "parts of the truth: 10, of the predictions: 1; give one slice per part");
    let mut short = predictions(&folds);
    short[3] = &short[3][1..];
    assert_eq!(message(&short), "truth has 79 rows but predictions has 78: give one value per case in both");
    let none = Scorer::pooled(std::iter::empty()).unwrap_err().to_string();
    assert_eq!(none, "truth is empty: give 1 or more rows");
    let other = Settings { beta: 2.0, ..fitted(1) };
    let err = Scorer::pooled([(&[1.0][..], fitted(0)), (&[1.0][..], other)]).unwrap_err();
    assert_eq!(
        err.to_string(),
        "beta = 2 is not allowed: F over several parts needs the same beta in all of them"
    );
}

#[test]
fn a_signal_on_the_other_flank_is_a_false_alarm_and_a_miss() {
    let truth = [-3.0, 3.0, 3.0, 0.0];
    let scorer = Scorer::new(&truth, fitted(0)).unwrap();
    let counts = scorer.event_counts(&[[3.0, 2.9, 5.0, 0.0]]).unwrap().unwrap();
    let expected = EventCounts { events: 3, signals: 3, hits: 1, near_misses: 1, false_alarms: 1, missed: 1 };
    assert_eq!(counts, expected);
}

/// An error of exactly t_L is good: α is 0 there, and the signal a hit.
#[test]
fn an_error_of_exactly_t_l_is_a_hit() {
    let settings = Settings {
        relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap()),
        accuracy: Some(Accuracy::smooth(0.5, 8.0).unwrap()),
        ..Settings::default()
    };
    let counts =
        Scorer::new(&[3.0, 3.0, -3.0], settings).unwrap().event_counts(&[[2.5, 2.25, -3.5]]).unwrap();
    assert_eq!(counts.map(|c| (c.hits, c.near_misses)), Some((2, 1)));
}
