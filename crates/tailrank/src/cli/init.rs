//! `tailrank init`

mod columns;
mod draft;
mod relevance;

use std::path::{Path, PathBuf};

use clap::Args;
use tailrank_data::{
    DataError, PriceSeries, SeriesOptions, Volume,
    frame::{self, Frame},
    read_series, returns, symbol_of,
};

use self::{
    columns::{Order, Role, role},
    draft::{Draft, folder_of, quoted, seen_from, write_new},
};
use super::{Exit, Failure, Result, Session, count, note, say};

/// Write a commented experiment for your own data, ready to run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank init prices.csv > prices.toml\n  \
    tailrank init data/floods.csv --target level --out studies/floods.toml\n\n\
    The file is looked at: a date and a price make a series whose returns are predicted, anything else a table. Dates are \
    never inputs; rows in the order of their dates are split in that order. Everything guessed is commented, and what is \
    written passes `tailrank check`. Paths in an experiment are relative to its file: with --out they are written so, on \
    standard output they are right for a file in the current folder.")]
pub(crate) struct InitArguments {
    /// CSV or Parquet, optionally gzipped.
    file: PathBuf,
    /// Column to predict; makes the file a table even if it has dates and prices.
    #[arg(long)]
    target: Option<String>,
    /// Write to this file, which must not be there yet, with the data's path as seen from it.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn init(session: &Session, arguments: &InitArguments) -> Result<Exit> {
    let path = &arguments.file;
    // Volumes are inputs only where an experiment asks for them.
    let options = SeriesOptions { volume: Volume::Ignored, ..Default::default() };
    let draft = match &arguments.target {
        Some(target) => table_draft(path, Some(target)).map_err(|e| Failure::input(path, e))?,
        None => match read_series(path, &options) {
            Ok(series) => {
                for warning in &series.warnings {
                    note(session, &format!("warning: {warning}"));
                }
                series_experiment(path, &series.value)
            }
            Err(no_series) => {
                // A file with a date and a price was meant as a series.
                let meant = !matches!(no_series, DataError::NoColumn { .. });
                let draft = table_draft(path, None).map_err(|no_table| match meant {
                    true => Failure::input(path, format!("{no_series}\nnor is it a table: {no_table}")),
                    false => Failure::input(path, no_table),
                })?;
                if meant {
                    note(session, &format!("taken for a table, not for a price series: {no_series}"));
                }
                draft
            }
        },
    };
    let (base, file) = match &arguments.out {
        None => (PathBuf::new(), path.clone()),
        Some(out) => {
            let folder = folder_of(out);
            let seen = seen_from(&folder, path);
            (folder, seen.map_err(|e| Failure::input(out, format!("cannot be placed: {e}")))?)
        }
    };
    let text = draft.checked(&file, &base, &session.library).map_err(|e| Failure::input(path, e))?;
    match &arguments.out {
        None => say(&text),
        Some(out) => {
            write_new(out, &format!("{text}\n"))?;
            note(session, &format!("wrote {0}; look at it with: tailrank check {0}", out.display()));
        }
    }
    Ok(Exit::Fine)
}

fn table_draft(path: &Path, target: Option<&str>) -> std::result::Result<Draft, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))?;
    let table = frame::read(&path.display().to_string(), &bytes).map_err(|e| e.to_string())?;
    table_experiment(path, &table, target)
}

fn series_experiment(path: &Path, series: &PriceSeries) -> Draft {
    let r = returns(series.prices(), 1);
    let (low, high) = relevance::fences(&r);
    let dates = match (series.dates().first(), series.dates().last()) {
        (Some(first), Some(last)) => format!(", {first} to {last}"),
        _ => String::new(),
    };
    let spread = spread(&r);
    // Where most returns are zero the fences are, too.
    let t_l = if low < 0.0 && high > 0.0 { round(high.min(-low) / 4.0) } else { round(spread / 20.0) };
    let trade = if high > 0.0 { high } else { round(spread / 4.0) };
    Draft {
        name: name_of(path),
        about: format!("{} prices{dates}", series.len()),
        kind: "series",
        columns: String::new(),
        split: r#"# Several files make several tasks.

[target]
horizons = [1]      # days ahead; [1, 3, 5] makes three tasks
lags = 24           # how many past returns are inputs

[split]
kind = "fraction"   # or "date" with at = "YYYY-MM-DD", "sliding", "growing", "kfold", "bootstrap"
train = 0.7
# leak = "paper"    # keeps training rows whose label reaches into the test period; off by default"#
            .to_owned(),
        relevances: relevance::for_returns(&r),
        rest: format!(
            r#"[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]     # tailrank list metrics
t_l = {t_l}         # the largest error that still counts as good
beta = 0.5          # F: twice the weight on precision

[compare]
pairs = [["mad", "f"]]

[trading]
threshold = {trade}  # long above, short below minus this

{MODELS}"#
        ),
    }
}

