//! Loops over scalarsets and rings, and what is as good as one: finds them, has them interpreted, and refuses those whose
//! iterations may not commute.

use burnside_model::code::{
    Block, DomainId, Expr, ExprKind, LocalId, Loop, LoopRange, Part, Place, PlaceKind, Stmt, StmtKind,
    Storage,
};
use burnside_model::system::{Binder, Formula, FormulaKind, Property};
use burnside_model::{Model, Span};

use super::abstraction::Val;
use super::collect::{Collector, Found};
use super::commute::Conflict;
use super::defined::Defined;
use super::{Body, References, Verifier, commute};

/// What is repeated.
#[derive(Clone, Copy)]
pub(super) enum Iteration<'m> {
    Block(&'m Block),
    Expr(&'m Expr),
    /// The rest of a property's binders, and the property.
    Instances(&'m [Binder], &'m Property),
    /// What a quantifier over formulas holds.
    Formula(&'m Formula),
}

/// A loop to judge.
pub(super) struct Judged<'m> {
    /// The statement or expression; a binder is neither.
    pub part: Option<Part<'m>>,
    pub local: LocalId,
    pub iteration: Iteration<'m>,
    pub span: Span,
    /// The domains whose order it goes by.
    pub domains: Vec<DomainId>,
}

impl<'m> Verifier<'m> {
    /// The domains whose order a loop goes by.
    pub(super) fn domains_of(&self, each: &Loop) -> Vec<DomainId> {
        match each.range {
            LoopRange::Type(ty) => self.permuted(self.model.types.domains_of(ty).into_iter().map(|(d, _)| d)),
            LoopRange::Span(..) => Vec::new(),
        }
    }

    pub(super) fn judge_statement(&mut self, body: &Body<'m>, references: &References, stmt: &'m Stmt) {
        let (local, iteration, domains) = match &stmt.kind {
            StmtKind::For(each, block) => (each.local, Iteration::Block(block), self.domains_of(each)),
            StmtKind::MultisetRemovePred(local, _, condition) => {
                (*local, Iteration::Expr(condition), self.all_domains())
            }
            _ => return,
        };
        let part = Some(Part::Stmt(stmt));
        self.judge(body, references, &Judged { part, local, iteration, span: stmt.span, domains });
    }

    pub(super) fn judge_expression(&mut self, body: &Body<'m>, references: &References, e: &'m Expr) {
        let (local, condition, domains) = match &e.kind {
            ExprKind::Quantified(_, each, condition) => (each.local, condition, self.domains_of(each)),
            ExprKind::Count(local, _, condition) => (*local, condition, self.all_domains()),
            _ => return,
        };
        let (part, iteration) = (Some(Part::Expr(e)), Iteration::Expr(condition));
        self.judge(body, references, &Judged { part, local, iteration, span: e.span, domains });
    }

    /// Refuses a loop's domains unless its iterations commute.
    pub(super) fn judge(&mut self, body: &Body<'m>, references: &References, judged: &Judged<'m>) {
        if judged.domains.is_empty() {
            return;
        }
        let found = run(self.model, body, references, judged, None);
        let Some(conflict) = self.conflict(body, references, judged, &found) else { return };
        // If only a failure is feared, it may be that what is read always has a value.
        let conflict = match found.fault {
            Some(_) => {
                let defined = self.defined.get_or_init(|| Defined::new(self.model));
                let found = run(self.model, body, references, judged, Some(defined));
                match self.conflict(body, references, judged, &found) {
                    Some(conflict) => conflict,
                    None => return,
                }
            }
            None => conflict,
        };
        self.refuse_in(Some(judged.span), &judged.domains, &conflict);
    }

    /// Why the iterations of a loop may not commute, given what one of them does.
    fn conflict(
        &self,
        body: &Body<'m>,
        references: &References,
        judged: &Judged<'m>,
        found: &Found,
    ) -> Option<Conflict> {
        let mut temporary = |local: LocalId| {
            let unread = judged.part.is_some_and(|part| {
                !body.code.iter().any(|code| self.live(body, references, *code, part, local))
            });
            unread && !found.exposes(local) && body.frame[local].storage == Storage::Value
        };
        commute::conflict(found, body.owner, &mut temporary)
    }

    /// Whether a local may be read in `code`, outside `part`, with the value that it was given in `part`. Another loop
    /// that always assigns it first does not count.
    fn live(
        &self,
        body: &Body<'m>,
        references: &References,
        code: Part<'m>,
        part: Part<'m>,
        local: LocalId,
    ) -> bool {
        if code.is(part) {
            return false;
        }
        if let Part::Place(place) = code
            && place.kind == PlaceKind::Local(local)
        {
            return true;
        }
        // To assign a part of it is not to read it.
        if let Part::Stmt(stmt) = code {
            match &stmt.kind {
                StmtKind::Assign(target, value) if is_part(target, local) => {
                    return self.live(body, references, Part::Expr(value), part, local);
                }
                StmtKind::Copy(target, source) if is_part(target, local) => {
                    return self.live(body, references, Part::Place(source), part, local);
                }
                StmtKind::Undefine(target) | StmtKind::Clear(target) if is_part(target, local) => {
                    return false;
                }
                _ => {}
            }
        }
        if let Part::Stmt(stmt) = code
            && let StmtKind::For(each, block) = &stmt.kind
            && !code.contains(part)
            && !Part::of_range(&each.range).into_iter().any(|range| range.mentions(local))
            && code.mentions(local)
        {
            let iteration = Iteration::Block(block);
            let (local_of_loop, span) = (each.local, stmt.span);
            let other =
                Judged { part: Some(code), local: local_of_loop, iteration, span, domains: Vec::new() };
            let found = run(self.model, body, references, &other, None);
            return found.gave_up.is_some() || found.exposed.iter().any(|(exposed, _)| *exposed == local);
        }
        code.parts().into_iter().any(|code| self.live(body, references, code, part, local))
    }
}

/// Whether a place is a local, or a part of it that is reached by fields alone.
fn is_part(place: &Place, local: LocalId) -> bool {
    match &place.kind {
        PlaceKind::Local(other) => *other == local,
        PlaceKind::Field(base, _) => is_part(base, local),
        _ => false,
    }
}

/// What one iteration of a loop does.
fn run<'m>(
    model: &Model,
    body: &Body<'m>,
    references: &References,
    judged: &Judged<'m>,
    defined: Option<&Defined>,
) -> Found {
    let parts: Vec<Part> = match judged.iteration {
        Iteration::Block(block) => block.iter().map(Part::Stmt).collect(),
        Iteration::Expr(e) => vec![Part::Expr(e)],
        Iteration::Instances(binders, property) => {
            let conditions = property.conditions().into_iter().map(Part::Expr);
            binders.iter().flat_map(Part::of_binder).chain(conditions).collect()
        }
        Iteration::Formula(formula) => formula.atoms().into_iter().map(Part::Expr).collect(),
    };
    let mut collector = Collector::new(model, body, references, &parts);
    collector.defined = defined;
    collector.bind_variable(judged.local, Val::Loop);
    match judged.iteration {
        Iteration::Block(block) => collector.block(block),
        Iteration::Expr(e) => drop(collector.value(e)),
        Iteration::Instances(binders, property) => {
            for binder in binders {
                match binder {
                    Binder::Each(each) => collector.bind_variable(each.local, Val::Vary),
                    Binder::Choose(local, _) => collector.bind_variable(*local, Val::Vary),
                    Binder::Alias(local, target) => collector.alias(*local, target),
                }
            }
            property.condition.iter().for_each(|condition| drop(collector.value(condition)));
            property.formula.iter().for_each(|formula| evaluate(&mut collector, formula));
        }
        Iteration::Formula(formula) => evaluate(&mut collector, formula),
    }
    collector.found
}

/// Every atom of a formula, for some values of its quantifiers.
fn evaluate<'m>(collector: &mut Collector<'m>, formula: &'m Formula) {
    match &formula.kind {
        FormulaKind::Atom(atom) => drop(collector.value(atom)),
        FormulaKind::Quantified(_, each, _) => collector.bind_variable(each.local, Val::Vary),
        _ => {}
    }
    for part in formula.parts() {
        evaluate(collector, part);
    }
}
