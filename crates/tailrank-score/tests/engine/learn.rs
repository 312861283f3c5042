//! Recipes: keys, what is fitted again when the relevance changes, and the same bytes however they are run.

use std::{collections::BTreeSet, path::Path};

use rand::{RngExt, SeedableRng, rngs::SmallRng};
use tailrank_data::Library;
use tailrank_experiment::{config::Change, plan::Plan};

use crate::lab::{FRAME, Lab, Unsynced, cell_files, outputs, part, stored, whole};

const DATA: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }, { name = "b", file = "b.csv", target = "y" }]
"#;

const LEARN: &str = r#"["plain", "weights", "dense", { resample = "smote", k = 3 }, { resample = "over" }, "bag",
                       { stretch = "f" }, { calibrate = true }, ["under", "stretch"]]"#;

fn text(relevance: &str, learn: &str) -> String {
    let frame = FRAME.replace("low = -1.5\nhigh = 1.5", relevance);
    format!(
        "{frame}{DATA}[[models]]\nfamily = \"linear\"\nlearn = {learn}\n[[models]]\nfamily = \"forest\"\n\
         grid = {{ trees = [3, 6] }}\nlearn = {learn}\n"
    )
}

const RARE: &str = "low = -2.7\nhigh = 2.7";

fn keys(plan: &Plan, wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let of = plan.cells.iter().filter(|c| wanted(&c.recipe.to_string()));
    of.map(|c| c.key.as_str().to_owned()).collect()
}

/// A file that names no recipe has the keys of one that names the plain family: stored runs stay valid.
#[test]
fn plain_cells_keep_their_keys() {
    let lab = Lab::new();
    let mut csv = "x,y\n".to_owned();
    (0..24).for_each(|i: i32| csv.push_str(&format!("{i},{}\n", (i * 7) % 11 - 5)));
    lab.write("k.csv", &csv);
    let text = r#"
name = "keys"
seed = 7
inference = { enabled = false }
data = { tables = [{ name = "k", file = "k.csv", target = "y" }] }
split = { kind = "fraction", train = 0.5 }
relevance = { low = -3.5, high = 3.5 }
measures = { list = ["mad", "f"], t_l = 0.8 }
[[models]]
family = "linear"
[[models]]
family = "debug"
grid = { id = [1, 2] }
"#;
    let plan = lab.plan(text);
    let expected: Vec<&str> = plan.cells.iter().map(|c| c.key.as_str()).collect();
    assert_eq!(plan.variants.iter().map(|v| &v.label).collect::<Vec<_>>(), ["linear", "debug 1", "debug 2"]);
    let learn = "\nlearn = [\"plain\", \"over\", { resample = \"over\", share = 2.0 }]\n[[models]]\nfamily = \"debug\"";
    let more = lab.plan(&text.replace("\n[[models]]\nfamily = \"debug\"", learn));
    let all: BTreeSet<&str> = more.cells.iter().map(|c| c.key.as_str()).collect();
    assert_eq!(all.len(), 5, "two recipes more, each with a key of its own");
    assert!(expected.iter().all(|key| all.contains(*key)));
}

#[test]
fn a_changed_relevance_fits_only_what_was_taught_by_it_again() {
    let lab = Lab::new();
    let root = lab.path("run");
    let plan = lab.plan(&text(RARE, LEARN));
    assert_eq!(plan.cells.len(), 2 * 2 * 9);
    let (first, results) = whole(&plan, &root, &Unsynced, 2).unwrap();
    assert_eq!(
        (first.fitted, results.failures().collect::<Vec<_>>().len()),
        (36, 0),
        "{:?}",
        results.failures().next()
    );

    // Plain, dense and calibrate know no relevance.
    let other = lab.plan(&text("low = -2.6\nhigh = 2.7", LEARN));
    let free = |recipe: &str| ["plain", "dense weights", "calibrate"].contains(&recipe);
    assert_eq!(keys(&plan, free), keys(&other, free));
    assert!(keys(&plan, |r| !free(r)).is_disjoint(&keys(&other, |r| !free(r))));
    let (second, _) = whole(&other, &root, &Unsynced, 2).unwrap();
    assert_eq!((second.fitted, second.reused), (2 * 2 * 6, 2 * 2 * 3));

    // Which values are events is asked by measures, and by what is stretched for one.
    let events = lab.plan(&text(&format!("{RARE}\nevent_threshold = 0.7"), LEARN));
    let stretched = |recipe: &str| recipe.contains("stretch");
    assert_eq!(keys(&plan, |r| !stretched(r)), keys(&events, |r| !stretched(r)));
    assert!(keys(&plan, stretched).is_disjoint(&keys(&events, stretched)));
    let again = lab.plan(&text(RARE, LEARN).replace("t_l = 0.8", "t_l = 0.7"));
    assert_eq!(keys(&plan, |r| !stretched(r)), keys(&again, |r| !stretched(r)));
    assert!(keys(&plan, stretched).is_disjoint(&keys(&again, stretched)));
}

