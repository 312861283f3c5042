//! The best cut of a node.
//!
//! With targets centred on the node's mean, the drop in squared error of a cut with `n_l` cases and target
//! sum `L` on the left of `N` cases is `L² N / (n_l (N − n_l))`. A scan in an input's order tries every gap.
//! Several inputs are ordered and scanned side by side, each in a lane of the processor's vectors; no operation
//! is fused and none changes its place, so the cuts are those of one scan after another.

use super::ranks::Ranks;
use crate::linalg::vectorised;

/// A case of the node: its target less the node's mean, times how often it was drawn; and that count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Case {
    pub(super) deviation: f64,
    pub(super) count: f64,
}

/// A node to be split.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) ranks: &'a Ranks<'a>,
    pub(super) rows: &'a [u32],
    /// The cases of `rows`, and behind them anything up to [`FEW`] cases.
    pub(super) cases: &'a [Case],
    /// Their counts added up.
    pub(super) total: f64,
    /// How much better one cut must be than another to be so whatever the rounding; infinite where weights
    /// are so far apart that no such number is known.
    pub(super) margin: f64,
}

/// [`Node::margin`]: wider than the rounding of any sum that fits the memory.
pub(super) fn margin(weights: Option<&[f64]>) -> f64 {
    let is_usual = |w: &f64| (1e-30..1e30).contains(w);
    if weights.is_none_or(|w| w.iter().all(is_usual)) { 1.0 + 1e-6 } else { f64::INFINITY }
}

/// The best cut found so far in a node, over all inputs tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Best {
    /// `L²` of the best cut; with `spread` it stays a fraction, because divisions would cost more than the
    /// scan.
    gain: f64,
    /// `n_l (N − n_l)`.
    spread: f64,
    pub(super) input: usize,
    /// The rows on both sides of the cut.
    pub(super) below: u32,
    pub(super) above: u32,
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

    /// Takes a single cut if it is better; its rows stay unknown.
    pub(super) fn offer(&mut self, left_sum: f64, left_count: f64, total: f64, input: usize) -> bool {
        let (gain, spread) = (left_sum * left_sum, left_count * (total - left_count));
        let better = self.is_beaten_by(gain, spread);
        if better {
            *self = Self { gain, spread, input, below: 0, above: 0 };
        }
        better
    }
}

/// Nodes of at most this many cases are ordered by a sorting network.
pub(super) const FEW: usize = 1 << FEW_BITS;
const FEW_BITS: u32 = 8;
/// More rows have ranks that leave no room for the place of a case beside them.
const MOST_ROWS: usize = 1 << (u32::BITS - FEW_BITS);

/// Gains below this may have lost digits to underflow.
const LEAST_GAIN: f64 = 1e-100;

/// A node of at least one in this many rows finds its cases in the order of all rows.
const MANY: usize = 3;

/// Finds the best cut of a node among some inputs; keeps the memory for it.
pub(super) struct Search {
    /// The places of the node's cases in the order of the lanes' inputs: lane beside lane for few cases, else
    /// lane after lane.
    order: Vec<u32>,
    /// The node's ranks, lane after lane.
    ranks: Vec<u32>,
    /// One bit per rank; all zero between calls.
    bits: Vec<u64>,
    /// The place in the node of the case with a given rank, or of a given row.
    place: Vec<u32>,
}

impl Search {
    pub(super) fn new(rows: usize) -> Self {
        let words = rows.div_ceil(64);
        Self {
            order: vec![0; 8 * (rows.max(FEW) + SLACK)],
            ranks: vec![0; 8 * rows],
            bits: vec![0; words],
            place: vec![0; words * 64],
        }
    }

    /// The best cut of all inputs; of equals the first.
    pub(super) fn best(&mut self, node: Node<'_>, inputs: &[u32]) -> Best {
        let mut best = Best::none();
        let (eights, rest) = inputs.as_chunks::<8>();
        eights.iter().for_each(|lanes| vectorised!(self.lanes(node, lanes, 8, &mut best)));
        let padded = |l: usize| rest[l.min(rest.len() - 1)];
        match rest.len() {
            0 => {}
            1..=2 => vectorised!(self.one_by_one(node, rest, &mut best)),
            3..=4 => {
                let lanes: [u32; 4] = std::array::from_fn(padded);
                vectorised!(self.lanes(node, &lanes, rest.len(), &mut best));
            }
            _ => {
                let lanes: [u32; 8] = std::array::from_fn(padded);
                vectorised!(self.lanes(node, &lanes, rest.len(), &mut best));
            }
        }
        best
    }

