//! Functions, calls, and sums.

use std::collections::BTreeSet;

use burnside_model::Span;
use burnside_model::code::{
    Arg, ArithOp, Block, Call, Expr, ExprKind, Frame, Function, Loop, LoopRange, Operand, Place, PlaceKind,
    Stmt, StmtKind, Storage, TypeId, Types,
};

use super::Lowerer;
use super::exprs::{MAX_SHIFT, constant};
use super::scope::Symbol;
use crate::diag::codes;
use crate::uppaal::ast::{self, Ident};

/// What a function does besides returning a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Whether it reads state variables.
    pub reads: bool,
    /// Whether it writes state variables.
    pub globals: bool,
    /// Which of its parameters it writes through.
    pub references: BTreeSet<u32>,
    /// Which of its parameters are `const`.
    pub constant: BTreeSet<u32>,
}

impl Lowerer {
    /// A function; inside a process its first parameters are those of the process.
    pub(super) fn function(&mut self, function: &ast::Function) -> Option<()> {
        let result = match function.result.kind {
            ast::TypeKind::Void => None,
            _ => Some(self.ty(&function.result)?),
        };
        let outer = std::mem::take(&mut self.frame);
        let params = self.params as usize;
        for local in &outer.locals[..params] {
            self.frame.add(&local.name, local.ty, 1, Storage::Value);
        }
        let effects = std::mem::take(&mut self.current);
        let before = std::mem::take(&mut self.before);
        self.scopes.open();
        self.returns = Some(result);
        let mut by_reference = vec![false; params];
        let mut body = Block::new();
        let mut copies = Vec::new();
        let mut good = Some(());
        for param in &function.params {
            let name = &param.variable.name;
            let ty =
                self.ty(&param.ty).and_then(|ty| self.dimensioned(ty, &param.variable.dimensions, name.span));
            let Some(ty) = ty else {
                good = None;
                continue;
            };
            let cells = self.types()[ty].cells;
            let by_value = self.types().is_simple(ty) && !param.by_reference;
            if by_value && (ty == self.clock || self.is_channel(ty)) {
                let message = "clocks and channels are passed by reference: `&`";
                good = self.error(codes::VAR_ARGUMENT, name.span, message);
                continue;
            }
            let storage = if by_value { Storage::Value } else { Storage::Reference };
            let local = self.frame.add(&name.name, ty, cells, storage);
            by_reference.push(param.by_reference);
            let fixed = param.ty.prefix.constant;
            if fixed {
                self.current.constant.insert(local.0);
            }
            if storage == Storage::Reference && !param.by_reference && !fixed {
                copies.push((local, ty, name.clone()));
            } else {
                self.add(name, Symbol::Local { local, fixed });
            }
        }
        // An array or struct that is passed by value is the function's own.
        for (param, ty, name) in copies {
            let cells = self.types()[ty].cells;
            let local = self.frame.add(&name.name, ty, cells, Storage::Value);
            let (to, from) = (PlaceKind::Local(local), PlaceKind::Local(param));
            let (to, from) =
                (Place { kind: to, ty, span: name.span }, Place { kind: from, ty, span: name.span });
            body.push(Stmt { kind: StmtKind::Copy(to, from), span: name.span });
            self.add(&name, Symbol::Local { local, fixed: false });
        }
        let count = by_reference.len() as u32;
        let read = self.block(&function.body, &mut body);
        self.scopes.close();
        self.returns = None;
        self.before = before;
        let frame = std::mem::replace(&mut self.frame, outer);
        let done = std::mem::replace(&mut self.current, effects);
        good.and(read)?;
        let number = self.network.model.functions.len() as u32;
        self.effects.push(done);
        self.network.model.functions.push(Function {
            name: function.name.name.clone(),
            params: count,
            by_reference,
            result,
            frame,
            body,
            span: function.name.span,
        });
        self.add(&function.name, Symbol::Function(number, params as u32));
        Some(())
    }

