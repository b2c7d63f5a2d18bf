//! The loop: takes what the editor says, answers, and says what is wrong with the texts.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use burnside_lang::diag::{self, Severity};
use burnside_lang::source::Source;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    ClientCapabilities, CodeLensOptions, CompletionOptions, CompletionResponse, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, DocumentSymbolResponse, ExecuteCommandOptions,
    GotoDefinitionResponse, HoverProviderCapability, InitializeParams, Location, MessageType, NumberOrString,
    OneOf, PrepareRenameResponse, PublishDiagnosticsParams, RenameOptions, ServerCapabilities,
    ShowDocumentParams, ShowMessageParams, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, Uri, WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::{Document, Language};
use crate::programs::{self, Children, Said};
use crate::{FindSymmetry, Hooks, Symmetry, complete, hints, hover, navigate, outline};

/// So long nothing must happen before symmetry is looked for.
const SETTLED: Duration = Duration::from_millis(300);
/// The stack of the threads that read texts: expressions may be deep.
const STACK_BYTES: usize = 256 << 20;

/// Serves an editor over standard input and output until it says `exit`; whether it said `shutdown` before.
pub fn stdio(hooks: Hooks) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    let orderly = serve(&connection, hooks)?;
    drop(connection);
    threads.join()?;
    Ok(orderly)
}

/// Serves an editor until it says `exit`, or is gone; whether it said `shutdown` before.
pub fn serve(
    connection: &Connection,
    hooks: Hooks,
) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let name = serde_json::json!({ "name": "burnside", "version": env!("CARGO_PKG_VERSION") });
    let result = serde_json::json!({ "capabilities": capabilities(), "serverInfo": name });
    connection.initialize_finish(id, result)?;
    let (events, queue) = mpsc::channel();
    let messages = connection.receiver.clone();
    let forward = events.clone();
    std::thread::spawn(move || {
        // When the editor is gone, or the server, this ends.
        while let Ok(message) = messages.recv() {
            if forward.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = forward.send(Event::Gone);
    });
    let wanted = symmetry_thread(hooks.symmetry, events.clone())?;
    let server = Server {
        sender: &|message| connection.sender.send(message).is_ok(),
        client: params.capabilities,
        documents: HashMap::new(),
        program: hooks.program,
        children: Arc::new(Children::default()),
        events,
        wanted,
        asked: 0,
        shut_down: false,
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("server".to_owned()).stack_size(STACK_BYTES);
        let running = thread.spawn_scoped(scope, move || server.run(&queue))?;
        running.join().map_err(|_| "the server has failed".into())
    })
}

/// What can happen.
enum Event {
    Message(Message),
    /// The symmetry of a version of a text.
    Symmetry(String, i32, Option<Symmetry>),
    /// What a program said that was started.
    Said(Said),
    /// The editor is gone.
    Gone,
}

/// A text whose symmetry is wanted.
struct Wanted {
    uri: String,
    version: i32,
    source: Source,
}

/// Finds symmetry, one text after the other; of what has come meanwhile, only the last version of each text.
fn symmetry_thread(find: FindSymmetry, events: Sender<Event>) -> std::io::Result<Sender<Wanted>> {
    let (wanted, queue) = mpsc::channel::<Wanted>();
    let thread = std::thread::Builder::new().name("symmetry".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(move || {
        while let Ok(first) = queue.recv() {
            let mut latest: HashMap<String, Wanted> = HashMap::new();
            for next in std::iter::once(first).chain(queue.try_iter()) {
                latest.insert(next.uri.clone(), next);
            }
            for (uri, Wanted { version, source, .. }) in latest {
                let found = catch_unwind(AssertUnwindSafe(|| find(&source))).unwrap_or_default();
                if events.send(Event::Symmetry(uri, version, found)).is_err() {
                    return;
                }
            }
        }
    })?;
    Ok(wanted)
}

/// A document and what is due for it.
struct Open {
    document: Document,
    uri: Uri,
    version: i32,
    /// It has changed since it was read.
    stale: bool,
    /// Its symmetry is not known.
    unknown: bool,
}

struct Server<'c> {
    /// Sends a message; whether someone is there to take it.
    sender: &'c (dyn Fn(Message) -> bool + Sync),
    client: ClientCapabilities,
    documents: HashMap<String, Open>,
    program: PathBuf,
    children: Arc<Children>,
    events: Sender<Event>,
    wanted: Sender<Wanted>,
    /// How many requests went to the editor.
    asked: i32,
    shut_down: bool,
}