fn table_experiment(path: &Path, table: &Frame, target: Option<&str>) -> std::result::Result<Draft, String> {
    let roles: Vec<(&str, Role)> = table.columns().iter().map(|(n, c)| (n.as_str(), role(n, c))).collect();
    let (target, y) = target_of(&roles, target)?;
    let date = date_of(&roles)?;
    let left_out = |role: &Role| match role {
        Role::Dates(_) => Some("dates"),
        Role::Empty => Some("no values"),
        Role::Identifier => Some("names rows"),
        Role::Numbers(_) | Role::Words => None,
    };
    let others = || roles.iter().filter(|(name, _)| *name != target);
    let ignored: Vec<(&str, &str)> = others()
        .filter(|(name, _)| Some(*name) != date)
        .filter_map(|(name, role)| Some((*name, left_out(role)?)))
        .collect();
    if others().all(|(_, role)| left_out(role).is_some()) {
        return Err(format!(
            "beside '{target}', the column to predict, no column is left to predict it from; dates, names and empty columns \
             are no inputs, so add some, or give a series of prices with one price above 0 a day"
        ));
    }
    let mut columns = format!(", target = {}", quoted(target));
    let mut split = String::new();
    if let Some(date) = date {
        columns.push_str(&format!(", date = {}", quoted(date)));
    }
    let names: Vec<String> = ignored.iter().map(|(name, _)| quoted(name)).collect();
    columns.push_str(&format!(", ignore = [{}]", names.join(", ")));
    if ignored.is_empty() {
        split.push_str("# ignore: columns to leave out, such as identifiers.\n");
    }
    for (name, why) in &ignored {
        split.push_str(&format!("# {} is ignored: {why}.\n", quoted(name)));
    }
    split.push_str(&match date {
        Some(date) => format!(
            r#"
[split]
kind = "fraction"   # rows are in the order of {}: the past trains, what came later tests
train = 0.7"#,
            quoted(date)
        ),
        None => format!(
            r#"
[split]
kind = "kfold"      # or "fraction" with train = 0.7 where rows are in order of time, "bootstrap"
folds = {}
stratify = "relevance""#,
            if table.height() < 100 { 5 } else { 10 }
        ),
    });
    Ok(Draft {
        name: name_of(path),
        about: format!("{}, {}", count(table.height(), "row"), count(table.width(), "column")),
        kind: "tables",
        columns,
        split,
        relevances: relevance::for_values(y),
        rest: format!(
            r#"[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]     # tailrank list metrics
t_l = {t_l}         # the largest error that still counts as good, in units of {target}
beta = 1.0

[compare]
pairs = [["mad", "f"], ["rmse", "sera"]]

{MODELS}"#,
            t_l = round(spread(y) / 20.0),
            target = quoted(target),
        ),
    })
}

/// The column to predict, the last one with numbers if none is named, with its values.
fn target_of<'a>(
    roles: &'a [(&str, Role)],
    wanted: Option<&str>,
) -> std::result::Result<(&'a str, &'a [f64]), String> {
    const FEWEST: usize = 20;
    let numeric: Vec<(&str, &Vec<f64>)> = roles
        .iter()
        .filter_map(|(name, role)| if let Role::Numbers(v) = role { Some((*name, v)) } else { None })
        .collect();
    let (target, y) = match wanted {
        Some(wanted) => *numeric.iter().find(|(n, _)| *n == wanted).ok_or_else(|| {
            let names: Vec<&str> = numeric.iter().map(|(n, _)| *n).collect();
            format!("no numeric column is called '{wanted}'; numeric are {}", names.join(", "))
        })?,
        None => *numeric
            .last()
            .ok_or("it has no numeric column to predict; numbers are written with a point, such as 2.5")?,
    };
    if roles.iter().all(|(name, _)| name.trim().parse::<f64>().is_ok()) {
        return Err("its first line holds numbers, not names; add a line with the columns' names".to_owned());
    }
    if y.len() < FEWEST {
        return Err(format!(
            "it has {}; at least {FEWEST} are needed to train, to test and to tell what is extreme",
            count(y.len(), "row")
        ));
    }
    if let Some(first) = y.iter().position(|v| v.is_nan()) {
        let missing = y.iter().filter(|v| v.is_nan()).count();
        return Err(format!(
            "column '{target}', the one to predict, has no value in {} (first in row {}): drop them, since a row without a \
             target can neither teach nor test, or name another column with --target",
            count(missing, "row"),
            first + 1
        ));
    }
    if y.iter().all(|v| *v == y[0]) {
        return Err(format!(
            "column '{target}' is {} in every row: there is nothing to predict; name another column with --target",
            y[0]
        ));
    }
    Ok((target, y))
}

/// The column that tells the order of the rows, if any.
fn date_of<'a>(roles: &[(&'a str, Role)]) -> std::result::Result<Option<&'a str>, String> {
    let dates: Vec<(&str, Order)> = roles
        .iter()
        .filter_map(|(name, role)| if let Role::Dates(order) = role { Some((*name, *order)) } else { None })
        .collect();
    if let Some((name, _)) = dates.iter().find(|(_, order)| *order == Order::OldestFirst) {
        return Ok(Some(name));
    }
    match dates.first() {
        // A random split of such rows would learn from the future.
        Some((name, _)) => Err(format!(
            "its rows are not in the order of '{name}': sort them by it, oldest first, or take the column out if it does not \
             tell when a row was seen"
        )),
        None => Ok(None),
    }
}

fn spread(values: &[f64]) -> f64 {
    let (least, most) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(*v), m.max(*v)));
    most - least
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
# learn = ["plain", "weights", { resample = "smote", k = 5 }, { stretch = "f" }]   # tailrank list steps

[[models]]
family = "svm"
grid = { cost = [1, 10, 100], gamma = [0.01, 0.001] }

[[models]]
family = "nnet"
grid = { size = [5, 10], decay = [0.01, 0.1], standardise = true }

[limits]
# cell_seconds = 600
memory_mb = 4096"#;

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
