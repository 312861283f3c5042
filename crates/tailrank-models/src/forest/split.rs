//! The best cut of one input in one node.
//!
//! With targets centred on the node's mean, the drop in squared error of a cut with `n_l` cases and target
//! sum `L` on the left of `N` cases is `L² N / (n_l (N − n_l))`. A scan in the input's order tries every gap;
//! what differs between node sizes is how that order is found from the ranks.

use super::ranks::Rank;

/// A case of the node: its target less the node's mean, times how often it was drawn; and that count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Case {
    pub(super) deviation: f64,
    pub(super) count: f64,
}

/// The best cut found so far in a node, over all inputs tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    /// `L²` of the best cut; with `spread` it stays a fraction, because divisions would cost more than the
    /// scan.
    gain: f64,
    /// `n_l (N − n_l)`.
    spread: f64,
    pub(super) input: usize,
    /// Places in the node of the cases on both sides of the cut.
    pub(super) below: usize,
    pub(super) above: usize,
}

impl Best {
    pub(super) fn none() -> Self {
        Self { gain: 0.0, spread: 1.0, input: usize::MAX, below: 0, above: 0 }
    }

    pub(super) fn found(&self) -> bool {
        self.input != usize::MAX
    }

    /// Whether a cut with this `L²` and `n_l (N − n_l)` is better than the best so far.
    #[inline]
    fn is_beaten_by(&self, gain: f64, spread: f64) -> bool {
        gain * self.spread > self.gain * spread
    }

    /// Takes a single cut if it is better; its places stay unknown.
    pub(super) fn offer(&mut self, left_sum: f64, left_count: f64, total: f64, input: usize) -> bool {
        let (gain, spread) = (left_sum * left_sum, left_count * (total - left_count));
        let better = self.is_beaten_by(gain, spread);
        if better {
            *self = Self { gain, spread, input, below: 0, above: 0 };
        }
        better
    }
}

/// Nodes of at most this many cases are ordered by counting smaller ranks with vector compares.
const COUNTED: usize = 32;

/// Finds the order of a node's cases by one input; keeps the memory for it.
pub(super) struct Order<R> {
    /// One bit per rank; all zero between calls.
    bits: Vec<u64>,
    /// The place in the node of the case with a given rank.
    place: Vec<R>,
    keys: Vec<u64>,
    /// The result: places in the node, by ascending rank.
    order: Vec<R>,
}

impl<R: Rank> Order<R> {
    pub(super) fn new(rows: usize) -> Self {
        Self {
            bits: vec![0; rows.div_ceil(64)],
            place: vec![R::of(0); rows.div_ceil(64) * 64],
            keys: Vec::new(),
            order: vec![R::of(0); rows + 64],
        }
    }

    /// Places of the node's cases, whose rows are given, in the order of `ranks`.
    #[inline(always)]
    pub(super) fn sort(&mut self, ranks: &[R], rows: &[R]) -> &[R] {
        let size = rows.len();
        if size <= 8 {
            self.count::<8>(ranks, rows);
        } else if size <= 16 {
            self.count::<16>(ranks, rows);
        } else if size <= COUNTED {
            self.count::<COUNTED>(ranks, rows);
        } else if size * 8 < self.bits.len() {
            self.compare(ranks, rows);
        } else {
            self.mark(ranks, rows);
        }
        &self.order[..size]
    }

    /// Small nodes: each case's place is the number of smaller ranks.
    #[inline(always)]
    fn count<const W: usize>(&mut self, ranks: &[R], rows: &[R]) {
        let mut lanes = [R::TOP; W];
        for (lane, &row) in lanes.iter_mut().zip(rows) {
            *lane = ranks[row.position()].lane();
        }
        let places = R::places(&lanes);
        let order = &mut self.order[..W];
        for (i, &place) in places.iter().enumerate().take(rows.len()) {
            order[place as usize & (W - 1)] = R::of(i);
        }
    }

    /// Nodes too small to pay for a walk over all ranks of a long column.
    fn compare(&mut self, ranks: &[R], rows: &[R]) {
        self.keys.clear();
        self.keys.extend(
            rows.iter()
                .enumerate()
                .map(|(i, row)| (ranks[row.position()].position() as u64) << 32 | i as u64),
        );
        self.keys.sort_unstable();
        for (to, key) in self.order.iter_mut().zip(&self.keys) {
            *to = R::of(*key as u32 as usize);
        }
    }

