//! What a file is: one series, several below or beside each other, or a table.

use tailrank_data::{
    ColumnKind, ColumnProfile, DateFormat, Domain, Missing, NumberFormat, OpenFile, Order as RowOrder,
    PriceSeries, Profile, ROW_ORDER, SeriesOptions, Suspicion, Transform, Volume,
};

use super::{
    InitArguments, Order, Panel,
    moves::{is_persistent, is_slow, like_prices},
    question::{Reading, Refusal},
    series::FEWEST,
};

/// A file and what the user said of it.
pub(super) struct Look<'a> {
    pub(super) arguments: &'a InitArguments,
    pub(super) profile: &'a Profile,
    pub(super) file: &'a OpenFile,
    /// The column that tells when rows were seen, or their order where the user said so.
    pub(super) time: Option<ColumnProfile>,
}

/// Series that are left out, each with the reason.
type LeftOut = Vec<(String, String)>;

/// The series of a file, as they were read.
#[derive(Default)]
pub(super) struct SeriesLook {
    pub(super) series: Vec<PriceSeries>,
    pub(super) date: String,
    /// The column of values; none in a wide file.
    pub(super) value: Option<String>,
    /// The column that names the series of a long file.
    pub(super) symbol: Option<String>,
    /// Series of a long file that are left out.
    pub(super) left_out: LeftOut,
    /// Rows without a value are dropped.
    pub(super) drops: bool,
    /// The values are prices: by the name of their column, and as they move.
    pub(super) priced: bool,
}

impl<'a> Look<'a> {
    pub(super) fn new(arguments: &'a InitArguments, profile: &'a Profile, file: &'a OpenFile) -> Self {
        let time = if arguments.order.is_some() {
            Some(profile.row_order())
        } else {
            profile.time().filter(|time| !arguments.ignore.contains(&time.name)).cloned()
        };
        Self { arguments, profile, file, time }
    }

    /// Whether the user wants the column left out.
    pub(super) fn ignores(&self, column: &ColumnProfile) -> bool {
        self.arguments.ignore.contains(&column.name)
    }

    /// The series of the file; none where it is a table.
    pub(super) fn series(&self) -> Result<Option<SeriesLook>, Refusal> {
        let InitArguments { target, horizon, kind, panel, .. } = self.arguments;
        self.check_names()?;
        let of_future = !horizon.is_empty() || kind.is_some() || *panel == Some(Panel::Each);
        if target.is_some() && !of_future || *panel == Some(Panel::Together) {
            return Ok(None);
        }
        let Some(time) = &self.time else { return self.without_time() };
        if let ColumnKind::Date { ambiguous: true, .. } = time.kind
            && self.written_format(time).is_none()
        {
            return Err(ambiguous(time));
        }
        let found = match target {
            Some(target) => self.column_series(time, target)?,
            None => self.any_series(time)?,
        };
        if found.is_none() && !horizon.is_empty() {
            let needed = "--horizon needs a series; say which column it is to predict with --target";
            return Err(needed.to_owned().into());
        }
        Ok(found)
    }

    /// Whether the first line holds names, and those that were typed are among them.
    fn check_names(&self) -> Result<(), String> {
        let (profile, InitArguments { target, ignore, .. }) = (self.profile, self.arguments);
        if is_headless(profile) {
            let needed = "its first line holds values, not names; add a line with the columns' names";
            return Err(needed.to_owned());
        }
        if let Some(name) = target.iter().chain(ignore).find(|name| profile.column(name).is_none()) {
            let names: Vec<&str> = profile.columns.iter().map(|c| c.name.as_str()).collect();
            return Err(format!("no column is called '{name}'; there are {}", names.join(", ")));
        }
        if let Some(target) = target.as_ref().filter(|target| ignore.contains(target)) {
            let instead = "take it out of --ignore, or name another --target";
            return Err(format!("'{target}' is the column to predict; {instead}"));
        }
        Ok(())
    }

