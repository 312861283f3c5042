//! `bag`: resampled bagging, REBAGG (Branco, Torgo & Ribeiro 2018).
//!
//! Each of `bags` training sets has as many rows as there were, half of them drawn from the rare and half from the normal
//! ones, with replacement; predictions are the mean over the bags.

use rand_chacha::ChaCha8Rng;

use super::{context::Rows, prepared::Prepared, synthetic::Common};
use crate::{Params, Result};

/// The settings of `bag`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bag {
    common: Common,
    pub(super) bags: usize,
}

impl Bag {
    pub(super) fn of(params: &Params) -> Self {
        Self { common: Common::of("bag", params), bags: params.int("bags", 10) as usize }
    }

    /// One bag.
    pub(super) fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng) -> Result<Prepared<'a>> {
        let bumps = self.common.bumps(rows)?;
        let of_kind = |rare: bool| {
            let mut rows: Vec<usize> =
                bumps.iter().filter(|b| b.rare == rare).flat_map(|b| b.rows.iter().copied()).collect();
            rows.sort_unstable();
            rows
        };
        let half = rows.y.len() / 2;
        let chance = self.common.chance();
        let mut chosen = chance.with_replacement(&of_kind(true), half, rows, rng);
        chosen.extend(chance.with_replacement(&of_kind(false), rows.y.len() - half, rows, rng));
        chosen.sort_unstable();
        Prepared::of_rows(rows, &chosen)
    }
}
