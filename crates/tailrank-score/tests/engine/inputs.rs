//! `[target] inputs`: other series, volume and moving averages beside a series' own returns.

use std::fmt::Write as _;

use tailrank_data::Dataset;

use crate::lab::Lab;

fn lab() -> Lab {
    let lab = Lab::new();
    for (name, pace) in [("p", 1.1), ("q", 0.7)] {
        let mut prices = "Date,Close,Volume\n".to_owned();
        for i in 0..200 {
            let day = format!("2001-{:02}-{:02}", i / 25 + 1, i % 25 + 1);
            let _ = writeln!(prices, "{day},{},{}", 100.0 + 20.0 * (i as f64 * pace).sin(), 1000 + i);
        }
        lab.write(&format!("{name}.csv"), &prices);
    }
    lab
}

fn text(inputs: &str) -> String {
    format!(
        "name = \"i\"\n[data]\nseries = [\"p.csv\"]\n[target]\nlags = 3\nhorizons = [1, 2]\ninputs = [{inputs}]\n\
         [split]\nkind = \"fraction\"\ntrain = 0.5\n[relevance]\nlow = -0.1\nhigh = 0.1\n\
         [measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.05\n[[models]]\nfamily = \"debug\"\n"
    )
}

fn names(lab: &Lab, inputs: &str) -> Vec<String> {
    let plan = lab.plan(&text(inputs));
    match &*plan.tasks[1].data {
        Dataset::Series(embedding) => embedding.input_names()[3..].to_vec(),
        _ => panic!("a series"),
    }
}

#[test]
fn every_kind_of_input_is_embedded() {
    let lab = lab();
    assert_eq!(names(&lab, ""), Vec::<String>::new());
    let all = "{ kind = \"returns\", series = \"q.csv\", horizon = 1, lags = 2 }, { kind = \"volume\", lags = 1 }, \
               { kind = \"average\", window = 5 }";
    assert_eq!(names(&lab, all), ["q_R1(t)", "q_R1(t-1)", "dV(t)", "MA5(t)"]);
    assert_eq!(
        names(&lab, "{ kind = \"returns\", series = \"q.csv\" }"),
        ["q_R2(t)", "q_R2(t-1)", "q_R2(t-2)"],
        "horizon and lags are the task's own unless given"
    );
}

#[test]
fn inputs_change_the_cells() {
    let lab = lab();
    let (plain, with) = (lab.plan(&text("")), lab.plan(&text("{ kind = \"average\", window = 2 }")));
    assert!(plain.cells.iter().zip(&with.cells).all(|(a, b)| a.key != b.key));
}

#[test]
fn a_series_own_returns_are_not_repeated() {
    let lab = lab();
    let plan = lab.plan(&text("{ kind = \"returns\", series = \"p\", horizon = 2 }"));
    let cols = |t: usize| plan.tasks[t].data.inputs(plan.tasks[t].splits[0].train.iter());
    assert_eq!((cols(0), cols(1)), (6, 3));
    assert!(plan.warnings.iter().any(|w| w.contains("p 2d: input 1 is left out")), "{:?}", plan.warnings);
}

#[test]
fn what_is_wrong_with_an_input_is_named() {
    let lab = lab();
    for (inputs, said) in [
        ("{ kind = \"returns\", series = \"IMB\" }", "target.inputs.1"),
        ("{ kind = \"volume\", lags = 0 }", "lags"),
        ("{ kind = \"average\", windwo = 3 }", "target.inputs.1.windwo: unknown key; did you mean 'window'?"),
        ("{ kind = \"median\" }", "median"),
        ("{ kind = \"average\", window = 500 }", "p"),
    ] {
        let error = lab.try_plan(&text(inputs)).err().unwrap().to_string();
        assert!(error.contains(said), "{inputs}: {error}");
    }
    let silent = lab.try_plan(&text("{ kind = \"volume\", lags = 1 }").replace("p.csv", "KO"));
    let error = silent.err().unwrap().to_string();
    assert!(error.contains("KO has no volume column"), "{error}");
}

#[test]
fn a_file_may_be_as_large_as_the_experiment_says() {
    let lab = lab();
    let small = text("").replace("[data]\n", "[data]\nmax_bytes = 100\n");
    let error = lab.try_plan(&small).err().unwrap().to_string();
    assert!(error.contains("is larger than 100 bytes") && error.contains("data.max_bytes"), "{error}");
}
