// The trading rule at work: signals on the price, equity of one account, and the table behind them.
((tr) => {
  function times(task) {
    return Array.from(task.dates, tr.day);
  }

  // 1, 2 and 5 times the powers of ten: ticks of a log scale that read as prices.
  function decades(prices) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(tr.low(prices))); Math.pow(10, power) <= tr.high(prices); power++) {
      [1, 2, 5].forEach((lead) => ticks.push(Number((lead * Math.pow(10, power)).toPrecision(1))));
    }
    return ticks;
  }

  tr.priceFigure = (view) => {
    const task = view.task,
      variant = view.focus;
    if (!view.traded || !task.prices || variant === null) return null;
    const days = times(task),
      counts = tr.tradesOf(variant);
    function marks(name, keep, symbol, colour) {
      const picked = counts.trades.filter(keep);
      return {
        type: "scatter",
        mode: "markers",
        name,
        x: picked.map((t) => days[t.row]),
        y: picked.map((t) => task.prices[t.row]),
        hoverinfo: "text",
        hovertext: picked.map((t) => `${days[t.row]}<br>${t.side > 0 ? "long" : "short"}, return ${tr.percent(t.profit)}`),
        marker: { symbol, size: 9, color: colour, line: { width: 1, color: tr.css("--paper") } }
      };
    }
    const gained = counts.trades.filter((t) => t.profit > 0).length;
    const title =
      counts.signals === 0
        ? `${tr.name(variant)} never signals`
        : `${tr.name(variant)} signals ${counts.signals === 1 ? "once" : `${counts.signals} times`}; ${tr.percent(gained / counts.trades.length)} of the trades gained`;
    return {
      title,
      alternative: `${title}.`,
      note: `Long above +${tr.plain(view.settings.threshold)}, short below −${tr.plain(view.settings.threshold)}.`,
      data: [
        {
          type: "scatter",
          mode: "lines",
          name: "price",
          x: days,
          y: Array.from(task.prices),
          line: { color: tr.tone("price"), width: 1 },
          hoverinfo: "x+y"
        },
        marks("long, gained", (t) => t.side > 0 && t.profit > 0, "triangle-up", tr.tone("good")),
        marks("long, lost", (t) => t.side > 0 && !(t.profit > 0), "triangle-up-open", tr.tone("bad")),
        marks("short, gained", (t) => t.side < 0 && t.profit > 0, "triangle-down", tr.tone("good")),
        marks("short, lost", (t) => t.side < 0 && !(t.profit > 0), "triangle-down-open", tr.tone("bad"))
      ],
      layout: tr.layout({
        showlegend: true,
        legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } },
        margin: { l: 56, r: 16, t: 40, b: 40 },
        xaxis: { title: tr.axisTitle("date") },
        yaxis: { title: tr.axisTitle("price") }
      })
    };
  };

  tr.equityFigure = (view) => {
    const task = view.task;
    if (!view.traded || !task.dates) return null;
    const days = times(task);
    const last = days.length - 1;
    const shown = tr.shownVariants(view);
    let bestOne = null;
    const data = shown.map((s, i) => {
      const counts = tr.tradesOf(s.variant),
        end = 1 + counts.growth;
      if (bestOne === null || end > bestOne.end) bestOne = { end, variant: s.variant };
      const x = [days[0]],
        y = [1];
      counts.onePosition.forEach((p) => {
        x.push(days[Math.min(p[0], last)]);
        y.push(p[1]);
      });
      x.push(days[last]);
      y.push(end);
      return {
        type: "scatter",
        mode: "lines",
        name: `${s.role}: ${tr.label(tr.short(tr.name(s.variant)))}`,
        x,
        y,
        variant: s.variant,
        line: {
          color: tr.family(s.variant).colour,
          width: 2,
          shape: "hv",
          dash: ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"][i % 6]
        }
      };
    });
    if (!bestOne) return null;
    if (task.prices)
      data.push({
        type: "scatter",
        mode: "lines",
        name: "buy and hold",
        x: days,
        y: Array.from(task.prices, (price) => price / task.prices[0]),
        line: { color: tr.tone("guide"), width: 1.2 }
      });
    // A log scale where values differ by more than a factor of 4, as in the figure for papers.
    const values = data.flatMap((d) => d.y),
      log = tr.low(values) > 0 && tr.high(values) / tr.low(values) > 4;
    return {
      title: `One account: ${
        bestOne.end === 1
          ? "none of these earned anything"
          : `${tr.name(bestOne.variant)} ends at ${tr.number(bestOne.end)} times its start`
      }`,
      note: `One position at a time, held for ${task.trading.horizon}${task.trading.horizon === 1 ? " day" : " days"}, the whole account staked, ${task.trading.cost ? `${tr.percent(task.trading.cost)} cost a side` : "no costs"}.`,
      data,
      layout: tr.layout({
        showlegend: true,
        legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } },
        margin: { l: 56, r: 16, t: 48, b: 40 },
        xaxis: { title: tr.axisTitle("date") },
        yaxis: log
          ? { title: tr.axisTitle("equity (start = 1), log scale"), type: "log", tickvals: decades(values) }
          : { title: tr.axisTitle("equity (start = 1)") }
      })
    };
  };

  tr.tradingTable = (view) => {
    if (!view.traded) return null;
    const head = [
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
    const rows = tr.shownVariants(view).map((s) => {
      const c = tr.tradesOf(s.variant),
        n = (x) => tr.h("td", { class: "n", title: String(x) }, typeof x === "number" && x % 1 ? tr.percent(x) : x);
      return tr.h(
        "tr",
        {},
        tr.h("th", { scope: "row" }, tr.variantName(s.variant)),
        tr.h("td", {}, s.role),
        n(c.signals),
        n(c.long),
        n(c.short),
        n(c.hits),
        n(c.wrong),
        n(c.missed),
        n(c.signals ? c.profit / c.signals : "–"),
        n(c.profit),
        n(c.growth)
      );
    });
    return tr.h(
      "div",
      { class: "wide" },
      tr.h(
        "table",
        {},
        tr.h(
          "thead",
          {},
          tr.h(
            "tr",
            {},
            head.map((t, i) => tr.h("th", { scope: "col", class: i > 1 ? "n" : null }, t))
          )
        ),
        tr.h("tbody", {}, rows)
      )
    );
  };
})(tailrank);
