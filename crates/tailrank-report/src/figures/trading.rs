//! What the trading rule earned with the predictions of several variants, and when it acted: signals on the
//! price.

use tailrank_metrics::trading::{Side, Trade, TradingRecord};
use tailrank_score::score::TaskTruth;

use super::{task::Winner, *};

const EQUITY: &str = "equity";
const SIGNALS: &str = "signals";

/// One variant's equity.
#[derive(Clone, Debug)]
pub struct EquityCurve<'a> {
    /// Whose.
    pub variant: Variant<'a>,
    /// What it stands for, such as `best by MAD`.
    pub note: &'a str,
    /// (row at which a trade is closed, equity after it), as an account keeps them.
    pub equity: Vec<(usize, f64)>,
}

/// The input of [`equity()`].
#[derive(Clone, Debug)]
pub struct Equity<'a> {
    /// Dates of the test rows; without them rows are numbered.
    pub dates: Option<&'a [Date]>,
    /// The curves.
    pub curves: Vec<EquityCurve<'a>>,
    /// Prices at the test rows: drawn as buying and holding.
    pub prices: &'a [f64],
}

/// What each winner of a task traded; nothing without a trading rule, and of several periods.
fn records<'a>(task: &'a TaskView<'_>) -> Vec<(Winner<'a>, TradingRecord)> {
    let [TaskTruth { settings, .. }] = &task.parts[..] else { return Vec::new() };
    let Some(rule) = settings.trading else { return Vec::new() };
    let record = |w: Winner<'a>| TradingRecord::new(&task.truth, w.predicted, rule).ok().map(|r| (w, r));
    task.winners().into_iter().filter_map(record).collect()
}

/// When each winner of a task acted.
pub(super) fn draw_signals(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(prices) = task.prices.as_deref() else { return Ok(()) };
    for (winner, record) in &records(task) {
        let (dates, price) = (task.dates.as_deref(), Quantity::new("price", ""));
        let (variant, trades) = (winner.variant, record.trades());
        let figure = signals(sheet.heading, &Signals { variant, price, prices, dates, trades });
        sheet.add(&format!(", {}", winner.note), figure)?;
    }
    Ok(())
}

/// What each winner of a task earned.
pub(super) fn draw_equity(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (records, Some(prices)) = (records(task), task.prices.as_deref()) else { return Ok(()) };
    let curves = records.iter().map(|(winner, record)| EquityCurve {
        variant: winner.variant,
        note: &winner.note,
        equity: record.one_position().equity,
    });
    let (dates, curves) = (task.dates.as_deref(), curves.collect());
    sheet.add("", equity(sheet.heading, &Equity { dates, curves, prices }))
}

/// Equity before the first trade.
const START: f64 = 1.0;

impl EquityCurve<'_> {
    fn last(&self) -> f64 {
        self.equity.last().map_or(START, |e| e.1)
    }
}

/// Draws equity over time, with buying and holding beside it.
pub fn equity(heading: Heading<'_>, data: &Equity<'_>) -> Result<Figure> {
    require(EQUITY, !data.curves.is_empty(), "there is no curve to draw")?;
    finite(EQUITY, "the prices", data.prices)?;
    let time = Time::new(EQUITY, data.dates, data.prices.len())?;
    let hold: Vec<f64> = data.prices.iter().map(|p| START + p / data.prices[0] - 1.0).collect();
    let looks = lines::looks(data.curves.iter().map(|c| c.variant));
    let entry = |(c, look): (&EquityCurve<'_>, &LineLook<'_>)| {
        look.entry(&format!("{}: {} ({} trades)", c.note, look.label, c.equity.len()))
    };
    let hold_pen = Pen::new(GUIDE, 1.2);
    let mut entries: Vec<Entry<'_>> = data.curves.iter().zip(&looks).map(entry).collect();
    entries.push(Entry::line("buy and hold", hold_pen, None));
    let (mut svg, y) = chart::start(EQUITY, 720.0, heading, finding(data), "", &entries);
    let all = data.curves.iter().flat_map(|c| c.equity.iter().map(|e| e.1));
    let range = extent(all.chain(hold.iter().copied()).chain([START])).unwrap_or((0.0, 1.0));
    // Compounding gains are straight lines on a log scale; it is used where values differ by more than a
    // factor of 4.
    let log = range.0 > 0.0 && range.1 / range.0 > 4.0;
    let height = |v: f64| if log { v.log10() } else { v };
    let shown = padded((height(range.0), height(range.1)), 0.05);
    let panel = Panel::new(70.0, y + 6.0, svg.width - 24.0, y + 306.0, time.range(), shown);
    let (ticks, label) = match log {
        true => (log_ticks(&panel), "equity (start = 1), log scale"),
        false => (panel.y.ticks(5, 1.0), "equity (start = 1)"),
    };
    panel.grid(&mut svg, &ticks);
    time.axes(&mut svg, &panel, &ticks, label);
    panel.across(&mut svg, panel.y.at(height(START)), Pen::new(GUIDE, 0.9).dashed("5 4"));
    svg.stroke_path(&time.line(&panel, hold.iter().map(|&v| height(v))), hold_pen);
    for (c, look) in data.curves.iter().zip(&looks) {
        let corners = c.equity.iter().map(|&(row, value)| (time.at(row), height(value)));
        let points = lines::steps(&panel, corners, height(START));
        let hint = format!("{}: {} after {} trades", look.label, digits(c.last()), c.equity.len());
        lines::draw(&mut svg, &panel, &points, look, &hint);
    }
    let row = |c: &EquityCurve<'_>| {
        let (name, trades, end) = (c.variant.label, c.equity.len(), digits(c.last()));
        format!("{name} ({}): {trades} trades, ends at {end}", c.note)
    };
    let description = format!("Equity over time. {}.", joined(&data.curves, "; ", row));
    svg.finish(panel.bottom() + 46.0, &description)
}

