//! What tree growers share: a grown tree packed for prediction, and the parting of a node's rows.

/// A question, or a leaf.
#[derive(Clone, Copy, Debug)]
struct Node<C> {
    cut: C,
    input: u32,
    /// The left child; the right one follows it. 0 for a leaf.
    left: u32,
}

/// A binary regression tree: rows with `x <= cut` go left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree<C> {
    nodes: Vec<Node<C>>,
    /// The value of each node that is a leaf.
    values: Vec<f64>,
}

impl<C: Copy + Default + PartialOrd> Tree<C> {
    /// Makes it a single leaf of value 0.
    pub(crate) fn reset(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.push_leaf();
    }

    fn push_leaf(&mut self) {
        self.nodes.push(Node { cut: C::default(), input: 0, left: 0 });
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

    pub(crate) fn set_cut(&mut self, node: usize, cut: C) {
        self.nodes[node].cut = cut;
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
        for node in self.nodes.iter_mut().filter(|node| node.left != 0) {
            node.input = columns[node.input as usize];
        }
    }

    /// Calls `each` with every row of `rows` and the value of its leaf, leaf by leaf; `x` holds `inputs`
    /// values a row.
    ///
    /// The rows go down together and are parted at every question: no row waits for the answer to its last
    /// one.
    pub(crate) fn predict(
        &self,
        x: &[C],
        inputs: usize,
        rows: impl Iterator<Item = u32>,
        mut each: impl FnMut(u32, f64),
    ) {
        let mut rows: Vec<u32> = rows.collect();
        let mut spare = vec![0; rows.len()];
        let mut open = vec![(0, 0, rows.len())];
        while let Some((node, start, end)) = open.pop() {
            let Node { cut, input, left } = self.nodes[node];
            if left == 0 {
                rows[start..end].iter().for_each(|&row| each(row, self.values[node]));
            } else if start < end {
                let goes_left = |row: u32| x[row as usize * inputs + input as usize] <= cut;
                let middle = start + partition(&mut rows[start..end], &mut spare, goes_left);
                open.extend([(left as usize, start, middle), (left as usize + 1, middle, end)]);
            }
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
        let mut out = vec![0.0; 19];
        tree.predict(&bins, 3, 0..19, |row, value| out[row as usize] = value);
        let want: Vec<f64> = [1.0, 20.0, 300.0, 1.0].iter().cycle().take(19).copied().collect();
        assert_eq!(out, want);
        tree.reset();
        tree.set_value(0, 2.0);
        tree.predict(&[], 0, 3..5, |row, value| out[row as usize] = value);
        assert_eq!(out[3..6], [2.0, 2.0, 20.0]);
    }
}
