//! What every figure has: a heading, a legend, panels with axes.

use super::*;

/// Space left and right of everything.
pub(super) const MARGIN: f64 = 18.0;
/// Size of tick labels.
pub(super) const SMALL: f64 = 11.0;
/// Size of axis labels and legends.
pub(super) const BODY: f64 = 12.0;

/// Starts a figure with title, context and legend, `width` wide on a screen; returns the y below them too.
pub(super) fn start(
    figure: &'static str,
    width: f64,
    heading: Heading<'_>,
    finding: String,
    notes: &str,
    entries: &[Entry<'_>],
) -> (Svg, f64) {
    let width = heading.width(width);
    let mut svg = Svg::new(figure, width);
    svg.title = heading.title.map_or(finding, str::to_owned);
    svg.paper = heading.paper;
    let room = width - 2.0 * MARGIN;
    let mut y = 12.0;
    let titled = heading.paper.is_none_or(|paper| paper.title);
    for line in text::wrap(&svg.title, 15.0 * text::BOLD, room).iter().filter(|_| titled) {
        y += 19.0;
        svg.text(MARGIN, y - 4.0, line, Type::new(15.0).bold());
    }
    let context = join(&[if titled { heading.context } else { "" }, notes], " · ");
    for line in text::wrap(&context, BODY, room) {
        y += 16.0;
        svg.text(MARGIN, y, &line, Type::new(BODY).colour(MUTED));
    }
    let y = legend(&mut svg, entries, y + 10.0);
    (svg, y)
}

/// The parts that are not empty.
pub(super) fn join(parts: &[&str], between: &str) -> String {
    parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(between)
}

/// What is said of each item, in one text.
pub(super) fn joined<T>(
    items: impl IntoIterator<Item = T>,
    between: &str,
    say: impl FnMut(T) -> String,
) -> String {
    items.into_iter().map(say).collect::<Vec<_>>().join(between)
}

/// Draws a sample at a place.
type Sample<'a> = dyn Fn(&mut Svg, f64, f64) + 'a;

/// One entry of a legend: what is drawn, and its name.
pub(super) struct Entry<'a> {
    pub(super) name: String,
    pub(super) draw: Box<Sample<'a>>,
    /// Width of what is drawn.
    pub(super) width: f64,
}

impl<'a> Entry<'a> {
    pub(super) fn new(name: impl Into<String>, width: f64, sample: impl Fn(&mut Svg, f64, f64) + 'a) -> Self {
        Self { name: name.into(), draw: Box::new(sample), width }
    }

    /// What hollow marks of any family stand for.
    pub(super) fn hollow(name: &str) -> Self {
        let mark = Mark::of_family(Look { colour: INK, marker: Marker::Circle }, true);
        Self::mark(name.to_owned(), mark, 10.0, 4.2)
    }

    /// What the marks of an outcome stand for.
    pub(super) fn mark(name: String, mark: Mark, width: f64, r: f64) -> Self {
        Self::new(name, width, move |svg, x, y| svg.marks(mark, &[(x + 0.5 * width, y)], r))
    }

    pub(super) fn swatch(name: &str, fill: &str) -> Self {
        let fill = fill.to_owned();
        Self::new(name, 14.0, move |svg, x, y| svg.rect(x, y - 5.0, 14.0, 10.0, &fill))
    }

    pub(super) fn line(name: &str, pen: Pen<'a>, look: Option<Look>) -> Self {
        Self::new(name, 28.0, move |svg, x, y| {
            svg.line((x, y), (x + 28.0, y), pen);
            if let Some(look) = look {
                svg.marker(look, x + 14.0, y, 3.6, false);
            }
        })
    }
}

/// The legend of the families.
pub(super) fn families(families: &Families) -> Vec<Entry<'static>> {
    let entry =
        |(name, look): (&str, Look)| Entry::mark(name.to_owned(), Mark::of_family(look, false), 10.0, 4.2);
    families.iter().map(entry).collect()
}

/// Draws entries in lines from left to right; returns the y below.
fn legend(svg: &mut Svg, entries: &[Entry<'_>], y: f64) -> f64 {
    if entries.is_empty() {
        return y;
    }
    let room = svg.width - 2.0 * MARGIN;
    let (mut x, mut y) = (MARGIN, y + 8.0);
    for entry in entries {
        let name = text::fit(&entry.name, BODY, room - entry.width - 6.0);
        let width = entry.width + 6.0 + text::width(&name, BODY) + 18.0;
        if x > MARGIN && x + width - 18.0 > MARGIN + room {
            x = MARGIN;
            y += 18.0;
        }
        (entry.draw)(svg, x, y);
        svg.text(x + entry.width + 6.0, y + 4.2, &name, Type::new(BODY));
        x += width;
    }
    y + 16.0
}

/// A rectangle with two scales.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    pub(super) x: Scale,
    pub(super) y: Scale,
}

impl Panel {
    /// A panel over the given pixels; y grows upwards.
    pub(super) fn new(left: f64, top: f64, right: f64, bottom: f64, x: (f64, f64), y: (f64, f64)) -> Self {
        Self { x: Scale::new(x, (left, right)), y: Scale::new(y, (bottom, top)) }
    }

    pub(super) fn left(&self) -> f64 {
        self.x.from
    }

    pub(super) fn right(&self) -> f64 {
        self.x.to
    }

    pub(super) fn top(&self) -> f64 {
        self.y.to
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y.from
    }

    pub(super) fn middle(&self) -> Point {
        (0.5 * (self.left() + self.right()), 0.5 * (self.top() + self.bottom()))
    }

