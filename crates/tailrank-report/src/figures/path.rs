//! The `d` of a path, in as few letters as SVG allows: a page of many cases has tens of thousands of marks.

use super::{Point, number, style::Marker};

/// Coordinates are rounded to hundredths. All moves but the first are relative to the place before, which is
/// kept as it was rounded: errors do not add up.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    d: String,
    /// Where the pen is and where the subpath began, in hundredths.
    at: (i64, i64),
    start: (i64, i64),
    /// The command that numbers would go on with.
    command: Option<char>,
    broken: bool,
}

impl Path {
    /// A line through points.
    pub(super) fn through(points: &[Point]) -> Self {
        let mut path = Self::default();
        path.add(points);
        path
    }

    fn add(&mut self, points: &[Point]) {
        for (i, &(x, y)) in points.iter().enumerate() {
            if i == 0 { self.move_to(x, y) } else { self.line_to(x, y) }
        }
    }

    /// What was drawn, and whether a coordinate was not a finite number.
    pub(super) const fn data(&self) -> (&str, bool) {
        (self.d.as_str(), self.broken)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.d.is_empty()
    }

    pub(super) fn move_to(&mut self, x: f64, y: f64) {
        let to = self.place(x, y);
        if self.d.is_empty() {
            self.write('M', &[to.0, to.1]);
            // Numbers that follow a move are lines, absolute as the move was.
            self.command = None;
        } else {
            self.write('m', &[to.0 - self.at.0, to.1 - self.at.1]);
            self.command = Some('l');
        }
        (self.at, self.start) = (to, to);
    }

    pub(super) fn line_to(&mut self, x: f64, y: f64) {
        let to = self.place(x, y);
        match (to.0 - self.at.0, to.1 - self.at.1) {
            (dx, 0) => self.write('h', &[dx]),
            (0, dy) => self.write('v', &[dy]),
            (dx, dy) => self.write('l', &[dx, dy]),
        }
        self.at = to;
    }

    pub(super) fn curve(&mut self, c1: Point, c2: Point, to: Point) {
        let [c1, c2, to] = [c1, c2, to].map(|p| self.place(p.0, p.1));
        let from = |p: (i64, i64)| [p.0 - self.at.0, p.1 - self.at.1];
        let numbers = [from(c1), from(c2), from(to)].concat();
        self.write('c', &numbers);
        self.at = to;
    }

    pub(super) fn rectangle(&mut self, x: f64, y: f64, w: f64, h: f64) {
        self.polygon(&[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]);
    }

    /// A stroke of no length; with round ends it shows as a dot. Tenths of a pixel are enough.
    pub(super) fn dot(&mut self, x: f64, y: f64) {
        self.move_to(tenth(x), tenth(y));
        self.write('h', &[0]);
    }

    pub(super) fn close(&mut self) {
        self.d.push('z');
        (self.at, self.command) = (self.start, None);
    }

    pub(super) fn polygon(&mut self, points: &[Point]) {
        self.add(points);
        self.close();
    }

    /// A marker's outline. Its centre is rounded first, so that all markers of one size have one outline.
    pub(super) fn marker(&mut self, marker: Marker, x: f64, y: f64, r: f64) {
        let (x, y, r) = (hundredths(x), hundredths(y), hundredths(r));
        let [Some(x), Some(y), Some(r)] = [x, y, r] else {
            self.broken = true;
            return;
        };
        let corners = marker.corners();
        let at = |v: i64| v as f64 / 100.0;
        if corners.is_empty() {
            self.move_to(at(x - r), at(y));
            for across in [2 * r, -2 * r] {
                self.write('a', &[r, r, 0, 100, 0, across, 0]);
            }
            self.close();
        } else {
            let corner = |share: f64| (share * r as f64).round() as i64;
            let placed: Vec<Point> =
                corners.iter().map(|c| (at(x + corner(c.0)), at(y + corner(c.1)))).collect();
            self.polygon(&placed);
        }
    }

    /// A level stroke, for clouds of many.
    pub(super) fn dash(&mut self, x: f64, y: f64, r: f64) {
        let [x, y, r] = [x, y, r].map(tenth);
        self.move_to(x - r, y);
        self.line_to(x + r, y);
    }

    /// A cross of two strokes, for clouds of many.
    pub(super) fn cross(&mut self, x: f64, y: f64, r: f64) {
        let [x, y, r] = [x, y, r].map(tenth);
        for side in [1.0, -1.0] {
            self.move_to(x - r, y - side * r);
            self.line_to(x + r, y + side * r);
        }
    }

    fn place(&mut self, x: f64, y: f64) -> (i64, i64) {
        let place = hundredths(x).zip(hundredths(y));
        self.broken |= place.is_none();
        place.unwrap_or(self.at)
    }

    /// A command with its numbers, which are hundredths. A command is named once for all that follow; a
    /// minus, or a point after a number that has one, parts two numbers.
    fn write(&mut self, command: char, hundredths: &[i64]) {
        let goes_on = self.command == Some(command);
        if !goes_on {
            self.d.push(command);
        }
        let mut first = !goes_on;
        for &value in hundredths {
            let text = decimal(value);
            let has_point = self.d.rsplit(|c: char| c == ' ' || c == '-' || c.is_ascii_alphabetic()).next();
            let parted = text.starts_with('-')
                || (text.starts_with('.') && has_point.is_some_and(|n| n.contains('.')));
            if !first && !parted {
                self.d.push(' ');
            }
            self.d.push_str(&text);
            first = false;
        }
        self.command = Some(command);
    }
}

fn tenth(v: f64) -> f64 {
    (10.0 * v).round() / 10.0
}

fn hundredths(v: f64) -> Option<i64> {
    v.is_finite().then(|| (100.0 * v).round() as i64)
}

/// Hundredths as a decimal number: 1250 is `12.5`, −5 is `-.05`.
fn decimal(hundredths: i64) -> String {
    let text = number(hundredths as f64 / 100.0).unwrap_or_default();
    if text.starts_with("0.") || text.starts_with("-0.") { text.replacen('0', "", 1) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: &[Point]) -> String {
        Path::through(points).d
    }

    #[test]
    fn numbers_are_short_and_parted() {
        assert_eq!(of(&[(1.0, 2.5), (1.5, 2.25), (1.5, 3.0), (3.0, 3.0)]), "M1 2.5l.5-.25v.75h1.5");
        // A command is not repeated; a point parts numbers only where the one before has a point.
        assert_eq!(of(&[(0.0, 0.0), (10.0, 0.5), (10.25, 1.0)]), "M0 0l10 .5.25.5");
        assert_eq!(
            ["0", "-.05", "12.5", "-3"],
            [0, -5, 1250, -300].map(decimal).each_ref().map(String::as_str)
        );
    }

    #[test]
    fn rounding_does_not_add_up() {
        let points: Vec<Point> = (0..1000).map(|i| (0.004 * f64::from(i), 0.0)).collect();
        let path = Path::through(&points);
        assert_eq!(path.at, (400, 0));
    }

    #[test]
    fn subpaths_begin_where_the_last_began() {
        let mut path = Path::default();
        path.polygon(&[(10.0, 10.0), (12.0, 10.0), (12.0, 11.0)]);
        path.polygon(&[(11.0, 10.0), (11.0, 12.0)]);
        assert_eq!(path.data(), ("M10 10h2v1zm1 0v2z", false));
        path.line_to(f64::NAN, 0.0);
        assert!(path.data().1, "it is told that a coordinate is not a number");
    }
}
