//! Random graphs and formulas, with numbers as atoms.
#![allow(dead_code)] // Each test uses some of it.

use burnside_logic::graph::{Edge, Graph};
use burnside_model::Span;
use burnside_model::code::{Expr, ExprKind, LogicOp, Types};
use burnside_model::system::{BinaryOp, Formula, FormulaKind, Logic, Paths, UnaryOp};

/// How many atoms there are.
pub const ATOMS: usize = 3;

/// A generator of pseudo-random numbers (xorshift).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

pub fn formula(kind: FormulaKind) -> Formula {
    Formula { kind, span: Span::default() }
}

/// An atom is a number here.
pub fn atom(number: usize) -> Formula {
    let kind = ExprKind::Const(number as i64);
    formula(FormulaKind::Atom(Expr { kind, ty: Types::INT, span: Span::default() }))
}

pub fn number(condition: &Expr) -> usize {
    match condition.kind {
        ExprKind::Const(number) => number as usize,
        _ => unreachable!("atoms are numbers"),
    }
}

/// A random formula.
pub fn random_formula(rng: &mut Rng, logic: Logic, depth: usize) -> Formula {
    if depth == 0 || rng.chance(10) {
        return atom(rng.below(ATOMS));
    }
    let part = |rng: &mut Rng| Box::new(random_formula(rng, logic, depth - 1));
    let ctl = logic == Logic::Ctl;
    let paths = ctl.then(|| if rng.chance(50) { Paths::All } else { Paths::Some });
    formula(match rng.below(if ctl { 12 } else { 11 }) {
        0 | 1 => FormulaKind::Not(part(rng)),
        2 => FormulaKind::Logic(LogicOp::And, part(rng), part(rng)),
        3 => FormulaKind::Logic(LogicOp::Or, part(rng), part(rng)),
        4 if rng.chance(50) => FormulaKind::Iff(part(rng), part(rng)),
        4 => FormulaKind::Logic(LogicOp::Implies, part(rng), part(rng)),
        5 => FormulaKind::Unary(paths, UnaryOp::Next, part(rng)),
        6 => FormulaKind::Unary(paths, UnaryOp::Finally, part(rng)),
        7 => FormulaKind::Unary(paths, UnaryOp::Globally, part(rng)),
        8 => FormulaKind::Binary(paths, BinaryOp::Until, part(rng), part(rng)),
        9 => FormulaKind::Binary(paths, BinaryOp::Release, part(rng), part(rng)),
        10 => FormulaKind::Binary(paths, BinaryOp::Weak, part(rng), part(rng)),
        _ if rng.chance(50) => FormulaKind::Unary(Some(Paths::Some), UnaryOp::Previous, part(rng)),
        _ => FormulaKind::Unary(Some(Paths::Some), UnaryOp::Once, part(rng)),
    })
}

/// A random graph, all of whose states count as reachable, with this many agents.
pub fn random_graph(rng: &mut Rng, most: usize, agents: usize) -> Graph {
    let states = 1 + rng.below(most);
    let mut edges = Vec::new();
    for _ in 0..rng.below(2 * states + 2) {
        let by = (0..agents).filter(|_| rng.chance(35)).collect();
        edges.push(Edge { from: rng.below(states), to: rng.below(states), agents: by });
    }
    Graph { states, initial: vec![rng.below(states)], edges }
}

/// Which atoms hold in each state.
pub fn random_labels(rng: &mut Rng, states: usize) -> Vec<Vec<bool>> {
    (0..states).map(|_| (0..ATOMS).map(|_| rng.chance(50)).collect()).collect()
}
