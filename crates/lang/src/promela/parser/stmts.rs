//! Statements.

use burnside_model::Span;
use burnside_model::code::{ArithOp, OrderOp};

use super::super::ast::{
    Arg, BaseType, BinOp, ChanOp, Expr, ExprKind, Init, Ref, Seq, Step, Stmt, StmtKind, VarDecl,
};
use super::Parser;
use super::exprs::binary;
use crate::diag::codes;
use crate::tokens::{Parse, Read, Tok};

fn stmt(kind: impl Into<StmtKind>, span: Span) -> Stmt {
    Stmt { kind: kind.into(), labels: Vec::new(), span }
}

fn number(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), span }
}

fn read(variable: &Ref) -> Expr {
    Expr { kind: ExprKind::Read(variable.clone()), span: variable.span }
}

fn plus_one(variable: &Ref) -> Stmt {
    let sum = binary(BinOp::Arith(ArithOp::Add), read(variable), number(1, variable.span));
    stmt(Step::Assign(variable.clone(), sum), variable.span)
}

impl Parser {
    /// Statements up to a closing token.
    pub(super) fn sequence(&mut self, close: &str) -> Read<Seq> {
        let mut all = Vec::new();
        loop {
            while self.eat(";") || self.eat("->") {}
            let closed = match close {
                "::" => self.is("::") || self.is_word("fi") || self.is_word("od"),
                sign => self.is(sign),
            };
            if closed {
                return Ok(all);
            }
            if *self.peek() == Tok::End {
                return self.fail(
                    codes::MISSING_END,
                    self.span(),
                    format!("`{close}` is missing at the end"),
                );
            }
            if self.is_declaration() {
                self.local_variables(&mut all)?;
                continue;
            }
            if (self.is_word("xr") || self.is_word("xs")) && matches!(self.peek_at(1), Tok::Word(_)) {
                // A promise about who uses a channel; it changes no behaviour.
                self.at += 1;
                self.reference()?;
                while self.eat(",") {
                    self.reference()?;
                }
                continue;
            }
            all.extend(self.nested(Self::statement)?);
        }
    }

    /// Declares variables. As in Spin they exist, with their first values, from the start of the process; a variable whose
    /// initial value is not a constant and that is declared after the first statement is assigned there.
    fn local_variables(&mut self, _before: &mut Seq) -> Read<()> {
        self.variables(false).map(|_| ())
    }

    fn statement(&mut self) -> Read<Seq> {
        let mut labels = Vec::new();
        while let (Tok::Word(name), true) = (self.peek().clone(), self.peek_at(1).is(":")) {
            if self.processes.contains(&name) && matches!(self.peek_at(2), Tok::Word(_)) {
                break;
            }
            labels.push(name);
            self.at += 2;
        }
        let from = self.span();
        let mut made = match labels.is_empty()
            || !(self.is("}") || self.is("::") || self.is_word("od") || self.is_word("fi"))
        {
            true => self.unlabelled()?,
            // A label at the end of a block marks an empty statement.
            false => vec![stmt(Step::Cond(number(1, from)), from)],
        };
        if self.is_word("unless") {
            self.at += 1;
            let span = from.to(self.span());
            let escape = self.statement()?;
            made = vec![stmt(StmtKind::Unless(made, escape), span)];
        }
        match made.first_mut() {
            Some(first) => {
                labels.extend(std::mem::take(&mut first.labels));
                first.labels = labels;
            }
            None if !labels.is_empty() => {
                let mut nothing = stmt(StmtKind::Nothing, from);
                nothing.labels = labels;
                made.push(nothing);
            }
            None => {}
        }
        Ok(made)
    }

    fn unlabelled(&mut self) -> Read<Seq> {
        let span = self.span();
        let word = match self.peek() {
            Tok::Word(word) => word.clone(),
            Tok::Sign("{") => {
                let body = self.block()?;
                return Ok(vec![stmt(StmtKind::Block(body), span)]);
            }
            _ => return self.simple(),
        };
        let kind = match word.as_str() {
            "if" | "do" => {
                self.at += 1;
                let mut options = Vec::new();
                while self.eat("::") {
                    self.scopes.push(Vec::new());
                    options.push(self.sequence("::")?);
                    self.scopes.pop();
                }
                let close = if word == "if" { "fi" } else { "od" };
                if !self.eat_word(close) {
                    return self.unexpected(&format!("`::` or `{close}`"));
                }
                if options.iter().any(Vec::is_empty) || options.is_empty() {
                    return self.fail(
                        codes::UNEXPECTED_TOKEN,
                        span,
                        format!("an option of this `{word}` is empty"),
                    );
                }
                if word == "if" { StmtKind::If(options) } else { StmtKind::Do(options) }
            }
            "atomic" | "d_step" => {
                self.at += 1;
                let body = self.block()?;
                if word == "atomic" { StmtKind::Atomic(body) } else { StmtKind::DStep(body) }
            }
            "goto" => {
                self.at += 1;
                StmtKind::Goto(self.name("a label")?)
            }
            "break" => {
                self.at += 1;
                StmtKind::Break
            }
            "else" => {
                self.at += 1;
                Step::Else.into()
            }
            "printf" | "printm" if self.peek_at(1).is("(") => {
                self.at += 1;
                self.bracketed("(", ")")?;
                Step::Skip.into()
            }
            "assert" => {
                self.at += 1;
                Step::Assert(self.expression()?).into()
            }
            "for" if self.peek_at(1).is("(") => return self.for_loop(),
            "select" if self.peek_at(1).is("(") => return self.select(),
            "c_code" | "c_expr" | "set_priority" | "scanf" => {
                return self.unsupported(span, &format!("`{word}`"));
            }
            _ if self.inlines.contains_key(&word) && self.peek_at(1).is("(") => {
                self.at += 1;
                self.expand(&word, span)?;
                let body = self.block()?;
                return Ok(vec![stmt(StmtKind::Block(body), span)]);
            }
            _ => return self.simple(),
        };
        Ok(vec![stmt(kind, span.to(self.before()))])
    }

