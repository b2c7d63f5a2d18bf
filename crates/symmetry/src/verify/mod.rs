//! Whether a declared scalarset or ring is a symmetry of the model: whether nothing depends on the order of a
//! scalarset's elements, and nothing on where a ring begins.
//!
//! The idea of scalarsets (Ip and Dill, "Better verification through symmetry", 1996) is that the type checker refuses
//! literals, arithmetic and order. It leaves holes, which existing tools leave to the user's care: a `for` over a
//! scalarset whose iterations do not commute, `return` out of one, `clear`, and whatever shows the order of a
//! multiset's slots, since slots are sorted by content. Here all of these are checked; what cannot be proved is refused
//! with the statement to look at, and the search goes on without that scalarset's symmetry.
//!
//! A ring differs in one thing: going round it by a constant distance commutes with rotations. Its loops are judged like
//! those over scalarsets, which asks for more than is needed (any order, not only a rotated one).
//!
//! All code that rules, guards and properties reach is walked, functions once per way in which their references can be
//! bound. Start states are not: they need not be symmetric. `elements` checks single expressions and statements;
//! `collect`, `execute` and `evaluate` find what one iteration of a loop does and `commute` whether iterations commute;
//! `slots` checks the positions in multisets. A quantifier is a loop as well: every instance is evaluated, and what
//! it calls may have effects; so are the condition of a `multisetcount` and the binders around a property.
//!
//! Each loop is judged alone, the variables of loops around it being fixed. By induction over the code, every
//! statement then maps permuted states to permuted states, and so does every rule.

mod abstraction;
mod collect;
mod commute;
mod defined;
mod elements;
mod evaluate;
mod execute;
mod flows;
mod given;
mod loops;
mod slots;

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use burnside_model::code::{
    Arg, Call, Domain, DomainId, DomainKind, Expr, ExprKind, Frame, LocalId, Loop, Operand, Part, Place,
    PlaceKind, Stmt, StmtKind, Storage, TypeId,
};
use burnside_model::system::{Binder, Formula, FormulaKind, PropertyKind};
use burnside_model::{Model, Span};

use abstraction::{Loc, Root, Step, Val};
use collect::Collector;
use commute::Conflict;
pub(crate) use defined::Defined;
use given::Given;
pub use given::verify_permutation;
use loops::{Iteration, Judged};

/// Why a symmetry domain is not (known to be) a symmetry of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub domain: DomainId,
    /// The statement or expression to show.
    pub span: Span,
    /// The loop around it, if the order of its iterations is the reason.
    pub loop_span: Option<Span>,
    /// The reason, in one line.
    pub reason: String,
    /// How to write it so that it is symmetric, where that is known.
    pub help: Option<&'static str>,
    /// The elements that are told apart from the others, which stay interchangeable, and so do these among themselves.
    /// None: nothing is known to be interchangeable.
    pub apart: Vec<u32>,
    /// Whether every domain is refused for this reason, so that it may go with another domain.
    pub general: bool,
}

/// Checks every symmetry domain of more than one element; a domain without refusal is a symmetry.
pub fn verify(model: &Model) -> Vec<Refusal> {
    let mut verifier = Verifier::new(model);
    (0..model.rules.len()).for_each(|rule| verifier.rule(rule));
    (0..model.properties.len()).for_each(|property| verifier.property(property));
    verifier.finish().refusals
}

/// What decides which states are reached: the rules and the assumptions.
pub fn verify_steps(model: &Model) -> Vec<Refusal> {
    Verifier::new(model).steps().refusals
}

/// One rule alone, without the assumptions.
pub fn verify_rule(model: &Model, rule: usize) -> Vec<Refusal> {
    let mut verifier = Verifier::new(model);
    verifier.rule(rule);
    verifier.finish().refusals
}

/// One property alone.
pub fn verify_property(model: &Model, property: usize) -> Vec<Refusal> {
    let mut verifier = Verifier::new(model);
    verifier.property(property);
    verifier.finish().refusals
}

/// The pairs of types between which values go in rules and properties, and a place where.
pub(crate) fn flows(model: &Model) -> BTreeMap<(TypeId, TypeId), Span> {
    let mut verifier = Verifier::new(model);
    (0..model.rules.len()).for_each(|rule| verifier.rule(rule));
    (0..model.properties.len()).for_each(|property| verifier.property(property));
    verifier.finish().flows
}

