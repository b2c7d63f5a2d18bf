//! Channels: which one a name stands for, and what sending and receiving does.
//!
//! A buffered channel is its length and an array of messages, the oldest first; unused messages are 0.

use burnside_model::code::{ArithOp, Expr as Code, OrderOp, Place, Stmt, StmtKind, TypeId};

use super::super::ast::{Arg, Ref};
use super::super::symbols::{Shape, leaf};
use super::exprs::{Context, Located};
use super::{Lowerer, build};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

impl Lowerer<'_> {
    /// The channels that a name may stand for, and when it does.
    pub(super) fn channels_of(&mut self, cx: &Context, name: &Ref) -> Read<Vec<(Code, usize)>> {
        let process = cx.instance.map(|instance| self.instances[instance].process);
        let var = self.symbols.find(process, name)?.clone();
        let class = self.symbols.root(leaf(&shape_at(&var.shape, name)));
        let value = match self.locate(cx, name)? {
            Located::Value(value) => value,
            Located::Place { place, cell, .. } => match cell.and_then(|cell| cx.known.get(&cell)) {
                Some(value) => build::int(*value),
                None => build::read(place),
            },
        };
        if let Some(number) = build::constant(&value) {
            let number = usize::try_from(number - 1).ok().filter(|number| *number < self.channels.len());
            return Ok(number.map(|number| (build::truth(true), number)).into_iter().collect());
        }
        let mut found = Vec::new();
        for number in 0..self.channels.len() {
            if self.symbols.root(self.channels[number].class) != class {
                continue;
            }
            let condition = self.names(&value, number);
            if !build::is_false(&condition) {
                found.push((condition, number));
            }
        }
        Ok(found)
    }

    /// Whether a value is the name of a channel; a choice between names is taken apart.
    fn names(&self, value: &Code, number: usize) -> Code {
        use burnside_model::code::ExprKind;
        match &value.kind {
            ExprKind::Cond(c, a, b) => {
                let (a, b) = (self.names(a, number), self.names(b, number));
                let first = build::and((**c).clone(), a);
                build::or(first, build::and(build::not((**c).clone()), b))
            }
            _ => self.equal(value.clone(), build::int(number as i64 + 1)),
        }
    }

    pub(super) fn length_place(&self, number: usize) -> Option<Place> {
        let channel = &self.channels[number];
        channel.storage.map(|(length, _)| build::global(length, channel.length_ty))
    }

    pub(super) fn length_of(&self, number: usize, cx: &Context) -> Code {
        let Some(place) = self.length_place(number) else { return build::int(0) };
        let burnside_model::code::PlaceKind::Global(id) = place.kind else { return build::int(0) };
        let cell = self.model.globals[id.0 as usize].offset;
        match cx.known.get(&cell) {
            Some(value) => build::int(*value),
            None => build::read(place),
        }
    }

    /// A message of a channel.
    pub(super) fn message(&self, number: usize, at: Code) -> Place {
        let channel = &self.channels[number];
        let Some((_, id)) = channel.storage else {
            return build::global(burnside_model::code::GlobalId(0), channel.array_ty);
        };
        build::index(build::global(id, channel.array_ty), at, channel.record_ty)
    }

    fn index_ty(&self, number: usize) -> TypeId {
        match self.model.types[self.channels[number].array_ty].kind {
            burnside_model::code::TypeKind::Array { index, .. } => index,
            _ => TypeId(1),
        }
    }

    pub(super) fn message_field(&self, number: usize, at: i64, field: usize) -> Place {
        let at = build::typed(at, self.index_ty(number));
        build::field(self.message(number, at), field as u32, self.channels[number].fields[field].0)
    }

    /// The fields that a message must have to be received: how each is compared, and where it goes.
    pub(super) fn check_arity(&self, number: usize, args: usize, name: &Ref) -> Read<bool> {
        let fields = self.channels[number].fields.len();
        if args > fields {
            let message = format!("a message of `{}` has {fields} fields, not {args}", name.name);
            return Err(Box::new(Diagnostic::error(codes::ARGUMENT_COUNT, name.span, message)));
        }
        Ok(args == fields)
    }

    /// Whether a message with these values matches the arguments of a receive.
    pub(super) fn matches(&mut self, cx: &Context, args: &[Arg], values: &[Code]) -> Read<Code> {
        let mut parts = Vec::new();
        for (arg, value) in args.iter().zip(values) {
            let wanted = match arg {
                Arg::Ignore => continue,
                Arg::Match(expr) => self.value(cx, expr)?,
                Arg::Store(name) => match self.symbols.mtype(name) {
                    Some(mtype) => build::int(mtype),
                    None => continue,
                },
            };
            parts.push(self.equal(value.clone(), wanted));
        }
        Ok(build::all(parts))
    }

    /// The values of the message at a position.
    pub(super) fn values_at(&self, number: usize, at: i64) -> Vec<Code> {
        (0..self.channels[number].fields.len())
            .map(|field| build::read(self.message_field(number, at, field)))
            .collect()
    }

    /// Whether the message at a position is there and matches, and with `first` none before it does.
    pub(super) fn received_at(
        &mut self,
        cx: &Context,
        number: usize,
        args: &[Arg],
        at: u32,
        first: bool,
    ) -> Read<Code> {
        let length = self.length_of(number, cx);
        let there = build::order(OrderOp::Gt, length, build::int(i64::from(at)));
        let values = self.values_at(number, i64::from(at));
        let mut all = vec![there, self.matches(cx, args, &values)?];
        if first {
            for before in 0..at {
                let values = self.values_at(number, i64::from(before));
                all.push(build::not(self.matches(cx, args, &values)?));
            }
        }
        Ok(build::all(all))
    }

    /// Whether a receive can be executed. A rendezvous is never received from without its sender.
    pub(super) fn can_receive(&mut self, cx: &Context, chan: &Ref, args: &[Arg], random: bool) -> Read<Code> {
        let mut ways = Vec::new();
        for (condition, number) in self.channels_of(cx, chan)? {
            self.check_arity(number, args.len(), chan)?;
            let positions =
                if random { self.channels[number].capacity } else { self.channels[number].capacity.min(1) };
            for at in 0..positions {
                let there = self.received_at(cx, number, args, at, false)?;
                ways.push(build::and(condition.clone(), there));
            }
        }
        Ok(build::any(ways))
    }

    /// Removes the message at a position: those behind it move up.
    pub(super) fn remove(&self, number: usize, at: u32, body: &mut Vec<Stmt>) {
        let index = self.index_ty(number);
        let last = self.channels[number].capacity - 1;
        for place in at..last {
            let to = self.message(number, build::typed(i64::from(place), index));
            let from = self.message(number, build::typed(i64::from(place) + 1, index));
            body.push(build::copy(to, from));
        }
        self.fill(self.message(number, build::typed(i64::from(last), index)), 0, body);
        self.count(number, ArithOp::Sub, body);
    }

    fn count(&self, number: usize, op: ArithOp, body: &mut Vec<Stmt>) {
        if let Some(length) = self.length_place(number) {
            let changed = build::arith(op, build::read(length.clone()), build::int(1));
            body.push(build::assign(length, changed));
        }
    }

    /// Appends a message, or with `sorted` puts it before the first that is greater.
    pub(super) fn append(&self, number: usize, values: &[Code], sorted: bool, body: &mut Vec<Stmt>) {
        let index = self.index_ty(number);
        let Some(length) = self.length_place(number) else { return };
        let store = |at: Code, body: &mut Vec<Stmt>| {
            for (field, value) in values.iter().enumerate() {
                let place = build::field(
                    self.message(number, at.clone()),
                    field as u32,
                    self.channels[number].fields[field].0,
                );
                body.push(build::assign(place, value.clone()));
            }
        };
        let capacity = self.channels[number].capacity;
        if !sorted {
            // A channel for one message is empty when it is sent to.
            let at = if capacity == 1 { build::typed(0, index) } else { build::read(length) };
            store(at, body);
            return self.count(number, ArithOp::Add, body);
        }
        let mut arms = Vec::new();
        for place in 0..capacity {
            let there = build::order(OrderOp::Gt, build::read(length.clone()), build::int(i64::from(place)));
            let greater = self.greater(number, place, values, 0);
            let mut inserted = Vec::new();
            for behind in (place + 1..capacity).rev() {
                let to = self.message(number, build::typed(i64::from(behind), index));
                let from = self.message(number, build::typed(i64::from(behind) - 1, index));
                inserted.push(build::copy(to, from));
            }
            store(build::typed(i64::from(place), index), &mut inserted);
            arms.push((build::and(there, greater), inserted));
        }
        let mut behind = Vec::new();
        store(build::read(length), &mut behind);
        body.push(Stmt { kind: StmtKind::If(arms, behind), span: burnside_model::Span::default() });
        self.count(number, ArithOp::Add, body);
    }

    /// Whether the message at a position is greater than one with these values, from a field on.
    fn greater(&self, number: usize, at: u32, values: &[Code], field: usize) -> Code {
        let Some(value) = values.get(field) else { return build::truth(false) };
        let mine = build::read(self.message_field(number, i64::from(at), field));
        let more = build::order(OrderOp::Gt, mine.clone(), value.clone());
        let rest = self.greater(number, at, values, field + 1);
        build::or(more, build::and(self.equal(mine, value.clone()), rest))
    }
}

/// The shape of what a name stands for.
fn shape_at(shape: &Shape, name: &Ref) -> Shape {
    let inner = match shape {
        Shape::Array { element, .. } => element.as_ref(),
        other => other,
    };
    match (inner, &name.field) {
        (Shape::Record { fields, .. }, Some(field)) => fields
            .iter()
            .find(|(mine, _)| *mine == field.name)
            .map_or_else(|| inner.clone(), |(_, shape)| shape_at(shape, field)),
        _ => inner.clone(),
    }
}
