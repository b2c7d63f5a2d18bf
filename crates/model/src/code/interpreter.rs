//! The reference interpreter: the meaning of expressions and statements, kept short and obviously right.
//!
//! One memory holds the state (from address 0) and, behind it, a stack of frames. A place evaluates to an address.
//! `eval` is strict (an undefined value is an error); `eval_copy` lets an undefined value through, for assignment
//! and arguments.
//!
//! Quantifiers over types with symmetry-domain elements evaluate every instance: stopping early would make it depend on
//! the order of the elements whether an error in a later instance is seen, and so break the symmetry.

use std::collections::BTreeSet;
use std::time::Instant;

use super::*;
use crate::Span;
use crate::system::{Binder, Model};

/// The choices that the languages leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// Whether copying an undefined value is an error.
    pub undefined_is_error: bool,
    /// The most iterations of one `while` loop.
    pub loop_limit: u64,
    /// The most calls inside each other.
    pub call_depth: u32,
}

impl Default for Semantics {
    fn default() -> Self {
        Semantics { undefined_is_error: false, loop_limit: 1000, call_depth: 256 }
    }
}

/// Why execution ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Something went wrong.
    Fault(Box<Fault>),
    /// An `assume` does not hold: the step is to be dropped.
    Assumption,
    /// The deadline has passed.
    Deadline,
}

type Run<T> = Result<T, Stop>;

/// The values of a loop's variable, in order; there may be very many.
#[derive(Clone, Copy)]
pub struct Values {
    next: i64,
    by: i64,
    left: u128,
}

impl Values {
    /// All from `from` to `to`.
    fn between(from: i64, to: i64) -> Self {
        let left = (i128::from(to) - i128::from(from) + 1).max(0) as u128;
        Values { next: from, by: 1, left }
    }
}

impl Iterator for Values {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        let value = self.next;
        self.next = value.wrapping_add(self.by);
        Some(value)
    }
}

/// The values of a rule's parameter.
pub enum Instances {
    /// An alias has none: it is bound.
    Bound,
    /// A range.
    Each(Values),
    /// These.
    These(std::vec::IntoIter<Cell>),
}

impl Iterator for Instances {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        match self {
            Instances::Bound => None,
            Instances::Each(values) => values.next(),
            Instances::These(values) => values.next(),
        }
    }
}

/// Cells of stack beyond which calls are refused.
const MAX_STACK: usize = 1 << 23;

/// How a block ended.
#[derive(PartialEq)]
enum Flow {
    Next,
    Return,
}

/// Executes code of a model on one state.
pub struct Interpreter<'m> {
    /// The model.
    pub model: &'m Model,
    /// The choices made.
    pub semantics: Semantics,
    /// The state, and the stack behind it.
    memory: Vec<Cell>,
    /// First cell of the current frame.
    frame: usize,
    /// Call depth.
    depth: u32,
    /// Where a function's aggregate result goes.
    result_at: usize,
    /// A function's simple result.
    result: Cell,
    /// Where an undefined value was copied: reported as warnings.
    pub undefined_copies: BTreeSet<Span>,
    /// What `put` wrote since it was last taken.
    pub output: String,
    /// How often each cover statement held, by property.
    pub covered: Vec<u64>,
    /// When to stop, if ever.
    pub deadline: Option<Instant>,
    ticks: u32,
}

fn fault<T>(kind: FaultKind, span: Span, message: impl Into<String>) -> Run<T> {
    Err(Stop::Fault(Box::new(Fault { kind, message: message.into(), span })))
}

impl<'m> Interpreter<'m> {
    /// An interpreter whose state is undefined throughout.
    pub fn new(model: &'m Model, semantics: Semantics) -> Self {
        Self::with_memory(model, semantics, Vec::new())
    }

    /// The same in memory that was used before, and is undefined throughout.
    pub(super) fn with_memory(model: &'m Model, semantics: Semantics, mut memory: Vec<Cell>) -> Self {
        memory.resize(model.cells as usize, UNDEFINED);
        Interpreter {
            model,
            semantics,
            memory,
            frame: 0,
            depth: 0,
            result_at: 0,
            result: UNDEFINED,
            undefined_copies: BTreeSet::new(),
            output: String::new(),
            covered: vec![0; model.properties.len()],
            deadline: None,
            ticks: 0,
        }
    }

