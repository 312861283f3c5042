// The cost slider of a decision card: what a missed event costs, and the model to take then. The steps were computed by the run.
import { h } from "./dom.js";
import { run, togglePin } from "./state.js";
import { digits } from "./words.js";

export const costSliders = () => {
  document.querySelectorAll(".cost").forEach((card, i) => {
    const steps = Array.from(card.querySelectorAll("li"), (node) => ({ from: Number(node.dataset.from), node })),
      output = /** @type {Element} */ (card.querySelector("output"));
    // From a tenth of a false alarm to ten times the last flip, in even steps of the logarithm.
    const low = Math.log(0.1),
      high = Math.log(10 * Math.max(1, ...steps.map((s) => s.from)));
    const label = "What a missed event costs, in false alarms";
    const range = h("input", { type: "range", min: 0, max: 1000, step: 1, id: `cost-${i}`, "aria-label": label });
    const show = () => {
      const cost = Math.exp(low + ((high - low) * Number(range.value)) / 1000),
        chosen = steps.findLast((s) => s.from <= cost) ?? steps[0];
      for (const { node } of steps) node.classList.toggle("chosen", node === chosen.node);
      output.textContent = digits(cost);
      range.setAttribute("aria-valuetext", `${digits(cost)} false alarms: ${chosen.node.textContent}`);
    };
    range.addEventListener("input", show);
    // Starts where acting begins to pay.
    const first = steps.length > 1 ? Math.max(0.1, steps[1].from * 1.05) : 1;
    range.value = String(Math.round((1000 * (Math.log(first) - low)) / (high - low)));
    card.querySelector("p")?.after(range);
    card.classList.add("live");
    show();
  });
};

/**
 * A static figure inside the page: its marks pin their variants.
 * @param {string} text
 */
export const inlineFigure = (text) => {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return null;
  const svg = document.importNode(parsed, true),
    labels = run.variants.map((v) => v.label);
  svg.setAttribute("class", "inline");
  for (const mark of svg.querySelectorAll("[data-name]")) {
    const variant = labels.indexOf(mark.getAttribute("data-name") ?? "");
    if (variant < 0) continue;
    mark.setAttribute("class", "mark");
    mark.addEventListener("click", () => togglePin(variant));
  }
  return svg;
};
