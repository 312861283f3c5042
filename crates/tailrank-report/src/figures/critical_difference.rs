//! Average ranks over tasks with Nemenyi's critical difference, one row per measure (Demšar 2006).
//!
//! Variants stand on the axis at their average rank, piled up where they would overlap. Bars below join
//! variants that do not differ significantly. With many variants only the best and the worst are named.

use tailrank_experiment::text::list;
use tailrank_score::score::AcrossTasks;

use super::{rank_scatter::rank_ticks, *};
use crate::PageInput;

const FIGURE: &str = "critical difference";
/// With more variants than this only the best and the worst are named.
const ALL_NAMED: usize = 16;
/// How many are named at either end then.
const ENDS: usize = 5;
const NAME_GAP: f64 = 14.0;
const WIDTH: f64 = 820.0;

/// The input of [`critical_difference()`].
#[derive(Clone, Debug)]
pub struct CriticalDifference<'a> {
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// Their average ranks, one row per measure.
    pub measures: Vec<&'a AcrossTasks>,
    /// Over how many tasks ranks are averaged.
    pub tasks: usize,
    /// The significance level.
    pub alpha: f64,
}

/// The measures of the first pair.
pub(super) fn draw(run: &PageInput<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (names, across) = (&run.results.names, &run.results.across);
    let (Some(first), Some(&(a, b))) = (across.first(), run.pairs.first()) else { return Ok(()) };
    let data = CriticalDifference {
        variants: first.variants.iter().map(|&v| Variant::from(&names.variants[v])).collect(),
        measures: across.iter().filter(|of| [a, b].contains(&of.measure)).collect(),
        tasks: names.tasks.len(),
        alpha: run.compare.alpha,
    };
    sheet.add("", critical_difference(sheet.heading, &data))
}

/// Draws a critical-difference diagram, one row per measure.
pub fn critical_difference(heading: Heading<'_>, data: &CriticalDifference<'_>) -> Result<Figure> {
    let n = data.variants.len();
    let enough = !data.measures.is_empty() && n > 1;
    require(FIGURE, enough, "at least one measure and two variants are needed")?;
    for row in &data.measures {
        same_length(FIGURE, symbol(row), row.average_ranks.len(), n)?;
        finite(FIGURE, symbol(row), &row.average_ranks)?;
        let known = row.groups.iter().flatten().all(|&v| v < n);
        require(FIGURE, known, "a group names a variant that is not there")?;
    }
    let families = Families::of(data.variants.iter().copied());
    let tied = |m: &&AcrossTasks| format!("{} by {}", tied_with_first(m), symbol(m));
    let finding = match &data.measures[..] {
        [one] => {
            let tied = tied_with_first(one);
            format!("By {}, {tied} of {n} models do not differ significantly from the first", symbol(one))
        }
        many => {
            let tied = list(&many.iter().map(tied).collect::<Vec<_>>());
            format!("Of {n} models, those that do not differ significantly from the first: {tied}")
        }
    };
    let note = format!("Nemenyi's test over {} tasks, α = {}", data.tasks, data.alpha);
    let entries = chart::families(&families);
    let (mut svg, y) = chart::start(FIGURE, WIDTH, heading, finding, &note, &entries);
    let mut y = y + 2.0;
    for row in &data.measures {
        y = draw_row(&mut svg, data, row, y);
    }
    let rows = joined(&data.measures, " ", |m| {
        let order = ascending(&m.average_ranks);
        let name = |v: usize| format!("{} ({})", data.variants[v].label, digits(m.average_ranks[v]));
        let cd = m.critical_difference.map_or_else(|| "none".to_owned(), digits);
        let (best, worst) = (name(order[0]), name(order[n - 1]));
        format!("{}: first {best}, last {worst}, critical difference {cd}.", symbol(m))
    });
    let description = format!("Average ranks over {} tasks. {rows}", data.tasks);
    svg.finish(y + 4.0, &description)
}

fn symbol(row: &AcrossTasks) -> &'static str {
    row.measure.info().symbol
}

/// How many do not differ significantly from the first, itself among them.
fn tied_with_first(row: &AcrossTasks) -> usize {
    let first = row.average_ranks.iter().copied().fold(f64::INFINITY, f64::min);
    let reach = row.critical_difference.unwrap_or(0.0);
    row.average_ranks.iter().filter(|&&rank| rank - first <= reach).count()
}

