// Starts the page and follows the URL hash.
((tr) => {
  function follow() {
    if (location.hash === "#main") return;
    const before = tr.state.task;
    tr.state = tr.readHash(tr.run);
    tr.navSelect.value = tr.state.task === null ? "" : tr.state.task;
    if (tr.state.task === null) {
      tr.closeTask();
      document.title = `${tr.run.name} – tailrank`;
      if (before !== null) window.scrollTo(0, 0);
    } else {
      tr.openTask(tr.state.task);
    }
  }

  tr.run = JSON.parse(tr.byId("run").textContent);
  tr.taskNav();
  tr.copyButtons();
  tr.unpackFiles();
  tr.costSliders();
  tr.overviewTools();
  window.addEventListener("hashchange", follow);
  tr.startScoring()
    .catch(() => {
      tr.noScoring = true;
    })
    .then(() => {
      follow();
      tr.ready = true;
    });
  // The chart library is large: it is fetched once the first screen has been painted.
  window.addEventListener("load", () => {
    setTimeout(() => {
      tr.withPlotly(() => {});
    }, 200);
  });
})(tailrank);
