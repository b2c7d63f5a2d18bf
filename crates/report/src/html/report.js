"use strict";
// Draws a report from the JSON in the page: what `--json` writes, with the source beside it. No libraries, no requests.

const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;
const ROW = 28;

/** An element with attributes and children; text is never read as markup. */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "line", "path", "text", "title", "polyline"].includes(tag) && attributes.svg !== false;
  const element = svg && attributes.svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "svg" || value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}
const draw = (tag, attributes, ...children) => make(tag, { ...attributes, svg: true }, ...children);

const grouped = (n) => (n === null || n === undefined ? "not known" : String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ","));
const shown = (value) => (value === null ? "undefined" : String(value));
const seconds = (s) => (s < 1 ? s.toFixed(3) : s.toFixed(1)) + " s";
const bytes = (b) => (b >= 1e9 ? (b / 1e9).toFixed(2) + " GB" : (b / 1e6).toFixed(1) + " MB");
const verdict = (word) => make("span", { class: "verdict " + word }, word);

function section(title, ...content) {
  return make("section", {}, make("h2", {}, title), ...content);
}

function facts(pairs) {
  return make("dl", {}, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]).flat());
}

// ---- the source --------------------------------------------------------------------------------------------------

const lines = new Map();
function sourceView() {
  if (!data.source) return null;
  const pre = make("pre", {});
  data.source.split("\n").forEach((text, i) => {
    const line = make("div", { class: "line", id: "line-" + (i + 1) }, make("span", { class: "no" }, String(i + 1)), text || " ");
    lines.set(i + 1, line);
    pre.append(line);
  });
  return section("Source", make("div", { class: "source", tabindex: "0", "aria-label": "source of the model" }, pre));
}

function showLine(number, scroll) {
  for (const line of lines.values()) line.classList.remove("chosen");
  const line = lines.get(number);
  if (!line) return;
  line.classList.add("chosen");
  const box = line.closest(".source");
  box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 3;
  if (scroll) box.scrollIntoView({ block: "nearest" });
}

function place(at) {
  if (!at) return null;
  const text = at.file + ":" + at.line;
  if (!data.source) return make("span", { class: "mono" }, text);
  return make("a", { href: "#line-" + at.line, class: "mono", onclick: (e) => { e.preventDefault(); showLine(at.line, true); } }, text);
}

// ---- a state as a tree -------------------------------------------------------------------------------------------

/** `a[P_0].b` becomes a, P_0, b. */
function path(name) {
  return name.split(/[.[\]]+/).filter((part) => part !== "");
}

function tree(state) {
  const root = new Map();
  for (const name of Object.keys(state)) {
    let node = root;
    const parts = path(name);
    parts.forEach((part, i) => {
      if (i + 1 === parts.length) node.set(part, name);
      else {
        if (!(node.get(part) instanceof Map)) node.set(part, new Map());
        node = node.get(part);
      }
    });
  }
  return root;
}

/** The names that a step changed: what the JSON says. */
function changes(step) {
  return new Set(Object.keys(step.changed ?? {}));
}

function drawState(step, before, options) {
  const changed = changes(step);
  const wanted = (name) => (!options.filter || name.toLowerCase().includes(options.filter.toLowerCase()))
    && (!options.onlyChanged || changed.has(name) || step.kind === "start");
  const value = (name) => {
    const now = make("span", { class: "value" + (changed.has(name) ? " changed" : ""), "data-name": name }, shown(step.state[name]));
    if (!changed.has(name) || !before || !(name in before.state)) return now;
    return make("span", {}, make("span", { class: "was value" }, shown(before.state[name])), " → ", now);
  };
  const names = (node) => (node instanceof Map ? [...node.values()].flatMap(names) : [node]);
  const level = (node) => [...node].map(([part, inner]) => {
    const inside = names(inner).filter(wanted);
    if (inside.length === 0) return null;
    if (!(inner instanceof Map)) return make("div", { class: "leaf" }, part + ": ", value(inner));
    const touched = inside.some((name) => changed.has(name));
    return make("details", { open: touched || inside.length <= 12 }, make("summary", { class: touched ? "changed" : "" }, part), level(inner));
  });
  if (!step.state) return [make("p", { class: "error" }, "This step goes wrong and leads to no state.")];
  const all = { ...step.state };
  for (const name of changed) if (!(name in all)) all[name] = null;
  const drawn = level(tree(all)).filter((node) => node !== null);
  return drawn.length ? drawn : [make("p", { class: "faint" }, "Nothing to show here.")];
}

