//! The forward pass, shared by all penalties and thresholds.

use rayon::prelude::*;

use super::{
    Hinge,
    candidate::{Addition, Candidate, Search, in_order},
    orthogonal::{Cases, Orthogonal, dot},
};
use crate::{FitContext, ModelError, Result, TrainSet, matrix::ascending};

/// A gain no step reaches: stands for the one before the first.
const NO_PREVIOUS_GAIN: f64 = 1e10;
/// The pass ends when a step would raise GCV to this many times that of the constant.
const GCV_BRAKE: f64 = 10.0;

/// Where one variant ends the pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    pub(super) penalty: f64,
    pub(super) threshold: f64,
}

/// How much of the pass belongs to one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Prefix {
    /// Basis columns, inactive mirrors included.
    pub(super) columns: usize,
    /// Columns there were when the last step was tried: fewer if that step was accepted.
    pub(super) before_last_try: usize,
}

/// One basis column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) hinges: Vec<Hinge>,
    /// Position among the orthonormal columns; none for a mirror that was not added.
    pub(super) active: Option<usize>,
}

/// The longest pass any variant asked for.
pub(super) struct Forward {
    /// Sum of the case weights: the number of rows where they count alike.
    pub(super) cases: f64,
    pub(super) columns: Vec<Column>,
    pub(super) orthogonal: Orthogonal,
    /// One per rule.
    pub(super) prefixes: Vec<Prefix>,
}

/// Generalised cross-validation error with `terms` columns besides the constant.
pub(super) fn gcv(rss: f64, cases: f64, terms: usize, penalty: f64) -> f64 {
    let (n, d) = (cases, terms as f64);
    let cost = 1.0 + d + penalty * d / 2.0;
    (rss / n) / (1.0 - cost / n).powi(2)
}

/// Bytes of a pass besides its candidates: inputs, their orders and values in order; per column what the
/// parent, the orthonormal column and its weighted forms hold; the target's forms.
fn other_bytes(rows: usize, inputs: usize, columns: usize) -> usize {
    let of_inputs = inputs * (2 * size_of::<f64>() + size_of::<u32>());
    let of_columns = columns.saturating_mul(4).saturating_add(6).saturating_mul(size_of::<f64>());
    rows.saturating_mul(of_columns.saturating_add(of_inputs))
}

/// Candidates that can be kept between steps; at least half of the limit is theirs, for few passes reach the
/// most columns.
fn candidates_within(limit: usize, rows: usize, inputs: usize, columns: usize) -> usize {
    (limit - other_bytes(rows, inputs, columns).min(limit / 2)) / Candidate::bytes(rows, inputs).max(1)
}

/// Bytes of a pass that keeps every candidate of `parents` parent columns.
pub(super) fn bytes(rows: usize, inputs: usize, columns: usize, parents: usize) -> usize {
    let candidates = Candidate::bytes(rows, inputs).saturating_mul(parents.saturating_mul(inputs));
    other_bytes(rows, inputs, columns).saturating_add(candidates)
}

