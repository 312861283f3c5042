//! Draws of rows, uniform or weighted, with and without replacement.

use rand::{Rng, RngExt, seq::SliceRandom};

use super::context::Rows;

/// Which rows a draw prefers.
#[derive(Clone, Copy)]
pub(super) enum Chance {
    /// All alike.
    Alike,
    /// The i-th oldest of r rows by i/r (Moniz, Branco & Torgo 2017, with the rows in the order of time).
    Recent,
}

impl Chance {
    pub(super) fn of(recent: bool) -> Self {
        if recent { Self::Recent } else { Self::Alike }
    }

    /// The weight of each of `rows`, in their order.
    fn weights(self, rows: &[usize], all: &Rows<'_>) -> Option<Vec<f64>> {
        match self {
            Self::Alike => None,
            Self::Recent => {
                let mut by_age: Vec<usize> = (0..rows.len()).collect();
                by_age.sort_by_key(|&place| all.time(rows[place]));
                let mut weights = vec![0.0; rows.len()];
                for (age, place) in by_age.into_iter().enumerate() {
                    weights[place] = (age + 1) as f64 / rows.len() as f64;
                }
                Some(weights)
            }
        }
    }

    /// `count` of `rows` without replacement, in the order of the rows.
    pub(super) fn without_replacement(
        self,
        rows: &[usize],
        count: usize,
        all: &Rows<'_>,
        rng: &mut impl Rng,
    ) -> Vec<usize> {
        let count = count.min(rows.len());
        let mut drawn: Vec<usize> = match self.weights(rows, all) {
            None => {
                let mut rows = rows.to_vec();
                rows.partial_shuffle(rng, count).0.to_vec()
            }
            Some(weights) => {
                // Efraimidis & Spirakis 2006: the largest of u^(1/w) are a weighted draw one after another.
                let mut keys: Vec<(f64, usize)> =
                    weights.iter().zip(rows).map(|(w, &row)| (rng.random::<f64>().ln() / w, row)).collect();
                keys.sort_by(|a, b| b.0.total_cmp(&a.0));
                keys[..count].iter().map(|(_, row)| *row).collect()
            }
        };
        drawn.sort_unstable();
        drawn
    }

    /// `count` of `rows` with replacement.
    pub(super) fn with_replacement(
        self,
        rows: &[usize],
        count: usize,
        all: &Rows<'_>,
        rng: &mut impl Rng,
    ) -> Vec<usize> {
        match self.weights(rows, all) {
            None => (0..count).map(|_| rows[rng.random_range(0..rows.len())]).collect(),
            Some(weights) => weighted(&weights, count, rng).into_iter().map(|place| rows[place]).collect(),
        }
    }
}

/// `count` places with replacement, each with a chance in proportion to its weight; none if all weights are
/// 0.
pub(super) fn weighted(weights: &[f64], count: usize, rng: &mut impl Rng) -> Vec<usize> {
    let mut total = 0.0;
    let up_to: Vec<f64> = weights
        .iter()
        .map(|w| {
            total += w;
            total
        })
        .collect();
    if total <= 0.0 {
        return Vec::new();
    }
    // Rounding may bring a draw to the total itself; the last place with a weight takes it.
    let last = weights.iter().rposition(|w| *w > 0.0).unwrap_or(0);
    (0..count)
        .map(|_| {
            let draw = rng.random::<f64>() * total;
            up_to.partition_point(|u| *u <= draw).min(last)
        })
        .collect()
}
