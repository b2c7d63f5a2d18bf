"use strict";
// The graph of orbits: one node for each representative, one layer for each distance from the start. Drawn on a canvas, with
// pan and zoom; collapsed by the value of an expression, where one node stands for all orbits with that value.

const NODE = 26;
const PER_ROW = 70;

/**
 * Places nodes layer by layer. Within a layer they are ordered by the mean position of their neighbours, up and down a few
 * times; a layer that is too wide takes several rows.
 */
function layered(nodes, edges) {
  const layers = [];
  nodes.forEach((node, i) => (layers[node.depth] ??= []).push(i));
  const neighbours = { up: nodes.map(() => []), down: nodes.map(() => []) };
  for (const [from, to] of edges) {
    if (nodes[to].depth > nodes[from].depth) {
      neighbours.up[to].push(from);
      neighbours.down[from].push(to);
    }
  }
  const position = new Array(nodes.length).fill(0);
  const place = (layer) =>
    layer.forEach((node, i) => {
      position[node] = i - (layer.length - 1) / 2;
    });
  layers.forEach(place);
  for (let sweep = 0; sweep < 6; sweep++) {
    const [way, order] = sweep % 2 === 0 ? ["up", layers] : ["down", [...layers].reverse()];
    for (const layer of order) {
      const mean = new Map(
        layer.map((node) => {
          const near = neighbours[way][node];
          return [
            node,
            near.length ? near.reduce((sum, other) => sum + position[other], 0) / near.length : position[node],
          ];
        }),
      );
      layer.sort((a, b) => mean.get(a) - mean.get(b));
      place(layer);
    }
  }
  let y = 0;
  const at = new Array(nodes.length);
  for (const layer of layers.filter((layer) => layer)) {
    const rows = Math.ceil(layer.length / PER_ROW),
      wide = Math.ceil(layer.length / rows);
    layer.forEach((node, i) => {
      const row = i % rows,
        column = Math.floor(i / rows);
      at[node] = { x: (column - (wide - 1) / 2) * NODE + (row % 2) * (NODE / 2), y: y + row * NODE };
    });
    y += rows * NODE + NODE * 1.6;
  }
  return at;
}

/** One node for each value: the nodes of a class together, with the edges between classes. */
function collapsed(graph, classes) {
  const numbers = new Map(),
    nodes = [],
    of = [];
  graph.nodes.forEach((node, i) => {
    const name = classes[i];
    if (!numbers.has(name)) {
      numbers.set(name, nodes.length);
      nodes.push({ depth: node.depth, label: name, members: [], bad: false });
    }
    const number = numbers.get(name);
    of.push(number);
    nodes[number].members.push(i);
    nodes[number].depth = Math.min(nodes[number].depth, node.depth);
    nodes[number].bad ||= node.bad;
  });
  const edges = new Map();
  for (const [from, to, rules] of graph.edges) {
    const key = of[from] + " " + of[to];
    if (!edges.has(key)) edges.set(key, [of[from], of[to], new Set()]);
    rules.forEach((rule) => edges.get(key)[2].add(rule));
  }
  return { nodes, edges: [...edges.values()].map(([from, to, rules]) => [from, to, [...rules]]), rules: graph.rules };
}

