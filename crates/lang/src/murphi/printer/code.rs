//! Statements and expressions as text. While a body is printed, the locals that it binds itself (by loops,
//! quantifiers, aliases) are collected in `bound`: all others need a declaration.

use std::collections::HashSet;

use burnside_model::code::{
    Arg, ArithOp, Block, Call, Expr, ExprKind, Frame, LocalId, LogicOp, Loop, LoopRange, Operand, OrderOp,
    Place, PlaceKind, Quantifier, Stmt, StmtKind, TypeId, TypeKind,
};

use super::Printer;

type Bound = HashSet<LocalId>;

/// A string as the lexer reads it.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

impl Printer<'_> {
    /// A value of a simple type.
    pub fn constant(&self, ty: TypeId, value: i64) -> String {
        let types = &self.model.types;
        match &types[ty].kind {
            TypeKind::Bool => (value != 0).to_string(),
            TypeKind::Enum(_) => self.names.members[ty.0 as usize][value as usize].clone(),
            TypeKind::Union(_) => match types.union_member(ty, value) {
                Some((member, value)) => self.constant(member, value),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }

    /// A block, indented as it will stand, without printing it yet.
    pub fn block_text(&mut self, frame: &Frame, block: &Block, bound: &mut Bound) -> String {
        let before = std::mem::take(&mut self.out);
        self.block(frame, block, bound);
        std::mem::replace(&mut self.out, before)
    }

    fn block(&mut self, frame: &Frame, block: &Block, bound: &mut Bound) {
        self.inside(|p| block.iter().for_each(|stmt| p.statement(frame, stmt, bound)));
    }

    /// `heading`, the block, `end;`.
    fn group(&mut self, heading: &str, frame: &Frame, block: &Block, bound: &mut Bound) {
        self.line(heading);
        self.block(frame, block, bound);
        self.line("end;");
    }

    fn statement(&mut self, frame: &Frame, stmt: &Stmt, bound: &mut Bound) {
        let text = match &stmt.kind {
            StmtKind::If(arms, otherwise) => return self.conditional(frame, arms, otherwise, bound),
            StmtKind::Switch(subject, cases, otherwise) => {
                return self.switch(frame, subject, cases, otherwise, bound);
            }
            StmtKind::For(each, body) => {
                let heading = format!("for {} do", self.loop_text(frame, each, bound));
                return self.group(&heading, frame, body, bound);
            }
            StmtKind::While(condition, body) => {
                let heading = format!("while {} do", self.expr(frame, condition, bound));
                return self.group(&heading, frame, body, bound);
            }
            StmtKind::Alias(local, target, body) => {
                let target = self.operand(frame, target, bound);
                bound.insert(*local);
                let heading = format!("alias {} : {target} do", frame[*local].name);
                return self.group(&heading, frame, body, bound);
            }
            simple => self.simple(frame, simple, bound),
        };
        self.line(&format!("{text};"));
    }

    fn conditional(&mut self, frame: &Frame, arms: &[(Expr, Block)], otherwise: &Block, bound: &mut Bound) {
        let mut keyword = "if";
        for (condition, block) in arms {
            let condition = self.expr(frame, condition, bound);
            self.line(&format!("{keyword} {condition} then"));
            self.block(frame, block, bound);
            keyword = "elsif";
        }
        self.otherwise(frame, otherwise, bound);
    }

    fn switch(
        &mut self,
        frame: &Frame,
        subject: &Expr,
        cases: &[(Vec<Expr>, Block)],
        otherwise: &Block,
        bound: &mut Bound,
    ) {
        let subject = self.expr(frame, subject, bound);
        self.line(&format!("switch {subject}"));
        for (values, block) in cases {
            let values: Vec<_> = values.iter().map(|e| self.expr(frame, e, bound)).collect();
            self.line(&format!("case {}:", values.join(", ")));
            self.block(frame, block, bound);
        }
        self.otherwise(frame, otherwise, bound);
    }

    /// The `else` and `end` of a conditional.
    fn otherwise(&mut self, frame: &Frame, otherwise: &Block, bound: &mut Bound) {
        if !otherwise.is_empty() {
            self.line("else");
            self.block(frame, otherwise, bound);
        }
        self.line("end;");
    }

    fn simple(&self, frame: &Frame, kind: &StmtKind, bound: &mut Bound) -> String {
        match kind {
            StmtKind::Assign(target, value) => {
                format!("{} := {}", self.place(frame, target, bound), self.expr(frame, value, bound))
            }
            StmtKind::Copy(target, source) => {
                format!("{} := {}", self.place(frame, target, bound), self.place(frame, source, bound))
            }
            StmtKind::Undefine(target) => format!("undefine {}", self.place(frame, target, bound)),
            StmtKind::Clear(target) => format!("clear {}", self.place(frame, target, bound)),
            StmtKind::Call(call) => self.call(frame, call, bound),
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", self.operand(frame, value, bound)),
            StmtKind::PutText(text) => format!("put {}", quoted(text)),
            StmtKind::Put(value, _) => format!("put {}", self.operand(frame, value, bound)),
            StmtKind::Error(message) => format!("error {}", quoted(message)),
            StmtKind::Assert(condition, message) => {
                format!("assert {} {}", self.expr(frame, condition, bound), quoted(message))
            }
            StmtKind::Assume(condition) => format!("assume {}", self.expr(frame, condition, bound)),
            StmtKind::Cover(condition, property) => {
                let condition = self.expr(frame, condition, bound);
                let property = &self.model.properties[*property as usize];
                match property.named {
                    true => format!("cover {condition} {}", quoted(&property.name)),
                    false => format!("cover {condition}"),
                }
            }
            StmtKind::MultisetAdd(element, set) => format!(
                "multisetadd({}, {})",
                self.operand(frame, element, bound),
                self.place(frame, set, bound)
            ),
            StmtKind::MultisetRemove(slot, set) => format!(
                "multisetremove({}, {})",
                self.expr(frame, slot, bound),
                self.place(frame, set, bound)
            ),
            StmtKind::MultisetRemovePred(local, set, condition) => {
                let set = self.place(frame, set, bound);
                bound.insert(*local);
                let condition = self.expr(frame, condition, bound);
                format!("multisetremovepred({} : {set}, {condition})", frame[*local].name)
            }
            StmtKind::If(..)
            | StmtKind::Switch(..)
            | StmtKind::For(..)
            | StmtKind::While(..)
            | StmtKind::Alias(..) => unreachable!("printed over several lines"),
        }
    }

    /// The variable of a loop and its values.
    pub fn loop_text(&self, frame: &Frame, each: &Loop, bound: &mut Bound) -> String {
        bound.insert(each.local);
        let name = &frame[each.local].name;
        match &each.range {
            LoopRange::Type(ty) => format!("{name} : {}", self.type_text(*ty)),
            LoopRange::Span(from, to, by) => {
                let (from, to) = (self.expr(frame, from, bound), self.expr(frame, to, bound));
                match by {
                    None => format!("{name} := {from} to {to}"),
                    Some(by) => format!("{name} := {from} to {to} by {}", self.expr(frame, by, bound)),
                }
            }
        }
    }

    pub fn operand(&self, frame: &Frame, operand: &Operand, bound: &mut Bound) -> String {
        match operand {
            Operand::Value(e) => self.expr(frame, e, bound),
            Operand::Place(place) => self.place(frame, place, bound),
        }
    }

    fn call(&self, frame: &Frame, call: &Call, bound: &mut Bound) -> String {
        let args: Vec<_> = call
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Value(e) => self.expr(frame, e, bound),
                Arg::Reference(place) => self.place(frame, place, bound),
                Arg::Undefined => "undefined".to_owned(),
            })
            .collect();
        format!("{}({})", self.model.functions[call.function as usize].name, args.join(", "))
    }

    pub fn place(&self, frame: &Frame, place: &Place, bound: &mut Bound) -> String {
        match &place.kind {
            PlaceKind::Global(global) => self.model.globals[global.0 as usize].name.clone(),
            PlaceKind::Local(local) => frame[*local].name.clone(),
            PlaceKind::Index(base, index) | PlaceKind::Slot(base, index) => {
                format!("{}[{}]", self.place(frame, base, bound), self.expr(frame, index, bound))
            }
            PlaceKind::Field(base, field) => {
                let TypeKind::Record(fields) = &self.model.types[base.ty].kind else {
                    unreachable!("only records have fields")
                };
                format!("{}.{}", self.place(frame, base, bound), fields[*field as usize].name)
            }
            PlaceKind::Call(call) => self.call(frame, call, bound),
            PlaceKind::Cond(c, a, b) => format!(
                "({} ? {} : {})",
                self.nested_expr(frame, c, bound),
                self.place(frame, a, bound),
                self.place(frame, b, bound)
            ),
        }
    }

    /// An expression as part of another: in parentheses, unless it is one piece.
    pub(super) fn nested_expr(&self, frame: &Frame, e: &Expr, bound: &mut Bound) -> String {
        let text = self.expr(frame, e, bound);
        let mut inner = e;
        while let ExprKind::Convert(e) = &inner.kind {
            inner = e;
        }
        let whole = match &inner.kind {
            ExprKind::Const(value) => *value >= 0,
            kind => matches!(
                kind,
                ExprKind::Read(_)
                    | ExprKind::Call(_)
                    | ExprKind::IsUndefined(_)
                    | ExprKind::IsMember(..)
                    | ExprKind::Count(..)
            ),
        };
        if whole { text } else { format!("({text})") }
    }

    pub fn expr(&self, frame: &Frame, e: &Expr, bound: &mut Bound) -> String {
        match &e.kind {
            ExprKind::Const(value) => self.constant(e.ty, *value),
            ExprKind::Read(place) => self.place(frame, place, bound),
            ExprKind::Convert(e) => self.expr(frame, e, bound),
            ExprKind::Not(e) => format!("!{}", self.nested_expr(frame, e, bound)),
            ExprKind::Neg(e) => format!("-{}", self.nested_expr(frame, e, bound)),
            ExprKind::BitNot(e) => format!("~{}", self.nested_expr(frame, e, bound)),
            ExprKind::Arith(op, a, b) => self.binary(frame, arith_sign(*op), a, b, bound),
            ExprKind::Order(op, a, b) => self.binary(frame, order_sign(*op), a, b, bound),
            ExprKind::Logic(op, a, b) => self.binary(frame, logic_sign(*op), a, b, bound),
            ExprKind::Eq(a, b) => self.binary(frame, "=", a, b, bound),
            ExprKind::Ne(a, b) => self.binary(frame, "!=", a, b, bound),
            ExprKind::Same(a, b, negated) => {
                let sign = if *negated { "!=" } else { "=" };
                format!("{} {sign} {}", self.place(frame, a, bound), self.place(frame, b, bound))
            }
            ExprKind::Cond(c, a, b) => format!(
                "{} ? {} : {}",
                self.nested_expr(frame, c, bound),
                self.nested_expr(frame, a, bound),
                self.nested_expr(frame, b, bound)
            ),
            ExprKind::Quantified(quantifier, each, body) => {
                let keyword = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let range = self.loop_text(frame, each, bound);
                format!("{keyword} {range} do {} end", self.expr(frame, body, bound))
            }
            ExprKind::Call(call) => self.call(frame, call, bound),
            ExprKind::IsUndefined(place) => format!("isundefined({})", self.place(frame, place, bound)),
            ExprKind::IsMember(e, ty) => {
                format!("ismember({}, {})", self.expr(frame, e, bound), self.type_text(*ty))
            }
            ExprKind::Rotate(e, by) => format!("{} + {by}", self.nested_expr(frame, e, bound)),
            ExprKind::Count(local, set, condition) => {
                let set = self.place(frame, set, bound);
                bound.insert(*local);
                let condition = self.expr(frame, condition, bound);
                format!("multisetcount({} : {set}, {condition})", frame[*local].name)
            }
        }
    }

    fn binary(&self, frame: &Frame, sign: &str, a: &Expr, b: &Expr, bound: &mut Bound) -> String {
        format!("{} {sign} {}", self.nested_expr(frame, a, bound), self.nested_expr(frame, b, bound))
    }
}

fn arith_sign(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div => "/",
        ArithOp::Mod => "%",
        ArithOp::Shl => "<<",
        ArithOp::Shr => ">>",
        ArithOp::And => "&",
        ArithOp::Or => "|",
        ArithOp::Xor => "^",
    }
}

fn order_sign(op: OrderOp) -> &'static str {
    match op {
        OrderOp::Lt => "<",
        OrderOp::Le => "<=",
        OrderOp::Gt => ">",
        OrderOp::Ge => ">=",
    }
}

pub(super) fn logic_sign(op: LogicOp) -> &'static str {
    match op {
        LogicOp::And => "&",
        LogicOp::Or => "|",
        LogicOp::Implies => "->",
    }
}
