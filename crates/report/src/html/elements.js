"use strict";
// Small helpers that the report and the explorer share. No libraries, no requests.

const SVG = "http://www.w3.org/2000/svg";

/** Sets attributes and adds children; text is never read as markup. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** An element of the page. */
const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An element of a drawing. */
const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const grouped = (n) => (n === null || n === undefined ? "not known" : String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ","));
const shown = (value) => (value === null || value === undefined ? "undefined" : String(value));
const seconds = (s) => (s < 1 ? s.toFixed(3) : s.toFixed(1)) + " s";
const bytes = (b) => (b >= 1e9 ? (b / 1e9).toFixed(2) + " GB" : (b / 1e6).toFixed(1) + " MB");
const shortened = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

/** `a: 1, b: 2` */
const listed = (values) =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(", ");

const verdict = (word) => make("span", { class: "verdict " + word }, word);
const section = (title, ...content) => make("section", {}, make("h2", {}, title), ...content);

/** Names and values, without those that are not known. */
function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return make(
    "dl",
    {},
    known.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
  );
}

/** A table in a box of its own that scrolls sideways. */
function table(head, rows) {
  const titles = head
    ? make(
        "thead",
        {},
        make(
          "tr",
          {},
          head.map((title) => make("th", { scope: "col" }, title)),
        ),
      )
    : null;
  return make("div", { class: "scroll" }, make("table", {}, titles, make("tbody", {}, rows)));
}

/** The text of the model, with numbered lines. `show` marks one of them. */
function sourceView(text) {
  const lines = text
    .split("\n")
    .map((line, i) =>
      make("div", { class: "line", id: "line-" + (i + 1) }, make("span", { class: "no" }, String(i + 1)), line || " "),
    );
  const box = make(
    "div",
    { class: "source", tabindex: "0", "aria-label": "source of the model" },
    make("pre", {}, lines),
  );
  let chosen = null;
  const show = (number, scroll) => {
    if (chosen) chosen.classList.remove("chosen");
    chosen = lines[number - 1] ?? null;
    if (!chosen) return;
    chosen.classList.add("chosen");
    box.scrollTop = chosen.offsetTop - box.offsetTop - box.clientHeight / 3;
    if (scroll) box.scrollIntoView({ block: "nearest" });
  };
  const mark = (number, note) => {
    const line = lines[number - 1];
    if (line) line.append(make("span", { class: "note" }, note));
  };
  return { element: box, show, mark };
}

/** A place in the source as a link to its line; as text where the source is not at hand. */
function placeLink(place, source) {
  if (!place) return null;
  const text = place.file.split("/").pop() + ":" + place.line;
  if (!source) return make("span", { class: "mono" }, text);
  const show = (event) => {
    event.preventDefault();
    source.show(place.line, true);
  };
  return make("a", { href: "#line-" + place.line, class: "mono place", onclick: show }, text);
}
