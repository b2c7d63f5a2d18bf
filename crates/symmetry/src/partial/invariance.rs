//! Which permutations map each rule and each property to itself.

use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::system::PropertyKind;

use super::Blocks;
use crate::verify::{Refusal, verify_property, verify_rule};

/// A rule or property that tells elements apart.
#[derive(Clone, Debug)]
pub struct Telling {
    /// Its position among the rules, or (`false`) among the properties.
    pub rule: bool,
    pub index: usize,
    /// Which it does not tell apart.
    pub blocks: Blocks,
    /// Where it tells them apart, and why.
    pub refusals: Vec<Refusal>,
}

/// What the rules and properties of a model leave of the symmetry of some domains.
#[derive(Clone, Debug)]
pub struct Invariance {
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
///
/// The verifier is asked about every rule and property alone. Where it says that one construct tells some elements apart
/// from the others, permutations that keep these sets do not change what the construct does; so those that keep all such
/// sets map the whole rule to itself. Where it says more, every element is for itself.
pub fn invariance(model: &Model, domains: &[DomainId]) -> Invariance {
    let finder = Finder::new(model, domains);
    let mut telling = Vec::new();
    let mut tell = |rule: bool, index: usize, mut refusals: Vec<Refusal>| {
        refusals.retain(|refusal| domains.contains(&refusal.domain));
        let blocks = finder.blocks(&refusals);
        if blocks != finder.whole {
            telling.push(Telling { rule, index, blocks: blocks.clone(), refusals });
        }
        blocks
    };
    let properties: Vec<Blocks> =
        (0..model.properties.len()).map(|i| tell(false, i, verify_property(model, i))).collect();
    let assumptions =
        model.properties.iter().zip(&properties).filter(|(p, _)| p.kind == PropertyKind::Assume);
    let assumed = assumptions.fold(finder.whole.clone(), |all, (_, blocks)| all.meet(blocks));
    let rules: Vec<Blocks> =
        (0..model.rules.len()).map(|i| tell(true, i, verify_rule(model, i)).meet(&assumed)).collect();
    Invariance { domains: domains.to_vec(), sizes: finder.sizes, rules, properties, telling }
}

struct Finder<'f> {
    domains: &'f [DomainId],
    sizes: Vec<u32>,
    whole: Blocks,
}

impl<'f> Finder<'f> {
    fn new(model: &Model, domains: &'f [DomainId]) -> Self {
        let sizes: Vec<u32> = domains.iter().map(|domain| model.types.domain(*domain).size).collect();
        Finder { domains, whole: Blocks::whole(&sizes), sizes }
    }

    /// What these refusals leave.
    fn blocks(&self, refusals: &[Refusal]) -> Blocks {
        let mut blocks = self.whole.clone();
        for refusal in refusals {
            let Some(position) = self.domains.iter().position(|domain| *domain == refusal.domain) else {
                continue;
            };
            let first: u32 = self.sizes[..position].iter().sum();
            let elements = first..first + self.sizes[position];
            blocks = blocks.split(&|element| match elements.contains(&element) {
                false => 0,
                true if refusal.apart.is_empty() => element,
                true => u32::from(refusal.apart.contains(&(element - first))),
            });
        }
        blocks
    }
}
