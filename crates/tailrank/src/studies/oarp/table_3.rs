//! The page on Table 3: what its printed numbers can be made of, how Table 4 comes out then, and what no leak can explain.

use std::fmt::Write;

use super::{
    bound::bound,
    grim, paper,
    results::{Model, OarpResults},
    ten_folds,
};
use crate::studies::{Page, Result, Table, decide::digits};

/// The three sections.
pub(super) fn page(results: &OarpResults) -> Result<Page> {
    let mut body = String::from(
        "OARP11 prints fifteen mean test accuracies with four digits. An accuracy is a count over cases, so such a mean takes few values, \
         and that tells how it was made. Everything here is arithmetic on what is printed and on the runs of this study; it says nothing of \
         why.\n\n## One run of ten folds\n\n",
    );
    let sets = grim::table_3(&|label| rows_of(results, label));
    body.push_str(&grim_table(&sets).markdown());
    let one = sets.iter().flat_map(|s| &s.values).filter(|v| v.totals.is_some()).count();
    let all: usize = sets.iter().map(|s| s.values.len()).sum();
    let chances: Vec<String> = sets.iter().map(|s| format!("{} {}", s.label, digits(s.chance))).collect();
    let together: f64 = sets.iter().map(|s| s.chance).product();
    let _ = write!(
        body,
        "\n{one} of {all} values are means that one run of ten-fold cross-validation can give. Ten runs give ten times as many values \
         where folds are equal; the chance that all three of a set look like one run is, for ten runs: {}; together {}. Sets whose folds \
         differ in size reach almost every value and say nothing. So \"run for 10 times\" most likely means the ten folds, and \
         Table 4's \"ten trial records\" are those folds.\n\n## Table 4 with ten folds\n\n",
        chances.join(", "),
        digits(together)
    );
    body.push_str(&ten_folds_text(results)?);
    body.push_str(
        "\n## What no leak explains\n\nWhere two measures choose the same candidate, whatever leaked into training or test gives both \
         the same test accuracy: the printed difference must come from the other folds alone. Needed is what each of these would have \
         to gain on average; possible is what the best of all candidates gains there, chosen with the test rows in sight.\n\n",
    );
    body.push_str(&bounds(results).markdown());
    Ok(Page { name: "table3".to_owned(), title: "What OARP11's Table 3 is made of".to_owned(), body })
}

/// Cases of a set, as the study has them.
fn rows_of(results: &OarpResults, label: &str) -> Option<usize> {
    results.main.sets.iter().find(|s| s.label == label).map(|s| s.rows)
}

fn grim_table(sets: &[grim::SetValues]) -> Table {
    let headings = ["data set", "rows", "by", "printed", "rows right in one run", "of ten runs too"];
    let mut table = Table::new("grim", "OARP11 Table 3: which means can give the printed values", &headings);
    for set in sets {
        for (value, model) in set.values.iter().zip(Model::CRITERIA) {
            let rows = match value.totals {
                Some((low, high)) if low == high => format!("{low} of {}", set.rows),
                Some((low, high)) => format!("{low} to {high} of {}", set.rows),
                None => "none".to_owned(),
            };
            table.row([
                set.label.to_owned(),
                set.rows.to_string(),
                model.name().to_owned(),
                format!("{:.4}", value.printed),
                rows,
                if value.of_ten_runs { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    table
}

fn ten_folds_text(results: &OarpResults) -> Result<String> {
    let headings = ["run", "SSW/sns/SSL against Acc", "against F"];
    let mut table = Table::new("ten_folds", "", &headings);
    let tallies = [
        ten_folds::tallies(&results.main, Model::Accuracy, results.level)?,
        ten_folds::tallies(&results.main, Model::F, results.level)?,
    ];
    let shown = |[w, n, l]: [usize; 3]| format!("{w}/{n}/{l}");
    for (run, (acc, f)) in tallies[0].iter().zip(&tallies[1]).enumerate() {
        table.row([(run + 1).to_string(), shown(*acc), shown(*f)]);
    }
    table.row(["printed".to_owned(), shown(paper::tally(0)), shown(paper::tally(1))]);
    Ok(format!(
        "Each of the study's {} runs is one experiment the authors may have made; paired t over its ten folds, five sets:\n\n{}\n\
         {} of them reach the printed tally against accuracy, {} against F.\n",
        tallies[0].len(),
        table.markdown(),
        ten_folds::reached(&tallies[0], 0),
        ten_folds::reached(&tallies[1], 1),
    ))
}

/// The bound, set by set and measure by measure.
pub(super) fn bounds(results: &OarpResults) -> Table {
    let headings = [
        "data set",
        "OARP against",
        "printed difference",
        "folds with another choice",
        "needed in each",
        "possible in each",
    ];
    let title =
        "What the folds in which two measures choose otherwise would have to give for Table 3's differences";
    let mut table = Table::new("bound", title, &headings);
    for (k, other) in [Model::Accuracy, Model::F].into_iter().enumerate() {
        for set in &results.main.sets {
            let Some(printed) = paper::of(&set.label) else { continue };
            let difference = printed.accuracy[2] - printed.accuracy[k];
            let mut row = vec![set.label.clone(), other.name().to_owned(), format!("{difference:+.4}")];
            row.extend(match bound(set, other, difference) {
                Some(b) => [
                    format!("{:.0} %", 100.0 * b.different),
                    format!("{:+.3}", b.needed),
                    format!("{:+.3}", b.most),
                ],
                None => ["0 %".to_owned(), "no such fold".to_owned(), "–".to_owned()],
            });
            table.row(row);
        }
    }
    table
}
