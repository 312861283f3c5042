//! Reads the files that an experiment names, as its keys say.

use std::path::Path;

use tailrank_data::{
    Dataset, DateFormat, Domain, Library, Loaded, Missing, NumberFormat, PriceSeries, Result, RowDates,
    SeriesOptions, TableOptions, Volume, read_long, read_series, read_table, read_wide, symbol_of,
};

use crate::config::{LabelSpanSetting, SeriesSource, TableFile, TableSource};

/// Where files are looked for, and how large they may be.
pub(super) struct Files<'a> {
    pub(super) base: &'a Path,
    pub(super) library: &'a Library,
    pub(super) max_bytes: Option<u64>,
}

/// The keys that all files of series share.
struct SharedKeys<'a> {
    date: Option<&'a String>,
    date_format: Option<&'a str>,
    decimal: NumberFormat,
    missing: Missing,
}

impl Files<'_> {
    /// The series of one source; volumes are read where an input needs them or the file names them.
    pub(super) fn series(
        &self,
        source: &SeriesSource,
        domain: Domain,
        volumes: bool,
        warnings: &mut Vec<String>,
    ) -> std::result::Result<Vec<PriceSeries>, String> {
        let volume = if volumes { Volume::Known } else { Volume::Ignored };
        self.told(self.read(source, SeriesOptions { domain, volume, ..SeriesOptions::default() }), warnings)
    }

    /// Another column of the file of `series`, which is one of the source's, at the same dates.
    pub(super) fn column(
        &self,
        source: &SeriesSource,
        series: &str,
        column: &str,
        domain: Domain,
        warnings: &mut Vec<String>,
    ) -> std::result::Result<PriceSeries, String> {
        let options = SeriesOptions { domain, volume: Volume::Ignored, ..SeriesOptions::default() };
        let named = Some(column.to_owned());
        let source = match source.clone() {
            SeriesSource::Wide(file) => {
                SeriesSource::Wide(crate::config::WideFile { symbols: named.map(|n| vec![n]), ..file })
            }
            SeriesSource::Long(file) => {
                let symbols = Some(vec![series.to_owned()]);
                SeriesSource::Long(crate::config::LongFile { price: named, symbols, ..file })
            }
            SeriesSource::File(file) => {
                SeriesSource::File(crate::config::SeriesFile { price: named, ..file })
            }
            name => {
                let read = self.read(&name, SeriesOptions { price: named, ..options });
                return self.first(self.told(read, warnings)?, column);
            }
        };
        let read = self.told(self.read(&source, options), warnings)?;
        self.first(read, column)
    }

    fn first(&self, read: Vec<PriceSeries>, column: &str) -> std::result::Result<PriceSeries, String> {
        let first = read.into_iter().next().ok_or_else(|| format!("column '{column}' has no value"))?;
        Ok(first.renamed(column))
    }

    fn read(&self, source: &SeriesSource, mut options: SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
        options.max_bytes = self.max_bytes.unwrap_or(options.max_bytes);
        let one =
            |loaded: Loaded<PriceSeries>| Loaded { value: vec![loaded.value], warnings: loaded.warnings };
        match source {
            SeriesSource::Name(name) if is_file_name(name) => {
                read_series(&self.base.join(name), &options).map(one)
            }
            SeriesSource::Name(name) => self.library.series(name, &options).map(one),
            SeriesSource::File(file) => {
                options.price.clone_from(&file.price);
                if let Some(column) = &file.volume {
                    options.volume = Volume::Column(column.clone());
                }
                let (date, date_format) = (file.date.as_ref(), file.date_format.as_deref());
                let keys = SharedKeys { date, date_format, decimal: file.decimal, missing: file.missing };
                keys.set(&mut options);
                read_series(&self.base.join(&file.file), &options)
                    .map(|loaded| one(Loaded { value: loaded.value.renamed(&file.name), ..loaded }))
            }
            SeriesSource::Wide(file) => {
                let (date, date_format) = (file.date.as_ref(), file.date_format.as_deref());
                let keys = SharedKeys { date, date_format, decimal: file.decimal, missing: file.missing };
                keys.set(&mut options);
                read_wide(&self.base.join(&file.wide), &names(file.symbols.as_deref()), &options)
            }
            SeriesSource::Long(file) => {
                options.price.clone_from(&file.price);
                options.symbol.clone_from(&file.symbol);
                if let Some(column) = &file.volume {
                    options.volume = Volume::Column(column.clone());
                }
                let (date, date_format) = (file.date.as_ref(), file.date_format.as_deref());
                let keys = SharedKeys { date, date_format, decimal: file.decimal, missing: file.missing };
                keys.set(&mut options);
                read_long(&self.base.join(&file.long), &names(file.symbols.as_deref()), &options)
            }
        }
    }

    fn told<T>(
        &self,
        loaded: Result<Loaded<T>>,
        warnings: &mut Vec<String>,
    ) -> std::result::Result<T, String> {
        let loaded = loaded.map_err(|e| e.to_string())?;
        for warning in loaded.warnings.iter().map(ToString::to_string) {
            // A file that is read once for each of its columns is told of once.
            if !warnings.contains(&warning) {
                warnings.push(warning);
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
        options.date_format = file.date_format.as_deref().map_or(DateFormat::default(), DateFormat::from);
        options.numbers = file.decimal;
        options.missing = file.missing;
        options.max_bytes = self.max_bytes.unwrap_or(options.max_bytes);
        options
    }

    pub(super) fn table(
        &self,
        source: &TableSource,
        warnings: &mut Vec<String>,
    ) -> std::result::Result<Dataset, String> {
        let table = match source {
            TableSource::Name(name) if is_file_name(name) => {
                let own = symbol_of(name);
                return Err(format!(
                    "a table's file needs a target: {{ name = \"{own}\", file = \"{name}\", target = \"…\" }}"
                ));
            }
            TableSource::Name(name) => self.library.table(name, None),
            TableSource::File(file) => read_table(&self.base.join(&file.file), &self.table_options(file))
                .map(|t| Loaded { value: t.value.renamed(file.name.clone()), ..t }),
        };
        Ok(Dataset::from(self.told(table, warnings)?))
    }
}

impl SharedKeys<'_> {
    fn set(&self, options: &mut SeriesOptions) {
        options.date = self.date.cloned();
        options.date_format = self.date_format.map_or(DateFormat::default(), DateFormat::from);
        options.numbers = self.decimal;
        options.missing = self.missing;
    }
}

fn names(symbols: Option<&[String]>) -> Vec<&str> {
    symbols.into_iter().flatten().map(String::as_str).collect()
}

/// A name with an ending is a file; a bare word is looked up.
fn is_file_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.contains(['/', '\\']) || [".csv", ".gz", ".parquet", ".txt"].iter().any(|e| lower.ends_with(e))
}
