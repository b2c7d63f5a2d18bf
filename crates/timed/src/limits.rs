//! The constants that each clock is compared with, by the location of each process: what extrapolation needs to know.
//!
//! A clock's limit in a location is the greatest constant of a guard or invariant that the process may meet before it
//! sets the clock. They are computed for every instance of a process, from code that is the same for all, so that they
//! are the same for instances that a symmetry exchanges.

use burnside_model::Network;
use burnside_model::code::{
    ArithOp, Cell, Expr, ExprKind, Frame, Interpreter, LocalId, LogicOp, OrderOp, Part, Place, PlaceKind,
    Semantics, Stmt, StmtKind,
};
use burnside_model::network::Query;

use crate::conditions::Clocks;
use crate::differences::Differences;
use crate::steps::Instance;
use crate::zone::Limits;

/// A clock and a constant that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limit {
    clock: usize,
    /// Whether it bounds the clock from below.
    lower: bool,
    constant: i32,
}

/// The limits of a network.
#[derive(Clone, Debug)]
pub struct LocalLimits {
    clocks: usize,
    /// By instance and location.
    local: Vec<Vec<Vec<Limit>>>,
    /// Those of what is observed and of differences, which count everywhere.
    everywhere: Vec<Limit>,
    /// The differences of clocks that are compared.
    pub differences: Differences,
    /// The clock of which less is as good.
    timer: Option<usize>,
}

/// What is asked about states, beyond what edges and invariants tell apart.
#[derive(Clone, Debug, Default)]
pub struct Observed<'q> {
    /// Conditions, each with whether it is asked where it holds, or where it does not.
    pub conditions: Vec<(&'q Frame, &'q Expr, bool)>,
    /// Whether it is asked what cannot be done, too: every limit is then one for both sides.
    pub both: bool,
    /// Clocks whose values are asked for, where they are read; other expressions do not count.
    pub exprs: Vec<(&'q Frame, &'q Expr)>,
    /// Up to where they are told apart.
    pub limit: i32,
    /// A clock that nothing reads or sets, and up to where it counts: less of it is as good as more.
    pub timer: Option<(usize, i32)>,
}

struct Reader<'r, 'm> {
    network: &'m Network,
    clocks: &'r Clocks,
    interpreter: Interpreter<'m>,
    /// How many of the first locals have a value.
    known: usize,
    differences: Differences,
}

impl LocalLimits {
    /// The limits of a network; `start` is its first discrete state, for the values of its constants. What is
    /// `observed` counts everywhere.
    pub fn new(
        network: &Network,
        clocks: &Clocks,
        instances: &[Instance],
        start: &[Cell],
        observed: &Observed,
    ) -> Self {
        let mut interpreter = Interpreter::new(&network.model, Semantics::default());
        interpreter.load(start);
        let differences = Differences::default();
        let mut reader = Reader { network, clocks, interpreter, known: 0, differences };
        let local = instances.iter().map(|instance| reader.instance(instance)).collect();
        let mut everywhere = Vec::new();
        for (frame, expr, holds) in &observed.conditions {
            reader.known = 0;
            reader.interpreter.enter(frame);
            let mut found = Vec::new();
            reader.condition(frame, expr, &mut found);
            let turned = |limit: &Limit| Limit { lower: limit.lower == *holds, ..*limit };
            everywhere.extend(found.iter().map(turned));
        }
        for (frame, expr) in &observed.exprs {
            reader.known = 0;
            reader.interpreter.enter(frame);
            if let ExprKind::Read(place) = &expr.kind
                && reader.is_clock(place)
            {
                for clock in reader.clocks_at(frame, place) {
                    let limit = |lower| Limit { clock, lower, constant: observed.limit };
                    everywhere.extend([limit(true), limit(false)]);
                }
            }
        }
        let differences = std::mem::take(&mut reader.differences);
        if differences.any() {
            let set = reader.greatest_set();
            for (clock, constant) in differences.constants() {
                let constant = constant.saturating_add(set);
                everywhere.extend([true, false].map(|lower| Limit { clock, lower, constant }));
            }
        }
        if let Some((clock, constant)) = observed.timer {
            everywhere.push(Limit { clock, lower: false, constant });
        }
        simplify(&mut everywhere);
        let timer = observed.timer.map(|(clock, _)| clock);
        let mut limits = LocalLimits { clocks: clocks.count(), local, everywhere, differences, timer };
        if observed.both {
            limits.both();
        }
        limits
    }

    /// Makes every limit one for both sides.
    pub fn both(&mut self) {
        let timer = self.timer;
        let both = |limits: &mut Vec<Limit>| {
            let turned = limits.iter().filter(|limit| Some(limit.clock) != timer);
            let turned: Vec<Limit> = turned.map(|limit| Limit { lower: !limit.lower, ..*limit }).collect();
            limits.extend(turned);
            simplify(limits);
        };
        self.local.iter_mut().flatten().for_each(both);
        both(&mut self.everywhere);
    }

