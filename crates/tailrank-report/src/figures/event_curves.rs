//! How well predictions rank the events of one side: ROC, lift and cost curves (WF §5.7, Fig. 5.1–5.4).

use tailrank_metrics::{
    classification::{RankedCounts, RatePoint},
    relevance::Flank,
};

use super::*;

const FIGURE: &str = "event alarms";

/// A model's ranking of the cases.
pub type VariantRanking<'a> = VariantCurve<'a, RankedCounts>;

/// The input of [`event_curves()`].
#[derive(Clone, Debug)]
pub struct EventCurves<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// Which events, such as `high events`.
    pub events: &'a str,
    /// The rankings.
    pub curves: Vec<VariantRanking<'a>>,
}

/// The winners of a task, for each side that has events.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (winners, Some(settings)) = (task.winners(), task.settings()) else { return Ok(()) };
    let Some(phi) = &settings.relevance else { return Ok(()) };
    for (flank, events) in [(Flank::Low, "low events"), (Flank::High, "high events")] {
        let of = |z: &[f64]| RankedCounts::of_events(&task.truth, z, phi, settings.t_e, flank);
        let found = task.curves(&winners, of)?;
        let curves = winners.iter().zip(&found).map(|(w, curve)| VariantCurve { variant: w.variant, curve });
        let data = EventCurves { heading: sheet.heading, events, curves: curves.collect() };
        sheet.add(&format!(", {events}"), event_curves(&data))?;
    }
    Ok(())
}

/// Draws three panels: the share of the events signalled over the share of other cases, how many times more events signals hold
/// than as many cases at random, and the cost of the best threshold for every ratio of costs.
pub fn event_curves(data: &EventCurves<'_>) -> Result<Figure> {
    let points = |of: fn(&RankedCounts) -> Option<Vec<RatePoint>>| -> Option<Vec<Vec<(f64, f64)>>> {
        let curve = |c: &VariantRanking<'_>| Some(of(c.curve)?.iter().map(|p| (p.x, p.y)).collect());
        data.curves.iter().map(curve).collect()
    };
    let found = points(RankedCounts::roc).zip(points(RankedCounts::lift));
    let Some((roc, lift)) = found.filter(|_| !data.curves.is_empty()) else {
        return Err(problem(FIGURE, &format!("there are no {}, or nothing else", data.events)));
    };
    let cost = |c: &VariantRanking<'_>| {
        let curve = c.curve.cost_curve().map_err(|e| problem(FIGURE, &e))?;
        let starts = curve.envelope().iter().map(|piece| piece.from).chain([1.0]);
        Ok(starts.map(|pc| (pc, curve.cost(pc))).collect())
    };
    let costs: Vec<Vec<(f64, f64)>> = data.curves.iter().map(cost).collect::<Result<_>>()?;
    let area = |c: &VariantRanking<'_>| c.curve.roc_area().value().unwrap_or(f64::NAN);
    let best = data.curves.iter().max_by(|a, b| area(a).total_cmp(&area(b)));
    let finding = best.map_or_else(String::new, |c| {
        let area = digits(area(c));
        format!("{} has the largest area below its ROC curve of {}: {area}", c.variant.label, data.events)
    });
    let variants: Vec<Variant<'_>> = data.curves.iter().map(|c| c.variant).collect();
    let looks = lines::looks(&variants);
    let mut entries = lines::entries(&variants);
    let guide = Pen::new(GUIDE, 1.0).dashed("5 4");
    entries.push(Entry::line("without a model", guide, None));
    let width = chart::width_of_three(&data.heading);
    let (mut svg, y) = chart::start(FIGURE, width, &data.heading, finding, "", &entries);
    let highest = 1.08 * lift.iter().flatten().map(|p| p.1).fold(1.0, f64::max);
    let percent = Quantity::percent;
    let panels = chart::three_panels(
        &mut svg,
        y,
        ["ROC curve", "lift curve", "cost curve"],
        [
            (percent("other cases signalled"), 1.0),
            (percent("cases signalled"), 1.0),
            (Quantity::new("weight of missed events", ""), 1.0),
        ],
        [
            (percent("events signalled"), 1.0),
            (Quantity::new("lift", ""), highest),
            (Quantity::new("normalised cost", ""), 0.54),
        ],
    );
    let without = [
        vec![(0.0, 0.0), (1.0, 1.0)],
        vec![(0.0, 1.0), (1.0, 1.0)],
        vec![(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)],
    ];
    for ((panel, curves), without) in panels.iter().zip([&roc, &lift, &costs]).zip(&without) {
        let pixels = |curve: &[(f64, f64)]| -> Vec<_> { curve.iter().map(|p| panel.at(p.0, p.1)).collect() };
        svg.stroke_path(&Path::through(&pixels(without)), guide);
        for (k, curve) in curves.iter().enumerate() {
            lines::draw(&mut svg, panel, &pixels(curve), looks[k], variants[k].label, (k, variants.len()));
        }
    }
    let rows = joined(&data.curves, "; ", |c| format!("{}: area {}", c.variant.label, digits(area(c))));
    let description = format!("ROC, lift and cost curves of {}. {rows}.", data.events);
    svg.finish(panels[2].bottom() + 46.0, &description)
}
