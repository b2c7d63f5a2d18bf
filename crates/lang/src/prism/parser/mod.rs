//! Recursive descent over the tokens; it stops at the first mistake.

mod exprs;
mod model;
mod operators;

use burnside_model::Span;

use super::ast::{ConstType, Constant, Model, Name, Properties, Property};
use super::lexer::tokens;
use crate::diag::codes;
use crate::tokens::{Cursor, Read, Tok, reads_as_its_cursor};

/// Words that cannot be names.
const KEYWORDS: &str = "\
    A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables \
    endrewards endsystem false formula filter func F global G init int invariant I label max mdp min module \
    nondeterministic observable observables of Pmax Pmin P pomdp popta probabilistic prob pta rate \
    rewards Rmax Rmin R S stochastic system true U W X";

/// Words that begin a property or a declaration, at the beginning of a line.
const BEGINNINGS: &[&str] =
    &["P", "Pmin", "Pmax", "R", "Rmin", "Rmax", "S", "A", "E", "filter", "const", "label", "multi"];

/// Reads one text.
pub(super) struct Parser {
    cursor: Cursor,
}

reads_as_its_cursor!(Parser);

pub fn model(text: &str) -> Read<Model> {
    Parser::new(text, 0)?.model()
}

/// The properties of a text that begins `base` bytes into the source.
pub fn properties(text: &str, base: usize) -> Read<Properties> {
    Parser::new(text, base)?.properties(text, base)
}

/// One expression, for constants given from outside.
pub fn expression(text: &str) -> Read<super::ast::Expr> {
    let mut parser = Parser::new(text, 0)?;
    let found = parser.expr()?;
    if parser.peek() != &Tok::End {
        return parser.unexpected("the end of the value");
    }
    Ok(found)
}

impl Parser {
    fn new(text: &str, base: usize) -> Read<Parser> {
        Ok(Parser { cursor: Cursor::new(tokens(text, base)?) })
    }

    fn unsupported<T>(&self, span: Span, what: &str) -> Read<T> {
        self.fail(codes::PRISM_UNSUPPORTED, span, format!("{what} not supported"))
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        match self.peek().clone() {
            Tok::Word(text) if !KEYWORDS.split(' ').any(|word| word == text) => {
                let span = self.next().span;
                Ok(Name { text, span })
            }
            Tok::Word(text) => {
                let message = format!("`{text}` is a word of the language and cannot be {what}");
                self.fail(codes::KEYWORD_AS_NAME, self.span(), message)
            }
            _ => self.unexpected(what),
        }
    }

    fn quoted(&mut self) -> Read<Name> {
        match self.peek().clone() {
            Tok::Text(text) => {
                let span = self.next().span;
                Ok(Name { text, span })
            }
            _ => self.unexpected("a name in quotes"),
        }
    }

    /// `const int N = 5;`, after the word `const`, `rate` or `prob`.
    fn constant(&mut self, default: ConstType) -> Read<Constant> {
        let kind = if self.eat_word("int") {
            ConstType::Int
        } else if self.eat_word("double") {
            ConstType::Double
        } else if self.eat_word("bool") {
            ConstType::Bool
        } else {
            default
        };
        let name = self.name("the name of a constant")?;
        let value = if self.eat("=") { Some(self.expr()?) } else { None };
        self.expect(";")?;
        Ok(Constant { name, kind, value })
    }

    /// `"name" = expression;`, after the word `label`.
    fn label(&mut self) -> Read<(Name, super::ast::Expr)> {
        let name = self.quoted()?;
        self.expect("=")?;
        let value = self.expr()?;
        self.expect(";")?;
        Ok((name, value))
    }

    /// `name = expression;`, after the word `formula`.
    fn formula(&mut self) -> Read<(Name, super::ast::Expr)> {
        let name = self.name("the name of a formula")?;
        self.expect("=")?;
        let value = self.expr()?;
        self.expect(";")?;
        Ok((name, value))
    }

    fn properties(mut self, text: &str, base: usize) -> Read<Properties> {
        let mut found = Properties::default();
        while self.peek() != &Tok::End {
            if self.eat_word("const") {
                found.constants.push(self.constant(ConstType::Int)?);
            } else if self.eat_word("label") {
                found.labels.push(self.label()?);
            } else if self.eat_word("formula") {
                found.formulas.push(self.formula()?);
            } else if !self.eat(";") {
                let start = self.span();
                let name = if self.begins_name() {
                    let name = self.quoted()?;
                    self.expect(":")?;
                    Some(name)
                } else {
                    None
                };
                self.depth = 0;
                let formula = self.property();
                if formula.is_err() {
                    self.skip(text, base);
                }
                found.properties.push(Property { name, formula, span: self.since(start) });
            }
        }
        Ok(found)
    }

    fn begins_name(&self) -> bool {
        matches!(self.peek(), Tok::Text(_)) && matches!(self.peek_at(1), Tok::Sign(":"))
    }

    /// Goes on to what looks like the next property, after one that is wrong.
    fn skip(&mut self, text: &str, base: usize) {
        self.next();
        while self.peek() != &Tok::End && !self.is(";") {
            let at = (self.span().start as usize).saturating_sub(base);
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let begins = match self.peek() {
                Tok::Word(word) => BEGINNINGS.contains(&word.as_str()),
                _ => self.begins_name(),
            };
            if begins && text[line..at].trim().is_empty() {
                return;
            }
            self.next();
        }
    }
}
