//! Times of rows that no single column holds: year, month, day and hour beside each other, or the order of
//! the rows alone.

use std::sync::Arc;

use jiff::civil::Date;

use super::column::Column;
use crate::date::{month_of, without_accents};

/// What `date` is called where rows are in order and have no dates.
pub const ROW_ORDER: &str = "order of rows";

/// A column that is put together from others.
pub(super) struct Joined {
    pub(super) name: String,
    /// The columns it takes.
    pub(super) parts: Vec<usize>,
    /// Whether they are year, then month or quarter, then day and hour where there are such columns; else
    /// rows are counted.
    pub(super) is_calendar: bool,
    has_quarters: bool,
}

const YEAR: [&str; 5] = ["year", "yr", "yyyy", "jahr", "annee"];
const MONTH: [&str; 6] = ["month", "mon", "mo", "mm", "monat", "mois"];
const QUARTER: [&str; 4] = ["quarter", "qtr", "quartal", "trimestre"];
const DAY: [&str; 7] = ["day", "dy", "dd", "dayofmonth", "mday", "tag", "jour"];
const HOUR: [&str; 5] = ["hour", "hr", "hh", "stunde", "heure"];

impl Joined {
    /// The columns that a file may be asked for beside its own; by names alone, so that whoever reads them
    /// looks at their values.
    pub(super) fn all(names: &[String]) -> Vec<Self> {
        let rows =
            || Self { name: ROW_ORDER.to_owned(), parts: vec![0], is_calendar: false, has_quarters: false };
        Self::calendar(names).into_iter().chain((!names.is_empty()).then(rows)).collect()
    }

    fn calendar(names: &[String]) -> Option<Self> {
        let plain =
            |name: &String| without_accents(name).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let plain: Vec<String> = names.iter().map(plain).collect();
        let called = |known: &[&str]| plain.iter().position(|name| known.contains(&name.as_str()));
        let year = called(&YEAR)?;
        let (month, quarter) = (called(&MONTH), called(&QUARTER));
        let mut parts = vec![year, month.or(quarter)?];
        if month.is_some() {
            parts.extend(called(&DAY));
            parts.extend(called(&HOUR).filter(|_| parts.len() == 3));
        }
        let name = parts.iter().map(|i| names[*i].as_str()).collect::<Vec<_>>().join("+");
        Some(Self { name, parts, is_calendar: true, has_quarters: month.is_none() })
    }

    /// The column, from its parts. What is no date stays as it is written.
    pub(super) fn of(&self, parts: &[Arc<Column>]) -> Column {
        let rows = parts.first().map_or(0, |part| part.len());
        if !self.is_calendar {
            let first = Date::constant(2000, 1, 1);
            let day = |row: usize| first.checked_add(jiff::Span::new().try_days(row as i64).ok()?).ok();
            return Column::Stamps((0..rows).map(|row| day(row).map(Into::into)).collect());
        }
        let cells = |row| parts.iter().map(|part| part.text(row).trim().to_owned()).collect::<Vec<String>>();
        Column::Text((0..rows).map(|row| stamp(&cells(row), self.has_quarters)).collect())
    }
}

/// `2008-07-11 16:00`, as far as there are parts; nothing where all are empty.
fn stamp(cells: &[String], quarter: bool) -> String {
    let whole = |i: usize| cells.get(i).map(|cell| cell.strip_suffix(".0").unwrap_or(cell));
    let (Some(year), Some(part)) = (whole(0), whole(1)) else { return String::new() };
    if cells.iter().all(String::is_empty) {
        return String::new();
    }
    if quarter {
        return format!("{year}Q{}", part.trim_start_matches(['Q', 'q']));
    }
    let month = month_of(part).map_or_else(|| part.to_owned(), |month| month.to_string());
    let mut text = format!("{year}-{month:0>2}");
    if let Some(day) = whole(2) {
        text.push_str(&format!("-{day:0>2}"));
    }
    match whole(3) {
        // 1600 is a time, 16 an hour.
        Some(hour) if hour.len() > 2 => text.push_str(&format!(" {hour:0>4}")),
        Some(hour) => text.push_str(&format!(" {hour}:00")),
        None => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_date_are_put_together() {
        let names = |names: &[&str]| -> Vec<String> { names.iter().map(|n| (*n).to_owned()).collect() };
        let found = Joined::all(&names(&["No", "Year", "MO", "day", "hour", "x"]));
        assert_eq!((found[0].name.as_str(), &found[0].parts[..]), ("Year+MO+day+hour", &[1, 2, 3, 4][..]));
        assert_eq!(Joined::all(&names(&["year", "quarter", "hour"]))[0].name, "year+quarter");
        assert_eq!(Joined::all(&names(&["Month", "Day"])).len(), 1, "no year");
        let of = |cells: &[&str]| stamp(&names(cells), false);
        assert_eq!(of(&["2008", "7", "1", "24"]), "2008-07-01 24:00");
        assert_eq!(of(&["2008.0", "Jul", "11", "930"]), "2008-07-11 0930");
        assert_eq!(of(&["2008", "7"]), "2008-07");
        assert_eq!(of(&["", "", ""]), "");
        assert_eq!(stamp(&names(&["2008", "Q3"]), true), "2008Q3");
    }
}