/// Runs the pass until the last of `rules` has ended it.
pub(super) fn forward(
    train: TrainSet<'_>,
    degree: usize,
    max_columns: usize,
    rules: &[Rule],
    context: &FitContext,
) -> Result<Forward> {
    let TrainSet { x, y, weights } = train;
    let cases = Cases::new(y.len(), weights);
    let inputs: Vec<Vec<f64>> = (0..x.cols()).map(|j| x.column(j)).collect();
    check_scales(&inputs, y)?;
    let orders: Vec<Vec<u32>> = inputs.iter().map(|x| ascending(x)).collect();
    let ranked = |(x, order): (&Vec<f64>, &Vec<u32>)| order.iter().map(|&row| x[row as usize]).collect();
    let sorted: Vec<Vec<f64>> = inputs.iter().zip(&orders).map(ranked).collect();
    let mean = cases.mean(y);
    let centred: Vec<f64> = y.iter().map(|v| v - mean).collect();
    let (weighted_y, weighted_centred) = (cases.weigh(y), cases.weigh(&centred));
    let search = Search {
        cases,
        y: &weighted_y,
        centred: &weighted_centred,
        x: &inputs,
        orders: &orders,
        sorted: &sorted,
    };
    let mut pass = Pass::new(search, y, degree, max_columns, context);

    let rss0 = cases.square(&centred);
    let gcv0: Vec<f64> = rules.iter().map(|r| gcv(rss0, cases.total, 0, r.penalty)).collect();
    let (mut rss, mut terms, mut previous) = (rss0, 0, NO_PREVIOUS_GAIN);
    let mut prefixes = vec![Prefix { columns: 1, before_last_try: 1 }; rules.len()];
    let mut running: Vec<usize> = (0..rules.len()).collect();
    loop {
        let columns = pass.columns.len();
        running.retain(|&r| columns + 2 <= max_columns && rss / rss0 > rules[r].threshold);
        if running.is_empty() {
            break;
        }
        running.iter().for_each(|&r| prefixes[r].before_last_try = columns);
        context.check()?;
        let addition = pass.best_addition(rss, previous);
        let after = terms + if addition.pair { 2 } else { 1 };
        running.retain(|&r| {
            addition.gain / rss > rules[r].threshold
                && gcv(rss - addition.gain, cases.total, after, rules[r].penalty) / gcv0[r] < GCV_BRAKE
        });
        if running.is_empty() {
            break;
        }
        pass.accept(&addition);
        running.iter().for_each(|&r| prefixes[r].columns = columns + 2);
        (rss, terms, previous) = (rss - addition.gain, after, addition.gain);
    }
    Ok(Forward { cases: cases.total, columns: pass.columns, orthogonal: pass.orthogonal, prefixes })
}

/// Squares must neither overflow nor be the only thing left of a value.
fn check_scales(inputs: &[Vec<f64>], y: &[f64]) -> Result<()> {
    let overflows = |v: &[f64]| !dot(v, v).is_finite();
    let what = if overflows(y) {
        "the target".to_owned()
    } else if let Some(j) = inputs.iter().position(|x| overflows(x)) {
        format!("input {}", j + 1)
    } else {
        return Ok(());
    };
    Err(ModelError::numerical("mars", format!("the squares of {what} overflow; rescale it")))
}

/// The state between steps.
struct Pass<'a> {
    search: Search<'a>,
    degree: usize,
    columns: Vec<Column>,
    /// Values of the columns that may be parents, by slot.
    parents: Vec<Option<Vec<f64>>>,
    orthogonal: Orthogonal,
    /// By variable.
    places: Vec<Vec<Place>>,
    /// How many places there are.
    opened: usize,
    /// Candidates that may still be kept between steps within the memory limit.
    keep: usize,
}

/// A parent and a variable.
struct Place {
    /// Its turn in the order of the search.
    number: usize,
    parent: usize,
    variable: usize,
    /// Built anew at every step when memory is short; the totals are the same.
    kept: Option<Candidate>,
}

impl<'a> Pass<'a> {
    fn new(search: Search<'a>, y: &[f64], degree: usize, max_columns: usize, context: &FitContext) -> Self {
        let n = search.y.len();
        let mut pass = Self {
            degree,
            columns: vec![Column { hinges: Vec::new(), active: Some(0) }],
            parents: vec![None],
            orthogonal: Orthogonal::constant(y, search.cases),
            places: search.x.iter().map(|_| Vec::new()).collect(),
            opened: 0,
            keep: candidates_within(context.memory_bytes, n, search.x.len(), max_columns),
            search,
        };
        pass.open_parent(0, vec![1.0; n]);
        pass
    }

    /// Makes column `slot` a parent if another factor is allowed.
    fn open_parent(&mut self, slot: usize, values: Vec<f64>) {
        let hinges = &self.columns[slot].hinges;
        // A parent that is zero everywhere has nothing to split (undefined in the reference).
        if hinges.len() >= self.degree || values.iter().all(|b| *b <= 0.0) {
            return;
        }
        for variable in 0..self.search.x.len() {
            if hinges.iter().all(|h| h.variable != variable) {
                let kept = (self.keep > 0).then(|| Candidate::new(&self.search, slot, &values, variable));
                self.keep -= usize::from(kept.is_some());
                let number = self.opened;
                self.places[variable].push(Place { number, parent: slot, variable, kept });
                self.opened += 1;
            }
        }
        self.parents[slot] = Some(values);
    }