impl Server<'_> {
    /// Until the editor says `exit`; whether it said `shutdown` before.
    fn run(mut self, queue: &Receiver<Event>) -> bool {
        loop {
            let unknown = self.documents.values().any(|open| open.unknown);
            let next = match queue.recv_timeout(if unknown { SETTLED } else { Duration::from_secs(3600) }) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => {
                    self.ask_for_symmetry();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => Event::Gone,
            };
            // All that has come, before a text is read again.
            for event in std::iter::once(next).chain(queue.try_iter()) {
                if !self.event(event) {
                    self.children.end();
                    return self.shut_down;
                }
            }
            let stale: Vec<String> =
                self.documents.iter().filter(|(_, open)| open.stale).map(|(uri, _)| uri.clone()).collect();
            stale.iter().for_each(|uri| self.refresh(uri));
        }
    }

    /// Deals with what happened; whether the server goes on.
    fn event(&mut self, event: Event) -> bool {
        match event {
            Event::Message(Message::Request(request)) => self.request(request),
            Event::Message(Message::Notification(notification)) => return self.notification(notification),
            Event::Message(Message::Response(_)) => {}
            Event::Symmetry(uri, version, symmetry) => self.symmetry(&uri, version, symmetry),
            Event::Said(said) => self.said(said),
            Event::Gone => return false,
        }
        true
    }

    /// Reads a text again, and says what is wrong with it.
    fn refresh(&mut self, uri: &str) {
        let Some(open) = self.documents.get_mut(uri) else { return };
        open.stale = false;
        if catch_unwind(AssertUnwindSafe(|| open.document.read())).is_err() {
            self.log("reading the text has failed: please report it");
            return;
        }
        open.unknown = !open.document.diagnostics.iter().any(diag::Diagnostic::is_error);
        let diagnostics = open.document.diagnostics.iter().map(|d| shown(open, d)).collect();
        let params =
            PublishDiagnosticsParams { uri: open.uri.clone(), diagnostics, version: Some(open.version) };
        self.notify::<notification::PublishDiagnostics>(params);
    }

    /// Asks for the symmetry of all texts for which it is not known.
    fn ask_for_symmetry(&mut self) {
        for (uri, open) in self.documents.iter_mut().filter(|(_, open)| open.unknown) {
            open.unknown = false;
            let wanted = Wanted { uri: uri.clone(), version: open.version, source: open.document.source() };
            let _ = self.wanted.send(wanted);
        }
    }

    fn symmetry(&mut self, uri: &str, version: i32, symmetry: Option<Symmetry>) {
        let Some(open) = self.documents.get_mut(uri).filter(|open| open.version == version) else { return };
        open.document.symmetry = symmetry;
        let workspace = self.client.workspace.clone().unwrap_or_default();
        if workspace.inlay_hint.and_then(|hint| hint.refresh_support) == Some(true) {
            self.ask::<request::InlayHintRefreshRequest>(());
        }
        if workspace.code_lens.and_then(|lens| lens.refresh_support) == Some(true) {
            self.ask::<request::CodeLensRefresh>(());
        }
    }

    fn said(&mut self, said: Said) {
        match said {
            Said::Page(page) => {
                let window = self.client.window.clone().unwrap_or_default();
                let shows = window.show_document.is_some_and(|show| show.support);
                match page.parse() {
                    Ok(uri) if shows => self.ask::<request::ShowDocument>(ShowDocumentParams {
                        uri,
                        external: Some(true),
                        take_focus: Some(true),
                        selection: None,
                    }),
                    _ => self.show(MessageType::INFO, page),
                }
            }
            Said::Message(message) => self.show(MessageType::INFO, message),
        }
    }

    fn notification(&mut self, said: Notification) -> bool {
        match said.method.as_str() {
            notification::Exit::METHOD => return false,
            notification::DidOpenTextDocument::METHOD => self.opened(said.params),
            notification::DidChangeTextDocument::METHOD => self.changed(said.params),
            notification::DidCloseTextDocument::METHOD => self.closed(said.params),
            _ => {}
        }
        true
    }

    fn opened(&mut self, params: Value) {
        let Some(params) = read::<lsp_types::DidOpenTextDocumentParams>(params) else { return };
        let lsp_types::TextDocumentItem { uri, language_id, version, text } = params.text_document;
        let key = uri.as_str().to_owned();
        let Some(language) = Language::of(&language_id, &key) else {
            return self.log(&format!("{key} is neither Murphi nor UPPAAL's .xta"));
        };
        let name = programs::path(&key).map_or_else(|| key.clone(), |path| path.display().to_string());
        let document = Document::new(language, name, text);
        self.documents.insert(key, Open { document, uri, version, stale: true, unknown: false });
    }

    fn changed(&mut self, params: Value) {
        let Some(params) = read::<lsp_types::DidChangeTextDocumentParams>(params) else { return };
        let Some(open) = self.documents.get_mut(params.text_document.uri.as_str()) else { return };
        for change in params.content_changes {
            open.document.edit(change.range, &change.text);
        }
        open.version = params.text_document.version;
        open.stale = true;
    }

    fn closed(&mut self, params: Value) {
        let Some(params) = read::<lsp_types::DidCloseTextDocumentParams>(params) else { return };
        let uri = params.text_document.uri;
        if self.documents.remove(uri.as_str()).is_some() {
            let params = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
            self.notify::<notification::PublishDiagnostics>(params);
        }
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
        let answer = answer.unwrap_or_else(|_| {
            Err(error(ErrorCode::InternalError, "this request has failed: please report it".to_owned()))
        });
        (self.sender)(Message::Response(Response { id, response_result: answer }));
    }

    /// The answer to a request.
    fn answer(&mut self, Request { method, params, .. }: Request) -> Answer {
        if self.shut_down {
            return Err(error(ErrorCode::InvalidRequest, "the server was shut down".to_owned()));
        }
        match method.as_str() {
            request::Shutdown::METHOD => {
                self.shut_down = true;
                Ok(Value::Null)
            }
            request::HoverRequest::METHOD => {
                self.at(params, |open, at| hover::hover(&open.document, at.position))
            }
            request::GotoDefinition::METHOD => self.at(params, |open, at| {
                let found = navigate::definition(&open.document, &open.uri, at.position);
                found.map(GotoDefinitionResponse::Scalar)
            }),
            request::References::METHOD => self.references(params),
            request::DocumentHighlightRequest::METHOD => {
                self.at(params, |open, at| navigate::highlights(&open.document, at.position))
            }
            request::PrepareRenameRequest::METHOD => self.at(params, |open, at| {
                navigate::renamable(&open.document, at.position).map(PrepareRenameResponse::Range)
            }),
            request::Rename::METHOD => self.rename(params),
            request::Completion::METHOD => self.at(params, |open, at| {
                CompletionResponse::Array(complete::complete(&open.document, at.position))
            }),
            request::DocumentSymbolRequest::METHOD => {
                let params: lsp_types::DocumentSymbolParams = parsed(params)?;
                let open = self.open(&params.text_document.uri)?;
                json(DocumentSymbolResponse::Nested(outline::outline(&open.document)))
            }
            request::InlayHintRequest::METHOD => {
                let params: lsp_types::InlayHintParams = parsed(params)?;
                let open = self.open(&params.text_document.uri)?;
                json(hints::hints(&open.document, params.range))
            }
            request::CodeLensRequest::METHOD => {
                let params: lsp_types::CodeLensParams = parsed(params)?;
                let open = self.open(&params.text_document.uri)?;
                json(hints::lenses(&open.document, &open.uri))
            }
            request::ExecuteCommand::METHOD => self.execute(parsed(params)?),
            _ => Err(error(ErrorCode::MethodNotFound, format!("`{method}` is not supported"))),
        }
    }

    /// A document, read if it has changed.
    fn open(&mut self, uri: &Uri) -> Result<&Open, ResponseError> {
        if self.documents.get(uri.as_str()).is_some_and(|open| open.stale) {
            self.refresh(uri.as_str());
        }
        self.documents
            .get(uri.as_str())
            .ok_or_else(|| error(ErrorCode::InvalidParams, format!("{} is not open", uri.as_str())))
    }

    /// The answer to what is asked about a position.
    fn at<R: Serialize>(
        &mut self,
        params: Value,
        answer: impl FnOnce(&Open, &TextDocumentPositionParams) -> R,
    ) -> Answer {
        let at: TextDocumentPositionParams = parsed(params)?;
        let open = self.open(&at.text_document.uri)?;
        json(answer(open, &at))
    }

    fn references(&mut self, params: Value) -> Answer {
        let params: lsp_types::ReferenceParams = parsed(params)?;
        let at = params.text_document_position;
        let open = self.open(&at.text_document.uri)?;
        let ranges = navigate::places(&open.document, at.position, params.context.include_declaration);
        let location = |range| Location { uri: open.uri.clone(), range };
        json(ranges.into_iter().map(location).collect::<Vec<_>>())
    }

    fn rename(&mut self, params: Value) -> Answer {
        let params: lsp_types::RenameParams = parsed(params)?;
        let at = params.text_document_position;
        let open = self.open(&at.text_document.uri)?;
        let edits = navigate::rename(&open.document, at.position, &params.new_name)
            .map_err(|why| error(ErrorCode::RequestFailed, why))?;
        // Not a map by `Uri`, whose hash the compiler cannot vouch for.
        let changes = serde_json::json!({ open.uri.as_str(): edits });
        let edit: WorkspaceEdit = parsed(serde_json::json!({ "changes": changes }))?;
        json(edit)
    }

    /// Starts a program; what it says comes later.
    fn execute(&mut self, params: lsp_types::ExecuteCommandParams) -> Answer {
        let known = [programs::CHECK, programs::EXPLORE, programs::SYMMETRY];
        let Some(command) = known.into_iter().find(|known| *known == params.command) else {
            return Err(error(ErrorCode::InvalidParams, format!("there is no command `{}`", params.command)));
        };
        let Some(uri) = params.arguments.first().and_then(Value::as_str).map(str::to_owned) else {
            return Err(error(ErrorCode::InvalidParams, "the URI of a model is missing".to_owned()));
        };
        let (program, children, events) = (self.program.clone(), self.children.clone(), self.events.clone());
        std::thread::spawn(move || {
            let _ = events.send(Event::Said(programs::start(&program, command, &uri, &children)));
        });
        Ok(Value::Null)
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) {
        let params = serde_json::to_value(params).unwrap_or_default();
        (self.sender)(Message::Notification(Notification { method: N::METHOD.to_owned(), params }));
    }

    /// Asks the editor for something; the answer does not matter.
    fn ask<R: request::Request>(&mut self, params: R::Params) {
        self.asked += 1;
        let params = serde_json::to_value(params).unwrap_or_default();
        let id = RequestId::from(format!("burnside-{}", self.asked));
        (self.sender)(Message::Request(Request { id, method: R::METHOD.to_owned(), params }));
    }

    fn show(&self, typ: MessageType, message: String) {
        self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
    }

    fn log(&self, message: &str) {
        let params = lsp_types::LogMessageParams { typ: MessageType::WARNING, message: message.to_owned() };
        self.notify::<notification::LogMessage>(params);
    }
}

