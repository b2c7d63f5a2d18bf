//! Cells: where they are in words and on the stack, and how they are read and written.
//!
//! Where word and shift of the cells that a place can denote are linear in its indices, they are computed. Otherwise it is
//! the lowest bit of the element, counted through all words, that is computed if it is linear, or else looked up in a
//! table of all cells; the fields of the element are at fixed bits from there.

use burnside_model::code::TypeId;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::Emit;
use super::known::Key;
use super::places::{Addr, Base, Placed};
use super::values::Copied;

/// The word and shift of a cell of the state.
struct Bits {
    base: Value,
    offset: i32,
    /// How far the word is shifted down, modulo 64, before it is by `shift`.
    by: Option<Value>,
    shift: u8,
}

/// How the bits of cells are found that a place with indices can denote.
#[derive(Clone)]
pub(super) enum Shape {
    /// Per index, how many words and bits an index of 1 adds to those of the first cell.
    Linear(Vec<(i64, i64)>),
    /// Per index, how many bits it adds to the first bit of this cell; the cell itself is so many bits from there.
    Strided(i64, Vec<i64>, u8),
    /// In the table, by this cell's number with the terms; the cell itself is so many bits from there.
    Listed(i64, u8),
}

/// What a shape depends on: cell, element, and strides and counts of the terms.
pub(super) type ShapeKey = (i64, i64, Vec<(i64, i64)>);

/// Cells over which linearity is checked.
const MAX_LINEAR: i64 = 4096;

impl Emit<'_, '_> {
    /// A product with a constant.
    fn times(&mut self, value: Value, by: i64) -> Value {
        if by == 1 {
            return value;
        }
        self.once(Key::Times(value, by), |this| match by {
            2.. if by.count_ones() == 1 => this.b.ins().ishl_imm_u(value, i64::from(by.trailing_zeros())),
            _ => this.b.ins().imul_imm_s(value, by),
        })
    }

    fn added(&mut self, a: Value, b: Value) -> Value {
        self.once(Key::Sum(a, b), |this| this.b.ins().iadd(a, b))
    }

    fn plus(&mut self, a: Value, by: i64) -> Value {
        if by == 0 {
            return a;
        }
        self.once(Key::Plus(a, by), |this| this.b.ins().iadd_imm_s(a, by))
    }

    /// The sum of the indices, each so many times; none if all of these are 0.
    fn combination(&mut self, addr: &Addr, factors: impl IntoIterator<Item = i64>) -> Option<Value> {
        let mut sum = None;
        for (term, factor) in addr.terms.iter().zip(factors) {
            if factor != 0 {
                let more = self.times(term.index, factor);
                sum = Some(sum.map_or(more, |sum| self.added(sum, more)));
            }
        }
        sum
    }

    pub fn cell_number(&mut self, addr: &Addr) -> Value {
        match self.combination(addr, addr.terms.iter().map(|term| term.stride)) {
            None => self.iconst(addr.cell),
            Some(sum) => self.plus(sum, addr.cell),
        }
    }

    /// Calls `f` with every combination of the terms' indices, as long as it answers.
    fn each_cell(&self, addr: &Addr, f: &mut dyn FnMut(&[i64], i64) -> bool) -> bool {
        let mut at = vec![0; addr.terms.len()];
        loop {
            let cell = addr.cell + at.iter().zip(&addr.terms).map(|(i, term)| i * term.stride).sum::<i64>();
            if !f(&at, cell) {
                return false;
            }
            let Some(k) = (0..at.len()).find(|k| at[*k] + 1 < addr.terms[*k].count) else { return true };
            at[..k].fill(0);
            at[k] += 1;
        }
    }

