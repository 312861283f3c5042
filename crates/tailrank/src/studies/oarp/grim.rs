//! What a printed mean of test accuracies can be made of (GRIM, Brown & Heathers 2017): accuracies are counts over cases, so a mean
//! over ten folds of a known set takes few values, one over ten runs of ten folds many more.

use super::paper;

/// Four digits.
const DIGITS: f64 = 1e4;

/// The four-digit values that the mean of fold accuracies takes over some runs, as whole numbers of 1e-4. Folds are as equal as the
/// rows allow.
pub(super) fn attainable(rows: usize, folds: usize, runs: usize) -> Vec<bool> {
    let (small, larger) = (rows / folds, rows % folds);
    let mut found = vec![false; DIGITS as usize + 1];
    // Right answers in the smaller folds and in those with one row more; their number is all that counts.
    let (most_small, most_large) = (runs * (folds - larger) * small, runs * larger * (small + 1));
    let scale = DIGITS / (runs * folds) as f64;
    for in_large in 0..=most_large {
        let large = in_large as f64 / (small + 1) as f64;
        for in_small in 0..=most_small {
            let value = scale * (in_small as f64 / small as f64 + large);
            // Half-way values may have been printed either way.
            for place in [(value - 0.5 - 1e-7).ceil(), (value + 0.5 + 1e-7).floor()] {
                found[place as usize] = true;
            }
        }
    }
    found
}

/// How many rows classified right a printed mean of one run may stand for: the fewest and the most.
pub(super) fn totals(rows: usize, folds: usize, printed: f64) -> Option<(usize, usize)> {
    let (small, larger) = (rows / folds, rows % folds);
    let mut found: Option<(usize, usize)> = None;
    for in_large in 0..=larger * (small + 1) {
        for in_small in 0..=(folds - larger) * small {
            let mean = (in_small as f64 / small as f64 + in_large as f64 / (small + 1) as f64) / folds as f64;
            if (mean - printed).abs() <= 0.5 / DIGITS + 1e-11 {
                let total = in_small + in_large;
                found = Some(found.map_or((total, total), |(low, high)| (low.min(total), high.max(total))));
            }
        }
    }
    found
}

/// One printed value.
pub(super) struct Value {
    pub(super) printed: f64,
    /// Rows right in one run of ten folds, if the value can come from one.
    pub(super) totals: Option<(usize, usize)>,
    pub(super) of_ten_runs: bool,
}

/// The three values of a set.
pub(super) struct SetValues {
    pub(super) label: &'static str,
    pub(super) rows: usize,
    pub(super) values: Vec<Value>,
    /// Of the four-digit values near by that ten runs could give, the share that one run could give too, all three taken together: the
    /// chance that ten runs look like one.
    pub(super) chance: f64,
}

/// Values as far as this from a printed one are as likely as it.
const NEAR: usize = 200;

/// Table 3 of the paper, set by set; `rows` gives the cases of a set.
pub(super) fn table_3(rows: &dyn Fn(&str) -> Option<usize>) -> Vec<SetValues> {
    const FOLDS: usize = 10;
    let mut found = Vec::new();
    for set in &paper::SETS {
        let Some(rows) = rows(set.label) else { continue };
        let (one, ten) = (attainable(rows, FOLDS, 1), attainable(rows, FOLDS, 10));
        let place = |printed: f64| (printed * DIGITS).round() as usize;
        let share = |printed: f64| {
            let near = place(printed).saturating_sub(NEAR)..=(place(printed) + NEAR).min(one.len() - 1);
            let of_ten = near.clone().filter(|&v| ten[v]).count();
            near.filter(|&v| one[v] && ten[v]).count() as f64 / of_ten.max(1) as f64
        };
        let values = set
            .accuracy
            .iter()
            .map(|&printed| Value {
                printed,
                totals: totals(rows, FOLDS, printed),
                of_ten_runs: ten[place(printed)],
            })
            .collect();
        let chance = set.accuracy.iter().map(|&printed| share(printed)).product();
        found.push(SetValues { label: set.label, rows, values, chance });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_folds_give_whole_counts() {
        // Heart: ten folds of 27, so one run gives k/270 and ten runs k/2700.
        let one = attainable(270, 10, 1);
        assert_eq!(one.iter().filter(|v| **v).count(), 271);
        assert!(one[8704] && one[8556] && one[8778] && !one[8705] && !one[8700]);
        let ten = attainable(270, 10, 10);
        assert_eq!(ten.iter().filter(|v| **v).count(), 2701);
        assert_eq!(totals(270, 10, 0.8704), Some((235, 235)));
        assert_eq!(totals(270, 10, 0.8556), Some((231, 231)));
        assert_eq!(totals(270, 10, 0.8778), Some((237, 237)));
        assert_eq!(totals(270, 10, 0.8705), None);
    }

    #[test]
    fn unequal_folds_give_more() {
        // 155 rows: five folds of 15, five of 16. 131 right is not the only way to 0.8454.
        let one = attainable(155, 10, 1);
        assert!(one.iter().filter(|v| **v).count() > 156);
        assert!(one[8454] && one[8183] && one[8900]);
        assert_eq!(totals(155, 10, 0.8454), Some((131, 131)));
    }

    #[test]
    fn the_printed_table_is_of_one_run() {
        let rows = |label: &str| match label {
            "Breast-Cancer" => Some(699),
            "Heart270" => Some(270),
            "Hepatitis" => Some(155),
            "Liver" => Some(345),
            "Pima-diabetes" => Some(768),
            _ => None,
        };
        let found = table_3(&rows);
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|s| s.values.iter().all(|v| v.totals.is_some() && v.of_ten_runs)));
        let heart = &found[1];
        assert!((heart.chance - 1e-3).abs() < 2e-4, "{}", heart.chance);
        // Folds of 34 and 35 rows reach almost every value: Liver says nothing.
        assert!(found[3].chance > 0.9, "{}", found[3].chance);
        // A table of ten runs would not pass: one unit in the last digit away, Heart's values are no whole counts.
        assert!(totals(270, 10, 0.8557).is_none() && totals(270, 10, 0.8779).is_none());
    }
}
