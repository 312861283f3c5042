//! Inputs in their order: runs of quantities, and categories whole, so that a one-hot category stays one.

use std::ops::Range;

use crate::{ModelError, Result};

/// Inputs that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Numbers, each on its own.
    Quantities(Range<usize>),
    /// One category: a code in one input, or one input per level.
    Category(Range<usize>),
}

/// The fields of `inputs` inputs, some of which are categories (checked).
pub(super) fn fields(inputs: usize, categories: &[Range<usize>]) -> Vec<Field> {
    let mut found = Vec::new();
    let mut next = 0;
    for category in categories {
        if next < category.start {
            found.push(Field::Quantities(next..category.start));
        }
        found.push(Field::Category(category.clone()));
        next = category.end;
    }
    if next < inputs {
        found.push(Field::Quantities(next..inputs));
    }
    found
}

/// Categories must name inputs that there are, in their order, and none twice.
pub(super) fn check(inputs: usize, categories: &[Range<usize>]) -> Result<()> {
    let mut next = 0;
    for category in categories {
        if category.start < next || category.is_empty() || category.end > inputs {
            return Err(ModelError::data(format!(
                "inputs {}..{} cannot be a category: list categories in the order of the {inputs} inputs, \
                 each once",
                category.start, category.end
            )));
        }
        next = category.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_in_one_field() {
        let found = fields(7, &[1..4, 4..5]);
        assert_eq!(
            found,
            [Field::Quantities(0..1), Field::Category(1..4), Field::Category(4..5), Field::Quantities(5..7)]
        );
        assert_eq!(fields(2, &[]), [Field::Quantities(0..2)]);
        assert_eq!(fields(2, &[0..2]), [Field::Category(0..2)]);
    }

    #[test]
    fn categories_that_cannot_be_are_refused() {
        for wrong in [vec![2..4], vec![1..1], vec![1..2, 0..1], vec![0..2, 1..3]] {
            let message = check(3, &wrong).unwrap_err().to_string();
            assert!(message.contains("cannot be a category"), "{message}");
        }
        assert!(check(3, &[0..1, 1..3]).is_ok() && check(3, &[]).is_ok());
    }
}
