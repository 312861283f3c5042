//! Scales from data to pixels, and where their ticks stand.

use super::*;

/// A straight scale from data to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

/// A tick and what is written at it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

impl Scale {
    /// Maps `low` to pixel `from` and `high` to pixel `to`. A range without extent is widened.
    pub(super) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let pad = if high > low { 0.0 } else { 0.5 * low.abs().max(1.0) };
        Self { low: low - pad, high: high + pad, from, to }
    }

    /// The pixel of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The pixel of a value, kept within the scale.
    pub(super) fn within(&self, value: f64) -> f64 {
        self.at(value.clamp(self.low, self.high))
    }

    /// Draws the axis below rows from `rows.0` to `rows.1`, thin lines up from it, and its label `off` below.
    pub(super) fn axis_below(&self, svg: &mut Svg, ticks: &[Tick], rows: Point, label: &str, off: f64) {
        let (top, bottom) = rows;
        for tick in ticks {
            let x = self.at(tick.at);
            svg.line((x, top), (x, bottom), Pen::new(RULE, 0.7));
            svg.text(x, bottom + 15.0, &tick.label, Type::new(SMALL).anchor(Anchor::Middle));
        }
        svg.line((self.from, bottom), (self.to, bottom), Pen::new(INK, 0.9));
        svg.text(0.5 * (self.from + self.to), bottom + off, label, Type::new(BODY).anchor(Anchor::Middle));
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Round values within the scale, about `wanted` of them, labelled in units of `1 / factor`.
    pub(super) fn ticks(&self, wanted: usize, factor: f64) -> Vec<Tick> {
        let (low, high) = (self.low * factor, self.high * factor);
        let step = round_step((high - low) / wanted.max(1) as f64);
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        let wide = high.abs().max(low.abs()) >= 1e6 || step < 1e-5;
        (first..=last.min(first.saturating_add(100)))
            .map(|k| {
                let value = k as f64 * step;
                let label = match k {
                    0 => "0".to_owned(),
                    _ if wide => format!("{value:.1e}"),
                    _ => format!("{value:.decimals$}"),
                };
                Tick { at: value / factor, label: label.replace('-', "−") }
            })
            .collect()
    }
}

/// A day as a year with its fraction, for axes of time.
fn year(date: Date) -> f64 {
    f64::from(date.year()) + (f64::from(date.day_of_year()) - 1.0) / f64::from(date.days_in_year())
}

/// Ticks of a scale in years: at years, or at months where years are too far apart.
fn year_ticks(scale: &Scale, wanted: usize) -> Vec<Tick> {
    let span = scale.high - scale.low;
    let multiples =
        |low: f64, high: f64, step: f64| (low / step).ceil() as i64..=(high / step).floor() as i64;
    if span >= 3.0 {
        let step = round_step(span / wanted.max(1) as f64).max(1.0);
        let years = multiples(scale.low, scale.high, step).map(|k| (k as f64 * step).round());
        return years.map(|y| Tick { at: y, label: format!("{y:.0}") }).collect();
    }
    let months = 12.0 * span / wanted.max(1) as f64;
    let step = [1.0, 2.0, 3.0, 6.0].into_iter().find(|s| *s >= months).unwrap_or(12.0);
    let months = multiples(12.0 * scale.low, 12.0 * scale.high, step).map(|k| k * step as i64);
    let label = |month: i64| format!("{}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1);
    months.map(|month| Tick { at: month as f64 / 12.0, label: label(month) }).collect()
}

/// The axis of time: dates where there are any, rows where not.
pub(super) struct Time<'a> {
    dates: Option<&'a [Date]>,
    rows: usize,
}

impl<'a> Time<'a> {
    /// Refuses dates that are not one for each row.
    pub(super) fn new(figure: &str, dates: Option<&'a [Date]>, rows: usize) -> Result<Self> {
        same_length(figure, "the dates", dates.map_or(rows, <[Date]>::len), rows)?;
        Ok(Self { dates, rows })
    }

    /// The place of a row; rows after the last stand at its end.
    pub(super) fn at(&self, row: usize) -> f64 {
        let row = row.min(self.rows.saturating_sub(1));
        self.dates.and_then(|d| d.get(row)).map_or(row as f64 + 1.0, |&d| year(d))
    }

    pub(super) fn range(&self) -> (f64, f64) {
        (self.at(0), self.at(self.rows))
    }

    /// A line through one value of each row.
    pub(super) fn line(&self, panel: &Panel, values: impl Iterator<Item = f64>) -> Path {
        let pixel = |(row, value)| (panel.x.at(self.at(row)), panel.y.within(value));
        Path::through(&thinned(&values.enumerate().map(pixel).collect::<Vec<_>>()))
    }

    fn ticks(&self, scale: &Scale) -> Vec<Tick> {
        let wanted = ((scale.to - scale.from) / 80.0) as usize;
        if self.dates.is_some() { year_ticks(scale, wanted) } else { scale.ticks(wanted, 1.0) }
    }

    /// Draws the scale below one line of time, without a name.
    pub(super) fn ticks_below(&self, svg: &mut Svg, panel: &Panel) {
        for tick in self.ticks(&panel.x) {
            let x = panel.x.at(tick.at);
            svg.line((x, panel.bottom() - 2.0), (x, panel.bottom() + 2.0), Pen::new(INK, 0.8));
            svg.text(x, panel.bottom() + 13.0, &tick.label, Type::new(SMALL).anchor(Anchor::Middle));
        }
    }

    /// Draws the axes of a panel, with `ticks` up.
    pub(super) fn axes(&self, svg: &mut Svg, panel: &Panel, ticks: &[Tick], up: &str) {
        let label = if self.dates.is_some() { "date" } else { "test row" };
        panel.x_axis(svg, &self.ticks(&panel.x), label);
        panel.y_axis(svg, ticks, up, 46.0);
    }
}

/// The nearest of 1, 2 and 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    if !(step.is_finite() && step > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(step.log10().floor() as i32);
    let lead = step / power;
    let round = match lead {
        l if l <= 1.5 => 1.0,
        l if l <= 3.5 => 2.0,
        l if l <= 7.5 => 5.0,
        _ => 10.0,
    };
    power * round
}

/// The smallest and largest of the values that are finite.
pub(super) fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|v| v.is_finite()).fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((low, high)) => Some((low.min(v), high.max(v))),
    })
}

/// A range with a share of its extent added at both ends.
pub(super) fn padded((low, high): (f64, f64), share: f64) -> (f64, f64) {
    let pad = share * (high - low);
    (low - pad, high + pad)
}

/// The value below which a share `p` of the sorted values lies.
pub(super) fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = (p * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(place).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, wanted: usize, factor: f64) -> Vec<String> {
        let scale = Scale::new((low, high), (0.0, 100.0));
        scale.ticks(wanted, factor).into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(labels(0.0, 1.0, 5, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-0.02, 0.02, 4, 100.0), ["−2", "−1", "0", "1", "2"]);
        assert_eq!(labels(0.0123, 0.0138, 4, 1.0), ["0.0125", "0.0130", "0.0135"]);
        assert_eq!(labels(5.0, 5.0, 2, 1.0), ["4", "6"]);
    }

    #[test]
    fn a_range_without_extent_still_maps() {
        let scale = Scale::new((3.0, 3.0), (10.0, 20.0));
        assert_eq!(scale.at(3.0), 15.0);
    }
}
