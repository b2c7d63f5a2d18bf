//! The fragment in which few sizes decide all: what a model may say, and how many elements one step looks at.
//!
//! The small-model argument (invisible invariants of Pnueli, Ruah and Zuck, 2001; the bound of effectively propositional
//! logic). Suppose that a step from a state in which some clauses hold for all elements leads to a state in which one of
//! them does not, in a system of any size. Keep only a set D of elements: the values of variables outside arrays that hold
//! elements, the parameters of the rule, the elements that make its `exists` true or its `forall` false, and those for
//! which the clause fails. Forget all cells of other elements. Then the same happens in the system of size |D|:
//! - a condition over the cells of D alone keeps its value;
//! - a `forall` that is true stays true, and one that is false has its witness in D; an `exists` likewise;
//! - a loop over all elements changes, for elements of D, what it changed before, provided that each iteration writes
//!   cells of its own element only;
//! - a cell of an array that holds an id may hold one outside D. It then holds "another" element
//!   (see `Shape::widened` in the front end), which differs from all that are named. Such a cell may be compared and
//!   copied; to follow it to another cell makes its value one more element of D.
//!
//! So if no such step exists at any size up to the largest |D|, none exists at all. [`analyse`] walks all code of a
//! model, refuses what breaks the argument with the place in the source, and counts the summands of |D|.

mod conditions;
mod exprs;
mod stmts;

use std::collections::HashMap;

use burnside_model::code::{Domain, DomainId, DomainKind, Expr, Frame, LocalId, LoopRange, TypeId, TypeKind};
use burnside_model::system::{Binder, Property, PropertyKind};
use burnside_model::{Model, Span};

/// Why a model is outside the fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    pub span: Span,
    /// The reason, in one line.
    pub reason: String,
}

/// How many elements of each parameterised domain one body looks at, by domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// What it is: `rule "name"`, `start state "name"`, `invariant "name"`.
    pub name: String,
    pub parameters: Vec<u32>,
    /// Elements that make an `exists` true or a `forall` false, and ids that are followed.
    pub witnesses: Vec<u32>,
    /// Loops over elements inside each other: where something goes wrong in one, its elements count.
    pub loops: Vec<u32>,
    /// Of an invariant: the elements that make it true where it is assumed; nothing if their number has no bound.
    pub assumed: Option<Vec<u32>>,
    /// Whether clauses must hold after it: it is a rule or a start state.
    pub steps: bool,
}

/// The summands of the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The parameterised domains.
    pub domains: Vec<DomainId>,
    /// Per domain, how many variables outside arrays over it hold an element of it.
    pub globals: Vec<u32>,
    /// Per rule, start state and invariant.
    pub bodies: Vec<Counts>,
    /// Whether an array over elements holds elements.
    pub holds_ids: bool,
}

impl Summary {
    /// The largest size that must be checked, per domain, for clauses with so many variables of each.
    pub fn bound(&self, clause: &[u32]) -> Vec<u32> {
        let most = |domain: usize| {
            let of = |body: &Counts| {
                let last = body.loops[domain].max(if body.steps { clause[domain] } else { 0 });
                body.parameters[domain] + body.witnesses[domain] + last
            };
            (self.globals[domain] + self.bodies.iter().map(of).max().unwrap_or(0)).max(1)
        };
        (0..self.domains.len()).map(most).collect()
    }

    /// The body that decides the bound of a domain.
    pub fn decisive(&self, clause: &[u32], domain: usize) -> Option<&Counts> {
        let of = |body: &&Counts| {
            let last = body.loops[domain].max(if body.steps { clause[domain] } else { 0 });
            body.parameters[domain] + body.witnesses[domain] + last
        };
        self.bodies.iter().max_by_key(of)
    }
}

/// What is known of an element-valued expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No element.
    Plain,
    /// An element of D.
    Ground,
    /// The variable of an enclosing loop or quantifier.
    Bound(usize),
    /// The content of a cell of an array over elements: it may be outside D.
    Cell,
}

/// A place, as far as loops matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Elements among the indices on the way.
    pub indices: Vec<Kind>,
    /// In how many loops the activation whose local it is was called; none for the state.
    pub local: Option<usize>,
    /// Whether it is a simple local, with what it holds.
    pub holds: Option<Kind>,
}

/// What a local stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Value(Kind),
    Place(Spot),
}

/// One execution of a body.
pub(crate) struct Activation<'m> {
    pub frame: &'m Frame,
    pub locals: HashMap<LocalId, Meaning>,
    /// How many loops were around it when it began.
    pub within: usize,
    /// What it returns, if it is a function.
    pub returns: Option<Kind>,
    /// If it does nothing but return a condition: how that condition must keep its value.
    pub returned: Option<(conditions::Sense, conditions::Block)>,
}

