//! `tailrank check`

use std::path::PathBuf;

use clap::Args;
use tailrank_data::Leak;
use tailrank_experiment::{
    config::ByHorizon,
    plan::{Plan, Task},
    text::digits,
};

use super::{
    Exit, Failure, Result, Session, count,
    duration::rough,
    note, place, say,
    table::{Align, layout, wrap},
    ten_of_a_kind, width,
};

/// Show what an experiment would do: tasks, rows, events, cells, leak check and cost. Trains nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tailrank check experiments/quick.toml\n  tailrank check mine.toml --json | jq .cpu_seconds\n\n\
    Events are test rows whose relevance reaches the event threshold, as `tailrank run` counts them. Purged are training rows \
    left out because their label ends in the test period. What would make a run say little is told as a warning. Everything \
    wrong with the file is listed at once, with lines, ten of a kind at most."
)]
pub(crate) struct CheckArguments {
    /// The experiment file.
    experiment: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn check(session: &Session, arguments: &CheckArguments) -> Result<Exit> {
    place::expect_experiment(&arguments.experiment)?;
    let plan = Plan::load(&arguments.experiment, &session.library)?;
    let mut tasks = Vec::with_capacity(plan.tasks.len());
    for task in &plan.tasks {
        tasks.push(TaskFacts::new(&plan, task)?);
    }
    if arguments.json {
        say(&format!("{:#}", as_json(&plan, &tasks)));
        return Ok(Exit::Fine);
    }
    let warnings: Vec<String> = plan.warnings.iter().cloned().chain(plan.plan_warnings()).collect();
    for warning in ten_of_a_kind(&warnings) {
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
    say(&wrap(&format!("\n{}", about_tasks(&plan).join("\n")), width()));
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

/// What is predicted from where, tested when, and what is known about leaks: a line for each task, ten at most.
fn about_tasks(plan: &Plan) -> Vec<String> {
    const SHOWN: usize = 10;
    let line = |task: &Task| {
        let column = task.column.as_ref().map(|c| format!(" of column \"{c}\"")).unwrap_or_default();
        let days = task.test_days().map(|(first, last)| format!(", tested on {first} to {last}"));
        let good = match &plan.experiment.measures.t_l {
            Some(t_l @ ByHorizon::Each(_)) => t_l.at(task.horizon),
            _ => None,
        };
        let good = good.map(|t_l| format!("; errors up to {} are good", digits(t_l))).unwrap_or_default();
        let mut text = format!(
            "{}: {}{column}{}{good}; leak check: {}.",
            task.name,
            task.data.target_name(),
            days.unwrap_or_default(),
            task.leak_check()
        );
        for fill in task.fills().iter().take(SHOWN) {
            text.push_str(&format!("\n  {fill} (first split)"));
        }
        text
    };
    let mut lines: Vec<String> = plan.tasks.iter().take(SHOWN).map(line).collect();
    if plan.tasks.len() > SHOWN {
        lines.push(format!("… and {}", count(plan.tasks.len() - SHOWN, "more task")));
    }
    lines
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
    /// Events among the test rows, as scoring counts them.
    events: usize,
    purged: usize,
    leaking: usize,
}

impl<'a> TaskFacts<'a> {
    fn new(plan: &Plan, task: &'a Task) -> Result<Self> {
        let train = task.train_targets(0);
        let tested = task
            .test_events(&plan.rules)
            .map_err(|e| Failure::Other(format!("task '{}': {e}", task.name)))?;
        Ok(Self {
            task,
            train: train.len(),
            test: tested.cases,
            events: tested.events,
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
            self.events.to_string(),
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
            "leak_check": t.task.leak_check().to_string(),
            "target": t.task.data.target_name(),
            "column": t.task.column,
            "t_l": plan.experiment.measures.t_l.as_ref().and_then(|t_l| t_l.at(t.task.horizon)),
            "first_test_day": t.task.test_days().map(|(first, _)| first.to_string()),
            "last_test_day": t.task.test_days().map(|(_, last)| last.to_string()),
            "filled": t.task.fills().iter().map(ToString::to_string).collect::<Vec<_>>(),
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
        "warnings": plan.warnings.iter().cloned().chain(plan.plan_warnings()).collect::<Vec<_>>(),
    })
}
