//! The models of one task by one measure, with what became of their signals and their rank by the ordinary measure.

use tailrank_experiment::text::{DASH, digits, digits_together, fixed, or_dash, thousands, two_decimals};
use tailrank_metrics::Measure;
use tailrank_score::score::{Results, TaskId, VariantId, answer::Decision};

use super::sentences::{model_name, symbol};
use crate::{
    figures::style::places,
    terminal::{Align, TextTable},
};

/// One model or baseline.
struct Row {
    variant: VariantId,
    /// Its rank by the measure; none for baselines.
    rank: Option<f64>,
    score: Option<f64>,
    ends: Option<(f64, f64)>,
    tied: bool,
}

/// Which rows a leaderboard has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// So many of the first models, the ordinary measure's pick and the best baseline.
    Short(usize),
    /// Everything.
    Full,
}

/// The leaderboard of a task by the measure of a decision; `other` is the ordinary measure.
pub(super) fn leaderboard(
    results: &Results,
    decision: &Decision,
    other: Option<Measure>,
    length: Length,
) -> TextTable {
    let (scores, measure) = (&results.scores[decision.task], decision.measure);
    let rows = rows(results, decision, other, length);
    let own: Vec<f64> = rows.iter().map(|r| r.score.unwrap_or(f64::NAN)).collect();
    let scores_text = digits_together(&own);
    // Ends of intervals need no more than three digits.
    let largest = own.iter().copied().filter(|v| v.is_finite()).fold(0.0_f64, |m, v| m.max(v.abs()));
    let decimals = digits_together(&[largest]).iter().map(|t| decimals(t)).max().unwrap_or(0);
    // Very large and very small columns take powers of ten.
    let is_plain = largest < 1e6 && (largest == 0.0 || largest >= 1e-4);
    let print = |v: f64| if is_plain { fixed(v, decimals) } else { digits(v) };
    let any_tied = rows.iter().any(|r| r.tied);
    let has_counts = scores.counts.iter().any(Option::is_some);
    let has_ends = rows.iter().any(|r| r.ends.is_some());
    let level = 100.0 * results.inferred_by.level;

    let mut headings = vec![
        (format!("by {}", symbol(measure)), Align::Right),
        ("model".to_owned(), Align::Left),
        (symbol(measure).to_owned(), Align::Right),
    ];
    if has_ends {
        headings.push((format!("{level:.0}% CI{}", if any_tied { "  " } else { "" }), Align::Right));
    }
    if has_counts {
        let alarms = if length == Length::Full { "false" } else { "false alarms" };
        headings.extend([("caught".to_owned(), Align::Right), (alarms.to_owned(), Align::Right)]);
    }
    let other_values = other.map(|m| (scores.values(m), scores.ranks(m)));
    let other_texts = other_values.as_ref().map(|(values, _)| {
        let shown: Vec<f64> = rows.iter().map(|r| values[r.variant.0].unwrap_or(f64::NAN)).collect();
        digits_together(&shown)
    });
    headings.extend(other.map(|other| (format!("{} (rank)", symbol(other)), Align::Right)));
    // Where exaggeration is rewarded, how far signals exaggerate stands beside the scores.
    let slopes = (length == Length::Full && has_counts).then(|| slopes(results, decision.task, &rows));
    headings.extend(slopes.iter().map(|_| ("slope".to_owned(), Align::Right)));
    let repeats = scores.repeats.max(1) as f64;
    let mean = |n: usize| thousands((n as f64 / repeats).round() as usize);
    let lines = rows.iter().enumerate().map(|(i, row)| {
        let name = model_name(results, decision, row.variant);
        let (rank, name) = match row.rank {
            Some(rank) => (places(rank), name),
            None => ("base".to_owned(), name.strip_prefix("baseline ").unwrap_or(&name).to_owned()),
        };
        let mut cells = vec![rank, name, scores_text[i].clone()];
        if has_ends {
            let ends = row.ends.map(|(lower, upper)| {
                let (lower, upper) = (print(lower), print(upper));
                let between = if lower.contains('−') || upper.contains('−') { " to " } else { "–" };
                format!("{lower}{between}{upper}")
            });
            let tied = match (any_tied, row.tied) {
                (_, true) => " =",
                (true, false) => "  ",
                (false, false) => "",
            };
            cells.push(ends.unwrap_or_else(|| DASH.to_owned()) + tied);
        }
        if has_counts {
            let counts = scores.counts[row.variant];
            let told = |n: Option<usize>| n.map_or_else(|| DASH.to_owned(), mean);
            cells.push(told(counts.map(|c| c.hits + c.near_misses)));
            cells.push(told(counts.map(|c| c.false_alarms)));
        }
        if let (Some(texts), Some((_, ranks))) = (&other_texts, &other_values) {
            let rank = ranks[row.variant.0].map(|r| format!("({})", places(r))).unwrap_or_default();
            cells.push(format!("{} {rank:>4}", texts[i]));
        }
        cells.extend(slopes.as_ref().map(|slopes| slopes[i].clone()));
        cells
    });
    let lines: Vec<Vec<String>> = lines.collect();
    let strong = if decision.recommended().is_some() { vec![0] } else { Vec::new() };
    TextTable { headings, rows: lines, strong, indent: 1 }
}

