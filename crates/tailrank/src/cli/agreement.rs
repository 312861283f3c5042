//! How far the rankings of several measures agree.

use serde_json::{Value, json};
use tailrank_experiment::text::{or_dash, p_value, two_decimals};
use tailrank_stats::{Alternative, CorrelationMethod, TestResult, kendall_test, spearman_test};

use super::{
    table::{Align, layout},
    width,
};

/// Two measures' rankings of the same models.
pub(crate) struct Agreement {
    measures: [String; 2],
    /// None where all models are tied by a measure, or there are too few.
    rho: Option<TestResult>,
    tau: Option<TestResult>,
}

/// Every pair of measures; `ranks` are parallel to their names.
pub(crate) fn agreements(names: &[&str], ranks: &[Vec<f64>]) -> Vec<Agreement> {
    let (auto, two_sided) = (CorrelationMethod::Auto, Alternative::TwoSided);
    let mut all = Vec::new();
    for i in 0..ranks.len() {
        for j in i + 1..ranks.len() {
            all.push(Agreement {
                measures: [names[i].to_owned(), names[j].to_owned()],
                rho: spearman_test(&ranks[i], &ranks[j], auto, two_sided).ok(),
                tau: kendall_test(&ranks[i], &ranks[j], auto, two_sided).ok(),
            });
        }
    }
    all
}

pub(crate) fn agreement_table(agreements: &[Agreement]) -> String {
    let two = |t: &Option<TestResult>| or_dash(t.as_ref().and_then(|t| t.estimate), two_decimals);
    let rows: Vec<Vec<String>> = agreements
        .iter()
        .map(|a| {
            vec![
                a.measures.join(" · "),
                two(&a.rho),
                two(&a.tau),
                or_dash(a.tau.as_ref().map(|t| t.p_value), p_value),
                a.tau.as_ref().map_or_else(|| "–".to_owned(), |t| t.method.to_owned()),
            ]
        })
        .collect();
    let headings = [
        ("measures", Align::Left),
        ("ρ", Align::Right),
        ("τ", Align::Right),
        ("p(τ)", Align::Right),
        ("method", Align::Left),
    ];
    layout(&headings, &rows, width())
}

impl Agreement {
    /// For scripts; undefined is null.
    pub(crate) fn as_json(&self) -> Value {
        json!({
            "measures": self.measures,
            "rho": self.rho.as_ref().and_then(|t| t.estimate),
            "tau": self.tau.as_ref().and_then(|t| t.estimate),
            "tau_p": self.tau.as_ref().map(|t| t.p_value),
            "tau_method": self.tau.as_ref().map(|t| t.method),
        })
    }
}
