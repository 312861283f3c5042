// A task's page: builds its sections once, and brings them up to date as settings and pins change.
import { inlineFigure } from "./card.js";
import { Figure, figures, leading, nameOf } from "./charts.js";
import { byId, h, replace } from "./dom.js";
import { partialRec, partialYCdf, predictedFigure, recCurves } from "./error_figures.js";
import { sectionList, taskPages } from "./overview.js";
import { scatterFigure, topFigure } from "./pair_figure.js";
import { compare } from "./ranks.js";
import { relevanceFigure, utilityFigure } from "./relevance_figures.js";
import { Evaluator } from "./scoring.js";
import { run, state, togglePin, whenChanged, writeHash } from "./state.js";
import { recSurface } from "./surface_figures.js";
import { taskOf } from "./task_file.js";
import { equityFigure, priceFigure, tradingTable } from "./trading_figures.js";
import { VariantsTable, variantName } from "./variants_table.js";
import { settingsOf, WhatIf } from "./what_if.js";

/** @type {Page | null} the page of the task in front */
export let page = null;
/** How often all that a change asked for has been brought up to date. */
export let settled = 0;

/** @param {string} message */
const tell = (message) => replace(byId("task"), h("p", { class: "stamp" }, message));

const NO_SCORING =
  "A task's page needs WebAssembly with vectors and DecompressionStream, which this browser lacks: Chrome 97, Firefox 113, Safari 16.4 and later have them. The tables and figures of the first screen need neither.";

/**
 * @param {number} number
 * @param {boolean} canScore
 */
export const openTask = async (number, canScore) => {
  byId("overview").hidden = true;
  byId("task").hidden = false;
  if (!canScore) return tell(NO_SCORING);
  if (page && page.number === number) return page.refresh("all");
  const name = run.tasks[number - 1];
  if (!taskPages().includes(number))
    return tell(`${name} has no page in this report: tailrank report RUN --task-pages "${name}" writes one.`);
  replace(byId("task"), h("p", { class: "note" }, `Loading ${name} …`));
  page = null;
  try {
    const task = await taskOf(number);
    // Another may have been opened meanwhile.
    if (state.task !== number) return;
    page = new Page(number, task);
    window.scrollTo(0, 0);
  } catch (problem) {
    if (state.task === number) tell(String(problem));
  }
};

export const closeTask = () => {
  byId("overview").hidden = false;
  byId("task").hidden = true;
};

whenChanged((what) => page?.refresh(what));

/**
 * @param {string} id
 * @param {string} title
 * @param {...Child} content
 */
const section = (id, title, ...content) => h("section", { "aria-labelledby": id }, h("h2", { id }, title), content);

/**
 * A figure as run, whose marks pin their models.
 * @param {string} id
 * @param {string} title
 * @param {string | null} svg
 * @param {string} [note]
 */
const asRun = (id, title, svg, note) => {
  const drawn = svg && inlineFigure(svg);
  if (!drawn) return null;
  const frame = h("div", { class: "wide flow", tabindex: 0, role: "group", "aria-label": title }, drawn);
  return section(id, `${title}, as run`, frame, note && h("p", { class: "note" }, note));
};

/**
 * The same in files ready for a paper, as run.
 * @param {number} number
 */
const staticFigures = (number) => {
  const files = run.figures[number - 1].map(({ file, name }) => h("li", {}, h("a", { href: file }, name)));
  return files.length
    ? section("files", "Figures for papers (SVG, with the run's settings)", h("ul", { class: "files" }, files))
    : null;
};

/**
 * Links to the tasks before and after.
 * @param {number} number
 */
const siblings = (number) => {
  const pages = taskPages(),
    place = pages.indexOf(number),
    [previous, next] = [pages[place - 1], pages[place + 1]];
  return h(
    "p",
    { class: "siblings" },
    previous && h("a", { href: `#task=${previous}`, rel: "prev" }, `← ${run.tasks[previous - 1]}`),
    " ",
    next && h("a", { href: `#task=${next}`, rel: "next" }, `${run.tasks[next - 1]} →`)
  );
};

// A slider rests when it has not moved for so long.
const REST = 120;

class Page {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;
  #threeD = false;

