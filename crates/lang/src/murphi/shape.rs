//! One model text, read at several sizes: for proofs about every number of processes.
//!
//! A constant is a *parameter* if the text uses it only as the whole size of scalarsets: `type Proc: scalarset(N)`. Then
//! the text means the same statements at every size. This is decided on tokens, so that no use can hide: every
//! occurrence of the name other than its declaration and `scalarset(N)` is listed as a foreign use. A scalarset whose
//! size is a number is a parameter named after its type.
//!
//! A [`Shape`] gives scalarsets other sizes. It can also *widen* them: a cell inside an array or record whose values are
//! elements gets one more value, [`OTHER`], an element that is not among those that are looked at. The small-model
//! argument of `prove` restricts a large state to few elements; an array that holds ids may then hold such an id.

use burnside_model::Span;
use burnside_model::code::{TypeId, TypeKind};

use super::ast;
use super::lexer::lex;
use super::token::Tok;
use crate::source::Source;

/// How the value of a widened cell is shown that is an element outside the state.
pub const OTHER: &str = "another";

/// Sizes of scalarsets that differ from those in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// By where a scalarset is declared ([`burnside_model::code::Domain::span`]), its size.
    pub sizes: Vec<(Span, u32)>,
    /// Whether cells in arrays and records that hold elements of these scalarsets have the value [`OTHER`], too.
    pub widened: bool,
}

impl Shape {
    /// The size of the scalarset that is declared there, if it is given.
    pub(super) fn size(&self, at: Span) -> Option<u32> {
        self.sizes.iter().find(|(span, _)| span.start == at.start).map(|(_, size)| *size)
    }
}

/// A constant, or a number, that is the size of scalarsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the constant, or of the type whose size is a number.
    pub name: String,
    pub constant: bool,
    /// Where the scalarsets are declared.
    pub scalarsets: Vec<Span>,
    /// Where the constant is used for anything else.
    pub foreign: Vec<Span>,
}

/// The parameters of a model, in the order of the text.
pub fn parameters(source: &Source) -> Vec<Parameter> {
    let (tokens, _) = lex(source);
    let (tree, _) = super::parse(source);
    let text = |span: Span| source.text().get(span.start as usize..span.end as usize).unwrap_or("");
    let mut constants: Vec<&ast::Ident> = Vec::new();
    for item in &tree.items {
        if let ast::Item::Decl(ast::Decl { names, kind: ast::DeclKind::Const(_), .. }) = item {
            constants.extend(names);
        }
    }
    let mut found: Vec<Parameter> = Vec::new();
    for (at, four) in tokens.windows(4).enumerate() {
        let [word, open, size, close] = four else { continue };
        if word.kind != Tok::Scalarset || open.kind != Tok::LParen || close.kind != Tok::RParen {
            continue;
        }
        let span = Span { start: word.span.start, end: close.span.end };
        let (name, constant) = match size.kind {
            Tok::Ident if constants.iter().any(|c| c.name == text(size.span)) => (text(size.span), true),
            Tok::Number if at >= 2 && tokens[at - 1].kind == Tok::Colon => (text(tokens[at - 2].span), false),
            _ => continue,
        };
        match found.iter_mut().find(|p| p.name == name && p.constant && constant) {
            Some(parameter) => parameter.scalarsets.push(span),
            None => found.push(Parameter {
                name: name.to_owned(),
                constant,
                scalarsets: vec![span],
                foreign: Vec::new(),
            }),
        }
    }
    for parameter in found.iter_mut().filter(|parameter| parameter.constant) {
        let declared = |span: Span| constants.iter().any(|c| c.span == span && c.name == parameter.name);
        let as_size = |span: Span| {
            parameter.scalarsets.iter().any(|whole| whole.start <= span.start && span.end <= whole.end)
        };
        let uses =
            tokens.iter().filter(|token| token.kind == Tok::Ident && text(token.span) == parameter.name);
        let uses = uses.map(|token| token.span);
        let foreign: Vec<Span> = uses.filter(|span| !declared(*span) && !as_size(*span)).collect();
        parameter.foreign = foreign;
    }
    found
}

impl super::lower::Lowerer<'_> {
    /// The type of a cell inside an array or record: widened, if that is asked for and it holds elements.
    pub(super) fn in_aggregate(&mut self, ty: TypeId) -> Option<TypeId> {
        if !self.shape.widened || !self.model.types.is_simple(ty) {
            return Some(ty);
        }
        let types = &self.model.types;
        let sized = |domain| self.shape.size(types.domain(domain).span).is_some();
        if !types.domains_of(ty).into_iter().any(|(domain, _)| sized(domain)) {
            return Some(ty);
        }
        if let Some((_, wide)) = self.widened.iter().find(|(narrow, _)| *narrow == ty) {
            return Some(*wide);
        }
        let mut members = match &types[ty].kind {
            TypeKind::Union(members) => members.clone(),
            _ => vec![ty],
        };
        let other = match self.other {
            Some(other) => other,
            None => self.model.types.add(None, TypeKind::Enum(vec![OTHER.to_owned()]))?,
        };
        self.other = Some(other);
        members.push(other);
        let wide = self.model.types.add(None, TypeKind::Union(members))?;
        self.widened.push((ty, wide));
        Some(wide)
    }
}
