//! PR09 Fig. 2 for every task: the top fives by MAD and by F on both scales, and the two ranks of every variant.

use tailrank_report::figures::{
    Heading, RankScatter, Scores, TopLists, rank_scatter, scored_variants, top_lists,
};
use tailrank_score::score::{Comparison, Results};

use crate::studies::{Figure, Result};

/// The figures of `first` stand first.
pub(in crate::studies) fn figure_2(
    results: &Results,
    verdicts: &[&Comparison],
    first: &str,
) -> Result<Vec<Figure>> {
    let mut ordered: Vec<&&Comparison> = verdicts.iter().collect();
    ordered.sort_by_key(|v| results.names.tasks[v.task] != first);
    let mut figures = Vec::new();
    for v in ordered {
        let task = &results.names.tasks[v.task];
        let scores = &results.scores[v.task];
        let variants = || scored_variants(&results.names.variants, scores);
        let of = |measure| Scores::of_task(scores, measure);
        let heading = Heading { title: None, context: task };
        let name = task.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let right =
            RankScatter { heading, variants: variants(), a: of(v.chosen_by), b: of(v.judged_by), top: 10 };
        figures.push(Figure { name: format!("fig_2_right_{name}"), svg: rank_scatter(&right)?.svg });
        let left = TopLists { heading, variants: variants(), a: of(v.chosen_by), b: of(v.judged_by), top: 5 };
        figures.push(Figure { name: format!("fig_2_left_{name}"), svg: top_lists(&left)?.svg });
    }
    Ok(figures)
}
