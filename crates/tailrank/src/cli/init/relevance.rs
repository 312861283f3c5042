//! `[relevance]` sections for a target, the best first. Which one holds is decided by planning with it.

use tailrank_metrics::relevance::{BoxPlot, BoxStats, Extremes};
use tailrank_stats::skewness;

use super::{super::prelude::count, round, written};

/// Events that a test should have.
const ENOUGH: f64 = 10.0;
/// More events than this share are not rare.
const RARE: f64 = 0.2;
/// A skewness from which on one side is the long one.
const SKEWED: f64 = 1.0;

/// A `[relevance]` section.
pub(super) struct Section {
    pub(super) text: String,
    /// Where its bounds come from, in words.
    pub(super) source: String,
}

/// The values that train, and how many are tested for each of them.
#[derive(Clone, Copy)]
pub(super) struct Training<'a> {
    pub(super) values: &'a [f64],
    pub(super) tested: f64,
    /// Which values these are, in words.
    pub(super) rows: &'static str,
}

/// Sections for the values of a target; none when all values are the same.
pub(super) fn for_values(train: Training<'_>) -> Vec<Section> {
    let Some(sorted) = varied(train.values) else { return Vec::new() };
    let (fenced, why) = match by_box_plot(&sorted, train.tested) {
        Ok(text) => (Some(boxed(text)), TOO_FEW.to_owned()),
        Err(why) => (None, why),
    };
    let tails = by_tails(&sorted, train, side_of(&sorted), &why);
    fenced.into_iter().chain(tails).chain(by_points(&sorted, train.rows)).collect()
}

/// A section whose bounds are those of each task's training rows.
fn boxed(text: String) -> Section {
    Section { text, source: "box plot of the training rows".to_owned() }
}

/// Why the box plot does not tell what is extreme.
const TOO_FEW: &str = "too few extremes";

/// So many of all values that they are not rare.
fn too_many(events: usize, rows: usize) -> String {
    format!("too many extremes ({} of {})", count(events, "value"), count(rows, "row"))
}

fn is_rare(events: usize, rows: usize) -> bool {
    events as f64 <= RARE * rows as f64
}

/// Sections for the returns or differences of one series: falls and rises matter alike, whatever their skewness.
pub(super) fn for_changes(train: Training<'_>) -> Vec<Section> {
    let (r, rows) = (train.values, train.rows);
    let Some(sorted) = varied(r) else { return Vec::new() };
    let (low, high) = fences(r);
    let beyond = r.iter().filter(|v| **v <= low || **v >= high).count();
    let is_rare = is_rare(beyond, r.len());
    let fenced = (beyond as f64 * train.tested >= ENOUGH && is_rare).then(|| {
        let (low, high) = (written(low), written(high));
        let text = format!(
            r#"[relevance]         # which changes are events
kind = "sigmoid"
low = {low}        # falls below this are events (box plot of {rows})
high = {high}         # rises above this are events
event_threshold = 0.5"#
        );
        Section { text, source: format!("box plot of {rows}") }
    });
    let why = if is_rare { TOO_FEW.to_owned() } else { too_many(beyond, sorted.len()) };
    let tails = by_tails(&sorted, train, Extremes::Both, &why);
    let sections: Vec<Section> = fenced.into_iter().chain(tails).collect();
    // Points know one side alone.
    if sections.is_empty() { by_points(&sorted, rows).into_iter().collect() } else { sections }
}

/// A section for several tasks at once: each has the scale of its own horizon and series.
pub(super) fn for_each_task(extremes: &str) -> Vec<Section> {
    let section = |coefficient: &str| {
        boxed(format!(
            r#"[relevance]         # events lie beyond the box plot of each task's training rows
kind = "pchip"{coefficient}
extremes = "{extremes}"   # "low", "high" or "both"
event_threshold = 0.8
# Instead of these lines, kind = "sigmoid" with low, high and event_threshold = 0.5 holds for all tasks.
# A section [tasks."NAME".relevance] of the same form holds for one task."#
        ))
    };
    let shorter = "# shorter whiskers than 1.5, which leave too few events";
    let coefficients = ["0.75 ", "0.4  "].map(|c| format!("\ncoefficient = {c} {shorter}"));
    [String::new()].iter().chain(&coefficients).map(|coefficient| section(coefficient)).collect()
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
    match skewness(sorted) {
        skewness if skewness > SKEWED => Extremes::High,
        skewness if skewness < -SKEWED => Extremes::Low,
        _ => Extremes::Both,
    }
}

