//! A conclusion as files: claims, tables, figures.

use std::{
    fmt::{Display, Write},
    path::Path,
};

use tailrank_experiment::plan::InputDigest;
use tailrank_report::claims::{by_tag, headline};
use tailrank_runner::store::{Contents, Output, OutputKind, disk::RealDisk};

use super::{Conclusion, Result, Study, Table};

/// Writes `claims.md`, `claims.json`, every table as Markdown and CSV, every figure as SVG. An earlier study
/// that was edited is kept beside; returns what a user should be told of it.
pub(super) fn conclusion(study: &Study, conclusion: &Conclusion, folder: &Path) -> Result<Vec<String>> {
    let mut files = vec![("claims.md".to_owned(), claims_markdown(study, conclusion))];
    let json = serde_json::json!({ "study": study.id, "paper": study.paper, "claims": conclusion.claims });
    files.push(("claims.json".to_owned(), format!("{json:#}\n")));
    for table in &conclusion.tables {
        files.push((format!("{}.md", table.name), format!("{}\n\n{}", table.title, table.markdown())));
        files.push((format!("{}.csv", table.name), table.csv()));
    }
    for page in &conclusion.pages {
        files.push((format!("{}.md", page.name), format!("# {}\n\n{}", page.title, page.body)));
    }
    for figure in &conclusion.figures {
        files.push((format!("{}.svg", figure.name), figure.svg.clone()));
    }
    let contents = Contents::of(OutputKind::Study, &InputDigest::default(), 0);
    let mut output = Output::begin(&RealDisk, folder, contents)?;
    for (name, text) in &files {
        let text = if name.ends_with(".md") { with_minus(text) } else { text.clone() };
        output.write(name, text.as_bytes())?;
    }
    Ok(output.publish()?)
}

/// The text with the typographic minus before numbers; hyphens of dates, names and exponents stay.
pub(crate) fn with_minus(text: &str) -> String {
    let mut before = ' ';
    let sign = |(c, next): (char, char)| {
        let is_minus = c == '-' && next.is_ascii_digit() && !before.is_alphanumeric();
        before = c;
        if is_minus { '−' } else { c }
    };
    text.chars().zip(text.chars().skip(1).chain([' '])).map(sign).collect()
}

fn claims_markdown(study: &Study, conclusion: &Conclusion) -> String {
    let headings = ["", "kind", "where", "the paper says", "this run found", "decided by"];
    let mut table = Table::default().with_headings(headings);
    for c in by_tag(&conclusion.claims) {
        let cells: [&dyn Display; 6] = [&c.standing, &c.tag, &c.source, &c.says, &c.found, &c.evidence];
        table.row(cells);
    }
    let mut text = format!("# {}\n\n{} ({})\n\n", study.id, study.title, study.paper);
    let _ = write!(text, "{}\n\n{}\n\n", conclusion.opening, headline(&conclusion.claims));
    for page in &conclusion.pages {
        let _ = write!(text, "Also: [{}]({}.md)\n\n", page.title, page.name);
    }
    text.push_str(&table.markdown());
    for (number, table) in conclusion.tables.iter().enumerate() {
        let _ = write!(text, "\n{}: [{name}.csv]({name}.csv)\n", table.title, name = table.name);
        if number == 0 {
            let _ = write!(text, "\n{}", table.markdown());
        }
    }
    if let Some(figure) = conclusion.figures.first() {
        let _ = write!(text, "\n![{name}]({name}.svg)\n", name = figure.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minus_signs_are_not_hyphens() {
        let text = "τ -0.76 [-1, -0.5] on 1986-03-01, 1e-12, r-grid.md |---| - 5";
        assert_eq!(with_minus("-0.5, [-2, a-1] 2008-07-09 k-fold"), "−0.5, [−2, a-1] 2008-07-09 k-fold");
        assert_eq!(with_minus(text), "τ −0.76 [−1, −0.5] on 1986-03-01, 1e-12, r-grid.md |---| - 5");
    }
}
