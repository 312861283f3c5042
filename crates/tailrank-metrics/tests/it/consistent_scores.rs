//! Scores that cannot be gamed: against `scores` 2.7.0, against quadrature, and in a simulation where F and
//! SERA fail.

use crate::oracle;
use crate::random;

use oracle::{Largest, Weighted as _, column, number, rows};
use proptest::prelude::*;
use random::Random;
use tailrank_metrics::{
    Accuracy, Measure, Relevance, Score, Scorer, Settings, Undefined, relevance::EventRange,
};

/// The weights of the fixture as relevance functions.
fn weight(name: &str) -> Option<Relevance> {
    Some(match name {
        "high" => Relevance::indicator(&[(0.02, f64::INFINITY)]).unwrap(),
        "low" => Relevance::indicator(&[(f64::NEG_INFINITY, -0.02)]).unwrap(),
        "high ramp" => Relevance::table(&[(0.01, 0.0), (0.02, 1.0)]).unwrap(),
        "band" => Relevance::table(&[(0.0, 0.0), (0.01, 1.0), (0.03, 1.0), (0.05, 0.0)]).unwrap(),
        _ => return None,
    })
}

/// `got` in units of `expected`; where that is 0, only 0 is as good.
fn relative(got: f64, expected: f64) -> f64 {
    if expected == 0.0 { 1.0 + got } else { got / expected }
}

/// The mean elementary score of the mean at a threshold (Ehm, Gneiting, Jordan & Krüger 2016): ½·|y − θ|
/// where θ is between the two.
fn elementary_score(truth: &[f64], predicted: &[f64], theta: f64) -> f64 {
    let is_between = |y: f64, z: f64| y.min(z) <= theta && theta < y.max(z);
    let between = truth.iter().zip(predicted).filter(|&(&y, &z)| is_between(y, z));
    between.map(|(y, _)| (y - theta).abs() / 2.0).sum::<f64>() / truth.len() as f64
}

#[test]
fn g_tail_scores() {
    let data = rows("g_tail_data.csv");
    let (mut weighted, mut elementary) = (Largest::default(), Largest::default());
    for row in rows("g_tail_scores.csv") {
        let cases: Vec<_> = data.iter().filter(|c| c["set"] == row["set"]).cloned().collect();
        let (truth, predicted) = (column(&cases, "y"), column(&cases, &row["model"]));
        let expected = number(&row, "value");
        if let Some(theta) = row["weight"].strip_prefix("theta ") {
            let got = elementary_score(&truth, &predicted, theta.parse().unwrap());
            elementary.see(relative(got, expected), 1.0, || format!("{row:?}"));
            continue;
        }
        let (measure, quantile) = match row["score"].as_str() {
            "tw_squared" => (Measure::Rwse, 0.5),
            "tw_absolute" => (Measure::Rwae, 0.5),
            "tw_quantile_0.1" => (Measure::Rwqs, 0.1),
            "tw_quantile_0.9" => (Measure::Rwqs, 0.9),
            other => panic!("{other}"),
        };
        let settings = Settings { relevance: weight(&row["weight"]), quantile, ..Settings::default() };
        let score = Scorer::new(&truth, settings).unwrap().score(&predicted, &[measure]).unwrap()[0];
        weighted.see(relative(score.value().unwrap(), expected), 1.0, || format!("{row:?}"));
    }
    weighted.check(128, 1e-12);
    elementary.check(104, 1e-13);
}

