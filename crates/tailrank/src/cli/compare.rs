//! `tailrank compare`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tailrank_experiment::text::{digits, or_dash};
use tailrank_runner::store::disk::RealDisk;
use tailrank_score::changes::{Changes, RunTables, changes};

use super::{
    Exit, Result, Session, count, place, say,
    table::{Align, layout, layout_prose, wrap},
    width,
};

/// Show what changed between two runs: settings, winners, scores, ranks and failures.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank compare runs/quick runs/quick-2\n  \
    tailrank compare runs/quick runs/quick/report-1a2b3c4d --json\n\n\
    Either folder may be a run, or a report that `tailrank report` wrote under changed settings. Tasks and variants are \
    matched by name. ρ and τ correlate the two runs' rankings of the variants that both have: 1 says that nothing moved.")]
pub(crate) struct CompareArguments {
    /// Folder of the first run.
    before: PathBuf,
    /// Folder of the second run.
    after: PathBuf,
    /// How many of the scores that moved most are listed.
    #[arg(long, default_value_t = 10, value_name = "N")]
    movers: usize,
    /// Print everything as JSON, all moved scores included.
    #[arg(long)]
    json: bool,
}

pub(crate) fn compare(_: &Session, arguments: &CompareArguments) -> Result<Exit> {
    place::expect_run(&arguments.before)?;
    place::expect_run(&arguments.after)?;
    let before = RunTables::open(&RealDisk, &arguments.before)?;
    let after = RunTables::open(&RealDisk, &arguments.after)?;
    let found = changes(&before, &after);
    if arguments.json {
        say(&format!("{:#}", as_json(&before, &after, &found)));
    } else {
        let names = format!("{} → {}", before.root.display(), after.root.display());
        say(&wrap(&names, width()));
        for section in text(&found, arguments.movers) {
            say(&format!("\n{section}"));
        }
    }
    Ok(Exit::Fine)
}

/// The sections of the answer, from what was set to what came of it.
fn text(found: &Changes, movers: usize) -> Vec<String> {
    let mut sections = vec![settings(found)];
    if found.data {
        sections.push(wrap("Data: not the same, so that no difference below is a setting's alone.", width()));
    }
    for (what, [first, second]) in [
        ("Tasks", found.tasks_only.clone()),
        ("Variants", found.variants_only.clone()),
        (
            "Measures",
            found.measures_only.clone().map(|list| list.iter().map(|m| m.id().to_owned()).collect()),
        ),
    ] {
        for (place, names) in [("first", first), ("second", second)] {
            if !names.is_empty() {
                sections.push(wrap(&format!("{what} only in the {place}: {}", names.join(", ")), width()));
            }
        }
    }
    if found.tasks.is_empty() {
        sections.push("The two have no task and measure in common.".to_owned());
        return sections;
    }
    sections.push(winners(found));
    if !found.scores.is_empty() {
        sections.push(agreement(found));
    }
    sections.push(scores(found, movers));
    if !found.failures.is_empty() {
        sections.push(failures(found));
    }
    sections
}

fn settings(found: &Changes) -> String {
    if found.settings.is_empty() {
        return "Settings: the same.".to_owned();
    }
    let none = || "(none)".to_owned();
    let rows: Vec<Vec<String>> = found
        .settings
        .iter()
        .map(|d| {
            vec![
                d.key.clone(),
                format!(
                    "{} → {}",
                    d.before.clone().unwrap_or_else(none),
                    d.after.clone().unwrap_or_else(none)
                ),
            ]
        })
        .collect();
    layout_prose(&["setting", "change"], &rows, width())
}

fn winners(found: &Changes) -> String {
    let changed: Vec<_> = found.winners().collect();
    let total = count(found.tasks.len(), "ranking");
    if changed.is_empty() {
        return format!("Winners: the same in all {total}.");
    }
    let label = |v: &Option<String>| v.clone().unwrap_or_else(|| "–".to_owned());
    let rows: Vec<Vec<String>> = changed
        .iter()
        .map(|t| vec![t.task.clone(), t.measure.info().symbol.to_owned(), label(&t.before), label(&t.after)])
        .collect();
    let headings = ["task", "measure", "won before", "wins now"].map(|h| (h, Align::Left));
    format!("Winners: {} of {total} changed.\n{}", changed.len(), layout(&headings, &rows, width()))
}

