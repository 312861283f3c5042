// Elements. Names come from data: they become text nodes, never markup.

/**
 * An element with attributes and children; strings become text.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes] those that start with "on" are listeners
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  append(node, children);
  return node;
};

/**
 * @param {Node} node
 * @param {Child} child
 */
const append = (node, child) => {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const each of child) append(node, each);
  else node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
};

/**
 * Gives a node other children.
 * @param {Node} node
 * @param {...Child} children
 */
export const replace = (node, ...children) => {
  node.textContent = "";
  append(node, children);
};

/**
 * An element that is part of every page.
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Text that only a screen reader gets.
 * @param {string} text
 */
export const announce = (text) => {
  const node = byId("announce");
  if (node.textContent !== text) node.textContent = text;
};
