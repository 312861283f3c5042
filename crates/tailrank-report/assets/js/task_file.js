// Tasks' script files: each is loaded when its task is opened.
import { fromLetters, loadScript, unzip } from "./files.js";

/** @type {Map<number, (task: Promise<Task>) => void>} */
const awaited = new Map();
/** @type {Map<number, Promise<Task>>} */
const tasks = new Map();

/**
 * Unpacks a task's text and its columns of doubles, which lie byte by byte.
 * @param {number} length
 * @param {string} letters
 * @returns {Promise<Task>}
 */
const unpackTask = async (length, letters) => {
  const buffer = await unzip(fromLetters(letters, length)),
    textLength = new DataView(buffer).getUint32(0, true),
    data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, textLength))),
    bytes = new Uint8Array(buffer, 4 + textLength),
    values = bytes.length / 8,
    cases = data.parts.reduce((/** @type {number} */ sum, /** @type {Part} */ part) => sum + part.rows, 0),
    lines = new Uint8Array(bytes.length);
  for (let byte = 0; byte < 8; byte++) {
    const from = byte * values;
    for (let i = 0; i < values; i++) lines[8 * i + byte] = bytes[from + i];
  }
  const doubles = new Float64Array(lines.buffer);
  /** @param {number | null | undefined} place */
  const column = (place) => (place === null || place === undefined ? null : doubles.subarray(place * cases, (place + 1) * cases));
  return {
    ...data,
    truth: column(data.truth),
    predictions: data.predictions.map(column),
    dates: column(data.dates),
    prices: column(data.prices)
  };
};

/**
 * Called by tasks/<n>.js.
 * @param {number} number
 * @param {number} length
 * @param {string} letters
 */
export const taskPacked = (number, length, letters) => awaited.get(number)?.(unpackTask(length, letters));

/**
 * A task's numbers.
 * @param {number} number
 */
export const taskOf = (number) => {
  const file = `tasks/${number}.js`;
  const known = tasks.get(number);
  if (known) return known;
  /** @type {Promise<Task>} */
  const task = new Promise((resolve, reject) => {
    awaited.set(number, (unpacked) => resolve(unpacked.catch((problem) => Promise.reject(`${file} cannot be read: ${problem}`))));
    loadScript(file).catch(() => reject(`${file} is missing beside this page; write the report again.`));
  });
  tasks.set(number, task);
  return task;
};
