//! Whole records, arrays and multisets.

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::code::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::places::{Addr, Base, Placed};
use super::values::{Cond, Copied, Val};
use super::{Emit, Run, unsupported};

/// A cell of an aggregate: where it is from the beginning, and its type; none for a multiset's "in use".
type Leaf = (i64, Option<TypeId>);

/// How many places one with indices may denote where aggregates are moved as one.
const MAX_TOGETHER: i64 = 256;

/// What is done with a cell of its type (none for a multiset's "in use"), at these places.
type Visit<'v, 'e, 'b> = dyn FnMut(&mut Emit<'e, 'b>, Option<TypeId>, &[Placed]) -> Run<()> + 'v;

/// Parts of an aggregate: so many of this type, so far apart; a flag before each if they are slots.
struct Parts {
    count: i64,
    stride: i64,
    element: TypeId,
    slots: bool,
}

impl<'e, 'b> Emit<'e, 'b> {
    fn parts(&self, ty: TypeId) -> Option<Parts> {
        let types = &self.unit.model.types;
        match types[ty].kind {
            TypeKind::Array { index, element } => Some(Parts {
                count: types.size(index) as i64,
                stride: i64::from(types[element].cells),
                element,
                slots: false,
            }),
            TypeKind::Multiset { capacity, element } => Some(Parts {
                count: i64::from(capacity),
                stride: i64::from(types[element].cells) + 1,
                element,
                slots: true,
            }),
            _ => None,
        }
    }

    /// All cells, one by one; only for small aggregates or static places.
    fn leaves(&self, ty: TypeId, at: i64, found: &mut Vec<Leaf>) {
        let types = &self.unit.model.types;
        if let Some(parts) = self.parts(ty) {
            for i in 0..parts.count {
                let at = at + i * parts.stride;
                if parts.slots {
                    found.push((at, None));
                }
                self.leaves(parts.element, at + i64::from(parts.slots), found);
            }
        } else if let TypeKind::Record(fields) = &types[ty].kind {
            for field in fields {
                self.leaves(field.ty, at + i64::from(field.offset), found);
            }
        } else {
            found.push((at, Some(ty)));
        }
    }

    /// Calls `f` for every cell with the places displaced to it, in loops where there are many.
    fn walk(&mut self, ty: TypeId, places: &[Placed], f: &mut Visit<'_, 'e, 'b>) -> Run<()> {
        let types = &self.unit.model.types;
        if let Some(parts) = self.parts(ty) {
            let cost = 6 * parts.stride.min(1 << 20) as u64;
            return self.each_of(parts.count, cost, &mut |this, i| {
                let mut at: Vec<_> =
                    places.iter().map(|place| this.element(place, i, parts.count, parts.stride)).collect();
                if parts.slots {
                    f(this, None, &at)?;
                    for place in &mut at {
                        *place = this.further(place, 1);
                    }
                }
                this.walk(parts.element, &at, f)
            });
        }
        if let TypeKind::Record(fields) = &types[ty].kind {
            for field in fields {
                let at: Vec<_> =
                    places.iter().map(|place| self.further(place, i64::from(field.offset))).collect();
                self.walk(field.ty, &at, f)?;
            }
            return Ok(());
        }
        f(self, Some(ty), places)
    }

    pub fn copy(&mut self, ty: TypeId, from: &Placed, to: &Placed) -> Run<()> {
        if let (Placed::State(a), Placed::State(b)) = (from, to)
            && a.terms.is_empty()
            && b.terms.is_empty()
        {
            self.copy_words(ty, a.cell, b.cell);
            return Ok(());
        }
        if let (Placed::State(a), Placed::State(b)) = (from, to)
            && let (Some(mask), Some(other)) = (self.together(ty, a), self.together(ty, b))
            && mask == other
        {
            for (cell, _) in self.leaves_of(ty) {
                let leaf = |addr: &Addr| Addr { cell: addr.cell + cell, ..addr.clone() };
                if !self.unit.defined.has(&leaf(a)) {
                    self.unit.defined.lose(&leaf(b));
                }
            }
            let bits = self.load_masked(a, mask.iter().fold(0, |all, mask| all | mask));
            self.store_together(ty, b, &mask, Err(bits));
            return Ok(());
        }
        self.walk(ty, &[from.clone(), to.clone()], &mut |this, ty, places| {
            let [from, to] = places else { return Err(unsupported("a copy")) };
            match ty {
                Some(ty) => {
                    let value = this.load(from, ty);
                    this.store(to, ty, value);
                }
                None => {
                    let used = this.flag(from);
                    this.store_flag(to, used);
                }
            }
            Ok(())
        })
    }

