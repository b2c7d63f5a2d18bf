//! Symmetry that nobody declared: ranges and enums whose values nothing tells apart.
//!
//! The types between whose values there is traffic form a class (`classes`). All values that the same types of the class
//! have are taken to be interchangeable at first. Then the verifier of declared scalarsets is asked; where it says that
//! some values are told apart from the others (a constant names one, or a comparison with a constant splits them), they
//! are separated, and where it says more, all are given up; until it agrees. So what is found has been verified, and it
//! is the largest group of this form: the permutations within sets of values.
//!
//! What decides which states are reached (rules and assumptions) gives the group of the model. A property may tell more
//! values apart; then its own group is the stabiliser of what it names, and the model's is left as it is (survey, §2.2).
//!
//! One thing changes where values become elements: a quantifier over elements evaluates all instances, whichever decides
//! it, so that no order shows. Whoever uses the result must see to it that no instance can go wrong that would not have
//! been looked at otherwise ([`Detection::watched`]); instances with effects are refused here (`effects`).

mod classes;
mod effects;
mod named;
mod spans;

use burnside_model::code::{Domain, DomainId, DomainKind, TypeId};
use burnside_model::system::PropertyKind;
use burnside_model::{Model, Span};

use crate::verify::{self, Refusal, verify_property, verify_steps};
use classes::{Flows, classes};
pub use named::Named;

/// The most values that a type may have to be looked at, unless more are asked for.
pub const MOST_VALUES: u64 = 32;

/// How often the verifier is asked before what it still refuses is given up.
const ROUNDS: usize = 64;

/// Types that share their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The name of the first type that has one.
    pub name: String,
    pub types: Vec<TypeId>,
    /// All their values, in order.
    pub values: Vec<i64>,
    /// Whether one of the types is the index of an array in the state, or the parameter of a rule.
    pub index: bool,
}

/// Per class, disjoint sets of two or more interchangeable values.
pub type Blocks = Vec<Vec<Vec<i64>>>;

/// Something that tells values of a class apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    pub class: usize,
    /// The property that does it; none if it is the rules.
    pub property: Option<usize>,
    /// What the verifier says; its domain is of no meaning any more.
    pub refusal: Refusal,
}

/// What was found in a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// The model, with loops between constants as loops over types.
    pub model: Model,
    /// The classes whose values occur in the state.
    pub classes: Vec<Class>,
    /// What looks interchangeable before any rule is asked: each rule may leave part of it.
    pub candidates: Blocks,
    /// What rules and assumptions do not tell apart.
    pub blocks: Blocks,
    /// For each property, what neither they nor it tell apart.
    pub properties: Vec<Blocks>,
    /// What tells values apart, in the order of the model.
    pub breaks: Vec<Break>,
    /// Whether some quantifier over elements may look at instances that it would not have looked at.
    pub watched: bool,
    /// The same, if the candidates become elements.
    pub candidates_watched: bool,
    /// The classes that are taken to be interchangeable whatever was found: nothing follows from them.
    pub insisted: Vec<usize>,
}

impl Detection {
    /// Whether there is anything to permute.
    pub fn is_trivial(&self) -> bool {
        self.blocks.iter().all(Vec::is_empty)
    }

    /// What neither the rules nor any of these properties tell apart.
    pub fn common(&self, properties: &[usize]) -> Blocks {
        let mut blocks = self.blocks.clone();
        for property in properties {
            for (mine, others) in blocks.iter_mut().zip(&self.properties[*property]) {
                *mine = meet(mine, others);
            }
        }
        blocks
    }

    /// Without the classes that none of these types belongs to.
    pub fn only(mut self, types: &[TypeId]) -> Self {
        for (number, class) in self.classes.iter().enumerate() {
            if !class.types.iter().any(|ty| types.contains(ty)) {
                self.blocks[number].clear();
                self.candidates[number].clear();
                self.properties.iter_mut().for_each(|blocks| blocks[number].clear());
            }
        }
        self
    }

    /// The class that a type belongs to.
    pub fn class_of(&self, ty: TypeId) -> Option<usize> {
        self.classes.iter().position(|class| class.types.contains(&ty))
    }

    /// Takes these values of a class to be interchangeable, whatever was found.
    pub fn insist(&mut self, class: usize, values: &[i64]) {
        self.watched |= self.quantified(&self.model, class);
        self.insisted.push(class);
        self.blocks[class] = vec![values.to_vec()];
        self.properties.iter_mut().for_each(|blocks| blocks[class] = vec![values.to_vec()]);
    }

    /// Whether the model would mean something else if the values of a class were elements of a scalarset: a quantifier over
    /// elements has the effects of all its instances.
    pub fn changes_meaning(&self, class: usize) -> bool {
        self.effects(&self.model, class).is_some()
    }

    /// Nothing found, or nothing looked for, but the classes.
    pub fn none(model: &Model) -> Self {
        let model = spans::typed(model);
        let classes = classes(&model, &verify::flows(&model), MOST_VALUES);
        let blocks: Blocks = vec![Vec::new(); classes.len()];
        let properties = vec![blocks.clone(); model.properties.len()];
        let candidates = blocks.clone();
        let (watched, candidates_watched) = (false, false);
        Detection {
            model,
            classes,
            blocks,
            candidates,
            properties,
            breaks: Vec::new(),
            watched,
            candidates_watched,
            insisted: Vec::new(),
        }
    }

