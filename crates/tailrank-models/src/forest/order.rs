//! A node's cases in the order of some inputs, found from their ranks.

use super::ranks::Ranks;

/// Memory for orders, kept from node to node.
pub(super) struct Memory {
    /// The places of the node's cases in the order of the lanes' inputs: lane beside lane where they are
    /// sorted, lane after lane with [`SLACK`] between them elsewhere.
    pub(super) order: Vec<u32>,
    /// The node's ranks, lane after lane.
    ranks: Vec<u32>,
    /// One bit per rank; all zero between calls.
    pub(super) bits: Vec<u64>,
    /// The place in the node of the case with a given rank, or of a given row.
    place: Vec<u32>,
}

impl Memory {
    /// For up to eight lanes of up to `rows` cases.
    pub(super) fn new(rows: usize, least: usize) -> Self {
        let words = rows.div_ceil(64);
        Self {
            order: vec![0; 8 * (rows.max(least) + SLACK)],
            ranks: vec![0; 8 * rows],
            bits: vec![0; words],
            place: vec![0; words * 64],
        }
    }
}

/// Surplus entries that may be written behind an order.
pub(super) const SLACK: usize = 4;

/// A node of at least one in this many rows finds its cases in the order of all rows.
const MANY: usize = 3;

/// Orders the cases by every input, lane after lane.
#[inline(always)]
pub(super) fn arrange(memory: &mut Memory, all: &Ranks<'_>, rows: &[u32], inputs: &[u32]) {
    if rows.len() * MANY >= memory.place.len() {
        pick(memory, all, rows, inputs);
    } else {
        mark(memory, all, rows, inputs);
    }
}

/// Picks the cases from all rows in order.
#[inline(always)]
fn pick(memory: &mut Memory, all: &Ranks<'_>, rows: &[u32], inputs: &[u32]) {
    let Memory { order, place, .. } = memory;
    place.fill(u32::MAX);
    for (&row, i) in rows.iter().zip(0..) {
        place[row as usize] = i;
    }
    for (order, &input) in order.chunks_exact_mut(rows.len() + SLACK).zip(inputs) {
        let mut done = 0;
        for &row in all.order(input) {
            // Written in any case, and counted if it is one of the node's: no branch to mispredict.
            let place = place[row as usize];
            order[done] = place;
            done += usize::from(place != u32::MAX);
        }
    }
}

/// Marks the cases' ranks in a bitmap and reads it from the lowest bit up.
#[inline(always)]
fn mark(memory: &mut Memory, all: &Ranks<'_>, rows: &[u32], inputs: &[u32]) {
    let Memory { order, ranks, bits, place } = memory;
    let size = rows.len();
    for (i, &row) in rows.iter().enumerate() {
        let of_row = all.row(row);
        for (lane, &input) in inputs.iter().enumerate() {
            ranks[lane * size + i] = of_row[input as usize];
        }
    }
    let orders = order.chunks_exact_mut(size + SLACK);
    for (order, ranks) in orders.zip(ranks.chunks_exact(size)).take(inputs.len()) {
        for (&rank, i) in ranks.iter().zip(0..) {
            let rank = rank as usize;
            place[rank] = i;
            bits[rank / 64] |= 1 << (rank % 64);
        }
        let mut done = 0;
        for (bits, places) in bits.iter_mut().zip(place.as_chunks::<64>().0) {
            let mut left = std::mem::take(bits);
            let found = left.count_ones() as usize;
            // Four at a time whether set or not: surplus entries are overwritten by the next word, and the
            // branch that a bit-by-bit loop would mispredict is gone.
            let mut written = 0;
            while written < found {
                for to in &mut order[done + written..][..SLACK] {
                    *to = places[left.trailing_zeros() as usize % 64];
                    left &= left.wrapping_sub(1);
                }
                written += SLACK;
            }
            done += found;
        }
    }
}

/// Sorts every lane by Batcher's merge exchange (Knuth 5.2.2, algorithm M).
#[inline(always)]
pub(super) fn sort<const L: usize>(keys: &mut [[u32; L]]) {
    let top = keys.len().next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            match p {
                1 => exchange(keys, 1, r, d),
                2 => exchange(keys, 2, r, d),
                _ => exchange(keys, p, r, d),
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

/// Brings the keys at `i` and `i + d` in order, for all i with `i & p == r`.
#[inline(always)]
fn exchange<const L: usize>(keys: &mut [[u32; L]], p: usize, r: usize, d: usize) {
    let end = keys.len() - d;
    for start in (r..end).step_by(2 * p) {
        for i in start..(start + p).min(end) {
            let (low, high) = (keys[i], keys[i + d]);
            for l in 0..L {
                keys[i][l] = low[l].min(high[l]);
                keys[i + d][l] = low[l].max(high[l]);
            }
        }
    }
}
