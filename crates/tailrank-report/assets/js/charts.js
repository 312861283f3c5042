// One way to draw: Plotly with the page's colours, only when the figure is in view, with a text alternative.
import { h, replace } from "./dom.js";
import { fromLetters, loadScript, unzip } from "./files.js";
import { run, togglePin } from "./state.js";
import { defined, digits, escaped, rankText } from "./words.js";

/** @type {Map<string, string>} */
const styles = new Map();

/**
 * A value of the style sheet. Each is looked up once, because asking makes the browser bring its styles up to date.
 * @param {string} name
 */
export const css = (name) => {
  const value = styles.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  styles.set(name, value);
  return value;
};

/** @type {Promise<any> | null} */
let library = null;
/** @type {(code: Promise<ArrayBuffer>) => void} */
let arrived = () => {};

/**
 * Called by plotly.js with the chart library's code.
 * @param {number} length
 * @param {string} letters
 */
export const packed = (length, letters) => arrived(unzip(fromLetters(letters, length)));

/**
 * Draws with the chart library, which is large: it is loaded once, after the first screen stands.
 * @param {(Plotly: any) => void} then
 */
export const withPlotly = (then) => {
  library ??= new Promise((resolve, reject) => {
    arrived = resolve;
    loadScript("plotly.js").catch(reject);
  }).then((code) => {
    const module = { exports: {} };
    // The page's policy allows code made of text, which 3-D figures need anyway.
    new Function("module", new TextDecoder().decode(code))(module);
    // It leaves itself on the window too, where nothing looks for it.
    Reflect.deleteProperty(window, "Plotly");
    return module.exports;
  });
  library.then(then, () => document.body.classList.add("no-plotly"));
};

/** Black cannot be seen on a dark page: it is ink there. */
export const families = () =>
  run.families.map(({ name, marker, colour }) => ({ name, marker, colour: colour === "#000000" ? css("--ink") : colour }));

/**
 * Colours that the figures for papers have too; the darkest turns light on a dark page.
 * @param {string} name
 */
export const tone = (name) => /** @type {string} */ (name === "good" ? css("--hit") : run.palette[name]);

/** @param {string} name */
export const scaleOf = (name) => {
  const colours = /** @type {string[]} */ (run.palette[name]);
  return colours.map((colour, i) => [i / (colours.length - 1), colour]);
};

/** @param {number} variant */
export const familyOf = (variant) => families()[run.variants[variant].family];

/** @param {number} variant */
export const nameOf = (variant) => run.variants[variant].label;

/**
 * `highest F` or `lowest MAD`: who leads, where nothing is said of being better.
 * @param {number} m
 */
export const leading = (m) => (run.measures[m].better === "lower" ? "lowest " : "highest ") + run.measures[m].symbol;

/**
 * Hover text of a variant: name, parameters, both scores, both ranks.
 * @param {number} variant
 * @param {View} view
 */
export const hoverText = (variant, view) => {
  const { label, params } = run.variants[variant],
    row = view.scores[variant] ?? [],
    at = view.comparison.variants.indexOf(variant);
  /**
   * @param {number} m
   * @param {number[]} ranks
   */
  const line = (m, ranks) => {
    const rank = at < 0 ? "not ranked" : `rank ${rankText(ranks[at])} of ${ranks.length}`;
    const score = row[m];
    return `${escaped(run.measures[m].symbol)} ${defined(score) ? digits(score) : `– (${escaped(score)})`}, ${rank}`;
  };
  const { ranksA, ranksB } = view.comparison;
  return `<b>${escaped(label)}</b><br>${escaped(params)}<br>${line(view.a, ranksA)}<br>${line(view.b, ranksB)}`;
};

/**
 * @param {Record<string, any>} more
 * @returns {Layout}
 */
export const layoutOf = (more) => {
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
  const given = Object.entries({ xaxis: {}, yaxis: {}, ...more });
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: css("--font"), color: css("--ink"), size: 12 },
    margin: { l: 56, r: 16, t: 12, b: 44 },
    hoverlabel: { align: "left", font: { family: css("--font"), size: 12 } },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: css("--soft"), activecolor: css("--ink") },
    showlegend: false,
    dragmode: "zoom",
    height: 340,
    ...Object.fromEntries(given.map(([key, value]) => [key, /axis\d*$/.test(key) ? { ...axis, ...value } : value]))
  };
};