    /// Makes these values of a class the elements of a symmetry domain.
    pub(crate) fn attach_block(
        &self,
        model: &mut Model,
        class: usize,
        block: &[i64],
        name: String,
    ) -> DomainId {
        attach(model, &self.classes[class], block, name)
    }

    /// Whether a quantifier runs through a type of a class.
    pub(crate) fn quantified(&self, model: &Model, class: usize) -> bool {
        self.classes[class].types.iter().any(|ty| effects::quantified(model, *ty))
    }

    /// What a quantifier with effects has against a class.
    pub(crate) fn effects(&self, model: &Model, class: usize) -> Option<Refusal> {
        effect(model, &self.classes[class])
    }

    /// The values of a class as a person would write them.
    pub fn show(&self, class: usize, values: &[i64]) -> String {
        let model = &self.model;
        let consecutive = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let ty = self.classes[class].types[0];
        match values {
            [first, .., last] if consecutive && model.types.is_integer(ty) && values.len() > 2 => {
                format!("{first}..{last}")
            }
            _ => values.iter().map(|value| model.types.show(ty, *value)).collect::<Vec<_>>().join(","),
        }
    }

    /// The model with these values as elements of symmetry domains.
    pub fn attach(&self, blocks: &Blocks) -> Model {
        let mut attached = self.model.clone();
        for (number, (class, blocks)) in self.classes.iter().zip(blocks).enumerate() {
            for block in blocks {
                let name = match block == &class.values {
                    true => class.name.clone(),
                    false => format!("{}{{{}}}", class.name, self.show(number, block)),
                };
                attach(&mut attached, class, block, name);
            }
        }
        attached
    }
}

/// Finds the symmetry of ranges and enums; declared scalarsets are left as they are.
pub fn detect(model: &Model) -> Detection {
    detect_up_to(model, MOST_VALUES)
}

/// As [`detect`], in types of at most so many values.
pub fn detect_up_to(model: &Model, most: u64) -> Detection {
    let typed = spans::typed(model);
    let model = &typed;
    let flows = verify::flows(model);
    let classes = classes(model, &flows, most);
    let mut search = Search { model, attached: model.clone(), classes, breaks: Vec::new() };
    let mut blocks: Blocks = search.classes.iter().map(|class| initial(model, class)).collect();
    search.explain_bounds(&flows);
    search.refuse_effects(&mut blocks);
    let candidates = blocks.clone();
    let blocks = search.refine(blocks, None, &|model| verify_steps(model));
    let properties = (0..model.properties.len())
        .map(|index| match model.properties[index].kind {
            // What a fairness constraint tells apart is told apart by all temporal properties.
            PropertyKind::Assume | PropertyKind::Fairness => blocks.clone(),
            _ => search.refine(blocks.clone(), Some(index), &|model| verify_property(model, index)),
        })
        .collect();
    let Search { classes, mut breaks, .. } = search;
    breaks.sort_by_key(|found| found.refusal.span.start);
    let watches = |blocks: &Blocks| {
        classes.iter().zip(blocks).any(|(class, blocks)| {
            !blocks.is_empty() && class.types.iter().any(|ty| effects::quantified(model, *ty))
        })
    };
    let (watched, candidates_watched) = (watches(&blocks), watches(&candidates));
    Detection {
        model: typed,
        classes,
        candidates,
        blocks,
        properties,
        breaks,
        watched,
        candidates_watched,
        insisted: Vec::new(),
    }
}

/// The values that the same types have.
fn initial(model: &Model, class: &Class) -> Vec<Vec<i64>> {
    let having = |value: i64| -> Vec<TypeId> {
        let has = |ty: &TypeId| {
            let (lo, hi) = model.types.bounds(*ty);
            (lo..=hi).contains(&value)
        };
        class.types.iter().copied().filter(has).collect()
    };
    split(std::slice::from_ref(&class.values), &having)
}

/// Splits sets of values by a key; those left alone are dropped.
fn split<K: PartialEq>(blocks: &[Vec<i64>], key: &dyn Fn(i64) -> K) -> Vec<Vec<i64>> {
    let mut parts: Vec<Vec<i64>> = Vec::new();
    for block in blocks {
        let mut keyed: Vec<(K, Vec<i64>)> = Vec::new();
        for value in block {
            let mine = key(*value);
            match keyed.iter_mut().find(|(other, _)| *other == mine) {
                Some((_, part)) => part.push(*value),
                None => keyed.push((mine, vec![*value])),
            }
        }
        parts.extend(keyed.into_iter().map(|(_, part)| part).filter(|part| part.len() > 1));
    }
    parts
}

/// The values that are together in both.
fn meet(a: &[Vec<i64>], b: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let place = |value: i64| b.iter().position(|block| block.contains(&value)).ok_or(value);
    split(a, &place)
}

