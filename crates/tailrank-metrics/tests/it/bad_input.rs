//! Every typed error of relevance, accuracy, precision/recall and utility, with its message.

use tailrank_metrics::{
    Accuracy, MetricError, Relevance, Result, Score, Undefined, f_measure, pr_curve, precision_recall,
    relevance::{BoxPlot, BoxStats, Extremes},
    utility::{Uba, Ut08, tloss},
};

fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.unwrap_err().to_string()
}

const CENTRE: &str = "the sigmoid's width is |c·k|, so its centre must be finite and other than 0; shift the target or use a `range` or `table` relevance";

#[test]
fn sigmoid_settings() {
    let sigmoid = Relevance::sigmoid;
    assert_eq!(
        message(sigmoid(None, Some(0.0), 0.5, 1e-4)),
        format!("high centre = 0 is not allowed: {CENTRE}")
    );
    assert_eq!(
        message(sigmoid(Some(f64::NAN), Some(1.0), 0.5, 1e-4)),
        format!("low centre = NaN is not allowed: {CENTRE}")
    );
    for k in [0.0, -1.0] {
        assert_eq!(
            message(sigmoid(None, Some(1.0), k, 1e-4)),
            format!("k = {k} is not allowed: k must be above 0")
        );
    }
    for delta in [0.0, 0.5, -0.1, 1.0] {
        assert_eq!(
            message(sigmoid(None, Some(1.0), 0.5, delta)),
            format!("delta = {delta} is not allowed: delta must lie between 0 and 0.5, both excluded")
        );
    }
    assert_eq!(
        message(sigmoid(None, None, 0.5, 1e-4)),
        "no relevance function can be derived: a sigmoid needs a centre and none is given; set `low`, `high` or both"
    );
    assert_eq!(
        message(sigmoid(Some(2.0), Some(1.0), 0.5, 1e-4)),
        "low centre = 2 is not allowed: the low centre must be below the high centre"
    );
}

#[test]
fn constant_targets() {
    let expected = "no relevance function can be derived: every target equals 3; give the relevance function by hand \
                    (`range`, `table` or sigmoid centres) or use other data";
    let ys = [3.0; 20];
    assert_eq!(message(Relevance::sigmoid_from_box_plot(&ys, Extremes::Both, 0.5, 1e-4)), expected);
    for kind in [BoxPlot::Plain, BoxPlot::Adjusted] {
        assert_eq!(message(Relevance::extremes(&ys, Extremes::Both, 1.5, kind)), expected);
    }
}

#[test]
fn targets_without_extremes() {
    let even: Vec<f64> = (0..11).map(f64::from).collect();
    for (which, side) in [(Extremes::Low, "below"), (Extremes::High, "above"), (Extremes::Both, "outside")] {
        assert_eq!(
            message(Relevance::extremes(&even, which, 1.5, BoxPlot::Plain)),
            format!(
                "no relevance function can be derived: no target lies {side} the box plot's fences [-5, 15], so every \
                 relevance would be 0; lower the coefficient of the whiskers, change `extremes`, or give control points"
            )
        );
    }
    let mut spike = vec![0.0; 30];
    spike.push(9.0);
    assert_eq!(
        message(Relevance::extremes(&spike, Extremes::High, 1.5, BoxPlot::Plain)),
        "no relevance function can be derived: the box has no width: a whisker ends at the median 0; give control points"
    );
    assert_eq!(
        message(BoxStats::new(&even, -1.0, BoxPlot::Plain)),
        "coef = -1 is not allowed: the whisker length coef must be 0 or more"
    );
}

/// A minimum that is also the median (rainfall, waiting times) is no error: uba divides by zero there.
#[test]
fn a_minimum_at_the_median_is_fine() {
    let mut ys = vec![0.0; 11];
    ys.extend([1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 40.0]);
    let relevance = Relevance::extremes(&ys, Extremes::High, 1.5, BoxPlot::Plain).unwrap();
    assert_eq!((relevance.phi(0.0), relevance.phi(6.0), relevance.phi(-3.0)), (0.0, 1.0, 0.0));
}

