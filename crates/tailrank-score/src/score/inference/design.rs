//! Which cases of a task hang together, and how their truth may be rearranged.

use tailrank_data::Dataset;
use tailrank_stats::{Dependence, NullOrders, Units};

use super::{Question, Untestable};
use crate::score::TaskTruth;

/// How the rows of the data depend on each other, as far as the data tells; every vector has one value a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowDesign {
    /// The place of each row's time among the distinct times.
    pub steps: Option<Vec<usize>>,
    /// What is the same from time to time, such as a symbol.
    pub entities: Option<Vec<usize>>,
    /// What belongs together, such as the rows of a patient.
    pub groups: Option<Vec<usize>>,
    /// The most steps that a label reaches ahead.
    pub label_span: usize,
}

impl RowDesign {
    /// What the data declares.
    pub fn of(data: &Dataset) -> Self {
        let timeline = data.timeline();
        let own = |values: Option<&[usize]>| values.map(<[usize]>::to_vec);
        let ahead = |row: usize| timeline.interval(row).end - timeline.interval(row).origin;
        Self {
            steps: own(timeline.steps()),
            entities: own(timeline.entities()),
            groups: own(timeline.groups()),
            label_span: (0..timeline.len()).map(ahead).max().unwrap_or(0),
        }
    }
}

/// Steps that a label reaches ahead, at least 1.
pub(super) fn label_span(question: &Question<'_>) -> usize {
    question.horizon.unwrap_or(question.design.label_span).max(1)
}

/// The units of cases whose rows in the data are known, or of as many cases of which nothing is.
pub(super) fn units(question: &Question<'_>, rows: Option<&[usize]>, cases: usize) -> Units {
    let design = question.design;
    let of_rows = |values: &[usize]| -> Option<Vec<usize>> {
        rows?.iter().map(|&row| values.get(row).copied()).collect()
    };
    if let Some(groups) = design.groups.as_deref().and_then(of_rows) {
        return Units::groups(&groups);
    }
    if let Some(steps) = design.steps.as_deref().and_then(of_rows) {
        let entities = design.entities.as_deref().and_then(of_rows);
        if let Ok(units) = Units::dates(&steps, entities.as_deref()) {
            return units;
        }
    }
    if question.horizon.is_some() || question.settings.block.is_some() {
        Units::steps(cases)
    } else {
        Units::cases(cases)
    }
}

/// The part of each case.
pub(super) fn windows(parts: &[&TaskTruth]) -> Vec<usize> {
    parts.iter().enumerate().flat_map(|(i, part)| vec![i; part.truth.len()]).collect()
}

/// Orders of the cases under chance: within their windows where these allow enough of them, or else within
/// the whole period.
///
/// A p value below α over all tasks must be possible: where time allows too few shifts, each window is cut
/// into a few pieces that are shifted on their own, none shorter than eight times what is excluded and ten
/// blocks.
pub(super) fn null_orders(
    question: &Question<'_>,
    units: &Units,
    windows: &[usize],
    block: f64,
    (draws, seed): (usize, u64),
) -> Result<(NullOrders, bool), Untestable> {
    let excluded = if question.horizon.is_some() { question.lags } else { 0 } + label_span(question);
    let needed = question.tests.max(1) as f64 / question.alpha;
    let whole = vec![0; windows.len()];
    let mut options = vec![(windows.to_vec(), false)];
    if units.dependence() == Dependence::Time {
        let shortest = (8 * (excluded + 1)).max((10.0 * block).ceil() as usize);
        options.extend((2..=8).map_while(|n| pieces(units, windows, n, shortest)).map(|cut| (cut, false)));
    }
    if windows.iter().any(|&w| w != windows[0]) {
        options.push((whole, true));
    }
    let mut most: f64 = 0.0;
    let mut failed = None;
    for (windows, crosses) in options {
        match NullOrders::new(units, &windows, excluded, draws, seed) {
            Ok(orders) if orders.distinct() + 1.0 > needed => return Ok((orders, crosses)),
            Ok(orders) => most = most.max(orders.distinct()),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    Err(match failed {
        Some(error @ tailrank_stats::StatsError::TooFew { .. }) if most == 0.0 => Untestable::from(&error),
        _ => Untestable::FewRearrangements(most as usize),
    })
}

/// Every window cut into `n` pieces of equally many dates; none where one would be shorter than `shortest`.
fn pieces(units: &Units, windows: &[usize], n: usize, shortest: usize) -> Option<Vec<usize>> {
    let mut dates = std::collections::BTreeMap::<usize, std::collections::BTreeMap<u32, usize>>::new();
    for (&window, &unit) in windows.iter().zip(units.unit_of()) {
        dates.entry(window).or_default().insert(unit, 0);
    }
    for of_window in dates.values_mut() {
        let count = of_window.len();
        if count / n < shortest {
            return None;
        }
        of_window.values_mut().enumerate().for_each(|(i, piece)| *piece = i * n / count);
    }
    Some(windows.iter().zip(units.unit_of()).map(|(w, unit)| w * n + dates[w][unit]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_cut_into_pieces_of_whole_dates() {
        let dates: Vec<usize> = (0..40).map(|i| i / 2).collect();
        let units = Units::dates(&dates, None).unwrap();
        let windows: Vec<usize> = (0..40).map(|i| i / 20).collect();
        let cut = pieces(&units, &windows, 2, 5).unwrap();
        assert_eq!(cut, (0..40).map(|i| i / 10).collect::<Vec<_>>());
        assert_eq!(pieces(&units, &windows, 2, 6), None);
    }
}
