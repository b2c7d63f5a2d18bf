"use strict";
// A state as a tree: `a[P_0].b` stands under a, then P_0, then b. What a step changed is marked, up to the root.

/** The parts of a name. */
const parts = (name) => name.split(/[.[\]]+/).filter((part) => part !== "");

/** Names as a tree of maps, whose leaves are the whole names. */
function tree(names) {
  const root = new Map();
  for (const name of names) {
    let node = root;
    const way = parts(name);
    way.forEach((part, i) => {
      if (i + 1 === way.length) node.set(part, name);
      else {
        if (!(node.get(part) instanceof Map)) node.set(part, new Map());
        node = node.get(part);
      }
    });
  }
  return root;
}

const leaves = (node) => (node instanceof Map ? [...node.values()].flatMap(leaves) : [node]);

/**
 * Draws a state. `changed` maps the names that changed to their values before, undefined where these are not known.
 * Options: `filter`, a text that names must contain; `onlyChanged`; `open`, a set of branches that the reader opened.
 */
function stateTree(values, changed, options = {}) {
  const filter = (options.filter ?? "").toLowerCase();
  const wanted = (name) =>
    (!filter || name.toLowerCase().includes(filter)) && (!options.onlyChanged || changed.has(name));
  const value = (name) => {
    const now = make(
      "span",
      { class: "value" + (changed.has(name) ? " changed" : ""), "data-name": name },
      name in values ? shown(values[name]) : "(unused)",
    );
    const before = changed.get(name);
    if (before === undefined) return now;
    return make("span", {}, make("span", { class: "was value" }, shown(before)), " → ", now);
  };
  const level = (node, above) =>
    [...node].map(([part, inner]) => {
      const inside = leaves(inner).filter(wanted);
      if (inside.length === 0) return null;
      if (!(inner instanceof Map))
        return make("div", { class: "leaf" }, make("span", { class: "name" }, part + ": "), value(inner));
      const touched = inside.some((name) => changed.has(name));
      const small = inside.length <= 12;
      const summary = make(
        "summary",
        { class: touched ? "touched" : "" },
        part,
        small || touched ? null : make("span", { class: "faint" }, ` ${inside.length} values`),
      );
      return make("details", { open: touched || small }, summary, level(inner, above + part + "."));
    });
  const names = new Set([...Object.keys(values), ...changed.keys()]);
  const drawn = level(tree(names), "").filter((node) => node !== null);
  return drawn.length > 0 ? drawn : [make("p", { class: "faint" }, "Nothing to show here.")];
}
