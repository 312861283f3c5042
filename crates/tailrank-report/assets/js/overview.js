// The first screen stands without scripts; this adds copy buttons and the list of tasks.
import { byId, h, replace } from "./dom.js";
import { run } from "./state.js";

export const copyButtons = () => {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => {
      const source = byId(button.getAttribute("data-copy") ?? "");
      const done = () => {
        button.textContent = "Copied";
      };
      const select = () => {
        getSelection()?.selectAllChildren(source);
        if (document.execCommand("copy")) done();
      };
      if (navigator.clipboard && window.isSecureContext)
        navigator.clipboard.writeText(source.textContent ?? "").then(done, select);
      else select();
    });
  }
};

/** Numbers of the tasks that have a page. */
export const taskPages = () => run.pages ?? run.tasks.map((_, i) => i + 1);

/** The list of tasks in the page's head. */
export const taskNav = () => {
  const select = h(
    "select",
    { "aria-label": "Open a task", id: "open-task" },
    h("option", { value: "" }, "overview"),
    taskPages().map((number) => h("option", { value: number }, run.tasks[number - 1]))
  );
  select.addEventListener("change", () => {
    location.hash = select.value === "" ? "" : `#task=${select.value}`;
  });
  replace(byId("task-nav"), select);
  return select;
};

/**
 * Buttons that lead to the sections of what is shown.
 * @param {Element} root
 */
export const sectionList = (root) => {
  /** @type {NodeListOf<HTMLElement>} */
  const heads = root.querySelectorAll("section[aria-labelledby]:not([hidden]) > h2:not(.badge)");
  if (heads.length < 3) return null;
  /** @param {HTMLElement} head */
  const goTo = (head) => {
    head.tabIndex = -1;
    head.scrollIntoView();
    head.focus({ preventScroll: true });
  };
  const buttons = Array.from(heads, (head) => h("button", { type: "button", onclick: () => goTo(head) }, head.textContent));
  return h("p", { class: "sections", role: "group", "aria-label": "Sections" }, buttons);
};

/**
 * What a table's row is sorted by; what has no value is null.
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
const sortKey = (row, column) => {
  const cell = row.cells[column],
    exact = cell.querySelector("[title]")?.getAttribute("title"),
    text = (cell.textContent ?? "").trim(),
    number = Number(exact || text);
  return text === "–" || text === "" ? null : Number.isFinite(number) ? number : text;
};

/**
 * Tables with a row per task are sorted by any of their columns.
 * @param {HTMLTableElement} table
 */
const makeSortable = (table) => {
  const body = table.tBodies[0],
    heads = Array.from(table.tHead?.rows[0].cells ?? []);
  if (!body || body.rows.length < 3) return;
  heads.forEach((head, column) => {
    const button = h("button", { type: "button", class: "sort" }, head.textContent);
    replace(head, button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = Array.from(body.rows, (row) => ({ row, key: sortKey(row, column) }));
      // What has no value stands last, either way.
      rows.sort(({ key: a }, { key: b }) => {
        if (a === null || b === null) return Number(a === null) - Number(b === null);
        const numbers = typeof a === "number" && typeof b === "number";
        const order = numbers ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
        return down ? -order : order;
      });
      body.append(...rows.map(({ row }) => row));
    });
  });
};

const loadPictures = () => {
  /** @type {NodeListOf<HTMLImageElement>} */
  const images = document.querySelectorAll("img[loading=lazy]");
  for (const image of images) image.loading = "eager";
};

// The height of a sheet of A4 inside its margins, in px.
const HEIGHT = 1035;
const fitSheet = () => {
  const root = document.documentElement,
    main = byId("main");
  root.classList.add("one-page");
  let fit = 1;
  for (let tries = 0; tries < 12; tries++) {
    root.style.setProperty("--fit", String(fit));
    const height = main.getBoundingClientRect().height;
    if (height <= HEIGHT) return;
    // A smaller scale makes room in both directions.
    fit *= Math.min(0.98, Math.sqrt(HEIGHT / height));
  }
};

/**
 * The decision on one sheet: what was run, the answer, its figures and the settings, made smaller until they fit.
 * @param {boolean} on
 */
export const onePage = (on) => {
  loadPictures();
  if (on) fitSheet();
  else document.documentElement.classList.remove("one-page");
};

const printOnePage = () => {
  onePage(true);
  setTimeout(() => {
    window.print();
    onePage(false);
  }, 300);
};

export const overviewTools = () => {
  const overview = byId("overview"),
    head = overview.querySelector("header.run");
  if (!head) return;
  const tools = sectionList(byId("main")) ?? h("p", { class: "sections" });
  if (document.getElementById("decision"))
    tools.appendChild(h("button", { type: "button", id: "one-page", onclick: printOnePage }, "Print one page"));
  // Below what a reader came for.
  (overview.querySelector("section.decision") ?? head).after(tools);
  /** @type {NodeListOf<HTMLTableElement>} */
  const tables = overview.querySelectorAll("table.choices, table.verdicts, table.luck");
  for (const table of tables) makeSortable(table);
};

// Paper has no buttons: everything that can be opened is open there.
/** @type {HTMLDetailsElement[]} */
let closed = [];
window.addEventListener("beforeprint", () => {
  closed = Array.from(document.querySelectorAll("details:not([open])"));
  for (const details of closed) details.open = true;
  loadPictures();
});
window.addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});