    /// A file whose rows have no dates: a table, unless it has nothing but one column of numbers, or the user wants the future.
    fn without_time(&self) -> Result<Option<SeriesLook>, Refusal> {
        let columns = &self.profile.columns;
        let broken = columns.iter().filter(|c| !self.ignores(c)).find_map(|c| Some((c, c.doubt.as_ref()?)));
        if let Some((ColumnProfile { name, .. }, doubt)) = broken {
            return Err(format!("column '{name}', {doubt}, or leave the column out with --ignore").into());
        }
        let numbers: Vec<&ColumnProfile> = self.profile.targets().filter(|c| !self.ignores(c)).collect();
        let says_nothing = |c: &ColumnProfile| c.suspicion.is_some_and(|why| why != Suspicion::Constant);
        let alone = self.arguments.target.is_none()
            && numbers.len() == 1
            && columns.iter().all(|c| c.name == numbers[0].name || says_nothing(c));
        if self.arguments.horizon.is_empty() && self.arguments.kind.is_none() && !alone {
            return Ok(None);
        }
        let in_order: Reading = ("rows are in the order of time", |arguments| {
            arguments.order = Some(Order::Rows);
            if arguments.horizon.is_empty() {
                arguments.horizon = vec![1];
            }
        });
        let text = "no column holds dates, so nothing tells which row comes first".to_owned();
        if alone {
            return Err(Refusal::ask(text, [in_order]));
        }
        let table: Reading = ("rows are cases of a table", |arguments| arguments.horizon.clear());
        Err(Refusal::ask(text, [in_order, table]))
    }

    /// `day-first` or `month-first`, where the dates need it and their order or their points tell which.
    pub(super) fn written_format(&self, time: &ColumnProfile) -> Option<String> {
        if let Some(told) = &self.arguments.date_format {
            return Some(told.clone());
        }
        let ColumnKind::Date { format, ambiguous: true } = &time.kind else { return None };
        let points = time.examples.iter().all(|e| e.contains('.'));
        let ordered = time.order != RowOrder::None;
        match format {
            // 01.02.2008 is written where days come first.
            _ if points => Some("day-first".to_owned()),
            DateFormat::DayFirst if ordered => Some("day-first".to_owned()),
            DateFormat::MonthFirst if ordered => Some("month-first".to_owned()),
            _ => None,
        }
    }

    /// How the dates of a column are to be read.
    pub(super) fn date_format(&self, time: &ColumnProfile) -> DateFormat {
        self.written_format(time).as_deref().map_or(DateFormat::Auto, DateFormat::from)
    }

    fn any_series(&self, time: &ColumnProfile) -> Result<Option<SeriesLook>, Refusal> {
        let values = self.values(time);
        if let Some(price) = self.profile.price().filter(|p| p.name != time.name && !self.ignores(p)) {
            let found = self.column_series(time, &price.name)?;
            // Prices of houses or cars have dates, too; those of a market stay near the last one.
            let beside = values.iter().any(|c| c.name != price.name && !of_a_market(&c.name));
            let walks = |s: &PriceSeries| is_persistent(s.prices());
            return Ok(found.filter(|found| !beside || found.series.iter().all(walks)));
        }
        match &values[..] {
            [] => Ok(None),
            [only] => self.column_series(time, &only.name),
            several => Ok(self.wide(time, several)),
        }
    }

    /// Columns of numbers that may be values of a series.
    fn values(&self, time: &ColumnProfile) -> Vec<&ColumnProfile> {
        let is = |other: Option<&ColumnProfile>, c: &ColumnProfile| other.is_some_and(|o| o.name == c.name);
        let may_be = |c: &&ColumnProfile| {
            let counts = matches!(c.suspicion, Some(Suspicion::RowNumber | Suspicion::Identifier));
            let taken = is_of_time(time, c) || is(self.profile.symbol(), c) || self.ignores(c);
            c.is_number() && !counts && !taken
        };
        let numbers: Vec<&ColumnProfile> = self.profile.columns.iter().filter(may_be).collect();
        let without: Vec<&ColumnProfile> =
            numbers.iter().copied().filter(|c| !is(self.profile.volume(), c)).collect();
        if without.is_empty() { numbers } else { without }
    }

