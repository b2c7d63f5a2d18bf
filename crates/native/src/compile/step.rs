//! What surrounds a rule's body: a copy of the state to work on before, and after it all that makes it a step.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Target, InstBuilder, MemFlagsData, Value, types};

use super::known::Key;
use super::rules::RuleAt;
use super::values::Cond;
use super::{Emit, Run};
use crate::context::{self, offset};

/// Words of a state that is copied word by word, so that the words are known; wider states are copied by larger pieces.
const NARROW: i32 = 8;

impl Emit<'_, '_> {
    /// Nothing is called yet: what ran before may have been left in the middle.
    pub fn reset_depth(&mut self) {
        if self.unit.recursive.contains(&true) {
            let none = self.iconst(0);
            self.b.ins().store(self.flags.context, none, self.context, offset::DEPTH);
        }
    }

    /// Copies the state to where the next one is made.
    pub fn begin_body(&mut self, at: &RuleAt<'_>) {
        if self.unit.most_steps.is_none() {
            self.make_room();
        }
        if at.covers {
            let signature = self.signatures.none;
            self.call_helper(signature, context::settle as *const () as i64, &[]);
        }
        let out = self.b.ins().load(types::I64, self.flags.context, self.context, offset::OUT);
        let flags = self.region(3);
        let words = self.unit.packing.words() as i32;
        let narrow = words <= NARROW;
        let copies: Vec<_> =
            (0..if narrow { words } else { 0 }).map(|word| self.load_word(word * 8)).collect();
        let mut word = copies.len() as i32;
        while word < words {
            // Two words at a time in wide states.
            let (ty, step) = if word + 2 <= words { (types::I64X2, 2) } else { (types::I64, 1) };
            let copied = self.b.ins().load(ty, loose(self.flags.constant), self.source, word * 8);
            self.b.ins().store(loose(flags), copied, out, word * 8);
            word += step;
        }
        self.state = out;
        self.flags.state = flags;
        self.in_body = true;
        for (word, copy) in (0..).zip(copies) {
            self.store_word(word * 8, copy);
        }
        self.written.clear();
        self.written_cells.clear();
    }

    /// Sees to it that there is room for another state.
    fn make_room(&mut self) {
        let (full, room) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(full);
        let count = self.b.ins().load(types::I64, self.flags.context, self.context, offset::COUNT);
        let capacity = self.b.ins().load(types::I64, self.flags.context, self.context, offset::CAPACITY);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, count, capacity);
        self.b.ins().brif(fits, room, &[], full, &[]);
        self.b.switch_to_block(full);
        let signature = self.signatures.none;
        self.call_helper(signature, context::grow as *const () as i64, &[]);
        self.b.ins().jump(room, &[]);
        self.b.switch_to_block(room);
    }

    /// Sorts multisets, asks the assumptions, and adds the state to the batch.
    pub fn commit(&mut self, at: &RuleAt<'_>, next: Target) -> Run<()> {
        self.sort_multisets();
        for assumption in at.assumptions {
            let call = self.b.ins().call(*assumption, &[self.context, self.state]);
            let held = self.b.inst_results(call)[0];
            let fault = self.compare_imm(IntCC::SignedLessThan, held, 0);
            self.poison_if(Cond::Is(fault));
            self.settle();
            let (dropped, going) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(held, going, &[], dropped, &[]);
            self.b.switch_to_block(dropped);
            let rule = self.iconst(i64::from(at.index));
            let signature = self.signatures.one;
            self.call_helper(signature, context::dropped as *const () as i64, &[rule]);
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(going);
        }
        let stutters = self.stutters();
        let count = self.b.ins().load(types::I64, self.flags.context, self.context, offset::COUNT);
        let rules = self.b.ins().load(types::I64, self.flags.context, self.context, offset::RULES);
        let four = self.b.ins().ishl_imm_u(count, 2);
        let rule_at = self.b.ins().iadd(rules, four);
        let rule = self.b.ins().iconst(types::I32, i64::from(at.index));
        self.b.ins().store(self.flags.context, rule, rule_at, 0);
        let flags = self.b.ins().load(types::I64, self.flags.context, self.context, offset::STUTTERS);
        let flag_at = self.b.ins().iadd(flags, count);
        self.b.ins().store(self.flags.context, stutters, flag_at, 0);
        let more = self.b.ins().iadd_imm_s(count, 1);
        self.b.ins().store(self.flags.context, more, self.context, offset::COUNT);
        let further = self.b.ins().iadd_imm_s(self.state, self.unit.packing.words() as i64 * 8);
        self.b.ins().store(self.flags.context, further, self.context, offset::OUT);
        self.b.ins().jump(next, &[]);
        Ok(())
    }

    /// Sorts the multisets that may have been written.
    fn sort_multisets(&mut self) {
        let model = self.unit.model;
        for (i, global) in model.globals.iter().enumerate() {
            let def = &model.types[global.ty];
            let cells = global.offset..global.offset + def.cells;
            if def.has_multiset && self.written_cells.touches(cells) {
                let (state, global) = (self.state, self.iconst(i as i64));
                let signature = self.signatures.three;
                let helper = context::sort as *const () as i64;
                self.call_helper(signature, helper, &[state, self.source, global]);
                self.forget_words();
                let mut sets = Vec::new();
                context::multisets(
                    &model.types,
                    self.unit.packing,
                    model.globals[i].ty,
                    model.globals[i].offset as usize,
                    &mut sets,
                );
                let cells = self.unit.packing.cells();
                self.written.extend(sets.iter().flat_map(|set| set.cells()).map(|cell| cells[cell].word));
            }
        }
    }

    /// Whether the state is the one before: no word that may be written differs.
    fn stutters(&mut self) -> Value {
        let mut difference = None;
        for word in self.written.iter().collect::<Vec<_>>() {
            let at = word as i32 * 8;
            let new = self.load_word(at);
            let (source, flags) = (self.source, self.flags.constant);
            let old =
                self.once(Key::Word(source, at), |this| this.b.ins().load(types::I64, flags, source, at));
            let bits = self.b.ins().bxor(old, new);
            difference = Some(match difference {
                None => bits,
                Some(so_far) => self.b.ins().bor(so_far, bits),
            });
        }
        match difference {
            None => self.bit(true),
            Some(bits) => self.compare_imm(IntCC::Equal, bits, 0),
        }
    }
}

/// The same for addresses that need not be aligned to what is read.
fn loose(flags: MemFlagsData) -> MemFlagsData {
    let loose = MemFlagsData::new().with_notrap().with_alias_region(flags.alias_region());
    if flags.readonly() { loose.with_readonly().with_can_move() } else { loose }
}
