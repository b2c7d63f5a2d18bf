//! Symmetry between things that have names of their own: variables such as `flag1` and `flag2`, rules that are written
//! once for each of them, and the values that stand for them.
//!
//! The model becomes a set of trees whose leaves are what may move (`weave`): a tree for each rule, function, variable
//! and value. A permutation of variables, functions and values that maps these trees onto each other is a symmetry of
//! the model; generators of all such permutations are found by refinement (`search`), and each is checked on the trees
//! themselves, where nothing but the order of operands and of independent assignments is overlooked. It is the automorphism
//! group of the model's coloured graph of the survey (§3), for variables as a whole and values of types that are only
//! compared, assigned and indexed by.
//!
//! Together with what [`detect`](super::detect) found this is a group given by generators: the variables are the
//! elements of one symmetry domain, and the values of each class of types of another.

mod node;
mod search;
mod weave;

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::code::{Cell, Domain, DomainId, DomainKind, Frame, GlobalId, TypeId};
use burnside_model::system::PropertyKind;
use burnside_model::{Model, Span};

use super::classes::{self, Linked};
use super::{Blocks, Detection, attach, effects};
use crate::group::{self, Group};
use crate::permutation::Permutation;
use crate::verify::Defined;
use node::Node;
use weave::{Points, Weaver};

/// Models with more variables, functions and values are not looked at.
const MOST_POINTS: usize = 2_000;

/// With larger groups, choosing representatives costs more than a better reduction gains.
const LARGEST: u128 = 40_320;

/// The symmetry between named things.
#[derive(Clone, Debug)]
pub struct Named {
    /// The model with what moves as elements of symmetry domains.
    pub model: Model,
    /// These domains.
    pub domains: Vec<DomainId>,
    /// Whether some quantifier over elements may look at instances that it would not have looked at.
    pub watched: bool,
    trees: Trees,
    /// What generates the group of rules and assumptions, on all points.
    steps: Vec<group::Points>,
    /// By point, the domain (by its position) and element that it is.
    elements: BTreeMap<u32, (usize, u32)>,
    sizes: Vec<u32>,
    /// What was detected besides.
    detected: Detection,
}

/// The model as trees.
#[derive(Clone, Debug)]
struct Trees {
    points: Points,
    declarations: Vec<Node>,
    rules: Vec<Node>,
    properties: Vec<Node>,
    /// Which properties decide what is reached.
    assumptions: Vec<bool>,
}

impl Named {
    /// Finds symmetry between named things in a model in which this was detected; nothing if there is no more.
    pub fn find(detection: &Detection) -> Option<Named> {
        let trees = Trees::of(&detection.model)?;
        let steps = search::automorphisms(trees.points.count, &trees.steps(&[]));
        if steps.is_empty() {
            return None;
        }
        let mut named = Named {
            model: detection.model.clone(),
            domains: Vec::new(),
            watched: false,
            trees,
            steps,
            elements: BTreeMap::new(),
            sizes: Vec::new(),
            detected: detection.clone(),
        };
        named.attach_values(&detection.blocks)?;
        named.attach_variables();
        let group = |generators: Vec<Permutation>| {
            let points = generators.iter().map(|g| joined(g.images()));
            Group::new(named.sizes.iter().sum::<u32>() as usize, points).order()
        };
        let whole = group(named.generators(&[]))?;
        let known = group(named.exchanges(&detection.blocks))?;
        (known < whole && (known == 1 || whole <= LARGEST)).then_some(named)
    }

    /// What generates the group of the rules and of these properties, in the order of the domains.
    pub fn generators(&self, properties: &[usize]) -> Vec<Permutation> {
        let kept = |p: &usize| {
            let tree = [&self.trees.properties[*p]];
            self.steps.iter().all(|images| search::is_automorphism(&tree, images))
        };
        let mut generators = match properties.iter().all(kept) {
            true => self.permutations(&self.steps),
            false => {
                let trees = self.trees.steps(properties);
                self.permutations(&search::automorphisms(self.trees.points.count, &trees))
            }
        };
        generators.extend(self.exchanges(&self.detected.common(properties)));
        generators
    }

