//! Numbers from columns: gaps filled, levels one-hot, both learned from the training rows alone.

use std::{fmt, ops::Range};

use super::{Table, TableColumn, Values};
use crate::{DataError, Result, Warning, names::quoted};

/// What becomes of the levels of a categorical column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coding {
    /// One input per level, 0 or 1.
    #[default]
    OneHot,
    /// One input: the level's number if all levels of the column are numbers, else its place among the levels
    /// of the training rows.
    Number,
}

/// How each column of a table becomes numbers.
///
/// ```
/// use tailrank_data::{Encoder, TableOptions, read_table_bytes};
/// let csv = b"size,colour,cost\n1,red,2\n,blue,3\n5,green,4\n";
/// let table = read_table_bytes("t.csv", csv, &TableOptions::new("cost"))?.value;
/// let encoder = Encoder::fit(&table, 0..2)?; // the first two rows train
/// assert_eq!(encoder.names(), ["size", "colour=blue", "colour=red"]);
/// assert_eq!(encoder.encode(&table, 0..3), [1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 5.0, 0.0, 0.0]);
/// assert_eq!(encoder.unseen(&table, 2..3).len(), 1); // green
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Encoder {
    columns: Vec<ColumnCode>,
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum ColumnCode {
    Numeric {
        fill: f64,
    },
    Categorical {
        fill: u32,
        /// The place of each level among the columns, `None` for levels that training rows do not have.
        place: Vec<Option<usize>>,
        width: usize,
        /// Where levels are coded as numbers, that of each; NaN for named levels that training rows do not
        /// have, which count as missing.
        numbers: Option<Vec<f64>>,
    },
}

impl Encoder {
    /// Learns medians, modes and levels from `train`; levels become one-hot.
    pub fn fit(table: &Table, train: impl Iterator<Item = usize> + Clone) -> Result<Self> {
        Self::fit_as(table, train, Coding::OneHot)
    }

    /// As [`Encoder::fit`], with levels coded as asked.
    ///
    /// ```
    /// use tailrank_data::{Coding, Encoder, TableOptions, read_table_bytes};
    /// let csv = b"stage,colour,cost\n4,red,2\n?,blue,3\n7,green,4\n";
    /// let options = TableOptions { categorical: vec!["stage".into()], ..TableOptions::new("cost") };
    /// let table = read_table_bytes("t.csv", csv, &options)?.value;
    /// let encoder = Encoder::fit_as(&table, 0..2, Coding::Number)?; // the first two rows train
    /// assert_eq!(encoder.names(), ["stage", "colour"]);
    /// // 7 is a number training has not seen; green is a name it has not seen, and becomes the commonest one.
    /// assert_eq!(encoder.encode(&table, 0..3), [4.0, 1.0, 4.0, 0.0, 7.0, 0.0]);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn fit_as(table: &Table, train: impl Iterator<Item = usize> + Clone, coding: Coding) -> Result<Self> {
        let (mut columns, mut names) = (Vec::with_capacity(table.columns.len()), Vec::new());
        for column in table.columns.iter() {
            let nothing = || {
                let problem = format!("column {} has no value in the training rows", quoted(&column.name));
                DataError::file(&table.name, problem, "list it under `ignore`, or train on more rows")
            };
            match &column.values {
                Values::Numeric(values) => {
                    let fill = median(train.clone().map(|r| values[r])).ok_or_else(nothing)?;
                    columns.push(ColumnCode::Numeric { fill });
                    names.push(column.name.clone());
                }
                Values::Categorical { codes, levels } => {
                    let fill = mode(train.clone().map(|r| codes[r]), levels.len()).ok_or_else(nothing)?;
                    let mut seen = vec![false; levels.len()];
                    train.clone().filter_map(|r| codes[r]).for_each(|c| seen[c as usize] = true);
                    let mut next = 0..;
                    let place: Vec<Option<usize>> =
                        seen.iter().map(|seen| if *seen { next.next() } else { None }).collect();
                    let numbers = (coding == Coding::Number).then(|| level_numbers(levels, &place));
                    let before = names.len();
                    match numbers {
                        Some(_) => names.push(column.name.clone()),
                        None => {
                            let kept = levels.iter().zip(&seen).filter(|(_, seen)| **seen);
                            names.extend(kept.map(|(level, _)| format!("{}={level}", column.name)));
                        }
                    }
                    let width = names.len() - before;
                    columns.push(ColumnCode::Categorical { fill, place, width, numbers });
                }
            }
        }
        Ok(Self { columns, names })
    }

    /// Names of the encoded inputs.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The encoded inputs of each category: all its levels, or the one input that holds its number.
    ///
    /// ```
    /// use tailrank_data::{Encoder, TableOptions, read_table_bytes};
    /// let csv = b"size,colour,cost\n1,red,2\n3,blue,3\n5,green,4\n";
    /// let table = read_table_bytes("t.csv", csv, &TableOptions::new("cost"))?.value;
    /// let encoder = Encoder::fit(&table, 0..3)?;
    /// assert_eq!(encoder.names(), ["size", "colour=blue", "colour=green", "colour=red"]);
    /// assert_eq!(encoder.categories(), [1..4]);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn categories(&self) -> Vec<Range<usize>> {
        let mut next = 0;
        let mut found = Vec::new();
        for code in &self.columns {
            next += match code {
                ColumnCode::Numeric { .. } => 1,
                ColumnCode::Categorical { width, .. } => {
                    found.push(next..next + width);
                    *width
                }
            };
        }
        found
    }

    /// Number of encoded inputs.
    pub fn cols(&self) -> usize {
        self.names.len()
    }

    /// The chosen rows as numbers, row after row. A level unknown to training is all zeros.
    pub fn encode(&self, table: &Table, rows: impl Iterator<Item = usize>) -> Vec<f64> {
        let mut out = Vec::with_capacity(rows.size_hint().0 * self.cols());
        for row in rows {
            for (code, column) in self.columns.iter().zip(table.columns.iter()) {
                match (code, &column.values) {
                    (ColumnCode::Numeric { fill }, Values::Numeric(values)) => {
                        out.push(if values[row].is_nan() { *fill } else { values[row] });
                    }
                    (
                        ColumnCode::Categorical { fill, place, width, numbers },
                        Values::Categorical { codes, .. },
                    ) => {
                        if let Some(numbers) = numbers {
                            let number = codes[row].map_or(f64::NAN, |level| numbers[level as usize]);
                            out.push(if number.is_nan() { numbers[*fill as usize] } else { number });
                            continue;
                        }
                        let from = out.len();
                        out.resize(from + width, 0.0);
                        let level = codes[row].unwrap_or(*fill) as usize;
                        if let Some(place) = place.get(level).copied().flatten() {
                            out[from + place] = 1.0;
                        }
                    }
                    // An encoder meets the table it was fitted to.
                    _ => out.push(f64::NAN),
                }
            }
        }
        out
    }

    /// What stands in for missing cells of these rows, of every column that has some.
    ///
    /// ```
    /// use tailrank_data::{Encoder, TableOptions, read_table_bytes};
    /// let csv = b"size,cost\n1,2\n,3\n5,4\n";
    /// let table = read_table_bytes("t.csv", csv, &TableOptions::new("cost"))?.value;
    /// let fills = Encoder::fit(&table, 0..3)?.fills(&table, 0..3);
    /// assert_eq!(fills[0].to_string(), "column \"size\": 1 missing, filled with the training rows' median, 3");
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn fills(&self, table: &Table, rows: Range<usize>) -> Vec<Fill> {
        let fill = |(code, column): (&ColumnCode, &TableColumn)| {
            let (missing, rule) = match (code, &column.values) {
                (ColumnCode::Numeric { fill }, Values::Numeric(values)) => {
                    (rows.clone().filter(|&row| values[row].is_nan()).count(), FillRule::Median(*fill))
                }
                (ColumnCode::Categorical { fill, .. }, Values::Categorical { codes, levels }) => {
                    let level = levels.get(*fill as usize).cloned().unwrap_or_default();
                    (rows.clone().filter(|&row| codes[row].is_none()).count(), FillRule::Mode(level))
                }
                _ => return None,
            };
            (missing > 0).then(|| Fill { column: column.name.clone(), missing, rule })
        };
        self.columns.iter().zip(table.columns.iter()).filter_map(fill).collect()
    }

    /// Levels among `rows` that training rows do not have, each once.
    pub fn unseen(&self, table: &Table, rows: impl Iterator<Item = usize> + Clone) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (code, column) in self.columns.iter().zip(table.columns.iter()) {
            let (ColumnCode::Categorical { place, numbers: None, .. }, Values::Categorical { codes, levels }) =
                (code, &column.values)
            else {
                continue;
            };
            let mut told = vec![false; levels.len()];
            for row in rows.clone() {
                let Some(level) = codes[row].map(|c| c as usize) else { continue };
                if place[level].is_none() && !std::mem::replace(&mut told[level], true) {
                    let (column, level) = (column.name.clone(), levels[level].clone());
                    warnings.push(Warning::UnseenLevel { column, level, row: table.file_row(row) });
                }
            }
        }
        warnings
    }
}

