//! A regression tree over bins.

/// Rows followed down the tree together, so that the processor need not wait for one of them.
const TOGETHER: usize = 8;

/// A question, or a leaf that leads to itself.
#[derive(Clone, Copy, Debug)]
struct Node {
    input: u32,
    /// The left child; the right one follows it.
    left: u32,
    bin: u8,
}

/// Nodes and what the leaves among them add.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    values: Vec<f64>,
    depth: usize,
}

impl Tree {
    /// A single leaf.
    pub(super) fn reset(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.depth = 0;
        self.push_leaf();
    }

    /// Turns the leaf `node` into a question and returns its left child; `depth` is that of the children.
    pub(super) fn split(&mut self, node: u32, input: usize, bin: u8, depth: usize) -> u32 {
        let left = self.nodes.len() as u32;
        self.push_leaf();
        self.push_leaf();
        self.nodes[node as usize] = Node { input: input as u32, left, bin };
        self.depth = self.depth.max(depth);
        left
    }

    pub(super) fn set_value(&mut self, node: u32, value: f64) {
        self.values[node as usize] = value;
    }

    pub(super) fn value(&self, node: u32) -> f64 {
        self.values[node as usize]
    }

    /// Names inputs by their place in the whole matrix: `columns[i]` for input i.
    pub(super) fn rename_inputs(&mut self, columns: &[u32]) {
        for (i, node) in self.nodes.iter_mut().enumerate() {
            if node.left != i as u32 {
                node.input = columns[node.input as usize];
            }
        }
    }

    /// Adds every row's leaf to `out`.
    pub(super) fn add_to(&self, bins: &[u8], inputs: usize, out: &mut [f64]) {
        if self.depth == 0 {
            let value = self.values[0];
            out.iter_mut().for_each(|o| *o += value);
            return;
        }
        for (rows, out) in bins.chunks(inputs * TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            let mut at = [0u32; TOGETHER];
            for _ in 0..self.depth {
                let before = at;
                for (at, row) in at.iter_mut().zip(rows.chunks_exact(inputs)) {
                    let node = self.nodes[*at as usize];
                    *at = node.left + u32::from(row[node.input as usize] > node.bin);
                }
                if at == before {
                    break;
                }
            }
            for (o, at) in out.iter_mut().zip(at) {
                *o += self.values[at as usize];
            }
        }
    }

    /// No bin is above 255: a leaf always leads to itself.
    fn push_leaf(&mut self) {
        self.nodes.push(Node { input: 0, left: self.nodes.len() as u32, bin: u8::MAX });
        self.values.push(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_leaf_at_any_depth() {
        let mut tree = Tree::default();
        tree.reset();
        let left = tree.split(0, 0, 9, 1);
        let low = tree.split(left + 1, 1, 4, 2);
        tree.set_value(left, 1.0);
        tree.set_value(low, 20.0);
        tree.set_value(low + 1, 300.0);
        tree.rename_inputs(&[2, 0]);
        let rows = [[4, 0, 9], [4, 0, 10], [5, 0, 10], [5, 0, 0]];
        let bins: Vec<u8> = rows.iter().cycle().take(19).flatten().copied().collect();
        let mut out = vec![0.5; 19];
        tree.add_to(&bins, 3, &mut out);
        let want: Vec<f64> = [1.5, 20.5, 300.5, 1.5].iter().cycle().take(19).copied().collect();
        assert_eq!(out, want);
        tree.reset();
        tree.set_value(0, 2.0);
        tree.add_to(&[], 0, &mut out);
        assert_eq!(out[3], 3.5);
    }
}
