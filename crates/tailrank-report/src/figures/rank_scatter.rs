//! Rank by one measure against rank by the other (PR09 Fig. 2, right).

use tailrank_stats::{spearman_rho, top_k_overlap};

use super::*;

const FIGURE: &str = "rank scatter";
const WIDTH: f64 = 518.0;

/// The ranks by the measures of every pair.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    for (a, b) in task.pairs() {
        let pair = task.measure_pair(a, b);
        let figure = rank_scatter(sheet.heading, &pair, task.subject.compare.top);
        sheet.add(&format!(" by {} and {}", a.id(), b.id()), figure)?;
    }
    Ok(())
}

/// Draws the rank of every variant by the first measure (across) and by the second (up), with the diagonal of
/// equal ranks and lines behind the `top` first: 10 in PR09.
pub fn rank_scatter(heading: Heading<'_>, data: &MeasurePair<'_>, top: usize) -> Result<Figure> {
    let n = data.checked(FIGURE)?;
    require(FIGURE, n > 0, "there is no variant to show")?;
    let (ra, rb) = (data.a.ranks(FIGURE)?, data.b.ranks(FIGURE)?);
    let rho = spearman_rho(&ra, &rb).ok();
    let top = top.min(n);
    let families = Families::of(data.variants.iter().copied());
    let undefined = |v: usize| data.a.values[v].is_none() || data.b.values[v].is_none();
    let (a, b) = (data.a.symbol, data.b.symbol);

    let shared = top_k_overlap(&ra, &rb, top).ok().map(|t| places(t.shared));
    let note = shared.map_or_else(String::new, |s| format!("the two top {top} share {s} of {top}"));
    let mut entries = chart::families(&families);
    let hollow = "hollow: a score is undefined, ranked last";
    entries.extend((0..n).any(undefined).then(|| Entry::hollow(hollow)));
    let finding = finding(data, rho, n);
    let (mut svg, y) = chart::start(FIGURE, WIDTH, heading, finding, &note, &entries);

    let end = n as f64;
    let range = (0.5 - 0.012 * end, end + 0.5 + 0.012 * end);
    let side = svg.width - 118.0;
    let panel = Panel::new(68.0, y + 6.0, 68.0 + side, y + 6.0 + side, range, range);
    let dashed = Pen::new(GUIDE, 1.0).dashed("5 4");
    svg.line(panel.at(range.0, range.0), panel.at(range.1, range.1), dashed);
    let mut obstacles: Vec<Point> = (0..n).map(|v| panel.at(ra[v], rb[v])).collect();
    if top < n {
        let (x, y) = panel.at(top as f64 + 0.5, top as f64 + 0.5);
        let set = Type::new(10.5).colour(MUTED);
        svg.line((x, panel.bottom()), (x, panel.top()), dashed);
        panel.across(&mut svg, y, dashed);
        let name = format!("top {top} by {a}");
        svg.text(x + 4.0, panel.top() + 11.0, &name, set);
        let end = x + 4.0 + text::width(&name, set.size);
        obstacles.extend([x + 4.0, 0.5 * (x + 4.0 + end), end].map(|x| (x, panel.top() + 7.0)));
        let set = set.anchor(Anchor::End).halo();
        svg.text(panel.right() - 4.0, y - 4.0, &format!("top {top} by {b}"), set);
    }
    let ticks = rank_ticks(n);
    panel.x_axis(&mut svg, &ticks, &format!("rank by {a} (1 is first)"));
    panel.y_axis(&mut svg, &ticks, &format!("rank by {b} (1 is first)"), 40.0);
    for (v, &(x, y)) in obstacles.iter().take(n).enumerate() {
        let (label, by_a, by_b) = (data.variants[v].label, places(ra[v]), places(rb[v]));
        let (a, b) = (data.a.said(v), data.b.said(v));
        let hint = format!("{label}: {a} (rank {by_a}), {b} (rank {by_b})");
        let look = families.look(data.variants[v].family);
        svg.hint(&hint, |svg| svg.marker(look, x, y, 4.3, undefined(v)));
    }
    let mut callouts = Callouts::new(&panel, &obstacles);
    for scores in [&data.a, &data.b] {
        let Some(best) = scores.scored(FIGURE)?.next() else { continue };
        let name = format!("{}: {}", scores.leading(), data.variants[best].label);
        let at = obstacles[best];
        let room = (at.0 - panel.left()).max(panel.right() + 30.0 - at.0) - 16.0;
        let name = text::fit(&name, BODY * text::BOLD, room);
        callouts.draw(&mut svg, at, &name, Type::new(BODY).bold(), Pen::new(INK, 0.8));
    }
    let rho = or_undefined(rho.map(two_decimals));
    let description = format!(
        "Rank of {n} models by {a} (across) and by {b} (up). Spearman's rank correlation is {rho}. {note}"
    );
    svg.finish(panel.bottom() + 46.0, &description)
}

/// 1 and round ranks up to n.
pub(super) fn rank_ticks(n: usize) -> Vec<Tick> {
    let step =
        [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].into_iter().find(|s| n / s <= 8).unwrap_or(n / 8);
    let mut at = vec![1];
    at.extend((1..=n / step.max(1)).map(|k| k * step).filter(|&k| k > 1 + step / 3));
    at.into_iter().map(|k| Tick { at: k as f64, label: k.to_string() }).collect()
}

fn finding(data: &MeasurePair<'_>, rho: Option<f64>, n: usize) -> String {
    let (a, b) = (data.a.symbol, data.b.symbol);
    let Some(rho) = rho else { return format!("{a} and {b} cannot be compared: all models are tied") };
    let (how, after) = match rho {
        r if r >= 0.9 => ("rank the", " alike"),
        r if r >= 0.6 => ("largely agree on the order of", ""),
        r if r >= 0.3 => ("agree only in part on the order of", ""),
        r if r > -0.3 => ("hardly agree on the order of", ""),
        r if r > -0.6 => ("tend to contradict each other on the order of", ""),
        _ => ("rank the", " in nearly opposite order"),
    };
    format!("{a} and {b} {how} {n} models{after} (ρ = {})", two_decimals(rho))
}
