//! Properties of REC curves and surfaces (REC05).

use proptest::prelude::*;
use tailrank_metrics::{
    classic::{Reference, classic},
    rec::{
        Interval, RecError, RecSurface, StepCurve, Verdict, dominance, partial_rec_curve, partial_y_cdf,
        rec_curve,
    },
};

/// Truths and predictions with many ties, so that steps and grid points coincide.
fn cases() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let value = prop_oneof![(-8..8_i32).prop_map(|k| f64::from(k) / 4.0), -3.0..3.0_f64];
    prop::collection::vec((value.clone(), value), 1..80).prop_map(|pairs| pairs.into_iter().unzip())
}

/// Ascending points, some of them on the lattice of the cases.
fn grid() -> impl Strategy<Value = Vec<f64>> {
    let point = prop_oneof![(-12..12_i32).prop_map(|k| f64::from(k) / 4.0), -4.0..4.0_f64];
    prop::collection::vec(point, 1..25).prop_map(|mut points| {
        points.sort_by(f64::total_cmp);
        points.dedup();
        points
    })
}

const KINDS: [RecError; 2] = [RecError::Absolute, RecError::Squared];

fn naive(truth: &[f64], predicted: &[f64], kind: RecError, e: f64, y: f64) -> f64 {
    let inside = truth.iter().zip(predicted).filter(|&(&t, &p)| kind.of(t, p) <= e && t <= y).count();
    inside as f64 / truth.len() as f64
}

