//! Reports of a run, under its own settings and others.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Stdio};

use serde_json::Value;

use crate::{BASELINES, Desk, desk_with, ends_with, experiment};

const MODELS: &str = "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"zero\" }]\n\
                      [[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"knn\"\ngrid = { k = [1, 3, 9] }\n";

fn desk() -> Desk {
    let desk = desk_with(MODELS);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk
}

fn json(desk: &Desk, arguments: &[&str]) -> Value {
    serde_json::from_str(&desk.stdout(&[&["report", "runs/try", "--json"], arguments].concat(), 0)).unwrap()
}

#[test]
fn a_run_ends_with_its_report() {
    let desk = desk_with(BASELINES);
    let shown = desk.stdout(&["run", "e.toml"], 0);
    assert!(shown.contains(" Report   runs/try/report/index.html"), "{shown}");
    assert!(desk.read("runs/try/report/index.html").contains("<html"));
    let summary: Value = serde_json::from_str(&desk.stdout(&["run", "e.toml", "--json"], 0)).unwrap();
    assert_eq!(summary["report"], "runs/try/report/index.html");
    let quiet: Value =
        serde_json::from_str(&desk.stdout(&["run", "e.toml", "--json", "--no-report"], 0)).unwrap();
    assert_eq!(quiet["report"], Value::Null);
}

/// Where `[events]` asks for episodes, page and papers show them along time, with the counts of
/// `episodes.csv`.
#[test]
fn episodes_are_shown_along_time() {
    let desk = Desk::new();
    desk.stdout(&["export", "data", "KO", "--out", "ko.csv"], 0);
    desk.stdout(&["init", "ko.csv", "--models", "linear,mars", "--out", "ko.toml"], 0);
    desk.stdout(&["run", "ko.toml"], 0);
    assert!(!desk.read("runs/ko/report/index.html").contains("episodes"));
    desk.write("ko.toml", desk.read("ko.toml") + "\n[events]\ngap = 5\nlead = 3\ncooldown = 5\n");
    desk.stdout(&["run", "ko.toml"], 0);
    let decisions = desk.read("runs/ko/results/decisions.csv");
    let head: Vec<&str> = decisions.lines().next().unwrap().split(',').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let deciding: Vec<&str> = decisions
        .lines()
        .map(|l| l.split(',').collect())
        .find(|r: &Vec<&str>| r[column("deciding")] == "yes")
        .unwrap();
    let model = deciding[column("model")];
    let episodes = desk.read("runs/ko/results/episodes.csv");
    let row: Vec<&str> =
        episodes.lines().map(|l| l.split(',').collect()).find(|r: &Vec<&str>| r[1] == model).unwrap();
    let drawn = desk.read("runs/ko/report/figures/1-ko-1d-episodes-and-alarms.svg");
    let (all, caught) = (row[2].parse::<usize>().unwrap(), row[3].parse::<usize>().unwrap());
    for said in [
        format!("caught ({caught})"),
        format!("missed ({})", all - caught),
        format!("catches {caught} of {all}"),
    ] {
        assert!(drawn.contains(&said), "{said}: {row:?}");
    }
    assert!(desk.read("runs/ko/report/index.html").contains("episodes-and-alarms.svg"));
}

/// The files of a report by name.
fn pages(folder: PathBuf) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn processes_that_report_at_once_leave_one_whole_report() {
    let desk = desk_with(BASELINES);
    for (command, folder) in [
        (&["run", "e.toml", "--quiet"][..], "runs/try/report"),
        (&["report", "runs/try", "--t-e", "0.8", "--out", "elsewhere", "--quiet"], "elsewhere"),
    ] {
        desk.stdout(command, 0);
        let expected = pages(desk.path(folder));
        let beside = || fs::read_dir(desk.path(folder).parent().unwrap()).unwrap().count();
        let entries = beside();
        for round in 0..4 {
            let spawn = |_| desk.tailrank(command).stdout(Stdio::null()).spawn().unwrap();
            let children: Vec<_> = (0..4).map(spawn).collect();
            for mut child in children {
                assert_eq!(child.wait().unwrap().code(), Some(0), "{folder}, round {round}");
            }
            assert!(pages(desk.path(folder)) == expected, "{folder}, round {round}");
            assert_eq!(beside(), entries, "{folder}, round {round}");
        }
    }
}