/** A legend above the figure. */
export const LEGEND = { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } };

/** How lines of one figure differ where their colours do not. */
export const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];

/**
 * An axis of the target's own unit; returns are read in percent.
 * @param {Task} task
 * @param {object} more
 */
export const unitAxis = (task, more) => (task.percent ? { tickformat: ",.1~%", ...more } : more);

/**
 * A bound as the figures for papers write it: no zeros at the end.
 * @param {Task} task
 * @param {number} value
 */
export const bound = (task, value) =>
  task.percent ? `${Number((100 * value).toPrecision(3))}%` : String(Number(value.toPrecision(3)));

/**
 * @param {Task} task
 * @param {number} value
 */
export const amount = (task, value) => (task.percent ? `${digits(100 * value)} %` : digits(value));

/** @param {string} text */
export const axisTitle = (text) => ({ text: escaped(text), font: { size: 12 }, standoff: 8 });

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

/** @type {WeakMap<Element, (seen: boolean) => void>} */
const watched = new WeakMap();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) watched.get(target)?.(isIntersecting);
  },
  { rootMargin: "300px" }
);

/**
 * Tells whether an element is in view, or nearly, whenever that changes.
 * @param {Element} node
 * @param {(seen: boolean) => void} tell
 */
export const watch = (node, tell) => {
  watched.set(node, tell);
  watcher.observe(node);
};

/** @type {Figure[]} the figures of the task in front */
export const figures = [];

// Drawing a figure takes most of a frame: each has a frame of its own, and while a slider moves no more than some of them.
const PAUSE = 150;
let painting = false;

const paintNext = () => {
  const [next] = figures.filter((figure) => figure.isDue()).sort((a, b) => a.painted - b.painted);
  if (next && performance.now() - next.painted >= PAUSE) next.paint();
  painting = next !== undefined;
  if (painting) requestAnimationFrame(paintNext);
};

/** A figure: a title that states the finding, the plot, and the same in words for those who cannot see it. */
export class Figure {
  #listens = false;

  /**
   * @param {string} id
   * @param {() => Drawing | null} draw
   */
  constructor(id, draw) {
    this.draw = draw;
    this.seen = false;
    this.stale = true;
    this.painted = -PAUSE;
    // What is not in view yet is not drawn, but never without a name.
    this.title = h("h3", { id: `${id}-title` }, "…");
    this.plot = /** @type {Plot} */ (h("div", { id, class: "plot", role: "img", "aria-label": "drawn when it comes into view" }));
    this.note = h("p", { class: "note" });
    this.node = h("figure", { "aria-labelledby": `${id}-title` }, this.title, this.plot, this.note);
    figures.push(this);
    watch(this.node, (seen) => {
      this.seen = seen;
      this.#ask();
    });
  }

  /** What it shows has changed. */
  update() {
    this.stale = true;
    this.#ask();
  }

  #ask() {
    if (painting || !this.isDue()) return;
    painting = true;
    requestAnimationFrame(paintNext);
  }

  /** Whether it has to be drawn: it is in view, or had nothing to show until now. */
  isDue() {
    return this.stale && (this.seen || this.node.hidden);
  }

  paint() {
    this.stale = false;
    this.painted = performance.now();
    const drawn = this.draw();
    this.node.hidden = !drawn;
    if (!drawn) return;
    replace(this.title, drawn.title);
    replace(this.note, drawn.note);
    this.note.hidden = !drawn.note;
    this.plot.setAttribute("aria-label", drawn.alternative ?? drawn.title);
    withPlotly(async (Plotly) => {
      await Plotly.react(this.plot, drawn.data, drawn.layout, CONFIG);
      if (this.#listens) return;
      this.#listens = true;
      this.plot.on("plotly_click", ({ points: [point] }) => {
        const variant = point?.data.variants?.[point.pointNumber] ?? point?.data.variant;
        if (variant !== undefined) togglePin(variant);
      });
    });
  }
}

// Paper shows everything.
window.addEventListener("beforeprint", () => {
  for (const figure of figures) if (figure.stale) figure.paint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  styles.clear();
  for (const figure of figures) figure.update();
});
