//! Steps that choose among the training rows: `under`, `over`, `bag` and `wercs`.

use rand_chacha::ChaCha8Rng;

use super::{
    context::{Prepared, Rows},
    draw::{weighted, with_replacement, without_replacement},
    share::{self, Bump, Share},
    step::StepSpec,
    synthetic::{LIMIT, POSITIVE, RECENT, RESIZE, Resized, Sampler, THRESHOLD, resampling},
};
use crate::{FitContext, ModelError, ParamKind, ParamSpec, Result};

const KEPT: ParamSpec = crate::parameter! {
    "share" = "balance", ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: 1.0 },
    "normal rows kept: as many as rare ones, far fewer, or this share of them"
};

/// The row of `under` among the steps.
pub(super) const UNDER: StepSpec = resampling! {
    "under", under, [KEPT, THRESHOLD, RECENT],
    "all rare rows and a part of the normal ones"
};

/// All rare rows and a part of the normal ones (Torgo et al. 2013).
fn under(step: &Sampler, rows: &Rows<'_>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared> {
    let bumps = step.bumps(rows)?;
    let shares = share::kept(Share::of(&step.params), &bumps)?;
    let mut chosen = Vec::new();
    for (bump, share) in bumps.iter().zip(shares) {
        if bump.rare {
            chosen.extend(&bump.rows);
        } else {
            let count = share::count(share, bump.rows.len());
            chosen.extend(without_replacement(&bump.rows, count, step.recent(rows), rng));
        }
    }
    chosen.sort_unstable();
    Prepared::of_rows(rows, &chosen)
}

const COPIES: ParamSpec = ParamSpec {
    doc: "copies of rare rows: as many as normal ones, far more, or this many times the rare rows",
    ..RESIZE
};

/// The row of `over` among the steps.
pub(super) const OVER: StepSpec = resampling! {
    "over", over, [COPIES, THRESHOLD, RECENT, LIMIT],
    "all rows and copies of the rare ones"
};

/// All rows and copies of the rare ones (Branco, Torgo & Ribeiro 2016). A bump of a single row is left as it
/// is: thousands of copies of one row teach that row and nothing else.
fn over(step: &Sampler, rows: &Rows<'_>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared> {
    let bumps = step.bumps(rows)?;
    let shares = share::copied(Share::of(&step.params), &bumps);
    let single = |bump: &&Bump| bump.rare && bump.rows.len() == 1;
    let single_rows = bumps.iter().filter(single).count();
    if single_rows == bumps.iter().filter(|b| b.rare).count() {
        return Err(step.single_rare_row_error());
    }
    let copies =
        |(bump, share): (&Bump, f64)| if single(&bump) { 0 } else { share::count(share, bump.rows.len()) };
    let mut wished: Vec<usize> = bumps.iter().zip(shares).map(copies).collect();
    let n = rows.y.len();
    let limited = step.hold_back(n, n, &mut wished);
    let mut chosen: Vec<usize> = (0..n).collect();
    for (bump, count) in bumps.iter().zip(wished).filter(|(_, count)| *count > 0) {
        chosen.extend(with_replacement(&bump.rows, count, step.recent(rows), rng));
    }
    Ok(Prepared { limited, single_rows, ..Prepared::of_rows(rows, &chosen)? })
}

const BAGS: ParamSpec = crate::parameter! {
    "bags" = "10", ParamKind::Int { min: 1, max: 10_000 },
    "fits that are averaged"
};

/// The row of `bag` among the steps.
pub(super) const BAG: StepSpec = resampling! {
    "bag", bag, [BAGS, THRESHOLD, RECENT],
    "mean of fits on bags with as many rare rows as normal ones (REBAGG)"
};

