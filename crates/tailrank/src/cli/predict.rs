//! `tailrank predict`

use std::path::PathBuf;

use clap::Args;
use tailrank_experiment::{
    config::usual_pair,
    plan::Plan,
    text::{count, digits, list, ten_of_a_kind},
};
use tailrank_metrics::Measure;
use tailrank_runner::run::RunOptions;
use tailrank_score::{
    predict::{self, Forecast, Question},
    score::{self, Results, TaskId, VariantId},
};

use super::{
    Exit, Failure, Result, Session, cell,
    export::csv,
    fitted::check_variants,
    note,
    output::say_exactly,
    report::open,
    run::check_programs,
    say,
    stop::Stop,
    table::{print, wrap},
    width,
};

/// Use the winner of a run: fit it to all known rows and predict new ones.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tailrank predict runs/mine\n  \
    tailrank predict runs/mine new-prices.csv --by mad\n  \
    tailrank predict runs/mine --task 'KO 3d' --variant 'svm 400/0.01'\n  \
    tailrank predict runs/abalone new-rows.csv --csv > predicted.csv\n\n\
    A series needs no file: what follows its last session is predicted. A file with later sessions predicts each of them, from models \
    that know the run's own data alone. A table needs a file with the same columns in the same order, without the target.\n\n\
    The model is fitted to all rows of the run's data (of a sliding window, to the last window). Its interval comes from its errors on \
    the run's test rows, signals and quiet predictions each by their own (split conformal prediction). 'signal' says that the \
    prediction is extreme enough to act on: its relevance is t_E or more.")]
pub(crate) struct PredictArguments {
    /// Folder of the run, such as runs/quick.
    run: PathBuf,
    /// Later sessions of the series, or new rows of the table: CSV or Parquet.
    new: Option<PathBuf>,
    /// The task, such as 'KO 3d'; may be left out where the run has but one.
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Take the best variant by this measure; by default the one that the run judges extremes by.
    #[arg(long, value_name = "MEASURE", conflicts_with = "variant")]
    by: Option<String>,
    /// Take this variant, by its label or number.
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    /// Share of new cases that the intervals are to hold.
    #[arg(long, default_value_t = 0.9, value_name = "SHARE")]
    level: f64,
    /// Folder that the experiment's data files are relative to, if they were moved since.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Let the experiment run the programs it names.
    #[arg(long)]
    allow_commands: bool,
    /// Print the predictions as CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// With --csv: put an apostrophe before text that a spreadsheet would run as a formula. Numbers stay as they are.
    #[arg(long, requires = "csv")]
    spreadsheet: bool,
    /// Print the predictions as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn predict(session: &Session, arguments: &PredictArguments) -> Result<Exit> {
    let (store, plan, library) = open(session, &arguments.run, arguments.base.as_deref())?;
    let task = task(&plan, arguments.task.as_deref())?;
    let (variant, why) = match &arguments.variant {
        Some(name) => (named(&plan, name)?, None),
        None => {
            let results = score::results(&plan, &store)?;
            let measure = measure(&plan, &results, arguments.by.as_deref())?;
            let best = best(session, &plan, &results, task, measure)?;
            (best, Some(why(&results, task, best, measure)))
        }
    };
    if plan.variants[variant.0].program.is_some() {
        check_programs(&plan, arguments.allow_commands)?;
    }
    let cancel = Stop::on_signal().cancel;
    let options = RunOptions { cell_program: cell::program(&session.program), ..RunOptions::default() };
    let question = Question { task, variant, file: arguments.new.as_deref(), level: arguments.level };
    let forecast = predict::predict(&plan, &store, &library, question, &options, &cancel)?;
    for warning in ten_of_a_kind(&forecast.warnings) {
        note(session, &format!("warning: {warning}"));
    }
    if !forecast.converged {
        note(session, "warning: the fit ended at its iteration limit");
    }
    if arguments.json {
        say(&format!("{:#}", json(&forecast, why.as_deref())));
    } else if arguments.csv {
        let bytes = csv(&forecast.table().frame()?, arguments.spreadsheet)?;
        say_exactly(String::from_utf8_lossy(&bytes).trim_end());
    } else {
        say_forecast(&forecast, why.as_deref());
    }
    Ok(Exit::Fine)
}

fn task(plan: &Plan, asked: Option<&str>) -> Result<TaskId> {
    let names: Vec<&str> = plan.tasks.iter().map(|t| t.name.as_str()).collect();
    let found = match asked {
        None if names.len() == 1 => Some(0),
        None => None,
        Some(name) => names.iter().position(|n| *n == name),
    };
    found.map(TaskId).ok_or_else(|| {
        let wrong = asked.map(|name| format!("the run has no task '{name}'; "));
        let all: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
        Failure::Usage(format!("{}name one with --task: {}", wrong.unwrap_or_default(), list(&all)))
    })
}

