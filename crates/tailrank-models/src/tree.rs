//! What tree growers share: a grown tree packed for prediction, and the parting of a node's rows.

/// Rows that descend together, so that their memory reads overlap.
const LANES: usize = 16;

/// What a node compares: values of inputs, or their bins.
pub(crate) trait Cut: Copy + PartialOrd {
    /// No value is above it.
    const HIGHEST: Self;
}

impl Cut for f64 {
    const HIGHEST: Self = Self::INFINITY;
}

impl Cut for u8 {
    const HIGHEST: Self = Self::MAX;
}

/// A question, or a leaf. A leaf points to itself and lets nothing pass to the right, so that rows which have
/// arrived stay put while others still descend.
#[derive(Clone, Copy, Debug)]
struct Node<C> {
    cut: C,
    input: u32,
    /// The left child; the right one follows it.
    left: u32,
}

/// A binary regression tree: rows with `x <= cut` go left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree<C> {
    nodes: Vec<Node<C>>,
    /// The value of each node that is a leaf.
    values: Vec<f64>,
}

impl<C: Cut> Tree<C> {
    /// Makes it a single leaf of value 0.
    pub(crate) fn reset(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.push_leaf();
    }

    fn push_leaf(&mut self) {
        self.nodes.push(Node { cut: C::HIGHEST, input: 0, left: self.nodes.len() as u32 });
        self.values.push(0.0);
    }

    /// Turns leaf `node` into a question and returns its left child; the right one follows it.
    pub(crate) fn split(&mut self, node: usize, input: usize, cut: C) -> usize {
        let left = self.nodes.len();
        self.push_leaf();
        self.push_leaf();
        self.nodes[node] = Node { cut, input: input as u32, left: left as u32 };
        left
    }

    pub(crate) fn set_value(&mut self, leaf: usize, value: f64) {
        self.values[leaf] = value;
    }

    pub(crate) fn value(&self, leaf: usize) -> f64 {
        self.values[leaf]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Names inputs by their place in the whole matrix: `columns[i]` for input i.
    pub(crate) fn rename_inputs(&mut self, columns: &[u32]) {
        for (i, node) in self.nodes.iter_mut().enumerate() {
            if node.left != i as u32 {
                node.input = columns[node.input as usize];
            }
        }
    }

    /// Calls `each` with the leaf value of every row in `rows`, in their order; `x` holds `inputs` values a
    /// row.
    pub(crate) fn predict(
        &self,
        x: &[C],
        inputs: usize,
        mut rows: impl Iterator<Item = usize>,
        mut each: impl FnMut(f64),
    ) {
        if self.nodes.len() == 1 {
            return rows.for_each(|_| each(self.values[0]));
        }
        loop {
            let mut starts = [0usize; LANES];
            let mut lanes = 0;
            for (start, row) in starts.iter_mut().zip(rows.by_ref().take(LANES)) {
                *start = row * inputs;
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
                    let next = node.left + u32::from(x[start + node.input as usize] > node.cut);
                    moved |= next ^ *at;
                    *at = next;
                }
                if moved == 0 {
                    break;
                }
            }
            at[..lanes].iter().for_each(|&leaf| each(self.values[leaf as usize]));
        }
    }
}

/// Moves the rows that go left before the others, each in their order; returns how many go left.
#[inline(always)]
pub(crate) fn partition(rows: &mut [u32], spare: &mut [u32], goes_left: impl Fn(u32) -> bool) -> usize {
    let spare = &mut spare[..rows.len()];
    let (mut left, mut right) = (0, 0);
    for i in 0..rows.len() {
        let row = rows[i];
        let goes = goes_left(row);
        // Written to both sides and counted on one: no branch to mispredict.
        rows[left] = row;
        spare[right] = row;
        left += usize::from(goes);
        right += usize::from(!goes);
    }
    rows[left..].copy_from_slice(&spare[..right]);
    left
}

/// A cut that sends `below` left and `above` right: halfway, or `below` where rounding would reach `above`.
pub(crate) fn cut_between(below: f64, above: f64) -> f64 {
    let middle = midpoint(below, above);
    if middle < above { middle } else { below }
}

/// Halfway between two values.
pub(crate) fn midpoint(below: f64, above: f64) -> f64 {
    let sum = below + above;
    if sum.is_finite() { sum / 2.0 } else { below / 2.0 + above / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_leaf_at_any_depth() {
        let mut tree = Tree::<u8>::default();
        tree.reset();
        let left = tree.split(0, 0, 9);
        let low = tree.split(left + 1, 1, 4);
        tree.set_value(left, 1.0);
        tree.set_value(low, 20.0);
        tree.set_value(low + 1, 300.0);
        tree.rename_inputs(&[2, 0]);
        let rows = [[4, 0, 9], [4, 0, 10], [5, 0, 10], [5, 0, 0]];
        let bins: Vec<u8> = rows.iter().cycle().take(19).flatten().copied().collect();
        let mut out = Vec::new();
        tree.predict(&bins, 3, 0..19, |value| out.push(value));
        let want: Vec<f64> = [1.0, 20.0, 300.0, 1.0].iter().cycle().take(19).copied().collect();
        assert_eq!(out, want);
        tree.reset();
        tree.set_value(0, 2.0);
        tree.predict(&[], 0, 3..5, |value| out.push(value));
        assert_eq!((out.len(), out[20]), (21, 2.0));
    }
}
