// The cost slider of a decision card: what a missed event costs, and the model to take then. The steps were computed by the run.
((tr) => {
  tr.costSliders = () => {
    document.querySelectorAll(".cost").forEach((card, i) => {
      const steps = Array.from(card.querySelectorAll("li")).map((node) => ({ from: Number(node.dataset.from), node }));
      const output = card.querySelector("output"),
        last = Math.max(1, ...steps.map((s) => s.from));
      // From a tenth of a false alarm to ten times the last flip, in even steps of the logarithm.
      const low = Math.log(0.1),
        high = Math.log(10 * last);
      const at = (position) => Math.exp(low + ((high - low) * position) / 1000);
      const range = tr.h("input", {
        type: "range",
        min: 0,
        max: 1000,
        step: 1,
        id: `cost-${i}`,
        "aria-label": "What a missed event costs, in false alarms",
        oninput: () => {
          show();
        }
      });
      const show = () => {
        const cost = at(Number(range.value));
        let chosen = steps[0];
        steps.forEach((s) => {
          if (s.from <= cost) chosen = s;
        });
        steps.forEach((s) => {
          s.node.classList.toggle("chosen", s === chosen);
        });
        output.textContent = tr.number(cost);
        range.setAttribute("aria-valuetext", `${tr.number(cost)} false alarms: ${chosen.node.textContent}`);
      };
      // Starts where acting begins to pay.
      const first = steps.length > 1 ? Math.max(0.1, steps[1].from * 1.05) : 1;
      range.value = Math.round((1000 * (Math.log(first) - low)) / (high - low));
      card.querySelector("p").after(range);
      card.classList.add("live");
      show();
    });
  };

  // A static figure inside the page: its marks pin their variants.
  tr.inlineFigure = (text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return null;
    const svg = document.importNode(parsed, true);
    svg.setAttribute("class", "inline");
    const labels = tr.run.variants.map((v) => v.label);
    svg.querySelectorAll("[data-name]").forEach((mark) => {
      const variant = labels.indexOf(mark.getAttribute("data-name"));
      if (variant < 0) return;
      mark.setAttribute("class", "mark");
      mark.addEventListener("click", () => {
        tr.togglePin(variant);
      });
    });
    return svg;
  };
})(tailrank);
