//! A change refits exactly the cells it touches.

use std::{collections::BTreeSet, fmt::Write as _, sync::Arc};

use tailrank_experiment::{
    families::DebugFamily,
    plan::{Plan, cells},
};
use tailrank_models::{Cost, Family, Fit, Job, ParamSpec, Params, Shape};

use crate::lab::{FRAME, Lab, SIX, Unsynced, part, snapshot, stored, table, whole};

/// Runs `changed` in the folder where `plan` was run; returns task and variant of what was fitted again.
fn refitted(lab: &Lab, plan: &Arc<Plan>, changed: &Arc<Plan>) -> BTreeSet<(usize, usize)> {
    let root = lab.path("run");
    whole(plan, &root, &Unsynced, 2).unwrap();
    let before = stored(&root);
    let (summary, _) = whole(changed, &root, &Unsynced, 2).unwrap();
    let after = stored(&root);
    assert!(before.iter().all(|(cell, n)| after[cell] == *n), "an untouched cell was fitted again");
    let new: BTreeSet<(usize, usize)> = changed
        .cells
        .iter()
        .filter(|c| !before.contains_key(c.key.as_str()))
        .map(|c| (c.task, c.variants[0]))
        .collect();
    assert_eq!(summary.fitted, new.len());
    assert_eq!(after.len(), before.len() + new.len());
    new
}

fn all(tasks: std::ops::Range<usize>, variants: std::ops::Range<usize>) -> BTreeSet<(usize, usize)> {
    tasks.flat_map(|t| variants.clone().map(move |v| (t, v))).collect()
}

#[test]
fn nothing_changed_fits_nothing() {
    let lab = Lab::new();
    assert_eq!(refitted(&lab, &lab.six(), &lab.six()), BTreeSet::new());
}

#[test]
fn a_parameter_touches_its_variant_on_every_task() {
    let lab = Lab::new();
    let changed = lab.plan(&format!("{FRAME}{}", SIX.replace("[0, 1, 2]", "[0, 9, 2]")));
    assert_eq!(refitted(&lab, &lab.six(), &changed), all(0..2, 1..2));
}

#[test]
fn a_byte_of_data_touches_its_task() {
    let lab = Lab::new();
    let plan = lab.six();
    let text = table(50, 1.9);
    // The digit behind the last point: a later one may be beyond the precision of f64.
    let place = text.rfind('.').unwrap() + 1;
    let mut bytes = text.into_bytes();
    bytes[place] = if bytes[place] == b'5' { b'6' } else { b'5' };
    lab.write("b.csv", &String::from_utf8(bytes).unwrap());
    assert_eq!(refitted(&lab, &plan, &lab.six()), all(1..2, 0..3));
}

#[test]
fn a_split_touches_its_task() {
    let lab = Lab::new();
    let changed = lab.plan(&format!("{FRAME}{SIX}\n[tasks.a.split]\nkind = \"fraction\"\ntrain = 0.6\n"));
    assert_eq!(refitted(&lab, &lab.six(), &changed), all(0..1, 0..3));
}

#[test]
fn a_seed_touches_everything() {
    let lab = Lab::new();
    let changed = lab.plan(&format!("{}{SIX}", FRAME.replace("seed = 7", "seed = 8")));
    assert_eq!(refitted(&lab, &lab.six(), &changed), all(0..2, 0..3));
}

#[test]
fn names_measures_and_relevance_touch_nothing() {
    let lab = Lab::new();
    let frame = FRAME.replace("low = -1.5", "low = -1.0").replace("\"mse\", ", "");
    let changed = lab.plan(&format!("{frame}{}", SIX.replace("name = \"a\"", "name = \"other\"")));
    assert_eq!(refitted(&lab, &lab.six(), &changed), BTreeSet::new());
}

