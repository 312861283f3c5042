//! Nothing of the user's is ever deleted or replaced: not their data, not their notes, not a folder of
//! another tool.

use std::fs;

use crate::{BASELINES, Desk, desk_with, experiment, files, outputs, stale::kept_folders};

/// A desk whose table lies in `results/`, with files of other tools around it.
fn desk_in_use() -> Desk {
    let desk = desk_with(BASELINES);
    desk.write("e.toml", experiment("try", BASELINES).replace("table.csv", "results/table.csv"));
    fs::create_dir(desk.path("results")).unwrap();
    fs::rename(desk.path("table.csv"), desk.path("results/table.csv")).unwrap();
    desk.write("results/other.parquet", "PAR1");
    fs::create_dir(desk.path("report")).unwrap();
    desk.write("report/index.html", "<h1>my thesis</h1>");
    fs::create_dir_all(desk.path("log/tmp")).unwrap();
    desk.write("log/tmp/mine.txt", "mine");
    desk
}

#[test]
fn a_folder_in_use_is_refused_by_every_command_that_makes_a_run() {
    let desk = desk_in_use();
    let before = files(&desk.path(""));
    for arguments in [
        &["run", "e.toml", "--out", "."][..],
        &["run", "e.toml", "--out", ".", "--share", "1/2"],
        &["slurm", "e.toml", "--out", "."],
        &["reproduce", "quick", "--out", "."],
    ] {
        let said = desk.stderr(arguments, 2).replace('\n', " ");
        assert!(said.contains("other files") && said.contains("--out DIR"), "{arguments:?}: {said}");
        assert!(files(&desk.path("")) == before, "{arguments:?} changed the folder");
    }
    // A study that fits nothing writes to one folder only.
    fs::create_dir(desk.path("study")).unwrap();
    desk.write("study/claims.md", "my claims");
    let said = desk.stderr(&["reproduce", "artificial-returns", "--out", "."], 2);
    assert!(said.contains("study holds other files"), "{said}");
    assert_eq!(desk.read("study/claims.md"), "my claims");
}

#[test]
fn a_folder_of_another_tool_by_the_runs_name_is_refused() {
    let desk = desk_with(BASELINES);
    fs::create_dir_all(desk.path("runs/try/results")).unwrap();
    desk.write("runs/try/results/theirs.csv", "1");
    let said = desk.stderr(&["run", "e.toml"], 2);
    assert!(said.contains("runs/try") && said.contains("--out DIR"), "{said}");
    assert_eq!(files(&desk.path("runs/try")).len(), 1);
    assert_eq!(desk.read("runs/try/results/theirs.csv"), "1");
    // A foreign run.json is not ours either.
    desk.write("runs/try/run.json", "{ \"tool\": \"other\" }");
    let said = desk.stderr(&["run", "e.toml"], 1);
    assert!(said.contains("run.json is not of tailrank"), "{said}");
    assert_eq!(desk.read("runs/try/run.json"), "{ \"tool\": \"other\" }");
}

#[test]
fn an_empty_folder_is_taken() {
    let desk = desk_with(BASELINES);
    fs::create_dir(desk.path("empty")).unwrap();
    desk.stdout(&["run", "e.toml", "--out", "empty"], 0);
    assert!(desk.path("empty/report/index.html").exists());
}

/// Tables and page are replaced as whole folders: one with a note in it is kept beside, note and all.
#[test]
fn notes_beside_our_files_are_kept_and_said_once() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml"], 0);
    desk.write("runs/try/results/notes.csv", "dear,diary\n");
    desk.write("runs/try/report/notes.md", "dear diary");
    fs::create_dir(desk.path("runs/try/report/mine")).unwrap();
    desk.write("runs/try/report/mine/a.txt", "deep");
    let page = files(&desk.path("runs/try/report"));
    let said = desk.stderr(&["run", "e.toml"], 0).replace('\n', " ");
    let [report, results] = kept_folders(&desk, "runs/try").try_into().unwrap();
    assert_eq!(files(&desk.path(&report)), page);
    assert_eq!(desk.read(&format!("{results}/notes.csv")), "dear,diary\n");
    assert!(said.contains("(notes.csv)") && said.contains("(mine/a.txt, notes.md)"), "{said}");
    assert!(said.contains(&report) && said.contains(&results), "{said}");
    assert!(!desk.path("runs/try/report/notes.md").exists());
    // Said once: what stands there now is ours again. Other models, settings and reports take nothing from
    // what is kept.
    for change in
        [("", ""), ("t_l = 0.5", "t_l = 0.4"), ("[[models]]", "[[models]]\nfamily = \"knn\"\n[[models]]")]
    {
        desk.write(
            "e.toml",
            desk.read("e.toml").replacen(change.0, change.1, usize::from(!change.0.is_empty())),
        );
        let said = desk.stderr(&["run", "e.toml"], 0);
        assert!(!said.contains("kept as"), "{said}");
    }
    desk.stdout(&["report", "runs/try"], 0);
    assert_eq!(files(&desk.path(&report)), page);
    assert_eq!(kept_folders(&desk, "runs/try"), [report, results]);
}

