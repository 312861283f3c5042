//! Growing one tree from its own random stream.

use std::collections::VecDeque;

use rand::{Rng, RngExt};

use super::{
    Settings,
    ranks::Ranks,
    split::{Best, Case, FEW, Node, Search},
};
use crate::{
    FitContext, MatrixView, Result,
    linalg::vectorised,
    tree::{Tree, cut_between},
};

/// What all trees of a forest share.
pub(super) struct ForestData<'a> {
    pub(super) x: MatrixView<'a>,
    /// Targets times a power of two that keeps their squares in range.
    pub(super) targets: Vec<f64>,
    pub(super) weights: Option<&'a [f64]>,
    /// Undoes that power of two.
    pub(super) unit: f64,
    pub(super) ranks: Ranks<'a>,
    /// [`Node::margin`].
    pub(super) margin: f64,
    pub(super) settings: Settings,
    pub(super) context: &'a FitContext,
}

/// A node that waits to be split: a range of the drawn rows.
#[derive(Clone, Copy)]
struct Open {
    node: usize,
    start: usize,
    end: usize,
    depth: u32,
}

/// A drawn row's target and how often it was drawn, times its weight.
#[derive(Clone, Copy, Default)]
struct Drawn {
    target: f64,
    count: f64,
}

/// The memory one thread needs to grow trees, reused from tree to tree.
pub(super) struct TreeBuilder {
    pub(super) tree: Tree<f64>,
    /// How often each row was drawn; zero means out of bag.
    pub(super) counts: Vec<u32>,
    /// Drawn rows, each once; a node owns a range of them.
    rows: Vec<u32>,
    drawn: Vec<Drawn>,
    spare_rows: Vec<u32>,
    spare_drawn: Vec<Drawn>,
    /// The node's cases, in the order of `rows`.
    cases: Vec<Case>,
    search: Search,
    /// A permutation of the inputs; a node's draw is its tail.
    inputs: Vec<u32>,
    /// The inputs drawn for a node.
    tried: Vec<u32>,
    open: VecDeque<Open>,
    /// The node's values of some inputs, input after input, and their random cuts.
    values: Vec<f64>,
    random_cuts: Vec<(usize, f64)>,
    /// Nodes with the rows on both sides of their cut.
    cuts: Vec<(usize, usize, [u32; 2])>,
}

/// Random cuts that are tried side by side.
const LANES: usize = 8;

