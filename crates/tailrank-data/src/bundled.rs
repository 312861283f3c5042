//! Data sets that come with the crate, and a folder of the user's own that goes before them.

/// A data set from its file's folder and name, with its facts in the order of [`Bundled`].
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use polars::prelude::DataFrame;
use serde::Deserialize;

use crate::{
    DEFAULT_MAX_BYTES, DataError, LabelSpan, Loaded, OpenFile, PriceSeries, Result, RowDates, SeriesOptions,
    Table, TableOptions, TargetKind, file::inflate, frame::parquet_of, read_series_bytes, read_table_bytes,
};

/// One data set that comes with the crate.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Bundled {
    /// The name it is asked for by.
    pub name: &'static str,
    /// Its file in the crate's `data` folder.
    pub file: &'static str,
    /// Series or table.
    pub content: BundledContent,
    /// Rows below the header.
    pub rows: usize,
    /// What it is.
    pub about: &'static str,
    /// Where it comes from.
    pub origin: &'static str,
    /// Under which terms.
    pub licence: &'static str,
    /// The field it is from, such as energy.
    pub domain: &'static str,
    /// Sets of one cluster are not independent: two wines, or shares of one market.
    pub cluster: &'static str,
    /// What an event is, and who cares.
    pub event: &'static str,
    /// Rows that are events by the arena's bounds; none for sets that are no task of the arena.
    pub events: Option<usize>,
    #[serde(skip)]
    pub(crate) bytes: &'static [u8],
}

/// What a bundled file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BundledContent {
    /// Closing prices of one symbol.
    Series,
    /// A regression table with this target.
    Regression {
        /// Target column.
        target: &'static str,
    },
    /// A regression table in time order.
    Dated {
        /// Target column.
        target: &'static str,
        /// Column of the dates.
        date: &'static str,
        /// Column that says what a row is about, where several rows have one date.
        entity: Option<&'static str>,
        /// Dates that the target reaches ahead.
        span: u32,
    },
    /// A classification table with this target.
    Classification {
        /// Target column.
        target: &'static str,
        /// A column that identifies rows and says nothing else.
        ignore: Option<&'static str>,
    },
}

/// What there is to say of each file.
const CATALOGUE: &str = include_str!("../data/bundled.toml");

macro_rules! files {
    ($($name:literal)*) => {
        [$((concat!($name, ".csv.gz"), include_bytes!(concat!("../data/", $name, ".csv.gz")))),*]
    };
}

/// The files by their place in the crate's `data` folder.
static FILES: [(&str, &[u8]); 52] = files! {
    "BA" "GM" "IBM" "KO" "abalone" "boston" "breast_wisconsin" "bupa" "compactiv" "heart_statlog" "hepatitis"
    "pima" "arena/AMD" "arena/BRENT" "arena/NASDAQ" "arena/RRC" "arena/SP500" "arena/VIX" "arena/WTI"
    "arena/airfoil" "arena/aquatic_toxicity" "arena/bikes" "arena/bitcoin" "arena/casp" "arena/ccpp"
    "arena/communities" "arena/concrete" "arena/cpu_performance" "arena/electricity" "arena/excitation"
    "arena/fish_toxicity" "arena/forest_fires" "arena/grid_stability" "arena/hitters" "arena/household"
    "arena/istanbul" "arena/melbourne" "arena/nyc_wind" "arena/page_views" "arena/parking" "arena/pm25"
    "arena/puma32h" "arena/real_estate" "arena/sf_traffic" "arena/solar_power" "arena/sunspots"
    "arena/traffic" "arena/wage" "arena/wind_power" "arena/wine_red" "arena/wine_white" "arena/yacht"
};