    /// The series of one column: alone, or one below the other where dates repeat. An error where the file was meant so
    /// and cannot be read.
    fn column_series(&self, time: &ColumnProfile, value: &str) -> Result<Option<SeriesLook>, Refusal> {
        let asked = self.arguments.target.is_some();
        let Some(column) = self.profile.column(value).filter(|c| c.is_number()) else {
            return Err(
                format!("column '{value}' does not hold numbers; name another one with --target").into()
            );
        };
        // A name such as `value` says nothing of a price.
        let is_generic = value.trim().eq_ignore_ascii_case("value");
        let by_name = self.profile.price().is_some_and(|p| p.name == value && !is_generic);
        let look = |series: Vec<PriceSeries>| SeriesLook {
            // A name alone makes no price: values above zero that stay near the last one do.
            // A price below zero is asked about, unless the column was named.
            priced: by_name
                && series.iter().all(|s| if s.is_positive() { is_slow(s.prices()) } else { !asked }),
            series,
            date: time.name.clone(),
            value: Some(value.to_owned()),
            drops: column.missing > 0,
            ..SeriesLook::default()
        };
        let problem = match self.file.series(&self.options(time, Some(value), column.missing > 0)) {
            Ok(one) => {
                let open = !by_name && self.arguments.kind.is_none() && is_capital(value);
                if open && like_prices(one.value.prices()) {
                    return Err(prices_or_values(value));
                }
                return Ok(Some(look(vec![one.value])));
            }
            Err(problem) => problem,
        };
        if let Some((entity, series, left_out)) = self.entities(time, value) {
            if self.arguments.panel.is_none() && self.has_inputs(time, &entity, value) {
                return Err(each_or_together(&entity, series.len()));
            }
            return Ok(Some(SeriesLook { symbol: Some(entity), left_out, ..look(series) }));
        }
        // Dates that come twice may be those of a table, which is no mistake.
        if !asked && time.distinct * 10 < 9 * self.profile.rows {
            return Ok(None);
        }
        Err(problem.to_string().into())
    }

    /// The column that says what rows are about, where each date has a row of several, with its series and those left out: most can be
    /// read.
    pub(super) fn entities(
        &self,
        time: &ColumnProfile,
        value: &str,
    ) -> Option<(String, Vec<PriceSeries>, LeftOut)> {
        let rows = self.profile.rows.max(1);
        let is_text = |c: &&ColumnProfile| c.kind == ColumnKind::Text;
        let usable = |c: &&ColumnProfile| {
            let is_name = is_text(c) || matches!(c.kind, ColumnKind::Number { whole: true, .. });
            let repeats = c.distinct > 1 && c.distinct * 5 <= rows;
            is_name && repeats && c.name != value && !is_of_time(time, c)
        };
        let (texts, numbers): (Vec<_>, Vec<_>) =
            self.profile.columns.iter().filter(usable).partition(is_text);
        let drops = self.profile.column(value).is_some_and(|c| c.missing > 0);
        let options = self.options(time, Some(value), drops);
        for column in
            self.profile.symbol().into_iter().filter(|c| c.name != value).chain(texts).chain(numbers)
        {
            let options = SeriesOptions { symbol: Some(column.name.clone()), ..options.clone() };
            let Ok(read) = self.file.each(&options) else { continue };
            let all = read.len();
            let (mut series, mut left_out) = (Vec::new(), Vec::new());
            for (name, found) in read {
                match found {
                    Ok(one) if one.len() >= FEWEST => series.push(one),
                    Ok(one) => left_out.push((name, format!("has only {} values", one.len()))),
                    Err(error) => left_out.push((name, error.to_string())),
                }
            }
            if series.len() > 1 && series.len() * 4 >= all * 3 {
                return Some((column.name.clone(), series, left_out));
            }
        }
        None
    }

    /// Whether a table of these rows has inputs beside its date, entity and target.
    fn has_inputs(&self, time: &ColumnProfile, entity: &str, value: &str) -> bool {
        self.profile.columns.iter().any(|c| {
            let taken = c.name == entity || c.name == value || is_of_time(time, c);
            !taken && c.suspicion.is_none() && !c.is_date() && !self.ignores(c)
        })
    }

    /// One series per column: prices of symbols as `Close MSFT`, or columns that are all named in capitals and move as prices do.
    fn wide(&self, time: &ColumnProfile, values: &[&ColumnProfile]) -> Option<SeriesLook> {
        let ticker = |c: &&ColumnProfile| {
            let name = c.name.trim();
            let sign = |ch: char| ch.is_ascii_uppercase() || ch.is_ascii_digit() || "^.-=_".contains(ch);
            let first = |ch: char| ch.is_ascii_uppercase() || ch == '^';
            name.len() <= 8 && name.chars().all(sign) && name.starts_with(first)
        };
        let of_symbols = self.profile.price_columns();
        if of_symbols.is_empty() && !values.iter().all(ticker) {
            return None;
        }
        let columns = if of_symbols.is_empty() { values } else { &of_symbols };
        let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        let read = |drops: bool| self.file.wide(&names, &self.options(time, None, drops)).ok();
        let (series, drops) = match read(false) {
            Some(read) => (read.value, false),
            None => (read(true)?.value, true),
        };
        let date = time.name.clone();
        let is_priced = series.iter().all(|s| like_prices(s.prices()));
        is_priced.then(|| SeriesLook { series, date, drops, priced: true, ..SeriesLook::default() })
    }

