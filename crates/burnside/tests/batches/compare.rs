//! Two systems that should be one: at every reachable state the same steps in the same order, the same errors with the
//! same places and words, the same answers for properties, and at the end the same side effects.

use std::collections::{HashSet, VecDeque};

use burnside_model::system::{Batch, Batcher, SideEffects};
use burnside_model::{Model, Packing};

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub states: u64,
    pub steps: u64,
    pub dropped: u64,
    pub faults: u64,
    pub property_faults: u64,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.states += other.states;
        self.steps += other.steps;
        self.dropped += other.dropped;
        self.faults += other.faults;
        self.property_faults += other.property_faults;
    }
}

/// Explores up to so many states with the reference and asks the other the same; fails with the first difference.
pub fn compare(
    model: &Model,
    packing: &Packing,
    reference: &mut dyn Batcher,
    other: &mut dyn Batcher,
    limit: usize,
) -> Result<Compared, String> {
    if reference.words() != other.words() {
        return Err(format!("states of {} and {} words", reference.words(), other.words()));
    }
    let mut compared = Compared::default();
    let (mut expected, mut found) = (Batch::default(), Batch::default());
    let (mut seen, mut queue) = (HashSet::new(), VecDeque::<Vec<u64>>::new());
    let mut at: Option<Vec<u64>> = None;
    loop {
        expected.clear();
        found.clear();
        let ran = match &at {
            None => (reference.initial(&mut expected), other.initial(&mut found)),
            Some(state) => (reference.successors(state, &mut expected), other.successors(state, &mut found)),
        };
        let place = || at.as_ref().map_or("at the start".to_owned(), |state| shown(model, packing, state));
        if ran != (Ok(()), Ok(())) {
            return Err(format!("{}: {ran:?}", place()));
        }
        difference(packing.words(), &expected, &found).map_err(|what| format!("{}: {what}", place()))?;
        if let Some(state) = &at {
            compared.states += 1;
            for (i, property) in model.properties.iter().enumerate() {
                if property.condition.is_none() {
                    continue;
                }
                let (expected, found) = (reference.holds(i, state), other.holds(i, state));
                if expected != found {
                    return Err(format!("{}: `{}` is {expected:?}, not {found:?}", place(), property.name));
                }
                compared.property_faults += u64::from(matches!(expected, Ok(Err(_))));
            }
        }
        compared.steps += expected.rules.len() as u64;
        compared.dropped += expected.dropped.len() as u64;
        compared.faults += expected.faults.len() as u64;
        for i in 0..expected.rules.len() {
            let state = &expected.states[i * packing.words()..(i + 1) * packing.words()];
            if seen.len() < limit && seen.insert(state.to_vec()) {
                queue.push_back(state.to_vec());
            }
        }
        at = queue.pop_front();
        if at.is_none() {
            break;
        }
    }
    side_effects(&reference.side_effects(), &other.side_effects())?;
    Ok(compared)
}

/// What two batches differ in.
fn difference(words: usize, expected: &Batch, found: &Batch) -> Result<(), String> {
    let differ = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
        Err(format!("{what} are\n  {b:?}, not\n  {a:?}"))
    };
    if expected.rules != found.rules {
        return differ("the rules", &expected.rules, &found.rules);
    }
    if expected.states != found.states {
        let pairs = expected.states.chunks(words.max(1)).zip(found.states.chunks(words.max(1)));
        let (i, (a, b)) =
            pairs.enumerate().find(|(_, (a, b))| a != b).unwrap_or((0, (&expected.states, &found.states)));
        let what = format!("step {i}, by rule {}: the states", expected.rules.get(i).map_or(0, |r| *r));
        return differ(&what, &a, &b);
    }
    if expected.stutters != found.stutters {
        return differ("the stutters", &expected.stutters, &found.stutters);
    }
    if expected.dropped != found.dropped {
        return differ("the dropped steps", &expected.dropped, &found.dropped);
    }
    if expected.faults != found.faults {
        return differ("the faults", &expected.faults, &found.faults);
    }
    Ok(())
}

fn side_effects(expected: &SideEffects, found: &SideEffects) -> Result<(), String> {
    let of = |effects: &SideEffects| {
        let mut copies = effects.undefined_copies.clone();
        copies.sort_by_key(|span| format!("{span:?}"));
        format!("covered {:?}, undefined copies {copies:?}, output {:?}", effects.covered, effects.output)
    };
    match (of(expected), of(found)) {
        (a, b) if a == b => Ok(()),
        (a, b) => Err(format!("side effects are\n  {b}, not\n  {a}")),
    }
}

fn shown(model: &Model, packing: &Packing, state: &[u64]) -> String {
    let mut cells = Vec::new();
    packing.unpack(state, &mut cells);
    let names = model.state_cells();
    let value = |(i, cell): (usize, &i64)| match *cell {
        burnside_model::code::UNDEFINED => format!("{}: -", names[i].name),
        value => format!("{}: {value}", names[i].name),
    };
    let values: Vec<_> = cells.iter().enumerate().map(value).collect();
    format!("at {{{}}}", values.join(", "))
}
