//! Figure 7 of Barner and Grumberg: two ways to the relation ξ between representatives and the states of their orbits, for
//! full symmetry of some components of so many bits each, beside others that stay where they are.
//!
//! *Orbit to ξ* builds the orbit relation and chooses the least state of each orbit; *Create ξ* grows the relation from the least
//! states, which are those with sorted components, by as many exchanges of neighbours as it takes. Both are over the same variables: a bit of the
//! representative, and below it that of the state.

use burnside_model::code::DomainKind;
use burnside_model::stack::{diagram_thread, in_thread};
use burnside_symbolic::bdd::{Bdd, Manager, OutOfNodes};
use burnside_symbolic::on_the_fly::orbits::whole;
use burnside_symbolic::reduce::orbit_relation::{orbit_relation, representatives};
use burnside_symbolic::reduce::space::{Cell, Domain, Permutation, Space, Which, transposition};
use burnside_symbolic::search::Stop;

/// The name of the table.
pub const NAME: &str = "barner-grumberg-7";

/// A row of the figure.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Generators: exchanges of neighbours among one more components.
    pub generators: u32,
    /// Bits of a state, four for each component.
    pub bits: u32,
    /// What the paper prints for orbit to ξ: time and memory.
    pub orbit: (&'static str, &'static str),
    /// And for Create ξ.
    pub create: (&'static str, &'static str),
}

/// The figure. In the last row one component stays where it is.
pub const ENTRIES: &[Entry] = &[
    Entry { generators: 3, bits: 16, orbit: ("0.26s", "26M"), create: ("0.23s", "26M") },
    Entry { generators: 4, bits: 20, orbit: ("30.4s", "33M"), create: ("1.2s", "28M") },
    Entry { generators: 5, bits: 24, orbit: ("1017s", "114M"), create: ("18s", "42M") },
    Entry { generators: 6, bits: 28, orbit: ("—", ">1.5G"), create: ("735s", "132M") },
    Entry { generators: 6, bits: 32, orbit: ("—", ">1.5G"), create: ("29083s", "1.2G") },
];

/// The bits of a component.
pub const WIDTH: u32 = 4;

impl Entry {
    /// The components that are exchanged, and those that are not.
    pub fn components(&self) -> (u32, u32) {
        let moving = self.generators + 1;
        (moving, self.bits / WIDTH - moving)
    }
}

/// The size of the relation, and the most nodes at a time, garbage included; `way` is `orbit` or `create`.
pub fn build(
    way: &str,
    order: &str,
    moving: u32,
    fixed: u32,
    width: u32,
    memory: usize,
) -> Result<(usize, usize), String> {
    let all = moving + fixed;
    let place = |component: u32, bit: u32| match order {
        "concatenated" => component * width + bit,
        _ => bit * all + component,
    };
    let bits = |component: u32, copy: u32| (0..width).map(|bit| 2 * place(component, bit) + copy).collect();
    let cell = |component: u32| Cell {
        family: if component < moving { 0 } else { component as usize },
        indices: if component < moving { vec![(0, component as usize)] } else { Vec::new() },
        bits: [bits(component, 0), bits(component, 1)],
        ..Cell::default()
    };
    let domains = vec![Domain { kind: DomainKind::Full, size: moving as usize }];
    let space = Space::new(domains, (0..all).map(cell).collect()).map_err(|error| format!("{error:?}"))?;
    let orbits = way == "orbit";
    let built = in_thread(diagram_thread(), move || {
        let manager = Manager::new(2 * (all * width) as usize, memory);
        let made =
            if orbits { by_orbits(&manager, &space) } else { created(&manager, &space, moving as usize) };
        manager.nodes();
        made.map(|relation| (relation.size(), manager.peaks().0)).map_err(|_| "memory".to_owned())
    });
    built.map_err(|error| error.to_string())?
}

/// By the orbit relation.
fn by_orbits(manager: &Manager, space: &Space) -> Result<Bdd, Stop> {
    let equivalent = orbit_relation(manager, space)?;
    let [representatives, _] = representatives(manager, space, &equivalent)?;
    Ok(equivalent.and(&representatives)?)
}

/// From the representatives.
fn created(manager: &Manager, space: &Space, moving: usize) -> Result<Bdd, Stop> {
    let mut pairs = space.identity(manager)?;
    let mut exchanges = Vec::new();
    for next in 1..moving {
        pairs = pairs.and(&sorted(manager, &space.cells[next - 1].bits[0], &space.cells[next].bits[0])?)?;
        let images = transposition(moving, next - 1, next);
        exchanges.push(space.action(manager, Which::Next, Permutation { domain: 0, images: &images })?);
    }
    // One component more at a time: to the end, and from there to every place before it.
    let closing: Vec<_> = (0..moving).flat_map(|next| exchanges[..next].iter().rev()).collect();
    whole(pairs, &closing, &|| {
        manager.tidy();
        Ok(())
    })
}

/// Whether one number is at most another, most significant bits first.
fn sorted(manager: &Manager, one: &[u32], other: &[u32]) -> Result<Bdd, OutOfNodes> {
    let mut sorted = manager.constant(true);
    for (a, b) in one.iter().zip(other).rev() {
        let (a, b) = (manager.var(*a)?, manager.var(*b)?);
        sorted = b.minus(&a)?.or(&a.equals(&b)?.and(&sorted)?)?;
    }
    Ok(sorted)
}
