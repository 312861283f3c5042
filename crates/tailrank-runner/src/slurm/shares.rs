//! Shares of a plan's cells, balanced by forecast cost.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    str::FromStr,
};

use serde::{Deserialize, Serialize};
use tailrank_experiment::{
    digest::{CellKey, digest},
    plan::Plan,
};

/// What storing a cell costs on a shared file system, so that cells forecast as free are spread too.
const STORING_SECONDS: f64 = 0.02;

/// One share of several: `3/40`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// From 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(format!("'{text}' is not a valid share; write it as 3/40, the third of forty")),
        }
    }
}

/// Divides jobs of these costs into `shares`, longest first, each to the share with the least so far.
///
/// The largest share is at most 4/3 of the best possible (Graham 1969). Places in a share are in order, and
/// the same costs always give the same shares.
///
/// ```
/// let shares = tailrank_runner::slurm::balance(&[5.0, 1.0, 4.0, 2.0], 2);
/// assert_eq!(shares, [vec![0, 1], vec![2, 3]]);
/// ```
pub fn balance(costs: &[f64], shares: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&a, &b| costs[b].total_cmp(&costs[a]).then(a.cmp(&b)));
    let mut found = vec![Vec::new(); shares];
    // The bits of numbers that are not negative are in the order of the numbers.
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> = (0..shares).map(|share| Reverse((0, share))).collect();
    for job in order {
        let Some(mut least) = loads.peek_mut() else { break };
        let Reverse((seconds, share)) = *least;
        found[share].push(job);
        *least = Reverse(((f64::from_bits(seconds) + costs[job].max(0.0)).to_bits(), share));
    }
    found.iter_mut().for_each(|s| s.sort_unstable());
    found
}

/// Places of the cells in one share of a whole plan, whatever is stored of it.
pub fn share_of_plan(plan: &Plan, share: Share) -> Vec<usize> {
    balanced(plan, |_| true, share.of).swap_remove(share.number - 1).0
}

/// The shares of one submission: frozen, so that a requeued task fits the cells it was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// Checksum of the experiment they were made from.
    experiment: String,
    /// The cells of each share.
    cells: Vec<Vec<CellKey>>,
    /// Forecast of each share, in CPU seconds.
    pub seconds: Vec<f64>,
}

impl Shares {
    /// Divides the cells that are `left` into at most so many shares; none of them is empty.
    pub fn new(plan: &Plan, left: impl Fn(&CellKey) -> bool, shares: usize) -> Self {
        let mut dealt = balanced(plan, left, shares);
        dealt.retain(|(cells, _)| !cells.is_empty());
        let key = |c: &usize| plan.cells[*c].key.clone();
        Self {
            experiment: digest(plan.text.as_bytes()),
            seconds: dealt.iter().map(|(_, seconds)| *seconds).collect(),
            cells: dealt.iter().map(|(cells, _)| cells.iter().map(key).collect()).collect(),
        }
    }

    /// How many shares there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether nothing is left to share.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many cells all shares hold.
    pub fn cells(&self) -> usize {
        self.cells.iter().map(Vec::len).sum()
    }

    /// As the text of a file.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// From the text of a file; the reason if it is none.
    pub fn from_text(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|e| format!("it is not a file of shares of this version ({e})"))
    }

    /// Whether these shares belong to this plan; the reason if not.
    pub fn check(&self, plan: &Plan) -> Result<(), String> {
        let places = by_key(plan);
        let unknown = self.cells.iter().flatten().filter(|&key| !places.contains_key(key)).count();
        let again = "submit again with `tailrank slurm`";
        if self.experiment != digest(plan.text.as_bytes()) {
            Err(format!("the experiment was changed after these shares were made; {again}"))
        } else if unknown > 0 {
            Err(format!(
                "{unknown} of its fits are not in the plan: the data or the program changed; {again}"
            ))
        } else {
            Ok(())
        }
    }

    /// Places in the plan of the cells of one share.
    pub fn places(&self, plan: &Plan, share: Share) -> Result<Vec<usize>, String> {
        self.check(plan)?;
        if share.of != self.cells.len() {
            return Err(format!("it holds {} shares, not {}", self.cells.len(), share.of));
        }
        let places = by_key(plan);
        let mut found: Vec<usize> =
            self.cells[share.number - 1].iter().filter_map(|key| places.get(key).copied()).collect();
        found.sort_unstable();
        Ok(found)
    }
}

fn cost(plan: &Plan, cell: usize) -> f64 {
    // A forecast that is not a number must not upset the order; one without end must not swallow the others.
    plan.cells[cell].cost.cpu_seconds.clamp(0.0, 1e9).max(0.0) + STORING_SECONDS
}

