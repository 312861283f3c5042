//! The models of one task by one measure, with what became of their signals and their rank by the ordinary
//! measure.

use tailrank_metrics::EventCounts;

use super::{sentences::symbol, *};

/// One model or baseline.
struct Row {
    variant: VariantId,
    /// Its rank by the measure; none for baselines.
    rank: Option<f64>,
    score: Option<f64>,
    ends: Option<(f64, f64)>,
    tied: bool,
}

/// The leaderboard of a task by the measure of a decision; `other` is the ordinary measure. Of many models it
/// shows the `top` ones, the ordinary measure's pick and the best baseline; everything, and the slopes of
/// signals, where no number is given.
pub(super) fn leaderboard(
    results: &Results,
    decision: &Decision,
    other: Option<Measure>,
    top: Option<usize>,
) -> TextTable {
    let (scores, measure) = (&results.scores[decision.task], decision.measure);
    let rows = rows(results, decision, other, top);
    let values = |of: &dyn Fn(&Row) -> Option<f64>| -> Vec<f64> {
        rows.iter().map(|row| of(row).unwrap_or(f64::NAN)).collect()
    };
    let own = values(&|row| row.score);
    let name = |row: &Row| {
        let name = model_name(results, decision, row.variant);
        if row.rank.is_some() { name } else { name.strip_prefix("baseline ").unwrap_or(&name).to_owned() }
    };
    let rank = |row: &Row| row.rank.map_or_else(|| "base".to_owned(), places);
    let mut columns = vec![
        (format!(">by {}", symbol(measure)), rows.iter().map(rank).collect()),
        ("model".to_owned(), rows.iter().map(name).collect()),
        (format!(">{}", symbol(measure)), digits_together(&own)),
    ];
    if rows.iter().any(|r| r.ends.is_some()) {
        let level = 100.0 * results.inferred_by.level;
        // A blank behind the others keeps the marks of ties apart.
        let [mark, none] = if rows.iter().any(|r| r.tied) { [" =", "  "] } else { ["", ""] };
        let print = print_ends(&own);
        let interval = |row: &Row| print(row.ends) + if row.tied { mark } else { none };
        columns.push((format!(">{level:.0}% CI{none}"), rows.iter().map(interval).collect()));
    }
    let has_counts = scores.counts.iter().any(Option::is_some);
    if has_counts {
        let repeats = scores.repeats.max(1) as f64;
        let mean = |n: usize| thousands((n as f64 / repeats).round() as usize);
        let told = |of: fn(&EventCounts) -> usize| {
            let cell =
                |r: &Row| scores.counts[r.variant].as_ref().map_or_else(|| DASH.to_owned(), |c| mean(of(c)));
            rows.iter().map(cell).collect()
        };
        let alarms = if top.is_none() { ">false" } else { ">false alarms" };
        columns.push((">caught".to_owned(), told(|c| c.hits + c.near_misses)));
        columns.push((alarms.to_owned(), told(|c| c.false_alarms)));
    }
    if let Some(other) = other {
        let (others, ranks) = (scores.values(other), scores.ranks(other));
        let texts = digits_together(&values(&|row| others[row.variant.0]));
        let cell = |(row, text): (&Row, String)| {
            let rank = ranks[row.variant.0].map(|r| format!("({})", places(r))).unwrap_or_default();
            format!("{text} {rank:>4}")
        };
        columns.push((format!(">{} (rank)", symbol(other)), rows.iter().zip(texts).map(cell).collect()));
    }
    // Where exaggeration is rewarded, how far signals exaggerate stands beside the scores.
    if top.is_none() && has_counts {
        columns.push((">slope".to_owned(), slopes(results, decision.task, &rows)));
    }
    let strong = if decision.recommended().is_some() { vec![0] } else { Vec::new() };
    TextTable { strong, ..TextTable::of_columns(&columns) }
}

/// How the ends of intervals are written beside scores: with no more than three digits of the largest.
fn print_ends(scores: &[f64]) -> impl Fn(Option<(f64, f64)>) -> String {
    let largest = scores.iter().copied().filter(|v| v.is_finite()).fold(0.0_f64, |m, v| m.max(v.abs()));
    let decimals = digits_together(&[largest]).iter().map(|t| decimals(t)).max().unwrap_or(0);
    // Very large and very small columns take powers of ten.
    let is_plain = largest < 1e6 && (largest == 0.0 || largest >= 1e-4);
    let print = move |v: f64| if is_plain { fixed(v, decimals) } else { digits(v) };
    move |ends| {
        let Some((lower, upper)) = ends.map(|(lower, upper)| (print(lower), print(upper))) else {
            return DASH.to_owned();
        };
        let between = if lower.contains('−') || upper.contains('−') { " to " } else { "–" };
        format!("{lower}{between}{upper}")
    }
}

/// Whether a row of the table is marked as tied.
pub(super) fn marks_ties(table: &TextTable) -> bool {
    table.rows.iter().flatten().any(|cell| cell.ends_with(" ="))
}

fn rows(results: &Results, decision: &Decision, other: Option<Measure>, top: Option<usize>) -> Vec<Row> {
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
    let rank = |r: &Row| r.rank.unwrap_or(f64::INFINITY);
    models.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    models.sort_by_key(|r| Some(r.variant) != decision.model);
    let pick = other.and_then(|m| scores.best(m)).map(|pick| scores.same_as[pick]);
    let baselines = scores.scored().into_iter().filter(|&v| scores.references[v] && scores.same_as[v] == v);
    let mut baselines: Vec<VariantId> = baselines.collect();
    if let Some(top) = top {
        let mut place = 0;
        models.retain(|r| {
            place += 1;
            place <= top || Some(r.variant) == pick
        });
        baselines = scores.best_reference(measure).into_iter().collect();
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
pub fn ends(results: &Results, task: TaskId, by: Measure, variant: VariantId) -> Option<(f64, f64)> {
    let known = results.inference.iter().find(|t| t.task == task)?;
    let place = known.place(variant, &results.scores[task])?;
    known.measure(by)?.intervals[place].map(|i| (i.lower, i.upper))
}

fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count())
}
