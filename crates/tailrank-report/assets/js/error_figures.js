// Where the errors are (REC05): REC curves, the same on events alone, where small errors occur, and predicted against true.
((tr) => {
  const MOST_POINTS = 400;
  const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash"];

  // The winners by both measures, then the pinned ones: { variant, role }.
  tr.shownVariants = (view) => {
    const shown = [],
      c = view.comparison;
    function add(variant, role) {
      if (variant === null || !view.scores[variant]) return;
      const known = shown.filter((s) => s.variant === variant)[0];
      if (known) {
        if (role !== "pinned") known.role += ` and ${role}`;
        return;
      }
      shown.push({ variant, role });
    }
    add(c.bestA, tr.leading(view.a));
    add(c.bestB, tr.leading(view.b));
    tr.state.pins.forEach((v) => {
      add(v, "pinned");
    });
    return shown;
  };

  // Points of a step curve x ↦ #{values ≤ x} / total, thinned to what a screen can show.
  function steps(values, total) {
    const sorted = Float64Array.from(values).sort(),
      n = sorted.length,
      x = [],
      y = [];
    const every = Math.max(1, Math.floor(n / MOST_POINTS));
    for (let i = 0; i < n; i += every) {
      x.push(sorted[i]);
      y.push((i + 1) / total);
    }
    if (n && x[x.length - 1] !== sorted[n - 1]) {
      x.push(sorted[n - 1]);
      y.push(n / total);
    }
    return { x, y };
  }

  function curve(shown, i, points) {
    return {
      type: "scatter",
      mode: "lines",
      name: `${tr.label(tr.short(tr.name(shown.variant)))} (${shown.role})`,
      x: points.x,
      y: points.y,
      variant: shown.variant,
      line: { color: tr.family(shown.variant).colour, dash: DASHES[i % DASHES.length], width: 2, shape: "hv" },
      // A name stands in a field of its own: inside the template it could be read as one.
      meta: tr.label(tr.name(shown.variant)),
      hovertemplate: "%{meta}<br>%{x:.4~g}: %{y:.3f}<extra></extra>"
    };
  }

  const LEGEND = { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } };

  function quantile(values, q) {
    const sorted = Float64Array.from(values).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  }

  // REC curves (Bi & Bennett 2003); the area over a curve is the mean error.
  function recFigure(view, pick, where, axis, note) {
    const shown = tr.shownVariants(view);
    if (!shown.length) return null;
    const losses = shown.map((s) => pick(view.evaluator.losses[s.variant]));
    if (!losses[0].length) return null;
    const limit =
      Math.max.apply(
        null,
        losses.map((l) => quantile(l, 0.99))
      ) || 1;
    const area = (l) => tr.amount(view.task, l.reduce((sum, x) => sum + x, 0) / l.length);
    const areas = shown.map((s, i) => `${tr.name(s.variant)} ${area(losses[i])}`);
    const title = `Area over the curve of the ${where}: ${areas.join(", ")}`;
    return {
      title,
      alternative: `${title}.`,
      note: `REC curves: the share of cases within each error. The area over a curve is its mean error.${note}`,
      data: shown.map((s, i) => {
        const line = curve(s, i, steps(losses[i], view.task.truth.length));
        line.name += `, area ${area(losses[i])}`;
        return line;
      }),
      layout: tr.layout({
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 48, b: 44 },
        xaxis: tr.unitAxis(view.task, { title: tr.axisTitle("absolute error"), range: [0, limit] }),
        yaxis: { title: tr.axisTitle(axis), rangemode: "tozero", tickformat: ",.0%" }
      })
    };
  }

  tr.recCurves = (view) => recFigure(view, (l) => l, "cases", "cases within the error", "");

  tr.partialRec = (view) => {
    const phi = view.evaluator.phiTruth(),
      tE = view.settings.tE;
    const note = ` Of the ${view.events} cases with φ(y) ≥ t_E (REC05 eq. 3).`;
    return recFigure(view, (l) => l.filter((_, i) => phi[i] >= tE), "events", "all cases", note);
  };

  tr.partialYCdf = (view) => {
    const shown = tr.shownVariants(view),
      tL = view.settings.tL,
      truth = view.task.truth,
      n = truth.length;
    if (!shown.length || tL === null) return null;
    const data = shown.map((s, i) => {
      const losses = view.evaluator.losses[s.variant];
      return curve(
        s,
        i,
        steps(
          truth.filter((_, j) => losses[j] <= tL),
          n
        )
      );
    });
    const last = data.map((d) => (d.y.length ? d.y[d.y.length - 1] : 0));
    const most = last.indexOf(Math.max.apply(null, last));
    return {
      title: `${tr.name(shown[most].variant)} has most errors within t_L: ${tr.percent(last[most])} of cases`,
      note: `Partial Y-CDF: share of cases with an error of at most t_L = ${tr.plain(tL)} and a true value up to y (REC05 eq. 2). Steep where small errors are.`,
      data,
      layout: tr.layout({
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 48, b: 44 },
        xaxis: tr.unitAxis(view.task, { title: tr.axisTitle(view.task.target) }),
        yaxis: {
          title: tr.axisTitle(`cases with error ≤ ${tr.limit(view.task, tL)} and a target up to y`),
          rangemode: "tozero",
          tickformat: ",.0%"
        }
      })
    };
  };

  // Predicted against true, every case; hits, false alarms and misses apart.
  tr.predictedFigure = (view) => {
    const variant = view.focus;
    if (variant === null) return null;
    const task = view.task,
      z = task.predictions[variant],
      y = task.truth,
      tE = view.settings.tE;
    const phiY = view.evaluator.phiTruth(),
      phiZ = view.evaluator.phiPredicted(variant),
      loss = view.evaluator.losses[variant];
    const valleys = view.evaluator.valleys(),
      tL = view.settings.tL;
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
    function trace(name, places, symbol, colour, size, opacity) {
      return {
        type: "scatter",
        mode: "markers",
        name,
        x: places.map((i) => y[i]),
        y: places.map((i) => z[i]),
        hoverinfo: "text",
        hovertext: places.map(
          (i) => `${task.dates ? `${tr.day(task.dates[i])}<br>` : ""}true ${tr.amount(task, y[i])}<br>predicted ${tr.amount(task, z[i])}`
        ),
        marker: { symbol, color: colour, size, opacity, line: { width: 1, color: colour } }
      };
    }
    const ink = tr.css("--soft");
    let lo = Math.min.apply(null, [tr.low(y), tr.low(z)]);
    let hi = Math.max.apply(null, [tr.high(y), tr.high(z)]);
    const pad = (hi - lo) * 0.03;
    lo -= pad;
    hi += pad;
    const bands = tr.eventRanges(lo, hi);
    const rect = (r, across) => ({
      type: "rect",
      layer: "below",
      line: { width: 0 },
      fillcolor: tr.css("--band"),
      x0: across ? r[0] : lo,
      x1: across ? r[1] : hi,
      y0: across ? lo : r[0],
      y1: across ? hi : r[1]
    });
    const shapes = bands.map((r) => rect(r, true)).concat(bands.map((r) => rect(r, false)));
    shapes.push({ type: "line", x0: lo, y0: lo, x1: hi, y1: hi, line: { color: ink, width: 1 }, layer: "below" });
    const title = `${tr.name(variant)}: ${tr.count(groups.hit.length, "hit", "hits")}, ${tr.count(groups.false.length, "false alarm", "false alarms")}, ${tr.count(groups.missed.length + otherSide, "missed event", "missed events")}${groups.far.length ? `, ${tr.count(groups.far.length, "near miss", "near misses")}` : ""}`;
    return {
      title,
      alternative: `${title}, of ${y.length} cases.`,
      note: `Shaded: values with φ ≥ t_E. Where the bands cross, an event was signalled.${every > 1 ? ` Of ${every} quiet cases one is drawn.` : ""}`,
      data: [
        trace("no event, no signal", quiet, "circle", tr.tone("quiet"), 3, 0.35),
        trace("missed event", groups.missed, "line-ew-open", tr.tone("missed"), 6, 0.85),
        trace("false alarm", groups.false, "x-thin-open", tr.tone("bad"), 7, 0.85),
        trace("near miss", groups.far, "diamond-open", tr.tone("near"), 7, 0.9),
        trace("hit", groups.hit, "square", tr.tone("good"), 7, 0.85)
      ],
      layout: tr.layout({
        showlegend: true,
        legend: LEGEND,
        height: 420,
        margin: { l: 56, r: 16, t: 40, b: 44 },
        shapes,
        xaxis: tr.unitAxis(task, { title: tr.axisTitle(`true ${task.target}`), range: [lo, hi] }),
        yaxis: tr.unitAxis(task, { title: tr.axisTitle(`predicted ${task.target}`), range: [lo, hi] })
      })
    };
  };

  tr.low = (a) => {
    let m = Infinity;
    for (let i = 0; i < a.length; i++) if (a[i] < m) m = a[i];
    return m;
  };
  tr.high = (a) => {
    let m = -Infinity;
    for (let i = 0; i < a.length; i++) if (a[i] > m) m = a[i];
    return m;
  };
  tr.day = (days) => new Date(days * 86400000).toISOString().slice(0, 10);
  tr.quantile = quantile;
})(tailrank);