    /// A call, and the type of its result.
    pub(super) fn call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<(Call, Option<TypeId>)> {
        let (name, function, owner) = self.callee(callee)?;
        let own = owner.len() as u32;
        let definition = &self.network.model.functions[function as usize];
        let (result, by_reference) = (definition.result, definition.by_reference.clone());
        let params: Vec<(TypeId, Storage)> = definition.frame.locals[..definition.params as usize]
            .iter()
            .map(|local| (local.ty, local.storage))
            .collect();
        if params.len() - own as usize != args.len() {
            let message =
                format!("`{name}` takes {} arguments, not {}", params.len() - own as usize, args.len());
            return self.error(codes::ARGUMENT_COUNT, span, message);
        }
        let effects = self.effects[function as usize].clone();
        if effects.globals
            && let Some(purpose) = self.pure
        {
            let message = format!("{purpose} must not change anything, but `{name}` does");
            return self.error(codes::SIDE_EFFECT, span, message);
        }
        self.current.globals |= effects.globals;
        self.current.reads |= effects.reads;
        let mut lowered: Vec<Arg> = owner.into_iter().map(Arg::Value).collect();
        for (number, (arg, (ty, storage))) in (own..).zip(args.iter().zip(&params[own as usize..])) {
            if *storage == Storage::Value {
                let value = self.value(arg)?;
                lowered.push(Arg::Value(self.fitting(value, *ty, arg.span)?));
                continue;
            }
            let written = effects.references.contains(&number);
            let place = if written { self.target(arg)? } else { self.place(arg)? };
            let constant = effects.constant.contains(&number);
            let fits = if by_reference[number as usize] && self.types().is_simple(*ty) && !constant {
                // The function may write what only its own type holds.
                place.ty == *ty || self.types().same(place.ty, *ty)
            } else if constant {
                self.reads_as(place.ty, *ty)
            } else {
                self.types().same(place.ty, *ty)
            };
            if !fits {
                return self.mismatch(codes::ARGUMENT_TYPE, arg.span, *ty, place.ty);
            }
            lowered.push(Arg::Reference(place));
        }
        Some((Call { function, args: lowered, span }, result))
    }

    /// The function that is called, by name or as `P(i).f`, and the parameters of the process that it takes first.
    fn callee(&mut self, callee: &ast::Expr) -> Option<(String, u32, Vec<Expr>)> {
        let name = match &callee.kind {
            ast::ExprKind::Name(name) => name,
            ast::ExprKind::Field(base, field) => {
                if let Some(process) = self.process_of(base) {
                    let (process, args) = process?;
                    return match self.members.get(&(process, field.name.clone())) {
                        Some(Symbol::Function(function, _)) => Some((field.name.clone(), *function, args)),
                        _ => self.unknown(codes::UNKNOWN_FUNCTION, "function", &field.name, field.span),
                    };
                }
                return self.error(codes::WRONG_CLASS, callee.span, "this is not a function");
            }
            _ => return self.error(codes::WRONG_CLASS, callee.span, "this is not a function"),
        };
        match self.scopes.find(name) {
            Some(Symbol::Function(function, own)) => {
                let (function, own) = (*function, *own);
                let owner = (0..own).map(|number| {
                    let local = burnside_model::code::LocalId(number);
                    self.read_local(local, self.frame[local].ty, callee.span)
                });
                Some((name.clone(), function, owner.collect()))
            }
            Some(_) => {
                let message = format!("`{name}` is not a function");
                self.error(codes::WRONG_CLASS, callee.span, message)
            }
            None => self.unknown(codes::UNKNOWN_FUNCTION, "function", name, callee.span),
        }
    }