impl Bundled {
    /// The file as it stands in the crate.
    pub fn bytes(&self) -> &'static [u8] {
        self.bytes
    }

    /// The file as a CSV text that can be opened anywhere.
    ///
    /// ```
    /// let ba = tailrank_data::Library::default().bundled("BA")?.csv()?;
    /// assert!(ba.starts_with("Date,Close\n1987-03-16,"));
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    ///
    /// # Errors
    /// None of a program that was built whole.
    pub fn csv(&self) -> Result<String> {
        let bytes = inflate(self.file, self.bytes, DEFAULT_MAX_BYTES)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Target, kind and columns to ignore of a bundled table.
    fn table_options(&self) -> TableOptions {
        match self.content {
            BundledContent::Classification { target, ignore } => TableOptions {
                kind: TargetKind::Classification,
                ignore: ignore.map(str::to_owned).into_iter().collect(),
                ..TableOptions::new(target)
            },
            BundledContent::Regression { target } => TableOptions::new(target),
            BundledContent::Dated { target, date, entity, span } => TableOptions {
                date: RowDates::Column(date.to_owned()),
                entity: entity.map(str::to_owned),
                label_span: Some(LabelSpan::Steps(span as usize)),
                ..TableOptions::new(target)
            },
            BundledContent::Series => TableOptions::new("Close"),
        }
    }
}

/// Every bundled data set, ordered by name.
pub fn bundled() -> &'static [Bundled] {
    static ALL: LazyLock<Vec<Bundled>> = LazyLock::new(|| {
        let read: BTreeMap<&str, Vec<Bundled>> = toml::from_str(CATALOGUE).unwrap_or_default();
        let bytes = |file: &str| FILES.iter().find(|(name, _)| *name == file).map(|(_, bytes)| *bytes);
        let sets = read.into_values().flatten();
        let mut all: Vec<Bundled> =
            sets.filter_map(|set| Some(Bundled { bytes: bytes(set.file)?, ..set })).collect();
        all.sort_unstable_by_key(|set| set.name);
        all
    });
    &ALL
}

/// Where data sets are looked up by name: the user's folder, if any, then the bundled ones.
///
/// A folder holds one file per name: `BA.csv`, `BA.csv.gz` or `BA.parquet`.
///
/// ```
/// use tailrank_data::Library;
/// let ibm = Library::default().series("IBM", &Default::default())?.value;
/// assert_eq!(ibm.len(), 9725);
/// assert!(Library::default().series("IMB", &Default::default()).unwrap_err().to_string().contains("\"IBM\""));
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Library {
    folder: Option<PathBuf>,
    max_bytes: Option<u64>,
    /// Frames as Parquet, by name.
    frames: BTreeMap<String, Arc<[u8]>>,
    open: BTreeMap<PathBuf, OpenFile>,
}

impl Library {
    /// Files of `folder` go before bundled ones.
    pub fn with_folder(folder: impl Into<PathBuf>) -> Self {
        Self::default().in_folder(folder)
    }

    /// The same library with another folder.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// The same library with a frame of polars under this name, before files and bundled data. Its content is
    /// what counts: results are kept under the keys that a file with the same values has.
    ///
    /// ```
    /// use polars::prelude::df;
    /// use tailrank_data::{Library, TableOptions, read_table_bytes};
    /// let library = Library::default().with_frame("mine", &df!("x" => [1, 2], "y" => [3.5, 4.0])?)?;
    /// let read = |bytes: &[u8]| read_table_bytes("mine", bytes, &TableOptions::new("y"));
    /// let held = read(library.frame("mine".as_ref()).unwrap())?.value;
    /// assert_eq!(held.content_hash(), read(b"x,y\n1,3.5\n2,4\n")?.value.content_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A column has a type that Parquet does not store.
    pub fn with_frame(mut self, name: impl Into<String>, table: &DataFrame) -> Result<Self> {
        self.frames.insert(name.into(), parquet_of(table.clone(), &[])?.into());
        Ok(self)
    }

    /// The frame of this name, as Parquet.
    pub fn frame(&self, name: &Path) -> Option<&[u8]> {
        self.frames.get(name.to_str()?).map(AsRef::as_ref)
    }

    /// The same library, which takes what is asked of `path` from this file.
    #[must_use]
    pub fn with_open(mut self, path: PathBuf, file: OpenFile) -> Self {
        self.open.insert(path, file);
        self
    }

