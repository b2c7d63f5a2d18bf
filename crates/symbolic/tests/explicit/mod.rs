//! Random systems of components, explored state by state.

mod rules;

use std::collections::BTreeSet;

use burnside_model::code::DomainKind;
use burnside_symbolic::bdd::{Bdd, Manager, Result};
use burnside_symbolic::reduce::space::{Cell, Domain, Index, Space, Which, bit, rotation};

use crate::systems::{Part, System, Variables, step, width};
use rules::Rule;

/// A code for each cell.
pub type State = Vec<u64>;

/// A generator of random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One time in so many.
    pub fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }
}

/// What a family of cells is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// A number, the same for all: how many codes.
    Plain(u64),
    /// A number for each index of a domain.
    Local(usize, u64),
    /// An index of a domain (its code is one more), or 0 for none.
    Pointer(usize),
    /// Such for each index of the first domain.
    Next(usize, usize),
    /// A bit for each pair.
    Pairs(usize, usize),
}

/// A system that can be explored one state at a time.
pub struct Explicit {
    pub families: Vec<Family>,
    pub rules: Vec<Rule>,
    pub space: Space,
    pub variables: usize,
    initial: Vec<State>,
    /// All images of states under the group, as maps of indices per domain.
    group: Vec<Vec<Vec<usize>>>,
    /// All states that can be reached from any state equivalent to an initial one.
    closure: Vec<State>,
}

impl Explicit {
    /// A system with not too many states.
    pub fn random(random: &mut Random) -> Self {
        loop {
            if let Some(system) = Self::attempt(random) {
                return system;
            }
        }
    }

    fn attempt(random: &mut Random) -> Option<Self> {
        let domains: Vec<Domain> = (0..1 + u64::from(random.chance(3)))
            .map(|_| Domain {
                kind: if random.chance(4) { DomainKind::Ring } else { DomainKind::Full },
                size: 2 + random.below(3) as usize,
            })
            .collect();
        let families = random_families(random, domains.len());
        let mut cells = Vec::new();
        for (family, kind) in families.iter().enumerate() {
            for indices in kind.places(&domains) {
                let codes =
                    |domain: usize| (0..domains[domain].size).map(move |i| (i as u64 + 1, (domain, i)));
                let ids = kind.target().map_or(Vec::new(), |domain| codes(domain).collect());
                cells.push(Cell { family, indices, bits: Default::default(), ids });
            }
        }
        // Variables in any order of the cells, so that nothing depends on a good one.
        let mut variables = Variables::default();
        let mut order: Vec<usize> = (0..cells.len()).collect();
        for last in (1..order.len()).rev() {
            if random.chance(3) {
                order.swap(last, random.below(last as u64 + 1) as usize);
            }
        }
        for cell in order {
            let codes = families[cells[cell].family].codes(&domains);
            cells[cell].bits = variables.cell(width(codes as usize).max(1));
        }
        // The orbit relation has all pairs of equivalent states, reachable or not.
        if variables.count() > 2 * 15 {
            return None;
        }
        let rules = (0..3 + random.below(4)).map(|_| Rule::random(random, &families, &domains)).collect();
        let group = group(&domains);
        let space = Space::new(domains, cells).unwrap();
        let mut system = Explicit {
            families,
            rules,
            space,
            variables: variables.count(),
            initial: Vec::new(),
            group,
            closure: Vec::new(),
        };
        for _ in 0..1 + random.below(2) {
            let state = (0..system.space.cells.len()).map(|cell| {
                let codes = system.families[system.space.cells[cell].family].codes(&system.space.domains);
                if random.chance(2) { 0 } else { random.below(codes) }
            });
            system.initial.push(state.collect());
        }
        let start = system.initial.iter().flat_map(|state| system.orbit(state)).collect();
        system.closure = system.explore(start, 400)?.into_iter().collect();
        (system.closure.len() > 8).then_some(system)
    }

