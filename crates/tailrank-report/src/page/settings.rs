//! Everything needed to run it again: settings, data, splits with their leak check, seeds and versions.

use tailrank_data::{Leak, LeakCheck};
use tailrank_experiment::text::ten_of_a_kind;
use tailrank_metrics::Relevance;
use tailrank_score::score::test_parts;

use super::{
    overview::{long_facts, variant_name},
    *,
};
use crate::{FailureGroup, failure_groups};

/// Fits shown of one reason; all of them are in `tables/`.
const MOST_FAILURES: usize = 200;

/// Failed fits, links to the tables, and settings.
pub(super) fn html(subject: PageInput<'_>, files: &[(String, Vec<String>)]) -> Result<String> {
    let settings = match subject.origin {
        Origin::Run { plan, .. } => settings(subject, plan)?,
        Origin::Table { tables, settings, command, .. } => table_settings(subject, tables, settings, command),
    };
    Ok(failures(subject) + &tables(files) + &settings)
}

fn tables(files: &[(String, Vec<String>)]) -> String {
    let link = |file: &String| {
        let ending = file.rsplit('.').next().unwrap_or_default();
        format!("<a href=\"{file}\">{ending}</a>")
    };
    let item = |(name, files): &(String, Vec<String>)| {
        let links: Vec<String> = files.iter().map(link).collect();
        format!("<li>{} {}</li>\n", text(name), links.join(" "))
    };
    let items: String = files.iter().map(item).collect();
    section("tables", "Tables", &format!("<ul class=\"files\">\n{items}</ul>\n"))
}

/// Failures by their reason, with every fit behind it on demand.
fn failures(subject: PageInput<'_>) -> String {
    let groups = failure_groups(subject.results);
    if groups.is_empty() {
        return String::new();
    }
    let item = |&(t, v): &(TaskId, VariantId)| {
        format!("<li>{} · {}</li>", text(&subject.results.names.tasks[t]), variant_name(subject, v))
    };
    let group = |g: &FailureGroup| {
        let more = g.fits.len().saturating_sub(MOST_FAILURES);
        let more = if more > 0 { format!("<li>{more} more are in scores.csv</li>") } else { String::new() };
        format!(
            "<details><summary>{}: {}</summary><ul>{}{more}</ul></details>\n",
            text(&g.who(subject.results)),
            text(&g.reason),
            g.fits.iter().take(MOST_FAILURES).map(item).collect::<String>()
        )
    };
    let groups: String = groups.iter().map(group).collect();
    let again = "<p>To fit them again: <code>tailrank run experiment.toml --retry-failed</code></p>\n";
    section("failed", "Failed fits", &(groups + again))
}

fn settings(subject: PageInput<'_>, plan: &Plan) -> Result<String> {
    let mut rows = String::new();
    for (task, scores) in plan.tasks.iter().zip(&subject.results.scores) {
        rows.push_str(&task_row(plan, task, scores.events)?);
    }
    let (e, facts) = (&plan.experiment, long_facts(subject));
    let settings = format!(
        "{facts}\
         <p>Save the experiment below as <code>experiment.toml</code>, then:</p>\n\
         <p class=\"command\"><code id=\"command\">tailrank run experiment.toml</code> <button type=\"button\" data-copy=\"command\">Copy</button></p>\n\
         <dl class=\"versions\"><dt>tailrank</dt><dd>{}</dd><dt>seed</dt><dd>{}</dd><dt>models</dt><dd>{}</dd></dl>\n\
         <h3>Data, splits and relevance</h3>\n<div class=\"wide\"><table class=\"splits\">\n<thead><tr><th scope=\"col\">task</th>\
         <th scope=\"col\">split</th><th scope=\"col\" class=\"n\">train</th><th scope=\"col\" class=\"n\">test</th>\
         <th scope=\"col\" class=\"n\">events</th><th scope=\"col\">leak check</th><th scope=\"col\">relevance φ</th>\
         <th scope=\"col\">data fingerprint</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n\
         <details><summary>The exact experiment</summary>\n<p><button type=\"button\" data-copy=\"experiment\">Copy</button></p>\n\
         <pre id=\"experiment\" tabindex=\"0\">{}</pre></details>\n{}",
        env!("CARGO_PKG_VERSION"),
        e.seed,
        text(&versions(plan)),
        text(&plan.text),
        fills(plan) + &untracked(plan) + &listed("Warnings", "", ten_of_a_kind(&plan.warnings))
    );
    Ok(section("settings", "Settings", &settings))
}

