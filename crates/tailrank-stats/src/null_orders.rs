//! Orders of the cases under which predictions and truth have nothing to do with each other, and everything
//! else stays.
//!
//! What stays is the dependence among cases: units near in time are shifted together, groups are exchanged
//! whole. All variants of a task use the same orders, and order number `draw` is the same whenever it is
//! made.

use std::collections::BTreeMap;

use crate::{
    circular_shifts::CircularShifts,
    error::{Result, StatsError, check_draws, check_lengths, check_rows},
    shuffle::{Shuffle, Uniform},
    units::{Dependence, Units},
};

/// Random orders of cases that move none to another window (fold, test period).
///
/// ```
/// use tailrank_stats::{NullOrders, Units};
///
/// // Two symbols on 30 dates: whole dates are shifted, and each symbol meets itself at another time.
/// let dates: Vec<usize> = (0..60).map(|i| i / 2).collect();
/// let orders = NullOrders::new(&Units::dates(&dates, None)?, &[0; 60], 2, 1000, 1)?;
/// assert_eq!((orders.draws(), orders.distinct()), (25, 25.0));
/// assert!(orders.order(0).chunks(2).all(|date| date[0] % 2 == 0 && date[1] == date[0] + 1));
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NullOrders {
    cases: usize,
    draws: usize,
    seed: u64,
    distinct: f64,
    scheme: Scheme,
}

#[derive(Clone, Debug)]
enum Scheme {
    /// The cases of each unit, window by window.
    Exchange {
        windows: Vec<Vec<Vec<u32>>>,
        equal_sizes: bool,
    },
    Shift {
        shifts: CircularShifts,
        sequences: Vec<Sequence>,
    },
}

/// The cases of one entity in one window, in time order.
#[derive(Clone, Debug)]
struct Sequence {
    window: usize,
    cases: Vec<u32>,
    /// The place of each case's date among the dates of the window.
    dates: Vec<u32>,
}

impl NullOrders {
    /// Orders that keep the dependence of `units`; `windows` gives the window of each case by any label.
    ///
    /// In time, each window is turned by a number of dates of its own, at least `excluded` + 1 away from none
    /// in either direction (lags + horizon, so that no prediction meets a truth that it could know); where
    /// one window has no more such shifts than `draws`, each is drawn once. Units that do not depend on each
    /// other change places within their window.
    pub fn new(units: &Units, windows: &[usize], excluded: usize, draws: usize, seed: u64) -> Result<Self> {
        let cases = units.case_count();
        check_rows("cases", cases, "a comparison with chance", 10)?;
        check_lengths("windows", windows.len(), "units", cases)?;
        check_draws(draws)?;
        match units.dependence() {
            Dependence::None => Self::exchange(units, windows, draws, seed),
            Dependence::Time => Self::shift(units, windows, excluded, draws, seed),
        }
    }

    fn exchange(units: &Units, windows: &[usize], draws: usize, seed: u64) -> Result<Self> {
        let mut places = BTreeMap::<usize, BTreeMap<u32, Vec<u32>>>::new();
        for (case, (&unit, &window)) in units.unit_of().iter().zip(windows).enumerate() {
            places.entry(window).or_default().entry(unit).or_default().push(case as u32);
        }
        let windows: Vec<Vec<Vec<u32>>> = places.into_values().map(|w| w.into_values().collect()).collect();
        let factorial = |n: usize| (2..=n).map(|i| i as f64).product::<f64>();
        let distinct = windows.iter().map(|w| factorial(w.len())).product::<f64>() - 1.0;
        if distinct < 1.0 {
            let reason = "no window has two units that could change places";
            return Err(StatsError::Degenerate { what: "a comparison with chance", reason });
        }
        let equal_sizes = windows.iter().all(|w| w.iter().all(|unit| unit.len() == w[0].len()));
        let scheme = Scheme::Exchange { windows, equal_sizes };
        Ok(Self { cases: units.case_count(), draws, seed, distinct, scheme })
    }

