//! What must hold for any settings and data.

use proptest::prelude::*;
use tailrank_metrics::{
    Accuracy, Relevance, Score, pr_curve, precision_recall,
    relevance::{BoxPlot, Extremes},
    utility::{Uba, Ut08, bumps, tloss},
};

/// Targets with a heavy tail on both sides.
fn targets() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-1.0f64..1.0).prop_map(|u| u.powi(5) * 50.0 + u), 20..200)
}

/// Strictly ascending control points with any relevance.
fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((0.01f64..3.0, 0.0f64..=1.0), 2..8).prop_map(|steps| {
        let mut y = -5.0;
        steps
            .into_iter()
            .map(|(step, phi)| {
                y += step;
                (y, phi)
            })
            .collect()
    })
}

fn grid() -> impl Iterator<Item = f64> {
    (-600..=600).map(|i| f64::from(i) * 0.05)
}

/// φ never rises (`sign` −1) or never falls (+1) over ascending values, but for rounding.
fn assert_monotone(relevance: &Relevance, values: impl Iterator<Item = f64>, sign: f64) {
    let phi: Vec<f64> = values.map(|y| relevance.phi(y)).collect();
    for pair in phi.windows(2) {
        assert!(sign * (pair[1] - pair[0]) >= -1e-12, "{} then {}", pair[0], pair[1]);
    }
}