    fn locate(&mut self, addr: &Addr) -> Bits {
        let cells = self.unit.packing.cells();
        let base = self.state;
        let Some(first) = cells.get(addr.cell as usize) else {
            // A cell of an array without elements: never reached.
            return Bits { base, offset: 0, by: None, shift: 0 };
        };
        if addr.terms.is_empty() {
            return Bits { base, offset: first.word as i32 * 8, by: None, shift: first.shift };
        }
        match self.shape(addr) {
            Shape::Linear(steps) => {
                let bytes = self.combination(addr, steps.iter().map(|(words, _)| words * 8));
                let by = self.combination(addr, steps.iter().map(|(_, bits)| *bits));
                let base = bytes.map_or(base, |bytes| self.added(base, bytes));
                let offset = first.word as i32 * 8;
                match by {
                    // Only the sum is not negative.
                    Some(by) if steps.iter().any(|(_, bits)| *bits < 0) => {
                        let by = self.plus(by, i64::from(first.shift));
                        Bits { base, offset, by: Some(by), shift: 0 }
                    }
                    _ => Bits { base, offset, by, shift: first.shift },
                }
            }
            Shape::Strided(element, steps, shift) => {
                let first = &cells[element as usize];
                let sum = self.combination(addr, steps);
                let sum = sum.unwrap_or_else(|| self.iconst(0));
                let bit = self.plus(sum, i64::from(first.shift));
                Bits { base: self.word_at(bit), offset: first.word as i32 * 8, by: Some(bit), shift }
            }
            Shape::Listed(element, shift) => {
                let cell = self.cell_number(&Addr { cell: element, ..addr.clone() });
                let bit = self.once(Key::Bit(cell), |this| {
                    let table = this.iconst(this.unit.cell_table);
                    let at = this.b.ins().ishl_imm_u(cell, 3);
                    let at = this.b.ins().iadd(table, at);
                    this.b.ins().load(types::I64, this.flags.constant, at, 0)
                });
                Bits { base: self.word_at(bit), offset: 0, by: Some(bit), shift }
            }
        }
    }

    /// The address of the word in which a bit of the state is.
    fn word_at(&mut self, bit: Value) -> Value {
        let state = self.state;
        self.once(Key::At(state, bit), |this| {
            // Signed: a later element may as well be in an earlier word.
            let bytes = this.b.ins().sshr_imm_u(bit, 3);
            let bytes = this.b.ins().band_imm_s(bytes, -8);
            this.b.ins().iadd(state, bytes)
        })
    }

    fn shape(&self, addr: &Addr) -> Shape {
        let terms = addr.terms.iter().map(|term| (term.stride, term.count)).collect();
        let key = (addr.cell, addr.element, terms);
        if let Some(shape) = self.unit.shapes.borrow().get(&key) {
            return shape.clone();
        }
        let shape = self.find_shape(addr);
        self.unit.shapes.borrow_mut().insert(key, shape.clone());
        shape
    }

    fn find_shape(&self, addr: &Addr) -> Shape {
        if addr.count() > MAX_LINEAR {
            return Shape::Listed(addr.cell, 0);
        }
        if let Some(steps) = self.linear(addr, |cell| (cell / 64, cell % 64)) {
            return Shape::Linear(steps);
        }
        let shift = self.distance_to(addr, addr.element);
        let (element, shift) = shift.map_or((addr.cell, 0), |shift| (addr.element, shift));
        match self.linear(&Addr { cell: element, ..addr.clone() }, |cell| (0, cell)) {
            Some(steps) => Shape::Strided(element, steps.into_iter().map(|(_, bits)| bits).collect(), shift),
            None => Shape::Listed(element, shift),
        }
    }

    /// The lowest bit of a cell, counted through all words.
    fn bit_of(&self, cell: i64) -> Option<i64> {
        let cell = self.unit.packing.cells().get(usize::try_from(cell).ok()?)?;
        Some(i64::from(cell.word) * 64 + i64::from(cell.shift))
    }

