//! The bits of a state: how many each cell has and what they mean.
//!
//! A cell's bits are a number, most significant bit first. It is the cell's value counted from its type's least; where
//! the cell may be undefined, 0 is undefined and the values count from 1, as in [`burnside_model::Packing`]. Numbers
//! beyond the last value stand for it too, so that every vector of bits means a state; [`Encoding::valid`] tells the
//! one vector of each state that [`Encoding::pack`] makes.

use std::ops::ControlFlow;

use burnside_model::code::{Cell, Semantics, TypeId, UNDEFINED};
use burnside_model::system::{Machine, Outcome, System};
use burnside_model::{Model, stack};

use crate::algebra::{Algebra, Refusal};
use crate::defined;
use crate::number::{Number, mux};
use crate::value::Value;

/// How a cell is written in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedCell {
    /// Its first bit, the most significant.
    pub first: usize,
    /// How many bits; none if it has one value only.
    pub width: usize,
    /// The least value of its type.
    pub lo: i64,
    /// How many values its type has.
    pub values: u64,
    /// Whether it may be undefined, which is the number 0.
    pub undefined: bool,
    pub ty: TypeId,
}

/// One bit of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateBit {
    pub cell: usize,
    /// Which of its bits: 0 is the most significant.
    pub bit: usize,
}

/// A model, and how its states are written in bits.
#[derive(Clone, Debug)]
pub struct Encoding<'m> {
    pub model: &'m Model,
    /// The choices that the language leaves open.
    pub semantics: Semantics,
    cells: Vec<EncodedCell>,
    bits: Vec<StateBit>,
}

impl<'m> Encoding<'m> {
    pub fn new(model: &'m Model, semantics: Semantics) -> Result<Self, Refusal> {
        let (mut encoding, tys, undefined) = Encoding::unrestricted(model, semantics)?;
        let undefined = stack::in_thread(stack::thread("encode"), || {
            defined::may_be_undefined(&mut encoding, &tys, undefined.clone())
        })
        .unwrap_or(undefined);
        encoding.lay_out(&tys, &undefined);
        Ok(encoding)
    }

    /// The encoding of a model in which every cell may be undefined, whatever the model does: it covers all states, not
    /// only those in which cells have values that have one in every reachable state.
    pub fn of_all_states(model: &'m Model, semantics: Semantics) -> Result<Self, Refusal> {
        Ok(Encoding::unrestricted(model, semantics)?.0)
    }

    /// The same, with the type of each cell and whether it may be undefined.
    fn unrestricted(
        model: &'m Model,
        semantics: Semantics,
    ) -> Result<(Self, Vec<TypeId>, Vec<bool>), Refusal> {
        let described = model.state_cells();
        let mut undefined = vec![true; described.len()];
        for (number, cell) in (0..).zip(&described) {
            if model.types.size(cell.ty) >= u64::MAX >> 1 {
                let reason = format!("`{}` has more values than fit in 63 bits", cell.name);
                return Err(Refusal { reason, span: None });
            }
            // A multiset's "in use" is never undefined in a state.
            undefined[number] = cell.slot != Some(number as u32);
        }
        let mut encoding = Encoding { model, semantics, cells: Vec::new(), bits: Vec::new() };
        let tys: Vec<_> = described.iter().map(|cell| cell.ty).collect();
        encoding.lay_out(&tys, &undefined);
        Ok((encoding, tys, undefined))
    }

    /// Gives every cell its bits.
    pub(crate) fn lay_out(&mut self, tys: &[TypeId], undefined: &[bool]) {
        self.cells.clear();
        self.bits.clear();
        for (cell, (ty, undefined)) in tys.iter().zip(undefined).enumerate() {
            let values = self.model.types.size(*ty);
            let most = (values + u64::from(*undefined)).saturating_sub(1);
            let width = 64 - most.leading_zeros() as usize;
            let lo = self.model.types.bounds(*ty).0;
            let first = self.bits.len();
            self.cells.push(EncodedCell { first, width, lo, values, undefined: *undefined, ty: *ty });
            self.bits.extend((0..width).map(|bit| StateBit { cell, bit }));
        }
    }

    /// The bits of a state, in order: cell by cell, most significant first.
    pub fn bits(&self) -> &[StateBit] {
        &self.bits
    }

    /// How each cell is written.
    pub fn cells(&self) -> &[EncodedCell] {
        &self.cells
    }

    /// The bits of a state.
    pub fn pack(&self, state: &[Cell]) -> Vec<bool> {
        let mut bits = Vec::with_capacity(self.bits.len());
        for (cell, value) in self.cells.iter().zip(state) {
            let number = cell.number(*value);
            bits.extend((0..cell.width).rev().map(|i| number >> i & 1 == 1));
        }
        bits
    }

    pub fn unpack(&self, bits: &[bool]) -> Vec<Cell> {
        let content = |cell: &EncodedCell| {
            let bits = &bits[cell.first..cell.first + cell.width];
            cell.content(bits.iter().fold(0, |number, bit| number << 1 | u64::from(*bit)))
        };
        self.cells.iter().map(content).collect()
    }