/// Where the box plot finds extremes enough.
fn by_box_plot(sorted: &[f64], tested: f64) -> Result<String, String> {
    let (low, high) = fences(sorted);
    let below = sorted.partition_point(|v| *v < low);
    let above = sorted.len() - sorted.partition_point(|v| *v <= high);
    let enough = |count: usize| count as f64 * tested >= ENOUGH;
    let extremes = match (enough(below), enough(above), side_of(sorted)) {
        (false, false, _) => return Err(TOO_FEW.to_owned()),
        (true, _, Extremes::Low) | (true, false, _) => "low",
        (_, true, Extremes::High) | (false, true, _) => "high",
        (true, true, Extremes::Both) => "both",
    };
    let events = if extremes == "both" { below + above } else { below.max(above) };
    if !is_rare(events, sorted.len()) {
        return Err(too_many(events, sorted.len()));
    }
    let by_hand = by_hand(extremes, low, high);
    Ok(format!(
        r#"[relevance]         # which values are events
kind = "pchip"      # box plot of the training rows: {below} values lie below it, {above} above
extremes = "{extremes}"   # "low", "high" or "both"
event_threshold = 0.8{by_hand}"#
    ))
}

/// The same events as bounds that a user may change, all lines of them; none where a bound is 0, which a sigmoid does not know.
fn by_hand(extremes: &str, low: f64, high: f64) -> String {
    let bounds =
        [("low", low), ("high", high)].into_iter().filter(|(side, _)| ["both", side].contains(&extremes));
    let lines: String =
        bounds.clone().map(|(side, bound)| format!("# {side} = {}\n", written(bound))).collect();
    let head = "\n# By hand: put these lines in the place of the three above.\n# kind = \"sigmoid\"\n";
    let is_known = bounds.into_iter().all(|(_, bound)| bound != 0.0);
    if is_known { format!("{head}{lines}# event_threshold = 0.5") } else { String::new() }
}

/// The outermost values on the long side, or on both; a sigmoid has no centre at 0.
fn by_tails(sorted: &[f64], train: Training<'_>, side: Extremes, why: &str) -> Option<Section> {
    let most = if side == Extremes::Both { 0.09 } else { 0.15 };
    let share = (ENOUGH / (train.tested * sorted.len() as f64)).clamp(0.05, most);
    let (low, high) = (quantile(sorted, share), quantile(sorted, 1.0 - share));
    let median = sorted[(sorted.len() - 1) / 2];
    let low = (side != Extremes::High && low < median && low != 0.0).then_some(low);
    let high = (side != Extremes::Low && high > median && high != 0.0).then_some(high);
    // A long side whose tail is no tail leaves nothing to say.
    let found = [low, high].iter().flatten().count();
    if found == 0 || side == Extremes::Both && found == 1 {
        return None;
    }
    let line = |key: &str, centre: Option<f64>, comment: &str| {
        centre.map_or_else(String::new, |c| format!("{key} = {}{comment}\n", written(c)))
    };
    let low = line("low", low, "         # values below this are events");
    let high = line("high", high, "       # values above this are events");
    let sides = if side == Extremes::Both { " on each side" } else { "" };
    let source = format!("outermost {:.0}%{sides} of {}", 100.0 * share, train.rows);
    let text = format!(
        r#"[relevance]         # which values are events
kind = "sigmoid"    # the box plot finds {why}; these are the {source}
{low}{high}event_threshold = 0.5"#
    );
    Some(Section { text, source })
}

/// Control points from the median to the rarer side: for counts that are mostly zero, and the like.
fn by_points(sorted: &[f64], rows: &str) -> Option<Section> {
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
    let text = format!(
        r#"[relevance]         # which values are events
kind = "pchip"      # many values are {middle}, so a box plot fails; relevance of {side} values grows from the median
points = {points}   # [value, relevance from 0 to 1]
event_threshold = 0.8"#
    );
    Some(Section { text, source: format!("from the median of {rows} on") })
}

/// A quantile as a person would write it, unless rounding would take it out of the data.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let exact = sorted[((sorted.len() - 1) as f64 * share) as usize];
    let rounded = format!("{exact:.2e}").parse().unwrap_or(exact);
    let inside = sorted[0] <= rounded && rounded <= sorted[sorted.len() - 1];
    if inside { rounded } else { exact }
}

#[cfg(test)]
mod tests {
    use tailrank_experiment::config::{RelevanceKind, RelevanceSettings};
    use tailrank_metrics::Relevance;

    use super::*;

