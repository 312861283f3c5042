//! The first screen: what was run, whether the measure changes the winner, and what that costs. Plain HTML, readable before
//! any script has run.

use tailrank_engine::{
    score::{Comparison, VariantId, VariantStatus, Verdict},
    text::{count, thousands},
};

use super::{escape::text, family::families, scatter, static_figures::StaticFigure, task_data::any_scored};
use crate::{
    Source,
    claims::Standing,
    tables::{self, Decoration},
};

/// Everything above the task pages.
pub(super) fn html(source: Source<'_>, figures: &[StaticFigure]) -> String {
    let mut out = head(source);
    for (i, verdict) in source.results.verdicts.iter().enumerate() {
        out.push_str(&pair(source, verdict, i == 0));
    }
    out.push_str(&decisions(source));
    out.push_str(&claims(source));
    out.push_str(&across(figures));
    out.push_str(&costs(source));
    out
}

fn head(source: Source<'_>) -> String {
    let e = &source.plan.experiment;
    let title = if e.title.is_empty() {
        String::new()
    } else {
        format!("<p class=\"lead\">{}</p>\n", text(&e.title))
    };
    let facts: Vec<String> = facts(source).into_iter().map(|f| format!("<li>{}</li>", text(&f))).collect();
    let leaking: usize = source.plan.tasks.iter().flat_map(|t| &t.splits).map(|s| s.leaking).sum();
    let paper =
        source.plan.tasks.iter().flat_map(|t| &t.splits).any(|s| s.leak == tailrank_data::Leak::Paper);
    let stamp = if paper {
        format!(
            "<p class=\"stamp\"><strong>leak = \"paper\"</strong>: {leaking} training rows have seen the test period and were \
             kept, as the paper did. Scores look better than they are.</p>\n"
        )
    } else {
        String::new()
    };
    format!(
        "<header class=\"run\">\n<h1>{}</h1>\n{title}<ul class=\"facts\">{}<li id=\"timings\" hidden></li></ul>\n{stamp}</header>\n",
        text(&e.name),
        facts.join("")
    )
}

fn facts(source: Source<'_>) -> Vec<String> {
    let (plan, results) = (source.plan, source.results);
    let (variants, tasks) = (results.names.variants.len(), results.names.tasks.len());
    let of = |wanted: fn(&VariantStatus) -> bool| {
        results.scores.iter().flat_map(|s| &s.status).filter(|s| wanted(s)).count()
    };
    let mut fits = format!("{}, {} failed", count(variants * tasks, "fit"), results.failures().count());
    let missing = of(|s| *s == VariantStatus::Missing);
    if missing > 0 {
        fits.push_str(&format!(", {missing} not run"));
    }
    let limited = of(|s| *s == VariantStatus::NotConverged);
    if limited > 0 {
        fits.push_str(&format!(", {limited} stopped at an iteration limit"));
    }
    let mut all = vec![
        format!("{} × {}", count(variants, "variant"), count(tasks, "task")),
        fits,
        format!("seed {}", plan.experiment.seed),
    ];
    let purged: usize = plan.tasks.iter().flat_map(|t| &t.splits).map(|s| s.purged).sum();
    if plan.tasks.iter().flat_map(|t| &t.splits).all(|s| s.leak == tailrank_data::Leak::Purged) {
        all.push(format!("no leakage: {} purged", count(purged, "training row")));
    }
    let events: usize = results.scores.iter().map(|s| s.events).sum();
    let cases: usize = results.scores.iter().map(|s| s.cases).sum();
    all.push(format!("{} events in {} test cases", thousands(events), thousands(cases)));
    all
}

fn pair(source: Source<'_>, verdict: &Verdict, headline: bool) -> String {
    let sentences = verdict.sentences();
    let first = text(sentences.first().map_or("", String::as_str));
    let details: String = sentences.iter().skip(1).map(|d| format!(" {}", text(d))).collect();
    let answer = format!(
        "<div class=\"answer\"><p><strong>{first}</strong>{details}</p>\n<p class=\"note\">p-values describe the disagreement of \
         two rankings; they do not prove one, since variants of one family are not independent.</p></div>\n"
    );
    let table = comparison_table(source, verdict);
    let question = text(&verdict.question());
    if headline {
        format!(
            "<section aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">{question}</h2>\n{answer}{table}</section>\n"
        )
    } else {
        let (a, b) = (text(verdict.chosen_by.info().symbol), text(verdict.judged_by.info().symbol));
        format!(
            "<details class=\"pair\"><summary>{a} against {b}: {first}</summary>\n{answer}{table}</details>\n"
        )
    }
}

