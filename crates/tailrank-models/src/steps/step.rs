//! One step of a recipe, checked.

use std::fmt;

use super::{
    bag::Bag,
    dense::Dense,
    lds::Lds,
    noise::Noise,
    over::Over,
    phi::Phi,
    smogn::Smogn,
    smote::Smote,
    stretch::Stretch,
    table::{STEPS, StepSpec},
    under::Under,
    wercs::Wercs,
};
use crate::{ModelError, ParamValue, Params, Result, params};

/// A checked step.
#[derive(Clone, Debug)]
pub struct Step {
    spec: &'static StepSpec,
    /// The parameters as given, without the key.
    params: Params,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Weights(Weights),
    Resample(Resample),
    Bag(Bag),
    Stretch(Stretch),
    Calibrate,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Weights {
    Phi(Phi),
    Dense(Dense),
    Lds(Lds),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resample {
    Under(Under),
    Over(Over),
    Smote(Smote),
    Noise(Noise),
    Smogn(Smogn),
    Wercs(Wercs),
}

/// Keys that name a step, and the step a key alone stands for.
const KEYS: &[(&str, &str)] =
    &[("weights", "phi"), ("resample", "smote"), ("stretch", "f"), ("calibrate", "isotonic")];

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
        Self::named_beside(name, &[])
    }

    /// [`named`](Self::named) where other words are known too, which a message names with the steps.
    pub(super) fn named_beside(name: &str, others: &[&'static str]) -> Result<Self> {
        let name = KEYS.iter().find(|(key, _)| *key == name).map_or(name, |(_, usual)| usual);
        match STEPS.iter().find(|s| s.name == name) {
            Some(spec) => Ok(Self::build(spec, name, Params::new())),
            None => {
                let keys = KEYS.iter().map(|(key, _)| *key);
                Err(unknown(name, others.iter().copied().chain(keys).chain(STEPS.iter().map(|s| s.name))))
            }
        }
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
        let keys = || KEYS.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", ");
        let [key] = given[..] else {
            let hint = format!("; name it by one of {}", keys());
            let name = if given.is_empty() { entry.to_string() } else { given.join(" and ") };
            return Err(ModelError::UnknownStep { name, hint });
        };
        let name = match entry.get(key) {
            Some(ParamValue::Text(name)) => name.as_str(),
            // `calibrate = true`.
            Some(ParamValue::Flag(true)) => KEYS.iter().find(|k| k.0 == key).map_or("", |k| k.1),
            other => {
                let name = format!("{key} = {}", other.map(ToString::to_string).unwrap_or_default());
                return Err(unknown(&name, names_of(key)));
            }
        };
        let own = STEPS.iter().find(|s| s.key == key && s.name == name);
        // Any measure can be stretched for; which there are is known where measures are.
        let open = STEPS.iter().find(|s| s.key == key && key == "stretch");
        let Some(spec) = own.or(open) else {
            return Err(unknown(name, names_of(key)));
        };
        let params = entry.without(&[key]);
        let label = if spec.key == "stretch" { "stretch" } else { spec.name };
        params::check(label, spec.parameters, &params)?;
        Ok(Self::build(spec, name, params))
    }

    fn build(spec: &'static StepSpec, name: &str, params: Params) -> Self {
        let kind = match (spec.key, spec.name) {
            ("stretch", _) => Kind::Stretch(Stretch::of(name, &params)),
            ("calibrate", _) => Kind::Calibrate,
            (_, "phi") => Kind::Weights(Weights::Phi(Phi::of(&params))),
            (_, "dense") => Kind::Weights(Weights::Dense(Dense::of(&params))),
            (_, "lds") => Kind::Weights(Weights::Lds(Lds::of(&params))),
            (_, "under") => Kind::Resample(Resample::Under(Under::of(&params))),
            (_, "over") => Kind::Resample(Resample::Over(Over::of(&params))),
            (_, "smote") => Kind::Resample(Resample::Smote(Smote::of(&params))),
            (_, "noise") => Kind::Resample(Resample::Noise(Noise::of(&params))),
            (_, "smogn") => Kind::Resample(Resample::Smogn(Smogn::of(&params))),
            (_, "wercs") => Kind::Resample(Resample::Wercs(Wercs::of(&params))),
            _ => Kind::Bag(Bag::of(&params)),
        };
        Self { spec, params, kind }
    }

    /// Its row in the table of steps.
    pub fn spec(&self) -> &'static StepSpec {
        self.spec
    }

    /// Whether its result changes with the relevance.
    pub fn uses_relevance(&self) -> bool {
        self.spec.uses_relevance
    }

    /// Whether it maps predictions and so follows the family.
    pub(super) fn is_decision(&self) -> bool {
        matches!(self.kind, Kind::Stretch(_) | Kind::Calibrate)
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl fmt::Display for Step {
    /// Its name in tables, and the parameters given. Equal text is an equal step, so it also serves as a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Weights(Weights::Phi(_)) => f.write_str("weights")?,
            Kind::Weights(_) => write!(f, "{} weights", self.spec.name)?,
            Kind::Stretch(stretch) => write!(f, "stretch {}", stretch.measure)?,
            Kind::Calibrate => f.write_str("calibrate")?,
            Kind::Resample(_) | Kind::Bag(_) => f.write_str(self.spec.name)?,
        }
        for (name, value) in self.params.iter() {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

/// The steps under a key.
fn names_of(key: &str) -> impl Iterator<Item = &'static str> + Clone + use<'_> {
    STEPS.iter().filter(move |s| s.key == key).map(|s| s.name)
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> ModelError {
    let nearest = known
        .clone()
        .map(|word| (strsim::jaro_winkler(word, name), word))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match nearest {
        Some((_, near)) => format!("; did you mean '{near}'?"),
        None => format!("; there are: {}", known.collect::<Vec<_>>().join(", ")),
    };
    ModelError::UnknownStep { name: name.to_owned(), hint }
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
            assert!(!spec.summary.is_empty() && STEPS[..i].iter().all(|s| s.name != spec.name));
            assert!(spec.parameters.iter().all(|p| !p.doc.is_empty() && !p.default.is_empty()));
            // The default written out is the default.
            for p in spec.parameters.iter().filter(|p| p.default != "auto") {
                let value = match p.default {
                    "true" | "false" => ParamValue::Flag(p.default == "true"),
                    text => text.parse().map_or_else(|_| ParamValue::from(text), ParamValue::Real),
                };
                let mut entry = Params::new().with(spec.key, spec.name);
                entry.insert(p.name, value);
                assert_eq!(Step::parse(&entry).unwrap(), step, "{} {}", spec.name, p.name);
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