    fn block(&mut self) -> Read<Seq> {
        self.expect("{")?;
        self.scopes.push(Vec::new());
        let body = self.sequence("}")?;
        self.expect("}")?;
        self.scopes.pop();
        Ok(body)
    }

    /// An assignment, send, receive or expression.
    fn simple(&mut self) -> Read<Seq> {
        let (from, start) = (self.span(), self.at);
        let plain = matches!(self.peek(), Tok::Word(word)
            if (!self.processes.contains(word) || self.local(word).is_some())
                && !matches!(word.as_str(), "run" | "len" | "full" | "empty" | "nfull" | "nempty" | "timeout" | "skip"
                    | "true" | "false" | "_pid" | "_nr_pr" | "np_" | "eval" | "enabled" | "pc_value" | "c_expr"));
        if plain {
            let variable = self.reference()?;
            let kind = match self.peek() {
                Tok::Sign("=") => {
                    self.at += 1;
                    Some(Step::Assign(variable, self.expression()?))
                }
                Tok::Sign(sign @ ("++" | "--")) => {
                    let op =
                        if *sign == "++" { BinOp::Arith(ArithOp::Add) } else { BinOp::Arith(ArithOp::Sub) };
                    self.at += 1;
                    let value = binary(op, read(&variable), number(1, variable.span));
                    Some(Step::Assign(variable, value))
                }
                Tok::Sign(sign @ ("!" | "!!")) => {
                    let sorted = *sign == "!!";
                    self.at += 1;
                    let args = self.send_args()?;
                    let args = args.into_iter().flat_map(|arg| match &arg.kind {
                        ExprKind::Read(name) => self.record_fields(name).iter().map(read).collect(),
                        _ => vec![arg],
                    });
                    Some(Step::Send { chan: variable, args: args.collect(), sorted })
                }
                Tok::Sign(sign @ ("?" | "??")) if !self.peek_at(1).is("[") => {
                    let random = *sign == "??";
                    self.at += 1;
                    let keep = self.eat("<");
                    let args = self.receive_args(if keep { ">" } else { ";" })?;
                    if keep {
                        self.expect(">")?;
                    }
                    let args = self.fields_of(args);
                    Some(Step::Receive { chan: variable, args, random, keep })
                }
                _ => None,
            };
            if let Some(kind) = kind {
                return Ok(vec![stmt(kind, from.to(self.before()))]);
            }
            self.at = start;
        }
        let condition = self.expression()?;
        let span = condition.span;
        Ok(vec![stmt(Step::Cond(condition), span)])
    }

    /// A variable of a type with fields stands for all of them in a message.
    fn record_fields(&self, name: &Ref) -> Vec<Ref> {
        let declared = match name.local {
            true => self.locals.iter().find(|local| local.unique == name.name),
            false => self.program.globals.iter().find(|global| global.name == name.name),
        };
        let fields = declared.filter(|_| name.field.is_none()).and_then(|decl| match &decl.ty {
            BaseType::Named(ty) => self.program.typedefs.iter().find(|(mine, _)| mine == ty),
            _ => None,
        });
        let Some((_, fields)) = fields else { return vec![name.clone()] };
        let span = name.span;
        let field = |field: &VarDecl| {
            let field = Ref { local: false, name: field.name.clone(), index: None, field: None, span };
            Ref { field: Some(Box::new(field)), ..name.clone() }
        };
        fields.iter().map(field).collect()
    }

    fn fields_of(&self, args: Vec<Arg>) -> Vec<Arg> {
        let fields = args.into_iter().flat_map(|arg| match arg {
            Arg::Store(name) => self.record_fields(&name).into_iter().map(Arg::Store).collect(),
            other => vec![other],
        });
        fields.collect()
    }

    /// `a,b` or `a(b,…)`
    fn send_args(&mut self) -> Read<Vec<Expr>> {
        let mut args = vec![self.expression()?];
        if self.eat("(") {
            while !self.eat(")") {
                args.push(self.expression()?);
                if !self.is(")") {
                    self.expect(",")?;
                }
            }
            return Ok(args);
        }
        while self.eat(",") {
            args.push(self.expression()?);
        }
        Ok(args)
    }