#[test]
fn rescoring_says_which_variants_keep_their_relevance() {
    let lab = Lab::new();
    let plan = lab.plan(&text(RARE, "[\"plain\", \"dense\", \"over\", \"stretch\"]"));
    let warned = |change: &str| {
        let rescored = plan.rescored(&[Change::parse(change).unwrap()]).unwrap();
        assert_eq!(keys(&rescored, |_| true), keys(&plan, |_| true));
        rescored.warnings.iter().find(|w| w.contains("trained with")).cloned().unwrap_or_default()
    };
    let low = warned("relevance.low=-2.5");
    assert!(
        low.contains("linear · over, linear · stretch f, forest 3 · over") && low.contains(" and 1 more"),
        "{low}"
    );
    assert!(!low.contains("dense"), "{low}");
    let events = warned("relevance.event_threshold=0.6");
    assert!(events.contains("stretch f") && !events.contains("over"), "{events}");
    assert_eq!(warned("compare.top=3"), "");
}

#[test]
fn one_two_and_seven_jobs_give_the_same_bytes() {
    let lab = Lab::new();
    let plan = lab.plan(&text(RARE, LEARN));
    let found = [1, 2, 7].map(|jobs| {
        let root = lab.path(&format!("jobs{jobs}"));
        whole(&plan, &root, &Unsynced, jobs).unwrap();
        outputs(&root)
    });
    assert!(found[0] == found[1] && found[0] == found[2]);
    assert!(found[0].contains_key(Path::new("steps.csv")));
}

#[test]
fn an_interrupted_run_goes_on_with_the_recipes_that_are_left() {
    let lab = Lab::new();
    let plan = lab.plan(&text(RARE, LEARN));
    let (parts, at_once) = (lab.path("parts"), lab.path("once"));
    part(&plan, &parts, (0..plan.cells.len()).step_by(3).collect()).unwrap();
    let (summary, _) = whole(&plan, &parts, &Unsynced, 2).unwrap();
    assert_eq!((summary.reused, summary.fitted), (12, 24));
    whole(&plan, &at_once, &Unsynced, 1).unwrap();
    assert!(cell_files(&parts) == cell_files(&at_once));
    assert!(stored(&parts).values().all(|&times| times == 1));
}

/// One bit of every cell's file is flipped, or its end is cut off: all of them are seen and fitted again.
#[test]
fn damaged_cells_of_recipes_are_found_and_mended() {
    let lab = Lab::new();
    let plan = lab.plan(&text(RARE, LEARN));
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 2).unwrap();
    let expected = outputs(&root);
    let mut random = SmallRng::seed_from_u64(11);
    for round in 0..4 {
        for (file, good) in cell_files(&root) {
            let mut bad = good.clone();
            if round == 0 {
                bad.truncate(random.random_range(0..good.len()));
            } else {
                bad[random.random_range(0..good.len())] ^= 1 << random.random_range(0..8);
            }
            std::fs::write(root.join("cells").join(file), bad).unwrap();
        }
        let (summary, _) = whole(&plan, &root, &Unsynced, 2).unwrap();
        assert_eq!((summary.damaged, summary.fitted, summary.reused), (36, 36, 0), "round {round}");
        assert!(outputs(&root) == expected, "round {round}: other results");
    }
}

/// Each step does something of its own, and the effects are those of the scores.
#[test]
fn effects_are_paired_with_the_plain_variant() {
    let lab = Lab::new();
    let plan = lab.plan(&text(RARE, LEARN));
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    // Three families (all of them together is one) × eight recipes × five measures.
    assert_eq!(results.steps.len(), 3 * 8 * 5);
    let mad = tailrank_metrics::Measure::Mad;
    let effect = results
        .steps
        .iter()
        .find(|e| e.family.as_deref() == Some("linear") && e.step == "weights" && e.measure == mad);
    let effect = effect.unwrap();
    let place = |label: &str| plan.variants.iter().position(|v| v.label == label).unwrap();
    let score = |task: usize, label: &str| {
        let v = tailrank_score::score::VariantId(place(label));
        results.scores[task].score(v, mad).unwrap().value().unwrap()
    };
    let differences = [0, 1].map(|t| score(t, "linear · weights") - score(t, "linear"));
    assert!(differences.iter().all(|d| *d != 0.0), "{differences:?}");
    assert_eq!(effect.change, (differences[0] + differences[1]) / 2.0);
    assert_eq!((effect.pairs, effect.tasks), (2, 2));
    assert_eq!(effect.tasks_better, differences.iter().filter(|d| **d < 0.0).count());
    assert_eq!(effect.tasks_worse, differences.iter().filter(|d| **d > 0.0).count());
    assert_eq!(effect.interval, None, "two tasks are too few for an interval");
}

#[test]
fn wrong_recipes_are_told_with_their_lines() {
    let lab = Lab::new();
    let learn = "[\n\"plain\",\n\"smot\",\n{ resample = \"smote\", pert = 1 },\n{ stretch = \"ff\" }]";
    let text = format!("{FRAME}{DATA}[[models]]\nfamily = \"linear\"\nlearn = {learn}\n");
    let error =
        Plan::from_text(&text, Path::new("l.toml"), &lab.path(""), &Library::default()).err().unwrap();
    let said = error.to_string();
    let line = |of: &str| text.lines().position(|l| l.contains(of)).unwrap() + 1;
    for (place, of, message) in [
        (2, "\"smot\"", "no step 'smot'; did you mean 'smote'?"),
        (3, "pert", "smote has no parameter 'pert'"),
        (4, "\"ff\"", "no measure is called `ff`"),
    ] {
        assert!(said.contains(&format!("line {}: models.1.learn.{place}: {message}", line(of))), "{said}");
    }
}