/// Of predictions made elsewhere: what they were scored by, and the command.
fn table_settings(
    subject: PageInput<'_>,
    tables: &[PredictionTable],
    settings: &[Settings],
    command: &str,
) -> String {
    let facts = long_facts(subject);
    let mut rows = String::new();
    for ((table, settings), scores) in tables.iter().zip(settings).zip(&subject.results.scores) {
        let (name, folds, phi) = (text(&table.task), table.folds.len(), text(&describe(settings)));
        rows.push_str(&format!(
            "<tr><th scope=\"row\">{name}</th><td class=\"n\">{folds}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td>{phi}, t_E = {}</td></tr>\n",
            scores.cases, scores.events, settings.t_e
        ));
    }
    let settings = format!(
        "{facts}\
         <p class=\"command\"><code id=\"command\">{}</code> <button type=\"button\" data-copy=\"command\">Copy</button></p>\n\
         <dl class=\"versions\"><dt>tailrank</dt><dd>{}</dd><dt>seed</dt><dd>{}</dd></dl>\n\
         <h3>Cases and relevance</h3>\n<p>The models were fitted elsewhere: what they had seen of these cases is not known here.</p>\n\
         <div class=\"wide\"><table class=\"splits\">\n<thead><tr><th scope=\"col\">task</th><th scope=\"col\" class=\"n\">folds</th>\
         <th scope=\"col\" class=\"n\">cases</th><th scope=\"col\" class=\"n\">events</th><th scope=\"col\">relevance φ</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n",
        text(command),
        env!("CARGO_PKG_VERSION"),
        subject.seed
    );
    section("settings", "Settings", &settings)
}

fn task_row(plan: &Plan, task: &Task, events: usize) -> Result<String> {
    let first = task.splits.first().map(|s| s.description.clone()).unwrap_or_default();
    let many = match task.splits.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    let sizes = |size: fn(&tailrank_data::Split) -> usize| {
        let all: Vec<usize> = task.splits.iter().map(size).collect();
        match (all.iter().min(), all.iter().max()) {
            (Some(a), Some(b)) if a == b => a.to_string(),
            (Some(a), Some(b)) => format!("{a}–{b}"),
            _ => "0".to_owned(),
        }
    };
    let purged: usize = task.splits.iter().map(|s| s.purged).sum();
    let leaking: usize = task.splits.iter().map(|s| s.leaking).sum();
    let leak = match task.leak_check() {
        _ if task.splits.iter().any(|s| s.leak == Leak::Paper) => {
            format!("<strong class=\"stamped\">leak = \"paper\": {leaking} rows leak</strong>")
        }
        LeakCheck::Passed => format!("passed, {purged} rows purged"),
        other => text(&other.to_string()),
    };
    let phi = test_parts(plan, task)?.first().map(|part| describe(&part.settings)).unwrap_or_default();
    let hash = task.data.content_hash().to_string();
    let short: String = hash.chars().take(12).collect();
    Ok(format!(
        "<tr><th scope=\"row\">{}</th><td>{}{many}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{events}</td>\
         <td>{leak}</td><td>{}, t_E = {}</td><td><code title=\"{hash}\">{short}</code></td></tr>\n",
        text(&task.name),
        text(&first),
        sizes(|s| s.train.len()),
        sizes(|s| s.test.len()),
        text(&phi),
        task.relevance.event_threshold,
    ))
}

fn describe(settings: &Settings) -> String {
    settings.relevance.as_ref().map(Relevance::describe).unwrap_or_default()
}

fn versions(plan: &Plan) -> String {
    let mut seen: Vec<String> = Vec::new();
    for v in &plan.variants {
        let line = format!("{} ({}, version {})", v.family.name(), v.family.engine(), v.family.version());
        if !seen.contains(&line) {
            seen.push(line);
        }
    }
    seen.join(", ")
}

/// How missing inputs are filled.
fn fills(plan: &Plan) -> String {
    let of_task = |task: &Task| {
        let name = task.name.clone();
        task.fills().into_iter().map(move |fill| format!("{name}: {fill}"))
    };
    let about = "<p>Every split fills them from its own training rows; these are the first split's.</p>\n";
    listed("Missing inputs", about, plan.tasks.iter().flat_map(of_task))
}

/// What programs of the experiment depend on that is not looked at when it is decided what to fit again.
fn untracked(plan: &Plan) -> String {
    let about = "<p>This run calls programs. A change of these does not fit their cells again; after one, run \
                 again in another folder.</p>\n";
    listed("Not tracked", about, plan.untracked())
}

/// A list under a heading; nothing without items.
fn listed(title: &str, about: &str, all: impl IntoIterator<Item = String>) -> String {
    let items = items(all);
    if items.is_empty() { items } else { format!("<h3>{title}</h3>\n{about}<ul>{items}</ul>\n") }
}