    /// The rules that the group of all rules maps to each other, by their positions.
    pub fn rule_orbits(&self) -> Vec<Vec<usize>> {
        let still: group::Points = (0..self.trees.points.count as u32).collect();
        let texts: Vec<_> = self.trees.rules.iter().map(|rule| rule.write(&still)).collect();
        let mut orbits: Vec<Vec<usize>> = (0..texts.len()).map(|rule| vec![rule]).collect();
        for images in &self.steps {
            for (rule, tree) in self.trees.rules.iter().enumerate() {
                let image = tree.write(images);
                let Some(other) = texts.iter().position(|text| *text == image) else { continue };
                let find = |of: usize| orbits.iter().position(|orbit| orbit.contains(&of));
                if let (Some(a), Some(b)) = (find(rule), find(other))
                    && a != b
                {
                    let moved = std::mem::take(&mut orbits[a.max(b)]);
                    orbits[a.min(b)].extend(moved);
                }
            }
        }
        orbits.retain(|orbit| !orbit.is_empty());
        orbits.iter_mut().for_each(|orbit| orbit.sort_unstable());
        orbits
    }

    /// Makes the values that move elements; nothing if they cannot be so together with what was detected.
    fn attach_values(&mut self, detected: &Blocks) -> Option<()> {
        let Trees { points, .. } = &self.trees;
        let moves = |point: u32| self.steps.iter().any(|images| images[point as usize] != point);
        let mut wanted: Vec<(usize, Cell)> =
            points.values.iter().filter(|(_, point)| moves(**point)).map(|(value, _)| *value).collect();
        for (class, blocks) in self.detected.classes.iter().zip(detected) {
            for block in blocks {
                let mine = points.class_of.get(&class.types[0])?;
                if points.types(*mine) != class.types {
                    return None;
                }
                wanted.extend(block.iter().map(|value| (*mine, *value)));
            }
        }
        for &(class, value) in &wanted {
            if points.values.get(&(class, value)).is_some_and(|point| self.elements.contains_key(point)) {
                continue;
            }
            let types = points.types(class);
            let having = |value: Cell| -> Vec<TypeId> {
                let has = |ty: &&TypeId| {
                    let (lo, hi) = self.model.types.bounds(**ty);
                    (lo..=hi).contains(&value)
                };
                types.iter().filter(has).copied().collect()
            };
            let of_class = points.values.iter().filter(|((other, _), _)| *other == class);
            let block =
                of_class.filter(|(other, _)| wanted.contains(other) && having(other.1) == having(value));
            let block: Vec<(Cell, u32)> = block.map(|((_, value), point)| (*value, *point)).collect();
            self.watched |= types.iter().any(|ty| effects::quantified(&self.model, *ty));
            let values: Vec<Cell> = block.iter().map(|(value, _)| *value).collect();
            let class = classes::make(&self.model.types, types, &[]);
            let domain = attach(&mut self.model, &class, &values, class.name.clone());
            let position = self.sizes.len();
            self.elements.extend((0..).zip(&block).map(|(i, (_, point))| (*point, (position, i))));
            self.sizes.push(values.len() as u32);
            self.domains.push(domain);
        }
        Some(())
    }

    /// Makes the variables that move elements.
    fn attach_variables(&mut self) {
        let moves = |point: &u32| self.steps.iter().any(|images| images[*point as usize] != *point);
        let moving: Vec<u32> = (0..self.model.globals.len() as u32).filter(moves).collect();
        let Some(first) = moving.first() else { return };
        let at = |global: u32| self.model.globals[global as usize].offset;
        let offsets = moving.iter().map(|global| at(*global) - at(*first)).collect();
        let (name, kind, size) = ("variables".to_owned(), DomainKind::Full, moving.len() as u32);
        let domain = Domain { name, kind, size, span: Span::default() };
        let domain = self.model.types.attach(domain, offsets, &[]);
        let position = self.sizes.len();
        self.elements.extend((0..).zip(&moving).map(|(i, global)| (*global, (position, i))));
        self.sizes.push(size);
        self.domains.push(domain);
        self.model.mirrored = Some((domain, moving.into_iter().map(GlobalId).collect()));
    }

