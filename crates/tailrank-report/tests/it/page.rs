//! The page of a tiny run: golden files, hostile names, the same bytes twice.
//!
//! `TAILRANK_BLESS=1 cargo test` rewrites the golden files. What the scripts do is tested in a real browser
//! by `scripts/check/browser.py`.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use tailrank_data::Library;
use tailrank_experiment::plan::Plan;
use tailrank_models::Cancel;
use tailrank_report::{
    PageInput, TaskPages, Written,
    claims::{Claim, PaperFigure, Standing, Tag},
    write_report,
};
use tailrank_runner::{
    run::{RunOptions, run},
    store::{Store, disk::RealDisk},
};
use tailrank_score::score::{Results, results};

/// A series whose returns are exact quotients of whole numbers.
fn series() -> String {
    let mut text = String::from("Date,Close\n");
    for i in 0_u32..150 {
        let (month, day) = (i / 28 + 1, i % 28 + 1);
        let price = 100 + (i * 37) % 23 + (i * i) % 11;
        text.push_str(&format!("2001-{month:02}-{day:02},{price}\n"));
    }
    text
}

fn experiment(name: &str, series: &str, label: &str) -> String {
    // Literal strings of TOML keep quotes and backslashes as they are.
    format!(
        "name = '''{name}'''\ntitle = '''{name}'''\nseed = 5\n\
         [data]\nseries = [{{ name = '''{series}''', file = \"prices.csv\" }}]\n\
         [target]\nhorizons = [1, 3]\nlags = 3\n\
         [split]\nkind = \"fraction\"\ntrain = 0.6\n\
         [relevance]\nlow = -0.1\nhigh = 0.1\n\
         [measures]\nlist = [\"mad\", \"precision\", \"recall\", \"f\", \"utility\"]\nt_l = 0.05\n\
         [compare]\npairs = [[\"mad\", \"f\"]]\ntop = 2\npermutations = 100\n\
         [trading]\nthreshold = 0.1\n\
         [[models]]\nfamily = \"baseline\"\nvariants = [{{ kind = \"mean\" }}, {{ kind = \"last\" }}, {{ kind = \"zero\" }}]\n\
         [[models]]\nfamily = \"debug\"\nlabel = '''{label}'''\nvariants = [{{ fault = \"error\" }}, {{ fault = \"not_converged\" }}]\n"
    )
}

/// Runs an experiment in `folder` and hands over what a report is made from.
fn with_run<T>(folder: &Path, text: &str, then: impl FnOnce(&Plan, &Results, &Store<'_>) -> T) -> T {
    fs::write(folder.join("prices.csv"), series()).unwrap();
    let plan = Plan::from_text(text, Path::new("experiment.toml"), folder, &Library::default()).unwrap();
    let plan = Arc::new(plan);
    let store = Store::open(&RealDisk, &folder.join("run"), text, &plan.experiment.name).unwrap();
    let options = RunOptions { jobs: 1, ..RunOptions::default() };
    run(&plan, &store, &options, &Cancel::default(), &mut ()).unwrap();
    let found = results(&plan, &store).unwrap();
    then(&plan, &found, &store)
}

fn report(folder: &Path, text: &str, claims: &[Claim]) -> (Written, BTreeMap<String, String>) {
    report_of(folder, text, claims, &TaskPages::Chosen)
}

fn report_of(
    folder: &Path,
    text: &str,
    claims: &[Claim],
    pages: &TaskPages,
) -> (Written, BTreeMap<String, String>) {
    let out = folder.join("report");
    let written = with_run(folder, text, |plan, results, store| {
        let source = PageInput { claims, pages, ..PageInput::of_run(plan, results, store) };
        write_report(source, &out).unwrap()
    });
    (written, read(&out, &out))
}

fn read(root: &Path, folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.append(&mut read(root, &path));
        } else if let Some(text) = crate::packed::text(fs::read(&path).unwrap()) {
            files.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), text);
        }
    }
    files
}

