//! `tailrank list`

use clap::{Args, ValueEnum};
use tailrank_data::{BundledContent, bundled};
use tailrank_engine::config::Experiment;
use tailrank_metrics::{Better, registry::MEASURES};
use tailrank_models::{accepted_parameters, families};

use super::{
    Exit, Result, say,
    table::{Align, layout},
    width,
};

/// List models, metrics or bundled data; or print the schema of experiment files.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// What to list.
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Families with their engines and parameters.
    Models,
    /// Measures with their direction and formula.
    Metrics,
    /// Bundled data sets.
    Data,
    /// The JSON Schema of experiment files, for editors.
    Schema,
}

pub(crate) fn list(arguments: &ListArguments) -> Result<Exit> {
    match arguments.what {
        What::Models => models(),
        What::Metrics => metrics(),
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
        say(&format!("{gap}{} (engine {}{default}): {}", family.name(), family.engine(), family.summary()));
        let rows: Vec<Vec<String>> = accepted_parameters(*family)
            .iter()
            .map(|p| vec![format!("  {}", p.name), p.default.to_owned(), p.kind.to_string(), p.doc.to_owned()])
            .collect();
        let headings = [
            ("  parameter", Align::Left),
            ("default", Align::Left),
            ("accepts", Align::Left),
            ("meaning", Align::Left),
        ];
        say(&layout(&headings, &rows, width().max(100)));
    }
    say("\ncommand: any program; it gets training and test files and returns predictions (see scripts/).");
}

fn metrics() {
    let rows: Vec<Vec<String>> = MEASURES
        .iter()
        .map(|m| {
            let better = match m.better {
                Better::Lower => "lower",
                Better::Higher => "higher",
            };
            vec![m.id.to_owned(), better.to_owned(), m.name.to_owned(), m.formula.to_owned(), m.citation.to_owned()]
        })
        .collect();
    let headings = [
        ("id", Align::Left),
        ("better", Align::Left),
        ("name", Align::Left),
        ("formula", Align::Left),
        ("source", Align::Left),
    ];
    say(&layout(&headings, &rows, width().max(120)));
}

fn data() {
    let rows: Vec<Vec<String>> = bundled()
        .iter()
        .map(|b| {
            let kind = match b.content {
                BundledContent::Series => "series",
                BundledContent::Regression { .. } => "table",
                BundledContent::Classification { .. } => "classes",
            };
            vec![b.name.to_owned(), kind.to_owned(), b.rows.to_string(), b.about.to_owned(), b.licence.to_owned()]
        })
        .collect();
    let headings = [
        ("name", Align::Left),
        ("kind", Align::Left),
        ("rows", Align::Right),
        ("what", Align::Left),
        ("licence", Align::Left),
    ];
    say(&layout(&headings, &rows, width().max(100)));
}
