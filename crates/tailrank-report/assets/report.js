var tailrank = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // main.js
  var main_exports = {};
  __export(main_exports, {
    figures: () => figures,
    onePage: () => onePage,
    packed: () => packed,
    page: () => page,
    ready: () => ready,
    refresh: () => refresh,
    run: () => run,
    settingsOf: () => settingsOf,
    settled: () => settled,
    start: () => start,
    state: () => state,
    taskPacked: () => taskPacked
  });

  // dom.js
  var h = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === void 0 || value === false)
        continue;
      if (name.startsWith("on"))
        node.addEventListener(name.slice(2), value);
      else
        node.setAttribute(name, value === true ? "" : value);
    }
    append(node, children);
    return node;
  };
  var append = (node, child) => {
    if (child === null || child === void 0 || child === false)
      return;
    if (Array.isArray(child))
      for (const each of child)
        append(node, each);
    else
      node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  };
  var replace = (node, ...children) => {
    node.textContent = "";
    append(node, children);
  };
  var byId = (id) => document.getElementById(id);
  var announce = (text2) => {
    const node = byId("announce");
    if (node.textContent !== text2)
      node.textContent = text2;
  };

  // state.js
  var run = JSON.parse(byId("run").textContent);
  var state = { task: null, pins: [], pair: null, settings: {}, focus: null };
  var SETTINGS = ["tE", "tL", "beta", "low", "high", "p", "threshold"];
  var readHash = () => {
    Object.assign(state, { task: null, pins: [], pair: null, settings: {}, focus: null });
    for (const item of location.hash.replace(/^#/, "").split("&")) {
      const cut = item.indexOf("="), key = item.slice(0, cut), value = item.slice(cut + 1), numbers = value.split(",").map(Number);
      const whole = (below) => numbers.filter((n, i) => n % 1 === 0 && n >= 0 && n < below && numbers.indexOf(n) === i);
      if (key === "task" && numbers[0] % 1 === 0 && numbers[0] >= 1 && numbers[0] <= run.tasks.length)
        state.task = numbers[0];
      if (key === "pin")
        state.pins = whole(run.variants.length);
      if (key === "pair" && whole(run.measures.length).length === 2)
        state.pair = numbers;
      const setting = SETTINGS.find((name) => name === key);
      if (setting && value !== "" && Number.isFinite(numbers[0]))
        state.settings[setting] = numbers[0];
    }
  };
  var writeHash = () => {
    const parts = [];
    if (state.task !== null)
      parts.push(`task=${state.task}`);
    if (state.pins.length)
      parts.push(`pin=${state.pins.join(",")}`);
    if (state.pair)
      parts.push(`pair=${state.pair.join(",")}`);
    for (const key of SETTINGS)
      if (key in state.settings)
        parts.push(`${key}=${state.settings[key]}`);
    const hash = `#${parts.join("&")}`;
    if (hash !== location.hash)
      history.replaceState(null, "", hash);
  };
  var show = () => {
  };
  var asked = null;
  var whenChanged = (listener) => {
    show = listener;
  };
  var refresh = (what) => {
    if (asked === null)
      requestAnimationFrame(() => {
        const changed = asked;
        asked = null;
        if (state.task !== null)
          show(changed);
      });
    asked = asked === null || asked === what ? what : "all";
  };
  var MOST_PINS = 6;
  var togglePin = (variant) => {
    const at = state.pins.indexOf(variant);
    if (at >= 0)
      state.pins.splice(at, 1);
    else
      state.pins.push(variant);
    if (state.pins.length > MOST_PINS)
      state.pins.shift();
    state.focus = at >= 0 ? null : variant;
    announce(run.variants[variant].label + (at >= 0 ? " is no longer pinned" : " is pinned"));
    writeHash();
    refresh("pins");
  };

  // words.js
  var escaped = (text2) => text2.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  var shortened = (text2) => text2.length > 24 ? `${text2.slice(0, 23)}…` : text2;
  var digits = (value) => {
    if (value === 0)
      return "0";
    const size = Math.abs(value);
    if (size >= 1e5 || size < 1e-4)
      return value.toExponential(2).replace("e+", "e").replace("-", "−").replace("e-", "e−");
    return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size)))).replace("-", "−");
  };
  var asGiven = (value) => String(value).replace("-", "−");
  var defined = (score) => typeof score === "number";
  var scoreText = (score) => defined(score) ? digits(score) : "–";
  var rankText = (rank) => rank === null ? "" : rank % 1 === 0 ? String(rank) : rank.toFixed(1);
  var percent = (share) => {
    const value = 100 * share;
    return `${(Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(1)).replace("-", "−")} %`;
  };
  var counted = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
  var dayOf = (days) => new Date(days * 864e5).toISOString().slice(0, 10);

  // card.js
  var costSliders = () => {
    document.querySelectorAll(".cost").forEach((card, i) => {
      const steps2 = Array.from(card.querySelectorAll("li"), (node) => ({ from: Number(node.dataset.from), node })), output = card.querySelector("output");
      const low = Math.log(0.1), high = Math.log(10 * Math.max(1, ...steps2.map((s) => s.from)));
      const label = "What a missed event costs, in false alarms";
      const range = h("input", { type: "range", min: 0, max: 1e3, step: 1, id: `cost-${i}`, "aria-label": label });
      const show2 = () => {
        const cost = Math.exp(low + (high - low) * Number(range.value) / 1e3), chosen = steps2.findLast((s) => s.from <= cost) ?? steps2[0];
        for (const { node } of steps2)
          node.classList.toggle("chosen", node === chosen.node);
        output.textContent = digits(cost);
        range.setAttribute("aria-valuetext", `${digits(cost)} false alarms: ${chosen.node.textContent}`);
      };
      range.addEventListener("input", show2);
      const first = steps2.length > 1 ? Math.max(0.1, steps2[1].from * 1.05) : 1;
      range.value = String(Math.round(1e3 * (Math.log(first) - low) / (high - low)));
      card.querySelector("p")?.after(range);
      card.classList.add("live");
      show2();
    });
  };
  var inlineFigure = (text2) => {
    const parsed = new DOMParser().parseFromString(text2, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg")
      return null;
    const svg = document.importNode(parsed, true), labels = run.variants.map((v) => v.label);
    svg.setAttribute("class", "inline");
    for (const mark of svg.querySelectorAll("[data-name]")) {
      const variant = labels.indexOf(mark.getAttribute("data-name") ?? "");
      if (variant < 0)
        continue;
      mark.setAttribute("class", "mark");
      mark.addEventListener("click", () => togglePin(variant));
    }
    return svg;
  };

  // files.js
  var packedNode = (name) => document.querySelector(`script[data-file="${CSS.escape(name)}"]`);
  var unzip = (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  var unpack = async (text2) => unzip(Uint8Array.from(atob(text2), (letter) => letter.charCodeAt(0)));
  var unpackNode = (node) => unpack(node.textContent);
  var fromLetters = (text2, length) => {
    const bytes = new Uint8Array(length);
    let bits = 0, held = 0, at = 0;
    for (let i = 0; i < text2.length; i++) {
      bits = (bits << 15 | text2.charCodeAt(i) - 16384) & 8388607;
      held += 15;
      while (held >= 8 && at < length) {
        held -= 8;
        bytes[at++] = bits >> held;
      }
    }
    return bytes;
  };
  var loadScript = async (name) => {
    const node = packedNode(name), script = h("script", node ? {} : { src: name });
    if (node) {
      const bytes = await unpackNode(node);
      const wide = new Uint8Array(bytes)[0] === 255;
      script.textContent = new TextDecoder(wide ? "utf-16le" : "utf-8").decode(bytes);
      document.head.appendChild(script);
      return;
    }
    await new Promise((done, failed) => {
      script.onload = done;
      script.onerror = failed;
      document.head.appendChild(script);
    });
  };
  var TYPES = {
    svg: "image/svg+xml",
    csv: "text/csv",
    json: "application/json",
    md: "text/markdown",
    tex: "text/plain",
    toml: "text/plain"
  };
  var addressOf = async (name, node) => {
    const type = TYPES[name.split(".").pop() ?? ""] ?? "application/octet-stream";
    return URL.createObjectURL(new Blob([await unpackNode(node)], { type }));
  };
  var unpackFiles = () => {
    const images = document.querySelectorAll("img[data-src]");
    const show2 = async (image) => {
      const name = image.dataset.src, node = name && packedNode(name);
      delete image.dataset.src;
      if (node)
        image.src = await addressOf(name, node);
    };
    const watcher2 = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting)
          continue;
        watcher2.unobserve(target);
        show2(target);
      }
    }, { rootMargin: "600px" });
    for (const image of images)
      watcher2.observe(image);
    window.addEventListener("beforeprint", () => {
      for (const image of images)
        show2(image);
    });
    document.addEventListener("click", async (event) => {
      const link = event.target instanceof Element && event.target.closest("a[href]"), name = link ? link.getAttribute("href") : null, node = name && packedNode(name);
      if (!node)
        return;
      event.preventDefault();
      h("a", { href: await addressOf(name, node), download: name.split("/").pop() }).click();
    });
    if (packedNode("plotly.js"))
      for (const link of document.querySelectorAll('a[href$=".parquet"]'))
        link.remove();
  };

  // charts.js
  var styles = /* @__PURE__ */ new Map();
  var css = (name) => {
    const value = styles.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    styles.set(name, value);
    return value;
  };
  var library = null;
  var arrived = () => {
  };
  var packed = (length, letters) => arrived(unzip(fromLetters(letters, length)));
  var withPlotly = (then) => {
    library ??= new Promise((resolve, reject) => {
      arrived = resolve;
      loadScript("plotly.js").catch(reject);
    }).then((code2) => {
      const module = { exports: {} };
      new Function("module", new TextDecoder().decode(code2))(module);
      Reflect.deleteProperty(window, "Plotly");
      return module.exports;
    });
    library.then(then, () => document.body.classList.add("no-plotly"));
  };
  var families = () => run.families.map(({ name, marker, colour }) => ({ name, marker, colour: colour === "#000000" ? css("--ink") : colour }));
  var tone = (name) => name === "good" ? css("--hit") : run.palette[name];
  var scaleOf = (name) => {
    const colours = run.palette[name];
    return colours.map((colour, i) => [i / (colours.length - 1), colour]);
  };
  var familyOf = (variant) => families()[run.variants[variant].family];
  var nameOf = (variant) => run.variants[variant].label;
  var leading = (m) => (run.measures[m].better === "lower" ? "lowest " : "highest ") + run.measures[m].symbol;
  var hoverText = (variant, view) => {
    const { label, params } = run.variants[variant], row = view.scores[variant] ?? [], at = view.comparison.variants.indexOf(variant);
    const line = (m, ranks) => {
      const rank = at < 0 ? "not ranked" : `rank ${rankText(ranks[at])} of ${ranks.length}`;
      const score = row[m];
      return `${escaped(run.measures[m].symbol)} ${defined(score) ? digits(score) : `– (${escaped(score)})`}, ${rank}`;
    };
    const { ranksA, ranksB } = view.comparison;
    return `<b>${escaped(label)}</b><br>${escaped(params)}<br>${line(view.a, ranksA)}<br>${line(view.b, ranksB)}`;
  };
  var layoutOf = (more) => {
    const axis = {
      gridcolor: css("--rule"),
      linecolor: css("--soft"),
      zerolinecolor: css("--soft"),
      zerolinewidth: 1,
      tickfont: { size: 11 },
      title: { font: { size: 12 } },
      automargin: true,
      ticks: "outside",
      ticklen: 3,
      tickcolor: css("--soft")
    };
    const given = Object.entries({ xaxis: {}, yaxis: {}, ...more });
    return {
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: css("--font"), color: css("--ink"), size: 12 },
      margin: { l: 56, r: 16, t: 12, b: 44 },
      hoverlabel: { align: "left", font: { family: css("--font"), size: 12 } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: css("--soft"), activecolor: css("--ink") },
      showlegend: false,
      dragmode: "zoom",
      height: 340,
      ...Object.fromEntries(given.map(([key, value]) => [key, /axis\d*$/.test(key) ? { ...axis, ...value } : value]))
    };
  };
  var LEGEND = { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } };
  var DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
  var unitAxis = (task, more) => task.percent ? { tickformat: ",.1~%", ...more } : more;
  var bound = (task, value) => task.percent ? `${Number((100 * value).toPrecision(3))}%` : String(Number(value.toPrecision(3)));
  var amount = (task, value) => task.percent ? `${digits(100 * value)} %` : digits(value);
  var axisTitle = (text2) => ({ text: escaped(text2), font: { size: 12 }, standoff: 8 });
  var CONFIG = {
    responsive: true,
    displaylogo: false,
    displayModeBar: matchMedia("(any-hover: hover)").matches ? "hover" : false,
    modeBarButtonsToRemove: [
      "select2d",
      "lasso2d",
      "autoScale2d",
      "hoverClosestCartesian",
      "hoverCompareCartesian",
      "toggleSpikelines"
    ]
  };
  var watched = /* @__PURE__ */ new WeakMap();
  var watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries)
      watched.get(target)?.(isIntersecting);
  }, { rootMargin: "300px" });
  var watch = (node, tell2) => {
    watched.set(node, tell2);
    watcher.observe(node);
  };
  var figures = [];
  var PAUSE = 150;
  var painting = false;
  var paintNext = () => {
    const [next] = figures.filter((figure) => figure.isDue()).sort((a, b) => a.painted - b.painted);
    if (next && performance.now() - next.painted >= PAUSE)
      next.paint();
    painting = next !== void 0;
    if (painting)
      requestAnimationFrame(paintNext);
  };
  var Figure = class {
    #listens = false;
    constructor(id, draw) {
      this.draw = draw;
      this.seen = false;
      this.stale = true;
      this.painted = -PAUSE;
      this.title = h("h3", { id: `${id}-title` }, "…");
      this.plot = h("div", { id, class: "plot", role: "img", "aria-label": "drawn when it comes into view" });
      this.note = h("p", { class: "note" });
      this.node = h("figure", { "aria-labelledby": `${id}-title` }, this.title, this.plot, this.note);
      figures.push(this);
      watch(this.node, (seen) => {
        this.seen = seen;
        this.#ask();
      });
    }
    update() {
      this.stale = true;
      this.#ask();
    }
    #ask() {
      if (painting || !this.isDue())
        return;
      painting = true;
      requestAnimationFrame(paintNext);
    }
    isDue() {
      return this.stale && (this.seen || this.node.hidden);
    }
    paint() {
      this.stale = false;
      this.painted = performance.now();
      const drawn = this.draw();
      this.node.hidden = !drawn;
      if (!drawn)
        return;
      replace(this.title, drawn.title);
      replace(this.note, drawn.note);
      this.note.hidden = !drawn.note;
      this.plot.setAttribute("aria-label", drawn.alternative ?? drawn.title);
      withPlotly(async (Plotly) => {
        await Plotly.react(this.plot, drawn.data, drawn.layout, CONFIG);
        if (this.#listens)
          return;
        this.#listens = true;
        this.plot.on("plotly_click", ({ points: [point] }) => {
          const variant = point?.data.variants?.[point.pointNumber] ?? point?.data.variant;
          if (variant !== void 0)
            togglePin(variant);
        });
      });
    }
  };
  window.addEventListener("beforeprint", () => {
    for (const figure of figures)
      if (figure.stale)
        figure.paint();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    styles.clear();
    for (const figure of figures)
      figure.update();
  });

  // overview.js
  var copyButtons = () => {
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => {
        const source = byId(button.getAttribute("data-copy") ?? "");
        const done = () => {
          button.textContent = "Copied";
        };
        const select = () => {
          getSelection()?.selectAllChildren(source);
          if (document.execCommand("copy"))
            done();
        };
        if (navigator.clipboard && window.isSecureContext)
          navigator.clipboard.writeText(source.textContent ?? "").then(done, select);
        else
          select();
      });
    }
  };
  var taskPages = () => run.pages ?? run.tasks.map((_, i) => i + 1);
  var taskNav = () => {
    const select = h("select", { "aria-label": "Open a task", id: "open-task" }, h("option", { value: "" }, "overview"), taskPages().map((number) => h("option", { value: number }, run.tasks[number - 1])));
    select.addEventListener("change", () => {
      location.hash = select.value === "" ? "" : `#task=${select.value}`;
    });
    replace(byId("task-nav"), select);
    return select;
  };
  var sectionList = (root) => {
    const heads = root.querySelectorAll("section[aria-labelledby]:not([hidden]) > h2:not(.badge)");
    if (heads.length < 3)
      return null;
    const goTo = (head) => {
      head.tabIndex = -1;
      head.scrollIntoView();
      head.focus({ preventScroll: true });
    };
    const buttons = Array.from(heads, (head) => h("button", { type: "button", onclick: () => goTo(head) }, head.textContent));
    return h("p", { class: "sections", role: "group", "aria-label": "Sections" }, buttons);
  };
  var sortKey = (row, column) => {
    const cell = row.cells[column], exact = cell.querySelector("[title]")?.getAttribute("title"), text2 = (cell.textContent ?? "").trim(), number = Number(exact || text2);
    return text2 === "–" || text2 === "" ? null : Number.isFinite(number) ? number : text2;
  };
  var makeSortable = (table) => {
    const body = table.tBodies[0], heads = Array.from(table.tHead?.rows[0].cells ?? []);
    if (!body || body.rows.length < 3)
      return;
    heads.forEach((head, column) => {
      const button = h("button", { type: "button", class: "sort" }, head.textContent);
      replace(head, button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads)
          other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = Array.from(body.rows, (row) => ({ row, key: sortKey(row, column) }));
        rows.sort(({ key: a }, { key: b }) => {
          if (a === null || b === null)
            return Number(a === null) - Number(b === null);
          const numbers = typeof a === "number" && typeof b === "number";
          const order = numbers ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
          return down ? -order : order;
        });
        body.append(...rows.map(({ row }) => row));
      });
    });
  };
  var loadPictures = () => {
    const images = document.querySelectorAll("img[loading=lazy]");
    for (const image of images)
      image.loading = "eager";
  };
  var HEIGHT = 1035;
  var fitSheet = () => {
    const root = document.documentElement, main = byId("main");
    root.classList.add("one-page");
    let fit = 1;
    for (let tries = 0; tries < 12; tries++) {
      root.style.setProperty("--fit", String(fit));
      const height = main.getBoundingClientRect().height;
      if (height <= HEIGHT)
        return;
      fit *= Math.min(0.98, Math.sqrt(HEIGHT / height));
    }
  };
  var onePage = (on) => {
    loadPictures();
    if (on)
      fitSheet();
    else
      document.documentElement.classList.remove("one-page");
  };
  var printOnePage = () => {
    onePage(true);
    setTimeout(() => {
      window.print();
      onePage(false);
    }, 300);
  };
  var overviewTools = () => {
    const overview = byId("overview"), head = overview.querySelector("header.run");
    if (!head)
      return;
    const tools = sectionList(byId("main")) ?? h("p", { class: "sections" });
    if (document.getElementById("decision"))
      tools.appendChild(h("button", { type: "button", id: "one-page", onclick: printOnePage }, "Print one page"));
    (overview.querySelector("section.decision") ?? head).after(tools);
    const tables = overview.querySelectorAll("table.choices, table.verdicts, table.luck");
    for (const table of tables)
      makeSortable(table);
  };
  var closed = [];
  window.addEventListener("beforeprint", () => {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    for (const details of closed)
      details.open = true;
    loadPictures();
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed)
      details.open = false;
  });

  // scoring.js
  var code = null;
  var startScoring = async (compiled) => {
    const made = await WebAssembly.instantiate(await unpack(compiled), {});
    code = made.instance.exports;
  };
  var give = (numbers) => {
    const at = code.input(numbers.length);
    new Float64Array(code.memory.buffer, at, numbers.length).set(numbers);
  };
  var text = (numbers) => new TextDecoder().decode(Uint8Array.from(numbers));
  var answer = (length) => {
    const numbers = new Float64Array(code.memory.buffer, code.output(), Math.abs(length)).slice();
    if (length < 0)
      throw new Error(text(numbers));
    return numbers;
  };
  var orNone = (value) => value ?? NaN;
  var orNull = (value) => Number.isNaN(value) ? null : value;
  var reasons = [];
  var reason = (number) => {
    reasons[number] ??= text(answer(code.reason(number)));
    return reasons[number];
  };
  var SHAPES = ["indicator", "linear", "smooth"];
  var KINDS = ["sigmoid", "pchip", "table", "indicator"];
  var numbersOf = (phi) => {
    if (phi.kind === "sigmoid")
      return [orNone(phi.low), orNone(phi.high), phi.k, phi.delta];
    if (phi.kind === "indicator")
      return phi.ranges.flatMap(([from, to]) => [from ?? -Infinity, to ?? Infinity]);
    return phi.points.flat();
  };
  var Evaluator = class {
    #known = /* @__PURE__ */ new Map();
    constructor(task) {
      this.task = task;
      code.task();
      const { alpha, utility, costs } = run, { over, under, linex_shape, linex_scale } = costs, { horizon, cost } = task.trading ?? { horizon: 0, cost: 0 };
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
    evaluate(settings, all = false) {
      const { base, scores } = this.task;
      const asks = (measure) => all || measure.depends.some((s) => settings[s] !== base[s]);
      const asked2 = run.measures.map((_, m) => m).filter((m) => asks(run.measures[m]));
      const { tE, tL, beta, p, low, high, threshold } = settings;
      give([tE, orNone(tL), beta, p, orNone(low), orNone(high), orNone(threshold), ...asked2]);
      const numbers = answer(code.evaluate());
      this.#known.clear();
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
        for (const m of asked2) {
          row[m] = numbers[at + 1] === 0 ? numbers[at] : reason(numbers[at + 1]);
          at += 2;
        }
        found.scores.push(row);
      }
      return found;
    }
    #once(name, compute) {
      const values = this.#known.get(name) ?? compute();
      this.#known.set(name, values);
      return values;
    }
    phiTruth() {
      return this.#once("truth", () => answer(code.phi_of_truth()));
    }
    phiPredicted(variant) {
      return this.#once(`${variant}`, () => answer(code.phi_of_predicted(variant)));
    }
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
    selfCheck() {
      const again = this.evaluate(this.task.base, true).scores;
      const differ = again.map((row, v) => row ? row.filter((score, m) => score !== this.task.scores[v]?.[m]).length : 0);
      return differ.reduce((sum, n) => sum + n, 0);
    }
  };
  var phiCurve = (values) => {
    give(values);
    return Array.from(answer(code.curve()));
  };
  var eventRanges = (from, to) => {
    const ends = answer(code.event_ranges(from, to)), ranges = [];
    for (let i = 0; i < ends.length; i += 2)
      ranges.push([ends[i], ends[i + 1]]);
    return ranges;
  };
  var utilitySurface = (grid) => {
    give(grid);
    const heights2 = answer(code.utility_surface());
    return grid.map((_, i) => Array.from(heights2.subarray(i * grid.length, (i + 1) * grid.length)));
  };
  var tradesOf = (variant) => {
    const numbers = answer(code.trades(variant)), [long, short, hits, wrong, missed, profit, growth, count] = numbers;
    const end = 8 + 4 * count, trades = [], onePosition = [];
    for (let i = 8; i < end; i += 4) {
      const [row, side, gain, hit] = numbers.subarray(i, i + 4);
      trades.push({ row, side, profit: gain, hit: hit === 1 });
    }
    for (let i = end; i < numbers.length; i += 2)
      onePosition.push([numbers[i], numbers[i + 1]]);
    return { signals: long + short, long, short, hits, wrong, missed, profit, growth, trades, onePosition };
  };
  var rankScores = (scores, better) => {
    if (!scores.length)
      return [];
    give(scores.map((s) => defined(s) ? s : NaN));
    return Array.from(answer(code.ranks(better === "lower" ? 1 : 0)));
  };
  var agreement = (a, b, k) => {
    give(a.concat(b));
    const [rho, tau, shared] = answer(code.agreement(k));
    return { rho: orNull(rho), tau: orNull(tau), shared: orNull(shared) };
  };

  // numbers.js
  var lowest = (values) => {
    let least = Infinity;
    for (const value of values)
      if (value < least)
        least = value;
    return least;
  };
  var highest = (values) => {
    let most = -Infinity;
    for (const value of values)
      if (value > most)
        most = value;
    return most;
  };
  var quantile = (values, q) => {
    const sorted = Float64Array.from(values).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  };
  var evenly = (lo, hi, steps2) => Array.from({ length: steps2 + 1 }, (_, i) => lo + (hi - lo) * i / steps2);

  // error_figures.js
  var MOST_POINTS = 400;
  var shownVariants = (view) => {
    const shown = [];
    const add = (variant, role) => {
      if (variant === null)
        return;
      const predicted = view.task.predictions[variant], losses = view.evaluator.losses[variant], known = shown.find((s) => s.variant === variant);
      if (!view.scores[variant] || !predicted || !losses)
        return;
      if (!known)
        shown.push({ variant, role, predicted, losses });
      else if (role !== "pinned")
        known.role += ` and ${role}`;
    };
    add(view.comparison.bestA, leading(view.a));
    add(view.comparison.bestB, leading(view.b));
    for (const variant of state.pins)
      add(variant, "pinned");
    return shown;
  };
  var steps = (values, total) => {
    const sorted = Float64Array.from(values).sort(), n = sorted.length, x = [], y = [];
    const every = Math.max(1, Math.floor(n / MOST_POINTS));
    for (let i = 0; i < n; i += every) {
      x.push(sorted[i]);
      y.push((i + 1) / total);
    }
    if (n && x.at(-1) !== sorted[n - 1]) {
      x.push(sorted[n - 1]);
      y.push(n / total);
    }
    return { x, y };
  };
  var curve = ({ variant, role }, i, points) => ({
    type: "scatter",
    mode: "lines",
    name: `${escaped(shortened(nameOf(variant)))} (${role})`,
    ...points,
    variant,
    line: { color: familyOf(variant).colour, dash: DASHES[i % DASHES.length], width: 2, shape: "hv" },
    meta: escaped(nameOf(variant)),
    hovertemplate: "%{meta}<br>%{x:.4~g}: %{y:.3f}<extra></extra>"
  });
  var recFigure = (view, pick, { where, axis, note }) => {
    const { task } = view, shown = shownVariants(view);
    if (!shown.length)
      return null;
    const losses = shown.map((s) => pick(s.losses));
    if (!losses[0].length)
      return null;
    const limit = Math.max(...losses.map((l) => quantile(l, 0.99))) || 1, areas = losses.map((l) => amount(task, l.reduce((sum, x) => sum + x, 0) / l.length)), title = `Area over the curve of the ${where}: ${shown.map((s, i) => `${nameOf(s.variant)} ${areas[i]}`).join(", ")}`;
    return {
      title,
      alternative: `${title}.`,
      note: `REC curves: the share of cases within each error. The area over a curve is its mean error.${note}`,
      data: shown.map((s, i) => {
        const line = curve(s, i, steps(losses[i], task.truth.length));
        return { ...line, name: `${line.name}, area ${areas[i]}` };
      }),
      layout: layoutOf({
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 48, b: 44 },
        xaxis: unitAxis(task, { title: axisTitle("absolute error"), range: [0, limit] }),
        yaxis: { title: axisTitle(axis), rangemode: "tozero", tickformat: ",.0%" }
      })
    };
  };
  var recCurves = (view) => recFigure(view, (l) => l, { where: "cases", axis: "cases within the error", note: "" });
  var partialRec = (view) => {
    const phi = view.evaluator.phiTruth(), note = ` Of the ${view.events} cases with φ(y) ≥ t_E (REC05 eq. 3).`;
    return recFigure(view, (l) => l.filter((_, i) => phi[i] >= view.settings.tE), { where: "events", axis: "all cases", note });
  };
  var partialYCdf = (view) => {
    const shown = shownVariants(view), { tL } = view.settings, { truth } = view.task;
    if (!shown.length || tL === null)
      return null;
    const small = shown.map((s) => truth.filter((_, j) => s.losses[j] <= tL)), shares = small.map((values) => values.length / truth.length), most = shares.indexOf(Math.max(...shares));
    return {
      title: `${nameOf(shown[most].variant)} has most errors within t_L: ${percent(shares[most])} of cases`,
      note: `Partial Y-CDF: share of cases with an error of at most t_L = ${asGiven(tL)} and a true value up to y (REC05 eq. 2). Steep where small errors are.`,
      data: shown.map((s, i) => curve(s, i, steps(small[i], truth.length))),
      layout: layoutOf({
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 48, b: 44 },
        xaxis: unitAxis(view.task, { title: axisTitle(view.task.target) }),
        yaxis: {
          title: axisTitle(`cases with error ≤ ${bound(view.task, tL)} and a target up to y`),
          rangemode: "tozero",
          tickformat: ",.0%"
        }
      })
    };
  };
  var predictedFigure = ({ task, focus: variant, settings, evaluator }) => {
    if (variant === null)
      return null;
    const z = task.predictions[variant], loss = evaluator.losses[variant], y = task.truth, { tE, tL } = settings;
    if (!z || !loss)
      return null;
    const phiY = evaluator.phiTruth(), phiZ = evaluator.phiPredicted(variant), valleys = evaluator.valleys();
    const groups = { quiet: [], missed: [], false: [], far: [], hit: [] };
    let otherSide = 0;
    for (let i = 0; i < y.length; i++) {
      const event = phiY[i] >= tE, signal = phiZ[i] >= tE, met = event && signal && y[i] > valleys[i] === z[i] > valleys[i];
      if (event && signal && !met)
        otherSide++;
      groups[met ? tL === null || loss[i] <= tL ? "hit" : "far" : signal ? "false" : event ? "missed" : "quiet"].push(i);
    }
    const most = 1500, every = Math.ceil(groups.quiet.length / most);
    const quiet = groups.quiet.filter((_, k) => k % every === 0);
    const trace = (name, places, symbol, colour, size, opacity) => ({
      type: "scatter",
      mode: "markers",
      name,
      x: places.map((i) => y[i]),
      y: places.map((i) => z[i]),
      hoverinfo: "text",
      hovertext: places.map((i) => {
        const day = task.dates ? `${dayOf(task.dates[i])}<br>` : "";
        return `${day}true ${amount(task, y[i])}<br>predicted ${amount(task, z[i])}`;
      }),
      marker: { symbol, color: colour, size, opacity, line: { width: 1, color: colour } }
    });
    const [least, greatest] = [Math.min(lowest(y), lowest(z)), Math.max(highest(y), highest(z))], pad = (greatest - least) * 0.03, [lo, hi] = [least - pad, greatest + pad];
    const band = { type: "rect", layer: "below", line: { width: 0 }, fillcolor: css("--band") };
    const bands = eventRanges(lo, hi).flatMap(([from, to]) => [
      { ...band, x0: from, x1: to, y0: lo, y1: hi },
      { ...band, x0: lo, x1: hi, y0: from, y1: to }
    ]);
    const diagonal = { type: "line", x0: lo, y0: lo, x1: hi, y1: hi, line: { color: css("--soft"), width: 1 }, layer: "below" };
    const title = `${nameOf(variant)}: ${counted(groups.hit.length, "hit", "hits")}, ${counted(groups.false.length, "false alarm", "false alarms")}, ${counted(groups.missed.length + otherSide, "missed event", "missed events")}${groups.far.length ? `, ${counted(groups.far.length, "near miss", "near misses")}` : ""}`;
    return {
      title,
      alternative: `${title}, of ${y.length} cases.`,
      note: `Shaded: values with φ ≥ t_E. Where the bands cross, an event was signalled.${every > 1 ? ` Of ${every} quiet cases one is drawn.` : ""}`,
      data: [
        trace("no event, no signal", quiet, "circle", tone("quiet"), 3, 0.35),
        trace("missed event", groups.missed, "line-ew-open", tone("missed"), 6, 0.85),
        trace("false alarm", groups.false, "x-thin-open", tone("bad"), 7, 0.85),
        trace("near miss", groups.far, "diamond-open", tone("near"), 7, 0.9),
        trace("hit", groups.hit, "square", tone("good"), 7, 0.85)
      ],
      layout: layoutOf({
        showlegend: true,
        legend: LEGEND,
        height: 420,
        margin: { l: 56, r: 16, t: 40, b: 44 },
        shapes: [...bands, diagonal],
        xaxis: unitAxis(task, { title: axisTitle(`true ${task.target}`), range: [lo, hi] }),
        yaxis: unitAxis(task, { title: axisTitle(`predicted ${task.target}`), range: [lo, hi] })
      })
    };
  };

  // pair_figure.js
  var TOP = 5;
  var best = ({ scores, comparison: { variants } }, ranks, measure) => {
    const places = ranks.map((_, i) => i).filter((i) => defined(scores[variants[i]]?.[measure] ?? ""));
    places.sort((i, j) => ranks[i] - ranks[j] || i - j);
    return places.slice(0, TOP).map((i) => variants[i]);
  };
  var sharedText = (shared) => rankText(shared === null ? null : Math.round(shared * 10) / 10);
  var topFigure = (view) => {
    const { scores, comparison: c } = view, A = run.measures[view.a], B = run.measures[view.b];
    const topA = best(view, c.ranksA, view.a), topB = best(view, c.ranksB, view.b), pinned = state.pins.filter((v) => scores[v]);
    const shown = Array.from(/* @__PURE__ */ new Set([...topA, ...topB, ...pinned])).reverse();
    const names = shown.map((v) => (state.pins.includes(v) ? "★ " : "") + escaped(shortened(nameOf(v))));
    const rows = shown.map((_, i) => i);
    const trace = (m, axis, open) => {
      const keep = rows.filter((i) => defined(scores[shown[i]]?.[m] ?? ""));
      return {
        type: "scatter",
        mode: "markers",
        xaxis: axis,
        y: keep,
        x: keep.map((i) => scores[shown[i]]?.[m]),
        variants: keep.map((i) => shown[i]),
        hoverinfo: "text",
        hovertext: keep.map((i) => hoverText(shown[i], view)),
        marker: {
          symbol: keep.map((i) => familyOf(shown[i]).marker + (open ? "-open" : "")),
          size: 11,
          color: keep.map((i) => familyOf(shown[i]).colour),
          line: { width: open ? 2 : 0 }
        }
      };
    };
    const split = topB.filter((v) => !topA.includes(v)).length;
    const words = `${sharedText(c.shared)} of the top ${c.k} by ${A.symbol} and by ${B.symbol} are shared`;
    const arrow = (measure) => `${measure.symbol} (${measure.better} is better)`;
    return {
      title: words,
      note: `Filled: ${A.symbol} on the lower scale. Open: ${B.symbol} on the upper scale; no mark where it is undefined. Upper rows: the ${leading(view.a)}.`,
      alternative: `${words}. By ${leading(view.a)}: ${topA.map(nameOf).join(", ")}. By ${leading(view.b)}: ${topB.map(nameOf).join(", ")}.`,
      data: [trace(view.a, "x", false), trace(view.b, "x2", true)],
      layout: layoutOf({
        height: Math.max(340, 120 + 24 * shown.length),
        margin: { l: 110, r: 24, t: 52, b: 48 },
        yaxis: {
          tickvals: rows,
          ticktext: names,
          range: [-0.7, shown.length - 0.3],
          showgrid: true,
          zeroline: false,
          fixedrange: true
        },
        xaxis: { title: axisTitle(arrow(A)), zeroline: false, nticks: 6 },
        xaxis2: { title: axisTitle(arrow(B)), overlaying: "x", side: "top", showgrid: false, zeroline: false, nticks: 6 },
        shapes: split > 0 && split < shown.length ? [
          {
            type: "line",
            xref: "paper",
            x0: 0,
            x1: 1,
            y0: shown.length - topA.length - 0.5,
            y1: shown.length - topA.length - 0.5,
            line: { color: css("--soft"), width: 1, dash: "dot" }
          }
        ] : []
      })
    };
  };
  var scatterFigure = (view) => {
    const c = view.comparison, A = run.measures[view.a], B = run.measures[view.b], n = c.variants.length;
    const data = families().map((family, f) => {
      const places = c.variants.map((_, i) => i).filter((i) => run.variants[c.variants[i]].family === f);
      return {
        type: "scatter",
        mode: "markers",
        name: escaped(family.name),
        x: places.map((i) => c.ranksA[i]),
        y: places.map((i) => c.ranksB[i]),
        variants: places.map((i) => c.variants[i]),
        hoverinfo: "text",
        hovertext: places.map((i) => hoverText(c.variants[i], view)),
        marker: {
          symbol: family.marker,
          size: 9,
          color: family.colour,
          opacity: 0.85,
          line: { width: 0.5, color: css("--paper") }
        }
      };
    });
    const pinned = state.pins.filter((v) => c.variants.includes(v));
    data.push({
      type: "scatter",
      mode: "markers+text",
      showlegend: false,
      x: pinned.map((v) => c.ranksA[c.variants.indexOf(v)]),
      y: pinned.map((v) => c.ranksB[c.variants.indexOf(v)]),
      variants: pinned,
      text: pinned.map((v) => escaped(shortened(nameOf(v)))),
      textposition: pinned.map((v) => {
        const x = c.ranksA[c.variants.indexOf(v)];
        return x < 0.15 * n ? "top right" : x > 0.85 * n ? "top left" : "top center";
      }),
      hoverinfo: "text",
      hovertext: pinned.map((v) => hoverText(v, view)),
      textfont: { size: 11, color: css("--ink") },
      marker: { symbol: "circle-open", size: 17, color: css("--ink"), line: { width: 2 } }
    });
    const rho = c.rho, words = rho === null ? "The rankings cannot be compared" : rho <= -0.3 ? "The rankings are nearly opposite" : rho < 0.3 ? "The rankings have little in common" : rho < 0.7 ? "The rankings agree in part" : "The rankings agree for the most part";
    const line = (x0, y0, x1, y1, dash) => ({
      type: "line",
      x0,
      y0,
      x1,
      y1,
      layer: "below",
      line: { color: css("--soft"), width: 1, dash }
    });
    const top = c.k + 0.5;
    const title = words + (rho === null ? "" : `: ρ = ${digits(rho)}, τ = ${c.tau === null ? "–" : digits(c.tau)}`);
    return {
      title,
      note: `Dotted: the first ${c.k} places; they share ${sharedText(c.shared)}. On the diagonal both measures agree. Click a mark to pin it.`,
      alternative: `${title}, over ${n} models. The first ${c.k} places share ${sharedText(c.shared)}.`,
      data,
      layout: layoutOf({
        height: 360,
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 36, b: 48 },
        xaxis: { title: axisTitle(`rank by ${A.symbol} (1 is first)`), range: [0, n + 1], zeroline: false },
        yaxis: { title: axisTitle(`rank by ${B.symbol} (1 is first)`), range: [0, n + 1], zeroline: false },
        shapes: [line(1, 1, n, n, "solid")].concat(c.k < n ? [line(top, 0, top, n + 1, "dot"), line(0, top, n + 1, top, "dot")] : [])
      })
    };
  };

  // ranks.js
  var regretOf = (taken, best2, better) => {
    const earned = taken === "no prediction reaches the event threshold" ? 0 : taken;
    if (!defined(best2) || !defined(earned))
      return null;
    return better === "higher" ? best2 - earned : earned - best2;
  };
  var distinctOf = (scores, task) => scores.flatMap((row, v) => row && !task.references[v] && task.same_as[v] === v ? [[v, row]] : []);
  var ranksOf = (scores, m, task) => {
    const distinct = distinctOf(scores, task), ranks = rankScores(distinct.map(([, row]) => row[m]), run.measures[m].better), rankOf = new Map(distinct.map(([v], place) => [v, ranks[place]]));
    return scores.map((row, v) => row && !task.references[v] ? rankOf.get(task.same_as[v]) ?? null : null);
  };
  var compare = (scores, a, b, task) => {
    const compared = distinctOf(scores, task).filter(([, row]) => !run.exclude_undefined || defined(row[a]) && defined(row[b]));
    const ranksBy = (m) => rankScores(compared.map(([, row]) => row[m]), run.measures[m].better);
    const [ranksA, ranksB] = [ranksBy(a), ranksBy(b)];
    const best2 = (ranks, m) => {
      const places = compared.map((_, place) => place).filter((place) => defined(compared[place][1][m]));
      return places.length ? compared[places.reduce((first, place) => ranks[place] < ranks[first] ? place : first)] : null;
    };
    const [bestA, bestB] = [best2(ranksA, a), best2(ranksB, b)], k = Math.min(run.top, compared.length);
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

  // relevance_figures.js
  var relevanceFigure = ({ task, settings, events }) => {
    const { truth } = task, { tE } = settings, lo = lowest(truth), hi = highest(truth);
    if (!(lo < hi))
      return null;
    const from = Math.min(quantile(truth, 1e-3), lo + (hi - lo) * 0.3), to = Math.max(quantile(truth, 0.999), hi - (hi - lo) * 0.3);
    const xs = evenly(from, to, 400), ranges = eventRanges(from, to);
    const share = events / truth.length;
    const edges = [];
    for (const [low, high] of ranges) {
      if (low > from)
        edges.push(`y ≥ ${amount(task, low)}`);
      if (high < to)
        edges.push(`y ≤ ${amount(task, high)}`);
    }
    const band = { type: "rect", layer: "below", line: { width: 0 }, fillcolor: css("--band"), y0: 0, y1: 1, yref: "paper" }, bands = ranges.map(([x0, x1]) => ({ ...band, x0, x1 }));
    const dotted = { color: css("--soft"), width: 1, dash: "dot" }, threshold = { type: "line", x0: 0, x1: 1, xref: "paper", y0: tE, y1: tE, yref: "y2", line: dotted };
    const title = `Events are ${percent(share)} of the cases${edges.length ? `: ${edges.reverse().join(" or ")}` : ""}`;
    return {
      title,
      alternative: `${title}.`,
      note: `Bars: the true values of the test cases. Line: relevance φ(y)${task.parts.length > 1 ? " of the first fold" : ""}. Shaded: φ(y) ≥ t_E = ${asGiven(tE)}.`,
      data: [
        {
          type: "histogram",
          x: Array.from(truth),
          xbins: { start: from, end: to, size: (to - from) / 80 },
          histnorm: "probability",
          marker: { color: tone("bars") },
          hoverinfo: "x+y",
          name: "values"
        },
        {
          type: "scatter",
          mode: "lines",
          name: "relevance φ",
          yaxis: "y2",
          x: xs,
          y: phiCurve(xs),
          line: { color: css("--ink"), width: 2 },
          hovertemplate: "φ(%{x:.4~g}) = %{y:.3f}<extra></extra>"
        }
      ],
      layout: layoutOf({
        bargap: 0.02,
        margin: { l: 56, r: 56, t: 12, b: 44 },
        xaxis: unitAxis(task, { title: axisTitle(task.target), range: [from, to] }),
        yaxis: { title: axisTitle("share of the values per bar"), rangemode: "tozero", tickformat: ",.0%" },
        yaxis2: { title: axisTitle("relevance φ"), range: [0, 1.08], side: "right", overlaying: "y", showgrid: false },
        shapes: [...bands, threshold]
      })
    };
  };
  var utilityFigure = ({ task, settings }) => {
    const t = run.utility.t ?? settings.tL;
    if (t === null)
      return null;
    const from = quantile(task.truth, 2e-3), to = quantile(task.truth, 0.998), grid = evenly(from, to, 90);
    if (!(from < to))
      return null;
    const z = utilitySurface(grid);
    return {
      title: "Utility is gained only along the diagonal, at relevant values",
      note: `UT08 eq. 1–2 with B = ${asGiven(run.utility.benefit)}, t = ${asGiven(t)}, p = ${asGiven(settings.p)}${settings.p > 0.5 ? ": missed events cost more than false alarms." : settings.p < 0.5 ? ": false alarms cost more than missed events." : ": missed events and false alarms cost the same."}`,
      data: [
        {
          type: "contour",
          x: grid,
          y: grid,
          z: z[0].map((_, c) => z.map((row) => row[c])),
          ncontours: 12,
          colorscale: scaleOf("gains"),
          zmid: 0,
          zmin: -run.utility.benefit,
          zmax: run.utility.benefit,
          contours: { coloring: "heatmap" },
          line: { width: 0.5, color: "rgba(80,80,80,.5)" },
          hovertemplate: "true %{x:.3~g}, predicted %{y:.3~g}: utility %{z:.3f}<extra></extra>",
          colorbar: { thickness: 10, len: 0.9, title: { text: "utility U", font: { size: 11 } } }
        }
      ],
      layout: layoutOf({
        height: 380,
        margin: { l: 60, r: 16, t: 12, b: 48 },
        xaxis: unitAxis(task, { title: axisTitle(`true ${task.target}`) }),
        yaxis: unitAxis(task, { title: axisTitle(`predicted ${task.target}`) })
      })
    };
  };

  // surface_figures.js
  var GRID = 40;
  var heights = (losses, truth, errors, targets) => {
    const rows = Array.from({ length: GRID }, () => new Float64Array(GRID));
    const place = (value, [lo, first]) => value <= lo ? 0 : Math.ceil((value - lo) / (first - lo) - 1e-12) - 1;
    for (let i = 0; i < truth.length; i++) {
      const r = place(losses[i], errors), c = place(truth[i], targets);
      if (r < GRID && c < GRID)
        rows[r][c]++;
    }
    for (let r = 0; r < GRID; r++) {
      for (let c = 0; c < GRID; c++) {
        rows[r][c] += (r ? rows[r - 1][c] : 0) + (c ? rows[r][c - 1] : 0) - (r && c ? rows[r - 1][c - 1] : 0);
      }
    }
    return rows.map((row) => Array.from(row, (n) => n / truth.length));
  };
  var recSurface = ({ task, focus: variant, evaluator }, threeD) => {
    if (variant === null)
      return null;
    const { truth } = task, losses = evaluator.losses[variant];
    if (!losses)
      return null;
    const errors = evenly(0, quantile(losses, 0.995) || 1, GRID), targets = evenly(lowest(truth), highest(truth), GRID), axisE = "e: absolute error", axisY = `y: ${task.target}`;
    const base = {
      x: targets.slice(1),
      y: errors.slice(1),
      z: heights(losses, truth, errors, targets),
      colorscale: scaleOf("heights"),
      zmin: 0,
      zmax: 1,
      hovertemplate: "error ≤ %{y:.3~g}, Y ≤ %{x:.3~g}: %{z:.3f}<extra></extra>",
      colorbar: { thickness: 10, len: 0.9, title: { text: "cases", font: { size: 11 } } }
    };
    const isoLines = {
      type: "contour",
      ncontours: 11,
      contours: { coloring: "heatmap", showlabels: true, labelfont: { size: 10, color: "#222222" } },
      line: { color: "#222222", width: 0.8 }
    };
    const surface = { type: "surface", contours: { z: { show: true, usecolormap: true, project: { z: true } } } };
    const scene = { xaxis: { title: { text: axisY } }, yaxis: { title: { text: axisE } }, zaxis: { title: { text: "D" } } };
    const flat = {
      margin: { l: 60, r: 16, t: 12, b: 48 },
      xaxis: unitAxis(task, { title: axisTitle(axisY) }),
      yaxis: unitAxis(task, { title: axisTitle(axisE) })
    };
    return {
      title: `REC surface of ${nameOf(variant)}`,
      note: "D(e, y) = P(error ≤ e, Y ≤ y): the share of cases with a true value up to y and an error up to e (REC05 eq. 1).",
      data: [{ ...threeD ? surface : isoLines, ...base }],
      layout: layoutOf(threeD ? { height: 460, margin: { l: 0, r: 0, t: 8, b: 0 }, scene } : { height: 380, ...flat })
    };
  };

  // task_file.js
  var awaited = /* @__PURE__ */ new Map();
  var tasks = /* @__PURE__ */ new Map();
  var unpackTask = async (length, letters) => {
    const buffer = await unzip(fromLetters(letters, length)), textLength = new DataView(buffer).getUint32(0, true), data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, textLength))), bytes = new Uint8Array(buffer, 4 + textLength), values = bytes.length / 8, cases = data.parts.reduce((sum, part) => sum + part.rows, 0), lines = new Uint8Array(bytes.length);
    for (let byte = 0; byte < 8; byte++) {
      const from = byte * values;
      for (let i = 0; i < values; i++)
        lines[8 * i + byte] = bytes[from + i];
    }
    const doubles = new Float64Array(lines.buffer);
    const column = (place) => place === null || place === void 0 ? null : doubles.subarray(place * cases, (place + 1) * cases);
    return {
      ...data,
      truth: column(data.truth),
      predictions: data.predictions.map(column),
      dates: column(data.dates),
      prices: column(data.prices)
    };
  };
  var taskPacked = (number, length, letters) => awaited.get(number)?.(unpackTask(length, letters));
  var taskOf = (number) => {
    const file = `tasks/${number}.js`;
    const known = tasks.get(number);
    if (known)
      return known;
    const task = new Promise((resolve, reject) => {
      awaited.set(number, (unpacked) => resolve(unpacked.catch((problem) => Promise.reject(`${file} cannot be read: ${problem}`))));
      loadScript(file).catch(() => reject(`${file} is missing beside this page; write the report again.`));
    });
    tasks.set(number, task);
    return task;
  };

  // variants_table.js
  var SVG = "http://www.w3.org/2000/svg";
  var variantName = (variant) => {
    const chip = document.createElementNS(SVG, "svg"), dot = document.createElementNS(SVG, "circle");
    chip.setAttribute("viewBox", "0 0 8 8");
    chip.setAttribute("class", "chip");
    chip.setAttribute("aria-hidden", "true");
    for (const name of ["cx", "cy", "r"])
      dot.setAttribute(name, "4");
    dot.setAttribute("fill", familyOf(variant).colour);
    chip.appendChild(dot);
    return h("span", { class: "variant", title: run.variants[variant].params }, chip, nameOf(variant));
  };
  var columnsOf = (view) => {
    const columns = [{ key: "name", head: "model" }];
    run.measures.forEach(({ symbol, name, formula, better }, m) => {
      const title = `${name} = ${formula}; ${better} is better`;
      columns.push({ key: `s${m}`, measure: m, head: symbol, title });
      columns.push({ key: `r${m}`, measure: m, rank: true, head: "#", title: `rank by ${symbol}` });
    });
    if (view.signals.some((n) => n !== null)) {
      columns.push({ key: "signals", head: "signals", title: "predictions with φ ≥ t_E" }, { key: "hits", head: "hits", title: "signals on an event of their side, with an error of at most t_L" });
    }
    return columns;
  };
  var VariantsTable = class {
    #seen = false;
    #family = "";
    #text = "";
    constructor(view) {
      this.view = view;
      this.columns = columnsOf(view);
      this.ranks = [];
      this.sort = { column: "b", down: false };
      this.count = h("span", { class: "note", id: "shown" });
      const families2 = run.families.map(({ name }, i) => h("option", { value: i }, name)), family = h("select", { id: "filter-family" }, h("option", { value: "" }, "all families"), families2);
      family.addEventListener("change", () => {
        this.#family = family.value;
        this.#draw();
      });
      const search = h("input", { type: "search", id: "filter-text", placeholder: "name or parameter" });
      search.addEventListener("input", () => {
        this.#text = search.value.toLowerCase();
        this.#draw();
      });
      this.heads = this.columns.map((column) => this.#head(column));
      this.body = h("tbody");
      this.rows = run.variants.map((_, v) => this.#row(v));
      const table = h("table", { class: "variants", id: "variants" }, h("thead", {}, h("tr", {}, this.heads)), this.body);
      this.node = h("div", {}, h("p", { class: "filters" }, h("label", {}, "Family ", family), h("label", {}, "Find ", search), this.count), h("div", { class: "wide tall", tabindex: 0, role: "region", "aria-label": "Table of all models" }, table));
      watch(table, (seen) => {
        this.#seen = seen;
      });
    }
    #head(column) {
      const { key, head, title = "", rank } = column;
      const button = h("button", { type: "button", title, "data-key": key, onclick: () => this.#sortBy(column) }, head, h("span", { "aria-hidden": "true" }));
      return h("th", { scope: "col", class: (key === "name" ? "" : "n") + (rank ? " rank" : "") }, button);
    }
    #row(v) {
      const status = this.view.task.status[v], scored = this.view.scores[v] !== null;
      const pin = h("button", { type: "button", class: "pin", "data-variant": v, disabled: !scored, onclick: () => togglePin(v) });
      const mark = status.kind === "not_converged" && h("span", { class: "limit", title: "a fit ended at its iteration limit" }, " ◦");
      const row = h("tr", {}, h("th", { scope: "row" }, pin, variantName(v), mark || null));
      if (scored)
        for (const column of this.columns.slice(1))
          row.appendChild(h("td", { class: column.rank ? "n rank" : "n" }));
      else {
        const reason2 = status.kind === "failed" ? `failed: ${status.reason}` : status.kind === "missing" ? "not run" : status.kind;
        row.appendChild(h("td", { colspan: this.columns.length - 1, class: "reason" }, reason2));
      }
      return row;
    }
    follow(view) {
      if (this.#seen)
        this.update(view);
    }
    update(view) {
      this.view = view;
      this.ranks = run.measures.map((_, m) => ranksOf(view.scores, m, view.task));
      if (this.sort.column === "b")
        this.sort.column = `r${view.b}`;
      this.#fill();
      this.#draw();
    }
    #value(column, v) {
      const scores = this.view.scores[v];
      if (column.key === "name")
        return v;
      if (scores === null)
        return null;
      if (column.measure === void 0)
        return this.view[column.key === "hits" ? "hits" : "signals"][v];
      return column.rank ? this.ranks[column.measure][v] : scores[column.measure];
    }
    #sortBy(column) {
      this.sort = { column: column.key, down: this.sort.column === column.key && !this.sort.down };
      this.#draw();
      announce(`Sorted by ${column.head}${this.sort.down ? ", descending" : ", ascending"}`);
    }
    #fill() {
      const least = this.ranks.map((ranks) => Math.min(...ranks.filter((rank) => rank !== null)));
      this.rows.forEach((row, v) => {
        const pinned = state.pins.includes(v), pin = row.querySelector(".pin");
        row.classList.toggle("pinned", pinned);
        if (pin.getAttribute("aria-pressed") !== String(pinned)) {
          pin.setAttribute("aria-pressed", String(pinned));
          pin.title = pinned ? "unpin" : "pin in all figures";
          replace(pin, pinned ? "★" : "☆", h("span", { class: "unseen" }, ` ${nameOf(v)}`));
        }
        if (this.view.scores[v] === null)
          return;
        this.columns.forEach((column, c) => {
          if (column.key === "name")
            return;
          const value = this.#value(column, v), cell = row.cells[c], isScore = column.measure !== void 0 && !column.rank, text2 = column.rank ? rankText(value) : isScore ? scoreText(value ?? "") : String(value ?? "–");
          if (cell.textContent !== text2)
            cell.textContent = text2;
          if (!isScore)
            return;
          const exact = String(value);
          if (cell.title !== exact)
            cell.title = exact;
          const m = column.measure;
          cell.classList.toggle("leads", this.ranks[m][v] === least[m] && typeof value === "number");
        });
      });
    }
    #draw() {
      const { column, down } = this.sort, at = Math.max(0, this.columns.findIndex((c) => c.key === column)), sorter = this.columns[at], sign = down ? -1 : 1;
      this.heads.forEach((head, c) => {
        head.setAttribute("aria-sort", c !== at ? "none" : down ? "descending" : "ascending");
        replace(head.querySelector("span"), c !== at ? "" : down ? " ▼" : " ▲");
      });
      const shown = run.variants.map((_, v) => v).filter((v) => {
        const { family, label, params } = run.variants[v];
        return (this.#family === "" || family === Number(this.#family)) && `${label} ${params}`.toLowerCase().includes(this.#text);
      });
      shown.sort((a, b) => {
        const x = this.#value(sorter, a), y = this.#value(sorter, b), there = typeof x === "number", too = typeof y === "number";
        if (there && too)
          return sign * (x - y) || a - b;
        if (there || too)
          return there ? -1 : 1;
        return Number(x === null) - Number(y === null) || a - b;
      });
      const every = run.variants.length;
      replace(this.count, shown.length === every ? `${every} models` : `${shown.length} of ${every} models`);
      const rows = shown.map((v) => this.rows[v]);
      const same = rows.length === this.body.rows.length && rows.every((row, i) => row === this.body.rows[i]);
      if (!same)
        this.body.replaceChildren(...rows);
    }
  };

  // trading_figures.js
  var decades = (prices) => {
    const ticks = [];
    for (let power = Math.floor(Math.log10(lowest(prices))); 10 ** power <= highest(prices); power++) {
      for (const lead of [1, 2, 5])
        ticks.push(Number((lead * 10 ** power).toPrecision(1)));
    }
    return ticks;
  };
  var priceFigure = ({ task, focus: variant, traded, settings }) => {
    const { prices, dates } = task;
    if (!traded || !prices || !dates || variant === null)
      return null;
    const days = Array.from(dates, dayOf), counts = tradesOf(variant);
    const marks = (name, keep, symbol, colour) => {
      const picked = counts.trades.filter(keep);
      return {
        type: "scatter",
        mode: "markers",
        name,
        x: picked.map((t) => days[t.row]),
        y: picked.map((t) => prices[t.row]),
        hoverinfo: "text",
        hovertext: picked.map((t) => `${days[t.row]}<br>${t.side > 0 ? "long" : "short"}, return ${percent(t.profit)}`),
        marker: { symbol, size: 9, color: colour, line: { width: 1, color: css("--paper") } }
      };
    };
    const gained = counts.trades.filter((t) => t.profit > 0).length;
    const title = counts.signals === 0 ? `${nameOf(variant)} never signals` : `${nameOf(variant)} signals ${counts.signals === 1 ? "once" : `${counts.signals} times`}; ${percent(gained / counts.trades.length)} of the trades gained`;
    return {
      title,
      alternative: `${title}.`,
      note: `Long above +${asGiven(settings.threshold)}, short below −${asGiven(settings.threshold)}.`,
      data: [
        {
          type: "scatter",
          mode: "lines",
          name: "price",
          x: days,
          y: Array.from(prices),
          line: { color: tone("price"), width: 1 },
          hoverinfo: "x+y"
        },
        marks("long, gained", (t) => t.side > 0 && t.profit > 0, "triangle-up", tone("good")),
        marks("long, lost", (t) => t.side > 0 && !(t.profit > 0), "triangle-up-open", tone("bad")),
        marks("short, gained", (t) => t.side < 0 && t.profit > 0, "triangle-down", tone("good")),
        marks("short, lost", (t) => t.side < 0 && !(t.profit > 0), "triangle-down-open", tone("bad"))
      ],
      layout: layoutOf({
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 40, b: 40 },
        xaxis: { title: axisTitle("date") },
        yaxis: { title: axisTitle("price") }
      })
    };
  };
  var equityFigure = (view) => {
    const { dates, prices, trading } = view.task;
    if (!view.traded || !dates || !trading)
      return null;
    const days = Array.from(dates, dayOf), last = days.length - 1, accounts = shownVariants(view).map((shown) => ({ ...shown, trades: tradesOf(shown.variant) }));
    if (!accounts.length)
      return null;
    const best2 = accounts.reduce((first, next) => next.trades.growth > first.trades.growth ? next : first), end = 1 + best2.trades.growth;
    const data = accounts.map(({ variant, role, trades }, i) => ({
      type: "scatter",
      mode: "lines",
      name: `${role}: ${escaped(shortened(nameOf(variant)))}`,
      x: [days[0], ...trades.onePosition.map(([row]) => days[Math.min(row, last)]), days[last]],
      y: [1, ...trades.onePosition.map(([, value]) => value), 1 + trades.growth],
      variant,
      line: { color: familyOf(variant).colour, width: 2, shape: "hv", dash: DASHES[i % DASHES.length] }
    }));
    if (prices)
      data.push({
        type: "scatter",
        mode: "lines",
        name: "buy and hold",
        x: days,
        y: Array.from(prices, (price) => price / prices[0]),
        line: { color: tone("guide"), width: 1.2 }
      });
    const values = data.flatMap((d) => d.y), log = lowest(values) > 0 && highest(values) / lowest(values) > 4;
    return {
      title: `One account: ${end === 1 ? "none of these earned anything" : `${nameOf(best2.variant)} ends at ${digits(end)} times its start`}`,
      note: `One position at a time, held for ${trading.horizon}${trading.horizon === 1 ? " day" : " days"}, the whole account staked, ${trading.cost ? `${percent(trading.cost)} cost a side` : "no costs"}.`,
      data,
      layout: layoutOf({
        showlegend: true,
        legend: LEGEND,
        margin: { l: 56, r: 16, t: 48, b: 40 },
        xaxis: { title: axisTitle("date") },
        yaxis: log ? { title: axisTitle("equity (start = 1), log scale"), type: "log", tickvals: decades(values) } : { title: axisTitle("equity (start = 1)") }
      })
    };
  };
  var HEADS = [
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
  var tradingTable = (view) => {
    if (!view.traded)
      return null;
    const head = HEADS.map((text2, i) => h("th", { scope: "col", class: i > 1 ? "n" : null }, text2));
    const rows = shownVariants(view).map(({ variant, role }) => {
      const { signals, long, short, hits, wrong, missed, profit, growth } = tradesOf(variant), numbers = [signals, long, short, hits, wrong, missed, signals ? profit / signals : "–", profit, growth];
      const cell = (x) => h("td", { class: "n", title: String(x) }, typeof x === "number" && x % 1 ? percent(x) : x);
      return h("tr", {}, h("th", { scope: "row" }, variantName(variant)), h("td", {}, role), numbers.map(cell));
    });
    return h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
  };

  // what_if.js
  var niceStep = (size) => {
    const power = 10 ** Math.floor(Math.log10(size)), lead = size / power;
    return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
  };
  var tidy = (value) => Number(value.toPrecision(12));
  var slidersOf = (task) => {
    const { base, target } = task, phi = task.parts[0].phi;
    const list = [];
    const add = (slider) => list.push(slider);
    add({
      key: "tE",
      label: "event from relevance",
      symbol: "t_E",
      hint: "a value with φ of at least t_E is an event",
      base: base.tE,
      step: 0.01,
      min: 0.01,
      max: 1
    });
    if (base.tL !== null)
      add({
        key: "tL",
        label: "good error up to",
        symbol: `t_L, in units of ${target}`,
        hint: "the largest error that still counts as good",
        base: base.tL,
        step: niceStep(base.tL / 20),
        min: tidy(base.tL / 20),
        max: tidy(base.tL * 4)
      });
    const beta = "weight of recall in F: below 1 favours precision";
    add({
      key: "beta",
      label: "weight of recall",
      symbol: "β",
      hint: beta,
      base: base.beta,
      step: 0.05,
      min: 0,
      max: Math.max(4, base.beta)
    });
    for (const side of ["low", "high"]) {
      if (phi.kind !== "sigmoid" || phi[side] === null)
        continue;
      const centre = base[side] ?? phi[side], far = Math.abs(centre), step = niceStep(far / 20);
      add({
        key: side,
        label: side === "low" ? "low extreme around" : "high extreme around",
        symbol: `in units of ${target}`,
        hint: `φ = ½ there${base[side] === null ? "; each fold has its own until you move this" : ""}`,
        base: centre,
        step,
        min: tidy(centre < 0 ? -3 * far : step),
        max: tidy(centre < 0 ? -step : 3 * far)
      });
    }
    const p = "utility: above ½ missed events weigh more than false alarms";
    add({ key: "p", label: "weight of misses", symbol: "p", hint: p, base: base.p, step: 0.05, min: 0, max: 1 });
    if (base.threshold !== null && task.trading) {
      const size = Math.max(base.threshold, 1e-3);
      add({
        key: "threshold",
        label: "trade beyond",
        symbol: "θ",
        hint: "the trading rule's threshold",
        base: base.threshold,
        step: niceStep(size / 20),
        min: 0,
        max: tidy(size * 4)
      });
    }
    return list;
  };
  var refusal = (key, value, { low = null, high = null }) => {
    if (!Number.isFinite(value))
      return "that is no number";
    if (key === "tE" && (value < 0 || value > 1))
      return "t_E lies between 0 and 1";
    if (key === "tL" && value <= 0)
      return "t_L is above 0";
    if (key === "beta" && value < 0)
      return "β is 0 or more";
    if (key === "p" && (value < 0 || value > 1))
      return "p lies between 0 and 1";
    if (key === "threshold" && value < 0)
      return "θ is 0 or more";
    if ((key === "low" || key === "high") && value === 0)
      return "a centre is other than 0: the sigmoid's width is |c·k|";
    if (key === "low" && high !== null && value >= high)
      return "the low centre is below the high one";
    if (key === "high" && low !== null && value <= low)
      return "the high centre is above the low one";
    return null;
  };
  var centresOf = (task, { low, high }) => {
    const phi = task.parts[0].phi;
    return phi.kind === "sigmoid" ? { low: low ?? phi.low, high: high ?? phi.high } : { low, high };
  };
  var settingsOf = (task) => {
    const { base } = task, settings = { ...base }, phi = task.parts[0].phi;
    for (const [name, value] of Object.entries(state.settings)) {
      const key = name;
      if ((key === "low" || key === "high") && (phi.kind !== "sigmoid" || phi[key] === null))
        continue;
      if ((key === "tL" || key === "threshold") && base[key] === null)
        continue;
      if (refusal(key, value, {}) === null)
        settings[key] = value;
    }
    const { low, high } = centresOf(task, settings);
    return low !== null && high !== null && low >= high ? { ...settings, low: base.low, high: base.high } : settings;
  };
  var FIXED = {
    pchip: "a piecewise cubic through control points",
    table: "a table of points",
    indicator: "1 inside fixed ranges"
  };
  var WhatIf = class {
    constructor(task) {
      this.task = task;
      this.line = h("p", { class: "now", id: "what-if-now" });
      this.refused = h("p", { class: "refused", role: "alert" });
      this.reset = h("button", { type: "button", id: "reset", onclick: () => this.#clear() }, "Reset to run");
      this.controls = slidersOf(task).map((slider) => this.#control(slider));
      const { kind } = task.parts[0].phi;
      const why = kind === "sigmoid" ? null : `φ is ${FIXED[kind]}; it has no centres to move. Another φ: tailrank report RUN --set relevance.kind=…, without refitting.`;
      this.node = h("details", { class: "what-if", id: "what-if", open: window.innerWidth > 720 }, h("summary", {}, "What if?"), h("div", { class: "sliders" }, this.controls.map((control) => control.node), this.reset), why && h("p", { class: "note" }, why), this.refused, this.line);
    }
    #control(slider) {
      const { key, label, symbol, hint, base, step, min, max } = slider, id = `what-if-${key}`;
      const range = h("input", {
        type: "range",
        id,
        step: 1,
        min: Math.ceil((min - base) / step - 1e-9),
        max: Math.floor((max - base) / step + 1e-9),
        "aria-describedby": `${id}-hint`,
        oninput: () => this.#move(slider, tidy(base + Number(range.value) * step))
      });
      const field = h("input", {
        type: "text",
        inputmode: "decimal",
        size: 7,
        "aria-label": `${label}, exact value`,
        id: `${id}-exact`,
        onchange: () => this.#move(slider, Number(field.value.replace("−", "-").replace(",", ".")))
      });
      const node = h("div", { class: "slider", title: hint }, h("label", { for: id }, label, " ", h("small", {}, symbol)), range, field, h("span", { class: "unseen", id: `${id}-hint` }, hint));
      return { slider, range, field, node };
    }
    #move({ key }, value) {
      const why = refusal(key, value, centresOf(this.task, settingsOf(this.task)));
      replace(this.refused, why);
      if (why)
        return this.show();
      if (value === this.task.base[key])
        delete state.settings[key];
      else
        state.settings[key] = value;
      this.show();
      refresh("settings");
    }
    #clear() {
      state.settings = {};
      replace(this.refused);
      this.show();
      announce("Settings are those of the run");
      refresh("settings");
    }
    show() {
      const settings = settingsOf(this.task);
      let moved = 0;
      for (const { slider, range, field, node } of this.controls) {
        const value = settings[slider.key] ?? slider.base;
        range.value = String(Math.round((value - slider.base) / slider.step));
        range.setAttribute("aria-valuetext", String(value));
        field.value = String(value);
        const changed = value !== slider.base;
        node.classList.toggle("moved", changed);
        if (changed)
          moved++;
      }
      this.reset.disabled = moved === 0;
    }
    tell({ moved, events, task, signals, a, b, comparison }) {
      const { bestA, bestB, rho, regret } = comparison, scored = signals.filter((n) => n !== null), signalling = scored.filter((n) => n > 0).length;
      const of = (v) => {
        if (v === null)
          return "none";
        const n = signals[v];
        return nameOf(v) + (n === null ? "" : ` (${counted(n, "signal", "signals")})`);
      };
      replace(this.line, h("strong", {}, moved ? "With these settings: " : "As run: "), `${counted(events, "event", "events")} in ${counted(task.truth.length, "case", "cases")}`, scored.length ? ` · ${signalling} of ${scored.length} models signal` : "", ` · ${leading(a)}: ${of(bestA)} · ${leading(b)}: ${of(bestB)}`, ` · ρ = ${rho === null ? "–" : digits(rho)}`, regret === null ? "" : ` · regret in ${run.measures[b].symbol}: ${digits(regret)}`);
    }
  };

  // task.js
  var page = null;
  var settled = 0;
  var tell = (message) => replace(byId("task"), h("p", { class: "stamp" }, message));
  var NO_SCORING = "A task's page needs WebAssembly with vectors and DecompressionStream, which this browser lacks: Chrome 97, Firefox 113, Safari 16.4 and later have them. The tables and figures of the first screen need neither.";
  var openTask = async (number, canScore) => {
    byId("overview").hidden = true;
    byId("task").hidden = false;
    if (!canScore)
      return tell(NO_SCORING);
    if (page && page.number === number)
      return page.refresh("all");
    const name = run.tasks[number - 1];
    if (!taskPages().includes(number))
      return tell(`${name} has no page in this report: tailrank report RUN --task-pages "${name}" writes one.`);
    replace(byId("task"), h("p", { class: "note" }, `Loading ${name} …`));
    page = null;
    try {
      const task = await taskOf(number);
      if (state.task !== number)
        return;
      page = new Page(number, task);
      window.scrollTo(0, 0);
    } catch (problem) {
      if (state.task === number)
        tell(String(problem));
    }
  };
  var closeTask = () => {
    byId("overview").hidden = false;
    byId("task").hidden = true;
  };
  whenChanged((what) => page?.refresh(what));
  var section = (id, title, ...content) => h("section", { "aria-labelledby": id }, h("h2", { id }, title), content);
  var asRun = (id, title, svg, note) => {
    const drawn = svg && inlineFigure(svg);
    if (!drawn)
      return null;
    const frame = h("div", { class: "wide flow", tabindex: 0, role: "group", "aria-label": title }, drawn);
    return section(id, `${title}, as run`, frame, note && h("p", { class: "note" }, note));
  };
  var staticFigures = (number) => {
    const files = run.figures[number - 1].map(({ file, name }) => h("li", {}, h("a", { href: file }, name)));
    return files.length ? section("files", "Figures for papers (SVG, with the run's settings)", h("ul", { class: "files" }, files)) : null;
  };
  var siblings = (number) => {
    const pages = taskPages(), place = pages.indexOf(number), [previous, next] = [pages[place - 1], pages[place + 1]];
    return h("p", { class: "siblings" }, previous && h("a", { href: `#task=${previous}`, rel: "prev" }, `← ${run.tasks[previous - 1]}`), " ", next && h("a", { href: `#task=${next}`, rel: "next" }, `${run.tasks[next - 1]} →`));
  };
  var REST = 120;
  var Page = class {
    #later;
    #threeD = false;
    constructor(number, task) {
      this.number = number;
      this.task = task;
      this.evaluator = new Evaluator(task);
      const differ = this.evaluator.selfCheck();
      if (differ)
        console.error(`${differ} scores differ from the run's: write the report again`);
      this.view = this.look();
      this.bar = new WhatIf(task);
      this.table = new VariantsTable(this.view);
      figures.length = 0;
      const figure = (id, draw) => new Figure(id, () => draw(this.view));
      this.pairFigures = [figure("fig-top", topFigure), figure("fig-ranks", scatterFigure)];
      const errors = [figure("fig-rec", recCurves), figure("fig-partial", partialRec), figure("fig-ycdf", partialYCdf)], predicted = figure("fig-predicted", predictedFigure), surface = figure("fig-surface", (view) => recSurface(view, this.#threeD)), relevance = [figure("fig-relevance", relevanceFigure), figure("fig-utility", utilityFigure)], trades = [figure("fig-price", priceFigure), figure("fig-equity", equityFigure)];
      this.slowFigures = [...errors, predicted, surface, ...relevance, ...trades];
      const threeD = h("button", { type: "button", id: "surface-3d", "aria-pressed": "false" }, "Show in 3-D");
      threeD.addEventListener("click", () => {
        this.#threeD = !this.#threeD;
        threeD.setAttribute("aria-pressed", String(this.#threeD));
        replace(threeD, this.#threeD ? "Show iso-lines" : "Show in 3-D");
        surface.update();
      });
      surface.node.appendChild(threeD);
      this.pairSelect = ["first", "second"].map((which) => h("select", { "aria-label": `${which} measure`, onchange: () => this.#choosePair() }, run.measures.map((m, k) => h("option", { value: k }, `${m.symbol} – ${m.name}`))));
      this.focusSelect = h("select", { id: "focus", onchange: () => this.#lookAt(Number(this.focusSelect.value)) }, run.variants.map((variant, v) => this.view.scores[v] && h("option", { value: v }, variant.label)));
      this.pins = h("p", { class: "pins", id: "pins" });
      this.trading = h("div");
      this.tradingSection = section("trading", "Trading", pair(trades), this.trading);
      this.tradingSection.hidden = !task.trading;
      this.verdict = h("p", { class: "lead", id: "task-verdict" });
      const header = h("header", { class: "run" }, h("h1", { id: "task-title", tabindex: -1 }, task.name), this.verdict, siblings(number));
      replace(byId("task"), header, this.bar.node, this.pins, section("measures", "Two measures, two rankings", h("p", { class: "filters" }, h("label", {}, "Compare ", this.pairSelect[0]), h("label", {}, "with ", this.pairSelect[1])), pair(this.pairFigures)), asRun("flow", "All measures", task.flow, "Click a line to pin its model."), asRun("episodes", "Episodes and alarms", task.episodes), section("errors", "Where the errors are", pair(errors, "pair three"), h("p", { class: "filters" }, h("label", {}, "Look closer at ", this.focusSelect)), pair([predicted, surface])), section("relevance", "What counts as an event, and what a prediction is worth", pair(relevance)), this.tradingSection, section("all", "All models", this.table.node), staticFigures(number));
      const list = sectionList(byId("task"));
      if (list)
        header.appendChild(list);
      document.title = `${task.name} – ${run.name}`;
      this.refresh("all");
    }
    #choosePair() {
      state.pair = this.pairSelect.map((select) => Number(select.value));
      this.table.sort = { column: "b", down: false };
      this.refresh("pair");
    }
    #lookAt(variant) {
      state.focus = variant;
      this.refresh("focus");
    }
    look() {
      const task = this.task, settings = settingsOf(task), found = this.evaluator.evaluate(settings);
      const [a, b] = state.pair ?? run.pairs[0] ?? [0, Math.min(1, run.measures.length - 1)];
      const comparison = compare(found.scores, a, b, task);
      const scored = (variant) => variant !== null && variant !== void 0 && found.scores[variant] !== null;
      const focus = [state.focus, state.pins.at(-1), comparison.bestB, comparison.bestA].find(scored) ?? null;
      const keys = Object.keys(settings), moved = keys.some((key) => settings[key] !== task.base[key]), traded = Boolean(task.trading) && settings.threshold !== null && task.parts.length === 1;
      return { ...found, task, settings, a, b, comparison, moved, evaluator: this.evaluator, focus, traded };
    }
    refresh(what) {
      const view = this.look(), { a, b, comparison } = view;
      this.view = view;
      this.bar.tell(view);
      for (const figure of this.pairFigures)
        figure.update();
      const { bestA, bestB } = comparison;
      replace(this.verdict, bestA === null || bestB === null ? "No model has both scores." : bestA === bestB ? `${nameOf(bestA)} has the ${leading(a)} and the ${leading(b)}.` : `The ${leading(a)}: ${nameOf(bestA)}. The ${leading(b)}: ${nameOf(bestB)}.`);
      if (what === "settings")
        this.table.follow(view);
      else
        this.#refreshChoices(what);
      clearTimeout(this.#later);
      this.#later = setTimeout(() => this.#rest(), what === "settings" ? REST : 0);
    }
    #refreshChoices(what) {
      if (what === "all")
        this.bar.show();
      this.pairSelect[0].value = String(this.view.a);
      this.pairSelect[1].value = String(this.view.b);
      const pinned = (v) => h("button", { type: "button", class: "pinned", title: "unpin", onclick: () => togglePin(v) }, variantName(v), " ×");
      replace(this.pins, state.pins.length ? ["Pinned: ", state.pins.map(pinned)] : "");
      this.table.update(this.view);
      writeHash();
    }
    #rest() {
      const view = this.view;
      writeHash();
      this.focusSelect.value = String(view.focus);
      this.table.update(view);
      for (const figure of this.slowFigures)
        figure.update();
      this.tradingSection.hidden = !view.traded;
      replace(this.trading, tradingTable(view));
      settled++;
    }
  };
  var pair = (shown, kind = "pair") => h("div", { class: kind }, shown.map((figure) => figure.node));

  // main.js
  var ready = false;
  var follow = (nav, canScore) => {
    if (location.hash === "#main")
      return;
    const before = state.task;
    readHash();
    nav.value = String(state.task ?? "");
    if (state.task !== null)
      return openTask(state.task, canScore);
    closeTask();
    document.title = `${run.name} – tailrank`;
    if (before !== null)
      window.scrollTo(0, 0);
  };
  var start = async (compiled) => {
    const nav = taskNav();
    copyButtons();
    unpackFiles();
    costSliders();
    overviewTools();
    const canScore = await startScoring(compiled).then(() => true, () => false);
    window.addEventListener("hashchange", () => follow(nav, canScore));
    follow(nav, canScore);
    ready = true;
  };
  window.addEventListener("load", () => setTimeout(() => withPlotly(() => {
  }), 200));
  return __toCommonJS(main_exports);
})();
