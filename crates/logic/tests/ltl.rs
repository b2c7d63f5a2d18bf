//! Büchi automata of random formulas on random lassos, against the definition of LTL.

mod common;

use std::convert::Infallible;

use burnside_logic::Constraint;
use burnside_logic::graph::{Bits, Graph};
use burnside_logic::ltl::{Buchi, accepted_run, automaton};
use burnside_model::Model;
use burnside_model::code::{Frame, LogicOp};
use burnside_model::system::{BinaryOp, Formula, FormulaKind, Logic, UnaryOp};

use common::{ATOMS, Rng, number, random_formula, random_graph, random_labels};

/// The atoms at each position; after the last one it goes on at `back`.
struct Lasso {
    letters: Vec<Vec<bool>>,
    back: usize,
}

impl Lasso {
    fn next(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.back }
    }

    /// The positions that come at or after one, in order, each once.
    fn from(&self, position: usize) -> Vec<usize> {
        let mut all = vec![position];
        let mut at = self.next(position);
        while !all.contains(&at) {
            all.push(at);
            at = self.next(at);
        }
        all
    }

    /// Where a formula holds, by definition: what happens after each position was seen once happens again.
    fn evaluate(&self, formula: &Formula) -> Vec<bool> {
        let zip = |a: &Formula, b: &Formula, op: &dyn Fn(bool, bool) -> bool| -> Vec<bool> {
            self.evaluate(a).into_iter().zip(self.evaluate(b)).map(|(a, b)| op(a, b)).collect()
        };
        let positions = 0..self.letters.len();
        match &formula.kind {
            FormulaKind::Atom(atom) => positions.map(|i| self.letters[i][number(atom)]).collect(),
            FormulaKind::Not(f) => self.evaluate(f).into_iter().map(|held| !held).collect(),
            FormulaKind::Logic(LogicOp::And, f, g) => zip(f, g, &|f, g| f && g),
            FormulaKind::Logic(LogicOp::Or, f, g) => zip(f, g, &|f, g| f || g),
            FormulaKind::Logic(LogicOp::Implies, f, g) => zip(f, g, &|f, g| !f || g),
            FormulaKind::Iff(f, g) => zip(f, g, &|f, g| f == g),
            FormulaKind::Quantified(..) => unreachable!("there are no variables"),
            FormulaKind::Unary(_, op, f) => {
                let f = self.evaluate(f);
                let later = |i: usize| self.from(i).into_iter().map(|j| f[j]).collect::<Vec<_>>();
                positions
                    .map(|i| match op {
                        UnaryOp::Next => f[self.next(i)],
                        UnaryOp::Finally => later(i).contains(&true),
                        _ => !later(i).contains(&false),
                    })
                    .collect()
            }
            FormulaKind::Binary(_, op, f, g) => {
                let (f, g) = (self.evaluate(f), self.evaluate(g));
                let held = |i: usize| {
                    let later = self.from(i);
                    let until =
                        later.iter().position(|j| g[*j]).is_some_and(|at| later[..at].iter().all(|j| f[*j]));
                    let release =
                        (0..later.len()).all(|at| g[later[at]] || later[..at].iter().any(|j| f[*j]));
                    match op {
                        BinaryOp::Until => until,
                        BinaryOp::Release => release,
                        BinaryOp::Weak => until || later.iter().all(|j| f[*j]),
                    }
                };
                positions.map(held).collect()
            }
        }
    }

    /// Whether an automaton accepts it.
    fn accepted(&self, buchi: &Buchi, atom: &dyn Fn(usize) -> usize) -> bool {
        let width = buchi.states.len();
        let nodes = self.letters.len() * width;
        // Steps of the product, with the acceptance sets that they miss.
        let mut steps: Vec<(usize, usize, &[usize])> = Vec::new();
        for position in 0..self.letters.len() {
            for (state, transitions) in buchi.states.iter().enumerate() {
                for t in transitions {
                    if t.guard.iter().all(|(a, wanted)| self.letters[position][atom(*a)] == *wanted) {
                        let to = self.next(position) * width + t.to;
                        steps.push((position * width + state, to, &t.missed));
                    }
                }
            }
        }
        let reach = |from: usize| {
            let mut found = vec![false; nodes];
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                for (_, to, _) in steps.iter().filter(|(from, ..)| *from == at) {
                    if !std::mem::replace(&mut found[*to], true) {
                        open.push(*to);
                    }
                }
            }
            found
        };
        let reached: Vec<Vec<bool>> = (0..nodes).map(reach).collect();
        (0..nodes).any(|node| {
            let mutual = |other: usize| reached[node][other] && reached[other][node];
            let inside: Vec<_> = steps.iter().filter(|(from, to, _)| mutual(*from) && mutual(*to)).collect();
            (node == 0 || reached[0][node])
                && !inside.is_empty()
                && (0..buchi.acceptance).all(|set| inside.iter().any(|(_, _, missed)| !missed.contains(&set)))
        })
    }
}

