//! Random forests for regression: randomForest's trees, grown once for all sizes of a grid.
//!
//! Tree `t` depends only on random stream `t`, so a forest of 50 trees is the first 50 of a forest of 500:
//! one forest serves every size, exactly. The trees are those of Breiman's randomForest in distribution:
//! cases drawn with replacement, `mtry` inputs drawn without replacement at each node, the cut that lowers
//! the squared error most, halfway between the two values around it, and no split of nodes with `node_size`
//! cases or fewer.
//!
//! Case weights multiply a drawn case's count in every sum, as in scikit-learn; `node_size` counts draws.
//!
//! Growing works on ranks instead of values. A node's cases are put in an input's order by counting smaller
//! ranks (small nodes) or by marking ranks in a bitmap (large ones), never by comparing floats, and cases
//! drawn several times appear once with a count. No crate at hand grows exact regression forests this way or
//! shares trees over sizes.
//!
#![doc = include_str!("parameters.md")]

mod ensemble;
mod grow;
mod ranks;
mod settings;
mod split;

use settings::{PARAMETERS, Settings};

use crate::{
    Cost, Family, Fit, Job, Params, Result, Shape,
    groups::{fit_groups, groups},
};

/// The `forest` family.
///
/// ```
/// use tailrank_models::{FitContext, Forest, Matrix, Params, TrainSet, fit_grid};
///
/// let x = Matrix::new(40, 1, (0..40).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..40).map(|i| if i < 20 { -1.0 } else { 1.0 }).collect();
/// let sizes = [Params::new().with("trees", 10), Params::new().with("trees", 100)];
/// let test = Matrix::new(2, 1, vec![3.2, 35.5])?;
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&Forest, train, test.view(), &sizes, &FitContext::new(1))?;
/// let large = fits[1].as_ref().unwrap();
/// assert!(large.predictions[0] < -0.9 && large.predictions[1] > 0.9);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Forest;

impl Family for Forest {
    crate::family::facts! {
        name = "forest";
        version = 1;
        summary = "random forest of regression trees; one forest serves every size of the grid";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["trees"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let rows = shape.train_rows as f64;
        let cpu_seconds = groups(variants, |v| Settings::new(v, shape.train_rows, shape.inputs))
            .iter()
            .filter_map(|(settings, members)| {
                let trees = members.iter().map(|&v| trees(&variants[v])).max()? as f64;
                let levels = rows.max(2.0).log2() * 1.3;
                let growing = 4e-9 * settings.as_ref().ok()?.mtry as f64;
                Some(trees * levels * (growing * rows + 3e-9 * (rows + shape.test_rows as f64)))
            })
            .sum();
        let per_thread = 64 * (8 * shape.test_rows + 16 * shape.train_rows) + 100 * shape.train_rows;
        Cost { cpu_seconds, bytes: 4 * shape.train_rows * shape.inputs + 2 * per_thread }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let (rows, inputs) = (job.train.x.rows(), job.train.x.cols());
        fit_groups(
            variants,
            |v| Settings::new(v, rows, inputs),
            |settings, members| {
                let sizes: Vec<usize> = members.iter().map(|v| trees(v)).collect();
                if rows <= 1 << 16 {
                    ensemble::fit_prefixes::<u16>(job, settings?, &sizes)
                } else {
                    ensemble::fit_prefixes::<u32>(job, settings?, &sizes)
                }
            },
        )
    }
}

fn trees(variant: &Params) -> usize {
    variant.int("trees", 500) as usize
}
