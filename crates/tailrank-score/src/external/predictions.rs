//! Predictions made elsewhere, in wide or long tables.

use std::{collections::HashMap, path::Path};

use indexmap::IndexMap;
use tailrank_data::{Date, frame::Frame};

use super::{frame_of, numbers::numbers, read_frame, refuse};
use crate::Result;

/// True values and the predictions of every model, for one task. Cases of one fold stand together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionTable {
    /// Name of the task; empty when the table names none.
    pub task: String,
    /// What the column of true values is called.
    pub target: String,
    /// True values.
    pub truth: Vec<f64>,
    /// Days of the cases, where a column holds them.
    pub dates: Option<Vec<Date>>,
    /// Cases of each fold, in order; a table without folds has one.
    pub folds: Vec<usize>,
    /// Models by name, in the order of the table.
    pub models: Vec<(String, Vec<f64>)>,
    /// The family of each model, where a long table has a column for it; else empty. Baselines are
    /// references: scored, not ranked.
    pub families: Vec<String>,
}

/// The family whose models are references to measure others by, as in a run.
pub(super) const BASELINE: &str = "baseline";

impl PredictionTable {
    /// A table of numbers at hand, held to what a file is held to.
    ///
    /// ```
    /// use tailrank_score::external::PredictionTable;
    ///
    /// let table = PredictionTable::new("KO", vec![0.1, -0.3], vec![("svm".to_owned(), vec![0.0, -0.2])])?;
    /// assert_eq!(table.models.len(), 1);
    /// let gap = PredictionTable::new("", vec![0.1], vec![("svm".to_owned(), vec![f64::NAN])]).unwrap_err();
    /// assert_eq!(gap, "column 'svm' row 1 is missing or not finite; drop or impute that case");
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// What is missing, and where.
    pub fn new(
        task: impl Into<String>,
        truth: Vec<f64>,
        models: Vec<(String, Vec<f64>)>,
    ) -> std::result::Result<Self, String> {
        if truth.is_empty() {
            return Err(NO_ROWS.to_owned());
        }
        if models.is_empty() {
            return Err(NO_MODELS.to_owned());
        }
        let truth = finite("y", truth)?;
        let mut checked: Vec<(String, Vec<f64>)> = Vec::with_capacity(models.len());
        for (name, values) in models {
            if values.len() != truth.len() {
                return Err(format!(
                    "model '{name}' has {} cases, the true values have {}",
                    values.len(),
                    truth.len()
                ));
            }
            if checked.iter().any(|(known, _)| *known == name) {
                return Err(format!("two models are called '{name}'; give each its own name"));
            }
            checked.push((name.clone(), finite(&name, values)?));
        }
        let (task, target, folds) = (task.into(), "y".to_owned(), vec![truth.len()]);
        Ok(Self { task, target, truth, folds, models: checked, ..Self::default() })
    }
}

/// What was read, or what is wrong with the file.
pub(super) type Read<T> = std::result::Result<T, String>;

pub(super) const PREDICTIONS: &str = "predictions";
const NO_ROWS: &str = "it has no rows";
const NO_MODELS: &str = "it has true values but no column of predictions";

/// What the columns of a table are called, where it is not what it is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames {
    /// The true values; `y`, `truth`, `y_true`, `actual`, `target` or `observed` otherwise.
    pub truth: Option<String>,
    /// Days; `date`, or an unnamed first column that holds days.
    pub date: Option<String>,
    /// What keeps tasks apart; `task`.
    pub task: Option<String>,
    /// What keeps the folds of a cross-validation apart; `fold`.
    pub fold: Option<String>,
}

pub(super) const TRUTH: [&str; 6] = ["y", "truth", "y_true", "actual", "target", "observed"];
pub(super) const PREDICTED: [&str; 3] = ["prediction", "predicted", "y_pred"];
const PASSED_OVER: [&str; 4] = ["date", "time", "row", "id"];
/// How pandas and R write the names of rows: a first column without a name, or with one of these.
const INDEX: [&str; 4] = ["", "unnamed: 0", "index", "rownames"];

/// Reads a table of predictions; one entry per task, in order of appearance.
///
/// Wide: a column of true values and one column per model. Long: columns `model`, `prediction` and the true
/// values, perhaps `family`. An index as pandas writes it is passed over.
pub fn read_predictions(path: &Path, names: &ColumnNames) -> Result<Vec<PredictionTable>> {
    tables(&read_frame(path)?, names).map_err(|problem| refuse(path, problem))
}

/// [`read_predictions`] of a file's bytes; the name stands for it in messages.
pub fn predictions_of(name: &str, bytes: &[u8], names: &ColumnNames) -> Result<Vec<PredictionTable>> {
    tables(&frame_of(name, bytes)?, names).map_err(|problem| refuse(Path::new(name), problem))
}

