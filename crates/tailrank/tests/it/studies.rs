//! Studies are run as a user would, from any folder, and their committed summaries are what comes out.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{Desk, outputs, repository, text, words};

/// Studies that take seconds; `scripts/summaries.sh --check` compares the others.
const CHEAP: [&str; 2] = ["artificial-returns", "rec-surfaces"];

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Whether this processor rounds as the one that made the committed summaries: fits agree to the last bit
/// wherever there are fused operations of 256 bits. A network that is still far from converged turns the last
/// digit into the third.
pub(crate) fn same_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

#[test]
fn committed_summaries_are_what_the_cheap_studies_find() {
    for study in CHEAP {
        if study != "artificial-returns" && !same_vectors() {
            let why = "was committed from a processor with AVX2 and FMA";
            crate::skipped::for_good_reason(&format!("{study} {why}"));
            continue;
        }
        let desk = Desk::new();
        desk.stdout(&["reproduce", study, "--quiet"], 0);
        let found = files(&desk.path(&format!("runs/{study}/study")));
        let committed = files(&repository().join("results").join(study));
        assert!(committed.contains_key(Path::new("claims.md")), "{study} has no committed summary");
        for (path, bytes) in committed {
            let now =
                found.get(&path).unwrap_or_else(|| panic!("{study}: {} is no longer made", path.display()));
            assert!(
                *now == bytes,
                "results/{study}/{} differs; scripts/summaries.sh {study} writes it anew.\n{}",
                path.display(),
                text(now)
            );
        }
    }
}

#[test]
fn every_study_has_a_committed_summary_whose_links_are_there() {
    for study in tailrank::studies::studies() {
        let folder = repository().join("results").join(study.id);
        let claims =
            fs::read_to_string(folder.join("claims.md")).unwrap_or_else(|e| panic!("{}: {e}", study.id));
        assert!(claims.contains("| agree |") || claims.contains("| differ |"), "{claims}");
        // Three sentences and the count of the paper's findings stand before the claims.
        let before = claims.split("\n|").next().unwrap();
        let paragraphs: Vec<&str> = before.split("\n\n").map(str::trim).collect();
        let source = ["The paper says", "The book says", "The literature says"];
        assert!(source.iter().any(|s| paragraphs[2].starts_with(s)), "{before}");
        assert!(paragraphs[2].matches(". ").count() >= 2, "{before}");
        let counted = paragraphs
            .iter()
            .any(|p| p.starts_with("Of the paper's ") || p.starts_with("The paper's one finding"));
        assert!(counted, "{before}");
        for link in claims.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            assert!(folder.join(link).is_file(), "{}: {link}", study.id);
        }
        for (path, bytes) in files(&folder) {
            assert!(bytes.len() < 300_000, "{}/{} has {} bytes", study.id, path.display(), bytes.len());
        }
    }
}

#[test]
fn a_study_run_again_says_the_same_and_fits_nothing() {
    let desk = Desk::new();
    let first: Value =
        serde_json::from_str(&desk.stdout(&["reproduce", "rec-surfaces", "--json", "--jobs", "2"], 0))
            .unwrap();
    let made = files(&desk.path("runs/rec-surfaces/study"));
    let again: Value =
        serde_json::from_str(&desk.stdout(&["reproduce", "rec-surfaces", "--json", "--jobs", "1"], 0))
            .unwrap();
    // The page is that of the first test period; the two others are fitted beside it.
    assert_eq!((&first["fitted"], &first["reused"]), (&5.into(), &0.into()));
    assert_eq!((&again["fitted"], &again["reused"]), (&0.into(), &5.into()));
    assert!(desk.path("runs/rec-surfaces/other-2/results/scores.csv").is_file());
    assert_eq!(first["claims"], again["claims"]);
    assert_eq!(made, files(&desk.path("runs/rec-surfaces/study")));
    // From nothing, with another number of jobs: the same bytes again.
    desk.stdout(&["reproduce", "rec-surfaces", "--quiet", "--jobs", "3", "--out", "fresh"], 0);
    assert_eq!(made, files(&desk.path("fresh/study")));
    assert_eq!(outputs(&desk.path("runs/rec-surfaces")), outputs(&desk.path("fresh")));
}