/// φ of every kind, with points and slopes of any sort.
fn relevances() -> impl Strategy<Value = Relevance> {
    let points = prop::collection::vec((0.05f64..3.0, 0.0f64..=1.0, -2.0f64..2.0), 2..9).prop_map(|steps| {
        let mut y = -5.0;
        let points: Vec<(f64, f64)> = steps
            .iter()
            .map(|s| {
                y += s.0;
                (y, s.1)
            })
            .collect();
        (points, steps.into_iter().map(|s| s.2).collect::<Vec<f64>>())
    });
    prop_oneof![
        points.clone().prop_map(|(points, _)| Relevance::table(&points).unwrap()),
        points.clone().prop_map(|(points, slopes)| Relevance::range(&points, Some(&slopes)).unwrap()),
        points.clone().prop_map(|(points, _)| Relevance::range(&points, None).unwrap()),
        points.prop_map(|(points, _)| {
            let mut ends: Vec<f64> = points.iter().map(|p| p.0).collect();
            ends.truncate(points.len() / 2 * 2);
            let last = ends.len() - 1;
            if ends.len() > 2 {
                ends[0] = f64::NEG_INFINITY;
                ends[last] = f64::INFINITY;
            }
            Relevance::indicator(&ends.chunks(2).map(|c| (c[0], c[1])).collect::<Vec<_>>()).unwrap()
        }),
        (-4.0f64..-0.2, 0.2f64..4.0, 0.1f64..1.5, 1e-6f64..0.3, 0..3).prop_map(
            |(low, high, k, delta, sides)| Relevance::sigmoid(
                (sides != 1).then_some(low),
                (sides != 2).then_some(high),
                k,
                delta
            )
            .unwrap()
        ),
    ]
}