    /// Permutations of points as permutations of elements, without those that move none.
    fn permutations(&self, all: &[group::Points]) -> Vec<Permutation> {
        let permutation = |images: &group::Points| {
            let mut of_elements = Permutation::identity(&self.sizes).images().to_vec();
            for (point, (domain, element)) in &self.elements {
                let (to, image) = self.elements.get(&images[*point as usize])?;
                if to != domain {
                    return None;
                }
                of_elements[*domain][*element as usize] = *image;
            }
            Permutation::from_images(of_elements).filter(|permutation| !permutation.is_identity())
        };
        all.iter().filter_map(permutation).collect()
    }

    /// The exchanges of values that were detected.
    fn exchanges(&self, blocks: &Blocks) -> Vec<Permutation> {
        let mut exchanges = Vec::new();
        for (class, blocks) in self.detected.classes.iter().zip(blocks) {
            for pair in blocks.iter().flat_map(|block| block.windows(2)) {
                let element = |value: Cell| {
                    let class = self.trees.points.class_of.get(&class.types[0])?;
                    self.elements.get(self.trees.points.values.get(&(*class, value))?)
                };
                if let (Some((domain, a)), Some((other, b))) = (element(pair[0]), element(pair[1]))
                    && domain == other
                {
                    exchanges.push(Permutation::transposition(&self.sizes, *domain, *a, *b));
                }
            }
        }
        exchanges
    }
}

/// The images of all elements of all domains in one list.
fn joined(images: &[Vec<u32>]) -> group::Points {
    let mut first = 0;
    let mut all = Vec::new();
    for images in images {
        all.extend(images.iter().map(|image| first + image));
        first += images.len() as u32;
    }
    all
}

impl Trees {
    /// The trees of a model; nothing if it is too large.
    fn of(model: &Model) -> Option<Trees> {
        let defined = Defined::new(model);
        let classes = classes::linked(model);
        // First each class by itself: whose values are told apart by where they occur cannot move.
        let alone = Points::new(model, &classes, &|number| number);
        let trees = Trees::settled(model, alone, &defined)?;
        let colours = search::colours(trees.points.count, &trees.all())?;
        let moving = trees.points.moving(&colours);
        // Then those that have the same values move together.
        let classes: Vec<Linked> =
            classes.into_iter().filter(|class| moving.iter().any(|ty| class.contains(ty))).collect();
        let bounds = |class: &Linked| -> BTreeSet<(i64, i64)> {
            class.iter().map(|ty| model.types.bounds(*ty)).collect()
        };
        let first_alike = |number: usize| {
            let mine = bounds(&classes[number]);
            classes.iter().position(|other| bounds(other) == mine).unwrap_or(number)
        };
        let together = Points::new(model, &classes, &first_alike);
        Trees::settled(model, together, &defined)
    }

    /// The trees with as many classes as may move.
    fn settled(model: &Model, mut points: Points, defined: &Defined) -> Option<Trees> {
        loop {
            if points.count > MOST_POINTS {
                return None;
            }
            let nothing = Frame::default();
            let mut weaver = Weaver::new(model, &points, defined, &nothing);
            weaver.pin_special();
            let mut declarations = weaver.declarations();
            let rules: Vec<Node> = model.rules.iter().map(|rule| weaver.rule(rule)).collect();
            let properties = model.properties.iter().enumerate();
            let properties: Vec<Node> =
                properties.map(|(p, property)| weaver.property(p, property)).collect();
            if weaver.pinned.is_empty() {
                points.fix_unused(model, &mut declarations, rules.iter().chain(&properties));
                let assumptions = model.properties.iter().map(|p| p.kind == PropertyKind::Assume).collect();
                return Some(Trees { points, declarations, rules, properties, assumptions });
            }
            let pinned = std::mem::take(&mut weaver.pinned);
            points = points.without(model, &pinned);
        }
    }