    fn shift(units: &Units, windows: &[usize], excluded: usize, draws: usize, seed: u64) -> Result<Self> {
        let entities = units.entity_of();
        let mut order: Vec<usize> = (0..windows.len()).collect();
        order.sort_by_key(|&case| (windows[case], entities[case], units.unit_of()[case]));
        let mut dates = BTreeMap::<usize, BTreeMap<u32, u32>>::new();
        for (&window, &unit) in windows.iter().zip(units.unit_of()) {
            dates.entry(window).or_default().insert(unit, 0);
        }
        dates.values_mut().for_each(|w| w.values_mut().enumerate().for_each(|(i, place)| *place = i as u32));
        let lengths: Vec<usize> = dates.values().map(BTreeMap::len).collect();
        let shifts = CircularShifts::new(&lengths, excluded, draws, seed)?;
        let number: BTreeMap<usize, usize> = dates.keys().enumerate().map(|(i, &w)| (w, i)).collect();
        let mut sequences: Vec<Sequence> = Vec::new();
        let mut last = None;
        for case in order {
            let key = (windows[case], entities[case]);
            if last != Some(key) {
                let window = number[&windows[case]];
                sequences.push(Sequence { window, cases: Vec::new(), dates: Vec::new() });
                last = Some(key);
            }
            if let Some(sequence) = sequences.last_mut() {
                sequence.cases.push(case as u32);
                sequence.dates.push(dates[&windows[case]][&units.unit_of()[case]]);
            }
        }
        let (draws, distinct) = (shifts.draws(), shifts.distinct());
        Ok(Self { cases: windows.len(), draws, seed, distinct, scheme: Scheme::Shift { shifts, sequences } })
    }

    /// Number of draws.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// How many different orders there are beside that of the data: no p value can be below 1 / (1 +
    /// distinct).
    pub fn distinct(&self) -> f64 {
        self.distinct
    }

    /// Whether every case is met once: not where groups of different sizes change places.
    pub fn is_permutation(&self) -> bool {
        !matches!(self.scheme, Scheme::Exchange { equal_sizes: false, .. })
    }

    /// The shift of a draw where all cases are one window with one case at each step, in their order.
    pub fn single_shift(&self, draw: usize) -> Option<usize> {
        let Scheme::Shift { shifts, sequences } = &self.scheme else { return None };
        let [sequence] = &sequences[..] else { return None };
        sequence.cases.is_sorted().then(|| shifts.shifts(draw)[0])
    }

