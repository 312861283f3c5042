//! Loads the series and tables an experiment names.

use std::{collections::HashSet, path::Path};

use tailrank_data::{
    DataError, Dataset, Domain, Embedding, ExtraInput, Frequency, Library, PriceSeries, Transform,
};

use super::files::Files;
use crate::{
    config::{Experiment, InputSettings, SeriesSource},
    problem::Problem,
};

/// Rows to be split, with the name of the task they make.
pub(super) struct Source {
    pub(super) task: String,
    pub(super) source: String,
    pub(super) horizon: Option<usize>,
    /// The column of the file that a series was read from.
    pub(super) column: Option<String>,
    pub(super) data: Dataset,
}

/// A series of the experiment, with the place it comes from.
pub(super) struct LoadedSeries<'a> {
    pub(super) key: String,
    pub(super) source: &'a SeriesSource,
    pub(super) series: PriceSeries,
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
    let mut series: Vec<LoadedSeries<'_>> = Vec::new();
    for (i, source) in data.series.iter().enumerate() {
        let key = format!("data.series.{}", i + 1);
        match own_series(experiment, &files, source, &key, warnings) {
            Ok(loaded) => series.extend(loaded),
            Err(message) => problems.push(Problem::new(key, message)),
        }
    }
    let others = other_series(experiment, &files, &series, problems, warnings);
    for own in &series {
        let columns = own_columns(experiment, &files, own, problems, warnings);
        let inputs: Vec<Option<&PriceSeries>> =
            others.iter().zip(&columns).map(|(other, column)| other.as_ref().or(column.as_ref())).collect();
        embed(experiment, own, &inputs, &mut sources, problems, warnings);
    }
    for (i, source) in data.tables.iter().enumerate() {
        match files.table(source, warnings) {
            Ok(data) => {
                let name = data.name().to_owned();
                sources.push(Source { task: name.clone(), source: name, horizon: None, column: None, data });
            }
            Err(message) => problems.push(Problem::new(format!("data.tables.{}", i + 1), message)),
        }
    }
    // A horizon that is named twice is told where it stands.
    let mut names = HashSet::new();
    let horizons: HashSet<u32> = experiment.target.horizons.iter().copied().collect();
    let each_once = horizons.len() == experiment.target.horizons.len();
    for source in &sources {
        if !names.insert(source.task.as_str()) && (each_once || source.horizon.is_none()) {
            problems.push(Problem::new(
                "data",
                format!("two tasks are both called '{}'; rename one", source.task),
            ));
        }
    }
    sources
}

/// The series of one source, as the target and its inputs need them.
pub(super) fn own_series<'a>(
    experiment: &Experiment,
    files: &Files<'_>,
    source: &'a SeriesSource,
    key: &str,
    warnings: &mut Vec<String>,
) -> Result<Vec<LoadedSeries<'a>>, String> {
    let volumes = experiment.target.inputs.iter().any(|i| matches!(i, InputSettings::Volume { .. }));
    let domain = experiment.target.kind.domain();
    let loaded = files.series(source, domain, volumes, warnings)?;
    Ok(loaded.into_iter().map(|series| LoadedSeries { key: key.to_owned(), source, series }).collect())
}

/// The series that `[target] inputs` name, in the order of the inputs: of this experiment, bundled, or from a
/// file.
pub(super) fn other_series(
    experiment: &Experiment,
    files: &Files<'_>,
    series: &[LoadedSeries<'_>],
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) -> Vec<Option<PriceSeries>> {
    let inputs = experiment.target.inputs.iter().enumerate();
    inputs
        .map(|(i, input)| {
            let InputSettings::Returns { series: name, .. } = input else { return None };
            let own = series.iter().map(|own| &own.series).find(|s| s.name() == name).cloned();
            let source = SeriesSource::Name(name.clone());
            own.or_else(|| match files.series(&source, Domain::Positive, false, warnings) {
                Ok(loaded) => loaded.into_iter().next(),
                Err(message) => {
                    problems.push(Problem::new(format!("target.inputs.{}", i + 1), message));
                    None
                }
            })
        })
        .collect()
}

/// The columns that `[target] inputs` name of a series' own file, in the order of the inputs.
pub(super) fn own_columns(
    experiment: &Experiment,
    files: &Files<'_>,
    own: &LoadedSeries<'_>,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) -> Vec<Option<PriceSeries>> {
    let inputs = experiment.target.inputs.iter().enumerate();
    inputs
        .map(|(i, input)| {
            let InputSettings::Column { column, take, .. } = input else { return None };
            let domain = take.domain();
            let read = files.column(own.source, own.series.name(), column, domain, warnings);
            read.map_err(|message| {
                let problem = Problem::new(format!("target.inputs.{}", i + 1), message);
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            })
            .ok()
        })
        .collect()
}

/// What a horizon counts, in the name of a task: `KO 3d`, `sunspots 1mo`.
fn unit(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Weekly => "w",
        Frequency::Monthly => "mo",
        Frequency::Quarterly => "q",
        Frequency::Yearly => "y",
        Frequency::Intraday => " ahead",
        _ => "d",
    }
}

/// A task for every horizon.
pub(super) fn embed(
    experiment: &Experiment,
    own: &LoadedSeries<'_>,
    others: &[Option<&PriceSeries>],
    sources: &mut Vec<Source>,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) {
    let (target, series, key) = (&experiment.target, &own.series, &own.key);
    for (i, other) in others.iter().enumerate() {
        warnings.extend(other.and_then(|other| ends_early(series, other, i + 1)));
    }
    let unit = unit(series.frequency());
    for &horizon in &target.horizons {
        let task = format!("{} {horizon}{unit}", series.name());
        let (mut extras, mut places) = (Vec::new(), Vec::new());
        for (i, (input, other)) in target.inputs.iter().zip(others).enumerate() {
            let span = match input {
                InputSettings::Returns { horizon: h, .. } | InputSettings::Column { horizon: h, .. } => {
                    h.unwrap_or(horizon)
                }
                _ => 0,
            };
            let returns = matches!(input, InputSettings::Returns { .. }) && target.kind == Transform::Return;
            if returns && other.is_some_and(|o| o.name() == series.name()) && span == horizon {
                warnings
                    .push(format!("{task}: input {} is left out: it repeats the series' own returns", i + 1));
                continue;
            }
            if let Some(extra) = extra(input, *other, span as usize, target.lags) {
                extras.push(extra);
                places.push(i + 1);
            }
        }
        let (h, lags) = (horizon as usize, target.lags as usize);
        match Embedding::of(series, target.kind, h, lags, &extras) {
            Ok(embedding) => sources.push(Source {
                task,
                source: series.name().to_owned(),
                horizon: Some(horizon as usize),
                column: series.column().map(str::to_owned),
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
            Err(e @ DataError::Setting { name: "kind", .. }) => {
                problems.push(Problem::new("target.kind", e.to_string()));
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
            "{}: input {input}: {} ends on {last}, {later} sessions earlier; its last values are repeated \
             from there on",
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
        InputSettings::Column { take, lags, .. } => ExtraInput::OtherValues {
            series: other?.clone(),
            transform: *take,
            horizon,
            lags: *lags as usize,
        },
        InputSettings::Calendar { unit } => ExtraInput::Calendar(*unit),
        InputSettings::Volume { lags } => ExtraInput::VolumeChange { lags: *lags as usize },
        InputSettings::Average { window } => ExtraInput::MovingAverage { window: *window as usize },
    })
}
