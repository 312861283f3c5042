//! How well predictions rank the events of one side: ROC, lift and cost curves (WF §5.7, Fig. 5.1–5.4).

use tailrank_metrics::{
    Settings,
    classification::{RankedCounts, RatePoint},
    relevance::Flank,
};

use super::*;

const FIGURE: &str = "event alarms";

/// The winners of a task, for each side that has events.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(Settings { relevance: Some(phi), t_e, .. }) = task.settings() else { return Ok(()) };
    for (flank, events) in [(Flank::Low, "low events"), (Flank::High, "high events")] {
        let of = |z: &[f64]| RankedCounts::of_events(&task.truth, z, phi, *t_e, flank);
        let figure = event_curves(sheet.heading, events, &task.curves(of)?);
        sheet.add(&format!(", {events}"), figure)?;
    }
    Ok(())
}

/// Draws three panels of `events`, such as `high events`: their share that is signalled over the share of
/// other cases, how many times more events signals hold than as many cases at random, and the cost of the
/// best threshold for every ratio of costs.
pub fn event_curves(
    heading: Heading<'_>,
    events: &str,
    curves: &[VariantCurve<'_, RankedCounts>],
) -> Result<Figure> {
    let points = |of: fn(&RankedCounts) -> Option<Vec<RatePoint>>| -> Option<Vec<Vec<Point>>> {
        let curve =
            |c: &VariantCurve<'_, RankedCounts>| Some(of(&c.curve)?.iter().map(|p| (p.x, p.y)).collect());
        curves.iter().map(curve).collect()
    };
    let found = points(RankedCounts::roc).zip(points(RankedCounts::lift));
    let Some((roc, lift)) = found.filter(|_| !curves.is_empty()) else {
        return Err(problem(FIGURE, &format!("there are no {events}, or nothing else")));
    };
    let cost = |c: &VariantCurve<'_, RankedCounts>| {
        let curve = c.curve.cost_curve().map_err(|e| problem(FIGURE, &e))?;
        let starts = curve.envelope().iter().map(|piece| piece.from).chain([1.0]);
        Ok(starts.map(|pc| (pc, curve.cost(pc))).collect())
    };
    let costs: Vec<Vec<Point>> = curves.iter().map(cost).collect::<Result<_>>()?;
    let area = |c: &VariantCurve<'_, RankedCounts>| c.curve.roc_area().value().unwrap_or(f64::NAN);
    let best = curves.iter().max_by(|a, b| area(a).total_cmp(&area(b)));
    let finding = best.map_or_else(String::new, |c| {
        let area = digits(area(c));
        format!("{} has the largest area below its ROC curve of {events}: {area}", c.variant.label)
    });
    let looks = lines::looks(curves.iter().map(|c| c.variant));
    let mut entries = lines::entries(&looks);
    let guide = Pen::new(GUIDE, 1.0).dashed("5 4");
    entries.push(Entry::line("without a model", guide, None));
    let highest = 1.08 * lift.iter().flatten().map(|p| p.1).fold(1.0, f64::max);
    let share = |name| (Quantity::percent(name), 1.0);
    let (lifted, costly) = (Quantity::new("lift", ""), Quantity::new("normalised cost", ""));
    let weight = Quantity::new("weight of missed events", "");
    let described = [
        ("ROC curve", share("other cases signalled"), share("events signalled")),
        ("lift curve", share("cases signalled"), (lifted, highest)),
        ("cost curve", (weight, 1.0), (costly, 0.54)),
    ];
    let (mut svg, panels) = chart::three_panels(FIGURE, heading, finding, &entries, described);
    let without = [
        vec![(0.0, 0.0), (1.0, 1.0)],
        vec![(0.0, 1.0), (1.0, 1.0)],
        vec![(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)],
    ];
    for ((panel, shown), without) in panels.iter().zip([&roc, &lift, &costs]).zip(&without) {
        let pixels = |curve: &[Point]| -> Vec<_> { curve.iter().map(|p| panel.at(p.0, p.1)).collect() };
        svg.stroke_path(&Path::through(&pixels(without)), guide);
        for (curve, look) in shown.iter().zip(&looks) {
            lines::draw(&mut svg, panel, &pixels(curve), look, look.label);
        }
    }
    let rows = joined(curves, "; ", |c| format!("{}: area {}", c.variant.label, digits(area(c))));
    let description = format!("ROC, lift and cost curves of {events}. {rows}.");
    svg.finish(panels[2].bottom() + 46.0, &description)
}
