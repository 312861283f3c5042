// The run, and what the page shows of it, which the URL hash keeps so that a view can be bookmarked and sent: #task=3&pin=12,40&pair=0,5&tE=0.6
import { announce, byId } from "./dom.js";

/** @type {Run} */
export const run = JSON.parse(/** @type {string} */ (byId("run").textContent));

/** @type {State} */
export const state = { task: null, pins: [], pair: null, settings: {}, focus: null };

/** @type {(keyof Settings)[]} */
const SETTINGS = ["tE", "tL", "beta", "low", "high", "p", "threshold"];

/** Takes the state from the URL hash. */
export const readHash = () => {
  Object.assign(state, { task: null, pins: [], pair: null, settings: {}, focus: null });
  for (const item of location.hash.replace(/^#/, "").split("&")) {
    const cut = item.indexOf("="),
      key = item.slice(0, cut),
      value = item.slice(cut + 1),
      numbers = value.split(",").map(Number);
    /** @param {number} below */
    const whole = (below) => numbers.filter((n, i) => n % 1 === 0 && n >= 0 && n < below && numbers.indexOf(n) === i);
    if (key === "task" && numbers[0] % 1 === 0 && numbers[0] >= 1 && numbers[0] <= run.tasks.length) state.task = numbers[0];
    if (key === "pin") state.pins = whole(run.variants.length);
    if (key === "pair" && whole(run.measures.length).length === 2) state.pair = numbers;
    const setting = SETTINGS.find((name) => name === key);
    if (setting && value !== "" && Number.isFinite(numbers[0])) state.settings[setting] = numbers[0];
  }
};

export const writeHash = () => {
  const parts = [];
  if (state.task !== null) parts.push(`task=${state.task}`);
  if (state.pins.length) parts.push(`pin=${state.pins.join(",")}`);
  if (state.pair) parts.push(`pair=${state.pair.join(",")}`);
  for (const key of SETTINGS) if (key in state.settings) parts.push(`${key}=${state.settings[key]}`);
  const hash = `#${parts.join("&")}`;
  if (hash !== location.hash) history.replaceState(null, "", hash);
};

/** @type {(what: Change) => void} */
let show = () => {};
/** @type {Change | null} */
let asked = null;

/**
 * Who is told of changes: the task's page that is open.
 * @param {(what: Change) => void} listener
 */
export const whenChanged = (listener) => {
  show = listener;
};

/**
 * Many changes of one moment are one.
 * @param {Change} what
 */
export const refresh = (what) => {
  if (asked === null)
    requestAnimationFrame(() => {
      const changed = /** @type {Change} */ (asked);
      asked = null;
      if (state.task !== null) show(changed);
    });
  asked = asked === null || asked === what ? what : "all";
};

// Most pins a figure stays readable with; the oldest goes.
const MOST_PINS = 6;

/** @param {number} variant */
export const togglePin = (variant) => {
  const at = state.pins.indexOf(variant);
  if (at >= 0) state.pins.splice(at, 1);
  else state.pins.push(variant);
  if (state.pins.length > MOST_PINS) state.pins.shift();
  state.focus = at >= 0 ? null : variant;
  announce(run.variants[variant].label + (at >= 0 ? " is no longer pinned" : " is pinned"));
  writeHash();
  refresh("pins");
};
