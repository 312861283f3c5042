// The what-if bar: sliders whose positions are whole steps away from the run's own value, and a field for exact numbers.
import { leading, nameOf } from "./charts.js";
import { announce, h, replace } from "./dom.js";
import { refresh, run, state } from "./state.js";
import { counted, digits } from "./words.js";

/** @param {number} size */
const niceStep = (size) => {
  const power = 10 ** Math.floor(Math.log10(size)),
    lead = size / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
};

/**
 * Twelve digits: a value made of steps reads as a person would write it.
 * @param {number} value
 */
const tidy = (value) => Number(value.toPrecision(12));

/**
 * Name, value of the run, step and limits of every slider that makes sense for the task.
 * @param {Task} task
 */
const slidersOf = (task) => {
  const { base, target } = task,
    phi = task.parts[0].phi;
  /** @type {Slider[]} */
  const list = [];
  // A name that says what it does; the papers' symbol is small print.
  const add = (/** @type {Slider} */ slider) => list.push(slider);
  add({
    key: "tE",
    label: "event from relevance",
    symbol: "t_E",
    hint: "a value with φ of at least t_E is an event",
    base: base.tE,
    step: 0.01,
    min: 0.01,
    max: 1
  });
  if (base.tL !== null)
    add({
      key: "tL",
      label: "good error up to",
      symbol: `t_L, in units of ${target}`,
      hint: "the largest error that still counts as good",
      base: base.tL,
      step: niceStep(base.tL / 20),
      min: tidy(base.tL / 20),
      max: tidy(base.tL * 4)
    });
  const beta = "weight of recall in F: below 1 favours precision";
  add({
    key: "beta",
    label: "weight of recall",
    symbol: "β",
    hint: beta,
    base: base.beta,
    step: 0.05,
    min: 0,
    max: Math.max(4, base.beta)
  });
  for (const side of /** @type {const} */ (["low", "high"])) {
    if (phi.kind !== "sigmoid" || phi[side] === null) continue;
    // Folds may each have a centre of their own; the slider starts at the first and moves all.
    const centre = base[side] ?? phi[side],
      far = Math.abs(centre),
      step = niceStep(far / 20);
    add({
      key: side,
      label: side === "low" ? "low extreme around" : "high extreme around",
      symbol: `in units of ${target}`,
      hint: `φ = ½ there${base[side] === null ? "; each fold has its own until you move this" : ""}`,
      base: centre,
      step,
      min: tidy(centre < 0 ? -3 * far : step),
      max: tidy(centre < 0 ? -step : 3 * far)
    });
  }
  const p = "utility: above ½ missed events weigh more than false alarms";
  add({ key: "p", label: "weight of misses", symbol: "p", hint: p, base: base.p, step: 0.05, min: 0, max: 1 });
  if (base.threshold !== null && task.trading) {
    const size = Math.max(base.threshold, 0.001);
    add({
      key: "threshold",
      label: "trade beyond",
      symbol: "θ",
      hint: "the trading rule's threshold",
      base: base.threshold,
      step: niceStep(size / 20),
      min: 0,
      max: tidy(size * 4)
    });
  }
  return list;
};

/**
 * Why a value cannot be taken; null if it can.
 * @param {keyof Settings} key
 * @param {number} value
 * @param {{ low?: number | null, high?: number | null }} centres
 */
const refusal = (key, value, { low = null, high = null }) => {
  if (!Number.isFinite(value)) return "that is no number";
  if (key === "tE" && (value < 0 || value > 1)) return "t_E lies between 0 and 1";
  if (key === "tL" && value <= 0) return "t_L is above 0";
  if (key === "beta" && value < 0) return "β is 0 or more";
  if (key === "p" && (value < 0 || value > 1)) return "p lies between 0 and 1";
  if (key === "threshold" && value < 0) return "θ is 0 or more";
  if ((key === "low" || key === "high") && value === 0) return "a centre is other than 0: the sigmoid's width is |c·k|";
  if (key === "low" && high !== null && value >= high) return "the low centre is below the high one";
  if (key === "high" && low !== null && value <= low) return "the high centre is above the low one";
  return null;
};

/**
 * The centres in force: of folds that each have their own, the first's.
 * @param {Task} task
 * @param {Settings} settings
 */
const centresOf = (task, { low, high }) => {
  const phi = task.parts[0].phi;
  return phi.kind === "sigmoid" ? { low: low ?? phi.low, high: high ?? phi.high } : { low, high };
};

/**
 * Settings in force: the run's, and what was moved.
 * @param {Task} task
 * @returns {Settings}
 */
