//! Scores with their intervals, one row each, beside chance and the leading baseline (a forest plot).

use tailrank_score::score::{VariantId, answer::Decision};

use super::*;
use crate::{PageInput, answer};

const FIGURE: &str = "scores with intervals";
const ROW: f64 = 17.0;
const PLOT: f64 = 380.0;
/// Rows of a run; more cannot be read on a page.
const MOST_ROWS: usize = 24;

/// One row: a model on a task, or the leading model of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForestRow<'a> {
    /// What stands at its left: the model's name or the task's.
    pub name: &'a str,
    /// The model, whose family gives the colour.
    pub variant: Variant<'a>,
    /// Its score; none where it is undefined.
    pub score: Option<f64>,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// Whether it is in the confidence set.
    pub tied: bool,
    /// Whether it is a baseline.
    pub reference: bool,
    /// What chance gives, where rows differ in it.
    pub chance: Option<f64>,
    /// What the leading baseline has, where rows differ in it.
    pub baseline: Option<f64>,
}

/// The input of [`forest()`].
#[derive(Clone, Debug)]
pub struct Forest<'a> {
    /// What is scored.
    pub score: Quantity<'a>,
    /// Which end is the good one.
    pub better: Better,
    /// The finding.
    pub finding: String,
    /// The rows, from the first.
    pub rows: Vec<ForestRow<'a>>,
    /// How many further rows are not shown.
    pub left_out: usize,
    /// What chance gives to all rows.
    pub chance: Option<f64>,
    /// What the leading baseline has, for all rows.
    pub baseline: Option<f64>,
}

/// Every model of a task by the deciding measure.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(decision) = task.decision() else { return Ok(()) };
    let (names, scores, measure) = (&task.subject.results.names, task.scores, decision.measure);
    let all = scores.distinct_with_references();
    let order = Scores::of_variants(scores, measure, &all).order(FIGURE)?;
    let (values, shown) = (scores.values(measure), order.into_iter().map(|place| all[place]));
    let row = |v: VariantId| ForestRow {
        name: names.label(v),
        variant: task.variant(v),
        score: values[v],
        interval: task.interval(measure, v),
        tied: decision.tied.contains(&v),
        reference: scores.references[v],
        chance: None,
        baseline: None,
    };
    let score = task.unit(measure);
    let leads = decision.model.zip(decision.score).map(|(model, value)| {
        format!("{} has the {}: {}", names.label(model), answer::leading(decision), score.value(value))
    });
    let data = Forest {
        score,
        better: measure.better(),
        finding: leads.unwrap_or_else(|| format!("No model has a {}", score.name)),
        rows: shown.map(row).take(MOST_ROWS).collect(),
        left_out: all.len().saturating_sub(MOST_ROWS),
        chance: decision.chance,
        baseline: decision.baseline_score,
    };
    sheet.add("", forest(sheet.heading, &data))
}

/// The leading model of every task by the deciding measure.
pub(super) fn draw_tasks(run: &PageInput<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let results = run.results;
    let Some(measure) = results.answer.decide_by else { return Ok(()) };
    let decisions: Vec<&Decision> = results.answer.all_deciding().filter(|d| d.model.is_some()).collect();
    let row = |d: &&Decision| {
        Some(ForestRow {
            name: results.names.task(d.task),
            variant: Variant::from(&results.names.variants[d.model?]),
            score: d.score,
            interval: d.lower.zip(d.upper),
            tied: false,
            reference: false,
            chance: d.chance,
            baseline: d.baseline_score,
        })
    };
    let symbol = measure.info().symbol;
    let data = Forest {
        score: Quantity::new(symbol, ""),
        better: measure.better(),
        finding: format!("The {} {symbol} on each task", answer::end(measure)),
        left_out: decisions.len().saturating_sub(MOST_ROWS),
        rows: decisions.iter().take(MOST_ROWS).filter_map(row).collect(),
        chance: None,
        baseline: None,
    };
    sheet.add("", forest(sheet.heading, &data))
}

