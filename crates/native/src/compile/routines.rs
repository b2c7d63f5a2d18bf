//! Functions of the model that become functions of their own: those that call themselves, and in a model that would be very
//! large with all calls put in, the larger ones.
//!
//! A routine is made for a shape of arguments: which cells of the state its references begin at is known, and only indices
//! that are not known, simple values and addresses on the stack are passed. It returns whether all went well, and a
//! simple result.

use burnside_model::code::Function as Source;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, StackSlot, UserFuncName, Value, types};
use cranelift_frontend::{FunctionBuilderContext, Variable};
use cranelift_module::{FuncId, Module};

use super::numbers::Numbers;
use super::places::{Addr, Base, Placed, Term};
use super::values::{Cond, Copied, Val};
use super::{Emit, Return, Run, Unsupported};
use crate::compile::Signatures;
use crate::context::offset;

/// What is known of an argument.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// A place in the state: its first cell, and stride and count of indices that are passed.
    State(i64, Vec<(i64, i64)>),
    /// A place on the stack, whose address is passed.
    Stack,
    /// A value that is passed; whether it is defined.
    Value(bool),
}

/// What a routine is made for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    function: u32,
    args: Vec<Shape>,
    aggregate: bool,
    in_body: bool,
}

pub(crate) struct Routine {
    id: FuncId,
    /// Why it could not be made.
    failed: Option<String>,
    written: Numbers,
    written_cells: Numbers,
}

/// How a routine ended.
const WELL: i64 = 0;
const REDO: i64 = 1;
const EXCLUDED: i64 = 2;

/// Recursive calls inside each other before the instance is left to the interpreter, and their bytes of stack.
const MAX_DEPTH: i64 = 100;
const MAX_BYTES: i64 = 1 << 18;

impl Emit<'_, '_> {
    /// Calls a routine, if the function is one and can be called so.
    pub fn call_routine(
        &mut self,
        function: u32,
        locals: &[Option<Placed>],
        simple: Option<Variable>,
        aggregate: Option<&Placed>,
    ) -> Run<bool> {
        let unit = self.unit;
        if !unit.outlined[function as usize] {
            return Ok(false);
        }
        let source = &unit.model.functions[function as usize];
        let mark = self.used_slots.len();
        let mut spilled = Vec::new();
        let mut values = vec![self.context, self.state];
        let mut args = Vec::new();
        let params = &locals[..source.params as usize];
        for place in params.iter().map(Option::as_ref).chain([aggregate]).flatten() {
            args.push(match place {
                Placed::State(addr) => {
                    values.extend(addr.terms.iter().map(|term| term.index));
                    Shape::State(addr.cell, addr.terms.iter().map(|term| (term.stride, term.count)).collect())
                }
                Placed::Local(base, addr) => {
                    values.push(self.local_address(*base, addr));
                    Shape::Stack
                }
                Placed::Value(copied) => {
                    values.push(self.cell(*copied));
                    Shape::Value(matches!(copied, Copied::Value(_)))
                }
                Placed::Variable(variable) => {
                    let slot = self.spill(*variable, &mut spilled)?;
                    values.push(self.b.ins().stack_addr(types::I64, slot, 0));
                    Shape::Stack
                }
            });
        }
        let key = Key { function, args, aggregate: aggregate.is_some(), in_body: self.in_body };
        if !unit.routines.borrow().contains_key(&key) {
            self.make_routine(&key, source, values.len())?;
        }
        let routines = unit.routines.borrow();
        let Some(routine) = routines.get(&key) else { return Ok(false) };
        if let Some(why) = &routine.failed {
            return Err(Unsupported(why.clone()));
        }
        self.written.unite(&routine.written);
        self.written_cells.unite(&routine.written_cells);
        self.enter(function, true);
        let callee = unit.module.borrow_mut().declare_func_in_func(routine.id, self.b.func);
        let call = self.b.ins().call(callee, &values);
        self.forget_words();
        let (status, value) = (self.b.inst_results(call)[0], self.b.inst_results(call)[1]);
        let next = self.b.create_block();
        let skipped = self.compare_imm(IntCC::Equal, status, EXCLUDED);
        self.b.ins().brif(skipped, self.excluded, &[], next, &[]);
        self.b.switch_to_block(next);
        let bad = self.compare_imm(IntCC::NotEqual, status, WELL);
        self.poison_if(Cond::Is(bad));
        self.settle();
        self.enter(function, false);
        for (variable, slot) in spilled {
            let value = self.b.ins().stack_load(types::I64, types::I64, slot, 0);
            self.b.def_var(variable, value);
        }
        self.release_slots(mark);
        if let Some(variable) = simple {
            self.b.def_var(variable, value);
        }
        Ok(true)
    }

    /// Puts a simple local on the stack, so that it can be passed by reference; it is read back after the call.
    fn spill(&mut self, variable: Variable, spilled: &mut Vec<(Variable, StackSlot)>) -> Run<StackSlot> {
        if let Some((_, slot)) = spilled.iter().find(|(other, _)| *other == variable) {
            return Ok(*slot);
        }
        let slot = self.undefined_slot(1)?;
        let value = self.b.use_var(variable);
        self.b.ins().stack_store(types::I64, value, slot, 0);
        spilled.push((variable, slot));
        Ok(slot)
    }

