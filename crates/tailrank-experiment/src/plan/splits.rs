//! Draws the splits an experiment asks for.

use std::sync::Arc;

use tailrank_data::{
    DataError, Dataset, Kind, Split, SplitRows, SplitSettings, Stratify, strata_by_class, strata_by_relevance,
};

use super::{Task, check::LeftOut, sources::Source};
use crate::{
    config::{Experiment, split_problems},
    problem::Problem,
};

/// Every source as a task with its splits, and those that cannot be split; none where the settings are wrong
/// in themselves, which is a problem already told.
pub(super) fn tasks(experiment: &Experiment, sources: Vec<Source>) -> (Vec<Task>, Vec<LeftOut>) {
    let (mut tasks, mut left_out) = (Vec::new(), Vec::new());
    for source in sources {
        let (settings, key) = (
            experiment.split_of(&source.task, &source.source),
            experiment.split_key(&source.task, &source.source),
        );
        if !split_problems(settings, &key).is_empty() {
            continue;
        }
        let mut task = Task {
            relevance: experiment.relevance_of(&source.task, &source.source).clone(),
            measures: experiment.measures_of(&source.task, &source.source),
            cluster: experiment.cluster_of(&source.task, &source.source).cloned(),
            name: source.task,
            source: source.source,
            horizon: source.horizon,
            column: source.column,
            data: Arc::new(source.data),
            splits: Vec::new(),
            leaks: Vec::new(),
            pooled: settings.scheme().pooled(),
            folds: settings.scheme().folds(),
        };
        match draw(settings, &task, experiment.seed) {
            Ok(splits) => {
                task.splits = splits;
                tasks.push(task);
            }
            Err(message) => {
                let problem = Problem::new(key, format!("task '{}': {message}", task.name));
                left_out.push(LeftOut { task: task.name, source: task.source, problems: vec![problem] });
            }
        }
    }
    (tasks, left_out)
}

fn draw(settings: &SplitSettings, task: &Task, seed: u64) -> Result<Vec<Split>, DataError> {
    let rows = SplitRows {
        timeline: &task.data.timeline(),
        seed,
        is_series: task.horizon.is_some(),
        strata: &|by| strata(by, task),
        file_row: &|row| match &*task.data {
            Dataset::Table(table) => table.file_row(row),
            _ => row + 1,
        },
    };
    match settings.splits(&rows)? {
        none if none.is_empty() => {
            Err(DataError::Scheme("it has no split; raise repeats or folds".to_owned()))
        }
        splits => Ok(splits),
    }
}

fn strata(by: Stratify, task: &Task) -> Result<Vec<usize>, DataError> {
    match by {
        Stratify::Class => match task.data.kind() {
            Kind::Classification { .. } => Ok(strata_by_class(task.data.targets())),
            Kind::Regression => {
                let message = "stratify = \"class\" needs a classification target; use \"relevance\"";
                Err(DataError::Scheme(message.to_owned()))
            }
        },
        Stratify::Relevance => {
            // Only the spread of events over folds depends on this φ; every fold's own φ is fitted on its
            // training rows.
            let phi =
                task.relevance.build(task.data.targets()).map_err(|e| DataError::Scheme(e.to_string()))?;
            let mut relevance = vec![0.0; task.data.rows()];
            phi.phi_into(task.data.targets(), &mut relevance);
            Ok(strata_by_relevance(&relevance, 4))
        }
    }
}

#[cfg(test)]
mod tests {
    use tailrank_data::{Dataset, Rows, TableOptions, read_table_bytes};

    use super::*;

    fn task(csv: &str) -> Task {
        let table = read_table_bytes("t.csv", csv.as_bytes(), &TableOptions::new("y")).unwrap().value;
        Task {
            name: "t".to_owned(),
            source: "t".to_owned(),
            horizon: None,
            column: None,
            data: Arc::new(Dataset::from(table)),
            splits: Vec::new(),
            leaks: Vec::new(),
            pooled: true,
            folds: 1,
            relevance: toml::from_str("kind = \"table\"\npoints = [[0, 0], [10, 1]]").unwrap(),
            measures: Default::default(),
            cluster: None,
        }
    }