// ---- lanes: one per process --------------------------------------------------------------------------------------

/** The process of a step: its first parameter. */
function lane(step) {
  const values = Object.values(step.parameters);
  return values.length ? shown(values[0]) : "(no process)";
}

/** Processes whose variables a step changes, or whose name it writes: what it says to others. */
function touched(step, own, all) {
  const found = new Set();
  for (const [name, value] of Object.entries(step.changed ?? {})) {
    for (const part of path(name)) if (all.includes(part) && part !== own) found.add(part);
    if (typeof value === "string" && all.includes(value) && value !== own) found.add(value);
  }
  return [...found];
}

function lanesView(steps, back, choose) {
  const names = [...new Set(steps.map(lane))];
  if (names.length > 30 || steps.length > 400) return { element: make("p", { class: "faint" }, "Lanes are drawn for runs of up to 400 steps and 30 processes."), mark() {} };
  const gap = 150, top = 34, left = 20, high = 26;
  const x = (name) => left + names.indexOf(name) * gap + gap / 2;
  const y = (i) => top + i * high + high / 2;
  const width = left * 2 + names.length * gap, height = top + steps.length * high + 10;
  const svg = draw("svg", { width, height, role: "img", "aria-label": "one lane per process" });
  for (const name of names) {
    svg.append(draw("line", { x1: x(name), x2: x(name), y1: top - 8, y2: height - 6, class: "rail" }),
      draw("text", { x: x(name), y: 18, "text-anchor": "middle" }, name));
  }
  const events = steps.map((step, i) => {
    const own = lane(step);
    for (const other of touched(step, own, names)) {
      const dx = x(other) > x(own) ? -1 : 1;
      svg.append(draw("line", { x1: x(own), x2: x(other) + dx * 7, y1: y(i), y2: y(i), class: "arrow" }),
        draw("path", { d: `M ${x(other)} ${y(i)} l ${dx * 8} -4 v 8 z`, class: "head" }));
    }
    const label = step.rule.length > 20 ? step.rule.slice(0, 19) + "…" : step.rule;
    const event = draw("g", { class: "event", onclick: () => choose(i) },
      draw("rect", { x: x(own) - gap / 2 + 6, y: y(i) - 10, width: gap - 12, height: 20, rx: 4 }),
      draw("text", { x: x(own), y: y(i) + 4, "text-anchor": "middle" }, label),
      draw("title", {}, step.rule));
    svg.append(event);
    return event;
  });
  if (back !== null && back !== undefined) {
    const last = y(steps.length - 1), first = y(back);
    svg.append(draw("path", { d: `M ${left - 4} ${last} H 6 V ${first} H ${left - 4}`, class: "loop" }), draw("path", { d: `M ${left + 2} ${first} l -8 -4 v 8 z`, class: "head" }));
  }
  const box = make("div", { class: "lanes", tabindex: "0", "aria-label": "lanes of the run" }, svg);
  return {
    element: box,
    mark(at) {
      events.forEach((event, i) => event.classList.toggle("chosen", i === at));
      const target = y(at);
      if (target < box.scrollTop + top || target > box.scrollTop + box.clientHeight - high) box.scrollTop = target - box.clientHeight / 2;
    },
  };
}

// ---- time of timed runs ------------------------------------------------------------------------------------------

function timeAxis(steps, choose) {
  const times = steps.map((step) => (step.time && step.time.decimal !== undefined ? Number(step.time.decimal) : null));
  if (times.some((time) => time === null || Number.isNaN(time)) || times.length === 0) return null;
  const width = 900, most = Math.max(...times, 1e-9);
  const x = (time) => 20 + (time / most) * (width - 60);
  const svg = draw("svg", { viewBox: `0 0 ${width} 60`, width: "100%", class: "plot", role: "img", "aria-label": "time axis" },
    draw("line", { x1: 20, x2: width - 40, y1: 30, y2: 30, class: "axis" }));
  times.forEach((time, i) => svg.append(draw("rect", { x: x(time) - 2, y: 22, width: 4, height: 16, class: "bar", onclick: () => choose(i) }, draw("title", {}, `step ${i} at time ${time}`))));
  for (let i = 0; i <= 5; i++) svg.append(draw("text", { x: x((most * i) / 5), y: 54, "text-anchor": "middle" }, ((most * i) / 5).toPrecision(3)));
  return make("div", { class: "scroll" }, svg);
}

// ---- a run -------------------------------------------------------------------------------------------------------

