//! `tailrank init`

mod ask;
mod draft;
mod look;
mod models;
mod moves;
mod question;
mod relevance;
mod series;
mod table;

use tailrank_data::{DateFormat, NumberFormat, OpenFile, Profile, Transform, symbol_of};

use self::{
    draft::{Checked, Draft, seen_from},
    look::Look,
    question::{Refusal, command},
};
use super::{check::event_of_plan, prelude::*};

/// Write a commented experiment for your own data, ready to run.
#[derive(Clone, Debug, Args)]
#[command(after_help = include_str!("help/init.txt"))]
pub(crate) struct InitArguments {
    /// CSV or Parquet, optionally gzipped.
    file: PathBuf,
    /// Column to predict; without --horizon the file is then a table.
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// Steps ahead, for series: days in a daily one.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    horizon: Vec<u32>,
    /// What to predict of a series.
    #[arg(long, value_parser = enum_value_parser::<Transform>(KINDS))]
    kind: Option<Transform>,
    /// What to make of several series one below the other: a task for each, or one task for all.
    #[arg(long, value_enum)]
    panel: Option<Panel>,
    /// Rows are in the order of time, though no column holds dates.
    #[arg(long, value_enum)]
    order: Option<Order>,
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
    #[arg(long, value_name = "SIGN", value_parser = enum_value_parser::<NumberFormat>(SIGNS))]
    decimal: Option<NumberFormat>,
    /// Write to this new file, with the data's path relative to it.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is predicted of a series, as an experiment file names it.
const KINDS: &[&str] = &["return", "log-return", "difference", "level"];

/// What becomes of a file with several series one below the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Panel {
    /// A task for each series, predicted from its own past.
    Each,
    /// One task for all, predicted from the other columns of each row.
    Together,
}

/// What tells the order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// They are in the order of time.
    Rows,
}

/// Decimal signs, as an experiment file names them.
pub(super) const SIGNS: &[&str] = &["point", "comma"];

pub(crate) fn init(session: &Session, arguments: &InitArguments) -> Result<Exit> {
    let path = &arguments.file;
    path_kind::expect_table(path, "data")?;
    let mut arguments = arguments.clone();
    let file = OpenFile::keeping(path, None).map_err(|e| Failure::input(path, e))?;
    let mut known = looked_at(&arguments, &file)?;
    let (draft, checked) = loop {
        let look = Look::new(&arguments, &known, &file);
        match attempt(session, &look) {
            Ok(ready) => break ready,
            Err(Refusal::Failed(failure)) => return Err(failure),
            Err(Refusal::Wrong(problem)) => return Err(Failure::input(path, problem)),
            Err(Refusal::Ask(question)) => match question.put(session, &path.display().to_string()) {
                Some(answer) => answer(&mut arguments),
                None => {
                    let text = format!("{}: {}; say which:", path.display(), question.text);
                    return usage(text + &commands(session, &look)?);
                }
            },
            Err(Refusal::Target) => {
                let Some(target) = ask::for_target(session, &look) else {
                    return usage(ask::which_target(&look, &commands(session, &look)?));
                };
                arguments.target = Some(target);
            }
        }
        if arguments.date_format.is_some() {
            known = looked_at(&arguments, &file)?;
        }
    };
    let mut screen = understood(path, &draft, &checked);
    for remark in draft.remarks.iter().chain(&checked.plan.warnings) {
        session.print_note(&format!("note: {remark}"));
    }
    match &arguments.out {
        None => {
            if !session.quiet {
                print_status(screen.text(false).trim_end());
            }
            print(&checked.plan.text);
        }
        Some(out) => {
            write_new(out, &format!("{}\n", checked.plan.text))?;
            let next = format!("Wrote {0}. Next: tailrank check {0}", out.display());
            screen.wrapped(Tone::Plain, &next, width(), 0);
            print_screen(&screen);
        }
    }
    Ok(Exit::Fine)
}

/// What the columns of the file hold.
fn looked_at(arguments: &InitArguments, file: &OpenFile) -> Result<Profile> {
    let format = arguments.date_format.as_deref().map_or(DateFormat::Auto, DateFormat::from);
    let numbers = arguments.decimal.unwrap_or_default();
    let known = file.profile(numbers, &format).map_err(|e| Failure::input(&arguments.file, e))?.value;
    if arguments.date_format.is_some() && known.date().is_none() {
        let problem = "no column holds dates written as --date-format says; look at the dates, or leave --date-format out";
        return Err(Failure::input(&arguments.file, problem));
    }
    Ok(known)
}