#[test]
fn a_report_says_what_the_run_said_and_fits_nothing() {
    let desk = desk();
    let scores = desk.read("runs/try/results/scores.csv");
    let events = desk.read("runs/try/log/events.jsonl");
    assert!(!desk.path("runs/try/report").exists(), "--no-report");
    let ran: Value =
        serde_json::from_str(&desk.stdout(&["run", "e.toml", "--json", "--no-report"], 0)).unwrap();
    let again = desk.read("runs/try/log/events.jsonl");
    let report = json(&desk, &[]);
    assert_eq!(report["decisions"], ran["decisions"]);
    assert_eq!(report["report"], "runs/try/report/index.html");
    assert_eq!((&report["missing_cells"], &report["changed"]), (&0.into(), &Value::Array(vec![])));
    assert!(desk.path("runs/try/report/index.html").exists());
    assert_eq!(desk.read("runs/try/results/scores.csv"), scores);
    assert!(again.len() > events.len() && desk.read("runs/try/log/events.jsonl") == again, "nothing was run");
}

/// Rescoring equals a run that had these settings from the start.
#[test]
fn changed_settings_give_what_a_run_with_them_gives() {
    let desk = desk();
    let before = desk.read("runs/try/results/scores.csv");
    let [t_e, t_l, low, high] = [["--t-e", "0.4"], ["--t-l", "0.7"], ["--low", "-1"], ["--high", "0.9"]];
    let options = [t_e, t_l, low, high, ["--beta", "2"], ["--set", "relevance.k=0.4"]].concat();
    let report = json(&desk, &[&options[..], &["--measures", "mad,f,utility", "--p", "0.7"]].concat());
    let text = desk
        .read("e.toml")
        .replace("low = -1.2", "low = -1.0\nk = 0.4\nevent_threshold = 0.4")
        .replace("high = 1.2", "high = 0.9")
        .replace(
            "[\"mad\", \"f\"]\nt_l = 0.5",
            "[\"mad\", \"f\", \"utility\"]\nbeta = 2.0\nt_l = 0.7\nutility = { p = 0.7 }",
        );
    desk.write("changed.toml", text);
    let fresh: Value = serde_json::from_str(
        &desk.stdout(&["run", "changed.toml", "--out", "fresh", "--json", "--no-report"], 0),
    )
    .unwrap();
    assert_eq!(report["decisions"], fresh["decisions"]);
    let tables = report["results"].as_str().unwrap();
    for table in ["scores.csv", "ranks.csv", "comparisons.csv", "regret.csv"] {
        assert_eq!(desk.read(&format!("{tables}/{table}")), desk.read(&format!("fresh/results/{table}")));
    }
    assert_eq!(desk.read("runs/try/results/scores.csv"), before, "the run's own results stay");
    let keys: Vec<&str> =
        report["changed"].as_array().unwrap().iter().map(|c| c["key"].as_str().unwrap()).collect();
    assert!(keys.contains(&"relevance.event_threshold") && keys.contains(&"measures.utility.p"), "{keys:?}");
    let page = report["report"].as_str().unwrap();
    let folder = page.strip_prefix("runs/try/report-").unwrap().strip_suffix("/index.html").unwrap();
    assert!(folder.len() == 8 && folder.bytes().all(|b| b.is_ascii_hexdigit()), "{page}");
    // The same changes go to the same place, others elsewhere.
    assert_eq!(
        json(&desk, &[&options[..], &["--measures", "mad,f,utility", "--p", "0.7"]].concat())["report"],
        page
    );
    assert_ne!(json(&desk, &["--t-e", "0.4"])["report"], page);
}

#[test]
fn any_setting_of_scoring_can_be_set() {
    let desk = desk();
    let pchip = ["--set", "relevance.kind=pchip", "--set", "relevance.coefficient=0.4"];
    let out = json(&desk, &[&pchip[..], &["--set", "compare.alpha=0.1", "--out", "there"]].concat());
    assert_eq!(out["report"], "there/index.html");
    assert!(
        desk.path("there/tables/scores.csv").exists() && desk.path("there/tables/scores.parquet").exists()
    );
    let shown = desk.stdout(&[&["report", "runs/try", "--set", "compare.top=2"], &pchip[..]].concat(), 0);
    assert!(shown.contains("Changed: relevance.kind: \"sigmoid\" → \"pchip\""), "{shown}");
    assert!(shown.lines().filter(|l| !l.contains("runs/try")).all(|l| l.chars().count() <= 80), "{shown}");
    let set = ["--set", "compare.exclude_undefined=true", "--set", "measures.alpha=linear"];
    let pairs = json(&desk, &[&["--pairs", "mad:sera,rmse:f"][..], &set].concat());
    let judged: Vec<&Value> = pairs["picks"].as_array().unwrap().iter().map(|v| &v["judged_by"]).collect();
    assert_eq!(judged, ["sera", "f"]);
}

