//! A file that is read once by who asks for it several times.

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    DateFormat, Loaded, NumberFormat, PriceSeries, Profile, Result, SeriesOptions, Table, TableOptions,
    file::Source,
    profile,
    series::{each_series, long_series, single_series, wide_series},
    table::table,
};

/// An open file. Clones are the same file.
///
/// ```no_run
/// use tailrank_data::{OpenFile, TableOptions};
/// let file = OpenFile::keeping("prices.csv".as_ref(), None)?;
/// let known = file.profile(Default::default(), &Default::default())?.value;
/// // No number is read again.
/// let table = file.table(&TableOptions::new(known.columns[0].name.clone()))?.value;
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone)]
pub struct OpenFile(Arc<Opened>);

struct Opened {
    source: Source,
    /// The last table that was asked for.
    table: Mutex<Option<(TableOptions, Loaded<Table>)>>,
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenFile").field(&self.0.source.file).finish()
    }
}

impl OpenFile {
    /// The file at `path`, of at most `max_bytes` (by default
    /// [`DEFAULT_MAX_BYTES`](crate::DEFAULT_MAX_BYTES)), for who asks once.
    pub fn once(path: &Path, max_bytes: impl Into<Option<u64>>) -> Result<Self> {
        Ok(Self::of(Source::open(path, max_bytes)?))
    }

    /// As [`OpenFile::once`], for who asks again: the columns read are kept.
    pub fn keeping(path: &Path, max_bytes: impl Into<Option<u64>>) -> Result<Self> {
        Ok(Self::of(Source::open(path, max_bytes)?.keeping()))
    }

    /// A file of this name whose bytes are known, for who asks once.
    pub fn of_bytes(
        name: &str,
        bytes: impl Into<Vec<u8>>,
        max_bytes: impl Into<Option<u64>>,
    ) -> Result<Self> {
        Ok(Self::of(Source::from_bytes(name, bytes.into(), max_bytes)?))
    }

    fn of(source: Source) -> Self {
        Self(Arc::new(Opened { source, table: Mutex::default() }))
    }

    /// What its columns hold, whose numbers are written as `numbers` says and its dates as `dates` says.
    ///
    /// ```
    /// use tailrank_data::{OpenFile, Suspicion};
    /// let csv = b"id,day,colour,size\n1,2008-07-09,red,1.5\n2,2008-07-10,blue,\n3,2008-07-11,red,9\n";
    /// let profile = OpenFile::of_bytes("t.csv", csv, None)?.profile(Default::default(), &Default::default())?.value;
    /// assert_eq!(profile.column("id").and_then(|c| c.suspicion), Some(Suspicion::RowNumber));
    /// assert_eq!(profile.date().map(|c| c.name.as_str()), Some("day"));
    /// assert_eq!(profile.column("size").map(|c| (c.missing, c.distinct)), Some((1, 2)));
    /// assert_eq!(profile.targets().count(), 1);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn profile(&self, numbers: NumberFormat, dates: &DateFormat) -> Result<Loaded<Profile>> {
        profile::of(&self.0.source, numbers, dates)
    }

    /// Its table, as by [`read_table_bytes`](crate::read_table_bytes).
    pub fn table(&self, options: &TableOptions) -> Result<Loaded<Table>> {
        let mut last = self.0.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last.as_ref().filter(|(known, _)| known == options) {
            return Ok(known.clone());
        }
        let read = table(&self.0.source, options)?;
        *last = Some((options.clone(), read.clone()));
        Ok(read)
    }

    /// Its one series, as by [`read_series_bytes`](crate::read_series_bytes).
    pub fn series(&self, options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
        single_series(&self.0.source, options)
    }

    /// Its series beside each other, one column per symbol; no `symbols` means every column with numbers but
    /// the date.
    ///
    /// A column may start late and end early, with a warning; a gap inside it is an error, as in a file of
    /// its own.
    pub fn wide(&self, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
        wide_series(&self.0.source, symbols, options)
    }

    /// Its series one below the other, such as `symbol,date,price`; no `symbols` means all of them, in the
    /// order in which they begin.
    ///
    /// ```
    /// use tailrank_data::OpenFile;
    /// let csv = b"symbol,date,price\nKO,2008-07-10,51\nPEP,2008-07-10,66\nKO,2008-07-11,51.5\n";
    /// let both = OpenFile::of_bytes("prices.csv", csv, None)?.long(&[], &Default::default())?.value;
    /// assert_eq!((both[0].name(), both[0].prices()), ("KO", &[51.0, 51.5][..]));
    /// assert_eq!(both[1].name(), "PEP");
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn long(&self, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
        long_series(&self.0.source, symbols, options)
    }

    /// Its series one below the other, each read or refused by itself.
    ///
    /// # Errors
    /// Where the columns cannot be told or read at all.
    pub fn each(&self, options: &SeriesOptions) -> Result<Vec<(String, Result<PriceSeries>)>> {
        each_series(&self.0.source, options)
    }
}