/// Resampled bagging, REBAGG (Branco, Torgo & Ribeiro 2018): each of `bags` training sets has as many rows as
/// there were, half of them drawn from the rare and half from the normal ones, with replacement; predictions
/// are the mean over the bags.
fn bag(step: &Sampler, rows: &Rows<'_>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared> {
    let bumps = step.bumps(rows)?;
    let of_kind = |rare: bool| {
        let mut rows: Vec<usize> =
            bumps.iter().filter(|b| b.rare == rare).flat_map(|b| b.rows.iter().copied()).collect();
        rows.sort_unstable();
        rows
    };
    let half = rows.y.len() / 2;
    let mut chosen = with_replacement(&of_kind(true), half, step.recent(rows), rng);
    chosen.extend(with_replacement(&of_kind(false), rows.y.len() - half, step.recent(rows), rng));
    chosen.sort_unstable();
    Prepared::of_rows(rows, &chosen)
}

const ADDED: ParamSpec = crate::parameter! {
    "over" = "0.5", POSITIVE,
    "draws by relevance that are added, as a share of the rows"
};
const REMOVED: ParamSpec = crate::parameter! {
    "under" = "0.5", POSITIVE,
    "draws by 1 - relevance that are taken away, as a share of the rows"
};
const RESIZED: ParamSpec = ParamSpec {
    default: "auto",
    doc: "sizes of the bumps: equal, turned round, or a factor; auto: no bumps, see over and under",
    ..RESIZE
};

/// The row of `wercs` among the steps.
pub(super) const WERCS: StepSpec = resampling! {
    "wercs", wercs, [ADDED, REMOVED, RESIZED, THRESHOLD, LIMIT],
    "rows added by relevance and taken away by the lack of it (WERCS)"
};

fn resize(step: &Sampler, rows: &Rows<'_>, phi: &[f64], rng: &mut ChaCha8Rng) -> Result<Prepared> {
    let keep = |rows_of: &[usize], count| draw(phi, rows_of, count, rng);
    let added = |share, n| (share::count(share, n), n > 1);
    let Resized { bumps, mut kept, wished, limited, single_rows } = Resized::of(step, rows, keep, added)?;
    for (bump, count) in bumps.iter().zip(wished) {
        kept.extend(draw(phi, &bump.rows, count, rng));
    }
    Ok(Prepared { limited, single_rows, ..Prepared::of_rows(rows, &kept)? })
}

/// Weighted relevance-based combination (Branco, Torgo & Ribeiro 2019).
///
/// Without bumps or threshold: to the n rows come ⌊over·n⌋ drawn with replacement by φ, and the distinct rows
/// of ⌊under·n⌋ draws by 1 − φ are taken away. Given a `share` it works on bumps as the other steps do: a
/// bump that grows gets ⌊n(c − 1)⌋ copies drawn by φ, one that shrinks keeps ⌊cn⌋ draws by φ, with
/// replacement.
fn wercs(step: &Sampler, rows: &Rows<'_>, rng: &mut ChaCha8Rng, _: &FitContext) -> Result<Prepared> {
    let phi = rows.relevances("wercs")?;
    if step.params.get("share").is_some() {
        return resize(step, rows, &phi, rng);
    }
    if phi.iter().all(|p| *p == 0.0) {
        let problem = "no rare row: the relevance of every training row is 0; move the relevance";
        return Err(ModelError::step("wercs", problem));
    }
    let n = rows.y.len();
    let mut wished = [share::count(step.params.real("over", 0.5), n)];
    let limited = step.hold_back(n, n, &mut wished);
    let added = weighted(&phi, wished[0], rng);
    let normal: Vec<f64> = phi.iter().map(|p| 1.0 - p).collect();
    let mut gone = vec![false; n];
    let removed = share::count(step.params.real("under", 0.5), n);
    weighted(&normal, removed, rng).into_iter().for_each(|row| gone[row] = true);
    let chosen: Vec<usize> = (0..n).filter(|&row| !gone[row]).chain(added).collect();
    Ok(Prepared { limited, ..Prepared::of_rows(rows, &chosen)? })
}

/// Draws by φ; alike where all φ are 0.
fn draw(phi: &[f64], rows: &[usize], count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut weights: Vec<f64> = rows.iter().map(|&row| phi[row]).collect();
    if weights.iter().all(|w| *w == 0.0) {
        weights.fill(1.0);
    }
    weighted(&weights, count, rng).into_iter().map(|place| rows[place]).collect()
}
