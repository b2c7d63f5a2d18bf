"use strict";
// The explorer's page: its parts, its buttons and keys, searches and counterexamples.

/** A random walk or the shortest one, from the state that is looked at. */
async function find(how, until, steps) {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const from = stateAt(now.at);
  const found = await ask("find", { how, from, until, steps, seed });
  if (until && !found.reached) {
    tell(
      how === "shortest" && found.all
        ? `It holds in none of the ${grouped(found.seen)} states that can be reached from here.`
        : how === "shortest"
          ? `Not found among ${grouped(found.seen)} states; there are more.`
          : `Not reached in ${grouped(found.seen)} random steps.`,
      "unknown",
    );
    if (how === "shortest") return;
  }
  await extend(found.choices);
  if (found.reached)
    tell(`Reached after ${found.choices.length} step${found.choices.length === 1 ? "" : "s"}.`, "holds");
}

async function check() {
  const result = await ask("check");
  const rows = result.properties.map((property) =>
    make(
      "tr",
      {},
      make("td", {}, verdict(property.verdict)),
      make(
        "td",
        {},
        make("span", { class: "faint" }, property.kind + " "),
        property.name,
        property.message ? make("div", { class: "why" }, property.message) : null,
        property.problem ? make("div", { class: "why unknown" }, property.problem) : null,
        property.reason ? make("div", { class: "why faint" }, property.reason) : null,
      ),
      make(
        "td",
        {},
        property.choices
          ? make("button", { class: "follow", onclick: doing(() => load(property.choices, 0)) }, "Follow this run")
          : null,
      ),
    ),
  );
  view.checked.replaceChildren(
    table(null, rows),
    result.limit ? make("p", { class: "unknown" }, "Stopped by: " + result.limit) : null,
  );
}

