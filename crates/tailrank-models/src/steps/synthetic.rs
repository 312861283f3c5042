//! What the steps that grow rare bumps have in common: how many rows, from which seeds, within which limit.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    bumps::{Bump, bumps},
    context::Rows,
    draw::without_replacement,
    prepared::Prepared,
    share::{self, Share},
};
use crate::{FitContext, Matrix, ModelError, Params, Result};

/// How a step makes one set of rows.
type Apply = for<'a> fn(&Sampler, &Rows<'a>, &mut ChaCha8Rng, &FitContext) -> Result<Prepared<'a>>;

/// A step that re-samples, with the parameters of all of them: each step uses its own.
#[derive(Debug)]
pub(super) struct Sampler {
    pub(super) step: &'static str,
    threshold: f64,
    pub(super) share: Share,
    /// Whether a share is given: `wercs` works without bumps otherwise.
    pub(super) by_bumps: bool,
    recent: bool,
    /// Rows after the step, as a multiple of the rows before, at most.
    limit: f64,
    pub(super) k: usize,
    pub(super) distance: String,
    pub(super) pert: f64,
    pub(super) over: f64,
    pub(super) under: f64,
    bags: Option<usize>,
    apply: Apply,
}

/// The row of a step that re-samples among the steps: its name, what makes its rows, its parameters and what
/// it is.
macro_rules! resampling {
    ($name:literal, $apply:path, $parameters:expr, $summary:literal) => {
        $crate::steps::StepSpec {
            key: "resample",
            name: $name,
            summary: $summary,
            uses_relevance: true,
            parameters: &$parameters,
            build: |_, params| $crate::steps::synthetic::Sampler::action($name, params, $apply),
        }
    };
}

pub(super) use resampling;

impl Resample for Sampler {
    fn sets(&self) -> usize {
        self.bags.unwrap_or(1)
    }

    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, fit: &FitContext) -> Result<Prepared<'a>> {
        (self.apply)(self, rows, rng, fit)
    }
}

impl Sampler {
    pub(super) fn action(step: &'static str, params: &Params, apply: Apply) -> Action {
        Action::Resample(Arc::new(Self {
            step,
            threshold: params.real("threshold", 0.8),
            share: Share::of(params),
            by_bumps: step != "wercs" || params.get("share").is_some(),
            recent: params.flag("recent", false),
            limit: params.real("limit", 10.0),
            k: params.int("k", 5) as usize,
            distance: params.text("distance", "auto").to_owned(),
            pert: params.real("pert", 0.1),
            over: params.real("over", 0.5),
            under: params.real("under", 0.5),
            bags: (step == "bag").then(|| params.int("bags", 10) as usize),
            apply,
        }))
    }

    pub(super) fn bumps(&self, rows: &Rows<'_>) -> Result<Vec<Bump>> {
        bumps(self.step, &rows.y, &rows.relevances(self.step)?, self.threshold)
    }

    /// The rows, where recent ones are preferred.
    pub(super) fn recent<'r, 'a>(&self, rows: &'r Rows<'a>) -> Option<&'r Rows<'a>> {
        self.recent.then_some(rows)
    }

    /// Cuts the wished numbers of new rows in proportion where all rows would be more than the limit; says
    /// whether it did.
    pub(super) fn hold_back(&self, before: usize, kept: usize, wished: &mut [usize]) -> bool {
        let most = ((self.limit * before as f64) as usize).saturating_sub(kept);
        let sum: usize = wished.iter().sum();
        if sum <= most {
            return false;
        }
        wished.iter_mut().for_each(|w| *w = (*w as u128 * most as u128 / sum as u128) as usize);
        true
    }

    /// No rare bump could grow because each has a single row.
    pub(super) fn single_rare_row_error(&self) -> ModelError {
        let problem = "the only rare row has no other to be combined with: nothing can be re-sampled; \
                       lower `threshold`, or use weights";
        ModelError::step(self.step, problem)
    }
}

/// New rows as they are made.
pub(super) struct Builder {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) parents: Vec<[usize; 2]>,
}

/// Makes one new row for each seed, given by its place in the bump.
pub(super) type Maker<'m> = dyn FnMut(&Bump, &[usize], &mut Builder, &mut ChaCha8Rng) -> Result<()> + 'm;

/// Shrinks some bumps and lets `make` grow the others, to the sizes `share` asks for.
pub(super) fn resize<'a>(
    step: &Sampler,
    rows: &Rows<'a>,
    rng: &mut ChaCha8Rng,
    context: &FitContext,
    make: &mut Maker<'_>,
) -> Result<Prepared<'a>> {
    let bumps = step.bumps(rows)?;
    let shares = share::resized(step.step, step.share, &bumps)?;
    let mut kept: Vec<usize> = Vec::new();
    let mut wished = vec![0; bumps.len()];
    let (mut single_rows, mut rare_grown) = (0, false);
    for ((bump, &share), wished) in bumps.iter().zip(&shares).zip(&mut wished) {
        let n = bump.rows.len();
        if share < 1.0 {
            let count = share::count(share, n);
            kept.extend(without_replacement(&bump.rows, count, step.recent(rows), rng));
            rare_grown |= bump.rare;
            continue;
        }
        kept.extend(&bump.rows);
        // Whole rounds over the bump first, then part of one more.
        let whole = (share - 1.0) as usize;
        *wished = whole * n + share::count(share - 1.0 - whole as f64, n);
        if n == 1 && *wished > 0 {
            *wished = 0;
            single_rows += usize::from(bump.rare);
        } else {
            rare_grown |= bump.rare;
        }
    }
    if !rare_grown {
        return Err(step.single_rare_row_error());
    }
    kept.sort_unstable();
    let limited = step.hold_back(rows.y.len(), kept.len(), &mut wished);
    let x = rows.x.view();
    let mut built = Builder {
        x: Vec::with_capacity((kept.len() + wished.iter().sum::<usize>()) * x.cols()),
        y: kept.iter().map(|&row| rows.y[row]).collect(),
        parents: kept.iter().map(|&row| [rows.of[row]; 2]).collect(),
    };
    kept.iter().for_each(|&row| built.x.extend_from_slice(x.row(row)));
    for (bump, wished) in bumps.iter().zip(wished).filter(|(_, wished)| *wished > 0) {
        context.check()?;
        let n = bump.rows.len();
        let mut seeds: Vec<usize> = (0..wished / n).flat_map(|_| 0..n).collect();
        let extra = without_replacement(&bump.rows, wished % n, step.recent(rows), rng);
        seeds.extend(extra.iter().filter_map(|row| bump.rows.binary_search(row).ok()));
        make(bump, &seeds, &mut built, rng)?;
    }
    let x = Matrix::new(built.y.len(), x.cols(), built.x)?;
    Ok(Prepared { limited, single_rows, ..Prepared::new(x, built.y, built.parents) })
}