    /// Counts a recursive call, or its end.
    fn enter(&mut self, function: u32, begin: bool) {
        if !self.unit.recursive[function as usize] {
            return;
        }
        let depth = self.b.ins().load(types::I64, self.flags.context, self.context, offset::DEPTH);
        let depth = self.b.ins().iadd_imm_s(depth, if begin { 1 } else { -1 });
        self.b.ins().store(self.flags.context, depth, self.context, offset::DEPTH);
        if begin {
            let model = self.unit.model;
            let cells = i64::from(model.functions[function as usize].frame.cells);
            // There may be calls of all other functions between two of this one.
            let limit =
                i64::from(self.unit.semantics.call_depth).min(MAX_DEPTH) / model.functions.len() as i64;
            let limit = limit.min(MAX_BYTES / (cells * 16 + 512));
            let deep = self.compare_imm(IntCC::SignedGreaterThan, depth, limit);
            self.poison_if(Cond::Is(deep));
            self.settle();
        }
    }

    /// Makes a routine; `params` is the number of words passed to it.
    fn make_routine(&mut self, key: &Key, source: &Source, params: usize) -> Run<()> {
        let unit = self.unit;
        let convention = unit.module.borrow().isa().default_call_conv();
        let mut signature = Signature::new(convention);
        signature.params = vec![AbiParam::new(types::I64); params];
        signature.returns = vec![AbiParam::new(types::I64); 2];
        let id = unit.module.borrow_mut().declare_anonymous_function(&signature);
        let id = id.map_err(|error| Unsupported(error.to_string()))?;
        let mut context = unit.module.borrow().make_context();
        context.func.signature = signature;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let (written, written_cells) = (Numbers::default(), Numbers::default());
        let routine = Routine { id, failed: None, written, written_cells };
        unit.routines.borrow_mut().insert(key.clone(), routine);
        let mut memory = FunctionBuilderContext::new();
        let signatures = Signatures::new(convention);
        let mut emit = super::start::start(unit, &signatures, &mut context.func, &mut memory);
        let made = emit.routine(key, source);
        let (written, written_cells) =
            (std::mem::take(&mut emit.written), std::mem::take(&mut emit.written_cells));
        if made.is_ok() {
            emit.b.seal_all_blocks();
            emit.b.finalize(unit.target);
        }
        if let Some(routine) = unit.routines.borrow_mut().get_mut(key) {
            routine.failed = made.as_ref().err().map(|Unsupported(why)| why.clone());
            (routine.written, routine.written_cells) = (written, written_cells);
        }
        made?;
        unit.finished.borrow_mut().push((id, context));
        Ok(())
    }

    /// The code of a routine.
    fn routine(&mut self, key: &Key, source: &Source) -> Run<()> {
        let params = self.b.current_block().map(|entry| self.b.block_params(entry).to_vec());
        let params = params.unwrap_or_default();
        let mut words = params[2..].iter().copied();
        let mut word = || words.next().unwrap_or(params[0]);
        let mut places: Vec<_> = key
            .args
            .iter()
            .enumerate()
            .map(|(i, shape)| {
                let ty = source.frame.locals.get(i).map(|local| local.ty);
                Some(unpack(shape, ty.map_or((0, 0), |ty| self.unit.model.types.bounds(ty)), &mut word))
            })
            .collect();
        let aggregate = if key.aggregate { places.pop().flatten() } else { None };
        places.resize(source.frame.locals.len(), None);
        self.locals = places;
        self.calls.push(key.function);
        self.in_body = key.in_body;
        if key.in_body {
            self.flags.state = self.region(3);
        }
        let (redo, excluded, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(redo);
        self.redo = redo;
        self.excluded = excluded;
        let result = self.b.declare_var(types::I64);
        let nothing = self.iconst(0);
        self.b.def_var(result, nothing);
        self.returns =
            Some(Return { exit, bounds: self.unit.result_bounds(source), simple: Some(result), aggregate });
        self.declare_locals(&source.frame)?;
        self.block(&source.body)?;
        self.settle();
        self.b.ins().jump(if source.result.is_some() { redo } else { exit }, &[]);
        self.b.switch_to_block(exit);
        let value = self.b.use_var(result);
        self.end(WELL, value);
        for (block, status) in [(redo, REDO), (excluded, EXCLUDED)] {
            self.b.switch_to_block(block);
            let none = self.iconst(0);
            self.end(status, none);
        }
        Ok(())
    }

    fn end(&mut self, status: i64, value: Value) {
        let status = self.iconst(status);
        self.b.ins().return_(&[status, value]);
    }
}

/// The place that an argument stands for.
fn unpack(shape: &Shape, (lo, hi): (i64, i64), word: &mut dyn FnMut() -> Value) -> Placed {
    match shape {
        Shape::State(cell, terms) => {
            let terms =
                terms.iter().map(|(stride, count)| Term { index: word(), stride: *stride, count: *count });
            Placed::State(Addr { cell: *cell, terms: terms.collect(), element: *cell })
        }
        Shape::Stack => Placed::Local(Base::Pointer(word()), Addr::default()),
        // Its range was checked by the caller.
        Shape::Value(true) => {
            Placed::Value(Copied::Value(Val { exact: true, ..Val::register(word(), lo, hi) }))
        }
        Shape::Value(false) => Placed::Value(Copied::Cell { value: word(), lo, hi }),
    }
}