/** The section of the page. `walkTo` loads a walk. */
function graphSection(ask, doing, walkTo) {
  const it = { whole: null, shown: null, at: [], found: null, chosen: -1, scale: 1, x: 0, y: 0 };
  const canvas = make("canvas", {
    class: "graph",
    tabindex: "0",
    role: "img",
    "aria-label": "graph of orbits: drag to move, scroll or + and - to zoom, click a node",
  });
  const about = make("div", { class: "about", "aria-live": "polite" });
  const input = (label, more) =>
    make("input", { "aria-label": label, placeholder: label, spellcheck: "false", ...more });
  const most = input("at most so many orbits", { type: "number", value: "500", min: "1", max: "5000", class: "most" });
  const by = input("collapse by an expression", { type: "text", class: "by", onchange: doing(() => show()) });
  const search = input("search by a condition", { type: "text", class: "search", onchange: doing(() => seek()) });
  const box = make("div", { class: "graph-room", hidden: true }, canvas, about);

  async function explore() {
    it.whole = await ask("graph", { most: Number(most.value) });
    it.found = null;
    box.hidden = false;
    await show();
  }

  /** Lays the graph out, collapsed if an expression is given. */
  async function show() {
    if (!it.whole) return;
    const text = by.value.trim();
    const classes = text === "" ? null : (await ask("classes", { text })).classes;
    const begun = performance.now();
    it.shown = classes ? collapsed(it.whole, classes) : it.whole;
    it.at = layered(it.shown.nodes, it.shown.edges);
    it.chosen = -1;
    fit();
    canvas.setAttribute("data-nodes", it.shown.nodes.length);
    canvas.setAttribute("data-drawn-ms", (performance.now() - begun).toFixed(0));
    const orbits = `${grouped(it.whole.nodes.length)} orbits, ${grouped(it.whole.edges.length)} edges`;
    say(
      orbits +
        (it.whole.all ? ": all that can be reached." : "; there are more.") +
        (classes ? ` Collapsed to ${it.shown.nodes.length} nodes.` : ""),
    );
    if (search.value.trim()) await seek();
  }

  /** Marks the orbits where a condition holds. */
  async function seek() {
    if (!it.whole) return;
    const text = search.value.trim();
    it.found = text === "" ? null : (await ask("classes", { text })).classes.map((value) => value === "true");
    if (it.found)
      say(
        `${grouped(it.found.filter((found) => found).length)} of ${grouped(it.found.length)} orbits satisfy ${text}.`,
      );
    redraw();
  }

  const say = (...content) => about.replaceChildren(make("p", {}, ...content));
  const isFound = (node, i) =>
    it.found !== null && (node.members ? node.members.some((member) => it.found[member]) : it.found[i]);

  function fit() {
    const xs = it.at.map((point) => point.x),
      ys = it.at.map((point) => point.y);
    const wide = canvas.clientWidth || 900,
      high = canvas.clientHeight || 480;
    const [left, right, top, bottom] = [xs, ys].flatMap((list) => [
      list.reduce((a, b) => Math.min(a, b), 0),
      list.reduce((a, b) => Math.max(a, b), 0),
    ]);
    it.scale = Math.min(1.5, (wide - 60) / (right - left + 1), (high - 60) / (bottom - top + 1));
    it.x = wide / 2 - ((left + right) / 2) * it.scale;
    it.y = high / 2 - ((top + bottom) / 2) * it.scale;
    redraw();
  }

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function redraw() {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    if (!it.shown) return;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio * it.scale, 0, 0, ratio * it.scale, ratio * it.x, ratio * it.y);
    edgesOf(pen);
    nodesOf(pen);
  }

  function edgesOf(pen) {
    pen.lineWidth = Math.max(0.8, 0.5 / it.scale);
    const paths = { "--edge": new Path2D(), "--back": new Path2D(), "--accent": new Path2D() };
    for (const [from, to] of it.shown.edges) {
      if (from === to) continue;
      const a = it.at[from],
        b = it.at[to];
      const forward = it.shown.nodes[to].depth > it.shown.nodes[from].depth;
      const path = paths[from === it.chosen || to === it.chosen ? "--accent" : forward ? "--edge" : "--back"];
      path.moveTo(a.x, a.y);
      if (forward) path.lineTo(b.x, b.y);
      else
        path.quadraticCurveTo(
          (a.x + b.x) / 2 + (b.y - a.y || NODE) * 0.3,
          (a.y + b.y) / 2 + (a.x - b.x) * 0.2 - NODE / 3,
          b.x,
          b.y,
        );
    }
    for (const [name, path] of Object.entries(paths)) {
      pen.strokeStyle = color(name);
      pen.stroke(path);
    }
  }

  function nodesOf(pen) {
    const [plain, bad, mark, ink, start] = ["--node", "--bad", "--found", "--ink", "--good"].map(color);
    it.shown.nodes.forEach((node, i) => {
      const { x, y } = it.at[i];
      const size = node.members ? Math.min(11, 5 + Math.log2(node.members.length)) : 5;
      pen.beginPath();
      pen.arc(x, y, size, 0, 2 * Math.PI);
      pen.fillStyle = isFound(node, i) ? mark : node.bad ? bad : node.depth === 0 ? start : plain;
      pen.fill();
      if (i === it.chosen) {
        pen.strokeStyle = ink;
        pen.lineWidth = 2;
        pen.stroke();
      }
      if (node.label !== undefined) {
        pen.fillStyle = ink;
        pen.font = "10px system-ui, sans-serif";
        pen.fillText(shortened(node.label, 24), x + size + 2, y + 3);
      }
    });
  }

  /** What is known of a node that was clicked. */
  async function choose(i) {
    it.chosen = i;
    redraw();
    const node = it.shown.nodes[i];
    const member = node.members ? node.members[0] : i;
    const state = await ask("state", { state: it.whole.nodes[member].state });
    const out = it.shown.edges.filter(([from]) => from === i);
    const rules = new Set(out.flatMap(([, , list]) => list.map((rule) => it.shown.rules[rule])));
    const go = make(
      "button",
      {
        class: "go",
        onclick: doing(async () => {
          await walkTo((await ask("node", { node: member })).choices);
          canvas.closest("main").scrollIntoView();
        }),
      },
      "Walk there",
    );
    about.replaceChildren(
      make(
        "p",
        {},
        node.members ? `${node.label}: ${grouped(node.members.length)} orbits, the first at ` : "An orbit at ",
        `distance ${it.whole.nodes[member].depth}`,
        it.whole.nodes[member].size ? `, of ${grouped(it.whole.nodes[member].size)} states. ` : ". ",
        go,
      ),
      make("p", { class: "faint" }, `${out.length} edges out: ${[...rules].join("; ") || "none"}`),
      make("div", { class: "state" }, stateTree(state.values, new Map()), drawClocks(state.clocks, new Set())),
    );
  }

  // ---- the mouse and the keyboard
  const near = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - it.x) / it.scale,
      y = (event.clientY - box.top - it.y) / it.scale;
    let best = -1,
      least = (12 / Math.min(1, it.scale)) ** 2;
    it.at.forEach((point, i) => {
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    return best;
  };
  const zoom = (by, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
    const scale = Math.max(0.02, Math.min(8, it.scale * by));
    it.x = x - (x - it.x) * (scale / it.scale);
    it.y = y - (y - it.y) * (scale / it.scale);
    it.scale = scale;
    redraw();
  };
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, y: event.clientY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    [it.x, it.y, drag] = [it.x + dx, it.y + dy, { x: event.clientX, y: event.clientY, moved: true }];
    redraw();
  });
  canvas.addEventListener(
    "pointerup",
    doing(async (event) => {
      const clicked = drag && !drag.moved;
      drag = null;
      const node = clicked && it.shown ? near(event) : -1;
      if (node >= 0) await choose(node);
    }),
  );
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
  canvas.addEventListener(
    "keydown",
    doing(async (event) => {
      const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (by) {
        it.x += by[0];
        it.y += by[1];
        redraw();
      } else if (event.key === "+" || event.key === "=") zoom(1.25);
      else if (event.key === "-") zoom(0.8);
      else if (event.key === "0") fit();
      else if ((event.key === "n" || event.key === "p") && it.shown) {
        const count = it.shown.nodes.length;
        await choose((it.chosen + (event.key === "n" ? 1 : count - 1) + count) % count);
      } else return;
      event.preventDefault();
    }),
  );
  new ResizeObserver(redraw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  return section(
    "Graph of what can be reached",
    make(
      "div",
      { class: "tools" },
      make("button", { class: "draw", onclick: doing(explore) }, "Draw the graph"),
      most,
      by,
      search,
      make("button", { onclick: () => it.shown && fit() }, "Fit"),
    ),
    make(
      "p",
      { class: "faint" },
      "One node for each orbit, one layer for each step from the start. Drag to move, scroll to zoom; keys: arrows, + − 0, n and p for the next node.",
    ),
    box,
  );
}
