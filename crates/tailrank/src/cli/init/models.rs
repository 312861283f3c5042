//! The grids that are proposed: as many as a minute allows.

use tailrank_models::families;

/// `[[models]]` sections by family, from the richest to the cheapest.
const GRIDS: [(&str, [Option<&str>; 3]); 6] = [
    ("linear", [Some(""), Some(""), Some("")]),
    (
        "mars",
        [
            Some("grid = { penalty = [1, 2, 4], threshold = [0.01, 0.001] }"),
            Some("grid = { penalty = [2, 4] }"),
            Some("grid = { penalty = 2 }"),
        ],
    ),
    (
        "forest",
        [
            Some(
                "grid = { trees = [100, 300] }\n# learn = [\"plain\", \"weights\", { resample = \"smote\", k = 5 }, { stretch = \"f\" }]   # tailrank list steps",
            ),
            Some("grid = { trees = 100 }"),
            None,
        ],
    ),
    (
        "svm",
        [
            Some("grid = { cost = [1, 10, 100], gamma = [0.01, 0.001] }"),
            Some("grid = { cost = [1, 10], gamma = 0.01 }"),
            None,
        ],
    ),
    (
        "nnet",
        [
            Some("grid = { size = [5, 10], decay = [0.01, 0.1], standardise = true }"),
            Some("grid = { size = 5, decay = [0.01, 0.1], standardise = true }"),
            None,
        ],
    ),
    ("boost", [None, None, Some("grid = { trees = [50, 100] }")]),
];

const LIMITS: &str = "[limits]\n# cell_seconds = 600\nmemory_mb = 4096";

/// Sections to try one after the other, the richest first; what the user named is taken as it is.
pub(super) fn proposed(named: &[String]) -> Result<Vec<String>, String> {
    let unknown = named.iter().find(|name| !families().iter().any(|f| f.name() == name.as_str()));
    if let Some(name) = unknown {
        let mut known: Vec<&str> = families().iter().map(|f| f.name()).collect();
        known.dedup();
        return Err(format!("--models: no family is called '{name}'; there are {}", known.join(", ")));
    }
    let of_family = |name: &str, rank: usize| {
        let grid = GRIDS.iter().find(|(family, _)| *family == name);
        grid.map_or(Some(""), |(_, grids)| grids[rank])
    };
    let section = |name: &str, grid: &str| {
        let grid = if grid.is_empty() { String::new() } else { format!("\n{grid}") };
        format!("[[models]]\nfamily = \"{name}\"{grid}\n\n")
    };
    let all = |rank: usize| -> String {
        if named.is_empty() {
            let some = GRIDS.iter().filter_map(|(name, grids)| Some(section(name, grids[rank]?)));
            some.collect()
        } else {
            let grid = |name: &String| of_family(name, rank).or(of_family(name, 1)).or(of_family(name, 2));
            named.iter().map(|name| section(name, grid(name).unwrap_or_default())).collect()
        }
    };
    Ok((0..3)
        .map(|rank| {
            format!(
                "# Families and parameters: tailrank list models. Lists expand to all combinations.\n# Baselines (such as the \
                 mean) are added, and every model is tested against them.\n{}{LIMITS}",
                all(rank)
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_families_are_taken_and_unknown_ones_refused() {
        let three = proposed(&["boost".to_owned(), "knn".to_owned()]).unwrap();
        assert!(three[0].contains("family = \"boost\"\ngrid = { trees = [50, 100] }"), "{}", three[0]);
        assert!(three[0].contains("family = \"knn\"\n\n") && !three[0].contains("linear"), "{}", three[0]);
        let said = proposed(&["forrest".to_owned()]).unwrap_err();
        assert!(said.starts_with("--models: no family is called 'forrest'; there are "), "{said}");
        assert!(proposed(&[]).unwrap()[2].contains("boost"));
    }
}
