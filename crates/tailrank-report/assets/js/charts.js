// One way to draw: Plotly with the page's colours, only when the figure is in view, with a text alternative.
(function (tr) {
  var css = function (name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); };
  tr.css = css;

  var pending = null;
  // Loads the chart library once, after the first screen stands.
  tr.withPlotly = function (then) {
    if (window.Plotly) return then();
    if (pending) return pending.push(then);
    pending = [then];
    var script = tr.h("script", { src: "plotly.min.js" });
    script.onload = function () { pending.forEach(function (f) { f(); }); };
    script.onerror = function () { document.body.classList.add("no-plotly"); };
    document.head.appendChild(script);
  };

  // Black cannot be seen on a dark page: it is ink there.
  tr.families = function () {
    return tr.run.families.map(function (f) { return { name: f.name, marker: f.marker, colour: f.colour === "#000000" ? css("--ink") : f.colour }; });
  };
  tr.family = function (variant) { return tr.families()[tr.run.variants[variant].family]; };
  tr.name = function (variant) { return tr.run.variants[variant].label; };

  // Hover text of a variant: name, parameters, both scores, both ranks.
  tr.hover = function (variant, view) {
    var run = tr.run, v = run.variants[variant], row = view.scores[variant];
    var line = function (m, ranks) {
      var at = view.comparison.variants.indexOf(variant);
      var rank = at < 0 ? "not ranked" : "rank " + tr.rank(ranks[at]) + " of " + ranks.length;
      var score = tr.defined(row[m]) ? tr.number(row[m]) : "– (" + tr.label(row[m]) + ")";
      return tr.label(run.measures[m].symbol) + " " + score + ", " + rank;
    };
    return "<b>" + tr.label(v.label) + "</b><br>" + tr.label(v.params) + "<br>" +
      line(view.a, view.comparison.ranksA) + "<br>" + line(view.b, view.comparison.ranksB);
  };

  tr.layout = function (more) {
    var axis = {
      gridcolor: css("--rule"), linecolor: css("--soft"), zerolinecolor: css("--soft"), zerolinewidth: 1,
      tickfont: { size: 11 }, title: { font: { size: 12 } }, automargin: true, ticks: "outside", ticklen: 3, tickcolor: css("--soft")
    };
    var layout = {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { family: css("--font"), color: css("--ink"), size: 12 },
      margin: { l: 56, r: 16, t: 12, b: 44 }, hoverlabel: { align: "left", font: { family: css("--font"), size: 12 } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: css("--soft"), activecolor: css("--ink") },
      showlegend: false, dragmode: "zoom", height: 340
    };
    Object.keys(more || {}).forEach(function (key) {
      layout[key] = /axis\d*$/.test(key) ? Object.assign({}, axis, more[key]) : more[key];
    });
    if (!layout.xaxis) layout.xaxis = axis;
    if (!layout.yaxis) layout.yaxis = axis;
    return layout;
  };

  tr.axisTitle = function (text) { return { text: tr.label(text), font: { size: 12 }, standoff: 8 }; };

  var CONFIG = {
    responsive: true, displaylogo: false, displayModeBar: "hover",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "hoverClosestCartesian", "hoverCompareCartesian", "toggleSpikelines"]
  };

  // A figure: a title that states the finding, the plot, and the same in words for those who cannot see it.
  tr.Figure = function (id, draw) {
    this.draw = draw;
    this.title = tr.h("h3", { id: id + "-title" });
    this.plot = tr.h("div", { id: id, class: "plot", role: "img" });
    this.note = tr.h("p", { class: "note" });
    this.node = tr.h("figure", { "aria-labelledby": id + "-title" }, this.title, this.plot, this.note);
    this.seen = false;
    this.stale = true;
    tr.figures.push(this);
  };
  tr.figures = [];

  var watcher = window.IntersectionObserver && new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      var figure = entry.target.figure;
      figure.seen = entry.isIntersecting;
      if (figure.seen && figure.stale) figure.paint();
    });
  }, { rootMargin: "300px" });

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
    var self = this;
    this.stale = false;
    var drawn = this.draw();
    this.node.hidden = !drawn;
    if (!drawn) return;
    tr.replace(this.title, drawn.title);
    tr.replace(this.note, drawn.note || "");
    this.note.hidden = !drawn.note;
    this.plot.setAttribute("aria-label", drawn.alternative || drawn.title);
    tr.withPlotly(function () {
      window.Plotly.react(self.plot, drawn.data, drawn.layout, CONFIG).then(function () {
        if (self.bound) return;
        self.bound = true;
        self.plot.on("plotly_click", function (event) {
          var variant = event.points[0] && event.points[0].data.variants && event.points[0].data.variants[event.points[0].pointNumber];
          if (variant === undefined && event.points[0]) variant = event.points[0].data.variant;
          if (variant !== undefined && variant !== null) tr.togglePin(variant);
        });
      });
    });
  };

  // Paper shows everything.
  window.addEventListener("beforeprint", function () { tr.figures.forEach(function (f) { if (f.stale) f.paint(); }); });
  tr.repaint = function () { tr.figures.forEach(function (f) { f.update(); }); };
  if (window.matchMedia) matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () { tr.repaint(); });
})(tailrank);