/// What stands in for missing cells of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Fill {
    /// The column.
    pub column: String,
    /// Cells without a value.
    pub missing: usize,
    /// What stands in for them.
    pub rule: FillRule,
}

/// Where the stand-in of missing cells comes from: training rows alone.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FillRule {
    /// The median of the training rows.
    Median(f64),
    /// The commonest level of the training rows.
    Mode(String),
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, missing, rule } = self;
        let (what, value) = match rule {
            FillRule::Median(value) => ("median", value.to_string()),
            FillRule::Mode(level) => ("commonest level", quoted(level)),
        };
        let column = quoted(column);
        write!(f, "column {column}: {missing} missing, filled with the training rows' {what}, {value}")
    }
}

/// The levels' own numbers, if all are finite numbers; else their places among the levels that were seen.
fn level_numbers(levels: &[String], place: &[Option<usize>]) -> Vec<f64> {
    let own: Option<Vec<f64>> =
        levels.iter().map(|l| l.parse().ok().filter(|v: &f64| v.is_finite())).collect();
    own.unwrap_or_else(|| place.iter().map(|p| p.map_or(f64::NAN, |p| p as f64)).collect())
}

/// The median of the values that are there (mean of the middle two, if they are even in number).
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut present: Vec<f64> = values.filter(|v| !v.is_nan()).collect();
    if present.is_empty() {
        return None;
    }
    let upper = present.len() / 2;
    let odd = present.len() % 2 == 1;
    let (below, high, _) = present.select_nth_unstable_by(upper, f64::total_cmp);
    // The lower of the middle two is the largest below the upper one.
    let low = || below.iter().copied().max_by(f64::total_cmp);
    Some(if odd { *high } else { low().map_or(*high, |low| low.midpoint(*high)) })
}

/// The commonest code; of equally common ones, the first in the order of levels.
fn mode(codes: impl Iterator<Item = Option<u32>>, levels: usize) -> Option<u32> {
    let mut counts = vec![0usize; levels];
    for code in codes.flatten() {
        counts[code as usize] += 1;
    }
    let most = counts.iter().copied().max().filter(|m| *m > 0)?;
    counts.iter().position(|c| *c == most).and_then(|i| u32::try_from(i).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_modes() {
        assert_eq!(median([3.0, f64::NAN, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0].into_iter()), Some(2.5));
        assert_eq!(median([f64::NAN].into_iter()), None);
        assert_eq!(mode([Some(1), Some(0), None, Some(1), Some(0)].into_iter(), 3), Some(0));
        assert_eq!(mode([None].into_iter(), 3), None);
    }
}
