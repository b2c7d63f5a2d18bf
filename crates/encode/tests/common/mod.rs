//! Compares the functions of a model with what the reference interpreter does.

pub mod algebras;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;

use algebras::{Hidden, Samples};
use burnside_encode::{Algebra, Condition, Encoding, FaultCase, Instance, Step};
use burnside_model::code::{Cell, Fault, FaultKind, Semantics, normalise};
use burnside_model::system::{Machine, Outcome, PropertyKind, System};
use burnside_model::{Model, Span};

/// What a rule instance did in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    State(Vec<Cell>),
    Dropped,
    /// Whether in the guard.
    Fault(FaultKind, Span, bool),
}

/// Whether a property holds, and for which arguments it does; or where it goes wrong.
type Held = Result<(bool, Vec<(Vec<Cell>, bool)>), (FaultKind, Span)>;

/// The functions of all rule instances and properties.
type Encoded<F> = (Vec<Step<F>>, Vec<Condition<F>>);

/// All that happens in a state, by rule and values of parameters.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Happened {
    steps: BTreeMap<(u32, Vec<Cell>), Did>,
    covered: BTreeSet<u32>,
    properties: Vec<Held>,
}

/// What the interpreter does in a state.
pub fn expected(model: &Model, semantics: Semantics, state: &[Cell]) -> Happened {
    let mut machine = Machine::new(model, semantics);
    let mut happened = Happened::default();
    let place = |fault: Fault| (fault.kind, fault.span);
    let done = machine.successors(state, &mut |step| {
        let fault = |fault: Fault, in_guard| Did::Fault(fault.kind, fault.span, in_guard);
        let did = match step.outcome {
            Outcome::State(state) => Did::State(state.to_vec()),
            Outcome::Dropped => Did::Dropped,
            Outcome::GuardFault(found) => fault(found, true),
            Outcome::Fault(found) => fault(found, false),
        };
        happened.steps.insert((step.rule, step.args.to_vec()), did);
        ControlFlow::Continue(())
    });
    done.expect("there is no deadline");
    let covered = machine.side_effects().covered;
    happened.covered = (0..).zip(covered).filter(|(_, count)| *count > 0).map(|(i, _)| i).collect();
    for property in 0..model.properties.len() {
        if model.properties[property].condition.is_none() {
            continue;
        }
        let mut instances = Vec::new();
        let each = machine.property_instances(property, state, &mut |args, holds| {
            instances.push((args.to_vec(), holds));
        });
        let holds = machine.holds(property, state).expect("there is no deadline");
        assert_eq!(each.expect("there is no deadline").is_err(), holds.is_err());
        happened.properties.push(holds.map(|count| (count > 0, instances)).map_err(place));
    }
    happened
}

/// What the functions say of a state, where `at` evaluates one.
pub fn found<F>(
    encoding: &Encoding<'_>,
    steps: &[Step<F>],
    conditions: &[Condition<F>],
    bits: &[bool],
    at: &dyn Fn(&F) -> bool,
) -> Happened {
    let mut happened = Happened::default();
    let only = |faults: &[FaultCase<F>]| {
        let mut true_ones = faults.iter().filter(|fault| at(&fault.condition));
        let found = true_ones.next().map(|f| (f.kind, f.span, f.in_guard, f.args));
        assert!(true_ones.next().is_none(), "two errors at once");
        found
    };
    for step in steps {
        let fault = only(&step.faults);
        let (next, dropped, guard) = (at(&step.next), at(&step.dropped), at(&step.guard));
        let outcomes = usize::from(next) + usize::from(dropped) + usize::from(fault.is_some());
        let guard_fault = fault.is_some_and(|(_, _, in_guard, _)| in_guard);
        assert!(outcomes <= 1, "several outcomes at once");
        assert_eq!(guard, outcomes == 1 && !guard_fault, "guard of {:?}", step.args);
        for (property, covered) in &step.covers {
            if at(covered) {
                happened.covered.insert(*property);
            }
        }
        let mut key = (step.rule, step.args.clone());
        let did = if let Some((kind, span, in_guard, args)) = fault {
            if in_guard {
                key.1.truncate(args);
            }
            Did::Fault(kind, span, in_guard)
        } else if dropped {
            Did::Dropped
        } else if next {
            let mut bits = bits.to_vec();
            for (bit, f) in &step.updates {
                bits[*bit] = at(f);
            }
            Did::State(encoding.unpack(&bits))
        } else {
            continue;
        };
        happened.steps.insert(key, did);
    }
    for condition in conditions {
        happened.properties.push(match only(&condition.faults) {
            Some((kind, span, ..)) => Err((kind, span)),
            None => {
                let exists = condition.instances.iter().filter(|instance| at(&instance.exists));
                let instances = exists.map(|instance| (instance.args.clone(), at(&instance.holds)));
                Ok((at(&condition.holds), instances.collect()))
            }
        });
    }
    happened
}

