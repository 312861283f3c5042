//! Numbers worked out on paper or by the plainest possible loop, for what no other program prints.

use crate::random;

use random::Random;
use tailrank_metrics::{
    Accuracy, Measure, Relevance, Score, Scorer, Settings, Undefined,
    classification::{BinaryCounts, CostCurve, CostLine},
    pr_curve, precision_recall,
    relevance::{BoxPlot, Extremes},
    trading::{TradingCounts, TradingRule},
    utility::bumps,
};

/// φ(y) = y on [0, 1], errors up to 0.25 are right. By falling t_E: recall 0 until 0.8 (4/9), then 0.4
/// (6/11); precision 1, 10/19 from 0.9, 5/13 from 0.7, 1/2 from 0.6.
#[test]
fn the_area_below_a_precision_recall_curve() {
    let relevance = Relevance::table(&[(0.0, 0.0), (1.0, 1.0)]).unwrap();
    let accuracy = Accuracy::indicator(0.25).unwrap();
    let curve = pr_curve(&[1.0, 0.8, 0.4, 0.0], &[0.7, 1.0, 0.6, 0.9], &relevance, &accuracy).unwrap();
    let points: Vec<[f64; 3]> = curve
        .points
        .iter()
        .map(|p| [p.t_e, p.recall.value().unwrap(), p.precision.value().unwrap()])
        .collect();
    let expected = [
        [1.0, 0.0, 1.0],
        [0.9, 0.0, 10.0 / 19.0],
        [0.8, 4.0 / 9.0, 10.0 / 19.0],
        [0.7, 4.0 / 9.0, 5.0 / 13.0],
        [0.6, 4.0 / 9.0, 0.5],
        [0.4, 6.0 / 11.0, 0.5],
    ];
    assert_eq!(points.len(), expected.len());
    for (got, expected) in points.iter().flatten().zip(expected.iter().flatten()) {
        assert!((got - expected).abs() < 1e-15, "{points:?}");
    }
    let area = 0.5 * (6.0 / 11.0 - 4.0 / 9.0) + 10.0 / 19.0 * (4.0 / 9.0);
    assert!((curve.area.value().unwrap() - area).abs() < 1e-15);
}

/// The area as the best precision over all thresholds with at least that recall, on a fine grid of recalls.
#[test]
fn the_area_is_the_integral_of_the_best_precision() {
    let mut random = Random::new(17);
    let relevance = Relevance::sigmoid(Some(-1.0), Some(1.0), 0.8, 1e-2).unwrap();
    let accuracy = Accuracy::smooth(1.0, 2.0).unwrap();
    for _ in 0..5 {
        let truth: Vec<f64> = (0..40).map(|_| random.normal()).collect();
        let predicted: Vec<f64> = truth.iter().map(|y| y + 0.6 * random.normal()).collect();
        let curve = pr_curve(&truth, &predicted, &relevance, &accuracy).unwrap();
        let thresholds = truth.iter().chain(&predicted).map(|&v| relevance.phi(v));
        let points: Vec<(f64, f64)> = thresholds
            .filter_map(|t| {
                let s = precision_recall(&truth, &predicted, &relevance, &accuracy, t, 1.0).unwrap();
                Some((s.recall.value()?, s.precision.value()?))
            })
            .collect();
        let steps = 20_000;
        let area: f64 = (0..steps)
            .map(|i| {
                let r = (f64::from(i) + 0.5) / f64::from(steps);
                // A precision that is not a number would be the largest, and the area none.
                let best = points.iter().filter(|p| p.0 >= r).map(|p| p.1).max_by(f64::total_cmp);
                best.unwrap_or(0.0) / f64::from(steps)
            })
            .sum();
        assert!((curve.area.value().unwrap() - area).abs() < 1e-4, "{:?} {area}", curve.area);
    }
}

