//! The best variants by each of two measures, with both scores, on two scales (PR09 Fig. 2, left).
//!
//! Turned by a quarter against the paper's figure, so that names read from left to right, and with a panel per scale,
//! because markers already name the families.

use super::{
    Figure, Heading, Scores, Variant,
    axis::{Scale, extent},
    chart::{self, BODY, MARGIN, SMALL},
    data::{problem, same_length},
    style::{Families, GUIDE, MUTED, RULE, digits},
    svg::{Anchor, Pen, Svg, Type},
    text,
};
use crate::Result;

const FIGURE: &str = "top lists";
const ROW: f64 = 21.0;

/// The input of [`top_lists()`].
#[derive(Clone, Debug)]
pub struct TopLists<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// Their scores by the first measure.
    pub a: Scores<'a>,
    /// Their scores by the second.
    pub b: Scores<'a>,
    /// How many of the best are shown.
    pub top: usize,
}

/// Draws the best by each of two measures with both their scores.
///
/// ```
/// use tailrank_metrics::Better;
/// use tailrank_report::figures::{Heading, Scores, TopLists, Variant, top_lists};
/// let figure = top_lists(&TopLists {
///     heading: Heading::of("KO 3d"),
///     variants: vec![Variant { label: "nnet 5", family: "nnet" }, Variant { label: "svm 400", family: "svm" }],
///     a: Scores { symbol: "MAD", better: Better::Lower, values: vec![Some(0.01), Some(0.02)] },
///     b: Scores { symbol: "F", better: Better::Higher, values: vec![None, Some(0.3)] },
///     top: 1,
/// })?;
/// assert!(figure.svg.contains("The best variant by MAD and the best by F differ"));
/// # Ok::<(), tailrank_report::ReportError>(())
/// ```
pub fn top_lists(data: &TopLists<'_>) -> Result<Figure> {
    let n = data.variants.len();
    same_length(FIGURE, "the first measure", data.a.values.len(), n)?;
    same_length(FIGURE, "the second measure", data.b.values.len(), n)?;
    let top = data.top.min(n);
    if top == 0 {
        return Err(problem(FIGURE, &"there is no variant to show"));
    }
    let lists = [&data.a, &data.b].map(|s| {
        s.order(FIGURE)
            .map(|order| order.into_iter().filter(|&v| s.values[v].is_some()).take(top).collect::<Vec<_>>())
    });
    let [best_a, best_b] = lists;
    let (best_a, best_b) = (best_a?, best_b?);
    let families = Families::of(&data.variants);

    let mut svg = Svg::new(760.0);
    let finding = finding(data, &best_a, &best_b);
    let silent = best_a.iter().filter(|&&v| data.b.values[v].is_none()).count();
    let have = if silent == 1 { "has" } else { "have" };
    let note = match silent {
        0 => String::new(),
        _ => format!(
            "{silent} of the {} best by {} {have} no {} at all",
            best_a.len(),
            data.a.symbol,
            data.b.symbol
        ),
    };
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, &note);
    let y = chart::legend(&mut svg, &chart::families(&families), y);

    let shown: Vec<usize> = best_a.iter().chain(&best_b).copied().collect();
    let names =
        shown.iter().map(|&v| text::width(data.variants[v].label, BODY)).fold(60.0, f64::max).min(250.0);
    let first = MARGIN + names + 34.0;
    let gap = 56.0;
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
        for tick in scale.ticks(3, 1.0) {
            let x = scale.at(tick.at);
            svg.line((x, top_of_rows), (x, bottom), Pen::new(RULE, 0.7));
            svg.text(x, bottom + 15.0, &tick.label, Type::new(SMALL).anchor(Anchor::Middle));
        }
        svg.line((left, bottom), (left + width, bottom), Pen::new("#222222", 0.9));
        let label = format!("{} ({})", scores.symbol, scores.direction());
        svg.text(left + 0.5 * width, bottom + 34.0, &label, Type::new(BODY).anchor(Anchor::Middle));
        scales.push(scale);
    }
    let mut y = top_of_rows;
    for (list, scores) in [(&best_a, &data.a), (&best_b, &data.b)] {
        y += ROW + 4.0;
        let name = if list.len() == 1 {
            format!("best by {}", scores.symbol)
        } else {
            format!("{} best by {}", list.len(), scores.symbol)
        };
        svg.text(MARGIN, y - 7.0, &name, Type::new(BODY).bold());
        svg.line((MARGIN, y - 1.0), (svg.width - 24.0, y - 1.0), Pen::new(GUIDE, 0.6));
        for (place, &v) in list.iter().enumerate() {
            y += ROW;
            let variant = data.variants[v];
            let look = families.look(variant.family);
            let (a, b) = (data.a.values[v], data.b.values[v]);
            let number = |s: Option<f64>| s.map_or_else(|| "undefined".to_owned(), digits);
            let hint = format!(
                "{}: {} {}, {} {}",
                variant.label,
                data.a.symbol,
                number(a),
                data.b.symbol,
                number(b)
            );
            svg.hint(&hint, |svg| {
                let row = format!("{}", place + 1);
                svg.text(MARGIN + 12.0, y - 6.0, &row, Type::new(SMALL).anchor(Anchor::End).colour(MUTED));
                let name = text::fit(variant.label, BODY, names + 2.0);
                svg.text(MARGIN + 20.0, y - 6.0, &name, Type::new(BODY));
                for (value, scale) in [a, b].into_iter().zip(&scales) {
                    match value {
                        Some(v) => {
                            let x = scale.at(v);
                            svg.line((scale.from, y - 10.0), (scale.to, y - 10.0), Pen::new(RULE, 0.7));
                            svg.marker(look, x, y - 10.0, 4.6, false);
                            let (off, anchor) =
                                if x + 50.0 < scale.to { (9.0, Anchor::Start) } else { (-9.0, Anchor::End) };
                            let set = Type::new(10.5).colour(MUTED).anchor(anchor).halo();
                            svg.text(x + off, y - 6.0, &digits(v), set);
                        }
                        None => svg.text(
                            scale.from + 4.0,
                            y - 6.0,
                            "– undefined",
                            Type::new(SMALL).colour(MUTED).halo(),
                        ),
                    }
                }
            });
        }
    }
    let list = |scores: &Scores<'_>, best: &[usize]| {
        let rows: Vec<String> = best
            .iter()
            .map(|&v| {
                let number = |s: Option<f64>| s.map_or_else(|| "undefined".to_owned(), digits);
                format!(
                    "{} ({} {}, {} {})",
                    data.variants[v].label,
                    data.a.symbol,
                    number(data.a.values[v]),
                    data.b.symbol,
                    number(data.b.values[v])
                )
            })
            .collect();
        format!("Best by {}: {}.", scores.symbol, rows.join(", "))
    };
    let description = format!("{} {}", list(&data.a, &best_a), list(&data.b, &best_b));
    svg.finish(FIGURE, bottom + 46.0, &title, &description)
}

fn finding(data: &TopLists<'_>, best_a: &[usize], best_b: &[usize]) -> String {
    let (a, b) = (data.a.symbol, data.b.symbol);
    if best_b.is_empty() || best_a.is_empty() {
        let none = if best_b.is_empty() { b } else { a };
        return format!("No variant has a score by {none}");
    }
    let shared = best_a.iter().filter(|v| best_b.contains(v)).count();
    let k = best_a.len().max(best_b.len());
    match (k, shared) {
        (1, 0) => format!("The best variant by {a} and the best by {b} differ"),
        (1, _) => format!("{a} and {b} have the same best variant"),
        (_, 0) => format!("The {k} best by {a} and the {k} best by {b} share no variant"),
        (_, s) if s == k => format!("The {k} best by {a} are the {k} best by {b}"),
        (_, s) => format!("The {k} best by {a} and the {k} best by {b} share {s}"),
    }
}
