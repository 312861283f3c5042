//! `over`: all rows and copies of the rare ones (Branco, Torgo & Ribeiro 2016).

use rand_chacha::ChaCha8Rng;

use super::{context::Rows, prepared::Prepared, share, synthetic::Common};
use crate::{Params, Result};

/// The settings of `over`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Over {
    common: Common,
}

impl Over {
    pub(super) fn of(params: &Params) -> Self {
        Self { common: Common::of("over", params) }
    }

    /// A bump of a single row is left as it is: thousands of copies of one row teach that row and nothing else.
    pub(super) fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng) -> Result<Prepared<'a>> {
        let bumps = self.common.bumps(rows)?;
        let shares = share::copied(self.common.share, &bumps);
        let single = |bump: &&super::Bump| bump.rare && bump.rows.len() == 1;
        let single_rows = bumps.iter().filter(single).count();
        if single_rows == bumps.iter().filter(|b| b.rare).count() {
            return Err(self.common.lonely());
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
