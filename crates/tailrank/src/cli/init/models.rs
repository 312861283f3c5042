//! The grids that are proposed: as many as a minute allows.

use tailrank_models::families;

/// Stands for no grid: the family is left out.
const OUT: &str = "-";

/// Grids by family, from the richest to the cheapest.
const GRIDS: [(&str, [&str; 3]); 6] = [
    ("linear", ["", "", ""]),
    ("mars", ["penalty = [1, 2, 4], threshold = [0.01, 0.001]", "penalty = [2, 4]", "penalty = 2"]),
    ("forest", ["trees = [100, 300]", "trees = 100", OUT]),
    ("svm", ["cost = [1, 10, 100], gamma = [0.01, 0.001]", "cost = [1, 10], gamma = 0.01", OUT]),
    (
        "nnet",
        [
            "size = [5, 10], decay = [0.01, 0.1], standardise = true",
            "size = 5, decay = [0.01, 0.1], standardise = true",
            OUT,
        ],
    ),
    ("boost", [OUT, OUT, "trees = [50, 100]"]),
];

/// Shown below the richest grid of forests.
const STEPS: &str = "\n# learn = [\"plain\", \"weights\", { resample = \"smote\", k = 5 }, { stretch = \"f\" }]   # tailrank list steps";

const INTRODUCTION: &str = "# Families and parameters: tailrank list models. Lists expand to all combinations.\n\
    # Baselines (such as the mean) are added, and every model is tested against them.\n";

const LIMITS: &str = "[limits]\n# cell_seconds = 600\nmemory_mb = 4096";

/// Sections to try one after the other, the richest first; what the user named is taken as it is.
pub(super) fn proposed(named: &[String]) -> Result<Vec<String>, String> {
    let mut known: Vec<&str> = families().iter().map(|f| f.name()).collect();
    known.dedup();
    if let Some(name) = named.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("--models: no family is called '{name}'; there are {}", known.join(", ")));
    }
    let section = |rank: usize, name: &str, grid: &str| {
        let grid = if grid.is_empty() { String::new() } else { format!("\ngrid = {{ {grid} }}") };
        let steps = if (rank, name) == (0, "forest") { STEPS } else { "" };
        format!("[[models]]\nfamily = \"{name}\"{grid}{steps}\n\n")
    };
    let all = |rank: usize| -> String {
        if named.is_empty() {
            let proposed = GRIDS.iter().filter(|(_, grids)| grids[rank] != OUT);
            return proposed.map(|(name, grids)| section(rank, name, grids[rank])).collect();
        }
        let grid = |name: &str| {
            let (_, grids) = GRIDS.iter().find(|(family, _)| *family == name)?;
            [rank, 1, 2].map(|rank| grids[rank]).into_iter().find(|grid| *grid != OUT)
        };
        named.iter().map(|name| section(rank, name, grid(name).unwrap_or_default())).collect()
    };
    Ok((0..3).map(|rank| format!("{INTRODUCTION}{}{LIMITS}", all(rank))).collect())
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
