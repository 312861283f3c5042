// Files of the report: beside the page, or packed inside it where the page is a single file.
import { h } from "./dom.js";

/**
 * The element that holds a packed file.
 * @param {string} name
 */
const packedNode = (name) => document.querySelector(`script[data-file="${CSS.escape(name)}"]`);

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const unzip = (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};

/**
 * The bytes of what was packed: gzip in base64.
 * @param {string} text
 */
export const unpack = async (text) => unzip(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));

/** @param {Element} node */
const unpackNode = (node) => unpack(/** @type {string} */ (node.textContent));

/**
 * Letters that stand for 15 bits each (page/packed_numbers.rs), to so many bytes.
 * @param {string} text
 * @param {number} length
 */
export const fromLetters = (text, length) => {
  const bytes = new Uint8Array(length);
  let bits = 0,
    held = 0,
    at = 0;
  for (let i = 0; i < text.length; i++) {
    bits = ((bits << 15) | (text.charCodeAt(i) - 0x4000)) & 0x7fffff;
    held += 15;
    while (held >= 8 && at < length) {
      held -= 8;
      bytes[at++] = bits >> held;
    }
  }
  return bytes;
};

/**
 * Runs a script of the report.
 * @param {string} name
 */
export const loadScript = async (name) => {
  const node = packedNode(name),
    script = h("script", node ? {} : { src: name });
  if (node) {
    const bytes = await unpackNode(node);
    // A task's script is UTF-16, as its first bytes say.
    const wide = new Uint8Array(bytes)[0] === 0xff;
    script.textContent = new TextDecoder(wide ? "utf-16le" : "utf-8").decode(bytes);
    document.head.appendChild(script);
    return;
  }
  await new Promise((done, failed) => {
    script.onload = done;
    script.onerror = failed;
    document.head.appendChild(script);
  });
};

/** @type {Record<string, string>} */
const TYPES = {
  svg: "image/svg+xml",
  csv: "text/csv",
  json: "application/json",
  md: "text/markdown",
  tex: "text/plain",
  toml: "text/plain"
};

/**
 * Where the browser finds a packed file.
 * @param {string} name
 * @param {Element} node
 */
const addressOf = async (name, node) => {
  const type = TYPES[name.split(".").pop() ?? ""] ?? "application/octet-stream";
  return URL.createObjectURL(new Blob([await unpackNode(node)], { type }));
};

/** Pictures of a single file, as they come into view; links that save what they point to. */
export const unpackFiles = () => {
  /** @type {NodeListOf<HTMLImageElement>} */
  const images = document.querySelectorAll("img[data-src]");
  /** @param {HTMLImageElement} image */
  const show = async (image) => {
    const name = image.dataset.src,
      node = name && packedNode(name);
    delete image.dataset.src;
    if (node) image.src = await addressOf(name, node);
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        show(/** @type {HTMLImageElement} */ (target));
      }
    },
    { rootMargin: "600px" }
  );
  for (const image of images) watcher.observe(image);
  window.addEventListener("beforeprint", () => {
    for (const image of images) show(image);
  });
  document.addEventListener("click", async (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href]"),
      name = link ? link.getAttribute("href") : null,
      node = name && packedNode(name);
    if (!node) return;
    event.preventDefault();
    h("a", { href: await addressOf(name, node), download: name.split("/").pop() }).click();
  });
  // A page in one file has one form of every table.
  if (packedNode("plotly.js")) for (const link of document.querySelectorAll('a[href$=".parquet"]')) link.remove();
};
