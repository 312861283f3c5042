//! PR09's formulas in R on 300 cases (c_paper_metrics.csv), through the scorer.

use crate::oracle;

use oracle::{Largest, column, number, rows};
use tailrank_metrics::{Accuracy, Measure, Relevance, Scorer, Settings};

#[test]
fn the_scorer_agrees_with_r() {
    let cases = rows("c_paper_data.csv");
    let truth = column(&cases, "y");
    let mut largest = Largest::default();
    let mut undefined = 0;
    for row in rows("c_paper_metrics.csv") {
        let settings = Settings {
            relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap()),
            accuracy: Some(Accuracy::smooth(0.005, 8.0).unwrap()),
            t_e: 0.5,
            beta: number(&row, "beta"),
            ..Settings::default()
        };
        let scorer = Scorer::new(&truth, settings).unwrap();
        let predicted = column(&cases, &row["model"]);
        let measures = ["MAD", "RMSE", "precision", "recall", "F"];
        let ids: Vec<Measure> = measures.iter().map(|m| Measure::from_id(m).unwrap()).collect();
        for (name, score) in measures.iter().zip(scorer.score(&predicted, &ids).unwrap()) {
            if row[*name] == "NA" {
                assert!(score.value().is_none(), "{name} of {row:?}");
                undefined += 1;
            } else {
                largest.see(score.value().unwrap(), number(&row, name), || format!("{name} of {row:?}"));
            }
        }
        let counts = scorer.event_counts(&[&predicted]).unwrap().unwrap();
        assert_eq!(counts.signals.to_string(), row["nSig"]);
        assert_eq!(counts.events.to_string(), row["nEv"]);
        assert_eq!(scorer.events(), Some(counts.events));
    }
    assert_eq!(undefined, 6); // Model b never signals: precision and F at three β.
    largest.check(6 * 5 - undefined, 1e-12);
}
