//! Looks that every figure shares: colours, markers, type, number formats.

use indexmap::IndexMap;
use tailrank_experiment::text;

use super::Variant;

/// The type family: whatever the reader's system uses for plain text.
pub const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
/// Text and axes.
pub const INK: &str = "#222222";
/// Text that explains.
pub const MUTED: &str = "#5f5f5f";
/// Thin rules and grids.
pub const RULE: &str = "#dcdcdc";
/// Lines that guide the eye: thresholds, diagonals.
pub const GUIDE: &str = "#8a8a8a";
/// Areas behind the data: events, densities.
pub const SHADE: &str = "#e9e9e9";

/// What went well: a hit, a trade that gained.
pub const GOOD: &str = "#4a3082";
/// What went wrong: a false alarm, a trade that lost.
pub const BAD: &str = "#b35806";
/// An event without a signal.
pub const MISSED: &str = "#707070";
/// A hit beyond the tolerance.
pub const NEAR: &str = "#8d84c0";
/// Cases without event or signal.
pub const QUIET: &str = "#a8a8a8";
/// A price behind its signals.
pub const PRICE: &str = "#8f8f8f";
/// Bars of a histogram.
pub const BARS: &str = "#b9bcc4";

/// The colours above and those of heights, by the names the page's scripts draw with.
pub(crate) fn palette() -> serde_json::Value {
    let steps = |colour: fn(f64) -> String, from: f64| -> Vec<String> {
        (0..=20).map(|i| colour(from + (1.0 - from) * f64::from(i) / 20.0)).collect()
    };
    serde_json::json!({
        "good": GOOD, "bad": BAD, "missed": MISSED, "near": NEAR, "quiet": QUIET, "price": PRICE, "bars": BARS,
        "guide": GUIDE, "heights": steps(sequential, 0.0), "gains": steps(diverging, -1.0),
    })
}

/// The same figure on a dark screen: paper, ink and rules change places, families keep their colours. Paper
/// stays white.
pub(super) const DARK: &str = "@media screen and (prefers-color-scheme:dark){\
    [fill=\"#ffffff\"]{fill:#171716}[stroke=\"#ffffff\"]{stroke:#171716}\
    [fill=\"#222222\"],[fill=\"#000000\"]{fill:#e8e6e1}[stroke=\"#222222\"],[stroke=\"#000000\"]{stroke:#e8e6e1}\
    [fill=\"#5f5f5f\"]{fill:#a8a59f}[stroke=\"#5f5f5f\"]{stroke:#a8a59f}\
    [fill=\"#f1f1f1\"]{fill:#262523}[fill=\"#4a3082\"]{fill:#b7a7ea}[stroke=\"#707070\"]{stroke:#a8a59f}\
    [fill=\"#e9e9e9\"]{fill:#2f2e2b}[stroke=\"#dcdcdc\"]{stroke:#3a3936}}";

/// Colours of the study's four families (Okabe and Ito 2008).
const KNOWN: [(&str, &str, Marker); 5] = [
    ("nnet", "#0072B2", Marker::Circle),
    ("mars", "#E69F00", Marker::Square),
    ("svm", "#D55E00", Marker::Diamond),
    ("forest", "#009E73", Marker::Triangle),
    // What models are held against has no colour.
    ("baseline", "#767676", Marker::TriangleDown),
];

/// Colours of all other families, in turn.
const OTHERS: [&str; 4] = ["#56B4E9", "#CC79A7", "#F0E442", "#000000"];

/// Markers of all other families, in turn. Five markers and four colours make twenty different pairs.
const OTHER_MARKERS: [Marker; 5] =
    [Marker::TriangleDown, Marker::Plus, Marker::Cross, Marker::Star, Marker::Pentagon];

/// The project's other families hold the pairs after the first for good, so that a family looks the same in
/// every figure, whichever families stand beside it.
const HELD: [&str; 6] = ["cart", "linear", "knn", "boost", "command", "debug"];

/// The first pair that is not held: its colour is the first of the others again.
const FREE: usize = 8;

/// A marker's shape, written by its name in chart libraries (Plotly's words).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marker {
    /// ●
    Circle,
    /// ▲
    #[serde(rename = "triangle-up")]
    Triangle,
    /// ■
    Square,
    /// ◆
    Diamond,
    /// ▼
    TriangleDown,
    /// ✖
    #[serde(rename = "x")]
    Cross,
    /// ✚
    #[serde(rename = "cross")]
    Plus,
    /// ★
    Star,
    /// ⬟
    Pentagon,
}

impl Marker {
    /// Corners of the shape around (0, 0), of about the area of a circle of radius 1; none for the circle
    /// itself.
    pub fn corners(self) -> Vec<(f64, f64)> {
        let ring = |n: usize, radius: f64, turn: f64| -> Vec<(f64, f64)> {
            (0..n)
                .map(|i| {
                    let angle = std::f64::consts::TAU * (i as f64 / n as f64 + turn);
                    (radius * angle.sin(), -radius * angle.cos())
                })
                .collect()
        };
        match self {
            Self::Circle => Vec::new(),
            Self::Triangle => vec![(0.0, -1.35), (1.25, 0.95), (-1.25, 0.95)],
            Self::TriangleDown => vec![(0.0, 1.35), (-1.25, -0.95), (1.25, -0.95)],
            Self::Square => vec![(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)],
            Self::Diamond => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            Self::Plus => plus(0.0),
            Self::Cross => plus(std::f64::consts::FRAC_PI_4),
            Self::Star => {
                let (outer, inner) = (ring(5, 1.5, 0.0), ring(5, 0.65, 0.1));
                outer.into_iter().zip(inner).flat_map(|(a, b)| [a, b]).collect()
            }
            Self::Pentagon => ring(5, 1.2, 0.0),
        }
    }
}

