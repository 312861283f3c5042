// The REC surface (REC05 eq. 1) as iso-lines, with its 3-D form one click away.
import { axisTitle, layoutOf, nameOf, scaleOf, unitAxis } from "./charts.js";
import { evenly, highest, lowest, quantile } from "./numbers.js";

const GRID = 40;

/**
 * D(e, y) = P(ε ≤ e, Y ≤ y): one row per error. The first of the errors and of the targets is where their grid starts.
 * @param {Float64Array} losses
 * @param {Float64Array} truth
 * @param {number[]} errors
 * @param {number[]} targets
 */
const heights = (losses, truth, errors, targets) => {
  const rows = Array.from({ length: GRID }, () => new Float64Array(GRID));
  /**
   * @param {number} value
   * @param {number[]} grid
   */
  const place = (value, [lo, first]) => (value <= lo ? 0 : Math.ceil((value - lo) / (first - lo) - 1e-12) - 1);
  for (let i = 0; i < truth.length; i++) {
    const r = place(losses[i], errors),
      c = place(truth[i], targets);
    if (r < GRID && c < GRID) rows[r][c]++;
  }
  for (let r = 0; r < GRID; r++) {
    for (let c = 0; c < GRID; c++) {
      rows[r][c] += (r ? rows[r - 1][c] : 0) + (c ? rows[r][c - 1] : 0) - (r && c ? rows[r - 1][c - 1] : 0);
    }
  }
  return rows.map((row) => Array.from(row, (n) => n / truth.length));
};

/**
 * @param {View} view
 * @param {boolean} threeD
 * @returns {Drawing | null}
 */
export const recSurface = ({ task, focus: variant, evaluator }, threeD) => {
  if (variant === null) return null;
  const { truth } = task,
    losses = evaluator.losses[variant];
  if (!losses) return null;
  const errors = evenly(0, quantile(losses, 0.995) || 1, GRID),
    targets = evenly(lowest(truth), highest(truth), GRID),
    axisE = "e: absolute error",
    axisY = `y: ${task.target}`;
  const base = {
    x: targets.slice(1),
    y: errors.slice(1),
    z: heights(losses, truth, errors, targets),
    colorscale: scaleOf("heights"),
    zmin: 0,
    zmax: 1,
    hovertemplate: "error ≤ %{y:.3~g}, Y ≤ %{x:.3~g}: %{z:.3f}<extra></extra>",
    colorbar: { thickness: 10, len: 0.9, title: { text: "cases", font: { size: 11 } } }
  };
  const isoLines = {
    type: "contour",
    ncontours: 11,
    contours: { coloring: "heatmap", showlabels: true, labelfont: { size: 10, color: "#222222" } },
    line: { color: "#222222", width: 0.8 }
  };
  const surface = { type: "surface", contours: { z: { show: true, usecolormap: true, project: { z: true } } } };
  const scene = { xaxis: { title: { text: axisY } }, yaxis: { title: { text: axisE } }, zaxis: { title: { text: "D" } } };
  const flat = {
    margin: { l: 60, r: 16, t: 12, b: 48 },
    xaxis: unitAxis(task, { title: axisTitle(axisY) }),
    yaxis: unitAxis(task, { title: axisTitle(axisE) })
  };
  return {
    title: `REC surface of ${nameOf(variant)}`,
    note: "D(e, y) = P(error ≤ e, Y ≤ y): the share of cases with a true value up to y and an error up to e (REC05 eq. 1).",
    data: [{ ...(threeD ? surface : isoLines), ...base }],
    layout: layoutOf(threeD ? { height: 460, margin: { l: 0, r: 0, t: 8, b: 0 }, scene } : { height: 380, ...flat })
  };
};
