// Where the errors are (REC05): REC curves, the same on events alone, where small errors occur, and predicted against true.
import { amount, axisTitle, bound, css, DASHES, familyOf, LEGEND, layoutOf, leading, nameOf, tone, unitAxis } from "./charts.js";
import { highest, lowest, quantile } from "./numbers.js";
import { eventRanges } from "./scoring.js";
import { state } from "./state.js";
import { asGiven, counted, dayOf, escaped, percent, shortened } from "./words.js";

const MOST_POINTS = 400;

/** @typedef {{ variant: number, role: string, predicted: Float64Array, losses: Float64Array }} Shown */

/**
 * The winners by both measures, then the pinned ones.
 * @param {View} view
 */
export const shownVariants = (view) => {
  /** @type {Shown[]} */
  const shown = [];
  /**
   * @param {number | null} variant
   * @param {string} role
   */
  const add = (variant, role) => {
    if (variant === null) return;
    const predicted = view.task.predictions[variant],
      losses = view.evaluator.losses[variant],
      known = shown.find((s) => s.variant === variant);
    if (!view.scores[variant] || !predicted || !losses) return;
    if (!known) shown.push({ variant, role, predicted, losses });
    else if (role !== "pinned") known.role += ` and ${role}`;
  };
  add(view.comparison.bestA, leading(view.a));
  add(view.comparison.bestB, leading(view.b));
  for (const variant of state.pins) add(variant, "pinned");
  return shown;
};

/**
 * Points of a step curve x ↦ #{values ≤ x} / total, thinned to what a screen can show.
 * @param {Numbers} values
 * @param {number} total
 */
const steps = (values, total) => {
  const sorted = Float64Array.from(values).sort(),
    n = sorted.length,
    x = [],
    y = [];
  const every = Math.max(1, Math.floor(n / MOST_POINTS));
  for (let i = 0; i < n; i += every) {
    x.push(sorted[i]);
    y.push((i + 1) / total);
  }
  if (n && x.at(-1) !== sorted[n - 1]) {
    x.push(sorted[n - 1]);
    y.push(n / total);
  }
  return { x, y };
};

/**
 * @param {Shown} shown
 * @param {number} i
 * @param {{ x: number[], y: number[] }} points
 */
const curve = ({ variant, role }, i, points) => ({
  type: "scatter",
  mode: "lines",
  name: `${escaped(shortened(nameOf(variant)))} (${role})`,
  ...points,
  variant,
  line: { color: familyOf(variant).colour, dash: DASHES[i % DASHES.length], width: 2, shape: "hv" },
  // A name stands in a field of its own: inside the template it could be read as one.
  meta: escaped(nameOf(variant)),
  hovertemplate: "%{meta}<br>%{x:.4~g}: %{y:.3f}<extra></extra>"
});

/**
 * REC curves (Bi & Bennett 2003); the area over a curve is the mean error.
 * @param {View} view
 * @param {(losses: Float64Array) => Float64Array} pick
 * @param {{ where: string, axis: string, note: string }} words
 * @returns {Drawing | null}
 */
const recFigure = (view, pick, { where, axis, note }) => {
  const { task } = view,
    shown = shownVariants(view);
  if (!shown.length) return null;
  const losses = shown.map((s) => pick(s.losses));
  if (!losses[0].length) return null;
  const limit = Math.max(...losses.map((l) => quantile(l, 0.99))) || 1,
    areas = losses.map((l) => amount(task, l.reduce((sum, x) => sum + x, 0) / l.length)),
    title = `Area over the curve of the ${where}: ${shown.map((s, i) => `${nameOf(s.variant)} ${areas[i]}`).join(", ")}`;
  return {
    title,
    alternative: `${title}.`,
    note: `REC curves: the share of cases within each error. The area over a curve is its mean error.${note}`,
    data: shown.map((s, i) => {
      const line = curve(s, i, steps(losses[i], task.truth.length));
      return { ...line, name: `${line.name}, area ${areas[i]}` };
    }),
    layout: layoutOf({
      showlegend: true,
      legend: LEGEND,
      margin: { l: 56, r: 16, t: 48, b: 44 },
      xaxis: unitAxis(task, { title: axisTitle("absolute error"), range: [0, limit] }),
      yaxis: { title: axisTitle(axis), rangemode: "tozero", tickformat: ",.0%" }
    })
  };
};

/** @param {View} view */
export const recCurves = (view) => recFigure(view, (l) => l, { where: "cases", axis: "cases within the error", note: "" });

/** @param {View} view */
export const partialRec = (view) => {
  const phi = view.evaluator.phiTruth(),
    note = ` Of the ${view.events} cases with φ(y) ≥ t_E (REC05 eq. 3).`;
  return recFigure(view, (l) => l.filter((_, i) => phi[i] >= view.settings.tE), { where: "events", axis: "all cases", note });
};

/**
 * @param {View} view
 * @returns {Drawing | null}
 */
