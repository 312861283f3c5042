// Scores, φ, utility and trades at the settings in force. They are computed by tailrank's own measures, compiled for the browser
// (crates/tailrank-wasm says how it is spoken to): the page holds no formula, and its numbers have the command line's bits.
import { unpack } from "./files.js";
import { run } from "./state.js";
import { defined } from "./words.js";

/** @type {any} the compiled functions, each of numbers to a number, and their memory */
let code = null;

/**
 * Called once before anything else is computed.
 * @param {string} compiled
 */
export const startScoring = async (compiled) => {
  const made = await WebAssembly.instantiate(await unpack(compiled), {});
  code = made.instance.exports;
};

/**
 * Hands numbers over. The memory may move whenever room is asked for, so that a view of it is never kept.
 * @param {Numbers | Uint8Array} numbers
 */
const give = (numbers) => {
  const at = code.input(numbers.length);
  new Float64Array(code.memory.buffer, at, numbers.length).set(numbers);
};
/** @param {Numbers} numbers */
const text = (numbers) => new TextDecoder().decode(Uint8Array.from(numbers));
/** @param {number} length */
const answer = (length) => {
  const numbers = new Float64Array(code.memory.buffer, code.output(), Math.abs(length)).slice();
  if (length < 0) throw new Error(text(numbers));
  return numbers;
};
/** @param {number | null | undefined} value */
const orNone = (value) => value ?? NaN;
/** @param {number} value */
const orNull = (value) => (Number.isNaN(value) ? null : value);

/** @type {string[]} */
const reasons = [];
/** @param {number} number */
const reason = (number) => {
  reasons[number] ??= text(answer(code.reason(number)));
  return reasons[number];
};

const SHAPES = ["indicator", "linear", "smooth"];
const KINDS = ["sigmoid", "pchip", "table", "indicator"];

/**
 * The numbers of φ.
 * @param {Phi} phi
 */
const numbersOf = (phi) => {
  if (phi.kind === "sigmoid") return [orNone(phi.low), orNone(phi.high), phi.k, phi.delta];
  // JSON has no infinity: an open end is null.
  if (phi.kind === "indicator") return phi.ranges.flatMap(([from, to]) => [from ?? -Infinity, to ?? Infinity]);
  return phi.points.flat();
};

/** The scores of one task. One task at a time is in front; a new Evaluator takes its place. */
export class Evaluator {
  /** @type {Map<string, Float64Array>} */
  #known = new Map();

  /** @param {Task} task */
  constructor(task) {
    this.task = task;
    code.task();
    const { alpha, utility, costs } = run,
      { over, under, linex_shape, linex_scale } = costs,
      { horizon, cost } = task.trading ?? { horizon: 0, cost: 0 };
    const shape = SHAPES.indexOf(alpha.shape);
    give([shape, alpha.k, utility.benefit, orNone(utility.t), over, under, linex_shape, linex_scale, horizon, cost]);
    answer(code.rules());
    let from = 0;
    for (const part of task.parts) {
      give(numbersOf(part.phi));
      answer(code.phi(KINDS.indexOf(part.phi.kind)));
      give(task.truth.subarray(from, from + part.rows));
      answer(code.part(part.repeat, orNone(part.reference), orNone(part.tloss)));
      from += part.rows;
    }
    for (const predicted of task.predictions) {
      give(predicted ?? []);
      answer(code.prediction());
    }
    for (const measure of run.measures) {
      give(new TextEncoder().encode(measure.id));
      answer(code.measure());
    }
    this.losses = task.predictions.map((predicted) => predicted?.map((z, i) => Math.abs(z - task.truth[i])));
  }

  /**
   * Per model a row of scores, or null; signals, hits and events at these settings.
   * @param {Settings} settings
   * @param {boolean} [all] every measure, even those that the settings cannot have moved
   */
  evaluate(settings, all = false) {
    const { base, scores } = this.task;
    /** @param {Measure} measure */
    const asks = (measure) => all || measure.depends.some((s) => settings[s] !== base[s]);
    const asked = run.measures.map((_, m) => m).filter((m) => asks(run.measures[m]));
    const { tE, tL, beta, p, low, high, threshold } = settings;
    give([tE, orNone(tL), beta, p, orNone(low), orNone(high), orNone(threshold), ...asked]);
    const numbers = answer(code.evaluate());
    this.#known.clear();
    /** @type {Found} */
    const found = { scores: [], signals: [], hits: [], events: numbers[0] };
    let at = 1;
    for (const stored of scores) {
      if (numbers[at++] === 0 || stored === null) {
        found.scores.push(null);
        found.signals.push(null);
        found.hits.push(null);
        continue;
      }
      found.signals.push(tL === null ? null : numbers[at]);
      found.hits.push(tL === null ? null : numbers[at + 1]);
      at += 2;
      const row = stored.slice();
      for (const m of asked) {
        row[m] = numbers[at + 1] === 0 ? numbers[at] : reason(numbers[at + 1]);
        at += 2;
      }
      found.scores.push(row);
    }
    return found;
  }

