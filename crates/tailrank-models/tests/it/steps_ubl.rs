//! Bumps, numbers of rows and neighbours as R's UBL 0.0.9 has them.

use crate::tables;

use std::collections::HashMap;

use tables::Table;
use tailrank_models::{
    FitContext, Matrix, Params, TrainSet,
    steps::{Distance, Neighbours, Recipe, Step, StepContext, bumps},
};

const SETS: [&str; 4] = ["t3101", "gamma102", "norm103", "ties104"];

struct Set {
    x: Matrix,
    y: Vec<f64>,
    phi: Vec<f64>,
    table: Table,
}

impl Set {
    fn read(name: &str) -> Self {
        let table = Table::fixture("f_resample_data.csv").only("set", name);
        let columns = ["a", "b", "c"].map(|c| table.column(c));
        let x = (0..table.rows.len()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        Self {
            x: Matrix::new(table.rows.len(), 3, x).unwrap(),
            y: table.column("y"),
            phi: table.column("phi"),
            table,
        }
    }

    /// The three numbers and the category.
    fn mixed(&self) -> Matrix {
        let code = |i: usize| f64::from(self.table.text(i, "g").as_bytes()[0]);
        let rows: Vec<Vec<f64>> =
            self.x.view().iter_rows().enumerate().map(|(i, r)| [r, &[code(i)]].concat()).collect();
        Matrix::from_rows(&rows).unwrap()
    }
}

/// Rows of the bump that UBL numbers `number`, counted from 0.
fn rows_of(set: &Set, threshold: &str, number: &str) -> Vec<usize> {
    (0..set.y.len()).filter(|&i| set.table.text(i, &format!("bump_{threshold}")) == number).collect()
}

#[test]
fn bumps_are_ubls() {
    for name in SETS {
        let set = Set::read(name);
        for threshold in ["0.5", "0.8"] {
            let found = bumps("smote", &set.y, &set.phi, threshold.parse().unwrap()).unwrap();
            for (i, bump) in found.iter().enumerate() {
                assert_eq!(bump.rows, rows_of(&set, threshold, &(i + 1).to_string()), "{name} {threshold}");
            }
            let last: usize = (0..set.y.len())
                .map(|i| set.table.number(i, &format!("bump_{threshold}")) as usize)
                .max()
                .unwrap();
            assert_eq!(found.len(), last);
        }
    }
}

#[test]
fn numbers_of_rows_are_ubls() {
    let answers = Table::fixture("f_resample_rows.csv");
    let mut seen = 0;
    for name in SETS {
        let set = Set::read(name);
        let of: HashMap<u64, f64> = set.y.iter().map(|y| y.to_bits()).zip(set.phi.iter().copied()).collect();
        let relevance = |y: f64| of[&y.to_bits()];
        let context = StepContext {
            relevance: Some(&relevance),
            ..StepContext::new(TrainSet::new(set.x.view(), &set.y))
        };
        for row in 0..answers.rows.len() {
            if answers.text(row, "set") != name {
                continue;
            }
            let (strategy, share) = (answers.text(row, "strategy"), answers.text(row, "perc"));
            let mut entry = Params::new()
                .with("resample", strategy)
                .with("share", share)
                .with("threshold", answers.number(row, "thr"));
            if strategy != "under" {
                entry = entry.with("limit", 1e6);
            }
            let recipe = Recipe::new(vec![Step::parse(&entry).unwrap()]).unwrap();
            seen += 1;
            let prepared = match recipe.prepare(&context, &FitContext::new(row as u64)) {
                Ok(prepared) => prepared,
                Err(error) => {
                    // UBL goes on with the seven rare rows and their offspring alone.
                    assert_eq!((name, share, answers.text(row, "thr")), ("norm103", "extreme", "0.8"));
                    let rows = answers.number(row, "rows");
                    assert!(strategy == "under" && rows == 7.0 || strategy != "noise" && rows == 392.0);
                    assert!(error.to_string().contains("would leave no normal row"));
                    continue;
                }
            };
            assert_eq!(prepared[0].y().len(), answers.number(row, "rows") as usize, "{name} {entry}");
            assert!(!prepared[0].limited);
        }
    }
    assert_eq!(seen, 96);
}

#[test]
fn neighbours_are_ubls() {
    let answers = Table::fixture("f_resample_neighbours.csv");
    for name in SETS {
        let set = Set::read(name);
        let mixed = set.mixed();
        for row in (0..answers.rows.len()).filter(|&r| answers.text(r, "set") == name) {
            let own = rows_of(&set, answers.text(row, "thr"), answers.text(row, "bump"));
            let query = own.binary_search(&(answers.number(row, "row") as usize - 1)).unwrap();
            let k = answers.number(row, "k") as usize;
            for (column, x, categories, distance) in [
                ("euclidean", &set.x, Vec::new(), Distance::Ubl),
                ("heom", &mixed, vec![3..4], Distance::Heom),
            ] {
                let bump =
                    Matrix::from_rows(&own.iter().map(|&i| x.view().row(i)).collect::<Vec<_>>()).unwrap();
                let units = distance.units(x.view());
                let found = Neighbours::find(bump.view(), &units, &categories, distance, k, false).unwrap();
                let found: Vec<String> =
                    found.of(query).iter().map(|&place| (own[place as usize] + 1).to_string()).collect();
                assert_eq!(found.join(" "), answers.text(row, column), "{name} row {row} {column}");
            }
        }
    }
}
