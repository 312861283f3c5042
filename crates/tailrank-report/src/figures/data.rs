//! What figures are drawn from: named variants, scores, quantities with units.

use tailrank_metrics::{Better, Measure};
use tailrank_score::score::{TaskScores, VariantName};

use super::style::digits;
use crate::{ReportError, Result};

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

/// The variants that have scores on a task, models with the same predictions once, in the order of [`Scores::of_task`].
pub fn scored_variants<'a>(names: &'a [VariantName], scores: &TaskScores) -> Vec<Variant<'a>> {
    scores.distinct().into_iter().map(|v| Variant::from(&names[v])).collect()
}

/// Title and context of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heading<'a> {
    /// Replaces the title that is made from the numbers.
    pub title: Option<&'a str>,
    /// What was measured on what, such as `KO 3d, test 1990–2008`; stands under the title.
    pub context: &'a str,
}

impl<'a> Heading<'a> {
    /// A heading whose title is made from the numbers.
    pub const fn of(context: &'a str) -> Self {
        Self { title: None, context }
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
        let all = scores.values(measure);
        Self {
            symbol: measure.info().symbol,
            better: measure.better(),
            values: scores.distinct().into_iter().map(|v| all[v]).collect(),
        }
    }
}

impl Scores<'_> {
    /// Ranks from 1 for the best; undefined last, ties shared.
    pub(super) fn ranks(&self, figure: &str) -> Result<Vec<f64>> {
        tailrank_stats::rank_scores(&self.values, self.better).map_err(|e| problem(figure, &e))
    }

    /// Places of the variants from best to worst; of equals the first.
    pub(super) fn order(&self, figure: &str) -> Result<Vec<usize>> {
        let ranks = self.ranks(figure)?;
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|&i, &j| ranks[i].total_cmp(&ranks[j]));
        Ok(order)
    }

    /// `lower is better` or `higher is better`.
    pub(super) fn direction(&self) -> &'static str {
        match self.better {
            Better::Lower => "lower is better",
            Better::Higher => "higher is better",
        }
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

    /// The same unit under another name.
    pub const fn named<'b>(self, name: &'b str) -> Quantity<'b>
    where
        'a: 'b,
    {
        Quantity { name, unit: self.unit, scale: self.scale }
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
    pub(super) fn value(&self, value: f64) -> String {
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

/// A figure that cannot be drawn, and why.
pub(super) fn problem(figure: &str, problem: &dyn std::fmt::Display) -> ReportError {
    ReportError::Figure { figure: figure.to_owned(), problem: problem.to_string() }
}

/// Refuses slices of unequal length.
pub(super) fn same_length(figure: &str, what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(problem(figure, &format!("{what} has {found} entries where {expected} are needed")))
}

/// Refuses empty input and values that are not finite.
pub(super) fn finite(figure: &str, what: &str, values: &[f64]) -> Result<()> {
    if values.is_empty() {
        return Err(problem(figure, &format!("{what} is empty")));
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(problem(figure, &format!("{what} row {} is {}", i + 1, values[i]))),
        None => Ok(()),
    }
}
