//! Whether a condition holds somewhere in a zone. A quantifier over a scalarset is asked for one of several scalars that
//! can be exchanged, given those that quantifiers around it have named: the others would answer the same. What the body of
//! a quantifier asks first is asked once, if it is the same for all values.

use burnside_model::Network;
use burnside_model::code::{
    Expr, ExprKind, Frame, LocalId, LogicOp, Loop, LoopRange, Place, PlaceKind, Quantifier,
};

use crate::conditions::{Conditions, Run, mentions_deadlock};
use crate::symmetry::Representatives;
use crate::zone::{Federation, Zone};

/// Which elements can be exchanged in a representative: for each, the first of them.
pub struct Exchangeable<'r, 'm> {
    /// What is known of elements.
    pub representatives: &'r Representatives<'m>,
    /// In state and zone.
    pub timed: &'r [Vec<u32>],
    /// As far as variables go.
    pub plain: &'r [Vec<u32>],
}

/// A condition that is looked for, with what is the same in all states.
pub struct Question<'q> {
    expr: &'q Expr,
    /// Whether it is to hold, or not to.
    holds: bool,
    /// Whether it speaks of variables only.
    plain: bool,
    /// What must be so in any case, in the order in which it is evaluated; for a quantifier, whatever its value.
    first: Vec<(&'q Expr, bool)>,
    /// The parts of a negation, connective or quantifier.
    parts: Vec<Question<'q>>,
}

impl<'q> Question<'q> {
    /// Looks for where a condition holds (or, if not `holds`, does not).
    pub fn new(network: &Network, expr: &'q Expr, holds: bool) -> Self {
        let plain = !network.reads_clock(expr) && !mentions_deadlock(network, expr);
        let mut first = Vec::new();
        let parts = match &expr.kind {
            ExprKind::Not(e) => vec![Question::new(network, e, !holds)],
            ExprKind::Logic(op, a, b) => {
                if !plain {
                    needed(network, expr, holds, None, &mut first);
                }
                // a -> b is !a | b.
                let a = Question::new(network, a, holds != (*op == LogicOp::Implies));
                vec![a, Question::new(network, b, holds)]
            }
            ExprKind::Quantified(quantifier, each, body) => {
                // There is a value: what its body asks first is asked in any case.
                if matches!(each.range, LoopRange::Type(_)) {
                    let wanted = *quantifier == Quantifier::Exists;
                    needed(network, body, wanted, Some(each.local), &mut first);
                }
                vec![Question::new(network, body, holds)]
            }
            _ => Vec::new(),
        };
        Question { expr, holds, plain, first, parts }
    }
}

/// Adds what a condition needs, up to what is not simple or depends on a local; whether that is all of it.
fn needed<'q>(
    network: &Network,
    expr: &'q Expr,
    holds: bool,
    local: Option<LocalId>,
    first: &mut Vec<(&'q Expr, bool)>,
) -> bool {
    match &expr.kind {
        ExprKind::Not(e) => needed(network, e, !holds, local, first),
        ExprKind::Logic(op, a, b) if (*op == LogicOp::And) == holds => {
            needed(network, a, holds != (*op == LogicOp::Implies), local, first)
                && needed(network, b, holds, local, first)
        }
        _ => {
            let simple = is_simple(network, expr, local);
            if simple {
                first.push((expr, holds));
            }
            simple
        }
    }
}

/// Whether an expression is made of variables and constants, other than a local, without quantifiers and calls.
fn is_simple(network: &Network, expr: &Expr, local: Option<LocalId>) -> bool {
    let all = |parts: &[&Expr]| parts.iter().all(|part| is_simple(network, part, local));
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Read(place) => {
            Some(place.ty) != network.clock
                && !network.is_deadlock(expr)
                && is_simple_place(network, place, local)
        }
        ExprKind::Not(e) | ExprKind::Neg(e) => all(&[e]),
        ExprKind::Arith(_, a, b)
        | ExprKind::Order(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Eq(a, b)
        | ExprKind::Ne(a, b) => all(&[a, b]),
        _ => false,
    }
}

fn is_simple_place(network: &Network, place: &Place, local: Option<LocalId>) -> bool {
    match &place.kind {
        PlaceKind::Global(_) => true,
        PlaceKind::Local(read) => Some(*read) != local,
        PlaceKind::Index(base, index) => {
            is_simple_place(network, base, local) && is_simple(network, index, local)
        }
        PlaceKind::Field(base, _) => is_simple_place(network, base, local),
        _ => false,
    }
}

/// A question about a zone of one discrete state.
pub struct Asked<'q, 'i, 'm> {
    /// Evaluates conditions there.
    pub conditions: Conditions<'i, 'm>,
    /// The variables bound in the question.
    pub frame: &'q Frame,
    /// What can be exchanged, with symmetry.
    pub exchangeable: Option<Exchangeable<'q, 'm>>,
    /// The points where the network is stuck.
    pub stuck: Federation,
    /// The elements that quantifiers have named.
    pub named: Vec<(usize, u32)>,
}