fn agreement(found: &Changes) -> String {
    let two = |e: Option<f64>| e.map_or_else(|| "–".to_owned(), |e| format!("{e:.3}"));
    let rows: Vec<Vec<String>> = found
        .tasks
        .iter()
        .map(|t| {
            let symbol = t.measure.info().symbol.to_owned();
            vec![t.task.clone(), symbol, t.variants.to_string(), two(t.rho), two(t.tau)]
        })
        .collect();
    let headings = [
        ("task", Align::Left),
        ("measure", Align::Left),
        ("variants", Align::Right),
        ("ρ", Align::Right),
        ("τ", Align::Right),
    ];
    format!("Agreement of the two rankings:\n{}", layout(&headings, &rows, width()))
}

fn scores(found: &Changes, movers: usize) -> String {
    if found.scores.is_empty() {
        return format!("Scores: all {} are the same.", found.compared);
    }
    let headings = [
        ("task", Align::Left),
        ("variant", Align::Left),
        ("measure", Align::Left),
        ("before", Align::Right),
        ("now", Align::Right),
        ("rank", Align::Right),
    ];
    let rows: Vec<Vec<String>> = found
        .scores
        .iter()
        .take(movers)
        .map(|s| {
            vec![
                s.task.clone(),
                s.variant.clone(),
                s.measure.info().symbol.to_owned(),
                or_dash(s.before, digits),
                or_dash(s.after, digits),
                format!("{} → {}", s.rank_before, s.rank_after),
            ]
        })
        .collect();
    let which = if rows.len() < found.scores.len() { "; the largest moves" } else { "" };
    format!(
        "Scores: {} of {} changed{which}:\n{}",
        found.scores.len(),
        found.compared,
        layout(&headings, &rows, width())
    )
}

fn failures(found: &Changes) -> String {
    let fine = || "fine".to_owned();
    let rows: Vec<Vec<String>> = found
        .failures
        .iter()
        .map(|f| {
            let (before, after) =
                (f.before.clone().unwrap_or_else(fine), f.after.clone().unwrap_or_else(fine));
            vec![f.task.clone(), f.variant.clone(), format!("{before} → {after}")]
        })
        .collect();
    format!("Failures that differ:\n{}", layout_prose(&["task", "variant", "change"], &rows, width()))
}

/// Everything that changed, for scripts. Undefined and absent are null.
fn as_json(before: &RunTables, after: &RunTables, found: &Changes) -> serde_json::Value {
    let ids = |list: &[tailrank_metrics::Measure]| list.iter().map(|m| m.id()).collect::<Vec<_>>();
    let settings: Vec<_> = found
        .settings
        .iter()
        .map(
            |d| json!({ "key": d.key, "before": d.before, "after": d.after, "needs_refit": d.needs_refit() }),
        )
        .collect();
    let tasks: Vec<_> = found
        .tasks
        .iter()
        .map(|t| {
            json!({
                "task": t.task, "measure": t.measure.id(), "best_before": t.before, "best_after": t.after,
                "winner_changed": t.before != t.after, "variants": t.variants, "rho": t.rho, "tau": t.tau,
            })
        })
        .collect();
    let scores: Vec<_> = found
        .scores
        .iter()
        .map(|s| {
            json!({
                "task": s.task, "variant": s.variant, "measure": s.measure.id(), "before": s.before, "after": s.after,
                "rank_before": s.rank_before, "rank_after": s.rank_after,
            })
        })
        .collect();
    let failures: Vec<_> = found
        .failures
        .iter()
        .map(|f| json!({ "task": f.task, "variant": f.variant, "before": f.before, "after": f.after }))
        .collect();
    json!({
        "before": before.root.display().to_string(),
        "after": after.root.display().to_string(),
        "settings": settings,
        "tasks_only": found.tasks_only,
        "variants_only": found.variants_only,
        "measures_only": [ids(&found.measures_only[0]), ids(&found.measures_only[1])],
        "winners_changed": found.winners().count(),
        "rankings": tasks,
        "scores_compared": found.compared,
        "scores_changed": scores,
        "failures_changed": failures,
    })
}
