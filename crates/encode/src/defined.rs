//! Which cells of a state may be undefined: the others need no code for it.
//!
//! A cell has a value in every reachable state if it has one in every start state and every step from states in which
//! such cells have values leaves it one. Steps are those of symbolic execution itself, over the three truth values
//! *no*, *yes* and *unknown*, with every bit of the state unknown. The entries of an array are treated alike, so that
//! permuting them moves whole bits.

use std::convert::Infallible;
use std::ops::ControlFlow;

use burnside_model::code::{TypeId, TypeKind, Types, UNDEFINED};
use burnside_model::system::{Machine, Outcome, System};

use crate::algebra::Algebra;
use crate::encoding::Encoding;
use crate::run::Runner;

/// Steps after which a rule counts as one that may do anything.
const MOST_STEPS: u64 = 100_000;

/// Truth values, one of them unknown.
struct Ternary;

/// No, yes, or unknown; what is unknown equals nothing.
#[derive(Clone, Copy)]
struct Truth(Option<bool>);

impl PartialEq for Truth {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}

impl Algebra for Ternary {
    type F = Truth;
    type Error = Infallible;

    fn constant(&mut self, value: bool) -> Truth {
        Truth(Some(value))
    }

    fn var(&mut self, _: usize) -> Result<Truth, Infallible> {
        Ok(Truth(None))
    }

    fn not(&mut self, f: &Truth) -> Result<Truth, Infallible> {
        Ok(Truth(f.0.map(|f| !f)))
    }

    fn and(&mut self, f: &Truth, g: &Truth) -> Result<Truth, Infallible> {
        Ok(Truth(match (f.0, g.0) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }))
    }

    fn or(&mut self, f: &Truth, g: &Truth) -> Result<Truth, Infallible> {
        Ok(Truth(match (f.0, g.0) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }))
    }

    fn xor(&mut self, f: &Truth, g: &Truth) -> Result<Truth, Infallible> {
        Ok(Truth(f.0.zip(g.0).map(|(f, g)| f != g)))
    }

    fn ite(&mut self, c: &Truth, f: &Truth, g: &Truth) -> Result<Truth, Infallible> {
        Ok(match c.0 {
            Some(true) => *f,
            Some(false) => *g,
            None if f == g => *f,
            None => Truth(None),
        })
    }

    fn is_false(&self, f: &Truth) -> bool {
        f.0 == Some(false)
    }

    fn is_true(&self, f: &Truth) -> bool {
        f.0 == Some(true)
    }
}

/// Which cells may be undefined, of those that are not known to be defined already.
pub(crate) fn may_be_undefined(
    encoding: &mut Encoding<'_>,
    tys: &[TypeId],
    candidates: Vec<bool>,
) -> Vec<bool> {
    let mut undefined = at_start(encoding, &candidates);
    let Ok(components) = encoding.instances() else { return candidates };
    let kinds = kinds(encoding);
    loop {
        level(&mut undefined, &kinds);
        encoding.lay_out(tys, &undefined);
        let before = undefined.clone();
        for instance in components.iter().flat_map(|component| &component.instances) {
            let rule = &encoding.model.rules[instance.rule as usize];
            let mut ternary = Ternary;
            let mut runner = Runner::new(encoding, &mut ternary, MOST_STEPS);
            if runner.fire(rule, &instance.args).is_err() {
                return candidates;
            }
            if runner.path.0 == Some(false) {
                continue;
            }
            for cell in runner.written() {
                let defined = runner.cell(cell).is_ok_and(|value| value.undefined.0 == Some(false));
                undefined[cell] |= candidates[cell] && !defined;
            }
        }
        if undefined == before {
            return undefined;
        }
    }
}

/// Those that are undefined in some start state.
fn at_start(encoding: &Encoding<'_>, candidates: &[bool]) -> Vec<bool> {
    let mut undefined = vec![false; candidates.len()];
    // The machine has no deadline.
    let _ = Machine::new(encoding.model, encoding.semantics).initial(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            for ((undefined, candidate), value) in undefined.iter_mut().zip(candidates).zip(state) {
                *undefined |= *candidate && *value == UNDEFINED;
            }
        }
        ControlFlow::Continue(())
    });
    undefined
}

/// What each cell is, whatever the indices and slots on the way to it.
fn kinds(encoding: &Encoding<'_>) -> Vec<usize> {
    let (mut kinds, mut next) = (Vec::new(), 0);
    for global in &encoding.model.globals {
        add_kinds(&encoding.model.types, global.ty, &mut next, &mut kinds);
    }
    kinds
}

fn add_kinds(types: &Types, ty: TypeId, next: &mut usize, kinds: &mut Vec<usize>) {
    match &types[ty].kind {
        TypeKind::Array { element, .. } => {
            let first = *next;
            for _ in 0..types[ty].cells / types[*element].cells.max(1) {
                *next = first;
                add_kinds(types, *element, next, kinds);
            }
        }
        TypeKind::Multiset { capacity, element } => {
            let first = *next;
            for _ in 0..*capacity {
                kinds.push(first);
                *next = first + 1;
                add_kinds(types, *element, next, kinds);
            }
        }
        TypeKind::Record(fields) => {
            fields.iter().for_each(|field| add_kinds(types, field.ty, next, kinds));
        }
        _ => {
            kinds.push(*next);
            *next += 1;
        }
    }
}

/// Cells of one kind are undefined together.
fn level(undefined: &mut [bool], kinds: &[usize]) {
    let mut some = vec![false; kinds.len()];
    for (kind, undefined) in kinds.iter().zip(&*undefined) {
        some[*kind] |= *undefined;
    }
    for (kind, undefined) in kinds.iter().zip(undefined) {
        *undefined = some[*kind];
    }
}
