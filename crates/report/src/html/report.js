"use strict";
// Draws a report from the JSON in the page: what `--json` writes, with the source of the model and the course of the search.

const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;
const ROW = 28;
const source = data.source ? sourceView(data.source) : null;
const place = (at) => placeLink(at, source);

// ---- a run -------------------------------------------------------------------------------------------------------

/** The steps of a run down the side, the state beside them, and below lanes and time. */
function traceView(property, steps, back) {
  const options = { filter: "", onlyChanged: false };
  const rulePlace = new Map(report.rules.map((rule) => [rule.rule, rule.place]));
  const judged = data.judged[report.properties.indexOf(property)] ?? [];
  let at = 0;
  const list = virtualList(steps.length, ROW, "steps of the run", row);
  const state = make("div", { class: "state", tabindex: "0", "aria-label": "the state" });
  const about = make("div", { "aria-live": "polite" });
  const lanes = lanesView(steps, back, choose);
  const axis = timeAxis(steps, choose);
  const isLoop = back !== null && back !== undefined;

  function row(i) {
    const wrong = (steps[i].fails ?? []).length > 0 || steps[i].state === null;
    return make(
      "div",
      {
        class: "step" + (i === at ? " chosen" : "") + (isLoop && i > back ? " looping" : ""),
        role: "option",
        "aria-selected": String(i === at),
        style: `top: ${i * ROW}px`,
        "data-step": i,
        onclick: () => choose(i),
      },
      make("span", { class: "at" }, String(i)),
      wrong ? make("span", { class: "violated" }, "✗ ") : null,
      steps[i].rule,
      make("span", { class: "faint" }, " " + listed(steps[i].parameters)),
    );
  }

  function choose(i) {
    at = Math.max(0, Math.min(steps.length - 1, i));
    list.show(at);
    lanes.mark(at);
    axis?.mark(at);
    drawState();
    const where = rulePlace.get(steps[at].rule);
    about.replaceChildren(...describe(steps[at], where));
    if (where) source?.show(where.line, false);
  }

  function describe(step, where) {
    const time = step.time
      ? make(
          "p",
          { class: "faint" },
          at === 0 ? `at time ${step.time.exact}` : `after ${step.delay.exact}, at time ${step.time.exact}`,
          step.channel ? ` on ${step.channel}` : "",
        )
      : null;
    const loop =
      isLoop && at === steps.length - 1
        ? make("p", { class: "unknown" }, `From here the run goes on as from step ${back}, for ever.`)
        : null;
    return [
      make(
        "p",
        {},
        make("strong", {}, `Step ${at} of ${steps.length - 1}: `),
        step.rule,
        " ",
        make("span", { class: "faint" }, listed(step.parameters)),
        " ",
        place(where),
      ),
      time,
      loop,
      ...(step.reasons ?? []).map((reason) => make("p", { class: "unknown" }, reason)),
      standing(step),
    ].filter((part) => part !== null);
  }

  /** Which invariants hold in the state, and why one fails. */
  function standing(step) {
    if (judged.length === 0 || step.state === null) return null;
    const fails = new Map((step.fails ?? []).map((fail) => [fail.property, fail.why]));
    return make(
      "ul",
      { class: "standing" },
      judged.map((name) =>
        fails.has(name)
          ? make("li", { class: "violated" }, "✗ ", name, make("div", { class: "mono why" }, fails.get(name)))
          : make("li", { class: "holds" }, "✓ ", name),
      ),
    );
  }

  function drawState() {
    const step = steps[at];
    if (step.state === null)
      return state.replaceChildren(make("p", { class: "error" }, "This step goes wrong and leads to no state."));
    const before = at > 0 ? steps[at - 1].state : {};
    const changed = new Map(Object.keys(step.changed ?? {}).map((name) => [name, before?.[name]]));
    const clocks = Object.entries(step.clocks ?? {}).map(([name, value]) => {
      const was = step.clocks_before[name];
      const set = was.exact !== value.exact;
      return make(
        "div",
        { class: "leaf" },
        name,
        ": ",
        set ? [make("span", { class: "was value" }, was.exact), " → "] : null,
        make("span", { class: "value" + (set ? " set" : "") }, value.exact),
      );
    });
    // At the start everything is new, and nothing is hidden.
    const shownHere = at === 0 ? { ...options, onlyChanged: false } : options;
    state.replaceChildren(
      ...stateTree(step.state, changed, shownHere),
      ...(clocks.length ? [make("h3", {}, "Clocks"), ...clocks] : []),
    );
  }

  const keys = (event) => {
    if (event.target.tagName === "INPUT") return;
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 };
    if (event.key in moves) choose(at + moves[event.key]);
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(steps.length - 1);
    else return;
    event.preventDefault();
  };
  const filter = make("input", {
    type: "search",
    placeholder: "filter variables",
    "aria-label": "filter variables",
    oninput: () => {
      options.filter = filter.value;
      drawState();
    },
  });
  const only = make(
    "button",
    {
      "aria-pressed": "false",
      class: "only",
      onclick: () => {
        options.onlyChanged = !options.onlyChanged;
        only.setAttribute("aria-pressed", String(options.onlyChanged));
        drawState();
      },
    },
    "Only what changed",
  );
  const go = (text, label, to) => make("button", { "aria-label": label, onclick: () => choose(to()) }, text);
  const tools = make(
    "div",
    { class: "tools" },
    go("|◀", "first step", () => 0),
    go("◀", "previous step", () => at - 1),
    go("▶", "next step", () => at + 1),
    go("▶|", "last step", () => steps.length - 1),
    filter,
    only,
    make("span", { class: "faint keys" }, "Keys: ↑ ↓ PgUp PgDn Home End"),
  );
  const box = make(
    "div",
    { class: "run", onkeydown: keys, "data-steps": steps.length },
    tools,
    about,
    make("div", { class: "trace" }, list.element, state),
    axis ? [make("h3", {}, "Time"), axis.element] : null,
    make("h3", {}, "Lanes"),
    lanes.element,
  );
  requestAnimationFrame(() => choose(steps.length - 1));
  return box;
}

