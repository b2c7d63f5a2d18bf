//! What errors say beside the mistake itself: where a name is declared, which name may be meant, what to write instead.

use burnside_model::Span;
use burnside_model::code::{TypeId, TypeKind};

use super::Lowerer;
use super::scope::{Space, Symbol};
use crate::diag::{Code, Diagnostic, codes};
use crate::murphi::ast;
use crate::murphi::parser::is_ctl_word;

impl Lowerer<'_> {
    /// Reports a name that nothing declares before its use, at its first use.
    pub(super) fn unknown<T>(&mut self, space: Space, name: &ast::Ident) -> Option<T> {
        if !self.unknown.insert((space, name.name.clone())) {
            return None;
        }
        let (code, what) = match space {
            Space::Value => (codes::UNKNOWN_NAME, "name"),
            Space::Type => (codes::UNKNOWN_TYPE, "type"),
            Space::Routine => (codes::UNKNOWN_FUNCTION, "function or procedure"),
        };
        let error = match self.other_class(space, name) {
            Some(error) => error,
            None => self.not_declared(space, code, what, name),
        };
        self.report(error);
        None
    }

    fn not_declared(&self, space: Space, code: Code, what: &str, name: &ast::Ident) -> Diagnostic {
        if let Some(later) = self.declared_later(space, &name.name) {
            let message = format!("`{}` is used before it is declared", name.name);
            return Diagnostic::error(code, name.span, message)
                .also(later, "declared only here")
                .help("move the declaration before the first use");
        }
        let error = Diagnostic::error(code, name.span, format!("unknown {what} `{}`", name.name));
        if is_ctl_word(&name.name) {
            return error.help("temporal operators such as `AG` stand only in `ctl` and `ltl` properties");
        }
        match self.scopes.similar(space, &name.name) {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => error.help(match space {
                Space::Value => "declare it before this place with `const` or `var`",
                Space::Type => "declare it before this place, as in `type T : 0..3;`",
                Space::Routine => "declare it before this place with `function` or `procedure`",
            }),
        }
    }

    /// The error for a name that stands for something, but for nothing of the wanted space.
    fn other_class(&self, space: Space, name: &ast::Ident) -> Option<Diagnostic> {
        let found = |space| self.scopes.find(space, &name.name).map(|(_, declared)| declared);
        let (values, types, routines) = (found(Space::Value), found(Space::Type), found(Space::Routine));
        let name_of = |what: &str| format!("`{}` is {what}", name.name);
        let (declared, message, help) = match (space, values, types, routines) {
            (Space::Value, _, Some(at), _) => {
                (at, name_of("a type, not a value"), "write one of its values, or a variable".to_owned())
            }
            (Space::Value, _, _, Some(at)) => (
                at,
                name_of("a function, not a value"),
                format!("call it with parentheses: `{}(…)`", name.name),
            ),
            (Space::Type, Some(at), _, _) => {
                (at, name_of("a value, not a type"), "write a type, such as `0..3`".to_owned())
            }
            (Space::Routine, Some(at), _, _) => (
                at,
                name_of("a value, not a function"),
                format!("write an index in brackets: `{}[…]`", name.name),
            ),
            _ => return None,
        };
        let error = Diagnostic::error(codes::WRONG_CLASS, name.span, message);
        Some(error.also(declared, "declared here").help(help))
    }

    /// Where a name that is not known yet is declared at the top level.
    pub(super) fn declared_later(&self, space: Space, name: &str) -> Option<Span> {
        let named = |names: &[ast::Ident]| names.iter().find(|n| n.name == name).map(|n| n.span);
        self.tree.items.iter().find_map(|item| match (space, item) {
            (Space::Routine, ast::Item::Routine(r)) => (r.name.name == name).then_some(r.name.span),
            (Space::Type, ast::Item::Decl(d)) if matches!(d.kind, ast::DeclKind::Type(_)) => named(&d.names),
            (Space::Value, ast::Item::Decl(d)) => match &d.kind {
                ast::DeclKind::Type(ast::TypeExpr { kind: ast::TypeKind::Enum(members), .. }) => {
                    named(members)
                }
                ast::DeclKind::Type(_) => None,
                _ => named(&d.names),
            },
            _ => None,
        })
    }

    /// Adds where the variable that a designator begins with is declared, and as what.
    pub(super) fn with_declaration(&self, error: Diagnostic, e: &ast::Expr) -> Diagnostic {
        let Some(name) = root_name(e) else { return error };
        let Some((symbol, declared)) = self.scopes.find(Space::Value, &name.name) else { return error };
        let ty = match symbol {
            Symbol::Global(global) => self.model.globals[global.0 as usize].ty,
            Symbol::Local { local, .. } => self.frame[local].ty,
            Symbol::Constant { .. } => return error.also(declared, "declared here as a constant"),
            _ => return error,
        };
        error.also(declared, format!("declared here as `{}`", self.describe(ty)))
    }

    /// Adds where a routine is declared.
    pub(super) fn with_routine(&self, error: Diagnostic, name: &ast::Ident) -> Diagnostic {
        match self.scopes.find(Space::Routine, &name.name) {
            Some((_, declared)) => error.also(declared, "declared here"),
            None => error,
        }
    }

    /// Adds how to name an element of a scalarset, if a number was written for one.
    pub(super) fn with_element_hint(&self, error: Diagnostic, wanted: TypeId, found: TypeId) -> Diagnostic {
        let symmetric = |ty| matches!(self.types()[ty].kind, TypeKind::Scalarset(_));
        let mixed = symmetric(wanted) && self.types().is_integer(found);
        if !mixed {
            return error;
        }
        let kind = if self.types().ring(wanted).is_some() { "ring" } else { "scalarset" };
        error.help(format!(
            "elements of a {kind} are not numbers: let a `ruleset`, `for`, `forall` or `exists` name one"
        ))
    }
}

/// The name that a designator begins with.
fn root_name(e: &ast::Expr) -> Option<&ast::Ident> {
    match &e.kind {
        ast::ExprKind::Name(name) | ast::ExprKind::Undefined(name) => Some(name),
        ast::ExprKind::Field(base, _) | ast::ExprKind::Index(base, _) => root_name(base),
        _ => None,
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}
