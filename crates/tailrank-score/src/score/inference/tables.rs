//! What inference found, as tables.

use super::{MeasureInference, TaskInference, Untestable};
use crate::{
    score::{Names, VariantId},
    table::{Format, Table, column},
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
    let table = Table::of(
        "intervals",
        format!("Scores with {percent}% intervals, and how often each model is first"),
        cells(all),
        vec![
            column("task", "task", Name, "the task", |c: &Cell<'_>| names.task(c.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |c: &Cell<'_>| c.1.measure.id()),
            column("variant", "model", Name, "the model", |c: &Cell<'_>| names.label(variant(c)).to_owned()),
            column("reference", "role", Name, "model or baseline", |c: &Cell<'_>| {
                if names.variants[variant(c)].reference { "baseline" } else { "model" }
            }),
            column("score", "score", Number, "the score; without a signal 0", |c: &Cell<'_>| {
                Some(c.1.scores[c.2]).filter(|s| s.is_finite())
            }),
            column("lower", "from", Number, "lower end of the interval", move |c: &Cell<'_>| {
                of(c).map(|i| i.lower)
            }),
            column("upper", "to", Number, "upper end of the interval", move |c: &Cell<'_>| {
                of(c).map(|i| i.upper)
            }),
            column(
                "standard_error",
                "error",
                Number,
                "standard deviation over the resamples; for series that over slow waves",
                move |c: &Cell<'_>| of(c).map(|i| i.standard_error),
            )
            .for_files(),
            column(
                "p_best",
                "P(first)",
                Percent,
                "share of the resamples on which it is first, baselines included",
                |c: &Cell<'_>| (!c.1.families.is_empty()).then_some(c.1.best_shares[c.2]),
            ),
            column("rank_lower", "rank from", Count, "best rank of its interval", |c: &Cell<'_>| {
                c.1.ranks[c.2].map(|r| r.lower)
            }),
            column("rank_upper", "to", Count, "worst rank of its interval", |c: &Cell<'_>| {
                c.1.ranks[c.2].map(|r| r.upper)
            }),
            column(
                "caution",
                "rests on few",
                Name,
                "hits or cases so few that the interval holds the truth less often than it says",
                |c: &Cell<'_>| c.1.cautions[c.2].filter(|_| of(c).is_some()).map(|c| c.to_string()),
            ),
        ],
    );
    if all.iter().all(|t| t.chance_by != "permutation") {
        return table;
    }
    table.note(
        "Of a table the rows are drawn anew, not the models. What the method would score when it learns from other rows lies outside \
         more often than the level says, the more so the more its fits vary.",
    )
}

/// One row per task, measure and candidate: whether it can be told from the best.
pub(in crate::score) fn confidence_sets(names: &Names, all: &[TaskInference], set_level: f64) -> Table {
    use Format::{Name, P};
    let in_set =
        move |c: &Cell<'_>| c.1.set_p[c.2].map(|p| if p >= 1.0 - set_level - 1e-12 { "yes" } else { "no" });
    Table::of(
        "confidence_sets",
        format!("Which models and baselines are tied: model confidence sets at {}%", 100.0 * set_level),
        cells(all).filter(|c| {
            let unanswered = c.1.set_reason.is_some() && !names.variants[variant(c)].reference;
            c.1.set_p[c.2].is_some() || unanswered
        }),
        vec![
            column("task", "task", Name, "the task", |c: &Cell<'_>| names.task(c.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |c: &Cell<'_>| c.1.measure.id()),
            column("variant", "model", Name, "the model", |c: &Cell<'_>| names.label(variant(c)).to_owned()),
            column("family", "family", Name, "its family", |c: &Cell<'_>| {
                names.variants[variant(c)].group.clone()
            }),
            column("p", "p", P, "p of the set's test (T_max of Hansen, Lunde and Nason)", |c: &Cell<'_>| {
                c.1.set_p[c.2]
            }),
            column("in_set", "tied", Name, "whether it stays in the set", in_set),
            column("reason", "reason", Name, "why the question cannot be answered", |c: &Cell<'_>| {
                c.1.set_reason.map(Untestable::code)
            })
            .for_files(),
        ],
    )
}

/// One row per task and measure: the best model against chance.
pub(in crate::score) fn chance_table(names: &Names, all: &[TaskInference]) -> Table {
    use Format::{Count, Name, Number, P};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v).to_owned());
    let table = Table::of(
        "chance",
        "Each measure's top score beside chance",
        rows(all).filter(|(_, m)| m.chance.is_some() || m.chance_reason.is_some()),
        vec![
            column("task", "task", Name, "the task", |r: &Row<'_>| names.task(r.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |r: &Row<'_>| r.1.measure.id()),
            column("model", "model", Name, "the model with the best score", move |r: &Row<'_>| {
                label(r.1.chance.as_ref().map(|l| l.variant))
            }),
            column("score", "score", Number, "its score", |r: &Row<'_>| r.1.chance.as_ref().map(|l| l.score)),
            column("chance", "chance", Number, "median of the best scores by chance", |r: &Row<'_>| {
                r.1.chance.as_ref().map(|l| l.chance)
            }),
            column(
                "p_chance",
                "p chance",
                P,
                "p against chance, the choice among all models counted",
                |r: &Row<'_>| r.1.chance.as_ref().map(|l| l.p),
            ),
            column(
                "p_chance_holm",
                "p Holm",
                P,
                "the same, corrected over tasks (Holm), measure by measure",
                |r: &Row<'_>| r.1.chance.as_ref().map(|l| l.p_holm),
            ),
            column(
                "p_direction",
                "p direction",
                P,
                "p against the same predictions with signs flipped by blocks, if events lie on both sides of zero",
                |r: &Row<'_>| r.1.direction.as_ref().map(|d| d.p),
            ),
            column(
                "p_direction_holm",
                "p direction Holm",
                P,
                "the same, corrected over tasks (Holm), measure by measure",
                |r: &Row<'_>| r.1.direction.as_ref().map(|d| d.p_holm),
            )
            .for_files(),
            column("draws", "draws", Count, "shifts or permutations", |r: &Row<'_>| {
                r.1.chance.as_ref().map(|l| l.draws)
            })
            .for_files(),
            column("chance_by", "chance by", Name, "shift or permutation", |r: &Row<'_>| r.0.chance_by)
                .for_files(),
            column("reason", "reason", Name, "why there is no test", |r: &Row<'_>| {
                r.1.chance_reason.map(Untestable::code)
            })
            .for_files(),
        ],
    );
    table.note(
        "Chance: the same predictions against the truth of other times (series) or other cases (tables).",
    )
}

/// One row per task, measure and family: how often one of its variants is the best.
pub(in crate::score) fn families(names: &Names, all: &[TaskInference]) -> Table {
    use Format::{Name, Percent};
    type Family<'a> = (&'a TaskInference, &'a MeasureInference, &'a (String, f64));
    let each = rows(all).flat_map(|(t, m)| m.families.iter().map(move |f| (t, m, f)));
    Table::of(
        "families",
        "How often each family is first",
        each,
        vec![
            column("task", "task", Name, "the task", |f: &Family<'_>| names.task(f.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |f: &Family<'_>| f.1.measure.id()),
            column("family", "family", Name, "the family", |f: &Family<'_>| f.2.0.clone()),
            column(
                "p_best",
                "P(first)",
                Percent,
                "share of the resamples on which it is first",
                |f: &Family<'_>| f.2.1,
            ),
        ],
    )
}
