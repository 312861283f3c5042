//! Effects of steps by hand.

use super::{
    super::tests::{measure, names, scores},
    *,
};

/// Plain variants a and b of two families, and each with smote; MAD first, then MSE.
fn who(tasks: usize) -> Names {
    let mut who = names(tasks, &["a", "b", "a smote", "b smote"]);
    for (name, group) in who.variants.iter_mut().zip(["g", "h", "g", "h"]) {
        name.group = group.to_owned();
    }
    who.variants[2..].iter_mut().for_each(|v| v.recipe = "smote".to_owned());
    who
}

fn effect_of<'a>(found: &'a [StepEffect], family: Option<&str>, id: &str) -> &'a StepEffect {
    let mut of = found.iter().filter(|e| e.family.as_deref() == family && e.measure == measure(id));
    let one = of.next().unwrap();
    assert!(of.next().is_none());
    one
}

#[test]
fn each_variant_is_held_against_itself() {
    // Of MAD the step takes 1 from a and adds 3 to b; of MSE nothing and 4.
    let tasks = [scores(&[[5.0, 7.0], [2.0, 1.0], [4.0, 7.0], [5.0, 5.0]])];
    let found = step_effects(&who(1), &tasks);
    assert_eq!(found.len(), 3 * 2, "two families and all, by two measures");
    let alone = effect_of(&found, Some("g"), "mad");
    assert_eq!((alone.pairs, alone.change, alone.interval), (1, -1.0, None));
    assert_eq!((alone.tasks, alone.tasks_better, alone.tasks_worse), (1, 1, 0));
    let still = effect_of(&found, Some("g"), "mse");
    assert_eq!((still.change, still.tasks_better, still.tasks_worse), (0.0, 0, 0));
    // However many variants there are, one task is one cluster.
    let both = effect_of(&found, None, "mad");
    assert_eq!((both.pairs, both.change, both.tasks_better, both.tasks_worse), (2, 1.0, 0, 1));
    assert_eq!((both.clusters, both.interval), (1, None));
}

fn task(change: f64) -> TaskScores {
    scores(&[[5.0, 7.0], [5.0, 7.0], [5.0 + change, 7.0], [5.0 + change, 7.0]])
}

/// Six tasks of two variants each are six clusters, whose range holds the median in 31 of 32 samples; five
/// have no interval.
#[test]
fn six_clusters_are_the_least() {
    let tasks: Vec<TaskScores> = [1.0, 2.0, 9.0, -1.0, 4.0, 3.0].map(task).to_vec();
    let found = step_effects(&who(6), &tasks);
    let all = effect_of(&found, None, "mad");
    assert_eq!((all.pairs, all.tasks, all.clusters, all.change), (12, 6, 6, 2.5));
    assert_eq!(all.interval, Some((-1.0, 9.0)));
    assert_eq!(effect_of(&step_effects(&who(5), &tasks[..5]), None, "mad").interval, None);
    // Without a step there is nothing to say.
    assert_eq!(step_effects(&names(6, &["a", "b", "c", "d"]), &tasks), []);
}

/// Twelve tasks of four stocks over the same years are one cluster, twelve of six unrelated sources are six.
#[test]
fn tasks_that_share_dates_are_one_cluster() {
    let of = |cluster: fn(usize) -> usize| {
        let tasks: Vec<TaskScores> =
            (0..12).map(|t| TaskScores { cluster: Some(cluster(t)), ..task(t as f64) }).collect();
        let found = step_effects(&who(12), &tasks);
        let all = effect_of(&found, None, "mad");
        (all.clusters, all.interval)
    };
    assert_eq!(of(|_| 0), (1, None));
    assert_eq!(of(|t| t / 2), (6, Some((0.5, 10.5))));
}