    /// Tries the first `count` of some inputs; the others only fill the vectors.
    #[inline(always)]
    fn lanes<const L: usize>(&mut self, node: Node<'_>, inputs: &[u32; L], count: usize, best: &mut Best) {
        let size = node.rows.len();
        let few = node.cases.first_chunk::<FEW>().filter(|_| size <= FEW && self.place.len() <= MOST_ROWS);
        if let Some(cases) = few {
            let order = &mut self.order.as_chunks_mut::<L>().0[..size];
            for ((keys, &row), place) in order.iter_mut().zip(node.rows).zip(0..) {
                let ranks = node.ranks.row(row);
                *keys = inputs.map(|input| ranks[input as usize] << FEW_BITS | place);
            }
            sort(order);
            let peaks = scan::<L>(size, node.total, |i, l| cases[order[i][l] as usize % FEW]);
            for lane in 0..count {
                let place = |i: usize| order[i][lane] as usize % FEW;
                Lane { node, input: inputs[lane] as usize, place }.take(&peaks, lane, best);
            }
            return;
        }
        let stride = size + SLACK;
        self.order_lanes(node, &inputs[..count]);
        let order = &self.order;
        // Lanes without an input of their own repeat the first.
        let orders: [&[u32]; L] =
            std::array::from_fn(|l| &order[if l < count { l * stride } else { 0 }..][..size]);
        let peaks = scan::<L>(size, node.total, |i, l| node.cases[orders[l][i] as usize]);
        for lane in 0..count {
            let place = |i: usize| orders[lane][i] as usize;
            Lane { node, input: inputs[lane] as usize, place }.take(&peaks, lane, best);
        }
    }

    /// Orders the cases by every input, lane after lane.
    #[inline(always)]
    fn order_lanes(&mut self, node: Node<'_>, inputs: &[u32]) {
        let Self { order, ranks, bits, place } = self;
        if node.rows.len() * MANY >= place.len() {
            pick(order, place, node, inputs);
        } else {
            mark(order, ranks, bits, place, node, inputs);
        }
    }

    /// Tries too few inputs to fill a vector.
    #[inline(always)]
    fn one_by_one(&mut self, node: Node<'_>, inputs: &[u32], best: &mut Best) {
        let stride = node.rows.len() + SLACK;
        // A walk over all ranks does not pay for a handful of cases.
        if node.rows.len() * 8 < self.bits.len() {
            for (order, &input) in self.order.chunks_exact_mut(stride).zip(inputs) {
                let order = &mut order[..node.rows.len()];
                order.iter_mut().zip(0..).for_each(|(to, place)| *to = place);
                order.sort_unstable_by_key(|&i| node.ranks.row(node.rows[i as usize])[input as usize]);
            }
        } else {
            self.order_lanes(node, inputs);
        }
        for (order, &input) in self.order.chunks_exact(stride).zip(inputs) {
            Lane { node, input: input as usize, place: |i: usize| order[i] as usize }.scan(best);
        }
    }
}

/// Surplus entries that may be written behind an order.
const SLACK: usize = 4;

/// Orders the cases by every input: picks them from all rows in order.
#[inline(always)]
fn pick(order: &mut [u32], place: &mut [u32], node: Node<'_>, inputs: &[u32]) {
    place.fill(u32::MAX);
    for (&row, i) in node.rows.iter().zip(0..) {
        place[row as usize] = i;
    }
    for (order, &input) in order.chunks_exact_mut(node.rows.len() + SLACK).zip(inputs) {
        let mut done = 0;
        for &row in node.ranks.order(input) {
            // Written in any case, and counted if it is one of the node's: no branch to mispredict.
            let place = place[row as usize];
            order[done] = place;
            done += usize::from(place != u32::MAX);
        }
    }
}

