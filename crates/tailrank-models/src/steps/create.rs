//! Steps that make new rows: `smote`, `noise` and `smogn`.

use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::{
    context::{Field, Prepared, Rows, fields},
    neighbours::{Distance, Neighbours},
    share::Bump,
    step::StepSpec,
    synthetic::{Builder, DISTANCE, K, LIMIT, PERT, RECENT, RESIZE, Sampler, THRESHOLD, resampling, resize},
};
use crate::{FitContext, ModelError, Result};

/// The row of `smote` among the steps.
pub(super) const SMOTE: StepSpec = resampling! {
    "smote", smote, [RESIZE, K, DISTANCE, THRESHOLD, RECENT, LIMIT],
    "fewer normal rows, and new rows between rare ones and their neighbours (SmoteR)"
};

/// The row of `smogn` among the steps.
pub(super) const SMOGN: StepSpec = resampling! {
    "smogn", smote, [RESIZE, K, PERT, DISTANCE, THRESHOLD, RECENT, LIMIT],
    "smote where the neighbour is near, noise where it is not (SMOGN)"
};

/// Torgo, Ribeiro, Pfahringer & Branco (2013), "SMOTE for regression". One number r, uniform on (0, 1),
/// places all inputs and the target: x = xᵢ + r(xⱼ − xᵢ), y = yᵢ + r(yⱼ − yᵢ); a category comes from either
/// parent by a coin. (UBL draws r for each input and weighs the targets by the distances of the last input
/// alone.)
///
/// Branco, Torgo & Ribeiro (2017), SMOGN: a drawn neighbour is safe if it is nearer than half the median
/// distance of the seed to the other rows of its bump; a seed without a safe one gets noise of the size
/// `pert` (which UBL ignores, and whose code fails on bumps of three rows).
fn smote(step: &Sampler, rows: &Rows<'_>, rng: &mut ChaCha8Rng, fit: &FitContext) -> Result<Prepared> {
    let with_noise = step.step == SMOGN.name;
    let categories = rows.context.categories;
    let distance = Distance::named(step.step, step.params.text("distance", "auto"), categories)?;
    let k = step.params.int("k", 5) as usize;
    let units = distance.units(rows.x.view());
    let fields = fields(rows.x.view().cols(), rows.context.categories);
    resize(step, rows, rng, fit, &mut |bump, seeds, built, rng| {
        let own = rows.x.view().select(&bump.rows)?;
        let found = Neighbours::find(own.view(), &units, categories, distance, k, with_noise)?;
        if found.is_incomplete() {
            return Err(ModelError::data("distances between rows overflow; rescale the inputs"));
        }
        let spread = with_noise.then(|| Spread::of(step, rows, &fields, bump));
        for &seed in seeds {
            let others = found.of(seed);
            let at = choose(others, bump, step.recent(rows), rng);
            match &spread {
                Some(spread) if !found.is_safe(seed, at) => spread.around(bump.rows[seed], built, rng),
                _ => between(rows, &fields, [bump.rows[seed], bump.rows[others[at] as usize]], built, rng),
            }
        }
        Ok(())
    })
}

/// Where one of the neighbours stands in their list: the most recent, or any.
fn choose(others: &[u32], bump: &Bump, recent: Option<&Rows<'_>>, rng: &mut impl Rng) -> usize {
    match recent {
        // Of equal times the nearer one.
        Some(rows) => {
            (0..others.len()).rev().max_by_key(|&at| rows.time(bump.rows[others[at] as usize])).unwrap_or(0)
        }
        None => rng.random_range(0..others.len()),
    }
}

/// A row between two others.
fn between(rows: &Rows<'_>, fields: &[Field], [a, b]: [usize; 2], built: &mut Builder, rng: &mut impl Rng) {
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

/// The row of `noise` among the steps.
pub(super) const NOISE: StepSpec = resampling! {
    "noise", noise, [RESIZE, PERT, THRESHOLD, RECENT, LIMIT],
    "fewer normal rows, and rare rows with Gaussian noise"
};

/// Lee (1999, 2000); Branco, Torgo & Ribeiro (2016). A seed gets N(0, (pert·s)²) added to each input and to
/// the target, s being the standard deviation in the bump; a category is drawn by its frequency in the bump.
fn noise(step: &Sampler, rows: &Rows<'_>, rng: &mut ChaCha8Rng, fit: &FitContext) -> Result<Prepared> {
    let fields = fields(rows.x.view().cols(), rows.context.categories);
    resize(step, rows, rng, fit, &mut |bump, seeds, built, rng| {
        let spread = Spread::of(step, rows, &fields, bump);
        seeds.iter().for_each(|&seed| spread.around(bump.rows[seed], built, rng));
        Ok(())
    })
}

/// The rows of one bump and the standard deviations of noise among them.
struct Spread<'s, 'a> {
    rows: &'s Rows<'a>,
    fields: &'s [Field],
    bump: &'s Bump,
    inputs: Vec<f64>,
    target: f64,
}

impl<'s, 'a> Spread<'s, 'a> {
    fn of(step: &Sampler, rows: &'s Rows<'a>, fields: &'s [Field], bump: &'s Bump) -> Self {
        let (x, pert) = (rows.x.view(), step.params.real("pert", 0.1));
        let inputs =
            (0..x.cols()).map(|j| pert * deviation(bump.rows.iter().map(|&row| x.at(row, j)))).collect();
        let target = pert * deviation(bump.rows.iter().map(|&row| rows.y[row]));
        Self { rows, fields, bump, inputs, target }
    }

    /// A row near a seed.
    fn around(&self, seed: usize, built: &mut Builder, rng: &mut impl Rng) {
        let Self { rows, fields, bump, .. } = *self;
        let x = rows.x.view();
        for field in fields {
            match field {
                Field::Quantities(inputs) => {
                    let values = x.row(seed)[inputs.clone()].iter().zip(&self.inputs[inputs.clone()]);
                    let noisy = values.map(|(value, sd)| value + sd * rng.sample::<f64, _>(StandardNormal));
                    built.x.extend(noisy);
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
