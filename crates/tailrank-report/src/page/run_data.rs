//! What the page's scripts need to know of the whole run, as JSON inside `index.html`; and how long it took.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;
use tailrank_metrics::registry::{MeasureInfo, Need};
use tailrank_runner::store::Event;
use tailrank_score::score::VariantName;

use super::{overview::families, *};
use crate::figures::style::{Look, better_word, palette};

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

/// The run as the scripts see it.
pub(super) fn object(subject: PageInput<'_>, files: &Files) -> String {
    let PageInput { results, rules, .. } = subject;
    let (s, families) = (&rules.settings, families(results));
    let place = |m| rules.measures.iter().position(|x| *x == m);
    let measure = |m: &Measure| {
        let &MeasureInfo { id, name, symbol, formula, needs, .. } = m.info();
        // The what-if settings that it depends on.
        let depends: Vec<&str> = needs.iter().flat_map(|need| sliders(*need)).copied().collect();
        let words = Object::default().with("id", id).with("name", name).with("symbol", symbol);
        words.with("better", better_word(m.better())).with("formula", formula).with("depends", depends)
    };
    // As the static figures draw it, by Plotly's names.
    let family = |(name, look): (&str, Look)| {
        Object::default().with("name", name).with("colour", look.colour).with("marker", look.marker.name())
    };
    let variant = |v: &VariantName| {
        let family = families.iter().position(|(name, _)| name == v.group).unwrap_or(0);
        Object::default().with("label", &v.label).with("family", family).with("params", v.params.to_string())
    };
    // Places in the list of measures; the first pair makes the headline.
    let pairs = subject.pairs.iter().filter_map(|&(a, b)| Some([place(a)?, place(b)?]));
    // The costs of LINLIN, QUAD-QUAD and LINEX.
    let costs = Object::default().with("over", s.loss.over).with("under", s.loss.under);
    let costs = costs.with("linex_shape", s.linex.shape).with("linex_scale", s.linex.scale);
    // Numbers of the tasks that have a page, where not all have one.
    let numbers = files.pages.iter().zip(1..).filter_map(|(&page, number)| page.then_some(number));
    let numbers = files.pages.contains(&false).then(|| numbers.collect::<Vec<usize>>());
    let run = Object::default()
        .with("name", subject.name)
        .with_json("measures", &Object::list(rules.measures.iter().map(measure)))
        .with("pairs", pairs.collect::<Vec<_>>())
        .with("top", subject.compare.top)
        .with("exclude_undefined", subject.compare.exclude_undefined)
        .with_json("families", &Object::list(families.iter().map(family)))
        .with_json("variants", &Object::list(results.names.variants.iter().map(variant)))
        .with("tasks", &results.names.tasks)
        .with_json("alpha", &Object::default().with("shape", s.alpha).with("k", s.alpha_k).json())
        // The benefit of a hit, and the utility's own admissible error; t_L where there is none.
        .with("utility", json!({ "benefit": s.utility.benefit, "t": s.utility.t }))
        .with_json("costs", &costs.json())
        .with("palette", palette())
        .with("figures", &files.of_tasks)
        .with_some("pages", numbers);
    run.json()
}

/// `timings.js`: how long fitting took, from the run's log; empty times where there is no log. Times differ from run to run, so they stand
/// in a file of their own.
pub(super) fn timings(subject: PageInput<'_>) -> String {
    let (mut cells, mut all_seconds) = (0_usize, 0.0);
    let mut families: BTreeMap<&str, f64> = BTreeMap::new();
    if let Some((plan, store)) = subject.run() {
        let family_of: HashMap<&str, &str> =
            plan.cells.iter().map(|cell| (cell.key.as_str(), cell.family.name())).collect();
        for event in store.events().read().unwrap_or_default() {
            let Event::Stored { cell, micros: Some(micros), .. } = event else { continue };
            let Some(family) = family_of.get(cell.as_str()) else { continue };
            let seconds = micros as f64 / 1e6;
            cells += 1;
            all_seconds += seconds;
            *families.entry(family).or_default() += seconds;
        }
    }
    let times =
        Object::default().with("cells", cells).with("seconds", all_seconds).with("families", families);
    format!("tailrank.timings({});\n", escape::json(times.json()))
}
