//! Files as people bring them: `init` writes the expected experiment, which `check` accepts and `run` runs,
//! or refuses with the expected words. `TAILRANK_UPDATE=1` writes what is expected anew; read the difference
//! before it is committed.

use std::{fs, path::PathBuf};

use crate::Desk;

/// A file, and what is typed behind its name.
type Case = (&'static str, &'static [&'static str]);

/// Files that an experiment is made of.
const RIGHT: [Case; 32] = [
    ("yahoo.csv", &[]),
    ("stooq.txt", &[]),
    ("kurse.csv", &[]),
    ("boerse.csv", &[]),
    ("cours.csv", &[]),
    ("precios.csv", &[]),
    ("excel_unicode.txt", &[]),
    ("newest_first.csv", &[]),
    ("thousands.csv", &[]),
    ("fred.csv", &[]),
    ("stocks_long.csv", &[]),
    ("wide.csv", &[]),
    ("weekly.csv", &[]),
    ("hourly.csv", &[]),
    ("passengers.csv", &[]),
    ("sunspots.csv", &[]),
    ("returns.csv", &[]),
    ("rain.csv", &[]),
    ("rate.csv", &[]),
    ("yahoo.csv", &["--horizon", "1,3,5"]),
    ("ambiguous_date.csv", &["--date-format", "day-first"]),
    ("load.csv", &["--target", "load_mw", "--horizon", "1"]),
    ("load.csv", &["--target", "load_mw"]),
    ("airquality.csv", &["--target", "Ozone"]),
    ("diamonds.csv", &["--target", "price"]),
    ("algae.csv", &["--target", "a1"]),
    ("dated_table.csv", &["--target", "price"]),
    ("few_rows.csv", &["--target", "y"]),
    ("duplicates.csv", &["--target", "y"]),
    ("decimal_table.csv", &["--target", "Ertrag"]),
    ("classes.csv", &["--target", "length", "--ignore", "grade"]),
    ("bad_price.csv", &["--target", "Close", "--horizon", "1"]),
];

/// Files that are asked about or refused.
const REFUSED: [Case; 18] = [
    ("airquality.csv", &[]),
    ("diamonds.csv", &[]),
    ("dated_table.csv", &[]),
    ("load.csv", &[]),
    ("ambiguous_date.csv", &[]),
    ("bad_price.csv", &[]),
    ("algae.csv", &["--target", "season"]),
    ("classes.csv", &["--target", "grade"]),
    ("constant.csv", &["--target", "y"]),
    ("no_names.csv", &[]),
    ("only_words.csv", &[]),
    ("page.csv", &[]),
    ("workbook.xlsx", &[]),
    ("old.xls", &[]),
    ("sheet.ods", &[]),
    ("sheet.numbers", &[]),
    ("quotes.zip", &[]),
    ("algae.csv", &["--target", "a1", "--models", "forrest"]),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/strangers")
}

/// A desk with one of the files on it.
fn desk_of(file: &str) -> Desk {
    let desk = Desk::new();
    fs::copy(folder().join(file), desk.path(file)).unwrap();
    desk
}

/// Words of a message, however its lines are broken.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compares with what is expected, or writes it.
fn expect(case: Case, ending: &str, found: &str) {
    let (file, arguments) = case;
    let words = std::iter::once(file).chain(arguments.iter().copied());
    let name = words.map(|w| w.trim_start_matches('-')).collect::<Vec<_>>().join("_").replace(',', "-");
    let path = folder().join("expected").join(format!("{name}.{ending}"));
    if std::env::var_os("TAILRANK_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{} is not what is expected", path.display());
}

/// `init` → `check` → `run`. Notes are part of what is expected.
fn goes_all_the_way(case: Case) {
    let (file, arguments) = case;
    let desk = desk_of(file);
    let words = [&["init", file], arguments].concat();
    let output = crate::ends_with(0, &mut desk.tailrank(&words));
    expect(case, "toml", &(crate::text(&output.stderr) + &crate::text(&output.stdout)));
    desk.write("as_written.toml", &output.stdout);
    let json = desk.stdout(&["check", "as_written.toml", "--json"], 0);
    let plan: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(plan["cpu_seconds"].as_f64().unwrap() < 60.0, "{file}: {json}");
    // Two families and no bootstrap: the road is what is tested here.
    desk.stdout(&[&words[..], &["--models", "linear,mars", "--out", "mine.toml"]].concat(), 0);
    desk.write("mine.toml", format!("{}\n[inference]\nenabled = false\n", desk.read("mine.toml")));
    let shown = desk.stdout(&["check", "mine.toml", "--json"], 0);
    let checked: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let shown = desk.stdout(&["run", "mine.toml", "--no-report", "--json"], 0);
    let ran: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(ran["failures"].as_array().map(Vec::len), Some(0), "{file}: {shown}");
    // `run` counts the events that `check` foretold.
    let events = |of: &serde_json::Value| -> Vec<(String, u64)> {
        let task =
            |t: &serde_json::Value| (t["task"].as_str().unwrap().to_owned(), t["events"].as_u64().unwrap());
        of["tasks"].as_array().unwrap().iter().map(task).collect()
    };
    assert_eq!(events(&checked), events(&ran), "{file}");
}

#[test]
fn prices_go_all_the_way() {
    RIGHT[..10].iter().for_each(|case| goes_all_the_way(*case));
}

#[test]
fn series_of_all_kinds_go_all_the_way() {
    RIGHT[10..22].iter().for_each(|case| goes_all_the_way(*case));
}

#[test]
fn tables_go_all_the_way() {
    RIGHT[22..].iter().for_each(|case| goes_all_the_way(*case));
}

#[test]
fn what_cannot_be_guessed_is_asked_or_refused() {
    for case in REFUSED {
        let (file, arguments) = case;
        let output = crate::ends_with(2, &mut desk_of(file).tailrank(&[&["init", file], arguments].concat()));
        assert!(output.stdout.is_empty(), "{file}: nothing is written");
        let said = crate::text(&output.stderr);
        assert!(said.lines().all(|l| l.chars().count() <= 80 || !l.contains("  ")), "{file}: {said}");
        expect(case, "txt", &said);
    }
}

#[test]
fn the_run_is_named_by_the_experiment_file() {
    let desk = desk_of("few_rows.csv");
    desk.stdout(&["init", "few_rows.csv", "--target", "y", "--out", "spring.toml"], 0);
    assert!(desk.read("spring.toml").contains("\nname = \"spring\"\n"));
    let text = desk.stdout(&["init", "few_rows.csv", "--target", "y", "--name", "autumn"], 0);
    assert!(text.contains("\nname = \"autumn\"\n"), "{text}");
}

#[test]
fn check_says_what_is_tested_and_what_ruins_a_run() {
    let desk = desk_of("yahoo.csv");
    let said = desk.stderr(&["check", "yahoo.csv"], 2);
    assert!(
        said.contains("yahoo.csv is data, not an experiment; did you mean: tailrank init yahoo.csv"),
        "{said}"
    );
    let said = desk.stderr(&["run", "yahoo.csv"], 2);
    assert!(said.contains("did you mean: tailrank init"), "{said}");
    desk.stdout(&["init", "yahoo.csv", "--out", "e.toml"], 0);
    let shown = desk.stdout(&["check", "e.toml"], 0);
    assert!(shown.contains("Task   yahoo 1d: ") && shown.contains("Event  a return"), "{shown}");
    assert!(words(&shown).contains("Leaks none found in 8 checks"), "{shown}");
    let text = desk.read("e.toml");
    let low = text.lines().find(|l| l.starts_with("low = ")).unwrap();
    let high = text.lines().find(|l| l.starts_with("high = ")).unwrap();
    for (change, doubt) in [
        (
            text.replace(low, "low = -0.001").replace(high, "high = 0.001"),
            "of the test cases are events: not rare",
        ),
        (text.replace(low, "low = -0.03").replace(high, "high = 0.03"), "the test has only"),
        (text.replace("t_l = ", "t_l = 9"), "spans 90% of the targets"),
    ] {
        desk.write("e.toml", &change);
        let said = words(&desk.stdout(&["check", "e.toml"], 0));
        assert!(said.contains(doubt), "{doubt}: {said}\n{change}");
    }
    let desk = desk_of("load.csv");
    let text = desk.stdout(&["init", "load.csv", "--target", "load_mw", "--horizon", "1"], 0);
    desk.write("e.toml", text.replace("memory_mb = 4096", "memory_mb = 1"));
    let said = desk.stdout(&["check", "e.toml"], 0);
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(
        words(&said).contains("more than limits.memory_mb = 1, and would be refused; raise the limit"),
        "{said}"
    );
}

#[test]
fn check_says_how_rows_without_a_value_or_a_time_are_treated() {
    let desk = desk_of("airquality.csv");
    desk.stdout(&["init", "airquality.csv", "--target", "Ozone", "--out", "e.toml"], 0);
    let shown = words(&desk.stdout(&["check", "e.toml"], 0));
    let said = shown.clone();
    assert!(shown.contains("(rows have no time)"), "{shown}");
    assert!(
        shown.contains("column \"Solar.R\"") && shown.contains("filled with the training rows' median"),
        "{shown}"
    );
    assert!(said.contains("rows without \"Ozone\" were dropped"), "{said}");
    let desk = desk_of("duplicates.csv");
    desk.stdout(&["init", "duplicates.csv", "--target", "y", "--out", "e.toml"], 0);
    let said = words(&desk.stdout(&["check", "e.toml"], 0));
    assert!(said.contains("repeat a training row in every input and the target"), "{said}");
    let desk = desk_of("dated_table.csv");
    desk.stdout(&["init", "dated_table.csv", "--target", "price", "--out", "e.toml"], 0);
    assert!(desk.stdout(&["check", "e.toml", "--json"], 0).contains("time order ok"));
    let folds = desk
        .read("e.toml")
        .replace("kind = \"fraction\"", "kind = \"kfold\"")
        .replace("train = 0.7", "folds = 3");
    desk.write("e.toml", folds);
    let output = crate::ends_with(0, &mut desk.tailrank(&["check", "e.toml"]));
    let said = words(&crate::text(&output.stdout));
    assert!(said.contains("rows that train are later than rows that test"), "{said}");
}

/// The scores of one task, line by line.
fn scores_of(desk: &Desk, run: &str, task: &str) -> Vec<String> {
    let text = desk.read(&format!("{run}/results/scores.csv"));
    text.lines().filter(|line| line.starts_with(task)).map(str::to_owned).collect()
}

#[test]
fn every_horizon_has_a_tolerance_of_its_own_scale() {
    let desk = desk_of("yahoo.csv");
    let text = desk.stdout(&["init", "yahoo.csv", "--horizon", "5,1", "--models", "linear,knn"], 0);
    let line = text.lines().find(|l| l.starts_with("t_l = ")).unwrap();
    let own: toml::Table = toml::from_str(line).unwrap();
    let at = |h: &str| own["t_l"][h].as_float().unwrap();
    // Steps that know nothing of each other spread by √h.
    let ratio = at("5") / at("1");
    assert!((1.5..3.5).contains(&ratio), "{line}");
    let quick = |t_l: &str| {
        let text = text
            .replace(line, t_l)
            .replace("family = \"linear\"", "family = \"linear\"\nlearn = [\"plain\", { stretch = \"f\" }]");
        desk.write("e.toml", format!("{text}\n[inference]\nenabled = false\n"));
    };
    quick(line);
    assert_eq!(at("1"), 0.009, "{line}");
    let plan: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["check", "e.toml", "--json"], 0)).unwrap();
    assert_eq!([&plan["tasks"][0]["t_l"], &plan["tasks"][1]["t_l"]], [at("1"), at("5")]);
    desk.stdout(&["run", "e.toml", "--no-report", "--out", "own"], 0);
    // Each task is scored, and stretched, as in a run where all have its number.
    for (h, other) in [("1", "5"), ("5", "1")] {
        quick(&format!("t_l = {}", at(h)));
        desk.stdout(&["run", "e.toml", "--no-report", "--out", h], 0);
        let (task, not) = (format!("yahoo {h}d"), format!("yahoo {other}d"));
        assert_eq!(scores_of(&desk, "own", &task), scores_of(&desk, h, &task));
        assert_ne!(scores_of(&desk, "own", &not), scores_of(&desk, h, &not));
    }
    // A number of one horizon is learned from by its own stretched variant alone.
    quick(&format!("t_l = {{ 1 = {}, 5 = {} }}", at("1"), 0.9 * at("5")));
    assert_eq!(desk.fits(&["run", "e.toml", "--no-report", "--out", "own"], 0).0, 1);
    let model = scores_of(&desk, "own", "yahoo 5d");
    let model = model[0].split(',').nth(1).unwrap().to_owned();
    let said = desk.stdout(&["predict", "own", "--task", "yahoo 5d", "--model", &model], 0);
    assert!(said.contains("Predicts R5(t+5)"), "{said}");
    // A report may give all the same.
    let said = desk.stdout(&["report", "own", "--t-l", &at("5").to_string(), "--json"], 0);
    assert!(said.contains("\"tasks\""), "{said}");
}

