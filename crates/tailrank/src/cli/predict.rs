//! `tailrank predict`

use tailrank_score::{
    predict::{self, Forecast, Question},
    score::{
        self,
        answer::{Decision, Reason},
    },
};

use super::{explain::measure, prelude::*};

/// Predict new cases with the model that a run says to use, fitted to all known rows.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/predict.txt"))]
pub(crate) struct PredictArguments {
    /// Folder of the run, such as runs/quick.
    run: PathBuf,
    /// Later sessions of the series, or new rows of the table: CSV or Parquet.
    new: Option<PathBuf>,
    /// The task, such as 'KO 3d'; needed where the run has several.
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Decide by this measure; the deciding measure of the run by default.
    #[arg(long, value_name = "MEASURE", conflicts_with = "model")]
    by: Option<String>,
    /// Use this model, by its name or number, whatever the verdict.
    #[arg(long, value_name = "MODEL", alias = "variant")]
    model: Option<String>,
    /// Share of new cases that the intervals should contain.
    #[arg(long, default_value_t = 0.9, value_name = "SHARE")]
    level: f64,
    /// Folder that the experiment's data files are relative to, if they were moved.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Let the experiment run the programs it names.
    #[arg(long)]
    allow_commands: bool,
    /// Print the predictions as CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// With --csv: put an apostrophe before text that a spreadsheet would run as a formula. Numbers stay as
    /// they are.
    #[arg(long, requires = "csv")]
    spreadsheet: bool,
    /// Print the predictions as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn predict(session: &Session, arguments: &PredictArguments) -> Result<Exit> {
    let (store, plan, library) = open_run(session, &arguments.run, arguments.base.as_deref())?;
    let task = task(&plan, arguments.task.as_deref())?;
    let results = score::results(&plan, &store)?;
    let decision = decision(&results, task, arguments.by.as_deref())?;
    let verdict = answer::verdict(&results, decision);
    let variant = match &arguments.model {
        Some(name) => named(&plan, name)?,
        None => {
            check_variants(session, &plan.tasks[task.0].name, &results.scores[task])?;
            decision.recommended().ok_or_else(|| no_model(arguments, &results, decision, &verdict.rest))?
        }
    };
    let chosen = (decision.recommended() != Some(variant)).then(|| verdict.text());
    if plan.variants[variant.0].program.is_some() {
        check_programs(&plan, arguments.allow_commands)?;
    }
    let cancel = Stop::on_signal().cancel;
    let options = RunOptions { cell_program: cell::program(&session.program), ..RunOptions::default() };
    let question = Question { task, variant, file: arguments.new.as_deref(), level: arguments.level };
    let forecast = predict::predict(&plan, &store, &library, question, &options, &cancel)?;
    session.print_warnings(ten_of_a_kind(&forecast.warnings));
    session.print_warnings((!forecast.converged).then_some("the fit ended at its iteration limit"));
    let other = |text| format!("the run does not say to use {}. {text}", forecast.variant);
    session.print_warnings(chosen.as_ref().map(other));
    if arguments.json {
        print_json(&json(&forecast, decision, &verdict.text()));
    } else if arguments.csv {
        print_csv(&forecast.table().frame()?, arguments.spreadsheet)?;
    } else {
        print_screen(&screen(
            &forecast,
            chosen.is_none().then(|| answer::evidence(&results, decision)).flatten(),
        ));
    }
    Ok(Exit::Fine)
}

fn task(plan: &Plan, asked: Option<&str>) -> Result<TaskId> {
    let names: Vec<&str> = plan.tasks.iter().map(|t| t.name.as_str()).collect();
    let found = match asked {
        None => (names.len() == 1).then_some(0),
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
        let more = if plan.variants.len() > 5 { " and so on (results/scores.csv lists them)" } else { "" };
        let models = count(plan.variants.len(), "model");
        Failure::Usage(format!(
            "the run has no model '{name}'; its {models} are called {}{more}",
            list(&first)
        ))
    })
}

/// What the deciding measure says of the task, or the one asked for.
fn decision<'a>(results: &'a Results, task: TaskId, by: Option<&str>) -> Result<&'a Decision> {
    let found = match by {
        Some(id) => results.answer.decision(task, measure(results, id)?),
        None => results.answer.deciding(task),
    };
    let none = "the run has no measure to decide by; name a model with --model";
    found.ok_or_else(|| Failure::Usage(none.to_owned()))
}

/// Why nothing is predicted, with the command that does.
fn no_model(arguments: &PredictArguments, results: &Results, decision: &Decision, rest: &str) -> Failure {
    let label = decision.model.map_or("MODEL", |m| results.names.label(m));
    let file = arguments.new.as_ref().map(|f| format!(" {}", f.display())).unwrap_or_default();
    let task = arguments.task.as_ref().map(|t| format!(" --task '{t}'")).unwrap_or_default();
    Failure::Usage(format!(
        "the verdict of this run is no model.{}\nTo predict all the same, name a model:\n  tailrank predict {}{file}{task} \
         --model '{label}'",
        rest,
        arguments.run.display()
    ))
}

fn screen(forecast: &Forecast, evidence: Option<String>) -> Screen {
    const SHOWN: usize = 12;
    let width = width();
    let mut out = Screen::default();
    let facts = format!(" · {} · fitted to {}", forecast.task, count(forecast.train_rows, "row"));
    out.headed((Tone::Strong, &forecast.variant), &facts, width, 2);
    out.wrapped(Tone::Plain, &format!("Predicts {}.", forecast.target), width, 0);
    if let Some(text) = evidence {
        out.wrapped(Tone::Plain, &text, width, 0);
    }
    out.gap();
    let mut table = forecast.table();
    let left = table.rows.len().saturating_sub(SHOWN);
    table.rows.drain(..left);
    add_table(&mut out, TextTable::of(&table), SHOWN, "");
    out.gap();
    let signals = forecast.rows.iter().filter(|r| r.signal.is_some()).count();
    let mut foot = format!("{} in {}.", count(signals, "signal"), count(forecast.rows.len(), "prediction"));
    if forecast.has_intervals() {
        let share = forecast.share();
        foot.push_str(&format!(" Intervals contain {share} of new cases like those of the test."));
    }
    if left > 0 {
        foot.push_str(&format!(" The last {SHOWN} are shown; --csv writes all."));
    }
    out.wrapped(Tone::Plain, &foot, width, 0);
    out
}

fn json(forecast: &Forecast, decision: &Decision, verdict: &str) -> Value {
    let mut found = json!(forecast);
    found["verdict"] = decision.verdict.code().into();
    found["reason"] = decision.verdict.reason().map(Reason::code).into();
    found["sentence"] = verdict.into();
    found
}
