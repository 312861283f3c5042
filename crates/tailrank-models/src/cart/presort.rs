//! The order in which rpart visits the cases of an input.
//!
//! Sums depend on the order of their terms in the last digit, and in small nodes the last digit decides which
//! of several equally good inputs wins. Where values are tied the order is that of rpart's own quicksort, so
//! this module is one of the same kind: pivot the median of first, middle and last; two fingers that swap
//! only strictly unordered pairs; insertion for short ranges.

use crate::{MatrixView, matrix::ascending};

/// Every input's values and the order of its rows, made once for all trees on the same data.
pub(super) struct Presorted {
    pub(super) rows: usize,
    /// Values, column after column.
    pub(super) x: Vec<f64>,
    /// Rows in ascending order, column after column.
    pub(super) order: Vec<u32>,
}

impl Presorted {
    pub(super) fn new(x: MatrixView<'_>) -> Self {
        let rows = x.rows();
        let x = x.to_column_major();
        let of_column = |column| order_of_distinct(column).unwrap_or_else(|| order(column));
        let order = x.chunks_exact(rows).flat_map(of_column).collect();
        Self { rows, x, order }
    }
}

/// Rows in ascending order of `values` where no two are equal: any sort gives it, so the fastest does.
fn order_of_distinct(values: &[f64]) -> Option<Vec<u32>> {
    let order = ascending(values);
    let distinct = order.windows(2).all(|pair| values[pair[0] as usize] < values[pair[1] as usize]);
    distinct.then_some(order)
}

/// Longest range that is sorted by insertion.
const SHORT: usize = 11;

/// Rows in ascending order of `values`, ties as rpart leaves them.
fn order(values: &[f64]) -> Vec<u32> {
    let mut items: Vec<(f64, u32)> = values.iter().copied().zip(0..).collect();
    sort(&mut items);
    items.into_iter().map(|(_, row)| row).collect()
}

fn sort(mut items: &mut [(f64, u32)]) {
    while items.len() > SHORT {
        let (low_end, high_start) = partition(items);
        let (rest, high) = items.split_at_mut(high_start);
        let low = &mut rest[..low_end];
        // Recursion into the shorter side bounds the depth by log2 of the length.
        if low.len() < high.len() {
            sort(low);
            items = high;
        } else {
            sort(high);
            items = low;
        }
    }
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && items[at - 1].0 > items[at].0 {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Moves smaller values before larger ones; returns the end of the part still to be sorted below the pivot
/// and the start of the part above it.
fn partition(items: &mut [(f64, u32)]) -> (usize, usize) {
    let last = items.len() - 1;
    let pivot = median(items[0].0, items[last / 2].0, items[last].0);
    let (mut i, mut j) = (0, last);
    while i < j {
        while items[i].0 < pivot {
            i += 1;
        }
        while items[j].0 > pivot {
            j -= 1;
        }
        if i < j {
            if items[i].0 > items[j].0 {
                items.swap(i, j);
            }
            i += 1;
            j -= 1;
        }
    }
    // Values equal to the pivot between the fingers are in place already.
    while items[i].0 >= pivot && i > 0 {
        i -= 1;
    }
    while items[j].0 <= pivot && j < last {
        j += 1;
    }
    (i + 1, j)
}

fn median(a: f64, b: f64, c: f64) -> f64 {
    a.min(b).max(a.max(b).min(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distinct_values_have_one_order(values in prop::collection::vec(-1e3..1e3_f64, 0..200)) {
            // Drawn from so many that two are hardly ever equal.
            prop_assert_eq!(order_of_distinct(&values), Some(order(&values)));
        }

        #[test]
        fn orders_any_values(values in prop::collection::vec(-8i32..8, 0..200)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let order = order(&values);
            let mut rows = order.clone();
            rows.sort_unstable();
            prop_assert!(rows.into_iter().eq(0..values.len() as u32));
            prop_assert!(order.windows(2).all(|w| values[w[0] as usize] <= values[w[1] as usize]));
        }
    }

    #[test]
    fn equal_values_are_seen() {
        assert_eq!(order_of_distinct(&[1.0, -2.0, f64::MIN, 0.5]), Some(vec![2, 1, 3, 0]));
        for values in [[1.0, 2.0, 1.0], [0.0, 1.0, -0.0], [-3.0, -3.0, 7.0]] {
            assert_eq!(order_of_distinct(&values), None);
        }
    }

    #[test]
    fn distinct_and_constant_columns_take_no_quadratic_time() {
        let n = 200_000;
        for values in
            [vec![1.0; n], (0..n).map(|i| i as f64).collect(), (0..n).map(|i| (n - i) as f64).collect()]
        {
            assert_eq!(order(&values).len(), n);
        }
    }
}
