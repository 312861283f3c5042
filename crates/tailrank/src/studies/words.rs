//! The words of the studies: what each paper says and where, how each claim is decided, what the tables show.
//! One file per study holds them; `{}` stands for what the study's code puts in.

use std::{collections::BTreeMap, fmt::Display, sync::LazyLock};

use serde::Deserialize;
use tailrank_report::claims::{Claim, Standing, Tag};

use super::{ALL, Table, decide::holds};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Words {
    /// What the study asks, in one line.
    pub(super) title: String,
    pub(super) paper: String,
    pub(super) size: String,
    opening: Opening,
    claims: BTreeMap<String, ClaimWords>,
    tables: BTreeMap<String, Table>,
}

/// What a reader should know first.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Opening {
    /// What the paper says.
    paper: String,
    /// What was found here.
    found: String,
    /// How sure that is.
    sure: String,
}

/// The files are part of the program, and a test reads each: what is missing here shows as its name.
static WORDS: LazyLock<BTreeMap<&str, Words>> =
    LazyLock::new(|| ALL.map(|(study, text, _)| (study, toml::from_str(text).unwrap_or_default())).into());

/// The words of a study.
pub(super) fn of(study: &str) -> Option<&'static Words> {
    WORDS.get(study)
}

fn split(key: &str) -> (Option<&'static Words>, &str) {
    let (study, name) = key.split_once('/').unwrap_or((key, ""));
    (of(study), name)
}

/// A claim that waits for its decision.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimWords {
    tag: Tag,
    /// Where the paper says it.
    source: String,
    /// What it says.
    says: String,
    /// What decides it, and what would have made it come out otherwise.
    rule: String,
    /// What was found.
    found: String,
}

/// The claim `study/name`.
pub(super) fn claim(key: &str) -> ClaimWords {
    let (words, name) = split(key);
    let [source, rule, found] = [const { String::new() }; 3];
    let missing = || ClaimWords { tag: Tag::Ours, says: key.to_owned(), source, rule, found };
    words.and_then(|w| w.claims.get(name)).cloned().unwrap_or_else(missing)
}

impl ClaimWords {
    /// Puts values in, but for those found.
    pub(super) fn with(mut self, values: &[&dyn Display]) -> Self {
        let mut values = values.iter();
        for text in [&mut self.source, &mut self.says, &mut self.rule] {
            *text = fill(text, &mut values);
        }
        self
    }

    /// Decided by a rule, from the values found.
    pub(super) fn stands(self, standing: Standing, values: &[&dyn Display]) -> Claim {
        let Self { tag, source, says, rule: evidence, found } = self;
        Claim { tag, source, says, found: filled(&found, values), evidence, standing }
    }

    /// Decided by whether a rule holds.
    pub(super) fn holds(self, rule: bool, values: &[&dyn Display]) -> Claim {
        self.stands(holds(rule), values)
    }

    /// These data cannot tell.
    pub(super) fn not_testable(self, why: &str) -> Claim {
        let (rule, found) = ("not tested".to_owned(), why.to_owned());
        Self { rule, found, ..self }.stands(Standing::NotTestable, &[])
    }
}

/// The empty table `study/name`.
pub(super) fn table(key: &str) -> Table {
    let (words, name) = split(key);
    Table { name: name.to_owned(), ..words.and_then(|w| w.tables.get(name)).cloned().unwrap_or_default() }
}

/// The sentences that a study opens with.
pub(super) fn opening(study: &str, values: &[&dyn Display]) -> String {
    let Some(Words { opening: Opening { paper, found, sure }, .. }) = of(study) else { return String::new() };
    filled(&format!("{paper} {found} {sure}"), values)
}

/// The text with the values at its `{}`, one after the other; `{:.2}` has two decimals, `{:+.2}` a sign as
/// well.
pub(super) fn filled(text: &str, values: &[&dyn Display]) -> String {
    fill(text, &mut values.iter())
}

fn fill<'a>(text: &str, values: &mut impl Iterator<Item = &'a &'a dyn Display>) -> String {
    let mut parts = text.split('{');
    let start = parts.next().unwrap_or_default().to_owned();
    parts.fold(start, |text, part| {
        let (form, rest) = part.split_once('}').unwrap_or((part, ""));
        let decimals: Option<usize> = form.rsplit_once('.').and_then(|(_, decimals)| decimals.parse().ok());
        let value = match (values.next(), decimals) {
            (None, _) => format!("{{{form}}}"),
            (Some(value), None) => value.to_string(),
            (Some(value), Some(n)) if form.contains('+') => format!("{value:+.n$}"),
            (Some(value), Some(n)) => format!("{value:.n$}"),
        };
        text + &value + rest
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn sources(folder: &Path, all: &mut String) {
        for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if entry.is_dir() {
                sources(&entry, all);
            } else if entry.extension().is_some_and(|e| e == "rs") && !entry.ends_with("words.rs") {
                all.push_str(&fs::read_to_string(entry).unwrap());
            }
        }
    }

    /// Every claim and table that the code asks for has its words, and no words are left over.
    #[test]
    fn words_and_code_belong_together() {
        let mut code = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/studies"), &mut code);
        for (study, text, _) in ALL {
            let words: Words = toml::from_str(text).unwrap_or_else(|e| panic!("{study}: {e}"));
            assert!(words.opening.paper.ends_with('.') && !words.opening.found.is_empty(), "{study}");
            for name in words.claims.keys().chain(words.tables.keys()) {
                assert!(code.contains(&format!("\"{study}/{name}\"")), "{study}/{name} is not used");
            }
        }
        for (call, of) in [("claim(\"", 0), ("table(\"", 1)] {
            let asked = code.split(call).skip(1).map(|rest| rest.split('"').next().unwrap());
            for asked in asked.filter(|asked| asked.contains('/')) {
                let (words, name) = split(asked);
                let words = words.unwrap_or_else(|| panic!("{asked}"));
                let known = [words.claims.contains_key(name), words.tables.contains_key(name)][of];
                assert!(known, "no words for {asked}");
            }
        }
    }

    #[test]
    fn values_take_their_places() {
        assert_eq!(filled("a {} b {}.", &[&1, &"2"]), "a 1 b 2.");
        assert_eq!(filled("{}: {}", &[&"1"]), "1: {}");
        assert_eq!(filled("{:.2}, {:+.1} {}", &[&0.126, &2.0, &0.5]), "0.13, +2.0 0.5");
        let claim = claim("oarp/height").with(&[&"x"]).not_testable("why");
        assert_eq!((claim.standing, claim.evidence.as_str()), (Standing::NotTestable, "not tested"));
    }
}