    /// All states from some, unless there are too many.
    fn explore(&self, start: Vec<State>, most: usize) -> Option<BTreeSet<State>> {
        let mut reached: BTreeSet<State> = start.iter().cloned().collect();
        let mut open: Vec<State> = reached.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for part in self.parts() {
                for next in self.successors(&state, part) {
                    if reached.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if reached.len() > most {
                return None;
            }
        }
        Some(reached)
    }

    /// The least states of the orbits that can be reached.
    pub fn reachable_orbits(&self) -> BTreeSet<State> {
        let reached = self.explore(self.initial.clone(), usize::MAX).unwrap();
        reached.iter().map(|state| self.least(state)).collect()
    }

    /// Every index, and none.
    pub fn parts(&self) -> Vec<Option<Index>> {
        let of =
            |(domain, shape): (usize, &Domain)| (0..shape.size).map(move |element| Some((domain, element)));
        self.space.domains.iter().enumerate().flat_map(of).chain([None]).collect()
    }

    /// Where the steps of a part lead.
    pub fn successors(&self, state: &State, part: Option<Index>) -> Vec<State> {
        self.rules.iter().flat_map(|rule| rule.successors(self, state, part)).collect()
    }

    /// The cell of a family with these indices.
    pub fn cell(&self, family: usize, indices: &[Index]) -> usize {
        let is_it = |cell: &Cell| cell.family == family && cell.indices == indices;
        self.space.cells.iter().position(is_it).unwrap()
    }

    /// All equivalent states.
    fn orbit(&self, state: &State) -> Vec<State> {
        self.group.iter().map(|images| self.permuted(state, images)).collect()
    }

    /// The least equivalent state.
    pub fn least(&self, state: &State) -> State {
        self.orbit(state).into_iter().min().unwrap()
    }

    fn permuted(&self, state: &State, images: &[Vec<usize>]) -> State {
        let image = |(domain, element): Index| (domain, images[domain][element]);
        let mut result = vec![0; state.len()];
        for (cell, &code) in self.space.cells.iter().zip(state) {
            let indices: Vec<Index> = cell.indices.iter().map(|&index| image(index)).collect();
            let held = cell.ids.iter().find(|(of, _)| *of == code);
            result[self.cell(cell.family, &indices)] = held.map_or(code, |&(_, id)| image(id).1 as u64 + 1);
        }
        result
    }

    /// The families of local states and how many codes they have.
    pub fn local_families(&self) -> Vec<(usize, u64)> {
        let local = |(family, kind): (usize, &Family)| match kind {
            Family::Local(_, codes) => Some((family, *codes)),
            _ => None,
        };
        self.families.iter().enumerate().filter_map(local).collect()
    }

    /// The system as decision diagrams.
    pub fn diagrams<'a>(&'a self, manager: &'a Manager) -> System<'a> {
        let initial =
            self.initial.iter().map(|state| self.cube(manager, state, Which::Current).unwrap()).collect();
        let parts = self.parts();
        let steps: Vec<Bdd> = parts.iter().map(|&part| self.steps(manager, part).unwrap()).collect();
        let make = move |manager: &Manager, space: &Space, at: usize| {
            let all: Vec<usize> = (0..space.cells.len()).collect();
            Ok(Part(vec![step(manager, space, steps[at].clone(), &all)?]))
        };
        System {
            manager,
            space: self.space.clone(),
            initial: union(manager, initial).unwrap(),
            parts,
            make: Box::new(make),
        }
    }

    fn steps(&self, manager: &Manager, part: Option<Index>) -> Result<Bdd> {
        let mut steps = Vec::new();
        for state in &self.closure {
            let nexts: BTreeSet<State> = self.successors(state, part).into_iter().collect();
            let nexts =
                nexts.iter().map(|next| self.cube(manager, next, Which::Next)).collect::<Result<_>>()?;
            steps.push(self.cube(manager, state, Which::Current)?.and(&union(manager, nexts)?)?);
        }
        union(manager, steps)
    }

    fn cube(&self, manager: &Manager, state: &State, which: Which) -> Result<Bdd> {
        let literals = self.space.cells.iter().zip(state).flat_map(|(cell, &code)| {
            let bits = &cell.bits[which as usize];
            bits.iter().enumerate().map(move |(at, &var)| (var, bit(code, bits.len(), at)))
        });
        manager.cube(literals)
    }

    /// The states of a set, which must be equivalent to states that can be reached.
    pub fn states_of(&self, set: &Bdd) -> Vec<State> {
        let contains = |state: &&State| {
            let mut values = vec![false; self.variables];
            for (cell, &code) in self.space.cells.iter().zip(*state) {
                for (at, &var) in cell.bits[0].iter().enumerate() {
                    values[var as usize] = bit(code, cell.bits[0].len(), at);
                }
            }
            set.eval(&values)
        };
        let states: Vec<State> = self.closure.iter().filter(contains).cloned().collect();
        assert_eq!(states.len() as u64, crate::systems::states(&self.space, set), "no other states");
        states
    }

    /// For messages.
    pub fn describe(&self) -> String {
        format!("{:?}\n{:?}\n{:#?}\n{:?}", self.space.domains, self.families, self.rules, self.initial)
    }
}

impl Family {
    /// The indices of its cells.
    fn places(&self, domains: &[Domain]) -> Vec<Vec<Index>> {
        let of = |domain: usize| (0..domains[domain].size).map(move |element| (domain, element));
        match *self {
            Family::Plain(_) | Family::Pointer(_) => vec![vec![]],
            Family::Local(domain, _) | Family::Next(domain, _) => {
                of(domain).map(|index| vec![index]).collect()
            }
            Family::Pairs(one, other) => of(one).flat_map(|a| of(other).map(move |b| vec![a, b])).collect(),
        }
    }

