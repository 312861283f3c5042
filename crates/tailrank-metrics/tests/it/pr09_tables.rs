//! PR09 Tables 1 and 3: two models with the same MAD and MSE that recall and precision tell apart.
//!
//! Errata, found by calculation:
//! - The text says adj = ±1.5; every relevance printed in Table 3 comes from centres at ±2.0 (with k = 0.5, Δ
//!   = 1e-4). `text_centres_do_not_give_the_table` shows it.
//! - The k of the smooth accuracy (eq. 9) is never stated; Table 3 needs 8.
//! - M1's precision is printed as 0.292: 0.2928 cut, not rounded. M2's 0.668 and both recalls are rounded.
//! - Eq. 10 has ≥ above and > below the line; ≥ is used in both. No value of these tables lies on the
//!   threshold.

use tailrank_metrics::{Accuracy, PrecisionRecall, Relevance, f_measure, precision_recall};

const TRUTH: [f64; 10] = [-5.29, -2.65, -2.43, -0.20, -0.03, 0.03, 0.51, 1.46, 2.53, 2.94];
const M1: [f64; 10] = [-4.40, -2.06, -2.20, 0.10, -0.23, -0.27, 0.97, 2.00, 1.86, 2.15];
const M2: [f64; 10] = [-5.09, -2.95, -2.89, 0.69, -0.82, 0.70, -0.08, 0.92, 2.83, 3.17];
const T_E: f64 = 0.75;
const T_L: f64 = 0.5;

fn relevance() -> Relevance {
    Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap()
}

fn accuracy() -> Accuracy {
    // The paper never states k; its Table 3 needs 8.
    Accuracy::smooth(T_L, 8.0).unwrap()
}

fn printed(values: impl IntoIterator<Item = f64>) -> Vec<String> {
    values.into_iter().map(|v| format!("{v:.2}")).collect()
}

fn losses(predicted: [f64; 10]) -> Vec<f64> {
    TRUTH.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect()
}

#[test]
fn table_1_both_models_have_the_same_mad_and_mse() {
    for model in [M1, M2] {
        let losses = losses(model);
        let mad = losses.iter().sum::<f64>() / 10.0;
        let mse = losses.iter().map(|l| l * l).sum::<f64>() / 10.0;
        assert_eq!((format!("{mad:.3}"), format!("{mse:.5}")), ("0.497".into(), "0.29893".into()));
        assert!((mad - 0.497).abs() < 1e-15 && (mse - 0.29893).abs() < 1e-15);
    }
}

#[test]
fn table_3_relevance_of_the_truth() {
    assert_eq!(
        printed(TRUTH.map(|y| relevance().phi(y))),
        ["1.00", "1.00", "0.98", "0.00", "0.00", "0.00", "0.00", "0.01", "0.99", "1.00"]
    );
}

#[test]
fn table_3_model_1() {
    assert_eq!(
        printed(M1.map(|z| relevance().phi(z))),
        ["1.00", "0.63", "0.86", "0.00", "0.00", "0.00", "0.00", "0.50", "0.22", "0.80"]
    );
    assert_eq!(
        printed(losses(M1)),
        ["0.89", "0.59", "0.23", "0.30", "0.20", "0.30", "0.46", "0.54", "0.67", "0.79"]
    );
    assert_eq!(
        printed(losses(M1).into_iter().map(|l| accuracy().of_loss(l))),
        ["0.00", "0.00", "0.90", "0.72", "0.94", "0.72", "0.05", "0.00", "0.00", "0.00"]
    );
}

#[test]
fn table_3_model_2() {
    assert_eq!(
        printed(M2.map(|z| relevance().phi(z))),
        ["1.00", "1.00", "1.00", "0.00", "0.00", "0.00", "0.00", "0.00", "1.00", "1.00"]
    );
    assert_eq!(
        printed(losses(M2)),
        ["0.20", "0.30", "0.46", "0.89", "0.79", "0.67", "0.59", "0.54", "0.30", "0.23"]
    );
    assert_eq!(
        printed(losses(M2).into_iter().map(|l| accuracy().of_loss(l))),
        ["0.94", "0.72", "0.05", "0.00", "0.00", "0.00", "0.00", "0.00", "0.72", "0.90"]
    );
}

#[test]
fn recall_and_precision_of_the_text() {
    let scores =
        |model: &[f64]| precision_recall(&TRUTH, model, &relevance(), &accuracy(), T_E, 1.0).unwrap();
    let (first, second) = (scores(&M1), scores(&M2));
    assert_eq!(format!("{:.3} {:.3}", first.recall, second.recall), "0.178 0.670");
    assert_eq!(format!("{:.4} {:.3}", first.precision, second.precision), "0.2928 0.668");
    let counts = |s: &PrecisionRecall| (s.counts.events, s.counts.signals, s.counts.hits);
    assert_eq!((counts(&first), counts(&second)), ((5, 3, 1), (5, 5, 5)));
    let f = f_measure(first.precision, first.recall, 1.0).unwrap();
    assert_eq!(f, first.f);
    assert!(second.f.value().unwrap() > 2.0 * first.f.value().unwrap());
}

/// The centres the text names give other digits than the table: φ(1.46) would be 0.38, not 0.01.
#[test]
fn text_centres_do_not_give_the_table() {
    let text = Relevance::sigmoid(Some(-1.5), Some(1.5), 0.5, 1e-4).unwrap();
    assert_eq!(format!("{:.2}", text.phi(1.46)), "0.38");
}