fn random_lasso(rng: &mut Rng) -> Lasso {
    let length = 1 + rng.below(5);
    let letters = (0..length).map(|_| (0..ATOMS).map(|_| rng.chance(50)).collect()).collect();
    Lasso { letters, back: rng.below(length) }
}

/// What is done to an automaton.
type Change = dyn Fn(&mut Buchi);

/// Whether automaton and definition agree on some lassos, after a change of the automaton.
fn agree(seed: u64, change: &Change) -> Result<usize, String> {
    let rng = &mut Rng::new(seed);
    let formula = random_formula(rng, Logic::Ltl, 3);
    let (model, frame) = (Model::default(), Frame::default());
    let make = |negated| {
        automaton(&model, &frame, &formula, &mut Vec::new(), negated, usize::MAX).expect("no limit")
    };
    let ((mut holds, atoms), (mut fails, other_atoms)) = (make(false), make(true));
    change(&mut holds);
    change(&mut fails);
    let mut accepted = 0;
    for _ in 0..4 {
        let lasso = random_lasso(rng);
        let expected = lasso.evaluate(&formula)[0];
        let found = lasso.accepted(&holds, &|atom| number(atoms[atom].0));
        let negated = lasso.accepted(&fails, &|atom| number(other_atoms[atom].0));
        if found != expected || negated == expected {
            return Err(format!("seed {seed}: {formula:?}\n{:?} {}", lasso.letters, lasso.back));
        }
        accepted += usize::from(found);
    }
    Ok(accepted)
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let (mut accepted, cases) = (0, 4000);
    for seed in 0..cases {
        match agree(seed, &|_| {}) {
            Ok(some) => accepted += some,
            Err(wrong) => panic!("{wrong}"),
        }
    }
    assert!(accepted > 4000 && accepted < 12_000, "{accepted} of {} accepted", 4 * cases);
}

#[test]
fn planted_mistakes_are_caught() {
    let mistakes: [(&str, &Change); 4] = [
        ("promises are forgotten", &|buchi| buchi.acceptance = 0),
        ("a guard is dropped", &|buchi| {
            if let Some(t) = buchi.states.iter_mut().flatten().next() {
                t.guard.pop();
            }
        }),
        ("a transition is dropped", &|buchi| drop(buchi.states[0].pop())),
        ("every promise stays open", &|buchi| {
            let sets: Vec<usize> = (0..buchi.acceptance).collect();
            buchi.states.iter_mut().flatten().for_each(|t| t.missed = sets.clone());
        }),
    ];
    for (what, mistake) in mistakes {
        assert!((0..4000).any(|seed| agree(seed, mistake).is_err()), "{what}");
    }
}

#[test]
fn automata_are_small() {
    use common::{atom, formula};
    let (model, frame) = (Model::default(), Frame::default());
    let globally = |f| formula(FormulaKind::Unary(None, UnaryOp::Globally, Box::new(f)));
    let finally = |f| formula(FormulaKind::Unary(None, UnaryOp::Finally, Box::new(f)));
    let states = |f: &Formula, negated| {
        automaton(&model, &frame, f, &mut Vec::new(), negated, usize::MAX).expect("no limit").0.states.len()
    };
    let response = globally(formula(FormulaKind::Logic(
        LogicOp::Implies,
        Box::new(atom(0)),
        Box::new(finally(atom(1))),
    )));
    assert_eq!(states(&globally(atom(0)), false), 1);
    assert_eq!(states(&globally(finally(atom(0))), false), 1);
    assert_eq!(states(&finally(globally(atom(0))), false), 2);
    assert_eq!(states(&response, false), 2);
    assert_eq!(states(&response, true), 2);
}

/// The steps of a graph, those of states without any included.
fn steps(graph: &Graph) -> Vec<(usize, usize)> {
    let stuck = (0..graph.states).filter(|state| !graph.edges.iter().any(|edge| edge.from == *state));
    graph.edges.iter().map(|edge| (edge.from, edge.to)).chain(stuck.map(|state| (state, state))).collect()
}

