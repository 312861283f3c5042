//! The best variants by each of two measures, with both scores, on two scales (PR09 Fig. 2, left).
//!
//! Turned by a quarter against the paper's figure, so that names read from left to right, and with a panel
//! per scale, because markers already name the families.

use tailrank_experiment::text::two_digits;

use super::*;

const FIGURE: &str = "top lists";
const ROW: f64 = 21.0;

/// Draws the `top` first by each of two measures with both their scores. `shared` says how many of so many
/// first places both measures share, where it was counted; else it is counted among those shown.
///
/// ```
/// use tailrank_metrics::Better;
/// use tailrank_report::figures::{Heading, MeasurePair, Scores, Variant, top_lists};
/// let scores = MeasurePair {
///     variants: vec![Variant { label: "nnet 5", family: "nnet" }, Variant { label: "svm 400", family: "svm" }],
///     a: Scores { symbol: "MAD", better: Better::Lower, values: vec![Some(0.01), Some(0.02)] },
///     b: Scores { symbol: "F", better: Better::Higher, values: vec![None, Some(0.3)] },
/// };
/// let figure = top_lists(Heading::of("KO 3d"), &scores, 1, None)?;
/// assert!(figure.svg.contains("MAD and F put different models first"));
/// # Ok::<(), tailrank_report::ReportError>(())
/// ```
pub fn top_lists(
    heading: Heading<'_>,
    data: &MeasurePair<'_>,
    top: usize,
    shared: Option<(f64, usize)>,
) -> Result<Figure> {
    let top = top.min(data.checked(FIGURE)?);
    require(FIGURE, top > 0, "there is no variant to show")?;
    let best = |s: &Scores<'_>| -> Result<Vec<usize>> { Ok(s.scored(FIGURE)?.take(top).collect()) };
    let (best_a, best_b) = (best(&data.a)?, best(&data.b)?);
    let lists = [(&best_a, &data.a), (&best_b, &data.b)];
    let families = Families::of(data.variants.iter().copied());

    let silent = best_a.iter().filter(|&&v| data.b.values[v].is_none()).count();
    let have = if silent == 1 { "has" } else { "have" };
    let (shown_a, lead, b) = (best_a.len(), data.a.leading(), data.b.symbol);
    let note = match silent {
        0 => String::new(),
        _ => format!("{silent} of the {shown_a} with the {lead} {have} no {b} at all"),
    };
    let (finding, entries) = (finding(data, [&best_a, &best_b], shared), chart::families(&families));
    let (mut svg, y) = chart::start(FIGURE, 760.0, heading, finding, &note, &entries);

    let shown: Vec<usize> = best_a.iter().chain(&best_b).copied().collect();
    let names = shown.iter().map(|&v| text::width(data.variants[v].label, BODY));
    let names = names.fold(60.0, f64::max).min(250.0 * heading.shrink(760.0));
    let first = MARGIN + names + 34.0;
    let gap = 56.0 * heading.shrink(760.0);
    let width = 0.5 * (svg.width - MARGIN - 30.0 - first - gap);
    let top_of_rows = y + 4.0;
    let height = 2.0 * (ROW + 4.0) + ROW * shown.len() as f64 + 8.0;
    let bottom = top_of_rows + height;
    let mut scales = Vec::new();
    for (k, scores) in [&data.a, &data.b].into_iter().enumerate() {
        let left = first + k as f64 * (width + gap);
        let range = extent(shown.iter().filter_map(|&v| scores.values[v])).unwrap_or((0.0, 1.0));
        // Differences among the best are small beside the scores, so the scale starts near them.
        let pad = (0.12 * (range.1 - range.0)).max(1e-3 * range.1.abs());
        let scale = Scale::new((range.0 - pad, range.1 + pad), (left, left + width));
        let label = format!("{} ({})", scores.symbol, scores.direction());
        // On narrow paper the caption says which end is the good one, and ticks that would touch go.
        let narrow = text::width(&label, BODY) > width + gap;
        let label = if narrow { scores.symbol.to_owned() } else { label };
        let mut ticks = scale.ticks(if width < 110.0 { 2 } else { 3 }, 1.0);
        let apart = ticks.iter().map(|t| text::width(&t.label, SMALL)).fold(4.0, f64::max);
        let mut last = f64::NEG_INFINITY;
        ticks.retain(|t| {
            let keep = scale.at(t.at) - last >= apart;
            last = if keep { scale.at(t.at) } else { last };
            keep
        });
        scale.axis_below(&mut svg, &ticks, (top_of_rows, bottom), &label, 34.0);
        scales.push(scale);
    }
    let mut y = top_of_rows;
    for (list, scores) in lists {
        y += ROW + 4.0;
        let name = match list.len() {
            1 => scores.leading(),
            n => format!("the {n} with the {}", scores.leading()),
        };
        svg.text(MARGIN, y - 7.0, &name, Type::new(BODY).bold());
        svg.line((MARGIN, y - 1.0), (svg.width - 24.0, y - 1.0), Pen::new(GUIDE, 0.6));
        for (place, &v) in list.iter().enumerate() {
            y += ROW;
            let variant = data.variants[v];
            let hint = format!("{}: {}, {}", variant.label, data.a.said(v), data.b.said(v));
            svg.hint(&hint, |svg| {
                let number = Type::new(SMALL).anchor(Anchor::End).colour(MUTED);
                svg.text(MARGIN + 12.0, y - 6.0, &(place + 1).to_string(), number);
                let name = text::fit(variant.label, BODY, names + 2.0);
                svg.text(MARGIN + 20.0, y - 6.0, &name, Type::new(BODY));
                for (value, scale) in [data.a.values[v], data.b.values[v]].into_iter().zip(&scales) {
                    draw_score(svg, value, scale, families.look(variant.family), y);
                }
            });
        }
    }
    let row = |&v: &usize| format!("{} ({}, {})", data.variants[v].label, data.a.said(v), data.b.said(v));
    let description =
        joined(lists, " ", |(list, scores)| format!("By {}: {}.", scores.leading(), joined(list, "; ", row)));
    svg.finish(bottom + 46.0, &description)
}

