//! `tailrank check`

use tailrank_data::{Dataset, Leak, LeakFinding, LeakLine, Transform};
use tailrank_experiment::{
    config::ByHorizon,
    plan::{Planner, Task},
    text::{digits, or_dash, percent},
};
use tailrank_report::answer::{event_of, models_and_baselines};
use tailrank_score::score::Target;

use super::prelude::*;

/// Show what an experiment would do: tasks, events, splits, leaks and cost. Trains nothing.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/check.txt"))]
pub(crate) struct CheckArguments {
    /// The experiment file.
    experiment: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn check(session: &Session, arguments: &CheckArguments) -> Result<Exit> {
    path_kind::expect_experiment(&arguments.experiment)?;
    session.print_platform();
    let plan = Planner::new(&session.library).outline().load(&arguments.experiment)?;
    let tasks: Vec<_> = plan.tasks.iter().map(|task| TaskFacts::new(&plan, task)).collect::<Result<_>>()?;
    print_found(arguments.json, || as_json(&plan, &tasks), || screen(&plan, &tasks))
}

/// Tasks listed, and warnings; JSON has all.
const MOST_TASKS: usize = 10;
const MOST_WARNINGS: usize = 5;

fn screen(plan: &Plan, tasks: &[TaskFacts<'_>]) -> Screen {
    let width = width();
    let mut out = Screen::default();
    let baselines = plan.variants.iter().filter(|v| v.family.is_baseline()).count();
    let models = models_and_baselines(plan.variants.len() - baselines, baselines);
    let cost = plan.cost();
    let (tasks_text, mb) = (count(plan.tasks.len(), "task"), plan.peak_bytes().div_ceil(1 << 20));
    let cpu = duration::rough(cost.cpu_seconds);
    let facts = format!(" · {models} · {tasks_text} · about {cpu} of CPU, {mb} MB at most");
    out.headed((Tone::Strong, &plan.experiment.name), &facts, width, 2);
    match tasks {
        [task] => task.lines(plan, &mut out),
        several => add_tasks(plan, several, &mut out),
    }
    let recipes = recipes(plan);
    if !recipes.is_empty() {
        fact(&mut out, "Learn", &recipes.join(", "));
    }
    if runs_programs(plan) {
        fact(&mut out, "Runs", "programs of its own: `tailrank run` needs --allow-commands");
        fact(&mut out, "", &format!("changes of these are not noticed: {}", plan.untracked().join("; ")));
    }
    let warnings = warnings(plan);
    let shown = ten_of_a_kind(&warnings);
    if !shown.is_empty() {
        out.push(Line::new(Tone::Caution, format!("{}:", count(warnings.len(), "warning"))));
    }
    for warning in shown.iter().take(MOST_WARNINGS) {
        out.wrapped(Tone::Plain, &format!(" {warning}"), width, 3);
    }
    if shown.len() > MOST_WARNINGS {
        out.push(Line::new(Tone::Dim, format!(" … {} more with --json", shown.len() - MOST_WARNINGS)));
    }
    out
}

fn warnings(plan: &Plan) -> Vec<String> {
    plan.warnings.iter().cloned().chain(plan.plan_warnings()).collect()
}

/// A line with its subject before it.
fn fact(out: &mut Screen, subject: &str, text: &str) {
    out.headed((Tone::Dim, &format!("{subject:<7}")), text, width(), 7);
}

fn add_tasks(plan: &Plan, tasks: &[TaskFacts<'_>], out: &mut Screen) {
    let is_relative = |t: &TaskFacts<'_>| matches!(t.task.measures.t_l, Some(ByHorizon::Relative(_)));
    let any_relative = tasks.iter().any(is_relative);
    let row = |t: &TaskFacts<'_>| {
        let leak = match t.task.splits[0].leak {
            Leak::Purged => thousands(t.purged),
            Leak::Paper => format!("LEAKS {}", thousands(t.leaking)),
        };
        let [train, test, events] = [t.train, t.test, t.events].map(thousands);
        let mut cells =
            vec![t.task.name.clone(), t.event.clone().unwrap_or_default(), train, test, events, leak];
        cells.extend(any_relative.then(|| or_dash(tolerance(plan, t.task), digits)));
        cells
    };
    let mut headings = vec!["task", "event", ">train", ">test", ">events", ">purged"];
    headings.extend(any_relative.then_some(">tolerance"));
    add_table(out, TextTable::new(headings, tasks.iter().map(row)), MOST_TASKS, "with --json");
    let lines: Vec<&LeakLine> = tasks.iter().flat_map(|t| &t.task.leaks).collect();
    fact(out, "Leaks", &leaks(&lines));
}

/// The leaks that were found, how many checks found none, and what could not be checked.
fn leaks(lines: &[&LeakLine]) -> String {
    let items =
        |of: &dyn Fn(&LeakLine) -> bool| distinct(lines.iter().filter(|line| of(line)).map(|line| line.item));
    let mut parts = distinct(lines.iter().filter(|line| line.leaks()).map(ToString::to_string));
    let odd = items(&|line| line.finding != LeakFinding::Clear);
    let clear = items(&|line| !odd.contains(&line.item));
    let none = if parts.is_empty() { "none found" } else { "none" };
    parts.push(format!("{none} in {}", count(clear.len(), "check")));
    for (finding, why) in
        [(LeakFinding::NotDeclared, "not declared"), (LeakFinding::NoTime, "rows have no time")]
    {
        let unchecked = items(&|line| line.finding == finding);
        if !unchecked.is_empty() {
            parts.push(format!("not checked: {} ({why})", list(&unchecked)));
        }
    }
    parts.join(" · ")
}

/// The recipes of all grids with their variants; none where every variant is plain.
fn recipes(plan: &Plan) -> Vec<String> {
    let models = plan.variants.iter().filter(|v| !v.family.is_baseline());
    let all: Vec<String> = models.map(|v| v.recipe.to_string()).collect();
    if all.iter().all(|recipe| recipe == "plain") {
        return Vec::new();
    }
    let models = |recipe: &String| count(all.iter().filter(|other| *other == recipe).count(), "model");
    distinct(&all).into_iter().map(|recipe| format!("{recipe} ({})", models(recipe))).collect()
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
    /// Which values they are.
    event: Option<String>,
    purged: usize,
    leaking: usize,
}

impl<'a> TaskFacts<'a> {
    fn new(plan: &Plan, task: &'a Task) -> Result<Self> {
        let tested = task.test_events(&plan.rules);
        let tested = tested.map_err(|e| Failure::Other(format!("task '{}': {e}", task.name)))?;
        Ok(Self {
            task,
            train: task.train_targets(0).len(),
            test: tested.cases,
            events: tested.events,
            event: event(plan, task),
            purged: task.splits.iter().map(|s| s.purged).sum(),
            leaking: task.splits.iter().map(|s| s.leaking).sum(),
        })
    }

    /// What is predicted, which values are events, how rows are split, and what is known about leaks.
    fn lines(&self, plan: &Plan, out: &mut Screen) {
        let (task, target) = (self.task, Target::of_task(self.task));
        let what = if let Dataset::Series(_) = *task.data {
            let past = match target.kind {
                Transform::Return | Transform::LogReturn => "past return",
                _ => "past value",
            };
            let ahead = match task.horizon {
                Some(h) if h > 1 => format!("the one {h} sessions ahead"),
                _ => "the next one".to_owned(),
            };
            format!("{} predict {ahead}", count(plan.experiment.target.lags as usize, past))
        } else {
            format!("the other columns predict {}", target.name)
        };
        fact(out, "Task", &format!("{}: {what}", task.name));
        let [train, events, cases] = [self.train, self.events, self.test].map(thousands);
        if let Some(event) = &self.event {
            let share = percent(self.events as f64 / self.test.max(1) as f64);
            fact(out, "Event", &format!("{event}: {events} of {cases} test cases ({share})"));
        }
        if let (Some(ByHorizon::Relative(relative)), Some(t_l)) = (&task.measures.t_l, tolerance(plan, task))
        {
            let t_l = digits(t_l);
            fact(out, "Errors", &format!("up to {t_l} are good ({relative} of the training targets)"));
        }
        let days = task.test_days().map(|(first, last)| format!(" ({first} to {last})")).unwrap_or_default();
        let splits = match task.splits.len() {
            1 => format!("train {train} rows, test {}{days}", count(self.test, "row")),
            n => {
                let (splits, rows) = (count(n, "split"), count(self.test, "test row"));
                let sizes = task.splits.iter().map(|s| s.train.len());
                let ends = [sizes.clone().min(), sizes.max()].map(|n| thousands(n.unwrap_or(self.train)));
                let trained = match ends {
                    [all, most] if all == most => format!("each trained on {all} rows"),
                    [fewest, most] => format!("trained on {fewest} to {most} rows"),
                };
                format!("{splits} of {rows}, {trained}")
            }
        };
        let [purged, leaking] = [self.purged, self.leaking].map(thousands);
        let purged = match task.splits[0].leak {
            Leak::Purged if self.purged > 0 => format!(", {purged} purged (label overlaps)"),
            Leak::Purged => String::new(),
            Leak::Paper => format!(", LEAKS {leaking} rows (leak = \"paper\")"),
        };
        fact(out, "Split", &format!("{splits}{purged}"));
        fact(out, "Leaks", &leaks(&task.leaks.iter().collect::<Vec<_>>()));
        for fill in task.fills().iter().take(3) {
            fact(out, "Gaps", &format!("{fill} (first split)"));
        }
    }
}

/// Which values are events, where all tasks agree.
pub(super) fn event_of_plan(plan: &Plan) -> Option<String> {
    let mut events = plan.tasks.iter().map(|task| event(plan, task));
    let first = events.next()?;
    events.all(|other| other == first).then_some(first).flatten()
}

/// The tolerance in units of the target, from the training rows of the first split.
fn tolerance(plan: &Plan, task: &Task) -> Option<f64> {
    let settings = task.settings(&plan.rules, &task.train_targets(0)).ok()?;
    settings.accuracy.map(|accuracy| accuracy.t_l())
}

/// Which values are events, as scoring counts them.
fn event(plan: &Plan, task: &Task) -> Option<String> {
    let mut parts = Vec::new();
    for splits in task.parts() {
        let train = task.train_targets(*splits.first()?);
        let settings = task.settings(&plan.rules, &train).ok()?;
        parts.push(settings.relevance.as_ref()?.event_bounds(settings.t_e).ok()?);
    }
    event_of(&Target::of_task(task), &parts)
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
            "event": t.event,
            "purged": t.purged,
            "leaking": t.leaking,
            "leak_check": t.task.leak_check().to_string(),
            "leaks": t.task.leaks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "target": t.task.data.target_name(),
            "column": t.task.column,
            "t_l": tolerance(plan, t.task),
            "first_test_day": t.task.test_days().map(|(first, _)| first.to_string()),
            "last_test_day": t.task.test_days().map(|(_, last)| last.to_string()),
            "filled": t.task.fills().iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    let cost = plan.cost();
    serde_json::json!({
        "name": plan.experiment.name,
        "tasks": tasks.iter().map(task).collect::<Vec<_>>(),
        "models": plan.variants.len(),
        "recipes": recipes(plan),
        "cells": plan.costs().len(),
        "cpu_seconds": cost.cpu_seconds,
        "bytes_of_largest_cell": cost.bytes,
        "bytes_of_run": plan.peak_bytes(),
        "runs_programs": runs_programs(plan),
        "untracked": plan.untracked(),
        "warnings": warnings(plan),
    })
}
