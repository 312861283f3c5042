//! Signs in a table that scores will be too good to be true: an input that tells the target, things that come on both sides of a split, rows
//! that were made up from others.

use super::{LeakFinding, Rows, Split};
use crate::{
    Table,
    profile::names_rows,
    table::{TableColumn, Values},
};

/// From this strength on an input alone predicts too well.
pub(super) const TOO_GOOD: f64 = 0.99;
/// Rows that are looked at for it; more would tell the same.
const SAMPLE: usize = 5_000;
/// With fewer values a target is a class.
const FEWEST_VALUES: usize = 5;

/// The input that alone predicts the target best, if it does so too well: the rank correlation, or the share of the target's variance
/// that one split of the input explains.
pub(super) fn too_good_input(table: &Table) -> LeakFinding {
    let step = table.rows().div_ceil(SAMPLE).max(1);
    let targets: Vec<f64> = table.targets().iter().copied().step_by(step).collect();
    let all_ranks = ranks(&targets);
    let strength = |values: &[f64]| {
        let sampled = values.iter().copied().step_by(step).zip(&targets).zip(&all_ranks);
        let mut known: Vec<(f64, f64, f64)> =
            sampled.map(|((x, y), rank)| (x, *y, *rank)).filter(|(x, ..)| !x.is_nan()).collect();
        if known.len() < targets.len() {
            let ranked = ranks(&known.iter().map(|(_, y, _)| *y).collect::<Vec<f64>>());
            known.iter_mut().zip(ranked).for_each(|(row, rank)| row.2 = rank);
        }
        // Two classes are told apart by one split of many a sound input.
        let mut classes: Vec<f64> = Vec::new();
        for (_, y, _) in &known {
            if classes.len() < FEWEST_VALUES && !classes.contains(y) {
                classes.push(*y);
            }
        }
        if known.len() < 10 || classes.len() < FEWEST_VALUES {
            return 0.0;
        }
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        by_ranks(&known).max(by_one_split(&known))
    };
    let numeric = table.columns.iter().filter_map(|column| match &column.values {
        Values::Numeric(values) => Some((column.name.clone(), strength(values))),
        Values::Categorical { .. } => None,
    });
    let best = numeric.filter(|(_, strength)| *strength >= TOO_GOOD).max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(LeakFinding::Clear, |(column, strength)| LeakFinding::TooGoodInput(column, strength))
}

/// The size of Spearman's correlation of rows in the order of the input: input, target, rank of the target.
fn by_ranks(rows: &[(f64, f64, f64)]) -> f64 {
    let inputs: Vec<f64> = rows.iter().map(|(x, ..)| *x).collect();
    let ranked: Vec<(f64, f64)> = ranks(&inputs).into_iter().zip(rows.iter().map(|row| row.2)).collect();
    super::leak_report::correlation(&ranked).map_or(0.0, f64::abs)
}

/// Ranks from 1, shared by equal values.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        let shared = start as f64 + (same.len() as f64 + 1.0) / 2.0;
        same.iter().for_each(|(_, row)| ranks[*row] = shared);
        start += same.len();
    }
    ranks
}

/// R² of the best tree with one split, of rows in the order of the input.
fn by_one_split(rows: &[(f64, f64, f64)]) -> f64 {
    let n = rows.len() as f64;
    let mean = rows.iter().map(|row| row.1).sum::<f64>() / n;
    let total: f64 = rows.iter().map(|row| (row.1 - mean).powi(2)).sum();
    let (mut below, mut best) = (0.0, 0.0f64);
    for (i, pair) in rows.windows(2).enumerate() {
        below += pair[0].1 - mean;
        if pair[0].0 < pair[1].0 {
            let (left, right) = ((i + 1) as f64, n - (i + 1) as f64);
            best = best.max(below * below / left + below * below / right);
        }
    }
    if total > 0.0 { best / total } else { 0.0 }
}

/// An input that is named as the number or name of a thing, and how many of its things train and are tested in one split.
pub(super) fn repeated_id(table: &Table, splits: &[Split]) -> LeakFinding {
    let code = |column: &TableColumn, row: usize| match &column.values {
        Values::Numeric(values) if values[row].fract() == 0.0 => Some(values[row] as i64),
        Values::Numeric(_) => None,
        Values::Categorical { codes, .. } => codes[row].map(i64::from),
    };
    let across = |column: &TableColumn| {
        let things = |rows: &Rows| -> std::collections::BTreeSet<i64> {
            rows.iter().filter_map(|row| code(column, row)).collect()
        };
        let shared =
            splits.iter().map(|split| things(&split.train).intersection(&things(&split.test)).count());
        shared.max().filter(|shared| *shared > 0)
    };
    let named = table.columns.iter().filter(|column| names_rows(&column.name));
    let whole = |column: &&TableColumn| (0..table.rows()).all(|row| code(column, row).is_some());
    let found = named.filter(whole).find_map(|c| Some(LeakFinding::SplitIds(c.name.clone(), across(c)?)));
    found.unwrap_or(LeakFinding::Clear)
}

