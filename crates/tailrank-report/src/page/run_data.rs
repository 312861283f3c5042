//! What the page's scripts need to know of the whole run, as JSON inside `index.html`.

use serde_json::{Value, json};
use tailrank_metrics::registry::Need;
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
    let PageInput { results, rules, compare, .. } = subject;
    let (s, families) = (&rules.settings, families(results));
    let measure = |m: &Measure| {
        let info = m.info();
        // The what-if settings that it depends on.
        let depends: Vec<&str> = info.needs.iter().flat_map(|need| sliders(*need)).copied().collect();
        json!({
            "id": info.id, "name": info.name, "symbol": info.symbol, "formula": info.formula,
            "better": better_word(m.better()), "depends": depends,
        })
    };
    // As the static figures draw it, by Plotly's names.
    let family =
        |(name, look): (&str, Look)| json!({ "name": name, "colour": look.colour, "marker": look.marker });
    let variant = |v: &VariantName| {
        let family = families.iter().position(|(name, _)| name == v.group).unwrap_or(0);
        json!({ "label": v.label, "family": family, "params": v.params.to_string() })
    };
    let place = |m| rules.measures.iter().position(|x| *x == m);
    let pairs = subject.pairs.iter().filter_map(|&(a, b)| Some([place(a)?, place(b)?]));
    // Numbers of the tasks that have a page, where not all have one.
    let numbers = files.pages.iter().zip(1..).filter_map(|(&page, number)| page.then_some(number));
    let numbers = files.pages.contains(&false).then(|| numbers.collect::<Vec<usize>>());
    let run = json!({
        "name": subject.name,
        "measures": rules.measures.iter().map(measure).collect::<Value>(),
        // Places in the list of measures; the first pair makes the headline.
        "pairs": pairs.collect::<Vec<_>>(),
        "top": compare.top,
        "exclude_undefined": compare.exclude_undefined,
        "families": families.iter().map(family).collect::<Value>(),
        "variants": results.names.variants.iter().map(variant).collect::<Value>(),
        "tasks": results.names.tasks,
        "alpha": { "shape": s.alpha, "k": s.alpha_k },
        // The benefit of a hit, and the utility's own admissible error; t_L where there is none.
        "utility": { "benefit": s.utility.benefit, "t": s.utility.t },
        // The costs of LINLIN, QUAD-QUAD and LINEX.
        "costs": {
            "over": s.loss.over, "under": s.loss.under,
            "linex_shape": s.linex.shape, "linex_scale": s.linex.scale,
        },
        "palette": palette(),
        "figures": files.of_tasks,
        "pages": numbers,
    });
    run.to_string()
}