/// Draws a row for each score, with its interval.
pub fn forest(heading: Heading<'_>, data: &Forest<'_>) -> Result<Figure> {
    let own = data.rows.iter().flat_map(|r| [r.score, r.chance, r.baseline]);
    let values = own.chain([data.chance, data.baseline]).flatten();
    let Some(points) = extent(values) else { return Err(problem(FIGURE, &"no model has a score")) };
    // A wide interval must not push the scores into a corner.
    let room = 1.2 * (points.1 - points.0).max(1e-9 * points.1.abs());
    let ends = data.rows.iter().filter_map(|r| r.interval).flat_map(|(low, high)| [low, high]);
    let ends = ends.filter(|v| v.is_finite()).map(|v| v.clamp(points.0 - room, points.1 + room));
    let range = padded(extent(ends.chain([points.0, points.1])).unwrap_or(points), 0.03);
    let families = Families::of(data.rows.iter().map(|r| r.variant));
    let names = data.rows.iter().map(|r| text::width(r.name, BODY)).fold(60.0, f64::max);
    let names = names.min(190.0 * heading.shrink(620.0));
    let left = MARGIN + names + 12.0;
    let more = match data.left_out {
        0 => String::new(),
        n => format!("{n} more rows are not shown"),
    };
    let mut entries = chart::families(&families);
    if data.rows.iter().any(|r| r.reference) {
        entries.retain(|e| e.name != "baseline");
        entries.push(Entry::hollow("hollow: a baseline"));
    }
    let guide = |dash: &'static str| Pen::new(GUIDE, 1.2).dashed(dash);
    let by_chance = data.rows.iter().find_map(|r| r.chance).or(data.chance);
    entries.extend(by_chance.map(|_| Entry::line("chance", guide("2 3"), None)));
    let leading = data.rows.iter().find_map(|r| r.baseline).map(|_| "");
    let leading = data.baseline.map(|_| "7 4").or(leading);
    entries.extend(leading.map(|dash| Entry::line("leading baseline", guide(dash), None)));
    let (own, finding) = (left + PLOT + 66.0 + MARGIN, data.finding.clone());
    let (mut svg, y) = chart::start(FIGURE, own, heading, finding, &more, &entries);
    let plot = svg.width - left - 66.0 - MARGIN;
    let top = y + 4.0;
    let bottom = top + ROW * data.rows.len() as f64;
    let scale = Scale::new(range, (left, left + plot));
    let label = format!("{} ({} is better)", data.score.label(), style::better_word(data.better));
    scale.axis_below(&mut svg, &scale.ticks(5, data.score.scale), (top, bottom), &label, 32.0);
    let upright = |svg: &mut Svg, value: Option<f64>, from: f64, to: f64, dash: &'static str| {
        if let Some(x) = value.filter(|v| scale.holds(*v)).map(|v| scale.at(v)) {
            svg.line((x, from), (x, to), guide(dash));
        }
    };
    upright(&mut svg, data.chance, top, bottom, "2 3");
    upright(&mut svg, data.baseline, top, bottom, "7 4");
    let number = |v: f64| digits(v * data.score.scale);
    for (place, row) in data.rows.iter().enumerate() {
        let y = top + ROW * (place as f64 + 0.5);
        upright(&mut svg, row.chance, y - 0.4 * ROW, y + 0.4 * ROW, "2 3");
        upright(&mut svg, row.baseline, y - 0.4 * ROW, y + 0.4 * ROW, "");
        let score = row.score.map_or_else(|| "–".to_owned(), number);
        let ends = row.interval.map(|(low, high)| format!(", from {} to {}", number(low), number(high)));
        let ends = ends.unwrap_or_default();
        let hint = format!("{}: {} {score}{ends}", row.variant.label, data.score.name);
        svg.named(row.variant.label, &hint, |svg| {
            let name = text::fit(row.name, BODY, names + 2.0);
            svg.text(left - 8.0, y + 4.0, &name, Type::new(BODY).anchor(Anchor::End));
            let look = families.look(row.variant.family);
            if let Some((low, high)) = row.interval {
                let pen = Pen::new(if row.reference { MUTED } else { look.colour }, 1.6);
                svg.line((scale.within(low), y), (scale.within(high), y), pen);
            }
            if let Some(score) = row.score {
                svg.marker(look, scale.at(score), y, 4.2, row.reference);
            }
            let tied = if row.tied { " =" } else { "" };
            svg.text(left + plot + 8.0, y + 4.0, &format!("{score}{tied}"), Type::new(SMALL).colour(MUTED));
        });
    }
    let (name, rows) = (data.score.name, data.rows.len());
    let description = format!("{name} of {rows} rows with their intervals; = is tied with the first.");
    svg.finish(bottom + 44.0, &description)
}
