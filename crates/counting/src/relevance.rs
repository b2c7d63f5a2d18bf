//! What a rule or property can see of the elements that it does not name.
//!
//! Only through quantifiers and loops, so only the variables that are mentioned in those. And an element that a pointer
//! holds is as good as named where the pointer is used for more than comparing it.

use std::collections::BTreeSet;

use burnside_model::Model;
use burnside_model::code::{
    Call, DomainId, ExprKind, Frame, GlobalId, LocalId, Place, PlaceKind, Stmt, StmtKind,
};
use burnside_model::system::Binder;
use burnside_symmetry::{Part, operand, range_parts};

/// What a rule or property sees of other elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relevance {
    /// The variables that quantifiers and loops over elements mention.
    pub seen: BTreeSet<u32>,
    /// Variables that are used otherwise than by comparing them: the elements that they hold, if they do, are named.
    pub followed: BTreeSet<u32>,
    /// Whether there is a loop over elements, so that others may change.
    pub loops: bool,
    /// How many elements the parameters name.
    pub parameters: usize,
}

/// What a rule sees of other elements.
pub(crate) fn of_rule(model: &Model, counted: &[DomainId], rule: usize) -> Relevance {
    let rule = &model.rules[rule];
    let mut parts: Vec<Part<'_>> = rule.guard.iter().map(Part::Expr).collect();
    parts.extend(rule.body.iter().map(Part::Stmt));
    relevance(model, counted, &rule.frame, &rule.binders, parts)
}

/// What a property sees: everything that it mentions, as its own parameters are quantifiers, too.
pub(crate) fn of_property(model: &Model, counted: &[DomainId], property: usize) -> Relevance {
    let property = &model.properties[property];
    let parts: Vec<Part<'_>> = property.condition.iter().map(Part::Expr).collect();
    let mut found = relevance(model, counted, &property.frame, &property.binders, parts.clone());
    let mut looker = Looker { model, counted, found: Relevance::default(), functions: BTreeSet::new() };
    for part in parts {
        looker.walk(&property.frame, part, true);
    }
    found.seen.extend(looker.found.seen);
    found
}

fn relevance<'m>(
    model: &'m Model,
    counted: &'m [DomainId],
    frame: &'m Frame,
    binders: &'m [Binder],
    mut parts: Vec<Part<'m>>,
) -> Relevance {
    let mut looker = Looker { model, counted, found: Relevance::default(), functions: BTreeSet::new() };
    for binder in binders {
        match binder {
            Binder::Each(each) => {
                looker.found.parameters += usize::from(looker.names(frame, each.local));
                parts.extend(range_parts(each));
            }
            Binder::Alias(_, target) => parts.push(operand(target)),
            Binder::Choose(_, set) => parts.push(Part::Place(set)),
        }
    }
    for part in parts {
        looker.walk(frame, part, false);
    }
    looker.found
}

struct Looker<'m> {
    model: &'m Model,
    counted: &'m [DomainId],
    found: Relevance,
    /// Functions that were walked, and whether inside a quantifier or loop.
    functions: BTreeSet<(u32, bool)>,
}

impl<'m> Looker<'m> {
    fn names(&self, frame: &Frame, local: LocalId) -> bool {
        let domains = self.model.types.domains_of(frame[local].ty);
        domains.iter().any(|(domain, _)| self.counted.contains(domain))
    }

    fn walk(&mut self, frame: &'m Frame, part: Part<'m>, inside: bool) {
        let mut deeper = inside;
        match part {
            Part::Stmt(Stmt { kind: StmtKind::For(each, _), .. }) if self.names(frame, each.local) => {
                self.found.loops = true;
                deeper = true;
            }
            Part::Expr(e) => match &e.kind {
                ExprKind::Quantified(_, each, _) => deeper |= self.names(frame, each.local),
                // A comparison does not follow what it compares.
                ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => {
                    for side in [a, b] {
                        match &side.kind {
                            ExprKind::Read(place) => self.compared(frame, place, inside),
                            _ => self.walk(frame, Part::Expr(side), inside),
                        }
                    }
                    return;
                }
                ExprKind::IsUndefined(place) => return self.compared(frame, place, inside),
                _ => {}
            },
            Part::Place(Place { kind: PlaceKind::Global(global), .. }) => self.mention(*global, inside, true),
            Part::Call(call) => self.call(call, inside),
            _ => {}
        }
        for part in part.parts() {
            self.walk(frame, part, deeper);
        }
    }

    /// A place whose content is only compared; what it is indexed by is used for more.
    fn compared(&mut self, frame: &'m Frame, place: &'m Place, inside: bool) {
        match &place.kind {
            PlaceKind::Global(global) => self.mention(*global, inside, false),
            PlaceKind::Index(base, index) | PlaceKind::Slot(base, index) => {
                self.compared(frame, base, inside);
                self.walk(frame, Part::Expr(index), inside);
            }
            PlaceKind::Field(base, _) => self.compared(frame, base, inside),
            _ => self.walk(frame, Part::Place(place), inside),
        }
    }

    fn mention(&mut self, global: GlobalId, inside: bool, followed: bool) {
        if inside {
            self.found.seen.insert(global.0);
        }
        if followed {
            self.found.followed.insert(global.0);
        }
    }

    fn call(&mut self, call: &'m Call, inside: bool) {
        if self.functions.insert((call.function, inside)) {
            let function = &self.model.functions[call.function as usize];
            for stmt in &function.body {
                self.walk(&function.frame, Part::Stmt(stmt), inside);
            }
        }
    }
}
