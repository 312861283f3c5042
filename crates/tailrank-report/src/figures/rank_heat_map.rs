//! Ranks of all variants on all tasks, by one measure.

use super::{
    Figure, Heading, Variant,
    chart::{self, MARGIN, SMALL},
    data::{problem, same_length},
    ramp::{is_dark, sequential},
    rank_scatter::places,
    style::{Families, INK, MUTED},
    svg::{Anchor, Pen, Svg, Type},
    text,
};
use crate::Result;

const FIGURE: &str = "rank heat map";

/// The input of [`rank_heat_map()`].
#[derive(Clone, Debug)]
pub struct RankHeatMap<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// The measure's symbol.
    pub symbol: &'a str,
    /// Names of the tasks.
    pub tasks: Vec<&'a str>,
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// One row per task, one rank per variant; `None` where a variant has no score on the task.
    pub ranks: Vec<Vec<Option<f64>>>,
}

/// Draws ranks as a heat map: a row per variant, best average first, a column per task, dark for good ranks.
pub fn rank_heat_map(data: &RankHeatMap<'_>) -> Result<Figure> {
    let (n, t) = (data.variants.len(), data.tasks.len());
    if n == 0 || t == 0 {
        return Err(problem(FIGURE, &"there is no task or no variant to show"));
    }
    same_length(FIGURE, "the ranks", data.ranks.len(), t)?;
    for row in &data.ranks {
        same_length(FIGURE, "a task", row.len(), n)?;
        if row.iter().flatten().any(|r| !r.is_finite()) {
            return Err(problem(FIGURE, &"a rank is not a number"));
        }
    }
    let average = |v: usize| {
        let found: Vec<f64> = data.ranks.iter().filter_map(|r| r[v]).collect();
        (found.len() == t).then(|| found.iter().sum::<f64>() / t as f64)
    };
    let averages: Vec<Option<f64>> = (0..n).map(average).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| {
        averages[i].unwrap_or(f64::INFINITY).total_cmp(&averages[j].unwrap_or(f64::INFINITY))
    });
    let families = Families::of(&data.variants);

    let row = if n <= 30 { 20.0 } else { 14.0 };
    let size: f64 = if n <= 30 { SMALL } else { 10.0 };
    let names = data.variants.iter().map(|v| text::width(v.label, size)).fold(50.0, f64::max).min(220.0);
    let column = (520.0 / (t + 1) as f64).clamp(26.0, 64.0);
    let left = MARGIN + 18.0 + names + 8.0;
    let mut svg = Svg::new((left + column * (t + 1) as f64 + 12.0 + MARGIN).max(500.0));
    let wins = data.ranks.iter().filter_map(|r| {
        (0..n)
            .filter(|&v| r[v].is_some())
            .min_by(|&i, &j| r[i].unwrap_or(f64::INFINITY).total_cmp(&r[j].unwrap_or(f64::INFINITY)))
    });
    let mut winners: Vec<usize> = wins.collect();
    winners.sort_unstable();
    winners.dedup();
    let best = order.first().and_then(|&v| Some((data.variants[v].label, averages[v]?)));
    let finding = match (best, t) {
        (None, _) => format!("No variant has a rank by {} on every task", data.symbol),
        (Some((name, _)), 1) => format!("{name} is best by {}", data.symbol),
        (Some((name, rank)), _) => format!(
            "By {}, {name} ranks best on average ({} of {n}); {} variant{} won on {t} tasks",
            data.symbol,
            places((10.0 * rank).round() / 10.0),
            winners.len(),
            if winners.len() == 1 { "" } else { "s" }
        ),
    };
    let note = "rank on each task, 1 is best and dark; best average first";
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, note);
    let y = chart::legend(&mut svg, &chart::families(&families), y);
    // Names of tasks stand upright where they do not fit across.
    let widest =
        data.tasks.iter().map(|name| text::width(name, SMALL)).fold(text::width("mean", SMALL), f64::max);
    let upright = widest > column - 4.0;
    let head = if upright { widest.min(110.0) + 10.0 } else { 20.0 };
    let top = y + head;
    let centre = |k: usize| left + column * (k as f64 + 0.5) + if k == t { 8.0 } else { 0.0 };
    for k in 0..=t {
        let name = if k == t { "mean" } else { data.tasks[k] };
        let name = text::fit(name, SMALL, if upright { 110.0 } else { column });
        if upright {
            svg.text(centre(k) + 4.0, top - 6.0, &name, Type::new(SMALL).turned(-90.0));
        } else {
            svg.text(centre(k), top - 6.0, &name, Type::new(SMALL).anchor(Anchor::Middle));
        }
    }
    for (place, &v) in order.iter().enumerate() {
        let y = top + row * place as f64;
        let variant = data.variants[v];
        svg.marker(families.look(variant.family), MARGIN + 6.0, y + 0.5 * row, 0.24 * row, false);
        let name = text::fit(variant.label, size, names + 2.0);
        svg.text(left - 6.0, y + 0.5 * row + 0.36 * size, &name, Type::new(size).anchor(Anchor::End));
        for k in 0..=t {
            let rank = if k == t { averages[v] } else { data.ranks[k][v] };
            let x = centre(k) - 0.5 * column;
            let (fill, text) = match rank {
                Some(r) => {
                    let share = if n > 1 { 1.0 - (r - 1.0) / (n as f64 - 1.0) } else { 1.0 };
                    let text = if k == t { format!("{r:.1}") } else { places(r) };
                    (if k == t { "#ffffff".to_owned() } else { sequential(share) }, text)
                }
                None => ("#ffffff".to_owned(), "–".to_owned()),
            };
            if k < t {
                svg.rect(x, y, column - 1.0, row - 1.0, &fill);
            }
            let colour = if is_dark(&fill) {
                "#ffffff"
            } else if k == t {
                MUTED
            } else {
                INK
            };
            svg.text(
                centre(k) - 0.5,
                y + 0.5 * row + 0.36 * size - 0.5,
                &text,
                Type::new(size - 0.5).anchor(Anchor::Middle).colour(colour),
            );
        }
    }
    let bottom = top + row * n as f64;
    svg.line(
        (centre(t) - 0.5 * column - 4.0, top),
        (centre(t) - 0.5 * column - 4.0, bottom),
        Pen::new(INK, 0.6),
    );
    let ends: Vec<String> = order
        .iter()
        .take(5)
        .filter_map(|&v| Some(format!("{} ({:.1})", data.variants[v].label, averages[v]?)))
        .collect();
    let description = format!(
        "Ranks of {n} variants by {} on {t} tasks. Best average ranks: {}.",
        data.symbol,
        ends.join(", ")
    );
    svg.finish(FIGURE, bottom + 16.0, &title, &description)
}
