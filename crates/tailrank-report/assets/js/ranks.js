// Ranks, rank correlation and overlap, as the tailrank-stats crate defines them.
((tr) => {
  // Rank 1 is best; ties share the average; undefined scores stand last and share one rank; null is not ranked.
  tr.rankScores = (scores, better) => {
    const sign = better === "lower" ? 1 : -1;
    const rows = [];
    scores.forEach((s, i) => {
      if (s !== null) rows.push(i);
    });
    const key = (i) => (tr.defined(scores[i]) ? sign * scores[i] : Infinity);
    rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b));
    const ranks = scores.map(() => null);
    for (let start = 0; start < rows.length;) {
      let end = start + 1;
      while (end < rows.length && key(rows[end]) === key(rows[start])) end++;
      for (let j = start; j < end; j++) ranks[rows[j]] = start + (end - start + 1) / 2;
      start = end;
    }
    return ranks;
  };

  tr.spearman = (a, b) => {
    const n = a.length;
    const mean = (n + 1) / 2;
    let ab = 0;
    let aa = 0;
    let bb = 0;
    for (let i = 0; i < n; i++) {
      ab += (a[i] - mean) * (b[i] - mean);
      aa += (a[i] - mean) * (a[i] - mean);
      bb += (b[i] - mean) * (b[i] - mean);
    }
    return n < 2 || aa === 0 || bb === 0 ? null : ab / Math.sqrt(aa * bb);
  };

  // Kendall's τ-b.
  tr.kendall = (a, b) => {
    const n = a.length;
    let s = 0;
    let untiedA = 0;
    let untiedB = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const x = Math.sign(a[i] - a[j]),
          y = Math.sign(b[i] - b[j]);
        s += x * y;
        untiedA += x * x;
        untiedB += y * y;
      }
    }
    return untiedA === 0 || untiedB === 0 ? null : s / Math.sqrt(untiedA * untiedB);
  };

  // Items that the first k places share: with ties across place k their expected number.
  tr.topShared = (a, b, k) => {
    function within(ranks) {
      const size = {};
      ranks.forEach((r) => {
        size[r] = (size[r] || 0) + 1;
      });
      return ranks.map((r) => {
        const first = r - (size[r] - 1) / 2;
        return Math.min(1, Math.max(0, (k - first + 1) / size[r]));
      });
    }
    const ofA = within(a),
      ofB = within(b);
    return ofA.reduce((sum, share, i) => sum + share * ofB[i], 0);
  };

  // What is lost by taking another score than the best, in units of the measure; silence earns nothing.
  tr.regret = (taken, best, better) => {
    if (!tr.defined(best)) return null;
    if (!tr.defined(taken)) {
      if (taken !== "no prediction reaches the event threshold") return null;
      taken = 0;
    }
    return better === "higher" ? best - taken : taken - best;
  };

  // Candidates that have scores, of those with the same predictions the first alone.
  tr.distinct = (scores, task) =>
    scores.map((row, v) => (row && !task.references[v] && task.same_as[v] === v ? v : -1)).filter((v) => v >= 0);

  // Ranks of all variants by one measure: copies share the rank of the first, references have none.
  tr.ranksOf = (scores, m, better, task) => {
    const distinct = tr.distinct(scores, task);
    const ranks = tr.rankScores(
      distinct.map((v) => scores[v][m]),
      better
    );
    return scores.map((row, v) => {
      const place = row && !task.references[v] ? distinct.indexOf(task.same_as[v]) : -1;
      return place < 0 ? null : ranks[place];
    });
  };

  // What two measures say of one task's scores.
  tr.compare = (scores, a, b, run, task) => {
    const variants = [];
    tr.distinct(scores, task).forEach((v) => {
      const row = scores[v];
      if (run.exclude_undefined && !(tr.defined(row[a]) && tr.defined(row[b]))) return;
      variants.push(v);
    });
    const of = (m) => variants.map((v) => scores[v][m]);
    const ranksA = tr.rankScores(of(a), run.measures[a].better),
      ranksB = tr.rankScores(of(b), run.measures[b].better);
    function best(ranks, m) {
      let found = null;
      ranks.forEach((r, i) => {
        if (tr.defined(scores[variants[i]][m]) && (found === null || r < ranks[found])) found = i;
      });
      return found === null ? null : variants[found];
    }
    const bestA = best(ranksA, a),
      bestB = best(ranksB, b),
      k = Math.min(run.top, variants.length);
    return {
      variants,
      ranksA,
      ranksB,
      bestA,
      bestB,
      k,
      rho: tr.spearman(ranksA, ranksB),
      tau: tr.kendall(ranksA, ranksB),
      shared: tr.topShared(ranksA, ranksB, k),
      regret: bestA === null || bestB === null ? null : tr.regret(scores[bestA][b], scores[bestB][b], run.measures[b].better)
    };
  };
})(tailrank);
