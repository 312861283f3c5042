// The trading rule at work: signals on the price, equity of one account, and the table behind them.
import { axisTitle, css, DASHES, familyOf, LEGEND, layoutOf, nameOf, tone } from "./charts.js";
import { h } from "./dom.js";
import { shownVariants } from "./error_figures.js";
import { highest, lowest } from "./numbers.js";
import { tradesOf } from "./scoring.js";
import { asGiven, dayOf, digits, escaped, percent, shortened } from "./words.js";
import { variantName } from "./variants_table.js";

/**
 * 1, 2 and 5 times the powers of ten: ticks of a log scale that read as prices.
 * @param {number[]} prices
 */
const decades = (prices) => {
  const ticks = [];
  for (let power = Math.floor(Math.log10(lowest(prices))); 10 ** power <= highest(prices); power++) {
    for (const lead of [1, 2, 5]) ticks.push(Number((lead * 10 ** power).toPrecision(1)));
  }
  return ticks;
};

/** @typedef {ReturnType<typeof tradesOf>["trades"][number]} Trade */

/**
 * @param {View} view
 * @returns {Drawing | null}
 */
export const priceFigure = ({ task, focus: variant, traded, settings }) => {
  const { prices, dates } = task;
  if (!traded || !prices || !dates || variant === null) return null;
  const days = Array.from(dates, dayOf),
    counts = tradesOf(variant);
  /**
   * @param {string} name
   * @param {(trade: Trade) => boolean} keep
   * @param {string} symbol
   * @param {string} colour
   */
  const marks = (name, keep, symbol, colour) => {
    const picked = counts.trades.filter(keep);
    return {
      type: "scatter",
      mode: "markers",
      name,
      x: picked.map((t) => days[t.row]),
      y: picked.map((t) => prices[t.row]),
      hoverinfo: "text",
      hovertext: picked.map((t) => `${days[t.row]}<br>${t.side > 0 ? "long" : "short"}, return ${percent(t.profit)}`),
      marker: { symbol, size: 9, color: colour, line: { width: 1, color: css("--paper") } }
    };
  };
  const gained = counts.trades.filter((t) => t.profit > 0).length;
  const title =
    counts.signals === 0
      ? `${nameOf(variant)} never signals`
      : `${nameOf(variant)} signals ${counts.signals === 1 ? "once" : `${counts.signals} times`}; ${percent(gained / counts.trades.length)} of the trades gained`;
  return {
    title,
    alternative: `${title}.`,
    note: `Long above +${asGiven(settings.threshold)}, short below −${asGiven(settings.threshold)}.`,
    data: [
      {
        type: "scatter",
        mode: "lines",
        name: "price",
        x: days,
        y: Array.from(prices),
        line: { color: tone("price"), width: 1 },
        hoverinfo: "x+y"
      },
      marks("long, gained", (t) => t.side > 0 && t.profit > 0, "triangle-up", tone("good")),
      marks("long, lost", (t) => t.side > 0 && !(t.profit > 0), "triangle-up-open", tone("bad")),
      marks("short, gained", (t) => t.side < 0 && t.profit > 0, "triangle-down", tone("good")),
      marks("short, lost", (t) => t.side < 0 && !(t.profit > 0), "triangle-down-open", tone("bad"))
    ],
    layout: layoutOf({
      showlegend: true,
      legend: LEGEND,
      margin: { l: 56, r: 16, t: 40, b: 40 },
      xaxis: { title: axisTitle("date") },
      yaxis: { title: axisTitle("price") }
    })
  };
};

/**
 * @param {View} view
 * @returns {Drawing | null}
 */
export const equityFigure = (view) => {
  const { dates, prices, trading } = view.task;
  if (!view.traded || !dates || !trading) return null;
  const days = Array.from(dates, dayOf),
    last = days.length - 1,
    accounts = shownVariants(view).map((shown) => ({ ...shown, trades: tradesOf(shown.variant) }));
  if (!accounts.length) return null;
  const best = accounts.reduce((first, next) => (next.trades.growth > first.trades.growth ? next : first)),
    end = 1 + best.trades.growth;
  /** @type {(Trace & { y: number[] })[]} */
  const data = accounts.map(({ variant, role, trades }, i) => ({
    type: "scatter",
    mode: "lines",
    name: `${role}: ${escaped(shortened(nameOf(variant)))}`,
    x: [days[0], ...trades.onePosition.map(([row]) => days[Math.min(row, last)]), days[last]],
    y: [1, ...trades.onePosition.map(([, value]) => value), 1 + trades.growth],
    variant,
    line: { color: familyOf(variant).colour, width: 2, shape: "hv", dash: DASHES[i % DASHES.length] }
  }));
  if (prices)
    data.push({
      type: "scatter",
      mode: "lines",
      name: "buy and hold",
      x: days,
      y: Array.from(prices, (price) => price / prices[0]),
      line: { color: tone("guide"), width: 1.2 }
    });
  // A log scale where values differ by more than a factor of 4, as in the figure for papers.
  const values = data.flatMap((d) => d.y),
    log = lowest(values) > 0 && highest(values) / lowest(values) > 4;
  return {
    title: `One account: ${
      end === 1 ? "none of these earned anything" : `${nameOf(best.variant)} ends at ${digits(end)} times its start`
    }`,
    note: `One position at a time, held for ${trading.horizon}${trading.horizon === 1 ? " day" : " days"}, the whole account staked, ${trading.cost ? `${percent(trading.cost)} cost a side` : "no costs"}.`,
    data,
    layout: layoutOf({
      showlegend: true,
      legend: LEGEND,
      margin: { l: 56, r: 16, t: 48, b: 40 },
      xaxis: { title: axisTitle("date") },
      yaxis: log
        ? { title: axisTitle("equity (start = 1), log scale"), type: "log", tickvals: decades(values) }
        : { title: axisTitle("equity (start = 1)") }
    })
  };
};

const HEADS = [
  "model",
  "shown as",
  "signals",
  "long",
  "short",
  "right",
  "wrong side",
  "moves missed",
  "return per signal",
  "sum of returns",
  "one account"
];

/** @param {View} view */
export const tradingTable = (view) => {
  if (!view.traded) return null;
  const head = HEADS.map((text, i) => h("th", { scope: "col", class: i > 1 ? "n" : null }, text));
  const rows = shownVariants(view).map(({ variant, role }) => {
    const { signals, long, short, hits, wrong, missed, profit, growth } = tradesOf(variant),
      numbers = [signals, long, short, hits, wrong, missed, signals ? profit / signals : "–", profit, growth];
    /** @param {number | string} x */
    const cell = (x) => h("td", { class: "n", title: String(x) }, typeof x === "number" && x % 1 ? percent(x) : x);
    return h("tr", {}, h("th", { scope: "row" }, variantName(variant)), h("td", {}, role), numbers.map(cell));
  });
  return h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
};
