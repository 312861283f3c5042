// All variants of a task: sortable by click or key, filterable by family and text; failed ones at the end with their reason.
import { familyOf, nameOf, watch } from "./charts.js";
import { announce, h, replace } from "./dom.js";
import { ranksOf } from "./ranks.js";
import { run, state, togglePin } from "./state.js";
import { rankText, scoreText } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * A model's name after the colour of its family.
 * @param {number} variant
 */
export const variantName = (variant) => {
  const chip = document.createElementNS(SVG, "svg"),
    dot = document.createElementNS(SVG, "circle");
  chip.setAttribute("viewBox", "0 0 8 8");
  chip.setAttribute("class", "chip");
  chip.setAttribute("aria-hidden", "true");
  for (const name of ["cx", "cy", "r"]) dot.setAttribute(name, "4");
  dot.setAttribute("fill", familyOf(variant).colour);
  chip.appendChild(dot);
  return h("span", { class: "variant", title: run.variants[variant].params }, chip, nameOf(variant));
};

/**
 * Columns: the variant, then score and rank of every measure, then signals and hits.
 * @param {View} view
 * @returns {Column[]}
 */
const columnsOf = (view) => {
  /** @type {Column[]} */
  const columns = [{ key: "name", head: "model" }];
  run.measures.forEach(({ symbol, name, formula, better }, m) => {
    const title = `${name} = ${formula}; ${better} is better`;
    columns.push({ key: `s${m}`, measure: m, head: symbol, title });
    columns.push({ key: `r${m}`, measure: m, rank: true, head: "#", title: `rank by ${symbol}` });
  });
  if (view.signals.some((n) => n !== null)) {
    columns.push(
      { key: "signals", head: "signals", title: "predictions with φ ≥ t_E" },
      { key: "hits", head: "hits", title: "signals on an event of their side, with an error of at most t_L" }
    );
  }
  return columns;
};

export class VariantsTable {
  #seen = false;
  #family = "";
  #text = "";

  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.columns = columnsOf(view);
    /** @type {(number | null)[][]} */
    this.ranks = [];
    this.sort = { column: "b", down: false };
    this.count = h("span", { class: "note", id: "shown" });
    const families = run.families.map(({ name }, i) => h("option", { value: i }, name)),
      family = h("select", { id: "filter-family" }, h("option", { value: "" }, "all families"), families);
    family.addEventListener("change", () => {
      this.#family = family.value;
      this.#draw();
    });
    const search = h("input", { type: "search", id: "filter-text", placeholder: "name or parameter" });
    search.addEventListener("input", () => {
      this.#text = search.value.toLowerCase();
      this.#draw();
    });
    this.heads = this.columns.map((column) => this.#head(column));
    this.body = h("tbody");
    this.rows = run.variants.map((_, v) => this.#row(v));
    const table = h("table", { class: "variants", id: "variants" }, h("thead", {}, h("tr", {}, this.heads)), this.body);
    this.node = h(
      "div",
      {},
      h("p", { class: "filters" }, h("label", {}, "Family ", family), h("label", {}, "Find ", search), this.count),
      h("div", { class: "wide tall", tabindex: 0, role: "region", "aria-label": "Table of all models" }, table)
    );
    watch(table, (seen) => {
      this.#seen = seen;
    });
  }

  /** @param {Column} column */
  #head(column) {
    const { key, head, title = "", rank } = column;
    const button = h(
      "button",
      { type: "button", title, "data-key": key, onclick: () => this.#sortBy(column) },
      head,
      h("span", { "aria-hidden": "true" })
    );
    return h("th", { scope: "col", class: (key === "name" ? "" : "n") + (rank ? " rank" : "") }, button);
  }

  /**
   * A model's row: its name, and empty cells or the reason why it has no scores.
   * @param {number} v
   */
  #row(v) {
    const status = this.view.task.status[v],
      scored = this.view.scores[v] !== null;
    const pin = h("button", { type: "button", class: "pin", "data-variant": v, disabled: !scored, onclick: () => togglePin(v) });
    const mark =
      status.kind === "not_converged" && h("span", { class: "limit", title: "a fit ended at its iteration limit" }, " ◦");
    const row = h("tr", {}, h("th", { scope: "row" }, pin, variantName(v), mark || null));
    if (scored) for (const column of this.columns.slice(1)) row.appendChild(h("td", { class: column.rank ? "n rank" : "n" }));
    else {
      const reason = status.kind === "failed" ? `failed: ${status.reason}` : status.kind === "missing" ? "not run" : status.kind;
      row.appendChild(h("td", { colspan: this.columns.length - 1, class: "reason" }, reason));
    }
    return row;
  }

