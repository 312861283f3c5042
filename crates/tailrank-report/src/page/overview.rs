//! The first screen: what was run, which model to use, and whether the ordinary measure picks another. Plain HTML, readable
//! before any script has run.

use tailrank_data::Split;
use tailrank_experiment::text::{count, thousands};
use tailrank_score::score::{Comparison, VariantId, VariantStatus, answer::Picks};

use super::{
    card, escape::text, family::families, index::Files, scatter, static_figures::StaticFigure,
    task_data::any_scored,
};
use crate::{
    answer,
    claims::{Standing, Tag, findings, tally},
    subject::Subject,
    tables::{self, Decoration},
};

/// More pairs of measures than this stand together behind one line.
const MOST_PAIRS: usize = 4;

/// Everything above the task pages.
pub(super) fn html(subject: Subject<'_>, files: &Files) -> String {
    let mut out = head(subject);
    out.push_str(&card::html(subject, files));
    let picks = &subject.results.answer.picks;
    if let Some(first) = picks.first() {
        out.push_str(&pair(subject, files, first, true));
    }
    let others: String = picks.iter().skip(1).map(|picks| pair(subject, files, picks, false)).collect();
    // Tables made elsewhere compare every pair of measures.
    if picks.len() > 1 + MOST_PAIRS {
        let all = count(picks.len() - 1, "other pair");
        out.push_str(&format!("<details><summary>{all} of measures</summary>\n{others}</details>\n"));
    } else {
        out.push_str(&others);
    }
    out.push_str(&claims(subject));
    out.push_str(&across(&files.overall));
    out.push_str(&costs(subject));
    out
}

fn head(subject: Subject<'_>) -> String {
    let title = if subject.title.is_empty() {
        String::new()
    } else {
        format!("<p class=\"lead\">{}</p>\n", text(subject.title))
    };
    let facts: Vec<String> = facts(subject).into_iter().map(|f| format!("<li>{}</li>", text(&f))).collect();
    let splits: Vec<&Split> = subject
        .run()
        .map(|(plan, _)| plan.tasks.iter().flat_map(|t| &t.splits).collect())
        .unwrap_or_default();
    let leaking: usize = splits.iter().map(|s| s.leaking).sum();
    let paper = splits.iter().any(|s| s.leak == tailrank_data::Leak::Paper);
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
        text(subject.name),
        facts.join("")
    )
}

fn facts(subject: Subject<'_>) -> Vec<String> {
    let results = subject.results;
    let (variants, tasks) = (results.names.variants.len(), results.names.tasks.len());
    let of = |wanted: fn(&VariantStatus) -> bool| {
        results.scores.iter().flat_map(|s| &s.status).filter(|s| wanted(s)).count()
    };
    let baselines = results.names.variants.iter().filter(|v| v.reference).count();
    let mut models = count(variants - baselines, "model");
    if baselines > 0 {
        models.push_str(&format!(" + {}", count(baselines, "baseline")));
    }
    let mut all = vec![models, count(tasks, "task")];
    let events: usize = results.scores.iter().map(|s| s.events).sum();
    let cases: usize = results.scores.iter().map(|s| s.cases).sum();
    let seen = format!("{} events in {} test cases", thousands(events), thousands(cases));
    let Some((plan, _)) = subject.run() else {
        all.extend(["predictions made elsewhere".to_owned(), seen]);
        return all;
    };
    // A variant is fitted to every split, and fails as a whole.
    let splits: usize = plan.tasks.iter().map(|t| t.splits.len()).sum();
    let failed = results.failures().count();
    let failed = if splits > tasks { count(failed, "model") } else { failed.to_string() };
    let mut fits = format!("{}, {failed} failed", count(variants * splits, "fit"));
    let missing = of(|s| *s == VariantStatus::Missing);
    if missing > 0 {
        fits.push_str(&format!(", {missing} not run"));
    }
    let limited = of(|s| *s == VariantStatus::NotConverged);
    if limited > 0 {
        fits.push_str(&format!(", {limited} stopped at an iteration limit"));
    }
    all.extend([fits, format!("seed {}", subject.seed)]);
    let purged: usize = plan.tasks.iter().flat_map(|t| &t.splits).map(|s| s.purged).sum();
    // Of rows without time nothing can be said.
    if plan.tasks.iter().all(|task| task.leak_check() == tailrank_data::LeakCheck::Passed) {
        all.push(format!("no leakage: {} purged", count(purged, "training row")));
    }
    all.push(seen);
    all
}

