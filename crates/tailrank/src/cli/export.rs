//! `tailrank export`

use clap::ValueEnum;
use tailrank::studies::arena_plan;
use tailrank_data::frame;
use tailrank_report::{PageInput, export, figures::Paper, pdf::PdfWriter};
use tailrank_score::score;

use super::prelude::*;

/// Write predictions or scores of a run as a tidy table, one row per observation, for pandas, R and others; its figures for a paper;
/// or bundled data.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/export.txt"))]
pub(crate) struct ExportArguments {
    /// What to write.
    what: What,
    /// Folder of the run, such as runs/quick; the name of the data set for data; nothing for arena-splits.
    run: Option<PathBuf>,
    /// File to write; its ending, .csv or .parquet, tells the format. CSV to standard output by default. For figures, the folder.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// In CSV, put an apostrophe before text that a spreadsheet would run as a formula: =, +, - or @ first. Numbers stay as
    /// they are.
    #[arg(long)]
    spreadsheet: bool,
    /// For figures: the width on the printed page in mm, cm, in or pt.
    #[arg(long, value_name = "WIDTH", default_value = "84mm", value_parser = millimetres)]
    width: f64,
    /// For figures: the kinds of files. PDF holds its font; SVG takes the reader's.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', default_value = "svg")]
    format: Vec<FigureFormat>,
    /// For figures: leave the title out, which the paper's caption replaces.
    #[arg(long)]
    no_title: bool,
    /// For figures: those whose name holds one of these, such as rank-flow.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
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
    /// Which rows of the arena's tasks train, choose and test.
    ArenaSplits,
    /// The figures of a run, for a paper.
    Figures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FigureFormat {
    /// Scalable pictures for the web, Word and Inkscape.
    Svg,
    /// For LaTeX.
    Pdf,
}

impl ExportArguments {
    /// The folder or data set that `what` needs.
    fn run(&self) -> Result<&Path> {
        let missing = match self.what {
            What::Data => "the name of a data set, such as tailrank export data BA",
            What::Figures => "the folder of a run, such as tailrank export figures runs/quick --out figures",
            _ => "the folder of a run, such as tailrank export scores runs/quick",
        };
        self.run.as_deref().ok_or_else(|| Failure::Usage(format!("give {missing}")))
    }
}

pub(crate) fn export(session: &Session, arguments: &ExportArguments) -> Result<Exit> {
    match arguments.what {
        What::Data => return data(session, arguments),
        What::Figures => return figures(session, arguments),
        What::Predictions | What::Scores | What::ArenaSplits => {}
    }
    if arguments.no_title || !arguments.only.is_empty() || arguments.format != [FigureFormat::Svg] {
        return usage(
            "--no-title, --only and --format are for figures: tailrank export figures RUN --out FOLDER",
        );
    }
    let ends_in = |ending: &str| arguments.out.as_ref().is_none_or(|path| has_ending(path, ending));
    let parquet = arguments.out.is_some() && ends_in("parquet");
    if !parquet && !ends_in("csv") {
        return usage("--out: the file ends in .csv or .parquet");
    }
    if parquet && arguments.spreadsheet {
        return usage("--spreadsheet is for CSV; spreadsheets do not open Parquet");
    }
    let table = match arguments.what {
        What::ArenaSplits => export::splits(&arena_plan(&session.library)?)?,
        _ => of_run(session, arguments)?,
    };
    let bytes = match parquet {
        true => frame::to_parquet(&table, &[]).map_err(|e| Failure::Other(e.to_string()))?,
        false => csv(&table, arguments.spreadsheet)?,
    };
    match &arguments.out {
        Some(path) => {
            std::fs::write(path, bytes).map_err(|e| cannot_write(path, &e))?;
            session.print_note(&format!("{} written to {}", count(table.height(), "row"), path.display()));
        }
        None => print_exactly(String::from_utf8_lossy(&bytes).trim_end()),
    }
    Ok(Exit::Fine)
}

/// Predictions or scores of a run.
fn of_run(session: &Session, arguments: &ExportArguments) -> Result<frame::Frame> {
    let run = arguments.run()?;
    let (store, plan, _) = open_run(session, run, arguments.base.as_deref())?;
    let table = match arguments.what {
        What::Predictions => export::predictions(&plan, &store)?,
        _ => export::scores(&score::results(&plan, &store)?)?,
    };
    check_cells(session, &plan, &store, "table")?;
    if table.height() == 0 {
        return Err(Failure::Other(format!("{} holds no predictions: every fit failed", run.display())));
    }
    Ok(table)
}

/// The figures of a run in a folder; files of these names are replaced, others left alone.
fn figures(session: &Session, arguments: &ExportArguments) -> Result<Exit> {
    let run = arguments.run()?;
    let Some(folder) = &arguments.out else {
        return usage("figures need a folder: add --out FOLDER");
    };
    if arguments.spreadsheet {
        return usage("--spreadsheet is for CSV; figures are SVG or PDF");
    }
    let (store, plan, _) = open_run(session, run, arguments.base.as_deref())?;
    let results = score::results(&plan, &store)?;
    check_cells(session, &plan, &store, "figures")?;
    let paper = Paper { width: arguments.width, title: !arguments.no_title };
    let found = export::figures(PageInput::of_run(&plan, &results, &store), paper)?;
    let is_of = |name: &str, only: &String| name.contains(only.as_str());
    let is_wanted = |(name, _): &&(String, String)| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| is_of(name, only))
    };
    let names: Vec<&str> =
        found.drawn.iter().chain(&found.too_narrow).map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = arguments.only.iter().find(|only| !names.iter().any(|name| is_of(name, only))) {
        let all = names.join(", ");
        return usage(format!("--only: no figure is called '{unknown}'; the figures are {all}"));
    }
    let left_out = |(name, why): &(String, String)| format!("{name} left out: {why}");
    let too_narrow: Vec<String> = found.too_narrow.iter().filter(is_wanted).map(left_out).collect();
    let drawn: Vec<_> = found.drawn.iter().filter(is_wanted).collect();
    if drawn.is_empty() {
        return Err(Failure::Other(format!("nothing to write: {}", too_narrow.join("; "))));
    }
    session.print_warnings(&too_narrow);
    std::fs::create_dir_all(folder).map_err(|e| cannot_write(folder, &e))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|e| cannot_write(&path, &e))
    };
    let pdf = arguments.format.contains(&FigureFormat::Pdf).then(PdfWriter::default);
    for (name, svg) in &drawn {
        if arguments.format.contains(&FigureFormat::Svg) {
            write(&format!("{name}.svg"), svg.as_bytes())?;
        }
        if let Some(writer) = &pdf {
            let figure = writer.write(name, svg)?;
            write(&format!("{name}.pdf"), &figure.bytes)?;
            if !figure.missing.is_empty() {
                let missing = &figure.missing;
                session.print_warnings(&[format!(
                    "{name}.pdf shows boxes for {missing}, which its font Arimo lacks; \
                     --format svg holds these letters"
                )]);
            }
        }
    }
    session.print_note(&format!("{} written to {}", count(drawn.len(), "figure"), folder.display()));
    Ok(Exit::Fine)
}

