//! The predictions of one part beside its truth, and the sums of their terms under an alignment.

use super::Alignment;
use crate::accuracy::Accuracy;
use crate::error::Result;
use crate::relevance::Relevance;
use crate::scoring::Part;
use crate::term::{Sink, Sums, Term};

/// Which of the groups that have a quick road are asked for, and whether any other is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    pub(super) signals: bool,
    /// Counts of signals that met an event: SEDI looks at them, precision, recall and F do not.
    pub(super) met: bool,
    pub(super) integrals: bool,
    pub(super) others: bool,
}

/// A part's truth and predictions, each with what φ says about it.
#[derive(Clone, Debug, Default)]
pub(super) struct PartPair {
    /// y and, for events, φ(y) (0 for the others), twice over: a shift then needs no look at the end.
    truth_twice: [Vec<f64>; 2],
    /// Whether each event lies on the high flank, twice over too; none for the other cases.
    event_flanks: Vec<Option<bool>>,
    /// Sums of the signal terms that depend on the truth alone.
    events: f64,
    event_relevance: f64,
    truth_integrals: [Vec<f64>; 2],
    predicted: Predictions,
    /// The same predictions with the opposite sign; made when first needed.
    negated: Option<Predictions>,
}

/// What depends on the predictions alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Predictions {
    pub(super) values: Vec<f64>,
    pub(super) phi: Vec<f64>,
    /// The antiderivatives of φ and of that.
    integrals: [Vec<f64>; 2],
    near: NearEvents,
}

/// Predictions that are signals, or so near an event that they may have an accuracy above 0: their rows,
/// values, and φ of those that signal (0 for the others).
#[derive(Clone, Debug, Default)]
struct NearEvents {
    rows: Vec<u32>,
    values: Vec<f64>,
    signalled: Vec<f64>,
    signals: Vec<Signal>,
    /// The sum of the signals' φ.
    relevance: f64,
}

#[derive(Clone, Copy, Debug)]
struct Signal {
    row: usize,
    phi: f64,
    high: bool,
}

