//! `[split]` of an experiment: a scheme by its kind, with what is done about rows that leak.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error, value::MapDeserializer},
    ser::SerializeMap,
};
use serde_json::{Value as Json, json};
use toml::Value;

use super::{Leak, SPLITS, Scheme, Split, SplitRows, draw_splits};
use crate::{DataError, Result};

type Keys = BTreeMap<String, Value>;

/// A kind of split that an experiment may name.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use tailrank_data::{Leak, Result, Scheme, Split, SplitRows, SplitSettings, SplitSpec, Timeline};
///
/// /// Tests the last rows.
/// #[derive(Debug, Deserialize, Serialize, JsonSchema)]
/// struct Last {
///     /// How many.
///     rows: usize,
/// }
///
/// impl Scheme for Last {
///     fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
///         let (all, first) = (rows.timeline.len(), rows.timeline.len() - self.rows);
///         Ok(vec![Split::new("the last rows", 0..first, first..all)])
///     }
///
///     fn pooled(&self) -> bool {
///         true
///     }
/// }
///
/// SplitSpec::new::<Last>("last", &[("rows", "rows, such as rows = 100")]).register()?;
/// let settings: SplitSettings = toml::from_str("kind = \"last\"\nrows = 2").unwrap();
/// let timeline = Timeline::points(5);
/// assert_eq!(settings.splits(&SplitRows::new(&timeline, 1))?[0].train.len(), 3);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SplitSpec {
    kind: &'static str,
    needs: &'static [(&'static str, &'static str)],
    read: fn(Keys) -> std::result::Result<ReadScheme, String>,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

/// A scheme with its keys, defaults included.
type ReadScheme = (Arc<dyn Scheme>, Json);

/// Kinds registered by this program, beside the built-in ones.
static REGISTERED: RwLock<Vec<&'static SplitSpec>> = RwLock::new(Vec::new());

impl SplitSpec {
    /// A scheme under the name that `kind` gives, with the keys that it cannot do without and how a message asks for
    /// each.
    pub const fn new<S>(kind: &'static str, needs: &'static [(&'static str, &'static str)]) -> Self
    where
        S: Scheme + DeserializeOwned + Serialize + JsonSchema + 'static,
    {
        Self { kind, needs, read: read::<S>, schema: S::json_schema }
    }

    /// Lets experiments name it, until the program ends.
    ///
    /// # Errors
    /// When the kind exists.
    pub fn register(self) -> Result<()> {
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        if SPLITS.iter().chain(registered.iter().copied()).any(|spec| spec.kind == self.kind) {
            return Err(DataError::Scheme(format!("there is a kind of split '{}' already", self.kind)));
        }
        registered.push(Box::leak(Box::new(self)));
        Ok(())
    }

    fn all() -> Vec<&'static Self> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        SPLITS.iter().chain(registered.iter().copied()).collect()
    }

    /// The scheme's keys with `kind` and `leak`.
    fn form(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut form = (self.schema)(generator);
        let mut leak = generator.subschema_for::<Leak>();
        leak.insert("default".to_owned(), json!(Leak::default()));
        leak.insert(
            "description".to_owned(),
            json!("What to do with training rows whose label reaches into the test period."),
        );
        let object = form.ensure_object();
        let properties = object.entry("properties").or_insert_with(|| json!({}));
        properties["kind"] = json!({ "type": "string", "const": self.kind });
        properties["leak"] = leak.to_value();
        let required = object.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut() {
            required.insert(0, json!("kind"));
        }
        form
    }
}

fn read<S>(keys: Keys) -> std::result::Result<ReadScheme, String>
where
    S: Scheme + DeserializeOwned + Serialize + 'static,
{
    let last = RefCell::new(String::new());
    let entries = keys.into_iter().inspect(|(key, _)| _ = last.replace(key.clone()));
    let scheme = S::deserialize(MapDeserializer::<_, toml::de::Error>::new(entries));
    let scheme = scheme.map_err(|e| format!("in key `{}`: {}", last.borrow(), e.message()))?;
    let keys = serde_json::to_value(&scheme).map_err(|e| e.to_string())?;
    Ok((Arc::new(scheme), keys))
}

/// How rows are divided. `kind` names the scheme; a key of another scheme is refused.
///
/// ```
/// use tailrank_data::SplitSettings;
/// let split: SplitSettings = toml::from_str("kind = \"kfold\"\nfolds = 10").unwrap();
/// assert_eq!(split.scheme().folds(), 10);
/// assert!(!split.scheme().pooled());
/// ```
#[derive(Clone, Debug)]
pub struct SplitSettings {
    kind: &'static str,
    leak: Leak,
    keys: Json,
    scheme: Arc<dyn Scheme>,
}

impl SplitSettings {
    /// What is done with training rows whose label reaches into the test period.
    pub fn leak(&self) -> Leak {
        self.leak
    }

    /// The scheme with its settings.
    pub fn scheme(&self) -> &dyn Scheme {
        &*self.scheme
    }

    /// Draws the splits and checks each.
    ///
    /// # Errors
    /// As [`draw_splits`].
    pub fn splits(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        draw_splits(self.scheme(), rows, self.leak)
    }
}

impl PartialEq for SplitSettings {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.leak, &self.keys) == (other.kind, other.leak, &other.keys)
    }
}

impl Serialize for SplitSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind)?;
        map.serialize_entry("leak", &self.leak)?;
        for (key, value) in self.keys.as_object().into_iter().flatten() {
            // TOML has no null, but leaves out what is none.
            map.serialize_entry(key, &(!value.is_null()).then_some(value))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for SplitSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Section {
            kind: Kind,
            #[serde(default)]
            leak: Leak,
            #[serde(flatten)]
            keys: BTreeMap<String, Option<Value>>,
        }
        let Section { kind: Kind(spec), leak, keys } = Section::deserialize(deserializer)?;
        let keys: Keys = keys.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
        if let Some((_, needed)) = spec.needs.iter().find(|(key, _)| !keys.contains_key(*key)) {
            return Err(D::Error::custom(format!("kind = \"{}\" needs {needed}", spec.kind)));
        }
        let (scheme, keys) = (spec.read)(keys).map_err(D::Error::custom)?;
        Ok(Self { kind: spec.kind, leak, keys, scheme })
    }
}

impl JsonSchema for SplitSettings {
    fn schema_name() -> Cow<'static, str> {
        "SplitSettings".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let forms: Vec<Schema> = SplitSpec::all().into_iter().map(|spec| spec.form(generator)).collect();
        let description =
            "How rows are divided. `kind` names the scheme; a key of another scheme is refused.";
        json_schema!({ "description": description, "oneOf": forms })
    }
}

/// A kind by its name.
struct Kind(&'static SplitSpec);

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let all = SplitSpec::all();
        all.iter().find(|spec| spec.kind == name).map(|spec| Self(spec)).ok_or_else(|| {
            let known: Vec<String> = all.iter().map(|spec| format!("`{}`", spec.kind)).collect();
            // As serde words it, so that readers of files treat both alike.
            D::Error::custom(format!("unknown variant `{name}`, expected one of {}", known.join(", ")))
        })
    }
}
