//! The explorer's page: who gets it, who does not, and that it ends with its terminal.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// `burnside explore` while it runs; it is ended at the end of a test.
struct Explorer {
    child: Child,
    port: u16,
    token: String,
}

impl Explorer {
    fn start(arguments: &[&str]) -> Explorer {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let mut child = Command::new(env!("CARGO_BIN_EXE_burnside"))
            .arg("explore")
            .args(arguments)
            .current_dir(root)
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("standard output");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("a loopback address").to_owned();
        let (port, token) = rest.split_once('/').expect("a token");
        let token = token.trim_end_matches('/').to_owned();
        Explorer { child, port: port.parse().expect("a port"), token }
    }

    /// The status and body of an answer.
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let mut text = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
        write!(stream, "{text}\r\n{body}").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
        assert!(!head.contains("Access-Control-Allow-Origin"), "{head}");
        (status, body.to_owned())
    }

    fn page(&self, headers: &[(&str, &str)]) -> u16 {
        self.request("GET", &format!("/{}/", self.token), headers, "").0
    }

    fn ask(&self, name: &str, asked: &Value) -> (u16, Value) {
        let path = format!("/{}/api/{name}", self.token);
        let (status, body) = self.request("POST", &path, &[], &asked.to_string());
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// How it ended, if it ends in time.
    fn ended(&mut self, within: Duration) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < within {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn only_who_knows_the_token_gets_an_answer() {
    let explorer = Explorer::start(&["models/murphi/german.m"]);
    assert_eq!(explorer.page(&[]), 200);
    assert_eq!(explorer.token.len(), 32);
    let wrong = "0".repeat(32);
    let longer = format!("{}0", explorer.token);
    let shorter = &explorer.token[..31];
    for path in ["/", "/api/model", "/favicon.ico", "//", "/../", "*"] {
        assert_eq!(explorer.request("GET", path, &[], "").0, 403, "{path}");
        assert_eq!(explorer.request("POST", path, &[], "{}").0, 403, "{path}");
    }
    for token in [wrong.as_str(), &longer, shorter, ""] {
        for path in [format!("/{token}/"), format!("/{token}/api/model"), format!("/{token}")] {
            let (status, body) = explorer.request("POST", &path, &[], "{}");
            assert_eq!(status, 403, "{path}");
            assert!(!body.contains("german"), "nothing is told of the model");
        }
    }
    let again = Explorer::start(&["models/murphi/german.m"]);
    assert_ne!(explorer.token, again.token, "each start has a token of its own");
}

#[test]
fn pages_from_elsewhere_are_refused() {
    let explorer = Explorer::start(&["models/murphi/german.m"]);
    let own = format!("http://127.0.0.1:{}", explorer.port);
    let local = format!("localhost:{}", explorer.port);
    assert_eq!(explorer.page(&[("Origin", &own)]), 200);
    assert_eq!(explorer.page(&[("Host", &local)]), 200);
    assert_eq!(explorer.page(&[("Sec-Fetch-Site", "none")]), 200);
    let https = format!("https://127.0.0.1:{}", explorer.port);
    for origin in ["http://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", &https, ""] {
        assert_eq!(explorer.page(&[("Origin", origin)]), 403, "{origin}");
    }
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.2:80"] {
        assert_eq!(explorer.page(&[("Host", host)]), 421, "{host}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(explorer.page(&[("Sec-Fetch-Site", site)]), 403, "{site}");
    }
}

#[test]
fn it_listens_on_the_loopback_interface_only() {
    let explorer = Explorer::start(&["models/murphi/german.m"]);
    let Ok(table) = std::fs::read_to_string("/proc/net/tcp") else { return };
    let port = format!(":{:04X}", explorer.port);
    let listening: Vec<&str> = table
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace().skip(1);
            let (local, _, state) = (words.next()?, words.next()?, words.next()?);
            (local.ends_with(&port) && state == "0A").then_some(local)
        })
        .collect();
    assert_eq!(listening, [format!("0100007F{port}")]);
    let six = std::fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    assert!(!six.contains(&format!("{port} 0000")), "nor on IPv6");
}

#[test]
fn it_ends_with_its_terminal_even_during_a_search() {
    for (signal, busy) in [("-INT", false), ("-TERM", false), ("-HUP", false), ("-HUP", true), ("-INT", true)]
    {
        let mut explorer = Explorer::start(&["models/murphi/german.m", "-D", "N=4"]);
        if busy {
            let (port, token) = (explorer.port, explorer.token.clone());
            std::thread::spawn(move || {
                let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return };
                let body = r#"{"how":"shortest","until":"false"}"#;
                let _ = write!(
                    stream,
                    "POST /{token}/api/find HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.read_to_string(&mut String::new());
            });
            std::thread::sleep(Duration::from_millis(300));
        }
        explorer.signal(signal);
        assert_eq!(explorer.ended(Duration::from_secs(10)), Some(0), "{signal}, busy: {busy}");
    }
}