/// Whether a row of the table is marked as tied.
pub(super) fn marks_ties(table: &TextTable) -> bool {
    table.rows.iter().flatten().any(|cell| cell.ends_with(" ="))
}

fn rows(results: &Results, decision: &Decision, other: Option<Measure>, length: Length) -> Vec<Row> {
    let (scores, measure) = (&results.scores[decision.task], decision.measure);
    let ranks = scores.ranks(measure);
    let row = |variant: VariantId| Row {
        variant,
        rank: ranks[variant.0],
        score: scores.score(variant, measure).and_then(tailrank_metrics::Score::value),
        ends: ends(results, decision.task, measure, variant),
        tied: decision.tied.contains(&variant),
    };
    let mut models: Vec<Row> = scores.distinct().into_iter().map(row).collect();
    models.sort_by(|a, b| {
        let key = |r: &Row| (Some(r.variant) != decision.model, r.rank.unwrap_or(f64::INFINITY));
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let is_pick = |v: VariantId| {
        let pick = other.and_then(|m| scores.best(m));
        pick.is_some_and(|p| scores.same_as[p] == v)
    };
    let baselines = scores.scored().into_iter().filter(|&v| scores.references[v] && scores.same_as[v] == v);
    let baselines: Vec<VariantId> = match length {
        Length::Short(_) => scores.best_reference(measure).into_iter().collect(),
        Length::Full => baselines.collect(),
    };
    if let Length::Short(most) = length {
        let mut place = 0;
        models.retain(|r| {
            place += 1;
            place <= most || is_pick(r.variant)
        });
    }
    models.into_iter().chain(baselines.into_iter().map(row)).collect()
}

/// Calibration slopes: of the truth on the prediction, among signals.
fn slopes(results: &Results, task: TaskId, rows: &[Row]) -> Vec<String> {
    let known = results.inference.iter().find(|t| t.task == task);
    let of = |row: &Row| known.and_then(|k| k.slopes[k.place(row.variant, &results.scores[task])?]);
    rows.iter().map(|row| or_dash(of(row), two_decimals)).collect()
}

/// The ends of a score's interval, where there is one.
pub(crate) fn ends(
    results: &Results,
    task: TaskId,
    measure: Measure,
    variant: VariantId,
) -> Option<(f64, f64)> {
    let known = results.inference.iter().find(|t| t.task == task)?;
    let place = known.place(variant, &results.scores[task])?;
    known.measure(measure)?.intervals[place].map(|i| (i.lower, i.upper))
}

fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count())
}
