//! A table as values: what the formats print.

use tailrank_metrics::{Better, Score};

/// What a cell holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Words from a user's file or a study: escaped by every format.
    Text(String),
    /// A number, printed with three significant digits.
    Number(f64),
    /// A whole number.
    Count(usize),
    /// A share, printed in percent.
    Percent(f64),
    /// A p-value, or its power of ten where it is small.
    P(f64),
    /// No value: an en dash.
    Undefined,
}

impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Self {
        value.filter(|v| v.is_finite()).map_or(Self::Undefined, Self::Number)
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Self {
        score.value().into()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// What stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The best of its column.
    Best,
    /// The second of its column.
    Second,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What it holds.
    pub value: Value,
    /// Best, second or neither.
    pub mark: Mark,
    /// Whether a test says so; the table's notes name the test.
    pub significant: bool,
}

impl<V: Into<Value>> From<V> for Cell {
    fn from(value: V) -> Self {
        Self { value: value.into(), mark: Mark::None, significant: false }
    }
}

/// How a column is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names.
    Left,
    /// Numbers.
    Right,
    /// Sentences, which may wrap.
    Prose,
}

/// A column's heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What stands above it.
    pub heading: String,
    /// How it is set.
    pub align: Align,
}

/// A table for other tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// A name for files: letters, digits and hyphens.
    pub name: String,
    /// One sentence above the table.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// What the marks mean, below the table.
    pub notes: Vec<String>,
}

impl Table {
    pub(super) fn new(name: &str, caption: impl Into<String>, columns: &[(&str, Align)]) -> Self {
        let columns = columns.iter().map(|&(h, align)| Column { heading: h.to_owned(), align }).collect();
        Self { name: name.to_owned(), caption: caption.into(), columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// Marks the best and the second of a column; equals share their mark.
    pub(super) fn mark(&mut self, column: usize, better: Better) {
        let value = |row: &Vec<Cell>| match row[column].value {
            Value::Number(v) | Value::Percent(v) => Some(v),
            _ => None,
        };
        let mut values: Vec<f64> = self.rows.iter().filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        if better == Better::Higher {
            values.reverse();
        }
        // A column in which all are equal has no best.
        let [best, second, ..] = values[..] else { return };
        for row in &mut self.rows {
            let mark = match value(row) {
                Some(v) if v == best => Mark::Best,
                Some(v) if v == second => Mark::Second,
                _ => continue,
            };
            row[column].mark = mark;
        }
    }
}

/// A file name's part from any name: letters and digits of ASCII, the rest hyphens; never empty, never a path.
pub(crate) fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(60) {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_matches('-');
    if out.is_empty() { "unnamed".to_owned() } else { out.to_owned() }
}

/// The power of ten that a small p-value lies below.
pub(super) fn p_exponent(p: f64) -> i32 {
    if p <= 1e-99 { -99 } else { p.log10().floor() as i32 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[Option<f64>]) -> Table {
        let mut table = Table::new("t", "", &[("x", Align::Right)]);
        table.rows = values.iter().map(|&v| vec![Cell::from(v)]).collect();
        table
    }

    #[test]
    fn best_and_second_follow_the_direction() {
        use Mark::{Best, None as No, Second};
        let marks = |table: &Table| table.rows.iter().map(|r| r[0].mark).collect::<Vec<_>>();
        let mut t = column(&[Some(2.0), None, Some(1.0), Some(1.0), Some(3.0)]);
        t.mark(0, Better::Lower);
        assert_eq!(marks(&t), [Second, No, Best, Best, No]);
        let mut t = column(&[Some(2.0), None, Some(1.0)]);
        t.mark(0, Better::Higher);
        assert_eq!(marks(&t), [Best, No, Second]);
        let mut t = column(&[Some(2.0), Some(2.0)]);
        t.mark(0, Better::Higher);
        assert_eq!(marks(&t), [No, No]);
    }

    #[test]
    fn names_of_files_are_harmless() {
        assert_eq!(slug("KO 3d"), "ko-3d");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("日本"), "unnamed");
    }

    #[test]
    fn small_p_values_lie_below_their_power() {
        assert_eq!(p_exponent(3e-14), -13);
        assert_eq!(p_exponent(0.0), -99);
    }
}