function traceView(property, steps, back) {
  const options = { filter: "", onlyChanged: false };
  let at = 0;
  const rulePlace = new Map(report.rules.map((rule) => [rule.rule, rule.place]));
  const list = make("div", { class: "steps", tabindex: "0", role: "listbox", "aria-label": "steps of the run" });
  const room = make("div", { class: "room", style: `height: ${steps.length * ROW}px` });
  list.append(room);
  const state = make("div", { class: "state", tabindex: "0", "aria-label": "the state" });
  const about = make("div", { "aria-live": "polite" });
  const parameters = (step) => Object.entries(step.parameters).map(([name, value]) => `${name}: ${shown(value)}`).join(", ");

  // Only the rows in view exist: a run may have thousands of steps.
  function rows() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const last = Math.min(steps.length, first + Math.ceil(list.clientHeight / ROW) + 10);
    const drawn = [];
    for (let i = first; i < last; i++) {
      const loop = back !== null && back !== undefined && i > back;
      drawn.push(make("div", {
        class: "step" + (i === at ? " chosen" : "") + (loop ? " loop" : ""), role: "option", "aria-selected": String(i === at),
        style: `top: ${i * ROW}px`, "data-step": i, onclick: () => choose(i),
      }, make("span", { class: "at" }, String(i)), steps[i].rule, make("span", { class: "faint" }, " " + parameters(steps[i]))));
    }
    room.replaceChildren(...drawn);
  }
  const lanes = lanesView(steps, back, choose);

  function choose(i) {
    at = Math.max(0, Math.min(steps.length - 1, i));
    const step = steps[at];
    const top = at * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    rows();
    const before = at > 0 ? steps[at - 1] : null;
    state.replaceChildren(...drawState(step, before, options));
    const where = rulePlace.get(step.rule);
    about.replaceChildren(
      make("p", {}, make("strong", {}, `Step ${at} of ${steps.length - 1}: `), step.rule, " ", make("span", { class: "faint" }, parameters(step)), " ", place(where)),
      ...(step.reasons ?? []).map((reason) => make("p", { class: "unknown" }, reason)),
      ...(back !== null && back !== undefined && at === steps.length - 1 ? [make("p", { class: "unknown" }, `From here the run goes on as from step ${back}, for ever.`)] : []),
    );
    if (where) showLine(where.line, false);
    lanes.mark(at);
  }
  const keys = (e) => {
    if (e.target.tagName === "INPUT") return;
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 };
    if (e.key in moves) choose(at + moves[e.key]);
    else if (e.key === "Home") choose(0);
    else if (e.key === "End") choose(steps.length - 1);
    else return;
    e.preventDefault();
  };
  list.addEventListener("scroll", rows);
  const filter = make("input", { type: "search", placeholder: "filter variables", "aria-label": "filter variables", oninput: () => { options.filter = filter.value; choose(at); } });
  const only = make("button", { "aria-pressed": "false", onclick: () => { options.onlyChanged = !options.onlyChanged; only.setAttribute("aria-pressed", String(options.onlyChanged)); choose(at); } }, "only what changed");
  const box = make("div", { class: "run", onkeydown: keys, "data-steps": steps.length },
    make("div", { class: "tools" },
      make("button", { onclick: () => choose(0), "aria-label": "first step" }, "|◀"), make("button", { onclick: () => choose(at - 1), "aria-label": "previous step" }, "◀"),
      make("button", { onclick: () => choose(at + 1), "aria-label": "next step" }, "▶"), make("button", { onclick: () => choose(steps.length - 1), "aria-label": "last step" }, "▶|"),
      filter, only, make("span", { class: "faint" }, "keys: ↑ ↓ PgUp PgDn Home End")),
    about, make("div", { class: "trace" }, list, state), lanes.element, timeAxis(steps, choose));
  requestAnimationFrame(() => choose(steps.length - 1));
  return box;
}

// ---- the parts of the page ---------------------------------------------------------------------------------------

function properties() {
  const rows = report.properties.map((property, i) => make("tr", {},
    make("td", {}, verdict(property.verdict)), make("td", {}, property.kind),
    make("td", {}, property.trace ? make("a", { href: "#run-" + i }, property.name) : property.name,
      property.value !== undefined && property.value !== null ? make("span", { class: "mono" }, " = " + property.value) : null,
      property.reason ? make("span", { class: "faint" }, " " + property.reason) : null),
    make("td", {}, place(property.place))));
  return section("Properties", make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ["verdict", "kind", "property", "place"].map((name) => make("th", {}, name)))), make("tbody", {}, rows))));
}