/// A bump reaches from one minimum of φ to the next; its tolerance is twice the shorter way from its top to
/// an edge.
#[test]
fn bumps_of_uneven_hills() {
    let bumps_of = |points: &[(f64, f64)], tloss: f64| {
        let slopes = vec![0.0; points.len()];
        let Relevance::Pchip(phi) = Relevance::range(points, Some(&slopes)).unwrap() else { panic!() };
        bumps(&phi, tloss).iter().map(|b| (b.left, b.maximum, b.tolerance)).collect::<Vec<_>>()
    };
    let edge = f64::NEG_INFINITY;
    let hills = [(-4.0, 1.0), (0.0, 0.0), (1.0, 1.0), (3.0, 0.2), (6.0, 1.0)];
    assert_eq!(bumps_of(&hills, 9.0), [(edge, -4.0, 8.0), (0.0, 1.0, 2.0), (3.0, 6.0, 6.0)]);
    // A level top has its maximum in the middle; the last hill falls: what lies beyond takes the tolerance
    // before it.
    let level = [(0.0, 0.0), (2.0, 1.0), (4.0, 1.0), (5.0, 0.0)];
    assert_eq!(bumps_of(&level, 9.0), [(edge, edge, 4.0), (0.0, 3.0, 4.0), (5.0, f64::INFINITY, 4.0)]);
    // One slope only: one bump, and the tolerance is the caller's.
    assert_eq!(bumps_of(&[(0.0, 1.0), (2.0, 0.0)], 9.0), [(edge, 0.0, 9.0)]);
}

#[test]
fn trading_counts_of_every_sort() {
    let cases = [
        (2.0, 3.0),   // long, beyond the threshold
        (0.5, 2.0),   // long, right way
        (-0.5, 2.0),  // long, wrong side
        (0.0, 2.0),   // long, nothing happens
        (-2.0, -2.0), // short, beyond the threshold
        (-0.5, -3.0), // short, right way
        (3.0, -2.0),  // short against a move
        (2.0, 0.0),   // missed
        (0.0, 0.5),   // quiet
    ];
    let (truth, predicted): (Vec<f64>, Vec<f64>) = cases.into_iter().unzip();
    let rule = TradingRule { cost: 0.05, ..TradingRule::new(1.0, 1) };
    let counts = TradingCounts::new(&truth, &predicted, rule).unwrap();
    assert_eq!((counts.signals, counts.moves), ([4, 3], [3, 1]));
    assert_eq!(
        (counts.beyond_threshold, counts.right_way, counts.wrong_side, counts.missed_moves),
        (2, 4, 2, 1)
    );
    // 2 + 0.5 − 0.5 + 0 long, 2 + 0.5 − 3 short, seven times 0.1.
    assert!((counts.profit - 0.8).abs() < 1e-15);
    let trading = Some(rule);
    let scorer = Scorer::new(&truth, Settings { trading, ..Settings::default() }).unwrap();
    let measures =
        [Measure::BeyondRate, Measure::WrongSideRate, Measure::MissedRate, Measure::ReturnPerTrade];
    let rates = scorer.score(&predicted, &measures).unwrap();
    for (rate, expected) in rates.iter().zip([2.0 / 7.0, 2.0 / 7.0, 0.25, 0.8 / 7.0]) {
        assert!((rate.value().unwrap() - expected).abs() < 1e-15);
    }
}

/// Two classifiers between the trivial ones: three corners, and the area by trapezoids over them.
#[test]
fn the_cost_curve_of_two_classifiers() {
    let counts = [
        BinaryCounts { tp: 6, fn_: 4, fp: 2, tn: 18 }, // fp rate 0.1, fn rate 0.4
        BinaryCounts { tp: 9, fn_: 1, fp: 8, tn: 12 }, // fp rate 0.4, fn rate 0.1
    ];
    let curve = CostCurve::from_counts(counts).unwrap();
    let lines: Vec<CostLine> = curve.envelope().iter().map(|p| p.line).collect();
    assert_eq!(
        lines[1..3],
        [CostLine { fp_rate: 0.1, fn_rate: 0.4 }, CostLine { fp_rate: 0.4, fn_rate: 0.1 }]
    );
    // 0.1 + 0.3·pc meets pc at 1/7; the two meet at 1/2; by symmetry the last corner is 6/7.
    let corners: Vec<f64> = curve.envelope().iter().map(|p| p.to).collect();
    for (got, expected) in corners.iter().zip([1.0 / 7.0, 0.5, 6.0 / 7.0, 1.0]) {
        assert!((got - expected).abs() < 1e-15, "{corners:?}");
    }
    assert_eq!(corners.len(), 4);
    let (a, b) = (1.0 / 7.0, 0.25);
    let half = a * a / 2.0 + (0.5 - a) * (a + b) / 2.0;
    assert!((curve.area() - 2.0 * half).abs() < 1e-15);
    assert!((curve.cost(0.25) - 0.175).abs() < 1e-15);
    let (from, to) = CostLine::new(0.1, 0.4).unwrap().operating_region().unwrap();
    assert!((from - 1.0 / 7.0).abs() < 1e-15 && (to - 0.9 / 1.3).abs() < 1e-15);
}

