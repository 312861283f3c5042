// All variants of a task: sortable by click or key, filterable by family and text; failed ones at the end with their reason.
((tr) => {
  tr.variantName = (variant) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"),
      dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    svg.setAttribute("viewBox", "0 0 8 8");
    svg.setAttribute("class", "chip");
    svg.setAttribute("aria-hidden", "true");
    ["cx", "cy", "r"].forEach((a) => {
      dot.setAttribute(a, "4");
    });
    dot.setAttribute("fill", tr.family(variant).colour);
    svg.appendChild(dot);
    return tr.h("span", { class: "variant", title: tr.run.variants[variant].params }, svg, tr.name(variant));
  };

  tr.VariantsTable = function (task) {
    const self = this,
      run = tr.run;
    this.task = task;
    this.sort = { column: "b", down: false };
    this.family = "";
    this.text = "";
    this.count = tr.h("span", { class: "note", id: "shown" });
    this.select = tr.h(
      "select",
      {
        id: "filter-family",
        onchange: function () {
          self.family = self.select.value;
          self.draw();
        }
      },
      tr.h("option", { value: "" }, "all families"),
      run.families.map((f, i) => tr.h("option", { value: i }, f.name))
    );
    this.search = tr.h("input", {
      type: "search",
      id: "filter-text",
      placeholder: "name or parameter",
      oninput: function () {
        self.text = self.search.value.toLowerCase();
        self.draw();
      }
    });
    this.head = tr.h("tr", {});
    this.body = tr.h("tbody", {});
    this.table = tr.h("table", { class: "variants", id: "variants" }, tr.h("thead", {}, this.head), this.body);
    this.node = tr.h(
      "div",
      {},
      tr.h(
        "p",
        { class: "filters" },
        tr.h("label", {}, "Family ", this.select),
        tr.h("label", {}, "Find ", this.search),
        this.count
      ),
      tr.h("div", { class: "wide tall", tabindex: 0, role: "region", "aria-label": "Table of all models" }, this.table)
    );
  };

  // Columns: the variant, then rank and score of every measure, then signals and hits.
  tr.VariantsTable.prototype.columns = function () {
    const columns = [{ key: "name", head: "model", text: true }];
    tr.run.measures.forEach((m, i) => {
      columns.push({
        key: `s${i}`,
        measure: i,
        head: m.symbol,
        title: `${m.name} = ${m.formula}; ${m.better} is better`
      });
      columns.push({ key: `r${i}`, measure: i, rank: true, head: "#", title: `rank by ${m.symbol}` });
    });
    if (this.view.signals.some((n) => n !== null)) {
      columns.push(
        { key: "signals", head: "signals", title: "predictions with φ ≥ t_E" },
        { key: "hits", head: "hits", title: "signals on an event of their side, with an error of at most t_L" }
      );
    }
    return columns;
  };

  tr.VariantsTable.prototype.update = function (view) {
    this.view = view;
    const run = tr.run;
    this.ranks = run.measures.map((m, i) => tr.ranksOf(view.scores, i, m.better, view.task));
    if (this.sort.column === "b") this.sort.column = `r${view.b}`;
    this.draw();
  };

  tr.VariantsTable.prototype.value = function (column, v) {
    if (column.key === "name") return v;
    if (!this.view.scores[v]) return null;
    if (column.rank) return this.ranks[column.measure][v];
    if (column.measure !== undefined) return this.view.scores[v][column.measure];
    return this.view[column.key][v];
  };

  tr.VariantsTable.prototype.sortBy = function (column) {
    this.sort = { column: column.key, down: this.sort.column === column.key && !this.sort.down };
    this.draw();
    const again = this.head.querySelector(`[data-key='${column.key}']`);
    if (again) again.focus();
    tr.announce(`Sorted by ${column.head}${this.sort.down ? ", descending" : ", ascending"}`);
  };

  tr.VariantsTable.prototype.draw = function () {
    const self = this,
      run = tr.run,
      columns = this.columns();
    tr.replace(
      this.head,
      columns.map((c) => {
        const on = self.sort.column === c.key;
        return tr.h(
          "th",
          {
            scope: "col",
            class: (c.text ? "" : "n") + (c.rank ? " rank" : ""),
            "aria-sort": on ? (self.sort.down ? "descending" : "ascending") : "none"
          },
          tr.h(
            "button",
            {
              type: "button",
              title: c.title || "",
              "data-key": c.key,
              onclick: function () {
                self.sortBy(c);
              }
            },
            c.head,
            tr.h("span", { "aria-hidden": "true" }, on ? (self.sort.down ? " ▼" : " ▲") : "")
          )
        );
      })
    );
    const sorter = columns.filter((c) => c.key === self.sort.column)[0] || columns[0],
      sign = this.sort.down ? -1 : 1;
    const rows = run.variants
      .map((_, v) => v)
      .filter((v) => {
        const variant = run.variants[v];
        return (
          (self.family === "" || variant.family === Number(self.family)) &&
          `${variant.label} ${variant.params}`.toLowerCase().indexOf(self.text) >= 0
        );
      });
    rows.sort((a, b) => {
      const x = self.value(sorter, a),
        y = self.value(sorter, b),
        there = typeof x === "number",
        too = typeof y === "number";
      // What has no value stands last either way; what failed, after that.
      if (there !== too) return there ? -1 : 1;
      if (!there) return (x === null) - (y === null) || a - b;
      return sign * (x - y) || a - b;
    });
    tr.replace(
      this.count,
      rows.length === run.variants.length ? `${rows.length} models` : `${rows.length} of ${run.variants.length} models`
    );
    const bestOf = this.ranks.map((ranks) =>
      Math.min.apply(
        null,
        ranks.filter((r) => r !== null)
      )
    );
    tr.replace(
      this.body,
      rows.map((v) => self.row(v, columns, bestOf))
    );
  };

  tr.VariantsTable.prototype.row = function (v, columns, bestOf) {
    const self = this,
      status = this.task.status[v],
      pinned = tr.state.pins.indexOf(v) >= 0,
      row = this.view.scores[v];
    const pin = tr.h(
      "button",
      {
        type: "button",
        class: "pin",
        "data-variant": v,
        "aria-pressed": pinned ? "true" : "false",
        disabled: !row,
        title: pinned ? "unpin" : "pin in all figures",
        onclick: function () {
          tr.togglePin(v);
          const again = self.body.querySelector(`[data-variant='${v}']`);
          if (again) again.focus();
        }
      },
      pinned ? "★" : "☆",
      tr.h("span", { class: "unseen" }, ` ${tr.name(v)}`)
    );
    const mark =
      status.kind === "not_converged"
        ? tr.h("span", { class: "limit", title: "a fit ended at its iteration limit" }, " ◦")
        : null;
    const cells = [tr.h("th", { scope: "row" }, pin, tr.variantName(v), mark)];
    if (!row) {
      const reason = status.kind === "failed" ? `failed: ${status.reason}` : status.kind === "missing" ? "not run" : status.kind;
      cells.push(tr.h("td", { colspan: columns.length - 1, class: "reason" }, reason));
    } else {
      columns.slice(1).forEach((c) => {
        const x = self.value(c, v);
        if (c.rank) return cells.push(tr.h("td", { class: "n rank" }, tr.rank(x)));
        if (c.measure === undefined) return cells.push(tr.h("td", { class: "n" }, x === null ? "–" : x));
        const best = self.ranks[c.measure][v] === bestOf[c.measure] && tr.defined(x);
        cells.push(
          tr.h(
            "td",
            {
              class: `n${best ? " first" : ""}`,
              title: tr.defined(x) ? String(x) : x
            },
            tr.score(x)
          )
        );
      });
    }
    return tr.h("tr", { class: pinned ? "pinned" : null }, cells);
  };
})(tailrank);
