//! Which cases hang together: single cases, steps of time, whole dates, whole groups. Bootstrap and chance
//! share the answer.

use std::collections::BTreeMap;

use crate::{
    error::{Result, check_lengths},
    resamples::Resamples,
};

/// How the units of a design depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dependence {
    /// Not at all: any order of them is as likely as any other.
    None,
    /// Units near in time resemble each other.
    Time,
}

/// The cases of a test, gathered into units that are drawn and moved whole.
///
/// ```
/// use tailrank_stats::{Dependence, Units};
///
/// // Two symbols on each of three dates.
/// let units = Units::dates(&[20, 20, 10, 10, 30, 30], None)?;
/// assert_eq!((units.count(), units.dependence()), (3, Dependence::Time));
/// assert_eq!(units.sums(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), [7.0, 3.0, 11.0]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    unit_of: Vec<u32>,
    count: usize,
    dependence: Dependence,
    /// What is the same thing at other times, such as a symbol.
    entity_of: Option<Vec<u32>>,
}

impl Units {
    /// Independent cases.
    pub fn cases(cases: usize) -> Self {
        Self::each(cases, Dependence::None)
    }

    /// Cases in the order of time, one at each step.
    pub fn steps(cases: usize) -> Self {
        Self::each(cases, Dependence::Time)
    }

    fn each(cases: usize, dependence: Dependence) -> Self {
        Self { unit_of: (0..cases as u32).collect(), count: cases, dependence, entity_of: None }
    }

    /// Whole dates, in the order of their labels; `entities` names what is the same from date to date.
    pub fn dates<L: Ord>(dates: &[L], entities: Option<&[usize]>) -> Result<Self> {
        if let Some(entities) = entities {
            check_lengths("entities", entities.len(), "dates", dates.len())?;
        }
        let (unit_of, count) = ranks(dates);
        let entity_of = entities.map(|e| ranks(e).0);
        Ok(Self { unit_of, count, dependence: Dependence::Time, entity_of })
    }

    /// Whole groups that do not depend on each other, such as patients.
    pub fn groups<L: Ord>(groups: &[L]) -> Self {
        let (unit_of, count) = ranks(groups);
        Self { unit_of, count, dependence: Dependence::None, entity_of: None }
    }

    /// Number of units.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of cases.
    pub fn case_count(&self) -> usize {
        self.unit_of.len()
    }

    /// How units depend on each other.
    pub fn dependence(&self) -> Dependence {
        self.dependence
    }

    /// The unit of each case, units counted from 0 in their order.
    pub fn unit_of(&self) -> &[u32] {
        &self.unit_of
    }

    /// The entity of each case: as declared, or else its place within its unit.
    pub(crate) fn entity_of(&self) -> Vec<u32> {
        if let Some(entities) = &self.entity_of {
            return entities.clone();
        }
        let mut seen = vec![0; self.count];
        let next = |&unit: &u32| {
            let place = seen[unit as usize];
            seen[unit as usize] += 1;
            place
        };
        self.unit_of.iter().map(next).collect()
    }

    /// A column of per-case terms added up within units.
    pub fn sums(&self, terms: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        self.unit_of.iter().zip(terms).for_each(|(&unit, term)| sums[unit as usize] += term);
        sums
    }

    /// Draws of units: in blocks of `mean_block` units where they depend on time, one by one where they do
    /// not.
    ///
    /// Give it columns of [`sums`](Self::sums). Units differ in size, so a mean must be the ratio of two such
    /// sums.
    pub fn resamples(&self, mean_block: f64, draws: usize, seed: u64) -> Result<Resamples> {
        match self.dependence {
            Dependence::None => Resamples::cases(self.count, draws, seed),
            Dependence::Time => Resamples::stationary(self.count, mean_block, draws, seed),
        }
    }
}

/// The place of each label among the distinct ones in order, and their number.
fn ranks<L: Ord>(labels: &[L]) -> (Vec<u32>, usize) {
    let mut places: BTreeMap<&L, u32> = labels.iter().map(|label| (label, 0)).collect();
    places.values_mut().enumerate().for_each(|(rank, place)| *place = rank as u32);
    (labels.iter().map(|label| places[label]).collect(), places.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{distribution::normal_upper_quantile, interval::percentile_interval, shuffle::Uniform};

    #[test]
    fn entities_without_names_are_places_within_a_date() {
        let units = Units::dates(&["b", "a", "b", "a", "c"], None).unwrap();
        assert_eq!(units.unit_of(), [1, 0, 1, 0, 2]);
        assert_eq!(units.entity_of(), [0, 0, 1, 1, 0]);
        let named = Units::dates(&[1, 1, 2], Some(&[7, 3, 7])).unwrap();
        assert_eq!(named.entity_of(), [1, 0, 1]);
        assert!(Units::dates(&[1, 2], Some(&[1])).is_err());
    }

    /// Values of 40 groups of 5, half of whose variance is the group's: intervals of the mean that draw whole
    /// groups hold the truth in about 95 % of worlds, those that draw cases in far fewer.
    #[test]
    fn whole_groups_keep_the_coverage_that_cases_lose() {
        let mut random = Uniform::seeded(3);
        let mut normal = || normal_upper_quantile(random.unit().max(1e-15));
        let groups: Vec<usize> = (0..200).map(|i| i / 5).collect();
        let (whole, single) = (Units::groups(&groups), Units::cases(200));
        let mut held = [0, 0];
        for world in 0..400 {
            let effects: Vec<f64> = (0..40).map(|_| normal()).collect();
            let values: Vec<f64> = groups.iter().map(|&g| effects[g] + normal()).collect();
            let mean = values.iter().sum::<f64>() / 200.0;
            for (held, units) in held.iter_mut().zip([&whole, &single]) {
                let draws = units.resamples(1.0, 400, world).unwrap();
                let sums = draws.sums(&[units.sums(&values), units.sums(&[1.0; 200])]).unwrap();
                let means: Vec<f64> = sums.column(0).iter().zip(sums.column(1)).map(|(s, n)| s / n).collect();
                let interval = percentile_interval(mean, &means, 0.95).unwrap();
                *held += usize::from(interval.lower <= 0.0 && 0.0 <= interval.upper);
            }
        }
        let [whole, single] = held.map(|h| h as f64 / 400.0);
        assert!((0.91..0.98).contains(&whole) && single < 0.85, "{whole} {single}");
    }
}
