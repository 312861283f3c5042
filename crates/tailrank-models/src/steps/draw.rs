//! Draws of rows, uniform or weighted, with and without replacement.

use rand::{Rng, RngExt, seq::SliceRandom};

use super::context::Rows;

/// The weights of `rows` in a draw that prefers recent ones: the i-th oldest of r rows by i/r (Moniz, Branco
/// & Torgo 2017, with the rows in the order of time).
fn by_age(rows: &[usize], all: &Rows<'_>) -> Vec<f64> {
    let mut by_age: Vec<usize> = (0..rows.len()).collect();
    by_age.sort_by_key(|&place| all.time(rows[place]));
    let mut weights = vec![0.0; rows.len()];
    for (age, place) in by_age.into_iter().enumerate() {
        weights[place] = (age + 1) as f64 / rows.len() as f64;
    }
    weights
}

/// `count` of `rows` without replacement, in the order of the rows.
pub(super) fn without_replacement(
    rows: &[usize],
    count: usize,
    recent: Option<&Rows<'_>>,
    rng: &mut impl Rng,
) -> Vec<usize> {
    let count = count.min(rows.len());
    let mut drawn: Vec<usize> = if let Some(all) = recent {
        // Efraimidis & Spirakis 2006: the largest of u^(1/w) are a weighted draw one after another.
        let weights = by_age(rows, all);
        let mut keys: Vec<(f64, usize)> =
            weights.iter().zip(rows).map(|(w, &row)| (rng.random::<f64>().ln() / w, row)).collect();
        keys.sort_by(|a, b| b.0.total_cmp(&a.0));
        keys[..count].iter().map(|(_, row)| *row).collect()
    } else {
        rows.to_vec().partial_shuffle(rng, count).0.to_vec()
    };
    drawn.sort_unstable();
    drawn
}

/// `count` of `rows` with replacement.
pub(super) fn with_replacement(
    rows: &[usize],
    count: usize,
    recent: Option<&Rows<'_>>,
    rng: &mut impl Rng,
) -> Vec<usize> {
    match recent {
        None => (0..count).map(|_| rows[rng.random_range(0..rows.len())]).collect(),
        Some(all) => weighted(&by_age(rows, all), count, rng).into_iter().map(|place| rows[place]).collect(),
    }
}

/// `count` places with replacement, each with a chance in proportion to its weight; none if all weights are
/// 0.
pub(super) fn weighted(weights: &[f64], count: usize, rng: &mut impl Rng) -> Vec<usize> {
    let mut total = 0.0;
    let mut add = |w: &f64| {
        total += w;
        total
    };
    let up_to: Vec<f64> = weights.iter().map(&mut add).collect();
    if total <= 0.0 {
        return Vec::new();
    }
    // Rounding may bring a draw to the total itself; the last place with a weight takes it.
    let last = weights.iter().rposition(|w| *w > 0.0).unwrap_or(0);
    let draws = (0..count).map(|_| rng.random::<f64>() * total);
    draws.map(|draw| up_to.partition_point(|u| *u <= draw).min(last)).collect()
}
