use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use crate::{BASELINES, Desk, desk_with, experiment, words};

#[test]
fn every_unknown_key_is_named_with_its_line_and_the_nearest_name() {
    let desk = desk_with(BASELINES);
    let text = desk.read("e.toml").replace("train = 0.7", "tran = 0.7").replace("seed = 7", "sed = 7");
    desk.write("e.toml", text);
    for command in ["run", "check"] {
        let said = desk.stderr(&[command, "e.toml"], 2);
        assert!(said.contains("line 2") && said.contains("seed"), "{said}");
        assert!(said.contains("line 7") && said.contains("train"), "{said}");
    }
    assert!(!desk.path("runs").exists(), "a wrong experiment leaves nothing behind");
}

#[test]
fn a_missing_file_is_named() {
    let desk = Desk::new();
    for command in ["run", "check", "init", "score", "rank"] {
        let said = desk.stderr(&[command, "nowhere.csv"], 2);
        assert!(said.contains("nowhere.csv"), "{command}: {said}");
    }
    desk.write("e.toml", experiment("try", BASELINES));
    assert!(desk.stderr(&["check", "e.toml"], 2).contains("table.csv"), "the data file is named");
}

#[test]
fn an_unknown_measure_is_named() {
    let desk = desk_with(BASELINES);
    desk.write("p.csv", "y,m\n1,1\n2,2\n3,4\n");
    let said = desk.stderr(&["score", "p.csv", "--measures", "mad,rsme", "--high", "2"], 2);
    assert!(said.contains("rsme") && said.contains("rmse"), "{said}");
    desk.write("e.toml", desk.read("e.toml").replace("\"mad\", \"f\"]\nt_l", "\"mad\", \"g\"]\nt_l"));
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("measures.list.2: no measure is called `g`"), "{said}");
}

#[test]
fn only_that_matches_nothing_lists_what_there_is() {
    let desk = desk_with(BASELINES);
    let said = desk.stderr(&["run", "e.toml", "--only", "forest"], 2);
    assert!(
        said.contains("--only forest") && said.contains("tasks are t") && said.contains("baseline, linear"),
        "{said}"
    );
}

#[test]
fn a_decompression_bomb_is_refused() {
    let desk = Desk::new();
    // Just over 1 GiB of zeros in about one megabyte.
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(b"y,m\n").unwrap();
    let zeros = vec![b'0'; 1 << 20];
    for _ in 0..1025 {
        gz.write_all(&zeros).unwrap();
    }
    desk.write("bomb.csv.gz", gz.finish().unwrap());
    let said = desk.stderr(&["score", "bomb.csv.gz"], 2);
    assert!(said.starts_with("error: bomb.csv.gz: is larger than 1073741824 bytes once unpacked"), "{said}");
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let desk = Desk::new();
    desk.write("empty.csv", "");
    desk.write("bytes.csv", [0xff, 0xfe, 0x00, 0x9f, 0x0a, 0xff]);
    desk.write("text.csv", "name\nA\nB\n");
    for file in ["empty.csv", "bytes.csv", "text.csv"] {
        for command in ["init", "score", "rank"] {
            let said = desk.stderr(&[command, file], 2);
            assert!(said.starts_with("error: ") && said.contains(file), "{command} {file}: {said}");
        }
    }
}

#[test]
fn slips_of_the_fingers_have_their_own_exit_code() {
    let desk = desk_with(BASELINES);
    assert!(desk.stderr(&["check", "."], 2).contains("is a folder; name an experiment file"));
    desk.write("bytes.toml", [b'n', 0xff, 0xfe]);
    assert!(desk.stderr(&["check", "bytes.toml"], 2).contains("bytes.toml: is not UTF-8 text"));
    for arguments in
        [&["report", "runs/none"][..], &["status", "runs/none"], &["compare", "runs/none", "runs/none"]]
    {
        let said = desk.stderr(arguments, 2);
        assert!(said.contains("runs/none"), "{said}");
    }
    desk.write("e.toml", experiment("", BASELINES));
    assert!(desk.stderr(&["check", "e.toml"], 2).contains("name: is empty"));
}