/// Orders the cases by every input: marks their ranks in a bitmap and reads it from the lowest bit up.
#[inline(always)]
fn mark(
    order: &mut [u32],
    ranks: &mut [u32],
    bits: &mut [u64],
    place: &mut [u32],
    node: Node<'_>,
    inputs: &[u32],
) {
    let size = node.rows.len();
    for (i, &row) in node.rows.iter().enumerate() {
        let of_row = node.ranks.row(row);
        for (lane, &input) in inputs.iter().enumerate() {
            ranks[lane * size + i] = of_row[input as usize];
        }
    }
    let orders = order.chunks_exact_mut(size + SLACK);
    for (order, ranks) in orders.zip(ranks.chunks_exact(size)).take(inputs.len()) {
        for (&rank, i) in ranks.iter().zip(0..) {
            let rank = rank as usize;
            place[rank] = i;
            bits[rank / 64] |= 1 << (rank % 64);
        }
        let mut done = 0;
        for (bits, places) in bits.iter_mut().zip(place.as_chunks::<64>().0) {
            let mut left = std::mem::take(bits);
            let found = left.count_ones() as usize;
            // Four at a time whether set or not: surplus entries are overwritten by the next word, and the
            // branch that a bit-by-bit loop would mispredict is gone.
            let mut written = 0;
            while written < found {
                for to in &mut order[done + written..][..SLACK] {
                    *to = places[left.trailing_zeros() as usize % 64];
                    left &= left.wrapping_sub(1);
                }
                written += SLACK;
            }
            done += found;
        }
    }
}

