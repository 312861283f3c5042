//! `under`: all rare rows and a part of the normal ones (Torgo et al. 2013).

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    context::Rows,
    parameters::{RECENT, THRESHOLD},
    prepared::Prepared,
    share,
    step::StepSpec,
    synthetic::Common,
};
use crate::{FitContext, ParamKind, ParamSpec, Params, Result};

const SHARE: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: 1.0 },
    default: "balance",
    doc: "normal rows kept: as many as rare ones, far fewer, or this share of them",
};

/// The row of `under` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "under",
    summary: "all rare rows and a part of the normal ones",
    uses_relevance: true,
    parameters: &[SHARE, THRESHOLD, RECENT],
    build: |_, params| Action::Resample(Arc::new(Under::of(params))),
};

/// The settings of `under`.
#[derive(Debug)]
struct Under {
    common: Common,
}

impl Under {
    fn of(params: &Params) -> Self {
        Self { common: Common::of("under", params) }
    }
}

impl Resample for Under {
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared<'a>> {
        let bumps = self.common.bumps(rows)?;
        let shares = share::kept(self.common.share, &bumps)?;
        let mut chosen = Vec::new();
        for (bump, share) in bumps.iter().zip(shares) {
            if bump.rare {
                chosen.extend(&bump.rows);
            } else {
                let count = share::count(share, bump.rows.len());
                chosen.extend(self.common.chance().without_replacement(&bump.rows, count, rows, rng));
            }
        }
        chosen.sort_unstable();
        Prepared::of_rows(rows, &chosen)
    }
}
