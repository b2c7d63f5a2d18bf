//! From the typed model to Cranelift's intermediate code.
//!
//! One function per property and per few rules. Calls are put in where they stand; a reference is a place known when the code is
//! made. The code handles what goes well: at the first sign of anything else (an error, a `put`, a loop without end) it
//! leaves the whole instance to the interpreter, by a jump to [`Emit::redo`].

mod aggregates;
mod arith;
mod calls;
mod cells;
mod control;
mod cost;
mod defined;
mod exprs;
mod known;
mod multisets;
mod numbers;
mod places;
mod properties;
mod routines;
mod rules;
mod start;
mod step;
mod stmts;
mod unit;
mod values;

use burnside_model::code::LocalId;
use cranelift_codegen::ir::{AliasRegionData, Block, MemFlagsData, SigRef, StackSlot, Value};
use cranelift_frontend::{FunctionBuilder, Variable};

pub(crate) use properties::property;
pub(crate) use rules::{fallback, rules};
pub(crate) use start::Signatures;
pub(crate) use unit::Unit;

use numbers::Numbers;
use places::Placed;
use values::{Copied, Val};

/// Why something is left to the interpreter.
#[derive(Debug)]
pub(crate) struct Unsupported(pub String);

pub(crate) type Run<T> = Result<T, Unsupported>;

fn unsupported(what: &str) -> Unsupported {
    Unsupported(what.to_owned())
}

/// The kinds of memory: none overlaps another.
struct Flags {
    state: MemFlagsData,
    /// Stack slots.
    local: MemFlagsData,
    /// What never changes.
    constant: MemFlagsData,
    /// The context.
    context: MemFlagsData,
}

/// Where `return` goes.
#[derive(Clone)]
struct Return {
    exit: Block,
    /// The range of a simple result.
    bounds: (i64, i64),
    simple: Option<Variable>,
    aggregate: Option<Placed>,
}

/// A block that leaves the instances of a rule with these first parameters to the interpreter, still to be filled.
struct Redo {
    block: Block,
    rule: u32,
    args: Vec<values::Val>,
    next: Block,
    /// The function that it calls.
    helper: i64,
}

/// A function in the making.
struct Emit<'e, 'b> {
    /// What all functions share.
    unit: &'e Unit<'e>,
    b: FunctionBuilder<'b>,
    signatures: Signatures<SigRef>,
    flags: Flags,
    /// The context.
    context: Value,
    /// The state before the step.
    source: Value,
    /// The state at hand: the one before, and in a body the one in the making.
    state: Value,
    /// Where to leave the instance to the interpreter.
    redo: Block,
    /// Where a step goes that an assumption in its guard or body excludes.
    excluded: Block,
    /// Whether this is a rule's body.
    in_body: bool,
    /// See [`values`].
    poison: Option<Value>,
    /// The bits of which it is made: none of them is set where it is not.
    suspects: Vec<Value>,
    /// What need not be computed again.
    known: known::Known,
    /// The locals of the body at hand.
    locals: Vec<Option<Placed>>,
    /// Where `return` goes.
    returns: Option<Return>,
    /// The functions inside each other.
    calls: Vec<u32>,
    /// Cells of stack slots so far.
    stack: u32,
    /// Stack slots at hand that are in use, and those that are not, by size.
    used_slots: Vec<(u32, StackSlot)>,
    free_slots: Vec<(u32, StackSlot)>,
    /// Words of the state that the body may write.
    written: Numbers,
    /// Cells that it may write.
    written_cells: Numbers,
    /// Blocks to be filled at the end.
    pending: Vec<Redo>,
}

impl Emit<'_, '_> {
    fn bind_value(&mut self, local: LocalId, value: Val) {
        self.locals[local.0 as usize] = Some(Placed::Value(Copied::Value(value)));
    }

    fn region(&mut self, id: u32) -> MemFlagsData {
        let region =
            self.b.func.dfg.alias_regions.insert(AliasRegionData { user_id: id, description: "".into() });
        MemFlagsData::trusted().with_alias_region(Some(region))
    }
}