    /// The limits in a discrete state.
    pub fn at(&self, state: &[Cell], instances: &[Instance]) -> Limits {
        let mut limits = Limits::none(self.clocks);
        self.write(state, instances, &mut limits);
        limits
    }

    /// As [`at`](Self::at), in place of other limits of the same clocks.
    pub fn write(&self, state: &[Cell], instances: &[Instance], limits: &mut Limits) {
        limits.clear();
        for (instance, local) in instances.iter().zip(&self.local) {
            raise(limits, &local[state[instance.location] as usize]);
        }
        raise(limits, &self.everywhere);
    }

    /// The greatest limits of all states.
    pub fn global(&self) -> Limits {
        let mut limits = Limits::none(self.clocks);
        self.local.iter().flatten().for_each(|local| raise(&mut limits, local));
        raise(&mut limits, &self.everywhere);
        limits
    }
}

/// The clocks that a query reads, ascending; `start` is the first discrete state, for the values of constants.
pub fn clocks_read(network: &Network, clocks: &Clocks, start: &[Cell], query: &Query) -> Vec<usize> {
    let mut interpreter = Interpreter::new(&network.model, Semantics::default());
    interpreter.load(start);
    interpreter.enter(&query.frame);
    let mut reader = Reader { network, clocks, interpreter, known: 0, differences: Differences::default() };
    let mut found = Vec::new();
    query.kind.exprs().iter().for_each(|expr| reader.read_by(&query.frame, expr, &mut found));
    found.sort_unstable();
    found.dedup();
    found
}

fn raise(limits: &mut Limits, by: &[Limit]) {
    for limit in by {
        if limit.lower {
            limits.raise_lower(limit.clock, limit.constant);
        } else {
            limits.raise_upper(limit.clock, limit.constant);
        }
    }
}

impl Reader<'_, '_> {
    /// The limits of an instance in each of its locations.
    fn instance(&mut self, instance: &Instance) -> Vec<Vec<Limit>> {
        let network = self.network;
        let process = &network.processes[instance.process as usize];
        let mut limits = vec![Vec::new(); process.locations.len()];
        self.known = instance.params.len();
        for (location, limits) in process.locations.iter().zip(&mut limits) {
            if let Some(invariant) = &location.invariant {
                self.enter(&process.frame, instance);
                self.condition(&process.frame, invariant, limits);
            }
        }
        let mut passed = Vec::new();
        for (edge, rule) in network.edges.iter().zip(&network.model.rules) {
            if edge.process != instance.process {
                continue;
            }
            self.enter(&rule.frame, instance);
            if let Some(guard) = &rule.guard {
                self.condition(&rule.frame, guard, &mut limits[edge.source as usize]);
            }
            let set: Vec<usize> =
                rule.body.iter().filter_map(|stmt| self.set_by(&rule.frame, stmt)).collect();
            passed.push((edge.source as usize, edge.target as usize, set));
        }
        limits.iter_mut().for_each(simplify);
        loop {
            let mut changed = false;
            for (source, target, set) in &passed {
                let ahead: Vec<Limit> =
                    limits[*target].iter().filter(|limit| !set.contains(&limit.clock)).copied().collect();
                let before = limits[*source].clone();
                limits[*source].extend(ahead);
                simplify(&mut limits[*source]);
                changed |= limits[*source] != before;
            }
            if !changed {
                return limits;
            }
        }
    }

    fn enter(&mut self, frame: &Frame, instance: &Instance) {
        self.interpreter.enter(frame);
        for (local, value) in (0..).zip(&instance.params) {
            self.interpreter.set_local(frame, LocalId(local), *value);
        }
    }

    /// The clock that a statement sets for sure.
    fn set_by(&mut self, frame: &Frame, stmt: &Stmt) -> Option<usize> {
        let StmtKind::Assign(place, _) = &stmt.kind else { return None };
        if Some(place.ty) != self.network.clock {
            return None;
        }
        match self.clocks_at(frame, place)[..] {
            [clock] => Some(clock),
            _ => None,
        }
    }

