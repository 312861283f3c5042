// The what-if bar: sliders whose positions are whole steps away from the run's own value, and a field for exact numbers.
((tr) => {
  function niceStep(size) {
    const power = Math.pow(10, Math.floor(Math.log10(size))),
      lead = size / power;
    return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
  }

  // Twelve digits: a value made of steps reads as a person would write it.
  function tidy(value) {
    return Number(value.toPrecision(12));
  }

  // name, base value, step and limits of every slider that makes sense for the task.
  function controls(task) {
    const base = task.base,
      phi = task.parts[0].phi,
      list = [];
    // A name that says what it does; the papers' symbol is small print.
    const add = (key, label, symbol, hint, value, step, min, max) => {
      list.push({ key, label, symbol, hint, base: value, step, min, max });
    };
    add("tE", "event from relevance", "t_E", "a value with φ of at least t_E is an event", base.tE, 0.01, 0.01, 1);
    if (base.tL !== null)
      add(
        "tL",
        "good error up to",
        `t_L, in units of ${task.target}`,
        "the largest error that still counts as good",
        base.tL,
        niceStep(base.tL / 20),
        tidy(base.tL / 20),
        tidy(base.tL * 4)
      );
    add("beta", "weight of recall", "β", "weight of recall in F: below 1 favours precision", base.beta, 0.05, 0, Math.max(4, base.beta));
    if (phi.kind === "sigmoid") {
      ["low", "high"].forEach((side) => {
        if (phi[side] === null) return;
        // Folds may each have a centre of their own; the slider starts at the first and moves all.
        const centre = base[side] === null ? phi[side] : base[side],
          far = Math.abs(centre);
        const step = niceStep(far / 20),
          min = centre < 0 ? -3 * far : step,
          max = centre < 0 ? -step : 3 * far;
        add(
          side,
          side === "low" ? "low extreme around" : "high extreme around",
          `in units of ${task.target}`,
          `φ = ½ there${base[side] === null ? "; each fold has its own until you move this" : ""}`,
          centre,
          step,
          tidy(min),
          tidy(max)
        );
      });
    }
    add("p", "weight of misses", "p", "utility: above ½ missed events weigh more than false alarms", base.p, 0.05, 0, 1);
    if (base.threshold !== null && task.trading)
      add(
        "threshold",
        "trade beyond",
        "θ",
        "the trading rule's threshold",
        base.threshold,
        niceStep(Math.max(base.threshold, 0.001) / 20),
        0,
        tidy(Math.max(base.threshold, 0.001) * 4)
      );
    return list;
  }

  // Why a value cannot be taken; null if it can.
  function refusal(key, value, settings) {
    if (!isFinite(value)) return "that is no number";
    if (key === "tE" && (value < 0 || value > 1)) return "t_E lies between 0 and 1";
    if (key === "tL" && value <= 0) return "t_L is above 0";
    if (key === "beta" && value < 0) return "β is 0 or more";
    if (key === "p" && (value < 0 || value > 1)) return "p lies between 0 and 1";
    if (key === "threshold" && value < 0) return "θ is 0 or more";
    if ((key === "low" || key === "high") && value === 0) return "a centre is other than 0: the sigmoid's width is |c·k|";
    if (key === "low" && settings.high !== null && value >= settings.high) return "the low centre is below the high one";
    if (key === "high" && settings.low !== null && value <= settings.low) return "the high centre is above the low one";
    return null;
  }

  // Settings in force: the run's, and what was moved.
  tr.settingsOf = (task) => {
    const settings = Object.assign({}, task.base);
    Object.keys(tr.state.settings).forEach((key) => {
      const value = tr.state.settings[key],
        phi = task.parts[0].phi;
      if ((key === "low" || key === "high") && (phi.kind !== "sigmoid" || phi[key] === null)) return;
      if ((key === "tL" && task.base.tL === null) || (key === "threshold" && task.base.threshold === null)) return;
      if (refusal(key, value, {}) === null) settings[key] = value;
    });
    const phi = task.parts[0].phi;
    if (phi.kind === "sigmoid" && phi.low !== null && phi.high !== null) {
      const low = settings.low === null ? phi.low : settings.low,
        high = settings.high === null ? phi.high : settings.high;
      if (low >= high) {
        settings.low = task.base.low;
        settings.high = task.base.high;
      }
    }
    return settings;
  };

  tr.WhatIf = function (task) {
    const self = this;
    this.task = task;
    this.line = tr.h("p", { class: "now", id: "what-if-now" });
    this.refused = tr.h("p", { class: "refused", role: "alert" });
    this.reset = tr.h(
      "button",
      {
        type: "button",
        id: "reset",
        onclick: function () {
          self.clear();
        }
      },
      "Reset to run"
    );
    this.controls = controls(task).map((c) => self.control(c));
    const kind = task.parts[0].phi.kind;
    const why =
      kind === "sigmoid"
        ? null
        : tr.h(
            "p",
            { class: "note" },
            `φ is ${
              {
                pchip: "a piecewise cubic through control points",
                table: "a table of points",
                indicator: "1 inside fixed ranges"
              }[kind]
            }; it has no centres to move. Another φ: tailrank report RUN --set relevance.kind=…, without refitting.`
          );
    this.node = tr.h(
      "details",
      { class: "what-if", id: "what-if", open: window.innerWidth > 720 },
      tr.h("summary", {}, "What if?"),
      tr.h(
        "div",
        { class: "sliders" },
        this.controls.map((c) => c.node),
        this.reset
      ),
      why,
      this.refused,
      this.line
    );
  };

  tr.WhatIf.prototype.control = function (c) {
    const self = this,
      id = `what-if-${c.key}`;
    c.range = tr.h("input", {
      type: "range",
      id,
      step: 1,
      min: Math.ceil((c.min - c.base) / c.step - 1e-9),
      max: Math.floor((c.max - c.base) / c.step + 1e-9),
      "aria-describedby": `${id}-hint`,
      oninput: function () {
        self.move(c, tidy(c.base + Number(c.range.value) * c.step));
      }
    });
    c.field = tr.h("input", {
      type: "text",
      inputmode: "decimal",
      size: 7,
      "aria-label": `${c.label}, exact value`,
      id: `${id}-exact`,
      onchange: function () {
        self.move(c, Number(c.field.value.replace("−", "-").replace(",", ".")));
      }
    });
    c.node = tr.h(
      "div",
      { class: "slider", title: c.hint },
      tr.h("label", { for: id }, c.label, " ", tr.h("small", {}, c.symbol)),
      c.range,
      c.field,
      tr.h("span", { class: "unseen", id: `${id}-hint` }, c.hint)
    );
    return c;
  };

  tr.WhatIf.prototype.move = function (c, value) {
    const settings = tr.settingsOf(this.task);
    const why = refusal(c.key, value, {
      low: settings.low === null ? this.task.parts[0].phi.low : settings.low,
      high: settings.high === null ? this.task.parts[0].phi.high : settings.high
    });
    tr.replace(this.refused, why || "");
    if (why) return this.show();
    if (value === this.task.base[c.key]) delete tr.state.settings[c.key];
    else tr.state.settings[c.key] = value;
    this.show();
    tr.refresh("settings");
  };

  tr.WhatIf.prototype.clear = function () {
    tr.state.settings = {};
    tr.replace(this.refused, "");
    this.show();
    tr.announce("Settings are those of the run");
    tr.refresh("settings");
  };

  // Puts the settings in force on the sliders.
  tr.WhatIf.prototype.show = function () {
    const settings = tr.settingsOf(this.task);
    let moved = 0;
    this.controls.forEach((c) => {
      const value = settings[c.key] === null ? c.base : settings[c.key];
      c.range.value = Math.round((value - c.base) / c.step);
      c.range.setAttribute("aria-valuetext", String(value));
      c.field.value = String(value);
      const changed = value !== c.base;
      c.node.classList.toggle("moved", changed);
      if (changed) moved++;
    });
    this.reset.disabled = moved === 0;
  };

  // What there now is: events, signals, winners.
  tr.WhatIf.prototype.tell = function (view) {
    const run = tr.run,
      c = view.comparison,
      B = run.measures[view.b].symbol;
    const signalling = view.signals.filter((n) => n > 0).length,
      scored = view.signals.filter((n) => n !== null).length;
    const of = (v) =>
      v === null ? "none" : tr.name(v) + (view.signals[v] === null ? "" : ` (${tr.count(view.signals[v], "signal", "signals")})`);
    tr.replace(
      this.line,
      tr.h("strong", {}, view.moved ? "With these settings: " : "As run: "),
      `${tr.count(view.events, "event", "events")} in ${tr.count(view.task.truth.length, "case", "cases")}`,
      scored ? ` · ${signalling} of ${scored} models signal` : "",
      ` · ${tr.leading(view.a)}: ${of(c.bestA)} · ${tr.leading(view.b)}: ${of(c.bestB)}`,
      ` · ρ = ${c.rho === null ? "–" : tr.number(c.rho)}`,
      c.regret === null ? "" : ` · regret in ${B}: ${tr.number(c.regret)}`
    );
  };
})(tailrank);
