// The namespace, elements, numbers and text. Names come from data: they become text nodes, never markup.
"use strict";
const tailrank = (window.tailrank = {});

((tr) => {
  // An element with attributes and children; strings become text.
  tr.h = function (tag, attributes) {
    const node = document.createElement(tag);
    Object.keys(attributes || {}).forEach((name) => {
      const value = attributes[name];
      if (value === null || value === undefined || value === false) return;
      if (name.slice(0, 2) === "on") node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    });
    for (let i = 2; i < arguments.length; i++) tr.append(node, arguments[i]);
    return node;
  };

  tr.append = (node, child) => {
    if (child === null || child === undefined) return;
    if (Array.isArray(child))
      child.forEach((c) => {
        tr.append(node, c);
      });
    else node.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
  };

  tr.replace = function (node) {
    node.textContent = "";
    for (let i = 1; i < arguments.length; i++) tr.append(node, arguments[i]);
  };

  tr.byId = (id) => document.getElementById(id);

  // Plotly reads a little markup in its labels; an escaped name stays a name.
  tr.label = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  // Names that would fill a figure are cut there; hovering gives them whole.
  tr.short = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

  // Three significant digits.
  tr.number = (value) => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e5 || size < 1e-4) return value.toExponential(2).replace("e+", "e").replace("-", "−").replace("e-", "e−");
    const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
    return value.toFixed(digits).replace("-", "−");
  };

  // A setting as it was given.
  tr.plain = (value) => String(value).replace("-", "−");

  // A score is a number, or the reason why there is none.
  tr.defined = (score) => typeof score === "number";
  tr.score = (score) => (tr.defined(score) ? tr.number(score) : "–");

  tr.rank = (rank) => (rank === null ? "" : rank % 1 === 0 ? String(rank) : rank.toFixed(1));

  tr.percent = (share) => {
    const value = 100 * share;
    return `${(Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(1)).replace("-", "−")} %`;
  };

  tr.count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

  // Base64 of little-endian doubles: the very numbers of the run.
  tr.decode = (text, Type) => {
    const binary = atob(text),
      n = binary.length,
      bytes = new Uint8Array(n);
    for (let i = 0; i < n; i++) bytes[i] = binary.charCodeAt(i);
    return new Type(bytes.buffer);
  };

  // Letters that stand for 15 bits each (page/packed_numbers.rs), to so many bytes.
  tr.fromLetters = (text, length) => {
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

  // Text that only a screen reader gets.
  tr.announce = (text) => {
    const node = tr.byId("announce");
    if (node && node.textContent !== text) node.textContent = text;
  };
})(tailrank);
