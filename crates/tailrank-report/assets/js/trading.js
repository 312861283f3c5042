// The trading rule of PR09 §5.2 on one variant's predictions.
((tr) => {
  tr.trade = (truth, predicted, threshold, horizon) => {
    const n = truth.length,
      counts = { signals: 0, long: 0, short: 0, moves: 0, hits: 0, wrong: 0, missed: 0 };
    const trades = [];
    for (let i = 0; i < n; i++) {
      const y = truth[i],
        z = predicted[i];
      const move = y > threshold ? 1 : y < -threshold ? -1 : 0,
        side = z > threshold ? 1 : z < -threshold ? -1 : 0;
      if (move !== 0) counts.moves++;
      if (side === 0) {
        if (move !== 0) counts.missed++;
        continue;
      }
      counts.signals++;
      counts[side > 0 ? "long" : "short"]++;
      if (side === move) counts.hits++;
      if (side * y < 0) counts.wrong++;
      trades.push({ row: i, side, profit: side * y, hit: side === move, wrong: side * y < 0 });
    }
    counts.trades = trades;
    counts.profit = tr.laneSum(n, (i) => (predicted[i] > threshold ? truth[i] : predicted[i] < -threshold ? -truth[i] : 0));
    // Every signal stakes one unit; returns add up.
    let sum = 0;
    counts.everySignal = trades.map((t) => {
      sum += t.profit;
      return [t.row + horizon, sum];
    });
    // One position at a time; returns compound and a lost account stays lost.
    let value = 1,
      freeFrom = 0;
    counts.onePosition = [];
    trades.forEach((t) => {
      if (t.row < freeFrom) return;
      freeFrom = t.row + horizon;
      value *= Math.max(1 + t.profit, 0);
      counts.onePosition.push([t.row + horizon, value]);
    });
    counts.growth = value - 1;
    return counts;
  };

  const ratio = (part, whole, why) => (whole === 0 ? why : part / whole);
  const NO_TRADES = "the rule never traded",
    NO_MOVES = "no true value reaches the event threshold";
  tr.tradingMeasures = {
    beyond_rate: function (c) {
      return ratio(c.hits, c.signals, NO_TRADES);
    },
    wrong_side_rate: function (c) {
      return ratio(c.wrong, c.signals, NO_TRADES);
    },
    missed_rate: function (c) {
      return ratio(c.missed, c.moves, NO_MOVES);
    },
    return_per_trade: function (c) {
      return ratio(c.profit, c.signals, NO_TRADES);
    },
    total_return: function (c) {
      return c.profit;
    },
    growth: function (c) {
      return c.growth;
    }
  };
})(tailrank);