    /// Large nodes: mark the ranks in a bitmap and read it from the lowest bit up.
    #[inline(always)]
    fn mark(&mut self, ranks: &[R], rows: &[R]) {
        for (i, row) in rows.iter().enumerate() {
            let rank = ranks[row.position()].position();
            self.place[rank] = R::of(i);
            self.bits[rank / 64] |= 1 << (rank % 64);
        }
        let mut done = 0;
        for (word, place) in self.bits.iter_mut().zip(self.place.chunks_exact(64)) {
            let mut left = std::mem::take(word);
            let found = left.count_ones() as usize;
            // Four at a time whether set or not: surplus entries are overwritten by the next word, and the
            // branch that a bit-by-bit loop would mispredict is gone.
            let mut written = 0;
            while written < found {
                let out = &mut self.order[done + written..done + written + 4];
                for to in out {
                    *to = place[left.trailing_zeros() as usize & 63];
                    left &= left.wrapping_sub(1);
                }
                written += 4;
            }
            done += found;
        }
    }
}

/// Tries every gap of `input` in the order given; `differ` tells whether two places hold different values.
///
/// It is inlined with [`Order::sort`] so that both are compiled for the vectors and bit operations of the
/// processor at hand; no operation is fused, and none rounds differently there.
#[inline(always)]
pub(super) fn scan<R: Rank>(
    order: &[R],
    cases: &[Case],
    total: f64,
    input: usize,
    best: &mut Best,
    differ: impl Fn(usize, usize) -> bool,
) {
    let gaps = order.len().saturating_sub(1);

    // Most inputs have few ties and most cuts lose, so the winner alone is asked whether it cuts between two
    // values.
    let (mut sum, mut count) = (0.0, 0.0);
    let mut winner = None;
    let (mut gain, mut spread) = (best.gain, best.spread);
    for (i, place) in order[..gaps].iter().enumerate() {
        let case = cases[place.position()];
        sum += case.deviation;
        count += case.count;
        let (new_gain, new_spread) = (sum * sum, count * (total - count));
        if new_gain * spread > gain * new_spread {
            (gain, spread) = (new_gain, new_spread);
            winner = Some(i);
        }
    }
    let Some(i) = winner else { return };
    let (below, above) = (order[i].position(), order[i + 1].position());
    if differ(below, above) {
        *best = Best { gain, spread, input, below, above };
        return;
    }

    // It does not: again, and ask every time.
    (sum, count) = (0.0, 0.0);
    for (i, place) in order[..gaps].iter().enumerate() {
        let below = place.position();
        sum += cases[below].deviation;
        count += cases[below].count;
        let (gain, spread) = (sum * sum, count * (total - count));
        if best.is_beaten_by(gain, spread) {
            let above = order[i + 1].position();
            if differ(below, above) {
                *best = Best { gain, spread, input, below, above };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::SliceRandom;

    use super::*;
    use crate::FitContext;

    /// Every way of ordering a node, in both widths of ranks, against a plain sort.
    fn orders_like_a_sort<R: Rank>(rows: usize) {
        let mut rng = FitContext::new(1).rng("test", "order", rows as u64);
        let mut positions: Vec<usize> = (0..rows).collect();
        positions.shuffle(&mut rng);
        let ranks: Vec<R> = positions.iter().map(|&p| R::of(p)).collect();
        let mut order = Order::<R>::new(rows);
        for size in [1, 2, 7, 8, 9, 16, 17, 32, 33, 36, 64, 300, 5000, rows] {
            let mut all: Vec<usize> = (0..rows).collect();
            let (node, _) = all.partial_shuffle(&mut rng, size.min(rows));
            let node: Vec<R> = node.iter().map(|&row| R::of(row)).collect();
            let mut expected: Vec<usize> = (0..node.len()).collect();
            expected.sort_by_key(|&place| ranks[node[place].position()].position());
            let found: Vec<usize> = order.sort(&ranks, &node).iter().map(|place| place.position()).collect();
            assert_eq!(found, expected, "{size} of {rows} rows");
        }
    }

    #[test]
    fn every_way_orders_like_a_sort() {
        for rows in [40, 5000, 20_000, 1 << 16] {
            orders_like_a_sort::<u16>(rows);
        }
        for rows in [40, 5000, 100_000] {
            orders_like_a_sort::<u32>(rows);
        }
    }
}
