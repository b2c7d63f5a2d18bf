"use strict";
// One lane per process, with what it did from top to bottom, and an arrow to each process that it told something: whose
// variables it changed, whose name it wrote, or with whom it took a step together. Only what is in view is drawn.

const LANE = { width: 150, head: 26, top: 8, left: 24, row: 26 };

/** The process of a step: that of its first edge, or its first parameter. */
function processOf(step) {
  if (step.kind === "start") return "start";
  if (step.process) return step.process;
  if (step.edges && step.edges.length > 0) return step.edges[0].process;
  const values = Object.values(step.parameters ?? {});
  return values.length > 0 ? shown(values[0]) : "(no process)";
}

/** The other processes that a step concerns. */
function concerned(step, own, all) {
  const found = new Set();
  for (const edge of (step.edges ?? []).slice(1)) found.add(edge.process);
  for (const [name, change] of Object.entries(step.changed ?? {})) {
    for (const part of parts(name)) found.add(part);
    const value = Array.isArray(change) ? change[1] : change;
    if (typeof value === "string") found.add(value);
  }
  return [...found].filter((name) => name !== own && all.has(name));
}

/** The lanes of a run; `back` is the step that the last one goes back to, if it is a loop. */
function lanesView(steps, back, choose) {
  const names = [...new Set(steps.map(processOf))];
  const x = new Map(names.map((name, i) => [name, LANE.left + i * LANE.width + LANE.width / 2]));
  const y = (i) => LANE.top + i * LANE.row + LANE.row / 2;
  const width = LANE.left * 2 + names.length * LANE.width;
  const height = LANE.top + steps.length * LANE.row + 10;
  const rails = names.map((name) => draw("line", { x1: x.get(name), x2: x.get(name), y1: 0, y2: height - 6, class: "rail" }));
  const titles = names.map((name) =>
    draw("text", { x: x.get(name), y: 17, "text-anchor": "middle" }, shortened(name, 20), draw("title", {}, name)),
  );
  const heads = make("div", { class: "heads" }, draw("svg", { width, height: LANE.head }, titles));
  const events = draw("g");
  const svg = draw("svg", { width, height, role: "img", "aria-label": "one lane per process" }, rails, loop(), events);
  const box = make("div", { class: "lanes", tabindex: "0", "aria-label": "lanes of the run" }, heads, svg);
  let [chosen, first, last] = [-1, -1, -1];

  function loop() {
    if (back === null || back === undefined) return null;
    const [from, to] = [y(steps.length - 1), y(back)];
    return draw(
      "g",
      { class: "loop" },
      draw("path", { d: `M ${LANE.left + 4} ${from} H 8 V ${to} H ${LANE.left + 4}`, class: "bow" }),
      draw("path", { d: `M ${LANE.left + 10} ${to} l -8 -4 v 8 z`, class: "head" }),
      draw("title", {}, `from the last step on as from step ${back}, for ever`),
    );
  }

  function event(i) {
    const step = steps[i];
    const own = processOf(step);
    const at = y(i);
    const arrows = concerned(step, own, x).map((other) => {
      const side = x.get(other) > x.get(own) ? -1 : 1;
      const end = x.get(other) + side * 4;
      return [
        draw("line", { x1: x.get(own), x2: end + side * 7, y1: at, y2: at, class: "arrow" }),
        draw("path", { d: `M ${end} ${at} l ${side * 8} -4 v 8 z`, class: "head" }),
      ];
    });
    const looping = back !== null && back !== undefined && i > back;
    return draw(
      "g",
      {
        class: "event" + (i === chosen ? " chosen" : "") + (looping ? " looping" : ""),
        "data-step": i,
        onclick: () => choose(i),
      },
      arrows,
      draw("rect", { x: x.get(own) - LANE.width / 2 + 6, y: at - 10, width: LANE.width - 12, height: 20, rx: 4 }),
      draw("text", { x: x.get(own), y: at + 4, "text-anchor": "middle" }, shortened(step.rule, 19)),
      draw("title", {}, step.rule),
    );
  }

  function drawn(again) {
    const from = Math.max(0, Math.floor((box.scrollTop - LANE.top) / LANE.row) - 8);
    const to = Math.min(steps.length, from + Math.ceil((box.clientHeight || 400) / LANE.row) + 16);
    if (!again && from === first && to === last) return;
    [first, last] = [from, to];
    events.replaceChildren(...Array.from({ length: Math.max(0, to - from) }, (_, i) => event(from + i)));
  }

  box.addEventListener("scroll", () => drawn(false));
  return {
    element: box,
    mark(at) {
      chosen = at;
      const target = y(at);
      if (target < box.scrollTop + LANE.row || target > box.scrollTop + box.clientHeight - LANE.head - LANE.row) {
        box.scrollTop = target - box.clientHeight / 2;
      }
      drawn(true);
    },
  };
}

/** A list whose rows exist only while they are in view: `row(i)` makes one. */
function virtualList(count, height, label, row) {
  const room = make("div", { class: "room", style: `height: ${count * height}px` });
  const list = make("div", { class: "steps", tabindex: "0", role: "listbox", "aria-label": label }, room);
  const drawn = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / height) - 5);
    const last = Math.min(count, first + Math.ceil((list.clientHeight || 400) / height) + 10);
    room.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, i) => row(first + i)));
  };
  list.addEventListener("scroll", drawn);
  return {
    element: list,
    resize(many) {
      count = many;
      room.style.height = `${count * height}px`;
      drawn();
    },
    show(at) {
      const top = at * height;
      if (top < list.scrollTop) list.scrollTop = top;
      if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
      drawn();
    },
  };
}