/// The lowest and the highest value.
#[inline(always)]
fn range(values: &[f64]) -> (f64, f64) {
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    let (blocks, rest) = values.as_chunks::<LANES>();
    let mut take = |l: usize, v: f64| {
        low[l] = if v < low[l] { v } else { low[l] };
        high[l] = if v > high[l] { v } else { high[l] };
    };
    blocks.iter().for_each(|block| (0..LANES).for_each(|l| take(l, block[l])));
    rest.iter().for_each(|&v| take(0, v));
    (low.into_iter().fold(f64::INFINITY, f64::min), high.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// Deviations and counts of the cases up to each cut, added up case after case.
#[inline(always)]
fn left_sums(cases: &[Case], lanes: [&[f64]; LANES], cuts: [f64; LANES]) -> ([f64; LANES], [f64; LANES]) {
    let (mut sums, mut counts) = ([0.0; LANES], [0.0; LANES]);
    for (i, case) in cases.iter().enumerate() {
        for l in 0..LANES {
            let left = if lanes[l][i] <= cuts[l] { 1.0 } else { 0.0 };
            sums[l] += left * case.deviation;
            counts[l] += left * case.count;
        }
    }
    (sums, counts)
}

impl TreeBuilder {
    pub(super) fn new(rows: usize, inputs: usize, extra_trees: bool) -> Self {
        Self {
            tree: Tree::default(),
            counts: vec![0; rows],
            rows: Vec::with_capacity(rows),
            drawn: Vec::with_capacity(rows),
            spare_rows: vec![0; rows],
            spare_drawn: vec![Drawn::default(); rows],
            cases: vec![Case::default(); rows.max(FEW)],
            search: Search::new(rows),
            inputs: (0..inputs as u32).collect(),
            tried: Vec::new(),
            open: VecDeque::new(),
            values: vec![0.0; if extra_trees { LANES * rows } else { 0 }],
            random_cuts: Vec::with_capacity(LANES),
            cuts: Vec::new(),
        }
    }

    /// Grows `self.tree` afresh; it depends on `data` and `rng` alone.
    pub(super) fn grow(&mut self, data: &ForestData<'_>, rng: &mut impl Rng) -> Result<()> {
        data.context.check()?;
        let settings = &data.settings;
        self.draw_rows(data, rng);
        for (i, input) in self.inputs.iter_mut().enumerate() {
            *input = i as u32;
        }
        self.tree.reset();
        self.open.clear();
        let root = Open { node: 0, start: 0, end: self.rows.len(), depth: 0 };
        self.open.push_back(root);
        let mut leaves = 1;
        // Depth first keeps a node's rows in the cache; level by level makes a limit on leaves fair to both
        // sides.
        let by_level = settings.max_leaves != u32::MAX as usize;
        while let Some(open) = if by_level { self.open.pop_front() } else { self.open.pop_back() } {
            if open.end - open.start > 1 << 14 {
                data.context.check()?;
            }
            let (mean, total) = self.settle(&open, data.unit);
            let cases = match data.weights {
                None => total,
                Some(_) => {
                    let rows = &self.rows[open.start..open.end];
                    rows.iter().map(|&row| f64::from(self.counts[row as usize])).sum()
                }
            };
            // randomForest tries the root whatever its size.
            let too_small = cases <= f64::from(settings.node_size) && open.node != 0;
            if too_small || open.depth >= settings.max_depth || leaves >= settings.max_leaves {
                continue;
            }
            let Some((node, middle)) = self.split(&open, mean, total, data, rng) else { continue };
            leaves += 1;
            let depth = open.depth + 1;
            let left = Open { node, end: middle, depth, ..open };
            let right = Open { node: node + 1, start: middle, depth, ..open };
            self.open.extend([left, right]);
        }
        // One after another, so that their values are fetched from afar together.
        for (node, input, rows) in self.cuts.drain(..) {
            let [below, above] = rows.map(|row| data.x.at(row as usize, input));
            self.tree.set_cut(node, cut_between(below, above));
        }
        Ok(())
    }

    fn draw_rows(&mut self, data: &ForestData<'_>, rng: &mut impl Rng) {
        let (rows, settings) = (self.counts.len(), &data.settings);
        self.counts.fill(0);
        if settings.replace {
            for _ in 0..settings.sample {
                self.counts[rng.random_range(0..rows as u32) as usize] += 1;
            }
        } else {
            // Selection sampling (Knuth 3.4.2 S): rows in order, each with the chance that fills the sample
            // exactly.
            let mut wanted = settings.sample;
            for (i, count) in self.counts.iter_mut().enumerate() {
                let taken = rng.random_range(0..(rows - i) as u32) < wanted as u32;
                *count = u32::from(taken);
                wanted -= usize::from(taken);
            }
        }
        self.rows.clear();
        self.drawn.clear();
        for (row, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            self.rows.push(row as u32);
            let weight = data.weights.map_or(1.0, |w| w[row]);
            self.drawn.push(Drawn { target: data.targets[row], count: weight * f64::from(count) });
        }
    }

    /// Records the node's mean and returns it with the weight of its cases.
    fn settle(&mut self, open: &Open, unit: f64) -> (f64, f64) {
        let (mut sum, mut total) = (0.0, 0.0);
        for case in &self.drawn[open.start..open.end] {
            sum += case.count * case.target;
            total += case.count;
        }
        let mean = sum / total;
        self.tree.set_value(open.node, mean * unit);
        (mean, total)
    }

    /// Splits the node in two and returns its left child and where the right one's rows start, or `None` if
    /// no cut helps.
    fn split(
        &mut self,
        open: &Open,
        mean: f64,
        total: f64,
        data: &ForestData<'_>,
        rng: &mut impl Rng,
    ) -> Option<(usize, usize)> {
        let drawn = &self.drawn[open.start..open.end];
        if drawn.iter().all(|case| case.target == drawn[0].target) {
            return None;
        }
        for (case, drawn) in self.cases.iter_mut().zip(drawn) {
            *case = Case { deviation: drawn.count * (drawn.target - mean), count: drawn.count };
        }
        if data.settings.extra_trees {
            let (input, cut) = self.random_cut(open, total, data, rng)?;
            let left = self.tree.split(open.node, input, cut);
            return Some((left, self.partition(open, |row| data.x.at(row as usize, input) <= cut)));
        }
        self.tried.clear();
        for tried in 0..data.settings.mtry {
            let input = self.draw_input(tried, rng);
            self.tried.push(input as u32);
        }
        let rows = &self.rows[open.start..open.end];
        let node = Node { ranks: &data.ranks, rows, cases: &self.cases, total, margin: data.margin };
        let best = self.search.best(node, &self.tried);
        if !best.found() {
            return None;
        }
        let Best { input, below, above, .. } = best;
        self.cuts.push((open.node, input, [below, above]));
        let left = self.tree.split(open.node, input, 0.0);
        // By ranks, which are at hand in the cache: only `above` and higher ranks have larger values than
        // `below`.
        let first_right = data.ranks.row(above)[input];
        Some((left, self.partition(open, |row| data.ranks.row(row)[input] < first_right)))
    }

    /// The next input of this node's draw, as randomForest draws: without replacement, constant ones
    /// included.
    #[inline]
    fn draw_input(&mut self, drawn_before: usize, rng: &mut impl Rng) -> usize {
        let last = self.inputs.len() - 1 - drawn_before;
        let pick = rng.random_range(0..=last as u32) as usize;
        self.inputs.swap(pick, last);
        self.inputs[last] as usize
    }

    /// The best of one random cut for each input of this node's draw (Geurts et al. 2006).
    fn random_cut(
        &mut self,
        open: &Open,
        total: f64,
        data: &ForestData<'_>,
        rng: &mut impl Rng,
    ) -> Option<(usize, f64)> {
        let (rows, cases) = (open.start..open.end, open.end - open.start);
        let (mut best, mut best_cut) = (Best::none(), 0.0);
        for first in (0..data.settings.mtry).step_by(LANES) {
            self.random_cuts.clear();
            for tried in first..data.settings.mtry.min(first + LANES) {
                let input = self.draw_input(tried, rng);
                let values = &mut self.values[self.random_cuts.len() * cases..][..cases];
                for (value, &row) in values.iter_mut().zip(&self.rows[rows.clone()]) {
                    *value = data.x.at(row as usize, input);
                }
                let (low, high) = vectorised!(range(values));
                if low < high {
                    let share: f64 = rng.random();
                    let cut = low * (1.0 - share) + high * share;
                    self.random_cuts.push((input, if cut < high { cut.max(low) } else { low }));
                }
            }
            let cuts: [f64; LANES] =
                std::array::from_fn(|l| self.random_cuts.get(l).map_or(0.0, |cut| cut.1));
            let lanes: [&[f64]; LANES] = std::array::from_fn(|l| &self.values[l * cases..][..cases]);
            let (sums, counts) = vectorised!(left_sums(&self.cases[..cases], lanes, cuts));
            for (l, &(input, cut)) in self.random_cuts.iter().enumerate() {
                if best.offer(sums[l], counts[l], total, input) {
                    best_cut = cut;
                }
            }
        }
        best.found().then_some((best.input, best_cut))
    }

    /// Moves rows that go left to the front of the node's range, keeping their order; returns where the rest
    /// starts.
    fn partition(&mut self, open: &Open, goes_left: impl Fn(u32) -> bool) -> usize {
        let rows = &mut self.rows[open.start..open.end];
        let drawn = &mut self.drawn[open.start..open.end];
        let (mut left, mut right) = (0, 0);
        for i in 0..rows.len() {
            let (row, case) = (rows[i], drawn[i]);
            let goes = goes_left(row);
            rows[left] = row;
            drawn[left] = case;
            self.spare_rows[right] = row;
            self.spare_drawn[right] = case;
            left += usize::from(goes);
            right += usize::from(!goes);
        }
        rows[left..].copy_from_slice(&self.spare_rows[..right]);
        drawn[left..].copy_from_slice(&self.spare_drawn[..right]);
        open.start + left
    }
}