impl Predictions {
    fn new(part: &Part<'_>, values: Vec<f64>, wanted: Wanted) -> Result<Self> {
        let settings = part.settings();
        let mut phi = vec![0.0; values.len()];
        let mut near = NearEvents::default();
        let mut integrals = [Vec::new(), Vec::new()];
        if let (Some(relevance), Some(truth)) = (&settings.relevance, part.relevance()) {
            relevance.phi_into(&values, &mut phi);
            if wanted.signals {
                let reach = settings.accuracy.map_or(0.0, |accuracy| accuracy.t_l());
                let is_near = near_an_event(relevance, settings.t_e, reach)?;
                for (row, (&z, &phi)) in values.iter().zip(&phi).enumerate() {
                    let is_signal = phi >= settings.t_e;
                    if is_signal || is_near(z) {
                        near.rows.push(row as u32);
                        near.values.push(z);
                        near.signalled.push(if is_signal { phi } else { 0.0 });
                    }
                    if is_signal {
                        near.signals.push(Signal { row, phi, high: z > truth.valley });
                        near.relevance += phi;
                    }
                }
            }
            if wanted.integrals {
                integrals = both_integrals(part, &values);
            }
        }
        Ok(Self { values, phi, integrals, near })
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
impl PartPair {
    pub(super) fn new(part: &Part<'_>, predicted: &[f64], wanted: Wanted) -> Result<Self> {
        let predicted = Predictions::new(part, predicted.to_vec(), wanted)?;
        let mut pair = Self { predicted, ..Self::default() };
        let Some(truth) = part.relevance() else { return Ok(pair) };
        for (&y, &phi) in part.truth().iter().zip(&truth.phi) {
            let is_event = phi >= part.settings().t_e;
            let [ys, relevance] = &mut pair.truth_twice;
            ys.push(y);
            relevance.push(if is_event { phi } else { 0.0 });
            pair.event_flanks.push(is_event.then_some(y > truth.valley));
            if is_event {
                pair.events += 1.0;
                pair.event_relevance += phi;
            }
        }
        let cases = part.truth().len();
        pair.truth_twice.iter_mut().for_each(|column| column.extend_from_within(..cases));
        pair.event_flanks.extend_from_within(..cases);
        if wanted.integrals {
            pair.truth_integrals = both_integrals(part, part.truth());
        }
        Ok(pair)
    }

    pub(super) fn negate(&mut self, part: &Part<'_>, wanted: Wanted) -> Result<()> {
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
    pub(super) fn align(
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

    /// The sums behind precision, recall, F and SEDI. Few of the cases near an event meet a truth within t_L:
    /// these are set apart first, without a branch, and only they are weighed.
    pub(super) fn signals(
        &self,
        part: &Part<'_>,
        alignment: Alignment<'_>,
        count_met: bool,
        good: &mut GoodCases,
        sums: &mut Sums,
    ) {
        let own = &self.predicted.near;
        let mut met = 0.0;
        let accuracy = part.settings().accuracy;
        good.clear(accuracy);
        let (signals, relevance) = match alignment {
            Alignment::Shift(shift) => {
                let shift = shift % part.truth().len();
                met += self.meet(own, |row| row + shift, |_| true, count_met, good);
                (own.signals.len() as f64, own.relevance)
            }
            Alignment::Permutation(permutation) => {
                let (start, order) = (part.rows().start, &permutation.order[part.rows()]);
                met += self.meet(own, |row| order[row] - start, |_| true, count_met, good);
                (own.signals.len() as f64, own.relevance)
            }
            Alignment::Flips(flips) => {
                let (negated, flips) = self.signs(part, flips);
                let mut total = (0.0, 0.0);
                for (near, sign) in [(own, false), (&negated.near, true)] {
                    met += self.meet(near, |row| row, |row| flips[row] == sign, count_met, good);
                    for signal in near.signals.iter().filter(|s| flips[s.row] == sign) {
                        total = (total.0 + 1.0, total.1 + signal.phi);
                    }
                }
                total
            }
        };
        let (recalled, confirmed) = good.sums(accuracy);
        for (term, sum) in [
            (Term::Event, self.events),
            (Term::EventRelevance, self.event_relevance),
            (Term::Signal, signals),
            (Term::SignalRelevance, relevance),
            (Term::Met, met),
            (Term::Recalled, recalled),
            (Term::Confirmed, confirmed),
        ] {
            sums[term] += sum;
        }
    }

    /// Adds to `good` those of the rows to `keep` that meet, at their `place`, a truth within t_L; gives the
    /// number of signals that meet an event of their flank, if these are to be counted.
    #[inline(always)]
    fn meet(
        &self,
        near: &NearEvents,
        place: impl Fn(usize) -> usize,
        keep: impl Fn(usize) -> bool,
        count_met: bool,
        good: &mut GoodCases,
    ) -> f64 {
        good.collect(near, &self.truth_twice, &place, &keep);
        if !count_met {
            return 0.0;
        }
        let meets = |s: &&Signal| keep(s.row) && self.event_flanks[place(s.row)] == Some(s.high);
        near.signals.iter().filter(meets).count() as f64
    }

    /// The relevance-weighted scores from the antiderivatives at truth and prediction.
    pub(super) fn integrals(
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
            buffer.resize(part.truth().len(), 0.0);
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
pub(super) struct GoodCases {
    count: usize,
    t_l: f64,
    losses: Vec<f64>,
    accuracies: Vec<f64>,
    event_relevance: Vec<f64>,
    signal_relevance: Vec<f64>,
}

impl GoodCases {
    fn clear(&mut self, accuracy: Option<Accuracy>) {
        self.count = 0;
        self.t_l = accuracy.map_or(-1.0, |accuracy| accuracy.t_l());
    }

    #[inline(always)]
    fn collect(
        &mut self,
        near: &NearEvents,
        [truth, relevance]: &[Vec<f64>; 2],
        place: impl Fn(usize) -> usize,
        keep: impl Fn(usize) -> bool,
    ) {
        let mut count = self.count;
        let most = count + near.rows.len();
        for column in
            [&mut self.losses, &mut self.accuracies, &mut self.event_relevance, &mut self.signal_relevance]
        {
            column.resize(most.max(column.len()), 0.0);
        }
        for ((&row, &z), &phi) in near.rows.iter().zip(&near.values).zip(&near.signalled) {
            let place = place(row as usize);
            let loss = (z - truth[place]).abs();
            self.losses[count] = loss;
            self.event_relevance[count] = relevance[place];
            self.signal_relevance[count] = phi;
            count += usize::from(loss <= self.t_l && keep(row as usize));
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
