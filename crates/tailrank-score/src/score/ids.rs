//! Which task, which variant: numbers that cannot be taken for each other.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use tailrank_metrics::Measure;
use tailrank_models::Params;

use crate::table::{Format::Name, TableOf};

/// A task of a run, by its place, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskId(pub usize);

/// A variant of a run, by its place, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VariantId(pub usize);

macro_rules! places {
    ($($id:ident),*) => {$(
        impl $id {
            /// So many of them, in order.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count).map(Self)
            }
        }

        impl<T> Index<$id> for Vec<T> {
            type Output = T;

            fn index(&self, id: $id) -> &T {
                &self[id.0]
            }
        }

        impl<T> Index<$id> for [T] {
            type Output = T;

            fn index(&self, id: $id) -> &T {
                &self[id.0]
            }
        }

        impl<T> IndexMut<$id> for Vec<T> {
            fn index_mut(&mut self, id: $id) -> &mut T {
                &mut self[id.0]
            }
        }
    )*};
}

places!(TaskId, VariantId);

/// How a variant is named in tables.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantName {
    /// Short name.
    pub label: String,
    /// Family or the grid's own label.
    pub group: String,
    /// Its parameters.
    pub params: Params,
    /// The steps around the family; `plain` where there are none.
    pub recipe: String,
    /// Whether it is a reference to measure others by (a baseline), not a candidate.
    pub reference: bool,
}

/// What tasks and variants of a run are called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// The tasks, in order.
    pub tasks: Vec<String>,
    /// The variants, in order.
    pub variants: Vec<VariantName>,
}

impl Names {
    /// A task's name.
    pub fn task(&self, task: TaskId) -> &str {
        &self.tasks[task]
    }

    /// A variant's short name.
    pub fn label(&self, variant: VariantId) -> &str {
        &self.variants[variant].label
    }
}

/// The columns that many tables begin with.
impl<T> TableOf<T> {
    pub(super) fn task(self, names: &Names, of: impl Fn(&T) -> TaskId) -> Self {
        self.column(Name, "task", "task", |t| names.task(of(t))).means("the task")
    }

    pub(super) fn model(self, names: &Names, of: impl Fn(&T) -> VariantId) -> Self {
        self.column(Name, "model", "model", |t| names.label(of(t))).means("the model")
    }

    pub(super) fn family(self, names: &Names, of: impl Fn(&T) -> VariantId) -> Self {
        self.column(Name, "family", "family", |t| names.variants[of(t)].group.as_str()).means("its family")
    }

    pub(super) fn measure(self, of: impl Fn(&T) -> Measure) -> Self {
        self.column(Name, "measure", "measure", |t| of(t).id()).means("the measure")
    }
}