function runs() {
  return report.properties.map((property, i) => {
    if (!property.trace) return null;
    const head = property.verdict === "holds" ? "A run that shows it: " : "Violated: ";
    const block = section(head + property.name, property.message ? make("p", { class: property.verdict }, property.message) : null,
      traceView(property, property.trace, property.loop));
    block.id = "run-" + i;
    return block;
  });
}

function work() {
  const symmetry = report.symmetry;
  const factor = report.full_states && report.states && !Number.isNaN(Number(report.full_states)) && Number(report.full_states) > Number(report.states)
    ? (Number(report.full_states) / Number(report.states)).toFixed(1) + " times fewer" : null;
  return section("What was done", facts([
    ["engine", report.engine], ["reduction", report.reduction + (report.exact ? "" : " (representatives are not unique)")],
    ["symmetry", symmetry.structure === "trivial" ? "none" : `${symmetry.structure} of order ${symmetry.order}, ${symmetry.verified ? "verified" : "not verified"}${symmetry.derived ? ", " + symmetry.derived : ""}`],
    [report.reduction === "none" ? "states" : "orbits", grouped(report.states)],
    ["states they stand for", report.full_states === null ? null : grouped(report.full_states)], ["saved", factor],
    ["rules fired", report.rules_fired === null ? null : grouped(report.rules_fired)], ["depth", report.depth === null ? null : grouped(report.depth)],
    ["time", seconds(report.time_s)], ["memory", bytes(Number(report.peak_memory_bytes))],
    ["stopped by", report.limit], ["assumes", report.assumptions.join("; ")],
    ["constants", Object.entries(report.constants).map(([name, value]) => `${name} = ${shown(value)}`).join(", ")],
  ]));
}

function broken() {
  const all = report.symmetry.asymmetric;
  if (!all || all.length === 0) return null;
  return section("What breaks the symmetry", make("div", { class: "scroll" }, make("table", {}, make("tbody", {}, all.map((item) => make("tr", {},
    make("td", {}, item.kind + " " + item.name), make("td", { class: "mono" }, item.blocks), make("td", {}, item.reason), make("td", {}, place(item.place))))))));
}

function levels() {
  const counts = report.levels;
  if (!counts || counts.length < 2) return null;
  const width = 900, height = 180, most = Math.max(...counts);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height + 30}`, width: "100%", class: "plot", role: "img", "aria-label": "states per level" });
  const bar = (width - 60) / counts.length;
  counts.forEach((count, i) => svg.append(draw("rect", { x: 50 + i * bar, y: height - (count / most) * (height - 20), width: Math.max(.5, bar - 1), height: (count / most) * (height - 20), class: "bar" }, draw("title", {}, `level ${i}: ${grouped(count)}`))));
  svg.append(draw("line", { x1: 50, x2: width - 10, y1: height, y2: height, class: "axis" }),
    draw("text", { x: 46, y: 24, "text-anchor": "end" }, grouped(most)), draw("text", { x: 46, y: height, "text-anchor": "end" }, "0"),
    draw("text", { x: 50, y: height + 18 }, "level 0"), draw("text", { x: width - 10, y: height + 18, "text-anchor": "end" }, "level " + (counts.length - 1)));
  return section(report.reduction === "none" ? "States per level" : "Orbits per level", svg);
}

function coverage() {
  if (!report.rules || report.rules.length === 0) return null;
  const rules = [...report.rules].sort((a, b) => Number(a.fired) - Number(b.fired));
  const never = rules.filter((rule) => Number(rule.fired) === 0).length;
  return section("Rules", make("p", { class: never ? "unknown" : "faint" }, never ? `${never} of ${rules.length} rules never fired.` : "Every rule fired."),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ["rule", "fired", "place"].map((name) => make("th", {}, name)))),
      make("tbody", {}, rules.map((rule) => make("tr", {}, make("td", { class: Number(rule.fired) === 0 ? "unknown" : "" }, rule.rule), make("td", { class: "number" }, grouped(rule.fired)), make("td", {}, place(rule.place))))))));
}

function warnings() {
  if (report.warnings.length === 0) return null;
  return section("Warnings", report.warnings.map((warning) => make("p", {}, make("code", {}, warning.code), " ", warning.message, " ", place(warning.place))));
}

const source = sourceView();
document.getElementById("page").replaceChildren(
  ...[make("header", {}, make("h1", {}, report.model, ": ", verdict(report.verdict)), make("p", { class: "faint" }, `Burnside ${data.version}, ${report.language}`)),
    properties(), work(), ...runs(), levels(), coverage(), broken(), warnings(), source].filter((part) => part !== null));