// ---- the parts of the page ---------------------------------------------------------------------------------------

function properties() {
  const value = (property) =>
    property.value === undefined || property.value === null
      ? null
      : make("span", { class: "mono" }, " = " + property.value);
  const row = (property, i) =>
    make(
      "tr",
      {},
      make("td", {}, verdict(property.verdict)),
      make("td", {}, property.kind),
      make(
        "td",
        {},
        property.trace ? make("a", { href: "#run-" + i }, property.name) : property.name,
        value(property),
        property.reason ? make("div", { class: "faint" }, property.reason) : null,
      ),
      make("td", {}, place(property.place)),
    );
  return section("Properties", table(["verdict", "kind", "property", "place"], report.properties.map(row)));
}

function runs() {
  return report.properties.map((property, i) => {
    if (!property.trace) return null;
    const head = (property.verdict === "holds" ? "A run that shows it: " : "Violated: ") + property.name;
    const block = section(
      head,
      property.message ? make("p", { class: property.verdict }, property.message) : null,
      traceView(property, property.trace, property.loop),
    );
    block.id = "run-" + i;
    return block;
  });
}

const stored = () => (report.reduction === "none" ? "states" : "orbits");

function work() {
  const { symmetry } = report;
  const states = Number(report.states),
    full = Number(report.full_states ?? NaN);
  const saved = states > 0 && full > states ? (full / states).toFixed(1) + " times fewer" : null;
  const known = (count) => (count === null || count === undefined ? null : grouped(count));
  return section(
    "What was done",
    facts([
      ["engine", report.engine],
      ["reduction", report.reduction + (report.exact ? "" : " (representatives are not unique)")],
      [
        "symmetry",
        symmetry.structure === "trivial"
          ? "none"
          : `${symmetry.structure} of order ${symmetry.order}, ${symmetry.verified ? "verified" : "not verified"}${symmetry.derived ? ", " + symmetry.derived : ""}`,
      ],
      [stored(), grouped(report.states)],
      ["states they stand for", known(report.full_states)],
      ["saved", saved],
      ["rules fired", known(report.rules_fired)],
      ["depth", known(report.depth)],
      ["time", seconds(report.time_s)],
      ["memory", bytes(Number(report.peak_memory_bytes))],
      ["stopped by", report.limit],
      ["assumes", report.assumptions.join("; ")],
      ["constants", listed(report.constants)],
    ]),
  );
}

