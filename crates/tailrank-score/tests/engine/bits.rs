//! Every number leaves as it is: what CSV, Parquet and JSON hold reads back to the bits of what was computed.

use std::fmt::Write as _;

use tailrank_data::frame::{self, Column};
use tailrank_score::{
    score::{Results, TaskId, VariantId},
    table::{Table, Value},
};

use crate::lab::{Lab, Unsynced, whole};

const MODELS: &str = "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"last\" }]\n\
                      [[models]]\nfamily = \"linear\"\nlearn = [\"plain\", \"weights\"]\n\
                      [[models]]\nfamily = \"knn\"\ngrid = { k = [1, 5] }\n";

fn of_series(lab: &Lab) -> String {
    let mut csv = "Date,Close\n".to_owned();
    for i in 0..420_usize {
        let t = i as f64;
        let price = 100.0 * (0.05 * (t * 1.1).sin() + 0.03 * (t * 0.37).cos() + 0.04 * (t * 2.9).sin()).exp();
        let _ = writeln!(csv, "{}-{:02}-{:02},{price}", 2000 + i / 336, i / 28 % 12 + 1, i % 28 + 1);
    }
    lab.write("s.csv", &csv);
    format!(
        "name = \"bits\"\nseed = 3\n[data]\nseries = [{{ name = \"S\", file = \"s.csv\" }}]\n[target]\nhorizons = [1, 2]\nlags = 3\n\
         [split]\nkind = \"fraction\"\ntrain = 0.4\nvalidation = 0.2\n[relevance]\nlow = -0.02\nhigh = 0.02\n[events]\n\
         [measures]\nlist = [\"mad\", \"f\", \"utility\", \"sera\"]\nt_l = 0.01\n[trading]\nthreshold = 0.02\n\
         [inference]\nresamples = 100\nshifts = 100\n[compare]\npairs = [[\"mad\", \"f\"]]\npermutations = 50\n{MODELS}"
    )
}

fn of_table() -> String {
    format!(
        "name = \"bits\"\nseed = 3\n[data]\ntables = [{{ name = \"a\", file = \"a.csv\", target = \"y\" }}, {{ name = \"b\", file = \"b.csv\", target = \"y\" }}]\n\
         [split]\nkind = \"kfold\"\nfolds = 3\nrepeats = 2\nshuffle = true\n[relevance]\nhigh = 1.5\n\
         [measures]\nlist = [\"mad\", \"f\", \"mse\"]\nt_l = 0.8\n[inference]\nresamples = 100\nshifts = 100\n\
         [compare]\npairs = [[\"mad\", \"f\"]]\npermutations = 50\n{MODELS}"
    )
}

/// The cells of a CSV file, row by row.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    rows
}

/// The numbers of a column as bits, with what is missing.
fn bits(table: &Table, column: usize) -> Vec<Option<u64>> {
    let of = |value: &Value| if let Value::Number(v) = value { Some(v.to_bits()) } else { None };
    table.rows.iter().map(|row| of(&row[column].value)).collect()
}

/// Looks at every number of every table in three formats; returns how many it has seen, and how many have
/// more than six decimals.
fn check(results: &Results, root: &std::path::Path) -> (usize, usize) {
    let json = serde_json::to_string(&results.full_json()).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (mut seen, mut long) = (0, 0);
    for table in results.tables() {
        let id = table.id.as_str();
        let file = |end: &str| root.join("results").join(format!("{id}.{end}"));
        let csv = cells(&std::fs::read_to_string(file("csv")).unwrap());
        let parquet = frame::read(id, &std::fs::read(file("parquet")).unwrap()).unwrap();
        assert_eq!((csv.len() - 1, parquet.height()), (table.rows.len(), table.rows.len()), "{id}");
        for (place, column) in table.for_files().into_iter().enumerate() {
            let name = &table.columns[column].id;
            if table.columns[column].format.is_text() {
                continue;
            }
            let own = bits(&table, column);
            let place_in_csv = csv[0].iter().position(|head| head == name).unwrap();
            assert_eq!(place_in_csv, place, "{id}: {name}");
            let in_csv: Vec<Option<u64>> =
                csv[1..].iter().map(|row| row[place].parse().ok().map(f64::to_bits)).collect();
            assert_eq!(in_csv, own, "{id}: {name} in CSV");
            if own.iter().any(Option::is_some) {
                let Some(Column::Real(values)) = parquet.column(name) else {
                    panic!("{id}: {name} in Parquet")
                };
                let in_parquet: Vec<Option<u64>> =
                    values.iter().map(|v| (!v.is_nan()).then_some(v.to_bits())).collect();
                assert_eq!(in_parquet, own, "{id}: {name} in Parquet");
            }
            let in_json: Vec<Option<u64>> =
                json[id].as_array().unwrap().iter().map(|row| row[name].as_f64().map(f64::to_bits)).collect();
            assert_eq!(in_json, own, "{id}: {name} in JSON");
            let numbers = own.iter().flatten().map(|v| f64::from_bits(*v));
            seen += numbers.clone().count();
            long += numbers.filter(|v| (v * 1e6).fract() != 0.0).count();
        }
    }
    (seen, long)
}

#[test]
fn every_number_leaves_as_it_is() {
    let lab = Lab::new();
    let mut tables = std::collections::BTreeSet::new();
    for (name, text) in [("series", of_series(&lab)), ("tables", of_table())] {
        let (_, results) = whole(&lab.plan(&text), &lab.path(name), &Unsynced, 2).unwrap();
        let (seen, long) = check(&results, &lab.path(name));
        assert!(seen > 300 && long > 100, "{name}: {seen} numbers, {long} of them long");
        tables.extend(results.tables().into_iter().map(|t| t.id));
        // The table holds what was computed.
        let scores = results.table("scores").unwrap();
        let mut rows = 0..;
        for (task, of_task) in TaskId::all(results.scores.len()).zip(&results.scores) {
            for variant in VariantId::all(results.names.variants.len()) {
                let row = rows.next().unwrap();
                let of = |id: &str| &scores.rows[row][scores.place(id).unwrap()].value;
                assert_eq!(of("task"), &Value::Text(results.names.task(task).to_owned()));
                assert_eq!(of("model"), &Value::Text(results.names.label(variant).to_owned()));
                for &measure in &of_task.measures {
                    let score = of_task.score(variant, measure).unwrap();
                    assert_eq!(of(measure.id()), &Value::from(score), "{name}: {}", measure.id());
                }
            }
        }
    }
    for id in [
        "scores",
        "ranks",
        "folds",
        "comparisons",
        "decisions",
        "regret",
        "trading",
        "selection",
        "steps",
        "intervals",
        "pairwise",
        "episodes",
    ] {
        assert!(tables.contains(id), "{id} is not among {tables:?}");
    }
}
