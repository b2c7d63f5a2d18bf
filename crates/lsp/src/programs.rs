//! `check`, `explore` and `symmetry` from the editor: the program is started as a child, and what it says is shown.
//!
//! An editor may start them itself, in a terminal; the ones that only show code lenses ask the server.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// Checks the model.
pub(crate) const CHECK: &str = "burnside.check";
/// Opens a page to walk through the model.
pub(crate) const EXPLORE: &str = "burnside.explore";
/// Says what is symmetric.
pub(crate) const SYMMETRY: &str = "burnside.symmetry";

/// The longest message that is shown in an editor.
const MOST: u64 = 4000;

/// What came of a program.
pub(crate) enum Said {
    /// Something to read.
    Message(String),
    /// A page to open.
    Page(String),
}

/// The children that are running: they end with the server.
#[derive(Default)]
pub(crate) struct Children(Mutex<Vec<Child>>);

impl Children {
    /// Ends all of them.
    pub(crate) fn end(&self) {
        let mut children = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for mut child in children.drain(..) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts the program for a command of the editor, and waits for what it has to say.
pub(crate) fn start(program: &Path, command: &str, uri: &str, children: &Children) -> Said {
    let Some(file) = path(uri) else {
        return Said::Message(format!("{uri} is not a file"));
    };
    let word = command.strip_prefix("burnside.").unwrap_or(command);
    let mut process = Command::new(program);
    process.arg(word).arg(&file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match process.spawn() {
        Ok(child) => child,
        Err(error) => return Said::Message(format!("cannot start {}: {error}", program.display())),
    };
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    {
        let mut running = children.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        running.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        running.push(child);
    }
    let errors = std::thread::spawn(move || errors.map_or_else(String::new, said));
    let Some(output) = output else { return Said::Message(String::new()) };
    let mut text = String::new();
    for line in BufReader::new(output.take(MOST)).lines().map_while(Result::ok) {
        if let Some(page) = line.split_whitespace().find(|word| word.starts_with("http://127.0.0.1")) {
            return Said::Page(page.to_owned());
        }
        text.push_str(&line);
        text.push('\n');
    }
    if text.trim().is_empty() {
        text = errors.join().unwrap_or_default();
    }
    Said::Message(text.trim_end().to_owned())
}

fn said(errors: impl Read) -> String {
    let mut text = Vec::new();
    let _ = errors.take(MOST).read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// The file of a URI.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = rest.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push((high * 16 + low) as u8);
    }
    let path = String::from_utf8(bytes).ok()?;
    // `file:///C:/model.m`
    let path = match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => path[1..].to_owned(),
        _ => path,
    };
    Some(PathBuf::from(path))
}
