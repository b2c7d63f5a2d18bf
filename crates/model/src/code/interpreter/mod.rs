//! The reference interpreter: the meaning of expressions and statements, kept short and obviously right.
//!
//! One memory holds the state (from address 0) and, behind it, a stack of frames. A place evaluates to an address.
//! `eval` is strict (an undefined value is an error); `eval_copy` lets an undefined value through, for assignment
//! and arguments; `compared` does so for the operands of `=` where [`Semantics::compares_undefined`] allows it.
//!
//! Quantifiers over types with symmetry-domain elements evaluate every instance: stopping early would make it depend on
//! the order of the elements whether an error in a later instance is seen, and so break the symmetry.

use std::collections::BTreeSet;

mod aggregates;
mod exprs;
mod places;
mod stmts;
mod values;

pub use aggregates::normalise;
pub use values::{Instances, Values};

use super::*;
use crate::system::{Binder, Model};
use crate::{Deadline, Span};

/// What may be done with a value that is undefined. Reading a boolean, an enum or a number, and indexing, is an error in
/// all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// As CMurphi 5.4.9: copies are allowed, and values of scalarsets and unions can be compared. Undefined then equals
    /// only itself.
    #[default]
    Cmurphi,
    /// Copies are allowed, and comparisons are errors.
    Copy,
    /// Copies are errors too, as in rumur.
    Error,
}

impl Undefined {
    /// All of them.
    pub const ALL: [Undefined; 3] = [Undefined::Cmurphi, Undefined::Copy, Undefined::Error];

    /// The value of `--undefined`, also in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Undefined::Cmurphi => "cmurphi",
            Undefined::Copy => "copy",
            Undefined::Error => "error",
        }
    }
}

/// The choices that the languages leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// What may be done with an undefined value.
    pub undefined: Undefined,
    /// The most iterations of one `while` loop.
    pub loop_limit: u64,
    /// The most calls inside each other.
    pub call_depth: u32,
}

impl Default for Semantics {
    fn default() -> Self {
        Semantics { undefined: Undefined::default(), loop_limit: 1000, call_depth: 256 }
    }
}

impl Semantics {
    /// Whether an operand of `=` or `!=`, of `ismember` or of a `switch` may be undefined. A member that is converted to a
    /// union counts by its own type.
    pub fn compares_undefined(&self, types: &Types, operand: &Expr) -> bool {
        self.undefined == Undefined::Cmurphi
            && matches!(types[unconverted(operand).ty].kind, TypeKind::Scalarset(_) | TypeKind::Union(_))
    }

    /// Whether a function may return this although it is undefined.
    pub fn returns_undefined(&self, types: &Types, operand: &Expr) -> bool {
        self.compares_undefined(types, operand)
            || (self.undefined == Undefined::Cmurphi
                && matches!(types[unconverted(operand).ty].kind, TypeKind::Enum(_)))
    }
}

fn unconverted(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner) => unconverted(inner),
        _ => e,
    }
}

/// Why execution ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Fault(Box<Fault>),
    /// An `assume` does not hold: the step is to be dropped.
    Assumption,
    Deadline,
}

type Run<T> = Result<T, Stop>;

/// Cells of stack beyond which calls are refused.
const MAX_STACK: usize = 1 << 23;

/// How a block ended.
#[derive(PartialEq)]
enum Flow {
    Next,
    Return,
}

/// Executes code of a model on one state.
#[derive(Clone)]
pub struct Interpreter<'m> {
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
    /// The type of the result of the function that runs.
    result_type: TypeId,
    /// Where an undefined value was copied or compared: reported as warnings.
    pub undefined_copies: BTreeSet<Span>,
    /// What `put` wrote since it was last taken.
    pub output: String,
    /// How often each cover statement held, by property.
    pub covered: Vec<u64>,
    /// When to stop, if ever.
    pub deadline: Deadline,
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
            result_type: Types::INT,
            undefined_copies: BTreeSet::new(),
            output: String::new(),
            covered: vec![0; model.properties.len()],
            deadline: Deadline::NEVER,
            ticks: 0,
        }
    }

    /// The memory of the state, to be used again.
    pub(super) fn into_memory(mut self) -> Vec<Cell> {
        self.memory.truncate(self.model.cells as usize);
        self.memory
    }

    pub fn state(&self) -> &[Cell] {
        &self.memory[..self.model.cells as usize]
    }

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
    pub fn poke(&mut self, address: usize, value: Cell) {
        self.memory[address] = value;
    }

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
        if self.ticks.is_multiple_of(4096) && self.deadline.has_passed() {
            return Err(Stop::Deadline);
        }
        Ok(())
    }
}
