// φ over the density of the target with its thresholds (PR09 Fig. 1), and the utility surface (UT08 Fig. 4).
((tr) => {
  function line(lo, hi, points) {
    const out = [];
    for (let i = 0; i <= points; i++) out.push(lo + ((hi - lo) * i) / points);
    return out;
  }

  tr.relevanceFigure = (view) => {
    const truth = view.task.truth,
      lo = tr.low(truth),
      hi = tr.high(truth),
      tE = view.settings.tE;
    if (!(lo < hi)) return null;
    // The bulk of the target fills the figure; single far values may lie outside.
    const from = Math.min(tr.quantile(truth, 0.001), lo + (hi - lo) * 0.3),
      to = Math.max(tr.quantile(truth, 0.999), hi - (hi - lo) * 0.3);
    const xs = line(from, to, 400),
      ranges = tr.eventRanges(from, to);
    const share = view.events / truth.length;
    const edges = [];
    ranges.forEach((r) => {
      if (r[0] > from) edges.push(`y ≥ ${tr.amount(view.task, r[0])}`);
      if (r[1] < to) edges.push(`y ≤ ${tr.amount(view.task, r[1])}`);
    });
    const title = `Events are ${tr.percent(share)} of the cases${edges.length ? `: ${edges.reverse().join(" or ")}` : ""}`;
    return {
      title,
      alternative: `${title}.`,
      note: `Bars: the true values of the test cases. Line: relevance φ(y)${view.task.parts.length > 1 ? " of the first fold" : ""}. Shaded: φ(y) ≥ t_E = ${tr.plain(tE)}.`,
      data: [
        {
          type: "histogram",
          x: Array.from(truth),
          xbins: { start: from, end: to, size: (to - from) / 80 },
          histnorm: "probability",
          marker: { color: tr.tone("bars") },
          hoverinfo: "x+y",
          name: "values"
        },
        {
          type: "scatter",
          mode: "lines",
          name: "relevance φ",
          yaxis: "y2",
          x: xs,
          y: tr.phiCurve(xs),
          line: { color: tr.css("--ink"), width: 2 },
          hovertemplate: "φ(%{x:.4~g}) = %{y:.3f}<extra></extra>"
        }
      ],
      layout: tr.layout({
        bargap: 0.02,
        margin: { l: 56, r: 56, t: 12, b: 44 },
        xaxis: tr.unitAxis(view.task, { title: tr.axisTitle(view.task.target), range: [from, to] }),
        yaxis: { title: tr.axisTitle("share of the values per bar"), rangemode: "tozero", tickformat: ",.0%" },
        yaxis2: { title: tr.axisTitle("relevance φ"), range: [0, 1.08], side: "right", overlaying: "y", showgrid: false },
        shapes: ranges
          .map((r) => ({
            type: "rect",
            layer: "below",
            line: { width: 0 },
            fillcolor: tr.css("--band"),
            x0: r[0],
            x1: r[1],
            y0: 0,
            y1: 1,
            yref: "paper"
          }))
          .concat([
            {
              type: "line",
              x0: 0,
              x1: 1,
              xref: "paper",
              y0: tE,
              y1: tE,
              yref: "y2",
              line: { color: tr.css("--soft"), width: 1, dash: "dot" }
            }
          ])
      })
    };
  };

  tr.utilityFigure = (view) => {
    const run = tr.run,
      t = run.utility.t === null ? view.settings.tL : run.utility.t;
    if (t === null) return null;
    const truth = view.task.truth,
      from = tr.quantile(truth, 0.002),
      to = tr.quantile(truth, 0.998),
      grid = line(from, to, 90);
    if (!(from < to)) return null;
    const z = tr.utilitySurface(grid);
    return {
      title: "Utility is gained only along the diagonal, at relevant values",
      note: `UT08 eq. 1–2 with B = ${tr.plain(run.utility.benefit)}, t = ${tr.plain(t)}, p = ${tr.plain(view.settings.p)}${
        view.settings.p > 0.5
          ? ": missed events cost more than false alarms."
          : view.settings.p < 0.5
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
          colorscale: tr.scaleOf(tr.run.palette.gains),
          zmid: 0,
          zmin: -run.utility.benefit,
          zmax: run.utility.benefit,
          contours: { coloring: "heatmap" },
          line: { width: 0.5, color: "rgba(80,80,80,.5)" },
          hovertemplate: "true %{x:.3~g}, predicted %{y:.3~g}: utility %{z:.3f}<extra></extra>",
          colorbar: { thickness: 10, len: 0.9, title: { text: "utility U", font: { size: 11 } } }
        }
      ],
      layout: tr.layout({
        height: 380,
        margin: { l: 60, r: 16, t: 12, b: 48 },
        xaxis: tr.unitAxis(view.task, { title: tr.axisTitle(`true ${view.task.target}`) }),
        yaxis: tr.unitAxis(view.task, { title: tr.axisTitle(`predicted ${view.task.target}`) })
      })
    };
  };
})(tailrank);
