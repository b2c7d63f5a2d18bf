//! States and their successors, one after the other in a few buffers that are used again and again: what threads hand to
//! each other allocates nothing.

use burnside_model::Deadline;
use burnside_model::code::{Cell, Stop};

use crate::conditions::Run;
use crate::moves::Moves;
use crate::places::Layout;
use crate::zone::{Bound, PackedZone, Zone};

/// Some states, and their successors once they are computed.
#[derive(Default)]
pub(crate) struct Batch {
    /// The states: nodes and discrete states, and where their zones end.
    jobs: Vec<(u32, u32, usize)>,
    /// The packed discrete states.
    keys: Vec<u8>,
    /// The packed zones.
    zones: Vec<u8>,
    /// For each state, how many successors there are up to it, and what went wrong after the last of them.
    ends: Vec<(usize, Option<Stop>)>,
    /// The steps to the successors.
    steps: Vec<u32>,
    /// Their cells.
    states: Vec<Cell>,
    /// Their matrices.
    cells: Vec<Bound>,
}

impl Batch {
    /// Empty, with the same memory.
    pub(crate) fn cleared(mut self) -> Batch {
        self.clear();
        self
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.jobs.clear();
        self.keys.clear();
        self.zones.clear();
        self.ends.clear();
        self.steps.clear();
        self.states.clear();
        self.cells.clear();
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Adds a state: its packed parts.
    pub(crate) fn add(&mut self, node: u32, discrete: u32, key: &[u8], zone: &[u8]) {
        self.keys.extend_from_slice(key);
        self.zones.extend_from_slice(zone);
        self.jobs.push((node, discrete, self.zones.len()));
    }

    /// Whether there is a state, by its number.
    pub(crate) fn has(&self, node: u32) -> bool {
        self.jobs.binary_search_by_key(&node, |job| job.0).is_ok()
    }

    /// The last state.
    pub(crate) fn last(&self) -> u32 {
        self.jobs.last().map_or(0, |job| job.0)
    }

    /// Computes the successors of all.
    pub(crate) fn compute(&mut self, moves: &mut Moves, layout: &Layout, deadline: Deadline) {
        let each = self.keys.len() / self.jobs.len().max(1);
        let mut zone = Zone::zero(moves.stepper.clocks.count());
        let mut first = 0;
        for at in 0..self.jobs.len() {
            let (_, discrete, end) = self.jobs[at];
            PackedZone::of(&self.zones[first..end]).unpack_into(&mut zone);
            first = end;
            let state = layout.unpack(&self.keys[at * each..][..each]);
            let wrong = self.expand(moves, discrete, state, &zone, deadline).err();
            self.ends.push((self.steps.len(), wrong));
        }
    }

    fn expand(
        &mut self,
        moves: &mut Moves,
        discrete: u32,
        state: Vec<Cell>,
        zone: &Zone,
        deadline: Deadline,
    ) -> Run<()> {
        let twins = moves.representatives.as_ref().map(|of| of.twins(&state, zone));
        let place = moves.place(discrete, || state, zone)?;
        moves.expand(&place, zone, twins.as_deref(), &mut |moves, state, zone, step| {
            if deadline.has_passed() {
                return Err(Stop::Deadline);
            }
            self.states.extend_from_slice(&state);
            self.cells.extend_from_slice(zone.cells());
            self.steps.push(step);
            moves.spare.give(state, zone);
            Ok(())
        })
    }

    /// Gives away the successors of a state, by its number, into a zone that is there already; what went wrong after the last of
    /// them.
    pub(crate) fn successors(
        &self,
        node: u32,
        zone: &mut Zone,
        mut arrive: impl FnMut(&[Cell], &Zone, u32),
    ) -> Option<Run<()>> {
        let at = self.jobs.binary_search_by_key(&node, |job| job.0).ok()?;
        let (end, wrong) = &self.ends[at];
        let first = if at == 0 { 0 } else { self.ends[at - 1].0 };
        let (size, matrix) = (self.states.len() / self.steps.len().max(1), zone.cells().len());
        for number in first..*end {
            zone.copy_cells(&self.cells[number * matrix..][..matrix]);
            arrive(&self.states[number * size..][..size], zone, self.steps[number]);
        }
        Some(wrong.clone().map_or(Ok(()), Err))
    }
}