#[test]
fn a_split_date_touches_its_series() {
    let lab = Lab::new();
    let mut prices = "Date,Close\n".to_owned();
    for i in 0..200 {
        let (month, day) = (i / 25 + 1, i % 25 + 1);
        let _ = writeln!(prices, "2001-{month:02}-{day:02},{}", 100.0 + 20.0 * (i as f64 * 1.1).sin());
    }
    lab.write("p.csv", &prices);
    lab.write("q.csv", &prices.replace("100", "99"));
    let text = |at: &str| {
        format!(
            r#"
name = "dates"
inference = {{ enabled = false }}
[data]
series = [{{ name = "p", file = "p.csv" }}, {{ name = "q", file = "q.csv" }}]
[target]
lags = 3
[split]
kind = "date"
at = "2001-05-01"
[tasks.q.split]
kind = "date"
at = "{at}"
[relevance]
low = -0.1
high = 0.1
[measures]
list = ["mad", "f"]
t_l = 0.05
[[models]]
family = "debug"
grid = {{ id = [0, 1] }}
"#
        )
    };
    let (plan, changed) = (lab.plan(&text("2001-05-01")), lab.plan(&text("2001-05-02")));
    assert_eq!(refitted(&lab, &plan, &changed), all(1..2, 0..2));
}

/// The debug family, one version later.
struct Newer;

impl Family for Newer {
    fn name(&self) -> &'static str {
        DebugFamily.name()
    }
    fn version(&self) -> u32 {
        DebugFamily.version() + 1
    }
    fn summary(&self) -> &'static str {
        DebugFamily.summary()
    }
    fn parameters(&self) -> &'static [ParamSpec] {
        DebugFamily.parameters()
    }
    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        DebugFamily.estimate(shape, variants)
    }
    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<tailrank_models::Result<Fit>> {
        DebugFamily.fit_grid(job, variants)
    }
}

#[test]
fn a_family_version_touches_its_variants() {
    let lab = Lab::new();
    let text = format!("{FRAME}{SIX}[[models]]\nfamily = \"linear\"\n");
    let plan = lab.plan(&text);
    let mut changed = lab.try_plan(&text).unwrap();
    let newer: Arc<dyn Family> = Arc::new(Newer);
    for variant in changed.variants.iter_mut().filter(|v| v.group == "debug") {
        variant.family = Arc::clone(&newer);
    }
    changed.cells = cells(&changed.experiment, &changed.tasks, &changed.variants);
    assert_eq!(refitted(&lab, &plan, &Arc::new(changed)), all(0..2, 0..3));
}