/// Walks the code of a model.
pub(crate) struct Walk<'m> {
    pub model: &'m Model,
    pub domains: &'m [DomainId],
    pub outside: Vec<Outside>,
    /// Of the body at hand.
    pub counts: Counts,
    /// The domains of the loops and quantifiers over elements around what is looked at.
    pub loops: Vec<Vec<usize>>,
    /// How often it is executed by loops over finite ranges around it; none if that is unknown.
    pub times: Option<u32>,
    /// Calls inside each other.
    pub depth: usize,
    /// Whether some array over elements holds elements.
    pub holds_ids: bool,
}

/// Walks all code that the argument must cover.
pub fn analyse(model: &Model, domains: &[DomainId]) -> Result<Summary, Vec<Outside>> {
    let mut walk = Walk {
        model,
        domains,
        outside: Vec::new(),
        counts: Walk::no_counts(String::new(), domains.len(), false),
        loops: Vec::new(),
        times: Some(1),
        depth: 0,
        holds_ids: false,
    };
    let globals = walk.globals();
    let mut bodies = Vec::new();
    for (what, list) in [("start state", &model.starts), ("rule", &model.rules)] {
        for rule in list {
            walk.counts = Walk::no_counts(format!("{what} \"{}\"", rule.name), domains.len(), true);
            let mut activation = walk.activation(&rule.frame);
            walk.binders(&mut activation, &rule.binders, false);
            if let Some(guard) = &rule.guard {
                walk.condition(&mut activation, guard, conditions::Sense::WhenTrue, conditions::Block::None);
            }
            walk.block(&mut activation, &rule.body);
            walk.assumptions();
            bodies.push(walk.counts.clone());
        }
    }
    for property in model.properties.iter().filter(|property| property.kind == PropertyKind::Invariant) {
        let name = format!("invariant \"{}\"", property.name);
        walk.counts = Walk::no_counts(name, domains.len(), false);
        let mut activation = walk.activation(&property.frame);
        walk.binders(&mut activation, &property.binders, true);
        if let Some(condition) = &property.condition {
            walk.condition(&mut activation, condition, conditions::Sense::WhenFalse, conditions::Block::None);
        }
        let counts = walk.counts.clone();
        let assumed = walk.assumed(property);
        bodies.push(Counts { assumed, ..counts });
    }
    if !walk.outside.is_empty() {
        return Err(walk.outside);
    }
    Ok(Summary { domains: domains.to_vec(), globals, bodies, holds_ids: walk.holds_ids })
}

impl<'m> Walk<'m> {
    fn no_counts(name: String, domains: usize, steps: bool) -> Counts {
        let none = vec![0; domains];
        let (parameters, witnesses, loops) = (none.clone(), none.clone(), none);
        Counts { name, parameters, witnesses, loops, assumed: None, steps }
    }

    /// How many elements make an invariant true. One that holds for all its parameters may not need any of its own.
    fn assumed(&mut self, property: &'m Property) -> Option<Vec<u32>> {
        let refused = self.outside.len();
        self.counts = Walk::no_counts(String::new(), self.domains.len(), false);
        let mut activation = self.activation(&property.frame);
        self.binders(&mut activation, &property.binders, false);
        if let Some(condition) = &property.condition {
            self.condition(&mut activation, condition, conditions::Sense::WhenTrue, conditions::Block::None);
        }
        let bounded = self.outside.len() == refused;
        self.outside.truncate(refused);
        let Counts { parameters, witnesses, .. } = &self.counts;
        let for_each = parameters.iter().any(|n| *n > 0) && witnesses.iter().any(|n| *n > 0);
        (bounded && !for_each).then(|| witnesses.clone())
    }

    /// Variables outside arrays that hold an element; takes note of arrays of ids, refuses multisets and rings.
    fn globals(&mut self) -> Vec<u32> {
        let mut globals = vec![0; self.domains.len()];
        for cell in self.model.state_cells() {
            let held = self.held(cell.ty);
            if cell.indices.iter().any(|(domain, _)| self.domains.contains(domain)) {
                self.holds_ids |= !held.is_empty();
                continue;
            }
            held.into_iter().for_each(|domain| globals[domain] += 1);
        }
        for global in &self.model.globals {
            if self.model.types[global.ty].has_multiset {
                let reason = format!("`{}` is a multiset: its slots are not told apart", global.name);
                self.refuse(global.span, reason);
            }
        }
        for domain in self.domains {
            let Domain { kind, span, name, .. } = self.model.types.domain(*domain);
            if *kind == DomainKind::Ring {
                self.refuse(*span, format!("`{name}` is a ring: its neighbours are not arbitrary elements"));
            }
        }
        globals
    }