    /// The file at `path`.
    pub fn open(&self, path: &Path, max_bytes: Option<u64>) -> Result<OpenFile> {
        self.open.get(path).map_or_else(|| OpenFile::once(path, max_bytes), |file| Ok(file.clone()))
    }

    /// The same library, whose tables may be as large as this.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = Some(max_bytes);
        self
    }

    /// A bundled data set by name, of whichever kind.
    ///
    /// # Errors
    /// No data set has this name; the nearest one is said.
    pub fn bundled(&self, name: &str) -> Result<&'static Bundled> {
        self.find(name, |_| true)
    }

    /// A series by name.
    pub fn series(&self, name: &str, options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
        let mut loaded = match (self.frames.get(name), self.own_file(name)) {
            (Some(bytes), _) => read_series_bytes(name, bytes, options)?,
            (None, Some(path)) => OpenFile::once(&path, options.max_bytes)?.series(options)?,
            (None, None) => {
                let found = self.find(name, |b| b.content == BundledContent::Series)?;
                let own = SeriesOptions { volume: options.volume.clone(), ..Default::default() };
                read_series_bytes(found.file, found.bytes, &own)?
            }
        };
        loaded.value = loaded.value.renamed(name);
        Ok(loaded)
    }

    /// A table by name. Without options, a bundled name brings its own target and kind, also for the user's
    /// file.
    pub fn table(&self, name: &str, options: Option<&TableOptions>) -> Result<Loaded<Table>> {
        let bundled = self.find(name, |b| b.content != BundledContent::Series);
        let own = bundled.as_ref().ok().map(|b| b.table_options());
        let mut options = options.or(own.as_ref()).cloned();
        if let (Some(options), Some(max_bytes)) = (&mut options, self.max_bytes) {
            options.max_bytes = Some(max_bytes);
        }
        let mut table = match (self.own_file(name), options) {
            (Some(path), Some(options)) => OpenFile::once(&path, options.max_bytes)?.table(&options)?,
            (Some(path), None) => return Err(no_target(name, &path)),
            (None, options) => {
                let found = bundled?;
                read_table_bytes(found.file, found.bytes, &options.unwrap_or_else(|| found.table_options()))?
            }
        };
        name.clone_into(&mut table.value.name);
        Ok(table)
    }

    /// The user's file of this name. A name that could step out of the folder has none.
    fn own_file(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder.as_deref()?;
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']);
        plain
            .then(|| ENDINGS.iter().map(|e| folder.join(format!("{name}.{e}"))).find(|p| Path::is_file(p)))?
    }

    /// Names of the user's files, sorted.
    fn own_names(&self) -> BTreeSet<String> {
        let entries = self.folder.as_deref().and_then(|folder| std::fs::read_dir(folder).ok());
        let files = entries.into_iter().flatten().flatten().filter_map(|e| e.file_name().into_string().ok());
        let name_of = |file: String| {
            let name = ENDINGS.iter().find_map(|e| file.strip_suffix(&format!(".{e}")))?;
            (!name.is_empty() && !name.starts_with('.')).then(|| name.to_owned())
        };
        files.filter_map(name_of).collect()
    }

    fn find(&self, name: &str, fits: impl Fn(&Bundled) -> bool) -> Result<&'static Bundled> {
        bundled().iter().find(|b| b.name == name && fits(b)).ok_or_else(|| {
            let bundled = bundled().iter().filter(|b| fits(b)).map(|b| b.name.to_owned());
            let has = self.own_names().into_iter().chain(bundled).collect();
            DataError::Unknown { file: None, what: "data set", name: name.to_owned(), has }
        })
    }
}

/// Endings of a user's files, in the order they are tried.
const ENDINGS: [&str; 3] = ["csv", "csv.gz", "parquet"];

fn no_target(name: &str, path: &Path) -> DataError {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let fix = format!("name file and target: {{ name = \"{name}\", file = \"{file}\", target = \"…\" }}");
    let problem = "a table of one's own does not say which column to predict";
    DataError::file(&path.display().to_string(), problem, fix)
}
