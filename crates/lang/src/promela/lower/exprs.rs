//! Expressions and places.

use std::collections::HashMap;

use burnside_model::code::{ArithOp, Call, Expr as Code, ExprKind as CodeKind, Place, TypeKind, Types};

use super::super::ast::{BinOp, ChanOp, Expr, ExprKind, Ref, UnOp};
use super::super::symbols::{self, Shape, bounds};
use super::{Lowerer, build, storage};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// Who evaluates, and which cells are known to hold what at this point of a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub instance: Option<usize>,
    pub known: HashMap<u32, i64>,
}

/// A variable: its place with its cell, if that is one for certain, or its value if that never changes.
pub(super) enum Located {
    Place { place: Place, cell: Option<u32>, whole: (i64, i64) },
    Value(Code),
}

impl Lowerer<'_> {
    pub(super) fn context(&self, instance: Option<usize>) -> Context {
        Context { instance, known: HashMap::new() }
    }

    fn process_of(&self, cx: &Context) -> Option<usize> {
        cx.instance.map(|instance| self.instances[instance].process)
    }

    /// The variable's position among those of the process, or the globals.
    fn position(&self, cx: &Context, name: &Ref) -> Read<(bool, usize)> {
        let process = self.process_of(cx);
        let (local, found) = match (name.local, process) {
            (true, Some(process)) => {
                (true, self.symbols.locals[process].iter().position(|var| var.decl.unique == name.name))
            }
            _ => (false, self.symbols.globals.iter().position(|var| var.decl.name == name.name)),
        };
        match found {
            Some(position) => Ok((local, position)),
            None => self.symbols.find(process, name).map(|_| (local, 0)),
        }
    }

    pub(super) fn locate(&mut self, cx: &Context, name: &Ref) -> Read<Located> {
        let (local, number) = self.position(cx, name)?;
        let (var, storage) = match (local, cx.instance) {
            (true, Some(instance)) => {
                let process = self.instances[instance].process;
                (self.symbols.locals[process][number].clone(), &self.storage[instance])
            }
            _ => (self.symbols.globals[number].clone(), &self.globals),
        };
        let Some((id, ty)) = storage.variables[number] else {
            if let Some(first) = storage.channels[number] {
                let Shape::Array { length, .. } = var.shape else {
                    return Ok(Located::Value(build::int(first as i64 + 1)));
                };
                // The name of a channel of an array that never changes.
                let at = match &name.index {
                    Some(index) => self.value(cx, index)?,
                    None => build::int(0),
                };
                let value = (0..i64::from(length)).rev().fold(build::int(0), |other, number| {
                    let chosen = build::int(first as i64 + 1 + number);
                    build::choose(self.equal(at.clone(), build::int(number)), chosen, other)
                });
                return Ok(Located::Value(value));
            }
            let constant = match var.param {
                true => {
                    let params = |v: &&symbols::Var| v.param;
                    let instance = cx.instance.unwrap_or(0);
                    let process = self.instances[instance].process;
                    let before = self.symbols.locals[process][..number].iter().filter(params).count();
                    self.instances[instance].args.get(before).copied().flatten()
                }
                false => self.unchanging(&var),
            };
            return Ok(Located::Value(build::int(constant.unwrap_or(0))));
        };
        let cell = Some(self.model.globals[id.0 as usize].offset);
        let mut place = build::global(id, ty);
        place.span = name.span;
        self.inside(cx, &var.shape, place, cell, name)
    }

    fn inside(
        &mut self,
        cx: &Context,
        shape: &Shape,
        mut place: Place,
        mut cell: Option<u32>,
        name: &Ref,
    ) -> Read<Located> {
        let mut shape = shape;
        if let Shape::Array { element, .. } = shape {
            let at = match &name.index {
                Some(index) => self.value(cx, index)?,
                None => build::int(0),
            };
            let TypeKind::Array { index, element: ty } = self.model.types[place.ty].kind else {
                return self.internal(name);
            };
            let at = self.as_type(build::number(at), index);
            let stride = self.model.types[ty].cells;
            cell = match (cell, build::constant(&at)) {
                (Some(cell), Some(at)) if (0..=self.model.types.bounds(index).1).contains(&at) => {
                    Some(cell + at as u32 * stride)
                }
                _ => None,
            };
            place = build::index(place, at, ty);
            shape = element;
        }
        match (shape, &name.field) {
            (Shape::Simple { base, .. }, None) => Ok(Located::Place { place, cell, whole: bounds(base) }),
            (Shape::Record { fields, .. }, Some(field)) => {
                let Some(number) = fields.iter().position(|(mine, _)| *mine == field.name) else {
                    return self.internal(field);
                };
                let TypeKind::Record(made) = &self.model.types[place.ty].kind else {
                    return self.internal(name);
                };
                let (offset, ty) = (made[number].offset, made[number].ty);
                let place = build::field(place, number as u32, ty);
                let inner = fields[number].1.clone();
                self.inside(cx, &inner, place, cell.map(|cell| cell + offset), field)
            }
            _ => self.internal(name),
        }
    }

    fn internal<T>(&self, name: &Ref) -> Read<T> {
        let message = format!("`{}` cannot be used like this", name.name);
        Err(Box::new(Diagnostic::error(codes::WRONG_CLASS, name.span, message)))
    }

    /// A constant as one of this type.
    pub(super) fn as_type(&self, value: Code, ty: burnside_model::code::TypeId) -> Code {
        match build::constant(&value) {
            Some(constant) => Code { ty, ..build::typed(constant, ty) },
            None => value,
        }
    }

    /// Whether two values are equal; a constant takes the type of the other side.
    pub(super) fn equal(&self, a: Code, b: Code) -> Code {
        let (a, b) = (build::number(a), build::number(b));
        match (build::constant(&a), build::constant(&b)) {
            (None, Some(_)) => {
                let ty = a.ty;
                self.equal_within(a, self.as_type(b, ty))
            }
            (Some(_), None) => {
                let ty = b.ty;
                self.equal_within(b, self.as_type(a, ty))
            }
            _ => build::eq(a, b),
        }
    }

    /// What a variable can never hold, it does not.
    fn equal_within(&self, a: Code, constant: Code) -> Code {
        let (lo, hi) = self.model.types.bounds(a.ty);
        match build::constant(&constant) {
            Some(value) if value < lo || value > hi => build::truth(false),
            _ => build::eq(a, constant),
        }
    }

    pub(super) fn condition(&mut self, cx: &Context, e: &Expr) -> Read<Code> {
        let value = self.value(cx, e)?;
        Ok(build::condition(value))
    }

    pub(super) fn value(&mut self, cx: &Context, e: &Expr) -> Read<Code> {
        let mut code = self.value_inside(cx, e)?;
        code.span = e.span;
        Ok(code)
    }

    fn value_inside(&mut self, cx: &Context, e: &Expr) -> Read<Code> {
        Ok(match &e.kind {
            ExprKind::Const(value) => build::int(symbols::wrap(*value)),
            ExprKind::Read(name) => match self.symbols.mtype(name) {
                Some(value) => build::int(value),
                None => self.read(cx, name)?,
            },
            ExprKind::Pid => {
                build::int(cx.instance.map_or(0, |instance| i64::from(self.instances[instance].slot)))
            }
            ExprKind::Unary(op, a) => {
                let a = self.value(cx, a)?;
                match (op, build::constant(&a)) {
                    (UnOp::Not, _) => build::not(build::condition(a)),
                    (_, Some(value)) => build::int(symbols::unary(*op, value)),
                    (UnOp::Neg, None) => wrapped(CodeKind::Neg(Box::new(build::number(a)))),
                    (UnOp::BitNot, None) => wrapped(CodeKind::BitNot(Box::new(build::number(a)))),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(cx, a)?, self.value(cx, b)?);
                self.binary(*op, a, b)
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.condition(cx, c)?;
                let (a, b) = (build::number(self.value(cx, a)?), build::number(self.value(cx, b)?));
                let ty = if build::constant(&a).is_some() { b.ty } else { a.ty };
                let (a, b) = (self.as_type(a, ty), self.as_type(b, ty));
                build::choose(c, a, b)
            }
            ExprKind::Channel(op, chan) => self.channel_question(cx, *op, chan)?,
            ExprKind::Poll(chan, args, random) => self.can_receive(cx, chan, args, *random)?,
            ExprKind::Timeout => {
                self.asked = true;
                let call = Call { function: 0, args: Vec::new(), span: e.span };
                build::not(Code { kind: CodeKind::Call(Box::new(call)), ty: Types::BOOL, span: e.span })
            }
            ExprKind::Processes => self.number_of_processes(),
            ExprKind::At(name, pid, label) => self.is_at(cx, name, pid.as_deref(), label, e)?,
            ExprKind::Remote(name, pid, variable) => self.remote(cx, name, pid.as_deref(), variable, e)?,
            ExprKind::NoProgress => build::not(self.at_labels(|node| node.progress)),
            ExprKind::Run(..) => {
                let message = "a `run` must be a statement of its own, or all that is assigned";
                return Err(Box::new(Diagnostic::error(codes::NOT_SUPPORTED, e.span, message)));
            }
        })
    }

    fn read(&mut self, cx: &Context, name: &Ref) -> Read<Code> {
        Ok(match self.locate(cx, name)? {
            Located::Value(value) => value,
            Located::Place { place, cell, .. } => match cell.and_then(|cell| cx.known.get(&cell)) {
                Some(value) => build::int(*value),
                None => build::read(place),
            },
        })
    }

    fn binary(&self, op: BinOp, a: Code, b: Code) -> Code {
        if let (Some(x), Some(y)) = (build::constant(&a), build::constant(&b))
            && let Some(value) = symbols::binary(op, x, y)
        {
            return build::int(value);
        }
        match op {
            BinOp::And => build::and(build::condition(a), build::condition(b)),
            BinOp::Or => build::or(build::condition(a), build::condition(b)),
            BinOp::Eq => self.equal(a, b),
            BinOp::Ne => build::not(self.equal(a, b)),
            BinOp::Order(op) => build::order(op, build::number(a), build::number(b)),
            BinOp::Arith(op) => build::arith(op, build::number(a), build::number(b)),
        }
    }

    /// The values that code may have.
    fn bounds_of(&self, code: &Code) -> (i64, i64) {
        let int = (i64::from(i32::MIN), i64::from(i32::MAX));
        match &code.kind {
            CodeKind::Const(value) => (*value, *value),
            CodeKind::Arith(op, a, b) => symbols::arithmetic(*op, self.bounds_of(a), self.bounds_of(b)),
            CodeKind::Cond(_, a, b) => {
                let (a, b) = (self.bounds_of(a), self.bounds_of(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
            CodeKind::Read(_) => self.model.types.bounds(code.ty),
            _ if code.ty == Types::BOOL => (0, 1),
            _ => int,
        }
    }

    /// A value as a variable of a declared type stores it: what does not fit loses its upper bits.
    pub(super) fn cut_to(&self, value: Code, whole: (i64, i64), ty: burnside_model::code::TypeId) -> Code {
        let value = build::number(value);
        if let Some(constant) = build::constant(&value) {
            return Code { span: value.span, ..build::typed(storage::cut(constant, whole), ty) };
        }
        let (lo, hi) = self.bounds_of(&value);
        if lo >= whole.0 && hi <= whole.1 {
            return value;
        }
        let size = whole.1 - whole.0 + 1;
        let span = value.span;
        let moved = build::arith(ArithOp::Sub, value.clone(), build::int(whole.0));
        let moved = if whole.0 == 0 { value } else { moved };
        let masked = build::arith(ArithOp::And, moved, build::int(size - 1));
        let cut = if whole.0 == 0 { masked } else { build::arith(ArithOp::Add, masked, build::int(whole.0)) };
        Code { span, ..cut }
    }

    fn channel_question(&mut self, cx: &Context, op: ChanOp, chan: &Ref) -> Read<Code> {
        let channels = self.channels_of(cx, chan)?;
        let mut answers = Vec::new();
        for (condition, number) in channels {
            let length = self.length_of(number, cx);
            let capacity = i64::from(self.channels[number].capacity);
            let full = if capacity == 0 {
                build::truth(false)
            } else {
                self.equal(length.clone(), build::int(capacity))
            };
            let answer = match op {
                ChanOp::Len => length,
                ChanOp::Empty => self.equal(length, build::int(0)),
                ChanOp::NotEmpty => build::not(self.equal(length, build::int(0))),
                ChanOp::Full => full,
                ChanOp::NotFull => build::not(full),
            };
            answers.push((condition, build::number(answer)));
        }
        let last = answers.pop().map_or_else(|| build::int(0), |(_, answer)| answer);
        let chosen = answers
            .into_iter()
            .rev()
            .fold(last, |other, (condition, answer)| build::choose(condition, answer, other));
        Ok(match op {
            ChanOp::Len => chosen,
            _ => self.binary(BinOp::Ne, chosen, build::int(0)),
        })
    }

    /// The processes of a proctype with the ids that an expression may name, and when it does. Without an expression it is
    /// the first there is.
    fn named(&mut self, cx: &Context, name: &str, pid: Option<&Expr>, e: &Expr) -> Read<Vec<(Code, usize)>> {
        let process = self.symbols.process(name, e.span)?;
        let mut all: Vec<usize> =
            (0..self.instances.len()).filter(|number| self.instances[*number].process == process).collect();
        all.sort_by_key(|number| self.instances[*number].slot);
        let Some(pid) = pid else {
            all.truncate(1);
            return Ok(all.into_iter().map(|number| (build::truth(true), number)).collect());
        };
        let pid = self.value(cx, pid)?;
        let found = all.into_iter().map(|number| {
            let slot = build::int(i64::from(self.instances[number].slot));
            (self.equal(pid.clone(), slot), number)
        });
        Ok(found.filter(|(condition, _)| !build::is_false(condition)).collect())
    }

    fn is_at(&mut self, cx: &Context, name: &str, pid: Option<&Expr>, label: &str, e: &Expr) -> Read<Code> {
        let process = self.symbols.process(name, e.span)?;
        let Some(node) = self.symbols.flows[process].labels.get(label).copied() else {
            let message = format!("there is no label `{label}` in `{name}`");
            return Err(Box::new(Diagnostic::error(codes::UNKNOWN_NAME, e.span, message)));
        };
        let named = self.named(cx, name, pid, e)?;
        let all =
            named.into_iter().map(|(condition, number)| build::and(condition, self.at_node(number, node)));
        Ok(build::any(all.collect()))
    }

    fn remote(
        &mut self,
        cx: &Context,
        name: &str,
        pid: Option<&Expr>,
        variable: &Ref,
        e: &Expr,
    ) -> Read<Code> {
        let mut named = self.named(cx, name, pid, e)?;
        let variable = symbols::local(variable);
        let Some((_, last)) = named.pop() else { return Ok(build::int(0)) };
        let mut value = self.read(&self.context(Some(last)), &variable)?;
        for (condition, number) in named.into_iter().rev() {
            let other = self.read(&self.context(Some(number)), &variable)?;
            value = build::choose(condition, other, value);
        }
        Ok(value)
    }

    /// Whether some process is at a location of this kind.
    pub(super) fn at_labels(&self, wanted: impl Fn(&super::flow::Node) -> bool) -> Code {
        let mut all = Vec::new();
        for (number, instance) in self.instances.iter().enumerate() {
            for (node, location) in self.symbols.flows[instance.process].nodes.iter().enumerate() {
                if wanted(location) {
                    all.push(self.at_node(number, node));
                }
            }
        }
        build::any(all)
    }
}

fn wrapped(kind: CodeKind) -> Code {
    Code { kind, ty: Types::INT, span: burnside_model::Span::default() }
}