    /// `for (i : a .. b) { … }` is `i = a; do :: i <= b -> …; i++ :: else -> break od`; `for (i in a)` runs through the
    /// indices of an array, or through the messages of a channel.
    fn for_loop(&mut self) -> Read<Seq> {
        let span = self.span();
        self.at += 1;
        self.expect("(")?;
        let variable = self.reference()?;
        if self.eat(":") {
            let from = self.expression()?;
            self.expect("..")?;
            let to = self.expression()?;
            self.expect(")")?;
            let body = self.block()?;
            return Ok(counted(&variable, from, to, body, span));
        }
        if !self.eat_word("in") {
            return self.unexpected("`:` or `in`");
        }
        let over = self.reference()?;
        self.expect(")")?;
        let body = self.block()?;
        let declared = match over.local {
            true => self.locals.iter().find(|local| local.unique == over.name),
            false => self.program.globals.iter().find(|global| global.name == over.name),
        };
        let length = declared.and_then(|decl| decl.length.clone());
        if let (Some(length), None, None) = (length, &over.index, &over.field) {
            let last = binary(BinOp::Arith(ArithOp::Sub), length, number(1, span));
            return Ok(counted(&variable, number(0, span), last, body, span));
        }
        if declared.is_some_and(|decl| matches!(decl.init, Init::Channel(..)) || decl.length.is_none()) {
            return Ok(self.through_channel(&variable, &over, body, span));
        }
        self.unsupported(span, "a `for` over this")
    }

    /// Every message is taken from the front and put back at the end.
    fn through_channel(&mut self, variable: &Ref, over: &Ref, body: Seq, span: Span) -> Seq {
        let counter = format!("for_{}", self.made);
        self.made += 1;
        let ty = BaseType::Byte(false);
        let decl = VarDecl {
            name: counter.clone(),
            unique: counter.clone(),
            ty,
            length: None,
            init: Init::Zero,
            hidden: false,
            span,
        };
        self.locals.push(decl);
        let index = Ref { local: true, name: counter, index: None, field: None, span };
        let length = Expr { kind: ExprKind::Channel(ChanOp::Len, over.clone()), span };
        let args = self.fields_of(vec![Arg::Store(variable.clone())]);
        let back = self.record_fields(variable).iter().map(read).collect();
        let receive = Step::Receive { chan: over.clone(), args, random: false, keep: false };
        let send = Step::Send { chan: over.clone(), args: back, sorted: false };
        let mut inner = vec![stmt(receive, span), stmt(send, span)];
        inner.extend(body);
        inner.push(plus_one(&index));
        let mut option =
            vec![stmt(Step::Cond(binary(BinOp::Order(OrderOp::Lt), read(&index), length)), span)];
        option.extend(inner);
        let leave = vec![stmt(Step::Else, span), stmt(StmtKind::Break, span)];
        vec![stmt(Step::Assign(index, number(0, span)), span), stmt(StmtKind::Do(vec![option, leave]), span)]
    }

    /// `select (v : a .. b)`: between constants a choice of assignments, otherwise a loop that may stop anywhere.
    fn select(&mut self) -> Read<Seq> {
        let span = self.span();
        self.at += 1;
        self.expect("(")?;
        let variable = self.reference()?;
        self.expect(":")?;
        let from = self.expression()?;
        self.expect("..")?;
        let to = self.expression()?;
        self.expect(")")?;
        let assign = |value: Expr| stmt(Step::Assign(variable.clone(), value), span);
        if let (Some(from), Some(to)) = (constant(&from), constant(&to))
            && from <= to
            && to - from < 256
        {
            let options = (from..=to).map(|value| vec![assign(number(value, span))]);
            return Ok(vec![stmt(StmtKind::If(options.collect()), span)]);
        }
        let below = stmt(Step::Cond(binary(BinOp::Order(OrderOp::Lt), read(&variable), to)), span);
        let go_on = vec![below, plus_one(&variable)];
        let leave = vec![stmt(StmtKind::Break, span)];
        Ok(vec![assign(from), stmt(StmtKind::Do(vec![go_on, leave]), span)])
    }
}

/// A number, or a negative one.
fn constant(expr: &Expr) -> Option<i64> {
    use super::super::ast::UnOp;
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(UnOp::Neg, inner) => constant(inner).map(|value| -value),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match op {
                BinOp::Arith(ArithOp::Add) => a.checked_add(b),
                BinOp::Arith(ArithOp::Sub) => a.checked_sub(b),
                BinOp::Arith(ArithOp::Mul) => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}

fn counted(variable: &Ref, from: Expr, to: Expr, body: Seq, span: Span) -> Seq {
    let mut option = vec![stmt(Step::Cond(binary(BinOp::Order(OrderOp::Le), read(variable), to)), span)];
    option.extend(body);
    option.push(plus_one(variable));
    let leave = vec![stmt(Step::Else, span), stmt(StmtKind::Break, span)];
    vec![stmt(Step::Assign(variable.clone(), from), span), stmt(StmtKind::Do(vec![option, leave]), span)]
}