    /// φ is a tenth of y: bands end at 0.25, 0.5 and 0.75.
    #[test]
    fn events_are_spread_by_four_bands_of_relevance() {
        let task = task("x,y\n1,9\n2,0\n3,3\n4,10\n5,6\n6,2.4\n7,7.6\n");
        assert_eq!(strata(Stratify::Relevance, &task).unwrap(), [3, 0, 1, 3, 2, 0, 3]);
        assert!(
            strata(Stratify::Class, &task).unwrap_err().to_string().contains("needs a classification target")
        );
    }

    #[test]
    fn a_test_ends_before_its_last_day() {
        let task =
            task("day,x,y\n2008-07-07,1,1\n2008-07-08,2,2\n2008-07-09,3,3\n2008-07-10,4,4\n2008-07-11,5,5\n");
        let drawn_of = |task: &Task, until: &str| {
            let text = format!("kind = \"date\"\nat = \"2008-07-09\"\nuntil = \"{until}\"");
            draw(&toml::from_str(&text).unwrap(), task, 1)
                .map(|splits| splits[0].test.clone())
                .map_err(|e| e.to_string())
        };
        let drawn = |until: &str| drawn_of(&task, until);
        assert_eq!(drawn("2008-07-11"), Ok(Rows::from(2..4)));
        assert_eq!(drawn("2009-01-01"), Ok(Rows::from(2..5)));
        assert_eq!(
            drawn("2008-07-09"),
            Err("until: 2008-07-09 must be a day after at = 2008-07-09".to_owned())
        );
        let gap = self::task("day,x,y\n2008-07-07,1,1\n2008-07-08,2,2\n2008-07-20,3,3\n");
        assert_eq!(
            drawn_of(&gap, "2008-07-10"),
            Err("until = 2008-07-10 leaves no row to test on".to_owned())
        );
        let window = |text: &str| {
            let splits = draw(&toml::from_str(text).unwrap(), &task, 1);
            splits.map(|splits| splits.len()).map_err(|e| e.to_string())
        };
        assert_eq!(window("kind = \"sliding\"\nwindow = 4\nstep = 1"), Ok(1));
        assert_eq!(
            window("kind = \"growing\"\nwindow = 5\nstep = 1"),
            Err("window = 5 leaves no test row: the task has 5 rows".to_owned())
        );
        // Rows of the file are found wherever time has put them.
        let moved = self::task("day,x,y\n2008-07-09,1,1\n2008-07-07,2,2\n2008-07-08,3,3\n");
        let text = "kind = \"rows\"\nrows = [{ train = \"2, 3\", test = \"1\" }]";
        let drawn = draw(&toml::from_str(text).unwrap(), &moved, 1).unwrap();
        assert_eq!((drawn[0].train.clone(), drawn[0].test.clone()), (Rows::from(0..2), Rows::from(2..3)));
        let wrong = window("kind = \"rows\"\nrows = [{ train = \"1-3\", test = \"4-9\" }]").unwrap_err();
        assert!(wrong.contains("names row 9, but there are 5"), "{wrong}");
        assert_eq!(window("kind = \"kfold\"\nfolds = 5"), Ok(5));
        let dated = window("kind = \"kfold\"\nfolds = 5\nvalidation_fold = true").unwrap_err();
        assert!(dated.contains("needs rows without dates"), "{dated}");
        let undated = self::task("x,y\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n");
        let text = "kind = \"kfold\"\nfolds = 3\nshuffle = false\nvalidation_fold = true";
        let drawn = draw(&toml::from_str(text).unwrap(), &undated, 1).unwrap();
        let rows = |rows: &Rows| rows.iter().collect::<Vec<usize>>();
        let parts: Vec<_> = drawn
            .iter()
            .map(|s| (rows(&s.train), rows(s.validation.as_ref().unwrap()), rows(&s.test)))
            .collect();
        assert_eq!(parts[0], (vec![4, 5], vec![2, 3], vec![0, 1]));
        assert_eq!(parts[2], (vec![2, 3], vec![0, 1], vec![4, 5]));
        assert_eq!(
            window("kind = \"kfold\"\nfolds = 6"),
            Err("folds = 6 is more than the task's 5 rows".to_owned())
        );
    }
}
