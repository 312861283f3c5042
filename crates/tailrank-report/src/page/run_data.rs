//! What the page's scripts need to know of the whole run, as JSON inside `index.html`; and how long it took.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use tailrank_experiment::config::AlphaShape;
use tailrank_metrics::{
    Measure,
    registry::{MeasureInfo, Need},
};
use tailrank_score::score::VariantName;

use super::{escape, index::Files, overview::families, static_figures::StaticFigure};
use crate::{
    Result,
    figures::style::{Look, better_word},
    subject::Subject,
};

/// The run as the scripts see it.
#[derive(Serialize)]
pub(super) struct RunData<'a> {
    name: &'a str,
    measures: Vec<MeasureData>,
    /// Pairs of places in `measures`; the first makes the headline.
    pairs: Vec<[usize; 2]>,
    top: usize,
    exclude_undefined: bool,
    families: Vec<FamilyData>,
    variants: Vec<VariantData<'a>>,
    tasks: Vec<&'a str>,
    alpha: AlphaData,
    /// The benefit of a hit, and the utility's own admissible error; t_L where there is none.
    utility: Value,
    costs: CostData,
    /// Static figures, task by task.
    figures: &'a [Vec<StaticFigure>],
    /// Numbers of the tasks that have a page, where not all have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<Vec<usize>>,
}

#[derive(Serialize)]
struct MeasureData {
    id: &'static str,
    name: &'static str,
    symbol: &'static str,
    better: &'static str,
    formula: &'static str,
    /// The what-if settings that it depends on.
    depends: Vec<&'static str>,
}

/// A family as it is drawn in the page: the looks of the static figures, by Plotly's names.
#[derive(Serialize)]
struct FamilyData {
    name: String,
    colour: &'static str,
    marker: &'static str,
}

#[derive(Serialize)]
struct VariantData<'a> {
    label: &'a str,
    /// Place in `families`.
    family: usize,
    params: String,
}

#[derive(Serialize)]
struct AlphaData {
    shape: AlphaShape,
    k: f64,
}

/// The costs of LINLIN, QUAD-QUAD and LINEX.
#[derive(Serialize)]
struct CostData {
    over: f64,
    under: f64,
    linex_shape: f64,
    linex_scale: f64,
}

/// The sliders that move what a measure needs.
const fn sliders(need: Need) -> &'static [&'static str] {
    match need {
        Need::Relevance => &["low", "high"],
        Need::EventThreshold => &["tE"],
        Need::Accuracy => &["tL"],
        Need::Beta => &["beta"],
        // t is t_L where the utility has none of its own.
        Need::Utility => &["p", "tL"],
        Need::Uba => &["p"],
        Need::Trading => &["threshold"],
        _ => &[],
    }
}

impl<'a> RunData<'a> {
    pub(super) fn new(subject: Subject<'a>, files: &'a Files) -> Self {
        let Subject { results, rules, .. } = subject;
        let family = |(name, look): (&str, Look)| FamilyData {
            name: name.to_owned(),
            colour: look.colour,
            marker: look.marker.name(),
        };
        let families: Vec<FamilyData> = families(results).iter().map(family).collect();
        let place = |m| rules.measures.iter().position(|x| *x == m);
        let s = &rules.settings;
        let measure = |m: &Measure| {
            let &MeasureInfo { id, name, symbol, formula, needs, .. } = m.info();
            let depends = needs.iter().flat_map(|need| sliders(*need)).copied().collect();
            MeasureData { id, name, symbol, better: better_word(m.better()), formula, depends }
        };
        let variant = |v: &'a VariantName| VariantData {
            label: &v.label,
            family: families.iter().position(|f| f.name == v.group).unwrap_or(0),
            params: v.params.to_string(),
        };
        Self {
            name: subject.name,
            measures: rules.measures.iter().map(measure).collect(),
            pairs: subject.pairs.iter().filter_map(|&(a, b)| Some([place(a)?, place(b)?])).collect(),
            top: subject.compare.top,
            exclude_undefined: subject.compare.exclude_undefined,
            variants: results.names.variants.iter().map(variant).collect(),
            families,
            tasks: results.names.tasks.iter().map(String::as_str).collect(),
            alpha: AlphaData { shape: s.alpha, k: s.alpha_k },
            utility: json!({ "benefit": s.utility.benefit, "t": s.utility.t }),
            costs: CostData {
                over: s.loss.over,
                under: s.loss.under,
                linex_shape: s.linex.shape,
                linex_scale: s.linex.scale,
            },
            figures: &files.of_tasks,
            pages: files.pages.contains(&false).then(|| {
                files.pages.iter().zip(1..).filter_map(|(&page, number)| page.then_some(number)).collect()
            }),
        }
    }
}

#[derive(Serialize)]
struct Timings {
    cells: usize,
    seconds: f64,
    families: BTreeMap<String, f64>,
}

/// `timings.js`: how long fitting took, from the run's log; empty times where there is no log. Times differ from run to run, so they stand
/// in a file of their own.
pub(super) fn timings(subject: Subject<'_>) -> Result<String> {
    let log = subject
        .run()
        .and_then(|(_, store)| std::fs::read_to_string(store.root().join("log/timings.csv")).ok());
    let log = log.unwrap_or_default();
    let mut times = Timings { cells: 0, seconds: 0.0, families: BTreeMap::new() };
    // Task names may hold commas; family and seconds are the last two fields. A line torn by a crash has no number.
    for line in log.lines().skip(1) {
        let mut fields = line.rsplit(',');
        let (Some(seconds), Some(family)) =
            (fields.next().and_then(|s| s.parse::<f64>().ok()), fields.next())
        else {
            continue;
        };
        times.cells += 1;
        times.seconds += seconds;
        *times.families.entry(family.to_owned()).or_default() += seconds;
    }
    Ok(format!("tailrank.timings({});\n", escape::json(&times)?))
}
