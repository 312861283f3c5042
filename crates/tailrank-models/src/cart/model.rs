//! A fitted tree that can be read, pruned and asked.

use super::{
    CartParams,
    complexity::{self, CpRow},
    grow::{CartSplit, Grower, GrownNode},
};
use crate::{FitContext, MatrixView, Result, TrainSet};

/// A node of a [`CartModel`].
#[derive(Clone, Debug, PartialEq)]
pub struct CartNode {
    /// 1 for the root; the children of k are 2k and 2k + 1.
    pub number: u64,
    /// Training rows in the node.
    pub rows: usize,
    /// Mean target: the prediction of a leaf.
    pub mean: f64,
    /// Sum of squares around the mean.
    pub deviance: f64,
    /// Largest `cp` at which the node is still split, as a share of the root's deviance; for a leaf at most
    /// `cp`.
    pub complexity: f64,
    /// The split and the indices of the left and the right child; `None` for a leaf.
    pub split: Option<(CartSplit, usize, usize)>,
    /// The next best splits, of other inputs.
    pub competitors: Vec<CartSplit>,
}

/// A regression tree: that of rpart's method "anova" for the same data and settings.
///
/// ```
/// use tailrank_models::{CartModel, CartParams, FitContext, Matrix, TrainSet};
///
/// let x = Matrix::new(30, 1, (0..30).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..30).map(|i| if i < 12 { 0.0 } else { 5.0 }).collect();
/// let tree = CartModel::fit(TrainSet::new(x.view(), &y), &CartParams::default(), &FitContext::new(1))?;
/// let (split, left, _) = tree.nodes[0].split.unwrap();
/// assert_eq!((split.input, split.cut, tree.nodes[left].rows), (0, 11.5, 12));
/// assert_eq!(tree.predict(x.view())[29], 5.0);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CartModel {
    /// The nodes, each before its left and then its right subtree; the root comes first.
    pub nodes: Vec<CartNode>,
    /// The prunings of this tree, from the root alone to the whole.
    pub cp_table: Vec<CpRow>,
}

impl CartModel {
    /// Grows and prunes a tree as rpart would.
    pub fn fit(train: TrainSet<'_>, params: &CartParams, context: &FitContext) -> Result<Self> {
        Ok(Self::cut_out(&Grower::new(train, context)?.grow_all(params, params.cp)?, params))
    }

    /// rpart's tree at `params.cp` out of a tree grown at that `cp` or a smaller one.
    pub(super) fn cut_out(nodes: &[GrownNode], params: &CartParams) -> Self {
        let root_risk = nodes[0].risk;
        let scale = if root_risk > 0.0 { 1.0 / root_risk } else { 0.0 };
        let alpha = params.cp * root_risk;
        let complexity = complexity::complexities(nodes, params, alpha);
        let mut cp_table = complexity::cp_table(nodes, &complexity, alpha);
        for row in &mut cp_table {
            row.cp *= scale;
        }
        if let Some(last) = cp_table.last_mut() {
            last.cp = params.cp;
        }
        let whole = |(node, own): (&GrownNode, &Option<f64>)| {
            let own = own.unwrap_or(alpha);
            let splits = if own > alpha { &node.splits[..] } else { &[] };
            CartNode {
                number: 1,
                rows: node.rows,
                mean: node.mean,
                deviance: node.risk,
                complexity: own * scale,
                split: splits.first().map(|&split| (split, node.left, node.left + 1)),
                competitors: splits.iter().skip(1).copied().collect(),
            }
        };
        let whole: Vec<CartNode> = nodes.iter().zip(&complexity).map(whole).collect();
        let mut model = Self { nodes: Vec::new(), cp_table };
        model.copy(&whole, 0, 1, f64::NEG_INFINITY);
        model
    }

    /// Appends the subtree of `from` in preorder, with nodes of complexity `cp` or less as leaves; returns
    /// its index.
    fn copy(&mut self, whole: &[CartNode], from: usize, number: u64, cp: f64) -> usize {
        let node = &whole[from];
        let index = self.nodes.len();
        self.nodes.push(CartNode { number, split: None, competitors: Vec::new(), ..*node });
        if let Some((split, left, right)) = node.split
            && node.complexity > cp
        {
            let left = self.copy(whole, left, 2 * number, cp);
            let right = self.copy(whole, right, 2 * number + 1, cp);
            self.nodes[index].split = Some((split, left, right));
            self.nodes[index].competitors.clone_from(&node.competitors);
        }
        index
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_none()).count()
    }

    /// The same tree with every node of complexity `cp` or less made a leaf.
    #[must_use]
    pub fn prune(&self, cp: f64) -> Self {
        let mut pruned = Self { nodes: Vec::new(), cp_table: Vec::new() };
        pruned.copy(&self.nodes, 0, 1, cp);
        let kept: Vec<CpRow> = self.cp_table.iter().copied().filter(|row| row.cp > cp).collect();
        // The row that covers `cp` stays as the last, for it describes the pruned tree.
        let covering = self.cp_table.get(kept.len()).map(|row| CpRow { cp: row.cp.max(cp), ..*row });
        pruned.cp_table = kept.into_iter().chain(covering).collect();
        pruned
    }

    /// The leaf mean of every row.
    pub fn predict(&self, x: MatrixView<'_>) -> Vec<f64> {
        x.iter_rows().map(|row| self.leaf(row).mean).collect()
    }

    /// The leaf a row ends in.
    pub fn leaf(&self, row: &[f64]) -> &CartNode {
        let mut node = &self.nodes[0];
        while let Some((split, left, right)) = node.split {
            node = &self.nodes[if split.goes_left(row[split.input]) { left } else { right }];
        }
        node
    }
}