    /// For each case, the case whose partner it gets.
    ///
    /// A group that meets a smaller one goes through its cases again from the start; of a larger one it meets
    /// consecutive cases from a random place on.
    pub fn order(&self, draw: usize) -> Vec<u32> {
        let mut order = vec![0; self.cases];
        match &self.scheme {
            Scheme::Exchange { windows, equal_sizes } => {
                let mut random = Uniform::stream(self.seed, draw as u64);
                for units in windows {
                    let mut partners: Vec<u32> = (0..units.len() as u32).collect();
                    Shuffle::new(units.len()).apply(&mut random, &mut partners);
                    for (unit, &partner) in units.iter().zip(&partners) {
                        let from = &units[partner as usize];
                        let start = if *equal_sizes { 0 } else { random.below(from.len() as u64) as usize };
                        for (place, &case) in unit.iter().enumerate() {
                            order[case as usize] = from[(start + place) % from.len()];
                        }
                    }
                }
            }
            Scheme::Shift { shifts, sequences } => {
                let shifts = shifts.shifts(draw);
                for Sequence { window, cases, dates } in sequences {
                    // Where no date is missing this is the shift itself.
                    let start = dates.partition_point(|&date| (date as usize) < shifts[*window]);
                    for (place, &case) in cases.iter().enumerate() {
                        order[case as usize] = cases[(start + place) % cases.len()];
                    }
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut order: Vec<u32>) -> Vec<u32> {
        order.sort_unstable();
        order
    }

    #[test]
    fn independent_cases_change_places_within_their_window() {
        let windows: Vec<usize> = (0..30).map(|i| i % 3).collect();
        let orders = NullOrders::new(&Units::cases(30), &windows, 0, 20, 1).unwrap();
        assert!(orders.is_permutation() && orders.distinct() > 1e19);
        for draw in 0..20 {
            let order = orders.order(draw);
            assert!(order.iter().enumerate().all(|(i, &r)| windows[i] == windows[r as usize]));
            assert_eq!(sorted(order.clone()), (0..30).collect::<Vec<_>>());
            assert_ne!(order, sorted(order.clone()));
        }
    }

    #[test]
    fn one_series_is_shifted_by_one_number() {
        let orders = NullOrders::new(&Units::steps(20), &[0; 20], 3, 50, 1).unwrap();
        for draw in 0..orders.draws() {
            let shift = orders.single_shift(draw).unwrap() as u32;
            assert_eq!(orders.order(draw), (0..20).map(|i| (i + shift) % 20).collect::<Vec<_>>());
        }
        assert_eq!(NullOrders::new(&Units::cases(20), &[0; 20], 3, 50, 1).unwrap().single_shift(0), None);
    }

    #[test]
    fn groups_of_equal_size_change_places_whole() {
        let groups: Vec<usize> = (0..24).map(|i| i / 4).collect();
        let windows: Vec<usize> = (0..24).map(|i| i / 12).collect();
        let orders = NullOrders::new(&Units::groups(&groups), &windows, 0, 50, 2).unwrap();
        assert_eq!(orders.distinct(), 35.0);
        for draw in 0..50 {
            let order = orders.order(draw);
            assert!(order.chunks(4).all(|g| g[0] % 4 == 0 && g.windows(2).all(|w| w[1] == w[0] + 1)));
            assert!(order.iter().zip(&windows).all(|(&r, &w)| windows[r as usize] == w));
        }
    }

    #[test]
    fn groups_of_other_sizes_meet_one_group_each() {
        let groups = [0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 3];
        let orders = NullOrders::new(&Units::groups(&groups), &[0; 11], 0, 40, 3).unwrap();
        assert!(!orders.is_permutation());
        let mut partners = Vec::new();
        for draw in 0..40 {
            let order = orders.order(draw);
            let met = |g: usize| -> Vec<usize> {
                let mut met: Vec<usize> =
                    (0..11).filter(|&i| groups[i] == g).map(|i| groups[order[i] as usize]).collect();
                met.dedup();
                met
            };
            let met: Vec<Vec<usize>> = (0..4).map(met).collect();
            assert!(met.iter().all(|m| m.len() == 1), "{met:?}");
            partners.push(met[0][0]);
        }
        assert!((0..4).all(|g| partners.contains(&g)));
        assert!(NullOrders::new(&Units::groups(&[0; 11]), &[0; 11], 0, 40, 3).is_err());
    }

    /// Windows of 12 and 9 dates with two symbols, one of which misses a date.
    #[test]
    fn dates_are_shifted_whole_and_window_by_window() {
        let mut rows: Vec<(usize, usize)> = (0..42).map(|i| (i / 2, i % 2)).collect();
        rows.remove(7);
        let (dates, symbols): (Vec<usize>, Vec<usize>) = rows.iter().copied().unzip();
        let windows: Vec<usize> = dates.iter().map(|&d| usize::from(d >= 12)).collect();
        let units = Units::dates(&dates, Some(&symbols)).unwrap();
        let orders = NullOrders::new(&units, &windows, 2, 30, 3).unwrap();
        assert_eq!(orders.distinct(), 7.0 * 4.0);
        let mut pairs = Vec::new();
        for draw in 0..30 {
            let order = orders.order(draw);
            assert_eq!(sorted(order.clone()), (0..41).collect::<Vec<_>>());
            let gap = |case: usize, length: usize| {
                let to = order[case] as usize;
                assert_eq!((windows[case], symbols[case]), (windows[to], symbols[to]));
                (dates[to] + length - dates[case]) % length
            };
            // The second window has all dates: one shift for both symbols.
            let second: Vec<usize> = (0..41).filter(|&c| windows[c] == 1).map(|c| gap(c, 9)).collect();
            assert!(second.iter().all(|&s| s == second[0] && (3..=6).contains(&s)));
            let first: Vec<usize> =
                (0..41).filter(|&c| windows[c] == 0 && symbols[c] == 0).map(|c| gap(c, 12)).collect();
            assert!(first.iter().all(|&s| s == first[0] && (3..=9).contains(&s)));
            pairs.push((first[0], second[0]));
        }
        // The windows are shifted independently of each other.
        pairs.sort_unstable();
        pairs.dedup();
        assert!(pairs.len() > 10, "{pairs:?}");
        assert!(NullOrders::new(&units, &windows, 4, 30, 3).is_err());
    }
}
