//! Queries.

use burnside_model::network::QueryKind;

use super::{Parser, Read};
use crate::uppaal::ast::{Expr, Query};
use crate::uppaal::lexer::Tok;

impl Parser {
    /// All queries of a text, one after the other; `file` is what the spans refer to.
    pub fn queries(&mut self, file: &str) -> Read<Vec<Query>> {
        let mut queries = Vec::new();
        while *self.peek() != Tok::End {
            queries.push(self.query(file)?);
        }
        Ok(queries)
    }

    fn query(&mut self, file: &str) -> Read<Query> {
        let start = self.span();
        let kind = self.query_kind()?;
        let span = start.to(self.before());
        self.eat(";");
        let words: Vec<&str> = file[span.start as usize..span.end as usize].split_whitespace().collect();
        let text = words.join(" ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        Ok(Query { kind, text, span })
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
                ("sup" | "inf", Tok::Sign("{" | ":")) => {
                    self.advance();
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
                    return Ok(if word == "sup" {
                        QueryKind::Sup(condition, exprs)
                    } else {
                        QueryKind::Inf(condition, exprs)
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
        let help = "others can be asked from a file: `--queries FILE`";
        self.unsupported(what).map_err(|diagnostic| Box::new((*diagnostic).help(help)))
    }

    fn after(&mut self, signs: &[&str]) -> Read<Expr> {
        self.advance();
        for sign in signs {
            self.expect(sign)?;
        }
        self.expr()
    }
}