/// ∫ f by Simpson's rule on a grid so fine that the kinks of φ do not matter at the tolerance of the test.
fn simpson(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    const STEPS: u32 = 40_000;
    let h = (to - from) / f64::from(STEPS);
    let inner: f64 =
        (1..STEPS).map(|i| f(from + f64::from(i) * h) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    h / 3.0 * (f(from) + inner + f(to))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn closed_forms_equal_quadrature(relevance in relevances(), y in -9.0f64..9.0, z in -9.0f64..9.0) {
        let integral = relevance.integral();
        // Kinks and jumps of φ cost Simpson's rule about a step (jumps of an indicator) or its square.
        let jump = matches!(relevance, Relevance::Indicator(_));
        let h = (y - z).abs() / 40_000.0;
        let tolerance = if jump { 12.0 * h * (1.0 + (y - z).abs()) } else { 40.0 * h * h * (1.0 + (y - z).abs()) } + 1e-12;
        let area = simpson(|t| relevance.phi(t), z, y).abs();
        prop_assert!((integral.absolute(y, z) - area).abs() <= tolerance, "{relevance:?} {y} {z}: {} {area}", integral.absolute(y, z));
        let moment = 2.0 * simpson(|t| relevance.phi(t) * (y - t), z, y).abs();
        prop_assert!((integral.squared(y, z) - moment).abs() <= 2.0 * tolerance, "{relevance:?} {y} {z}: {} {moment}", integral.squared(y, z));
        let side = if z <= y { 0.3 } else { 0.7 };
        prop_assert!((integral.quantile(y, z, 0.3) - side * area).abs() <= tolerance);
    }

    #[test]
    fn stretches_add_up_and_antiderivatives_agree(
        relevance in relevances(), a in -9.0f64..9.0, b in 0.0f64..6.0, c in 0.0f64..6.0,
    ) {
        let integral = relevance.integral();
        let (m, e) = (a + b, a + b + c);
        let (left, right, whole) = (integral.over(a, m), integral.over(m, e), integral.over(a, e));
        let close = |x: f64, y: f64| (x - y).abs() <= 2e-13 * (1.0 + x.abs());
        prop_assert!(close(whole.area, left.area + right.area));
        prop_assert!(close(whole.to_upper, left.to_upper + (e - m) * left.area + right.to_upper));
        prop_assert!(close(whole.to_lower, left.to_lower + (m - a) * right.area + right.to_lower));
        prop_assert!(close(whole.to_lower + whole.to_upper, (e - a) * whole.area));
        let ((a1, b1), (a2, b2)) = (integral.antiderivatives(a), integral.antiderivatives(e));
        let distance = (integral.absolute(a, e) - (a2 - a1)).abs();
        prop_assert!(distance <= 2e-13 * (1.0 + distance) + 8.0 * f64::EPSILON * (a1.abs() + a2.abs()), "A {distance:e}");
        // What the subtraction costs grows with the antiderivatives, that is with the distance from their
        // anchor.
        let lost = 8.0 * f64::EPSILON * (b1.abs() + b2.abs() + (e - a) * a1.abs().max(a2.abs()));
        for (y, z, bregman) in [(e, a, b2 - b1 - (e - a) * a1), (a, e, b1 - b2 - (a - e) * a2)] {
            let squared = integral.squared(y, z);
            let distance = (squared - 2.0 * bregman).abs();
            prop_assert!(distance <= 2e-13 * (1.0 + squared) + lost, "{relevance:?} {y} {z}: {distance:e}");
        }
    }
}

/// Twenty values around every place where φ passes `t`, and some far away.
fn around(bounds: &[EventRange], far: &[f64]) -> Vec<f64> {
    let edges = bounds.iter().flat_map(|r| [r.from, r.to]).filter(|e| e.is_finite());
    edges
        .flat_map(|e| (-10..10).map(move |i| e + 1e-6 * (f64::from(i) + 0.5)))
        .chain(far.iter().copied())
        .collect()
}

proptest! {
    /// The ranges of events hold the values that reach the threshold and no other, beyond the last points
    /// too.
    #[test]
    fn event_ranges_hold_what_reaches_the_threshold(
        relevance in relevances(), t in 0.02f64..0.98, far in prop::collection::vec(-300.0f64..300.0, 40),
    ) {
        let bounds = relevance.event_bounds(t).unwrap();
        for y in around(&bounds, &far) {
            let phi = relevance.phi(y);
            let inside = bounds.iter().any(|r| r.from <= y && y <= r.to);
            // φ may lie level at t, where rounding decides.
            prop_assert!(inside == (phi >= t) || (phi - t).abs() < 1e-9, "φ({y}) = {phi}, t = {t}: {bounds:?} of {relevance:?}");
        }
    }
}

/// φ goes up and down between 0 at even and 1 at odd whole numbers: the area of a tooth is 1 and its centre
/// an odd number. So many knots lie inside that the sums up to each are subtracted.
#[test]
fn a_long_stretch_by_hand() {
    let points: Vec<(f64, f64)> = (0..=80).map(|i| (f64::from(i), f64::from(i % 2))).collect();
    let found = Relevance::table(&points).unwrap().integral().over(0.5, 78.5);
    // ∫ φ from 0 to 78 is 39, with centre 39. From 0 to ½ the area is ⅛ and the moment 1/24, from 78 to 78½ ⅛
    // and 78/8 + 1/24.
    let (area, moment) = (39.0, 39.0 * 39.0 + 78.0 / 8.0);
    assert!((found.area - area).abs() < 1e-10, "{found:?}");
    assert!((found.to_upper - (78.5 * area - moment)).abs() < 1e-9, "{found:?}");
    assert!((found.to_lower - (moment - 0.5 * area)).abs() < 1e-9, "{found:?}");
}

/// Closed forms of the smooth kinds against quadrature that sees no kink: piece by piece.
#[test]
fn smooth_kinds_to_twelve_digits() {
    let sigmoid = Relevance::sigmoid(Some(-0.7), Some(1.2), 0.5, 1e-4).unwrap();
    let pchip =
        Relevance::range(&[(-2.0, 1.0), (0.0, 0.0), (1.5, 0.8), (3.0, 1.0)], Some(&[0.0, 0.0, 0.2, 0.0]))
            .unwrap();
    let mut random = Random::new(3);
    let mut largest = Largest::default();
    for (relevance, cuts) in [(&sigmoid, vec![sigmoid.valley()]), (&pchip, vec![-2.0, 0.0, 1.5, 3.0])] {
        let integral = relevance.integral();
        for _ in 0..40 {
            let (y, z) = (8.0 * random.uniform() - 4.0, 8.0 * random.uniform() - 4.0);
            let (from, to) = (y.min(z), y.max(z));
            let mut edges = vec![from];
            edges.extend(cuts.iter().copied().filter(|&c| c > from && c < to));
            edges.push(to);
            let sum = |f: &dyn Fn(f64) -> f64| edges.windows(2).map(|w| simpson(f, w[0], w[1])).sum::<f64>();
            largest.see(integral.absolute(y, z), sum(&|t| relevance.phi(t)), || format!("{y} {z}"));
            let moment = 2.0 * sum(&|t| relevance.phi(t) * (y - t)).abs();
            largest.see(integral.squared(y, z), moment, || format!("{y} {z}"));
        }
    }
    largest.check(160, 1e-12);
}

/// The honest forecast E[y | x] against the same made louder or quieter: rwse and rwae know it, F and SERA do
/// not.
#[test]
fn the_honest_forecast_wins_only_by_consistent_scores() {
    const CASES: usize = 200_000;
    let mut random = Random::new(2009);
    // Returns whose mean is a little predictable, with tails heavier than the normal's.
    let (mut truth, mut honest) = (Vec::with_capacity(CASES), Vec::with_capacity(CASES));
    for _ in 0..CASES {
        let mean = 0.006 * random.normal();
        let scale = 0.012 * (0.4 * random.normal()).exp();
        honest.push(mean);
        truth.push(mean + scale * random.normal());
    }
    let settings = Settings {
        relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap()),
        accuracy: Some(Accuracy::smooth(0.005, 8.0).unwrap()),
        beta: 0.5,
        ..Settings::default()
    };
    let scorer = Scorer::new(&truth, settings).unwrap();
    let measures = [Measure::Rwse, Measure::Rwae, Measure::F, Measure::Sera];
    let forecasts: Vec<(&str, Vec<f64>)> = vec![
        ("honest", honest.clone()),
        ("half", honest.iter().map(|z| 0.5 * z).collect()),
        ("double", honest.iter().map(|z| 2.0 * z).collect()),
        ("triple", honest.iter().map(|z| 3.0 * z).collect()),
        ("sign only", honest.iter().map(|z| 0.02 * z.signum()).collect()),
    ];
    let scores: Vec<Vec<Score>> = forecasts
        .iter()
        .map(|(name, z)| {
            let row = scorer.score(z, &measures).unwrap();
            let slope = scorer.calibration_slope(&[z]).unwrap();
            println!(
                "{name:>10}: rwse {:.4e} rwae {:.4e} F {:.4} SERA {:.3} slope {slope:.2}",
                row[0].value().unwrap(),
                row[1].value().unwrap(),
                row[2],
                row[3]
            );
            row
        })
        .collect();
    let best = |m: usize| {
        let by_score = |&a: &usize, &b: &usize| scores[a][m].compare(scores[b][m], measures[m].better());
        forecasts[(0..scores.len()).min_by(by_score).unwrap()].0
    };
    assert_eq!((best(0), best(1)), ("honest", "honest"));
    assert_ne!(best(2), "honest");
    assert_ne!(best(3), "honest");
    let slope = |i: usize| scorer.calibration_slope(&[&forecasts[i].1]).unwrap().value().unwrap();
    assert!(
        (slope(0) - 1.0).abs() < 0.1 && (slope(2) - 0.5).abs() < 0.05 && (slope(3) - 1.0 / 3.0).abs() < 0.03
    );
}