fn comparison_table(source: Source<'_>, verdict: &Verdict) -> String {
    let results = source.results;
    let (a, b) = (verdict.chosen_by, verdict.judged_by);
    let rows: Vec<&Comparison> =
        results.comparisons.iter().filter(|c| (c.chosen_by, c.judged_by) == (a, b)).collect();
    let named = |variant: Option<VariantId>| variant.map(|v| variant_name(source, v));
    let cell = |row: usize, column: &str| {
        let c = rows[row];
        match column {
            "best_chosen" => named(c.best_chosen),
            "best_judged" => named(c.best_judged),
            "task" if any_scored(&results.scores[c.task]) => {
                Some(format!("<a href=\"#task={}\">{}</a>", c.task.0 + 1, text(results.names.task(c.task))))
            }
            _ => None,
        }
    };
    let ranks = |row: usize| scatter::small(results, rows[row]);
    tables::html(
        &results.comparison_table(a, b),
        Decoration { class: "verdicts", cell: Some(&cell), last: Some(("ranks", &ranks)) },
    )
}

/// A variant's label with its family's colour.
pub(super) fn variant_name(source: Source<'_>, variant: VariantId) -> String {
    let name = &source.results.names.variants[variant];
    let colour =
        families(source.results).iter().find(|f| f.name == name.group).map_or("#8C8C8C", |f| f.colour);
    format!(
        "<span class=\"variant\" title=\"{}\"><svg class=\"chip\" viewBox=\"0 0 8 8\" aria-hidden=\"true\"><circle cx=\"4\" \
         cy=\"4\" r=\"4\" fill=\"{colour}\"/></svg>{}</span>",
        text(&name.params),
        text(&name.label)
    )
}

fn claims(source: Source<'_>) -> String {
    if source.claims.is_empty() {
        return String::new();
    }
    let of = |standing| source.claims.iter().filter(|c| c.standing == standing).count();
    let mut rows = String::new();
    for c in source.claims {
        let (class, mark) = match c.standing {
            Standing::Agree => ("agree", "✓"),
            Standing::Differ => ("differ", "✗"),
            Standing::NotTestable => ("open", "?"),
        };
        rows.push_str(&format!(
            "<tr><td class=\"standing {class}\"><span aria-hidden=\"true\">{mark}</span> {}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"note\">{}</td></tr>\n",
            c.standing,
            text(&c.says),
            text(&c.found),
            text(&c.evidence),
            text(&c.source)
        ));
    }
    format!(
        "<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">What the paper says, what this run found</h2>\n\
         <p>{} agree, {} differ, {} cannot be tested with these data.</p>\n<div class=\"wide\"><table class=\"claims\">\n\
         <thead><tr><th scope=\"col\">standing</th><th scope=\"col\">the paper says</th><th scope=\"col\">this run found</th>\
         <th scope=\"col\">evidence</th><th scope=\"col\">where</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</section>\n",
        of(Standing::Agree),
        of(Standing::Differ),
        of(Standing::NotTestable)
    )
}

/// Figures over all tasks; their titles state the finding.
fn across(figures: &[StaticFigure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let images: String = figures
        .iter()
        .map(|f| {
            format!(
                "<figure class=\"drawn{2}\"><a href=\"{0}\"><img src=\"{0}\" loading=\"lazy\" alt=\"{1}\"></a></figure>\n",
                f.file,
                f.title,
                // Critical differences are wide, heat maps stand side by side.
                if f.name.starts_with("critical") { " whole" } else { "" }
            )
        })
        .collect();
    format!(
        "<section aria-labelledby=\"across\">\n<h2 id=\"across\">Over all tasks</h2>\n<div class=\"pair\">\n{images}</div>\n</section>\n"
    )
}

/// Which model to take on every task, and how the best scores stand against luck.
fn decisions(source: Source<'_>) -> String {
    let table = |id: &str| {
        let table = source.results.table(id)?;
        Some(format!(
            "<h3>{}</h3>\n{}",
            text(&table.caption),
            tables::html(&table, Decoration { class: id, ..Decoration::default() })
        ))
    };
    let found: String = ["decisions", "luck"].iter().filter_map(|id| table(id)).collect();
    if found.is_empty() {
        return String::new();
    }
    format!(
        "<section aria-labelledby=\"decisions\">\n<h2 id=\"decisions\">What to do, and how sure that is</h2>\n{found}</section>\n"
    )
}

/// What choosing by each measure costs by each other.
fn costs(source: Source<'_>) -> String {
    let Some(table) = source.results.table("costs").filter(|t| t.rows.len() > 1) else {
        return String::new();
    };
    format!(
        "<section aria-labelledby=\"cost\">\n<h2 id=\"cost\">What it costs to choose by another measure</h2>\n<p>{}.</p>\n{}</section>\n",
        text(&table.caption),
        tables::html(&table, Decoration { class: "regret", ..Decoration::default() })
    )
}