export const settingsOf = (task) => {
  const { base } = task,
    settings = { ...base },
    phi = task.parts[0].phi;
  for (const [name, value] of Object.entries(state.settings)) {
    const key = /** @type {keyof Settings} */ (name);
    if ((key === "low" || key === "high") && (phi.kind !== "sigmoid" || phi[key] === null)) continue;
    if ((key === "tL" || key === "threshold") && base[key] === null) continue;
    if (refusal(key, value, {}) === null) settings[key] = value;
  }
  const { low, high } = centresOf(task, settings);
  return low !== null && high !== null && low >= high ? { ...settings, low: base.low, high: base.high } : settings;
};

// Where φ has no centres to move.
const FIXED = {
  pchip: "a piecewise cubic through control points",
  table: "a table of points",
  indicator: "1 inside fixed ranges"
};

export class WhatIf {
  /** @param {Task} task */
  constructor(task) {
    this.task = task;
    this.line = h("p", { class: "now", id: "what-if-now" });
    this.refused = h("p", { class: "refused", role: "alert" });
    this.reset = h("button", { type: "button", id: "reset", onclick: () => this.#clear() }, "Reset to run");
    this.controls = slidersOf(task).map((slider) => this.#control(slider));
    const { kind } = task.parts[0].phi;
    const why =
      kind === "sigmoid"
        ? null
        : `φ is ${FIXED[kind]}; it has no centres to move. Another φ: tailrank report RUN --set relevance.kind=…, without refitting.`;
    this.node = h(
      "details",
      { class: "what-if", id: "what-if", open: window.innerWidth > 720 },
      h("summary", {}, "What if?"),
      h(
        "div",
        { class: "sliders" },
        this.controls.map((control) => control.node),
        this.reset
      ),
      why && h("p", { class: "note" }, why),
      this.refused,
      this.line
    );
  }

  /** @param {Slider} slider */
  #control(slider) {
    const { key, label, symbol, hint, base, step, min, max } = slider,
      id = `what-if-${key}`;
    const range = h("input", {
      type: "range",
      id,
      step: 1,
      min: Math.ceil((min - base) / step - 1e-9),
      max: Math.floor((max - base) / step + 1e-9),
      "aria-describedby": `${id}-hint`,
      oninput: () => this.#move(slider, tidy(base + Number(range.value) * step))
    });
    const field = h("input", {
      type: "text",
      inputmode: "decimal",
      size: 7,
      "aria-label": `${label}, exact value`,
      id: `${id}-exact`,
      onchange: () => this.#move(slider, Number(field.value.replace("−", "-").replace(",", ".")))
    });
    const node = h(
      "div",
      { class: "slider", title: hint },
      h("label", { for: id }, label, " ", h("small", {}, symbol)),
      range,
      field,
      h("span", { class: "unseen", id: `${id}-hint` }, hint)
    );
    return { slider, range, field, node };
  }

  /**
   * @param {Slider} slider
   * @param {number} value
   */
  #move({ key }, value) {
    const why = refusal(key, value, centresOf(this.task, settingsOf(this.task)));
    replace(this.refused, why);
    if (why) return this.show();
    if (value === this.task.base[key]) delete state.settings[key];
    else state.settings[key] = value;
    this.show();
    refresh("settings");
  }

  #clear() {
    state.settings = {};
    replace(this.refused);
    this.show();
    announce("Settings are those of the run");
    refresh("settings");
  }

  /** Puts the settings in force on the sliders. */
  show() {
    const settings = settingsOf(this.task);
    let moved = 0;
    for (const { slider, range, field, node } of this.controls) {
      const value = settings[slider.key] ?? slider.base;
      range.value = String(Math.round((value - slider.base) / slider.step));
      range.setAttribute("aria-valuetext", String(value));
      field.value = String(value);
      const changed = value !== slider.base;
      node.classList.toggle("moved", changed);
      if (changed) moved++;
    }
    this.reset.disabled = moved === 0;
  }

  /**
   * What there now is: events, signals, winners.
   * @param {View} view
   */
  tell({ moved, events, task, signals, a, b, comparison }) {
    const { bestA, bestB, rho, regret } = comparison,
      scored = signals.filter((n) => n !== null),
      signalling = scored.filter((n) => n > 0).length;
    /** @param {number | null} v */
    const of = (v) => {
      if (v === null) return "none";
      const n = signals[v];
      return nameOf(v) + (n === null ? "" : ` (${counted(n, "signal", "signals")})`);
    };
    replace(
      this.line,
      h("strong", {}, moved ? "With these settings: " : "As run: "),
      `${counted(events, "event", "events")} in ${counted(task.truth.length, "case", "cases")}`,
      scored.length ? ` · ${signalling} of ${scored.length} models signal` : "",
      ` · ${leading(a)}: ${of(bestA)} · ${leading(b)}: ${of(bestB)}`,
      ` · ρ = ${rho === null ? "–" : digits(rho)}`,
      regret === null ? "" : ` · regret in ${run.measures[b].symbol}: ${digits(regret)}`
    );
  }
}
