// The namespace, elements, numbers and text. Names come from data: they become text nodes, never markup.
"use strict";
var tailrank = {};

(function (tr) {
  // An element with attributes and children; strings become text.
  tr.h = function (tag, attributes) {
    var node = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      var value = attributes[name];
      if (value === null || value === undefined || value === false) return;
      if (name.slice(0, 2) === "on") node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    });
    for (var i = 2; i < arguments.length; i++) tr.append(node, arguments[i]);
    return node;
  };

  tr.append = function (node, child) {
    if (child === null || child === undefined) return;
    if (Array.isArray(child)) child.forEach(function (c) { tr.append(node, c); });
    else node.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
  };

  tr.replace = function (node) {
    node.textContent = "";
    for (var i = 1; i < arguments.length; i++) tr.append(node, arguments[i]);
  };

  tr.byId = function (id) { return document.getElementById(id); };

  // Plotly reads a little markup in its labels; an escaped name stays a name.
  tr.label = function (text) {
    return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  };

  // Three significant digits.
  tr.number = function (value) {
    if (value === 0) return "0";
    var size = Math.abs(value);
    if (size >= 1e5 || size < 1e-4) return value.toExponential(2).replace("e+", "e").replace("-", "−").replace("e-", "e−");
    var digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
    return value.toFixed(digits).replace("-", "−");
  };

  // A setting as it was given.
  tr.plain = function (value) { return String(value).replace("-", "−"); };

  // A score is a number, or the reason why there is none.
  tr.defined = function (score) { return typeof score === "number"; };
  tr.score = function (score) { return tr.defined(score) ? tr.number(score) : "–"; };

  tr.rank = function (rank) { return rank === null ? "" : rank % 1 === 0 ? String(rank) : rank.toFixed(1); };

  tr.percent = function (share) {
    var value = 100 * share;
    return (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(1)).replace("-", "−") + " %";
  };

  tr.count = function (n, one, many) { return n.toLocaleString("en").replace(/,/g, " ") + " " + (n === 1 ? one : many); };

  // Base64 of little-endian doubles: the very numbers of the run.
  tr.decode = function (text, Type) {
    var binary = atob(text), n = binary.length, bytes = new Uint8Array(n);
    for (var i = 0; i < n; i++) bytes[i] = binary.charCodeAt(i);
    return new Type(bytes.buffer);
  };

  // Text that only a screen reader gets.
  tr.announce = function (text) {
    var node = tr.byId("announce");
    if (node && node.textContent !== text) node.textContent = text;
  };
})(tailrank);
