//! What figures are drawn from: named variants, scores, quantities with units.

use tailrank_metrics::Measure;
use tailrank_score::score::{TaskScores, VariantId, VariantName};

use super::*;

/// A variant's name and family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant<'a> {
    /// Its name.
    pub label: &'a str,
    /// Its family, which gives it colour and marker.
    pub family: &'a str,
}

impl<'a> From<&'a VariantName> for Variant<'a> {
    fn from(name: &'a VariantName) -> Self {
        Self { label: &name.label, family: &name.group }
    }
}

/// The variants that have scores on a task, models with the same predictions once, in the order of
/// [`Scores::of_task`].
pub fn scored_variants<'a>(names: &'a [VariantName], scores: &TaskScores) -> Vec<Variant<'a>> {
    scores.distinct().into_iter().map(|v| Variant::from(&names[v])).collect()
}

/// Title and context of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heading<'a> {
    /// Replaces the title that is made from the numbers.
    pub title: Option<&'a str>,
    /// What was measured on what, such as `KO 3d, test 1990–2008`; stands under the title.
    pub context: &'a str,
    /// How the figure is set for a printed page; `None` for a screen.
    pub paper: Option<Paper>,
}

/// A figure for a printed page: drawn at the page's width, so that its type keeps its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    /// The width in millimetres, such as 84 for a column.
    pub width: f64,
    /// Whether title and context stand above the figure; papers have captions instead.
    pub title: bool,
}

impl Paper {
    /// Units of a figure in a point of 1/72 inch: the smallest type, 10 units, is just above 6 points.
    const UNITS_IN_POINT: f64 = 1.66;
    /// Units in a millimetre.
    pub(super) const UNITS_IN_MM: f64 = Self::UNITS_IN_POINT * 72.0 / 25.4;
}

impl<'a> Heading<'a> {
    /// A heading whose title is made from the numbers.
    pub const fn of(context: &'a str) -> Self {
        Self { title: None, context, paper: None }
    }

    /// The width to draw at: the paper's, or the figure's own on a screen.
    pub(super) fn width(&self, own: f64) -> f64 {
        self.paper.map_or(own, |paper| paper.width * Paper::UNITS_IN_MM)
    }

    /// Refuses paper on which a figure that is `own` wide has no room.
    pub(super) fn check_room(&self, figure: &str, own: f64) -> Result<()> {
        let needed = own / Paper::UNITS_IN_MM;
        match self.paper {
            Some(paper) if needed > paper.width + 0.01 => {
                Err(ReportError::TooNarrow { figure: figure.to_owned(), needed: needed.ceil() })
            }
            _ => Ok(()),
        }
    }

    /// How much narrower than on a screen a figure is drawn; 1 where it is not.
    pub(super) fn shrink(&self, own: f64) -> f64 {
        (self.width(own) / own).min(1.0)
    }
}

/// Scores of variants by one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores<'a> {
    /// The measure's symbol.
    pub symbol: &'a str,
    /// Which end is the good one.
    pub better: Better,
    /// One score per variant; `None` is undefined and ranks last.
    pub values: Vec<Option<f64>>,
}

impl Scores<'static> {
    /// The scores of all variants that have any on a task (see [`scored_variants`]).
    pub fn of_task(scores: &TaskScores, measure: Measure) -> Self {
        Self::of_variants(scores, measure, &scores.distinct())
    }

    /// The scores of some variants on a task.
    pub(crate) fn of_variants(scores: &TaskScores, measure: Measure, variants: &[VariantId]) -> Self {
        let all = scores.values(measure);
        let values = variants.iter().map(|&v| all[v]).collect();
        Self { symbol: measure.info().symbol, better: measure.better(), values }
    }
}

