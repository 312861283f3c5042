//! Training inputs as ranks: all that growing needs to know about them.

use crate::{MatrixView, matrix::ascending};

/// The rank of every value among those of its input: tied values get neighbouring ranks in row order.
pub(super) struct Ranks<'a> {
    x: MatrixView<'a>,
    /// Row after row: a row that is fetched for one input brings the others along.
    ranks: Vec<u32>,
    /// Rows in ascending order, input after input.
    orders: Vec<u32>,
    /// One bit per rank of each input: whether its value is that of the rank below.
    tied: Vec<u64>,
}

impl<'a> Ranks<'a> {
    /// Ranks every column of `x`.
    pub(super) fn new(x: MatrixView<'a>) -> Self {
        let words = x.rows().div_ceil(64);
        let mut ranks = vec![0; x.rows() * x.cols()];
        let mut tied = vec![0; words * x.cols()];
        let mut orders = Vec::with_capacity(ranks.len());
        for input in 0..x.cols() {
            let order = ascending(&x.column(input));
            for (rank, &row) in order.iter().enumerate() {
                ranks[row as usize * x.cols() + input] = rank as u32;
                if rank > 0 && x.at(row as usize, input) == x.at(order[rank - 1] as usize, input) {
                    tied[input * words + rank / 64] |= 1u64 << (rank % 64);
                }
            }
            orders.extend(order);
        }
        Self { x, ranks, orders, tied }
    }

    /// All rows in ascending order of an input.
    pub(super) fn order(&self, input: u32) -> &[u32] {
        let rows = self.x.rows();
        &self.orders[input as usize * rows..][..rows]
    }

    /// The ranks of a row, by input.
    #[inline(always)]
    pub(super) fn row(&self, row: u32) -> &[u32] {
        let inputs = self.x.cols();
        &self.ranks[row as usize * inputs..][..inputs]
    }

    /// Whether the higher of two rows by rank has a larger value, too; values themselves are far from the
    /// cache.
    pub(super) fn differ(&self, input: usize, below: u32, above: u32) -> bool {
        let rank = self.row(above)[input] as usize;
        let word = self.tied[input * self.x.rows().div_ceil(64) + rank / 64];
        word >> (rank % 64) & 1 == 0 || self.x.at(below as usize, input) < self.x.at(above as usize, input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    /// One row more than a word has bits, so that the second column's bits begin in a word of their own.
    #[test]
    fn ties_are_known_in_every_column() {
        let rows = 65;
        // The first column descends without a tie; the second has three values, 0 and −0 among them as one.
        let second = |i: usize| [0.0, -0.0, 1.0, 2.0][i % 4];
        let values = (0..rows).flat_map(|i| [-(i as f64), second(i)]).collect();
        let x = Matrix::new(rows, 2, values).unwrap();
        let ranks = Ranks::new(x.view());
        // 17 + 16 rows of 0, 16 of 1 and 16 of 2: ranks 0, 33 and 49 begin a value. Equal values stand in the
        // order of rows.
        let first: Vec<[u32; 2]> = vec![[64, 0], [63, 1], [62, 33], [61, 49], [60, 2], [59, 3]];
        assert!(first.iter().zip(0..).all(|(want, row)| ranks.row(row) == want));
        for (below, above, differ) in
            [(0, 1, false), (0, 4, false), (1, 2, true), (62, 3, true), (2, 62, false)]
        {
            assert_eq!(ranks.differ(1, below, above), differ, "{below} {above}");
        }
        assert!((1..65).all(|row| ranks.differ(0, row, row - 1)));
    }
}