/// Rows with fractions in columns that else are whole, the same rows in at least two of them: what SMOTE puts between others.
pub(super) fn synthetic_rows(table: &Table) -> LeakFinding {
    let few = |rows: usize| rows * 50 >= table.rows() && rows * 2 <= table.rows();
    // From 2⁵² on all numbers are whole, and what is added to it is rounded: several values at once, unlike by `fract`.
    const WHOLE: f64 = (1u64 << 52) as f64;
    let has_fraction = |value: f64| (value.abs() < WHOLE) & ((value.abs() + WHOLE) - WHOLE != value.abs());
    let fractions = table.columns.iter().filter_map(|column| match &column.values {
        Values::Numeric(values) => {
            let (half, mut counted) = (values.len() / 2, 0);
            for part in values.chunks(4096) {
                counted += part.iter().filter(|value| has_fraction(**value)).count();
                if counted > half {
                    // Too many: the others need not be counted.
                    return None;
                }
            }
            let rows = || (0..values.len()).filter(|row| has_fraction(values[*row]));
            few(counted).then(|| rows().collect::<Vec<usize>>())
        }
        Values::Categorical { .. } => None,
    });
    let columns: Vec<Vec<usize>> = fractions.collect();
    let [first, second, ..] = &columns[..] else { return LeakFinding::Clear };
    let both = first.iter().filter(|row| second.binary_search(row).is_ok()).count();
    let is_same = both > 0 && both * 10 >= first.len().max(second.len()) * 8;
    if is_same { LeakFinding::MadeUp(both) } else { LeakFinding::Clear }
}

#[cfg(test)]
mod tests {
    use crate::{Dataset, KFold, Leak, SplitRows, TableOptions, draw_splits, read_table_bytes};

    /// What is found in a table of a hundred rows.
    fn found(head: &str, row: impl Fn(usize) -> String) -> Vec<String> {
        let text: String =
            std::iter::once(head.to_owned()).chain((0..100).map(row)).map(|l| l + "\n").collect();
        let table =
            Dataset::from(read_table_bytes("t.csv", text.as_bytes(), &TableOptions::new("y")).unwrap().value);
        let plan =
            KFold { folds: 5, repeats: 1, shuffle: Some(true), stratify: None, validation_fold: false };
        let splits = draw_splits(&plan, &SplitRows::new(&table.timeline(), 1), Leak::Purged).unwrap();
        let crate::LeakReport { lines, warnings } = table.leak_report(&splits);
        let leaks = lines.into_iter().filter(crate::LeakLine::leaks);
        let told = leaks.filter(|line| line.item != "target memory").map(|line| line.to_string()).collect();
        assert_eq!(Vec::len(&told) > 0, !warnings.is_empty(), "what is found is told: {told:?} {warnings:?}");
        told
    }

    fn y(i: usize) -> usize {
        i * 7919 % 101
    }

    #[test]
    fn an_input_that_tells_the_target_is_named_with_its_strength() {
        assert_eq!(found("x,y", |i| format!("{},{}", i * 31 % 17, y(i))), Vec::<String>::new());
        let told = found("x,z,y", |i| format!("{},{},{}", i % 7, (y(i) as f64).powi(3), y(i)));
        assert_eq!(told, ["inputs: z alone predicts the target (strength 1.000)"]);
        let told = found("x,y", |i| format!("{},{}", y(i) + 3 * (i % 3), y(i)));
        assert!(
            told.len() == 1 && told[0].contains("x alone predicts the target (strength 0.99"),
            "{told:?}"
        );
        let told = found("x,y", |i| format!("{},{}", y(i) % 2, 2000 * (y(i) % 2) + i));
        assert!(told.len() == 1 && told[0].contains("x alone"), "one split: {told:?}");
    }

    #[test]
    fn things_on_both_sides_and_rows_between_others_are_named() {
        let told = found("patient_id,x,y", |i| format!("{},{},{}", i / 4, i * 31 % 17, y(i)));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("ids whole: ") && told[0].contains("patient_id"), "{told:?}");
        let between = |i: usize| if i.is_multiple_of(5) { 0.37 } else { 0.0 };
        let told = found("a,b,y", |i| {
            format!("{},{},{}", (i * 31 % 17) as f64 + between(i), (i * 13 % 29) as f64 + between(i), y(i))
        });
        assert_eq!(told, ["made-up rows: 20 leak"]);
    }
}