    /// The limits that a condition sets.
    fn condition(&mut self, frame: &Frame, expr: &Expr, limits: &mut Vec<Limit>) {
        if !self.network.reads_clock(expr) {
            return;
        }
        match &expr.kind {
            ExprKind::Logic(LogicOp::And | LogicOp::Or, a, b) => {
                self.condition(frame, a, limits);
                self.condition(frame, b, limits);
            }
            ExprKind::Logic(LogicOp::Implies, a, b) => {
                let mut found = Vec::new();
                self.condition(frame, a, &mut found);
                limits.extend(found.into_iter().map(|limit| Limit { lower: !limit.lower, ..limit }));
                self.condition(frame, b, limits);
            }
            ExprKind::Not(e) => {
                let mut found = Vec::new();
                self.condition(frame, e, &mut found);
                limits.extend(found.into_iter().map(|limit| Limit { lower: !limit.lower, ..limit }));
            }
            ExprKind::Quantified(_, _, e) => self.condition(frame, e, limits),
            ExprKind::Cond(c, a, b) => [c, a, b].iter().for_each(|part| self.condition(frame, part, limits)),
            ExprKind::Order(op, a, b) => {
                let from_above = matches!(op, OrderOp::Lt | OrderOp::Le);
                self.comparison(frame, a, b, &[!from_above], limits);
            }
            ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => self.comparison(frame, a, b, &[true, false], limits),
            // A clock by itself, as `sup` asks for: it is compared with nothing.
            _ => {}
        }
    }

    /// `a` compared with `b`; `lower` are the sides from which `a` is bounded.
    fn comparison(&mut self, frame: &Frame, a: &Expr, b: &Expr, lower: &[bool], limits: &mut Vec<Limit>) {
        let (clocks, constant, turned) = match (&a.kind, &b.kind) {
            (ExprKind::Read(place), _) if self.is_clock(place) && !self.network.reads_clock(b) => {
                (self.clocks_at(frame, place), self.greatest(frame, b), false)
            }
            (_, ExprKind::Read(place)) if self.is_clock(place) && !self.network.reads_clock(a) => {
                (self.clocks_at(frame, place), self.greatest(frame, a), true)
            }
            _ => return self.difference(frame, a, b, lower, limits),
        };
        let constant = constant.clamp(0, i64::from(crate::zone::Bound::MAX_VALUE)) as i32;
        for clock in clocks {
            limits.extend(lower.iter().map(|lower| Limit { clock, lower: *lower != turned, constant }));
        }
    }

    /// A difference of clocks, compared with something.
    fn difference(&mut self, frame: &Frame, a: &Expr, b: &Expr, lower: &[bool], limits: &mut Vec<Limit>) {
        let ((a_plus, a_minus, a_values), (b_plus, b_minus, b_values)) =
            (self.term(frame, a), self.term(frame, b));
        let lefts = if a_plus.is_empty() { b_minus } else { a_plus };
        let rights = if a_minus.is_empty() { b_plus } else { a_minus };
        let values = (b_values.0.saturating_sub(a_values.1), b_values.1.saturating_sub(a_values.0));
        for left in &lefts {
            rights.iter().for_each(|right| self.differences.add(*left, *right, values));
        }
        // One clock, with integers on both sides: `x + 2 < 5`.
        let bounded = |values: i64| values.clamp(0, i64::from(crate::zone::Bound::MAX_VALUE)) as i32;
        let (clocks, turned, constant) = match (lefts.is_empty(), rights.is_empty()) {
            (false, true) => (lefts, false, bounded(values.1)),
            (true, false) => (rights, true, bounded(values.0.saturating_neg())),
            _ => return,
        };
        for clock in clocks {
            limits.extend(lower.iter().map(|lower| Limit { clock, lower: *lower != turned, constant }));
        }
    }

    /// One side of a comparison: the clocks that may be added, those that may be subtracted, and the range of the rest.
    fn term(&mut self, frame: &Frame, expr: &Expr) -> (Vec<usize>, Vec<usize>, (i64, i64)) {
        match &expr.kind {
            ExprKind::Read(place) if self.is_clock(place) => {
                (self.clocks_at(frame, place), Vec::new(), (0, 0))
            }
            ExprKind::Arith(op, a, b) if self.network.reads_clock(expr) => {
                let (mut a, b) = (self.term(frame, a), self.term(frame, b));
                let subtracted = *op == ArithOp::Sub;
                let (added, taken, values) =
                    if subtracted { (b.1, b.0, (b.2.1.saturating_neg(), b.2.0.saturating_neg())) } else { b };
                a.0.extend(added);
                a.1.extend(taken);
                (a.0, a.1, (a.2.0.saturating_add(values.0), a.2.1.saturating_add(values.1)))
            }
            _ => (Vec::new(), Vec::new(), self.range(frame, expr)),
        }
    }

