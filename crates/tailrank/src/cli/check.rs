//! `tailrank check`

use std::path::PathBuf;

use clap::Args;
use tailrank_data::Leak;
use tailrank_engine::plan::{Plan, Task};

use super::{
    Exit, Failure, Result, Session, count,
    duration::rough,
    note, say,
    table::{Align, layout, wrap},
    width,
};

/// Show what an experiment would do: tasks, rows, events, cells, leak check and cost. Trains nothing.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tailrank check experiments/quick.toml\n\n\
    Events are test rows whose relevance reaches the event threshold. Purged are training rows left out because their \
    label ends in the test period. Everything wrong with the file is listed at once, with lines.")]
pub(crate) struct CheckArguments {
    /// The experiment file.
    experiment: PathBuf,
}

pub(crate) fn check(session: &Session, arguments: &CheckArguments) -> Result<Exit> {
    let plan = Plan::load(&arguments.experiment, &session.library)?;
    for warning in &plan.warnings {
        note(session, &format!("warning: {warning}"));
    }
    let headings = [
        ("task", Align::Left),
        ("split", Align::Left),
        ("train", Align::Right),
        ("test", Align::Right),
        ("events", Align::Right),
        ("purged", Align::Right),
    ];
    let mut rows = Vec::new();
    for task in &plan.tasks {
        rows.push(task_row(&plan, task)?);
    }
    say(&layout(&headings, &rows, width()));
    let programs: Vec<&str> = plan.variants.iter().filter_map(|v| v.program.as_deref()).collect();
    let cost = plan.cost();
    let total = format!(
        "\n{} × {} in {} · about {} of CPU, {} MB for the largest cell",
        count(plan.variants.len(), "variant"),
        count(plan.tasks.len(), "task"),
        count(plan.cells.len(), "cell"),
        rough(cost.cpu_seconds),
        cost.bytes.div_ceil(1 << 20),
    );
    say(&wrap(&total, width()));
    if !programs.is_empty() {
        say("It runs programs of its own: `tailrank run` will need --allow-commands.");
    }
    Ok(Exit::Fine)
}

fn task_row(plan: &Plan, task: &Task) -> Result<Vec<String>> {
    let train = task.train_targets(0);
    let settings = plan
        .rules
        .for_task(&task.relevance, &train, task.horizon)
        .map_err(|e| Failure::Other(format!("task '{}': {e}", task.name)))?;
    let test: Vec<f64> = (0..task.splits.len()).flat_map(|s| task.test_targets(s)).collect();
    let events = match &settings.relevance {
        Some(phi) => test.iter().filter(|y| phi.phi(**y) >= settings.t_e).count().to_string(),
        None => "–".to_owned(),
    };
    let first = &task.splits[0];
    let many = if task.splits.len() > 1 { format!(", {} splits", task.splits.len()) } else { String::new() };
    let purged: usize = task.splits.iter().map(|s| s.purged).sum();
    let leaking: usize = task.splits.iter().map(|s| s.leaking).sum();
    let leak = match first.leak {
        Leak::Purged => purged.to_string(),
        Leak::Paper => format!("LEAKS {leaking}"),
    };
    Ok(vec![
        task.name.clone(),
        format!("{}{many}", first.description),
        first.train.len().to_string(),
        test.len().to_string(),
        events,
        leak,
    ])
}
