//! Training inputs as ranks: all that growing needs to know about them.

use crate::{MatrixView, matrix::ascending};

/// A column's ranks, as narrow as the number of rows allows, so that a whole column stays in the first cache.
pub(super) trait Rank: Copy + Ord + Send + Sync + 'static {
    /// A signed number of the same width, in the same order: what the vector units compare.
    type Lane: Copy + Default + PartialOrd + Send;

    /// A lane above every rank or equal to the highest.
    const TOP: Self::Lane;

    fn of(position: usize) -> Self;
    fn position(self) -> usize;
    fn lane(self) -> Self::Lane;
    /// For each of `W` lanes, how many are smaller: its place in sorted order.
    fn places<const W: usize>(lanes: &[Self::Lane; W]) -> [u16; W];
}

macro_rules! rank {
    ($unsigned:ty, $signed:ty) => {
        impl Rank for $unsigned {
            type Lane = $signed;
            const TOP: $signed = <$signed>::MAX;

            #[inline]
            fn of(position: usize) -> Self {
                position as $unsigned
            }

            #[inline]
            fn position(self) -> usize {
                self as usize
            }

            #[inline]
            fn lane(self) -> $signed {
                (self ^ (1 << (<$unsigned>::BITS - 1))) as $signed
            }

            #[inline(always)]
            fn places<const W: usize>(lanes: &[$signed; W]) -> [u16; W] {
                // Counters as wide as the lanes: one compare and one subtraction per vector.
                let mut smaller = [0 as $signed; W];
                for &pivot in lanes {
                    for (count, &lane) in smaller.iter_mut().zip(lanes) {
                        *count += (pivot < lane) as $signed;
                    }
                }
                smaller.map(|count| count as u16)
            }
        }
    };
}

rank!(u16, i16);
rank!(u32, i32);

/// Every column's ranks, column after column: tied values get neighbouring ranks in row order.
pub(super) struct Ranks<R> {
    rows: usize,
    ranks: Vec<R>,
    /// One bit per rank of each column: whether its value is that of the rank below.
    tied: Vec<u64>,
}

impl<R: Rank> Ranks<R> {
    /// Ranks every column of `x`.
    pub(super) fn new(x: MatrixView<'_>) -> Self {
        let rows = x.rows();
        let mut ranks = vec![R::of(0); rows * x.cols()];
        let words = rows.div_ceil(64);
        let mut tied = vec![0; words * x.cols()];
        for (col, column) in ranks.chunks_exact_mut(rows).enumerate() {
            let order = ascending(&x.column(col));
            for (position, &row) in order.iter().enumerate() {
                column[row as usize] = R::of(position);
                if position > 0 && x.at(row as usize, col) == x.at(order[position - 1] as usize, col) {
                    tied[col * words + position / 64] |= 1u64 << (position % 64);
                }
            }
        }
        Self { rows, ranks, tied }
    }

    /// The ranks of one column, by row.
    #[inline]
    pub(super) fn column(&self, col: usize) -> &[R] {
        &self.ranks[col * self.rows..(col + 1) * self.rows]
    }

    /// Whether the value at this rank of a column is also that of the rank below.
    pub(super) fn is_tied(&self, col: usize, rank: R) -> bool {
        let word = self.tied[col * self.rows.div_ceil(64) + rank.position() / 64];
        word >> (rank.position() % 64) & 1 == 1
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
        let ranks = Ranks::<u16>::new(Matrix::new(rows, 2, values).unwrap().view());
        let expected: Vec<u16> = (0..65).rev().collect();
        assert_eq!(ranks.column(0), expected);
        // 17 + 16 rows of 0, 16 of 1 and 16 of 2: ranks 0, 33 and 49 begin a value.
        for rank in 0..65 {
            assert!(!ranks.is_tied(0, rank), "{rank}");
            assert_eq!(ranks.is_tied(1, rank), ![0, 33, 49].contains(&rank), "{rank}");
        }
        // Equal values stand in the order of rows.
        assert_eq!(ranks.column(1)[..6], [0, 1, 33, 49, 2, 3]);
    }
}
