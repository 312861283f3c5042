//! Reads an experiment file as far as it can be read: every unknown key and every value of a wrong type is a
//! problem, and what is left is read all the same, so that its meaning can be checked too.

use std::collections::HashSet;

use serde::Deserialize;
use toml::{
    Spanned,
    de::{DeTable, DeValue, Deserializer},
};

use super::{
    Experiment, Problem,
    keys::{missing_keys, unknown_keys},
    wording::humanise_serde_error,
};
use crate::problem::{Entry, Lines, below, entries};

/// Every value of a wrong type costs another reading of the file; so many at once are enough to mend.
const MOST_ROUNDS: usize = 100;

/// The experiment, if what could be read makes one, and everything wrong with its text.
pub(super) fn read(text: &str) -> (Option<Experiment>, Vec<Problem>) {
    let lines = Lines::of(text);
    let (mut table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return (None, errors.iter().map(|e| lines.problem(e)).collect());
    }
    let (unknown, mut problems): (HashSet<usize>, Vec<Problem>) =
        unknown_keys(&lines, table.get_ref()).into_iter().unzip();
    if !unknown.is_empty() {
        drop_keys(table.get_mut(), &unknown);
    }
    // Every round drops a key that could not be read.
    for _ in 0..MOST_ROUNDS {
        let error = match Experiment::deserialize(Deserializer::from(table.clone())) {
            Ok(experiment) => return (Some(experiment), problems),
            Err(error) => error,
        };
        let offset = error.span().map(|span| span.start);
        let found = offset.and_then(|offset| innermost(table.get_ref(), offset));
        if let Some(field) = missing_field(error.message()) {
            // What lacks a key is a table; a whole file begins where its first key or section does.
            let of_file = offset == Some(0) && ["name", "data", "split", "models"].contains(&field);
            let found = found.filter(|found| found.is_table && !of_file);
            let at = found.map_or_else(String::new, |found| found.path);
            let key = below(&at, field);
            if !follows(&at, &problems) && !follows(&key, &problems) {
                let line = offset.filter(|_| !at.is_empty()).map_or(0, |offset| lines.line(offset));
                problems.push(Problem { line, key, message: "is missing".to_owned() });
            }
            return (None, problems);
        }
        let Some(found) = found else {
            problems.push(lines.problem(&error));
            return (None, problems);
        };
        let (found, offset, message) = match of_key(table.get_ref(), &found, error.message()) {
            Some((entry, message)) => (entry, None, message),
            None => (found, offset, error.message()),
        };
        if !follows(&found.path, &problems) {
            let name = found.path.rsplit('.').next().unwrap_or_default();
            let said = message;
            let message = humanise_serde_error(said, name);
            // Words of our own, left as they are, tell the forms of a value and not what it lacks.
            let of_forms = message == said;
            let lack = of_forms.then(|| missing_keys(table.get_ref(), &found.path)).flatten();
            let (place, key, message) = match lack {
                Some((place, lack)) => (place, lack.key, format!("{}; {message}", lack.message)),
                None => (offset.unwrap_or(found.key.start), found.path, message),
            };
            problems.push(Problem { line: lines.line(place), key, message });
        }
        drop_keys(table.get_mut(), &HashSet::from([found.key.start]));
    }
    problems.push(Problem::new("", "what follows was not looked at; mend these first"));
    (None, problems)
}

/// Whether what a table lacks was dropped from it, for a reason already given.
fn follows(table: &str, problems: &[Problem]) -> bool {
    problems.iter().any(|p| match p.key.strip_prefix(table) {
        Some(key) if table.is_empty() => !key.contains('.'),
        Some(below) => below.starts_with('.'),
        None => false,
    })
}

/// The key of a table that a message names, where serde knows the place of the table alone, and what is wrong with it.
fn of_key<'a>(table: &DeTable<'_>, found: &Entry, message: &'a str) -> Option<(Entry, &'a str)> {
    let (key, message) = message.strip_prefix("in key `")?.split_once("`: ")?;
    let path = below(&found.path, key);
    Some((entries(table).into_iter().find(|entry| entry.path == path)?, message))
}

