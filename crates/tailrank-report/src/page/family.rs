//! Colour and marker of each family: the Okabe–Ito set, and a shape so that grey print works.

use serde::Serialize;
use tailrank_engine::run::Results;

/// How a family is drawn everywhere in the page.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Family<'a> {
    /// The grid's label.
    pub(super) name: &'a str,
    /// Its colour.
    pub(super) colour: &'static str,
    /// Its marker, by Plotly's name.
    pub(super) marker: &'static str,
}

/// The paper's families have colours of their own; others take what is left.
const OWN: [(&str, &str, &str); 4] = [
    ("nnet", "#0072B2", "circle"),
    ("mars", "#E69F00", "square"),
    ("svm", "#D55E00", "diamond"),
    ("forest", "#009E73", "triangle-up"),
];

const OTHERS: [(&str, &str); 5] = [
    ("#56B4E9", "triangle-down"),
    ("#CC79A7", "cross"),
    ("#8C8C8C", "x"),
    ("#B8A900", "star"),
    ("#7A5CA8", "pentagon"),
];

/// The families of a run, in the order of the experiment file.
pub(super) fn families(results: &Results) -> Vec<Family<'_>> {
    let mut found: Vec<Family<'_>> = Vec::new();
    let mut others = OTHERS.iter().cycle();
    for variant in &results.variants {
        let name = variant.group.as_str();
        if found.iter().any(|f| f.name == name) {
            continue;
        }
        let own = OWN.iter().find(|(family, ..)| family.eq_ignore_ascii_case(name));
        let (colour, marker) = match own {
            Some(&(_, colour, marker)) => (colour, marker),
            None => others.next().copied().unwrap_or(("#8C8C8C", "x")),
        };
        found.push(Family { name, colour, marker });
    }
    found
}
