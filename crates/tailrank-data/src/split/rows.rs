//! Row numbers of one part of a split; a run of rows is kept as its two ends.

use std::ops::Range;

/// Row numbers, from 0, ascending; a bootstrap sample repeats some.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rows(Form);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    Run(Range<usize>),
    List(Vec<usize>),
}

impl Rows {
    /// Number of rows, repeats counted.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Run(run) => run.len(),
            Form::List(list) => list.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        // Both forms in one iterator: a run by its offset, a list by its entries.
        (0..self.len()).map(|i| self.at(i))
    }

    /// The `i`-th row.
    fn at(&self, i: usize) -> usize {
        match &self.0 {
            Form::Run(run) => run.start + i,
            Form::List(list) => list[i],
        }
    }

    /// The last row.
    pub fn last(&self) -> Option<usize> {
        self.len().checked_sub(1).map(|i| self.at(i))
    }

    /// The first row.
    pub fn first(&self) -> Option<usize> {
        (!self.is_empty()).then(|| self.at(0))
    }
}

impl From<Range<usize>> for Rows {
    fn from(run: Range<usize>) -> Self {
        Self(Form::Run(run.start..run.end.max(run.start)))
    }
}

impl From<Vec<usize>> for Rows {
    fn from(mut list: Vec<usize>) -> Self {
        list.sort_unstable();
        match (list.first(), list.last()) {
            (Some(first), Some(last)) if list.windows(2).all(|w| w[1] == w[0] + 1) => {
                Self(Form::Run(*first..*last + 1))
            }
            (None, _) => Self(Form::Run(0..0)),
            _ => Self(Form::List(list)),
        }
    }
}

impl FromIterator<usize> for Rows {
    fn from_iter<I: IntoIterator<Item = usize>>(rows: I) -> Self {
        rows.into_iter().collect::<Vec<_>>().into()
    }
}
