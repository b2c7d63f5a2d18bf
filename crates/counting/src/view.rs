//! Elements as a rule or property sees those that it does not name.

use std::collections::HashMap;

use burnside_model::Model;
use burnside_model::code::Cell;

use crate::parts::{MARKS, Parts};
use crate::population::Register;
use crate::relevance::Relevance;

/// What is kept of extended local states, so that those that look alike are one.
pub(crate) struct View {
    /// For each counted domain, which cells of an element are kept, marks included, and in those which bits.
    kept: Vec<Vec<Cell>>,
    /// How many cells of marks there are, behind the others.
    masks: usize,
    /// The local state that stands for all that look like it, by local state.
    looks: HashMap<u32, u32>,
}

impl View {
    /// What is seen, as `relevance` says.
    pub fn new(model: &Model, parts: &Parts, relevance: &Relevance) -> View {
        let variable = |cell: u32| {
            let after = model.globals.iter().position(|global| global.offset > cell);
            (after.unwrap_or(model.globals.len()) - 1) as u32
        };
        let masks = parts.pointers.len().div_ceil(MARKS);
        let mut marks = vec![0; masks];
        for (i, pointer) in parts.pointers.iter().enumerate() {
            let variable = variable(parts.globals[pointer.global]);
            if relevance.seen.contains(&variable) || relevance.followed.contains(&variable) {
                marks[i / MARKS] |= 1 << (i % MARKS);
            }
        }
        let kept = parts.locals.iter().map(|elements| {
            let cells = elements.first().map_or(&[][..], |cells| cells);
            let whole = |cell: &u32| if relevance.seen.contains(&variable(*cell)) { -1 } else { 0 };
            cells.iter().map(whole).chain(marks.iter().copied()).collect()
        });
        View { kept: kept.collect(), masks, looks: HashMap::new() }
    }

    /// A local state that looks like this one and has no mark of a pointer that is not looked at. Of those that look
    /// alike, the first that was asked for stands for all.
    pub fn look(&mut self, register: &Register, local: u32) -> u32 {
        if let Some(look) = self.looks.get(&local) {
            return *look;
        }
        let (domain, cells) = register.cells(local);
        let kept = &self.kept[domain as usize];
        let alike = |other: &[Cell]| {
            kept.iter().zip(&cells).zip(other).all(|((kept, a), b)| match *kept {
                -1 => a == b,
                bits => a & bits == b & bits,
            })
        };
        let known = self.looks.values().copied().find(|look| {
            let (other, cells) = register.cells(*look);
            other == domain && alike(&cells)
        });
        let look = known.unwrap_or_else(|| {
            let mut cells = cells.clone();
            let first = cells.len() - self.masks;
            for (cell, bits) in cells[first..].iter_mut().zip(&kept[first..]) {
                *cell &= bits;
            }
            register.local(domain, cells)
        });
        self.looks.insert(local, look);
        look
    }
}
