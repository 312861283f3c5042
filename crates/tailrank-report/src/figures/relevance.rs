//! Relevance φ over the distribution of the target, with the events shaded (UT08 Fig. 2).

use tailrank_metrics::{Relevance, Settings, relevance::EventRange};

use super::*;

const FIGURE: &str = "relevance";
/// Values beyond these quantiles are counted in words: heavy tails would squeeze everything else.
const SHOWN: (f64, f64) = (0.001, 0.999);

/// The input of [`relevance()`].
#[derive(Clone, Copy, Debug)]
pub struct RelevanceFigure<'a> {
    /// What the target is.
    pub target: Quantity<'a>,
    /// Target values, such as those of the test rows.
    pub values: &'a [f64],
    /// The relevance function.
    pub relevance: &'a Relevance,
    /// The event threshold t_E.
    pub t_e: f64,
}

/// φ over the test rows of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(Settings { relevance: Some(phi), t_e, .. }) = task.settings() else { return Ok(()) };
    let (target, values, t_e) = (task.quantity(&task.target), &task.truth, *t_e);
    sheet.add("", relevance(sheet.heading, &RelevanceFigure { target, values, relevance: phi, t_e }))
}

/// Draws φ over a histogram of the target; ranges where φ reaches t_E are shaded.
pub fn relevance(heading: Heading<'_>, data: &RelevanceFigure<'_>) -> Result<Figure> {
    finite(FIGURE, "the target", data.values)?;
    let events = data.relevance.event_bounds(data.t_e).map_err(|e| problem(FIGURE, &e))?;
    let mut sorted = data.values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (low, high) = (quantile(&sorted, SHOWN.0), quantile(&sorted, SHOWN.1));
    let (low, high) = with_edges(&events, low, high);
    let hits = sorted.iter().filter(|&&y| data.relevance.phi(y) >= data.t_e).count();
    let share = percent(hits as f64 / sorted.len() as f64);
    let beyond = sorted.iter().filter(|&&y| y < low || y > high).count();

    let [all, hits] = [sorted.len(), hits].map(count);
    let finding = format!("{share} of the values are events: {}", ranges(&data.target, &events));
    let mut note = format!("{hits} of {all} values");
    if beyond > 0 {
        note.push_str(&format!(", {} values beyond the axis", count(beyond)));
    }
    let phi_pen = Pen::new(INK, 2.2);
    let entries = [
        Entry::swatch("values (left scale)", BARS),
        Entry::line("relevance φ (right scale)", phi_pen, None),
        Entry::swatch(&format!("events: φ ≥ t_E = {}", data.t_e), SHADE),
    ];
    let (mut svg, y) = chart::start(FIGURE, 640.0, heading, finding, &note, &entries);

    let (bins, width) = histogram(&sorted, low, high);
    let most = bins.iter().copied().max().unwrap_or(1).max(1) as f64 / sorted.len() as f64;
    let panel = Panel::new(66.0, y + 6.0, svg.width - 66.0, y + 286.0, (low, high), (0.0, 1.08 * most));
    let phi = Scale::new((0.0, 1.08), (panel.bottom(), panel.top()));
    for range in &events {
        let (a, b) = (panel.x.within(range.from), panel.x.within(range.to));
        svg.rect(a, panel.top(), b - a, panel.bottom() - panel.top(), SHADE);
    }
    panel.axes(&mut svg, &data.target, &Quantity::percent("share of the values per bar"));
    let mut path = Path::default();
    for (i, &n) in bins.iter().enumerate().filter(|(_, n)| **n > 0) {
        let left = panel.x.at(low + width * i as f64);
        let right = panel.x.at(low + width * (i + 1) as f64);
        let top = panel.y.at(n as f64 / sorted.len() as f64);
        path.rectangle(left, top, right - left, panel.bottom() - top);
    }
    svg.fill_path(&path, BARS, 1.0, Some(Pen::new("#ffffff", 0.5)));
    let t_e = phi.at(data.t_e);
    panel.across(&mut svg, t_e, Pen::new(GUIDE, 1.0).dashed("5 4"));
    let shown = (0..=600).map(|k| low + (high - low) * f64::from(k) / 600.0);
    let curve: Vec<Point> = shown.map(|y| (panel.x.at(y), phi.at(data.relevance.phi(y)))).collect();
    let curve = Path::through(&thinned(&curve));
    svg.stroke_path(&curve, Pen::new("#ffffff", 4.0));
    svg.stroke_path(&curve, phi_pen);
    let mut ticks: Vec<Tick> = phi.ticks(5, 1.0);
    ticks.retain(|t| t.at <= 1.0);
    panel.upright(&mut svg, panel.right(), &phi, &ticks, "relevance φ", 40.0);
    svg.text(panel.left() + 4.0, t_e - 4.0, "t_E", Type::new(11.0).colour("#5f5f5f").halo());
    let (name, words, t_e) = (data.target.name, data.relevance.describe(), data.t_e);
    let description = format!(
        "Histogram of {all} values of {name} with the relevance function {words}; {hits} values ({share}) reach t_E = {t_e}."
    );
    svg.finish(panel.bottom() + 46.0, &description)
}

/// The shown range, widened so that finite edges of events are seen.
fn with_edges(events: &[EventRange], low: f64, high: f64) -> (f64, f64) {
    // A scale widens a range without extent.
    let Scale { mut low, mut high, .. } = Scale::new((low, high), (0.0, 1.0));
    let span = high - low;
    for edge in events.iter().flat_map(|e| [e.from, e.to]).filter(|e| e.is_finite()) {
        // An edge far outside would squeeze the data to a line.
        if edge > high && edge < high + span {
            high = edge + 0.1 * span;
        }
        if edge < low && edge > low - span {
            low = edge - 0.1 * span;
        }
    }
    (low, high)
}

/// Where events lie, in words.
pub(super) fn ranges(target: &Quantity<'_>, events: &[EventRange]) -> String {
    if events.is_empty() {
        return "no value can be one".to_owned();
    }
    joined(events, " or ", |e| match (e.from.is_finite(), e.to.is_finite()) {
        (false, true) => format!("below {}", target.limit(e.to)),
        (true, false) => format!("above {}", target.limit(e.from)),
        (true, true) => format!("{} to {}", target.limit(e.from), target.limit(e.to)),
        (false, false) => "all values".to_owned(),
    })
}

/// Counts in bars of equal width, by Freedman and Diaconis' rule within 12 to 80 bars.
fn histogram(sorted: &[f64], low: f64, high: f64) -> (Vec<usize>, f64) {
    let iqr = quantile(sorted, 0.75) - quantile(sorted, 0.25);
    let rule = 2.0 * iqr / (sorted.len() as f64).cbrt();
    let bars = if rule > 0.0 { ((high - low) / rule).ceil().clamp(12.0, 80.0) } else { 24.0 };
    let width = (high - low) / bars;
    let mut bins = vec![0; bars as usize];
    for &y in sorted.iter().filter(|&&y| y >= low && y <= high) {
        let last = bins.len() - 1;
        bins[(((y - low) / width) as usize).min(last)] += 1;
    }
    (bins, width)
}
