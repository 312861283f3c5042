//! Everything needed to run it again: settings, data, splits with their leak check, seeds and versions.

use indexmap::IndexSet;
use tailrank_data::{Leak, LeakCheck, Split};
use tailrank_experiment::text::ten_of_a_kind;
use tailrank_metrics::Relevance;
use tailrank_score::score::test_parts;

use super::{
    overview::{long_facts, variant_name},
    *,
};
use crate::failure_groups;

/// Fits shown of one reason; all of them are in `tables/`.
const MOST_FAILURES: usize = 200;

const FILLS: &str = "Every split fills them from its own training rows; these are the first split's.";
const UNTRACKED: &str = "This run calls programs. A change of these does not fit their cells again; after one, run again in \
                         another folder.";

/// Failed fits, links to the tables, and settings.
pub(super) fn html(subject: PageInput<'_>, files: &[(String, Vec<String>)]) -> Result<Markup> {
    let settings = match subject.origin {
        Origin::Run { plan, .. } => settings(subject, plan)?,
        Origin::Table { tables, settings, command, .. } => table_settings(subject, tables, settings, command),
    };
    let settings = section("settings", "Settings", html! { (long_facts(subject)) (settings) });
    Ok(html! { (failures(subject)) (section("tables", "Tables", tables(files))) (settings) })
}

fn tables(files: &[(String, Vec<String>)]) -> Markup {
    html! {
        ul.files {
            @for (name, files) in files {
                li { (name) @for file in files { " " a href=(file) { (file.rsplit('.').next().unwrap_or_default()) } } }
            }
        }
    }
}

/// Failures by their reason, with every fit behind it on demand.
fn failures(subject: PageInput<'_>) -> Markup {
    let (results, groups) = (subject.results, failure_groups(subject.results));
    if groups.is_empty() {
        return Markup::default();
    }
    let failed = html! {
        @for group in &groups {
            details {
                summary { (group.who(results)) ": " (group.reason) }
                ul {
                    @for &(task, model) in group.fits.iter().take(MOST_FAILURES) {
                        li { (results.names.task(task)) " · " (variant_name(subject, model)) }
                    }
                    @if group.fits.len() > MOST_FAILURES {
                        li { (group.fits.len() - MOST_FAILURES) " more are in scores.csv" }
                    }
                }
            }
        }
        p { "To fit them again: " code { "tailrank run experiment.toml --retry-failed" } }
    };
    section("failed", "Failed fits", failed)
}

/// The command that makes the page again, and what it was made with.
fn command(command: &str, seed: u64, models: Option<String>) -> Markup {
    html! {
        p.command { code #command { (command) } " " button type="button" data-copy="command" { "Copy" } }
        dl.versions {
            dt { "tailrank" } dd { (env!("CARGO_PKG_VERSION")) }
            dt { "seed" } dd { (seed) }
            @if let Some(models) = models { dt { "models" } dd { (models) } }
        }
    }
}

fn settings(subject: PageInput<'_>, plan: &Plan) -> Result<Markup> {
    let rows = html! {
        @for (task, scores) in plan.tasks.iter().zip(&subject.results.scores) {
            (task_row(plan, task, scores.events)?)
        }
    };
    let headings =
        ["task", "split", ">train", ">test", ">events", "leak check", "relevance φ", "data fingerprint"];
    let fills = plan
        .tasks
        .iter()
        .flat_map(|task| task.fills().into_iter().map(move |fill| format!("{}: {fill}", task.name)));
    Ok(html! {
        p { "Save the experiment below as " code { "experiment.toml" } ", then:" }
        (command("tailrank run experiment.toml", subject.seed, Some(versions(plan))))
        h3 { "Data, splits and relevance" }
        (table("splits", &headings, rows))
        details {
            summary { "The exact experiment" }
            p { button type="button" data-copy="experiment" { "Copy" } }
            pre #experiment tabindex="0" { (plan.text) }
        }
        (listed("Missing inputs", FILLS, fills.collect()))
        // What programs depend on that is not looked at when it is decided what to fit again.
        (listed("Not tracked", UNTRACKED, plan.untracked()))
        (listed("Warnings", "", ten_of_a_kind(&plan.warnings)))
    })
}

/// Of predictions made elsewhere: what they were scored by, and the command.
fn table_settings(
    subject: PageInput<'_>,
    tables: &[PredictionTable],
    settings: &[Settings],
    made_by: &str,
) -> Markup {
    let rows = html! {
        @for ((table, settings), scores) in tables.iter().zip(settings).zip(&subject.results.scores) {
            tr {
                th scope="row" { (table.task) }
                td.n { (table.folds.len()) } td.n { (scores.cases) } td.n { (scores.events) }
                td { (describe(settings)) ", t_E = " (settings.t_e) }
            }
        }
    };
    html! {
        (command(made_by, subject.seed, None))
        h3 { "Cases and relevance" }
        p { "The models were fitted elsewhere: what they had seen of these cases is not known here." }
        (table("splits", &["task", ">folds", ">cases", ">events", "relevance φ"], rows))
    }
}

fn task_row(plan: &Plan, task: &Task, events: usize) -> Result<Markup> {
    let first = task.splits.first().map_or("", |s| s.description.as_str());
    let sizes = |size: fn(&Split) -> usize| {
        let all = || task.splits.iter().map(size);
        match (all().min(), all().max()) {
            (Some(a), Some(b)) if a != b => format!("{a}–{b}"),
            (least, _) => least.unwrap_or(0).to_string(),
        }
    };
    let sum = |of: fn(&Split) -> usize| task.splits.iter().map(of).sum::<usize>();
    let phi = test_parts(plan, task)?.first().map(|part| describe(&part.settings)).unwrap_or_default();
    let hash = task.data.content_hash().to_string();
    let short: String = hash.chars().take(12).collect();
    Ok(html! {
        tr {
            th scope="row" { (task.name) }
            td { (first) @if task.splits.len() > 1 { " and " (task.splits.len() - 1) " more" } }
            td.n { (sizes(|s| s.train.len())) } td.n { (sizes(|s| s.test.len())) } td.n { (events) }
            td {
                @if task.splits.iter().any(|s| s.leak == Leak::Paper) {
                    strong.stamped { "leak = \"paper\": " (sum(|s| s.leaking)) " rows leak" }
                } @else {
                    @match task.leak_check() {
                        LeakCheck::Passed => { "passed, " (sum(|s| s.purged)) " rows purged" }
                        other => (other.to_string()),
                    }
                }
            }
            td { (phi) ", t_E = " (task.relevance.event_threshold) }
            td { code title=(hash) { (short) } }
        }
    })
}

fn describe(settings: &Settings) -> String {
    settings.relevance.as_ref().map(Relevance::describe).unwrap_or_default()
}

fn versions(plan: &Plan) -> String {
    let families = plan.variants.iter().map(|v| &v.family);
    let all: IndexSet<String> =
        families.map(|f| format!("{} ({}, version {})", f.name(), f.engine(), f.version())).collect();
    all.into_iter().collect::<Vec<_>>().join(", ")
}

/// A list under a heading; nothing without items.
fn listed(title: &str, about: &str, all: Vec<String>) -> Markup {
    html! {
        @if !all.is_empty() {
            h3 { (title) }
            @if !about.is_empty() { p { (about) } }
            ul { (items(all)) }
        }
    }
}