    /// The greatest value to which a clock is set anywhere.
    fn greatest_set(&mut self) -> i32 {
        let model = &self.network.model;
        self.known = 0;
        let mut greatest = 0;
        let starts = model.starts.iter().map(|start| (&start.frame, &start.body));
        let rules = model.rules.iter().map(|rule| (&rule.frame, &rule.body));
        let functions = model.functions.iter().map(|function| (&function.frame, &function.body));
        for (frame, body) in starts.chain(rules).chain(functions) {
            self.interpreter.enter(frame);
            for stmt in body {
                Part::Stmt(stmt).each(&mut |part| {
                    if let Part::Stmt(Stmt { kind: StmtKind::Assign(place, value), .. }) = part
                        && self.is_clock(place)
                    {
                        greatest = greatest.max(self.range(frame, value).1);
                    }
                });
            }
        }
        greatest.clamp(0, i64::from(crate::zone::Bound::MAX_VALUE)) as i32
    }

    /// Adds the clocks that an expression reads.
    fn read_by(&mut self, frame: &Frame, expr: &Expr, found: &mut Vec<usize>) {
        Part::Expr(expr).each(&mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Read(place), .. }) = part
                && self.is_clock(place)
            {
                found.extend(self.clocks_at(frame, place));
            }
        });
    }

    fn is_clock(&self, place: &Place) -> bool {
        Some(place.ty) == self.network.clock
    }

    /// The clocks that a place may be.
    fn clocks_at(&mut self, frame: &Frame, place: &Place) -> Vec<usize> {
        if self.is_known_place(place)
            && let Ok(cell) = self.interpreter.address(frame, place)
        {
            return vec![self.clocks.at(cell)];
        }
        let root = place.root();
        let model = &self.network.model;
        let cells = match root.kind {
            PlaceKind::Global(global) => {
                let first = model.globals[global.0 as usize].offset as usize;
                first..first + model.types[root.ty].cells as usize
            }
            // Some clock, passed by reference.
            _ => 0..model.cells as usize,
        };
        cells.map(|cell| self.clocks.at(cell)).filter(|clock| *clock != 0).collect()
    }

    fn is_known_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Global(_) => true,
            PlaceKind::Index(base, index) => self.is_known_place(base) && self.is_known(index),
            PlaceKind::Field(base, _) => self.is_known_place(base),
            _ => false,
        }
    }

    /// Whether an expression depends only on constants and on the parameters of the process.
    fn is_known(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Read(place) => match &place.kind {
                PlaceKind::Local(local) => (local.0 as usize) < self.known,
                _ => self.is_constant_place(place),
            },
            ExprKind::Neg(e) => self.is_known(e),
            ExprKind::Arith(_, a, b) => self.is_known(a) && self.is_known(b),
            _ => false,
        }
    }

    fn is_constant_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Global(global) => {
                let first = self.network.model.globals[global.0 as usize].offset;
                self.network.constant.contains(&first)
            }
            PlaceKind::Index(base, index) => self.is_constant_place(base) && self.is_known(index),
            PlaceKind::Field(base, _) => self.is_constant_place(base),
            _ => false,
        }
    }

    /// The greatest value that an expression may have.
    fn greatest(&mut self, frame: &Frame, expr: &Expr) -> i64 {
        if self.is_known(expr)
            && let Ok(value) = self.interpreter.eval(frame, expr)
        {
            return value;
        }
        self.range(frame, expr).1
    }

    fn range(&mut self, frame: &Frame, expr: &Expr) -> (i64, i64) {
        let bounds = self.network.model.types.bounds(expr.ty);
        match &expr.kind {
            _ if self.is_known(expr) => match self.interpreter.eval(frame, expr) {
                Ok(value) => (value, value),
                Err(_) => bounds,
            },
            ExprKind::Neg(e) => {
                let (lo, hi) = self.range(frame, e);
                (hi.saturating_neg(), lo.saturating_neg())
            }
            ExprKind::Arith(op @ (ArithOp::Add | ArithOp::Sub | ArithOp::Mul), a, b) => {
                let ((al, ah), (bl, bh)) = (self.range(frame, a), self.range(frame, b));
                let apply = |x: i64, y: i64| match op {
                    ArithOp::Add => x.saturating_add(y),
                    ArithOp::Sub => x.saturating_sub(y),
                    _ => x.saturating_mul(y),
                };
                let corners = [apply(al, bl), apply(al, bh), apply(ah, bl), apply(ah, bh)];
                let least = corners.iter().copied().min().unwrap_or(bounds.0);
                (least, corners.iter().copied().max().unwrap_or(bounds.1))
            }
            ExprKind::Cond(_, a, b) => {
                let ((al, ah), (bl, bh)) = (self.range(frame, a), self.range(frame, b));
                (al.min(bl), ah.max(bh))
            }
            _ => bounds,
        }
    }
}

/// Keeps the greatest constant of each clock and side, in order.
fn simplify(limits: &mut Vec<Limit>) {
    limits.sort_by_key(|limit| (limit.clock, limit.lower, -limit.constant));
    limits.dedup_by_key(|limit| (limit.clock, limit.lower));
}
