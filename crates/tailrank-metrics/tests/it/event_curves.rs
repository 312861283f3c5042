//! ROC and lift curves of event alarms against scikit-learn (`scripts/fixtures/event_curves.py`).

use std::collections::HashMap;

use tailrank_metrics::{
    Relevance,
    classification::{RankedCounts, RatePoint},
    relevance::Flank,
};

#[test]
fn curves_of_event_alarms_equal_scikit_learns() {
    let fixture = include_str!("../fixtures/event_curves.json");
    let mut found: HashMap<String, serde_json::Value> = serde_json::from_str(fixture).unwrap();
    let area = found.remove("auc").unwrap().as_f64().unwrap();
    let column = |name: &str| -> Vec<f64> { serde_json::from_value(found[name].clone()).unwrap() };
    let (truth, predicted) = (column("truth"), column("predicted"));
    let high = Relevance::table(&[(1.4, 0.0), (1.5, 1.0)]).unwrap();
    let ranked = RankedCounts::of_events(&truth, &predicted, &high, 1.0, Flank::High).unwrap();
    let check = |name: &str, points: &[RatePoint], of: fn(&RatePoint) -> f64| {
        let expected = column(name);
        assert_eq!(points.len(), expected.len(), "{name}");
        for (k, (point, expected)) in points.iter().zip(expected).enumerate() {
            assert!((of(point) - expected).abs() < 1e-12, "{name} {k}: {} against {expected}", of(point));
        }
    };
    let (roc, lift) = (ranked.roc().unwrap(), ranked.lift().unwrap());
    check("fpr", &roc, |p| p.x);
    check("tpr", &roc, |p| p.y);
    check("thresholds", &roc[1..], |p| p.threshold);
    check("called", &lift, |p| p.x);
    check("lift", &lift, |p| p.y);
    let precision_recall = ranked.precision_recall().unwrap();
    check("recall", &precision_recall, |p| p.x);
    check("precision", &precision_recall, |p| p.y);
    assert!((ranked.roc_area().value().unwrap() - area).abs() < 1e-12);

    // Turned round, the low side has the same curves.
    let turned = |values: &[f64]| values.iter().map(|v| -v).collect::<Vec<_>>();
    let low = Relevance::table(&[(-1.5, 1.0), (-1.4, 0.0)]).unwrap();
    let of_low =
        RankedCounts::of_events(&turned(&truth), &turned(&predicted), &low, 1.0, Flank::Low).unwrap();
    assert_eq!(of_low, ranked);
}
