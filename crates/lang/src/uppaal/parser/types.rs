//! Types and array dimensions.

use super::exprs::MAX_PARTS;
use super::{Parser, Read};
use crate::diag::codes;
use crate::tokens::{Parse, Tok};
use crate::uppaal::ast::{Dimension, Prefix, Type, TypeKind};

impl Parser {
    /// Whether the next word begins a type and can begin nothing else.
    pub(super) fn at_type_word(&self) -> bool {
        const WORDS: &str =
            "int bool clock chan scalar struct const urgent broadcast meta void double string hybrid";
        matches!(self.peek(), Tok::Word(word) if WORDS.split(' ').any(|known| known == word))
    }

    /// A type, without the dimensions that stand behind a name.
    pub(super) fn ty(&mut self) -> Read<Type> {
        self.nested(Self::one_type)
    }

    fn one_type(&mut self) -> Read<Type> {
        let start = self.span();
        let mut prefix = Prefix::default();
        loop {
            if self.eat_word("urgent") {
                prefix.urgent = true;
            } else if self.eat_word("broadcast") {
                prefix.broadcast = true;
            } else if self.eat_word("const") {
                prefix.constant = true;
            } else if self.eat_word("meta") {
                prefix.meta = true;
            } else {
                break;
            }
        }
        let Tok::Word(word) = self.peek().clone() else { return self.unexpected("a type") };
        let kind = match word.as_str() {
            "int" => {
                self.next();
                if self.eat("[") {
                    let low = self.expr()?;
                    self.expect(",")?;
                    let high = self.expr()?;
                    self.expect("]")?;
                    TypeKind::Int(Some(Box::new((low, high))))
                } else {
                    TypeKind::Int(None)
                }
            }
            "bool" => self.word_type(TypeKind::Bool),
            "clock" => self.word_type(TypeKind::Clock),
            "chan" => self.word_type(TypeKind::Chan),
            "void" => self.word_type(TypeKind::Void),
            "scalar" => {
                self.next();
                self.expect("[")?;
                let size = self.expr()?;
                self.expect("]")?;
                TypeKind::Scalar(Box::new(size))
            }
            "struct" => {
                self.next();
                self.expect("{")?;
                let mut fields = Vec::new();
                while !self.eat("}") {
                    let ty = self.ty()?;
                    let names = self.variables()?;
                    self.expect(";")?;
                    fields.push((ty, names));
                }
                TypeKind::Struct(fields)
            }
            "double" => self.word_type(TypeKind::Real),
            "string" => return self.unsupported("the type `string` is"),
            "hybrid" => {
                self.next();
                self.expect_word("clock")?;
                TypeKind::Real
            }
            _ => TypeKind::Named(self.name()?),
        };
        Ok(Type { prefix, kind, span: start.to(self.before()) })
    }

    fn word_type(&mut self, kind: TypeKind) -> TypeKind {
        self.next();
        kind
    }

    /// `[N][T]…`
    pub(super) fn dimensions(&mut self) -> Read<Vec<Dimension>> {
        let mut dimensions = Vec::new();
        while self.eat("[") {
            if dimensions.len() >= MAX_PARTS {
                return self.fail(codes::NESTED_TOO_DEEPLY, self.span(), "too many dimensions");
            }
            let dimension =
                if self.at_type_word() { Dimension::Type(self.ty()?) } else { Dimension::Expr(self.expr()?) };
            self.expect("]")?;
            dimensions.push(dimension);
        }
        Ok(dimensions)
    }
}
