//! Series and tables in, embeddings and leak-free splits out.
//!
//! A price series is read and checked ([`OpenFile::series`]), embedded as lagged returns ([`Embedding`]) and
//! split so that no training row has seen the test period ([`draw_splits`], [`check_leak`]). Tables go the
//! same road ([`OpenFile::table`], [`Encoder`]). [`Dataset`] is what both become; [`Library`] finds data by
//! name.
//!
//! ```
//! use tailrank_data::{ByDate, Dataset, Date, Day, Embedding, Leak, Library, SplitRows, draw_splits};
//! let ko = Library::default().series("KO", &Default::default())?.value;
//! let task = Dataset::from(Embedding::new(&ko, 3, 24)?);
//! let by_date = ByDate { at: Day(Date::constant(1990, 1, 1)), until: None, validation_at: None };
//! let split = draw_splits(&by_date, &SplitRows::new(&task.timeline(), 1), Leak::Purged)?.remove(0);
//! assert_eq!(split.purged, 2); // exactly h − 1
//! let prepared = task.prepare(&split)?;
//! assert_eq!(prepared.train.inputs.len(), 24 * split.train.len());
//! # Ok::<(), tailrank_data::DataError>(())
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | prices or other values from CSV or Parquet, checked | [`OpenFile::series`], [`OpenFile::wide`], [`OpenFile::long`], [`SeriesOptions`] |
//! | a table with categories and gaps | [`OpenFile::table`], [`TableOptions`], [`Encoder`] |
//! | what is in a file, before anything is decided | [`OpenFile::profile`], [`Profile`] |
//! | returns, differences or levels with their lags | [`Embedding`], [`Transform`], [`ExtraInput`] |
//! | training and test rows that do not see each other | [`draw_splits`], [`Scheme`], [`Split`], [`check_leak`], [`LeakCheck`] |
//! | a kind of split of one's own | [`Scheme`], [`SplitSpec`] |
//! | rows a model is fitted to | [`Dataset::prepare`], [`Scaler`] |
//! | later sessions or new rows behind known ones | [`PriceSeries::followed_by`], [`Table::followed_by`] |
//! | data by name, and what is bundled | [`Library`], [`bundled()`](fn@bundled) |
//! | tables in files and for polars | [`frame::Frame`] |
//! | series that behave like quotes | [`synthetic`] |
//!
//! What is wrong with a file is told by a [`DataError`] with row, column and what to do; what was put right
//! by a [`Warning`].

mod bundled;
mod calendar;
mod dataset;
mod date;
mod embedding;
mod error;
mod file;
pub mod frame;
mod hash;
mod inputs;
mod names;
mod open_file;
pub mod plain_parquet;
mod profile;
mod scale;
mod series;
mod split;
pub mod synthetic;
mod table;
mod timeline;
mod transform;

/// A day of the Gregorian calendar, and one with a time of day.
pub use jiff::civil::{Date, DateTime};

pub use bundled::{Bundled, BundledContent, Library, bundled};
pub use calendar::Calendar;
pub use dataset::{Dataset, Part, Prepared};
pub use date::{DateFormat, Frequency};
pub use embedding::Embedding;
pub use error::{DataError, Loaded, Result, Warning};
pub use file::{DEFAULT_MAX_BYTES, NumberFormat, ROW_ORDER};
pub use hash::ContentHash;
pub use inputs::ExtraInput;
pub use names::symbol_of;
pub use open_file::OpenFile;
pub use profile::{ColumnKind, ColumnProfile, Order, Profile, Suspicion};
pub use scale::Scaler;
pub use series::{Domain, Missing, PriceSeries, SeriesOptions, Volume, read_series_bytes};
pub use split::{
    Bootstrap, ByDate, ByFraction, ByRows, Day, Growing, KFold, Leak, LeakCheck, LeakFinding, LeakLine,
    LeakReport, NamedRows, RowList, Rows, Scheme, Sliding, Split, SplitRows, SplitSettings, SplitSpec,
    Stratify, check_leak, draw_splits, strata_by_class, strata_by_relevance,
};
pub use table::{
    Coding, Encoder, Fill, FillRule, Kind, LabelSpan, RowDates, Table, TableOptions, TargetKind, Values,
    read_table_bytes,
};
pub use timeline::{Interval, Timeline};
pub use transform::{Transform, returns};
