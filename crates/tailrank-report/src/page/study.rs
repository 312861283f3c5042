//! The page of a study that calculates and fits nothing. It has no tasks, so it needs no scripts.

use std::path::Path;

use tailrank_experiment::plan::InputDigest;
use tailrank_runner::store::{Contents, OutputKind};

use super::*;
use crate::{
    Written,
    claims::{Claim, PaperFigure},
    tables::PrintedTable,
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
    pub tables: &'a [PrintedTable],
}

/// Writes the page into `folder`, as [`write_report`](crate::write_report) writes that of a run.
///
/// # Errors
/// When the folder holds anything but a report, or cannot be written.
pub fn write_study_report(study: &StudyPage<'_>, folder: &Path) -> Result<Written> {
    let mut stage = begin(folder, Contents::of(OutputKind::Report, &InputDigest::default(), 0))?;
    let written = static_figures::of_paper(study.figures, &mut stage)?;
    let tables = html! { @for table in study.tables { (printed(table)) } };
    let body = html! {
        header.run { h1 { (study.name) } p.lead { (study.paper) } }
        p { (study.opening) }
        (overview::claims(study.claims, study.figures, &written))
        (section("tables", "Tables", tables))
    };
    let page = document(study.name, "by calculation", PreEscaped(""), body, Markup::default());
    stage.write("index.html", page.0.as_bytes())?;
    stage.write("report.css", assets::STYLE.as_bytes())?;
    Ok(Written::new(folder, None, stage.publish()?))
}

fn printed(table: &PrintedTable) -> Markup {
    html! {
        h3 { (table.title) }
        div.wide tabindex="0" {
            table {
                thead {
                    tr {
                        @for heading in &table.headings {
                            // Nothing heads a column without a name.
                            @if heading.is_empty() { td {} } @else { th scope="col" { (heading) } }
                        }
                    }
                }
                tbody { @for row in &table.rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}