/// What a request gets.
type Answer = Result<Value, ResponseError>;

fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}

/// The parameters of a notification; a wrong one is ignored, as there is nobody to tell.
fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|e| error(ErrorCode::InvalidParams, e.to_string()))
}

fn json(answer: impl Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|e| error(ErrorCode::InternalError, e.to_string()))
}

/// A mistake as the editor shows it.
fn shown(open: &Open, diagnostic: &diag::Diagnostic) -> Diagnostic {
    let text = &open.document.text;
    let (span, label) = &diagnostic.primary;
    let mut message = diagnostic.message.clone();
    if !label.is_empty() {
        message.push_str(": ");
        message.push_str(label);
    }
    if let Some(help) = &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let related = diagnostic.secondary.iter().map(|(span, label)| DiagnosticRelatedInformation {
        location: Location { uri: open.uri.clone(), range: text.range(*span) },
        message: label.clone(),
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: text.range(*span),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(diagnostic.code.0.to_owned())),
        source: Some("burnside".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

fn capabilities() -> ServerCapabilities {
    let commands = [programs::CHECK, programs::EXPLORE, programs::SYMMETRY].map(str::to_owned).to_vec();
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned()]),
            ..CompletionOptions::default()
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions { commands, ..Default::default() }),
        ..ServerCapabilities::default()
    }
}
