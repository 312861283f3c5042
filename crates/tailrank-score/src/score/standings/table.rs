//! Standings as a table.

use super::{Estimate, Standings};
use crate::table::{Format, Table};

/// One row per measure and entry.
pub(in crate::score) fn table(standings: &Standings) -> Table {
    use Format::{Count, Name, Number, P, Percent};
    let end = |e: Option<Estimate>, upper: bool| {
        e.and_then(|e| e.interval).map(|(low, high)| if upper { high } else { low })
    };
    let mut table = Table::of(&standings.rows)
        .measure(|s| s.measure)
        .column(Name, "kind", ("kind", "family, recipe, model or baseline"), |s| s.kind.code())
        .column(Name, "entry", ("entry", "what is compared"), |s| s.entry.as_str())
        .column(Percent, "skill", "skill", |s| s.skill.map(|e| e.value))
        .means(
            "gain over the best baseline: 1 less the geometric mean of score ratios, or the mean \
            share of the possible gain",
        )
        .column(Percent, "skill_lower", "from", |s| end(s.skill, false))
        .means("lower end of its interval over clusters of tasks")
        .column(Percent, "skill_upper", ("to", "upper end"), |s| end(s.skill, true))
        .column(Percent, "grid_skill", "grid's top", |s| s.grid_skill)
        .means("skill of the entry's top model on each test: an upper bound")
        .file_column(P, "p", ("p", "p of a skill above 0 over clusters, one-sided"), |s| s.p_baseline)
        .column(P, "p_adjusted", ("p adj", "the same, corrected by Holm over the entries"), |s| s.p_adjusted)
        .column(Name, "tied", "tied", |s| if s.tied { "yes" } else { "no" })
        .means("yes where it is tied with the first")
        .column(Number, "rating", "rating", |s| s.rating.map(|e| e.value))
        .means("Bradley and Terry's rating in Elo points above the best baseline")
        .column(Number, "rating_lower", "from", |s| end(s.rating, false))
        .means("lower end of its interval (jackknife over clusters)")
        .column(Number, "rating_upper", ("to", "upper end"), |s| end(s.rating, true))
        .column(Percent, "win_rate", "wins", |s| s.win_rate.value)
        .means("share of the other entries that it beats, ties half")
        .file_column(Percent, "win_rate_lower", ("from", "lower end"), |s| end(Some(s.win_rate), false))
        .file_column(Percent, "win_rate_upper", ("to", "upper end"), |s| end(Some(s.win_rate), true))
        .column(Number, "average_rank", ("rank", "average rank, 1 is first"), |s| s.average_rank.value)
        .file_column(Number, "average_rank_lower", "from", |s| end(Some(s.average_rank), false))
        .means("lower end")
        .file_column(Number, "average_rank_upper", ("to", "upper end"), |s| end(Some(s.average_rank), true))
        .column(Count, "tasks", ("tasks", "tasks counted"), |s| s.tasks)
        .column(Count, "missing", "missing", |s| s.missing)
        .means("tasks without a result, on which the best baseline's counts")
        .titled("standings", "Entries over all tasks: gain over the best baseline, wins, ranks and rating");
    if standings.rows.iter().any(|s| s.missing > 0) {
        table.notes.push("A missing result counts as the best baseline's.".to_owned());
    }
    table
}
