//! The files between a run and a program: rows to learn from, rows to predict, and what they are about.

use serde_json::{Value, json};
use tailrank_data::frame::Frame;
use tailrank_experiment::families::FileFormat;
use tailrank_models::{MatrixView, RawColumn, RawValues};

use super::*;

/// Inputs as numbers, by these names, or x1, x2, … without.
pub(crate) fn numbered(train: MatrixView<'_>, test: MatrixView<'_>, names: &[String]) -> RawInputs {
    let name = |j: usize| names.get(j).cloned().unwrap_or_else(|| format!("x{}", j + 1));
    let column = |x: MatrixView<'_>, j| RawColumn { name: name(j), values: RawValues::Numbers(x.column(j)) };
    let columns = |x: MatrixView<'_>| (0..x.cols()).map(|j| column(x, j)).collect();
    RawInputs { train: columns(train), test: columns(test) }
}

fn columns(columns: &[RawColumn]) -> Vec<(String, Column)> {
    columns.iter().map(|c| (c.name.clone(), column(c))).collect()
}

/// Categories as text; a gap is empty.
fn column(column: &RawColumn) -> Column {
    match &column.values {
        RawValues::Numbers(values) => Column::Real(values.clone()),
        RawValues::Categories { codes, levels } => {
            let word = |code: &Option<u32>| {
                code.and_then(|code| levels.get(code as usize)).cloned().unwrap_or_default()
            };
            Column::Text(codes.iter().map(word).collect())
        }
    }
}

/// The files one cell's program reads; removed with their folder at the end.
pub(super) struct Files {
    pub(super) folder: tempfile::TempDir,
    pub(super) train: String,
    pub(super) test: String,
    /// What the program writes.
    pub(super) out: String,
    /// What it is told, if it asks.
    pub(super) info: String,
    pub(super) test_rows: usize,
    about: Value,
}

impl Files {
    /// `encoded` says that the inputs are the numbers that other families get, not columns as the data has
    /// them.
    pub(super) fn write(
        inputs: &RawInputs,
        encoded: bool,
        y: &[f64],
        test_rows: usize,
        task: &str,
        format: FileFormat,
        workplace: &Workplace,
    ) -> std::result::Result<Self, String> {
        let folder = workplace
            .host
            .folder(workplace.scratch.as_deref(), "fit-")
            .map_err(|e| format!("cannot make a temporary folder: {e}"))?;
        let feature = |column: &RawColumn| match &column.values {
            RawValues::Numbers(_) => json!({ "name": column.name, "type": "number" }),
            RawValues::Categories { levels, .. } => {
                json!({ "name": column.name, "type": "category", "levels": &levels[..] })
            }
        };
        let features: Vec<Value> = inputs.train.iter().map(feature).collect();
        let mut training = columns(&inputs.train);
        let target = target_name(&training);
        let about = json!({ "task": task, "target": target, "encoded": encoded, "features": features });
        training.push((target, Column::Real(y.to_vec())));
        let write = |name: &str, columns| {
            let path = folder.path().join(format!("{name}.{}", extension(format)));
            let frame = Frame::new(columns).map_err(|e| e.to_string())?;
            let bytes = match format {
                FileFormat::Csv => frame::to_csv(&frame),
                FileFormat::Parquet => frame::to_parquet(&frame, &[]),
            };
            let bytes = bytes.map_err(|e| e.to_string())?;
            let written = workplace.host.write(&path, &bytes);
            written.map_err(|e| format!("cannot write {}: {e}", path.display()))?;
            Ok::<_, String>(path.display().to_string())
        };
        let (train, test) = (write("train", training)?, write("test", columns(&inputs.test))?);
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (out, info) = (path(&format!("out.{}", extension(format))), path("info.json"));
        Ok(Self { folder, train, test, out, info, test_rows, about })
    }

    /// Removes the files that a program left beside its own; returns their bytes.
    pub(super) fn remove_others(&self) -> u64 {
        let Ok(entries) = fs::read_dir(self.folder.path()) else { return 0 };
        let mut bytes = 0;
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_given = [&self.train, &self.test].iter().any(|file| path == Path::new(file));
            let size = fs::symlink_metadata(&path).map_or(0, |found| found.len());
            if !is_given && fs::remove_file(&path).is_ok() {
                bytes += size;
            }
        }
        bytes
    }

    /// What a program is told of one fit.
    pub(super) fn told(&self, seed: u32, variant: &Params) -> Value {
        let parameters: serde_json::Map<_, _> =
            variant.iter().map(|(name, v)| (name.to_owned(), json!(v))).collect();
        let mut info = self.about.clone();
        info["seed"] = seed.into();
        info["parameters"] = parameters.into();
        info
    }
}

/// `y`, unless an input is called so.
fn target_name(inputs: &[(String, Column)]) -> String {
    let is_free = |name: &String| inputs.iter().all(|(input, _)| input != name);
    let mut names =
        ["y".to_owned(), "target".to_owned()].into_iter().chain((2..).map(|n| format!("target_{n}")));
    names.find(is_free).unwrap_or_default()
}

pub(super) fn extension(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Csv => "csv",
        FileFormat::Parquet => "parquet",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_takes_no_name_of_an_input() {
        let named = |names: &[&str]| {
            let columns: Vec<_> = names.iter().map(|n| ((*n).to_owned(), Column::Real(Vec::new()))).collect();
            target_name(&columns)
        };
        assert_eq!(named(&["a", "b"]), "y");
        assert_eq!(named(&["y", "b"]), "target");
        assert_eq!(named(&["y", "target", "target_2"]), "target_3");
    }

    #[test]
    fn a_gap_is_an_empty_word() {
        let values = RawValues::Categories {
            codes: vec![Some(1), None, Some(0)],
            levels: vec!["low".to_owned(), "high".to_owned()].into(),
        };
        let words = column(&RawColumn { name: "speed".to_owned(), values });
        assert_eq!(words, Column::Text(vec!["high".to_owned(), String::new(), "low".to_owned()]));
    }
}
