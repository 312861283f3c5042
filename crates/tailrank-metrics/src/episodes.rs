//! Episodes instead of rows: a storm of ten hours is one storm, and ten signals in a row are one alarm.

use crate::{Relevance, relevance::Flank};

/// What makes an episode, an announcement and an alarm, in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema),
    serde(deny_unknown_fields, default)
)]
pub struct EpisodeRule {
    /// Events with fewer event-free rows than this between them are one episode.
    pub gap: usize,
    /// An episode is caught by a signal from so many rows before its start to its end.
    pub lead: usize,
    /// A signal so many rows behind another, or fewer, is no new alarm.
    pub cooldown: usize,
}

impl Default for EpisodeRule {
    fn default() -> Self {
        Self { gap: 1, lead: 0, cooldown: 1 }
    }
}

/// First and last row of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Episode {
    /// First row.
    pub start: usize,
    /// Last row.
    pub end: usize,
}

/// How episodes and alarms met.
///
/// ```
/// use tailrank_metrics::{EpisodeCounts, EpisodeRule};
///
/// let rows = |text: &str| text.chars().map(|c| c == 'x').collect::<Vec<_>>();
/// let events  = rows("....xx.x....xx..");
/// let signals = rows("..x..........x.x");
/// let rule = EpisodeRule { gap: 2, lead: 2, cooldown: 1 };
/// let counts = EpisodeCounts::of(&events, &signals, rule);
/// // One gap row does not end the first episode; its signal came two rows ahead. The last signal is a false alarm.
/// assert_eq!((counts.episodes, counts.caught, counts.alarms, counts.false_alarms), (2, 2, 3, 1));
/// assert_eq!(counts.lead_times, [2, -1]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EpisodeCounts {
    /// Episodes of events.
    pub episodes: usize,
    /// Episodes with a signal between `lead` before their start and their end.
    pub caught: usize,
    /// Alarms: signals closer than the cooldown are one.
    pub alarms: usize,
    /// Alarms none of whose signals falls on or announces an episode.
    pub false_alarms: usize,
    /// Rows from the first signal to the start of each caught episode; negative for a signal inside.
    pub lead_times: Vec<i64>,
}

impl EpisodeCounts {
    /// Counts the episodes and alarms of one sequence of rows.
    pub fn of(events: &[bool], signals: &[bool], rule: EpisodeRule) -> Self {
        let met = EpisodeMeetings::of(events, signals, rule);
        let lead =
            |(episode, signal): &(Episode, Option<usize>)| Some(episode.start as i64 - (*signal)? as i64);
        let lead_times: Vec<i64> = met.episodes.iter().filter_map(lead).collect();
        Self {
            episodes: met.episodes.len(),
            caught: lead_times.len(),
            alarms: met.alarms.len(),
            false_alarms: met.alarms.iter().filter(|(_, is_true)| !is_true).count(),
            lead_times,
        }
    }

    /// Events and signals on one flank of φ.
    pub fn flags(values: &[f64], phi: &Relevance, t_e: f64, flank: Flank) -> Vec<bool> {
        values.iter().map(|&y| phi.phi(y) >= t_e && phi.flank(y) == flank).collect()
    }

    /// Adds the counts of another sequence, such as another entity of a panel.
    pub fn add(&mut self, other: Self) {
        self.episodes += other.episodes;
        self.caught += other.caught;
        self.alarms += other.alarms;
        self.false_alarms += other.false_alarms;
        self.lead_times.extend(other.lead_times);
    }

    /// The middle of the lead times; none where no episode is caught.
    pub fn median_lead(&self) -> Option<f64> {
        let mut sorted = self.lead_times.clone();
        sorted.sort_unstable();
        let n = sorted.len();
        let middle = |i: usize| sorted.get(i).map(|v| *v as f64);
        Some(0.5 * (middle(n.checked_sub(1)? / 2)? + middle(n / 2)?))
    }
}

/// Every episode and every alarm of one sequence of rows, and how they met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpisodeMeetings {
    /// Episodes, each with the row of the first signal that catches it.
    pub episodes: Vec<(Episode, Option<usize>)>,
    /// First and last signal of each alarm, and whether one of its signals falls on or announces an episode.
    pub alarms: Vec<(Episode, bool)>,
}

impl EpisodeMeetings {
    /// Finds them.
    pub fn of(events: &[bool], signals: &[bool], rule: EpisodeRule) -> Self {
        let episodes = episodes(events, rule.gap);
        let signals: Vec<usize> = places(signals);
        let mut alarms: Vec<(Episode, bool)> = Vec::new();
        for &signal in &signals {
            let next = episodes.partition_point(|e| e.end < signal);
            let is_true = episodes.get(next).is_some_and(|e| e.start.saturating_sub(rule.lead) <= signal);
            match alarms.last_mut() {
                Some((alarm, known)) if signal - alarm.end <= rule.cooldown => {
                    alarm.end = signal;
                    *known |= is_true;
                }
                _ => alarms.push((Episode { start: signal, end: signal }, is_true)),
            }
        }
        let caught_by = |episode: Episode| {
            let from = episode.start.saturating_sub(rule.lead);
            let first = signals.get(signals.partition_point(|&s| s < from)).copied();
            (episode, first.filter(|s| *s <= episode.end))
        };
        Self { episodes: episodes.into_iter().map(caught_by).collect(), alarms }
    }
}

/// The episodes of a sequence of rows.
pub fn episodes(events: &[bool], gap: usize) -> Vec<Episode> {
    let mut found: Vec<Episode> = Vec::new();
    for row in places(events) {
        match found.last_mut() {
            Some(last) if row - last.end <= gap.max(1) => last.end = row,
            _ => found.push(Episode { start: row, end: row }),
        }
    }
    found
}