impl Scores<'_> {
    /// Ranks from 1 for the best; undefined last, ties shared.
    pub(super) fn ranks(&self, figure: &str) -> Result<Vec<f64>> {
        tailrank_stats::rank_scores(&self.values, self.better).map_err(|e| problem(figure, &e))
    }

    /// Places of the variants from best to worst; of equals the first.
    pub(super) fn order(&self, figure: &str) -> Result<Vec<usize>> {
        Ok(ascending(&self.ranks(figure)?))
    }

    /// Places of the variants that have a score, from best to worst.
    pub(super) fn scored(&self, figure: &str) -> Result<impl Iterator<Item = usize>> {
        Ok(self.order(figure)?.into_iter().filter(|&v| self.values[v].is_some()))
    }

    /// A variant's score with its symbol: `F 0.300`.
    pub(super) fn said(&self, variant: usize) -> String {
        format!("{} {}", self.symbol, or_undefined(self.values[variant].map(digits)))
    }

    /// `highest F` or `lowest MAD`: who leads, where nothing is said of being better.
    pub(super) fn leading(&self) -> String {
        leading(self.better, self.symbol, false)
    }

    /// `lower is better` or `higher is better`.
    pub(super) fn direction(&self) -> String {
        format!("{} is better", better_word(self.better))
    }
}

/// Variants with their scores by two measures.
#[derive(Clone, Debug)]
pub struct MeasurePair<'a> {
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// Their scores by the first measure.
    pub a: Scores<'a>,
    /// Their scores by the second.
    pub b: Scores<'a>,
}

impl MeasurePair<'_> {
    /// The number of variants; refuses scores that are not one for each.
    pub(super) fn checked(&self, figure: &str) -> Result<usize> {
        let n = self.variants.len();
        same_length(figure, "the first measure", self.a.values.len(), n)?;
        same_length(figure, "the second measure", self.b.values.len(), n)?;
        Ok(n)
    }
}

/// What an axis measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity<'a> {
    /// Its name, such as `3-day return`.
    pub name: &'a str,
    /// Its unit; empty if it has none.
    pub unit: &'a str,
    /// What a value is multiplied by to be shown in that unit.
    pub scale: f64,
}

impl<'a> Quantity<'a> {
    /// A quantity shown as it is.
    pub const fn new(name: &'a str, unit: &'a str) -> Self {
        Self { name, unit, scale: 1.0 }
    }

    /// A fraction shown in percent, such as a return.
    pub const fn percent(name: &'a str) -> Self {
        Self { name, unit: "%", scale: 100.0 }
    }

    /// How far a prediction of it is off.
    pub(super) const fn error(&self) -> Self {
        Self { name: "absolute error", ..*self }
    }

    /// Name and unit for an axis.
    pub(super) fn label(&self) -> String {
        if self.unit.is_empty() { self.name.to_owned() } else { format!("{} ({})", self.name, self.unit) }
    }

    /// A limit that someone chose, with its unit: as short as it was written.
    pub(super) fn limit(&self, value: f64) -> String {
        let size = value.abs().max(1e-300).log10().floor();
        let grain = 10f64.powi((size - 6.0).clamp(-300.0, 300.0) as i32);
        let rounded = (value / grain).round() * grain * self.scale;
        let text =
            format!("{}", format!("{rounded:.6e}").parse::<f64>().unwrap_or(rounded)).replace('-', "−");
        self.with_unit(text)
    }

    /// A value with its unit, for sentences.
    pub(crate) fn value(&self, value: f64) -> String {
        self.with_unit(digits(value * self.scale))
    }

    /// Units stand apart from their number, but for the percent sign.
    fn with_unit(&self, number: String) -> String {
        match self.unit {
            "" => number,
            "%" => number + "%",
            unit => format!("{number} {unit}"),
        }
    }
}

/// Places of values from the least to the greatest; of equals the first.
pub(super) fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    order
}

/// A score as it is printed, or that it is undefined.
pub(super) fn or_undefined(score: Option<String>) -> String {
    score.unwrap_or_else(|| "undefined".to_owned())
}

/// Refuses a figure with `otherwise` where a condition does not hold.
pub(super) fn require(figure: &str, holds: bool, otherwise: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(problem(figure, &otherwise)) }
}

/// Refuses slices of unequal length.
pub(super) fn same_length(figure: &str, what: &str, found: usize, expected: usize) -> Result<()> {
    let otherwise = format!("{what} has {found} entries where {expected} are needed");
    require(figure, found == expected, &otherwise)
}

/// Refuses empty input and values that are not finite.
pub(super) fn finite(figure: &str, what: &str, values: &[f64]) -> Result<()> {
    require(figure, !values.is_empty(), &format!("{what} is empty"))?;
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(problem(figure, &format!("{what} row {} is {}", i + 1, values[i]))),
        None => Ok(()),
    }
}