#[test]
fn a_calculation_has_a_page_with_its_claims_tables_and_figures() {
    let desk = Desk::new();
    let shown = desk.stdout(&["reproduce", "artificial-returns", "--quiet"], 0);
    let report = "runs/artificial-returns/report/index.html";
    assert!(shown.contains(&format!("\n Report  {report}\n")), "{shown}");
    let page = desk.read(report);
    let found: Value = serde_json::from_str(&desk.read("runs/artificial-returns/study/claims.json")).unwrap();
    let claims = found["claims"].as_array().unwrap();
    assert_eq!(page.matches("<tr><td><span class=\"standing").count(), claims.len());
    assert!(!page.contains("<script") && page.contains("<th scope=\"col\">"), "{page}");
    let (mut tables, mut figures) = (0, 0);
    for path in files(&desk.path("runs/artificial-returns/study")).into_keys() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        match path.extension().and_then(|e| e.to_str()) {
            Some("csv") => tables += 1,
            Some("svg") => {
                figures += 1;
                let file = format!("figures/paper-{name}.svg");
                assert!(page.contains(&format!("<img src=\"{file}\"")), "{file}");
                assert!(desk.path("runs/artificial-returns/report").join(file).is_file());
            }
            _ => {}
        }
    }
    assert!(
        figures > 0 && page.matches("<tbody>").count() == tables + 1,
        "{tables} tables, {figures} figures"
    );
}

#[test]
fn claims_fit_eighty_columns_and_count_themselves() {
    let desk = Desk::new();
    let shown = desk.stdout(&["reproduce", "artificial-returns", "--quiet"], 0);
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(shown.lines().count() <= 24, "{shown}");
    // Where the errors are, and what recall and precision make of it; the rest is arithmetic or set-up, and
    // comes after.
    assert!(shown.contains("\nOf the paper's 4 findings: 4 agree.\n"), "{shown}");
    assert!(shown.contains(" differ    Table 3 is made with adj_L = −1.5"), "{shown}");
    let place = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text}\n{shown}"));
    assert!(
        place("Recall is 0.178") < place("Table 3 is made with")
            && place("Table 3 is made with") < place("Both models have the same MAD")
    );
    // What is not shown is counted, and stands where the last line says.
    let lines = shown.lines().filter(|l| l.starts_with(" agree") || l.starts_with(" differ")).count();
    let claims = desk.read("runs/artificial-returns/study/claims.md");
    let all = claims.lines().filter(|l| l.starts_with("| agree |") || l.starts_with("| differ |")).count();
    assert!(lines < all, "{claims}");
    let more = format!(" … {} more in runs/artificial-returns/study/claims.md", all - lines);
    assert!(shown.contains(&more) && shown.contains(" · 0."), "{more}\n{shown}");
}

#[test]
fn an_unknown_study_names_the_known_ones() {
    let said = words(&Desk::new().stderr(&["reproduce", "stock-market"], 2));
    assert!(said.contains("'stock-market'") && said.contains("stock-returns, artificial-returns"), "{said}");
}

#[test]
fn studies_are_listed_with_paper_size_and_time() {
    let list = Desk::new().stdout(&["list", "studies"], 0);
    for study in tailrank::studies::studies() {
        let line = list.lines().find(|l| l.split_whitespace().next() == Some(study.id));
        let seconds =
            study.cpu_seconds().unwrap_or_else(|| panic!("{}: scripts/summaries.sh --times", study.id));
        let shown = format!(" {} s ", seconds.ceil());
        assert!(line.is_some_and(|l| l.contains(&shown)), "{}:\n{list}", study.id);
    }
    assert_eq!(tailrank::studies::studies()[0].id, "stock-returns", "`tailrank reproduce` alone");
}