proptest! {
    #[test]
    fn area_over_the_curve_is_the_mean_error((truth, predicted) in cases()) {
        let scores = classic(&truth, &predicted, Reference::TestMean).unwrap();
        for (kind, mean) in KINDS.into_iter().zip([scores.mad, scores.mse]) {
            let area = rec_curve(&truth, &predicted, kind).unwrap().area_over();
            let mean = mean.value().unwrap();
            prop_assert!((area - mean).abs() <= 1e-13 * mean.max(1.0), "{area} against {mean}");
        }
    }

    #[test]
    fn the_curve_is_the_share_of_errors_up_to_e((truth, predicted) in cases(), points in grid()) {
        for kind in KINDS {
            let curve = rec_curve(&truth, &predicted, kind).unwrap();
            for (&e, height) in points.iter().zip(curve.at_points(&points)) {
                prop_assert_eq!(height.to_bits(), naive(&truth, &predicted, kind, e, f64::INFINITY).to_bits());
            }
            prop_assert!(curve.corners().zip(curve.corners().skip(1)).all(|(a, b)| a.0 < b.0 && a.1 < b.1));
        }
    }

    #[test]
    fn the_surface_equals_a_double_loop(
        (truth, predicted) in cases(),
        errors in grid(),
        targets in grid(),
    ) {
        for kind in KINDS {
            let surface = RecSurface::new(&truth, &predicted, kind, errors.clone(), targets.clone()).unwrap();
            for (i, &e) in errors.iter().enumerate() {
                for (j, &y) in targets.iter().enumerate() {
                    prop_assert_eq!(surface.at(i, j).to_bits(), naive(&truth, &predicted, kind, e, y).to_bits());
                }
            }
        }
    }

    #[test]
    fn the_last_slice_of_the_surface_is_the_curve(
        (truth, predicted) in cases(),
        errors in grid(),
        mut targets in grid(),
    ) {
        let top = truth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        targets.retain(|&y| y < top);
        targets.push(top);
        for kind in KINDS {
            let curve = rec_curve(&truth, &predicted, kind).unwrap();
            let surface = RecSurface::new(&truth, &predicted, kind, errors.clone(), targets.clone()).unwrap();
            prop_assert_eq!(surface.along_errors(targets.len() - 1), curve.at_points(&errors));
        }
    }

    #[test]
    fn partial_curves_add_up_to_the_whole((truth, predicted) in cases(), cuts in grid(), points in grid()) {
        let intervals: Vec<Interval> = std::iter::once(f64::NEG_INFINITY)
            .chain(cuts.iter().copied())
            .zip(cuts.iter().copied().chain([f64::INFINITY]))
            .map(|(a, b)| Interval::new(a, b).unwrap())
            .collect();
        for kind in KINDS {
            let whole = rec_curve(&truth, &predicted, kind).unwrap();
            let parts: Vec<StepCurve> =
                intervals.iter().map(|&r| partial_rec_curve(&truth, &predicted, kind, r).unwrap()).collect();
            let cdf: Vec<StepCurve> =
                intervals.iter().map(|&r| partial_y_cdf(&truth, &predicted, kind, r).unwrap()).collect();
            for &x in &points {
                prop_assert_eq!(parts.iter().map(|c| c.count_at(x)).sum::<u64>(), whole.count_at(x));
                let below = truth.iter().filter(|&&y| y <= x).count() as u64;
                prop_assert_eq!(cdf.iter().map(|c| c.count_at(x)).sum::<u64>(), below);
            }
            prop_assert_eq!(cdf.iter().map(StepCurve::cases).sum::<u64>(), truth.len() as u64);
            // Each normalised curve ends at one.
            for part in parts.iter().filter_map(StepCurve::normalised) {
                prop_assert_eq!(part.at(f64::INFINITY), 1.0);
            }
            let areas: f64 = parts.iter().map(StepCurve::area_over).sum();
            prop_assert!((areas - whole.area_over()).abs() <= 1e-12 * areas.max(1.0));
        }
    }

    #[test]
    fn slices_of_the_surface_are_partial_curves(
        (truth, predicted) in cases(),
        errors in grid(),
        targets in grid(),
        picks in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let kind = RecError::Absolute;
        let surface = RecSurface::new(&truth, &predicted, kind, errors.clone(), targets.clone()).unwrap();
        let (a, b) = (picks.0.index(targets.len()), picks.1.index(targets.len()));
        if a != b {
            let (a, b) = (a.min(b), a.max(b));
            let range = Interval::new(targets[a], targets[b]).unwrap();
            let curve = partial_rec_curve(&truth, &predicted, kind, range).unwrap();
            prop_assert_eq!(surface.target_slice(Some(a), b), curve.at_points(&errors));
        }
        let (a, b) = (picks.0.index(errors.len()), picks.1.index(errors.len()));
        if a != b {
            let (a, b) = (a.min(b), a.max(b));
            let range = Interval::new(errors[a], errors[b]).unwrap();
            let cdf = partial_y_cdf(&truth, &predicted, kind, range).unwrap();
            prop_assert_eq!(surface.error_slice(Some(a), b), cdf.at_points(&targets));
        }
    }

    #[test]
    fn dominance_agrees_with_heights((truth, a) in cases(), seed in any::<u64>()) {
        // The rival moves every prediction by a little, to either side.
        let b: Vec<f64> = a
            .iter()
            .enumerate()
            .map(|(i, z)| z + f64::from((((seed >> (i % 60)) & 7) as i32) - 3) / 4.0)
            .collect();
        let (a, b) = (
            rec_curve(&truth, &a, RecError::Absolute).unwrap(),
            rec_curve(&truth, &b, RecError::Absolute).unwrap(),
        );
        let result = dominance(&a, &b);
        let xs: Vec<f64> = a.corners().chain(b.corners()).map(|c| c.0).collect();
        let gaps: Vec<f64> = xs.iter().map(|&x| a.at(x) - b.at(x)).collect();
        let (up, down) = (gaps.iter().any(|&g| g > 0.0), gaps.iter().any(|&g| g < 0.0));
        let expected = match (up, down) {
            (true, true) => Verdict::Cross,
            (true, false) => Verdict::First,
            (false, true) => Verdict::Second,
            (false, false) => Verdict::Equal,
        };
        prop_assert_eq!(result.verdict, expected);
        prop_assert_eq!(result.crossings.is_empty(), expected != Verdict::Cross);
        for lead in &result.leads {
            for &x in xs.iter().filter(|&&x| lead.from <= x && x < lead.to) {
                prop_assert_eq!(a.at(x).total_cmp(&b.at(x)), lead.order);
            }
        }
        // A model that dominates has the smaller mean error.
        if expected == Verdict::First {
            prop_assert!(a.area_over() <= b.area_over() + 1e-12);
        }
        let back = dominance(&b, &a);
        prop_assert_eq!(back.crossings, result.crossings);
    }
}
