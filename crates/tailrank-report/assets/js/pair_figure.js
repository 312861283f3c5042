// PR09 Fig. 2: on the left the two top fives on two scales, on the right ranks by one measure against ranks by the other.
import { axisTitle, css, families, familyOf, hoverText, LEGEND, layoutOf, leading, nameOf } from "./charts.js";
import { run, state } from "./state.js";
import { defined, digits, escaped, rankText, shortened } from "./words.js";

const TOP = 5;

/**
 * The first few that have a score at all.
 * @param {View} view
 * @param {number[]} ranks
 * @param {number} measure
 */
const best = ({ scores, comparison: { variants } }, ranks, measure) => {
  const places = ranks.map((_, i) => i).filter((i) => defined(scores[variants[i]]?.[measure] ?? ""));
  places.sort((i, j) => ranks[i] - ranks[j] || i - j);
  return places.slice(0, TOP).map((i) => variants[i]);
};

/**
 * Ties are counted in part, so that the number of shared places has a decimal.
 * @param {number | null} shared
 */
const sharedText = (shared) => rankText(shared === null ? null : Math.round(shared * 10) / 10);

/**
 * @param {View} view
 * @returns {Drawing}
 */
export const topFigure = (view) => {
  const { scores, comparison: c } = view,
    A = run.measures[view.a],
    B = run.measures[view.b];
  const topA = best(view, c.ranksA, view.a),
    topB = best(view, c.ranksB, view.b),
    pinned = state.pins.filter((v) => scores[v]);
  // The first stands on top.
  const shown = Array.from(new Set([...topA, ...topB, ...pinned])).reverse();
  const names = shown.map((v) => (state.pins.includes(v) ? "★ " : "") + escaped(shortened(nameOf(v))));
  const rows = shown.map((_, i) => i);
  /**
   * @param {number} m
   * @param {string} axis
   * @param {boolean} open
   */
  const trace = (m, axis, open) => {
    const keep = rows.filter((i) => defined(scores[shown[i]]?.[m] ?? ""));
    return {
      type: "scatter",
      mode: "markers",
      xaxis: axis,
      y: keep,
      x: keep.map((i) => scores[shown[i]]?.[m]),
      variants: keep.map((i) => shown[i]),
      hoverinfo: "text",
      hovertext: keep.map((i) => hoverText(shown[i], view)),
      marker: {
        symbol: keep.map((i) => familyOf(shown[i]).marker + (open ? "-open" : "")),
        size: 11,
        color: keep.map((i) => familyOf(shown[i]).colour),
        line: { width: open ? 2 : 0 }
      }
    };
  };
  const split = topB.filter((v) => !topA.includes(v)).length;
  // As on the terminal: over the run's number of first places.
  const words = `${sharedText(c.shared)} of the top ${c.k} by ${A.symbol} and by ${B.symbol} are shared`;
  /** @param {Measure} measure */
  const arrow = (measure) => `${measure.symbol} (${measure.better} is better)`;
  return {
    title: words,
    note: `Filled: ${A.symbol} on the lower scale. Open: ${B.symbol} on the upper scale; no mark where it is undefined. Upper rows: the ${leading(view.a)}.`,
    alternative: `${words}. By ${leading(view.a)}: ${topA.map(nameOf).join(", ")}. By ${leading(view.b)}: ${topB.map(nameOf).join(", ")}.`,
    data: [trace(view.a, "x", false), trace(view.b, "x2", true)],
    layout: layoutOf({
      height: Math.max(340, 120 + 24 * shown.length),
      margin: { l: 110, r: 24, t: 52, b: 48 },
      yaxis: {
        tickvals: rows,
        ticktext: names,
        range: [-0.7, shown.length - 0.3],
        showgrid: true,
        zeroline: false,
        fixedrange: true
      },
      xaxis: { title: axisTitle(arrow(A)), zeroline: false, nticks: 6 },
      xaxis2: { title: axisTitle(arrow(B)), overlaying: "x", side: "top", showgrid: false, zeroline: false, nticks: 6 },
      shapes:
        split > 0 && split < shown.length
          ? [
              {
                type: "line",
                xref: "paper",
                x0: 0,
                x1: 1,
                y0: shown.length - topA.length - 0.5,
                y1: shown.length - topA.length - 0.5,
                line: { color: css("--soft"), width: 1, dash: "dot" }
              }
            ]
          : []
    })
  };
};