/** How the search went: states for each level, and over time. */
function course() {
  const { levels, samples } = data.course ?? { levels: [], samples: [] };
  const plots = [];
  if (levels.length > 1) plots.push(make("h3", {}, `${stored()} per level`), barPlot(levels, stored()));
  if (samples.length > 1) {
    const speed = samples
      .slice(1)
      .map(([time, count], i) => [time, (count - samples[i][1]) / Math.max(1e-6, time - samples[i][0])]);
    plots.push(
      make("h3", {}, `${stored()} over time`),
      curvePlot(samples, stored()),
      make("h3", {}, `${stored()} per second`),
      curvePlot(speed, stored() + " per second"),
    );
  }
  return plots.length ? section("Course of the search", plots) : null;
}

function coverage() {
  if (!report.rules || report.rules.length === 0) return null;
  const rules = [...report.rules].sort((a, b) => Number(a.fired) - Number(b.fired));
  const never = rules.filter((rule) => Number(rule.fired) === 0).length;
  const most = Math.max(1, ...rules.map((rule) => Number(rule.fired)));
  const bar = (fired) =>
    make("span", { class: "share", style: `width: ${((8 * Math.log1p(fired)) / Math.log1p(most)).toFixed(2)}rem` });
  const row = (rule) =>
    make(
      "tr",
      {},
      make("td", { class: Number(rule.fired) === 0 ? "unknown" : "" }, rule.rule),
      make("td", { class: "number" }, grouped(rule.fired)),
      make("td", { class: "wide" }, bar(Number(rule.fired))),
      make("td", {}, place(rule.place)),
    );
  return section(
    "Rules",
    make(
      "p",
      { class: never ? "unknown" : "faint" },
      never ? `${never} of ${rules.length} rules never fired.` : "Every rule fired.",
    ),
    table(["rule", "fired", "logarithmic", "place"], rules.map(row)),
  );
}

function broken() {
  const all = report.symmetry.asymmetric ?? [];
  if (all.length === 0) return null;
  return section(
    "What breaks the symmetry",
    table(
      ["what", "still alike", "why", "place"],
      all.map((item) =>
        make(
          "tr",
          {},
          make("td", {}, item.kind + " " + item.name),
          make("td", { class: "mono" }, item.blocks),
          make("td", {}, item.reason),
          make("td", {}, place(item.place)),
        ),
      ),
    ),
  );
}

function warnings() {
  if (report.warnings.length === 0) return null;
  return section(
    "Warnings",
    report.warnings.map((warning) =>
      make("p", {}, make("code", {}, warning.code), " ", warning.message, " ", place(warning.place)),
    ),
  );
}

for (const rule of report.rules ?? []) {
  if (Number(rule.fired) === 0 && rule.place) source?.mark(rule.place.line, "never fired");
}
const header = make(
  "header",
  {},
  make("h1", {}, report.model, ": ", verdict(report.verdict)),
  make("p", { class: "faint" }, `Burnside ${data.version}, ${report.language}`),
);
document
  .getElementById("page")
  .replaceChildren(
    ...[
      header,
      properties(),
      work(),
      ...runs(),
      coverage(),
      course(),
      broken(),
      warnings(),
      source ? section("Source", source.element) : null,
    ].filter((part) => part !== null),
  );
