//! Cells that have a value in every state that is reached, so that reading them needs no check.
//!
//! At first these are the cells that every start state defines. A statement that may make one of them undefined is noticed
//! when its code is made; then all code is made again without that cell, until nothing more is noticed: what is left
//! stays defined, whichever rule fires. Cells that differ in indices only count as one, and so do those of variables
//! that may change places, so a permutation of elements changes nothing about this.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use burnside_model::code::{GlobalId, Semantics, TypeId, TypeKind, Types, UNDEFINED};
use burnside_model::system::{Machine, Outcome, System};
use burnside_model::{Deadline, Model};

use super::places::Addr;

/// With more start states, or when they take longer, nothing is known.
const MOST_STARTS: usize = 256;
const MOST_TIME: Duration = Duration::from_millis(100);

/// The cells that are always defined.
pub(crate) struct Defined {
    /// For each cell, the one it counts as; none inside of multisets, which are empty now and then.
    class: Vec<Option<u32>>,
    /// Whether the cells that count as this one are always defined.
    always: Vec<bool>,
    /// What turned out not to be.
    lost: RefCell<BTreeSet<u32>>,
}

impl Defined {
    /// The cells that every start state defines.
    pub fn at_start(model: &Model, semantics: Semantics) -> Self {
        let mut class = vec![None; model.cells as usize];
        let mirrored = model.mirrored.as_ref().map_or(&[][..], |(_, globals)| globals);
        for (id, global) in (0..).map(GlobalId).zip(&model.globals) {
            // Of variables that may change places, those that can do so are as large as each other.
            let alike = |other: &&GlobalId| {
                let other = &model.globals[other.0 as usize];
                mirrored.contains(&id) && model.types[other.ty].cells == model.types[global.ty].cells
            };
            let like =
                mirrored.iter().find(alike).map_or(global.offset, |id| model.globals[id.0 as usize].offset);
            classify(&model.types, global.ty, (global.offset, like), &mut class);
        }
        let mut always = vec![true; class.len()];
        let mut machine = Machine::new(model, semantics);
        machine.set_deadline(Deadline::new(Some(MOST_TIME), None));
        let mut starts = 0;
        let ran = machine.initial(&mut |step| {
            starts += 1;
            if let Outcome::State(state) = step.outcome {
                for (value, class) in state.iter().zip(&class) {
                    if let (UNDEFINED, Some(class)) = (*value, class) {
                        always[*class as usize] = false;
                    }
                }
            }
            if starts < MOST_STARTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if ran.is_err() || starts >= MOST_STARTS {
            always.fill(false);
        }
        Defined { class, always, lost: RefCell::default() }
    }

    /// Whether what is there always has a value.
    pub(super) fn has(&self, addr: &Addr) -> bool {
        let class = self.class.get(addr.cell as usize).copied().flatten();
        addr.regular() && class.is_some_and(|class| self.always[class as usize])
    }

    /// What is there may become undefined.
    pub(super) fn lose(&self, addr: &Addr) {
        if addr.regular() {
            self.lost.borrow_mut().extend(self.class.get(addr.cell as usize).copied().flatten());
        } else {
            self.lose_all();
        }
    }

    /// Anything may become undefined.
    pub fn lose_all(&self) {
        self.lost.borrow_mut().extend(self.class.iter().flatten());
    }

    /// Leaves out what turned out to become undefined; whether there was any.
    pub fn settle(&mut self) -> bool {
        let mut changed = false;
        for class in self.lost.take() {
            changed |= std::mem::take(&mut self.always[class as usize]);
        }
        changed
    }
}

/// Says what the cells of a value count as that begins at a cell and counts as one that begins at another.
fn classify(types: &Types, ty: TypeId, (cell, like): (u32, u32), class: &mut [Option<u32>]) {
    match &types[ty].kind {
        TypeKind::Array { index, element } => {
            for i in 0..types.size(*index) as u32 {
                classify(types, *element, (cell + i * types[*element].cells, like), class);
            }
        }
        TypeKind::Record(fields) => {
            for field in fields {
                classify(types, field.ty, (cell + field.offset, like + field.offset), class);
            }
        }
        TypeKind::Multiset { .. } => {}
        _ => class[cell as usize] = Some(like),
    }
}
