//! `under`: all rare rows and a part of the normal ones (Torgo et al. 2013).

use rand_chacha::ChaCha8Rng;

use super::{context::Rows, prepared::Prepared, share, synthetic::Common};
use crate::{Params, Result};

/// The settings of `under`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Under {
    common: Common,
}

impl Under {
    pub(super) fn of(params: &Params) -> Self {
        Self { common: Common::of("under", params) }
    }

    pub(super) fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng) -> Result<Prepared<'a>> {
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
