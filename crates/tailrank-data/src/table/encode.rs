//! Numbers from columns: gaps filled, levels one-hot, both learned from the training rows alone.

use super::{
    Table, Values,
    impute::{median, mode},
};
use crate::{DataError, Result, Warning};

/// How each column of a table becomes numbers.
///
/// ```
/// use tailrank_data::{Encoder, TableOptions, read_table_bytes};
/// let csv = b"size,colour,cost\n1,red,2\n,blue,3\n5,green,4\n";
/// let table = read_table_bytes("t.csv", csv, &TableOptions::new("cost"))?;
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
    /// `place` of each level among the columns, `None` for levels that training rows do not have.
    OneHot {
        fill: u32,
        place: Vec<Option<usize>>,
        width: usize,
    },
}

impl Encoder {
    /// Learns medians, modes and levels from `train`.
    pub fn fit(table: &Table, train: impl Iterator<Item = usize> + Clone) -> Result<Self> {
        let (mut columns, mut names) = (Vec::with_capacity(table.columns.len()), Vec::new());
        for column in &table.columns {
            let nothing = || DataError::File {
                file: table.name.clone(),
                problem: format!("column {:?} has no value in the training rows", column.name),
                fix: "list it under `drop`, or train on more rows".into(),
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
                    let mut width = 0;
                    let place = seen
                        .iter()
                        .map(|s| {
                            s.then(|| {
                                width += 1;
                                width - 1
                            })
                        })
                        .collect();
                    let kept = levels.iter().zip(&seen).filter(|(_, s)| **s);
                    names.extend(kept.map(|(l, _)| format!("{}={l}", column.name)));
                    columns.push(ColumnCode::OneHot { fill, place, width });
                }
            }
        }
        Ok(Self { columns, names })
    }

    /// Names of the encoded inputs.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of encoded inputs.
    pub fn cols(&self) -> usize {
        self.names.len()
    }

    /// The chosen rows as numbers, row after row. A level unknown to training is no level: all zeros.
    pub fn encode(&self, table: &Table, rows: impl Iterator<Item = usize>) -> Vec<f64> {
        let mut out = Vec::with_capacity(rows.size_hint().0 * self.cols());
        for row in rows {
            for (code, column) in self.columns.iter().zip(&table.columns) {
                match (code, &column.values) {
                    (ColumnCode::Numeric { fill }, Values::Numeric(values)) => {
                        out.push(if values[row].is_nan() { *fill } else { values[row] });
                    }
                    (ColumnCode::OneHot { fill, place, width }, Values::Categorical { codes, .. }) => {
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

    /// Levels among `rows` that training rows do not have, each once.
    pub fn unseen(&self, table: &Table, rows: impl Iterator<Item = usize> + Clone) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (code, column) in self.columns.iter().zip(&table.columns) {
            if let (ColumnCode::OneHot { place, .. }, Values::Categorical { codes, levels }) =
                (code, &column.values)
            {
                let mut told = vec![false; levels.len()];
                for row in rows.clone() {
                    let Some(level) = codes[row].map(|c| c as usize) else { continue };
                    if place[level].is_none() && !std::mem::replace(&mut told[level], true) {
                        let (column, level) = (column.name.clone(), levels[level].clone());
                        warnings.push(Warning::UnseenLevel { column, level, row: row + 1 });
                    }
                }
            }
        }
        warnings
    }
}
