//! What the steps that grow rare bumps have in common: how many rows, from which seeds, within which limit.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    context::{Prepared, Rows},
    draw::without_replacement,
    share::{self, Bump, Share, bumps},
    step::{Action, Resample},
};
use crate::{FitContext, Matrix, ModelError, ParamKind, ParamSpec, Params, Result};

/// How a step makes one set of rows.
type Apply = fn(&Sampler, &Rows<'_>, &mut ChaCha8Rng, &FitContext) -> Result<Prepared>;

/// A step that re-samples, with the defaults of its table where a parameter is not given.
#[derive(Debug)]
pub(super) struct Sampler {
    pub(super) step: &'static str,
    pub(super) params: Params,
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
            build: |_, params| $crate::steps::synthetic::Sampler::action($name, params, &$parameters, $apply),
        }
    };
}

pub(super) use resampling;

impl Resample for Sampler {
    fn sets(&self) -> usize {
        self.params.int("bags", if self.step == "bag" { 10 } else { 1 }) as usize
    }

    fn apply(&self, rows: &Rows<'_>, rng: &mut ChaCha8Rng, fit: &FitContext) -> Result<Prepared> {
        (self.apply)(self, rows, rng, fit)
    }
}

impl Sampler {
    pub(super) fn action(
        step: &'static str,
        given: &Params,
        parameters: &[ParamSpec],
        apply: Apply,
    ) -> Action {
        let mut params = given.clone();
        for parameter in parameters.iter().filter(|p| given.get(p.name).is_none()) {
            if let Some(value) = parameter.default_value() {
                params.insert(parameter.name, value);
            }
        }
        Action::Resample(Arc::new(Self { step, params, apply }))
    }

    pub(super) fn bumps(&self, rows: &Rows<'_>) -> Result<Vec<Bump>> {
        bumps(self.step, &rows.y, &rows.relevances(self.step)?, self.params.real("threshold", 0.8))
    }

    /// The rows, where recent ones are preferred.
    pub(super) fn recent<'r, 'a>(&self, rows: &'r Rows<'a>) -> Option<&'r Rows<'a>> {
        self.params.flag("recent", false).then_some(rows)
    }

    /// Cuts the wished numbers of new rows in proportion where all rows would be more than the limit; says
    /// whether it did.
    pub(super) fn hold_back(&self, before: usize, kept: usize, wished: &mut [usize]) -> bool {
        let most = ((self.params.real("limit", 10.0) * before as f64) as usize).saturating_sub(kept);
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

/// What becomes of the bumps under `share`, before those that grow have their new rows.
pub(super) struct Resized {
    pub(super) bumps: Vec<Bump>,
    /// The rows left of every bump.
    pub(super) kept: Vec<usize>,
    /// New rows of each bump.
    pub(super) wished: Vec<usize>,
    pub(super) limited: bool,
    pub(super) single_rows: usize,
}

impl Resized {
    /// `keep` chooses so many rows of a bump that shrinks; `added` says how many rows a bump that grows by
    /// this share of its rows gets, and whether it may.
    pub(super) fn of(
        step: &Sampler,
        rows: &Rows<'_>,
        mut keep: impl FnMut(&[usize], usize) -> Vec<usize>,
        added: impl Fn(f64, usize) -> (usize, bool),
    ) -> Result<Self> {
        let bumps = step.bumps(rows)?;
        let shares = share::resized(step.step, Share::of(&step.params), &bumps)?;
        let (mut kept, mut wished) = (Vec::new(), vec![0; bumps.len()]);
        let (mut single_rows, mut rare_grown) = (0, false);
        for ((bump, share), wished) in bumps.iter().zip(shares).zip(&mut wished) {
            let n = bump.rows.len();
            if share < 1.0 {
                kept.extend(keep(&bump.rows, share::count(share, n)));
                rare_grown |= bump.rare;
                continue;
            }
            kept.extend(&bump.rows);
            let (count, may_grow) = added(share - 1.0, n);
            *wished = if may_grow { count } else { 0 };
            rare_grown |= bump.rare && may_grow;
            single_rows += usize::from(bump.rare && !may_grow);
        }
        if !rare_grown {
            return Err(step.single_rare_row_error());
        }
        let limited = step.hold_back(rows.y.len(), kept.len(), &mut wished);
        Ok(Self { bumps, kept, wished, limited, single_rows })
    }
}

/// Shrinks some bumps and lets `make` grow the others, to the sizes `share` asks for.
pub(super) fn resize(
    step: &Sampler,
    rows: &Rows<'_>,
    rng: &mut ChaCha8Rng,
    context: &FitContext,
    make: &mut Maker<'_>,
) -> Result<Prepared> {
    // Whole rounds over the bump first, then part of one more.
    let added = |share: f64, n: usize| {
        let whole = share as usize;
        let count = whole * n + share::count(share - whole as f64, n);
        (count, n > 1 || count == 0)
    };
    let keep = |rows_of: &[usize], count| without_replacement(rows_of, count, step.recent(rows), rng);
    let Resized { bumps, mut kept, wished, limited, single_rows } = Resized::of(step, rows, keep, added)?;
    kept.sort_unstable();
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

pub(super) const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

pub(super) const THRESHOLD: ParamSpec = crate::parameter! {
    "threshold" = "0.8", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    "rows are rare from this relevance on"
};

pub(super) const RECENT: ParamSpec = crate::parameter! {
    "recent" = "false", ParamKind::Flag,
    "prefer recent rows: draw the i-th oldest of r by i/r, take the latest of the k neighbours"
};

pub(super) const LIMIT: ParamSpec = crate::parameter! {
    "limit" = "10", ParamKind::Real { min: 1.0, above: false, max: f64::INFINITY },
    "rows after the step, at most this many times the rows before"
};

pub(super) const K: ParamSpec = crate::parameter! {
    "k" = "5", ParamKind::Int { min: 1, max: u32::MAX as i64 },
    "neighbours within the bump, one of which is drawn"
};

pub(super) const DISTANCE: ParamSpec = crate::parameter! {
    "distance" = "auto", ParamKind::Choice(&["auto", "standardised", "heom", "ubl"]),
    "auto: heom where there are categories, else Euclidean on standardised inputs; ubl: unscaled"
};

pub(super) const PERT: ParamSpec = crate::parameter! {
    "pert" = "0.1", POSITIVE,
    "standard deviation of the noise, in standard deviations within the bump"
};

pub(super) const RESIZE: ParamSpec = crate::parameter! {
    "share" = "balance",
    ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: f64::INFINITY },
    "sizes of the bumps: equal, turned round, or this many new rows for each rare one"
};
