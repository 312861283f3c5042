//! Names are data: whatever they hold, they come back from the tables as they were and no path is made of
//! them.

use tailrank_data::frame::{self, Column};

use crate::lab::{FRAME, Lab, Unsynced, snapshot, whole};

/// In CSV no letter moves a cursor and no cell is run by a spreadsheet.
fn for_people(name: &str) -> String {
    let plain = name.replace('\n', "\\n").replace('\0', "\\u{0}");
    if name.starts_with('=') { format!("'{plain}") } else { plain }
}

#[test]
fn names_never_become_paths() {
    let long = "x".repeat(5000);
    let names = [
        "../x",
        "/etc/passwd",
        "a\"quote\", and comma",
        "<script>alert(1)</script>",
        "línea 日本 \u{202e}",
        "two\nlines",
        "nul\u{0}byte",
        "=HYPERLINK(1)",
        &long,
    ];
    let toml = |s: &str| serde_json::to_string(s).unwrap().replace('\u{7f}', "");
    let tables: Vec<String> =
        names.iter().map(|n| format!("{{ name = {}, file = \"a.csv\", target = \"y\" }}", toml(n))).collect();
    let models: String =
        names.iter().map(|n| format!("[[models]]\nfamily = \"debug\"\nlabel = {}\n", toml(n))).collect();
    let lab = Lab::new();
    let plan = lab.plan(&format!("{FRAME}\n[data]\ntables = [{}]\n{models}", tables.join(", ")));
    let root = lab.path("deep/run");
    let before = snapshot(&lab.path(""));
    whole(&plan, &root, &Unsynced, 2).unwrap();

    for path in snapshot(&lab.path("")).keys().filter(|p| !before.contains_key(*p)) {
        let text = path.to_str().unwrap();
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b));
        assert!(text.starts_with("deep/run/") && !text.contains("..") && text.len() < 150 && plain, "{text}");
    }
    for ending in ["csv", "parquet"] {
        let bytes = std::fs::read(root.join(format!("results/scores.{ending}"))).unwrap();
        let table = frame::read("scores", &bytes).unwrap();
        let column = |name: &str| match table.column(name) {
            Some(Column::Text(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        let (tasks, variants) = (column("task"), column("model"));
        assert_eq!(tasks.len(), names.len() * names.len());
        for (row, (task, variant)) in tasks.iter().zip(&variants).enumerate() {
            let expected = [names[row / names.len()], names[row % names.len()]].map(|name| match ending {
                "csv" => for_people(name),
                _ => name.to_owned(),
            });
            assert_eq!([task, variant], expected.each_ref());
        }
    }
}
