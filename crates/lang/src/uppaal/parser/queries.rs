//! Queries.

use burnside_model::Span;
use burnside_model::network::QueryKind;

use super::{Parser, Read};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Tok;
use crate::uppaal::ast::{Expr, Query};

impl Parser {
    /// All queries of a text, one after the other; `file` is what the spans refer to. After one that cannot be read, the
    /// rest of the text is not read.
    pub fn queries_or_mistake(&mut self, file: &str, mistakes: &[Diagnostic], queries: &mut Vec<Query>) {
        while *self.peek() != Tok::End {
            let start = self.span();
            match self.query(file) {
                Ok(query) => queries.push(query),
                Err(diagnostic) => {
                    let end = self.tokens.iter().rev().find(|token| token.kind != Tok::End);
                    let span = start.to(end.map_or(start, |token| token.span));
                    // A mistake in a token is said first.
                    let inside = |mistake: &&Diagnostic| {
                        span.start <= mistake.primary.0.start
                            && mistake.primary.0.start < span.end
                            && !matches!(diagnostic.code, codes::NOT_SUPPORTED)
                    };
                    let diagnostic = mistakes.iter().find(inside).cloned().map_or(diagnostic, Box::new);
                    queries.push(Query { kind: Err(diagnostic), text: in_one_line(file, span), span });
                    return;
                }
            }
        }
    }

    fn query(&mut self, file: &str) -> Read<Query> {
        let start = self.span();
        let kind = self.query_kind()?;
        let span = start.to(self.before());
        self.eat(";");
        Ok(Query { kind: Ok(kind), text: in_one_line(file, span), span })
    }

    fn query_kind(&mut self) -> Read<QueryKind<Expr>> {
        if let (Tok::Word(word), next) = (self.peek().clone(), self.peek_at(1).clone()) {
            match (word.as_str(), next) {
                ("E", Tok::Sign("<")) => return Ok(QueryKind::Possibly(self.after(&["<", ">"])?)),
                ("A", Tok::Sign("<")) => return Ok(QueryKind::Eventually(self.after(&["<", ">"])?)),
                ("E", Tok::Sign("[")) if *self.peek_at(2) == Tok::Sign("]") => {
                    return Ok(QueryKind::PotentiallyAlways(self.after(&["[", "]"])?));
                }
                ("A", Tok::Sign("[")) => return Ok(QueryKind::Invariantly(self.after(&["[", "]"])?)),
                ("sup" | "inf" | "bounds", Tok::Sign("{" | ":")) => {
                    self.next();
                    let mut condition = None;
                    if self.eat("{") {
                        condition = Some(self.expr()?);
                        self.expect("}")?;
                    }
                    self.expect(":")?;
                    let mut exprs = vec![self.expr()?];
                    while self.eat(",") {
                        exprs.push(self.expr()?);
                    }
                    return Ok(match word.as_str() {
                        "sup" => QueryKind::Sup(condition, exprs),
                        "inf" => QueryKind::Inf(condition, exprs),
                        _ => QueryKind::Bounds(condition, exprs),
                    });
                }
                ("Pr" | "simulate", _) | ("E", Tok::Sign("(" | "[")) => {
                    return self.unsupported_query("statistical queries are");
                }
                (
                    "control" | "control_t" | "strategy" | "saveStrategy" | "loadStrategy" | "minE" | "maxE",
                    _,
                ) => {
                    return self.unsupported_query("queries about games are");
                }
                _ => {}
            }
        }
        let from = self.expr()?;
        if self.eat("-->") {
            return Ok(QueryKind::LeadsTo(from, self.expr()?));
        }
        self.unexpected("`-->`, or a query that begins with `E<>`, `A[]`, `E[]`, `A<>`, `sup` or `inf`")
    }

    fn unsupported_query<T>(&self, what: &str) -> Read<T> {
        self.unsupported(what)
    }

    fn after(&mut self, signs: &[&str]) -> Read<Expr> {
        self.next();
        for sign in signs {
            self.expect(sign)?;
        }
        self.expr()
    }
}

/// A stretch of a file in one line, entities resolved.
fn in_one_line(file: &str, span: Span) -> String {
    let words: Vec<&str> = file[span.start as usize..span.end as usize].split_whitespace().collect();
    words.join(" ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
