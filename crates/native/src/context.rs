//! What compiled code and Rust share while the steps of one state are computed.
//!
//! Compiled code writes finished states, their rules and whether they stutter at the end of three buffers, and calls the
//! functions here for all that is rare.

use burnside_model::code::{Cell, TypeId, TypeKind, Types, normalise};
use burnside_model::{Deadline, Model, PackedMultiset, Packing};

/// The record that compiled code is given; the order of the first fields is known to it ([`offset`]).
#[repr(C)]
pub(crate) struct Context<'r> {
    /// Where the next state goes.
    pub out: *mut u64,
    /// How many states there are.
    pub count: u64,
    /// For how many there is room.
    pub capacity: u64,
    /// The rule of each state.
    pub rules: *mut u32,
    /// Whether each state is the one the step came from.
    pub stutters: *mut bool,
    /// Where the parameters of an instance go that is to be run again.
    pub args: *mut i64,
    /// Per place in the source: whether an undefined value was copied there.
    pub sites: *mut u8,
    /// How many more iterations of loops there may be before instances are left to the interpreter.
    pub fuel: i64,
    /// How many recursive calls are inside each other.
    pub depth: i64,
    /// How many more instances of rolled rulesets until the deadline is looked at.
    pub ticks: i64,
    /// The rest, for the functions below.
    pub side: &'r mut Side,
    /// The buffers.
    pub batch: &'r mut burnside_model::system::Batch,
    /// What is the same for all states.
    pub tables: &'r Tables,
}

/// Offsets of fields in [`Context`].
pub(crate) mod offset {
    use super::Context;
    use std::mem::offset_of;