    /// How many bits a cell is above another with the same terms, if that is so for all indices, in the same word.
    pub fn distance_to(&self, addr: &Addr, other: i64) -> Option<u8> {
        let distance = self.bit_of(addr.cell)?.checked_sub(self.bit_of(other)?)?;
        let same = self.each_cell(addr, &mut |_, cell| {
            let (Some(a), Some(b)) = (self.bit_of(cell), self.bit_of(cell - addr.cell + other)) else {
                return false;
            };
            a - b == distance && a / 64 == b / 64
        });
        u8::try_from(distance).ok().filter(|_| same)
    }

    /// Per term, what an index of 1 adds to two coordinates of a bit; if that is so for all indices.
    fn linear(&self, addr: &Addr, of_bit: impl Fn(i64) -> (i64, i64)) -> Option<Vec<(i64, i64)>> {
        let at = |cell: i64| self.bit_of(cell).map(&of_bit);
        let first = at(addr.cell)?;
        let steps = addr
            .terms
            .iter()
            .map(|term| {
                let next = if term.count > 1 { at(addr.cell + term.stride)? } else { first };
                Some((next.0 - first.0, next.1 - first.1))
            })
            .collect::<Option<Vec<_>>>()?;
        let linear = self.each_cell(addr, &mut |index, cell| {
            let one = first.0 + index.iter().zip(&steps).map(|(i, s)| i * s.0).sum::<i64>();
            let other = first.1 + index.iter().zip(&steps).map(|(i, s)| i * s.1).sum::<i64>();
            at(cell) == Some((one, other))
        });
        linear.then_some(steps)
    }

    /// The bits of a cell of the state, at the bottom of a register.
    pub fn load_bits(&mut self, addr: &Addr, width: u8) -> Value {
        let bits = self.locate(addr);
        let low = self.low_of(&bits);
        self.once(Key::Bits(low, bits.shift, width), |this| {
            let low = if bits.shift == 0 { low } else { this.b.ins().ushr_imm_u(low, i64::from(bits.shift)) };
            let top = bits.by.is_none() && bits.shift + width == 64 || width == 64;
            if top { low } else { this.b.ins().band_imm_u(low, ((1u64 << width) - 1) as i64) }
        })
    }

    /// The same for some of the bits from that of the cell on, where they are.
    pub fn load_masked(&mut self, addr: &Addr, mask: u64) -> Value {
        let bits = self.locate(addr);
        let low = self.low_of(&bits);
        let low = if bits.shift == 0 { low } else { self.b.ins().ushr_imm_u(low, i64::from(bits.shift)) };
        let mask = self.iconst(mask as i64);
        self.b.ins().band(low, mask)
    }

    /// The word in which a cell is, shifted down by what is not known.
    fn low_of(&mut self, bits: &Bits) -> Value {
        let word = self.word_of(bits);
        match bits.by {
            None => word,
            Some(by) => self.once(Key::Low(word, by), |this| this.b.ins().ushr(word, by)),
        }
    }

    /// The word in which a cell is.
    fn word_of(&mut self, bits: &Bits) -> Value {
        if bits.base == self.state {
            return self.load_word(bits.offset);
        }
        self.load_far(bits.base, bits.offset)
    }

    /// Writes the bits of a cell of the state.
    pub fn store_bits(&mut self, addr: &Addr, width: u8, value: Result<u64, Value>) {
        let words = self.note_written(addr);
        self.store_masked(addr, u64::MAX >> (64 - u32::from(width)), value, words.as_deref());
    }