  /**
   * What figures ask for is computed when first asked for, at the settings of the last evaluation.
   * @param {string} name
   * @param {() => Float64Array} compute
   */
  #once(name, compute) {
    const values = this.#known.get(name) ?? compute();
    this.#known.set(name, values);
    return values;
  }

  phiTruth() {
    return this.#once("truth", () => answer(code.phi_of_truth()));
  }

  /** @param {number} variant */
  phiPredicted(variant) {
    return this.#once(`${variant}`, () => answer(code.phi_of_predicted(variant)));
  }

  /** Where the flanks of φ meet, for every case. */
  valleys() {
    return this.#once("valleys", () => {
      const out = new Float64Array(this.task.truth.length);
      let from = 0;
      answer(code.valleys()).forEach((valley, p) => {
        out.fill(valley, from, from + this.task.parts[p].rows);
        from += this.task.parts[p].rows;
      });
      return out;
    });
  }

  /** How many of the run's own scores do not come out again, to the last bit: a check of what was compiled against what ran. */
  selfCheck() {
    const again = this.evaluate(this.task.base, true).scores;
    const differ = again.map((row, v) => (row ? row.filter((score, m) => score !== this.task.scores[v]?.[m]).length : 0));
    return differ.reduce((sum, n) => sum + n, 0);
  }
}

/**
 * The first part's φ at these values.
 * @param {number[]} values
 */
export const phiCurve = (values) => {
  give(values);
  return Array.from(answer(code.curve()));
};

/**
 * The ranges of y with φ(y) ≥ t_E between two ends, for bands in figures.
 * @param {number} from
 * @param {number} to
 */
export const eventRanges = (from, to) => {
  const ends = answer(code.event_ranges(from, to)),
    ranges = [];
  for (let i = 0; i < ends.length; i += 2) ranges.push([ends[i], ends[i + 1]]);
  return ranges;
};

/**
 * UT08's utility on a grid: one row per true value.
 * @param {number[]} grid
 */
export const utilitySurface = (grid) => {
  give(grid);
  const heights = answer(code.utility_surface());
  return grid.map((_, i) => Array.from(heights.subarray(i * grid.length, (i + 1) * grid.length)));
};

/**
 * The trading rule of PR09 §5.2 on one variant's predictions, after costs.
 * @param {number} variant
 */
export const tradesOf = (variant) => {
  const numbers = answer(code.trades(variant)),
    [long, short, hits, wrong, missed, profit, growth, count] = numbers;
  const end = 8 + 4 * count,
    trades = [],
    onePosition = [];
  for (let i = 8; i < end; i += 4) {
    const [row, side, gain, hit] = numbers.subarray(i, i + 4);
    trades.push({ row, side, profit: gain, hit: hit === 1 });
  }
  // One position at a time; returns compound and a lost account stays lost.
  for (let i = end; i < numbers.length; i += 2) onePosition.push([numbers[i], numbers[i + 1]]);
  return { signals: long + short, long, short, hits, wrong, missed, profit, growth, trades, onePosition };
};

/**
 * Rank 1 is best; ties share the average; reasons stand last and share one rank.
 * @param {Score[]} scores
 * @param {"lower" | "higher"} better
 */
export const rankScores = (scores, better) => {
  if (!scores.length) return [];
  give(scores.map((s) => (defined(s) ? s : NaN)));
  return Array.from(answer(code.ranks(better === "lower" ? 1 : 0)));
};

/**
 * Spearman's ρ, Kendall's τ-b and how many the first k share; null where there is none.
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} k
 */
export const agreement = (a, b, k) => {
  give(a.concat(b));
  const [rho, tau, shared] = answer(code.agreement(k));
  return { rho: orNull(rho), tau: orNull(tau), shared: orNull(shared) };
};