    fn options(&self, time: &ColumnProfile, value: Option<&str>, drops: bool) -> SeriesOptions {
        SeriesOptions {
            date: Some(time.name.clone()),
            price: value.map(str::to_owned),
            volume: Volume::Ignored,
            date_format: self.date_format(time),
            numbers: self.arguments.decimal.unwrap_or_default(),
            domain: Domain::Real,
            missing: if drops { Missing::Drop } else { Missing::Refuse },
            ..SeriesOptions::default()
        }
    }

    /// Whether rows are in order by the user's word alone.
    pub(super) fn is_by_rows(&self) -> bool {
        self.time.as_ref().is_some_and(|time| time.name == ROW_ORDER)
    }
}

/// Whether a column is that of the time, or one of several that make it up.
fn is_of_time(time: &ColumnProfile, column: &ColumnProfile) -> bool {
    time.name == column.name || time.name.split('+').any(|part| part == column.name)
}

fn ambiguous(time: &ColumnProfile) -> Refusal {
    let example = time.examples.first().map_or("", String::as_str);
    let text =
        format!("the dates of '{}' are ambiguous: {example} may be day first or month first", time.name);
    let readings: [Reading; 2] = [
        ("the day comes first", |arguments| arguments.date_format = Some("day-first".to_owned())),
        ("the month comes first", |arguments| arguments.date_format = Some("month-first".to_owned())),
    ];
    Refusal::ask(text, readings)
}

/// Capitals may name a stock or a river.
fn prices_or_values(value: &str) -> Refusal {
    let text =
        format!("column '{value}' moves as prices do, and its name does not tell whether it holds some");
    let readings: [Reading; 2] = [
        ("prices: predict their returns", |arguments| arguments.kind = Some(Transform::Return)),
        ("other values: predict their changes", |arguments| arguments.kind = Some(Transform::Difference)),
    ];
    Refusal::ask(text, readings)
}

fn each_or_together(entity: &str, series: usize) -> Refusal {
    let text = format!("it holds {series} series, one for each '{entity}'");
    let together = "one task for all, from the other columns of the row";
    let readings: [Reading; 2] = [
        ("a task for each, from its own past", |arguments| arguments.panel = Some(Panel::Each)),
        (together, |arguments| arguments.panel = Some(Panel::Together)),
    ];
    Refusal::ask(text, readings)
}

/// Whether the line of names holds values: each of them fits the column below it, and numbers or dates are among them. Years beside each
/// other are names of columns.
fn is_headless(profile: &Profile) -> bool {
    let number = |c: &ColumnProfile| {
        let name = c.name.trim();
        [NumberFormat::Auto, NumberFormat::Point, NumberFormat::Comma].iter().find_map(|f| f.parse(name))
    };
    let fits = |c: &ColumnProfile| match &c.kind {
        ColumnKind::Number { .. } => number(c).is_some(),
        ColumnKind::Date { format, .. } => format.parse(&c.name).is_some(),
        ColumnKind::Text | ColumnKind::Empty => true,
        _ => false,
    };
    let values: Vec<f64> = profile.columns.iter().filter(|c| c.is_number()).filter_map(number).collect();
    let years = values.len() > 2 && values.windows(2).all(|w| w[1] - w[0] == 1.0) && values[0] >= 1500.0;
    let typed = profile.columns.iter().any(|c| c.is_number() || c.is_date());
    typed && !years && profile.columns.iter().all(fits)
}

/// Columns that stand beside a closing price, in several languages.
fn of_a_market(name: &str) -> bool {
    const PARTS: &str = "open high low close adj vol eroffnung eröffnung hoch tief schluss ouv haut bas apertura máximo mínimo";
    let name = name.to_lowercase();
    PARTS.split(' ').any(|part| name.contains(part))
}

/// Capitals alone, as symbols are written; so are rain (`PRCP`) and rivers (`FLOW`).
fn is_capital(name: &str) -> bool {
    (1..=5).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase())
}