/// The functions of all rule instances and properties.
pub fn encode<A: Algebra>(
    encoding: &Encoding<'_>,
    instances: &[Instance],
    alg: &mut A,
) -> Result<Encoded<A::F>, String> {
    let reason = |error| match error {
        burnside_encode::EncodeError::Refused(refusal) => refusal.reason,
        burnside_encode::EncodeError::Algebra(_) => "the algebra failed".to_owned(),
    };
    let steps = encoding.rules(alg, instances).map_err(reason)?;
    let properties = &encoding.model.properties;
    let conditions = (0..properties.len())
        .filter(|i| properties[*i].condition.is_some())
        .map(|i| encoding.property(alg, i).map_err(reason))
        .collect::<Result<_, _>>()?;
    Ok((steps, conditions))
}

/// Reachable states to compare in: the first ones breadth first, then those along random walks.
pub fn reachable(model: &Model, semantics: Semantics, most: usize, random: &mut Random) -> Vec<Vec<Cell>> {
    let mut machine = Machine::new(model, semantics);
    let (mut states, mut seen) = (Vec::new(), HashSet::new());
    machine.initial(&mut |step| collect(&mut states, &step.outcome)).expect("there is no deadline");
    states.retain(|state| seen.insert(state.clone()));
    states.truncate(most);
    let mut next = 0;
    let mut walking = None;
    while states.len() < most && next < states.len() && next < 20 * most {
        let from = walking.take().unwrap_or_else(|| states[next].clone());
        next += 1;
        let mut found = Vec::new();
        machine.successors(&from, &mut |step| collect(&mut found, &step.outcome)).expect("no deadline");
        if states.len() > most / 2 && !found.is_empty() && random.below(20) > 0 {
            let chosen = found.swap_remove(random.below(found.len()));
            walking = Some(chosen.clone());
            found = vec![chosen];
            next -= 1;
        }
        found.retain(|state| seen.insert(state.clone()));
        states.extend(found);
    }
    states.truncate(most);
    states
}

fn collect(states: &mut Vec<Vec<Cell>>, outcome: &Outcome<'_>) -> ControlFlow<()> {
    if let Outcome::State(state) = outcome {
        states.push(state.to_vec());
    }
    ControlFlow::Continue(())
}

/// Random numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// One of so many.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % count
    }
}

/// Random vectors of bits, and the states that they mean.
fn random(encoding: &Encoding<'_>, random: &mut Random, count: usize) -> Vec<(Vec<bool>, Vec<Cell>)> {
    let model = encoding.model;
    (0..count)
        .map(|_| {
            let bits: Vec<_> = encoding.bits().iter().map(|_| random.below(2) == 1).collect();
            let mut state = encoding.unpack(&bits);
            if !model.globals.iter().any(|global| model.types[global.ty].has_multiset) {
                return (bits, state);
            }
            for global in &model.globals {
                normalise(&model.types, global.ty, &mut state[global.offset as usize..]);
            }
            (encoding.pack(&state), state)
        })
        .collect()
}