#[test]
fn the_settings_of_one_horizon_score_a_table() {
    let desk = desk_of("yahoo.csv");
    desk.stdout(&["init", "yahoo.csv", "--horizon", "1,5", "--models", "linear", "--out", "e.toml"], 0);
    desk.write(
        "p.csv",
        "y,a,b\n0.01,0.02,0.0\n-0.05,-0.04,0.0\n0.05,0.06,0.01\n0.0,0.01,0.02\n0.02,0.01,0.03\n0.01,0.0,0.01\n",
    );
    let said = desk.stderr(&["score", "p.csv", "--settings", "e.toml"], 2);
    assert!(said.contains("has numbers for each horizon; say which with --horizon"), "{said}");
    let with = |h: &str| desk.stdout(&["score", "p.csv", "--settings", "e.toml", "--horizon", h, "--csv"], 0);
    assert_ne!(with("1"), with("5"));
}

#[test]
fn trading_has_no_meaning_without_returns() {
    let desk = desk_of("rain.csv");
    let text = desk.stdout(&["init", "rain.csv"], 0);
    assert!(!text.contains("[trading]") && text.contains("kind = \"level\""), "{text}");
    desk.write("e.toml", text.replace("[compare]", "[trading]\nthreshold = 1.0\n\n[compare]"));
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("trades need returns, and target.kind = \"level\" predicts none"), "{said}");
}

