// The measures that what-if recomputes from stored predictions. Sums go to the same lanes in the same order as in the
// tailrank-metrics crate, so that ties stay ties.
((tr) => {
  const BLOCK = 512;
  const lanes = new Float64Array(8);

  // lanes.rs: the terms of a block go to eight lanes, which are added up in this order.
  function emptied() {
    return lanes[0] + lanes[4] + (lanes[2] + lanes[6]) + (lanes[1] + lanes[5] + (lanes[3] + lanes[7]));
  }

  tr.laneSum = (n, term) => {
    let total = 0;
    for (let start = 0; start < n; start += BLOCK) {
      const end = Math.min(n, start + BLOCK);
      lanes.fill(0);
      for (let i = start; i < end; i++) lanes[(i - start) & 7] += term(i);
      total += emptied();
    }
    return total;
  };

  // The same loop once more for the two measures that take most time: a loop of its own is compiled for its own term.
  function utilitySum(utility, phiY, phiZ, loss) {
    const n = phiY.length;
    let total = 0;
    for (let start = 0; start < n; start += BLOCK) {
      const end = Math.min(n, start + BLOCK);
      lanes.fill(0);
      for (let i = start; i < end; i++) lanes[(i - start) & 7] += utility(phiY[i], phiZ[i], loss[i]);
      total += emptied();
    }
    return total;
  }

  function seraSum(phiY, y, z) {
    const n = phiY.length;
    let total = 0;
    for (let start = 0; start < n; start += BLOCK) {
      const end = Math.min(n, start + BLOCK);
      lanes.fill(0);
      for (let i = start; i < end; i++) {
        const error = z[i] - y[i];
        lanes[(i - start) & 7] += phiY[i] * (error * error);
      }
      total += emptied();
    }
    return total;
  }

  function sum8(from, at) {
    let s = from[at];
    for (let i = 1; i < 8; i++) s += from[at + i];
    return s;
  }

  const NO_SIGNAL = "no prediction reaches the event threshold";
  const sums = new Float64Array(32); // recalled, relevant, confirmed, signalled: eight lanes each

  // PR09 eq. 6, 10, 11 and the counts behind them.
  // A hit is a signal on an event of its own flank of φ, with an error of at most t_L.
  function precisionRecall(phiY, phiZ, loss, met, alpha, tE, tL, beta) {
    const n = phiY.length;
    let events = 0;
    let signals = 0;
    let hits = 0;
    sums.fill(0);
    for (let i = 0; i < n; i++) {
      const event = phiY[i] >= tE,
        signal = phiZ[i] >= tE;
      if (!event && !signal) continue; // adds zeros
      const a = alpha(loss[i]),
        lane = i & 7;
      if (event) {
        sums[lane] += a * phiY[i];
        sums[8 + lane] += phiY[i];
        events++;
        if (signal && met(i) && loss[i] <= tL) hits++;
      }
      if (signal) {
        sums[16 + lane] += a * phiZ[i];
        sums[24 + lane] += phiZ[i];
        signals++;
      }
    }
    const ratio = (part, whole, count, none) => {
      if (whole === 0) return count === 0 ? none : "every case has zero relevance";
      return part / whole;
    };
    const p = ratio(sum8(sums, 16), sum8(sums, 24), signals, NO_SIGNAL);
    const r = ratio(sum8(sums, 0), sum8(sums, 8), events, "no true value reaches the event threshold");
    let f = p;
    if (tr.defined(p)) f = !tr.defined(r) ? r : p === 0 || r === 0 ? 0 : ((beta * beta + 1) * p * r) / (beta * beta * p + r);
    return { precision: p, recall: r, f, events, signals, hits };
  }

  // Scores of several repeats are averaged; a repeat without a signal counts as 0 beside others that have some (evaluate.rs).
  function mean(values) {
    if (!values.some(tr.defined)) return values[0];
    const counted = values.map((v) => (v === NO_SIGNAL ? 0 : v)).filter(tr.defined);
    return counted.reduce((sum, v) => sum + v, 0) / counted.length;
  }

  // Which settings each recomputed measure depends on.
  const DEPENDS = {
    precision: ["tE", "tL", "low", "high"],
    recall: ["tE", "tL", "low", "high"],
    f: ["tE", "tL", "beta", "low", "high"],
    utility: ["tL", "low", "high", "p"],
    sera: ["low", "high"],
    sera_norm: ["low", "high"],
    event_mad: ["tE", "low", "high"],
    pr_area: ["tL", "low", "high"]
  };
  Object.keys(tr.tradingMeasures).forEach((id) => {
    DEPENDS[id] = ["threshold"];
  });
  tr.dependsOn = (id) => {
    if (DEPENDS[id]) return DEPENDS[id];
    return id.slice(0, 4) === "uba_" ? ["tE", "beta", "p"] : [];
  };
  // Curves over all thresholds are left to the command line.
  tr.recomputed = (id) => tr.dependsOn(id).length > 0 && id !== "pr_area" && id.slice(0, 4) !== "uba_";

  // Scores of one task at any settings. Holds φ and |ŷ − y| of every case, so that a moved slider costs milliseconds.
  tr.Evaluator = function (run, task) {
    this.run = run;
    this.task = task;
    this.phiKey = null;
    let offset = 0;
    this.parts = task.parts.map((part) => {
      const slice = { from: offset, to: offset + part.rows, phi: part.phi, valley: part.valley, repeat: part.repeat };
      offset = slice.to;
      return slice;
    });
    // The parts of a repeat follow each other and are scored as one set of cases.
    this.repeats = [];
    this.parts.forEach((part) => {
      const last = this.repeats[this.repeats.length - 1];
      if (last && last.repeat === part.repeat) last.to = part.to;
      else this.repeats.push({ from: part.from, to: part.to, repeat: part.repeat });
    });
    this.valleys = new Float64Array(task.truth.length);
    this.losses = task.predictions.map((predicted) => {
      if (!predicted) return null;
      const loss = new Float64Array(predicted.length);
      for (let i = 0; i < loss.length; i++) loss[i] = Math.abs(predicted[i] - task.truth[i]);
      return loss;
    });
    this.phiTruth = new Float64Array(task.truth.length);
    this.phiPredicted = task.predictions.map((p) => p && new Float64Array(p.length));
  };

  // The part's φ with moved centres.
  tr.movedPhi = (phi, settings) => {
    if (phi.kind !== "sigmoid") return phi;
    const moved = Object.assign({}, phi);
    if (settings.low !== null && phi.low !== null) moved.low = settings.low;
    if (settings.high !== null && phi.high !== null) moved.high = settings.high;
    return moved;
  };

  // Where the two flanks of φ meet; that of a sigmoid moves with its centres.
  tr.valley = (part, settings) => {
    const phi = tr.movedPhi(part.phi, settings);
    if (phi.kind !== "sigmoid" || phi.low === null || phi.high === null) return part.valley;
    const a = 1 / Math.abs(phi.low),
      b = 1 / Math.abs(phi.high);
    return (a * phi.low + b * phi.high) / (a + b);
  };

  tr.Evaluator.prototype.fillPhi = function (settings) {
    const key = `${settings.low}/${settings.high}`;
    if (key === this.phiKey) return;
    this.phiKey = key;
    const task = this.task,
      self = this;
    this.parts.forEach((part) => {
      const phi = tr.relevance(tr.movedPhi(part.phi, settings));
      const valley = tr.valley(part, settings);
      for (let i = part.from; i < part.to; i++) {
        self.phiTruth[i] = phi(task.truth[i]);
        self.valleys[i] = valley;
      }
      task.predictions.forEach((predicted, v) => {
        if (!predicted) return;
        const out = self.phiPredicted[v];
        for (let j = part.from; j < part.to; j++) out[j] = phi(predicted[j]);
      });
    });
  };

  // { scores: per variant a row or null, signals, hits, events }; a row's entry is a number or a reason.
  tr.Evaluator.prototype.evaluate = function (settings) {
    this.fillPhi(settings);
    const run = this.run,
      task = this.task,
      self = this;
    const ids = run.measures.map((m) => m.id);
    const base = task.base;
    const moved = ids.map((id) => tr.recomputed(id) && tr.dependsOn(id).some((s) => settings[s] !== base[s]));
    const alpha = settings.tL === null ? null : tr.accuracy(run.alpha.shape, run.alpha.k, settings.tL);
    const t = run.utility.t === null ? settings.tL : run.utility.t;
    const utility = t === null ? null : tr.utility(run.utility.benefit, t, settings.p);
    const found = { scores: [], signals: [], hits: [], events: 0 };
    for (let i = 0; i < this.phiTruth.length; i++) if (this.phiTruth[i] >= settings.tE) found.events++;
    found.events = Math.round(found.events / this.repeats.length);
    task.predictions.forEach((predicted, v) => {
      if (!predicted) {
        found.scores.push(null);
        found.signals.push(null);
        found.hits.push(null);
        return;
      }
      let signals = 0,
        hits = 0;
      const perRepeat = self.repeats.map((part) => {
        const cut = (a) => a.subarray(part.from, part.to);
        const phiY = cut(self.phiTruth),
          phiZ = cut(self.phiPredicted[v]),
          loss = cut(self.losses[v]),
          n = phiY.length;
        const y = cut(task.truth),
          z = cut(predicted);
        const valleys = cut(self.valleys);
        const met = (i) => y[i] > valleys[i] === z[i] > valleys[i];
        const pr = alpha && precisionRecall(phiY, phiZ, loss, met, alpha, settings.tE, settings.tL, settings.beta);
        if (pr) {
          signals += pr.signals;
          hits += pr.hits;
        }
        let trades = null;
        return ids.map((id, m) => {
          if (!moved[m] && !settings.all) return task.scores[v][m];
          if (pr && (id === "precision" || id === "recall" || id === "f")) return pr[id];
          if (id === "utility" && utility) return utilitySum(utility, phiY, phiZ, loss) / n;
          if (id === "sera") return seraSum(phiY, y, z);
          if (id === "sera_norm") {
            const squared =
              tr.laneSum(n, (i) => {
                const e = z[i] - y[i];
                return e > 0 ? e * e : 0;
              }) +
              tr.laneSum(n, (i) => {
                const e = z[i] - y[i];
                return e < 0 ? e * e : 0;
              });
            return squared === 0 ? "there is no error to take a share of" : seraSum(phiY, y, z) / squared;
          }
          if (id === "event_mad") {
            let events = 0;
            const absolute = tr.laneSum(n, (i) => {
              if (phiY[i] < settings.tE) return 0;
              events++;
              return loss[i];
            });
            return events === 0 ? "no true value reaches the event threshold" : absolute / events;
          }
          // An account over several periods is not one account.
          const periods = self.parts.filter((p) => p.repeat === part.repeat).length;
          if (tr.tradingMeasures[id] && settings.threshold !== null && !(id === "growth" && periods > 1)) {
            trades = trades || tr.trade(y, z, settings.threshold, task.trading.horizon);
            return tr.tradingMeasures[id](trades);
          }
          return task.scores[v][m];
        });
      });
      found.scores.push(
        ids.map((_, m) => {
          // A measure that is not recomputed is the stored mean already.
          if (!moved[m] && !settings.all) return task.scores[v][m];
          return mean(perRepeat.map((row) => row[m]));
        })
      );
      found.signals.push(alpha ? signals : null);
      found.hits.push(alpha ? hits : null);
    });
    return found;
  };

  // Recomputes the run's own scores and says how far the largest difference is: a check of the browser's arithmetic.
  tr.Evaluator.prototype.selfCheck = function () {
    const settings = Object.assign({ all: true }, this.task.base);
    const stored = this.task.scores;
    let worst = 0;
    this.evaluate(settings).scores.forEach((row, v) => {
      if (!row) return;
      row.forEach((score, m) => {
        const was = stored[v][m];
        if (score === was) return;
        const apart = tr.defined(score) && tr.defined(was) ? Math.abs(score - was) / Math.max(1, Math.abs(was)) : Infinity;
        worst = Math.max(worst, apart);
      });
    });
    return worst;
  };
})(tailrank);
