//! What the trading rule earned with the predictions of several variants.

use tailrank_data::Date;

use super::{
    Figure, Heading, Quantity, Variant,
    axis::{Tick, extent, padded, year, year_ticks},
    chart::{self, Entry, Panel},
    data::{finite, problem, same_length},
    lines::{self, LineLook, thinned},
    style::{GUIDE, digits},
    svg::{Path, Pen, Svg},
};
use crate::Result;

const FIGURE: &str = "equity";

/// One variant's equity.
#[derive(Clone, Copy, Debug)]
pub struct EquityCurve<'a> {
    /// Whose.
    pub variant: Variant<'a>,
    /// What it stands for, such as `best by MAD`.
    pub note: &'a str,
    /// (row at which a trade is closed, equity after it), as an account keeps them.
    pub equity: &'a [(usize, f64)],
}

/// The input of [`equity()`].
#[derive(Clone, Debug)]
pub struct Equity<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// Dates of the test rows; without them rows are numbered.
    pub dates: Option<&'a [Date]>,
    /// Number of test rows.
    pub rows: usize,
    /// Equity before the first trade: 1 for a compounding account, 0 for a sum of returns.
    pub start: f64,
    /// The curves.
    pub curves: Vec<EquityCurve<'a>>,
    /// Prices at the test rows: drawn as buying and holding.
    pub prices: Option<&'a [f64]>,
}

/// Draws equity over time, with buying and holding beside it where prices are given.
pub fn equity(data: &Equity<'_>) -> Result<Figure> {
    if data.curves.is_empty() || data.rows == 0 {
        return Err(problem(FIGURE, &"there is no curve to draw"));
    }
    if let Some(dates) = data.dates {
        same_length(FIGURE, "the dates", dates.len(), data.rows)?;
    }
    let hold = match data.prices {
        Some(prices) => {
            same_length(FIGURE, "the prices", prices.len(), data.rows)?;
            finite(FIGURE, "the prices", prices)?;
            Some(prices.iter().map(|p| data.start + p / prices[0] - 1.0).collect::<Vec<_>>())
        }
        None => None,
    };
    let time = Time::new(data.dates, data.rows);
    let variants: Vec<Variant<'_>> = data.curves.iter().map(|c| c.variant).collect();
    let looks = lines::looks(&variants);
    let last = |c: &EquityCurve<'_>| c.equity.last().map_or(data.start, |e| e.1);
    let mut svg = Svg::new(720.0);
    let (title, y) = chart::heading(&mut svg, &data.heading, finding(data, last), "");
    let mut entries: Vec<Entry<'_>> = data
        .curves
        .iter()
        .zip(&looks)
        .map(|(c, l): (_, &LineLook)| {
            let trades = format!("{} trades", c.equity.len());
            let name = chart::join(&[c.note, c.variant.label], ": ");
            Entry::line(&format!("{name} ({trades})"), l.pen(), Some(l.look))
        })
        .collect();
    let hold_pen = Pen::new(GUIDE, 1.2);
    if hold.is_some() {
        entries.push(Entry::line("buy and hold", hold_pen, None));
    }
    let y = chart::legend(&mut svg, &entries, y);
    let all = data.curves.iter().flat_map(|c| c.equity.iter().map(|e| e.1));
    let range = extent(all.chain(hold.iter().flatten().copied()).chain([data.start])).unwrap_or((0.0, 1.0));
    // Compounding gains are straight lines on a log scale; it is used where values differ by more than a factor of 4.
    let log = data.start > 0.0 && range.0 > 0.0 && range.1 / range.0 > 4.0;
    let height = |v: f64| if log { v.log10() } else { v };
    let shown = padded((height(range.0), height(range.1)), 0.05);
    let panel = Panel::new(70.0, y + 6.0, 696.0, y + 306.0, time.range(), shown);
    let ticks = if log { log_ticks(&panel) } else { panel.y.ticks(5, 1.0) };
    panel.grid(&mut svg, &ticks);
    panel.x_axis(&mut svg, &time.ticks(&panel), time.label());
    let label = match (data.start == 0.0, log) {
        (true, _) => "sum of returns (1 = 100%)",
        (false, true) => "equity (start = 1), log scale",
        (false, false) => "equity (start = 1)",
    };
    panel.y_axis(&mut svg, &ticks, label, 46.0);
    let start = panel.y.at(height(data.start));
    svg.line((panel.left(), start), (panel.right(), start), Pen::new(GUIDE, 0.9).dashed("5 4"));
    if let Some(hold) = &hold {
        let line: Vec<(f64, f64)> =
            hold.iter().enumerate().map(|(r, &v)| panel.at(time.at(r), height(v))).collect();
        svg.stroke_path(&Path::through(&thinned(&line)), hold_pen);
    }
    for (k, c) in data.curves.iter().enumerate() {
        let corners = c.equity.iter().map(|&(row, value)| (time.at(row), height(value)));
        let points = lines::steps(&panel, corners, height(data.start));
        let hint = format!("{}: {} after {} trades", c.variant.label, digits(last(c)), c.equity.len());
        lines::draw(&mut svg, &panel, &points, looks[k], &hint, (k, data.curves.len()));
    }
    let rows: Vec<String> = data
        .curves
        .iter()
        .map(|c| {
            format!(
                "{} ({}): {} trades, ends at {}",
                c.variant.label,
                c.note,
                c.equity.len(),
                digits(last(c))
            )
        })
        .collect();
    svg.finish(FIGURE, panel.bottom() + 46.0, &title, &format!("Equity over time. {}.", rows.join("; ")))
}

