//! Reads the files that an experiment names, as its keys say.

use std::path::Path;

use tailrank_data::{
    Dataset, DateFormat, Domain, Library, Loaded, OpenFile, PriceSeries, Result, RowDates, SeriesOptions,
    TableOptions, Volume, read_series_bytes, read_table_bytes, symbol_of,
};

use crate::{
    config::{Experiment, LabelSpanSetting, SeriesSource, TableFile, TableSource},
    problem::Problem,
};

/// Reads the data of an experiment; collects what is wrong with it, and what the user should know.
pub(super) struct Loader<'a> {
    pub(super) experiment: &'a Experiment,
    base: &'a Path,
    library: Library,
    pub(super) problems: Vec<Problem>,
    pub(super) warnings: Vec<String>,
}

impl<'a> Loader<'a> {
    /// Files are looked for in `base`.
    pub(super) fn new(experiment: &'a Experiment, base: &'a Path, library: &Library) -> Self {
        let library = match experiment.data.max_bytes {
            Some(max_bytes) => library.clone().with_max_bytes(max_bytes),
            None => library.clone(),
        };
        Self { experiment, base, library, problems: Vec::new(), warnings: Vec::new() }
    }

    /// The series of one source; volumes are read where an input needs them or the file names them.
    pub(super) fn series(
        &mut self,
        source: &SeriesSource,
        domain: Domain,
        volumes: bool,
    ) -> std::result::Result<Vec<PriceSeries>, String> {
        let volume = if volumes { Volume::Known } else { Volume::Ignored };
        self.told(self.read(source, SeriesOptions { domain, volume, ..SeriesOptions::default() }))
    }

    /// Another column of the file of `series`, which is one of the source's, at the same dates.
    pub(super) fn column(
        &mut self,
        source: &SeriesSource,
        series: &str,
        column: &str,
        domain: Domain,
    ) -> std::result::Result<PriceSeries, String> {
        let mut options = SeriesOptions { domain, volume: Volume::Ignored, ..SeriesOptions::default() };
        let (mut source, named) = (source.clone(), Some(column.to_owned()));
        match &mut source {
            SeriesSource::Wide(file) => file.symbols = Some(vec![column.to_owned()]),
            SeriesSource::Long(file) => {
                (file.price, file.symbols) = (named, Some(vec![series.to_owned()]));
            }
            SeriesSource::File(file) => file.price = named,
            SeriesSource::Name(_) => options.price = named,
        }
        let first = self.told(self.read(&source, options))?.into_iter().next();
        Ok(first.ok_or_else(|| format!("column '{column}' has no value"))?.renamed(column))
    }

    fn read(&self, source: &SeriesSource, mut options: SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
        options.max_bytes = self.experiment.data.max_bytes.or(options.max_bytes);
        let one =
            |loaded: Loaded<PriceSeries>| Loaded { value: vec![loaded.value], warnings: loaded.warnings };
        match source {
            SeriesSource::Name(name) if is_file_name(name) => {
                self.open(name, &options)?.series(&options).map(one)
            }
            SeriesSource::Name(name) => self.library.series(name, &options).map(one),
            SeriesSource::File(file) => {
                options.price.clone_from(&file.price);
                options.volume = file.volume.clone().map_or(options.volume, Volume::Column);
                options.date.clone_from(&file.date);
                options.date_format = date_format(file.date_format.as_deref());
                (options.numbers, options.missing) = (file.decimal, file.missing);
                let read = match self.library.frame(&file.file) {
                    Some(bytes) => read_series_bytes(&file.name, bytes, &options),
                    None => self.open(&file.file, &options)?.series(&options),
                };
                read.map(|loaded| one(Loaded { value: loaded.value.renamed(&file.name), ..loaded }))
            }
            SeriesSource::Wide(file) => {
                options.date.clone_from(&file.date);
                options.date_format = date_format(file.date_format.as_deref());
                (options.numbers, options.missing) = (file.decimal, file.missing);
                self.open(&file.wide, &options)?.wide(&names(file.symbols.as_deref()), &options)
            }
            SeriesSource::Long(file) => {
                options.price.clone_from(&file.price);
                options.symbol.clone_from(&file.symbol);
                options.volume = file.volume.clone().map_or(options.volume, Volume::Column);
                options.date.clone_from(&file.date);
                options.date_format = date_format(file.date_format.as_deref());
                (options.numbers, options.missing) = (file.decimal, file.missing);
                self.open(&file.long, &options)?.long(&names(file.symbols.as_deref()), &options)
            }
        }
    }

    fn open(&self, file: impl AsRef<Path>, options: &SeriesOptions) -> Result<OpenFile> {
        self.library.open(&self.base.join(file), options.max_bytes)
    }

    fn told<T>(&mut self, loaded: Result<Loaded<T>>) -> std::result::Result<T, String> {
        let loaded = loaded.map_err(|e| e.to_string())?;
        for warning in loaded.warnings.iter().map(ToString::to_string) {
            // A file that is read once for each of its columns is told of once.
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(loaded.value)
    }

    /// How a table's file is read.
    pub(super) fn table_options(&self, file: &TableFile) -> TableOptions {
        let mut options = TableOptions::new(file.target.clone());
        options.categorical.clone_from(&file.categorical);
        options.ignore.clone_from(&file.ignore);
        if let Some(date) = file.date.as_ref().or(file.time.as_ref()) {
            options.date = RowDates::Column(date.clone());
        }
        options.entity.clone_from(&file.entity);
        options.group.clone_from(&file.group);
        options.label_span = file.label_span.as_ref().and_then(LabelSpanSetting::span);
        options.date_format = date_format(file.date_format.as_deref());
        options.numbers = file.decimal;
        options.missing = file.missing;
        options.max_bytes = self.experiment.data.max_bytes.or(options.max_bytes);
        options
    }

    pub(super) fn table(&mut self, source: &TableSource) -> std::result::Result<Dataset, String> {
        let table = match source {
            TableSource::Name(name) if is_file_name(name) => {
                let own = symbol_of(name);
                return Err(format!(
                    "a table's file needs a target: {{ name = \"{own}\", file = \"{name}\", target = \"…\" }}"
                ));
            }
            TableSource::Name(name) => self.library.table(name, None),
            TableSource::File(file) => {
                let options = self.table_options(file);
                let read = match self.library.frame(&file.file) {
                    Some(bytes) => read_table_bytes(&file.name, bytes, &options),
                    None => {
                        let file = self.library.open(&self.base.join(&file.file), options.max_bytes);
                        file.and_then(|open| open.table(&options))
                    }
                };
                read.map(|t| Loaded { value: t.value.renamed(file.name.clone()), ..t })
            }
        };
        Ok(Dataset::from(self.told(table)?))
    }
}

fn date_format(text: Option<&str>) -> DateFormat {
    text.map_or(DateFormat::default(), DateFormat::from)
}

fn names(symbols: Option<&[String]>) -> Vec<&str> {
    symbols.into_iter().flatten().map(String::as_str).collect()
}

/// A name with an ending is a file; a bare word is looked up.
fn is_file_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.contains(['/', '\\']) || [".csv", ".gz", ".parquet", ".txt"].iter().any(|e| lower.ends_with(e))
}
