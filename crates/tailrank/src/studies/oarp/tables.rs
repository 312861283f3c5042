//! The tables: the paper's Tables 3, 4 and 1, the readings, and how finely each measure tells candidates
//! apart. And the page on Table 3: what its printed numbers can be made of, how Table 4 comes out then, and
//! what no leak can explain.

use tailrank_stats::TestResult;

use super::{
    AVERAGE, TABLE_1, TALLY,
    grim::{SetValues, Value},
    reaches_printed,
    results::{
        ACCURACY, BEST_POSSIBLE, F, LETTERS, NAMES, OARP, OTHERS, OarpResults, SetResults, TREE, Tally, sd,
        verdict,
    },
};
use crate::studies::{prelude::*, words::table};

pub(super) fn tables(results: &OarpResults) -> Result<Vec<Table>> {
    Ok(vec![
        accuracies(results),
        tests(results)?,
        readings(results)?,
        discrimination(results)?,
        bounds(results),
        counter_example(),
    ])
}

fn four(value: f64) -> String {
    format!("{value:.4}")
}

/// Table 3.
fn accuracies(results: &OarpResults) -> Table {
    let main = &results.readings[0];
    let mut table = table("oarp/accuracy").with_headings([format!("best of {}", results.candidates)]);
    let mut row = |label: &str, printed: [f64; 3], by_run: &dyn Fn(usize) -> Vec<f64>| {
        let mean_and_sd = |model: usize| [mean(&by_run(model)), sd(&by_run(model))].map(four);
        let mut cells = vec![label.to_owned()];
        for (model, printed) in printed.into_iter().enumerate() {
            cells.push(four(printed));
            cells.extend(mean_and_sd(model));
        }
        cells.extend(mean_and_sd(TREE));
        cells.push(four(mean(&by_run(BEST_POSSIBLE))));
        table.row(cells);
    };
    for found in &main.sets {
        row(&found.set.label, found.set.printed, &|model| found.by_run(model));
    }
    row("Average", AVERAGE, &|model| main.average_by_run(model));
    table
}

/// Table 4, by both tests.
fn tests(results: &OarpResults) -> Result<Table> {
    let main = &results.readings[0];
    let mut table = table("oarp/tests");
    for other in OTHERS {
        for (set, found) in main.sets.iter().zip(main.against(other)?) {
            let mut cells = vec![set.set.label.clone(), NAMES[other].to_owned(), set.set.verdict.clone()];
            cells.extend([format!("{:+.4}", found.difference), found.runs.map(|n| n.to_string()).join("/")]);
            cells.extend(test(found.paired.as_ref()));
            cells.extend(test(found.corrected.as_ref()));
            cells.push(format!("{:.2}", found.same_choice));
            table.row(cells);
        }
    }
    Ok(table)
}

fn test(test: Option<&TestResult>) -> [String; 3] {
    let statistic = or_dash(test.map(|t| t.statistic), |t| format!("{t:.3}"));
    [statistic, or_dash(test.map(|t| t.p_value), four), LETTERS[verdict(test)].to_owned()]
}

fn shown(tally: Tally) -> String {
    tally.map(|n| n.to_string()).join("/")
}

/// The main reading and the others.
fn readings(results: &OarpResults) -> Result<Table> {
    let mut table = table("oarp/readings");
    for reading in &results.readings {
        let averages = [ACCURACY, F, OARP].map(|model| reading.average(model));
        let mut cells = vec![reading.name.clone()];
        cells.extend(averages.map(four));
        for other in OTHERS {
            cells.push(format!("{:+.4}", averages[OARP] - averages[other]));
            cells.extend(reading.tallies(other)?.map(shown));
        }
        table.row(cells);
    }
    Ok(table)
}

/// How finely each measure tells candidates apart.
fn discrimination(results: &OarpResults) -> Result<Table> {
    let mut table = table("oarp/discrimination");
    for set in &results.readings[0].sets {
        let mut cells = vec![set.set.label.clone()];
        cells.extend(set.mean_count(|f| f.distinct).map(|v| format!("{v:.1}")));
        cells.extend(set.mean_count(|f| f.tied).map(|v| format!("{v:.2}")));
        cells.push(format!("{:.2}", set.against(ACCURACY)?.same_choice));
        table.row(cells);
    }
    Ok(table)
}

