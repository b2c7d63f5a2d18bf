//! The least image of a state under a group given by generators.
//!
//! The stabiliser chain of the group is searched level by level. A candidate at level k is a coset of H⁽ᵏ⁾, the
//! permutations that fix the first k base points, and is kept as the image t of the state under one of its elements. What
//! no permutation in H⁽ᵏ⁾ can change any more are the cells whose indices it fixes, with the ids in them taken up to its
//! orbits; of the candidates that come from choosing which element goes to the next base point, those are kept for which
//! this is least. Two whose images are equal, or become equal by descending along generators of H⁽ᵏ⁾, have the same
//! continuations, so one is kept and counted for both. At the end everything is fixed, the least candidate is the form,
//! and its count is the order of the stabiliser.
//!
//! Source: minimal images as in S. Linton, "Finding the smallest image of a set" (2004), on states in place of sets, with
//! equal images in place of orbits under the stabiliser.

use std::collections::HashMap;
use std::sync::Arc;

use burnside_model::code::Cell;

use crate::action::Action;
use crate::group::{Group, Points, compose, inverse, orbits};
use crate::layout::Layout;

/// What is known of a level of the chain.
#[derive(Clone, Debug)]
struct Step {
    /// For each point of the base point's orbit, what leads from there to the base point.
    choices: Vec<Points>,
    /// The generators of what then still moves.
    movers: Vec<Points>,
    /// The cells whose indices are fixed then, and were not before.
    fixed: Vec<u32>,
    /// By element, the least of its orbit under what then still moves.
    least: Points,
    /// The id cells among all cells that are fixed by then.
    ids: Vec<u32>,
}

/// A coset, by the image of the state under one of its elements.
#[derive(Clone, Debug)]
struct Candidate {
    image: Vec<Cell>,
    points: Points,
    /// How many cosets it stands for.
    count: u128,
}

/// Searches a group for the least image.
#[derive(Clone, Debug)]
pub(super) struct Minimal {
    group: Arc<Group>,
    steps: Vec<Step>,
    /// The least image of the last state.
    pub form: Vec<Cell>,
    /// The images of the elements, each within its domain, under a permutation that leads there.
    pub images: Vec<u32>,
}

impl Minimal {
    /// The tables for a group that acts on the elements of a layout.
    pub fn new(layout: &Layout, group: &Arc<Group>) -> Self {
        let levels = group.chain.levels();
        let mut known: Vec<bool> = vec![false; layout.cells.len()];
        let steps = levels.iter().enumerate().map(|(k, level)| {
            let ways = level.orbit().iter().filter_map(|point| level.representative(*point));
            let movers = levels.get(k + 1).map_or(Vec::new(), |below| below.generators().to_vec());
            let least = least_of_orbits(group.points, &movers);
            let stays = |point: u32| movers.iter().all(|g| g[point as usize] == point);
            let is_fixed = |cell: u32| {
                // Slots are sorted by all that is in them: they are fixed when nothing moves any more.
                let sorted = layout.cells[cell as usize].slot.is_some();
                if sorted {
                    movers.is_empty()
                } else {
                    layout.terms_of(cell).iter().all(|t| stays(t.element))
                }
            };
            let all: Vec<u32> = (0..layout.cells.len() as u32).filter(|cell| is_fixed(*cell)).collect();
            let fixed =
                all.iter().copied().filter(|cell| !std::mem::replace(&mut known[*cell as usize], true));
            let fixed: Vec<u32> = fixed.collect();
            let ids = all.into_iter().filter(|cell| !layout.ids_of(*cell).is_empty()).collect();
            Step { choices: ways.map(|way| inverse(way)).collect(), movers, fixed, least, ids }
        });
        let steps = steps.collect();
        Minimal { group: Arc::clone(group), steps, form: Vec::new(), images: Vec::new() }
    }

    /// Finds the least image; gives the order of the state's stabiliser.
    pub fn search(&mut self, action: &Action, state: &[Cell]) -> u128 {
        let still = (0..self.group.points as u32).collect();
        let mut candidates = vec![Candidate { image: state.to_vec(), points: still, count: 1 }];
        for step in &self.steps {
            candidates = advance(action, step, state, &candidates);
        }
        let least = candidates.into_iter().min_by(|a, b| a.image.cmp(&b.image));
        let Some(least) = least else { return 1 };
        let within =
            |(point, element): (&u32, u32)| point - action.layout.firsts[action.layout.domain_of(element)];
        self.images = least.points.iter().zip(0..).map(within).collect();
        self.form = least.image;
        least.count
    }
}

/// By point, the least of its orbit.
fn least_of_orbits(points: usize, generators: &[Points]) -> Points {
    let mut least: Points = (0..points as u32).collect();
    for orbit in orbits(points, generators) {
        orbit.iter().for_each(|point| least[*point as usize] = orbit[0]);
    }
    least
}

/// The best candidates of the next level.
fn advance(action: &Action, step: &Step, state: &[Cell], candidates: &[Candidate]) -> Vec<Candidate> {
    let layout = &action.layout;
    let mut best: Option<Vec<Cell>> = None;
    let mut kept: Vec<Candidate> = Vec::new();
    let mut index: HashMap<Vec<Cell>, usize> = HashMap::new();
    for candidate in candidates {
        for choice in &step.choices {
            let mut points = compose(choice, &candidate.points);
            let mut image = Vec::new();
            apply(action, &points, state, &mut image);
            let key = key(layout, step, &image);
            match best.as_ref().map(|best| key.cmp(best)) {
                Some(std::cmp::Ordering::Greater) => continue,
                Some(std::cmp::Ordering::Equal) => {}
                _ => {
                    best = Some(key);
                    kept.clear();
                    index.clear();
                }
            }
            descend(action, step, state, &mut points, &mut image);
            match index.get(&image) {
                Some(known) => kept[*known].count = kept[*known].count.saturating_add(candidate.count),
                None => {
                    index.insert(image.clone(), kept.len());
                    kept.push(Candidate { image, points, count: candidate.count });
                }
            }
        }
    }
    kept
}

/// What nothing that still moves can change.
fn key(layout: &Layout, step: &Step, image: &[Cell]) -> Vec<Cell> {
    let plain = step.fixed.iter().map(|cell| match layout.element_in(*cell, image[*cell as usize]) {
        // An id is no more than one, until its place is known.
        Some(_) => Cell::MAX,
        None => image[*cell as usize],
    });
    let ids = step.ids.iter().map(|cell| match layout.element_in(*cell, image[*cell as usize]) {
        Some(element) => Cell::from(step.least[element as usize]),
        None => -1,
    });
    plain.chain(ids).collect()
}

/// Makes the image smaller as long as a generator of what still moves does.
fn descend(action: &Action, step: &Step, state: &[Cell], points: &mut Points, image: &mut Vec<Cell>) {
    let mut next = Vec::new();
    let mut falling = true;
    while falling {
        falling = false;
        for mover in &step.movers {
            let moved = compose(mover, points);
            apply(action, &moved, state, &mut next);
            if next < *image {
                std::mem::swap(&mut next, image);
                *points = moved;
                falling = true;
            }
        }
    }
}

fn apply(action: &Action, points: &[u32], state: &[Cell], image: &mut Vec<Cell>) {
    let layout = &action.layout;
    let images: Vec<u32> =
        (0..).zip(points).map(|(element, point)| point - layout.firsts[layout.domain_of(element)]).collect();
    action.apply_images(&images, state, image);
}
