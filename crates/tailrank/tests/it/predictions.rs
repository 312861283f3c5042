//! Predictions and scores made elsewhere.

use tailrank::data::frame::{Column, Frame, to_parquet};

use crate::{BASELINES, Desk, desk_with, ends_with, noise, words};

const TRUTH: [f64; 10] = [-5.29, -2.65, -2.43, -0.20, -0.03, 0.03, 0.51, 1.46, 2.53, 2.94];
const M1: [f64; 10] = [-4.40, -2.06, -2.20, 0.10, -0.23, -0.27, 0.97, 2.00, 1.86, 2.15];
const M2: [f64; 10] = [-5.09, -2.95, -2.89, 0.69, -0.82, 0.70, -0.08, 0.92, 2.83, 3.17];

const PR09: [&str; 11] =
    ["--low", "-2", "--high", "2", "--t-e", "0.75", "--t-l", "0.5", "--measures", "mad,recall", "--csv"];

fn wide() -> Frame {
    let column = |v: &[f64]| Column::Real(v.to_vec());
    Frame::new(vec![
        ("y".to_owned(), column(&TRUTH)),
        ("m1".to_owned(), column(&M1)),
        ("m2".to_owned(), column(&M2)),
    ])
    .unwrap()
}

fn long() -> Frame {
    let names = ["m1", "m2"].iter().flat_map(|m| std::iter::repeat_n((*m).to_owned(), 10)).collect();
    Frame::new(vec![
        ("model".to_owned(), Column::Text(names)),
        ("prediction".to_owned(), Column::Real([M1, M2].concat())),
        ("y".to_owned(), Column::Real([TRUTH, TRUTH].concat())),
    ])
    .unwrap()
}

fn score(desk: &Desk, file: &str) -> String {
    desk.stdout(&[&["score", file][..], &PR09].concat(), 0)
}

