// Numbers and names as the page writes them.

/**
 * Plotly reads a little markup in its labels; an escaped name stays a name.
 * @param {string} text
 */
export const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/**
 * Names that would fill a figure are cut there; hovering gives them whole.
 * @param {string} text
 */
export const shortened = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

/**
 * Three significant digits.
 * @param {number} value
 */
export const digits = (value) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return value.toExponential(2).replace("e+", "e").replace("-", "−").replace("e-", "e−");
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size)))).replace("-", "−");
};

/**
 * A setting as it was given.
 * @param {number | null} value
 */
export const asGiven = (value) => String(value).replace("-", "−");

/**
 * A score is a number, or the reason why there is none.
 * @param {Score} score
 * @returns {score is number}
 */
export const defined = (score) => typeof score === "number";

/** @param {Score} score */
export const scoreText = (score) => (defined(score) ? digits(score) : "–");

/** @param {number | null} rank */
export const rankText = (rank) => (rank === null ? "" : rank % 1 === 0 ? String(rank) : rank.toFixed(1));

/** @param {number} share */
export const percent = (share) => {
  const value = 100 * share;
  return `${(Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(1)).replace("-", "−")} %`;
};

/**
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export const counted = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/**
 * A day, counted from 1970-01-01.
 * @param {number} days
 */
export const dayOf = (days) => new Date(days * 86400000).toISOString().slice(0, 10);
