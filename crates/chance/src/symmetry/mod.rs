//! Symmetry of probabilistic models: found, verified, used.
//!
//! A symmetry permutes variables of equal range, and the values of variables that are only compared and assigned (such as an
//! id of a process). Candidates come from a coloured graph of variables, values, commands, rewards and the property's atoms
//! ([`graph`]): where colour refinement cannot tell two variables apart, a permutation is built that maps one to the other
//! and moves as little else as possible. Names of modules play no role, so copies made by renaming or by hand are alike.
//! Every candidate is then **verified** on the model itself ([`normal`]): commands, weights as exact numbers, rewards and
//! atoms must be mapped onto each other, up to the order of commutative operators. What was found wrongly is only lost.
//!
//! [`canon`] turns verified permutations into a map from states to representatives: sorting of blocks (nested for wreath
//! products), rows and columns, and plain enumeration of small groups such as rings.

pub mod canon;
mod graph;
mod normal;

use burnside_model::chance::{Expr, Initial, Model};

pub use canon::{Canon, Scratch};
use graph::Graph;
use normal::{Normal, Perm};

/// Symmetry that was found and verified.
#[derive(Clone, Debug)]
pub struct Found {
    /// The generators, as images of variables and of values of those that only hold ids, in one list each.
    pub generators: Vec<Vec<u32>>,
    /// The generators in words.
    pub words: Vec<String>,
    /// What group it is, in words.
    pub structure: String,
    /// How many elements it has, in decimal.
    pub order: String,
    /// Chooses representatives.
    pub canon: Canon,
    perms: Vec<Perm>,
}

impl Found {
    /// The image of a state under a generator.
    #[must_use]
    pub fn image(&self, model: &Model, generator: usize, state: &[i64]) -> Vec<i64> {
        let mut image = state.to_vec();
        if let Some(perm) = self.perms.get(generator) {
            perm.apply(model, state, &mut image);
        }
        image
    }
}

/// A model whose symmetry is asked for.
pub struct Subject<'m> {
    model: &'m Model,
    known: Vec<(Vec<u32>, Vec<Perm>)>,
}

/// Property atoms over more assignments than this are compared by their form only.
const EXHAUSTIVE: u64 = 1 << 16;

impl<'m> Subject<'m> {
    pub fn new(model: &'m Model) -> Subject<'m> {
        Subject { model, known: Vec::new() }
    }

    /// The symmetry of the model, some rewards and the atoms of a property; and what breaks the rest.
    pub fn find(&mut self, atoms: &[&Expr], rewards: &[u32]) -> (Option<Found>, Vec<String>) {
        let of_model = self.of_model(rewards);
        let mut broken = Vec::new();
        let mut normal = Normal::new(self.model, rewards, atoms, true);
        let mut perms: Vec<Perm> = Vec::new();
        for perm in &of_model {
            if self.keeps(perm, atoms, &mut normal) {
                perms.push(perm.clone());
            } else {
                broken.push(format!(
                    "{} is a symmetry of the model, but the property tells them apart",
                    perm.words(self.model)
                ));
            }
        }
        if perms.len() < of_model.len() {
            // Others may keep the property.
            for perm in self.searched(rewards, atoms) {
                if !perms.contains(&perm) {
                    perms.push(perm);
                }
            }
        }
        if perms.is_empty() {
            return (None, broken);
        }
        let canon = Canon::new(self.model, &perms);
        broken.extend(canon.unused().iter().cloned());
        if canon.is_trivial() {
            return (None, broken);
        }
        let words = perms.iter().map(|perm| perm.words(self.model)).collect();
        let (structure, order) = (canon.structure(), canon.order());
        let generators = perms.iter().map(Perm::flat).collect();
        (Some(Found { generators, words, structure, order, canon, perms }), broken)
    }

    fn of_model(&mut self, rewards: &[u32]) -> Vec<Perm> {
        if let Some((_, perms)) = self.known.iter().find(|(known, _)| known == rewards) {
            return perms.clone();
        }
        let perms = self.searched(rewards, &[]);
        self.known.push((rewards.to_vec(), perms.clone()));
        perms
    }

    /// Verified permutations, with values of ids and without: those that make the larger group. Permuted values give more
    /// freedom, in which the search may lose its way (a ring that can be turned over if left and right are exchanged too).
    fn searched(&self, rewards: &[u32], atoms: &[&Expr]) -> Vec<Perm> {
        let search = |ids: bool| {
            let mut normal = Normal::new(self.model, rewards, atoms, ids);
            Graph::new(self.model, &mut normal).generators(&mut normal)
        };
        let (with, without) = (search(true), search(false));
        let size = |perms: &[Perm]| Canon::new(self.model, perms).size();
        if size(&with) >= size(&without) { with } else { without }
    }

    /// Whether the atoms of a property have the same value in every state and its image.
    fn keeps(&self, perm: &Perm, atoms: &[&Expr], normal: &mut Normal) -> bool {
        atoms.iter().all(|atom| normal.same(atom, perm) || self.same_everywhere(atom, perm))
    }

    /// Whether an expression has the same value in every state and its image, by trying all values.
    fn same_everywhere(&self, expr: &Expr, perm: &Perm) -> bool {
        same_everywhere(self.model, expr, perm)
    }
}

/// Whether an expression has the same value in every state and its image, by trying all values of its variables.
fn same_everywhere(model: &Model, expr: &Expr, perm: &Perm) -> bool {
    let mut support = expr.support();
    let images: Vec<u32> = support.iter().map(|v| perm.vars[*v as usize]).collect();
    support.extend(images);
    let sources: Vec<u32> =
        (0..model.variables.len() as u32).filter(|v| support.contains(&perm.vars[*v as usize])).collect();
    support.extend(sources);
    support.sort_unstable();
    support.dedup();
    let sizes = support.iter().map(|v| model.variables[*v as usize].size());
    let Some(count) = sizes.clone().try_fold(1u64, u64::checked_mul) else { return false };
    if count > EXHAUSTIVE {
        return false;
    }
    let code = crate::code::booleans(model);
    let mut state: Vec<i64> = model.variables.iter().map(|v| v.low).collect();
    let mut image = state.clone();
    for mut number in 0..count {
        for v in &support {
            let declared = &model.variables[*v as usize];
            state[*v as usize] = declared.low + (number % declared.size()) as i64;
            number /= declared.size();
        }
        perm.apply(model, &state, &mut image);
        let (a, b) = (
            burnside_model::chance::eval(expr, &state, &code),
            burnside_model::chance::eval(expr, &image, &code),
        );
        if a != b {
            return false;
        }
    }
    true
}

/// Whether the set of initial states is mapped to itself.
fn keeps_initial(model: &Model, perm: &Perm, normal: &mut Normal) -> bool {
    match &model.initial {
        Initial::State(state) => {
            let mut image = state.clone();
            perm.apply(model, state, &mut image);
            image == *state
        }
        Initial::Where(condition) => normal.same(condition, perm) || same_everywhere(model, condition, perm),
    }
}
