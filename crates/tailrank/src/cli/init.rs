//! `tailrank init`

mod ask;
mod draft;
mod look;
mod models;
mod relevance;
mod series;
mod table;

use std::path::{Path, PathBuf};

use clap::Args;
use tailrank_data::{DEFAULT_MAX_BYTES, DateFormat, NumberFormat, profile, symbol_of};
use tailrank_report::terminal::{Screen, Tone};

use self::{
    draft::{folder_of, seen_from},
    look::{Look, Shape},
};
use super::{
    Exit, Failure, Result, Session,
    check::about_tasks,
    note,
    output::{show, write_new},
    place, say, width,
    word::word_of,
};

/// Write a commented experiment for your own data, ready to run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank init prices.csv --out prices.toml\n  \
    tailrank init floods.csv --target level --out floods.toml\n  \
    tailrank init weather.csv --target rain --horizon 1,7 --out rain.toml\n\n\
    A file with dates and prices, or dates and one column of values, is a series; it is predicted from its own past. Any \
    other file is a table, and --target names the column to predict. --target with --horizon predicts one column of a dated \
    file from its past. Rows with dates are split in time order. Every guess is commented, and the experiment passes \
    `tailrank check`. Paths in an experiment are relative to its file.")]
pub(crate) struct InitArguments {
    /// CSV or Parquet, optionally gzipped.
    file: PathBuf,
    /// Column to predict; without --horizon the file is then a table.
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// Steps ahead, for series: days in a daily one.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    horizon: Vec<u32>,
    /// Columns of a table to leave out.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Families to compare, instead of those proposed (`tailrank list models`).
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',')]
    models: Vec<String>,
    /// Name of the experiment and its run; the name of --out by default.
    #[arg(long)]
    name: Option<String>,
    /// How ambiguous dates are written: day-first, month-first, or a pattern such as %d.%m.%Y.
    #[arg(long, value_name = "FORMAT")]
    date_format: Option<String>,
    /// The decimal sign, where it is ambiguous.
    #[arg(long, value_name = "SIGN", value_parser = word_of::<NumberFormat>(SIGNS))]
    decimal: Option<NumberFormat>,
    /// Write to this new file, with the data's path relative to it.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Decimal signs, as an experiment file names them.
pub(super) const SIGNS: &[&str] = &["point", "comma"];

pub(crate) fn init(session: &Session, arguments: &InitArguments) -> Result<Exit> {
    let path = &arguments.file;
    place::expect_table(path, "data")?;
    let refuse = |problem: String| Failure::input(path, problem);
    let numbers = arguments.decimal.unwrap_or_default();
    let date_format = arguments.date_format.as_deref().map_or(DateFormat::Auto, DateFormat::from);
    let known = profile(path, DEFAULT_MAX_BYTES, numbers, &date_format).map_err(|e| refuse(e.to_string()))?;
    if arguments.date_format.is_some() && known.value.date().is_none() {
        let problem = "no column holds dates written as --date-format says; look at the dates, or leave --date-format out";
        return Err(refuse(problem.to_owned()));
    }
    let look = Look {
        path,
        profile: &known.value,
        numbers,
        date_format,
        date_format_text: arguments.date_format.clone(),
        target: arguments.target.as_deref(),
        horizons: &arguments.horizon,
        ignore: &arguments.ignore,
    };
    let mut draft = match (look.shape().map_err(refuse)?, look.target) {
        (Shape::Series(series), _) => series::draft(&look, &series).map_err(refuse)?,
        (Shape::Table, Some(target)) => table::draft(&look, target).map_err(refuse)?,
        (Shape::Table, None) => {
            let Some(target) = ask::for_target(session, &look) else {
                return Err(Failure::Usage(ask::which_target(&look)));
            };
            let look = Look { target: Some(&target), ..look };
            // The answer is held to all that --target is held to.
            look.shape().map_err(refuse)?;
            table::draft(&look, &target).map_err(refuse)?
        }
    };
    draft.models = models::proposed(&arguments.models).map_err(Failure::Usage)?;
    draft.name = arguments.name.clone().unwrap_or_else(|| match &arguments.out {
        Some(out) => {
            out.file_stem().map_or_else(|| name_of(path), |stem| stem.to_string_lossy().into_owned())
        }
        None => name_of(path),
    });
    let (base, file) = match &arguments.out {
        None => (PathBuf::new(), path.clone()),
        Some(out) => {
            let folder = folder_of(out);
            let seen = seen_from(&folder, path);
            let seen = seen.map_err(|e| Failure::input(out, format!("cannot be placed: {e}")))?;
            (if folder == Path::new(".") { PathBuf::new() } else { folder }, seen)
        }
    };
    let checked = draft.checked(&file, &base, &session.library).map_err(refuse)?;
    for remark in draft.remarks.iter().chain(&checked.plan.warnings) {
        note(session, &format!("note: {remark}"));
    }
    match &arguments.out {
        None => say(&checked.text),
        Some(out) => {
            write_new(out, &format!("{}\n", checked.text))?;
            let mut screen = Screen::default();
            let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            screen.headed((Tone::Strong, &format!("{name}:")), &format!(" {}", draft.about), width(), 2);
            about_tasks(&checked.plan, &mut screen)?;
            let next = format!("Wrote {0}. Next: tailrank check {0}", out.display());
            screen.wrapped(Tone::Plain, &next, width(), 0);
            show(&screen);
        }
    }
    Ok(Exit::Fine)
}

/// Two significant digits: what a person would write.
fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    format!("{value:.1e}").parse().unwrap_or(value)
}

/// A number as an experiment file takes it: one without a point is a whole number there, which has but 19 digits.
fn written(value: f64) -> String {
    if value.abs() < 1e16 { value.to_string() } else { format!("{value:?}") }
}

fn spread(values: &[f64]) -> f64 {
    let (least, most) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(*v), m.max(*v)));
    most - least
}

fn name_of(path: &Path) -> String {
    symbol_of(&path.display().to_string())
}
