//! `[data]`: the keys of files, and that every fix a message offers is one the experiment file takes.

use std::fmt::Write as _;

use crate::lab::Lab;

/// Prices day after day; `change` writes the line of one day.
fn prices(header: &str, change: impl Fn(usize, String, f64) -> String) -> String {
    let mut csv = format!("{header}\n");
    for i in 0..120 {
        let day = format!("2001-{:02}-{:02}", i / 12 + 1, i % 12 + 1);
        let _ = writeln!(csv, "{}", change(i, day, 100.0 + 20.0 * (i as f64 * 1.1).sin()));
    }
    csv
}

fn table(change: impl Fn(usize) -> String) -> String {
    let mut csv = "id,x,c,y\n".to_owned();
    for i in 0..1200 {
        let _ = writeln!(csv, "name{i},{i},{},{}", change(i), 3.0 * (i as f64 * 1.3).sin());
    }
    csv
}

fn text(data: &str) -> String {
    format!(
        "name = \"s\"\ninference = {{ enabled = false }}\n[data]\n{data}\n[target]\nlags = 3\n[split]\nkind = \"fraction\"\ntrain = 0.5\n\
         [relevance]\nlow = -0.1\nhigh = 0.1\n[measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.05\n[[models]]\nfamily = \"debug\"\n"
    )
}

fn series(keys: &str) -> String {
    text(&format!("series = [{{ name = \"p\", file = \"p.csv\"{keys} }}]"))
}

fn tables(keys: &str) -> String {
    text(&format!("tables = [{{ name = \"t\", file = \"t.csv\", target = \"y\"{keys} }}]"))
}

#[track_caller]
fn refused(lab: &Lab, text: &str, said: &str) {
    let error = lab.try_plan(text).err().unwrap().to_string();
    assert!(error.contains(said), "{error}");
}

#[test]
fn what_a_message_offers_is_a_key_that_helps() {
    let lab = Lab::new();
    lab.write(
        "p.csv",
        &prices("Date,Close", |i, day, p| if i == 7 { format!("{day},null") } else { format!("{day},{p}") }),
    );
    refused(&lab, &series(""), "\"null\" is not a price; fill the gap, or set missing = \"drop\"");
    let plan = lab.plan(&series(", missing = \"drop\""));
    assert!(
        plan.warnings.iter().any(|w| w.contains("has no \"Close\" and was dropped")),
        "{:?}",
        plan.warnings
    );

    lab.write("p.csv", &prices("Date,Close", |_, day, p| format!("{}/{}/2001,{p}", &day[8..], &day[5..7])));
    refused(&lab, &series(""), "say which: date_format = \"day-first\" or \"month-first\"");
    for format in ["day-first", "month-first", "%d/%m/%Y"] {
        assert_eq!(lab.plan(&series(&format!(", date_format = {format:?}"))).tasks.len(), 1, "{format}");
    }
    refused(
        &lab,
        &series(", date_format = \"dayfirst\""),
        "date_format = \"dayfirst\" is not allowed: give \"day-first\"",
    );

    lab.write("p.csv", &prices("When,Bid,Ask,Traded", |_, day, p| format!("{day},{p},{p},5")));
    refused(&lab, &series(""), "no column looks like the date");
    refused(&lab, &series(", date = \"When\""), "name it in the setting `price`");
    assert_eq!(lab.plan(&series(", date = \"When\", price = \"Bid\"")).tasks.len(), 1);
    let input =
        |text: String| text.replace("lags = 3", "lags = 3\ninputs = [{ kind = \"volume\", lags = 1 }]");
    let named = ", date = \"When\", price = \"Bid\"";
    refused(
        &lab,
        &input(series(named)),
        "target.inputs.1: task 'p 1d': p has no volume column; name it in the setting `volume`",
    );
    assert_eq!(lab.plan(&input(series(&format!("{named}, volume = \"Traded\"")))).tasks.len(), 1);

    lab.write("t.csv", &table(|i| if i == 5 { "x".to_owned() } else { (i % 4).to_string() }));
    refused(
        &lab,
        &tables(""),
        "column \"id\" has more than 1000 levels; if it is an identifier, list it under `ignore`",
    );
    let ignored = ", ignore = [\"id\"]";
    refused(&lab, &tables(ignored), "list \"c\" under `categorical`");
    assert_eq!(lab.plan(&tables(&format!("{ignored}, categorical = [\"c\"]"))).tasks.len(), 1);
    refused(&lab, &tables(", ignore = [\"id\", \"x\", \"c\"]"), "out of `ignore`");
    let bare = text("tables = [\"t.csv\"]");
    refused(&lab, &bare, "{ name = \"t\", file = \"t.csv\", target = ");
}

