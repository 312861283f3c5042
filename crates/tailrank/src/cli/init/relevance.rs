//! `[relevance]` sections for a target, the best first. Which one holds is decided by planning with it.

use tailrank_metrics::relevance::{BoxPlot, BoxStats, Extremes};

use super::{super::count, round, written};

/// Events that a test should have.
const ENOUGH: f64 = 10.0;
/// More events than this share are not rare.
const RARE: f64 = 0.2;
/// A skewness from which on one side is the long one.
const SKEWED: f64 = 1.0;

/// Sections for the values of a target, of which a share is tested; none when all values are the same.
pub(super) fn for_values(y: &[f64], tested: f64) -> Vec<String> {
    let Some(sorted) = varied(y) else { return Vec::new() };
    let (fenced, found) = match by_box_plot(&sorted, tested) {
        Ok(section) => (Some(section), Found::TooFew),
        Err(found) => (None, found),
    };
    let tails = by_tails(&sorted, tested, side_of(&sorted), found);
    fenced.into_iter().chain(tails).chain(by_points(&sorted)).collect()
}

/// Why the box plot does not tell what is extreme.
#[derive(Clone, Copy)]
enum Found {
    TooFew,
    /// So many of all values that they are not rare.
    TooMany(usize),
}

/// Sections for the returns or differences of one series: falls and rises matter alike, whatever their skewness.
pub(super) fn for_changes(r: &[f64], tested: f64) -> Vec<String> {
    let Some(sorted) = varied(r) else { return Vec::new() };
    let (low, high) = fences(r);
    let beyond = r.iter().filter(|v| **v <= low || **v >= high).count();
    let is_rare = beyond as f64 <= RARE * r.len() as f64;
    let fenced = (beyond as f64 * tested >= ENOUGH && is_rare).then(|| {
        let (low, high) = (written(low), written(high));
        format!(
            r#"[relevance]         # which changes are events
kind = "sigmoid"
low = {low}        # falls below this are events (box plot of the changes)
high = {high}         # rises above this are events
event_threshold = 0.5"#
        )
    });
    let found = if is_rare { Found::TooFew } else { Found::TooMany(beyond) };
    let tails = by_tails(&sorted, tested, Extremes::Both, found);
    fenced.into_iter().chain(tails).chain(by_points(&sorted)).collect()
}

/// A section for several tasks at once: each has the scale of its own horizon and series.
pub(super) fn for_each_task(extremes: &str) -> Vec<String> {
    let section = |coefficient: &str| {
        format!(
            r#"[relevance]         # events lie beyond the box plot of each task's training rows
kind = "pchip"{coefficient}
extremes = "{extremes}"   # "low", "high" or "both"
event_threshold = 0.8
# kind = "sigmoid" with low and high holds for all tasks; [tasks."NAME".relevance] sets one task"#
        )
    };
    let shorter = "# shorter whiskers than 1.5, which leave too few events";
    vec![
        section(""),
        section(&format!("\ncoefficient = 0.75  {shorter}")),
        section(&format!("\ncoefficient = 0.4   {shorter}")),
    ]
}

/// The side on which the extremes of values lie, as the config names it.
pub(super) fn extremes_of(values: &[f64]) -> &'static str {
    match varied(values).map_or(Extremes::Both, |sorted| side_of(&sorted)) {
        Extremes::Low => "low",
        Extremes::High => "high",
        Extremes::Both => "both",
    }
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

fn side_of(sorted: &[f64]) -> Extremes {
    let n = sorted.len() as f64;
    let mean = sorted.iter().sum::<f64>() / n;
    let moment = |power: i32| sorted.iter().map(|v| (v - mean).powi(power)).sum::<f64>() / n;
    match moment(3) / moment(2).powf(1.5) {
        skewness if skewness > SKEWED => Extremes::High,
        skewness if skewness < -SKEWED => Extremes::Low,
        _ => Extremes::Both,
    }
}

/// Where the box plot finds extremes enough.
fn by_box_plot(sorted: &[f64], tested: f64) -> Result<String, Found> {
    let (low, high) = fences(sorted);
    let below = sorted.partition_point(|v| *v < low);
    let above = sorted.len() - sorted.partition_point(|v| *v <= high);
    let enough = |count: usize| count as f64 * tested >= ENOUGH;
    let extremes = match (enough(below), enough(above), side_of(sorted)) {
        (false, false, _) => return Err(Found::TooFew),
        (true, _, Extremes::Low) | (true, false, _) => "low",
        (_, true, Extremes::High) | (false, true, _) => "high",
        (true, true, Extremes::Both) => "both",
    };
    let events = if extremes == "both" { below + above } else { below.max(above) };
    if events as f64 > RARE * sorted.len() as f64 {
        return Err(Found::TooMany(events));
    }
    let by_hand = match extremes {
        "low" => format!("low = {}", written(low)),
        _ => format!("high = {}", written(high)),
    };
    Ok(format!(
        r#"[relevance]         # which values are events
kind = "pchip"      # box plot of the training rows: {below} values lie below it, {above} above
extremes = "{extremes}"   # "low", "high" or "both"
event_threshold = 0.8
# kind = "sigmoid"  # or by hand
# {by_hand}"#
    ))
}