#[test]
fn columns_and_the_calendar_are_inputs_with_lags_of_their_own() {
    let desk = desk_of("load.csv");
    let text =
        desk.stdout(&["init", "load.csv", "--target", "load_mw", "--horizon", "1", "--models", "linear"], 0);
    let inputs = "inputs = [{ kind = \"calendar\", unit = \"hour\" }]";
    assert!(text.contains(inputs), "{text}");
    let more = "inputs = [{ kind = \"calendar\", unit = \"weekday\" }, { kind = \"column\", column = \"temperature\", lags = 3 }]";
    let mad = |text: &str| {
        let desk = desk_of("load.csv");
        desk.write("e.toml", format!("{text}\n[inference]\nenabled = false\n"));
        desk.stdout(&["run", "e.toml", "--no-report"], 0);
        let scores = desk.read("runs/load/results/scores.csv");
        scores.lines().nth(1).unwrap().to_owned()
    };
    let (with, without) = (mad(&text.replace(inputs, more)), mad(&text));
    assert_ne!(with, without, "the inputs are used");
    desk.write("e.toml", text.replace(inputs, &more.replace("temperature", "temprature")));
    let said = desk.stderr(&["check", "e.toml"], 2);
    assert!(said.contains("target.inputs.2") && said.contains("did you mean \"temperature\"?"), "{said}");
}