#[test]
fn unusable_targets() {
    assert_eq!(
        message(Relevance::extremes(&[], Extremes::Both, 1.5, BoxPlot::Plain)),
        "targets is empty: give 1 or more rows"
    );
    assert_eq!(
        message(Relevance::sigmoid_from_box_plot(&[1.0, f64::NAN], Extremes::Both, 0.5, 1e-4)),
        "targets row 2 is NaN: every value must be finite; drop or impute that case"
    );
    assert_eq!(
        message(tloss(&[1.0, f64::INFINITY])),
        "targets row 2 is inf: every value must be finite; drop or impute that case"
    );
}

#[test]
fn control_points() {
    let range = |points: &[(f64, f64)]| message(Relevance::range(points, None));
    assert_eq!(range(&[(0.0, 0.0)]), "control points is empty: give 2 or more rows");
    assert_eq!(
        range(&[(0.0, 0.0), (2.0, 0.5), (1.0, 1.0)]),
        "control points entry 3: y = 1 stands after 2; sort the points by y"
    );
    assert_eq!(
        range(&[(0.0, 0.0), (0.0, 0.5)]),
        "control points entry 2: y = 0 stands twice; give each y once"
    );
    assert_eq!(
        range(&[(0.0, 0.0), (1.0, 1.5)]),
        "control points entry 2: relevance 1.5 is outside 0 to 1; give a relevance from 0 to 1"
    );
    assert_eq!(
        range(&[(f64::NAN, 0.0), (1.0, 1.0)]),
        "control points entry 1: y is NaN; every y must be finite"
    );
    assert_eq!(
        message(Relevance::range(&[(0.0, 0.0), (1.0, 1.0)], Some(&[0.0]))),
        "slopes has 1 rows but control points has 2: give one value per case in both"
    );
    assert_eq!(
        message(Relevance::range(&[(0.0, 0.0), (1.0, 1.0)], Some(&[0.0, f64::NAN]))),
        "slopes row 2 is NaN: every value must be finite; drop or impute that case"
    );
    assert_eq!(
        message(Relevance::table(&[(0.0, 0.0), (-1.0, 0.5)])),
        "relevance table entry 2: y = -1 stands after 0; sort the points by y"
    );
}

#[test]
fn indicator_ranges() {
    let indicator = |ranges: &[(f64, f64)]| message(Relevance::indicator(ranges));
    assert_eq!(indicator(&[]), "relevant ranges is empty: give 1 or more rows");
    assert_eq!(
        indicator(&[(2.0, 1.0)]),
        "relevant ranges entry 1: [2, 1] is not a range; write the smaller end first"
    );
    assert_eq!(
        indicator(&[(0.0, 2.0), (1.0, 3.0)]),
        "relevant ranges entry 2: [1, 3] begins before the range ahead of it ends at 2; sort the ranges and keep them apart"
    );
}

#[test]
fn no_case_above_the_threshold() {
    let relevance = Relevance::sigmoid(Some(-0.5), Some(5.0), 0.5, 1e-4).unwrap();
    let check = relevance.check_events("test", &[0.1, 0.4, 4.0], 0.5).unwrap();
    assert_eq!(check.events, 0);
    assert_eq!(
        check.warning().unwrap(),
        "none of the 3 test cases is an event: the largest relevance is 0.0245 (at y = 4), below t_E = 0.5; lower t_E, or \
         move the sigmoid's centres (`low`, `high`) towards the data or raise `k`"
    );
    let fine = relevance.check_events("test", &[0.1, 9.0], 0.5).unwrap();
    assert_eq!((fine.events, fine.warning()), (1, None));
}

fn settings() -> (Relevance, Accuracy) {
    (Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap(), Accuracy::smooth(0.5, 8.0).unwrap())
}

#[test]
fn thresholds_and_beta() {
    let (relevance, accuracy) = settings();
    let score = |t_e, beta| precision_recall(&[1.0], &[1.0], &relevance, &accuracy, t_e, beta);
    let beta = "beta must be 0 or more (below 1 favours precision, above 1 recall)";
    assert_eq!(message(score(0.5, -1.0)), format!("beta = -1 is not allowed: {beta}"));
    assert_eq!(
        message(f_measure(Score::Value(1.0), Score::Value(1.0), f64::NAN)),
        format!("beta = NaN is not allowed: {beta}")
    );
    for t_e in [-0.1, 1.1] {
        assert_eq!(
            message(score(t_e, 1.0)),
            format!("t_E = {t_e} is not allowed: the event threshold must lie within 0 to 1")
        );
        assert!(relevance.event_bounds(t_e).is_err());
        assert!(relevance.check_events("test", &[1.0], t_e).is_err());
    }
}

