//! Types.
//!
//! A type that is neither a name nor begins with a keyword is a range `lo .. hi`, whose bounds are
//! expressions; so a name is read as an expression first, and is a type if no `..` follows.

use super::blocks::Block;
use super::{Parsed, Parser};
use crate::diag::codes;
use crate::murphi::ast::{Expr, ExprKind, Field, Ident, MAX_HEIGHT, TypeExpr, TypeKind};
use crate::murphi::token::Tok;

impl Parser<'_> {
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(|p| {
            let start = p.here();
            let kind = p.type_kind()?;
            let ty = TypeExpr::new(kind, p.since(start));
            if ty.height() > MAX_HEIGHT {
                return Err(p.report_here(
                    codes::NESTED_TOO_DEEPLY,
                    "this type is nested too deeply",
                    "name its parts",
                ));
            }
            Ok(ty)
        })
    }

    fn type_kind(&mut self) -> Parsed<TypeKind> {
        match self.kind() {
            Tok::Boolean => {
                self.bump();
                Ok(TypeKind::Boolean)
            }
            Tok::Enum => self.enum_type(),
            Tok::Record => Ok(self.record_type()),
            Tok::Array => self.array_type(),
            Tok::Scalarset => Ok(TypeKind::Scalarset(self.type_size()?)),
            Tok::Union => self.union_type(),
            Tok::Real => {
                let help = "use a range of integers, for example by counting in hundredths";
                Err(self.report_here(codes::REAL_NUMBER, "the type `real` is not supported", help))
            }
            _ if self.at_multiset() => self.multiset_type(),
            // A call is no bound of a range, as it is not constant; so this word needs no keyword.
            _ if self.at_word("ring") && self.ahead(1) == Tok::LParen => {
                Ok(TypeKind::Ring(self.type_size()?))
            }
            kind if kind.starts_expr() => self.range_or_name(),
            _ => Err(self.unexpected("a type")),
        }
    }

    /// `(n)` after the word at hand.
    fn type_size(&mut self) -> Parsed<Box<Expr>> {
        self.bump();
        self.expect(Tok::LParen)?;
        let size = self.expr()?;
        self.expect(Tok::RParen)?;
        Ok(Box::new(size))
    }

    fn range_or_name(&mut self) -> Parsed<TypeKind> {
        let low = self.expr()?;
        if self.eat(Tok::DotDot) {
            let high = self.expr()?;
            return Ok(TypeKind::Range(Box::new(low), Box::new(high)));
        }
        match low.kind {
            ExprKind::Name(name) | ExprKind::Undefined(name) => Ok(TypeKind::Named(name)),
            _ => Err(self.unexpected("`..` and the upper bound of a range")),
        }
    }

    /// `enum { A, B, C }`; a comma after the last is allowed.
    fn enum_type(&mut self) -> Parsed<TypeKind> {
        self.bump();
        self.expect(Tok::LBrace)?;
        let mut names: Vec<Ident> = Vec::new();
        while self.kind() != Tok::RBrace {
            names.push(self.ident()?);
            if self.eat(Tok::Comma) || self.kind() == Tok::RBrace {
                continue;
            }
            if matches!(self.kind(), Tok::Ident | Tok::Semi) {
                let message = format!("expected `,`, found {}", self.found());
                self.report_here(
                    codes::WRONG_SEPARATOR,
                    message,
                    "the values of an enum are separated by commas",
                );
                self.eat_semis();
            } else {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        self.expect(Tok::RBrace)?;
        Ok(TypeKind::Enum(names))
    }

    fn record_type(&mut self) -> TypeKind {
        let keyword = self.bump();
        // CMurphi's layout hint, unless it is the name of the first field.
        if self.at_word("interleaved") && !matches!(self.ahead(1), Tok::Colon | Tok::Comma) {
            self.bump();
        }
        let fields = self.block(Block::Record, keyword.span, |p| {
            let mut fields = Vec::new();
            loop {
                p.eat_semis();
                if p.at_end() || !p.at_decl_line() {
                    break fields;
                }
                fields.extend(p.element(|p| p.field(), |_| false));
                p.comma_for_semi("the fields of a record are separated by semicolons");
            }
        });
        TypeKind::Record(fields)
    }

    fn field(&mut self) -> Parsed<Field> {
        let start = self.here();
        let names = self.names()?;
        self.colon("a field is declared as in `x : T;`")?;
        self.warn_nameless(&names);
        let ty = self.type_expr()?;
        Ok(Field { names, ty, span: self.since(start) })
    }

    fn skip_interleaved(&mut self) {
        if self.at_word("interleaved") {
            self.bump();
        }
    }

    fn array_type(&mut self) -> Parsed<TypeKind> {
        self.bump();
        self.skip_interleaved();
        self.expect(Tok::LBracket)?;
        let index = self.type_expr()?;
        if self.kind() == Tok::Comma {
            let help = "write an array of arrays: `array [A] of array [B] of T`";
            let message = "an array has one index";
            return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help));
        }
        self.expect(Tok::RBracket)?;
        self.expect(Tok::Of)?;
        let element = self.type_expr()?;
        Ok(TypeKind::Array(Box::new(index), Box::new(element)))
    }

    /// `union { T, U }`; a comma after the last is allowed.
    fn union_type(&mut self) -> Parsed<TypeKind> {
        self.bump();
        self.expect(Tok::LBrace)?;
        let mut members = Vec::new();
        while self.kind() != Tok::RBrace {
            members.push(self.type_expr()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        Ok(TypeKind::Union(members))
    }

    fn at_multiset(&self) -> bool {
        let next = self.ahead(1);
        // A bracket cannot follow the name of a type, nor an identifier that is a bound of a range.
        self.at_word("multiset") && matches!(next, Tok::LBracket | Tok::Ident)
    }

    fn multiset_type(&mut self) -> Parsed<TypeKind> {
        self.bump();
        self.skip_interleaved();
        self.expect(Tok::LBracket)?;
        let size = self.expr()?;
        self.expect(Tok::RBracket)?;
        self.expect(Tok::Of)?;
        let element = self.type_expr()?;
        Ok(TypeKind::Multiset(Box::new(size), Box::new(element)))
    }
}