    /// The function that holds in this state only.
    pub fn cube<A: Algebra>(&self, alg: &mut A, state: &[Cell]) -> Result<A::F, A::Error> {
        let bits = self.pack(state);
        let mut cube = alg.constant(true);
        // From the last bit on: where bits are ordered as they come, a diagram grows at its top.
        for (bit, value) in bits.iter().enumerate().rev() {
            let var = alg.var(bit)?;
            let literal = if *value { var } else { alg.not(&var)? };
            cube = alg.and(&literal, &cube)?;
        }
        Ok(cube)
    }

    /// The start states. What goes wrong in a start state, [`Machine::initial`] says.
    pub fn initial<A: Algebra>(&self, alg: &mut A) -> Result<A::F, A::Error> {
        let mut cubes = Vec::new();
        let mut failed = None;
        // The machine has no deadline.
        let _ = Machine::new(self.model, self.semantics).initial(&mut |step| {
            if let Outcome::State(state) = step.outcome {
                match self.cube(alg, state) {
                    Ok(cube) => cubes.push(cube),
                    Err(error) => failed = Some(error),
                }
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        // Pairwise, so that large functions meet late.
        while cubes.len() > 1 {
            let pairs = cubes.chunks(2).map(|pair| match pair {
                [a, b] => alg.or(a, b),
                _ => Ok(pair[0].clone()),
            });
            cubes = pairs.collect::<Result<_, _>>()?;
        }
        Ok(cubes.pop().unwrap_or_else(|| alg.constant(false)))
    }

    /// Whether the bits are those that [`Encoding::pack`] gives to some values of the cells.
    pub fn valid<A: Algebra>(&self, alg: &mut A) -> Result<A::F, A::Error> {
        let mut valid = alg.constant(true);
        for cell in self.cells.iter().rev() {
            let excess = self.excess(alg, cell)?;
            let fine = alg.not(&excess)?;
            valid = alg.and(&fine, &valid)?;
        }
        Ok(valid)
    }

    /// A cell's bits, least significant first.
    fn vars<A: Algebra>(&self, alg: &mut A, cell: &EncodedCell) -> Result<Vec<A::F>, A::Error> {
        (0..cell.width).rev().map(|i| alg.var(cell.first + i)).collect()
    }

    /// Whether a cell's number is beyond the last value.
    fn excess<A: Algebra>(&self, alg: &mut A, cell: &EncodedCell) -> Result<A::F, A::Error> {
        let most = cell.most();
        if most == u64::MAX >> (64 - cell.width.max(1)) || cell.width == 0 {
            return Ok(alg.constant(false));
        }
        let mut bits = self.vars(alg, cell)?;
        bits.push(alg.constant(false));
        let number: Number<A> = Number::new(alg, bits, 0, u64::MAX.into());
        let most = Number::constant(alg, most.into());
        most.less(alg, &number)
    }

    /// What a cell of the current state holds.
    pub(crate) fn decode<A: Algebra>(&self, alg: &mut A, cell: usize) -> Result<Value<A>, A::Error> {
        let cell = &self.cells[cell];
        if cell.values == 0 {
            return Ok(Value::undefined(alg));
        }
        let excess = self.excess(alg, cell)?;
        let mut bits = self.vars(alg, cell)?;
        for (i, bit) in bits.iter_mut().enumerate() {
            let last = alg.constant(cell.most() >> i & 1 == 1);
            *bit = mux(alg, &excess, &last, bit)?;
        }
        let mut undefined = alg.constant(false);
        if cell.undefined {
            let mut some = undefined;
            for bit in &bits {
                some = alg.or(&some, bit)?;
            }
            undefined = alg.not(&some)?;
        }
        let number = Number::unsigned(alg, bits, cell.most(), cell.lo - i64::from(cell.undefined))?;
        let number = number.within(alg, cell.lo.into(), i128::from(cell.lo) + i128::from(cell.values) - 1);
        Ok(Value { undefined, number })
    }

    /// A cell's bits for a value, most significant first.
    pub(crate) fn encode<A: Algebra>(
        &self,
        alg: &mut A,
        cell: usize,
        value: &Value<A>,
    ) -> Result<Vec<A::F>, A::Error> {
        let cell = &self.cells[cell];
        let bias = Number::constant(alg, i128::from(cell.lo) - i128::from(cell.undefined));
        let number = value.number.sub(alg, &bias)?;
        let zero = alg.constant(false);
        let mut bits = Vec::with_capacity(cell.width);
        for i in (0..cell.width).rev() {
            bits.push(match cell.undefined {
                true => mux(alg, &value.undefined, &zero, number.bit(i))?,
                false => number.bit(i).clone(),
            });
        }
        Ok(bits)
    }
}

impl EncodedCell {
    /// The greatest number that is in use.
    fn most(&self) -> u64 {
        (self.values + u64::from(self.undefined)).saturating_sub(1)
    }

    /// The number of a content.
    pub fn number(&self, value: Cell) -> u64 {
        if value == UNDEFINED { 0 } else { value.wrapping_sub(self.lo) as u64 + u64::from(self.undefined) }
    }

    pub fn content(&self, number: u64) -> Cell {
        match number.min(self.most()) {
            0 if self.undefined => UNDEFINED,
            number => (number - u64::from(self.undefined)) as Cell + self.lo,
        }
    }
}
