//! The tables of a run for other tools: `tables/*.{md,tex}` and `tables/summary.json`; a page that stands
//! elsewhere than in the run's folder also has `tables/*.{csv,parquet}` and the settings they were made with.

use tailrank_score::score::table_files;

use super::*;

/// The tables' names with their files.
pub(super) type TableLinks = Vec<(String, Vec<String>)>;

/// Writes every table, scores of the tasks that have a page; returns the links of the page.
pub(super) fn write(subject: PageInput<'_>, pages: &[bool], stage: &mut dyn Sink) -> Result<TableLinks> {
    let r = subject.results;
    let has_results_beside = matches!(subject.origin, Origin::Run { is_own: true, .. });
    let folder = if has_results_beside { "../results" } else { "tables" };
    let of_table = |id: &str| ["csv", "parquet"].map(|ending| format!("{folder}/{id}.{ending}")).to_vec();
    let mut links: TableLinks =
        r.tables().into_iter().map(|table| (table.id.clone(), of_table(&table.id))).collect();
    if !has_results_beside {
        for (file, bytes) in table_files(r)? {
            stage.write(&format!("tables/{file}"), &bytes)?;
        }
        // With the settings beside them, these tables can be compared with those of any run.
        if let Some((plan, _)) = subject.run() {
            stage.write("tables/experiment.toml", plan.text.as_bytes())?;
        }
    }
    for table in tables::all(r, subject.claims, |task| pages[task]) {
        let files = ["md", "tex"].map(|ending| format!("tables/{}.{ending}", table.id));
        stage.write(&files[0], tables::markdown(&table).as_bytes())?;
        stage.write(&files[1], tables::latex(&table).as_bytes())?;
        links.push((table.id, files.to_vec()));
    }
    let summary = tables::json(subject.name, subject.title, subject.seed, r, subject.claims);
    let summary = tables::json_lines(&summary);
    stage.write("tables/summary.json", summary.as_bytes())?;
    links.push(("summary".to_owned(), vec!["tables/summary.json".to_owned()]));
    Ok(links)
}