#[test]
fn a_search_is_stopped_while_others_are_answered() {
    let explorer = Explorer::start(&["models/murphi/german.m", "-D", "N=5"]);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| explorer.ask("find", &json!({ "how": "shortest", "until": "false" })));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(explorer.page(&[]), 200, "the page is there during a search");
        assert_eq!(explorer.ask("stop", &json!({})).0, 200);
        let (status, found) = search.join().expect("an answer");
        assert_eq!((status, &found["reached"], &found["all"]), (200, &json!(false), &json!(false)));
    });
    assert!(begun.elapsed() < Duration::from_secs(15), "it was stopped, not ended by its limit");
}

#[test]
fn what_is_asked_wrongly_is_told_in_words() {
    let explorer = Explorer::start(&["models/murphi/german.m"]);
    let wrong = [
        ("walk", json!({ "choices": [0, 999] }), "no choice 999"),
        ("walk", json!({ "choices": ["a"] }), "a number"),
        ("walk", json!({}), "list of choices"),
        ("walk", json!({ "choices": vec![0; 20_001] }), "at most"),
        ("state", json!({ "state": 4_000_000_000_u32 }), "no state"),
        ("state", json!({ "state": -1 }), "a number"),
        ("condition", json!({ "text": "nobody = 3" }), "nobody"),
        ("condition", json!({ "text": "true; rule true ==> end" }), ""),
        ("condition", json!({ "text": "" }), "a condition"),
        ("find", json!({ "how": "shortest" }), "condition"),
        ("node", json!({ "node": 7 }), "node"),
        ("export", json!({ "choices": [0], "format": "pdf" }), "text"),
        ("nothing", json!({}), "no request"),
    ];
    for (name, asked, words) in wrong {
        let (status, told) = explorer.ask(name, &asked);
        let error = told["error"].as_str().unwrap_or_default().to_owned();
        assert!(
            status == 400 && !error.is_empty() && error.contains(words),
            "{name} {asked}: {status} {told}"
        );
    }
    let (status, _) = explorer.request("POST", &format!("/{}/api/model", explorer.token), &[], "no JSON");
    assert_eq!(status, 400);
    assert_eq!(explorer.page(&[]), 200, "it goes on");
}

/// In every language: a random walk, the same walk again, the graph, and the run as a file.
#[test]
fn every_language_is_walked() {
    let models: [(&[&str], &str, &str); 7] = [
        (&["models/murphi/german.m"], "exclusive", "command"),
        (&["models/murphi/needham_schroeder.m"], "true", "true"),
        (&["models/uppaal/fischer.xta"], "P(1).cs && P(1).x > 12", "id"),
        (&["models/promela/mutex.pml"], "place[1] == inside", "place[2]"),
        (
            &["models/prism/consensus.prism", "models/prism/consensus.props"],
            "counter>10 & coin1",
            "counter-1",
        ),
        (&["models/boolean/gate.tts", "--start-threads", "5"], "1|2", "1|2"),
        (&["models/boolean/lock.bp"], "5|5", "5|5"),
    ];
    for (arguments, condition, term) in models {
        let explorer = Explorer::start(arguments);
        let asked = |name: &str, asked: Value| {
            let (status, answer) = explorer.ask(name, &asked);
            assert_eq!(status, 200, "{arguments:?} {name}: {answer}");
            answer
        };
        let walk = asked("find", json!({ "how": "random", "steps": 30, "seed": 5 }))["choices"].clone();
        assert!(walk.as_array().is_some_and(|walk| walk.len() > 2), "{arguments:?}: {walk}");
        let again = asked("find", json!({ "how": "random", "steps": 30, "seed": 5 }))["choices"].clone();
        assert_eq!(walk, again, "the same seed, the same walk");
        let steps = asked("walk", json!({ "choices": walk }))["steps"].clone();
        let last = steps.as_array().and_then(|steps| steps.last()).expect("a step")["state"].clone();
        let state = asked("state", json!({ "state": last }));
        assert!(state["values"].as_object().is_some_and(|values| !values.is_empty()));
        let value = asked("condition", json!({ "text": condition, "state": last }))["value"].clone();
        assert!(["true", "false"].contains(&value.as_str().expect("a value")), "{arguments:?}: {value}");
        let found = asked("find", json!({ "how": "shortest", "until": condition }));
        assert_eq!(found["reached"], true, "{arguments:?}: {condition}");
        let graph = asked("graph", json!({ "most": 60 }));
        let nodes = graph["nodes"].as_array().expect("nodes").len();
        assert!(nodes > 2 && nodes <= 60, "{arguments:?}: {nodes}");
        let classes = asked("classes", json!({ "text": term }))["classes"].clone();
        assert_eq!(classes.as_array().map(Vec::len), Some(nodes));
        let there = asked("node", json!({ "node": 1 }))["choices"].clone();
        asked("walk", json!({ "choices": there }));
        let json = asked("export", json!({ "choices": walk, "format": "json" }))["text"].clone();
        let run: Value = serde_json::from_str(json.as_str().expect("text")).expect("JSON");
        assert_eq!(run["trace"].as_array().map(Vec::len), walk.as_array().map(Vec::len), "{arguments:?}");
        assert!(
            !asked("export", json!({ "choices": walk, "format": "text" }))["text"]
                .as_str()
                .unwrap_or_default()
                .is_empty()
        );
        asked("check", json!({}));
    }
}
