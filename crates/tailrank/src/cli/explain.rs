//! `tailrank explain`

use tailrank_report::{answer::Explained, claims::Claim};

use super::prelude::*;

/// Show everything behind the answer of a run: all measures, tests, costs and warnings.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/explain.txt"))]
pub(crate) struct ExplainArguments {
    /// Folder of the run, such as runs/quick.
    run: PathBuf,
    /// Explain one task, such as 'KO 3d'.
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Rank by this measure instead of the deciding one.
    #[arg(long, value_name = "MEASURE")]
    measure: Option<String>,
    /// Folder that the experiment's data files are relative to, if they were moved.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn explain(session: &Session, arguments: &ExplainArguments) -> Result<Exit> {
    let (store, plan, _) = open_run(session, &arguments.run, arguments.base.as_deref())?;
    let results = tailrank_score::score::results(&plan, &store)?;
    check_cells(session, &plan, &store, "explanation")?;
    let task = arguments.task.as_deref().map(|name| task(&plan, name)).transpose()?;
    let measure = arguments.measure.as_deref().map(|id| measure(&results, id)).transpose()?;
    let claims = claims(&arguments.run);
    let json = || {
        let mut found = answer::full_json(&results);
        found["claims"] = json!(claims);
        found
    };
    let asked = Explained { task, measure, claims: &claims, width: width() };
    print_found(arguments.json, json, || {
        let mut screen = answer::explain(&results, asked);
        screen.gap();
        screen.push(Line::new(Tone::Dim, "Terms: tailrank help TERM, such as tailrank help chance"));
        screen
    })
}

/// What the paper of a study says; empty for a run that is no study.
fn claims(run: &Path) -> Vec<Claim> {
    let text = std::fs::read(run.join("study").join("claims.json")).unwrap_or_default();
    let mut stored: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    serde_json::from_value(stored["claims"].take()).unwrap_or_default()
}

fn task(plan: &Plan, name: &str) -> Result<TaskId> {
    let found = plan.tasks.iter().position(|t| t.name == name);
    let names = plan.tasks.iter().take(20).map(|t| format!("'{}'", t.name));
    found.map(TaskId).ok_or_else(|| missing("task", name, names))
}

/// A measure of the run, by its id.
pub(super) fn measure(results: &Results, id: &str) -> Result<Measure> {
    let all = results.measures();
    let ids = all.iter().map(|m| m.id().to_owned());
    all.iter().find(|m| m.id() == id).copied().ok_or_else(|| missing("measure", id, ids))
}

fn missing(what: &str, name: &str, all: impl Iterator<Item = String>) -> Failure {
    Failure::Usage(format!("the run has no {what} '{name}'; it has {}", list(&all.collect::<Vec<_>>())))
}
