//! What the columns of a file are: the facts from which an experiment is drafted.

use std::collections::HashSet;

use jiff::civil::DateTime;

use crate::{
    DateFormat, Loaded, NumberFormat, Result,
    date::{Dates, Stamp, clock_fault, read_forms},
    file::{Column, ROW_ORDER, ReadAs, Source, Texts, is_missing},
    hash::may_repeat,
    names::quoted,
    series::{DATE, PRICE, SYMBOL, VOLUME, is_known},
};

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// The file.
    pub file: String,
    /// Rows below the header, blank ones at the end left out.
    pub rows: usize,
    /// The columns in their order.
    pub columns: Vec<ColumnProfile>,
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: ColumnKind,
    /// Rows without a value.
    pub missing: usize,
    /// Different values.
    pub distinct: usize,
    /// Whether values rise or fall from row to row.
    pub order: Order,
    /// Why it is likely not to be an input.
    pub suspicion: Option<Suspicion>,
    /// The first few different values.
    pub examples: Vec<String>,
    /// Why a column that begins with dates does not hold dates: the first cell that is none, and what to do.
    pub doubt: Option<String>,
}

/// What the values of a column are.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Numbers.
    Number {
        /// Whether all are whole.
        whole: bool,
        /// The least.
        min: f64,
        /// The largest.
        max: f64,
        /// m₃/m₂^1.5 of the moments about the mean; 0 where all values are equal.
        skewness: f64,
        /// Whether a number shows values that many rows share, such as grades or counts: at most twenty
        /// different ones.
        discrete: bool,
    },
    /// Days or times.
    Date {
        /// How they are written; `Auto` where they are stored as dates.
        format: DateFormat,
        /// Whether day and month could be either.
        ambiguous: bool,
    },
    /// Text.
    Text,
    /// No row has a value.
    Empty,
}

/// Whether values rise or fall from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// None is below the one above it.
    Rising,
    /// None is above the one above it.
    Falling,
    /// Neither.
    None,
}

/// Why a column is likely not to be an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suspicion {
    /// It counts the rows.
    RowNumber,
    /// It names rows: every value is different, or nearly.
    Identifier,
    /// It has the same value in every row.
    Constant,
    /// No row has a value.
    Empty,
}

impl ColumnProfile {
    /// Whether it holds numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, ColumnKind::Number { .. })
    }

    /// Whether it holds dates.
    pub fn is_date(&self) -> bool {
        matches!(self.kind, ColumnKind::Date { .. })
    }
}

impl Profile {
    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The column that most likely tells when rows were seen: one with dates and the name for it, else the
    /// first with dates.
    pub fn date(&self) -> Option<&ColumnProfile> {
        let dates = || self.columns.iter().filter(|column| column.is_date());
        dates().find(|column| is_known(&column.name, DATE)).or_else(|| dates().next())
    }

    /// The column that tells when rows were seen: [`Profile::date`], or one with the name for it that holds
    /// years, months such as 200807, years with a fraction, or seconds since 1970.
    ///
    /// ```
    /// use tailrank_data::OpenFile;
    /// let csv = b"YEAR,SUNACTIVITY\n1700,5\n1701,11\n1702,16\n";
    /// let profile = OpenFile::of_bytes("sunspots.csv", csv, None)?.profile(Default::default(), &Default::default())?.value;
    /// assert!(profile.date().is_none());
    /// assert_eq!(profile.time().map(|c| c.name.as_str()), Some("YEAR"));
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn time(&self) -> Option<&ColumnProfile> {
        let counts_time = |column: &&ColumnProfile| {
            let ColumnKind::Number { whole, min, max, .. } = column.kind else { return false };
            let within = |low: f64, high: f64| min >= low && max <= high;
            // R and pandas leave the names of the rows without a name.
            let unnamed = ["", "rownames", "unnamed: 0"].contains(&column.name.to_lowercase().as_str())
                && column.order == Order::Rising
                && column.distinct == self.rows
                && within(1500.0, 2200.0);
            let known =
                (is_known(&column.name, DATE) || unnamed) && column.missing == 0 && column.distinct > 1;
            let years = within(1500.0, 2200.0) && (whole || column.order == Order::Rising);
            known && (years || whole && (within(150_001.0, 220_012.0) || within(1e8, 4.2e12)))
        };
        self.date().or_else(|| self.columns.iter().find(counts_time))
    }