    pub const OUT: i32 = offset_of!(Context<'static>, out) as i32;
    pub const COUNT: i32 = offset_of!(Context<'static>, count) as i32;
    pub const CAPACITY: i32 = offset_of!(Context<'static>, capacity) as i32;
    pub const RULES: i32 = offset_of!(Context<'static>, rules) as i32;
    pub const STUTTERS: i32 = offset_of!(Context<'static>, stutters) as i32;
    pub const ARGS: i32 = offset_of!(Context<'static>, args) as i32;
    pub const SITES: i32 = offset_of!(Context<'static>, sites) as i32;
    pub const FUEL: i32 = offset_of!(Context<'static>, fuel) as i32;
    pub const DEPTH: i32 = offset_of!(Context<'static>, depth) as i32;
    pub const TICKS: i32 = offset_of!(Context<'static>, ticks) as i32;
}

/// Iterations of loops at one state before instances are left to the interpreter.
const FUEL: i64 = 1 << 22;

/// Instances of rolled rulesets between two looks at the clock.
pub(crate) const TICKS: i64 = 1 << 14;

/// What belongs to one thread besides the batch.
#[derive(Default)]
pub(crate) struct Side {
    /// Instances for the interpreter, in order.
    pub redo: Vec<Redo>,
    /// Room for the parameters of an instance.
    pub args: Vec<i64>,
    /// See [`Context::sites`].
    pub sites: Vec<u8>,
    /// How often each cover statement held, by property.
    pub covered: Vec<u64>,
    /// The cover statements that held in the instance at hand, which may yet be run again.
    pub covered_now: Vec<u32>,
    pub deadline: Deadline,
    /// Whether it has passed.
    pub late: bool,
}

impl Side {
    /// The instance that ran last stays.
    pub fn settle(&mut self) {
        for property in self.covered_now.drain(..) {
            self.covered[property as usize] += 1;
        }
    }
}

/// Instances to be run by the interpreter, and where their outcome belongs.
pub(crate) struct Redo {
    pub rule: u32,
    /// The values of its (first) parameters.
    pub args: Vec<Cell>,
    /// How many states come before.
    pub states: usize,
    /// How many dropped steps come before.
    pub dropped: usize,
}

/// What compiled code needs besides code.
pub(crate) struct Tables {
    /// Per cell, its lowest bit, counted through all words.
    pub cells: Box<[u64]>,
    /// The multisets of each global.
    pub multisets: Vec<Vec<PackedMultiset>>,
    pub types: Types,
    pub packing: Packing,
}

impl Tables {
    pub fn new(model: &Model, packing: &Packing) -> Self {
        let cells = packing.cells().iter().map(|cell| u64::from(cell.word) * 64 + u64::from(cell.shift));
        let multisets = model.globals.iter().map(|global| {
            let mut found = Vec::new();
            multisets(&model.types, packing, global.ty, global.offset as usize, &mut found);
            found
        });
        Tables {
            cells: cells.collect(),
            multisets: multisets.collect(),
            types: model.types.clone(),
            packing: packing.clone(),
        }
    }
}

/// Adds the multisets in a value that begins at a cell.
pub(crate) fn multisets(
    types: &Types,
    packing: &Packing,
    ty: TypeId,
    cell: usize,
    found: &mut Vec<PackedMultiset>,
) {
    if !types[ty].has_multiset {
        return;
    }
    match &types[ty].kind {
        TypeKind::Array { index, element } => {
            for i in 0..types.size(*index) as usize {
                multisets(types, packing, *element, cell + i * types[*element].cells as usize, found);
            }
        }
        TypeKind::Record(fields) => {
            for field in fields {
                multisets(types, packing, field.ty, cell + field.offset as usize, found);
            }
        }
        TypeKind::Multiset { capacity, element } => {
            let stride = types[*element].cells as usize + 1;
            found.push(PackedMultiset::new(packing, cell, *capacity as usize, stride));
        }
        _ => {}
    }
}

impl<'r> Context<'r> {
    /// A context whose buffers are those of the batch; no room in them yet.
    #[inline]
    pub fn new(tables: &'r Tables, side: &'r mut Side, batch: &'r mut burnside_model::system::Batch) -> Self {
        Context {
            out: std::ptr::null_mut(),
            count: batch.rules.len() as u64,
            capacity: 0,
            rules: std::ptr::null_mut(),
            stutters: std::ptr::null_mut(),
            args: side.args.as_mut_ptr(),
            sites: side.sites.as_mut_ptr(),
            fuel: FUEL,
            depth: 0,
            ticks: TICKS,
            side,
            batch,
            tables,
        }
    }

    /// What compiled code wrote belongs to the batch.
    #[inline]
    pub fn finish(&mut self) {
        let words = self.tables.packing.words();
        let count = self.count as usize;
        // SAFETY: compiled code has written that many states, rules and flags, in the capacity of the vectors.
        unsafe {
            self.batch.states.set_len(count * words);
            self.batch.rules.set_len(count);
            self.batch.stutters.set_len(count);
        }
    }

    /// Makes room for at least so many more states, and for all that the buffers can hold anyway.
    #[inline]
    pub fn reserve(&mut self, least: usize) {
        let words = self.tables.packing.words();
        let count = self.count as usize;
        self.batch.rules.reserve(least);
        self.batch.stutters.reserve(least);
        let room = self.batch.rules.capacity().min(self.batch.stutters.capacity());
        self.batch.states.reserve((room - count) * words);
        self.capacity = room as u64;
        self.out = self.batch.states.as_mut_ptr().wrapping_add(count * words);
        self.rules = self.batch.rules.as_mut_ptr();
        self.stutters = self.batch.stutters.as_mut_ptr();
    }
}

/// The buffers are full.
pub(crate) extern "C" fn grow(context: &mut Context<'_>) {
    context.finish();
    let count = context.count as usize;
    context.reserve(count.max(16));
}

/// This instance is for the interpreter, after part of its body ran: what it covered will be covered again.
pub(crate) extern "C" fn redo_body(context: &mut Context<'_>, rule: u64, args: u64) {
    context.side.covered_now.clear();
    redo(context, rule, args);
}

/// This instance is for the interpreter: its parameters are in `args`.
pub(crate) extern "C" fn redo(context: &mut Context<'_>, rule: u64, args: u64) {
    let side = &mut *context.side;
    side.settle();
    side.redo.push(Redo {
        rule: rule as u32,
        args: side.args[..args as usize].to_vec(),
        states: context.count as usize,
        dropped: context.batch.dropped.len(),
    });
}

/// A step leads to a state that an assumption excludes.
pub(crate) extern "C" fn dropped(context: &mut Context<'_>, rule: u64) {
    context.batch.dropped.push(rule as u32);
}

/// A cover statement held.
pub(crate) extern "C" fn cover(context: &mut Context<'_>, property: u64) {
    context.side.covered_now.push(property as u32);
}

/// An instance with cover statements begins.
pub(crate) extern "C" fn settle(context: &mut Context<'_>) {
    context.side.settle();
}

/// Whether the deadline has passed.
pub(crate) extern "C" fn late(context: &mut Context<'_>) -> u64 {
    context.ticks = TICKS;
    context.side.late |= context.side.deadline.has_passed();
    u64::from(context.side.late)
}

/// Sorts the slots of all multisets of a global, in the state at `words` that a step from `source` leads to.
pub(crate) extern "C" fn sort(context: &mut Context<'_>, words: *mut u64, source: *const u64, global: u64) {
    let tables = context.tables;
    let count = tables.packing.words();
    // SAFETY: compiled code passes the state it builds and the one it comes from, which have that many words and do not
    // overlap.
    let (words, source) =
        unsafe { (std::slice::from_raw_parts_mut(words, count), std::slice::from_raw_parts(source, count)) };
    for set in &tables.multisets[global as usize] {
        set.sort_after(&tables.packing, source, words);
    }
}

/// Whether two values with multisets inside, each in cells of its own that may be sorted, are the same.
pub(crate) extern "C" fn same(context: &mut Context<'_>, ty: u64, a: *mut i64, b: *mut i64) -> u64 {
    let types = &context.tables.types;
    let ty = TypeId(ty as u32);
    let cells = types[ty].cells as usize;
    // SAFETY: compiled code passes two distinct stack slots of that many cells.
    let (a, b) =
        unsafe { (std::slice::from_raw_parts_mut(a, cells), std::slice::from_raw_parts_mut(b, cells)) };
    normalise(types, ty, a);
    normalise(types, ty, b);
    u64::from(a == b)
}
