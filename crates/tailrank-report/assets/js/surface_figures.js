// The REC surface (REC05 eq. 1) as iso-lines, with its 3-D form one click away.
((tr) => {
  const GRID = 40;

  tr.surface3d = false;

  function grid(lo, hi) {
    const out = [];
    for (let k = 1; k <= GRID; k++) out.push(lo + ((hi - lo) * k) / GRID);
    return out;
  }

  // D(e, y) = P(ε ≤ e, Y ≤ y): one row per error.
  function heights(losses, truth, errors, targets) {
    const rows = errors.map(() => new Float64Array(GRID));
    const place = (value, lo, step) => (value <= lo ? 0 : Math.ceil((value - lo) / step - 1e-12) - 1);
    const eStep = errors[1] - errors[0],
      yStep = targets[1] - targets[0],
      eLo = errors[0] - eStep,
      yLo = targets[0] - yStep;
    for (let i = 0; i < truth.length; i++) {
      const r = place(losses[i], eLo, eStep),
        c = place(truth[i], yLo, yStep);
      if (r < GRID && c < GRID) rows[r][c]++;
    }
    for (let r = 0; r < GRID; r++) {
      for (let c = 0; c < GRID; c++) {
        rows[r][c] += (r ? rows[r - 1][c] : 0) + (c ? rows[r][c - 1] : 0) - (r && c ? rows[r - 1][c - 1] : 0);
      }
    }
    return rows.map((row) => Array.from(row, (n) => n / truth.length));
  }

  tr.recSurface = (view) => {
    const variant = view.focus;
    if (variant === null) return null;
    const truth = view.task.truth,
      losses = view.evaluator.losses[variant];
    const errors = grid(0, tr.quantile(losses, 0.995) || 1),
      targets = grid(tr.low(truth), tr.high(truth));
    const z = heights(losses, truth, errors, targets);
    const axisE = "e: absolute error",
      axisY = `y: ${view.task.target}`;
    const hover = "error ≤ %{y:.3~g}, Y ≤ %{x:.3~g}: %{z:.3f}<extra></extra>";
    const base = {
      x: targets,
      y: errors,
      z,
      colorscale: tr.scaleOf(tr.run.palette.heights),
      zmin: 0,
      zmax: 1,
      hovertemplate: hover,
      colorbar: { thickness: 10, len: 0.9, title: { text: "cases", font: { size: 11 } } }
    };
    const trace = tr.surface3d
      ? Object.assign({ type: "surface", contours: { z: { show: true, usecolormap: true, project: { z: true } } } }, base)
      : Object.assign(
          {
            type: "contour",
            ncontours: 11,
            contours: { coloring: "heatmap", showlabels: true, labelfont: { size: 10, color: "#222222" } },
            line: { color: "#222222", width: 0.8 }
          },
          base
        );
    const across = tr.unitAxis(view.task, { title: tr.axisTitle(axisY) }),
      up = tr.unitAxis(view.task, { title: tr.axisTitle(axisE) });
    return {
      title: `REC surface of ${tr.name(variant)}`,
      note: "D(e, y) = P(error ≤ e, Y ≤ y): the share of cases with a true value up to y and an error up to e (REC05 eq. 1).",
      data: [trace],
      layout: tr.layout(
        tr.surface3d
          ? {
              height: 460,
              margin: { l: 0, r: 0, t: 8, b: 0 },
              scene: { xaxis: { title: { text: axisY } }, yaxis: { title: { text: axisE } }, zaxis: { title: { text: "D" } } }
            }
          : { height: 380, margin: { l: 60, r: 16, t: 12, b: 48 }, xaxis: across, yaxis: up }
      )
    };
  };
})(tailrank);
