//! The local web page: served on the loopback interface, to whoever knows the token, and to nobody's web page but ours.
//!
//! A page from elsewhere that runs in the same browser may send requests to any local port. Three things keep it out: the
//! token, which it cannot know; the `Host` header, so that a name that is made to point here (DNS rebinding) is refused;
//! and the `Origin` and `Sec-Fetch-Site` headers, which browsers set and pages cannot change. Nothing is stored outside of
//! the process, and nothing is answered to requests without the token, not even that a model is being explored.
//!
//! One thread accepts requests and looks for signals; another one has the model and answers, so that a long search does
//! not delay the end of the program.

use std::io::{Read, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use burnside::explore::{Answer, Exploration};
use burnside::report::explorer::{self, File};
use burnside::{Cancel, Failure};
use serde_json::{Value as Json, json};
use tiny_http::{Method, Request, Server};

/// How often the end is looked for.
const GLANCE: Duration = Duration::from_millis(50);
/// The most bytes of a request.
const MOST_BYTES: u64 = 1 << 20;
/// The stack for models whose functions call themselves.
const STACK_BYTES: usize = 512 << 20;

/// A request, to be read and answered by the thread that has the model.
struct Task {
    request: Request,
    name: String,
}

/// The page and where it is.
pub struct Page {
    server: Server,
    port: u16,
    token: String,
}

impl Page {
    /// Takes a port of the loopback interface, any free one if it is 0.
    pub fn new(port: u16) -> Result<Page, String> {
        let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
        let server = Server::http(address).map_err(|error| format!("cannot listen on {address}: {error}"))?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        Ok(Page { server, port, token: token()? })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Serves the page until it is cancelled; `ready` is called when the model has been read.
    pub fn serve(self, exploration: Exploration, ready: impl FnOnce(&Page)) -> Result<(), Failure> {
        let (cancel, stop) = (exploration.cancel, exploration.stop.clone());
        let (tasks, waiting) = channel();
        let (told, loaded) = channel();
        let work = move || {
            let result = exploration.run(|answer| {
                let _ = told.send(None);
                answer_all(&waiting, answer);
            });
            if let Err(failure) = result {
                let _ = told.send(Some(failure));
            }
        };
        let thread = std::thread::Builder::new().name("explore".to_owned()).stack_size(STACK_BYTES);
        thread.spawn(work).map_err(|error| Failure::Refused(format!("cannot start a thread: {error}")))?;
        loop {
            match loaded.recv_timeout(GLANCE) {
                Ok(None) => break,
                Ok(Some(failure)) => return Err(failure),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) if cancel.reason().is_none() => {}
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => return Ok(()),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Refused("the model could not be read".to_owned()));
                }
            }
        }
        ready(&self);
        self.accept(cancel, &stop, &tasks);
        // The thread with the model ends with the process, or when it next looks at the token.
        stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Takes requests until the end.
    fn accept(&self, cancel: Cancel, stop: &Arc<AtomicBool>, tasks: &Sender<Task>) {
        while cancel.reason().is_none() {
            match self.server.recv_timeout(GLANCE) {
                Ok(Some(request)) => self.take(request, stop, tasks),
                Ok(None) => {}
                Err(error) => {
                    super::super::terminal::error(&format!("error: {error}\n"));
                    return;
                }
            }
        }
    }

    /// Answers a request, or hands it on.
    fn take(&self, request: Request, stop: &AtomicBool, tasks: &Sender<Task>) {
        if let Some((code, why)) = self.refused(&request) {
            respond(request, code, "text/plain; charset=utf-8", format!("{why}\n").into_bytes());
            return;
        }
        let path = request.url().get(self.token.len() + 2..).unwrap_or_default().to_owned();
        let path = path.split(['?', '#']).next().unwrap_or_default();
        match (path.strip_prefix("api/"), request.method()) {
            (Some("stop"), Method::Post) => {
                stop.store(true, Ordering::Relaxed);
                respond(request, 200, JSON, b"{}".to_vec());
            }
            (Some(name), Method::Post) => {
                if let Err(lost) = tasks.send(Task { request, name: name.to_owned() }) {
                    answer(lost.0.request, &Err("the model is gone, see the terminal".to_owned()));
                }
            }
            (None, Method::Get) => match explorer::file(path) {
                Some(File { kind, text }) => respond(request, 200, kind, text.into_owned().into_bytes()),
                None => {
                    respond(request, 404, "text/plain; charset=utf-8", b"there is no such page\n".to_vec())
                }
            },
            _ => respond(request, 405, "text/plain; charset=utf-8", b"this cannot be asked so\n".to_vec()),
        }
    }

    /// Why a request is refused, if it is.
    fn refused(&self, request: &Request) -> Option<(u16, &'static str)> {
        let header = |name: &'static str| {
            let mut all = request.headers().iter().filter(|header| header.field.equiv(name));
            all.next().map(|header| header.value.as_str().to_owned())
        };
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !header("Host").is_some_and(|host| hosts.contains(&host)) {
            return Some((421, "this is another host"));
        }
        let own = |origin: &String| hosts.iter().any(|host| *origin == format!("http://{host}"));
        if header("Origin").is_some_and(|origin| !own(&origin)) {
            return Some((403, "requests from other pages are refused"));
        }
        let site = header("Sec-Fetch-Site");
        if site.is_some_and(|site| !matches!(site.as_str(), "same-origin" | "none")) {
            return Some((403, "requests from other pages are refused"));
        }
        let given = request.url().get(1..).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let whole = request.url().len() > self.token.len() + 1;
        (!same(given, &self.token) || !whole)
            .then_some((403, "the address that the terminal shows is needed"))
    }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn same(given: &str, wanted: &str) -> bool {
    let differences = given.bytes().zip(wanted.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == wanted.len() && differences == 0
}

/// Answers requests until there are no more.
fn answer_all(waiting: &Receiver<Task>, with: &mut Answer<'_>) {
    while let Ok(Task { mut request, name }) = waiting.recv() {
        let mut body = Vec::new();
        let read = request.as_reader().take(MOST_BYTES).read_to_end(&mut body);
        let asked = read.ok().and_then(|_| serde_json::from_slice(&body).ok());
        let answered = match asked {
            Some(asked) => with(&name, &asked),
            None => Err("a request is an object of JSON".to_owned()),
        };
        answer(request, &answered);
    }
}

const JSON: &str = "application/json";

/// Writes an answer; what went wrong is told in words.
fn answer(request: Request, answered: &Result<Json, String>) {
    match answered {
        Ok(json) => respond(request, 200, JSON, json.to_string().into_bytes()),
        Err(message) => respond(request, 400, JSON, json!({ "error": message }).to_string().into_bytes()),
    }
}

/// What the browser is told with everything: nothing from elsewhere, nothing elsewhere, nothing kept.
const HEADERS: &[(&str, &str)] = &[
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];

/// Answers, and ends the connection: a browser holds several open, and threads that wait for them are few. A reader that
/// went away is no error.
fn respond(request: Request, code: u16, kind: &str, body: Vec<u8>) {
    let reason = tiny_http::StatusCode(code).default_reason_phrase();
    let mut head =
        format!("HTTP/1.1 {code} {reason}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in HEADERS.iter().chain(&[("Content-Type", kind)]) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let mut writer = request.into_writer();
    let _ = writer
        .write_all(head.as_bytes())
        .and_then(|()| writer.write_all(&body))
        .and_then(|()| writer.flush());
}

/// 128 random bits in hexadecimal, from the system.
fn token() -> Result<String, String> {
    let mut bytes = [0; 16];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| format!("the system gives no random numbers for a token: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
