//! Compiled models: machine code that computes all steps of a packed state.
//!
//! [`Native`] compiles a model with Cranelift, once; each thread gets a [`Runner`] from it, which is a
//! [`Batcher`](burnside_model::system::Batcher) that gives exactly what the reference interpreter gives. Compiled code
//! only knows the case that all goes well. Any instance of a rule in which something else comes up is run again, from
//! its beginning, by the interpreter: faults, their places and texts, warnings and output are the interpreter's own.
//!
//! A state given to a runner must be reached from the start states, or be like one that is but for a permutation of
//! elements: what has a value in all of those is not checked again (`compile::defined`). Its multisets must be sorted, as
//! they are in all states that come out of a runner.

// Machine code is called and reads and writes raw memory. It is sound because the code is made for the packing at hand:
// every word it touches is inside the states, the buffers and the stack slots given to it, as every index is either known,
// or compared with its bound, or made to be in bounds before it is used; see `compile::places`.
#![allow(unsafe_code)]

mod compile;
mod context;
mod maker;
mod runner;

use std::collections::HashMap;
use std::mem::ManuallyDrop;

use burnside_model::code::Semantics;
use burnside_model::{Model, Packing, Span};
use cranelift_jit::JITModule;
use cranelift_module::FuncId;

use context::{Context, Tables};
pub use runner::Runner;

/// The steps of some rules.
type RuleCode = unsafe extern "C" fn(*mut Context<'_>, *const u64);
/// How a property's condition fares.
type PropertyCode = unsafe extern "C" fn(*mut Context<'_>, *const u64) -> i64;

/// A compiled model, for all threads.
pub struct Native {
    model: Model,
    semantics: Semantics,
    tables: Box<Tables>,
    /// The functions of all rules, in their order.
    rules: Vec<RuleCode>,
    /// One per property, if it was compiled.
    properties: Vec<Option<PropertyCode>>,
    /// The places where an undefined value may be copied or compared, with their numbers.
    sites: HashMap<Span, u32>,
    /// For how many steps there must be room before the code of rules runs.
    most_steps: usize,
    fallbacks: Vec<(String, String)>,
    /// Owns what the functions above point to.
    _code: Code,
}

/// The memory of the machine code.
struct Code(ManuallyDrop<JITModule>);

// SAFETY: after compilation the module is not used until it is dropped; the code itself never changes.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: whoever runs the code borrows the `Native` that owns it.
        unsafe { ManuallyDrop::take(&mut self.0).free_memory() }
    }
}

impl Native {
    pub fn new(model: &Model, packing: &Packing, semantics: Semantics) -> Result<Native, String> {
        let tables = Box::new(Tables::new(model, packing));
        let made = maker::make(model, packing, semantics, &tables)?;
        let address = |id: FuncId| made.module.get_finalized_function(id);
        let rules = made
            .rules
            .into_iter()
            // SAFETY: the functions were made with this signature.
            .map(|id| unsafe { std::mem::transmute::<*const u8, RuleCode>(address(id)) })
            .collect();
        let properties = made
            .properties
            .into_iter()
            // SAFETY: as above.
            .map(|id| id.map(|id| unsafe { std::mem::transmute::<*const u8, PropertyCode>(address(id)) }))
            .collect();
        Ok(Native {
            model: model.clone(),
            semantics,
            tables,
            rules,
            properties,
            sites: made.sites,
            most_steps: made.most_steps,
            fallbacks: made.fallbacks,
            _code: Code(ManuallyDrop::new(made.module)),
        })
    }

    /// Steps and properties, for one thread.
    pub fn runner(&self) -> Runner<'_> {
        Runner::new(self)
    }

    /// The rules and properties that are left to the interpreter, and why.
    pub fn fallbacks(&self) -> Vec<(String, String)> {
        self.fallbacks.clone()
    }
}
