//! Growing one tree from its own random stream.

use std::collections::VecDeque;

use rand::{Rng, RngExt};

use super::{
    Settings,
    ranks::{Rank, Ranks},
    split::{self, Best, Case, Order},
};
use crate::{
    FitContext, MatrixView, Result,
    linalg::vectorised,
    tree::{Tree, cut_between},
};

/// What all trees of a forest share.
pub(super) struct ForestData<'a, R> {
    pub(super) x: MatrixView<'a>,
    /// Targets times a power of two that keeps their squares in range.
    pub(super) targets: Vec<f64>,
    pub(super) weights: Option<&'a [f64]>,
    /// Undoes that power of two.
    pub(super) unit: f64,
    pub(super) ranks: Ranks<R>,
    pub(super) settings: Settings,
    pub(super) context: &'a FitContext,
}

impl<R: Rank> ForestData<'_, R> {
    /// Whether the higher of two rows by rank has a larger value, too; values themselves are far from the
    /// cache.
    fn differ(&self, input: usize, below: usize, above: usize) -> bool {
        !self.ranks.is_tied(input, self.ranks.column(input)[above])
            || self.x.at(below, input) < self.x.at(above, input)
    }
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
pub(super) struct TreeBuilder<R> {
    pub(super) tree: Tree<f64>,
    /// How often each row was drawn; zero means out of bag.
    pub(super) counts: Vec<u32>,
    /// Drawn rows, each once; a node owns a range of them.
    rows: Vec<R>,
    drawn: Vec<Drawn>,
    spare_rows: Vec<R>,
    spare_drawn: Vec<Drawn>,
    /// The node's cases, in the order of `rows`.
    cases: Vec<Case>,
    /// The weight of the node's cases, repeats included.
    total: f64,
    order: Order<R>,
    /// A permutation of the inputs; a node's draw is its tail.
    inputs: Vec<u32>,
    open: VecDeque<Open>,
}

impl<R: Rank> TreeBuilder<R> {
    pub(super) fn new(rows: usize, inputs: usize) -> Self {
        Self {
            tree: Tree::default(),
            counts: vec![0; rows],
            rows: Vec::with_capacity(rows),
            drawn: Vec::with_capacity(rows),
            spare_rows: vec![R::of(0); rows],
            spare_drawn: vec![Drawn::default(); rows],
            cases: vec![Case::default(); rows],
            total: 0.0,
            order: Order::new(rows),
            inputs: (0..inputs as u32).collect(),
            open: VecDeque::new(),
        }
    }

