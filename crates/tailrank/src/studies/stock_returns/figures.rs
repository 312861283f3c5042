//! PR09 Fig. 2 for every task: the top fives by MAD and by F on both scales, and the two ranks of every
//! variant.

use tailrank_report::figures::{MeasurePair, Scores, rank_scatter, scored_variants, top_lists};

use crate::studies::prelude::*;

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
        let variants = scored_variants(&results.names.variants, scores);
        let (a, b) = (Scores::of_task(scores, v.chosen_by), Scores::of_task(scores, v.judged_by));
        let heading = Heading::of(task);
        let name = slug(task);
        let pair = MeasurePair { variants, a, b };
        figures.push(figure(&format!("fig_2_right_{name}"), rank_scatter(heading, &pair, 10)?));
        figures.push(figure(&format!("fig_2_left_{name}"), top_lists(heading, &pair, 5, None)?));
    }
    Ok(figures)
}
