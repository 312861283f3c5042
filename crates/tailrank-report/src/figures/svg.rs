//! An SVG document, written element by element.

use std::fmt::Write;

use super::*;

/// Text for XML: markup characters escaped, characters that XML cannot hold replaced.
pub(super) fn escape(text: &str) -> String {
    let allowed = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => '\u{FFFD}',
        c => c,
    };
    crate::escape::text(&text.chars().map(allowed).collect::<String>())
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen<'a> {
    pub(super) colour: &'a str,
    pub(super) width: f64,
    pub(super) dash: &'a str,
    pub(super) opacity: f64,
}

impl<'a> Pen<'a> {
    pub(super) const fn new(colour: &'a str, width: f64) -> Self {
        Self { colour, width, dash: "", opacity: 1.0 }
    }

    pub(super) const fn dashed(self, dash: &'a str) -> Self {
        Self { dash, ..self }
    }

    pub(super) const fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// What marks a case. Of all but outlines there may be thousands: they are strokes, a dot one of no length
/// with round ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Dot,
    Dash,
    Cross,
    Outline(Marker),
}

/// How cases of one outcome are marked: fill with opacity, or none, and the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) shape: Shape,
    pub(super) fill: Option<(&'static str, f64)>,
    pub(super) pen: Option<Pen<'static>>,
}

impl Mark {
    pub(super) const fn of_family(look: Look, hollow: bool) -> Self {
        match hollow {
            true => Self::hollow(look.marker, 1.0, Pen::new(look.colour, 1.4)),
            false => Self { pen: Some(Pen::new(INK, 0.5)), ..Self::filled(look.marker, look.colour, 1.0) },
        }
    }

    pub(super) const fn filled(marker: Marker, colour: &'static str, opacity: f64) -> Self {
        Self { shape: Shape::Outline(marker), fill: Some((colour, opacity)), pen: None }
    }

    pub(super) const fn hollow(marker: Marker, opacity: f64, pen: Pen<'static>) -> Self {
        Self { pen: Some(pen), ..Self::filled(marker, "#ffffff", opacity) }
    }

    pub(super) const fn stroke(shape: Shape, pen: Pen<'static>) -> Self {
        Self { shape, fill: None, pen: Some(pen) }
    }
}

/// Where text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type<'a> {
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) bold: bool,
    pub(super) colour: &'a str,
    /// Degrees, clockwise.
    pub(super) turn: f64,
    /// White behind the letters, so that lines do not cross them.
    pub(super) halo: bool,
}

impl<'a> Type<'a> {
    pub(super) const fn new(size: f64) -> Self {
        Self { size, anchor: Anchor::Start, bold: false, colour: INK, turn: 0.0, halo: false }
    }

    pub(super) const fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) const fn colour(self, colour: &'a str) -> Self {
        Self { colour, ..self }
    }

    pub(super) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) const fn turned(self, turn: f64) -> Self {
        Self { turn, ..self }
    }

    pub(super) const fn halo(self) -> Self {
        Self { halo: true, ..self }
    }
}

