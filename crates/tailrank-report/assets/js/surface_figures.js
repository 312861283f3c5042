// The REC surface (REC05 eq. 1) as iso-lines, with its 3-D form one click away.
(function (tr) {
  var GRID = 40;

  tr.surface3d = false;

  function grid(lo, hi) {
    var out = [];
    for (var k = 1; k <= GRID; k++) out.push(lo + (hi - lo) * k / GRID);
    return out;
  }

  // D(e, y) = P(ε ≤ e, Y ≤ y): one row per error.
  function heights(losses, truth, errors, targets) {
    var rows = errors.map(function () { return new Float64Array(GRID); });
    var place = function (value, lo, step) { return value <= lo ? 0 : Math.ceil((value - lo) / step - 1e-12) - 1; };
    var eStep = errors[1] - errors[0], yStep = targets[1] - targets[0], eLo = errors[0] - eStep, yLo = targets[0] - yStep;
    for (var i = 0; i < truth.length; i++) {
      var r = place(losses[i], eLo, eStep), c = place(truth[i], yLo, yStep);
      if (r < GRID && c < GRID) rows[r][c]++;
    }
    for (r = 0; r < GRID; r++) {
      for (c = 0; c < GRID; c++) {
        rows[r][c] += (r ? rows[r - 1][c] : 0) + (c ? rows[r][c - 1] : 0) - (r && c ? rows[r - 1][c - 1] : 0);
      }
    }
    return rows.map(function (row) { return Array.from(row, function (n) { return n / truth.length; }); });
  }

  tr.recSurface = function (view) {
    var variant = view.focus;
    if (variant === null) return null;
    var truth = view.task.truth, losses = view.evaluator.losses[variant];
    var errors = grid(0, tr.quantile(losses, 0.995) || 1), targets = grid(tr.low(truth), tr.high(truth));
    var z = heights(losses, truth, errors, targets);
    var axisE = "absolute error e", axisY = "true value y";
    // Columns are targets, rows errors; drawn with errors across.
    var turned = targets.map(function (_, c) { return errors.map(function (_, r) { return z[r][c]; }); });
    var hover = "error ≤ %{x:.3~g}, Y ≤ %{y:.3~g}: %{z:.3f}<extra></extra>";
    var base = { x: errors, y: targets, z: turned, colorscale: "Viridis", zmin: 0, zmax: 1, hovertemplate: hover, colorbar: { thickness: 10, len: 0.9, title: { text: "D(e, y)", font: { size: 11 } } } };
    var trace = tr.surface3d ? Object.assign({ type: "surface", contours: { z: { show: true, usecolormap: true, project: { z: true } } } }, base)
      : Object.assign({ type: "contour", ncontours: 11, contours: { coloring: "heatmap", showlabels: true, labelfont: { size: 10, color: "#fff" } }, line: { color: "rgba(255,255,255,.6)", width: 1 } }, base);
    var plain = { title: tr.axisTitle(axisE) }, up = { title: tr.axisTitle(axisY + " of " + view.task.target) };
    return {
      title: "REC surface of " + tr.name(variant),
      note: "D(e, y) = P(error ≤ e, Y ≤ y): the share of cases with a true value up to y and an error up to e (REC05 eq. 1).",
      data: [trace],
      layout: tr.layout(tr.surface3d ? { height: 460, margin: { l: 0, r: 0, t: 8, b: 0 }, scene: { xaxis: { title: { text: axisE } }, yaxis: { title: { text: axisY } }, zaxis: { title: { text: "D" } } } }
        : { height: 380, margin: { l: 60, r: 16, t: 12, b: 48 }, xaxis: plain, yaxis: up })
    };
  };
})(tailrank);
