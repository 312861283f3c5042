// Which variant is best by a measure, and what two measures say of one task.
import { agreement, rankScores } from "./scoring.js";
import { run } from "./state.js";
import { defined } from "./words.js";

/**
 * What is lost by taking another score than the best, in units of the measure; silence earns nothing.
 * @param {Score} taken
 * @param {Score} best
 * @param {"lower" | "higher"} better
 */
const regretOf = (taken, best, better) => {
  const earned = taken === "no prediction reaches the event threshold" ? 0 : taken;
  if (!defined(best) || !defined(earned)) return null;
  return better === "higher" ? best - earned : earned - best;
};

/**
 * Candidates that have scores, of those with the same predictions the first alone, with their scores.
 * @param {(Score[] | null)[]} scores
 * @param {Task} task
 * @returns {[number, Score[]][]}
 */
const distinctOf = (scores, task) =>
  scores.flatMap((row, v) => (row && !task.references[v] && task.same_as[v] === v ? [[v, row]] : []));

/**
 * Ranks of all variants by one measure: copies share the rank of the first, references have none.
 * @param {(Score[] | null)[]} scores
 * @param {number} m
 * @param {Task} task
 */
export const ranksOf = (scores, m, task) => {
  const distinct = distinctOf(scores, task),
    ranks = rankScores(
      distinct.map(([, row]) => row[m]),
      run.measures[m].better
    ),
    rankOf = new Map(distinct.map(([v], place) => [v, ranks[place]]));
  return scores.map((row, v) => (row && !task.references[v] ? (rankOf.get(task.same_as[v]) ?? null) : null));
};

/**
 * What two measures say of one task's scores.
 * @param {(Score[] | null)[]} scores
 * @param {number} a
 * @param {number} b
 * @param {Task} task
 * @returns {Comparison}
 */
export const compare = (scores, a, b, task) => {
  const compared = distinctOf(scores, task).filter(([, row]) => !run.exclude_undefined || (defined(row[a]) && defined(row[b])));
  /** @param {number} m */
  const ranksBy = (m) =>
    rankScores(
      compared.map(([, row]) => row[m]),
      run.measures[m].better
    );
  const [ranksA, ranksB] = [ranksBy(a), ranksBy(b)];
  /**
   * @param {number[]} ranks
   * @param {number} m
   */
  const best = (ranks, m) => {
    const places = compared.map((_, place) => place).filter((place) => defined(compared[place][1][m]));
    return places.length ? compared[places.reduce((first, place) => (ranks[place] < ranks[first] ? place : first))] : null;
  };
  const [bestA, bestB] = [best(ranksA, a), best(ranksB, b)],
    k = Math.min(run.top, compared.length);
  return {
    variants: compared.map(([v]) => v),
    ranksA,
    ranksB,
    bestA: bestA?.[0] ?? null,
    bestB: bestB?.[0] ?? null,
    k,
    ...agreement(ranksA, ranksB, k),
    regret: bestA && bestB && regretOf(bestA[1][b], bestB[1][b], run.measures[b].better)
  };
};
