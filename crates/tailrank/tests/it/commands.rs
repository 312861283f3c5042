//! Lists fit the terminal and lose nothing.

use crate::Desk;

#[test]
fn lists_fit_eighty_columns_and_cut_nothing() {
    let desk = Desk::new();
    for what in ["models", "metrics", "data"] {
        let list = desk.stdout(&["list", what], 0);
        for line in list.lines() {
            assert!(line.chars().count() <= 80, "{what}: {} columns: {line}", line.chars().count());
        }
    }
    let metrics = desk.stdout(&["list", "metrics"], 0);
    let unbroken = |text: &str| text.split_whitespace().collect::<String>();
    for measure in tailrank::metrics::registry::MEASURES {
        assert!(metrics.lines().any(|l| l.split_whitespace().next() == Some(measure.id)), "{}", measure.id);
        assert!(unbroken(&metrics).contains(&unbroken(measure.formula)), "{}", measure.formula);
    }
    let models = desk.stdout(&["list", "models"], 0);
    assert!(
        models.contains("\nsvm (engine native, default)") && models.contains("\ncommand: any program"),
        "{models}"
    );
    assert!(!models.contains("debug"), "the debug family is hidden");
}

#[test]
fn the_schema_is_json() {
    let schema: serde_json::Value =
        serde_json::from_str(&Desk::new().stdout(&["list", "schema"], 0)).unwrap();
    assert!(schema["properties"]["models"].is_object());
}

#[test]
fn lists_are_json_for_scripts() {
    let desk = Desk::new();
    for (what, key) in [("models", "family"), ("metrics", "id"), ("studies", "study"), ("data", "name")] {
        let list: serde_json::Value =
            serde_json::from_str(&desk.stdout(&["list", what, "--json"], 0)).unwrap();
        assert!(list.as_array().unwrap().iter().all(|entry| entry[key].is_string()), "{what}: {list}");
    }
}
