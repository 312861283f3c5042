//! The one place where families are registered.

use crate::{
    Cart, Family, Forest, ModelError, Result, Svm,
    baseline::Baseline,
    boost::Boost,
    engines::{LinfaSvm, SmartcoreForest},
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
    &LinfaSvm,
    &Forest,
    &SmartcoreForest,
    &Cart,
    &Linear,
    &Knn,
    &Boost,
    &Baseline,
];

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
        ModelError::Missing {
            family: families[first].name(),
            what: "engine",
            name: engine.to_owned(),
            hint: format!("; it has: {known}"),
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
        assert_eq!(message("svm", Some("smartcore")), "svm has no engine 'smartcore'; it has: native, linfa");
    }
}