fn places(flags: &[bool]) -> Vec<usize> {
    flags.iter().enumerate().filter(|(_, on)| **on).map(|(row, _)| row).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str) -> Vec<bool> {
        text.chars().map(|c| c == 'x').collect()
    }

    /// Range-based precision and recall (Tatbul et al. 2018) as far as they ask whether a range was met, by `prts` 1.0.0.3 and
    /// `aeon` 1.6.0: the shares of alarms that are true and of episodes that are caught. `scripts/fixtures/arena.py` wrote the file.
    #[test]
    fn shares_met_are_those_of_prts_and_aeon() {
        let text = include_str!("../tests/fixtures/range_based.json");
        let cases: serde_json::Value = serde_json::from_str(text).unwrap();
        let flags = |v: &serde_json::Value| -> Vec<bool> {
            v.as_array().unwrap().iter().map(|x| x.as_i64() == Some(1)).collect()
        };
        let mut compared = 0;
        for case in cases.as_array().unwrap() {
            let found =
                EpisodeCounts::of(&flags(&case["truth"]), &flags(&case["predicted"]), EpisodeRule::default());
            let ours = [
                1.0 - found.false_alarms as f64 / found.alarms as f64,
                found.caught as f64 / found.episodes as f64,
            ];
            for (theirs, i) in [("prts", 0), ("prts", 1), ("aeon", 0), ("aeon", 1)] {
                // What is α · (share met) + (1 − α) · overlap at two α tells both.
                let at = |alpha: f64| {
                    let mut values = case["values"].as_array().unwrap().iter();
                    let is_it = |v: &&serde_json::Value| v["alpha"] == alpha && v["cardinality"] == "one";
                    values.find(is_it).unwrap()[theirs][i].as_f64().unwrap()
                };
                let expected = 2.0 * at(0.5) - at(0.0);
                assert!((ours[i] - expected).abs() < 1e-12, "{theirs}: {ours:?} and {expected}");
                compared += 1;
            }
        }
        assert_eq!(compared, 48);
    }

    /// Episodes that touch, with gaps, and signals before, inside and after, by hand.
    #[test]
    fn a_hand_made_example() {
        let events = rows("..xx.x...xx......x..");
        let found = episodes(&events, 1);
        let shown: Vec<(usize, usize)> = found.iter().map(|e| (e.start, e.end)).collect();
        assert_eq!(shown, [(2, 3), (5, 5), (9, 10), (17, 17)]);
        assert_eq!(episodes(&events, 2).len(), 3, "one row between them no longer separates the first two");
        assert_eq!(episodes(&events, 4).len(), 2);
        //                 ..xx.x...xx......x..
        let signals = rows("x.....x.x.x..xx....x");
        let rule = EpisodeRule { gap: 2, lead: 2, cooldown: 2 };
        let counts = EpisodeCounts::of(&events, &signals, rule);
        // 0 announces 2–5; 6, 8 and 10 are one alarm, true by 8 and 10; 13–14 come three rows before 17; 19 comes after.
        assert_eq!((counts.episodes, counts.caught, counts.lead_times.clone()), (3, 2, vec![2, 1]));
        assert_eq!((counts.alarms, counts.false_alarms, counts.median_lead()), (4, 2, Some(1.5)));
        let late = EpisodeCounts::of(&events, &signals, EpisodeRule { lead: 4, ..rule });
        assert_eq!((late.caught, late.false_alarms), (3, 1));
        assert_eq!(EpisodeCounts::of(&events, &[false; 20], rule).median_lead(), None);
    }

    proptest! {
        #[test]
        fn rules_hold_for_any_rows(
            cases in prop::collection::vec((any::<bool>(), prop::bool::weighted(0.2)), 0..80),
            gap in 1..5usize, lead in 0..5usize, cooldown in 0..5usize,
        ) {
            let (events, signals): (Vec<bool>, Vec<bool>) = cases.into_iter().unzip();
            let rule = EpisodeRule { gap, lead, cooldown };
            let found = EpisodeCounts::of(&events, &signals, rule);
            prop_assert!(found.caught <= found.episodes && found.false_alarms <= found.alarms);
            prop_assert_eq!(found.caught, found.lead_times.len());
            // By the definitions, row by row.
            let first_signal = |e: &Episode| (e.start.saturating_sub(lead)..=e.end).find(|row| signals[*row]);
            let leads = episodes(&events, gap).into_iter().filter_map(|e| Some(e.start as i64 - first_signal(&e)? as i64));
            prop_assert_eq!(leads.collect::<Vec<_>>(), found.lead_times.clone());
            let is_new = |row: &usize| signals[*row] && !signals[row.saturating_sub(cooldown)..*row].contains(&true);
            prop_assert_eq!((0..signals.len()).filter(is_new).count(), found.alarms);
            // A longer lead catches no fewer, a longer cooldown gives no more alarms, a wider gap no more episodes.
            let of = |gap, lead, cooldown| EpisodeCounts::of(&events, &signals, EpisodeRule { gap, lead, cooldown });
            let longer = of(gap, lead + 1, cooldown);
            prop_assert!(longer.caught >= found.caught && longer.false_alarms <= found.false_alarms);
            prop_assert!(of(gap, lead, cooldown + 1).alarms <= found.alarms);
            prop_assert!(of(gap + 1, lead, cooldown).episodes <= found.episodes);
            // Signals on every event catch every episode without a false alarm.
            let own = EpisodeCounts::of(&events, &events, rule);
            prop_assert_eq!((own.caught, own.false_alarms), (own.episodes, 0));
        }
    }
}
