//! Loads the series and tables an experiment names.

use std::collections::HashSet;

use tailrank_data::{DataError, Dataset, Domain, Embedding, ExtraInput, Frequency, PriceSeries, Transform};

use super::files::Loader;
use crate::{
    config::{InputSettings, SeriesSource},
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

impl Loader<'_> {
    /// Everything that the experiment names.
    pub(super) fn load(&mut self) -> Vec<Source> {
        let (data, target) = (&self.experiment.data, &self.experiment.target);
        let (mut sources, mut series) = (Vec::new(), Vec::new());
        for (i, source) in data.series.iter().enumerate() {
            let key = format!("data.series.{}", i + 1);
            match self.own_series(source, &key) {
                Ok(loaded) => series.extend(loaded),
                Err(message) => self.problem(key, message),
            }
        }
        let others = self.other_series(&series);
        for own in &series {
            let columns = self.own_columns(own);
            self.embed(own, &either(&others, &columns), &mut sources);
        }
        for (i, source) in data.tables.iter().enumerate() {
            match self.table(source) {
                Ok(data) => {
                    let name = data.name().to_owned();
                    let (task, source) = (name.clone(), name);
                    sources.push(Source { task, source, horizon: None, column: None, data });
                }
                Err(message) => self.problem(format!("data.tables.{}", i + 1), message),
            }
        }
        // A horizon that is named twice is told where it stands.
        let mut names = HashSet::new();
        let horizons: HashSet<u32> = target.horizons.iter().copied().collect();
        let each_once = horizons.len() == target.horizons.len();
        for source in &sources {
            if !names.insert(source.task.as_str()) && (each_once || source.horizon.is_none()) {
                self.problem("data", format!("two tasks are both called '{}'; rename one", source.task));
            }
        }
        sources
    }

    fn problem(&mut self, key: impl Into<String>, message: String) {
        let problem = Problem::new(key, message);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// The series of one source, as the target and its inputs need them.
    pub(super) fn own_series<'s>(
        &mut self,
        source: &'s SeriesSource,
        key: &str,
    ) -> Result<Vec<LoadedSeries<'s>>, String> {
        let target = &self.experiment.target;
        let volumes = target.inputs.iter().any(|i| matches!(i, InputSettings::Volume { .. }));
        let loaded = self.series(source, target.kind.domain(), volumes)?;
        Ok(loaded.into_iter().map(|series| LoadedSeries { key: key.to_owned(), source, series }).collect())
    }

    /// The series that `[target] inputs` name, in the order of the inputs: of this experiment, bundled, or
    /// from a file.
    pub(super) fn other_series(&mut self, series: &[LoadedSeries<'_>]) -> Vec<Option<PriceSeries>> {
        self.of_inputs(|loader, input| {
            let InputSettings::Returns { series: name, .. } = input else { return Ok(None) };
            let own = series.iter().map(|own| &own.series).find(|s| s.name() == name).cloned();
            if own.is_some() {
                return Ok(own);
            }
            let source = SeriesSource::Name(name.clone());
            Ok(loader.series(&source, Domain::Positive, false)?.into_iter().next())
        })
    }

    /// The columns that `[target] inputs` name of a series' own file, in the order of the inputs.
    pub(super) fn own_columns(&mut self, own: &LoadedSeries<'_>) -> Vec<Option<PriceSeries>> {
        self.of_inputs(|loader, input| {
            let InputSettings::Column { column, take, .. } = input else { return Ok(None) };
            loader.column(own.source, own.series.name(), column, take.domain()).map(Some)
        })
    }

    /// What is loaded for each input; none where it needs nothing, or where that cannot be loaded.
    fn of_inputs(
        &mut self,
        load: impl Fn(&mut Self, &InputSettings) -> Result<Option<PriceSeries>, String>,
    ) -> Vec<Option<PriceSeries>> {
        let mut loaded = Vec::new();
        for (i, input) in self.experiment.target.inputs.iter().enumerate() {
            loaded.push(load(self, input).unwrap_or_else(|message| {
                self.problem(format!("target.inputs.{}", i + 1), message);
                None
            }));
        }
        loaded
    }

    /// A task for every horizon.
    pub(super) fn embed(
        &mut self,
        own: &LoadedSeries<'_>,
        others: &[Option<&PriceSeries>],
        sources: &mut Vec<Source>,
    ) {
        let (target, series) = (&self.experiment.target, &own.series);
        for (i, other) in others.iter().enumerate() {
            self.warnings.extend(other.and_then(|other| ends_early(series, other, i + 1)));
        }
        let unit = unit(series.frequency());
        for &horizon in self.experiment.horizons_of(series.name()) {
            let task = format!("{} {horizon}{unit}", series.name());
            let (mut extras, mut places) = (Vec::new(), Vec::new());
            for (i, (input, other)) in target.inputs.iter().zip(others).enumerate() {
                let span = match input {
                    InputSettings::Returns { horizon: h, .. } | InputSettings::Column { horizon: h, .. } => {
                        h.unwrap_or(horizon)
                    }
                    _ => 0,
                };
                let returns =
                    matches!(input, InputSettings::Returns { .. }) && target.kind == Transform::Return;
                if returns && other.is_some_and(|o| o.name() == series.name()) && span == horizon {
                    let place = i + 1;
                    self.warnings.push(format!(
                        "{task}: input {place} is left out: it repeats the series' own returns"
                    ));
                    continue;
                }
                if let Some(extra) = extra(input, *other, span as usize, target.lags) {
                    extras.push(extra);
                    places.push(i + 1);
                }
            }
            let (h, lags) = (horizon as usize, target.lags as usize);
            let error = match Embedding::of(series, target.kind, h, lags, &extras) {
                Ok(embedding) => {
                    let (source, column) = (series.name().to_owned(), series.column().map(str::to_owned));
                    sources.push(Source { task, source, horizon: Some(h), column, data: embedding.into() });
                    continue;
                }
                Err(error) => error,
            };
            let (key, message) = match &error {
                DataError::Input { place, problem, fix, .. } => {
                    let input = places.get(*place).copied().unwrap_or(place + 1);
                    (format!("target.inputs.{input}"), format!("task '{task}': {problem}; {fix}"))
                }
                DataError::Setting { name: "horizon", .. } => {
                    ("target.horizons".to_owned(), error.to_string())
                }
                DataError::Setting { name: name @ ("lags" | "kind"), .. } => {
                    (format!("target.{name}"), error.to_string())
                }
                _ => (own.key.clone(), error.to_string()),
            };
            self.problem(key, message);
        }
    }
}

/// For each input another series or a column, whichever it names.
pub(super) fn either<'a>(
    others: &'a [Option<PriceSeries>],
    columns: &'a [Option<PriceSeries>],
) -> Vec<Option<&'a PriceSeries>> {
    others.iter().zip(columns).map(|(other, column)| other.as_ref().or(column.as_ref())).collect()
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
        InputSettings::Returns { lags, .. } => ExtraInput::OtherValues {
            series: other?.clone(),
            transform: Transform::Return,
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
