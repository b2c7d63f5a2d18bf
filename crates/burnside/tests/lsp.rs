//! The language server as editors start it: a dialogue over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const MODEL: &str = "\
const N : 3;
type Proc : scalarset(N);
     Slot : 0..2; Item : scalarset(2);
var owner : array [Slot] of Proc;
    last : Slot; chosen : Item;
startstate undefine owner; last := 0; undefine chosen; end;
ruleset p : Proc; s : Slot do
  rule \"take\" isundefined(owner[s]) ==> owner[s] := p; last := s; end;
end;
rule \"first\" last = 2 ==> last := 0; undefine owner; end;
rule \"pick\"
  isundefined(chosen)
==>
  for i : Item do chosen := i; end;
end;
invariant \"any\" last <= 2;
";

/// The server and what it was asked.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Editor {
    fn start() -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the server starts");
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().expect("its output"));
        Editor { server, input, output, asked: 0 }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("it is open");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("the server writes");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn say(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == self.asked && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    fn next(&mut self, method: &str) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }
}

#[test]
fn a_dialogue_over_standard_input_and_output() {
    let mut editor = Editor::start();
    let client = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
    let begun = editor.ask("initialize", json!({ "processId": null, "capabilities": client }));
    assert_eq!(begun["capabilities"]["hoverProvider"], true);
    editor.say("initialized", json!({}));
    let file = json!({ "uri": "file:///model.m", "languageId": "murphi", "version": 1, "text": MODEL });
    editor.say("textDocument/didOpen", json!({ "textDocument": file }));
    assert_eq!(editor.next("textDocument/publishDiagnostics")["diagnostics"], json!([]));

    // An edit to an error, and back.
    let range = |from: u64, to: u64| json!({ "start": { "line": 4, "character": from }, "end": { "line": 4, "character": to } });
    let change = |version: u64, range: Value, text: &str| {
        let file = json!({ "uri": "file:///model.m", "version": version });
        json!({ "textDocument": file, "contentChanges": [{ "range": range, "text": text }] })
    };
    editor.say("textDocument/didChange", change(2, range(11, 15), "Slto"));
    let found = editor.next("textDocument/publishDiagnostics");
    assert_eq!(found["diagnostics"][0]["code"], "E0202");
    assert_eq!(found["diagnostics"][0]["range"], range(11, 15));
    editor.say("textDocument/didChange", change(3, range(11, 15), "Slot"));
    assert_eq!(editor.next("textDocument/publishDiagnostics")["diagnostics"], json!([]));

    // Symmetry is found meanwhile: `Item` is told apart by the order of a loop, `Proc` is not.
    editor.next("workspace/inlayHint/refresh");
    let file = json!({ "uri": "file:///model.m" });
    let place = |line: u64, character: u64| {
        json!({ "textDocument": { "uri": "file:///model.m" },
                "position": { "line": line, "character": character } })
    };
    let hover = editor.ask("textDocument/hover", place(7, 41));
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(said.contains("var owner : array [Slot] of Proc"), "{said}");
    assert!(said.contains("`Proc`: 3 interchangeable elements, declared, verified"), "{said}");
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 20, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": file, "range": all }));
    let lines: Vec<u64> =
        hints.as_array().expect("a list").iter().filter_map(|h| h["position"]["line"].as_u64()).collect();
    assert_eq!(lines, [13], "{hints}");

    let found = editor.ask("textDocument/definition", place(7, 41));
    assert_eq!(found["range"]["start"], json!({ "line": 3, "character": 4 }));
    let mut params = place(7, 41);
    params["newName"] = json!("holder");
    let edit = editor.ask("textDocument/rename", params);
    assert_eq!(edit["changes"]["file:///model.m"].as_array().map(Vec::len), Some(5), "{edit}");

    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.say("exit", Value::Null);
    assert_eq!(editor.server.wait().expect("it ends").code(), Some(0));
}

#[test]
fn an_editor_that_is_gone_ends_the_server() {
    let mut editor = Editor::start();
    editor.ask("initialize", json!({ "processId": null, "capabilities": {} }));
    editor.say("initialized", json!({}));
    drop(editor.input.take());
    assert_eq!(editor.server.wait().expect("it ends").code(), Some(1));
}
