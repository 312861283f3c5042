// What the page shows, kept in the URL hash so that a view can be bookmarked and sent: #task=3&pin=12,40&pair=0,5&tE=0.6
((tr) => {
  const SETTINGS = ["tE", "tL", "beta", "low", "high", "p", "threshold"];

  tr.state = { task: null, pins: [], pair: null, settings: {}, focus: null };

  tr.readHash = (run) => {
    const state = { task: null, pins: [], pair: null, settings: {}, focus: null };
    location.hash
      .replace(/^#/, "")
      .split("&")
      .forEach((item) => {
        const cut = item.indexOf("="),
          key = item.slice(0, cut),
          value = item.slice(cut + 1);
        const numbers = value.split(",").map(Number);
        const whole = (below) => numbers.filter((n, i) => n % 1 === 0 && n >= 0 && n < below && numbers.indexOf(n) === i);
        if (key === "task" && numbers[0] % 1 === 0 && numbers[0] >= 1 && numbers[0] <= run.tasks.length) state.task = numbers[0];
        if (key === "pin") state.pins = whole(run.variants.length);
        if (key === "pair" && whole(run.measures.length).length === 2) state.pair = numbers;
        if (SETTINGS.indexOf(key) >= 0 && value !== "" && isFinite(numbers[0])) state.settings[key] = numbers[0];
      });
    return state;
  };

  tr.writeHash = () => {
    const s = tr.state,
      parts = [];
    if (s.task !== null) parts.push(`task=${s.task}`);
    if (s.pins.length) parts.push(`pin=${s.pins.join(",")}`);
    if (s.pair) parts.push(`pair=${s.pair.join(",")}`);
    SETTINGS.forEach((key) => {
      if (key in s.settings) parts.push(`${key}=${s.settings[key]}`);
    });
    const hash = `#${parts.join("&")}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  };

  // Most pins a figure stays readable with; the oldest goes.
  const MOST_PINS = 6;
  tr.togglePin = (variant) => {
    const pins = tr.state.pins,
      at = pins.indexOf(variant);
    if (at >= 0) pins.splice(at, 1);
    else pins.push(variant);
    if (pins.length > MOST_PINS) pins.shift();
    tr.state.focus = at >= 0 ? null : variant;
    tr.announce(tr.run.variants[variant].label + (at >= 0 ? " is no longer pinned" : " is pinned"));
    tr.writeHash();
    tr.refresh("pins");
  };
})(tailrank);
