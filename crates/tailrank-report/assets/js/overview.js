// The first screen stands without scripts; this adds times, copy buttons and the list of tasks.
(function (tr) {
  tr.timings = function (t) {
    var node = tr.byId("timings");
    if (!node || !t.cells) return;
    var s = t.seconds, text = s < 60 ? tr.number(s) + " s" : s < 3600 ? Math.floor(s / 60) + " min " + Math.round(s % 60) + " s" : (s / 3600).toFixed(1) + " h";
    node.textContent = text + " of fitting";
    node.title = Object.keys(t.families).map(function (f) { return f + ": " + tr.number(t.families[f]) + " s"; }).join("\n");
    node.hidden = false;
  };

  tr.copyButtons = function () {
    document.querySelectorAll("[data-copy]").forEach(function (button) {
      button.addEventListener("click", function () {
        var source = tr.byId(button.getAttribute("data-copy")), done = function () { button.textContent = "Copied"; };
        var select = function () {
          var range = document.createRange();
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

  tr.taskNav = function () {
    var select = tr.h("select", { "aria-label": "Open a task", id: "open-task", onchange: function () { location.hash = select.value === "" ? "" : "#task=" + select.value; } },
      tr.h("option", { value: "" }, "overview"), tr.run.tasks.map(function (name, i) { return tr.h("option", { value: i + 1 }, name); }));
    tr.replace(tr.byId("task-nav"), select);
    tr.navSelect = select;
  };
})(tailrank);
