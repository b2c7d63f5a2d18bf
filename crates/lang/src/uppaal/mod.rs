//! The UPPAAL front end: `.xta` and `.xml` files and queries to a network of timed automata.

pub mod ast;
mod lexer;
mod lower;
mod parser;
mod xml;

use crate::diag::Diagnostic;
use crate::source::Source;

pub use lower::{load, load_with_queries};
pub use parser::{KEYWORDS, queries as parse_queries};

/// Reads a model: `.xml` if the text begins as XML does, `.xta` otherwise. The queries inside are read if they are wanted.
pub fn parse(source: &Source, queries: bool) -> (ast::Document, Vec<Diagnostic>) {
    let text = source.text();
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        let (document, diagnostics) = xml::parse(source, queries);
        let diagnostics = diagnostics.into_iter().map(|d| placed(d, &document, source)).collect();
        return (document, diagnostics);
    }
    let stretch = lexer::Stretch { text, start: 0, end: text.len(), xml: false };
    match parser::Parser::new(stretch).and_then(|mut parser| parser.document()) {
        Ok(document) => (document, Vec::new()),
        Err(diagnostic) => (ast::Document::default(), vec![*diagnostic]),
    }
}

/// Says of a mistake in an `.xml` file in which label it is, and in which line there.
fn placed(mut diagnostic: Diagnostic, document: &ast::Document, source: &Source) -> Diagnostic {
    let at = diagnostic.primary.0.start;
    let label = document.labels.iter().find(|(span, _)| span.start <= at && at <= span.end);
    if let Some((span, label)) = label {
        let text = &source.text()[span.start as usize..at as usize];
        let line = text.matches('\n').count() + 1;
        diagnostic.message = format!("{} (line {line} of {label})", diagnostic.message);
    }
    diagnostic
}
