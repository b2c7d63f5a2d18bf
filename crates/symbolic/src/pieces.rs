//! What rule instances do, case by case where that is too large for all states at once.
//!
//! A rule that branches by what it reads, or writes where a variable says, makes functions of all of it. With some of it
//! known they are small. So a rule instance that takes many nodes is encoded for each content of the cell that it looks
//! at first, and so on, until each case is small; of a multiset, the number of slots in use comes first.

use burnside_encode::{EncodedCell, Encoding, Instance, Step};
use burnside_model::system::StateCell;

use crate::algebra::{Diagrams, Failed};
use crate::bdd::Bdd;

/// With more pieces than this, no more is split.
const MOST_PIECES: usize = 1 << 15;
/// Cells with more values than this are not looked at value by value.
const MOST_VALUES: u64 = 1 << 8;

/// What the instances do; of some, case by case.
pub fn steps<'i>(
    encoding: &Encoding<'_>,
    diagrams: &Diagrams<'_>,
    instances: &'i [Instance],
) -> Result<Vec<(&'i Instance, Step<Bdd>)>, Failed> {
    let mut room = diagrams.with_room(diagrams.sizes.component);
    let all = encoding.rules(&mut room, instances).map_err(Failed::from);
    if let Some(steps) = room.unless_large(all)? {
        return Ok(instances.iter().zip(steps).collect());
    }
    let cells = encoding.model.state_cells();
    let mut pieces = Pieces { encoding, diagrams, cells, all: Vec::new() };
    for instance in instances {
        pieces.split(instance, &mut Vec::new())?;
    }
    Ok(pieces.all)
}

struct Pieces<'p, 'm, 'i> {
    encoding: &'p Encoding<'m>,
    diagrams: &'p Diagrams<'p>,
    cells: Vec<StateCell>,
    all: Vec<(&'i Instance, Step<Bdd>)>,
}

/// Bits, and their values.
type Given = Vec<(usize, bool)>;

impl<'i> Pieces<'_, '_, 'i> {
    /// What an instance does where bits have these values.
    fn split(&mut self, instance: &'i Instance, given: &mut Given) -> Result<(), Failed> {
        self.diagrams.pause()?;
        let mut diagrams = self.diagrams.with_room(self.diagrams.sizes.instance);
        diagrams.given.clone_from(given);
        let encode = |diagrams: &mut Diagrams<'_>| {
            self.encoding.rules(diagrams, std::slice::from_ref(instance)).map_err(Failed::from)
        };
        let steps = encode(&mut diagrams);
        let steps = diagrams.unless_large(steps)?;
        let many = self.all.len() >= MOST_PIECES;
        let cases = if steps.is_some() || many { Vec::new() } else { self.cases(&diagrams) };
        if cases.is_empty() {
            let steps = steps.map_or_else(|| encode(&mut diagrams.with_room(usize::MAX)), Ok)?;
            return self.keep(instance, given, steps);
        }
        let length = given.len();
        for case in cases {
            given.extend(case);
            self.split(instance, given)?;
            given.truncate(length);
        }
        Ok(())
    }

    /// Takes the steps of one case.
    fn keep(&mut self, instance: &'i Instance, given: &Given, steps: Vec<Step<Bdd>>) -> Result<(), Failed> {
        let Diagrams { manager, variables, .. } = self.diagrams;
        let here = manager.cube(given.iter().map(|(bit, value)| (variables.now(*bit), *value)))?;
        for mut step in steps {
            let sets = [&mut step.guard, &mut step.next, &mut step.dropped].into_iter();
            let faults = step.faults.iter_mut().map(|case| &mut case.condition);
            let covers = step.covers.iter_mut().map(|(_, states)| states);
            for set in sets.chain(faults).chain(covers) {
                *set = set.and(&here)?;
            }
            if !step.guard.is_false() || !step.faults.is_empty() || !step.covers.is_empty() {
                self.all.push((instance, step));
            }
        }
        Ok(())
    }

    /// All that can be given next, where this much was given and looked at; nothing if everything is.
    fn cases(&self, diagrams: &Diagrams<'_>) -> Vec<Given> {
        let cells = self.encoding.cells();
        let known = |bit: usize| diagrams.given.iter().any(|(given, _)| *given == bit);
        let asked = || diagrams.asked.iter().map(|bit| self.encoding.bits()[*bit].cell);
        let slots = asked().find_map(|cell| {
            let slots = self.slots(self.cells[cell].slot? as usize);
            slots.iter().any(|slot| !known(cells[slot[0]].first)).then_some(slots)
        });
        if let Some(slots) = slots {
            let case = |size: usize| {
                let used = slots[..size].iter().map(|slot| (slot[0], 1));
                let free = slots[size..].iter().flatten().map(|cell| (*cell, 0));
                used.chain(free).flat_map(|(cell, number)| bits(&cells[cell], number)).collect()
            };
            return (0..=slots.len()).map(case).collect();
        }
        let numbers = |cell: &EncodedCell| cell.values + u64::from(cell.undefined);
        let cell = asked().map(|cell| &cells[cell]).find(|cell| numbers(cell) <= MOST_VALUES);
        let cases = |cell| (0..numbers(cell)).map(|number| bits(cell, number).collect()).collect();
        cell.map_or_else(Vec::new, cases)
    }

    /// The slots of the multiset to which a slot belongs: of each its cells, the first of which says whether it is in use.
    fn slots(&self, flag: usize) -> Vec<Vec<usize>> {
        let multiset = |flag: usize| self.cells[flag].name.rsplit_once('[').map(|(name, _)| name);
        let mut slots: Vec<Vec<usize>> = Vec::new();
        for (number, cell) in self.cells.iter().enumerate() {
            match cell.slot.map(|flag| flag as usize) {
                Some(own) if multiset(own) != multiset(flag) => {}
                Some(own) if own == number => slots.push(vec![number]),
                Some(_) => slots.last_mut().into_iter().for_each(|slot| slot.push(number)),
                None => {}
            }
        }
        slots
    }
}

/// The bits of a cell that holds a number.
fn bits(cell: &EncodedCell, number: u64) -> impl Iterator<Item = (usize, bool)> {
    let (first, width) = (cell.first, cell.width);
    (0..width).map(move |bit| (first + bit, number >> (width - 1 - bit) & 1 == 1))
}