#[test]
fn sedi_by_hand_and_where_it_has_no_value() {
    let settings = Settings {
        relevance: Some(Relevance::indicator(&[(f64::NEG_INFINITY, -2.0), (2.0, f64::INFINITY)]).unwrap()),
        ..Settings::default()
    };
    let sedi = |cases: &[(f64, f64, usize)]| {
        let (mut truth, mut predicted) = (Vec::new(), Vec::new());
        for &(y, z, count) in cases {
            truth.extend(vec![y; count]);
            predicted.extend(vec![z; count]);
        }
        Scorer::new(&truth, settings.clone()).unwrap().score(&predicted, &[Measure::Sedi]).unwrap()[0]
    };
    // H = 30/40, F = 20/160 (Ferro & Stephenson 2011, eq. 2, by hand): 0.783…
    let (h, f) = (0.75_f64, 0.125_f64);
    let expected = (f.ln() - h.ln() + (1.0 - h).ln() - (1.0 - f).ln())
        / (f.ln() + h.ln() + (1.0 - h).ln() + (1.0 - f).ln());
    let got = sedi(&[(3.0, 4.0, 30), (3.0, 0.0, 10), (0.0, 3.0, 20), (0.0, 0.0, 140)]).value().unwrap();
    assert!((got - expected).abs() < 1e-15 && (got - 0.7833).abs() < 1e-4, "{got} {expected}");
    // The wrong side is a false alarm and a miss.
    let wrong = sedi(&[(3.0, 4.0, 30), (3.0, -3.0, 10), (0.0, 3.0, 20), (0.0, 0.0, 140)]).value().unwrap();
    assert!(wrong < got);
    assert_eq!(sedi(&[(0.0, 3.0, 5), (0.0, 0.0, 5)]).undefined(), Some(Undefined::NoEvents));
    assert_eq!(sedi(&[(3.0, 0.0, 5), (0.0, 0.0, 5)]).undefined(), Some(Undefined::NoSignals));
    // Every case is an event: there is no rate of false alarms.
    assert_eq!(sedi(&[(3.0, 3.0, 5), (3.0, 0.0, 5)]).undefined(), Some(Undefined::CertainRate));
    assert_eq!(
        sedi(&[(3.0, 3.0, 5), (3.0, 0.0, 5), (0.0, 0.0, 5)]).undefined(),
        Some(Undefined::CertainRate)
    );
}

