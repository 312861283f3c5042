//! `smote`: rows between a rare row and one of its neighbours.
//!
//! Torgo, Ribeiro, Pfahringer & Branco (2013), "SMOTE for regression". One number r, uniform on (0, 1),
//! places all inputs and the target: x = xᵢ + r(xⱼ − xᵢ), y = yᵢ + r(yⱼ − yᵢ); a category comes from either
//! parent by a coin. (UBL draws r for each input and weighs the targets by the distances of the last input
//! alone.)

use std::sync::Arc;

use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    bumps::Bump,
    context::Rows,
    fields::Field,
    neighbours::{Distance, Neighbours},
    parameters::{DISTANCE, K, LIMIT, RECENT, RESIZE, THRESHOLD},
    prepared::{Prepared, select},
    step::StepSpec,
    synthetic::{Builder, Common, resize},
};
use crate::{FitContext, ModelError, Params, Result};

/// The row of `smote` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "smote",
    summary: "fewer normal rows, and new rows between rare ones and their neighbours (SmoteR)",
    uses_relevance: true,
    parameters: &[RESIZE, K, DISTANCE, THRESHOLD, RECENT, LIMIT],
    build: |_, params| Action::Resample(Arc::new(Smote::of(params))),
};

/// The settings of `smote`.
#[derive(Debug)]
struct Smote {
    common: Common,
    k: usize,
    distance: String,
}

impl Smote {
    fn of(params: &Params) -> Self {
        Self {
            common: Common::of("smote", params),
            k: params.int("k", 5) as usize,
            distance: params.text("distance", "auto").to_owned(),
        }
    }
}

impl Resample for Smote {
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, context: &FitContext) -> Result<Prepared<'a>> {
        let distance = Distance::named("smote", &self.distance, rows.context.categories)?;
        let units = distance.units(rows.x.view());
        let fields = rows.fields();
        resize(&self.common, rows, rng, context, &mut |bump, seeds, built, rng| {
            let found = near(rows, bump, seeds, (distance, &units), self.k, false)?;
            for &seed in seeds {
                let others = found.neighbours.of(found.query[seed]);
                let other = choose(others, bump, rows, self.common.recent, rng);
                between(rows, &fields, [bump.rows[seed], bump.rows[other]], built, rng);
            }
            Ok(())
        })
    }
}

/// Neighbours of the seeds within their bump.
pub(super) struct Near {
    pub(super) neighbours: Neighbours,
    /// Where a place of the bump stands among the rows searched for.
    pub(super) query: Vec<usize>,
}

/// Searches for each distinct seed once.
pub(super) fn near(
    rows: &Rows<'_>,
    bump: &Bump,
    seeds: &[usize],
    (distance, units): (Distance, &[f64]),
    k: usize,
    with_medians: bool,
) -> Result<Near> {
    let mut queries = seeds.to_vec();
    queries.sort_unstable();
    queries.dedup();
    let mut query = vec![0; bump.rows.len()];
    queries.iter().enumerate().for_each(|(q, &place)| query[place] = q);
    let own = select(rows.x.view(), &bump.rows)?;
    let categories = rows.context.categories;
    let neighbours = Neighbours::search(own.view(), units, categories, distance, k, &queries, with_medians);
    if neighbours.is_incomplete() {
        let problem = "distances between rows overflow; rescale the inputs".to_owned();
        return Err(ModelError::Data { problem });
    }
    Ok(Near { neighbours, query })
}

/// One of the neighbours: the most recent, or any.
pub(super) fn choose(
    others: &[u32],
    bump: &Bump,
    rows: &Rows<'_>,
    recent: bool,
    rng: &mut impl Rng,
) -> usize {
    let draw = || others.iter().map(|&place| place as usize);
    if recent {
        // Of equal times the nearer one.
        let latest = draw().rev().max_by_key(|&place| rows.time(bump.rows[place]));
        return latest.unwrap_or(0);
    }
    others[rng.random_range(0..others.len())] as usize
}

/// A row between two others.
pub(super) fn between(
    rows: &Rows<'_>,
    fields: &[Field],
    [a, b]: [usize; 2],
    built: &mut Builder,
    rng: &mut impl Rng,
) {
    let x = rows.x.view();
    let (from, to) = (x.row(a), x.row(b));
    let r: f64 = rng.random();
    for field in fields {
        match field {
            Field::Quantities(inputs) => {
                let pairs = from[inputs.clone()].iter().zip(&to[inputs.clone()]);
                built.x.extend(pairs.map(|(from, to)| from + r * (to - from)));
            }
            Field::Category(inputs) => {
                let parent = if rng.random::<bool>() { from } else { to };
                built.x.extend_from_slice(&parent[inputs.clone()]);
            }
        }
    }
    built.y.push(rows.y[a] + r * (rows.y[b] - rows.y[a]));
    built.parents.push([rows.of[a], rows.of[b]]);
}