  /**
   * @param {number} number
   * @param {Task} task
   */
  constructor(number, task) {
    this.number = number;
    this.task = task;
    this.evaluator = new Evaluator(task);
    const differ = this.evaluator.selfCheck();
    if (differ) console.error(`${differ} scores differ from the run's: write the report again`);
    this.view = this.look();
    this.bar = new WhatIf(task);
    this.table = new VariantsTable(this.view);
    figures.length = 0;
    /**
     * @param {string} id
     * @param {(view: View) => Drawing | null} draw
     */
    const figure = (id, draw) => new Figure(id, () => draw(this.view));
    this.pairFigures = [figure("fig-top", topFigure), figure("fig-ranks", scatterFigure)];
    const errors = [figure("fig-rec", recCurves), figure("fig-partial", partialRec), figure("fig-ycdf", partialYCdf)],
      predicted = figure("fig-predicted", predictedFigure),
      surface = figure("fig-surface", (view) => recSurface(view, this.#threeD)),
      relevance = [figure("fig-relevance", relevanceFigure), figure("fig-utility", utilityFigure)],
      trades = [figure("fig-price", priceFigure), figure("fig-equity", equityFigure)];
    this.slowFigures = [...errors, predicted, surface, ...relevance, ...trades];
    const threeD = h("button", { type: "button", id: "surface-3d", "aria-pressed": "false" }, "Show in 3-D");
    threeD.addEventListener("click", () => {
      this.#threeD = !this.#threeD;
      threeD.setAttribute("aria-pressed", String(this.#threeD));
      replace(threeD, this.#threeD ? "Show iso-lines" : "Show in 3-D");
      surface.update();
    });
    surface.node.appendChild(threeD);
    this.pairSelect = ["first", "second"].map((which) =>
      h(
        "select",
        { "aria-label": `${which} measure`, onchange: () => this.#choosePair() },
        run.measures.map((m, k) => h("option", { value: k }, `${m.symbol} – ${m.name}`))
      )
    );
    this.focusSelect = h(
      "select",
      { id: "focus", onchange: () => this.#lookAt(Number(this.focusSelect.value)) },
      run.variants.map((variant, v) => this.view.scores[v] && h("option", { value: v }, variant.label))
    );
    this.pins = h("p", { class: "pins", id: "pins" });
    this.trading = h("div");
    this.tradingSection = section("trading", "Trading", pair(trades), this.trading);
    this.tradingSection.hidden = !task.trading;
    this.verdict = h("p", { class: "lead", id: "task-verdict" });
    const header = h(
      "header",
      { class: "run" },
      h("h1", { id: "task-title", tabindex: -1 }, task.name),
      this.verdict,
      siblings(number)
    );
    replace(
      byId("task"),
      header,
      this.bar.node,
      this.pins,
      section(
        "measures",
        "Two measures, two rankings",
        h("p", { class: "filters" }, h("label", {}, "Compare ", this.pairSelect[0]), h("label", {}, "with ", this.pairSelect[1])),
        pair(this.pairFigures)
      ),
      asRun("flow", "All measures", task.flow, "Click a line to pin its model."),
      asRun("episodes", "Episodes and alarms", task.episodes),
      section(
        "errors",
        "Where the errors are",
        pair(errors, "pair three"),
        h("p", { class: "filters" }, h("label", {}, "Look closer at ", this.focusSelect)),
        pair([predicted, surface])
      ),
      section("relevance", "What counts as an event, and what a prediction is worth", pair(relevance)),
      this.tradingSection,
      section("all", "All models", this.table.node),
      staticFigures(number)
    );
    const list = sectionList(byId("task"));
    if (list) header.appendChild(list);
    document.title = `${task.name} – ${run.name}`;
    this.refresh("all");
  }

  #choosePair() {
    state.pair = this.pairSelect.map((select) => Number(select.value));
    this.table.sort = { column: "b", down: false };
    this.refresh("pair");
  }

  /** @param {number} variant */
  #lookAt(variant) {
    state.focus = variant;
    this.refresh("focus");
  }

  /**
   * Scores, ranks and winners at the settings in force: what every figure and table is drawn from.
   * @returns {View}
   */
  look() {
    const task = this.task,
      settings = settingsOf(task),
      found = this.evaluator.evaluate(settings);
    const [a, b] = state.pair ?? run.pairs[0] ?? [0, Math.min(1, run.measures.length - 1)];
    const comparison = compare(found.scores, a, b, task);
    /** @param {number | null | undefined} variant */
    const scored = (variant) => variant !== null && variant !== undefined && found.scores[variant] !== null;
    const focus = [state.focus, state.pins.at(-1), comparison.bestB, comparison.bestA].find(scored) ?? null;
    const keys = /** @type {(keyof Settings)[]} */ (Object.keys(settings)),
      moved = keys.some((key) => settings[key] !== task.base[key]),
      traded = Boolean(task.trading) && settings.threshold !== null && task.parts.length === 1;
    return { ...found, task, settings, a, b, comparison, moved, evaluator: this.evaluator, focus, traded };
  }

  /**
   * Numbers follow at once, figures and what is out of view when the slider rests.
   * @param {Change} what
   */
  refresh(what) {
    const view = this.look(),
      { a, b, comparison } = view;
    this.view = view;
    this.bar.tell(view);
    for (const figure of this.pairFigures) figure.update();
    const { bestA, bestB } = comparison;
    replace(
      this.verdict,
      bestA === null || bestB === null
        ? "No model has both scores."
        : bestA === bestB
          ? `${nameOf(bestA)} has the ${leading(a)} and the ${leading(b)}.`
          : `The ${leading(a)}: ${nameOf(bestA)}. The ${leading(b)}: ${nameOf(bestB)}.`
    );
    if (what === "settings") this.table.follow(view);
    else this.#refreshChoices(what);
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#rest(), what === "settings" ? REST : 0);
  }

  /**
   * What a slider does not move.
   * @param {Change} what
   */
  #refreshChoices(what) {
    if (what === "all") this.bar.show();
    this.pairSelect[0].value = String(this.view.a);
    this.pairSelect[1].value = String(this.view.b);
    /** @param {number} v */
    const pinned = (v) =>
      h("button", { type: "button", class: "pinned", title: "unpin", onclick: () => togglePin(v) }, variantName(v), " ×");
    replace(this.pins, state.pins.length ? ["Pinned: ", state.pins.map(pinned)] : "");
    this.table.update(this.view);
    writeHash();
  }

  /** Everything is brought up to date; figures out of view are drawn when they come into view. */
  #rest() {
    const view = this.view;
    writeHash();
    this.focusSelect.value = String(view.focus);
    this.table.update(view);
    for (const figure of this.slowFigures) figure.update();
    this.tradingSection.hidden = !view.traded;
    replace(this.trading, tradingTable(view));
    settled++;
  }
}

/**
 * Figures beside each other.
 * @param {Figure[]} shown
 * @param {string} [kind]
 */
const pair = (shown, kind = "pair") =>
  h(
    "div",
    { class: kind },
    shown.map((figure) => figure.node)
  );
