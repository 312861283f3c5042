//! The tables of a run for other tools: `tables/*.{csv,parquet,md,tex}`, `tables/summary.json` and the
//! settings they were made with.

use std::collections::BTreeSet;

use tailrank_score::score::table_files;

use super::sink::Sink;
use crate::{Result, subject::Subject, tables};

/// Writes every table, scores of the tasks that have a page; returns the links of the page: a table's name
/// and its files.
pub(super) fn write(
    subject: Subject<'_>,
    pages: &[bool],
    stage: &mut dyn Sink,
) -> Result<Vec<(String, Vec<String>)>> {
    let r = subject.results;
    let mut links: Vec<(String, Vec<String>)> = Vec::new();
    for (file, bytes) in table_files(r)? {
        let path = format!("tables/{file}");
        stage.write(&path, &bytes)?;
        let name = file.split('.').next().unwrap_or_default();
        match links.last_mut() {
            Some((last, files)) if last == name => files.push(path),
            _ => links.push((name.to_owned(), vec![path])),
        }
    }
    let mut taken = BTreeSet::new();
    for table in tables::of_tasks(r, subject.claims, |task| pages[task]) {
        // Two tasks may have names that make the same file name.
        let mut name = table.id.clone();
        for n in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{}-{n}", table.id);
        }
        let files = [format!("tables/{name}.md"), format!("tables/{name}.tex")];
        stage.write(&files[0], tables::markdown(&table).as_bytes())?;
        stage.write(&files[1], tables::latex(&table).as_bytes())?;
        links.push((name, files.to_vec()));
    }
    // With the settings beside them, these tables can be compared with those of any run.
    if let Some((plan, _)) = subject.run() {
        stage.write("tables/experiment.toml", plan.text.as_bytes())?;
    }
    let summary = tables::json_of(subject.name, subject.title, subject.seed, r, subject.claims);
    let summary = tables::json_lines(&summary);
    stage.write("tables/summary.json", summary.as_bytes())?;
    links.push(("summary".to_owned(), vec!["tables/summary.json".to_owned()]));
    Ok(links)
}