fn pair(subject: Subject<'_>, files: &Files, picks: &Picks, headline: bool) -> String {
    let said = answer::pair_sentences(subject.results, picks);
    let first = text(said.first().map_or("", String::as_str));
    let details: String = said.iter().skip(1).map(|d| format!(" {}", text(d))).collect();
    let answer = format!(
        "<div class=\"answer\"><p><strong>{first}</strong>{details}</p>\n<p class=\"note\">p-values of rank correlations are \
         descriptive: neighbours in a grid are not independent.</p></div>\n"
    );
    let table = comparison_table(subject, files, picks);
    let (a, b) = (text(picks.chosen_by.info().symbol), text(picks.judged_by.info().symbol));
    if headline {
        format!(
            "<section aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">Do {a} and {b} pick the same model?</h2>\n{answer}{table}</section>\n"
        )
    } else {
        format!(
            "<details class=\"pair\"><summary>{a} and {b}: {first}</summary>\n{answer}{table}</details>\n"
        )
    }
}

fn comparison_table(subject: Subject<'_>, files: &Files, picks: &Picks) -> String {
    let results = subject.results;
    let (a, b) = (picks.chosen_by, picks.judged_by);
    let rows: Vec<&Comparison> =
        results.comparisons.iter().filter(|c| (c.chosen_by, c.judged_by) == (a, b)).collect();
    let named = |variant: Option<VariantId>| variant.map(|v| variant_name(subject, v));
    let cell = |row: usize, column: &str| {
        let c = rows[row];
        match column {
            "chosen" => named(c.best_chosen),
            "judged" => named(c.best_judged),
            "task" if files.pages[c.task.0] && any_scored(&results.scores[c.task]) => {
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
pub(super) fn variant_name(subject: Subject<'_>, variant: VariantId) -> String {
    let name = &subject.results.names.variants[variant];
    let params = name.params.to_string();
    let told = if params.is_empty() { &name.label } else { &params };
    format!(
        "<span class=\"variant\" title=\"{}\">{}{}</span>",
        text(told),
        chip(subject, &name.group),
        text(&name.label)
    )
}

/// A dot in a family's colour.
pub(super) fn chip(subject: Subject<'_>, family: &str) -> String {
    let colour = families(subject.results).iter().find(|f| f.name == family).map_or("#8C8C8C", |f| f.colour);
    format!(
        "<svg class=\"chip\" viewBox=\"0 0 8 8\" aria-hidden=\"true\"><circle cx=\"4\" cy=\"4\" r=\"4\" fill=\"{colour}\"/></svg>"
    )
}

fn claims(subject: Subject<'_>) -> String {
    if subject.claims.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    // Findings first: the rest holds by construction, describes what was run, or is not the paper's.
    for c in Tag::ALL.iter().flat_map(|&tag| subject.claims.iter().filter(move |c| c.tag == tag)) {
        let (class, mark) = match c.standing {
            Standing::Agree => ("agree", "✓"),
            Standing::Differ => ("differ", "✗"),
            Standing::TooClose => ("open", "≈"),
            Standing::NotTestable => ("open", "?"),
        };
        rows.push_str(&format!(
            "<tr><td class=\"standing {class}\"><span aria-hidden=\"true\">{mark}</span> {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"note\">{}</td></tr>\n",
            c.standing,
            c.tag,
            text(&c.says),
            text(&c.found),
            text(&c.evidence),
            text(&c.source)
        ));
    }
    let found = findings(subject.claims).count();
    let of_findings = if found == 0 {
        "None of these is a finding of the paper.".to_owned()
    } else {
        format!("Of the paper's {found} findings: {}.", tally(findings(subject.claims)))
    };
    format!(
        "<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">What the paper says, what this run found</h2>\n\
         <p>{of_findings}</p>\n<div class=\"wide\"><table class=\"claims\">\n\
         <thead><tr><th scope=\"col\">standing</th><th scope=\"col\">kind</th><th scope=\"col\">the paper says</th>\
         <th scope=\"col\">this run found</th><th scope=\"col\">decided by</th><th scope=\"col\">where</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n</section>\n",
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
                text(&f.title),
                // Critical differences are wide, heat maps stand side by side.
                if f.name.starts_with("critical") { " whole" } else { "" }
            )
        })
        .collect();
    format!(
        "<section aria-labelledby=\"across\">\n<h2 id=\"across\">Over all tasks</h2>\n<div class=\"pair\">\n{images}</div>\n</section>\n"
    )
}

/// What choosing by each measure loses by each other.
fn costs(subject: Subject<'_>) -> String {
    let Some(table) = subject.results.table("costs").filter(|t| t.rows.len() > 1) else {
        return String::new();
    };
    format!(
        "<section aria-labelledby=\"cost\">\n<h2 id=\"cost\">Regret of choosing by another measure</h2>\n<p>{}.</p>\n{}</section>\n",
        text(&table.caption),
        tables::html(&table, Decoration { class: "regret", ..Decoration::default() })
    )
}