    pub fn refuse(&mut self, span: Span, reason: impl Into<String>) {
        let outside = Outside { span, reason: reason.into() };
        if !self.outside.contains(&outside) {
            self.outside.push(outside);
        }
    }

    /// The parameterised domains of which a value of a simple type may be an element.
    pub fn held(&self, ty: TypeId) -> Vec<usize> {
        let held = self.model.types.domains_of(ty).into_iter().map(|(domain, _)| domain);
        held.filter_map(|domain| self.domains.iter().position(|of| *of == domain)).collect()
    }

    pub fn activation(&self, frame: &'m Frame) -> Activation<'m> {
        Activation { frame, locals: HashMap::new(), within: self.loops.len(), returns: None, returned: None }
    }

    /// Counts elements that must be kept.
    pub fn count(&mut self, domains: &[usize], span: Span) {
        let Some(times) = self.times else {
            return self.refuse(span, "how often a `while` loop looks at another element is not known");
        };
        domains.iter().for_each(|domain| self.counts.witnesses[*domain] += times);
    }

    /// Binds the parameters of a rule (`false`), or those of a property, which are witnesses of its violation.
    fn binders(&mut self, activation: &mut Activation<'m>, binders: &'m [Binder], property: bool) {
        for binder in binders {
            match binder {
                Binder::Each(each) => {
                    let domains = self.held(activation.frame[each.local].ty);
                    if property {
                        self.count(&domains, each.span);
                    } else {
                        domains.iter().for_each(|domain| self.counts.parameters[*domain] += 1);
                    }
                    if let LoopRange::Span(from, to, by) = &each.range {
                        for e in [Some(from), Some(to), by.as_ref()].into_iter().flatten() {
                            self.value(activation, e);
                        }
                    }
                    let kind = if domains.is_empty() { Kind::Plain } else { Kind::Ground };
                    activation.locals.insert(each.local, Meaning::Value(kind));
                }
                Binder::Alias(local, operand) => {
                    let meaning = self.operand(activation, operand);
                    activation.locals.insert(*local, meaning);
                }
                Binder::Choose(_, set) => self.refuse(set.span, "`choose` takes a slot of a multiset"),
            }
        }
    }

    /// The model's assumptions are evaluated after every step.
    fn assumptions(&mut self) {
        for property in self.model.properties.iter().filter(|p| p.kind == PropertyKind::Assume) {
            let mut activation = self.activation(&property.frame);
            self.binders(&mut activation, &property.binders, true);
            if let Some(condition) = &property.condition {
                self.condition(
                    &mut activation,
                    condition,
                    conditions::Sense::Always,
                    conditions::Block::None,
                );
            }
        }
    }

    /// Cells of a type that hold elements and are not in an array over elements inside it, per domain; and whether there
    /// is an array over elements inside it.
    pub fn inside(&self, ty: TypeId) -> (Vec<usize>, bool, bool) {
        let types = &self.model.types;
        match &types[ty].kind {
            TypeKind::Array { index, element } => {
                let (ids, has_array, has_ids) = self.inside(*element);
                if self.held(*index).is_empty() {
                    let times = types.size(*index).min(1 << 16) as usize;
                    let all = std::iter::repeat_n(ids, times).flatten().collect();
                    (all, has_array, has_ids)
                } else {
                    (Vec::new(), true, has_ids)
                }
            }
            TypeKind::Record(fields) => {
                let (mut ids, mut has_array, mut has_ids) = (Vec::new(), false, false);
                for field in fields {
                    let (more, array, some) = self.inside(field.ty);
                    ids.extend(more);
                    has_array |= array;
                    has_ids |= some;
                }
                (ids, has_array, has_ids)
            }
            TypeKind::Multiset { .. } => (Vec::new(), false, false),
            _ => {
                let held = self.held(ty);
                let has_ids = !held.is_empty();
                (held, false, has_ids)
            }
        }
    }

    /// The value of an expression that is used as such.
    pub fn value(&mut self, activation: &mut Activation<'m>, e: &'m Expr) -> Kind {
        let kind = self.expr(activation, e);
        self.followed(kind, e)
    }

    /// An id that is followed: its value becomes an element that is looked at.
    pub fn followed(&mut self, kind: Kind, e: &'m Expr) -> Kind {
        if kind != Kind::Cell {
            return kind;
        }
        if !self.loops.is_empty() {
            self.refuse(e.span, "an id that an array holds is followed under a loop or quantifier");
            return Kind::Ground;
        }
        let held = self.held(e.ty);
        self.count(&held, e.span);
        Kind::Ground
    }
}
