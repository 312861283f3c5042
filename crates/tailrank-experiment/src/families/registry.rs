//! The families that an experiment may name.

use std::{fmt, sync::Arc};

use tailrank_models::{Family, families, family_among};

use super::DebugFamily;
use crate::{EngineError, Result};

/// Families by name and engine: those of this program, and those a library user brings along.
///
/// ```
/// use tailrank_experiment::families::Families;
/// use tailrank_models::engines::own::OwnModel;
///
/// let zero = OwnModel::new("zero", &[], |_train, test, _variant, _context| Ok(vec![0.0; test.rows()]));
/// let families = Families::built_in().with(zero)?;
/// assert_eq!(families.find("zero", None).unwrap().engine(), "own");
/// assert_eq!(families.find("svm", Some("linfa")).unwrap().engine(), "linfa");
/// assert_eq!(families.find("zeros", None).err().unwrap(), "no family 'zeros'; did you mean 'zero'?");
/// # Ok::<(), tailrank_experiment::EngineError>(())
/// ```
#[derive(Clone, Default)]
pub struct Families {
    own: Vec<Arc<dyn Family>>,
}

impl Families {
    /// What `tailrank list models` names, with `command` and `debug`.
    pub fn built_in() -> Self {
        Self::default()
    }

    /// Adds a family, which `[[models]]` then names by its name, and by its engine where the name has
    /// several.
    ///
    /// # Errors
    /// When the name is taken, with this engine: stored predictions could not be told apart.
    pub fn with(mut self, family: impl Family + 'static) -> Result<Self> {
        let (name, engine) = (family.name(), family.engine());
        let refuse = |problem: String| Err(EngineError::Family { name: name.to_owned(), problem });
        if name.trim().is_empty() {
            return refuse("a family needs a name".to_owned());
        }
        if ["command", "debug"].contains(&name) {
            return refuse("the name is taken by a family of this program".to_owned());
        }
        if self.all().any(|f| (f.name(), f.engine()) == (name, engine)) {
            return refuse(format!("there is one with engine '{engine}' already; name another engine"));
        }
        self.own.push(Arc::new(family));
        Ok(self)
    }

    /// The family called `name`, by its default engine or the one named.
    ///
    /// # Errors
    /// What there is instead.
    pub fn find(&self, name: &str, engine: Option<&str>) -> std::result::Result<Arc<dyn Family>, String> {
        if name == "debug" {
            return Ok(Arc::new(DebugFamily));
        }
        let all: Vec<&dyn Family> = self.all().collect();
        let found = family_among(&all, name, engine).map_err(|e| e.to_string())?;
        let built_in = families().get(found).map(|&f| Arc::new(f) as Arc<dyn Family>);
        Ok(built_in.unwrap_or_else(|| Arc::clone(&self.own[found - families().len()])))
    }

    /// Whether a family was added by [`with`](Self::with): no other program can fit it.
    pub fn is_own(&self, family: &dyn Family) -> bool {
        self.own.iter().any(|own| (own.name(), own.engine()) == (family.name(), family.engine()))
    }

    fn all(&self) -> impl Iterator<Item = &dyn Family> {
        families().iter().copied().chain(self.own.iter().map(|own| &**own))
    }
}

impl fmt::Debug for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all().map(|family| (family.name(), family.engine()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use tailrank_models::engines::own::OwnModel;

    use super::*;

    fn own(name: &'static str, engine: &'static str) -> impl Family {
        OwnModel::new(name, &[], |_, test, _, _| Ok(vec![0.0; test.rows()])).engine(engine)
    }

    #[test]
    fn own_families_stand_beside_the_built_in_ones() {
        let families = Families::built_in().with(own("mine", "a")).unwrap();
        let families = families.with(own("mine", "b")).unwrap().with(own("svm", "mine")).unwrap();
        let engine = |name, engine| families.find(name, engine).map(|f| f.engine());
        assert_eq!(engine("mine", None), Ok("a"), "the first is the default");
        assert_eq!(engine("mine", Some("b")), Ok("b"));
        assert_eq!(engine("svm", None), Ok("native"), "a built-in default stays");
        assert_eq!(engine("svm", Some("mine")), Ok("mine"));
        assert_eq!(engine("mine", Some("c")), Err("mine has no engine 'c'; it has: a, b".to_owned()));
        assert_eq!(engine("mien", None), Err("no family 'mien'; did you mean 'mine'?".to_owned()));
        assert!(engine("svm", Some("smartcore")).unwrap_err().contains("it has: native, linfa"));
        assert!(engine("zzz", None).unwrap_err().contains("linear, mars, mine, nnet, svm"));
        for (name, engine, is_own) in [("mine", "b", true), ("svm", "mine", true), ("svm", "native", false)] {
            let family = families.find(name, Some(engine)).unwrap();
            assert_eq!(families.is_own(&*family), is_own, "{name} {engine}");
        }
    }

    #[test]
    fn a_name_that_is_taken_is_refused() {
        for (name, engine) in [("svm", "native"), ("debug", "x"), ("command", "x"), (" ", "x")] {
            assert!(Families::built_in().with(own(name, engine)).is_err(), "{name} {engine}");
        }
        let twice = Families::built_in().with(own("mine", "a")).unwrap().with(own("mine", "a"));
        assert_eq!(
            twice.unwrap_err().to_string(),
            "family 'mine': there is one with engine 'a' already; name another engine"
        );
    }
}
