//! An editor, as the server sees it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use burnside_lsp::{Break, Hooks, Symmetry, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// A model with a name of every kind.
pub const MURPHI: &str = "\
const N : 3;
      M : 2;
      Both : N + M;
type Proc : scalarset(N);
     State : enum { Idle, Busy };
     Message : record kind : State; hops : 0..Both end;
var state : array [Proc] of State; -- of each
    box : array [Proc] of Message;

procedure reset(p : Proc);
begin
  state[p] := Idle;
  box[p].kind := Idle;
end;

startstate
  for p : Proc do reset(p); undefine box[p].hops; end;
end;

ruleset p : Proc do
  rule \"go\" state[p] = Idle ==> state[p] := Busy; end;
end;

invariant \"safe\" forall p : Proc do box[p].kind = Idle end;
";

/// The same for UPPAAL.
pub const UPPAAL: &str = "\
const int N = 3;
typedef int[0, N-1] id;
bool busy;
chan go;
process P(const id me) {
  clock x;
  state idle, wait { x <= 2 };
  init idle;
  trans
    idle -> wait { guard !busy; assign busy = true, x = 0; },
    wait -> idle { guard x > 1 && busy; assign busy = false; };
}
system P;
";

/// The editor.
pub struct Editor {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    asked: i32,
    versions: HashMap<String, i32>,
    /// Notifications that nobody has looked at.
    kept: Vec<Notification>,
    refreshed: bool,
}

impl Editor {
    /// Starts a server.
    pub fn new() -> Self {
        let (connection, other) = Connection::memory();
        let hooks = Hooks {
            symmetry: Box::new(|source| {
                // What the command line finds, for the model above.
                let group = "S3(Proc)".to_owned();
                let types = vec![("Proc".to_owned(), "3 interchangeable elements".to_owned())];
                let breaks = vec![Break { line: 4, column: 1, message: "told apart".to_owned() }];
                source.text().contains("scalarset").then_some(Symmetry { group, types, breaks })
            }),
            program: PathBuf::from("burnside"),
        };
        let server = std::thread::spawn(move || serve(&other, hooks).expect("the server ends well"));
        let (asked, versions, kept) = (0, HashMap::new(), Vec::new());
        let mut editor = Editor { connection, server: Some(server), asked, versions, kept, refreshed: false };
        let capabilities = json!({ "workspace": {
            "inlayHint": { "refreshSupport": true }, "codeLens": { "refreshSupport": true } } });
        let answer = editor.ask("initialize", json!({ "capabilities": capabilities, "processId": null }));
        assert_eq!(answer["serverInfo"]["name"], "burnside");
        editor.say("initialized", json!({}));
        editor
    }

    pub fn uri(name: &str) -> String {
        format!("file:///models/{name}")
    }

    pub fn say(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(Message::Notification(message)).expect("the server is there");
    }

    fn receive(&mut self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server answers")
    }

    fn response(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).expect("the server is there");
        loop {
            match self.receive() {
                Message::Response(response) => {
                    assert_eq!(response.id, id);
                    return response.response_result.map_err(|error| error.message);
                }
                other => self.keep(other),
            }
        }
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Notification(notification) => self.kept.push(notification),
            Message::Request(request) => self.refreshed |= request.method.ends_with("refresh"),
            Message::Response(_) => {}
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.response(method, params).expect("an answer")
    }

    pub fn refused(&mut self, method: &str, params: Value) -> String {
        self.response(method, params).expect_err("no answer")
    }

    pub fn position(&self, name: &str, at: Value) -> Value {
        json!({ "textDocument": { "uri": Editor::uri(name) }, "position": at })
    }

    pub fn at(&mut self, method: &str, name: &str, at: Value) -> Value {
        let params = self.position(name, at);
        self.ask(method, params)
    }

    pub fn open(&mut self, name: &str, language: &str, text: &str) {
        self.versions.insert(name.to_owned(), 1);
        let document =
            json!({ "uri": Editor::uri(name), "languageId": language, "version": 1, "text": text });
        self.say("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, name: &str, changes: Value) {
        let version = self.versions.get_mut(name).expect("it is open");
        *version += 1;
        let document = json!({ "uri": Editor::uri(name), "version": *version });
        self.say("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The mistakes of the last version of a text.
    pub fn diagnostics(&mut self, name: &str) -> Value {
        let wanted = (Editor::uri(name), self.versions[name]);
        loop {
            let found = self.kept.iter().find(|kept| {
                kept.method == "textDocument/publishDiagnostics"
                    && kept.params["uri"] == wanted.0.as_str()
                    && kept.params["version"] == wanted.1
            });
            if let Some(found) = found {
                return found.params["diagnostics"].clone();
            }
            let message = self.receive();
            self.keep(message);
        }
    }

    /// Until the server says that hints have changed.
    pub fn wait_for_symmetry(&mut self) {
        while !self.refreshed {
            let message = self.receive();
            self.keep(message);
        }
    }

    /// Ends the server in order.
    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.say("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        assert!(server.join().expect("the server ends"), "it was shut down before");
    }
}
