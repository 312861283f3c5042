//! When the trading rule acted: signals on the price.

use tailrank_data::Date;
use tailrank_metrics::trading::{Side, Trade};

use super::*;

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
    let time = Time::new(FIGURE, data.dates, data.prices.len())?;
    let inside = data.trades.iter().all(|t| t.row < data.prices.len() && t.profit.is_finite());
    require(FIGURE, inside, "a trade lies outside the prices")?;
    let name = data.variant.label;
    let [a, b, c, d] = GROUPS.map(|g| of(data, g).count());
    let finding = match data.trades.len() {
        0 => format!("{name} never signals"),
        n => {
            let won = percent((a + c) as f64 / n as f64);
            format!("{name} signals {} times; {won} of the trades gained", count(n))
        }
    };
    let price_pen = Pen::new("#8f8f8f", 1.0);
    let mut entries = vec![Entry::line(data.price.name, price_pen, None)];
    for (group, n) in GROUPS.into_iter().zip([a, b, c, d]).filter(|(_, n)| *n > 0) {
        let (side, outcome) = (if group.0 == Side::Long { "long" } else { "short" }, group.1);
        let name = format!("{side}, {} ({})", if outcome { "gained" } else { "lost" }, count(n));
        entries.push(Entry::new(name, 12.0, move |svg, x, y| paint(svg, group, &[(x + 6.0, y)], 4.0)));
    }
    let (mut svg, y) = chart::start(FIGURE, 720.0, &data.heading, finding, "", &entries);
    let range = padded(extent(data.prices.iter().copied()).unwrap_or((0.0, 1.0)), 0.08);
    let panel = Panel::new(70.0, y + 6.0, 696.0, y + 316.0, time.range(), range);
    let ticks = panel.y.ticks(5, data.price.scale);
    panel.grid(&mut svg, &ticks);
    time.axis(&mut svg, &panel);
    panel.y_axis(&mut svg, &ticks, &data.price.label(), 46.0);
    let line: Vec<(f64, f64)> =
        data.prices.iter().enumerate().map(|(r, &p)| panel.at(time.at(r), p)).collect();
    svg.stroke_path(&Path::through(&thinned(&line)), price_pen);
    for group in GROUPS {
        // Long marks stand below the price and point at it, short ones above.
        let off = if group.0 == Side::Long { 8.0 } else { -8.0 };
        let place = |t: &Trade| {
            let (x, y) = panel.at(time.at(t.row), data.prices[t.row]);
            (x, y + off)
        };
        paint(&mut svg, group, &of(data, group).map(place).collect::<Vec<_>>(), 3.2);
    }
    let description = format!(
        "{} over {} rows with the signals of {name}: long {} ({a} gained, {b} lost), short {} ({c} gained, {d} lost).",
        data.price.name,
        count(data.prices.len()),
        a + b,
        c + d
    );
    svg.finish(panel.bottom() + 46.0, &description)
}

/// Trades of one side that gained, or that lost.
type Group = (Side, bool);

const GROUPS: [Group; 4] =
    [(Side::Long, true), (Side::Long, false), (Side::Short, true), (Side::Short, false)];

fn of<'a>(data: &Signals<'a>, (side, won): Group) -> impl Iterator<Item = &'a Trade> {
    data.trades.iter().filter(move |t| t.side == side && (t.profit > 0.0) == won)
}

/// Marks of one group as one path.
fn paint(svg: &mut Svg, (side, won): Group, places: &[(f64, f64)], size: f64) {
    let shape = if side == Side::Long { Marker::Triangle } else { Marker::TriangleDown };
    let mut path = Path::default();
    for &(x, y) in places {
        path.marker(shape, x, y, size);
    }
    match won {
        _ if path.is_empty() => {}
        true => svg.fill_path(&path, WON, 0.9, Some(Pen::new("#ffffff", 0.4))),
        false => svg.fill_path(&path, "#ffffff", 0.75, Some(Pen::new(LOST, 1.1))),
    }
}
