//! PR09's formulas as R computes them on 300 cases at ±0.02 (k 0.5, Δ 1e-4, t_E 0.5, t_L 0.005, α's k 8).

use crate::oracle;

use oracle::{Largest, column, number, rows};
use tailrank_metrics::{Accuracy, Relevance, Undefined, precision_recall};

fn settings() -> (Relevance, Accuracy) {
    let relevance = Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap();
    (relevance, Accuracy::smooth(0.005, 8.0).unwrap())
}

#[test]
fn c_paper_data() {
    let (relevance, accuracy) = settings();
    let (mut phi, mut alpha) = (Largest::default(), Largest::default());
    for row in rows("c_paper_data.csv") {
        let (y, a) = (number(&row, "y"), number(&row, "a"));
        phi.see(relevance.phi(y), number(&row, "phi_y"), || format!("{row:?}"));
        alpha.see(accuracy.of_loss((a - y).abs()), number(&row, "alpha_a"), || format!("{row:?}"));
    }
    phi.check(300, 1e-14);
    alpha.check(300, 1e-14);
}

#[test]
fn c_paper_metrics() {
    let (relevance, accuracy) = settings();
    let data = rows("c_paper_data.csv");
    let truth = column(&data, "y");
    let mut seen = Largest::default();
    let mut undefined = 0;
    for row in rows("c_paper_metrics.csv") {
        let predicted = column(&data, &row["model"]);
        let scores =
            precision_recall(&truth, &predicted, &relevance, &accuracy, 0.5, number(&row, "beta")).unwrap();
        assert_eq!(scores.counts.events, number(&row, "nEv") as usize);
        assert_eq!(scores.counts.signals, number(&row, "nSig") as usize);
        for (name, score) in [("precision", scores.precision), ("recall", scores.recall), ("F", scores.f)] {
            // R's NA is our named state.
            if row[name] == "NA" {
                assert_eq!(score.undefined(), Some(Undefined::NoSignals));
                undefined += 1;
            } else {
                seen.see(score.value().unwrap(), number(&row, name), || format!("{name} of {row:?}"));
            }
        }
    }
    assert_eq!(undefined, 6);
    seen.check(12, 1e-13);
}
