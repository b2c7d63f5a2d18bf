//! Values of expressions: constants, or registers with what is known of them.
//!
//! An expression compiles to straight code wherever possible: what may go wrong on the way is collected in one bit, the
//! *poison*. Until it is looked at, the registers may hold nonsense; only then is it settled whether the instance is left
//! to the interpreter. Code that cannot live with nonsense (a branch, a division) looks first, an index is clamped.

use burnside_model::Span;
use burnside_model::code::UNDEFINED;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::Emit;
use super::known::Key;
use crate::context::offset;

/// A defined value: `base + off`, or `off` if it is a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    pub base: Option<Value>,
    pub off: i64,
    /// The least it can be.
    pub lo: i64,
    /// The greatest it can be.
    pub hi: i64,
    /// Whether it is within these bounds even if there is poison.
    pub exact: bool,
}

impl Val {
    pub fn constant(value: i64) -> Self {
        Val { base: None, off: value, lo: value, hi: value, exact: true }
    }

    pub fn register(base: Value, lo: i64, hi: i64) -> Self {
        Val { base: Some(base), off: 0, lo, hi, exact: false }
    }

    pub fn known(&self) -> Option<i64> {
        if self.base.is_none() { Some(self.off) } else { None }
    }

    pub fn within(&self, (lo, hi): (i64, i64)) -> bool {
        self.lo >= lo && self.hi <= hi
    }
}

/// A truth value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cond {
    Const(bool),
    /// 0 or 1, of type `I8`.
    Is(Value),
}

/// A value that may be undefined.
#[derive(Clone, Copy, Debug)]
pub(super) enum Copied {
    Undefined,
    Value(Val),
    /// As in the packed state: 0 is undefined, 1 is `lo`.
    Raw {
        bits: Value,
        lo: i64,
        hi: i64,
    },
    /// As in local memory: the interpreter's representation.
    Cell {
        value: Value,
        lo: i64,
        hi: i64,
    },
}

