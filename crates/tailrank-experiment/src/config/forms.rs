//! What a table lacks that may have one of several forms: serde tells only that it has none of them.

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::{
    Experiment, Problem,
    keys::{array_items, object_schemas},
};

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
