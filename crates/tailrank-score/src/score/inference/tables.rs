//! What inference found, as tables.

use super::{IntervalScope, MeasureInference, TaskInference, Untestable};
use crate::{
    score::{Names, VariantId},
    table::{Format, Table},
};

/// One measure on one task.
type Row<'a> = (&'a TaskInference, &'a MeasureInference);
/// One variant by one measure on one task.
type Cell<'a> = (&'a TaskInference, &'a MeasureInference, usize);

fn rows(all: &[TaskInference]) -> impl Iterator<Item = Row<'_>> {
    all.iter().flat_map(|t| t.measures.iter().map(move |m| (t, m)))
}

fn cells(all: &[TaskInference]) -> impl Iterator<Item = Cell<'_>> {
    rows(all).flat_map(|(t, m)| (0..t.variants.len()).map(move |i| (t, m, i)))
}

fn variant(cell: &Cell<'_>) -> VariantId {
    cell.0.variants[cell.2]
}

/// One row per task, measure and variant: the score with its interval, P(best) and rank interval.
pub(in crate::score) fn intervals(names: &Names, all: &[TaskInference], level: f64) -> Table {
    use Format::{Count, Name, Number, Percent};
    let of = |c: &Cell<'_>| c.1.intervals[c.2];
    let percent = 100.0 * level;
    let table = Table::of(cells(all))
        .task(names, |c| c.0.task)
        .measure(|c| c.1.measure)
        .model(names, variant)
        .column(Name, "reference", "role", |c| {
            if names.variants[variant(c)].reference { "baseline" } else { "model" }
        })
        .means("model or baseline")
        .column(Number, "score", "score", |c| Some(c.1.scores[c.2]).filter(|s| s.is_finite()))
        .means("the score; without a signal 0")
        .column(Number, "lower", ("from", "lower end of the interval"), |c| of(c).map(|i| i.lower))
        .column(Number, "upper", ("to", "upper end of the interval"), |c| of(c).map(|i| i.upper))
        .file_column(Number, "standard_error", "error", |c| of(c).map(|i| i.standard_error))
        .means("standard deviation over the resamples; for series that over slow waves")
        .column(Percent, "p_best", "P(first)", |c| (!c.1.families.is_empty()).then_some(c.1.best_shares[c.2]))
        .means("share of the resamples on which it is first, baselines included")
        .column(Count, "rank_lower", "rank from", |c| c.1.ranks[c.2].map(|r| r.lower))
        .means("first rank of its interval")
        .column(Count, "rank_upper", "to", |c| c.1.ranks[c.2].map(|r| r.upper))
        .means("worst rank of its interval")
        .column(Name, "scope", "holds for", |c| match c.1.scope {
            IntervalScope::Method => "method",
            IntervalScope::FittedModels => "these fitted models",
        })
        .means("the method, or these fitted models")
        .column(Name, "caution", "rests on few", |c| {
            c.1.cautions[c.2].filter(|_| of(c).is_some()).map(|c| c.to_string())
        })
        .means("hits or cases so few that the interval holds the truth less often than it says")
        .titled("intervals", format!("Scores with {percent}% intervals, and how often each model is first"));
    table.note(
        "Intervals over random folds are for the method, which learns from other rows another time. All others are for these fitted \
         models: what the method would score when it learns from other rows lies outside more often than the level says.",
    )
}

/// One row per task, measure and candidate: whether it can be told from the best.
pub(in crate::score) fn confidence_sets(names: &Names, all: &[TaskInference], set_level: f64) -> Table {
    use Format::{Name, P};
    let in_set =
        move |c: &Cell<'_>| c.1.set_p[c.2].map(|p| if p >= 1.0 - set_level - 1e-12 { "yes" } else { "no" });
    Table::of(cells(all).filter(|c| {
        let unanswered = c.1.set_reason.is_some() && !names.variants[variant(c)].reference;
        c.1.set_p[c.2].is_some() || unanswered
    }))
    .task(names, |c| c.0.task)
    .measure(|c| c.1.measure)
    .model(names, variant)
    .family(names, variant)
    .column(P, "p", ("p", "p of the set's test (T_max of Hansen, Lunde and Nason)"), |c| c.1.set_p[c.2])
    .column(Name, "in_set", ("tied", "whether it stays in the set"), in_set)
    .file_column(Name, "reason", "reason", |c| c.1.set_reason.map(Untestable::code))
    .means("why the question cannot be answered")
    .titled(
        "confidence_sets",
        format!("Which models and baselines are tied: model confidence sets at {}%", 100.0 * set_level),
    )
}

/// One row per task and measure: the best model against chance.
pub(in crate::score) fn chance_table(names: &Names, all: &[TaskInference]) -> Table {
    use Format::{Count, Name, Number, P};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v));
    let table = Table::of(rows(all).filter(|(_, m)| m.chance.is_some() || m.chance_reason.is_some()))
        .task(names, |r| r.0.task)
        .measure(|r| r.1.measure)
        .column(Name, "model", "model", |r| label(r.1.chance.as_ref().map(|l| l.variant)))
        .means("the leading model")
        .column(Number, "score", ("score", "its score"), |r| r.1.chance.as_ref().map(|l| l.score))
        .column(Number, "chance", "chance", |r| r.1.chance.as_ref().map(|l| l.chance))
        .means("median of the leading scores by chance")
        .column(P, "p_chance", "p chance", |r| r.1.chance.as_ref().map(|l| l.p))
        .means("p against chance, the choice among all models counted")
        .column(P, "p_chance_holm", "p Holm", |r| r.1.chance.as_ref().map(|l| l.p_holm))
        .means("the same, corrected over tasks (Holm), measure by measure")
        .column(P, "p_direction", "p direction", |r| r.1.direction.as_ref().map(|d| d.p))
        .means(
            "p against the same predictions with signs flipped by blocks, if events lie on both sides \
            of zero",
        )
        .file_column(P, "p_direction_holm", "p direction Holm", |r| r.1.direction.as_ref().map(|d| d.p_holm))
        .means("the same, corrected over tasks (Holm), measure by measure")
        .file_column(Count, "draws", "draws", |r| r.1.chance.as_ref().map(|l| l.draws))
        .means("shifts or permutations")
        .file_column(Name, "chance_by", ("chance by", "shift or permutation"), |r| r.0.chance_by)
        .file_column(Name, "reason", "reason", |r| r.1.chance_reason.map(Untestable::code))
        .means("why there is no test")
        .titled("chance", "Each measure's top score beside chance");
    table.note(
        "Chance: the same predictions against the truth of other times (series) or other cases (tables).",
    )
}

/// One row per task, measure and family: how often one of its variants is the best.
pub(in crate::score) fn families(names: &Names, all: &[TaskInference]) -> Table {
    use Format::{Name, Percent};
    let each = rows(all).flat_map(|(t, m)| m.families.iter().map(move |f| (t, m, f)));
    Table::of(each)
        .task(names, |f| f.0.task)
        .measure(|f| f.1.measure)
        .column(Name, "family", ("family", "the family"), |f| f.2.0.as_str())
        .column(Percent, "p_best", ("P(first)", "share of the resamples on which it is first"), |f| f.2.1)
        .titled("families", "How often each family is first")
}