/// Whether a loop through these states is fair, whichever edges between them it takes.
fn is_fair(graph: &Graph, constraints: &[Constraint<Bits>], ring: &[usize]) -> bool {
    let by = |agent: usize| graph.edges.iter().filter(move |edge| edge.agents.contains(&agent));
    let enabled = |agent: usize, state: usize| by(agent).any(|edge| edge.from == state);
    let taken = |agent: usize| {
        (0..ring.len()).any(|i| by(agent).any(|e| (e.from, e.to) == (ring[i], ring[(i + 1) % ring.len()])))
    };
    constraints.iter().all(|constraint| match constraint {
        Constraint::Infinitely(goal) => ring.iter().any(|state| goal.contains(*state)),
        Constraint::Weak(agent) => taken(*agent) || ring.iter().any(|state| !enabled(*agent, *state)),
        Constraint::Strong(agent) => taken(*agent) || ring.iter().all(|state| !enabled(*agent, *state)),
        Constraint::Taken(agent) => taken(*agent),
    })
}

fn random_constraints(rng: &mut Rng, states: usize) -> Vec<Constraint<Bits>> {
    let one = |rng: &mut Rng| match rng.below(3) {
        0 => {
            let mut goal = Bits::none(states);
            (0..states).filter(|_| rng.chance(60)).for_each(|state| goal.insert(state));
            Constraint::Infinitely(goal)
        }
        1 => Constraint::Weak(rng.below(2)),
        _ => Constraint::Strong(rng.below(2)),
    };
    (0..rng.below(3)).map(|_| one(rng)).collect()
}

/// Any run that is found is one of the graph, fair, and violates the formula; where none is found, no random fair run
/// violates it.
#[test]
fn runs_that_violate_a_formula_are_found() {
    let (mut violated, mut tried) = (0, 0);
    for seed in 0..4000 {
        let rng = &mut Rng::new(seed);
        let graph = random_graph(rng, 5, 2);
        let labels = random_labels(rng, graph.states);
        let constraints = random_constraints(rng, graph.states);
        let formula = random_formula(rng, Logic::Ltl, 3);
        let steps = steps(&graph);
        let (model, frame) = (Model::default(), Frame::default());
        let (buchi, atoms) =
            automaton(&model, &frame, &formula, &mut Vec::new(), true, usize::MAX).expect("no limit");
        let mut holds = |state: usize, atom: usize| -> Result<bool, Infallible> {
            Ok(labels[state][number(atoms[atom].0)])
        };
        let Ok(run) = accepted_run(&graph, &constraints, &buchi, &mut holds);
        let lasso = |states: &[usize], back| Lasso {
            letters: states.iter().map(|state| labels[*state].clone()).collect(),
            back,
        };
        if let Some(path) = run {
            let states: Vec<usize> = path.steps.iter().map(|s| s.state.states().next().unwrap()).collect();
            let back = path.back.expect("a loop");
            let mut moves: Vec<_> = states.windows(2).map(|pair| (pair[0], pair[1])).collect();
            moves.push((states[states.len() - 1], states[back]));
            assert!(moves.iter().all(|step| steps.contains(step)), "seed {seed}: no run");
            assert!(graph.initial.contains(&states[0]), "seed {seed}: no start state");
            assert!(is_fair(&graph, &constraints, &states[back..]), "seed {seed}: not fair");
            assert!(!lasso(&states, back).evaluate(&formula)[0], "seed {seed}: it holds");
            violated += 1;
            continue;
        }
        for _ in 0..50 {
            let mut states = vec![graph.initial[0]];
            for _ in 0..rng.below(8) {
                let last = states[states.len() - 1];
                let next: Vec<_> = steps.iter().filter(|(from, _)| *from == last).collect();
                states.push(next[rng.below(next.len())].1);
            }
            let last = states[states.len() - 1];
            let back = rng.below(states.len());
            if steps.contains(&(last, states[back])) && is_fair(&graph, &constraints, &states[back..]) {
                assert!(
                    lasso(&states, back).evaluate(&formula)[0],
                    "seed {seed}: {formula:?} {states:?} {back}"
                );
                tried += 1;
            }
        }
    }
    assert!(violated > 1000 && tried > 10_000, "{violated} violated, {tried} runs tried");
}
