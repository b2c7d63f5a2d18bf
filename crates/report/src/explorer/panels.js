"use strict";
// What the explorer shows of the walk and of the state that is looked at: its variables, its properties, its orbit, and the
// steps that can be taken, each with what it would change.

const ROW = 28;
const MOST_EFFECTS = 6;

function drawWalk() {
  view.list.resize(now.steps.length);
  const lanes = now.steps.length > 1 ? lanesView(now.steps, null, doing(look)) : null;
  view.lanes = lanes;
  view.lanesRoom.replaceChildren(
    lanes ? lanes.element : make("p", { class: "faint" }, "One lane per process, as soon as there are steps."),
  );
  view.undo.toggleAttribute("disabled", now.steps.length <= (now.model.starts.length === 1 ? 1 : 0));
  mark();
}

function mark() {
  if (now.at >= 0) view.list.show(now.at);
  view.lanes?.mark(now.at);
  view.count.textContent = now.at < 0 ? "No start yet" : `Step ${now.at} of ${now.steps.length - 1}`;
  const place = now.at >= 0 ? now.steps[now.at].place : null;
  if (place) view.source.show(place.line, false);
}

function stepRow(i) {
  const step = now.steps[i];
  return make(
    "div",
    {
      class: "step" + (i === now.at ? " chosen" : ""),
      role: "option",
      "aria-selected": String(i === now.at),
      "data-step": i,
      style: `top: ${i * ROW}px`,
      onclick: doing(() => look(i)),
    },
    make("span", { class: "at" }, String(i)),
    step.rule,
    make("span", { class: "faint" }, " " + listed(step.parameters)),
  );
}

function drawState() {
  if (now.at < 0) {
    view.state.replaceChildren(make("p", { class: "faint" }, "Choose where to start."));
    view.properties.replaceChildren();
    view.orbit.replaceChildren();
    return;
  }
  const changed = new Map(
    Object.entries(now.steps[now.at].changed ?? {}).map(([name, [before]]) => [name, before ?? undefined]),
  );
  const ofValues = new Map([...changed].filter(([name]) => !(name in now.state.clocks.values)));
  view.state.replaceChildren(...stateTree(now.state.values, ofValues, now), ...drawClocks(now.state.clocks, changed));
  view.properties.replaceChildren(...drawProperties());
  view.orbit.replaceChildren(...drawOrbit(now.state.orbit));
}

/** The interval of each clock, and what is known of their differences. */
function drawClocks(clocks, changed) {
  const names = Object.keys(clocks.values);
  if (names.length === 0) return [];
  const rows = names.map((name) =>
    make(
      "div",
      { class: "leaf" },
      name,
      ": ",
      make("span", { class: "value" + (changed.has(name) ? " changed" : ""), "data-name": name }, clocks.values[name]),
    ),
  );
  return [
    make("h3", {}, "Clocks"),
    ...rows,
    ...clocks.differences.map((text) => make("div", { class: "leaf mono faint" }, text)),
  ];
}

function drawProperties() {
  const rows = now.state.properties.map((property) => {
    const [sign, word] =
      property.holds === null
        ? ["·", "unknown"]
        : property.holds
          ? ["✓", "holds"]
          : ["✗", property.bad ? "violated" : "faint"];
    const about = property.holds === null ? "about runs" : property.holds ? "holds here" : "does not hold here";
    return make(
      "tr",
      {},
      make("td", { class: "sign " + word, title: about, "aria-label": about }, sign),
      make(
        "td",
        {},
        make("span", { class: "faint" }, property.kind + " "),
        property.name,
        " ",
        property.place ? placeLink(property.place, view.source) : null,
        property.why ? make("div", { class: "why mono" }, property.why) : null,
      ),
    );
  });
  return rows.length ? [table(null, rows)] : [make("p", { class: "faint" }, "The model states no property.")];
}

function drawOrbit(orbit) {
  if (!orbit) return [make("p", { class: "faint" }, "The model has no symmetry: each state stands for itself.")];
  const size =
    orbit.size === null
      ? ""
      : orbit.size === "1"
        ? " No other state is symmetric to it."
        : ` ${grouped(orbit.size)} states are symmetric.`;
  if (orbit.state === now.state.state) return [make("p", {}, "This state is its own representative." + size)];
  const changed = new Map(
    Object.keys(orbit.values)
      .filter((name) => orbit.values[name] !== now.state.values[name])
      .map((name) => [name, now.state.values[name]]),
  );
  return [
    make(
      "p",
      {},
      orbit.permutation
        ? [
            "The permutation ",
            make("code", { class: "permutation" }, orbit.permutation),
            " makes it its representative.",
          ]
        : "Its representative has the same values, with other clock values forgotten.",
      size,
    ),
    make(
      "details",
      { class: "representative" },
      make("summary", {}, "the representative"),
      stateTree(orbit.values, changed),
      drawClocks(orbit.clocks, new Set()),
    ),
  ];
}

/** The steps that can be taken, by process, each with what it would change. */
function drawMoves() {
  const all = moves();
  const groups = new Map();
  all.forEach((step, i) => {
    const name = now.at < 0 ? "start states" : (step.process ?? "all together");
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(i);
  });
  const sorted = [...groups].sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));
  view.moves.replaceChildren(
    ...sorted.map(([name, list]) =>
      make(
        "div",
        { class: "process" },
        make("h3", {}, name),
        list.map((i) => moveButton(all[i], i)),
      ),
    ),
  );
  if (all.length === 0) view.moves.append(make("p", { class: "unknown" }, "Nothing can be done here."));
  view.movesCount.textContent = all.length === 1 ? "one step" : `${all.length} steps`;
}

function moveButton(step, i) {
  const next = now.steps[now.at + 1];
  const taken = next && next.taken === i;
  const effects = Object.entries(step.changed ?? {});
  const lines = effects
    .slice(0, MOST_EFFECTS)
    .map(([name, [before, after]]) =>
      make(
        "div",
        { class: "effect mono" },
        name,
        ": ",
        make("span", { class: "was" }, shown(before)),
        " → ",
        make("span", { class: "changed" }, shown(after)),
      ),
    );
  if (effects.length > MOST_EFFECTS)
    lines.push(make("div", { class: "effect faint" }, `and ${effects.length - MOST_EFFECTS} more`));
  if (step.state !== null && now.at >= 0 && effects.length === 0)
    lines.push(make("div", { class: "effect faint" }, step.stays ? "nothing changes" : "only clocks change"));
  if (step.fault) lines.push(make("div", { class: "effect violated" }, step.fault));
  return make(
    "button",
    {
      class: "move" + (taken ? " taken" : ""),
      "data-choice": i,
      disabled: step.state === null,
      onclick: doing(() => take(i)),
    },
    make(
      "span",
      { class: "rule" },
      i < 9 ? make("kbd", {}, String(i + 1)) : null,
      step.rule,
      " ",
      make("span", { class: "faint" }, listed(step.parameters)),
    ),
    step.weight !== null
      ? make(
          "span",
          { class: "weight" },
          (now.model.language.includes("ctmc") ? "rate " : "probability ") + Number(step.weight.toPrecision(6)),
          step.choice !== null ? ` of choice ${step.choice + 1}` : "",
        )
      : null,
    step.note ? make("div", { class: "effect faint" }, step.note) : null,
    lines,
  );
}