#[test]
fn vectors_that_do_not_match() {
    let (relevance, accuracy) = settings();
    let expected = "truth has 2 rows but predictions has 1: give one value per case in both";
    let (truth, short) = ([1.0, 2.0], [1.0]);
    assert_eq!(message(precision_recall(&truth, &short, &relevance, &accuracy, 0.5, 1.0)), expected);
    assert_eq!(message(pr_curve(&truth, &short, &relevance, &accuracy)), expected);
    let ut08 = Ut08::new(1.0, 1.0, 0.5, None).unwrap();
    assert_eq!(message(ut08.mean(&truth, &short, &relevance)), expected);
    assert_eq!(
        message(precision_recall(&truth, &[0.0, f64::INFINITY], &relevance, &accuracy, 0.5, 1.0)),
        "predictions row 2 is inf: every value must be finite; drop or impute that case"
    );
    assert_eq!(
        message(precision_recall(&[], &[], &relevance, &accuracy, 0.5, 1.0)),
        "truth is empty: give 1 or more rows"
    );
}

#[test]
fn utility_settings() {
    assert_eq!(
        message(Ut08::new(0.0, 1.0, 0.5, None)),
        "B = 0 is not allowed: the largest benefit must be above 0"
    );
    assert_eq!(
        message(Ut08::new(1.0, 0.0, 0.5, None)),
        "t = 0 is not allowed: the largest admissible error must be above 0, in the target's unit"
    );
    assert_eq!(
        message(Ut08::new(1.0, 1.0, 1.5, None)),
        "p = 1.5 is not allowed: the weight of missed events must lie within 0 to 1"
    );
    assert_eq!(
        message(Ut08::new(1.0, 1.0, 0.5, Some(0.0))),
        "eta = 0 is not allowed: the decay must be above 0"
    );
    let Relevance::Pchip(phi) = Relevance::range(&[(0.0, 0.0), (1.0, 1.0)], None).unwrap() else { panic!() };
    assert!(matches!(Uba::new(&phi, -0.1, 1.0), Err(MetricError::Parameter { name: "p", .. })));
    assert!(matches!(Uba::new(&phi, 0.5, f64::NAN), Err(MetricError::NonFinite { .. })));
}

#[test]
fn undefined_is_a_named_state() {
    let (relevance, accuracy) = settings();
    let score = |truth: &[f64], predicted: &[f64]| {
        precision_recall(truth, predicted, &relevance, &accuracy, 0.5, 1.0).unwrap()
    };
    let silent = score(&[3.0, 0.0], &[0.0, 0.0]);
    assert_eq!(silent.precision, Score::Undefined(Undefined::NoSignals));
    assert_eq!(silent.recall, Score::Value(0.0));
    assert_eq!(silent.f, Score::Undefined(Undefined::NoSignals));
    let false_alarm = score(&[0.0, 0.0], &[3.0, 0.0]);
    assert_eq!(false_alarm.precision, Score::Value(0.0));
    assert_eq!(false_alarm.recall, Score::Undefined(Undefined::NoEvents));
    assert_eq!(false_alarm.f, Score::Undefined(Undefined::NoEvents));
    let both_wrong = score(&[3.0, 0.0], &[0.0, 3.0]);
    assert_eq!((both_wrong.precision, both_wrong.recall), (Score::Value(0.0), Score::Value(0.0)));
    assert_eq!(both_wrong.f, Score::Value(0.0));
    // β = 0 is precision alone.
    assert_eq!(f_measure(Score::Value(0.4), Score::Value(0.9), 0.0).unwrap(), Score::Value(0.4));
    let indicator = Relevance::indicator(&[(9.0, 10.0)]).unwrap();
    let nothing = precision_recall(&[1.0], &[1.0], &indicator, &accuracy, 0.0, 1.0).unwrap();
    assert_eq!(nothing.precision, Score::Undefined(Undefined::ZeroRelevance));
}
