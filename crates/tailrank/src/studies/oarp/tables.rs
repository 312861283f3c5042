//! The tables: the paper's Tables 3, 4 and 1, the readings, and how finely each measure tells candidates apart.

use tailrank_stats::TestResult;

use super::{
    paper,
    results::{Comparison, Model, OarpResults, ReadingResults, Verdict, mean, sd},
};
use crate::studies::{Result, Table};

pub(super) fn tables(results: &OarpResults) -> Result<Vec<Table>> {
    Ok(vec![
        accuracies(results),
        tests(results)?,
        readings(results)?,
        discrimination(results)?,
        super::table_3::bounds(results),
        counter_example(),
    ])
}

/// Table 3.
fn accuracies(results: &OarpResults) -> Table {
    let best = format!("best of {}", results.candidates);
    let headings = [
        "data set",
        "Acc paper",
        "Acc",
        "sd",
        "F paper",
        "F",
        "sd",
        "OARP paper",
        "OARP",
        "sd",
        "tree",
        "sd",
        best.as_str(),
    ];
    let title = "OARP11 Table 3: mean test accuracy of Monte Carlo Sampling by each measure, sd over runs; beside it \
                 a decision tree on the same folds, and the candidate that the test rows themselves would choose";
    let mut table = Table::new("accuracy", title, &headings);
    let mut row = |label: &str, printed: Option<[f64; 3]>, by_run: &dyn Fn(Model) -> Vec<f64>| {
        let mut cells = vec![label.to_owned()];
        for (k, model) in Model::CRITERIA.into_iter().enumerate() {
            cells.push(printed.map_or_else(dash, |p| format!("{:.4}", p[k])));
            cells.extend(mean_and_sd(&by_run(model)));
        }
        cells.extend(mean_and_sd(&by_run(Model::Tree)));
        cells.push(format!("{:.4}", mean(&by_run(Model::BestPossible))));
        table.row(cells);
    };
    for set in &results.main.sets {
        row(&set.label, paper::of(&set.label).map(|p| p.accuracy), &|model| set.by_run(model));
    }
    row("Average", Some(paper::AVERAGE), &|model| results.main.average_by_run(model));
    table
}

/// A model that was not run has no numbers.
fn mean_and_sd(by_run: &[f64]) -> [String; 2] {
    [mean(by_run), sd(by_run)].map(|v| if v.is_nan() { dash() } else { format!("{v:.4}") })
}

/// Table 4, by both tests.
fn tests(results: &OarpResults) -> Result<Table> {
    let headings = [
        "data set",
        "OARP against",
        "paper",
        "difference",
        "runs better/equal/worse",
        "t",
        "p",
        "verdict",
        "corrected t",
        "corrected p",
        "corrected verdict",
        "same choice",
    ];
    let title = "OARP11 Table 4: paired t over the runs, and the corrected resampled t (Nadeau & Bengio) over all folds; \
                 same choice: share of folds in which both measures chose the same candidate";
    let mut table = Table::new("tests", title, &headings);
    for (k, other) in [Model::Accuracy, Model::F].into_iter().enumerate() {
        for (set, found) in results.main.sets.iter().zip(results.main.against(other)?) {
            let [better, equal, worse] = found.runs;
            let printed = paper::of(&set.label).map_or_else(dash, |p| p.verdicts[k].letters().to_owned());
            let mut cells = vec![set.label.clone(), other.name().to_owned(), printed];
            cells.extend([format!("{:+.4}", found.difference), format!("{better}/{equal}/{worse}")]);
            cells.extend(test(found.paired.as_ref(), results.level));
            cells.extend(test(found.corrected.as_ref(), results.level));
            cells.push(format!("{:.2}", found.same_choice as f64 / set.folds.len() as f64));
            table.row(cells);
        }
    }
    Ok(table)
}