  /**
   * Follows a slider, if it is in view.
   * @param {View} view
   */
  follow(view) {
    if (this.#seen) this.update(view);
  }

  /** @param {View} view */
  update(view) {
    this.view = view;
    this.ranks = run.measures.map((_, m) => ranksOf(view.scores, m, view.task));
    if (this.sort.column === "b") this.sort.column = `r${view.b}`;
    this.#fill();
    this.#draw();
  }

  /**
   * @param {Column} column
   * @param {number} v
   * @returns {Score | null}
   */
  #value(column, v) {
    const scores = this.view.scores[v];
    if (column.key === "name") return v;
    if (scores === null) return null;
    if (column.measure === undefined) return this.view[column.key === "hits" ? "hits" : "signals"][v];
    return column.rank ? this.ranks[column.measure][v] : scores[column.measure];
  }

  /** @param {Column} column */
  #sortBy(column) {
    this.sort = { column: column.key, down: this.sort.column === column.key && !this.sort.down };
    this.#draw();
    announce(`Sorted by ${column.head}${this.sort.down ? ", descending" : ", ascending"}`);
  }

  /** Brings the cells up to date; what has not changed is left alone, because the browser lays out again what is touched. */
  #fill() {
    const least = this.ranks.map((ranks) => Math.min(...ranks.filter((rank) => rank !== null)));
    this.rows.forEach((row, v) => {
      const pinned = state.pins.includes(v),
        pin = /** @type {HTMLElement} */ (row.querySelector(".pin"));
      row.classList.toggle("pinned", pinned);
      if (pin.getAttribute("aria-pressed") !== String(pinned)) {
        pin.setAttribute("aria-pressed", String(pinned));
        pin.title = pinned ? "unpin" : "pin in all figures";
        replace(pin, pinned ? "★" : "☆", h("span", { class: "unseen" }, ` ${nameOf(v)}`));
      }
      if (this.view.scores[v] === null) return;
      this.columns.forEach((column, c) => {
        if (column.key === "name") return;
        const value = this.#value(column, v),
          cell = row.cells[c],
          isScore = column.measure !== undefined && !column.rank,
          text = column.rank
            ? rankText(/** @type {number | null} */ (value))
            : isScore
              ? scoreText(value ?? "")
              : String(value ?? "–");
        if (cell.textContent !== text) cell.textContent = text;
        if (!isScore) return;
        const exact = String(value);
        if (cell.title !== exact) cell.title = exact;
        const m = /** @type {number} */ (column.measure);
        cell.classList.toggle("leads", this.ranks[m][v] === least[m] && typeof value === "number");
      });
    });
  }

  /** Puts the rows that are asked for in order. */
  #draw() {
    const { column, down } = this.sort,
      at = Math.max(
        0,
        this.columns.findIndex((c) => c.key === column)
      ),
      sorter = this.columns[at],
      sign = down ? -1 : 1;
    this.heads.forEach((head, c) => {
      head.setAttribute("aria-sort", c !== at ? "none" : down ? "descending" : "ascending");
      replace(/** @type {Element} */ (head.querySelector("span")), c !== at ? "" : down ? " ▼" : " ▲");
    });
    const shown = run.variants
      .map((_, v) => v)
      .filter((v) => {
        const { family, label, params } = run.variants[v];
        return (
          (this.#family === "" || family === Number(this.#family)) && `${label} ${params}`.toLowerCase().includes(this.#text)
        );
      });
    shown.sort((a, b) => {
      const x = this.#value(sorter, a),
        y = this.#value(sorter, b),
        there = typeof x === "number",
        too = typeof y === "number";
      // What has no value stands last either way; what failed, after that.
      if (there && too) return sign * (x - y) || a - b;
      if (there || too) return there ? -1 : 1;
      return Number(x === null) - Number(y === null) || a - b;
    });
    const every = run.variants.length;
    replace(this.count, shown.length === every ? `${every} models` : `${shown.length} of ${every} models`);
    const rows = shown.map((v) => this.rows[v]);
    const same = rows.length === this.body.rows.length && rows.every((row, i) => row === this.body.rows[i]);
    if (!same) this.body.replaceChildren(...rows);
  }
}
