//! Scores of the same predictions in another order or with other signs: what luck alone would give.

use super::part::Part;
use super::scorer::{Buffers, Derived, Scorer};
use super::statistic::Statistic;
use crate::accuracy::Accuracy;
use crate::error::{MetricError, Result};
use crate::relevance::Relevance;
use crate::score::Score;
use crate::term::{Group, Sink, Sums, Term};

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
        if order.len() != scorer.cases() {
            return Err(length("truth", scorer.cases(), "order", order.len()));
        }
        let mut seen = vec![false; order.len()];
        for part in scorer.parts() {
            for row in part.rows() {
                let to = order[row];
                if !part.rows().contains(&to) || std::mem::replace(&mut seen[to], true) {
                    return Err(MetricError::Entry {
                        name: "order",
                        index: row + 1,
                        problem: format!("case {to} is in another part or was named before"),
                        fix: "name every case of a part once, within that part",
                    });
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
/// use tailrank_metrics::scoring::{Alignment, Realigned};
///
/// let settings = Settings {
///     relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?),
///     accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
///     ..Settings::default()
/// };
/// let scorer = Scorer::new(&[2.5, 0.3, -3.0, 0.1], settings)?;
/// let mut realigned = Realigned::new(&scorer, &[[2.4, 0.0, -2.9, 0.0]], &[Measure::F.into()])?;
/// let mut f = Vec::new();
/// realigned.score(Alignment::Shift(0), &mut f)?;
/// assert!(f[0].value() > Some(0.9));
/// realigned.score(Alignment::Shift(1), &mut f)?;
/// assert_eq!(f[0].value(), Some(0.0)); // one step late, every signal is a false alarm
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Realigned<'a> {
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

/// Which of the groups that have a quick road are asked for, and whether any other is.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    signals: bool,
    /// Counts of met signals and hits, or moments of the signals: more than precision, recall and F look at.
    whole_signals: bool,
    integrals: bool,
    others: bool,
}

/// A part's truth and predictions, each with what φ says about it.
#[derive(Clone, Debug)]
struct PartPair {
    truth: Vec<TruthCase>,
    /// y and, for events, φ(y) (0 for the others), twice over: a shift then needs no look at the end.
    truth_twice: [Vec<f64>; 2],
    /// Sums of the signal terms that depend on the truth alone.
    events: f64,
    event_relevance: f64,
    truth_integrals: [Vec<f64>; 2],
    predicted: Predictions,
    /// The same predictions with the opposite sign; made when first needed.
    negated: Option<Predictions>,
}

#[derive(Clone, Copy, Debug)]
struct TruthCase {
    y: f64,
    phi: f64,
    event: bool,
    high: bool,
}

/// What depends on the predictions alone.
#[derive(Clone, Debug)]
struct Predictions {
    values: Vec<f64>,
    phi: Vec<f64>,
    /// The antiderivatives of φ and of that.
    integrals: [Vec<f64>; 2],
    near_events: Vec<NearEvent>,
    /// The same, column by column, for the quick road.
    near: NearColumns,
}

/// Predictions near an event as columns: their rows, values, and φ of those that signal (0 for the others).
#[derive(Clone, Debug, Default)]
struct NearColumns {
    rows: Vec<u32>,
    values: Vec<f64>,
    signalled: Vec<f64>,
    /// Signals, and the sum of their φ.
    signals: f64,
    relevance: f64,
}

impl NearColumns {
    fn of(cases: &[NearEvent]) -> Self {
        let signalled: Vec<f64> = cases.iter().map(|c| if c.signal { c.phi } else { 0.0 }).collect();
        Self {
            rows: cases.iter().map(|c| c.row as u32).collect(),
            values: cases.iter().map(|c| c.z).collect(),
            signals: cases.iter().filter(|c| c.signal).count() as f64,
            relevance: signalled.iter().sum(),
            signalled,
        }
    }
}

/// A prediction that is a signal, or so near an event that it may have an accuracy above 0.
#[derive(Clone, Copy, Debug)]
struct NearEvent {
    row: usize,
    z: f64,
    phi: f64,
    signal: bool,
    high: bool,
}

impl Predictions {
    fn new(part: &Part<'_>, values: Vec<f64>, wanted: Wanted) -> Result<Self> {
        let settings = part.settings();
        let mut phi = vec![0.0; values.len()];
        let mut near_events = Vec::new();
        let mut integrals = [Vec::new(), Vec::new()];
        if let (Some(relevance), Some(truth)) = (&settings.relevance, part.relevance()) {
            relevance.phi_into(&values, &mut phi);
            if wanted.signals {
                let reach = settings.accuracy.map_or(0.0, |accuracy| accuracy.t_l());
                let near = near_an_event(relevance, settings.t_e, reach)?;
                for (row, (&z, &phi)) in values.iter().zip(&phi).enumerate() {
                    let signal = phi >= settings.t_e;
                    if signal || near(z) {
                        near_events.push(NearEvent { row, z, phi, signal, high: z > truth.valley });
                    }
                }
            }
            if wanted.integrals {
                integrals = both_integrals(part, &values);
            }
        }
        let near = NearColumns::of(&near_events);
        Ok(Self { values, phi, integrals, near_events, near })
    }
}

/// Whether a value lies in an event range or within `reach` of one; a little more is taken than rounding can
/// matter.
fn near_an_event(relevance: &Relevance, t_e: f64, reach: f64) -> Result<impl Fn(f64) -> bool + use<>> {
    let ranges = relevance.event_bounds(t_e)?;
    Ok(move |z: f64| {
        let slack = reach + 1e-9 * (reach + z.abs());
        ranges.iter().any(|r| z >= r.from - slack && z <= r.to + slack)
    })
}

fn both_integrals(part: &Part<'_>, values: &[f64]) -> [Vec<f64>; 2] {
    let Some(truth) = part.relevance() else { return [Vec::new(), Vec::new()] };
    let (first, second) = values.iter().map(|&v| truth.integral.antiderivatives(v)).unzip();
    [first, second]
}

impl<'a> Realigned<'a> {
    /// Prepares `predicted`, in the parts of the truth, for the scores of `statistics`.
    pub fn new<P: AsRef<[f64]>>(
        scorer: &'a Scorer<'a>,
        predicted: &[P],
        statistics: &[Statistic],
    ) -> Result<Self> {
        let mut buffers = Buffers::default();
        let centre = Derived::new(scorer, predicted, &mut buffers)?.centre();
        let mut wanted = Wanted::default();
        for statistic in statistics {
            match statistic.sum_formula() {
                None => wanted.others = true,
                Some(formula) => {
                    for term in formula.terms {
                        match term.group() {
                            Group::Truth => {}
                            Group::Signals => {
                                wanted.signals = true;
                                wanted.whole_signals |= matches!(term, Term::Met | Term::Hit);
                            }
                            Group::SignalMoments => (wanted.signals, wanted.whole_signals) = (true, true),
                            Group::Integrals => wanted.integrals = true,
                            _ => wanted.others = true,
                        }
                    }
                }
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
            Alignment::Flips(flips) if flips.len() != cases => {
                return Err(length("truth", cases, "flips", flips.len()));
            }
            Alignment::Permutation(p) if p.order.len() != cases => {
                return Err(length("truth", cases, "order", p.order.len()));
            }
            Alignment::Flips(_) => {
                for (part, pair) in self.scorer.parts.iter().zip(&mut self.parts) {
                    pair.negate(part, self.groups)?;
                }
            }
            _ => {}
        }
        let mut sums = self.scorer.truth_sums();
        let parts = self.scorer.parts.iter().zip(&self.parts);
        if self.groups.whole_signals {
            let centres = (self.scorer.centre(), self.centre);
            for (part, pair) in parts.clone() {
                pair.signals(part, alignment, centres, &mut sums);
            }
        } else if self.groups.signals {
            for (part, pair) in parts.clone() {
                pair.quick_signals(part, alignment, &mut self.good, &mut sums);
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
        let filled =
            [(self.groups.signals, Group::Signals), (self.groups.whole_signals, Group::SignalMoments)]
                .into_iter()
                .chain([(self.groups.integrals, Group::Integrals)]);
        let filled = filled.filter(|(done, _)| *done).map(|(_, group)| group);
        let mut derived =
            Derived::realigned(self.scorer, &self.aligned, &mut self.buffers, sums, centre, filled);
        for &statistic in &self.statistics {
            scores.push(derived.statistic(statistic)?);
        }
        Ok(())
    }
}

impl PartPair {
    fn new(part: &Part<'_>, predicted: &[f64], wanted: Wanted) -> Result<Self> {
        let mut pair = Self {
            truth: Vec::new(),
            truth_twice: [Vec::new(), Vec::new()],
            events: 0.0,
            event_relevance: 0.0,
            truth_integrals: [Vec::new(), Vec::new()],
            predicted: Predictions::new(part, predicted.to_vec(), wanted)?,
            negated: None,
        };
        let Some(truth) = part.relevance() else { return Ok(pair) };
        for (&y, &phi) in part.truth().iter().zip(&truth.phi) {
            let event = phi >= part.settings().t_e;
            if event {
                pair.events += 1.0;
                pair.event_relevance += phi;
            }
            pair.truth.push(TruthCase { y, phi, event, high: y > truth.valley });
        }
        let twice = || pair.truth.iter().chain(&pair.truth);
        pair.truth_twice =
            [twice().map(|t| t.y).collect(), twice().map(|t| if t.event { t.phi } else { 0.0 }).collect()];
        if wanted.integrals {
            pair.truth_integrals = both_integrals(part, part.truth());
        }
        Ok(pair)
    }

    fn negate(&mut self, part: &Part<'_>, wanted: Wanted) -> Result<()> {
        if self.negated.is_none() {
            let values = self.predicted.values.iter().map(|z| -z).collect();
            self.negated = Some(Predictions::new(part, values, wanted)?);
        }
        Ok(())
    }

    /// The predictions with their sign as given, those with the opposite one, and which cases take which.
    fn signs<'s>(&'s self, part: &Part<'_>, flips: &'s [bool]) -> (&'s Predictions, &'s [bool]) {
        (self.negated.as_ref().unwrap_or(&self.predicted), &flips[part.rows()])
    }

    /// Writes a companion of the predictions to `out`, in the order of the truth.
    fn align(
        &self,
        part: &Part<'_>,
        alignment: Alignment<'_>,
        companion: impl Fn(&Predictions) -> &Vec<f64>,
        out: &mut [f64],
    ) {
        let values = companion(&self.predicted);
        let n = values.len();
        match alignment {
            Alignment::Shift(shift) => {
                let shift = shift % n;
                out[shift..].copy_from_slice(&values[..n - shift]);
                out[..shift].copy_from_slice(&values[n - shift..]);
            }
            Alignment::Permutation(permutation) => {
                let start = part.rows().start;
                for (&to, &value) in permutation.order[part.rows()].iter().zip(values) {
                    out[to - start] = value;
                }
            }
            Alignment::Flips(flips) => {
                let (negated, flips) = self.signs(part, flips);
                let pairs = values.iter().zip(companion(negated));
                for ((slot, &flip), (&value, &other)) in out.iter_mut().zip(flips).zip(pairs) {
                    *slot = if flip { other } else { value };
                }
            }
        }
    }

    /// The sums behind precision, recall and F. Few of the cases near an event meet a truth within t_L: these
    /// are set apart first, without a branch, and only they are weighed.
    fn quick_signals(
        &self,
        part: &Part<'_>,
        alignment: Alignment<'_>,
        good: &mut GoodCases,
        sums: &mut Sums,
    ) {
        let t_l = part.settings().accuracy.map_or(-1.0, |accuracy| accuracy.t_l());
        let truth = (&self.truth_twice[0][..], &self.truth_twice[1][..], t_l);
        let own = &self.predicted.near;
        good.clear();
        let (signals, relevance) = match alignment {
            Alignment::Shift(shift) => {
                let shift = shift % self.truth.len().max(1);
                good.collect(own, truth, |row| row + shift);
                (own.signals, own.relevance)
            }
            Alignment::Permutation(permutation) => {
                let (start, order) = (part.rows().start, &permutation.order[part.rows()]);
                good.collect(own, truth, |row| order[row] - start);
                (own.signals, own.relevance)
            }
            Alignment::Flips(flips) => {
                let (negated, flips) = self.signs(part, flips);
                let mut total = (0.0, 0.0);
                for (signed, sign) in [(&self.predicted, false), (negated, true)] {
                    good.collect_some(&signed.near, truth, |row| flips[row] == sign);
                    for case in signed.near_events.iter().filter(|c| c.signal && flips[c.row] == sign) {
                        total = (total.0 + 1.0, total.1 + case.phi);
                    }
                }
                total
            }
        };
        let (recalled, confirmed) = good.sums(part.settings().accuracy);
        for (term, sum) in [
            (Term::Event, self.events),
            (Term::EventRelevance, self.event_relevance),
            (Term::Signal, signals),
            (Term::SignalRelevance, relevance),
            (Term::Recalled, recalled),
            (Term::Confirmed, confirmed),
        ] {
            sums[term] += sum;
        }
    }

    /// The signal terms, from the cases near an event alone: elsewhere no prediction has an accuracy above 0
    /// or signals.
    fn signals(&self, part: &Part<'_>, alignment: Alignment<'_>, centres: (f64, f64), sums: &mut Sums) {
        sums[Term::Event] += self.events;
        sums[Term::EventRelevance] += self.event_relevance;
        let mut near = NearSums { accuracy: part.settings().accuracy, centres, ..NearSums::default() };
        let n = self.truth.len();
        match alignment {
            Alignment::Shift(shift) => {
                let shift = shift % n.max(1);
                for case in &self.predicted.near_events {
                    let to = case.row + shift;
                    near.add(case, &self.truth[if to < n { to } else { to - n }]);
                }
            }
            Alignment::Permutation(permutation) => {
                let (start, order) = (part.rows().start, &permutation.order[part.rows()]);
                for case in &self.predicted.near_events {
                    near.add(case, &self.truth[order[case.row] - start]);
                }
            }
            Alignment::Flips(flips) => {
                let (negated, flips) = self.signs(part, flips);
                for (cases, sign) in [(&self.predicted.near_events, false), (&negated.near_events, true)] {
                    for case in cases.iter().filter(|case| flips[case.row] == sign) {
                        near.add(case, &self.truth[case.row]);
                    }
                }
            }
        }
        for (term, sum) in [
            (Term::Signal, near.signals),
            (Term::Met, near.met),
            (Term::Hit, near.hits),
            (Term::Recalled, near.recalled),
            (Term::SignalRelevance, near.signalled),
            (Term::Confirmed, near.confirmed),
            (Term::SignalTruth, near.moments[0]),
            (Term::SignalPredicted, near.moments[1]),
            (Term::SignalSquared, near.moments[2]),
            (Term::SignalProduct, near.moments[3]),
        ] {
            sums[term] += sum;
        }
    }

    /// The relevance-weighted scores from the antiderivatives at truth and prediction.
    fn integrals(
        &self,
        part: &Part<'_>,
        alignment: Alignment<'_>,
        scratch: &mut [Vec<f64>; 3],
        sums: &mut Sums,
    ) {
        if part.relevance().is_none() {
            return;
        }
        let [z, first, second] = scratch;
        for buffer in [&mut *z, first, second] {
            buffer.resize(self.truth.len(), 0.0);
        }
        self.align(part, alignment, |p| &p.values, z);
        self.align(part, alignment, |p| &p.integrals[0], first);
        self.align(part, alignment, |p| &p.integrals[1], second);
        let q = part.settings().quantile;
        let [truth_first, truth_second] = &self.truth_integrals;
        let inputs = [part.truth(), truth_first, truth_second, z, first, second];
        sums.take([Term::Rwse, Term::Rwae, Term::Rwqs], inputs, |[y, a_y, b_y, z, a_z, b_z]| {
            let area = (a_y - a_z).abs();
            let side = if z <= y { q } else { 1.0 - q };
            [2.0 * (b_y - b_z - (y - z) * a_z), area, side * area]
        });
    }
}

/// Cases near an event whose error is at most t_L: error, φ(y) if an event, φ(ŷ) if a signal.
#[derive(Clone, Debug, Default)]
struct GoodCases {
    count: usize,
    losses: Vec<f64>,
    accuracies: Vec<f64>,
    event_relevance: Vec<f64>,
    signal_relevance: Vec<f64>,
}

impl GoodCases {
    fn clear(&mut self) {
        self.count = 0;
    }

    fn grow(&mut self, by: usize) {
        for column in
            [&mut self.losses, &mut self.accuracies, &mut self.event_relevance, &mut self.signal_relevance]
        {
            if column.len() < self.count + by {
                column.resize(self.count + by, 0.0);
            }
        }
    }

    /// Adds the cases of `near` that meet, at the place `to` their row goes, a truth within t_L.
    #[inline(always)]
    fn collect(
        &mut self,
        near: &NearColumns,
        (truth, relevance, t_l): (&[f64], &[f64], f64),
        to: impl Fn(usize) -> usize,
    ) {
        self.grow(near.rows.len());
        let mut count = self.count;
        for ((&row, &z), &phi) in near.rows.iter().zip(&near.values).zip(&near.signalled) {
            let place = to(row as usize);
            let loss = (z - truth[place]).abs();
            self.losses[count] = loss;
            self.event_relevance[count] = relevance[place];
            self.signal_relevance[count] = phi;
            count += usize::from(loss <= t_l);
        }
        self.count = count;
    }

    /// [`collect`](Self::collect) of the rows that `keep` names, each with its own truth.
    fn collect_some(
        &mut self,
        near: &NearColumns,
        (truth, relevance, t_l): (&[f64], &[f64], f64),
        keep: impl Fn(usize) -> bool,
    ) {
        self.grow(near.rows.len());
        let mut count = self.count;
        for ((&row, &z), &phi) in near.rows.iter().zip(&near.values).zip(&near.signalled) {
            let row = row as usize;
            let loss = (z - truth[row]).abs();
            self.losses[count] = loss;
            self.event_relevance[count] = relevance[row];
            self.signal_relevance[count] = phi;
            count += usize::from(loss <= t_l && keep(row));
        }
        self.count = count;
    }

    /// Σ α·φ(y) over events and Σ α·φ(ŷ) over signals.
    fn sums(&mut self, accuracy: Option<Accuracy>) -> (f64, f64) {
        let Some(accuracy) = accuracy else { return (0.0, 0.0) };
        let count = self.count;
        accuracy.alpha_into(&self.losses[..count], &mut self.accuracies[..count]);
        let mut totals = (0.0, 0.0);
        let relevance = self.event_relevance[..count].iter().zip(&self.signal_relevance[..count]);
        for (alpha, (of_event, of_signal)) in self.accuracies[..count].iter().zip(relevance) {
            totals = (totals.0 + alpha * of_event, totals.1 + alpha * of_signal);
        }
        totals
    }
}

/// Sums of the signal terms as they grow.
#[derive(Default)]
struct NearSums {
    accuracy: Option<Accuracy>,
    centres: (f64, f64),
    signals: f64,
    met: f64,
    hits: f64,
    recalled: f64,
    signalled: f64,
    confirmed: f64,
    moments: [f64; 4],
}

impl NearSums {
    #[inline(always)]
    fn add(&mut self, case: &NearEvent, truth: &TruthCase) {
        let loss = (case.z - truth.y).abs();
        let near = self.accuracy.filter(|accuracy| loss <= accuracy.t_l());
        let alpha = near.map_or(0.0, |accuracy| accuracy.of_loss(loss));
        if truth.event {
            self.recalled += alpha * truth.phi;
        }
        if !case.signal {
            return;
        }
        self.signals += 1.0;
        self.signalled += case.phi;
        self.confirmed += alpha * case.phi;
        if truth.event && truth.high == case.high {
            self.met += 1.0;
            self.hits += f64::from(u8::from(near.is_some()));
        }
        let (y, z) = (truth.y - self.centres.0, case.z - self.centres.1);
        for (sum, term) in self.moments.iter_mut().zip([y, z, z * z, y * z]) {
            *sum += term;
        }
    }
}

const fn length(left_name: &'static str, left: usize, right_name: &'static str, right: usize) -> MetricError {
    MetricError::LengthMismatch { left_name, left, right_name, right }
}
