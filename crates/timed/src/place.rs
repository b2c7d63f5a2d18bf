//! What is the same for all zones of a discrete state: computed when it is asked for, and kept while there is room.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use burnside_model::code::Cell;
use foldhash::fast::RandomState;

use crate::conditions::Run;
use crate::steps::{Outcome, Standing, Step, Stepper, Within};
use crate::symmetry::Representatives;

/// How many bytes the computed parts may take.
const ROOM: usize = 1 << 17;

/// What a step leads to, and what holds there.
pub type Reached = Rc<(Outcome, Standing)>;

/// A discrete state with what is the same for all its zones.
pub struct Place {
    pub state: Vec<Cell>,
    /// The steps that can be taken.
    pub steps: Vec<Step>,
    /// The elements of symmetry domains that each step names, in order.
    pub named: Vec<Vec<(usize, u32)>>,
    /// Whether time stands still.
    pub still: bool,
    /// What the steps lead to, once that was asked.
    outcomes: RefCell<Vec<Option<Reached>>>,
}

impl Place {
    /// What a step leads to.
    pub fn outcome(&self, stepper: &mut Stepper, step: usize) -> Run<Reached> {
        if let Some(known) = &self.outcomes.borrow()[step] {
            return Ok(known.clone());
        }
        let outcome = stepper.take(&self.state, &self.steps[step])?;
        let standing = stepper.standing(&outcome.state)?;
        let both = Rc::new((outcome, standing));
        self.outcomes.borrow_mut()[step] = Some(both.clone());
        Ok(both)
    }

    /// A discrete state with the steps that are asked for.
    pub fn new(
        state: Vec<Cell>,
        stepper: &mut Stepper,
        representatives: Option<&Representatives>,
        within: Within,
    ) -> Run<Place> {
        let standing = stepper.standing(&state)?;
        let steps = stepper.steps_within(&state, within)?;
        let still = standing.still || stepper.is_urgent(&steps);
        let named = match representatives {
            Some(representatives) => steps.iter().map(|step| stepper.named(step, representatives)).collect(),
            None => Vec::new(),
        };
        let outcomes = RefCell::new(vec![None; steps.len()]);
        Ok(Place { state, steps, named, still, outcomes })
    }
}

/// The discrete states that were looked at lately, by number.
#[derive(Default)]
pub struct Known {
    places: HashMap<u32, Rc<Place>, RandomState>,
    /// How many bytes they take, about.
    bytes: usize,
}

impl Known {
    /// A discrete state with all its steps; `state` gives its cells.
    pub fn place(
        &mut self,
        number: u32,
        state: impl FnOnce() -> Vec<Cell>,
        stepper: &mut Stepper,
        representatives: Option<&Representatives>,
    ) -> Run<Rc<Place>> {
        if let Some(known) = self.places.get(&number) {
            return Ok(known.clone());
        }
        let place = Place::new(state(), stepper, representatives, Within::Anything)?;
        let bytes = 200 + place.steps.len() * (200 + place.state.len() * size_of::<Cell>());
        if self.bytes + bytes > ROOM {
            self.places.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        let place = Rc::new(place);
        self.places.insert(number, place.clone());
        Ok(place)
    }
}