/// Makes the values of a block the elements of a domain of all types of the class that have them.
fn attach(model: &mut Model, class: &Class, block: &[i64], name: String) -> DomainId {
    let first = block[0];
    let has = |ty: &TypeId| {
        let (lo, hi) = model.types.bounds(*ty);
        block.iter().all(|value| (lo..=hi).contains(value))
    };
    let types: Vec<_> = class.types.iter().copied().filter(has).map(|ty| (ty, first)).collect();
    let offsets = block.iter().map(|value| (value - first) as u32).collect();
    let (kind, size) = (DomainKind::Full, block.len() as u32);
    let domain = Domain { name, kind, size, span: Span::default() };
    model.types.attach(domain, offsets, &types)
}

/// What a quantifier with effects has against a class; the domain is of no meaning.
fn effect(model: &Model, class: &Class) -> Option<Refusal> {
    let span = class.types.iter().find_map(|ty| effects::with_effects(model, *ty))?;
    let name = &class.name;
    let reason = format!(
        "what is called in this quantifier has an effect: which instances are evaluated depends on the order of `{name}`"
    );
    let (domain, apart) = (DomainId(0), Vec::new());
    Some(Refusal { domain, span, loop_span: None, reason, help: None, apart, general: false })
}

/// The search for the largest group.
struct Search<'m> {
    model: &'m Model,
    /// A copy whose types are changed.
    attached: Model,
    classes: Vec<Class>,
    breaks: Vec<Break>,
}

impl Search<'_> {
    /// Says where types of one class meet that do not have the same values.
    fn explain_bounds(&mut self, flows: &Flows) {
        let types = &self.model.types;
        for (number, class) in self.classes.iter().enumerate() {
            for ((a, b), span) in flows {
                let both = class.types.contains(a) && class.types.contains(b);
                if !both || types.bounds(*a) == types.bounds(*b) {
                    continue;
                }
                let (a, b) = (types.describe(*a), types.describe(*b));
                let reason = format!(
                    "values of `{a}` and `{b}` meet here: what only one of them has is not like the rest"
                );
                let (domain, apart) = (DomainId(0), Vec::new());
                let refusal = Refusal {
                    domain,
                    span: *span,
                    loop_span: None,
                    reason,
                    help: None,
                    apart,
                    general: false,
                };
                self.breaks.push(Break { class: number, property: None, refusal });
            }
        }
    }

    /// Gives up classes that a quantifier with effects runs through.
    fn refuse_effects(&mut self, blocks: &mut Blocks) {
        for (number, class) in self.classes.iter().enumerate() {
            let Some(refusal) = effect(self.model, class) else { continue };
            blocks[number].clear();
            self.breaks.push(Break { class: number, property: None, refusal });
        }
    }

    /// Takes apart what the verifier refuses until it refuses nothing.
    fn refine(
        &mut self,
        mut blocks: Blocks,
        property: Option<usize>,
        verify: &dyn Fn(&Model) -> Vec<Refusal>,
    ) -> Blocks {
        for round in 0.. {
            let domains = self.attach_all(&blocks);
            let refusals = verify(&self.attached);
            let refused = |refusal: &Refusal| domains.iter().find(|(id, ..)| *id == refusal.domain);
            let mine: Vec<&Refusal> = refusals.iter().filter(|refusal| refused(refusal).is_some()).collect();
            if mine.is_empty() {
                break;
            }
            // A reason against all may be gone when what is refused for itself is gone; then when mere data is.
            let given_up = |refusal: &Refusal| match refused(refusal) {
                Some((_, class, _)) => !self.classes[*class].index,
                None => false,
            };
            let some_special = mine.iter().any(|refusal| !refusal.general);
            let some_data = mine.iter().any(|refusal| given_up(refusal));
            let counts = |refusal: &&&Refusal| match (some_special, some_data) {
                (true, _) => !refusal.general,
                (false, true) => given_up(refusal),
                (false, false) => true,
            };
            let counting: Vec<Refusal> = mine.iter().filter(counts).map(|r| (*r).clone()).collect();
            for refusal in counting {
                let Some((_, class, block)) = domains.iter().find(|(id, ..)| *id == refusal.domain) else {
                    continue;
                };
                let apart: Vec<i64> = refusal.apart.iter().map(|element| block[*element as usize]).collect();
                if apart.is_empty() || round >= ROUNDS {
                    blocks[*class].retain(|other| !other.iter().any(|value| block.contains(value)));
                } else {
                    blocks[*class] = split(&blocks[*class], &|value| apart.contains(&value));
                }
                self.breaks.push(Break { class: *class, property, refusal });
            }
        }
        blocks
    }

    /// Attaches a domain for every block; gives the blocks with their domains and classes.
    fn attach_all(&mut self, blocks: &Blocks) -> Vec<(DomainId, usize, Vec<i64>)> {
        self.attached.types = self.model.types.clone();
        let mut domains = Vec::new();
        for (number, (class, blocks)) in self.classes.iter().zip(blocks).enumerate() {
            for block in blocks {
                let id = attach(&mut self.attached, class, block, class.name.clone());
                domains.push((id, number, block.clone()));
            }
        }
        domains
    }
}