/// Sorts every lane by Batcher's merge exchange (Knuth 5.2.2, algorithm M).
#[inline(always)]
fn sort<const L: usize>(keys: &mut [[u32; L]]) {
    let top = keys.len().next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            match p {
                1 => exchange(keys, 1, r, d),
                2 => exchange(keys, 2, r, d),
                _ => exchange(keys, p, r, d),
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

/// Brings the keys at `i` and `i + d` in order, for all i with `i & p == r`.
#[inline(always)]
fn exchange<const L: usize>(keys: &mut [[u32; L]], p: usize, r: usize, d: usize) {
    let end = keys.len() - d;
    for start in (r..end).step_by(2 * p) {
        for i in start..(start + p).min(end) {
            let (low, high) = (keys[i], keys[i + d]);
            for l in 0..L {
                keys[i][l] = low[l].min(high[l]);
                keys[i + d][l] = low[l].max(high[l]);
            }
        }
    }
}

/// The best cut of each lane on its own: `L²`, `n_l (N − n_l)` and the gap, below 0 where no cut gains.
struct Peaks<const L: usize> {
    gain: [f64; L],
    spread: [f64; L],
    gap: [f64; L],
}

/// Tries every gap of every lane.
#[inline(always)]
fn scan<const L: usize>(size: usize, total: f64, case: impl Fn(usize, usize) -> Case) -> Peaks<L> {
    let (mut sum, mut count) = ([0.0; L], [0.0; L]);
    let (mut gain, mut spread, mut gap) = ([0.0; L], [1.0; L], [-1.0; L]);
    let mut here = 0.0;
    for i in 0..size - 1 {
        for l in 0..L {
            let case = case(i, l);
            sum[l] += case.deviation;
            count[l] += case.count;
        }
        for l in 0..L {
            let (new_gain, new_spread) = (sum[l] * sum[l], count[l] * (total - count[l]));
            let better = new_gain * spread[l] > gain[l] * new_spread;
            gain[l] = if better { new_gain } else { gain[l] };
            spread[l] = if better { new_spread } else { spread[l] };
            gap[l] = if better { here } else { gap[l] };
        }
        here += 1.0;
    }
    Peaks { gain, spread, gap }
}

/// One input of a node, with the places of its cases in order.
struct Lane<'a, P> {
    node: Node<'a>,
    input: usize,
    place: P,
}

impl<P: Fn(usize) -> usize> Lane<'_, P> {
    /// Makes `best` what a scan of this lane would make of it.
    ///
    /// The scan keeps a gap if `gain · best.spread > best.gain · spread` in rounded products. If the lane's own
    /// peak is above `best` by the margin, it is where that scan ends: among n gaps and n + 1 levels between the
    /// two, each as wide as the rounding, one level is without a gap, and the first gap above it is kept by
    /// both scans. If it is below by the margin, so is every gap. What is left is scanned again from `best`.
    #[inline(always)]
    fn take<const L: usize>(&self, peaks: &Peaks<L>, lane: usize, best: &mut Best) {
        let (gain, spread, gap) = (peaks.gain[lane], peaks.spread[lane], peaks.gap[lane]);
        if gap < 0.0 {
            return;
        }
        let (ours, theirs) = (gain * best.spread, best.gain * spread);
        let sure = gain > LEAST_GAIN && (best.gain > LEAST_GAIN || !best.found());
        if sure && ours * self.node.margin < theirs {
            return;
        }
        if sure && ours > theirs * self.node.margin {
            if !self.cut_at(gap as usize, gain, spread, best) {
                self.scan_between_values(best);
            }
        } else {
            self.scan(best);
        }
    }

    /// Takes the cut at this gap, if it has different values on both sides.
    #[inline(always)]
    fn cut_at(&self, gap: usize, gain: f64, spread: f64, best: &mut Best) -> bool {
        let [below, above] = [gap, gap + 1].map(|i| self.node.rows[(self.place)(i)]);
        let differ = self.node.ranks.differ(self.input, below, above);
        if differ {
            *best = Best { gain, spread, input: self.input, below, above };
        }
        differ
    }

    /// Tries every gap. Most inputs have few ties and most cuts lose, so the winner alone is asked whether it
    /// cuts between two values.
    #[inline(always)]
    fn scan(&self, best: &mut Best) {
        let (mut sum, mut count) = (0.0, 0.0);
        let (mut gain, mut spread, mut winner) = (best.gain, best.spread, None);
        for gap in 0..self.node.rows.len() - 1 {
            let case = self.node.cases[(self.place)(gap)];
            sum += case.deviation;
            count += case.count;
            let (new_gain, new_spread) = (sum * sum, count * (self.node.total - count));
            if new_gain * spread > gain * new_spread {
                (gain, spread, winner) = (new_gain, new_spread, Some(gap));
            }
        }
        if let Some(gap) = winner
            && !self.cut_at(gap, gain, spread, best)
        {
            self.scan_between_values(best);
        }
    }

    /// Tries every gap and asks each.
    #[inline(always)]
    fn scan_between_values(&self, best: &mut Best) {
        let (mut sum, mut count) = (0.0, 0.0);
        for gap in 0..self.node.rows.len() - 1 {
            let case = self.node.cases[(self.place)(gap)];
            sum += case.deviation;
            count += case.count;
            let (gain, spread) = (sum * sum, count * (self.node.total - count));
            if best.is_beaten_by(gain, spread) {
                self.cut_at(gap, gain, spread, best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::{FitContext, Matrix};

    /// Nodes of every size, with and without ties, against one scan after another.
    #[test]
    fn lanes_find_what_scans_one_after_another_find() {
        let (all, inputs) = (6000, 11);
        let mut rng = FitContext::new(1).rng("test", "lanes", 0);
        for kinds in [3, 40, 1_000_000] {
            let values = (0..all * inputs).map(|_| f64::from(rng.random_range(0..kinds))).collect();
            let x = Matrix::new(all, inputs, values).unwrap();
            let ranks = Ranks::new(x.view());
            let mut search = Search::new(all);
            for size in (1..70).chain([200, 3000, all]) {
                for tried in [1, 3, 4, 5, 8, 11] {
                    let mut rows: Vec<u32> = (0..all as u32).collect();
                    let from = rng.random_range(0..=all - size);
                    let rows = &mut rows[from..from + size];
                    // Small whole targets: many cuts are equally good but for their rounding.
                    let drawn: Vec<(f64, f64)> = rows
                        .iter()
                        .map(|_| (f64::from(rng.random_range(0..9)), f64::from(rng.random_range(1..4))))
                        .collect();
                    let total: f64 = drawn.iter().map(|(_, count)| count).sum();
                    let mean = drawn.iter().map(|(y, count)| y * count).sum::<f64>() / total;
                    let case =
                        |(y, count): &(f64, f64)| Case { deviation: count * (y - mean), count: *count };
                    let mut cases: Vec<Case> = drawn.iter().map(case).collect();
                    cases.resize(size.max(FEW), Case::default());
                    let node = Node { ranks: &ranks, rows, cases: &cases, total, margin: margin(None) };
                    let tried: Vec<u32> = (0..tried).collect();
                    let mut want = Best::none();
                    for &input in &tried {
                        let mut order: Vec<u32> = (0..size as u32).collect();
                        order.sort_by_key(|&place| ranks.row(rows[place as usize])[input as usize]);
                        Lane { node, input: input as usize, place: |i: usize| order[i] as usize }
                            .scan(&mut want);
                    }
                    assert_eq!(
                        search.best(node, &tried),
                        want,
                        "{size} cases, {} inputs of {kinds}",
                        tried.len()
                    );
                }
            }
        }
    }
}
