//! Loads the series and tables an experiment names.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use tailrank_data::{
    Dataset, DateFormat, Embedding, ExtraInput, Library, Loaded, PriceSeries, SeriesOptions, TableOptions,
    read_series, read_table,
};

use crate::config::{Experiment, InputSettings, Problem, SeriesSource, TableSource};

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
    let files = Files { base, library, max_bytes: data.max_bytes };
    let mut series: Vec<(String, PriceSeries)> = Vec::new();
    for (i, source) in data.series.iter().enumerate() {
        let key = format!("data.series.{}", i + 1);
        match files.series(source, warnings) {
            Ok(loaded) => series.push((key, loaded)),
            Err(message) => problems.push(Problem::new(key, message)),
        }
    }
    let others = other_series(experiment, &files, &series, problems, warnings);
    for (key, one) in &series {
        embed(experiment, one, &others, key, &mut sources, problems, warnings);
    }
    for (i, source) in data.tables.iter().enumerate() {
        match files.table(source) {
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

/// Where files are looked for, and how large they may be.
struct Files<'a> {
    base: &'a Path,
    library: &'a Library,
    max_bytes: Option<u64>,
}

impl Files<'_> {
    fn series(&self, source: &SeriesSource, warnings: &mut Vec<String>) -> Result<PriceSeries, String> {
        let mut options = SeriesOptions::default();
        options.max_bytes = self.max_bytes.unwrap_or(options.max_bytes);
        let renamed = |loaded: Loaded<PriceSeries>, name: String| Loaded {
            value: loaded.value.renamed(name),
            ..loaded
        };
        let loaded = match source {
            SeriesSource::Name(name) if is_file_name(name) => {
                let path = self.base.join(name);
                read_series(&path, &options).map(|l| renamed(l, stem(&path)))
            }
            SeriesSource::Name(name) => self.library.series(name, &options),
            SeriesSource::File(file) => {
                options.price.clone_from(&file.price);
                options.date.clone_from(&file.date);
                options.date_format =
                    file.date_format.clone().map_or(DateFormat::default(), DateFormat::Pattern);
                read_series(&self.base.join(&file.file), &options).map(|l| renamed(l, file.name.clone()))
            }
        };
        let loaded = loaded.map_err(|e| e.to_string())?;
        warnings.extend(loaded.warnings.iter().map(|w| format!("{}: {w}", loaded.value.name())));
        Ok(loaded.value)
    }

    fn table(&self, source: &TableSource) -> Result<Dataset, String> {
        let table = match source {
            TableSource::Name(name) => self.library.table(name, None),
            TableSource::File(file) => {
                let mut options = TableOptions::new(file.target.clone());
                options.drop = file.ignore.iter().chain(&file.date).cloned().collect();
                options.max_bytes = self.max_bytes.unwrap_or(options.max_bytes);
                read_table(&self.base.join(&file.file), &options).map(|t| t.renamed(file.name.clone()))
            }
        };
        table.map(Dataset::from).map_err(|e| e.to_string())
    }
}

/// The series that `[target] inputs` name, in the order of the inputs: of this experiment, bundled, or from a file.
fn other_series(
    experiment: &Experiment,
    files: &Files<'_>,
    series: &[(String, PriceSeries)],
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) -> Vec<Option<PriceSeries>> {
    let inputs = experiment.target.inputs.iter().enumerate();
    inputs
        .map(|(i, input)| {
            let InputSettings::Returns { series: name, .. } = input else { return None };
            let own = series.iter().find(|(_, s)| s.name() == name).map(|(_, s)| s.clone());
            own.or_else(|| match files.series(&SeriesSource::Name(name.clone()), warnings) {
                Ok(loaded) => Some(loaded),
                Err(message) => {
                    problems.push(Problem::new(format!("target.inputs.{}", i + 1), message));
                    None
                }
            })
        })
        .collect()
}

/// A task for every horizon.
fn embed(
    experiment: &Experiment,
    series: &PriceSeries,
    others: &[Option<PriceSeries>],
    key: &str,
    sources: &mut Vec<Source>,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) {
    let target = &experiment.target;
    for &horizon in &target.horizons {
        let task = format!("{} {horizon}d", series.name());
        let mut extras = Vec::new();
        for (i, (input, other)) in target.inputs.iter().zip(others).enumerate() {
            let span =
                if let InputSettings::Returns { horizon: h, .. } = input { h.unwrap_or(horizon) } else { 0 };
            if other.as_ref().is_some_and(|o| o.name() == series.name()) && span == horizon {
                warnings
                    .push(format!("{task}: input {} is left out: it repeats the series' own returns", i + 1));
                continue;
            }
            extras.extend(extra(input, other.as_ref(), span as usize, target.lags));
        }
        match Embedding::with_inputs(series, horizon as usize, target.lags as usize, &extras) {
            Ok(embedding) => sources.push(Source {
                task,
                source: series.name().to_owned(),
                horizon: Some(horizon as usize),
                data: embedding.into(),
            }),
            Err(e) => problems.push(Problem::new(key, e.to_string())),
        }
    }
}

/// An input as the data crate takes it; none when its series could not be loaded.
fn extra(
    input: &InputSettings,
    other: Option<&PriceSeries>,
    horizon: usize,
    own_lags: u32,
) -> Option<ExtraInput> {
    Some(match input {
        InputSettings::Returns { lags, .. } => ExtraInput::OtherReturns {
            series: other?.clone(),
            horizon,
            lags: lags.unwrap_or(own_lags) as usize,
        },
        InputSettings::Volume { lags } => ExtraInput::VolumeChange { lags: *lags as usize },
        InputSettings::Average { window } => ExtraInput::MovingAverage { window: *window as usize },
    })
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
