//! What a printed mean of test accuracies can be made of (GRIM, Brown & Heathers 2017): accuracies are counts
//! over cases, so a mean over ten folds of a known set takes few values, one over ten runs of ten folds many
//! more.

use super::results::SetResults;

/// Four digits.
const DIGITS: f64 = 1e4;

/// Which four-digit values the mean of fold accuracies takes over some runs, as whole numbers of 1e-4: the
/// fewest and the most rows classified right that give each. Folds are as equal as the rows allow.
fn attainable(rows: usize, folds: usize, runs: usize) -> Vec<Option<(usize, usize)>> {
    let (small, larger) = (rows / folds, rows % folds);
    let mut found = vec![None; DIGITS as usize + 1];
    // Right answers in the smaller folds and in those with one row more; their number is all that counts.
    let (most_small, most_large) = (runs * (folds - larger) * small, runs * larger * (small + 1));
    let scale = DIGITS / (runs * folds) as f64;
    for in_large in 0..=most_large {
        let large = in_large as f64 / (small + 1) as f64;
        for in_small in 0..=most_small {
            let value = scale * (in_small as f64 / small as f64 + large);
            let total = in_small + in_large;
            // Half-way values may have been printed either way.
            for place in [(value - 0.5 - 1e-7).ceil(), (value + 0.5 + 1e-7).floor()] {
                let (low, high) = found[place as usize].get_or_insert((total, total));
                (*low, *high) = ((*low).min(total), (*high).max(total));
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
    pub(super) label: String,
    pub(super) rows: usize,
    pub(super) values: [Value; 3],
    /// Of the four-digit values near by that ten runs could give, the share that one run could give too, all
    /// three taken together: the chance that ten runs look like one.
    pub(super) chance: f64,
}

/// Values as far as this from a printed one are as likely as it.
const NEAR: usize = 200;
const FOLDS: usize = 10;

impl SetValues {
    pub(super) fn new(found: &SetResults) -> Self {
        Self::of(&found.set.label, found.rows, found.set.printed)
    }

    fn of(label: &str, rows: usize, printed: [f64; 3]) -> Self {
        let (one, ten) = (attainable(rows, FOLDS, 1), attainable(rows, FOLDS, 10));
        let place = |printed: f64| (printed * DIGITS).round() as usize;
        let share = |printed: f64| {
            let near = place(printed).saturating_sub(NEAR)..=(place(printed) + NEAR).min(one.len() - 1);
            let of_ten: Vec<usize> = near.filter(|&v| ten[v].is_some()).collect();
            of_ten.iter().filter(|&&v| one[v].is_some()).count() as f64 / of_ten.len().max(1) as f64
        };
        let value = |printed: f64| Value {
            printed,
            totals: one[place(printed)],
            of_ten_runs: ten[place(printed)].is_some(),
        };
        let chance = printed.iter().map(|&printed| share(printed)).product();
        Self { label: label.to_owned(), rows, values: printed.map(value), chance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(found: &[Option<(usize, usize)>]) -> usize {
        found.iter().flatten().count()
    }

    #[test]
    fn equal_folds_give_whole_counts() {
        // Heart: ten folds of 27, so one run gives k/270 and ten runs k/2700.
        let one = attainable(270, 10, 1);
        assert_eq!(count(&one), 271);
        assert_eq!([one[8704], one[8556], one[8778]], [235, 231, 237].map(|n| Some((n, n))));
        assert_eq!([one[8705], one[8700], one[8557], one[8779]], [None; 4]);
        assert_eq!(count(&attainable(270, 10, 10)), 2701);
    }

    #[test]
    fn unequal_folds_give_more() {
        // 155 rows: five folds of 15, five of 16. 131 right is not the only way to 0.8454.
        let one = attainable(155, 10, 1);
        assert!(count(&one) > 156);
        assert!(one[8183].is_some() && one[8900].is_some());
        assert_eq!(one[8454], Some((131, 131)));
    }

    #[test]
    fn the_printed_table_is_of_one_run() {
        let rows = [699, 270, 155, 345, 768];
        let sets = crate::studies::oarp::settings::Settings::bundled().unwrap().sets;
        let found: Vec<SetValues> =
            sets.iter().zip(rows).map(|(set, rows)| SetValues::of(&set.label, rows, set.printed)).collect();
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|s| s.values.iter().all(|v| v.totals.is_some() && v.of_ten_runs)));
        let heart = &found[1];
        assert!((heart.chance - 1e-3).abs() < 2e-4, "{}", heart.chance);
        // Folds of 34 and 35 rows reach almost every value: Liver says nothing.
        assert!(found[3].chance > 0.9, "{}", found[3].chance);
    }
}
