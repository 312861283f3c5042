//! What inference found, as tables.

use super::{MeasureInference, TaskInference};
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
        format!("Scores with their {percent} % intervals, and how often each variant is the best"),
        cells(all),
        vec![
            column("task", "task", Name, "the task", |c: &Cell<'_>| names.task(c.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |c: &Cell<'_>| c.1.measure.id()),
            column("variant", "variant", Name, "the variant", |c: &Cell<'_>| {
                names.label(variant(c)).to_owned()
            }),
            column("reference", "role", Name, "candidate or reference", |c: &Cell<'_>| {
                if names.variants[variant(c)].reference { "reference" } else { "candidate" }
            }),
            column("score", "score", Number, "the score; without a signal 0", move |c: &Cell<'_>| {
                of(c).map(|i| i.estimate)
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
                "P(best)",
                Percent,
                "share of the resamples on which it is the best candidate",
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
    if all.iter().all(|t| t.luck_by != "permutation") {
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
        format!(
            "Which variants cannot be told from the best: model confidence sets at {} %",
            100.0 * set_level
        ),
        cells(all).filter(|c| {
            let unanswered = c.1.set_reason.is_some() && !names.variants[variant(c)].reference;
            c.1.set_p[c.2].is_some() || unanswered
        }),
        vec![
            column("task", "task", Name, "the task", |c: &Cell<'_>| names.task(c.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |c: &Cell<'_>| c.1.measure.id()),
            column("variant", "variant", Name, "the variant", |c: &Cell<'_>| {
                names.label(variant(c)).to_owned()
            }),
            column("family", "family", Name, "its family", |c: &Cell<'_>| {
                names.variants[variant(c)].group.clone()
            }),
            column("p", "p", P, "p of the set's test (T_max of Hansen, Lunde and Nason)", |c: &Cell<'_>| {
                c.1.set_p[c.2]
            }),
            column("in_set", "level with the best", Name, "whether it stays in the set", in_set),
            column("reason", "reason", Name, "why the question cannot be answered", |c: &Cell<'_>| {
                c.1.set_reason.clone().unwrap_or_default()
            })
            .for_files(),
        ],
    )
}

/// One row per task and measure: the best candidate against luck and against the best reference.
pub(in crate::score) fn luck(names: &Names, all: &[TaskInference]) -> Table {
    use Format::{Count, Name, Number, P};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v).to_owned());
    let table = Table::of(
        "luck",
        "The best score beside what luck gives, and beside the best reference",
        rows(all).filter(|(_, m)| m.luck.is_some() || m.luck_reason.is_some()),
        vec![
            column("task", "task", Name, "the task", |r: &Row<'_>| names.task(r.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |r: &Row<'_>| r.1.measure.id()),
            column("variant", "best", Name, "the best candidate", move |r: &Row<'_>| {
                label(r.1.luck.as_ref().map(|l| l.variant))
            }),
            column("score", "score", Number, "its score", |r: &Row<'_>| r.1.luck.as_ref().map(|l| l.score)),
            column("by_luck", "by luck", Number, "the middle of the best scores by luck", |r: &Row<'_>| {
                r.1.luck.as_ref().map(|l| l.by_luck)
            }),
            column(
                "p",
                "p",
                P,
                "chance of such a score by luck, the choice among all candidates counted",
                |r: &Row<'_>| r.1.luck.as_ref().map(|l| l.p),
            ),
            column("p_holm", "p Holm", P, "the same, corrected by Holm over the tasks", |r: &Row<'_>| {
                r.1.luck.as_ref().map(|l| l.p_holm)
            }),
            column(
                "direction_p",
                "p side",
                P,
                "chance of such a score with the signs of the predictions flipped by blocks, if events lie on both sides of zero",
                |r: &Row<'_>| r.1.direction.as_ref().map(|d| d.p),
            ),
            column(
                "direction_p_holm",
                "p side Holm",
                P,
                "the same, corrected by Holm over the tasks",
                |r: &Row<'_>| r.1.direction.as_ref().map(|d| d.p_holm),
            )
            .for_files(),
            column("draws", "draws", Count, "draws of luck", |r: &Row<'_>| {
                r.1.luck.as_ref().map(|l| l.draws)
            })
            .for_files(),
            column("luck_by", "luck by", Name, "how luck was imitated", |r: &Row<'_>| r.0.luck_by)
                .for_files(),
            column("reference", "best reference", Name, "the best reference", move |r: &Row<'_>| {
                label(r.1.against_reference.as_ref().map(|a| a.reference))
            }),
            column("reference_score", "its score", Number, "score of the best reference", |r: &Row<'_>| {
                r.1.against_reference.as_ref().map(|a| a.score)
            }),
            column(
                "reference_p",
                "p",
                P,
                "p for: no candidate is better than it (Hansen's SPA, studentised)",
                |r: &Row<'_>| r.1.against_reference.as_ref().map(|a| a.p),
            ),
            column("reason", "reason", Name, "why the question cannot be answered", |r: &Row<'_>| {
                r.1.luck_reason.clone().unwrap_or_default()
            })
            .for_files(),
        ],
    );
    table
        .note("Luck: the same predictions against the truth of other times (series) or other cases (tables).")
}

/// One row per task, measure and family: how often one of its variants is the best.
pub(in crate::score) fn families(names: &Names, all: &[TaskInference]) -> Table {
    use Format::{Name, Percent};
    type Family<'a> = (&'a TaskInference, &'a MeasureInference, &'a (String, f64));
    let each = rows(all).flat_map(|(t, m)| m.families.iter().map(move |f| (t, m, f)));
    Table::of(
        "families",
        "How often each family holds the best variant",
        each,
        vec![
            column("task", "task", Name, "the task", |f: &Family<'_>| names.task(f.0.task).to_owned()),
            column("measure", "measure", Name, "the measure", |f: &Family<'_>| f.1.measure.id()),
            column("family", "family", Name, "the family", |f: &Family<'_>| f.2.0.clone()),
            column(
                "p_best",
                "P(best)",
                Percent,
                "share of the resamples on which it holds the best",
                |f: &Family<'_>| f.2.1,
            ),
        ],
    )
}
