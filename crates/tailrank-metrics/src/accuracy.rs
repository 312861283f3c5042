//! Accuracy α(ŷ, y) ∈ [0, 1]: how right a prediction is, 0 from the loss threshold t_L on.

use crate::{
    Result,
    error::{check_setting, is_positive},
    exp::{map_into, one_minus_exp},
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Indicator,
    Linear,
    Smooth { k: f64 },
}

/// How a loss L = |ŷ − y| becomes an accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    shape: Shape,
    t_l: f64,
}

impl Accuracy {
    /// α = I(L ≤ t_L) (PR09 eq. 8).
    ///
    /// ```
    /// use tailrank_metrics::Accuracy;
    /// assert_eq!(Accuracy::indicator(0.5)?.of_loss(0.5), 1.0);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn indicator(t_l: f64) -> Result<Self> {
        Self::new(Shape::Indicator, t_l)
    }

    /// α = 1 − L/t_L down to 0 at t_L.
    ///
    /// ```
    /// use tailrank_metrics::Accuracy;
    /// assert_eq!(Accuracy::linear(0.5)?.of_loss(0.125), 0.75);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn linear(t_l: f64) -> Result<Self> {
        Self::new(Shape::Linear, t_l)
    }

    /// α = I(L ≤ t_L)·(1 − exp(−k·(L − t_L)²/t_L²)) (PR09 eq. 9); k is usually 8.
    ///
    /// ```
    /// use tailrank_metrics::Accuracy;
    /// let alpha = Accuracy::smooth(0.5, 8.0)?;
    /// assert_eq!(format!("{:.2}", alpha.of_loss(0.23)), "0.90"); // PR09 Table 3
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn smooth(t_l: f64, k: f64) -> Result<Self> {
        check_setting(is_positive(k), "accuracy k", k, "the smoothness must be above 0")?;
        Self::new(Shape::Smooth { k }, t_l)
    }

    fn new(shape: Shape, t_l: f64) -> Result<Self> {
        let expected = "the loss threshold must be above 0, in the target's unit";
        check_setting(is_positive(t_l), "t_L", t_l, expected)?;
        Ok(Self { shape, t_l })
    }

    /// The loss threshold t_L.
    pub const fn t_l(&self) -> f64 {
        self.t_l
    }

    /// α of an absolute error L ≥ 0.
    pub fn of_loss(&self, loss: f64) -> f64 {
        match self.shape {
            Shape::Indicator => indicator(self.t_l)(loss),
            Shape::Linear => linear(self.t_l)(loss),
            Shape::Smooth { k } => smooth(self.t_l, k)(loss),
        }
    }

    /// Writes α of each absolute error to `out`, bit for bit equal to [`Accuracy::of_loss`] and quicker;
    /// stops at the shorter slice.
    pub fn alpha_into(&self, losses: &[f64], out: &mut [f64]) {
        match self.shape {
            Shape::Indicator => map_into(losses, out, indicator(self.t_l)),
            Shape::Linear => map_into(losses, out, linear(self.t_l)),
            Shape::Smooth { k } => map_into(losses, out, smooth(self.t_l, k)),
        }
    }

    /// One line that names the shape and its settings.
    pub fn describe(&self) -> String {
        match self.shape {
            Shape::Indicator => format!("indicator, t_L = {}", self.t_l),
            Shape::Linear => format!("linear, t_L = {}", self.t_l),
            Shape::Smooth { k } => format!("smooth, t_L = {}, k = {k}", self.t_l),
        }
    }
}

fn indicator(t_l: f64) -> impl Fn(f64) -> f64 {
    #[inline(always)]
    move |loss| if loss <= t_l { 1.0 } else { 0.0 }
}

fn linear(t_l: f64) -> impl Fn(f64) -> f64 {
    #[inline(always)]
    move |loss| {
        let alpha = 1.0 - loss / t_l;
        if alpha > 0.0 { alpha } else { 0.0 }
    }
}

fn smooth(t_l: f64, k: f64) -> impl Fn(f64) -> f64 {
    #[inline(always)]
    move |loss| {
        // Past t_L the exponent is held at 0, where α = 1 − e⁰ = 0; a branch around the exponential would
        // keep the loop scalar.
        let short_of = loss - t_l;
        let short_of = if short_of < 0.0 { short_of } else { 0.0 };
        let u = short_of / t_l;
        one_minus_exp(-k * (u * u))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_settings_are_refused() {
        let message = |e: Result<Accuracy>| e.unwrap_err().to_string();
        for t_l in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let expected = format!(
                "t_L = {t_l} is not allowed: the loss threshold must be above 0, in the target's unit"
            );
            assert_eq!(message(Accuracy::indicator(t_l)), expected);
            assert_eq!(message(Accuracy::linear(t_l)), expected);
            assert_eq!(message(Accuracy::smooth(t_l, 8.0)), expected);
        }
        assert_eq!(
            message(Accuracy::smooth(1.0, 0.0)),
            "accuracy k = 0 is not allowed: the smoothness must be above 0"
        );
    }

    #[test]
    fn the_vector_form_gives_the_same_bits() {
        let losses: Vec<f64> = (0..1003).map(|i| f64::from(i) * 7.3e-4).collect();
        for alpha in [
            Accuracy::indicator(0.5).unwrap(),
            Accuracy::linear(0.5).unwrap(),
            Accuracy::smooth(0.5, 8.0).unwrap(),
        ] {
            let mut out = vec![0.0; losses.len()];
            alpha.alpha_into(&losses, &mut out);
            for (&loss, &a) in losses.iter().zip(&out) {
                assert_eq!(a.to_bits(), alpha.of_loss(loss).to_bits());
                assert!((0.0..=1.0).contains(&a));
            }
        }
    }
}
