//! Splitting nodes as rpart's method "anova" does.
//!
//! How a node splits depends on its rows alone; only *whether* it splits depends on `cp`. So a tree is grown
//! once as far as the smallest `cp` could need, and `complexity` cuts rpart's tree for each `cp` out of it.

use super::{CartParams, presort::Presorted};
use crate::{
    FitContext, ModelError, Result, TrainSet,
    tree::{midpoint, partition},
};

/// Splits kept per node: the one used and rpart's four competitors.
const KEPT_SPLITS: usize = 5;

/// One way to split a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CartSplit {
    /// Column of the input.
    pub input: usize,
    /// Cut: halfway between the values around it.
    pub cut: f64,
    /// Whether rows with `x < cut` go to the left child, which is always the one with the lower mean.
    pub low_goes_left: bool,
    /// Share of the node's deviance that the split removes.
    pub improve: f64,
}

impl CartSplit {
    /// Whether a row with this value of the input goes to the left child.
    pub fn goes_left(&self, value: f64) -> bool {
        (value < self.cut) == self.low_goes_left
    }
}

/// A node of the fully grown tree.
#[derive(Clone, Debug)]
pub(super) struct GrownNode {
    pub(super) depth: u32,
    pub(super) rows: usize,
    pub(super) mean: f64,
    /// Sum of squares around the mean.
    pub(super) risk: f64,
    /// Best first; empty for a leaf.
    pub(super) splits: Vec<CartSplit>,
    /// Left child; the right one follows it.
    pub(super) left: usize,
}

/// Mean and sum of squares around it of some rows' targets, both summed term after term.
///
/// rpart weighs every sum and counts rows for `minsplit` and `minbucket`; so does this.
fn mean_and_risk(train: TrainSet<'_>, rows: impl Iterator<Item = u32> + Clone) -> (f64, f64) {
    let (mut sum, mut cases) = (0.0, 0.0);
    for row in rows.clone() {
        let weight = train.weight(row as usize);
        sum += weight * train.y[row as usize];
        cases += weight;
    }
    let mean = sum / cases;
    let square = |row: u32| {
        let deviation = train.y[row as usize] - mean;
        train.weight(row as usize) * (deviation * deviation)
    };
    (mean, rows.map(square).sum())
}

/// Training rows in the order of every input, for all trees of a grid.
pub(super) struct Grower<'a> {
    pub(super) train: TrainSet<'a>,
    /// The deviance of the root, which every `cp` is a share of.
    pub(super) root_risk: f64,
    inputs: Presorted,
    context: &'a FitContext,
}

impl<'a> Grower<'a> {
    pub(super) fn new(train: TrainSet<'a>, context: &'a FitContext) -> Result<Self> {
        let (_, root_risk) = mean_and_risk(train, 0..train.y.len() as u32);
        if root_risk.is_finite() {
            return Ok(Self { train, root_risk, inputs: Presorted::new(train.x), context });
        }
        Err(ModelError::numerical("cart", "squared targets overflow; divide the target by a constant"))
    }

    /// A tree on all rows, as far as `cp` needs.
    pub(super) fn grow_all(&self, params: &CartParams, cp: f64) -> Result<Vec<GrownNode>> {
        let rows: Vec<u32> = (0..self.train.y.len() as u32).collect();
        self.grow(&rows, params, cp * self.root_risk)
    }

    /// Grows every node whose deviance exceeds `alpha`, within the limits of `params`; node 0 is the root.
    pub(super) fn grow(&self, rows: &[u32], params: &CartParams, alpha: f64) -> Result<Vec<GrownNode>> {
        let train = self.train;
        let mut sorted = SortedRows::new(&self.inputs, train, rows);
        let size = rows.len();
        let leaf = |depth: u32, rows: usize, (mean, risk): (f64, f64)| GrownNode {
            depth,
            rows,
            mean,
            risk,
            splits: Vec::new(),
            left: 0,
        };
        let mut nodes = vec![leaf(0, size, mean_and_risk(train, rows.iter().copied()))];
        let mut open = vec![(0, 0, size)];
        while let Some((node, start, end)) = open.pop() {
            self.context.check()?;
            let GrownNode { depth, rows, risk, .. } = nodes[node];
            if rows < params.minsplit || risk <= alpha || depth >= params.maxdepth {
                continue;
            }
            let splits = sorted.splits(start, end, risk, params.minbucket);
            let Some(split) = splits.first() else { continue };
            let middle = sorted.partition(start, end, split);
            let left = nodes.len();
            nodes[node].splits = splits;
            nodes[node].left = left;
            for (start, end) in [(start, middle), (middle, end)] {
                open.push((nodes.len(), start, end));
                // Summed in the order of the first input as rpart does.
                let mean_and_risk = mean_and_risk(train, sorted.rows(0, start, end).iter().copied());
                nodes.push(leaf(depth + 1, end - start, mean_and_risk));
            }
        }
        Ok(nodes)
    }
}