/// Table 1.
fn counter_example() -> Table {
    table("oarp/counter-example").with_rows(TABLE_1.map(|(name, c, oarp)| {
        let counts = [c.tp, c.fp, c.tn, c.fn_, c.tp + c.tn].map(|n| n.to_string());
        let scores = [format!("{:.6}", c.accuracy()), format!("{:.6}", c.oarp()), format!("{oarp:.6}")];
        [name.to_owned()].into_iter().chain(counts).chain(scores)
    }))
}

/// What no leak can do, set by set and measure by measure. Where two measures choose the same candidate,
/// whatever was done to rows, scales or folds gives both the same test accuracy: the whole printed difference
/// must come from the other folds.
fn bounds(results: &OarpResults) -> Table {
    let mut table = table("oarp/bound");
    for other in OTHERS {
        for found in &results.readings[0].sets {
            let difference = found.set.printed[OARP] - found.set.printed[other];
            let mut row = vec![found.set.label.clone(), NAMES[other].to_owned(), format!("{difference:+.4}")];
            row.extend(match bound(found, other) {
                Some((share, most)) => [
                    format!("{:.0} %", 100.0 * share),
                    format!("{:+.3}", difference / share),
                    format!("{most:+.3}"),
                ],
                None => ["0 %", "no such fold", DASH].map(str::to_owned),
            });
            table.row(row);
        }
    }
    table
}

/// The share of folds in which two measures choose otherwise, and the most that any choice among the
/// candidates gains there over the other measure's, on average; none if all choices are the same.
fn bound(found: &SetResults, other: usize) -> Option<(f64, f64)> {
    let different = found.folds.iter().filter(|f| f.chosen[OARP] != f.chosen[other]);
    let possible: Vec<f64> = different.map(|f| f.accuracy[BEST_POSSIBLE] - f.accuracy[other]).collect();
    (!possible.is_empty()).then(|| (possible.len() as f64 / found.folds.len() as f64, mean(&possible)))
}

/// The page's three sections.
pub(super) fn page(results: &OarpResults, sets: &[SetValues]) -> Result<Page> {
    let values = || sets.iter().flat_map(|s| &s.values);
    let chances: Vec<String> = sets.iter().map(|s| format!("{} {}", s.label, digits(s.chance))).collect();
    let [acc, f] = OTHERS.map(|other| results.readings[0].tallies_by_run(other));
    let (acc, f) = (acc?, f?);
    let runs = (1..).zip(acc.iter().zip(&f)).map(|(run, (acc, f))| [run.to_string(), shown(*acc), shown(*f)]);
    let by_run =
        table("oarp/ten_folds").with_rows(runs.chain([["printed".to_owned(), shown(TALLY), shown(TALLY)]]));
    let reached = |tallies: &[Tally]| tallies.iter().filter(|t| reaches_printed(t)).count();
    let [grim, by_run, bounds] = [grim_table(sets), by_run, bounds(results)].map(|table| table.markdown());
    let (of_one_run, all) = (values().filter(|v| v.totals.is_some()).count(), values().count());
    let (chances, chance) = (chances.join(", "), digits(sets.iter().map(|s| s.chance).product()));
    let (runs, by_acc, by_f) = (acc.len(), reached(&acc), reached(&f));
    let page = include_str!("../words/oarp-table3.md");
    let body =
        filled(page, &[&grim, &of_one_run, &all, &chances, &chance, &runs, &by_run, &by_acc, &by_f, &bounds]);
    Ok(Page { name: "table3".to_owned(), title: "What OARP11's Table 3 is made of".to_owned(), body })
}

fn grim_table(sets: &[SetValues]) -> Table {
    let row = |(set, value, name): (&SetValues, &Value, &str)| {
        let rows = match value.totals {
            Some((low, high)) if low == high => format!("{low} of {}", set.rows),
            Some((low, high)) => format!("{low} to {high} of {}", set.rows),
            None => "none".to_owned(),
        };
        let of_ten = if value.of_ten_runs { "yes" } else { "no" };
        let [name, of_ten] = [name, of_ten].map(str::to_owned);
        [set.label.clone(), set.rows.to_string(), name, four(value.printed), rows, of_ten]
    };
    let values =
        sets.iter().flat_map(|set| set.values.iter().zip(NAMES).map(move |(v, name)| (set, v, name)));
    table("oarp/grim").with_rows(values.map(row))
}
