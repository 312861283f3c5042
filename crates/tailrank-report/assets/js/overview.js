// The first screen stands without scripts; this adds times, copy buttons and the list of tasks.
((tr) => {
  tr.timings = (t) => {
    const node = tr.byId("timings");
    if (!node || !t.cells) return;
    const s = t.seconds,
      text =
        s < 60
          ? `${tr.number(s)} s`
          : s < 3600
            ? `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
            : `${(s / 3600).toFixed(1)} h`;
    node.textContent = `${text} of fitting`;
    node.title = Object.keys(t.families)
      .map((f) => `${f}: ${tr.number(t.families[f])} s`)
      .join("\n");
    node.hidden = false;
  };

  tr.copyButtons = () => {
    document.querySelectorAll("[data-copy]").forEach((button) => {
      button.addEventListener("click", () => {
        const source = tr.byId(button.getAttribute("data-copy")),
          done = () => {
            button.textContent = "Copied";
          };
        const select = () => {
          const range = document.createRange();
          range.selectNodeContents(source);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          if (document.execCommand("copy")) done();
        };
        if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(source.textContent).then(done, select);
        else select();
      });
    });
  };

  // Numbers of the tasks that have a page.
  tr.pages = () => tr.run.pages || tr.run.tasks.map((_, i) => i + 1);

  tr.taskNav = () => {
    const select = tr.h(
      "select",
      {
        "aria-label": "Open a task",
        id: "open-task",
        onchange: function () {
          location.hash = select.value === "" ? "" : `#task=${select.value}`;
        }
      },
      tr.h("option", { value: "" }, "overview"),
      tr.pages().map((number) => tr.h("option", { value: number }, tr.run.tasks[number - 1]))
    );
    tr.replace(tr.byId("task-nav"), select);
    tr.navSelect = select;
  };

  // Buttons that lead to the sections of what is shown.
  tr.sectionList = (root) => {
    const heads = Array.from(root.querySelectorAll("section[aria-labelledby]:not([hidden]) > h2:not(.badge)"));
    if (heads.length < 3) return null;
    return tr.h(
      "p",
      { class: "sections", role: "group", "aria-label": "Sections" },
      heads.map((head) =>
        tr.h(
          "button",
          {
            type: "button",
            onclick: () => {
              head.tabIndex = -1;
              head.scrollIntoView();
              head.focus({ preventScroll: true });
            }
          },
          head.textContent
        )
      )
    );
  };

  // Tables with a row per task are sorted by any of their columns.
  tr.sortable = (table) => {
    const body = table.tBodies[0];
    if (!body || body.rows.length < 3) return;
    const key = (row, c) => {
      const cell = row.cells[c],
        told = cell.querySelector("[title]"),
        text = cell.textContent.trim(),
        number = Number(told && told.title !== "" ? told.title : text);
      return text === "–" || text === "" ? null : isFinite(number) ? number : text;
    };
    Array.from(table.tHead.rows[0].cells).forEach((head, c) => {
      const button = tr.h("button", { type: "button", class: "sort" }, head.textContent);
      tr.replace(head, button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        Array.from(table.tHead.rows[0].cells).forEach((other) => {
          other.removeAttribute("aria-sort");
        });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = Array.from(body.rows);
        // What has no value stands last, either way.
        rows.sort((x, y) => {
          const a = key(x, c),
            b = key(y, c);
          if (a === null || b === null) return (a === null) - (b === null);
          const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
          return down ? -order : order;
        });
        rows.forEach((row) => {
          body.appendChild(row);
        });
      });
    });
  };

  // The decision on one sheet of A4: what was run, the answer, its figures and the settings, made smaller until they fit.
  const HEIGHT = 1035;
  const fitSheet = () => {
    const root = document.documentElement,
      main = tr.byId("main");
    root.classList.add("one-page");
    let fit = 1;
    for (let tries = 0; tries < 12; tries++) {
      root.style.setProperty("--fit", fit);
      const height = main.getBoundingClientRect().height;
      if (height <= HEIGHT) return;
      // A smaller scale makes room in both directions.
      fit *= Math.min(0.98, Math.sqrt(HEIGHT / height));
    }
  };
  tr.onePage = (on) => {
    document.querySelectorAll("img[loading=lazy]").forEach((image) => {
      image.loading = "eager";
    });
    if (on) fitSheet();
    else document.documentElement.classList.remove("one-page");
  };
  const onePageButton = () =>
    tr.h(
      "button",
      {
        type: "button",
        id: "one-page",
        onclick: () => {
          tr.onePage(true);
          setTimeout(() => {
            window.print();
            tr.onePage(false);
          }, 300);
        }
      },
      "Print one page"
    );

  tr.overviewTools = () => {
    const overview = tr.byId("overview"),
      list = tr.sectionList(tr.byId("main")),
      head = overview.querySelector("header.run");
    if (!head) return;
    const tools = list || tr.h("p", { class: "sections" });
    if (tr.byId("decision")) tools.appendChild(onePageButton());
    // Below what a reader came for.
    (overview.querySelector("section.decision") || head).after(tools);
    overview.querySelectorAll("table.choices, table.verdicts, table.luck").forEach(tr.sortable);
  };

  // Paper has no buttons: everything that can be opened is open there.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    closed.forEach((d) => {
      d.open = true;
    });
    document.querySelectorAll("img[loading=lazy]").forEach((image) => {
      image.loading = "eager";
    });
  });
  window.addEventListener("afterprint", () => {
    closed.forEach((d) => {
      d.open = false;
    });
  });
})(tailrank);