/// 1, 2 and 5 times the powers of ten within a log scale.
fn log_ticks(panel: &Panel) -> Vec<Tick> {
    let powers = panel.y.low.floor() as i32..=panel.y.high.ceil() as i32;
    let values = powers.flat_map(|p| [1.0, 2.0, 5.0].map(|lead| lead * 10f64.powi(p)));
    let inside = values.filter(|v| panel.y.holds(v.log10()));
    inside.map(|v| Tick { at: v.log10(), label: format!("{}", (v * 1e6).round() / 1e6) }).collect()
}

fn finding(data: &Equity<'_>) -> String {
    let part = |c: &EquityCurve<'_>| {
        let name = format!("the model with the {}", c.note);
        let gain = Quantity::percent("").value(c.last() - START);
        match c.last() >= START {
            _ if c.equity.is_empty() => format!("{name} never traded"),
            true => format!("{name} gained {gain}"),
            false => format!("{name} lost {}", gain.trim_start_matches('−')),
        }
    };
    sentence_case(&joined(&data.curves, ", ", part))
}

/// The input of [`signals()`].
#[derive(Clone, Copy, Debug)]
pub struct Signals<'a> {
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
pub fn signals(heading: Heading<'_>, data: &Signals<'_>) -> Result<Figure> {
    finite(SIGNALS, "the prices", data.prices)?;
    let time = Time::new(SIGNALS, data.dates, data.prices.len())?;
    let inside = data.trades.iter().all(|t| t.row < data.prices.len() && t.profit.is_finite());
    require(SIGNALS, inside, "a trade lies outside the prices")?;
    let name = data.variant.label;
    let groups =
        GROUPS.map(|group| data.trades.iter().filter(|t| (t.side, t.profit > 0.0) == group).collect());
    let [a, b, c, d] = groups.each_ref().map(Vec::<&Trade>::len);
    let finding = match data.trades.len() {
        0 => format!("{name} never signals"),
        n => {
            let won = percent((a + c) as f64 / n as f64);
            format!("{name} signals {} times; {won} of the trades gained", count(n))
        }
    };
    let price_pen = Pen::new(PRICE, 1.0);
    let mut entries = vec![Entry::line(data.price.name, price_pen, None)];
    for (group, n) in GROUPS.into_iter().zip([a, b, c, d]).filter(|(_, n)| *n > 0) {
        let (side, outcome) = (if group.0 == Side::Long { "long" } else { "short" }, group.1);
        let name = format!("{side}, {} ({})", if outcome { "gained" } else { "lost" }, count(n));
        entries.push(Entry::mark(name, mark(group), 12.0, 4.0));
    }
    let (mut svg, y) = chart::start(SIGNALS, 720.0, heading, finding, "", &entries);
    let range = padded(extent(data.prices.iter().copied()).unwrap_or((0.0, 1.0)), 0.08);
    let panel = Panel::new(70.0, y + 6.0, svg.width - 24.0, y + 316.0, time.range(), range);
    let ticks = panel.y.ticks(5, data.price.scale);
    panel.grid(&mut svg, &ticks);
    time.axes(&mut svg, &panel, &ticks, &data.price.label());
    svg.stroke_path(&time.line(&panel, data.prices.iter().copied()), price_pen);
    for (group, trades) in GROUPS.into_iter().zip(groups) {
        // Long marks stand below the price and point at it, short ones above.
        let off = if group.0 == Side::Long { 8.0 } else { -8.0 };
        let place = |t: &Trade| {
            let (x, y) = panel.at(time.at(t.row), data.prices[t.row]);
            (x, y + off)
        };
        svg.marks(mark(group), &trades.into_iter().map(place).collect::<Vec<_>>(), 3.2);
    }
    let (price, rows, [long, short]) = (data.price.name, count(data.prices.len()), [a + b, c + d]);
    let description = format!(
        "{price} over {rows} rows with the signals of {name}: long {long} ({a} gained, {b} lost), \
         short {short} ({c} gained, {d} lost)."
    );
    svg.finish(panel.bottom() + 46.0, &description)
}

/// Trades of one side that gained, or that lost.
type Group = (Side, bool);

const GROUPS: [Group; 4] =
    [(Side::Long, true), (Side::Long, false), (Side::Short, true), (Side::Short, false)];

fn mark((side, won): Group) -> Mark {
    let marker = if side == Side::Long { Marker::Triangle } else { Marker::TriangleDown };
    match won {
        true => Mark { pen: Some(Pen::new("#ffffff", 0.4)), ..Mark::filled(marker, GOOD, 0.9) },
        false => Mark::hollow(marker, 0.75, Pen::new(BAD, 1.1)),
    }
}
