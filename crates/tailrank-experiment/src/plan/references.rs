//! References: what every candidate should beat, in every run whose answer is to be sure.

use tailrank_data::Transform;
use tailrank_metrics::relevance::Extremes;

use crate::{
    config::{Experiment, ModelGrid},
    families::Families,
};

/// The family whose variants are added.
const FAMILY: &str = "baseline";

/// Adds a grid of the references that an experiment lacks, behind its own: nothing where its grids name
/// baselines, or where inference is off.
pub(super) fn add(experiment: &mut Experiment, families: &Families) {
    let is_baseline = |grid: &ModelGrid| {
        families.find(&grid.family, grid.engine.as_deref()).is_ok_and(|family| family.is_baseline())
    };
    let named = experiment.models.iter().any(is_baseline);
    if named || experiment.models.is_empty() || !experiment.inference.enabled {
        return;
    }
    let mut kinds = vec!["mean"];
    if experiment.data.tables.is_empty() {
        // Zero is a forecast of what changes; of a level it is none.
        if experiment.target.kind != Transform::Level {
            kinds.push("zero");
        }
        kinds.push("last");
    }
    // The constants that signal always.
    kinds.extend(match experiment.relevance.extremes {
        Extremes::Low => &["extreme_low"][..],
        Extremes::High => &["extreme_high"],
        Extremes::Both => &["extreme_low", "extreme_high"],
    });
    let variants: Vec<String> = kinds.iter().map(|kind| format!("{{ kind = \"{kind}\" }}")).collect();
    let text = format!("family = \"{FAMILY}\"\nvariants = [{}]", variants.join(", "));
    if let Ok(grid) = toml::from_str::<ModelGrid>(&text) {
        experiment.references = vec![grid];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let rest = "name = \"x\"\nsplit = { kind = \"fraction\", train = 0.5 }\n";
        let mut experiment: Experiment = toml::from_str(&format!("{rest}{text}")).unwrap();
        add(&mut experiment, &Families::built_in());
        let added = experiment.references.iter().flat_map(|g| &g.variants);
        added.map(|v| format!("{:?}", v["kind"])).collect()
    }

    #[test]
    fn every_run_has_references_unless_it_names_its_own() {
        let series = "data = { series = [\"KO\"] }\nmodels = [{ family = \"linear\" }]\n";
        assert_eq!(kinds(series).len(), 5);
        let table = "data = { tables = [\"boston\"] }\nrelevance = { extremes = \"high\" }\nmodels = [{ \
                     family = \"linear\" }]\n";
        assert_eq!(kinds(table).len(), 2);
        assert_eq!(kinds(&format!("target = {{ kind = \"level\" }}\n{series}")).len(), 4);
        assert_eq!(kinds(&series.replace("linear", "baseline")).len(), 0);
        assert_eq!(kinds(&format!("inference = {{ enabled = false }}\n{series}")).len(), 0);
    }
}