    pub(super) fn at(&self, x: f64, y: f64) -> Point {
        (self.x.at(x), self.y.at(y))
    }

    /// A line over the whole width at the pixel `y`.
    pub(super) fn across(&self, svg: &mut Svg, y: f64, pen: Pen<'_>) {
        svg.line((self.left(), y), (self.right(), y), pen);
    }

    /// A name above the panel, whose baseline is at the pixel `y`.
    pub(super) fn name(&self, svg: &mut Svg, y: f64, name: &str) {
        svg.text(self.middle().0, y, name, Type::new(BODY).bold().anchor(Anchor::Middle));
    }

    /// Thin lines across at the ticks of y.
    pub(super) fn grid(&self, svg: &mut Svg, ticks: &[Tick]) {
        for tick in ticks {
            self.across(svg, self.y.at(tick.at), Pen::new(RULE, 0.7));
        }
    }

    /// The lower axis with its label.
    pub(super) fn x_axis(&self, svg: &mut Svg, ticks: &[Tick], label: &str) {
        let bottom = self.bottom();
        svg.line((self.left(), bottom), (self.right(), bottom), Pen::new(INK, 0.9));
        for tick in ticks {
            let x = self.x.at(tick.at);
            svg.line((x, bottom), (x, bottom + 4.0), Pen::new(INK, 0.9));
            svg.text(x, bottom + 16.0, &tick.label, Type::new(SMALL).anchor(Anchor::Middle));
        }
        let label = text::fit(label, BODY, self.right() - self.left() + 60.0);
        svg.text(self.middle().0, bottom + 34.0, &label, Type::new(BODY).anchor(Anchor::Middle));
    }

    /// The left axis with its label, which stands `off` pixels out.
    pub(super) fn y_axis(&self, svg: &mut Svg, ticks: &[Tick], label: &str, off: f64) {
        self.upright(svg, self.left(), &self.y, ticks, label, -off);
    }

    /// An axis at the pixel `x`, over a scale of its own, with its ticks on the side of its label, which
    /// stands `off` pixels away.
    pub(super) fn upright(
        &self,
        svg: &mut Svg,
        x: f64,
        scale: &Scale,
        ticks: &[Tick],
        label: &str,
        off: f64,
    ) {
        let side = off.signum();
        svg.line((x, self.bottom()), (x, self.top()), Pen::new(INK, 0.9));
        let anchor = if side < 0.0 { Anchor::End } else { Anchor::Start };
        for tick in ticks {
            let y = scale.at(tick.at);
            svg.line((x.min(x + 4.0 * side), y), (x.max(x + 4.0 * side), y), Pen::new(INK, 0.9));
            svg.text(x + 7.0 * side, y + 4.0, &tick.label, Type::new(SMALL).anchor(anchor));
        }
        let label = text::fit(label, BODY, self.bottom() - self.top() + 60.0);
        let set = Type::new(BODY).anchor(Anchor::Middle).turned(90.0 * side);
        svg.text(x + off, self.middle().1, &label, set);
    }

    /// Colours from low to high beside the panel, from the pixel `left`.
    pub(super) fn colour_key(&self, svg: &mut Svg, left: f64, colours: &[String]) {
        let height = (self.bottom() - self.top()) / colours.len() as f64;
        for (k, colour) in colours.iter().enumerate() {
            svg.rect(left, self.bottom() - height * (k + 1) as f64, 16.0, height + 0.3, colour);
        }
    }

    /// Both axes of two quantities, with a grid.
    pub(super) fn axes(&self, svg: &mut Svg, x: &Quantity<'_>, y: &Quantity<'_>) {
        let wide = ((self.right() - self.left()) / 80.0).round().max(2.0) as usize;
        let high = ((self.bottom() - self.top()) / 55.0).round().max(2.0) as usize;
        let (tx, ty) = (self.x.ticks(wide, x.scale), self.y.ticks(high, y.scale));
        self.grid(svg, &ty);
        self.x_axis(svg, &tx, &x.label());
        self.y_axis(svg, &ty, &y.label(), 44.0);
    }
}

/// What a panel from 0 on shows: its name, then what stands across and up, with the end of each axis.
pub(super) type Described<'a> = (&'a str, (Quantity<'a>, f64), (Quantity<'a>, f64));

/// Starts a figure of three panels: side by side where they are wide enough to be read, else below each
/// other.
pub(super) fn three_panels(
    figure: &'static str,
    heading: Heading<'_>,
    finding: String,
    entries: &[Entry<'_>],
    described: [Described<'_>; 3],
) -> (Svg, [Panel; 3]) {
    const SIDE: f64 = 290.0;
    let (mut svg, y) = start(figure, 3.0 * SIDE + 160.0, heading, finding, "", entries);
    let columns = if svg.width < 2.0 * SIDE { 1 } else { 3 };
    let side = (svg.width - 160.0 + 44.0 * (3 - columns) as f64) / columns as f64;
    let panels = [0, 1, 2].map(|k| {
        let (_, across, up) = described[k];
        let left = 66.0 + (k % columns) as f64 * (side + 44.0);
        let top = y + 24.0 + (k / columns) as f64 * (SIDE + 40.0);
        let (right, bottom) = (left + side - 24.0, top + SIDE - 40.0);
        let panel = Panel::new(left, top, right, bottom, (0.0, across.1), (0.0, up.1));
        panel.axes(&mut svg, &across.0, &up.0);
        panel
    });
    for (panel, (name, ..)) in panels.iter().zip(described) {
        panel.name(&mut svg, panel.top() - 10.0, name);
    }
    (svg, panels)
}