fn draw_row(svg: &mut Svg, data: &CriticalDifference<'_>, row: &AcrossTasks, top: f64) -> f64 {
    let (n, families) = (data.variants.len(), Families::of(data.variants.iter().copied()));
    let order = ascending(&row.average_ranks);
    let (low, high) = if n <= ALL_NAMED { (n.div_ceil(2), n / 2) } else { (ENDS, ENDS) };
    let (best, worst) = (&order[..low], &order[n - high..]);
    let names = best.iter().chain(worst).map(|&v| text::width(data.variants[v].label, SMALL) + 40.0);
    let names = names.fold(70.0, f64::max).min(210.0 * (svg.width / WIDTH).min(1.0));
    let scale = Scale::new((1.0, n as f64), (MARGIN + names + 12.0, svg.width - MARGIN - names - 12.0));

    // Pile up markers that would overlap.
    const R: f64 = 3.8;
    let mut piles: Vec<(f64, usize)> = Vec::new();
    let mut levels = vec![0usize; n];
    for &v in &order {
        let x = scale.at(row.average_ranks[v]);
        let is_taken = |level: usize| piles.iter().any(|p| p.1 == level && (p.0 - x).abs() < 2.2 * R);
        levels[v] = (0..=n).find(|&level| !is_taken(level)).unwrap_or(0);
        piles.push((x, levels[v]));
    }
    let pile = levels.iter().max().copied().unwrap_or(0) as f64;
    svg.text(MARGIN, top + 14.0, symbol(row), Type::new(14.0).bold());
    draw_difference(svg, row, &scale, top + 10.0);
    let axis = top + 46.0;
    svg.line((scale.from, axis), (scale.to, axis), Pen::new(INK, 0.9));
    for tick in rank_ticks(n) {
        let x = scale.at(tick.at);
        svg.line((x, axis - 4.0), (x, axis), Pen::new(INK, 0.9));
        svg.text(x, axis - 8.0, &tick.label, Type::new(SMALL).anchor(Anchor::Middle));
    }
    // Below the axis: markers, then bars, then names. Names of better variants stand higher, so that no lines
    // cross.
    let marker_at = |v: usize| axis + R + 2.0 + levels[v] as f64 * 2.2 * R;
    let bars_top = axis + 2.2 * R * (pile + 1.0) + 10.0;
    let gap = if row.groups.len() <= 8 { 6.0 } else { (60.0 / row.groups.len() as f64).max(1.8) };
    let names_top = bars_top + gap * row.groups.len() as f64 + 8.0;
    let last_first: Vec<usize> = worst.iter().rev().copied().collect();
    let sides =
        [(best, -1.0, scale.from - 8.0, Anchor::End), (&last_first[..], 1.0, scale.to + 8.0, Anchor::Start)];
    for (list, side, edge, anchor) in sides {
        for (k, &v) in list.iter().enumerate() {
            let (x, y) = (scale.at(row.average_ranks[v]), names_top + NAME_GAP * k as f64);
            svg.stroke_path(&Path::through(&[(x, marker_at(v)), (x, y), (edge, y)]), Pen::new(GUIDE, 0.6));
            let name = text::fit(data.variants[v].label, SMALL, names - 34.0);
            let rank = Type::new(SMALL).anchor(Anchor::Middle).colour(MUTED);
            svg.text(edge + 17.0 * side, y + 4.0, &format!("{:.1}", row.average_ranks[v]), rank);
            svg.text(edge + 34.0 * side, y + 4.0, &name, Type::new(SMALL).anchor(anchor));
        }
    }
    for (k, group) in row.groups.iter().enumerate() {
        let (Some(&first), Some(&last)) = (group.first(), group.last()) else { continue };
        let y = bars_top + gap * k as f64;
        let (a, b) = (scale.at(row.average_ranks[first]) - 2.0, scale.at(row.average_ranks[last]) + 2.0);
        svg.line((a, y), (b, y), Pen::new("#444444", (0.55 * gap).clamp(0.9, 3.0)));
    }
    for &v in &order {
        let hint = format!("{}: average rank {}", data.variants[v].label, digits(row.average_ranks[v]));
        let (look, x) = (families.look(data.variants[v].family), scale.at(row.average_ranks[v]));
        svg.hint(&hint, |svg| svg.marker(look, x, marker_at(v), R, false));
    }
    let bottom = names_top + NAME_GAP * best.len().max(worst.len()) as f64;
    let mut label = format!("average rank by {} (1 is first)", symbol(row));
    if n > ALL_NAMED {
        label.push_str(&format!("; the first {ENDS} and the last {ENDS} are named"));
    }
    svg.text(0.5 * svg.width, bottom + 6.0, &label, Type::new(BODY).anchor(Anchor::Middle));
    bottom + 34.0
}

/// The critical difference as a bar, starting at rank 1.
fn draw_difference(svg: &mut Svg, row: &AcrossTasks, scale: &Scale, y: f64) {
    let Some(cd) = row.critical_difference else { return };
    let (from, to) = (scale.at(1.0), scale.within(1.0 + cd));
    svg.line((from, y), (to, y), Pen::new(INK, 1.6));
    for x in [from, to] {
        svg.line((x, y - 4.0), (x, y + 4.0), Pen::new(INK, 1.6));
    }
    let longer = if 1.0 + cd > scale.high { ", longer than the axis: no two models differ" } else { "" };
    let label = format!("critical difference {}{longer}", digits(cd));
    // A bar over the whole axis leaves no room behind it.
    if to + text::width(&label, SMALL) + 16.0 < svg.width {
        svg.text(to + 8.0, y + 4.0, &label, Type::new(SMALL));
    } else {
        svg.text(to - 8.0, y - 6.0, &label, Type::new(SMALL).anchor(Anchor::End));
    }
}
