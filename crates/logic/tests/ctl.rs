//! CTL on random graphs, against a second evaluation that shares nothing with it: path quantifiers by following a monitor
//! of the operator along all paths, fair loops by trying every set of states.

mod common;

use std::convert::Infallible;

use burnside_logic::graph::{Bits, Graph, GraphSets};
use burnside_logic::{Atom, Checker, Constraint, Path, StateSets};
use burnside_model::Model;
use burnside_model::code::{Frame, LogicOp};
use burnside_model::system::{BinaryOp, Formula, FormulaKind, Logic, Paths, UnaryOp};

use common::{Rng, number, random_formula, random_graph, random_labels};

const AGENTS: usize = 2;

/// A graph with labels and fairness, evaluated from definitions.
struct Brute<'g> {
    graph: &'g Graph,
    labels: &'g [Vec<bool>],
    constraints: &'g [Constraint<Bits>],
    /// The steps, those of states without any included.
    steps: Vec<(usize, usize)>,
    /// All sets of states that a fair run may visit again and again.
    loops: Vec<u32>,
}

/// How far a path has decided what is said of it.
#[derive(Clone, Copy, PartialEq)]
enum Status {
    Waiting,
    Satisfied,
    Failed,
}

impl<'g> Brute<'g> {
    fn new(graph: &'g Graph, labels: &'g [Vec<bool>], constraints: &'g [Constraint<Bits>]) -> Self {
        let mut steps: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        for state in 0..graph.states {
            if !graph.edges.iter().any(|edge| edge.from == state) {
                steps.push((state, state));
            }
        }
        let mut brute = Brute { graph, labels, constraints, steps, loops: Vec::new() };
        brute.loops = (1u32..1 << graph.states).filter(|set| brute.is_fair_loop(*set)).collect();
        brute
    }

    fn is_fair_loop(&self, set: u32) -> bool {
        let inside = |state: usize| set >> state & 1 == 1;
        let all: Vec<bool> = (0..self.graph.states).map(inside).collect();
        let connected = (0..self.graph.states).filter(|s| all[*s]).all(|state| {
            // In at least one step, all states of the set are reached.
            let mut found = vec![false; all.len()];
            let mut open: Vec<usize> = vec![state];
            while let Some(at) = open.pop() {
                for (_, to) in self.steps.iter().filter(|(from, to)| *from == at && all[*to]) {
                    if !std::mem::replace(&mut found[*to], true) {
                        open.push(*to);
                    }
                }
            }
            found == all
        });
        connected && self.constraints.iter().all(|constraint| self.meets(constraint, set))
    }

    fn meets(&self, constraint: &Constraint<Bits>, set: u32) -> bool {
        let inside = |state: usize| set >> state & 1 == 1;
        let by = |agent: usize| self.graph.edges.iter().filter(move |edge| edge.agents.contains(&agent));
        let enabled = |agent: usize, state: usize| by(agent).any(|edge| edge.from == state);
        let executed = |agent: usize| by(agent).any(|edge| inside(edge.from) && inside(edge.to));
        let mut states = (0..self.graph.states).filter(|state| inside(*state));
        match constraint {
            Constraint::Infinitely(goal) => states.any(|state| goal.contains(state)),
            Constraint::Weak(agent) => executed(*agent) || states.any(|state| !enabled(*agent, state)),
            Constraint::Strong(agent) => executed(*agent) || states.all(|state| !enabled(*agent, state)),
            Constraint::Taken(agent) => executed(*agent),
        }
    }

    /// The nodes (state, status) reached from a state by a path whose status is updated in each state.
    fn reached(&self, from: usize, update: &dyn Fn(usize) -> Status) -> Vec<(usize, Status)> {
        let next = |status: Status, state: usize| match status {
            Status::Waiting => update(state),
            decided => decided,
        };
        let mut found = vec![(from, next(Status::Waiting, from))];
        let mut at = 0;
        while let Some((state, status)) = found.get(at).copied() {
            at += 1;
            for (_, to) in self.steps.iter().filter(|(from, _)| *from == state) {
                let node = (*to, next(status, *to));
                if !found.contains(&node) {
                    found.push(node);
                }
            }
        }
        found
    }

    /// Whether a fair path from a state ends up with this status.
    fn fair_path(&self, from: usize, update: &dyn Fn(usize) -> Status, status: Status) -> bool {
        let reached = self.reached(from, update);
        self.loops.iter().any(|set| {
            let states = (0..self.graph.states).filter(|state| set >> state & 1 == 1);
            let mut waiting = states.clone();
            let stays = status != Status::Waiting || waiting.all(|state| update(state) == Status::Waiting);
            stays && states.into_iter().any(|state| reached.contains(&(state, status)))
        })
    }

