// Extremes and quantiles of a task's columns.

/** @param {Numbers} values */
export const lowest = (values) => {
  let least = Infinity;
  for (const value of values) if (value < least) least = value;
  return least;
};

/** @param {Numbers} values */
export const highest = (values) => {
  let most = -Infinity;
  for (const value of values) if (value > most) most = value;
  return most;
};

/**
 * @param {Numbers} values
 * @param {number} q
 */
export const quantile = (values, q) => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
};

/**
 * Evenly spaced values from `lo` to `hi`, both included.
 * @param {number} lo
 * @param {number} hi
 * @param {number} steps
 */
export const evenly = (lo, hi, steps) => Array.from({ length: steps + 1 }, (_, i) => lo + ((hi - lo) * i) / steps);