/// uba turns a slope against the secant round: −1 becomes 1. At the middle a Hermite cubic has half the rise
/// and an eighth of the slope.
#[test]
fn a_slope_against_the_secant_is_turned_round() {
    let Relevance::Pchip(pchip) = Relevance::range(&[(0.0, 0.0), (1.0, 1.0)], Some(&[-1.0, 0.0])).unwrap()
    else {
        panic!("not piecewise cubic")
    };
    assert_eq!(pchip.corrected_slopes(), [1.0, 0.0]);
    assert!((pchip.phi_unclamped(0.5) - 0.625).abs() < 1e-15);
}

/// Hinges 2 and 4, so the lower fence is −1, where the smallest value lies: R's `boxplot.stats` names no
/// outlier.
#[test]
fn a_value_at_the_fence_is_not_extreme() {
    let values = [-1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0];
    let low = Relevance::extremes(&values, Extremes::Low, 1.5, BoxPlot::Plain).unwrap_err().to_string();
    assert!(low.contains("no target lies below the box plot's fences [-1, 7]"), "{low}");
    let values = values.map(|v| -v);
    assert!(Relevance::extremes(&values, Extremes::High, 1.5, BoxPlot::Plain).is_err());
}

#[test]
fn an_area_without_signals_or_events_has_a_reason() {
    let relevance = Relevance::table(&[(0.0, 0.0), (1.0, 1.0)]).unwrap();
    let accuracy = Accuracy::indicator(0.25).unwrap();
    let area =
        |truth: f64, predicted: f64| pr_curve(&[truth], &[predicted], &relevance, &accuracy).unwrap().area;
    assert_eq!(area(1.0, -1.0), Score::Undefined(Undefined::NoSignals));
    assert_eq!(area(-1.0, 1.0), Score::Undefined(Undefined::NoEvents));
}

/// A slope given at a peak is turned round behind it (uba's rule), so that the piece before it is a parabola
/// with its own top: φ = ½ + 3s/8 − s²/4 up to s = 1, which reaches 0.640625 at s = ¾ between knots of 0.5
/// and 0.625.
#[test]
fn a_parabola_that_overshoots_its_knots_has_its_own_events() {
    let points = [(0.0, 0.5), (1.0, 0.625), (2.0, 0.25)];
    let phi = Relevance::range(&points, Some(&[0.375, 0.125, 0.0])).unwrap();
    for s in [0.1, 0.5, 0.75, 0.9] {
        assert!((phi.phi(s) - (0.5 + 0.375 * s - 0.25 * s * s)).abs() < 1e-15);
    }
    let events = phi.event_bounds(0.63).unwrap();
    let reach = (0.375f64 * 0.375 - 0.13).sqrt() / 0.5;
    assert_eq!(events.len(), 1, "{events:?}");
    assert!((events[0].from - (0.75 - reach)).abs() < 1e-12 && (events[0].to - (0.75 + reach)).abs() < 1e-12);
}

/// A sigmoid never reaches 1: at that threshold nothing is an event, on either side.
#[test]
fn no_value_is_as_relevant_as_one() {
    for (low, high) in [(Some(-2.0), Some(2.0)), (Some(-2.0), None), (None, Some(2.0))] {
        let phi = Relevance::sigmoid(low, high, 0.5, 1e-4).unwrap();
        assert!(phi.event_bounds(1.0).unwrap().is_empty(), "{low:?} {high:?}");
    }
}
