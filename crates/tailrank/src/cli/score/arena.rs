//! `tailrank score --arena`: somebody's predictions on the board of a run over many tasks.

use tailrank_models::Cancel;
use tailrank_score::{external::read_submission, score};

use super::ScoreArguments;
use crate::cli::prelude::*;

pub(super) fn place(session: &Session, arguments: &ScoreArguments, run: &Path) -> Result<Exit> {
    if !run.join("run.json").is_file() {
        return usage(format!(
            "{} holds no run to be compared with. `tailrank reproduce arena` makes the arena's, in runs/arena, within a few \
             minutes; --arena=RUN names another",
            run.display()
        ));
    }
    path_kind::expect_table(&arguments.predictions, "a table of predictions")?;
    let (store, plan, _) = open_run(session, run, None)?;
    let name = arguments.name();
    if plan.tasks.len() < 2 {
        return usage(format!("{} has one task; a board needs several", run.display()));
    }
    if plan.variants.iter().any(|v| v.label == name || v.group == name) {
        return usage(format!("the run has a model or family called '{name}'; choose another --name"));
    }
    let submission = read_submission(&arguments.predictions, &name, &plan)?;
    let results = score::results_with(&Cancel::default(), &plan, &store, Some(&submission))?;
    check_cells(session, &plan, &store, "board")?;
    if arguments.json {
        print_json(&answer::full_json(&results));
    } else if let Some(standings) = results.table("standings").filter(|_| arguments.csv) {
        print_csv(&standings.frame()?, arguments.spreadsheet)?;
    } else {
        print_screen(&answer::board(&results, &name, width()));
    }
    Ok(Exit::Fine)
}
