//! The SAT solver, behind a thin wall: clauses in, answers and cores out, nothing of its own types visible elsewhere.
//!
//! [`Solver::function`] gives the literal of a function of a [`Circuit`]; the clauses that define it (Tseitin) are added
//! when it is first asked for, so a solver knows only those parts of a circuit that its questions need. It guesses only
//! values of inputs and of what [`Solver::choice`] makes: all others follow from them. A [`Frame`] is one more copy of the
//! circuit, for another state of a run.

use batsat::{Callbacks, Lit as Inner, Solver as Batsat, SolverInterface, SolverOpts, lbool};
use burnside_model::Deadline;

use crate::circuit::{Circuit, Ref};

/// A literal of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lit(Inner);

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(!self.0)
    }
}

/// The time was up before there was an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeUp;

/// Stops the solver at a deadline.
struct Clock(Deadline);

impl Callbacks for Clock {
    fn stop(&self) -> bool {
        self.0.has_passed()
    }
}

/// A copy of a circuit: the literal of each node that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    nodes: Vec<Option<Lit>>,
}

impl Frame {
    /// A copy whose first inputs, the bits of a state, are literals that there are already.
    pub fn of_bits(bits: &[Lit]) -> Self {
        // Node 0 is the constant.
        Frame { nodes: [None].into_iter().chain(bits.iter().copied().map(Some)).collect() }
    }

    /// The literal of a function, if it was asked for before.
    fn known(&self, f: Ref) -> Option<Lit> {
        let lit = self.nodes[(f >> 1) as usize]?;
        Some(if f & 1 == 1 { !lit } else { lit })
    }
}

/// A solver, and what it knows of one circuit.
pub struct Solver {
    inner: Batsat<Clock>,
    /// The circuit of the first state.
    frame: Frame,
    yes: Lit,
    deadline: Deadline,
    /// How many questions were asked.
    pub queries: u64,
}

impl Solver {
    /// A solver that knows nothing yet.
    pub fn new(deadline: Deadline) -> Self {
        let mut inner = Batsat::new(SolverOpts::default(), Clock(deadline));
        let yes = Lit(Inner::new(inner.new_var_default(), true));
        let mut solver = Solver { inner, frame: Frame::default(), yes, deadline, queries: 0 };
        solver.clause(&[yes]);
        solver
    }

    /// A new variable whose value follows from others, or that is assumed: the solver never guesses it.
    pub fn fresh(&mut self) -> Lit {
        Lit(Inner::new(self.inner.new_var(lbool::UNDEF, false), true))
    }

    /// A new variable that the solver may choose.
    pub fn choice(&mut self) -> Lit {
        Lit(Inner::new(self.inner.new_var(lbool::UNDEF, true), true))
    }

    /// Adds a clause.
    pub fn clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<Inner> = clause.iter().map(|lit| lit.0).collect();
        self.inner.add_clause_reuse(&mut clause);
    }

    /// The literal of a function of the circuit. One solver must be asked about one circuit only.
    pub fn function(&mut self, circuit: &Circuit, f: Ref) -> Lit {
        let mut frame = std::mem::take(&mut self.frame);
        let lit = self.function_in(&mut frame, circuit, f);
        self.frame = frame;
        lit
    }

    /// The same in another copy of the circuit.
    pub fn function_in(&mut self, frame: &mut Frame, circuit: &Circuit, f: Ref) -> Lit {
        if frame.nodes.len() < circuit.len() {
            frame.nodes.resize(circuit.len(), None);
            frame.nodes[0] = Some(!self.yes);
        }
        let mut stack = vec![f >> 1];
        while let Some(node) = stack.pop() {
            if frame.nodes[node as usize].is_some() {
                continue;
            }
            let Some((f, g)) = circuit.operands(node) else {
                frame.nodes[node as usize] = Some(self.choice());
                continue;
            };
            let (Some(a), Some(b)) = (frame.known(f), frame.known(g)) else {
                stack.extend([node, f >> 1, g >> 1]);
                continue;
            };
            let both = self.fresh();
            self.clause(&[!both, a]);
            self.clause(&[!both, b]);
            self.clause(&[both, !a, !b]);
            frame.nodes[node as usize] = Some(both);
        }
        frame.known(f).unwrap_or(self.yes)
    }

    /// A literal that holds where all of them do.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        if let [lit] = lits {
            return *lit;
        }
        let all = self.fresh();
        let mut back = vec![all];
        for lit in lits {
            self.clause(&[!all, *lit]);
            back.push(!*lit);
        }
        self.clause(&back);
        all
    }

    /// Whether the clauses can hold under these assumptions.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, TimeUp> {
        self.queries += 1;
        if self.queries.is_multiple_of(64) && self.deadline.has_passed() {
            return Err(TimeUp);
        }
        let assumptions: Vec<Inner> = assumptions.iter().map(|lit| lit.0).collect();
        match self.inner.solve_limited(&assumptions) {
            result if result == lbool::TRUE => Ok(true),
            result if result == lbool::FALSE => Ok(false),
            _ => Err(TimeUp),
        }
    }

    /// After *yes*: whether the literal holds in the solution.
    pub fn holds(&self, lit: Lit) -> bool {
        self.inner.value_lit(lit.0) == lbool::TRUE
    }

    /// After *no*: whether the assumption was needed.
    pub fn needed(&self, assumption: Lit) -> bool {
        self.inner.unsat_core_contains_lit(assumption.0) || self.inner.unsat_core_contains_lit(!assumption.0)
    }
}
