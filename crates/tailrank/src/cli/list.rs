//! `tailrank list`

use clap::ValueEnum;
use tailrank::studies::Study;
use tailrank_data::{Bundled, BundledContent, bundled};
use tailrank_experiment::config::Experiment;
use tailrank_metrics::{
    Better,
    registry::{MEASURES, MeasureInfo},
};
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

/// A list for people, and for scripts.
type Listing = (String, Value);

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

/// A table with a last column of prose.
fn prose<T, const N: usize>(headings: [&str; N], items: &[T], row: impl Fn(&T) -> [String; N]) -> String {
    let rows: Vec<Vec<String>> = items.iter().map(|item| row(item).into()).collect();
    layout_prose(&headings, &rows, width())
}

/// A title with a table of parameters below it.
fn with_parameters(title: &str, parameters: &[ParamSpec]) -> String {
    let title = wrap(title, width());
    if parameters.is_empty() {
        return title;
    }
    let row = |p: &ParamSpec| {
        [
            format!("  {}", p.name),
            p.default.to_owned(),
            format!("{} ({})", p.doc, with_minus(&p.kind.to_string())),
        ]
    };
    format!("{title}\n{}", prose(["  parameter", "default", "meaning (accepts)"], parameters, row))
}

fn parameters_json(parameters: &[ParamSpec]) -> Value {
    let parameter = |p: &ParamSpec| json!({ "name": p.name, "default": p.default, "accepts": p.kind.to_string(), "meaning": p.doc });
    parameters.iter().map(parameter).collect()
}

fn models() -> Listing {
    let family = |(i, family): (usize, &&dyn Family)| {
        let first = !families()[..i].iter().any(|f| f.name() == family.name());
        let default = if first { ", default" } else { "" };
        let title = format!("{} (engine {}{default}): {}", family.name(), family.engine(), family.summary());
        with_parameters(&title, &accepted_parameters(*family))
    };
    let command = "command: any program; it gets {train} and {test}, with columns by their names, categories as text \
                   and gaps left empty (encoded = true: numbers called x1, x2, …), and writes a column `prediction` to {out}; {info} is \
                   a JSON file with task, seed, parameters and the columns' types. Its parameters are those its arguments name in braces; scripts/sklearn_model.py and scripts/r_model.R show how. It runs in the \
                   folder of the experiment file. It is fitted again when the program (if given with a path) or an \
                   argument that names a file has changed.";
    let all = families().iter().enumerate().map(family);
    let text = all.chain([wrap(command, width())]).collect::<Vec<_>>().join("\n\n");
    let json = |family: &&dyn Family| {
        json!({
            "family": family.name(),
            "engine": family.engine(),
            "summary": family.summary(),
            "parameters": parameters_json(&accepted_parameters(*family)),
        })
    };
    (text, families().iter().map(json).collect())
}

fn steps() -> Listing {
    let intro = "For `learn` of a model grid: \"plain\" is the family alone, a name has its defaults, \
                 { resample = \"smote\", k = 5 } sets parameters, a list has several steps. Each is crossed with the grid. \
                 Steps marked φ are fitted again when the relevance changes.";
    let step = |step: &StepSpec| {
        let phi = if step.uses_relevance { " φ" } else { "" };
        let title = format!("{} ({} = {:?}{phi}): {}", step.name, step.key, step.name, step.summary);
        with_parameters(&title, step.parameters)
    };
    let text =
        [wrap(intro, width())].into_iter().chain(STEPS.iter().map(step)).collect::<Vec<_>>().join("\n\n");
    let json = |s: &StepSpec| {
        json!({
            "step": s.name,
            "key": s.key,
            "summary": s.summary,
            "uses_relevance": s.uses_relevance,
            "parameters": parameters_json(s.parameters),
        })
    };
    (text, STEPS.iter().map(json).collect())
}

fn better(better: Better) -> &'static str {
    if better == Better::Lower { "lower" } else { "higher" }
}

fn metrics() -> Listing {
    let text = prose(["id", "better", "what it is [source]"], MEASURES, |m| {
        let noise = if m.measure.noise_can_raise() { "; noise can raise it" } else { "" };
        let about = format!("{}: {} [{}]{noise}", m.name, m.formula, m.citation);
        [m.id.to_owned(), better(m.better).to_owned(), about]
    });
    let json = |m: &MeasureInfo| {
        json!({
            "id": m.id,
            "name": m.name,
            "symbol": m.symbol,
            "better": better(m.better),
            "formula": m.formula,
            "citation": m.citation,
            "noise_can_raise": m.measure.noise_can_raise(),
        })
    };
    (text, MEASURES.iter().map(json).collect())
}

fn studies() -> Listing {
    let all = tailrank::studies::studies();
    let text = prose(["study", "CPU time", "what [paper; size]"], all, |s| {
        // The measured time, in whole seconds; a dash for a study that was not measured yet.
        let time = s.cpu_seconds().map_or_else(|| DASH.to_owned(), |s| format!("{} s", s.ceil()));
        [s.id.to_owned(), time, format!("{} [{}; {}]", s.title, s.paper, s.size)]
    });
    let json = |s: &Study| json!({ "study": s.id, "title": s.title, "paper": s.paper, "size": s.size, "cpu_seconds": s.cpu_seconds() });
    (text, all.iter().map(json).collect())
}

fn kind(content: &BundledContent) -> &'static str {
    match content {
        BundledContent::Series => "series",
        BundledContent::Regression { .. } => "table",
        BundledContent::Dated { .. } => "dated",
        BundledContent::Classification { .. } => "classes",
    }
}

fn data() -> Listing {
    let text = prose(["name", "rows", "events", "what [kind, domain; licence]"], bundled(), |b| {
        let about = format!("{} [{}, {}; {}]", b.about, kind(&b.content), b.domain, b.licence);
        let events = b.events.map_or_else(|| DASH.to_owned(), |n| n.to_string());
        [b.name.to_owned(), b.rows.to_string(), events, about]
    });
    let json = |b: &Bundled| {
        json!({ "name": b.name, "kind": kind(&b.content), "rows": b.rows, "about": b.about, "licence": b.licence,
        "origin": b.origin, "domain": b.domain, "cluster": b.cluster, "event": b.event, "events": b.events })
    };
    (text, bundled().iter().map(json).collect())
}
