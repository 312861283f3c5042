//! Every pair of several models, by the first test that answers.

use super::{
    paired_tests::{Pair, paired_tests},
    pairwise::holm_among,
};

/// What a test says of every pair of some models.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMatrix {
    /// What the test is called.
    pub test: &'static str,
    /// p of each model against each later one, corrected by Holm; none where there is no answer.
    pub p: Vec<Vec<Option<f64>>>,
}

/// What the models are compared by, model by model.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// A loss or a gain of each case, in time order, with the steps that a label reaches ahead.
    Cases(Vec<Vec<f64>>, usize),
    /// Scores on each fold, with the rows learned from and tested on over all folds.
    Folds(Vec<Vec<f64>>, (usize, usize)),
}

/// Tests every pair; `models` says among how many the samples were chosen, whose pairs are all corrected for.
pub fn pair_matrix(samples: &Samples, models: usize) -> Option<PairMatrix> {
    let values = match samples {
        Samples::Cases(values, _) | Samples::Folds(values, _) => values,
    };
    let places: Vec<(usize, usize)> =
        (0..values.len()).flat_map(|i| (i + 1..values.len()).map(move |j| (i, j))).collect();
    let pair = |&(i, j): &(usize, usize)| {
        let both = Some((values[i].as_slice(), values[j].as_slice()));
        match *samples {
            Samples::Cases(_, horizon) => {
                Pair { losses: both, folds: None, rows: (0, 0), horizon: Some(horizon) }
            }
            Samples::Folds(_, rows) => Pair { losses: None, folds: both, rows, horizon: None },
        }
    };
    for test in paired_tests() {
        let answers: Vec<Option<f64>> =
            places.iter().map(|place| Some((test.run)(&pair(place))?.p_value)).collect();
        let known: Vec<f64> = answers.iter().flatten().copied().collect();
        if known.is_empty() {
            continue;
        }
        let mut adjusted = holm_among(&known, models * models.saturating_sub(1) / 2).into_iter();
        let mut p = vec![vec![None; values.len()]; values.len()];
        for (&(i, j), answer) in places.iter().zip(&answers) {
            p[i][j] = answer.and_then(|_| adjusted.next());
        }
        return Some(PairMatrix { test: test.name, p });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_the_table_and_equal_models_have_no_answer() {
        let wave =
            |shift: f64| -> Vec<f64> { (0..400).map(|i| (f64::from(i) * 0.7).sin() + shift).collect() };
        let noisy: Vec<f64> = wave(1.0).iter().enumerate().map(|(i, v)| v + (i % 3) as f64).collect();
        let samples = vec![wave(0.0), noisy.clone(), wave(0.0)];
        let found = pair_matrix(&Samples::Cases(samples.clone(), 1), 3).unwrap();
        let pair = Pair { losses: Some((&samples[0], &noisy)), folds: None, rows: (0, 0), horizon: Some(1) };
        let p = (paired_tests()[0].run)(&pair).unwrap().p_value;
        assert_eq!(found.test, paired_tests()[0].name);
        // Two answers among three pairs: the smaller of two equal p counts three times.
        assert!((found.p[0][1].unwrap() - (3.0 * p).min(1.0)).abs() < 1e-15);
        assert_eq!(found.p[0][2], None);
        let folds = vec![vec![0.1, 0.2, 0.3, 0.2], vec![0.5, 0.7, 0.6, 0.8]];
        let found = pair_matrix(&Samples::Folds(folds, (300, 100)), 2).unwrap();
        assert_eq!(found.test, paired_tests()[2].name);
        assert_eq!(pair_matrix(&Samples::Cases(Vec::new(), 1), 0), None);
    }
}