fn plus(angle: f64) -> Vec<(f64, f64)> {
    const ARM: f64 = 1.35;
    const HALF: f64 = 0.45;
    // Along the upper arm; every quarter turn gives the next.
    let arm = [(-HALF, -ARM), (HALF, -ARM), (HALF, -HALF)];
    let quarters = (0..4).flat_map(|turn| arm.map(|(x, y)| [(x, y), (-y, x), (-x, -y), (y, -x)][turn]));
    let (sin, cos) = angle.sin_cos();
    quarters.map(|(x, y)| (x * cos - y * sin, x * sin + y * cos)).collect()
}

/// Colour and marker of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// As `#RRGGBB`.
    pub colour: &'static str,
    /// The shape.
    pub marker: Marker,
}

/// The families of a figure or a whole report, each with its look.
///
/// ```
/// use tailrank_report::figures::style::{Families, Marker};
/// let families = Families::new(["nnet", "mine", "svm", "mine"]);
/// assert_eq!(families.look("svm").colour, "#D55E00");
/// assert_eq!(families.look("mine").colour, "#56B4E9"); // the first of the others
/// assert_eq!(families.look("nnet").marker, Marker::Circle);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Families {
    looks: IndexMap<String, Look>,
}

impl Families {
    /// Gives every family its look: the project's families their own, all others the next one in order of
    /// appearance.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut looks: IndexMap<String, Look> = IndexMap::new();
        let mut others = 0;
        for name in names {
            if looks.contains_key(name) {
                continue;
            }
            let known = KNOWN.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
            let (colour, marker) = known.map(|&(_, colour, marker)| (colour, marker)).unwrap_or_else(|| {
                let held = HELD.iter().position(|held| held.eq_ignore_ascii_case(name)).map(|at| at + 1);
                let place = held.unwrap_or_else(|| {
                    others += 1;
                    FREE + others - 1
                });
                (OTHERS[place % OTHERS.len()], OTHER_MARKERS[place % OTHER_MARKERS.len()])
            });
            looks.insert(name.to_owned(), Look { colour, marker });
        }
        Self { looks }
    }

    /// The families of some variants, in order of appearance.
    pub fn of<'a>(variants: impl IntoIterator<Item = Variant<'a>>) -> Self {
        Self::new(variants.into_iter().map(|v| v.family))
    }

    /// A family's look; black circles for one that was never named.
    pub fn look(&self, family: &str) -> Look {
        self.looks.get(family).copied().unwrap_or(Look { colour: INK, marker: Marker::Circle })
    }

    /// Names and looks, in order of appearance.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Look)> {
        self.looks.iter().map(|(name, look)| (name.as_str(), *look))
    }
}

/// A colour between others, given as red, green, blue. Families own the bright colours, so those of heights
/// are quiet; lightness alone tells the height.
fn between(stops: &[[u8; 3]], share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let i = (place.floor() as usize).min(stops.len() - 2);
    let t = place - i as f64;
    let mix = |c: usize| {
        let [a, b] = [stops[i][c], stops[i + 1][c]].map(f64::from);
        (a + t * (b - a)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// Light to dark for 0 to 1.
pub(super) fn sequential(share: f64) -> String {
    between(&[[250, 250, 252], [190, 192, 218], [122, 120, 172], [58, 47, 110]], share)
}

/// Brown over white to violet for −1 to 1. In grey both ends are dark: dashed iso-lines mark what is below
/// zero.
pub(super) fn diverging(height: f64) -> String {
    const STOPS: [[u8; 3]; 5] =
        [[127, 69, 16], [216, 168, 105], [250, 250, 250], [166, 155, 205], [74, 48, 130]];
    between(&STOPS, 0.5 * (height + 1.0))
}

/// Whether white text reads better than black on a colour `#rrggbb`.
pub(super) fn is_dark(colour: &str) -> bool {
    let part =
        |i: usize| colour.get(i..i + 2).and_then(|h| u8::from_str_radix(h, 16).ok()).map_or(255.0, f64::from);
    0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) < 140.0
}

pub(crate) use crate::words::{better_word, is_beaten, leading, places, sentence_case, short};
pub use text::{digits, percent, thousands as count, two_decimals};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_looks_the_same_in_any_company() {
        let alone = Families::new(["knn"]).look("knn");
        assert_eq!(Families::new(["baseline", "mine", "knn", "cart"]).look("knn"), alone);
    }

    #[test]
    fn twenty_other_families_look_different() {
        let names: Vec<String> = (0..20).map(|i| format!("family {i}")).collect();
        let families = Families::new(names.iter().map(String::as_str));
        let mut looks: Vec<(&str, Marker)> = families.iter().map(|(_, l)| (l.colour, l.marker)).collect();
        looks.sort_by_key(|(c, m)| (*c, format!("{m:?}")));
        looks.dedup();
        assert_eq!(looks.len(), 20);
    }

    #[test]
    fn lightness_falls_with_the_height() {
        let lightness = |c: &str| {
            let p = |i: usize| f64::from(u8::from_str_radix(&c[i..i + 2], 16).unwrap());
            0.299 * p(1) + 0.587 * p(3) + 0.114 * p(5)
        };
        let seq: Vec<f64> = (0..=20).map(|i| lightness(&sequential(f64::from(i) / 20.0))).collect();
        assert!(seq.windows(2).all(|w| w[0] > w[1]));
        let div: Vec<f64> = (0..=20).map(|i| lightness(&diverging(f64::from(i) / 20.0))).collect();
        assert!(div.windows(2).all(|w| w[0] > w[1]));
        assert!(is_dark(&sequential(1.0)) && !is_dark(&sequential(0.0)));
    }
}
