//! Everything needed to run it again: settings, data, splits with their leak check, seeds and versions.

use tailrank_data::Leak;
use tailrank_engine::plan::Task;

use super::{escape::text, loaded::part_settings, overview::variant_name};
use crate::{Result, Source};

/// Rows shown of a table that may be long; all of them are in `tables/`.
const MOST_FAILURES: usize = 500;

/// Failed fits, links to the tables, and settings.
pub(super) fn html(source: Source<'_>, files: &[(String, Vec<String>)]) -> Result<String> {
    Ok(failures(source) + &tables(files) + &settings(source)?)
}

fn tables(files: &[(String, Vec<String>)]) -> String {
    let link = |file: &String| {
        let ending = file.rsplit('.').next().unwrap_or_default();
        format!("<a href=\"{file}\">{ending}</a>")
    };
    let items: String = files
        .iter()
        .map(|(name, files)| {
            let links: Vec<String> = files.iter().map(link).collect();
            format!("<li>{} {}</li>\n", text(name), links.join(" "))
        })
        .collect();
    format!(
        "<section aria-labelledby=\"tables\">\n<h2 id=\"tables\">Tables for other tools</h2>\n<ul class=\"files\">\n{items}</ul>\n</section>\n"
    )
}

fn failures(source: Source<'_>) -> String {
    let all: Vec<_> = source.results.failures().collect();
    if all.is_empty() {
        return String::new();
    }
    let rows: String = all
        .iter()
        .take(MOST_FAILURES)
        .map(|&(t, v, reason)| {
            let task = text(&source.results.names.tasks[t]);
            format!(
                "<tr><th scope=\"row\">{task}</th><td>{}</td><td>{}</td></tr>\n",
                variant_name(source, v),
                text(reason)
            )
        })
        .collect();
    let more = all.len().saturating_sub(MOST_FAILURES);
    let more =
        if more > 0 { format!("<p>{more} more are in the run's scores.csv.</p>\n") } else { String::new() };
    format!(
        "<section aria-labelledby=\"failed\">\n<h2 id=\"failed\">Fits that failed</h2>\n<div class=\"wide\"><table>\n<thead><tr>\
         <th scope=\"col\">task</th><th scope=\"col\">variant</th><th scope=\"col\">reason</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{more}</section>\n"
    )
}

fn settings(source: Source<'_>) -> Result<String> {
    let mut rows = String::new();
    for (task, scores) in source.plan.tasks.iter().zip(&source.results.scores) {
        rows.push_str(&task_row(source, task, scores.events)?);
    }
    let e = &source.plan.experiment;
    Ok(format!(
        "<section aria-labelledby=\"settings\">\n<h2 id=\"settings\">Settings: everything needed to run it again</h2>\n\
         <p>Save the experiment below as <code>experiment.toml</code>, then:</p>\n\
         <p class=\"command\"><code id=\"command\">tailrank run experiment.toml</code> <button type=\"button\" data-copy=\"command\">Copy</button></p>\n\
         <dl class=\"versions\"><dt>tailrank</dt><dd>{}</dd><dt>seed</dt><dd>{}</dd><dt>models</dt><dd>{}</dd></dl>\n\
         <h3>Data, splits and relevance</h3>\n<div class=\"wide\"><table class=\"splits\">\n<thead><tr><th scope=\"col\">task</th>\
         <th scope=\"col\">split</th><th scope=\"col\" class=\"n\">train</th><th scope=\"col\" class=\"n\">test</th>\
         <th scope=\"col\" class=\"n\">events</th><th scope=\"col\">leak check</th><th scope=\"col\">relevance φ</th>\
         <th scope=\"col\">data fingerprint</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n\
         <details><summary>The exact experiment</summary>\n<p><button type=\"button\" data-copy=\"experiment\">Copy</button></p>\n\
         <pre id=\"experiment\" tabindex=\"0\">{}</pre></details>\n{}</section>\n",
        env!("CARGO_PKG_VERSION"),
        e.seed,
        text(&versions(source)),
        text(&source.plan.text),
        warnings(source)
    ))
}

fn task_row(source: Source<'_>, task: &Task, events: usize) -> Result<String> {
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
    let leak = if task.splits.iter().any(|s| s.leak == Leak::Paper) {
        format!("<strong class=\"stamped\">leak = \"paper\": {leaking} rows leak</strong>")
    } else {
        format!("passed, {purged} rows purged")
    };
    let phi = part_settings(source, task)?;
    let phi = phi
        .first()
        .and_then(|s| s.relevance.as_ref())
        .map(tailrank_metrics::Relevance::describe)
        .unwrap_or_default();
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

fn versions(source: Source<'_>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for v in &source.plan.variants {
        let line = format!("{} ({}, version {})", v.family.name(), v.family.engine(), v.family.version());
        if !seen.contains(&line) {
            seen.push(line);
        }
    }
    seen.join(", ")
}

fn warnings(source: Source<'_>) -> String {
    if source.plan.warnings.is_empty() {
        return String::new();
    }
    let items: String = source.plan.warnings.iter().map(|w| format!("<li>{}</li>", text(w))).collect();
    format!("<h3>Warnings</h3>\n<ul>{items}</ul>\n")
}
