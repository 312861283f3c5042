//! The one place where families are registered.

use crate::{
    Cart, Family, Forest, ModelError, Result, Svm,
    baseline::Baseline,
    boost::Boost,
    engines::{LibsvmSvm, LinfaSvm, SmartcoreForest},
    knn::Knn,
    linear::Linear,
    mars::MarsFamily,
    nnet::NnetFamily,
    params::hint,
};

/// Every family and engine. The first entry of a name is its default engine.
static FAMILIES: &[&dyn Family] = &[
    &NnetFamily,
    &MarsFamily,
    &Svm,
    &LibsvmSvm,
    &LinfaSvm,
    &Forest,
    &SmartcoreForest,
    &Cart,
    &Linear,
    &Knn,
    &Boost,
    &Baseline,
];

/// Engines that exist but are refused, and why.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "svm",
        "smartcore",
        "smartcore's SVR stops after 49,999 iterations and returns the unfinished model as if it were solved",
    ),
    ("linear", "linfa", "linfa-linear answers wrongly when inputs depend on each other"),
    ("linear", "smartcore", SAME_ANSWERS),
    ("knn", "smartcore", SAME_ANSWERS),
];

const SAME_ANSWERS: &str = "smartcore gives the predictions of the native engine, more slowly";

/// Every registered family, one entry per engine.
pub fn families() -> &'static [&'static dyn Family] {
    FAMILIES
}

/// The family called `name`, by its default engine or the one named.
///
/// ```
/// assert_eq!(tailrank_models::family("linear", None)?.engine(), "native");
/// assert_eq!(tailrank_models::family("forest", Some("smartcore"))?.engine(), "smartcore");
/// let err = tailrank_models::family("liner", None).err().unwrap();
/// assert_eq!(err.to_string(), "no family 'liner'; did you mean 'linear'?");
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
pub fn family(name: &str, engine: Option<&str>) -> Result<&'static dyn Family> {
    Ok(FAMILIES[family_among(FAMILIES, name, engine)?])
}

/// Where the family called `name` stands in a list, by its first engine or the one named.
pub fn family_among(families: &[&dyn Family], name: &str, engine: Option<&str>) -> Result<usize> {
    let places = || (0..families.len()).filter(|&i| families[i].name() == name);
    let Some(first) = places().next() else {
        let mut names: Vec<&str> = families.iter().map(Family::name).collect();
        names.sort_unstable();
        names.dedup();
        let hint = hint(name, &names, "there are");
        return Err(ModelError::Unknown { what: "family", name: name.to_owned(), hint });
    };
    let Some(engine) = engine else { return Ok(first) };
    places().find(|&i| families[i].engine() == engine).ok_or_else(|| {
        let known = places().map(|i| families[i].engine()).collect::<Vec<_>>().join(", ");
        let refused = REFUSED.iter().find(|(n, e, _)| *n == name && *e == engine);
        ModelError::Missing {
            family: families[first].name(),
            what: "engine",
            name: engine.to_owned(),
            hint: match refused {
                Some((.., why)) => format!(": {why}; use one of {known}"),
                None => format!("; it has: {known}"),
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str, engine: Option<&str>) -> String {
        family(name, engine).err().unwrap().to_string()
    }

    #[test]
    fn names_and_engines_are_unique_and_parameters_documented() {
        for (i, f) in FAMILIES.iter().enumerate() {
            let twin = FAMILIES[..i].iter().find(|g| (g.name(), g.engine()) == (f.name(), f.engine()));
            assert!(twin.is_none(), "{} {}", f.name(), f.engine());
            assert!(!f.summary().is_empty());
            for p in crate::accepted_parameters(*f) {
                assert!(!p.doc.is_empty() && !p.default.is_empty(), "{} {}", f.name(), p.name);
            }
        }
    }

    #[test]
    fn messages_name_what_there_is() {
        assert_eq!(message("bost", None), "no family 'bost'; did you mean 'boost'?");
        assert!(message("zzz", None).contains("baseline, boost, cart, forest, knn, linear, mars, nnet, svm"));
        assert_eq!(message("forest", Some("r")), "forest has no engine 'r'; it has: native, smartcore");
        assert!(message("knn", Some("smartcore")).ends_with("more slowly; use one of native"));
        assert!(message("svm", Some("smartcore")).contains("49,999 iterations"));
    }
}
