//! The score over the parameters of each family: is the best setting a plateau or a spike?

use std::collections::{BTreeMap, HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};
use tailrank_models::{ParamValue, Params};
use tailrank_score::score::VariantId;

use super::*;

const FIGURE: &str = "score over the grid";
const PANEL: f64 = 300.0;
const HEIGHT: f64 = 220.0;
/// More lines than this are not named one by one.
const NAMED: usize = 6;

/// One variant of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridVariant<'a> {
    /// Its name and family.
    pub variant: Variant<'a>,
    /// Its parameters.
    pub parameters: &'a Params,
    /// Its score.
    pub score: Option<f64>,
    /// Interval of the score.
    pub interval: Option<(f64, f64)>,
    /// Whether it is tied with the best.
    pub tied: bool,
}

/// The input of [`grid()`].
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    /// The measure's symbol, with its unit.
    pub score: Quantity<'a>,
    /// Which end is the good one.
    pub better: Better,
    /// The candidates.
    pub variants: Vec<GridVariant<'a>>,
    /// What chance gives.
    pub by_chance: Option<f64>,
    /// What the best baseline has.
    pub baseline: Option<f64>,
}

/// A family as it is drawn: one line per combination of the parameters that are not across.
struct Family<'a> {
    name: &'a str,
    look: Look,
    /// The parameter across, and its values in order.
    across: &'a str,
    values: Vec<&'a ParamValue>,
    /// The variants of each line, by the place of their value across. A line is called `gamma=0.01`; the only
    /// one has no name.
    lines: IndexMap<String, BTreeMap<usize, usize>>,
}

/// The second measure of the first pair over every family's grid.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some((_, measure)) = task.pairs().next() else { return Ok(()) };
    let (names, scores) = (&task.subject.results.names.variants, task.scores);
    let (values, tied) = (scores.values(measure), task.tied(measure));
    let variant = |v: VariantId| GridVariant {
        variant: task.variant(v),
        parameters: &names[v].params,
        score: values[v],
        interval: task.interval(measure, v),
        tied: tied.contains(&scores.same_as[v]),
    };
    let data = Grid {
        score: task.unit(measure),
        better: measure.better(),
        variants: scores.candidates().into_iter().map(variant).collect(),
        by_chance: task.inference().and_then(|k| Some(k.measure(measure)?.chance.as_ref()?.chance)),
        baseline: scores.best_reference(measure).and_then(|v| values[v]),
    };
    sheet.add("", grid(sheet.heading, &data))
}

/// Draws one panel for each family that has a parameter with two or more values.
pub fn grid(heading: Heading<'_>, data: &Grid<'_>) -> Result<Figure> {
    let looks = Families::of(data.variants.iter().map(|v| v.variant));
    let families: Vec<Family<'_>> = looks.iter().filter_map(|of| family(data, of)).collect();
    require(FIGURE, !families.is_empty(), "no family has a parameter with two values")?;
    let best = best(data);
    let ends = best.and_then(|v| data.variants[v].interval).map(|(low, high)| [low, high]);
    let levels = data.by_chance.into_iter().chain(data.baseline).chain(ends.into_iter().flatten());
    let shown = extent(data.variants.iter().filter_map(|v| v.score).chain(levels));
    let range = padded(shown.ok_or_else(|| problem(FIGURE, &"no score is defined"))?, 0.05);
    let fitting = ((heading.width(2.0 * (PANEL + 190.0)) - MARGIN - 20.0) / (PANEL + 170.0)) as usize;
    let columns = families.len().min(2).min(fitting.max(1));
    let mut entries = vec![Entry::line("the leading model, with its interval", Pen::new(INK, 1.4), None)];
    for (name, dash, level) in [("chance", "2 3", data.by_chance), ("leading baseline", "7 4", data.baseline)]
    {
        entries.extend(level.map(|_| Entry::line(name, Pen::new(GUIDE, 1.2).dashed(dash), None)));
    }
    let own = MARGIN + columns as f64 * (PANEL + 170.0) + 20.0;
    let finding = finding(data, &families, best);
    let (mut svg, y) = chart::start(FIGURE, own, heading, finding, "", &entries);
    let step = (svg.width - MARGIN - 20.0) / columns as f64;
    let mut bottom = y;
    for (i, family) in families.iter().enumerate() {
        let left = MARGIN + 58.0 + (i % columns) as f64 * step;
        let top = y + 26.0 + (i / columns) as f64 * (HEIGHT + 86.0);
        let across = (-0.35, family.values.len() as f64 - 0.65);
        let panel = Panel::new(left, top, left + step - 170.0, top + HEIGHT, across, range);
        draw_family(&mut svg, data, family, &panel, best);
        bottom = panel.bottom();
    }
    let (name, models, families) = (data.score.name, data.variants.len(), families.len());
    let description = format!("{name} of {models} models over the parameters of {families} families.");
    svg.finish(bottom + 50.0, &description)
}