    /// Grows `self.tree` afresh; it depends on `data` and `rng` alone.
    pub(super) fn grow(&mut self, data: &ForestData<'_, R>, rng: &mut impl Rng) -> Result<()> {
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
            self.settle(&open, data.unit);
            let cases = match data.weights {
                None => self.total,
                Some(_) => {
                    let rows = &self.rows[open.start..open.end];
                    rows.iter().map(|row| f64::from(self.counts[row.position()])).sum()
                }
            };
            // randomForest tries the root whatever its size.
            let too_small = cases <= f64::from(settings.node_size) && open.node != 0;
            if too_small || open.depth >= settings.max_depth || leaves >= settings.max_leaves {
                continue;
            }
            let Some((node, middle)) = self.split(&open, data, rng) else { continue };
            leaves += 1;
            let depth = open.depth + 1;
            let left = Open { node, end: middle, depth, ..open };
            let right = Open { node: node + 1, start: middle, depth, ..open };
            self.open.extend([left, right]);
        }
        Ok(())
    }

    fn draw_rows(&mut self, data: &ForestData<'_, R>, rng: &mut impl Rng) {
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
            self.rows.push(R::of(row));
            let weight = data.weights.map_or(1.0, |w| w[row]);
            self.drawn.push(Drawn { target: data.targets[row], count: weight * f64::from(count) });
        }
    }

    /// Records the node's mean and makes its cases and their weight those at hand.
    fn settle(&mut self, open: &Open, unit: f64) {
        let drawn = &self.drawn[open.start..open.end];
        let (mut sum, mut total) = (0.0, 0.0);
        for case in drawn {
            sum += case.count * case.target;
            total += case.count;
        }
        let mean = sum / total;
        self.tree.set_value(open.node, mean * unit);
        for (case, drawn) in self.cases.iter_mut().zip(drawn) {
            *case = Case { deviation: drawn.count * (drawn.target - mean), count: drawn.count };
        }
        self.total = total;
    }

    /// Splits the node in two and returns its left child and where the right one's rows start, or `None` if
    /// no cut helps.
    fn split(&mut self, open: &Open, data: &ForestData<'_, R>, rng: &mut impl Rng) -> Option<(usize, usize)> {
        let drawn = &self.drawn[open.start..open.end];
        if drawn.iter().all(|case| case.target == drawn[0].target) {
            return None;
        }
        if data.settings.extra_trees {
            let (input, cut) = self.random_cut(open, data, rng)?;
            let left = self.tree.split(open.node, input, cut);
            return Some((left, self.partition(open, |row| data.x.at(row, input) <= cut)));
        }
        let Best { input, below, above, .. } = self.best_cut(open, data, rng)?;
        let [below, above] = [below, above].map(|place| self.rows[open.start + place].position());
        let cut = cut_between(data.x.at(below, input), data.x.at(above, input));
        let left = self.tree.split(open.node, input, cut);
        // By ranks, which are at hand in the cache: only `above` and higher ranks have larger values than
        // `below`.
        let (ranks, first_right) = (data.ranks.column(input), data.ranks.column(input)[above]);
        Some((left, self.partition(open, |row| ranks[row] < first_right)))
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

    /// The best cut over this node's draw of inputs.
    fn best_cut(&mut self, open: &Open, data: &ForestData<'_, R>, rng: &mut impl Rng) -> Option<Best> {
        let (size, total) = (open.end - open.start, self.total);
        let mut best = Best::none();
        for tried in 0..data.settings.mtry {
            let input = self.draw_input(tried, rng);
            let (order, rows) = (&mut self.order, &self.rows[open.start..open.end]);
            let (ranks, cases) = (data.ranks.column(input), &self.cases[..size]);
            vectorised!({
                split::scan(order.sort(ranks, rows), cases, total, input, &mut best, |below, above| {
                    data.differ(input, rows[below].position(), rows[above].position())
                });
            });
        }
        best.found().then_some(best)
    }

    /// The best of one random cut for each input of this node's draw (Geurts et al. 2006).
    fn random_cut(
        &mut self,
        open: &Open,
        data: &ForestData<'_, R>,
        rng: &mut impl Rng,
    ) -> Option<(usize, f64)> {
        let size = open.end - open.start;
        let mut best = Best::none();
        let mut best_cut = 0.0;
        for tried in 0..data.settings.mtry {
            let input = self.draw_input(tried, rng);
            let rows = &self.rows[open.start..open.end];
            let values = || rows.iter().map(|row| data.x.at(row.position(), input));
            let (low, high) =
                values().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if low >= high {
                continue;
            }
            let share: f64 = rng.random();
            let cut = low * (1.0 - share) + high * share;
            let cut = if cut < high { cut.max(low) } else { low };
            let (mut sum, mut count) = (0.0, 0.0);
            for (value, case) in values().zip(&self.cases[..size]) {
                let left = f64::from(value <= cut);
                sum += left * case.deviation;
                count += left * case.count;
            }
            if best.offer(sum, count, self.total, input) {
                best_cut = cut;
            }
        }
        best.found().then_some((best.input, best_cut))
    }

    /// Moves rows that go left to the front of the node's range, keeping their order; returns where the rest
    /// starts.
    fn partition(&mut self, open: &Open, goes_left: impl Fn(usize) -> bool) -> usize {
        let rows = &mut self.rows[open.start..open.end];
        let drawn = &mut self.drawn[open.start..open.end];
        let (mut left, mut right) = (0, 0);
        for i in 0..rows.len() {
            let (row, case) = (rows[i], drawn[i]);
            let goes = goes_left(row.position());
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
