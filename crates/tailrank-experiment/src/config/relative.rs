//! A number in units of the training targets' spread: `"0.25 sd"`.

use std::fmt;

/// A multiple of a spread of the training targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeNumber {
    /// How many of them.
    pub factor: f64,
    /// Which spread.
    pub spread: Spread,
}

/// A spread of training targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Standard deviation, with n − 1.
    Sd,
    /// Interquartile range, with linear interpolation between order statistics.
    Iqr,
}

impl RelativeNumber {
    /// `0.25 sd` or `0.1 iqr`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (factor, unit) = text.trim().split_once(char::is_whitespace)?;
        let spread = match unit.trim() {
            "sd" => Spread::Sd,
            "iqr" => Spread::Iqr,
            _ => return None,
        };
        Some(Self { factor: factor.parse().ok()?, spread })
    }

    /// The number in units of the target; none where the targets have no spread.
    pub fn of(&self, train: &[f64]) -> Option<f64> {
        let spread = match self.spread {
            Spread::Sd => {
                let n = train.len() as f64;
                let mean = train.iter().sum::<f64>() / n;
                (train.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
            }
            Spread::Iqr => {
                let mut sorted = train.to_vec();
                sorted.sort_unstable_by(f64::total_cmp);
                let at = |p: f64| {
                    let place = p * (sorted.len().checked_sub(1)? as f64);
                    let below = sorted.get(place.floor() as usize)?;
                    Some(below + (sorted.get(place.ceil() as usize)? - below) * place.fract())
                };
                at(0.75)? - at(0.25)?
            }
        };
        Some(self.factor * spread).filter(|number| *number > 0.0 && number.is_finite())
    }
}

impl fmt::Display for RelativeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.spread {
            Spread::Sd => "sd",
            Spread::Iqr => "iqr",
        };
        write!(f, "{} {unit}", self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_by_hand() {
        let of = |text: &str, train: &[f64]| RelativeNumber::parse(text).unwrap().of(train);
        assert_eq!(of("0.5 sd", &[1.0, 2.0, 3.0, 4.0, 5.0]), Some(0.5 * 2.5_f64.sqrt()));
        // R: IQR(c(1, 2, 4, 8)) is 3.25.
        assert_eq!(of(" 2  iqr ", &[8.0, 1.0, 2.0, 4.0]), Some(6.5));
        assert_eq!([of("1 sd", &[3.0; 9]), of("1 iqr", &[]), of("1 sd", &[1.0])], [None; 3]);
        assert_eq!(RelativeNumber::parse("0.25 sd").unwrap().to_string(), "0.25 sd");
        assert_eq!(["0.25", "sd", "x sd", "1 mad"].map(RelativeNumber::parse), [None; 4]);
    }
}
