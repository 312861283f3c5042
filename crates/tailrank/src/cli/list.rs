//! `tailrank list`

use clap::ValueEnum;
use tailrank_data::{BundledContent, bundled};
use tailrank_experiment::config::Experiment;
use tailrank_metrics::{Better, registry};
use tailrank_models::{
    Family, ParamSpec, accepted_parameters, families,
    steps::{STEPS, StepSpec},
};
use tailrank_report::terminal::layout_prose;

use super::prelude::*;

/// List models, learning steps, metrics, studies or bundled data; or print the schema of experiment files.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/list.txt"))]
pub(crate) struct ListArguments {
    /// What to list.
    what: What,
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Families with their engines and parameters.
    Models,
    /// Steps that teach families to mind rare values, for `learn` of a model grid.
    Steps,
    /// Measures with their direction and formula.
    #[value(alias = "measures")]
    Metrics,
    /// Studies of the papers with their size and usual time.
    Studies,
    /// Bundled data sets.
    Data,
    /// The JSON Schema of experiment files, for editors.
    Schema,
}

pub(crate) fn list(arguments: &ListArguments) -> Result<Exit> {
    let (text, json) = match arguments.what {
        What::Models => models(),
        What::Steps => steps(),
        What::Metrics => metrics(),
        What::Studies => studies(),
        What::Data => data(),
        What::Schema => (format!("{:#}", Experiment::json_schema()), Experiment::json_schema()),
    };
    print(&if arguments.json { format!("{json:#}") } else { text });
    Ok(Exit::Fine)
}

/// A list for people, and for scripts.
type Listing = (String, Value);

/// A table with a last column of prose. For scripts each row has its cells by the names of their columns.
fn prose<T, const N: usize>(headings: [&str; N], items: &[T], row: impl Fn(&T) -> [String; N]) -> Listing {
    let rows: Vec<Vec<String>> = items.iter().map(|item| row(item).into()).collect();
    let keys = headings.map(|heading| heading.split(['[', '(']).next().unwrap_or(heading).trim().to_owned());
    let object = |cells: &Vec<String>| -> Value {
        keys.iter().cloned().zip(cells.iter().map(|cell| cell.trim())).collect()
    };
    (layout_prose(&headings, &rows, width()), rows.iter().map(object).collect())
}

/// A title with a table of parameters below it; scripts get them beside the other facts.
fn with_parameters(mut facts: Value, title: &str, parameters: &[ParamSpec]) -> Listing {
    let row = |p: &ParamSpec| {
        let meaning = format!("{} ({})", p.doc, with_minus(&p.kind.to_string()));
        [format!("  {}", p.name), p.default.to_owned(), meaning]
    };
    let (table, all) = prose(["  parameter", "default", "meaning (accepts)"], parameters, row);
    let below = if parameters.is_empty() { String::new() } else { format!("\n{table}") };
    facts["parameters"] = all;
    (wrap(title, width()) + &below, facts)
}

fn models() -> Listing {
    let family = |(i, family): (usize, &&dyn Family)| {
        let first = !families()[..i].iter().any(|f| f.name() == family.name());
        let default = if first { ", default" } else { "" };
        let title = format!("{} (engine {}{default}): {}", family.name(), family.engine(), family.summary());
        let facts = json!({ "name": family.name(), "engine": family.engine(), "about": family.summary() });
        with_parameters(facts, &title, &accepted_parameters(*family))
    };
    let command = "command: any program; it gets {train} and {test}, with columns by their names, categories as text \
                   and gaps left empty (encoded = true: numbers called x1, x2, …), and writes a column `prediction` to {out}; {info} is \
                   a JSON file with task, seed, parameters and the columns' types. Its parameters are those its arguments name in braces; scripts/sklearn_model.py and scripts/r_model.R show how. It runs in the \
                   folder of the experiment file. It is fitted again when the program (if given with a path) or an \
                   argument that names a file has changed.";
    let (mut texts, all): (Vec<String>, Vec<Value>) = families().iter().enumerate().map(family).unzip();
    texts.push(wrap(command, width()));
    (texts.join("\n\n"), all.into())
}

fn steps() -> Listing {
    let intro = "For `learn` of a model grid: \"plain\" is the family alone, a name has its defaults, \
                 { resample = \"smote\", k = 5 } sets parameters, a list has several steps. Each is crossed with the grid. \
                 Steps marked φ are fitted again when the relevance changes.";
    let step = |step: &StepSpec| {
        let phi = if step.uses_relevance { " φ" } else { "" };
        let title = format!("{} ({} = {:?}{phi}): {}", step.name, step.key, step.name, step.summary);
        let facts = json!({ "name": step.name, "key": step.key, "about": step.summary });
        with_parameters(facts, &title, step.parameters)
    };
    let (texts, all): (Vec<String>, Vec<Value>) = STEPS.iter().map(step).unzip();
    ([vec![wrap(intro, width())], texts].concat().join("\n\n"), all.into())
}

fn metrics() -> Listing {
    let better = |m: &registry::MeasureInfo| if m.better == Better::Lower { "lower" } else { "higher" };
    let (text, _) = prose(["id", "better", "what it is [source]"], registry::MEASURES, |m| {
        let noise = if m.measure.noise_can_raise() { "; noise can raise it" } else { "" };
        let about = format!("{}: {} [{}]{noise}", m.name, m.formula, m.citation);
        [m.id.to_owned(), better(m).to_owned(), about]
    });
    let json = |m: &registry::MeasureInfo| {
        json!({
            "id": m.id, "name": m.name, "symbol": m.symbol, "better": better(m), "formula": m.formula, "citation": m.citation,
            "noise_can_raise": m.measure.noise_can_raise(),
        })
    };
    (text, registry::MEASURES.iter().map(json).collect())
}

fn studies() -> Listing {
    prose(["study", "CPU time", "what [paper; size]"], tailrank::studies::studies(), |s| {
        // The measured time, in whole seconds; a dash for a study that was not measured yet.
        let time = s.cpu_seconds().map_or_else(|| DASH.to_owned(), |s| format!("{} s", s.ceil()));
        [s.id.to_owned(), time, format!("{} [{}; {}]", s.title, s.paper, s.size)]
    })
}

fn data() -> Listing {
    prose(["name", "rows", "events", "what [kind, domain; licence]"], bundled(), |b| {
        let kind = match b.content {
            BundledContent::Series => "series",
            BundledContent::Regression { .. } => "table",
            BundledContent::Dated { .. } => "dated",
            BundledContent::Classification { .. } => "classes",
        };
        let about = format!("{} [{kind}, {}; {}]", b.about, b.domain, b.licence);
        let events = b.events.map_or_else(|| DASH.to_owned(), |n| n.to_string());
        [b.name.to_owned(), b.rows.to_string(), events, about]
    })
}