/// Compares everything in reachable states and in random ones; gives the number of states.
pub fn compare(model: &Model, semantics: Semantics, most: usize, seed: u64) -> Result<usize, String> {
    let encoding = Encoding::new(model, semantics).map_err(|refusal| refusal.reason)?;
    let components = encoding.instances().map_err(|refusal| refusal.reason)?;
    let instances: Vec<_> = components.into_iter().flat_map(|component| component.instances).collect();
    let mut samples = Vec::new();
    let mut numbers = Random::new(seed);
    for state in reachable(model, semantics, most, &mut numbers) {
        let bits = encoding.pack(&state);
        if encoding.unpack(&bits) != state {
            return Err(format!("{state:?} is not what it was after packing"));
        }
        samples.push((bits, state));
    }
    let start = samples.len();
    samples.extend(random(&encoding, &mut numbers, start.clamp(40, 100)));
    let bits: Vec<_> = samples.iter().map(|(bits, _)| bits.clone()).collect();
    let mut alg = Samples::new(&bits);
    let (steps, conditions) = encode(&encoding, &instances, &mut alg)?;
    check_initial(&encoding, &mut alg, &samples)?;
    let agree = |number: usize, happened: Happened, way: &str| {
        let expected = expected(model, semantics, &samples[number].1);
        let difference = differ(model, &expected, &happened);
        difference.map_or(Ok(()), |what| Err(format!("{way}, sample {number} of {start}: {what}")))
    };
    for (number, (bits, _)) in samples.iter().enumerate() {
        let at = |f: &_| Samples::at(f, number);
        agree(number, found(&encoding, &steps, &conditions, bits, &at), "all at once")?;
    }
    // One at a time, with functions whose values are known only now and then.
    for number in (0..samples.len()).step_by(samples.len() / 6 + 1) {
        for candour in [1, 2, 5] {
            let mut alg = Hidden::new(bits[number].clone(), candour);
            let (steps, conditions) = encode(&encoding, &instances, &mut alg)?;
            let happened = found(&encoding, &steps, &conditions, &bits[number], &|f| f.value);
            agree(number, happened, &format!("one by one, {candour}"))?;
        }
    }
    Ok(start)
}

fn check_initial(
    encoding: &Encoding<'_>,
    alg: &mut Samples,
    samples: &[(Vec<bool>, Vec<Cell>)],
) -> Result<(), String> {
    let mut starts = HashSet::new();
    let mut machine = Machine::new(encoding.model, encoding.semantics);
    let done = machine.initial(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            starts.insert(encoding.pack(state));
        }
        ControlFlow::Continue(())
    });
    done.expect("there is no deadline");
    let initial = encoding.initial(alg).expect("it never fails");
    let valid = encoding.valid(alg).expect("it never fails");
    for (number, (bits, state)) in samples.iter().enumerate() {
        if Samples::at(&initial, number) != starts.contains(bits) {
            return Err(format!("start states differ in sample {number}"));
        }
        if Samples::at(&valid, number) != (encoding.pack(state) == *bits) {
            return Err(format!("valid states differ in sample {number}"));
        }
    }
    Ok(())
}

/// What differs, in one line.
fn differ(model: &Model, expected: &Happened, found: &Happened) -> Option<String> {
    if expected == found {
        return None;
    }
    let keys: BTreeSet<_> = expected.steps.keys().chain(found.steps.keys()).collect();
    for key in keys {
        let (a, b) = (expected.steps.get(key), found.steps.get(key));
        if a != b {
            let name = &model.rules[key.0 as usize].name;
            return Some(format!("rule {name} {:?}: {a:?} expected, {b:?} found", key.1));
        }
    }
    if expected.covered != found.covered {
        return Some(format!("covered: {:?} expected, {:?} found", expected.covered, found.covered));
    }
    let kinds: Vec<PropertyKind> = model.properties.iter().map(|p| p.kind).collect();
    Some(format!("properties {kinds:?}: {:?} expected, {:?} found", expected.properties, found.properties))
}
