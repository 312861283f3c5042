// Which variant is best by a measure, and what two measures say of one task.
((tr) => {
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
      ...tr.agreement(ranksA, ranksB, k),
      regret: bestA === null || bestB === null ? null : tr.regret(scores[bestA][b], scores[bestB][b], run.measures[b].better)
    };
  };
})(tailrank);
