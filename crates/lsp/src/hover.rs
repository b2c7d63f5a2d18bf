//! What is said of the name under the pointer: its declaration, its value, and what symmetry there is.

use burnside_lang::names::Kind;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::document::{Document, Language};

/// What is said of the name at a position.
pub(crate) fn hover(document: &Document, position: Position) -> Option<Hover> {
    let (span, symbol) = document.name_at(document.text.offset(position))?;
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: describe(document, symbol) };
    Some(Hover { contents: HoverContents::Markup(contents), range: Some(document.text.range(span)) })
}

/// All that is known of a symbol, as Markdown.
fn describe(document: &Document, number: usize) -> String {
    let symbol = &document.names.symbols[number];
    let language = if document.language == Language::Murphi { "murphi" } else { "uppaal" };
    let mut text = format!("```{language}\n{}\n```\n{}", declaration(document, number), symbol.kind.word());
    if let Some(value) = document.value(number).filter(|value| *value != symbol.detail) {
        text.push_str(&format!(" with the value `{value}`"));
    }
    for (name, said) in types_of(document, number) {
        text.push_str(&format!("\n\n`{name}`: {said}"));
    }
    text
}

/// The declaration in a line.
fn declaration(document: &Document, number: usize) -> String {
    let symbol = &document.names.symbols[number];
    let (name, detail) = (&symbol.name, &symbol.detail);
    if document.language == Language::Uppaal {
        return match symbol.kind {
            Kind::Routine => detail.clone(),
            Kind::Template => format!("process {name}"),
            Kind::Location => name.clone(),
            Kind::Type => format!("typedef {detail} {name}"),
            _ => match detail.split_once('[') {
                // The dimensions stand behind the name.
                Some((ty, dimensions)) if !ty.starts_with("int") => format!("{ty} {name}[{dimensions}"),
                _ => format!("{detail} {name}"),
            },
        };
    }
    match symbol.kind {
        Kind::Constant => format!("const {name} : {detail}"),
        Kind::Type => format!("type {name} : {detail}"),
        Kind::Variable => format!("var {name} : {detail}"),
        Kind::Alias => format!("alias {name} : {detail}"),
        Kind::Routine => format!("{name}{detail}"),
        _ => format!("{name} : {detail}"),
    }
}

/// What is known of the symmetry of the types that a symbol's declaration names, or of the symbol if it is a type.
fn types_of(document: &Document, number: usize) -> Vec<(String, String)> {
    let Some(symmetry) = &document.symmetry else { return Vec::new() };
    let symbol = &document.names.symbols[number];
    let words: Vec<&str> = match symbol.kind {
        Kind::Type => vec![&symbol.name],
        _ => symbol.detail.split(|c: char| !crate::document::is_name(c)).collect(),
    };
    let named = symmetry.types.iter().filter(|(name, _)| words.contains(&name.as_str()));
    named.cloned().collect()
}