    fn all(values: &[f64]) -> Training<'_> {
        Training { values, tested: 1.0, rows: "all rows" }
    }

    fn texts(sections: Vec<Section>) -> Vec<String> {
        sections.into_iter().map(|section| section.text).collect()
    }

    #[test]
    fn rare_values_are_found_on_either_side() {
        let ones = [vec![0.0; 60], vec![1.0; 40]].concat();
        let found = texts(for_values(all(&ones)));
        assert_eq!(found.len(), 1, "neither outliers nor tails: {found:?}");
        assert!(found[0].contains("points = [[0.0, 0.0], [1.0, 1.0]]"), "{}", found[0]);
        let zeros = [vec![0.0; 3], vec![1.0; 97]].concat();
        assert!(
            texts(for_values(all(&zeros))).iter().any(|r| r.contains("points = [[0.0, 1.0], [1.0, 0.0]]"))
        );
        assert!(for_values(all(&[5.0; 30])).is_empty());
    }

    #[test]
    fn a_long_tail_decides_the_side() {
        let rain: Vec<f64> = (1..=200).map(|i| (f64::from(i) / 40.0).exp()).collect();
        assert_eq!(extremes_of(&rain), "high");
        assert_eq!(extremes_of(&rain.iter().map(|v| -v).collect::<Vec<_>>()), "low");
        assert!(
            texts(for_values(all(&rain)))[0].contains("extremes = \"high\""),
            "{}",
            texts(for_values(all(&rain)))[0]
        );
        let flat: Vec<f64> = (0..100).map(f64::from).collect();
        let tails = &texts(for_values(all(&flat)))[0];
        assert!(tails.contains("low = 8 ") && tails.contains("high = 90 "), "{tails}");
        assert!(
            tails.contains("finds too few extremes; these are the outermost 9% on each side of all rows"),
            "{tails}"
        );
    }

    /// Whoever follows the comment gets the events of the box plot's fences, and no setting of the other kind is left.
    #[test]
    fn lines_by_hand_are_complete() {
        let values: Vec<f64> =
            (0..400).map(|i| f64::from(i % 40) + if i % 25 == 0 { 100.0 } else { 0.0 }).collect();
        let both = [values.clone(), values.iter().map(|v| 60.0 - v).collect()].concat();
        for (values, sides) in [(values, 1), (both, 2)] {
            let text = &texts(for_values(all(&values)))[0];
            let (before, lines) =
                text.split_once("# By hand: put these lines in the place of the three above.").unwrap();
            let keys =
                |text: &str| text.lines().filter(|l| !l.is_empty() && !l.starts_with(['[', '#'])).count();
            assert_eq!(keys(before), 3, "{text}");
            let settings: RelevanceSettings = toml::from_str(&lines.replace("\n# ", "\n")).unwrap();
            assert_eq!((settings.kind, settings.event_threshold), (RelevanceKind::Sigmoid, 0.5));
            let (low, high) = fences(&values);
            let phi = Relevance::sigmoid(settings.low, settings.high, settings.k, settings.delta).unwrap();
            let bounds = phi.event_bounds(settings.event_threshold).unwrap();
            assert_eq!(bounds.len(), sides, "{text}");
            let is_fence =
                |bound: f64| !bound.is_finite() || [low, high].iter().any(|f| (f - bound).abs() < 1e-9);
            assert!(bounds.iter().all(|range| is_fence(range.from) && is_fence(range.to)), "{bounds:?}");
        }
    }

    #[test]
    fn too_many_extremes_are_not_called_too_few() {
        let level: Vec<f64> = (0..151).map(|i| f64::from(1 + i % 7)).collect();
        let many = [level, (0..49).map(|i| 1000.0 + f64::from(i)).collect()].concat();
        let tails = &texts(for_values(all(&many)))[0];
        assert!(tails.contains("finds too many extremes (49 values of 200 rows); these"), "{tails}");
        let tails = &texts(for_changes(all(&many)))[0];
        assert!(tails.contains("finds too many extremes (49 values of 200 rows); these"), "{tails}");
    }

    #[test]
    fn large_numbers_are_floats_in_an_experiment() {
        let huge: Vec<f64> = (0..200).map(|i| 1e160 * (1.0 + (f64::from(i) / 40.0).exp())).collect();
        for section in [texts(for_values(all(&huge))), texts(for_changes(all(&huge)))].concat() {
            assert!(section.lines().all(|line| line.len() < 140), "{section}");
            assert!(section.contains("e16"), "{section}");
        }
    }
}