impl Asked<'_, '_, '_> {
    /// Whether what is looked for is at some point of a zone.
    pub fn somewhere(&mut self, question: &Question, zone: &Zone) -> Run<bool> {
        let Question { expr, holds, .. } = question;
        if question.plain {
            return Ok(self.truth(question)? == *holds);
        }
        match (&expr.kind, &question.parts[..]) {
            (ExprKind::Not(_), [e]) => self.somewhere(e, zone),
            (ExprKind::Logic(op, ..), [a, b]) => {
                if (*op == LogicOp::And) != *holds {
                    return Ok(self.somewhere(a, zone)? || self.somewhere(b, zone)?);
                }
                if !self.begins(question)? {
                    return Ok(false);
                }
                if a.plain {
                    return Ok(self.truth(a)? == a.holds && self.somewhere(b, zone)?);
                }
                if is_harmless(b.expr) && self.truth(b)? != *holds {
                    return Ok(false);
                }
                for part in self.points(a.expr, a.holds, zone)?.zones() {
                    if self.somewhere(b, part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (ExprKind::Quantified(quantifier, each, _), [body])
                if (*quantifier == Quantifier::Exists) == *holds =>
            {
                Ok(self.begins(question)? && self.any(each, true, |this| this.somewhere(body, zone))?)
            }
            _ => Ok(!self.points(expr, *holds, zone)?.is_empty()),
        }
    }

    /// Whether what must be so in any case is.
    fn begins(&mut self, question: &Question) -> Run<bool> {
        for (expr, holds) in &question.first {
            if self.conditions.interpreter.condition(self.frame, expr)? != *holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a condition without clocks holds.
    fn truth(&mut self, question: &Question) -> Run<bool> {
        match (&question.expr.kind, &question.parts[..]) {
            (ExprKind::Not(_), [e]) => Ok(!self.truth(e)?),
            (ExprKind::Logic(op, ..), [a, b]) => {
                let a = self.truth(a)?;
                match op {
                    LogicOp::And => Ok(a && self.truth(b)?),
                    LogicOp::Or => Ok(a || self.truth(b)?),
                    LogicOp::Implies => Ok(!a || self.truth(b)?),
                }
            }
            (ExprKind::Quantified(quantifier, each, _), [body]) => {
                let wanted = *quantifier == Quantifier::Exists;
                let found = self.begins(question)?
                    && self.any(each, false, |this| Ok(this.truth(body)? == wanted))?;
                Ok(found == wanted)
            }
            _ => self.conditions.interpreter.condition(self.frame, question.expr),
        }
    }

    /// Whether something is true for some value of a quantifier.
    fn any(&mut self, each: &Loop, timed: bool, mut truth: impl FnMut(&mut Self) -> Run<bool>) -> Run<bool> {
        for value in self.conditions.interpreter.loop_values(self.frame, each)? {
            let element = match (&each.range, &self.exchangeable) {
                (LoopRange::Type(ty), Some(exchangeable)) => exchangeable.representatives.element(*ty, value),
                _ => None,
            };
            if element.is_some_and(|element| !self.is_asked(element, timed)) {
                continue;
            }
            self.conditions.interpreter.set_local(self.frame, each.local, value);
            self.named.extend(element);
            let found = truth(self);
            self.named.truncate(self.named.len() - usize::from(element.is_some()));
            if found? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether no element before this one answers the same.
    fn is_asked(&self, (domain, element): (usize, u32), timed: bool) -> bool {
        let Some(exchangeable) = &self.exchangeable else { return true };
        let twins = if timed { exchangeable.timed } else { exchangeable.plain };
        let first = twins[domain][element as usize];
        if self.named.contains(&(domain, element)) {
            return true;
        }
        // Those of the same kind that were named are told apart; the first of the others stands for them.
        let other = (first..element).find(|before| {
            twins[domain][*before as usize] == first && !self.named.contains(&(domain, *before))
        });
        other.is_none()
    }

    fn points(&mut self, expr: &Expr, holds: bool, zone: &Zone) -> Run<Federation> {
        let stuck = &self.stuck;
        self.conditions.points(self.frame, expr, holds, zone, &|| stuck.clone())
    }
}

/// Whether a condition compares only bound variables and constants, so that it can be evaluated before others.
fn is_harmless(expr: &Expr) -> bool {
    let bound = |e: &Expr| match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Read(place) => matches!(place.kind, PlaceKind::Local(_)),
        _ => false,
    };
    matches!(&expr.kind, ExprKind::Eq(a, b) | ExprKind::Ne(a, b) if bound(a) && bound(b))
}