    /// The right side of an operator: if it says how far to shift, it goes through a function that takes no other numbers.
    pub(super) fn counted(&mut self, op: ArithOp, value: Expr) -> Expr {
        if !matches!(op, ArithOp::Shl | ArithOp::Shr) || matches!(value.kind, ExprKind::Const(_)) {
            return value;
        }
        let span = value.span;
        let ty = self.range(0, MAX_SHIFT);
        let function = match self.shift {
            Some(function) => function,
            None => {
                let mut frame = Frame::default();
                let count = frame.add("shift count", ty, 1, Storage::Value);
                let read = self.read_local(count, ty, span);
                self.effects.push(Effects::default());
                self.network.model.functions.push(Function {
                    name: "shift".to_owned(),
                    params: 1,
                    by_reference: vec![false],
                    result: Some(ty),
                    frame,
                    body: vec![Stmt { kind: StmtKind::Return(Some(Operand::Value(read))), span }],
                    span,
                });
                self.network.model.functions.len() as u32 - 1
            }
        };
        self.shift = Some(function);
        let call = Call { function, args: vec![Arg::Value(value)], span };
        Expr { kind: ExprKind::Call(Box::new(call)), ty, span }
    }

    /// `sum (i : T) e`, as a function of everything in sight.
    pub(super) fn sum(&mut self, name: &Ident, ty: &ast::Type, body: &ast::Expr, span: Span) -> Option<Expr> {
        let each = self.ty(ty)?;
        let each = self.finite(each, ty.span, "a sum ranges over")?;
        let outer = self.frame.clone();
        let mut frame = Frame::default();
        let mut args = Vec::new();
        for (number, local) in (0..).zip(&outer.locals) {
            let id = burnside_model::code::LocalId(number);
            let place = Place { kind: PlaceKind::Local(id), ty: local.ty, span };
            let cells = self.types()[local.ty].cells;
            if self.types().is_simple(local.ty) && local.storage == Storage::Value {
                frame.add(&local.name, local.ty, cells, Storage::Value);
                args.push(Arg::Value(Expr { kind: ExprKind::Read(place), ty: local.ty, span }));
            } else {
                frame.add(&local.name, local.ty, cells, Storage::Reference);
                args.push(Arg::Reference(place));
            }
        }
        let params = args.len() as u32;
        self.frame = frame;
        let total = self.frame.add("total", Types::INT, 1, Storage::Value);
        let local = self.frame.add(&name.name, each, 1, Storage::Value);
        self.scopes.open();
        self.scopes.add(&name.name, Symbol::Local { local, fixed: true });
        let pure = self.pure.replace(self.pure.unwrap_or("a sum"));
        let body = self.integer(body);
        self.pure = pure;
        self.scopes.close();
        let frame = std::mem::replace(&mut self.frame, outer);
        let body = body?;
        let total = Place { kind: PlaceKind::Local(total), ty: Types::INT, span };
        let read = Expr { kind: ExprKind::Read(total.clone()), ty: Types::INT, span };
        let more = ExprKind::Arith(ArithOp::Add, Box::new(read.clone()), Box::new(body));
        let more = Expr { kind: more, ty: Types::INT, span };
        let add = Stmt { kind: StmtKind::Assign(total.clone(), more), span };
        let each = Loop { local, range: LoopRange::Type(each), span: name.span };
        let block = vec![
            Stmt { kind: StmtKind::Assign(total, constant(0, Types::INT, span)), span },
            Stmt { kind: StmtKind::For(Box::new(each), vec![add]), span },
            Stmt { kind: StmtKind::Return(Some(Operand::Value(read))), span },
        ];
        let function = self.network.model.functions.len() as u32;
        self.effects.push(Effects { reads: true, ..Effects::default() });
        self.network.model.functions.push(Function {
            name: "sum".to_owned(),
            params,
            by_reference: vec![false; params as usize],
            result: Some(Types::INT),
            frame,
            body: block,
            span,
        });
        Some(Expr { kind: ExprKind::Call(Box::new(Call { function, args, span })), ty: Types::INT, span })
    }
}
