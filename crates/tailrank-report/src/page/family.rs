//! How a family is drawn in the page: the looks of the static figures, by Plotly's names.

use serde::Serialize;
use tailrank_score::score::Results;

use crate::figures::style::Families;

/// A family with its look.
#[derive(Clone, Serialize)]
pub(super) struct Family {
    /// The grid's label.
    pub(super) name: String,
    /// Its colour.
    pub(super) colour: &'static str,
    marker: &'static str,
}

/// The families of a run, in the order of the experiment file.
pub(super) fn families(results: &Results) -> Vec<Family> {
    let looks = Families::new(results.names.variants.iter().map(|v| v.group.as_str()));
    looks
        .iter()
        .map(|(name, look)| Family { name: name.to_owned(), colour: look.colour, marker: look.marker.name() })
        .collect()
}
