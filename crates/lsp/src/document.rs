//! An open text: its mistakes and its names.
//!
//! Names outlive mistakes: where a text cannot be read at all, those of the last one that could be move along with the
//! edits, so that completion works in the line that is being typed.

use std::collections::HashMap;

use burnside_lang::diag::Diagnostic;
use burnside_lang::names::{self, Form, Kind, Names};
use burnside_lang::source::{MAX_BYTES, Source};
use burnside_lang::{Loaded, Request, load};
use burnside_lang::{murphi, uppaal};
use burnside_model::Span;
use burnside_model::code::Types;
use burnside_model::system::Constant;
use lsp_types::{Range, SymbolKind};

use crate::Symmetry;
use crate::outline::{self, Entry};
use crate::text::Text;

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Murphi.
    Murphi,
    /// UPPAAL's textual format.
    Uppaal,
}

impl Language {
    /// The language of a file: as the editor says, or by its name.
    #[must_use]
    pub fn of(id: &str, uri: &str) -> Option<Language> {
        let ends = |endings: &[&str]| endings.iter().any(|ending| uri.ends_with(ending));
        match id {
            "murphi" => Some(Language::Murphi),
            "uppaal" | "xta" => Some(Language::Uppaal),
            _ if ends(&[".xta", ".ta"]) => Some(Language::Uppaal),
            _ if ends(&[".m", ".murphi"]) => Some(Language::Murphi),
            _ => None,
        }
    }

    fn in_lang(self) -> burnside_lang::Language {
        match self {
            Language::Murphi => burnside_lang::Language::Murphi,
            Language::Uppaal => burnside_lang::Language::Uppaal,
        }
    }

    /// Its words.
    pub(crate) fn keywords(self) -> Vec<&'static str> {
        match self {
            Language::Murphi => murphi::token::Tok::keywords().collect(),
            Language::Uppaal => uppaal::KEYWORDS.split(' ').collect(),
        }
    }
}

/// An open text.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its language.
    pub language: Language,
    /// What it is called in messages.
    pub name: String,
    /// The text.
    pub text: Text,
    /// The mistakes of the text as it was read last.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of the last text that had any, where they are now.
    pub names: Names,
    /// The values of global constants, if the model has no errors.
    pub values: HashMap<String, String>,
    /// Rules and properties.
    pub(crate) entries: Vec<Entry>,
    /// The symmetry of the last text without errors.
    pub symmetry: Option<Symmetry>,
    /// Whether the names are those of the text as it is.
    pub(crate) settled: bool,
}

impl Document {
    /// A text that was not read yet.
    #[must_use]
    pub fn new(language: Language, name: String, text: String) -> Self {
        Document {
            language,
            name,
            text: Text::new(text),
            diagnostics: Vec::new(),
            names: Names::default(),
            values: HashMap::new(),
            entries: Vec::new(),
            symmetry: None,
            settled: false,
        }
    }

    /// The text as the front ends take it.
    #[must_use]
    pub fn source(&self) -> Source {
        Source::new(self.name.clone(), self.text.all())
    }

    /// Replaces a range, or everything; what is known moves along.
    pub fn edit(&mut self, range: Option<Range>, with: &str) {
        let edit = self.text.replace(range, with);
        let moved = |span: Span| Span { start: edit.moved(span.start), end: edit.moved(span.end) };
        for symbol in &mut self.names.symbols {
            (symbol.at, symbol.whole, symbol.scope) =
                (moved(symbol.at), moved(symbol.whole), moved(symbol.scope));
        }
        self.names.uses.iter_mut().for_each(|(span, _)| *span = moved(*span));
        self.entries
            .iter_mut()
            .for_each(|entry| (entry.at, entry.whole) = (moved(entry.at), moved(entry.whole)));
        self.settled = false;
    }

    /// Reads the text.
    pub fn read(&mut self) {
        let source = self.source();
        let request = Request { language: Some(self.language.in_lang()), ..Request::default() };
        let (types, constants) = match load(&source, request) {
            Ok((loaded, diagnostics)) => {
                self.diagnostics = diagnostics;
                match loaded {
                    Loaded::Model(model) => (Some(model.types), model.constants),
                    Loaded::Network(network) => (Some(network.model.types), network.model.constants),
                    _ => (None, Vec::new()),
                }
            }
            Err(rejected) => {
                self.diagnostics = rejected.diagnostics;
                (None, Vec::new())
            }
        };
        if let Some(types) = types {
            self.values = values(&types, &constants);
        }
        if source.text().len() > MAX_BYTES {
            return;
        }
        let (names, entries) = match self.language {
            Language::Murphi => {
                let (tree, _) = murphi::parse(&source);
                (names::murphi(source.text(), &tree), outline::rules(&tree))
            }
            Language::Uppaal => {
                let (tree, _) = uppaal::parse(&source, true);
                (names::uppaal(source.text(), &tree), Vec::new())
            }
        };
        if !names.symbols.is_empty() || self.diagnostics.iter().all(|d| !d.is_error()) {
            (self.names, self.entries, self.settled) = (names, entries, true);
        }
    }

