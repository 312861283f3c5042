//! Inputs in ready-made order for the large nodes of a tree.
//!
//! A scan over the order of any set of rows that *contains* the node finds the node's best cut, provided that rows
//! outside the node count for nothing. Forests cut off slivers far more often than halves, so the order of a large node
//! serves a long line of its descendants before filtering it again, for all inputs at once, pays.

use super::ranks::{Rank, Ranks};

/// A stack of orders: each level holds all inputs' orders of one set of rows, contained in the level below.
pub(super) struct Blocks<R> {
    inputs: usize,
    /// Where each level starts in `orders`, and its number of rows.
    levels: Vec<(usize, usize)>,
    orders: Vec<R>,
}

impl<R: Rank> Blocks<R> {
    pub(super) fn new(rows: usize, inputs: usize) -> Self {
        Self { inputs, levels: Vec::new(), orders: Vec::with_capacity(2 * rows * inputs) }
    }

    /// Starts a tree: the orders of the drawn rows, given by their number among the drawn.
    pub(super) fn start(&mut self, ranks: &Ranks<R>, counts: &[u32], numbers: &[R], drawn: usize) {
        self.levels.clear();
        self.levels.push((0, drawn));
        // One spare entry: the filter writes before it knows whether to keep.
        self.orders.resize(self.orders.len().max(drawn * self.inputs + 1), R::of(0));
        let mut end = 0;
        for input in 0..self.inputs {
            for &row in ranks.order(input) {
                self.orders[end] = numbers[row.position()];
                end += usize::from(counts[row.position()] > 0);
            }
        }
    }

    /// Rows in the orders of a level.
    pub(super) fn rows(&self, level: usize) -> usize {
        self.levels[level].1
    }

    /// Forgets all levels above this one.
    pub(super) fn back_to(&mut self, level: usize) {
        self.levels.truncate(level + 1);
    }

    /// Filters the topmost level down to the `rows` members and returns the new level.
    pub(super) fn narrow(&mut self, rows: usize, member: impl Fn(R) -> bool) -> usize {
        let (start, wider) = self.levels[self.levels.len() - 1];
        let new_start = start + wider * self.inputs;
        self.orders.resize(self.orders.len().max(new_start + rows * self.inputs + 1), R::of(0));
        let (from, to) = self.orders.split_at_mut(new_start);
        let mut end = 0;
        for &row in &from[start..] {
            to[end] = row;
            end += usize::from(member(row));
        }
        self.levels.push((new_start, rows));
        self.levels.len() - 1
    }

    /// One input's order at a level.
    pub(super) fn order(&self, level: usize, input: usize) -> &[R] {
        let (start, rows) = self.levels[level];
        &self.orders[start + input * rows..start + (input + 1) * rows]
    }
}
