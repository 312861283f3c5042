//! A conclusion as files: claims, tables, figures.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use tailrank_engine::store::{
    FILE_RECORD, FileRecord, Ownership,
    disk::{Disk, RealDisk},
    name_aside,
};
use tailrank_report::claims::{Claim, Standing};

use super::{Conclusion, Result, Study, StudyError, Table};

/// Refuses a folder that holds anything but a study, before hours of work.
pub(super) fn check(study: &Study, folder: &Path) -> Result<()> {
    let entries = RealDisk.list(folder).map_err(|source| failed(folder, source))?;
    if entries.is_empty() || record_of(folder)?.is_some() || is_of_earlier_version(study, folder) {
        return Ok(());
    }
    Err(StudyError::Occupied { path: folder.to_owned() })
}

/// Studies of earlier versions have no record of their files; their claims name them.
fn is_of_earlier_version(study: &Study, folder: &Path) -> bool {
    let claims = fs::read(folder.join("claims.json")).unwrap_or_default();
    serde_json::from_slice::<serde_json::Value>(&claims).is_ok_and(|claims| claims["study"] == study.id)
}

fn record_of(folder: &Path) -> Result<Option<FileRecord>> {
    FileRecord::read(&RealDisk, &folder.join(FILE_RECORD)).map_err(|source| failed(folder, source))
}

/// Writes `claims.md`, `claims.json`, every table as Markdown and CSV, every figure as SVG. Files that are not of the study's own are
/// left, or moved where their names are needed; returns what a user should be told of them.
pub(super) fn conclusion(study: &Study, conclusion: &Conclusion, folder: &Path) -> Result<Vec<String>> {
    let mut files = vec![("claims.md".to_owned(), claims_markdown(study, conclusion))];
    let json = serde_json::json!({ "study": study.id, "paper": study.paper, "claims": conclusion.claims });
    files.push(("claims.json".to_owned(), format!("{json:#}\n")));
    for table in &conclusion.tables {
        files.push((format!("{}.md", table.name), format!("{}\n\n{}", table.title, table.markdown())));
        files.push((format!("{}.csv", table.name), table.csv()));
    }
    for figure in &conclusion.figures {
        files.push((format!("{}.svg", figure.name), figure.svg.clone()));
    }
    let mut record = FileRecord::default();
    for (name, text) in &files {
        record.add(name, text.as_bytes());
    }
    fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|source| failed(&path, source))
    };
    let notices = make_room(folder, &files)?;
    for (name, text) in &files {
        put(name, text.as_bytes())?;
    }
    put(FILE_RECORD, &record.to_bytes().map_err(|source| failed(folder, source))?)?;
    Ok(notices)
}

/// Moves what stands under a name of the study's and is not its own to `set-aside`.
fn make_room(folder: &Path, files: &[(String, String)]) -> Result<Vec<String>> {
    let record = record_of(folder)?.unwrap_or_default();
    let mut notices = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        let Ok(old) = fs::read(&path) else { continue };
        if old == text.as_bytes() || record.whose(name, &old) == Ownership::Ours {
            continue;
        }
        let aside = folder.join("set-aside");
        fs::create_dir_all(&aside).map_err(|source| failed(&aside, source))?;
        let aside = aside.join(name_aside(name, &old));
        fs::rename(&path, &aside).map_err(|source| failed(&path, source))?;
        notices.push(format!(
            "{} was not as the study had written it and was moved to {}",
            path.display(),
            aside.display()
        ));
    }
    Ok(notices)
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