    /// The column of numbers with the best name for a price, such as `Adj Close` or `Kurs`.
    pub fn price(&self) -> Option<&ColumnProfile> {
        self.named(PRICE).filter(|column| column.is_number())
    }

    /// Columns of prices of several symbols, such as `Close MSFT` and `Close KO` or `MSFT_Close`, by the best
    /// name for a price.
    ///
    /// ```
    /// use tailrank_data::OpenFile;
    /// let csv = b"Date,Close MSFT,Volume MSFT,Close KO,Volume KO\n2008-07-10,25,9,51,8\n2008-07-11,25,7,51,6\n";
    /// let profile = OpenFile::of_bytes("wide.csv", csv, None)?.profile(Default::default(), &Default::default())?.value;
    /// let names: Vec<&str> = profile.price_columns().iter().map(|c| c.name.as_str()).collect();
    /// assert_eq!(names, ["Close MSFT", "Close KO"]);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn price_columns(&self) -> Vec<&ColumnProfile> {
        let parts = |name: &str, price: &str| {
            name.match_indices([' ', '_', '.', '-', '|', '/']).any(|(at, sign)| {
                let (first, second) = (&name[..at], &name[at + sign.len()..]);
                !first.is_empty() && !second.is_empty() && (is_known(first, price) != is_known(second, price))
            })
        };
        let of = |price: &str| {
            let named = self.columns.iter().filter(|c| c.is_number() && parts(&c.name, price));
            named.collect::<Vec<_>>()
        };
        PRICE.split(' ').map(of).find(|columns| columns.len() > 1).unwrap_or_default()
    }

    /// What is known of the rows' order, where the user says that it is that of time.
    pub fn row_order(&self) -> ColumnProfile {
        ColumnProfile {
            name: ROW_ORDER.to_owned(),
            kind: ColumnKind::Date { format: DateFormat::Auto, ambiguous: false },
            missing: 0,
            distinct: self.rows,
            order: Order::Rising,
            suspicion: None,
            examples: Vec::new(),
            doubt: None,
        }
    }

    /// The column that says which series a row belongs to, such as `symbol`.
    pub fn symbol(&self) -> Option<&ColumnProfile> {
        self.named(SYMBOL)
    }

    /// The column with volumes.
    pub fn volume(&self) -> Option<&ColumnProfile> {
        self.named(VOLUME).filter(|column| column.is_number())
    }

    fn named(&self, names: &str) -> Option<&ColumnProfile> {
        names.split(' ').find_map(|name| self.columns.iter().find(|column| is_known(&column.name, name)))
    }

    /// Columns of numbers that could be predicted: neither constant nor counting or naming rows.
    pub fn targets(&self) -> impl Iterator<Item = &ColumnProfile> {
        self.columns.iter().filter(|column| column.is_number() && column.suspicion.is_none())
    }
}

/// Looks at every column of a file.
pub(crate) fn of(source: &Source, numbers: NumberFormat, dates: &DateFormat) -> Result<Loaded<Profile>> {
    dates.check()?;
    let mut warnings = source.notes.clone();
    let wanted: Vec<(usize, ReadAs)> = (0..source.own().len()).map(|i| (i, ReadAs::Number)).collect();
    let columns = source.shared(&wanted, numbers, &mut warnings)?;
    let rows = columns.first().map_or(0, |column| column.len());
    let described =
        columns.iter().zip(source.own()).map(|(column, name)| describe(name, column, rows, dates));
    let mut columns: Vec<ColumnProfile> = described.collect();
    // Year, month and day beside each other are dates where no column holds any.
    if let Some(at) = source.calendar().filter(|_| !columns.iter().any(ColumnProfile::is_date)) {
        let read = source.read(&[(at, ReadAs::Date)], numbers, &mut Vec::new())?;
        let joined = read.iter().map(|column| describe(&source.names[at], column, rows, &DateFormat::Auto));
        columns.extend(joined.filter(ColumnProfile::is_date));
    }
    Ok(Loaded { value: Profile { file: source.file.clone(), rows, columns }, warnings })
}

