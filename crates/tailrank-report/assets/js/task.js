// A task's page: loads its script file, builds its sections once, and brings them up to date as settings and pins change.
((tr) => {
  const loaded = {};
  let waiting = null;

  // Called by tasks/<n>.js: unpacks the task's text and its columns of doubles, which lie byte by byte.
  tr.taskPacked = (number, length, letters) => {
    tr.unzip(tr.fromLetters(letters, length))
      .then((buffer) => {
        const textLength = new DataView(buffer).getUint32(0, true),
          data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, textLength))),
          bytes = new Uint8Array(buffer, 4 + textLength),
          values = bytes.length / 8,
          cases = data.parts.reduce((sum, part) => sum + part.rows, 0),
          lines = new Uint8Array(bytes.length);
        for (let byte = 0; byte < 8; byte++) {
          const from = byte * values;
          for (let i = 0; i < values; i++) lines[8 * i + byte] = bytes[from + i];
        }
        const doubles = new Float64Array(lines.buffer),
          column = (place) => (place === null || place === undefined ? null : doubles.subarray(place * cases, (place + 1) * cases));
        data.truth = column(data.truth);
        data.predictions = data.predictions.map(column);
        data.dates = column(data.dates);
        data.prices = column(data.prices);
        loaded[number] = data;
        if (waiting === number) tr.openTask(number);
      })
      .catch((problem) => {
        if (waiting === number) tr.replace(tr.byId("task"), tr.h("p", { class: "stamp" }, `tasks/${number}.js cannot be read: ${problem}`));
      });
  };

  tr.openTask = (number) => {
    const root = tr.byId("task");
    tr.byId("overview").hidden = true;
    root.hidden = false;
    waiting = number;
    if (tr.noScoring)
      return tr.replace(root, tr.h("p", { class: "stamp" }, "A task's page needs WebAssembly with vectors and DecompressionStream, which this browser lacks: Chrome 91, Firefox 113, Safari 16.4 and later have them. The tables and figures of the first screen need neither."));
    if (tr.page && tr.page.number === number) return tr.page.refresh("all");
    if (tr.pages().indexOf(number) < 0) {
      const name = tr.run.tasks[number - 1];
      return tr.replace(root, tr.h("p", { class: "stamp" }, `${name} has no page in this report: tailrank report RUN --task-pages "${name}" writes one.`));
    }
    if (!loaded[number]) {
      tr.replace(root, tr.h("p", { class: "note" }, `Loading ${tr.run.tasks[number - 1]} …`));
      tr.load(
        `tasks/${number}.js`,
        () => {},
        () => {
          tr.replace(
            root,
            tr.h("p", { class: "stamp" }, `tasks/${number}.js is missing beside this page; write the report again.`)
          );
        }
      );
      return;
    }
    tr.page = new Page(number, loaded[number]);
    window.scrollTo(0, 0);
  };

  tr.closeTask = () => {
    tr.byId("overview").hidden = false;
    tr.byId("task").hidden = true;
    waiting = null;
  };

  function Page(number, task) {
    const self = this,
      run = tr.run;
    this.number = number;
    this.task = task;
    this.evaluator = new tr.Evaluator(run, task);
    const differ = this.evaluator.selfCheck();
    if (differ) console.error(`${differ} scores differ from the run's: write the report again`);
    this.bar = new tr.WhatIf(task);
    this.table = new tr.VariantsTable(task);
    tr.figures.length = 0;
    const figure = (id, draw) => new tr.Figure(id, () => draw(self.view));
    this.pairFigures = [figure("fig-top", tr.topFigure), figure("fig-ranks", tr.scatterFigure)];
    this.slowFigures = [
      figure("fig-rec", tr.recCurves),
      figure("fig-partial", tr.partialRec),
      figure("fig-ycdf", tr.partialYCdf),
      figure("fig-predicted", tr.predictedFigure),
      figure("fig-surface", tr.recSurface),
      figure("fig-relevance", tr.relevanceFigure),
      figure("fig-utility", tr.utilityFigure),
      figure("fig-price", tr.priceFigure),
      figure("fig-equity", tr.equityFigure)
    ];
    const f = this.slowFigures;
    this.pairSelect = ["a", "b"].map((side, i) =>
      tr.h(
        "select",
        {
          id: `measure-${side}`,
          "aria-label": i ? "second measure" : "first measure",
          onchange: function () {
            self.choosePair();
          }
        },
        run.measures.map((m, k) => tr.h("option", { value: k }, `${m.symbol} – ${m.name}`))
      )
    );
    this.focusSelect = tr.h("select", {
      id: "focus",
      onchange: function () {
        tr.state.focus = Number(self.focusSelect.value);
        self.refresh("focus");
      }
    });
    this.threeD = tr.h(
      "button",
      {
        type: "button",
        id: "surface-3d",
        "aria-pressed": "false",
        onclick: function () {
          self.toggle3d();
        }
      },
      "Show in 3-D"
    );
    f[4].node.appendChild(this.threeD);
    this.pins = tr.h("p", { class: "pins", id: "pins" });
    this.trading = tr.h("div", {});
    this.tradingSection = tr.h(
      "section",
      { "aria-labelledby": "trading" },
      tr.h("h2", { id: "trading" }, "Trading"),
      tr.h("div", { class: "pair" }, f[7].node, f[8].node),
      this.trading
    );
    this.tradingSection.hidden = task.trading === undefined;
    this.verdict = tr.h("p", { class: "lead", id: "task-verdict" });
    const pages = tr.pages(),
      place = pages.indexOf(number);
    const previous = place > 0 ? tr.h("a", { href: `#task=${pages[place - 1]}`, rel: "prev" }, `← ${run.tasks[pages[place - 1] - 1]}`) : null;
    const next =
      place + 1 < pages.length ? tr.h("a", { href: `#task=${pages[place + 1]}`, rel: "next" }, `${run.tasks[pages[place + 1] - 1]} →`) : null;
    tr.replace(
      tr.byId("task"),
      tr.h(
        "header",
        { class: "run" },
        tr.h("h1", { id: "task-title", tabindex: -1 }, task.name),
        this.verdict,
        tr.h("p", { class: "siblings" }, previous, " ", next)
      ),
      this.bar.node,
      this.pins,
      tr.h(
        "section",
        { "aria-labelledby": "measures" },
        tr.h("h2", { id: "measures" }, "Two measures, two rankings"),
        tr.h(
          "p",
          { class: "filters" },
          tr.h("label", {}, "Compare ", this.pairSelect[0]),
          tr.h("label", {}, "with ", this.pairSelect[1])
        ),
        tr.h("div", { class: "pair" }, this.pairFigures[0].node, this.pairFigures[1].node)
      ),
      flowSection(task),
      episodesSection(task),
      tr.h(
        "section",
        { "aria-labelledby": "errors" },
        tr.h("h2", { id: "errors" }, "Where the errors are"),
        tr.h("div", { class: "pair three" }, f[0].node, f[1].node, f[2].node),
        tr.h("p", { class: "filters" }, tr.h("label", {}, "Look closer at ", this.focusSelect)),
        tr.h("div", { class: "pair" }, f[3].node, f[4].node)
      ),
      tr.h(
        "section",
        { "aria-labelledby": "relevance" },
        tr.h("h2", { id: "relevance" }, "What counts as an event, and what a prediction is worth"),
        tr.h("div", { class: "pair" }, f[5].node, f[6].node)
      ),
      this.tradingSection,
      tr.h("section", { "aria-labelledby": "all" }, tr.h("h2", { id: "all" }, "All models"), this.table.node),
      staticFigures(number)
    );
    const list = tr.sectionList(tr.byId("task"));
    if (list) tr.byId("task").querySelector("header.run").appendChild(list);
    this.pairFigures.concat(f).forEach((figure) => {
      figure.watch();
    });
    document.title = `${task.name} – ${run.name}`;
    this.refresh("all");
  }

  // Ranks by all measures, as run; a click on a line pins its variant.
  function flowSection(task) {
    const drawn = task.flow ? tr.inlineFigure(task.flow) : null;
    if (!drawn) return null;
    return tr.h(
      "section",
      { "aria-labelledby": "flow" },
      tr.h("h2", { id: "flow" }, "All measures, as run"),
      tr.h("div", { class: "wide flow", tabindex: 0, role: "group", "aria-label": "Ranks by all measures" }, drawn),
      tr.h("p", { class: "note" }, "Click a line to pin its model.")
    );
  }

  // Episodes of events and alarms along time, as run.
  function episodesSection(task) {
    const drawn = task.episodes ? tr.inlineFigure(task.episodes) : null;
    if (!drawn) return null;
    return tr.h(
      "section",
      { "aria-labelledby": "episodes" },
      tr.h("h2", { id: "episodes" }, "Episodes and alarms, as run"),
      tr.h("div", { class: "wide flow", tabindex: 0, role: "group", "aria-label": "Episodes and alarms" }, drawn)
    );
  }

  // The same in files ready for a paper, as run.
  function staticFigures(number) {
    const figures = tr.run.figures[number - 1];
    if (!figures.length) return null;
    return tr.h(
      "section",
      { "aria-labelledby": "files" },
      tr.h("h2", { id: "files" }, "Figures for papers (SVG, with the run's settings)"),
      tr.h(
        "ul",
        { class: "files" },
        figures.map((f) => tr.h("li", {}, tr.h("a", { href: f.file }, f.name)))
      )
    );
  }

  Page.prototype.choosePair = function () {
    tr.state.pair = this.pairSelect.map((s) => Number(s.value));
    this.table.sort = { column: "b", down: false };
    this.refresh("pair");
  };

  Page.prototype.toggle3d = function () {
    tr.surface3d = !tr.surface3d;
    this.threeD.setAttribute("aria-pressed", String(tr.surface3d));
    tr.replace(this.threeD, tr.surface3d ? "Show iso-lines" : "Show in 3-D");
    this.slowFigures[4].update();
  };

  // Scores, ranks and winners at the settings in force: what every figure and table is drawn from.
  Page.prototype.look = function () {
    const run = tr.run,
      task = this.task,
      settings = tr.settingsOf(task),
      found = this.evaluator.evaluate(settings);
    const pair = tr.state.pair || run.pairs[0] || [0, Math.min(1, run.measures.length - 1)];
    const comparison = tr.compare(found.scores, pair[0], pair[1], run, task);
    const moved = Object.keys(settings).some((k) => settings[k] !== task.base[k]);
    let focus = tr.state.focus;
    if (focus === null || !found.scores[focus])
      focus = tr.state.pins.length
        ? tr.state.pins[tr.state.pins.length - 1]
        : comparison.bestB !== null
          ? comparison.bestB
          : comparison.bestA;
    if (focus !== null && !found.scores[focus]) focus = comparison.bestA;
    this.view = {
      task,
      settings,
      scores: found.scores,
      signals: found.signals,
      hits: found.hits,
      events: found.events,
      a: pair[0],
      b: pair[1],
      comparison,
      moved,
      evaluator: this.evaluator,
      focus,
      traded: task.trading !== undefined && settings.threshold !== null && task.parts.length === 1
    };
    return this.view;
  };

  Page.prototype.refresh = function (what) {
    const self = this,
      view = this.look(),
      run = tr.run,
      c = view.comparison;
    tr.writeHash();
    this.pairSelect[0].value = view.a;
    this.pairSelect[1].value = view.b;
    if (what === "all") this.bar.show();
    this.bar.tell(view);
    this.table.update(view);
    this.drawPair(what);
    tr.replace(
      this.verdict,
      c.bestA === null || c.bestB === null
        ? "No model has both scores."
        : c.bestA === c.bestB
          ? `${tr.name(c.bestA)} has the ${tr.leading(view.a)} and the ${tr.leading(view.b)}.`
          : `The ${tr.leading(view.a)}: ${tr.name(c.bestA)}. The ${tr.leading(view.b)}: ${tr.name(c.bestB)}.`
    );
    tr.replace(
      this.pins,
      tr.state.pins.length
        ? [
            "Pinned: ",
            tr.state.pins.map((v) =>
              tr.h(
                "button",
                {
                  type: "button",
                  class: "pinned",
                  title: "unpin",
                  onclick: function () {
                    tr.togglePin(v);
                  }
                },
                tr.variantName(v),
                " ×"
              )
            )
          ]
        : ""
    );
    tr.replace(
      this.focusSelect,
      run.variants.map((variant, v) =>
        view.scores[v] ? tr.h("option", { value: v, selected: v === view.focus }, variant.label) : null
      )
    );
    // The other figures follow when the slider rests.
    clearTimeout(this.later);
    this.later = setTimeout(
      () => {
        self.slowFigures.forEach((f) => {
          f.update();
        });
        self.tradingSection.hidden = !view.traded;
        tr.replace(self.trading, tr.tradingTable(view));
        tr.settled = (tr.settled || 0) + 1;
      },
      what === "settings" ? 120 : 0
    );
  };

  // A slider's frame is numbers and table. While it moves, the figures follow a few times a second; the last move is always drawn.
  const FIGURES_EVERY = 400;
  Page.prototype.drawPair = function (what) {
    const draw = () => {
      this.soon = null;
      this.drawn = performance.now();
      this.pairFigures.forEach((f) => {
        f.update();
      });
    };
    if (what !== "settings") return draw();
    const since = performance.now() - (this.drawn || 0);
    if (!this.soon) this.soon = setTimeout(draw, Math.max(0, FIGURES_EVERY - since));
  };

  // Many events of one moment are one refresh.
  let asked = null;
  tr.refresh = (what) => {
    if (!tr.page || tr.state.task === null) return;
    if (asked === null)
      requestAnimationFrame(() => {
        const w = asked;
        asked = null;
        tr.page.refresh(w);
      });
    asked = asked === null || asked === what ? what : "all";
  };
})(tailrank);