/// Columns with their rows in order; a node is a range that every column's rows share.
struct SortedRows<'a> {
    inputs: &'a Presorted,
    train: TrainSet<'a>,
    size: usize,
    /// This tree's rows in each column's order, column after column.
    order: Vec<u32>,
    /// One bit per row.
    goes_left: Vec<u64>,
    spare: Vec<u32>,
    /// The targets of a node in the order of an input.
    node_targets: Vec<f64>,
}

impl<'a> SortedRows<'a> {
    /// rpart sorts all rows once and takes a fold's rows out of that order.
    fn new(inputs: &'a Presorted, train: TrainSet<'a>, rows: &[u32]) -> Self {
        let mut is_in = vec![false; inputs.rows];
        rows.iter().for_each(|&row| is_in[row as usize] = true);
        Self {
            inputs,
            train,
            size: rows.len(),
            order: inputs.order.iter().copied().filter(|&row| is_in[row as usize]).collect(),
            goes_left: vec![0; inputs.rows.div_ceil(64)],
            spare: vec![0; rows.len()],
            node_targets: vec![0.0; rows.len()],
        }
    }

    fn rows(&self, input: usize, start: usize, end: usize) -> &[u32] {
        &self.order[input * self.size + start..input * self.size + end]
    }

    /// The best splits of a node, at most one per input, best first; of equal ones the earlier input's.
    fn splits(&mut self, start: usize, end: usize, risk: f64, minbucket: usize) -> Vec<CartSplit> {
        let mut best: Vec<CartSplit> = Vec::with_capacity(KEPT_SPLITS + 1);
        for input in 0..self.order.len() / self.size {
            let split = if self.train.weights.is_some() {
                self.best_cut::<true>(input, start, end, risk, minbucket)
            } else {
                self.best_cut::<false>(input, start, end, risk, minbucket)
            };
            let Some(split) = split else { continue };
            let place = best.iter().position(|b| split.improve > b.improve).unwrap_or(best.len());
            if place < KEPT_SPLITS {
                best.insert(place, split);
                best.truncate(KEPT_SPLITS);
            }
        }
        best
    }

    /// The best cut of one input.
    fn best_cut<const WEIGHTED: bool>(
        &mut self,
        input: usize,
        start: usize,
        end: usize,
        risk: f64,
        minbucket: usize,
    ) -> Option<CartSplit> {
        let rows = &self.order[input * self.size + start..input * self.size + end];
        let x = &self.inputs.x[input * self.inputs.rows..(input + 1) * self.inputs.rows];
        let size = rows.len();
        let y = self.train.y;
        let node_targets = &mut self.node_targets[..size];
        let weight = |row: u32| if WEIGHTED { self.train.weight(row as usize) } else { 1.0 };
        let (mut total, mut sum) = (0.0, 0.0);
        for (&row, target) in rows.iter().zip(node_targets.iter_mut()) {
            *target = y[row as usize];
            total += weight(row);
            sum += weight(row) * *target;
        }
        let mean = sum / total;
        let (mut best, mut best_at, mut low_goes_left) = (0.0, 0, false);
        let (mut sum, mut left) = (0.0, 0.0);
        let candidates = size.saturating_sub(minbucket).min(size - 1);
        for i in 1..=candidates {
            let row = rows[i - 1];
            let own = weight(row);
            sum += own * (node_targets[i - 1] - mean);
            left += own;
            let right = total - left;
            if i < minbucket {
                continue;
            }
            let score = sum * sum / left + sum * sum / right;
            // None between equal values, which only a cut that gains is asked about.
            if score > best && x[row as usize] != x[rows[i] as usize] {
                (best, best_at, low_goes_left) = (score, i, sum < 0.0);
            }
        }
        let improve = best / risk;
        (improve > 0.0).then(|| {
            let (below, above) = (x[rows[best_at - 1] as usize], x[rows[best_at] as usize]);
            CartSplit { input, cut: cut_between(below, above), low_goes_left, improve }
        })
    }

    /// Moves the left child's rows to the front in every column, keeping their order.
    fn partition(&mut self, start: usize, end: usize, split: &CartSplit) -> usize {
        let x = &self.inputs.x[split.input * self.inputs.rows..];
        for &row in &self.order[split.input * self.size..][start..end] {
            let (word, bit) = (row as usize / 64, 1u64 << (row % 64));
            let left = split.goes_left(x[row as usize]);
            self.goes_left[word] = self.goes_left[word] & !bit | if left { bit } else { 0 };
        }
        let mut middle = start;
        for column in self.order.chunks_exact_mut(self.size) {
            let goes_left = |row: u32| self.goes_left[row as usize / 64] >> (row % 64) & 1 == 1;
            middle = start + partition(&mut column[start..end], &mut self.spare, goes_left);
        }
        middle
    }
}

/// Halfway between two values; the upper one where rounding leaves nothing strictly between, so that
/// `x < cut` still tells them apart.
fn cut_between(below: f64, above: f64) -> f64 {
    let middle = midpoint(below, above);
    if middle > below { middle.min(above) } else { above }
}
