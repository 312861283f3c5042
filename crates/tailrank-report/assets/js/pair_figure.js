// PR09 Fig. 2: on the left the two top fives on two scales, on the right ranks by one measure against ranks by the other.
((tr) => {
  const TOP = 5;

  // The first few that have a score at all.
  function best(view, ranks, measure) {
    const comparison = view.comparison;
    const places = ranks.map((_, i) => i).filter((i) => tr.defined(view.scores[comparison.variants[i]][measure]));
    places.sort((i, j) => ranks[i] - ranks[j] || i - j);
    return places.slice(0, TOP).map((i) => comparison.variants[i]);
  }

  tr.topFigure = (view) => {
    const run = tr.run,
      c = view.comparison,
      A = run.measures[view.a],
      B = run.measures[view.b];
    const topA = best(view, c.ranksA, view.a),
      topB = best(view, c.ranksB, view.b);
    const shown = topA.concat(topB.filter((v) => topA.indexOf(v) < 0));
    tr.state.pins.forEach((v) => {
      if (shown.indexOf(v) < 0 && view.scores[v]) shown.push(v);
    });
    shown.reverse(); // the first stands on top
    const names = shown.map((v) => (tr.state.pins.indexOf(v) >= 0 ? "★ " : "") + tr.label(tr.short(tr.name(v))));
    const rows = shown.map((_, i) => i);
    function trace(m, axis, open) {
      const keep = rows.filter((i) => tr.defined(view.scores[shown[i]][m]));
      return {
        type: "scatter",
        mode: "markers",
        xaxis: axis,
        y: keep,
        x: keep.map((i) => view.scores[shown[i]][m]),
        variants: keep.map((i) => shown[i]),
        hoverinfo: "text",
        hovertext: keep.map((i) => tr.hover(shown[i], view)),
        marker: {
          symbol: keep.map((i) => tr.family(shown[i]).marker + (open ? "-open" : "")),
          size: 11,
          color: keep.map((i) => tr.family(shown[i]).colour),
          line: { width: open ? 2 : 0 }
        }
      };
    }
    const split = topB.filter((v) => topA.indexOf(v) < 0).length;
    // As on the terminal: over the run's number of first places, ties counted in part.
    const words = `${tr.rank(Math.round(c.shared * 10) / 10)} of the top ${c.k} by ${A.symbol} and by ${B.symbol} are shared`;
    const arrow = (measure) => `${measure.symbol} (${measure.better} is better)`;
    return {
      title: words,
      note: `Filled: ${A.symbol} on the lower scale. Open: ${B.symbol} on the upper scale; no mark where it is undefined. Upper rows: the ${tr.leading(view.a)}.`,
      alternative: `${words}. By ${tr.leading(view.a)}: ${topA.map(tr.name).join(", ")}. By ${tr.leading(view.b)}: ${topB.map(tr.name).join(", ")}.`,
      data: [trace(view.a, "x", false), trace(view.b, "x2", true)],
      layout: tr.layout({
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
        xaxis: { title: tr.axisTitle(arrow(A)), zeroline: false, nticks: 6 },
        xaxis2: { title: tr.axisTitle(arrow(B)), overlaying: "x", side: "top", showgrid: false, zeroline: false, nticks: 6 },
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
                  line: { color: tr.css("--soft"), width: 1, dash: "dot" }
                }
              ]
            : []
      })
    };
  };

  tr.scatterFigure = (view) => {
    const run = tr.run,
      c = view.comparison,
      A = run.measures[view.a],
      B = run.measures[view.b],
      n = c.variants.length;
    const data = tr.families().map((family, f) => {
      const places = c.variants.map((_, i) => i).filter((i) => run.variants[c.variants[i]].family === f);
      return {
        type: "scatter",
        mode: "markers",
        name: tr.label(family.name),
        x: places.map((i) => c.ranksA[i]),
        y: places.map((i) => c.ranksB[i]),
        variants: places.map((i) => c.variants[i]),
        hoverinfo: "text",
        hovertext: places.map((i) => tr.hover(c.variants[i], view)),
        marker: {
          symbol: family.marker,
          size: 9,
          color: family.colour,
          opacity: 0.85,
          line: { width: 0.5, color: tr.css("--paper") }
        }
      };
    });
    const pinned = tr.state.pins.filter((v) => c.variants.indexOf(v) >= 0);
    data.push({
      type: "scatter",
      mode: "markers+text",
      showlegend: false,
      x: pinned.map((v) => c.ranksA[c.variants.indexOf(v)]),
      y: pinned.map((v) => c.ranksB[c.variants.indexOf(v)]),
      variants: pinned,
      text: pinned.map((v) => tr.label(tr.short(tr.name(v)))),
      textposition: pinned.map((v) => {
        const x = c.ranksA[c.variants.indexOf(v)];
        return x < 0.15 * n ? "top right" : x > 0.85 * n ? "top left" : "top center";
      }),
      hoverinfo: "text",
      hovertext: pinned.map((v) => tr.hover(v, view)),
      textfont: { size: 11, color: tr.css("--ink") },
      marker: { symbol: "circle-open", size: 17, color: tr.css("--ink"), line: { width: 2 } }
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
    const line = (x0, y0, x1, y1, dash) => ({
      type: "line",
      x0,
      y0,
      x1,
      y1,
      layer: "below",
      line: { color: tr.css("--soft"), width: 1, dash }
    });
    const top = c.k + 0.5;
    const title = words + (rho === null ? "" : `: ρ = ${tr.number(rho)}, τ = ${c.tau === null ? "–" : tr.number(c.tau)}`);
    return {
      title,
      note: `Dotted: the first ${c.k} places; they share ${tr.rank(Math.round(c.shared * 10) / 10)}. On the diagonal both measures agree. Click a mark to pin it.`,
      alternative: `${title}, over ${n} models. The first ${c.k} places share ${tr.rank(Math.round(c.shared * 10) / 10)}.`,
      data,
      layout: tr.layout({
        height: Math.max(340, 120 + 24 * 10),
        showlegend: true,
        legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } },
        margin: { l: 56, r: 16, t: 36, b: 48 },
        xaxis: { title: tr.axisTitle(`rank by ${A.symbol} (1 is first)`), range: [0, n + 1], zeroline: false },
        yaxis: { title: tr.axisTitle(`rank by ${B.symbol} (1 is first)`), range: [0, n + 1], zeroline: false },
        shapes: [line(1, 1, n, n, "solid")].concat(
          c.k < n ? [line(top, 0, top, n + 1, "dot"), line(0, top, n + 1, top, "dot")] : []
        )
      })
    };
  };
})(tailrank);
