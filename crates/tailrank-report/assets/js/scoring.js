// Scores, φ, utility and trades at the settings in force. They are computed by tailrank's own measures, compiled for the browser
// (crates/tailrank-wasm says how it is spoken to): the page holds no formula, and its numbers have the command line's bits.
((tr) => {
  let code = null;

  // Called once before anything else is computed.
  tr.startScoring = () =>
    tr
      .unpackText(tr.compiled)
      .then((bytes) => WebAssembly.instantiate(bytes, {}))
      .then((made) => {
        code = made.instance.exports;
      });

  // Hands numbers over. The memory may move whenever room is asked for, so that a view of it is never kept.
  const give = (numbers) => {
    const at = code.input(numbers.length);
    new Float64Array(code.memory.buffer, at, numbers.length).set(numbers);
  };
  const text = (numbers) => new TextDecoder().decode(Uint8Array.from(numbers));
  const answer = (length) => {
    const numbers = new Float64Array(code.memory.buffer, code.output(), Math.abs(length)).slice();
    if (length < 0) throw new Error(text(numbers));
    return numbers;
  };
  const orNone = (value) => (value === null || value === undefined ? NaN : value);

  const reasons = [];
  const reason = (number) => {
    if (!reasons[number]) reasons[number] = text(answer(code.reason(number)));
    return reasons[number];
  };

  const SHAPES = ["indicator", "linear", "smooth"];

  function givePhi(phi) {
    if (phi.kind === "sigmoid") return answer(code.sigmoid(orNone(phi.low), orNone(phi.high), phi.k, phi.delta));
    // JSON has no infinity: an open end is null.
    if (phi.kind === "indicator") {
      give(phi.ranges.map((r) => [r[0] === null ? -Infinity : r[0], r[1] === null ? Infinity : r[1]]).flat());
      return answer(code.indicator());
    }
    give(phi.points.flat());
    return answer(phi.kind === "pchip" ? code.pchip() : code.table());
  }

  // The scores of one task. One task at a time is in front; a new Evaluator takes its place.
  tr.Evaluator = function (run, task) {
    this.run = run;
    this.task = task;
    code.task();
    const horizon = task.trading ? task.trading.horizon : 0;
    const cost = task.trading ? task.trading.cost : 0;
    const c = run.costs;
    code.rules(
      SHAPES.indexOf(run.alpha.shape),
      run.alpha.k,
      run.utility.benefit,
      orNone(run.utility.t),
      c.over,
      c.under,
      c.linex_shape,
      c.linex_scale,
      horizon,
      cost
    );
    let from = 0;
    task.parts.forEach((part) => {
      givePhi(part.phi);
      give(task.truth.subarray(from, from + part.rows));
      answer(code.part(part.repeat, orNone(part.reference), orNone(part.tloss)));
      from += part.rows;
    });
    task.predictions.forEach((predicted) => {
      give(predicted || []);
      answer(code.prediction());
    });
    run.measures.forEach((m) => {
      give(new TextEncoder().encode(m.id));
      answer(code.measure());
    });
    this.losses = task.predictions.map((predicted) => predicted && predicted.map((z, i) => Math.abs(z - task.truth[i])));
  };

  // { scores: per variant a row or null, signals, hits, events }; a row's entry is a number or a reason.
  tr.Evaluator.prototype.evaluate = function (settings) {
    const base = this.task.base,
      asked = [];
    this.run.measures.forEach((m, i) => {
      if (settings.all || m.depends.some((s) => settings[s] !== base[s])) asked.push(i);
    });
    give(asked);
    const numbers = answer(
      code.evaluate(
        settings.tE,
        orNone(settings.tL),
        settings.beta,
        settings.p,
        orNone(settings.low),
        orNone(settings.high),
        orNone(settings.threshold)
      )
    );
    this.phi = {};
    const found = { scores: [], signals: [], hits: [], events: numbers[0] };
    let at = 1;
    const counted = settings.tL !== null;
    this.task.scores.forEach((stored) => {
      if (numbers[at++] === 0) {
        found.scores.push(null);
        found.signals.push(null);
        found.hits.push(null);
        return;
      }
      found.signals.push(counted ? numbers[at] : null);
      found.hits.push(counted ? numbers[at + 1] : null);
      at += 2;
      const row = stored.slice();
      asked.forEach((m) => {
        row[m] = numbers[at + 1] === 0 ? numbers[at] : reason(numbers[at + 1]);
        at += 2;
      });
      found.scores.push(row);
    });
    return found;
  };

  // What figures ask for is computed when first asked for, at the settings of the last evaluation.
  tr.Evaluator.prototype.once = function (name, compute) {
    if (!this.phi[name]) this.phi[name] = compute();
    return this.phi[name];
  };
  tr.Evaluator.prototype.phiTruth = function () {
    return this.once("truth", () => answer(code.phi_of_truth()));
  };
  tr.Evaluator.prototype.phiPredicted = function (variant) {
    return this.once(variant, () => answer(code.phi_of_predicted(variant)));
  };
  // Where the flanks of φ meet, for every case.
  tr.Evaluator.prototype.valleys = function () {
    return this.once("valleys", () => {
      const out = new Float64Array(this.task.truth.length);
      let from = 0;
      answer(code.valleys()).forEach((valley, p) => {
        out.fill(valley, from, from + this.task.parts[p].rows);
        from += this.task.parts[p].rows;
      });
      return out;
    });
  };

  // Whether the run's own scores come out again, to the last bit: a check of what was compiled against what ran.
  tr.Evaluator.prototype.selfCheck = function () {
    const settings = Object.assign({ all: true }, this.task.base);
    let differ = 0;
    this.evaluate(settings).scores.forEach((row, v) => {
      if (row)
        row.forEach((score, m) => {
          if (score !== this.task.scores[v][m]) differ++;
        });
    });
    return differ;
  };

  // The first part's φ at these values.
  tr.phiCurve = (values) => {
    give(values);
    return Array.from(answer(code.curve()));
  };

  // The ranges of y with φ(y) ≥ t_E between two ends, for bands in figures.
  tr.eventRanges = (from, to) => {
    const ends = answer(code.event_ranges(from, to)),
      ranges = [];
    for (let i = 0; i < ends.length; i += 2) ranges.push([ends[i], ends[i + 1]]);
    return ranges;
  };

  // UT08's utility on a grid: one row per true value.
  tr.utilitySurface = (grid) => {
    give(grid);
    const heights = answer(code.utility_surface());
    return grid.map((_, i) => Array.from(heights.subarray(i * grid.length, (i + 1) * grid.length)));
  };

  // The trading rule of PR09 §5.2 on one variant's predictions, after costs.
  tr.tradesOf = (variant) => {
    const n = answer(code.trades(variant));
    const counts = { signals: n[0] + n[1], long: n[0], short: n[1], hits: n[2], wrong: n[3], missed: n[4], profit: n[5], growth: n[6] };
    const end = 8 + 4 * n[7];
    counts.trades = [];
    for (let i = 8; i < end; i += 4) counts.trades.push({ row: n[i], side: n[i + 1], profit: n[i + 2], hit: n[i + 3] === 1 });
    // One position at a time; returns compound and a lost account stays lost.
    counts.onePosition = [];
    for (let i = end; i < n.length; i += 2) counts.onePosition.push([n[i], n[i + 1]]);
    return counts;
  };

  // Rank 1 is best; ties share the average; reasons stand last and share one rank.
  tr.rankScores = (scores, better) => {
    if (!scores.length) return [];
    give(scores.map((s) => (tr.defined(s) ? s : NaN)));
    return Array.from(answer(code.ranks(better === "lower" ? 1 : 0)));
  };

  // Spearman's ρ, Kendall's τ-b and how many the first k share; null where there is none.
  tr.agreement = (a, b, k) => {
    give(a.concat(b));
    const [rho, tau, shared] = answer(code.agreement(k));
    const orNull = (value) => (Number.isNaN(value) ? null : value);
    return { rho: orNull(rho), tau: orNull(tau), shared: orNull(shared) };
  };
})(tailrank);
