// The client, in an editor of cardboard: what it starts, and what its commands do. Where the program is at hand
// (`BURNSIDE`), it is really started.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const Module = require("node:module");
const { test } = require("node:test");

/** Loads the client with other modules in the place of those of the editor. */
function load() {
  const seen = { commands: new Map(), terminals: [], clients: [], saved: 0 };
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: () => "burnside-program" }),
      onDidChangeConfiguration: () => ({ dispose() {} }),
    },
    window: {
      terminals: [],
      activeTextEditor: {
        document: { uri: { fsPath: "/models/a b.m" }, save: async () => (seen.saved += 1) },
      },
      createTerminal(options) {
        seen.terminals.push(options);
        return { show() {}, dispose() {} };
      },
    },
    commands: {
      registerCommand(name, run) {
        seen.commands.set(name, run);
        return { dispose() {} };
      },
    },
    Uri: { parse: (uri) => ({ fsPath: decodeURIComponent(new URL(uri).pathname) }) },
  };
  class LanguageClient {
    constructor(id, name, server, options) {
      Object.assign(this, { id, name, server, options, running: false });
      seen.clients.push(this);
    }
    async start() {
      this.running = true;
    }
    async stop() {
      this.running = false;
    }
  }
  const stand = { vscode, "vscode-languageclient/node": { LanguageClient, TransportKind: { stdio: 0 } } };
  const original = Module._load;
  Module._load = (name, ...rest) => stand[name] ?? original(name, ...rest);
  delete require.cache[require.resolve("../extension.js")];
  const extension = require("../extension.js");
  Module._load = original;
  return { extension, seen };
}

test("the client starts the server, and every command that it announces", async () => {
  const { extension, seen } = load();
  await extension.activate({ subscriptions: [] });
  const [client] = seen.clients;
  assert.ok(client.running);
  assert.deepStrictEqual([client.server.command, client.server.args], ["burnside-program", ["lsp", "--stdio"]]);
  const announced = require("../package.json").contributes.commands.map((command) => command.command);
  assert.deepStrictEqual([...seen.commands.keys()].sort(), announced.sort());
  await seen.commands.get("burnside.restart")();
  assert.ok(!client.running && seen.clients[1].running);
  await extension.deactivate();
  assert.ok(!seen.clients[1].running);
});

test("lenses and commands run in a terminal, without a shell", async () => {
  const { extension, seen } = load();
  await extension.activate({ subscriptions: [] });
  const { executeCommand } = seen.clients[0].options.middleware;
  executeCommand("burnside.explore", ["file:///models/a%20b.m"], () => assert.fail("not for the server"));
  await seen.commands.get("burnside.checkThis")();
  const started = seen.terminals.map((terminal) => [terminal.shellPath, ...terminal.shellArgs]);
  assert.deepStrictEqual(started, [
    ["burnside-program", "explore", "/models/a b.m"],
    ["burnside-program", "check", "/models/a b.m"],
  ]);
  assert.strictEqual(seen.saved, 1);
  assert.strictEqual(executeCommand("other", [], () => "server"), "server");
});

test("the real server answers", { skip: !process.env.BURNSIDE && "BURNSIDE names no program" }, async () => {
  const server = spawn(process.env.BURNSIDE, ["lsp", "--stdio"]);
  const say = (message) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let said = "";
  server.stdout.on("data", (data) => (said += data));
  say({ id: 1, method: "initialize", params: { processId: null, capabilities: {} } });
  say({ method: "initialized", params: {} });
  say({ id: 2, method: "shutdown" });
  say({ method: "exit" });
  const code = await new Promise((resolve) => server.on("close", resolve));
  assert.strictEqual(code, 0);
  assert.match(said, /"codeLensProvider"/);
});
