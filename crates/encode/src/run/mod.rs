//! Symbolic execution: what the reference interpreter does on one state, on all states at once.
//!
//! One memory holds the state (from address 0) and, behind it, a stack of frames, as in the interpreter; a cell holds a
//! [`Value`], which is a function of the state's bits. `path` says in which states execution gets to where it is: an
//! error takes states out of it, so that the first one counts. A condition splits execution in two, which join again
//! with the memory of either ([`branch`]). What memory holds outside the path does not matter, with one exception: what
//! was written before a `return`, which `returned` protects.

mod aggregates;
mod binders;
mod branch;
mod calls;
mod exprs;
mod loops;
mod memory;
mod multisets;
mod numbers;
mod places;
mod stmts;
mod unions;

use std::collections::HashMap;
use std::rc::Rc;

use burnside_model::Span;
use burnside_model::code::{Cell, FaultKind, Frame, LocalId, TypeId, Types};

use crate::algebra::{Algebra, EncodeError, Refusal};
use crate::encoding::Encoding;
use crate::value::Value;

/// Why execution ended early.
pub(crate) enum Halt<E> {
    /// There is no encoding.
    Error(EncodeError<E>),
    /// No state gets here.
    Dead,
}

impl<E> From<E> for Halt<E> {
    fn from(error: E) -> Self {
        Halt::Error(EncodeError::Algebra(error))
    }
}

pub(crate) type Run<T, A> = Result<T, Halt<<A as Algebra>::Error>>;

/// Where something goes wrong, and in which states.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultCase<F> {
    /// The states.
    pub condition: F,
    pub kind: FaultKind,
    /// The statement or expression, as [`burnside_model::code::Fault::span`].
    pub span: Span,
    /// Whether the guard, or what surrounds the rule, cannot be evaluated: then the rule does not fire.
    pub in_guard: bool,
    /// How many of the rule's parameters had values by then.
    pub args: usize,
}

/// Addresses, each with the states in which it is the one; one of them is.
pub(crate) type Address<A> = Vec<(usize, <A as Algebra>::F)>;

/// The body that runs.
pub(crate) struct Activation<F> {
    /// First cell of its frame.
    base: usize,
    /// Calls inside each other.
    depth: u32,
    /// Where its result goes.
    result_at: usize,
    result_type: TypeId,
    /// The conditions taken since it began.
    within: F,
    /// In which states it, or what called it, has returned.
    returned: F,
    /// In which states it returned and execution goes on.
    exits: F,
}

/// Executes code of a model on all states.
pub(crate) struct Runner<'r, 'm, A: Algebra> {
    pub encoding: &'r Encoding<'m>,
    pub alg: &'r mut A,
    /// The state, and the stack behind it; none for a cell of the state that was not looked at yet.
    memory: Vec<Option<Rc<Value<A>>>>,
    /// What cells of the state hold before anything is executed, those that were looked at.
    pub decoded: Vec<Option<Rc<Value<A>>>>,
    /// What locals stand for that are references, by their address.
    references: HashMap<usize, Rc<Address<A>>>,
    /// What was overwritten, in order.
    journal: Vec<(usize, Option<Rc<Value<A>>>)>,
    /// In which states execution is here.
    pub path: A::F,
    /// In which states an assumption ended it.
    pub excluded: A::F,
    activation: Activation<A::F>,
    /// What went wrong so far.
    pub faults: Vec<FaultCase<A::F>>,
    /// In which states cover statements held, by property.
    pub covers: Vec<(u32, A::F)>,
    /// Whether it is still the guard, and how many parameters have values: for faults.
    pub in_guard: bool,
    pub args: usize,
    undefined: Rc<Value<A>>,
    steps_left: u64,
}

impl<'r, 'm, A: Algebra> Runner<'r, 'm, A> {
    /// Starts in all states, with nothing executed. Gives up after so many steps.
    pub fn new(encoding: &'r Encoding<'m>, alg: &'r mut A, steps: u64) -> Self {
        let (yes, no) = (alg.constant(true), alg.constant(false));
        let undefined = Rc::new(Value::undefined(alg));
        let activation = Activation {
            base: 0,
            depth: 0,
            result_at: 0,
            result_type: Types::INT,
            within: yes.clone(),
            returned: no.clone(),
            exits: no.clone(),
        };
        Runner {
            encoding,
            alg,
            memory: vec![None; encoding.cells().len()],
            decoded: vec![None; encoding.cells().len()],
            references: HashMap::new(),
            journal: Vec::new(),
            path: yes,
            excluded: no,
            activation,
            faults: Vec::new(),
            covers: Vec::new(),
            in_guard: false,
            args: 0,
            undefined,
            steps_left: steps,
        }
    }

