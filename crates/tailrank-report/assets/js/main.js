// Starts the page and follows the URL hash. What is exported here is the page's one global name, `tailrank`, which the report's other
// scripts call.
import { costSliders } from "./card.js";
import { withPlotly } from "./charts.js";
import { unpackFiles } from "./files.js";
import { copyButtons, overviewTools, taskNav } from "./overview.js";
import { startScoring } from "./scoring.js";
import { readHash, run, state } from "./state.js";
import { closeTask, openTask } from "./task.js";

export { figures, packed } from "./charts.js";
export { onePage } from "./overview.js";
export { refresh, run, state } from "./state.js";
export { page, settled } from "./task.js";
export { taskPacked } from "./task_file.js";
export { settingsOf } from "./what_if.js";

/** Whether the page stands. */
export let ready = false;

/**
 * @param {HTMLSelectElement} nav
 * @param {boolean} canScore
 */
const follow = (nav, canScore) => {
  if (location.hash === "#main") return;
  const before = state.task;
  readHash();
  nav.value = String(state.task ?? "");
  if (state.task !== null) return openTask(state.task, canScore);
  closeTask();
  document.title = `${run.name} – tailrank`;
  if (before !== null) window.scrollTo(0, 0);
};

/**
 * Called at the end of report.js.
 * @param {string} compiled the measures that the page runs
 */
export const start = async (compiled) => {
  const nav = taskNav();
  copyButtons();
  unpackFiles();
  costSliders();
  overviewTools();
  const canScore = await startScoring(compiled).then(
    () => true,
    () => false
  );
  window.addEventListener("hashchange", () => follow(nav, canScore));
  follow(nav, canScore);
  ready = true;
};

// The chart library is fetched once the first screen has been painted.
window.addEventListener("load", () => setTimeout(() => withPlotly(() => {}), 200));
