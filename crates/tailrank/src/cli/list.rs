//! `tailrank list`

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
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

use tailrank_report::terminal::{layout_prose, wrap};

use super::{Exit, Result, say, width};

/// List models, learning steps, metrics, studies or bundled data; or print the schema of experiment files.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank list models\n  tailrank list metrics --json | jq '.[].id'\n  \
    tailrank list schema > experiment.schema.json")]
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
    if arguments.json {
        let list = match arguments.what {
            What::Models => models_json(),
            What::Steps => steps_json(),
            What::Metrics => metrics_json(),
            What::Studies => studies_json(),
            What::Data => data_json(),
            What::Schema => Experiment::json_schema(),
        };
        say(&format!("{list:#}"));
        return Ok(Exit::Fine);
    }
    match arguments.what {
        What::Models => models(),
        What::Steps => steps(),
        What::Metrics => metrics(),
        What::Studies => studies(),
        What::Data => data(),
        What::Schema => say(&format!("{:#}", Experiment::json_schema())),
    }
    Ok(Exit::Fine)
}

fn models() {
    for (i, family) in families().iter().enumerate() {
        let first = !families()[..i].iter().any(|f| f.name() == family.name());
        let default = if first { ", default" } else { "" };
        let gap = if i == 0 { "" } else { "\n" };
        let title =
            format!("{gap}{} (engine {}{default}): {}", family.name(), family.engine(), family.summary());
        say(&wrap(&title, width()));
        let rows = parameter_rows(&accepted_parameters(*family));
        say(&layout_prose(&["  parameter", "default", "meaning (accepts)"], &rows, width()));
    }
    let command = "\ncommand: any program; it gets {train} and {test}, with columns by their names, categories as text \
                   and gaps left empty (encoded = true: numbers called x1, x2, …), and writes a column `prediction` to {out}; {info} is \
                   a JSON file with task, seed, parameters and the columns' types. Its parameters are those its arguments name in braces; scripts/sklearn_model.py and scripts/r_model.R show how. It runs in the \
                   folder of the experiment file. It is fitted again when the program (if given with a path) or an \
                   argument that names a file has changed.";
    say(&wrap(command, width()));
}

fn steps() {
    let intro = "For `learn` of a model grid: \"plain\" is the family alone, a name has its defaults, \
                 { resample = \"smote\", k = 5 } sets parameters, a list has several steps. Each is crossed with the grid. \
                 Steps marked φ are fitted again when the relevance changes.";
    say(&wrap(intro, width()));
    for step in STEPS {
        let phi = if step.uses_relevance { " φ" } else { "" };
        say(&wrap(
            &format!("\n{} ({} = {:?}{phi}): {}", step.name, step.key, step.name, step.summary),
            width(),
        ));
        let rows = parameter_rows(step.parameters);
        if !rows.is_empty() {
            say(&layout_prose(&["  parameter", "default", "meaning (accepts)"], &rows, width()));
        }
    }
}

fn steps_json() -> Value {
    let step = |s: &StepSpec| {
        json!({
            "step": s.name,
            "key": s.key,
            "summary": s.summary,
            "uses_relevance": s.uses_relevance,
            "parameters": s.parameters.iter().map(parameter_json).collect::<Vec<_>>(),
        })
    };
    STEPS.iter().map(step).collect()
}

fn parameter_rows(parameters: &[ParamSpec]) -> Vec<Vec<String>> {
    let row = |p: &ParamSpec| {
        vec![format!("  {}", p.name), p.default.to_owned(), format!("{} ({})", p.doc, p.kind)]
    };
    parameters.iter().map(row).collect()
}

fn parameter_json(p: &ParamSpec) -> Value {
    json!({ "name": p.name, "default": p.default, "accepts": p.kind.to_string(), "meaning": p.doc })
}

fn models_json() -> Value {
    let family = |family: &&dyn Family| {
        json!({
            "family": family.name(),
            "engine": family.engine(),
            "summary": family.summary(),
            "parameters": accepted_parameters(*family).iter().map(parameter_json).collect::<Vec<_>>(),
        })
    };
    families().iter().map(family).collect()
}

fn better(better: Better) -> &'static str {
    match better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    }
}

fn metrics_json() -> Value {
    let measure = |m: &MeasureInfo| {
        json!({
            "id": m.id,
            "name": m.name,
            "symbol": m.symbol,
            "better": better(m.better),
            "formula": m.formula,
            "citation": m.citation,
        })
    };
    MEASURES.iter().map(measure).collect()
}

fn studies_json() -> Value {
    let study = |s: &&Study| json!({ "study": s.id, "title": s.title, "paper": s.paper, "size": s.size, "cpu_seconds": s.cpu_seconds() });
    tailrank::studies::studies().iter().map(study).collect()
}

fn kind(content: &BundledContent) -> &'static str {
    match content {
        BundledContent::Series => "series",
        BundledContent::Regression { .. } => "table",
        BundledContent::Classification { .. } => "classes",
    }
}

fn data_json() -> Value {
    let set = |b: &Bundled| json!({ "name": b.name, "kind": kind(&b.content), "rows": b.rows, "about": b.about, "licence": b.licence });
    bundled().iter().map(set).collect()
}

fn metrics() {
    let rows: Vec<Vec<String>> = MEASURES
        .iter()
        .map(|m| {
            vec![
                m.id.to_owned(),
                better(m.better).to_owned(),
                format!("{}: {} [{}]", m.name, m.formula, m.citation),
            ]
        })
        .collect();
    say(&layout_prose(&["id", "better", "what it is [source]"], &rows, width()));
}

fn studies() {
    let rows: Vec<Vec<String>> = tailrank::studies::studies()
        .iter()
        .map(|s| vec![s.id.to_owned(), cpu_time(s), format!("{} [{}; {}]", s.title, s.paper, s.size)])
        .collect();
    say(&layout_prose(&["study", "CPU time", "what [paper; size]"], &rows, width()));
}

/// The measured time, in whole seconds; a dash for a study that was not measured yet.
fn cpu_time(study: &Study) -> String {
    study.cpu_seconds().map_or_else(|| "–".to_owned(), |s| format!("{} s", s.ceil()))
}

fn data() {
    let rows: Vec<Vec<String>> = bundled()
        .iter()
        .map(|b| {
            vec![
                b.name.to_owned(),
                kind(&b.content).to_owned(),
                b.rows.to_string(),
                format!("{} ({})", b.about, b.licence),
            ]
        })
        .collect();
    say(&layout_prose(&["name", "kind", "rows", "what (licence)"], &rows, width()));
}