    /// Writes some of the bits from that of a cell on; in which of these words is not known.
    pub fn store_masked(&mut self, addr: &Addr, mask: u64, value: Result<u64, Value>, words: Option<&[u32]>) {
        let bits = self.locate(addr);
        let word = self.word_of(&bits);
        let mut cleared = word;
        if value != Ok(mask) {
            cleared = match bits.by {
                None => {
                    let keep = self.iconst(!(mask << bits.shift) as i64);
                    self.b.ins().band(word, keep)
                }
                Some(by) => {
                    let hole = self.iconst((mask << bits.shift) as i64);
                    let hole = self.b.ins().ishl(hole, by);
                    self.b.ins().band_not(word, hole)
                }
            };
        }
        let value = match value {
            Ok(value) if value & mask == 0 => None,
            Ok(value) => Some(self.iconst(((value & mask) << bits.shift) as i64)),
            Err(value) if bits.shift == 0 => Some(value),
            Err(value) => Some(self.b.ins().ishl_imm_u(value, i64::from(bits.shift))),
        };
        let word = value.map_or(cleared, |value| {
            let value = bits.by.map_or(value, |by| self.b.ins().ishl(value, by));
            self.b.ins().bor(cleared, value)
        });
        if bits.base == self.state {
            return self.store_word(bits.offset, word);
        }
        self.store_far(bits.base, bits.offset, word, words);
    }

    /// Remembers which words are written, and gives them; none if it may be any.
    pub fn note_written(&mut self, addr: &Addr) -> Option<Vec<u32>> {
        if addr.count() > MAX_LINEAR {
            self.written.extend(0..self.unit.packing.words() as u32);
            self.written_cells.extend(0..self.unit.model.cells);
            return None;
        }
        let cells = self.unit.packing.cells();
        let (mut words, mut written) = (Vec::new(), Vec::new());
        self.each_cell(addr, &mut |_, cell| {
            words.extend(cells.get(cell as usize).map(|cell| cell.word));
            written.push(cell as u32);
            true
        });
        words.sort_unstable();
        words.dedup();
        self.written.extend(words.iter().copied());
        self.written_cells.extend(written);
        Some(words)
    }

    /// The address of a cell on the stack.
    pub fn local_address(&mut self, base: Base, addr: &Addr) -> Value {
        let mut base = match base {
            Base::Slot(slot) => self.b.ins().stack_addr(types::I64, slot, addr.cell as i32 * 8),
            Base::Pointer(base) => self.b.ins().iadd_imm_s(base, addr.cell * 8),
        };
        for term in &addr.terms {
            let bytes = self.times(term.index, term.stride * 8);
            base = self.b.ins().iadd(base, bytes);
        }
        base
    }

    /// The simple value at a place.
    pub fn load(&mut self, place: &Placed, ty: TypeId) -> Copied {
        let (lo, hi) = self.unit.model.types.bounds(ty);
        match place {
            Placed::State(addr) => {
                let bits = self.load_bits(addr, self.unit.width(ty));
                let raw = Copied::Raw { bits, lo, hi };
                if self.unit.defined.has(addr) { Copied::Value(self.assume_defined(raw)) } else { raw }
            }
            Placed::Local(slot, addr) => {
                let address = self.local_address(*slot, addr);
                let value = self.b.ins().load(types::I64, self.flags.local, address, 0);
                Copied::Cell { value, lo, hi }
            }
            Placed::Variable(variable) => Copied::Cell { value: self.b.use_var(*variable), lo, hi },
            Placed::Value(copied) => *copied,
        }
    }

    /// Writes a simple value that is in range.
    pub fn store(&mut self, place: &Placed, ty: TypeId, value: Copied) {
        match place {
            Placed::State(addr) => {
                if !matches!(value, Copied::Value(_)) {
                    self.unit.defined.lose(addr);
                }
                let bits = self.bits(value, self.unit.model.types.bounds(ty).0);
                self.store_bits(addr, self.unit.width(ty), bits);
            }
            Placed::Local(slot, addr) => {
                let value = self.cell(value);
                let address = self.local_address(*slot, addr);
                self.b.ins().store(self.flags.local, value, address, 0);
            }
            Placed::Variable(variable) => {
                let value = self.cell(value);
                self.b.def_var(*variable, value);
            }
            Placed::Value(_) => {}
        }
    }
}