fn test(test: Option<&TestResult>, level: f64) -> [String; 3] {
    let verdict = Verdict::of(test, level).letters().to_owned();
    match test {
        Some(t) => [format!("{:.3}", t.statistic), format!("{:.4}", t.p_value), verdict],
        None => [dash(), dash(), verdict],
    }
}

/// The main reading and the others.
fn readings(results: &OarpResults) -> Result<Table> {
    let headings = [
        "reading",
        "Acc",
        "F",
        "OARP",
        "OARP − Acc",
        "SSW/sns/SSL against Acc",
        "corrected",
        "OARP − F",
        "SSW/sns/SSL against F",
        "corrected",
    ];
    let title = "What the paper leaves open: average test accuracy over the sets, and verdicts of OARP by the paired and \
                 by the corrected t";
    let mut table = Table::new("readings", title, &headings);
    for reading in std::iter::once(&results.main).chain(&results.others) {
        let average = |model| reading.average(model);
        let mut cells = vec![reading.name.clone()];
        cells.extend(Model::CRITERIA.map(|m| format!("{:.4}", average(m))));
        for other in [Model::Accuracy, Model::F] {
            cells.push(format!("{:+.4}", average(Model::Oarp) - average(other)));
            let [paired, corrected] = tallies(reading, other, results.level)?;
            cells.extend([paired, corrected].map(|[w, n, l]| format!("{w}/{n}/{l}")));
        }
        table.row(cells);
    }
    Ok(table)
}

/// Wins, draws and losses of OARP over the sets, by the paired and by the corrected t.
pub(super) fn tallies(reading: &ReadingResults, other: Model, level: f64) -> Result<[[usize; 3]; 2]> {
    let found = reading.against(other)?;
    let tally = |test: &dyn Fn(&Comparison) -> Option<&TestResult>| {
        [Verdict::Ssw, Verdict::Sns, Verdict::Ssl]
            .map(|v| found.iter().filter(|c| Verdict::of(test(c), level) == v).count())
    };
    Ok([tally(&|c| c.paired.as_ref()), tally(&|c| c.corrected.as_ref())])
}

/// How finely each measure tells candidates apart.
fn discrimination(results: &OarpResults) -> Result<Table> {
    let headings = [
        "data set",
        "values by Acc",
        "values by F",
        "values by OARP",
        "tied best by Acc",
        "tied best by F",
        "tied best by OARP",
        "OARP chose as Acc",
    ];
    let title = "How finely each measure tells the candidates of a fold apart: different values, candidates that share the \
                 best one (means over folds), and the share of folds in which OARP chose as accuracy did";
    let mut table = Table::new("discrimination", title, &headings);
    for (set, found) in results.main.sets.iter().zip(results.main.against(Model::Accuracy)?) {
        let mut cells = vec![set.label.clone()];
        cells.extend(set.mean_count(|f| f.distinct).map(|v| format!("{v:.1}")));
        cells.extend(set.mean_count(|f| f.tied).map(|v| format!("{v:.2}")));
        cells.push(format!("{:.2}", found.same_choice as f64 / set.folds.len() as f64));
        table.row(cells);
    }
    Ok(table)
}

/// Table 1.
fn counter_example() -> Table {
    let headings = ["s", "tp", "fp", "tn", "fn", "TC", "Accuracy", "OARP", "OARP paper"];
    let title =
        "OARP11 Table 1: two solutions of equal accuracy for 95 cases of one class and 5 of the other";
    let mut table = Table::new("counter-example", title, &headings);
    for (name, c, _, oarp) in paper::TABLE_1 {
        let mut cells = vec![name.to_owned()];
        cells.extend([c.tp, c.fp, c.tn, c.fn_, c.tp + c.tn].map(|n| n.to_string()));
        cells.extend([format!("{:.6}", c.accuracy()), format!("{:.6}", c.oarp()), format!("{oarp:.6}")]);
        table.row(cells);
    }
    table
}

fn dash() -> String {
    "–".to_owned()
}