/// Values in the order of numbers where they are numbers, as given otherwise.
fn in_order<'a>(values: impl Iterator<Item = &'a ParamValue>) -> Vec<&'a ParamValue> {
    let mut seen = HashSet::new();
    let mut all: Vec<&ParamValue> = values.filter(|v| seen.insert(v.to_string())).collect();
    if all.iter().all(|v| v.number().is_some()) {
        all.sort_by(|a, b| a.number().unwrap_or(0.0).total_cmp(&b.number().unwrap_or(0.0)));
    }
    all
}

fn family<'a>(data: &'a Grid<'_>, (name, look): (&'a str, Look)) -> Option<Family<'a>> {
    let of_family = data.variants.iter().enumerate().filter(|(_, v)| v.variant.family == name);
    let members: Vec<(usize, &Params)> = of_family.map(|(v, variant)| (v, variant.parameters)).collect();
    let names: IndexSet<&str> = members.iter().flat_map(|(_, p)| p.iter()).map(|(key, _)| key).collect();
    let values_of = |key| (key, in_order(members.iter().filter_map(|(_, p)| p.get(key))));
    let mut keys: Vec<(&str, Vec<&ParamValue>)> = names.into_iter().map(values_of).collect();
    keys.retain(|(_, values)| values.len() > 1);
    // Across goes the parameter with most values; of equals the first.
    let widest = (0..keys.len()).max_by_key(|&k| (keys[k].1.len(), keys.len() - k))?;
    let (across, values) = keys.remove(widest);
    let places: HashMap<String, usize> =
        values.iter().enumerate().map(|(place, value)| (value.to_string(), place)).collect();
    let mut lines = IndexMap::<String, BTreeMap<usize, usize>>::new();
    for (v, of) in &members {
        let place = of.get(across).and_then(|value| places.get(&value.to_string()));
        let Some(&place) = place else { continue };
        let rest = keys.iter().filter_map(|(key, _)| Some(format!("{key}={}", of.get(key)?)));
        lines.entry(joined(rest, " ", |part| part)).or_default().insert(place, *v);
    }
    Some(Family { name, look, across, values, lines })
}

fn best(data: &Grid<'_>) -> Option<usize> {
    let scored = (0..data.variants.len()).filter_map(|v| Some((v, data.variants[v].score?)));
    let sign = if data.better == Better::Higher { -1.0 } else { 1.0 };
    scored.min_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1))).map(|(v, _)| v)
}

fn draw_family(svg: &mut Svg, data: &Grid<'_>, family: &Family<'_>, panel: &Panel, best: Option<usize>) {
    let title = text::fit(family.name, BODY * text::BOLD, panel.right() - panel.left());
    svg.text(panel.left(), panel.top() - 10.0, &title, Type::new(BODY).bold());
    let room = (panel.right() - panel.left()) / family.values.len() as f64 + 8.0;
    let tick = |(i, value): (usize, &&ParamValue)| Tick {
        at: i as f64,
        label: text::fit(&value.to_string(), SMALL, room),
    };
    let ticks: Vec<Tick> = family.values.iter().enumerate().map(tick).collect();
    let up = panel.y.ticks(4, data.score.scale);
    panel.grid(svg, &up);
    panel.x_axis(svg, &ticks, family.across);
    panel.y_axis(svg, &up, &data.score.label(), 46.0);
    for (level, dash) in [(data.by_chance, "2 3"), (data.baseline, "7 4")] {
        if let Some(level) = level.filter(|&l| panel.y.holds(l)) {
            panel.across(svg, panel.y.at(level), Pen::new(GUIDE, 1.2).dashed(dash));
        }
    }
    // A model without a score stands at the worse end, hollow.
    let worse = if data.better == Better::Higher { panel.y.low } else { panel.y.high };
    let at = |place: usize, v: usize| panel.at(place as f64, data.variants[v].score.unwrap_or(worse));
    let mut ends: Vec<(f64, &str, bool)> = Vec::new();
    for (name, variants) in &family.lines {
        let holds_best = best.is_some_and(|b| variants.values().any(|&v| v == b));
        let points: Vec<Point> = variants.iter().map(|(&i, &v)| at(i, v)).collect();
        let pen = Pen::new(family.look.colour, if holds_best { 2.0 } else { 1.1 });
        svg.stroke_path(&Path::through(&points), if holds_best { pen } else { pen.faint(0.6) });
        for (&i, &v) in variants {
            let variant = &data.variants[v];
            let (x, y) = at(i, v);
            let score = or_undefined(variant.score.map(|s| data.score.value(s)));
            let hint = format!("{}: {} {score}", variant.variant.label, data.score.name);
            svg.named(variant.variant.label, &hint, |svg| {
                if let Some((low, high)) = variant.interval.filter(|_| best == Some(v)) {
                    svg.line((x, panel.y.within(low)), (x, panel.y.within(high)), Pen::new(INK, 1.4));
                }
                let r = if best == Some(v) { 5.2 } else { 3.4 };
                svg.marker(family.look, x, y, r, variant.score.is_none());
            });
        }
        if let Some(&(_, y)) = points.last() {
            ends.push((y, name, holds_best));
        }
    }
    ends.retain(|(_, name, strong)| !name.is_empty() && (*strong || family.lines.len() <= NAMED));
    let wishes: Vec<f64> = ends.iter().map(|e| e.0).collect();
    let placed = spread(&wishes, 13.0, panel.top(), panel.bottom());
    for ((_, name, strong), y) in ends.iter().zip(placed) {
        let set = if *strong { Type::new(10.5).bold() } else { Type::new(10.5).colour(MUTED) };
        svg.text(panel.right() + 4.0, y + 4.0, &text::fit(name, 10.5, 108.0), set);
    }
}

