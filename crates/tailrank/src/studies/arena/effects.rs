//! What a learning step changes, in gains over the best baseline, so that tasks of different units can be put
//! together.

use std::collections::BTreeMap;

use tailrank_score::score::{EntryKind, Standing, Standings, StepEffect};

use crate::studies::prelude::*;

/// The effect of every step by every score: the median family, task by task.
pub(super) fn effects(standings: &Standings, clusters: &[usize], measures: &[Measure]) -> Vec<StepEffect> {
    let mut found = Vec::new();
    for &measure in measures {
        let rows =
            || standings.rows.iter().filter(move |r| r.measure == measure && r.kind == EntryKind::Recipe);
        let plain: BTreeMap<&str, &Standing> =
            rows().filter(|r| !r.entry.contains(" · ")).map(|r| (r.entry.as_str(), r)).collect();
        let mut steps: BTreeMap<&str, Vec<(&Standing, &Standing)>> = BTreeMap::new();
        for row in rows() {
            if let Some((family, step)) = row.entry.split_once(" · ")
                && let Some(without) = plain.get(family)
            {
                steps.entry(step).or_default().push((row, without));
            }
        }
        for (step, pairs) in steps {
            let change = |t: usize| {
                let of = |(with, without): &(&Standing, &Standing)| {
                    Some((*with.gains.get(t)?)? - (*without.gains.get(t)?)?)
                };
                median(&pairs.iter().filter_map(of).collect::<Vec<f64>>())
            };
            let changes: Vec<(usize, f64)> =
                clusters.iter().enumerate().filter_map(|(t, &c)| Some((c, change(t)?))).collect();
            let means = by_cluster(&changes);
            let Some(middle) = median(&means) else { continue };
            found.push(StepEffect {
                family: None,
                step: step.to_owned(),
                measure,
                pairs: pairs.len(),
                change: middle,
                interval: median_interval(&means),
                clusters: means.len(),
                tasks: changes.len(),
                tasks_better: changes.iter().filter(|(_, c)| *c > 0.0).count(),
                tasks_worse: changes.iter().filter(|(_, c)| *c < 0.0).count(),
            });
        }
    }
    found
}

/// The mean of each cluster, in the order of the clusters.
pub(super) fn by_cluster(values: &[(usize, f64)]) -> Vec<f64> {
    let mut all = BTreeMap::<usize, Vec<f64>>::new();
    values.iter().for_each(|&(cluster, value)| all.entry(cluster).or_default().push(value));
    all.values().map(|v| mean(v)).collect()
}

pub(super) fn table(effects: &[StepEffect]) -> Table {
    let rows = effects.iter().map(|e| effect_row(e, e.measure.info().symbol));
    words::table("arena/effects").with_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailrank_score::score::Estimate;

    fn row(entry: &str, gains: &[f64]) -> Standing {
        let none = Estimate { value: 0.0, interval: None };
        Standing {
            measure: Measure::Mad,
            entry: entry.to_owned(),
            kind: EntryKind::Recipe,
            tasks: gains.len(),
            missing: 0,
            skill: None,
            grid_skill: None,
            win_rate: none,
            average_rank: none,
            rating: None,
            p_baseline: None,
            p_adjusted: None,
            tied: false,
            gains: gains.iter().map(|g| Some(*g)).collect(),
            ranks: Vec::new(),
        }
    }

    /// Of two families one gains 1 and 3 by the step, the other 3 and −1: the medians of the tasks are 2 and
    /// 1.
    #[test]
    fn the_median_family_speaks_for_a_task() {
        let rows = vec![
            row("f", &[0.0, 0.0]),
            row("f · s", &[1.0, 3.0]),
            row("g", &[1.0, 1.0]),
            row("g · s", &[4.0, 0.0]),
        ];
        let standings = Standings { rows, clusters: 2, start: None };
        let found = effects(&standings, &[0, 1], &[Measure::Mad]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].change, found[0].interval, found[0].tasks_better, found[0].tasks_worse),
            (1.5, None, 2, 0)
        );
        // Two tasks of one cluster are one.
        assert_eq!(effects(&standings, &[0, 0], &[Measure::Mad])[0].change, 1.5);
    }
}