/// Bodies are numbered: functions from 0, rules and properties from here.
const RULES: u32 = 1 << 28;
/// A local that a function was given a reference to: it is not its own, even if the caller is the same function.
const FOREIGN: u32 = 1 << 27;
const PROPERTIES: u32 = 1 << 29;

/// Where the references in scope lead.
type References = Vec<(LocalId, Vec<Loc>)>;

/// A rule, function or property.
struct Body<'m> {
    /// Its number.
    owner: u32,
    frame: &'m Frame,
    code: Vec<Part<'m>>,
    /// Variables of loops, quantifiers and rule sets: they always have a value.
    bound: HashSet<LocalId>,
    /// Aliases and what they stand for.
    aliases: HashMap<LocalId, &'m Operand>,
    /// Variables that hold positions in multisets, and which multisets.
    slots: HashMap<LocalId, &'m Place>,
}

impl<'m> Body<'m> {
    fn new(owner: u32, frame: &'m Frame, binders: &'m [Binder], mut code: Vec<Part<'m>>) -> Self {
        let (mut bound, mut aliases, mut slots) = (HashSet::new(), HashMap::new(), HashMap::new());
        for binder in binders {
            code.extend(Part::of_binder(binder));
            match binder {
                Binder::Each(each) => drop(bound.insert(each.local)),
                Binder::Alias(local, target) => drop(aliases.insert(*local, target)),
                Binder::Choose(local, set) => drop(slots.insert(*local, set)),
            }
        }
        for part in &code {
            part.each(&mut |part| match part {
                Part::Expr(Expr { kind: ExprKind::Quantified(_, each, _), .. })
                | Part::Stmt(Stmt { kind: StmtKind::For(each, _), .. }) => drop(bound.insert(each.local)),
                Part::Expr(Expr { kind: ExprKind::Count(local, set, _), .. })
                | Part::Stmt(Stmt { kind: StmtKind::MultisetRemovePred(local, set, _), .. }) => {
                    slots.insert(*local, set);
                }
                Part::Stmt(Stmt { kind: StmtKind::Alias(local, target, _), .. }) => {
                    aliases.insert(*local, target);
                }
                _ => {}
            });
        }
        Body { owner, frame, code, bound, aliases, slots }
    }
}

struct Verifier<'m> {
    model: &'m Model,
    refusals: Vec<Refusal>,
    /// The functions that are reached, each with where its parameters lead.
    contexts: Vec<(u32, References)>,
    /// How many of them have been walked.
    next: usize,
    /// The pairs of types between which values go, and a place where.
    flows: BTreeMap<(TypeId, TypeId), Span>,
    /// The one permutation that is looked at, if not all are.
    given: Option<Given>,
    /// The parts of the state that always have a value, once it matters.
    defined: OnceCell<Defined>,
}

impl<'m> Verifier<'m> {
    fn new(model: &'m Model) -> Self {
        Verifier {
            model,
            refusals: Vec::new(),
            contexts: Vec::new(),
            next: 0,
            flows: BTreeMap::new(),
            defined: OnceCell::new(),
            given: None,
        }
    }

    fn steps(mut self) -> Self {
        (0..self.model.rules.len()).for_each(|rule| self.rule(rule));
        for (i, property) in self.model.properties.iter().enumerate() {
            if property.kind == PropertyKind::Assume {
                self.property(i);
            }
        }
        self.finish()
    }

    /// Walks the functions that were reached.
    fn finish(mut self) -> Self {
        while let Some((function, bindings)) = self.contexts.get(self.next).cloned() {
            self.next += 1;
            self.function(function, bindings);
        }
        self
    }

    /// Refuses a domain because some of its elements are told apart from the others.
    fn tell_apart(&mut self, domain: DomainId, apart: Vec<u32>, span: Span, what: &str) {
        let types = &self.model.types;
        let kept = self.given.as_ref().is_some_and(|given| given.keeps(domain, &apart));
        if types.domain(domain).size < 2 || kept {
            return;
        }
        let names: Vec<_> = apart.iter().map(|element| types.element_name(domain, *element)).collect();
        let (name, names) = (&types.domain(domain).name, names.join("`, `"));
        let reason = format!("{what}: `{names}` is not like the other elements of `{name}`");
        self.note(Refusal { domain, span, loop_span: None, reason, help: None, apart, general: false });
    }

