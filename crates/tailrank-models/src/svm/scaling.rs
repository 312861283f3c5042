//! Standardisation as e1071 does it: every input and the target to mean 0 and standard deviation 1 (divisor n
//! − 1).

use crate::{MatrixView, TrainSet};

/// Centre and scale of every input and of the target.
#[derive(Clone, Debug)]
pub(super) struct Scaling {
    inputs: Vec<Unit>,
    target: Unit,
}

#[derive(Clone, Copy, Debug)]
struct Unit {
    centre: f64,
    scale: f64,
}

impl Unit {
    const AS_IS: Self = Self { centre: 0.0, scale: 1.0 };

    /// A constant column stays as it is. (e1071 then leaves *all* columns unscaled, with a warning; one dead
    /// input changing the model of the others is no behaviour to keep.)
    fn of(values: impl ExactSizeIterator<Item = f64> + Clone, weights: Option<&[f64]>) -> Self {
        let rows = values.len() as f64;
        let count = weights.map_or(rows, |w| w.iter().sum());
        let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
        // A weight counts cases; too few of them for a variance are taken as weights of mean 1.
        let free = if count >= 2.0 { count - 1.0 } else { count * (rows - 1.0) / rows };
        // Dividing by the largest size first keeps sums and squares of huge and tiny columns within range.
        let size = values.clone().fold(0.0, |m: f64, v| m.max(v.abs()));
        if size == 0.0 || rows < 2.0 {
            return Self::AS_IS;
        }
        let mean = values.clone().enumerate().map(|(i, v)| weight(i) * (v / size)).sum::<f64>() / count;
        let spread = values.clone().fold(0.0, |m: f64, v| m.max((v / size - mean).abs()));
        // A mean is rounded, so a constant column may differ from it in the last place.
        if spread <= 4.0 * f64::EPSILON * mean.abs() {
            return Self::AS_IS;
        }
        let squares =
            values.enumerate().map(|(i, v)| weight(i) * ((v / size - mean) / spread).powi(2)).sum::<f64>();
        let scale = size * (spread * (squares / free).sqrt());
        if scale.is_normal() { Self { centre: size * mean, scale } } else { Self::AS_IS }
    }

    fn apply(self, v: f64) -> f64 {
        (v - self.centre) / self.scale
    }
}

impl Scaling {
    /// Learns centres and scales from the training rows, or leaves everything as it is.
    pub(super) fn fit(train: TrainSet<'_>, standardise: bool) -> Self {
        if !standardise {
            return Self { inputs: vec![Unit::AS_IS; train.x.cols()], target: Unit::AS_IS };
        }
        let inputs = (0..train.x.cols())
            .map(|j| Unit::of((0..train.x.rows()).map(move |i| train.x.at(i, j)), train.weights))
            .collect();
        Self { inputs, target: Unit::of(train.y.iter().copied(), train.weights) }
    }

    /// Scaled rows, row-major.
    pub(super) fn rows(&self, x: MatrixView<'_>) -> Vec<f64> {
        x.iter_rows().flat_map(|row| row.iter().zip(&self.inputs).map(|(v, unit)| unit.apply(*v))).collect()
    }

    /// Scaled targets.
    pub(super) fn targets(&self, y: &[f64]) -> Vec<f64> {
        y.iter().map(|v| self.target.apply(*v)).collect()
    }

    /// A scaled prediction in the target's own unit.
    pub(super) fn restore(&self, prediction: f64) -> f64 {
        prediction * self.target.scale + self.target.centre
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a case four times is two cases, 0 and 1: their variance is ½.
    #[test]
    fn weights_count_cases() {
        let unit = Unit::of([0.0, 0.0, 1.0, 1.0].into_iter(), Some(&[0.5; 4]));
        assert!((unit.scale - 0.5f64.sqrt()).abs() < 1e-15 && unit.centre == 0.5, "{unit:?}");
        // A quarter each is one case, too few for a variance: weights of mean 1, so Σ(v − ½)² / 3 = ⅓.
        let few = Unit::of([0.0, 0.0, 1.0, 1.0].into_iter(), Some(&[0.25; 4]));
        assert!((few.scale - (1.0f64 / 3.0).sqrt()).abs() < 1e-15, "{few:?}");
    }

    /// A mean that is almost 0 does not make a column constant; one value does.
    #[test]
    fn only_constant_columns_stay() {
        let unit = Unit::of([-2.0, 2.0, 1e-15].into_iter(), None);
        assert!((unit.scale - 2.0).abs() < 1e-15, "{unit:?}");
        for constant in [&[0.1; 7][..], &[3.0], &[0.0, 0.0]] {
            let unit = Unit::of(constant.iter().copied(), None);
            assert_eq!((unit.centre, unit.scale), (0.0, 1.0), "{constant:?}");
        }
    }
}
