// φ over the density of the target with its thresholds (PR09 Fig. 1), and the utility surface (UT08 Fig. 4).
import { amount, axisTitle, css, layoutOf, scaleOf, tone, unitAxis } from "./charts.js";
import { evenly, highest, lowest, quantile } from "./numbers.js";
import { eventRanges, phiCurve, utilitySurface } from "./scoring.js";
import { run } from "./state.js";
import { asGiven, percent } from "./words.js";

/**
 * @param {View} view
 * @returns {Drawing | null}
 */
export const relevanceFigure = ({ task, settings, events }) => {
  const { truth } = task,
    { tE } = settings,
    lo = lowest(truth),
    hi = highest(truth);
  if (!(lo < hi)) return null;
  // The bulk of the target fills the figure; single far values may lie outside.
  const from = Math.min(quantile(truth, 0.001), lo + (hi - lo) * 0.3),
    to = Math.max(quantile(truth, 0.999), hi - (hi - lo) * 0.3);
  const xs = evenly(from, to, 400),
    ranges = eventRanges(from, to);
  const share = events / truth.length;
  const edges = [];
  for (const [low, high] of ranges) {
    if (low > from) edges.push(`y ≥ ${amount(task, low)}`);
    if (high < to) edges.push(`y ≤ ${amount(task, high)}`);
  }
  const band = { type: "rect", layer: "below", line: { width: 0 }, fillcolor: css("--band"), y0: 0, y1: 1, yref: "paper" },
    bands = ranges.map(([x0, x1]) => ({ ...band, x0, x1 }));
  const dotted = { color: css("--soft"), width: 1, dash: "dot" },
    threshold = { type: "line", x0: 0, x1: 1, xref: "paper", y0: tE, y1: tE, yref: "y2", line: dotted };
  const title = `Events are ${percent(share)} of the cases${edges.length ? `: ${edges.reverse().join(" or ")}` : ""}`;
  return {
    title,
    alternative: `${title}.`,
    note: `Bars: the true values of the test cases. Line: relevance φ(y)${task.parts.length > 1 ? " of the first fold" : ""}. Shaded: φ(y) ≥ t_E = ${asGiven(tE)}.`,
    data: [
      {
        type: "histogram",
        x: Array.from(truth),
        xbins: { start: from, end: to, size: (to - from) / 80 },
        histnorm: "probability",
        marker: { color: tone("bars") },
        hoverinfo: "x+y",
        name: "values"
      },
      {
        type: "scatter",
        mode: "lines",
        name: "relevance φ",
        yaxis: "y2",
        x: xs,
        y: phiCurve(xs),
        line: { color: css("--ink"), width: 2 },
        hovertemplate: "φ(%{x:.4~g}) = %{y:.3f}<extra></extra>"
      }
    ],
    layout: layoutOf({
      bargap: 0.02,
      margin: { l: 56, r: 56, t: 12, b: 44 },
      xaxis: unitAxis(task, { title: axisTitle(task.target), range: [from, to] }),
      yaxis: { title: axisTitle("share of the values per bar"), rangemode: "tozero", tickformat: ",.0%" },
      yaxis2: { title: axisTitle("relevance φ"), range: [0, 1.08], side: "right", overlaying: "y", showgrid: false },
      shapes: [...bands, threshold]
    })
  };
};

/**
 * @param {View} view
 * @returns {Drawing | null}
 */
export const utilityFigure = ({ task, settings }) => {
  const t = run.utility.t ?? settings.tL;
  if (t === null) return null;
  const from = quantile(task.truth, 0.002),
    to = quantile(task.truth, 0.998),
    grid = evenly(from, to, 90);
  if (!(from < to)) return null;
  const z = utilitySurface(grid);
  return {
    title: "Utility is gained only along the diagonal, at relevant values",
    note: `UT08 eq. 1–2 with B = ${asGiven(run.utility.benefit)}, t = ${asGiven(t)}, p = ${asGiven(settings.p)}${
      settings.p > 0.5
        ? ": missed events cost more than false alarms."
        : settings.p < 0.5
          ? ": false alarms cost more than missed events."
          : ": missed events and false alarms cost the same."
    }`,
    data: [
      {
        type: "contour",
        x: grid,
        y: grid,
        // Rows of the surface are true values; the truth lies across, as in the static figure.
        z: z[0].map((_, c) => z.map((row) => row[c])),
        ncontours: 12,
        colorscale: scaleOf("gains"),
        zmid: 0,
        zmin: -run.utility.benefit,
        zmax: run.utility.benefit,
        contours: { coloring: "heatmap" },
        line: { width: 0.5, color: "rgba(80,80,80,.5)" },
        hovertemplate: "true %{x:.3~g}, predicted %{y:.3~g}: utility %{z:.3f}<extra></extra>",
        colorbar: { thickness: 10, len: 0.9, title: { text: "utility U", font: { size: 11 } } }
      }
    ],
    layout: layoutOf({
      height: 380,
      margin: { l: 60, r: 16, t: 12, b: 48 },
      xaxis: unitAxis(task, { title: axisTitle(`true ${task.target}`) }),
      yaxis: unitAxis(task, { title: axisTitle(`predicted ${task.target}`) })
    })
  };
};
