//! Burnside in editors: a server of the Language Server Protocol for Murphi and UPPAAL's textual format.
//!
//! [`document`] keeps a text, its mistakes and its names up to date; every feature is a function of that, in a file of its
//! own. [`server`] is the loop around: it takes all edits that have come before it reads a text again, so a fast typist
//! never waits, and asks for symmetry, which can take long, on another thread once the text has settled.
//!
//! Two things are not here: no engine runs in this process (`burnside check` is started as a child), and the symmetry of a
//! model is found by whoever starts the server ([`Hooks`]).

mod complete;
pub mod document;
mod hints;
mod hover;
mod navigate;
mod outline;
mod programs;
mod server;
pub mod text;

use std::path::PathBuf;

use burnside_lang::source::Source;

pub use server::{serve, stdio};

/// Finds the symmetry of a model; nothing if it has errors.
pub type FindSymmetry = Box<dyn Fn(&Source) -> Option<Symmetry> + Send>;

/// What the server asks others for.
pub struct Hooks {
    /// For hovers and hints.
    pub symmetry: FindSymmetry,
    /// The program to start for `check` and `explore`.
    pub program: PathBuf,
}

/// What an editor shows of a model's symmetry.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    /// The group, in a line.
    pub group: String,
    /// By the name of a type, what is said of its elements.
    pub types: Vec<(String, String)>,
    /// Where it breaks.
    pub breaks: Vec<Break>,
}

/// A place that tells elements apart.
#[derive(Clone, Debug)]
pub struct Break {
    /// The line, from one.
    pub line: u32,
    /// The character in the line, from one.
    pub column: u32,
    /// Why.
    pub message: String,
}

/// Asks everything about a position at once: for tests that nothing crashes.
#[doc(hidden)]
pub fn probe(document: &document::Document, position: lsp_types::Position) {
    let uri: Result<lsp_types::Uri, _> = "file:///a".parse();
    let _ = (hover::hover(document, position), complete::complete(document, position));
    let _ = (navigate::highlights(document, position), navigate::renamable(document, position));
    let _ = (navigate::rename(document, position, "other"), outline::outline(document));
    let all = lsp_types::Range { start: lsp_types::Position::default(), end: position };
    let _ = hints::hints(document, all);
    if let Ok(uri) = uri {
        let _ = (navigate::definition(document, &uri, position), hints::lenses(document, &uri));
    }
}
