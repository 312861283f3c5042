//! Returns over a horizon.

/// R_h(t) = (C(t) − C(t−h)) / C(t−h), PR09 §5.2; the answer starts at t = h.
///
/// ```
/// use tailrank_data::returns;
/// assert_eq!(returns(&[100.0, 110.0, 99.0], 1), [0.1, -0.1]);
/// assert_eq!(returns(&[100.0, 110.0, 99.0], 2), [-0.01]);
/// assert!(returns(&[100.0], 1).is_empty());
/// ```
pub fn returns(prices: &[f64], horizon: usize) -> Vec<f64> {
    let later = prices.get(horizon..).unwrap_or_default();
    later.iter().zip(prices).map(|(now, then)| (now - then) / then).collect()
}
