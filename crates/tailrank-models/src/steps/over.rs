//! `over`: all rows and copies of the rare ones (Branco, Torgo & Ribeiro 2016).

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    context::Rows,
    parameters::{LIMIT, RECENT, THRESHOLD},
    prepared::Prepared,
    share,
    step::StepSpec,
    synthetic::Common,
};
use crate::{FitContext, ParamKind, ParamSpec, Params, Result};

const SHARE: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: f64::INFINITY },
    default: "balance",
    doc: "copies of rare rows: as many as normal ones, far more, or this many times the rare rows",
};

/// The row of `over` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "over",
    summary: "all rows and copies of the rare ones",
    uses_relevance: true,
    parameters: &[SHARE, THRESHOLD, RECENT, LIMIT],
    build: |_, params| Action::Resample(Arc::new(Over::of(params))),
};

/// The settings of `over`.
#[derive(Debug)]
struct Over {
    common: Common,
}

impl Over {
    fn of(params: &Params) -> Self {
        Self { common: Common::of("over", params) }
    }
}

impl Resample for Over {
    /// A bump of a single row is left as it is: thousands of copies of one row teach that row and nothing
    /// else.
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared<'a>> {
        let bumps = self.common.bumps(rows)?;
        let shares = share::copied(self.common.share, &bumps);
        let single = |bump: &&super::Bump| bump.rare && bump.rows.len() == 1;
        let single_rows = bumps.iter().filter(single).count();
        if single_rows == bumps.iter().filter(|b| b.rare).count() {
            return Err(self.common.single_rare_row_error());
        }
        let mut wished: Vec<usize> = bumps
            .iter()
            .zip(shares)
            .map(|(bump, share)| if single(&bump) { 0 } else { share::count(share, bump.rows.len()) })
            .collect();
        let n = rows.y.len();
        let limited = self.common.hold_back(n, n, &mut wished);
        let mut chosen: Vec<usize> = (0..n).collect();
        for (bump, count) in bumps.iter().zip(wished).filter(|(_, count)| *count > 0) {
            chosen.extend(self.common.chance().with_replacement(&bump.rows, count, rows, rng));
        }
        Ok(Prepared { limited, single_rows, ..Prepared::of_rows(rows, &chosen)? })
    }
}
