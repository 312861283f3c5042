//! The parameter tables in the documentation are those that variants are checked against.
//!
//! `src/<family>/parameters.md` is part of its module's page. `TAILRANK_BLESS=1` rewrites it, prints the
//! difference and fails.

use std::{env, fmt::Write, fs, path::Path};

use tailrank_models::{Family, accepted_parameters, families};

fn table(family: &dyn Family) -> String {
    let mut text =
        String::from("# Parameters\n\n| name | accepts | default | meaning |\n|---|---|---|---|\n");
    for spec in accepted_parameters(family) {
        let cell = |text: String| text.replace('|', "\\|").replace('[', "\\[").replace(']', "\\]");
        let (kind, doc) = (cell(spec.kind.to_string()), cell(spec.doc.to_owned()));
        writeln!(text, "| `{}` | {kind} | `{}` | {doc} |", spec.name, spec.default).unwrap();
    }
    text
}

#[test]
fn every_native_family_documents_its_parameters() {
    let mut changed = String::new();
    for family in families().iter().filter(|f| f.engine() == "native") {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(family.name());
        let page = fs::read_to_string(folder.join("mod.rs")).unwrap();
        let included = page.contains("#![doc = include_str!(\"parameters.md\")]");
        assert!(included, "{}: the page does not show parameters.md", family.name());
        let (path, want) = (folder.join("parameters.md"), table(*family));
        let found = fs::read_to_string(&path).unwrap_or_default();
        for line in found.lines().filter(|l| !want.lines().any(|w| w == *l)) {
            writeln!(changed, "- {}: {line}", family.name()).unwrap();
        }
        for line in want.lines().filter(|l| !found.lines().any(|f| f == *l)) {
            writeln!(changed, "+ {}: {line}", family.name()).unwrap();
        }
        if found != want && env::var_os("TAILRANK_BLESS").is_some() {
            fs::write(path, want).unwrap();
        } else {
            assert!(found == want, "{changed}{} differs; run once with TAILRANK_BLESS=1", path.display());
        }
    }
    assert!(changed.is_empty(), "rewritten:\n{changed}");
}