#[test]
fn a_slope_needs_three_signals_that_vary() {
    let relevance = Some(Relevance::indicator(&[(2.0, f64::INFINITY)]).unwrap());
    let settings = Settings { relevance, ..Settings::default() };
    let truth = [1.0, 2.0, 3.0, 7.0];
    let scorer = Scorer::new(&truth, settings).unwrap();
    let slope = |z: [f64; 4]| scorer.calibration_slope(&[z]).unwrap();
    assert_eq!(slope([0.0; 4]).undefined(), Some(Undefined::NoSignals));
    assert_eq!(slope([0.0, 0.0, 2.0, 3.0]).undefined(), Some(Undefined::FewSignals));
    assert_eq!(slope([0.0, 2.1, 2.1, 2.1]).undefined(), Some(Undefined::ConstantPredictions));
    // Through (2, 2), (3, 3), (4, 7): slope 2.5; the first case is no signal.
    assert!((slope([-9.0, 2.0, 3.0, 4.0]).value().unwrap() - 2.5).abs() < 1e-14);
    let none = Scorer::new(&truth, Settings::default()).unwrap().calibration_slope(&[truth]).unwrap();
    assert_eq!(none.undefined(), Some(Undefined::MissingInput));
}

#[test]
fn rwse_is_the_area_under_the_murphy_diagram() {
    let mut random = Random::new(5);
    let truth: Vec<f64> = (0..50).map(|_| random.normal()).collect();
    let predicted: Vec<f64> = truth.iter().map(|y| 0.5 * y + 0.5 * random.normal()).collect();
    let relevance = Relevance::table(&[(-1.0, 1.0), (0.0, 0.0), (2.0, 1.0)]).unwrap();
    let step = 1e-3;
    let thresholds: Vec<f64> = (-5000..5000).map(|i| (f64::from(i) + 0.5) * step).collect();
    let score = |&t: &f64| relevance.phi(t) * elementary_score(&truth, &predicted, t) * step;
    let area: f64 = thresholds.iter().map(score).sum();
    let settings = Settings { relevance: Some(relevance), ..Settings::default() };
    let rwse = Scorer::new(&truth, settings).unwrap().score(&predicted, &[Measure::Rwse]).unwrap()[0];
    assert!((4.0 * area - rwse.value().unwrap()).abs() < 1e-3, "{area} {rwse}");
}