    /// The memory of the state, to be used again.
    pub(super) fn into_memory(mut self) -> Vec<Cell> {
        self.memory.truncate(self.model.cells as usize);
        self.memory
    }

    /// The state.
    pub fn state(&self) -> &[Cell] {
        &self.memory[..self.model.cells as usize]
    }

    /// Replaces the state.
    pub fn load(&mut self, state: &[Cell]) {
        self.memory[..state.len()].copy_from_slice(state);
    }

    /// Makes every variable undefined and every multiset empty.
    pub fn reset(&mut self) {
        for global in &self.model.globals {
            self.undefine(global.offset as usize, global.ty);
        }
    }

    /// Puts every multiset of the state into its one sorted form: slots in use first, by content.
    pub fn normalise(&mut self) {
        for global in &self.model.globals {
            normalise(&self.model.types, global.ty, &mut self.memory[global.offset as usize..]);
        }
    }

    /// Starts a body with this frame; all locals are undefined.
    pub fn enter(&mut self, frame: &Frame) {
        let base = self.model.cells as usize;
        self.memory.truncate(base);
        self.memory.resize(base + frame.cells as usize, UNDEFINED);
        self.frame = base;
        self.depth = 0;
    }

    /// Sets a local of the body that was entered.
    pub fn set_local(&mut self, frame: &Frame, local: LocalId, value: Cell) {
        self.memory[self.frame + frame[local].offset as usize] = value;
    }

    /// Sets any cell of state or stack.
    pub(super) fn poke(&mut self, address: usize, value: Cell) {
        self.memory[address] = value;
    }

    /// Runs a body.
    pub fn run(&mut self, frame: &Frame, body: &Block) -> Run<()> {
        self.block(frame, body).map(|_| ())
    }

    /// Binds an alias, or gives the values of a binder that stands for several instances.
    pub fn bind(&mut self, frame: &Frame, binder: &Binder) -> Run<Instances> {
        match binder {
            Binder::Each(each) => self.loop_values(frame, each).map(Instances::Each),
            Binder::Alias(local, operand) => {
                self.bind_alias(frame, *local, operand).map(|()| Instances::Bound)
            }
            Binder::Choose(_, set) => {
                self.slots_in_use(frame, set).map(|slots| Instances::These(slots.into_iter()))
            }
        }
    }

