//! The page of a study that calculates and fits nothing. It has no tasks, so it needs no scripts.

use std::path::Path;

use tailrank_experiment::plan::InputDigest;
use tailrank_runner::store::{Contents, OutputKind};

use super::*;
use crate::{
    Written,
    claims::{Claim, PaperFigure},
};

/// What such a study found.
pub struct StudyPage<'a> {
    /// What the page is called.
    pub name: &'a str,
    /// The paper.
    pub paper: &'a str,
    /// What a reader should know first.
    pub opening: &'a str,
    /// What the paper says beside what was found.
    pub claims: &'a [Claim],
    /// Its figures.
    pub figures: &'a [PaperFigure],
    /// Its tables; the first is the headline.
    pub tables: Vec<PrintedTable<'a>>,
}

/// A table whose cells are text already.
pub struct PrintedTable<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Headings.
    pub headings: &'a [String],
    /// Rows, as long as the headings.
    pub rows: &'a [Vec<String>],
}

/// Writes the page into `folder`, as [`write_report`](crate::write_report) writes that of a run.
///
/// # Errors
/// When the folder holds anything but a report, or cannot be written.
pub fn write_study_report(study: &StudyPage<'_>, folder: &Path) -> Result<Written> {
    let mut stage = begin(folder, Contents::of(OutputKind::Report, &InputDigest::default(), 0))?;
    let written = static_figures::of_paper(study.figures, &mut stage)?;
    let [name, paper, opening] = [study.name, study.paper, study.opening].map(text);
    let head = format!("<header class=\"run\">\n<h1>{name}</h1>\n<p class=\"lead\">{paper}</p>\n</header>\n");
    let claims = overview::claims(study.claims, study.figures, &written);
    let tables = section("tables", "Tables", &study.tables.iter().map(table).collect::<String>());
    let body = format!("{head}<p>{opening}</p>\n{claims}{tables}");
    let page = document(study.name, "by calculation", "", &body, "");
    stage.write("index.html", page.as_bytes())?;
    stage.write("report.css", assets::STYLE.as_bytes())?;
    Ok(Written::new(folder, None, stage.publish()?))
}

fn table(table: &PrintedTable<'_>) -> String {
    let row = |cells: &[String], open: &str, close: &str| {
        let cell = |cell: &String| match text(cell) {
            // Nothing heads a column without a name.
            none if none.is_empty() => "<td></td>".to_owned(),
            shown => format!("<{open}>{shown}</{close}>"),
        };
        format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td", "td")).collect();
    format!(
        "<h3>{}</h3>\n<div class=\"wide\" tabindex=\"0\"><table>\n<thead>{}</thead>\n<tbody>{rows}</tbody></table></div>\n",
        text(table.title),
        row(table.headings, "th scope=\"col\"", "th")
    )
}
