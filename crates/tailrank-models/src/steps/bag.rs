//! `bag`: resampled bagging, REBAGG (Branco, Torgo & Ribeiro 2018).
//!
//! Each of `bags` training sets has as many rows as there were, half of them drawn from the rare and half
//! from the normal ones, with replacement; predictions are the mean over the bags.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    context::Rows,
    parameters::{RECENT, THRESHOLD},
    prepared::Prepared,
    step::StepSpec,
    synthetic::Common,
};
use crate::{FitContext, ParamKind, ParamSpec, Params, Result};

const BAGS: ParamSpec = ParamSpec {
    name: "bags",
    kind: ParamKind::Int { min: 1, max: 10_000 },
    default: "10",
    doc: "fits that are averaged",
};

/// The row of `bag` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "bag",
    summary: "mean of fits on bags with as many rare rows as normal ones (REBAGG)",
    uses_relevance: true,
    parameters: &[BAGS, THRESHOLD, RECENT],
    build: |_, params| Action::Resample(Arc::new(Bag::of(params))),
};

/// The settings of `bag`.
#[derive(Debug)]
struct Bag {
    common: Common,
    bags: usize,
}

impl Bag {
    fn of(params: &Params) -> Self {
        Self { common: Common::of("bag", params), bags: params.int("bags", 10) as usize }
    }
}

impl Resample for Bag {
    fn sets(&self) -> usize {
        self.bags
    }

    /// One bag.
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared<'a>> {
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