fn claims() -> Vec<Claim> {
    let claim = |tag, says: &str, standing| Claim {
        tag,
        source: "PR09 §5.2".to_owned(),
        says: says.to_owned(),
        found: "what was found".to_owned(),
        evidence: "2 of 2 tasks".to_owned(),
        standing,
    };
    vec![
        claim(Tag::Identity, "an area is a mean", Standing::Agree),
        claim(Tag::Finding, "the winner changes", Standing::Agree),
        claim(Tag::Finding, "ranks are opposed", Standing::Differ),
        claim(Tag::Finding, "it is far ahead", Standing::TooClose),
        claim(Tag::Finding, "it pays", Standing::NotTestable),
    ]
}

#[test]
fn the_page_of_a_tiny_run_is_the_golden_one() {
    let folder = tempfile::tempdir().unwrap();
    let (written, files) = report(folder.path(), &experiment("tiny", "TOY", "debug"), &claims());
    assert_eq!(written.index, folder.path().join("report/index.html"));
    // Findings alone are counted, and stand before the rest.
    let page = &files["index.html"];
    let counted = "Of the paper's 4 findings: 1 agree, 1 differ, 1 too close to call, 1 not testable.";
    assert!(page.contains(counted), "the count of the findings");
    assert!(page.find("it pays") < page.find("an area is a mean"));
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for name in ["index.html", "tasks/1.js"] {
        let path = golden.join(name.replace('/', "_"));
        // A line for every element, so that differences can be read.
        let found = files[name].replace("><", ">\n<");
        if std::env::var_os("TAILRANK_BLESS").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap();
        let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
        assert!(found == expected, "{name} differs from {} at line {line:?}", path.display());
    }
}

#[test]
fn every_figure_of_a_paper_stands_beside_its_claim() {
    let folder = tempfile::tempdir().unwrap();
    // As a study hands them over: the one of its summary first.
    let figures: Vec<PaperFigure> = [9, 1, 2, 3, 4, 5, 6, 7, 8]
        .map(|n| PaperFigure {
            name: format!("fig_{n}"),
            title: format!("<b>finding {n}</b>"),
            svg: format!("<svg><title>{n}</title></svg>"),
        })
        .into();
    let claim = |n: usize| Claim {
        source: format!("REC05 §3, Fig. {n}"),
        says: format!("what is said of {n}"),
        evidence: format!("rule {n}"),
        ..claims().remove(0)
    };
    let claims: Vec<Claim> = [5, 9, 15].map(claim).into();
    let out = folder.path().join("report");
    with_run(folder.path(), &experiment("tiny", "TOY", "debug"), |plan, results, store| {
        let run = PageInput::of_run(plan, results, store);
        write_report(PageInput { claims: &claims, paper_figures: &figures, ..run }, &out).unwrap();
    });
    let files = read(&out, &out);
    let page = &files["index.html"];
    let places: Vec<usize> = (1..=9)
        .map(|n| {
            assert_eq!(
                files[&format!("figures/paper-fig_{n}.svg")],
                format!("<svg><title>{n}</title></svg>")
            );
            assert!(page.contains(&format!("<img src=\"figures/paper-fig_{n}.svg\"")));
            page.find(&format!("Fig. {n}: <code>fig_{n}.svg</code>")).unwrap()
        })
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    let said = |n: usize| page.rfind(&format!("what is said of {n}")).unwrap();
    assert!((places[4]..places[5]).contains(&said(5)) && said(9) > places[8]);
    assert!(page[places[4]..places[5]].contains("rule 5"));
    assert!(said(15) < places[0], "Fig. 15 is not Fig. 1");
    assert!(!page.contains("<b>finding"), "a title became markup");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let text = experiment("tiny", "TOY", "debug");
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (_, a) = report(first.path(), &text, &[]);
    let (_, b) = report(second.path(), &text, &[]);
    assert!(a.contains_key("plotly.js"));
    assert!(a.contains_key("tasks/1.js") && a.contains_key("tasks/2.js"));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, text) in &a {
        assert!(*text == b[name], "{name} differs from run to run");
    }
}

