//! The k nearest of the rows offered so far.

use std::cmp::Ordering;

use super::neighbours::Neighbour;

/// Up to here a sorted list is kept; more are collected and cut back now and then.
const SORTED: usize = 32;

/// Keeps the `k` nearest, equals in row order.
#[derive(Debug)]
pub(crate) struct Best {
    k: usize,
    kept: Vec<Neighbour>,
    /// Rows this far off or farther cannot be among the nearest any more.
    pub(crate) limit: f64,
}

fn order(a: &Neighbour, b: &Neighbour) -> Ordering {
    a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row))
}

impl Best {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, kept: Vec::new(), limit: f64::INFINITY }
    }

    /// Forgets all rows; those farther than `limit` are known not to be needed.
    pub(super) fn restart(&mut self, limit: f64) {
        self.kept.clear();
        // Equal ones are still needed.
        self.limit = limit.next_up();
    }

    /// Takes a row; rows must come in order.
    pub(crate) fn offer(&mut self, candidate: Neighbour) {
        // Not `>=`: while nothing is known the limit is infinite, and so may a distance be.
        if self.kept.len() >= self.k && candidate.distance >= self.limit {
            return;
        }
        if self.k > SORTED {
            self.kept.push(candidate);
            if self.kept.len() >= 2 * self.k {
                self.cut();
            }
            return;
        }
        if self.kept.len() == self.k {
            self.kept.pop();
        }
        let place = self.kept.partition_point(|n| n.distance <= candidate.distance);
        self.kept.insert(place, candidate);
        if self.kept.len() == self.k {
            self.limit = self.kept[self.k - 1].distance;
        }
    }

    /// The nearest rows, nearest first.
    pub(crate) fn sorted(&mut self) -> &mut [Neighbour] {
        if self.kept.len() > self.k {
            self.cut();
        }
        self.kept.sort_unstable_by(order);
        &mut self.kept
    }

    fn cut(&mut self) {
        let (_, last, _) = self.kept.select_nth_unstable_by(self.k - 1, order);
        self.limit = last.distance;
        self.kept.truncate(self.k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_k_keeps_what_sorting_would() {
        // Many equal distances, in an order that is neither.
        let distances: Vec<f64> = (0..700).map(|i: usize| f64::from((i * 7919 % 97) as u32)).collect();
        let rows: Vec<Neighbour> =
            distances.iter().enumerate().map(|(row, &distance)| Neighbour { distance, row }).collect();
        let mut sorted = rows.clone();
        sorted.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        for k in [1, 2, 31, 32, 33, 34, 100, 349, 350, 351, 699, 700] {
            let mut best = Best::new(k);
            // A second round with the limit known from the first, which must not lose the equals.
            for limit in [f64::INFINITY, sorted[k - 1].distance] {
                best.restart(limit);
                rows.iter().for_each(|r| best.offer(*r));
                assert_eq!(best.sorted(), &sorted[..k], "{k}");
            }
        }
    }

    #[test]
    fn infinite_distances_count() {
        let mut best = Best::new(2);
        best.restart(f64::INFINITY);
        (0..3).for_each(|row| best.offer(Neighbour { distance: f64::INFINITY, row }));
        assert_eq!(best.sorted().iter().map(|n| n.row).collect::<Vec<_>>(), [0, 1]);
    }
}
