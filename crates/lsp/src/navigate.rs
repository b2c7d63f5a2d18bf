//! Where a name is declared and used, and giving it another one.

use burnside_lang::names::{self, Names};
use burnside_lang::{murphi, source::Source, uppaal};
use lsp_types::{DocumentHighlight, Location, Position, Range, TextEdit, Uri};

use crate::document::{Document, Language, is_name};

/// Where the name at a position is declared.
pub(crate) fn definition(document: &Document, uri: &Uri, position: Position) -> Option<Location> {
    let (_, symbol) = document.name_at(document.text.offset(position))?;
    let range = document.text.range(document.names.symbols[symbol].at);
    Some(Location { uri: uri.clone(), range })
}

/// Where the name at a position stands; with or without its declaration.
pub(crate) fn places(document: &Document, position: Position, declaration: bool) -> Vec<Range> {
    let Some((_, symbol)) = document.name_at(document.text.offset(position)) else { return Vec::new() };
    let declared = document.names.symbols[symbol].at;
    let wanted = document.names.places(symbol).filter(|span| declaration || *span != declared);
    wanted.map(|span| document.text.range(span)).collect()
}

/// The same, to be marked.
pub(crate) fn highlights(document: &Document, position: Position) -> Vec<DocumentHighlight> {
    let ranges = places(document, position, true).into_iter();
    ranges.map(|range| DocumentHighlight { range, kind: None }).collect()
}

/// The name at a position that could be given another one.
pub(crate) fn renamable(document: &Document, position: Position) -> Option<Range> {
    let (span, _) = document.name_at(document.text.offset(position))?;
    document.reads().then(|| document.text.range(span))
}

/// Gives the name at a position another one; or why not. It is done on trial: if any name of the text would then mean
/// something else, nothing is changed.
pub(crate) fn rename(document: &Document, position: Position, new: &str) -> Result<Vec<TextEdit>, String> {
    let Some((_, symbol)) = document.name_at(document.text.offset(position)) else {
        return Err("there is no name here that the model declares".to_owned());
    };
    if !document.reads() {
        return Err("the text has errors: not all uses of a name are known".to_owned());
    }
    let begins = new.chars().next().is_some_and(|c| is_name(c) && !c.is_numeric());
    if !begins || !new.chars().all(is_name) {
        return Err(format!("`{new}` is not a name"));
    }
    let old = &document.names.symbols[symbol].name;
    let mut text = String::new();
    let mut done = 0;
    for span in document.names.places(symbol) {
        if document.text.slice(span) != old {
            return Err("the text has changed meanwhile".to_owned());
        }
        text.push_str(&document.text.all()[done..span.start as usize]);
        text.push_str(new);
        done = span.end as usize;
    }
    text.push_str(&document.text.all()[done..]);
    if meanings(&names_of(document.language, &text)) != meanings(&document.names) {
        return Err(format!("with the name `{new}`, some names would mean something else"));
    }
    let edit = |range| TextEdit { range, new_text: new.to_owned() };
    Ok(places(document, position, true).into_iter().map(edit).collect())
}

/// For each place where a name stands, in order, the number of what it means.
fn meanings(names: &Names) -> Vec<usize> {
    names.uses.iter().map(|(_, symbol)| *symbol).collect()
}

fn names_of(language: Language, text: &str) -> Names {
    let source = Source::new("", text);
    match language {
        Language::Murphi => names::murphi(text, &murphi::parse(&source).0),
        Language::Uppaal => names::uppaal(text, &uppaal::parse(&source, true).0),
    }
}