#[test]
fn names_are_text_wherever_they_stand() {
    let name = "</script><script>alert(1)</script>";
    let label = "<img src=x onerror=alert(2)> \"q\" <!-- & %{x}";
    let folder = tempfile::tempdir().unwrap();
    let mut evil = claims();
    evil[0].says = "<b onmouseover=\"alert(3)\">says</b>".to_owned();
    let (_, files) = report(folder.path(), &experiment(name, "<svg/onload=alert(4)>", label), &evil);
    let page = &files["index.html"];
    for markup in ["<script>alert", "<img src=x", "<svg/onload", "<b on", "<!-- &"] {
        assert!(!page.contains(markup), "{markup} came through");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(2)&gt; &quot;q&quot; &lt;!-- &amp; %{x}"));
    // One script is loaded by name, one element holds data; nothing else is a script.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!files["tasks/1.js"].contains('<'), "the task's file holds markup");
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    assert!(files.keys().all(|f| f.chars().all(plain) && !f.contains("..")), "a name became a path");
}

#[test]
fn failures_undefined_scores_and_settings_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = experiment("tiny", "TOY", "debug").replace("train = 0.6\n", "train = 0.6\nleak = \"paper\"\n");
    let (_, files) = report(folder.path(), &text, &[]);
    let page = &files["index.html"];
    assert!(page.contains("failed on demand"));
    assert!(page.contains("2 failed, 2 stopped at an iteration limit"), "the facts count what went wrong");
    assert!(page.contains("class=\"stamp\"><strong>leak = &quot;paper&quot;</strong>: 2 training rows"));
    assert!(page.contains("descriptive: neighbours in a grid are not independent"));
    assert!(page.contains("data fingerprint") && page.contains("t_E = 0.5") && page.contains("seed"));
    assert!(page.contains("lags = 3"), "the experiment's text is there");
    assert!(files["tasks/1.js"].contains("no prediction reaches the event threshold"));
    assert!(!page.contains("id=\"claims\""), "no claims, no table of claims");
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing points to a network");
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("mine");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("notes.txt"), "keep").unwrap();
    let refused = with_run(folder.path(), &experiment("tiny", "TOY", "debug"), |plan, results, store| {
        write_report(PageInput::of_run(plan, results, store), &out).unwrap_err().to_string()
    });
    assert!(refused.contains("give another folder"), "{refused}");
    assert_eq!(fs::read_to_string(out.join("notes.txt")).unwrap(), "keep");
}

/// The numbers on the page that say which entry of the JSON they are, with their exact values.
fn told(page: &str) -> Vec<(String, f64)> {
    let parts = page.split("<span data-json=\"").skip(1).filter_map(|rest| {
        let (key, rest) = rest.split_once("\" title=\"")?;
        Some((key.to_owned(), rest.split_once('"')?.0.parse().ok()?))
    });
    parts.collect()
}

#[test]
fn the_card_stands_first_and_its_numbers_are_those_of_the_json() {
    let folder = tempfile::tempdir().unwrap();
    // Models that catch events, so that a card has numbers to tell.
    let signals = "[[models]]\nfamily = \"knn\"\nvariants = [{ k = 1 }, { k = 3 }]\n";
    let (_, files) = report(folder.path(), &(experiment("tiny", "TOY", "debug") + signals), &[]);
    let page = &files["index.html"];
    let headings: Vec<&str> = page
        .split("<h2")
        .skip(1)
        .filter_map(|h| h.split_once('>')?.1.split_once("</h2>").map(|(h, _)| h))
        .collect();
    assert!(headings[0].starts_with("NO MODEL") || headings[0].starts_with("USE "), "{headings:?}");
    assert!(headings.iter().all(|h| !h.ends_with(':')), "{headings:?}");
    let summary: serde_json::Value = serde_json::from_str(&files["tables/summary.json"]).unwrap();
    let decisions = summary["decisions"].as_array().unwrap();
    let told = told(page);
    assert!(told.len() > 5, "{told:?}");
    for (key, value) in &told {
        let is_there = decisions.iter().any(|d| d[key].as_f64() == Some(*value));
        assert!(is_there, "{key} {value} is not in {decisions:?}");
    }
    // The badge and the rest of its sentence are two elements.
    let words = page.replace("</h2><p class=\"gain\">", " ");
    let of_tasks = summary["tasks_in_words"].as_array().unwrap().iter().map(|t| &t["sentences"]);
    for said in of_tasks.chain([&summary["sentences"]]) {
        for sentence in said.as_array().unwrap() {
            let sentence = sentence.as_str().unwrap().replace('<', "&lt;");
            assert!(words.contains(&sentence), "{sentence}");
        }
    }
}