    fn types(&self) -> &'m Types {
        &self.encoding.model.types
    }

    /// Starts a body with this frame; all locals are undefined.
    pub fn enter(&mut self, frame: &Frame) {
        let base = self.encoding.cells().len();
        self.memory.truncate(base);
        self.grow(frame.cells as usize);
        self.activation.base = base;
        self.activation.depth = 0;
        self.activation.within = self.alg.constant(true);
        self.activation.returned = self.alg.constant(false);
        self.activation.exits = self.alg.constant(false);
    }

    /// Sets a loop's variable or a parameter: it is set anew before anything reads it, so no branch needs to undo it.
    pub fn set_local(&mut self, frame: &Frame, local: LocalId, value: Value<A>) {
        let address = self.activation.base + frame[local].offset as usize;
        self.memory[address] = Some(Rc::new(value));
    }

    pub fn set_constant(&mut self, frame: &Frame, local: LocalId, value: Cell) {
        let value = Value::constant(self.alg, value);
        self.set_local(frame, local, value);
    }

    /// Where the condition holds, something goes wrong.
    pub fn fail_if(&mut self, bad: &A::F, kind: FaultKind, span: Span) -> Run<(), A> {
        let Some(condition) = self.leave_if(bad)? else { return Ok(()) };
        let (in_guard, args) = (self.in_guard, self.args);
        let like =
            |f: &&mut FaultCase<A::F>| (f.kind, f.span, f.in_guard, f.args) == (kind, span, in_guard, args);
        match self.faults.iter_mut().find(like) {
            Some(fault) => fault.condition = self.alg.or(&fault.condition, &condition)?,
            None => self.faults.push(FaultCase { condition, kind, span, in_guard, args }),
        }
        self.go_on()
    }

    /// Something goes wrong.
    pub fn fail<T>(&mut self, kind: FaultKind, span: Span) -> Run<T, A> {
        let always = self.alg.constant(true);
        self.fail_if(&always, kind, span)?;
        Err(Halt::Dead)
    }

    /// Where the condition holds, the step is none.
    pub fn exclude_if(&mut self, bad: &A::F) -> Run<(), A> {
        if let Some(condition) = self.leave_if(bad)? {
            self.excluded = self.alg.or(&self.excluded, &condition)?;
        }
        self.go_on()
    }

    /// Takes states out of the path: those in which the condition holds, if there are any.
    fn leave_if(&mut self, bad: &A::F) -> Run<Option<A::F>, A> {
        if self.alg.is_false(bad) {
            return Ok(None);
        }
        let condition = self.alg.and(&self.path, bad)?;
        if self.alg.is_false(&condition) {
            return if self.alg.is_true(bad) { Err(Halt::Dead) } else { Ok(None) };
        }
        let good = self.alg.not(bad)?;
        self.path = self.alg.and(&self.path, &good)?;
        Ok(Some(condition))
    }

    /// Ends execution here if no state gets here.
    pub fn go_on(&mut self) -> Run<(), A> {
        if self.alg.is_false(&self.path) { Err(Halt::Dead) } else { Ok(()) }
    }

    /// What an execution gave; none if no state gets to its end.
    pub fn caught<T>(&mut self, ran: Run<T, A>) -> Run<Option<T>, A> {
        match ran {
            Ok(value) => Ok(Some(value)),
            Err(Halt::Dead) => {
                self.path = self.alg.constant(false);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Counts a step.
    fn tick(&mut self, span: Span) -> Run<(), A> {
        match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => self.refuse("too many steps to follow for all states at once", span),
        }
    }

    fn refuse<T>(&self, reason: &str, span: Span) -> Run<T, A> {
        Err(Halt::Error(EncodeError::Refused(Refusal { reason: reason.to_owned(), span: Some(span) })))
    }
}
