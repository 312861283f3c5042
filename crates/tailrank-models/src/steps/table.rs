//! The steps a recipe may name: the built-in ones and any registered from outside.

use std::sync::{PoisonError, RwLock};

use super::{
    STEPS,
    step::{Step, StepSpec},
};
use crate::{ModelError, ParamValue, Params, Result, params::hint};

/// Keys that name a step, and the step a key alone stands for.
const KEYS: &[(&str, &str)] =
    &[("weights", "phi"), ("resample", "smote"), ("stretch", "f"), ("calibrate", "isotonic")];

/// Steps registered by this program, beside the built-in ones.
static REGISTERED: RwLock<Vec<StepSpec>> = RwLock::new(Vec::new());

impl StepSpec {
    /// Lets recipes name a step of one's own, under one of the four keys, until the program ends.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tailrank_models::{Params, Result, steps::{Action, Recipe, Relevance, Step, StepSpec, Weigh}};
    ///
    /// /// A row counts by the square of its target.
    /// #[derive(Debug)]
    /// struct Squares;
    ///
    /// impl Weigh for Squares {
    ///     fn weights(&self, y: &[f64], _: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
    ///         Ok(y.iter().map(|y| y * y).collect())
    ///     }
    /// }
    ///
    /// let squares = StepSpec {
    ///     key: "weights",
    ///     name: "squares",
    ///     summary: "a row counts by the square of its target",
    ///     uses_relevance: false,
    ///     parameters: &[],
    ///     build: |_, _| Action::Weigh(Arc::new(Squares)),
    /// };
    /// squares.register()?;
    /// assert_eq!(Recipe::named("squares")?.to_string(), "squares weights");
    /// assert!(Step::parse(&Params::new().with("weights", "squares")).is_ok());
    /// # Ok::<(), tailrank_models::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// Another key, or a name that is taken.
    pub fn register(self) -> Result<()> {
        let fail = |hint: String| Err(ModelError::Unknown { what: "step", name: self.name.to_owned(), hint });
        if KEYS.iter().all(|(key, _)| *key != self.key) {
            return fail(format!(": its key '{}' is none of {}", self.key, joined_keys()));
        }
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        let is_key = self.name == "plain" || KEYS.iter().any(|(key, _)| *key == self.name);
        if is_key || STEPS.iter().chain(&*registered).any(|s| s.name == self.name) {
            return fail(" can be added: the name is taken".to_owned());
        }
        registered.push(self);
        Ok(())
    }
}

/// The steps of this crate and those registered, in the order of lists.
fn known() -> Vec<StepSpec> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    STEPS.iter().chain(&*registered).copied().collect()
}

