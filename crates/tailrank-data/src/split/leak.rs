//! The single authority on leakage: when a row has seen what another part holds out.

use super::{Leak, Rows, Split};
use crate::{DataError, Interval, Result, Timeline, timeline::count_of};

/// Held-out rows, arranged so that each of many rows in order of time is compared with all of them in two look-ups.
struct HeldOut {
    /// Origins, ascending.
    origins: Vec<usize>,
    /// The first session that no label of the first i + 1 of them owns any more.
    free_from: Vec<usize>,
    /// The first origin that is not before the row compared last.
    next: usize,
}

/// How a row has seen what is held out.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Overlap {
    /// It is held out itself.
    Same,
    /// Its label ends after the next held-out origin.
    Label { end: usize, origin: usize },
    /// Its inputs reach back into an earlier held-out label.
    Inputs { start: usize, end: usize },
}

impl HeldOut {
    fn new(intervals: &[Interval], parts: &[&Rows]) -> Self {
        let mut rows: Vec<Interval> =
            parts.iter().copied().flat_map(Rows::iter).map(|r| intervals[r]).collect();
        rows.sort_unstable_by_key(|i| i.origin);
        let origins = rows.iter().map(|i| i.origin).collect();
        let free_from = rows
            .iter()
            .scan(0, |free, i| {
                // A label without length owns no session.
                *free = if i.end > i.origin { (i.end + 1).max(*free) } else { *free };
                Some(*free)
            })
            .collect();
        Self { origins, free_from, next: 0 }
    }

    /// A row uses the prices of sessions start … end; a held-out label owns those in (origin, end]. They must not
    /// meet: then no change of a held-out price can change the row.
    fn overlap(&mut self, row: Interval) -> Option<Overlap> {
        while self.next > 0 && self.origins[self.next - 1] >= row.origin {
            self.next -= 1;
        }
        while self.origins.get(self.next).is_some_and(|origin| *origin < row.origin) {
            self.next += 1;
        }
        match self.origins.get(self.next) {
            Some(origin) if *origin == row.origin => return Some(Overlap::Same),
            Some(origin) if row.end > *origin => {
                return Some(Overlap::Label { end: row.end, origin: *origin });
            }
            _ => {}
        }
        // Training after the test block waits for the label's end and then for the whole look-back (the embargo).
        let free = *self.free_from.get(self.next.checked_sub(1)?)?;
        (row.start < free).then(|| Overlap::Inputs { start: row.start, end: free - 1 })
    }
}

/// Leaves out (or, for [`Leak::Paper`], only counts) rows that have seen what is held out from them, or whose group has a row that is.
pub(super) fn purge(split: &mut Split, timeline: &Timeline) -> usize {
    let intervals = timeline.intervals();
    let by_time = purge_by(split, |held| {
        let mut held = HeldOut::new(intervals, held);
        move |row| held.overlap(intervals[row]).is_some()
    });
    let Some(groups) = timeline.groups() else { return by_time };
    let by_group = purge_by(split, |held| {
        let mut is_held = vec![false; count_of(groups)];
        held.iter().flat_map(|rows| rows.iter()).for_each(|row| is_held[groups[row]] = true);
        move |row| is_held[groups[row]]
    });
    by_time + by_group
}

/// `seen` makes of the held-out parts the question whether a row has seen them.
fn purge_by<S: FnMut(usize) -> bool>(split: &mut Split, seen: impl Fn(&[&Rows]) -> S) -> usize {
    let leak = split.leak;
    let purge = |part: &mut Rows, mut has_seen: S| {
        let kept: Vec<usize> = part.iter().filter(|row| !has_seen(*row)).collect();
        let overlapping = part.len() - kept.len();
        if leak == Leak::Purged && overlapping > 0 {
            *part = kept.into();
        }
        overlapping
    };
    let of_test = seen(&[&split.test]);
    let overlapping = split.validation.as_mut().map_or(0, |validation| purge(validation, of_test));
    let of_all = seen(&split.held_out().collect::<Vec<_>>());
    overlapping + purge(&mut split.train, of_all)
}

/// Refuses a split in which training (or choosing) has seen what is held out from it.
///
/// A training row leaks if its label ends after the next held-out origin, if its inputs reach back into an earlier
/// held-out label, or if it is held out itself. [`Leak::Paper`] allows the first two.
///
/// ```
/// use tailrank_data::{Interval, Leak, SplitPlan, Timeline, check_leak};
/// let timeline = Timeline::points(10);
/// let split = SplitPlan::Fraction { train: 0.7, validation: None }.splits(&timeline, Leak::Purged)?.remove(0);
/// // The same rows, were their labels two sessions long: row 7 of training ends after the first test origin.
/// let longer: Vec<_> = (0..10).map(|t| Interval { start: t, origin: t, end: t + 2 }).collect();
/// assert!(check_leak(&split, &longer).is_err());
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn check_leak(split: &Split, intervals: &[Interval]) -> Result<()> {
    let all = [Some(&split.train), split.validation.as_ref(), Some(&split.test)];
    if let Some(row) = all.into_iter().flatten().filter_map(Rows::last).find(|r| *r >= intervals.len()) {
        let problem = format!("names row {}, but there are {}", row + 1, intervals.len());
        return Err(DataError::split(&split.description, problem, "draw the split from this data"));
    }
    check_part(split, &split.train, &split.held_out().collect::<Vec<_>>(), intervals)?;
    split.validation.as_ref().map_or(Ok(()), |part| check_part(split, part, &[&split.test], intervals))
}

fn check_part(split: &Split, part: &Rows, held: &[&Rows], intervals: &[Interval]) -> Result<()> {
    let mut held = HeldOut::new(intervals, held);
    let mut leaking = part.iter().filter_map(|row| {
        let overlap = held.overlap(intervals[row])?;
        (split.leak == Leak::Purged || overlap == Overlap::Same).then_some((row, overlap))
    });
    let Some((row, overlap)) = leaking.next() else { return Ok(()) };
    let why = match overlap {
        Overlap::Same => "it is held out itself".to_owned(),
        Overlap::Label { end, origin } => {
            format!("its label ends at session {}, after the held-out origin {}", end + 1, origin + 1)
        }
        Overlap::Inputs { start, end } => {
            let (start, end) = (start + 1, end + 1);
            format!("its inputs reach back to session {start}, and a held-out label ends at {end}")
        }
    };
    Err(DataError::Leak { split: split.description.clone(), rows: 1 + leaking.count(), row: row + 1, why })
}
