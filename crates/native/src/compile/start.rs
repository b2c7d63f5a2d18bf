//! How a function begins, and how it calls back.

use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlagsData, SigRef, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::known::Known;
use super::numbers::Numbers;
use super::{Emit, Flags, Unit};

/// The signatures of helpers: a context and so many words, to nothing or a word.
#[derive(Clone)]
pub(crate) struct Signatures<T> {
    pub none: T,
    pub one: T,
    pub two: T,
    pub three: T,
    pub none_to_one: T,
    pub one_to_one: T,
    pub three_to_one: T,
}

impl Signatures<Signature> {
    pub fn new(convention: CallConv) -> Self {
        let make = |params: usize, returns: usize| {
            let mut signature = Signature::new(convention);
            signature.params = vec![AbiParam::new(types::I64); params + 1];
            signature.returns = vec![AbiParam::new(types::I64); returns];
            signature
        };
        Signatures {
            none: make(0, 0),
            one: make(1, 0),
            two: make(2, 0),
            three: make(3, 0),
            none_to_one: make(0, 1),
            one_to_one: make(1, 1),
            three_to_one: make(3, 1),
        }
    }

    fn import(&self, b: &mut FunctionBuilder<'_>) -> Signatures<SigRef> {
        Signatures {
            none: b.import_signature(self.none.clone()),
            one: b.import_signature(self.one.clone()),
            two: b.import_signature(self.two.clone()),
            three: b.import_signature(self.three.clone()),
            none_to_one: b.import_signature(self.none_to_one.clone()),
            one_to_one: b.import_signature(self.one_to_one.clone()),
            three_to_one: b.import_signature(self.three_to_one.clone()),
        }
    }
}

/// Starts a function of a context and a state.
pub(super) fn start<'e, 'b>(
    unit: &'e Unit<'e>,
    signatures: &Signatures<Signature>,
    function: &'b mut Function,
    memory: &'b mut FunctionBuilderContext,
) -> Emit<'e, 'b> {
    let mut b = FunctionBuilder::new(function, memory);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    b.ensure_inserted_block();
    let (context, source) = (b.block_params(entry)[0], b.block_params(entry)[1]);
    let signatures = signatures.import(&mut b);
    let plain = MemFlagsData::trusted();
    let flags = Flags { state: plain, local: plain, constant: plain, context: plain };
    let mut emit = Emit {
        unit,
        b,
        signatures,
        flags,
        context,
        source,
        state: source,
        redo: entry,
        excluded: entry,
        in_body: false,
        poison: None,
        suspects: Vec::new(),
        known: Known::default(),
        locals: Vec::new(),
        returns: None,
        calls: Vec::new(),
        stack: 0,
        used_slots: Vec::new(),
        free_slots: Vec::new(),
        written: Numbers::default(),
        written_cells: Numbers::default(),
        pending: Vec::new(),
    };
    emit.flags.constant = emit.region(0).with_readonly().with_can_move();
    emit.flags.context = emit.region(1);
    emit.flags.local = emit.region(2);
    emit.flags.state = emit.flags.constant;
    emit
}

impl Emit<'_, '_> {
    /// Calls a function of [`context`].
    pub fn call_helper(&mut self, signature: SigRef, address: i64, args: &[Value]) -> Option<Value> {
        let callee = self.iconst(address);
        let mut all = vec![self.context];
        all.extend_from_slice(args);
        let call = self.b.ins().call_indirect(signature, callee, &all);
        self.b.inst_results(call).first().copied()
    }
}
