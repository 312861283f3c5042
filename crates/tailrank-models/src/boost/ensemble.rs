//! Many trees, each fitted to what the earlier ones left over.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{
    Settings,
    bins::{Binned, MAX_BINS},
    grow::{Grower, Rows},
    mass::Mass,
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
    let (mut grower, mut sample) = (Grower::<T>::default(), Sample::default());
    let (mut words, mut gradients, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    for tree in 1..=sizes.iter().copied().max().unwrap_or(0) {
        context.check()?;
        residuals.clear();
        residuals.extend(targets.iter().zip(&fitted).map(|(y, f)| y - f));
        let data = sample.draw(task, settings, &residuals, tree);
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
            if settings.input_fraction < 1.0 {
                grower.tree.rename_inputs(&sample.inputs);
            }
            if settings.subsample < 1.0 {
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
    tree.predict(bins, inputs, 0..out.len() as u32, |row, value| out[row as usize] += value);
}

/// What one tree is grown on: everything, or a copy of the rows and inputs drawn for it.
struct TreeData<'a> {
    bins: &'a [u8],
    counts: &'a [usize],
    mass: &'a Mass,
    residuals: &'a [f64],
}

/// The draw of one tree; its memory serves the next.
#[derive(Debug, Default)]
struct Sample {
    rows: Vec<u32>,
    inputs: Vec<u32>,
    bins: Vec<u8>,
    counts: Vec<usize>,
    mass: Mass,
    residuals: Vec<f64>,
}

impl Sample {
    /// What tree number `tree` grows on.
    ///
    /// Every variant gets the same streams, so that differences between variants are not differences of luck.
    fn draw<'a>(
        &'a mut self,
        task: Task<'a>,
        settings: Settings,
        residuals: &'a [f64],
        tree: usize,
    ) -> TreeData<'a> {
        let Settings { subsample, input_fraction, .. } = settings;
        if subsample >= 1.0 && input_fraction >= 1.0 {
            let (bins, counts) = (&task.binned.train, &task.binned.counts);
            return TreeData { bins, counts, mass: task.mass, residuals };
        }
        let stream = |name| task.context.rng("boost", name, tree as u64);
        let all = task.binned.inputs();
        choose(&mut self.rows, residuals.len(), subsample, stream("rows"));
        choose(&mut self.inputs, all, input_fraction, stream("inputs"));
        self.counts = self.inputs.iter().map(|&j| task.binned.counts[j as usize]).collect();
        self.mass = task.mass.pick(&self.rows);
        self.bins.clear();
        self.residuals.clear();
        for &row in &self.rows {
            let bins = &task.binned.train[row as usize * all..][..all];
            self.bins.extend(self.inputs.iter().map(|&j| bins[j as usize]));
            self.residuals.push(residuals[row as usize]);
        }
        TreeData { bins: &self.bins, counts: &self.counts, mass: &self.mass, residuals: &self.residuals }
    }
}

/// A share of 0..`count`, at least one, each subset equally likely, in order (Knuth's algorithm S).
fn choose(chosen: &mut Vec<u32>, count: usize, share: f64, mut rng: ChaCha8Rng) {
    chosen.clear();
    if share >= 1.0 || count == 0 {
        chosen.extend(0..count as u32);
        return;
    }
    let wanted = ((share * count as f64).round() as usize).clamp(1, count);
    for i in 0..count {
        let uniform = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        if uniform * ((count - i) as f64) < (wanted - chosen.len()) as f64 {
            chosen.push(i as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FitContext;

    #[test]
    fn every_row_is_as_likely_and_the_number_is_exact() {
        let mut times = [0u32; 10];
        let mut chosen = Vec::new();
        for stream in 0..4000 {
            choose(&mut chosen, 10, 0.34, FitContext::new(1).rng("test", "", stream));
            assert!(chosen.len() == 3 && chosen.is_sorted());
            chosen.iter().for_each(|&i| times[i as usize] += 1);
        }
        // 1200 expected, standard deviation 29.
        assert!(times.iter().all(|t| (1080..1320).contains(t)), "{times:?}");
        choose(&mut chosen, 5, 0.01, FitContext::new(1).rng("test", "", 0));
        assert_eq!(chosen.len(), 1);
    }
}
