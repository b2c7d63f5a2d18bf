//! Cells: where they are in words and on the stack, and how they are read and written.
//!
//! Where word and shift of the cells that a place can denote are linear in its indices, they are computed; otherwise they
//! are looked up in a table of all cells.

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
    shift: Result<u8, Value>,
}

/// Cells over which linearity is checked.
const MAX_LINEAR: i64 = 4096;

impl Emit<'_, '_> {
    /// A product with a constant.
    fn times(&mut self, value: Value, by: i64) -> Value {
        match by {
            1 => value,
            2.. if by.count_ones() == 1 => self.b.ins().ishl_imm_u(value, i64::from(by.trailing_zeros())),
            _ => self.b.ins().imul_imm_s(value, by),
        }
    }

    /// The number of a cell.
    pub fn cell_number(&mut self, addr: &Addr) -> Value {
        let mut cell = self.iconst(addr.cell);
        for term in &addr.terms {
            let more = self.times(term.index, term.stride);
            cell = self.b.ins().iadd(cell, more);
        }
        cell
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

    fn cells_of(addr: &Addr) -> i64 {
        addr.terms.iter().fold(1i64, |n, term| n.saturating_mul(term.count))
    }

    fn locate(&mut self, addr: &Addr) -> Bits {
        let cells = self.unit.packing.cells();
        let base = self.state;
        let Some(first) = cells.get(addr.cell as usize) else {
            // A cell of an array without elements: never reached.
            return Bits { base, offset: 0, shift: Ok(0) };
        };
        if addr.terms.is_empty() {
            return Bits { base, offset: first.word as i32 * 8, shift: Ok(first.shift) };
        }
        if let Some(steps) = self.linear(addr) {
            return self.locate_linear(addr, &steps);
        }
        let cell = self.cell_number(addr);
        let table = self.iconst(self.unit.cell_table);
        let at = self.b.ins().ishl_imm_u(cell, 3);
        let at = self.b.ins().iadd(table, at);
        let entry = self.b.ins().load(types::I64, self.flags.constant, at, 0);
        let word = self.b.ins().ushr_imm_u(entry, 6);
        let base = self.b.ins().iadd(base, word);
        Bits { base, offset: 0, shift: Err(entry) }
    }

    /// Per term, how many words and bits an index of 1 adds; if that is so for all indices.
    fn linear(&self, addr: &Addr) -> Option<Vec<(i64, i64)>> {
        if Self::cells_of(addr) > MAX_LINEAR {
            return None;
        }
        let cells = self.unit.packing.cells();
        let at = |cell: i64| cells.get(cell as usize).map(|c| (i64::from(c.word), i64::from(c.shift)));
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
            let word = first.0 + index.iter().zip(&steps).map(|(i, s)| i * s.0).sum::<i64>();
            let shift = first.1 + index.iter().zip(&steps).map(|(i, s)| i * s.1).sum::<i64>();
            at(cell) == Some((word, shift))
        });
        linear.then_some(steps)
    }

    fn locate_linear(&mut self, addr: &Addr, steps: &[(i64, i64)]) -> Bits {
        let first = self.unit.packing.cells()[addr.cell as usize];
        let (mut base, mut shift) = (self.state, None);
        for (term, (words, bits)) in addr.terms.iter().zip(steps) {
            if *words != 0 {
                let bytes = self.times(term.index, words * 8);
                base = self.b.ins().iadd(base, bytes);
            }
            if *bits != 0 {
                let more = self.times(term.index, *bits);
                shift = Some(match shift {
                    None => more,
                    Some(shift) => self.b.ins().iadd(shift, more),
                });
            }
        }
        let shift = match shift {
            None => Ok(first.shift),
            Some(shift) if first.shift == 0 => Err(shift),
            Some(shift) => Err(self.b.ins().iadd_imm_s(shift, i64::from(first.shift))),
        };
        Bits { base, offset: first.word as i32 * 8, shift }
    }

    /// The bits of a cell of the state, at the bottom of a register.
    pub fn load_bits(&mut self, addr: &Addr, width: u8) -> Value {
        let bits = self.locate(addr);
        let word = self.word_of(&bits);
        match bits.shift {
            Ok(shift) => self.once(Key::Bits(word, shift, width), |this| {
                let low = if shift == 0 { word } else { this.b.ins().ushr_imm_u(word, i64::from(shift)) };
                if shift + width == 64 { low } else { this.lowest(low, width) }
            }),
            Err(shift) => {
                let low = self.b.ins().ushr(word, shift);
                self.lowest(low, width)
            }
        }
    }

    /// The lowest bits of a word.
    fn lowest(&mut self, word: Value, width: u8) -> Value {
        if width == 64 { word } else { self.b.ins().band_imm_u(word, ((1u64 << width) - 1) as i64) }
    }

    /// The word in which a cell is.
    fn word_of(&mut self, bits: &Bits) -> Value {
        if bits.base == self.state {
            return self.load_word(bits.offset);
        }
        self.b.ins().load(types::I64, self.flags.state, bits.base, bits.offset)
    }

    /// Writes the bits of a cell of the state.
    pub fn store_bits(&mut self, addr: &Addr, width: u8, value: Result<u64, Value>) {
        self.note_written(addr);
        let bits = self.locate(addr);
        let mask = u64::MAX >> (64 - u32::from(width));
        let word = self.word_of(&bits);
        let word = match (bits.shift, value) {
            (Ok(shift), value) => {
                let cleared = match value {
                    Ok(value) if value & mask == mask => word,
                    _ => {
                        let keep = self.iconst(!(mask << shift) as i64);
                        self.b.ins().band(word, keep)
                    }
                };
                match value {
                    Ok(value) if value & mask == 0 => cleared,
                    Ok(value) => {
                        let set = self.iconst(((value & mask) << shift) as i64);
                        self.b.ins().bor(cleared, set)
                    }
                    Err(value) => {
                        let value = self.b.ins().ishl_imm_u(value, i64::from(shift));
                        self.b.ins().bor(cleared, value)
                    }
                }
            }
            (Err(shift), value) => {
                let mask = self.iconst(mask as i64);
                let hole = self.b.ins().ishl(mask, shift);
                let cleared = self.b.ins().band_not(word, hole);
                let value = match value {
                    Ok(value) => self.iconst(value as i64),
                    Err(value) => value,
                };
                let value = self.b.ins().ishl(value, shift);
                self.b.ins().bor(cleared, value)
            }
        };
        if bits.base == self.state {
            return self.store_word(bits.offset, word);
        }
        self.b.ins().store(self.flags.state, word, bits.base, bits.offset);
        self.forget_words();
    }

    /// Remembers which words are written.
    fn note_written(&mut self, addr: &Addr) {
        let cells = self.unit.packing.cells();
        let mut words = std::mem::take(&mut self.written);
        if Self::cells_of(addr) > MAX_LINEAR {
            words.extend(0..self.unit.packing.words() as u32);
            self.written_cells.extend(0..self.unit.model.cells);
        } else {
            let mut written = std::mem::take(&mut self.written_cells);
            self.each_cell(addr, &mut |_, cell| {
                words.extend(cells.get(cell as usize).map(|cell| cell.word));
                written.insert(cell as u32);
                true
            });
            self.written_cells = written;
        }
        self.written = words;
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