    fn note(&mut self, refusal: Refusal) {
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    fn refuse(&mut self, domains: &[DomainId], span: Span, reason: &str) {
        self.refuse_in(None, domains, &Conflict { span, why: reason.to_owned(), help: None });
    }

    /// Refuses domains because of something in a loop, if there is one.
    fn refuse_in(&mut self, loop_span: Option<Span>, domains: &[DomainId], conflict: &Conflict) {
        let Conflict { span, why, help } = conflict;
        let general = domains == self.all_domains();
        for domain in domains {
            let Domain { name, kind, .. } = self.model.types.domain(*domain);
            let reason = match kind {
                DomainKind::Full => format!("{why} the order of `{name}`"),
                DomainKind::Ring => format!("{why} where the ring `{name}` begins"),
            };
            let (domain, span, help) = (*domain, *span, *help);
            self.note(Refusal { domain, span, loop_span, reason, help, apart: Vec::new(), general });
        }
    }

    /// Those with something to permute.
    fn permuted(&self, domains: impl IntoIterator<Item = DomainId>) -> Vec<DomainId> {
        domains.into_iter().filter(|domain| self.model.types.domain(*domain).size > 1).collect()
    }

    fn all_domains(&self) -> Vec<DomainId> {
        self.permuted((0..self.model.types.domains.len() as u32).map(DomainId))
    }

    fn rule(&mut self, index: usize) {
        let (owner, rule) = (RULES + index as u32, &self.model.rules[index]);
        let mut code: Vec<Part> = rule.guard.iter().map(Part::Expr).collect();
        code.extend(rule.body.iter().map(Part::Stmt));
        let body = Body::new(owner, &rule.frame, &rule.binders, code.clone());
        let mut references = References::new();
        for binder in &rule.binders {
            self.binder(&body, &mut references, binder);
        }
        for part in code {
            self.walk(&body, &references, part);
        }
        self.check_stale_slots(rule);
    }

    /// Walks a binder and binds it. An `assume` in there would keep later instances from being looked at.
    fn binder(&mut self, body: &Body<'m>, references: &mut References, binder: &'m Binder) {
        let parts = Part::of_binder(binder);
        let mut collector = Collector::new(self.model, body, references, &parts);
        for part in parts {
            match part {
                Part::Expr(e) => drop(collector.value(e)),
                Part::Place(place) => drop(collector.place(place)),
                Part::Stmt(_) | Part::Call(_) => {}
            }
            if commute::has_effect(&collector.found) {
                let (domains, span) = (self.all_domains(), part_span(part));
                self.refuse(&domains, span, "what is called here may have an effect that depends on");
            }
        }
        for part in Part::of_binder(binder) {
            self.walk(body, references, part);
        }
        if let Binder::Each(each) = binder {
            self.check_range(body, each);
        }
        if let Binder::Alias(local, target) = binder {
            self.check_operand(body.frame[*local].ty, target);
        }
        if let Binder::Alias(local, Operand::Place(place)) = binder {
            let locs = self.locate(body, references, place);
            references.push((*local, locs));
        }
    }

    fn property(&mut self, index: usize) {
        let (owner, property) = (PROPERTIES + index as u32, &self.model.properties[index]);
        if property.is_statement() {
            return;
        }
        if property.kind.logic().is_some() {
            self.fairness();
        }
        let loops: Vec<&Loop> = property.formula.iter().flat_map(Formula::loops).collect();
        let mut code: Vec<Part> = property.conditions().into_iter().map(Part::Expr).collect();
        code.extend(loops.iter().flat_map(|each| Part::of_range(&each.range)));
        let mut body = Body::new(owner, &property.frame, &property.binders, code);
        body.bound.extend(loops.iter().map(|each| each.local));
        let mut references = References::new();
        for (i, binder) in property.binders.iter().enumerate() {
            self.binder(&body, &mut references, binder);
            let (local, span, domains) = match binder {
                Binder::Each(each) => (each.local, each.span, self.domains_of(each)),
                Binder::Choose(local, set) => (*local, set.span, self.all_domains()),
                Binder::Alias(..) => continue,
            };
            let iteration = Iteration::Instances(&property.binders[i + 1..], property);
            self.judge(&body, &references, &Judged { part: None, local, iteration, span, domains });
        }
        property.condition.iter().for_each(|condition| self.walk(&body, &references, Part::Expr(condition)));
        property.formula.iter().for_each(|formula| self.formula(&body, &references, formula));
    }

    /// The constraints that decide which runs temporal properties speak of.
    fn fairness(&mut self) {
        for (i, property) in self.model.properties.iter().enumerate() {
            if property.kind == PropertyKind::Fairness {
                self.property(i);
            }
        }
    }

    fn formula(&mut self, body: &Body<'m>, references: &References, formula: &'m Formula) {
        match &formula.kind {
            FormulaKind::Atom(atom) => self.walk(body, references, Part::Expr(atom)),
            FormulaKind::Quantified(_, each, inner) => {
                for part in Part::of_range(&each.range) {
                    self.walk(body, references, part);
                }
                self.check_range(body, each);
                let (local, span, domains) = (each.local, each.span, self.domains_of(each));
                let iteration = Iteration::Formula(inner);
                self.judge(body, references, &Judged { part: None, local, iteration, span, domains });
            }
            _ => {}
        }
        for part in formula.parts() {
            self.formula(body, references, part);
        }
    }

    fn function(&mut self, index: u32, references: References) {
        let Some(function) = self.model.functions.get(index as usize) else { return };
        let code = Part::of_function(function);
        let body = Body::new(index, &function.frame, &[], code.clone());
        for part in code {
            self.walk(&body, &references, part);
        }
    }

    /// Checks a piece of code and everything inside.
    fn walk(&mut self, body: &Body<'m>, references: &References, part: Part<'m>) {
        self.check_elements(body, part);
        self.check_slots(body, part);
        match part {
            Part::Stmt(stmt) => self.judge_statement(body, references, stmt),
            Part::Expr(e) => self.judge_expression(body, references, e),
            Part::Call(call) => self.reach(body, references, call),
            Part::Place(_) => {}
        }
        let mut inner = references.clone();
        if let Part::Stmt(Stmt { kind: StmtKind::Alias(local, Operand::Place(place), _), .. }) = part {
            inner.retain(|(other, _)| other != local);
            inner.push((*local, self.locate(body, references, place)));
        }
        for part in part.parts() {
            self.walk(body, &inner, part);
        }
    }

    /// Notes a function that is called, with where its references lead.
    fn reach(&mut self, body: &Body<'m>, references: &References, call: &'m Call) {
        let mut bindings = References::new();
        for (i, arg) in call.args.iter().enumerate() {
            if let Arg::Reference(place) = arg {
                let mut locs = self.locate(body, references, place);
                for loc in &mut locs {
                    if let Root::Local(owner, _) = &mut loc.root {
                        *owner |= FOREIGN;
                    }
                }
                bindings.push((LocalId(i as u32), locs));
            }
        }
        let context = (call.function, bindings);
        if !self.contexts.contains(&context) {
            self.contexts.push(context);
        }
    }

    /// The locations that a place may denote, whatever its indices.
    fn locate(&self, body: &Body<'m>, references: &References, place: &Place) -> Vec<Loc> {
        match &place.kind {
            PlaceKind::Global(global) => vec![Loc::new(Root::Global(*global))],
            PlaceKind::Local(local) if body.frame[*local].storage == Storage::Value => {
                vec![Loc::new(Root::Local(body.owner, *local))]
            }
            PlaceKind::Local(local) => references
                .iter()
                .find(|(other, _)| other == local)
                .map_or(Vec::new(), |(_, locs)| locs.clone()),
            PlaceKind::Index(base, _) | PlaceKind::Slot(base, _) => {
                extend(self.locate(body, references, base), &Step::Index(Val::Vary))
            }
            PlaceKind::Field(base, field) => {
                extend(self.locate(body, references, base), &Step::Field(*field))
            }
            // Any variable that no other place denotes will do.
            PlaceKind::Call(_) => vec![Loc::new(Root::Local(body.owner, LocalId(u32::MAX)))],
            PlaceKind::Cond(_, a, b) => {
                let mut locs = self.locate(body, references, a);
                locs.extend(self.locate(body, references, b));
                locs
            }
        }
    }
}

fn part_span(part: Part<'_>) -> Span {
    match part {
        Part::Stmt(stmt) => stmt.span,
        Part::Expr(e) => e.span,
        Part::Place(place) => place.span,
        Part::Call(call) => call.span,
    }
}

fn extend(mut locs: Vec<Loc>, step: &Step) -> Vec<Loc> {
    for loc in &mut locs {
        loc.path.push(step.clone());
    }
    locs
}
