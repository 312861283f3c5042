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
#[command(
    after_help = "Examples:\n  tailrank check experiments/quick.toml\n  tailrank check mine.toml --json | jq .cpu_seconds\n\n\
    Events are test rows whose relevance reaches the event threshold. Purged are training rows left out because their \
    label ends in the test period. Everything wrong with the file is listed at once, with lines."
)]
pub(crate) struct CheckArguments {
    /// The experiment file.
    experiment: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn check(session: &Session, arguments: &CheckArguments) -> Result<Exit> {
    let plan = Plan::load(&arguments.experiment, &session.library)?;
    let mut tasks = Vec::with_capacity(plan.tasks.len());
    for task in &plan.tasks {
        tasks.push(TaskFacts::new(&plan, task)?);
    }
    if arguments.json {
        say(&format!("{:#}", as_json(&plan, &tasks)));
        return Ok(Exit::Fine);
    }
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
    let rows: Vec<Vec<String>> = tasks.iter().map(TaskFacts::row).collect();
    say(&layout(&headings, &rows, width()));
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
    let recipes = recipes(&plan);
    if !recipes.is_empty() {
        say(&wrap(&format!("Recipes: {}.", recipes.join(", ")), width()));
    }
    if runs_programs(&plan) {
        say(&wrap("It runs programs of its own: `tailrank run` will need --allow-commands.", width()));
        let untracked = plan.untracked().join("; ");
        say(&wrap(&format!("A change of these does not fit its cells again: {untracked}."), width()));
    }
    Ok(Exit::Fine)
}

/// The recipes of all grids with their variants; none where every variant is plain.
fn recipes(plan: &Plan) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for variant in &plan.variants {
        let name = variant.recipe.to_string();
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => counts.push((name, 1)),
        }
    }
    if counts.iter().all(|(name, _)| name == "plain") {
        return Vec::new();
    }
    counts.into_iter().map(|(name, n)| format!("{name} ({})", count(n, "variant"))).collect()
}

fn runs_programs(plan: &Plan) -> bool {
    plan.variants.iter().any(|v| v.program.is_some())
}

/// What a task would be trained and tested on.
struct TaskFacts<'a> {
    task: &'a Task,
    train: usize,
    test: usize,
    /// Events among the test rows; none without a relevance.
    events: Option<usize>,
    purged: usize,
    leaking: usize,
}

impl<'a> TaskFacts<'a> {
    fn new(plan: &Plan, task: &'a Task) -> Result<Self> {
        let train = task.train_targets(0);
        let settings = plan
            .rules
            .for_task(&task.relevance, &train, task.horizon)
            .map_err(|e| Failure::Other(format!("task '{}': {e}", task.name)))?;
        let test: Vec<f64> = (0..task.splits.len()).flat_map(|s| task.test_targets(s)).collect();
        let events =
            settings.relevance.map(|phi| test.iter().filter(|y| phi.phi(**y) >= settings.t_e).count());
        Ok(Self {
            task,
            train: train.len(),
            test: test.len(),
            events,
            purged: task.splits.iter().map(|s| s.purged).sum(),
            leaking: task.splits.iter().map(|s| s.leaking).sum(),
        })
    }

    fn row(&self) -> Vec<String> {
        let splits = &self.task.splits;
        let many = if splits.len() > 1 { format!(", {} splits", splits.len()) } else { String::new() };
        let leak = match splits[0].leak {
            Leak::Purged => self.purged.to_string(),
            Leak::Paper => format!("LEAKS {}", self.leaking),
        };
        vec![
            self.task.name.clone(),
            format!("{}{many}", splits[0].description),
            self.train.to_string(),
            self.test.to_string(),
            self.events.map_or_else(|| "–".to_owned(), |n| n.to_string()),
            leak,
        ]
    }
}

fn as_json(plan: &Plan, tasks: &[TaskFacts<'_>]) -> serde_json::Value {
    let task = |t: &TaskFacts<'_>| {
        serde_json::json!({
            "task": t.task.name,
            "split": t.task.splits[0].description,
            "splits": t.task.splits.len(),
            "train_rows": t.train,
            "test_rows": t.test,
            "events": t.events,
            "purged": t.purged,
            "leaking": t.leaking,
        })
    };
    let cost = plan.cost();
    serde_json::json!({
        "name": plan.experiment.name,
        "tasks": tasks.iter().map(task).collect::<Vec<_>>(),
        "variants": plan.variants.len(),
        "recipes": recipes(plan),
        "cells": plan.cells.len(),
        "cpu_seconds": cost.cpu_seconds,
        "bytes_of_largest_cell": cost.bytes,
        "runs_programs": runs_programs(plan),
        "untracked": plan.untracked(),
        "warnings": plan.warnings,
    })
}
