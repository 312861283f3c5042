//! New rows behind a table, to be predicted by what was learned from it: the same columns, in the same order,
//! of the same kind.

use std::{collections::HashMap, path::Path};

use super::{Table, TableColumn, TableOptions, Values};
use crate::{
    Loaded, Result,
    file::{Column, NO_ROWS, ReadAs, Source, is_missing},
    names::quoted,
};

impl Table {
    /// This table followed by the rows of another file, which need not know the target: it is NaN where they
    /// do not.
    ///
    /// Columns are those of training, in their order; of others the file may have the target, those that
    /// `options` names, and those that the training file `trained_on` has. Words that training has not seen
    /// become levels of their own, which no encoder knows. Rows lose their dates.
    ///
    /// # Errors
    /// A column that is missing, unknown, in another place or of another kind, by its name.
    ///
    /// ```
    /// use tailrank_data::{TableOptions, read_table_bytes};
    /// let options = TableOptions::new("cost");
    /// let table = read_table_bytes("t.csv", b"size,colour,cost\n1,red,2\n2,blue,3\n", &options)?.value;
    ///
    /// let folder = std::env::temp_dir().join(format!("followed-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("new.csv"), "size,colour\n3,green\n")?;
    /// let both = table.followed_by(&folder.join("new.csv"), &options, None)?.value;
    /// assert_eq!(both.rows(), 3);
    /// assert!(both.targets()[2].is_nan());
    ///
    /// std::fs::write(folder.join("new.csv"), "colour,size\ngreen,3\n")?;
    /// assert!(table.followed_by(&folder.join("new.csv"), &options, None).is_err());
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn followed_by(
        &self,
        path: &Path,
        options: &TableOptions,
        trained_on: Option<&Path>,
    ) -> Result<Loaded<Self>> {
        let source = Source::open(path, options.max_bytes)?;
        let known = match trained_on {
            Some(path) => Source::open(path, options.max_bytes)?.names,
            None => Vec::new(),
        };
        let places = self.places(&source, options, &known)?;
        let kind_of = |column: &TableColumn| match column.values {
            Values::Numeric(_) => ReadAs::Number,
            Values::Categorical { .. } => ReadAs::Text,
        };
        let mut wanted: Vec<(usize, ReadAs)> =
            places.into_iter().zip(self.columns.iter().map(kind_of)).collect();
        let target = source.own().iter().position(|name| *name == options.target);
        wanted.extend(target.map(|place| (place, ReadAs::Number)));
        let mut warnings = source.notes.clone();
        let mut read = source.read(&wanted, options.numbers, &mut warnings)?;
        let rows = read.first().map_or(0, Column::len);
        if rows == 0 {
            return Err(source.refused(NO_ROWS, "give at least one row"));
        }
        let new_targets = match target.and_then(|_| read.pop()) {
            Some(column) => numbers(&source, &options.target, &column)?,
            None => vec![f64::NAN; rows],
        };
        let joined = |(column, more): (&TableColumn, &Column)| {
            Ok(TableColumn::new(column.name.clone(), joined(&source, column, more)?))
        };
        let columns = self.columns.iter().zip(&read).map(joined).collect::<Result<_>>()?;
        let old: Vec<usize> = (0..self.rows()).map(|row| self.file_row(row) - 1).collect();
        let value = Self {
            name: self.name.clone(),
            target_name: self.target_name.clone(),
            kind: self.kind.clone(),
            targets: self.targets.iter().copied().chain(new_targets).collect(),
            columns,
            times: None,
            dependence: super::RowDependence::default(),
            file_rows: Some(old.into_iter().chain(0..rows).collect()),
        };
        Ok(Loaded { value, warnings })
    }

    /// Where the inputs stand in a file that has them in their order and no column that training did not
    /// have.
    fn places(&self, source: &Source, options: &TableOptions, known: &[String]) -> Result<Vec<usize>> {
        let places = self.columns.iter().map(|c| source.position(&c.name)).collect::<Result<Vec<usize>>>()?;
        let is_known = |place: usize| {
            let name = &source.names[place];
            places.contains(&place)
                || *name == options.target
                || options.ignore.contains(name)
                || matches!(&options.date, super::RowDates::Column(date) if date == name)
                || [&options.entity, &options.group].contains(&&Some(name.clone()))
                || known.contains(name)
        };
        if let Some(other) = (0..source.own().len()).find(|place| !is_known(*place)) {
            let problem = format!("column {} was not in training", quoted(&source.names[other]));
            return Err(source.refused(problem, "leave it out"));
        }
        if let Some(i) = (1..places.len()).find(|i| places[*i] < places[i - 1]) {
            let (here, before) = (&self.columns[i].name, &self.columns[i - 1].name);
            let problem =
                format!("column {} stands before {}, in training after it", quoted(here), quoted(before));
            let order: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
            let fix = format!("give the columns in this order: {}", order.join(", "));
            return Err(source.refused(problem, fix));
        }
        Ok(places)
    }
}

/// The values of training followed by new ones of the same kind.
fn joined(source: &Source, column: &TableColumn, more: &Column) -> Result<Values> {
    Ok(match &column.values {
        Values::Numeric(values) => {
            let new = numbers(source, &column.name, more)?;
            Values::Numeric(values.iter().copied().chain(new).collect())
        }
        Values::Categorical { codes, levels } => {
            let mut levels = levels.clone();
            let mut places: HashMap<String, u32> = levels.iter().cloned().zip(0..).collect();
            let mut codes = codes.clone();
            for row in 0..more.len() {
                let cell = more.cell(row);
                let word = cell.trim();
                codes.push((!is_missing(word)).then(|| {
                    *places.entry(word.to_owned()).or_insert_with(|| {
                        levels.push(word.to_owned());
                        levels.len() as u32 - 1
                    })
                }));
            }
            Values::Categorical { codes, levels }
        }
    })
}

/// A column of numbers, NaN where missing.
fn numbers(source: &Source, name: &str, column: &Column) -> Result<Vec<f64>> {
    let wrong = |row: usize| {
        let fix = "correct it: the column was numbers in training";
        source.value_error(row, name, column.text(row), "is not a finite number", fix)
    };
    let parsed = |row: usize| match column {
        Column::Numbers(values) => Some(values[row]).filter(|v| !v.is_infinite()),
        other => {
            let cell = other.cell(row);
            let text = cell.trim();
            if is_missing(text) { Some(f64::NAN) } else { text.parse().ok().filter(|v: &f64| v.is_finite()) }
        }
    };
    (0..column.len()).map(|row| parsed(row).ok_or_else(|| wrong(row))).collect()
}
