//! The single authority on leakage: when a row has seen what another part holds out.

use super::{Leak, Rows, Split};
use crate::{DataError, Interval, Result, Timeline, timeline::count_of};

/// Held-out rows, arranged so that one walk through other rows compares each with all of them: origins, ascending, each with the first
/// session that no label up to it owns any more.
struct HeldOut(Vec<(usize, usize)>);

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
    fn new(timeline: &Timeline, parts: &[&Rows]) -> Self {
        let held = |row: usize| {
            let Interval { origin, end, .. } = timeline.interval(row);
            // A label without length owns no session.
            (origin, if end > origin { end + 1 } else { 0 })
        };
        let mut rows = Vec::with_capacity(parts.iter().map(|part| part.len()).sum());
        parts.iter().for_each(|part| rows.extend(part.iter().map(held)));
        rows.sort_unstable();
        let mut free = 0;
        for (_, own) in &mut rows {
            free = free.max(*own);
            *own = free;
        }
        Self(rows)
    }

    /// A row uses the prices of sessions start … end; a held-out label owns those in (origin, end]. They must not
    /// meet: then no change of a held-out price can change the row. `next` is where the search for the row before ended.
    fn overlap(&self, row: Interval, next: &mut usize) -> Option<Overlap> {
        if next.checked_sub(1).is_some_and(|before| self.0[before].0 >= row.origin) {
            *next = 0;
        }
        *next += self.0[*next..].iter().take_while(|(origin, _)| *origin < row.origin).count();
        match self.0.get(*next) {
            Some((origin, _)) if *origin == row.origin => return Some(Overlap::Same),
            Some((origin, _)) if row.end > *origin => {
                return Some(Overlap::Label { end: row.end, origin: *origin });
            }
            _ => {}
        }
        // Training after the test block waits for the label's end and then for the whole look-back (the embargo).
        let (_, free) = *self.0.get(next.checked_sub(1)?)?;
        (row.start < free).then(|| Overlap::Inputs { start: row.start, end: free - 1 })
    }
}

/// Leaves out (or, for [`Leak::Paper`], only counts) rows that have seen what is held out from them, or whose group has a row that is.
pub(super) fn purge(split: &mut Split, timeline: &Timeline) -> usize {
    let by_time = purge_by(split, |held| {
        let (held, mut next) = (HeldOut::new(timeline, held), 0);
        move |row| held.overlap(timeline.interval(row), &mut next).is_some()
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
        let overlapping = part.iter().filter(|row| has_seen(*row)).count();
        if leak == Leak::Purged && overlapping > 0 {
            *part = part.iter().filter(|row| !has_seen(*row)).collect();
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
/// use tailrank_data::{Interval, Split, check_leak};
/// let split = Split::new("the first seven rows train", 0..7, 7..10);
/// // The same rows, were their labels two sessions long: row 7 of training ends after the first test origin.
/// let longer: Vec<_> = (0..10).map(|t| Interval { start: t, origin: t, end: t + 2 }).collect();
/// assert!(check_leak(&split, &longer.into()).is_err());
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn check_leak(split: &Split, timeline: &Timeline) -> Result<()> {
    let all = [Some(&split.train), split.validation.as_ref(), Some(&split.test)];
    if let Some(row) = all.into_iter().flatten().filter_map(Rows::last).find(|r| *r >= timeline.len()) {
        let problem = format!("names row {}, but there are {}", row + 1, timeline.len());
        return Err(DataError::split(&split.description, problem, "draw the split from this data"));
    }
    check_part(split, &split.train, &split.held_out().collect::<Vec<_>>(), timeline)?;
    split.validation.as_ref().map_or(Ok(()), |part| check_part(split, part, &[&split.test], timeline))
}

fn check_part(split: &Split, part: &Rows, held: &[&Rows], timeline: &Timeline) -> Result<()> {
    let (held, mut next) = (HeldOut::new(timeline, held), 0);
    let mut seen = |row: usize| {
        let overlap = held.overlap(timeline.interval(row), &mut next);
        overlap.filter(|o| split.leak == Leak::Purged || *o == Overlap::Same)
    };
    let mut leaking = part.iter().filter_map(|row| seen(row).map(|o| (row, o)));
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