/// The outermost values on the long side, or on both; a sigmoid has no centre at 0.
fn by_tails(sorted: &[f64], tested: f64, side: Extremes, found: Found) -> Option<String> {
    let most = if side == Extremes::Both { 0.09 } else { 0.15 };
    let share = (ENOUGH / (tested * sorted.len() as f64)).clamp(0.05, most);
    let (low, high) = (quantile(sorted, share), quantile(sorted, 1.0 - share));
    let median = sorted[(sorted.len() - 1) / 2];
    let low = (side != Extremes::High && low < median && low != 0.0).then_some(low);
    let high = (side != Extremes::Low && high > median && high != 0.0).then_some(high);
    // A long side whose tail is no tail leaves nothing to say.
    if low.is_none() && high.is_none() || (side == Extremes::Both && (low.is_none() || high.is_none())) {
        return None;
    }
    let line = |key: &str, centre: Option<f64>, comment: &str| {
        centre.map_or_else(String::new, |c| format!("{key} = {}{comment}\n", written(c)))
    };
    let low = line("low", low, "         # values below this are events");
    let high = line("high", high, "       # values above this are events");
    let why = match found {
        Found::TooFew => "too few extremes".to_owned(),
        Found::TooMany(events) => {
            format!("too many extremes ({} of {})", count(events, "value"), count(sorted.len(), "row"))
        }
    };
    let sides = if side == Extremes::Both { " on each side" } else { "" };
    Some(format!(
        r#"[relevance]         # which values are events
kind = "sigmoid"    # the box plot finds {why}; these are the outermost {:.0}%{sides}
{low}{high}event_threshold = 0.5"#,
        100.0 * share
    ))
}

/// Control points from the median to the rarer side: for counts that are mostly zero, and the like.
fn by_points(sorted: &[f64]) -> Option<String> {
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let median = sorted[(sorted.len() - 1) / 2];
    let beyond = |at: f64, end: f64| if at == median { end } else { at };
    let (points, side) = if most > median && side_of(sorted) != Extremes::Low {
        let high = beyond(quantile(sorted, 0.95), most);
        (format!("[[{median:?}, 0.0], [{high:?}, 1.0]]"), "high")
    } else {
        let low = beyond(quantile(sorted, 0.05), least);
        (format!("[[{low:?}, 1.0], [{median:?}, 0.0]]"), "low")
    };
    let middle = written(median);
    Some(format!(
        r#"[relevance]         # which values are events
kind = "pchip"      # many values are {middle}, so a box plot fails; relevance of {side} values grows from the median
points = {points}   # [value, relevance from 0 to 1]
event_threshold = 0.8"#
    ))
}

/// A quantile as a person would write it, unless rounding would take it out of the data.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let exact = sorted[((sorted.len() - 1) as f64 * share) as usize];
    let rounded = format!("{exact:.2e}").parse().unwrap_or(exact);
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
        let found = for_values(&ones, 1.0);
        assert_eq!(found.len(), 1, "neither outliers nor tails: {found:?}");
        assert!(found[0].contains("points = [[0.0, 0.0], [1.0, 1.0]]"), "{}", found[0]);
        let zeros = [vec![0.0; 3], vec![1.0; 97]].concat();
        assert!(for_values(&zeros, 1.0).iter().any(|r| r.contains("points = [[0.0, 1.0], [1.0, 0.0]]")));
        assert!(for_values(&[5.0; 30], 1.0).is_empty());
    }

    #[test]
    fn a_long_tail_decides_the_side() {
        let rain: Vec<f64> = (1..=200).map(|i| (f64::from(i) / 40.0).exp()).collect();
        assert_eq!(extremes_of(&rain), "high");
        assert_eq!(extremes_of(&rain.iter().map(|v| -v).collect::<Vec<_>>()), "low");
        assert!(for_values(&rain, 1.0)[0].contains("extremes = \"high\""), "{}", for_values(&rain, 1.0)[0]);
        let flat: Vec<f64> = (0..100).map(f64::from).collect();
        let tails = &for_values(&flat, 1.0)[0];
        assert!(tails.contains("low = 8 ") && tails.contains("high = 90 "), "{tails}");
        assert!(tails.contains("finds too few extremes; these are the outermost 9% on each side"), "{tails}");
    }

    #[test]
    fn too_many_extremes_are_not_called_too_few() {
        let level: Vec<f64> = (0..151).map(|i| f64::from(1 + i % 7)).collect();
        let many = [level, (0..49).map(|i| 1000.0 + f64::from(i)).collect()].concat();
        let tails = &for_values(&many, 1.0)[0];
        assert!(tails.contains("finds too many extremes (49 values of 200 rows); these"), "{tails}");
        let tails = &for_changes(&many, 1.0)[0];
        assert!(tails.contains("finds too many extremes (49 values of 200 rows); these"), "{tails}");
    }

    #[test]
    fn large_numbers_are_floats_in_an_experiment() {
        let huge: Vec<f64> = (0..200).map(|i| 1e160 * (1.0 + (f64::from(i) / 40.0).exp())).collect();
        for section in [for_values(&huge, 1.0), for_changes(&huge, 1.0)].concat() {
            assert!(section.lines().all(|line| line.len() < 140), "{section}");
            assert!(section.contains("e16"), "{section}");
        }
    }
}
