//! Which training rows predict which, for out-of-fold predictions.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::context::{Folds, StepContext};

/// Rows to learn from and rows to predict.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fold {
    pub(super) learn: Vec<usize>,
    pub(super) predict: Vec<usize>,
}

/// The folds of the training rows; those without a row on either side are left out.
pub(super) fn folds(context: &StepContext<'_>, rng: &mut ChaCha8Rng) -> Vec<Fold> {
    let rows = context.train.y.len();
    let mut found = match context.folds {
        Folds::Random(count) => random(rows, count, rng),
        Folds::TimeOrdered(count) => time_ordered(context, count),
    };
    found.retain(|f| !f.learn.is_empty() && !f.predict.is_empty());
    found
}

fn random(rows: usize, count: usize, rng: &mut ChaCha8Rng) -> Vec<Fold> {
    let mut of: Vec<usize> = (0..rows).map(|row| row % count).collect();
    of.shuffle(rng);
    let fold = |number: usize| {
        let (learn, predict) = (0..rows).partition(|&row| of[row] != number);
        Fold { learn, predict }
    };
    (0..count).map(fold).collect()
}

/// Growing windows. A row whose label ends at or after the start of the block to predict is not learned from.
fn time_ordered(context: &StepContext<'_>, count: usize) -> Vec<Fold> {
    let rows = context.train.y.len();
    let time = |row: usize| context.times.map_or(row as i64, |t| t[row]);
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&row| time(row));
    let cut = |block: usize| rows * block / (count + 1);
    (1..=count)
        .map(|block| {
            let mut predict = order[cut(block)..cut(block + 1)].to_vec();
            let from = predict.first().map_or(i64::MIN, |&row| time(row));
            let known = |row: &usize| time(*row) < from && context.labels.is_none_or(|l| l[*row].1 < from);
            let mut learn: Vec<usize> = order[..cut(block)].iter().copied().filter(known).collect();
            predict.sort_unstable();
            learn.sort_unstable();
            Fold { learn, predict }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitContext, Matrix, TrainSet};

    #[test]
    fn every_row_is_predicted_once_and_never_from_itself() {
        let x = Matrix::new(23, 1, vec![0.0; 23]).unwrap();
        let y = vec![0.0; 23];
        let context = StepContext::new(TrainSet::new(x.view(), &y));
        let found = folds(&context, &mut FitContext::new(1).rng("test", "", 0));
        let mut seen: Vec<usize> = found.iter().flat_map(|f| f.predict.clone()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..23).collect::<Vec<_>>());
        for fold in &found {
            assert_eq!(fold.learn.len() + fold.predict.len(), 23);
            assert!(fold.learn.iter().all(|row| !fold.predict.contains(row)));
        }
    }

    #[test]
    fn time_ordered_folds_learn_only_from_labels_known_before() {
        let n = 30;
        let x = Matrix::new(n, 1, vec![0.0; n]).unwrap();
        let y = vec![0.0; n];
        // Rows stand in no order of time, and each label takes three steps.
        let times: Vec<i64> = (0..n as i64).map(|i| (i * 7) % 30).collect();
        let labels: Vec<(i64, i64)> = times.iter().map(|t| (*t, t + 3)).collect();
        let context = StepContext::new(TrainSet::new(x.view(), &y))
            .with_times(&times, Some(&labels))
            .with_folds(Folds::TimeOrdered(4));
        let found = folds(&context, &mut FitContext::new(1).rng("test", "", 0));
        assert_eq!(found.len(), 4);
        for fold in &found {
            let from = fold.predict.iter().map(|&row| times[row]).min().unwrap();
            assert!(fold.learn.iter().all(|&row| labels[row].1 < from));
            // Nothing that is known is left out.
            assert_eq!(fold.learn.len(), labels.iter().filter(|l| l.1 < from).count());
        }
    }
}