/// What every case of a table has beside its predictions.
struct Cases<'a> {
    /// Name of the column of true values.
    target: &'a str,
    truth: Vec<f64>,
    task: Option<Vec<String>>,
    fold: Option<Vec<String>>,
    dates: Option<Vec<Date>>,
    /// Columns that hold no predictions.
    taken: Vec<usize>,
}

fn tables(frame: &Frame, names: &ColumnNames) -> Read<Vec<PredictionTable>> {
    if frame.height() == 0 {
        return Err(NO_ROWS.to_owned());
    }
    let cases = cases(frame, names)?;
    let long = find(frame, &["model", "variant"]).zip(find(frame, &PREDICTED));
    let models = long.map(|(model, _)| texts(frame, model)).unwrap_or_default();
    let mut rows = Rows::new(&cases);
    if let Some((_, prediction)) = long {
        let families = find(frame, &["family"]).map(|c| texts(frame, c));
        let predicted = complete(frame, prediction, PREDICTIONS)?;
        for (row, (model, value)) in models.iter().zip(predicted).enumerate() {
            rows.add(row, model, families.as_ref().map(|f| &f[row]), value)?;
        }
    } else {
        for (c, (name, _)) in frame.columns().iter().enumerate().filter(|(c, _)| !cases.taken.contains(c)) {
            for (row, value) in complete(frame, c, PREDICTIONS)?.into_iter().enumerate() {
                rows.add(row, name, None, value)?;
            }
        }
    }
    rows.finish()
}

fn all_names(frame: &Frame) -> String {
    let names: Vec<&str> = frame.columns().iter().map(|(n, _)| n.as_str()).collect();
    names.join(", ")
}

fn cases<'a>(frame: &'a Frame, names: &ColumnNames) -> Read<Cases<'a>> {
    let named = |asked: &Option<String>, what: &str| {
        let place = |name: &String| {
            frame.columns().iter().position(|(n, _)| n == name).ok_or_else(|| {
                format!("no column '{name}', which was named for the {what}; it has {}", all_names(frame))
            })
        };
        asked.as_ref().map(place).transpose()
    };
    let truth =
        named(&names.truth, "true values")?.or_else(|| TRUTH.iter().find_map(|name| find(frame, &[name])));
    let truth = truth.ok_or_else(|| {
        format!("no column of true values: name one of {}; it has {}", TRUTH.join(", "), all_names(frame))
    })?;
    let task = named(&names.task, "task")?.or_else(|| find(frame, &["task"]));
    let fold = named(&names.fold, "folds")?.or_else(|| find(frame, &["fold"]));
    let first = frame.columns().first().map(|(name, _)| name.trim().to_lowercase()).unwrap_or_default();
    let index = (INDEX.contains(&first.as_str()) && truth != 0).then_some(0);
    let date = named(&names.date, "days")?;
    let dates = match date {
        Some(place) => Some(days(frame, place)?),
        // What was not asked for may hold anything.
        None => find(frame, &["date"]).or(index).and_then(|place| days(frame, place).ok()),
    };
    let passed = (0..frame.width()).filter(|&c| {
        let name = frame.columns()[c].0.trim().to_lowercase();
        PASSED_OVER.contains(&name.as_str())
    });
    let taken = [Some(truth), task, fold, date, index].into_iter().flatten().chain(passed).collect();
    Ok(Cases {
        target: &frame.columns()[truth].0,
        truth: complete(frame, truth, "true values")?,
        task: task.map(|c| texts(frame, c)),
        fold: fold.map(|c| texts(frame, c)),
        dates,
        taken,
    })
}

/// The tables of all tasks as rows are read.
struct Rows<'a> {
    cases: &'a Cases<'a>,
    /// By task, each with the row of the file that every case comes from.
    tables: IndexMap<&'a str, (PredictionTable, Vec<usize>)>,
    /// The place of each model in the table of its task.
    models: HashMap<(&'a str, &'a str), usize>,
}

impl<'a> Rows<'a> {
    fn new(cases: &'a Cases<'a>) -> Self {
        Self { cases, tables: IndexMap::new(), models: HashMap::new() }
    }