/// Places of the cells of every share, with its forecast. Two tasks of the same data share one fit: the first
/// cell of a key counts.
///
/// The cells of a task stay together, so that their share scores it, unless all is done sooner with tasks cut
/// up and scored by the process that gathers.
fn balanced(plan: &Plan, left: impl Fn(&CellKey) -> bool, shares: usize) -> Vec<(Vec<usize>, f64)> {
    let places = by_key(plan);
    let is_wanted = |c: &usize| places[&plan.cells[*c].key] == *c && left(&plan.cells[*c].key);
    let cells: Vec<usize> = (0..plan.cells.len()).filter(is_wanted).collect();
    let seconds: Vec<f64> = cells.iter().map(|&c| cost(plan, c)).collect();
    let apart = dealt_out(&cells.chunks(1).collect::<Vec<_>>(), &seconds, shares);
    let tasks: Vec<&[usize]> = cells.chunk_by(|&a, &b| plan.cells[a].task == plan.cells[b].task).collect();
    let scoring = |task: &&[usize]| plan.scoring_seconds(plan.cells[task[0]].task);
    let whole = |task: &&[usize]| task.iter().map(|&c| cost(plan, c)).sum::<f64>() + scoring(task);
    let together = dealt_out(&tasks, &tasks.iter().map(whole).collect::<Vec<_>>(), shares);
    let longest = |dealt: &[(Vec<usize>, f64)]| dealt.iter().map(|share| share.1).fold(0.0, f64::max);
    let is_sooner = longest(&together) <= longest(&apart) + tasks.iter().map(scoring).sum::<f64>();
    if is_sooner { together } else { apart }
}

/// The cells of every share and what they take, where some stay together.
fn dealt_out(jobs: &[&[usize]], seconds: &[f64], shares: usize) -> Vec<(Vec<usize>, f64)> {
    let put_together = |places: Vec<usize>| {
        let mut cells: Vec<usize> = places.iter().flat_map(|&job| jobs[job]).copied().collect();
        cells.sort_unstable();
        (cells, places.iter().map(|&job| seconds[job]).sum())
    };
    balance(seconds, shares).into_iter().map(put_together).collect()
}

fn by_key(plan: &Plan) -> HashMap<&CellKey, usize> {
    let mut places = HashMap::with_capacity(plan.cells.len());
    for (c, cell) in plan.cells.iter().enumerate() {
        places.entry(&cell.key).or_insert(c);
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn load(costs: &[f64], share: &[usize]) -> f64 {
        share.iter().map(|&j| costs[j]).sum()
    }

    fn largest(costs: &[f64], shares: &[Vec<usize>]) -> f64 {
        shares.iter().map(|s| load(costs, s)).fold(0.0, f64::max)
    }

    /// The least possible largest share, by trying every way.
    fn optimum(costs: &[f64], loads: &mut [f64]) -> f64 {
        let Some((&first, rest)) = costs.split_first() else {
            return loads.iter().copied().fold(0.0, f64::max);
        };
        let mut best = f64::INFINITY;
        for share in 0..loads.len() {
            loads[share] += first;
            best = best.min(optimum(rest, loads));
            loads[share] -= first;
        }
        best
    }

    proptest! {
        #[test]
        fn every_job_once_balanced_and_always_the_same(
            costs in prop::collection::vec(0.0f64..1000.0, 0..200),
            shares in 1usize..40,
        ) {
            let found = balance(&costs, shares);
            prop_assert_eq!(found.len(), shares);
            let mut all: Vec<usize> = found.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..costs.len()).collect::<Vec<_>>());
            prop_assert_eq!(&found, &balance(&costs, shares));
            // The last job of the largest share went where no share held less.
            let mean = costs.iter().sum::<f64>() / shares as f64;
            let longest = costs.iter().copied().fold(0.0, f64::max);
            prop_assert!(largest(&costs, &found) <= mean + longest * (1.0 - 1.0 / shares as f64) + 1e-9);
        }

        #[test]
        fn the_largest_share_is_within_graham_s_bound_of_the_best(
            costs in prop::collection::vec(1.0f64..10.0, 1..9),
            shares in 1usize..4,
        ) {
            let best = optimum(&costs, &mut vec![0.0; shares]);
            let bound = 4.0 / 3.0 - 1.0 / (3.0 * shares as f64);
            prop_assert!(largest(&costs, &balance(&costs, shares)) <= best * bound + 1e-9);
        }
    }

    #[test]
    fn graham_s_worst_case_meets_its_bound() {
        // 2m − 1, 2m − 1, …, m + 1, m + 1, m, m, m on m shares: 4m − 1 against the optimum of 3m.
        let costs = [5.0, 5.0, 4.0, 4.0, 3.0, 3.0, 3.0];
        assert_eq!(largest(&costs, &balance(&costs, 3)), 11.0);
        assert_eq!(optimum(&costs, &mut [0.0; 3]), 9.0);
    }

    #[test]
    fn shares_are_written_as_three_of_forty() {
        assert_eq!("3/40".parse(), Ok(Share { number: 3, of: 40 }));
        for wrong in ["0/4", "5/4", "4", "a/b", "-1/4", "1/0"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_comes_back_and_a_cut_one_is_refused() {
        let shares = Shares {
            experiment: digest(b"e"),
            cells: vec![vec![CellKey::of("a"), CellKey::of("b")], vec![CellKey::of("c")]],
            seconds: vec![2.5, 1.25],
        };
        let text = shares.to_text().unwrap();
        assert_eq!(Shares::from_text(&text), Ok(shares));
        for kept in 0..text.len() {
            assert!(Shares::from_text(&text[..kept]).unwrap_err().contains("not a file of shares"));
        }
    }
}
