//! Settings changed after a run: written as `key = value`, merged into the text of its experiment.

use indexmap::{IndexMap, IndexSet};
use toml::{Table, Value};

use super::{Experiment, Problem};
use crate::problem::{Lines, below};

/// One or more settings to change.
///
/// ```
/// use tailrank_experiment::config::Change;
/// assert!(Change::parse("relevance.event_threshold = 0.8").is_ok());
/// assert!(Change::parse("relevance.kind=pchip").is_ok());
/// assert!(Change::parse("relevance.kind").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Change(Table);

impl Change {
    /// Reads `key=value`: a dotted key and a value in TOML; words need no quotes.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, value) =
            text.split_once('=').ok_or_else(|| format!("'{text}' is not a valid change; write key=value"))?;
        let quoted = || format!("{key} = {}", Value::String(value.trim().to_owned()));
        // A bare word is not a TOML value; quoted it is one. The first error names what the user wrote.
        text.parse()
            .or_else(|e: toml::de::Error| quoted().parse().map_err(|_| e))
            .map(Self)
            .map_err(|e| format!("'{text}' cannot be read as key=value: {}", e.message()))
    }

    /// Sets one key, given by its segments.
    pub fn set(keys: &[&str], value: impl Into<Value>) -> Self {
        let mut value = value.into();
        for key in keys.iter().rev() {
            value = Value::Table(Table::from_iter([((*key).to_owned(), value)]));
        }
        match value {
            Value::Table(table) => Self(table),
            _ => Self(Table::new()),
        }
    }
}

/// The text of an experiment with changed settings; comments are lost.
///
/// ```
/// use tailrank_experiment::config::{Change, apply};
///
/// let changed = apply("name = \"t\"\n[relevance]\nlow = -0.02\n", &[Change::parse("relevance.low = -0.03")?]).unwrap();
/// assert!(changed.contains("low = -0.03") && changed.contains("name = \"t\""));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// When the text is not TOML.
pub fn apply(text: &str, changes: &[Change]) -> Result<String, Problem> {
    let mut table: Table = text.parse().map_err(|e| Lines::of(text).problem(&e))?;
    for change in changes {
        merge(&mut table, &change.0);
    }
    toml::to_string(&table).map_err(|e| Problem::new("", e.to_string()))
}

fn merge(into: &mut Table, from: &Table) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(changed)) => merge(inner, changed),
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

/// A setting that two experiments do not share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Dotted path of the key, such as `models.2.grid.cost`.
    pub key: String,
    /// Its value in the first experiment, as TOML; none if it is absent there.
    pub before: Option<String>,
    /// Its value in the second.
    pub after: Option<String>,
}

impl Difference {
    /// Whether the setting decides what is fitted: under another value the stored predictions say nothing.
    pub fn needs_refit(&self) -> bool {
        let mut keys = self.key.split('.');
        match keys.next() {
            Some("data" | "models" | "seed" | "split" | "target") => true,
            Some("tasks") => keys.any(|k| k == "split" || k == "horizons"),
            _ => false,
        }
    }
}

/// Every setting that differs, defaults included, in the order of the keys.
pub fn differences(before: &Experiment, after: &Experiment) -> Vec<Difference> {
    let (a, b) = (flat(before), flat(after));
    let keys: IndexSet<&String> = a.keys().chain(b.keys()).collect();
    let keys = keys.into_iter().filter(|&key| a.get(key) != b.get(key));
    keys.map(|key| Difference { key: key.clone(), before: a.get(key).cloned(), after: b.get(key).cloned() })
        .collect()
}

/// Every setting of an experiment as a dotted key with its value.
fn flat(experiment: &Experiment) -> IndexMap<String, String> {
    let mut found = IndexMap::new();
    // Everything in an experiment came from TOML, so it can be written as TOML.
    if let Ok(value) = Value::try_from(experiment) {
        flatten("", &value, &mut found);
    }
    found
}

fn flatten(path: &str, value: &Value, found: &mut IndexMap<String, String>) {
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| flatten(&below(path, key), value, found)),
        Value::Array(items) if items.iter().any(Value::is_table) => {
            for (i, item) in items.iter().enumerate() {
                flatten(&below(path, &(i + 1).to_string()), item, found);
            }
        }
        scalar => _ = found.insert(path.to_owned(), scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = \"t\" # a comment\n[data]\nseries = [\"KO\"]\n[split]\nkind = \"date\"\nat = \
                        \"1990-01-01\"\n\
                        [relevance]\nlow = -0.02\n[[models]]\nfamily = \"svm\"\ngrid = { cost = [1, 2] }\n";

    fn changed(changes: &[&str]) -> Vec<(String, Option<String>, Option<String>)> {
        let changes: Vec<Change> = changes.iter().map(|c| Change::parse(c).unwrap()).collect();
        let text = apply(TEXT, &changes).unwrap();
        let (a, b) = (Experiment::parse(TEXT).unwrap(), Experiment::parse(&text).unwrap());
        differences(&a, &b).into_iter().map(|d| (d.key, d.before, d.after)).collect()
    }

    fn text(value: &str) -> Option<String> {
        Some(value.to_owned())
    }

    #[test]
    fn what_is_changed_differs_and_nothing_else() {
        assert_eq!(changed(&[]), []);
        assert_eq!(changed(&["relevance.low=-0.02", "relevance.k = 0.5"]), [], "the same values again");
        assert_eq!(
            changed(&["relevance.kind=pchip", "relevance.high = 0.1", "relevance.low=-0.03"]),
            [
                ("relevance.kind".to_owned(), text("\"sigmoid\""), text("\"pchip\"")),
                ("relevance.low".to_owned(), text("-0.02"), text("-0.03")),
                ("relevance.high".to_owned(), None, text("0.1")),
            ]
        );
        assert_eq!(
            changed(&["measures.list=[\"mad\"]"])[0].2,
            text("[\"mad\"]"),
            "lists are replaced as a whole"
        );
        assert_eq!(changed(&["tasks.\"KO 1d\".relevance.low=-1.0"])[0].0, "tasks.KO 1d.relevance.kind");
    }

    #[test]
    fn what_decides_the_fits_needs_a_refit() {
        let needs = |change: &str| {
            let text = apply(TEXT, &[Change::parse(change).unwrap()]).unwrap();
            let (a, b) = (Experiment::parse(TEXT).unwrap(), Experiment::parse(&text).unwrap());
            differences(&a, &b).iter().any(Difference::needs_refit)
        };
        for change in
            ["seed=3", "split.at=1991-01-01", "target.lags=3", "tasks.KO.split={kind=\"kfold\",folds=3}"]
        {
            // A bare date is a TOML date, not a text: quotes make it one.
            let change = change.replace("1991-01-01", "\"1991-01-01\"");
            assert!(needs(&change), "{change}");
        }
        for change in ["relevance.low=-1.0", "measures.beta=2.0", "compare.top=3", "trading.threshold=0.1"] {
            assert!(!needs(change), "{change}");
        }
    }

    #[test]
    fn a_change_that_cannot_be_read_is_named() {
        assert!(Change::parse("beta").unwrap_err().contains("'beta' is not a valid change"));
        assert!(Change::parse("a b=1").unwrap_err().contains("'a b=1' cannot be read"));
    }
}
