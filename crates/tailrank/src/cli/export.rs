//! `tailrank export`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tailrank_data::frame::{self, Frame};
use tailrank_report::export;
use tailrank_runner::run::missing_cells;
use tailrank_score::score;

use super::{
    Exit, Failure, Result, Session, count,
    fitted::check_cells,
    note,
    output::{say_exactly, write_new},
    report::open,
};

/// Write predictions or scores of a run as a tidy table, one row per observation, for pandas, R and others; or bundled data.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank export predictions runs/quick > predictions.csv\n  \
    tailrank export scores runs/quick --out scores.parquet\n  \
    tailrank export scores runs/quick --spreadsheet --out scores.csv\n  tailrank export data BA --out prices.csv\n\n\
    predictions: one row per task, fold, row and model; `tailrank score` reads it as it is. scores: one row per task, model and \
    measure, with the ends of its interval, its rank, and why a score is undefined. data: a data set \
    exactly as bundled (`tailrank list data`).")]
pub(crate) struct ExportArguments {
    /// What to write.
    what: What,
    /// Folder of the run, such as runs/quick; the name of the data set for data.
    run: PathBuf,
    /// File to write; its ending, .csv or .parquet, tells the format. CSV to standard output by default.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// In CSV, put an apostrophe before text that a spreadsheet would run as a formula: =, +, - or @ first. Numbers stay as
    /// they are.
    #[arg(long)]
    spreadsheet: bool,
    /// Folder that the experiment's data files are relative to, if they were moved since.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Every prediction for every test case.
    Predictions,
    /// Every score of every model by every measure.
    Scores,
    /// A bundled data set, as CSV.
    Data,
}

pub(crate) fn export(session: &Session, arguments: &ExportArguments) -> Result<Exit> {
    if let What::Data = arguments.what {
        return data(session, arguments);
    }
    let parquet = match arguments.out.as_ref().and_then(|path| path.extension()) {
        Some(ending) if ending.eq_ignore_ascii_case("parquet") => true,
        Some(ending) if ending.eq_ignore_ascii_case("csv") => false,
        None if arguments.out.is_none() => false,
        _ => return Err(Failure::Usage("--out: the file ends in .csv or .parquet".to_owned())),
    };
    if parquet && arguments.spreadsheet {
        return Err(Failure::Usage("--spreadsheet is for CSV; spreadsheets do not open Parquet".to_owned()));
    }
    let (store, plan, _) = open(session, &arguments.run, arguments.base.as_deref())?;
    let table = match arguments.what {
        What::Predictions => export::predictions(&plan, &store)?,
        _ => export::scores(&score::results(&plan, &store)?)?,
    };
    // Counted after reading, which sets damaged cells aside.
    check_cells(session, missing_cells(&plan, &store)?, plan.cells.len(), "table")?;
    if table.height() == 0 {
        let text = format!("{} holds no predictions: every fit failed", arguments.run.display());
        return Err(Failure::Other(text));
    }
    let bytes = match parquet {
        true => frame::to_parquet(&table, &[]).map_err(|e| Failure::Other(e.to_string()))?,
        false => csv(&table, arguments.spreadsheet)?,
    };
    match &arguments.out {
        Some(path) => {
            std::fs::write(path, bytes)
                .map_err(|e| Failure::Other(format!("cannot write {}: {e}", path.display())))?;
            note(session, &format!("{} written to {}", count(table.height(), "row"), path.display()));
        }
        None => say_exactly(String::from_utf8_lossy(&bytes).trim_end()),
    }
    Ok(Exit::Fine)
}

/// A bundled data set as the CSV file it is; a file of the user's own with that name is left alone.
fn data(session: &Session, arguments: &ExportArguments) -> Result<Exit> {
    let found = session.library.bundled(&arguments.run.to_string_lossy());
    let set = found.map_err(|e| Failure::Usage(e.to_string()))?;
    let text = set.csv().map_err(|e| Failure::Other(e.to_string()))?;
    let Some(path) = &arguments.out else {
        say_exactly(text.trim_end());
        return Ok(Exit::Fine);
    };
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
        return Err(Failure::Usage("--out: data is written as CSV, to a file that ends in .csv".to_owned()));
    }
    write_new(path, &text)?;
    note(session, &format!("{} written to {}: {}", count(set.rows, "row"), path.display(), set.about));
    Ok(Exit::Fine)
}

/// A table as CSV, for programs or for a spreadsheet.
pub(crate) fn csv(table: &Frame, spreadsheet: bool) -> Result<Vec<u8>> {
    let written = if spreadsheet { frame::to_spreadsheet_csv(table) } else { frame::to_csv(table) };
    written.map_err(|e| Failure::Other(e.to_string()))
}