#[test]
fn measures_may_be_listed_by_that_name_and_runs_are_named() {
    let desk = desk_of("few_rows.csv");
    assert_eq!(desk.stdout(&["list", "measures"], 0), desk.stdout(&["list", "metrics"], 0));
    desk.stdout(&["init", "few_rows.csv", "--target", "y", "--models", "linear", "--out", "mine.toml"], 0);
    desk.stdout(&["run", "mine.toml", "--no-report"], 0);
    let said = desk.stderr(&["report", "runs/mien"], 2);
    assert!(said.contains("no such run; there are runs/mine"), "{said}");
}

/// A file of a hundred rows, written by a function of the row.
fn rows(head: &str, row: impl Fn(usize) -> String) -> String {
    let body: String = (0..100).map(|i| row(i) + "\n").collect();
    format!("{head}\n{body}")
}

#[test]
fn years_that_pandas_wrote_are_years() {
    let desk = Desk::new();
    let sunspots = rows("YEAR,SUNACTIVITY", |i| format!("{}.0,{}.0", 1700 + i, i * 7919 % 83));
    desk.write("sun.csv", &sunspots);
    let text = desk.stdout(&["init", "sun.csv", "--models", "linear", "--out", "e.toml"], 0);
    assert!(text.contains("Wrote e.toml") && desk.stdout(&["check", "e.toml"], 0).contains("sun 1y"));
    desk.write("bad.csv", sunspots.replace("1700.0", "1700.5"));
    let said = desk.stderr(&["init", "bad.csv", "--target", "SUNACTIVITY", "--horizon", "1"], 2);
    assert!(!said.contains("above it"), "{said}");
}

