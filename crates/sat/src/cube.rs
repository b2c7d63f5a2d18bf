//! Cubes, and their images under permutations.
//!
//! A cube is a set of states: those in which no variable has any of the values that the cube excludes. Its negation is a
//! clause: "some variable has one of these values". A literal is a variable and a value, packed into one number.

use std::collections::{BTreeSet, HashMap};

use burnside_symmetry::{Action, Permutation};

use crate::system::{MOST_VALUES, State, System};

/// A variable and a value that it does not have.
pub type Literal = u32;

/// The literal that a variable does not have a value.
pub fn literal(variable: usize, value: u32) -> Literal {
    variable as u32 * MOST_VALUES as u32 + value
}

pub fn variable(literal: Literal) -> usize {
    (literal / MOST_VALUES as u32) as usize
}

pub fn value(literal: Literal) -> u32 {
    literal % MOST_VALUES as u32
}

/// Excluded values, ascending.
pub type Cube = Vec<Literal>;

/// Whether a state is in a cube.
pub fn contains(cube: &Cube, state: &State) -> bool {
    cube.iter().all(|excluded| state[variable(*excluded)] != value(*excluded))
}

/// Whether all literals of one are among those of the other; both ascend.
pub fn is_subset(small: &[Literal], large: &[Literal]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|literal| rest.any(|other| other == literal))
}

pub fn of_state(system: &System<'_>, state: &State) -> Cube {
    let all = system.variables.iter().zip(state).enumerate();
    all.flat_map(|(i, (of, now))| {
        (0..of.values).filter(move |value| value != now).map(move |value| literal(i, value))
    })
    .collect()
}

/// What the generators of a group make of literals.
pub struct Images {
    /// For each generator the image of each literal.
    generators: Vec<Vec<Literal>>,
}

impl Images {
    /// The images under a verified group; under no group where it does not map single cells to single cells: it mixes the
    /// slots of a multiset, or moves a cell that is split into bits.
    pub fn new(system: &System<'_>, action: Option<&Action>) -> Self {
        let generators = action.map_or(Vec::new(), Action::generators);
        let maps = generators.iter().map(|g| action.and_then(|action| literal_map(system, action, g)));
        Images { generators: maps.collect::<Option<_>>().unwrap_or_default() }
    }

    /// Whether there is nothing but the identity.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// For each generator, the image of each literal.
    pub fn maps(&self) -> &[Vec<Literal>] {
        &self.generators
    }

    /// All images of a cube, itself included.
    pub fn of(&self, cube: &Cube) -> BTreeSet<Cube> {
        let mut all = BTreeSet::from([cube.clone()]);
        let mut fresh = vec![cube.clone()];
        while let Some(cube) = fresh.pop() {
            for map in &self.generators {
                let mut image: Cube = cube.iter().map(|literal| map[*literal as usize]).collect();
                image.sort_unstable();
                if all.insert(image.clone()) {
                    fresh.push(image);
                }
            }
        }
        all
    }
}

/// The image of each literal under a permutation; none if it does not map single cells to single cells.
fn literal_map(system: &System<'_>, action: &Action, permutation: &Permutation) -> Option<Vec<Literal>> {
    let mut map: Vec<Literal> = (0..(system.variables.len() * MOST_VALUES as usize) as u32).collect();
    let mut of_cell: HashMap<usize, usize> = HashMap::new();
    let mut places = HashMap::new();
    for (number, variable) in system.variables.iter().enumerate() {
        let place = action.place(variable.cell as u32)?;
        if variable.whole {
            of_cell.insert(variable.cell, number);
        } else if !place.indices.is_empty() || !place.ids.is_empty() {
            return None;
        }
        places.entry((place.family, place.indices)).or_insert(variable.cell);
    }
    for (number, variable) in system.variables.iter().enumerate().filter(|(_, variable)| variable.whole) {
        let place = action.place(variable.cell as u32)?;
        let moved = |(domain, element): &(usize, u32)| (*domain, permutation.image(*domain, *element));
        let indices = place.indices.iter().map(moved).collect();
        let to_cell = *places.get(&(place.family, indices))?;
        let to = *of_cell.get(&to_cell)?;
        let cells = system.encoding.cells();
        for now in 0..variable.values {
            let content = cells[variable.cell].content(now.into());
            let image = action.map_value(permutation, cells[variable.cell].ty, content);
            let image = cells[to_cell].number(image);
            if image >= u64::from(system.variables[to].values) {
                return None;
            }
            map[literal(number, now) as usize] = literal(to, image as u32);
        }
    }
    Some(map)
}