/// The embedded text is the file of the repository, and every experiment says how it is run.
#[test]
fn experiments_of_studies_are_those_of_the_repository() {
    for study in tailrank::studies::studies() {
        if let tailrank::studies::Kind::Experiment { text, others, .. } = study.kind {
            let file = repository().join("experiments").join(format!("{}.toml", study.id));
            assert_eq!(fs::read_to_string(file).unwrap(), text);
            assert!(text.contains(&format!("name = \"{}\"", study.id)));
            assert!(text.contains("tailrank reproduce"), "{}", study.id);
            assert_eq!(others(text).len(), if study.id == "rec-surfaces" { 2 } else { 0 }, "{}", study.id);
            assert!(others(text).iter().all(|other| other != text), "{}", study.id);
        }
    }
}

/// With Boeing's full history, the paper's own split runs and its Fig. 2 comes out. The quotes may not be
/// passed on.
#[test]
fn figure_2_with_boeings_full_history() {
    let Some(quotes) = crate::skipped::check_data("quotes/quotes_1970_2008.csv") else { return };
    let quotes = fs::read_to_string(quotes).unwrap();
    let desk = Desk::new();
    let head: Vec<&str> = quotes.lines().next().unwrap().split(',').collect();
    let column = head.iter().position(|h| *h == "BA").unwrap();
    let mut own = String::from("Date,Close\n");
    for line in quotes.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        own.push_str(&format!("{},{}\n", cells[0], cells[column]));
    }
    assert_eq!(own.lines().count(), 1 + 9725);
    fs::create_dir_all(desk.path("quotes")).unwrap();
    desk.write("quotes/BA.csv", &own);
    // The study's own experiment, for Boeing and three days alone.
    let text = fs::read_to_string(repository().join("experiments/stock-returns.toml")).unwrap();
    let text = text
        .replace("series = [\"IBM\", \"KO\", \"BA\", \"GM\"]", "series = [\"BA\"]")
        .replace("horizons = [1, 3, 5]", "horizons = [3]");
    desk.write("boeing.toml", &text);
    let said = desk.stdout(&["check", "boeing.toml", "--data", "quotes"], 0);
    assert!(said.contains("1990-01-0"), "the split by rows is the paper's by date:\n{said}");
    desk.stdout(&["run", "boeing.toml", "--data", "quotes", "--no-report", "--quiet"], 0);
    let scores = fs::read_to_string(desk.path("runs/stock-returns/results/scores.csv")).unwrap();
    let head: Vec<&str> = scores.lines().next().unwrap().split(',').collect();
    // Parameters may hold commas: columns are counted from the end.
    let cell = |line: &str, name: &str| {
        let from_end = head.len() - head.iter().position(|h| *h == name).unwrap();
        let cells: Vec<&str> = line.split(',').collect();
        cells[cells.len() - from_end].to_owned()
    };
    let models: Vec<(&str, Option<f64>, Option<f64>, String)> = scores
        .lines()
        .skip(1)
        .filter(|l| !l.contains("baseline"))
        .map(|l| {
            let number = |name: &str| cell(l, name).parse::<f64>().ok();
            (l.split(',').nth(1).unwrap(), number("mad"), number("f"), cell(l, "signals"))
        })
        .collect();
    assert_eq!(models.len(), 57);
    let of = |name: &str| models.iter().find(|m| m.0 == name).unwrap_or_else(|| panic!("{name}"));
    let by_mad = |name: &str| 1 + models.iter().filter(|m| m.1 < of(name).1).count();
    let by_f = |name: &str| 1 + models.iter().filter(|m| m.2 > of(name).2).count();
    // Which network leads hangs on its random start: all fifteen lie within 0.2 %, and none signals.
    let first = models.iter().find(|m| by_mad(m.0) == 1).unwrap();
    assert!(first.0.starts_with("nnet ") && first.3 == "0", "{first:?}");
    let networks: Vec<_> = models.iter().filter(|m| m.0.starts_with("nnet ")).collect();
    assert!(
        networks.len() == 15
            && networks.iter().all(|m| m.3 == "0" && m.1.unwrap() < 1.002 * first.1.unwrap())
    );
    assert_eq!(
        (by_f("svm 400/0.01"), format!("{:.4}", of("svm 400/0.01").2.unwrap())),
        (1, "0.0370".to_owned())
    );
    assert_eq!(by_mad("svm 400/0.01"), 54);
}
