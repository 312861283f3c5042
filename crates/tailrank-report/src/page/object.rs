//! JSON objects for the page's scripts, key by key in the order in which they are written.

use serde::Serialize;

/// A JSON object under construction.
#[derive(Default)]
pub(super) struct Object(Vec<String>);

impl Object {
    /// Adds a value.
    pub(super) fn with(self, key: &str, value: impl Serialize) -> Self {
        // Numbers, texts and lists of them always have a form in JSON.
        let json = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        self.with_json(key, &json)
    }

    /// Adds a value, if there is one.
    pub(super) fn with_some<T: Serialize>(self, key: &str, value: Option<T>) -> Self {
        if value.is_some() { self.with(key, value) } else { self }
    }

    /// Adds what is JSON already: another object, or a list of them.
    pub(super) fn with_json(mut self, key: &str, json: &str) -> Self {
        self.0.push(format!("\"{key}\":{json}"));
        self
    }

    /// The whole object.
    pub(super) fn json(&self) -> String {
        format!("{{{}}}", self.0.join(","))
    }

    /// Objects as a list.
    pub(super) fn list(all: impl IntoIterator<Item = Self>) -> String {
        let all: Vec<String> = all.into_iter().map(|object| object.json()).collect();
        format!("[{}]", all.join(","))
    }
}
