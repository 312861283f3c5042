//! Which task, which variant: numbers that cannot be taken for each other.

use std::ops::{Index, IndexMut};

use tailrank_models::Params;

/// A task of a run, by its place, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

/// A variant of a run, by its place, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariantId(pub usize);

impl VariantId {
    /// So many variants, in order.
    pub fn all(variants: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..variants).map(Self)
    }
}

impl TaskId {
    /// So many tasks, in order.
    pub fn all(tasks: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..tasks).map(Self)
    }
}

macro_rules! places {
    ($($id:ident),*) => {$(
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
