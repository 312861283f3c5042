//! A grown tree, packed for prediction.

use crate::MatrixView;

/// One node in 16 bytes. A leaf points to itself and lets nothing pass to the right, so that rows which have arrived
/// stay put while others still descend.
#[derive(Clone, Copy, Debug)]
struct Node {
    cut: f64,
    input: u32,
    /// The left child; the right one follows it.
    left: u32,
}

/// A binary regression tree: rows with `x <= cut` go left.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The mean target of each node that is a leaf.
    values: Vec<f64>,
}

/// Rows that descend together, so that their memory reads overlap.
const LANES: usize = 16;

impl Tree {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
    }

    /// Adds a leaf and returns its index.
    pub(super) fn push_leaf(&mut self) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { cut: f64::INFINITY, input: 0, left: index as u32 });
        self.values.push(0.0);
        index
    }

    /// Turns leaf `node` into a split whose children are the next two nodes added.
    pub(super) fn split(&mut self, node: usize, input: usize, cut: f64) {
        self.nodes[node] = Node { cut, input: input as u32, left: self.nodes.len() as u32 };
    }

    pub(super) fn set_value(&mut self, leaf: usize, value: f64) {
        self.values[leaf] = value;
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Writes the leaf value of every row in `rows` of `x`.
    pub(super) fn predict_rows(
        &self,
        x: MatrixView<'_>,
        mut rows: impl Iterator<Item = usize>,
        out: &mut Vec<f64>,
    ) {
        loop {
            let mut starts = [0usize; LANES];
            let mut lanes = 0;
            for (start, row) in starts.iter_mut().zip(rows.by_ref().take(LANES)) {
                *start = row * x.cols();
                lanes += 1;
            }
            if lanes == 0 {
                return;
            }
            let mut at = [0u32; LANES];
            loop {
                let mut moved = 0;
                for (at, &start) in at.iter_mut().zip(&starts) {
                    let node = self.nodes[*at as usize];
                    let next = node.left + u32::from(x.as_slice()[start + node.input as usize] > node.cut);
                    moved |= next ^ *at;
                    *at = next;
                }
                if moved == 0 {
                    break;
                }
            }
            out.extend(at[..lanes].iter().map(|&leaf| self.values[leaf as usize]));
        }
    }
}