#[test]
fn edited_tables_pages_and_settings_are_kept_and_said() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml"], 0);
    let good = outputs(&desk.path("runs/try"));
    desk.write("runs/try/results/scores.csv", "my numbers");
    desk.write("runs/try/report/index.html", "my page");
    desk.write("runs/try/experiment.toml", "my settings");
    let said = desk.stderr(&["run", "e.toml"], 0).replace('\n', " ");
    for name in ["(scores.csv)", "(index.html)", "experiment.toml was changed"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(outputs(&desk.path("runs/try")) == good);
    let [report, results] = kept_folders(&desk, "runs/try").try_into().unwrap();
    assert_eq!(desk.read(&format!("{results}/scores.csv")), "my numbers");
    assert_eq!(desk.read(&format!("{report}/index.html")), "my page");
    let aside = files(&desk.path("runs/try/log/set-aside"));
    assert!(aside.values().any(|bytes| bytes == b"my settings"), "{aside:?}");
    let again = desk.stderr(&["run", "e.toml"], 0);
    assert!(!again.contains("kept as") && !again.contains("changed by hand"), "{again}");
}

#[test]
fn a_report_never_takes_a_folder_in_use() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let before = files(&desk.path(""));
    for out in [".", "runs/try", "runs/try/results"] {
        let said = desk.stderr(&["report", "runs/try", "--out", out], 2);
        assert!(said.contains("other files"), "{out}: {said}");
        assert!(files(&desk.path("")) == before, "{out}");
    }
    // A folder of the user's where the page should stand is known before anything is fitted.
    fs::create_dir(desk.path("runs/try/report")).unwrap();
    desk.write("runs/try/report/mine.md", "mine");
    desk.write("e.toml", experiment("try", &format!("{BASELINES}[[models]]\nfamily = \"knn\"\n")));
    let said = desk.stderr(&["run", "e.toml"], 2);
    assert!(said.contains("other files and no report"), "{said}");
    assert_eq!(desk.read("runs/try/report/mine.md"), "mine");
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
}

/// Pages of the version before had no record of their files.
#[test]
fn a_page_without_a_record_is_kept_as_a_whole() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml"], 0);
    fs::remove_file(desk.path("runs/try/report/files.json")).unwrap();
    let page = desk.read("runs/try/report/index.html");
    desk.write("e.toml", desk.read("e.toml").replace("t_l = 0.5", "t_l = 0.4"));
    let said = desk.stderr(&["run", "e.toml"], 0);
    let [kept] = kept_folders(&desk, "runs/try").try_into().unwrap();
    assert!(said.replace('\n', " ").contains(&kept), "{said}");
    assert_eq!(desk.read(&format!("{kept}/index.html")), page);
    assert!(desk.path("runs/try/report/files.json").exists());
}

#[test]
fn a_study_keeps_what_it_did_not_write() {
    let desk = Desk::new();
    let run = ["reproduce", "artificial-returns", "--out", "here"];
    desk.stdout(&run, 0);
    let made = files(&desk.path("here/study"));
    desk.write("here/study/claims.md", "my view");
    desk.write("here/study/notes.md", "mine");
    let edited = files(&desk.path("here/study"));
    let said = desk.stderr(&run, 0).replace('\n', " ");
    let [kept] = kept_folders(&desk, "here").try_into().unwrap();
    assert!(said.contains("(claims.md, notes.md)") && said.contains(&kept), "{said}");
    assert_eq!(files(&desk.path("here/study")), made);
    assert_eq!(files(&desk.path(&kept)), edited);
}

/// Two experiments of one name: the second takes nothing of the first away, by `run`, `run --share` or
/// `slurm`.
#[test]
fn two_experiments_of_one_name_share_no_folder() {
    let desk = desk_with(BASELINES);
    desk.write("first.toml", experiment("try", BASELINES));
    desk.stdout(&["run", "first.toml"], 0);
    let other = experiment("try", BASELINES).replace("t_l = ", "beta = 0.5\nt_l = ");
    assert!(other != experiment("try", BASELINES));
    desk.write("second.toml", &other);
    let before = files(&desk.path("runs"));
    for arguments in [
        &["run", "second.toml"][..],
        &["run", "second.toml", "--share", "1/2"],
        &["slurm", "second.toml", "--out", "runs/try"],
    ] {
        let said = desk.stderr(arguments, 2).replace('\n', " ");
        assert!(said.contains("first.toml, another experiment of the same name"), "{arguments:?}: {said}");
        assert!(files(&desk.path("runs")) == before, "{arguments:?} changed the folder");
    }
    desk.stdout(&["run", "second.toml", "--out", "runs/second", "--no-report"], 0);
    // The first one edited is still the first one; a file that was moved takes its run along.
    desk.write("first.toml", &other);
    desk.stdout(&["run", "first.toml", "--no-report"], 0);
    fs::rename(desk.path("first.toml"), desk.path("moved.toml")).unwrap();
    desk.write("moved.toml", experiment("try", BASELINES));
    desk.stdout(&["run", "moved.toml", "--no-report"], 0);
}