fn draw_score(svg: &mut Svg, value: Option<f64>, scale: &Scale, look: Look, y: f64) {
    let Some(value) = value else {
        let set = Type::new(SMALL).colour(MUTED).halo();
        return svg.text(scale.from + 4.0, y - 6.0, "– undefined", set);
    };
    let x = scale.at(value);
    svg.line((scale.from, y - 10.0), (scale.to, y - 10.0), Pen::new(RULE, 0.7));
    svg.marker(look, x, y - 10.0, 4.6, false);
    let (off, anchor) = if x + 50.0 < scale.to { (9.0, Anchor::Start) } else { (-9.0, Anchor::End) };
    svg.text(x + off, y - 6.0, &digits(value), Type::new(10.5).colour(MUTED).anchor(anchor).halo());
}

/// The first five by each measure of every pair.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let comparisons = &task.subject.results.comparisons;
    for (a, b) in task.pairs() {
        // As `explain` says it.
        let known =
            comparisons.iter().find(|c| c.task == task.number && (c.chosen_by, c.judged_by) == (a, b));
        let shared = known.and_then(|c| c.top.as_ref()).map(|top| (top.shared, top.k));
        let pair = task.measure_pair(a, b);
        sheet.add(&format!(" by {} and {}", a.id(), b.id()), top_lists(sheet.heading, &pair, 5, shared))?;
    }
    Ok(())
}

fn finding(data: &MeasurePair<'_>, best: [&[usize]; 2], shared: Option<(f64, usize)>) -> String {
    let (a, b) = (data.a.symbol, data.b.symbol);
    let [best_a, best_b] = best;
    if best_b.is_empty() || best_a.is_empty() {
        let none = if best_b.is_empty() { b } else { a };
        return format!("No model has a score by {none}");
    }
    if let Some((shared, k)) = shared {
        return format!("{} of the top {k} by {a} and by {b} are shared", two_digits(shared));
    }
    let shared = best_a.iter().filter(|v| best_b.contains(v)).count();
    match (best_a.len().max(best_b.len()), shared) {
        (1, 0) => format!("{a} and {b} put different models first"),
        (1, _) => format!("{a} and {b} put the same model first"),
        (k, s) => format!("{s} of the top {k} by {a} and by {b} are shared"),
    }
}
