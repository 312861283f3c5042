//! Finds every unknown key of an experiment file, with its line and the nearest known name.

use std::fmt;

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::Experiment;

/// One thing wrong with an experiment file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1; 0 when the problem has no single line.
    pub line: usize,
    /// Dotted path of the key, such as `models.2.grid`.
    pub key: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl Problem {
    /// A problem of a section as a whole.
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: 0, key: key.into(), message: message.into() }
    }

    pub(super) fn from_toml(text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        Self { line, key: String::new(), message: error.message().to_owned() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

/// Every key that no section knows, with the places of the keys in the text.
pub(super) fn unknown_keys(text: &str, table: &DeTable<'_>) -> Vec<(usize, Problem)> {
    let root = Experiment::json_schema();
    let mut walk = Walk { text, root: &root, problems: Vec::new() };
    walk.table(table, &root, "");
    walk.problems
}

struct Walk<'a> {
    text: &'a str,
    root: &'a Value,
    problems: Vec<(usize, Problem)>,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, schema: &Value, path: &str) {
        let schemas = object_schemas(self.root, schema);
        if schemas.is_empty() {
            return;
        }
        for (key, value) in table {
            let name: &str = key.get_ref();
            let at = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let known = schemas.iter().find_map(|s| s["properties"].get(name));
            let free = schemas.iter().find_map(|s| s.get("additionalProperties").filter(|a| a.is_object()));
            match known.or(free) {
                Some(inner) => self.value(value.get_ref(), inner, &at),
                None if schemas.iter().any(|s| is_open(s)) => {}
                None => {
                    let (place, message) = (key.span().start, suggestion(name, &schemas));
                    let line = line_of(self.text, place);
                    self.problems.push((place, Problem { line, key: at, message }));
                }
            }
        }
    }

    fn value(&mut self, value: &DeValue<'_>, schema: &Value, path: &str) {
        match value {
            DeValue::Table(inner) => self.table(inner, schema, path),
            DeValue::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    for items_schema in array_items(self.root, schema) {
                        self.value(item.get_ref(), items_schema, &format!("{path}.{}", i + 1));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The object forms a schema allows, behind references and alternatives.
fn object_schemas<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    forms(root, schema)
        .into_iter()
        .filter(|s| s["type"] == "object" || s.get("properties").is_some())
        .collect()
}

fn array_items<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    forms(root, schema).into_iter().filter_map(|s| s.get("items")).collect()
}

fn forms<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        return forms(root, &root["$defs"][name]);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(list) = schema[key].as_array() {
            return list.iter().flat_map(|s| forms(root, s)).collect();
        }
    }
    vec![schema]
}

/// A map with free keys, such as a grid's parameters, which its family checks.
fn is_open(schema: &Value) -> bool {
    schema.get("additionalProperties").is_some_and(|a| a == &Value::Bool(true))
}

fn suggestion(name: &str, schemas: &[&Value]) -> String {
    let known: Vec<&str> = schemas
        .iter()
        .filter_map(|s| s["properties"].as_object())
        .flat_map(|p| p.keys().map(String::as_str))
        .collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown key; did you mean '{near}'?"),
        None => format!("unknown key; known here: {}", known.join(", ")),
    }
}

/// The most similar known name, if one is similar at all.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|k| (strsim::jaro_winkler(k, name), k))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k)
}

pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        match Experiment::parse(text) {
            Ok(_) => Vec::new(),
            Err(list) => list.iter().map(ToString::to_string).collect(),
        }
    }

    const GOOD: &str = r#"
name = "t"
[data]
series = ["KO", { name = "mine", file = "mine.csv" }]
[split]
kind = "date"
at = "1990-01-01"
[[models]]
family = "nnet"
grid = { size = [5, 10], decay = 0.1 }
"#;

    #[test]
    fn a_good_file_has_no_problem() {
        assert_eq!(problems(GOOD), Vec::<String>::new());
    }

    #[test]
    fn every_unknown_key_is_named_with_its_line() {
        let text = GOOD.replace("at =", "att =").replace("family", "famly").replace("file =", "flie =");
        assert_eq!(
            problems(&text),
            [
                "line 4: data.series.2.flie: unknown key; did you mean 'file'?",
                "line 7: split.att: unknown key; did you mean 'at'?",
                "line 9: models.1.famly: unknown key; did you mean 'family'?",
            ]
        );
    }

    #[test]
    fn broken_toml_names_the_line() {
        let found = problems("name = \"t\"\nseed = = 3\n");
        assert!(found[0].starts_with("line 2: "), "{found:?}");
    }
}