#[test]
fn a_column_is_proposed_with_commands_that_work() {
    let desk = Desk::new();
    let quarters = rows("year,Id,gdp,target", |i| {
        format!("{},{},{}.5,{}.1", 1959 + i / 4, i * i * i % 97, 2000 + i, i * 37 % 11)
    });
    desk.write("macro.csv", quarters);
    let said = desk.stderr(&["init", "macro.csv"], 2);
    assert!(said.contains("--target target\n") && !said.contains("--horizon 1"), "years repeat: {said}");
    let years = rows("year,Id,gdp,target", |i| {
        format!("{},{},{}.5,{}.1", 1859 + i, i * i * i % 97, 2000 + i, i * 37 % 11)
    });
    desk.write("years.csv", years.replace("target", "debt"));
    let said = desk.stderr(&["init", "years.csv"], 2);
    assert!(said.contains("--horizon 1\n") && !said.contains("--target Id"), "{said}");
    let said = desk.stderr(&["init", "macro.csv", "--target", "gdp", "--ignore", "gdp"], 2);
    assert!(said.contains("'gdp' is the column to predict; take it out of --ignore"), "{said}");
}

#[test]
fn numbers_with_the_sign_of_their_unit_are_numbers() {
    let desk = Desk::new();
    let fees =
        rows("rate,fee,a,y", |i| format!("{}.{i}%,-€0.{i},{},{}.5", i % 7, i * 31 % 17, i * 7919 % 101));
    desk.write("fees.csv", fees);
    let text = desk.stdout(&["init", "fees.csv", "--target", "y"], 0);
    assert!(text.contains("ignore = []"), "{text}");
    let text = desk.stdout(&["init", "fees.csv", "--target", "fee"], 0);
    assert!(text.contains("target = \"fee\""), "{text}");
}

#[test]
fn capitals_alone_make_no_price() {
    let desk = Desk::new();
    let (mut state, mut log, mut day) = (7u64, 4.0f64, tailrank::data::Date::constant(2008, 1, 1));
    let mut walk = String::from("date,KO\n");
    for _ in 0..400 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        log += 0.03 * ((state >> 33) as f64 / f64::from(1u32 << 31) - 0.5);
        walk += &format!("{day},{}\n", log.exp());
        day = day.tomorrow().unwrap();
    }
    desk.write("ko.csv", walk);
    let said = desk.stderr(&["init", "ko.csv"], 2);
    let commands: Vec<&str> =
        said.lines().filter(|line| line.trim_start().starts_with("tailrank init")).collect();
    assert_eq!(commands.len(), 2, "{said}");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        desk.stdout(&words, 0);
    }
}

#[test]
fn very_large_targets_make_an_experiment() {
    let desk = Desk::new();
    desk.write("huge.csv", rows("a,y", |i| format!("{},{}.5e160", i * 31 % 17, i * 7919 % 101)));
    desk.stdout(&["init", "huge.csv", "--target", "y", "--models", "linear", "--out", "e.toml"], 0);
    desk.stdout(&["check", "e.toml"], 0);
}

