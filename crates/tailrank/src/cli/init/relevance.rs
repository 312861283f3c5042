//! `[relevance]` sections for a target, the best first. Which one holds is decided by planning with it.

use tailrank_metrics::relevance::{BoxPlot, BoxStats};

use super::round;

/// Sections for the values of a table's target; none when all values are the same.
pub(super) fn for_values(y: &[f64]) -> Vec<String> {
    let Some(sorted) = varied(y) else { return Vec::new() };
    by_box_plot(y).into_iter().chain(by_tails(&sorted)).chain(by_points(&sorted)).collect()
}

/// Sections for the returns of a series.
pub(super) fn for_returns(r: &[f64]) -> Vec<String> {
    let Some(sorted) = varied(r) else { return Vec::new() };
    let (low, high) = fences(r);
    let fenced = format!(
        r#"[relevance]         # which returns matter
kind = "sigmoid"
low = {low}        # falls below this matter (lower fence of the daily returns' box plot)
high = {high}         # rises above this matter
event_threshold = 0.5"#
    );
    std::iter::once(fenced).chain(by_tails(&sorted)).chain(by_points(&sorted)).collect()
}

/// The values in order, unless they are all the same.
fn varied(values: &[f64]) -> Option<Vec<f64>> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    (sorted.first()? < sorted.last()?).then_some(sorted)
}

/// The fences of the box plot: where values begin to be extreme.
pub(super) fn fences(values: &[f64]) -> (f64, f64) {
    match BoxStats::new(values, 1.5, BoxPlot::Plain) {
        Ok(stats) => (round(stats.lower_fence), round(stats.upper_fence)),
        Err(_) => (-1.0, 1.0),
    }
}

/// Where the box plot finds extremes enough.
fn by_box_plot(y: &[f64]) -> Option<String> {
    // Folds see a part of the rows: with fewer outliers than this one of them may see none.
    const ENOUGH: usize = 10;
    let (low, high) = fences(y);
    let below = y.iter().filter(|v| **v < low).count();
    let above = y.iter().filter(|v| **v > high).count();
    let extremes = match (below >= ENOUGH, above >= ENOUGH) {
        (true, true) => "both",
        (true, false) => "low",
        (false, true) => "high",
        (false, false) => return None,
    };
    Some(format!(
        r#"[relevance]         # which values of the target matter
kind = "pchip"      # from the box plot of the training rows: {below} values lie below it, {above} above
extremes = "{extremes}"   # "low", "high" or "both"
event_threshold = 0.8
# kind = "sigmoid"  # or by hand: values above this matter
# high = {high}"#
    ))
}

/// The outermost twentieths; a sigmoid has no centre at 0.
fn by_tails(sorted: &[f64]) -> Option<String> {
    let (low, high) = (quantile(sorted, 0.05), quantile(sorted, 0.95));
    (low < high && low != 0.0 && high != 0.0).then(|| {
        format!(
            r#"[relevance]         # which values of the target matter
kind = "sigmoid"    # the box plot finds too few extremes, so these are the outermost 5 % on each side
low = {low}         # values below this matter; remove the line if they do not
high = {high}       # values above this matter
event_threshold = 0.5"#
        )
    })
}

/// Control points from the median to the rarer side: for counts that are mostly zero, for 0 and 1, and the like.
fn by_points(sorted: &[f64]) -> Option<String> {
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let median = sorted[(sorted.len() - 1) / 2];
    let beyond = |at: f64, end: f64| if at == median { end } else { at };
    let (points, side) = if most > median {
        let high = beyond(quantile(sorted, 0.95), most);
        (format!("[[{median:?}, 0.0], [{high:?}, 1.0]]"), "high")
    } else {
        let low = beyond(quantile(sorted, 0.05), least);
        (format!("[[{low:?}, 1.0], [{median:?}, 0.0]]"), "low")
    };
    Some(format!(
        r#"[relevance]         # which values of the target matter
kind = "pchip"      # most values are {median}, so a box plot says nothing: {side} values matter, from the median on
points = {points}   # [value, relevance]: 0 does not matter, 1 matters fully
event_threshold = 0.8"#
    ))
}

/// A quantile as a person would write it, unless rounding would take it out of the data.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let exact = sorted[((sorted.len() - 1) as f64 * share) as usize];
    let rounded = round(exact);
    let inside =
        sorted.first().is_some_and(|l| *l <= rounded) && sorted.last().is_some_and(|m| rounded <= *m);
    if inside { rounded } else { exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_values_are_found_on_either_side() {
        let ones = [vec![0.0; 60], vec![1.0; 40]].concat();
        let found = for_values(&ones);
        assert_eq!(found.len(), 1, "neither outliers nor tails: {found:?}");
        assert!(found[0].contains("points = [[0.0, 0.0], [1.0, 1.0]]"), "{}", found[0]);
        let zeros = [vec![0.0; 3], vec![1.0; 97]].concat();
        assert!(for_values(&zeros).iter().any(|r| r.contains("points = [[0.0, 1.0], [1.0, 0.0]]")));
        assert!(for_values(&[5.0; 30]).is_empty());
    }
}
