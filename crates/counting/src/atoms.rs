//! The simplest conditions that a quantifier asks of an element.
//!
//! `exists p do loc[p] = Critical & tok = p end` asks of every element whether it is critical and whether it has the token,
//! and nothing else: elements that agree in that look alike, whatever else their local states are.

use std::collections::BTreeSet;

use burnside_model::Model;
use burnside_model::code::{
    Cell, DomainId, Expr, ExprKind, Frame, Interpreter, LocalId, Part, PlaceKind, Semantics, StmtKind, Stop,
    Types,
};

/// A condition about one element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom<'m> {
    pub frame: &'m Frame,
    pub condition: &'m Expr,
    /// The variable that names the element.
    pub element: LocalId,
}

/// What an expression asks of elements.
#[derive(Default)]
pub(crate) struct Asked<'m> {
    /// Conditions about one element each.
    pub atoms: Vec<Atom<'m>>,
    /// The expressions that are no such conditions: all that they mention counts.
    pub others: Vec<(&'m Frame, Part<'m>)>,
}

/// Takes a condition apart.
pub(crate) fn ask<'m>(
    model: &'m Model,
    counted: &[DomainId],
    frame: &'m Frame,
    condition: &'m Expr,
    asked: &mut Asked<'m>,
) {
    match &condition.kind {
        ExprKind::Not(e) => ask(model, counted, frame, e, asked),
        ExprKind::Logic(_, a, b) => {
            ask(model, counted, frame, a, asked);
            ask(model, counted, frame, b, asked);
        }
        ExprKind::Eq(a, b) | ExprKind::Ne(a, b) if a.ty == Types::BOOL => {
            ask(model, counted, frame, a, asked);
            ask(model, counted, frame, b, asked);
        }
        ExprKind::Cond(c, a, b) => {
            for e in [c, a, b] {
                ask(model, counted, frame, e, asked);
            }
        }
        ExprKind::Quantified(_, _, body) => ask(model, counted, frame, body, asked),
        // A function that only returns a condition is that condition, of its own parameters.
        ExprKind::Call(call)
            if returned(model, call.function).is_some() && !is_atom(model, counted, frame, condition) =>
        {
            let function = &model.functions[call.function as usize];
            if let Some(result) = returned(model, call.function) {
                ask(model, counted, &function.frame, result, asked);
            }
            for part in Part::Call(call).parts() {
                if !matches!(part, Part::Expr(Expr { kind: ExprKind::Read(place), .. }) if matches!(place.kind, PlaceKind::Local(_)))
                {
                    asked.others.push((frame, part));
                }
            }
        }
        _ => match element(model, counted, frame, condition) {
            Named::One(element) if is_atom(model, counted, frame, condition) => {
                asked.atoms.push(Atom { frame, condition, element });
            }
            _ => asked.others.push((frame, Part::Expr(condition))),
        },
    }
}

/// The condition that a function returns, if it does nothing else.
fn returned(model: &Model, function: u32) -> Option<&Expr> {
    let [stmt] = &model.functions[function as usize].body[..] else { return None };
    match &stmt.kind {
        StmtKind::Return(Some(burnside_model::code::Operand::Value(e))) if e.ty == Types::BOOL => Some(e),
        _ => None,
    }
}

enum Named {
    None,
    One(LocalId),
    More,
}

/// The variables of elements that an expression mentions.
fn element(model: &Model, counted: &[DomainId], frame: &Frame, condition: &Expr) -> Named {
    let mut found = BTreeSet::new();
    Part::Expr(condition).each(&mut |part| {
        if let Part::Place(place) = part
            && let PlaceKind::Local(local) = place.kind
            && model.types.domains_of(frame[local].ty).iter().any(|(domain, _)| counted.contains(domain))
        {
            found.insert(local.0);
        }
    });
    match found.into_iter().collect::<Vec<_>>()[..] {
        [] => Named::None,
        [local] => Named::One(LocalId(local)),
        _ => Named::More,
    }
}

/// Whether a condition depends on nothing but one element, given by a variable, and the globals.
fn is_atom(model: &Model, counted: &[DomainId], frame: &Frame, condition: &Expr) -> bool {
    let Named::One(element) = element(model, counted, frame, condition) else { return false };
    let mut plain = true;
    Part::Expr(condition).each(&mut |part| match part {
        Part::Place(place) => {
            plain &= !matches!(place.kind, PlaceKind::Local(local) if local != element);
        }
        Part::Call(call) => plain &= is_plain(model, counted, call.function, 8),
        Part::Expr(e) => plain &= !matches!(e.kind, ExprKind::Quantified(..)),
        Part::Stmt(_) => {}
    });
    plain
}

/// Whether a function looks at no elements but those that it is given.
fn is_plain(model: &Model, counted: &[DomainId], function: u32, depth: u32) -> bool {
    let function = &model.functions[function as usize];
    let Some(depth) = depth.checked_sub(1) else { return false };
    let names = |local: LocalId| {
        let domains = model.types.domains_of(function.frame[local].ty);
        domains.iter().any(|(domain, _)| counted.contains(domain))
    };
    let mut plain = true;
    for stmt in &function.body {
        Part::Stmt(stmt).each(&mut |part| match part {
            Part::Stmt(stmt) => plain &= !matches!(&stmt.kind, StmtKind::For(each, _) if names(each.local)),
            Part::Expr(e) => {
                plain &= !matches!(&e.kind, ExprKind::Quantified(_, each, _) if names(each.local));
            }
            Part::Call(call) => plain &= is_plain(model, counted, call.function, depth),
            Part::Place(_) => {}
        });
    }
    plain
}

impl Atom<'_> {
    /// Whether it holds for an element of this state; 2 if that cannot be said.
    pub fn holds(&self, model: &Model, semantics: Semantics, state: &[Cell], element: Cell) -> u32 {
        let mut interpreter = Interpreter::new(model, semantics);
        interpreter.load(state);
        interpreter.enter(self.frame);
        interpreter.set_local(self.frame, self.element, element);
        match interpreter.condition(self.frame, self.condition) {
            Ok(holds) => holds.into(),
            Err(Stop::Fault(_) | Stop::Assumption | Stop::Deadline) => 2,
        }
    }
}