/// The step called `name`, or the usual one under a key of that name, with every default. Messages name
/// `others` with the steps.
pub(super) fn named(name: &str, others: &[&'static str]) -> Result<Step> {
    let (known, keys) = (known(), || KEYS.iter().map(|(key, _)| *key));
    let name = KEYS.iter().find(|(key, _)| *key == name).map_or(name, |(_, usual)| usual);
    match known.iter().find(|s| s.name == name) {
        Some(spec) => Step::new(*spec, Params::new()),
        None => Err(unknown(name, others.iter().copied().chain(keys()).chain(known.iter().map(|s| s.name)))),
    }
}

impl Step {
    /// The step called `name`, or the usual one under a key of that name, with every default.
    ///
    /// ```
    /// use tailrank_models::steps::Step;
    ///
    /// assert_eq!(Step::named("weights")?.to_string(), "weights");
    /// assert_eq!(Step::named("smogn")?.to_string(), "smogn");
    /// let err = Step::named("smot").unwrap_err();
    /// assert_eq!(err.to_string(), "no step 'smot'; did you mean 'smote'?");
    /// # Ok::<(), tailrank_models::ModelError>(())
    /// ```
    pub fn named(name: &str) -> Result<Self> {
        named(name, &[])
    }

    /// A step as an experiment writes it: one key that names it, and its parameters.
    ///
    /// ```
    /// use tailrank_models::{Params, steps::Step};
    ///
    /// let step = Step::parse(&Params::new().with("resample", "smote").with("k", 3))?;
    /// assert_eq!(step.to_string(), "smote k=3");
    /// let err = Step::parse(&Params::new().with("resample", "smote").with("pert", 0.1)).unwrap_err();
    /// assert!(err.to_string().starts_with("smote has no parameter 'pert'"));
    /// # Ok::<(), tailrank_models::ModelError>(())
    /// ```
    pub fn parse(entry: &Params) -> Result<Self> {
        let given: Vec<&str> =
            KEYS.iter().map(|(key, _)| *key).filter(|key| entry.get(key).is_some()).collect();
        let [key] = given[..] else {
            let hint = format!("; name it by one of {}", joined_keys());
            let name = if given.is_empty() { entry.to_string() } else { given.join(" and ") };
            return Err(ModelError::Unknown { what: "step", name, hint });
        };
        let known = known();
        let of_key = || known.iter().filter(|s| s.key == key);
        let names = of_key().map(|s| s.name);
        let name = match entry.get(key) {
            Some(ParamValue::Text(name)) => name.as_str(),
            // `calibrate = true`.
            Some(ParamValue::Flag(true)) => KEYS.iter().find(|k| k.0 == key).map_or("", |k| k.1),
            other => {
                let name = format!("{key} = {}", other.map(ToString::to_string).unwrap_or_default());
                return Err(unknown(&name, names));
            }
        };
        let own = of_key().find(|s| s.name == name);
        // Any measure can be stretched for; which there are is known where measures are.
        let any_measure = of_key().next().filter(|_| key == "stretch");
        let Some(spec) = own.or(any_measure) else {
            return Err(unknown(name, names));
        };
        Step::with_name(*spec, name, entry.without(&[key]))
    }
}

fn joined_keys() -> String {
    KEYS.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", ")
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> ModelError {
    let hint = hint(name, &known.collect::<Vec<_>>(), "there are");
    ModelError::Unknown { what: "step", name: name.to_owned(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(entry: Params) -> String {
        Step::parse(&entry).unwrap_err().to_string()
    }

    #[test]
    fn messages_name_what_there_is() {
        let one = |key: &str, value: &str| Params::new().with(key, value);
        assert_eq!(message(one("resample", "smot")), "no step 'smot'; did you mean 'smote'?");
        let of_name = |name: &str| crate::steps::Recipe::named(name).unwrap_err().to_string();
        assert_eq!(of_name("weigths"), "no step 'weigths'; did you mean 'weights'?");
        assert_eq!(of_name("plian"), "no step 'plian'; did you mean 'plain'?");
        let all = of_name("qqq");
        assert!(all.starts_with("no step 'qqq'; there are: plain, weights, resample, stretch, "), "{all}");
        // Within a recipe of several steps nothing is plain.
        let within = Step::named("plain").unwrap_err().to_string();
        assert!(!within.contains("did you mean 'plain'") && !within.contains("are: plain"), "{within}");
        assert_eq!(message(one("weights", "x")), "no step 'x'; there are: phi, dense, lds");
        let both = one("resample", "smote").with("stretch", "f");
        assert!(message(both).starts_with("no step 'resample and stretch'; name it by one of"));
        assert!(message(Params::new().with("k", 5)).starts_with("no step 'k=5'"));
        let large = one("resample", "under").with("share", 1.5);
        assert_eq!(
            message(large),
            "under: share = 1.5 is not allowed: use one of balance, extreme, or a number above 0 and at most 1"
        );
        assert!(message(Params::new().with("resample", 3)).contains("resample = 3"));
    }

    #[test]
    fn every_step_of_the_table_can_be_made_and_is_documented() {
        for (i, spec) in STEPS.iter().enumerate() {
            let step = Step::parse(&Params::new().with(spec.key, spec.name)).unwrap();
            assert_eq!(step.spec().name, spec.name);
            assert_eq!(Step::named(spec.name).unwrap(), step);
            let settings = format!("{:?}", step.action);
            assert!(!spec.summary.is_empty() && STEPS[..i].iter().all(|s| s.name != spec.name));
            assert!(spec.parameters.iter().all(|p| !p.doc.is_empty() && !p.default.is_empty()));
            // The default written out is the default.
            for p in spec.parameters {
                let Some(value) = p.default_value() else { continue };
                let mut entry = Params::new().with(spec.key, spec.name);
                entry.insert(p.name, value);
                let written_out = Step::parse(&entry).unwrap();
                assert_eq!(format!("{:?}", written_out.action), settings, "{} {}", spec.name, p.name);
            }
        }
        // `true` stands for the usual one under a key.
        for (key, usual) in
            [("weights", "phi"), ("resample", "smote"), ("stretch", "f"), ("calibrate", "isotonic")]
        {
            let short = Step::parse(&Params::new().with(key, true)).unwrap();
            assert_eq!(short, Step::parse(&Params::new().with(key, usual)).unwrap());
            assert!(Step::parse(&Params::new().with(key, false)).is_err());
        }
        let measure = Step::parse(&Params::new().with("stretch", "rwse")).unwrap();
        assert_eq!(measure.to_string(), "stretch rwse");
        assert!(measure.uses_relevance() && !Step::named("dense").unwrap().uses_relevance());
    }
}
