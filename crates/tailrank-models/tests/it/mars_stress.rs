//! MARS against `mda::mars` where its rules bite: ties, copies, near copies, scales, few rows
//! (scripts/fixtures/mars.R).

use crate::compare;
use crate::reference;
use crate::tables;

use compare::largest_difference;
use reference::rows;
use tables::number;
use tailrank_models::{FitContext, Matrix, Params, TrainSet, mars::Mars};

#[test]
fn same_terms_on_awkward_data() {
    let data = rows("mars_stress_data.csv");
    let fits = rows("mars_stress_fits.csv");
    let (mut compared, mut differing) = (0, Vec::new());
    for lines in fits.chunk_by(|a, b| a[..2] == b[..2]) {
        let head = &lines[0];
        let table: Vec<Vec<f64>> = data
            .iter()
            .filter(|r| r[0] == head[0])
            .map(|r| r[1..].iter().map(|w| number(w)).collect())
            .collect();
        let y: Vec<f64> = table.iter().map(|r| r[0]).collect();
        let x = Matrix::from_rows(&table.iter().map(|r| &r[1..]).collect::<Vec<_>>()).unwrap();
        let params = Params::new()
            .with("degree", number(&head[3]))
            .with("penalty", number(&head[4]))
            .with("threshold", number(&head[5]))
            .with("nk", number(&head[6]))
            .with("prune", head[7] == "TRUE");
        let train = TrainSet::new(x.view(), &y);
        let model = Mars::new(&params).and_then(|mars| mars.fit(train, &FitContext::new(0))).unwrap();
        compared += 1;
        let terms: Vec<String> = model.terms.iter().map(describe).collect();
        let expected: Vec<String> = lines.iter().map(|l| canonical(&l[11])).collect();
        if terms != expected {
            differing.push(format!("{:?}\n  ours {terms:?}\n  mda  {expected:?}", &head[..9]));
            continue;
        }
        let fitted = model.predict_rows(x.view()).unwrap();
        let scale = y.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let theirs: Vec<f64> =
            table.iter().map(|row| lines.iter().map(|l| value(l, &row[1..])).sum()).collect();
        let distance = largest_difference(&fitted, &theirs);
        if distance > 1e-9 * scale {
            differing.push(format!("{:?}: fitted {distance:e} apart", &head[..9]));
        }
    }
    assert!(differing.is_empty(), "{} of {compared}:\n{}", differing.len(), differing.join("\n"));
}

fn describe(term: &tailrank_models::mars::Term) -> String {
    let mut words: Vec<String> =
        term.hinges.iter().map(|h| format!("{}:{}:{}", h.variable + 1, h.sign, h.cut)).collect();
    words.sort();
    words.join(" ")
}

fn canonical(term: &str) -> String {
    let mut words: Vec<String> = hinges(term).map(|(v, s, c)| format!("{}:{s}:{c}", v + 1)).collect();
    words.sort();
    words.join(" ")
}

fn hinges(term: &str) -> impl Iterator<Item = (usize, f64, f64)> {
    term.split_whitespace().map(|word| {
        let part: Vec<f64> = word.split(':').map(number).collect();
        (part[0] as usize - 1, part[1], part[2])
    })
}

fn value(line: &[String], x: &[f64]) -> f64 {
    hinges(&line[11])
        .fold(number(&line[10]), |product, (v, sign, cut)| product * (sign * (x[v] - cut)).max(0.0))
}