    fn best_addition(&mut self, rss: f64, previous: f64) -> Addition {
        let Self { search, columns, parents, orthogonal, places, .. } = self;
        let (search, columns, parents, orthogonal) = (&*search, &*columns, &*parents, &*orthogonal);
        let of_variable = |places: &mut Vec<Place>| {
            let is_taken = |place: &Place| form_is_taken(columns, place.parent, place.variable);
            for place in places.iter_mut().filter(|place| is_taken(place)) {
                place.kept.iter_mut().for_each(Candidate::form_is_taken);
            }
            let (mut kept, anew): (Vec<&mut Place>, Vec<&mut Place>) =
                places.iter_mut().partition(|place| place.kept.is_some());
            let candidates = kept.iter_mut().filter_map(|place| place.kept.as_mut()).collect();
            see_together(candidates, search, orthogonal);
            let of_kept = kept
                .into_par_iter()
                .filter_map(|place| Some((place.number, place.kept.as_mut()?.best(search, rss, previous))));
            let of_anew = anew.into_par_iter().filter_map(|place| {
                let values = parents[place.parent].as_ref()?;
                let mut candidate = Candidate::new(search, place.parent, values, place.variable);
                if is_taken(place) {
                    candidate.form_is_taken();
                }
                see_together(vec![&mut candidate], search, orthogonal);
                Some((place.number, candidate.best(search, rss, previous)))
            });
            of_kept.chain(of_anew).collect::<Vec<_>>()
        };
        let mut additions: Vec<(usize, Addition)> = places.par_iter_mut().flat_map(of_variable).collect();
        additions.sort_unstable_by_key(|(number, _)| *number);
        let none = Addition { gain: 0.0, parent: 0, variable: 0, cut: 0.0, pair: false };
        // In order, and only a larger gain replaces: the first of equals wins whatever the threads did.
        additions.into_iter().fold(none, |best, (_, a)| if a.gain > best.gain { a } else { best })
    }

    /// Appends the hinge and its mirror; the mirror's slot stays unused unless the addition is a pair.
    fn accept(&mut self, addition: &Addition) {
        let Addition { parent, variable, cut, pair, .. } = *addition;
        for (sign, active) in [(1.0, true), (-1.0, pair)] {
            let hinge = Hinge { variable, cut, sign };
            let mut hinges = self.columns[parent].hinges.clone();
            hinges.push(hinge);
            let slot = self.columns.len();
            let position = active.then_some(self.orthogonal.columns.len());
            self.columns.push(Column { hinges, active: position });
            self.parents.push(None);
            if !active {
                continue;
            }
            let x = &self.search.x[variable];
            let parent = self.parents[parent].iter().flatten();
            let values: Vec<f64> = parent.zip(x).map(|(b, x)| b * hinge.at(*x)).collect();
            self.orthogonal.append(&values, self.search.cases);
            self.open_parent(slot, values);
        }
    }
}

/// Shows candidates of one variable the columns they have not seen, two at a time where there are two.
fn see_together(mut candidates: Vec<&mut Candidate>, search: &Search<'_>, orthogonal: &Orthogonal) {
    let Some(order) = candidates.first().map(|c| &search.orders[c.variable]) else { return };
    while let Some(first) = candidates.iter().map(|c| c.seen).min() {
        let behind = candidates.par_iter_mut().filter(|c| c.seen == first);
        match orthogonal.columns.len() - first {
            0 => break,
            1 => {
                let sorted = in_order::<1>(orthogonal, first, order);
                behind.for_each(|candidate| candidate.see(search, orthogonal, &sorted));
            }
            _ => {
                let sorted = in_order::<2>(orthogonal, first, order);
                behind.for_each(|candidate| candidate.see(search, orthogonal, &sorted));
            }
        }
    }
}

/// Whether an active column already has exactly the variables of `parent` and `variable`, whatever the cuts.
fn form_is_taken(columns: &[Column], parent: usize, variable: usize) -> bool {
    let parent = &columns[parent].hinges;
    columns.iter().any(|c| {
        c.active.is_some()
            && c.hinges.len() == parent.len() + 1
            && c.hinges
                .iter()
                .all(|h| h.variable == variable || parent.iter().any(|p| p.variable == h.variable))
    })
}