#[test]
fn changes_that_need_fits_or_make_no_sense_are_refused() {
    let desk = desk();
    for (arguments, said) in [
        (&["--set", "seed=3"][..], "seed: decides what is fitted (it was 7)"),
        (&["--set", "split.train=0.5"], "split.train: decides what is fitted (it was 0.7)"),
        (&["--set", "models=[]"], "decides what is fitted"),
        (&["--set", "relevance.hihg=1"], "did you mean 'high'?"),
        (&["--set", "beta"], "write key=value"),
        (
            &["--set", "relevance.kind=pchip", "--set", "relevance.coefficient=0.4", "--low", "-1"],
            "belong to a sigmoid relevance",
        ),
        (&["--measures", "mad,rsme"], "rsme"),
        (&["--set", "measures.alpha=0.05"], "alpha"),
        (&["--pairs", "mad"], "mad:f"),
        (&["--t-e", "1.5"], "must lie between 0 and 1"),
    ] {
        let text = desk.stderr(&[&["report", "runs/try"], arguments].concat(), 2);
        assert!(text.contains(said), "{arguments:?}: {text}");
    }
    assert_eq!(fs::read_dir(desk.path("runs/try")).unwrap().count(), 5, "nothing was written");
    assert!(desk.stderr(&["report", "nowhere"], 2).contains("no such run"));
}

#[test]
fn data_that_moved_is_found_again_with_base() {
    let desk = desk();
    fs::create_dir(desk.path("elsewhere")).unwrap();
    fs::rename(desk.path("table.csv"), desk.path("elsewhere/table.csv")).unwrap();
    let said = desk.stderr(&["report", "runs/try"], 2);
    assert!(said.contains("table.csv") && said.contains("--base DIR"), "{said}");
    assert_eq!(json(&desk, &["--base", "elsewhere"])["missing_cells"], 0);
    // From another folder the run still knows where its data is.
    fs::rename(desk.path("elsewhere/table.csv"), desk.path("table.csv")).unwrap();
    ends_with(0, desk.tailrank(&["report", "../runs/try"]).current_dir(desk.path("elsewhere")));
    let mut csv = desk.read("table.csv");
    csv.push_str("0.1,0.2,0.3\n");
    desk.write("table.csv", csv);
    let said = desk.stderr(&["report", "runs/try"], 1);
    assert!(said.contains("the data or the program changed"), "{said}");
}

#[test]
fn a_folder_of_ones_own_data_is_remembered() {
    let desk = Desk::new();
    fs::create_dir(desk.path("mine")).unwrap();
    let mut csv = String::from("Date,Close\n");
    for (i, shock) in crate::noise(400).enumerate() {
        csv.push_str(&format!(
            "{}-{:02}-{:02},{}\n",
            2000 + i / 300,
            i / 25 % 12 + 1,
            i % 25 + 1,
            100.0 + 30.0 * shock
        ));
    }
    desk.write("mine/ZZ.csv", csv);
    let text = experiment("own", BASELINES).replace(
        "tables = [{ name = \"t\", file = \"table.csv\", target = \"level\" }]",
        "series = [\"ZZ\"]",
    );
    desk.write("e.toml", text.replace("low = -1.2", "low = -0.1").replace("high = 1.2", "high = 0.1"));
    desk.stdout(&["run", "e.toml", "--data", "mine", "--no-report"], 0);
    desk.stdout(&["report", "runs/own"], 0);
}

#[test]
fn missing_cells_are_said() {
    let desk = desk_with(MODELS);
    desk.stdout(&["run", "e.toml", "--only", "linear", "--no-report"], 0);
    let said = desk.stderr(&["report", "runs/try"], 3);
    assert!(said.contains("warning: 2 of 3 groups of fits are missing"), "{said}");
    let report: Value = serde_json::from_str(&desk.stdout(&["report", "runs/try", "--json"], 3)).unwrap();
    assert_eq!((&report["missing_cells"], &report["results"]), (&2.into(), &Value::Null));
}

#[test]
fn a_damaged_cell_is_said_and_spoils_no_table() {
    let desk = desk();
    let scores = desk.read("runs/try/results/scores.csv");
    let mut folders = vec![desk.path("runs/try/cells")];
    let cell = loop {
        let next = folders.pop().unwrap();
        if next.is_file() {
            break next;
        }
        folders.extend(fs::read_dir(next).unwrap().map(|e| e.unwrap().path()));
    };
    fs::write(cell, "PAR1").unwrap();
    let said = desk.stderr(&["report", "runs/try"], 3);
    assert!(said.contains("warning: 1 of 3 groups of fits are missing"), "{said}");
    assert_eq!(desk.read("runs/try/results/scores.csv"), scores, "complete tables stay");
    assert!(
        desk.read("runs/try/report-incomplete/index.html").contains("not run"),
        "the page says that it is incomplete"
    );
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    assert_eq!(desk.read("runs/try/results/scores.csv"), scores);
    assert!(
        !desk.path("runs/try/report-incomplete").exists(),
        "the incomplete page went with the state it showed"
    );
}
