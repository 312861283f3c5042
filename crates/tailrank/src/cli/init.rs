//! `tailrank init`

use std::path::{Path, PathBuf};

use clap::Args;
use tailrank_data::{
    DataError, PriceSeries, SeriesOptions, Volume,
    frame::{self, Column, Frame},
    read_series, returns, symbol_of,
};
use tailrank_metrics::relevance::{BoxPlot, BoxStats};

use super::{Exit, Failure, Result, Session, note, say};

/// Write a commented experiment for your own data, ready to run.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tailrank init prices.csv > prices.toml     a price series: predicts its returns\n  \
    tailrank init floods.csv --target level > floods.toml\n\n\
    The file is looked at: a date and a price make a series, anything else a table. Everything guessed is commented."
)]
pub(crate) struct InitArguments {
    /// CSV or Parquet, optionally gzipped.
    file: PathBuf,
    /// Column to predict; makes the file a table even if it has dates and prices.
    #[arg(long)]
    target: Option<String>,
}

pub(crate) fn init(session: &Session, arguments: &InitArguments) -> Result<Exit> {
    let path = &arguments.file;
    // Volumes are inputs only where an experiment asks for them.
    let options = SeriesOptions { volume: Volume::Ignored, ..Default::default() };
    let text = match &arguments.target {
        Some(target) => table_text(path, Some(target)).map_err(|e| Failure::input(path, e))?,
        None => match read_series(path, &options) {
            Ok(series) => {
                for warning in &series.warnings {
                    note(session, &format!("warning: {warning}"));
                }
                series_experiment(path, &series.value)
            }
            Err(no_series) => {
                let text = table_text(path, None).map_err(|no_table| {
                    Failure::input(path, format!("{no_series}\nnor is it a table: {no_table}"))
                })?;
                // A file with a date and a price was meant as a series.
                if !matches!(no_series, DataError::NoColumn { .. }) {
                    note(session, &format!("taken for a table, not for a price series: {no_series}"));
                }
                text
            }
        },
    };
    say(&text);
    Ok(Exit::Fine)
}

fn table_text(path: &Path, target: Option<&str>) -> std::result::Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))?;
    let table = frame::read(&path.display().to_string(), &bytes).map_err(|e| e.to_string())?;
    table_experiment(path, &table, target)
}

fn series_experiment(path: &Path, series: &PriceSeries) -> String {
    let r = returns(series.prices(), 1);
    let (low, high) = centres(&r);
    let (first, last) = (series.dates().first(), series.dates().last());
    let dates = match (first, last) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    let name = name_of(path);
    format!(
        r##"# An experiment for {file}: {n} prices, {dates}.
# Look at it with `tailrank check`, then run it with `tailrank run`. Paths are relative to this file.
name = {name}
seed = 1

[data]
series = [{{ name = {name}, file = {file} }}]     # several files make several tasks

[target]
horizons = [1]      # days ahead; [1, 3, 5] makes three tasks
lags = 24           # how many past returns are inputs

[split]
kind = "fraction"   # or "date" with at = "YYYY-MM-DD", "sliding", "growing", "kfold", "bootstrap"
train = 0.7
# leak = "paper"    # keeps training rows whose label reaches into the test period; off by default

[relevance]         # which returns matter
kind = "sigmoid"
low = {low}        # falls below this matter (lower fence of the daily returns' box plot)
high = {high}         # rises above this matter
event_threshold = 0.5

[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]     # tailrank list metrics
t_l = {t_l}         # the largest error that still counts as good
beta = 0.5          # F: twice the weight on precision

[compare]
pairs = [["mad", "f"]]

[trading]
threshold = {high}  # long above, short below minus this

{models}"##,
        file = quoted(&path.display().to_string()),
        n = series.len(),
        name = quoted(&name),
        t_l = round(high.abs().min(low.abs()) / 4.0),
        models = MODELS,
    )
}

