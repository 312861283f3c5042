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
      tr.run.tasks.map((name, i) => tr.h("option", { value: i + 1 }, name))
    );
    tr.replace(tr.byId("task-nav"), select);
    tr.navSelect = select;
  };
})(tailrank);
