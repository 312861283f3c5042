//! Adjusted box plots against robustbase 0.95-0 (`mc`, `adjboxStats`), on small, large, tied and left-skewed
//! samples.

use crate::oracle;

use oracle::{Largest, number, rows};
use tailrank_metrics::relevance::{BoxPlot, BoxStats};

#[test]
fn c_medcouple_r() {
    let (mut fences, mut medcouples) = (Largest::default(), Largest::default());
    for row in rows("c_medcouple_R.csv") {
        let values: Vec<f64> = row["values"].split(' ').map(|v| v.parse().unwrap()).collect();
        let stats = BoxStats::new(&values, 1.5, BoxPlot::Adjusted).unwrap();
        fences.see(stats.lower_fence, number(&row, "fence_lo"), || row["sample"].clone());
        fences.see(stats.upper_fence, number(&row, "fence_hi"), || row["sample"].clone());
        // The medcouple from the wider fence, whose factor is exp(3·|mc|).
        let spread = 1.5 * (stats.upper_hinge - stats.lower_hinge);
        if spread > 0.0 {
            let up = ((stats.upper_fence - stats.upper_hinge) / spread).ln();
            let down = ((stats.lower_hinge - stats.lower_fence) / spread).ln();
            let medcouple = if up >= 0.0 { up / 3.0 } else { -down / 3.0 };
            medcouples.see(medcouple, number(&row, "medcouple"), || row["sample"].clone());
        }
    }
    fences.check(26, 1e-12);
    assert!(medcouples.compared >= 12);
    assert!(medcouples.difference < 1e-12, "{}", medcouples.place);
}