fn table_experiment(path: &Path, table: &Frame, target: Option<&str>) -> std::result::Result<String, String> {
    let numeric: Vec<(&str, Vec<f64>)> =
        table.columns().iter().filter_map(|(n, c)| Some((n.as_str(), numbers(c)?))).collect();
    let (target, values) = match target {
        Some(wanted) => numeric.iter().find(|(n, _)| *n == wanted).ok_or_else(|| {
            let names: Vec<&str> = numeric.iter().map(|(n, _)| *n).collect();
            format!("no numeric column is called '{wanted}'; numeric are {}", names.join(", "))
        })?,
        None => numeric.last().ok_or("it has no numeric column to predict")?,
    };
    let y: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    if y.is_empty() {
        return Err(format!("column '{target}' has no number in it"));
    }
    let spread =
        y.iter().fold(f64::NEG_INFINITY, |m, v| m.max(*v)) - y.iter().fold(f64::INFINITY, |m, v| m.min(*v));
    Ok(format!(
        r##"# An experiment for {file}: {rows} rows, {cols} columns.
# Look at it with `tailrank check`, then run it with `tailrank run`. Paths are relative to this file.
name = {name}
seed = 1

[data]
tables = [{{ name = {name}, file = {file}, target = {target}, ignore = [] }}]     # ignore: columns to leave out

[split]
kind = "kfold"      # or "fraction" with train = 0.7, "bootstrap"
folds = 10
stratify = "relevance"

{relevance}

[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]     # tailrank list metrics
t_l = {t_l}         # the largest error that still counts as good, in units of {plain_target}
beta = 1.0

[compare]
pairs = [["mad", "f"], ["rmse", "sera"]]

{models}"##,
        file = quoted(&path.display().to_string()),
        rows = table.height(),
        cols = table.width(),
        name = quoted(&name_of(path)),
        target = quoted(target),
        plain_target = target.replace(['\n', '\r'], " "),
        t_l = round(spread / 20.0),
        relevance = table_relevance(&y),
        models = MODELS,
    ))
}

/// The `[relevance]` section for a table: by box plot where it finds extremes, else by the outermost twentieths.
fn table_relevance(y: &[f64]) -> String {
    // Folds see a part of the rows: with fewer outliers than this one of them may see none.
    const ENOUGH: usize = 10;
    let (low, high) = centres(y);
    let below = y.iter().filter(|v| **v < low).count();
    let above = y.iter().filter(|v| **v > high).count();
    let extremes = match (below >= ENOUGH, above >= ENOUGH) {
        (true, true) => "both",
        (true, false) => "low",
        (false, true) => "high",
        (false, false) => {
            let mut sorted = y.to_vec();
            sorted.sort_by(f64::total_cmp);
            let at = |share: f64| round(sorted[((sorted.len() - 1) as f64 * share) as usize]);
            return format!(
                r#"[relevance]         # which values of the target matter
kind = "sigmoid"    # the box plot finds too few extremes, so these are the outermost 5 % on each side
low = {low}         # values below this matter; remove the line if they do not
high = {high}       # values above this matter
event_threshold = 0.5"#,
                low = at(0.05),
                high = at(0.95),
            );
        }
    };
    format!(
        r#"[relevance]         # which values of the target matter
kind = "pchip"      # from the box plot of each fold's training rows: {below} values lie below it, {above} above
extremes = "{extremes}"   # "low", "high" or "both"
event_threshold = 0.8
# kind = "sigmoid"  # or by hand: values above this matter
# high = {high}"#
    )
}

const MODELS: &str = r#"# Families and their parameters: tailrank list models. Lists expand to all combinations.
[[models]]
family = "linear"

[[models]]
family = "mars"
grid = { penalty = [1, 2, 4], threshold = [0.01, 0.001] }

[[models]]
family = "forest"
grid = { trees = [100, 300] }

[[models]]
family = "svm"
grid = { cost = [1, 10, 100], gamma = [0.01, 0.001] }

[[models]]
family = "nnet"
grid = { size = [5, 10], decay = [0.01, 0.1], standardise = true }

[limits]
# cell_seconds = 600
memory_mb = 4096"#;

/// The numbers of a column; NaN is missing. A text column counts when every cell is a number or empty.
fn numbers(column: &Column) -> Option<Vec<f64>> {
    match column {
        Column::Real(v) => Some(v.clone()),
        Column::Int(v) => Some(v.iter().map(|x| *x as f64).collect()),
        Column::Text(v) => {
            let number = |cell: &String| match cell.trim() {
                "" => Some(f64::NAN),
                cell => cell.parse().ok(),
            };
            v.iter().map(number).collect()
        }
    }
}

/// The fences of the box plot: where values begin to be extreme.
fn centres(values: &[f64]) -> (f64, f64) {
    match BoxStats::new(values, 1.5, BoxPlot::Plain) {
        Ok(stats) => (round(stats.lower_fence), round(stats.upper_fence)),
        Err(_) => (-1.0, 1.0),
    }
}

/// Two significant digits: what a person would write.
fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    format!("{value:.1e}").parse().unwrap_or(value)
}

fn name_of(path: &Path) -> String {
    symbol_of(&path.display().to_string())
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