#[cfg(unix)]
#[test]
fn an_edited_program_touches_its_variants() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    let write = |name: &str, value: &str| {
        // Called as: program, or sh with the script; then out and test files.
        let text = format!(
            "#!/bin/sh\n(echo prediction; tail -n +2 \"$2\" | while read -r line; do echo {value}; done) > \"$1\"\n"
        );
        lab.write(name, &text);
        std::fs::set_permissions(lab.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("direct.sh", "1");
    write("script.sh", "2");
    let text = format!(
        "{FRAME}{SIX}[[models]]\nfamily = \"command\"\nlabel = \"direct\"\ncommand = [\"./direct.sh\", \"{{out}}\", \"{{test}}\"]\n\
         [[models]]\nfamily = \"command\"\nlabel = \"script\"\ncommand = [\"sh\", \"script.sh\", \"{{out}}\", \"{{test}}\"]\n"
    );
    let first = lab.plan(&text);
    whole(&first, &lab.path("run"), &Unsynced, 2).unwrap();
    write("direct.sh", "3");
    assert_eq!(refitted(&lab, &first, &lab.plan(&text)), all(0..2, 3..4), "a program given with its path");
    let second = lab.plan(&text);
    whole(&second, &lab.path("run"), &Unsynced, 2).unwrap();
    write("script.sh", "4");
    let third = lab.plan(&text);
    assert_eq!(refitted(&lab, &second, &third), all(0..2, 4..5), "an argument that names a file");
    // What is gone is known from the run.
    std::fs::remove_file(lab.path("script.sh")).unwrap();
    let read = Plan::of_run(
        &text,
        std::path::Path::new("lab.toml"),
        &lab.path(""),
        &tailrank_data::Library::default(),
        &third.program_files(),
    )
    .unwrap();
    assert!(read.cells.iter().map(|c| &c.key).eq(third.cells.iter().map(|c| &c.key)));
}

/// An interrupted run after a change of the data: what the folder shows is what the run is, or nothing.
#[test]
fn changed_data_leaves_no_table_or_page_of_the_old() {
    let lab = Lab::new();
    let root = lab.path("run");
    let plan = lab.six();
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let page = root.join("report");
    let show = || {
        crate::lab::write_page(&root);
    };
    show();
    whole(&plan, &root, &Unsynced, 1).unwrap();
    assert!(page.exists(), "nothing changed");
    lab.write("b.csv", &table(50, 1.7));
    let changed = lab.six();
    part(&changed, &root, vec![0, 1, 2]).unwrap();
    let tables = || std::fs::read_dir(root.join("results")).map_or(0, Iterator::count);
    assert_eq!((tables(), page.exists()), (0, false), "before the first fit");
    // All cells of the old data are there: nothing is fitted, and still the tables of the new ones go.
    whole(&changed, &root, &Unsynced, 1).unwrap();
    show();
    assert!(tables() > 0);
    part(&plan, &root, (0..6).collect()).unwrap();
    assert_eq!((tables(), page.exists()), (0, false));
}

#[test]
fn another_experiment_does_not_take_a_run_over() {
    let lab = Lab::new();
    let root = lab.path("run");
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    let before = snapshot(&root);
    let other = lab.plan(&format!("{}{SIX}", FRAME.replace("name = \"lab\"", "name = \"other\"")));
    let refused = whole(&other, &root, &Unsynced, 1).err().unwrap().to_string();
    assert!(refused.contains("'lab', not of 'other'") && refused.contains("--out"), "{refused}");
    assert!(snapshot(&root) == before);
}

#[test]
fn a_changed_experiment_leaves_no_table_of_the_old_one() {
    let lab = Lab::new();
    let root = lab.path("run");
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    assert!(root.join("results/friedman.csv").exists());
    let one = SIX.replace(", { name = \"b\", file = \"b.csv\", target = \"y\" }", "");
    whole(&lab.plan(&format!("{FRAME}{one}")), &root, &Unsynced, 1).unwrap();
    assert!(!root.join("results/friedman.csv").exists(), "one task has no Friedman test");
    assert!(root.join("results/scores.csv").exists());
}

/// Data that is added later changes no window before it: neither its key nor its seed.
#[test]
fn rows_that_are_appended_touch_new_windows_only() {
    let lab = Lab::new();
    let prices = |days: usize| {
        let mut csv = "Date,Close\n".to_owned();
        for i in 0..days {
            let day = format!("{}-{:02}-{:02}", 2000 + i / 336, i / 28 % 12 + 1, i % 28 + 1);
            let _ = writeln!(csv, "{day},{}", 100.0 + 20.0 * (i as f64 * 1.1).sin());
        }
        csv
    };
    // A window that grows by ten rows, over prices and over a table with a column of words.
    let words = |rows: usize| {
        let mut csv = "x,word,y\n".to_owned();
        for i in 0..rows {
            let _ = writeln!(
                csv,
                "{},{},{}",
                (i as f64 * 0.7).cos(),
                ["a", "b", "c"][i % 3],
                3.0 * (i as f64 * 1.3).sin()
            );
        }
        csv
    };
    let text = "name = \"lab\"\nseed = 7\ninference = { enabled = false }\n[data]\nseries = [{ name = \"p\", file = \"p.csv\" }]\n\
                tables = [{ name = \"w\", file = \"w.csv\", target = \"y\" }]\n[target]\nlags = 3\n\
                [split]\nkind = \"growing\"\nwindow = 60\nstep = 10\n[relevance]\nlow = -0.1\nhigh = 0.1\n\
                [measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.05\n[[models]]\nfamily = \"forest\"\ngrid = { trees = 2 }\n";
    let plan_of = |rows: usize| {
        lab.write("p.csv", &prices(rows + 4));
        lab.write("w.csv", &words(rows));
        lab.plan(text)
    };
    let (before, after) = (plan_of(100), plan_of(130));
    assert_eq!((before.cells.len(), after.cells.len()), (2 * 4, 2 * 7));
    let same = |cell: &&tailrank_experiment::plan::Cell| {
        after.cells.iter().any(|c| c.task == cell.task && c.key == cell.key && c.seed == cell.seed)
    };
    assert_eq!(before.cells.iter().filter(same).count(), before.cells.len());
    lab.write("p.csv", &prices(104));
    lab.write("w.csv", &words(100));
    let root = lab.path("run");
    whole(&before, &root, &Unsynced, 2).unwrap();
    let (summary, _) = whole(&after, &root, &Unsynced, 2).unwrap();
    assert_eq!((summary.reused, summary.fitted), (8, 6));
}
