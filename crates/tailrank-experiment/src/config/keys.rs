//! Finds every unknown key of an experiment file, with its line and the nearest known name.

use serde_json::Value;
use tailrank_models::nearest;
use toml::de::{DeTable, DeValue};

use super::{Experiment, Problem};
use crate::problem::{Lines, below};

/// Every key that no section knows, with the places of the keys in the text.
pub(super) fn unknown_keys(lines: &Lines, table: &DeTable<'_>) -> Vec<(usize, Problem)> {
    let root = Experiment::json_schema();
    let mut walk = Walk { lines, root: &root, problems: Vec::new() };
    walk.table(table, &root, "");
    walk.problems
}

struct Walk<'a> {
    lines: &'a Lines,
    root: &'a Value,
    problems: Vec<(usize, Problem)>,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, schema: &Value, path: &str) {
        let forms = object_schemas(self.root, schema);
        if forms.is_empty() {
            return;
        }
        let named = Named::by(&forms, table);
        let forms = named.as_ref().map_or(&forms, |named| &named.forms);
        for (key, value) in table {
            let name: &str = key.get_ref();
            let known = forms.iter().find_map(|s| s["properties"].get(name));
            let free = forms.iter().find_map(|s| s.get("additionalProperties").filter(|a| a.is_object()));
            match known.or(free) {
                Some(inner) => self.value(value.get_ref(), inner, &below(path, name)),
                None => {
                    let message = named.as_ref().and_then(|named| named.owner_of(name));
                    let message = message.unwrap_or_else(|| suggestion(name, forms));
                    let place = key.span().start;
                    let problem = Problem { line: self.lines.line(place), key: below(path, name), message };
                    self.problems.push((place, problem));
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

/// The form that a table chooses by a key such as `kind`, and those it did not choose.
struct Named<'a> {
    tag: &'a str,
    name: String,
    forms: Vec<&'a Value>,
    others: Vec<&'a Value>,
}

impl<'a> Named<'a> {
    /// None where the forms have no such key in common, or the table names none of them.
    fn by(forms: &[&'a Value], table: &DeTable<'_>) -> Option<Self> {
        let (tag, _) =
            forms.first()?["properties"].as_object()?.iter().find(|(_, p)| p["const"].is_string())?;
        let name = match table.get(tag.as_str())?.get_ref() {
            DeValue::String(name) => name.to_string(),
            _ => return None,
        };
        let (forms, others): (Vec<_>, Vec<_>) =
            forms.iter().partition(|form| constant(form, tag) == Some(&name));
        (!forms.is_empty()).then_some(Self { tag, name, forms, others })
    }

    /// To which other forms a key belongs that this one does not have.
    fn owner_of(&self, key: &str) -> Option<String> {
        let owners = self.others.iter().filter(|form| form["properties"].get(key).is_some());
        let owners: Vec<String> =
            owners.filter_map(|form| constant(form, self.tag)).map(|name| format!("\"{name}\"")).collect();
        let Self { tag, name, .. } = self;
        (!owners.is_empty()).then(|| format!("belongs to {tag} = {}, not to \"{name}\"", owners.join(" or ")))
    }
}

fn constant<'a>(form: &'a Value, tag: &str) -> Option<&'a str> {
    form["properties"][tag]["const"].as_str()
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

/// The first item of a section's list that lacks keys, or holds one in a wrong type: where it stands, and what it
/// lacks. `path` is that of the item, such as `data.tables.1`, or of its list, where serde tells no more.
pub(super) fn missing_keys(table: &DeTable<'_>, path: &str) -> Option<(usize, Problem)> {
    let mut names = path.split('.');
    let (section, list) = (names.next()?, names.next()?);
    let only: Option<usize> = names.next().and_then(|place| place.parse().ok());
    let DeValue::Table(inner) = table.get(section)?.get_ref() else { return None };
    let DeValue::Array(items) = inner.get(list)?.get_ref() else { return None };
    let root = Experiment::json_schema();
    let schemas = object_schemas(&root, root["properties"].get(section)?);
    let schema = schemas.iter().find_map(|s| s["properties"].get(list))?;
    let forms: Vec<&Value> =
        array_items(&root, schema).into_iter().flat_map(|s| object_schemas(&root, s)).collect();
    let mut numbered = items.iter().enumerate().filter(|(i, _)| only.is_none_or(|only| only == i + 1));
    numbered.find_map(|(i, item)| {
        let DeValue::Table(inner) = item.get_ref() else { return None };
        let message = misfit(inner, &forms)?;
        Some((item.span().start, Problem::new(format!("{section}.{list}.{}", i + 1), message)))
    })
}

/// What is wrong with a table, by the form it is most like.
fn misfit(item: &DeTable<'_>, forms: &[&Value]) -> Option<String> {
    let is_key = |form: &Value, key: &str| form["properties"].get(key).is_some();
    let likeness = |form: &&&Value| item.keys().filter(|key| is_key(form, key.get_ref())).count();
    // Of equals the first: the one that a user meets first in the documentation.
    let form = forms.iter().rev().max_by_key(likeness)?;
    let required =
        form["required"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    let missing: Vec<String> =
        required.filter(|key| item.get(*key).is_none()).map(|key| format!("'{key}'")).collect();
    if !missing.is_empty() {
        let verb = if missing.len() == 1 { "is" } else { "are" };
        return Some(format!("{} {verb} missing", missing.join(" and ")));
    }
    let of_text = |key: &str| {
        let kind = &form["properties"][key]["type"];
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|k| k == "string"))
    };
    let wrong = item
        .iter()
        .find(|(key, value)| of_text(key.get_ref()) && !matches!(value.get_ref(), DeValue::String(_)));
    wrong.map(|(key, _)| format!("'{}' is not a text in quotation marks", key.get_ref()))
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

    /// Names of tasks and of a grid's parameters are free; what stands below a task is not.
    #[test]
    fn keys_below_free_names_are_looked_at() {
        let text = format!("{GOOD}[tasks.\"KO 3d\".relevance]\nhihg = 0.1\n[tasks.mine]\nrelevence = {{}}\n");
        assert_eq!(
            problems(&text),
            [
                "line 12: tasks.KO 3d.relevance.hihg: unknown key; did you mean 'high'?",
                "line 14: tasks.mine.relevence: unknown key; did you mean 'relevance'?",
            ]
        );
    }

    #[test]
    fn a_key_of_another_scheme_is_named_with_its_own() {
        for (split, said) in [
            (
                "kind = \"date\"\nat = \"1990-01-01\"\ntrain = 0.5",
                "line 8: split.train: belongs to kind = \"fraction\", not to \"date\"",
            ),
            (
                "kind = \"kfold\"\nfolds = 2\nat = \"1990-01-01\"",
                "line 8: split.at: belongs to kind = \"date\", not to \"kfold\"",
            ),
            (
                "step = 3\nkind = \"fraction\"\ntrain = 0.5",
                "line 6: split.step: belongs to kind = \"sliding\" or \"growing\", not to \"fraction\"",
            ),
            (
                "kind = \"date\"\nat = \"1990-01-01\"\nvalidation = 0.2",
                "line 8: split.validation: belongs to kind = \"fraction\", not to \"date\"",
            ),
            (
                "kind = \"bootstrap\"\nfolds = 3",
                "line 7: split.folds: belongs to kind = \"kfold\", not to \"bootstrap\"",
            ),
            (
                "kind = \"sliding\"\nwindow = 3\nstep = 1\nrepeats = 3",
                "line 9: split.repeats: belongs to kind = \"kfold\" or \"bootstrap\", not to \"sliding\"",
            ),
            (
                "kind = \"kfold\"\nfolds = 3\nk = 3",
                "line 8: split.k: unknown key; known here: folds, kind, leak, repeats, shuffle, stratify, validation_fold",
            ),
            ("kind = \"date\"\natt = \"1990-01-01\"", "line 7: split.att: unknown key; did you mean 'at'?"),
        ] {
            assert_eq!(problems(&GOOD.replace("kind = \"date\"\nat = \"1990-01-01\"", split)), [said]);
        }
        let text = format!("{GOOD}[[target.inputs]]\nkind = \"volume\"\nlags = 3\nwindow = 5\n");
        assert_eq!(
            problems(&text),
            ["line 14: target.inputs.1.window: belongs to kind = \"average\", not to \"volume\""]
        );
    }

    #[test]
    fn broken_toml_names_the_line() {
        let found = problems("name = \"t\"\nseed = = 3\n");
        assert!(found[0].starts_with("line 2: "), "{found:?}");
    }

    fn said(tables: &str) -> String {
        let text = format!(
            "name = \"t\"\ndata = {{ tables = [{tables}] }}\nsplit = {{ kind = \"fraction\", train = 0.5 }}\n\
             models = [{{ family = \"linear\" }}]\n"
        );
        Experiment::read(&text).1.iter().map(|p| format!("{p}\n")).collect()
    }

    #[test]
    fn a_table_that_lacks_a_key_is_told_which() {
        assert_eq!(
            said("{ file = \"a.csv\", target = \"y\" }"),
            "line 2: data.tables.1: 'name' is missing; a table is the name of a bundled one, or { name = \
             \"mine\", file = \"mine.csv\", target = \"y\" }\n"
        );
        assert!(
            said("\"boston\", { file = \"a.csv\" }")
                .contains("data.tables.2: 'name' and 'target' are missing; ")
        );
        let wrong = said("{ name = \"a\", file = 3, target = \"y\" }");
        assert!(wrong.contains("data.tables.1: 'file' is not a text in quotation marks; "), "{wrong}");
        let series = said("").replace("tables", "series");
        assert_eq!(series, "");
    }

    #[test]
    fn a_series_that_lacks_a_key_is_told_which() {
        let text = "name = \"t\"\n[[data.series]]\nfile = \"a.csv\"\n[split]\nkind = \"fraction\"\ntrain = \
                    0.5\n\
                    [[models]]\nfamily = \"linear\"\n";
        let found: Vec<String> = Experiment::read(text).1.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("data.series.1: 'name' is missing; a series is a name"), "{found:?}");
    }
}
