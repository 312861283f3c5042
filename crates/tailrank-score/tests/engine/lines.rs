//! Everything wrong with an experiment file is told at once, each with its line.

use tailrank_experiment::EngineError;

use crate::lab::Lab;

#[test]
fn problems_of_every_section_have_their_lines() {
    let lab = Lab::new();
    let text = r#"name = " "
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }]
[split]
kind = "fraction"
train = 1.5
[relevance]
k = -1
points = [[0.0, 0.0],
  [0.0, 1.0]]
[measures]
list = ["mad", "f"]
[measures.utility]
p = 2.0
[measures.loss]
under = -1
[compare]
alpha = 7
pairs = [["mad", "sera"]]
[trading]
threshold = -1
[limits]
memory_mb = 0
[[models]]
family = "debug"
[[models]]
family = "svn"
[[models]]
family = "debug"
label = "d"
grid = { id = [], sleep = [1, 2] }
[tasks.a.split]
kind = "kfold"
folds = 1
"#;
    let Err(EngineError::Experiment { problems, .. }) = lab.try_plan(text) else {
        panic!("no problem found")
    };
    let found: Vec<String> = problems.iter().map(|p| format!("{} {}", p.line, p.key)).collect();
    let expected = [
        "1 name",
        "6 split.train",
        "31 models.3.grid.id",
        "10 relevance.points.2",
        "8 relevance.k",
        "11 measures",
        "14 measures.utility.p",
        "16 measures.loss.under",
        "21 trading.threshold",
        "19 compare.pairs.1",
        "18 compare.alpha",
        "23 limits.memory_mb",
        "34 tasks.a.split.folds",
        "27 models.2.family",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_grid_of_a_billion_variants_is_counted_not_expanded() {
    let lab = Lab::new();
    let list = format!("[{}]", (0..1000).map(|i| i.to_string()).collect::<Vec<_>>().join(","));
    let text = format!(
        "{}\n[data]\ntables = [{{ name = \"a\", file = \"a.csv\", target = \"y\" }}]\n[[models]]\nfamily = \"debug\"\n\
         grid = {{ id = {list}, sleep_ms = {list}, fault = {list} }}\n",
        crate::lab::FRAME
    );
    let refused = lab.try_plan(&text).err().unwrap().to_string();
    assert!(
        refused.contains("models.1.grid: its lists (1000 × 1000 × 1000) and variants make 1000000000"),
        "{refused}"
    );
}