/// Neighbours of the best: one step along one parameter.
fn finding(data: &Grid<'_>, families: &[Family<'_>], best: Option<usize>) -> String {
    let Some(best) = best else { return format!("No model has a {}", data.score.name) };
    let (name, score) = (data.variants[best].variant.label, data.variants[best].score);
    let leading = leading(data.better, data.score.name, is_beaten(data.better, score, data.baseline));
    let home = families.iter().find(|f| f.lines.values().any(|l| l.values().any(|&v| v == best)));
    let Some(home) = home else { return format!("{name} has the {leading} and has no grid") };
    let own = data.variants[best].parameters;
    let of_family = || data.variants.iter().filter(|v| v.variant.family == home.name);
    // The values beside the best's own, key by key.
    let beside: Vec<(&str, Vec<&ParamValue>)> = own
        .iter()
        .map(|(key, value)| {
            let order = in_order(of_family().filter_map(|v| v.parameters.get(key)));
            let place = order.iter().position(|o| *o == value).unwrap_or(0);
            let near = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
            (key, near.filter_map(|p| order.get(p).copied()).collect())
        })
        .collect();
    let is_neighbour = |other: &Params| {
        let mut different = beside.iter().filter(|(key, _)| other.get(key) != own.get(key));
        let (Some((key, near)), None) = (different.next(), different.next()) else { return false };
        other.get(key).is_some_and(|value| near.contains(&value))
    };
    let neighbours: Vec<&GridVariant<'_>> = of_family().filter(|v| is_neighbour(v.parameters)).collect();
    let tied = neighbours.iter().filter(|v| v.tied).count();
    let score = score.map_or_else(String::new, |s| digits(s * data.score.scale));
    let lead = format!("{name} has the {leading} ({score})");
    match (tied, neighbours.len()) {
        (_, 0) => lead,
        (1, 1) => format!("A plateau: {lead}, and its neighbour on the grid is tied with it"),
        (0, 1) => format!("A spike: {lead}, and its neighbour on the grid is not tied with it"),
        (l, n) if l == n => format!("A plateau: {lead}, and all {n} neighbours on its grid are tied with it"),
        (0, n) => format!("A spike: {lead}, and none of its {n} neighbours on the grid is tied with it"),
        (l, n) => {
            let verb = if l == 1 { "is" } else { "are" };
            format!("{lead}; {l} of its {n} neighbours on the grid {verb} tied with it")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(tied: [bool; 3]) -> String {
        let params = |cost: i64, gamma: f64| Params::new().with("cost", cost).with("gamma", gamma);
        let all = [params(100, 0.1), params(10, 0.1), params(100, 0.01), params(1, 0.1), params(10, 0.01)];
        let labels = all.each_ref().map(ToString::to_string);
        let variant = |v: usize, score, tied| GridVariant {
            variant: Variant { label: &labels[v], family: "svm" },
            parameters: &all[v],
            score: Some(score),
            interval: None,
            tied,
        };
        let data = Grid {
            score: Quantity::new("F", ""),
            better: Better::Higher,
            variants: vec![
                variant(0, 0.3, tied[0]),
                variant(1, 0.2, tied[1]),
                variant(2, 0.1, tied[2]),
                // Two steps away, or along two parameters: no neighbours.
                variant(3, 0.25, true),
                variant(4, 0.25, true),
            ],
            by_chance: None,
            baseline: None,
        };
        grid(Heading::of(""), &data).map(|f| f.title).unwrap_or_default()
    }

    #[test]
    fn a_plateau_is_told_from_a_spike_by_the_neighbours() {
        assert!(
            title([true, true, true])
                .starts_with("A plateau: cost=100,gamma=0.1 has the highest F (0.300), and all 2")
        );
        assert!(title([true, false, false]).starts_with("A spike"), "{}", title([true, false, false]));
        assert!(title([true, true, false]).ends_with("; 1 of its 2 neighbours on the grid is tied with it"));
    }

    #[test]
    fn values_stand_in_the_order_of_numbers() {
        let shown = |values: &[ParamValue]| -> Vec<String> {
            in_order(values.iter()).into_iter().map(ToString::to_string).collect()
        };
        assert_eq!(shown(&[10.into(), 9.into(), 100.into(), 9.into()]), ["9", "10", "100"]);
        assert_eq!(shown(&["b".into(), "a".into()]), ["b", "a"]);
    }
}
