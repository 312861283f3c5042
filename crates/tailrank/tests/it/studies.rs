//! Studies are run as a user would, from any folder, and their committed summaries are what comes out.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{Desk, repository, text};

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

/// Whether this processor rounds as the one that made the committed summaries: sums go lane by lane of the widest vectors,
/// and those were AVX2's. A network that is still far from converged turns the last digit into the third.
fn same_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && !is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

#[test]
fn committed_summaries_are_what_the_cheap_studies_find() {
    for study in CHEAP {
        if study != "artificial-returns" && !same_vectors() {
            println!("skipped: {study} was committed from a processor with AVX2 as its widest vectors");
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
    assert_eq!((&first["fitted"], &first["reused"]), (&5.into(), &0.into()));
    assert_eq!((&again["fitted"], &again["reused"]), (&0.into(), &5.into()));
    assert_eq!(first["claims"], again["claims"]);
    assert_eq!(made, files(&desk.path("runs/rec-surfaces/study")));
    // From nothing, with another number of jobs: the same bytes again.
    desk.stdout(&["reproduce", "rec-surfaces", "--quiet", "--jobs", "3", "--out", "fresh"], 0);
    assert_eq!(made, files(&desk.path("fresh/study")));
    assert_eq!(files(&desk.path("runs/rec-surfaces/results")), files(&desk.path("fresh/results")));
}

#[test]
fn claims_fit_eighty_columns_and_count_themselves() {
    let shown = Desk::new().stdout(&["reproduce", "artificial-returns", "--quiet"], 0);
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // Table 3's seven rows, MAD, MSE, recall and precision agree; the text's centres do not.
    assert!(shown.contains("Of 15 claims: 14 agree, 1 differ."), "{shown}");
    assert!(shown.contains("DIFFER  Table 3 is made with adj_L = −1.5"), "{shown}");
    assert!(shown.contains("Total time"), "{shown}");
}

#[test]
fn an_unknown_study_names_the_known_ones() {
    let said = Desk::new().stderr(&["reproduce", "stock-market"], 2);
    assert!(said.contains("'stock-market'") && said.contains("stock-returns, artificial-returns"), "{said}");
}

#[test]
fn studies_are_listed_with_paper_size_and_time() {
    let list = Desk::new().stdout(&["list", "studies"], 0);
    for study in tailrank::studies::studies() {
        let line = list.lines().find(|l| l.split_whitespace().next() == Some(study.id));
        assert!(line.is_some_and(|l| l.contains(study.time)), "{}:\n{list}", study.id);
    }
    assert_eq!(tailrank::studies::studies()[0].id, "stock-returns", "`tailrank reproduce` alone");
}

/// The embedded text is the file of the repository, and every experiment says how it is run.
#[test]
fn experiments_of_studies_are_those_of_the_repository() {
    for study in tailrank::studies::studies() {
        if let tailrank::studies::Kind::Experiment { text, .. } = study.kind {
            let file = repository().join("experiments").join(format!("{}.toml", study.id));
            assert_eq!(fs::read_to_string(file).unwrap(), text);
            assert!(text.contains(&format!("name = \"{}\"", study.id)));
            assert!(text.contains("tailrank reproduce"), "{}", study.id);
        }
    }
}
