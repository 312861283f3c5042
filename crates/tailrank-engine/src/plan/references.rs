//! References: what every candidate should beat, in every run whose answer is to be sure.

use std::sync::Arc;

use tailrank_models::{Params, family};

use super::Variant;
use crate::{
    config::{Experiment, Extremes},
    families::ProgramFiles,
};

/// Family and label of references.
const FAMILY: &str = "baseline";

/// Adds the references that an experiment lacks: nothing where its grids name baselines, or where inference is off. They stand
/// behind the grids' variants, whose places stay as they are.
pub(super) fn add(experiment: &Experiment, variants: &mut Vec<Variant>) {
    let named = variants.iter().any(|v| v.family.name() == FAMILY);
    if named || variants.is_empty() || !experiment.inference.enabled {
        return;
    }
    let Ok(baseline) = family(FAMILY, None) else { return };
    let mut kinds = vec!["mean"];
    if experiment.data.tables.is_empty() {
        kinds.extend(["zero", "last"]);
    }
    // The constants that signal always.
    kinds.extend(match experiment.relevance.extremes {
        Extremes::Low => &["extreme_low"][..],
        Extremes::High => &["extreme_high"],
        Extremes::Both => &["extreme_low", "extreme_high"],
    });
    let grid = experiment.models.len();
    for kind in kinds {
        variants.push(Variant {
            id: variants.len() + 1,
            label: format!("{FAMILY} {kind}"),
            group: FAMILY.to_owned(),
            family: Arc::new(baseline),
            grid,
            identity: String::new(),
            program: None,
            program_files: ProgramFiles::new(),
            own_family: false,
            params: Params::new().with("kind", kind),
        });
    }
}
