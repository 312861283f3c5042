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
    let found = step_effects(&who(1), &tasks, 1);
    assert_eq!(found.len(), 3 * 2, "two families and all, by two measures");
    let alone = effect_of(&found, Some("g"), "mad");
    assert_eq!((alone.pairs, alone.change, alone.interval), (1, -1.0, None));
    assert_eq!((alone.tasks, alone.tasks_better, alone.tasks_worse), (1, 1, 0));
    let still = effect_of(&found, Some("g"), "mse");
    assert_eq!((still.change, still.tasks_better, still.tasks_worse), (0.0, 0, 0));
    // Two variants on one task: they are drawn, so that either may come twice.
    let both = effect_of(&found, None, "mad");
    assert_eq!((both.pairs, both.change, both.tasks_better, both.tasks_worse), (2, 1.0, 0, 1));
    assert_eq!(both.interval, Some((-1.0, 3.0)));
}

/// Three tasks of two variants each: three draws, not six.
#[test]
fn tasks_are_drawn_whole() {
    let task = |change: f64| scores(&[[5.0, 7.0], [5.0, 7.0], [5.0 + change, 7.0], [5.0 + change, 7.0]]);
    let tasks: Vec<TaskScores> = (0..3).map(|t| task([1.0, 2.0, 9.0][t])).collect();
    let found = step_effects(&who(3), &tasks, 1);
    let all = effect_of(&found, None, "mad");
    assert_eq!((all.pairs, all.tasks, all.change), (6, 3, 2.0));
    // A median of 9 needs two of three draws to be the third task: 7 in 27 cases; and so for 1.
    assert_eq!(all.interval, Some((1.0, 9.0)));
    assert_eq!(step_effects(&who(3), &tasks, 1), found);
    // Without a step there is nothing to say.
    assert_eq!(step_effects(&names(3, &["a", "b", "c", "d"]), &tasks, 1), []);
}

/// Either variant of a task gains 0 or 10. A task drawn whole brings both, so that the middle is 5 on every draw; drawn one by one they
/// would give anything from 0 to 10.
#[test]
fn variants_of_a_task_come_together() {
    let task = || scores(&[[5.0, 7.0], [5.0, 7.0], [5.0, 7.0], [15.0, 7.0]]);
    let found = step_effects(&who(2), &[task(), task()], 1);
    assert_eq!(effect_of(&found, None, "mad").interval, Some((5.0, 5.0)));
}