/// The innermost key, or table in a list, that holds a place of the text.
fn innermost(table: &DeTable<'_>, offset: usize) -> Option<Entry> {
    let is_named = |entry: &Entry| entry.place == entry.key.start;
    let holds =
        |entry: &Entry| entry.value.contains(&offset) || (is_named(entry) && entry.key.contains(&offset));
    entries(table).into_iter().find(|entry| (is_named(entry) || entry.is_table) && holds(entry))
}

/// Drops the keys that stand at these places.
fn drop_keys(table: &mut DeTable<'_>, places: &HashSet<usize>) {
    for (key, mut value) in std::mem::replace(table, DeTable::new()) {
        if !places.contains(&key.span().start) {
            drop_below(&mut value, places);
            table.insert(key, value);
        }
    }
}

fn drop_below(value: &mut Spanned<DeValue<'_>>, places: &HashSet<usize>) {
    match value.get_mut() {
        DeValue::Table(table) => drop_keys(table, places),
        DeValue::Array(items) => items.iter_mut().for_each(|item| drop_below(item, places)),
        _ => {}
    }
}

fn missing_field(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    include!("../../../../.ci/cpu_time.rs");

    const GOOD: &str = r#"
name = "t"
[data]
series = ["KO"]
[split]
kind = "date"
at = "1990-01-01"
[measures]
t_l = 0.1
beta = 1.0
[[models]]
family = "nnet"
grid = { size = [5, 10], decay = 0.1 }
"#;

    fn problems(text: &str) -> Vec<String> {
        read(text).1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn unknown_keys_and_every_wrong_type_are_told_together() {
        let text = GOOD
            .replace("t_l = 0.1", "t_l = \"x\"\nalhpa = 3")
            .replace("beta = 1.0", "beta = \"y\"")
            .replace("decay = 0.1", "decay = {}");
        let found = problems(&text);
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0], "line 10: measures.alhpa: unknown key; did you mean 'alpha'?");
        assert_eq!(
            found[1],
            "line 9: measures.t_l: 'x' is not a number, \"0.25 sd\" or \"0.1 iqr\", or one for each horizon such as \
             { 1 = 0.01, 5 = 0.02 }"
        );
        assert_eq!(found[2], "line 11: measures.beta: 'y' is not a number");
        assert!(found[3].starts_with("line 14: models.1.grid"), "{found:?}");
    }

    #[test]
    fn what_can_be_read_is_read() {
        let (experiment, problems) = read(&GOOD.replace("beta = 1.0", "beta = \"y\"\nt_e = 3"));
        assert_eq!(problems.len(), 2);
        assert_eq!(experiment.unwrap().measures.t_l, Some(0.1.into()));
    }

    #[test]
    fn a_missing_key_is_named_once() {
        assert_eq!(problems(&GOOD.replace("kind = \"date\"\n", "")), ["line 5: split.kind: is missing"]);
        let found = problems(&GOOD.replace("kind = \"date\"", "kind = 3"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("line 6: split.kind: "), "{found:?}");
        assert_eq!(problems("seed = 3\n").len(), 1);
        // Also where its section is the first thing in the file.
        let found = problems("[split]\nat = \"1990-01-01\"\n");
        assert!(found.len() == 1 && found[0].ends_with("split.kind: is missing"), "{found:?}");
        let found = problems(&GOOD.replace("at = \"1990-01-01\"\n", ""));
        assert_eq!(found, ["line 5: split: kind = \"date\" needs at = \"YYYY-MM-DD\""]);
    }

    #[test]
    fn a_wrong_value_of_a_split_is_named_with_its_line() {
        for (value, said) in [
            ("\"01.02.1990\"", "\"01.02.1990\" is not a valid date; write it as YYYY-MM-DD"),
            ("3", "3 is not a date such as \"1990-01-31\""),
        ] {
            let found = problems(&GOOD.replace("\"1990-01-01\"", value));
            assert_eq!(found, [format!("line 7: split.at: {said}")]);
        }
    }

    #[test]
    fn values_that_do_not_fit_are_told_in_plain_words() {
        for (added, said) in [
            ("[target]\nlags = \"many\"", "target.lags: 'many' is not a whole number of 0 or more"),
            ("[target]\nlags = -1", "target.lags: -1 is not a whole number of 0 or more"),
            ("[target]\nhorizons = 3", "target.horizons: 3 is not a list"),
            (
                "[limits]\nmemory_mb = 99999999999999999999",
                "limits.memory_mb: 99999999999999999999 is too large; ",
            ),
            ("[inference]\nenabled = \"yes\"", "inference.enabled: 'yes' is not true or false"),
            ("[target]\nkind = \"retrun\"", "target.kind: there is no kind 'retrun'; there are return, "),
            ("[tasks]\nKO = 3", "tasks.KO: 3 is not a table of keys and values"),
        ] {
            let found = problems(&format!("{GOOD}{added}\n"));
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("line 15") || found[0].starts_with("line 16"), "{found:?}");
            assert!(found[0].contains(said), "{found:?}");
            assert!(!found[0].contains("invalid") && !found[0].contains("variant"), "{found:?}");
        }
        let found = problems(&GOOD.replace("kind = \"date\"", "kind = \"random\""));
        assert_eq!(
            found,
            ["line 6: split.kind: there is no kind 'random'; there are date, fraction, sliding, growing, \
              kfold, bootstrap, rows"]
        );
        let found = problems(&GOOD.replace("decay = 0.1", "decay = {}"));
        assert!(
            found[0].contains("a parameter is a number, a text, true or false, or a list of these"),
            "{found:?}"
        );
        let found = problems(&GOOD.replace("family = \"nnet\"", "family = \"nnet\"\nlearn = [3]"));
        assert!(found[0].contains("a recipe is the name of a step"), "{found:?}");
    }

    #[test]
    fn a_section_that_is_missing_is_not_looked_for_in_the_first_key() {
        assert_eq!(problems("name = \"x\"\n"), ["data: is missing"]);
        assert_eq!(problems("[data]\nseries = [\"KO\"]\n"), ["name: is missing"]);
        assert_eq!(problems(&format!("{}[tasks.a.split]\nat = \"1990-01-01\"\n", &GOOD[1..])).len(), 1);
    }

    /// The reader beneath ends at 80 levels, long before the stack does.
    #[test]
    fn nesting_without_end_is_a_problem() {
        let deep = 50_000;
        for text in [
            format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
            format!("a = {}1{}", "{ a = ".repeat(deep), " }".repeat(deep)),
            format!("a{} = 1", ".a".repeat(deep)),
            format!("[a{}]\nb = 1", ".a".repeat(deep)),
        ] {
            let found = problems(&text);
            assert!(found[0].contains("nests too deep"), "{found:?}");
        }
    }

    /// Reading must not take a multiple of the time per key as keys become more.
    #[test]
    fn very_many_unknown_keys_and_wrong_values_are_told_soon() {
        let many: String = (0..20_000).map(|i| format!("key{i} = {i}\n")).collect();
        let before = cpu_seconds();
        let found = problems(&GOOD.replace("[measures]\n", &format!("[measures]\n{many}")));
        assert_eq!(found.len(), 20_000);
        assert!(found[19_999].starts_with("line 20008: measures.key19999: unknown key"), "{}", found[19_999]);
        let points: String = (0..20_000).map(|_| "[\"x\"], ".to_owned()).collect();
        assert!(!problems(&format!("{GOOD}[relevance]\npoints = [{points}]\n")).is_empty());
        let wrong: String =
            (0..2_000).map(|i| format!("[tasks.t{i}]\nrelevance = {{ k = \"x\" }}\n")).collect();
        assert_eq!(problems(&format!("{GOOD}{wrong}")).len(), MOST_ROUNDS + 1);
        let taken = cpu_seconds().zip(before).map_or(0.0, |(now, before)| now - before);
        assert!(taken < 20.0, "{taken} s");
    }
}
