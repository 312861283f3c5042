// Ranks, rank correlation and overlap, as the tailrank-stats crate defines them.
(function (tr) {
  // Rank 1 is best; ties share the average; undefined scores stand last and share one rank; null is not ranked.
  tr.rankScores = function (scores, better) {
    var sign = better === "lower" ? 1 : -1;
    var rows = [];
    scores.forEach(function (s, i) { if (s !== null) rows.push(i); });
    var key = function (i) { return tr.defined(scores[i]) ? sign * scores[i] : Infinity; };
    rows.sort(function (a, b) { return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b; });
    var ranks = scores.map(function () { return null; });
    for (var start = 0; start < rows.length;) {
      var end = start + 1;
      while (end < rows.length && key(rows[end]) === key(rows[start])) end++;
      for (var j = start; j < end; j++) ranks[rows[j]] = start + (end - start + 1) / 2;
      start = end;
    }
    return ranks;
  };

  tr.spearman = function (a, b) {
    var n = a.length, mean = (n + 1) / 2, ab = 0, aa = 0, bb = 0;
    for (var i = 0; i < n; i++) {
      ab += (a[i] - mean) * (b[i] - mean);
      aa += (a[i] - mean) * (a[i] - mean);
      bb += (b[i] - mean) * (b[i] - mean);
    }
    return n < 2 || aa === 0 || bb === 0 ? null : ab / Math.sqrt(aa * bb);
  };

  // Kendall's τ-b.
  tr.kendall = function (a, b) {
    var n = a.length, s = 0, untiedA = 0, untiedB = 0;
    for (var i = 0; i < n; i++) {
      for (var j = 0; j < i; j++) {
        var x = Math.sign(a[i] - a[j]), y = Math.sign(b[i] - b[j]);
        s += x * y;
        untiedA += x * x;
        untiedB += y * y;
      }
    }
    return untiedA === 0 || untiedB === 0 ? null : s / Math.sqrt(untiedA * untiedB);
  };

  // Items that the first k places share: with ties across place k their expected number.
  tr.topShared = function (a, b, k) {
    function within(ranks) {
      var size = {};
      ranks.forEach(function (r) { size[r] = (size[r] || 0) + 1; });
      return ranks.map(function (r) {
        var first = r - (size[r] - 1) / 2;
        return Math.min(1, Math.max(0, (k - first + 1) / size[r]));
      });
    }
    var ofA = within(a), ofB = within(b);
    return ofA.reduce(function (sum, share, i) { return sum + share * ofB[i]; }, 0);
  };

  // The share of the best score that is lost by taking another.
  tr.regret = function (taken, best, better) {
    if (!tr.defined(best)) return null;
    if (!tr.defined(taken)) return 1;
    if (best === 0) return taken === 0 ? 0 : null;
    return (better === "higher" ? best - taken : taken - best) / Math.abs(best);
  };

  // What two measures say of one task's scores.
  tr.compare = function (scores, a, b, run) {
    var variants = [];
    scores.forEach(function (row, v) {
      if (!row) return;
      if (run.exclude_undefined && !(tr.defined(row[a]) && tr.defined(row[b]))) return;
      variants.push(v);
    });
    var of = function (m) { return variants.map(function (v) { return scores[v][m]; }); };
    var ranksA = tr.rankScores(of(a), run.measures[a].better), ranksB = tr.rankScores(of(b), run.measures[b].better);
    function best(ranks, m) {
      var found = null;
      ranks.forEach(function (r, i) {
        if (tr.defined(scores[variants[i]][m]) && (found === null || r < ranks[found])) found = i;
      });
      return found === null ? null : variants[found];
    }
    var bestA = best(ranksA, a), bestB = best(ranksB, b), k = Math.min(run.top, variants.length);
    return {
      variants: variants, ranksA: ranksA, ranksB: ranksB, bestA: bestA, bestB: bestB, k: k,
      rho: tr.spearman(ranksA, ranksB), tau: tr.kendall(ranksA, ranksB), shared: tr.topShared(ranksA, ranksB, k),
      regret: bestA === null || bestB === null ? null : tr.regret(scores[bestA][b], scores[bestB][b], run.measures[b].better)
    };
  };
})(tailrank);
