//! `noise`: rare rows with Gaussian noise.
//!
//! Lee (1999, 2000); Branco, Torgo & Ribeiro (2016). A seed gets N(0, (pert·s)²) added to each input and to
//! the target, s being the standard deviation in the bump; a category is drawn by its frequency in the bump.

use std::sync::Arc;

use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::{
    action::{Action, Resample},
    bumps::Bump,
    context::Rows,
    fields::Field,
    parameters::{LIMIT, PERT, RECENT, RESIZE, THRESHOLD},
    prepared::Prepared,
    step::StepSpec,
    synthetic::{Builder, Common, resize},
};
use crate::{FitContext, Params, Result};

/// The row of `noise` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "resample",
    name: "noise",
    summary: "fewer normal rows, and rare rows with Gaussian noise",
    uses_relevance: true,
    parameters: &[RESIZE, PERT, THRESHOLD, RECENT, LIMIT],
    build: |_, params| Action::Resample(Arc::new(Noise::of(params))),
};

/// The settings of `noise`.
#[derive(Debug)]
struct Noise {
    common: Common,
    pert: f64,
}

impl Noise {
    fn of(params: &Params) -> Self {
        Self { common: Common::of("noise", params), pert: params.real("pert", 0.1) }
    }
}

impl Resample for Noise {
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, context: &FitContext) -> Result<Prepared<'a>> {
        let fields = rows.fields();
        resize(&self.common, rows, rng, context, &mut |bump, seeds, built, rng| {
            let spread = Spread::of(rows, bump, self.pert);
            for &seed in seeds {
                spread.around(rows, &fields, bump, bump.rows[seed], built, rng);
            }
            Ok(())
        })
    }
}

/// Standard deviations of the noise in one bump.
pub(super) struct Spread {
    inputs: Vec<f64>,
    target: f64,
}

impl Spread {
    pub(super) fn of(rows: &Rows<'_>, bump: &Bump, pert: f64) -> Self {
        let x = rows.x.view();
        let inputs =
            (0..x.cols()).map(|j| pert * deviation(bump.rows.iter().map(|&row| x.at(row, j)))).collect();
        Self { inputs, target: pert * deviation(bump.rows.iter().map(|&row| rows.y[row])) }
    }

    /// A row near a seed.
    pub(super) fn around(
        &self,
        rows: &Rows<'_>,
        fields: &[Field],
        bump: &Bump,
        seed: usize,
        built: &mut Builder,
        rng: &mut impl Rng,
    ) {
        let x = rows.x.view();
        for field in fields {
            match field {
                Field::Quantities(inputs) => {
                    let values = x.row(seed)[inputs.clone()].iter().zip(&self.inputs[inputs.clone()]);
                    built
                        .x
                        .extend(values.map(|(value, sd)| value + sd * rng.sample::<f64, _>(StandardNormal)));
                }
                Field::Category(inputs) => {
                    let other = bump.rows[rng.random_range(0..bump.rows.len())];
                    built.x.extend_from_slice(&x.row(other)[inputs.clone()]);
                }
            }
        }
        built.y.push(rows.y[seed] + self.target * rng.sample::<f64, _>(StandardNormal));
        built.parents.push([rows.of[seed]; 2]);
    }
}

/// Standard deviation with n − 1; 0 for a single value.
fn deviation(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let n = values.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = values.clone().sum::<f64>() / n;
    (values.map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}
