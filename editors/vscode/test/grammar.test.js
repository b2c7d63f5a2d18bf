// The grammars, with the machine that VS Code has: what is coloured as what.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const folder = path.join(__dirname, "..");

async function grammar(scope) {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).catch(() => {});
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const loadGrammar = async (name) => {
    const file = path.join(folder, "syntaxes", `${name.split(".")[1]}.tmLanguage.json`);
    return parseRawGrammar(fs.readFileSync(file, "utf8"), file);
  };
  return new Registry({ onigLib, loadGrammar }).loadGrammar(scope);
}

/** The scope of the first place of a text in a line; lines before it are read, too. */
function scopes(grammar, lines) {
  let stack = INITIAL;
  const found = new Map();
  for (const line of lines) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const token of tokens) {
      const text = line.slice(token.startIndex, token.endIndex).trim();
      if (text && !found.has(text)) {
        found.set(text, token.scopes.at(-1));
      }
    }
  }
  return found;
}

test("Murphi", async () => {
  const found = scopes(await grammar("source.murphi"), [
    "-- a comment with rule in it",
    "/* begin",
    "still */ const N : 3;",
    "type P : scalarset(N);",
    "procedure Send(p : P);",
    'Ruleset p : P do rule "go \\" on" x = 0x1f ==> x := undefined; endrule; end;',
    "strong fair rule true ==> end;",
    'ltl "never" G !(x > 1);',
  ]);
  const expected = {
    "-- a comment with rule in it": "comment.line.double-dash.murphi",
    still: "comment.block.murphi",
    const: "storage.type.murphi",
    3: "constant.numeric.murphi",
    scalarset: "support.type.murphi",
    Send: "entity.name.function.murphi",
    Ruleset: "keyword.other.rule.murphi",
    "go": "string.quoted.double.murphi",
    '\\"': "constant.character.escape.murphi",
    "0x1f": "constant.numeric.murphi",
    "==>": "keyword.operator.murphi",
    undefined: "constant.language.murphi",
    endrule: "keyword.control.murphi",
    strong: "storage.modifier.murphi",
    ltl: "keyword.other.rule.murphi",
  };
  for (const [text, scope] of Object.entries(expected)) {
    assert.strictEqual(found.get(text), scope, text);
  }
});

test("UPPAAL", async () => {
  const found = scopes(await grammar("source.uppaal"), [
    "// clock",
    "urgent broadcast chan go[3];",
    "process Gate(const int n) { clock x;",
    "state Idle { x <= 2 }; init Idle;",
    "trans Idle -> Idle { guard forall (i : int[0,2]) x >= i; sync go[n]!; assign x = 0; };",
  ]);
  const expected = {
    "// clock": "comment.line.double-slash.uppaal",
    chan: "storage.type.uppaal",
    broadcast: "storage.modifier.uppaal",
    Gate: "entity.name.type.class.uppaal",
    guard: "keyword.other.uppaal",
    forall: "keyword.operator.word.uppaal",
    "->": "keyword.operator.uppaal",
    2: "constant.numeric.uppaal",
  };
  for (const [text, scope] of Object.entries(expected)) {
    assert.strictEqual(found.get(text), scope, text);
  }
});

test("every model is read to its end, with all comments and strings closed", async () => {
  const models = path.join(folder, "../../models");
  for (const [language, ending] of [["murphi", ".m"], ["uppaal", ".xta"]]) {
    const rules = await grammar(`source.${language}`);
    for (const file of fs.readdirSync(path.join(models, language)).filter((f) => f.endsWith(ending))) {
      let stack = INITIAL;
      for (const line of fs.readFileSync(path.join(models, language, file), "utf8").split("\n")) {
        stack = rules.tokenizeLine(line, stack).ruleStack;
      }
      assert.strictEqual(stack.depth, 1, file);
    }
  }
});