    /// Counts a step, to notice the deadline now and then.
    pub fn tick(&mut self) -> Run<()> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(4096) && self.deadline.is_some_and(|deadline| Instant::now() > deadline)
        {
            return Err(Stop::Deadline);
        }
        Ok(())
    }

    /// The value of an expression; undefined is an error.
    pub fn eval(&mut self, frame: &Frame, expr: &Expr) -> Run<Cell> {
        let value = self.eval_copy(frame, expr)?;
        if value == UNDEFINED {
            let what = match &expr.kind {
                ExprKind::Read(place) => format!("`{}` is undefined here", self.place_name(frame, place)),
                _ => "the value of this expression is undefined".to_owned(),
            };
            return fault(FaultKind::Undefined, expr.span, what);
        }
        Ok(value)
    }

    fn eval_bool(&mut self, frame: &Frame, expr: &Expr) -> Run<bool> {
        Ok(self.eval(frame, expr)? != 0)
    }

    /// The value of an expression, possibly undefined.
    fn eval_copy(&mut self, frame: &Frame, expr: &Expr) -> Run<Cell> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Read(place) => {
                let address = self.address(frame, place)?;
                self.memory[address]
            }
            ExprKind::Not(e) => Cell::from(!self.eval_bool(frame, e)?),
            ExprKind::Neg(e) => match self.eval(frame, e)?.checked_neg() {
                Some(value) => value,
                None => return self.overflow(expr.span),
            },
            ExprKind::BitNot(e) => !self.eval(frame, e)?,
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                self.arith(*op, a, b, expr.span)?
            }
            ExprKind::Order(op, a, b) => {
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                Cell::from(match op {
                    OrderOp::Lt => a < b,
                    OrderOp::Le => a <= b,
                    OrderOp::Gt => a > b,
                    OrderOp::Ge => a >= b,
                })
            }
            ExprKind::Logic(op, a, b) => {
                let a = self.eval_bool(frame, a)?;
                Cell::from(match op {
                    LogicOp::And => a && self.eval_bool(frame, b)?,
                    LogicOp::Or => a || self.eval_bool(frame, b)?,
                    LogicOp::Implies => !a || self.eval_bool(frame, b)?,
                })
            }
            ExprKind::Eq(a, b) => Cell::from(self.eval(frame, a)? == self.eval(frame, b)?),
            ExprKind::Ne(a, b) => Cell::from(self.eval(frame, a)? != self.eval(frame, b)?),
            ExprKind::Same(a, b, negated) => {
                let temporaries = self.memory.len();
                let cells = self.model.types[a.ty].cells as usize;
                let left = self.address(frame, a)?;
                let right = self.address(frame, b)?;
                let mut left = self.memory[left..left + cells].to_vec();
                let mut right = self.memory[right..right + cells].to_vec();
                normalise(&self.model.types, a.ty, &mut left);
                normalise(&self.model.types, a.ty, &mut right);
                self.memory.truncate(temporaries);
                Cell::from((left == right) != *negated)
            }
            ExprKind::Cond(c, a, b) => {
                let chosen = if self.eval_bool(frame, c)? { a } else { b };
                self.eval_copy(frame, chosen)?
            }
            ExprKind::Quantified(quantifier, each, body) => {
                self.quantified(frame, *quantifier, each, body)?
            }
            ExprKind::Call(call) => {
                self.call(frame, call, None)?;
                self.result
            }
            ExprKind::IsUndefined(place) => {
                let address = self.address(frame, place)?;
                Cell::from(self.memory[address] == UNDEFINED)
            }
            ExprKind::IsMember(e, member) => {
                let value = self.eval(frame, e)?;
                let types = &self.model.types;
                Cell::from(match types.union_member(e.ty, value) {
                    Some((found, _)) => found == *member,
                    None => types.same(e.ty, *member),
                })
            }
            ExprKind::Convert(e) => {
                let value = self.eval_copy(frame, e)?;
                self.convert(value, e.ty, expr.ty, expr.span)?
            }
            ExprKind::Count(local, set, condition) => {
                let mut count = 0;
                for slot in self.slots_in_use(frame, set)? {
                    self.set_local(frame, *local, slot);
                    count += Cell::from(self.eval_bool(frame, condition)?);
                }
                count
            }
        })
    }

    fn quantified(&mut self, frame: &Frame, quantifier: Quantifier, each: &Loop, body: &Expr) -> Run<Cell> {
        let decisive = quantifier == Quantifier::Exists;
        let whole = match each.range {
            LoopRange::Type(ty) => !self.model.types.domains_of(ty).is_empty(),
            LoopRange::Span(..) => false,
        };
        let mut decided = false;
        for value in self.loop_values(frame, each)? {
            self.tick()?;
            self.set_local(frame, each.local, value);
            decided |= self.eval_bool(frame, body)? == decisive;
            if decided && !whole {
                break;
            }
        }
        Ok(Cell::from(decided == decisive))
    }

    fn overflow<T>(&self, span: Span) -> Run<T> {
        fault(FaultKind::Arithmetic, span, "the result does not fit in 64 bits")
    }

    fn arith(&self, op: ArithOp, a: i64, b: i64, span: Span) -> Run<Cell> {
        let value = match op {
            ArithOp::Add => a.checked_add(b),
            ArithOp::Sub => a.checked_sub(b),
            ArithOp::Mul => a.checked_mul(b),
            ArithOp::Div | ArithOp::Mod if b == 0 => {
                return fault(FaultKind::Arithmetic, span, "division by zero");
            }
            ArithOp::Div => a.checked_div(b),
            ArithOp::Mod => Some(a.wrapping_rem(b)),
            ArithOp::Shl => Some(shift_left(a, b)),
            ArithOp::Shr => Some(shift_left(a, b.saturating_neg())),
            ArithOp::And => Some(a & b),
            ArithOp::Or => Some(a | b),
            ArithOp::Xor => Some(a ^ b),
        };
        match value {
            Some(value) if value != UNDEFINED => Ok(value),
            _ => self.overflow(span),
        }
    }

    fn convert(&self, value: Cell, from: TypeId, to: TypeId, span: Span) -> Run<Cell> {
        let types = &self.model.types;
        if value == UNDEFINED {
            return Ok(UNDEFINED);
        }
        // Both sides may be unions: go through the member.
        let (member, value) = types.union_member(from, value).unwrap_or((from, value));
        if let Some(offset) = types.union_offset(to, member) {
            return Ok(offset + value - types.bounds(member).0);
        }
        if member == to {
            return Ok(value);
        }
        let (shown, to) = (types.show(member, value), types.describe(to));
        fault(FaultKind::UnionMember, span, format!("`{shown}` is not a value of `{to}`"))
    }

    /// All values of a loop's variable, in order.
    fn loop_values(&mut self, frame: &Frame, each: &Loop) -> Run<Values> {
        let (from, to, by) = match &each.range {
            LoopRange::Type(ty) => {
                let (lo, hi) = self.model.types.bounds(*ty);
                return Ok(Values::between(lo, hi));
            }
            LoopRange::Span(from, to, None) => {
                let (from, to) = (self.eval(frame, from)?, self.eval(frame, to)?);
                return Ok(Values::between(from, to));
            }
            LoopRange::Span(from, to, Some(by)) => {
                (self.eval(frame, from)?, self.eval(frame, to)?, self.eval(frame, by)?)
            }
        };
        if by == 0 {
            return fault(FaultKind::Loop, each.span, "the step of this loop is 0");
        }
        if from != to && (by > 0) != (from < to) {
            return fault(
                FaultKind::Loop,
                each.span,
                format!("a step of {by} does not lead from {from} to {to}"),
            );
        }
        let left = ((i128::from(to) - i128::from(from)) / i128::from(by) + 1) as u128;
        Ok(Values { next: from, by, left })
    }

    fn too_many<T>(&self, span: Span) -> Run<T> {
        let limit = self.semantics.loop_limit;
        fault(FaultKind::Loop, span, format!("this loop runs more than {limit} times (see --loop-limit)"))
    }

    /// Capacity and cells per slot of a multiset type.
    fn multiset(&self, ty: TypeId) -> (usize, usize) {
        match self.model.types[ty].kind {
            TypeKind::Multiset { capacity, element } => {
                (capacity as usize, self.model.types[element].cells as usize + 1)
            }
            _ => (0, 1),
        }
    }

    fn slots_in_use(&mut self, frame: &Frame, set: &Place) -> Run<Vec<Cell>> {
        let address = self.address(frame, set)?;
        let (capacity, stride) = self.multiset(set.ty);
        Ok((0..capacity as Cell).filter(|i| self.memory[address + *i as usize * stride] == 1).collect())
    }

    /// The address of a place.
    fn address(&mut self, frame: &Frame, place: &Place) -> Run<usize> {
        let types = &self.model.types;
        Ok(match &place.kind {
            PlaceKind::Global(global) => self.model.globals[global.0 as usize].offset as usize,
            PlaceKind::Local(local) => {
                let local = &frame[*local];
                let address = self.frame + local.offset as usize;
                match local.storage {
                    Storage::Value => address,
                    Storage::Reference => self.memory[address] as usize,
                }
            }
            PlaceKind::Index(base, index) => {
                let address = self.address(frame, base)?;
                let value = self.eval(frame, index)?;
                let TypeKind::Array { index: index_type, element } = types[base.ty].kind else {
                    unreachable!("only arrays are indexed")
                };
                let (lo, hi) = types.bounds(index_type);
                if value < lo || value > hi {
                    let name = self.place_name(frame, base);
                    let shown = types.show(index.ty, value);
                    return fault(
                        FaultKind::Index,
                        index.span,
                        format!("index {shown} is outside `{name}`, which is indexed by {lo} .. {hi}"),
                    );
                }
                address + (value - lo) as usize * types[element].cells as usize
            }
            PlaceKind::Field(base, field) => {
                let address = self.address(frame, base)?;
                let TypeKind::Record(fields) = &types[base.ty].kind else {
                    unreachable!("only records have fields")
                };
                address + fields[*field as usize].offset as usize
            }
            PlaceKind::Slot(base, slot) => {
                let address = self.address(frame, base)?;
                let slot = self.eval(frame, slot)?;
                self.slot(address, base.ty, slot, place.span)? + 1
            }
            PlaceKind::Call(call) => {
                let at = self.memory.len();
                let result = self.model.functions[call.function as usize].result.unwrap_or(Types::BOOL);
                self.memory.resize(at + types[result].cells as usize, UNDEFINED);
                self.call(frame, call, Some(at))?;
                at
            }
            PlaceKind::Cond(condition, a, b) => {
                let chosen = if self.eval_bool(frame, condition)? { a } else { b };
                self.address(frame, chosen)?
            }
        })
    }

    /// The address of a multiset's slot, which must be in use.
    fn slot(&self, set: usize, ty: TypeId, slot: Cell, span: Span) -> Run<usize> {
        let (capacity, stride) = self.multiset(ty);
        if slot < 0 || slot as usize >= capacity || self.memory[set + slot as usize * stride] != 1 {
            return fault(FaultKind::Index, span, "this element is no longer in the multiset");
        }
        Ok(set + slot as usize * stride)
    }

    /// A place as a person would write it, with the current values of its indices.
    fn place_name(&mut self, frame: &Frame, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Global(global) => self.model.globals[global.0 as usize].name.clone(),
            PlaceKind::Local(local) => frame[*local].name.clone(),
            PlaceKind::Index(base, index) | PlaceKind::Slot(base, index) => {
                let base = self.place_name(frame, base);
                let value = self.eval_copy(frame, index).unwrap_or(UNDEFINED);
                format!("{base}[{}]", self.model.types.show(index.ty, value))
            }
            PlaceKind::Field(base, field) => {
                let name = self.place_name(frame, base);
                match &self.model.types[base.ty].kind {
                    TypeKind::Record(fields) => format!("{name}.{}", fields[*field as usize].name),
                    _ => name,
                }
            }
            PlaceKind::Call(call) => {
                format!("{}(…)", self.model.functions[call.function as usize].name)
            }
            PlaceKind::Cond(..) => "this choice".to_owned(),
        }
    }

    fn undefine(&mut self, address: usize, ty: TypeId) {
        fill(&self.model.types, ty, &mut self.memory[address..], &|_, _| UNDEFINED);
    }

    fn bind_alias(&mut self, frame: &Frame, local: LocalId, operand: &Operand) -> Run<()> {
        let value = match operand {
            Operand::Value(e) => self.eval_copy(frame, e)?,
            Operand::Place(place) => self.address(frame, place)? as Cell,
        };
        self.set_local(frame, local, value);
        Ok(())
    }

    /// Calls a function. An aggregate result is stored at `result_at`, a simple one in `self.result`.
    fn call(&mut self, frame: &Frame, call: &Call, result_at: Option<usize>) -> Run<()> {
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
        let (caller, caller_result) = (self.frame, self.result_at);
        self.frame = base;
        self.result_at = result_at.unwrap_or(0);
        self.depth += 1;
        self.result = UNDEFINED;
        let ended = self.block(&function.frame, &function.body)?;
        self.depth -= 1;
        self.frame = caller;
        self.result_at = caller_result;
        // Keep an aggregate result, which lies below the arguments' temporaries.
        self.memory.truncate(temporaries);
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

    fn block(&mut self, frame: &Frame, block: &Block) -> Run<Flow> {
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
    fn store(&mut self, frame: &Frame, target: &Place, value: Cell, span: Span) -> Run<()> {
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

    fn check_range(&self, ty: TypeId, value: Cell, span: Span, name: &str) -> Run<()> {
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

    fn note_copy(&mut self, value: Cell, span: Span) -> Run<()> {
        if value == UNDEFINED {
            if self.semantics.undefined_is_error {
                return fault(FaultKind::Undefined, span, "an undefined value is copied here");
            }
            self.undefined_copies.insert(span);
        }
        Ok(())
    }

    fn statement(&mut self, frame: &Frame, stmt: &Stmt) -> Run<Flow> {
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
                let subject = self.eval(frame, subject)?;
                for (values, block) in cases {
                    for value in values {
                        if self.eval(frame, value)? == subject {
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
                    Some(Operand::Value(e)) => self.result = self.eval(frame, e)?,
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

    fn empty_slot(&mut self, slot: usize, set: TypeId) {
        if let TypeKind::Multiset { element, .. } = self.model.types[set].kind {
            self.memory[slot] = 0;
            self.undefine(slot + 1, element);
        }
    }

    fn multiset_add(&mut self, frame: &Frame, element: &Operand, set: &Place, span: Span) -> Run<()> {
        let address = self.address(frame, set)?;
        let (capacity, stride) = self.multiset(set.ty);
        let Some(free) = (0..capacity).map(|i| address + i * stride).find(|at| self.memory[*at] != 1) else {
            let name = self.place_name(frame, set);
            return fault(
                FaultKind::MultisetFull,
                span,
                format!("`{name}` is full: it has {capacity} elements"),
            );
        };
        match element {
            Operand::Value(e) => {
                let value = self.eval_copy(frame, e)?;
                self.note_copy(value, e.span)?;
                if let TypeKind::Multiset { element, .. } = self.model.types[set.ty].kind {
                    self.check_range(element, value, e.span, "an element of the multiset")?;
                }
                self.memory[free + 1] = value;
            }
            Operand::Place(place) => {
                let source = self.address(frame, place)?;
                self.memory.copy_within(source..source + stride - 1, free + 1);
            }
        }
        self.memory[free] = 1;
        Ok(())
    }

    fn put(&mut self, frame: &Frame, operand: &Operand, text: &str) -> Run<()> {
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

/// Shifts to the left, or by a negative number to the right; bits shifted out are lost.
pub fn shift_left(a: i64, by: i64) -> i64 {
    match by {
        64.. => 0,
        0..64 => a << by,
        -63..0 => a >> -by,
        _ => a >> 63,
    }
}

/// Sets every cell of a value: slots of multisets become empty, other cells what `content` says of their type.
fn fill(types: &Types, ty: TypeId, cells: &mut [Cell], content: &dyn Fn(&Types, TypeId) -> Cell) {
    match &types[ty].kind {
        TypeKind::Array { element, .. } => {
            let stride = types[*element].cells as usize;
            if stride > 0 {
                for part in cells[..types[ty].cells as usize].chunks_mut(stride) {
                    fill(types, *element, part, content);
                }
            }
        }
        TypeKind::Record(fields) => {
            for field in fields {
                fill(types, field.ty, &mut cells[field.offset as usize..], content);
            }
        }
        TypeKind::Multiset { element, .. } => {
            let stride = types[*element].cells as usize + 1;
            for slot in cells[..types[ty].cells as usize].chunks_mut(stride) {
                slot[0] = 0;
                fill(types, *element, &mut slot[1..], &|_, _| UNDEFINED);
            }
        }
        _ => cells[0] = content(types, ty),
    }
}

/// Sorts the slots of every multiset in a value of this type: those in use first, by content.
pub fn normalise(types: &Types, ty: TypeId, cells: &mut [Cell]) {
    if !types[ty].has_multiset {
        return;
    }
    match &types[ty].kind {
        TypeKind::Array { element, .. } => {
            let stride = types[*element].cells as usize;
            if stride > 0 {
                for part in cells[..types[ty].cells as usize].chunks_mut(stride) {
                    normalise(types, *element, part);
                }
            }
        }
        TypeKind::Record(fields) => {
            for field in fields {
                normalise(types, field.ty, &mut cells[field.offset as usize..]);
            }
        }
        TypeKind::Multiset { element, .. } => {
            let stride = types[*element].cells as usize + 1;
            let cells = &mut cells[..types[ty].cells as usize];
            let mut slots: Vec<Vec<Cell>> = cells.chunks(stride).map(<[Cell]>::to_vec).collect();
            for slot in slots.iter_mut().filter(|slot| slot[0] != 1) {
                // A local starts with all cells undefined: its slots are not in use either.
                slot[0] = 0;
            }
            slots.sort_by(|a, b| b[0].cmp(&a[0]).then_with(|| a.cmp(b)));
            for (into, slot) in cells.chunks_mut(stride).zip(slots) {
                into.copy_from_slice(&slot);
            }
        }
        _ => {}
    }
}
