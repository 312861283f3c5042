//! `tailrank compare`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tailrank_experiment::{
    config::Difference,
    text::{DASH, digits_together, list, median, two_decimals},
};
use tailrank_metrics::Measure;
use tailrank_report::{
    answer::reason_of_code,
    terminal::{Align, Line, Screen, TextTable, Tone},
};
use tailrank_runner::store::disk::RealDisk;
use tailrank_score::changes::{Changes, RunTables, ScoreChange, StoredVerdict, TaskChange, changes};

use super::{Exit, Result, Session, count, output::show, place, say, width};

/// Show what changed between two runs: settings, verdicts, scores and failures.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank compare runs/quick runs/quick-2\n  \
    tailrank compare runs/quick runs/quick/report-1a2b3c4d --json\n\n\
    Either folder may be a run, or a report that `tailrank report` wrote under changed settings. Tasks and models are \
    matched by name. ρ correlates the two runs' rankings of the models that both have; it is 1 if nothing moved.")]
pub(crate) struct CompareArguments {
    /// Folder of the first run.
    before: PathBuf,
    /// Folder of the second run.
    after: PathBuf,
    /// How many of the scores that moved most are listed.
    #[arg(long, default_value_t = 3, value_name = "N")]
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
        show(&screen(&before, &after, &found, arguments.movers));
    }
    Ok(Exit::Fine)
}

/// Tasks and names listed at most; JSON has all.
const MOST_TASKS: usize = 10;
const MOST_NAMES: usize = 5;

fn screen(before: &RunTables, after: &RunTables, found: &Changes, movers: usize) -> Screen {
    let width = width();
    let mut out = Screen::default();
    out.wrapped(Tone::Strong, &settings(before, after, found), width, 2);
    for (what, [first, second]) in [
        ("Tasks", &found.tasks_only),
        ("Models", &found.variants_only),
        (
            "Measures",
            &found.measures_only.clone().map(|list| list.iter().map(|m| m.id().to_owned()).collect()),
        ),
    ] {
        for (run, names) in [(before, first), (after, second)] {
            if !names.is_empty() {
                out.wrapped(Tone::Plain, &format!("{what} only in {}: {}", name(run), some(names)), width, 2);
            }
        }
    }
    out.gap();
    if found.tasks.is_empty() {
        out.wrapped(Tone::Plain, "The runs share no task and measure.", width, 0);
        return out;
    }
    verdicts(before, after, found, &mut out);
    out.gap();
    scores(found, movers, &mut out);
    if !found.failures.is_empty() {
        out.wrapped(Tone::Caution, &failures(found), width, 2);
    }
    out
}

/// The folder's own name.
fn name(run: &RunTables) -> String {
    run.root.file_name().map_or_else(|| run.root.display().to_string(), |n| n.to_string_lossy().into_owned())
}

fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown}, … {more} more") } else { shown }
}

/// `Same data; 2 settings differ: t_l 0.005 → 0.010, models 29 → 12`
fn settings(before: &RunTables, after: &RunTables, found: &Changes) -> String {
    let data = if found.data { "Different data" } else { "Same data" };
    // An absent list and an empty one are the same setting.
    let is_empty = |v: &Option<String>| v.as_ref().is_none_or(|v| ["[]", "{}", "\"\""].contains(&v.as_str()));
    let of_models = |d: &&Difference| d.key.starts_with("models");
    let all: Vec<&Difference> =
        found.settings.iter().filter(|d| !(is_empty(&d.before) && is_empty(&d.after))).collect();
    let none = || "none".to_owned();
    let mut told: Vec<String> = all
        .iter()
        .filter(|d| !of_models(d))
        .map(|d| {
            let key = d.key.rsplit('.').next().unwrap_or(&d.key);
            let value = |v: &Option<String>| v.clone().unwrap_or_else(none);
            format!("{key} {} → {}", value(&d.before), value(&d.after))
        })
        .collect();
    if all.iter().any(of_models) {
        let (a, b) = (before.models(), after.models());
        told.push(if a == b { "models".to_owned() } else { format!("models {a} → {b}") });
    }
    match told.len() {
        0 => format!("{data}, same settings."),
        n => format!(
            "{data}; {} {}: {}",
            count(n, "setting"),
            if n == 1 { "differs" } else { "differ" },
            some(&told)
        ),
    }
}

/// `use mars 2`, `no model (chance)`
fn verdict(stored: Option<&StoredVerdict>) -> String {
    match stored {
        None => DASH.to_owned(),
        Some(v) if v.verdict == "use" => format!("use {}", v.model.as_deref().unwrap_or(DASH)),
        Some(v) => format!("no model ({})", reason_of_code(&v.reason)),
    }
}