    fn leaves_of(&self, ty: TypeId) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.leaves(ty, 0, &mut leaves);
        leaves
    }

    /// The bits of each cell of a small aggregate, from that of its first on, if they are always in the same word.
    fn together(&self, ty: TypeId, addr: &Addr) -> Option<Vec<u64>> {
        let few = self.unit.model.types[ty].cells <= 64 && addr.count() <= MAX_TOGETHER;
        let mask = |(cell, _): Leaf| {
            let at = addr.cell + cell;
            let shift = self.distance_to(&Addr { cell: at, ..addr.clone() }, addr.cell)?;
            Some(self.unit.packing.cells().get(at as usize)?.mask() << shift)
        };
        if few { self.leaves_of(ty).into_iter().map(mask).collect() } else { None }
    }

    /// Writes the cells of an aggregate whose bits are these.
    fn store_together(&mut self, ty: TypeId, to: &Addr, masks: &[u64], bits: Result<u64, Value>) {
        let mut words = Some(Vec::new());
        for (cell, _) in self.leaves_of(ty) {
            words = self.note_written(&Addr { cell: to.cell + cell, ..to.clone() });
        }
        let mask = masks.iter().fold(0, |all, mask| all | mask);
        self.store_masked(to, mask, bits, words.as_deref());
    }

    /// Masks of the cells of an aggregate at a static place, by word.
    fn masks(&mut self, ty: TypeId, at: i64) -> Vec<(u32, u64, i64, Option<TypeId>)> {
        let mut leaves = Vec::new();
        self.leaves(ty, at, &mut leaves);
        let cells = self.unit.packing.cells();
        leaves
            .into_iter()
            .map(|(cell, ty)| {
                let packed = &cells[cell as usize];
                (packed.word, packed.mask() << packed.shift, cell, ty)
            })
            .collect()
    }

    /// Copies static cells, many bits at a time: those that go from one word to one word by the same distance.
    fn copy_words(&mut self, ty: TypeId, from: i64, to: i64) {
        let cells = self.unit.packing.cells();
        let mut moves: BTreeMap<(u32, u32), BTreeMap<i32, u64>> = BTreeMap::new();
        for (word, mask, cell, _) in self.masks(ty, from) {
            let target = cells[(cell - from + to) as usize];
            let by = i32::from(target.shift) - i32::from(cells[cell as usize].shift);
            *moves.entry((target.word, word)).or_default().entry(by).or_default() |= mask;
            self.written.insert(target.word);
            self.written_cells.insert((cell - from + to) as u32);
            if !self.unit.defined.has(&Addr::fixed(cell)) {
                self.unit.defined.lose(&Addr::fixed(cell - from + to));
            }
        }
        // All is read before anything is written; an aggregate is copied to itself or to cells apart from it.
        let mut parts = Vec::new();
        for ((target, source), shifts) in moves {
            let word = self.load_word(source as i32 * 8);
            for (by, mask) in shifts {
                let mask_value = self.iconst(mask as i64);
                let bits = self.b.ins().band(word, mask_value);
                let (bits, mask) = match by {
                    0 => (bits, mask),
                    1.. => (self.b.ins().ishl_imm_u(bits, i64::from(by)), mask << by),
                    _ => (self.b.ins().ushr_imm_u(bits, i64::from(-by)), mask >> -by),
                };
                parts.push((target, mask, bits));
            }
        }
        let mut targets: BTreeMap<u32, (u64, Vec<Value>)> = BTreeMap::new();
        for (target, mask, bits) in parts {
            let entry = targets.entry(target).or_default();
            entry.0 |= mask;
            entry.1.push(bits);
        }
        for (target, (mask, parts)) in targets {
            let word = self.load_word(target as i32 * 8);
            let keep = self.iconst(!mask as i64);
            let mut word = self.b.ins().band(word, keep);
            for bits in parts {
                word = self.b.ins().bor(word, bits);
            }
            self.store_word(target as i32 * 8, word);
        }
    }

    /// Makes every cell undefined, or the least value of its type; multisets empty.
    pub fn fill(&mut self, ty: TypeId, place: &Placed, least: bool) -> Run<()> {
        if let Placed::State(Addr { cell, terms, .. }) = place
            && terms.is_empty()
        {
            // What is inside of a multiset becomes undefined.
            let mut words: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
            let inside = self.inside_multisets(ty, *cell);
            for (word, mask, cell, ty) in self.masks(ty, *cell) {
                let entry = words.entry(word).or_default();
                entry.0 |= mask;
                if !least {
                    self.unit.defined.lose(&Addr::fixed(cell));
                } else if ty.is_some() && !inside.contains(&cell) {
                    entry.1 |= 1 << self.unit.packing.cells()[cell as usize].shift;
                }
                self.written.insert(word);
                self.written_cells.insert(cell as u32);
            }
            for (word, (mask, bits)) in words {
                let old = self.load_word(word as i32 * 8);
                let keep = self.iconst(!mask as i64);
                let cleared = self.b.ins().band(old, keep);
                let bits = self.iconst(bits as i64);
                let new = self.b.ins().bor(cleared, bits);
                self.store_word(word as i32 * 8, new);
            }
            return Ok(());
        }
        if let Placed::State(addr) = place
            && !least
            && let Some(masks) = self.together(ty, addr)
        {
            for (cell, _) in self.leaves_of(ty) {
                self.unit.defined.lose(&Addr { cell: addr.cell + cell, ..addr.clone() });
            }
            self.store_together(ty, addr, &masks, Ok(0));
            return Ok(());
        }
        self.fill_parts(ty, place, least)
    }

    fn fill_parts(&mut self, ty: TypeId, place: &Placed, least: bool) -> Run<()> {
        let types = &self.unit.model.types;
        if let Some(parts) = self.parts(ty) {
            let cost = 6 * parts.stride.min(1 << 20) as u64;
            return self.each_of(parts.count, cost, &mut |this, i| {
                let at = this.element(place, i, parts.count, parts.stride);
                if parts.slots {
                    this.store_flag(&at, Cond::Const(false));
                    let at = this.further(&at, 1);
                    return this.fill_parts(parts.element, &at, false);
                }
                this.fill_parts(parts.element, &at, least)
            });
        }
        if let TypeKind::Record(fields) = &types[ty].kind {
            for field in fields {
                let at = self.further(place, i64::from(field.offset));
                self.fill_parts(field.ty, &at, least)?;
            }
            return Ok(());
        }
        let value = if least { Copied::Value(Val::constant(types.bounds(ty).0)) } else { Copied::Undefined };
        self.store(place, ty, value);
        Ok(())
    }

    /// The cells inside the multisets of an aggregate.
    fn inside_multisets(&self, ty: TypeId, at: i64) -> BTreeSet<i64> {
        let mut found = BTreeSet::new();
        let cells = self.unit.model.types[ty].cells;
        if self.unit.model.types[ty].has_multiset {
            let mut sets = Vec::new();
            crate::context::multisets(&self.unit.model.types, self.unit.packing, ty, at as usize, &mut sets);
            for set in sets {
                found.extend(set.cells().map(|cell| cell as i64));
            }
        }
        debug_assert!(found.len() <= cells as usize);
        found
    }

    /// Whether two aggregates are the same.
    pub fn same(&mut self, ty: TypeId, a: &Placed, b: &Placed) -> Run<Cond> {
        self.settle();
        if self.unit.model.types[ty].has_multiset {
            return self.same_sets(ty, a, b);
        }
        if let (Placed::State(x), Placed::State(y)) = (a, b)
            && x.terms.is_empty()
            && y.terms.is_empty()
            && x.cell == y.cell
        {
            return Ok(Cond::Const(true));
        }
        let differ = self.b.declare_var(types::I8);
        let no = self.bit(false);
        self.b.def_var(differ, no);
        self.walk(ty, &[a.clone(), b.clone()], &mut |this, ty, places| {
            let ([a, b], Some(ty)) = (places, ty) else { return Err(unsupported("a comparison")) };
            let (a, b) = (this.load(a, ty), this.load(b, ty));
            let unequal = match (a, b) {
                (Copied::Raw { bits: a, lo: l, .. }, Copied::Raw { bits: b, lo: m, .. }) if l == m => {
                    this.b.ins().icmp(IntCC::NotEqual, a, b)
                }
                _ => {
                    let (a, b) = (this.cell(a), this.cell(b));
                    this.b.ins().icmp(IntCC::NotEqual, a, b)
                }
            };
            let so_far = this.b.use_var(differ);
            let now = this.b.ins().bor(so_far, unequal);
            this.b.def_var(differ, now);
            Ok(())
        })?;
        let differ = self.b.use_var(differ);
        Ok(self.not(Cond::Is(differ)))
    }

    /// The same for aggregates with multisets: copies are sorted and compared by a helper.
    fn same_sets(&mut self, ty: TypeId, a: &Placed, b: &Placed) -> Run<Cond> {
        let cells = self.unit.model.types[ty].cells;
        let mut copies = Vec::new();
        for place in [a, b] {
            let slot = self.undefined_slot(cells)?;
            let copy = Placed::Local(Base::Slot(slot), Addr::default());
            self.copy(ty, place, &copy)?;
            copies.push(self.b.ins().stack_addr(types::I64, slot, 0));
        }
        let ty = self.iconst(i64::from(ty.0));
        let signature = self.signatures.three_to_one;
        let same = self.call_helper(
            signature,
            crate::context::same as *const () as i64,
            &[ty, copies[0], copies[1]],
        );
        let same = same.ok_or_else(|| unsupported("a comparison"))?;
        Ok(Cond::Is(self.compare_imm(IntCC::NotEqual, same, 0)))
    }
}
