//! Which rows of a table belong together, and how far their labels reach.

use jiff::civil::DateTime;

use crate::{Interval, timeline::rows_of};

/// How far behind its row a label reaches: the target is known only then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelSpan {
    /// So many steps: rows of the same entity, or dates where no entity is named; 1 is the next one.
    Steps(usize),
    /// So many days.
    Days(u32),
}

/// What a table declares about its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowDependence {
    /// What is observed again and again, such as a symbol, as a number for each row.
    pub(crate) entities: Option<Vec<usize>>,
    /// Rows with the same number belong together, such as those of one patient.
    pub(crate) groups: Option<Vec<usize>>,
    pub(crate) label_span: Option<LabelSpan>,
}

/// The place of each time among the distinct ones; times are ascending.
pub(super) fn steps(times: &[DateTime]) -> Vec<usize> {
    let mut step = 0;
    let place = |i: usize| {
        step += usize::from(i > 0 && times[i] != times[i - 1]);
        step
    };
    (0..times.len()).map(place).collect()
}

impl RowDependence {
    /// When each row's label is known, as a step; rows without times stand one step apart. None where every
    /// row is a point.
    pub(crate) fn intervals(&self, rows: usize, times: Option<&[DateTime]>) -> Option<Vec<Interval>> {
        // Groups are kept whole, so that labels of one group never meet those of another part.
        if self.groups.is_some() || (times.is_none() && self.label_span.is_none()) {
            return None;
        }
        let origins = times.map_or_else(|| (0..rows).collect(), steps);
        let ends = match (self.label_span, times) {
            (None, _) => origins.clone(),
            (Some(LabelSpan::Days(days)), Some(times)) => days_ahead(times, &origins, days),
            (Some(LabelSpan::Days(days)), None) => origins.iter().map(|o| o + days as usize).collect(),
            (Some(LabelSpan::Steps(span)), _) => match &self.entities {
                Some(entities) => entity_steps_ahead(entities, &origins, span),
                None => origins.iter().map(|o| o + span).collect(),
            },
        };
        let interval = |(&origin, end): (&usize, usize)| Interval { start: origin, origin, end };
        Some(origins.iter().zip(ends).map(interval).collect())
    }
}

/// The last step within `days` days of each row; behind the last row nothing is known, and the label ends
/// with it.
fn days_ahead(times: &[DateTime], origins: &[usize], days: u32) -> Vec<usize> {
    let span = jiff::Span::new().days(i64::from(days));
    let end = |(time, origin): (&DateTime, &usize)| {
        let limit = time.checked_add(span).unwrap_or(DateTime::MAX);
        let within = times.partition_point(|t| *t <= limit);
        within.checked_sub(1).map_or(*origin, |last| origins[last])
    };
    times.iter().zip(origins).map(end).collect()
}

/// The step of the same entity's row `span` rows on; behind its last row each is taken for one step.
fn entity_steps_ahead(entities: &[usize], origins: &[usize], span: usize) -> Vec<usize> {
    let mut ends = origins.to_vec();
    for rows in rows_of(entities) {
        for (place, &row) in rows.iter().enumerate() {
            let last = rows.len() - 1;
            let ahead = (place + span).min(last);
            ends[row] = origins[rows[ahead]] + (place + span - ahead);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i8) -> DateTime {
        jiff::civil::date(2020, 1, day).at(0, 0, 0, 0)
    }

    #[test]
    fn labels_reach_ahead_by_steps_days_or_rows_of_an_entity() {
        let times = [day(1), day(1), day(2), day(5), day(5), day(9)];
        let of = |dependence: RowDependence| -> Vec<(usize, usize)> {
            dependence.intervals(6, Some(&times)).unwrap().iter().map(|i| (i.origin, i.end)).collect()
        };
        assert_eq!(of(RowDependence::default()), [(0, 0), (0, 0), (1, 1), (2, 2), (2, 2), (3, 3)]);
        let by =
            |label_span, entities| RowDependence { label_span: Some(label_span), entities, groups: None };
        assert_eq!(of(by(LabelSpan::Steps(2), None)), [(0, 2), (0, 2), (1, 3), (2, 4), (2, 4), (3, 5)]);
        assert_eq!(of(by(LabelSpan::Days(4), None)), [(0, 2), (0, 2), (1, 2), (2, 3), (2, 3), (3, 3)]);
        // The second entity misses the second date: its next row is a step later.
        assert_eq!(
            of(by(LabelSpan::Steps(1), Some(vec![0, 1, 0, 0, 1, 0]))),
            [(0, 1), (0, 2), (1, 2), (2, 3), (2, 3), (3, 4)]
        );
        let grouped = RowDependence { groups: Some(vec![0; 6]), ..by(LabelSpan::Steps(2), None) };
        // Each row is a point.
        assert_eq!(grouped.intervals(6, Some(&times)), None);
    }
}
