//! Random rules that treat all indices alike.

use burnside_model::code::DomainKind;
use burnside_symbolic::reduce::space::{Domain, Index};

use super::{Explicit, Family, Random, State};

/// What must hold for a step of an index.
#[derive(Clone, Debug)]
enum Guard {
    /// A plain cell has this code.
    Plain(usize, u64),
    /// The index's cell has this code.
    Local(usize, u64),
    /// The pointer points to the index, or does not.
    Points(usize, bool),
    /// Some other index's cell has this code, or none has.
    Some(usize, u64, bool),
}

/// What a step of an index does.
#[derive(Clone, Debug)]
enum Action {
    Plain(usize, u64),
    Local(usize, u64),
    /// All indices' cells.
    All(usize, u64),
    /// Points to the index.
    Own(usize),
    None(usize),
    /// Points to any index.
    Any(usize),
    /// Points to the next index in a ring.
    After(usize),
    /// The next index's cell in a ring.
    NextLocal(usize, u64),
    /// A pointer per index becomes what a pointer is.
    Link(usize, usize),
    /// A pointer becomes what the index's pointer is.
    Follow(usize, usize),
    /// The bits of all pairs that have the index at this place.
    Row(usize, bool, u64),
    /// The bit of the index and where a pointer points to.
    Pair(usize, usize, u64),
}

/// A rule for each index of a domain, or for none.
#[derive(Clone, Debug)]
pub struct Rule {
    domain: Option<usize>,
    guards: Vec<Guard>,
    actions: Vec<Action>,
}

impl Rule {
    pub fn random(random: &mut Random, families: &[Family], domains: &[Domain]) -> Self {
        let domain = (!random.chance(6)).then(|| random.below(domains.len() as u64) as usize);
        let mut guards = Vec::new();
        let mut actions = Vec::new();
        for _ in 0..4 {
            let family = random.below(families.len() as u64) as usize;
            guards.extend(guard(random, families, family, domain));
        }
        for _ in 0..5 {
            let family = random.below(families.len() as u64) as usize;
            actions.extend(action(random, families, domains, family, domain));
        }
        guards.truncate(2);
        actions.truncate(3);
        Rule { domain, guards, actions }
    }

    /// The states after the rule's step for the index of a part, if it is of the rule's domain.
    pub fn successors(&self, system: &Explicit, state: &State, part: Option<Index>) -> Vec<State> {
        if self.domain != part.map(|index| index.0)
            || !self.guards.iter().all(|guard| guard.holds(system, state, part))
        {
            return Vec::new();
        }
        self.actions.iter().fold(vec![state.clone()], |states, action| {
            states.iter().flat_map(|state| action.apply(system, state, part)).collect()
        })
    }
}

fn guard(random: &mut Random, families: &[Family], family: usize, domain: Option<usize>) -> Option<Guard> {
    match families[family] {
        Family::Plain(codes) => Some(Guard::Plain(family, random.below(codes))),
        Family::Local(of, codes) if random.chance(3) => {
            Some(Guard::Some(family, random.below(codes), random.chance(2))).filter(|_| Some(of) == domain)
        }
        Family::Local(of, codes) if Some(of) == domain => Some(Guard::Local(family, random.below(codes))),
        Family::Pointer(of) if Some(of) == domain => Some(Guard::Points(family, random.chance(2))),
        _ => None,
    }
}

