//! Loads the series and tables an experiment names.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use tailrank_data::{
    Dataset, DateFormat, Embedding, Library, PriceSeries, SeriesOptions, TableOptions, read_series,
    read_table,
};

use crate::config::{Experiment, Problem, SeriesSource, TableSource};

/// Rows to be split, with the name of the task they make.
pub(super) struct Source {
    pub(super) task: String,
    pub(super) source: String,
    pub(super) horizon: Option<usize>,
    pub(super) data: Dataset,
}

pub(super) fn load(
    experiment: &Experiment,
    base: &Path,
    library: &Library,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) -> Vec<Source> {
    let mut sources = Vec::new();
    let data = &experiment.data;
    if data.series.is_empty() && data.tables.is_empty() {
        problems.push(Problem::new(
            "data",
            "names no data; add series = [\"KO\"] or tables (`tailrank list data`)",
        ));
    }
    for (i, source) in data.series.iter().enumerate() {
        let key = format!("data.series.{}", i + 1);
        match load_series(source, base, library, warnings) {
            Ok(series) => embed(experiment, &series, &key, &mut sources, problems),
            Err(message) => problems.push(Problem::new(key, message)),
        }
    }
    for (i, source) in data.tables.iter().enumerate() {
        match load_table(source, base, library) {
            Ok(data) => {
                let name = data.name().to_owned();
                sources.push(Source { task: name.clone(), source: name, horizon: None, data });
            }
            Err(message) => problems.push(Problem::new(format!("data.tables.{}", i + 1), message)),
        }
    }
    let mut names = HashSet::new();
    for source in &sources {
        if !names.insert(source.task.as_str()) {
            problems.push(Problem::new(
                "data",
                format!("two tasks are both called '{}'; rename one", source.task),
            ));
        }
    }
    sources
}

fn load_series(
    source: &SeriesSource,
    base: &Path,
    library: &Library,
    warnings: &mut Vec<String>,
) -> Result<PriceSeries, String> {
    let loaded = match source {
        SeriesSource::Name(name) if is_file_name(name) => {
            let path = base.join(name);
            let stem = stem(&path);
            read_series(&path, &SeriesOptions::default()).map(|mut l| {
                l.value = l.value.renamed(stem);
                l
            })
        }
        SeriesSource::Name(name) => library.series(name, &SeriesOptions::default()),
        SeriesSource::File(file) => {
            let options = SeriesOptions {
                price: file.price.clone(),
                date: file.date.clone(),
                date_format: file.date_format.clone().map_or(DateFormat::default(), DateFormat::Pattern),
                ..SeriesOptions::default()
            };
            read_series(&base.join(&file.file), &options).map(|mut l| {
                l.value = l.value.renamed(file.name.clone());
                l
            })
        }
    };
    let loaded = loaded.map_err(|e| e.to_string())?;
    warnings.extend(loaded.warnings.iter().map(|w| format!("{}: {w}", loaded.value.name())));
    Ok(loaded.value)
}

fn embed(
    experiment: &Experiment,
    series: &PriceSeries,
    key: &str,
    sources: &mut Vec<Source>,
    problems: &mut Vec<Problem>,
) {
    for &horizon in &experiment.target.horizons {
        match Embedding::new(series, horizon as usize, experiment.target.lags as usize) {
            Ok(embedding) => sources.push(Source {
                task: format!("{} {horizon}d", series.name()),
                source: series.name().to_owned(),
                horizon: Some(horizon as usize),
                data: embedding.into(),
            }),
            Err(e) => problems.push(Problem::new(key, e.to_string())),
        }
    }
}

fn load_table(source: &TableSource, base: &Path, library: &Library) -> Result<Dataset, String> {
    let table = match source {
        TableSource::Name(name) => library.table(name, None),
        TableSource::File(file) => {
            let mut options = TableOptions::new(file.target.clone());
            options.drop = file.ignore.iter().chain(&file.date).cloned().collect();
            read_table(&base.join(&file.file), &options).map(|t| t.renamed(file.name.clone()))
        }
    };
    table.map(Dataset::from).map_err(|e| e.to_string())
}

/// A name with an ending is a file; a bare word is looked up.
fn is_file_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.contains(['/', '\\']) || [".csv", ".gz", ".parquet", ".txt"].iter().any(|e| lower.ends_with(e))
}

/// `quotes/KO.csv.gz` → `KO`.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(PathBuf::from).unwrap_or_default().display().to_string();
    name.split('.').next().unwrap_or_default().to_owned()
}
