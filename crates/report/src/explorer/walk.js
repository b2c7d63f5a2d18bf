"use strict";
// A walk through the model, step by step. The walk is the list of its choices, kept in the address, so that it survives a
// reload and Back takes a step back. All that is known of states comes from the program; nothing is stored here.

/** What is shown: the walk, the step that is looked at, and what is known of the state there. */
const now = { model: null, steps: [], at: -1, state: null, filter: "", onlyChanged: false, asking: 0, doing: 0 };
const view = {};

/** Asks the program; an answer that is an error is thrown. */
async function ask(name, body = {}) {
  busy("asking", 1);
  try {
    const answer = await fetch("api/" + name, { method: "POST", body: JSON.stringify(body) });
    const json = await answer.json();
    if (!answer.ok) throw new Error(json.error ?? "the request was refused");
    return json;
  } catch (error) {
    if (error instanceof TypeError) throw new Error("the explorer has ended: start it again in the terminal");
    throw error;
  } finally {
    busy("asking", -1);
  }
}

/** Counts requests and what the reader began, so that both are seen to go on. */
function busy(what, by) {
  now[what] += by;
  view.stop?.toggleAttribute("disabled", now.asking === 0);
  document.body.setAttribute("data-busy", String(now.asking + now.doing > 0));
}

/** Runs what a button does, and tells what goes wrong. */
const doing =
  (work) =>
  async (...args) => {
    tell("");
    busy("doing", 1);
    try {
      await work(...args);
    } catch (error) {
      tell(error.message, "error");
    } finally {
      busy("doing", -1);
    }
  };

function tell(message, kind = "faint") {
  view.message.className = "message " + kind;
  view.message.textContent = message;
}

const choices = () => now.steps.map((step) => step.taken);
const stateAt = (at) => (at >= 0 ? now.steps[at].state : null);

/** The walk and the step that is looked at, as the address has them: `#0.3.1` or `#0.3.1@1`. */
function address() {
  const walk = choices().join(".");
  return "#" + walk + (now.at >= 0 && now.at < now.steps.length - 1 ? "@" + now.at : "");
}

function fromAddress() {
  const [walk, at] = location.hash.slice(1).split("@");
  const list = walk === "" ? [] : walk.split(".").map(Number);
  return {
    list: list.filter((choice) => Number.isInteger(choice)),
    at: at === undefined ? list.length - 1 : Number(at),
  };
}

/** Loads a walk; a walk that is no longer possible is told, and left. */
async function load(list, at = list.length - 1) {
  try {
    now.steps = (await ask("walk", { choices: list })).steps;
  } catch (error) {
    now.steps = [];
    tell("This walk cannot be followed: " + error.message, "error");
  }
  if (now.steps.length === 0 && now.model.starts.length === 1 && now.model.starts[0].state !== null) {
    now.steps = (await ask("walk", { choices: [0] })).steps;
  }
  await look(Math.max(-1, Math.min(at, now.steps.length - 1)), false);
  remember();
  drawWalk();
}

/** Puts the walk into the address, as a new entry of the browser's history. */
function remember() {
  if (location.hash !== address()) history.pushState(null, "", address());
}

/** Looks at a step. */
async function look(at, keep = true) {
  now.at = at;
  now.state = at < 0 ? null : await ask("state", { state: stateAt(at) });
  view.list.resize(now.steps.length);
  drawState();
  drawMoves();
  mark();
  judge();
  if (keep) history.replaceState(null, "", address());
}

/** Takes a step from the state that is looked at; what came after it is left. */
async function take(choice) {
  const step = moves()[choice];
  if (!step || step.state === null) return;
  now.steps = now.steps.slice(0, now.at + 1);
  now.steps.push({ ...step, taken: choice });
  await look(now.steps.length - 1, false);
  remember();
  drawWalk();
}

/** Goes on with choices that the program made. */
const extend = (more) => load([...choices().slice(0, now.at + 1), ...more]);

const undo = () => {
  const least = now.model.starts.length === 1 ? 1 : 0;
  if (now.steps.length > least) return load(choices().slice(0, -1));
};

const moves = () => (now.at < 0 ? now.model.starts : now.state.moves);
