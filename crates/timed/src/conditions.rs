//! Conditions on variables and clocks, in one discrete state: what they ask of the clocks.

use burnside_model::Network;
use burnside_model::code::{
    ArithOp, Expr, ExprKind, Frame, Interpreter, LogicOp, OrderOp, Part, Quantifier, Stop,
};

use crate::zone::{Bound, Constraint, Federation, Zone};

/// What an evaluation gives.
pub type Run<T> = Result<T, Stop>;

/// The number of each clock, by its cell; 0 for other cells.
#[derive(Clone, Debug)]
pub struct Clocks {
    numbers: Vec<u32>,
    count: usize,
}

impl Clocks {
    /// The clocks of a network, in the order of their cells, from 1 on.
    pub fn new(network: &Network) -> Self {
        let mut numbers = vec![0; network.model.cells as usize];
        for (number, cell) in (1..).zip(&network.clocks) {
            numbers[*cell as usize] = number;
        }
        Clocks { numbers, count: network.clocks.len() }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The clock at a cell.
    pub fn at(&self, cell: usize) -> usize {
        self.numbers[cell] as usize
    }
}

/// Evaluates conditions of a network.
pub struct Conditions<'i, 'm> {
    pub network: &'m Network,
    pub clocks: &'i Clocks,
    /// Holds the discrete state, and the locals of the condition at hand.
    pub interpreter: &'i mut Interpreter<'m>,
}

impl Conditions<'_, '_> {
    /// Whether the part of a conjunction without clocks holds; adds what it asks of the clocks. A condition that is no
    /// conjunction of bounds is never given here: the front end refuses it.
    pub fn conjunction(&mut self, frame: &Frame, expr: &Expr, asked: &mut Vec<Constraint>) -> Run<bool> {
        if !self.network.reads_clock(expr) {
            return self.interpreter.condition(frame, expr);
        }
        match &expr.kind {
            ExprKind::Logic(LogicOp::And, a, b) => {
                Ok(self.conjunction(frame, a, asked)? && self.conjunction(frame, b, asked)?)
            }
            ExprKind::Logic(op, a, b) => {
                // One side has no clocks: the other counts where it does not decide.
                let (free, timed) = if self.network.reads_clock(a) { (b, a) } else { (a, b) };
                let holds = self.interpreter.condition(frame, free)?;
                let decided = if *op == LogicOp::Or { holds } else { !holds };
                if decided { Ok(true) } else { self.conjunction(frame, timed, asked) }
            }
            ExprKind::Quantified(_, each, body) => {
                for value in self.interpreter.loop_values(frame, each)? {
                    self.interpreter.set_local(frame, each.local, value);
                    if !self.conjunction(frame, body, asked)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => {
                asked.extend(self.comparison(frame, expr)?);
                Ok(true)
            }
        }
    }

    /// A comparison of a clock, or of a difference of two, with an integer.
    pub fn comparison(&mut self, frame: &Frame, expr: &Expr) -> Run<Vec<Constraint>> {
        let (op, a, b) = match &expr.kind {
            ExprKind::Order(op, a, b) => (Some(*op), a, b),
            ExprKind::Eq(a, b) => (None, a, b),
            // Invariant: the front end lets nothing else read clocks.
            _ => return Ok(Vec::new()),
        };
        let (left, right, constant) = self.difference(frame, a, b)?;
        // left - right (op) constant
        let value = i32::try_from(constant).unwrap_or(if constant < 0 {
            -Bound::MAX_VALUE
        } else {
            Bound::MAX_VALUE
        });
        let above = |bound| Constraint::new(left, right, bound);
        let below = |bound| Constraint::new(right, left, bound);
        Ok(match op {
            Some(OrderOp::Lt) => vec![above(Bound::lt(value))],
            Some(OrderOp::Le) => vec![above(Bound::le(value))],
            Some(OrderOp::Gt) => vec![below(Bound::lt(-value))],
            Some(OrderOp::Ge) => vec![below(Bound::le(-value))],
            None => vec![above(Bound::le(value)), below(Bound::le(-value))],
        })
    }

    /// `a - b` as a difference of clocks less an integer: the clocks, and what the difference is compared with.
    fn difference(&mut self, frame: &Frame, a: &Expr, b: &Expr) -> Run<(usize, usize, i64)> {
        let ((a_plus, a_minus, a_value), (b_plus, b_minus, b_value)) =
            (self.term(frame, a)?, self.term(frame, b)?);
        // a_plus - a_minus + a_value (op) b_plus - b_minus + b_value, with at most one clock on each side of the sign.
        let left = if a_plus != 0 { a_plus } else { b_minus };
        let right = if a_minus != 0 { a_minus } else { b_plus };
        Ok((left, right, b_value - a_value))
    }

    /// One side of a comparison: a clock, less a clock, plus an integer; 0 for no clock.
    fn term(&mut self, frame: &Frame, expr: &Expr) -> Run<(usize, usize, i64)> {
        match &expr.kind {
            ExprKind::Read(place) if Some(place.ty) == self.network.clock => {
                let cell = self.interpreter.address(frame, place)?;
                Ok((self.clocks.at(cell), 0, 0))
            }
            ExprKind::Arith(op, a, b) if self.network.reads_clock(expr) => {
                let (a, b) = (self.term(frame, a)?, self.term(frame, b)?);
                // At most one clock is added and at most one subtracted: the front end sees to it.
                Ok(match op {
                    ArithOp::Sub => (a.0.max(b.1), a.1.max(b.0), a.2 - b.2),
                    _ => (a.0.max(b.0), a.1.max(b.1), a.2 + b.2),
                })
            }
            _ => Ok((0, 0, self.interpreter.eval(frame, expr)?)),
        }
    }

    /// The clock that an expression is.
    pub fn clock(&mut self, frame: &Frame, expr: &Expr) -> Run<usize> {
        Ok(self.term(frame, expr)?.0)
    }

    /// The points of a zone where a condition of any kind holds (or, if not `holds`, where it does not); `deadlock` are
    /// the points of the zone where the network is stuck.
    pub fn points(
        &mut self,
        frame: &Frame,
        expr: &Expr,
        holds: bool,
        zone: &Zone,
        deadlock: &dyn Fn() -> Federation,
    ) -> Run<Federation> {
        if self.network.is_deadlock(expr) {
            let stuck = deadlock();
            if holds {
                return Ok(stuck);
            }
            let mut free = Federation::from(zone.clone());
            stuck.zones().iter().for_each(|zone| free.subtract(zone));
            return Ok(free);
        }
        if !self.network.reads_clock(expr) && !mentions_deadlock(self.network, expr) {
            return Ok(if self.interpreter.condition(frame, expr)? == holds {
                Federation::from(zone.clone())
            } else {
                Federation::none()
            });
        }
        match &expr.kind {
            ExprKind::Not(e) => self.points(frame, e, !holds, zone, deadlock),
            ExprKind::Logic(op, a, b) => {
                // a -> b is !a | b.
                let first = if *op == LogicOp::Implies { !holds } else { holds };
                let a_points = |s: &mut Self, zone: &Zone| s.points(frame, a, first, zone, deadlock);
                if (*op == LogicOp::And) == holds {
                    let mut both = Federation::none();
                    for zone in a_points(self, zone)?.zones() {
                        let found = self.points(frame, b, holds, zone, deadlock)?;
                        found.zones().iter().for_each(|zone| both.add(zone.clone()));
                    }
                    return Ok(both);
                }
                let mut either = a_points(self, zone)?;
                let found = self.points(frame, b, holds, zone, deadlock)?;
                found.zones().iter().for_each(|zone| either.add(zone.clone()));
                Ok(either)
            }
            ExprKind::Quantified(quantifier, each, body) => {
                let all = (*quantifier == Quantifier::Forall) == holds;
                let mut found = if all { Federation::from(zone.clone()) } else { Federation::none() };
                for value in self.interpreter.loop_values(frame, each)? {
                    if all {
                        let mut next = Federation::none();
                        for zone in found.zones() {
                            self.interpreter.set_local(frame, each.local, value);
                            let part = self.points(frame, body, holds, zone, deadlock)?;
                            part.zones().iter().for_each(|zone| next.add(zone.clone()));
                        }
                        found = next;
                    } else {
                        self.interpreter.set_local(frame, each.local, value);
                        let part = self.points(frame, body, holds, zone, deadlock)?;
                        part.zones().iter().for_each(|zone| found.add(zone.clone()));
                    }
                }
                Ok(found)
            }
            ExprKind::Cond(condition, a, b) => {
                let mut found = Federation::none();
                for (side, then) in [(a, true), (b, false)] {
                    for zone in self.points(frame, condition, then, zone, deadlock)?.zones() {
                        let part = self.points(frame, side, holds, zone, deadlock)?;
                        part.zones().iter().for_each(|zone| found.add(zone.clone()));
                    }
                }
                Ok(found)
            }
            _ => {
                let asked = self.comparison(frame, expr)?;
                let mut inside = zone.clone();
                let any = inside.constrain_all(&asked);
                if holds {
                    return Ok(if any { Federation::from(inside) } else { Federation::none() });
                }
                let mut outside = Federation::from(zone.clone());
                if any {
                    outside.subtract(&inside);
                }
                Ok(outside)
            }
        }
    }
}

/// Whether an expression mentions `deadlock`.
pub fn mentions_deadlock(network: &Network, expr: &Expr) -> bool {
    Part::Expr(expr).any(|part| matches!(part, Part::Expr(e) if network.is_deadlock(e)))
}