/// At most two decimals, no trailing zeros, no negative zero; nothing for what is not a number.
pub(super) fn number(v: f64) -> Option<String> {
    if !v.is_finite() {
        return None;
    }
    let text = format!("{v:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Some(if text == "-0" { "0".to_owned() } else { text.to_owned() })
}

/// A document under construction.
#[derive(Debug)]
pub(super) struct Svg {
    figure: &'static str,
    pub(super) width: f64,
    /// What the figure finds.
    pub(super) title: String,
    /// The printed page it is for.
    pub(super) paper: Option<Paper>,
    body: String,
    broken: bool,
}

impl Svg {
    pub(super) fn new(figure: &'static str, width: f64) -> Self {
        Self { figure, width, title: String::new(), paper: None, body: String::new(), broken: false }
    }

    fn attributes(&mut self, all: &[(&str, f64)]) {
        for &(name, value) in all {
            match number(value) {
                Some(text) => self.body.push_str(&format!(" {name}=\"{text}\"")),
                None => self.broken = true,
            }
        }
    }

    fn stroke(&mut self, pen: &Pen<'_>) {
        let _ = write!(self.body, " stroke=\"{}\"", pen.colour);
        self.attributes(&[("stroke-width", pen.width)]);
        if !pen.dash.is_empty() {
            let _ = write!(self.body, " stroke-dasharray=\"{}\"", pen.dash);
        }
        if pen.opacity < 1.0 {
            self.attributes(&[("stroke-opacity", pen.opacity)]);
        }
    }

    pub(super) fn line(&mut self, from: Point, to: Point, pen: Pen<'_>) {
        self.body.push_str("<line");
        self.attributes(&[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)]);
        self.stroke(&pen);
        self.body.push_str("/>\n");
    }

    pub(super) fn stroke_path(&mut self, path: &Path, pen: Pen<'_>) {
        self.path(path, " fill=\"none\" stroke-linejoin=\"round\"", 1.0, Some(pen));
    }

    pub(super) fn fill_path(&mut self, path: &Path, fill: &str, opacity: f64, outline: Option<Pen<'_>>) {
        self.path(path, &format!(" fill=\"{fill}\""), opacity, outline);
    }

    fn path(&mut self, path: &Path, look: &str, opacity: f64, pen: Option<Pen<'_>>) {
        let (data, broken) = path.data();
        self.broken |= broken;
        if path.is_empty() {
            return;
        }
        let _ = write!(self.body, "<path d=\"{data}\"{look}");
        if opacity < 1.0 {
            self.attributes(&[("fill-opacity", opacity)]);
        }
        if let Some(pen) = pen {
            self.stroke(&pen);
        }
        self.body.push_str("/>\n");
    }

    pub(super) fn rect(&mut self, x: f64, y: f64, w: f64, h: f64, fill: &str) {
        self.body.push_str("<rect");
        self.attributes(&[("x", x), ("y", y), ("width", w.max(0.0)), ("height", h.max(0.0))]);
        let _ = writeln!(self.body, " fill=\"{fill}\"/>");
    }

    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, set: Type<'_>) {
        self.body.push_str("<text");
        self.attributes(&[("x", x), ("y", y), ("font-size", set.size)]);
        self.body.push_str(match set.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        });
        if set.bold {
            self.body.push_str(" font-weight=\"600\"");
        }
        let _ = write!(self.body, " fill=\"{}\"", set.colour);
        if set.halo {
            self.body.push_str(
                " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
            );
        }
        if set.turn != 0.0
            && let (Some(turn), Some(x), Some(y)) = (number(set.turn), number(x), number(y))
        {
            let _ = write!(self.body, " transform=\"rotate({turn} {x} {y})\"");
        }
        let _ = writeln!(self.body, ">{}</text>", escape(text));
    }

    /// A family's marker; hollow ones stand for scores that are undefined.
    pub(super) fn marker(&mut self, look: Look, x: f64, y: f64, r: f64, hollow: bool) {
        self.marks(Mark::of_family(look, hollow), &[(x, y)], r);
    }

    /// Marks of one kind, as one path.
    pub(super) fn marks(&mut self, mark: Mark, places: &[Point], r: f64) {
        let mut path = Path::default();
        for &(x, y) in places {
            match mark.shape {
                Shape::Dot => path.dot(x, y),
                Shape::Dash => path.dash(x, y, 0.7 * r),
                Shape::Cross => path.cross(x, y, 0.9 * r),
                Shape::Outline(marker) => path.marker(marker, x, y, r),
            }
        }
        let (fill, opacity) = mark.fill.unwrap_or(("none", 1.0));
        let ends = match (mark.shape, mark.fill) {
            (Shape::Dot, _) => " stroke-linecap=\"round\"",
            (_, None) => " stroke-linejoin=\"round\"",
            _ => "",
        };
        self.path(&path, &format!(" fill=\"{fill}\"{ends}"), opacity, mark.pen);
    }

    /// Draws with a text that viewers show when the pointer rests on it.
    pub(super) fn hint(&mut self, hint: &str, content: impl FnOnce(&mut Self)) {
        self.group("", hint, content);
    }

    /// [`hint`](Self::hint) on a mark that stands for something with a name, which a page may act on.
    pub(super) fn named(&mut self, name: &str, hint: &str, content: impl FnOnce(&mut Self)) {
        self.group(&format!(" data-name=\"{}\"", escape(name)), hint, content);
    }

    fn group(&mut self, attributes: &str, hint: &str, content: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g{attributes}><title>{}</title>", escape(hint));
        content(self);
        self.body.push_str("</g>\n");
    }

    /// The whole document; title and `description` are its text alternatives.
    pub(super) fn finish(self, height: f64, description: &str) -> Result<Figure> {
        let (Some(w), Some(h), false) = (number(self.width), number(height), self.broken) else {
            return Err(problem(self.figure, &"a coordinate is not a finite number"));
        };
        let mut size = [w.clone(), h.clone()];
        if self.paper.is_some() {
            size = [self.width, height].map(|units| format!("{:.2}mm", units / Paper::UNITS_IN_MM));
        }
        let [width, height] = size;
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             font-family=\"{FONT}\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{DARK}</style>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escape(&self.title),
            escape(description),
            self.body
        );
        Ok(Figure { title: self.title, svg })
    }
}