    /// The domain whose indices it holds.
    pub fn target(&self) -> Option<usize> {
        match *self {
            Family::Pointer(domain) | Family::Next(_, domain) => Some(domain),
            _ => None,
        }
    }

    /// How many codes its cells have.
    pub fn codes(&self, domains: &[Domain]) -> u64 {
        match *self {
            Family::Plain(codes) | Family::Local(_, codes) => codes,
            Family::Pointer(domain) | Family::Next(_, domain) => domains[domain].size as u64 + 1,
            Family::Pairs(..) => 2,
        }
    }
}

fn random_families(random: &mut Random, domains: usize) -> Vec<Family> {
    let mut families = vec![Family::Plain(2), Family::Local(0, 2 + random.below(3))];
    for domain in 0..domains {
        if random.chance(2) {
            families.push(Family::Local(domain, 2 + random.below(2)));
        }
        for _ in 0..random.below(3) {
            families.push(Family::Pointer(domain));
        }
    }
    let any = |random: &mut Random| random.below(domains as u64) as usize;
    match random.below(8) {
        0 => families.push(Family::Next(any(random), any(random))),
        1 => families.push(Family::Pairs(any(random), any(random))),
        _ => {}
    }
    families
}

/// All elements of the group.
fn group(domains: &[Domain]) -> Vec<Vec<Vec<usize>>> {
    let mut group = vec![vec![]];
    for domain in domains {
        let of_domain = match domain.kind {
            DomainKind::Full => permutations(domain.size),
            DomainKind::Ring => (0..domain.size).map(|distance| rotation(domain.size, distance)).collect(),
        };
        let with = |images: &Vec<Vec<usize>>| {
            let images = images.clone();
            of_domain
                .iter()
                .map(move |more| images.iter().chain([more]).cloned().collect())
                .collect::<Vec<_>>()
        };
        group = group.iter().flat_map(with).collect();
    }
    group
}

fn permutations(size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![vec![]];
    }
    let insert = |short: Vec<usize>| {
        (0..size).map(move |at| {
            let mut long = short.clone();
            long.insert(at, size - 1);
            long
        })
    };
    permutations(size - 1).into_iter().flat_map(insert).collect()
}

/// The union, pairwise so that no side grows large early.
pub fn union(manager: &Manager, mut sets: Vec<Bdd>) -> Result<Bdd> {
    while sets.len() > 1 {
        sets = sets.chunks(2).map(|pair| pair[0].or(&pair[pair.len() - 1])).collect::<Result<_>>()?;
    }
    Ok(sets.pop().unwrap_or(manager.constant(false)))
}