#[test]
fn one_file_holds_the_whole_page() {
    let folder = tempfile::tempdir().unwrap();
    let text = experiment("tiny", "TOY", "debug");
    let [one, two] = ["one.html", "two.html"].map(|name| {
        let path = folder.path().join(name);
        let bytes = with_run(folder.path(), &text, |plan, results, store| {
            tailrank_report::write_single_file(PageInput::of_run(plan, results, store), &path).unwrap()
        });
        let page = fs::read_to_string(&path).unwrap();
        assert_eq!(bytes, page.len() as u64);
        page
    });
    assert_eq!(one, two);
    assert!(one.len() < 6_000_000, "{} bytes", one.len());
    assert!(!one.contains(" src=\"figures/") && !one.contains("src=\"report.js\""), "something is outside");
    assert!(one.contains("data-file=\"tasks/2.js\"") && one.contains("data-src=\"figures/"));
}

#[test]
fn a_page_is_written_for_the_tasks_that_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = experiment("tiny", "TOY", "debug");
    let named = |names: &[&str]| TaskPages::Named(names.iter().map(|&n| n.to_owned()).collect());
    let (written, files) = report_of(folder.path(), &text, &[], &named(&["TOY 3d"]));
    assert!(!files.contains_key("tasks/1.js") && files.contains_key("tasks/2.js"));
    assert!(
        files.keys().all(|name| !name.starts_with("figures/1-") && !name.starts_with("tables/scores-1-"))
    );
    let page = &files["index.html"];
    assert!(
        page.contains("#task=2\"") && !page.contains("#task=1\""),
        "only the page that is there is linked"
    );
    assert!(page.contains("1 of 2 tasks have a page") && page.contains("\"pages\":[2]"));
    assert!(written.notices.iter().any(|n| n.contains("--task-pages all")), "{written:?}");
    // All tasks stand in the tables over all tasks.
    assert!(files["tables/scores.csv"].contains("TOY 1d,"), "{}", files["tables/scores.csv"]);
    let refused = with_run(folder.path(), &text, |plan, results, store| {
        let source = PageInput { pages: &named(&["TOY 2d"]), ..PageInput::of_run(plan, results, store) };
        write_report(source, &folder.path().join("other")).unwrap_err().to_string()
    });
    assert_eq!(refused, "no task is called 'TOY 2d'; the tasks are TOY 1d, TOY 3d");
}

#[test]
fn of_very_many_tasks_those_get_a_page_that_the_answer_points_at() {
    let folder = tempfile::tempdir().unwrap();
    let series: Vec<String> =
        (0..=TaskPages::MANY / 2).map(|i| format!("{{ name = \"S{i}\", file = \"prices.csv\" }}")).collect();
    let text = experiment("many", "TOY", "debug").replace(
        "series = [{ name = '''TOY''', file = \"prices.csv\" }]",
        &format!("series = [{}]", series.join(", ")),
    ) + "[inference]\nenabled = false\n";
    let (_, files) = report(folder.path(), &text, &[]);
    let pages = files.keys().filter(|name| name.starts_with("tasks/")).count();
    assert_eq!(pages, TaskPages::CHOSEN);
    let page = &files["index.html"];
    assert!(page.contains(&format!("{} of {} tasks have a page", TaskPages::CHOSEN, 2 * series.len())));
    assert!(page.contains("S50 3d"), "every task has its line");
    // Without inference nothing is clear: those where the other choice costs most come first.
    let mut lines = files["tables/comparisons.csv"].lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = head.iter().position(|h| *h == "regret").unwrap();
    let regret = |line: &str| line.split(',').nth(at).unwrap().parse().unwrap_or(0.0);
    let mut costs: Vec<(usize, f64)> = (1..).zip(lines.map(regret)).collect();
    costs.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut dearest: Vec<String> =
        costs[..TaskPages::CHOSEN].iter().map(|c| format!("tasks/{}.js", c.0)).collect();
    dearest.sort();
    let written: Vec<&String> = files.keys().filter(|name| name.starts_with("tasks/")).collect();
    assert_eq!(written, dearest.iter().collect::<Vec<_>>());
    let (all, files) = report_of(folder.path(), &text, &[], &TaskPages::All);
    let record: serde_json::Value = serde_json::from_str(&files["files.json"]).unwrap();
    assert!(record["files"].as_object().unwrap().len() > 102 * 10, "{all:?}");
}