/// 1, 2 and 5 times the powers of ten within a log scale.
fn log_ticks(panel: &Panel) -> Vec<Tick> {
    let powers = panel.y.low.floor() as i32..=panel.y.high.ceil() as i32;
    let values = powers.flat_map(|p| [1.0, 2.0, 5.0].map(|lead| lead * 10f64.powi(p)));
    let inside = values.filter(|v| panel.y.holds(v.log10()));
    inside.map(|v| Tick { at: v.log10(), label: format!("{}", (v * 1e6).round() / 1e6) }).collect()
}

fn finding(data: &Equity<'_>, last: impl Fn(&EquityCurve<'_>) -> f64) -> String {
    let name = |c: &EquityCurve<'_>| {
        if c.note.is_empty() { c.variant.label.to_owned() } else { format!("the {}", c.note) }
    };
    let unit = Quantity::percent("");
    let gain = |c: &EquityCurve<'_>| unit.value(last(c) - data.start);
    let parts: Vec<String> = data
        .curves
        .iter()
        .map(|c| {
            if c.equity.is_empty() {
                format!("{} never traded", name(c))
            } else if last(c) >= data.start {
                format!("{} gained {}", name(c), gain(c))
            } else {
                format!("{} lost {}", name(c), gain(c).trim_start_matches('−'))
            }
        })
        .collect();
    let text = parts.join(", ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

/// The axis of time: dates where there are any, rows where not.
pub(super) struct Time<'a> {
    dates: Option<&'a [Date]>,
    rows: usize,
}

impl<'a> Time<'a> {
    pub(super) fn new(dates: Option<&'a [Date]>, rows: usize) -> Self {
        Self { dates, rows }
    }

    /// The place of a row; rows after the last stand at its end.
    pub(super) fn at(&self, row: usize) -> f64 {
        let row = row.min(self.rows.saturating_sub(1));
        self.dates.and_then(|d| d.get(row)).map_or(row as f64 + 1.0, |&d| year(d))
    }

    pub(super) fn range(&self) -> (f64, f64) {
        (self.at(0), self.at(self.rows))
    }

    pub(super) fn ticks(&self, panel: &Panel) -> Vec<Tick> {
        let wanted = ((panel.right() - panel.left()) / 80.0) as usize;
        if self.dates.is_some() { year_ticks(&panel.x, wanted) } else { panel.x.ticks(wanted, 1.0) }
    }

    pub(super) fn label(&self) -> &'static str {
        if self.dates.is_some() { "date" } else { "test row" }
    }
}
