//! φ, bumps, utility and scores against R's uba 0.7.7, UBL 0.0.9 and IRon 0.1.4.

use crate::oracle;

use std::collections::BTreeMap;

use oracle::{Largest, data, number, rows};
use tailrank_metrics::{
    Measure, Relevance, Scorer, Settings,
    relevance::{BoxPlot, BoxStats, Extremes, Pchip},
    utility::{Uba, tloss},
};

/// Builds each configuration once.
#[derive(Default)]
struct Configurations(BTreeMap<(String, String), Pchip>);

impl Configurations {
    fn get(&mut self, cfg: &str, pkg: &str) -> &Pchip {
        self.0.entry((cfg.into(), pkg.into())).or_insert_with(|| pchip(cfg, pkg))
    }
}

/// The configurations of the fixtures, by name and package.
fn pchip(cfg: &str, pkg: &str) -> Pchip {
    let y = data("y");
    let kind = if pkg == "IRon" { BoxPlot::Adjusted } else { BoxPlot::Plain };
    let extremes = |which, coef| Relevance::extremes(&y, which, coef, kind).unwrap();
    let relevance = match cfg {
        "both" => extremes(Extremes::Both, 1.5),
        "high" => extremes(Extremes::High, 1.5),
        "low" => extremes(Extremes::Low, 1.5),
        "both_coef3" => extremes(Extremes::Both, 3.0),
        "range3" => Relevance::range(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3])).unwrap(),
        "range2" => {
            Relevance::range(&[(-4.0, 1.0), (-1.0, 0.2), (0.0, 0.0), (2.0, 0.6), (4.0, 1.0)], None).unwrap()
        }
        "rangeslope" => {
            Relevance::range(&[(-2.0, 0.0), (0.0, 0.3), (1.0, 0.5), (4.0, 1.0)], Some(&[0.0, 0.15, 0.3, 0.0]))
                .unwrap()
        }
        other => panic!("unknown configuration {other}"),
    };
    let Relevance::Pchip(phi) = relevance else { panic!("not piecewise cubic") };
    phi
}

#[test]
fn c_box_stats() {
    let y = data("y");
    let plain = BoxStats::new(&y, 1.5, BoxPlot::Plain).unwrap();
    let adjusted = BoxStats::new(&y, 1.5, BoxPlot::Adjusted).unwrap();
    let mut largest = Largest::default();
    for row in rows("c_box_stats.csv") {
        let got = match row["stat"].as_str() {
            // From the fences, whose formula holds it: hi = Q3 + 1.5·exp(3·mc)·(Q3 − Q1).
            "medcouple" => {
                let spread = 1.5 * (adjusted.upper_hinge - adjusted.lower_hinge);
                ((adjusted.upper_fence - adjusted.upper_hinge) / spread).ln() / 3.0
            }
            "adjfence_lo" => adjusted.lower_fence,
            "adjfence_hi" => adjusted.upper_fence,
            "box_lo" => plain.lower_whisker,
            "box_q1" => plain.lower_hinge,
            "box_med" => plain.median,
            "box_q3" => plain.upper_hinge,
            "box_hi" => plain.upper_whisker,
            "uba_tloss" => tloss(&y).unwrap(),
            other => panic!("unknown statistic {other}"),
        };
        largest.see(got, number(&row, "value"), || row["stat"].clone());
    }
    largest.check(9, 1e-14);
}

#[test]
fn c_phi_controlpts() {
    let mut configurations = Configurations::default();
    let mut largest = Largest::default();
    for row in rows("c_phi_controlpts.csv") {
        let phi = configurations.get(&row["cfg"], &row["pkg"]);
        assert_eq!(phi.control_points().len(), number(&row, "npts") as usize);
        let point = phi.control_points()[number(&row, "j") as usize - 1];
        let got = match row["what"].as_str() {
            "x" => point.y,
            "phi" => point.phi,
            _ => point.slope,
        };
        largest.see(got, number(&row, "value"), || format!("{row:?}"));
    }
    largest.check(288, 1e-14);
}

#[test]
fn c_phi_values() {
    let mut configurations = Configurations::default();
    let mut largest = Largest::default();
    for row in rows("c_phi_values.csv") {
        let phi = configurations.get(&row["cfg"], &row["pkg"]);
        largest.see(phi.phi_unclamped(number(&row, "y")), number(&row, "phi"), || format!("{row:?}"));
    }
    largest.check(6820, 1e-13);
}

#[test]
fn c_uba_util_values() {
    let mut configurations = Configurations::default();
    let tloss = tloss(&data("y")).unwrap();
    let (mut utility, mut relevance) = (Largest::default(), Largest::default());
    for row in rows("c_uba_util_values.csv") {
        let phi = configurations.get(&row["cfg"], "uba");
        let (y, z) = (number(&row, "y"), number(&row, "ypred"));
        relevance.see(phi.phi_unclamped(y), number(&row, "phi_y"), || format!("{row:?}"));
        relevance.see(phi.phi_unclamped(z), number(&row, "phi_pred"), || format!("{row:?}"));
        let uba = Uba::new(phi, number(&row, "p"), tloss).unwrap();
        utility.see(uba.utility(y, z), number(&row, "util"), || format!("{row:?}"));
    }
    relevance.check(7200, 1e-13);
    utility.check(3600, 1e-13);
}

#[test]
fn c_uba_metrics() {
    let mut configurations = Configurations::default();
    let predictions = BTreeMap::from(["p1", "p2"].map(|model| (model, data(model))));
    let y = data("y");
    let tloss = tloss(&y).unwrap();
    let mut largest = Largest::default();
    for row in rows("c_uba_metrics.csv") {
        let uba = Uba::new(configurations.get(&row["cfg"], "uba"), number(&row, "p"), tloss).unwrap();
        let (thr, beta) = (number(&row, "event.thr"), number(&row, "beta"));
        let predicted = &predictions[row["model"].as_str()];
        let measure = match row["metric"].as_str() {
            "MU" => Measure::UbaMu,
            "NMU" => Measure::UbaNmu,
            "P" => Measure::UbaPrecision,
            "R" => Measure::UbaRecall,
            "Fm" => Measure::UbaF,
            // Summaries of uba's curves, whose hull is not convex, are not offered.
            "AUCROC" | "AUCPR" | "MAP11" | "BFM" => continue,
            other => panic!("unknown metric {other}"),
        };
        let settings = Settings { uba: Some(uba), t_e: thr, beta, ..Settings::default() };
        let got =
            Scorer::new(&y, settings).unwrap().score(predicted, &[measure]).unwrap()[0].value().unwrap();
        largest.see(got, number(&row, "value"), || format!("{row:?}"));
    }
    largest.check(408, 1e-10);
}
