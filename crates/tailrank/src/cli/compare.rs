//! `tailrank compare`

use tailrank_experiment::text::median;
use tailrank_report::answer::reason_of_code;
use tailrank_score::changes::{
    Changes, FailureChange, RunTables, ScoreChange, StoredVerdict, TaskChange, changes,
};

use super::prelude::*;

/// Show what changed between two runs: settings, verdicts, scores and failures.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/compare.txt"))]
pub(crate) struct CompareArguments {
    /// Folder of the first run.
    before: PathBuf,
    /// Folder of the second run.
    after: PathBuf,
    /// Print everything as JSON, all moved scores included.
    #[arg(long)]
    json: bool,
}

pub(crate) fn compare(_: &Session, arguments: &CompareArguments) -> Result<Exit> {
    path_kind::expect_run(&arguments.before)?;
    path_kind::expect_run(&arguments.after)?;
    let before = RunTables::open(&RealDisk, &arguments.before)?;
    let after = RunTables::open(&RealDisk, &arguments.after)?;
    let found = changes(&before, &after);
    let json = || as_json(&before, &after, &found);
    print_found(arguments.json, json, || screen(&before, &after, &found))
}

/// Tasks, moved scores and names listed at most; JSON has all.
const MOST_TASKS: usize = 10;
const MOST_MOVES: usize = 3;
const MOST_NAMES: usize = 5;

fn screen(before: &RunTables, after: &RunTables, found: &Changes) -> Screen {
    let width = width();
    let mut out = Screen::default();
    out.wrapped(Tone::Strong, &settings(before, after, found), width, 2);
    let ids = found.measures_only.each_ref().map(|only| only.iter().map(|m| m.id().to_owned()).collect());
    for (what, only) in [("Tasks", &found.tasks_only), ("Models", &found.variants_only), ("Measures", &ids)] {
        for (run, names) in [before, after].into_iter().zip(only).filter(|(_, names)| !names.is_empty()) {
            out.wrapped(Tone::Plain, &format!("{what} only in {}: {}", name(run), some(names)), width, 2);
        }
    }
    out.gap();
    if found.tasks.is_empty() {
        out.wrapped(Tone::Plain, "The runs share no task and measure.", width, 0);
        return out;
    }
    verdicts(before, after, found, &mut out);
    out.gap();
    scores(found, &mut out);
    if !found.failures.is_empty() {
        out.wrapped(Tone::Caution, &failures(found), width, 2);
    }
    out
}

/// The folder's own name.
fn name(run: &RunTables) -> String {
    run.root.file_name().unwrap_or(run.root.as_os_str()).to_string_lossy().into_owned()
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
    let all = || found.settings.iter().filter(|d| !(is_empty(&d.before) && is_empty(&d.after)));
    let differs = |d: &Difference| {
        let key = d.key.rsplit('.').next().unwrap_or(&d.key);
        format!("{key} {}", before_after(d, "none"))
    };
    let mut told: Vec<String> = all().filter(|d| !of_models(d)).map(differs).collect();
    if all().any(|d| of_models(&d)) {
        let (a, b) = (before.models(), after.models());
        told.push(if a == b { "models".to_owned() } else { format!("models {a} → {b}") });
    }
    let verb = if told.len() == 1 { "differs" } else { "differ" };
    match told.len() {
        0 => format!("{data}, same settings."),
        n => format!("{data}; {} {verb}: {}", count(n, "setting"), some(&told)),
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
    let row = |t: &&TaskChange| {
        let score = |v: &Option<StoredVerdict>| v.as_ref().and_then(|v| v.score).unwrap_or(f64::NAN);
        let words = [t.task.clone(), verdict(t.before.as_ref()), verdict(t.after.as_ref())];
        words.into_iter().chain(digits_together(&[score(&t.before), score(&t.after)])).collect()
    };
    let [verdict_a, verdict_b] = [&a, &b].map(|run| format!("verdict in {run}"));
    let [score_a, score_b] = [&a, &b].map(|run| format!(">{symbol} {run}"));
    let headings = ["task", &verdict_a, &verdict_b, &score_a, &score_b];
    add_table(out, TextTable::new(headings, shown.iter().map(row)), MOST_TASKS, "with --json");
    let rhos: Vec<f64> = shown.iter().filter_map(|t| t.rho).collect();
    if let Some(rho) = median(&rhos) {
        let of = if rhos.len() > 1 { "median ρ" } else { "ρ" };
        let text = format!(" The two rankings by {symbol}: {of} {}.", two_decimals(rho));
        out.wrapped(Tone::Dim, &text, width(), 1);
    }
}

fn scores(found: &Changes, out: &mut Screen) {
    let compared = count(found.compared, "score");
    let text = match found.scores.len() {
        0 => format!(" All {compared} are the same."),
        n => format!(" {n} of {compared} differ."),
    };
    out.wrapped(Tone::Plain, &text, width(), 1);
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
    if !found.scores.is_empty() {
        let rows = found.scores.iter().take(MOST_MOVES).map(row);
        let moves = TextTable::new(["largest moves", "task", "by", ">score", ">rank"], rows);
        add_table(out, moves, MOST_MOVES, "");
    }
}

/// Fits that failed in one run only.
fn failures(found: &Changes) -> String {
    let of = |f: &FailureChange| match (&f.before, &f.after) {
        (None, Some(why)) => format!("{} fails now: {why}", f.variant),
        (Some(_), None) => format!("{} no longer fails", f.variant),
        _ => format!("{} fails for another reason", f.variant),
    };
    let told: Vec<String> = found.failures.iter().take(2).map(of).collect();
    let more = found.failures.len().saturating_sub(2);
    let more = if more > 0 { format!(", … {more} more with --json") } else { String::new() };
    format!(" {}{more}", list(&told))
}

/// Everything that changed, for scripts. Undefined and absent are null.
fn as_json(before: &RunTables, after: &RunTables, found: &Changes) -> serde_json::Value {
    let setting = |d: &Difference| json!({ "key": d.key, "before": d.before, "after": d.after, "needs_refit": d.needs_refit() });
    json!({
        "before": before.root.display().to_string(),
        "after": after.root.display().to_string(),
        "settings": found.settings.iter().map(setting).collect::<Vec<_>>(),
        "tasks_only": found.tasks_only,
        "models_only": found.variants_only,
        "measures_only": found.measures_only,
        "picks_changed": found.picks().count(),
        "rankings": found.tasks,
        "scores_compared": found.compared,
        "scores_changed": found.scores,
        "failures_changed": found.failures,
    })
}