impl Emit<'_, '_> {
    pub fn iconst(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    pub fn bit(&mut self, value: bool) -> Value {
        self.b.ins().iconst(types::I8, i64::from(value))
    }

    pub fn register(&mut self, val: Val) -> Value {
        match val.base {
            None => self.iconst(val.off),
            Some(base) if val.off == 0 => base,
            Some(base) => self.once(Key::Plus(base, val.off), |this| this.b.ins().iadd_imm_s(base, val.off)),
        }
    }

    /// The register of `val + delta`.
    pub fn shifted(&mut self, val: Val, delta: i64) -> Value {
        self.register(Val { off: val.off.wrapping_add(delta), ..val })
    }

    pub fn compare_imm(&mut self, cc: IntCC, a: Value, b: i64) -> Value {
        if cc == IntCC::Equal {
            return self.once(Key::Is(a, b), |this| this.b.ins().icmp_imm_s(cc, a, b));
        }
        self.b.ins().icmp_imm_s(cc, a, b)
    }

    pub fn cond_register(&mut self, cond: Cond) -> Value {
        match cond {
            Cond::Const(value) => self.bit(value),
            Cond::Is(value) => value,
        }
    }

    pub fn not(&mut self, cond: Cond) -> Cond {
        match cond {
            Cond::Const(value) => Cond::Const(!value),
            Cond::Is(value) => Cond::Is(self.inverse(value)),
        }
    }

    fn inverse(&mut self, value: Value) -> Value {
        let inverse = self.once(Key::Not(value), |this| this.b.ins().bxor_imm_u(value, 1));
        // The inverse of the inverse needs no code.
        self.once(Key::Not(inverse), |_| value);
        inverse
    }

    /// From here on, a truth value is known.
    pub fn suppose(&mut self, cond: Value, truth: bool) {
        let false_one = if truth { self.known.get(Key::Not(cond)) } else { Some(cond) };
        if let Some(value) = false_one {
            self.once(Key::False(value), |_| value);
        }
    }

    pub fn and(&mut self, a: Cond, b: Cond) -> Cond {
        match (a, b) {
            (Cond::Const(true), c) | (c, Cond::Const(true)) => c,
            (Cond::Const(false), _) | (_, Cond::Const(false)) => Cond::Const(false),
            (Cond::Is(a), Cond::Is(b)) => Cond::Is(self.b.ins().band(a, b)),
        }
    }

    pub fn or(&mut self, a: Cond, b: Cond) -> Cond {
        match (a, b) {
            (Cond::Const(false), c) | (c, Cond::Const(false)) => c,
            (Cond::Const(true), _) | (_, Cond::Const(true)) => Cond::Const(true),
            (Cond::Is(a), Cond::Is(b)) => Cond::Is(self.b.ins().bor(a, b)),
        }
    }

    pub fn cond_val(&mut self, cond: Cond) -> Val {
        match cond {
            Cond::Const(value) => Val::constant(i64::from(value)),
            Cond::Is(value) => {
                let wide = self.b.ins().uextend(types::I64, value);
                Val { exact: true, ..Val::register(wide, 0, 1) }
            }
        }
    }

    pub fn val_cond(&mut self, val: Val) -> Cond {
        match val.base {
            None => Cond::Const(val.off != 0),
            Some(_) if val.lo > 0 || val.hi < 0 => Cond::Const(true),
            // Of the two values, compare with the greater: its bits are not 0.
            Some(base) if val.within((0, 1)) => {
                Cond::Is(self.compare_imm(IntCC::Equal, base, 1i64.wrapping_sub(val.off)))
            }
            Some(base) => Cond::Is(self.compare_imm(IntCC::NotEqual, base, val.off.wrapping_neg())),
        }
    }

    /// Poison if the bit is set.
    pub fn poison_if(&mut self, cond: Cond) {
        let value = match cond {
            Cond::Const(false) => return,
            Cond::Const(true) => self.bit(true),
            Cond::Is(value) if self.known.get(Key::False(value)).is_some() => return,
            Cond::Is(value) => value,
        };
        self.suspects.push(value);
        self.poison = Some(match self.poison {
            None => value,
            Some(poison) => self.b.ins().bor(poison, value),
        });
    }

    /// Looks at the poison: the instance goes to the interpreter if there is any.
    pub fn settle(&mut self) {
        if let Some(poison) = self.poison.take() {
            let next = self.b.create_block();
            self.b.ins().brif(poison, self.redo, &[], next, &[]);
            self.b.switch_to_block(next);
            for suspect in std::mem::take(&mut self.suspects) {
                self.suppose(suspect, false);
            }
        }
    }

    /// Whether a value is outside of a range.
    pub fn outside(&mut self, val: Val, (lo, hi): (i64, i64)) -> Cond {
        if val.within((lo, hi)) {
            return Cond::Const(false);
        }
        if val.hi < lo || val.lo > hi || lo > hi {
            return Cond::Const(true);
        }
        let from = self.shifted(val, lo.wrapping_neg());
        let width = hi.wrapping_sub(lo);
        Cond::Is(self.once(Key::Above(from, width), |this| {
            let width = this.iconst(width);
            this.b.ins().icmp(IntCC::UnsignedGreaterThan, from, width)
        }))
    }

    pub fn undefined(&mut self, copied: Copied) -> Cond {
        match copied {
            Copied::Undefined => Cond::Const(true),
            Copied::Value(_) => Cond::Const(false),
            Copied::Raw { bits, .. } => Cond::Is(self.compare_imm(IntCC::Equal, bits, 0)),
            Copied::Cell { value, .. } => Cond::Is(self.compare_imm(IntCC::Equal, value, UNDEFINED)),
        }
    }

    /// The value, taken to be defined.
    pub fn assume_defined(&mut self, copied: Copied) -> Val {
        match copied {
            Copied::Undefined => Val::constant(0),
            Copied::Value(val) => val,
            Copied::Raw { bits, lo, hi } => {
                Val { base: Some(bits), off: lo.wrapping_sub(1), lo, hi, exact: false }
            }
            Copied::Cell { value, lo, hi } => Val::register(value, lo, hi),
        }
    }

    /// The value; poison if it is undefined.
    pub fn strict(&mut self, copied: Copied) -> Val {
        let undefined = self.undefined(copied);
        self.poison_if(undefined);
        self.assume_defined(copied)
    }

    /// As the interpreter represents it.
    pub fn cell(&mut self, copied: Copied) -> Value {
        match copied {
            Copied::Undefined => self.iconst(UNDEFINED),
            Copied::Value(val) => self.register(val),
            Copied::Cell { value, .. } => value,
            Copied::Raw { bits, lo, .. } => {
                let undefined = self.compare_imm(IntCC::Equal, bits, 0);
                let value = self.b.ins().iadd_imm_s(bits, lo.wrapping_sub(1));
                let nothing = self.iconst(UNDEFINED);
                self.b.ins().select(undefined, nothing, value)
            }
        }
    }

    /// As the packed state represents it in a cell whose least value is `lo`: a constant, or a register.
    pub fn bits(&mut self, copied: Copied, lo: i64) -> Result<u64, Value> {
        match copied {
            Copied::Undefined => Ok(0),
            Copied::Value(val) => {
                let delta = 1i64.wrapping_sub(lo);
                match val.known() {
                    Some(value) => Ok(value.wrapping_add(delta) as u64),
                    None => Err(self.shifted(val, delta)),
                }
            }
            Copied::Raw { bits, lo: from, .. } if from == lo => Err(bits),
            Copied::Raw { .. } | Copied::Cell { .. } => {
                let undefined = self.undefined(copied);
                let undefined = self.cond_register(undefined);
                let val = self.assume_defined(copied);
                let value = self.shifted(val, 1i64.wrapping_sub(lo));
                let nothing = self.iconst(0);
                Err(self.b.ins().select(undefined, nothing, value))
            }
        }
    }

    /// Whether two values of one type are the same; undefined is the same as undefined only.
    pub fn equal_or_undefined(&mut self, a: Copied, b: Copied) -> Cond {
        match (a, b) {
            (Copied::Value(a), Copied::Value(b)) => self.equal(a, b),
            (Copied::Undefined, other) | (other, Copied::Undefined) => self.undefined(other),
            // Both as in the packed state, where undefined is 0 and no value is.
            (Copied::Raw { bits, lo, hi }, Copied::Value(val))
            | (Copied::Value(val), Copied::Raw { bits, lo, hi })
                if val.within((lo, hi)) =>
            {
                Cond::Is(match self.bits(Copied::Value(val), lo) {
                    Ok(constant) => self.compare_imm(IntCC::Equal, bits, constant as i64),
                    Err(register) => self.b.ins().icmp(IntCC::Equal, bits, register),
                })
            }
            (Copied::Raw { bits: a, lo, .. }, Copied::Raw { bits: b, lo: same, .. }) if lo == same => {
                Cond::Is(self.b.ins().icmp(IntCC::Equal, a, b))
            }
            _ => {
                let (a, b) = (self.cell(a), self.cell(b));
                Cond::Is(self.b.ins().icmp(IntCC::Equal, a, b))
            }
        }
    }

    /// Poison if it is undefined and this is not known for the place yet: the interpreter notes it.
    pub fn note_use(&mut self, value: Copied, span: Span) {
        let undefined = match self.undefined(value) {
            Cond::Const(false) => return,
            undefined => undefined,
        };
        let site = self.unit.site(span) as i32;
        let sites = self.b.ins().load(types::I64, self.flags.constant, self.context, offset::SITES);
        let noted = self.b.ins().load(types::I8, self.flags.context, sites, site);
        let fresh = self.b.ins().bxor_imm_u(noted, 1);
        let unknown = self.and(undefined, Cond::Is(fresh));
        self.poison_if(unknown);
    }

    /// The least and greatest value it can have, if it has one.
    pub fn bounds(&self, copied: Copied) -> (i64, i64) {
        match copied {
            Copied::Undefined => (i64::MAX, UNDEFINED + 1),
            Copied::Value(val) => (val.lo, val.hi),
            Copied::Raw { lo, hi, .. } | Copied::Cell { lo, hi, .. } => (lo, hi),
        }
    }

    /// Poison if it is defined and outside of a range.
    pub fn check_range(&mut self, copied: Copied, bounds: (i64, i64)) {
        let (lo, hi) = self.bounds(copied);
        if lo > hi || (lo >= bounds.0 && hi <= bounds.1) {
            return;
        }
        let undefined = self.undefined(copied);
        let val = self.assume_defined(copied);
        let outside = self.outside(val, bounds);
        let defined = self.not(undefined);
        let bad = self.and(outside, defined);
        self.poison_if(bad);
    }
}