#[test]
fn a_split_names_its_own_keys() {
    let lab = Lab::new();
    lab.write("p.csv", &prices("Date,Close", |_, day, p| format!("{day},{p}")));
    let split = |keys: &str| series("").replace("kind = \"fraction\"\ntrain = 0.5", keys);
    for (keys, said) in [
        (
            "kind = \"date\"\nat = \"2001-03-01\"\nvalidation_at = \"2001-04-01\"",
            "split.validation_at: 2001-04-01 must be a day before at = 2001-03-01",
        ),
        (
            "kind = \"date\"\nat = \"2001-03-01\"\nuntil = \"2001-03-01\"",
            "split.until: 2001-03-01 must be a day after at = 2001-03-01",
        ),
        (
            "kind = \"fraction\"\ntrain = 0.5\nuntil = \"2001-03-01\"",
            "split.until: belongs to kind = \"date\", not to \"fraction\"",
        ),
        ("kind = \"date\"\nat = \"2031-03-01\"", "`at`"),
        ("kind = \"kfold\"\nfolds = 1000", "folds = 1000 is more than the task's "),
        ("kind = \"growing\"\nwindow = 1000\nstep = 1", "window = 1000 leaves no test row"),
        ("kind = \"kfold\"\nfolds = 1", "split.folds: 1 must be 2 or more"),
        ("kind = \"sliding\"\nwindow = 0\nstep = 1", "split.window: 0 leaves no row to learn from"),
    ] {
        refused(&lab, &split(keys), said);
    }
    // The test period ends where it is told to: the predictions of March alone.
    let march = lab.plan(&split("kind = \"date\"\nat = \"2001-03-01\"\nuntil = \"2001-04-01\""));
    let open = lab.plan(&split("kind = \"date\"\nat = \"2001-03-01\""));
    let dates = |plan: &tailrank_experiment::plan::Plan| {
        let timeline = plan.tasks[0].data.timeline();
        let all = timeline.origin_dates().unwrap();
        let test = &plan.tasks[0].splits[0].test;
        (all[test.first().unwrap()].to_string(), all[test.last().unwrap()].to_string(), test.len())
    };
    let (first, last, rows) = dates(&march);
    assert!(first.starts_with("2001-03") && last.starts_with("2001-03"), "{first} … {last}");
    assert!(rows < dates(&open).2 && dates(&open).0 == first);
    assert_eq!(march.tasks[0].splits[0].train, open.tasks[0].splits[0].train);
    refused(
        &lab,
        &series("").replace("lags = 3", "lags = 3\nhorizons = []"),
        "target.horizons: names no horizon",
    );
    refused(&lab, &series("").replace("lags = 3", "lags = 0"), "target.lags");
}

#[test]
fn a_wide_file_gives_one_series_per_column() {
    let lab = Lab::new();
    lab.write(
        "w.csv",
        &prices("Date,A,B,Note", |i, day, p| {
            if i < 20 { format!("{day},{p},,x") } else { format!("{day},{p},{},x", p + 1.0) }
        }),
    );
    let names = |plan: &tailrank_experiment::plan::Plan| {
        plan.tasks.iter().map(|t| t.name.clone()).collect::<Vec<_>>()
    };
    let plan = lab.plan(&text("series = [{ wide = \"w.csv\" }]"));
    assert_eq!(names(&plan), ["A 1d", "B 1d"]);
    assert!(
        plan.warnings.iter().any(|w| w.contains("column \"B\" has no value in its first 20 rows")),
        "{:?}",
        plan.warnings
    );
    assert!(plan.warnings.iter().any(|w| w.contains("column \"Note\" has no number")), "{:?}", plan.warnings);
    let plan = lab.plan(&text(
        "series = [{ wide = \"w.csv\", symbols = [\"B\"], date = \"Date\", date_format = \"%Y-%m-%d\" }]",
    ));
    assert_eq!(names(&plan), ["B 1d"]);
    refused(&lab, &text("series = [{ wide = \"w.csv\", symbols = [\"C\"] }]"), "data.series.1");
    refused(&lab, &text("series = [{ wide = \"w.csv\", symbols = [] }]"), "symbols = [] names no column");
    refused(
        &lab,
        &text("series = [{ wide = \"w.csv\", price = \"A\" }]"),
        "a key of one form does not fit the other",
    );
}

#[test]
fn volumes_in_words_do_not_stand_in_the_way() {
    let lab = Lab::new();
    lab.write("p.csv", &prices("Date,Price,Vol.", |_, day, p| format!("{day},{p},20.33M")));
    assert_eq!(lab.plan(&series("")).tasks.len(), 1);
    let input = series("").replace("lags = 3", "lags = 3\ninputs = [{ kind = \"volume\", lags = 1 }]");
    refused(&lab, &input, "\"20.33M\" is not a number");
}

#[test]
fn symbols_keep_their_dots() {
    let lab = Lab::new();
    for name in ["BRK.A.csv", "BRK.B.csv"] {
        lab.write(name, &prices("Date,Close", |_, day, p| format!("{day},{p}")));
    }
    let plan = lab.plan(&text("series = [\"BRK.A.csv\", \"BRK.B.csv\"]"));
    assert_eq!(plan.tasks.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["BRK.A 1d", "BRK.B 1d"]);
}

#[test]
fn a_series_that_ends_early_is_told() {
    let lab = Lab::new();
    lab.write("p.csv", &prices("Date,Close", |_, day, p| format!("{day},{p}")));
    let whole = prices("Date,Close", |_, day, p| format!("{day},{p}"));
    lab.write("old.csv", &whole.lines().take(61).map(|l| format!("{l}\n")).collect::<String>());
    let inputs = "lags = 3\ninputs = [{ kind = \"returns\", series = \"old.csv\" }]";
    let plan = lab.plan(&series("").replace("lags = 3", inputs));
    assert!(
        plan.warnings.iter().any(|w| w.contains("input 1: old ends on 2001-05-12, 60 sessions earlier")),
        "{:?}",
        plan.warnings
    );
}

#[test]
fn columns_are_checked_split_by_split() {
    let lab = Lab::new();
    let late = |from: usize| table(|i| if i < from { String::new() } else { format!("level{}", i % 2) });
    lab.write("t.csv", &late(700));
    let ignored = tables(", ignore = [\"id\"]");
    refused(&lab, &ignored, "column \"c\" has no value in the training rows");
    lab.write("t.csv", &table(|i| if i < 700 { "a".to_owned() } else { format!("level{}", i % 5) }));
    let plan = lab.plan(&ignored);
    let told: Vec<&String> = plan.warnings.iter().filter(|w| w.starts_with("t: ")).collect();
    assert_eq!(told.len(), 4, "three levels and how many more: {told:?}");
    assert!(told[3].contains("2 more such levels"), "{told:?}");
}
