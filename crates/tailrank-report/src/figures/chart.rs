//! What every figure has: a heading, a legend, panels with axes.

use super::{
    Heading, Quantity,
    axis::{Scale, Tick},
    style::{Families, INK, Look, MUTED, RULE},
    svg::{Anchor, Pen, Svg, Type},
    text,
};

/// Space left and right of everything.
pub(super) const MARGIN: f64 = 18.0;
/// Size of tick labels.
pub(super) const SMALL: f64 = 11.0;
/// Size of axis labels and legends.
pub(super) const BODY: f64 = 12.0;

/// Draws title and context; returns the title and the y below them.
pub(super) fn heading(svg: &mut Svg, heading: &Heading<'_>, finding: String, notes: &str) -> (String, f64) {
    let title = heading.title.map_or(finding, str::to_owned);
    let room = svg.width - 2.0 * MARGIN;
    let mut y = 12.0;
    for line in text::wrap(&title, 15.0 * text::BOLD, room) {
        y += 19.0;
        svg.text(MARGIN, y - 4.0, &line, Type::new(15.0).bold());
    }
    let context = join(&[heading.context, notes], " · ");
    for line in text::wrap(&context, BODY, room) {
        y += 16.0;
        svg.text(MARGIN, y, &line, Type::new(BODY).colour(MUTED));
    }
    (title, y + 10.0)
}

/// The parts that are not empty.
pub(super) fn join(parts: &[&str], between: &str) -> String {
    parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(between)
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
    pub(super) fn marker(name: &str, look: Look, hollow: bool) -> Self {
        Self {
            name: name.to_owned(),
            draw: Box::new(move |svg, x, y| svg.marker(look, x + 5.0, y, 4.2, hollow)),
            width: 10.0,
        }
    }

    pub(super) fn swatch(name: &str, fill: &'a str) -> Self {
        Self {
            name: name.to_owned(),
            draw: Box::new(move |svg, x, y| svg.rect(x, y - 5.0, 14.0, 10.0, fill)),
            width: 14.0,
        }
    }

    pub(super) fn line(name: &str, pen: Pen<'a>, look: Option<Look>) -> Self {
        Self {
            name: name.to_owned(),
            draw: Box::new(move |svg, x, y| {
                svg.line((x, y), (x + 28.0, y), pen);
                if let Some(look) = look {
                    svg.marker(look, x + 14.0, y, 3.6, false);
                }
            }),
            width: 28.0,
        }
    }
}

/// The legend of the families.
pub(super) fn families(families: &Families) -> Vec<Entry<'static>> {
    families.iter().map(|(name, look)| Entry::marker(name, look, false)).collect()
}

/// Draws entries in lines from left to right; returns the y below.
pub(super) fn legend(svg: &mut Svg, entries: &[Entry<'_>], y: f64) -> f64 {
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

    pub(super) fn middle(&self) -> (f64, f64) {
        (0.5 * (self.left() + self.right()), 0.5 * (self.top() + self.bottom()))
    }

    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    /// Thin lines across at the ticks of y.
    pub(super) fn grid(&self, svg: &mut Svg, ticks: &[Tick]) {
        for tick in ticks {
            let y = self.y.at(tick.at);
            svg.line((self.left(), y), (self.right(), y), Pen::new(RULE, 0.7));
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
        let room = self.right() - self.left() + 60.0;
        let label = text::fit(label, BODY, room);
        svg.text(self.middle().0, bottom + 34.0, &label, Type::new(BODY).anchor(Anchor::Middle));
    }

    /// The left axis with its label, which stands `off` pixels out.
    pub(super) fn y_axis(&self, svg: &mut Svg, ticks: &[Tick], label: &str, off: f64) {
        let left = self.left();
        svg.line((left, self.bottom()), (left, self.top()), Pen::new(INK, 0.9));
        for tick in ticks {
            let y = self.y.at(tick.at);
            svg.line((left - 4.0, y), (left, y), Pen::new(INK, 0.9));
            svg.text(left - 7.0, y + 4.0, &tick.label, Type::new(SMALL).anchor(Anchor::End));
        }
        self.y_label(svg, label, left - off, -90.0);
    }

    /// A right axis over a scale of its own.
    pub(super) fn right_axis(&self, svg: &mut Svg, scale: &Scale, ticks: &[Tick], label: &str, off: f64) {
        let right = self.right();
        svg.line((right, self.bottom()), (right, self.top()), Pen::new(INK, 0.9));
        for tick in ticks {
            let y = scale.at(tick.at);
            svg.line((right, y), (right + 4.0, y), Pen::new(INK, 0.9));
            svg.text(right + 7.0, y + 4.0, &tick.label, Type::new(SMALL));
        }
        self.y_label(svg, label, right + off, 90.0);
    }

    fn y_label(&self, svg: &mut Svg, label: &str, x: f64, turn: f64) {
        let label = text::fit(label, BODY, self.bottom() - self.top() + 60.0);
        svg.text(x, self.middle().1, &label, Type::new(BODY).anchor(Anchor::Middle).turned(turn));
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
