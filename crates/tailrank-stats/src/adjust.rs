//! p values adjusted for the number of tests: of any tests (Holm, Benjamini & Hochberg), and of many models that share their draws
//! (Romano & Wolf 2005, 2016).

use crate::{
    draws::Draws,
    error::{Result, StatsError, check_columns},
};

/// A correction for multiple tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// Holm (1979), step-down: safe under any dependence.
    Holm,
    /// Benjamini & Hochberg (1995): the false discovery rate, independent or positively dependent tests.
    BenjaminiHochberg,
}

/// Adjusted p values, in the order given.
///
/// ```
/// use tailrank_stats::{Correction, adjust};
///
/// assert_eq!(adjust(&[0.01, 0.04, 0.03], Correction::Holm)?, [0.03, 0.06, 0.06]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn adjust(p_values: &[f64], correction: Correction) -> Result<Vec<f64>> {
    if let Some(i) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        let (name, row, value) = ("p_values", i + 1, p_values[i]);
        if !value.is_finite() {
            return Err(StatsError::NonFinite { name, row, value });
        }
        return Err(StatsError::Parameter { name, value, expected: "p values lie between 0 and 1" });
    }
    let m = p_values.len();
    let mut order: Vec<usize> = (0..m).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let count = m as f64;
    let mut out = vec![0.0; m];
    match correction {
        Correction::Holm => {
            let mut highest = 0.0f64;
            for (i, &place) in order.iter().enumerate() {
                highest = highest.max(p_values[place] * (count - i as f64));
                out[place] = highest.min(1.0);
            }
        }
        Correction::BenjaminiHochberg => {
            let mut lowest = f64::INFINITY;
            for (i, &place) in order.iter().enumerate().rev() {
                lowest = lowest.min(p_values[place] * (count / (i + 1) as f64));
                out[place] = lowest.min(1.0);
            }
        }
    }
    Ok(out)
}

/// Each model's p value, adjusted so that the chance of a single false rejection among all models is at most the level.
///
/// `statistics` holds one studentised gain per model, larger is better; `null` holds the same statistics on every draw with their
/// means taken out, one column per model. The model with the largest statistic is held against the largest of all models on each
/// draw, the second against the largest of the remaining models, and so on: p = (1 + draws at least as large) / (1 + draws), never
/// below that of the model before (Romano & Wolf 2016, algorithm 3.1).
///
/// ```
/// use tailrank_stats::{Draws, romano_wolf};
///
/// let null = Draws::from_columns(&[vec![0.1, 2.5, -0.3], vec![1.0, 0.2, -1.0]])?;
/// assert_eq!(romano_wolf(&[2.0, 0.9], &null)?, [0.5, 0.5]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn romano_wolf(statistics: &[f64], null: &Draws) -> Result<Vec<f64>> {
    check_columns("statistics", &[statistics], "the draws", null.columns())?;
    let mut order: Vec<usize> = (0..statistics.len()).collect();
    order.sort_by(|&a, &b| statistics[a].total_cmp(&statistics[b]));
    // From the smallest statistic upwards, so that `maxima` always holds the models not yet rejected.
    let mut maxima = vec![f64::NEG_INFINITY; null.draws()];
    let mut p_values = vec![1.0; statistics.len()];
    for &model in &order {
        maxima.iter_mut().zip(null.column(model)).for_each(|(m, &v)| *m = m.max(v));
        let reached = maxima.iter().filter(|&&m| m >= statistics[model]).count();
        p_values[model] = (1 + reached) as f64 / (1 + null.draws()) as f64;
    }
    let mut before: f64 = 0.0;
    for &model in order.iter().rev() {
        before = before.max(p_values[model]);
        p_values[model] = before;
    }
    Ok(p_values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{distribution::normal_upper_quantile, shuffle::Uniform};

    /// Algorithm 3.1 of Romano & Wolf (2016) as it is written there, every step with the maxima of the models left.
    fn as_published(statistics: &[f64], null: &Draws) -> Vec<f64> {
        let mut order: Vec<usize> = (0..statistics.len()).collect();
        order.sort_by(|&a, &b| statistics[b].total_cmp(&statistics[a]));
        let mut p = vec![0.0; statistics.len()];
        for step in 0..order.len() {
            let largest = |draw: usize| {
                order[step..].iter().map(|&j| null.column(j)[draw]).fold(f64::NEG_INFINITY, f64::max)
            };
            let reached = (0..null.draws()).filter(|&d| largest(d) >= statistics[order[step]]).count();
            p[order[step]] = (reached + 1) as f64 / (null.draws() + 1) as f64;
            if step > 0 {
                p[order[step]] = f64::max(p[order[step]], p[order[step - 1]]);
            }
        }
        p
    }

    fn normal(random: &mut Uniform) -> f64 {
        normal_upper_quantile(random.unit().max(1e-15))
    }

    /// Statistics of models that share two fifths of their variance, of the data and on `draws` draws.
    fn world(random: &mut Uniform, means: &[f64], draws: usize) -> (Vec<f64>, Draws) {
        let mut correlated = |means: &[f64]| -> Vec<f64> {
            let common = normal(random);
            means.iter().map(|m| m + 0.4f64.sqrt() * common + 0.6f64.sqrt() * normal(random)).collect()
        };
        let observed = correlated(means);
        let zeros = vec![0.0; means.len()];
        let rows: Vec<Vec<f64>> = (0..draws).map(|_| correlated(&zeros)).collect();
        let columns: Vec<Vec<f64>> =
            (0..means.len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
        (observed, Draws::from_columns(&columns).unwrap())
    }

    #[test]
    fn p_values_are_those_of_the_published_algorithm() {
        let mut random = Uniform::seeded(4);
        for means in [&[0.0; 7][..], &[3.0, 0.0, 2.0, -1.0, 2.0], &[1.5]] {
            let (observed, null) = world(&mut random, means, 199);
            assert_eq!(romano_wolf(&observed, &null).unwrap(), as_published(&observed, &null));
        }
    }

    /// Eight models of which three are better: a false one is found in at most 5 % of worlds (± three standard errors of 1,500),
    /// and steps find more true ones than the first step's bound alone would.
    #[test]
    fn a_false_model_is_found_in_one_world_of_twenty() {
        let means = [4.0, 3.5, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mut random = Uniform::seeded(9);
        let (mut wrong, mut wrong_without_gains) = (0, 0);
        for _ in 0..1500 {
            let (observed, null) = world(&mut random, &means, 199);
            let p = romano_wolf(&observed, &null).unwrap();
            wrong += usize::from(p[3..].iter().any(|&p| p <= 0.05));
            let (observed, null) = world(&mut random, &[0.0; 8], 199);
            let p = romano_wolf(&observed, &null).unwrap();
            wrong_without_gains += usize::from(p.iter().any(|&p| p <= 0.05));
        }
        for share in [wrong, wrong_without_gains].map(|count| count as f64 / 1500.0) {
            assert!((0.033..0.067).contains(&share), "{share}");
        }
    }

    #[test]
    fn bad_statistics_are_refused() {
        let null = Draws::from_columns(&[vec![0.0, 1.0]]).unwrap();
        assert!(romano_wolf(&[1.0, 2.0], &null).is_err());
        assert!(romano_wolf(&[f64::NAN], &null).is_err());
    }
}