fn describe(name: &str, column: &Column, rows: usize, format: &DateFormat) -> ColumnProfile {
    let forms = format.tried(is_known(name, DATE));
    let facts = match column {
        Column::Numbers(values) => number_facts(name, &values[..rows.min(values.len())], &forms),
        Column::Text(texts) => {
            let cells: Vec<&str> =
                texts.iter().take(rows).map(str::trim).filter(|c| !is_missing(c)).collect();
            words(&cells, &forms)
        }
        Column::Stamps(stamps) => {
            let times: Vec<DateTime> = stamps.iter().take(rows).flatten().map(Stamp::shown).collect();
            dates(&times, DateFormat::Auto, false)
        }
    };
    let Facts { kind, present, distinct, order } = facts.unwrap_or(NOTHING);
    let is_named = distinct == present && names_rows(name);
    let suspicion = match (&kind, order) {
        (ColumnKind::Empty, _) => Some(Suspicion::Empty),
        _ if distinct == 1 && present > 1 => Some(Suspicion::Constant),
        (ColumnKind::Number { whole: true, min, max, .. }, Order::Rising)
            if present == rows && distinct == rows && max - min == (rows - 1) as f64 && rows > 1 =>
        {
            Some(Suspicion::RowNumber)
        }
        (ColumnKind::Number { whole: true, .. }, _) if is_named && present > 1 => Some(Suspicion::Identifier),
        // As inputs such a column would be nearly one for every row.
        (ColumnKind::Text, _) if is_named || distinct > 20 && distinct * 2 > present => {
            Some(Suspicion::Identifier)
        }
        _ => None,
    };
    let mut shown = HashSet::new();
    let cells = (0..rows.min(column.len())).map(|row| column.text(row).trim().to_owned());
    let examples = cells.filter(|cell| !is_missing(cell) && shown.insert(cell.clone())).take(3).collect();
    let doubt = match (&kind, column) {
        (ColumnKind::Text, Column::Text(texts)) => broken_dates(texts, rows, &forms),
        _ => None,
    };
    let (name, missing) = (name.to_owned(), rows - present.min(rows));
    ColumnProfile { name, doubt, kind, missing, distinct, order, suspicion, examples }
}

/// What is wrong with a column that begins with dates.
fn broken_dates(texts: &Texts, rows: usize, forms: &[DateFormat]) -> Option<String> {
    let present = || texts.iter().take(rows).enumerate().filter(|(_, cell)| !is_missing(cell.trim()));
    let first = present().next()?;
    let bad = |form: &DateFormat| {
        form.stamp(first.1)?;
        present().find(|(_, cell)| form.stamp(cell).is_none())
    };
    // The form that most rows are written in fails last.
    let (row, cell) = match forms.iter().filter_map(bad).max_by_key(|(row, _)| *row) {
        Some(found) => found,
        None => clock_fault(first.1).map(|_| first)?,
    };
    let (problem, fix) = clock_fault(cell).unwrap_or(("is not a date like those above it", "correct it"));
    Some(format!("row {}: {} {problem}; {fix}", row + 1, quoted(cell)))
}

struct Facts {
    kind: ColumnKind,
    present: usize,
    distinct: usize,
    order: Order,
}

/// Of a column without a value.
const NOTHING: Facts = Facts { kind: ColumnKind::Empty, present: 0, distinct: 0, order: Order::None };

impl Facts {
    fn of<T: PartialOrd>(kind: ColumnKind, values: &[T], distinct: usize) -> Self {
        Self { kind, present: values.len(), distinct, order: order_of(values) }
    }
}

