//! States packed into words, and a table that gives every state a number.
//!
//! A variable takes as many bits as its range needs and never crosses a word. The table is open addressing over
//! `u32` numbers; the packed states lie one after the other in the order of their numbers.

use burnside_model::chance::Model;

/// Where the bits of a variable are.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u64,
    low: i64,
}

/// How states are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    /// Words of one state.
    pub words: usize,
}

impl Layout {
    /// The layout of a model's states.
    pub fn new(model: &Model) -> Layout {
        let (mut word, mut used) = (0, 0);
        let mut fields = Vec::new();
        for variable in &model.variables {
            let bits = 64 - (variable.size() - 1).leading_zeros();
            if used + bits > 64 {
                (word, used) = (word + 1, 0);
            }
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            fields.push(Field { word, shift: used.min(63), mask, low: variable.low });
            used += bits;
        }
        Layout { fields, words: word as usize + 1 }
    }

    /// Packs the values of all variables.
    pub fn pack(&self, state: &[i64], packed: &mut [u64]) {
        packed.fill(0);
        for (field, value) in self.fields.iter().zip(state) {
            packed[field.word as usize] |= (value.wrapping_sub(field.low) as u64) << field.shift;
        }
    }

    pub fn unpack(&self, packed: &[u64], state: &mut [i64]) {
        for (field, value) in self.fields.iter().zip(state) {
            let bits = packed[field.word as usize] >> field.shift & field.mask;
            *value = field.low.wrapping_add(bits as i64);
        }
    }
}

/// All states that were found, with their numbers.
#[derive(Clone, Debug)]
pub struct States {
    /// How they are packed.
    pub layout: Layout,
    packed: Vec<u64>,
    table: Vec<u32>,
    count: usize,
}

const EMPTY: u32 = u32::MAX;

fn hash(words: &[u64]) -> u64 {
    let mut h = 0x9e37_79b9_7f4a_7c15_u64;
    for word in words {
        let wide = u128::from(h ^ word) * u128::from(0xa076_1d64_78bd_642f_u64);
        h = (wide >> 64) as u64 ^ wide as u64;
    }
    h ^ h >> 29
}

impl States {
    pub fn new(layout: Layout) -> States {
        States { layout, packed: Vec::new(), table: vec![EMPTY; 1 << 10], count: 0 }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A state, packed.
    pub fn packed(&self, number: u32) -> &[u64] {
        let words = self.layout.words;
        &self.packed[number as usize * words..][..words]
    }

    /// The values of all variables in a state.
    pub fn unpack(&self, number: u32, state: &mut [i64]) {
        self.layout.unpack(self.packed(number), state);
    }

    /// The number of a state, which is added if it is new.
    pub fn insert(&mut self, state: &[u64]) -> u32 {
        if self.count * 2 >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(state) as usize & mask;
        loop {
            match self.table[at] {
                EMPTY => {
                    let number = self.count as u32;
                    self.table[at] = number;
                    self.packed.extend_from_slice(state);
                    self.count += 1;
                    return number;
                }
                number if self.packed(number) == state => return number,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mut table = vec![EMPTY; size];
        for number in 0..self.count as u32 {
            let mut at = hash(self.packed(number)) as usize & (size - 1);
            while table[at] != EMPTY {
                at = (at + 1) & (size - 1);
            }
            table[at] = number;
        }
        self.table = table;
    }

    /// Frees the table, once no state is added any more.
    pub fn finish(&mut self) {
        self.table = Vec::new();
    }
}
