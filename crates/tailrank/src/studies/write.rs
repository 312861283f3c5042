//! A conclusion as files: claims, tables, figures.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use tailrank_report::claims::{Claim, Standing};

use super::{Conclusion, Result, Study, StudyError, Table};

/// Writes `claims.md`, `claims.json`, every table as Markdown and CSV, every figure as SVG.
pub(super) fn conclusion(study: &Study, conclusion: &Conclusion, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    let put = |name: String, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|source| failed(&path, source))
    };
    put("claims.md".to_owned(), &claims_markdown(study, conclusion))?;
    let json = serde_json::json!({ "study": study.id, "paper": study.paper, "claims": conclusion.claims });
    put("claims.json".to_owned(), &format!("{json:#}\n"))?;
    for table in &conclusion.tables {
        put(format!("{}.md", table.name), &format!("{}\n\n{}", table.title, table.markdown()))?;
        put(format!("{}.csv", table.name), &table.csv())?;
    }
    for figure in &conclusion.figures {
        put(format!("{}.svg", figure.name), &figure.svg)?;
    }
    Ok(())
}

fn failed(path: &Path, source: std::io::Error) -> StudyError {
    StudyError::Write { path: PathBuf::from(path), source }
}

/// How the claims stand: `7 agree, 2 differ, 1 not testable`.
pub fn tally(claims: &[Claim]) -> String {
    let count = |s: Standing| claims.iter().filter(|c| c.standing == s).count();
    let all = [Standing::Agree, Standing::Differ, Standing::NotTestable];
    let parts: Vec<String> =
        all.into_iter().filter(|&s| count(s) > 0).map(|s| format!("{} {s}", count(s))).collect();
    parts.join(", ")
}

fn claims_markdown(study: &Study, conclusion: &Conclusion) -> String {
    let mut table =
        Table::new("claims", "", &["", "where", "the paper says", "this run found", "decided by"]);
    for c in &conclusion.claims {
        table.row([
            c.standing.to_string(),
            c.source.clone(),
            c.says.clone(),
            c.found.clone(),
            c.evidence.clone(),
        ]);
    }
    let mut text = format!("# {}\n\n{} ({}). ", study.id, study.title, study.paper);
    let _ = write!(text, "Of {} claims: {}.\n\n", conclusion.claims.len(), tally(&conclusion.claims));
    text.push_str(&table.markdown());
    if let Some(headline) = conclusion.tables.first() {
        let _ = write!(
            text,
            "\n{}: [{name}.csv]({name}.csv)\n\n{}",
            headline.title,
            headline.markdown(),
            name = headline.name
        );
    }
    if let Some(figure) = conclusion.figures.first() {
        let _ = write!(text, "\n![{name}]({name}.svg)\n", name = figure.name);
    }
    text
}