    /// Adds what a model predicts for a row.
    fn add(&mut self, row: usize, model: &'a str, family: Option<&String>, predicted: f64) -> Read<()> {
        let (task, y) = (self.cases.task.as_ref().map_or("", |t| t[row].as_str()), self.cases.truth[row]);
        let (table, rows) = self.tables.entry(task).or_insert_with(|| {
            let (task, target) = (task.to_owned(), self.cases.target.to_owned());
            (PredictionTable { task, target, ..PredictionTable::default() }, Vec::new())
        });
        let m = *self.models.entry((task, model)).or_insert_with(|| {
            table.models.push((model.to_owned(), Vec::new()));
            table.families.extend(family.cloned());
            table.models.len() - 1
        });
        let case = table.models[m].1.len();
        // The first model of a task brings its true values; every other must bring the same, in the same
        // order.
        if m == 0 {
            table.truth.push(y);
            rows.push(row);
        } else if table.truth.get(case) != Some(&y) {
            return Err(format!(
                "row {}: case {} of model '{model}' has the true value {y}, model '{}' has {}; give every model the same \
                 cases in the same order",
                row + 1,
                case + 1,
                table.models[0].0,
                table.truth.get(case).map_or_else(|| "no such case".to_owned(), ToString::to_string),
            ));
        }
        table.models[m].1.push(predicted);
        Ok(())
    }

    /// Puts the cases of every fold together, folds and cases in order of appearance, and gives them their
    /// days.
    fn finish(mut self) -> Read<Vec<PredictionTable>> {
        if self.tables.is_empty() {
            return Err(NO_MODELS.to_owned());
        }
        for (table, rows) in self.tables.values_mut() {
            let cases = table.truth.len();
            if let Some((name, p)) = table.models.iter().find(|(_, p)| p.len() != cases) {
                let first = &table.models[0].0;
                return Err(format!("model '{name}' has {} cases, model '{first}' has {cases}", p.len()));
            }
            let mut folds: IndexMap<&str, Vec<usize>> = IndexMap::new();
            for (case, &row) in rows.iter().enumerate() {
                let name = self.cases.fold.as_ref().map_or("", |f| f[row].as_str());
                folds.entry(name).or_default().push(case);
            }
            table.folds = folds.values().map(Vec::len).collect();
            let order: Vec<usize> = folds.into_values().flatten().collect();
            let sorted = |values: &[f64]| order.iter().map(|&case| values[case]).collect::<Vec<f64>>();
            table.dates =
                self.cases.dates.as_ref().map(|dates| order.iter().map(|&c| dates[rows[c]]).collect());
            table.truth = sorted(&table.truth);
            for (_, values) in &mut table.models {
                *values = sorted(values);
            }
        }
        Ok(self.tables.into_values().map(|(table, _)| table).collect())
    }
}

/// A column of days, as `2020-01-31` or with a time behind it.
fn days(frame: &Frame, place: usize) -> Read<Vec<Date>> {
    let name = &frame.columns()[place].0;
    let day = |(row, text): (usize, String)| {
        text.trim()
            .get(..10)
            .and_then(|day| day.parse::<Date>().ok())
            .ok_or_else(|| format!("column '{name}' row {} is '{text}', which is not a valid date", row + 1))
    };
    texts(frame, place).into_iter().enumerate().map(day).collect()
}

pub(super) fn find(frame: &Frame, names: &[&str]) -> Option<usize> {
    frame.columns().iter().position(|(n, _)| names.contains(&n.trim().to_lowercase().as_str()))
}

/// A column of numbers without gaps; `what` they are is said where they are not.
pub(super) fn complete(frame: &Frame, place: usize, what: &str) -> Read<Vec<f64>> {
    let name = &frame.columns()[place].0;
    let values = numbers(frame, place).map_err(|e| format!("column '{name}' {e}; {what} are numbers"))?;
    finite(name, values)
}

fn finite(name: &str, values: Vec<f64>) -> Read<Vec<f64>> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(row) => {
            Err(format!("column '{name}' row {} is missing or not finite; drop or impute that case", row + 1))
        }
        None => Ok(values),
    }
}

pub(super) fn texts(frame: &Frame, place: usize) -> Vec<String> {
    frame.columns()[place].1.texts()
}

#[cfg(test)]
mod tests {
    use super::*;

    include!("../../../../.ci/cpu_time.rs");

    /// Reading must not take a multiple of the time per row as tasks, models and folds become more.
    #[test]
    fn very_many_tasks_models_and_folds_are_read_soon() {
        let before = cpu_seconds();
        let many = 60_000;
        let rows = |row: fn(usize) -> String| (0..many).map(row).collect::<String>();
        let tasks = read(&format!("task,y,a\n{}", rows(|i| format!("t{i},1,2\n")))).unwrap();
        assert_eq!((tasks.len(), tasks[many - 1].task.as_str()), (many, "t59999"));
        let models = read(&format!("model,y,prediction\n{}", rows(|i| format!("m{i},1,{i}\n")))).unwrap();
        assert_eq!((models[0].models.len(), models[0].models[7].1[0]), (many, 7.0));
        let folds = read(&format!("fold,y,a\n{}", rows(|i| format!("f{},{i},2\n", i % 30_000)))).unwrap();
        assert_eq!((folds[0].folds.len(), folds[0].folds[0]), (many / 2, 2));
        assert_eq!(folds[0].truth[..3], [0.0, 30_000.0, 1.0]);
        let taken = cpu_seconds().zip(before).map_or(0.0, |(now, before)| now - before);
        assert!(taken < 20.0, "{taken} s");
    }

