//! When the trading rule acted: signals on the price.

use tailrank_data::Date;
use tailrank_metrics::trading::{Side, Trade};

use super::{
    Figure, Heading, Quantity, Variant,
    axis::{extent, padded},
    chart::{self, Entry, Panel},
    data::{finite, problem, same_length},
    equity::Time,
    lines::thinned,
    style::{Marker, count, percent},
    svg::{Path, Pen, Svg},
};
use crate::Result;

const FIGURE: &str = "signals";
const WON: &str = "#4a3082";
const LOST: &str = "#b35806";

/// The input of [`signals()`].
#[derive(Clone, Copy, Debug)]
pub struct Signals<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// Whose predictions gave the signals.
    pub variant: Variant<'a>,
    /// What the price is, with its unit.
    pub price: Quantity<'a>,
    /// Prices at the test rows.
    pub prices: &'a [f64],
    /// Dates of the test rows; without them rows are numbered.
    pub dates: Option<&'a [Date]>,
    /// The trades, as a trading record keeps them.
    pub trades: &'a [Trade],
}

/// Draws the price with a mark at every signal: up for long, down for short, filled where the trade won.
pub fn signals(data: &Signals<'_>) -> Result<Figure> {
    finite(FIGURE, "the prices", data.prices)?;
    if let Some(dates) = data.dates {
        same_length(FIGURE, "the dates", dates.len(), data.prices.len())?;
    }
    if data.trades.iter().any(|t| t.row >= data.prices.len() || !t.profit.is_finite()) {
        return Err(problem(FIGURE, &"a trade lies outside the prices"));
    }
    let time = Time::new(data.dates, data.prices.len());
    let won = data.trades.iter().filter(|t| t.profit > 0.0).count();
    let name = data.variant.label;
    let finding = match data.trades.len() {
        0 => format!("{name} never signals"),
        n => {
            format!("{name} signals {} times; {} of the trades won", count(n), percent(won as f64 / n as f64))
        }
    };
    let mut svg = Svg::new(720.0);
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, "");
    let groups = [(Side::Long, true), (Side::Long, false), (Side::Short, true), (Side::Short, false)];
    let of = |(side, wins): (Side, bool)| {
        data.trades.iter().filter(move |t| t.side == side && (t.profit > 0.0) == wins)
    };
    let mut entries = vec![Entry::line(data.price.name, Pen::new("#8f8f8f", 1.0), None)];
    for group in groups {
        let n = of(group).count();
        if n > 0 {
            let (side, wins) = group;
            let name = format!(
                "{}, {} ({})",
                if side == Side::Long { "long" } else { "short" },
                if wins { "won" } else { "lost" },
                count(n)
            );
            entries.push(Entry {
                name,
                draw: Box::new(move |svg, x, y| {
                    let mut path = Path::default();
                    path.marker(shape(side), x + 6.0, y, 4.0);
                    paint(svg, &path, wins);
                }),
                width: 12.0,
            });
        }
    }
    let y = chart::legend(&mut svg, &entries, y);
    let range = padded(extent(data.prices.iter().copied()).unwrap_or((0.0, 1.0)), 0.08);
    let panel = Panel::new(70.0, y + 6.0, 696.0, y + 316.0, time.range(), range);
    let ticks = panel.y.ticks(5, data.price.scale);
    panel.grid(&mut svg, &ticks);
    panel.x_axis(&mut svg, &time.ticks(&panel), time.label());
    panel.y_axis(&mut svg, &ticks, &data.price.label(), 46.0);
    let line: Vec<(f64, f64)> =
        data.prices.iter().enumerate().map(|(r, &p)| panel.at(time.at(r), p)).collect();
    svg.stroke_path(&Path::through(&thinned(&line)), Pen::new("#8f8f8f", 1.0));
    for group in groups {
        let mut path = Path::default();
        for trade in of(group) {
            let (x, y) = panel.at(time.at(trade.row), data.prices[trade.row]);
            // Long marks stand below the price and point at it, short ones above.
            let off = if trade.side == Side::Long { 8.0 } else { -8.0 };
            path.marker(shape(trade.side), x, y + off, 3.2);
        }
        if !path.is_empty() {
            paint(&mut svg, &path, group.1);
        }
    }
    let [a, b, c, d] = groups.map(|g| of(g).count());
    let description = format!(
        "{} over {} rows with the signals of {name}: long {} ({a} won, {b} lost), short {} ({c} won, {d} lost).",
        data.price.name,
        count(data.prices.len()),
        a + b,
        c + d
    );
    svg.finish(FIGURE, panel.bottom() + 46.0, &title, &description)
}

fn shape(side: Side) -> Marker {
    match side {
        Side::Long => Marker::Triangle,
        Side::Short => Marker::TriangleDown,
    }
}

fn paint(svg: &mut Svg, path: &Path, won: bool) {
    if won {
        svg.fill_path(path, WON, 0.9, Some(Pen::new("#ffffff", 0.4)));
    } else {
        svg.fill_path(path, "#ffffff", 0.75, Some(Pen::new(LOST, 1.1)));
    }
}
