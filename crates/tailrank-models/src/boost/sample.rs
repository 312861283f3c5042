//! Rows and inputs drawn for one tree.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{ensemble::Task, mass::Mass, settings::Settings};

/// What one tree is grown on: everything, or a copy of the rows and inputs drawn for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeData<'a> {
    pub(super) bins: &'a [u8],
    pub(super) counts: &'a [usize],
    pub(super) mass: &'a Mass,
    pub(super) residuals: &'a [f64],
}

/// The draw of one tree; its memory serves the next.
#[derive(Debug, Default)]
pub(super) struct Sample {
    subsample: f64,
    input_fraction: f64,
    pub(super) rows: Vec<u32>,
    pub(super) inputs: Vec<u32>,
    bins: Vec<u8>,
    counts: Vec<usize>,
    mass: Mass,
    residuals: Vec<f64>,
}

impl Sample {
    pub(super) fn new(settings: Settings) -> Self {
        let Settings { subsample, input_fraction, .. } = settings;
        Self { subsample, input_fraction, ..Self::default() }
    }

    /// Whether trees see only some of the rows.
    pub(super) fn draws_rows(&self) -> bool {
        self.subsample < 1.0
    }

    /// Whether trees see only some of the inputs.
    pub(super) fn draws_inputs(&self) -> bool {
        self.input_fraction < 1.0
    }

    /// What tree number `tree` grows on.
    ///
    /// Every variant gets the same streams, so that differences between variants are not differences of luck.
    pub(super) fn draw<'a>(&'a mut self, task: Task<'a>, residuals: &'a [f64], tree: usize) -> TreeData<'a> {
        if !self.draws_rows() && !self.draws_inputs() {
            let (bins, counts) = (&task.binned.train, &task.binned.counts);
            return TreeData { bins, counts, mass: task.mass, residuals };
        }
        let stream = |name| task.context.rng("boost", name, tree as u64);
        let all = task.binned.inputs();
        choose(&mut self.rows, residuals.len(), self.subsample, stream("rows"));
        choose(&mut self.inputs, all, self.input_fraction, stream("inputs"));
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
