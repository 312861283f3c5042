//! What an error earns or costs before relevance weighs it (UT08 Fig. 3).

use tailrank_metrics::utility::Ut08;

use super::*;

const FIGURE: &str = "utility of an error";

/// The utility of a task, where it has one.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(settings) = task.settings() else { return Ok(()) };
    let own = task.subject.run().map(|(plan, _)| &plan.tasks[task.number].measures);
    let set = own.unwrap_or(&task.subject.rules.settings).utility.t;
    let t = set.or(settings.accuracy.map(|alpha| alpha.t_l()));
    let (Some(utility), Some(t)) = (&settings.utility, t) else { return Ok(()) };
    sheet.add("", zeta(sheet.heading, task.quantity("absolute error"), utility, t))
}

/// Draws ζ of errors up to three times the largest admissible one, `t`.
pub fn zeta(heading: Heading<'_>, error: Quantity<'_>, utility: &Ut08, t: f64) -> Result<Figure> {
    require(FIGURE, t > 0.0 && t.is_finite(), "the admissible error is not above 0")?;
    let (most, limit) = (utility.zeta(0.0), error.limit(t));
    let finding = format!("Errors below {limit} earn up to {}, larger ones cost", short(most));
    let note = "before relevance weighs it";
    let (mut svg, y) = chart::start(FIGURE, 560.0, heading, finding, note, &[]);
    let (reach, end) = (3.0 * t, 1.08 * most);
    let panel = Panel::new(70.0, y + 6.0, svg.width - 24.0, y + 266.0, (0.0, reach), (-end, end));
    panel.axes(&mut svg, &error, &Quantity::new("utility ζ", ""));
    let dashed = Pen::new(GUIDE, 1.0).dashed("5 4");
    panel.across(&mut svg, panel.y.at(0.0), dashed);
    let x = panel.x.at(t);
    svg.line((x, panel.top()), (x, panel.bottom()), dashed);
    let name = format!("t = {limit}");
    svg.text(x + 6.0, panel.top() + 30.0, &name, Type::new(SMALL).colour(MUTED).halo());
    let shown = (0..=300).map(|k| reach * f64::from(k) / 300.0);
    let curve: Vec<Point> = shown.map(|error| panel.at(error, utility.zeta(error))).collect();
    svg.stroke_path(&Path::through(&thinned(&curve)), Pen::new(INK, 2.2));
    let description = format!("Utility of an error from 0 to {}: zero at {limit}.", error.limit(reach));
    svg.finish(panel.bottom() + 46.0, &description)
}
