//! Which permutations map each rule and each property to itself.

use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::system::PropertyKind;

use super::Blocks;
use super::constants::Named;
use crate::verify::{Refusal, verify};

/// A rule or property that tells elements apart.
#[derive(Clone, Debug)]
pub struct Telling {
    /// Its position among the rules, or (`false`) among the properties.
    pub rule: bool,
    /// Its position.
    pub index: usize,
    /// Which it does not tell apart.
    pub blocks: Blocks,
    /// Where it tells them apart, and why.
    pub refusals: Vec<Refusal>,
}

/// What the rules and properties of a model leave of the symmetry of some domains.
#[derive(Clone, Debug)]
pub struct Invariance {
    /// The domains.
    pub domains: Vec<DomainId>,
    /// How many elements each has.
    pub sizes: Vec<u32>,
    /// Per rule: permutations that respect these blocks map it to itself. Assumptions, which decide where a rule leads,
    /// count for every rule.
    pub rules: Vec<Blocks>,
    /// Per property, likewise.
    pub properties: Vec<Blocks>,
    /// Those that tell elements apart.
    pub telling: Vec<Telling>,
}

/// Finds what is left of the symmetry of these domains.
pub fn invariance(model: &Model, domains: &[DomainId]) -> Invariance {
    let sizes: Vec<u32> = domains.iter().map(|domain| model.types.domain(*domain).size).collect();
    let finder = Finder { domains, sizes: &sizes };
    let mut telling = Vec::new();
    let none = || Model { rules: Vec::new(), properties: Vec::new(), ..model.clone() };
    let mut properties = Vec::new();
    for (index, property) in model.properties.iter().enumerate() {
        let mut named = Named::new(model);
        named.model.properties = vec![named.property(property)];
        let blocks = finder.blocks(&named);
        if blocks != Blocks::whole(&sizes) {
            let refusals = verify(&Model { properties: vec![property.clone()], ..none() });
            telling.push(Telling { rule: false, index, blocks: blocks.clone(), refusals });
        }
        properties.push(blocks);
    }
    let assumptions = model.properties.iter().zip(&properties).filter(|(p, _)| p.kind == PropertyKind::Assume);
    let assumed = assumptions.fold(Blocks::whole(&sizes), |all, (_, blocks)| all.meet(blocks));
    let mut rules = Vec::new();
    for (index, rule) in model.rules.iter().enumerate() {
        let mut named = Named::new(model);
        named.model.rules = vec![named.rule(rule)];
        let blocks = finder.blocks(&named);
        if blocks != Blocks::whole(&sizes) {
            let refusals = verify(&Model { rules: vec![rule.clone()], ..none() });
            telling.push(Telling { rule: true, index, blocks: blocks.clone(), refusals });
        }
        rules.push(blocks.meet(&assumed));
    }
    Invariance { domains: domains.to_vec(), sizes, rules, properties, telling }
}

struct Finder<'f> {
    domains: &'f [DomainId],
    sizes: &'f [u32],
}

impl Finder<'_> {
    /// The blocks of a model's only rule or property.
    fn blocks(&self, named: &Named) -> Blocks {
        let refusals = verify(&named.model);
        let mut first = 0;
        let mut blocks = Blocks::whole(self.sizes);
        for (domain, size) in self.domains.iter().zip(self.sizes) {
            let refused = refusals.iter().any(|refusal| refusal.domain == *domain);
            let class = |element: u32| match element.checked_sub(first).filter(|within| within < size) {
                None => 0,
                Some(within) if refused => within,
                Some(within) => {
                    (0..within).find(|other| !named.apart(*domain, *other, within)).unwrap_or(within)
                }
            };
            blocks = blocks.split(&class);
            first += size;
        }
        blocks
    }
}
