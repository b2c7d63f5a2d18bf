//! Elements as a rule or property sees those that it does not name.

use std::collections::HashMap;

use burnside_model::code::Cell;

use crate::atoms::Atom;
use crate::counters::Counting;
use crate::parts::MARKS;
use crate::relevance::Relevance;

/// What is seen of extended local states, so that those that look alike are one.
pub(crate) struct View<'m> {
    /// What is asked of elements.
    atoms: Vec<Atom<'m>>,
    /// For each counted domain, which cells of an element are seen otherwise.
    seen: Vec<Vec<bool>>,
    /// The marks of the pointers that are mentioned.
    marks: Vec<Cell>,
    /// The local state that stands for all with the same look, by globals and local state.
    looks: HashMap<(u32, u32), u32>,
    /// The same by look.
    known: HashMap<Look, u32>,
}

/// The globals and domain; what the atoms say; the cells and marks that are seen.
type Look = (u32, u32, Vec<u32>, Vec<Cell>);

impl<'m> View<'m> {
    /// What is seen, as `relevance` says.
    pub fn new(counting: &Counting<'m>, relevance: &Relevance<'m>) -> View<'m> {
        let (model, parts) = (counting.model, &counting.parts);
        let mut marks = vec![0; parts.pointers.len().div_ceil(MARKS)];
        for (i, pointer) in parts.pointers.iter().enumerate() {
            let variable = variable(model, parts.globals[pointer.global]);
            if relevance.mentioned.contains(&variable) || relevance.followed.contains(&variable) {
                marks[i / MARKS] |= 1 << (i % MARKS);
            }
        }
        let seen = parts.locals.iter().map(|elements| {
            let cells = elements.first().map_or(&[][..], |cells| cells);
            cells.iter().map(|cell| relevance.seen.contains(&variable(model, *cell))).collect()
        });
        let (atoms, seen) = (relevance.atoms.clone(), seen.collect());
        View { atoms, seen, marks, looks: HashMap::new(), known: HashMap::new() }
    }

    /// Whether it can be seen which element a pointer holds.
    pub fn shows(&self, pointer: usize) -> bool {
        self.marks[pointer / MARKS] >> (pointer % MARKS) & 1 == 1
    }

    /// A local state that looks like this one and has no mark of a pointer that is not looked at. Of those that look
    /// alike, the first that was asked for stands for all.
    pub fn look(&mut self, counting: &Counting<'m>, globals: u32, local: u32) -> u32 {
        if let Some(look) = self.looks.get(&(globals, local)) {
            return *look;
        }
        let Counting { model, parts, register, semantics, .. } = counting;
        let (domain, mut cells) = register.cells(local);
        let seen = &self.seen[domain as usize];
        let (own, marks) = cells.split_at_mut(seen.len());
        marks.iter_mut().zip(&self.marks).for_each(|(cell, marks)| *cell &= marks);
        let shown = own.iter().zip(seen).filter(|(_, seen)| **seen).map(|(cell, _)| *cell);
        let shown: Vec<Cell> = shown.chain(marks.iter().copied()).collect();
        let mut said = Vec::with_capacity(self.atoms.len());
        if !self.atoms.is_empty() {
            let mut alone: Vec<Vec<&[Cell]>> = vec![Vec::new(); parts.domains.len()];
            alone[domain as usize].push(&cells);
            let state = parts.join(model, &register.globals(globals), &alone);
            for atom in &self.atoms {
                let ty = atom.frame[atom.element].ty;
                let domains = model.types.domains_of(ty);
                let this = domains.into_iter().find(|(d, _)| *d == parts.domains[domain as usize]);
                said.push(match this {
                    Some((d, first)) => {
                        let element = first + Cell::from(model.types.offset(d, 0));
                        atom.holds(model, *semantics, &state, element)
                    }
                    None => 3,
                });
            }
        }
        let known = self.known.entry((globals, domain, said, shown));
        let look = *known.or_insert_with(|| register.local(domain, cells));
        self.looks.insert((globals, local), look);
        look
    }
}

/// The variable that a cell belongs to.
pub(crate) fn variable(model: &burnside_model::Model, cell: u32) -> u32 {
    let after = model.globals.iter().position(|global| global.offset > cell);
    after.unwrap_or(model.globals.len()) as u32 - 1
}