fn named(plan: &Plan, name: &str) -> Result<VariantId> {
    let by_label = plan.variants.iter().position(|v| v.label == name);
    let by_number = || plan.variants.iter().position(|v| v.id.to_string() == name);
    by_label.or_else(by_number).map(VariantId).ok_or_else(|| {
        let first: Vec<String> = plan.variants.iter().take(5).map(|v| format!("'{}'", v.label)).collect();
        Failure::Usage(format!(
            "the run has no variant '{name}'; its {} are called {}{}",
            count(plan.variants.len(), "variant"),
            list(&first),
            if plan.variants.len() > 5 { " and so on (results/scores.csv lists them)" } else { "" }
        ))
    })
}

/// The measure that chooses; by default the one of the run's first comparison that looks at extremes.
fn measure(plan: &Plan, results: &Results, asked: Option<&str>) -> Result<Measure> {
    let all = results.measures();
    if let Some(id) = asked {
        let found = all.iter().find(|m| m.id() == id);
        return found.copied().ok_or_else(|| {
            let ids: Vec<&str> = all.iter().map(|m| m.id()).collect();
            Failure::Usage(format!("--by: the run has no measure '{id}'; it has {}", list(&ids)))
        });
    }
    let pair = plan.pairs.first().copied().or_else(|| usual_pair(&all));
    pair.map(|(_, judged)| judged)
        .or(all.first().copied())
        .ok_or_else(|| Failure::Usage("the run has no measure to choose by; name a variant".to_owned()))
}

/// The best variant of a task by a measure, where the run itself would name one.
fn best(
    session: &Session,
    plan: &Plan,
    results: &Results,
    task: TaskId,
    measure: Measure,
) -> Result<VariantId> {
    let (scores, name, symbol) = (&results.scores[task], &plan.tasks[task.0].name, measure.info().symbol);
    check_variants(session, name, scores)?;
    let instead = || {
        let others = results.measures().into_iter().filter(|m| *m != measure && scores.no_gain(*m).is_none());
        let by: Vec<&str> = others.filter(|m| scores.best(*m).is_some()).map(Measure::id).collect();
        let by = match &by[..] {
            [] => String::new(),
            ids => format!("choose by another measure with --by ({}), or ", list(ids)),
        };
        format!("{by}name a model with --variant")
    };
    if let Some(reason) = scores.no_gain(measure) {
        return Err(Failure::Usage(format!(
            "{name}: by {symbol} {reason}, so that the run names none to take; {}",
            instead()
        )));
    }
    scores.best(measure).ok_or_else(|| {
        Failure::Usage(format!("no variant of '{name}' has a defined {symbol}; {}", instead()))
    })
}

/// By what the variant was chosen, and how far that is to be believed.
fn why(results: &Results, task: TaskId, variant: VariantId, measure: Measure) -> String {
    let symbol = measure.info().symbol;
    let score = results.scores[task].score(variant, measure).and_then(tailrank_metrics::Score::value);
    let mut text = format!("best by {symbol} on the run's test rows");
    text.push_str(&score.map(|s| format!(" ({})", digits(s))).unwrap_or_default());
    let known = results.inference.iter().find(|t| t.task == task);
    let luck =
        known.and_then(|t| t.measures.iter().find(|m| m.measure == measure)).and_then(|m| m.luck.as_ref());
    if let Some(luck) = luck {
        text.push_str(&format!("; that is {}", luck.sentence(measure.better(), results.alpha)));
    }
    if let Some(reference) = results.scores[task].unbeaten(measure) {
        let own = results.scores[task].score(reference, measure).and_then(tailrank_metrics::Score::value);
        let own = own.map(|s| format!(" ({})", digits(s))).unwrap_or_default();
        text.push_str(&format!(
            "; {}{own} is no worse, without learning anything",
            results.names.label(reference)
        ));
    }
    text
}

fn say_forecast(forecast: &Forecast, why: Option<&str>) {
    const SHOWN: usize = 20;
    let chosen = why.map(|why| format!(": {why}")).unwrap_or_default();
    let head = format!(
        "{} on {}{chosen}. Fitted to {}; predicts {}.",
        forecast.variant,
        forecast.task,
        count(forecast.train_rows, "row"),
        forecast.target,
    );
    say(&wrap(&head, width()));
    let mut table = forecast.table();
    let left = table.rows.len().saturating_sub(SHOWN);
    table.rows.drain(..left);
    say(&format!("\n{}", print(&table, width())));
    let signals = forecast.rows.iter().filter(|r| r.signal.is_some()).count();
    let mut foot = format!("{} of {}", count(signals, "signal"), count(forecast.rows.len(), "prediction"));
    if forecast.has_intervals() {
        let share = forecast.share();
        foot.push_str(&format!("; from–to holds {share} of new cases if they are like the run's test cases"));
    }
    foot.push('.');
    if left > 0 {
        foot.push_str(&format!(" The last {SHOWN} are shown; --csv writes all."));
    }
    say(&format!("\n{}", wrap(&foot, width())));
}

fn json(forecast: &Forecast, why: Option<&str>) -> serde_json::Value {
    serde_json::json!({
        "task": forecast.task,
        "variant": forecast.variant,
        "chosen": why,
        "target": forecast.target,
        "train_rows": forecast.train_rows,
        "key": forecast.key,
        "level": forecast.level,
        "converged": forecast.converged,
        "rows": forecast.rows,
    })
}
