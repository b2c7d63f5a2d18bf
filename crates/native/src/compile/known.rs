//! What is in registers already: words of the states, and cells of those words.
//!
//! What is known at a point of the code is known at all points that are reached through it only. So a branch goes back
//! to what was known before, for its second half and for what follows; and what follows a branch or is repeated by a loop
//! has to read the words again that may have been written in it.

use std::collections::HashMap;

use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::Emit;

/// Something that was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The word of a state at so many bytes.
    Word(Value, i32),
    /// Bits of a word: the lowest, and how many.
    Bits(Value, u8, u8),
    /// Whether a value is this constant.
    Is(Value, i64),
    /// Whether it is above this constant, unsigned.
    Above(Value, i64),
    /// The value, or 0 if it is not below this constant, unsigned.
    Below(Value, i64),
    /// The sum with a constant.
    Plus(Value, i64),
    /// The product with a constant.
    Times(Value, i64),
    /// The sum of two values.
    Sum(Value, Value),
    /// The first value, shifted down by the second.
    Low(Value, Value),
    /// The inverse of a truth value.
    Not(Value),
    /// That a truth value is false.
    False(Value),
    /// The lowest bit of the cell with this number.
    Bit(Value),
    /// The address of the word of a state in which a bit is.
    At(Value, Value),
    /// The word at an address and so many bytes, as it is after so many writes.
    Far(Value, i32, u32),
}

/// Where it is.
#[derive(Default)]
pub(super) struct Known {
    values: HashMap<Key, Value>,
    /// What changed, and what was there before.
    log: Vec<(Key, Option<Value>)>,
    /// How often the state at hand has been written on the way here; more where ways meet.
    writes: u32,
}

/// A point to go back to: the length of the log and the number of writes.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, u32);

/// What happened on a way: the words that were changed or forgotten, and the number of writes at its end.
pub(super) struct Changed(Vec<Key>, u32);

impl Known {
    pub fn mark(&self) -> Mark {
        Mark(self.log.len(), self.writes)
    }

    pub fn get(&self, key: Key) -> Option<Value> {
        self.values.get(&key).copied()
    }

    fn set(&mut self, key: Key, value: Value) {
        let before = self.values.insert(key, value);
        self.log.push((key, before));
    }

    fn forget(&mut self, key: Key) {
        if let Some(before) = self.values.remove(&key) {
            self.log.push((key, Some(before)));
        }
    }

    /// Goes back to a point; gives what happened since.
    pub fn back(&mut self, to: Mark) -> Changed {
        let mut changed = Vec::new();
        for (key, before) in self.log.drain(to.0..).rev() {
            match before {
                None => self.values.remove(&key),
                Some(before) => {
                    changed.push(key);
                    self.values.insert(key, before)
                }
            };
        }
        Changed(changed, std::mem::replace(&mut self.writes, to.1))
    }

    /// Words that were changed on some way are not known where the ways meet.
    pub fn forget_all(&mut self, Changed(keys, writes): &Changed) {
        for key in keys {
            self.forget(*key);
        }
        self.writes = self.writes.max(*writes);
    }
}

impl<'e, 'b> Emit<'e, 'b> {
    /// What was computed before, or what is now.
    pub fn once(&mut self, key: Key, compute: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some(value) = self.known.values.get(&key) {
            return *value;
        }
        let value = compute(self);
        self.known.set(key, value);
        value
    }

    /// A word of the state at hand.
    pub fn load_word(&mut self, offset: i32) -> Value {
        let (state, flags) = (self.state, self.flags.state);
        self.once(Key::Word(state, offset), |this| this.b.ins().load(types::I64, flags, state, offset))
    }

    /// Writes a word of the state at hand.
    pub fn store_word(&mut self, offset: i32, word: Value) {
        self.b.ins().store(self.flags.state, word, self.state, offset);
        self.known.set(Key::Word(self.state, offset), word);
        self.known.writes += 1;
    }

    /// A word of the state at hand, at an address in it.
    pub fn load_far(&mut self, address: Value, offset: i32) -> Value {
        let (flags, writes) = (self.flags.state, self.known.writes);
        self.once(Key::Far(address, offset, writes), |this| {
            this.b.ins().load(types::I64, flags, address, offset)
        })
    }

    /// Writes a word of the state at hand, which is one of these (any, if it is not known which).
    pub fn store_far(&mut self, address: Value, offset: i32, word: Value, words: Option<&[u32]>) {
        self.b.ins().store(self.flags.state, word, address, offset);
        match words {
            Some(words) => {
                words.iter().for_each(|at| self.known.forget(Key::Word(self.state, *at as i32 * 8)))
            }
            None => self.forget_words(),
        }
        self.known.writes += 1;
        self.known.set(Key::Far(address, offset, self.known.writes), word);
    }

    /// Any word of the state at hand may be written, if it may be at all.
    pub fn forget_words(&mut self) {
        if self.in_body {
            let of_state = |key: &&Key| matches!(key, Key::Word(state, _) if *state == self.state);
            let keys: Vec<Key> = self.known.values.keys().filter(of_state).copied().collect();
            for key in keys {
                self.known.forget(key);
            }
            self.known.writes += 1;
        }
    }

    /// Code that may be run again after itself.
    pub fn repeated<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.apart(|this| {
            this.forget_words();
            part(this)
        })
    }

    /// Code that is not run on every way to what follows.
    pub fn apart<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.known.mark();
        let done = part(self);
        let changed = self.known.back(mark);
        self.known.forget_all(&changed);
        done
    }
}
