//! Tasks that share rows or dates do not count as several when effects over tasks are judged.

use indexmap::IndexSet;

use super::TaskScores;
use crate::plan::Task;

/// A number for each task: the same for tasks that name one cluster, for tasks of one source and for tasks
/// whose test periods overlap, and for all that are joined by such pairs. Two tasks that name different
/// clusters are not a pair.
pub(super) fn clusters<'a>(tasks: impl IntoIterator<Item = &'a Task>) -> Vec<usize> {
    let tasks: Vec<&Task> = tasks.into_iter().collect();
    let days: Vec<_> = tasks.iter().map(|t| t.test_days()).collect();
    joined(tasks.len(), |a, b| {
        if let (Some(a), Some(b)) = (&tasks[a].cluster, &tasks[b].cluster) {
            return a == b;
        }
        let share_days = days[a].zip(days[b]).is_some_and(|(a, b)| a.0 <= b.1 && b.0 <= a.1);
        share_days || tasks[a].source == tasks[b].source
    })
}

/// Numbers 0 … n − 1 with the smallest number that each is joined to, over any chain of pairs.
fn joined(n: usize, is_pair: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut first: Vec<usize> = (0..n).collect();
    for b in 0..n {
        for a in 0..b {
            if first[a] != first[b] && is_pair(a, b) {
                let (from, to) = (first[a].max(first[b]), first[a].min(first[b]));
                first.iter_mut().filter(|f| **f == from).for_each(|f| *f = to);
            }
        }
    }
    first
}

/// Which tasks count together.
pub(super) struct Clusters {
    /// The cluster of each task, from 0 in order of appearance.
    pub(super) of_task: Vec<usize>,
    pub(super) count: usize,
}

impl Clusters {
    pub(super) fn of(tasks: &[TaskScores]) -> Self {
        Self::new(&tasks.iter().map(|task| task.cluster).collect::<Vec<_>>())
    }

    /// By the number of each task's cluster; a task without one stands alone.
    fn new(numbers: &[Option<usize>]) -> Self {
        let mut found = IndexSet::new();
        let place = |(task, number): (usize, &Option<usize>)| found.insert_full(number.ok_or(task)).0;
        let of_task = numbers.iter().enumerate().map(place).collect();
        Self { of_task, count: found.len() }
    }

    /// The values of each cluster that has any, task after task.
    pub(super) fn values<'a>(&self, of_tasks: impl IntoIterator<Item = (usize, &'a [f64])>) -> Vec<Vec<f64>> {
        let mut all = vec![Vec::new(); self.count];
        for (task, values) in of_tasks {
            all[self.of_task[task]].extend_from_slice(values);
        }
        all.retain(|values| !values.is_empty());
        all
    }

    /// The mean of each cluster that has a value.
    pub(super) fn means(&self, values: &[(usize, f64)]) -> Vec<f64> {
        let of_tasks = values.iter().map(|(task, value)| (*task, std::slice::from_ref(value)));
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        self.values(of_tasks).into_iter().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_pairs_are_one_cluster() {
        // 0 and 3 share nothing, but both share something with 4.
        let pairs = [(0, 4), (3, 4), (1, 5)];
        assert_eq!(joined(6, |a, b| pairs.contains(&(a, b))), [0, 1, 2, 0, 0, 1]);
    }

    #[test]
    fn tasks_without_a_cluster_stand_alone() {
        let values = [[1.0], [2.0], [3.0], [4.0]];
        let tasks = values.iter().enumerate().map(|(t, v)| (t, &v[..]));
        let clusters = Clusters::new(&[Some(3), None, Some(3), None]);
        assert_eq!(clusters.values(tasks), [vec![1.0, 3.0], vec![2.0], vec![4.0]]);
    }
}
