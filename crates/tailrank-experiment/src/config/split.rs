//! `[split]`: how rows are divided into training and test.

use tailrank_data::SplitSettings;

use crate::problem::{Problem, below};

/// What is wrong with a split before any data is seen; `key` is where it stands.
pub(crate) fn split_problems(split: &SplitSettings, key: &str) -> Vec<Problem> {
    let found = split.scheme().problems().into_iter();
    found.map(|(name, message)| Problem::new(below(key, name), message)).collect()
}

#[cfg(test)]
mod tests {
    use tailrank_data::Leak;

    use super::*;

    const GOOD: [&str; 7] = [
        "kind = \"date\"\nat = \"1990-01-01\"\nuntil = \"1991-01-01\"\nvalidation_at = \"1989-01-01\"",
        "kind = \"fraction\"\ntrain = 0.6\nvalidation = 0.2",
        "kind = \"sliding\"\nwindow = 10\nstep = 2",
        "kind = \"growing\"\nwindow = 10\nstep = 2\nleak = \"paper\"",
        "kind = \"kfold\"\nfolds = 3\nrepeats = 2\nshuffle = true\nstratify = \"class\"",
        "kind = \"bootstrap\"\nrepeats = 2",
        "kind = \"rows\"\nrows = [{ train = \"1-3\", test = \"4, 6\" }, { train = \"1-2, 4\", test = \"3, 5\" }]",
    ];

    fn read(text: &str) -> Result<SplitSettings, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn every_scheme_is_written_as_it_is_read() {
        for text in GOOD {
            let settings = read(text).unwrap();
            assert_eq!(split_problems(&settings, "split"), [], "{text}");
            let written = toml::to_string(&settings).unwrap();
            assert_eq!(read(&written).unwrap(), settings, "{written}");
        }
        assert_eq!(read(GOOD[3]).unwrap().leak(), Leak::Paper);
        // A date of TOML's own, and nulls of JSON.
        let date = read("kind = \"date\"\nat = 1990-01-01").unwrap();
        assert_eq!(read("kind = \"date\"\nat = \"1990-01-01\"").unwrap(), date);
        let json = r#"{"at":"1990-01-01","kind":"date","leak":"purge","validation_at":null}"#;
        assert_eq!(serde_json::to_value(&date).unwrap().to_string(), json);
        assert_eq!(serde_json::from_str::<SplitSettings>(json).unwrap(), date);
        for once in ["kind = \"bootstrap\"\nrepeats = 1", "kind = \"kfold\"\nfolds = 2\nrepeats = 10000"] {
            assert_eq!(split_problems(&read(once).unwrap(), "split"), [], "{once}");
        }
        // Folds make up a repeat; all other splits are one.
        let folds: Vec<usize> = GOOD.iter().map(|text| read(text).unwrap().scheme().folds()).collect();
        assert_eq!(folds, [1, 1, 1, 1, 3, 1, 2]);
    }

    #[test]
    fn named_rows_are_one_period_where_they_run_with_time() {
        let of = |rows: &str| read(&format!("kind = \"rows\"\nrows = [{rows}]")).unwrap();
        let onwards = of("{ train = \"1-3\", test = \"4-5\" }, { train = \"1-5\", test = \"6, 8\" }");
        assert!(onwards.scheme().pooled() && onwards.scheme().folds() == 2);
        // A later row trains, a row is tested twice, the second period comes before the first.
        for rows in [
            "{ train = \"1-3, 6\", test = \"4-5\" }",
            "{ train = \"1-3\", test = \"4-5\" }, { train = \"1-3\", test = \"5-6\" }",
            "{ train = \"1-5\", test = \"6\" }, { train = \"1-3\", test = \"4-5\" }",
        ] {
            assert!(!of(rows).scheme().pooled(), "{rows}");
        }
        assert_eq!(
            of("{ train = \"1\", test = \"3\" }, { train = \"2\", test = \"3\" }").scheme().folds(),
            1
        );
        assert_eq!(split_problems(&of(""), "split").len(), 1);
    }

    #[test]
    fn missing_keys_are_refused() {
        for (text, said) in [
            ("kind = \"date\"", "needs at = "),
            ("kind = \"fraction\"", "needs train"),
            ("kind = \"sliding\"\nstep = 3", "needs window"),
            ("kind = \"growing\"\nwindow = 3", "needs step"),
            ("kind = \"kfold\"", "needs folds"),
            ("kind = \"rows\"", "needs rows"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.message().contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn the_schema_knows_the_keys_that_are_read() {
        let schema = schemars::schema_for!(SplitSettings).to_value();
        let forms = schema["oneOf"].as_array().unwrap();
        assert_eq!(forms.len(), GOOD.len());
        for (form, text) in forms.iter().zip(GOOD) {
            let kind = form["properties"]["kind"]["const"].as_str().unwrap();
            assert!(text.starts_with(&format!("kind = \"{kind}\"")), "{text}");
            let required: Vec<&str> =
                form["required"].as_array().unwrap().iter().map(|k| k.as_str().unwrap()).collect();
            assert!(required.iter().all(|key| text.contains(&format!("{key} = "))), "{kind}: {required:?}");
            for key in form["properties"].as_object().unwrap().keys().filter(|key| *key != "kind") {
                // A key that is known is refused for its value alone.
                let others: Vec<&str> =
                    text.lines().filter(|line| !line.starts_with(&format!("{key} = "))).collect();
                let error = read(&format!("{}\n{key} = {{}}", others.join("\n"))).unwrap_err();
                assert!(!error.message().contains("unknown field"), "{kind}.{key}: {error}");
            }
            let error = read(&format!("{text}\nsteps = 3")).unwrap_err();
            assert!(error.message().contains("unknown field `steps`"), "{kind}: {error}");
        }
    }

    #[test]
    fn numbers_that_divide_nothing_are_named() {
        for (text, key) in [
            ("kind = \"date\"\nat = \"1990-01-01\"\nvalidation_at = \"1990-01-01\"", "split.validation_at"),
            ("kind = \"fraction\"\ntrain = 1.0", "split.train"),
            ("kind = \"fraction\"\ntrain = nan", "split.train"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.0", "split.validation"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.4", "split.validation"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.3", "split.validation"),
            // One mistake is told once.
            ("kind = \"fraction\"\ntrain = 1.5\nvalidation = 0.3", "split.train"),
            ("kind = \"fraction\"\ntrain = 0.5\nvalidation = 1.5", "split.validation"),
            ("kind = \"date\"\nat = \"1990-01-01\"\nuntil = \"1990-01-01\"", "split.until"),
            ("kind = \"sliding\"\nwindow = 0\nstep = 1", "split.window"),
            ("kind = \"growing\"\nwindow = 1\nstep = 0", "split.step"),
            ("kind = \"kfold\"\nfolds = 1", "split.folds"),
            ("kind = \"kfold\"\nfolds = 2\nrepeats = 0", "split.repeats"),
            ("kind = \"bootstrap\"\nrepeats = 10001", "split.repeats"),
        ] {
            let found = split_problems(&read(text).unwrap(), "split");
            assert_eq!(found.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(), [key], "{text}");
        }
    }
}
