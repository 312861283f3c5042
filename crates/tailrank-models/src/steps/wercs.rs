//! `wercs`: weighted relevance-based combination (Branco, Torgo & Ribeiro 2019).
//!
//! Without bumps or threshold: to the n rows come ⌊over·n⌋ drawn with replacement by φ, and the distinct rows
//! of ⌊under·n⌋ draws by 1 − φ are taken away. Given a `share` it works on bumps as the other steps do: a
//! bump that grows gets ⌊n(c − 1)⌋ copies drawn by φ, one that shrinks keeps ⌊cn⌋ draws by φ, with
//! replacement.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    context::Rows,
    draw::weighted,
    parameters::{LIMIT, POSITIVE, RESIZE, THRESHOLD},
    prepared::Prepared,
    share,
    step::StepSpec,
    synthetic::Common,
};
use crate::{FitContext, ModelError, ParamSpec, Params, Result};

const ADDED: ParamSpec = ParamSpec {
    name: "over",
    kind: POSITIVE,
    default: "0.5",
    doc: "draws by relevance that are added, as a share of the rows",
};
const REMOVED: ParamSpec = ParamSpec {
    name: "under",
    kind: POSITIVE,
    default: "0.5",
    doc: "draws by 1 - relevance that are taken away, as a share of the rows",
};
const SHARE: ParamSpec = ParamSpec {
    default: "auto",
    doc: "sizes of the bumps: equal, turned round, or a factor; auto: no bumps, see over and under",
    ..RESIZE
};

/// The row of `wercs` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "wercs",
    summary: "rows added by relevance and taken away by the lack of it (WERCS)",
    uses_relevance: true,
    parameters: &[ADDED, REMOVED, SHARE, THRESHOLD, LIMIT],
    build: |_, params| Action::Resample(Arc::new(Wercs::of(params))),
};

/// The settings of `wercs`.
#[derive(Debug)]
struct Wercs {
    common: Common,
    by_bumps: bool,
    over: f64,
    under: f64,
}

impl Wercs {
    fn of(params: &Params) -> Self {
        Self {
            common: Common::of("wercs", params),
            by_bumps: params.get("share").is_some(),
            over: params.real("over", 0.5),
            under: params.real("under", 0.5),
        }
    }

    fn resize_bumps<'a>(&self, rows: &Rows<'a>, phi: &[f64], rng: &mut ChaCha8Rng) -> Result<Prepared<'a>> {
        let bumps = self.common.bumps(rows)?;
        let shares = share::resized("wercs", self.common.share, &bumps)?;
        let mut wished = vec![0; bumps.len()];
        let mut kept = Vec::new();
        let (mut single_rows, mut grown) = (0, false);
        for ((bump, &share), wished) in bumps.iter().zip(&shares).zip(&mut wished) {
            let n = bump.rows.len();
            if share < 1.0 {
                kept.extend(draw(phi, &bump.rows, share::count(share, n), rng));
                grown |= bump.rare;
            } else {
                kept.extend(&bump.rows);
                let single = n == 1;
                *wished = if single { 0 } else { share::count(share - 1.0, n) };
                single_rows += usize::from(single && bump.rare);
                grown |= bump.rare && !single;
            }
        }
        if !grown {
            return Err(self.common.single_rare_row_error());
        }
        let limited = self.common.hold_back(rows.y.len(), kept.len(), &mut wished);
        for (bump, count) in bumps.iter().zip(wished) {
            kept.extend(draw(phi, &bump.rows, count, rng));
        }
        Ok(Prepared { limited, single_rows, ..Prepared::of_rows(rows, &kept)? })
    }
}

impl Resample for Wercs {
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared<'a>> {
        let phi = rows.relevances("wercs")?;
        if self.by_bumps {
            return self.resize_bumps(rows, &phi, rng);
        }
        let fail = |problem: &str| Err(ModelError::Step { step: "wercs", problem: problem.to_owned() });
        if let Some(i) = phi.iter().position(|p| !(0.0..=1.0).contains(p)) {
            return fail(&format!("the relevance of training row {} is {}, not from 0 to 1", i + 1, phi[i]));
        }
        if phi.iter().all(|p| *p == 0.0) {
            return fail("no rare row: the relevance of every training row is 0; move the relevance");
        }
        let n = rows.y.len();
        let mut wished = [share::count(self.over, n)];
        let limited = self.common.hold_back(n, n, &mut wished);
        let added = weighted(&phi, wished[0], rng);
        let normal: Vec<f64> = phi.iter().map(|p| 1.0 - p).collect();
        let mut gone = vec![false; n];
        weighted(&normal, share::count(self.under, n), rng).into_iter().for_each(|row| gone[row] = true);
        let chosen: Vec<usize> = (0..n).filter(|&row| !gone[row]).chain(added).collect();
        Ok(Prepared { limited, ..Prepared::of_rows(rows, &chosen)? })
    }
}

/// Draws by φ; alike where all φ are 0.
fn draw(phi: &[f64], rows: &[usize], count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut weights: Vec<f64> = rows.iter().map(|&row| phi[row]).collect();
    if weights.iter().all(|w| *w == 0.0) {
        weights.fill(1.0);
    }
    weighted(&weights, count, rng).into_iter().map(|place| rows[place]).collect()
}