/// What the two runs say, task by task, by the measure that decides in the first.
fn verdicts(before: &RunTables, after: &RunTables, found: &Changes, out: &mut Screen) {
    let decides = |t: &&TaskChange| t.before.as_ref().is_some_and(|v| v.deciding);
    let measure = found.tasks.iter().find(decides).or(found.tasks.first()).map(|t| t.measure);
    let shown: Vec<&TaskChange> = found.tasks.iter().filter(|t| Some(t.measure) == measure).collect();
    let symbol = measure.map_or("", |m: Measure| m.info().symbol);
    let (a, b) = (name(before), name(after));
    let headings = vec![
        ("task".to_owned(), Align::Left),
        (format!("verdict in {a}"), Align::Left),
        (format!("verdict in {b}"), Align::Left),
        (format!("{symbol} {a}"), Align::Right),
        (format!("{symbol} {b}"), Align::Right),
    ];
    let row = |t: &&TaskChange| {
        let score = |v: &Option<StoredVerdict>| v.as_ref().and_then(|v| v.score).unwrap_or(f64::NAN);
        let numbers = digits_together(&[score(&t.before), score(&t.after)]);
        vec![
            t.task.clone(),
            verdict(t.before.as_ref()),
            verdict(t.after.as_ref()),
            numbers[0].clone(),
            numbers[1].clone(),
        ]
    };
    let rows: Vec<Vec<String>> = shown.iter().take(MOST_TASKS).map(row).collect();
    out.extend(TextTable { headings, rows, indent: 1, ..TextTable::default() }.lay_out(width()).0);
    if shown.len() > MOST_TASKS {
        out.push(Line::new(Tone::Dim, format!(" … {} more with --json", shown.len() - MOST_TASKS)));
    }
    let rhos: Vec<f64> = shown.iter().filter_map(|t| t.rho).collect();
    if let Some(rho) = median(&rhos) {
        let of = if rhos.len() > 1 { "median ρ" } else { "ρ" };
        out.wrapped(
            Tone::Dim,
            &format!(" The two rankings by {symbol}: {of} {}.", two_decimals(rho)),
            width(),
            1,
        );
    }
}

fn scores(found: &Changes, movers: usize, out: &mut Screen) {
    if found.scores.is_empty() {
        out.wrapped(
            Tone::Plain,
            &format!(" All {} are the same.", count(found.compared, "score")),
            width(),
            1,
        );
        return;
    }
    let changed = format!(" {} of {} differ.", found.scores.len(), count(found.compared, "score"));
    out.wrapped(Tone::Plain, &changed, width(), 1);
    let row = |s: &ScoreChange| {
        let numbers = digits_together(&[s.before.unwrap_or(f64::NAN), s.after.unwrap_or(f64::NAN)]);
        vec![
            s.variant.clone(),
            s.task.clone(),
            s.measure.info().symbol.to_owned(),
            format!("{} → {}", numbers[0], numbers[1]),
            format!("{} → {}", s.rank_before, s.rank_after),
        ]
    };
    let rows: Vec<Vec<String>> = found.scores.iter().take(movers).map(row).collect();
    if rows.is_empty() {
        return;
    }
    let headings = [
        ("largest moves", Align::Left),
        ("task", Align::Left),
        ("by", Align::Left),
        ("score", Align::Right),
        ("rank", Align::Right),
    ];
    let headings = headings.map(|(h, align)| (h.to_owned(), align)).to_vec();
    out.extend(TextTable { headings, rows, indent: 1, ..TextTable::default() }.lay_out(width()).0);
}

/// Fits that failed in one run only.
fn failures(found: &Changes) -> String {
    let of = |f: &&tailrank_score::changes::FailureChange| match (&f.before, &f.after) {
        (None, Some(why)) => format!("{} fails now: {why}", f.variant),
        (Some(_), None) => format!("{} no longer fails", f.variant),
        _ => format!("{} fails for another reason", f.variant),
    };
    let told: Vec<String> = found.failures.iter().take(2).map(|f| of(&f)).collect();
    let more = found.failures.len().saturating_sub(2);
    let more = if more > 0 { format!(", … {more} more with --json") } else { String::new() };
    format!(" {}{more}", list(&told))
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
            let of = |v: &Option<StoredVerdict>| {
                v.as_ref().map(|v| {
                    json!({
                        "deciding": v.deciding, "verdict": v.verdict, "reason": v.reason, "model": v.model, "score": v.score,
                    })
                })
            };
            json!({
                "task": t.task, "measure": t.measure.id(), "before": of(&t.before), "after": of(&t.after),
                "models": t.variants, "rho": t.rho, "tau": t.tau,
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
        "picks_changed": found.picks().count(),
        "rankings": tasks,
        "scores_compared": found.compared,
        "scores_changed": scores,
        "failures_changed": failures,
    })
}
