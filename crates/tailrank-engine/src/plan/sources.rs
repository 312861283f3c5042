//! Loads the series and tables an experiment names.

use std::{collections::HashSet, path::Path};

use tailrank_data::{
    DataError, Dataset, DateFormat, Embedding, ExtraInput, Library, Loaded, Missing, PriceSeries, RowDates,
    SeriesOptions, TableOptions, Volume, read_series, read_table, read_wide, symbol_of,
};

use crate::config::{Experiment, InputSettings, MissingRule, Problem, SeriesSource, TableSource};

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
    let library = &match data.max_bytes {
        Some(max_bytes) => library.clone().with_max_bytes(max_bytes),
        None => library.clone(),
    };
    let files = Files { base, library, max_bytes: data.max_bytes };
    let volumes = experiment.target.inputs.iter().any(|i| matches!(i, InputSettings::Volume { .. }));
    let mut series: Vec<(String, PriceSeries)> = Vec::new();
    for (i, source) in data.series.iter().enumerate() {
        let key = format!("data.series.{}", i + 1);
        match files.series(source, volumes, warnings) {
            Ok(loaded) => series.extend(loaded.into_iter().map(|one| (key.clone(), one))),
            Err(message) => problems.push(Problem::new(key, message)),
        }
    }
    let others = other_series(experiment, &files, &series, problems, warnings);
    for (key, one) in &series {
        embed(experiment, one, &others, key, &mut sources, problems, warnings);
    }
    for (i, source) in data.tables.iter().enumerate() {
        match files.table(source, warnings) {
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
    /// The series of one source; volumes are read where an input needs them or the file names them.
    fn series(
        &self,
        source: &SeriesSource,
        volumes: bool,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<PriceSeries>, String> {
        let mut options = SeriesOptions::default();
        options.max_bytes = self.max_bytes.unwrap_or(options.max_bytes);
        options.volume = if volumes { Volume::Known } else { Volume::Ignored };
        let one =
            |loaded: Loaded<PriceSeries>| Loaded { value: vec![loaded.value], warnings: loaded.warnings };
        let loaded = match source {
            SeriesSource::Name(name) if is_file_name(name) => {
                read_series(&self.base.join(name), &options).map(one)
            }
            SeriesSource::Name(name) => self.library.series(name, &options).map(one),
            SeriesSource::File(file) => {
                options.price.clone_from(&file.price);
                if let Some(column) = &file.volume {
                    options.volume = Volume::Column(column.clone());
                }
                dated(&mut options, file.date.as_ref(), file.date_format.as_deref(), file.missing);
                read_series(&self.base.join(&file.file), &options)
                    .map(|loaded| one(Loaded { value: loaded.value.renamed(&file.name), ..loaded }))
            }
            SeriesSource::Wide(file) => {
                dated(&mut options, file.date.as_ref(), file.date_format.as_deref(), file.missing);
                let symbols: Vec<&str> = file.symbols.iter().flatten().map(String::as_str).collect();
                read_wide(&self.base.join(&file.wide), &symbols, &options)
            }
        };
        let loaded = loaded.map_err(|e| e.to_string())?;
        warnings.extend(loaded.warnings.iter().map(ToString::to_string));
        Ok(loaded.value)
    }

    fn table(&self, source: &TableSource, warnings: &mut Vec<String>) -> Result<Dataset, String> {
        let table = match source {
            TableSource::Name(name) if is_file_name(name) => {
                let own = symbol_of(name);
                return Err(format!(
                    "a table's file needs a target: {{ name = \"{own}\", file = \"{name}\", target = \"…\" }}"
                ));
            }
            TableSource::Name(name) => self.library.table(name, None),
            TableSource::File(file) => {
                let mut options = TableOptions::new(file.target.clone());
                options.categorical.clone_from(&file.categorical);
                options.ignore.clone_from(&file.ignore);
                if let Some(date) = &file.date {
                    options.date = RowDates::Column(date.clone());
                }
                options.max_bytes = self.max_bytes.unwrap_or(options.max_bytes);
                read_table(&self.base.join(&file.file), &options)
                    .map(|t| Loaded { value: t.value.renamed(file.name.clone()), ..t })
            }
        };
        let table = table.map_err(|e| e.to_string())?;
        warnings.extend(table.warnings.iter().map(ToString::to_string));
        Ok(Dataset::from(table.value))
    }
}

/// The keys that files of one and of many series share.
fn dated(
    options: &mut SeriesOptions,
    date: Option<&String>,
    date_format: Option<&str>,
    missing: MissingRule,
) {
    options.date = date.cloned();
    options.date_format = date_format.map_or(DateFormat::default(), DateFormat::from);
    options.missing = match missing {
        MissingRule::Refuse => Missing::Refuse,
        MissingRule::Drop => Missing::Drop,
    };
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
            own.or_else(|| match files.series(&SeriesSource::Name(name.clone()), false, warnings) {
                Ok(loaded) => loaded.into_iter().next(),
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
    for (i, other) in others.iter().enumerate() {
        warnings.extend(other.as_ref().and_then(|other| ends_early(series, other, i + 1)));
    }
    for &horizon in &target.horizons {
        let task = format!("{} {horizon}d", series.name());
        let (mut extras, mut places) = (Vec::new(), Vec::new());
        for (i, (input, other)) in target.inputs.iter().zip(others).enumerate() {
            let span =
                if let InputSettings::Returns { horizon: h, .. } = input { h.unwrap_or(horizon) } else { 0 };
            if other.as_ref().is_some_and(|o| o.name() == series.name()) && span == horizon {
                warnings
                    .push(format!("{task}: input {} is left out: it repeats the series' own returns", i + 1));
                continue;
            }
            if let Some(extra) = extra(input, other.as_ref(), span as usize, target.lags) {
                extras.push(extra);
                places.push(i + 1);
            }
        }
        match Embedding::with_inputs(series, horizon as usize, target.lags as usize, &extras) {
            Ok(embedding) => sources.push(Source {
                task,
                source: series.name().to_owned(),
                horizon: Some(horizon as usize),
                data: embedding.into(),
            }),
            Err(DataError::Input { place, problem, fix, .. }) => {
                let input = places.get(place).copied().unwrap_or(place + 1);
                problems.push(Problem::new(
                    format!("target.inputs.{input}"),
                    format!("task '{task}': {problem}; {fix}"),
                ));
            }
            Err(e @ DataError::Setting { name: "lags", .. }) => {
                problems.push(Problem::new("target.lags", e.to_string()));
            }
            Err(e @ DataError::Setting { name: "horizon", .. }) => {
                problems.push(Problem::new("target.horizons", e.to_string()));
            }
            Err(e) => problems.push(Problem::new(key, e.to_string())),
        }
    }
}

/// After another series ends, its last returns would stand for every later day.
fn ends_early(series: &PriceSeries, other: &PriceSeries, input: usize) -> Option<String> {
    /// A week of sessions: holidays and late quotes do not matter.
    const FEW: usize = 5;
    let last = *other.dates().last()?;
    let later = series.dates().len() - series.dates().partition_point(|day| *day <= last);
    (later > FEW).then(|| {
        format!(
            "{}: input {input}: {} ends on {last}, {later} sessions earlier; its last returns are repeated from there on",
            series.name(),
            other.name()
        )
    })
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
