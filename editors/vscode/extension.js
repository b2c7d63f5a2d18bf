// The client: starts `burnside lsp`, and runs `check` and `explore` in a terminal, where their output belongs.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

/** The program, as the settings say. */
function program() {
  return vscode.workspace.getConfiguration("burnside").get("path") || "burnside";
}

/** Runs `burnside WORD FILE` in the terminal for it. */
function inTerminal(word, file) {
  const name = `burnside ${word}`;
  const old = vscode.window.terminals.find((terminal) => terminal.name === name);
  if (old) {
    old.dispose();
  }
  // Arguments are passed as they are: no shell sees the name of the file.
  const terminal = vscode.window.createTerminal({ name, shellPath: program(), shellArgs: [word, file] });
  terminal.show(true);
}

/** What the code lenses ask for. The server can do it too, for editors without terminals. */
function execute(command, args, next) {
  const word = /^burnside\.(check|explore|symmetry)$/.exec(command);
  if (!word || args.length === 0) {
    return next(command, args);
  }
  return inTerminal(word[1], vscode.Uri.parse(args[0]).fsPath);
}

/** Runs a command on the text that is open. */
function onThis(word) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    await editor.document.save();
    inTerminal(word, editor.document.uri.fsPath);
  };
}

function start() {
  const server = { command: program(), args: ["lsp", "--stdio"], transport: TransportKind.stdio };
  const options = {
    documentSelector: [{ language: "murphi" }, { language: "uppaal" }],
    middleware: { executeCommand: execute },
  };
  client = new LanguageClient("burnside", "Burnside", server, options);
  return client.start();
}

async function restart() {
  await client?.stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("burnside.checkThis", onThis("check")),
    vscode.commands.registerCommand("burnside.exploreThis", onThis("explore")),
    vscode.commands.registerCommand("burnside.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("burnside.path")) {
        restart();
      }
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
