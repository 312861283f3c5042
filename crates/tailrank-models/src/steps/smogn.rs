//! `smogn`: between neighbours where they are near, with noise where they are not.
//!
//! Branco, Torgo & Ribeiro (2017). A drawn neighbour is safe if it is nearer than half the median distance of
//! the seed to the other rows of its bump; a seed without a safe one gets noise of the size `pert` (which UBL
//! ignores, and whose code fails on bumps of three rows).

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    action::{Action, Resample},
    context::Rows,
    neighbours::Distance,
    noise::Spread,
    parameters::{DISTANCE, K, LIMIT, PERT, RECENT, RESIZE, THRESHOLD},
    prepared::Prepared,
    smote::{between, choose, near},
    step::StepSpec,
    synthetic::{Common, resize},
};
use crate::{FitContext, Params, Result};

/// The row of `smogn` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "smogn",
    summary: "smote where the neighbour is near, noise where it is not (SMOGN)",
    uses_relevance: true,
    parameters: &[RESIZE, K, PERT, DISTANCE, THRESHOLD, RECENT, LIMIT],
    build: |_, params| Action::Resample(Arc::new(Smogn::of(params))),
};

/// The settings of `smogn`.
#[derive(Debug)]
struct Smogn {
    common: Common,
    k: usize,
    pert: f64,
    distance: String,
}

impl Smogn {
    fn of(params: &Params) -> Self {
        Self {
            common: Common::of("smogn", params),
            k: params.int("k", 5) as usize,
            pert: params.real("pert", 0.1),
            distance: params.text("distance", "auto").to_owned(),
        }
    }
}

impl Resample for Smogn {
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, context: &FitContext) -> Result<Prepared<'a>> {
        let distance = Distance::named("smogn", &self.distance, rows.context.categories)?;
        let units = distance.units(rows.x.view());
        let fields = rows.fields();
        resize(&self.common, rows, rng, context, &mut |bump, seeds, built, rng| {
            let found = near(rows, bump, seeds, (distance, &units), self.k, true)?;
            let spread = Spread::of(rows, bump, self.pert);
            for &seed in seeds {
                let query = found.query[seed];
                let others = found.neighbours.of(query);
                let other = choose(others, bump, rows, self.common.recent, rng);
                let at = others.iter().position(|&place| place as usize == other).unwrap_or(0);
                let far = found.neighbours.distances(query).nth(at).unwrap_or(f64::INFINITY);
                if far < 0.5 * found.neighbours.median(query) {
                    between(rows, &fields, [bump.rows[seed], bump.rows[other]], built, rng);
                } else {
                    spread.around(rows, &fields, bump, bump.rows[seed], built, rng);
                }
            }
            Ok(())
        })
    }
}
