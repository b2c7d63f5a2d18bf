//! The range of values that each variable is ever given, by intervals over all code, whatever its order.

use burnside_model::code::ArithOp;

use super::{BaseType, Class, Shape, Symbols, bounds};
use crate::diag::Diagnostic;
use crate::promela::ast::{Arg, BinOp, Expr, ExprKind, Init, Ref, Step, UnOp};

/// Rounds after which whatever still grows gets the range of its declared type.
const ROUNDS: usize = 6;

type Interval = (i64, i64);

const INT: Interval = (i32::MIN as i64, i32::MAX as i64);

impl Symbols<'_> {
    /// Finds the intervals.
    pub fn infer(&mut self) -> Result<(), Box<Diagnostic>> {
        for round in 0.. {
            self.changed = false;
            self.round(round >= ROUNDS);
            if !self.changed || round > 200 {
                return Ok(());
            }
        }
        Ok(())
    }

    fn round(&mut self, widen: bool) {
        let program = self.program;
        for decl in &program.globals {
            self.give_initial(None, decl, widen);
        }
        for number in 0..program.proctypes.len() {
            for decl in &program.proctypes[number].locals {
                self.give_initial(Some(number), decl, widen);
            }
            let flow = std::mem::take(&mut self.flows[number].nodes);
            for trans in flow.iter().flat_map(|node| &node.trans) {
                self.step(number, &trans.step, widen);
            }
            self.flows[number].nodes = flow;
        }
    }

    fn give_initial(&mut self, process: Option<usize>, decl: &super::VarDecl, widen: bool) {
        let span = decl.span;
        let name =
            Ref { local: process.is_some(), name: decl.unique.clone(), index: None, field: None, span };
        let values: Vec<&Expr> = match &decl.init {
            Init::Value(value) => vec![value],
            Init::Values(values) => values.iter().collect(),
            _ => return,
        };
        for value in values {
            let given = self.range(process, value, widen);
            self.give(process, &name, given, widen);
        }
    }

    fn step(&mut self, process: usize, step: &Step, widen: bool) {
        let process = Some(process);
        match step {
            Step::Cond(e) | Step::Assert(e) => drop(self.range(process, e, widen)),
            Step::Assign(name, e) => {
                let given = self.range(process, e, widen);
                self.give(process, name, given, widen);
            }
            Step::Send { chan, args, .. } => {
                let Some((class, _)) = self.target(process, chan) else { return };
                for (field, arg) in self.fields(class).into_iter().zip(args) {
                    let given = self.range(process, arg, widen);
                    // What the field is declared as is not looked at: a message is cut when it is stored.
                    self.grow(field, given, (0, 0), widen);
                }
            }
            Step::Receive { chan, args, .. } => {
                let Some((class, _)) = self.target(process, chan) else { return };
                for (field, arg) in self.fields(class).into_iter().zip(args) {
                    if let Arg::Store(name) = arg
                        && self.mtype(name).is_none()
                    {
                        let given = self.field_range(field);
                        self.give(process, name, given, widen);
                    }
                }
            }
            Step::Skip | Step::Else | Step::End => {}
        }
    }

    /// What is received: what is sent, cut to any of the declared fields.
    pub fn field_range(&self, field: Class) -> Interval {
        let info = &self.classes[self.root(field)];
        let (lo, hi) = info.interval;
        let cut =
            info.declared.iter().map(|whole| if lo < whole.0 || hi > whole.1 { *whole } else { (lo, hi) });
        cut.fold((lo.min(0), hi.max(0)), |all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    /// Forgets the intervals, to find them anew for another number of processes.
    pub fn forget(&mut self, pids: u32) {
        self.pids = pids;
        self.classes.iter_mut().for_each(|class| class.interval = (0, 0));
    }

    /// The class and declared type of a place.
    fn target(&self, process: Option<usize>, name: &Ref) -> Option<(Class, BaseType)> {
        let mut shape = &self.find(process, name).ok()?.shape;
        let mut name = name;
        loop {
            if let Shape::Array { element, .. } = shape {
                shape = element;
            }
            match (shape, &name.field) {
                (Shape::Simple { base, class }, None) => return Some((*class, base.clone())),
                (Shape::Record { fields, .. }, Some(field)) => {
                    shape = &fields.iter().find(|(mine, _)| *mine == field.name)?.1;
                    name = field;
                }
                _ => return None,
            }
        }
    }

    fn give(&mut self, process: Option<usize>, name: &Ref, given: Interval, widen: bool) {
        let Some((class, base)) = self.target(process, name) else { return };
        let whole = bounds(&base);
        let given = if given.0 < whole.0 || given.1 > whole.1 { whole } else { given };
        self.grow(class, given, whole, widen);
    }

    /// Grows the interval of a variable, or of a field at its root; widened if that goes on.
    fn grow(&mut self, class: Class, given: Interval, whole: Interval, widen: bool) {
        let field = whole == (0, 0);
        let at = if field { self.root(class) } else { class };
        let (lo, hi) = self.classes[at].interval;
        let mut grown = (lo.min(given.0), hi.max(given.1));
        if grown == (lo, hi) {
            return;
        }
        if widen {
            grown = match field {
                true if given.0 >= 0 && given.1 <= 255 => (0, 255),
                true => INT,
                false => whole,
            };
            grown = (grown.0.min(lo), grown.1.max(hi));
        }
        self.classes[at].interval = grown;
        self.changed = true;
    }

    pub fn range(&mut self, process: Option<usize>, expr: &Expr, widen: bool) -> Interval {
        let fits = |lo: i64, hi: i64| if lo < INT.0 || hi > INT.1 { INT } else { (lo, hi) };
        match &expr.kind {
            ExprKind::Const(value) => (*value, *value),
            ExprKind::Read(name) => match self.mtype(name) {
                Some(value) => (value, value),
                None => self.target(process, name).map_or(INT, |(class, base)| match base {
                    BaseType::Chan => (0, 255),
                    _ => self.classes[class].interval,
                }),
            },
            ExprKind::Pid => (0, i64::from(self.pids)),
            ExprKind::Run(name, args) => {
                if let Some(callee) = self.program.proctypes.iter().position(|p| p.name == *name) {
                    let params: Vec<Ref> = self.locals[callee]
                        .iter()
                        .filter(|var| var.param)
                        .map(|var| {
                            let (name, span) = (var.decl.unique.clone(), var.decl.span);
                            Ref { local: true, name, index: None, field: None, span }
                        })
                        .collect();
                    for (param, arg) in params.iter().zip(args) {
                        let given = self.range(process, arg, widen);
                        self.give(Some(callee), param, given, widen);
                    }
                }
                (0, i64::from(self.pids))
            }
            ExprKind::Unary(op, a) => {
                let (lo, hi) = self.range(process, a, widen);
                match op {
                    UnOp::Not => (0, 1),
                    UnOp::Neg => fits(-hi, -lo),
                    UnOp::BitNot => fits(!hi, !lo),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.range(process, a, widen), self.range(process, b, widen));
                match op {
                    BinOp::Arith(op) => arithmetic(*op, a, b),
                    _ => (0, 1),
                }
            }
            ExprKind::Cond(c, a, b) => {
                self.range(process, c, widen);
                let (a, b) = (self.range(process, a, widen), self.range(process, b, widen));
                (a.0.min(b.0), a.1.max(b.1))
            }
            ExprKind::Channel(..) | ExprKind::Processes => (0, 255),
            ExprKind::Poll(..) | ExprKind::Timeout | ExprKind::NoProgress | ExprKind::At(..) => (0, 1),
            ExprKind::Remote(name, _, variable) => {
                let owner = self.program.proctypes.iter().position(|p| p.name == *name);
                self.target(owner, &super::local(variable))
                    .map_or(INT, |(class, _)| self.classes[class].interval)
            }
        }
    }
}

/// The results of an operator on intervals.
pub(in crate::promela) fn arithmetic(op: ArithOp, a: Interval, b: Interval) -> Interval {
    let fits = |lo: i64, hi: i64| if lo < INT.0 || hi > INT.1 { INT } else { (lo, hi) };
    let corners = |f: &dyn Fn(i64, i64) -> i64| {
        let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
        fits(all.into_iter().min().unwrap_or(INT.0), all.into_iter().max().unwrap_or(INT.1))
    };
    match op {
        ArithOp::Add => fits(a.0 + b.0, a.1 + b.1),
        ArithOp::Sub => fits(a.0 - b.1, a.1 - b.0),
        ArithOp::Mul => corners(&|x, y| x.saturating_mul(y)),
        ArithOp::Div if b.0 > 0 => corners(&|x, y| x / y),
        ArithOp::Mod if b.0 > 0 => {
            let most = b.1 - 1;
            (if a.0 < 0 { -most } else { 0 }, if a.1 < 0 { 0 } else { most.min(a.1) })
        }
        ArithOp::And if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        ArithOp::Or | ArithOp::Xor if a.0 >= 0 && b.0 >= 0 => {
            (0, (1i64 << (64 - (a.1.max(b.1)).leading_zeros())) - 1)
        }
        ArithOp::Shl if a.0 >= 0 && b.0 >= 0 && b.1 < 31 => fits(a.0 << b.0, a.1 << b.1),
        ArithOp::Shr if a.0 >= 0 && b.0 >= 0 && b.1 < 31 => (a.0 >> b.1, a.1 >> b.0),
        _ => INT,
    }
}
