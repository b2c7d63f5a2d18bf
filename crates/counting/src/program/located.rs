//! The form of the program that E. A. Emerson and T. Wahl gave it (CHARME 2003, Section 4): one counter per location, and
//! for the variable that holds an id the location of whoever it holds.
//!
//! `d = self` becomes `d = A`, `d != self` becomes `d != A | n[A] >= 2`; what they call `update1` and `update2` is where
//! the element that `d` holds goes (which element that is, is told by the case: there is one rule for each). This says as
//! much as counters of extended local states if there is one such variable, which always holds somebody; with two, states
//! where they hold one element and states where they hold two in the same location would be the same.

use burnside_model::code::{ArithOp, Expr, ExprKind, LogicOp, OrderOp, Place, Stmt, StmtKind, Types};

use super::{Form, Writer};
use crate::cases::domain_of;
use crate::check::Obstacle;
use crate::counters::Counting;
use crate::parts::{MARKS, POINTS};
use crate::reach::Reach;
use crate::terms::{AT, arith, assign, constant, equal, int, logic, not, order, read};
use crate::view::variable;

/// Which local states differ only in whether the variable holds the element.
#[derive(Clone, Debug)]
pub(super) struct Located {
    /// The domain of the element.
    pub domain: usize,
    /// Per local state of the domain, its location, and whether the variable holds the element.
    pub at: Vec<(usize, bool)>,
    /// The variable, by its number in the program.
    pub variable: usize,
}

/// Why what was reached has no program in this form.
pub(crate) fn obstacle(counting: &Counting<'_>, reach: &Reach<'_>, form: Form) -> Option<Obstacle> {
    let Counting { model, parts, register, .. } = counting;
    let pointer = parts.pointers.last().filter(|_| form == Form::Paper)?;
    let global = variable(model, parts.globals[pointer.global]) as usize;
    let refuse = |reason: &str| {
        Some(Obstacle {
            reason: reason.to_owned(),
            span: model.globals.get(global).map(|global| global.span),
        })
    };
    if parts.pointers.len() > 1 {
        return refuse("the paper's form is wrong for two variables that hold ids");
    }
    let holds = |globals: &u32| register.globals(*globals)[pointer.global] == POINTS;
    if model.types.domains_of(pointer.ty).len() > 1 || !reach.reached.keys().all(holds) {
        return refuse("in the paper's form a variable always holds an id");
    }
    None
}

impl Located {
    /// The locations of the domain that the only variable with an id points to.
    pub fn new(counting: &Counting<'_>, domain: usize, locals: &[u32]) -> Self {
        let parts = &counting.parts;
        let masks = parts.pointers.len().div_ceil(MARKS);
        let mut locations = Vec::new();
        let mut at = Vec::new();
        for local in locals {
            let (_, mut cells) = counting.register.cells(*local);
            let own = cells.len() - masks;
            let marked = cells.split_off(own).iter().any(|marks| *marks != 0);
            let known = locations.iter().position(|known| *known == cells);
            let location = known.unwrap_or_else(|| {
                locations.push(cells);
                locations.len() - 1
            });
            at.push((location, marked));
        }
        Located { domain, at, variable: 0 }
    }

    /// One local state per location.
    pub fn firsts(&self) -> Vec<usize> {
        let locations = self.at.iter().map(|(location, _)| location + 1).max().unwrap_or(0);
        (0..locations)
            .filter_map(|location| self.at.iter().position(|(other, _)| *other == location))
            .collect()
    }
}

