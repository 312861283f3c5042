//! Variants that share work, fitted together.

use crate::{ModelError, Result};

/// The places of variants with equal keys, in the order of their first.
pub(crate) fn groups<V, K: PartialEq>(variants: &[V], key: impl Fn(&V) -> K) -> Vec<(K, Vec<usize>)> {
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    for (v, variant) in variants.iter().enumerate() {
        let key = key(variant);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(v),
            None => groups.push((key, vec![v])),
        }
    }
    groups
}

/// One answer per variant from the answers of each group; an error is that of all its members.
pub(crate) fn ungroup<M>(
    variants: usize,
    groups: impl IntoIterator<Item = (Vec<usize>, Result<Vec<M>>)>,
) -> Vec<Result<M>> {
    let mut answers: Vec<Result<M>> = (0..variants).map(|_| Err(ModelError::Cancelled)).collect();
    for (members, fits) in groups {
        match fits {
            Ok(fits) => members.iter().zip(fits).for_each(|(&v, fit)| answers[v] = Ok(fit)),
            Err(error) => members.iter().for_each(|&v| answers[v] = Err(error.clone())),
        }
    }
    answers
}

/// Fits variants with equal keys together: `fit` gets the key and its variants.
pub(crate) fn fit_groups<V, K: PartialEq, M>(
    variants: &[V],
    key: impl Fn(&V) -> K,
    fit: impl Fn(K, &[&V]) -> Result<Vec<M>>,
) -> Vec<Result<M>> {
    let fits = groups(variants, key).into_iter().map(|(key, members)| {
        let fits = fit(key, &members.iter().map(|&v| &variants[v]).collect::<Vec<_>>());
        (members, fits)
    });
    ungroup(variants.len(), fits)
}