#[test]
fn everything_wrong_is_told_at_once_under_its_own_key() {
    let desk = crate::desk_with(crate::BASELINES);
    let text = desk
        .read("e.toml")
        .replace("t_l = 0.5", "t_l = 0.5\nbta = 2.0\nalpha_k = \"x\"")
        .replace("[compare]", "[trading]\nthreshold = -0.1\n[compare]\npermutations = 2000000000");
    desk.write("bad.toml", text);
    let said = desk.stderr(&["check", "bad.toml"], 2);
    for key in ["measures.bta: unknown key", "measures.alpha_k: ", "compare.permutations: 2000000000"] {
        assert!(said.contains(key), "{key} is not in: {said}");
    }
    for (setting, key) in [
        ("t_l = -1.0", "measures.t_l: -1"),
        ("t_l = 0.5\nalpha_k = 0.0", "measures.alpha_k: 0"),
        ("t_l = 0.5\nbeta = -1.0", "measures.beta: -1"),
        ("t_l = 0.5\nutility = { p = 2.0 }", "measures.utility.p: 2"),
        ("t_l = 0.5\nutility = { benefit = nan }", "measures.utility.benefit: NaN"),
    ] {
        desk.write("bad.toml", desk.read("e.toml").replace("t_l = 0.5", setting));
        let said = desk.stderr(&["check", "bad.toml"], 2);
        assert!(said.contains(key), "{key} is not in: {said}");
    }
    let folds =
        desk.read("e.toml").replace("kind = \"fraction\"\ntrain = 0.7", "kind = \"kfold\"\nfolds = 1");
    desk.write("bad.toml", folds);
    assert!(desk.stderr(&["check", "bad.toml"], 2).contains("line 7: split.folds: 1 must be 2 or more"));
    // The pair that nobody wrote follows the measures that somebody did.
    let text = desk.read("e.toml").replace("[\"mad\", \"f\"]", "[\"mse\", \"rmse\"]");
    desk.write("few.toml", text.replace("pairs = [[\"mse\", \"rmse\"]]\n", ""));
    desk.stdout(&["check", "few.toml"], 0);
}

#[test]
fn a_path_of_another_kind_is_said_with_the_command_that_takes_it() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.write("p.csv", "y,m\n1,1\n2,2\n3,4\n");
    let is_data = "is data, not the folder of a run; did you mean: tailrank init table.csv --out table.toml";
    let is_experiment = "is an experiment, not the folder of a run; run it with: tailrank run e.toml";
    for (arguments, expected) in [
        (&["predict", "table.csv"][..], is_data),
        (&["status", "table.csv"], is_data),
        (&["export", "scores", "table.csv"], is_data),
        (&["compare", "runs/try", "table.csv"], is_data),
        (&["predict", "e.toml"], is_experiment),
        (&["status", "e.toml"], is_experiment),
        (&["run", "e.toml", "--out", "table.csv"], "is a file, and a run is a folder; name another one"),
        (&["run", "runs/try"], "is a run, not an experiment; its experiment is runs/try/experiment.toml"),
        (&["score", "runs/try"], "is a run, not a table of predictions; `tailrank report runs/try` scores"),
        (&["score", "runs"], "is a folder, not a table of predictions; name a CSV or Parquet file"),
        (
            &["score", "e.toml"],
            "is an experiment, not a table of predictions; run it with: tailrank run e.toml",
        ),
        (&["report", "e.toml"], is_experiment),
        (&["rank", "e.toml"], "is an experiment, not a table of scores; run it with"),
        (&["init", "e.toml"], "is an experiment, not data; run it with: tailrank run e.toml"),
        (&["score", "p.csv", "--settings", "table.csv"], "is data, not an experiment; did you mean"),
    ] {
        let said = words(&desk.stderr(arguments, 2));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