/// Files in which the rows or the dates are not where one looks for them.
#[test]
fn dates_in_several_columns_or_none_make_a_series() {
    let desk = Desk::new();
    let flow = |i: usize| 50.0 + (i * 7919 % 101) as f64;
    desk.write(
        "parts.csv",
        rows("year,month,day,flow", |i| format!("2019,{},{},{}", 1 + i / 28, 1 + i % 28, flow(i))),
    );
    let text = desk.stdout(&["init", "parts.csv", "--models", "linear", "--out", "parts.toml"], 0);
    assert!(text.contains("100 rows, daily, 2019-01-01 … 2019-04-16"), "{text}");
    assert!(desk.read("parts.toml").contains("date = \"year+month+day\""));
    desk.stdout(&["check", "parts.toml"], 0);
    desk.write("alone.csv", rows("flow", |i| flow(i).to_string()));
    let said = desk.stderr(&["init", "alone.csv"], 2);
    assert!(said.contains("\n  tailrank init alone.csv --horizon 1 --order rows\n"), "{said}");
    let words = [
        "init",
        "alone.csv",
        "--horizon",
        "1",
        "--order",
        "rows",
        "--models",
        "linear",
        "--out",
        "alone.toml",
    ];
    let text = desk.stdout(&words, 0);
    assert!(text.contains("values one row ahead"), "{text}");
    desk.stdout(&["check", "alone.toml"], 0);
}

#[test]
fn a_panel_is_a_task_for_each_or_one_for_all_and_a_broken_series_is_left_out() {
    let desk = Desk::new();
    let mut panel = String::from("land,day,level,rain\n");
    for (n, land) in ["at", "be", "ch", "dk"].iter().enumerate() {
        let mut day = tailrank::data::Date::constant(2019, 1, 1);
        for i in 0..if *land == "dk" { 4 } else { 80 } {
            panel += &format!("{land},{day},{},{}\n", 5 + (i * 7919 + n) % 101, i % 9);
            day = day.tomorrow().unwrap();
        }
    }
    desk.write("panel.csv", panel);
    let said = desk.stderr(&["init", "panel.csv", "--target", "level", "--horizon", "1"], 2);
    let commands: Vec<&str> = said.lines().filter(|line| line.starts_with("  tailrank init")).collect();
    assert_eq!(commands.len(), 2, "{said}");
    let write = |command: &str, words: &[&str]| {
        let words: Vec<&str> = command.split_whitespace().skip(1).chain(words.iter().copied()).collect();
        crate::ends_with(0, &mut desk.tailrank(&words))
    };
    let each = write(commands[0], &[]);
    let (text, said) = (crate::text(&each.stdout), crate::text(&each.stderr));
    assert!(
        text.contains("symbols = [\"at\", \"be\", \"ch\"]") && text.contains("symbol = \"land\""),
        "{text}"
    );
    assert!(said.contains("dk is left out: has only 4 values"), "{said}");
    let together = crate::text(&write(commands[1], &[]).stdout);
    assert!(together.contains("entity = \"land\"") && together.contains("target = \"level\""), "{together}");
}

#[test]
fn check_and_run_name_what_leaks() {
    let desk = Desk::new();
    desk.write(
        "leak.csv",
        rows("x,twin,y", |i| format!("{},{},{}", i * 31 % 17, 3 * (i * 7919 % 101), i * 7919 % 101)),
    );
    desk.stdout(&["init", "leak.csv", "--target", "y", "--models", "linear", "--out", "e.toml"], 0);
    let shown = words(&desk.stdout(&["check", "e.toml"], 0));
    assert!(shown.contains("inputs: twin alone predicts the target (strength 1.000)"), "{shown}");
    assert!(shown.contains("not checked: label span and groups whole (not declared)"), "{shown}");
    let output = crate::ends_with(0, &mut desk.tailrank(&["run", "e.toml", "--no-report"]));
    let said = words(&crate::text(&output.stderr));
    assert!(said.contains("column \"twin\" alone is the target in other words"), "{said}");
}
