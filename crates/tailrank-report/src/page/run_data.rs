//! What the page's scripts need to know of the whole run, as JSON inside `index.html`.

use serde::Serialize;
use tailrank_engine::config::AlphaShape;
use tailrank_metrics::Better;

use super::{
    family::{Family, families},
    static_figures::StaticFigure,
};
use crate::Source;

/// The run as the scripts see it.
#[derive(Serialize)]
pub(super) struct RunData<'a> {
    name: &'a str,
    measures: Vec<MeasureData>,
    /// Pairs of places in `measures`; the first makes the headline.
    pairs: Vec<[usize; 2]>,
    top: usize,
    exclude_undefined: bool,
    families: Vec<Family>,
    variants: Vec<VariantData<'a>>,
    tasks: Vec<&'a str>,
    alpha: AlphaData,
    utility: UtilityData,
    /// Static figures, task by task.
    figures: &'a [Vec<StaticFigure>],
}

#[derive(Serialize)]
struct MeasureData {
    id: &'static str,
    name: &'static str,
    symbol: &'static str,
    better: &'static str,
    formula: &'static str,
}

#[derive(Serialize)]
struct VariantData<'a> {
    label: &'a str,
    /// Place in `families`.
    family: usize,
    params: &'a str,
}

#[derive(Serialize)]
struct AlphaData {
    shape: &'static str,
    k: f64,
}

#[derive(Serialize)]
struct UtilityData {
    benefit: f64,
    /// The utility's own admissible error; t_L where there is none.
    t: Option<f64>,
}

impl<'a> RunData<'a> {
    pub(super) fn new(source: Source<'a>, figures: &'a [Vec<StaticFigure>]) -> Self {
        let Source { plan, results, .. } = source;
        let families = families(results);
        let place = |m| plan.rules.measures.iter().position(|x| *x == m);
        let s = &plan.rules.settings;
        Self {
            name: &plan.experiment.name,
            measures: plan
                .rules
                .measures
                .iter()
                .map(|m| {
                    let info = m.info();
                    let better = match info.better {
                        Better::Lower => "lower",
                        Better::Higher => "higher",
                    };
                    MeasureData {
                        id: info.id,
                        name: info.name,
                        symbol: info.symbol,
                        better,
                        formula: info.formula,
                    }
                })
                .collect(),
            pairs: plan.pairs.iter().filter_map(|&(a, b)| Some([place(a)?, place(b)?])).collect(),
            top: plan.experiment.compare.top,
            exclude_undefined: plan.experiment.compare.exclude_undefined,
            variants: results
                .names
                .variants
                .iter()
                .map(|v| VariantData {
                    label: &v.label,
                    family: families.iter().position(|f| f.name == v.group).unwrap_or(0),
                    params: &v.params,
                })
                .collect(),
            families,
            tasks: results.names.tasks.iter().map(String::as_str).collect(),
            alpha: AlphaData {
                shape: match s.alpha {
                    AlphaShape::Indicator => "indicator",
                    AlphaShape::Linear => "linear",
                    AlphaShape::Smooth => "smooth",
                },
                k: s.alpha_k,
            },
            utility: UtilityData { benefit: s.utility.benefit, t: s.utility.t },
            figures,
        }
    }
}