    fn evaluate(&self, formula: &Formula) -> Vec<bool> {
        let zip = |a: &Formula, b: &Formula, op: &dyn Fn(bool, bool) -> bool| -> Vec<bool> {
            self.evaluate(a).into_iter().zip(self.evaluate(b)).map(|(a, b)| op(a, b)).collect()
        };
        let states = 0..self.graph.states;
        match &formula.kind {
            FormulaKind::Atom(atom) => states.map(|state| self.labels[state][number(atom)]).collect(),
            FormulaKind::Not(f) => self.evaluate(f).into_iter().map(|held| !held).collect(),
            FormulaKind::Logic(LogicOp::And, f, g) => zip(f, g, &|f, g| f && g),
            FormulaKind::Logic(LogicOp::Or, f, g) => zip(f, g, &|f, g| f || g),
            FormulaKind::Logic(LogicOp::Implies, f, g) => zip(f, g, &|f, g| !f || g),
            FormulaKind::Iff(f, g) => zip(f, g, &|f, g| f == g),
            FormulaKind::Quantified(..) => unreachable!("there are no variables"),
            FormulaKind::Unary(_, UnaryOp::Previous, f) => {
                let f = self.evaluate(f);
                states.map(|state| self.steps.iter().any(|(from, to)| *to == state && f[*from])).collect()
            }
            FormulaKind::Unary(_, UnaryOp::Once, f) => {
                let f = self.evaluate(f);
                let reaches = |from: usize| self.reached(from, &|_| Status::Waiting);
                let once =
                    |state| (0..f.len()).any(|s| f[s] && reaches(s).contains(&(state, Status::Waiting)));
                states.map(once).collect()
            }
            FormulaKind::Unary(paths, UnaryOp::Next, f) => {
                let f = self.evaluate(f);
                let fair = |state| self.fair_path(state, &|_| Status::Waiting, Status::Waiting);
                let some = *paths == Some(Paths::Some);
                let is_next = |state: usize, wanted: bool| {
                    self.steps.iter().any(|(from, to)| *from == state && f[*to] == wanted && fair(*to))
                };
                states.map(|state| is_next(state, some) == some).collect()
            }
            FormulaKind::Unary(paths, UnaryOp::Finally, f) => {
                let f = self.evaluate(f);
                let update = |s: usize| if f[s] { Status::Satisfied } else { Status::Waiting };
                states.map(|state| self.decide(*paths, state, &update, false)).collect()
            }
            FormulaKind::Unary(paths, UnaryOp::Globally, f) => {
                let f = self.evaluate(f);
                let update = |s: usize| if f[s] { Status::Waiting } else { Status::Failed };
                states.map(|state| self.decide(*paths, state, &update, true)).collect()
            }
            FormulaKind::Binary(paths, op, f, g) => {
                let (f, g) = (self.evaluate(f), self.evaluate(g));
                let update = |s: usize| match op {
                    BinaryOp::Until | BinaryOp::Weak if g[s] => Status::Satisfied,
                    BinaryOp::Until | BinaryOp::Weak if !f[s] => Status::Failed,
                    BinaryOp::Release if !g[s] => Status::Failed,
                    BinaryOp::Release if f[s] => Status::Satisfied,
                    _ => Status::Waiting,
                };
                let forever = *op != BinaryOp::Until;
                states.map(|state| self.decide(*paths, state, &update, forever)).collect()
            }
        }
    }

    /// Whether some fair path satisfies a monitor, or all do; `forever` says what waiting for ever means.
    fn decide(
        &self,
        paths: Option<Paths>,
        state: usize,
        update: &dyn Fn(usize) -> Status,
        forever: bool,
    ) -> bool {
        let path = |status| self.fair_path(state, update, status);
        match paths {
            Some(Paths::Some) => path(Status::Satisfied) || (forever && path(Status::Waiting)),
            _ => !(path(Status::Failed) || (!forever && path(Status::Waiting))),
        }
    }
}

/// What is done wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    /// A state without successors has none.
    NoStuttering,
    /// The steps of all agents are those of each.
    AnyAgent,
    /// Strong fairness is taken for weak.
    WeakForStrong,
    /// The first constraint is forgotten.
    DroppedConstraint,
    /// The past is taken for the future.
    PostIsPre,
    /// The complement is taken in all but one of the states.
    SmallUniverse,
}

struct Slips<'s, F> {
    sets: GraphSets<'s, F>,
    graph: &'s Graph,
    mistake: Mistake,
}