/**
 * @param {View} view
 * @returns {Drawing}
 */
export const scatterFigure = (view) => {
  const c = view.comparison,
    A = run.measures[view.a],
    B = run.measures[view.b],
    n = c.variants.length;
  /** @type {Trace[]} */
  const data = families().map((family, f) => {
    const places = c.variants.map((_, i) => i).filter((i) => run.variants[c.variants[i]].family === f);
    return {
      type: "scatter",
      mode: "markers",
      name: escaped(family.name),
      x: places.map((i) => c.ranksA[i]),
      y: places.map((i) => c.ranksB[i]),
      variants: places.map((i) => c.variants[i]),
      hoverinfo: "text",
      hovertext: places.map((i) => hoverText(c.variants[i], view)),
      marker: {
        symbol: family.marker,
        size: 9,
        color: family.colour,
        opacity: 0.85,
        line: { width: 0.5, color: css("--paper") }
      }
    };
  });
  const pinned = state.pins.filter((v) => c.variants.includes(v));
  data.push({
    type: "scatter",
    mode: "markers+text",
    showlegend: false,
    x: pinned.map((v) => c.ranksA[c.variants.indexOf(v)]),
    y: pinned.map((v) => c.ranksB[c.variants.indexOf(v)]),
    variants: pinned,
    text: pinned.map((v) => escaped(shortened(nameOf(v)))),
    textposition: pinned.map((v) => {
      const x = c.ranksA[c.variants.indexOf(v)];
      return x < 0.15 * n ? "top right" : x > 0.85 * n ? "top left" : "top center";
    }),
    hoverinfo: "text",
    hovertext: pinned.map((v) => hoverText(v, view)),
    textfont: { size: 11, color: css("--ink") },
    marker: { symbol: "circle-open", size: 17, color: css("--ink"), line: { width: 2 } }
  });
  const rho = c.rho,
    words =
      rho === null
        ? "The rankings cannot be compared"
        : rho <= -0.3
          ? "The rankings are nearly opposite"
          : rho < 0.3
            ? "The rankings have little in common"
            : rho < 0.7
              ? "The rankings agree in part"
              : "The rankings agree for the most part";
  /**
   * @param {number} x0
   * @param {number} y0
   * @param {number} x1
   * @param {number} y1
   * @param {string} dash
   */
  const line = (x0, y0, x1, y1, dash) => ({
    type: "line",
    x0,
    y0,
    x1,
    y1,
    layer: "below",
    line: { color: css("--soft"), width: 1, dash }
  });
  const top = c.k + 0.5;
  const title = words + (rho === null ? "" : `: ρ = ${digits(rho)}, τ = ${c.tau === null ? "–" : digits(c.tau)}`);
  return {
    title,
    note: `Dotted: the first ${c.k} places; they share ${sharedText(c.shared)}. On the diagonal both measures agree. Click a mark to pin it.`,
    alternative: `${title}, over ${n} models. The first ${c.k} places share ${sharedText(c.shared)}.`,
    data,
    layout: layoutOf({
      height: 360,
      showlegend: true,
      legend: LEGEND,
      margin: { l: 56, r: 16, t: 36, b: 48 },
      xaxis: { title: axisTitle(`rank by ${A.symbol} (1 is first)`), range: [0, n + 1], zeroline: false },
      yaxis: { title: axisTitle(`rank by ${B.symbol} (1 is first)`), range: [0, n + 1], zeroline: false },
      shapes: [line(1, 1, n, n, "solid")].concat(
        c.k < n ? [line(top, 0, top, n + 1, "dot"), line(0, top, n + 1, top, "dot")] : []
      )
    })
  };
};