impl Writer<'_> {
    /// The location of a local state and whether the variable holds the element, if that is how they are counted.
    pub(super) fn location(&self, local: u32) -> Option<(usize, bool)> {
        let located = self.located.as_ref().filter(|located| located.domain == domain_of(local))?;
        let at = self.program.locals[located.domain].binary_search(&local).ok()?;
        located.at.get(at).copied()
    }

    /// The local state that stands for all that share a counter with this one.
    pub(super) fn first(&self, local: u32) -> u32 {
        self.sharing(local).first().copied().unwrap_or(local)
    }

    /// All that share a counter with this one.
    pub(super) fn sharing(&self, local: u32) -> Vec<u32> {
        let Some((location, _)) = self.location(local) else { return vec![local] };
        let locals = self.program.locals[domain_of(local)].iter().copied();
        locals.filter(|other| self.location(*other).is_some_and(|(at, _)| at == location)).collect()
    }

    /// That whoever the variable holds is in this location.
    fn here(&self, location: usize) -> Expr {
        let place = self.held();
        let here = constant(place.ty, location as i64);
        equal(read(place), here)
    }

    fn held(&self) -> Place {
        self.global(self.located.as_ref().map_or(0, |located| located.variable))
    }

    /// How many elements are in these local states, as a sum.
    pub(super) fn terms(&self, class: &[u32]) -> Vec<Expr> {
        let mut terms = Vec::new();
        for local in class {
            let sharing = self.sharing(*local);
            let whole = sharing.iter().all(|other| class.contains(other));
            match self.location(*local) {
                _ if whole && sharing[0] == *local => terms.push(read(self.counter(*local))),
                _ if whole => {}
                Some((location, marked)) => {
                    let one =
                        ExprKind::Cond(Box::new(self.here(location)), Box::new(int(1)), Box::new(int(0)));
                    let one = Expr { kind: one, ty: Types::INT, span: AT };
                    terms.push(match marked {
                        true => one,
                        false => {
                            let all = read(self.counter(*local));
                            arith(ArithOp::Sub, all, one)
                        }
                    });
                }
                None => terms.push(read(self.counter(*local))),
            }
        }
        terms
    }

    /// That there are so many elements in a local state.
    pub(super) fn at_least(&self, local: u32, number: u32) -> Expr {
        let enough = |number: u32| order(OrderOp::Ge, read(self.counter(local)), int(number));
        match self.location(local) {
            Some((location, true)) => self.here(location),
            Some((location, false)) if self.sharing(local).len() > 1 => {
                let another = logic(LogicOp::And, vec![not(self.here(location)), enough(number)]);
                logic(LogicOp::Or, vec![another, enough(number + 1)])
            }
            _ => enough(number),
        }
    }

    /// Where whoever the variable holds is after elements moved.
    pub(super) fn follow(&self, moves: &[(u32, u32)], goes: &dyn Fn(u32) -> u32) -> Vec<Stmt> {
        let Some(located) = &self.located else { return Vec::new() };
        let marked = |local: u32| self.location(local).filter(|(_, marked)| *marked).map(|(at, _)| at);
        let now = |location: usize| {
            let place = self.held();
            let location = constant(place.ty, location as i64);
            assign(place, location)
        };
        if let Some(to) = moves.iter().find_map(|(_, to)| marked(*to)) {
            let from = moves.iter().find_map(|(from, _)| marked(*from));
            return if from == Some(to) { Vec::new() } else { vec![now(to)] };
        }
        let mut cases = Vec::new();
        for local in &self.program.locals[located.domain] {
            if let (Some(from), Some(to)) = (marked(*local), marked(goes(*local)))
                && from != to
            {
                cases.push((self.here(from), vec![now(to)]));
            }
        }
        if cases.is_empty() {
            return Vec::new();
        }
        vec![Stmt { kind: StmtKind::If(cases, Vec::new()), span: AT }]
    }

    /// The location of whoever the variable holds at the start.
    pub(super) fn begin(&self, counts: &[(u32, u32)]) -> Option<Stmt> {
        self.located.as_ref()?;
        let (location, _) =
            counts.iter().find_map(|(local, _)| self.location(*local).filter(|(_, marked)| *marked))?;
        let place = self.held();
        let location = constant(place.ty, location as i64);
        Some(assign(place, location))
    }
}