pub(crate) fn names_rows(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.is_empty()
        || words
            .iter()
            .any(|w| ["id", "index", "row", "rownames", "no", "nr", "key", "uuid", "unnamed"].contains(w))
        || name.ends_with("id")
}

/// The facts of each kind of column are none where it has no value.
fn number_facts(name: &str, values: &[f64], forms: &[DateFormat]) -> Option<Facts> {
    let present: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    let min = present.iter().copied().min_by(f64::total_cmp)?;
    let max = present.iter().copied().max_by(f64::total_cmp)?;
    // Eight digits in a column that is named as a date are days; where a format was said, any column may hold
    // them.
    if is_known(name, DATE) || forms.len() == 1 {
        let cells: Vec<String> = present.iter().map(f64::to_string).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let facts = words(&cells, forms).filter(|facts| matches!(facts.kind, ColumnKind::Date { .. }));
        if facts.is_some() {
            return facts;
        }
    }
    // 0 and −0 are one value.
    let repeated = may_repeat(present.len(), |row| (present[row] + 0.0).to_bits());
    let mut values: Vec<f64> = repeated.iter().map(|row| present[*row]).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let distinct = present.len() - repeated.len() + values.len();
    let kind = ColumnKind::Number {
        whole: present.iter().all(|v| v.fract() == 0.0),
        min,
        max,
        skewness: skewness(&present),
        discrete: distinct <= 20 && distinct * 2 <= present.len(),
    };
    Some(Facts::of(kind, &present, distinct))
}

/// g₁ = m₃ / m₂^1.5, the coefficient of skewness of the moments about the mean.
fn skewness(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for v in values {
        squares += (v - mean).powi(2);
        cubes += (v - mean).powi(3);
    }
    let spread = squares / n;
    if spread > 0.0 { cubes / n / spread.powf(1.5) } else { 0.0 }
}

fn words(cells: &[&str], forms: &[DateFormat]) -> Option<Facts> {
    cells.first()?;
    let likely = |year: i16| (1800..2200).contains(&year);
    let all = |form: &DateFormat| match read_forms(std::slice::from_ref(form), &|| cells.iter().copied()) {
        Dates::Read(stamps) if stamps.iter().flatten().all(|s| likely(s.date.year())) => {
            Some(stamps.into_iter().flatten().map(|s| s.instant()).collect::<Vec<DateTime>>())
        }
        _ => None,
    };
    let read: Vec<(DateFormat, Vec<DateTime>)> =
        forms.iter().filter_map(|form| Some((form.clone(), all(form)?))).collect();
    // Where day and month could be either, the form that puts the rows in order is the likely one; where
    // several do, as with the first days of months, none is.
    let ordered = |(_, times): &(DateFormat, Vec<DateTime>)| order_of(times) != Order::None;
    let best = read.iter().position(ordered).unwrap_or(0);
    if let Some((form, times)) = read.get(best) {
        let ambiguous = read.iter().any(|(_, other)| other != times);
        let doubtful = ambiguous && read.iter().any(|other| ordered(other) && other.1 != *times);
        let facts = dates(times, form.clone(), ambiguous)?;
        return Some(if doubtful { Facts { order: Order::None, ..facts } } else { facts });
    }
    Some(Facts::of(ColumnKind::Text, cells, cells.iter().collect::<HashSet<_>>().len()))
}

fn dates(times: &[DateTime], format: DateFormat, ambiguous: bool) -> Option<Facts> {
    times.first()?;
    let distinct = times.iter().collect::<HashSet<_>>().len();
    Some(Facts::of(ColumnKind::Date { format, ambiguous }, times, distinct))
}

fn order_of<T: PartialOrd>(values: &[T]) -> Order {
    if values.is_sorted() {
        Order::Rising
    } else if values.is_sorted_by(|a, b| a >= b) {
        Order::Falling
    } else {
        Order::None
    }
}