proptest! {
    #[test]
    fn sigmoid_is_within_bounds_and_monotone_on_each_side(
        low in -20.0f64..-0.01, high in 0.01f64..20.0, k in 0.05f64..2.0, delta in 1e-8f64..0.49
    ) {
        let both = Relevance::sigmoid(Some(low), Some(high), k, delta).unwrap();
        for y in grid() {
            prop_assert!((0.0..=1.0).contains(&both.phi(y)));
        }
        prop_assert!(both.phi(low) >= 0.5 && both.phi(high) >= 0.5);
        assert_monotone(&Relevance::sigmoid(Some(low), None, k, delta).unwrap(), grid(), -1.0);
        assert_monotone(&Relevance::sigmoid(None, Some(high), k, delta).unwrap(), grid(), 1.0);
        assert_monotone(&both, grid().filter(|&y| y <= low), -1.0);
        assert_monotone(&both, grid().filter(|&y| y >= high), 1.0);
        // Δ at the distance |c·k| from the centre, PR09's definition of the slope.
        let one = Relevance::sigmoid(None, Some(high), k, delta).unwrap();
        prop_assert!((one.phi(high - high * k) - delta).abs() < 1e-12);
    }

    #[test]
    fn extremes_are_within_bounds_and_monotone_on_each_side(ys in targets(), coef in 0.5f64..2.0) {
        for kind in [BoxPlot::Plain, BoxPlot::Adjusted] {
            for which in [Extremes::Low, Extremes::High, Extremes::Both] {
                let Ok(relevance) = Relevance::extremes(&ys, which, coef, kind) else { continue };
                let mut sorted = ys.clone();
                sorted.sort_by(f64::total_cmp);
                let n = sorted.len();
                let median = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
                prop_assert_eq!(relevance.phi(median), 0.0);
                assert_monotone(&relevance, grid().filter(|&y| y <= median), -1.0);
                assert_monotone(&relevance, grid().filter(|&y| y >= median), 1.0);
            }
        }
    }

    #[test]
    fn flat_control_points_make_monotone_pieces(points in points()) {
        let relevance = Relevance::range(&points, Some(&vec![0.0; points.len()])).unwrap();
        for pair in points.windows(2) {
            let sign = if pair[1].1 >= pair[0].1 { 1.0 } else { -1.0 };
            let steps = (0..=50).map(|i| pair[0].0 + (pair[1].0 - pair[0].0) * f64::from(i) / 50.0);
            assert_monotone(&relevance, steps, sign);
        }
    }

    #[test]
    fn every_relevance_is_within_bounds_and_the_vector_form_gives_the_same_bits(
        points in points(), slopes in prop::collection::vec(-3.0f64..3.0, 8)
    ) {
        let shapes = [
            Relevance::range(&points, None).unwrap(),
            Relevance::range(&points, Some(&slopes[..points.len()])).unwrap(),
            Relevance::table(&points).unwrap(),
            Relevance::indicator(&[(-3.0, -2.0), (1.0, f64::INFINITY)]).unwrap(),
            Relevance::sigmoid(Some(-1.0), Some(2.0), 0.5, 1e-4).unwrap(),
        ];
        let ys: Vec<f64> = grid().collect();
        for relevance in shapes {
            let mut phi = vec![f64::NAN; ys.len()];
            relevance.phi_into(&ys, &mut phi);
            for (&y, &p) in ys.iter().zip(&phi) {
                prop_assert!((0.0..=1.0).contains(&p));
                prop_assert_eq!(p.to_bits(), relevance.phi(y).to_bits());
            }
        }
    }

    #[test]
    fn event_bounds_are_where_relevance_reaches_the_threshold(points in points(), t in 0.01f64..0.99) {
        let shapes = [
            Relevance::range(&points, None).unwrap(),
            Relevance::range(&points, Some(&vec![0.0; points.len()])).unwrap(),
            Relevance::table(&points).unwrap(),
            Relevance::sigmoid(Some(-1.0), Some(2.0), 0.5, 1e-4).unwrap(),
            Relevance::sigmoid(Some(-1.0), Some(-0.5), 2.0, 0.1).unwrap(),
        ];
        for relevance in shapes {
            let ranges = relevance.event_bounds(t).unwrap();
            for pair in ranges.windows(2) {
                prop_assert!(pair[0].to < pair[1].from);
            }
            for y in grid() {
                let phi = relevance.phi(y);
                prop_assert!(phi.is_finite(), "y = {}", y);
                if (phi - t).abs() > 1e-9 {
                    let inside = ranges.iter().any(|r| r.from <= y && y <= r.to);
                    prop_assert_eq!(inside, phi > t, "y = {}, phi = {}, t = {}, {:?}", y, phi, t, ranges);
                }
            }
        }
    }

    /// PR09 §4.1: with indicator relevance and 0/1 loss the two measures are those of classification.
    #[test]
    fn classification_is_a_special_case(
        cases in prop::collection::vec((0u8..4, 0u8..4), 1..200)
    ) {
        let truth: Vec<f64> = cases.iter().map(|c| f64::from(c.0)).collect();
        let predicted: Vec<f64> = cases.iter().map(|c| f64::from(c.1)).collect();
        let relevance = Relevance::indicator(&[(2.0, 2.0)]).unwrap();
        let accuracy = Accuracy::indicator(0.5).unwrap();
        let scores = precision_recall(&truth, &predicted, &relevance, &accuracy, 1.0, 1.0).unwrap();
        let tp = cases.iter().filter(|c| **c == (2, 2)).count();
        let pos = cases.iter().filter(|c| c.0 == 2).count();
        let ppos = cases.iter().filter(|c| c.1 == 2).count();
        let counts = scores.counts;
        prop_assert_eq!((counts.hits, counts.events, counts.signals), (tp, pos, ppos));
        prop_assert_eq!((counts.near_misses, counts.false_alarms, counts.missed), (0, ppos - tp, pos - tp));
        let share = |whole: usize| (whole > 0).then(|| tp as f64 / whole as f64);
        prop_assert_eq!(scores.precision.value(), share(ppos));
        prop_assert_eq!(scores.recall.value(), share(pos));
    }

    #[test]
    fn the_curve_agrees_with_single_thresholds(
        cases in prop::collection::vec((-4.0f64..4.0, -0.8f64..0.8), 1..60)
    ) {
        let truth: Vec<f64> = cases.iter().map(|c| c.0).collect();
        let predicted: Vec<f64> = cases.iter().map(|c| c.0 + c.1).collect();
        let relevance = Relevance::table(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)]).unwrap();
        let accuracy = Accuracy::linear(0.5).unwrap();
        let curve = pr_curve(&truth, &predicted, &relevance, &accuracy).unwrap();
        let close = |a: Score, b: Score| match (a.value(), b.value()) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-12,
            _ => a == b,
        };
        for point in &curve.points {
            let one =
                precision_recall(&truth, &predicted, &relevance, &accuracy, point.t_e, 1.0).unwrap();
            prop_assert!(close(point.precision, one.precision) && close(point.recall, one.recall));
        }
        for pair in curve.points.windows(2) {
            prop_assert!(pair[0].t_e > pair[1].t_e);
        }
        if let Some(area) = curve.area.value() {
            prop_assert!((0.0..=1.0).contains(&area));
        }
    }

    #[test]
    fn an_exact_prediction_has_the_utility_of_its_relevance(ys in targets()) {
        let Ok(relevance) = Relevance::extremes(&ys, Extremes::Both, 1.0, BoxPlot::Plain) else { return Ok(()) };
        let Relevance::Pchip(phi) = &relevance else { panic!("not piecewise cubic") };
        let uba = Uba::new(phi, 0.5, tloss(&ys).unwrap()).unwrap();
        let ut08 = Ut08::new(1.0, 0.5, 0.5, None).unwrap();
        for &y in &ys {
            let on_edge = bumps(phi, tloss(&ys).unwrap()).iter().any(|b| b.left == y);
            if !on_edge {
                prop_assert!((uba.utility(y, y) - relevance.phi(y)).abs() < 1e-12);
            }
            for &z in &ys {
                prop_assert!((-1.0 - 1e-12..=1.0 + 1e-12).contains(&uba.utility(y, z)));
                let u = ut08.utilities(&[y], &[z], &relevance).unwrap()[0];
                prop_assert!((-1.0..=1.0).contains(&u));
            }
        }
    }

    #[test]
    fn scores_do_not_depend_on_the_order_of_cases(
        cases in prop::collection::vec((-4.0f64..4.0, -4.0f64..4.0), 2..80)
    ) {
        let relevance = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap();
        let accuracy = Accuracy::smooth(1.0, 8.0).unwrap();
        let score = |cases: &[(f64, f64)]| {
            let (truth, predicted): (Vec<f64>, Vec<f64>) = cases.iter().copied().unzip();
            precision_recall(&truth, &predicted, &relevance, &accuracy, 0.5, 0.5).unwrap()
        };
        let mut reversed = cases.clone();
        reversed.reverse();
        let (a, b) = (score(&cases), score(&reversed));
        prop_assert_eq!(a.counts, b.counts);
        match (a.f.value(), b.f.value()) {
            (Some(x), Some(y)) => prop_assert!((x - y).abs() < 1e-12),
            _ => prop_assert_eq!(a.f, b.f),
        }
    }
}