    /// Whether nothing is wrong with the text but perhaps its types: then the names are complete.
    #[must_use]
    pub fn reads(&self) -> bool {
        // Codes below E02 are those of lexers and parsers.
        let broken = |d: &Diagnostic| d.is_error() && d.code.0 < "E0200";
        self.settled && !self.diagnostics.iter().any(broken)
    }

    /// The name at an offset and its symbol, if the text there still is that name.
    #[must_use]
    pub fn name_at(&self, offset: u32) -> Option<(Span, usize)> {
        let (span, symbol) = self.names.at(offset)?;
        (self.text.slice(span) == self.names.symbols[symbol].name).then_some((span, symbol))
    }

    /// The value of a symbol that is a global constant.
    #[must_use]
    pub fn value(&self, symbol: usize) -> Option<&str> {
        let symbol = &self.names.symbols[symbol];
        let global = symbol.scope.end as usize >= self.text.all().len();
        let value = (symbol.kind == Kind::Constant && global).then(|| self.values.get(&symbol.name));
        value.flatten().map(String::as_str)
    }

    /// What stands before a dot: a name with indices and fields, found backwards from an offset.
    #[must_use]
    pub fn form_before(&self, offset: u32) -> Option<Form> {
        let before = self.text.all().get(..offset as usize)?;
        let start = designator_start(before);
        let chain = &before[start..];
        let name_end = chain.find(|c: char| !is_name(c)).unwrap_or(chain.len());
        let visible = self.names.visible(offset);
        let root = visible.into_iter().find(|symbol| {
            let symbol = &self.names.symbols[*symbol];
            symbol.name == chain[..name_end] && symbol.kind != Kind::Type
        })?;
        let mut form = self.names.symbols[root].form.clone();
        let mut rest = chain[name_end..].trim_start();
        while !rest.is_empty() {
            if let Some(field) = rest.strip_prefix('.') {
                let field = field.trim_start();
                let end = field.find(|c: char| !is_name(c)).unwrap_or(field.len());
                let fields = self.names.fields(&form);
                let found = fields.iter().find(|f| self.names.symbols[**f].name == field[..end])?;
                form = self.names.symbols[*found].form.clone();
                rest = field[end..].trim_start();
            } else {
                let length = bracketed(rest)?;
                if rest.starts_with('[') {
                    form = self.names.element(&form).clone();
                }
                rest = rest[length..].trim_start();
            }
        }
        Some(form)
    }
}

/// The values of constants, as they are written.
fn values(types: &Types, constants: &[Constant]) -> HashMap<String, String> {
    constants.iter().map(|c| (c.name.clone(), types.show(c.ty, c.value))).collect()
}

/// Whether a character can be in a name.
pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the designator begins that a text ends with.
fn designator_start(text: &str) -> usize {
    let mut start = text.len();
    let mut open = 0;
    let mut wants_name = true;
    for (at, c) in text.char_indices().rev().take(1000) {
        match c {
            ']' | ')' => open += 1,
            '[' | '(' if open > 0 => {
                open -= 1;
                wants_name = true;
            }
            _ if open > 0 => {}
            '.' => wants_name = true,
            _ if is_name(c) && wants_name => {
                // The first character of a name counts if what is before it is none.
                if text[..at].chars().next_back().is_none_or(|before| !is_name(before)) {
                    wants_name = false;
                }
            }
            _ => return start,
        }
        start = at;
    }
    start
}

/// The length of a bracketed stretch that a text begins with.
fn bracketed(text: &str) -> Option<usize> {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => open += 1,
            ']' | ')' if open == 1 => return Some(at + 1),
            ']' | ')' => open -= 1,
            _ if open == 0 => return None,
            _ => {}
        }
    }
    None
}

/// How a kind of name is drawn.
pub(crate) fn icon(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Constant => SymbolKind::CONSTANT,
        Kind::Type => SymbolKind::STRUCT,
        Kind::Variable | Kind::Parameter | Kind::Alias => SymbolKind::VARIABLE,
        Kind::Member => SymbolKind::ENUM_MEMBER,
        Kind::Field => SymbolKind::FIELD,
        Kind::Routine => SymbolKind::FUNCTION,
        Kind::Template => SymbolKind::CLASS,
        Kind::Location => SymbolKind::KEY,
    }
}