/// The experiment that the arguments make of the file, or why there is none.
fn attempt(session: &Session, look: &Look<'_>) -> Result<(Draft, Checked), Refusal> {
    let InitArguments { file: path, out, target, models, name, .. } = look.arguments;
    let mut draft = match (look.series()?, target) {
        (Some(series), _) => series::draft(look, &series)?,
        (None, Some(target)) => table::draft(look, target)?,
        (None, None) => return Err(Refusal::Target),
    };
    draft.models = models::proposed(models).map_err(Failure::Usage)?;
    let stem = out.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    draft.name = name.clone().or(stem).unwrap_or_else(|| name_of(path));
    let base = out.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let file = match out {
        None => path.clone(),
        Some(out) => {
            seen_from(base, path).map_err(|e| Failure::input(out, format!("cannot be placed: {e}")))?
        }
    };
    let library = session.library.clone().with_open(base.join(&file), look.file.clone());
    let checked = draft.checked(&file, base, &library)?;
    Ok((draft, checked))
}

/// The commands that say what the arguments leave open, each tried.
fn commands(session: &Session, look: &Look<'_>) -> Result<String> {
    let mut found = Vec::new();
    settle(session, look, 3, &mut found)?;
    if found.is_empty() {
        return Ok("\n  (no column here makes an experiment: more rows may be needed)".to_owned());
    }
    Ok(found.iter().map(|settled| format!("\n  {}", command(settled))).collect())
}

/// Completes the arguments by every answer, as deep as questions lead to questions; what makes no experiment is left out.
fn settle(session: &Session, look: &Look<'_>, depth: usize, found: &mut Vec<InitArguments>) -> Result<()> {
    /// Columns that are tried where none was named.
    const TRIED: usize = 3;
    if depth == 0 {
        return Ok(());
    }
    let Look { arguments, profile, file, .. } = *look;
    let Ok(anew) = arguments.date_format.is_some().then(|| looked_at(arguments, file)).transpose() else {
        return Ok(());
    };
    let profile = anew.as_ref().unwrap_or(profile);
    let look = Look::new(arguments, profile, file);
    let go_on = |with: &InitArguments, found: &mut Vec<InitArguments>| {
        settle(session, &Look::new(with, profile, file), depth - 1, found)
    };
    match attempt(session, &look) {
        Ok(_) => found.push(arguments.clone()),
        Err(Refusal::Wrong(_)) => {}
        Err(Refusal::Failed(failure)) => return Err(failure),
        Err(Refusal::Ask(question)) => {
            for (_, answer) in &question.readings {
                let mut with = arguments.clone();
                answer(&mut with);
                go_on(&with, found)?;
            }
        }
        Err(Refusal::Target) => {
            for column in ask::candidates(&look).into_iter().take(TRIED) {
                let before = found.len();
                let mut with = InitArguments { target: Some(column.name.clone()), ..arguments.clone() };
                go_on(&with, found)?;
                if look.time.is_some() && with.panel.is_none() {
                    with.horizon = vec![1];
                    go_on(&with, found)?;
                }
                if found.len() > before {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// What was made of the file, in four lines.
fn understood(path: &Path, draft: &Draft, checked: &Checked) -> Screen {
    let mut screen = Screen::default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    screen.headed((Tone::Strong, &format!("{name}:")), &format!(" {}", draft.about), width(), 2);
    let event = event_of_plan(&checked.plan).unwrap_or_else(|| "each task has its own".to_owned());
    let events = format!("{event} ({})", checked.source);
    for (subject, text) in [("Predict", &draft.predicts), ("Event", &events), ("Split", &draft.divides)] {
        screen.headed((Tone::Dim, &format!("{subject:<9}")), text, width(), 9);
    }
    screen
}

/// `comma` or `point`, where the user said so: the file does not tell.
fn decimal(numbers: Option<NumberFormat>) -> Option<&'static str> {
    numbers.map(|numbers| if numbers == NumberFormat::Comma { "comma" } else { "point" })
}

/// Two significant digits: what a person would write.
fn round(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

/// A number as an experiment file takes it: one without a point is a whole number there, which has but 19 digits.
fn written(value: f64) -> String {
    if value.abs() < 1e16 { value.to_string() } else { format!("{value:?}") }
}

fn spread(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn name_of(path: &Path) -> String {
    symbol_of(&path.display().to_string())
}