async function save(format) {
  const { text } = await ask("export", { choices: choices(), format });
  const link = make("a", {
    href: URL.createObjectURL(new Blob([text])),
    download: "walk." + (format === "json" ? "json" : "txt"),
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Says whether the typed condition holds here, while it is typed. */
const judge = async () => {
  const text = view.condition.value.trim();
  view.holds.textContent = "";
  if (text === "" || now.at < 0) return;
  try {
    const { value } = await ask("condition", { text, state: stateAt(now.at) });
    if (text !== view.condition.value.trim()) return;
    view.holds.textContent = value === "true" ? "holds here" : value === "false" ? "does not hold here" : "is " + value;
    view.holds.className = "faint";
  } catch (error) {
    view.holds.textContent = error.message;
    view.holds.className = "unknown";
  }
};

// ---- the page ---------------------------------------------------------------------------------------------------

function page() {
  const { model } = now;
  const button = (text, work, more = {}) => make("button", { onclick: doing(work), ...more }, text);
  view.message = make("p", { class: "message", role: "status" });
  view.count = make("span", { class: "count" });
  view.movesCount = make("span", { class: "faint" });
  view.list = virtualList(0, ROW, "steps of the walk", stepRow);
  view.undo = button("Undo", undo, { class: "undo", title: "take back the last step (u)" });
  view.stop = button("Stop", () => fetch("api/stop", { method: "POST", body: "{}" }), {
    disabled: true,
    class: "stop",
  });
  view.state = make("div", { class: "state", tabindex: "0", "aria-label": "the state" });
  [view.properties, view.orbit, view.moves, view.checked, view.lanesRoom] = [
    "properties",
    "orbit",
    "moves",
    "checked",
    "lanes-room",
  ].map((name) => make("div", { class: name }));
  view.source = sourceView(model.source);
  view.condition = make("input", {
    type: "text",
    class: "condition",
    placeholder: "a condition, such as " + model.example,
    "aria-label": "a condition in the language of the model",
    spellcheck: "false",
    oninput: later(judge, 250),
  });
  view.holds = make("span", { class: "faint", "aria-live": "polite" });
  const steps = make("input", {
    type: "number",
    class: "many",
    value: "20",
    min: "1",
    max: "10000",
    "aria-label": "how many random steps",
  });
  const filter = make("input", {
    type: "search",
    placeholder: "filter variables",
    "aria-label": "filter variables",
    oninput: () => {
      now.filter = filter.value;
      drawState();
    },
  });
  const only = make(
    "button",
    {
      "aria-pressed": "false",
      onclick: () => {
        now.onlyChanged = !now.onlyChanged;
        only.setAttribute("aria-pressed", String(now.onlyChanged));
        drawState();
      },
    },
    "Only what changed",
  );
  const symmetry = model.symmetry
    ? `symmetry ${model.symmetry.structure}${model.symmetry.order ? " of order " + grouped(model.symmetry.order) : ""}`
    : "no symmetry";
  const constants = listed(model.constants);
  document.title = model.model.split("/").pop() + " · Burnside explorer";
  document.getElementById("page").replaceChildren(
    make(
      "header",
      {},
      make("h1", {}, model.model),
      make("p", { class: "faint" }, [model.language, symmetry, constants].filter((text) => text).join(" · ")),
    ),
    make(
      "div",
      { class: "tools" },
      view.undo,
      button("Restart", () => load([]), { title: "back to the start" }),
      make(
        "span",
        { class: "pair" },
        button("Random walk", () => find("random", null, Number(steps.value)), { class: "random" }),
        steps,
      ),
      make(
        "span",
        { class: "wide pair" },
        view.condition,
        button("Run until", () => find("random", view.condition.value, 10000), {
          class: "until",
          title: "random steps until the condition holds",
        }),
        button("Find shortest", () => find("shortest", view.condition.value), {
          class: "shortest",
          title: "the shortest way from here to a state where it holds",
        }),
      ),
      view.stop,
      view.holds,
    ),
    view.message,
    make(
      "div",
      { class: "columns" },
      make(
        "section",
        { class: "walk" },
        make("h2", {}, "Walk ", view.count),
        view.list.element,
        make(
          "p",
          { class: "faint keys" },
          "Keys: ",
          make("kbd", {}, "↑"),
          " ",
          make("kbd", {}, "↓"),
          " look, ",
          make("kbd", {}, "1"),
          "–",
          make("kbd", {}, "9"),
          " step, ",
          make("kbd", {}, "u"),
          " undo, ",
          make("kbd", {}, "r"),
          " random",
        ),
        make(
          "div",
          { class: "tools" },
          button("Save as JSON", () => save("json"), { class: "save" }),
          button("Save as text", () => save("text")),
        ),
      ),
      make(
        "section",
        { class: "here" },
        make("h2", {}, "State"),
        make("div", { class: "tools" }, filter, only),
        view.state,
      ),
      make("section", { class: "next" }, make("h2", {}, "Next: ", view.movesCount), view.moves),
    ),
    make("div", { class: "columns two" }, section("Properties here", view.properties), section("Symmetry", view.orbit)),
    section(
      "Counterexamples",
      make(
        "div",
        { class: "tools" },
        button("Check the model", check, { class: "check" }),
        make("span", { class: "faint" }, "for at most 20 seconds; runs can be followed step by step"),
      ),
      view.checked,
    ),
    section("Lanes", view.lanesRoom),
    graphSection(ask, doing, (list) => load(list)),
    section("Source", view.source.element),
  );
  document.addEventListener("keydown", keys);
}

/** Calls something when nothing has happened for so many milliseconds. */
function later(work, time) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, time);
  };
}

const keys = doing(async (event) => {
  if (
    ["INPUT", "CANVAS"].includes(event.target.tagName) ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    now.asking > 0
  )
    return;
  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
  const least = now.steps.length > 0 ? 0 : -1;
  if (by !== undefined) {
    // A box that scrolls by itself keeps its keys.
    if (event.target.closest?.(".state, .source, .lanes")) return;
    event.preventDefault();
    await look(Math.max(least, Math.min(now.steps.length - 1, now.at + by)));
  } else if (/^[1-9]$/.test(event.key)) await take(Number(event.key) - 1);
  else if (event.key === "u" || event.key === "Backspace") await undo();
  else if (event.key === "r") await find("random", null, 1);
});

window.addEventListener(
  "popstate",
  doing(async () => {
    const { list, at } = fromAddress();
    if (list.join(".") === choices().join(".")) await look(at, false);
    else await load(list, at);
  }),
);

(async () => {
  try {
    now.model = await ask("model");
    page();
    const { list, at } = fromAddress();
    await doing(load)(list, at);
    document.body.setAttribute("data-ready", "true");
  } catch (error) {
    document.getElementById("page").replaceChildren(make("p", { class: "violated" }, error.message));
  }
})();