export const partialYCdf = (view) => {
  const shown = shownVariants(view),
    { tL } = view.settings,
    { truth } = view.task;
  if (!shown.length || tL === null) return null;
  const small = shown.map((s) => truth.filter((_, j) => s.losses[j] <= tL)),
    shares = small.map((values) => values.length / truth.length),
    most = shares.indexOf(Math.max(...shares));
  return {
    title: `${nameOf(shown[most].variant)} has most errors within t_L: ${percent(shares[most])} of cases`,
    note: `Partial Y-CDF: share of cases with an error of at most t_L = ${asGiven(tL)} and a true value up to y (REC05 eq. 2). Steep where small errors are.`,
    data: shown.map((s, i) => curve(s, i, steps(small[i], truth.length))),
    layout: layoutOf({
      showlegend: true,
      legend: LEGEND,
      margin: { l: 56, r: 16, t: 48, b: 44 },
      xaxis: unitAxis(view.task, { title: axisTitle(view.task.target) }),
      yaxis: {
        title: axisTitle(`cases with error ≤ ${bound(view.task, tL)} and a target up to y`),
        rangemode: "tozero",
        tickformat: ",.0%"
      }
    })
  };
};

/**
 * Predicted against true, every case; hits, false alarms and misses apart.
 * @param {View} view
 * @returns {Drawing | null}
 */
export const predictedFigure = ({ task, focus: variant, settings, evaluator }) => {
  if (variant === null) return null;
  const z = task.predictions[variant],
    loss = evaluator.losses[variant],
    y = task.truth,
    { tE, tL } = settings;
  if (!z || !loss) return null;
  const phiY = evaluator.phiTruth(),
    phiZ = evaluator.phiPredicted(variant),
    valleys = evaluator.valleys();
  /** @type {Record<"quiet" | "missed" | "false" | "far" | "hit", number[]>} */
  const groups = { quiet: [], missed: [], false: [], far: [], hit: [] };
  let otherSide = 0; // events met by a signal of the other side: missed, and a false alarm
  for (let i = 0; i < y.length; i++) {
    const event = phiY[i] >= tE,
      signal = phiZ[i] >= tE,
      met = event && signal && y[i] > valleys[i] === z[i] > valleys[i];
    if (event && signal && !met) otherSide++;
    groups[met ? (tL === null || loss[i] <= tL ? "hit" : "far") : signal ? "false" : event ? "missed" : "quiet"].push(i);
  }
  // Quiet cases are most of the points and say least.
  const most = 1500,
    every = Math.ceil(groups.quiet.length / most);
  const quiet = groups.quiet.filter((_, k) => k % every === 0);
  /**
   * @param {string} name
   * @param {number[]} places
   * @param {string} symbol
   * @param {string} colour
   * @param {number} size
   * @param {number} opacity
   */
  const trace = (name, places, symbol, colour, size, opacity) => ({
    type: "scatter",
    mode: "markers",
    name,
    x: places.map((i) => y[i]),
    y: places.map((i) => z[i]),
    hoverinfo: "text",
    hovertext: places.map((i) => {
      const day = task.dates ? `${dayOf(task.dates[i])}<br>` : "";
      return `${day}true ${amount(task, y[i])}<br>predicted ${amount(task, z[i])}`;
    }),
    marker: { symbol, color: colour, size, opacity, line: { width: 1, color: colour } }
  });
  const [least, greatest] = [Math.min(lowest(y), lowest(z)), Math.max(highest(y), highest(z))],
    pad = (greatest - least) * 0.03,
    [lo, hi] = [least - pad, greatest + pad];
  const band = { type: "rect", layer: "below", line: { width: 0 }, fillcolor: css("--band") };
  const bands = eventRanges(lo, hi).flatMap(([from, to]) => [
    { ...band, x0: from, x1: to, y0: lo, y1: hi },
    { ...band, x0: lo, x1: hi, y0: from, y1: to }
  ]);
  const diagonal = { type: "line", x0: lo, y0: lo, x1: hi, y1: hi, line: { color: css("--soft"), width: 1 }, layer: "below" };
  const title = `${nameOf(variant)}: ${counted(groups.hit.length, "hit", "hits")}, ${counted(groups.false.length, "false alarm", "false alarms")}, ${counted(groups.missed.length + otherSide, "missed event", "missed events")}${groups.far.length ? `, ${counted(groups.far.length, "near miss", "near misses")}` : ""}`;
  return {
    title,
    alternative: `${title}, of ${y.length} cases.`,
    note: `Shaded: values with φ ≥ t_E. Where the bands cross, an event was signalled.${every > 1 ? ` Of ${every} quiet cases one is drawn.` : ""}`,
    data: [
      trace("no event, no signal", quiet, "circle", tone("quiet"), 3, 0.35),
      trace("missed event", groups.missed, "line-ew-open", tone("missed"), 6, 0.85),
      trace("false alarm", groups.false, "x-thin-open", tone("bad"), 7, 0.85),
      trace("near miss", groups.far, "diamond-open", tone("near"), 7, 0.9),
      trace("hit", groups.hit, "square", tone("good"), 7, 0.85)
    ],
    layout: layoutOf({
      showlegend: true,
      legend: LEGEND,
      height: 420,
      margin: { l: 56, r: 16, t: 40, b: 44 },
      shapes: [...bands, diagonal],
      xaxis: unitAxis(task, { title: axisTitle(`true ${task.target}`), range: [lo, hi] }),
      yaxis: unitAxis(task, { title: axisTitle(`predicted ${task.target}`), range: [lo, hi] })
    })
  };
};
