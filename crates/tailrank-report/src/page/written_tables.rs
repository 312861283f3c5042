//! The tables of a run for other tools: `tables/*.{csv,parquet,md,tex}` and `tables/summary.json`.

use std::collections::BTreeSet;

use tailrank_data::frame;
use tailrank_engine::score;

use super::stage::Stage;
use crate::{ReportError, Result, Source, tables};

/// Writes every table; returns the links of the page: a table's name and its files.
pub(super) fn write(source: Source<'_>, stage: &mut Stage) -> Result<Vec<(String, Vec<String>)>> {
    let r = source.results;
    let mut links = Vec::new();
    let failed = |e: tailrank_data::DataError| ReportError::Figure {
        figure: "tables".to_owned(),
        problem: e.to_string(),
    };
    for (name, columns) in score::tables(
        &r.tasks,
        &r.variants,
        &r.scores,
        &r.verdicts,
        &r.regrets,
        &r.across,
        &r.trading,
        &r.selection,
    ) {
        let table = score::frame(columns)?;
        let files = [format!("tables/{name}.csv"), format!("tables/{name}.parquet")];
        stage.write(&files[0], &frame::to_csv(&table).map_err(failed)?)?;
        stage.write(&files[1], &frame::to_parquet(&table, &[]).map_err(failed)?)?;
        links.push((name.to_owned(), files.to_vec()));
    }
    let mut taken = BTreeSet::new();
    for table in tables::all(source.plan, r, source.claims) {
        // Two tasks may have names that make the same file name.
        let mut name = table.name.clone();
        for n in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{}-{n}", table.name);
        }
        let files = [format!("tables/{name}.md"), format!("tables/{name}.tex")];
        stage.write(&files[0], tables::markdown(&table).as_bytes())?;
        stage.write(&files[1], tables::latex(&table).as_bytes())?;
        links.push((name, files.to_vec()));
    }
    let summary = format!("{:#}\n", tables::json(source.plan, r, source.claims));
    stage.write("tables/summary.json", summary.as_bytes())?;
    links.push(("summary".to_owned(), vec!["tables/summary.json".to_owned()]));
    Ok(links)
}