/// A length with its unit, in millimetres: `84mm`, `3.3in`.
fn millimetres(text: &str) -> std::result::Result<f64, String> {
    let units = [("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("pt", 25.4 / 72.0)];
    let found =
        units.iter().find_map(|(unit, mm)| Some(text.strip_suffix(unit)?.trim().parse::<f64>().ok()? * mm));
    match found {
        Some(mm) if (50.0..=1000.0).contains(&mm) => Ok(mm),
        Some(_) => Err("a figure is 50mm to 1000mm wide".to_owned()),
        None => Err("give a length with its unit, such as 84mm, 17.4cm, 3.3in or 240pt".to_owned()),
    }
}

/// A bundled data set as the CSV file it is; a file of the user's own with that name is left alone.
fn data(session: &Session, arguments: &ExportArguments) -> Result<Exit> {
    let found = session.library.bundled(&arguments.run()?.to_string_lossy());
    let set = found.map_err(|e| Failure::Usage(e.to_string()))?;
    let text = set.csv().map_err(|e| Failure::Other(e.to_string()))?;
    let Some(path) = &arguments.out else {
        print_exactly(text.trim_end());
        return Ok(Exit::Fine);
    };
    if !has_ending(path, "csv") {
        return usage("--out: data is written as CSV, to a file that ends in .csv");
    }
    write_new(path, &text)?;
    session.print_note(&format!("{} written to {}: {}", count(set.rows, "row"), path.display(), set.about));
    Ok(Exit::Fine)
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}
