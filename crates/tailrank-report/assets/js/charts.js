// One way to draw: Plotly with the page's colours, only when the figure is in view, with a text alternative.
((tr) => {
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  tr.css = css;

  let pending = null;
  // Loads the chart library once, after the first screen stands.
  tr.withPlotly = (then) => {
    if (window.Plotly) return then();
    if (pending) return pending.push(then);
    pending = [then];
    const failed = () => {
      document.body.classList.add("no-plotly");
    };
    tr.load(
      "plotly.js",
      () => {
        tr.unpacked
          .then(() => {
            pending.forEach((f) => {
              f();
            });
          })
          .catch(failed);
      },
      failed
    );
  };

  // Black cannot be seen on a dark page: it is ink there.
  tr.families = () =>
    tr.run.families.map((f) => ({
      name: f.name,
      marker: f.marker,
      colour: f.colour === "#000000" ? css("--ink") : f.colour
    }));
  // Colours that the figures for papers have too; the darkest turns light on a dark page.
  tr.tone = (name) => (name === "good" ? css("--hit") : tr.run.palette[name]);
  tr.scaleOf = (colours) => colours.map((colour, i) => [i / (colours.length - 1), colour]);
  tr.family = (variant) => tr.families()[tr.run.variants[variant].family];
  tr.name = (variant) => tr.run.variants[variant].label;

  // `highest F` or `lowest MAD`: who leads, where nothing is said of being better.
  tr.leading = (m) => (tr.run.measures[m].better === "lower" ? "lowest " : "highest ") + tr.run.measures[m].symbol;

  // Hover text of a variant: name, parameters, both scores, both ranks.
  tr.hover = (variant, view) => {
    const run = tr.run,
      v = run.variants[variant],
      row = view.scores[variant];
    const line = (m, ranks) => {
      const at = view.comparison.variants.indexOf(variant);
      const rank = at < 0 ? "not ranked" : `rank ${tr.rank(ranks[at])} of ${ranks.length}`;
      const score = tr.defined(row[m]) ? tr.number(row[m]) : `– (${tr.label(row[m])})`;
      return `${tr.label(run.measures[m].symbol)} ${score}, ${rank}`;
    };
    return `<b>${tr.label(v.label)}</b><br>${tr.label(v.params)}<br>${line(view.a, view.comparison.ranksA)}<br>${line(view.b, view.comparison.ranksB)}`;
  };

  tr.layout = (more) => {
    const axis = {
      gridcolor: css("--rule"),
      linecolor: css("--soft"),
      zerolinecolor: css("--soft"),
      zerolinewidth: 1,
      tickfont: { size: 11 },
      title: { font: { size: 12 } },
      automargin: true,
      ticks: "outside",
      ticklen: 3,
      tickcolor: css("--soft")
    };
    const layout = {
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: css("--font"), color: css("--ink"), size: 12 },
      margin: { l: 56, r: 16, t: 12, b: 44 },
      hoverlabel: { align: "left", font: { family: css("--font"), size: 12 } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: css("--soft"), activecolor: css("--ink") },
      showlegend: false,
      dragmode: "zoom",
      height: 340
    };
    Object.keys(more || {}).forEach((key) => {
      layout[key] = /axis\d*$/.test(key) ? Object.assign({}, axis, more[key]) : more[key];
    });
    if (!layout.xaxis) layout.xaxis = axis;
    if (!layout.yaxis) layout.yaxis = axis;
    return layout;
  };

  // An axis of the target's own unit; returns are read in percent.
  tr.unitAxis = (task, more) => Object.assign(task.percent ? { tickformat: ",.1~%" } : {}, more);
  // A bound as the figures for papers write it: no zeros at the end.
  tr.limit = (task, value) => (task.percent ? `${Number((100 * value).toPrecision(3))}%` : String(Number(value.toPrecision(3))));
  tr.amount = (task, value) => (task.percent ? `${tr.number(100 * value)} %` : tr.number(value));

  tr.axisTitle = (text) => ({
    text: tr.label(text),
    font: { size: 12 },
    standoff: 8
  });

  const CONFIG = {
    responsive: true,
    displaylogo: false,
    displayModeBar: matchMedia("(any-hover: hover)").matches ? "hover" : false,
    modeBarButtonsToRemove: [
      "select2d",
      "lasso2d",
      "autoScale2d",
      "hoverClosestCartesian",
      "hoverCompareCartesian",
      "toggleSpikelines"
    ]
  };

  // A figure: a title that states the finding, the plot, and the same in words for those who cannot see it.
  tr.Figure = function (id, draw) {
    this.draw = draw;
    // What is not in view yet is not drawn, but never without a name.
    this.title = tr.h("h3", { id: `${id}-title` }, "…");
    this.plot = tr.h("div", { id, class: "plot", role: "img", "aria-label": "drawn when it comes into view" });
    this.note = tr.h("p", { class: "note" });
    this.node = tr.h("figure", { "aria-labelledby": `${id}-title` }, this.title, this.plot, this.note);
    this.seen = false;
    this.stale = true;
    tr.figures.push(this);
  };
  tr.figures = [];

  const watcher =
    window.IntersectionObserver &&
    new IntersectionObserver(
      (entries) => {
        entries.forEach((entry) => {
          const figure = entry.target.figure;
          figure.seen = entry.isIntersecting;
          if (figure.seen && figure.stale) figure.paint();
        });
      },
      { rootMargin: "300px" }
    );

  tr.Figure.prototype.watch = function () {
    this.node.figure = this;
    if (watcher) watcher.observe(this.node);
    else this.seen = true;
  };

  // Draws now if in view, else when it comes into view.
  tr.Figure.prototype.update = function () {
    this.stale = true;
    // A hidden figure has nothing to show yet and is never seen; it may have something now.
    if (this.seen || this.node.hidden) this.paint();
  };

  tr.Figure.prototype.paint = function () {
    const self = this;
    this.stale = false;
    const drawn = this.draw();
    this.node.hidden = !drawn;
    if (!drawn) return;
    tr.replace(this.title, drawn.title);
    tr.replace(this.note, drawn.note || "");
    this.note.hidden = !drawn.note;
    this.plot.setAttribute("aria-label", drawn.alternative || drawn.title);
    tr.withPlotly(() => {
      window.Plotly.react(self.plot, drawn.data, drawn.layout, CONFIG).then(() => {
        if (self.bound) return;
        self.bound = true;
        self.plot.on("plotly_click", (event) => {
          let variant =
            event.points[0] && event.points[0].data.variants && event.points[0].data.variants[event.points[0].pointNumber];
          if (variant === undefined && event.points[0]) variant = event.points[0].data.variant;
          if (variant !== undefined && variant !== null) tr.togglePin(variant);
        });
      });
    });
  };

  // Paper shows everything.
  window.addEventListener("beforeprint", () => {
    tr.figures.forEach((f) => {
      if (f.stale) f.paint();
    });
  });
  tr.repaint = () => {
    tr.figures.forEach((f) => {
      f.update();
    });
  };
  if (window.matchMedia)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      tr.repaint();
    });
})(tailrank);
