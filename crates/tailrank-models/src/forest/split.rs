//! The best cut of a node.
//!
//! With targets centred on the node's mean, the drop in squared error of a cut with `n_l` cases and target
//! sum `L` on the left of `N` cases is `L² N / (n_l (N − n_l))`. A scan in an input's order tries every gap.
//! Several inputs are ordered and scanned side by side, each in a lane of the processor's vectors; no
//! operation is fused and none changes its place, so the cuts are those of one scan after another.

use super::{
    order::{Memory, SLACK, arrange, sort},
    ranks::Ranks,
};
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

/// Finds the best cut of a node among some inputs; keeps the memory for it.
pub(super) struct Search(Memory);

impl Search {
    pub(super) fn new(rows: usize) -> Self {
        Self(Memory::new(rows, FEW))
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
        let few =
            node.cases.first_chunk::<FEW>().filter(|_| size <= FEW && self.0.bits.len() * 64 <= MOST_ROWS);
        if let Some(cases) = few {
            let order = &mut self.0.order.as_chunks_mut::<L>().0[..size];
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
        arrange(&mut self.0, node.ranks, node.rows, &inputs[..count]);
        let order = &self.0.order;
        // Lanes without an input of their own repeat the first.
        let orders: [&[u32]; L] =
            std::array::from_fn(|l| &order[if l < count { l * stride } else { 0 }..][..size]);
        let peaks = scan::<L>(size, node.total, |i, l| node.cases[orders[l][i] as usize]);
        for lane in 0..count {
            let place = |i: usize| orders[lane][i] as usize;
            Lane { node, input: inputs[lane] as usize, place }.take(&peaks, lane, best);
        }
    }

    /// Tries too few inputs to fill a vector.
    #[inline(always)]
    fn one_by_one(&mut self, node: Node<'_>, inputs: &[u32], best: &mut Best) {
        let stride = node.rows.len() + SLACK;
        // A walk over all ranks does not pay for a handful of cases.
        if node.rows.len() * 8 < self.0.bits.len() {
            for (order, &input) in self.0.order.chunks_exact_mut(stride).zip(inputs) {
                let order = &mut order[..node.rows.len()];
                order.iter_mut().zip(0..).for_each(|(to, place)| *to = place);
                order.sort_unstable_by_key(|&i| node.ranks.row(node.rows[i as usize])[input as usize]);
            }
        } else {
            arrange(&mut self.0, node.ranks, node.rows, inputs);
        }
        for (order, &input) in self.0.order.chunks_exact(stride).zip(inputs) {
            Lane { node, input: input as usize, place: |i: usize| order[i] as usize }.scan(best);
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
    /// The scan keeps a gap if `gain · best.spread > best.gain · spread` in rounded products. If the lane's
    /// own peak is above `best` by the margin, it is where that scan ends: among n gaps and n + 1 levels
    /// between the two, each as wide as the rounding, one level is without a gap, and the first gap above it
    /// is kept by both scans. If it is below by the margin, so is every gap. What is left is scanned again
    /// from `best`.
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