/// PR09 Table 1: two models with the same mean absolute deviation, of which one finds the extremes.
#[test]
fn wide_long_and_parquet_give_the_same_scores() {
    let desk = Desk::new();
    desk.write("wide.csv", tailrank::data::frame::to_csv(&wide()).unwrap());
    desk.write("wide.parquet", to_parquet(&wide(), &[]).unwrap());
    desk.write("long.parquet", to_parquet(&long(), &[]).unwrap());
    let csv = score(&desk, "wide.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|l| l.split(',').collect()).collect();
    let place = rows[0].iter().position(|c| *c == "recall").unwrap();
    let recall: Vec<f64> = rows[1..].iter().map(|r| r[place].parse().unwrap()).collect();
    assert_eq!(
        (format!("{:.3}", recall[0]), format!("{:.3}", recall[1])),
        ("0.178".to_owned(), "0.670".to_owned())
    );
    assert_eq!(csv, score(&desk, "wide.parquet"));
    assert_eq!(csv, score(&desk, "long.parquet"));
}

#[test]
fn long_csv_gives_the_scores_of_wide_csv() {
    let desk = Desk::new();
    desk.write("wide.csv", tailrank::data::frame::to_csv(&wide()).unwrap());
    desk.write("long.csv", tailrank::data::frame::to_csv(&long()).unwrap());
    assert_eq!(score(&desk, "wide.csv"), score(&desk, "long.csv"));
}

#[test]
fn many_measures_fit_eighty_columns() {
    let desk = Desk::new();
    let mut csv = String::from("y,a model with a rather long name,b\n");
    let values: Vec<f64> = noise(900).collect();
    for r in values.chunks(3) {
        csv.push_str(&format!("{},{},{}\n", 8.0 * r[0].powi(3), r[1], r[2]));
    }
    desk.write("p.csv", csv);
    let shown = desk.stdout(&["score", "p.csv", "--low", "-0.5", "--high", "0.5", "--t-l", "0.3"], 0);
    assert!(shown.lines().all(|l| l.chars().count() <= 80), "{shown}");
    assert!(shown.contains("by F") && shown.contains("MAD (rank)"), "{shown}");
}

#[test]
fn without_an_error_limit_the_measures_that_need_none_are_scored() {
    let desk = Desk::new();
    desk.write("p.csv", "y,a,b\n1,1.5,2\n2,2.5,1\n3,3,3\n9,8,3\n-7,-6,1\n");
    let shown = desk.stdout(&["score", "p.csv", "--low", "-3", "--high", "4"], 0);
    assert!(shown.contains("MAD") && shown.contains("SERA") && !shown.contains("  F"), "{shown}");
    let said = desk.stderr(&["score", "p.csv", "--low", "-3", "--high", "4", "--measures", "f,utility"], 2);
    assert!(said.contains("'f' needs --t-l") && !said.contains("t_l"), "{said}");
}

/// Witten & Frank, Table 5.9.
const WF_TABLE_5_9: [(&str, [f64; 4]); 5] = [
    ("rmse", [67.8, 91.7, 63.3, 57.4]),
    ("mae", [41.3, 38.5, 33.4, 29.2]),
    ("rrse", [0.422, 0.572, 0.394, 0.358]),
    ("rae", [0.431, 0.401, 0.348, 0.304]),
    ("correlation", [0.88, 0.88, 0.89, 0.91]),
];

fn wf_frame() -> Frame {
    let names = ["A", "B", "C", "D"].map(str::to_owned).to_vec();
    let mut columns = vec![("model".to_owned(), Column::Text(names))];
    columns.extend(WF_TABLE_5_9.iter().map(|(n, v)| ((*n).to_owned(), Column::Real(v.to_vec()))));
    Frame::new(columns).unwrap()
}

fn check_wf(desk: &Desk, file: &str) {
    // Their "mean absolute error" is mad in this program's list; the table says mae.
    let shown = desk.stdout(&["rank", file, "--lower", "mae"], 0);
    let row = |model: &str| shown.lines().find(|l| l.starts_with(&format!(" {model} "))).unwrap().to_owned();
    assert_eq!(row("D").matches("#1").count(), 5, "{shown}");
    assert_eq!(row("C").matches("#2").count(), 5, "{shown}");
    assert!(shown.contains("D is first by every measure."), "{shown}");
}

#[test]
fn rank_reproduces_wf_table_5_9() {
    let desk = Desk::new();
    desk.write("wf.parquet", to_parquet(&wf_frame(), &[]).unwrap());
    check_wf(&desk, "wf.parquet");
}

#[test]
fn rank_reproduces_wf_table_5_9_from_csv() {
    let desk = Desk::new();
    desk.write("wf.csv", tailrank::data::frame::to_csv(&wf_frame()).unwrap());
    check_wf(&desk, "wf.csv");
}

/// The first column of the lines under the heading that starts with `model`.
fn ranked_models(shown: &str) -> Vec<&str> {
    let below = shown.lines().skip_while(|l| !l.starts_with(" model ")).skip(1);
    below.take_while(|l| !l.is_empty()).filter_map(|l| l.split_whitespace().next()).collect()
}

#[test]
fn rank_reads_what_score_writes() {
    let desk = Desk::new();
    desk.write("p.csv", "y,one,two\n1,1.5,2\n2,2.5,1\n3,3,3\n9,8,3\n-7,-6,1\n");
    desk.write("s.csv", desk.stdout(&["score", "p.csv", "--low", "-3", "--high", "4", "--csv"], 0));
    assert_eq!(ranked_models(&desk.stdout(&["rank", "s.csv"], 0)), ["one", "two"]);

    desk.write("p.csv", "task,y,one,two\nA,1,1.5,2\nA,2,2.5,1\nA,9,8,3\nB,3,3,3\nB,9,1,9\nB,-7,-6,-7\n");
    desk.write("s.csv", desk.stdout(&["score", "p.csv", "--low", "-3", "--high", "4", "--csv"], 0));
    let shown = desk.stdout(&["rank", "s.csv"], 0);
    assert!(shown.contains("Average rank over 2 tasks:") && shown.contains("1.50"), "{shown}");
    assert_eq!(ranked_models(&shown), ["one", "two"], "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["rank", "s.csv", "--json"], 0)).unwrap();
    assert_eq!(json["tasks"][1]["models"][1]["ranks"]["mad"], 1.0);
    assert_eq!(json["average_ranks"][0]["model"], "one");
}

#[test]
fn rank_reads_the_scores_of_a_run() {
    let desk = desk_with(&format!(
        "{BASELINES}[[models]]\nfamily = \"debug\"\nvariants = [{{ fault = \"error\" }}]\n"
    ));
    desk.stdout(&["run", "e.toml"], 3);
    let output = ends_with(0, &mut desk.tailrank(&["rank", "runs/try/results/scores.csv"]));
    let (shown, said) = (crate::text(&output.stdout), crate::text(&output.stderr));
    assert!(shown.contains("NO VERDICT.") && shown.contains("\n linear "), "{shown}");
    assert!(!shown.contains("debug"), "a failed fit has no rank: {shown}");
    let said = said.replace('\n', " ");
    assert!(
        said.contains(
            "ignored (not scores): family, parameters, status, reason, copies, cases, events, signals, hits"
        ),
        "{said}"
    );
    assert!(said.contains("1 row ignored"), "{said}");
}

#[test]
fn score_gives_the_full_treatment() {
    let desk = Desk::new();
    let mut csv = String::from("y,a,b,c\n");
    for r in noise(400).collect::<Vec<_>>().chunks(2) {
        let y = 8.0 * r[0].powi(3);
        csv.push_str(&format!("{y},{},{},{}\n", 0.5 * y, y + r[1], 0.1 * r[1]));
    }
    desk.write("p.csv", csv);
    let arguments = ["score", "p.csv", "--low", "-0.5", "--high", "0.5", "--t-l", "0.3"];
    let shown = desk.stdout(&arguments, 0);
    assert!(shown.lines().count() <= 22 && shown.contains("Rankings by MAD and F"), "{shown}");
    let all = desk.stdout(&[&arguments[..], &["--explain"]].concat(), 0);
    assert!(all.contains("Pairs of measures") && all.contains("Regret of choosing"), "{all}");
    assert!(shown.lines().all(|l| l.chars().count() <= 80), "{shown}");
    let json = desk.stdout(&[&arguments[..], &["--json"]].concat(), 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["scores"][0]["model"], "a");
    assert!(json["scores"][1]["f"].is_number() && json["ranks"][1]["mad"].is_number());
    assert_eq!(json["regret"].as_array().unwrap().len(), 49, "seven measures against seven");
    assert_eq!(json["comparisons"].as_array().unwrap().len(), 21);
}

#[test]
fn score_takes_its_settings_from_an_experiment() {
    let desk = Desk::new();
    desk.write("p.csv", "y,a,b\n1,1.5,2\n2,2.5,1\n3,3,3\n9,8,3\n-7,-6,1\n");
    desk.write("e.toml", crate::experiment("try", BASELINES).replace("1.2", "3.5"));
    let by_file = desk.stdout(&["score", "p.csv", "--settings", "e.toml", "--csv"], 0);
    let by_hand = ["--low", "-3.5", "--high", "3.5", "--t-l", "0.5", "--measures", "mad,f", "--csv"];
    assert_eq!(by_file, desk.stdout(&[&["score", "p.csv"][..], &by_hand].concat(), 0));
    // Any kind of relevance, which no other option names.
    let points = desk
        .read("e.toml")
        .replace("kind = \"sigmoid\"\nlow = -3.5\nhigh = 3.5", "kind = \"pchip\"\npoints = [[3, 0], [9, 1]]");
    desk.write("e.toml", points);
    let json = desk.stdout(&["score", "p.csv", "--settings", "e.toml", "--json"], 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["tasks"][0]["events"], 1);
    let said = desk.stderr(&["score", "p.csv", "--settings", "e.toml", "--low", "1"], 2);
    assert!(said.contains("--settings") && said.contains("--low"), "{said}");
}

/// A table as pandas writes it: an index without a name, days, folds.
fn pandas() -> String {
    let mut text = ",when,cv,sales,m1,m2\n".to_owned();
    for i in 0..60 {
        let (y, day) = (TRUTH[i % 10] * (1.0 + i as f64 / 60.0), 1 + i % 28);
        let [m1, m2] = [M1[i % 10], M2[(i + i / 10) % 10]];
        text.push_str(&format!(
            "{i},20{:02}-0{}-{day:02},k{},{y},{m1},{m2}\n",
            10 + i / 10,
            1 + i % 9,
            i % 3
        ));
    }
    text
}

const COLUMNS: [&str; 12] =
    ["--low", "-2", "--high", "2", "--t-l", "0.5", "--truth", "sales", "--date", "when", "--fold", "cv"];

#[test]
fn a_table_of_predictions_gets_the_page_of_a_run() {
    let desk = Desk::new();
    desk.write("shop.csv", pandas());
    let said = desk.stdout(&[&["score", "shop.csv", "--report", "page"][..], &COLUMNS].concat(), 0);
    assert!(said.trim_end().ends_with("Report  page/index.html"), "{said}");
    let page = desk.read("page/index.html");
    assert!(page.contains("<h2 class=\"badge "), "{page}");
    assert!(page.contains("2 models") && page.contains("predictions made elsewhere"));
    assert!(!page.contains("experiment.toml"), "there is no experiment to run again");
    assert!(page.contains("tailrank score shop.csv --report page"), "the command is told");
    let summary: serde_json::Value = serde_json::from_str(&desk.read("page/tables/summary.json")).unwrap();
    assert_eq!(summary["tasks"][0]["cases"], 60);
    // The three folds are scored one by one, too.
    assert_eq!(summary["folds"].as_array().unwrap().len() % 3, 0);
}

#[test]
fn a_page_can_be_one_file() {
    let desk = Desk::new();
    desk.write("shop.csv", pandas());
    let said = desk.stdout(&[&["score", "shop.csv", "--single-file", "one.html"][..], &COLUMNS].concat(), 0);
    assert!(said.contains("Report  one.html") && said.contains("one file"), "{said}");
    let page = desk.read("one.html");
    assert!(page.len() < 6_000_000, "{} bytes", page.len());
    assert!(page.contains("data-file=\"tasks/1.js\"") && page.contains("data-file=\"plotly.js\""));
    for outside in [" src=\"figures/", "href=\"report.css\"", "src=\"report.js\""] {
        assert!(!page.contains(outside), "{outside} is left");
    }
}

#[test]
fn standard_input_is_a_table_too() {
    let desk = Desk::new();
    desk.write("shop.csv", pandas());
    let options = [&COLUMNS[..], &["--csv"]].concat();
    let from_file = desk.stdout(&[&["score", "shop.csv"][..], &options].concat(), 0);
    let mut command = desk.tailrank(&[&["score", "-"][..], &options].concat());
    let table = std::fs::File::open(desk.path("shop.csv")).unwrap();
    let from_pipe = crate::text(&ends_with(0, command.stdin(table)).stdout);
    assert_eq!(from_file, from_pipe);
}

#[test]
fn figures_are_exported_for_papers() {
    let desk =
        desk_with("[[models]]\nfamily = \"linear\"\nlabel = \"a <b> & 東\"\n[[models]]\nfamily = \"knn\"\n");
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let said =
        desk.stderr(&["export", "figures", "runs/try", "--width", "3.3in", "--no-title", "--out", "f"], 0);
    assert!(said.contains("figures written to f"), "{said}");
    let flow = desk.read("f/1-t-rank-flow.svg");
    assert!(
        flow.contains("width=\"83.82mm\"") && flow.contains("&lt;b&gt;") && !flow.contains("<b>"),
        "{flow}"
    );
    desk.stderr(&["export", "figures", "runs/try", "--only", "rank-flow", "--out", "one"], 0);
    assert_eq!(std::fs::read_dir(desk.path("one")).unwrap().count(), 1);
    let pdf = ["export", "figures", "runs/try", "--format", "svg,pdf", "--out", "both"];
    let said = words(&desk.stderr(&pdf, 0));
    assert!(said.contains(".pdf shows boxes for 東, which its font Arimo lacks"), "{said}");
    let svgs = std::fs::read_dir(desk.path("f")).unwrap().count();
    assert_eq!(std::fs::read_dir(desk.path("both")).unwrap().count(), 2 * svgs);
    let flow = std::fs::read(desk.path("both/1-t-rank-flow.pdf")).unwrap();
    assert!(flow.starts_with(b"%PDF-") && flow.trim_ascii_end().ends_with(b"%%EOF"));
    for (wrong, told) in [
        (&["--only", "nosuch", "--out", "x"][..], "no figure is called 'nosuch'; the figures are"),
        (&["--format", "png", "--out", "x"], "[possible values: svg, pdf]"),
        (&["--width", "84", "--out", "x"], "give a length with its unit"),
        (&["--width", "9mm", "--out", "x"], "50mm to 1000mm"),
        (&[], "add --out FOLDER"),
    ] {
        let said = words(&desk.stderr(&[&["export", "figures", "runs/try"], wrong].concat(), 2));
        assert!(said.contains(told), "{said}");
    }
    let said = desk.stderr(&["export", "scores", "runs/try", "--no-title"], 2);
    assert!(said.contains("are for figures"), "{said}");
}

/// A label that a spreadsheet would run; numbers below zero stay numbers.
#[test]
fn formulas_are_quoted_for_spreadsheets_alone() {
    let models = "[[models]]\nfamily = \"linear\"\nlabel = \"=cmd|' /C calc'!A0\"\n[[models]]\nfamily = \"baseline\"\n\
                  variants = [{ kind = \"zero\" }]\nlabel = \"-1+@x\"\n";
    let desk = desk_with(models);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    for what in ["scores", "predictions"] {
        let plain = desk.stdout(&["export", what, "runs/try"], 0);
        let quoted = desk.stdout(&["export", what, "runs/try", "--spreadsheet"], 0);
        assert!(plain.contains(",=cmd|") && plain.contains(",-1+@x"), "{plain}");
        assert_eq!(quoted, plain.replace(",=cmd|", ",'=cmd|").replace(",-1+@x", ",'-1+@x"));
        if what == "predictions" {
            assert!(quoted.lines().any(|line| line.rsplit(',').next().is_some_and(|p| p.starts_with('-'))));
            desk.write("p.csv", plain);
        }
    }
    let scores = desk.stdout(&["score", "p.csv", "--t-l", "0.5", "--csv", "--spreadsheet"], 0);
    assert!(scores.contains("'=cmd|") && scores.contains("'-1+@x"), "{scores}");
    let said = desk.stderr(&["score", "p.csv", "--t-l", "0.5", "--spreadsheet"], 2);
    assert!(said.contains("--csv"), "{said}");
    let said = desk.stderr(&["export", "scores", "runs/try", "--spreadsheet", "--out", "s.parquet"], 2);
    assert!(said.contains("--spreadsheet is for CSV"), "{said}");
}

#[test]
fn exported_predictions_are_scored_as_the_run_was() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml"], 0);
    let table = desk.stdout(&["export", "predictions", "runs/try"], 0);
    assert!(table.starts_with("task,row,y,model,family,prediction\n"), "{}", &table[..200]);
    desk.write("p.csv", &table);
    let rows = table.lines().count() - 1;
    desk.stdout(&["export", "predictions", "runs/try", "--out", "p.parquet"], 0);
    let options = ["--measures", "mad,rmse", "--low", "-0.02", "--high", "0.02", "--csv"];
    let of = |file: &str| desk.stdout(&[&["score", file][..], &options].concat(), 0);
    assert_eq!(of("p.csv"), of("p.parquet"));
    let scores = desk.stdout(&["export", "scores", "runs/try"], 0);
    assert!(
        scores.starts_with("task,model,family,parameters,measure,score,lower,upper,rank,undefined\n"),
        "{scores}"
    );
    // Every score of the run stands in the table of the scored predictions, to the last digit.
    let scored = of("p.csv");
    let mads: Vec<&str> = scores.lines().filter(|l| l.contains(",mad,")).collect();
    assert!(!mads.is_empty() && rows > mads.len());
    for line in mads {
        let score = line.split(",mad,").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        assert!(scored.contains(score), "{line} is not in {scored}");
    }
}

#[test]
fn options_that_would_be_passed_over_are_refused() {
    let desk = Desk::new();
    desk.write("y.csv", "y,a\n1,1\n2,2\n3,3\n");
    for (more, expected) in [
        (&["--extremes", "high", "--low", "0.02"][..], "cannot be used with '--low"),
        (&["--extremes", "high", "--high", "0.02"], "cannot be used with '--high"),
        (&["--horizon", "0"], "give the steps that a prediction looks ahead, such as 1"),
        (&["--horizon", "3", "--high", "2"], "--horizon 3: the table has 3 rows, and"),
        (&[], "a fence of the box plot of the true values lies at 0"),
        (&[], "with --extremes low or high, with --low and --high, or with --settings FILE"),
    ] {
        let said = desk.stderr(&[&["score", "y.csv"], more].concat(), 2);
        assert!(said.contains(expected), "{more:?}: {said}");
    }
    desk.stdout(&["score", "y.csv", "--extremes", "high"], 0);
    desk.stdout(&["score", "y.csv", "--horizon", "2", "--high", "2"], 0);
}

/// A run ranks candidates alone and copies once; so do the commands that read what it wrote.
#[test]
fn what_a_run_wrote_is_ranked_as_the_run_did() {
    let models = format!(
        "{BASELINES}[[models]]\nfamily = \"linear\"\nlabel = \"again\"\n[[models]]\nfamily = \"knn\"\ngrid = {{ k = [1, 3, 9] }}\n"
    );
    let desk = desk_with(&models);
    desk.stdout(&["run", "e.toml", "--out", "r"], 0);
    let csv = |name: &str| -> Vec<std::collections::HashMap<String, String>> {
        let text = desk.read(&format!("r/results/{name}.csv"));
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let names = lines.next().unwrap();
        lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
    };
    let number = |cell: &str| cell.parse::<f64>().ok();
    let rho = number(&csv("comparisons")[0]["rho"]).unwrap();
    let ranks = csv("ranks");

    desk.stdout(&["export", "predictions", "r", "--out", "pred.csv"], 0);
    let scored: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["score", "pred.csv", "--settings", "e.toml", "--json"], 0))
            .unwrap();
    assert_eq!(scored["comparisons"][0]["rho"].as_f64(), Some(rho));
    let scored_rank = |variant: &str, measure: &str| {
        let rows = scored["ranks"].as_array().unwrap();
        rows.iter().find(|row| row["model"] == variant).and_then(|row| row[measure].as_f64())
    };
    let ranked: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["rank", "r/results/scores.csv", "--json"], 0)).unwrap();
    let agreement = &ranked["tasks"][0]["agreement"][0];
    assert!((agreement["rho"].as_f64().unwrap() - rho).abs() < 1e-12, "{agreement}");
    let models = ranked["tasks"][0]["models"].as_array().unwrap();
    assert_eq!(models.len(), 4, "candidates, the copy left out: {models:?}");
    for row in &ranks {
        let variant = row["model"].as_str();
        for measure in ["mad", "f"] {
            let own = number(&row[measure]);
            assert_eq!(scored_rank(variant, measure), own, "{variant} {measure}");
            let other = models.iter().find(|m| m["model"] == variant);
            if let Some(other) = other {
                assert_eq!(other["ranks"][measure].as_f64(), own, "{variant} {measure}");
            }
        }
    }
    let said = desk.stderr(&["rank", "r/results/scores.csv"], 0);
    assert!(
        said.contains("2 baselines not ranked") && said.contains("1 row ignored (same predictions"),
        "{said}"
    );
    // Predictions are for another command.
    assert!(desk.stderr(&["rank", "pred.csv"], 2).contains("use `tailrank score`"));
}

/// A model that announces events and misses their size is used with a warning on the screen.
#[test]
fn a_recommendation_that_rests_on_few_hits_says_so() {
    let desk = Desk::new();
    let mut csv = String::from("y,far,near\n");
    for (i, noise) in noise(400).enumerate() {
        let y = if i % 20 == 0 { 10.0 } else { noise };
        // Right by chance on one event of five, and beyond the tolerance on the others.
        let far = match i % 100 {
            0 => 10.2,
            20 | 40 | 60 | 80 => 14.0,
            _ => noise,
        };
        csv.push_str(&format!("{y},{far},{}\n", 0.5 * noise));
    }
    desk.write("p.csv", csv);
    let said = desk.stdout(&["score", "p.csv", "--high", "8", "--t-l", "1", "--measures", "mad,f"], 0);
    assert!(said.contains("\nUSE far.") && said.contains("of far rests on 4 hits"), "{said}");
}
