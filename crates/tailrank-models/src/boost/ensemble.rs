//! Many trees, each fitted to what the earlier ones left over.

use super::{
    bins::{Binned, MAX_BINS},
    grow::{Grower, Rows},
    mass::Mass,
    sample::Sample,
    settings::Settings,
    split::Rules,
    tally::Tally,
};
use crate::{FitContext, Result, tree::Tree};

/// Gradients below this cannot be told from zero: targets are of size one.
const NOTHING_LEFT: f64 = 1e-290;

/// Training data as every ensemble of a grid sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    /// Targets, below 2 in magnitude.
    pub(super) targets: &'a [f64],
    pub(super) mass: &'a Mass,
    pub(super) binned: &'a Binned,
    pub(super) context: &'a FitContext,
}

/// Predictions for the test rows by the first `sizes[i]` trees, for every i.
///
/// Predictions are added up tree by tree, so that a smaller ensemble is exactly a prefix of a larger one.
pub(super) fn prefixes<T: Tally>(
    task: Task<'_>,
    settings: Settings,
    sizes: &[usize],
) -> Result<Vec<Vec<f64>>> {
    let Task { targets, mass, binned, context } = task;
    let start = settings.loss.start(targets, mass);
    let mut fitted = vec![start; targets.len()];
    let mut predicted = vec![start; binned.test_rows];
    let mut residuals = Vec::with_capacity(targets.len());
    let mut answers: Vec<Vec<f64>> = vec![Vec::new(); sizes.len()];
    let histogram_bytes = binned.inputs() * MAX_BINS * size_of::<T>();
    let histograms = context.memory_bytes / 4 / histogram_bytes.max(1);
    let (mut grower, mut sample) = (Grower::<T>::default(), Sample::new(settings));
    let (mut words, mut gradients, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    for tree in 1..=sizes.iter().copied().max().unwrap_or(0) {
        context.check()?;
        residuals.clear();
        residuals.extend(targets.iter().zip(&fitted).map(|(y, f)| y - f));
        let data = sample.draw(task, &residuals, tree);
        let leaf_rule = settings.loss.gradients(data.residuals, data.mass, &mut scratch, &mut gradients);
        let largest = gradients.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        if largest > NOTHING_LEFT {
            let format = T::encode(&gradients, largest, data.mass, &mut words);
            let per_unit = data.mass.per_unit();
            // Real weights are rounded: three thirds must still count as one.
            let least_mass = settings.min_rows * per_unit * (1.0 - 1e-9);
            let l2 = settings.l2 * per_unit;
            let rules = Rules { least_mass, l2, format };
            let (bins, counts) = (data.bins, data.counts);
            grower.grow(Rows { bins, counts, words: &words, rules, settings, histograms });
            for leaf in &grower.leaves {
                let sums = leaf.all.sums(format);
                let mean = sums.gradient * format.unit / (sums.mass + l2);
                let members = &grower.rows[leaf.rows.clone()];
                let value = leaf_rule.value(mean, members, data.residuals, data.mass, &mut scratch);
                grower.tree.set_value(leaf.node, settings.learning_rate * value);
            }
            if sample.draws_inputs() {
                grower.tree.rename_inputs(&sample.inputs);
            }
            if sample.draws_rows() {
                add_predictions(&grower.tree, &binned.train, binned.inputs(), &mut fitted);
            } else {
                grower.add_to_members(&mut fitted);
            }
            add_predictions(&grower.tree, &binned.test, binned.inputs(), &mut predicted);
        }
        for (answer, _) in answers.iter_mut().zip(sizes).filter(|(_, size)| **size == tree) {
            answer.clone_from(&predicted);
        }
    }
    Ok(answers)
}

/// Adds every row's leaf to `out`.
fn add_predictions(tree: &Tree<u8>, bins: &[u8], inputs: usize, out: &mut [f64]) {
    let rows = 0..out.len();
    let mut out = out.iter_mut();
    tree.predict(bins, inputs, rows, |value| {
        if let Some(sum) = out.next() {
            *sum += value;
        }
    });
}
