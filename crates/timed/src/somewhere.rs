//! Whether a condition holds somewhere in a zone. A quantifier over a scalarset is asked for one of several scalars that
//! can be exchanged, given those that quantifiers around it have named: the others would answer the same.

use burnside_model::code::{Expr, ExprKind, Frame, LogicOp, Loop, LoopRange, PlaceKind, Quantifier};

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
    /// Whether a condition holds (or, if not `holds`, does not) at some point of a zone.
    pub fn somewhere(&mut self, expr: &Expr, holds: bool, zone: &Zone) -> Run<bool> {
        if self.is_plain(expr) {
            return Ok(self.truth(expr)? == holds);
        }
        match &expr.kind {
            ExprKind::Not(e) => self.somewhere(e, !holds, zone),
            ExprKind::Logic(op, a, b) => {
                // a -> b is !a | b.
                let first = if *op == LogicOp::Implies { !holds } else { holds };
                if (*op == LogicOp::And) != holds {
                    return Ok(self.somewhere(a, first, zone)? || self.somewhere(b, holds, zone)?);
                }
                if self.is_plain(a) {
                    return Ok(self.truth(a)? == first && self.somewhere(b, holds, zone)?);
                }
                if is_harmless(b) && self.truth(b)? != holds {
                    return Ok(false);
                }
                for part in self.points(a, first, zone)?.zones() {
                    if self.somewhere(b, holds, part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ExprKind::Quantified(quantifier, each, body) if (*quantifier == Quantifier::Exists) == holds => {
                self.any(each, true, |this| this.somewhere(body, holds, zone))
            }
            _ => Ok(!self.points(expr, holds, zone)?.is_empty()),
        }
    }

    /// Whether a condition without clocks holds.
    fn truth(&mut self, expr: &Expr) -> Run<bool> {
        match &expr.kind {
            ExprKind::Not(e) => Ok(!self.truth(e)?),
            ExprKind::Logic(op, a, b) => {
                let a = self.truth(a)?;
                match op {
                    LogicOp::And => Ok(a && self.truth(b)?),
                    LogicOp::Or => Ok(a || self.truth(b)?),
                    LogicOp::Implies => Ok(!a || self.truth(b)?),
                }
            }
            ExprKind::Quantified(Quantifier::Exists, each, body) => {
                self.any(each, false, |this| this.truth(body))
            }
            ExprKind::Quantified(Quantifier::Forall, each, body) => {
                Ok(!self.any(each, false, |this| Ok(!this.truth(body)?))?)
            }
            _ => self.conditions.interpreter.condition(self.frame, expr),
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

    fn is_plain(&self, expr: &Expr) -> bool {
        let network = self.conditions.network;
        !network.reads_clock(expr) && !mentions_deadlock(network, expr)
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