    fn read(text: &str) -> Read<Vec<PredictionTable>> {
        named(text, ColumnNames::default())
    }

    fn named(text: &str, names: ColumnNames) -> Read<Vec<PredictionTable>> {
        tables(&tailrank_data::frame::read("t.csv", text.as_bytes()).unwrap(), &names)
    }

    #[test]
    fn wide_and_long_are_the_same() {
        let wide = read("row,y,a,b\n2020-01-01,1,1.5,2\n2020-01-02,2,2.5,3\n").unwrap();
        let long = read("model,y,prediction\na,1,1.5\na,2,2.5\nb,1,2\nb,2,3\n").unwrap();
        assert_eq!(wide, long);
        assert_eq!(wide[0].models, [("a".to_owned(), vec![1.5, 2.5]), ("b".to_owned(), vec![2.0, 3.0])]);
    }

    #[test]
    fn decimal_commas_are_numbers() {
        let found = read("y;a;b\n1,5;2,5;3\n2,5;3,5;4\n").unwrap();
        assert_eq!(found[0].truth, [1.5, 2.5]);
        assert_eq!(found[0].models, [("a".to_owned(), vec![2.5, 3.5]), ("b".to_owned(), vec![3.0, 4.0])]);
    }

    #[test]
    fn the_families_of_a_long_table_are_kept() {
        let found = read("model,family,y,prediction\na,svm,1,1.5\nb,baseline,1,2\n").unwrap();
        assert_eq!(found[0].families, ["svm", "baseline"]);
        assert!(read("y,a\n1,2\n").unwrap()[0].families.is_empty());
    }

    #[test]
    fn tasks_are_kept_apart() {
        let found = read("task,y,a\nKO,1,1.5\nBA,2,2.5\nKO,3,3.5\n").unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].task.as_str(), &found[0].truth), ("KO", &vec![1.0, 3.0]));
    }

    #[test]
    fn an_index_of_pandas_is_no_model() {
        let plain = read(",y,a\n0,1,1.5\n1,2,2.5\n").unwrap();
        assert_eq!(plain[0].models, [("a".to_owned(), vec![1.5, 2.5])]);
        assert_eq!(plain[0].dates, None);
        let dated = read("Unnamed: 0,y,a\n2020-01-01 00:00:00,1,1.5\n2020-01-02 00:00:00,2,2.5\n").unwrap();
        assert_eq!(dated[0].dates, Some(vec![Date::constant(2020, 1, 1), Date::constant(2020, 1, 2)]));
        assert_eq!(dated[0].models.len(), 1);
    }

    #[test]
    fn folds_stand_together_and_keep_their_days() {
        let names = ColumnNames {
            truth: Some("sales".to_owned()),
            date: Some("week".to_owned()),
            task: Some("shop".to_owned()),
            fold: Some("cv".to_owned()),
        };
        let text = "week,shop,cv,sales,a\n2020-01-01,s,k1,1,10\n2020-01-02,s,k2,2,20\n2020-01-03,s,k1,3,30\n";
        let found = named(text, names.clone()).unwrap();
        assert_eq!((found[0].task.as_str(), found[0].target.as_str()), ("s", "sales"));
        assert_eq!((&found[0].truth, &found[0].folds), (&vec![1.0, 3.0, 2.0], &vec![2, 1]));
        assert_eq!(found[0].models, [("a".to_owned(), vec![10.0, 30.0, 20.0])]);
        assert_eq!(found[0].dates.as_ref().unwrap()[1], Date::constant(2020, 1, 3));
        let missing = named("y,a\n1,2\n", ColumnNames { truth: None, ..names }).unwrap_err();
        assert_eq!(missing, "no column 'shop', which was named for the task; it has y, a");
    }

    #[test]
    fn problems_name_the_place() {
        assert!(read("a,b\n1,2\n").unwrap_err().starts_with("no column of true values"));
        assert_eq!(
            read("y,a\n1,2\n2,\n").unwrap_err(),
            "column 'a' row 2 is missing or not finite; drop or impute that case"
        );
        assert_eq!(
            read("y,a\n1,x\n2,3\n").unwrap_err(),
            "column 'a' row 1 is 'x', which is not a number; predictions are numbers"
        );
        assert_eq!(
            read("y,a\nx,1\n2,3\n").unwrap_err(),
            "column 'y' row 1 is 'x', which is not a number; true values are numbers"
        );
        let err = read("model,y,prediction\na,1,1\nb,2,1\n").unwrap_err();
        assert!(err.starts_with("row 2: case 1 of model 'b' has the true value 2, model 'a' has 1"), "{err}");
    }
}
