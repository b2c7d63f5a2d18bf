//! Statements and calls.

use super::aggregates::fill;
use super::{Flow, Interpreter, MAX_STACK, Run, Stop, Undefined, fault};
use crate::code::*;
use crate::{Model, Span};

impl Interpreter<'_> {
    /// Calls a function. An aggregate result is stored at `result_at`, a simple one in `self.result`.
    pub(super) fn call(&mut self, frame: &Frame, call: &Call, result_at: Option<usize>) -> Run<()> {
        let function = &self.model.functions[call.function as usize];
        self.tick()?;
        if self.depth >= self.semantics.call_depth || self.memory.len() > MAX_STACK {
            let limit = self.semantics.call_depth;
            return fault(
                FaultKind::CallDepth,
                call.span,
                format!("calls are nested more than {limit} deep"),
            );
        }
        let temporaries = self.memory.len();
        let mut args = Vec::with_capacity(call.args.len());
        for (arg, local) in call.args.iter().zip(&function.frame.locals) {
            args.push(match arg {
                Arg::Value(e) => {
                    let value = self.eval_copy(frame, e)?;
                    self.check_range(local.ty, value, e.span, &local.name)?;
                    value
                }
                Arg::Reference(place) => self.address(frame, place)? as Cell,
                Arg::Undefined => UNDEFINED,
            });
        }
        let base = self.memory.len();
        self.memory.resize(base + function.frame.cells as usize, UNDEFINED);
        for (arg, local) in args.into_iter().zip(&function.frame.locals) {
            self.memory[base + local.offset as usize] = arg;
        }
        let caller = (self.frame, self.result_at, self.result_type);
        self.frame = base;
        self.result_at = result_at.unwrap_or(0);
        self.result_type = function.result.unwrap_or(Types::INT);
        self.depth += 1;
        self.result = UNDEFINED;
        let ended = self.block(&function.frame, &function.body);
        // Also after a fault, so that the caller can go on. An aggregate result lies below the arguments' temporaries.
        self.depth -= 1;
        (self.frame, self.result_at, self.result_type) = caller;
        self.memory.truncate(temporaries);
        let ended = ended?;
        if ended == Flow::Next && function.result.is_some() {
            let name = &function.name;
            return fault(
                FaultKind::NoReturn,
                call.span,
                format!("function `{name}` ended without `return`"),
            );
        }
        Ok(())
    }

    pub(super) fn block(&mut self, frame: &Frame, block: &Block) -> Run<Flow> {
        for stmt in block {
            let temporaries = self.memory.len();
            let flow = self.statement(frame, stmt)?;
            self.memory.truncate(temporaries);
            if flow == Flow::Return {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    /// Stores a simple value after checking it.
    pub(super) fn store(&mut self, frame: &Frame, target: &Place, value: Cell, span: Span) -> Run<()> {
        let address = self.address(frame, target)?;
        self.note_copy(value, span)?;
        let (lo, hi) = self.model.types.bounds(target.ty);
        if value != UNDEFINED && (value < lo || value > hi) {
            let name = self.place_name(frame, target);
            self.check_range(target.ty, value, span, &name)?;
        }
        self.memory[address] = value;
        Ok(())
    }

    pub(super) fn check_range(&self, ty: TypeId, value: Cell, span: Span, name: &str) -> Run<()> {
        let (lo, hi) = self.model.types.bounds(ty);
        if value != UNDEFINED && (value < lo || value > hi) {
            return fault(
                FaultKind::Range,
                span,
                format!("{value} is outside the range {lo} .. {hi} of `{name}`"),
            );
        }
        Ok(())
    }

    pub(super) fn note_copy(&mut self, value: Cell, span: Span) -> Run<()> {
        if value == UNDEFINED {
            if self.semantics.undefined == Undefined::Error {
                return fault(FaultKind::Undefined, span, "an undefined value is copied here");
            }
            self.note_use(value, span);
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, frame: &Frame, stmt: &Stmt) -> Run<Flow> {
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let value = self.eval_copy(frame, value)?;
                self.store(frame, target, value, stmt.span)?;
            }
            StmtKind::Copy(target, source) => {
                let source = self.address(frame, source)?;
                let target_at = self.address(frame, target)?;
                let cells = self.model.types[target.ty].cells as usize;
                self.memory.copy_within(source..source + cells, target_at);
            }
            StmtKind::Undefine(target) => {
                let address = self.address(frame, target)?;
                self.undefine(address, target.ty);
            }
            StmtKind::Clear(target) => {
                let address = self.address(frame, target)?;
                fill(&self.model.types, target.ty, &mut self.memory[address..], &|types, ty| {
                    types.bounds(ty).0
                });
            }
            StmtKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    if self.eval_bool(frame, condition)? {
                        return self.block(frame, block);
                    }
                }
                return self.block(frame, otherwise);
            }
            StmtKind::Switch(subject, cases, otherwise) => {
                let subject = self.compared(frame, subject)?;
                for (values, block) in cases {
                    for value in values {
                        if self.compared(frame, value)? == subject {
                            return self.block(frame, block);
                        }
                    }
                }
                return self.block(frame, otherwise);
            }
            StmtKind::For(each, body) => {
                for value in self.loop_values(frame, each)? {
                    self.tick()?;
                    self.set_local(frame, each.local, value);
                    if self.block(frame, body)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                }
            }
            StmtKind::While(condition, body) => {
                let mut left = self.semantics.loop_limit;
                while self.eval_bool(frame, condition)? {
                    if left == 0 {
                        return self.too_many(stmt.span);
                    }
                    left -= 1;
                    self.tick()?;
                    if self.block(frame, body)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                }
            }
            StmtKind::Call(call) => {
                let function = &self.model.functions[call.function as usize];
                let aggregate = function.result.filter(|ty| !self.model.types.is_simple(*ty));
                let at = self.memory.len();
                if let Some(ty) = aggregate {
                    self.memory.resize(at + self.model.types[ty].cells as usize, UNDEFINED);
                }
                self.call(frame, call, aggregate.map(|_| at))?;
            }
            StmtKind::Alias(local, target, body) => {
                self.bind_alias(frame, *local, target)?;
                return self.block(frame, body);
            }
            StmtKind::Return(operand) => {
                match operand {
                    None => {}
                    Some(Operand::Value(e)) => {
                        let value = if self.semantics.returns_undefined(&self.model.types, e) {
                            self.eval_copy(frame, e)?
                        } else {
                            self.eval(frame, e)?
                        };
                        self.note_use(value, e.span);
                        self.check_range(self.result_type, value, e.span, "the function's result")?;
                        self.result = value;
                    }
                    Some(Operand::Place(place)) => {
                        let source = self.address(frame, place)?;
                        let cells = self.model.types[place.ty].cells as usize;
                        self.memory.copy_within(source..source + cells, self.result_at);
                    }
                }
                return Ok(Flow::Return);
            }
            StmtKind::PutText(text) => self.output.push_str(text),
            StmtKind::Put(operand, text) => self.put(frame, operand, text)?,
            StmtKind::Error(message) => return fault(FaultKind::ErrorStatement, stmt.span, message.clone()),
            StmtKind::Assert(condition, message) => {
                if !self.eval_bool(frame, condition)? {
                    return fault(FaultKind::Assertion, stmt.span, format!("assertion failed: {message}"));
                }
            }
            StmtKind::Assume(condition) => {
                if !self.eval_bool(frame, condition)? {
                    return Err(Stop::Assumption);
                }
            }
            StmtKind::Cover(condition, property) => {
                if self.eval_bool(frame, condition)? {
                    self.covered[*property as usize] += 1;
                }
            }
            StmtKind::MultisetAdd(element, set) => self.multiset_add(frame, element, set, stmt.span)?,
            StmtKind::MultisetRemove(slot, set) => {
                let address = self.address(frame, set)?;
                let slot = self.eval(frame, slot)?;
                let address = self.slot(address, set.ty, slot, stmt.span)?;
                self.empty_slot(address, set.ty);
            }
            StmtKind::MultisetRemovePred(local, set, condition) => {
                let address = self.address(frame, set)?;
                let (_, stride) = self.multiset(set.ty);
                // Decide for all before removing any, so that the condition sees the set as it was.
                let mut doomed = Vec::new();
                for slot in self.slots_in_use(frame, set)? {
                    self.set_local(frame, *local, slot);
                    if self.eval_bool(frame, condition)? {
                        doomed.push(slot as usize);
                    }
                }
                for slot in doomed {
                    self.empty_slot(address + slot * stride, set.ty);
                }
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn empty_slot(&mut self, slot: usize, set: TypeId) {
        if let TypeKind::Multiset { element, .. } = self.model.types[set].kind {
            self.memory[slot] = 0;
            self.undefine(slot + 1, element);
        }
    }

    pub(super) fn multiset_add(
        &mut self,
        frame: &Frame,
        element: &Operand,
        set: &Place,
        span: Span,
    ) -> Run<()> {
        let (capacity, stride) = self.multiset(set.ty);
        // The element first: a function in it may add to the same multiset.
        let content = match element {
            Operand::Value(e) => {
                let value = self.eval_copy(frame, e)?;
                self.note_copy(value, e.span)?;
                if let TypeKind::Multiset { element, .. } = self.model.types[set.ty].kind {
                    self.check_range(element, value, e.span, "an element of the multiset")?;
                }
                vec![value]
            }
            Operand::Place(place) => {
                let source = self.address(frame, place)?;
                self.memory[source..source + stride - 1].to_vec()
            }
        };
        let address = self.address(frame, set)?;
        let Some(free) = (0..capacity).map(|i| address + i * stride).find(|at| self.memory[*at] != 1) else {
            let name = self.place_name(frame, set);
            return fault(
                FaultKind::MultisetFull,
                span,
                format!("`{name}` is full: it has {capacity} elements"),
            );
        };
        self.memory[free + 1..free + stride].copy_from_slice(&content);
        self.memory[free] = 1;
        Ok(())
    }

    pub(super) fn put(&mut self, frame: &Frame, operand: &Operand, text: &str) -> Run<()> {
        let types = &self.model.types;
        match operand {
            Operand::Value(e) => {
                let value = self.eval_copy(frame, e)?;
                self.output.push_str(&types.show(e.ty, value));
            }
            Operand::Place(place) => {
                let address = self.address(frame, place)?;
                // Describe the cells as if the place were the only variable of a model.
                let mut alone = Model { types: types.clone(), ..Model::default() };
                alone.add_global(text, place.ty, place.span);
                for (i, cell) in alone.state_cells().iter().enumerate() {
                    let used = cell.slot.is_none_or(|slot| self.memory[address + slot as usize] == 1);
                    if used && cell.slot != Some(i as u32) {
                        let value = types.show(cell.ty, self.memory[address + i]);
                        self.output.push_str(&format!("{}:{value}\n", cell.name));
                    }
                }
            }
        }
        Ok(())
    }
}
