//! The automorphisms of a set of trees: permutations of points that map the trees onto each other.
//!
//! Points are coloured by where they occur, until that tells no more of them apart (colour refinement on the graph whose
//! vertices are the points and all nodes of the trees). A point of the first colour that several have is then told
//! apart, and so on until all are; that is the left side. A permutation that fixes the points chosen first and maps the
//! next one elsewhere is found by doing the same on the right side with other points, as long as the colours agree.
//! Every permutation found is checked on the trees themselves: colours may be equal by chance.
//!
//! Source: individualisation and refinement as in B. McKay, "Practical graph isomorphism" (1981).

use std::collections::BTreeMap;

use super::node::{Node, mix};
use crate::group::{Points, is_identity};

/// The most nodes that are coloured in one search.
const MOST_WORK: usize = 10_000_000;

/// The trees, and how much may still be done.
struct Search<'t> {
    trees: Vec<&'t Node>,
    size: usize,
    work: usize,
    written: Vec<Vec<i64>>,
}

/// Colours before a point was told apart, and that point.
struct Level {
    colours: Vec<u64>,
    point: u32,
}

/// Permutations that generate the automorphisms of some trees; not all of them, if that is too much work.
pub(super) fn automorphisms(points: usize, trees: &[&Node]) -> Vec<Points> {
    let size = trees.iter().map(|tree| tree.size()).sum();
    let still: Points = (0..points as u32).collect();
    let written = written(trees, &still);
    let mut search = Search { trees: trees.to_vec(), size, work: 0, written };
    let Some((levels, last)) = search.left(vec![0; points]) else { return Vec::new() };
    let mut found: Vec<Points> = Vec::new();
    for depth in (0..levels.len()).rev() {
        let Level { colours, point } = &levels[depth];
        for other in alike(colours, *point) {
            if orbit(*point, &found).contains(&other) {
                continue;
            }
            let Some(right) = search.apart(colours, other, depth) else { return found };
            found.extend(search.matching(&levels, &last, depth + 1, right));
        }
    }
    found
}

pub(super) fn colours(points: usize, trees: &[&Node]) -> Option<Vec<u64>> {
    let size = trees.iter().map(|tree| tree.size()).sum();
    let mut search = Search { trees: trees.to_vec(), size, work: 0, written: Vec::new() };
    search.refine(vec![0; points])
}

/// Whether a permutation of points maps the trees onto each other.
pub(super) fn is_automorphism(trees: &[&Node], images: &[u32]) -> bool {
    let still: Points = (0..images.len() as u32).collect();
    written(trees, images) == written(trees, &still)
}

/// What the trees are with other points, in any order.
fn written(trees: &[&Node], images: &[u32]) -> Vec<Vec<i64>> {
    let mut written: Vec<_> = trees.iter().map(|tree| tree.write(images)).collect();
    written.sort_unstable();
    written
}

impl Search<'_> {
    /// Tells points apart until all are: the colours before each, and those at the end.
    fn left(&mut self, start: Vec<u64>) -> Option<(Vec<Level>, Vec<u64>)> {
        let mut levels = Vec::new();
        let mut colours = self.refine(start)?;
        while let Some(point) = first_open(&colours) {
            let next = self.apart(&colours, point, levels.len())?;
            levels.push(Level { colours, point });
            colours = next;
        }
        Some((levels, colours))
    }

    /// An automorphism that maps the left side to the right one, whose points were told apart down to this depth.
    fn matching(&mut self, levels: &[Level], last: &[u64], depth: usize, right: Vec<u64>) -> Option<Points> {
        let left = levels.get(depth).map_or(last, |level| &level.colours);
        if sorted(left) != sorted(&right) {
            return None;
        }
        let Some(level) = levels.get(depth) else {
            let places: BTreeMap<u64, u32> = right.iter().copied().zip(0..).collect();
            let images: Points = left.iter().filter_map(|colour| places.get(colour).copied()).collect();
            let fits = images.len() == left.len()
                && written(&self.trees, &images) == self.written
                && !is_identity(&images);
            return fits.then_some(images);
        };
        let wanted = level.colours[level.point as usize];
        let candidates: Vec<u32> =
            (0..right.len() as u32).filter(|point| right[*point as usize] == wanted).collect();
        for point in candidates {
            let next = self.apart(&right, point, depth)?;
            if let Some(found) = self.matching(levels, last, depth + 1, next) {
                return Some(found);
            }
        }
        None
    }

    /// The colours after a point was told apart.
    fn apart(&mut self, colours: &[u64], point: u32, depth: usize) -> Option<Vec<u64>> {
        let mut next = colours.to_vec();
        let colour = &mut next[point as usize];
        *colour = mix(*colour, depth as u64 + 1);
        self.refine(next)
    }

    /// Colours points by where they occur until that tells no more of them apart; nothing if that is too much work.
    fn refine(&mut self, mut colours: Vec<u64>) -> Option<Vec<u64>> {
        let mut known = count(&colours);
        loop {
            self.work += self.size;
            if self.work > MOST_WORK {
                return None;
            }
            let (mut told, mut noted) = (vec![0; colours.len()], Vec::new());
            for tree in &self.trees {
                noted.clear();
                tree.hash(&colours, &mut noted);
                tree.spread(0, &mut noted.iter().copied(), &mut told);
            }
            let next: Vec<u64> =
                colours.iter().zip(&told).map(|(colour, told)| mix(*colour, *told)).collect();
            let now = count(&next);
            colours = next;
            if now <= known {
                return Some(colours);
            }
            known = now;
        }
    }
}

/// The first point that is not alone in its colour.
fn first_open(colours: &[u64]) -> Option<u32> {
    (0..colours.len() as u32).find(|point| !alike(colours, *point).is_empty())
}

/// The other points of the same colour.
fn alike(colours: &[u64], point: u32) -> Vec<u32> {
    let mine = colours[point as usize];
    (0..colours.len() as u32).filter(|other| *other != point && colours[*other as usize] == mine).collect()
}

fn sorted(colours: &[u64]) -> Vec<u64> {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted
}

/// How many colours there are.
fn count(colours: &[u64]) -> usize {
    let mut sorted = sorted(colours);
    sorted.dedup();
    sorted.len()
}

/// Where a point can go.
fn orbit(point: u32, generators: &[Points]) -> Vec<u32> {
    let (mut orbit, mut next) = (vec![point], 0);
    while next < orbit.len() {
        for generator in generators {
            let image = generator[orbit[next] as usize];
            if !orbit.contains(&image) {
                orbit.push(image);
            }
        }
        next += 1;
    }
    orbit
}