    /// What decides which states are reached, and these properties.
    fn steps(&self, properties: &[usize]) -> Vec<&Node> {
        let wanted = |(p, _): &(usize, &Node)| self.assumptions[*p] || properties.contains(p);
        let properties = self.properties.iter().enumerate().filter(wanted).map(|(_, tree)| tree);
        self.declarations.iter().chain(&self.rules).chain(properties).collect()
    }

    fn all(&self) -> Vec<&Node> {
        self.steps(&[])
    }
}

impl Points {
    /// The points of a model whose classes of types have these values; `key` says which classes are alike.
    fn new(model: &Model, classes: &[Linked], key: &dyn Fn(usize) -> usize) -> Points {
        let mut points = Points::default();
        for (number, class) in classes.iter().enumerate() {
            points.class_of.extend(class.iter().map(|ty| (*ty, key(number))));
        }
        let bounds = |class: &Linked| -> BTreeSet<(i64, i64)> {
            class.iter().map(|ty| model.types.bounds(*ty)).collect()
        };
        let alike = |number: usize| {
            let mine = bounds(&classes[number]);
            classes.iter().position(|other| bounds(other) == mine).unwrap_or(number)
        };
        points.keys = (0..classes.len()).map(alike).collect();
        points.number_values(model);
        points
    }

    fn number_values(&mut self, model: &Model) {
        self.values.clear();
        for (ty, class) in &self.class_of {
            let (lo, hi) = model.types.bounds(*ty);
            self.values.extend((lo..=hi).map(|value| ((*class, value), 0)));
        }
        let first = (model.globals.len() + model.functions.len()) as u32;
        self.values.values_mut().zip(first..).for_each(|(point, number)| *point = number);
        self.count = first as usize + self.values.len();
    }

    fn types(&self, class: usize) -> Vec<TypeId> {
        self.class_of.iter().filter(|(_, of)| **of == class).map(|(ty, _)| *ty).collect()
    }

    /// The same without some classes.
    fn without(mut self, model: &Model, classes: &BTreeSet<usize>) -> Points {
        self.class_of.retain(|_, class| !classes.contains(class));
        self.number_values(model);
        self
    }

    /// The types with two values of one colour.
    fn moving(&self, colours: &[u64]) -> BTreeSet<TypeId> {
        let several = |class: usize| {
            let of_class = self.values.iter().filter(|((other, _), _)| *other == class);
            let mut mine: Vec<u64> = of_class.map(|(_, point)| colours[*point as usize]).collect();
            let count = mine.len();
            mine.sort_unstable();
            mine.dedup();
            mine.len() < count
        };
        self.class_of.iter().filter(|(_, class)| several(**class)).map(|(ty, _)| *ty).collect()
    }

    /// What nothing speaks of stays where it is: variables, and values of types that nothing runs through.
    fn fix_unused<'t>(&self, model: &Model, declarations: &mut [Node], code: impl Iterator<Item = &'t Node>) {
        let mut used = vec![false; self.count];
        code.for_each(|tree| tree.points(&mut |point| used[point as usize] = true));
        let varied = |class: usize| {
            let types = self.types(class);
            types.iter().any(|ty| effects::ranged(model, *ty)) || classes::has_index(model, &types)
        };
        let functions = model.globals.len()..model.globals.len() + model.functions.len();
        let classes: BTreeSet<usize> = self.class_of.values().copied().collect();
        let moving: BTreeSet<usize> = classes.into_iter().filter(|class| varied(*class)).collect();
        for ((class, _), point) in &self.values {
            used[*point as usize] |= moving.contains(class);
        }
        for tree in declarations {
            let Node::Seq(parts) = tree else { continue };
            let mine = parts.iter().find_map(|part| match part {
                Node::Point(point) => Some(*point),
                _ => None,
            });
            if let Some(point) =
                mine.filter(|point| !used[*point as usize] && !functions.contains(&(*point as usize)))
            {
                parts.push(Node::Leaf(i64::from(point)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
