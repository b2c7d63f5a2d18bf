//! Calls: the body is put in where the call stands, its parameters bound to values and places.

use burnside_model::code::*;
use cranelift_codegen::ir::{InstBuilder, types};

use super::places::{Addr, Base, Placed};
use super::values::{Copied, Val};
use super::{Emit, Return, Run};

impl Emit<'_, '_> {
    /// A call with a simple result.
    pub fn call_simple(&mut self, call: &Call, (lo, hi): (i64, i64)) -> Run<Copied> {
        let result = self.b.declare_var(types::I64);
        let nothing = self.iconst(UNDEFINED);
        self.b.def_var(result, nothing);
        self.call(call, Some(result), None)?;
        let value = self.b.use_var(result);
        if self.unit.returns_undefined[call.function as usize] {
            return Ok(Copied::Cell { value, lo, hi });
        }
        Ok(Copied::Value(Val::register(value, lo, hi)))
    }

    /// A call with an aggregate result, in a stack slot.
    pub fn call_aggregate(&mut self, call: &Call) -> Run<Placed> {
        let function = &self.unit.model.functions[call.function as usize];
        let ty = function.result.unwrap_or(Types::BOOL);
        let slot = self.undefined_slot(self.unit.model.types[ty].cells)?;
        let place = Placed::Local(Base::Slot(slot), Addr::default());
        self.call(call, None, Some(place.clone()))?;
        Ok(place)
    }

    /// A call; its result goes where the caller says.
    pub fn call(
        &mut self,
        call: &Call,
        simple: Option<cranelift_frontend::Variable>,
        aggregate: Option<Placed>,
    ) -> Run<()> {
        let function = &self.unit.model.functions[call.function as usize];
        if self.calls.len() as u32 >= self.unit.semantics.call_depth {
            self.give_up();
        }
        let mut locals = vec![None; function.frame.locals.len()];
        for ((arg, local), bound) in call.args.iter().zip(&function.frame.locals).zip(&mut locals) {
            *bound = Some(match arg {
                Arg::Value(e) => {
                    let value = self.eval_copy(e)?;
                    let bounds = self.unit.model.types.bounds(local.ty);
                    self.check_range(value, bounds);
                    Placed::Value(narrowed(value, bounds))
                }
                Arg::Reference(place) => self.place(place)?,
                Arg::Undefined => Placed::Value(Copied::Undefined),
            });
        }
        self.settle();
        if self.call_routine(call.function, &locals, simple, aggregate.as_ref())? {
            return Ok(());
        }
        let mark = self.used_slots.len();
        let exit = self.b.create_block();
        let bounds = self.unit.result_bounds(function);
        let caller = std::mem::replace(&mut self.locals, locals);
        let returns = self.returns.replace(Return { exit, bounds, simple, aggregate });
        self.calls.push(call.function);
        self.apart(|this| {
            this.declare_locals(&function.frame)?;
            this.block(&function.body)?;
            this.settle();
            // The end without `return`.
            let end = if function.result.is_some() { this.redo } else { exit };
            this.b.ins().jump(end, &[]);
            Ok(())
        })?;
        self.b.switch_to_block(exit);
        self.release_slots(mark);
        self.calls.pop();
        self.returns = returns;
        self.locals = caller;
        Ok(())
    }

    /// Makes the locals that are not parameters, all undefined.
    pub fn declare_locals(&mut self, frame: &Frame) -> Run<()> {
        for (i, local) in frame.locals.iter().enumerate() {
            if self.locals[i].is_some() || local.storage == Storage::Reference {
                continue;
            }
            self.locals[i] = Some(if self.unit.model.types.is_simple(local.ty) {
                let variable = self.b.declare_var(types::I64);
                let nothing = self.iconst(UNDEFINED);
                self.b.def_var(variable, nothing);
                Placed::Variable(variable)
            } else {
                let slot = self.undefined_slot(self.unit.model.types[local.ty].cells)?;
                Placed::Local(Base::Slot(slot), Addr::default())
            });
        }
        Ok(())
    }
}

/// What is known after a check of the range.
fn narrowed(value: Copied, (lo, hi): (i64, i64)) -> Copied {
    match value {
        Copied::Value(val) if !val.within((lo, hi)) => {
            Copied::Value(Val { lo: val.lo.max(lo), hi: val.hi.min(hi), exact: false, ..val })
        }
        Copied::Cell { value, lo: l, hi: h } => Copied::Cell { value, lo: l.max(lo), hi: h.min(hi) },
        other => other,
    }
}