fn action(
    random: &mut Random,
    families: &[Family],
    domains: &[Domain],
    family: usize,
    domain: Option<usize>,
) -> Option<Action> {
    let pointer_to = |wanted: usize| families.iter().position(|kind| *kind == Family::Pointer(wanted));
    let is_ring = |domain: usize| domains[domain].kind == DomainKind::Ring;
    match families[family] {
        Family::Plain(codes) => Some(Action::Plain(family, random.below(codes))),
        Family::Local(of, codes) if Some(of) == domain && is_ring(of) && random.chance(3) => {
            Some(Action::NextLocal(family, random.below(codes)))
        }
        Family::Local(of, codes) if Some(of) == domain && !random.chance(5) => {
            Some(Action::Local(family, random.below(codes)))
        }
        Family::Local(_, codes) => Some(Action::All(family, random.below(codes))),
        Family::Pointer(of) if Some(of) == domain && is_ring(of) && random.chance(2) => {
            Some(Action::After(family))
        }
        Family::Pointer(of) if Some(of) == domain && random.chance(2) => Some(Action::Own(family)),
        Family::Pointer(_) if random.chance(2) => Some(Action::Any(family)),
        Family::Pointer(_) => Some(Action::None(family)),
        Family::Next(of, to) if Some(of) == domain => {
            let pointer = pointer_to(to)?;
            Some(if random.chance(2) {
                Action::Link(family, pointer)
            } else {
                Action::Follow(pointer, family)
            })
        }
        Family::Pairs(of, to) if Some(of) == domain && random.chance(2) => {
            Some(Action::Pair(family, pointer_to(to)?, random.below(2)))
        }
        Family::Pairs(of, to) if Some(of) == domain || Some(to) == domain => {
            Some(Action::Row(family, Some(of) == domain, random.below(2)))
        }
        _ => None,
    }
}

impl Guard {
    fn holds(&self, system: &Explicit, state: &State, part: Option<Index>) -> bool {
        match (self, part) {
            (Guard::Plain(family, code), _) => state[system.cell(*family, &[])] == *code,
            (Guard::Local(family, code), Some(index)) => state[system.cell(*family, &[index])] == *code,
            (Guard::Points(family, so), Some(index)) => {
                (state[system.cell(*family, &[])] == index.1 as u64 + 1) == *so
            }
            (Guard::Some(family, code, so), Some((domain, element))) => {
                let mut others = (0..system.space.domains[domain].size).filter(|other| *other != element);
                others.any(|other| state[system.cell(*family, &[(domain, other)])] == *code) == *so
            }
            _ => false,
        }
    }
}

impl Action {
    fn apply(&self, system: &Explicit, state: &State, part: Option<Index>) -> Vec<State> {
        let size = |domain: usize| system.space.domains[domain].size;
        let target = |family: &usize| system.families[*family].target().unwrap();
        let mut next = state.clone();
        match (self, part) {
            (Action::Plain(family, code), _) => next[system.cell(*family, &[])] = *code,
            (Action::Local(family, code), Some(index)) => next[system.cell(*family, &[index])] = *code,
            (Action::All(family, code), _) => {
                for (cell, content) in system.space.cells.iter().zip(&mut next) {
                    if cell.family == *family {
                        *content = *code;
                    }
                }
            }
            (Action::Own(family), Some(index)) => next[system.cell(*family, &[])] = index.1 as u64 + 1,
            (Action::None(family), _) => next[system.cell(*family, &[])] = 0,
            (Action::Any(family), _) => {
                let point = |to: usize| {
                    let mut next = next.clone();
                    next[system.cell(*family, &[])] = to as u64 + 1;
                    next
                };
                return (0..size(target(family))).map(point).collect();
            }
            (Action::After(family), Some((domain, element))) => {
                next[system.cell(*family, &[])] = ((element + 1) % size(domain)) as u64 + 1;
            }
            (Action::NextLocal(family, code), Some((domain, element))) => {
                next[system.cell(*family, &[(domain, (element + 1) % size(domain))])] = *code;
            }
            (Action::Link(family, pointer), Some(index)) => {
                next[system.cell(*family, &[index])] = state[system.cell(*pointer, &[])];
            }
            (Action::Follow(pointer, family), Some(index)) => {
                next[system.cell(*pointer, &[])] = state[system.cell(*family, &[index])];
            }
            (Action::Row(family, first, code), Some(index)) => {
                for (cell, content) in system.space.cells.iter().zip(&mut next) {
                    if cell.family == *family && cell.indices[usize::from(!first)] == index {
                        *content = *code;
                    }
                }
            }
            (Action::Pair(family, pointer, code), Some(index)) => {
                let to = state[system.cell(*pointer, &[])];
                if to > 0 {
                    next[system.cell(*family, &[index, (target(pointer), to as usize - 1)])] = *code;
                }
            }
            _ => {}
        }
        vec![next]
    }
}