impl<F: FnMut(usize, &Atom<'_>) -> Result<bool, Infallible>> StateSets for Slips<'_, F> {
    type Set = Bits;
    type Error = Infallible;

    fn universe(&mut self) -> Result<Bits, Infallible> {
        self.sets.universe()
    }
    fn empty(&mut self) -> Result<Bits, Infallible> {
        self.sets.empty()
    }
    fn initial(&mut self) -> Result<Bits, Infallible> {
        self.sets.initial()
    }
    fn and(&mut self, a: &Bits, b: &Bits) -> Result<Bits, Infallible> {
        self.sets.and(a, b)
    }
    fn or(&mut self, a: &Bits, b: &Bits) -> Result<Bits, Infallible> {
        self.sets.or(a, b)
    }
    fn not(&mut self, a: &Bits) -> Result<Bits, Infallible> {
        let mut a = a.clone();
        if self.mistake == Mistake::SmallUniverse {
            a.insert(0);
        }
        self.sets.not(&a)
    }
    fn pre(&mut self, a: &Bits) -> Result<Bits, Infallible> {
        let found = self.sets.pre(a)?;
        if self.mistake != Mistake::NoStuttering {
            return Ok(found);
        }
        let mut moving = self.sets.empty()?;
        self.graph.edges.iter().for_each(|edge| moving.insert(edge.from));
        self.sets.and(&found, &moving)
    }
    fn post(&mut self, a: &Bits) -> Result<Bits, Infallible> {
        match self.mistake {
            Mistake::PostIsPre => self.sets.pre(a),
            _ => self.sets.post(a),
        }
    }
    fn pre_by(&mut self, agent: usize, a: &Bits) -> Result<Bits, Infallible> {
        match self.mistake {
            Mistake::AnyAgent => self.sets.pre(a),
            _ => self.sets.pre_by(agent, a),
        }
    }
    fn atom(&mut self, atom: &Atom<'_>) -> Result<Bits, Infallible> {
        self.sets.atom(atom)
    }
    fn is_empty(&mut self, a: &Bits) -> Result<bool, Infallible> {
        self.sets.is_empty(a)
    }
    fn same(&mut self, a: &Bits, b: &Bits) -> Result<bool, Infallible> {
        self.sets.same(a, b)
    }
    fn pick(&mut self, a: &Bits) -> Result<Option<Bits>, Infallible> {
        self.sets.pick(a)
    }
}

fn random_constraints(rng: &mut Rng, states: usize) -> Vec<Constraint<Bits>> {
    let count = [0, 0, 1, 2, 3][rng.below(5)];
    let one = |rng: &mut Rng| match rng.below(4) {
        0 => {
            let mut goal = Bits::none(states);
            (0..states).filter(|_| rng.chance(40)).for_each(|state| goal.insert(state));
            Constraint::Infinitely(goal)
        }
        1 => Constraint::Weak(rng.below(AGENTS)),
        2 => Constraint::Strong(rng.below(AGENTS)),
        _ => Constraint::Taken(rng.below(AGENTS)),
    };
    (0..count).map(|_| one(rng)).collect()
}

/// Compares the two evaluations on one random case, and looks at the explanations; says what is wrong.
fn compare(seed: u64, mistake: Mistake) -> Result<usize, String> {
    let rng = &mut Rng::new(seed);
    let graph = random_graph(rng, 5, AGENTS);
    let labels = random_labels(rng, graph.states);
    let constraints = random_constraints(rng, graph.states);
    let formula = random_formula(rng, Logic::Ctl, 3);
    let expected = Brute::new(&graph, &labels, &constraints).evaluate(&formula);

    let holds = |state: usize, atom: &Atom<'_>| Ok(labels[state][number(atom.condition)]);
    let mut sets = Slips { sets: GraphSets::new(&graph, holds), graph: &graph, mistake };
    let mut used = constraints.clone();
    if mistake == Mistake::DroppedConstraint && !used.is_empty() {
        used.remove(0);
    }
    if mistake == Mistake::WeakForStrong {
        for constraint in &mut used {
            if let Constraint::Strong(agent) = constraint {
                *constraint = Constraint::Weak(*agent);
            }
        }
    }
    let (model, frame) = (Model::default(), Frame::default());
    let Ok(mut checker) = Checker::new(&mut sets, &model, used);
    let Ok(found) = checker.satisfying(&frame, &formula, &mut Vec::new());
    let found: Vec<bool> = (0..graph.states).map(|state| found.contains(state)).collect();
    if found != expected {
        return Err(format!("seed {seed}: {formula:?}\n{graph:?}\n{constraints:?}\n{found:?} {expected:?}"));
    }
    let mut loops = 0;
    for (state, held) in expected.iter().enumerate() {
        let mut start = Bits::none(graph.states);
        start.insert(state);
        let Ok(explanation) = checker.explain(&frame, &formula, &mut Vec::new(), &start, *held);
        loops += usize::from(explanation.complete && explanation.path.back.is_some());
        let shown = examine(&graph, &labels, &constraints, &explanation.path, explanation.complete);
        shown.and_then(|check| check(&formula, state, *held)).map_err(|wrong| {
            format!("seed {seed}: {wrong}\n{formula:?}\n{graph:?}\n{constraints:?}\n{:?}", explanation.path)
        })?;
    }
    Ok(loops)
}

/// What is still to be asked of a path: whether it shows that a formula holds, or fails, in a state.
type Ask = Box<dyn Fn(&Formula, usize, bool) -> Result<(), String>>;

/// Whether a path is one of the graph, and fair if it has to be; and, taken alone, decides the formula as it should.
fn examine(
    graph: &Graph,
    labels: &[Vec<bool>],
    constraints: &[Constraint<Bits>],
    path: &Path<Bits>,
    complete: bool,
) -> Result<Ask, String> {
    let brute = Brute::new(graph, labels, constraints);
    let states: Vec<usize> = path.steps.iter().map(|step| step.state.states().next().unwrap()).collect();
    let mut moves: Vec<_> = states.windows(2).map(|pair| (pair[0], pair[1])).collect();
    moves.extend(path.back.map(|back| (states[states.len() - 1], states[back])));
    if let Some(wrong) = moves.iter().find(|step| !brute.steps.contains(step)) {
        return Err(format!("{wrong:?} is no step"));
    }
    let first = states[0];
    if let Some(back) = path.back {
        let by = |agent: usize, (from, to): (usize, usize)| {
            graph.edges.iter().any(|e| (e.from, e.to) == (from, to) && e.agents.contains(&agent))
        };
        let enabled =
            |agent: usize, s: usize| graph.edges.iter().any(|e| e.from == s && e.agents.contains(&agent));
        let fair = constraints.iter().all(|constraint| match constraint {
            Constraint::Infinitely(goal) => states[back..].iter().any(|state| goal.contains(*state)),
            Constraint::Weak(agent) => {
                moves[back..].iter().any(|step| by(*agent, *step))
                    || states[back..].iter().any(|state| !enabled(*agent, *state))
            }
            Constraint::Taken(agent) => moves[back..].iter().any(|step| by(*agent, *step)),
            Constraint::Strong(agent) => {
                moves[back..].iter().any(|step| by(*agent, *step))
                    || states[back..].iter().all(|state| !enabled(*agent, *state))
            }
        });
        if !fair {
            return Err("the loop is not fair".to_owned());
        }
    } else if complete && states.len() > 1 && !constraints.is_empty() {
        return Err("a fair run has no end".to_owned());
    }
    // The path as a graph of its own.
    let edge = |from, to| burnside_logic::graph::Edge { from, to, agents: Vec::new() };
    let mut edges: Vec<_> = (1..states.len()).map(|i| edge(i - 1, i)).collect();
    edges.extend(path.back.map(|back| edge(states.len() - 1, back)));
    let alone = Graph { states: states.len(), initial: vec![0], edges };
    let alone_labels: Vec<_> = states.iter().map(|state| labels[*state].clone()).collect();
    Ok(Box::new(move |formula, state, held| {
        if first != state {
            return Err("it does not begin in the state".to_owned());
        }
        // Too long for trying all sets of states: another test compares the two evaluations.
        let holds = |state: usize, atom: &Atom<'_>| Ok(alone_labels[state][number(atom.condition)]);
        let mut sets = GraphSets::new(&alone, holds);
        let model = Model::default();
        let checker: Result<_, Infallible> = Checker::new(&mut sets, &model, Vec::new());
        let Ok(found) = checker.and_then(|mut c| c.satisfying(&Frame::default(), formula, &mut Vec::new()));
        if complete && found.contains(0) != held {
            return Err("it does not show what it should".to_owned());
        }
        Ok(())
    }))
}

#[test]
fn two_evaluations_agree() {
    let mut loops = 0;
    for seed in 0..20_000 {
        match compare(seed, Mistake::None) {
            Ok(some) => loops += some,
            Err(wrong) => panic!("{wrong}"),
        }
    }
    assert!(loops > 3000, "{loops} lassos that show everything");
}

#[test]
fn planted_mistakes_are_caught() {
    let all = [
        Mistake::NoStuttering,
        Mistake::AnyAgent,
        Mistake::WeakForStrong,
        Mistake::DroppedConstraint,
        Mistake::PostIsPre,
        Mistake::SmallUniverse,
    ];
    for mistake in all {
        let caught = (0..20_000).find(|seed| compare(*seed, mistake).is_err());
        assert!(caught.is_some(), "{mistake:?}");
    }
}
