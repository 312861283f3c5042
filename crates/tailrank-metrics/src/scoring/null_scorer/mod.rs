//! Scores of the same predictions in another order or with other signs: what chance alone would give.

mod part_pair;

use self::part_pair::{GoodCases, PartPair, Wanted};
use super::formula::Statistic;
use super::scorer::{Buffers, Derived, Scorer};
use crate::error::{MetricError, Result, check_lengths};
use crate::score::Score;
use crate::term::{Group, Term};

/// How predictions are set against the truth.
#[derive(Clone, Copy, Debug)]
pub enum Alignment<'m> {
    /// Within each part of n cases, the prediction of case i meets the truth of case (i + shift) mod n.
    Shift(usize),
    /// The prediction of case i meets the truth of case order(i).
    Permutation(&'m Permutation),
    /// The predictions of the cases marked `true` change their sign.
    Flips(&'m [bool]),
}

/// An order of the cases that moves none to another part, checked once for use with many vectors of
/// predictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    order: Vec<usize>,
}

impl Permutation {
    /// `order[i]` is the case, counted from 0 over all parts, whose truth the prediction of case i meets.
    pub fn new(scorer: &Scorer<'_>, order: Vec<usize>) -> Result<Self> {
        check_lengths("truth", scorer.cases(), "order", order.len())?;
        let mut seen = vec![false; order.len()];
        for part in scorer.parts() {
            for row in part.rows() {
                let to = order[row];
                if !part.rows().contains(&to) || std::mem::replace(&mut seen[to], true) {
                    let problem = format!("case {to} is in another part or was named before");
                    let fix = "name every case of a part once, within that part";
                    return Err(MetricError::entry("order", row, problem, fix));
                }
            }
        }
        Ok(Self { order })
    }
}

/// Scores of one vector of predictions under many alignments. What depends on the truth or the predictions
/// alone is computed once; precision, recall and F then visit only the cases near an event.
///
/// ```
/// use tailrank_metrics::{Accuracy, Measure, Relevance, Scorer, Settings};
/// use tailrank_metrics::scoring::{Alignment, NullScorer};
///
/// let settings = Settings {
///     relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?),
///     accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
///     ..Settings::default()
/// };
/// let scorer = Scorer::new(&[2.5, 0.3, -3.0, 0.1], settings)?;
/// let mut realigned = NullScorer::new(&scorer, &[[2.4, 0.0, -2.9, 0.0]], &[Measure::F.into()])?;
/// let mut f = Vec::new();
/// realigned.score(Alignment::Shift(0), &mut f)?;
/// assert!(f[0].value() > Some(0.9));
/// realigned.score(Alignment::Shift(1), &mut f)?;
/// assert_eq!(f[0].value(), Some(0.0)); // one step late, every signal is a false alarm
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NullScorer<'a> {
    scorer: &'a Scorer<'a>,
    statistics: Vec<Statistic>,
    groups: Wanted,
    centre: f64,
    parts: Vec<PartPair>,
    /// Predictions in the order of the truth, part by part.
    aligned: Vec<Vec<f64>>,
    /// Room for the predictions of one part and their integrals in the order of the truth.
    scratch: [Vec<f64>; 3],
    good: GoodCases,
    buffers: Buffers,
}
impl<'a> NullScorer<'a> {
    /// Prepares `predicted`, in the parts of the truth, for the scores of `statistics`.
    pub fn new<P: AsRef<[f64]>>(
        scorer: &'a Scorer<'a>,
        predicted: &[P],
        statistics: &[Statistic],
    ) -> Result<Self> {
        let mut buffers = Buffers::default();
        let centre = Derived::new(scorer, predicted, &mut buffers)?.centre;
        let mut wanted = Wanted::default();
        for statistic in statistics {
            let Some(formula) = statistic.sum_formula() else {
                wanted.others = true;
                continue;
            };
            for term in formula.terms {
                match term.group() {
                    Group::Truth => {}
                    Group::Signals => wanted.signals = true,
                    Group::Integrals => wanted.integrals = true,
                    _ => wanted.others = true,
                }
                wanted.met |= *term == Term::Met;
            }
        }
        let parts =
            scorer.parts.iter().zip(predicted).map(|(part, z)| PartPair::new(part, z.as_ref(), wanted));
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let aligned = predicted.iter().map(|z| z.as_ref().to_vec()).collect();
        let statistics = statistics.to_vec();
        let scratch = [const { Vec::new() }; 3];
        let good = GoodCases::default();
        Ok(Self { scorer, statistics, groups: wanted, centre, parts, aligned, scratch, good, buffers })
    }

    /// The statistics, in the order asked, under `alignment`; `scores` is cleared and filled.
    pub fn score(&mut self, alignment: Alignment<'_>, scores: &mut Vec<Score>) -> Result<()> {
        scores.clear();
        let cases = self.scorer.cases();
        match alignment {
            Alignment::Flips(flips) => {
                check_lengths("truth", cases, "flips", flips.len())?;
                for (part, pair) in self.scorer.parts.iter().zip(&mut self.parts) {
                    pair.negate(part, self.groups)?;
                }
            }
            Alignment::Permutation(p) => check_lengths("truth", cases, "order", p.order.len())?,
            Alignment::Shift(_) => {}
        }
        let mut sums = self.scorer.truth_sums;
        let parts = self.scorer.parts.iter().zip(&self.parts);
        if self.groups.signals {
            for (part, pair) in parts.clone() {
                pair.signals(part, alignment, self.groups.met, &mut self.good, &mut sums);
            }
        }
        if self.groups.integrals {
            for (part, pair) in parts.clone() {
                pair.integrals(part, alignment, &mut self.scratch, &mut sums);
            }
        }
        let mut centre = self.centre;
        if self.groups.others {
            self.buffers.phi.resize(cases, 0.0);
            for (index, (part, pair)) in parts.enumerate() {
                pair.align(part, alignment, |p| &p.values, &mut self.aligned[index]);
                let phi = &mut self.buffers.phi[part.rows()];
                pair.align(part, alignment, |p| &p.phi, phi);
            }
            if matches!(alignment, Alignment::Flips(_)) {
                centre = super::scorer::centre(self.aligned.iter().map(Vec::as_slice), cases);
            }
        }
        let filled = [(self.groups.signals, Group::Signals), (self.groups.integrals, Group::Integrals)];
        let aligned = self.aligned.iter().map(Vec::as_slice).collect();
        let mut derived = Derived::realigned(self.scorer, aligned, &mut self.buffers, sums, centre, filled);
        for &statistic in &self.statistics {
            scores.push(derived.statistic(statistic)?);
        }
        Ok(())
    }
}
