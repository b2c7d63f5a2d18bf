//! Calls: bodies executed where they are called.

use std::rc::Rc;

use burnside_model::code::{Arg, Call, FaultKind, Frame, Types};

use super::{Activation, Address, Run, Runner};
use crate::algebra::Algebra;
use crate::value::Value;

/// Cells of stack beyond which the interpreter refuses calls: nothing that large is encoded.
const MAX_STACK: usize = 1 << 23;

/// A parameter's value.
enum Given<A: Algebra> {
    Value(Value<A>),
    Reference(Rc<Address<A>>),
}

impl<'m, A: Algebra> Runner<'_, 'm, A> {
    /// Calls a function; its result is stored at `result_at`.
    pub fn call(&mut self, frame: &'m Frame, call: &'m Call, result_at: usize) -> Run<(), A> {
        let function = &self.encoding.model.functions[call.function as usize];
        self.tick(call.span)?;
        if self.memory.len() > MAX_STACK {
            return self.refuse("too large a stack", call.span);
        }
        if self.activation.depth >= self.encoding.semantics.call_depth {
            return self.fail(FaultKind::CallDepth, call.span);
        }
        let temporaries = self.memory.len();
        let mut args = Vec::with_capacity(call.args.len());
        for (arg, local) in call.args.iter().zip(&function.frame.locals) {
            args.push(match arg {
                Arg::Value(e) => {
                    let value = self.eval_copy(frame, e)?;
                    Given::Value(self.in_range(local.ty, &value, e.span)?)
                }
                Arg::Reference(place) => Given::Reference(self.address(frame, place)?),
                Arg::Undefined => Given::Value((*self.undefined).clone()),
            });
        }
        let base = self.grow(function.frame.cells as usize);
        for (arg, local) in args.into_iter().zip(&function.frame.locals) {
            let at = base + local.offset as usize;
            match arg {
                Given::Value(value) => self.memory[at] = Some(Rc::new(value)),
                Given::Reference(address) => {
                    self.references.insert(at, address);
                }
            }
        }
        let inner = Activation {
            base,
            depth: self.activation.depth + 1,
            result_at,
            result_type: function.result.unwrap_or(Types::INT),
            within: self.alg.constant(true),
            returned: self.activation.returned.clone(),
            exits: self.alg.constant(false),
        };
        let caller = std::mem::replace(&mut self.activation, inner);
        let ran = self.block(&function.frame, &function.body);
        let ended = self.caught(ran)?;
        let callee = std::mem::replace(&mut self.activation, caller);
        self.memory.truncate(temporaries);
        if ended.is_some() && function.result.is_some() {
            let failed = self.fail(FaultKind::NoReturn, call.span);
            self.caught::<()>(failed)?;
        }
        self.path = self.alg.or(&self.path, &callee.exits)?;
        self.go_on()
    }
    /// At the end of a body: execution goes on where it returned too.
    pub fn returned_too(&mut self) -> Run<(), A> {
        self.path = self.alg.or(&self.path, &self.activation.exits)?;
        Ok(())
    }
}
