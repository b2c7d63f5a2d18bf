//! Completion: fields behind a dot, otherwise the names that can be used here and the words of the language.

use burnside_lang::names::Kind;
use lsp_types::{CompletionItem, CompletionItemKind, Position};

use crate::document::{Document, is_name};

/// What can stand at a position. The editor picks what fits the letters that are there.
pub(crate) fn complete(document: &Document, position: Position) -> Vec<CompletionItem> {
    let offset = document.text.offset(position);
    let before = document.text.all().get(..offset as usize).unwrap_or_default();
    let word = before.len() - before.trim_end_matches(is_name).len();
    let start = offset - word as u32;
    let before = before[..start as usize].trim_end();
    // `..` is a range, not a field.
    if before.ends_with('.') && !before.ends_with("..") {
        let form = document.form_before(before.len() as u32 - 1);
        let fields = form.iter().flat_map(|form| document.names.fields(form));
        return fields.map(|field| item(document, *field)).collect();
    }
    let mut names = document.names.visible(start);
    names.retain(|symbol| document.names.symbols[*symbol].kind != Kind::Field);
    let names = names.into_iter().map(|symbol| item(document, symbol));
    let words = document.language.keywords().into_iter().map(|word| CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        // Behind the names.
        sort_text: Some(format!("~{word}")),
        ..CompletionItem::default()
    });
    names.chain(words).collect()
}

fn item(document: &Document, number: usize) -> CompletionItem {
    let symbol = &document.names.symbols[number];
    let kind = match symbol.kind {
        Kind::Constant => CompletionItemKind::CONSTANT,
        Kind::Type => CompletionItemKind::STRUCT,
        Kind::Variable | Kind::Parameter | Kind::Alias => CompletionItemKind::VARIABLE,
        Kind::Member => CompletionItemKind::ENUM_MEMBER,
        Kind::Field => CompletionItemKind::FIELD,
        Kind::Routine => CompletionItemKind::FUNCTION,
        Kind::Template => CompletionItemKind::CLASS,
        Kind::Location => CompletionItemKind::PROPERTY,
    };
    let detail = match document.value(number) {
        Some(value) => value.to_owned(),
        None => symbol.detail.clone(),
    };
    CompletionItem {
        label: symbol.name.clone(),
        kind: Some(kind),
        detail: Some(detail),
        ..CompletionItem::default()
    }
}
